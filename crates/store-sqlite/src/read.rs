//! Reading, on connections of its own: in WAL mode readers and the writer never wait for each
//! other, and every read sees the last commit.

pub(crate) mod tables;

use crate::error::sentence;
use crate::expected::Expected;
use crate::recent::Recent;
use crate::{blobs, file};
use chronon::{BlobId, Instant, NotificationId, RuleId, SentinelId, SourceId, VersionNo};
use kernel::Definitions;
use kernel::record::{
    HabitsRow, Meta, ProbeRow, RuleRow, SentinelLife, SentinelRow, Snapshot, SourceRow, Transition,
    VersionRow,
};
use outbox::{Attempt, ChannelId, ChannelRow, DeliveryResult, Detection, DetectionId, Row};
use page::Extract;
use rusqlite::{Connection, OptionalExtension, Params};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use store::{DUE_ROWS_LOADED, LIST_ROWS_MAX, Reader, StoreError};
use tables::{
    APPLYINGS, ATTEMPTS, CHANNELS, DEMANDS, DETECTIONS, DETECTORS, EVENTS, FIRINGS, HABITS, HOSTS,
    LIVES, LOUD, METAS, NODES, OPENS, OUTBOX, OWNERS, PROBES, ROUNDS, RULE_LIVES, RULES, SCHEDULES,
    SENTINELS, SOURCES, STREAMS, TRANSITIONS, Table, VERSIONS, WEEKS,
};

/// Connections kept open for the next reader, by the processors there are: each keeps a cache. More
/// are opened while there is need.
const CONNECTIONS_KEPT: RangeInclusive<usize> = 4..=8;

/// Any number of threads read through it; each takes an idle connection or opens one.
#[derive(Debug)]
pub(crate) struct SqliteReader {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
    /// How many of those there may be.
    kept: usize,
    recent: Arc<Recent>,
    expected: Expected,
}

impl SqliteReader {
    pub(crate) fn new(path: &Path, recent: Arc<Recent>) -> SqliteReader {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        SqliteReader {
            path: path.to_owned(),
            idle: Mutex::default(),
            kept: (2 * processors).clamp(*CONNECTIONS_KEPT.start(), *CONNECTIONS_KEPT.end()),
            recent,
            expected: Expected::default(),
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let idle = self.idle().pop();
        let connection = idle.map_or_else(|| file::open_reader(&self.path), Ok)?;
        let value = read(&connection)?;
        let mut idle = self.idle();
        if idle.len() < self.kept {
            idle.push(connection);
        }
        Ok(value)
    }

    fn list<T>(
        &self,
        table: &Table<T>,
        tail: &str,
        values: impl Params,
    ) -> Result<Vec<T>, StoreError> {
        self.with(|connection| list(connection, table, tail, values))
    }

    fn first<T>(
        &self,
        table: &Table<T>,
        tail: &str,
        values: impl Params,
    ) -> Result<Option<T>, StoreError> {
        Ok(self.list(table, tail, values)?.into_iter().next())
    }
}

/// All that `read` reads is of one moment.
fn moment<T>(
    connection: &Connection,
    read: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let moment = connection.unchecked_transaction().map_err(sentence)?;
    let value = read(connection)?;
    moment.commit().map_err(sentence)?;
    Ok(value)
}

/// The rows of `table` that `tail` (WHERE, ORDER BY, LIMIT) leaves.
fn list<T>(
    connection: &Connection,
    table: &Table<T>,
    tail: &str,
    values: impl Params,
) -> Result<Vec<T>, StoreError> {
    let sql = format!("SELECT {} FROM {} {tail}", table.columns, table.name);
    let mut statement = connection.prepare_cached(&sql).map_err(sentence)?;
    let rows = statement.query_map(values, table.read).map_err(sentence)?;
    rows.collect::<rusqlite::Result<_>>().map_err(|error| match sentence(error) {
        StoreError::Damaged(said) => {
            StoreError::Damaged(format!("in table `{}`: {said}", table.name))
        }
        other => other,
    })
}

fn capped(limit: usize) -> i64 {
    limit.min(LIST_ROWS_MAX) as i64
}

/// An exclusive upper bound for ids.
fn below(before: Option<u64>) -> i64 {
    before.and_then(|id| i64::try_from(id).ok()).unwrap_or(i64::MAX)
}

impl Reader for SqliteReader {
    fn snapshot(&self) -> Result<Snapshot, StoreError> {
        self.with(|connection| moment(connection, snapshot))
    }

    fn definitions(&self) -> Result<Definitions, StoreError> {
        self.with(|connection| moment(connection, definitions))
    }

    fn meta(&self) -> Result<Meta, StoreError> {
        self.first(&METAS, "", [])?.ok_or_else(no_meta)
    }

    fn blob(&self, id: BlobId) -> Result<Option<Arc<[u8]>>, StoreError> {
        self.with(|connection| {
            if let Some(bytes) = self.recent.get(id) {
                return Ok(blobs::is_stored(connection, id)?.then_some(bytes));
            }
            // One moment: a base may be swept between two statements.
            moment(connection, |connection| blobs::read(connection, &self.recent, id))
        })
    }

    fn extract(&self, id: BlobId) -> Result<Option<Arc<Extract>>, StoreError> {
        if let Some(extract) = self.expected.get(id) {
            return Ok(Some(extract));
        }
        let bytes = self.blob(id)?;
        let extract = bytes.and_then(|bytes| page::decode(&bytes).ok()).map(Arc::new);
        if let Some(extract) = &extract {
            self.expected.keep(id, extract);
        }
        Ok(extract)
    }

    fn expect_extract(&self, id: BlobId, extract: &Arc<Extract>) {
        self.expected.keep(id, extract);
    }

    fn sentinel(&self, id: SentinelId) -> Result<Option<SentinelRow>, StoreError> {
        self.first(&SENTINELS, "WHERE id = ?1", [id.0 as i64])
    }

    fn rule(&self, id: RuleId) -> Result<Option<RuleRow>, StoreError> {
        self.first(&RULES, "WHERE id = ?1", [id.0 as i64])
    }

    fn transitions(&self, sentinel: SentinelId) -> Result<Vec<Transition>, StoreError> {
        self.list(&TRANSITIONS, "WHERE sentinel = ?1 ORDER BY at, id", [sentinel.0 as i64])
    }

    fn source(&self, id: SourceId) -> Result<Option<SourceRow>, StoreError> {
        self.first(&SOURCES, "WHERE id = ?1", [id.0])
    }

    fn probes(&self, source: SourceId) -> Result<Vec<ProbeRow>, StoreError> {
        self.list(&PROBES, "WHERE source = ?1 ORDER BY number", [source.0])
    }

    fn habits(&self, source: SourceId) -> Result<Option<HabitsRow>, StoreError> {
        self.first(&HABITS, "WHERE source = ?1", [source.0])
    }

    fn loud(&self, source: SourceId) -> Result<Vec<change::Key>, StoreError> {
        let mut keys = self.list(&LOUD, "WHERE source = ?1", [source.0])?;
        keys.sort_unstable();
        Ok(keys)
    }

    fn version(
        &self,
        source: SourceId,
        number: VersionNo,
    ) -> Result<Option<VersionRow>, StoreError> {
        self.first(&VERSIONS, "WHERE source = ?1 AND number = ?2", [source.0, number.0])
    }

    fn versions(
        &self,
        source: SourceId,
        before: Option<VersionNo>,
        limit: usize,
    ) -> Result<Vec<VersionRow>, StoreError> {
        let before = below(before.map(|number| u64::from(number.0)));
        self.list(&VERSIONS, VERSIONS_BEFORE, (source.0, before, capped(limit)))
    }

    fn detection(&self, id: DetectionId) -> Result<Option<Detection>, StoreError> {
        self.first(&DETECTIONS, "WHERE id = ?1", [id.0 as i64])
    }

    fn detections(
        &self,
        sentinel: SentinelId,
        before: Option<DetectionId>,
        limit: usize,
    ) -> Result<Vec<Detection>, StoreError> {
        let tail = "WHERE sentinel = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3 + 0";
        self.list(
            &DETECTIONS,
            tail,
            (sentinel.0 as i64, below(before.map(|id| id.0)), capped(limit)),
        )
    }

    fn channel(&self, id: ChannelId) -> Result<Option<ChannelRow>, StoreError> {
        self.first(&CHANNELS, "WHERE id = ?1", [id.0 as i64])
    }

    fn notification(&self, id: NotificationId) -> Result<Option<Row>, StoreError> {
        self.first(&OUTBOX, "WHERE id = ?1", [id.0 as i64])
    }

    fn notifications(
        &self,
        sentinel: Option<SentinelId>,
        before: Option<NotificationId>,
        limit: usize,
    ) -> Result<Vec<Row>, StoreError> {
        let (before, limit) = (below(before.map(|id| id.0)), capped(limit));
        match sentinel {
            Some(sentinel) => {
                let tail = "WHERE sentinel = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3 + 0";
                self.list(&OUTBOX, tail, (sentinel.0 as i64, before, limit))
            }
            None => {
                let tail = "WHERE id < ?1 ORDER BY id DESC LIMIT ?2 + 0";
                self.list(&OUTBOX, tail, (before, limit))
            }
        }
    }

    fn attempts(&self, notification: NotificationId) -> Result<Vec<Attempt>, StoreError> {
        let tail = "WHERE notification = ?1 ORDER BY number";
        let id = notification.0 as i64;
        let (number, result) = (1, DeliveryResult::Delivered);
        let first = |at| Attempt { notification, number, at, result };
        self.with(|connection| {
            let first = arrived(connection, id)?.map(first);
            Ok(first.into_iter().chain(list(connection, &ATTEMPTS, tail, [id])?).collect())
        })
    }

    fn due(&self, channel: ChannelId, limit: usize) -> Result<Vec<Row>, StoreError> {
        self.list(&OUTBOX, DUE_OR_CLOSED, (channel.0 as i64, capped(limit)))
    }

    fn tried_last(&self, channel: ChannelId) -> Result<Option<Row>, StoreError> {
        self.first(&OUTBOX, TRIED_LAST, [channel.0 as i64])
    }
}

/// Sentinels with their lives.
fn sentinels(connection: &Connection) -> Result<Vec<(SentinelRow, SentinelLife)>, StoreError> {
    let sentinels = list(connection, &SENTINELS, "ORDER BY id", [])?;
    let lives = list(connection, &LIVES, "ORDER BY id", [])?;
    let mut lives = lives.into_iter().peekable();
    let mut paired = Vec::with_capacity(sentinels.len());
    for row in sentinels {
        while lives.next_if(|life| life.id < row.id).is_some() {}
        if let Some(life) = lives.next_if(|life| life.id == row.id) {
            paired.push((row, life));
        }
    }
    Ok(paired)
}

fn definitions(connection: &Connection) -> Result<Definitions, StoreError> {
    Ok(Definitions {
        sentinels: sentinels(connection)?,
        rules: list(connection, &RULES, "ORDER BY id", [])?,
        events: list(connection, &EVENTS, "ORDER BY id", [])?,
    })
}

fn snapshot(connection: &Connection) -> Result<Snapshot, StoreError> {
    let metas = list(connection, &METAS, "", [])?;
    let mut rules = Vec::new();
    let mut rule_lives = list(connection, &RULE_LIVES, "ORDER BY id", [])?.into_iter().peekable();
    for row in list(connection, &RULES, "ORDER BY id", [])? {
        while rule_lives.next_if(|life| life.id < row.id).is_some() {}
        rules.extend(rule_lives.next_if(|life| life.id == row.id).map(|life| (row, life)));
    }
    let mut detector = list(connection, &DETECTORS, "", [])?;
    detector.extend(list(connection, &NODES, "ORDER BY id", [])?);
    detector.extend(list(connection, &OPENS, "ORDER BY node, seq", [])?);
    Ok(Snapshot {
        meta: metas.into_iter().next().ok_or_else(no_meta)?,
        owners: list(connection, &OWNERS, "ORDER BY id", [])?,
        sentinels: sentinels(connection)?,
        sources: list(connection, &SOURCES, "ORDER BY id", [])?,
        schedule: list(connection, &SCHEDULES, "ORDER BY source", [])?,
        week: list(connection, &WEEKS, "", [])?.pop(),
        streams: list(connection, &STREAMS, "ORDER BY id", [])?,
        rounds: list(connection, &ROUNDS, "ORDER BY stream, number", [])?,
        channels: list(connection, &CHANNELS, "ORDER BY id", [])?,
        outbox: outbox_loaded(connection)?,
        outbox_counts: outbox_counts(connection)?,
        hosts: list(connection, &HOSTS, "ORDER BY name", [])?,
        applying: list(connection, &APPLYINGS, "", [])?.pop(),
        rules,
        events: list(connection, &EVENTS, "ORDER BY id", [])?,
        detector,
        firings: list(connection, &FIRINGS, "ORDER BY number", [])?,
        demands: list(connection, &DEMANDS, "ORDER BY number", [])?,
        waiting: list(connection, &DETECTIONS, WAITING, [])?,
    })
}

/// Detections that looks are wanted for.
const WAITING: &str = "WHERE id IN (SELECT about FROM demands) ORDER BY id";

fn no_meta() -> StoreError {
    StoreError::Damaged("the row of counters is gone".into())
}

fn outbox_counts(connection: &Connection) -> Result<Vec<(ChannelId, u64)>, StoreError> {
    let mut statement = connection.prepare_cached(UNFINISHED).map_err(sentence)?;
    let count = |row: &rusqlite::Row<'_>| {
        Ok((ChannelId(row.get::<_, i64>(0)? as u64), row.get::<_, i64>(1)? as u64))
    };
    let rows = statement.query_map([], count).map_err(sentence)?;
    rows.collect::<rusqlite::Result<_>>().map_err(sentence)
}

/// When the first attempt of a notification began, if that delivered it: such a one has no row.
const ARRIVED: &str = "SELECT CAST(created_at + arrived_after AS INTEGER) FROM outbox
    WHERE id = ?1 AND arrived_after IS NOT NULL";

fn arrived(connection: &Connection, id: i64) -> Result<Option<Instant>, StoreError> {
    let mut statement = connection.prepare_cached(ARRIVED).map_err(sentence)?;
    let at = statement.query_row([id], |row| row.get(0).map(Instant::from_millis));
    at.optional().map_err(sentence)
}

/// A limit that is a parameter alone is looked at when SQLite plans: the statement would be
/// compiled anew for each value.
pub(crate) const VERSIONS_BEFORE: &str =
    "WHERE source = ?1 AND number < ?2 ORDER BY number DESC LIMIT ?3 + 0";
/// The first condition is the index's own: SQLite does not infer it from the second.
pub(crate) const OPEN_OR_CLOSED: &str = "WHERE channel = ?1 AND state < 3 AND state < 2";
pub(crate) const FIRST_DUE: &str = "WHERE channel = ?1 AND due_at IS NOT NULL AND state = 2
    ORDER BY due_at, id LIMIT ?2 + 0";
pub(crate) const DUE_OR_CLOSED: &str = "WHERE channel = ?1 AND due_at IS NOT NULL
    ORDER BY due_at, id LIMIT ?2 + 0";
/// It reads what is unfinished of the channel, once at a start.
pub(crate) const TRIED_LAST: &str = "WHERE channel = ?1 AND state < 3 AND tried_after IS NOT NULL
    ORDER BY created_at + tried_after DESC, id LIMIT 1";
const UNFINISHED: &str = "SELECT channel, count(*) FROM outbox
    WHERE state < 3 GROUP BY channel ORDER BY channel";

/// All open and closed rows, and the first due ones of each channel, by id.
fn outbox_loaded(connection: &Connection) -> Result<Vec<Row>, StoreError> {
    let mut rows = Vec::new();
    for (channel, _) in outbox_counts(connection)? {
        rows.extend(list(connection, &OUTBOX, OPEN_OR_CLOSED, [channel.0 as i64])?);
        let first = (channel.0 as i64, DUE_ROWS_LOADED as i64);
        rows.extend(list(connection, &OUTBOX, FIRST_DUE, first)?);
    }
    rows.sort_by_key(|row| row.id);
    Ok(rows)
}
