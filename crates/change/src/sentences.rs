//! Where sentences end: by the rules of Unicode (UAX 29), but not after "Dr." and "No.".

use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// What stands before a name, in lower case: no sentence ends there.
const BEFORE_NAMES: [&str; 28] = [
    "dr", "mr", "mrs", "ms", "prof", "st", "rev", "hon", "gen", "col", "capt", "lt", "sgt", "sen",
    "rep", "gov", "vs", "cf", "al", "approx", "ca", "bzw", "vgl", "hr", "fr", "mme", "sr", "sra",
];

/// What stands before a number, in lower case: no sentence ends there if one follows.
const BEFORE_NUMBERS: [&str; 34] = [
    "no", "nos", "nr", "num", "art", "arts", "sec", "sect", "fig", "figs", "p", "pp", "abs", "vol",
    "ch", "cl", "para", "pt", "ed", "tel", "op", "jan", "feb", "mar", "apr", "jun", "jul", "aug",
    "sep", "sept", "oct", "nov", "dec", "okt",
];

/// The sentence around a place, without the white space after it. O(length).
pub fn around(text: &str, place: &Range<usize>) -> Range<usize> {
    let (mut start, mut end) = (0, text.len());
    let bounds = text.split_sentence_bound_indices().map(|(at, one)| at + one.len());
    for bound in bounds {
        if bound >= text.len() || goes_on(&text[..bound], &text[bound..]) {
            continue;
        }
        if bound <= place.start {
            start = bound;
        } else if bound >= place.end {
            end = bound;
            break;
        }
    }
    start..start + text[start..end].trim_end().len()
}

/// All sentences of a text, without the white space after them. O(length).
pub(crate) fn all(text: &str) -> impl Iterator<Item = &str> {
    let mut start = 0;
    let ends = text.split_sentence_bound_indices().map(|(at, one)| at + one.len());
    let ends = ends.filter(|&end| end == text.len() || !goes_on(&text[..end], &text[end..]));
    ends.filter_map(move |end| {
        let sentence = text[start..end].trim();
        start = end;
        (!sentence.is_empty()).then_some(sentence)
    })
}

/// Bytes of an abbreviation at most.
const WORD_BYTES_MAX: usize = 32;

/// Whether a sentence goes on behind what looks like its end.
fn goes_on(before: &str, after: &str) -> bool {
    let Some(said) = before.trim_end().strip_suffix('.') else { return false };
    // Text without blanks is one long word up to here.
    let from = (0..=said.len().saturating_sub(WORD_BYTES_MAX)).rev();
    let from = from.take(4).find(|&at| said.is_char_boundary(at)).unwrap_or(0);
    let near = &said[from..];
    let word = near.rsplit(|c: char| c.is_whitespace() || "([“„\"'".contains(c)).next();
    let word = word.filter(|word| from == 0 || word.len() < near.len()).unwrap_or("-");
    let lower = word.to_lowercase();
    let is_number = after.starts_with(|c: char| c.is_ascii_digit());
    // A street and a number; a day, and the next cell of a row.
    let is_of_row = after.starts_with('|') || (is_number && lower.ends_with("str"));
    is_abbreviated(word)
        || is_of_row
        || BEFORE_NAMES.contains(&&*lower)
        || is_number && BEFORE_NUMBERS.contains(&&*lower)
}

/// Letters with full stops between them, and initials: `U.S`, `e.g`, `J`.
fn is_abbreviated(word: &str) -> bool {
    let mut parts = word.split('.');
    let is_letter = |part: &str| part.chars().count() == 1 && part.chars().all(char::is_alphabetic);
    // "Neither do I." ends.
    word != "I" && parts.all(is_letter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sentence<'t>(text: &'t str, word: &str) -> &'t str {
        let at = text.find(word).expect("it stands there");
        &text[around(text, &(at..at + word.len()))]
    }

    #[test]
    fn a_text_without_blanks_is_read_in_time() {
        // Each end is looked at for itself: a walk back to the last blank took a minute here.
        let text = "한.".repeat(200_000);
        assert!(all(&text).count() > 1_000);
    }

    #[test]
    fn a_sentence_ends_where_people_end_it() {
        for (text, said) in [
            ("It rains. Dr. Smith sells kettles. So.", "Dr. Smith sells kettles."),
            (
                "Stop. Use pots, e.g. Kettles, or kettles. End",
                "Use pots, e.g. Kettles, or kettles.",
            ),
            ("He did. See No. 5 for kettles! No. We", "See No. 5 for kettles!"),
            ("Yes. The U.S. Senate bans kettles.", "The U.S. Senate bans kettles."),
            ("Yes. J. K. Brown makes kettles. No", "J. K. Brown makes kettles."),
            (
                "So it is. From Jan. 3 on, kettles cost 4.50 EUR.",
                "From Jan. 3 on, kettles cost 4.50 EUR.",
            ),
            ("Is it? No. We have kettles.", "We have kettles."),
            ("We sold out. kettles are back", "We sold out. kettles are back"),
            ("雨です。kettlesを売る。終わり。", "kettlesを売る。"),
            ("Siehe Abs. 2, z.B. Kessel (kettles). Ende.", "Siehe Abs. 2, z.B. Kessel (kettles)."),
            ("Nor do I. Buy kettles.", "Buy kettles."),
        ] {
            assert_eq!(sentence(text, "kettles"), said, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_sentence_holds_its_place(
            before in "[A-Za-z .!?。]{0,60}", word in "[a-z]{1,8}", after in "[A-Za-z .!?。]{0,60}",
        ) {
            let text = format!("{before}{word}{after}");
            let place = before.len()..before.len() + word.len();
            let sentence = around(&text, &place);
            prop_assert!(sentence.start <= place.start && place.end <= sentence.end);
        }
    }
}
