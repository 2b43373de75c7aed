//! Where the links of a page lead, and which pictures it shows: what changes there while the text
//! stays.
//!
//! What stands in both versions, wherever, did not change. Another link of the same text in a
//! block that stayed leads elsewhere: an update. What came or went with the text of its
//! block is told by that. The tests have a slow twin of the pairing.

use super::Step;
use crate::found::{Found, Pair, Spot};
use crate::reading::Reading;
use crate::{ChangeKind, Thing, Weight, keyed, leads};
use page::{Block, Extract, Image, Link, Part};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

mod words;

/// Longer blocks are not searched for the texts of their links.
const SEARCHED_BYTES_MAX: usize = 10_000;

/// What became of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// The block of the other version that says the same, here or elsewhere.
    Stayed(usize),
    /// The block of the other version that it was, or is now.
    Changed(usize),
    /// It came or went, and counts as much.
    Alone(Weight),
}

/// What became of the blocks of both versions, by their numbers.
#[derive(Debug)]
pub(super) struct Fates {
    old: Vec<Fate>,
    new: Vec<Fate>,
}

impl Fates {
    /// `found` is what each of the steps comes to.
    pub(super) fn of(pair: &Pair<'_>, steps: &[Step], found: &[Found]) -> Fates {
        let (old, new) = (pair.old.extract.blocks.len(), pair.new.extract.blocks.len());
        let (mut old_fates, mut new_fates) = (vec![None; old], vec![None; new]);
        for (step, found) in steps.iter().zip(found) {
            match *step {
                Step::Insert(n) => new_fates[n] = Some(Fate::Alone(found.weight(pair))),
                Step::Delete(o) => old_fates[o] = Some(Fate::Alone(found.weight(pair))),
                Step::Update(o, n) => {
                    (old_fates[o], new_fates[n]) = (Some(Fate::Changed(n)), Some(Fate::Changed(o)));
                }
                Step::Move(o, n) => {
                    (old_fates[o], new_fates[n]) = (Some(Fate::Stayed(n)), Some(Fate::Stayed(o)));
                }
            }
        }
        // What no step speaks of stayed where it was, in order.
        let open = |fates: &[Option<Fate>]| -> Vec<usize> {
            (0..fates.len()).filter(|&at| fates[at].is_none()).collect()
        };
        for (o, n) in open(&old_fates).into_iter().zip(open(&new_fates)) {
            (old_fates[o], new_fates[n]) = (Some(Fate::Stayed(n)), Some(Fate::Stayed(o)));
        }
        let settled = |fates: Vec<Option<Fate>>| {
            fates.into_iter().map(|fate| fate.unwrap_or(Fate::Alone(Weight::FULL))).collect()
        };
        let mut fates = Fates { old: settled(old_fates), new: settled(new_fates) };
        fates.doubt([pair.old.extract, pair.new.extract]);
        fates
    }

    /// A text that a version has several times, such as "Read more", stayed only where it stands
    /// between the same others: what is new beside it brought its own.
    fn doubt(&mut self, [old, new]: [&Extract; 2]) {
        let (old_is_own, new_is_own) = (are_own(old), are_own(new));
        let is_own = |o: usize, n: usize| old_is_own[o] && new_is_own[n];
        // Those that are known by their text, numbered alike in both versions.
        let known = |fates: &[Fate], is_known: &dyn Fn(usize, usize) -> Option<usize>| {
            let known = fates.iter().enumerate().map(|(at, fate)| match *fate {
                Fate::Stayed(other) | Fate::Changed(other) => is_known(at, other).map(Some),
                Fate::Alone(weight) => (weight >= Weight::ENOUGH).then_some(None),
            });
            neighbours(&known.collect::<Vec<_>>())
        };
        let old_near = known(&self.old, &|o, n| is_own(o, n).then_some(n));
        let new_near = known(&self.new, &|n, o| is_own(o, n).then_some(n));
        let stays = |n: usize, o: usize| {
            is_own(o, n)
                || new_near[n].is_some() && old_near[o] == new_near[n]
                || self.is_behind_its_own(o, n, is_own)
        };
        let doubted: Vec<(usize, usize)> = (0..self.new.len())
            .filter_map(|n| match self.new[n] {
                Fate::Stayed(o) if !stays(n, o) => Some((n, o)),
                _ => None,
            })
            .collect();
        for (n, o) in doubted {
            (self.new[n], self.old[o]) = (Fate::Alone(Weight::FULL), Fate::Alone(Weight::FULL));
        }
    }

    /// Whether a text stands right behind one that is known, and what stood behind it gave way to
    /// another: neither brought it.
    fn is_behind_its_own(&self, o: usize, n: usize, is_own: impl Fn(usize, usize) -> bool) -> bool {
        let (Some(o_before), Some(n_before)) = (o.checked_sub(1), n.checked_sub(1)) else {
            return false;
        };
        let is_alone = |fate: Option<&Fate>| matches!(fate, Some(Fate::Alone(_)));
        self.new[n_before] == Fate::Stayed(o_before)
            && is_own(o_before, n_before)
            && is_alone(self.old.get(o + 1))
            && is_alone(self.new.get(n + 1))
    }
}

/// Whether each block's text is that of no other.
fn are_own(extract: &Extract) -> Vec<bool> {
    let mut counts: FxHashMap<&str, u32> = FxHashMap::default();
    for block in &extract.blocks {
        *counts.entry(&block.text).or_default() += 1;
    }
    extract.blocks.iter().map(|block| counts[&*block.text] == 1).collect()
}

/// The known blocks before and behind each one; `None`: one of them came or went. Each block
/// is given as nothing, or as known, with its number if it is in both versions.
fn neighbours(known: &[Option<Option<usize>>]) -> Vec<Option<[Option<usize>; 2]>> {
    // Before the first and behind the last one are places that both versions have.
    let mut before = Vec::with_capacity(known.len());
    let mut last = Some(None);
    for one in known {
        before.push(last);
        last = one.map_or(last, |number| number.map(Some));
    }
    let mut near = vec![None; known.len()];
    let mut next = Some(None);
    for (at, one) in known.iter().enumerate().rev() {
        near[at] = before[at].zip(next).map(|(before, next)| [before, next]);
        next = one.map_or(next, |number| number.map(Some));
    }
    near
}

/// A link or a picture of a version.
#[derive(Debug)]
pub(super) struct One<'e> {
    /// Where it leads, or what it shows; differs where that is another.
    place: String,
    /// The address as the page has it.
    address: &'e str,
    /// What it says.
    text: &'e str,
    part: Part,
    /// The number of the block that it stands in; `None`: the page has no blocks, or an extract
    /// does not say.
    block: Option<usize>,
}

/// The number of the block of each thing; `count` says how many stand in one.
fn places(blocks: &[Block], count: fn(&Block) -> u32) -> impl Iterator<Item = Option<usize>> + '_ {
    let places = blocks.iter().enumerate();
    let places = places.flat_map(move |(at, block)| (0..count(block)).map(move |_| Some(at)));
    places.chain(std::iter::repeat(None))
}

pub(super) fn links(extract: &Extract) -> Vec<One<'_>> {
    let places = places(&extract.blocks, |block| block.links);
    let mut links = Vec::with_capacity(extract.links.len());
    for (Link { href, text, part }, block) in extract.links.iter().zip(places) {
        let place = leads::place(href).into_owned();
        links.push(One { place, address: href, text, part: *part, block });
    }
    links
}

/// Those that stand in for others are left out.
pub(super) fn pictures(extract: &Extract) -> Vec<One<'_>> {
    let places = places(&extract.blocks, |block| block.images);
    let mut pictures = Vec::with_capacity(extract.images.len());
    for (Image { src, alt, part }, block) in extract.images.iter().zip(places) {
        if let Some(place) = leads::picture(src) {
            pictures.push(One { place, address: src, text: alt, part: *part, block });
        }
    }
    pictures
}

/// What became of a link or a picture, by its position in the lists of both versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    Insert(usize),
    Delete(usize),
    Update(usize, usize),
}

/// Both lists of links, or of pictures.
type Two<'a> = [&'a [One<'a>]; 2];

/// The changes of links and pictures that no text tells. O(n log n).
pub(super) fn compare(pair: &Pair<'_>, fates: &Fates) -> Vec<Found> {
    let versions = [pair.old.extract, pair.new.extract];
    let [old_links, new_links] = versions.map(links);
    let [old_pictures, new_pictures] = versions.map(pictures);
    let links = [&*old_links, &*new_links];
    let pictures = [&*old_pictures, &*new_pictures];
    let blocks = versions.map(|extract| &*extract.blocks);
    let mut of_pictures = picture_turns(pictures, fates);
    of_pictures.retain(|turn| !is_picture_told(turn, pictures, fates, blocks));
    let mut of_links = link_turns(links, fates);
    words::join(&mut of_links, links, fates);
    let shown = Pictures::of(&of_pictures, pictures);
    let is_told = |turn: &Turn| is_link_told(turn, links, fates, blocks);
    of_links.retain(|turn| {
        let is_told = is_told(turn) || words::are_told(turn, links, is_told);
        !is_told && !shown.tell(turn, links)
    });
    let places =
        [words::Places::of(&old_links, &pair.old), words::Places::of(&new_links, &pair.new)];
    let link = |one: &One<'_>| Thing::Link { href: one.address.into(), text: one.text.into() };
    let picture = |one: &One<'_>| Thing::Image { src: one.address.into(), alt: one.text.into() };
    let ranked = of_links.iter().filter(|turn| rank(turn, links).is_some()).count();
    let is_ranked = |turn: &Turn| match rank(turn, links) {
        Some(leads::Ranked::Surely) => true,
        Some(leads::Ranked::AmongOthers) => ranked > 1,
        None => false,
    };
    let of_links = of_links.iter().map(|turn| {
        let one = found((pair, fates), turn, links, link);
        let says_nothing = is_of_a_language(turn, links)
            || is_said(turn, links)
            || is_ranked(turn)
            || words::is_linked_beside(turn, links, fates, places.each_ref());
        if says_nothing { one.slight() } else { one }
    });
    let mut of_links: Vec<Found> = of_links.collect();
    leads::mark_visits(&mut of_links);
    let of_pictures = of_pictures.iter().map(|turn| {
        let one = found((pair, fates), turn, pictures, picture);
        if is_recoded(turn, pictures) { one.slight() } else { one }
    });
    of_links.into_iter().chain(of_pictures).collect()
}

/// Whether a link only seems to lead elsewhere: to the same in the language of the reader.
fn is_of_a_language(turn: &Turn, [old, new]: Two<'_>) -> bool {
    matches!(*turn, Turn::Update(o, n)
        if leads::differ_in_a_language(old[o].address, new[n].address))
}

/// Whether a link leads where it led, and only says another place in its list.
fn rank(turn: &Turn, [old, new]: Two<'_>) -> Option<leads::Ranked> {
    match *turn {
        Turn::Update(o, n) => leads::differ_in_rank(old[o].address, new[n].address),
        Turn::Insert(_) | Turn::Delete(_) => None,
    }
}

/// Whether a link that came or went leads where its own text says.
fn is_said(turn: &Turn, [old, new]: Two<'_>) -> bool {
    let one = match *turn {
        Turn::Insert(n) => &new[n],
        Turn::Delete(o) => &old[o],
        Turn::Update(..) => return false,
    };
    leads::is_said(one.address, one.text)
}

/// Whether a picture only seems to be another: the same in another format.
fn is_recoded(turn: &Turn, [old, new]: Two<'_>) -> bool {
    matches!(*turn, Turn::Update(o, n) if old[o].text == new[n].text
        && leads::is_recoded(old[o].address, new[n].address))
}

/// Links of the same text in a block that stayed, or in what it became, are one. What leads where
/// another text led is told as a text.
pub(super) fn link_turns([old, new]: Two<'_>, fates: &Fates) -> Vec<Turn> {
    let mut left = Left::of([old, new], fates);
    let updates = left.pair(
        |o| Some((old[o].block, old[o].text)),
        |n| Some((fates.was(new[n].block)?, new[n].text)),
    );
    left.pair(|o| Some(&*old[o].place), |n| Some(&*new[n].place));
    left.turns(updates)
}

/// Pictures of one address are one, whatever they are called. So are those of one name in a block
/// that stayed, or in what it became, then all others there, and those of one name right behind
/// such a block.
pub(super) fn picture_turns([old, new]: Two<'_>, fates: &Fates) -> Vec<Turn> {
    let mut left = Left::of([old, new], fates);
    let was = |n: usize| fates.was(new[n].block);
    let mut updates = left.pair(|o| Some(&*old[o].place), |n| Some(&*new[n].place));
    updates
        .extend(left.pair(|o| Some((old[o].block, old[o].text)), |n| Some((was(n)?, new[n].text))));
    updates.extend(left.pair(|o| Some(old[o].block), was));
    // A picture stands in the block that follows, which may be new or gone.
    updates.extend(left.pair(
        |o| Some((before(&old[o]), named(&old[o])?)),
        |n| Some((fates.was(before(&new[n]))?, named(&new[n])?)),
    ));
    left.turns(updates)
}

/// The block in front of the one in which something stands, if there is one.
fn before(one: &One<'_>) -> Option<usize> {
    one.block?.checked_sub(1)
}

fn named<'a>(one: &One<'a>) -> Option<&'a str> {
    Some(one.text).filter(|text| !text.is_empty())
}

/// What is not paired yet, by position.
struct Left {
    old: Vec<usize>,
    new: Vec<usize>,
}

impl Left {
    /// All but what stands in both versions: that did not change, wherever it stands. If several
    /// are alike, those in a block that stayed, or in what it became, are the same.
    fn of([old, new]: Two<'_>, fates: &Fates) -> Left {
        let mut left = Left { old: (0..old.len()).collect(), new: (0..new.len()).collect() };
        fn written<'a>(one: &'a One<'_>) -> Option<(&'a str, &'a str)> {
            Some((one.address, one.text))
        }
        fn meant<'a>(one: &'a One<'_>) -> Option<(&'a str, &'a str)> {
            Some((&one.place, one.text))
        }
        let was = |n: usize| fates.was(new[n].block);
        left.pair(
            |o| Some((old[o].block, written(&old[o]))),
            |n| Some((was(n)?, written(&new[n]))),
        );
        left.pair(|o| Some((old[o].block, meant(&old[o]))), |n| Some((was(n)?, meant(&new[n]))));
        left.pair(|o| written(&old[o]), |n| written(&new[n]));
        left.pair(|o| meant(&old[o]), |n| meant(&new[n]));
        left
    }

    /// Pairs what has the same key, in order; it is not left then.
    fn pair<K: Eq + std::hash::Hash>(
        &mut self,
        old_key: impl Fn(usize) -> Option<K>,
        new_key: impl Fn(usize) -> Option<K>,
    ) -> Vec<(usize, usize)> {
        let pairs;
        (self.old, self.new, pairs) = keyed::cancel(&self.old, &self.new, old_key, new_key);
        pairs
    }

    /// In the order of the newer version; then what is gone.
    fn turns(self, updates: Vec<(usize, usize)>) -> Vec<Turn> {
        let updates = updates.into_iter().map(|(o, n)| (n, Turn::Update(o, n)));
        let inserts = self.new.into_iter().map(|n| (n, Turn::Insert(n)));
        let mut turns: Vec<(usize, Turn)> = updates.chain(inserts).collect();
        turns.sort_unstable_by_key(|&(n, _)| n);
        let deletes = self.old.into_iter().map(Turn::Delete);
        turns.into_iter().map(|(_, turn)| turn).chain(deletes).collect()
    }
}

impl Fates {
    /// The block of the older version that a block of the newer one was: `Some(None)` for no block,
    /// `None` if it is new.
    fn was(&self, block: Option<usize>) -> Option<Option<usize>> {
        match block.map(|block| self.new[block]) {
            None => Some(None),
            Some(Fate::Stayed(old) | Fate::Changed(old)) => Some(Some(old)),
            Some(Fate::Alone(_)) => None,
        }
    }
}

/// What came or went, with what became of its block, and the blocks of the other version; `None`:
/// it is another now, or stands in no block.
fn alone<'a>(
    turn: &Turn,
    [old, new]: Two<'a>,
    fates: &Fates,
    blocks: [&'a [Block]; 2],
) -> Option<(&'a One<'a>, Fate, [&'a [Block]; 2])> {
    match *turn {
        Turn::Insert(n) => Some((&new[n], fates.new[new[n].block?], [blocks[1], blocks[0]])),
        Turn::Delete(o) => Some((&old[o], fates.old[old[o].block?], blocks)),
        Turn::Update(..) => None,
    }
}

/// Whether the text of its block tells of a link that came or went: it came or went with it. A
/// link without words is told by its picture.
fn is_link_told(turn: &Turn, links: Two<'_>, fates: &Fates, blocks: [&[Block]; 2]) -> bool {
    let Some((one, fate, [own, others])) = alone(turn, links, fates, blocks) else { return false };
    let has_words = |block: usize| stands_in(one.text, &own[block].text);
    if one.text.is_empty() || !one.block.is_some_and(has_words) {
        return true;
    }
    match fate {
        Fate::Stayed(_) => false,
        // Another of the same words came or went with the text.
        Fate::Changed(other) => {
            let is_short = others[other].text.len() <= SEARCHED_BYTES_MAX;
            let words = |block: &Block| words_in(one.text, &block.text);
            let parts = |block: &Block| block.text.matches(one.text).count();
            // A link may be part of a word, and some languages have no blanks.
            let is_told = |own: &Block| match words(own) {
                0 => parts(&others[other]) != parts(own),
                count => words(&others[other]) != count,
            };
            !is_short || one.block.is_some_and(|block| is_told(&own[block]))
        }
        Fate::Alone(_) => true,
    }
}

/// How often a text stands in another as whole words.
fn words_in(text: &str, block: &str) -> usize {
    let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let inner = |at: usize| {
        let (before, behind) = (&block[..at], &block[at + text.len()..]);
        is_part(before.chars().next_back()) && is_part(text.chars().next())
            || is_part(behind.chars().next()) && is_part(text.chars().next_back())
    };
    block.match_indices(text).filter(|(at, _)| !inner(*at)).count()
}

fn stands_in(text: &str, block: &str) -> bool {
    block.len() <= SEARCHED_BYTES_MAX && block.contains(text)
}

/// Whether a text that a picture stands at, or the one before it, tells of it: both came or went,
/// and the text counts.
fn is_picture_told(turn: &Turn, pictures: Two<'_>, fates: &Fates, blocks: [&[Block]; 2]) -> bool {
    let Some((one, _, [own, _])) = alone(turn, pictures, fates, blocks) else { return false };
    let fates = if matches!(turn, Turn::Insert(_)) { &fates.new } else { &fates.old };
    let is_told = |block: usize| {
        matches!(fates[block], Fate::Alone(weight) if weight >= Weight::ENOUGH)
            && own[block].part == one.part
    };
    one.block.is_some_and(|block| is_told(block) || block.checked_sub(1).is_some_and(is_told))
}

/// The pictures that are told, by what became of them and where.
struct Pictures<'a> {
    by_place: FxHashSet<(ChangeKind, Option<usize>)>,
    by_name: FxHashSet<(ChangeKind, Option<usize>, &'a str)>,
}

impl<'a> Pictures<'a> {
    fn of(told: &[Turn], pictures: Two<'a>) -> Pictures<'a> {
        let all = told.iter().map(|turn| turn.newest(pictures));
        let by_place = all.clone().map(|(kind, one)| (kind, one.block)).collect();
        Pictures { by_place, by_name: all.map(|(kind, one)| (kind, one.block, one.text)).collect() }
    }

    /// Whether a link is that of a picture which is told: it says nothing else, and the same
    /// became of both. What leads elsewhere under its name is told, too.
    fn tell(&self, turn: &Turn, links: Two<'_>) -> bool {
        let (kind, link) = turn.newest(links);
        match link.text {
            "" => self.by_place.contains(&(kind, link.block)),
            text => kind != ChangeKind::Update && self.by_name.contains(&(kind, link.block, text)),
        }
    }
}

impl Turn {
    /// What became of it, and what it is now; or was.
    fn newest<'a>(&self, [old, new]: Two<'a>) -> (ChangeKind, &'a One<'a>) {
        match *self {
            Turn::Insert(n) => (ChangeKind::Insert, &new[n]),
            Turn::Update(_, n) => (ChangeKind::Update, &new[n]),
            Turn::Delete(o) => (ChangeKind::Delete, &old[o]),
        }
    }
}

fn found(
    (pair, fates): (&Pair<'_>, &Fates),
    turn: &Turn,
    [old, new]: Two<'_>,
    thing: impl Fn(&One<'_>) -> Thing,
) -> Found {
    let (before, after) = match *turn {
        Turn::Insert(n) => (None, Some(&new[n])),
        Turn::Delete(o) => (Some(&old[o]), None),
        Turn::Update(o, n) => (Some(&old[o]), Some(&new[n])),
    };
    let (kind, _) = turn.newest([old, new]);
    let place = match (before, after) {
        (_, Some(one)) => one.spot(pair.new.reading()).map(Spot::New),
        (Some(one), None) => one.spot(pair.old.reading()).map(Spot::Old),
        (None, None) => None,
    };
    // What is frame in one of the versions is no main content of the other.
    let beside = |one: &One<'_>, fates: &[Fate], blocks: &[Block]| match fates[one.block?] {
        Fate::Stayed(at) | Fate::Changed(at) => Some(blocks[at].part),
        Fate::Alone(_) => None,
    };
    let other = match (before, after) {
        (None, Some(one)) => beside(one, &fates.new, &pair.old.extract.blocks),
        (Some(one), None) => beside(one, &fates.old, &pair.new.extract.blocks),
        _ => None,
    };
    let part = before.into_iter().chain(after).map(|one| one.part).chain(other).max();
    // A mark for a table of contents came or went.
    let is_slight = before.xor(after).is_some_and(|one| leads::is_section(one.address));
    let found = Found::between(kind, before.map(&thing), after.map(&thing));
    Found { part, place, is_slight, ..found }
}

impl One<'_> {
    /// What it says, in the text of its block; else the block.
    fn spot(&self, reading: &Reading) -> Option<Range<usize>> {
        let block = reading.blocks[self.block?].clone();
        let is_searched = !self.text.is_empty() && block.len() <= SEARCHED_BYTES_MAX;
        let said = Some(self.text).filter(|_| is_searched);
        let at = said.and_then(|text| reading.text[block.clone()].find(text));
        Some(at.map_or(block.clone(), |at| block.start + at..block.start + at + self.text.len()))
    }
}

#[cfg(test)]
mod tests;
