//! The newest versions of pages that stand still: a look at one costs a hash, or a reading where
//! its bytes are others than ever, and nothing is asked of the store.
//!
//! A version is known from a look that showed it until one that may show another. So long nothing
//! newer is stored: looks at a source come one after the other.

use chronon::SourceId;
use jobs::Standing;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Versions that are known at one time: some 20 MB, and up to 64 of the places from which nothing
/// is read.
const KNOWN_MAX: usize = 1 << 15;
/// Bytes of the texts of one; longer ones are asked of the store.
const TEXT_BYTES_MAX: usize = 1_024;

/// Clones are the same.
#[derive(Debug, Clone, Default)]
pub struct Newest(Arc<Mutex<Known>>);

#[derive(Debug, Default)]
struct Known {
    versions: BTreeMap<SourceId, Arc<Standing>>,
    /// The source that made room last; the one before it is the next.
    hand: Option<SourceId>,
}

impl Newest {
    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn get(&self, source: SourceId) -> Option<Arc<Standing>> {
        self.lock().versions.get(&source).cloned()
    }

    /// The newest version of a source, which a look has just shown. Logarithmic.
    pub fn keep(&self, source: SourceId, newest: &Standing) {
        if newest.text_bytes() <= TEXT_BYTES_MAX && newest.lasts() {
            self.lock().keep(source, Arc::new(newest.clone()));
        }
    }

    /// A look may show another version than the one that is known: it is known no longer.
    pub fn take(&self, source: SourceId) -> Option<Arc<Standing>> {
        self.lock().versions.remove(&source)
    }
}

impl Known {
    fn keep(&mut self, source: SourceId, newest: Arc<Standing>) {
        self.versions.insert(source, newest);
        if self.versions.len() > KNOWN_MAX {
            // Backwards: what makes room is never what is looked at next, where pages have turns.
            let before = self.hand.map_or(Bound::Unbounded, Bound::Excluded);
            let next = self.versions.range((Bound::Unbounded, before)).next_back();
            let gone = next.or_else(|| self.versions.last_key_value()).map(|(id, _)| *id);
            self.hand = gone;
            if let Some(gone) = gone {
                self.versions.remove(&gone);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing() -> Standing {
        let body = jobs::Content {
            body: b"<p>Lisbon 40</p>",
            content_type: Some("text/html"),
            final_url: "https://a.example/",
        };
        let read = jobs::extract(body, [], &page::Limits::default()).expect("a page");
        Standing::stored(read.into_facts().0)
    }

    #[test]
    fn a_version_is_known_until_it_is_forgotten() {
        let (newest, standing) = (Newest::default(), standing());
        assert!(newest.get(SourceId(1)).is_none());
        newest.keep(SourceId(1), &standing);
        for known in [newest.get(SourceId(1)), newest.take(SourceId(1))] {
            assert_eq!(known.map(|known| known.facts.clone()), Some(standing.facts.clone()));
        }
        assert!(newest.get(SourceId(1)).is_none());
    }

    #[test]
    fn what_is_odd_or_long_is_not_known() {
        let newest = Newest::default();
        let mut odd = standing();
        odd.facts.odd = Some(page::Odd::Small);
        newest.keep(SourceId(1), &odd);
        let mut long = standing();
        long.facts.summary = "x".repeat(TEXT_BYTES_MAX + 1).into();
        newest.keep(SourceId(2), &long);
        assert!(newest.get(SourceId(1)).or(newest.get(SourceId(2))).is_none());
    }

    #[test]
    fn versions_are_bounded_and_pages_in_turn_keep_most_of_theirs() {
        let (newest, standing) = (Newest::default(), standing());
        let most = u32::try_from(KNOWN_MAX).expect("it is small");
        let sources = || (1..=most + 100).map(SourceId);
        for _ in 0..2 {
            sources().for_each(|source| newest.keep(source, &standing));
        }
        let known = sources().filter(|source| newest.get(*source).is_some()).count();
        assert_eq!(known, KNOWN_MAX);
        let known = sources().filter(|source| {
            let is_known = newest.get(*source).is_some();
            newest.keep(*source, &standing);
            is_known
        });
        assert!(known.count() > KNOWN_MAX / 2, "the next round finds them");
    }
}
