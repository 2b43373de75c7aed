//! The frozen JSON body of a notification, as the senders read it (`docs/formats.md`, Webhook).
//!
//! Read leniently: an unknown field is ignored, and one that is missing or of another kind is
//! empty, so that a body of a later format still says what it can.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// A notification, whatever its type.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Body {
    #[serde(rename = "type", deserialize_with = "lenient")]
    pub(crate) kind: String,
    #[serde(deserialize_with = "lenient")]
    pub(crate) sentinel: String,
    #[serde(deserialize_with = "lenient")]
    pub(crate) summary: String,
    #[serde(deserialize_with = "lenient")]
    pub(crate) detected_at: String,
    #[serde(deserialize_with = "lenient")]
    pub(crate) composed_at: String,
    #[serde(deserialize_with = "lenient_list")]
    pub(crate) sources: Vec<Source>,
    #[serde(deserialize_with = "lenient_list")]
    pub(crate) leaves: Vec<String>,
    #[serde(deserialize_with = "lenient_list")]
    pub(crate) changes: Vec<Change>,
    #[serde(deserialize_with = "lenient")]
    pub(crate) changes_total: u64,
    #[serde(deserialize_with = "lenient_list")]
    pub(crate) missed: Vec<Missed>,
    /// The notifications of a digest.
    #[serde(deserialize_with = "lenient_list")]
    pub(crate) notifications: Vec<Body>,
    /// How many a digest has whose list was cut.
    #[serde(deserialize_with = "lenient")]
    pub(crate) notifications_total: u64,
    /// Since when a source fails, or why.
    #[serde(deserialize_with = "lenient")]
    pub(crate) note: String,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Source {
    #[serde(deserialize_with = "lenient")]
    pub(crate) url: String,
    #[serde(deserialize_with = "lenient")]
    pub(crate) name: String,
    #[serde(deserialize_with = "lenient")]
    pub(crate) from_version: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    pub(crate) to_version: Option<u64>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Change {
    #[serde(deserialize_with = "lenient")]
    pub(crate) leaf: Option<usize>,
    #[serde(rename = "type", deserialize_with = "lenient")]
    pub(crate) change_type: String,
    #[serde(deserialize_with = "lenient")]
    pub(crate) kind: String,
    #[serde(deserialize_with = "lenient")]
    pub(crate) source: Option<usize>,
    /// The fields of the change type.
    #[serde(deserialize_with = "lenient")]
    pub(crate) old: Option<Map<String, Value>>,
    #[serde(deserialize_with = "lenient")]
    pub(crate) new: Option<Map<String, Value>>,
    #[serde(deserialize_with = "lenient")]
    pub(crate) context: Context,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Context {
    #[serde(deserialize_with = "lenient")]
    pub(crate) before: String,
    #[serde(deserialize_with = "lenient")]
    pub(crate) after: String,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Missed {
    #[serde(deserialize_with = "lenient")]
    pub(crate) source: Option<usize>,
    #[serde(deserialize_with = "lenient")]
    pub(crate) start: String,
    #[serde(deserialize_with = "lenient")]
    pub(crate) finish: String,
    #[serde(deserialize_with = "lenient")]
    pub(crate) reason: String,
}

impl Body {
    /// Reads a body; `None` if it is no JSON object.
    pub(crate) fn read(bytes: &[u8]) -> Option<Body> {
        let value: Value = serde_json::from_slice(bytes).ok()?;
        value.is_object().then(|| Body::deserialize(value).unwrap_or_default())
    }
}

impl Change {
    /// Whether two entries tell the same, but for the leaf that keeps them.
    pub(crate) fn is_same(&self, other: &Change) -> bool {
        let key =
            |change: &Change| (change.kind.clone(), change.source, change.change_type.clone());
        key(self) == key(other)
            && (&self.old, &self.new) == (&other.old, &other.new)
            && self.context == other.context
    }
}

fn lenient<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(d: D) -> Result<T, D::Error> {
    Ok(T::deserialize(Value::deserialize(d)?).unwrap_or_default())
}

fn lenient_list<'de, D, T>(d: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let values: Vec<Value> = lenient(d)?;
    Ok(values.into_iter().filter_map(|value| T::deserialize(value).ok()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_another_kind_are_empty_and_unknown_ones_ignored() {
        let body = Body::read(
            br#"{"type": 7, "summary": "x", "sources": null, "future": {"a": [1]},
                 "changes": ["odd", {"kind": "insert", "new": {"text": "t"}, "context": null}],
                 "changes_total": "many", "missed": {}}"#,
        )
        .unwrap();
        assert_eq!((body.kind.as_str(), body.summary.as_str()), ("", "x"));
        assert_eq!((body.changes.len(), body.changes_total), (1, 0));
        assert_eq!(body.changes[0].new.as_ref().unwrap()["text"], "t");
        assert!(body.sources.is_empty() && body.missed.is_empty());
    }

    #[test]
    fn what_is_no_json_object_is_no_body() {
        for bytes in [&b""[..], b"null", b"[]", b"{", b"\xff\xfe"] {
            assert!(Body::read(bytes).is_none());
        }
    }
}
