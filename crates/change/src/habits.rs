//! What a page does at most looks, learned from what it did: clocks and counters run, texts go and
//! come back, boxes rotate.
//!
//! [`Habits::learn`] is told of each version after the one before, in order; [`Habits::quiet`] says
//! whether a change is one of them, and why. A fold of versions: the same versions give the same
//! habits. Bounded by [`TRACES_MAX`]; the oldest evidence goes first.

use crate::found::{Found, Pair, Spot};
use crate::path::without_names;
use crate::{Blocks, ChangeKind, Limits, Thing, aspects, leads};
use chronon::Instant;
use page::{Extract, Kind};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

mod noise;
mod numbers;
mod outage;
mod siblings;
mod stamps;
mod standing;
mod step;
mod stored;
mod today;
mod tokens;
mod trade;
mod turning;

pub(crate) use numbers::NUMBERS;
pub(crate) use numbers::run_alone;
use numbers::{is_comment, known_by, member, running};
pub use outage::{Breaks, Outage};
use standing::Standing;
use step::Step;
pub use stored::Unreadable;
pub use today::says_when;
use trade::{VERSION, is_of_trade, says_none_or_danger};
pub(crate) use trade::{are_of_one_sort, names_version, speaks_of_trade};
use turning::{Turning, rotation};

/// Traces of all kinds of one source.
const TRACES_MAX: usize = 600;
/// Bytes of a text that a trace keeps for people.
const SAMPLE_BYTES: usize = 80;
/// A text that was away for more looks did not come back: it is new.
const AWAY_LOOKS_MAX: u32 = 12;
/// A text that is there for as many looks, and away for as many, is a state.
const STATE_LOOKS_MIN: u32 = 2;
/// Looks that are remembered one by one.
const RECENT_LOOKS: u32 = 6;
/// The count of these at which numbers ran, or a text moved, before that is a habit.
const RECENT_MIN: u32 = 3;
/// Texts under one heading that came back before it is a box that rotates, and one of how many.
const ROTATED_MIN: u16 = 3;
const ROTATED_SHARE: u16 = 4;
/// A longer text is no entry of a box.
const ENTRY_BYTES_MAX: usize = 160;
/// Texts that say more than a clock or a counter.
const COUNTER_BYTES_MAX: usize = 300;

/// What is learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Habit {
    /// A text is away. No habit yet.
    Away,
    /// The numbers of a text run.
    Counts,
    /// A text goes and comes back.
    Returns,
    /// A text changes its place.
    Moves,
    /// Texts under a heading take turns.
    Rotates,
    /// A text was not there from the first look on. No habit yet.
    Came,
    /// A person said that a text is noise. Nothing of it is learned.
    Noise,
    /// A part of an address is another one.
    Leads,
    /// A link leads elsewhere, or another picture stands at its place.
    Swaps,
    /// The page is odd now and then, and back.
    Breaks,
    /// A text says what day it is.
    Today,
    /// A token in a text is another one.
    Tokens,
    /// A text says the time at which it was made.
    Stamps,
    /// What stands before a short text came between it and what stood there. No habit.
    Stands,
}

impl Habit {
    /// Their places are stored.
    const ALL: [Habit; 14] = [
        Habit::Away,
        Habit::Counts,
        Habit::Returns,
        Habit::Moves,
        Habit::Rotates,
        Habit::Came,
        Habit::Noise,
        Habit::Leads,
        Habit::Swaps,
        Habit::Breaks,
        Habit::Today,
        Habit::Tokens,
        Habit::Stamps,
        Habit::Stands,
    ];

    fn name(self) -> &'static str {
        match self {
            Habit::Away => "away",
            Habit::Counts => "counts",
            Habit::Returns => "returns",
            Habit::Moves => "moves",
            Habit::Rotates => "rotates",
            Habit::Came => "came",
            Habit::Noise => "noise",
            Habit::Leads => "leads",
            Habit::Swaps => "swaps",
            Habit::Breaks => "breaks",
            Habit::Today => "today",
            Habit::Tokens => "tokens",
            Habit::Stamps => "stamps",
            Habit::Stands => "stands",
        }
    }
}

/// Names what is learned of one thing of a page: stable over versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    pub habit: Habit,
    /// A hash of the text, of its shape, or of the heading.
    pub hash: u64,
}

/// `counts-0123456789abcdef`.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:016x}", self.habit.name(), self.hash)
    }
}

impl Key {
    /// Names a text that a person does not want to hear of, whatever numbers, days, months and
    /// tokens are in it. `None`: it is nothing but those, and would name every number of the page.
    pub fn noise(text: &str) -> Option<Key> {
        let shape = noise::shape(text);
        let is_named = shape.chars().any(char::is_alphabetic);
        is_named.then(|| Key { habit: Habit::Noise, hash: hash(&shape) })
    }

    /// The same of what a change was or is: a link by what it says, wherever it leads; a picture by
    /// its name, else by its address.
    pub fn noise_of(thing: &Thing) -> Option<Key> {
        match thing {
            Thing::Link { text, .. } if text.is_empty() => None,
            Thing::Link { text, .. } => Key::noise(&format!("link: {text}")),
            Thing::Image { src, alt } if alt.is_empty() => Key::noise(&format!("picture: {src}")),
            Thing::Image { alt, .. } => Key::noise(&format!("picture: {alt}")),
            thing => Key::noise(thing.text()),
        }
    }
}

/// A text that names nothing that is learned.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("this names nothing quiet; take a key from the list of what is quiet")]
pub struct NoKey;

impl FromStr for Key {
    type Err = NoKey;

    fn from_str(text: &str) -> Result<Key, NoKey> {
        let (name, hash) = text.split_once('-').ok_or(NoKey)?;
        let habit = Habit::ALL.into_iter().find(|habit| habit.name() == name).ok_or(NoKey)?;
        let hash = Some(hash).filter(|hash| hash.len() == 16).ok_or(NoKey)?;
        Ok(Key { habit, hash: u64::from_str_radix(hash, 16).map_err(|_| NoKey)? })
    }
}

/// The evidence of one thing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Trace {
    /// When it first happened.
    since: i64,
    /// The look at which it happened last.
    last: u32,
    /// A bit for each of the latest looks up to `last`, the lowest for `last` itself. An outage has
    /// the low bits of the number of its last version; see [`today`] for what says the day.
    recent: u16,
    times: u16,
    /// Under a heading that rotates, texts that came, back or not; of numbers, see [`Step`]. A text
    /// that comes back has how often that was a state. An outage has its last day, from 1970 on,
    /// and so has a text that says what day it is.
    all: u16,
    sample: Box<str>,
}

impl Trace {
    fn happened(&mut self, look: u32) {
        self.recent = shifted(self.recent, look - self.last) | 1;
        self.last = look;
    }

    /// Whether a text came back quickly, mostly.
    fn flickers(&self) -> bool {
        let quick = self.times.saturating_sub(self.all);
        quick >= 1 && quick >= self.times - quick
    }
}

/// What a source's pages do at most looks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Habits {
    looks: u32,
    /// Looks since then at which nothing came; not stored.
    calm: u32,
    /// When what is compared came; not stored.
    now: Option<Instant>,
    /// What may be learned of now; `None`: anything. Not stored.
    only: Option<BTreeSet<Key>>,
    traces: BTreeMap<Key, Trace>,
}

/// Something that is quiet, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quiet {
    pub key: Key,
    /// Since when the evidence goes.
    pub since: Instant,
    /// A text of it.
    pub sample: Box<str>,
    /// Why, as a clause: "its numbers changed at 5 of the last 6 looks".
    pub because: String,
}

/// When a version came.
#[derive(Debug, Clone, Copy)]
pub struct Arrived {
    /// Looks since the version before, this one included, for which nobody asked.
    pub looks: u32,
    pub at: Instant,
    /// Somebody asked for the look: it shows what the page does when somebody changes it, and not
    /// what it does at most looks. What is a habit already goes on.
    pub asked: bool,
}

impl Habits {
    /// The count of looks since the last version, at which nothing came. What was a habit until
    /// then may be none any more.
    #[must_use]
    pub fn after_calm(mut self, looks: u32) -> Habits {
        self.calm = looks;
        self
    }

    /// When the version came that is compared with what is known.
    #[must_use]
    pub fn at(mut self, now: Instant) -> Habits {
        self.now = Some(now);
        self
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.traces.is_empty()
    }

    /// Learns from two successive versions; those of two kinds teach nothing. `blocks`: what was
    /// found between them, if they were compared. Whether anything was learned.
    pub fn learn(
        &mut self,
        versions: [&Extract; 2],
        blocks: Option<Blocks>,
        arrived: Arrived,
        limits: &Limits,
    ) -> bool {
        let known = || self.traces.keys().filter(|key| self.is_habit(**key)).copied().collect();
        self.only = arrived.asked.then(known);
        let has_learned = self.learn_from(versions, blocks, arrived, limits);
        self.only = None;
        has_learned
    }

    fn learn_from(
        &mut self,
        [old, new]: [&Extract; 2],
        blocks: Option<Blocks>,
        arrived: Arrived,
        limits: &Limits,
    ) -> bool {
        self.looks = self.looks.saturating_add(arrived.looks);
        (self.calm, self.now) = (0, None);
        if old.kind != new.kind {
            return true;
        }
        let pair = Pair::new(old, new);
        let found = blocks.map_or_else(|| aspects::blocks(&pair, limits), |blocks| blocks.found);
        if is_another(&found, &pair) {
            return true;
        }
        let links = self.see_links(&pair, arrived.at);
        self.see_stands(&found, &pair, arrived.at);
        for change in &found {
            self.see(change, &pair, arrived.at);
        }
        for change in found.iter().filter(|change| change.kind != ChangeKind::Move) {
            if let Some(text) = text(&change.old) {
                let key = Standing::of(change, &pair, self).key(Habit::Away, text);
                self.note(key, arrived.at, "");
            }
        }
        self.see_places(&found, &pair, arrived.at);
        self.see_rows(&found, &pair, arrived.at);
        self.forget(arrived.at);
        links > 0 || !found.is_empty()
    }

    fn see(&mut self, change: &Found, pair: &Pair<'_>, at: Instant) {
        if change.kind == ChangeKind::Move {
            if let Some(text) = text(&change.new) {
                self.note(Key { habit: Habit::Moves, hash: hash(text) }, at, text);
            }
            return;
        }
        let standing = Standing::of(change, pair, self);
        self.see_today(change, pair, at);
        let has_token = self.see_token(change, pair, &standing, at);
        let counts = counted(change, pair, &standing);
        self.see_counts(change, &counts, &standing, at);
        let do_run = counts.iter().any(|(key, _)| self.is_habit(*key));
        self.see_stamp(change, pair, &standing, (at, do_run));
        if !counts.is_empty() {
            return;
        }
        let Some(new) = text(&change.new) else { return };
        let is_back = self.is_away(standing.key(Habit::Away, new));
        let returns = standing.key(Habit::Returns, new);
        // A text takes part in turns once, however often it comes back.
        let is_known = self.traces.contains_key(&returns);
        if is_back {
            let is_slow = self.was_a_state(standing.key(Habit::Away, new), returns);
            self.note(returns, at, &standing.said(new));
            if is_slow
                && self.teaches(returns)
                && let Some(trace) = self.traces.get_mut(&returns)
            {
                trace.all = trace.all.saturating_add(1);
            }
        }
        if !has_token && let Some(turning) = rotation(change, pair) {
            self.see_turn(&turning, new, [is_back, is_known], at);
        }
    }

    /// Learns that numbers ran, and how far.
    fn see_counts(
        &mut self,
        change: &Found,
        counts: &[(Key, Option<usize>)],
        standing: &Standing<'_>,
        at: Instant,
    ) {
        let new = text(&change.new).unwrap_or_default();
        let said = standing.said(new);
        for &(key, cell) in counts {
            if !self.teaches(key) {
                continue;
            }
            let step = Step::of(change, cell);
            let cell = cell.and_then(|at| new.split(CELL).nth(at));
            let row = cell.zip(new.split(CELL).next());
            let sample =
                row.map_or_else(|| said.clone(), |(cell, first)| format!("{first}{CELL}{cell}"));
            self.note(key, at, &sample);
            if let Some(step) = step {
                let trace = self.trace(key, at, &sample);
                trace.all = step.joined(trace.all);
            }
        }
    }

    /// Learns of a text that came in a box: whether it is back, and was before.
    fn see_turn(
        &mut self,
        turning: &Turning<'_>,
        new: &str,
        [is_back, is_known]: [bool; 2],
        at: Instant,
    ) {
        if new.len() > ENTRY_BYTES_MAX {
            return;
        }
        let (key, name) = (turning.key, name_of(&turning.heading));
        self.note(Key { habit: Habit::Came, hash: hash(new) }, at, "");
        if !self.teaches(key) {
            return;
        }
        if is_known {
            let looks = self.looks;
            // The box turns on, with texts that all took part before.
            if let Some(trace) = self.traces.get_mut(&key).filter(|_| is_back) {
                trace.happened(looks);
            }
            return;
        }
        if is_back {
            self.note(key, at, name);
        }
        let trace = self.trace(key, at, name);
        trace.all = trace.all.saturating_add(1);
    }

    /// Learns what of addresses varies, and says of how many. Each counts once for a look.
    fn see_links(&mut self, pair: &Pair<'_>, at: Instant) -> usize {
        let changes = aspects::addresses(pair);
        let keys = changes.iter().filter_map(|change| Some((varying(change)?, change)));
        let keys: BTreeMap<Key, &Found> = keys.take(LINKS_MAX).collect();
        for (key, change) in &keys {
            let sample = change.new.as_ref().and_then(Thing::address).unwrap_or_default();
            self.note(*key, at, sample);
        }
        keys.len()
    }

    /// Learns where links lead and which pictures stand somewhere, behind a text that stays. A
    /// place counts once for a look.
    fn see_places(&mut self, found: &[Found], pair: &Pair<'_>, at: Instant) {
        let mut swapped: BTreeMap<Key, &str> = BTreeMap::new();
        for change in found.iter().filter(|change| change.part.is_some()).take(LINKS_MAX) {
            let (old, new) = (change.old.as_ref(), change.new.as_ref());
            let Some(sample) = new.or(old).map(sample_of) else { continue };
            swapped.extend(swaps(change, pair).map(|key| (key, sample)));
            let of = |habit, text: &str| Key { habit, hash: hash(text) };
            if let Some(new) = new.map(named).filter(|new| self.is_away(of(Habit::Away, new))) {
                self.note(of(Habit::Returns, &new), at, sample);
            }
            if let Some(old) = old.map(named) {
                self.note(Key { habit: Habit::Away, hash: hash(&old) }, at, "");
            }
        }
        for (key, sample) in swapped {
            self.note(key, at, sample);
        }
    }

    fn trace(&mut self, key: Key, at: Instant, text: &str) -> &mut Trace {
        let looks = self.looks;
        self.traces.entry(key).or_insert_with(|| Trace {
            since: at.as_millis(),
            last: looks,
            sample: sample(text),
            ..Trace::default()
        })
    }

    /// What went and what came may be learned always: alone it is no habit.
    fn teaches(&self, key: Key) -> bool {
        matches!(key.habit, Habit::Away | Habit::Came)
            || self.only.as_ref().is_none_or(|only| only.contains(&key))
    }

    fn note(&mut self, key: Key, at: Instant, text: &str) {
        if !self.teaches(key) {
            return;
        }
        let looks = self.looks;
        let trace = self.trace(key, at, text);
        trace.happened(looks);
        trace.times = trace.times.saturating_add(1);
    }

    /// What was longest ago goes where there is too much; first of it texts that are away for so
    /// long that they are new when they come.
    fn forget(&mut self, at: Instant) {
        self.traces.retain(|key, trace| key.habit != Habit::Breaks || at < trace.breaks_until());
        let surplus = self.traces.len().saturating_sub(TRACES_MAX);
        if surplus == 0 {
            return;
        }
        let is_of_use = |key: &Key, trace: &Trace| {
            key.habit != Habit::Away || self.looks - trace.last <= AWAY_LOOKS_MAX
        };
        let age = |(key, trace): (&Key, &Trace)| (is_of_use(key, trace), trace.last, *key);
        let mut by_age: Vec<(bool, u32, Key)> = self.traces.iter().map(age).collect();
        by_age.sort_unstable();
        for (.., key) in &by_age[..surplus] {
            self.traces.remove(key);
        }
    }

    /// Whether a text that is back was there for some looks before, and away for some: a state that
    /// lasts is no flicker.
    fn was_a_state(&self, away: Key, returns: Key) -> bool {
        let Some(went) = self.traces.get(&away).map(|away| away.last) else { return false };
        let came = self.traces.get(&returns).map_or(0, |returns| returns.last);
        self.looks - went >= STATE_LOOKS_MIN && went.saturating_sub(came) >= STATE_LOOKS_MIN
    }

    fn is_away(&self, key: Key) -> bool {
        self.traces.get(&key).is_some_and(|away| self.looks - away.last <= AWAY_LOOKS_MAX)
    }

    /// The habit that a change is of, unless a person wants to hear of it all the same; or what a
    /// person said of it. `said` has both.
    pub(crate) fn quiet(
        &self,
        change: &Found,
        pair: &Pair<'_>,
        said: &BTreeSet<Key>,
    ) -> Option<Key> {
        // A person's word stands above all that is learned.
        if let Some(key) = noise(change, said) {
            return Some(key);
        }
        let texts = [text(&change.old), text(&change.new)];
        let is = |key: &Key| !said.contains(key) && self.is_habit(*key);
        if let Some(key) = varying(change).filter(is) {
            return Some(key);
        }
        if change.part.is_some() {
            return self.quiet_place(change, pair, said);
        }
        if self.traces.is_empty() {
            return None;
        }
        let standing = Standing::of(change, pair, self);
        let counts = || counts(change, pair, &standing);
        let stamp = self.is_stamp(change, pair, &standing);
        let is_wanted = || {
            let all = [name_before(change), stamp];
            all.into_iter().flatten().any(|key| said.contains(&key))
        };
        // Who asked to hear of its numbers hears of its date.
        if let Some(key) = self.says_today(change, pair).filter(is)
            && !is_wanted()
            && !counts().iter().any(|key| said.contains(key))
        {
            return Some(key);
        }
        if let Some(key) = self.is_token(change, pair, &standing).filter(is) {
            return Some(key);
        }
        if is_of_trade(texts) {
            return None;
        }
        if let Some(key) = stamp.filter(is)
            && !is_wanted()
            && !counts().iter().any(|key| said.contains(key))
        {
            return Some(key);
        }
        if let Some(turning) = rotation(change, pair).filter(|turning| turning.is_quiet(is, said))
            && texts[0].is_none_or(|old| self.came(old))
            && self.is_box(&turning)
        {
            return Some(turning.key);
        }
        let of = |habit| move |text: &str| Key { habit, hash: hash(text) };
        if change.kind == ChangeKind::Move {
            let both = [Habit::Moves, Habit::Returns];
            return both.into_iter().filter_map(|h| texts[1].map(of(h))).find(is);
        }
        let counts = counted(change, pair, &standing);
        let runs = |(key, cell): &(Key, Option<usize>)| {
            if is(key) {
                !self.leaps(change, *key, *cell)
            } else {
                !said.contains(key) && self.does_as_siblings(change, pair, *cell, is)
            }
        };
        if !counts.is_empty() && !is_wanted() && counts.iter().all(runs) {
            return counts.first().map(|(key, _)| *key);
        }
        // What a person said of a text holds wherever it stands.
        let is = |key: &Key, text| is(key) && !said.contains(&of(Habit::Returns)(text));
        let returns = |text| (standing.key(Habit::Returns, text), text);
        let mut all = texts.into_iter().flatten().map(returns);
        let (first, _) = all.next().filter(|(key, text)| is(key, text))?;
        all.all(|(key, text)| is(&key, text)).then_some(first)
    }

    /// Whether numbers that alone changed did so at one of the latest looks, too: that they are
    /// others says less than what stood still. A price must run by habit, as that of a share does:
    /// one that changed once before matters as ever. So do leaps, and what a person asked to hear
    /// of.
    pub(crate) fn ran(&self, change: &Found, pair: &Pair<'_>, said: &BTreeSet<Key>) -> bool {
        if self.traces.is_empty() {
            return false;
        }
        let is_price = is_of_trade([text(&change.old), text(&change.new)]);
        let least = if is_price { RECENT_MIN } else { 1 };
        let ran = |key: &Key| {
            let is_recent = |trace: &Trace| self.recent(trace).count_ones() >= least;
            !said.contains(key) && self.traces.get(key).is_some_and(is_recent)
        };
        let counts = counted(change, pair, &Standing::of(change, pair, self));
        let runs =
            |(key, cell): &(Key, Option<usize>)| ran(key) && !self.leaps(change, *key, *cell);
        !counts.is_empty() && counts.iter().all(runs)
    }

    /// Whether a number that runs moved as never before.
    fn leaps(&self, change: &Found, key: Key, cell: Option<usize>) -> bool {
        let step = Step::of(change, cell).zip(self.traces.get(&key));
        step.is_some_and(|(step, trace)| step.is_leap(trace))
    }

    /// The habit that a change behind a text is of: its place, its box, or itself.
    fn quiet_place(&self, change: &Found, pair: &Pair<'_>, said: &BTreeSet<Key>) -> Option<Key> {
        let is = |key: &Key| !said.contains(key) && self.is_habit(*key);
        if let Some(key) = swaps(change, pair).filter(is) {
            return Some(key);
        }
        if let Some(turning) = rotation(change, pair).filter(|turning| turning.is_quiet(is, said))
            && self.is_box(&turning)
        {
            return Some(turning.key);
        }
        let things = change.old.iter().chain(&change.new);
        let mut all = things.map(|one| Key { habit: Habit::Returns, hash: hash(&named(one)) });
        let first = all.next().filter(is)?;
        all.all(|key| is(&key)).then_some(first)
    }

    /// Whether what stands under a heading is a box: most of it was not there from the first look
    /// on. An entry that stands alone is none.
    fn is_box(&self, turning: &Turning<'_>) -> bool {
        let entries = turning.entries.iter().filter(|entry| **entry != turning.own);
        let came = entries.clone().filter(|entry| self.came(entry)).count();
        came > 0 && came * 2 >= entries.count()
    }

    /// A text that was not always there.
    fn came(&self, text: &str) -> bool {
        let of = |habit| Key { habit, hash: hash(text) };
        [Habit::Came, Habit::Returns].iter().any(|&habit| self.traces.contains_key(&of(habit)))
    }

    /// Whether the evidence is enough.
    fn is_habit(&self, key: Key) -> bool {
        let Some(trace) = self.traces.get(&key) else { return false };
        match key.habit {
            Habit::Away | Habit::Came | Habit::Noise | Habit::Stands => false,
            Habit::Counts | Habit::Moves | Habit::Leads | Habit::Swaps => {
                self.recent(trace).count_ones() >= RECENT_MIN
            }
            Habit::Breaks => trace.breaks_often(),
            Habit::Today => trace.says_today(),
            Habit::Tokens => trace.is_of_tokens(self.recent(trace).count_ones()),
            Habit::Stamps => trace.says_now(),
            Habit::Returns => trace.flickers() && self.since(trace) <= 2 * AWAY_LOOKS_MAX,
            Habit::Rotates => {
                trace.times >= ROTATED_MIN
                    && u32::from(trace.times) * u32::from(ROTATED_SHARE) >= u32::from(trace.all)
                    && self.since(trace) <= 2 * AWAY_LOOKS_MAX
            }
        }
    }

    /// The latest looks, up to now.
    fn recent(&self, trace: &Trace) -> u16 {
        shifted(trace.recent, self.since(trace)) & ((1 << RECENT_LOOKS) - 1)
    }

    /// Looks since it happened last. What rested twice as long as ever between two times, of the
    /// latest, has ended; a shorter rest is how it is.
    fn since(&self, trace: &Trace) -> u32 {
        let until_version = self.looks - trace.last;
        let now = until_version.saturating_add(self.calm);
        let recent = trace.recent & ((1 << RECENT_LOOKS) - 1);
        if now > 2 * longest_rest(recent) { now } else { until_version }
    }

    /// All that is quiet, by key.
    pub fn list(&self) -> impl Iterator<Item = Quiet> + '_ {
        let habits = self.traces.iter().filter(|(key, _)| self.is_habit(**key));
        habits.map(|(&key, trace)| Quiet {
            key,
            since: Instant::from_millis(trace.since),
            sample: trace.sample.clone(),
            because: self.because(key, trace),
        })
    }

    fn because(&self, key: Key, trace: &Trace) -> String {
        let recent = self.recent(trace).count_ones();
        let of = self.looks.saturating_add(self.calm).min(RECENT_LOOKS);
        let Trace { times, all, .. } = trace;
        let often = if *times == 1 { "once".to_owned() } else { format!("{times} times") };
        match key.habit {
            Habit::Noise => "somebody said that it is noise".to_owned(),
            Habit::Away | Habit::Came | Habit::Stands | Habit::Returns => {
                format!("it went and came back {often}")
            }
            Habit::Counts => {
                format!("its numbers changed at {recent} of the last {of} looks")
            }
            Habit::Tokens => {
                format!("a token in it was another one at {recent} of the last {of} looks")
            }
            Habit::Stamps => {
                format!("its time was that of the look at each of the last {often} that it changed")
            }
            Habit::Leads => {
                format!("a part of its address was another at {recent} of the last {of} looks")
            }
            Habit::Swaps => {
                format!(
                    "it led elsewhere, or was another picture, at {recent} of the last {of} looks"
                )
            }
            Habit::Breaks => format!("the page was that {often}, and is told of it where it lasts"),
            Habit::Today => format!("it says what day it is, {times} days in a row so far"),
            Habit::Moves => format!("it moved at {recent} of the last {of} looks"),
            Habit::Rotates => format!("{times} of {all} texts under this heading came back"),
        }
    }
}

/// Blocks of a page that may have become another one.
const ANOTHER_BLOCKS_MIN: usize = 5;
/// Blocks of ten that came, and of ten that went, where it did.
const ANOTHER_TENTHS: usize = 7;

/// Whether a page became another one as a whole, an error that nobody knew as one, or came back
/// from that: its texts have no habits.
fn is_another(found: &[Found], pair: &Pair<'_>) -> bool {
    let is_most = |kind, extract: &Extract| {
        let blocks = extract.blocks.len();
        let turned = found.iter().filter(|one| one.kind == kind && one.part.is_none()).count();
        turned * 10 >= blocks * ANOTHER_TENTHS
    };
    let blocks = |extract: &Extract| extract.blocks.len();
    blocks(pair.old.extract).max(blocks(pair.new.extract)) >= ANOTHER_BLOCKS_MIN
        && is_most(ChangeKind::Delete, pair.old.extract)
        && is_most(ChangeKind::Insert, pair.new.extract)
}

/// The most looks from one time to the next, of the latest looks.
fn longest_rest(recent: u16) -> u32 {
    let times = (0..u16::BITS).filter(|at| recent >> at & 1 == 1).collect::<Vec<_>>();
    times.windows(2).map(|two| two[1] - two[0]).max().unwrap_or(0)
}

fn shifted(recent: u16, looks: u32) -> u16 {
    recent.checked_shl(looks).unwrap_or(0)
}

fn sample(text: &str) -> Box<str> {
    text[..text.floor_char_boundary(SAMPLE_BYTES)].into()
}

fn text(thing: &Option<Thing>) -> Option<&str> {
    match thing {
        Some(Thing::Text { text }) => Some(text),
        _ => None,
    }
}

/// Stable over releases: it is stored.
fn hash(text: &str) -> u64 {
    hash_on(0xcbf2_9ce4_8422_2325, text)
}

/// The hash of a text behind another one, of which this is the hash. FNV-1a.
fn hash_on(hash: u64, text: &str) -> u64 {
    text.bytes()
        .fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// What a person said is noise. What takes the place of noise is none for that.
fn noise(change: &Found, said: &BTreeSet<Key>) -> Option<Key> {
    let texts = [text(&change.old), text(&change.new)];
    let is_one = change.part.is_some() || texts.iter().any(Option::is_some);
    if !is_one || !said.iter().any(|key| key.habit == Habit::Noise) {
        return None;
    }
    let thing = change.new.as_ref().or(change.old.as_ref())?;
    Key::noise_of(thing).filter(|key| said.contains(key))
}

/// The numbers that alone changed in a text, by their names.
fn counts(change: &Found, pair: &Pair<'_>, standing: &Standing<'_>) -> Vec<Key> {
    counted(change, pair, standing).into_iter().map(|(key, _)| key).collect()
}

/// The same: of a row, those of each cell that differs, with its number.
fn counted(change: &Found, pair: &Pair<'_>, standing: &Standing<'_>) -> Vec<(Key, Option<usize>)> {
    let (Some(old), Some(new)) = (text(&change.old), text(&change.new)) else { return Vec::new() };
    let kind = pair.new.extract.kind;
    // What names a member of a list may be a version: that is none of its own.
    let (name, said) = member(new, kind);
    let is_version = names_version(&(without_names(name) + said)) && !is_comment(new, kind);
    if old.len().max(new.len()) > COUNTER_BYTES_MAX || is_version {
        return Vec::new();
    }
    let numbers = running(member(new, kind), kind);
    let shape = |text| shaped(numbers, text, kind);
    let (old_shape, new_shape) = (shape(old), shape(new));
    // Names of days and months that are no numbers here.
    let is_named = || today::shape(&new_shape) != new_shape;
    if kind == Kind::Html && is_named() && today::are_of_clock(old, new) {
        return vec![(standing.key(Habit::Counts, "clock"), None)];
    }
    if old_shape != new_shape || says_none_or_danger(old, new, change.told_text().unwrap_or(new)) {
        return Vec::new();
    }
    let key = |name: &str| Key { habit: Habit::Counts, hash: hash(name) };
    let first = new_shape.split_once(CELL).map(|(first, _)| first);
    // What stands in the other cells may change.
    let Some(first) = first.filter(|first| first.contains(char::is_alphabetic)) else {
        let is_bare = !new_shape.contains(char::is_alphabetic);
        let own = if is_bare { standing.key(Habit::Counts, &new_shape) } else { key(&new_shape) };
        return vec![(own, None)];
    };
    let cells = old.split(CELL).zip(new.split(CELL)).enumerate();
    let differing: Vec<usize> =
        cells.filter(|(_, (old, new))| old != new).map(|(at, _)| at).collect();
    if differing.len() > CELLS_MAX {
        return vec![(key(first), None)];
    }
    differing.into_iter().map(|at| (key(&format!("{first}{CELL}{at}")), Some(at))).collect()
}

/// A text with `#` for each of its numbers that may run.
fn shaped(numbers: &Regex, text: &str, kind: Kind) -> String {
    let (name, said) = member(text, kind);
    let shape = numbers.replace_all(said, "#");
    known_by(name).into_owned() + &SIGNS.replace_all(&ENDS.replace_all(&shape, "#"), "$1#")
}

fn counts_shape(text: &str, kind: Kind) -> String {
    shaped(running(member(text, kind), kind), text, kind)
}

/// What ends a number that runs: 3rd and 4th, 9 am and 1 pm.
static ENDS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)#(?:st\b|nd\b|rd\b|th\b| ?[ap]\.m\.| ?[ap]m\b)")
        .expect("a regex that a test compiles")
});

/// A sign in front of a number that runs: -3 °C and 2 °C, ▼ 0.3 % and ▲ 0.8 %.
static SIGNS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(^|[\s(])(?:[-−+]|[▲▼△▽↑↓] ?)#").expect("a regex that a test compiles")
});

/// Cells of a row that run one by one; where more do, the row does.
const CELLS_MAX: usize = 2;

/// What numbers of a text were called before: a row by its first cell alone, and ends of numbers as
/// the page has them. A person's word is stored by these names, too.
fn name_before(change: &Found) -> Option<Key> {
    let new = text(&change.new)?;
    let shape = NUMBERS.replace_all(new, "#");
    let first = shape.split_once(CELL).map(|(first, _)| first);
    let row = first.filter(|first| first.contains(char::is_alphabetic));
    Some(Key { habit: Habit::Counts, hash: hash(row.unwrap_or(&shape)) })
}

/// What stands between two cells of a row.
pub const CELL: &str = " | ";

/// Links and images of one look that are learned from.
const LINKS_MAX: usize = 40;

/// The shape of an address of which another part is another one, where the text is the same: the
/// address without that segment of its path, or that value of its query.
fn varying(change: &Found) -> Option<Key> {
    let (old, new) = (change.old.as_ref()?, change.new.as_ref()?);
    let (before, after) = (old.address()?, new.address()?);
    if matches!(new, Thing::Item { .. }) || old.text() != new.text() || before == after {
        return None;
    }
    let parts = |address: &str| -> Vec<String> {
        address.split_inclusive(['/', '?', '&', '=', '#', ';']).map(str::to_owned).collect()
    };
    let (before, after) = (parts(before), parts(after));
    // An address that differs in more parts is another one.
    let differing = before.iter().zip(&after).filter(|(a, b)| a != b).count();
    if before.len() != after.len() || differing > PARTS_MAX {
        return None;
    }
    let last = |part: &str| part.chars().next_back().filter(|c| "/?&=#;".contains(*c));
    // The value of a parameter varies in other ways, too.
    let is_value = |at: usize| {
        let name = at.checked_sub(1).and_then(|at| before[at].strip_suffix('='));
        let value = after[at].trim_end_matches(['&', ';', '#']);
        name.is_some_and(|name| leads::may_vary(name, value))
    };
    let shape: Option<String> = before.iter().zip(&after).enumerate().try_fold(
        String::new(),
        |shape, (at, (before, after))| match before == after {
            true => Some(shape + before),
            // The host stays, and so does what ends a part.
            false if at < 3 || last(before) != last(after) => None,
            false if !(is_token(after) || is_value(at)) || VERSION.is_match(after) => None,
            false => Some(format!("{shape}\u{1}{}", last(after).unwrap_or(' '))),
        },
    );
    Some(Key { habit: Habit::Leads, hash: hash(&shape?) })
}

/// The place of a link or a picture: what its block says, whatever the numbers, under which
/// heading, and what the link says. A link to a version, or at a price, has none: it is news.
fn swaps(change: &Found, pair: &Pair<'_>) -> Option<Key> {
    let thing = change.new.as_ref().or(change.old.as_ref())?;
    let (side, place) = match change.place.as_ref() {
        Some(Spot::Old(place)) => (&pair.old, Some(place)),
        Some(Spot::New(place)) => (&pair.new, Some(place)),
        None => (&pair.new, None),
    };
    let reading = side.reading();
    let block = place.and_then(|place| reading.block(place));
    let said = block.map_or("", |block| &*side.extract.blocks[block].text);
    let heading = block.and_then(|block| reading.section(block)).unwrap_or_default();
    let (kind, text) = match thing {
        Thing::Link { href, text } => {
            let is_version = VERSION.is_match(href) || VERSION.is_match(text);
            if is_version || speaks_of_trade(said) {
                return None;
            }
            ("link", &**text)
        }
        _ => ("picture", ""),
    };
    let said = &said[..said.floor_char_boundary(COUNTER_BYTES_MAX)];
    let said = NUMBERS.replace_all(said, "#");
    let place = format!("{kind}\u{1}{heading}\u{1}{said}\u{1}{text}");
    Some(Key { habit: Habit::Swaps, hash: hash(&place) })
}

/// What a link or a picture is, as a text that no block says.
fn named(thing: &Thing) -> String {
    match thing {
        Thing::Link { href, text } => format!("link\u{1}{}\u{1}{text}", leads::place(href)),
        Thing::Image { src, .. } => {
            format!("picture\u{1}{}", leads::picture(src).unwrap_or_default())
        }
        thing => thing.text().to_owned(),
    }
}

/// What a trace of a link or a picture shows people.
fn sample_of(thing: &Thing) -> &str {
    Some(thing.text()).filter(|text| !text.is_empty()).or(thing.address()).unwrap_or_default()
}

/// Parts of an address that may vary at once.
const PARTS_MAX: usize = 3;

/// A part that may be a token: no word, no date, no number of an issue, no name with one.
fn is_token(part: &str) -> bool {
    static NAMED: LazyLock<Regex> = LazyLock::new(|| {
        let regex = r"(?i)^(?:[a-z]*\d{0,8}[a-z]*(?:[-_.]|$))+$";
        Regex::new(regex).expect("a regex that a test compiles")
    });
    let part = part.trim_end_matches(['/', '?', '&', '=', '#', ';']);
    let has_digit = part.contains(|c: char| c.is_ascii_digit());
    let is_long_word = part.len() >= TOKEN_BYTES_MIN && !part.contains(['-', '_', '.', '%', '+']);
    (has_digit && !NAMED.is_match(part)) || (!has_digit && is_long_word)
}

/// A word is shorter.
const TOKEN_BYTES_MIN: usize = 16;

/// What people know a section by.
fn name_of(section: &str) -> &str {
    section.rsplit('\u{1}').next().unwrap_or_default()
}

#[cfg(test)]
mod tests;
