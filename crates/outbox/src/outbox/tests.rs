//! A small bench around the outbox: a store, recipients that fail, and crashes at random points.
//! What must hold is checked after every step.

use super::{Ids, Outbox};
use crate::{
    ChannelId, ChannelRow, Closes, Config, DeliveryResult, Detection, DetectionId, Frequency,
    Health, Job, Key, Kind, OutboxRecord, Resent, Row, State, Whom, Window,
};
use change::Evidence;
use chronon::{BlobId, Instant, NotificationId, OwnerId, SentinelId, SourceId, Span, VersionNo};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const T0: Instant = Instant::from_millis(1_800_000_000_000);
const CHANNELS: u64 = 4;
const SENTINELS: u64 = 3;

#[derive(Debug, Clone, Default, PartialEq)]
struct Counters {
    notification: u64,
    channel: u64,
}

impl Ids for Counters {
    fn owner(&self) -> OwnerId {
        OwnerId::FIRST
    }

    fn notification(&mut self) -> NotificationId {
        self.notification += 1;
        NotificationId(self.notification)
    }

    fn channel(&mut self) -> ChannelId {
        self.channel += 1;
        ChannelId(self.channel)
    }
}

/// What is durable.
#[derive(Debug, Clone, Default)]
struct Disk {
    ids: Counters,
    rows: BTreeMap<NotificationId, Row>,
    channels: BTreeMap<ChannelId, ChannelRow>,
    live: BTreeSet<SentinelId>,
    generations: BTreeMap<SentinelId, u32>,
    detections: u64,
    /// How many detections each channel is to be told.
    told: BTreeMap<ChannelId, u64>,
}

#[derive(Debug, Clone)]
enum Op {
    Detect { sentinel: u8, whom: Vec<(u8, u8)> },
    Fail { sentinel: u8, channel: u8 },
    Test { channel: u8 },
    End { sentinel: u8 },
    Remove { sentinel: u8 },
    Replace { sentinel: u8 },
    Wait { seconds: u32 },
    Say { sentinel: u8 },
    NoWord { sentinel: u8 },
    Finish { job: u8, answer: u8 },
    Read { row: u8 },
    Resend { row: u8 },
    Crash,
}

struct Bench {
    disk: Disk,
    outbox: Outbox,
    now: Instant,
    /// Started and not finished; `LoadDue` with what it read.
    jobs: Vec<(Job, Vec<Row>)>,
    /// What recipients have seen under a key.
    seen: BTreeMap<Key, BlobId>,
    resent: BTreeSet<NotificationId>,
    acknowledged: BTreeMap<Key, u32>,
}

fn config() -> Config {
    Config {
        in_flight_max: 4,
        in_flight_per_channel_max: 2,
        rows_loaded_per_channel: 3,
        outbox_rows_max: 4,
        members_max: 3,
        ..Config::standard([7; 16])
    }
}

/// A window of a minute or an hour; some of a minute close when it is said.
fn frequency(now: Instant, which: u8) -> Frequency {
    let digest = |seconds: i64, closes| {
        let number = (now - T0).as_millis() / (seconds * 1_000);
        let ends = T0 + Span::from_secs(seconds).times(number + 1);
        Frequency::Digest(Window { t0: T0, number: number as u64, ends, closes })
    };
    match which % 5 {
        0 => Frequency::Immediately,
        1 => Frequency::BestEffort,
        2 => digest(60, Closes::AtItsEnd),
        3 => digest(61, Closes::WhenSaid),
        _ => digest(3_600, Closes::AtItsEnd),
    }
}

/// By due time, then id, closed rows by when they were closed; as the store promises.
fn due_rows(disk: &Disk, channel: ChannelId, limit: usize) -> Vec<Row> {
    let position = |row: &Row| match row.state {
        State::Due { at } => Some(at),
        State::Closed => row.closed_at,
        _ => None,
    };
    let rows = disk.rows.values().filter(|row| row.channel == channel);
    let mut rows: Vec<_> = rows.filter_map(|row| Some((position(row)?, row.id, row))).collect();
    rows.sort_by_key(|&(at, id, _)| (at, id));
    rows.into_iter().take(limit).map(|(_, _, row)| row.clone()).collect()
}

fn load(disk: &Disk) -> Outbox {
    let mut outbox = Outbox::new(config());
    let limit = config().rows_loaded_per_channel as usize;
    for channel in disk.channels.values().rev() {
        let unfinished = disk.rows.values();
        let unfinished = unfinished.filter(|r| r.channel == channel.id && !r.state.is_finished());
        outbox.load_count(channel.id, unfinished.count() as u64);
        let due = |row: &&Row| row.channel == channel.id && matches!(row.state, State::Due { .. });
        let mut due: Vec<_> = disk.rows.values().filter(due).collect();
        due.sort_by_key(|row| match row.state {
            State::Due { at } => (at, row.id),
            _ => unreachable!(),
        });
        due.into_iter().take(limit).for_each(|row| outbox.load_row(row.clone()));
    }
    let gathering = |row: &&Row| matches!(row.state, State::Open { .. } | State::Closed);
    disk.rows.values().filter(gathering).for_each(|row| outbox.load_row(row.clone()));
    disk.channels.values().for_each(|row| outbox.load_channel(row.clone()));
    outbox.load_sentinels(disk.live.iter().copied());
    outbox
}

/// The bytes a row's facts give.
fn body_of(row: &Row) -> BlobId {
    let facts = format!("{:?}", (&row.key, row.kind, &row.members, row.more, row.closed_at));
    BlobId(*blake3::hash(facts.as_bytes()).as_bytes())
}

impl Bench {
    fn new() -> Bench {
        let disk = Disk { live: (1..=SENTINELS).map(SentinelId).collect(), ..Disk::default() };
        let mut bench = Bench {
            outbox: load(&disk),
            disk,
            now: T0,
            jobs: Vec::new(),
            seen: BTreeMap::new(),
            resent: BTreeSet::new(),
            acknowledged: BTreeMap::new(),
        };
        for nth in 0..CHANNELS {
            let contact = format!("c{nth}").into();
            bench.outbox.channel(&mut bench.disk.ids, "webhook", Some(&contact));
        }
        bench.commit();
        bench
    }

    /// The end of a step: jobs, records, and what must hold.
    fn commit(&mut self) {
        let mut jobs = Vec::new();
        self.outbox.poll(self.now, &mut jobs);
        let mut records = Vec::new();
        self.outbox.take_records(&mut records);
        for record in records {
            match record {
                OutboxRecord::Channel(row) => {
                    self.disk.channels.insert(row.id, row);
                }
                OutboxRecord::Row(row) => {
                    self.check_row(&row);
                    self.disk.rows.insert(row.id, *row);
                }
                OutboxRecord::Attempt(_) => {}
            }
        }
        for job in jobs {
            let limit = config().rows_loaded_per_channel as usize;
            let read = match &job {
                Job::LoadDue { channel } => due_rows(&self.disk, *channel, limit),
                Job::Compose(_) => Vec::new(),
                Job::Deliver { key, body, .. } => {
                    let first = self.seen.entry(key.clone()).or_insert(*body);
                    assert_eq!(first, body, "one key, two bodies");
                    Vec::new()
                }
            };
            self.jobs.push((job, read));
        }
        self.check();
        self.check_views();
    }

    fn check_row(&mut self, row: &Row) {
        let reason = match &row.state {
            State::GivenUp { reason, .. } => Some(&**reason),
            _ => None,
        };
        assert_eq!(row.state.reason(), reason);
        if row.state.is_finished() {
            assert!(row.state.at().is_some_and(|at| T0 <= at && at <= self.now));
        }
        let before = self.disk.rows.get(&row.id);
        if let Some(before) = before.filter(|before| before.body.is_some()) {
            assert_eq!((&before.key, before.body), (&row.key, row.body), "frozen: {row:?}");
        }
        let was_finished = before.is_some_and(|before| before.state.is_finished());
        if was_finished && !row.state.is_finished() {
            assert!(self.resent.contains(&row.id), "came back from the dead: {row:?}");
        }
        assert!(row.members.len() <= config().members_max as usize);
        if matches!(row.state, State::Delivered { .. })
            && !before.is_some_and(|b| matches!(b.state, State::Delivered { .. }))
        {
            *self.acknowledged.entry(row.key.clone()).or_default() += 1;
            let once = self.acknowledged[&row.key] == 1 || self.resent.contains(&row.id);
            assert!(once, "acknowledged twice: {row:?}");
        }
    }

    /// I-FOLD, the limits, and one key per row.
    fn check(&mut self) {
        let again = load(&self.disk);
        assert_eq!(self.outbox.fold(), again.fold(), "state is not the fold of the records");
        let config = config();
        assert!(self.outbox.flights.len() <= config.in_flight_max as usize);
        for (_, channel) in self.outbox.channels() {
            assert!(channel.in_flight <= config.in_flight_per_channel_max);
            assert!(channel.due.len() <= config.rows_loaded_per_channel as usize);
        }
        for row in self.disk.rows.values().filter(|row| !self.outbox.rows.contains_key(&row.id)) {
            let State::Due { at } = row.state else { continue };
            let channel = &self.outbox.channels[&row.channel];
            let last = channel.due.last().copied().filter(|_| channel.loading.is_none());
            assert!(last.is_none_or(|last| last < (at, row.id)), "not the next due: {row:?}");
        }
        let keys: BTreeSet<_> = self.disk.rows.values().map(|row| &row.key).collect();
        assert_eq!(keys.len(), self.disk.rows.len(), "two rows share a key");
    }

    /// What views are told is what is stored; the outbox sleeps no longer than it may, nor spins.
    fn check_views(&self) {
        let stored: Vec<_> = self.disk.channels.values().collect();
        assert_eq!(self.outbox.channel_rows().collect::<Vec<_>>(), stored);
        let (first, rest) = stored.split_first().expect("channels");
        assert_eq!(self.outbox.channel_rows_after(Some(first.id)).collect::<Vec<_>>(), rest);
        let disabled: Vec<_> = stored.iter().filter(|row| row.disabled.is_some()).collect();
        assert_eq!(self.outbox.disabled_channels().collect::<Vec<_>>().len(), disabled.len());

        let rows = self.disk.rows.values().filter(|row| !row.state.is_finished());
        let unfinished: Vec<_> = rows.collect();
        let is_held = |row: &&&Row| self.outbox.rows.contains_key(&row.id);
        for row in unfinished.iter().filter(is_held) {
            assert_eq!(self.outbox.row(row.id), Some(*row));
        }
        let counts = self.outbox.counts();
        assert_eq!(counts.waiting + u64::from(counts.in_flight), unfinished.len() as u64);
        let is_open = |row: &&&Row| matches!(row.state, State::Open { .. });
        assert_eq!(counts.open, unfinished.iter().filter(is_open).count() as u64);
        let jobs = self.jobs.iter().map(|(job, _)| job);
        let sending = jobs.clone().filter(|job| matches!(job, Job::Deliver { .. })).count();
        // What is no longer wanted is composed for nothing.
        let is_wanted = |id: &NotificationId| unfinished.iter().any(|row| row.id == *id);
        let composing = jobs.filter(|job| matches!(job, Job::Compose(id) if is_wanted(id))).count();
        assert_eq!((counts.in_flight as usize, counts.composing as usize), (sending, composing));

        let next = self.outbox.next_deadline();
        assert!(next.is_none_or(|at| at > self.now), "it asks to be polled again at {}", self.now);
        if sending < config().in_flight_max as usize {
            for row in unfinished.iter().filter(is_held) {
                let channel = &self.outbox.channels[&row.channel];
                let is_read = self.jobs.iter().any(
                    |(job, _)| matches!(job, Job::LoadDue { channel } if *channel == row.channel),
                );
                // What is due may wait for others: a channel that fails has few places.
                let is_idle = channel.in_flight == 0 && channel.row.disabled.is_none() && !is_read;
                if let State::Due { at } = row.state
                    && is_idle
                    && at > self.now
                    && channel.due.first() == Some(&(at, row.id))
                {
                    assert!(next.is_some_and(|next| next <= at), "{row:?} is slept through");
                }
            }
        }
    }

    fn told(&mut self, sentinel: SentinelId) -> Detection {
        self.disk.detections += 1;
        let number = self.disk.detections;
        let (source, from, to) =
            (SourceId(1), VersionNo(number as u32), VersionNo(number as u32 + 1));
        let result = BlobId::default();
        Detection {
            id: DetectionId(number),
            sentinel,
            generation: self.disk.generations.get(&sentinel).copied().unwrap_or(1),
            at: self.now,
            seq: number,
            evidence: vec![Evidence { source, from, to, result }],
            combinations: Vec::new(),
            parts: Vec::new(),
            follow: None,
        }
    }

    fn sentinel(&self, nth: u8) -> Option<SentinelId> {
        let id = SentinelId(u64::from(nth) % SENTINELS + 1);
        Some(id).filter(|id| self.disk.live.contains(id))
    }

    fn apply(&mut self, op: &Op) {
        let channel = |nth: u8| ChannelId(u64::from(nth) % CHANNELS + 1);
        match op {
            Op::Detect { sentinel, whom } => {
                let Some(sentinel) = self.sentinel(*sentinel) else { return };
                let whom: BTreeMap<_, _> = whom.iter().map(|&(to, f)| (channel(to), f)).collect();
                let whom: Vec<_> = whom
                    .into_iter()
                    .map(|(channel, f)| Whom { channel, frequency: frequency(self.now, f) })
                    .collect();
                let told = self.told(sentinel);
                self.outbox.detected(self.now, &mut self.disk.ids, &told, &whom);
                for one in whom {
                    *self.disk.told.entry(one.channel).or_default() += 1;
                }
            }
            Op::Fail { sentinel, channel: to } => self.fail(*sentinel, channel(*to)),
            Op::Test { channel: to } => {
                self.outbox.test(self.now, &mut self.disk.ids, channel(*to));
            }
            Op::End { sentinel } => {
                if let Some(sentinel) = self.sentinel(*sentinel) {
                    self.outbox.ended(self.now, sentinel, None);
                }
            }
            Op::Remove { sentinel } => {
                if let Some(sentinel) = self.sentinel(*sentinel) {
                    self.disk.live.remove(&sentinel);
                    self.outbox.removed(self.now, sentinel);
                }
            }
            Op::Replace { sentinel } => {
                if let Some(sentinel) = self.sentinel(*sentinel) {
                    let generation = self.disk.generations.entry(sentinel).or_insert(1);
                    *generation += 1;
                    self.outbox.replaced(self.now, sentinel, *generation, None);
                }
            }
            Op::Say { sentinel } => self.say(*sentinel),
            Op::NoWord { sentinel } => self.sentinel(*sentinel).into_iter().for_each(|sentinel| {
                self.outbox.no_word(sentinel);
            }),
            Op::Wait { seconds } => self.now += Span::from_secs(i64::from(*seconds)),
            Op::Finish { job, answer } => self.finish(usize::from(*job), *answer),
            Op::Read { row } => {
                if let Some(row) = self.nth_row(*row) {
                    assert!(self.outbox.read(row.id, Some(row)));
                }
            }
            Op::Resend { row } => {
                if let Some(row) = self.nth_row(*row) {
                    let id = row.id;
                    if self.outbox.resend(self.now, id, Some(row)) == Resent::Queued {
                        self.resent.insert(id);
                    }
                }
            }
            Op::Crash => {}
        }
    }

    fn fail(&mut self, sentinel: u8, channel: ChannelId) {
        let Some(sentinel) = self.sentinel(sentinel) else { return };
        let told = self.told(sentinel);
        let health = Health {
            kind: Kind::SourceFailing,
            source: SourceId(9),
            failing_since: Instant::from_millis(told.seq as i64),
            note: "the server answered 503".into(),
            sentinel,
            generation: told.generation,
            seq: told.seq,
        };
        self.outbox.health(self.now, &mut self.disk.ids, &health, &[channel]);
    }

    fn say(&mut self, sentinel: u8) {
        let Some(sentinel) = self.sentinel(sentinel) else { return };
        for place in self.outbox.windows_of(sentinel) {
            self.outbox.window_over(self.now, &place);
        }
    }

    fn nth_row(&self, nth: u8) -> Option<Row> {
        let rows = &self.disk.rows;
        rows.values().nth(usize::from(nth) % rows.len().max(1)).cloned()
    }

    fn finish(&mut self, job: usize, answer: u8) {
        if self.jobs.is_empty() {
            return;
        }
        let (job, read) = self.jobs.swap_remove(job % self.jobs.len());
        match job {
            Job::Compose(id) if answer > 252 => {
                self.outbox.not_composed(self.now, id, "a blob is gone");
            }
            Job::Compose(id) => {
                let body = body_of(&self.disk.rows[&id]);
                self.outbox.composed(self.now, id, body);
            }
            Job::Deliver { notification, .. } => {
                let failed = |after| DeliveryResult::Failed {
                    reason: "the server answered 500".into(),
                    after,
                };
                let result = match answer {
                    0..100 => DeliveryResult::Delivered,
                    100..200 => failed(None),
                    200..252 => failed(Some(Span::from_secs(i64::from(answer) * 100))),
                    _ => DeliveryResult::Gone { reason: DeliveryResult::GONE.into() },
                };
                self.outbox.delivered(self.now, notification, result);
            }
            Job::LoadDue { channel } => self.outbox.due_loaded(self.now, channel, read),
        }
    }

    /// A step that becomes durable, or one that a crash swallows.
    fn step(&mut self, op: &Op, swallowed: bool) {
        let (disk, resent) = (self.disk.clone(), self.resent.clone());
        self.apply(op);
        if swallowed {
            (self.disk, self.resent) = (disk, resent);
        } else {
            self.commit();
        }
        if swallowed || matches!(op, Op::Crash) {
            self.outbox = load(&self.disk);
            self.jobs.clear();
            self.commit();
        }
    }

    /// L-QUIET: recipients answer again, and everything drains.
    fn drain(&mut self) {
        for sentinel in self.disk.live.clone() {
            self.outbox.no_word(sentinel);
        }
        for _ in 0..100_000 {
            while !self.jobs.is_empty() {
                self.finish(0, 0);
                self.commit();
            }
            match self.outbox.next_deadline() {
                Some(at) => self.now = self.now.max(at),
                None => break,
            }
            self.commit();
        }
        for row in self.disk.rows.values() {
            assert!(row.state.is_finished(), "never finished: {row:?}");
            if let State::GivenUp { reason, .. } = &row.state {
                assert!(!reason.is_empty());
            }
        }
        for (channel, &told) in &self.disk.told {
            let rows = self.disk.rows.values().filter(|row| row.channel == *channel);
            let (mut members, mut count) = (BTreeSet::new(), 0);
            for row in rows {
                count += row.members.len() as u64 + row.more;
                for member in &row.members {
                    assert!(members.insert(*member), "{member:?} is told twice on {channel:?}");
                }
            }
            assert_eq!(count, told, "detections told on {channel:?}");
        }
        assert_eq!(self.outbox.counts().waiting, 0);
        assert!(self.outbox.rows.is_empty() && self.outbox.by_sentinel.is_empty());
        assert!(self.outbox.open.is_empty() && self.outbox.on_the_way.is_empty());
        assert!(self.outbox.timers.is_empty() && self.outbox.awaiting.is_empty());
        assert!(self.outbox.lanes.wake.is_empty());
    }
}

fn op() -> impl Strategy<Value = Op> {
    let whom = prop::collection::vec((any::<u8>(), any::<u8>()), 1..4);
    prop_oneof![
        12 => (any::<u8>(), whom).prop_map(|(sentinel, whom)| Op::Detect { sentinel, whom }),
        1 => (any::<u8>(), any::<u8>())
            .prop_map(|(sentinel, channel)| Op::Fail { sentinel, channel }),
        1 => any::<u8>().prop_map(|channel| Op::Test { channel }),
        1 => any::<u8>().prop_map(|sentinel| Op::End { sentinel }),
        1 => any::<u8>().prop_map(|sentinel| Op::Remove { sentinel }),
        1 => any::<u8>().prop_map(|sentinel| Op::Replace { sentinel }),
        1 => any::<u8>().prop_map(|sentinel| Op::Say { sentinel }),
        1 => any::<u8>().prop_map(|sentinel| Op::NoWord { sentinel }),
        4 => (0u32..90).prop_map(|seconds| Op::Wait { seconds }),
        1 => (0u32..100_000).prop_map(|seconds| Op::Wait { seconds }),
        24 => (any::<u8>(), any::<u8>()).prop_map(|(job, answer)| Op::Finish { job, answer }),
        1 => any::<u8>().prop_map(|row| Op::Read { row }),
        1 => any::<u8>().prop_map(|row| Op::Resend { row }),
        2 => Just(Op::Crash),
    ]
}

fn lives() -> ProptestConfig {
    ProptestConfig { cases: 300, max_shrink_iters: 2_000, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(lives())]

    #[test]
    fn every_detection_is_told_once_per_channel_or_given_up_whatever_crashes(
        ops in prop::collection::vec((op(), 0u8..40), 1..120),
    ) {
        let mut bench = Bench::new();
        for (op, luck) in &ops {
            bench.step(op, *luck == 0);
        }
        bench.drain();
    }
}
