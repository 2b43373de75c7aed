//! Ids: newtypes over small integers, printed with a letter so that a log line reads itself.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident($int:ty), $letter:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub $int);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($letter, "{}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

id!(
    /// A source: a URL under watch (`u3`).
    SourceId(u32), "u");
id!(
    /// A sentinel (`s7`).
    SentinelId(u32), "s");
id!(
    /// The number of a version of one source, from 1 (`v12`).
    VersionNo(u32), "v");
id!(
    /// A host, the unit of politeness (`h2`).
    HostId(u32), "h");
id!(
    /// A stream: the sequence of versions that some sentinels compare (`t4`).
    StreamId(u32), "t");
id!(
    /// A notification in the outbox (`n9`).
    NotificationId(u64), "n");

/// The content address of a blob: the BLAKE3 hash of its bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct BlobId(pub [u8; 32]);

impl BlobId {
    /// The 64 hexadecimal digits, or `None` if `hex` is anything else.
    pub fn parse_hex(hex: &str) -> Option<BlobId> {
        let bytes = hex.as_bytes();
        if bytes.len() != 64 {
            return None;
        }
        let mut id = [0; 32];
        for (byte, pair) in id.iter_mut().zip(bytes.chunks_exact(2)) {
            let digit = |c: u8| (c as char).to_digit(16);
            *byte = (digit(pair[0])? * 16 + digit(pair[1])?) as u8;
        }
        Some(BlobId(id))
    }
}

impl fmt::Display for BlobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for BlobId {
    /// The first eight digits, enough to tell blobs apart in a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0[..4].iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_prints_with_its_letter_and_a_blob_id_reads_back() {
        assert_eq!(SourceId(3).to_string(), "u3");
        assert_eq!(VersionNo(12).to_string(), "v12");
        let blob = BlobId([0xa7; 32]);
        assert_eq!(BlobId::parse_hex(&blob.to_string()), Some(blob));
        assert_eq!(BlobId::parse_hex("a7"), None);
        assert_eq!(BlobId::parse_hex(&"é".repeat(32)), None);
    }
}
