//! The day that a page says it dates from: "Last updated: 7 May" that is "8 July" now. By itself
//! that says little; beside another change it says since when that holds.

use crate::found::{Found, Pair, Spot};
use crate::{ChangeKind, Thing, passing};
use serde::{Deserialize, Serialize};

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
        (is_revised || is_of_another_day() == Some(true))
            .then(|| Dated { old: old.clone(), new: new.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aspects::Comparer;
    use crate::aspects::any::Any;
    use page::{Block, Extract, Kind};
    use std::collections::BTreeSet;

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
        assert_eq!(
            dated("In force since May 2, 2025", "In force: June 1, 2026"),
            None,
            "other words"
        );
    }
}
