//! Prose that a native editor would send back, as far as a machine can tell without false alarms.
//!
//! A sentence has at most [`WORDS_MAX`] words between two stops, and none opens with a bare That,
//! Its or Of: the reader must not look back for what is meant. People are they, and numbers are
//! counts.

use super::text::{Paragraph, of_case, of_markdown, of_rust};
use std::fs;
use std::path::{Path, PathBuf};

/// Words between two of `. : ; ! ?`.
const WORDS_MAX: usize = 30;

/// Words that leave open, at the beginning of a sentence, what they speak of.
const BARE: &[&str] = &["That", "Its", "Of"];

/// Words for a person of one sex; a person may be of any.
const SEXED: &[&str] = &["he", "him", "himself", "his"];

/// Markdown that keeps the rules; a folder stands for every Markdown file directly in it.
const BOOKS: &[&str] = &[
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "cases",
    "crates/policies",
    "crates/schedule",
    "docs",
    "docs/decisions",
];

/// Crates whose comments keep them, too.
const CRATES: &[&str] = &[
    "address",
    "bench",
    "change",
    "chronon",
    "deliver",
    "fetch",
    "graph",
    "jobs",
    "kernel",
    "lab",
    "outbox",
    "page",
    "policies",
    "propose",
    "schedule",
    "select",
    "sentinel",
    "sim",
    "store",
    "store-sqlite",
    "tidings",
    "web",
    "xtask",
];

/// Every finding.
pub fn check(root: &Path) -> Vec<String> {
    let mut findings = Vec::new();
    let mut read = |path: &Path, paragraphs: fn(&str) -> Vec<Paragraph>| {
        let text = fs::read_to_string(path).unwrap_or_default();
        let shown = path.strip_prefix(root).unwrap_or(path).display();
        for Paragraph { line, text } in paragraphs(&text) {
            findings
                .extend(faults(&text).into_iter().map(|what| format!("{shown}:{line}: {what}")));
        }
    };
    books(root).iter().for_each(|path| read(path, of_markdown));
    super::files(&root.join("cases"), "case").iter().for_each(|path| read(path, of_case));
    for path in super::sources(root) {
        if CRATES.iter().any(|name| path.starts_with(root.join("crates").join(name))) {
            read(&path, of_rust);
        }
    }
    findings
}

fn books(root: &Path) -> Vec<PathBuf> {
    let mut books = Vec::new();
    for path in BOOKS.iter().map(|name| root.join(name)) {
        if path.is_dir() {
            let inside = fs::read_dir(&path).into_iter().flatten().flatten();
            books.extend(inside.map(|entry| entry.path()));
        } else {
            books.push(path);
        }
    }
    books.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    books.sort();
    books
}

/// What is wrong with a paragraph.
fn faults(text: &str) -> Vec<String> {
    let plain = plain(text);
    let mut faults = Vec::new();
    for part in split(&plain, &['.', ':', ';', '!', '?']) {
        let words = part.split_whitespace().filter(|word| word.contains(char::is_alphanumeric));
        let count = words.count();
        if count > WORDS_MAX {
            let shown: String = part.chars().take(40).collect();
            faults.push(format!("{count} words without a stop, from `{shown}`"));
        }
    }
    for sentence in split(&plain, &['.', '!', '?']) {
        let first = sentence.split_whitespace().next().unwrap_or_default();
        let mut words = sentence.split(|c: char| !c.is_alphanumeric());
        if let Some(word) = words.find(|word| SEXED.contains(word)) {
            faults.push(format!("`{word}`: people are they, things are it"));
        }
        if sentence.contains("so many") && !sentence.contains("so many that") {
            faults.push("`so many`: name the count".to_owned());
        }
        if BARE.contains(&first) {
            let shown: String = sentence.chars().take(40).collect();
            faults.push(format!("`{shown}` opens with a bare {first}; name what it speaks of"));
        }
    }
    faults
}

/// Without marks; code is one word, and a link is its text.
fn plain(text: &str) -> String {
    let code = text.split('`').enumerate();
    let text: String = code.map(|(n, part)| if n % 2 == 0 { part } else { "code" }).collect();
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("](") {
        plain.push_str(before);
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    plain.push_str(rest);
    plain.replace(['[', '*', '_'], "")
}

/// Parts that end with one of these signs and white space.
fn split<'a>(text: &'a str, stops: &'a [char]) -> impl Iterator<Item = &'a str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let closing = |c: char| ")\"”’".contains(c);
        let ends = |at: &usize| rest[at + 1..].trim_start_matches(closing).starts_with(' ');
        let end = rest.match_indices(stops).map(|(at, _)| at).find(ends);
        let (part, after) = rest.split_at(end.map_or(rest.len(), |at| at + 1));
        rest = after;
        Some(part.trim_start_matches(closing).trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_of_more_than_thirty_words_without_a_stop_is_found() {
        let words = |count: usize| vec!["word"; count].join(" ");
        assert_eq!(faults(&format!("{}. {}", words(30), words(30))), [""; 0]);
        assert_eq!(faults(&format!("{}; {}", words(20), words(20))), [""; 0]);
        assert_eq!(faults(&words(31)).len(), 1);
        let links = format!("{} [a](b) `c d e f`", words(28));
        assert_eq!(faults(&links), [""; 0], "a link and a piece of code are one word each");
    }

    #[test]
    fn a_sentence_that_opens_with_a_bare_word_is_found() {
        assert_eq!(faults("It ends. That is all.").len(), 1);
        assert_eq!(faults("**Its** end.").len(), 1);
        assert_eq!(faults("What is of use: of that. Often."), [""; 0]);
    }

    #[test]
    fn a_person_of_one_sex_and_a_number_without_a_name_are_found() {
        assert_eq!(faults("A reader leaves his seat, and he waits.").len(), 1);
        assert_eq!(faults("Takes so many bytes.").len(), 1);
        assert_eq!(faults("There are so many that others wait for this, theirs."), [""; 0]);
    }
}
