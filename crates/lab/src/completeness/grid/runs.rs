//! Runs that have been made: rows of a CSV file, so that a long grid can go on where it stopped.

use super::measure::Measured;
use crate::cli::LabError;
use crate::rows::{Rows, read_text};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Runs by cell and seed.
#[derive(Debug)]
pub struct Runs {
    pub names: Vec<&'static str>,
    path: Option<PathBuf>,
    done: BTreeMap<(String, u64), Measured>,
}

/// A field of a CSV file.
pub fn quoted(field: &str) -> String {
    if field.contains(',') { format!("\"{field}\"") } else { field.to_owned() }
}

impl Runs {
    /// Those of a file, if it is there; later ones are added to it.
    ///
    /// # Errors
    /// A file of other columns, or one that cannot be read or written.
    pub fn open(path: Option<&Path>, names: Vec<&'static str>) -> Result<Self, LabError> {
        let mut runs = Self { names, path: path.map(Path::to_path_buf), done: BTreeMap::new() };
        let Some(path) = path else { return Ok(runs) };
        if path.exists() {
            runs.load(path, &read_text(path)?)?;
        } else {
            let names: Vec<String> = runs.names.iter().map(|name| quoted(name)).collect();
            std::fs::write(path, format!("cell,seed,bound,optimal,{}\n", names.join(",")))?;
        }
        Ok(runs)
    }

    fn load(&mut self, path: &Path, text: &str) -> Result<(), LabError> {
        let rows = Rows::new(path, text)?;
        let [cell, seed, bound, optimal] = ["cell", "seed", "bound", "optimal"];
        let at = |name| rows.required(&[name]);
        let (cell, seed_at, bound_at, optimal) = (at(cell)?, at(seed)?, at(bound)?, at(optimal)?);
        let columns: Result<Vec<usize>, LabError> =
            self.names.iter().map(|name| rows.required(&[name])).collect();
        let columns = columns?;
        for row in rows.rows() {
            let row = row?;
            let number = |place: usize, name: &str| {
                row.number(place, name, "a number from 0", |number| number >= 0.0)
            };
            let shares: Result<Vec<f64>, LabError> =
                columns.iter().zip(&self.names).map(|(&at, name)| number(at, name)).collect();
            let measured = Measured {
                bound: number(bound_at, bound)?,
                optimal: row.text(optimal) == "true",
                shares: shares?,
            };
            let seed = number(seed_at, seed)? as u64;
            self.done.insert((row.text(cell).to_owned(), seed), measured);
        }
        Ok(())
    }

    pub fn has(&self, cell: &str, seed: u64) -> bool {
        self.done.contains_key(&(cell.to_owned(), seed))
    }

    /// Keeps a run.
    ///
    /// # Errors
    /// What the file says.
    pub fn add(&mut self, cell: &str, seed: u64, measured: Measured) -> Result<(), LabError> {
        if let Some(path) = &self.path {
            let shares: Vec<String> =
                measured.shares.iter().map(|share| format!("{share:.6}")).collect();
            let mut file = std::fs::OpenOptions::new().append(true).open(path)?;
            let Measured { bound, optimal, .. } = measured;
            let (cell, shares) = (quoted(cell), shares.join(","));
            writeln!(file, "{cell},{seed},{bound},{optimal},{shares}")?;
        }
        self.done.insert((cell.to_owned(), seed), measured);
        Ok(())
    }

    /// Runs of a cell, and their mean; `optimal` if all bounds are.
    pub fn mean(&self, cell: &str) -> Option<(usize, Measured)> {
        let from = (cell.to_owned(), 0);
        let own = self.done.range(from..).take_while(|((name, _), _)| name == cell);
        let own: Vec<&Measured> = own.map(|(_, measured)| measured).collect();
        let count = own.len() as f64;
        let mean =
            |of: &dyn Fn(&Measured) -> f64| own.iter().map(|run| of(run)).sum::<f64>() / count;
        let shares = (0..self.names.len()).map(|at| mean(&|run| run.shares[at])).collect();
        let measured = Measured {
            bound: mean(&|run| run.bound),
            optimal: own.iter().all(|run| run.optimal),
            shares,
        };
        (!own.is_empty()).then_some((own.len(), measured))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_goes_on_where_it_stopped() {
        let dir = std::env::temp_dir().join(format!("grid-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let path = dir.join("runs.csv");
        let names = || vec!["mrsf", "gain, told 3 ahead"];
        let run = |share| Measured { bound: 8.0, optimal: share < 0.6, shares: vec![share, 0.75] };
        let mut runs = Runs::open(Some(&path), names()).unwrap();
        runs.add("exact rank 2, W=0", 1, run(0.5)).unwrap();
        runs.add("exact rank 2, W=0", 2, run(0.625)).unwrap();
        let again = Runs::open(Some(&path), names()).unwrap();
        assert!(again.has("exact rank 2, W=0", 2) && !again.has("exact rank 2, W=0", 3));
        let (count, mean) = again.mean("exact rank 2, W=0").unwrap();
        assert_eq!((count, mean.shares, mean.optimal), (2, vec![0.5625, 0.75], false));
        let other = Runs::open(Some(&path), vec!["wic"]).unwrap_err().to_string();
        assert!(other.contains("expected a column `wic`"), "{other}");
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
