//! Short texts that changed places: of two services the one is well now, and the other is not.
//!
//! A text that moved says nothing new, unless it says it of something else. What a short text is
//! said of stands before it: a label that both versions have once. Where another short text of the
//! page follows that label now, and does not bring along what follows it, the label has another
//! value.

use super::slight;
use crate::found::{Found, Pair, Spot};
use crate::habits::{CELL, speaks_of_trade};
use crate::{ChangeKind, Thing};
use page::{Block, Part};
use rustc_hash::{FxHashMap, FxHashSet};

/// Longer texts are no labels.
const LABEL_BYTES_MAX: usize = 120;

/// How often it is asked what is left where a value that nobody else has is left out.
const ROUNDS: usize = 4;

/// One side, by what its texts say.
struct Side<'p> {
    blocks: &'p [Block],
    /// All texts; where one stands that is there once.
    places: FxHashMap<&'p str, Option<usize>>,
    /// Each text with the one behind it.
    followed: FxHashSet<(&'p str, &'p str)>,
}

impl<'p> Side<'p> {
    fn of(blocks: &'p [Block]) -> Side<'p> {
        let mut places: FxHashMap<&str, Option<usize>> = FxHashMap::default();
        for (at, block) in blocks.iter().enumerate() {
            places.entry(&block.text).and_modify(|place| *place = None).or_insert(Some(at));
        }
        let texts = || blocks.iter().map(|block| &*block.text);
        let followed = texts().zip(texts().skip(1).chain([""])).collect();
        Side { blocks, places, followed }
    }

    /// What stands behind a block, and what behind that.
    fn behind(&self, at: usize) -> Option<(&'p Block, &'p str)> {
        let next = self.blocks.get(at + 1)?;
        Some((next, self.blocks.get(at + 2).map_or("", |block| &block.text)))
    }
}

/// Tells of values that changed places, in place of the moves. O(n).
pub(super) fn tell(found: &mut Vec<Found>, pair: &Pair<'_>) {
    if !found.iter().any(|one| one.kind == ChangeKind::Move) {
        return;
    }
    let [old, new] = [pair.old.extract, pair.new.extract].map(|side| Side::of(&side.blocks));
    let mut told = Vec::new();
    // What is the value of one label is no label of the next.
    let mut values: FxHashSet<&str> = FxHashSet::default();
    for (at, block) in new.blocks.iter().enumerate() {
        let label = &*block.text;
        let [Some(Some(_)), Some(Some(before))] = [&new, &old].map(|s| s.places.get(label)) else {
            continue;
        };
        let before = *before;
        let (Some((was, _)), Some((is, after))) = (old.behind(before), new.behind(at)) else {
            continue;
        };
        let is_value = |block: &Block| {
            let is_item = block.list > 0 && !speaks_of_trade(&block.text);
            slight::is_brief(&block.text)
                && block.heading == 0
                && !is_item
                && block.part != Part::Control
                && !block.text.contains(CELL)
        };
        let is_another = was.text != is.text && is_value(was) && is_value(is);
        let is_label = label.len() <= LABEL_BYTES_MAX && !values.contains(label);
        if !is_label || !is_another {
            continue;
        }
        // A unit of several texts that moved brings along what follows.
        let came_along = old.followed.contains(&(&*is.text, after));
        let are_there = old.places.contains_key(&*is.text) && new.places.contains_key(&*was.text);
        if !came_along && are_there {
            told.push((at + 1, &*was.text, &*is.text));
            values.extend([&*was.text, &*is.text]);
        }
    }
    // What one label lost, another has.
    for _ in 0..ROUNDS {
        let lost: FxHashSet<&str> = told.iter().map(|one| one.1).collect();
        let got: FxHashSet<&str> = told.iter().map(|one| one.2).collect();
        told.retain(|one| got.contains(one.1) && lost.contains(one.2));
    }
    if told.is_empty() {
        return;
    }
    let values: FxHashSet<&str> = told.iter().flat_map(|one| [one.1, one.2]).collect();
    let says_value = |one: &Found| one.text().is_some_and(|text| values.contains(text));
    found.retain(|one| one.kind != ChangeKind::Move || !says_value(one));
    // What the comparison tells of a place already is not said twice.
    let place = |one: &Found| match &one.place {
        Some(Spot::New(place)) if one.part.is_none() => pair.new.reading().block(place),
        _ => None,
    };
    let known: FxHashSet<usize> = found.iter().filter_map(place).collect();
    told.retain(|one| !known.contains(&one.0));
    found.extend(told.into_iter().map(|(at, was, is)| {
        let place = Spot::New(pair.new.reading().blocks[at].clone());
        let [was, is] = [was, is].map(|text| Some(Thing::Text { text: text.to_owned() }));
        Found::between(ChangeKind::Update, was, is).at(place)
    }));
}

#[cfg(test)]
mod tests {
    use super::super::told::{page_of, told};

    fn paragraphs(texts: &[&str]) -> String {
        page_of("div", texts)
    }

    #[test]
    fn two_labels_that_take_each_others_value_are_two_changes() {
        let before = ["Web app", "Degraded performance", "API", "Operational", "End of page"];
        let after = ["Web app", "Operational", "API", "Degraded performance", "End of page"];
        assert_eq!(
            told(&paragraphs(&before), &paragraphs(&after)),
            ["Degraded performance -> Operational", "Operational -> Degraded performance"]
        );
        let shop = |kettle: &str, mixer: &str| {
            format!("<h3>Kettle</h3><p>{kettle}</p><h3>Mixer</h3><p>{mixer}</p><h3>Pan</h3>")
        };
        assert_eq!(
            told(&shop("40 EUR", "79 EUR"), &shop("79 EUR", "40 EUR")),
            ["40 EUR -> 79 EUR", "79 EUR -> 40 EUR"]
        );
    }

    #[test]
    fn what_is_sorted_otherwise_says_nothing_new() {
        let cards = |order: [usize; 3]| {
            let all = [["Kettle", "40 EUR"], ["Mixer", "79 EUR"], ["Pan", "19 EUR"]];
            paragraphs(&order.map(|at| all[at]).concat())
        };
        for order in [[2, 1, 0], [1, 0, 2], [1, 2, 0], [2, 0, 1]] {
            assert_eq!(told(&cards([0, 1, 2]), &cards(order)), [""; 0], "{order:?}");
        }
        let list = |items: [&str; 3]| {
            let items: String = items.iter().map(|item| format!("<li>{item}</li>")).collect();
            format!("<h2>Clubs</h2><ul>{items}</ul>")
        };
        assert_eq!(
            told(&list(["Hull", "Leeds", "Ajax"]), &list(["Ajax", "Leeds", "Hull"])),
            [""; 0]
        );
    }
}
