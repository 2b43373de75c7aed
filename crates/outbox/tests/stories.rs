//! What becomes of notifications, told as stories.

use change::Evidence;
use chronon::{BlobId, Instant, NotificationId, OwnerId, SentinelId, SourceId, Span, VersionNo};
use outbox::{
    ChannelId, Closes, Config, DeliveryResult, Detection, DetectionId, Frequency, Ids, Job, Kind,
    Outbox, OutboxRecord, Resent, Row, State, Whom, Window, WindowPlace, change_key,
};
use std::collections::{BTreeMap, BTreeSet};

const T0: Instant = Instant::from_millis(1_800_000_000_000);
const S1: SentinelId = SentinelId(1);

#[derive(Default)]
struct Counters(u64, u64);

impl Ids for Counters {
    fn owner(&self) -> OwnerId {
        OwnerId::FIRST
    }

    fn notification(&mut self) -> NotificationId {
        self.0 += 1;
        NotificationId(self.0)
    }

    fn channel(&mut self) -> ChannelId {
        self.1 += 1;
        ChannelId(self.1)
    }
}

/// An outbox whose bodies compose themselves; deliveries wait to be answered.
struct Desk {
    outbox: Outbox,
    ids: Counters,
    now: Instant,
    rows: BTreeMap<NotificationId, Row>,
    sending: Vec<NotificationId>,
}

impl Desk {
    fn new(config: Config) -> Desk {
        let (outbox, ids) = (Outbox::new(config), Counters::default());
        Desk { outbox, ids, now: T0, rows: BTreeMap::new(), sending: Vec::new() }
    }

    fn standard() -> Desk {
        Desk::new(Config::standard([1; 16]))
    }

    fn channel(&mut self, contact: &str) -> ChannelId {
        self.outbox.channel(&mut self.ids, "webhook", Some(&contact.into()))
    }

    fn detect(&mut self, number: u64, channel: ChannelId, frequency: Frequency) {
        let whom = Whom { channel, frequency };
        let told = Detection { at: self.now, ..told(number) };
        self.outbox.detected(self.now, &mut self.ids, &told, &[whom]);
        self.step();
    }

    fn step(&mut self) {
        loop {
            let mut jobs = Vec::new();
            self.outbox.poll(self.now, &mut jobs);
            let mut records = Vec::new();
            self.outbox.take_records(&mut records);
            for record in records {
                if let OutboxRecord::Row(row) = record {
                    self.rows.insert(row.id, *row);
                }
            }
            if jobs.is_empty() {
                return;
            }
            for job in jobs {
                match job {
                    Job::Compose(id) => {
                        self.outbox.composed(self.now, id, BlobId([id.0 as u8; 32]))
                    }
                    Job::Deliver { notification, .. } => self.sending.push(notification),
                    Job::LoadDue { .. } => panic!("everything is held here"),
                }
            }
        }
    }

    fn answer(&mut self, id: u64, result: DeliveryResult) {
        self.sending.retain(|sending| sending.0 != id);
        self.outbox.delivered(self.now, NotificationId(id), result);
        self.step();
    }

    fn wait(&mut self, span: Span) {
        self.now += span;
        self.step();
    }

    /// Steps whenever the outbox asks for it, until then.
    fn stay_up(&mut self, until: Instant) {
        while let Some(next) = self.outbox.next_deadline().filter(|&next| next < until) {
            self.now = next.max(self.now);
            self.step();
        }
        self.now = until;
        self.step();
    }

    /// The server stops, and starts after `pause` with what is stored.
    fn start_again(&mut self, pause: Span) {
        let mut outbox = Outbox::new(Config::standard([1; 16]));
        for row in self.outbox.channel_rows() {
            outbox.load_channel(row.clone());
        }
        self.rows.values().cloned().for_each(|row| outbox.load_row(row));
        self.outbox = outbox;
        self.sending.clear();
        self.now += pause;
        self.step();
    }

    fn row(&self, id: u64) -> &Row {
        &self.rows[&NotificationId(id)]
    }

    fn sending(&self) -> Vec<u64> {
        self.sending.iter().map(|id| id.0).collect()
    }
}

/// Two versions of a source.
fn piece(source: u32, from: u32) -> Evidence {
    let result = BlobId([from as u8; 32]);
    Evidence { source: SourceId(source), from: VersionNo(from), to: VersionNo(from + 1), result }
}

fn told(number: u64) -> Detection {
    Detection {
        id: DetectionId(number),
        sentinel: S1,
        generation: 1,
        at: T0,
        seq: number,
        evidence: vec![piece(1, number as u32)],
        combinations: Vec::new(),
        parts: Vec::new(),
        follow: None,
    }
}

fn failed(after: Option<Span>) -> DeliveryResult {
    DeliveryResult::Failed { reason: "the server answered 500".into(), after }
}

/// A digest whose window closes at its end.
fn every(now: Instant, seconds: i64) -> Frequency {
    Frequency::Digest(window((now - T0).as_millis() / (seconds * 1_000), seconds, Closes::AtItsEnd))
}

fn window(number: i64, seconds: i64, closes: Closes) -> Window {
    let ends = T0 + Span::from_secs(seconds).times(number + 1);
    Window { t0: T0, number: number as u64, ends, closes }
}

/// Fails attempts of row 1 until it is given up; `pass` lets the time until the next one pass.
fn fail_until_given_up(desk: &mut Desk, after: Option<Span>, pass: impl Fn(&mut Desk, Instant)) {
    for _ in 0..10_000 {
        assert_eq!(desk.sending(), [1]);
        desk.answer(1, failed(after));
        let State::Due { at } = desk.row(1).state else { return };
        pass(desk, at);
    }
    panic!("never given up");
}

#[test]
fn who_is_named_twice_is_told_once_and_once_for_each_window() {
    let tell = |frequencies: [&Frequency; 2]| {
        let mut desk = Desk::standard();
        let channel = desk.channel("a");
        let whom = frequencies.map(|one| Whom { channel, frequency: one.clone() });
        desk.outbox.detected(desk.now, &mut desk.ids, &told(1), &whom);
        desk.step();
        desk.rows.into_values().map(|row| (row.kind, row.closed_at)).collect::<Vec<_>>()
    };
    let (at_once, hourly) = (&Frequency::Immediately, &every(T0, 3_600));
    let daily = &every(T0, 86_400);
    let (change, digest) = ((Kind::Change, Some(T0)), (Kind::Digest, None));
    assert_eq!(tell([at_once, at_once]), [change]);
    assert_eq!(tell([hourly, hourly]), [digest]);
    assert_eq!(tell([at_once, hourly]), [change, digest]);
    assert_eq!(tell([hourly, daily]), [digest, digest]);
}

#[test]
fn a_failed_delivery_is_tried_again_after_5_s_doubling_to_1_h_until_24_h_have_passed() {
    let mut desk = Desk::standard();
    let channel = desk.channel("a");
    desk.detect(1, channel, Frequency::Immediately);
    let key = desk.row(1).key.clone();
    fail_until_given_up(&mut desk, None, |desk, at| {
        let nominal = (5_000_i64 << (desk.row(1).attempts - 1).min(20)).min(3_600_000);
        let wait = at.since(desk.now).as_millis();
        assert!((nominal * 8 / 10..=nominal * 12 / 10).contains(&wait), "{wait}");
        desk.stay_up(at - Span::from_millis(1));
        assert_eq!(desk.sending(), [] as [u64; 0], "not a moment earlier");
        desk.stay_up(at);
    });
    let State::GivenUp { at, reason } = &desk.row(1).state else { panic!("{:?}", desk.row(1)) };
    assert!(at.since(T0) >= Span::DAY && at.since(T0) <= Span::HOUR.times(26));
    let tries = desk.row(1).attempts;
    assert_eq!(**reason, *format!("{tries} tries in 25 h; the last: the server answered 500"));
    assert!(tries > 25 && desk.row(1).key == key);
}

#[test]
fn what_the_recipient_asks_for_is_waited_for_but_never_less_than_our_own_time() {
    let mut desk = Desk::standard();
    let channel = desk.channel("a");
    desk.detect(1, channel, Frequency::Immediately);
    desk.answer(1, failed(Some(Span::from_secs(600))));
    assert_eq!(desk.row(1).state, State::Due { at: T0 + Span::from_secs(600) });
    desk.wait(Span::from_secs(600));
    desk.answer(1, failed(Some(Span::ZERO)));
    let State::Due { at } = desk.row(1).state else { panic!() };
    assert!(at.since(desk.now) >= Span::from_secs(8));
}

#[test]
fn a_receiver_that_asks_for_a_day_is_tried_twelve_times_six_hours_apart() {
    let mut desk = Desk::standard();
    let channel = desk.channel("a");
    desk.detect(1, channel, Frequency::Immediately);
    fail_until_given_up(&mut desk, Some(Span::DAY), |desk, at| {
        assert_eq!(at.since(desk.now), Span::HOUR.times(6));
        desk.stay_up(at);
    });
    let State::GivenUp { at, reason } = &desk.row(1).state else { panic!() };
    assert_eq!(at.since(T0), Span::HOUR.times(6 * 11));
    assert_eq!(&**reason, "12 tries in 66 h; the last: the server answered 500");
}

#[test]
fn the_time_a_machine_sleeps_is_no_time_of_trying() {
    let mut desk = Desk::standard();
    let channel = desk.channel("a");
    desk.detect(1, channel, Frequency::Immediately);
    // A laptop that is open for half an hour a day.
    let waking = std::cell::Cell::new(T0 + Span::from_secs(1_800));
    fail_until_given_up(&mut desk, None, |desk, at| {
        while desk.sending().is_empty() {
            desk.stay_up(at.min(waking.get()).max(desk.now));
            if desk.now >= waking.get() {
                desk.wait(Span::HOUR.times(23) + Span::from_secs(1_800));
                waking.set(desk.now + Span::from_secs(1_800));
            }
        }
    });
    let State::GivenUp { at, reason } = &desk.row(1).state else { panic!() };
    let days = at.since(T0).as_millis() / Span::DAY.as_millis();
    assert!((34..=48).contains(&days), "24 h, half an hour a day: {days} days");
    assert!(reason.contains("up for 24 h of them"), "{reason}");
}

#[test]
fn the_time_a_server_is_stopped_is_no_time_of_trying() {
    let mut desk = Desk::standard();
    let channel = desk.channel("a");
    desk.detect(1, channel, Frequency::Immediately);
    for _ in 0..30 {
        desk.answer(1, failed(None));
        desk.start_again(Span::DAY);
        assert_eq!(desk.sending(), [1], "{:?}", desk.row(1));
    }
    assert_eq!(desk.row(1).effort.up, Span::ZERO);
    assert_eq!(desk.row(1).effort.tries, 30);
}

#[test]
fn a_channel_that_is_gone_is_disabled_visibly_and_a_test_enables_it_again() {
    let mut desk = Desk::standard();
    let channel = desk.channel("a");
    desk.detect(1, channel, Frequency::Immediately);
    desk.answer(1, DeliveryResult::Gone { reason: DeliveryResult::GONE.into() });
    assert!(desk.outbox.channel_row(channel).unwrap().disabled.is_some());
    desk.detect(2, channel, Frequency::Immediately);
    for id in [1, 2] {
        let State::GivenUp { reason, .. } = &desk.row(id).state else { panic!() };
        assert!(reason.contains("410"), "{reason}");
    }
    let resent = desk.outbox.resend(desk.now, NotificationId(2), Some(desk.row(2).clone()));
    assert!(matches!(resent, Resent::ChannelDisabled(_)));
    desk.outbox.test(desk.now, &mut desk.ids, channel);
    desk.step();
    assert_eq!(desk.sending(), [3]);
    desk.answer(3, DeliveryResult::Delivered);
    assert_eq!(desk.outbox.channel_row(channel).unwrap().disabled, None);
    let resent = desk.outbox.resend(desk.now, NotificationId(2), Some(desk.row(2).clone()));
    assert_eq!(resent, Resent::Queued);
    desk.step();
    assert_eq!(desk.sending(), [2], "its members were frozen; now it is composed and goes out");
}

#[test]
fn a_window_sends_one_digest_at_its_end_and_nothing_if_it_is_empty() {
    let mut desk = Desk::standard();
    let channel = desk.channel("a");
    desk.wait(Span::from_secs(10));
    desk.detect(1, channel, every(desk.now, 60));
    desk.detect(2, channel, every(desk.now, 60));
    assert_eq!(desk.outbox.next_deadline(), Some(T0 + Span::from_secs(60)));
    // The process pauses over four windows.
    desk.wait(Span::from_secs(260));
    assert_eq!(desk.sending(), [1]);
    let row = desk.row(1);
    assert_eq!((row.kind, row.members.len(), row.seq), (Kind::Digest, 2, 2));
    assert_eq!(row.closed_at, Some(desk.now));
    desk.answer(1, DeliveryResult::Delivered);
    assert_eq!(desk.outbox.next_deadline(), None);
    desk.wait(Span::DAY);
    assert_eq!(desk.rows.len(), 1);
}

#[test]
fn end_sends_a_pending_digest_at_once_and_a_new_text_starts_windows_anew() {
    let mut desk = Desk::standard();
    let channel = desk.channel("a");
    desk.detect(1, channel, every(desk.now, 3_600));
    desk.outbox.replaced(desk.now, S1, 2, None);
    desk.step();
    assert_eq!(desk.sending(), [1]);
    let newer = Detection { generation: 2, at: desk.now, ..told(2) };
    let whom = Whom { channel, frequency: every(desk.now, 3_600) };
    desk.outbox.detected(desk.now, &mut desk.ids, &newer, &[whom]);
    desk.step();
    assert_eq!(desk.sending(), [1]);
    desk.outbox.ended(desk.now, S1, None);
    desk.step();
    assert_eq!(desk.sending(), [1, 2]);
    assert_ne!(desk.row(1).key, desk.row(2).key);
}

#[test]
fn remove_cancels_what_is_not_being_sent() {
    let mut desk = Desk::standard();
    let channel = desk.channel("a");
    desk.detect(1, channel, Frequency::Immediately);
    desk.detect(2, channel, Frequency::Immediately);
    desk.detect(3, channel, every(desk.now, 60));
    desk.outbox.removed(desk.now, S1);
    desk.step();
    assert_eq!(desk.row(3).state, State::Cancelled { at: T0 });
    desk.answer(1, DeliveryResult::Delivered);
    desk.answer(2, failed(None));
    assert_eq!(desk.row(1).state, State::Delivered { at: T0 });
    assert_eq!(desk.row(2).state, State::Cancelled { at: T0 }, "it is not tried again");
}

#[test]
fn what_a_removed_sentinel_left_in_the_store_is_cancelled_though_the_server_crashed() {
    let (mut before, mut desk) = (Desk::standard(), Desk::standard());
    let channel = before.channel("c");
    (1..=3).for_each(|number| before.detect(number, channel, Frequency::Immediately));
    // The sentinel went when none of its rows was in memory, and the process with it.
    desk.outbox.load_channel(before.outbox.channel_row(channel).expect("made above").clone());
    desk.outbox.load_count(channel, 3);
    desk.outbox.load_sentinels([]);
    let mut jobs = Vec::new();
    desk.outbox.poll(desk.now, &mut jobs);
    assert!(matches!(jobs[..], [Job::LoadDue { .. }]), "{jobs:?}");
    let left: Vec<Row> = before.rows.into_values().collect();
    assert!(left.iter().all(|row| matches!(row.state, State::Due { .. })));
    desk.outbox.due_loaded(desk.now, channel, left);
    desk.step();
    assert!(desk.sending.is_empty());
    assert_eq!(desk.rows.len(), 3);
    assert!(desk.rows.values().all(|row| matches!(row.state, State::Cancelled { .. })));
}

#[test]
fn best_effort_gathers_while_an_earlier_notification_is_on_its_way() {
    let mut desk = Desk::standard();
    let channel = desk.channel("a");
    for number in 1..=3 {
        desk.detect(number, channel, Frequency::BestEffort);
    }
    assert_eq!(desk.sending(), [1]);
    assert_eq!(desk.row(2).state, State::Open { closes: None });
    desk.answer(1, DeliveryResult::Delivered);
    assert_eq!(desk.sending(), [2]);
    let row = desk.row(2);
    assert_eq!((row.kind, row.members.len()), (Kind::Digest, 2));
    let to = desk.outbox.channel_row(channel).unwrap();
    assert_ne!(row.key, change_key(&[1; 16], to, &told(2)), "a digest is not its first member");
    desk.detect(4, channel, Frequency::BestEffort);
    desk.answer(2, DeliveryResult::Delivered);
    let row = desk.row(3);
    assert_eq!((row.kind, row.members.len()), (Kind::Change, 1), "one alone is no digest");
    assert_eq!(row.key, change_key(&[1; 16], desk.outbox.channel_row(channel).unwrap(), &told(4)));
}

#[test]
fn a_full_channel_merges_per_sentinel_and_counts_what_it_does_not_list() {
    let config = Config { outbox_rows_max: 2, members_max: 3, ..Config::standard([1; 16]) };
    let mut desk = Desk::new(config);
    let channel = desk.channel("a");
    for number in 1..=12 {
        desk.detect(number, channel, Frequency::Immediately);
    }
    assert_eq!(desk.rows.len(), 3);
    assert_eq!((desk.row(3).members.len(), desk.row(3).more), (3, 7));
    assert_eq!(desk.outbox.counts().merged, 10);
    desk.answer(1, DeliveryResult::Delivered);
    desk.answer(2, DeliveryResult::Delivered);
    assert_eq!(desk.sending(), [3]);
}

#[test]
fn failing_channels_take_at_most_half_of_what_is_in_flight() {
    let mut desk = Desk::standard();
    let channels: Vec<_> = (0..100).map(|nth| desk.channel(&format!("bad {nth}"))).collect();
    for (nth, &channel) in channels.iter().enumerate() {
        desk.detect(nth as u64 + 1, channel, Frequency::Immediately);
    }
    // Everybody fails once; then all hundred are due again, and hang.
    while let Some(id) = desk.sending.first().copied() {
        desk.answer(id.0, failed(None));
    }
    desk.wait(Span::MINUTE);
    assert_eq!(desk.sending().len(), 32);
    let sound = desk.channel("good");
    desk.detect(500, sound, Frequency::Immediately);
    assert_eq!(desk.sending().len(), 33, "a sound channel is served at once");
}

#[test]
fn one_channel_has_at_most_four_deliveries_in_flight_and_takes_turns_with_others() {
    let mut desk = Desk::new(Config { in_flight_max: 6, ..Config::standard([1; 16]) });
    let (busy, quiet) = (desk.channel("busy"), desk.channel("quiet"));
    for number in 1..=20 {
        desk.detect(number, busy, Frequency::Immediately);
    }
    assert_eq!(desk.sending(), [1, 2, 3, 4]);
    desk.detect(21, quiet, Frequency::Immediately);
    assert_eq!(desk.sending(), [1, 2, 3, 4, 21]);
}

#[test]
fn the_same_facts_give_the_same_key_and_other_facts_another() {
    let keys = |instance, contact: &str, number| {
        let mut desk = Desk::new(Config::standard(instance));
        desk.channel("somebody first");
        let channel = desk.channel(contact);
        desk.wait(Span::from_secs(number as i64));
        desk.detect(number, channel, Frequency::Immediately);
        desk.row(1).key.clone()
    };
    let key = keys([1; 16], "a", 7);
    assert_eq!(key, keys([1; 16], "a", 7));
    assert_eq!(key.0.len(), 32);
    for other in [keys([2; 16], "a", 7), keys([1; 16], "b", 7), keys([1; 16], "a", 8)] {
        assert_ne!(key, other);
    }
}

#[test]
fn the_keys_of_a_detection_tell_its_evidence_apart() {
    let mut desk = Desk::standard();
    let channel = desk.channel("a");
    let key_of = |evidence: Vec<Evidence>| {
        let told = Detection { evidence, ..told(1) };
        change_key(&[1; 16], desk.outbox.channel_row(channel).unwrap(), &told).0
    };
    // Receivers may still get what an earlier release queued.
    assert_eq!(*key_of(vec![piece(1, 7)]), *"af1a28de3849f8f29ab78c55daf51c88");
    let lists = [
        vec![piece(1, 7)],
        vec![piece(1, 8)],
        vec![piece(2, 7)],
        vec![piece(1, 7), piece(2, 7)],
        vec![piece(2, 7), piece(1, 7)],
        vec![piece(1, 7), piece(2, 7), piece(3, 7)],
    ];
    let keys: BTreeSet<_> = lists.iter().cloned().map(key_of).collect();
    assert_eq!(keys.len(), lists.len());
    let other = Evidence { result: BlobId([9; 32]), ..piece(1, 7) };
    assert_eq!(key_of(vec![other]), key_of(vec![piece(1, 7)]), "results do not enter");
}

#[test]
fn a_body_that_cannot_be_made_is_given_up_visibly_and_delays_nothing_else() {
    let config = Config { in_flight_max: 1, ..Config::standard([1; 16]) };
    let (mut outbox, mut ids) = (Outbox::new(config), Counters::default());
    let channel = outbox.channel(&mut ids, "webhook", Some(&"a".into()));
    let whom = [Whom { channel, frequency: Frequency::Immediately }];
    outbox.detected(T0, &mut ids, &told(1), &whom);
    outbox.detected(T0, &mut ids, &told(2), &whom);
    let mut jobs = Vec::new();
    outbox.poll(T0, &mut jobs);
    assert_eq!(jobs, [Job::Compose(NotificationId(1))]);
    outbox.not_composed(T0, NotificationId(1), "a version is gone");
    let mut records = Vec::new();
    outbox.take_records(&mut records);
    let given_up = records.iter().find_map(|record| match record {
        OutboxRecord::Row(row) if row.id.0 == 1 => Some(&row.state),
        _ => None,
    });
    let Some(State::GivenUp { reason, .. }) = given_up else { panic!("{given_up:?}") };
    assert_eq!(&**reason, "its text could not be composed: a version is gone");
    outbox.poll(T0, &mut jobs);
    assert_eq!(jobs[1..], [Job::Compose(NotificationId(2))]);
}

#[test]
fn a_window_that_waits_for_word_closes_when_it_is_said_with_the_same_key() {
    let keys = [Span::from_secs(5), Span::from_secs(90)].map(|after| {
        let mut desk = Desk::standard();
        let channel = desk.channel("a");
        desk.detect(1, channel, Frequency::Digest(window(0, 60, Closes::WhenSaid)));
        desk.wait(after);
        desk.detect(2, channel, Frequency::Digest(window(0, 60, Closes::WhenSaid)));
        assert!(desk.sending().is_empty() && desk.outbox.next_deadline().is_none());
        let ends = T0 + Span::MINUTE;
        let place = WindowPlace { sentinel: S1, generation: 1, channel, ends };
        assert_eq!(desk.outbox.windows_of(S1), [place]);
        desk.outbox.window_over(desk.now, &place);
        desk.step();
        assert_eq!(desk.row(1).members.len(), 2);
        assert_eq!(desk.sending(), [1]);
        desk.row(1).key.clone()
    });
    assert_eq!(keys[0], keys[1], "when it closed does not enter the key");
}

#[test]
fn a_window_closes_at_its_end_when_nobody_will_say_so_any_more() {
    let mut desk = Desk::standard();
    let channel = desk.channel("a");
    desk.detect(1, channel, Frequency::Digest(window(0, 60, Closes::WhenSaid)));
    desk.outbox.no_word(S1);
    assert_eq!(desk.outbox.next_deadline(), Some(T0 + Span::MINUTE));
    desk.wait(Span::MINUTE);
    assert_eq!(desk.sending(), [1]);
}

#[test]
fn what_a_window_waits_for_is_known_again_after_a_start() {
    let mut desk = Desk::standard();
    let channel = desk.channel("a");
    desk.detect(1, channel, Frequency::Digest(window(0, 60, Closes::WhenSaid)));
    let row = desk.row(1).clone();
    let mut outbox = Outbox::new(Config::standard([1; 16]));
    outbox.load_row(row);
    let ends = T0 + Span::MINUTE;
    outbox.await_word(&WindowPlace { sentinel: S1, generation: 1, channel, ends });
    assert_eq!(outbox.next_deadline(), None);
}

#[test]
fn what_is_held_back_stays_so_when_the_sentinel_ends_or_has_another_text() {
    let until = T0 + Span::DAY;
    let happenings: [fn(&mut Desk, Instant); 3] = [
        |desk, until| desk.outbox.ended(desk.now, S1, Some(until)),
        |desk, until| desk.outbox.hurry(desk.now, S1, Some(until)),
        |desk, until| desk.outbox.replaced(desk.now, S1, 2, Some(until)),
    ];
    for happens in happenings {
        let mut desk = Desk::standard();
        let channel = desk.channel("a");
        desk.detect(1, channel, every(desk.now, 3_600));
        desk.detect(2, channel, every(desk.now, 7 * 86_400));
        desk.outbox.hold_back(desk.now, S1, None, Some(until));
        happens(&mut desk, until);
        desk.stay_up(until);
        assert_eq!(desk.sending.len(), 1, "{:?}", desk.rows);
        let row = &desk.rows[&desk.sending[0]];
        assert_eq!((row.members.len(), row.closed_at), (2, Some(until)));
    }
}

#[test]
fn a_digest_that_waits_for_its_look_is_held_back_too() {
    for (until, goes) in [(30, 60), (90, 90), (60, 60)] {
        let mut desk = Desk::standard();
        let channel = desk.channel("a");
        desk.detect(1, channel, Frequency::Digest(window(0, 60, Closes::WhenSaid)));
        let place = desk.outbox.windows_of(S1)[0];
        let (until, goes) = (T0 + Span::from_secs(until), T0 + Span::from_secs(goes));
        desk.outbox.hold_back(desk.now, S1, None, Some(until));
        desk.outbox.window_over(desk.now, &place);
        desk.step();
        assert!(desk.sending().is_empty());
        desk.stay_up(goes);
        assert_eq!(desk.row(1).closed_at, Some(goes));
    }
}

#[test]
fn digests_of_two_windows_become_one_when_they_are_held_back() {
    let mut desk = Desk::standard();
    let channel = desk.channel("a");
    desk.detect(1, channel, every(desk.now, 60));
    desk.detect(2, channel, every(desk.now, 3_600));
    let until = T0 + Span::DAY;
    desk.outbox.hold_back(desk.now, S1, None, Some(until));
    desk.step();
    assert!(desk.sending().is_empty(), "a silence that begins sends nothing");
    desk.stay_up(until);
    assert_eq!(desk.sending.len(), 1);
    let row = &desk.rows[&desk.sending[0]];
    assert_eq!((row.members.len(), row.seq), (2, 2));
    assert_eq!(desk.rows.len(), 2);
}

#[test]
fn a_longer_silence_holds_back_what_the_shorter_one_let_go() {
    let mut desk = Desk::standard();
    let channel = desk.channel("a");
    desk.detect(1, channel, every(desk.now, 3_600));
    let [short, long] = [60, 7_200].map(|seconds| T0 + Span::from_secs(seconds));
    desk.outbox.hold_back(desk.now, S1, None, Some(short));
    desk.outbox.hold_back(desk.now, S1, Some(short), Some(long));
    desk.stay_up(long);
    assert_eq!(desk.row(1).closed_at, Some(long));
}
