//! Runs the comparisons of a round.

use crate::aspects::any::named::whole::Wholes;
use crate::aspects::{Comparer, any, comparer};
use crate::found::{ELSEWHERE_MAX, Found, Pair, Spot, texts};
use crate::leaf::{Chooser, Expressions};
use crate::reading::SENTENCE_BYTES;
use crate::seen::Seen;
use crate::{
    Aspect, Change, ChangeKind, ChangeType, Compared, Comparison, Dated, Habits, Key, Leaf,
    LeafHits, Limits, Outline, Pairing, RoundRequest, RoundResult, Slight, Thing, View, Weight,
};
use chronon::VersionNo;
use page::{Extract, Kind};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Bytes that a leaf's first change keeps of each text when the result is full.
const SHORTENED_BYTES: usize = 256;
/// More changes than a person reads one by one: the headings that came and went are listed.
const OUTLINED_CHANGES_MIN: usize = 13;

/// The extract of a view of a version, or a sentence that says why there is none.
pub type Loaded = Result<Arc<Extract>, String>;

/// What is known of a source's pages: changes that are habits count little, unless they are to be
/// told all the same.
#[derive(Debug, Clone, Copy)]
pub struct Known<'k> {
    pub habits: &'k Habits,
    pub loud: &'k BTreeSet<Key>,
}

impl Known<'_> {
    /// `of_page`: the same comparison of the whole page, where a part is looked at.
    fn weight(&self, found: &Found, pair: &Pair<'_>, of_page: Option<&OfPage>) -> Weight {
        let weight = found.weight(pair);
        let on_page = of_page.and_then(|page| page.is_quiet(found));
        let is_quiet =
            on_page.unwrap_or_else(|| self.habits.quiet(found, pair, self.loud).is_some());
        if is_quiet {
            Weight::QUIET.min(weight)
        } else if weight > Weight::AGAIN && self.habits.ran(found, pair, self.loud) {
            Weight::AGAIN
        } else {
            weight
        }
    }

    fn is_nothing(&self) -> bool {
        self.habits.is_empty() && self.loud.is_empty()
    }
}

/// What went, what came and what moved on a whole page, and whether that is a habit. A short text
/// is known by what stands around it, of which a part of the page may show nothing; and a part may
/// pair what went and what came in another way. What only moved on the page may be new in the part.
#[derive(Default)]
struct OfPage {
    went: BTreeMap<Thing, bool>,
    came: BTreeMap<Thing, bool>,
    moved: BTreeMap<Thing, bool>,
}

impl OfPage {
    fn of(found: &[Found], pair: &Pair<'_>, known: &Known<'_>) -> OfPage {
        let OfPage { mut went, mut came, mut moved } = OfPage::default();
        for one in found {
            let is_quiet = known.habits.quiet(one, pair, known.loud).is_some();
            let sides = match one.kind {
                ChangeKind::Move => [None, Some((&mut moved, &one.new))],
                _ => [Some((&mut went, &one.old)), Some((&mut came, &one.new))],
            };
            for (things, thing) in sides.into_iter().flatten() {
                // What is a habit in one place and none in another is told.
                if let Some(thing) = thing {
                    *things.entry(thing.clone()).or_insert(true) &= is_quiet;
                }
            }
        }
        OfPage { went, came, moved }
    }

    /// `None`: the whole page changed otherwise there.
    fn is_quiet(&self, found: &Found) -> Option<bool> {
        if found.kind == ChangeKind::Move {
            return found.new.as_ref().and_then(|new| self.moved.get(new)).copied();
        }
        let went = found.old.iter().map(|old| self.went.get(old));
        let mut all = went.chain(found.new.iter().map(|new| self.came.get(new)));
        all.try_fold(true, |all_are, one| one.map(|is_quiet| all_are && *is_quiet))
    }
}

/// What [`run_knowing`] found between the blocks of two whole pages: learning needs no second
/// comparison.
#[derive(Debug)]
pub struct Blocks {
    pub from: VersionNo,
    pub to: VersionNo,
    pub(crate) found: Vec<Found>,
}

/// [`run_knowing`] of pages that nothing is known of.
pub fn run(
    request: &RoundRequest,
    extract: &mut dyn FnMut(VersionNo, &View) -> Loaded,
    limits: &Limits,
) -> RoundResult {
    let known = Known { habits: &Habits::default(), loud: &BTreeSet::new() };
    run_knowing(request, extract, limits, &known).0
}

/// Makes the comparisons of a round, in order. `extract` loads the extract of a view of a version,
/// or says in a sentence why it cannot; it is asked once for each. Where something is known, it is
/// asked for the whole page, too, of which a comparison is of a part. A comparison that cannot be
/// made says why in `failed` and tells nothing. Gives what it found between the blocks of the
/// newest page, too, for [`Habits::learn`].
pub fn run_knowing(
    request: &RoundRequest,
    extract: &mut dyn FnMut(VersionNo, &View) -> Loaded,
    limits: &Limits,
    known: &Known<'_>,
) -> (RoundResult, Option<Blocks>) {
    let (loaded, pages) = (BTreeMap::new(), BTreeMap::new());
    let mut round = Round { extract, loaded, pages, limits, known, blocks: None };
    let mut expressions = Expressions::default();
    let mut comparisons = Vec::with_capacity(request.comparisons.len());
    for comparison in &request.comparisons {
        let made = round.compare(comparison, &mut expressions);
        comparisons.push(made.unwrap_or_else(|why| failed(comparison, why)));
    }
    (RoundResult { comparisons }, round.blocks)
}

/// A round that is being compared.
struct Round<'r> {
    extract: &'r mut dyn FnMut(VersionNo, &View) -> Loaded,
    loaded: BTreeMap<(VersionNo, &'r View), Loaded>,
    /// What is a habit of the whole page, for those who look at a part.
    pages: BTreeMap<(VersionNo, VersionNo, Aspect), Option<OfPage>>,
    limits: &'r Limits,
    known: &'r Known<'r>,
    blocks: Option<Blocks>,
}

impl<'r> Round<'r> {
    fn load(&mut self, version: VersionNo, view: &'r View) -> Loaded {
        let Round { extract, loaded, .. } = self;
        loaded.entry((version, view)).or_insert_with(|| extract(version, view)).clone()
    }

    fn compare(
        &mut self,
        comparison: &'r Comparison,
        expressions: &mut Expressions,
    ) -> Result<Compared, String> {
        let view = &comparison.change_type.view;
        let Round { limits, known, .. } = *self;
        let weigh = Weigh { limits, known, of_page: None, odd: None, seen: None };
        if comparison.status.is_some() {
            let nothing = Ok(Arc::new(Extract::empty(page::Kind::Text)));
            return one(comparison, [&nothing, &nothing], expressions, weigh).map(|(made, _)| made);
        }
        let [old, new] = [comparison.from, comparison.to].map(|version| self.load(version, view));
        let mut load = |version| self.load(version, view);
        if let Some((version, before)) = base(comparison, [&old, &new], &mut load) {
            let weigh = Weigh { odd: old.as_deref().ok(), ..weigh };
            let (made, _) = one(comparison, [&before, &new], expressions, weigh)?;
            return Ok(Compared { base: Some(version), ..made });
        }
        self.look_at_page(comparison);
        let Comparison { from, to, .. } = *comparison;
        let seen = self.seen(comparison, [&old, &new]);
        let of_page = self.pages.get(&(from, to, comparison.change_type.aspect));
        let of_page = of_page.and_then(Option::as_ref);
        let weigh = Weigh { of_page, seen: Some(&seen), ..weigh };
        let (made, found) = one(comparison, [&old, &new], expressions, weigh)?;
        if is_of_blocks(comparison) {
            self.found_blocks(Blocks { from, to, found });
        }
        Ok(made)
    }

    /// Looks into earlier versions for entries that came, and are older than others that stand.
    fn seen(&mut self, comparison: &'r Comparison, [old, new]: [&Loaded; 2]) -> Seen {
        let what = &comparison.change_type;
        let are_entries = matches!(what.aspect, Aspect::Any | Aspect::Items);
        let (Ok(old), Ok(new), true) = (old, new, are_entries) else { return Seen::default() };
        let mut seen = Seen::candidates(old, new);
        for &version in comparison.earlier.iter().take(SEEN_VERSIONS_MAX) {
            if !seen.is_open() {
                break;
            }
            if let Ok(earlier) = self.load(version, &what.view) {
                seen.look(&earlier);
            }
        }
        seen
    }

    /// Those of the newest versions are kept.
    fn found_blocks(&mut self, blocks: Blocks) {
        let (from, to) = (blocks.from, blocks.to);
        if self.blocks.as_ref().is_none_or(|known| (known.to, known.from) <= (to, from)) {
            self.blocks = Some(blocks);
        }
    }

    /// Finds what is a habit of the whole page, where a comparison is of a part of it.
    fn look_at_page(&mut self, comparison: &Comparison) {
        let Comparison { from, to, .. } = *comparison;
        let ChangeType { ref view, aspect, .. } = comparison.change_type;
        let is_of_part = *view != View::Page && comparison.pairing == Pairing::Alike;
        let may_be_quiet = is_light(comparer(aspect)) && !self.known.is_nothing();
        if !is_of_part || !may_be_quiet || self.pages.contains_key(&(from, to, aspect)) {
            return;
        }
        let of_page = self.found_on_page(from, to, aspect);
        self.pages.insert((from, to, aspect), of_page);
    }

    /// `None`: the whole pages cannot be compared.
    fn found_on_page(&mut self, from: VersionNo, to: VersionNo, aspect: Aspect) -> Option<OfPage> {
        let [old, new] = [from, to].map(|version| self.load(version, &View::Page));
        let (old, new) = (old.ok()?, new.ok()?);
        if old.extractor != new.extractor {
            return None;
        }
        let pair = Pair::new(&old, &new);
        let what = ChangeType::plain(aspect);
        let found = find(&pair, &what, Pairing::Alike, self.limits).ok()?;
        let of_page = OfPage::of(&found, &pair, self.known);
        if aspect == Aspect::Any {
            self.found_blocks(Blocks { from, to, found });
        }
        Some(of_page)
    }
}

/// Whether some changes of an aspect are held back by what is known.
fn is_light(comparer: &dyn Comparer) -> bool {
    comparer.is_weighed() || comparer.forgives_tokens()
}

/// Versions that are read to find entries that a feed listed before.
const SEEN_VERSIONS_MAX: usize = 20;

/// Versions that are read to find what a page showed before it was odd.
const LOOK_BACK_MAX: usize = 4;

/// What a version is compared with, where all that changes is listed: a page may have given way to
/// something short, or to another language, and be back. Then it is what it showed before that;
/// `None`: what was asked for. Who asks for words hears of each that went with the page, and of
/// each that is back.
fn base(
    comparison: &Comparison,
    [old, new]: [&Loaded; 2],
    load: &mut impl FnMut(VersionNo) -> Loaded,
) -> Option<(VersionNo, Loaded)> {
    let what = &comparison.change_type;
    let lists_all = matches!(what.aspect, Aspect::Any | Aspect::Everything);
    let (Ok(odd), Ok(new), View::Page, true) = (old, new, &what.view, lists_all) else {
        return None;
    };
    let is_odd_beside =
        |page: &Extract| page::apart(page, odd).is_some_and(|what| what.is_of_two(odd.kind));
    if comparison.earlier.is_empty() || !is_odd_beside(new) {
        return None;
    }
    let earlier = comparison.earlier.iter().take(LOOK_BACK_MAX);
    let mut earlier = earlier.map(|&version| (version, load(version)));
    earlier.find(|(_, before)| {
        let is_it = |page: &Extract| {
            let can_compare = page.extractor == new.extractor && page.missing.is_none();
            can_compare && is_odd_beside(page) && page::apart(page, new).is_none()
        };
        before.as_ref().is_ok_and(|before| is_it(before))
    })
}

/// Whether a comparison is of all blocks of the whole page.
fn is_of_blocks(comparison: &Comparison) -> bool {
    let what = &comparison.change_type;
    what.aspect == crate::Aspect::Any
        && what.view == View::Page
        && comparison.pairing == Pairing::Alike
        && comparison.status.is_none()
}

/// [`compare_knowing`] of pages that nothing is known of.
pub fn compare(
    old: &Extract,
    new: &Extract,
    change_type: &ChangeType,
    limits: &Limits,
) -> (Vec<Change>, u32) {
    let known = Known { habits: &Habits::default(), loud: &BTreeSet::new() };
    compare_knowing(old, new, change_type, limits, &known)
}

/// The changes of one type from `old` to `new`, at most `changes_max`, and how many there are.
/// Where the type weighs, each has the weight by which it would be told or held back. A comparison
/// that cannot be made (see [`run`]) gives none.
pub fn compare_knowing(
    old: &Extract,
    new: &Extract,
    change_type: &ChangeType,
    limits: &Limits,
    known: &Known<'_>,
) -> (Vec<Change>, u32) {
    let pair = Pair::new(old, new);
    let mut found = find(&pair, change_type, Pairing::Alike, limits).unwrap_or_default();
    let comparer = comparer(change_type.aspect);
    let weighs = is_light(comparer) || comparer.lets_make_room();
    let weight = |one: &Found| if weighs { known.weight(one, &pair, None) } else { Weight::FULL };
    let mut weights: Vec<Weight> = found.iter().map(weight).collect();
    let wholes = comparer.wholes(&mut found, &pair);
    wholes.weigh(&mut weights);
    let weighed = |at: u32| Change {
        weight: weights[at as usize],
        ..change(&found[at as usize], &pair, change_type.aspect, limits, limits.text_bytes_max)
    };
    (wholes.heads().take(limits.changes_max).map(weighed).collect(), count(wholes.heads().count()))
}

/// A change for a result. One of a phrase has the sentence it stands in, as one of a word has.
fn change(
    found: &Found,
    pair: &Pair<'_>,
    aspect: Aspect,
    limits: &Limits,
    text_bytes_max: usize,
) -> Change {
    let change = found.change(pair, limits, text_bytes_max);
    let sentence = match &found.place {
        Some(Spot::Old(place)) if aspect == Aspect::Phrases => pair.old.sentence(place),
        Some(Spot::New(place)) if aspect == Aspect::Phrases => pair.new.sentence(place),
        _ => return change,
    };
    Change { sentence: sentence.map(Cow::into_owned), ..change }
}

/// All changes of one type.
fn find(
    pair: &Pair<'_>,
    change_type: &ChangeType,
    pairing: Pairing,
    limits: &Limits,
) -> Result<Vec<Found>, String> {
    let comparer = comparer(change_type.aspect);
    if !are_listed(pair, pairing) {
        return Ok(comparer.unlike(pair));
    }
    match comparer.in_short(pair) {
        Some(short) => Ok(vec![short]),
        None => comparer.compare(pair, &change_type.terms, limits),
    }
}

/// Whether the changes of two versions can be listed.
fn are_listed(pair: &Pair<'_>, pairing: Pairing) -> bool {
    pairing == Pairing::Alike && pair.old.extract.kind == pair.new.extract.kind
}

/// The changes that stand behind one that is told in short, if a leaf asks for some of them.
fn in_full(comparison: &Comparison, pair: &Pair<'_>, limits: &Limits) -> Option<Vec<Found>> {
    let what = &comparison.change_type;
    let comparer = comparer(what.aspect);
    let is_due = comparison.leaves.iter().any(asks_for_some)
        && comparison.status.is_none()
        && are_listed(pair, comparison.pairing)
        && comparer.in_short(pair).is_some();
    is_due.then(|| comparer.compare(pair, &what.terms, limits).ok()).flatten()
}

/// Whether a leaf does not want to hear of any change.
fn asks_for_some(leaf: &Leaf) -> bool {
    !leaf.directions.is_empty() || leaf.matching.is_some()
}

/// By what a comparison is weighed and cut.
#[derive(Clone, Copy)]
struct Weigh<'w> {
    limits: &'w Limits,
    known: &'w Known<'w>,
    /// What is a habit of the whole page, where a part is compared.
    of_page: Option<&'w OfPage>,
    /// What the page showed meanwhile, if an earlier version is compared.
    odd: Option<&'w Extract>,
    /// Entries that earlier versions listed.
    seen: Option<&'w Seen>,
}

/// All changes of a comparison.
struct Weighed {
    found: Vec<Found>,
    /// What each weighs.
    weights: Vec<Weight>,
    /// Those from here on are told only to who asks for some changes; the first one only to others,
    /// or where there are none of these.
    behind_short: Option<u32>,
    wholes: Wholes,
}

fn weighed(
    comparison: &Comparison,
    pair: &Pair<'_>,
    Weigh { limits, known, of_page, odd, .. }: Weigh<'_>,
) -> Result<Weighed, String> {
    let what = &comparison.change_type;
    let mut found = match &comparison.status {
        Some(status) => vec![status.found()],
        None => find(pair, what, comparison.pairing, limits)?,
    };
    let full = in_full(comparison, pair, limits);
    let behind_short = full.is_some().then(|| count(found.len()));
    found.extend(full.into_iter().flatten());
    let comparer = comparer(what.aspect);
    // Who points at one text of a page wants to hear of it.
    let is_pointed = what.view != View::Page && is_one_text(pair);
    let may_be_quiet = is_light(comparer) && !is_pointed;
    let weight = |found: &Found| {
        if comparer.lets_make_room() {
            // Only who asks for it is told of what made room.
            Weight::FULL
        } else if may_be_quiet {
            known.weight(found, pair, of_page)
        } else {
            found.weight(pair)
        }
    };
    let mut weights: Vec<Weight> = found.iter().map(weight).collect();
    if let Some(odd) = odd.filter(|_| weights.iter().all(|weight| *weight < limits.weight_min)) {
        // Who was told of the notice hears that it is over.
        found.push(any::is_back(odd, pair.new.extract));
        weights.push(Weight::FULL);
    }
    let wholes = comparer.wholes(&mut found, pair);
    wholes.weigh(&mut weights);
    Ok(Weighed { found, weights, behind_short, wholes })
}

impl Weighed {
    fn is_behind(&self, at: u32) -> bool {
        self.behind_short.is_some_and(|first| at >= first)
    }
}

/// Whether there is one text in both versions, at most.
fn is_one_text(pair: &Pair<'_>) -> bool {
    [&pair.old, &pair.new].iter().all(|side| side.extract.blocks.len() <= 1)
}

fn one(
    comparison: &Comparison,
    [old, new]: [&Loaded; 2],
    expressions: &mut Expressions,
    weigh: Weigh<'_>,
) -> Result<(Compared, Vec<Found>), String> {
    let limits = weigh.limits;
    let (old, new) = (old.as_ref().map_err(Clone::clone)?, new.as_ref().map_err(Clone::clone)?);
    if old.extractor != new.extractor {
        return Err(format!(
            "{} and {} were read by different extractors ({} and {}); they can be compared once \
             both are extracted again",
            comparison.from, comparison.to, old.extractor, new.extractor
        ));
    }
    if let Some(missing) = new.missing.as_ref().or(old.missing.as_ref()) {
        return Err(missing.to_string());
    }
    let pair = Pair::new(old, new).having_seen(weigh.seen);
    let mut weighed = weighed(comparison, &pair, weigh)?;
    let Weighed { ref found, ref weights, behind_short, ref wholes } = weighed;
    let comparer = comparer(comparison.change_type.aspect);
    let says_little = |at: u32| weights[at as usize] <= Weight::QUIET;
    let Chosen { chosen, held_back } = choose(comparison, &pair, &weighed, expressions, limits)?;
    let kept = keep(found, weights, &chosen, limits);
    let changes = kept.iter().map(|(&at, &bytes)| Change {
        weight: weights[at as usize],
        ..change(&found[at as usize], &pair, comparison.change_type.aspect, limits, bytes)
    });
    let index: BTreeMap<u32, u32> = kept.keys().copied().zip(0..).collect();
    let leaves = comparison.leaves.iter().zip(chosen).map(|(leaf, hits)| LeafHits {
        leaf: leaf.clone(),
        hits_total: count(hits.len()),
        hits: hits.iter().filter_map(|at| index.get(at).copied()).collect(),
    });
    let rebuilt = if behind_short.is_none() { comparer.rebuilt(&pair, found) } else { None };
    let is_large =
        rebuilt.is_some() || (comparer.is_weighed() && kept.len() >= OUTLINED_CHANGES_MIN);
    let outline = is_large.then(|| Outline::of(&pair, found, rebuilt.is_some()));
    let compared = Compared {
        from: comparison.from,
        to: comparison.to,
        base: None,
        change_type: comparison.change_type.clone(),
        changes: changes.collect(),
        changes_total: count(wholes.heads().count()),
        leaves: leaves.collect(),
        failed: None,
        parts_read: parts_read(&comparison.change_type, &pair),
        title: title(comparison.pairing, &pair),
        heading: heading(&pair),
        rebuilt,
        outline: outline.filter(|outline| !outline.is_empty()),
        say_little: count(held_back.iter().filter(|at| says_little(**at)).count()),
        dated: held_back.iter().map(|&at| &found[at as usize]).chain(found).find_map(|one| {
            Dated::of(one, &pair).filter(|_| {
                let noise = one.new.as_ref().and_then(Key::noise_of);
                noise.is_none_or(|key| !weigh.known.loud.contains(&key))
            })
        }),
        slight: slight(held_back.iter().map(|at| &found[*at as usize]), &pair),
        held_back: count(held_back.len()),
    };
    // What a page does is learned from what is told of it in short.
    weighed.found.truncate(behind_short.map_or(usize::MAX, |first| first as usize));
    Ok((compared, weighed.found))
}

/// How many entries are held back of which more is said.
fn slight<'f>(
    held_back: impl Iterator<Item = &'f Found>,
    pair: &Pair<'_>,
) -> BTreeMap<Slight, u32> {
    let mut counts = BTreeMap::new();
    for slight in held_back.filter_map(|one| one.counted_as(pair.new.extract.kind)) {
        *counts.entry(slight).or_default() += 1;
    }
    counts
}

/// What each leaf keeps, and what is held back from any.
struct Chosen {
    chosen: Vec<Vec<u32>>,
    held_back: BTreeSet<u32>,
}

fn choose<'c>(
    comparison: &'c Comparison,
    pair: &'c Pair<'c>,
    weighed: &'c Weighed,
    expressions: &mut Expressions,
    limits: &'c Limits,
) -> Result<Chosen, String> {
    let Weighed { found, weights, wholes, .. } = weighed;
    let comparer = comparer(comparison.change_type.aspect);
    let counts = |leaf: &Leaf, at: u32| {
        let is_heavy = weights[at as usize] >= limits.weight_min;
        counts(&found[at as usize], leaf, comparer, is_heavy)
    };
    let is_feed = pair.new.extract.kind == Kind::Feed;
    let has_new =
        comparer.lets_make_room() || found.iter().any(|one| one.kind == ChangeKind::Insert);
    let mut held_back = BTreeSet::new();
    let chooser = Chooser::new(&comparison.change_type, pair, found, limits);
    let mut chosen = Vec::with_capacity(comparison.leaves.len());
    for leaf in &comparison.leaves {
        let mut hits = chooser.choose(leaf, expressions)?;
        hits.retain(|at| asks_for_some(leaf) || !weighed.is_behind(*at));
        let light = hits.extract_if(.., |at| !counts(leaf, *at));
        let light = light.filter(|at| !(is_feed && is_order(&found[*at as usize], has_new)));
        held_back.extend(light.map(|at| wholes.head(at)));
        let has_behind = hits.iter().any(|at| weighed.is_behind(*at));
        hits.retain(|at| weighed.is_behind(*at) == has_behind);
        hits.iter_mut().for_each(|at| *at = wholes.head(*at));
        hits.sort_unstable();
        hits.dedup();
        chosen.push(hits);
    }
    // What is told of an object as a whole is not held back besides.
    let joined = wholes.joined();
    let told: BTreeSet<u32> =
        chosen.iter().flatten().copied().filter(|at| joined.contains(at)).collect();
    held_back.retain(|at| !told.contains(at));
    Ok(Chosen { chosen, held_back })
}

/// Whether a change is told to who asked for a leaf, and not held back.
fn counts(one: &Found, leaf: &crate::Leaf, comparer: &dyn Comparer, is_heavy: bool) -> bool {
    // Who asks for what is gone wants to hear of what made room.
    if comparer.lets_make_room() {
        return !one.is_slight || leaf.directions.contains(&ChangeKind::Delete);
    }
    // Who asks for what moved wants to hear of it. So does who names a member that only follows
    // another one.
    let is_asked = one.kind == ChangeKind::Move && leaf.directions.contains(&ChangeKind::Move)
        || one.follows && leaf.matching.is_some();
    !is_light(comparer) || is_asked || is_heavy
}

/// Another order of a feed, and an entry that made room for a new one: nothing to count.
fn is_order(one: &Found, has_new: bool) -> bool {
    let made_room = one.kind == ChangeKind::Delete && has_new;
    one.is_slight && one.slight.is_none() && (one.kind == ChangeKind::Move || made_room)
}

/// What of the first version that is not whole was compared, as far as its aspect sees it.
/// And what was missed between the two.
fn parts_read(change_type: &ChangeType, pair: &Pair<'_>) -> Vec<String> {
    let comparer = comparer(change_type.aspect);
    let versions = [pair.new.extract, pair.old.extract];
    let parts = versions
        .map(|version| page::parts_read(version, &comparer.missed(version.left_out)))
        .into_iter()
        .find(|parts| !parts.is_empty());
    let mut parts = parts.unwrap_or_default();
    if pair.old.extract.kind == pair.new.extract.kind {
        parts.extend(comparer.missed_between(pair));
    }
    parts
}

fn failed(comparison: &Comparison, reason: String) -> Compared {
    let none =
        |leaf: &crate::Leaf| LeafHits { leaf: leaf.clone(), hits: Vec::new(), hits_total: 0 };
    Compared {
        from: comparison.from,
        to: comparison.to,
        base: None,
        change_type: comparison.change_type.clone(),
        changes: Vec::new(),
        changes_total: 0,
        leaves: comparison.leaves.iter().map(none).collect(),
        failed: Some(reason),
        parts_read: Vec::new(),
        title: None,
        heading: None,
        rebuilt: None,
        outline: None,
        held_back: 0,
        say_little: 0,
        slight: BTreeMap::new(),
        dated: None,
    }
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// Which changes a result keeps, each with the bytes its texts may have: the first of every leaf,
/// then the second of every leaf and so on while there is room, the heaviest first. What no leaf
/// wants is left out.
fn keep(
    found: &[Found],
    weights: &[Weight],
    chosen: &[Vec<u32>],
    limits: &Limits,
) -> BTreeMap<u32, usize> {
    let heaviest_first = |hits: &Vec<u32>| {
        let mut hits = hits.clone();
        hits.sort_by_key(|&at| std::cmp::Reverse(weights[at as usize]));
        hits
    };
    let chosen: Vec<Vec<u32>> = chosen.iter().map(heaviest_first).collect();
    let mut kept = BTreeMap::new();
    let mut bytes_left = limits.result_bytes_max;
    let longest = chosen.iter().map(Vec::len).max().unwrap_or(0);
    for rank in 0..longest {
        for hits in &chosen {
            let Some(&at) = hits.get(rank) else { continue };
            if kept.contains_key(&at) {
                continue;
            }
            let bytes = bytes_of(&found[at as usize], limits);
            let fits = kept.len() < limits.changes_max && bytes <= bytes_left;
            if fits {
                bytes_left -= bytes;
                kept.insert(at, limits.text_bytes_max);
            } else if rank == 0 {
                kept.insert(at, SHORTENED_BYTES);
            } else if kept.len() >= limits.changes_max || bytes_left == 0 {
                return kept;
            }
        }
    }
    kept
}

fn bytes_of(found: &Found, limits: &Limits) -> usize {
    let things = found.told().into_iter().flatten().flat_map(texts);
    let texts: usize = things.map(|text| text.len().min(limits.text_bytes_max)).sum();
    let sentences = found.elsewhere.len().min(ELSEWHERE_MAX) * 2 * SENTENCE_BYTES;
    texts + sentences + 2 * limits.context_bytes_max
}

/// Characters of a heading that names a page.
const NAME_CHARS_MAX: usize = 60;

/// What a page is called: where it is hardly what is watched, what it was called before.
fn title(pairing: Pairing, pair: &Pair<'_>) -> Option<String> {
    let (old, new) = (pair.old.extract, pair.new.extract);
    let is_odd = pairing == Pairing::Unlike || page::apart(old, new).is_some();
    let before = is_odd.then(|| called(old)).flatten();
    before.or_else(|| called(new))
}

/// What people call a page: its title, or the heading of the page that says more than that: "Acme API
/// terms" for "Acme API".
fn called(extract: &Extract) -> Option<String> {
    let title = extract.title.as_deref()?;
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let says_more = |text: &str| {
        text.chars().count() <= NAME_CHARS_MAX
            && text.len() > title.len()
            && text.split_once(title).is_some_and(|(before, after)| {
                !is_word(before.chars().next_back()) && !is_word(after.chars().next())
            })
    };
    let heading = headings(extract).find(|text| says_more(text));
    Some(heading.unwrap_or(title).to_owned())
}

/// The headings of the first level in the main content.
fn headings(extract: &Extract) -> impl Iterator<Item = &str> {
    let blocks = extract.blocks.iter();
    blocks.filter(|block| block.heading == 1 && block.part.is_main()).map(|block| &*block.text)
}

/// What both versions say of themselves in their one heading of the first level: one that changed
/// may be what is told.
fn heading(pair: &Pair<'_>) -> Option<String> {
    let only = |extract| {
        let mut all = headings(extract);
        all.next().filter(|_| all.next().is_none())
    };
    let heading = only(pair.new.extract).filter(|text| text.chars().count() <= NAME_CHARS_MAX)?;
    let is_other = pair.new.extract.title.as_deref() != Some(heading);
    (is_other && only(pair.old.extract) == Some(heading)).then(|| heading.to_owned())
}
