//! An open text: places as editors count them, in lines and UTF-16 units from 0.

use sentinel::{Cure, Diagnostic, Severity};
use serde_json::{Value, json};

/// The protocol's name of what a quick fix is.
pub(super) const QUICK_FIX: &str = "quickfix";

pub(super) struct Document {
    text: String,
    /// The byte at which each line begins.
    lines: Vec<usize>,
    /// What is wrong with it.
    found: Vec<Diagnostic>,
}

impl Document {
    pub(super) fn new(text: &str, found: Vec<Diagnostic>) -> Document {
        let after = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let lines = std::iter::once(0).chain(after.map(|(at, _)| at + 1)).collect();
        Document { text: text.to_owned(), lines, found }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The byte at a position; the end of the line, or of the text, beyond them.
    pub(super) fn offset(&self, position: &Value) -> usize {
        let number = |field: &str| position[field].as_u64().unwrap_or(0) as usize;
        let Some(&start) = self.lines.get(number("line")) else { return self.text.len() };
        let line = self.text[start..].split('\n').next().unwrap_or_default();
        let (mut units, wanted) = (0, number("character"));
        for (at, c) in line.char_indices() {
            if units >= wanted {
                return start + at;
            }
            units += c.len_utf16();
        }
        start + line.len()
    }

    pub(super) fn range(&self, start: usize, end: usize) -> Value {
        json!({"start": self.position(start), "end": self.position(end)})
    }

    pub(super) fn diagnostics(&self) -> Vec<Value> {
        self.found.iter().map(|one| self.diagnostic(one)).collect()
    }

    /// What mends the findings that touch a range, as quick fixes of the text at `uri`.
    pub(super) fn quick_fixes(&self, uri: &str, range: &Value) -> Vec<Value> {
        let (start, end) = (self.offset(&range["start"]), self.offset(&range["end"]));
        let touching = self.found.iter().filter(|one| one.start <= end && start <= one.end);
        let cured = touching.filter_map(|one| one.cure.as_ref().map(|cure| (one, cure)));
        let fix = |(one, cure): (&Diagnostic, &Cure)| {
            let edit = json!({"range": self.range(cure.start, cure.end), "newText": cure.text});
            json!({
                "title": one.help.as_deref().unwrap_or(&one.message),
                "kind": QUICK_FIX,
                "diagnostics": [self.diagnostic(one)],
                "isPreferred": true,
                "edit": {"changes": {uri: [edit]}},
            })
        };
        cured.map(fix).collect()
    }

    /// A diagnostic as the protocol has it, what to write instead on a line of its own.
    fn diagnostic(&self, found: &Diagnostic) -> Value {
        let severity = if found.severity == Severity::Error { 1 } else { 2 };
        let message = match &found.help {
            Some(help) => format!("{}\n{help}", found.message),
            None => found.message.clone(),
        };
        let range = self.range(found.start, found.end);
        json!({"range": range, "severity": severity, "source": "tidings", "message": message})
    }

    fn position(&self, at: usize) -> Value {
        let line = self.lines.partition_point(|&start| start <= at) - 1;
        let before = self.text.get(self.lines[line]..at).unwrap_or_default();
        json!({"line": line, "character": before.encode_utf16().count()})
    }
}
