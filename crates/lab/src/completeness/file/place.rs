//! Where something stands in a JSON text: line, and path as `profiles[0].ceis[2][1]`.

use std::fmt::Write;

/// A step down into a JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    Key(String),
    At(usize),
}

/// Most steps of a path that are written.
const STEPS_MAX: usize = 12;

/// The path as people write it; of a long one the beginning.
#[must_use]
pub fn written(path: &[Step]) -> String {
    let mut text = String::new();
    let named = path.iter().filter(|step| !matches!(step, Step::Key(key) if key.is_empty()));
    for (count, step) in named.enumerate() {
        if count == STEPS_MAX {
            text.push('…');
            break;
        }
        let dot = if text.is_empty() { "" } else { "." };
        match step {
            Step::Key(key) => write!(text, "{dot}{key}"),
            Step::At(at) => write!(text, "[{at}]"),
        }
        .expect("a string takes all");
    }
    text
}

/// The path at byte `offset`: into the innermost array or object that is open there. O(offset).
#[must_use]
pub fn path_at(text: &[u8], offset: usize) -> Vec<Step> {
    let mut walk = Walk::default();
    for &byte in &text[..offset.min(text.len())] {
        walk.byte(byte);
    }
    walk.path
}

/// The line, from 1, on which the value at `path` starts; of a value that stands twice, the first.
/// O(length).
#[must_use]
pub fn line_of(text: &[u8], path: &[Step]) -> Option<usize> {
    let mut walk = Walk::default();
    let mut line = 1;
    for &byte in text {
        let between = byte.is_ascii_whitespace() || byte == b':' || byte == b',';
        if walk.is_at_value() && !between && walk.path == path {
            return Some(line);
        }
        walk.byte(byte);
        line += usize::from(byte == b'\n');
    }
    None
}

/// The byte of a line and column, both from 1; past the end, the end.
#[must_use]
pub fn offset_of(text: &[u8], line: usize, column: usize) -> usize {
    let mut starts =
        text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    let start = match line {
        0 | 1 => 0,
        _ => starts.nth(line - 2).unwrap_or(text.len()),
    };
    (start + column).min(text.len())
}

/// Goes through a text byte by byte. In a text that is not JSON it finds an arbitrary place, and
/// ends.
#[derive(Default)]
struct Walk {
    path: Vec<Step>,
    /// In a string, and whether the next byte is escaped.
    string: Option<bool>,
    /// Whether the string is a key, and what of it was read.
    key: Option<Vec<u8>>,
    /// Between an object's `{` or `,` and the next `:`.
    before_colon: bool,
}

impl Walk {
    /// Whether a byte that comes now is part of a value at `path`, not of a key or a string.
    fn is_at_value(&self) -> bool {
        self.string.is_none() && !self.before_colon
    }

    fn byte(&mut self, byte: u8) {
        if let Some(escaped) = self.string {
            return self.in_string(byte, escaped);
        }
        match byte {
            b'"' => {
                self.string = Some(false);
                self.key = self.before_colon.then(Vec::new);
            }
            b'[' => self.path.push(Step::At(0)),
            b'{' => {
                self.path.push(Step::Key(String::new()));
                self.before_colon = true;
            }
            b']' | b'}' => {
                self.path.pop();
                self.before_colon = false;
            }
            b':' => self.before_colon = false,
            b',' => match self.path.last_mut() {
                Some(Step::At(at)) => *at += 1,
                Some(Step::Key(_)) => self.before_colon = true,
                None => {}
            },
            _ => {}
        }
    }

    fn in_string(&mut self, byte: u8, escaped: bool) {
        match byte {
            b'"' if !escaped => {
                self.string = None;
                if let (Some(key), Some(Step::Key(own))) = (self.key.take(), self.path.last_mut()) {
                    *own = String::from_utf8_lossy(&key).into_owned();
                }
            }
            _ => {
                self.string = Some(byte == b'\\' && !escaped);
                if let Some(key) = &mut self.key {
                    key.push(byte);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"{\"a\": [1,\n [2, {\"b\\\"]\": \"x\\\\\",\n \"c\": 3}]], \"d\": []}";

    fn at(mark: &str) -> String {
        let text = std::str::from_utf8(TEXT).unwrap();
        written(&path_at(TEXT, text.find(mark).unwrap()))
    }

    #[test]
    fn a_place_has_a_path() {
        assert_eq!(at("1"), "a[0]");
        assert_eq!(at("2"), "a[1][0]");
        assert_eq!(at("x"), "a[1][1].b\\\"]");
        assert_eq!(at("3"), "a[1][1].c");
        assert_eq!(at("]}"), "d[0]");
    }

    #[test]
    fn a_path_has_a_line() {
        let key = |key: &str| Step::Key(key.to_owned());
        assert_eq!(line_of(TEXT, &[key("a")]), Some(1));
        assert_eq!(line_of(TEXT, &[key("a"), Step::At(1)]), Some(2));
        assert_eq!(line_of(TEXT, &[key("a"), Step::At(1), Step::At(1), key("c")]), Some(3));
        assert_eq!(line_of(TEXT, &[key("e")]), None);
    }

    #[test]
    fn a_line_and_a_column_have_an_offset() {
        assert_eq!(offset_of(b"ab\ncd\n", 1, 1), 1);
        assert_eq!(offset_of(b"ab\ncd\n", 2, 1), 4);
        assert_eq!(offset_of(b"ab\ncd\n", 9, 9), 6);
    }
}
