//! Runs a case and compares what happened with what it expects, or tells it with what it means.

mod events;
mod files;

pub use files::all;

use crate::case::{self, Case, Expected};
use crate::pace::{Pace, Rng, Wakes};
use crate::shell::Shell;
use crate::trace::{Line, Trace};
use chronon::{Instant, Span};
use std::path::Path;

/// How long before time 00:00 the machine is switched on: budget and buckets have filled.
const WARM_UP: Span = Span::HOUR;

/// What came of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    AsExpected,
    /// The expected lines and those that came, as a person compares them.
    Otherwise(String),
}

/// A story as it went, for a person to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Telling {
    pub title: String,
    /// Sources by the names that lines have for them: `u1`, and its URL.
    pub sources: Vec<(String, String)>,
    /// In the order of time: what the story does, and each line of the trace.
    pub lines: Vec<Moment>,
    pub told: Told,
}

/// Something that happens in a story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moment {
    /// What the story does: a page changes, a recipient refuses, a person asks.
    Event(String),
    /// What Tidings does: a line of the trace, and what it means.
    Line { text: String, meaning: &'static str },
}

/// Runs the text of a case.
///
/// # Errors
/// A sentence: the case cannot be read, or something happened that must never happen.
pub fn run(text: &str) -> Result<Told, String> {
    let case = case::parse(text).map_err(|error| error.to_string())?;
    let lines = play(&case)?;
    compare(&case, &lines)
}

/// Runs the text of a case and tells it line by line.
///
/// # Errors
/// As [`run`].
pub fn tell(text: &str) -> Result<Telling, String> {
    let case = case::parse(text).map_err(|error| error.to_string())?;
    let Played { lines: trace, sources, .. } = play_all(&case)?;
    let told = compare(&case, &trace)?;
    let mut lines: Vec<(Instant, Moment)> = events::of(&case);
    lines.extend(trace.iter().map(|line| {
        let (text, meaning) = (line.text().to_owned(), line.meaning());
        (line.at(), Moment::Line { text, meaning })
    }));
    // A stable sort: what the story does at a moment comes before what follows from it.
    lines.sort_by_key(|(at, _)| *at);
    let lines = lines.into_iter().map(|(_, moment)| moment).collect();
    Ok(Telling { title: case.title, sources, lines, told })
}

/// The lines of a case whose machine dies when its `last` batch is durable, before anything that
/// follows from it is begun; it starts again at once. `None` if the story has fewer batches.
///
/// # Errors
/// As [`run`].
pub fn with_a_crash(text: &str, last: u64) -> Result<Option<Vec<String>>, String> {
    let case = case::parse(text).map_err(|error| error.to_string())?;
    let Played { lines, batches, .. } = play_until(&case, Some(last))?;
    let lines = lines.iter().map(|line| line.text().to_owned());
    Ok((last <= batches).then(|| lines.collect()))
}

/// How many batches a story has.
///
/// # Errors
/// As [`run`].
pub fn batches(text: &str) -> Result<u64, String> {
    let case = case::parse(text).map_err(|error| error.to_string())?;
    play_all(&case).map(|played| played.batches)
}

fn compare(case: &Case, lines: &[Line]) -> Result<Told, String> {
    let mut difference = String::new();
    for expected in &case.expected {
        let found = asked_for(lines, expected);
        if found != expected.lines {
            difference.push_str(&diff(&expected.lines, &found));
        }
    }
    if case.expected.is_empty() {
        return Err("the case expects nothing; write `-- expect --`".into());
    }
    if case.title.is_empty() {
        return Err("the case has no title; begin it with `# What happens.`".into());
    }
    Ok(if difference.is_empty() { Told::AsExpected } else { Told::Otherwise(difference) })
}

/// Writes what happened into the expectations of the file; says whether that changed it.
///
/// # Errors
/// As [`run`], or the file cannot be read or written.
pub fn rewrite(path: &Path) -> Result<bool, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let case = case::parse(&text).map_err(|error| error.to_string())?;
    let lines = play(&case)?;
    let written: Vec<&str> = text.lines().collect();
    let (mut new, mut at) = (String::new(), 0);
    for expected in &case.expected {
        let found = asked_for(&lines, expected);
        let kept = written[at..expected.place.start].iter().map(|line| (*line).to_owned());
        kept.chain(found).for_each(|line| new.push_str(&(line + "\n")));
        at = expected.place.end;
    }
    written[at..].iter().for_each(|line| new.push_str(&format!("{line}\n")));
    if new == text {
        return Ok(false);
    }
    std::fs::write(path, new).map_err(|error| error.to_string())?;
    Ok(true)
}

fn asked_for(lines: &[Line], expected: &Expected) -> Vec<String> {
    let asked = lines.iter().filter(|line| line.is_asked_for(&expected.kinds));
    asked.map(|line| line.text().to_owned()).collect()
}

/// A case that was played: its trace, and the sources in it.
struct Played {
    lines: Vec<Line>,
    sources: Vec<(String, String)>,
    batches: u64,
}

fn play(case: &Case) -> Result<Vec<Line>, String> {
    play_all(case).map(|played| played.lines)
}

fn play_all(case: &Case) -> Result<Played, String> {
    play_until(case, None)
}

fn play_until(case: &Case, dies_after: Option<u64>) -> Result<Played, String> {
    let wakes = Wakes::late(Rng::stream(0, "wakes"), case.wakes_late);
    let mut shell = Shell::new(case.config.clone(), Pace::Instant, case.start - WARM_UP);
    shell.wakes = wakes;
    shell.dies_after = dies_after;
    for (url, at, reply) in &case.shown {
        shell.web.show(url, *at, reply.clone());
    }
    case.faults.iter().for_each(|fault| shell.web.fail(fault.clone()));
    shell.people.moods.clone_from(&case.moods);
    shell.disk_full.clone_from(&case.disk_full);
    case.crashes.iter().for_each(|crash| shell.crash_at(crash.clone()));
    for (at, wish) in &case.wishes {
        shell.wish(*at, wish.clone());
    }
    let (mut trace, mut lists) = (Trace::new(case.start), crate::invariant::Lists::default());
    while shell.advance(case.end)? {
        let seen = shell.take_seen();
        trace.take(&shell, &seen)?;
        // Before a crash all is as in the story without it, which is judged by itself.
        if dies_after.is_none_or(|last| (last..last + 4).contains(&shell.batches)) {
            fold_holds(&shell)?;
        }
        lists.check(&shell)?;
    }
    let sources = trace.sources();
    Ok(Played { lines: trace.finish(), sources, batches: shell.batches })
}

/// I-FOLD, after every batch of every story.
fn fold_holds(shell: &Shell) -> Result<(), String> {
    crate::invariant::fold(shell)
}

/// Lines that are only expected with `-`, lines that only came with `+`, others with a space.
fn diff(expected: &[String], found: &[String]) -> String {
    let common = longest_common(expected, found);
    let (mut e, mut f, mut text) = (0, 0, String::new());
    let mut push = |sign: char, line: &str| text.push_str(&format!("{sign} {line}\n"));
    for (next_e, next_f) in common.into_iter().chain([(expected.len(), found.len())]) {
        expected[e..next_e].iter().for_each(|line| push('-', line));
        found[f..next_f].iter().for_each(|line| push('+', line));
        if let Some(line) = expected.get(next_e) {
            push(' ', line);
        }
        (e, f) = (next_e + 1, next_f + 1);
    }
    text
}

/// Positions of a longest common subsequence; traces are short.
fn longest_common(a: &[String], b: &[String]) -> Vec<(usize, usize)> {
    let mut length = vec![vec![0u32; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            length[i][j] = if a[i] == b[j] {
                length[i + 1][j + 1] + 1
            } else {
                length[i + 1][j].max(length[i][j + 1])
            };
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if length[i + 1][j] >= length[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}
