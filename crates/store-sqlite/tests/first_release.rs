//! A store that the first release wrote opens under this one, with nothing lost.

use chronon::{Instant, OwnerId, SentinelId, Span};
use kernel::io::Input;
use kernel::record::SentinelState;
use kernel::{Config, Kernel, Record};
use outbox::{OutboxRecord, State};
use rusqlite::Connection;
use rusqlite::types::Value;
use std::collections::BTreeMap;
use std::path::Path;
use store::{LIST_ROWS_MAX, Reader, Store, Upgrade};
use store_sqlite::SqliteStore;

const SAMPLE: &[u8] = include_bytes!("samples/first/tidings.db.zst");
/// A moment after the sample was made.
const LATER: Instant = Instant::from_millis(1_795_328_400_000);

fn with_sample(test: impl FnOnce(&Path)) {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let path = folder.path().join("tidings.db");
    std::fs::write(&path, zstd::decode_all(SAMPLE).expect("the sample is whole")).expect("written");
    test(&path);
}

fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path, [0xff; 16]).expect("a store of the first release opens")
}

type Rows = Vec<Vec<Value>>;

/// Numbers of streams, which are counted by their source today.
const RENAMED: [(&str, &str); 4] = [
    ("meta", "next_stream"),
    ("streams", "id"),
    ("sentinel_lives", "stream"),
    ("rounds", "stream"),
];

/// Every table with its columns, but for those that were renamed, and rows.
fn tables(path: &Path) -> BTreeMap<String, (Vec<String>, Rows)> {
    let connection = Connection::open(path).expect("it opens");
    let names = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
    let mut names = connection.prepare(names).expect("a schema");
    let names = names.query_map([], |row| row.get::<_, String>(0)).expect("names");
    names
        .map(|name| {
            let name = name.expect("text");
            let columns = {
                let select = format!("SELECT * FROM {name} LIMIT 0");
                let statement = connection.prepare(&select).expect("a table");
                let columns = statement.column_names().into_iter().map(str::to_owned);
                let stays = |column: &String| !RENAMED.contains(&(&*name, column));
                columns.filter(stays).collect::<Vec<_>>()
            };
            let rows = rows(&connection, &name, &columns);
            (name, (columns, rows))
        })
        .collect()
}

fn rows(connection: &Connection, table: &str, columns: &[String]) -> Rows {
    let order = (1..=columns.len()).map(|at| at.to_string()).collect::<Vec<_>>().join(", ");
    let columns = columns.join(", ");
    let mut query = connection
        .prepare(&format!("SELECT {columns} FROM {table} ORDER BY {order}"))
        .unwrap_or_else(|error| panic!("{table} has lost a column: {error}"));
    let count = query.column_count();
    let read = query.query_map([], |row| (0..count).map(|column| row.get(column)).collect());
    read.expect("rows").map(|row| row.expect("a row")).collect()
}

#[test]
fn every_row_of_the_first_release_is_there_after_the_migration() {
    with_sample(|path| {
        let before = tables(path);
        assert!(before.values().filter(|(_, rows)| rows.is_empty()).count() <= 4, "a full sample");
        let store = open(path);
        store.check().expect("a sound file");
        drop(store);
        let connection = Connection::open(path).expect("it opens");
        for (table, (columns, old)) in before {
            let then = THEN.iter().find(|(name, _)| *name == table).map(|(_, rows)| *rows);
            let now = rows(&connection, then.unwrap_or(&table), &columns);
            assert_eq!(now, old, "{table}");
        }
    });
}

/// What the first release kept otherwise, as it did. Detections had their only piece of evidence,
/// versions the extract of the whole page, and each attempt a row. Blobs went by their hashes. What
/// the first owner counts and pauses of hosts stood elsewhere.
const THEN: [(&str, &str); 10] = [
    ("prunings", "(SELECT what, NULL AS at, id FROM prunings)"),
    (
        "attempts",
        "(SELECT * FROM attempts UNION ALL SELECT id, 1, 1, created_at + arrived_after,
        'delivered', NULL, NULL FROM outbox WHERE arrived_after IS NOT NULL)",
    ),
    (
        "blobs",
        "(SELECT id, codec, (SELECT id FROM blobs AS below WHERE below.number = above.base) AS base,
        depth, size, data FROM blobs AS above)",
    ),
    ("loose", "(SELECT id AS blob FROM loose JOIN blobs ON number = blob)"),
    (
        "outbox",
        "(SELECT outbox.id, CASE typeof(key) WHEN 'blob' THEN lower(hex(key)) ELSE key END AS key,
        kind, sentinel, generation, channel, seq, members, more, source, note, created_at,
        created_at + closed_after AS closed_at, blobs.id AS body, attempts,
        created_at + first_after AS first_attempt, CASE state WHEN 0 THEN 'open'
        WHEN 1 THEN 'closed' WHEN 2 THEN 'due' WHEN 3 THEN 'delivered' WHEN 4 THEN 'given up'
        WHEN 5 THEN 'cancelled' END AS state, created_at + state_after AS state_at,
        state_reason, read, due_at FROM outbox LEFT JOIN blobs ON number = body)",
    ),
    (
        "versions",
        "(SELECT source, number, fetched_at, fingerprint, extractor, kind,
        (SELECT id FROM blobs WHERE blobs.number = body) AS body,
        (SELECT id FROM blobs JOIN extracts ON blobs.number = extract
        WHERE extracts.source = versions.source AND version = versions.number AND view = '')
        AS extract, status, media_type, coalesce(final_url, (SELECT url FROM sources
        WHERE id = source)) AS final_url, etag, last_modified, modified_at, summary
        FROM versions LEFT JOIN (SELECT source AS of, version, view, extractor FROM extracts)
        ON of = versions.source AND version = number AND view = '')",
    ),
    (
        "detections",
        "(SELECT id, sentinel, generation, source, from_version, to_version, at,
        seq, (SELECT id FROM blobs WHERE number = result) AS result,
        replace(combinations, '[0,', '[') AS combinations
        FROM detections LEFT JOIN evidence ON detection = id)",
    ),
    ("meta", "(SELECT * FROM meta JOIN owners WHERE owners.id = 1)"),
    ("sentinels", "(SELECT *, (id >> 40) + 1 AS owner FROM sentinels)"),
    ("hosts_held", "(SELECT name AS host, held_until AS until FROM hosts)"),
];

#[test]
fn sentinels_hear_of_the_streams_that_they_heard_of() {
    with_sample(|path| {
        let heard = || -> Rows {
            let connection = Connection::open(path).expect("it opens");
            let heard = "(SELECT sentinel_lives.id, streams.source, spec, t0, elements
                FROM sentinel_lives JOIN streams ON streams.id = stream)";
            rows(&connection, heard, &["*".to_owned()])
        };
        let before = heard();
        let store = open(path);
        assert!(before.len() > 5 && before == heard());
        for stream in store.reader().snapshot().expect("a snapshot").streams {
            assert_eq!(stream.id.source(), stream.source);
        }
    });
}

fn is_stored(reader: &dyn Reader, row: &outbox::Detection) -> bool {
    row.evidence.iter().all(|piece| reader.blob(piece.result).expect("bytes").is_some())
}

#[test]
fn changes_that_the_first_release_told_have_the_keys_of_today() {
    with_sample(|path| {
        let store = open(path);
        let reader = store.reader();
        let instance = reader.meta().expect("meta").instance;
        let rows = reader.notifications(None, None, LIST_ROWS_MAX).expect("notifications");
        let changes = rows.iter().filter(|row| row.kind == outbox::Kind::Change);
        let mut checked = 0;
        for row in changes {
            let channel = reader.channel(row.channel).expect("read").expect("a channel");
            let detection = reader.detection(row.members[0]).expect("read").expect("a detection");
            assert_eq!(row.key, outbox::change_key(&instance, &channel, &detection));
            checked += 1;
        }
        assert!(checked > 10, "{checked}");
    });
}

#[test]
fn everything_of_the_first_release_is_read() {
    with_sample(|path| {
        let count = |table: &str| -> usize {
            let sql = format!("SELECT count(*) FROM {table}");
            let connection = Connection::open(path).expect("it opens");
            connection.query_row(&sql, [], |row| row.get::<_, i64>(0)).expect("a count") as usize
        };
        let counted = ["sentinels", "sources", "schedule", "streams", "hosts_held"].map(count);
        let listed = ["versions", "probes", "detections", "outbox", "attempts"].map(count);
        let store = open(path);
        let reader = store.reader();
        let snapshot = reader.snapshot().expect("a snapshot");
        let found = [
            snapshot.sentinels.len(),
            snapshot.sources.len(),
            snapshot.schedule.len(),
            snapshot.streams.len(),
            snapshot.hosts.len(),
        ];
        assert_eq!(found, counted);
        assert_eq!(lists(&*reader), listed);
        assert!(snapshot.week.is_some());
    });
}

/// Versions, probes, detections, notifications and attempts, each read as a person would.
fn lists(reader: &dyn Reader) -> [usize; 5] {
    let mut counts = [0; 5];
    for source in reader.snapshot().expect("a snapshot").sources {
        let versions = reader.versions(source.id, None, LIST_ROWS_MAX).expect("versions");
        for version in &versions {
            assert_eq!(version.facts.extracts.len(), 1, "the whole page");
            let extracts = version.facts.extracts.values().map(|extract| extract.blob);
            let blobs = extracts.chain([version.facts.body]);
            let stored = blobs.map(|id| reader.blob(id).expect("bytes").is_some());
            let stored: Vec<bool> = stored.collect();
            assert_eq!(stored, [true; 2], "{} {}", source.url, version.number);
        }
        counts[0] += versions.len();
        counts[1] += reader.probes(source.id).expect("probes").len();
    }
    // Also of those that were removed.
    for id in 1..100 {
        let found = reader.detections(SentinelId(id), None, LIST_ROWS_MAX).expect("detections");
        assert!(found.iter().all(|row| is_stored(reader, row)));
        counts[2] += found.len();
    }
    let rows = reader.notifications(None, None, LIST_ROWS_MAX).expect("notifications");
    for row in &rows {
        assert!(row.body.is_none_or(|body| reader.blob(body).expect("bytes").is_some()));
        counts[4] += reader.attempts(row.id).expect("attempts").len();
    }
    counts[3] = rows.len();
    counts
}

#[test]
fn bodies_that_the_first_release_froze_are_read_whole() {
    with_sample(|path| {
        let store = open(path);
        let reader = store.reader();
        let rows = reader.notifications(None, None, LIST_ROWS_MAX).expect("notifications");
        let bodies = rows.iter().filter_map(|row| row.body);
        let mut read = 0;
        for body in bodies {
            let bytes = reader.blob(body).expect("read").expect("bytes");
            let notice = notice::Notice::read(&bytes).expect("a body");
            let again = serde_json::to_vec(&notice).expect("JSON");
            assert_eq!(again, *notice::as_sent(&bytes), "{}", String::from_utf8_lossy(&bytes));
            read += 1;
        }
        assert!(read > 10, "{read}");
    });
}

#[test]
fn what_the_first_release_left_open_goes_on_under_this_one() {
    with_sample(|path| {
        let store = open(path);
        let snapshot = store.reader().snapshot().expect("a snapshot");
        let unfinished = snapshot.outbox.clone();
        let (mut open_digests, mut due) = (0, 0);
        for row in &unfinished {
            open_digests += usize::from(matches!(row.state, State::Open { closes: Some(_) }));
            due += usize::from(matches!(row.state, State::Due { .. }));
        }
        assert_eq!((open_digests, due), (2, 7));
        let states: BTreeMap<String, SentinelState> = snapshot
            .sentinels
            .iter()
            .map(|(row, life)| (row.name.to_string(), life.state))
            .collect();
        let mut kernel = Kernel::load(Config::new(1), snapshot, LATER);
        assert_eq!(kernel.take_warnings(), [""; 0]);
        kernel.step(LATER, Input::Started);
        for (name, state) in states {
            let view = kernel
                .sentinel(OwnerId::FIRST, &name, LATER)
                .unwrap_or_else(|| panic!("{name} is gone"));
            assert_eq!(view.life.state, state, "{name}");
        }
    });
}

#[test]
fn words_that_the_language_learned_since_are_names_in_a_store_of_the_first_release() {
    const WORDS: [&str; 5] = ["title", "tag", "m", "everything", "inside"];
    with_sample(|path| {
        let connection = Connection::open(path).expect("it opens");
        let names = "SELECT id, name, text FROM sentinels ORDER BY id LIMIT 5";
        let mut names = connection.prepare(names).expect("the first names");
        let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let rows = names.query_map([], row).expect("rows");
        let rows: Vec<(i64, String, String)> = rows.map(|row| row.expect("a row")).collect();
        for ((id, name, text), word) in rows.into_iter().zip(WORDS) {
            let header = format!("create sentinel {name} using");
            let text = text.replace(&header, &format!("create sentinel {word} using"));
            // As the first release printed a contact of this name.
            let text = text + "  notify by terminal tag\n";
            let update = "UPDATE sentinels SET name = ?2, text = ?3 WHERE id = ?1";
            connection.execute(update, (id, word, &text)).expect("written");
        }
        drop(names);
        drop(connection);
        let snapshot = open(path).reader().snapshot().expect("a snapshot");
        let mut kernel = Kernel::load(Config::new(1), snapshot, LATER);
        assert_eq!(kernel.take_warnings(), [""; 0]);
        kernel.step(LATER, Input::Started);
        for word in WORDS {
            let view = kernel.sentinel(OwnerId::FIRST, word, LATER).expect(word);
            let text = view.row.text.reveal();
            assert!(text.starts_with(&format!("create sentinel {word} using ")), "{text}");
            let printed = sentinel::format(text).expect("it reads back");
            assert_eq!(printed, text.replace("terminal tag\n", "terminal \"tag\"\n"));
            assert_eq!(view.tags.len(), 0);
        }
    });
}

#[test]
fn digests_that_the_first_release_opened_close_with_their_key_and_members() {
    with_sample(|path| {
        let snapshot = open(path).reader().snapshot().expect("a snapshot");
        let gathers = |row: &&outbox::Row| matches!(row.state, State::Open { closes: Some(_) });
        let mut waiting: Vec<_> = snapshot.outbox.iter().filter(gathers).cloned().collect();
        let mut kernel = Kernel::load(Config::new(1), snapshot, LATER);
        kernel.step(LATER, Input::Started);
        let later = LATER + Span::DAY.times(8);
        for record in kernel.step(later, Input::Tick).records {
            let Record::Outbox(OutboxRecord::Row(row)) = record else { continue };
            if let Some(place) = waiting.iter().position(|open| open.id == row.id) {
                let open = waiting.remove(place);
                assert_eq!((open.key, open.members), (row.key, row.members));
                assert_eq!(row.state, State::Closed);
            }
        }
        assert!(waiting.is_empty(), "still open: {waiting:?}");
    });
}

#[test]
fn who_heard_from_the_first_release_that_a_source_fails_is_remembered() {
    with_sample(|path| {
        let snapshot = open(path).reader().snapshot().expect("a snapshot");
        let told: Vec<_> = (snapshot.sentinels.iter())
            .filter(|(_, life)| life.worry.is_some())
            .map(|(row, _)| &*row.name)
            .collect();
        assert_eq!(told, ["broken"]);
    });
}

#[test]
fn a_repaired_store_of_the_first_release_is_what_its_migration_makes_of_it() {
    with_sample(|path| {
        let migrated = path.with_file_name("migrated.db");
        std::fs::copy(path, &migrated).expect("a copy");
        drop(open(&migrated));
        store_sqlite::repair(path, [7; 16]).expect("it can be read");
        drop(open(path));
        assert_eq!(tables(path), tables(&migrated));
    });
}

#[test]
fn a_store_of_a_newer_release_is_not_repaired() {
    with_sample(|path| {
        let connection = Connection::open(path).expect("it opens");
        connection.pragma_update(None, "user_version", 99).expect("written");
        drop(connection);
        let refused = store_sqlite::repair(path, [7; 16]).expect_err("a newer format").to_string();
        assert!(refused.contains("99"), "{refused}");
    });
}

#[test]
fn a_store_of_the_first_release_has_something_to_say_of_the_upgrade_until_all_is_said() {
    with_sample(|path| {
        let steps = [Some(Upgrade::Untold), Some(Upgrade::Told { sentinels: 3 }), None];
        for (left, next) in steps.into_iter().zip([steps[1], None, None]) {
            assert_eq!(open(path).access().upgrade().expect("read"), left);
            assert_eq!(open(path).access().upgrade().expect("read"), left, "opened again");
            open(path).access().put_upgrade(next).expect("written");
        }
    });
}
