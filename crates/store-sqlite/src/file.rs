//! The file: whose it is, which format it has, how a copy of it is made.

use crate::error::sentence;
use crate::migrate::{FORMAT, MIGRATIONS, copy_before, migrate};
use rusqlite::{Connection, OpenFlags, params};
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::StoreError;

/// Marks a SQLite file as a store of Tidings: "Tidi" in ASCII.
pub const APPLICATION_ID: i64 = 0x5469_6469;

/// How long a writer waits for another connection's lock.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// The page cache of each reader: its rows lie anywhere, and the system has the file at hand.
const READER_CACHE_KIB: u32 = 512;
/// Prepared statements kept per connection; more than there are texts.
const STATEMENTS_KEPT: usize = 128;
/// Files up to this are read whole for damage when they are opened (a second, at most).
const CHECKED_BYTES_MAX: u64 = 64 << 20;

/// What is done with a store of an earlier format before it is migrated.
pub(crate) enum Before {
    Copied,
    /// It is itself a copy.
    Lost,
}

pub(crate) fn open_writer(
    path: &Path,
    fresh_instance: [u8; 16],
    before: Before,
) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags).map_err(sentence)?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(sentence)?;
    let format = identify(&connection, path)?;
    if format > 0 && std::fs::metadata(path).is_ok_and(|file| file.len() <= CHECKED_BYTES_MAX) {
        check(&connection, "quick_check")?;
    }
    prepare(&connection)?;
    if let Before::Copied = before {
        copy_before(path, format)?;
    }
    migrate(&mut connection, format, fresh_instance)?;
    compare_tables(&connection)?;
    let instances = "SELECT count(*) FROM meta WHERE length(instance) = 16";
    match connection.query_row(instances, [], |row| row.get::<_, i64>(0)).map_err(sentence)? {
        1 => Ok(connection),
        _ => Err(StoreError::Damaged("the row that says whose store this is, is gone".into())),
    }
}

pub(crate) fn open_reader(path: &Path) -> Result<Connection, StoreError> {
    let connection = open_unread(path)?;
    let settings = format!("PRAGMA cache_size = -{READER_CACHE_KIB}");
    connection.execute_batch(&settings).map_err(sentence)?;
    Ok(connection)
}

/// It may be no store.
fn open_unread(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags).map_err(sentence)?;
    if needs_its_folder(&connection) && is_alone(path) {
        let flags = flags | OpenFlags::SQLITE_OPEN_URI;
        connection = Connection::open_with_flags(immutable(path), flags).map_err(sentence)?;
    }
    connection.busy_timeout(BUSY_TIMEOUT).map_err(sentence)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    Ok(connection)
}

/// To read the file, SQLite would write beside it, and may not.
fn needs_its_folder(connection: &Connection) -> bool {
    let read = connection.query_row("PRAGMA schema_version", [], |_| Ok(()));
    matches!(read.map_err(sentence), Err(StoreError::ReadOnly(_)))
}

/// No log stands beside the file, and nothing that a process which has it open shares.
fn is_alone(path: &Path) -> bool {
    let is_there = |end: &str| {
        let mut beside = path.as_os_str().to_owned();
        beside.push(end);
        Path::new(&beside).exists()
    };
    path.exists() && !is_there("-shm") && !is_there("-wal")
}

/// The name under which SQLite reads a file that nobody changes, and writes nothing beside it.
pub(crate) fn immutable(path: &Path) -> String {
    let path = path.to_string_lossy();
    let path = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    format!("file:{path}?immutable=1")
}

/// A second writer of an open store, for rows that no batch touches.
pub(crate) fn open_beside(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(sentence)?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(sentence)?;
    prepare(&connection)?;
    Ok(connection)
}

/// The format of the file; 0: it is empty, and ours to fill.
fn identify(connection: &Connection, path: &Path) -> Result<i64, StoreError> {
    let shown = path.display().to_string();
    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    let application = number("PRAGMA application_id").map_err(|error| match sentence(error) {
        StoreError::Damaged(_) if !starts_as_sqlite(path) => StoreError::Foreign(shown.clone()),
        other => other,
    })?;
    let format = number("PRAGMA user_version").map_err(sentence)?;
    let objects = number("SELECT count(*) FROM sqlite_schema").map_err(sentence)?;
    match application {
        APPLICATION_ID if format > FORMAT => {
            Err(StoreError::Newer { path: shown, found: format, known: FORMAT })
        }
        APPLICATION_ID => Ok(format),
        0 if format == 0 && objects == 0 => Ok(0),
        _ => Err(StoreError::Foreign(shown)),
    }
}

/// An empty file that nobody else may read: the copy holds what the store holds.
fn create_private(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(|_| ())
}

/// The same, open for writing, with its name.
pub(crate) fn create_private_new(path: &Path) -> std::io::Result<(PathBuf, std::fs::File)> {
    create_private(path)?;
    let file = std::fs::OpenOptions::new().append(true).open(path)?;
    Ok((path.to_owned(), file))
}

/// Makes a new name in a folder durable.
pub(crate) fn sync_folder(file: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::File::open(folder)?.sync_all()?;
    }
    Ok(())
}

fn starts_as_sqlite(path: &Path) -> bool {
    use std::io::Read;
    let mut start = [0; 16];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && &start == b"SQLite format 3\0"
}

fn prepare(connection: &Connection) -> Result<(), StoreError> {
    connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    let mode: String = connection
        .query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))
        .map_err(sentence)?;
    if !mode.eq_ignore_ascii_case("wal") {
        let said = format!("its file system allows journal mode {mode} only, and WAL is needed");
        return Err(StoreError::Failed(said));
    }
    let settings = "PRAGMA synchronous = FULL;
        PRAGMA foreign_keys = ON;
        PRAGMA cache_size = -32768;
        PRAGMA journal_size_limit = 67108864;";
    connection.execute_batch(settings).map_err(sentence)
}

/// Refuses tables that this format does not have: a build between two releases wrote them.
fn compare_tables(connection: &Connection) -> Result<(), StoreError> {
    let fresh = Connection::open_in_memory().map_err(sentence)?;
    for migration in MIGRATIONS {
        fresh.execute_batch(migration).map_err(sentence)?;
    }
    let tables = |connection: &Connection| -> rusqlite::Result<Vec<(String, String)>> {
        let sql = "SELECT name, sql FROM sqlite_schema
            WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY name";
        let mut query = connection.prepare(sql)?;
        query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    };
    let (found, expected) =
        (tables(connection).map_err(sentence)?, tables(&fresh).map_err(sentence)?);
    match expected.iter().find(|table| !found.contains(table)) {
        None => Ok(()),
        Some((name, _)) => Err(StoreError::Failed(format!(
            "its `{name}` is not that of format {FORMAT}: a build between two releases wrote it; \
             read it with that build, or move it away to begin anew"
        ))),
    }
}

/// Runs `quick_check` or `integrity_check`.
pub(crate) fn check(connection: &Connection, pragma: &str) -> Result<(), StoreError> {
    let sql = format!("PRAGMA {pragma}(1)");
    let said: String = connection.query_row(&sql, [], |row| row.get(0)).map_err(|error| {
        match sentence(error) {
            StoreError::Failed(said) => StoreError::Damaged(said),
            other => other,
        }
    })?;
    if said == "ok" { Ok(()) } else { Err(StoreError::Damaged(said)) }
}

/// Copies the store in `from`, as it is at one moment, to the new file `to`; the store may be
/// open, here or in another process. See [`crate::SqliteStore::backup`].
///
/// The copy is another instance, `fresh_instance`. Who restores it tells changes with the numbers
/// of versions that the store gave to others meanwhile: their keys must be new to who heard of
/// those. What waits in the copy keeps its keys; what a digest among it lists is given new ones.
///
/// # Errors
/// If `to` exists already, `from` is no store of this version, or what the disk says.
pub fn backup(from: &Path, to: &Path, fresh_instance: [u8; 16]) -> Result<(), StoreError> {
    if to.exists() {
        let said = format!("{} exists already; name a new file", to.display());
        return Err(StoreError::Failed(said));
    }
    copy(from, to, Some(fresh_instance))
}

/// Makes a copy another instance.
fn renew(copy: &Path, instance: [u8; 16]) -> Result<(), StoreError> {
    let connection = Connection::open(copy).map_err(sentence)?;
    connection.execute("UPDATE meta SET instance = ?1", params![instance]).map_err(sentence)?;
    connection.close().map_err(|(_, error)| sentence(error))
}

/// Copies the store in `from` over `to`, whole or not at all; as another instance, if one is given.
pub(crate) fn copy(
    from: &Path,
    to: &Path,
    fresh_instance: Option<[u8; 16]>,
) -> Result<(), StoreError> {
    let connection = open_unread(from)?;
    if identify(&connection, from)? == 0 {
        return Err(StoreError::Foreign(from.display().to_string()));
    }
    let mut part = to.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let disk = |error: std::io::Error| StoreError::Failed(format!("{}: {error}", to.display()));
    if part.exists() {
        std::fs::remove_file(&part).map_err(disk)?;
    }
    create_private(&part).map_err(disk)?;
    let copied = connection
        .execute("VACUUM INTO ?1", params![part.to_string_lossy()])
        .map_err(sentence)
        .and_then(|_| fresh_instance.map_or(Ok(()), |instance| renew(&part, instance)))
        .and_then(|()| std::fs::File::open(&part).and_then(|file| file.sync_all()).map_err(disk))
        .and_then(|()| std::fs::rename(&part, to).and_then(|()| sync_folder(to)).map_err(disk));
    if copied.is_err() {
        // Best effort: what is left of a failed copy helps nobody.
        let _ = std::fs::remove_file(&part);
    }
    copied
}
