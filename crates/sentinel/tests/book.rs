//! The book of the language says what the language does: limits, words, what is refused.

use aspect::{Aspect, Terms};
use sentinel::limits::*;

const BOOK: &str = include_str!("../../../docs/language.md");

/// A number as the book writes it.
fn written(number: u64) -> String {
    let digits = number.to_string();
    let (mut text, length) = (String::new(), digits.len());
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (length - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[test]
fn the_book_has_the_limits_that_hold() {
    let limits = BOOK.split("## Limits").nth(1).expect("a section on limits");
    let count = |number: usize| written(number as u64);
    for row in [
        format!("1 MiB, {} statements, {} different", count(STATEMENTS_MAX), count(REGEXES_MAX)),
        format!("{} KiB of canonical text", SENTINEL_BYTES_MAX >> 10),
        format!("{LEAVES_MAX} leaves, {NESTING_MAX} nested parentheses"),
        format!("{SCOPES_MAX} scopes"),
        format!("{} words or phrases of", count(WORDS_PER_LEAF_MAX)),
        format!("of {} characters |", count(WORD_CHARS_MAX)),
        format!("| {NAME_CHARS_MAX} characters |"),
        format!("{} KiB |", URL_BYTES_MAX >> 10),
        format!("| `notify` clauses | {NOTIFIES_MAX} |"),
        format!(
            "{} bytes, {} KiB compiled",
            count(REGEX_BYTES_MAX),
            REGEX_COMPILED_BYTES_MAX >> 10
        ),
        format!("2 to {} |", written(COMPARE_WINDOW_MAX)),
        format!("1 to {} |", written(CHANGE_HISTORY_MAX)),
        format!("{WEIGHT_MIN} to {} |", written(WEIGHT_MAX as u64)),
        format!("| tags of a sentinel | {TAGS_MAX} |"),
        format!(
            "| an event or a condition of a rule | {EVENT_PARTS_MAX} parts, {NESTING_MAX} nested |"
        ),
        format!("| `priority` | 1 to {} |", written(RULE_PRIORITY_MAX)),
    ] {
        assert!(limits.contains(&row), "docs/language.md, Limits does not say: {row}");
    }
    assert_eq!((FILE_BYTES_MAX, DURATION_DAYS_MAX), (1 << 20, 36_525), "1 MiB; a hundred years");
}

/// How the grammar writes what begins a leaf.
fn rule(aspect: Aspect) -> String {
    let form = |form: &&str| {
        let words = form.split(' ').map(|word| match word {
            "all" => "[\"all\"]".to_owned(),
            word => format!("\"{word}\""),
        });
        words.collect::<Vec<String>>().join(" ")
    };
    let forms: Vec<String> = aspect.row().written.iter().map(form).collect();
    let forms = forms.join(" | ");
    match aspect.row().terms {
        Terms::None if aspect == Aspect::Items => format!("[\"new\"] {forms}"),
        Terms::None => forms,
        Terms::Except => format!("{forms} [\"except\" words]"),
        Terms::Words => format!("({forms}) words"),
        Terms::Pointed => format!("{forms} selector"),
        Terms::Tests => format!("{forms} selector [test]"),
        Terms::Phrases => format!("({forms}) STRING (\",\" STRING)*"),
    }
}

#[test]
fn the_book_has_the_change_types_of_the_table() {
    let rules: Vec<String> = Aspect::all().map(rule).collect();
    let rules = format!("what := {} direction:=", rules.join(" | "));
    let book: Vec<&str> = BOOK.split_whitespace().collect();
    assert!(book.join(" ").contains(&rules), "docs/language.md, Grammar does not say: {rules}");

    let section = BOOK.split("### Change types").nth(1).expect("a section on change types");
    let row = |aspect: Aspect| {
        let row = aspect.row();
        let name = if row.terms.are_needed() { row.name } else { aspect.head() };
        format!("| `{name}` | {} |\n", row.meaning)
    };
    let rows: String = Aspect::all().map(row).collect();
    let table = format!("| leaf | what is compared |\n|---|---|\n{rows}\n");
    assert!(section.contains(&table), "docs/language.md, Change types does not say:\n{table}");
}

/// `UPDATE_EXPECT=1` writes the file.
#[test]
fn the_grammar_for_editors_is_made_from_the_words_of_the_language() {
    let path = format!("{}/../../docs/tidings.tmLanguage.json", env!("CARGO_MANIFEST_DIR"));
    let made = sentinel::text_mate();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &made).expect("the grammar is written");
    }
    let published = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(published, made, "UPDATE_EXPECT=1 cargo test -p sentinel --test book");
}
