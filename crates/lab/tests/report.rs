//! The report, small: every claim has its section, its verdict, its figure and its numbers.

#![allow(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

use clap::Parser;
use std::path::{Path, PathBuf};

#[derive(Debug, Parser)]
struct Alone {
    #[command(flatten)]
    lab: lab::Lab,
}

/// A directory that is gone when the test ends.
struct Dir(PathBuf);

impl Dir {
    fn new(name: &str) -> Dir {
        let dir = std::env::temp_dir().join(format!("report-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        Dir(dir)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn report(dir: &Path, flags: &[&str]) -> String {
    let words = ["lab", "report", "--quick", "--out", dir.to_str().unwrap()];
    let alone = Alone::try_parse_from(words.into_iter().chain(flags.iter().copied())).unwrap();
    let mut out = Vec::new();
    lab::run(&alone.lab, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

const VERDICTS: [&str; 4] = ["holds", "holds in part", "does not hold", "not measured"];

#[test]
fn every_claim_has_a_verdict_a_section_a_figure_and_numbers() {
    let dir = Dir::new("whole");
    let said = report(&dir.0, &[]);
    assert_eq!(said.lines().count(), lab::report::CLAIMS.len());
    let page = dir.read("README.md");
    for claim in lab::report::CLAIMS {
        let id = claim.id;
        let heading = format!("\n## {id} {}\n", claim.title);
        let section = page.split_once(&heading).unwrap().1.split("<!-- end of").next().unwrap();
        let verdict = section.split_once("**Verdict: ").unwrap().1.split('.').next().unwrap();
        assert!(VERDICTS.contains(&verdict), "{id}: {verdict}");
        assert!(page.contains(&format!("\n| [{id}](#")), "{id} is not in the table");
        if verdict == "not measured" {
            continue;
        }
        let svg = dir.read(&format!("{id}.svg"));
        assert!(svg.starts_with("<svg ") && svg.len() < 60_000, "{id}: {}", svg.len());
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{id}");
        let csv = dir.read(&format!("{id}.csv"));
        let mut lines = csv.lines();
        assert_eq!(lines.next(), Some("panel,x,series,mean,standard_error,n"), "{id}");
        let rows: Vec<f64> = lines.map(mean_of).collect();
        assert!(!rows.is_empty() && rows.iter().all(|mean| mean.is_finite()), "{id}");
    }
}

/// The fourth column; the first three may be quoted.
fn mean_of(line: &str) -> f64 {
    line.rsplit(',').nth(2).unwrap().parse().unwrap()
}

#[test]
fn the_same_seed_gives_the_same_files_and_only_leaves_the_others_alone() {
    let (one, two) = (Dir::new("one"), Dir::new("two"));
    report(&one.0, &["--only", "R8,M2,R3", "--jobs", "3"]);
    report(&two.0, &["--only", "R8,M2"]);
    let before = two.read("README.md");
    report(&two.0, &["--only", "r3"]);
    let after = two.read("README.md");
    assert_eq!(one.read("README.md"), after);
    for name in ["R3.svg", "R8.csv", "R8.svg", "M2.csv", "claims.csv"] {
        assert_eq!(one.read(name), two.read(name), "{name}");
    }
    let section = before.split_once("## M2").unwrap().1;
    assert!(after.contains(section), "the section of M2 changed");
    assert!(!before.contains("## R3"));
}

/// Six weeks of postings of ten sources, busier by day and on weekdays.
fn trace() -> String {
    let mut text = "source,time\n".to_owned();
    for hour in 0..42 * 24_u64 {
        let busy = (6..18).contains(&(hour % 24)) && (hour / 24) % 7 < 5;
        if busy && hour % 3 == 0 {
            text.push_str(&format!("s{},{}\n", hour % 10, hour * 3600 + hour % 977));
        }
    }
    text
}

#[test]
fn traces_are_measured_where_they_are_given_and_nothing_is_made_up_where_not() {
    let (dir, traces) = (Dir::new("with"), Dir::new("traces"));
    report(&dir.0, &["--only", "S4,S5"]);
    assert!(dir.read("README.md").contains("no traces were given"));
    assert_eq!(dir.read("S5.csv"), "panel,x,series,mean,standard_error,n\n");
    std::fs::write(traces.0.join("office.csv"), trace()).unwrap();
    let place = traces.0.to_str().unwrap();
    report(&dir.0, &["--only", "S4,S5", "--traces", place]);
    let page = dir.read("README.md");
    assert!(!page.contains("not measured") && page.contains("office: "), "{page}");
    for policy in ["uniform", "age-optimal", "sia", "joint", "pattern-index"] {
        assert!(dir.read("S5.csv").contains(&format!("office,1,{policy},")), "{policy}");
    }
    assert!(dir.read("S4.svg").contains("office"));
    report(&dir.0, &["--only", "L", "--traces", place]);
    for policy in ["uniform", "sia", "pattern-index", "server", "server-dated"] {
        for day in [7, 21] {
            assert!(
                dir.read("L.csv").contains(&format!("office,{day},{policy},")),
                "{policy} {day}"
            );
        }
    }
}

#[test]
fn a_claim_that_is_unknown_is_refused_with_the_known_ones() {
    let error = Alone::try_parse_from(["lab", "report", "--only", "R99"]).unwrap_err().to_string();
    assert!(error.contains("R1,R2"), "{error}");
}
