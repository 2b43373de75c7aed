//! Health: who hears that a source fails, and that it is back.
//!
//! Each active sentinel on a failing source is told once, whenever it came; that the source is
//! back is told to those who were told that it fails, and to nobody else. What was told is in the
//! sentinel's life. Who was told that the page has become an error knows that. They hear more only
//! if the source fails in another way long after, or if it lasted and is back. So it is with a
//! selector that finds nothing any more, and finds again.

use super::{Life, Notice};
use chronon::{Instant, SentinelId, SourceId, Span};
use outbox::{ChannelId, Health, Kind};

/// Who knows what a page has become, and was not told that it fails, knew it so long before it
/// failed: that is how the two are told apart.
const KNOWN_BEFORE: Span = Span::from_millis(1);

/// What a sentinel tells of its source's health, and by which channels.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) health: Health,
    pub(crate) channels: Vec<ChannelId>,
}

/// In which sources it was told that a selector finds nothing, since when, and why.
pub(super) struct Blindness {
    pub(super) since: Vec<(SourceId, Instant)>,
    pub(super) why: Box<str>,
}

/// What is said of a source.
struct Said<'a> {
    kind: Kind,
    source: SourceId,
    failing_since: Instant,
    note: &'a str,
}

impl Life {
    /// A probe of a source that counts as failing has failed: those who watch it and were not told
    /// hear it now.
    pub(super) fn tell_failing(
        &mut self,
        source: SourceId,
        since: Instant,
        why: &str,
        otherwise: bool,
    ) {
        let Some(watchers) = self.watchers.get(&source) else { return };
        let is_told = |id: &SentinelId| watchers.told().binary_search(id).is_ok();
        let hearing = watchers.all().iter().filter(|id| self.tells_health(**id));
        let (told, mut untold): (Vec<SentinelId>, Vec<_>) = hearing.copied().partition(is_told);
        let mut knowing: Vec<SentinelId> = Vec::new();
        for id in told.into_iter().filter(|_| otherwise) {
            let known = self.entry(id).failing_told(source).and_then(|told| *told);
            knowing.extend(known.filter(|known| *known == since - KNOWN_BEFORE).map(|_| id));
        }
        untold.extend(&knowing);
        for id in untold {
            if let Some(told) = self.entry(id).failing_told(source) {
                *told = Some(since);
            }
            self.watchers_of(source).told_mut().insert(id);
            // For how long it has failed otherwise is not known.
            let knows = knowing.binary_search(&id).is_ok();
            let lasting = if knows { String::new() } else { self.lasting(", for", since) };
            let note = format!("{why}{lasting}");
            let (kind, note) = (Kind::SourceFailing, &*note);
            self.tell_health(id, &Said { kind, source, failing_since: since, note });
        }
    }

    /// A sentinel is told what the source shows instead of its content: that it fails is no news.
    pub(super) fn know_odd(&mut self, id: SentinelId, source: SourceId, since: Instant) {
        let told = self.sentinels.get_mut(&id).and_then(|entry| entry.failing_told(source));
        if let Some(told) = told.filter(|told| told.is_none()) {
            *told = Some(since - KNOWN_BEFORE);
            self.touched.insert(id);
            self.watchers_of(source).told_mut().insert(id);
        }
    }

    /// A source answers again, and nobody heard more of it than what it showed: what began after
    /// `brief` did not last.
    pub(super) fn forget_brief(&mut self, source: SourceId, brief: Instant) {
        let Some(watchers) = self.watchers.get(&source) else { return };
        let (told, now) = (watchers.told().to_vec(), self.now);
        for id in told {
            let Some(told) = self.entry(id).failing_told(source) else { continue };
            if told.is_some_and(|since| brief < since && since <= now) {
                *told = None;
                self.touched.insert(id);
                self.watchers_of(source).told_mut().retain(|other| *other != id);
            }
        }
    }

    /// A probe has succeeded. Who is disabled hears of it once enabled, at the next success.
    /// `is_as_before`: it brought what the last one before it had.
    pub(super) fn tell_recovered(&mut self, source: SourceId, is_as_before: bool) {
        let Some(watchers) = self.watchers.get(&source) else { return };
        let told = watchers.told().iter().copied();
        let hearing: Vec<SentinelId> = told.filter(|id| self.tells_health(*id)).collect();
        if hearing.is_empty() {
            return;
        }
        // Both are in order of id.
        self.watchers_of(source).told_mut().retain(|id| hearing.binary_search(id).is_err());
        for id in hearing {
            let told = self.entry(id).failing_told(source).and_then(Option::take);
            let failing_since = told.unwrap_or(self.now);
            let lasting = self.lasting(" after", failing_since);
            let shows = if is_as_before { ", and shows what it did before" } else { "" };
            let note = format!("it can be read again{lasting}{shows}");
            let (kind, note) = (Kind::SourceRecovered, &*note);
            self.tell_health(id, &Said { kind, source, failing_since, note });
        }
    }

    /// How long it lasts by now, as in `, for 6 h 10 min`; nothing of moments.
    fn lasting(&self, word: &str, since: Instant) -> String {
        let span = self.now.since(since);
        // Seconds, and minutes of a day, say nothing.
        let step = match span {
            _ if span < Span::HOUR => Span::MINUTE,
            _ if span < Span::DAY => Span::MINUTE.times(10),
            _ => Span::HOUR,
        };
        let rounded = (span + step.divided_by(2)).as_millis() / step.as_millis();
        if rounded > 0 { format!("{word} {}", step.times(rounded)) } else { String::new() }
    }

    /// One that is held back tells once it is not, if it still holds then.
    fn tells_health(&self, id: SentinelId) -> bool {
        let entry = &self.sentinels[&id];
        entry.is_active() && entry.held(self.now).is_none()
    }

    /// A sentinel's selectors were looked for: it is told once that one finds nothing, and once
    /// that all find again.
    pub(super) fn tell_sight(
        &mut self,
        id: SentinelId,
        source: SourceId,
        missing: Option<Box<str>>,
    ) {
        let now = self.now;
        let Some(entry) = self.sentinels.get_mut(&id).filter(|entry| entry.is_active()) else {
            return;
        };
        if entry.held(now).is_some() {
            let note = missing.unwrap_or_default();
            if entry.life.not_evaluated != note {
                entry.life.not_evaluated = note;
                self.touched.insert(id);
            }
            return;
        }
        let Some(before) = entry.blind(source).map(|blind| *blind) else { return };
        match (&missing, before) {
            (None, None) => return,
            (Some(why), Some(_)) => {
                if entry.life.not_evaluated != *why {
                    entry.life.not_evaluated = why.clone();
                    self.touched.insert(id);
                }
                return;
            }
            _ => {}
        }
        if let Some(blind) = entry.blind(source) {
            *blind = missing.is_some().then_some(self.now);
        }
        match &missing {
            Some(why) => entry.life.not_evaluated = why.clone(),
            None if !entry.is_blind() => entry.life.not_evaluated = "".into(),
            // Another source still shows nothing, which stays said.
            None => {}
        }
        let (kind, note) = match &missing {
            Some(why) => (Kind::SelectorMissing, &**why),
            None => (Kind::SelectorFound, "the part of the page that it watches is there again"),
        };
        let failing_since = before.unwrap_or(self.now);
        self.tell_health(id, &Said { kind, source, failing_since, note });
    }

    fn tell_health(&mut self, id: SentinelId, said: &Said<'_>) {
        let Said { kind, source, failing_since, note } = *said;
        let entry = self.entry(id);
        entry.life.seq += 1;
        let (seq, generation) = (entry.life.seq, entry.row.generation);
        let channels = entry.plan.whom.iter().map(|whom| whom.channel).collect();
        self.touched.insert(id);
        let note = note.into();
        let health = Health { kind, source, failing_since, note, sentinel: id, generation, seq };
        self.notice(Notice::Health(Box::new(Told { health, channels })));
    }

    /// A sentinel has a new text, which points into these sources as well: that nothing is found
    /// there is not told again, and that something is found is.
    pub(super) fn carry_sight(&mut self, id: SentinelId, blindness: Blindness) {
        let entry = self.entry(id);
        for (source, since) in blindness.since {
            if let Some(blind) = entry.blind(source) {
                *blind = Some(since);
                entry.life.not_evaluated.clone_from(&blindness.why);
            }
        }
    }

    /// A sentinel has a new text: what it was told of sources still holds of those that it keeps.
    pub(super) fn carry_health(&mut self, id: SentinelId, told: &[(SourceId, Instant)]) {
        for &(source, since) in told {
            if let Some(told) = self.entry(id).failing_told(source) {
                *told = Some(since);
                self.watchers_of(source).told_mut().insert(id);
            }
        }
    }
}
