//! Sections that another number was given to: "3. Payment" that is "4. Payment" now.

use super::Step;
use crate::found::{Found, Pair, Spot};
use crate::habits::{CELL, names_version, speaks_of_trade};
use crate::{ChangeKind, Thing, passing};
use page::Block;
use std::collections::{BTreeMap, BTreeSet};

/// Names of sections that are looked at, of each version.
const SECTIONS_MAX: usize = 200;
/// Fewer headings with a number in front are not counted: it may be a price, a time, a place.
const SECTIONS_MIN: usize = 3;
/// Blocks of a version that are looked at.
const BLOCKS_MAX: usize = 20_000;

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

/// The number of a section, in parts.
type Number = Vec<u16>;

/// The number of a heading of the content, where it has one.
fn number(block: &Block) -> Option<Number> {
    let is_heading = block.level() > 0 && !block.part.is_frame();
    let (number, _) = is_heading.then(|| passing::section(&block.text)).flatten()?;
    Some(number)
}

/// How the headings of two versions are counted, and which came and went.
struct Counted {
    old: BTreeSet<Number>,
    new: BTreeSet<Number>,
    came: Vec<Number>,
    went: Vec<Number>,
}

impl Counted {
    fn of(found: &[Found], pair: &Pair<'_>) -> Counted {
        let all = |side: &page::Extract| {
            side.blocks.iter().take(BLOCKS_MAX).filter_map(number).collect::<BTreeSet<_>>()
        };
        // What is not told itself is no reason to hold others back.
        let of_kind = |kind| {
            let told = found.iter().filter(move |one| one.kind == kind && !one.is_slight);
            told.filter_map(|one| number(block(one, pair)?)).take(SECTIONS_MAX).collect()
        };
        Counted {
            old: all(pair.old.extract),
            new: all(pair.new.extract),
            came: of_kind(ChangeKind::Insert),
            went: of_kind(ChangeKind::Delete),
        }
    }

    fn are_several(&self) -> bool {
        self.old.len().max(self.new.len()) >= SECTIONS_MIN
            && !(self.came.is_empty() && self.went.is_empty())
    }

    /// Whether a section has another number by what came and went in front of it, in
    /// sections that are counted from one on.
    fn explains(&self, was: &[u16], is: &[u16]) -> bool {
        let before = |all: &[Number], number: &[u16], level: usize| {
            let is_before = |one: &&Number| {
                one.len() == level + 1
                    && one[..level] == number[..level]
                    && one[level] < number[level]
            };
            all.iter().filter(is_before).count() as i64
        };
        let are_counted = |all: &BTreeSet<Number>, number: &[u16], level: usize| {
            let with = |last| [&number[..level], &[last]].concat();
            let end = number[level] + u16::from(number.len() > level + 1);
            (1..end).all(|last| all.contains(&with(last)))
        };
        was.len() == is.len()
            && was != is
            && (0..is.len()).all(|level| {
                let shift = i64::from(is[level]) - i64::from(was[level]);
                let expected = before(&self.came, is, level) - before(&self.went, was, level);
                let counted =
                    || are_counted(&self.old, was, level) && are_counted(&self.new, is, level);
                shift == expected && (shift == 0 || counted())
            })
    }
}

/// The block of a text that came, went or changed.
fn block<'p>(one: &Found, pair: &'p Pair<'_>) -> Option<&'p Block> {
    let (side, place) = match one.place.as_ref()? {
        Spot::Old(place) => (&pair.old, place),
        Spot::New(place) => (&pair.new, place),
    };
    side.extract.blocks.get(side.reading().block(place)?)
}

/// Headings of sections that have other numbers and the names they had, since sections came or
/// went in front of them. If one has its number for another reason, none are. O(n + s²) for s
/// sections.
pub(super) fn renumbered(found: &[Found], pair: &Pair<'_>) -> BTreeSet<usize> {
    let none = BTreeSet::new();
    let counted = Counted::of(found, pair);
    if !counted.are_several() {
        return none;
    }
    let numbers = |one: &Found| match (one.kind, &one.old, &one.new) {
        (ChangeKind::Update, Some(Thing::Text { text: old }), Some(Thing::Text { text: new })) => {
            number(block(one, pair)?)?;
            let ((was, old_name), (is, name)) = (passing::section(old)?, passing::section(new)?);
            let is_news = names_version(old) || names_version(new) || speaks_of_trade(name);
            (old_name == name && !is_news).then_some((was, is))
        }
        _ => None,
    };
    let all = found.iter().enumerate();
    let all: Vec<(usize, (Number, Number))> =
        all.filter_map(|(at, one)| Some((at, numbers(one)?))).take(SECTIONS_MAX).collect();
    let counts_on = all.windows(2).all(|two| {
        let ((was, is), (was_next, is_next)) = (&two[0].1, &two[1].1);
        was < was_next && is < is_next
    });
    if counts_on && all.iter().all(|(_, (was, is))| counted.explains(was, is)) {
        all.into_iter().map(|(at, _)| at).collect()
    } else {
        none
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

    const USE: &str = "You use the kettle at home, and not in a shop or on a boat.";
    const FEES: &str = "You pay ten euros for each kettle that you keep for a month.";

    #[test]
    fn a_section_that_got_another_number_says_nothing_new() {
        let first = [("1. Who we are", "We rent kettles."), ("2. Use", USE)];
        let old = [("3. Payment", BILL), ("4. Term", END), ("5. Courts", COURT)];
        let new = [("3. Fees", FEES), ("4. Payment", BILL), ("5. Term", END), ("6. Courts", COURT)];
        let [old, new] = [&old[..], &new].map(|rest| [&first[..], rest].concat());
        let came = ["3. Fees", FEES];
        assert_eq!(of(&old, &new), came.map(|text| format!("- -> {text}")), "the new one alone");
        assert_eq!(of(&new, &old), came.map(|text| format!("{text} -> -")));
    }

    #[test]
    fn what_is_in_bold_heads_a_section_too() {
        let page = |all: &[(&str, &str)]| -> String {
            all.iter().map(|(name, text)| format!("<p><b>{name}</b></p><p>{text}</p>")).collect()
        };
        let old = page(&[("1. Use", USE), ("2. Payment", BILL), ("3. Term", END)]);
        let new = [("1. Use", USE), ("2. Fees", FEES), ("3. Payment", BILL), ("4. Term", END)];
        assert_eq!(told(&old, &page(&new)), ["2. Fees", FEES].map(|text| format!("- -> {text}")));
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
        let old = [("1. Use", USE), ("2. Payment", BILL), ("3. Term", END)];
        let new = [("1. Payment", &*edited), ("2. Term", END)];
        assert_eq!(
            of(&old, &new),
            ["1. Use -> -".to_owned(), format!("{USE} -> -"), format!("{BILL} -> {edited}")]
        );
    }

    #[test]
    fn sections_are_counted_in_many_ways() {
        for [use_of, payment, fees, next] in [
            ["Section 1: Use", "Section 2: Payment", "Section 2: Fees", "Section 3: Payment"],
            ["§ 1 Nutzung", "§ 2 Zahlung", "§ 2 Gebühren", "§ 3 Zahlung"],
            ["3.1 Use", "3.2 Payment", "3.2 Fees", "3.3 Payment"],
            ["I. Use", "II. Payment", "II. Fees", "III. Payment"],
            ["Article 1 – Use", "Article 2 – Payment", "Article 2 – Fees", "Article 3 – Payment"],
        ] {
            let old = [(use_of, USE), (payment, BILL)];
            let new = [(use_of, USE), (fees, FEES), (next, BILL)];
            assert_eq!(of(&old, &new), [fees, FEES].map(|text| format!("- -> {text}")));
            let [old, new] = [[(payment, BILL)], [(next, BILL)]];
            assert_eq!(of(&old, &new), [format!("{payment} -> {next}")], "no other came");
        }
        let old = [("1. Use", USE), ("2. Term", END), ("2.1 Payment", BILL)];
        let new = [("1. Use", USE), ("2. Fees", FEES), ("3. Term", END), ("3.1 Payment", BILL)];
        assert_eq!(of(&old, &new), ["2. Fees", FEES].map(|text| format!("- -> {text}")));
    }

    #[test]
    fn a_number_that_is_no_section_s_is_told() {
        for (old, new) in [
            ("1.299 EUR", "1.499 EUR"),
            ("4.99 EUR", "5.49 EUR"),
            ("12.50 kr", "13.50 kr"),
            ("19.30 Uhr", "21.00 Uhr"),
            ("5.1 Release notes", "5.2 Release notes"),
            ("Part 3: applications open", "Part 4: applications open"),
            ("3. Platz", "2. Platz"),
            ("3. Payment", "4. Payments"),
            ("3. März", "4. März"),
            ("10 kettles for you", "12 kettles for you"),
        ] {
            assert_eq!(of(&[(old, BILL)], &[(new, BILL)]), [format!("{old} -> {new}")]);
            // Beside sections of which one came, too.
            let page = |more: &[(&str, &str)], one: &str| -> String {
                let all = [&[("1. Use", USE)], more].concat();
                let all = all.iter().map(|(name, text)| format!("<h2>{name}</h2><p>{text}</p>"));
                all.chain([format!("<h2>{one}</h2><p>{COURT}</p>")]).collect()
            };
            let was = page(&[("2. Term", END), ("3. Courts", COURT)], old);
            let more = [("2. Fees", FEES), ("3. Term", END), ("4. Courts", COURT)];
            let lines = told(&was, &page(&more, new));
            assert!(lines.contains(&format!("{old} -> {new}")), "{lines:?}");
        }
        for unit in ["EUR", "kr", "Uhr", "Platz", "h"] {
            let old = [("1. Use", USE), ("2. Term", END), (&*format!("3. {unit}"), BILL)];
            let line = format!("4. {unit}");
            let new = [("1. Use", USE), ("2. Fees", FEES), ("3. Term", END), (&*line, BILL)];
            assert!(of(&old, &new).contains(&format!("3. {unit} -> {line}")), "{unit}");
        }
    }

    #[test]
    fn a_number_of_which_nothing_came_or_went_is_told() {
        let old = [("1. Use", USE), ("2. Payment", BILL), ("3. Term", END)];
        let new = [("1. Use", USE), ("3. Payment", BILL), ("4. Term", END)];
        assert_eq!(of(&old, &new), ["2. Payment -> 3. Payment", "3. Term -> 4. Term"]);
        let far = [("1. Use", USE), ("2. Fees", FEES), ("3. Payment", BILL), ("5. Term", END)];
        assert!(of(&old, &far).contains(&"3. Term -> 5. Term".to_owned()), "by more than one");
        let [old, new] = [["4.99 Tea", "5.99 Rum"], ["5.49 Tea", "6.49 Rum"]];
        let [old, new] = [old, new].map(|texts| page_of("p", &texts));
        assert_eq!(told(&old, &new).len(), 2, "no headings");
    }

    #[test]
    fn places_that_change_are_told() {
        let old = [("1. Leeds", BILL), ("2. Arsenal", END)];
        let new = [("1. Arsenal", END), ("2. Leeds", BILL)];
        assert_ne!(of(&old, &new), [""; 0]);
        let [old, new] = ["3. Leeds", "2. Leeds"].map(|name| page_of("p", &[name, "End"]));
        assert_eq!(told(&old, &new), ["3. Leeds -> 2. Leeds"]);
    }
}
