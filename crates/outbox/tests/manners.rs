//! Quiet hours, pauses, and channels that take nothing, told as stories with crashes.

use chronon::{BlobId, Instant, NotificationId, OwnerId, SentinelId, Span, Zone};
use outbox::{
    ChannelId, ChannelRow, Closes, Config, DeliveryResult, Detection, DetectionId, Frequency, Ids,
    Job, Kind, Manners, Outbox, OutboxRecord, Quiet, Row, State, Whom, Window,
};
use std::collections::BTreeMap;

/// 2027-01-15, 08:00 in UTC.
const MORNING: Instant = Instant::from_millis(1_800_000_000_000);

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

/// Whether a channel is one of the configuration, which says where to.
fn is_configured(name: &str) -> bool {
    matches!(name, "hook" | "pager" | "mail" | "other")
}

/// An outbox whose bodies compose themselves, and what of it is stored.
struct Desk {
    config: Config,
    outbox: Outbox,
    ids: Counters,
    now: Instant,
    rows: BTreeMap<NotificationId, Row>,
    channels: BTreeMap<ChannelId, ChannelRow>,
    sending: Vec<NotificationId>,
    steps: u32,
}

impl Desk {
    fn new(manners: Manners) -> Desk {
        let manners = [("hook".into(), manners)].into();
        let config = Config { manners, ..Config::standard([1; 16]) };
        let outbox = Outbox::new(config.clone());
        let (ids, rows, channels) = Default::default();
        Desk { config, outbox, ids, now: MORNING, rows, channels, sending: Vec::new(), steps: 0 }
    }

    fn quiet_at_night() -> Desk {
        let quiet = Quiet::new(Zone::utc(), 22 * 60, 7 * 60);
        Desk::new(Manners { quiet, ..Manners::default() })
    }

    fn channel(&mut self, name: &str) -> ChannelId {
        self.outbox.channel(&mut self.ids, name, None)
    }

    fn detect(&mut self, number: u64, frequency: Frequency) {
        let whom = Whom { channel: self.channel("hook"), frequency };
        let told = Detection {
            id: DetectionId(number),
            sentinel: SentinelId(1),
            generation: 1,
            at: self.now,
            seq: number,
            evidence: Vec::new(),
            combinations: Vec::new(),
            parts: Vec::new(),
            follow: None,
        };
        self.outbox.detected(self.now, &mut self.ids, &told, &[whom]);
        self.step();
    }

    fn step(&mut self) {
        self.steps += 1;
        loop {
            let mut jobs = Vec::new();
            self.outbox.poll(self.now, &mut jobs);
            let mut records = Vec::new();
            self.outbox.take_records(&mut records);
            for record in records {
                match record {
                    OutboxRecord::Row(row) => {
                        self.rows.insert(row.id, *row);
                    }
                    OutboxRecord::Channel(row) => {
                        self.channels.insert(row.id, row);
                    }
                    OutboxRecord::Attempt(_) => {}
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

    /// Every delivery under way ends so, and the server is killed and starts again.
    fn answer(&mut self, result: &DeliveryResult) {
        for id in std::mem::take(&mut self.sending) {
            self.outbox.delivered(self.now, id, result.clone());
            self.outbox.tell_of_failing(self.now, &mut self.ids, &is_configured);
        }
        self.step();
    }

    fn crash(&mut self) {
        let mut outbox = Outbox::new(self.config.clone());
        self.channels.values().cloned().for_each(|row| outbox.load_channel(row));
        self.rows.values().cloned().for_each(|row| outbox.load_row(row));
        assert_eq!(outbox.fold(), self.outbox.fold(), "I-FOLD");
        self.outbox = outbox;
        self.sending.clear();
        self.step();
    }

    /// Up to so long after the morning, a step whenever the outbox asks for one.
    fn until(&mut self, after: Span) {
        let until = MORNING + after;
        while let Some(next) = self.outbox.next_deadline().filter(|&next| next <= until) {
            self.now = next.max(self.now);
            self.step();
            if !self.sending.is_empty() {
                return;
            }
        }
        self.now = until;
        self.step();
    }

    /// The detections of what is being sent.
    fn sending(&self) -> Vec<Vec<u64>> {
        let members = |id: &NotificationId| {
            let row = &self.rows[id];
            row.members.iter().map(|member| member.0).collect()
        };
        self.sending.iter().map(members).collect()
    }
}

fn hours(hours: i64) -> Span {
    Span::HOUR.times(hours)
}

fn refused() -> DeliveryResult {
    DeliveryResult::Failed { reason: "the server answered 503".into(), after: None }
}

#[test]
fn what_comes_in_quiet_hours_is_one_message_when_they_end() {
    let mut desk = Desk::quiet_at_night();
    desk.detect(1, Frequency::Immediately);
    assert_eq!(desk.sending(), [[1]]);
    desk.answer(&DeliveryResult::Delivered);
    for (after, number) in [(14, 2), (16, 3), (22, 4)] {
        desk.until(hours(after));
        desk.detect(number, Frequency::Immediately);
        assert_eq!(desk.sending(), [[0; 0]; 0], "{number}");
        desk.crash();
    }
    desk.until(hours(40));
    assert_eq!((desk.now, desk.sending()), (MORNING + hours(23), vec![vec![2, 3, 4]]));
    desk.answer(&DeliveryResult::Delivered);
    let kinds: Vec<Kind> = desk.rows.values().map(|row| row.kind).collect();
    assert_eq!(kinds, [Kind::Change, Kind::Digest], "of several it is a digest");
}

#[test]
fn a_digest_that_ends_in_quiet_hours_goes_when_they_end() {
    let mut desk = Desk::quiet_at_night();
    let window =
        Window { t0: MORNING, number: 0, ends: MORNING + hours(15), closes: Closes::AtItsEnd };
    desk.detect(1, Frequency::Digest(window));
    desk.until(hours(15));
    assert_eq!(desk.sending(), [[0; 0]; 0]);
    desk.crash();
    desk.detect(2, Frequency::Immediately);
    desk.until(hours(40));
    assert_eq!((desk.now, desk.sending()), (MORNING + hours(23), vec![vec![1, 2]]));
}

#[test]
fn a_test_goes_at_any_hour_and_what_failed_before_waits() {
    let mut desk = Desk::quiet_at_night();
    desk.until(Span::MINUTE.times(14 * 60 - 1));
    desk.detect(1, Frequency::Immediately);
    while desk.now < MORNING + hours(16) {
        desk.answer(&refused());
        desk.until(hours(16));
        assert!(desk.sending.is_empty() || desk.now < MORNING + hours(14), "{}", desk.now);
    }
    let hook = desk.channel("hook");
    let test = desk.outbox.test(desk.now, &mut desk.ids, hook);
    desk.step();
    assert_eq!(desk.sending, [test]);
    desk.answer(&DeliveryResult::Delivered);
    assert_eq!(desk.sending(), [[0; 0]; 0]);
    assert_eq!(desk.outbox.free_at(hook, desk.now), MORNING + hours(23));
    desk.crash();
    desk.until(hours(40));
    assert_eq!((desk.now, desk.sending()), (MORNING + hours(23), vec![vec![1]]));
}

#[test]
fn between_two_messages_is_a_pause_and_what_waits_is_merged() {
    let pause = Some(Span::MINUTE.times(6));
    let mut desk = Desk::new(Manners { pause, ..Manners::default() });
    desk.detect(1, Frequency::Immediately);
    assert_eq!(desk.sending(), [[1]]);
    desk.answer(&DeliveryResult::Delivered);
    for number in 2..=4 {
        desk.until(Span::MINUTE.times(number as i64 - 1));
        desk.detect(number, Frequency::Immediately);
        desk.crash();
    }
    desk.until(hours(1));
    assert_eq!((desk.now, desk.sending()), (MORNING + Span::MINUTE.times(6), vec![vec![2, 3, 4]]));
    // What comes while a message is still on its way waits for it, and for the pause after it.
    desk.detect(5, Frequency::Immediately);
    desk.answer(&DeliveryResult::Delivered);
    desk.detect(6, Frequency::Immediately);
    desk.until(hours(1));
    assert_eq!((desk.now, desk.sending()), (MORNING + Span::MINUTE.times(12), vec![vec![5, 6]]));
}

#[test]
fn a_channel_that_takes_nothing_for_a_day_is_told_of_once_on_another() {
    let fallback = Some("pager".into());
    let mut desk = Desk::new(Manners { fallback, ..Manners::default() });
    desk.channel("other");
    let said = |desk: &Desk| {
        let told = desk.rows.values().filter(|row| row.kind == Kind::ChannelFailing);
        told.map(|row| (desk.channels[&row.channel].name.clone(), row.note.clone()))
            .collect::<Vec<_>>()
    };
    desk.detect(1, Frequency::Immediately);
    // Through the day, and through the next, in which the first is given up.
    let (mut told_at, mut halves) = (None, 0);
    while desk.now < MORNING + hours(50) {
        if told_at.is_none() && !said(&desk).is_empty() {
            told_at = Some(desk.now);
        }
        let failing: Vec<_> = desk.sending.clone();
        for id in failing {
            let hook = desk.channels[&desk.rows[&id].channel].name.as_ref() == "hook";
            let result = if hook { refused() } else { DeliveryResult::Delivered };
            desk.sending.retain(|sending| *sending != id);
            desk.outbox.delivered(desk.now, id, result);
            desk.outbox.tell_of_failing(desk.now, &mut desk.ids, &is_configured);
            desk.step();
        }
        // A crash leaves unknown how long the process was up since the last try.
        halves += 1;
        if desk.sending.is_empty() && halves % 16 == 0 {
            desk.crash();
        }
        let later = desk.now + Span::MINUTE.times(30) - MORNING;
        desk.until(later);
        if desk.now > MORNING + hours(30) && desk.rows.len() == 2 {
            desk.detect(2, Frequency::Immediately);
        }
    }
    let told_at = told_at.expect("it is told");
    assert!(told_at >= MORNING + hours(24) && told_at < MORNING + hours(29), "{told_at}");
    let all = said(&desk);
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!(&*all[0].0, "pager");
    let beginning = "the channel hook took nothing in 24 h of trying; ";
    assert!(all[0].1.starts_with(beginning), "{}", all[0].1);
    assert!(all[0].1.ends_with("the last: the server answered 503"), "{}", all[0].1);
}

#[test]
fn a_channel_that_wants_no_more_is_told_of_at_once_on_one_that_works() {
    let mut desk = Desk::new(Manners::default());
    let other = desk.channel("mail");
    desk.detect(1, Frequency::Immediately);
    assert_eq!(desk.outbox.turns(), 0);
    desk.answer(&DeliveryResult::Gone { reason: "it answered 410".into() });
    let told = desk.rows.values().find(|row| row.kind == Kind::ChannelFailing).expect("a row");
    assert_eq!(
        (told.channel, &*told.note),
        (other, "the channel hook takes no more: it answered 410")
    );
    let hook = desk.channels.values().find(|row| &*row.name == "hook").expect("a channel").id;
    assert_eq!(desk.outbox.failure(hook), Some("it answered 410"));
    assert!(desk.outbox.turns() > 0, "lists say something else now");
    assert_eq!(desk.sending, [told.id]);
    // Where no other works, the dashboard is told.
    let mut desk = Desk::new(Manners::default());
    desk.detect(1, Frequency::Immediately);
    desk.answer(&DeliveryResult::Gone { reason: "it answered 410".into() });
    let told = desk.rows.values().find(|row| row.kind == Kind::ChannelFailing).expect("a row");
    assert_eq!(&*desk.channels[&told.channel].name, "interactive");
    assert!(matches!(told.state, State::Due { .. }));
}

#[test]
fn a_channel_that_became_another_is_tried_again() {
    let mut desk = Desk::new(Manners::default());
    desk.detect(1, Frequency::Immediately);
    desk.answer(&DeliveryResult::Gone { reason: "it answered 410".into() });
    let name = desk.channels.values().find(|row| row.disabled.is_some()).expect("one").name.clone();
    desk.outbox.renew(&["another".into()]);
    desk.until(hours(1));
    assert!(desk.channels.values().any(|row| row.disabled.is_some()), "it is not that one");
    desk.outbox.renew(&[name]);
    desk.until(hours(2));
    assert!(desk.channels.values().all(|row| row.disabled.is_none()));
    desk.crash();
    desk.detect(2, Frequency::Immediately);
    assert!(!desk.sending.is_empty(), "it is told again");
}

#[test]
fn manners_that_change_hold_for_what_is_due_already() {
    let night = Desk::quiet_at_night().config.manners;
    let mut desk = Desk::new(Manners::default());
    desk.until(hours(15));
    desk.detect(1, Frequency::Immediately);
    desk.answer(&refused());
    // What is tried again in a few seconds finds hours that were set meanwhile.
    desk.config.manners = night.clone();
    desk.outbox.set_manners(night.clone());
    desk.until(hours(16));
    assert_eq!(desk.sending(), [[0; 0]; 0]);
    desk.crash();
    desk.config.manners.clear();
    desk.outbox.set_manners(BTreeMap::new());
    desk.until(hours(16));
    assert_eq!((desk.now, desk.sending()), (MORNING + hours(16), vec![vec![1]]));
}

#[test]
fn what_is_not_configured_and_whom_a_sentinel_names_hear_of_no_failing_channel() {
    let mut desk = Desk::new(Manners::default());
    desk.channel("of last year");
    let bob = "bob@example.org".into();
    desk.outbox.channel(&mut desk.ids, "mail", Some(&bob));
    let mail = desk.channel("mail");
    desk.detect(1, Frequency::Immediately);
    desk.answer(&DeliveryResult::Gone { reason: "it answered 410".into() });
    let told = desk.rows.values().find(|row| row.kind == Kind::ChannelFailing).expect("a row");
    assert_eq!(told.channel, mail);
    // A fallback is the channel that the configuration says, not another one of its name.
    let fallback = Some("mail".into());
    let mut desk = Desk::new(Manners { fallback, ..Manners::default() });
    desk.outbox.channel(&mut desk.ids, "mail", Some(&bob));
    desk.detect(1, Frequency::Immediately);
    desk.answer(&DeliveryResult::Gone { reason: "it answered 410".into() });
    let told = desk.rows.values().find(|row| row.kind == Kind::ChannelFailing).expect("a row");
    assert_eq!(desk.channels[&told.channel].contact, None);
    assert_eq!(&*desk.channels[&told.channel].name, "mail");
}

#[test]
fn a_laptop_that_sleeps_between_two_failures_accuses_no_channel() {
    let mut desk = Desk::new(Manners::default());
    desk.detect(1, Frequency::Immediately);
    desk.answer(&refused());
    desk.now = MORNING + hours(72);
    desk.step();
    desk.answer(&refused());
    assert!(desk.rows.values().all(|row| row.kind != Kind::ChannelFailing));
    assert!(desk.channels.values().any(|row| row.course.failing.is_some()));
}

#[test]
fn what_waits_behind_a_failing_channel_is_written_when_something_happens() {
    let pause = Some(Span::from_secs(1));
    let mut desk = Desk::new(Manners { pause, ..Manners::default() });
    desk.detect(1, Frequency::Immediately);
    let mut written = 0;
    while desk.now < MORNING + hours(3) {
        desk.answer(&refused());
        if desk.now > MORNING + hours(1) && desk.rows.len() < 3 {
            desk.detect(2, Frequency::Immediately);
            desk.detect(3, Frequency::Immediately);
        }
        let before = desk.steps;
        desk.until(hours(3));
        written += desk.steps - before;
    }
    assert!(written < 100, "{written} steps in three hours");
    assert_eq!(desk.rows.len(), 2, "what comes meanwhile is one message");
}

#[test]
fn a_test_that_failed_is_tried_again_in_quiet_hours() {
    let mut desk = Desk::quiet_at_night();
    desk.until(hours(14) - Span::from_secs(2));
    desk.detect(1, Frequency::Immediately);
    desk.answer(&refused());
    desk.until(hours(14) + Span::MINUTE);
    assert!(desk.sending.is_empty());
    let hook = desk.channel("hook");
    let test = desk.outbox.test(desk.now, &mut desk.ids, hook);
    desk.step();
    assert_eq!(desk.sending, [test]);
    desk.answer(&refused());
    desk.until(hours(15));
    assert_eq!(desk.sending, [test]);
    assert!(desk.now < MORNING + hours(14) + Span::MINUTE.times(2), "{}", desk.now);
}
