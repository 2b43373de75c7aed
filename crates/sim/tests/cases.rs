//! Every story in `/cases`, each against its expectation; `UPDATE_EXPECT=1` rewrites them.

use sim::cores::on_all_cores;
use sim::story::{self, Moment, Told};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    story::all(&folder).expect("the folder of cases")
}

#[test]
fn every_story_goes_as_it_is_told() {
    let cases = cases();
    assert!(!cases.is_empty(), "there are no cases");
    let rewrites = std::env::var_os("UPDATE_EXPECT").is_some();
    let wrong = on_all_cores(&cases, |path| {
        let name = path.file_name().expect("a file").to_string_lossy();
        if rewrites && let Err(error) = story::rewrite(path) {
            return format!("--- {name}\n{error}\n");
        }
        let text = std::fs::read_to_string(path).expect("a readable case");
        match story::run(&text) {
            Ok(Told::AsExpected) => String::new(),
            Ok(Told::Otherwise(difference)) => format!("--- {name}\n{difference}"),
            Err(error) => format!("--- {name}\n{error}\n"),
        }
    })
    .concat();
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn no_two_stories_share_a_name() {
    let mut names = BTreeSet::new();
    for path in cases() {
        let name = path.file_name().expect("a file").to_owned();
        assert!(names.insert(name), "{} has a namesake in another folder", path.display());
    }
}

#[test]
fn a_story_is_told_in_the_order_of_time_each_line_with_its_meaning() {
    let path = cases().into_iter().find(|path| path.ends_with("changes/a-phrase-appears.case"));
    let text = std::fs::read_to_string(path.expect("the first story")).expect("a readable case");
    let telling = story::tell(&text).expect("a story that can be told");
    assert_eq!(telling.title, "A phrase that appears is told once, with both versions.");
    assert_eq!(telling.told, Told::AsExpected);
    assert_eq!(telling.sources, [("u1".to_owned(), "https://air.example/deals".to_owned())]);
    let told: Vec<&str> = (telling.lines.iter())
        .map(|moment| match moment {
            Moment::Event(text) => text.as_str(),
            Moment::Line { text, meaning } => {
                assert!(!meaning.is_empty(), "{text}");
                text.as_str()
            }
        })
        .collect();
    let page = "* https://air.example/deals shows";
    assert_eq!(told[0], format!("00:00  {page} <p>Porto 30</p>"));
    assert_eq!(told[1], "00:00  * somebody applies the text of lisbon");
    assert_eq!(told[2], "00:00  probe   u1 -> v1");
    let at = |line: &str| told.iter().position(|told| *told == line).expect(line);
    let changed = at(&format!("00:15  {page} <p>Porto 30</p><p>Lisbon 40</p>"));
    assert!(
        at("00:13  probe   u1 not modified") < changed && changed < at("00:20  probe   u1 -> v2")
    );
    assert_eq!(told.last(), Some(&"completeness 3/3   delay 5 min"));
}

/// The lines of a story with `crash` in it.
fn lines(text: &str, crash: &str) -> Vec<String> {
    let (story, _) = text.split_once("-- expect").expect("a story with an expectation");
    let text = format!("{story}{crash}\n-- expect --\n");
    let telling = story::tell(&text).unwrap_or_else(|error| panic!("{crash}: {error}"));
    let text = |moment| match moment {
        Moment::Line { text, .. } | Moment::Event(text) => text,
    };
    telling.lines.into_iter().map(text).collect()
}

const LETTERS: [&str; 6] = ["notify", "tells", "digest", "failing", "recover", "cancel"];

/// What arrives, to the minute: after a crash a delivery is tried again.
fn letters(lines: Vec<String>) -> Vec<String> {
    of_kinds(lines, &LETTERS)
}

/// Lines of these kinds, to the minute; those of one minute by kind, else in their order.
fn of_kinds(lines: Vec<String>, kinds: &[&str]) -> Vec<String> {
    let letter = |line: String| {
        let (at, what) = line.split_once("  ")?;
        let minute: Vec<&str> = at.splitn(3, ':').take(2).collect();
        let is_letter = kinds.iter().any(|kind| what.starts_with(kind));
        is_letter.then(|| format!("{} {what}", minute.join(":")))
    };
    let mut found: Vec<String> = lines.into_iter().filter_map(letter).collect();
    // What one batch leads to is begun anew after a crash, beside what another led to.
    found.sort_by(|a, b| {
        let order = |line: &str| {
            let mut words = line.split_whitespace().map(str::to_owned);
            (words.next(), words.next())
        };
        order(a).cmp(&order(b))
    });
    found
}

/// Stories about what is held back: each is played again and again, with a crash at another of its
/// moments each time, and the same messages arrive.
#[test]
fn what_is_told_later_survives_a_crash_at_every_step() {
    const STORIES: [&str; 9] = [
        "what-is-found-asks-for-further-pages",
        "a-further-page-is-missed",
        "another-text-while-further-pages-are-awaited",
        "what-is-found-while-snoozed-is-one-digest",
        "a-snooze-that-is-ended-tells-at-once",
        "a-removal-taken-back-has-lost-nothing",
        "a-removal-is-final-after-ten-minutes",
        "a-text-applied-again-takes-a-removal-back",
        "another-name-changes-nothing-else",
    ];
    let mut crashes = 0;
    for path in cases() {
        if !STORIES.iter().any(|name| path.ends_with(format!("{name}.case"))) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a readable case");
        let whole = lines(&text, "");
        let whole_moments = whole.iter().filter(|line| !line.contains("  probe  "));
        let moments = whole_moments.filter_map(|line| line.split_once("  "));
        let times =
            moments.map(|(at, _)| at).filter(|at| at.starts_with(|c: char| c.is_ascii_digit()));
        let moments: BTreeSet<&str> = times.collect();
        let told = letters(whole.clone());
        assert!(!told.is_empty(), "{}", path.display());
        for at in moments {
            for point in ["during append", "before deliver"] {
                let crash = format!("-- crash @ {at} {point} --");
                let after = letters(lines(&text, &crash));
                assert_eq!(after, told, "{} with {crash}", path.display());
                crashes += 1;
            }
        }
    }
    assert!(crashes >= 60, "{crashes}");
}

/// Stories of rules: each is played once for each of its batches, with a crash when that batch is
/// durable and nothing that follows from it is begun. The same messages arrive.
#[test]
fn rules_survive_a_crash_after_every_step() {
    const ACTS: [&str; 3] = ["rule", "trouble", "state"];
    let kinds = [&LETTERS[..], &ACTS].concat();
    let (mut crashes, mut wrong) = (0, String::new());
    for path in cases() {
        let folders = ["rules", "lives"];
        if !path.parent().is_some_and(|at| folders.iter().any(|folder| at.ends_with(folder))) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a readable case");
        let told = of_kinds(lines(&text, ""), &kinds);
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        for last in 1.. {
            match story::with_a_crash(&text, last) {
                Ok(None) => break,
                Ok(Some(lines)) => {
                    let after = of_kinds(lines, &kinds);
                    if after != told {
                        wrong.push_str(&format!("--- {name} at {last}\n{told:#?}\n{after:#?}\n"));
                    }
                }
                Err(error) => wrong.push_str(&format!("--- {name} at {last}\n{error}\n")),
            }
            crashes += 1;
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(crashes >= 100, "{crashes}");
}
