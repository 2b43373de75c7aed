//! Probes: from a pick to what came of it.

use super::dates::{Changes, Looks};
use super::doubt::Looked;
use super::redirects::Cost;
use super::status::Standing;
use super::streams::{CountedLook, Last};
use super::{Out, Sight, Watch};
use crate::io::{Announcement, Answer, Fetched, ProbeEnd, Validators};
use crate::record::{Back, ProbeOutcome, ProbeRow, Record, SourceRow, StreamSpec, Worry};
use chronon::{Instant, OwnerId, SourceId, Span, VersionNo};
use page::View;
use schedule::{Event, Outcome, Pick, Reason};

/// A probe that has come back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Probed {
    pub(crate) source: SourceId,
    pub(crate) start: Instant,
    pub(crate) reason: Reason,
    /// It goes with validators.
    pub(super) conditional: bool,
}

impl Watch {
    pub(super) fn start_probes(&mut self) {
        let (mut picks, mut onward) = (Vec::new(), Vec::new());
        loop {
            self.scheduler.poll(self.now, &mut picks);
            self.scheduler.take_onward(&mut onward);
            if picks.is_empty() && onward.is_empty() {
                return;
            }
            self.start_looks(std::mem::take(&mut picks));
            std::mem::take(&mut onward).into_iter().for_each(|source| self.ask(source));
        }
    }

    fn start_looks(&mut self, picks: Vec<Pick>) {
        if !picks.is_empty() {
            self.count_recent(picks.len() as u32);
        }
        for pick in picks {
            let (source, start) = (pick.source, self.now);
            let reason = self.reason(source, pick.reason);
            let Some(entry) = self.sources.get(&source) else { continue };
            let validators = if self.is_to_revalidate(&entry.row) || entry.row.version == 0 {
                Validators::default()
            } else {
                Validators {
                    url: entry.row.validators_url().into(),
                    etag: entry.row.validators.etag().map(Into::into),
                    last_modified: entry.row.validators.last_modified().map(Into::into),
                }
            };
            let conditional = validators.etag.is_some() || validators.last_modified.is_some();
            let probed = Probed { source, start, reason, conditional };
            self.begin_look(probed, validators);
        }
    }

    /// Whether a look now goes without validators: of looks as far apart as the last two, it is the
    /// one nearest to the time at which that is due. A look some seconds early counts.
    fn is_to_revalidate(&self, row: &SourceRow) -> bool {
        let Some(last) = row.last_unconditional else { return true };
        let gap = row.last_success.map_or(Span::ZERO, |success| self.now - success);
        self.now - last + gap.divided_by(2) >= self.config.revalidate_after || last > self.now
    }

    fn count_recent(&mut self, picks: u32) {
        self.counts.probes += u64::from(picks);
        let chronon = self.now.as_millis() / self.config.schedule.chronon.as_millis().max(1);
        match self.recent.back_mut() {
            Some((last, count)) if *last == chronon => *count += picks,
            _ => self.recent.push_back((chronon, picks)),
        }
        if self.recent.len() > 60 {
            self.recent.pop_front();
        }
    }

    /// A request has come back; the look may go on.
    pub(super) fn fetched(&mut self, probed: Probed, asked: Box<[View]>, fetched: Fetched) {
        if let Some((end, cost)) = self.follow(probed.source, fetched) {
            self.looked(probed, asked, end, cost);
        }
    }

    /// A look is over, whose answer was looked at with the views `asked`.
    pub(super) fn looked(&mut self, probed: Probed, asked: Box<[View]>, end: ProbeEnd, cost: Cost) {
        let Probed { source, start, .. } = probed;
        let Some(entry) = self.sources.get_mut(&source) else { return };
        entry.probing_since = None;
        let url: Box<str> = entry.row.url.shown().into();
        let looks = Looks { last: entry.row.last_success, start };
        let (before, odd) = (Standing::of(&entry.row), worry_of(&entry.row));
        let mut sight = None;
        let looked = match end {
            ProbeEnd::SetAside { reason } => {
                self.counts.set_aside += 1;
                Looked::SetAside { outcome: ProbeOutcome::Failed { status: None, reason } }
            }
            ProbeEnd::Content(facts, shown) => {
                sight = Some(Sight { asked, missing: shown.missing });
                entry.changes = Changes::of(&facts, &shown.dates, looks);
                self.content(probed, *facts, shown.breaks)
            }
            ProbeEnd::NotModified => {
                self.counts.not_modified += 1;
                self.drop_held(source);
                Looked::Counts { outcome: ProbeOutcome::NotModified, began: None }
            }
            ProbeEnd::Failed { status, reason, .. } => {
                self.counts.failed += 1;
                let outcome = ProbeOutcome::Failed { status, reason: reason.clone() };
                Looked::Failed { outcome, reason }
            }
        };
        let outcome = looked.outcome();
        let succeeded = !matches!(outcome, ProbeOutcome::Failed { .. });
        let (ended, look) = (looked.ended(), self.end_look(source, succeeded));
        let number = self.scheduler.record(source).map_or(0, |learned| learned.probes) + 1;
        self.no_look_for_demands(probed, &looked);
        match looked {
            Looked::SetAside { .. } => self.brought_nothing(probed, Outcome::SetAside),
            Looked::Failed { reason, .. } => {
                self.brought_nothing(probed, Outcome::Failed);
                self.count_failure(source, &reason, false);
                self.compare_answers(probed, before, &outcome);
            }
            Looked::Doubtful { .. } => {
                self.counts.doubtful += 1;
                self.brought_nothing(probed, Outcome::Doubtful);
            }
            Looked::Odd { version, name } => {
                self.brought_odd(probed, version, name);
                self.compare_answers(probed, before, &outcome);
            }
            Looked::Counts { began, .. } => {
                let is_as_before =
                    matches!(outcome, ProbeOutcome::Same | ProbeOutcome::NotModified);
                self.count_success(probed, is_as_before, odd);
                let feeds_capture = self.brought_content(probed, began, sight);
                self.compare_answers(probed, before, &outcome);
                self.out.push_back(Out::Looked { source, start, feeds_capture });
            }
        }
        let row = ProbeRow {
            source,
            number,
            start,
            took: cost.took,
            body_bytes: cost.body_bytes,
            wire_bytes: cost.wire_bytes,
            outcome,
            reason: probed.reason,
            led_to: look.and_then(|look| look.led_to(&url)),
        };
        self.record_probe(row);
        self.ended(source, ended);
    }

    /// What counts: the streams that it concerns hear of it. Whether captures of several sources
    /// wait for others to compare what it found.
    fn brought_content(
        &mut self,
        probed: Probed,
        began: Option<Last>,
        sight: Option<Sight>,
    ) -> bool {
        let Probed { source, start, .. } = probed;
        self.out.extend(sight.map(|sight| Out::Shown { source, sight }));
        let for_person = self.answers_person(source, start);
        let feeds_capture = self.advance_streams(CountedLook { source, start, began, for_person });
        self.settle_streams(source);
        feeds_capture
    }

    /// No look is under way; `is_well`: what it brought, if that is known.
    fn ended(&mut self, source: SourceId, is_well: Option<bool>) {
        self.demands_over(source);
        self.out.extend(is_well.map(|is_well| Out::Ended { source, is_well }));
        self.out.push_back(Out::Still(source));
    }

    /// What the source has become is no content: told, and a failure to those it was for.
    fn brought_odd(&mut self, probed: Probed, version: VersionNo, name: &str) {
        self.counts.doubtful += 1;
        let for_person = self.answers_person(probed.source, probed.start);
        self.tell_odd(probed, version, for_person);
        self.brought_nothing(probed, Outcome::Failed);
        self.count_failure(probed.source, &format!("the answer is {name}"), true);
    }

    /// The probe captures nothing; who it was for waits for the next.
    fn brought_nothing(&mut self, probed: Probed, outcome: Outcome) {
        let Probed { source, start, .. } = probed;
        self.scheduler.handle(
            self.now,
            Event::Probed { source, start, outcome, found: 0, times: Vec::new() },
        );
        self.ask_again(source, start);
        self.settle_streams(source);
        self.want_second_look(source);
    }

    fn count_failure(&mut self, source: SourceId, reason: &str, is_odd: bool) {
        let (now, tries, long_ago) = (self.now, self.config.failing_tries, self.long_ago());
        let is_long = |since: Instant| since <= long_ago || since > now;
        let Some(entry) = self.sources.get_mut(&source) else { return };
        let row = &mut entry.row;
        row.failures += 1;
        let since = *row.failing_since.get_or_insert(now);
        self.touched.sources.insert(source);
        row.failing_told |= row.failures >= tries && is_long(since);
        // Who knows the odd page is told where that was last seen as long ago.
        let otherwise = !is_odd && row.held.as_ref().is_some_and(|held| is_long(held.seen));
        if row.failing_told {
            self.out.push_back(Out::Failing { source, since, why: reason.into(), otherwise });
        }
    }

    /// What has lasted since then, or longer, is told.
    fn long_ago(&self) -> Instant {
        // Looks every six hours are never exactly six hours apart.
        let after = self.config.failing_after;
        self.now - (after - after.divided_by(60))
    }

    /// What is told with this version, if the source has become, or became, what it shows.
    pub(crate) fn worry_of(&self, source: SourceId, version: VersionNo) -> Option<Worry> {
        let entry = self.sources.get(&source)?;
        let known = worry_of(&entry.row).or(entry.over.as_deref().copied());
        known.filter(|(shown, _)| *shown == version).map(|(_, worry)| worry)
    }

    /// The last look at it brought what counts.
    pub(crate) fn is_well(&self, source: SourceId) -> bool {
        self.sources.get(&source).is_some_and(|entry| entry.row.failures == 0)
    }

    /// `odd`: what it was until now.
    fn count_success(
        &mut self,
        probed: Probed,
        is_as_before: bool,
        odd: Option<(VersionNo, Worry)>,
    ) {
        let now = self.now;
        let Some(entry) = self.sources.get_mut(&probed.source) else { return };
        // Who is told late what it was is told as late that it is back.
        if let Some((shown, worry)) = odd {
            let back = Some(Back { at: now, is_as_before });
            entry.over = Some(Box::new((shown, Worry { back, ..worry })));
        }
        let row = &mut entry.row;
        row.failing_told = false;
        let was_failing = row.failing_since.take().is_some();
        row.failures = 0;
        row.last_success = Some(probed.start);
        if !probed.conditional {
            row.last_unconditional = Some(probed.start);
        }
        self.touched.sources.insert(probed.source);
        self.out.push_back(Out::Answers { source: probed.source, is_as_before, was_failing });
        self.look_for_demands(probed.source, probed.start);
    }

    fn record_probe(&mut self, row: ProbeRow) {
        let (source, at, outcome) = (row.source, self.now, row.outcome.clone());
        let address = self.row(source).map(|row| row.url.logged().into()).unwrap_or_default();
        self.announce(Announcement::Probe { source, address, at, outcome });
        self.record(Record::Probe(row));
    }

    /// For the scheduler a probe ends when all it led to is compared: only then is it known
    /// whether anybody is told. Noise teaches no shorter interval, and a source whose rounds wait
    /// is not probed meanwhile, but after a start: the scheduler then waits for the look under way.
    pub(super) fn judged(&mut self, source: SourceId, start: Instant, is_told: bool) {
        let Some(entry) = self.sources.get_mut(&source) else { return };
        if entry.probing_since.is_some() {
            return;
        }
        let changes = entry.changes.take();
        let Changes { found, times } =
            changes.filter(|_| is_told).map(|changes| *changes).unwrap_or_default();
        let outcome = if is_told { Outcome::Changed } else { Outcome::Unchanged };
        self.say_kind(source);
        self.scheduler.handle(self.now, Event::Probed { source, start, outcome, found, times });
        self.ask_again(source, start);
    }

    /// Streams that wait for their first element were promised a probe as soon as possible.
    /// Sources that fail go on at their own pace.
    pub(super) fn ask_for_baselines(&mut self) {
        for stream in self.streams.values() {
            let source = stream.source;
            let wanted = stream.spec == StreamSpec::OnChange
                && stream.listeners > 0
                && stream.captures.is_none();
            let waits = stream.strands.is_empty();
            if wanted && waits && self.sources[&source].row.failures == 0 {
                self.scheduler.handle(self.now, Event::Asked { source });
            }
        }
    }

    /// A person wants a look now.
    /// `Done` if the owner may ask things of the source.
    pub(crate) fn may(&self, owner: OwnerId, source: SourceId) -> Answer {
        match self.sources.get(&source).filter(|entry| entry.row.is_for(owner)) {
            Some(_) => Answer::Done,
            None => Answer::NotFound { what: format!("source {}", source.0).into() },
        }
    }

    pub(crate) fn probe_now(&mut self, now: Instant, owner: OwnerId, source: SourceId) -> Answer {
        self.now = now;
        let entry = self.sources.get(&source);
        let Some(entry) = entry.filter(|entry| entry.row.is_for(owner)) else {
            return Answer::NotFound { what: format!("source {}", source.0).into() };
        };
        if entry.streams.is_empty() {
            let sentence = "no active sentinel watches this source; enable one first";
            return Answer::Unable(sentence.into());
        }
        self.entry(source).row.asked = Some(now);
        self.touched.sources.insert(source);
        self.plan_beginning(source);
        self.scheduler.handle(self.now, Event::Asked { source });
        Answer::Done
    }

    /// What people asked for when the last process died is asked for again.
    pub(super) fn ask_for_people(&mut self) {
        let asked = self.sources.iter().filter(|(_, entry)| entry.is_asked());
        let asked: Vec<SourceId> = asked.map(|(&source, _)| source).collect();
        for source in asked {
            self.scheduler.handle(self.now, Event::Asked { source });
        }
    }

    /// A look that began at `start` is over. It may have read the page before a person asked:
    /// another one is due.
    fn ask_again(&mut self, source: SourceId, start: Instant) {
        let asked = self.sources.get(&source).and_then(|entry| entry.row.asked);
        if asked.is_some_and(|at| start < at) {
            self.scheduler.handle(self.now, Event::Asked { source });
        }
    }

    /// Whether a look that began at `start`, and counts, is the first since a person asked.
    fn answers_person(&mut self, source: SourceId, start: Instant) -> bool {
        let entry = self.entry(source);
        let is_first = entry.row.asked.is_some_and(|at| at <= start);
        if is_first {
            entry.row.asked = None;
            self.touched.sources.insert(source);
            self.plan_beginning(source);
        }
        is_first
    }
}

/// Which version shows what the source has become instead of its content, and what is told of it.
fn worry_of(row: &SourceRow) -> Option<(VersionNo, Worry)> {
    let held = row.held.as_ref().filter(|held| held.confirmed)?;
    let worry = Worry { since: row.failing_since?, is_of_page: true, back: None };
    Some((held.version, worry))
}
