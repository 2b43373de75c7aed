//! Frozen bodies are read leniently: an unknown field is ignored, and one that is missing or of
//! another kind is empty, so that a body of another release still says what it can.

use crate::Notice;
use change::ChangeKind;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

impl Notice {
    /// Reads a stored body, without the credentials that the first release left in addresses;
    /// `None` if it is no JSON object.
    pub fn read(bytes: &[u8]) -> Option<Notice> {
        let mut notice = Notice::read_as_it_is(bytes)?;
        notice.hide_credentials();
        Some(notice)
    }

    pub(crate) fn read_as_it_is(bytes: &[u8]) -> Option<Notice> {
        // A list would be taken for the fields in their order.
        let is_object = bytes.trim_ascii_start().starts_with(b"{");
        if is_object { serde_json::from_slice(bytes).ok() } else { None }
    }

    /// The inverse.
    pub(crate) fn write(&self) -> Vec<u8> {
        serde_json::to_vec(self)
            .expect("a body is made of texts, numbers and lists, which all encode")
    }
}

/// What lists show of a stored body.
#[derive(Debug, Deserialize)]
pub struct Head {
    pub summary: String,
    /// The name that the sentinel had.
    pub sentinel: Option<String>,
}

impl Head {
    /// `None`: the bytes are no body.
    pub fn of(bytes: &[u8]) -> Option<Head> {
        serde_json::from_slice(bytes).ok()
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Read<T> {
    Good(T),
    Odd(IgnoredAny),
}

impl<T> Read<T> {
    fn good(self) -> Option<T> {
        match self {
            Read::Good(value) => Some(value),
            Read::Odd(_) => None,
        }
    }
}

fn good<'de, D: Deserializer<'de>, T: Deserialize<'de>>(d: D) -> Result<Option<T>, D::Error> {
    Read::deserialize(d).map(Read::good)
}

pub(crate) fn lenient<'de, D, T>(d: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(good(d)?.unwrap_or_default())
}

/// The items that are what they should be.
pub(crate) fn lenient_list<'de, D, T>(d: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Ok(lenient_option(d)?.unwrap_or_default())
}

pub(crate) fn lenient_option<'de, D, T>(d: D) -> Result<Option<Vec<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let items: Option<Vec<Read<T>>> = good(d)?;
    Ok(items.map(|items| items.into_iter().filter_map(Read::good).collect()))
}

/// Something happened to it, whatever a later release calls that.
pub(crate) fn update_unless_known<'de, D: Deserializer<'de>>(d: D) -> Result<ChangeKind, D::Error> {
    Ok(good(d)?.unwrap_or(ChangeKind::Update))
}

#[cfg(test)]
mod tests {
    use super::*;
    use change::Thing;

    #[test]
    fn fields_of_another_kind_are_empty_and_unknown_ones_ignored() {
        let notice = Notice::read(
            br#" {"type": 7, "summary": "x", "sources": null, "future": {"a": [1]},
                 "changes": ["odd", {"kind": "insert", "new": {"text": "t"}, "context": null},
                    {"kind": "melt", "new": {"shape": [1]}}],
                 "changes_total": "many", "missed": {}, "combinations": [[0], ["x"], 7]}"#,
        )
        .unwrap();
        assert_eq!((notice.kind, notice.summary.as_str()), (crate::Kind::Change, "x"));
        assert_eq!((notice.changes.len(), notice.changes_total), (2, 0));
        assert_eq!(notice.changes[0].new, Some(Thing::Text { text: "t".into() }));
        assert_eq!((notice.changes[1].kind, &notice.changes[1].new), (ChangeKind::Update, &None));
        assert!(notice.sources.is_empty() && notice.missed.is_empty());
        assert_eq!(notice.combinations, [[0]]);
    }

    #[test]
    fn what_is_no_json_object_is_no_body() {
        for bytes in [&b""[..], b"null", b"[]", b"[1, \"x\"]", b"{", b"\xff\xfe"] {
            assert!(Notice::read(bytes).is_none());
        }
        let head = |bytes| Head::of(bytes).map(|head| (head.summary, head.sentinel));
        let of = |name: Option<&str>| Some(("x".to_owned(), name.map(str::to_owned)));
        assert_eq!(head(b"{\"summary\": \"x\", \"changes\": 7}"), of(None));
        assert_eq!(head(b"{\"summary\": \"x\", \"sentinel\": \"deals\"}"), of(Some("deals")));
        assert_eq!(head(b"{}"), None);
    }
}
