//! References to sections that another number was given to: "in Section 11.3" that is "in Section
//! 12.3" where a section came before it.

use crate::found::Found;
use crate::{ChangeKind, Thing, passing, spans};
use std::collections::BTreeSet;

/// Words before a number that is a section's, in lower case.
const SECTIONS: [&str; 16] = [
    "section",
    "sections",
    "article",
    "articles",
    "clause",
    "clauses",
    "paragraph",
    "paragraphs",
    "chapter",
    "chapters",
    "part",
    "annex",
    "abschnitt",
    "artikel",
    "ziffer",
    "absatz",
];
/// Words between the numbers of several.
const BETWEEN: [&str; 6] = ["and", "or", "to", "through", "und", "bis"];

/// The numbers that headings had, and those that they have now.
pub(super) type Renumbered = BTreeSet<(Vec<u16>, Vec<u16>)>;

/// What a heading was numbered, and is.
pub(super) fn of_heading(one: &Found) -> Option<(Vec<u16>, Vec<u16>)> {
    let number = |thing: &Option<Thing>| Some(passing::section(thing.as_ref()?.text())?.0);
    Some((number(&one.old)?, number(&one.new)?))
}

/// Whether a text differs only in references to sections that were renumbered so. O(length).
pub(super) fn follow(one: &Found, renumbered: &Renumbered) -> bool {
    let (ChangeKind::Update, Some(Thing::Text { text: old }), Some(Thing::Text { text: new })) =
        (one.kind, &one.old, &one.new)
    else {
        return false;
    };
    let follows = |one: &spans::Differing| {
        let said = [(old, &one.old), (new, &one.new)];
        let [Some(was), Some(is)] =
            said.map(|(text, place)| reference(text, place.start, place.end))
        else {
            return false;
        };
        // What stands in a section moved with it.
        let moved = |(from, to): &(Vec<u16>, Vec<u16>)| {
            was.starts_with(from) && is.starts_with(to) && was[from.len()..] == is[to.len()..]
        };
        renumbered.iter().any(moved)
    };
    let differing = spans::differing(old, new);
    !renumbered.is_empty() && !differing.is_empty() && differing.iter().all(follows)
}

/// The number of a section to which a part of a text refers, and nothing else.
fn reference(text: &str, start: usize, end: usize) -> Option<Vec<u16>> {
    let number = text[start..end].trim().trim_end_matches('.');
    let parts: Option<Vec<u16>> = number.split('.').map(|part| part.parse().ok()).collect();
    let before = text[..start].trim_end();
    // Names of sections follow one another; an amount or a time may have brackets behind it, too.
    let listed = BETWEEN.iter().find_map(|word| before.strip_suffix(word)).unwrap_or(before);
    let is_listed = before.is_empty() || listed.trim_end().ends_with(['(', ')', ',', ';']);
    let is_named = is_listed && text[end..].trim_start_matches('.').starts_with(" (");
    // A colon ends what is said of sections.
    let of_sections = before.rsplit(':').next().unwrap_or(before);
    let mut words = of_sections.rsplit(|c: char| !c.is_alphabetic() && c != '§');
    let word = words.find(|word| !word.is_empty() && !BETWEEN.contains(word));
    let is_of_sections =
        word.is_some_and(|word| word.ends_with('§') || SECTIONS.contains(&&*word.to_lowercase()));
    parts.filter(|_| is_named || is_of_sections)
}

#[cfg(test)]
mod tests {
    use super::super::told::told;
    use super::*;

    #[test]
    fn references_are_quiet_where_their_sections_are() {
        let page = |sections: &[&str], last: &str| -> String {
            let section = |name: &&str| format!("<h2>{name}</h2><p>We rent {name} to you.</p>");
            let all: String = sections.iter().map(section).collect();
            format!("{all}<p>{last}</p>")
        };
        let old = ["1. Pots", "2. Boats", "3. Kettles"];
        let new = ["1. Pots", "2. Fees", "3. Boats", "4. Kettles"];
        let holds = |n: u32, days: u32| format!("What Section {n} says holds for {days} days.");
        let is_told = |old: String, new: String| {
            told(&old, &new).iter().any(|line| line.contains("What Section"))
        };
        assert!(!is_told(page(&old, &holds(3, 9)), page(&new, &holds(4, 9))));
        assert!(is_told(page(&old, &holds(3, 3)), page(&new, &holds(4, 4))), "days are none");
        assert!(is_told(page(&old, &holds(3, 9)), page(&old, &holds(4, 9))), "alone");
    }

    #[test]
    fn a_reference_follows_its_section() {
        let renumbered: Renumbered =
            [11, 12, 14].map(|number| (vec![number], vec![number + 1])).into_iter().collect();
        let follows = |old: &str, new: &str| {
            let thing = |text: &str| Thing::Text { text: text.into() };
            follow(&Found::update(thing(old), thing(new)), &renumbered)
        };
        assert!(follows("as in Section 11.3 of these", "as in Section 12.3 of these"));
        assert!(follows("INDEMNITY UNDER SECTION 11, TO", "INDEMNITY UNDER SECTION 12, TO"));
        assert!(follows("See Sections 3, 12 and 14.", "See Sections 3, 13 and 15."));
        assert!(follows(
            "11.3 (Effect), 12 (Indemnity), and 14 (Disputes) survive.",
            "12.3 (Effect), 13 (Indemnity), and 15 (Disputes) survive."
        ));
        for (old, new) in [
            ("as in Section 11.3", "as in Section 11.4"),
            ("as in Section 11.3", "as in Section 13.3"),
            ("within 11 days", "within 12 days"),
            ("Section 2: you pay 11 euros", "Section 2: you pay 12 euros"),
            ("Section 11 holds", "Section 12 never holds"),
            ("Section 5 holds", "Section 6 holds"),
            ("You pay EUR 11 (VAT included).", "You pay EUR 12 (VAT included)."),
            ("within 11 (business) days", "within 12 (business) days"),
            ("Article 2: 10 to 11 euros", "Article 2: 10 to 12 euros"),
        ] {
            assert!(!follows(old, new), "{new}");
        }
    }
}
