//! Bytes that were stored or read lately, so that a look at a page that changed decodes no chain:
//! what is stored by one task is read by the next, and is the base of the next version.
//!
//! Blobs have the names of their bytes, so that what is kept here never goes stale. Whether a blob
//! still is stored is the table's to say.

use chronon::BlobId;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All that is kept, in bytes, with what it takes to keep it.
const BYTES_MAX: usize = 32 << 20;
/// A blob's places in both maps, whose nodes are not full.
const PLACES_BYTES: usize = 256;
/// Larger blobs would push out too many others.
const BLOB_BYTES_MAX: usize = BYTES_MAX / 16;

/// The blobs used last, up to [`BYTES_MAX`]. Looking up and keeping take logarithmic time.
#[derive(Debug, Default)]
pub(crate) struct Recent(Mutex<Shelf>);

#[derive(Debug, Default)]
struct Shelf {
    bytes: usize,
    /// Counts uses.
    now: u64,
    blobs: HashMap<BlobId, Kept>,
    /// Who was used when.
    uses: BTreeMap<u64, BlobId>,
}

#[derive(Debug)]
struct Kept {
    used: u64,
    bytes: Arc<[u8]>,
}

impl Recent {
    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get(&self, id: BlobId) -> Option<Arc<[u8]>> {
        let mut shelf = self.shelf();
        let bytes = Arc::clone(&shelf.blobs.get(&id)?.bytes);
        shelf.use_now(id, &bytes);
        Some(bytes)
    }

    /// Keeps bytes whose hash is known to be `id`.
    pub(crate) fn keep(&self, id: BlobId, bytes: &Arc<[u8]>) {
        if bytes.len() <= BLOB_BYTES_MAX {
            self.shelf().use_now(id, bytes);
        }
    }
}

impl Shelf {
    fn use_now(&mut self, id: BlobId, bytes: &Arc<[u8]>) {
        self.now += 1;
        let kept = Kept { used: self.now, bytes: Arc::clone(bytes) };
        match self.blobs.insert(id, kept) {
            Some(before) => drop(self.uses.remove(&before.used)),
            None => self.bytes += taken(bytes),
        }
        self.uses.insert(self.now, id);
        while self.bytes > BYTES_MAX {
            let Some((_, oldest)) = self.uses.pop_first() else { return };
            let gone = self.blobs.remove(&oldest);
            self.bytes -= gone.map_or(0, |gone| taken(&gone.bytes));
        }
    }
}

/// Allocators round lengths up, by an eighth where it is most.
fn taken(bytes: &[u8]) -> usize {
    bytes.len() + bytes.len() / 8 + PLACES_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: usize) -> BlobId {
        BlobId(*blake3::hash(&n.to_le_bytes()).as_bytes())
    }

    #[test]
    fn what_was_used_least_lately_goes_first_and_the_budget_holds() {
        let recent = Recent::default();
        let page: Arc<[u8]> = vec![7; BLOB_BYTES_MAX].into();
        for n in 0..14 {
            recent.keep(id(n), &page);
            recent.keep(id(n), &page);
        }
        assert!(recent.get(id(0)).is_some(), "fourteen of the largest fit");
        recent.keep(id(14), &page);
        assert!(recent.get(id(1)).is_none() && recent.get(id(0)).is_some());
        let shelf = recent.shelf();
        assert_eq!((shelf.blobs.len(), shelf.uses.len()), (14, 14));
        assert_eq!(shelf.bytes, 14 * taken(&page));
        assert!(shelf.bytes <= BYTES_MAX);
    }

    #[test]
    fn what_is_too_large_is_not_kept() {
        let recent = Recent::default();
        recent.keep(id(1), &vec![7; BLOB_BYTES_MAX + 1].into());
        assert!(recent.get(id(1)).is_none());
    }
}
