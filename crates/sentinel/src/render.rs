//! Diagnostics for people at a terminal, and for programs.

use crate::secrets::veiled;
use crate::vocabulary::visible;
use crate::{Diagnostic, Severity};
use ariadne::{Color, Config, IndexType, Label, Report, ReportKind, Source};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Whether the output may hold colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// With ANSI escape sequences.
    Coloured,
    Plain,
}

/// A line longer than this, in characters, is not shown.
const SHOWN_LINE_CHARS_MAX: usize = 300;
/// Diagnostics that say the same are shown as often as this, then counted.
const ALIKE_MAX: usize = 3;
/// Lines of those counted that are named.
const LINES_NAMED_MAX: usize = 10;

/// Shows each diagnostic with the words it is about. Control and invisible characters of the text
/// are replaced, so that a file cannot command the terminal, and so are the secrets of addresses:
/// what a terminal shows is kept in logs. Where several say the same, [`ALIKE_MAX`] are shown and
/// the lines of the others named.
///
/// `text` must be the text the diagnostics are of. O(text + diagnostics · shown lines).
pub fn render(text: &str, file_name: &str, diagnostics: &[Diagnostic], colour: Colour) -> String {
    let shown = Shown::new(text, file_name, colour);
    let mut out = Vec::new();
    let mut alike: BTreeMap<_, Vec<u32>> = BTreeMap::new();
    for diagnostic in diagnostics {
        let Diagnostic { severity, message, line, .. } = diagnostic;
        let lines = alike.entry((severity_name(*severity), message)).or_default();
        lines.push(*line);
        if lines.len() > ALIKE_MAX {
            continue;
        }
        match shown.range(diagnostic) {
            Some(range) => shown.write(diagnostic, range, &mut out),
            None => out.extend_from_slice(without_text(diagnostic, file_name).as_bytes()),
        }
    }
    for ((severity, message), lines) in &alike {
        if let Some(lines) = lines.get(ALIKE_MAX..).filter(|lines| !lines.is_empty()) {
            out.extend_from_slice(counted(severity, message, lines).as_bytes());
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The lines, one or more, of diagnostics that say what was shown before.
fn counted(severity: &str, message: &str, lines: &[u32]) -> String {
    let own: BTreeSet<u32> = lines.iter().copied().collect();
    let mut named: Vec<String> =
        own.iter().take(LINES_NAMED_MAX).map(ToString::to_string).collect();
    let more = own.len() - named.len();
    if more > 0 {
        named.push(format!("and {more} more"));
    }
    let noun = if own.len() == 1 { "line" } else { "lines" };
    let times = match lines.len() {
        1 => "once more".to_owned(),
        count => format!("{count} more times"),
    };
    format!("{severity}, {times}: {}\n   at {noun} {}\n", visible(message), named.join(", "))
}

/// A text, safe to show.
struct Shown {
    source: Source,
    file_name: String,
    colour: Colour,
    /// For each line where it starts and how long it is, in characters.
    lines: Vec<(usize, usize)>,
}

impl Shown {
    fn new(text: &str, file_name: &str, colour: Colour) -> Shown {
        let mut start = 0;
        let lines = text.split('\n').map(|line| {
            let length = line.chars().count();
            start += length + 1;
            (start - length - 1, length)
        });
        let lines = lines.collect();
        // A space at the end gives a place to point at where the text ends.
        let source = Source::from(visible(&veiled(text)) + " ");
        Shown { source, file_name: visible(file_name), colour, lines }
    }

    /// The characters to point at, if their lines are of a size to show.
    fn range(&self, diagnostic: &Diagnostic) -> Option<Range<usize>> {
        let first = (diagnostic.line as usize).checked_sub(1)?;
        let last = (diagnostic.end_line as usize).checked_sub(1)?;
        let lines = self.lines.get(first..=last)?;
        if lines.iter().any(|&(_, length)| length > SHOWN_LINE_CHARS_MAX) {
            return None;
        }
        let start = lines[0].0 + (diagnostic.column as usize).checked_sub(1)?;
        let end = lines[lines.len() - 1].0 + (diagnostic.end_column as usize).checked_sub(1)?;
        Some(start..end.max(start + 1))
    }

    fn write(&self, diagnostic: &Diagnostic, range: Range<usize>, out: &mut Vec<u8>) {
        let (kind, tint) = match diagnostic.severity {
            Severity::Error => (ReportKind::Error, Color::Red),
            Severity::Warning => (ReportKind::Warning, Color::Yellow),
        };
        let config = Config::default()
            .with_color(self.colour == Colour::Coloured)
            .with_index_type(IndexType::Char);
        let place = (&*self.file_name, range);
        let mut report = Report::build(kind, place.clone())
            .with_config(config)
            .with_message(visible(&diagnostic.message))
            .with_label(Label::new(place).with_message("here").with_color(tint));
        if let Some(help) = &diagnostic.help {
            report = report.with_help(visible(help));
        }
        report
            .finish()
            .write((&*self.file_name, &self.source), out)
            .expect("writing to memory does not fail, and the one file asked for is there");
    }
}

fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
    }
}

fn without_text(diagnostic: &Diagnostic, file_name: &str) -> String {
    let Diagnostic { line, column, message, .. } = diagnostic;
    let severity = severity_name(diagnostic.severity);
    let place = format!("{}:{line}:{column}", visible(file_name));
    let mut out = format!("{severity}: {}\n   at {place}\n", visible(message));
    if let Some(help) = &diagnostic.help {
        out.push_str(&format!("   Help: {}\n", visible(help)));
    }
    out
}

impl Diagnostic {
    /// `{message, severity, line, column, end_line, end_column, help}` as
    /// `docs/formats.md`, API has it; columns in code points from 1, `help` null if there is none.
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
