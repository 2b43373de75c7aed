//! Texts that many rows say alike: a row has the place of one in this list, if its column takes
//! any type.

use rusqlite::ToSql;
use rusqlite::types::{ToSqlOutput, Value, ValueRef};

/// What a number in such a column stands for. Only ever appended to: stored rows are read with it.
/// The first two take no byte.
const KNOWN: &[&str] = &[
    "[]",
    "same",
    "version",
    "not modified",
    "held",
    "failed",
    "baseline",
    "asked",
    "deadline",
    "freshness",
    "retry",
    "second look",
    "html",
    "feed",
    "xml",
    "json",
    "text",
    "empty",
    "error",
    "wall",
    "foreign",
    "small",
    "[[[0,0,0]]]",
    "[[[0,0,0]],[[0,0,1]]]",
    "[[[0,0,0],[0,0,1]]]",
    "change",
    "rule",
    "digest",
    "source.failing",
    "source.recovered",
    "selector.missing",
    "selector.found",
    "channel.test",
    "channel.failing",
    "delivered",
    "gone",
    "text/html",
    "text/html; charset=utf-8",
    "text/html; charset=UTF-8",
    "text/html;charset=utf-8",
    "text/html;charset=UTF-8",
    "application/xhtml+xml",
    "application/rss+xml",
    "application/rss+xml; charset=utf-8",
    "application/rss+xml; charset=UTF-8",
    "application/rss+xml;charset=utf-8",
    "application/rss+xml;charset=UTF-8",
    "application/atom+xml",
    "application/atom+xml; charset=utf-8",
    "application/atom+xml; charset=UTF-8",
    "application/xml",
    "application/xml; charset=utf-8",
    "application/xml; charset=UTF-8",
    "text/xml",
    "text/xml; charset=utf-8",
    "text/xml; charset=UTF-8",
    "application/json",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    "application/feed+json",
    "text/plain",
    "text/plain; charset=utf-8",
    "text/plain; charset=UTF-8",
    "text/csv",
    "text/markdown",
    "application/pdf",
];

/// A text on its way into a column of any type.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Said<'a>(pub(crate) &'a str);

impl ToSql for Said<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let place = KNOWN.iter().position(|known| *known == self.0);
        Ok(match place.and_then(|place| i64::try_from(place).ok()) {
            Some(place) => ToSqlOutput::Owned(Value::Integer(place)),
            None => ToSqlOutput::Borrowed(ValueRef::Text(self.0.as_bytes())),
        })
    }
}

/// What stands at a place of the list.
pub(super) fn known(place: i64) -> Option<&'static str> {
    KNOWN.get(usize::try_from(place).ok()?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str) -> Option<i64> {
        match Said(text).to_sql() {
            Ok(ToSqlOutput::Owned(Value::Integer(place))) => Some(place),
            _ => None,
        }
    }

    #[test]
    fn what_is_said_briefly_reads_as_it_was_said() {
        for text in KNOWN {
            assert_eq!(place(text).and_then(known), Some(*text), "no text stands there twice");
        }
        assert_eq!(place("text/html; charset=koi8-r"), None);
        assert_eq!(known(-1), None);
        assert_eq!(known(KNOWN.len() as i64), None);
    }

    #[test]
    fn stored_places_keep_their_meaning() {
        let said = KNOWN[..66].join("\n");
        let hash = blake3::hash(said.as_bytes()).to_hex();
        assert_eq!(&hash[..16], "cc9d947964b896c0");
    }
}
