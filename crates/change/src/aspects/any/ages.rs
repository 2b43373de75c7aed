//! Times as lists have them without a word that they are over: "50m", "1h". Alone such a text may
//! be how long something takes; in a list where all grew by one time it is how old things are.

use crate::found::{Found, Pair, Side, Spot};
use crate::habits::CELL;
use crate::passing::{Age, short_age};
use crate::{ChangeKind, Thing};
use page::{Block, Part};
use rustc_hash::FxHashSet;

/// Texts of a list, at least.
const LIST_MIN: usize = 5;
/// The count of which one may stand out of order: a story that stays on top.
const ORDERED_OF: usize = 4;

/// Marks ages that grew as time passed. O(n log n).
pub(super) fn mark(found: &mut [Found], pair: &Pair<'_>) {
    let grown: Vec<Option<Passed>> = found.iter().map(Passed::of).collect();
    if grown.iter().all(Option::is_none) {
        return;
    }
    let [old, new] = [&pair.old, &pair.new].map(ages);
    if !is_list(&old) || !is_list(&new) {
        return;
    }
    let is_new = |one: &&Found| matches!(one.place, Some(Spot::New(_)));
    let changed = found.iter().filter(is_new).filter_map(|one| one.block(&pair.new));
    let changed: FxHashSet<usize> = changed.collect();
    let stayed = new.iter().filter(|(at, _)| !changed.contains(at));
    let stayed = stayed.map(|(_, (least, most))| Passed { least: 0, most: most - least });
    // One time passed for all of them.
    let all = grown.iter().flatten().copied().chain(stayed);
    let all = all.fold(Passed { least: 0, most: i64::MAX }, |all, one| Passed {
        least: all.least.max(one.least),
        most: all.most.min(one.most),
    });
    if all.least >= all.most {
        return;
    }
    for (one, _) in found.iter_mut().zip(grown).filter(|(_, grown)| grown.is_some()) {
        one.is_slight = true;
    }
}

/// How much time passed, in seconds: at least, and less than.
#[derive(Clone, Copy)]
struct Passed {
    least: i64,
    most: i64,
}

impl Passed {
    /// Between two versions of a text, or since an age came or went; `None`: it is none.
    fn of(one: &Found) -> Option<Passed> {
        let age = |thing: &Thing| match thing {
            Thing::Text { text } if !text.contains(CELL) => short_age(text),
            _ => None,
        };
        match (one.kind, &one.old, &one.new) {
            (ChangeKind::Update, Some(old), Some(new)) => {
                let ((old, was), (new, is)) = (age(old)?, age(new)?);
                let passed = Passed { least: new.0 - old.1, most: new.1 - old.0 };
                (was == is).then_some(passed)
            }
            (ChangeKind::Insert, None, Some(thing)) | (ChangeKind::Delete, Some(thing), None) => {
                let (_, rest) = age(thing)?;
                let is_alone = !rest.contains(char::is_alphanumeric);
                is_alone.then_some(Passed { least: 0, most: i64::MAX })
            }
            _ => None,
        }
    }
}

/// The ages in the main part of a page, with their blocks.
fn ages(side: &Side<'_>) -> Vec<(usize, Age)> {
    let blocks = side.extract.blocks.iter().enumerate();
    // A column of a table may say how long.
    let is_own = |block: &Block| block.part == Part::Main && !block.text.contains(CELL);
    let blocks = blocks.filter(|(_, block)| is_own(block));
    blocks.filter_map(|(at, block)| Some((at, short_age(&block.text)?.0))).collect()
}

/// Whether these are of a list by age, the newest first or last: how long things take is in no
/// such order.
fn is_list(ages: &[(usize, Age)]) -> bool {
    let ages: Vec<i64> = ages.iter().map(|(_, (least, most))| least + most).collect();
    let is_ordered = |is_out: fn(&[i64]) -> bool| {
        ages.windows(2).filter(|two| is_out(two)).count() * ORDERED_OF < ages.len()
    };
    ages.len() >= LIST_MIN
        && (is_ordered(|two| two[0] > two[1]) || is_ordered(|two| two[0] < two[1]))
        && ages.iter().any(|age| *age != ages[0])
}

#[cfg(test)]
mod tests {
    use super::super::told::told;

    fn list(ages: &[&str]) -> String {
        list_with(ages, "")
    }

    fn list_with(ages: &[&str], end: &str) -> String {
        let names = ["Ferry", "Clock", "Farmer", "Chess", "Doctor", "Swan"];
        let entry = |(name, age): (&str, &&str)| {
            format!("<article><h2>{name}</h2><p>What {name} means.</p><span>{age}</span></article>")
        };
        let all: String = names.into_iter().zip(ages).map(entry).collect();
        format!("<main><h1>Harbour</h1>{all}{end}</main>")
    }

    #[test]
    fn ages_of_a_list_grow_as_time_passes() {
        for [old, new] in [
            [["now", "50m", "3h", "2d", "4d"], ["10m", "1h", "3h", "2d", "4d"]],
            [["5 min", "50 min", "1 h", "3 j", "4 j"], ["15 min", "1 h", "1 h", "3 j", "4 j"]],
            [
                ["5 Min.", "50 Min.", "3 Std.", "2 Tg.", "3 Tg."],
                ["15 Min.", "1 Std.", "3 Std.", "2 Tg.", "3 Tg."],
            ],
            [
                ["1m · 2 comments", "9m · 5 comments", "1h · 6 comments", "2w", "3w"],
                ["7m · 3 comments", "15m · 5 comments", "1h · 9 comments", "2w", "3w"],
            ],
            [
                ["by Ann, 1m", "by Bo, 9m", "by Cy, 20m", "by Di, 1h", "by Ed, 2h"],
                ["by Ann, 7m", "by Bo, 15m", "by Cy, 26m", "by Di, 1h", "by Ed, 2h"],
            ],
        ] {
            assert_eq!(told(&list(&old), &list(&new)), [""; 0], "{old:?}");
        }
    }

    #[test]
    fn how_long_something_takes_is_told() {
        for [old, new] in [
            [
                ["50 min", "20 min", "30 min", "10 min", "5 min"],
                ["60 min", "20 min", "30 min", "10 min", "5 min"],
            ],
            [
                ["10 min", "20 min", "30 min", "50 min", "2 h"],
                ["10 min", "20 min", "30 min", "60 min", "2 h"],
            ],
            [["10m", "20m", "30m", "50m", "2h"], ["10m", "25m", "30m", "40m", "2h"]],
            [["5m", "20m", "50m", "2h", "3h"], ["35m", "25m", "55m", "2h", "3h"]],
            [["1 h", "2 h", "3 h", "2 h", "1 h"], ["1 h", "2 h", "4 h", "2 h", "1 h"]],
        ] {
            assert_ne!(told(&list(&old), &list(&new)), [""; 0], "{old:?}");
        }
        assert_ne!(told(&list(&["50m"]), &list(&["60m"])), [""; 0], "alone");
        let tours = |last: &str| {
            let row = |(name, time)| format!("<tr><td>{name}</td><td>{time}</td></tr>");
            let all = [("Ann", "1h"), ("Bo", "2h"), ("Cy", "3h"), ("Di", "4h"), ("Ed", last)];
            format!("<main><h1>Tours</h1><table>{}</table></main>", all.map(row).concat())
        };
        assert_eq!(told(&tours("5h"), &tours("6h")), ["Ed | 5h -> Ed | 6h"]);
        for [old, new] in [
            ["Distance 50 m", "Distance 80 m"],
            ["Price 50 M", "Price 1 B"],
            ["Duration 50 min", "Duration 60 min"],
            ["Wait time: 5 min", "Wait time: 50 min"],
            ["Open 24 h", "Open 12 h"],
            ["Delivery in 3 days", "Delivery in 5 days"],
        ] {
            let [was, is] = [old, new]
                .map(|one| list_with(&["1m", "9m", "20m", "1h", "2h"], &format!("<p>{one}")));
            assert_eq!(told(&was, &is), [format!("{old} -> {new}")]);
        }
    }
}
