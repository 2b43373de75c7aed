//! A new store takes the place of an old one, whenever the power fails.

use super::{beside, log_of};
use crate::file;
use std::io;
use std::path::Path;

/// A new file takes the place of an old one.
pub(super) struct Files<'a> {
    pub(super) path: &'a Path,
    pub(super) new: &'a Path,
    /// Where the old one stays.
    pub(super) before: &'a Path,
}

pub(super) fn swap(files: &Files<'_>) -> io::Result<()> {
    STEPS.iter().try_for_each(|step| step(files))
}

/// In this order, so that after each step, and within it, the old store or the new one is in place.
const STEPS: [fn(&Files<'_>) -> io::Result<()>; 3] =
    [|files| files.keep(), |files| files.drop_log(), |files| files.replace()];

impl Files<'_> {
    /// The old file gets a second name. Where the file system knows none it is copied.
    fn keep(&self) -> io::Result<()> {
        let log = log_of(self.path);
        let files = [(self.path, self.before), (&log, &log_of(self.before))];
        for (file, kept) in files.into_iter().filter(|(file, _)| file.exists()) {
            if std::fs::hard_link(file, kept).is_err() {
                std::fs::copy(file, kept)?;
                std::fs::File::open(kept)?.sync_all()?;
            }
        }
        std::fs::File::open(self.new)?.sync_all()?;
        file::sync_folder(self.path)
    }

    /// A log that could not be put into the old file must not be taken for the new one's.
    fn drop_log(&self) -> io::Result<()> {
        remove(&beside(self.path, "-shm"))?;
        remove(&log_of(self.path))?;
        file::sync_folder(self.path)
    }

    fn replace(&self) -> io::Result<()> {
        std::fs::rename(self.new, self.path)?;
        file::sync_folder(self.path)
    }
}

/// Removes a file, if it is there.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use rusqlite::Connection;

    fn number(path: &Path) -> i64 {
        let connection = Connection::open(path).unwrap();
        connection.query_row("SELECT number FROM t", [], |row| row.get(0)).unwrap()
    }

    fn make(path: &Path, number: i64) {
        let connection = Connection::open(path).unwrap();
        connection.pragma_update(None, "journal_mode", "WAL").unwrap();
        connection.execute_batch("CREATE TABLE t (number INTEGER)").unwrap();
        connection.execute("INSERT INTO t VALUES (?1)", [number]).unwrap();
    }

    #[test]
    fn power_lost_after_any_step_leaves_the_old_store_or_the_new_one_in_place() {
        for steps in 0..=STEPS.len() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("tidings.db");
            let (new, before) = (beside(&path, "repaired"), beside(&path, "damaged"));
            make(&path, 1);
            make(&new, 2);
            // One that could not be put into the old file.
            std::fs::write(log_of(&path), "no log at all").unwrap();
            let files = Files { path: &path, new: &new, before: &before };
            for (done, step) in STEPS[..steps].iter().enumerate() {
                assert!(path.exists(), "after {done} steps");
                step(&files).unwrap();
            }
            assert_eq!(number(&path), if steps == STEPS.len() { 2 } else { 1 });
            assert!(steps == 0 || number(&before) == 1);
        }
    }
}
