//! Stories over crashes: wherever one is cut, what it tells is the same.

use sim::cores::on_all_cores;
use sim::story::{self, Moment, Told};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How often each story is cut; with this variable set, after each of its batches.
const CUTS: u64 = 2;
const WHOLE: &str = "TIDINGS_EVERY_STEP";

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    story::all(&folder).expect("the folder of cases")
}

/// The story without its expectation, and the lines of its states.
fn divided(text: &str) -> (String, Vec<&str>) {
    let (story, expected) = text.split_once("-- expect").expect("an expectation");
    let states = expected.lines().filter(|line| line.contains("  state   "));
    (story.to_owned(), states.collect())
}

#[test]
fn a_crash_at_any_step_changes_no_life() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/lives");
    let (mut wrong, mut cuts) = (String::new(), 0);
    for path in story::all(&folder).expect("the folder of cases") {
        let text = std::fs::read_to_string(&path).expect("a readable case");
        let (story, states) = divided(&text);
        let times: BTreeSet<&str> =
            states.iter().filter_map(|line| Some(line.trim().split_once("  ")?.0)).collect();
        for time in times {
            for point in ["before append", "during append"] {
                let cut = format!("-- crash @ {time} {point} until {time} --\n");
                let end = story.find("-- end").unwrap_or(story.len());
                let (start, rest) = story.split_at(end);
                let lines = states.join("\n");
                let told = format!("{start}{cut}{rest}-- expect states --\n{lines}\n");
                match story::run(&told) {
                    Ok(Told::AsExpected) => cuts += 1,
                    Ok(Told::Otherwise(difference)) => {
                        wrong.push_str(&format!("--- {} {cut}{difference}", path.display()));
                    }
                    Err(error) => wrong.push_str(&format!("--- {}\n{error}\n", path.display())),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(cuts > 40, "only {cuts} cuts");
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
        is_letter.then(|| format!("{} {}", minute.join(":"), to_the_minute(what)))
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

/// The seconds of each time are left out: a look that is made again finds what it finds later.
fn to_the_minute(what: &str) -> String {
    let word = |word: &str| {
        let (clock, rest) = word.split_at_checked(8).unwrap_or((word, ""));
        let is_clock = clock.bytes().enumerate().all(|(at, byte)| match at {
            2 | 5 => byte == b':',
            _ => byte.is_ascii_digit(),
        });
        let shown = if clock.len() == 8 && is_clock { &clock[..5] } else { clock };
        format!("{shown}{rest}")
    };
    what.split(' ').map(word).collect::<Vec<_>>().join(" ")
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

/// What is told, of whatever kind. Looks are made again, who asks again hears `unchanged`, and the
/// budget and the turns of those that wait begin anew.
fn told(lines: Vec<String>) -> Vec<String> {
    let acts = ["detect", "rule", "trouble", "state", "blind", "sees", "gave up"];
    of_kinds(lines, &[&LETTERS[..], &acts].concat())
}

/// A look that a crash ends is lost, and what the text before was to hear of it.
const LOSE_A_LOOK: [&str; 2] =
    ["a-text-replaced-by-one-for-another-page", "a-text-replaced-while-its-page-answers"];

/// What a cut may lose here, few cuts miss: these are cut everywhere.
const CUT_EVERYWHERE: [&str; 3] = [
    "a-chain-of-three-lives",
    "on-change-learns-how-often-to-look",
    "one-probe-a-day-asks-without-validators",
];

/// A story cut after its `last` batch tells something else, or cannot be played.
fn wrong_when_cut(text: &str, last: u64, whole: &[String]) -> Option<String> {
    match story::with_a_crash(text, last) {
        Ok(None) => None,
        Ok(Some(lines)) => {
            let after = told(lines);
            let only = |these: &[String], those: &[String]| {
                let left = these.iter().filter(|line| !those.contains(line));
                left.cloned().collect::<Vec<_>>()
            };
            (after != whole).then(|| {
                format!("lacks {:#?}\nhas {:#?}\n", only(whole, &after), only(&after, whole))
            })
        }
        Err(error) => Some(error),
    }
}

/// Each story is played once for some of its batches, with a crash when that batch is durable and
/// nothing that follows from it is begun. The same is told.
#[test]
fn a_restart_after_any_step_changes_nothing_that_is_told() {
    let is_whole = std::env::var_os(WHOLE).is_some();
    let only = std::env::var("TIDINGS_STORY").unwrap_or_default();
    let is_wanted = |path: &PathBuf| {
        let name = path.to_string_lossy();
        name.contains(&only) && !LOSE_A_LOOK.iter().any(|lost| name.contains(lost))
    };
    let stories: Vec<PathBuf> = cases().into_iter().filter(is_wanted).collect();
    let outcomes = on_all_cores(&stories, |path| {
        let text = std::fs::read_to_string(path).expect("a readable case");
        let whole = told(lines(&text, ""));
        let batches = story::batches(&text).expect("a story that was played just now");
        let name = path.to_string_lossy();
        let is_whole = is_whole || CUT_EVERYWHERE.iter().any(|story| name.contains(story));
        let step = if is_whole { 1 } else { batches.div_ceil(CUTS + 1).max(1) };
        let (mut cuts, mut wrong) = (0, String::new());
        for last in (1..=batches).step_by(step as usize).skip(usize::from(!is_whole)) {
            if let Some(what) = wrong_when_cut(&text, last, &whole) {
                wrong.push_str(&format!("--- {} at {last}\n{what}\n", path.display()));
            }
            cuts += 1;
        }
        (cuts, wrong)
    });
    let cuts: u64 = outcomes.iter().map(|(cuts, _)| cuts).sum();
    let wrong: String = outcomes.into_iter().map(|(_, wrong)| wrong).collect();
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(cuts >= 300 || !only.is_empty(), "{cuts} cuts of {} stories", stories.len());
}
