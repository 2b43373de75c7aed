//! Health: who hears that a source fails, and that it is back.
//!
//! Each active sentinel on a failing source is told once, whenever it came; that the source is
//! back is told to those who were told that it fails, or what the page has become, and to nobody
//! else. What was told is in the sentinel's life. Who was told what the page has become knows that.
//! They hear more only if the source fails in another way long after, and that it is back: by what
//! the same look tells them, or else by a message. So it is with a selector that finds nothing any
//! more, and finds again.

use super::{Life, Notice};
use crate::record::{Back, Place, Worry};
use chronon::{Instant, SentinelId, SourceId, Span, StreamId};
use outbox::{ChannelId, Health, Kind};

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
    /// hear it now. Who was told of an earlier failure, and not that it was over, hears of this
    /// one.
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
        for id in told {
            let Some(worry) = self.worry(id, source) else { continue };
            if worry.back.is_some() {
                untold.push(id);
            } else if otherwise && worry.is_of_page && worry.since == since {
                knowing.push(id);
            }
        }
        untold.extend(&knowing);
        for id in untold {
            self.worries(id, source, Worry { since, is_of_page: false, back: None });
            // For how long it has failed otherwise is not known.
            let knows = knowing.binary_search(&id).is_ok();
            let lasting =
                if knows { String::new() } else { lasting(", for", self.now.since(since)) };
            let note = format!("{why}{lasting}");
            let (kind, note) = (Kind::SourceFailing, &*note);
            self.tell_health(id, &Said { kind, source, failing_since: since, note });
        }
    }

    /// A sentinel is told what the source shows instead of its content: that it fails is no news.
    pub(super) fn know_odd(&mut self, id: SentinelId, source: SourceId, worry: Worry) {
        let known = self.worry(id, source).filter(|known| known.back.is_none());
        if known.is_none() {
            self.worries(id, source, worry);
        }
    }

    /// A probe has succeeded: what people were told of the source is over. They hear it once all
    /// that the look led to is compared, and not before they hear anything.
    ///
    /// `was_failing`: until then it failed. What it showed before an earlier failure is not known.
    pub(super) fn note_back(&mut self, source: SourceId, is_as_before: bool, was_failing: bool) {
        let Some(watchers) = self.watchers.get(&source) else { return };
        for id in watchers.told().to_vec() {
            let Some(worry) = self.worry(id, source) else { continue };
            let back = match worry.back {
                None => Back { at: self.now, is_as_before: is_as_before && was_failing },
                Some(back) => Back { is_as_before: back.is_as_before && is_as_before, ..back },
            };
            if worry.back != Some(back) {
                self.worries(id, source, Worry { back: Some(back), ..worry });
            }
        }
    }

    /// A sentinel is told what the source shows, or how it answers: that it is back is no news to
    /// who knew what it had become. Who was told that it fails is told that it does no more, as
    /// programs wait for that.
    pub(super) fn know_back(&mut self, id: SentinelId, source: SourceId) {
        let is_over = |worry: &Worry| worry.back.is_some() && worry.is_of_page;
        if self.worry(id, source).is_some_and(|worry| is_over(&worry)) {
            self.worries_no_more(id, source);
        }
    }

    /// All that the last look at the source led to is compared, and it answers: who waits to hear
    /// that it is back hears it now, unless `is_open`, comparisons on a stream of theirs that may
    /// speak of it go on. Who is held back, or disabled, goes on waiting.
    pub(crate) fn tell_back(
        &mut self,
        now: Instant,
        source: SourceId,
        is_open: &dyn Fn(StreamId) -> bool,
    ) {
        self.now = now;
        let Some(watchers) = self.watchers.get(&source) else { return };
        let mut hearing: Vec<(SentinelId, Instant, Back)> = Vec::new();
        for id in watchers.told().to_vec() {
            let worry = self.worry(id, source);
            if let Some(Worry { since, back: Some(back), .. }) = worry
                && self.tells_health(id)
                && !self.speaking_of(id, source).any(is_open)
            {
                hearing.push((id, since, back));
            }
        }
        if hearing.is_empty() {
            return;
        }
        // Both are in order of id.
        let goes_on = |id: &SentinelId| hearing.binary_search_by_key(id, |one| one.0).is_err();
        self.watchers_of(source).told_mut().retain(goes_on);
        for (id, since, back) in hearing {
            if let Some(worry) = self.entry(id).worry(source) {
                *worry = None;
            }
            let lasting = lasting(" after", back.at.since(since));
            let shows = if back.is_as_before { ", and shows what it did before" } else { "" };
            let note = format!("it can be read again{lasting}{shows}");
            let (kind, note) = (Kind::SourceRecovered, &*note);
            self.tell_health(id, &Said { kind, source, failing_since: since, note });
        }
    }

    /// The streams of a sentinel in which something of this source may be found.
    fn speaking_of(&self, id: SentinelId, source: SourceId) -> impl Iterator<Item = StreamId> {
        let entry = &self.sentinels[&id];
        let is_joint = entry.plan.is_joint;
        entry.life.streams().filter(move |stream| is_joint || stream.source() == source)
    }

    /// The sources of which somebody waits to hear that they are back who also captures `source`,
    /// with whose rounds theirs are compared.
    pub(crate) fn back_beside(&self, source: SourceId) -> Vec<SourceId> {
        let Some(watchers) = self.watchers.get(&source) else { return Vec::new() };
        let entries = watchers.all().iter().map(|id| &self.sentinels[id]);
        let joint = entries.filter(|entry| entry.plan.is_joint);
        let is_back = |place: &&Place| place.worry.is_some_and(|worry| worry.back.is_some());
        let backs = joint.flat_map(|entry| {
            let places = entry.row.others.iter().zip(&entry.life.others);
            places.filter(|(_, place)| is_back(place)).map(|(source, _)| *source)
        });
        backs.collect()
    }

    fn worry(&mut self, id: SentinelId, source: SourceId) -> Option<Worry> {
        self.sentinels.get_mut(&id)?.worry(source).and_then(|worry| *worry)
    }

    fn worries(&mut self, id: SentinelId, source: SourceId, worry: Worry) {
        let known = self.sentinels.get_mut(&id).and_then(|entry| entry.worry(source));
        let Some(known) = known else { return };
        *known = Some(worry);
        self.touched.insert(id);
        self.watchers_of(source).told_mut().insert(id);
    }

    fn worries_no_more(&mut self, id: SentinelId, source: SourceId) {
        if let Some(known) = self.entry(id).worry(source) {
            *known = None;
        }
        self.touched.insert(id);
        self.watchers_of(source).told_mut().remove(&id);
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
    pub(super) fn carry_health(&mut self, id: SentinelId, told: &[(SourceId, Worry)]) {
        for &(source, worry) in told {
            self.worries(id, source, worry);
        }
    }
}

/// How long it lasted, as in `, for 6 h 10 min`; nothing of moments.
fn lasting(word: &str, span: Span) -> String {
    // Seconds, and minutes of a day, say nothing.
    let step = match span {
        _ if span < Span::HOUR => Span::MINUTE,
        _ if span < Span::DAY => Span::MINUTE.times(10),
        _ => Span::HOUR,
    };
    let rounded = (span + step.divided_by(2)).as_millis() / step.as_millis();
    if rounded > 0 { format!("{word} {}", step.times(rounded)) } else { String::new() }
}
