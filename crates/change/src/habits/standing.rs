//! What a short text is known by: where it stands.

use super::{
    CELL, ENTRY_BYTES_MAX, Habit, Habits, Key, NUMBERS, counts_shape, hash, hash_on, name_of,
};
use crate::aspects::any::slight;
use crate::found::{Found, Pair, Side, Spot};
use crate::passing;
use chronon::Instant;
use page::{Block, Kind};
use std::borrow::Cow;

/// Where a change stands on a page. A short text says the same of different things: "Closed" of
/// the pool and of the library. What is learned of one is learned of its place.
pub(super) struct Standing<'p> {
    pub(super) heading: Cow<'p, str>,
    /// What stands before it under its heading.
    pub(super) before: &'p str,
    /// The hash of the place; `None`: it has none.
    place: Option<u64>,
}

/// The hash of the place behind a text under a heading.
fn place_of(heading: &str, before: &str) -> u64 {
    let before = &before[..before.floor_char_boundary(ENTRY_BYTES_MAX)];
    hash(&format!("{heading}\u{1}{}\u{1}", NUMBERS.replace_all(before, "#")))
}

fn is_text(block: &Block) -> bool {
    block.heading == 0 && block.list == 0
}

impl<'p> Standing<'p> {
    pub(super) fn of(change: &Found, pair: &'p Pair<'_>, habits: &Habits) -> Standing<'p> {
        let side = match change.place.as_ref() {
            Some(Spot::Old(place)) => Some((&pair.old, place)),
            Some(Spot::New(place)) => Some((&pair.new, place)),
            None => None,
        };
        let nowhere = || Standing { heading: "".into(), before: "", place: None };
        let Some((side, place)) = side.filter(|(side, _)| side.extract.kind == Kind::Html) else {
            return nowhere();
        };
        // A heading is known by what it says.
        let is_text_at =
            |block: &usize| side.extract.blocks.get(*block).is_some_and(|block| block.heading == 0);
        let Some(block) = side.reading().block(place).filter(is_text_at) else { return nowhere() };
        let heading = side.reading().section(block).unwrap_or_default();
        let before = block.checked_sub(1).map(|before| &side.extract.blocks[before]);
        // What turns itself names no place.
        let stays = |one: &&Block| [&pair.old, &pair.new].iter().all(|side| side.says(&one.text));
        let before = before.filter(|one| is_text(one) && stays(one));
        let before = before.map_or("", |before| before.text.as_str());
        let before = &before[..before.floor_char_boundary(ENTRY_BYTES_MAX)];
        let stood =
            || matches!(change.place, Some(Spot::New(_))).then(|| habits.stood(block, pair));
        let place = match (heading.is_empty(), before.is_empty()) {
            (_, false) => Some(habits.known_place(place_of(&heading, before))),
            (true, true) => stood().flatten(),
            (false, true) => stood().flatten().or_else(|| Some(place_of(&heading, ""))),
        };
        Standing { heading, before, place }
    }

    /// The key of a text that stands here.
    pub(super) fn key(&self, habit: Habit, text: &str) -> Key {
        let is_known = text.contains(CELL) || !slight::is_brief(text);
        let hash = match self.place.filter(|_| !is_known) {
            Some(place) => hash_on(place, text),
            None => hash(text),
        };
        Key { habit, hash }
    }

    /// A text, for people: with what it is said of, if it is short.
    pub(super) fn said(&self, text: &str) -> String {
        let heading = name_of(&self.heading);
        let of = if self.before.is_empty() { heading } else { self.before };
        let is_known = of.is_empty() || of.len() > passing::LABEL_BYTES_MAX;
        if is_known || text.contains(CELL) || !slight::is_brief(text) {
            return text.to_owned();
        }
        format!("{}: {text}", of.trim_end_matches(':'))
    }
}

impl Habits {
    /// Learns which short texts that are known stand behind another text now, since it came between
    /// them and what they stood behind.
    pub(super) fn see_stands(&mut self, found: &[Found], pair: &Pair<'_>, at: Instant) {
        let blocks = found.iter().filter_map(|one| match one.place.as_ref()? {
            Spot::New(place) => pair.new.reading().block(place),
            Spot::Old(_) => None,
        });
        for came in blocks.collect::<Vec<_>>() {
            let Some(stood) = self.stood(came + 1, pair) else { continue };
            let heading = pair.new.reading().section(came).unwrap_or_default();
            let key = stands(place_of(&heading, &pair.new.extract.blocks[came].text));
            if self.teaches(key) {
                self.traces.remove(&key);
                self.note(key, at, &format!("{stood:016x}"));
            }
        }
    }

    /// The place that a text had before another one came in front of it. Both it and what it took
    /// the place of are known there.
    fn stood(&self, block: usize, pair: &Pair<'_>) -> Option<u64> {
        let blocks = &pair.new.extract.blocks;
        let [before, came, own] = blocks.get(block.checked_sub(2)?..=block)? else { return None };
        if !(is_text(came) && is_text(own)) || pair.old.says(&came.text) {
            return None;
        }
        let heading = pair.new.reading().section(block).unwrap_or_default();
        let place = match before.heading {
            0 if !is_text(before) => return None,
            0 => self.known_place(place_of(&heading, &before.text)),
            _ => place_of(&heading, ""),
        };
        let is_known = |text: &str| self.is_known_at(place, text, pair.new.extract.kind);
        let at = is_known(&own.text).then(|| only(&pair.old, &before.text))??;
        let was = pair.old.extract.blocks.get(at + 1).filter(|was| is_text(was))?;
        (was.text == own.text || is_known(&was.text)).then_some(place)
    }

    /// Whether something quiet of a short text is known at a place.
    fn is_known_at(&self, place: u64, text: &str, kind: Kind) -> bool {
        let shape = counts_shape(text, kind);
        let both = [(Habit::Returns, text), (Habit::Counts, &*shape)];
        let key = |(habit, text)| Key { habit, hash: hash_on(place, text) };
        slight::is_brief(text) && both.map(key).into_iter().any(|key| self.is_habit(key))
    }

    /// The place that something is known by: that which it had before a text came in front.
    fn known_place(&self, place: u64) -> u64 {
        let stood = self.traces.get(&stands(place));
        stood.and_then(|trace| u64::from_str_radix(&trace.sample, 16).ok()).unwrap_or(place)
    }
}

fn stands(place: u64) -> Key {
    Key { habit: Habit::Stands, hash: place }
}

/// The block that alone says this on a page.
fn only(side: &Side<'_>, text: &str) -> Option<usize> {
    let mut all = side.extract.blocks.iter().enumerate().filter(|(_, one)| one.text == text);
    all.next().filter(|_| all.next().is_none()).map(|(at, _)| at)
}
