//! Sentences that mark code by backticks, and texts of which something is struck out, as HTML.

use askama::filters::{Html, Safe, escape};
use change::{Fate, Run, struck_runs};
use std::fmt::Display;

/// What stands between two backticks becomes `<code>`; all is escaped.
#[askama::filter_fn]
pub(super) fn code(text: impl Display, _: &dyn askama::Values) -> askama::Result<Safe<String>> {
    html(&text.to_string()).map(Safe)
}

/// What is struck out has a line through it; all is escaped.
#[askama::filter_fn]
pub(super) fn struck(text: impl Display, _: &dyn askama::Values) -> askama::Result<Safe<String>> {
    let text = text.to_string();
    let runs = struck_runs(&[(Fate::Same, text.as_str())], Fate::Insert);
    Ok(Safe(runs.iter().map(|runs| struck_through(runs)).collect()))
}

/// The runs of a text, escaped.
pub(super) fn struck_through(runs: &[Run<'_>]) -> String {
    let run = |run: &Run<'_>| {
        let Ok(text) = escape(run.text, Html);
        if run.is_struck { format!("<s>{text}</s>") } else { text.to_string() }
    };
    runs.iter().map(run).collect()
}

/// A number as people read it.
#[askama::filter_fn]
pub(super) fn grouped(number: impl Display, _: &dyn askama::Values) -> askama::Result<String> {
    Ok(notice::grouped(number))
}

fn html(text: &str) -> askama::Result<String> {
    let mut html = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, (code, behind))) =
        rest.split_once('`').and_then(|(before, rest)| Some((before, rest.split_once('`')?)))
    {
        html += &format!("{}<code>{}</code>", escape(before, Html)?, escape(code, Html)?);
        rest = behind;
    }
    html += &escape(rest, Html)?.to_string();
    Ok(html)
}

#[cfg(test)]
mod tests {
    #[test]
    fn code_is_marked_and_all_is_escaped() {
        for (text, expected) in [
            ("write a longer `within`.", "write a longer <code>within</code>."),
            ("`a < b` and `c`", "<code>a &#60; b</code> and <code>c</code>"),
            ("a lone ` stays, <b> too", "a lone ` stays, &#60;b&#62; too"),
        ] {
            assert_eq!(super::html(text).expect("it is written to a string"), expected);
        }
    }
}
