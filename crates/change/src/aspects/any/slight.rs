//! Changes of a page that say nothing new: a text moved, or came where it stands a second time.

use crate::ChangeKind;
use crate::found::{Found, Pair};
use crate::habits::speaks_of_trade;
use crate::passing;
use std::collections::BTreeSet;

/// Shorter texts say the same of different things: "Yes", "Sold out".
const WORDS_MIN: usize = 3;
const BYTES_MIN: usize = 12;

/// Marks what says nothing new. O(n log n).
pub(super) fn mark(found: &mut [Found], pair: &Pair<'_>) {
    if found.is_empty() {
        return;
    }
    // "Updated 3 days ago" and "14 November 2022" may be one time in two ways of writing.
    let has_age = |kind| found.iter().any(|one| one.kind == kind && is_age(one));
    let (age_came, age_went) = (has_age(ChangeKind::Insert), has_age(ChangeKind::Delete));
    let texts = |side: &page::Extract| -> BTreeSet<String> {
        side.blocks.iter().map(|block| block.text.clone()).filter(|text| is_telling(text)).collect()
    };
    let has_both =
        found.iter().any(|one| one.kind == ChangeKind::Insert || one.kind == ChangeKind::Delete);
    let [old, new] = if has_both {
        [texts(pair.old.extract), texts(pair.new.extract)]
    } else {
        [BTreeSet::new(), BTreeSet::new()]
    };
    for one in found {
        let stands_in =
            |texts: &BTreeSet<String>| one.text().is_some_and(|text| texts.contains(text));
        one.is_slight |= match one.kind {
            ChangeKind::Move => true,
            ChangeKind::Insert => stands_in(&old) || (age_went && is_date(one)),
            ChangeKind::Delete => stands_in(&new) || (age_came && is_date(one)),
            ChangeKind::Update => false,
        };
    }
}

fn is_date(found: &Found) -> bool {
    found.text().is_some_and(passing::is_date)
}

fn is_age(found: &Found) -> bool {
    found.text().is_some_and(passing::is_nothing_else)
}

fn is_telling(text: &str) -> bool {
    text.len() >= BYTES_MIN
        && text.split_whitespace().nth(WORDS_MIN - 1).is_some()
        && !speaks_of_trade(text)
}
