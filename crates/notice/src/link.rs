//! Links of messages that do one thing to one sentinel, for whoever holds the message.
//!
//! A link says what it does, to whom and until when, and ends with a keyed hash over that
//! (docs/decisions/063). Nobody without the key makes one, and nothing of it is a secret but the
//! hash.

use blake3::Hash;
use chronon::{Instant, SentinelId, Span};
use std::fmt;

/// How long a link works.
const LIFE: Span = Span::from_secs(30 * 86_400);
/// What is hashed of a link begins so; feeds' addresses and entries have words of their own.
const DOMAIN: &str = "tidings link 1 ";
const FEED: &[u8] = b"tidings feed 1 ";
const ENTRY: &[u8] = b"tidings entry 1 ";

/// What a link does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Disables the sentinel.
    Stop,
    /// Holds back what it tells for a while.
    Snooze,
}

/// What a link says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    pub act: Act,
    pub sentinel: SentinelId,
    /// It works until then.
    pub until: Instant,
}

/// Why a link does nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadLink {
    /// Nobody here made it.
    Unknown,
    /// It was good once.
    Expired,
}

/// The key that links are signed with.
#[derive(Clone)]
pub struct LinkKey([u8; 32]);

impl fmt::Debug for LinkKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LinkKey")
    }
}

impl Act {
    fn word(self) -> &'static str {
        match self {
            Act::Stop => "stop",
            Act::Snooze => "snooze",
        }
    }
}

impl Link {
    /// A link of a message that is written now. Its end is that of a day, so that a message written
    /// again has the same links.
    pub fn new(act: Act, sentinel: SentinelId, now: Instant) -> Link {
        let days = (now + LIFE).as_millis().div_euclid(Span::DAY.as_millis());
        Link { act, sentinel, until: Instant::EPOCH + Span::DAY.times(days + 1) }
    }
}

impl LinkKey {
    pub fn new(bytes: [u8; 32]) -> LinkKey {
        LinkKey(bytes)
    }

    /// The last part of the link's address.
    pub fn sign(&self, link: &Link) -> String {
        let seconds = link.until.as_millis() / 1_000;
        let said = format!("{}-{}-{seconds}", link.act.word(), link.sentinel.0);
        format!("{said}-{}", self.hash(&said).to_hex())
    }

    /// What a link says, if it was signed with this key and still works.
    ///
    /// # Errors
    /// [`BadLink`].
    pub fn read(&self, text: &str, now: Instant) -> Result<Link, BadLink> {
        let (said, hash) = text.rsplit_once('-').ok_or(BadLink::Unknown)?;
        let hash = Hash::from_hex(hash).map_err(|_| BadLink::Unknown)?;
        // Hashes are compared in constant time.
        if hash != self.hash(said) {
            return Err(BadLink::Unknown);
        }
        let link = parse(said).ok_or(BadLink::Unknown)?;
        if now < link.until { Ok(link) } else { Err(BadLink::Expired) }
    }

    /// The secret in the address of a feed: 128 bits, from what was drawn when it was made.
    pub fn feed(&self, nonce: [u8; 16]) -> [u8; 16] {
        self.short(&[FEED, &nonce])
    }

    /// The name of what a sentinel told at one count: the same in every feed.
    pub fn entry(&self, sentinel: SentinelId, seq: u64) -> [u8; 16] {
        self.short(&[ENTRY, &sentinel.0.to_le_bytes(), &seq.to_le_bytes()])
    }

    fn short(&self, parts: &[&[u8]]) -> [u8; 16] {
        let hash = blake3::keyed_hash(&self.0, &parts.concat());
        *hash.as_bytes().first_chunk().expect("a hash has 32 bytes")
    }

    fn hash(&self, said: &str) -> Hash {
        blake3::keyed_hash(&self.0, format!("{DOMAIN}{said}").as_bytes())
    }
}

fn parse(said: &str) -> Option<Link> {
    let mut parts = said.split('-');
    let word = parts.next()?;
    let act = [Act::Stop, Act::Snooze].into_iter().find(|act| act.word() == word)?;
    let sentinel = SentinelId(parts.next()?.parse().ok()?);
    let seconds: i64 = parts.next()?.parse().ok()?;
    Some(Link { act, sentinel, until: Instant::from_millis(seconds.checked_mul(1_000)?) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Instant = Instant::from_millis(1_798_761_610_000);

    #[test]
    fn a_link_is_good_for_thirty_days_and_for_what_it_says() {
        let key = LinkKey::new([7; 32]);
        let link = Link::new(Act::Stop, SentinelId(42), NOW);
        let text = key.sign(&link);
        assert!(text.starts_with("stop-42-"), "{text}");
        assert_eq!(key.read(&text, NOW + LIFE), Ok(link));
        assert_eq!(key.read(&text, NOW + LIFE + Span::DAY), Err(BadLink::Expired));
        assert_eq!(LinkKey::new([8; 32]).read(&text, NOW), Err(BadLink::Unknown));
        assert_eq!(key.sign(&Link::new(Act::Stop, SentinelId(42), NOW + Span::HOUR)), text);
        for wrong in ["", "stop", "stop-42-1-", "x-y-z-00"] {
            assert_eq!(key.read(wrong, NOW), Err(BadLink::Unknown), "{wrong}");
        }
        for at in 0..text.len() {
            let other = if &text[at..=at] == "1" { "2" } else { "1" };
            let changed = format!("{}{other}{}", &text[..at], &text[at + 1..]);
            assert_eq!(key.read(&changed, NOW), Err(BadLink::Unknown), "{changed}");
        }
        assert_eq!(format!("{key:?}"), "LinkKey");
    }

    #[test]
    fn feeds_and_entries_have_names_of_their_own() {
        let (key, other) = (LinkKey::new([7; 32]), LinkKey::new([8; 32]));
        assert_eq!(key.feed([1; 16]), key.feed([1; 16]));
        assert_eq!(key.entry(SentinelId(1), 2), key.entry(SentinelId(1), 2));
        let all = [
            key.feed([1; 16]),
            key.feed([2; 16]),
            other.feed([1; 16]),
            key.entry(SentinelId(1), 2),
            key.entry(SentinelId(2), 1),
            other.entry(SentinelId(1), 2),
        ];
        let different: std::collections::BTreeSet<_> = all.into_iter().collect();
        assert_eq!(different.len(), all.len());
    }
}
