//! Entries of a feed that earlier versions listed, with the same date.

use chronon::Instant;
use page::{Extract, Kind};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// Entries that came, and are older than the newest that was there: some may have been there
/// before.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// What may name each: a hash of its id or its title, with its date; and its id.
    open: FxHashMap<(u64, Instant), u64>,
    seen: FxHashSet<u64>,
}

impl Seen {
    pub(crate) fn candidates(old: &Extract, new: &Extract) -> Seen {
        let mut seen = Seen::default();
        if new.kind != Kind::Feed || old.kind != Kind::Feed {
            return seen;
        }
        let known: FxHashSet<u64> = entries(old).map(|entry| hash(entry.id)).collect();
        let Some(newest) = entries(old).filter_map(|entry| entry.at).max() else { return seen };
        for Entry { id, title, at } in entries(new) {
            let Some(at) = at.filter(|at| *at < newest) else { continue };
            if !known.contains(&hash(id)) {
                let names = [id, title].into_iter().filter(|name| !name.is_empty());
                seen.open.extend(names.map(|name| ((hash(name), at), hash(id))));
            }
        }
        seen
    }

    /// Whether an earlier version can say more.
    pub(crate) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    pub(crate) fn look(&mut self, earlier: &Extract) {
        for Entry { id, title, at } in entries(earlier) {
            let Some(at) = at else { continue };
            self.seen
                .extend([id, title].iter().filter_map(|name| self.open.get(&(hash(name), at))));
        }
        let Seen { open, seen } = self;
        open.retain(|_, id| !seen.contains(id));
    }

    /// Whether the entry that came with this id was listed before.
    pub(crate) fn has(&self, id: &str) -> bool {
        !self.seen.is_empty() && self.seen.contains(&hash(id))
    }
}

struct Entry<'e> {
    id: &'e str,
    title: &'e str,
    at: Option<Instant>,
}

/// The entries of a view of a feed: as blocks, or as items.
fn entries(extract: &Extract) -> impl Iterator<Item = Entry<'_>> {
    let blocks = extract.blocks.chunk_by(|one, next| one.key.is_some() && one.key == next.key);
    let blocks = blocks.filter_map(|blocks| {
        let first = blocks.first()?;
        Some(Entry { id: first.key.as_deref()?, title: &first.text, at: first.at })
    });
    let items = extract.items.iter();
    blocks.chain(items.map(|item| Entry { id: &item.id, title: &item.title, at: item.at }))
}

fn hash(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    hasher.finish()
}
