//! A text of which some words are marked, with as much around them as a reader needs.

use super::{AROUND_CHARS_MAX, TEXT_CHARS_MAX, clean};

/// Marked parts that are shown of one text.
const MARKED_MAX: usize = 8;
/// Characters of a path that stays in sight.
const PATH_CHARS_MAX: usize = 60;
/// Words of a name that are no sentence yet.
const NAME_WORDS_MAX: usize = 4;
/// Characters of the title of an entry that stay in sight.
const TITLE_CHARS_MAX: usize = 100;
/// Characters shown of one marked part.
const MARKED_CHARS_MAX: usize = 300;

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
pub(crate) fn pieces(text: &str, spans: &[(u32, u32)]) -> Vec<Piece> {
    pieces_behind(text, spans, path)
}

/// The pieces of an entry of a feed, which is known by its title.
pub(crate) fn pieces_of_entry(text: &str, spans: &[(u32, u32)]) -> Vec<Piece> {
    pieces_behind(text, spans, title)
}

/// The pieces, behind the name that the text begins with, where nothing of that differs.
fn pieces_behind(text: &str, spans: &[(u32, u32)], name: fn(&str) -> Option<String>) -> Vec<Piece> {
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
        return vec![Piece { text: clean::line(text, TEXT_CHARS_MAX), marked: false }];
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
            clean::words(&raw, MARKED_CHARS_MAX)
        } else {
            let said = around(&raw, nth == 0, nth == last && !left_out);
            match name(&raw).filter(|_| nth == 0 && said.starts_with('…')) {
                Some(name) => format!("{name} {said}"),
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
fn path(text: &str) -> Option<String> {
    let (path, _) = text.split_once(": ")?;
    let words = path.split_whitespace().count();
    let is_name = path.chars().count() <= PATH_CHARS_MAX && (1..=NAME_WORDS_MAX).contains(&words);
    is_name.then(|| format!("{}:", clean::line(path, PATH_CHARS_MAX)))
}

/// The title that an entry of a feed begins with, and its dash.
fn title(text: &str) -> Option<String> {
    let (title, _) = text.split_once(" — ")?;
    Some(format!("{} —", clean::words(title, TITLE_CHARS_MAX))).filter(|_| !title.is_empty())
}

/// What stands next to marked parts: whole words, `…` for what is left out.
fn around(text: &str, is_first: bool, is_last: bool) -> String {
    let text = clean::line(text, usize::MAX);
    let count = text.chars().count();
    let head = || -> String {
        let head: String = text.chars().take(AROUND_CHARS_MAX).collect();
        head.rsplit_once(' ').map_or(String::new(), |(head, _)| head.to_owned())
    };
    let tail = || -> String {
        let tail: String = text.chars().skip(count - AROUND_CHARS_MAX).collect();
        tail.split_once(' ').map_or(String::new(), |(_, tail)| tail.to_owned())
    };
    match (is_first, is_last) {
        (true, false) if count > AROUND_CHARS_MAX => format!("… {}", tail()),
        (false, true) if count > AROUND_CHARS_MAX => format!("{} …", head()),
        (false, false) if count > 2 * AROUND_CHARS_MAX => format!("{} … {}", head(), tail()),
        _ => text,
    }
}

/// The spans of some words in a text, without case, ascending; whole words where there are any.
/// O(length of the text × length of the words).
pub(crate) fn spans_of<'w>(text: &str, words: impl Iterator<Item = &'w str>) -> Vec<(u32, u32)> {
    let lower = |text: &str| -> Vec<char> {
        text.chars().map(|c| c.to_lowercase().next().unwrap_or(c)).collect()
    };
    let all = lower(text);
    let is_part = |at: Option<usize>| {
        at.and_then(|at| all.get(at)).is_some_and(|c: &char| c.is_alphanumeric())
    };
    let mut spans: Vec<(u32, u32)> = Vec::new();
    for word in words.map(lower).filter(|word| !word.is_empty()) {
        let places = all.windows(word.len()).enumerate().filter(|(_, place)| *place == word);
        let mut places: Vec<usize> = places.map(|(at, _)| at).collect();
        let is_whole = |at: &usize| !is_part(at.checked_sub(1)) && !is_part(Some(at + word.len()));
        // Some scripts have no blanks between words.
        if places.iter().any(is_whole) {
            places.retain(is_whole);
        }
        spans.extend(places.into_iter().map(|at| (at as u32, (at + word.len()) as u32)));
    }
    spans.sort_unstable();
    let mut apart: Vec<(u32, u32)> = Vec::new();
    for (start, end) in spans {
        match apart.last_mut() {
            Some(last) if start < last.1 => last.1 = last.1.max(end),
            _ => apart.push((start, end)),
        }
    }
    apart
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str, spans: &[(u32, u32)]) -> String {
        let shown = |piece: &Piece| {
            if piece.marked { format!("«{}»", piece.text) } else { piece.text.clone() }
        };
        pieces(text, spans).iter().map(shown).collect()
    }

    #[test]
    fn marked_words_stand_among_the_words_next_to_them() {
        assert_eq!(shown("prix 22 €", &[(5, 7)]), "prix «22» €");
        assert_eq!(shown("all of it", &[(0, 9)]), "all of it");
        assert_eq!(shown("none of it", &[]), "none of it");
        assert_eq!(shown("none of it", &[(4, 4)]), "none of it");
        let url = format!("files[a].url: https://{}v1/a.zip", "a".repeat(60));
        assert_eq!(shown(&url, &[(82, 84)]), "files[a].url: … «v1»/a.zip");
        let url = format!("url: https://{}v1/a.zip", "a".repeat(60));
        assert_eq!(shown(&url, &[(73, 75)]), "url: … «v1»/a.zip");
        let long = format!("{}{}", "word ".repeat(200), "more ".repeat(200));
        let place = shown(&long, &[(1_000, 1_000)]);
        assert!(place.starts_with("… word word") && place.ends_with("more more …"), "{place}");
        let text = format!("{}Ohio {}", "word ".repeat(200), "more ".repeat(200));
        let near = "word word word word word word word word word ";
        let after = " more more more more more more more more more …";
        assert_eq!(shown(&text, &[(1_000, 1_004)]), format!("… {near}«Ohio»{after}"));
        let spans =
            |words: &[&'static str]| spans_of("oil, Gas of gasoline", words.iter().copied());
        assert_eq!(spans(&["gas", "oil"]), [(0, 3), (5, 8)]);
        assert_eq!(spans(&["gas of", "gas", "soli"]), [(5, 11), (14, 18)]);
    }

    #[test]
    fn what_a_long_text_is_called_stays_in_sight() {
        let rest = "so and so ".repeat(20);
        let marked = |text: &str, is_entry: bool| -> String {
            let end = text.chars().count() as u32;
            let spans = [(end - 3, end)];
            let pieces =
                if is_entry { pieces_of_entry(text, &spans) } else { pieces(text, &spans) };
            pieces.iter().map(|piece| piece.text.as_str()).collect()
        };
        let notes = marked(&format!("Release notes: {rest}end"), false);
        assert!(notes.starts_with("Release notes: … "), "{notes}");
        let prose = marked(&format!("We hold to one of these rules: {rest}end"), false);
        assert!(prose.starts_with("… "), "{prose}");
        let entry = format!("Kettle recalled — {rest}end");
        assert!(marked(&entry, true).starts_with("Kettle recalled — … "), "{entry}");
        assert!(marked(&entry, false).starts_with("… "), "no entry");
        let long = marked(&format!("{}— {rest}end", "Kettle ".repeat(40)), true);
        assert!(long.starts_with("Kettle") && long.contains("Kettle… — … "), "{long}");
    }

    proptest! {
        #[test]
        fn the_first_marked_words_are_always_shown(
            before in "[a-z ]{0,2000}", word in "[A-Z]{1,20}", after in "[a-z ]{0,2000}",
        ) {
            let start = before.len() as u32;
            let text = format!("{before}{word}{after}");
            let shown = pieces(&text, &[(start, start + word.len() as u32)]);
            prop_assert!(shown.iter().any(|piece| piece.text.contains(&word)));
            let all: usize = shown.iter().map(|piece| piece.text.chars().count()).sum();
            prop_assert!(all <= TEXT_CHARS_MAX);
        }
    }
}
