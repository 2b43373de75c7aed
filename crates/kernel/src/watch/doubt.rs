//! Doubtful answers: content that does not count until a second look shows it again.
//!
//! Content of another kind than the current version, or odd ([`page::Odd`]), is stored as a version
//! that is held. The next look that brings content decides. If it shows the same, a new kind counts
//! from its first look on, and what is odd beside the version before it counts, too. Other oddness
//! is told for what it is. Where a source is odd like that now and then, a second look proves
//! nothing: doubt must last as long as a failure must, in whatever forms that it has now and then,
//! or a person must ask. If the next look shows what counts, the held version stays on the
//! timeline, and nothing else comes of it.

use super::probes::Probed;
use super::streams::Last;
use super::{Timer, Watch};
use crate::io::Announcement;
use crate::record::{Held, ProbeOutcome, Record, SourceRow, Strand, VersionFacts, VersionRow};
use change::Breaks;
use chronon::{Instant, SourceId, Span, VersionNo};
use schedule::{Event, Outlook, Reason};

/// The first second look is asked for after so long; each further one after twice as long.
const SECOND_LOOK: Span = Span::MINUTE;
/// So many are asked for in a row; then the source's own times decide.
const SECOND_LOOKS_MAX: u32 = 6;

/// What a look came to.
pub(super) enum Looked {
    /// It showed what counts. `began`: what the first look at a new kind showed.
    Counts { outcome: ProbeOutcome, began: Option<Last> },
    /// It showed what a second look is to decide on.
    Doubtful { version: VersionNo },
    /// It showed once more that this is what the source has become.
    Odd { version: VersionNo, name: &'static str },
    /// The look's answer waits for a slower turn: that is nobody's failure.
    SetAside { outcome: ProbeOutcome },
    /// It brought nothing.
    Failed { outcome: ProbeOutcome, reason: Box<str> },
}

impl Looked {
    /// Whether it brought what counts, or failed; nothing where that is not known yet.
    pub(super) fn ended(&self) -> Option<bool> {
        match self {
            Looked::Counts { .. } => Some(true),
            Looked::Failed { .. } | Looked::Odd { .. } => Some(false),
            Looked::SetAside { .. } | Looked::Doubtful { .. } => None,
        }
    }

    pub(super) fn outcome(&self) -> ProbeOutcome {
        match self {
            Looked::Counts { outcome, .. }
            | Looked::SetAside { outcome }
            | Looked::Failed { outcome, .. } => outcome.clone(),
            Looked::Doubtful { version } | Looked::Odd { version, .. } => {
                ProbeOutcome::Held(*version)
            }
        }
    }
}

/// Whether content is to be held: it is odd, or of another kind than the current version. What the
/// current version shows is not, odd or not: the first release counted empty pages like others.
fn is_doubtful(row: &SourceRow, facts: &VersionFacts) -> bool {
    let is_other_kind = row.version > 0 && row.kind != facts.kind;
    let is_current = row.version > 0 && row.fingerprint == facts.fingerprint;
    is_other_kind || (facts.odd.is_some() && !is_current)
}

/// Whether a second look shows what is held: the same oddness, or else the same kind.
fn shows_again(held: &Held, facts: &VersionFacts) -> bool {
    held.odd == facts.odd && (held.odd.is_some() || held.kind == facts.kind)
}

impl Watch {
    /// `breaks`: the source is odd like that now and then.
    pub(super) fn content(
        &mut self,
        probed: Probed,
        facts: VersionFacts,
        breaks: Option<Breaks>,
    ) -> Looked {
        let failure = self.config.failing_after;
        let lasting = breaks.map_or(failure, |breaks| breaks.patience(failure));
        let row = &self.entry(probed.source).row;
        if !is_doubtful(row, &facts) {
            return Looked::Counts { outcome: self.count(probed, facts), began: None };
        }
        // What comes and goes is believed once it lasts, or where a person wants to know.
        let is_asked = row.asked.is_some_and(|at| at <= probed.start);
        let is_habit = !is_asked && breaks.is_some_and(|breaks| probed.start < breaks.until);
        let held = row.held.as_deref();
        let is_again = held.is_some_and(|held| shows_again(held, &facts));
        let lasts = |held: &Held| probed.start < held.seen || probed.start - held.seen >= lasting;
        // Doubt that lasts is over, whatever forms it took.
        let has_lasted =
            |held: &Held| is_habit && facts.odd.is_some() && held.is_pending() && lasts(held);
        let is_believed = held.is_some_and(|held| {
            if is_again { held.confirmed || !is_habit || lasts(held) } else { has_lasted(held) }
        });
        if !is_again {
            let version = self.hold_back(probed, facts.clone(), is_habit);
            if !is_believed {
                return Looked::Doubtful { version };
            }
        }
        let row = &mut self.entry(probed.source).row;
        let held = row.held.as_mut().expect("it is held, now or since an earlier look");
        if !is_believed {
            return Looked::Doubtful { version: held.version };
        }
        if facts.odd.is_some_and(|odd| odd.is_of_two(facts.kind)) {
            // Seen twice, it is what the page is now.
            let facts = VersionFacts { odd: None, ..facts };
            return Looked::Counts { outcome: self.count(probed, facts), began: None };
        }
        if let Some(odd) = facts.odd {
            (held.seen, held.confirmed) = (probed.start, true);
            return Looked::Odd { version: held.version, name: odd.name_of(facts.kind) };
        }
        let (version, kind, fingerprint) = (held.version, held.kind, held.fingerprint);
        row.held = None;
        row.version = version.0;
        (row.kind, row.fingerprint) = (kind, fingerprint);
        let strand = Strand { kind, fingerprint };
        self.confirm_kind(probed, facts, Last { version, fetched_at: probed.start, strand })
    }

    /// Content that counts: a version, if its fingerprint differs from the current one's.
    fn count(&mut self, probed: Probed, facts: VersionFacts) -> ProbeOutcome {
        let Probed { source, start, .. } = probed;
        let row = &mut self.entry(source).row;
        row.held = None;
        row.last_unconditional = Some(start);
        let (etag, modified) = (facts.etag.as_deref(), facts.last_modified.as_deref());
        row.keep_validators(etag, modified, &facts.final_url);
        if row.version > 0
            && row.fingerprint == facts.fingerprint
            && row.extractor == facts.extractor()
        {
            return ProbeOutcome::Same;
        }
        row.newest += 1;
        row.version = row.newest;
        row.fingerprint = facts.fingerprint;
        row.kind = facts.kind;
        row.extractor = facts.extractor();
        let number = VersionNo(row.version);
        let version = VersionRow { source, number, fetched_at: start, held: false, facts };
        self.record(Record::Version(Box::new(version)));
        self.count_version(source, number);
        ProbeOutcome::Version(number)
    }

    fn count_version(&mut self, source: SourceId, version: VersionNo) {
        self.counts.versions += 1;
        let announcement = Announcement::Version { source, version, at: self.now };
        self.announce(announcement);
    }

    /// The first look at doubtful content. The validators stay those of what counts. Where doubt is
    /// a habit, it goes on in another form.
    fn hold_back(&mut self, probed: Probed, facts: VersionFacts, is_habit: bool) -> VersionNo {
        let Probed { source, start, .. } = probed;
        let row = &mut self.entry(source).row;
        row.newest += 1;
        let number = VersionNo(row.newest);
        row.extractor = facts.extractor();
        let before = row.held.as_ref().filter(|before| is_habit && before.is_pending());
        let seen = before.map_or(start, |before| before.seen);
        row.held = Some(Box::new(Held {
            version: number,
            fingerprint: facts.fingerprint,
            kind: facts.kind,
            odd: facts.odd,
            seen,
            confirmed: false,
        }));
        self.touched.sources.insert(source);
        let version = VersionRow { source, number, fetched_at: start, held: true, facts };
        self.record(Record::Version(Box::new(version)));
        number
    }

    /// The second look at a new kind: what was held counts, and what it shows now.
    fn confirm_kind(&mut self, probed: Probed, facts: VersionFacts, began: Last) -> Looked {
        let (source, version) = (probed.source, began.version);
        self.record(Record::Counted(source, version));
        self.count_version(source, version);
        let outcome = match self.count(probed, facts) {
            ProbeOutcome::Same => ProbeOutcome::Version(version),
            newer => newer,
        };
        Looked::Counts { outcome, began: Some(began) }
    }

    /// The source shows what it showed before: the doubt is over.
    pub(super) fn drop_held(&mut self, source: SourceId) {
        self.entry(source).row.held = None;
    }

    fn is_in_doubt(&self, source: SourceId) -> bool {
        let held = self.sources.get(&source).and_then(|entry| entry.row.held.as_ref());
        held.is_some_and(|held| held.is_pending())
    }

    /// What is held when a process starts waits for its second look still.
    pub(super) fn ask_for_second_looks(&mut self) {
        let sources: Vec<SourceId> = self.sources.keys().copied().collect();
        for source in sources {
            self.want_second_look(source);
        }
    }

    /// Sets the time of the next second look, if one is to decide.
    pub(super) fn want_second_look(&mut self, source: SourceId) {
        if let Some(at) = self.second_look(source) {
            self.timers.set(at.max(self.now), Timer::SecondLook(source));
        }
    }

    /// When the second look is due; doubling while none decides.
    fn second_look(&self, source: SourceId) -> Option<Instant> {
        let record = self.scheduler.record(source).filter(|_| self.is_in_doubt(source))?;
        let tries = record.failures.clamp(1, SECOND_LOOKS_MAX + 1) - 1;
        let last = record.last_probe.filter(|_| tries < SECOND_LOOKS_MAX)?;
        Some(last + SECOND_LOOK.times(1 << tries))
    }

    /// The time of a second look has come, unless another look was quicker. Sources nobody watches
    /// wait.
    pub(super) fn look_again(&mut self, source: SourceId) {
        let Some(at) = self.second_look(source) else { return };
        let entry = &self.sources[&source];
        if at <= self.now && entry.probing_since.is_none() && !entry.streams.is_empty() {
            self.scheduler.handle(self.now, Event::Asked { source });
        }
    }

    /// Why a source is looked at. The scheduler knows neither what is doubtful, nor whether a
    /// person asked or a sentinel of which another source changed.
    pub(super) fn reason(&self, source: SourceId, reason: Reason) -> Reason {
        match reason {
            Reason::Retry { .. } | Reason::Asked if self.is_in_doubt(source) => Reason::SecondLook,
            Reason::Asked if !self.sources.get(&source).is_some_and(|entry| entry.is_asked()) => {
                let last = self.scheduler.record(source).and_then(|record| record.last_probe);
                last.map_or(Reason::Baseline, |last| Reason::Freshness {
                    interval: self.now.since(last),
                })
            }
            other => other,
        }
    }

    pub(crate) fn outlook(&self, source: SourceId, now: Instant) -> Outlook {
        let outlook = self.scheduler.outlook(now, source);
        Outlook { reason: outlook.reason.map(|reason| self.reason(source, reason)), ..outlook }
    }
}
