//! The day that a page says it dates from: "Last updated: 7 May" that is "8 July" now. By itself
//! that says little; beside another change it says since when that holds.

use crate::found::{Found, Pair, Spot};
use crate::{ChangeKind, Thing, passing};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The size of such a text, in bytes.
const BYTES_MAX: usize = 160;
/// Words that say since when a text holds.
const HOLDS_SINCE: [&str; 10] = [
    "effective",
    "in force",
    "amended",
    "version of",
    "gültig",
    "in kraft",
    "en vigueur",
    "vigente",
    "in vigore",
    "van kracht",
];

/// A text of the main content in which another day stands now, and nothing else is another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dated {
    pub old: String,
    pub new: String,
}

impl Dated {
    pub(crate) fn of(found: &Found, pair: &Pair<'_>) -> Option<Dated> {
        let (Some(Thing::Text { text: old }), Some(Thing::Text { text: new })) =
            (&found.old, &found.new)
        else {
            return None;
        };
        let Some(Spot::New(place)) = &found.place else { return None };
        let is_short = found.kind == ChangeKind::Update && old.len().max(new.len()) <= BYTES_MAX;
        if !is_short || !pair.new.part(place).is_main() {
            return None;
        }
        let is_revised = [old, new].iter().all(|text| passing::is_revision_of_page(text));
        let is_of_another_day = || {
            let rest = passing::without_dates(new)?;
            let holds = HOLDS_SINCE.iter().any(|word| rest.contains(word));
            Some(holds && passing::without_dates(old)? == rest)
        };
        let is_dated = is_revised || is_of_another_day() == Some(true);
        (is_dated && !are_of_one_day(old, new))
            .then(|| Dated { old: old.clone(), new: new.clone() })
    }
}

/// Whether two texts that each name a day and its month in words name the same, in other order or
/// under another label.
fn are_of_one_day(old: &str, new: &str) -> bool {
    let parts = |text: &str, is_number: bool| -> BTreeSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let own = words.filter(|word| word.starts_with(|c: char| c.is_ascii_digit()) == is_number);
        own.map(str::to_lowercase).collect()
    };
    let [numbers, others] = [old, new].map(|text| parts(text, true));
    let [words, further] = [old, new].map(|text| parts(text, false));
    // Three numbers are a day whose month is one of them: their order counts.
    numbers.len() == 2
        && numbers == others
        && (words.is_subset(&further) || further.is_subset(&words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aspects::Comparer;
    use crate::aspects::any::Any;
    use page::{Block, Extract, Kind};

    fn dated(old: &str, new: &str) -> Option<(String, String)> {
        let page = |text: &str| {
            let mut extract = Extract::empty(Kind::Html);
            extract.blocks = ["Terms", text, "End"].map(Block::plain).to_vec();
            extract
        };
        let (old, new) = (page(old), page(new));
        let pair = Pair::new(&old, &new);
        let found =
            Any.compare(&pair, &BTreeSet::new(), &crate::Limits::default()).expect("compared");
        let found = found.iter().find_map(|one| Dated::of(one, &pair));
        found.map(|dated| (dated.old, dated.new))
    }

    #[test]
    fn the_day_of_a_text_is_known_by_what_stands_before_it() {
        for (old, new) in [
            ("Last updated: October 7, 2025", "Last updated: July 23, 2026"),
            ("Effective May 2, 2025", "Effective June 1, 2026"),
            ("Stand: 3. März 2026", "Stand: 4. Mai 2026"),
        ] {
            assert_eq!(dated(old, new), Some((old.to_owned(), new.to_owned())));
        }
        assert_eq!(dated("Ana, May 2, 2025", "Ana, June 1, 2026"), None, "whatever day that is");
        let (day, same) = ("Effective: 24 October, 2025", "Effective: October 24, 2025");
        assert_eq!(dated(day, same), None, "the same day");
        assert!(!are_of_one_day("Effective 05/06/2026", "Effective 06/05/2026"));
        assert_eq!(
            dated("In force since May 2, 2025", "In force: June 1, 2026"),
            None,
            "other words"
        );
    }
}
