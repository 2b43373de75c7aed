//! The formatter: one clause per line, comments kept.

use crate::lexer::Comment;
use crate::parser::{File, parse};
use crate::place::{About, Sink};
use crate::{Diagnostic, print};

/// Prints a whole file in the one form of the language: statements apart by an empty line, one
/// clause per line and in the order written, `--` comments kept with the clause they belong to.
///
/// A comment on a line of its own stays before what follows it; one at the end of a line stays at
/// its end. Formatting twice changes nothing, and the result means what the text meant.
///
/// Errors: text that does not follow the grammar, or uses a part that is not supported yet. Names,
/// channels and values are not looked at. O(text).
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let mut sink = Sink::default();
    let file = parse(text, &mut sink);
    sink.findings.retain(|finding| finding.about == About::Syntax);
    if !sink.findings.is_empty() {
        return Err(sink.into_diagnostics(text));
    }
    let units = units(&file);
    let comments = Comments::distribute(&file.comments, &units, file.end_token);
    Ok(lay_out(text, &units, &comments))
}

/// What stands on one line.
struct Unit {
    first_token: usize,
    line: String,
    is_header: bool,
}

fn units(file: &File) -> Vec<Unit> {
    let mut units = Vec::new();
    for statement in &file.statements {
        let line = print::header(statement);
        units.push(Unit { first_token: statement.first_token, line, is_header: true });
        units.extend(statement.clauses.iter().map(|clause| Unit {
            first_token: clause.first_token,
            line: print::clause(&clause.kind),
            is_header: false,
        }));
    }
    for rule in &file.rules {
        let line = print::rule::header(rule);
        units.push(Unit { first_token: rule.first_token, line, is_header: true });
        units.extend(rule.clauses.iter().map(|clause| Unit {
            first_token: clause.first_token,
            line: print::rule::clause(&clause.kind),
            is_header: false,
        }));
    }
    units.sort_by_key(|unit| unit.first_token);
    units
}

/// Which comments stand before each unit, which one at its end, and which after the last.
struct Comments {
    before: Vec<Vec<Comment>>,
    end_of_line: Vec<Option<Comment>>,
    after_last: Vec<Comment>,
}

impl Comments {
    fn distribute(comments: &[Comment], units: &[Unit], end_token: usize) -> Comments {
        let mut all = Comments {
            before: vec![Vec::new(); units.len()],
            end_of_line: vec![None; units.len()],
            after_last: Vec::new(),
        };
        let holding =
            |token: usize| units.partition_point(|unit| unit.first_token <= token).checked_sub(1);
        for comment in comments {
            if !comment.own_line
                && let Some(unit) = comment.next_token.checked_sub(1).and_then(holding)
            {
                // The last of several at the ends of a clause's lines stays there.
                let earlier = all.end_of_line[unit].replace(*comment);
                all.before[unit].extend(earlier);
            } else if comment.next_token >= end_token || units.is_empty() {
                all.after_last.push(*comment);
            } else {
                all.before[holding(comment.next_token).unwrap_or(0)].push(*comment);
            }
        }
        for before in &mut all.before {
            before.sort_by_key(|comment| comment.place);
        }
        all
    }
}

fn lay_out(text: &str, units: &[Unit], comments: &Comments) -> String {
    let mut out = String::with_capacity(text.len());
    let shown = |comment: &Comment| &text[comment.place.start..comment.place.end];
    let own_line = |out: &mut String, indent: &str, comment: &Comment| {
        out.push_str(indent);
        out.push_str(shown(comment));
        out.push('\n');
        // Paragraphs of comments stay apart between statements, not inside them.
        if comment.blank_after && indent.is_empty() {
            out.push('\n');
        }
    };
    for (at, unit) in units.iter().enumerate() {
        let indent = if unit.is_header { "" } else { "  " };
        if unit.is_header && at > 0 {
            out.push('\n');
        }
        comments.before[at].iter().for_each(|comment| own_line(&mut out, indent, comment));
        out.push_str(indent);
        out.push_str(&unit.line);
        if let Some(comment) = &comments.end_of_line[at] {
            out.push(' ');
            out.push_str(shown(comment));
        }
        out.push('\n');
    }
    if !units.is_empty() && !comments.after_last.is_empty() {
        out.push('\n');
    }
    comments.after_last.iter().for_each(|comment| own_line(&mut out, "", comment));
    while out.ends_with("\n\n") {
        out.pop();
    }
    out
}
