//! Where something stands: byte ranges, and the lines and columns they come to.

use crate::limits::DIAGNOSTICS_MAX;
use crate::parser::write_it;
use crate::{Cure, Diagnostic, Severity};

/// A range of bytes of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Place {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Place {
    pub(crate) fn new(start: usize, end: usize) -> Place {
        Place { start, end }
    }

    pub(crate) fn until(self, other: Place) -> Place {
        Place { start: self.start, end: other.end.max(self.end) }
    }
}

/// What a finding is about: `fmt` minds only what it cannot read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum About {
    /// The text does not follow the grammar, or a part of it that is not supported yet.
    Syntax,
    /// The text reads well, but a value in it makes no sense.
    Value,
}

/// A diagnostic before lines and columns are known.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    pub(crate) severity: Severity,
    pub(crate) about: About,
    pub(crate) place: Place,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    pub(crate) cure: Option<Cure>,
}

impl Finding {
    /// One without help or cure.
    fn new(severity: Severity, about: About, place: Place, message: String) -> Finding {
        Finding { severity, about, place, message, help: None, cure: None }
    }

    /// Both as one, if each replaces words of the same line, and only blanks stand between them.
    fn joined_with(&self, other: &Finding, text: &str) -> Option<Finding> {
        let (first, second) = (self.cure.as_ref()?, other.cure.as_ref()?);
        let between = text.get(first.end..second.start)?;
        let is_blank = !between.is_empty() && between.bytes().all(|byte| byte == b' ');
        let (expected, _) = self.message.split_once(", found `")?;
        if !is_blank || second.text.is_empty() || other.about != About::Syntax {
            return None;
        }
        let place = self.place.until(other.place);
        let message = format!("{expected}, found `{}`", &text[place.start..place.end]);
        let right = [&first.text, between, &second.text].concat();
        let help = Some(write_it(&right));
        let cure = Some(Cure { start: first.start, end: second.end, text: right });
        Some(Finding { place, message, help, cure, ..self.clone() })
    }
}

/// Collects findings.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sink {
    pub(crate) findings: Vec<Finding>,
    left_out: usize,
    errors: usize,
}

impl Sink {
    /// A finding about the grammar.
    pub(crate) fn syntax(&mut self, place: Place, message: impl Into<String>, help: &str) {
        self.push(Finding::new(Severity::Error, About::Syntax, place, message.into()), help);
    }

    /// A finding about the grammar whose cure is certain.
    pub(crate) fn curable(
        &mut self,
        place: Place,
        message: impl Into<String>,
        help: &str,
        cure: Cure,
    ) {
        let before = self.findings.len();
        self.syntax(place, message, help);
        if let Some(finding) = self.findings.get_mut(before) {
            finding.cure = Some(cure);
        }
    }

    /// A finding about the grammar: a word that is nearly `near`.
    pub(crate) fn near(&mut self, place: Place, message: impl Into<String>, near: &str) {
        let cure = Cure { start: place.start, end: place.end, text: near.to_owned() };
        self.curable(place, message, &did_you_mean(near), cure);
    }

    /// A finding about a name that is nearly `near`.
    pub(crate) fn near_name(&mut self, place: Place, message: String, near: &str) {
        let cure = Cure { start: place.start, end: place.end, text: crate::print::name(near) };
        self.value_with(place, message, &did_you_mean(near), cure);
    }

    /// A finding about a value whose cure is certain.
    pub(crate) fn curable_value(&mut self, place: Place, message: String, right: String) {
        let help = format!("write {right}");
        let cure = Cure { start: place.start, end: place.end, text: right };
        self.value_with(place, message, &help, cure);
    }

    /// As `curable_value`, with a help and a place of the cure of its own.
    pub(crate) fn value_with(&mut self, place: Place, message: String, help: &str, cure: Cure) {
        let before = self.findings.len();
        self.value(place, message, help);
        if let Some(finding) = self.findings.get_mut(before) {
            finding.cure = Some(cure);
        }
    }

    /// A finding about a value.
    pub(crate) fn value(&mut self, place: Place, message: impl Into<String>, help: &str) {
        self.push(Finding::new(Severity::Error, About::Value, place, message.into()), help);
    }

    /// Something that is allowed, but rarely meant.
    pub(crate) fn warn(&mut self, place: Place, message: impl Into<String>, help: &str) {
        self.push(Finding::new(Severity::Warning, About::Value, place, message.into()), help);
    }

    /// How many errors there are so far; compare two readings to see whether a part had one.
    pub(crate) fn errors(&self) -> usize {
        self.errors
    }

    fn push(&mut self, finding: Finding, help: &str) {
        let is_error = finding.severity == Severity::Error;
        self.errors += usize::from(is_error);
        if self.findings.len() < DIAGNOSTICS_MAX {
            let help = (!help.is_empty()).then(|| help.to_owned());
            self.findings.push(Finding { help, ..finding });
        } else if is_error {
            self.left_out += 1;
        }
    }

    /// The findings in order of place, with lines and columns. O(text + findings · log findings).
    pub(crate) fn into_diagnostics(mut self, text: &str) -> Vec<Diagnostic> {
        if self.left_out > 0 {
            let message = format!("there are {} more errors", self.left_out);
            let help = Some("correct these first, then check again".to_owned());
            let place = Place::new(text.len(), text.len());
            let rest = Finding::new(Severity::Error, About::Syntax, place, message);
            self.findings.push(Finding { help, ..rest });
        }
        self.findings.sort_by_key(|finding| finding.place);
        let lines = Lines::new(text);
        joined(self.findings, text).into_iter().map(|finding| lines.diagnostic(finding)).collect()
    }
}

/// Two words beside each other that mean other words are one slip: `until tomorrow`.
fn joined(findings: Vec<Finding>, text: &str) -> Vec<Finding> {
    let mut all: Vec<Finding> = Vec::with_capacity(findings.len());
    for finding in findings {
        match all.last().and_then(|last| last.joined_with(&finding, text)) {
            Some(both) => {
                all.pop();
                all.push(both);
            }
            None => all.push(finding),
        }
    }
    all
}

fn did_you_mean(near: &str) -> String {
    format!("did you mean `{near}`?")
}

/// Bytes between two counts of the characters before them.
const MARK_BYTES: usize = 4 << 10;

/// Finds line and column of a byte in O(log lines + MARK_BYTES), however long the lines.
struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
    /// Characters that begin before every `MARK_BYTES`th byte.
    marks: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Lines<'t> {
        let after = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let starts = std::iter::once(0).chain(after.map(|(at, _)| at + 1)).collect();
        let mut marks = vec![0];
        for block in text.as_bytes().chunks(MARK_BYTES) {
            marks.push(marks[marks.len() - 1] + characters(block));
        }
        Lines { text, starts, marks }
    }

    /// From 1; columns in code points.
    fn line_column(&self, at: usize) -> (u32, u32) {
        let line = self.starts.partition_point(|&start| start <= at) - 1;
        let column = self.characters_before(at) - self.characters_before(self.starts[line]);
        (line as u32 + 1, column as u32 + 1)
    }

    fn characters_before(&self, at: usize) -> usize {
        let mark = at / MARK_BYTES;
        self.marks[mark] + characters(&self.text.as_bytes()[mark * MARK_BYTES..at])
    }

    fn diagnostic(&self, finding: Finding) -> Diagnostic {
        let (line, column) = self.line_column(finding.place.start);
        let (end_line, end_column) = self.line_column(finding.place.end);
        Diagnostic {
            severity: finding.severity,
            message: finding.message,
            start: finding.place.start,
            end: finding.place.end,
            line,
            column,
            end_line,
            end_column,
            help: finding.help,
            cure: finding.cure,
        }
    }
}

/// How many characters begin in `bytes`.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}
