//! What people write who know other tools, each in a line of `tests/cases/cures.txt`.
//!
//! A line is a text of its own: `…` stands for `create sentinel s using https://a.example`, and
//! `on …` follows `create rule r`, with sentinels `a` and `b` before it; `¶` is a line's end. After
//! `>>>` follow the words, what is wrong with them, the help, and after `=>` the text with the
//! cure in it, which must be free of errors. `UPDATE_EXPECT=1` rewrites what follows `>>>`.

#[path = "cases/world.rs"]
mod world;

use sentinel::{Checked, Diagnostic, Severity, check};
use std::fmt::Write;
use world::Surroundings;

const SENTINEL: &str = "create sentinel s using https://a.example ";
const RULE: &str = "create sentinel a using https://a.example
create sentinel b using https://b.example
create rule r ";

fn checked(text: &str) -> Checked {
    Surroundings::default().with_world(|world| check(text, world))
}

fn errors(checked: &Checked) -> Vec<&Diagnostic> {
    let all = checked.diagnostics.iter();
    all.filter(|one| one.severity == Severity::Error).collect()
}

/// The text with the cure in it.
fn cured(text: &str, one: &Diagnostic) -> Option<String> {
    let cure = one.cure.as_ref()?;
    Some([&text[..cure.start], &cure.text, &text[cure.end..]].concat())
}

/// What a line of the cases stands for, and what was added before it.
fn whole(line: &str) -> (String, &'static str) {
    let (added, rest) = match line.strip_prefix("… ") {
        Some(rest) => (SENTINEL, rest),
        None if line.starts_with("on ") => (RULE, line),
        None => ("", line),
    };
    (format!("{added}{}", rest.replace('¶', "\n")), added)
}

fn outcome(line: &str, wrong: &mut String) -> String {
    let (text, added) = whole(line);
    let found = checked(&text);
    let mut out = String::new();
    for one in &found.diagnostics {
        let words = &text[one.start..one.end];
        let help = one.help.as_deref().unwrap_or_default();
        writeln!(out, "{words:?} {}\n  help: {help}", one.message).expect("memory");
    }
    let [error] = errors(&found)[..] else {
        writeln!(wrong, "{} errors, not one: {line}\n{out}", errors(&found).len()).expect("memory");
        return out;
    };
    let Some(mended) = cured(&text, error) else {
        return out + "  no cure\n";
    };
    let after = checked(&mended);
    for one in errors(&after) {
        writeln!(wrong, "{line}\nbecame {mended}\nwith {}", one.message).expect("memory");
    }
    let shown = mended.strip_prefix(added).unwrap_or(&mended).replace('\n', "¶");
    out + &format!("  => {shown}\n")
}

#[test]
fn a_slip_has_one_diagnostic_and_its_cure_leaves_no_error() {
    let path = format!("{}/tests/cases/cures.txt", env!("CARGO_MANIFEST_DIR"));
    let cases = std::fs::read_to_string(&path).expect("the file of cases");
    let (mut written, mut wrong, mut differs) = (String::new(), String::new(), String::new());
    for case in cases.split("### ").skip(1) {
        let (title, rest) = case.split_once('\n').expect("a title");
        let (lines, expected) = rest.split_once(">>>\n").expect("`>>>` after the lines");
        let lines: Vec<&str> = lines.lines().filter(|line| !line.is_empty()).collect();
        let found: String = lines.iter().map(|line| outcome(line, &mut wrong)).collect();
        let all = lines.join("\n");
        writeln!(written, "### {title}\n{all}\n>>>\n{found}").expect("memory");
        if found.trim_end() != expected.trim_end() {
            writeln!(differs, "--- {title}\nexpected:\n{expected}\nfound:\n{found}")
                .expect("memory");
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, written).expect("the file of cases");
    } else {
        assert!(differs.is_empty(), "{differs}");
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_cure_takes_its_error_away_wherever_it_is_offered() {
    let (mut offered, mut wrong) = (0, String::new());
    for file in ["grammar", "rules", "parts", "values", "several", "lives"] {
        let path = format!("{}/tests/cases/{file}.txt", env!("CARGO_MANIFEST_DIR"));
        let cases = std::fs::read_to_string(&path).expect("the file of cases");
        for case in cases.split("### ").skip(1) {
            let text = case.split_once('\n').map_or("", |(_, rest)| rest);
            let text = text.split_once("\n>>>").map_or("", |(text, _)| text);
            let found = checked(text);
            for error in errors(&found) {
                let Some(mended) = cured(text, error) else { continue };
                offered += 1;
                let after = checked(&mended);
                let is_there = errors(&after)
                    .iter()
                    .any(|one| one.message == error.message && one.start == error.start);
                if is_there || errors(&after).len() > errors(&found).len() {
                    writeln!(wrong, "{}\nin {text}\nbecame {mended}", error.message)
                        .expect("memory");
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(offered > 20, "{offered} cures were offered");
}
