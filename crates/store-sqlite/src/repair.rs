//! What can be read of a damaged store becomes a new one; what cannot is set aside.

use crate::error::sentence;
use crate::file;
use crate::migrate;
use crate::read::tables;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, OpenFlags, Row, params_from_iter};
use std::io::Write;
use std::path::{Path, PathBuf};
use store::StoreError;

/// What became of a repaired store.
#[derive(Debug)]
pub struct Repaired {
    /// Per table: rows kept, rows set aside.
    pub tables: Vec<(String, u64, u64)>,
    /// What could not be read at all, in sentences.
    pub lost: Vec<String>,
    /// The store as it was.
    pub before: PathBuf,
    /// One row that was set aside per line, as JSON.
    pub aside: PathBuf,
}

/// Puts what can be read of the store at `path` into a new file in its place. The caller owns the
/// store; the old file stays beside the new one.
///
/// # Errors
/// Nothing can be read, not even whose store it was; or what the disk says. Then nothing is
/// changed.
pub fn repair(path: &Path) -> Result<Repaired, StoreError> {
    let disk = |error: std::io::Error| StoreError::Failed(format!("{}: {error}", path.display()));
    let (new, aside) = (beside(path, "repaired"), beside(path, "set-aside"));
    let before = free(&beside(path, "damaged"));
    if new.exists() {
        std::fs::remove_file(&new).map_err(disk)?;
    }
    let old =
        Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(sentence)?;
    let whose = old.query_row("SELECT instance FROM meta", [], |row| row.get::<_, [u8; 16]>(0));
    let instance = whose.map_err(sentence)?;
    let format = old.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(sentence)?;
    if !(1..=migrate::FORMAT).contains(&format) {
        let (path, known) = (path.display().to_string(), migrate::FORMAT);
        return Err(StoreError::Newer { path, found: format, known });
    }
    let mut repair = Repair {
        new: migrate::fresh(&new, format, instance)?,
        old,
        aside: file::create_private_new(&free(&aside)).map_err(disk)?,
        tables: Vec::new(),
        lost: Vec::new(),
    };
    let aside = repair.aside.0.clone();
    repair.copy_tables()?;
    repair.drop_orphans()?;
    if format < migrate::FORMAT {
        migrate::finish(&mut repair.new, format)?;
    }
    repair.set_all_unreadable_aside()?;
    let Repair { old, new: made, tables, lost, .. } = repair;
    made.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).map_err(sentence)?;
    drop((old, made));
    std::fs::rename(path, &before).map_err(disk)?;
    for log in ["db-wal", "db-shm"] {
        let log = path.with_extension(log);
        if log.exists() {
            std::fs::rename(&log, free(&before.with_extension("log"))).map_err(disk)?;
        }
    }
    std::fs::rename(&new, path).map_err(disk)?;
    Ok(Repaired { tables, lost, before, aside })
}

struct Repair {
    old: Connection,
    new: Connection,
    aside: (PathBuf, std::fs::File),
    tables: Vec<(String, u64, u64)>,
    lost: Vec<String>,
}

impl Repair {
    fn copy_tables(&mut self) -> Result<(), StoreError> {
        self.new.execute_batch("PRAGMA foreign_keys = OFF; BEGIN").map_err(sentence)?;
        for name in self.names()? {
            let key = key(&self.new, &name)?;
            self.copy_table(&name, &key)?;
        }
        self.new.execute_batch("COMMIT").map_err(sentence)
    }

    fn names(&self) -> Result<Vec<String>, StoreError> {
        let names = "SELECT name FROM sqlite_schema WHERE type = 'table'
            AND name NOT LIKE 'sqlite_%' ORDER BY name";
        let mut query = self.new.prepare(names).map_err(sentence)?;
        let names = query.query_map([], |row| row.get(0)).map_err(sentence)?;
        names.collect::<rusqlite::Result<_>>().map_err(sentence)
    }

    fn set_all_unreadable_aside(&mut self) -> Result<(), StoreError> {
        self.new.execute_batch("PRAGMA foreign_keys = OFF; BEGIN").map_err(sentence)?;
        for name in self.names()? {
            let key = key(&self.new, &name)?;
            let aside = self.set_unreadable_aside(&name, &key)?;
            let count = format!("SELECT count(*) FROM {name}");
            let kept: i64 = self.new.query_row(&count, [], |row| row.get(0)).map_err(sentence)?;
            self.tables.push((name, kept.unsigned_abs(), aside));
        }
        self.new.execute_batch("COMMIT").map_err(sentence)
    }

    /// From the first row on until one cannot be read, then from the last one back.
    fn copy_table(&mut self, name: &str, key: &[String]) -> Result<(), StoreError> {
        let there = columns(&self.old, name).unwrap_or_default();
        let mut shared = columns(&self.new, name)?;
        shared.retain(|column| there.contains(column));
        if shared.is_empty() {
            self.lost.push(format!("table `{name}` is gone"));
            return Ok(());
        }
        let (listed, marks) = (shared.join(", "), vec!["?"; shared.len()].join(", "));
        let insert = format!("INSERT OR REPLACE INTO {name} ({listed}) VALUES ({marks})");
        for way in ["ASC", "DESC"] {
            let order: Vec<String> = key.iter().map(|column| format!("{column} {way}")).collect();
            let select = format!("SELECT {listed} FROM {name} ORDER BY {}", order.join(", "));
            let copy = || -> rusqlite::Result<()> {
                let mut query = self.old.prepare(&select)?;
                let mut rows = query.query([])?;
                while let Some(row) = rows.next()? {
                    let values = (0..shared.len()).map(|column| row.get::<_, Value>(column));
                    let values: Vec<Value> = values.collect::<rusqlite::Result<_>>()?;
                    // One that the tables of today do not take stays in the old file.
                    let _ = self.new.execute(&insert, params_from_iter(values));
                }
                Ok(())
            };
            match copy() {
                Ok(()) => return Ok(()),
                Err(error) if way == "DESC" => self.lost.push(format!(
                    "table `{name}`: its beginning and its end are kept, what lay between could \
                     not be read ({error})"
                )),
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// Rows that hold nonsense go to the file; says how many.
    fn set_unreadable_aside(&mut self, name: &str, key: &[String]) -> Result<u64, StoreError> {
        let Some((listed, is_readable)) = tables::readable(name) else { return Ok(0) };
        let mut bad: Vec<Vec<Value>> = Vec::new();
        {
            let select = format!("SELECT {listed}, {} FROM {name}", key.join(", "));
            let mut query = self.new.prepare(&select).map_err(sentence)?;
            let shown: Vec<String> = query.column_names().into_iter().map(str::to_owned).collect();
            let first = shown.len() - key.len();
            let mut rows = query.query([]).map_err(sentence)?;
            while let Some(row) = rows.next().map_err(sentence)? {
                if !is_readable(row) {
                    set_aside(&mut self.aside.1, name, row, &shown);
                    let key = (first..shown.len()).map(|column| row.get::<_, Value>(column));
                    bad.push(key.collect::<rusqlite::Result<_>>().map_err(sentence)?);
                }
            }
        }
        let same: Vec<String> = key.iter().map(|column| format!("{column} IS ?")).collect();
        let delete = format!("DELETE FROM {name} WHERE {}", same.join(" AND "));
        for key in &bad {
            self.new.execute(&delete, params_from_iter(key.iter())).map_err(sentence)?;
        }
        Ok(bad.len() as u64)
    }

    /// Rows that name bytes which are gone cannot stay.
    fn drop_orphans(&mut self) -> Result<(), StoreError> {
        for (table, column) in
            [("versions", "body"), ("versions", "extract"), ("detections", "result")]
        {
            let gone = format!("{column} NOT IN (SELECT id FROM blobs)");
            let dropped = self.new.execute(&format!("DELETE FROM {table} WHERE {gone}"), []);
            let dropped = dropped.map_err(sentence)?;
            if dropped > 0 {
                self.lost.push(format!("table `{table}`: {dropped} rows whose {column} is gone"));
            }
        }
        let body = "UPDATE outbox SET body = NULL, state = CASE state WHEN 'due' THEN 'closed'
            ELSE state END WHERE body IS NOT NULL AND body NOT IN (SELECT id FROM blobs)";
        self.new.execute(body, []).map_err(sentence)?;
        Ok(())
    }
}

/// One line of JSON: the table, and its columns as text.
fn set_aside(file: &mut std::fs::File, table: &str, row: &Row<'_>, columns: &[String]) {
    let mut shown = serde_json::Map::new();
    shown.insert("table".into(), table.into());
    for (at, column) in columns.iter().enumerate() {
        let value = match row.get_ref(at) {
            Ok(ValueRef::Null) | Err(_) => serde_json::Value::Null,
            Ok(ValueRef::Integer(number)) => number.into(),
            Ok(ValueRef::Real(number)) => number.into(),
            Ok(ValueRef::Text(text)) => String::from_utf8_lossy(text).into(),
            Ok(ValueRef::Blob(bytes)) => {
                bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()
            }
        };
        shown.insert(column.clone(), value);
    }
    // A row that cannot be written here is still in the old file.
    let _ = writeln!(file, "{}", serde_json::Value::Object(shown));
}

/// The columns of a table. Their names may be damaged, too.
fn columns(connection: &Connection, table: &str) -> Result<Vec<String>, StoreError> {
    let sql = format!("SELECT name FROM pragma_table_info('{table}')");
    let mut query = connection.prepare(&sql).map_err(sentence)?;
    let names = query.query_map([], |row| row.get(0)).map_err(sentence)?;
    names.collect::<rusqlite::Result<_>>().map_err(sentence)
}

/// The columns of the primary key; without one the number of the row.
fn key(connection: &Connection, table: &str) -> Result<Vec<String>, StoreError> {
    let sql = format!("SELECT name FROM pragma_table_info('{table}') WHERE pk > 0 ORDER BY pk");
    let mut query = connection.prepare(&sql).map_err(sentence)?;
    let names = query.query_map([], |row| row.get(0)).map_err(sentence)?;
    let names: Vec<String> = names.collect::<rusqlite::Result<_>>().map_err(sentence)?;
    Ok(if names.is_empty() { vec!["rowid".to_owned()] } else { names })
}

fn beside(path: &Path, what: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{what}"));
    PathBuf::from(name)
}

/// `path`, or with a number after it where that is taken.
fn free(path: &Path) -> PathBuf {
    let numbered = (2..).map(|n| PathBuf::from(format!("{}-{n}", path.display())));
    let mut places = std::iter::once(path.to_owned()).chain(numbered);
    places.find(|place| !place.exists()).expect("names do not end")
}
