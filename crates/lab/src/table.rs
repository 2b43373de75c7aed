//! An experiment's lines: one JSON object each, or the rows of a table.

use crate::cli::LabError;
use serde::Serialize;
use serde_json::{Map, Value};
use std::io::Write;

/// The name of a field, and how many letters wide its column is.
pub type Column = (&'static str, usize);

/// Writes lines as they come.
pub struct Table<'a> {
    columns: Vec<Column>,
    json: bool,
    begun: bool,
    out: &'a mut dyn Write,
}

impl<'a> Table<'a> {
    /// A table of these columns, the first of them on the left; or all fields as JSON.
    pub fn new(columns: Vec<Column>, json: bool, out: &'a mut dyn Write) -> Self {
        Self { columns, json, begun: false, out }
    }

    /// Writes a line; a table's head before the first.
    ///
    /// # Errors
    /// What the output says.
    pub fn line(&mut self, line: Map<String, Value>) -> Result<(), LabError> {
        if self.json {
            writeln!(self.out, "{}", Value::Object(line))?;
            return Ok(self.out.flush()?);
        }
        if !self.begun {
            self.begun = true;
            self.row(&|name| name.to_owned())?;
        }
        self.row(&|name| line.get(name).map_or_else(|| "-".to_owned(), cell))?;
        Ok(self.out.flush()?)
    }

    /// As [`Table::line`], of what has fields.
    ///
    /// # Errors
    /// What the output says.
    pub fn fields(&mut self, outcome: &impl Serialize) -> Result<(), LabError> {
        match serde_json::to_value(outcome).map_err(std::io::Error::from)? {
            Value::Object(line) => self.line(line),
            _ => Ok(()),
        }
    }

    fn row(&mut self, cell: &dyn Fn(&str) -> String) -> std::io::Result<()> {
        let mut text = String::new();
        for (at, &(name, width)) in self.columns.iter().enumerate() {
            let cell = cell(name);
            text.push_str(&match at {
                0 => format!("{cell:<width$}"),
                _ => format!(" {cell:>width$}"),
            });
        }
        writeln!(self.out, "{}", text.trim_end())
    }
}

/// A value as people read it.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => {
            format!("{:.4}", number.as_f64().unwrap_or(f64::NAN))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn written(json: bool) -> String {
        let mut out = Vec::new();
        let mut table = Table::new(vec![("policy", 8), ("cost", 10), ("best", 5)], json, &mut out);
        for line in [json!({"policy": "a", "cost": 1.5, "best": true}), json!({"policy": "b"})] {
            table.line(line.as_object().unwrap().clone()).unwrap();
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn columns_stand_below_their_names() {
        let expected = "\
policy         cost  best
a            1.5000   yes
b                 -     -
";
        assert_eq!(written(false), expected);
    }

    #[test]
    fn json_has_every_field_of_a_line_and_no_head() {
        let expected = "{\"policy\":\"a\",\"cost\":1.5,\"best\":true}\n{\"policy\":\"b\"}\n";
        assert_eq!(written(true), expected);
    }
}
