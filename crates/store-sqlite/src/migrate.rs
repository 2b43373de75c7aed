//! From one format to the next: a copy beside the file first, then everything in one transaction.

use crate::error::sentence;
use crate::file::{self, APPLICATION_ID};
use rusqlite::{Connection, params};
use std::path::{Path, PathBuf};
use store::StoreError;

/// Each raises the format by one; what was released is never edited.
pub(crate) const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/0001_first.sql"),
    include_str!("../migrations/0002_second.sql"),
    include_str!("../migrations/0003_evidence.sql"),
    include_str!("../migrations/0004_identity.sql"),
    include_str!("../migrations/0005_views.sql"),
    include_str!("../migrations/0006_parts.sql"),
    include_str!("../migrations/0007_several.sql"),
    include_str!("../migrations/0008_company.sql"),
    include_str!("../migrations/0009_dates.sql"),
    include_str!("../migrations/0010_quiet.sql"),
    include_str!("../migrations/0011_rules.sql"),
    include_str!("../migrations/0012_habits.sql"),
    include_str!("../migrations/0013_lives.sql"),
    include_str!("../migrations/0014_raised.sql"),
    include_str!("../migrations/0015_follow.sql"),
    include_str!("../migrations/0017_feeds.sql"),
    include_str!("../migrations/0018_manners.sql"),
    include_str!("../migrations/0019_made_channels.sql"),
    include_str!("../migrations/0020_makers_of_feeds.sql"),
    include_str!("../migrations/0021_numbers.sql"),
    include_str!("../migrations/0022_asked.sql"),
    include_str!("../migrations/0023_words.sql"),
    include_str!("../migrations/0024_upgrade.sql"),
    include_str!("../migrations/0025_back.sql"),
];

/// The format this version writes, kept in `user_version`.
pub const FORMAT: i64 = MIGRATIONS.len() as i64;

/// The format of the first release.
pub(crate) const FIRST: i64 = 1;

/// Copies of one format, when earlier ones are worth keeping.
const COPIES_MAX: u32 = 100;

/// Brings a file from `format` (0: it is empty) to [`FORMAT`], or leaves it as it was.
pub(crate) fn migrate(
    connection: &mut Connection,
    format: i64,
    fresh_instance: [u8; 16],
) -> Result<(), StoreError> {
    if format == FORMAT {
        return Ok(());
    }
    apply(connection, &MIGRATIONS[format as usize..], format, fresh_instance)
}

/// Copies the store at `path`, in `format`, if it is about to be migrated.
pub(crate) fn copy_before(path: &Path, format: i64) -> Result<(), StoreError> {
    if (FIRST..FORMAT).contains(&format) { copy_beside(path, format) } else { Ok(()) }
}

/// A new store of an instance at `path`, in `format`, which is at most [`FORMAT`].
pub(crate) fn fresh(
    path: &Path,
    format: i64,
    instance: [u8; 16],
) -> Result<Connection, StoreError> {
    file::create_private_new(path)
        .map_err(|error| StoreError::Failed(format!("{}: {error}", path.display())))?;
    let mut connection = Connection::open(path).map_err(sentence)?;
    apply(&mut connection, &MIGRATIONS[..format as usize], 0, instance)?;
    Ok(connection)
}

/// Brings a store that nobody else has opened from `format` to [`FORMAT`].
pub(crate) fn finish(connection: &mut Connection, format: i64) -> Result<(), StoreError> {
    apply(connection, &MIGRATIONS[format as usize..], format, [0; 16])
}

/// Runs `migrations` from `format` on as one transaction.
fn apply(
    connection: &mut Connection,
    migrations: &[&str],
    format: i64,
    fresh_instance: [u8; 16],
) -> Result<(), StoreError> {
    // Tables may be built anew: what refers to them is checked at the end.
    connection.execute_batch("PRAGMA foreign_keys = OFF").map_err(sentence)?;
    let transaction = connection.transaction().map_err(sentence)?;
    for (number, migration) in (format + 1..).zip(migrations) {
        transaction.execute_batch(migration).map_err(sentence)?;
        if number == FIRST {
            transaction.pragma_update(None, "application_id", APPLICATION_ID).map_err(sentence)?;
            let meta = "INSERT INTO meta VALUES (1, ?1, 0, 0, 0, 0, 0, 0, 0)";
            transaction.execute(meta, params![fresh_instance]).map_err(sentence)?;
        }
        transaction.pragma_update(None, "user_version", number).map_err(sentence)?;
    }
    if format == FIRST {
        transaction.execute("INSERT INTO upgrade VALUES (1, NULL)", []).map_err(sentence)?;
    }
    let broken = transaction.prepare("PRAGMA foreign_key_check").map_err(sentence)?.exists([]);
    if broken.map_err(sentence)? {
        return Err(StoreError::Damaged("rows name bytes that are not stored".into()));
    }
    transaction.commit().map_err(sentence)?;
    connection.execute_batch("PRAGMA foreign_keys = ON").map_err(sentence)
}

/// Copies the store to `tidings.db.format-1` beside it, whole or not at all. A copy that is there
/// already is replaced only by a later one of the same store.
fn copy_beside(path: &Path, format: i64) -> Result<(), StoreError> {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".format-{format}"));
    let copy = place_for(path, &PathBuf::from(name));
    let shown = || copy.display().to_string();
    let done = file::copy(path, &copy, None).and_then(|()| {
        let made = file::open_reader(&copy)?;
        let found = made.query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0));
        match found.map_err(sentence)? {
            found if found == format => Ok(()),
            _ => Err(StoreError::Damaged("the copy is not what was copied".into())),
        }
    });
    done.map_err(|error| {
        let bytes = std::fs::metadata(path).map_or(0, |file| file.len());
        StoreError::NotCopied { copy: shown(), said: error.to_string(), mib: (bytes >> 20) + 1 }
    })
}

/// `wanted`, or, where a copy is worth keeping, a name with a number after it.
fn place_for(path: &Path, wanted: &Path) -> PathBuf {
    let numbered = |n: u32| match n {
        1 => wanted.to_owned(),
        n => PathBuf::from(format!("{}-{n}", wanted.display())),
    };
    let free = |place: &PathBuf| !place.exists() || is_earlier(place, path);
    (1..COPIES_MAX).map(numbered).find(free).unwrap_or_else(|| numbered(COPIES_MAX))
}

/// Whether `copy` is an earlier state of the store at `path`, or holds nothing at all.
fn is_earlier(copy: &Path, path: &Path) -> bool {
    let state = |path: &Path| -> Option<(Vec<u8>, i64)> {
        let connection = file::open_reader(path).ok()?;
        let meta = "SELECT instance, epoch FROM meta";
        connection.query_row(meta, [], |row| Ok((row.get(0)?, row.get(1)?))).ok()
    };
    if std::fs::metadata(copy).is_ok_and(|file| file.len() == 0) {
        return true;
    }
    match (state(copy), state(path)) {
        (Some((of, then)), Some((store, now))) => of == store && then <= now,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SqliteStore;
    use chronon::{BlobId, Instant, SourceId, StreamId, VersionNo};
    use kernel::record::{ExtractRef, Place, Worry};
    use store::Store;

    /// A store of the first format with one source.
    fn first(path: &Path, instance: [u8; 16]) -> Connection {
        let mut connection = Connection::open(path).unwrap();
        apply(&mut connection, &MIGRATIONS[..1], 0, instance).unwrap();
        connection.execute_batch("INSERT INTO hosts_held VALUES ('a.example', 7)").unwrap();
        connection
    }

    fn number(path: &Path, sql: &str) -> i64 {
        Connection::open(path).unwrap().query_row(sql, [], |row| row.get(0)).unwrap()
    }

    fn with_folder(test: impl FnOnce(&Path)) {
        let folder = tempfile::tempdir().unwrap();
        test(&folder.path().join("tidings.db"));
    }

    #[test]
    fn a_store_of_an_earlier_format_is_copied_beside_before_it_changes() {
        with_folder(|path| {
            drop(first(path, [3; 16]));
            drop(SqliteStore::open(path, [4; 16]).unwrap());
            let copy = path.with_file_name("tidings.db.format-1");
            assert_eq!(number(&copy, "PRAGMA user_version"), 1);
            assert_eq!(number(&copy, "SELECT until FROM hosts_held"), 7);
            assert_eq!(number(path, "PRAGMA user_version"), FORMAT);
            assert_eq!(number(path, "SELECT held_until FROM hosts"), 7);
            #[cfg(unix)]
            {
                let mode = std::fs::metadata(&copy).unwrap().permissions();
                assert_eq!(std::os::unix::fs::PermissionsExt::mode(&mode) & 0o077, 0);
            }
            drop(SqliteStore::open(path, [4; 16]).unwrap());
            assert_eq!(files_beside(path), 2, "one copy, once");
        });
    }

    fn files_beside(path: &Path) -> usize {
        std::fs::read_dir(path.parent().unwrap()).unwrap().count()
    }

    #[test]
    fn a_copy_of_an_earlier_format_is_not_copied_again() {
        with_folder(|path| {
            drop(first(path, [3; 16]));
            drop(SqliteStore::open_copy(path, [4; 16]).unwrap());
            assert_eq!((number(path, "PRAGMA user_version"), files_beside(path)), (FORMAT, 1));
        });
    }

    #[test]
    fn the_extract_of_a_version_becomes_that_of_its_whole_page() {
        with_folder(|path| {
            let old = fresh(path, 2, [3; 16]).unwrap();
            let (body, extract) = ([1_u8; 32], [2_u8; 32]);
            let blobs =
                "INSERT INTO blobs VALUES (?1, 0, NULL, 0, 0, x''), (?2, 0, NULL, 0, 0, x'')";
            old.execute(blobs, params![body, extract]).unwrap();
            let version = "INSERT INTO versions (source, number, fetched_at, fingerprint, extractor,
                kind, body, extract, status, media_type, final_url, summary)
                VALUES (5, 6, 7, ?1, 3, 'html', ?1, ?2, 200, 'text/html', 'https://a.example/', 'page')";
            old.execute(version, params![body, extract]).unwrap();
            drop(old);
            let store = SqliteStore::open(path, [4; 16]).unwrap();
            let row = store.reader().version(SourceId(5), VersionNo(6)).unwrap().unwrap();
            let whole = ExtractRef { extractor: 3, blob: BlobId(extract) };
            assert_eq!(row.facts.extracts, whole.of_page());
            assert_eq!((row.fetched_at, &*row.facts.summary), (Instant::from_millis(7), "page"));
        });
    }

    #[test]
    fn the_upgrade_from_the_first_release_alone_is_told() {
        for format in 0..=FORMAT {
            with_folder(|path| {
                drop(fresh(path, format, [3; 16]).unwrap());
                let told = SqliteStore::open(path, [4; 16]).unwrap().access().upgrade().unwrap();
                assert_eq!(told, (format == FIRST).then_some(store::Upgrade::Untold), "{format}");
            });
        }
    }

    #[test]
    fn who_was_told_what_a_page_had_become_is_known_from_who_was_told_that_it_fails() {
        with_folder(|path| {
            let old = fresh(path, 23, [3; 16]).unwrap();
            let source = "INSERT INTO sources (id, url, host, added_at, version, fingerprint,
                extractor, validators_url, failures, failing_since, failing_told)
                VALUES (?1, ?2, 'a.example', 1, 1, zeroblob(32), 1, '', 3, ?3, 0)";
            for (id, url, since) in [(9, "https://a.example/", 7001), (10, "https://b.example/", 6)]
            {
                old.execute(source, params![id, url, since]).unwrap();
            }
            let two = "[[null,0,7000,8],[18446744073709551615,0,5,6]]";
            for (id, told, places, others) in [
                (1, 7000, two, "[8,10]"),
                (2, 7001, "[]", "[]"),
                (3, 4000, "[[1,2,6,null]]", "[10]"),
            ] {
                let sentinel = "INSERT INTO sentinels VALUES (?1, ?1, 1, '', 9, 1, 1, ?2)";
                old.execute(sentinel, params![id, others]).unwrap();
                let life = "INSERT INTO sentinel_lives (id, state, first_index, seq, not_evaluated,
                    failing_told, others) VALUES (?1, 'active', 0, 0, '', ?2, ?3)";
                old.execute(life, params![id, told, places]).unwrap();
            }
            drop(old);
            let store = SqliteStore::open(path, [4; 16]).unwrap();
            let lives = store.reader().snapshot().unwrap().sentinels;
            let worries: Vec<_> = lives.iter().map(|(_, life)| life.worry).collect();
            let worry = |since, is_of_page| {
                let since = Instant::from_millis(since);
                Some(Worry { since, is_of_page, back: None })
            };
            assert_eq!(worries, [worry(7001, true), worry(7001, false), worry(4000, false)]);
            let blind = |at| Some(Instant::from_millis(at));
            let place = |stream: Option<u64>, first_index, worry, blind| Place {
                stream: stream.map(StreamId),
                first_index,
                worry,
                blind,
            };
            let two = [
                place(None, 0, worry(7000, false), blind(8)),
                place(Some(u64::MAX), 0, worry(6, true), blind(6)),
            ];
            assert_eq!(*lives[0].1.others, two);
            assert_eq!(*lives[2].1.others, [place(Some(1), 2, worry(6, false), None)]);
        });
    }

    #[test]
    fn times_that_are_damaged_do_not_keep_a_store_from_its_migration() {
        with_folder(|path| {
            let old = fresh(path, 21, [3; 16]).unwrap();
            let row =
                "INSERT INTO outbox (id, key, kind, generation, channel, seq, members, more, note,
                created_at, closed_at, attempts, tries, tried_up, state, state_at, read)
                VALUES (1, 'k', 'change', 1, 1, 1, '[]', 0, '', ?1, ?2, 0, 0, 0, 'due?', ?2, 0)";
            old.execute(row, params![i64::MIN, i64::MAX]).unwrap();
            drop(old);
            let store = SqliteStore::open(path, [4; 16]).unwrap();
            let error = store.reader().notifications(None, None, 9).unwrap_err();
            assert!(error.to_string().contains("`outbox`"), "{error}");
        });
    }

    #[test]
    fn a_copy_gives_way_to_a_later_one_of_its_store_and_to_nothing_else() {
        with_folder(|path| {
            let copy = |name: &str| path.with_file_name(name);
            // Another store's copy stays, and so does a later one of this store.
            drop(first(&copy("tidings.db.format-1"), [9; 16]));
            let later = first(&copy("tidings.db.format-1-2"), [3; 16]);
            later.execute_batch("UPDATE meta SET epoch = 5").unwrap();
            drop(later);
            drop(first(&copy("tidings.db.format-1-3"), [3; 16]));
            let store = first(path, [3; 16]);
            store.execute_batch("UPDATE meta SET epoch = 4").unwrap();
            drop(store);
            drop(SqliteStore::open(path, [4; 16]).unwrap());
            let epochs = ["tidings.db.format-1", "tidings.db.format-1-2", "tidings.db.format-1-3"]
                .map(|name| number(&copy(name), "SELECT epoch FROM meta"));
            assert_eq!(epochs, [0, 5, 4]);
            assert!(!copy("tidings.db.format-1-4").exists());
        });
    }

    #[test]
    fn a_store_that_cannot_be_copied_is_refused_and_not_touched() {
        with_folder(|path| {
            drop(first(path, [3; 16]));
            // A folder stands where the copy would be written.
            std::fs::create_dir(path.with_file_name("tidings.db.format-1.part")).unwrap();
            let error = SqliteStore::open(path, [4; 16]).map(drop).unwrap_err();
            assert!(matches!(error, StoreError::NotCopied { .. }), "{error}");
            assert!(error.to_string().contains("1 MiB"), "{error}");
            assert_eq!(number(path, "PRAGMA user_version"), 1);
            assert!(!path.with_file_name("tidings.db.format-1").exists());
        });
    }

    #[test]
    fn a_migration_that_fails_leaves_the_store_as_it_was() {
        with_folder(|path| {
            let mut connection = first(path, [3; 16]);
            let schema = "SELECT count(*) FROM sqlite_schema";
            let before = number(path, schema);
            let failing = ["CREATE TABLE new_one (id INTEGER); DROP TABLE hosts_held;", "nonsense"];
            apply(&mut connection, &failing, 1, [4; 16]).unwrap_err();
            assert_eq!(number(path, schema), before);
            assert_eq!(number(path, "SELECT until FROM hosts_held"), 7);
            assert_eq!(number(path, "PRAGMA user_version"), 1);
        });
    }
}
