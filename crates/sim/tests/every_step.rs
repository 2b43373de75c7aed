//! Lives over crashes: wherever a story of `cases/lives` is cut, its states are as it tells them.

use sim::story::{self, Told};
use std::collections::BTreeSet;
use std::path::Path;

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
            states.iter().filter_map(|line| line.split_whitespace().next()).collect();
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
