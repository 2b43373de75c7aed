//! Which numbers of a text may run.

use crate::path::{after_path, without_names};
use page::Kind;
use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

const WEEKDAY: &str = r"\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b";
const MONTH: &str = r"\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b";

/// Days, months and numbers.
pub(crate) static NUMBERS: LazyLock<Regex> = LazyLock::new(|| {
    let all = format!(r"(?i:{WEEKDAY})|(?i:{MONTH})|\d+(?:[.,:/-]\d+)*");
    Regex::new(&all).expect("a regex that a test compiles")
});
/// Dates and times of day.
static DATES: LazyLock<Regex> = LazyLock::new(|| {
    let day = r"\b\d{1,2}(?:st|nd|rd|th)?";
    let all = format!(
        r"(?i){WEEKDAY}|{day}\.? {MONTH}\.?(?:,? \d{{4}}\b)?|{MONTH}\.? {day}\b(?:,? \d{{4}}\b)?|\b\d{{4}}-\d\d-\d\d\b|\b\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}\b|\b\d{{1,2}}:\d\d\b"
    );
    Regex::new(&all).expect("a regex that a test compiles")
});

/// The numbers that differ between two texts, one for one, but for those of their dates: a level,
/// a gauge. O(length).
pub(super) fn differing_beside_dates(old: &str, new: &str) -> Vec<(String, String)> {
    let numbers = |text: &str| -> Vec<String> {
        let text = DATES.replace_all(text, "");
        NUMBERS.find_iter(&text).map(|found| found.as_str().to_owned()).collect()
    };
    numbers(old).into_iter().zip(numbers(new)).filter(|(old, new)| old != new).collect()
}
/// Times as programs write them.
static TIMES: LazyLock<Regex> = LazyLock::new(|| {
    let written = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)? ?(?:Z|UTC|[+-]\d\d:?\d\d)?";
    // Seconds, with a fraction or not, to nanoseconds.
    let epoch = r"\b1[0-9]{9}(?:\.[0-9]+|[0-9]{3}(?:\.[0-9]+)?|[0-9]{6}|[0-9]{9})?\b";
    let http = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? \d\d?[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d(?: (?:GMT|UTC|[+-]\d{4}))?";
    Regex::new(&format!("{written}|{http}|{epoch}")).expect("a regex that a test compiles")
});

/// Whether nothing but numbers, days and months differs between two texts.
pub(crate) fn run_alone(old: &str, new: &str) -> bool {
    NUMBERS.replace_all(old, "#") == NUMBERS.replace_all(new, "#")
}

/// A token as programs write it.
const TOKEN: &str =
    r"\b(?:[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9a-fA-F]{16,128})\b";
/// A token in the query of an address, and times.
static IN_QUERIES: LazyLock<Regex> = LazyLock::new(|| {
    let all = format!("={TOKEN}|{}", TIMES.as_str());
    Regex::new(&all).expect("a regex that a test compiles")
});
/// Tokens and numbers.
static COUNTED: LazyLock<Regex> = LazyLock::new(|| {
    let all = format!("{TOKEN}|{}", NUMBERS.as_str());
    Regex::new(&all).expect("a regex that a test compiles")
});

/// Words of names of what is counted for each reader or request: it says nothing of what a document
/// is about. Sorted.
const COUNTERS: [&str; 26] = [
    "applicants",
    "correlation",
    "dislikes",
    "downloads",
    "downvotes",
    "elapsed",
    "followers",
    "forks",
    "generationtime",
    "hits",
    "latency",
    "likes",
    "listens",
    "messageid",
    "plays",
    "reactions",
    "replies",
    "requestid",
    "stargazers",
    "subscribers",
    "took",
    "upvotes",
    "views",
    "visitors",
    "visits",
    "watchers",
];
/// Two words of such names.
const COUNTER_PAIRS: [[&str; 2]; 9] = [
    ["comment", "count"],
    ["comments", "count"],
    ["download", "count"],
    ["generation", "time"],
    ["like", "count"],
    ["message", "id"],
    ["response", "time"],
    ["transaction", "id"],
    ["view", "count"],
];
/// Names at the end of a path that are looked at: `reactions.total_count`.
const NAMES_MAX: usize = 2;

/// Whether a member of this path is named as a counter is. O(length).
fn is_counter(path: &str) -> bool {
    without_names(path).rsplit('.').take(NAMES_MAX).any(|name| {
        let words = words(name);
        let is_word = |word: &String| COUNTERS.binary_search(&word.as_str()).is_ok();
        words.iter().any(is_word)
            || words.windows(2).any(|two| COUNTER_PAIRS.iter().any(|it| two == it))
    })
}

/// The words of a name in lower case: `viewCount`, `view_count`, `view-count`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for c in name.chars() {
        let is_break = !c.is_alphanumeric() || (c.is_uppercase() && was_small);
        was_small = c.is_lowercase();
        if is_break && !words.last().is_some_and(String::is_empty) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
    }
    words
}

/// The name of what a text says, if it is a member of JSON or XML, and the rest of it.
pub(super) fn member(text: &str, kind: Kind) -> (&str, &str) {
    match kind {
        Kind::Json | Kind::Xml => {
            let said = after_path(text);
            text.split_at(text.len() - said.len())
        }
        Kind::Html | Kind::Feed | Kind::Text => ("", text),
    }
}

/// What a member is known by. What is learned of it is not learned of its siblings, but for
/// counters: a release that is new counts its downloads as the others do.
pub(super) fn known_by(name: &str) -> Cow<'_, str> {
    let path = name.trim_end_matches([':', ' ']);
    if is_counter(path) { without_names(path).into() } else { name.into() }
}

/// Whether a line of plain text is a comment: of a robots.txt, a configuration, a program.
pub(super) fn is_comment(line: &str, kind: Kind) -> bool {
    kind == Kind::Text && (line.starts_with(['#', ';']) || line.starts_with("//"))
}

/// What runs in what is said under a name, in a document of a kind. On a page all numbers do, for
/// people write what matters in words. Elsewhere a number may be all that a document is about: only
/// counters run, comments, tokens for each reader, and times.
pub(super) fn running((name, said): (&str, &str), kind: Kind) -> &'static Regex {
    match kind {
        Kind::Html => &NUMBERS,
        Kind::Json | Kind::Xml if is_counter(name.trim_end_matches([':', ' '])) => &COUNTED,
        Kind::Json | Kind::Xml if said.contains("://") => &IN_QUERIES,
        Kind::Text if is_comment(said, kind) => &NUMBERS,
        _ => &TIMES,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_known_by_their_names() {
        assert!(COUNTERS.is_sorted());
        for name in [
            "views",
            "items[4102].views_today",
            "assets[r.zip].download_count",
            "viewCount",
            "reactions.total_count",
            "took_ms",
            "generationtime_ms",
            "Header.MessageId",
            "a[b.c].hits",
        ] {
            assert!(is_counter(name), "{name}");
        }
        for name in [
            "price",
            "goods[views].price",
            "in_stock",
            "build_number",
            "count",
            "total",
            "reviews",
            "rates.USD",
            "message",
            "view",
            "seats_available",
            "",
        ] {
            assert!(!is_counter(name), "{name}");
        }
    }
}
