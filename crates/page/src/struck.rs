//! Text that is struck out: it is shown, and does not hold any more. It stands between two marks,
//! as in Markdown: `~~£49.90~~ £39.90`.

use std::borrow::Cow;

/// Stands before and behind what is struck out.
pub const MARK: &str = "~~";

/// A text without what is struck out; all of it, if nothing else is there. O(length).
pub fn standing(text: &str) -> Cow<'_, str> {
    if !text.contains(MARK) {
        return text.into();
    }
    let mut parts = text.split(MARK);
    let mut rest = parts.next().unwrap_or_default().to_owned();
    while let Some(struck) = parts.next() {
        match parts.next() {
            Some(behind) => rest += behind,
            // One mark alone strikes out nothing.
            None => rest = format!("{rest}{MARK}{struck}"),
        }
    }
    let rest = crate::gather::collapse(&rest);
    if rest.is_empty() { text.into() } else { rest.into() }
}

/// A text with all of it, and without the marks. O(length).
pub fn without_marks(text: &str) -> Cow<'_, str> {
    if text.contains(MARK) { text.replace(MARK, "").into() } else { text.into() }
}

/// What of a text is struck out. O(length).
pub fn struck(text: &str) -> Vec<&str> {
    let parts: Vec<&str> = text.split(MARK).collect();
    // One mark alone strikes out nothing.
    let count = parts.len().saturating_sub(1) / 2;
    parts.into_iter().skip(1).step_by(2).take(count).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_stands_is_not_struck_out() {
        for (text, standing) in [
            ("£49.90", "£49.90"),
            ("~~£49.90~~ £39.90", "£39.90"),
            ("now £39.90 ~~£49.90~~ in stock", "now £39.90 in stock"),
            ("~~Open Mic~~", "~~Open Mic~~"),
            ("about ~~ 40", "about ~~ 40"),
        ] {
            assert_eq!(super::standing(text), standing);
        }
    }
}
