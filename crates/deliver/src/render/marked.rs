//! A text of which some words are marked, with as much around them as a reader needs.

use super::{AROUND_CHARS_MAX, Share, clean};
use std::ops::Range;

/// Marked parts that are shown of one text.
pub(crate) const MARKED_MAX: usize = 8;
/// Characters of a path that stays in sight.
const PATH_CHARS_MAX: usize = 60;
/// Words of a name that are no sentence yet.
const NAME_WORDS_MAX: usize = 4;
/// Characters of the title of an entry that stay in sight.
const TITLE_CHARS_MAX: usize = 100;
/// Characters shown of a text of which nothing stayed.
const WHOLE_CHARS_MAX: usize = 2_000;

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) marked: bool,
}

/// The pieces of `text`, those of `spans` (code points) marked; an empty one is a place to show.
/// What stands between two of them, before the first and after the last is cut to the words next
/// to them, and the marked ones are always there. A text of which everything is marked has no need
/// of it.
pub(crate) fn pieces(text: &str, spans: &[(u32, u32)], share: Share) -> Vec<Piece> {
    pieces_behind(text, spans, path, share)
}

/// The pieces of an entry of a feed, which is known by its title.
pub(crate) fn pieces_of_entry(text: &str, spans: &[(u32, u32)], share: Share) -> Vec<Piece> {
    pieces_behind(text, spans, title, share)
}

/// A name that a text begins with, and what stands behind it.
type Named<'t> = (String, &'t str);

/// The pieces, behind the name that the text begins with, where nothing of that differs.
fn pieces_behind(
    text: &str,
    spans: &[(u32, u32)],
    name: fn(&str) -> Option<Named<'_>>,
    share: Share,
) -> Vec<Piece> {
    let chars: Vec<char> = text.chars().collect();
    let mut parts: Vec<(Vec<char>, bool)> = Vec::new();
    let mut at = 0;
    for &(start, end) in spans {
        let end = (end as usize).min(chars.len());
        let start = (start as usize).clamp(at, chars.len());
        if start > end {
            continue;
        }
        parts.push((chars[at..start].to_vec(), false));
        parts.push((chars[start..end].to_vec(), true));
        at = end;
    }
    parts.push((chars[at..].to_vec(), false));
    parts.retain(|(part, marked)| *marked || !part.is_empty());
    if !parts.iter().any(|(_, marked)| *marked) || parts.len() == 1 {
        return vec![Piece { text: clean::words(text, share.text), marked: false }];
    }
    let left_out = parts.iter().filter(|(_, marked)| *marked).count() > MARKED_MAX;
    if let Some((nth, _)) = parts.iter().enumerate().filter(|(_, part)| part.1).nth(MARKED_MAX) {
        parts.truncate(nth);
    }
    let last = parts.len() - 1;
    let mut pieces: Vec<Piece> = Vec::new();
    for (nth, (part, marked)) in parts.iter().enumerate() {
        let raw: String = part.iter().collect();
        let text = if *marked {
            clean::words(&raw, share.marked)
        } else {
            let said = around(&raw, nth == 0, nth == last && !left_out);
            match name(&raw).filter(|_| nth == 0 && said.starts_with('…')) {
                Some((name, rest)) => {
                    format!("{name} {}", around(rest, true, false)).trim_end().to_owned()
                }
                None => said,
            }
        };
        let space = |edge: bool, is_space: bool| if edge && is_space { " " } else { "" };
        let before = space(nth > 0, raw.starts_with(char::is_whitespace));
        let after = space(nth < last, raw.ends_with(char::is_whitespace));
        let text =
            if text.is_empty() { before.to_owned() } else { format!("{before}{text}{after}") };
        let marked = *marked && !text.trim().is_empty();
        pieces.push(Piece { text, marked });
    }
    pieces.retain(|piece| !piece.text.is_empty());
    if left_out && !pieces.last().is_some_and(|piece| piece.text.ends_with('…')) {
        pieces.push(Piece { text: " …".to_owned(), marked: false });
    }
    pieces
}

/// What a text calls itself, with its colon: the path of a member, `packages[kettle].price:`, or a
/// name of few words, `Release notes:`.
fn path(text: &str) -> Option<Named<'_>> {
    let (path, rest) = text.split_once(": ")?;
    let words = path.split_whitespace().count();
    let is_name = path.chars().count() <= PATH_CHARS_MAX && (1..=NAME_WORDS_MAX).contains(&words);
    is_name.then(|| (format!("{}:", clean::line(path, PATH_CHARS_MAX)), rest))
}

/// The title that an entry of a feed begins with, and its dash.
fn title(text: &str) -> Option<Named<'_>> {
    let (title, rest) = text.split_once(" — ").filter(|(title, _)| !title.is_empty())?;
    Some((format!("{} —", clean::words(title, TITLE_CHARS_MAX)), rest))
}

/// What stands next to marked parts: whole words, `…` for what is left out.
fn around(text: &str, is_first: bool, is_last: bool) -> String {
    let text = clean::line(text, usize::MAX);
    let count = text.chars().count();
    let (head, tail) = (|| head(&text, AROUND_CHARS_MAX), || tail(&text, AROUND_CHARS_MAX));
    match (is_first, is_last) {
        (true, false) if count > AROUND_CHARS_MAX => tail(),
        (false, true) if count > AROUND_CHARS_MAX => head(),
        (false, false) if count > 2 * AROUND_CHARS_MAX => {
            format!("{} {}", head().trim_end_matches([' ', '…']), tail())
        }
        _ => text,
    }
}

/// The first words of a text, and `…`. Where a word is long, or the script has no blanks, it is cut
/// within one.
pub(crate) fn head(text: &str, chars_max: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(chars_max) else { return text.to_owned() };
    let kept = &text[..end];
    let words = kept.rsplit_once(' ').map(|(words, _)| words);
    match words.filter(|words| 2 * words.len() >= kept.len()) {
        Some(words) => format!("{} …", words.trim_end_matches([' ', '…'])),
        None => format!("{}…", kept.trim_end_matches([' ', '…'])),
    }
}

/// The last words of a text after `…`, likewise.
pub(crate) fn tail(text: &str, chars_max: usize) -> String {
    let cut = text.chars().count().saturating_sub(chars_max);
    let Some((start, _)) = text.char_indices().nth(cut).filter(|_| cut > 0) else {
        return text.to_owned();
    };
    let kept = &text[start..];
    let words = kept.split_once(' ').map(|(_, words)| words);
    match words.filter(|words| 2 * words.len() >= kept.len()) {
        Some(words) => format!("… {}", words.trim_start_matches([' ', '…'])),
        None => format!("…{}", kept.trim_start_matches([' ', '…'])),
    }
}

/// Two texts of which all that differs is marked.
pub(crate) struct Pair {
    pub(crate) old: Vec<Piece>,
    pub(crate) new: Vec<Piece>,
    /// Nothing of it differs: it shows the place where something came or went.
    pub(crate) is_place: [bool; 2],
    /// Places that are not shown.
    pub(crate) more: usize,
}

impl Pair {
    /// Both sides show the same places, also where one of them has nothing that differs. An entry
    /// of a feed keeps its title.
    pub(crate) fn of(old: &str, new: &str, is_entry: bool, share: Share) -> Pair {
        let pieces = if is_entry { pieces_of_entry } else { pieces };
        let [old, new] = &change::short_hashes_of_both(old, new);
        let all = change::differing(old, new);
        let old_spans = spans(old, all.iter().map(|one| &one.old));
        let new_spans = spans(new, all.iter().map(|one| &one.new));
        let is_place = [&old_spans, &new_spans].map(|all| all.iter().all(|(from, to)| from == to));
        Pair {
            old: pieces(old, &old_spans, share),
            new: pieces(new, &new_spans, share),
            is_place,
            more: all.len().saturating_sub(MARKED_MAX),
        }
    }
}

/// Two texts for a terminal, a line each: what differs stands between «», with as much around it
/// as a reader needs. And what is said of places that are not shown; may be empty.
pub fn marked_lines(old: &str, new: &str) -> ([String; 2], String) {
    let pair = Pair::of(old, new, false, Share::LEAST);
    let stays = |pieces: &[Piece], is_place: bool| is_place || pieces.iter().any(|one| one.marked);
    if !stays(&pair.old, pair.is_place[0]) && !stays(&pair.new, pair.is_place[1]) {
        return ([old, new].map(|text| clean::words(text, WHOLE_CHARS_MAX)), String::new());
    }
    let line = |pieces: &[Piece]| {
        let quote = |text: &str| quoted(text, str::to_owned);
        let piece =
            |piece: &Piece| if piece.marked { quote(&piece.text) } else { piece.text.clone() };
        pieces.iter().map(piece).collect::<String>()
    };
    ([line(&pair.old), line(&pair.new)], more_said(pair.more))
}

/// A marked piece between «», as `inner` writes it; white space at its ends stands outside.
pub(crate) fn quoted(text: &str, inner: impl Fn(&str) -> String) -> String {
    let (start, rest) = text.split_at(text.len() - text.trim_start().len());
    let end = &rest[rest.trim_end().len()..];
    format!("{start}«{}»{end}", inner(rest.trim_end()))
}

/// What is said of places of a text that are not shown; may be empty.
pub(crate) fn more_said(places: usize) -> String {
    match places {
        0 => String::new(),
        1 => "and 1 more place in this text".to_owned(),
        more => format!("and {more} more places in this text"),
    }
}

/// Ranges of bytes, ascending, as code points.
fn spans<'r>(text: &str, ranges: impl Iterator<Item = &'r Range<usize>>) -> Vec<(u32, u32)> {
    let (mut at, mut chars) = (0, 0);
    let mut count = |upto: usize| {
        chars += text[at..upto].chars().count() as u32;
        at = upto;
        chars
    };
    ranges.map(|range| (count(range.start), count(range.end))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str, spans: &[(u32, u32)]) -> String {
        let shown = |piece: &Piece| {
            if piece.marked { format!("«{}»", piece.text) } else { piece.text.clone() }
        };
        pieces(text, spans, Share::LEAST).iter().map(shown).collect()
    }

    #[test]
    fn marked_words_stand_among_the_words_next_to_them() {
        assert_eq!(shown("prix 22 €", &[(5, 7)]), "prix «22» €");
        assert_eq!(shown("all of it", &[(0, 9)]), "all of it");
        assert_eq!(shown("none of it", &[]), "none of it");
        assert_eq!(shown("none of it", &[(4, 4)]), "none of it");
        let url = format!("files[a].url: https://{}v1/a.zip", "a".repeat(60));
        let near = "a".repeat(48);
        assert_eq!(shown(&url, &[(82, 84)]), format!("files[a].url: …{near}«v1»/a.zip"));
        let url = format!("url: https://{}v1/a.zip", "a".repeat(60));
        assert_eq!(shown(&url, &[(73, 75)]), format!("url: …{near}«v1»/a.zip"));
        let long = format!("{}{}", "word ".repeat(200), "more ".repeat(200));
        let place = shown(&long, &[(1_000, 1_000)]);
        assert!(place.starts_with("… word word") && place.ends_with("more more …"), "{place}");
        let text = format!("{}Ohio {}", "word ".repeat(200), "more ".repeat(200));
        let near = "word word word word word word word word word ";
        let after = " more more more more more more more more more …";
        assert_eq!(shown(&text, &[(1_000, 1_004)]), format!("… {near}«Ohio»{after}"));
    }

    #[test]
    fn what_a_long_text_is_called_stays_in_sight() {
        let rest = "so and so ".repeat(20);
        let marked = |text: &str, is_entry: bool| -> String {
            let end = text.chars().count() as u32;
            let spans = [(end - 3, end)];
            let of = if is_entry { pieces_of_entry } else { pieces };
            let pieces = of(text, &spans, Share::LEAST);
            pieces.iter().map(|piece| piece.text.as_str()).collect()
        };
        let notes = marked(&format!("Release notes: {rest}end"), false);
        assert!(notes.starts_with("Release notes: … "), "{notes}");
        let prose = marked(&format!("We hold to one of these rules: {rest}end"), false);
        assert!(prose.starts_with("… "), "{prose}");
        let entry = format!("Kettle recalled — {rest}end");
        assert!(marked(&entry, true).starts_with("Kettle recalled — … "), "{entry}");
        assert!(marked(&entry, false).starts_with("… "), "no entry");
        assert_eq!(
            marked("Regulators open an inquiry into kettle makers — Three firms are bad", true),
            "Regulators open an inquiry into kettle makers — Three firms are bad"
        );
        let long = marked(&format!("{}— {rest}end", "Kettle ".repeat(40)), true);
        assert!(long.starts_with("Kettle") && long.contains("Kettle… — … "), "{long}");
    }

    #[test]
    fn two_texts_are_lines_with_what_differs_in_quotes() {
        let long = "word ".repeat(600);
        let text = |days: &str, city: &str| format!("In {days} days. {long}Go to {city}.\u{1b}[2J");
        let (lines, more) = marked_lines(&text("30", "Bern"), &text("14", "Rome"));
        let [old, new] = lines;
        assert!(old.starts_with("In «30» days. word") && old.ends_with("to «Bern».[2J"), "{old}");
        assert!(new.contains("word … word") && new.contains("to «Rome»"), "{new}");
        assert!(more.is_empty() && old.chars().count() < 160, "{old}");
        let many = |word: &str| format!("We say {word}, and no later than now. ").repeat(10);
        assert_eq!(marked_lines(&many("so"), &many("no")).1, "and 2 more places in this text");
        assert_eq!(marked_lines("one", "two").0, ["one", "two"]);
    }

    #[test]
    fn a_script_without_blanks_and_a_long_word_are_cut_within() {
        let near = "条款".repeat(24);
        let text = format!("{0}三十天{0}", "条款".repeat(200));
        assert_eq!(shown(&text, &[(400, 402)]), format!("…{near}«三十»天{}条…", &near[..46 * 3]));
        let text = format!("{0}三十天{0}十四", "条款".repeat(200));
        let told = shown(&text, &[(400, 402), (803, 805)]);
        assert!(told.ends_with(&format!("条 …{near}«十四»")), "{told}");
        let word = format!("Now {}b", "a".repeat(5_000));
        assert_eq!(shown(&word, &[(5_004, 5_005)]), format!("…{}«b»", "a".repeat(48)));
    }

    proptest! {
        #[test]
        fn the_first_marked_words_are_always_shown(
            before in "[a-z ]{0,2000}", word in "[A-Z]{1,20}", after in "[a-z ]{0,2000}",
        ) {
            let start = before.len() as u32;
            let text = format!("{before}{word}{after}");
            let shown = pieces(&text, &[(start, start + word.len() as u32)], Share::LEAST);
            prop_assert!(shown.iter().any(|piece| piece.text.contains(&word)));
            let all: usize = shown.iter().map(|piece| piece.text.chars().count()).sum();
            prop_assert!(all <= Share::LEAST.text);
        }
    }
}
