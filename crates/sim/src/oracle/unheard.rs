//! Recipients that take nothing, and what is said of them on another channel.

use chronon::{Instant, Span};
use std::collections::{BTreeMap, BTreeSet};

/// How long a recipient takes nothing before somebody else hears of it.
const SILENT_LEAST: Span = Span::DAY;

/// What each recipient answered, as far as the notices about it go.
#[derive(Debug, Default)]
pub(super) struct Unheard {
    /// The first delivery that failed since the last that the server knows to be taken.
    failing: BTreeMap<Box<str>, Instant>,
    /// The longest time without one, of spells that are over.
    longest: BTreeMap<Box<str>, Span>,
    /// How often a recipient began to fail.
    spells: BTreeMap<Box<str>, u32>,
    /// Those who want no more: they answered 410.
    quit: BTreeSet<Box<str>>,
    /// Those whom the server has given up, as far as its rows say.
    known_quit: BTreeSet<Box<str>>,
    /// How often somebody was told of a recipient.
    told: BTreeMap<Box<str>, u32>,
}

impl Unheard {
    pub(super) fn failed(&mut self, to: &str, at: Instant, is_gone: bool) {
        if !self.failing.contains_key(to) {
            self.failing.insert(to.into(), at);
            *self.spells.entry(to.into()).or_default() += 1;
        }
        if is_gone {
            self.quit.insert(to.into());
        }
    }

    /// The server has written that a delivery was taken.
    pub(super) fn heard(&mut self, to: &str, now: Instant) {
        if let Some(since) = self.failing.remove(to) {
            let longest = self.longest.entry(to.into()).or_default();
            *longest = (*longest).max(now - since);
        }
    }

    /// The server has written that it sends this recipient nothing more.
    pub(super) fn given_up(&mut self, to: &str) {
        self.known_quit.insert(to.into());
    }

    /// A notice arrived at another channel for the first time: it speaks of one who takes nothing,
    /// and for the first time in this spell.
    pub(super) fn notice(&mut self, note: &str, sent_at: Instant) -> Result<(), String> {
        let is_of = |to: &str| {
            note.contains(&format!("({to})")) || note.starts_with(&format!("the channel {to} t"))
        };
        let Some((to, spells)) = self.spells.iter().find(|(to, _)| is_of(to)) else {
            return Err(format!("nobody failed, and somebody is told: {note}"));
        };
        // Word of it may itself be late, and a delivery may have arrived meanwhile.
        let now = self.failing.get(to).map_or(Span::ZERO, |&since| sent_at - since);
        let silent = self.longest.get(to).copied().unwrap_or_default().max(now);
        if silent < SILENT_LEAST && !self.quit.contains(to) {
            return Err(format!("told too early, it failed for {silent}: {note}"));
        }
        let told = self.told.entry(to.clone()).or_default();
        *told += 1;
        if *told > *spells {
            return Err(format!("told {told} times of {spells} spells: {note}"));
        }
        Ok(())
    }

    /// Everything has come: somebody was told of each who wants no more. `undelivered`: notices of
    /// this kind that were given up.
    pub(super) fn finish(&self, undelivered: u32) -> Result<(), String> {
        let known = self.known_quit.iter();
        let untold: Vec<_> = known.filter(|to| !self.told.contains_key(*to)).collect();
        if untold.len() > undelivered as usize {
            return Err(format!("nobody is told that these take nothing: {untold:?}"));
        }
        Ok(())
    }
}
