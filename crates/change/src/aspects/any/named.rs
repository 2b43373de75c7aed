//! Blocks that have names: entries of feeds, members of JSON, elements of XML. What has a name is
//! the same thing wherever it stands, and whatever it says.

use super::{Likeness, Step, difference};
use crate::found::{Found, Pair, Spot};
use crate::leads;
use crate::path::after_path;
use crate::reading::Reading;
use crate::room::{self, Entries, Room};
use crate::{ChangeKind, Limits, Thing};
use chronon::Instant;
use page::{Extract, Kind};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

mod counts;
mod follow;
pub(crate) mod whole;

/// Whether either version has names.
pub(super) fn are_named(pair: &Pair<'_>) -> bool {
    let is_named = |extract: &Extract| extract.blocks.iter().any(|block| block.key.is_some());
    is_named(pair.old.extract) || is_named(pair.new.extract)
}

/// Words that two members of a list share, in hundredths, if they are one.
const LIKE_SHARE_MIN: usize = 50;
/// What a member says that is known by it under another name.
const RENAMED_BYTES_MIN: usize = 8;

/// One thing with a name: an entry, a member.
struct Unit<'e> {
    name: &'e str,
    /// What an entry is called.
    title: &'e str,
    text: String,
    /// Where an entry leads, and the same whoever looks.
    address: &'e str,
    place: Cow<'e, str>,
    blocks: Range<usize>,
    /// When an entry was published.
    at: Option<Instant>,
}

impl Unit<'_> {
    fn says(&self) -> (&str, &str) {
        (&self.text, &self.place)
    }

    /// The same, to the letter.
    fn says_here(&self) -> (&str, &str) {
        (&self.text, self.address)
    }

    fn place(&self, reading: &Reading) -> Range<usize> {
        let last = reading.blocks[self.blocks.end - 1].end;
        reading.blocks[self.blocks.start].start..last
    }
}

/// The changes of things with names. What only changed its place counts little, and so does what
/// dropped off the end of a feed, or is there again since another one was removed.
pub(super) fn compare(pair: &Pair<'_>, limits: &Limits) -> Vec<Found> {
    let kind = pair.new.extract.kind;
    let [old, new] = [pair.old.extract, pair.new.extract].map(units);
    let steps = match kind {
        Kind::Feed => entries(&old, &new, limits),
        Kind::Json => renamed_members(members(&old, &new, limits), [&old, &new]),
        _ => members(&old, &new, limits),
    };
    let room = match kind {
        Kind::Feed => room(pair, &steps, [&old, &new]),
        _ => Room::default(),
    };
    let thing = |text: &str| Some(Thing::Text { text: text.to_owned() });
    let at = |n: usize| Spot::New(new[n].place(pair.new.reading()));
    let found = |step: &Step| match *step {
        Step::Insert(n) => {
            let found = Found::between(ChangeKind::Insert, None, thing(&new[n].text))
                .at(at(n))
                .leading(new[n].address);
            room.weighed_new(found, n)
        }
        // An entry that leads elsewhere now says where.
        Step::Update(o, n) if old[o].text == new[n].text => {
            let [before, after] = [&old[o], &new[n]].map(|u| format!("{} {}", u.text, u.address));
            Found::between(ChangeKind::Update, thing(&before), thing(&after)).at(at(n))
        }
        Step::Update(o, n) => {
            let things = (thing(&old[o].text), thing(&new[n].text));
            Found::between(ChangeKind::Update, things.0, things.1).at(at(n)).leading(new[n].address)
        }
        Step::Move(o, n) => {
            let things = (thing(&old[o].text), thing(&new[n].text));
            Found::between(ChangeKind::Move, things.0, things.1).at(at(n)).slight()
        }
        Step::Delete(o) => {
            let place = Spot::Old(old[o].place(pair.old.reading()));
            let found = Found::between(ChangeKind::Delete, thing(&old[o].text), None)
                .at(place)
                .leading(old[o].address);
            room.weighed_old(found, o)
        }
    };
    let mut found: Vec<Found> = steps.iter().map(found).collect();
    if room.grows_at_end {
        newest_first(&mut found);
    }
    if kind == Kind::Json {
        found.iter_mut().for_each(|one| one.is_slight |= is_bracket(one));
        follow::mark(&mut found);
        counts::mark(&mut found, pair);
    }
    if matches!(kind, Kind::Json | Kind::Xml) {
        whole::name_members(&mut found, pair);
    }
    found
}

/// Turns the order of new entries around, and leaves everything else where it is.
fn newest_first(found: &mut [Found]) {
    let is_new = |at: &usize| found[*at].kind == ChangeKind::Insert;
    let places: Vec<usize> = (0..found.len()).filter(is_new).collect();
    for (at, other) in places.iter().zip(places.iter().rev()).take(places.len() / 2) {
        found.swap(*at, *other);
    }
}

fn units(extract: &Extract) -> Vec<Unit<'_>> {
    match extract.kind {
        Kind::Feed => entries_of(extract),
        _ => members_of(extract),
    }
}

/// Whether a text begins with these words, or is nothing but them.
fn begins(text: &str, words: &str) -> bool {
    let words = words.trim_end_matches(['.', '…', '!', '?']);
    let rest = text.strip_prefix(words);
    rest.is_some_and(|rest| !words.is_empty() && !rest.starts_with(char::is_alphanumeric))
}

/// The entries of a feed: neighbouring blocks of one name.
fn entries_of(extract: &Extract) -> Vec<Unit<'_>> {
    let same = |a: &page::Block, b: &page::Block| a.key.is_some() && a.key == b.key;
    let mut links = Links::of(extract);
    let mut entries = Vec::new();
    let mut at = 0;
    for blocks in extract.blocks.chunk_by(same) {
        let range = at..at + blocks.len();
        at = range.end;
        let texts: Vec<&str> = blocks.iter().map(|block| &*block.text).collect();
        // A text that begins with its title says it already.
        let is_said = texts.len() == 2 && begins(texts[1], texts[0]);
        let texts = if is_said { &texts[1..] } else { &texts[..] };
        let address = links.next(&blocks[0].text, &range);
        entries.push(Unit {
            name: blocks[0].key.as_deref().unwrap_or(&blocks[0].text),
            title: &blocks[0].text,
            text: texts.join(" — "),
            address,
            place: leads::place_of_entry(address),
            blocks: range,
            at: blocks[0].at,
        });
    }
    entries
}

/// The links of a feed that no entry has taken so far, and how many stand before each block.
struct Links<'e> {
    all: &'e [page::Link],
    before: Vec<usize>,
    taken: usize,
    /// The first of each title, where blocks do not say what stands at them.
    titled: FxHashMap<&'e str, &'e str>,
}

impl<'e> Links<'e> {
    fn of(extract: &'e Extract) -> Links<'e> {
        let mut before = vec![0];
        let mut count = 0;
        for block in &extract.blocks {
            count += block.links as usize;
            before.push(count);
        }
        let mut titled = FxHashMap::default();
        if count != extract.links.len() {
            for link in &extract.links {
                titled.entry(&*link.text).or_insert(&*link.href);
            }
        }
        Links { all: &extract.links, before, taken: 0, titled }
    }

    /// Where the entry of these blocks leads, each asked for in turn; empty: nowhere. A link counts
    /// where the next entry begins, as it ends its own.
    fn next(&mut self, title: &str, blocks: &Range<usize>) -> &'e str {
        let Some(&last) = self.before.last().filter(|&&last| last == self.all.len()) else {
            return self.titled.get(title).copied().unwrap_or_default();
        };
        let from = self.before[blocks.start].max(self.taken);
        let to = self.before.get(blocks.end + 1).copied().unwrap_or(last);
        let near = self.all.get(from..to).unwrap_or_default();
        let called = |name: &str| near.iter().position(|link| link.text == name);
        // One without a title has a link without a text.
        let Some(at) = called(title).or_else(|| called("")) else { return "" };
        self.taken = from + at + 1;
        &near[at].href
    }
}

/// The members of a document: each with its name in front, as in `packages[kettle].price: 40`. An
/// empty list is none: its members say so.
fn members_of<'e>(extract: &'e Extract) -> Vec<Unit<'e>> {
    let unit = |(at, block): (usize, &'e page::Block)| {
        let value = value(block, extract.kind);
        let text = match block.key.as_deref() {
            Some(name) => format!("{name}: {value}"),
            None => block.text.clone(),
        };
        let name = block.key.as_deref().unwrap_or_default();
        Unit { name, title: "", text, address: "", place: "".into(), blocks: at..at + 1, at: None }
    };
    let is_empty = |block: &page::Block| {
        extract.kind == Kind::Json && matches!(after_path(&block.text), "[]" | "{}")
    };
    extract.blocks.iter().enumerate().filter(|(_, block)| !is_empty(block)).map(unit).collect()
}

/// What a member says, without its path or the name of its attribute.
fn value(block: &page::Block, kind: Kind) -> &str {
    let attribute = block.key.as_deref().and_then(|key| key.rsplit_once('@'));
    match (kind, attribute) {
        (Kind::Json, _) => after_path(&block.text),
        // A row of CSV begins with its name.
        (Kind::Text, _) => {
            let name = block.key.as_deref().unwrap_or_default();
            let rest = block.text.strip_prefix(name).and_then(|rest| rest.strip_prefix(": "));
            rest.unwrap_or(&block.text)
        }
        (_, Some((_, name))) => {
            let rest = block.text.strip_prefix(name).and_then(|rest| rest.strip_prefix(": "));
            rest.unwrap_or(&block.text)
        }
        _ => &block.text,
    }
}

/// What became of entries: each is known by its name; where names change at each look, by what it
/// says.
fn entries(old: &[Unit<'_>], new: &[Unit<'_>], limits: &Limits) -> Vec<Step> {
    let keys = keys([old, new]);
    let [before, after]: [Vec<&str>; 2] =
        keys.each_ref().map(|keys| keys.iter().map(|key| &**key).collect());
    let mut steps = difference(&before, &after, Likeness::Never, limits);
    let is_of = |o: usize, n: usize| old[o].says() == new[n].says();
    // What has a name on both sides, and where.
    let mut waiting: FxHashMap<&str, VecDeque<usize>> = FxHashMap::default();
    let (mut gone, mut come) = (BTreeSet::new(), BTreeSet::new());
    let mut moved: FxHashMap<usize, usize> = FxHashMap::default();
    for step in &steps {
        match *step {
            Step::Delete(o) => drop(gone.insert(o)),
            Step::Insert(n) => drop(come.insert(n)),
            Step::Move(o, n) | Step::Update(o, n) => drop(moved.insert(n, o)),
        }
    }
    let is_moved: BTreeSet<usize> = moved.values().copied().collect();
    for o in (0..old.len()).filter(|o| !gone.contains(o) && !is_moved.contains(o)) {
        waiting.entry(before[o]).or_default().push_back(o);
    }
    steps.retain(|step| !matches!(step, Step::Move(..)));
    for n in (0..new.len()).filter(|n| !come.contains(n)) {
        let mut still = || waiting.get_mut(after[n]).and_then(VecDeque::pop_front);
        let (o, is_moved) = match moved.get(&n) {
            Some(&o) => (Some(o), true),
            None => (still(), false),
        };
        match o {
            Some(o) if !is_of(o, n) => steps.push(Step::Update(o, n)),
            Some(o) if is_moved => steps.push(Step::Move(o, n)),
            _ => {}
        }
    }
    steps = renamed(steps, old, new);
    in_order(&mut steps);
    steps
}

/// What each entry is known by: one that both versions have word for word by what it says, any
/// other by its name. O(n log n).
fn keys<'u>(sides: [&'u [Unit<'u>]; 2]) -> [Vec<Cow<'u, str>>; 2] {
    let here = sides.map(|units| units.iter().map(Unit::says_here).collect::<BTreeSet<_>>());
    let is_here = |unit: &Unit<'_>| here.iter().all(|here| here.contains(&unit.says_here()));
    let others = |units: &'u [Unit<'u>]| units.iter().filter(|unit| !is_here(unit));
    let said = sides.map(|units| others(units).map(Unit::says).collect::<BTreeSet<_>>());
    // No name begins like these.
    let key = |unit: &'u Unit<'u>| {
        if is_here(unit) {
            Cow::Owned(["", &unit.text, unit.address].join("\u{0}"))
        } else if said.iter().all(|said| said.contains(&unit.says())) {
            Cow::Owned(["", "", &unit.text, &unit.place].join("\u{0}"))
        } else {
            Cow::Borrowed(unit.name)
        }
    };
    sides.map(|units| units.iter().map(key).collect())
}

/// An entry that went, and one that came and says the same under another name, are one that
/// stayed. One with the same title that leads to the same page was edited.
fn renamed(steps: Vec<Step>, old: &[Unit<'_>], new: &[Unit<'_>]) -> Vec<Step> {
    fn said<'u>(unit: &'u Unit<'_>) -> Option<(&'u str, &'u str)> {
        Some((&unit.text, ""))
    }
    fn called<'u>(unit: &'u Unit<'_>) -> Option<(&'u str, &'u str)> {
        Some((unit.title, &*unit.place)).filter(|_| !unit.address.is_empty())
    }
    let steps = joined(steps, [old, new], said, Step::Move);
    // Nothing tells entries apart that share a title and an address: the oldest makes room.
    let are_one = |units: &[Unit<'_>]| {
        let mut seen = BTreeSet::new();
        units.iter().filter_map(called).all(|called| seen.insert(called))
    };
    if are_one(old) && are_one(new) {
        joined(steps, [old, new], called, Step::Update)
    } else {
        steps
    }
}

/// Makes one step of an entry that went and one that came where they have the same key, in order.
fn joined(
    steps: Vec<Step>,
    [old, new]: [&[Unit<'_>]; 2],
    key: for<'u> fn(&'u Unit<'_>) -> Option<(&'u str, &'u str)>,
    join: fn(usize, usize) -> Step,
) -> Vec<Step> {
    let mut gone: FxHashMap<(&str, &str), VecDeque<usize>> = FxHashMap::default();
    for step in &steps {
        if let Step::Delete(o) = *step
            && let Some(key) = key(&old[o])
        {
            gone.entry(key).or_default().push_back(o);
        }
    }
    let mut stayed = BTreeSet::new();
    let mut kept: Vec<Step> = Vec::with_capacity(steps.len());
    for step in steps {
        let Step::Insert(n) = step else {
            kept.push(step);
            continue;
        };
        let went = key(&new[n]).and_then(|key| gone.get_mut(&key)?.pop_front());
        stayed.extend(went);
        kept.push(went.map_or(step, |o| join(o, n)));
    }
    kept.retain(|step| !matches!(step, Step::Delete(o) if stayed.contains(o)));
    kept
}

/// What became of members: what says the same under the same name stayed; of the rest, what has
/// one name is one thing, whatever it says now.
fn members(old: &[Unit<'_>], new: &[Unit<'_>], limits: &Limits) -> Vec<Step> {
    fn texts<'u>(units: &'u [Unit<'u>]) -> Vec<&'u str> {
        units.iter().map(|unit| &*unit.text).collect()
    }
    let mut come: FxHashMap<&str, VecDeque<usize>> = FxHashMap::default();
    let (mut gone, mut steps) = (Vec::new(), Vec::new());
    for step in difference(&texts(old), &texts(new), Likeness::Never, limits) {
        match step {
            Step::Insert(n) => come.entry(new[n].name).or_default().push_back(n),
            Step::Delete(o) => gone.push(o),
            step => steps.push(step),
        }
    }
    let alike = alike_members(&gone, &mut come, [old, new]);
    for o in gone {
        let mut next = || come.get_mut(old[o].name).and_then(VecDeque::pop_front);
        steps.push(match alike.get(&o).copied().or_else(&mut next) {
            Some(n) => Step::Update(o, n),
            None => Step::Delete(o),
        });
    }
    let mut come: Vec<usize> = come.into_values().flatten().collect();
    come.sort_unstable();
    steps.extend(come.into_iter().map(Step::Insert));
    in_order(&mut steps);
    steps
}

/// Which member of a list that came has most of the words of one that went: these are one, wherever
/// they stand. They are taken from those that came. The first 64 of each list are looked at.
fn alike_members(
    gone: &[usize],
    come: &mut FxHashMap<&str, VecDeque<usize>>,
    [old, new]: [&[Unit<'_>]; 2],
) -> FxHashMap<usize, usize> {
    let mut looked = FxHashMap::<&str, usize>::default();
    let mut alike = FxHashMap::default();
    for &o in gone.iter().filter(|o| old[**o].name.ends_with("[]")) {
        let Some(come) = come.get_mut(old[o].name) else { continue };
        let looked = looked.entry(old[o].name).or_default();
        *looked += 1;
        if *looked > super::WINDOW {
            continue;
        }
        let said = |unit: &Unit<'_>| super::words(after_path(&unit.text));
        let before = said(&old[o]);
        let share = |n: &usize| super::shared_in_hundredths(&before, &said(&new[*n]));
        let shares = come.iter().take(super::WINDOW).map(share).enumerate();
        let best = shares.rev().max_by_key(|(_, share)| *share);
        if let Some((at, _)) = best.filter(|(_, share)| *share >= LIKE_SHARE_MIN) {
            alike.extend(come.remove(at).map(|n| (o, n)));
        }
    }
    alike
}

/// A member that went, and one beside it that came and says the same, are one under another name:
/// `checkver.re` and `checkver.regex`. What is short, or only a number, may be said of several.
fn renamed_members(steps: Vec<Step>, [old, new]: [&[Unit<'_>]; 2]) -> Vec<Step> {
    fn said<'u>(unit: &'u Unit<'_>) -> Option<(&'u str, &'u str)> {
        let value = after_path(&unit.text);
        let (parent, name) = unit.name.rsplit_once('.').unwrap_or(("", unit.name));
        let is_said = value.len() >= RENAMED_BYTES_MIN && value.contains(char::is_alphabetic);
        (is_said && !name.ends_with(']')).then_some((parent, value))
    }
    let counts = |at: Vec<usize>, units: &[Unit<'_>]| {
        let mut counts: FxHashMap<(String, String), usize> = FxHashMap::default();
        for (parent, value) in at.into_iter().filter_map(|at| said(&units[at])) {
            *counts.entry((parent.to_owned(), value.to_owned())).or_default() += 1;
        }
        counts
    };
    let gone = counts(Step::gone(&steps).collect(), old);
    let came = counts(Step::came(&steps).collect(), new);
    let is_one =
        came.iter().all(|(key, count)| *count == 1 && gone.get(key).is_none_or(|n| *n == 1));
    if is_one { joined(steps, [old, new], said, Step::Update) } else { steps }
}

/// A member of a list that is a bracket and nothing else, as a line of a script is.
fn is_bracket(one: &Found) -> bool {
    let is_only_there = matches!(one.kind, ChangeKind::Insert | ChangeKind::Delete);
    let rest = one.text().and_then(|text| text.split_once("[]: "));
    is_only_there
        && rest.is_some_and(|(_, value)| {
            value.contains(['{', '}', '(', ')']) && value.chars().all(|c| "{}();, ".contains(c))
        })
}

/// What is gone comes first, in its order; then the rest, in the order of the newer version.
fn in_order(steps: &mut [Step]) {
    steps.sort_unstable_by_key(|step| match *step {
        Step::Delete(o) => (0, o),
        Step::Insert(n) | Step::Update(_, n) | Step::Move(_, n) => (1, n),
    });
}

/// Which entries came and went only since a feed lists some.
fn room(pair: &Pair<'_>, steps: &[Step], units: [&[Unit<'_>]; 2]) -> Room {
    let [old, new] = units.map(|units| units.iter().map(|unit| unit.at).collect::<Vec<_>>());
    let gone: BTreeSet<usize> = Step::gone(steps).collect();
    let came: BTreeSet<usize> = Step::came(steps).collect();
    let again = came.iter().copied().filter(|n| pair.has_listed(units[1][*n].name)).collect();
    let changed = steps.iter().filter_map(|step| match *step {
        Step::Update(o, n) | Step::Move(o, n) => Some((o, n)),
        Step::Insert(_) | Step::Delete(_) => None,
    });
    let stayed = stayed(changed.collect(), [&gone, &came], [old.len(), new.len()]);
    let is_turned = room::is_turned(stayed);
    Room::of(&Entries { times: [&old, &new], gone, came, again, is_turned })
}

/// All entries that stayed, by their positions: what no step is of kept its order.
fn stayed(
    mut pairs: Vec<(usize, usize)>,
    [gone, came]: [&BTreeSet<usize>; 2],
    [old, new]: [usize; 2],
) -> Vec<(usize, usize)> {
    let [known_old, known_new]: [BTreeSet<usize>; 2] =
        [pairs.iter().map(|pair| pair.0).collect(), pairs.iter().map(|pair| pair.1).collect()];
    let old = (0..old).filter(|o| !gone.contains(o) && !known_old.contains(o));
    let new = (0..new).filter(|n| !came.contains(n) && !known_new.contains(n));
    pairs.extend(old.zip(new));
    pairs
}

#[cfg(test)]
mod tests;
