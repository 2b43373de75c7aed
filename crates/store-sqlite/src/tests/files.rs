//! The file: whose it is, what is wrong with it, a copy of it.

use crate::file::immutable;
use crate::read::SqliteReader;
use crate::{APPLICATION_ID, FORMAT, Faults, SqliteStore, backup};
use chronon::{Instant, SourceId, VersionNo};
use kernel::Record;
use kernel::record::{ExtractRef, Meta, VersionFacts, VersionRow};
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::sync::Arc;
use store::{Batch, Reader, Store, StoreError, blob};

const INSTANCE: [u8; 16] = [3; 16];

pub(super) fn version(number: u32, body: Vec<u8>) -> Batch {
    let (body, extract) = (blob(body), blob(format!("extract {number}").into_bytes()));
    let facts = VersionFacts {
        fingerprint: [1; 32],
        kind: page::Kind::Html,
        odd: None,
        body: body.0,
        extracts: ExtractRef { extractor: 1, blob: extract.0 }.of_page(),
        status: 200,
        media_type: "text/html".into(),
        final_url: "https://air.example/".into(),
        etag: None,
        last_modified: None,
        modified_at: None,
        summary: "".into(),
    };
    let (source, number) = (SourceId(1), VersionNo(number));
    let fetched_at = Instant::from_millis(i64::from(number.0));
    let row = VersionRow { source, number, fetched_at, held: false, facts };
    Batch { records: vec![Record::Version(Box::new(row))], blobs: vec![body, extract] }
}

/// Bytes that do not compress, different for every seed.
pub(super) fn noise(seed: u64, blocks: u64) -> Vec<u8> {
    let block = |n: u64| *blake3::hash(&(seed << 32 | n).to_le_bytes()).as_bytes();
    (0..blocks).flat_map(block).collect()
}

fn with_file(test: impl FnOnce(&Path)) {
    let folder = tempfile::tempdir().unwrap();
    test(&folder.path().join("tidings.db"));
}

fn refusal(path: &Path) -> StoreError {
    SqliteStore::open(path, INSTANCE).map(drop).unwrap_err()
}

#[test]
fn a_week_whose_bytes_are_damaged_is_read_as_numbers_that_cannot_be_right() {
    with_file(|path| {
        let mut store = SqliteStore::open(path, INSTANCE).unwrap();
        let week = schedule::WeekRecord {
            discounted: Instant::EPOCH,
            hours: vec![2.5; 168],
            company: Vec::new(),
        };
        let records = vec![Record::Week(week.clone())];
        store.append(&Batch { records, ..Batch::default() }).unwrap();
        assert_eq!(store.reader().snapshot().unwrap().week, Some(week));
        store.connection.execute("UPDATE week SET hours = x'00002040ff'", []).unwrap();
        let read = store.reader().snapshot().unwrap().week.unwrap();
        assert!(read.hours.len() == 2 && read.hours[1].is_nan(), "{read:?}");
    });
}

#[test]
fn an_old_store_keeps_its_instance() {
    with_file(|path| {
        for fresh in [INSTANCE, [4; 16]] {
            let store = SqliteStore::open(path, fresh).unwrap();
            assert_eq!(store.reader().meta().unwrap().instance, INSTANCE);
            store.check().unwrap();
        }
    });
}

#[test]
fn a_file_of_a_newer_tidings_is_refused_and_not_touched() {
    with_file(|path| {
        drop(SqliteStore::open(path, INSTANCE).unwrap());
        let other = Connection::open(path).unwrap();
        other.pragma_update(None, "user_version", FORMAT + 1).unwrap();
        drop(other);
        let before = std::fs::read(path).unwrap();
        let error = refusal(path);
        let shown = path.display().to_string();
        assert_eq!(error, StoreError::Newer { path: shown, found: FORMAT + 1, known: FORMAT });
        assert!(error.to_string().contains("newer Tidings"));
        assert_eq!(std::fs::read(path).unwrap(), before);
    });
}

#[test]
fn a_file_with_the_tables_of_a_build_between_releases_is_refused_and_says_so() {
    with_file(|path| {
        drop(SqliteStore::open(path, INSTANCE).unwrap());
        let other = Connection::open(path).unwrap();
        other.execute_batch("ALTER TABLE schedule DROP COLUMN last_success").unwrap();
        drop(other);
        let said = refusal(path).to_string();
        assert!(said.contains("`schedule` is not that of format"), "{said}");
        assert!(said.contains("move it away"), "{said}");
    });
}

#[test]
fn a_file_of_another_program_is_refused_and_not_touched() {
    let someone_elses = |path: &Path| {
        let other = Connection::open(path).unwrap();
        other.execute_batch("CREATE TABLE bookmarks (url TEXT)").unwrap();
    };
    let text = |path: &Path| std::fs::write(path, "not a database at all. ".repeat(99)).unwrap();
    for make in [&someone_elses as &dyn Fn(&Path), &text] {
        with_file(|path| {
            make(path);
            let before = std::fs::read(path).unwrap();
            assert_eq!(refusal(path), StoreError::Foreign(path.display().to_string()));
            assert_eq!(std::fs::read(path).unwrap(), before);
        });
    }
}

#[test]
fn a_damaged_file_is_refused() {
    with_file(|path| {
        let mut store = SqliteStore::open(path, INSTANCE).unwrap();
        (1..=9).for_each(|n| store.append(&version(n, noise(n.into(), 2_000))).unwrap());
        drop(store);
        let whole = std::fs::read(path).unwrap();
        std::fs::write(path, &whole[..whole.len() / 2]).unwrap();
        assert!(matches!(refusal(path), StoreError::Damaged(_)), "cut in half");
        let mut scribbled = whole.clone();
        scribbled[4_096 * 2..4_096 * 8].fill(0x5a);
        std::fs::write(path, &scribbled).unwrap();
        assert!(matches!(refusal(path), StoreError::Damaged(_)), "scribbled over");
    });
}

#[test]
fn a_blob_with_other_bytes_than_it_was_stored_with_is_damage() {
    with_file(|path| {
        let mut store = SqliteStore::open(path, INSTANCE).unwrap();
        let batch = version(1, noise(1, 100));
        store.append(&batch).unwrap();
        let swapped = "UPDATE blobs SET data = zeroblob(length(data))";
        store.connection.execute(swapped, []).unwrap();
        // Another reader: the store has the bytes at hand.
        let reader = SqliteReader::new(path, Arc::default());
        let error = reader.blob(batch.blobs[0].0).unwrap_err();
        assert!(matches!(error, StoreError::Damaged(_)), "{error}");
    });
}

#[test]
fn a_blob_that_says_it_is_huge_is_damage() {
    with_file(|path| {
        let mut store = SqliteStore::open(path, INSTANCE).unwrap();
        let batch = version(1, vec![7; 10_000]);
        store.append(&batch).unwrap();
        for size in [4_000_000_000_u32, 9_999, 10_001] {
            store.connection.execute("UPDATE blobs SET size = ?1", [size]).unwrap();
            let reader = SqliteReader::new(path, Arc::default());
            let error = reader.blob(batch.blobs[0].0).unwrap_err();
            assert!(matches!(error, StoreError::Damaged(_)), "{size}: {error}");
        }
    });
}

#[test]
fn a_full_disk_is_said_and_the_same_batch_passes_once_there_is_room() {
    with_file(|path| {
        let mut store = SqliteStore::open(path, INSTANCE).unwrap();
        store.append(&version(1, b"small".to_vec())).unwrap();
        let pages: i64 =
            store.connection.query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
        store.connection.pragma_update(None, "max_page_count", pages + 2).unwrap();
        let batch = version(2, noise(2, 2_000));
        for _ in 0..3 {
            let error = store.append(&batch).unwrap_err();
            assert!(matches!(error, StoreError::Full(_)), "{error}");
            assert!(error.to_string().contains("free some space"));
            let reader = store.reader();
            assert_eq!(reader.versions(SourceId(1), None, 9).unwrap().len(), 1);
            assert_eq!(reader.blob(batch.blobs[0].0).unwrap(), None);
        }
        store.connection.pragma_update(None, "max_page_count", 1_000_000).unwrap();
        store.append(&batch).unwrap();
        assert_eq!(store.reader().blob(batch.blobs[0].0).unwrap(), Some(batch.blobs[0].1.clone()));
        store.check().unwrap();
    });
}

#[test]
fn a_store_that_cannot_be_written_says_so_and_can_still_be_read() {
    with_file(|path| {
        let mut store = SqliteStore::open(path, INSTANCE).unwrap();
        store.append(&version(1, b"small".to_vec())).unwrap();
        store.connection.pragma_update(None, "query_only", true).unwrap();
        let error = store.append(&version(2, b"more".to_vec())).unwrap_err();
        assert!(matches!(error, StoreError::ReadOnly(_)), "{error}");
        assert_eq!(store.reader().versions(SourceId(1), None, 9).unwrap().len(), 1);
    });
}

#[test]
fn a_second_writer_is_told_that_the_store_is_in_use() {
    with_file(|path| {
        let mut store = SqliteStore::open(path, INSTANCE).unwrap();
        store.connection.busy_timeout(std::time::Duration::ZERO).unwrap();
        let other = SqliteStore::open_with(path, INSTANCE, Faults::default()).unwrap();
        other.connection.execute_batch("BEGIN IMMEDIATE").unwrap();
        let error = store.append(&version(1, b"small".to_vec())).unwrap_err();
        assert!(matches!(error, StoreError::Busy(_)), "{error}");
        other.connection.execute_batch("ROLLBACK").unwrap();
        store.append(&version(1, b"small".to_vec())).unwrap();
    });
}

#[test]
fn a_backup_opens_as_a_store_with_everything_committed() {
    with_file(|path| {
        let mut store = SqliteStore::open(path, INSTANCE).unwrap();
        (1..=20).for_each(|n| store.append(&version(n, noise(7, 100 + u64::from(n)))).unwrap());
        let copy = path.with_file_name("copy.db");
        store.backup(&copy, [8; 16]).unwrap();
        #[cfg(unix)]
        {
            let mode = std::fs::metadata(&copy).unwrap().permissions();
            let mode = std::os::unix::fs::PermissionsExt::mode(&mode);
            assert_eq!(mode & 0o077, 0, "{mode:o}: it holds what the store holds");
        }
        store.append(&version(21, b"later".to_vec())).unwrap();
        let restored = SqliteStore::open(&copy, [9; 16]).unwrap();
        restored.check().unwrap();
        // What it tells from here on is told by keys of its own.
        assert_eq!(restored.reader().meta().unwrap().instance, [8; 16]);
        assert_eq!(store.reader().meta().unwrap().instance, INSTANCE);
        let versions = restored.reader().versions(SourceId(1), None, 99).unwrap();
        assert_eq!(versions.len(), 20);
        for row in versions {
            assert!(restored.reader().blob(row.facts.body).unwrap().is_some());
        }
        let error = store.backup(&copy, [8; 16]).unwrap_err();
        assert!(error.to_string().contains("exists already"), "{error}");
        assert!(
            backup(&path.with_file_name("absent.db"), &path.with_file_name("c"), [8; 16]).is_err()
        );
        let left: Vec<_> = std::fs::read_dir(path.parent().unwrap())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".part") || name == "c")
            .collect();
        assert_eq!(left, [""; 0]);
    });
}

#[test]
fn the_file_says_whose_it_is_and_syncs_every_commit() {
    with_file(|path| {
        let store = SqliteStore::open(path, INSTANCE).unwrap();
        let number = |pragma: &str| -> i64 {
            let sql = format!("PRAGMA {pragma}");
            store.connection.query_row(&sql, [], |row| row.get(0)).unwrap()
        };
        assert_eq!(number("application_id"), APPLICATION_ID);
        assert_eq!(number("user_version"), FORMAT);
        assert_eq!((number("synchronous"), number("foreign_keys")), (2, 1));
        let mode: String =
            store.connection.query_row("PRAGMA journal_mode", [], |row| row.get(0)).unwrap();
        assert_eq!(mode, "wal");
        assert_eq!(store.reader().meta().unwrap(), Meta { instance: INSTANCE, ..Meta::default() });
    });
}

#[test]
fn a_damaged_row_names_its_table_and_repair_sets_it_aside_and_keeps_the_rest() {
    with_file(|path| {
        let mut store = SqliteStore::open(path, INSTANCE).unwrap();
        (1..=9).for_each(|n| store.append(&version(n, noise(n.into(), 20))).unwrap());
        store
            .connection
            .execute("UPDATE versions SET kind = 'nonsense' WHERE number = 4", [])
            .unwrap();
        let error = store.reader().versions(SourceId(1), None, 99).unwrap_err().to_string();
        assert!(error.contains("table `versions`") && error.contains("tidings repair"), "{error}");
        drop(store);

        let repaired = crate::repair(path, [7; 16]).unwrap();
        assert!(repaired.tables.contains(&("versions".to_owned(), 8, 1)), "{repaired:?}");
        let aside = std::fs::read_to_string(&repaired.aside).unwrap();
        assert!(aside.lines().count() == 1 && aside.contains("nonsense"), "{aside}");
        assert!(repaired.before.exists());
        let store = SqliteStore::open(path, [9; 16]).unwrap();
        store.check().unwrap();
        assert_eq!(store.reader().meta().unwrap().instance, INSTANCE);
        let versions = store.reader().versions(SourceId(1), None, 99).unwrap();
        assert_eq!(versions.len(), 8);
        for row in versions {
            assert!(store.reader().blob(row.facts.body).unwrap().is_some());
        }
    });
}

#[test]
fn a_version_that_lost_its_extract_is_kept_and_an_extract_that_lost_its_version_is_not() {
    with_file(|path| {
        let mut store = SqliteStore::open(path, INSTANCE).unwrap();
        (1..=3).for_each(|n| store.append(&version(n, noise(n.into(), 20))).unwrap());
        let lose = "PRAGMA foreign_keys = OFF; DROP TRIGGER versions_loosen;
            DELETE FROM blobs WHERE number = (SELECT extract FROM extracts WHERE version = 1);
            DELETE FROM versions WHERE number = 2";
        store.connection.execute_batch(lose).unwrap();
        drop(store);

        let repaired = crate::repair(path, [7; 16]).unwrap();
        assert!(repaired.tables.contains(&("extracts".to_owned(), 1, 0)), "{repaired:?}");
        let store = SqliteStore::open(path, [9; 16]).unwrap();
        store.check().unwrap();
        let versions = store.reader().versions(SourceId(1), None, 99).unwrap();
        let whole: Vec<_> =
            versions.iter().map(|row| (row.number.0, row.facts.whole().is_some())).collect();
        assert_eq!(whole, [(3, true), (1, false)]);
    });
}

#[test]
fn versions_whose_source_is_lost_are_kept_and_the_loss_of_their_address_is_said() {
    with_file(|path| {
        let mut store = SqliteStore::open(path, INSTANCE).unwrap();
        (1..=3).for_each(|n| store.append(&version(n, noise(n.into(), 20))).unwrap());
        let lose = "UPDATE versions SET final_url = NULL WHERE number < 3";
        store.connection.execute_batch(lose).unwrap();
        drop(store);

        let repaired = crate::repair(path, [7; 16]).unwrap();
        let said = "table `versions`: the addresses of 2 rows, with the sources that had them";
        assert_eq!(repaired.lost, [said]);
        let store = SqliteStore::open(path, [9; 16]).unwrap();
        assert_eq!(store.reader().versions(SourceId(1), None, 99).unwrap().len(), 3);
    });
}

/// Makes a store of 40 versions, and overwrites at most `pages` pages from its middle on.
fn break_in_the_middle(path: &Path, pages: usize) {
    let mut store = SqliteStore::open(path, INSTANCE).unwrap();
    (1..=40).for_each(|n| store.append(&version(n, noise(n.into(), 200))).unwrap());
    drop(store);
    let mut bytes = std::fs::read(path).unwrap();
    let middle = bytes.len() / 4_096 / 2 * 4_096;
    bytes[middle..].iter_mut().take(pages.saturating_mul(4_096)).for_each(|byte| *byte = 0x5a);
    std::fs::write(path, &bytes).unwrap();
}

#[test]
fn a_store_with_a_broken_page_is_repaired_to_what_can_be_read() {
    with_file(|path| {
        break_in_the_middle(path, 1);
        crate::repair(path, [7; 16]).unwrap();
        let store = SqliteStore::open(path, [9; 16]).unwrap();
        store.check().unwrap();
        let versions = store.reader().versions(SourceId(1), None, 99).unwrap();
        assert!((1..=40).contains(&versions.len()), "{}", versions.len());
        for row in versions {
            assert!(store.reader().blob(row.facts.whole().unwrap()).unwrap().is_some());
        }
    });
}

#[test]
fn a_store_that_does_not_say_whose_it_is_is_repaired_and_counts_on_from_what_it_holds() {
    for damage in ["DELETE FROM meta", "UPDATE meta SET instance = x'00'"] {
        with_file(|path| {
            let mut store = SqliteStore::open(path, INSTANCE).unwrap();
            (1..=9).for_each(|n| store.append(&version(n, noise(n.into(), 20))).unwrap());
            store.connection.execute("INSERT INTO sources_gone VALUES (41)", []).unwrap();
            store.connection.execute(damage, []).unwrap();
            drop(store);
            assert!(matches!(refusal(path), StoreError::Damaged(_)), "{damage}");

            let repaired = crate::repair(path, [7; 16]).unwrap();
            let said = repaired.lost.iter().any(|said| said.contains("new identity"));
            assert!(said, "{repaired:?}");
            let store = SqliteStore::open(path, [9; 16]).unwrap();
            let meta = store.reader().meta().unwrap();
            assert_eq!((meta.instance, meta.next_source, meta.spread), ([7; 16], 42, true));
            assert!(meta.newest > Instant::from_millis(0));
            assert_eq!(store.reader().versions(SourceId(1), None, 99).unwrap().len(), 9);
        });
    }
}

#[test]
fn what_is_no_store_at_all_is_not_repaired_and_stays_as_it_is() {
    with_file(|path| {
        std::fs::write(path, "nothing to read here. ".repeat(400)).unwrap();
        let said = crate::repair(path, [7; 16]).unwrap_err().to_string();
        assert!(said.contains("nothing of it can be read") && said.contains("backup"), "{said}");
        assert!(std::fs::read(path).unwrap().starts_with(b"nothing to read"));
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    });
}

#[test]
fn a_damaged_store_is_not_copied_and_who_asks_hears_what_to_do() {
    with_file(|path| {
        break_in_the_middle(path, usize::MAX);
        let copy = path.with_file_name("copy.db");
        let error = backup(path, &copy, [8; 16]).unwrap_err();
        assert!(matches!(error, StoreError::Damaged(_)), "{error:?}");
        assert!(error.to_string().contains("tidings repair") && !copy.exists(), "{error}");
        std::fs::write(path, "nothing to read here. ".repeat(400)).unwrap();
        let error = backup(path, &copy, [8; 16]).unwrap_err();
        assert!(matches!(error, StoreError::Foreign(_)) && !copy.exists(), "{error:?}");
    });
}

/// Opens, reads and repairs a store whose file was damaged at twenty places.
fn damaged(damage: impl Fn(&mut Vec<u8>, usize)) {
    with_file(|path| {
        let mut store = SqliteStore::open(path, INSTANCE).unwrap();
        (1..=5).for_each(|n| store.append(&version(n, noise(n.into(), 50))).unwrap());
        drop(store);
        let whole = std::fs::read(path).unwrap();
        for place in 0..20_usize {
            let mut bytes = whole.clone();
            // A prime: the places lie all over the file.
            damage(&mut bytes, (3 * place + 1) * 7_919 % whole.len());
            std::fs::write(path, &bytes).unwrap();
            if let Ok(store) = SqliteStore::open(path, INSTANCE) {
                let reader = store.reader();
                // Whatever it says, it says it.
                let _ = (reader.snapshot(), reader.versions(SourceId(1), None, 99));
            }
            let _ = crate::repair(path, [7; 16]);
        }
    });
}

#[test]
fn a_store_cut_short_gives_a_sentence_and_no_panic() {
    damaged(|bytes, at| bytes.truncate(at));
}

#[test]
fn a_byte_that_turned_gives_a_sentence_and_no_panic() {
    damaged(|bytes, at| bytes[at] ^= 0xff);
}

#[test]
fn a_stretch_overwritten_gives_a_sentence_and_no_panic() {
    damaged(|bytes, at| bytes.iter_mut().skip(at).take(300).for_each(|byte| *byte = 0x5a));
}

#[test]
fn a_file_that_nobody_changes_is_read_with_nothing_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a ?#%41.db");
    drop(SqliteStore::open(&path, INSTANCE).unwrap());
    let files = || std::fs::read_dir(folder.path()).unwrap().count();
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(immutable(&path), flags).unwrap();
    let format = connection.query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0));
    assert_eq!((format.unwrap(), files()), (FORMAT, 1));
}
