//! Sections that another number was given to: "3. Payment" that is "4. Payment" now.

use super::Step;
use crate::found::{Found, Pair, Spot};
use crate::habits::CELL;
use crate::{ChangeKind, Thing, passing};
use page::Block;
use std::collections::{BTreeMap, BTreeSet};

/// Names of sections that are looked at, of each version.
const SECTIONS_MAX: usize = 200;
/// What is no heading may be a place in a list, where it is alone.
const PARAGRAPHS_MIN: usize = 2;

/// The name of a section, where a block is one.
fn name(block: &Block) -> Option<&str> {
    let may_be = block.heading > 0 || block.list == 0 && !block.text.contains(CELL);
    let (_, name) = passing::section(&block.text).filter(|_| may_be)?;
    Some(name)
}

/// Sections by their names, as far as a name is that of one of them alone.
fn by_name(blocks: &[Block], places: impl Iterator<Item = usize>) -> BTreeMap<&str, usize> {
    let mut named: BTreeMap<&str, Option<usize>> = BTreeMap::new();
    for at in places.take(SECTIONS_MAX) {
        if let Some(name) = name(&blocks[at]) {
            let place = named.entry(name).or_insert(Some(at));
            *place = place.filter(|place| *place == at);
        }
    }
    named.into_iter().filter_map(|(name, at)| Some((name, at?))).collect()
}

/// A section that went, and one of another number that has its name, are one, whatever else has
/// its number now. One that moved past others is left alone; where half of them did, all are: these
/// may be places. O(n log n + s²) for s sections.
pub(super) fn pair_renumbered(steps: &mut Vec<Step>, pair: &Pair<'_>) {
    let (old, new) = (&pair.old.extract.blocks, &pair.new.extract.blocks);
    let gone = steps.iter().filter_map(|step| match *step {
        Step::Delete(o) | Step::Update(o, _) => Some(o),
        Step::Insert(_) | Step::Move(..) => None,
    });
    let came = steps.iter().filter_map(|step| match *step {
        Step::Insert(n) | Step::Update(_, n) => Some(n),
        Step::Delete(_) | Step::Move(..) => None,
    });
    let (gone, came) = (by_name(old, gone), by_name(new, came));
    let mut pairs: Vec<(usize, usize)> =
        gone.iter().filter_map(|(name, &o)| Some((o, *came.get(name)?))).collect();
    pairs.sort_unstable();
    let all = pairs.len();
    let mut pairs = in_order(&pairs);
    let are_places = 2 * pairs.len() <= all;
    pairs.retain(|&(o, n)| !steps.contains(&Step::Update(o, n)));
    if are_places || pairs.is_empty() {
        return;
    }
    let to_new: BTreeMap<usize, usize> = pairs.iter().copied().collect();
    let to_old: BTreeMap<usize, usize> = pairs.iter().map(|&(o, n)| (n, o)).collect();
    let mut paired = Vec::with_capacity(steps.len());
    for step in std::mem::take(steps) {
        match step {
            Step::Delete(o) if to_new.contains_key(&o) => {}
            Step::Insert(n) => {
                paired.push(to_old.get(&n).map_or(step, |&o| Step::Update(o, n)));
            }
            Step::Update(o, n) => match (to_new.get(&o), to_old.get(&n)) {
                (None, None) => paired.push(step),
                (Some(_), None) => paired.push(Step::Insert(n)),
                (was, Some(&own)) => {
                    paired.extend(was.is_none().then_some(Step::Delete(o)));
                    paired.push(Step::Update(own, n));
                }
            },
            step => paired.push(step),
        }
    }
    // What went is told in its order.
    let is_gone = |step: &Step| matches!(step, Step::Delete(_));
    for run in paired.chunk_by_mut(|one, next| is_gone(one) && is_gone(next)) {
        run.sort_unstable_by_key(|step| match *step {
            Step::Delete(at) | Step::Insert(at) | Step::Update(_, at) | Step::Move(_, at) => at,
        });
    }
    *steps = paired;
}

/// The most pairs whose order is the same on both sides, of pairs in the order of the first.
fn in_order(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // The longest run that ends with each: its length, and the pair before.
    let mut runs: Vec<(usize, Option<usize>)> = Vec::with_capacity(pairs.len());
    for (at, &(_, n)) in pairs.iter().enumerate() {
        let before = (0..at).filter(|&one| pairs[one].1 < n).max_by_key(|&one| runs[one].0);
        runs.push((before.map_or(1, |one| runs[one].0 + 1), before));
    }
    let mut last = (0..runs.len()).max_by_key(|&at| runs[at].0);
    let mut kept = Vec::new();
    while let Some(at) = last {
        kept.push(pairs[at]);
        last = runs[at].1;
    }
    kept.reverse();
    kept
}

/// Changes that give sections other numbers, in the order of both versions, and do nothing else.
/// O(n).
pub(super) fn renumbered(found: &[Found], pair: &Pair<'_>) -> BTreeSet<usize> {
    let block = |one: &Found| {
        let Some(Spot::New(place)) = &one.place else { return None };
        pair.new.reading().block(place).and_then(|at| pair.new.extract.blocks.get(at))
    };
    let numbers = |one: &Found| match (one.kind, &one.old, &one.new) {
        (ChangeKind::Update, Some(Thing::Text { text: old }), Some(Thing::Text { text: new })) => {
            let ((was, old), (is, new)) = (passing::section(old)?, passing::section(new)?);
            (old == new).then_some((was, is))
        }
        _ => None,
    };
    let all: Vec<_> = found
        .iter()
        .enumerate()
        .filter_map(|(at, one)| {
            let block = block(one).filter(|block| name(block).is_some())?;
            Some((at, block.heading > 0, numbers(one)?))
        })
        .collect();
    let counts_on = all.windows(2).all(|two| {
        let ((was, is), (was_next, is_next)) = (&two[0].2, &two[1].2);
        was < was_next && is < is_next
    });
    let is_sure = all.iter().all(|one| one.1) || all.len() >= PARAGRAPHS_MIN;
    if counts_on && is_sure {
        all.into_iter().map(|(at, ..)| at).collect()
    } else {
        BTreeSet::new()
    }
}

#[cfg(test)]
mod tests {
    use super::super::told::{page_of, told};

    const BILL: &str = "We send a bill on the first day of each month, and you pay it in a week.";
    const END: &str = "Either of us may end this at any time, with notice of thirty days.";
    const COURT: &str = "The courts of Lisbon decide what we cannot settle among ourselves.";

    /// What is told of a page of sections, each of a name and a text.
    fn of(old: &[(&str, &str)], new: &[(&str, &str)]) -> Vec<String> {
        let page = |all: &[(&str, &str)]| -> String {
            all.iter().map(|(name, text)| format!("<h2>{name}</h2><p>{text}</p>")).collect()
        };
        told(&page(old), &page(new))
    }

    #[test]
    fn a_section_that_got_another_number_says_nothing_new() {
        let old = [("3. Payment", BILL), ("4. Term", END), ("5. Courts", COURT)];
        let came = ("3. Fees", "You pay ten euros for each kettle that you keep for a month.");
        let new = [came, ("4. Payment", BILL), ("5. Term", END), ("6. Courts", COURT)];
        assert_eq!(
            of(&old, &new),
            ["- -> 3. Fees".to_owned(), format!("- -> {}", came.1)],
            "the new one alone"
        );
        assert_eq!(of(&new, &old), ["3. Fees -> -".to_owned(), format!("{} -> -", came.1)]);
    }

    #[test]
    fn a_section_that_moved_past_others_leaves_their_numbers_quiet() {
        let old = [("1. Courts", COURT), ("2. Payment", BILL), ("3. Term", END)];
        let new = [("1. Payment", BILL), ("2. Term", END), ("3. Courts", COURT)];
        assert_eq!(of(&old, &new), ["1. Courts -> -", "- -> 3. Courts"]);
    }

    #[test]
    fn an_edit_below_is_told() {
        let edited = BILL.replace("a week", "ten days");
        let old = [("3. Payment", BILL), ("4. Term", END)];
        let new = [("4. Payment", &*edited), ("5. Term", END)];
        assert_eq!(of(&old, &new), [format!("{BILL} -> {edited}")]);
    }

    #[test]
    fn sections_are_counted_in_many_ways() {
        for (old, new) in [
            ("Section 3: Payment", "Section 4: Payment"),
            ("§ 3 Zahlung", "§ 4 Zahlung"),
            ("3.1 Payment", "4.1 Payment"),
            ("III. Payment", "IV. Payment"),
            ("Article 9 – Payment", "Article 10 – Payment"),
        ] {
            let [old, new] = [[(old, BILL)], [(new, BILL)]];
            assert_eq!(of(&old, &new), [""; 0], "{old:?}");
        }
        for (old, new) in [
            ("10 kettles for you", "12 kettles for you"),
            ("3. Payment", "4. Payments"),
            ("3. März", "4. März"),
        ] {
            assert_eq!(of(&[(old, BILL)], &[(new, BILL)]), [format!("{old} -> {new}")]);
        }
    }

    #[test]
    fn places_that_change_are_told() {
        let old = [("1. Leeds", BILL), ("2. Arsenal", END)];
        let new = [("1. Arsenal", END), ("2. Leeds", BILL)];
        assert_ne!(of(&old, &new), [""; 0]);
        let [old, new] = ["3. Leeds", "2. Leeds"].map(|name| page_of("p", &[name, "End"]));
        assert_eq!(told(&old, &new), ["3. Leeds -> 2. Leeds"], "no heading, and alone");
    }
}
