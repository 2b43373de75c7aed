//! Entries of feeds of which little is said: they are counted, and not told one by one.

use crate::passing;
use serde::{Deserialize, Serialize};
use std::iter::Peekable;
use std::str::Chars;

/// Longer texts are compared to the letter.
const BYTES_MAX: usize = 50_000;
/// What is left of a text that was cut.
const CUT_BYTES_MIN: usize = 40;
/// What an excerpt may begin with that others of the same text leave out: a date.
const DATE_BYTES_MAX: usize = 40;
/// Between what an entry is called and what it says.
const BEHIND_TITLE: &str = " — ";

/// Why an entry is no news.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Slight {
    /// An earlier version listed it, with the same date.
    Again,
    /// It left with others, as new ones came.
    Left,
    /// The excerpt is of the same text, and ends elsewhere.
    Cut,
    /// The letters were read in another encoding.
    Letters,
}

impl Slight {
    /// So many of them, for people.
    pub fn said(self, count: u64) -> String {
        match self {
            Slight::Again => format!("{count} listed again"),
            Slight::Left => format!("{count} no longer listed"),
            Slight::Cut if count == 1 => "1 excerpt cut elsewhere".to_owned(),
            Slight::Cut => format!("{count} excerpts cut elsewhere"),
            Slight::Letters => format!("{count} encoded otherwise"),
        }
    }

    /// Why an entry that says something else is no news.
    pub(crate) fn of_update(old: &str, new: &str) -> Option<Slight> {
        if old.len().max(new.len()) > BYTES_MAX {
            None
        } else if are_cut_alike(old, new) {
            Some(Slight::Cut)
        } else if is_decoded(old, new) || is_decoded(new, old) {
            Some(Slight::Letters)
        } else {
            None
        }
    }
}

/// Two excerpts of one text: one goes on where the other was cut. One may leave out the date that
/// the other begins with.
fn are_cut_alike(old: &str, new: &str) -> bool {
    let ([title, old], [other, new]) = (titled(old), titled(new));
    let (Some(old), Some(new)) = (kept(old), kept(new)) else { return false };
    if title != other {
        return false;
    }
    let are_alike = |one: &str, other: &str| {
        let (one, other) = (page::letters(one), page::letters(other));
        one.len().min(other.len()) >= CUT_BYTES_MIN
            && (one.starts_with(&other) || other.starts_with(&one))
    };
    let undated =
        |text, other| without_first_date(text, other).is_some_and(|rest| are_alike(rest, other));
    are_alike(old, new) || undated(old, new) || undated(new, old)
}

/// What an entry is called, and what it says.
fn titled(text: &str) -> [&str; 2] {
    text.split_once(BEHIND_TITLE).map_or(["", text], |(title, rest)| [title, rest])
}

/// A text that was cut, without the mark of it.
fn kept(text: &str) -> Option<&str> {
    const MARKS: [&str; 4] = ["...", "…", "[…]", "[...]"];
    MARKS.iter().find_map(|mark| text.strip_suffix(mark)).map(str::trim_end)
}

/// The rest of a text that begins with a date, where the other text begins as the rest does.
fn without_first_date<'t>(text: &'t str, other: &str) -> Option<&'t str> {
    let beginning = &other[..other.floor_char_boundary(CUT_BYTES_MIN / 2)];
    let at = text.find(beginning).filter(|at| (1..=DATE_BYTES_MAX).contains(at))?;
    passing::is_day_or_month(text[..at].trim()).then_some(&text[at..])
}

/// Whether a text is the other one, of which some letters were read byte by byte.
fn is_decoded(broken: &str, whole: &str) -> bool {
    let mut broken = broken.chars().peekable();
    let mut is_other = false;
    for letter in whole.chars() {
        if letter.is_ascii() && letter != ' ' {
            if broken.next() != Some(letter) {
                return false;
            }
        } else if let Some(rest) = read_as_bytes(&broken, letter) {
            (broken, is_other) = (rest, true);
        } else if broken.next() != Some(letter) {
            return false;
        }
    }
    is_other && broken.next().is_none()
}

/// What follows the bytes of a letter that were read as letters of Latin-1 or Windows-1252.
/// Controls among these are not shown, and a blank that does not break is one like others.
fn read_as_bytes<'t>(from: &Peekable<Chars<'t>>, letter: char) -> Option<Peekable<Chars<'t>>> {
    let mut rest = from.clone();
    let letter = if letter == ' ' { '\u{a0}' } else { letter };
    let mut bytes = [0; 4];
    let bytes = letter.encode_utf8(&mut bytes).bytes();
    for (at, byte) in bytes.enumerate() {
        let is_this = |c: &char| match byte {
            0xa0 => *c == ' ' || *c == '\u{a0}',
            _ => *c == char::from(byte) || windows_1252(byte) == Some(*c),
        };
        let is_there = rest.next_if(is_this).is_some();
        let is_control = (0x80..0xa0).contains(&byte);
        if !is_there && (at == 0 || !is_control) {
            return None;
        }
    }
    Some(rest)
}

/// The letter of a byte that is a control in Latin-1.
fn windows_1252(byte: u8) -> Option<char> {
    const LETTERS: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž',
        '\u{8f}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}',
        'ž', 'Ÿ',
    ];
    LETTERS.get(usize::from(byte.checked_sub(0x80)?)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_that_ends_elsewhere_is_of_the_same_text() {
        let cut = |old: &str, new: &str| Slight::of_update(old, new) == Some(Slight::Cut);
        let text = "Java's Cover — This essay developed out of conversations I've had with others";
        let of = |rest: &str| format!("{text}{rest}");
        assert!(cut(&of(" about..."), &of("...")));
        assert!(cut(&of("..."), &of(" about it. Oth…")));
        let dated = of("...").replace("This", "April 2001This");
        assert!(cut(&dated, &of(" about...")) && cut(&of(" about..."), &dated));
        assert!(cut(&of(" in 1970s it was so..."), &of(" in 1970s, it was s...")), "a comma");
        for (old, new) in [
            (of(" about..."), of("...").replace("This essay", "CANCELLED: This essay")),
            (of(" about..."), of("...").replace("developed", "grew")),
            (of(" about..."), of("...").replace("Java", "Rust")),
            (of(" for 1.50..."), of(" for 150 ...")),
            (of(" at -5 degrees..."), of(" at 5 deg...")),
            (of(" in 1 - 5 days..."), of(" in 15 da...")),
            (of(" in rooms 1, 5 and..."), of(" in rooms 15 a...")),
            (of(" by 5 (2 of them)..."), of(" by 52 of th...")),
            (of(""), of(" about.")),
            (of("..."), of(" about.")),
            ("Nobody knows what...".to_owned(), "Nobody knows what it was...".to_owned()),
        ] {
            assert!(!cut(&old, &new), "{old} | {new}");
        }
    }

    #[test]
    fn letters_that_were_read_in_another_encoding_are_the_same() {
        let is_same = |old: &str, new: &str| Slight::of_update(old, new) == Some(Slight::Letters);
        let whole = "Here’s why they fail – in a café, 5 €";
        let latin_1: String = whole.bytes().map(char::from).collect();
        let shown: String = latin_1.chars().filter(|c| !c.is_control()).collect();
        let windows = whole.bytes().map(|byte| windows_1252(byte).unwrap_or(char::from(byte)));
        let windows: String = windows.collect();
        for broken in [&latin_1, &shown, &windows, &whole.replace('’', "â\u{80}\u{99}")] {
            assert!(is_same(broken, whole), "{broken}");
            assert!(is_same(whole, broken), "{broken}");
            assert!(!is_same(broken, &whole.replace('5', "6")), "another price");
            assert!(!is_same(broken, &whole.replace("fail", "failed")), "another word");
        }
        assert!(is_same("Stackâ¢ isnât so", "Stack™ isn’t so"));
        assert!(is_same("5Â km", "5 km"));
        assert!(!is_same(whole, whole));
        assert!(!is_same("a résumé", "a resume"));
    }
}
