//! Several series measured at the same places, with repetitions: one source for figure, table and
//! CSV.

use super::figure::{Panel, Places, Series};
use super::finding::{Pair, Part, Table};
use super::sample::{Sample, short};

/// Columns of every claim's CSV.
pub const COLUMNS: [&str; 6] = ["panel", "x", "series", "mean", "standard_error", "n"];

/// What is varied and what is measured, with their units.
#[derive(Debug, Clone, Copy)]
pub struct Axes<'a> {
    pub x: &'a str,
    pub y: &'a str,
}

/// Values by series, place, and repetition.
#[derive(Debug, Clone)]
pub struct Sweep {
    pub panel: String,
    /// What is varied, with its unit.
    pub x: String,
    /// What is measured, with its unit.
    pub y: String,
    pub places: Places,
    pub series: Vec<(String, Vec<Vec<f64>>)>,
}

impl Sweep {
    #[must_use]
    pub fn new(panel: &str, axes: Axes<'_>, places: Places) -> Sweep {
        let Axes { x, y } = axes;
        let text = str::to_owned;
        Sweep { panel: text(panel), x: text(x), y: text(y), places, series: Vec::new() }
    }

    /// Adds one value of a series at a place.
    pub fn add(&mut self, name: &str, place: usize, value: f64) {
        let at = self.series.iter().position(|row| row.0 == name).unwrap_or_else(|| {
            self.series.push((name.to_owned(), vec![Vec::new(); self.places.len()]));
            self.series.len() - 1
        });
        self.series[at].1[place].push(value);
    }

    /// The repetitions of a series at a place; empty where it was not measured.
    #[must_use]
    pub fn at(&self, name: &str, place: usize) -> &[f64] {
        let row = self.series.iter().find(|row| row.0 == name);
        row.map_or(&[], |row| row.1[place].as_slice())
    }

    #[must_use]
    pub fn mean(&self, name: &str, place: usize) -> f64 {
        let values = self.at(name, place);
        if values.is_empty() { f64::NAN } else { Sample::of(values).mean }
    }

    /// The place in words, as in `C = 2`.
    #[must_use]
    pub fn place(&self, place: usize) -> String {
        let symbol = self.x.split([',', ' ']).next().unwrap_or_default();
        match &self.places {
            Places::Numbers(all) => format!("{symbol} = {}", short(all[place])),
            Places::Names(all) => all[place].clone(),
        }
    }

    /// Both series at every place where both were measured.
    #[must_use]
    pub fn pairs(&self, a: &str, b: &str) -> Vec<Pair<'_>> {
        let each =
            (0..self.places.len()).map(|at| (self.place(at), self.at(a, at), self.at(b, at)));
        each.filter(|pair| !pair.1.is_empty() && !pair.2.is_empty()).collect()
    }

    /// The statement that a series falls (or, with the sign −1, rises) from place to place.
    #[must_use]
    pub fn falls(&self, name: &str, statement: &str, sign: f64) -> Part {
        let signed = |at: usize| self.at(name, at).iter().map(|v| sign * v).collect::<Vec<_>>();
        let values: Vec<Vec<f64>> = (0..self.places.len()).map(signed).collect();
        let steps: Vec<Pair<'_>> = (1..values.len())
            .map(|at| (self.place(at), values[at - 1].as_slice(), values[at].as_slice()))
            .collect();
        let way = if sign > 0.0 { "falls" } else { "rises" };
        let (first, last) = (self.mean(name, 0), self.mean(name, values.len() - 1));
        let mut part = Part::above(statement, &steps);
        part.measured = part
            .measured
            .replace("above everywhere", &format!("{way} at every step"))
            .replace("level everywhere", "does not change clearly at any step")
            .replace("below everywhere", "the other way at every step")
            .replace("above at", &format!("{way} to"))
            .replace("level at", "does not change clearly to")
            .replace("below at", "the other way to");
        part.with(&format!("{name} from {} to {}", short(first), short(last)))
    }

    #[must_use]
    pub fn panel(&self) -> Panel {
        let line = |(name, values): &(String, Vec<Vec<f64>>)| {
            let point = |v: &Vec<f64>| (!v.is_empty()).then(|| Sample::of(v));
            Series { name: name.clone(), points: values.iter().map(point).collect() }
        };
        Panel {
            title: self.panel.clone(),
            x: self.x.clone(),
            y: self.y.clone(),
            places: self.places.clone(),
            series: self.series.iter().map(line).collect(),
            ..Panel::default()
        }
    }

    /// A row for each series, a column for each place.
    #[must_use]
    pub fn table(&self) -> (String, Table) {
        let mut head = vec![self.y.clone()];
        head.extend((0..self.places.len()).map(|at| self.place(at)));
        let mut table = Table { head, rows: Vec::new() };
        let most = |row: &[Vec<f64>]| row.iter().map(Vec::len).max().unwrap_or(0);
        let n = self.series.iter().map(|row| most(&row.1)).max().unwrap_or(0);
        for (name, values) in &self.series {
            let text = |v: &Vec<f64>| {
                if v.is_empty() { "–".to_owned() } else { Sample::of(v).text() }
            };
            let own = most(values);
            let name = if own == n { name.clone() } else { format!("{name}, n = {own}") };
            table.row(std::iter::once(name).chain(values.iter().map(text)).collect());
        }
        (format!("{}, n = {n}", self.panel), table)
    }

    /// Adds its rows to a claim's CSV.
    pub fn export(&self, data: &mut Table) {
        if data.head.is_empty() {
            *data = Table::new(&COLUMNS);
        }
        for (name, values) in &self.series {
            for (at, values) in values.iter().enumerate().filter(|point| !point.1.is_empty()) {
                let sample = Sample::of(values);
                let x = match &self.places {
                    Places::Numbers(all) => format!("{}", all[at]),
                    Places::Names(all) => all[at].clone(),
                };
                data.row(vec![
                    self.panel.clone(),
                    x,
                    name.clone(),
                    format!("{:.6e}", sample.mean),
                    format!("{:.2e}", sample.error),
                    sample.n.to_string(),
                ]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::Verdict;
    use super::*;

    fn sweep() -> Sweep {
        let places = Places::Numbers(vec![1.0, 2.0, 3.0]);
        let mut sweep = Sweep::new("p", Axes { x: "C, probes", y: "share" }, places);
        for (at, base) in [0.9, 0.5, 0.2].into_iter().enumerate() {
            for more in [0.0, 0.01, 0.02] {
                sweep.add("a", at, base + more);
                sweep.add("b", at, base + more - 0.1 * (at as f64 - 1.0));
            }
        }
        sweep
    }

    #[test]
    fn a_series_that_falls_does_not_rise() {
        let sweep = sweep();
        assert_eq!(sweep.falls("a", "falls", 1.0).verdict, Verdict::Holds);
        assert_eq!(sweep.falls("a", "rises", -1.0).verdict, Verdict::Fails);
    }

    #[test]
    fn pairs_name_their_places() {
        let sweep = sweep();
        let part = Part::above("a above b", &sweep.pairs("a", "b"));
        assert_eq!(part.measured, "above at C = 3; level at C = 2; below at C = 1");
        assert_eq!(part.verdict, Verdict::InPart);
        assert!(sweep.pairs("a", "nobody").is_empty());
    }

    #[test]
    fn table_and_csv_have_every_value() {
        let sweep = sweep();
        assert_eq!(sweep.table().1.rows[0][1], "0.9100 ± 0.0058");
        let mut data = Table::default();
        sweep.export(&mut data);
        assert_eq!((data.rows.len(), data.head.len()), (6, 6));
        assert_eq!(data.rows[0][..3], ["p", "1", "a"]);
    }
}
