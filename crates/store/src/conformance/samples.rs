//! Rows to write: every column of a row follows from its id and a `salt`, so that two salts differ
//! in every column that may change.

use crate::{Batch, Blob};
use address::{Method, Particulars, Rendering, Way};
use change::{Evidence, LeafRef, Status, StatusChange};
use chronon::{
    BlobId, EventId, Instant, NotificationId, OwnerId, Period, RuleId, SentinelId, SourceId, Span,
    StreamId, VersionNo, Zone,
};
use event::{
    Change, Context, Key as DetectorKey, Mark, NodeId, Note, Occurrence, Operator, Shape, Signal,
    Step, What,
};
use graph::{Element, Position, RoundId};
use kernel::Record;
use kernel::record::{
    ApplyingRow, Back, CapturesRow, Cause, DemandRow, EventRow, ExtractRef, FiringRow, HabitsRow,
    Held, HostRow, KeptValidators, LoudRow, Meta, OpenCapture, OwnerRow, Place, ProbeOutcome,
    ProbeRow, RaiseKey, RoundRow, RuleLife, RuleRow, SentinelLife, SentinelRow, SentinelState,
    SourceRow, Strand, StreamRow, StreamSpec, Trail, Transition, VersionFacts, VersionRow, Worry,
};
use outbox::{
    Attempt, Came, ChannelId, ChannelRow, Course, DeliveryResult, Detection, DetectionId, Effort,
    Failing, Follow, FollowingLook, Key, OutboxRecord, Part, PartKind, Row, State,
};
use schedule::rate::Learner;

pub(super) fn blob(text: &str) -> Blob {
    crate::blob(text.as_bytes().to_vec())
}

pub(super) fn at(seconds: u64) -> Instant {
    Instant::from_millis(1_800_000_000_000) + Span::from_secs(seconds as i64)
}

fn text(what: &str, id: u64, salt: u64) -> Box<str> {
    format!("{what} {id} of {salt}; é ✓ '\" \u{202e}").into()
}

/// `None` for even salts.
fn maybe<T>(salt: u64, value: T) -> Option<T> {
    (salt % 2 == 1).then_some(value)
}

pub(super) fn meta(salt: u64) -> Meta {
    Meta {
        instance: super::INSTANCE,
        epoch: salt,
        next_source: salt as u32 + 2,
        newest: at(salt + 7),
        spread: salt % 2 == 1,
    }
}

pub(super) fn owner(id: u32, salt: u64) -> OwnerRow {
    OwnerRow {
        id: OwnerId(id),
        next_sentinel: salt + 1,
        next_detection: salt + 4,
        next_notification: salt + 5,
        next_channel: salt + 6,
    }
}

/// The sentinel that rows of these ids are about: each second one is of another owner.
pub(super) fn sentinel_id(id: u32) -> SentinelId {
    SentinelId::of(OwnerId(2 - id % 2), u64::from(id))
}

/// A channel's, likewise.
pub(super) fn channel_id(id: u32) -> ChannelId {
    ChannelId::of(OwnerId(2 - id % 2), u64::from(id))
}

pub(super) fn sentinel(id: u32, salt: u64) -> SentinelRow {
    let number = u64::from(id);
    SentinelRow {
        id: sentinel_id(id),
        name: text("name", number, salt),
        generation: 1 + salt as u32,
        text: text("create sentinel", number, salt).into(),
        source: SourceId(id % 3 + salt as u32),
        others: (0..salt as u32 % 3).map(|other| SourceId(other + 7)).collect(),
        created_at: at(number + salt),
        defined_at: at(number + salt + 1),
    }
}

pub(super) fn life(id: u32, salt: u64) -> SentinelLife {
    use SentinelState::{Active, Disabled, Ended, Pending};
    SentinelLife {
        id: sentinel_id(id),
        state: [Pending, Active, Disabled, Ended][(u64::from(id) + salt) as usize % 4],
        since: maybe(salt, at(salt)),
        until: maybe(salt + 1, at(salt)),
        started: maybe(salt, at(salt + 6)),
        from: maybe(salt + 1, at(salt + 7)),
        to: maybe(salt, at(salt + 8)),
        stream: maybe(salt, stream_id(salt as u32)),
        first_index: salt,
        seq: salt + 1,
        not_evaluated: if salt.is_multiple_of(2) { "".into() } else { text("why", 1, salt) },
        blind: maybe(salt + 1, at(salt + 5)),
        worry: maybe(salt, worry(salt)),
        others: (0..salt % 3)
            .map(|other| Place {
                stream: maybe(other, stream_id(other as u32)),
                first_index: other + salt,
                worry: maybe(other + 1, worry(other)),
                blind: maybe(other, at(other + 1)),
            })
            .collect(),
        snoozed: maybe(salt, at(salt + 7)),
        going: maybe(salt + 1, at(salt + 8)),
    }
}

fn worry(salt: u64) -> Worry {
    let back = maybe(salt / 2, Back { at: at(salt + 4), is_as_before: salt.is_multiple_of(3) });
    Worry { since: at(salt + 3), is_of_page: salt % 8 > 3, back }
}

pub(super) fn applying(salt: u64) -> ApplyingRow {
    let texts = (0..salt % 3).map(|number| text("create sentinel", number, salt).into()).collect();
    ApplyingRow { now: at(salt + 9), owner: OwnerId(1 + salt as u32 % 2), texts }
}

pub(super) fn transition(sentinel: u32, number: u64) -> Transition {
    use SentinelState::{Active, Disabled, Ended, Pending};
    Transition {
        sentinel: sentinel_id(sentinel),
        at: at(number / 2),
        state: [Pending, Active, Disabled, Ended][number as usize % 4],
        cause: Cause::ALL[number as usize % 3],
    }
}

pub(super) fn source(id: u32, salt: u64) -> SourceRow {
    let number = u64::from(id);
    SourceRow {
        id: SourceId(id),
        url: text("https://ana:b@air.example/", number, salt).into(),
        way: way(salt),
        owner: maybe(salt, OwnerId(1 + salt as u32)),
        host: text("air.example", number, salt).into(),
        added_at: at(salt),
        version: salt as u32,
        fingerprint: [salt as u8; 32],
        kind: kind(salt),
        extractor: salt as u32,
        newest: salt as u32 + 1,
        held: maybe(salt, Box::new(held(salt))),
        last_success: maybe(salt, at(salt + 1)),
        last_unconditional: maybe(salt + 1, at(salt + 2)),
        validators: KeptValidators::new(
            maybe(salt, text("etag", number, salt)).as_deref(),
            maybe(salt + 1, text("modified", number, salt)).as_deref(),
            &text("validators", number, salt),
        ),
        failures: salt as u32,
        failing_since: maybe(salt, at(salt + 3)),
        failing_told: salt % 2 == 1,
        trail: maybe(salt, trail(number, salt)).map(Box::new),
        asked: maybe(salt + 1, at(salt + 4)),
        next_stream: salt as u32 + 5,
    }
}

/// The plain one for every third.
fn way(salt: u64) -> Way {
    let headers =
        (0..salt % 3).map(|n| (format!("x-{n}").into(), text("value", n, salt))).collect();
    Way::of(Particulars {
        method: if salt % 3 == 2 { Method::Post } else { Method::Get },
        headers,
        rendering: if salt % 3 == 1 { Rendering::Browser } else { Rendering::Nothing },
        credentials: maybe(salt, &*text("Bearer", 1, salt))
            .filter(|_| !salt.is_multiple_of(3))
            .map(Into::into),
    })
}

/// A stream's, of the source with its number.
pub(super) fn stream_id(id: u32) -> StreamId {
    StreamId::of(SourceId(id), 1 + id % 2)
}

pub(super) fn host(name: &str, salt: u64) -> HostRow {
    HostRow { name: name.into(), held_until: maybe(salt, at(salt)), holds: salt as u32 % 3 }
}

fn trail(number: u64, salt: u64) -> Trail {
    Trail {
        to: text("led to", number, salt),
        looks: salt as u32,
        asked: at(salt + 4),
        unfinished: maybe(salt / 2, (text("unfinished", number, salt), salt as u32)),
        pause: maybe(salt / 4, (text("host", number, salt), at(salt + 5))),
    }
}

fn kind(salt: u64) -> page::Kind {
    use page::Kind::{Feed, Html, Json, Text, Xml};
    [Html, Feed, Xml, Json, Text][salt as usize % 5]
}

fn held(salt: u64) -> Held {
    Held {
        version: VersionNo(salt as u32 + 1),
        fingerprint: [salt as u8 + 7; 32],
        kind: kind(salt + 1),
        odd: maybe(salt / 2, page::Odd::Empty),
        seen: at(salt),
        confirmed: salt.is_multiple_of(4),
    }
}

pub(super) fn learned(source: u32, salt: u64) -> schedule::SourceRecord {
    schedule::SourceRecord {
        source: SourceId(source),
        // No short decimal fractions: what is kept is kept to the last bit.
        learned: Learner::from_numbers([1, 2, 3, 5, 7, 11].map(|prime| {
            let number = (salt % 1_000 + 1) as f32 / prime as f32;
            if prime == 7 { -number } else { number }
        })),
        score: -((salt % 1_000) as f32) / 13.0,
        last_probe: maybe(salt, at(salt)),
        last_success: maybe(salt + 1, at(salt + 1)),
        failures: salt as u32,
        probes: salt + 1,
        changes: salt + 2,
        company: salt.to_le_bytes().into(),
        dates: salt as u8,
    }
}

pub(super) fn week(salt: u64) -> schedule::WeekRecord {
    let hours = (0..168).map(|hour| (salt % 1_000 + hour) as f32 / 7.0).collect();
    let company = vec![salt as f32 / 11.0; 24];
    schedule::WeekRecord { discounted: at(salt), hours, company }
}

pub(super) fn habits(source: u32, salt: u64) -> HabitsRow {
    HabitsRow {
        source: SourceId(source),
        version: VersionNo(salt as u32),
        learned: format!("habits {salt}").repeat(salt as usize % 9).into_bytes().into(),
    }
}

pub(super) fn loud(source: u32, salt: u64) -> LoudRow {
    let key = change::Key { habit: change::Habit::Counts, hash: salt / 2 };
    LoudRow { source: SourceId(source), key, is_loud: salt.is_multiple_of(2) }
}

pub(super) fn probe(source: u32, number: u64) -> ProbeRow {
    use schedule::Reason;
    let failed = |status| ProbeOutcome::Failed { status, reason: text("said", 1, number) };
    ProbeRow {
        source: SourceId(source),
        number,
        start: at(number),
        took: Span::from_millis(number as i64),
        body_bytes: number * 7,
        wire_bytes: number * 3,
        led_to: maybe(number, text("led to", 2, number)),
        outcome: match number % 6 {
            0 => ProbeOutcome::Version(VersionNo(number as u32)),
            1 => ProbeOutcome::Same,
            2 => ProbeOutcome::NotModified,
            3 => failed(Some(503)),
            4 => ProbeOutcome::Held(VersionNo(number as u32)),
            _ => failed(None),
        },
        reason: match number % 7 {
            0 => Reason::Baseline,
            1 => Reason::Asked,
            2 => Reason::Deadline { finish: at(number) },
            4 => Reason::SecondLook,
            3 => Reason::Freshness { interval: Span::from_secs(number as i64) },
            _ => Reason::Retry { failures: number as u32 },
        },
    }
}

/// A version fetched at `at(number)`, and its blobs.
pub(super) fn version(source: u32, number: u32, salt: u64) -> Batch {
    let page = format!("page {source} version {number} of {salt}\n").repeat(40);
    let (body, extract) = (blob(&page), blob(&format!("extract of {page}")));
    let record = version_of(source, number, (body.0, extract.0), salt);
    Batch { records: vec![record], blobs: vec![body, extract] }
}

pub(super) fn version_of(
    source: u32,
    number: u32,
    (body, extract): (BlobId, BlobId),
    salt: u64,
) -> Record {
    let id = u64::from(number);
    Record::Version(Box::new(VersionRow {
        source: SourceId(source),
        number: VersionNo(number),
        fetched_at: at(id),
        held: (id + salt).is_multiple_of(3),
        facts: VersionFacts {
            fingerprint: [number as u8 ^ salt as u8; 32],
            kind: kind(id + salt),
            odd: maybe(id + salt, page::Odd::Empty),
            body,
            extracts: ExtractRef { extractor: salt as u32, blob: extract }.of_page(),
            status: 200 + salt as u16 % 4,
            media_type: text("text/html", id, salt),
            final_url: match salt % 2 {
                0 => text("https://air.example/", id, salt),
                _ => self::source(source, salt).url.reveal().into(),
            },
            etag: maybe(salt, text("etag", id, salt)),
            last_modified: maybe(salt + 1, text("modified", id, salt)),
            modified_at: maybe(salt, at(salt)),
            summary: text("page, 3 words", id, salt),
        },
    }))
}

fn status(salt: u64) -> StatusChange {
    let since = maybe(salt, at(salt));
    let after = match salt % 3 {
        0 => Status::Down(salt as u16),
        1 => Status::Odd(page::Odd::Wall),
        _ => Status::Moved,
    };
    StatusChange { before: Status::Up, after, since, at: at(salt) }
}

pub(super) fn stream(id: u32, salt: u64) -> StreamRow {
    let zone = |name: &str| Zone::parse(name).expect("a zone of the database");
    let every = |period, zone| StreamSpec::Every {
        t0: at(salt),
        period,
        slack: Span::from_secs(salt as i64),
        zone,
    };
    let element = |index| Element {
        index,
        version: VersionNo(index as u32),
        fetched_at: at(index),
        place: match index % 5 {
            0 => Position::Within { history: 0, nth: index as u32 },
            1 => Position::Within { history: 1, nth: index as u32 + 3 },
            2 => Position::Begins { history: 2, against: index as u32 },
            3 => Position::Aside { against: index as u32 + 1 },
            _ => Position::Status { place: index as u16, change: status(index) },
        },
    };
    let strand = |salt: u64| {
        let fingerprint = std::array::from_fn(|at| at as u8 ^ salt as u8);
        Strand { kind: kind(salt), fingerprint }
    };
    StreamRow {
        id: stream_id(id),
        source: SourceId(id + salt as u32),
        spec: match (u64::from(id) + salt) % 4 {
            0 => StreamSpec::OnChange,
            1 => every(Period::Days(1 + salt as u32), zone("Europe/Lisbon")),
            2 => every(Period::Elapsed(Span::from_secs(1 + salt as i64)), Zone::utc()),
            _ => every(Period::Days(7), zone("+05:30")),
        },
        elements: (salt..salt + u64::from(id) % 3).map(element).collect(),
        strands: (salt..salt + salt % 4).map(strand).collect(),
        shown: salt as u8 % 4,
        next_ei: salt,
        captures: maybe(salt, captures(salt)).map(Box::new),
    }
}

fn captures(salt: u64) -> CapturesRow {
    let versions = |first: u64| [first, first + salt].map(|version| VersionNo(version as u32));
    let open = |number: u64| OpenCapture {
        is_baseline: number == 0,
        start: at(number),
        finish: if number == 0 { Instant::NEVER } else { at(number + salt) },
        captured: vec![number == 0, salt.is_multiple_of(2)],
    };
    CapturesRow {
        sources: vec![SourceId(1 + salt as u32), SourceId(9)],
        within: Span::from_secs(salt as i64),
        versions: (1..1 + salt % 3).map(|first| versions(first).into()).collect(),
        open: (0..salt % 3).map(open).collect(),
    }
}

pub(super) fn round(stream: u32, index: u64, salt: u64) -> RoundRow {
    let id = RoundId { stream: stream_id(stream), index };
    RoundRow { id, source: SourceId(stream + salt as u32), opened_at: at(index + salt) }
}

/// A text that is best stored as a difference from another of these, as results and messages are.
pub(super) fn alike(what: &str) -> String {
    let word = |n: u64| format!("{:x} ", n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    (1..40).map(word).collect::<String>() + what
}

/// A detection on one source, at `at(to)`, and its result.
pub(super) fn detection(id: u64, sentinel: u32, source: u32, versions: (u32, u32)) -> Batch {
    detection_on(id, sentinel, &[(source, versions)])
}

/// A detection that rests on several sources and two versions of each, at the first one's
/// `at(to)`, and its results.
pub(super) fn detection_on(id: u64, sentinel: u32, sources: &[(u32, (u32, u32))]) -> Batch {
    let result = |of| blob(&alike(&format!("result of detection {id}, {of:?}")));
    let results: Vec<Blob> = sources.iter().map(result).collect();
    let piece = |(&(source, (from, to)), result): (&(u32, (u32, u32)), &Blob)| Evidence {
        source: SourceId(source),
        from: VersionNo(from),
        to: VersionNo(to),
        result: result.0,
    };
    let count = sources.len() as u64;
    let leaf =
        |n: u64| LeafRef { evidence: (n % count) as u32, comparison: n as u32, leaf: n as u32 + 1 };
    let record = Record::Detection(Box::new(Detection {
        id: DetectionId(id),
        sentinel: sentinel_id(sentinel),
        generation: 1 + sources[0].1.0,
        at: at(u64::from(sources[0].1.1)),
        seq: id,
        evidence: sources.iter().zip(&results).map(piece).collect(),
        combinations: (0..id % 4).map(|n| (0..n).map(leaf).collect()).collect(),
        parts: parts(id % 3),
        follow: maybe(id, Box::new(follow(id))),
    }));
    Batch { records: vec![record], blobs: results }
}

/// What a rule detected.
pub(super) fn of_rule(id: u64, rule: u32) -> Detection {
    Detection {
        id: DetectionId(id),
        sentinel: sentinel_id(rule),
        generation: 1,
        at: at(id),
        seq: id,
        evidence: Vec::new(),
        combinations: Vec::new(),
        parts: parts(3),
        follow: None,
    }
}

/// What took part in what a rule detected: of each kind once.
fn follow(salt: u64) -> Follow {
    let came = [Came::Nothing, Came::Shown(VersionNo(3), at(salt)), Came::Missed("a 503".into())];
    let look = |(n, came)| {
        let name = maybe(n, text("cnn", n, salt));
        FollowingLook { source: SourceId(n as u32), name, came }
    };
    Follow { finish: at(salt + 600), looks: (0..).zip(came).map(look).collect() }
}

fn parts(count: u64) -> Vec<Part> {
    let s = SentinelId(7);
    let all = [
        PartKind::Found(s, DetectionId(3)),
        PartKind::Started(s),
        PartKind::Ended(s),
        PartKind::Fetched(s),
        PartKind::Failed(s),
        PartKind::Raised(text("event", 1, 2)),
        PartKind::Clock,
    ];
    let part = |(n, what): (u64, PartKind)| Part { at: at(n), what };
    (0..).zip(all).filter(|(n, _)| n % 3 < count).map(part).collect()
}

/// One record of each kind that rules write.
pub(super) fn rules(id: u32, salt: u64) -> Vec<Record> {
    let number = u64::from(id);
    let rule = RuleId::of(OwnerId(2 - id % 2), number);
    let signal = Signal::Detected(sentinel_id(id));
    let is_even = salt.is_multiple_of(2);
    let zone = Zone::parse(if is_even { "UTC" } else { "Europe/Lisbon" }).unwrap();
    let step = Step { period: Period::Days(salt as u32 + 1), zone: zone.clone() };
    let mark = Mark { number: salt, at: at(salt), what: What::Signal(signal), about: number };
    let marks = vec![mark, Mark { number: 0, at: at(salt + 1), what: What::Clock, about: 0 }];
    let gathered = salt as u32 % 3;
    let occurrence = Occurrence::stored(at(salt), at(salt + 1), gathered, marks.clone());
    let note = note(salt);
    let operator = if is_even { Operator::Plus(step) } else { Operator::Any(salt as u32) };
    let parts = vec![NodeId(number), NodeId(number + 1)];
    let context = Context::ALL[salt as usize % 4];
    let shape = match salt % 3 {
        0 => Shape::Signal(signal),
        1 => Shape::At(at(salt)),
        _ => Shape::Composed { operator, context, parts },
    };
    let (node, dropped) = (NodeId(number), salt);
    let keys = (0..salt % 4).map(|one| RaiseKey([(salt + one) as u8; 16])).collect();
    vec![
        Record::Rule(Box::new(RuleRow {
            id: rule,
            name: text("rule", number, salt),
            generation: 1 + salt as u32,
            text: text("create rule", number, salt).into(),
            zone,
            created_at: at(number),
            defined_at: at(number + salt),
        })),
        Record::RuleLife(RuleLife {
            id: rule,
            is_enabled: is_even,
            root: maybe(salt, NodeId(salt)),
            seq: salt,
            fired: salt + 1,
            fired_at: maybe(salt, at(salt)),
            trouble: text("trouble", number, salt),
        }),
        Record::Event(EventRow { id: EventId(number), name: text("event", number, salt), keys }),
        Record::Detector(Change::Put(event::Row::Next(salt))),
        Record::Detector(Change::Put(event::Row::Node { id: node, shape, dropped })),
        Record::Detector(Change::Put(event::Row::Open {
            node,
            role: salt as u8 % 3,
            seq: salt % 3,
            occurrence,
            note,
        })),
        Record::Firing(Box::new(FiringRow {
            number,
            rule,
            generation: salt as u32,
            start: at(salt),
            end: at(salt + 1),
            gathered,
            marks,
            chain: (0..salt % 3).map(RuleId).collect(),
        })),
        Record::Demand(demand(number, salt)),
    ]
}

fn demand(number: u64, salt: u64) -> DemandRow {
    DemandRow {
        number,
        start: at(salt),
        finish: at(salt + 5),
        weight: salt,
        sources: (0..salt as u32 % 3).map(SourceId).collect(),
        // No detection has this number.
        about: maybe(salt, DetectionId(u64::from(u32::MAX) + salt)),
    }
}

fn note(salt: u64) -> Note {
    match salt % 4 {
        0 => Note::Plain,
        1 => Note::Spoiled(at(salt)),
        2 => Note::Due { at: at(salt), k: salt },
        _ => Note::Types(salt),
    }
}

/// One record of each kind that ends what rules wrote.
pub(super) fn rules_gone(id: u32, salt: u64) -> Vec<Record> {
    let number = u64::from(id);
    vec![
        Record::RuleGone(RuleId::of(OwnerId(2 - id % 2), number)),
        Record::EventGone(EventId(number)),
        Record::Detector(Change::Drop(DetectorKey::Next)),
        Record::Detector(Change::Drop(DetectorKey::Node(NodeId(number)))),
        Record::Detector(Change::Drop(DetectorKey::Open { node: NodeId(number), seq: salt % 3 })),
        Record::FiringGone(number),
        Record::DemandGone(number),
    ]
}

pub(super) fn channel(id: u32, salt: u64) -> ChannelRow {
    ChannelRow {
        id: channel_id(id),
        name: text("webhook", u64::from(id), salt),
        contact: maybe(salt, text("https://home.example/", u64::from(id), salt).into()),
        disabled: maybe(salt + 1, text("it answered 410", u64::from(id), salt)),
        course: Course {
            next_at: maybe(salt, at(salt + 7)),
            failing: maybe(salt + 1, Failing { since: at(salt), told: salt % 4 < 2 }),
        },
    }
}

/// A notification without a body; every state comes up as `salt` grows.
pub(super) fn notification(id: u64, channel: u32, salt: u64) -> Row {
    use outbox::Kind::{
        Change, ChannelTest, Digest, SelectorFound, SelectorMissing, SourceFailing, SourceRecovered,
    };
    Row {
        id: NotificationId(id),
        key: Key(format!("{:032x}", id * 31 + salt).into()),
        kind: [
            Change,
            Digest,
            SourceFailing,
            SourceRecovered,
            ChannelTest,
            SelectorMissing,
            SelectorFound,
        ][(id + salt) as usize % 7],
        sentinel: maybe(id + salt, sentinel_id(1 + id as u32 % 3)),
        generation: salt as u32,
        channel: channel_id(channel),
        seq: salt,
        members: (0..(id + salt) % 4).map(DetectionId).collect(),
        more: salt,
        source: maybe(salt, SourceId(salt as u32)),
        note: if salt.is_multiple_of(2) { "".into() } else { text("since", id, salt) },
        created_at: at(id),
        closed_at: maybe(salt, at(id + salt)),
        body: None,
        attempts: salt as u32,
        first_attempt: maybe(salt, at(salt)),
        effort: Effort {
            tries: salt as u32 + 3,
            up: Span::from_secs(salt as i64 + 4),
            last: maybe(salt, at(salt + 5)),
        },
        state: match (id + salt) % 7 {
            0 => State::Open { closes: None },
            1 => State::Open { closes: Some(at(id)) },
            2 => State::Closed,
            3 => State::Due { at: at(salt) },
            4 => State::Delivered { at: at(salt) },
            5 => State::GivenUp { at: at(salt), reason: text("a day", id, salt) },
            _ => State::Cancelled { at: at(salt) },
        },
        read: salt % 2 == 1,
    }
}

pub(super) fn attempt(notification: u64, number: u32) -> Attempt {
    let reason = text("it answered 500", 1, u64::from(number));
    Attempt {
        notification: NotificationId(notification),
        number,
        at: at(u64::from(number)),
        result: match number % 4 {
            0 => DeliveryResult::Gone { reason },
            1 => DeliveryResult::Delivered,
            2 => DeliveryResult::Failed { reason, after: None },
            _ => DeliveryResult::Failed { reason, after: Some(Span::MINUTE) },
        },
    }
}

pub(super) fn row(row: Row) -> Record {
    Record::Outbox(OutboxRecord::Row(Box::new(row)))
}

/// A notification whose body is frozen.
pub(super) fn composed(mut notification: Row, body: &str) -> Batch {
    let body = blob(body);
    notification.body = Some(body.0);
    Batch { records: vec![row(notification)], blobs: vec![body] }
}

/// One batch of the records and blobs of all.
pub(super) fn joined(batches: impl IntoIterator<Item = Batch>) -> Batch {
    let mut whole = Batch::default();
    for batch in batches {
        whole.records.extend(batch.records);
        whole.blobs.extend(batch.blobs);
    }
    whole
}

pub(super) fn records(records: Vec<Record>) -> Batch {
    Batch { records, blobs: Vec::new() }
}

/// At least one record of every kind that writes.
pub(super) fn every_kind(salt: u64) -> Batch {
    let plain = records(vec![
        Record::Meta(meta(salt)),
        Record::Owner(owner(1, salt)),
        Record::Owner(owner(2, salt + 1)),
        Record::Source(Box::new(source(1, salt))),
        Record::Source(Box::new(source(2, salt + 1))),
        Record::Sentinel(Box::new(sentinel(1, salt))),
        Record::SentinelLife(life(1, salt)),
        Record::Sentinel(Box::new(sentinel(2, salt + 1))),
        Record::SentinelLife(life(2, salt + 1)),
        Record::Transition(transition(1, salt)),
        Record::Schedule(learned(1, salt)),
        Record::Habits(habits(1, salt)),
        Record::Loud(loud(1, salt)),
        Record::Loud(loud(2, salt + 1)),
        Record::Week(week(salt)),
        Record::Probe(probe(1, salt)),
        Record::Stream(stream(1, salt)),
        Record::Stream(stream(2, salt)),
        Record::Round(round(1, 1, salt)),
        Record::Outbox(OutboxRecord::Channel(channel(1, salt))),
        row(notification(1, 1, salt)),
        Record::Outbox(OutboxRecord::Attempt(attempt(1, salt as u32))),
        Record::Host(host("air.example", salt)),
        Record::Applying(Box::new(applying(salt))),
    ]);
    let ruled = records(rules(1, salt));
    let counted = records(vec![Record::Counted(SourceId(1), VersionNo(2))]);
    let detected = detection(1 + salt % 2, 1, 1, (1, 2 + salt as u32));
    let body = format!("body {salt}");
    joined([
        plain,
        ruled,
        version(1, 1, salt),
        version(1, 2, salt + 1),
        counted,
        detected,
        composed(notification(2, 1, salt), &body),
    ])
}
