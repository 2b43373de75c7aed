mod bytes;
mod durable;
mod files;
mod plans;

use crate::{Faults, SqliteStore};
use store::Store;
use store::conformance::{Bench, INSTANCE};
use tempfile::TempDir;

struct SqliteBench {
    folder: TempDir,
    faults: Faults,
}

impl SqliteBench {
    fn new() -> SqliteBench {
        let folder = tempfile::tempdir().expect("a temporary directory");
        SqliteBench { folder, faults: Faults::default() }
    }
}

impl Bench for SqliteBench {
    fn open(&mut self) -> Box<dyn Store> {
        let path = self.folder.path().join("tidings.db");
        self.faults = Faults::default();
        let store = SqliteStore::open_with(&path, INSTANCE, self.faults.clone());
        Box::new(store.expect("the store opens"))
    }

    fn fail_write(&mut self, n: u64) {
        self.faults.fail_write(n);
    }
}

store::conformance_tests! { SqliteBench::new() }
