//! Aspect `any`: the sequence of text blocks, and what changes behind a text that stays: where
//! links lead, and which pictures are shown.
//!
//! Blocks of one version only were deleted or inserted; of the common ones a longest common
//! subsequence stays where it is and the others moved (`docs/theory.md`, Differences). A delete and
//! an insert at the same place that are similar make an update.

use super::Comparer;
use crate::found::{Found, Pair, Spot};
use crate::habits::{are_of_one_sort, run_alone};
use crate::{ChangeKind, Limits, Thing, passing, spans};
use named::whole::Wholes;
use page::{Block, Kind, LeftOut, Part};
use rustc_hash::{FxHashMap, FxHasher};
use std::collections::{BTreeSet, VecDeque};
use std::hash::Hasher;

mod addresses;
mod ages;
mod align;
mod badges;
pub(crate) mod cards;
mod condition;
mod days;
mod exchange;
mod labels;
pub(crate) mod named;
mod passages;
mod ranks;
mod references;
mod reflow;
mod rewording;
mod rows;
mod sections;
pub(crate) mod slight;
mod states;
mod strong;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod told;

/// Inserted blocks of a place that are tried as the new form of a deleted one.
const WINDOW: usize = 64;
/// Words of a block that its similarity looks at.
const WORDS_MAX: usize = 1_000;
/// Blocks of at most this many words are one thing with a new value if they alone changed at their
/// place, however unlike: `30` and `35`.
const SHORT_WORDS: usize = 3;

/// Words of a text that is known again elsewhere though it was edited, and how many of them the
/// other text has, in hundredths (Dice's coefficient).
const ELSEWHERE_WORDS_MIN: usize = 12;
/// Shorter items of a list are others of their kind.
const ITEM_WORDS_MIN: usize = 30;
const ELSEWHERE_SHARED_MIN: usize = 75;

/// First words that make one text another's new form where both stand alone.
const BEGINNING_WORDS_MIN: usize = 5;
/// The same of texts among others.
const BEGINNING_WORDS_MANY: usize = 12;

/// Characters that are shown of a page that is none.
const BEGINNING_CHARS_MAX: usize = 80;

/// A page of fewer blocks is not said to be rebuilt, nor one with less of new text, in hundredths.
const REBUILT_BLOCKS_MIN: usize = 10;
const REBUILT_SHARE_MIN: u8 = 50;

pub(crate) struct Any;

impl Comparer for Any {
    fn compare(
        &self,
        pair: &Pair<'_>,
        _: &BTreeSet<String>,
        limits: &Limits,
    ) -> Result<Vec<Found>, String> {
        Ok(compare(pair, limits))
    }

    /// A list of all that is gone says less than what is there instead.
    fn in_short(&self, pair: &Pair<'_>) -> Option<Found> {
        match page::apart(pair.old.extract, pair.new.extract) {
            Some(odd @ (page::Odd::Small | page::Odd::Error)) => {
                gave_way(pair, Some(odd)).into_iter().next()
            }
            _ => None,
        }
    }

    fn is_weighed(&self) -> bool {
        true
    }

    fn wholes(&self, found: &mut [Found], pair: &Pair<'_>) -> Wholes {
        Wholes::join(found, pair)
    }

    fn missed(&self, left_out: LeftOut) -> LeftOut {
        left_out
    }

    fn rebuilt(&self, pair: &Pair<'_>, found: &[Found]) -> Option<u8> {
        // New entries are what a feed is for, and what has a name is told by it.
        let kind = pair.new.extract.kind;
        if kind == Kind::Feed || kind != Kind::Html && named::are_named(pair) {
            return None;
        }
        let blocks = |extract: &page::Extract| extract.blocks.len();
        let found: Vec<&Found> = found.iter().filter(|found| found.text().is_some()).collect();
        let least = blocks(pair.old.extract).min(blocks(pair.new.extract)).min(found.len());
        if least < REBUILT_BLOCKS_MIN {
            return None;
        }
        let all: usize = pair.new.extract.blocks.iter().map(|block| block.text.len()).sum();
        let fresh = found.iter().map(|found| match (found.kind, &found.old, &found.new) {
            (ChangeKind::Insert, _, Some(new)) => new.text().len(),
            // A clause may keep its heading alone; other updates keep more of their words.
            (ChangeKind::Update, Some(old), Some(new)) if labels::is_rewritten(old, new) => {
                new.text().len()
            }
            (ChangeKind::Update, _, Some(new)) => new.text().len() / 4,
            _ => 0,
        });
        let share = u8::try_from(100 * fresh.sum::<usize>() / all.max(1)).unwrap_or(100);
        (share >= REBUILT_SHARE_MIN).then_some(share)
    }

    fn unlike(&self, pair: &Pair<'_>) -> Vec<Found> {
        let (old, new) = (pair.old.extract, pair.new.extract);
        gave_way(pair, page::odd(new).or_else(|| page::apart(old, new)))
    }
}

/// A page that had given way to something else is back, and as it was before.
pub(crate) fn is_back(odd: &page::Extract, new: &page::Extract) -> Found {
    let was = page::apart(new, odd).map_or(odd.kind.name(), |what| what.name_of(odd.kind));
    let [was, is] = [as_it_is(was, odd), USUAL.to_owned()].map(|text| Thing::Text { text });
    Found::update(was, is)
}

/// What a page is, and how it begins.
fn as_it_is(what: &str, extract: &page::Extract) -> String {
    let said = page::beginning(extract, BEGINNING_CHARS_MAX);
    if said.is_empty() { what.to_owned() } else { format!("{what}: “{said}”") }
}

/// What a page shows that is as it should be.
const USUAL: &str = "its usual content";

/// What was there, and what is there now: of a page that is none, how it begins.
fn gave_way(pair: &Pair<'_>, is_now: Option<page::Odd>) -> Vec<Found> {
    let (old, new) = (pair.old.extract, pair.new.extract);
    let text = |text: String| Thing::Text { text };
    let what = |extract: &page::Extract, odd: Option<page::Odd>| {
        odd.map_or(extract.kind.name(), |odd| odd.name_of(extract.kind)).to_owned()
    };
    let was = page::odd(old);
    if is_now.is_none() || was.is_some() {
        return vec![Found::update(text(what(old, was)), text(what(new, is_now)))];
    }
    vec![Found::update(text(USUAL.to_owned()), text(as_it_is(&what(new, is_now), new)))]
}

/// The changes of text, and those behind it.
pub(super) fn compare(pair: &Pair<'_>, limits: &Limits) -> Vec<Found> {
    let (mut found, steps) = blocks(pair, limits);
    if let Some(steps) = steps {
        let fates = addresses::Fates::of(pair, &steps, &found);
        found.extend(addresses::compare(pair, &fates));
        exchange::tell(&mut found, pair);
    }
    found
}

/// The changes of text alone, with a step for each; without where blocks have names.
pub(super) fn blocks(pair: &Pair<'_>, limits: &Limits) -> (Vec<Found>, Option<Vec<Step>>) {
    if pair.old.extract.kind != Kind::Html && named::are_named(pair) {
        return (named::compare(pair, limits), None);
    }
    let (old, new) = (texts(pair.old.extract), texts(pair.new.extract));
    let mut steps = difference(&old, &new, Likeness::Words, limits);
    cards::slide(&mut steps, pair);
    pair_controls(&mut steps, pair);
    condition::pair(&mut steps, pair);
    rows::pair_by_name(&mut steps, pair);
    rows::part_by_name(&mut steps, pair);
    labels::pair(&mut steps, pair);
    cards::pair_within(&mut steps, pair, limits);
    let unmarked = badges::pair(&mut steps, pair);
    pair_elsewhere(&mut steps, pair);
    pair_grown(&mut steps, pair);
    sections::pair_renumbered(&mut steps, pair);
    let days = days::Days::of(pair);
    days.part(&mut steps);
    let mut found = by_place(pair, [&old, &new], &steps);
    rows::tell(&mut found, &steps, pair);
    if pair.new.extract.kind == Kind::Html {
        slight::mark(&mut found, pair);
        ages::mark(&mut found, pair);
        badges::mark(&mut found, &steps, &unmarked);
        days.mark(&mut found, pair);
        reflow::mark(&mut found, &steps, pair);
        passages::tell(&mut found, pair);
        reflow::tell(&mut found, &steps, pair);
        passages::tell_once(&mut found, pair);
        passages::tell_reworded(&mut found, pair);
        states::tell(&mut found, &steps, pair);
    }
    (found, Some(steps))
}

/// A control that comes where one went, beside the same neighbour, is that one with another word on
/// it: "Sold out" for "Add to cart".
fn pair_controls(steps: &mut Vec<Step>, pair: &Pair<'_>) {
    let (old, new) = (&pair.old.extract.blocks, &pair.new.extract.blocks);
    let is_same_place = |o: usize, n: usize| {
        let before =
            o.checked_sub(1).map(|o| &old[o].text) == n.checked_sub(1).map(|n| &new[n].text);
        let behind = old.get(o + 1).map(|old| &old.text) == new.get(n + 1).map(|new| &new.text);
        before || behind
    };
    let mut paired: Vec<Step> = Vec::with_capacity(steps.len());
    for step in std::mem::take(steps) {
        match (paired.last().copied(), step) {
            (Some(Step::Delete(o)), Step::Insert(n))
                if [old[o].part, new[n].part] == [Part::Control; 2] && is_same_place(o, n) =>
            {
                paired.pop();
                paired.push(Step::Update(o, n));
            }
            _ => paired.push(step),
        }
    }
    *steps = paired;
}

/// A long text that went in one place, and one in another of the same part that has most of its
/// words, are one that was edited as it moved. A short item of a list or a row is none, nor a text
/// with another number or day: these are others of their kind. The first 64 of each are looked at.
fn pair_elsewhere(steps: &mut Vec<Step>, pair: &Pair<'_>) {
    let (old, new) = (&pair.old.extract.blocks, &pair.new.extract.blocks);
    // Marks between cells are no words.
    let said = |block: &Block| {
        let words = block.text.split_whitespace();
        words.filter(|word| word.contains(char::is_alphabetic)).collect::<Vec<_>>().join(" ")
    };
    let fit = |block: &Block| {
        let words = words(&said(block));
        let least = if block.list > 0 { ITEM_WORDS_MIN } else { ELSEWHERE_WORDS_MIN };
        (words.len() >= least).then_some(words)
    };
    let gone = Step::gone(steps).filter_map(|o| Some((o, fit(&old[o])?)));
    let gone: Vec<_> = gone.take(WINDOW).collect();
    if gone.is_empty() {
        return;
    }
    let came = Step::came(steps).filter_map(|n| Some((n, fit(&new[n])?)));
    let mut came: Vec<_> = came.take(WINDOW).collect();
    came.retain(|(n, _)| !stands(&new[*n].text, old));
    if came.is_empty() {
        return;
    }
    let rare = rewording::Rare::of([old, new]);
    for (o, before) in gone.into_iter().filter(|(o, _)| !stands(&old[*o].text, new)) {
        let alike = |(n, after): &(usize, Vec<u64>)| {
            let is_of_part = old[o].part == new[*n].part;
            let is_reworded =
                || old[o].list == 0 && new[*n].list == 0 && rare.are_one(&before, after);
            match shared_in_hundredths(&before, after) {
                _ if !is_of_part => 0,
                shared if shared >= ELSEWHERE_SHARED_MIN || !is_reworded() => shared,
                _ => ELSEWHERE_SHARED_MIN,
            }
        };
        let best = (0..came.len()).rev().max_by_key(|&at| alike(&came[at]));
        let best = best.filter(|&at| {
            let n = came[at].0;
            alike(&came[at]) >= ELSEWHERE_SHARED_MIN && !is_another(&old[o].text, &new[n].text)
        });
        if let Some((n, _)) = best.map(|at| came.remove(at)) {
            join(steps, o, n);
        }
    }
}

/// Pairs the sentences that came or went which are all of another one that went or came. O(gone ×
/// came), both bounded.
fn pair_grown(steps: &mut Vec<Step>, pair: &Pair<'_>) {
    let (old, new) = (&pair.old.extract.blocks, &pair.new.extract.blocks);
    let gone: Vec<usize> = Step::gone(steps).take(WINDOW).collect();
    let mut came: Vec<usize> = Step::came(steps).take(WINDOW).collect();
    came.retain(|&n| !stands(&new[n].text, old));
    for o in gone.into_iter().filter(|&o| !stands(&old[o].text, new)) {
        if let Some(at) = came.iter().position(|&n| rewording::grew(&old[o], &new[n])) {
            join(steps, o, came.remove(at));
        }
    }
}

/// Whether a block of a version is this text.
fn stands(text: &str, blocks: &[Block]) -> bool {
    blocks.iter().any(|block| block.text == text)
}

/// Makes a block that went and one that came an edit, where the latter stands.
fn join(steps: &mut Vec<Step>, o: usize, n: usize) {
    steps.retain(|step| *step != Step::Delete(o));
    let step = steps.iter_mut().find(|step| **step == Step::Insert(n));
    *step.expect("it came") = Step::Update(o, n);
}

/// Whether two texts differ in a number.
fn is_another(old: &str, new: &str) -> bool {
    let has_digit = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    let differ = |one: spans::Differing| has_digit(&old[one.old]) || has_digit(&new[one.new]);
    spans::differing(old, new).into_iter().any(differ)
}

fn by_place(pair: &Pair<'_>, [old, new]: [&[&str]; 2], steps: &[Step]) -> Vec<Found> {
    let thing = |text: &str| Some(Thing::Text { text: text.to_owned() });
    let place = |n: usize| Spot::New(pair.new.reading().blocks[n].clone());
    let found = |step: &Step| match *step {
        Step::Insert(n) => Found::between(ChangeKind::Insert, None, thing(new[n])).at(place(n)),
        Step::Update(o, n) => {
            Found::between(ChangeKind::Update, thing(old[o]), thing(new[n])).at(place(n))
        }
        Step::Move(o, n) => {
            Found::between(ChangeKind::Move, thing(old[o]), thing(new[n])).at(place(n))
        }
        Step::Delete(o) => Found::between(ChangeKind::Delete, thing(old[o]), None)
            .at(Spot::Old(pair.old.reading().blocks[o].clone())),
    };
    steps.iter().map(found).collect()
}

fn texts(extract: &page::Extract) -> Vec<&str> {
    extract.blocks.iter().map(|block| block.text.as_str()).collect()
}

/// When a block that stands where another one was is its new form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Likeness {
    /// When they have words in common.
    Words,
    /// Whatever they say.
    SamePlace,
    /// Never: one goes, the other comes.
    Never,
}

/// What became of a block, with its positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    Insert(usize),
    Delete(usize),
    Update(usize, usize),
    Move(usize, usize),
}

impl Step {
    /// The old blocks that are gone.
    fn gone(steps: &[Step]) -> impl Iterator<Item = usize> {
        steps.iter().filter_map(|step| match *step {
            Step::Delete(o) => Some(o),
            _ => None,
        })
    }

    /// Where what stayed stands now.
    fn now(self) -> Option<usize> {
        match self {
            Step::Update(_, n) | Step::Move(_, n) => Some(n),
            Step::Insert(_) | Step::Delete(_) => None,
        }
    }

    /// The new blocks that came.
    fn came(steps: &[Step]) -> impl Iterator<Item = usize> {
        steps.iter().filter_map(|step| match *step {
            Step::Insert(n) => Some(n),
            _ => None,
        })
    }
}

/// The steps from `old` to `new`, in reading order of `new`, deletes where they were.
pub(crate) fn difference(
    old: &[&str],
    new: &[&str],
    likeness: Likeness,
    limits: &Limits,
) -> Vec<Step> {
    let same = |(a, b): &(&&str, &&str)| a == b;
    let prefix = old.iter().zip(new).take_while(same).count();
    let (old_rest, new_rest) = (&old[prefix..], &new[prefix..]);
    let suffix = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(same).count();
    let old_range = prefix..old.len() - suffix;
    let new_range = prefix..new.len() - suffix;
    if old_range.is_empty() && new_range.is_empty() {
        return Vec::new();
    }
    let (old_common, new_common) = common(&old[old_range.clone()], &new[new_range.clone()]);
    let shift = |at: &(usize, u32)| (at.0 + prefix, at.1);
    let old_common: Vec<Numbered> = old_common.iter().map(shift).collect();
    let new_common: Vec<Numbered> = new_common.iter().map(shift).collect();
    let anchors = align::align(&old_common, &new_common, limits.aligned_blocks_max);
    let moves = moved(&old_common, &new_common, &anchors);
    let mut old_used: Vec<usize> = anchors.iter().chain(&moves).map(|pair| pair.0).collect();
    let mut new_used: Vec<usize> = anchors.iter().chain(&moves).map(|pair| pair.1).collect();
    old_used.sort_unstable();
    new_used.sort_unstable();
    let deleted: Vec<usize> = old_range.filter(|at| old_used.binary_search(at).is_err()).collect();
    let inserted: Vec<usize> = new_range.filter(|at| new_used.binary_search(at).is_err()).collect();
    let updates = updates([old, new], &anchors, [&deleted, &inserted], likeness);
    Fates { anchors, moves, updates, deleted, inserted }.into_steps()
}

/// What became of the blocks: pairs of old and new positions, and positions on one side.
struct Fates {
    /// Blocks that stay where they are.
    anchors: Vec<(usize, usize)>,
    moves: Vec<(usize, usize)>,
    updates: Vec<(usize, usize)>,
    /// Also those that an update takes up.
    deleted: Vec<usize>,
    inserted: Vec<usize>,
}

/// A block's position, and the number of its text.
type Numbered = (usize, u32);

/// The blocks that both sides have, by position and a number for each distinct text.
fn common(old: &[&str], new: &[&str]) -> (Vec<Numbered>, Vec<Numbered>) {
    let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
    for &text in old {
        let next = numbers.len() as u32;
        numbers.entry(text).or_insert(next);
    }
    let number = |(at, text): (usize, &&str)| Some((at, *numbers.get(*text)?));
    let new_common: Vec<Numbered> = new.iter().enumerate().filter_map(number).collect();
    let mut in_new = vec![false; numbers.len()];
    new_common.iter().for_each(|&(_, number)| in_new[number as usize] = true);
    let old_common = old
        .iter()
        .enumerate()
        .filter_map(number)
        .filter(|&(_, number)| in_new[number as usize])
        .collect();
    (old_common, new_common)
}

/// Pairs the equal blocks that the alignment left over.
fn moved(old: &[Numbered], new: &[Numbered], anchors: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut waiting: FxHashMap<u32, VecDeque<usize>> = FxHashMap::default();
    let is_anchor = |at: usize| anchors.binary_search_by_key(&at, |anchor| anchor.0).is_ok();
    for &(at, number) in old.iter().filter(|&&(at, _)| !is_anchor(at)) {
        waiting.entry(number).or_default().push_back(at);
    }
    let is_anchor = |at: usize| anchors.binary_search_by_key(&at, |anchor| anchor.1).is_ok();
    let free = new.iter().filter(|&&(at, _)| !is_anchor(at));
    free.filter_map(|&(at, number)| Some((waiting.get_mut(&number)?.pop_front()?, at))).collect()
}

/// Pairs deleted and inserted blocks that lie between the same anchors and are similar, in order.
fn updates(
    texts: [&[&str]; 2],
    anchors: &[(usize, usize)],
    [deleted, inserted]: [&[usize]; 2],
    likeness: Likeness,
) -> Vec<(usize, usize)> {
    let (mut updates, mut left) = (Vec::new(), strong::STEPS_MAX);
    let old_gap = |at: usize| anchors.partition_point(|anchor| anchor.0 < at);
    let new_gap = |at: usize| anchors.partition_point(|anchor| anchor.1 < at);
    let mut rest = inserted;
    for gap in deleted.chunk_by(|&a, &b| old_gap(a) == old_gap(b)) {
        let number = old_gap(gap[0]);
        let from = rest.partition_point(|&at| new_gap(at) < number);
        let upto = rest.partition_point(|&at| new_gap(at) <= number);
        let read = |side: usize, places: &[usize]| -> Vec<(usize, Words)> {
            places.iter().map(|&at| (at, Words::of(texts[side][at]))).collect()
        };
        let (gone, came) = (read(0, gap), read(1, &rest[from..upto]));
        rest = &rest[upto..];
        let strong = match likeness {
            Likeness::Words => strong::pairs(&gone, &came, &mut left),
            Likeness::SamePlace | Likeness::Never => Vec::new(),
        };
        let place = Place::of(texts, [&gone, &came], likeness);
        let (mut o, mut n) = (0, 0);
        let is_other = |&(o, n): &(usize, usize)| {
            place.labelled.is_none_or(|own| own.0 != gone[o].0 && own.1 != came[n].0)
        };
        for (next_o, next_n) in strong.into_iter().filter(is_other) {
            place.pair_in_order([&gone[o..next_o], &came[n..next_n]], &mut updates);
            updates.push((gone[next_o].0, came[next_n].0));
            (o, n) = (next_o + 1, next_n + 1);
        }
        place.pair_in_order([&gone[o..], &came[n..]], &mut updates);
        updates.extend(place.labelled);
    }
    updates.sort_unstable_by_key(|&(_, n)| n);
    updates
}

/// Blocks that went and came between the same anchors.
struct Place<'t> {
    texts: [&'t [&'t str]; 2],
    likeness: Likeness,
    /// One went and one came.
    is_lone: bool,
    /// Two that are each other's new form wherever they stand.
    labelled: Option<(usize, usize)>,
}

impl<'t> Place<'t> {
    fn of(
        texts: [&'t [&'t str]; 2],
        [gone, came]: [&[(usize, Words)]; 2],
        likeness: Likeness,
    ) -> Place<'t> {
        let is_lone = gone.len() == 1 && came.len() == 1;
        let labelled = match likeness {
            Likeness::Words => labelled(texts, [gone, came]),
            Likeness::SamePlace | Likeness::Never => None,
        };
        Place { texts, likeness, is_lone, labelled }
    }

    /// Pairs blocks that are similar, in order: the first that is so.
    fn pair_in_order(
        &self,
        [gone, came]: [&[(usize, Words)]; 2],
        updates: &mut Vec<(usize, usize)>,
    ) {
        let [old, new] = self.texts;
        // In turn, where none of them is left over: else it may be the price of another thing.
        let is_like = |((o, before), (n, after)): (&(usize, Words), &(usize, Words))| {
            is_in_turn(old[*o], new[*n]) || before.are_like(after)
        };
        let are_in_turn =
            gone.len() == came.len() && gone.len() <= WINDOW && gone.iter().zip(came).all(is_like);
        let mut next = 0;
        for (o, before) in gone.iter().filter(|(o, _)| self.labelled.is_none_or(|own| own.0 != *o))
        {
            let mut window = came.iter().enumerate().skip(next).take(WINDOW);
            let is_similar = |(n, after): &(usize, Words)| match self.likeness {
                Likeness::SamePlace => true,
                Likeness::Never => false,
                Likeness::Words => {
                    self.are_alike([(*o, before), (*n, after)])
                        || (are_in_turn && is_in_turn(old[*o], new[*n]))
                }
            };
            let is_free = |n: usize| self.labelled.is_none_or(|own| own.1 != n);
            if let Some((index, (n, _))) = window.find(|(_, one)| is_free(one.0) && is_similar(one))
            {
                updates.push((*o, *n));
                next = index + 1;
            }
        }
    }

    fn are_alike(&self, [(o, before), (n, after)]: [(usize, &Words); 2]) -> bool {
        let (old, new) = (self.texts[0][o], self.texts[1][n]);
        let is_short = |words: &Words| words.all.len() <= SHORT_WORDS;
        let are_alone = || {
            (is_short(before) && is_short(after))
                || frame_alike(old, new)
                || run_alone(old, new)
                || are_of_one_matter(old, new)
        };
        before.are_like(after)
            || begin_alike(old, new, self.is_lone)
            || (self.is_lone && are_alone())
            || defines(old).is_some_and(|term| defines(new) == Some(term))
    }
}

/// Whether one text is of the sort of another, or both are numbers without a word.
fn is_in_turn(old: &str, new: &str) -> bool {
    let is_bare = |text: &str| {
        text.contains(|c: char| c.is_ascii_digit()) && !text.contains(char::is_alphabetic)
    };
    are_of_one_sort(old, new) || is_bare(old) && is_bare(new)
}

/// The hashes of a block's words in lower case, without the marks that end sentences and clauses,
/// sorted.
fn words(text: &str) -> Vec<u64> {
    let ends = |c: char| matches!(c, ',' | '.' | ';' | ':' | '!' | '?' | '~');
    let words = text.split_whitespace().map(|word| {
        match word.trim_start_matches("~~").trim_end_matches(ends) {
            "" => word,
            bare => bare,
        }
    });
    words_of(words.flat_map(parts_of_word))
}

/// A word; where its script has no blanks between words, each two of its signs, and what else
/// stands among them.
fn parts_of_word(word: &str) -> Vec<&str> {
    const THAI: std::ops::RangeInclusive<char> = '\u{0e00}'..='\u{0eff}';
    const KANA: std::ops::RangeInclusive<char> = '\u{3040}'..='\u{30ff}';
    const HAN: std::ops::RangeInclusive<char> = '\u{3400}'..='\u{9fff}';
    let has_no_blanks = |c: char| [THAI, KANA, HAN].iter().any(|script| script.contains(&c));
    if !word.contains(has_no_blanks) {
        return vec![word];
    }
    let mut parts = Vec::new();
    let signs: Vec<(usize, char)> = word.char_indices().collect();
    for run in signs.chunk_by(|one, other| has_no_blanks(one.1) == has_no_blanks(other.1)) {
        let end = |(at, c): &(usize, char)| at + c.len_utf8();
        match run {
            [one, .., last] if !has_no_blanks(one.1) => parts.push(&word[one.0..end(last)]),
            [one] => parts.push(&word[one.0..end(one)]),
            run => parts.extend(run.windows(2).map(|two| &word[two[0].0..end(&two[1])])),
        }
    }
    parts
}

fn words_of<'t>(words: impl Iterator<Item = &'t str>) -> Vec<u64> {
    let hash = |word: &str| {
        let mut hasher = FxHasher::default();
        hasher.write(word.as_bytes());
        hasher.finish()
    };
    let words = words.take(WORDS_MAX);
    let mut words: Vec<u64> = words.map(|word| hash(&word.to_lowercase())).collect();
    words.sort_unstable();
    words
}

/// Longer words of a text that is rewritten, and how many of them both forms share, in hundredths
/// (Dice's coefficient).
const MATTER_WORDS_MIN: usize = 5;
const MATTER_LETTERS_MIN: usize = 6;
const MATTER_SHARED_MIN: usize = 30;

/// Two texts that share many of the longer words, however they are put.
fn are_of_one_matter(old: &str, new: &str) -> bool {
    let matter = |text: &str| {
        let words = text.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| word.chars().nth(MATTER_LETTERS_MIN - 1).is_some());
        words_of(words)
    };
    let (old, new) = (matter(old), matter(new));
    old.len().min(new.len()) >= MATTER_WORDS_MIN
        && shared_in_hundredths(&old, &new) >= MATTER_SHARED_MIN
}

/// The one text of a place that is a date and its label, where another of this kind is there now:
/// "Last updated: 1 May 2026", "Effective: 1 June 2026".
fn labelled(texts: [&[&str]; 2], [gone, came]: [&[(usize, Words)]; 2]) -> Option<(usize, usize)> {
    let only = |texts: &[&str], places: &[(usize, Words)]| {
        let mut all = places.iter().filter(|(at, _)| passing::labels_a_date(texts[*at]));
        all.next().map(|(at, _)| *at).filter(|_| all.next().is_none())
    };
    let n = only(texts[1], came)?;
    Some((only(texts[0], gone)?, n))
}

/// The term that a text begins with in quotes, and says what it means.
fn defines(text: &str) -> Option<&str> {
    const TERM_BYTES_MAX: usize = 80;
    let rest = text.trim_start_matches(|c: char| !c.is_alphanumeric() && !QUOTES.contains(&c));
    let (term, _) = rest.strip_prefix(QUOTES)?.split_once(QUOTES)?;
    (!term.is_empty() && term.len() <= TERM_BYTES_MAX).then_some(term)
}

/// Marks around a term, however they are written.
const QUOTES: [char; 7] = ['"', '“', '”', '„', '«', '»', '‟'];

/// Two texts with the same first words: more than a few where both stand alone, else many.
fn begin_alike(old: &str, new: &str, alone: bool) -> bool {
    let words = |text| str::split_whitespace(text);
    let same = words(old).zip(words(new)).take_while(|(old, new)| old == new);
    same.count() >= if alone { BEGINNING_WORDS_MIN } else { BEGINNING_WORDS_MANY }
}

/// Two texts with numbers, the same first two words and the same last one: the address of somebody
/// who moved.
fn frame_alike(old: &str, new: &str) -> bool {
    let are_numbered = [old, new].iter().all(|text| text.contains(|c: char| c.is_ascii_digit()));
    let ends = |text: &str| -> Option<[String; 3]> {
        let mut words = text.split_whitespace().map(str::to_owned);
        Some([words.next()?, words.next()?, words.next_back()?])
    };
    are_numbered && ends(old).is_some() && ends(old) == ends(new)
}

/// What the likeness of a block is told by.
struct Words {
    all: Vec<u64>,
    /// With its dates masked, if it has any: "Effective: 2 May 2026" is like "Effective: 1 June 2027
    /// (see what is new)".
    undated: Option<Vec<u64>>,
}

impl Words {
    fn of(text: &str) -> Words {
        let undated = passing::without_dates(text);
        Words { all: words(text), undated: undated.map(|text| words(&text)) }
    }

    fn are_like(&self, other: &Words) -> bool {
        let dated = || match (&self.undated, &other.undated) {
            (Some(one), Some(other)) => is_similar(one, other),
            _ => false,
        };
        is_similar(&self.all, &other.all) || dated()
    }
}

/// At least half of the words are the same.
fn is_similar(a: &[u64], b: &[u64]) -> bool {
    shared_in_hundredths(a, b) >= 50
}

/// Dice's coefficient of two multisets, sorted: the words that are the same, of all.
fn shared_in_hundredths(a: &[u64], b: &[u64]) -> usize {
    let (mut i, mut j, mut same) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                same += 1;
                i += 1;
                j += 1;
            }
        }
    }
    200 * same / (a.len() + b.len()).max(1)
}

impl Fates {
    fn into_steps(self) -> Vec<Step> {
        let Fates { anchors, moves, updates, deleted, inserted } = self;
        let mut updated_old: Vec<usize> = updates.iter().map(|&(o, _)| o).collect();
        updated_old.sort_unstable();
        let updated_new: Vec<usize> = updates.iter().map(|&(_, n)| n).collect();
        // Deletes come before whatever stands in their place now.
        let place = |o: usize| match anchors.partition_point(|anchor| anchor.0 < o).checked_sub(1) {
            Some(index) => anchors[index].1 + 1,
            None => 0,
        };
        let mut steps: Vec<((usize, u8, usize), Step)> = Vec::new();
        steps.extend(moves.iter().map(|&(o, n)| ((n, 1, 0), Step::Move(o, n))));
        steps.extend(updates.iter().map(|&(o, n)| ((n, 1, 0), Step::Update(o, n))));
        for o in deleted.into_iter().filter(|o| updated_old.binary_search(o).is_err()) {
            steps.push(((place(o), 0, o), Step::Delete(o)));
        }
        for n in inserted.into_iter().filter(|n| updated_new.binary_search(n).is_err()) {
            steps.push(((n, 1, 0), Step::Insert(n)));
        }
        steps.sort_unstable_by_key(|&(key, _)| key);
        steps.into_iter().map(|(_, step)| step).collect()
    }
}
