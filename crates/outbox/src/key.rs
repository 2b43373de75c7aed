//! Idempotency keys: the same facts give the same key, on every machine and after every crash.
//!
//! Whose sentinel or test it is enters with its id, in which the first owner's part is zero.

use crate::{ChannelRow, Detection, Health, Key, Kind, Part, PartKind, Window};
use chronon::NotificationId;

/// The key of a single detection on a channel: of its `change` row, and of its place in a digest.
/// The number, the time and the results of the detection do not enter it, but for results
/// of what no version tells; the count of what a rule told enters its own.
pub fn change_key(instance: &[u8; 16], channel: &ChannelRow, told: &Detection) -> Key {
    let mut hasher = Hasher::new(instance, Kind::Change, channel);
    hasher.detection(told);
    hasher.key()
}

/// The key of a digest, by the window's place and the fact that opened it; when it closes does not
/// enter.
pub(crate) fn digest_key(
    instance: &[u8; 16],
    channel: &ChannelRow,
    told: &Detection,
    window: &Window,
) -> Key {
    let mut hasher = Hasher::new(instance, Kind::Digest, channel);
    hasher.detection(told);
    hasher.number(window.t0.as_millis() as u64).number(window.number);
    hasher.number(window.ends.as_millis() as u64);
    hasher.key()
}

/// The key of a row that gathered further detections after the one whose key was `first`.
pub(crate) fn gathered_key(instance: &[u8; 16], channel: &ChannelRow, first: &Key) -> Key {
    let mut hasher = Hasher::new(instance, Kind::Digest, channel);
    hasher.text(&first.0);
    hasher.key()
}

/// The key of a source's health: (source, failing since).
pub(crate) fn health_key(instance: &[u8; 16], channel: &ChannelRow, health: &Health) -> Key {
    let mut hasher = Hasher::new(instance, health.kind, channel);
    hasher.number(health.sentinel.0);
    hasher.number(u64::from(health.generation));
    hasher.number(u64::from(health.source.0));
    hasher.number(health.failing_since.as_millis() as u64);
    hasher.key()
}

/// The key of a channel test. No fact stands behind a test but the wish for it, so its id is what
/// tells two tests apart.
pub(crate) fn test_key(instance: &[u8; 16], channel: &ChannelRow, id: NotificationId) -> Key {
    let mut hasher = Hasher::new(instance, Kind::ChannelTest, channel);
    hasher.number(id.0);
    hasher.key()
}

/// The key of what tells that a channel takes nothing: (channel, failing since).
pub(crate) fn failing_key(instance: &[u8; 16], channel: &ChannelRow, failed: &ChannelRow) -> Key {
    let mut hasher = Hasher::new(instance, Kind::ChannelFailing, channel);
    hasher.number(failed.id.0);
    let since = failed.course.failing.map_or(0, |failing| failing.since.as_millis());
    hasher.number(since as u64);
    hasher.key()
}

/// A number in 0 … 400 that depends on nothing but the row and the attempt: ± 20 % in thousandths.
pub(crate) fn jitter(instance: &[u8; 16], key: &Key, attempt: u32) -> i64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"retry").update(instance).update(key.0.as_bytes());
    hasher.update(&attempt.to_le_bytes());
    let bytes = hasher.finalize();
    i64::from(u16::from_le_bytes([bytes.as_bytes()[0], bytes.as_bytes()[1]]) % 401)
}

struct Hasher(blake3::Hasher);

impl Hasher {
    fn new(instance: &[u8; 16], kind: Kind, channel: &ChannelRow) -> Hasher {
        let mut hasher = Hasher(blake3::Hasher::new());
        hasher.0.update(b"tidings notification key 1").update(instance);
        hasher.text(kind.name());
        hasher.text(&channel.name);
        match &channel.contact {
            Some(contact) => hasher.number(1).text(contact.reveal()),
            None => hasher.number(0),
        };
        hasher
    }

    fn number(&mut self, number: u64) -> &mut Hasher {
        self.0.update(&number.to_le_bytes());
        self
    }

    /// With its length, so that no two sequences of texts run together.
    fn text(&mut self, text: &str) -> &mut Hasher {
        self.number(text.len() as u64).0.update(text.as_bytes());
        self
    }

    /// Lists of two lengths make two lengths of bytes: what follows is as long for each of a kind.
    fn detection(&mut self, told: &Detection) {
        self.number(told.sentinel.0).number(u64::from(told.generation));
        for piece in &told.evidence {
            self.number(u64::from(piece.source.0));
            self.number(u64::from(piece.from.0)).number(u64::from(piece.to.0));
            // How a source answers may change, and change again, while it shows one version.
            if piece.from == piece.to {
                self.0.update(&piece.result.0);
            }
        }
        // A rule may hear the same twice at one moment: its count tells which it was.
        if told.is_of_rule() {
            self.number(told.seq);
        }
        for part in &told.parts {
            self.part(part);
        }
    }

    fn part(&mut self, part: &Part) {
        self.number(part.at.as_millis() as u64);
        match &part.what {
            PartKind::Found(sentinel, found) => self.number(1).number(sentinel.0).number(found.0),
            PartKind::Started(sentinel) => self.number(2).number(sentinel.0),
            PartKind::Ended(sentinel) => self.number(3).number(sentinel.0),
            PartKind::Fetched(sentinel) => self.number(4).number(sentinel.0),
            PartKind::Failed(sentinel) => self.number(5).number(sentinel.0),
            PartKind::Raised(name) => self.number(6).text(name),
            PartKind::Clock => self.number(7),
        };
    }

    fn key(&self) -> Key {
        let hex = self.0.finalize().to_hex();
        Key(hex.as_str()[..32].into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ChannelId, DetectionId};
    use change::Evidence;
    use chronon::{BlobId, Instant, OwnerId, SentinelId, SourceId, VersionNo};

    /// The keys of a change, of a failing source and of a test, all of `owner`.
    fn keys(owner: OwnerId) -> [Box<str>; 3] {
        let (name, contact) = ("webhook".into(), Some("https://a.example/x".into()));
        let to = ChannelRow {
            id: ChannelId::of(owner, 3),
            name,
            contact,
            disabled: None,
            course: Default::default(),
        };
        let (sentinel, generation, source) = (SentinelId::of(owner, 7), 2, SourceId(3));
        let result = BlobId([0; 32]);
        let told = Detection {
            id: DetectionId::of(owner, 9),
            sentinel,
            generation,
            at: Instant::EPOCH,
            seq: 5,
            evidence: vec![Evidence { source, from: VersionNo(4), to: VersionNo(5), result }],
            combinations: Vec::new(),
            parts: Vec::new(),
            follow: None,
        };
        let (kind, note) = (Kind::SourceFailing, "".into());
        let failing_since = Instant::from_millis(1_800_000_000_000);
        let health = Health { kind, source, failing_since, note, sentinel, generation, seq: 6 };
        let (instance, test) = ([7; 16], NotificationId::of(owner, 8));
        let change = change_key(&instance, &to, &told);
        [change, health_key(&instance, &to, &health), test_key(&instance, &to, test)]
            .map(|key| key.0)
    }

    #[test]
    fn the_first_owners_keys_are_those_of_the_first_release() {
        let pinned = [
            "955e04539387742cc449f14d99a1714e",
            "eff9f488c0cad221eb36d29459954f10",
            "b46a5893277ee4682dfc89b726d481d5",
        ];
        assert_eq!(keys(OwnerId::FIRST), pinned.map(Box::from));
    }

    #[test]
    fn two_owners_of_the_same_never_share_a_key() {
        let (first, second) = (keys(OwnerId::FIRST), keys(OwnerId(2)));
        assert!(first.iter().all(|key| !second.contains(key)));
    }

    #[test]
    fn what_a_rule_heard_enters_its_key() {
        let (name, contact) = ("webhook".into(), None);
        let (id, course) = (ChannelId(3), Default::default());
        let to = ChannelRow { id, name, contact, disabled: None, course };
        let (sentinel, other) = (SentinelId(7), SentinelId(8));
        let kinds = [
            PartKind::Found(sentinel, DetectionId(1)),
            PartKind::Found(sentinel, DetectionId(2)),
            PartKind::Started(sentinel),
            PartKind::Started(other),
            PartKind::Ended(sentinel),
            PartKind::Fetched(sentinel),
            PartKind::Failed(sentinel),
            PartKind::Raised("deploy".into()),
            PartKind::Raised("rollback".into()),
            PartKind::Clock,
        ];
        let key = |kind: &PartKind, at: i64, seq: u64| {
            let told = Detection {
                id: DetectionId(9),
                sentinel,
                generation: 1,
                at: Instant::EPOCH,
                seq,
                evidence: Vec::new(),
                combinations: Vec::new(),
                parts: vec![Part { at: Instant::from_millis(at), what: kind.clone() }],
                follow: None,
            };
            change_key(&[7; 16], &to, &told).0
        };
        let mut keys: Vec<_> = kinds.iter().map(|kind| key(kind, 1, 1)).collect();
        keys.extend([key(&kinds[0], 2, 1), key(&kinds[0], 1, 2)]);
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), count, "two of these share a key");
    }
}
