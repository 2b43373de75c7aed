//! Regular expressions of `match` and `search`.

use regex::{Regex, RegexBuilder};

/// Bytes of a compiled regular expression.
const REGEX_BYTES_MAX: usize = 1 << 20;

/// Compiles a pattern of RFC 9485; `None`: it is none, and matches nothing.
pub(super) fn compile(pattern: &str, whole: bool) -> Option<Regex> {
    let translated = translate(pattern);
    let anchored = if whole { format!(r"\A(?:{translated})\z") } else { translated };
    RegexBuilder::new(&anchored).size_limit(REGEX_BYTES_MAX).build().ok()
}

/// The pattern for a library whose dot takes a carriage return.
fn translate(pattern: &str) -> String {
    let mut translated = String::with_capacity(pattern.len());
    let (mut is_escaped, mut is_in_class) = (false, false);
    for c in pattern.chars() {
        match c {
            '.' if !is_escaped && !is_in_class => translated.push_str(r"[^\n\r]"),
            _ => translated.push(c),
        }
        match c {
            '[' if !is_escaped => is_in_class = true,
            ']' if !is_escaped => is_in_class = false,
            _ => {}
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    translated
}
