//! Which numbers of a text may run.

use super::CELL;
use page::{Block, Extract, Kind};
use regex::Regex;
use std::sync::LazyLock;

/// Days, months and numbers.
pub(super) static NUMBERS: LazyLock<Regex> = LazyLock::new(|| {
    let names = r"(?i:\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b)|(?i:\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b)";
    Regex::new(&format!(r"{names}|\d+(?:[.,:/-]\d+)*")).expect("a regex that a test compiles")
});
/// A name that is given once.
const UUID: &str = r"\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b";
/// Times as programs write them, and names that are given once.
static TIMES: LazyLock<Regex> = LazyLock::new(|| {
    let written = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)? ?(?:Z|UTC|[+-]\d\d:?\d\d)?";
    // Seconds, with a fraction or not, to nanoseconds.
    let epoch = r"\b1[0-9]{9}(?:\.[0-9]+|[0-9]{3}(?:\.[0-9]+)?|[0-9]{6}|[0-9]{9})?\b";
    let http = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? \d\d?[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d(?: (?:GMT|UTC|[+-]\d{4}))?";
    Regex::new(&format!("{UUID}|{written}|{http}|{epoch}")).expect("a regex that a test compiles")
});

/// Whether nothing but numbers, days and months differs between two texts.
pub(crate) fn run_alone(old: &str, new: &str) -> bool {
    NUMBERS.replace_all(old, "#") == NUMBERS.replace_all(new, "#")
}

/// Letters beside a number that is all a text says: a unit.
const UNIT_LETTERS_MAX: usize = 3;
/// Texts with words beside which numbers are still what a document is about: a name, a unit, a day.
const WORDED_MAX: usize = 3;
/// The share of texts that are numbers, in a document about numbers.
const NUMBERS_SHARE: (usize, usize) = (3, 4);

/// Whether a document is about its numbers, such as rates of exchange: most of its texts are
/// numbers, or few are more than a name. O(n).
pub(crate) fn is_of_numbers(extract: &Extract) -> bool {
    if extract.kind == Kind::Html {
        return false;
    }
    let (mut numbers, mut worded) = (0, 0);
    for block in &extract.blocks {
        let said = said(block, extract.kind);
        let rest = TIMES.replace_all(said, "");
        let has_words = rest.chars().filter(|c| c.is_alphabetic()).nth(UNIT_LETTERS_MAX).is_some();
        let is_number = said.trim_start_matches(['-', '+', '−']).starts_with(char::is_numeric);
        worded += usize::from(has_words);
        numbers += usize::from(is_number && !has_words);
    }
    let (part, whole) = NUMBERS_SHARE;
    worded <= WORDED_MAX || numbers * whole >= extract.blocks.len() * part
}

/// What a text says, without the name that it has.
fn said(block: &Block, kind: Kind) -> &str {
    let named = match kind {
        Kind::Json | Kind::Xml => block.text.split_once(": "),
        _ => block.text.split_once(CELL),
    };
    named.map_or(&block.text, |(_, said)| said)
}

/// Names of members that say a price.
static PRICES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)price|cost|fare|amount").expect("a regex that a test compiles")
});

/// Tokens as programs write them, and numbers.
static TOKENS: LazyLock<Regex> = LazyLock::new(|| {
    let token = format!(r"{UUID}|\b[0-9a-fA-F]{{16,128}}\b|{}", NUMBERS.as_str());
    Regex::new(&token).expect("a regex that a test compiles")
});

/// What runs in texts like this one, which is in a document of a kind. A price has no habits, and
/// neither has a number in a document about numbers; times and names that are given once run
/// everywhere. An address may have another token for each reader; a hash alone is of what it names.
pub(super) fn running(text: &str, kind: Kind, is_of_numbers: bool) -> &'static Regex {
    let member = text.split_once(": ").filter(|_| matches!(kind, Kind::Json | Kind::Xml));
    let is_price = member.is_some_and(|(name, _)| {
        name.rsplit(['.', ']']).next().is_some_and(|last| PRICES.is_match(last))
    });
    match kind {
        Kind::Html => &NUMBERS,
        _ if is_of_numbers || is_price => &TIMES,
        _ if member.is_some_and(|(_, said)| said.contains("://")) => &TOKENS,
        _ => &NUMBERS,
    }
}
