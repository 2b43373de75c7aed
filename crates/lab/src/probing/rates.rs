//! Rates as CSV: `source,rate`.

use super::Process;
use crate::cli::LabError;
use crate::rows::{Rows, read_text};
use std::collections::BTreeMap;
use std::path::Path;

/// Most items of a source per chronon: sums of them are counted exactly.
const RATE_MAX: f64 = 1e9;

/// Sources and their rates, in the order of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Rates {
    pub sources: Vec<String>,
    /// Items per chronon.
    pub rates: Vec<f64>,
}

/// Reads a file of rates.
///
/// # Errors
/// What is not as `docs/formats.md` says: line, field, what was expected.
pub fn read_rates(path: &Path, process: Process) -> Result<Rates, LabError> {
    parse_rates(path, &read_text(path)?, process)
}

/// As [`read_rates`], from text.
///
/// # Errors
/// As [`read_rates`].
pub fn parse_rates(path: &Path, text: &str, process: Process) -> Result<Rates, LabError> {
    let rows = Rows::new(path, text)?;
    let (source, rate) = (rows.required(&["source"])?, rows.required(&["rate"])?);
    let (expected, most) = match process {
        Process::Poisson => ("items per chronon, a number in 0 … 1e9", RATE_MAX),
        Process::Bernoulli => ("a chance per chronon, a number in 0 … 1 (bernoulli)", 1.0),
    };
    let mut seen = BTreeMap::new();
    let mut rates = Rates { sources: Vec::new(), rates: Vec::new() };
    for row in rows.rows() {
        let row = row?;
        let name = row.text(source).to_owned();
        if name.is_empty() {
            return Err(row.wrong("source", "expected a name, found nothing"));
        }
        if let Some(line) = seen.insert(name.clone(), row.line()) {
            return Err(row.wrong(
                "source",
                &format!("expected each source once, `{name}` is on line {line}"),
            ));
        }
        rates.sources.push(name);
        rates.rates.push(row.number(rate, "rate", expected, |n| n >= 0.0 && n <= most)?);
    }
    if rates.rates.iter().all(|&rate| rate <= 0.0) {
        let what = "expected at least one source with a rate above 0, found none";
        return Err(LabError::Input(format!("{}: {what}", path.display())));
    }
    Ok(rates)
}

impl Rates {
    /// The rates of another file, in the order of this one.
    ///
    /// # Errors
    /// As [`read_rates`]; and sources that are in one file only.
    pub fn matched(&self, path: &Path, process: Process) -> Result<Vec<f64>, LabError> {
        let mut after: BTreeMap<String, f64> = {
            let Rates { sources, rates } = read_rates(path, process)?;
            sources.into_iter().zip(rates).collect()
        };
        let wrong = |source: &str, what: &str| {
            let file = path.display();
            LabError::Input(format!(
                "{file}, field source: expected the sources of --rates: `{source}` {what}"
            ))
        };
        let matched: Result<Vec<f64>, LabError> = self
            .sources
            .iter()
            .map(|source| after.remove(source).ok_or_else(|| wrong(source, "is missing")))
            .collect();
        match after.keys().next() {
            Some(source) => Err(wrong(source, "is not among them")),
            None => matched,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Process;
    use super::parse_rates;
    use std::path::Path;

    fn error(text: &str) -> String {
        parse_rates(Path::new("r.csv"), text, Process::Bernoulli).unwrap_err().to_string()
    }

    #[test]
    fn a_malformed_file_of_rates_is_refused_with_line_field_and_expectation() {
        assert_eq!(
            error("source,rate\na,0.5\na,0.1\n"),
            "r.csv line 3, field source: expected each source once, `a` is on line 2"
        );
        assert_eq!(
            error("source,rate\na,1.5\n"),
            "r.csv line 2, field rate: expected a chance per chronon, a number in 0 … 1 \
             (bernoulli), found `1.5`"
        );
        assert!(error("source,rate\na,nan\n").contains("line 2, field rate"));
        assert!(error("source,rate\n").contains("at least one source"));
        assert!(error("").contains("expected a header"));
    }
}
