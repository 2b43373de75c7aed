//! Traces through the whole server: `tidings replay` measures the delay that the laboratory does.
#![cfg(feature = "lab")]

use serde_json::Value;
use std::fmt::Write as _;
use std::process::Command;

const DAY: u64 = 86_400;
const SOURCES: u64 = 12;
const DAYS: u64 = 100;

/// A number that looks drawn, below `below`.
fn drawn(salt: u64, below: u64) -> u64 {
    let mixed = (salt ^ 0x5bd1_e995).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ (mixed >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33) % below
}

/// Sources that post some times a day to once in some days, half of them with a companion.
fn trace() -> String {
    let mut text = "source,time\n".to_owned();
    for source in 0..SOURCES {
        for day in 0..DAYS {
            let leader = source / 2 * 2;
            let salt = leader * 1_000 + day;
            let busy = 1 + source / 4;
            for post in 0..busy {
                if drawn(salt * 7 + post, 3) > 0 {
                    continue;
                }
                let second = drawn(salt * 31 + post, DAY) + 60 * (source - leader);
                writeln!(text, "{source},{}", 1_600_000_000 + day * DAY + second).expect("text");
            }
        }
    }
    text
}

fn mean(args: &[&str]) -> f64 {
    let ran = Command::new(env!("CARGO_BIN_EXE_tidings")).args(args).output().expect("it runs");
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(ran.status.success(), "{said}{}", String::from_utf8_lossy(&ran.stderr));
    let line: Value = serde_json::from_str(said.lines().last().expect("a line")).expect("JSON");
    line["mean_delay_seconds"].as_f64().expect("a number")
}

#[test]
fn the_delay_of_a_replay_is_the_laboratorys() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("trace.csv");
    std::fs::write(&file, trace()).expect("written");
    let file = file.to_str().expect("a path of ASCII");
    let shared = ["--budget-per-day", "96", "--train-days", "1", "--json"];
    let lab = ["lab", "delay", "--trace", file, "--policy", "server-dated"];
    let lab = mean(&[&lab[..], &shared].concat());
    let replay = mean(&[&["replay", file][..], &shared].concat());
    assert!((replay / lab - 1.0).abs() < 0.02, "{replay} {lab}");
}
