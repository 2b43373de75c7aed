//! What a person calls noise is a text, whatever tokens are in it.

use super::NUMBERS;
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// Letters of a token that is written like a word: `deadbeef`.
const HEX_MIN: usize = 8;
/// Signs of a token that begins with digits and ends with letters; a shorter one is a number with
/// its unit: 9am, 50m.
const MIXED_MIN: usize = 7;

/// A UUID, and what is written as one word.
static WORD: LazyLock<Regex> = LazyLock::new(|| {
    let regex = r"\b(?:[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9A-Za-z]+(?:[-_][0-9A-Za-z]+)*)\b";
    Regex::new(regex).expect("a regex that a test compiles")
});

/// A text with a sign in place of its numbers, days, months and tokens.
pub(super) fn shape(text: &str) -> String {
    let mask = |found: &Captures<'_>| {
        let is_token = !is_name(&found[0]) && found[0].split(['-', '_']).any(is_mixed);
        (if is_token { "#" } else { &found[0] }).to_owned()
    };
    let without = WORD.replace_all(text, mask);
    NUMBERS.replace_all(&without, "#").into_owned()
}

/// Whether a word is a short name with a number: U6, Gate B12, LH1234.
fn is_name(word: &str) -> bool {
    let number = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    word.len() <= MIXED_MIN
        && number.len() < word.len()
        && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a word is a token: letters and digits, or a number with letters as digits.
fn is_mixed(word: &str) -> bool {
    let signs = word.as_bytes();
    let has_digit_behind =
        signs.windows(2).any(|two| two[0].is_ascii_alphabetic() && two[1].is_ascii_digit());
    let is_hex = signs.iter().all(u8::is_ascii_hexdigit);
    let has = |is: fn(&u8) -> bool| signs.iter().any(is);
    let has_letter = has(u8::is_ascii_alphabetic);
    has_digit_behind
        || has_letter && has(u8::is_ascii_digit) && signs.len() >= MIXED_MIN
        || is_hex && has_letter && signs.len() >= HEX_MIN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_the_same_whatever_tokens_are_in_it() {
        for (one, other) in [
            ("Reference: 47a1fca7", "Reference: deadbeef"),
            ("Reference: 47a1fca7", "Reference: 90218834"),
            ("Reference: 3423bfff", "Reference: f423b0f1"),
            (
                "Build 3423bf15, last updated 9:05 on 3 May",
                "Build 5e9cbb38, last updated 12:41 on 4 June",
            ),
            ("Order no. K7P3XQ2M", "Order no. 9BHV2W4Z"),
            (
                "Request 0a6e1f0c-32a1-4bfe-9d3e-0f6d5f3f7a11",
                "Request 12345678-1234-1234-1234-123456789012",
            ),
            ("Session ab_c2cd_9", "Session 7f_q1"),
            ("10 people voted", "1,204 people voted"),
        ] {
            assert_eq!(shape(one), shape(other));
        }
        for (one, other) in [
            ("Reference: 47a1fca7", "Session: 47a1fca7"),
            ("Open until 9am", "Open until 9pm"),
            ("Distance 50m", "Distance 50km"),
            ("Try tea", "Try cake"),
            ("The facade is open", "The arcade is open"),
            ("COVID-19", "SARS-19"),
            ("Line U6 is late", "Line S6 is late"),
            ("Room A4 is closed", "Room B7 is closed"),
            ("Flight LH1234 is late", "Flight BA5678 is late"),
        ] {
            assert_ne!(shape(one), shape(other));
        }
        assert_eq!(shape("Open 10:30am, 2026-03-02, 02-Mar-2026"), "Open #am, #, #-#-#");
    }
}
