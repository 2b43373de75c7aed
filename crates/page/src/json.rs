//! JSON: one block per leaf, `path: value`, in the document's order.
//!
//! The document is streamed, never held as a tree. Depth is bounded by the parser (128 levels).

use crate::gather::{Gather, clip};
use crate::{Extract, Kind, Limits, ReadError};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Bytes of one key that a path shows.
const KEY_BYTES_MAX: usize = 200;

pub(crate) fn read(text: &str, limits: &Limits) -> Result<Extract, ReadError> {
    let malformed = |error: serde_json::Error| ReadError::Malformed {
        format: "JSON",
        reason: error.to_string(),
    };
    let mut gather = Gather::new(Kind::Json, limits);
    let mut path = String::new();
    let mut parser = serde_json::Deserializer::from_str(text);
    Leaves { gather: &mut gather, path: &mut path }.deserialize(&mut parser).map_err(malformed)?;
    parser.end().map_err(malformed)?;
    Ok(gather.finish())
}

/// Reads one value at `path` and gathers its leaves.
struct Leaves<'g, 'l> {
    gather: &'g mut Gather<'l>,
    path: &'g mut String,
}

impl Leaves<'_, '_> {
    fn leaf(&mut self, value: &str) {
        self.gather.end_block();
        self.gather.name(self.path);
        if !self.path.is_empty() {
            self.gather.push_text(self.path);
            self.gather.push_text(": ");
        }
        self.gather.push_text(value);
        self.gather.end_block();
    }

    fn key(&mut self, key: &str) {
        push_key(self.path, key);
    }
}

/// Adds a key to a path.
pub(crate) fn push_key(path: &mut String, key: &str) {
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-' || c == '$';
    if key.is_empty() || !key.chars().all(plain) {
        path.push_str(&format!("[{:?}]", clip(key, KEY_BYTES_MAX)));
    } else {
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(clip(key, KEY_BYTES_MAX));
    }
}

impl<'de> DeserializeSeed<'de> for Leaves<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Leaves<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(mut self) -> Result<(), E> {
        self.leaf("null");
        Ok(())
    }

    fn visit_bool<E: Error>(mut self, value: bool) -> Result<(), E> {
        self.leaf(if value { "true" } else { "false" });
        Ok(())
    }

    fn visit_i64<E: Error>(mut self, value: i64) -> Result<(), E> {
        self.leaf(&value.to_string());
        Ok(())
    }

    fn visit_u64<E: Error>(mut self, value: u64) -> Result<(), E> {
        self.leaf(&value.to_string());
        Ok(())
    }

    fn visit_f64<E: Error>(mut self, value: f64) -> Result<(), E> {
        self.leaf(&value.to_string());
        Ok(())
    }

    fn visit_str<E: Error>(mut self, value: &str) -> Result<(), E> {
        self.leaf(value);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        let length = self.path.len();
        for index in 0usize.. {
            if self.gather.is_full() {
                while items.next_element::<IgnoredAny>()?.is_some() {
                    self.gather.leave_out("item");
                }
                break;
            }
            self.path.push_str(&format!("[{index}]"));
            let item = Leaves { gather: self.gather, path: self.path };
            let more = items.next_element_seed(item)?.is_some();
            self.path.truncate(length);
            if !more {
                if index == 0 {
                    self.leaf("[]");
                }
                break;
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<(), A::Error> {
        let length = self.path.len();
        let mut empty = true;
        while let Some(key) = members.next_key::<std::borrow::Cow<'de, str>>()? {
            empty = false;
            if self.gather.is_full() {
                members.next_value::<IgnoredAny>()?;
                self.gather.leave_out(&key);
                continue;
            }
            self.key(&key);
            members.next_value_seed(Leaves { gather: self.gather, path: self.path })?;
            self.path.truncate(length);
        }
        if empty {
            self.leaf("{}");
        }
        Ok(())
    }
}
