//! Extracts that were decoded or made a moment ago: a changed page is compared right after it was
//! read, with the version that it was read beside.

use chronon::BlobId;
use page::{Block, Extract, Image, Item, Link};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Extracts that are kept, and the bytes of them all; the oldest goes first.
const EXTRACTS_MAX: usize = 64;
const BYTES_MAX: usize = 8 << 20;

/// The extracts of the looks under way, by the names of their encoded bytes: what is kept here
/// never goes stale.
#[derive(Debug, Default)]
pub(crate) struct Expected(Mutex<Shelf>);

#[derive(Debug, Default)]
struct Shelf {
    bytes: usize,
    extracts: VecDeque<(BlobId, usize, Arc<Extract>)>,
}

impl Expected {
    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get(&self, id: BlobId) -> Option<Arc<Extract>> {
        let shelf = self.shelf();
        let found = shelf.extracts.iter().rfind(|(known, ..)| *known == id);
        found.map(|(.., extract)| Arc::clone(extract))
    }

    pub(crate) fn keep(&self, id: BlobId, extract: &Arc<Extract>) {
        let size = bytes(extract);
        let mut shelf = self.shelf();
        if shelf.extracts.iter().any(|(known, ..)| *known == id) {
            return;
        }
        shelf.bytes += size;
        shelf.extracts.push_back((id, size, Arc::clone(extract)));
        while shelf.extracts.len() > EXTRACTS_MAX || shelf.bytes > BYTES_MAX {
            let Some((_, size, _)) = shelf.extracts.pop_front() else { return };
            shelf.bytes -= size;
        }
    }
}

/// What an extract takes, its rarest parts aside.
fn bytes(extract: &Extract) -> usize {
    let texts = extract.blocks.iter().map(|block| size_of::<Block>() + block.text.len());
    let links = extract.links.iter().map(|one| size_of::<Link>() + one.href.len() + one.text.len());
    let images =
        extract.images.iter().map(|one| size_of::<Image>() + one.src.len() + one.alt.len());
    let items =
        extract.items.iter().map(|one| size_of::<Item>() + one.title.len() + one.text.len());
    texts.chain(links).chain(images).chain(items).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extract(text: String) -> Arc<Extract> {
        let encoded = br#"{"extractor":1,"kind":"text","title":null,"blocks":[],"links":[],
            "images":[],"feeds":[]}"#;
        let mut extract = page::decode(encoded).expect("it is one");
        extract.blocks.push(Block::plain(text));
        Arc::new(extract)
    }

    #[test]
    fn the_oldest_goes_first_and_both_limits_hold() {
        let (expected, small) = (Expected::default(), extract("Lisbon".into()));
        let id = |n: u8| BlobId([n; 32]);
        for n in 0..=EXTRACTS_MAX as u8 {
            expected.keep(id(n), &small);
            expected.keep(id(n), &small);
        }
        assert!(expected.get(id(0)).is_none() && expected.get(id(1)).is_some());
        assert_eq!(expected.shelf().bytes, EXTRACTS_MAX * bytes(&small));
        let large = extract("Lisbon ".repeat(BYTES_MAX / 7 - 100));
        expected.keep(id(100), &large);
        assert!(expected.shelf().bytes <= BYTES_MAX && expected.get(id(100)).is_some());
        expected.keep(id(101), &large);
        assert!(expected.get(id(100)).is_none() && expected.get(id(101)).is_some());
    }
}
