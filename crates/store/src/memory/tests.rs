use super::MemoryStore;
use crate::conformance::{Bench, INSTANCE};
use crate::{Batch, Store};
use kernel::Record;
use kernel::record::Meta;

struct MemoryBench {
    disk: MemoryStore,
    fail: fn(&MemoryStore, u64),
}

impl Bench for MemoryBench {
    fn open(&mut self) -> Box<dyn Store> {
        Box::new(self.disk.same_disk())
    }

    fn fail_write(&mut self, n: u64) {
        self.disk.heal();
        if n > 0 {
            (self.fail)(&self.disk, n);
        }
    }
}

/// Prune and sweep cannot fail in memory: one write, which is the append.
macro_rules! memory_tests {
    ($module:ident, $fail:path) => {
        mod $module {
            use super::*;

            fn bench() -> MemoryBench {
                MemoryBench { disk: MemoryStore::new(INSTANCE), fail: $fail }
            }

            crate::conformance_tests! { bench() }
        }
    };
}

memory_tests!(failing_before_the_write, MemoryStore::fail_append);
memory_tests!(failing_after_the_write, MemoryStore::lose_answer);

fn epoch(epoch: u64) -> Batch {
    let meta = Meta { instance: INSTANCE, epoch, ..Meta::default() };
    Batch { records: vec![Record::Meta(meta)], ..Batch::default() }
}

fn epoch_of(store: &MemoryStore) -> u64 {
    store.reader().snapshot().unwrap().meta.epoch
}

#[test]
fn a_crash_keeps_what_was_appended_and_nothing_that_comes_later() {
    let mut store = MemoryStore::new(INSTANCE);
    store.append(&epoch(1)).unwrap();
    store.fail_append(1);
    let mut survivor = store.crash();
    assert!(store.append(&epoch(2)).is_err());
    store.append(&epoch(2)).unwrap();
    assert_eq!((epoch_of(&store), epoch_of(&survivor)), (2, 1));
    survivor.append(&epoch(3)).unwrap();
    assert_eq!((epoch_of(&store), epoch_of(&survivor)), (2, 3));
}

#[test]
fn an_append_whose_answer_is_lost_is_durable() {
    let mut store = MemoryStore::new(INSTANCE);
    store.lose_answer(2);
    store.append(&epoch(1)).unwrap();
    assert!(store.append(&epoch(2)).is_err());
    assert_eq!(epoch_of(&store.crash()), 2);
    store.append(&epoch(2)).unwrap();
}
