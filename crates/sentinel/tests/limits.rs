//! What the language refuses for its size, and that nothing of any size harms.

#[path = "cases/world.rs"]
mod world;

use sentinel::limits::*;
use sentinel::{Checked, check, format};
use world::Surroundings;

fn checked(text: &str) -> Checked {
    Surroundings::default().with_world(|world| check(text, world))
}

fn with_clause(clause: &str) -> Checked {
    checked(&std::format!("create sentinel a using http://a.example {clause}"))
}

/// The messages of the errors, one after the other.
fn errors(checked: &Checked) -> Vec<&str> {
    checked.diagnostics.iter().map(|one| &*one.message).collect()
}

#[test]
fn a_file_has_a_largest_size() {
    let fits = "create sentinel a using http://a.example --".to_owned();
    let fits = fits.clone() + &"x".repeat(FILE_BYTES_MAX - fits.len());
    assert!(checked(&fits).is_ok());
    let found = checked(&(fits + "x"));
    assert_eq!(errors(&found), ["this file has 1048577 bytes; 1048576 are allowed"]);
}

#[test]
fn a_file_has_a_largest_number_of_statements() {
    let statement = |at: usize| std::format!("create sentinel s{at} using http://a.example\n");
    let fits: String = (0..STATEMENTS_MAX).map(statement).collect();
    let found = checked(&fits);
    assert!(found.is_ok() && found.statements.len() == STATEMENTS_MAX);
    let found = checked(&(fits + &statement(STATEMENTS_MAX)));
    assert_eq!(errors(&found), ["a file may have 10000 statements; more follow"]);
    assert_eq!((found.diagnostics[0].line, found.diagnostics[0].column), (10_001, 1));
}

#[test]
fn conditions_have_a_largest_depth_and_length() {
    let nested = |depth| "monitor ".to_owned() + &"(".repeat(depth) + "links" + &")".repeat(depth);
    assert!(with_clause(&nested(NESTING_MAX)).is_ok());
    let found = with_clause(&nested(NESTING_MAX + 1));
    assert_eq!(errors(&found), ["parentheses are nested deeper than 64"]);
    assert_eq!(errors(&with_clause(&nested(100_000))), ["parentheses are nested deeper than 64"]);

    let long = |leaves| "monitor links".to_owned() + &" or images".repeat(leaves - 1);
    assert!(with_clause(&long(LEAVES_MAX)).is_ok());
    assert_eq!(
        errors(&with_clause(&long(LEAVES_MAX + 1))),
        ["a condition may have 256 parts; more follow"]
    );
    let words = |words| "monitor keyword oil".to_owned() + &", oil".repeat(words - 1);
    assert!(with_clause(&words(WORDS_PER_LEAF_MAX)).is_ok());
    assert_eq!(
        errors(&with_clause(&words(WORDS_PER_LEAF_MAX + 1))),
        ["a list may have 1000 words; more follow"]
    );
}

#[test]
fn names_urls_words_and_regular_expressions_have_a_largest_length() {
    let name = |chars| std::format!("create sentinel {} using http://a.example", "é".repeat(chars));
    assert!(checked(&name(NAME_CHARS_MAX)).is_ok());
    assert_eq!(
        errors(&checked(&name(NAME_CHARS_MAX + 1))),
        ["this name has 101 characters; 100 are allowed"]
    );
    let url =
        std::format!("create sentinel a using http://a.example/{}", "x".repeat(URL_BYTES_MAX));
    assert_eq!(errors(&checked(&url)), ["this URL has 8209 bytes; 8192 are allowed"]);
    let found = with_clause(&std::format!("monitor keyword {}", "x".repeat(WORD_CHARS_MAX + 1)));
    assert_eq!(errors(&found), ["this has 1001 characters; 1000 are allowed"]);
    let found = with_clause(&std::format!("monitor links matching \"{}\"", "a".repeat(1_001)));
    assert_eq!(errors(&found), ["a regular expression has at most 1000 bytes"]);
}

#[test]
fn a_sentinel_has_a_largest_number_of_people_to_tell() {
    let notify: String =
        (0..=NOTIFIES_MAX).map(|at| std::format!("notify by ops u{at}\n")).collect();
    assert_eq!(errors(&with_clause(&notify)), ["a sentinel may have 32 `notify` clauses"]);
}

#[test]
fn costly_regular_expressions_are_counted() {
    let statements = |count: usize| -> String {
        let one = |at: usize| {
            std::format!(
                "create sentinel s{at} using http://a.example monitor links matching \"x{at}\"\n"
            )
        };
        (0..count).map(one).collect()
    };
    assert!(checked(&statements(REGEXES_MAX)).is_ok());
    let found = checked(&statements(REGEXES_MAX + 1));
    assert_eq!(errors(&found), ["this file has too many regular expressions"]);
}

#[test]
fn what_is_inherited_over_and_over_has_a_largest_sum() {
    let words: Vec<String> = (0..1_000).map(|at| std::format!("aratherlongword{at}")).collect();
    let mut text = std::format!(
        "create sentinel p using http://a.example monitor keyword {}\n",
        words.join(",")
    );
    for at in 0..5_000 {
        text += &std::format!("create sentinel s{at} using p\n");
    }
    let found = checked(&text);
    assert_eq!(errors(&found), ["what is inherited comes to more than 16777216 bytes"]);
    let bytes: usize = found.statements.iter().map(|one| one.canonical.reveal().len()).sum();
    assert!(bytes <= CANONICAL_BYTES_MAX);
}

#[test]
fn one_sentinel_has_a_largest_text_inherited_words_included() {
    let phrases = |count| {
        let phrase = |at: usize| std::format!("\"{at}{}\"", "x".repeat(900));
        (0..count).map(phrase).collect::<Vec<_>>().join(", ")
    };
    let text = |count| {
        std::format!("create sentinel a using http://a.example monitor phrases {}", phrases(count))
    };
    assert!(checked(&text(70)).is_ok());
    let found = checked(&(text(80) + "\ncreate sentinel b using a"));
    let said = errors(&found);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].ends_with("bytes; 65536 are allowed"), "{said:?}");
}

#[test]
fn of_very_many_errors_the_rest_is_counted() {
    let found = with_clause(&"weight x ".repeat(5_000));
    assert_eq!(found.diagnostics.len(), DIAGNOSTICS_MAX + 1);
    let last = found.diagnostics.last().expect("one");
    assert_eq!(last.message, "there are 4000 more errors");
    assert!(!found.is_ok());
}

#[test]
fn a_long_line_of_parents_is_followed_without_recursion() {
    let count = STATEMENTS_MAX - 1;
    let line = |at: usize| std::format!("create sentinel s{at} using s{}\n", at + 1);
    let mut text: String = (0..count).map(line).collect();
    let open = text.clone() + &std::format!("create sentinel s{count} using s0\n");
    text += &std::format!("create sentinel s{count} using http://a.example weight 7\n");
    let found = checked(&text);
    assert!(found.is_ok());
    assert_eq!(found.statements[0].sentinel.weight, 7.0);
    let found = checked(&open);
    assert_eq!(found.diagnostics.len(), 1);
    assert_eq!(
        found.diagnostics[0].message,
        "`s0` inherits from itself: s0 → s1 → s2 → s3 → s4 → … → s0"
    );
}

#[test]
fn a_megabyte_of_anything_is_read_to_its_end() {
    for unit in ["create ", "create sentinel ", "a,", "\" ", "\"\n", "--\n", " -- ", "((", "`", "é"]
    {
        let text = unit.repeat(FILE_BYTES_MAX / unit.len() / 4);
        let found = checked(&text);
        assert!(found.is_ok() == text.trim_start().starts_with("--"), "{unit:?}");
        assert_eq!(format(&text).is_ok(), found.is_ok(), "{unit:?}");
    }
}

#[test]
fn a_name_of_dots_alone_is_refused_for_it_would_mean_another_place_in_a_url() {
    for name in [".", ".."] {
        let found = checked(&std::format!("create sentinel `{name}` using http://a.example"));
        assert_eq!(errors(&found), ["this name is only dots"]);
    }
    assert!(checked("create sentinel `a..` using http://a.example").is_ok());
}
