//! What recipients are to get, and what they got: I-ONCE and I-STORED.

use super::unheard::Unheard;
use crate::people::Letter;
use crate::shell::Shell;
use crate::world::Spec;
use chronon::{Instant, SourceId, Span, VersionNo};
use outbox::{DeliveryResult, Row, State};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A detection: the sentinel, and what it rests on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fact {
    pub(super) sentinel: Box<str>,
    pub(super) evidence: Vec<Pair>,
}

/// Two versions of the page at a URL.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    pub(super) url: Box<str>,
    pub(super) from: u32,
    pub(super) to: u32,
}

type To = Box<str>;
/// Recipient, sentinel, kind.
type Notice = (To, Box<str>, Box<str>);

/// How often, and for how long while the server runs, a recipient is tried before it gives up.
const TRIES_LEAST: u32 = 12;
const TRIED_LEAST: Span = Span::DAY;

/// The types of what tells that a selector finds nothing, and that it finds something again.
const SIGHTS: [&str; 2] = ["selector.missing", "selector.found"];

/// The type of what tells that another channel takes nothing.
const UNHEARD: &str = "channel.failing";

/// When the server ran.
#[derive(Debug, Default)]
struct Ups {
    past: Vec<(Instant, Instant)>,
    since: Option<Instant>,
}

#[derive(Debug, Default)]
pub(super) struct Letters {
    /// How often: a fact may be found for two texts of one sentinel.
    expected: BTreeMap<(To, Fact), usize>,
    /// Per fact and recipient: the keys under which it was taken.
    taken: BTreeMap<(To, Fact), BTreeSet<Box<str>>>,
    /// How many are expected, and how many were taken.
    health: BTreeMap<Notice, (u32, u32)>,
    /// Per recipient and sentinel: how often it heard each of [`SIGHTS`].
    sights: BTreeMap<(To, Box<str>), [u32; 2]>,
    bodies: BTreeMap<Box<str>, Arc<[u8]>>,
    taken_keys: BTreeSet<Box<str>>,
    /// When the server knew that a key was taken.
    acknowledged: BTreeMap<Box<str>, Instant>,
    /// What was expected of a sentinel that was removed, and when that was.
    cancelled: BTreeMap<(To, Fact), Instant>,
    removed: BTreeSet<Box<str>>,
    /// What somebody did not take for so long that it was given up.
    given_up: BTreeSet<(To, Fact)>,
    notices_given_up: BTreeMap<Notice, u32>,
    /// Per key: whom it is for, when it was tried first, and how often.
    tries: BTreeMap<Box<str>, (To, Instant, u32)>,
    gave_up: BTreeSet<Box<str>>,
    unheard: Unheard,
    ups: Ups,
    tally: (u64, u64, u64),
}

impl Letters {
    /// Changes, digests and notices of health that were taken, each key once.
    pub(super) fn taken(&self) -> (u64, u64, u64) {
        self.tally
    }

    pub(super) fn expect(&mut self, spec: &Spec, fact: Fact) {
        for to in spec.recipients() {
            *self.expected.entry((to.into(), fact.clone())).or_default() += 1;
        }
    }

    pub(super) fn expect_health(&mut self, spec: &Spec, kind: &str) {
        for to in spec.recipients() {
            let place = (to.into(), spec.name.clone(), kind.into());
            self.health.entry(place).or_default().0 += 1;
        }
    }

    /// What is not being sent is not sent any more.
    pub(super) fn removed(&mut self, at: Instant, name: &str) {
        for place in self.expected.keys().filter(|place| *place.1.sentinel == *name) {
            self.cancelled.entry(place.clone()).or_insert(at);
        }
        self.removed.insert(name.into());
    }

    /// The server runs, or does not, from now on.
    pub(super) fn runs(&mut self, now: Instant, runs: bool) {
        self.ups.turns(now, runs);
    }

    /// How many were given up after long trying.
    pub(super) fn gave_up(&self) -> u64 {
        self.gave_up.len() as u64
    }

    pub(super) fn row(&mut self, now: Instant, row: &Row) -> Result<(), String> {
        match &row.state {
            State::Delivered { .. } => {
                if !self.acknowledged.contains_key(&row.key.0)
                    && let Some((to, _, _)) = self.tries.get(&row.key.0)
                {
                    self.unheard.heard(to, now);
                }
                self.acknowledged.entry(row.key.0.clone()).or_insert(now);
            }
            State::GivenUp { reason, .. } if !self.gave_up.contains(&row.key.0) => {
                return self.is_given_up(now, &row.key.0, reason);
            }
            _ => {}
        }
        Ok(())
    }

    /// Only after a day of running and a dozen tries; who answered 410 wants nothing at all.
    fn is_given_up(&mut self, now: Instant, key: &str, reason: &str) -> Result<(), String> {
        let wants_nothing = reason.contains("410");
        let Some((to, first, tries)) = self.tries.get(key).cloned() else {
            return if wants_nothing {
                Ok(())
            } else {
                Err(format!("{key} is given up, and was never tried: {reason}"))
            };
        };
        if wants_nothing && *to == *crate::world::QUITTER {
            self.unheard.given_up(&to);
            return Ok(());
        }
        let up = self.ups.between(first, now);
        if tries < TRIES_LEAST || up < TRIED_LEAST {
            return Err(format!("{key} is given up after {tries} tries in {up} of running"));
        }
        self.gave_up.insert(key.into());
        let body: Value = serde_json::from_slice(&self.bodies[key]).map_err(|e| e.to_string())?;
        match body["type"].as_str().unwrap_or_default() {
            "change" => {
                self.given_up.insert((to, fact_of(&body)));
            }
            // What rules told is judged with the rules.
            "rule" => {}
            "digest" if body["rule"].is_string() => {}
            "digest" => {
                let list = body["notifications"].as_array().into_iter().flatten();
                self.given_up.extend(list.map(|one| (to.clone(), fact_of(one))));
            }
            kind => {
                let name = body["sentinel"].as_str().unwrap_or_default().into();
                *self.notices_given_up.entry((to, name, kind.into())).or_default() += 1;
            }
        }
        Ok(())
    }

    pub(super) fn arrived(
        &mut self,
        letter: &Letter,
        verdict: &DeliveryResult,
        shell: &Shell,
        urls: &BTreeMap<SourceId, Box<str>>,
    ) -> Result<(), String> {
        let body =
            self.bodies.entry(letter.key.clone()).or_insert_with(|| Arc::clone(&letter.body));
        if *body != letter.body {
            return Err(format!("I-ONCE: the key {} came with two bodies", letter.key));
        }
        if self.acknowledged.get(&letter.key).is_some_and(|&at| at < letter.sent_at) {
            return Err(format!("I-ONCE: {} was sent after it was acknowledged", letter.key));
        }
        let fresh = (letter.recipient().into(), letter.sent_at, 0);
        self.tries.entry(letter.key.clone()).or_insert(fresh).2 += 1;
        if *verdict != DeliveryResult::Delivered {
            let is_gone = matches!(verdict, DeliveryResult::Gone { .. });
            self.unheard.failed(letter.recipient(), letter.sent_at, is_gone);
            return Ok(());
        }
        let is_first = self.taken_keys.insert(letter.key.clone());
        let body: Value = serde_json::from_slice(&letter.body).map_err(|e| e.to_string())?;
        match body["type"].as_str().unwrap_or_default() {
            "change" => {
                self.tally.0 += u64::from(is_first);
                self.told(letter, &body, (shell, urls))
            }
            // What rules told is judged with the rules.
            "rule" => Ok(()),
            "digest" if body["rule"].is_string() => Ok(()),
            "digest" => {
                let list = body["notifications"].as_array().cloned().unwrap_or_default();
                self.tally.1 += u64::from(is_first);
                if list.is_empty() || body["notifications_total"] != list.len() {
                    return Err(format!("a digest without its notifications: {body}"));
                }
                list.iter().try_for_each(|one| self.told(letter, one, (shell, urls)))
            }
            UNHEARD if is_first => {
                self.unheard.notice(body["note"].as_str().unwrap_or_default(), letter.sent_at)
            }
            UNHEARD => Ok(()),
            // When a selector is looked for is the server's to say: twice in a row is wrong.
            kind if SIGHTS.contains(&kind) => {
                let name = body["sentinel"].as_str().unwrap_or_default().into();
                let seen = self.sights.entry((letter.recipient().into(), name)).or_default();
                seen[usize::from(kind == SIGHTS[1])] += u32::from(is_first);
                Ok(())
            }
            kind => {
                let name = body["sentinel"].as_str().unwrap_or_default().into();
                let place = (letter.recipient().into(), name, kind.into());
                let Some(count) = self.health.get_mut(&place) else {
                    return Err(format!("a notice that nobody expects: {place:?}"));
                };
                count.1 += u32::from(is_first);
                self.tally.2 += u64::from(is_first);
                Ok(())
            }
        }
    }

    fn told(
        &mut self,
        letter: &Letter,
        body: &Value,
        (shell, urls): (&Shell, &BTreeMap<SourceId, Box<str>>),
    ) -> Result<(), String> {
        let fact = fact_of(body);
        for Pair { url, from, to } in &fact.evidence {
            let id = urls.iter().find(|(_, known)| *known == url).map(|(&id, _)| id);
            for version in [*from, *to] {
                let stored = id.map(|id| shell.reader().version(id, VersionNo(version)));
                if !matches!(stored, Some(Ok(Some(_)))) {
                    return Err(format!("I-STORED: {fact:?} is told, v{version} is not stored"));
                }
            }
        }
        let place = (letter.recipient().into(), fact);
        let Some(&times) = self.expected.get(&place) else {
            return Err(format!("a message that nobody expects: {place:?}"));
        };
        if self.cancelled.get(&place).is_some_and(|&at| at < letter.sent_at) {
            return Err(format!("sent for a sentinel that was removed: {place:?}"));
        }
        let keys = self.taken.entry(place.clone()).or_default();
        keys.insert(letter.key.clone());
        if keys.len() <= times {
            Ok(())
        } else {
            Err(format!("I-ONCE: {place:?} came under the keys {keys:?}"))
        }
    }

    /// Everything has come; what was for a removed sentinel, or for one who wants no more, may not.
    pub(super) fn finish(&self, quitter: &str) -> Result<(), String> {
        for (place, &times) in &self.expected {
            let excused = *place.0 == *quitter
                || self.cancelled.contains_key(place)
                || self.given_up.contains(place);
            if !excused && self.taken.get(place).map_or(0, BTreeSet::len) < times {
                return Err(format!("L-QUIET: never delivered: {place:?}"));
            }
        }
        for (place, (expected, taken)) in &self.health {
            let excused = *place.0 == *quitter || self.removed.contains(&place.1);
            let given_up = self.notices_given_up.get(place).copied().unwrap_or(0);
            if taken > expected || (taken + given_up < *expected && !excused) {
                return Err(format!("{place:?}: {expected} notices expected, {taken} came"));
            }
        }
        let undelivered = self.notices_given_up.iter().filter(|(place, _)| *place.2 == *UNHEARD);
        self.unheard.finish(undelivered.map(|(_, count)| count).sum())
    }
}

/// What a message says has changed.
fn fact_of(body: &Value) -> Fact {
    let text = |value: &Value| Box::from(value.as_str().unwrap_or_default());
    let number = |value: &Value| value.as_u64().unwrap_or_default() as u32;
    let pair = |source: &Value| Pair {
        url: text(&source["url"]),
        from: number(&source["from_version"]),
        to: number(&source["to_version"]),
    };
    let sources = body["sources"].as_array().into_iter().flatten();
    Fact { sentinel: text(&body["sentinel"]), evidence: sources.map(pair).collect() }
}

impl Ups {
    fn turns(&mut self, now: Instant, runs: bool) {
        if runs {
            self.since = Some(now)
        } else {
            self.past.extend(self.since.take().map(|since| (since, now)))
        }
    }

    fn between(&self, from: Instant, to: Instant) -> Span {
        let lives = self.past.iter().copied().chain(self.since.map(|since| (since, to)));
        let shared = lives.map(|(began, ended)| ended.min(to) - began.max(from));
        shared.filter(|span| *span > Span::ZERO).fold(Span::ZERO, |sum, span| sum + span)
    }
}
