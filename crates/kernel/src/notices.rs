//! Notices: whom to tell of what was heard, and the outbox's works.
//!
//! Comes in: what sentinels tell, what became of deliveries. Goes out: [`Out`], work for composers
//! and deliverers. Promises: the outbox knows windows, not looks; it is told here when one is over.

mod follow;
mod people;
mod retention;
mod windows;

use crate::config::{ChannelBook, Config};
use crate::io::{Announcement, Prune};
use crate::life::{Notice, Recipient, Teller};
use crate::owners::Owners;
use crate::queue;
use crate::record::{Record, Snapshot};
use crate::watch::Looks;
use chronon::{BlobId, Instant, NotificationId, OwnerId, SentinelId, Span, StreamId};
use outbox::{DeliveryResult, Detection, DetectionId, Job, Outbox, OutboxRecord, Row, State, Whom};
use retention::Retention;
use sentinel::ast;
use std::collections::{BTreeMap, VecDeque};
use windows::Windows;

/// The outbox, the windows that wait for looks, and what is kept of notifications.
pub(crate) struct Notices {
    config: Config,
    outbox: Outbox,
    windows: Windows,
    /// Detections whose looks are not over.
    waiting: BTreeMap<DetectionId, Detection>,
    retention: Retention,
    out: VecDeque<Out>,
    counts: Counts,
}

/// What comes of it.
#[derive(Debug)]
pub(crate) enum Out {
    Record(Record),
    Announce(Announcement),
}

/// Counters since the start of this process.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counts {
    pub(crate) detections: u64,
    pub(crate) delivered: u64,
    pub(crate) delivery_failures: u64,
}

impl Notices {
    pub(crate) fn new(config: Config) -> Notices {
        Notices {
            outbox: Outbox::new(config.outbox.clone()),
            config,
            windows: Windows::default(),
            waiting: BTreeMap::new(),
            retention: Retention::default(),
            out: VecDeque::new(),
            counts: Counts::default(),
        }
    }

    /// What becomes of a sentinel's notifications.
    pub(crate) fn handle(&mut self, now: Instant, ids: &mut Owners, notice: Notice) {
        match notice {
            Notice::Defined { sentinel, history } => self.retention.defined(sentinel, history),
            Notice::Parted(sentinel) => self.outbox.no_word(sentinel),
            Notice::Hurry { sentinel, held } => self.outbox.hurry(now, sentinel, held),
            Notice::Ended { sentinel, held } => self.outbox.ended(now, sentinel, held),
            Notice::Replaced { sentinel, generation, held } => {
                self.outbox.replaced(now, sentinel, generation, held);
            }
            Notice::Removed(sentinel) => {
                self.outbox.removed(now, sentinel);
                self.retention.removed(sentinel);
            }
            Notice::Forgotten(sentinel) => self.retention.removed(sentinel),
            Notice::Held { sentinel, before, until } => {
                self.outbox.hold_back(now, sentinel, before, until);
            }
            Notice::Health(told) => {
                let mut ids = ids.ids(told.health.sentinel.owner());
                self.outbox.health(now, &mut ids, &told.health, &told.channels);
            }
        }
    }

    /// Whom a teller tells of what it heard now, and in which windows; `looks` are those of its
    /// streams.
    pub(crate) fn whom(
        &mut self,
        now: Instant,
        teller: &Teller,
        looks: &[(StreamId, Looks)],
    ) -> Vec<Whom> {
        self.windows.whom(now, teller, looks)
    }

    /// One detection goes to the outbox.
    pub(crate) fn detected(
        &mut self,
        now: Instant,
        ids: &mut Owners,
        detection: &Detection,
        whom: &[Whom],
    ) {
        self.outbox.detected(now, &mut ids.ids(detection.id.owner()), detection, whom);
    }

    /// One detection is remembered.
    pub(crate) fn found(&mut self, detection: &Detection) {
        let (sentinel, id, at) = (detection.sentinel, detection.id, detection.at);
        self.counts.detections += 1;
        self.out.push_back(Out::Record(Record::Detection(Box::new(detection.clone()))));
        // Rules announce themselves.
        if !detection.is_of_rule() {
            let announcement = Announcement::Detection { sentinel, detection: id, at };
            self.out.push_back(Out::Announce(announcement));
        }
    }

    /// The channels that a text names.
    pub(crate) fn recipients(
        &mut self,
        ids: &mut Owners,
        owner: OwnerId,
        notify: &[ast::Notify],
    ) -> Vec<Recipient> {
        let mut ids = ids.ids(owner);
        let recipient = |notify: &ast::Notify| Recipient {
            channel: self.outbox.channel(&mut ids, &notify.channel, notify.contact.as_ref()),
            frequency: notify.frequency,
        };
        notify.iter().map(recipient).collect()
    }

    /// No round of the stream is open: windows that waited for no other look than those that are
    /// decided are over.
    pub(crate) fn settled(&mut self, now: Instant, stream: StreamId, looks: &Looks) {
        while let Some(place) = self.windows.next_over(stream, looks.settled) {
            self.outbox.window_over(now, &place);
        }
    }

    /// The streams for whose looks windows wait.
    pub(crate) fn awaited(&self) -> Vec<StreamId> {
        self.windows.streams()
    }

    pub(crate) fn stream_closed(&mut self, stream: StreamId) {
        self.windows.closed(stream);
    }

    pub(crate) fn composed(&mut self, now: Instant, id: NotificationId, body: BlobId) {
        self.outbox.composed(now, id, body);
    }

    pub(crate) fn not_composed(&mut self, now: Instant, id: NotificationId, reason: &str) {
        self.outbox.not_composed(now, id, reason);
    }

    pub(crate) fn delivered(
        &mut self,
        now: Instant,
        ids: &mut Owners,
        id: NotificationId,
        result: DeliveryResult,
    ) {
        match result {
            DeliveryResult::Delivered => self.counts.delivered += 1,
            DeliveryResult::Failed { .. } | DeliveryResult::Gone { .. } => {
                self.counts.delivery_failures += 1;
            }
        }
        self.outbox.delivered(now, id, result);
        let channels = &self.config.channels;
        let reaches = |name: &str| {
            channels
                .iter()
                .any(|info| info.name == name && !info.contact_needed && info.trouble.is_none())
        };
        self.outbox.tell_of_failing(now, &mut ids.ids(id.owner()), &reaches);
        let announcement = Announcement::Notification { notification: id, at: now };
        self.out.push_back(Out::Announce(announcement));
    }

    pub(crate) fn due_loaded(&mut self, now: Instant, channel: outbox::ChannelId, rows: Vec<Row>) {
        let mut rows = rows;
        for row in &mut rows {
            bound(row, now);
        }
        self.outbox.due_loaded(now, channel, rows);
    }

    /// What the outbox wants done within its limits.
    pub(crate) fn jobs(&mut self, now: Instant) -> Vec<Job> {
        let mut jobs = Vec::new();
        self.outbox.poll(now, &mut jobs);
        jobs
    }

    /// What may go of the notifications that are done with.
    pub(crate) fn prune(&mut self, now: Instant, ids: &Owners) -> Option<Prune> {
        self.retention.due(now, ids.notifications(), self.config.retention)
    }

    /// The first of a life.
    pub(crate) fn start(&mut self, now: Instant, ids: &Owners) {
        self.retention.start(now, ids.notifications());
    }

    /// Time went from `before` to `now` in one step.
    pub(crate) fn passed(&mut self, before: Instant, now: Instant) {
        self.retention.jumped(before, now);
    }

    /// The next of what has come of it.
    pub(crate) fn poll(&mut self) -> Option<Out> {
        queue::next(&mut self.out)
    }

    pub(crate) fn next_deadline(&self) -> Option<Instant> {
        [self.retention.next(), self.outbox.next_deadline()].into_iter().flatten().min()
    }

    pub(crate) fn take_records(&mut self) -> Vec<OutboxRecord> {
        let mut records = Vec::new();
        self.outbox.take_records(&mut records);
        records
    }

    pub(crate) fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Takes over which channels there are.
    pub(crate) fn know_channels(&mut self, book: ChannelBook) {
        self.outbox.set_manners(book.manners.clone());
        self.outbox.renew(&book.renewed);
        self.config.know_channels(book);
    }

    /// How the last delivery by a channel failed before the start.
    pub(crate) fn recall_failure(&mut self, channel: outbox::ChannelId, reason: Box<str>) {
        self.outbox.load_failure(channel, reason);
    }

    /// The outbox, to read.
    pub(crate) fn outbox(&self) -> &Outbox {
        &self.outbox
    }

    /// Takes stored channels and rows over. Says how many were due in the far future.
    pub(crate) fn load(&mut self, snapshot: &Snapshot, now: Instant) -> u32 {
        for channel in &snapshot.channels {
            self.outbox.load_channel(channel.clone());
        }
        let live = snapshot.sentinels.iter().map(|(row, _)| row.id);
        let rules = snapshot.rules.iter().map(|(row, _)| SentinelId(row.id.0));
        self.outbox.load_sentinels(live.chain(rules));
        for &(channel, count) in &snapshot.outbox_counts {
            self.outbox.load_count(channel, count);
        }
        self.waiting = snapshot.waiting.iter().map(|one| (one.id, one.clone())).collect();
        let mut ahead = 0;
        for row in &snapshot.outbox {
            let mut row = row.clone();
            ahead += u32::from(bound(&mut row, now));
            self.outbox.load_row(row);
        }
        ahead
    }

    /// After a load, before anything is missed or captured: open digests wait again for the looks
    /// they waited for.
    pub(crate) fn wait_again(
        &mut self,
        teller: &Teller,
        looks: &[(StreamId, Looks)],
        id: SentinelId,
    ) {
        for place in self.outbox.windows_of(id) {
            if teller.held != Some(place.ends) && self.windows.wait_again(teller, looks, place) {
                self.outbox.await_word(&place);
            }
        }
    }
}

/// Brings back to `now` what a notification waits for, and says whether it did: no retry is more
/// than a day ahead, and a window that was opened in the far future is over.
fn bound(row: &mut Row, now: Instant) -> bool {
    let created = row.created_at > now + Span::DAY;
    match &mut row.state {
        State::Open { closes: Some(closes) } if created => *closes = now,
        State::Due { at } if created || *at > now + Span::DAY => *at = now,
        _ => return false,
    }
    true
}
