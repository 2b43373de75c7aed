//! What a page is, in one line, as most lines say it: `page, 3694 words, 123 links, 123 images`. A
//! row has the counts alone, as bytes; any other line stands there as a text.

use rusqlite::ToSql;
use rusqlite::types::{ToSqlOutput, Value, ValueRef};

const START: &str = "page";
const NOUNS: [&str; 3] = ["words", "links", "images"];

/// A line on its way into a column of any type.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Summary<'a>(pub(crate) &'a str);

impl ToSql for Summary<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match counts(self.0) {
            Some(counts) => ToSqlOutput::Owned(Value::Blob(counts.into_bytes())),
            None => ToSqlOutput::Borrowed(ValueRef::Text(self.0.as_bytes())),
        })
    }
}

/// The counts of a line, with spaces between them, if it says nothing else.
fn counts(line: &str) -> Option<String> {
    let mut parts = line.split(", ");
    parts.next().filter(|start| *start == START)?;
    let mut counts = Vec::new();
    for (at, part) in parts.enumerate() {
        counts.push(part.strip_suffix(NOUNS.get(at)?)?.strip_suffix(' ')?);
    }
    let counts = counts.join(" ");
    (said(counts.as_bytes()).as_deref() == Some(line)).then_some(counts)
}

/// The line of these counts; `None`: they are none.
pub(super) fn said(counts: &[u8]) -> Option<String> {
    let counts = str::from_utf8(counts).ok()?;
    let is_count = |count: &str| !count.is_empty() && count.bytes().all(|b| b.is_ascii_digit());
    let mut line = START.to_owned();
    let mut nouns = NOUNS.iter();
    for count in counts.split(' ') {
        let noun = nouns.next().filter(|_| is_count(count))?;
        line.extend([", ", count, " ", noun]);
    }
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_as_it_was_written_and_is_short_where_it_says_counts_alone() {
        for (line, short) in [
            ("page, 3694 words, 123 links, 123 images", Some("3694 123 123")),
            ("page, 0 words, 2 links", Some("0 2")),
            ("page, 12 words", Some("12")),
            ("page, 1 word, 1 link", None),
            ("page, 2 words, 2 images", None),
            ("page, 2 words, 2 links, a feed at https://a.example/", None),
            ("page,  words", None),
            ("page", None),
            ("feed, 20 words, 5 links", None),
            ("12", None),
            ("", None),
        ] {
            assert_eq!(counts(line).as_deref(), short, "{line}");
            assert!(short.is_none_or(|short| said(short.as_bytes()).as_deref() == Some(line)));
        }
        for damaged in [&b"1 2 3 4"[..], b"1  2", b"x", b"", b"\xff"] {
            assert_eq!(said(damaged), None);
        }
    }
}
