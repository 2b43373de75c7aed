//! A line that says first what it is about stays that line, whatever it says of it: "Harbour:
//! Closed", "3.1: end of life". So does a clause behind the heading that begins it: "Retention of
//! Data. We keep it for a year."

use super::{Step, WINDOW, join, shared_in_hundredths, stands, words};
use crate::Thing;
use crate::found::{Pair, Side};
use page::{Block, Kind};
use rustc_hash::FxHashMap;

/// Bytes and words of what a line is about.
const NAME_BYTES_MAX: usize = 60;
const NAME_WORDS_MAX: usize = 8;
/// Words that an edit keeps, in hundredths (Dice's coefficient).
const KEPT_MIN: usize = 50;
/// Words with a capital that make the beginning of a clause its heading.
const CAPITALS_MIN: usize = 2;

/// Pairs such a line that went with the one that came, where one alone of each version is about
/// that, under the same heading. O(bytes of the pages).
pub(super) fn pair(steps: &mut Vec<Step>, pair: &Pair<'_>) {
    if pair.new.extract.kind != Kind::Html {
        return;
    }
    let named = |side: &Side<'_>, places: &mut dyn Iterator<Item = usize>| -> Vec<(usize, Name)> {
        let named = places.filter_map(|at| Some((at, name_at(side, at)?)));
        named.take(WINDOW).collect()
    };
    let gone = named(&pair.old, &mut Step::gone(steps));
    let came = named(&pair.new, &mut Step::came(steps));
    if gone.is_empty() || came.is_empty() {
        return;
    }
    let (before, now) = (names(&pair.old), names(&pair.new));
    let (old, new) = (&pair.old.extract.blocks, &pair.new.extract.blocks);
    for (o, name) in gone {
        let is_one = [&before, &now].into_iter().all(|names| names.get(&name) == Some(&1));
        let n = came.iter().find(|(_, other)| *other == name).map(|(n, _)| *n);
        let n = n.filter(|n| is_one && old[o].part == new[*n].part);
        if let Some(n) = n.filter(|n| !stands(&old[o].text, new) && !stands(&new[*n].text, old)) {
            join(steps, o, n);
        }
    }
}

/// Whether a text that was edited says the same as before in less than half of its words.
pub(super) fn is_rewritten(old: &Thing, new: &Thing) -> bool {
    shared_in_hundredths(&words(old.text()), &words(new.text())) < KEPT_MIN
}

/// The heading that a line stands under, and what it is about.
type Name = (Option<String>, String);

/// How many lines of a version are about the same.
fn names(side: &Side<'_>) -> FxHashMap<Name, usize> {
    let mut names = FxHashMap::default();
    for name in (0..side.extract.blocks.len()).filter_map(|at| name_at(side, at)) {
        *names.entry(name).or_default() += 1;
    }
    names
}

fn name_at(side: &Side<'_>, at: usize) -> Option<Name> {
    let name = name(&side.extract.blocks[at])?;
    Some((side.reading().heading(at).map(str::to_owned), name))
}

/// What a line is about, in small letters.
fn name(block: &Block) -> Option<String> {
    if block.level() > 0 || block.row.is_some() {
        return None;
    }
    let begins = &block.text[..block.text.floor_char_boundary(NAME_BYTES_MAX)];
    let (name, is_heading) = match (begins.split_once(": "), begins.split_once(". ")) {
        (Some((label, _)), Some((heading, _))) if heading.len() < label.len() => (heading, true),
        (Some((label, _)), _) => (label, false),
        (None, Some((heading, _))) => (heading, true),
        (None, None) => return None,
    };
    let words = || name.split_whitespace();
    let is_capital = |word: &&str| word.starts_with(char::is_uppercase);
    let is_name = if is_heading {
        words().filter(is_capital).count() >= CAPITALS_MIN
    } else {
        // "5: " is a place.
        name.contains(|c: char| !c.is_ascii_digit())
    };
    let is_short = words().nth(NAME_WORDS_MAX).is_none();
    (is_name && is_short).then(|| name.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::super::told::{page_of, told};

    #[test]
    fn a_line_that_says_first_what_it_is_about_stays_that_line() {
        let hours = |harbour: &str| {
            let hall = "<dt>Town hall</dt><dd>Mon to Fri</dd>";
            format!("<h2>Offices</h2><dl>{hall}<dt>Harbour</dt><dd>{harbour}</dd></dl>")
        };
        let expected = ["Harbour: Closed -> Harbour: Tue, 10 to 12"];
        assert_eq!(told(&hours("Closed"), &hours("Tue, 10 to 12")), expected);
        let releases = |of: &str| page_of("p", &["3.2: supported", of, "2.8: end of life"]);
        let expected = ["3.1: security fixes until June -> 3.1: old"];
        let until = releases("3.1: security fixes until June");
        assert_eq!(told(&until, &releases("3.1: old")), expected);
    }

    #[test]
    fn a_clause_behind_its_heading_is_rewritten_and_not_gone() {
        let old = "De-identified Data and Retention. We may create and use anonymous records of \
                   your visits to improve and sell products.";
        let new = "De-Identified Data and Retention. Except when Customer elects otherwise, xAI \
                   keeps derived statistics for a year.";
        let terms = |text: &str| page_of("p", &["We sell hats.", text, "Write to us."]);
        assert_eq!(told(&terms(old), &terms(new)), [format!("{old} -> {new}")]);
    }

    #[test]
    fn another_subject_and_one_of_several_come_and_go() {
        let menu = |of: &str| page_of("p", &["Today we serve:", of, "Enjoy your meal!"]);
        let monday = "Menu of Monday: Lentil stew, strudel";
        let tuesday = "Menu of Tuesday: Potato cakes with sauce";
        let both = [format!("{monday} -> -"), format!("- -> {tuesday}")];
        let mut all = told(&menu(monday), &menu(tuesday));
        all.sort_by_key(|one| one.starts_with('-'));
        assert_eq!(all, both);
        // Two of one name: which of them went is not known.
        let notes = |all: &[&str]| page_of("p", all);
        let before = notes(&["Ann: Fine soup.", "Ann: I like this very much.", "Bob: Me too."]);
        let after = notes(&["Ann: I like this very much.", "Bob: Me too.", "Ann: Where is it?"]);
        assert_eq!(told(&before, &after).len(), 2);
        // A sentence is no heading.
        let said = |text: &str| page_of("p", &["We sell hats.", text, "Write to us."]);
        let before = said("It is here. We found nothing in the cellar, nor on the roof.");
        let after = said("It is here. Prices of bread and milk go up again next week.");
        assert_eq!(told(&before, &after).len(), 2);
    }
}
