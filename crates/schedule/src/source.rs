//! What is kept of one source.

use crate::SourceRecord;
use crate::delay::pattern::Shape;
use crate::pairing::Links;
use crate::rate::Learner;
use crate::week;
use chronon::{Instant, SourceId};

/// `last_probe` of a source never probed.
pub(crate) const UNPROBED: Instant = Instant::from_millis(i64::MIN);

/// Learned state, demands but for EIs (see `eis`), and where it stands among those of its host.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) id: SourceId,
    /// Slot of its host.
    pub(crate) host: u32,
    pub(crate) last_probe: Instant,
    /// The last that succeeded, [`UNPROBED`] if none did.
    pub(crate) last_success: Instant,
    pub(crate) learner: Learner,
    /// Changes per second that the learner believes in, as of the last probe or a little later.
    pub(crate) rate: f32,
    /// How much better the pattern of the week foretold its changes than chance, and what follows.
    pub(crate) score: f32,
    pub(crate) shape: Shape,
    /// The freshness demand; 0: none.
    pub(crate) weight: f32,
    pub(crate) cost: f32,
    pub(crate) probes: u32,
    pub(crate) changes: u32,
    pub(crate) failures: u16,
    /// Its level, if it is among those of its host that want a probe.
    pub(crate) level: Option<u16>,
    /// The chance that a probe succeeds, in 255ths.
    pub(crate) success: u8,
    /// Somebody asked.
    pub(crate) asked: bool,
    pub(crate) held: bool,
    pub(crate) in_flight: bool,
    /// Was overdue at a start: waits for its turn.
    pub(crate) spread: bool,
    /// Its record waits to be taken.
    pub(crate) dirty: bool,
    /// When its standing may change by time alone.
    pub(crate) wake: Instant,
    pub(crate) links: Links,
}

impl Source {
    pub(crate) fn new(id: SourceId, host: u32) -> Source {
        Source {
            id,
            host,
            last_probe: UNPROBED,
            last_success: UNPROBED,
            learner: Learner::new(),
            rate: 0.0,
            score: 0.0,
            shape: week::shape(0.0),
            wake: Instant::NEVER,
            weight: 0.0,
            cost: 1.0,
            probes: 0,
            changes: 0,
            failures: 0,
            level: None,
            success: u8::MAX,
            asked: false,
            held: false,
            in_flight: false,
            spread: false,
            dirty: false,
            links: Links::ALONE,
        }
    }

    /// Takes over what an earlier life learned. Times in the future become `now`.
    pub(crate) fn recall(&mut self, prior: &SourceRecord, now: Instant) {
        self.learner = prior.learned;
        self.score = week::sound_score(prior.score);
        self.shape = week::shape(self.score);
        self.last_probe = prior.last_probe.map_or(UNPROBED, |at| at.min(now));
        self.last_success = prior.last_success.map_or(UNPROBED, |at| at.min(now));
        self.failures = u16::try_from(prior.failures).unwrap_or(u16::MAX);
        self.probes = u32::try_from(prior.probes).unwrap_or(u32::MAX);
        self.changes = u32::try_from(prior.changes).unwrap_or(u32::MAX);
    }

    pub(crate) fn record(&self) -> SourceRecord {
        let known = |at: Instant| (at != UNPROBED).then_some(at);
        SourceRecord {
            source: self.id,
            learned: self.learner,
            score: self.score,
            last_probe: known(self.last_probe),
            last_success: known(self.last_success),
            failures: self.failures.into(),
            probes: self.probes.into(),
            changes: self.changes.into(),
        }
    }

    /// Its shape, unless it is flat.
    pub(crate) fn rhythm(&self) -> Option<Shape> {
        (self.shape.weight() < 1.0).then_some(self.shape)
    }

    /// It has a freshness demand and was never probed.
    pub(crate) fn wants_baseline(&self) -> bool {
        self.weight > 0.0 && self.last_probe == UNPROBED
    }
}
