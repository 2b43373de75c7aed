//! How the rows of each table are read; the columns are in the order of `rows`.

use crate::rows::{self, Columns};
use address::Contact;
use chronon::{
    BlobId, EventId, NotificationId, OwnerId, RuleId, SentinelId, SourceId, StreamId, VersionNo,
    Zone,
};
use event::{NodeId, Occurrence};
use graph::RoundId;
use kernel::record::{
    ApplyingRow, DemandRow, EventRow, FiringRow, HabitsRow, HostRow, KeptValidators, Meta,
    OwnerRow, ProbeRow, RaiseKey, RoundRow, RuleLife, RuleRow, SentinelLife, SentinelRow,
    SourceRow, StreamRow, Trail, Transition, VersionFacts, VersionRow,
};
use outbox::{Attempt, ChannelId, ChannelRow, Course, Detection, DetectionId, Effort, Failing};
use rusqlite::{Result, Row};
use schedule::rate::Learner;

/// A table, its columns, and what a row of them is.
pub(super) struct Table<T> {
    pub(super) name: &'static str,
    pub(super) columns: Selected,
    pub(super) read: fn(&Row<'_>) -> Result<T>,
}

/// A key and the columns that follow it.
pub(super) struct Selected(&'static str, &'static str);

impl std::fmt::Display for Selected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let comma = if self.0.is_empty() || self.1.is_empty() { "" } else { ", " };
        write!(f, "{}{comma}{}", self.0, self.1)
    }
}

macro_rules! tables {
    ($($constant:ident: $type:ty = $name:literal, $key:literal, $columns:expr, $read:path;)*) => {
        $(pub(super) const $constant: Table<$type> = Table {
            name: $name,
            columns: Selected($key, $columns),
            read: $read,
        };)*

        /// The columns of a table, and whether a row of them can be read; `None`: whatever is in
        /// the table can be.
        pub(crate) fn readable(table: &str) -> Option<(String, fn(&Row<'_>) -> bool)> {
            match table {
                $($name => Some((Selected($key, $columns).to_string(), |row| $read(row).is_ok())),)*
                _ => None,
            }
        }
    };
}

tables! {
    METAS: Meta = "meta", "", rows::META, meta;
    OWNERS: OwnerRow = "owners", "id", rows::OWNER, owner;
    SENTINELS: SentinelRow = "sentinels", "id", rows::SENTINEL, sentinel;
    LIVES: SentinelLife = "sentinel_lives", "id", rows::LIFE, life;
    TRANSITIONS: Transition = "transitions", "sentinel, at, state, cause", "", transition;
    SOURCES: SourceRow = "sources", "id", rows::SOURCE, source;
    SCHEDULES: schedule::SourceRecord = "schedule", "source", rows::SCHEDULE, learned;
    WEEKS: schedule::WeekRecord = "week", "", rows::WEEK, week;
    HABITS: HabitsRow = "habits", "source", rows::HABITS, habits;
    LOUD: change::Key = "loud", "key", "", loud;
    PROBES: ProbeRow = "probes", "source", rows::PROBE, probe;
    VERSIONS: VersionRow = "versions", "source, number", rows::VERSION, version;
    STREAMS: StreamRow = "streams", "id", rows::STREAM, stream;
    ROUNDS: RoundRow = "rounds", "stream, number", rows::ROUND, round;
    DETECTIONS: Detection = "detections", "id", rows::DETECTION, detection;
    CHANNELS: ChannelRow = "channels", "id", rows::CHANNEL, channel;
    OUTBOX: outbox::Row = "outbox", "id", rows::OUTBOX, notification;
    ATTEMPTS: Attempt = "attempts", "notification", rows::ATTEMPT, attempt;
    HOSTS: HostRow = "hosts", "name", rows::HOST, host;
    APPLYINGS: ApplyingRow = "applying", "", rows::APPLYING, applying;
    RULES: RuleRow = "rules", "id", rows::RULE, rule;
    RULE_LIVES: RuleLife = "rule_lives", "id", rows::RULE_LIFE, rule_life;
    EVENTS: EventRow = "events", "id", rows::EVENT, event_row;
    DETECTORS: event::Row = "detector", "", rows::DETECTOR, detector;
    NODES: event::Row = "event_nodes", "id", rows::NODE, node;
    OPENS: event::Row = "event_open", "node, seq", rows::OPEN, open;
    FIRINGS: FiringRow = "firings", "number", rows::FIRING, firing;
    DEMANDS: DemandRow = "demands", "number", rows::DEMAND, demand;
}

fn meta(row: &Row<'_>) -> Result<Meta> {
    let mut columns = Columns::of(row);
    Ok(Meta {
        instance: columns.take()?,
        epoch: columns.number()?,
        next_source: columns.take()?,
        newest: columns.instant()?,
        spread: columns.take()?,
    })
}

fn owner(row: &Row<'_>) -> Result<OwnerRow> {
    let mut columns = Columns::of(row);
    Ok(OwnerRow {
        id: OwnerId(columns.take()?),
        next_sentinel: columns.number()?,
        next_detection: columns.number()?,
        next_notification: columns.number()?,
        next_channel: columns.number()?,
    })
}

fn sentinel(row: &Row<'_>) -> Result<SentinelRow> {
    let mut columns = Columns::of(row);
    Ok(SentinelRow {
        id: SentinelId(columns.number()?),
        name: columns.text()?,
        generation: columns.take()?,
        text: columns.text()?.into(),
        source: SourceId(columns.take()?),
        created_at: columns.instant()?,
        defined_at: columns.instant()?,
        others: rows::sources(&mut columns)?.into(),
    })
}

fn life(row: &Row<'_>) -> Result<SentinelLife> {
    let mut columns = Columns::of(row);
    Ok(SentinelLife {
        id: SentinelId(columns.number()?),
        state: columns.word(rows::sentinel_state)?,
        since: columns.maybe_instant()?,
        until: columns.maybe_instant()?,
        stream: columns.take::<Option<i64>>()?.map(|id| StreamId(id as u64)),
        first_index: columns.number()?,
        seq: columns.number()?,
        not_evaluated: columns.text()?,
        worry: rows::worry((columns.take()?, columns.take()?, columns.take()?, columns.take()?)),
        blind: columns.maybe_instant()?,
        others: rows::places(&mut columns)?,
        snoozed: columns.maybe_instant()?,
        going: columns.maybe_instant()?,
        started: columns.maybe_instant()?,
        from: columns.maybe_instant()?,
        to: columns.maybe_instant()?,
    })
}

fn transition(row: &Row<'_>) -> Result<Transition> {
    let mut columns = Columns::of(row);
    Ok(Transition {
        sentinel: SentinelId(columns.number()?),
        at: columns.instant()?,
        state: columns.word(rows::sentinel_state)?,
        cause: columns.word(rows::cause)?,
    })
}

fn source(row: &Row<'_>) -> Result<SourceRow> {
    let mut columns = Columns::of(row);
    Ok(SourceRow {
        id: SourceId(columns.take()?),
        url: columns.text()?.into(),
        way: rows::way(&mut columns)?,
        owner: columns.take::<Option<u32>>()?.map(OwnerId),
        host: columns.text()?.into(),
        added_at: columns.instant()?,
        version: columns.take()?,
        fingerprint: columns.take()?,
        kind: columns.word(rows::kind)?,
        extractor: columns.take()?,
        newest: columns.take()?,
        held: rows::held(&mut columns)?,
        last_success: columns.maybe_instant()?,
        last_unconditional: columns.maybe_instant()?,
        validators: validators(&mut columns)?,
        failures: columns.take()?,
        failing_since: columns.maybe_instant()?,
        failing_told: columns.take()?,
        trail: trail(&mut columns)?,
        next_stream: columns.take()?,
        asked: columns.maybe_instant()?,
    })
}

fn validators(columns: &mut Columns<'_>) -> Result<KeptValidators> {
    let (etag, modified) = (columns.maybe_text()?, columns.maybe_text()?);
    Ok(KeptValidators::new(etag.as_deref(), modified.as_deref(), &columns.text()?))
}

/// What redirects taught; nothing in most rows, and in all of the first format.
fn trail(columns: &mut Columns<'_>) -> Result<Option<Box<Trail>>> {
    let to = columns.maybe_text()?;
    let looks = columns.take()?;
    let asked = columns.maybe_instant()?;
    let (unfinished_at, hops): (Option<Box<str>>, u32) = (columns.maybe_text()?, columns.take()?);
    let (host, until) = (columns.maybe_text()?, columns.maybe_instant()?);
    let Some(to) = to else { return Ok(None) };
    Ok(Some(Box::new(Trail {
        to,
        looks,
        asked: asked.unwrap_or(chronon::Instant::EPOCH),
        unfinished: unfinished_at.map(|at| (at, hops)),
        pause: host.zip(until),
    })))
}

fn learned(row: &Row<'_>) -> Result<schedule::SourceRecord> {
    let mut columns = Columns::of(row);
    let mut record = schedule::SourceRecord {
        source: SourceId(columns.take()?),
        learned: Learner::new(),
        score: 0.0,
        last_probe: columns.maybe_instant()?,
        last_success: columns.maybe_instant()?,
        failures: columns.take()?,
        probes: columns.number()?,
        changes: columns.number()?,
        company: Vec::new(),
        dates: 0,
    };
    let mut numbers = [0.0; 6];
    for number in &mut numbers {
        *number = columns.take()?;
    }
    record.learned = Learner::from_numbers(numbers);
    record.score = columns.take()?;
    record.company = columns.take()?;
    record.dates = columns.take()?;
    Ok(record)
}

fn week(row: &Row<'_>) -> Result<schedule::WeekRecord> {
    let mut columns = Columns::of(row);
    let discounted = columns.instant()?;
    let (hours, company) = (rows::hours(&mut columns)?, rows::hours(&mut columns)?);
    Ok(schedule::WeekRecord { discounted, hours, company })
}

fn habits(row: &Row<'_>) -> Result<HabitsRow> {
    let mut columns = Columns::of(row);
    Ok(HabitsRow {
        source: SourceId(columns.take()?),
        version: VersionNo(columns.take()?),
        learned: columns.packed()?.into(),
    })
}

fn loud(row: &Row<'_>) -> Result<change::Key> {
    let key: String = row.get(0)?;
    let wrong = |error: change::NoKey| {
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, error.into())
    };
    key.parse().map_err(wrong)
}

fn probe(row: &Row<'_>) -> Result<ProbeRow> {
    let mut columns = Columns::of(row);
    Ok(ProbeRow {
        source: SourceId(columns.take()?),
        number: columns.number()?,
        start: columns.instant()?,
        took: columns.span()?,
        body_bytes: columns.number()?,
        outcome: rows::outcome(&mut columns)?,
        reason: rows::reason(&mut columns)?,
        wire_bytes: columns.number()?,
        led_to: columns.maybe_text()?,
    })
}

fn version(row: &Row<'_>) -> Result<VersionRow> {
    let mut columns = Columns::of(row);
    Ok(VersionRow {
        source: SourceId(columns.take()?),
        number: VersionNo(columns.take()?),
        fetched_at: columns.instant()?,
        held: columns.take()?,
        facts: VersionFacts {
            fingerprint: columns.take()?,
            kind: columns.word(rows::kind)?,
            odd: columns.maybe_word(rows::odd)?,
            body: BlobId(columns.take()?),
            status: columns.take()?,
            media_type: columns.said()?,
            final_url: columns.text()?,
            etag: columns.maybe_text()?,
            last_modified: columns.maybe_text()?,
            modified_at: columns.maybe_instant()?,
            summary: columns.summary()?,
            extracts: rows::extracts(&mut columns)?,
        },
    })
}

fn stream(row: &Row<'_>) -> Result<StreamRow> {
    let mut columns = Columns::of(row);
    Ok(StreamRow {
        id: StreamId(columns.number()?),
        source: SourceId(columns.take()?),
        spec: rows::spec(&mut columns)?,
        elements: rows::elements(&mut columns)?,
        strands: rows::strands(&mut columns)?,
        shown: columns.take()?,
        next_ei: columns.number()?,
        captures: rows::captures(&mut columns)?,
    })
}

fn round(row: &Row<'_>) -> Result<RoundRow> {
    let mut columns = Columns::of(row);
    Ok(RoundRow {
        id: RoundId { stream: StreamId(columns.number()?), index: columns.number()? },
        source: SourceId(columns.take()?),
        opened_at: columns.instant()?,
    })
}

fn detection(row: &Row<'_>) -> Result<Detection> {
    let mut columns = Columns::of(row);
    let detection = Detection {
        id: DetectionId(columns.number()?),
        sentinel: SentinelId(columns.number()?),
        generation: columns.take()?,
        at: columns.instant()?,
        seq: columns.number()?,
        combinations: rows::combinations(&mut columns)?,
        evidence: rows::evidence(&mut columns)?,
        parts: rows::parts(&mut columns)?,
        follow: rows::maybe_kept(&mut columns)?,
    };
    if detection.evidence.is_empty() && !detection.is_of_rule() {
        return Err(columns.strange("neither evidence nor parts"));
    }
    Ok(detection)
}

fn channel(row: &Row<'_>) -> Result<ChannelRow> {
    let mut columns = Columns::of(row);
    let mut row = ChannelRow {
        id: ChannelId(columns.number()?),
        name: columns.text()?,
        contact: columns.maybe_text()?.map(Contact::from),
        disabled: columns.maybe_text()?,
        course: Course { next_at: columns.maybe_instant()?, failing: None },
    };
    let (since, told) = (columns.maybe_instant()?, columns.take()?);
    row.course.failing = since.map(|since| Failing { since, told });
    Ok(row)
}

fn notification(row: &Row<'_>) -> Result<outbox::Row> {
    let mut columns = Columns::of(row);
    Ok(outbox::Row {
        id: NotificationId(columns.number()?),
        key: columns.key()?,
        kind: columns.word(rows::notification_kind)?,
        sentinel: columns.take::<Option<i64>>()?.map(|id| SentinelId(id as u64)),
        generation: columns.take()?,
        channel: ChannelId(columns.number()?),
        seq: columns.number()?,
        members: rows::members(&mut columns)?,
        more: columns.number()?,
        source: columns.take::<Option<u32>>()?.map(SourceId),
        note: columns.text()?,
        created_at: columns.instant()?,
        closed_at: columns.maybe_instant()?,
        body: columns.take::<Option<[u8; 32]>>()?.map(BlobId),
        attempts: columns.take()?,
        first_attempt: columns.maybe_instant()?,
        effort: Effort {
            tries: columns.take()?,
            up: columns.span()?,
            last: columns.maybe_instant()?,
        },
        state: rows::outbox_state(&mut columns)?,
        read: columns.take()?,
    })
}

fn attempt(row: &Row<'_>) -> Result<Attempt> {
    let mut columns = Columns::of(row);
    Ok(Attempt {
        notification: NotificationId(columns.number()?),
        number: columns.take()?,
        at: columns.instant()?,
        result: rows::delivery(&mut columns)?,
    })
}

fn applying(row: &Row<'_>) -> Result<ApplyingRow> {
    let mut columns = Columns::of(row);
    let (now, owner) = (columns.instant()?, OwnerId(columns.take()?));
    Ok(ApplyingRow { now, owner, texts: rows::texts(&mut columns)? })
}

fn host(row: &Row<'_>) -> Result<HostRow> {
    let mut columns = Columns::of(row);
    Ok(HostRow {
        name: columns.text()?,
        held_until: columns.maybe_instant()?,
        holds: columns.take()?,
    })
}

fn rule(row: &Row<'_>) -> Result<RuleRow> {
    let mut columns = Columns::of(row);
    Ok(RuleRow {
        id: RuleId(columns.number()?),
        name: columns.text()?,
        generation: columns.take()?,
        text: columns.text()?.into(),
        zone: columns.word(|name| Zone::parse(name).ok())?,
        created_at: columns.instant()?,
        defined_at: columns.instant()?,
    })
}

fn rule_life(row: &Row<'_>) -> Result<RuleLife> {
    let mut columns = Columns::of(row);
    Ok(RuleLife {
        id: RuleId(columns.number()?),
        is_enabled: columns.take()?,
        root: columns.take::<Option<i64>>()?.map(|id| NodeId(id as u64)),
        seq: columns.number()?,
        fired: columns.number()?,
        fired_at: columns.maybe_instant()?,
        trouble: columns.text()?,
    })
}

fn event_row(row: &Row<'_>) -> Result<EventRow> {
    let mut columns = Columns::of(row);
    let (id, name) = (EventId(columns.number()?), columns.text()?);
    let bytes: Vec<u8> = columns.take()?;
    let (keys, rest) = bytes.as_chunks::<16>();
    if !rest.is_empty() {
        return Err(columns.strange("keys of an odd length"));
    }
    Ok(EventRow { id, name, keys: keys.iter().copied().map(RaiseKey).collect() })
}

fn detector(row: &Row<'_>) -> Result<event::Row> {
    Ok(event::Row::Next(Columns::of(row).number()?))
}

fn node(row: &Row<'_>) -> Result<event::Row> {
    let mut columns = Columns::of(row);
    Ok(event::Row::Node {
        id: NodeId(columns.number()?),
        shape: rows::kept(&mut columns)?,
        dropped: columns.number()?,
    })
}

fn open(row: &Row<'_>) -> Result<event::Row> {
    let mut columns = Columns::of(row);
    let (node, seq) = (NodeId(columns.number()?), columns.number()?);
    let role = columns.take()?;
    let (start, end) = (columns.instant()?, columns.instant()?);
    let gathered = columns.take()?;
    let occurrence = Occurrence::stored(start, end, gathered, rows::kept(&mut columns)?);
    Ok(event::Row::Open { node, role, seq, occurrence, note: rows::kept(&mut columns)? })
}

fn firing(row: &Row<'_>) -> Result<FiringRow> {
    let mut columns = Columns::of(row);
    Ok(FiringRow {
        number: columns.number()?,
        rule: RuleId(columns.number()?),
        generation: columns.take()?,
        start: columns.instant()?,
        end: columns.instant()?,
        gathered: columns.take()?,
        marks: rows::kept(&mut columns)?,
        chain: rows::kept(&mut columns)?,
    })
}

fn demand(row: &Row<'_>) -> Result<DemandRow> {
    let mut columns = Columns::of(row);
    Ok(DemandRow {
        number: columns.number()?,
        start: columns.instant()?,
        finish: columns.instant()?,
        weight: columns.number()?,
        sources: rows::kept(&mut columns)?,
        about: columns.take::<Option<i64>>()?.map(|id| DetectionId(id as u64)),
    })
}
