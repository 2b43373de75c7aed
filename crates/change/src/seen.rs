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
    /// The ids of all entries of both versions: another one is not known by their titles.
    known: FxHashSet<u64>,
    seen: FxHashSet<u64>,
}

impl Seen {
    pub(crate) fn candidates(old: &Extract, new: &Extract) -> Seen {
        let mut seen = Seen::default();
        if new.kind != Kind::Feed || old.kind != Kind::Feed {
            return seen;
        }
        let before: FxHashSet<u64> = entries(old).map(|entry| hash(entry.id)).collect();
        let Some(newest) = entries(old).filter_map(|entry| entry.at).max() else { return seen };
        for Entry { id, title, at } in entries(new) {
            let Some(at) = at.filter(|at| *at < newest) else { continue };
            if !before.contains(&hash(id)) {
                let names = [id, title].into_iter().filter(|name| !name.is_empty());
                seen.open.extend(names.map(|name| ((hash(name), at), hash(id))));
            }
        }
        seen.known = before;
        seen.known.extend(entries(new).map(|entry| hash(entry.id)));
        seen
    }

    /// Whether an earlier version can say more.
    pub(crate) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    pub(crate) fn look(&mut self, earlier: &Extract) {
        for Entry { id, title, at } in entries(earlier) {
            let Some(at) = at else { continue };
            let named = |name: u64| self.open.get(&(name, at)).copied();
            let titled = || named(hash(title)).filter(|_| !self.known.contains(&hash(id)));
            self.seen.extend(named(hash(id)).or_else(titled));
        }
        let Seen { open, seen, .. } = self;
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

#[cfg(test)]
mod tests {
    use super::*;
    use page::Item;

    fn feed(entries: &[(&str, &str, i64)]) -> Extract {
        let item = |(id, title, at): &(&str, &str, i64)| Item {
            id: (*id).into(),
            title: (*title).into(),
            at: Some(Instant::from_millis(*at)),
            href: String::new(),
            text: String::new(),
        };
        Extract { items: entries.iter().map(item).collect(), ..Extract::empty(Kind::Feed) }
    }

    fn again(old: &Extract, new: &Extract, earlier: &Extract) -> Vec<String> {
        let mut seen = Seen::candidates(old, new);
        seen.look(earlier);
        let came = new.items.iter().filter(|item| seen.has(&item.id));
        came.map(|item| item.id.to_string()).collect()
    }

    #[test]
    fn an_entry_of_the_same_name_is_another_one_where_both_stand() {
        let old = feed(&[("z", "Newest", 9), ("a", "Out of order", 1)]);
        let both = feed(&[("z", "Newest", 9), ("a", "Out of order", 1), ("b", "Out of order", 1)]);
        let earlier = feed(&[("a", "Out of order", 1)]);
        assert!(again(&old, &both, &earlier).is_empty(), "b is of another lift");
        let none = feed(&[("z", "Newest", 9)]);
        assert_eq!(again(&none, &both, &earlier), ["a"], "b is of another lift");
        let renamed = feed(&[("z", "Newest", 9), ("b", "Out of order", 1)]);
        assert_eq!(again(&none, &renamed, &earlier), ["b"], "under another id");
    }
}
