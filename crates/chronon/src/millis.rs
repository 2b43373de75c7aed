//! Instants as the integer that stores keep: `#[serde(with = "chronon::millis")]`.

use crate::Instant;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Milliseconds since the Unix epoch.
///
/// # Errors
/// What the serializer says.
pub fn serialize<S: Serializer>(at: &Instant, serializer: S) -> Result<S::Ok, S::Error> {
    at.as_millis().serialize(serializer)
}

/// From milliseconds since the Unix epoch.
///
/// # Errors
/// What the deserializer says.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Instant, D::Error> {
    i64::deserialize(deserializer).map(Instant::from_millis)
}
