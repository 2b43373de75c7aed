//! CSV files, row by row, with errors that name the line, the field, and what was expected.

use crate::cli::LabError;
use std::io::Read;
use std::path::Path;

/// A file's text with the names of its columns.
#[derive(Debug)]
pub struct Rows<'a> {
    path: &'a Path,
    text: &'a str,
    columns: Vec<String>,
}

/// One row: its fields, and where it stands.
#[derive(Debug)]
pub struct Row<'a> {
    path: &'a Path,
    line: usize,
    fields: Vec<String>,
}

/// Most bytes of a file, 1 GiB: it is held in memory.
const FILE_BYTES_MAX: u64 = 1 << 30;

/// Reads a whole file; `-` is standard input.
///
/// # Errors
/// That it cannot be read, or is larger than [`FILE_BYTES_MAX`].
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, LabError> {
    let place = path.display();
    let unreadable = |error: std::io::Error| {
        LabError::Input(format!("{place} cannot be read: {error}; expected the path of a file"))
    };
    let source: Box<dyn Read> = if path == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(std::fs::File::open(path).map_err(unreadable)?)
    };
    let mut bytes = Vec::new();
    source.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        let said =
            format!("{place} is larger than {FILE_BYTES_MAX} bytes; expected a smaller file");
        return Err(LabError::Input(said));
    }
    Ok(bytes)
}

/// As [`read_bytes`], as text.
///
/// # Errors
/// As [`read_bytes`]; and that it is not UTF-8, with the line.
pub fn read_text(path: &Path) -> Result<String, LabError> {
    String::from_utf8(read_bytes(path)?).map_err(|error| {
        let sound = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = sound.iter().filter(|byte| **byte == b'\n').count() + 1;
        LabError::Input(format!("{} line {line}: expected text in UTF-8", path.display()))
    })
}

impl<'a> Rows<'a> {
    /// Splits off the header.
    ///
    /// # Errors
    /// That the file is empty.
    pub fn new(path: &'a Path, text: &'a str) -> Result<Rows<'a>, LabError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let header = text.lines().next().unwrap_or_default();
        let columns = split(header);
        if header.trim().is_empty() {
            let name = path.display();
            return Err(LabError::Input(format!(
                "{name} line 1: expected a header, found nothing"
            )));
        }
        Ok(Rows { path, text, columns })
    }

    /// The place of a column that has one of these names.
    #[must_use]
    pub fn column(&self, names: &[&str]) -> Option<usize> {
        self.columns.iter().position(|column| names.contains(&column.as_str()))
    }

    /// The same, where the column must be there.
    ///
    /// # Errors
    /// That it is not, or twice.
    pub fn required(&self, names: &[&str]) -> Result<usize, LabError> {
        let said = |what: &str| {
            let (path, found) = (self.path.display(), self.columns.join(","));
            LabError::Input(format!("{path} line 1: expected {what}, found `{found}`"))
        };
        let at = self.column(names).ok_or_else(|| said(&format!("a column `{}`", names[0])))?;
        let own = &self.columns[at];
        match self.columns.iter().filter(|column| *column == own).count() {
            1 => Ok(at),
            _ => Err(said(&format!("one column `{own}`"))),
        }
    }

    /// The rows after the header, empty lines left out.
    ///
    /// # Errors
    /// A row that has not as many fields as the header.
    pub fn rows(&self) -> impl Iterator<Item = Result<Row<'a>, LabError>> + '_ {
        let lines = self.text.lines().enumerate().skip(1);
        lines.filter(|(_, line)| !line.trim().is_empty()).map(|(i, line)| {
            let row = Row { path: self.path, line: i + 1, fields: split(line) };
            let (wanted, found) = (self.columns.len(), row.fields.len());
            if wanted == found {
                return Ok(row);
            }
            let what = format!("expected {wanted} fields as in the header, found {found}");
            Err(LabError::Input(format!("{} line {}: {what}", row.path.display(), row.line)))
        })
    }
}

impl Row<'_> {
    /// The number of its line, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// The text of a field.
    #[must_use]
    pub fn text(&self, column: usize) -> &str {
        &self.fields[column]
    }

    /// A finite number that passes `accept`; `expected` says in words what that is.
    ///
    /// # Errors
    /// That it is none.
    pub fn number(
        &self,
        column: usize,
        name: &str,
        expected: &str,
        accept: impl Fn(f64) -> bool,
    ) -> Result<f64, LabError> {
        let number = self.fields[column].parse().ok().filter(|n: &f64| n.is_finite() && accept(*n));
        number.ok_or_else(|| {
            self.wrong(name, &format!("expected {expected}, found `{}`", self.fields[column]))
        })
    }

    /// An error at a field of this row.
    #[must_use]
    pub fn wrong(&self, name: &str, what: &str) -> LabError {
        LabError::Input(format!("{} line {}, field {name}: {what}", self.path.display(), self.line))
    }
}

/// The fields of a line. A field may stand in double quotes; then commas belong to it and two
/// quotes mean one.
fn split(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut letters = line.trim_end_matches('\r').chars().peekable();
    while let Some(letter) = letters.next() {
        let field = fields.last_mut().expect("there is always a field");
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                field.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if field.trim().is_empty() => {
                field.clear();
                quoted = true;
            }
            ',' if !quoted => fields.push(String::new()),
            _ => field.push(letter),
        }
    }
    fields.iter().map(|field| field.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Rows, split};
    use std::path::Path;

    #[test]
    fn a_wrong_field_is_named_with_its_line_and_what_was_expected() {
        let text = "source,rate\na,1\n\nb,-2\nc\n";
        let rows = Rows::new(Path::new("r.csv"), text).unwrap();
        let rate = rows.required(&["rate"]).unwrap();
        let errors: Vec<String> = rows
            .rows()
            .map(|row| row.and_then(|row| row.number(rate, "rate", "a number ≥ 0", |n| n >= 0.0)))
            .filter_map(|number| number.err().map(|error| error.to_string()))
            .collect();
        assert_eq!(
            errors,
            [
                "r.csv line 4, field rate: expected a number ≥ 0, found `-2`",
                "r.csv line 5: expected 2 fields as in the header, found 1",
            ]
        );
        let missing = rows.required(&["time", "unix_time"]).unwrap_err().to_string();
        assert_eq!(missing, "r.csv line 1: expected a column `time`, found `source,rate`");
    }

    #[test]
    fn quotes_hold_commas_together() {
        assert_eq!(split("a, \"b,\"\"c\"\"\" ,d\r"), ["a", "b,\"c\"", "d"]);
    }
}
