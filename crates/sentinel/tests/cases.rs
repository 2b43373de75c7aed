//! Texts with what `check` says of them, in `tests/cases/*.txt`.
//!
//! `### title`, the text, `>>>`, then for each diagnostic `error|warning LINE:COLUMN-LINE:COLUMN
//! "words" message` and `help`, and after them the canonical text. `UPDATE_EXPECT=1` rewrites what
//! follows `>>>`.

#[path = "cases/world.rs"]
mod world;

use sentinel::{Colour, Severity, check, clauses, explain, explain_rule, format, render};
use std::fmt::Write;
use world::Surroundings;

fn outcome(text: &str, surroundings: &Surroundings) -> String {
    let checked = surroundings.with_world(|world| check(text, world));
    let mut out = String::new();
    for one in &checked.diagnostics {
        let severity = if one.severity == Severity::Error { "error" } else { "warning" };
        let place = std::format!("{}:{}-{}:{}", one.line, one.column, one.end_line, one.end_column);
        let words = &text[one.start..one.end];
        writeln!(out, "{severity} {place} {words:?} {}", one.message).expect("memory");
        if let Some(help) = &one.help {
            writeln!(out, "  help: {help}").expect("memory");
        }
    }
    if checked.is_ok() {
        checked.statements.iter().for_each(|statement| out.push_str(statement.canonical.reveal()));
    }
    out
}

fn run(file: &str, surroundings: &Surroundings) {
    run_with(file, |text| outcome(text, surroundings));
}

fn run_with(file: &str, outcome: impl Fn(&str) -> String) {
    let path = std::format!("{}/tests/cases/{file}", env!("CARGO_MANIFEST_DIR"));
    let cases = std::fs::read_to_string(&path).expect("the file of cases");
    let (mut written, mut wrong) = (String::new(), String::new());
    let mut count = 0;
    for case in cases.split("### ").skip(1) {
        let (title, rest) = case.split_once('\n').expect("a title");
        let (text, expected) = rest.split_once(">>>\n").expect("`>>>` after the text");
        let text = text.strip_suffix('\n').unwrap_or(text);
        let found = outcome(text);
        let found = found.trim_end();
        writeln!(written, "### {title}\n{text}\n>>>\n{found}\n").expect("memory");
        if found != expected.trim_end() {
            writeln!(wrong, "--- {title}\n{text}\nexpected:\n{expected}\nfound:\n{found}")
                .expect("memory");
        }
        count += 1;
    }
    assert!(count > 0, "{file} has no cases");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, written).expect("the file of cases");
    } else {
        assert!(wrong.is_empty(), "{wrong}");
    }
}

#[test]
fn formatted_texts_have_one_clause_per_line_and_keep_their_comments() {
    run_with("format.txt", |text| match format(text) {
        Ok(formatted) => formatted,
        Err(diagnostics) => diagnostics.iter().fold(String::new(), |all, one| {
            all + &std::format!("error {}:{} {}\n", one.line, one.column, one.message)
        }),
    });
}

#[test]
fn a_terminal_shows_the_words_and_what_to_write_instead() {
    run_with("render.txt", |text| {
        let checked = Surroundings::default().with_world(|world| check(text, world));
        let shown = render(text, "my.sentinel", &checked.diagnostics, Colour::Plain);
        shown.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
    });
}

#[test]
fn a_sentinel_is_explained_in_two_sentences() {
    run_with("explain.txt", |text| {
        let checked = Surroundings::default().with_world(|world| check(text, world));
        assert!(checked.is_ok(), "{:?}", checked.diagnostics);
        let explained = checked.statements.iter().map(|one| explain(&one.sentinel) + "\n");
        explained.collect()
    });
}

#[test]
fn every_clause_is_explained_in_a_sentence() {
    run_with("clauses.txt", |text| {
        let checked = Surroundings::default().with_world(|world| check(text, world));
        assert!(checked.is_ok(), "{:?}", checked.diagnostics);
        let said = checked.statements.iter().flat_map(|one| clauses(&one.sentinel));
        said.map(|sentence| sentence + "\n").collect()
    });
}

#[test]
fn accepted_texts_have_their_one_canonical_form() {
    run("accepted.txt", &Surroundings::default());
}

#[test]
fn every_value_that_makes_no_sense_is_named_where_it_stands() {
    run("values.txt", &Surroundings::default());
}

#[test]
fn every_slip_of_the_grammar_gets_one_diagnostic_and_the_rest_is_still_checked() {
    run("grammar.txt", &Surroundings::default());
}

#[test]
fn parts_of_pages_are_pointed_at_and_slips_are_named_where_they_stand() {
    run("parts.txt", &Surroundings::default());
}

#[test]
fn several_sources_are_each_there_once_and_called_by_their_names() {
    run("several.txt", &Surroundings::default());
}

#[test]
fn lives_hang_on_each_other_and_in_no_circle() {
    run("lives.txt", &Surroundings::default());
}

#[test]
fn what_is_not_supported_yet_is_named_once_and_skipped() {
    run("unsupported.txt", &Surroundings::default());
}

#[test]
fn inheritance_copies_what_is_not_overridden() {
    run("inheritance.txt", &Surroundings::default());
}

#[test]
fn a_secret_is_shown_as_a_mark_and_put_back_where_it_belongs_alone() {
    run("secrets.txt", &Surroundings::default());
}

#[test]
fn what_is_shown_of_a_stored_text_comes_to_the_same_when_it_comes_back() {
    let stored = sentinel::Canonical::from(world::GUARDED);
    let shown = stored.shown();
    for secret in ["ana:", "p%40ss", "T00", "abc"] {
        assert!(!shown.contains(secret), "{shown}");
        assert!(!std::format!("{stored:?}").contains(secret), "{stored:?}");
    }
    for text in [shown.clone().into_owned(), format(&shown).expect("it reads back")] {
        let checked = Surroundings::default().with_world(|world| check(&text, world));
        assert!(checked.is_ok(), "{:?}", checked.diagnostics);
        assert_eq!(checked.statements[0].canonical.reveal(), stored.reveal());
    }
}

#[test]
fn a_receiver_is_hidden_whatever_else_the_text_has() {
    let [key, hook] = ["uQiRzpo4DXghDmr9QzzfQu27cmVRsG", "https://hooks.example/T00/abc"];
    for (contact, channel) in [(key, "pushover"), (hook, "webhook")] {
        let sentinel = std::format!(
            "create sentinel s using https://a.example/ monitor any change \
             notify by {channel} {contact} every day"
        );
        let rule = std::format!("create rule r on news do notify by {channel} {contact}");
        for text in [sentinel, rule] {
            let stored = sentinel::Canonical::from(text.as_str());
            assert!(stored.shown().contains("‹secret 1›"), "{}", stored.shown());
            assert!(!stored.shown().contains(contact), "{}", stored.shown());
        }
    }
}

#[test]
fn apply_refuses_what_check_only_warns_of() {
    run("apply.txt", &Surroundings { refuse_past: true, ..Surroundings::default() });
}

#[test]
fn a_name_that_exists_is_refused_where_it_must_not_be_replaced() {
    let redefine = sentinel::Redefine::Refuse;
    run("refused_names.txt", &Surroundings { redefine, ..Surroundings::default() });
}

#[test]
fn a_default_channel_that_needs_a_contact_asks_for_a_notify() {
    let default_channel = "email";
    run("default_channel.txt", &Surroundings { default_channel, ..Surroundings::default() });
}

fn rules(text: &str, surroundings: &Surroundings) -> String {
    let mut out = outcome(text, surroundings);
    let checked = surroundings.with_world(|world| check(text, world));
    if checked.is_ok() {
        for rule in &checked.rules {
            out.push_str(rule.canonical.reveal());
            writeln!(out, "  -- {}", explain_rule(&rule.rule)).expect("memory");
        }
    }
    out
}

#[test]
fn rules_are_checked_printed_and_explained() {
    run_with("rules.txt", |text| rules(text, &Surroundings::default()));
}

#[test]
fn texts_of_every_kind_come_to_what_the_language_says() {
    run_with("written.txt", |text| rules(text, &Surroundings::default()));
}

#[test]
fn files_that_people_keep_are_read_as_the_language_says() {
    run_with("files.txt", |text| rules(text, &Surroundings::default()));
}

#[test]
fn files_that_say_what_cannot_be_are_refused_at_its_line() {
    run_with("refused.txt", |text| rules(text, &Surroundings::default()));
}
