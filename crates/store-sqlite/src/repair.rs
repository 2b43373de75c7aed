//! What can be read of a damaged store becomes a new one; what cannot is set aside.

mod swap;

use crate::error::sentence;
use crate::file;
use crate::migrate;
use crate::read::tables;
use chronon::id::NUMBER_BITS;
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
/// store; the old file stays beside the new one. A store that does not say whose it is any more
/// becomes that of `fresh_instance`.
///
/// # Errors
/// Nothing can be read; or what the disk says. Then nothing is changed.
pub fn repair(path: &Path, fresh_instance: [u8; 16]) -> Result<Repaired, StoreError> {
    let disk = |error: std::io::Error| StoreError::Failed(format!("{}: {error}", path.display()));
    let (new, aside) = (beside(path, "repaired"), beside(path, "set-aside"));
    for left in [&new, &log_of(&new), &beside(&new, "-shm")] {
        swap::remove(left).map_err(disk)?;
    }
    let old =
        Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(sentence)?;
    let format = format(&old, path)?;
    let whose = old.query_row("SELECT instance FROM meta", [], |row| row.get::<_, [u8; 16]>(0));
    let instance = *whose.as_ref().unwrap_or(&fresh_instance);
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
    repair.drop_lone_extracts()?;
    repair.count_without_address()?;
    repair.set_all_unreadable_aside()?;
    repair.mend_meta(instance)?;
    repair.mend_owners()?;
    if let Err(error) = whose {
        // Looks are spread already, but for those of the first release.
        let spread = format!("UPDATE meta SET spread = {}", u8::from(format > migrate::FIRST));
        repair.new.execute(&spread, []).map_err(sentence)?;
        repair.lost.push(format!(
            "table `meta`: whose store this is could not be read ({error}); it has a new identity, \
             and receivers may get again what was on its way"
        ));
    }
    let Repair { old, new: made, tables, lost, .. } = repair;
    made.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).map_err(sentence)?;
    // What stands in the log of the old file goes into it, as far as it can be read.
    let _ = old.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    drop((old, made));
    let before = free(&beside(path, "damaged"));
    swap::swap(&swap::Files { path, new: &new, before: &before }).map_err(disk)?;
    Ok(Repaired { tables, lost, before, aside })
}

/// The format that a file says it has.
fn format(old: &Connection, path: &Path) -> Result<i64, StoreError> {
    let unreadable = |why: &str| {
        StoreError::Failed(format!(
            "nothing of it can be read ({why}); put the last backup in its place, or move it away \
             to begin anew"
        ))
    };
    match old.query_row("PRAGMA user_version", [], |row| row.get(0)) {
        Ok(format) if (1..=migrate::FORMAT).contains(&format) => Ok(format),
        Ok(found) if found > migrate::FORMAT => {
            let (path, known) = (path.display().to_string(), migrate::FORMAT);
            Err(StoreError::Newer { path, found, known })
        }
        Ok(_) => Err(unreadable("it does not say that it is a store")),
        Err(error) => Err(unreadable(&error.to_string())),
    }
}

/// What counts on, and where the numbers stand that were given out.
type Counted = [(&'static str, &'static [(&'static str, &'static str)])];

/// In `meta`.
const COUNTED: &Counted =
    &[("next_source", &[("sources", "id"), ("sources_gone", "id"), ("versions", "source")])];

/// In `owners`: an id tells whose it is.
const COUNTED_OF_OWNERS: &Counted = &[
    (
        "next_sentinel",
        &[("sentinels", "id"), ("detections", "sentinel"), ("rules", "id"), ("events", "id")],
    ),
    ("next_detection", &[("detections", "id")]),
    ("next_notification", &[("outbox", "id"), ("attempts", "notification")]),
    ("next_channel", &[("channels", "id")]),
];

/// When something was written.
const TIMES: [(&str, &str); 6] = [
    ("sentinels", "defined_at"),
    ("transitions", "at"),
    ("probes", "start"),
    ("versions", "fetched_at"),
    ("detections", "at"),
    ("outbox", "created_at"),
];

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

    /// Where owners count on.
    fn mend_owners(&mut self) -> Result<(), StoreError> {
        for (counter, ids) in COUNTED_OF_OWNERS {
            let ids: Vec<String> =
                ids.iter().map(|(table, id)| format!("SELECT {id} AS id FROM {table}")).collect();
            let used = format!(
                "SELECT (id >> {NUMBER_BITS}) + 1 AS owner, max(id & {}) + 1 AS next FROM ({}) \
                 GROUP BY owner",
                (1_u64 << NUMBER_BITS) - 1,
                ids.join(" UNION ALL ")
            );
            self.new
                .execute_batch(&format!(
                    "INSERT OR IGNORE INTO owners SELECT owner, 1, 1, 1, 1 FROM ({used});
                    UPDATE owners SET {counter} = max({counter}, used.next) FROM ({used}) AS used
                    WHERE owners.id = used.owner;"
                ))
                .map_err(sentence)?;
        }
        Ok(())
    }

    /// Versions whose address was that of their source, which is lost.
    fn count_without_address(&mut self) -> Result<(), StoreError> {
        let count = "SELECT count(*) FROM versions
            WHERE final_url IS NULL AND source NOT IN (SELECT id FROM sources)";
        let count: i64 = self.new.query_row(count, [], |row| row.get(0)).map_err(sentence)?;
        if count > 0 {
            self.lost.push(format!(
                "table `versions`: the addresses of {count} rows, with the sources that had them"
            ));
        }
        Ok(())
    }

    /// Extracts of versions that are lost name bytes that nothing else needs.
    fn drop_lone_extracts(&self) -> Result<(), StoreError> {
        let lone = "DELETE FROM extracts WHERE NOT EXISTS (
            SELECT 1 FROM versions WHERE source = extracts.source AND number = extracts.version)";
        self.new.execute(lone, []).map(drop).map_err(sentence)
    }

    /// The row that says whose store this is, and where it counts on.
    fn mend_meta(&mut self, instance: [u8; 16]) -> Result<(), StoreError> {
        let new = "INSERT OR IGNORE INTO meta (id, instance, epoch, next_source)
            VALUES (1, ?1, 0, 0)";
        self.new.execute(new, [instance]).map_err(sentence)?;
        for (counter, ids) in COUNTED {
            let used = |(table, column): &(&str, &str)| {
                format!("SELECT coalesce(max({column}), 0) + 1 AS id FROM {table}")
            };
            let used: Vec<String> = ids.iter().map(used).collect();
            let next = format!("SELECT max(id) FROM ({})", used.join(" UNION ALL "));
            let update = format!("UPDATE meta SET {counter} = max({counter}, ({next}))");
            self.new.execute(&update, []).map_err(sentence)?;
        }
        let streams = "SELECT max(id & 0xffffffff) + 1 FROM streams WHERE source = sources.id";
        let update =
            format!("UPDATE sources SET next_stream = max(next_stream, coalesce(({streams}), 1))");
        self.new.execute(&update, []).map_err(sentence)?;
        let times = TIMES.map(|(table, at)| format!("SELECT max({at}) AS at FROM {table}"));
        let newest = format!("SELECT coalesce(max(at), 0) FROM ({})", times.join(" UNION ALL "));
        let newest = format!("UPDATE meta SET newest = ({newest}) WHERE newest = 0");
        self.new.execute(&newest, []).map_err(sentence)?;
        Ok(())
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

    fn has(&self, table: &str, column: &str) -> Result<bool, StoreError> {
        Ok(columns(&self.new, table)?.iter().any(|known| known == column))
    }

    /// Blobs cannot be read whose base is gone, nor what stands on them.
    fn drop_differences(&mut self, gone: &str) -> Result<(), StoreError> {
        let sql = format!("DELETE FROM blobs WHERE base IS NOT NULL AND {gone}");
        let mut dropped = 0;
        loop {
            match self.new.execute(&sql, []).map_err(sentence)? {
                0 => break,
                count => dropped += count,
            }
        }
        if dropped > 0 {
            self.lost.push(format!("table `blobs`: {dropped} differences whose base is gone"));
        }
        Ok(())
    }

    /// Rows that name bytes which are gone cannot stay.
    fn drop_orphans(&mut self) -> Result<(), StoreError> {
        // Before blobs had numbers their hashes named them.
        let name = if self.has("blobs", "number")? { "number" } else { "id" };
        let gone = |column: &str| format!("{column} NOT IN (SELECT {name} FROM blobs)");
        self.drop_differences(&gone("base"))?;
        // Before the third format each detection had one result, in its row.
        let first = self.has("detections", "result")?;
        let result = match gone("result") {
            gone if first => gone,
            gone => format!("id IN (SELECT detection FROM evidence WHERE {gone})"),
        };
        let extracts = if self.has("versions", "extract")? { "versions" } else { "extracts" };
        for (table, column, gone) in [
            ("versions", "body", gone("body")),
            (extracts, "extract", gone("extract")),
            ("detections", "result", result),
        ] {
            let dropped = self.new.execute(&format!("DELETE FROM {table} WHERE {gone}"), []);
            let dropped = dropped.map_err(sentence)?;
            if dropped > 0 {
                self.lost.push(format!("table `{table}`: {dropped} rows whose {column} is gone"));
            }
        }
        if !first {
            let left = "DELETE FROM evidence WHERE detection NOT IN (SELECT id FROM detections)";
            self.new.execute(left, []).map_err(sentence)?;
        }
        // Before stages had numbers they had words.
        let numbered = self.has("outbox", "state_after")?;
        let (due, closed) = if numbered { ("2", "1") } else { ("'due'", "'closed'") };
        let body = format!(
            "UPDATE outbox SET body = NULL, state = CASE state WHEN {due} THEN {closed}
            ELSE state END WHERE body IS NOT NULL AND {}",
            gone("body")
        );
        self.new.execute(&body, []).map_err(sentence)?;
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

/// `tidings.db.damaged`, or `tidings.db-wal`.
fn beside(path: &Path, what: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(if what.starts_with('-') { "" } else { "." });
    name.push(what);
    PathBuf::from(name)
}

fn log_of(path: &Path) -> PathBuf {
    beside(path, "-wal")
}

/// `path`, or with a number after it where that is taken.
fn free(path: &Path) -> PathBuf {
    let numbered = (2..).map(|n| PathBuf::from(format!("{}-{n}", path.display())));
    let mut places = std::iter::once(path.to_owned()).chain(numbered);
    places.find(|place| !place.exists()).expect("names do not end")
}
