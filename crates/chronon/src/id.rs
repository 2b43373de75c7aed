//! Ids: newtypes over small integers, printed with a letter so that a log line reads itself.
//!
//! What belongs to somebody is named by who that is and a number: the two share one integer, in
//! which the first owner's parts are the bare number. Owners are counted apart, so that no counter
//! stands between two of them.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Bits of an id that are the number, as many as a thousand a second fill in 35 years; those above
/// tell whose it is.
pub const NUMBER_BITS: u32 = 40;
const NUMBER_MAX: u64 = (1 << NUMBER_BITS) - 1;

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

macro_rules! owned {
    ($(#[$doc:meta])* $name:ident, $letter:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u64);

        impl $name {
            /// The `number`th of `owner`.
            ///
            /// # Panics
            /// When there is no such owner, or the number has more than 40 bits.
            pub const fn of(owner: OwnerId, number: u64) -> $name {
                assert!(1 <= owner.0 && owner.0 <= OwnerId::LAST.0 && number <= NUMBER_MAX);
                $name(((owner.0 as u64 - 1) << NUMBER_BITS) | number)
            }

            /// Whose it is.
            pub const fn owner(self) -> OwnerId {
                OwnerId((self.0 >> NUMBER_BITS) as u32 + 1)
            }

            /// The owner's count of it.
            pub const fn number(self) -> u64 {
                self.0 & NUMBER_MAX
            }

            /// The ids of `owner`, for ranges in their order.
            pub const fn all_of(owner: OwnerId) -> std::ops::RangeInclusive<$name> {
                $name::of(owner, 0)..=$name::of(owner, NUMBER_MAX)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                if self.owner() != OwnerId::FIRST {
                    self.owner().fmt(f)?;
                }
                write!(f, concat!($letter, "{}"), self.number())
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
    /// Somebody whose sentinels and channels these are (`o2`); counted from 1.
    OwnerId(u32), "o");

impl OwnerId {
    /// The owner of everything that was made before there were others.
    pub const FIRST: OwnerId = OwnerId(1);
    /// Ids have no room for more owners: stores keep them as signed integers.
    pub const LAST: OwnerId = OwnerId(1 << 23);
}

owned!(
    /// A sentinel: `s7`, or `o2s7` of another owner than the first.
    SentinelId, "s");
owned!(
    /// A notification in the outbox (`n9`, `o2n9`).
    NotificationId, "n");
owned!(
    /// One detection (`d5`, `o2d5`).
    DetectionId, "d");
owned!(
    /// A way to reach somebody: a channel and a contact on it (`c3`, `o2c3`). Never used twice.
    ChannelId, "c");

owned!(
    /// A rule: what follows when an event occurs (`r4`, `o2r4`).
    RuleId, "r");
owned!(
    /// An event that people or rules raise by name (`e2`, `o2e2`).
    EventId, "e");

id!(
    /// A source: a URL under watch, and how it is looked at (`u3`).
    SourceId(u32), "u");
id!(
    /// The number of a version of one source, from 1 (`v12`).
    VersionNo(u32), "v");
id!(
    /// A host, the unit of politeness (`h2`).
    HostId(u32), "h");
/// A stream: the sequence of versions of a source that some sentinels compare (`u3t1`). Each source
/// counts its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId(pub u64);

impl StreamId {
    /// The `number`th of `source`.
    pub const fn of(source: SourceId, number: u32) -> StreamId {
        StreamId(((source.0 as u64) << 32) | number as u64)
    }

    /// Whose versions they are.
    pub const fn source(self) -> SourceId {
        SourceId((self.0 >> 32) as u32)
    }

    /// The source's count of it.
    pub const fn number(self) -> u32 {
        self.0 as u32
    }
}

impl fmt::Display for StreamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}t{}", self.source(), self.number())
    }
}

impl fmt::Debug for StreamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

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
        assert_eq!(SentinelId(7).to_string(), "s7");
        assert_eq!(NotificationId::of(OwnerId(2), 9).to_string(), "o2n9");
        let stream = StreamId::of(SourceId(3), 1);
        assert_eq!(stream.to_string(), "u3t1");
        assert_eq!((stream.source(), stream.number()), (SourceId(3), 1));
        let blob = BlobId([0xa7; 32]);
        assert_eq!(BlobId::parse_hex(&blob.to_string()), Some(blob));
        assert_eq!(BlobId::parse_hex("a7"), None);
        assert_eq!(BlobId::parse_hex(&"é".repeat(32)), None);
    }

    #[test]
    fn an_id_is_whose_it_is_and_a_number_and_the_first_owner_has_bare_numbers() {
        assert_eq!(SentinelId::of(OwnerId::FIRST, 7), SentinelId(7));
        for owner in [OwnerId::FIRST, OwnerId(2), OwnerId::LAST] {
            for number in [0, 1, NUMBER_MAX] {
                let id = ChannelId::of(owner, number);
                assert_eq!((id.owner(), id.number()), (owner, number));
            }
        }
        assert!(
            i64::try_from(DetectionId::of(OwnerId::LAST, NUMBER_MAX).0).is_ok(),
            "stores keep it"
        );
        assert!(SentinelId::of(OwnerId::FIRST, NUMBER_MAX) < SentinelId::of(OwnerId(2), 0));
    }
}
