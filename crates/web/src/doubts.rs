//! Which pages hardly show what somebody wants to watch ([`trouble::doubt`]): known for long lists
//! without reading every version for each.

use crate::desk::Desk;
use crate::trouble;
use chronon::{SourceId, VersionNo};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use store::{Reader, StoreError};

/// Versions that are read while somebody waits for a list; the others are read meanwhile.
const READ_AT_ONCE: usize = 200;
/// Versions that are read between two looks at what is known.
const READ_TOGETHER: usize = 1_000;

/// What is known of current versions.
#[derive(Default)]
pub(crate) struct Doubts(Arc<Known>);

#[derive(Default)]
struct Known {
    /// The version that was read last of a source, and whether it is in doubt.
    pages: Mutex<HashMap<SourceId, (u32, bool)>>,
    is_reading: AtomicBool,
}

/// Sources whose page is in doubt, and those of which that is not known yet.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) in_doubt: HashSet<SourceId>,
    pub(crate) unread: HashSet<SourceId>,
}

impl Doubts {
    /// Which of these sources, with the numbers of their current versions, are in doubt, among as
    /// many that are `watched`. O(sources), and at most [`READ_AT_ONCE`] reads.
    pub(crate) async fn among(
        &self,
        desk: &Desk,
        wanted: Vec<(SourceId, u32)>,
        watched: usize,
    ) -> Result<Found, StoreError> {
        let known = Arc::clone(&self.0);
        known.forget(2 * watched + READ_TOGETHER);
        let (mut found, mut unread) = known.look(&wanted);
        let later = unread.split_off(unread.len().min(READ_AT_ONCE));
        if !unread.is_empty() {
            found = desk
                .read(move |reader| {
                    known.read(reader, &unread)?;
                    Ok(known.look(&wanted).0)
                })
                .await?;
        }
        found.unread = later.iter().map(|(source, _)| *source).collect();
        self.read_later(desk, later);
        Ok(found)
    }

    fn read_later(&self, desk: &Desk, later: Vec<(SourceId, u32)>) {
        if later.is_empty() || self.0.is_reading.swap(true, Ordering::AcqRel) {
            return;
        }
        let (known, desk) = (Arc::clone(&self.0), desk.clone());
        tokio::task::spawn_blocking(move || {
            for piece in later.chunks(READ_TOGETHER) {
                if let Err(error) = known.read(desk.reader(), piece) {
                    tracing::warn!(%error, "pages in doubt cannot be found");
                    break;
                }
            }
            known.is_reading.store(false, Ordering::Release);
        });
    }
}

impl Known {
    /// Sources that nobody watches any more are forgotten with all others, once they are many.
    fn forget(&self, pages_max: usize) {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        if pages.len() > pages_max {
            pages.clear();
        }
    }

    /// What is known of these, and which are to be read.
    fn look(&self, wanted: &[(SourceId, u32)]) -> (Found, Vec<(SourceId, u32)>) {
        let pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut found, mut unread) = (Found::default(), Vec::new());
        for &(source, version) in wanted.iter().filter(|(_, version)| *version > 0) {
            match pages.get(&source) {
                Some(&(of, in_doubt)) if of == version => {
                    if in_doubt {
                        found.in_doubt.insert(source);
                    }
                }
                _ => unread.push((source, version)),
            }
        }
        (found, unread)
    }

    fn read(&self, reader: &dyn Reader, wanted: &[(SourceId, u32)]) -> Result<(), StoreError> {
        let mut read = Vec::with_capacity(wanted.len());
        for &(source, version) in wanted {
            let row = reader.version(source, VersionNo(version))?;
            let doubt = match &row {
                Some(row) => trouble::doubt(reader, row)?,
                None => None,
            };
            read.push((source, (version, doubt.is_some())));
        }
        self.pages.lock().unwrap_or_else(PoisonError::into_inner).extend(read);
        Ok(())
    }
}
