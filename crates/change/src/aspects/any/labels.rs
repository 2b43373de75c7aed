//! A line that says first what it is about stays that line, whatever it says of it: "Harbour:
//! Closed", "3.1: end of life". So does a clause behind the heading that begins it: "Retention of
//! Data. We keep it for a year."

use super::{Step, WINDOW, join, shared_in_hundredths, stands, words};
use crate::Thing;
use crate::found::{Pair, Side};
use page::{Block, Kind};
use rustc_hash::{FxHashMap, FxHashSet};

/// Bytes and words of what a line is about.
const NAME_BYTES_MAX: usize = 60;
const NAME_WORDS_MAX: usize = 8;
/// Bytes of a heading that tell it from others.
const HEADING_BYTES_MAX: usize = 200;
/// Words that an edit keeps, in hundredths (Dice's coefficient).
const KEPT_MIN: usize = 50;
/// Words with a capital that make the beginning of a clause its heading.
const CAPITALS_MIN: usize = 2;

/// Pairs such a line that went with the one that came where it stood, if one alone of each version
/// is about that, under the same heading. O(bytes of the pages).
pub(super) fn pair(steps: &mut Vec<Step>, pair: &Pair<'_>) {
    if pair.new.extract.kind != Kind::Html {
        return;
    }
    let gone = named(&pair.old, Step::gone(steps));
    let came = named(&pair.new, Step::came(steps));
    let (old, new) = (&pair.old.extract.blocks, &pair.new.extract.blocks);
    let is_alike =
        |o: usize, n: usize| old[o].part == new[n].part && stands_alike([old, new], o, n);
    let both = gone.into_iter().filter_map(|(o, name)| {
        let mut came = came.iter().filter(|(_, other)| *other == name);
        came.find(|(n, _)| is_alike(o, *n)).map(|(n, _)| (o, *n, name))
    });
    let both: Vec<(usize, usize, Name<'_>)> = both.collect();
    if both.is_empty() {
        return;
    }
    let asked: FxHashSet<&Name<'_>> = both.iter().map(|(_, _, name)| name).collect();
    let [before, now] = [&pair.old, &pair.new].map(|side| counts(side, &asked));
    for (o, n, name) in &both {
        let is_one = [&before, &now].into_iter().all(|names| names.get(name) == Some(&1));
        if is_one && !stands(&old[*o].text, new) && !stands(&new[*n].text, old) {
            join(steps, *o, *n);
        }
    }
}

/// Whether two lines stand beside the same text, or the same on either side: an entry that comes
/// first in a list where another went at its end has the heading alone in common.
fn stands_alike([old, new]: [&[Block]; 2], o: usize, n: usize) -> bool {
    let neighbours = |by: usize| [(o, old), (n, new)].map(|(at, all)| all.get(at.wrapping_add(by)));
    let beside = [neighbours(usize::MAX), neighbours(1)];
    let is_same = |[was, is]: &[Option<&Block>; 2]| match (was, is) {
        (Some(was), Some(is)) => was.text == is.text || is_of_name(&was.text, &is.text),
        (was, is) => was.is_none() && is.is_none(),
    };
    let is_text = |both: &[Option<&Block>; 2]| both[0].is_some_and(|block| block.level() == 0);
    beside.iter().all(is_same) || beside.iter().any(|both| is_text(both) && is_same(both))
}

/// Whether two texts are about the same, in other words.
fn is_of_name(old: &str, new: &str) -> bool {
    name(old).is_some_and(|name_of_old| Some(name_of_old) == name(new))
}

/// Whether a line still says what it is about, and half of its words no more.
pub(super) fn is_rewritten(old: &Thing, new: &Thing) -> bool {
    let (old, new) = (old.text(), new.text());
    is_of_name(old, new) && shared_in_hundredths(&words(old), &words(new)) < KEPT_MIN
}

/// The heading that a line stands under, as it begins, and what the line is about.
type Name<'s> = (Option<&'s str>, String);

/// The first lines of some that say what they are about.
fn named<'s>(side: &'s Side<'_>, places: impl Iterator<Item = usize>) -> Vec<(usize, Name<'s>)> {
    places.filter_map(|at| Some((at, name_at(side, at)?))).take(WINDOW).collect()
}

/// How many lines of a version are about each of these.
fn counts<'s>(side: &'s Side<'_>, asked: &FxHashSet<&Name<'s>>) -> FxHashMap<Name<'s>, usize> {
    let mut counts = FxHashMap::default();
    let names = (0..side.extract.blocks.len()).filter_map(|at| name_at(side, at));
    for name in names.filter(|name| asked.contains(name)) {
        *counts.entry(name).or_default() += 1;
    }
    counts
}

fn name_at<'s>(side: &'s Side<'_>, at: usize) -> Option<Name<'s>> {
    let block = &side.extract.blocks[at];
    if block.level() > 0 || block.row.is_some() {
        return None;
    }
    let heading = side.reading().heading(at);
    let begins = |text: &'s str| &text[..text.floor_char_boundary(HEADING_BYTES_MAX)];
    Some((heading.map(begins), name(&block.text)?))
}

/// What a line is about, in small letters.
fn name(text: &str) -> Option<String> {
    let begins = &text[..text.floor_char_boundary(NAME_BYTES_MAX)];
    let (name, is_heading) = match (begins.split_once(": "), begins.split_once(". ")) {
        (Some((label, _)), Some((heading, _))) if heading.len() < label.len() => (heading, true),
        (Some((label, _)), _) => (label, false),
        (None, Some((heading, _))) => (heading, true),
        (None, None) => return code(begins),
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

/// Words of a line that begins with a code, and letters and digits of that.
const CODED_WORDS: std::ops::RangeInclusive<usize> = 2..=8;
const CODE_CHARS_MAX: usize = 4;

/// The code that a short line begins with, of a tram or a gate: "U1", "C".
fn code(text: &str) -> Option<String> {
    let mut words = text.split_whitespace();
    let code = words.next()?;
    // "EU agrees", "I agree" and "A shop" begin with words.
    let is_word = match code {
        "A" | "I" => true,
        code => code.len() > 1 && !code.contains(|c: char| c.is_ascii_digit()),
    };
    let is_code = code.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
        && code.starts_with(|c: char| c.is_ascii_uppercase())
        && code.len() <= CODE_CHARS_MAX
        && !is_word;
    let is_said = words.clone().next()?.starts_with(char::is_uppercase);
    (is_code && is_said && CODED_WORDS.contains(&(1 + words.count()))).then(|| code.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::super::told::{page_of, told};

    #[test]
    fn a_line_of_a_tram_stays_that_line() {
        let lines = |of: &str| {
            let all = ["B Trafic normal", "D Trafic normal", of];
            format!("<h2>État des lignes</h2>{}", page_of("li", &all))
        };
        let (normal, cut) = ("C Trafic normal", "C Interrompu entre Gare et Hôpital");
        assert_eq!(told(&lines(normal), &lines(cut)), [format!("{normal} -> {cut}")]);
    }

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
        // Nor one that stands elsewhere: the newest of a list comes first.
        let news = |all: &[&str]| format!("<h2>News</h2>{}", page_of("li", all));
        let before = ["Ukraine: Talks end early", "Rowing: A gold", "Trade: New tariffs"];
        let after = ["Ukraine: Grain ships leave", "Chess: A draw", "Rowing: A gold"];
        assert_eq!(told(&news(&before), &news(&after)).len(), 4);
        let (before, after) =
            (["Ann: Fine soup.", "Bob: Me too."], ["Bob: Me too.", "Ann: Where?"]);
        assert_eq!(told(&news(&before), &news(&after)).len(), 2);
        // A neighbour may be another as well.
        let before = ["Harbour: Closed", "Hall: Mon to Fri", "Write to us."];
        let after = ["Harbour: Tue, 10 to 12", "Hall: By letter", "Call us at home."];
        let told = told(&news(&before), &news(&after));
        assert_eq!(told.iter().filter(|one| one.contains("- ->")).count(), 1, "{told:?}");
    }

    #[test]
    fn a_sentence_is_no_heading() {
        let said = |text: &str| page_of("p", &["We sell hats.", text, "Write to us."]);
        let before = said("It is here. We found nothing in the cellar, nor on the roof.");
        let after = said("It is here. Prices of bread and milk go up again next week.");
        assert_eq!(told(&before, &after).len(), 2);
    }
}
