//! Records become rows.

use crate::error::sentence;
use crate::rows::{self, Said, Summary, elements_text};
use crate::{StoreError, Writer, blobs, packed};
use address::Contact;
use change::Evidence;
use chronon::{BlobId, Instant, SourceId};
use event::{Change, Key};
use kernel::Record;
use kernel::record::{
    FiringRow, HabitsRow, LoudRow, Meta, OwnerRow, ProbeRow, RuleLife, RuleRow, SentinelLife,
    SentinelRow, SourceRow, StreamRow, Transition, VersionRow,
};
use outbox::{Attempt, ChannelRow, DeliveryResult, Detection, OutboxRecord, Row};
use rusqlite::{OptionalExtension, Params, params};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use store::{
    ATTEMPTS_KEPT, BLOB_BYTES_MAX, Batch, LOUD_KEPT, PROBES_KEPT, TRANSITIONS_KEPT, named_blobs,
};

/// `INSERT … ON CONFLICT (keys) DO UPDATE SET …`: unlike REPLACE it deletes no row, so that the
/// triggers see a blob's name change only when it does. A column marked `#` takes a hash, and gets
/// the number of its blob; one marked `^` takes an address, and stays empty for that of the source,
/// which is the first key.
fn upsert(table: &str, keys: &str, columns: &str) -> String {
    let all = format!("{keys}, {columns}");
    let place = |(column, n): (&str, usize)| match column.as_bytes().first() {
        Some(b'#') => blobs::number_of(n),
        Some(b'^') => format!("nullif(?{n}, (SELECT url FROM sources WHERE id = ?1))"),
        _ => format!("?{n}"),
    };
    let places: Vec<String> = all.split(", ").zip(1..).map(place).collect();
    let (all, columns) = (all.replace(['#', '^'], ""), columns.replace(['#', '^'], ""));
    let sets: Vec<String> = columns.split(", ").map(|c| format!("{c} = excluded.{c}")).collect();
    format!(
        "INSERT INTO {table} ({all}) VALUES ({}) ON CONFLICT ({keys}) DO UPDATE SET {}",
        places.join(", "),
        sets.join(", ")
    )
}

/// The result of the last detection on a source before one, if its depth is below the third value.
pub(crate) const RESULT_BEFORE: &str = "SELECT id FROM blobs WHERE depth < ?3 AND number = (
    SELECT result FROM evidence WHERE source = ?1 AND detection < ?2
    ORDER BY detection DESC LIMIT 1)";

/// The message of a sentinel's last notification before one, if that is composed.
pub(crate) const MESSAGE_BEFORE: &str = "SELECT id FROM blobs WHERE number = (
    SELECT body FROM outbox WHERE sentinel = ?1 AND id < ?2 ORDER BY id DESC LIMIT 1)";

macro_rules! upserts {
    ($($name:ident = $table:literal, $keys:expr, $columns:expr;)*) => {
        $(static $name: LazyLock<String> = LazyLock::new(|| upsert($table, $keys, $columns));)*
    };
}

upserts! {
    META = "meta", "id", rows::META;
    OWNER = "owners", "id", rows::OWNER;
    SENTINEL = "sentinels", "id", rows::SENTINEL;
    LIFE = "sentinel_lives", "id", rows::LIFE;
    SOURCE = "sources", "id", rows::SOURCE;
    SCHEDULE = "schedule", "source", rows::SCHEDULE;
    HABITS = "habits", "source", rows::HABITS;
    WEEK = "week", "id", rows::WEEK;
    PROBE = "probes", "source, slot", rows::PROBE;
    EXTRACT = "extracts", "source, version, view", rows::EXTRACT;
    VERSION = "versions", "source, number", rows::VERSION_WRITTEN;
    STREAM = "streams", "id", rows::STREAM;
    ROUND = "rounds", "stream, number", rows::ROUND;
    DETECTION = "detections", "id", rows::DETECTION_WRITTEN;
    EVIDENCE = "evidence", "detection, place", rows::EVIDENCE;
    CHANNEL = "channels", "id", rows::CHANNEL;
    ATTEMPT = "attempts", "notification, slot", rows::ATTEMPT;
    HOST = "hosts", "name", rows::HOST;
    APPLYING = "applying", "id", rows::APPLYING;
    RULE = "rules", "id", rows::RULE;
    RULE_LIFE = "rule_lives", "id", rows::RULE_LIFE;
    EVENT = "events", "id", rows::EVENT;
    DETECTOR = "detector", "id", rows::DETECTOR;
    NODE = "event_nodes", "id", rows::NODE;
    OPEN = "event_open", "node, seq", rows::OPEN;
    FIRING = "firings", "number", rows::FIRING;
    DEMAND = "demands", "number", rows::DEMAND;
}

/// What counts from when a notification was created stays when that is another time.
static OUTBOX: LazyLock<String> = LazyLock::new(|| {
    let row = upsert("outbox", "id", rows::OUTBOX_WRITTEN);
    format!("{row}, arrived_after = arrived_after + created_at - excluded.created_at")
});

/// SQLite's integers are signed; ours stay far below 2^63, and the bits survive in any case.
fn int(value: u64) -> i64 {
    value as i64
}

fn at(instant: Option<Instant>) -> Option<i64> {
    instant.map(Instant::as_millis)
}

impl Writer<'_> {
    pub(crate) fn append(&self, batch: &Batch) -> Result<(), StoreError> {
        let carried: BTreeMap<BlobId, &Arc<[u8]>> =
            batch.blobs.iter().map(|(id, bytes)| (*id, bytes)).collect();
        for record in &batch.records {
            self.put_named(record, &carried)?;
            self.apply(record)?;
        }
        Ok(())
    }

    /// Stores the blobs that `record` names, if they are not stored yet.
    fn put_named(
        &self,
        record: &Record,
        carried: &BTreeMap<BlobId, &Arc<[u8]>>,
    ) -> Result<(), StoreError> {
        for (place, id) in named_blobs(record).into_iter().enumerate() {
            let bytes = carried.get(&id);
            if let Some(bytes) = bytes
                && (bytes.len() > BLOB_BYTES_MAX || *blake3::hash(bytes).as_bytes() != id.0)
            {
                return Err(StoreError::WrongBlob(id));
            }
            if self.has_blob(id)? {
                continue;
            }
            let bytes = bytes.ok_or(StoreError::MissingBlob(id))?;
            let bases = match record {
                Record::Version(version) => [self.predecessor(version, place)?, None],
                Record::Detection(row) => [self.result_before(row, place)?, None],
                Record::Outbox(OutboxRecord::Row(row)) => {
                    [self.message_before(row)?, self.result_told(row)?]
                }
                _ => [None, None],
            };
            self.put_blob(id, bytes, bases.into_iter().flatten().collect())?;
        }
        Ok(())
    }

    /// The body (place 0) of the version before, or the extract of the view that has this place.
    fn predecessor(
        &self,
        version: &VersionRow,
        place: usize,
    ) -> Result<Option<BlobId>, StoreError> {
        let (source, number) = (version.source.0, version.number.0);
        let view = place.checked_sub(1).and_then(|at| version.facts.extracts.keys().nth(at));
        match view {
            None => {
                let sql = "SELECT blobs.id FROM versions JOIN blobs ON blobs.number = body
                           WHERE source = ?1 AND versions.number < ?2
                           ORDER BY versions.number DESC LIMIT 1";
                self.blob_id(sql, params![source, number])
            }
            Some(view) => {
                let sql = "SELECT id FROM extracts JOIN blobs ON number = extract
                           WHERE source = ?1 AND version < ?2 AND view = ?3
                           ORDER BY version DESC LIMIT 1";
                self.blob_id(sql, params![source, number, view.key()])
            }
        }
    }

    /// What the detection before was found by, on the source of the piece of evidence at a place;
    /// none, if no message could stand on what stands on that.
    fn result_before(&self, row: &Detection, place: usize) -> Result<Option<BlobId>, StoreError> {
        let Some(piece) = row.evidence.get(place) else { return Ok(None) };
        let values = params![piece.source.0, int(row.id.0), blobs::CHAIN_MAX - 1];
        self.blob_id(RESULT_BEFORE, values)
    }

    /// What the first detection that a message tells of was found by.
    fn result_told(&self, row: &Row) -> Result<Option<BlobId>, StoreError> {
        let Some(detection) = row.members.first() else { return Ok(None) };
        let sql = "SELECT id FROM evidence JOIN blobs ON number = result
                   WHERE detection = ?1 ORDER BY place LIMIT 1";
        self.blob_id(sql, [int(detection.0)])
    }

    /// What the sentinel's last message before told, on this channel or another.
    fn message_before(&self, row: &Row) -> Result<Option<BlobId>, StoreError> {
        let Some(sentinel) = row.sentinel else { return Ok(None) };
        self.blob_id(MESSAGE_BEFORE, [int(sentinel.0), int(row.id.0)])
    }

    fn blob_id(&self, sql: &str, values: impl Params) -> Result<Option<BlobId>, StoreError> {
        let mut statement = self.connection.prepare_cached(sql).map_err(sentence)?;
        let found = statement.query_row(values, |row| row.get(0).map(BlobId));
        found.optional().map_err(sentence)
    }

    fn apply(&self, record: &Record) -> Result<(), StoreError> {
        match record {
            Record::Meta(meta) => self.apply_meta(meta),
            Record::Owner(row) => self.apply_owner(row),
            Record::Sentinel(row) => self.apply_sentinel(row),
            Record::SentinelLife(life) => self.apply_life(life),
            Record::SentinelGone(id) => {
                self.run("DELETE FROM sentinels WHERE id = ?1", [int(id.0)])?;
                self.run("DELETE FROM sentinel_lives WHERE id = ?1", [int(id.0)])?;
                self.run("DELETE FROM transitions WHERE sentinel = ?1", [int(id.0)]).map(drop)
            }
            Record::Transition(transition) => self.apply_transition(transition),
            Record::Source(row) => self.apply_source(row),
            Record::SourceGone(id) => self.apply_source_gone(*id),
            Record::Schedule(learned) => self.apply_learned(learned),
            Record::Habits(row) => self.apply_habits(row),
            Record::Loud(row) => self.apply_loud(row),
            Record::Week(week) => self.apply_week(week),
            Record::Probe(probe) => self.apply_probe(probe),
            Record::Version(version) => self.apply_version(version),
            Record::Counted(source, number) => {
                let sql = "UPDATE versions SET held = 0 WHERE source = ?1 AND number = ?2";
                self.run(sql, params![source.0, number.0]).map(drop)
            }
            Record::Stream(stream) => self.apply_stream(stream),
            Record::StreamGone(id) => {
                self.run("DELETE FROM streams WHERE id = ?1", [int(id.0)]).map(drop)
            }
            Record::Round(round) => {
                let (stream, index) = (int(round.id.stream.0), int(round.id.index));
                let opened = round.opened_at.as_millis();
                self.run(&ROUND, params![stream, index, round.source.0, opened]).map(drop)
            }
            Record::RoundGone(id) => {
                let sql = "DELETE FROM rounds WHERE stream = ?1 AND number = ?2";
                self.run(sql, params![int(id.stream.0), int(id.index)]).map(drop)
            }
            Record::Detection(row) => self.apply_detection(row),
            Record::Rule(_)
            | Record::RuleLife(_)
            | Record::RuleGone(_)
            | Record::Event(_)
            | Record::EventGone(_)
            | Record::Detector(_)
            | Record::Firing(_)
            | Record::FiringGone(_)
            | Record::Demand(_)
            | Record::DemandGone(_) => self.apply_of_rules(record),
            Record::Outbox(OutboxRecord::Row(row)) => self.apply_notification(row),
            Record::Outbox(OutboxRecord::Attempt(attempt)) => self.apply_attempt(attempt),
            Record::Outbox(OutboxRecord::Channel(channel)) => self.apply_channel(channel),
            Record::Host(row) => {
                self.run(&HOST, params![&*row.name, at(row.held_until), row.holds]).map(drop)
            }
            Record::HostGone(name) => {
                self.run("DELETE FROM hosts WHERE name = ?1", [&**name]).map(drop)
            }
            Record::Applying(row) => {
                let texts = rows::texts_json(row.texts.iter().map(|text| text.reveal()));
                let values = params![1, row.now.as_millis(), row.owner.0, texts];
                self.run(&APPLYING, values).map(drop)
            }
            Record::ApplyingGone => self.run("DELETE FROM applying", []).map(drop),
        }
    }

    fn apply_meta(&self, meta: &Meta) -> Result<(), StoreError> {
        let values = params![
            1,
            meta.instance,
            int(meta.epoch),
            meta.next_source,
            meta.newest.as_millis(),
            meta.spread,
        ];
        self.run(&META, values).map(drop)
    }

    fn apply_owner(&self, row: &OwnerRow) -> Result<(), StoreError> {
        let values = params![
            row.id.0,
            int(row.next_sentinel),
            int(row.next_detection),
            int(row.next_notification),
            int(row.next_channel),
        ];
        self.run(&OWNER, values).map(drop)
    }

    fn apply_sentinel(&self, row: &SentinelRow) -> Result<(), StoreError> {
        let values = params![
            int(row.id.0),
            &*row.name,
            row.generation,
            row.text.reveal(),
            row.source.0,
            row.created_at.as_millis(),
            row.defined_at.as_millis(),
            rows::sources_text(&row.others),
        ];
        self.run(&SENTINEL, values).map(drop)
    }

    fn apply_life(&self, life: &SentinelLife) -> Result<(), StoreError> {
        let (told, is_of_page, back, is_as_before) = rows::worry_row(life.worry);
        let values = params![
            int(life.id.0),
            life.state.name(),
            at(life.since),
            at(life.until),
            life.stream.map(|stream| int(stream.0)),
            int(life.first_index),
            int(life.seq),
            &*life.not_evaluated,
            told,
            is_of_page,
            back,
            is_as_before,
            at(life.blind),
            rows::places_text(&life.others),
            at(life.snoozed),
            at(life.going),
            at(life.started),
            at(life.from),
            at(life.to),
        ];
        self.run(&LIFE, values).map(drop)
    }

    /// What rules write.
    fn apply_of_rules(&self, record: &Record) -> Result<(), StoreError> {
        match record {
            Record::Rule(row) => self.apply_rule(row),
            Record::RuleLife(life) => self.apply_rule_life(life),
            Record::RuleGone(id) => {
                self.run("DELETE FROM rules WHERE id = ?1", [int(id.0)])?;
                self.run("DELETE FROM rule_lives WHERE id = ?1", [int(id.0)]).map(drop)
            }
            Record::Event(row) => {
                let keys: Vec<u8> = row.keys.iter().flat_map(|key| key.0).collect();
                self.run(&EVENT, params![int(row.id.0), &*row.name, keys]).map(drop)
            }
            Record::EventGone(id) => {
                self.run("DELETE FROM events WHERE id = ?1", [int(id.0)]).map(drop)
            }
            Record::Detector(change) => self.apply_detector(change),
            Record::Firing(row) => self.apply_firing(row),
            Record::FiringGone(number) => {
                self.run("DELETE FROM firings WHERE number = ?1", [int(*number)]).map(drop)
            }
            Record::Demand(row) => {
                let sources = rows::json(&row.sources);
                let (start, finish) = (row.start.as_millis(), row.finish.as_millis());
                let (number, weight) = (int(row.number), int(row.weight));
                let about = row.about.map(|id| int(id.0));
                let values = params![number, start, finish, weight, sources, about];
                self.run(&DEMAND, values).map(drop)
            }
            Record::DemandGone(number) => {
                self.run("DELETE FROM demands WHERE number = ?1", [int(*number)]).map(drop)
            }
            _ => Ok(()),
        }
    }

    fn apply_rule(&self, row: &RuleRow) -> Result<(), StoreError> {
        let values = params![
            int(row.id.0),
            &*row.name,
            row.generation,
            row.text.reveal(),
            row.zone.name(),
            row.created_at.as_millis(),
            row.defined_at.as_millis(),
        ];
        self.run(&RULE, values).map(drop)
    }

    fn apply_rule_life(&self, life: &RuleLife) -> Result<(), StoreError> {
        let values = params![
            int(life.id.0),
            life.is_enabled,
            life.root.map(|root| int(root.0)),
            int(life.seq),
            int(life.fired),
            at(life.fired_at),
            &*life.trouble,
        ];
        self.run(&RULE_LIFE, values).map(drop)
    }

    fn apply_detector(&self, change: &Change) -> Result<(), StoreError> {
        match change {
            Change::Put(event::Row::Next(next)) => {
                self.run(&DETECTOR, params![1, int(*next)]).map(drop)
            }
            Change::Put(event::Row::Node { id, shape, dropped }) => {
                self.run(&NODE, params![int(id.0), rows::json(shape), int(*dropped)]).map(drop)
            }
            Change::Put(event::Row::Open { node, role, seq, occurrence, note }) => {
                let values = params![
                    int(node.0),
                    int(*seq),
                    role,
                    occurrence.start.as_millis(),
                    occurrence.end.as_millis(),
                    occurrence.gathered,
                    rows::json(&occurrence.marks()),
                    rows::json(note),
                ];
                self.run(&OPEN, values).map(drop)
            }
            Change::Drop(Key::Next) => self.run("DELETE FROM detector", []).map(drop),
            Change::Drop(Key::Node(id)) => {
                self.run("DELETE FROM event_nodes WHERE id = ?1", [int(id.0)]).map(drop)
            }
            Change::Drop(Key::Open { node, seq }) => {
                let sql = "DELETE FROM event_open WHERE node = ?1 AND seq = ?2";
                self.run(sql, [int(node.0), int(*seq)]).map(drop)
            }
        }
    }

    fn apply_firing(&self, row: &FiringRow) -> Result<(), StoreError> {
        let values = params![
            int(row.number),
            int(row.rule.0),
            row.generation,
            row.start.as_millis(),
            row.end.as_millis(),
            row.gathered,
            rows::json(&row.marks),
            rows::json(&row.chain),
        ];
        self.run(&FIRING, values).map(drop)
    }

    /// A sentinel enters a state at an instant once; said again it keeps its place.
    fn apply_transition(&self, transition: &Transition) -> Result<(), StoreError> {
        let sql = "INSERT INTO transitions (sentinel, at, state, cause) VALUES (?1, ?2, ?3, ?4)
                   ON CONFLICT (sentinel, at, state) DO UPDATE SET cause = excluded.cause";
        let values = params![
            int(transition.sentinel.0),
            transition.at.as_millis(),
            transition.state.name(),
            transition.cause.name(),
        ];
        self.run(sql, values)?;
        let sql = "DELETE FROM transitions WHERE id IN (SELECT id FROM transitions
                   WHERE sentinel = ?1 ORDER BY at DESC, id DESC LIMIT -1 OFFSET ?2)";
        self.run(sql, params![int(transition.sentinel.0), TRANSITIONS_KEPT as i64]).map(drop)
    }

    fn apply_source(&self, row: &SourceRow) -> Result<(), StoreError> {
        let held = row.held.as_ref();
        let trail = row.trail.as_deref();
        let unfinished = trail.and_then(|trail| trail.unfinished.as_ref());
        let pause = trail.and_then(|trail| trail.pause.as_ref());
        let values = params![
            row.id.0,
            row.url.reveal(),
            rows::way_text(&row.way),
            row.owner.map(|owner| owner.0),
            &*row.host,
            row.added_at.as_millis(),
            row.version,
            row.fingerprint,
            rows::kind_text(row.kind),
            row.extractor,
            row.newest,
            held.map(|held| held.version.0),
            held.map(|held| held.fingerprint),
            held.map(|held| rows::kind_text(held.kind)),
            held.and_then(|held| held.odd).map(rows::odd_text),
            at(held.map(|held| held.seen)),
            held.is_some_and(|held| held.confirmed),
            at(row.last_success),
            at(row.last_unconditional),
            row.validators.etag(),
            row.validators.last_modified(),
            row.validators.url(),
            row.failures,
            at(row.failing_since),
            row.failing_told,
            trail.map(|trail| &*trail.to),
            trail.map_or(0, |trail| trail.looks),
            trail.map(|trail| trail.asked.as_millis()),
            unfinished.map(|(at, _)| &**at),
            unfinished.map_or(0, |(_, hops)| *hops),
            pause.map(|(host, _)| &**host),
            pause.map(|(_, until)| until.as_millis()),
            row.next_stream,
            at(row.asked),
        ];
        self.run(&SOURCE, values).map(drop)
    }

    fn apply_source_gone(&self, id: SourceId) -> Result<(), StoreError> {
        self.run("DELETE FROM sources WHERE id = ?1", [id.0])?;
        self.run("DELETE FROM schedule WHERE source = ?1", [id.0])?;
        self.run("DELETE FROM probes WHERE source = ?1", [id.0])?;
        self.run("DELETE FROM habits WHERE source = ?1", [id.0])?;
        self.run("DELETE FROM loud WHERE source = ?1", [id.0])?;
        self.run("INSERT OR IGNORE INTO sources_gone VALUES (?1)", [id.0]).map(drop)
    }

    fn apply_learned(&self, learned: &schedule::SourceRecord) -> Result<(), StoreError> {
        let [fast_items, fast_exposure, slow_items, slow_exposure, lead, changed] =
            learned.learned.numbers();
        let values = params![
            learned.source.0,
            at(learned.last_probe),
            at(learned.last_success),
            learned.failures,
            int(learned.probes),
            int(learned.changes),
            fast_items,
            fast_exposure,
            slow_items,
            slow_exposure,
            lead,
            changed,
            learned.score,
            learned.company,
            learned.dates,
        ];
        self.run(&SCHEDULE, values).map(drop)
    }

    fn is_source(&self, id: SourceId) -> Result<bool, StoreError> {
        let mut found = self
            .connection
            .prepare_cached("SELECT 1 FROM sources WHERE id = ?1")
            .map_err(sentence)?;
        found.exists([id.0]).map_err(sentence)
    }

    fn apply_habits(&self, row: &HabitsRow) -> Result<(), StoreError> {
        if !self.is_source(row.source)? {
            return Ok(());
        }
        let learned = packed::pack(&row.learned)?;
        self.run(&HABITS, params![row.source.0, row.version.0, learned]).map(drop)
    }

    fn apply_loud(&self, row: &LoudRow) -> Result<(), StoreError> {
        let (source, key) = (row.source.0, row.key.to_string());
        if !row.is_loud {
            let sql = "DELETE FROM loud WHERE source = ?1 AND key = ?2";
            return self.run(sql, params![source, key]).map(drop);
        }
        if !self.is_source(row.source)? {
            return Ok(());
        }
        let sql = "INSERT OR IGNORE INTO loud SELECT ?1, ?2
                   WHERE (SELECT count(*) FROM loud WHERE source = ?1) < ?3";
        self.run(sql, params![source, key, LOUD_KEPT as i64]).map(drop)
    }

    fn apply_week(&self, week: &schedule::WeekRecord) -> Result<(), StoreError> {
        let (hours, company) = (rows::hours_bytes(&week.hours), rows::hours_bytes(&week.company));
        let values = params![1, week.discounted.as_millis(), hours, company];
        self.run(&WEEK, values).map(drop)
    }

    fn apply_probe(&self, probe: &ProbeRow) -> Result<(), StoreError> {
        let (outcome, version, status, failure) = rows::outcome_columns(&probe.outcome);
        let (reason, reason_value) = rows::reason_columns(probe.reason);
        let values = params![
            probe.source.0,
            int(probe.number % PROBES_KEPT),
            int(probe.number),
            probe.start.as_millis(),
            probe.took.as_millis(),
            int(probe.body_bytes),
            Said(outcome),
            version,
            status,
            failure,
            Said(reason),
            reason_value,
            int(probe.wire_bytes),
            probe.led_to.as_deref(),
        ];
        self.run(&PROBE, values).map(drop)
    }

    fn apply_version(&self, version: &VersionRow) -> Result<(), StoreError> {
        let facts = &version.facts;
        let values = params![
            version.source.0,
            version.number.0,
            version.fetched_at.as_millis(),
            version.held,
            facts.fingerprint,
            Said(rows::kind_text(facts.kind)),
            facts.odd.map(rows::odd_text).map(Said),
            facts.body.0,
            facts.status,
            Said(&facts.media_type),
            &*facts.final_url,
            facts.etag.as_deref(),
            facts.last_modified.as_deref(),
            at(facts.modified_at),
            Summary(&facts.summary),
        ];
        self.run(&VERSION, values)?;
        let at = params![version.source.0, version.number.0];
        self.run("DELETE FROM extracts WHERE source = ?1 AND version = ?2", at)?;
        for (view, made) in &facts.extracts {
            let (source, number) = (version.source.0, version.number.0);
            let values = params![source, number, view.key(), made.extractor, made.blob.0];
            self.run(&EXTRACT, values)?;
        }
        Ok(())
    }

    fn apply_stream(&self, stream: &StreamRow) -> Result<(), StoreError> {
        let spec = rows::spec_columns(&stream.spec);
        let (kinds, fingerprints) = rows::strands_columns(&stream.strands);
        let values = params![
            int(stream.id.0),
            stream.source.0,
            spec.name,
            spec.t0,
            spec.period_unit,
            spec.period,
            spec.slack,
            spec.zone,
            elements_text(&stream.elements),
            kinds,
            fingerprints,
            stream.shown,
            int(stream.next_ei),
            rows::captures_text(stream.captures.as_deref()),
        ];
        self.run(&STREAM, values).map(drop)
    }

    fn apply_detection(&self, row: &Detection) -> Result<(), StoreError> {
        let id = int(row.id.0);
        let values = params![
            id,
            int(row.sentinel.0),
            row.generation,
            row.at.as_millis(),
            int(row.seq),
            Said(&rows::combinations_text(&row.combinations)),
            Said(&rows::json(&row.parts)),
            row.follow.as_ref().map(rows::json),
        ];
        self.run(&DETECTION, values)?;
        for (place, piece) in (0i64..).zip(&row.evidence) {
            let Evidence { source, from, to, result } = *piece;
            self.run(&EVIDENCE, params![id, place, source.0, from.0, to.0, result.0])?;
        }
        let beyond = "DELETE FROM evidence WHERE detection = ?1 AND place >= ?2";
        self.run(beyond, [id, row.evidence.len() as i64]).map(drop)
    }

    fn apply_notification(&self, row: &Row) -> Result<(), StoreError> {
        let (state, reason) = rows::outbox_state_columns(&row.state);
        let due_at = match row.state {
            outbox::State::Due { at } => Some(at),
            outbox::State::Closed => Some(row.closed_at.unwrap_or(row.created_at)),
            _ => None,
        };
        let after = |at: Option<Instant>| at.map(|at| (at - row.created_at).as_millis());
        let values = params![
            int(row.id.0),
            rows::key_value(&row.key),
            Said(row.kind.name()),
            row.sentinel.map(|sentinel| int(sentinel.0)),
            row.generation,
            int(row.channel.0),
            int(row.seq),
            rows::members_value(&row.members),
            int(row.more),
            row.source.map(|source| source.0),
            &*row.note,
            row.created_at.as_millis(),
            after(row.closed_at),
            row.body.map(|body| body.0),
            row.attempts,
            after(row.first_attempt),
            row.effort.tries,
            row.effort.up.as_millis(),
            after(row.effort.last),
            state,
            after(row.state.at()),
            reason,
            row.read,
            at(due_at),
        ];
        self.run(&OUTBOX, values).map(drop)
    }

    fn apply_attempt(&self, attempt: &Attempt) -> Result<(), StoreError> {
        let (id, at) = (int(attempt.notification.0), attempt.at.as_millis());
        if attempt.number % ATTEMPTS_KEPT == 1 {
            let has_arrived = attempt.number == 1 && attempt.result == DeliveryResult::Delivered;
            let sql = "UPDATE outbox SET arrived_after = ?2 - created_at WHERE id = ?1";
            let told = self.run(sql, params![id, has_arrived.then_some(at)])?;
            if has_arrived && told > 0 {
                let sql = "DELETE FROM attempts WHERE notification = ?1 AND slot = 1";
                return self.run(sql, [id]).map(drop);
            }
        }
        let (result, reason, after) = rows::delivery_columns(&attempt.result);
        let values = params![
            id,
            attempt.number % ATTEMPTS_KEPT,
            attempt.number,
            at,
            Said(result),
            reason,
            after,
        ];
        self.run(&ATTEMPT, values).map(drop)
    }

    fn apply_channel(&self, channel: &ChannelRow) -> Result<(), StoreError> {
        let values = params![
            int(channel.id.0),
            &*channel.name,
            channel.contact.as_ref().map(Contact::reveal),
            channel.disabled.as_deref(),
            channel.course.next_at.map(Instant::as_millis),
            channel.course.failing.map(|failing| failing.since.as_millis()),
            channel.course.failing.is_some_and(|failing| failing.told),
        ];
        self.run(&CHANNEL, values).map(drop)
    }
}
