//! Diagnostics for people at a terminal, and for programs.

use crate::vocabulary::is_hidden;
use crate::{Diagnostic, Severity};
use ariadne::{Color, Config, IndexType, Label, Report, ReportKind, Source};
use serde_json::{Value, json};

/// Whether the output may hold colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// With ANSI escape sequences.
    Coloured,
    Plain,
}

/// A line longer than this, in characters, is not shown.
const SHOWN_LINE_CHARS_MAX: usize = 300;
/// Of what stretches over more lines than this, only the first is shown.
const SHOWN_LINES_MAX: usize = 12;

/// Shows each diagnostic with the words it is about. Control and invisible characters of the text
/// are replaced, so that a file cannot command the terminal.
///
/// `text` must be the text the diagnostics are of. O(text + diagnostics · shown lines).
pub fn render(text: &str, file_name: &str, diagnostics: &[Diagnostic], colour: Colour) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let mut out = Vec::new();
    for diagnostic in diagnostics {
        match Snippet::of(diagnostic, &lines) {
            Some(snippet) => snippet.write(diagnostic, (file_name, colour), &mut out),
            None => out.extend_from_slice(without_text(diagnostic, file_name).as_bytes()),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The lines a diagnostic is about, safe to show.
struct Snippet {
    text: String,
    /// In characters of `text`.
    start: usize,
    end: usize,
}

impl Snippet {
    fn of(diagnostic: &Diagnostic, lines: &[&str]) -> Option<Snippet> {
        let first = (diagnostic.line as usize).checked_sub(1)?;
        let last = (diagnostic.end_line as usize).checked_sub(1)?;
        let all = lines.get(first..=last.min(lines.len().checked_sub(1)?))?;
        let whole = all.len() <= SHOWN_LINES_MAX;
        let shown = if whole { all } else { &all[..1] };
        let lengths: Vec<usize> = shown.iter().map(|line| line.chars().count()).collect();
        if lengths.iter().any(|&length| length > SHOWN_LINE_CHARS_MAX) {
            return None;
        }
        let start = (diagnostic.column as usize).checked_sub(1)?;
        let total = lengths.iter().sum::<usize>() + lengths.len() - 1;
        let before_last = total - lengths[lengths.len() - 1];
        let end = match whole {
            true => before_last + (diagnostic.end_column as usize).checked_sub(1)?,
            false => total,
        };
        // A space at the end gives a place to point at where the text ends.
        let text = shown.iter().map(|line| visible(line)).collect::<Vec<_>>().join("\n") + " ";
        let end = end.max(start + 1).min(total + 1);
        (start < end).then_some(Snippet { text, start, end })
    }

    fn write(&self, diagnostic: &Diagnostic, shown: (&str, Colour), out: &mut Vec<u8>) {
        let (kind, tint) = match diagnostic.severity {
            Severity::Error => (ReportKind::Error, Color::Red),
            Severity::Warning => (ReportKind::Warning, Color::Yellow),
        };
        let file_name = visible(shown.0);
        let config = Config::default()
            .with_color(shown.1 == Colour::Coloured)
            .with_index_type(IndexType::Char);
        let place = (&*file_name, self.start..self.end);
        let label = Label::new(place.clone()).with_message("here").with_color(tint);
        let mut report = Report::build(kind, place)
            .with_config(config)
            .with_message(visible(&diagnostic.message))
            .with_label(label);
        if let Some(help) = &diagnostic.help {
            report = report.with_help(visible(help));
        }
        let offset = (diagnostic.line as usize).saturating_sub(1);
        let source = Source::from(&*self.text).with_display_line_offset(offset);
        report
            .finish()
            .write((&*file_name, source), out)
            .expect("writing to memory does not fail, and the one file asked for is there");
    }
}

fn without_text(diagnostic: &Diagnostic, file_name: &str) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
    };
    let Diagnostic { line, column, message, .. } = diagnostic;
    let place = format!("{}:{line}:{column}", visible(file_name));
    let mut out = format!("{severity}: {}\n   at {place}\n", visible(message));
    if let Some(help) = &diagnostic.help {
        out.push_str(&format!("   Help: {}\n", visible(help)));
    }
    out
}

/// The same number of characters, none of which a terminal obeys.
fn visible(text: &str) -> String {
    let shown = |c| match c {
        '\t' | '\r' => ' ',
        c if is_hidden(c) => '\u{fffd}',
        c => c,
    };
    text.chars().map(shown).collect()
}

impl Diagnostic {
    /// `{message, severity, line, column, end_line, end_column, help}` as FORMATS has it; columns
    /// in code points from 1, `help` null if there is none.
    pub fn to_json(&self) -> Value {
        json!({
            "message": self.message,
            "severity": match self.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            "line": self.line,
            "column": self.column,
            "end_line": self.end_line,
            "end_column": self.end_column,
            "help": self.help,
        })
    }
}
