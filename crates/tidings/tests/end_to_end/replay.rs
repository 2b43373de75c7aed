//! `tidings replay`: recorded pages through the whole server, in virtual time.

use crate::harness::{Home, QUICK};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Feeds of the recorded ones that are replayed.
const FEEDS: usize = 4;

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

fn record(home: &Home, versions: &[(i64, &str)]) -> String {
    let folder = home.path("history");
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut times = "version,unix_time,file\n".to_owned();
    for (number, (time, body)) in versions.iter().enumerate() {
        std::fs::write(folder.join(format!("{number}.html")), body).expect("written");
        times.push_str(&format!("{number},{time},{number}.html\n"));
    }
    std::fs::write(folder.join("times.csv"), times).expect("written");
    std::fs::write(folder.join("page.json"), r#"{"url": "https://air.example/"}"#)
        .expect("written");
    folder.to_string_lossy().into_owned()
}

#[test]
fn a_replay_prints_what_would_have_been_told_and_when() {
    let home = Home::new(QUICK);
    let history =
        record(&home, &[(1_700_000_000, "<p>Porto 30</p>"), (1_700_050_000, "<p>Lisbon 40</p>")]);
    let text = "create sentinel lisbon using https://air.example/ monitor phrase \"Lisbon\"\n  \
                fetch every 10 minutes notify by webhook https://hook.example/\n";
    let file = home.file("lisbon", text);
    let told = lines(&home.done(&["replay", &history, "--sentinel", &file, "--json"]));
    assert_eq!(told.len(), 2, "{told:?}");
    assert_eq!(told[0]["to"], "https://hook.example/");
    assert_eq!(told[0]["body"]["changes"][0]["new"]["text"], "Lisbon");
    let at = told[0]["at"].as_str().expect("a time");
    assert!(("2023-11-15T12:06:40".."2023-11-15T12:18").contains(&at), "{at}");
    assert_eq!((&told[1]["versions"], &told[1]["versions_met"]), (&2.into(), &2.into()));
    let said = home.done(&["replay", &history, "--every", "1 hour"]);
    assert!(said.contains("air.example"), "{said}");
}

#[test]
fn a_replay_says_how_long_versions_waited_for_a_look() {
    let home = Home::new(QUICK);
    let bodies: Vec<String> =
        (0..60).map(|at| format!("<p>Porto costs {at}00 euros</p>")).collect();
    // Each version stands for 7 h 13 min: at any minute of an hour.
    let versions: Vec<(i64, &str)> = (0..)
        .map(|at| 1_700_000_000 + at * 25_980)
        .zip(bodies.iter().map(String::as_str))
        .collect();
    let history = record(&home, &versions);
    let summary = |flags: &[&str]| {
        let all = [&["replay", &history, "--json"], flags].concat();
        lines(&home.done(&all)).pop().expect("a summary")
    };
    let minutes = |summary: &Value, name: &str| {
        summary[name].as_f64().unwrap_or_else(|| panic!("{name} in {summary}")) / 60.0
    };
    let hourly = summary(&["--every", "1 hour"]);
    assert_eq!(hourly["versions_measured"], 59, "{hourly}");
    let (mean, even) =
        (minutes(&hourly, "mean_delay_seconds"), minutes(&hourly, "even_intervals_delay_seconds"));
    assert!((25.0..35.0).contains(&mean) && (29.0..31.0).contains(&even), "{hourly}");
    // As many looks a day as are paid for, and no other limit; the first days are left out.
    let paid = summary(&["--budget-per-day", "48", "--train-days", "5"]);
    assert!((35..=45).contains(&paid["versions_measured"].as_u64().expect("a count")), "{paid}");
    let (mean, even) =
        (minutes(&paid, "mean_delay_seconds"), minutes(&paid, "even_intervals_delay_seconds"));
    assert!((13.0..18.0).contains(&even) && mean < 1.2 * even, "{paid}");
    let late = summary(&["--every", "1 hour", "--train-days", "500"]);
    assert!(late["mean_delay_seconds"].is_null() && late["versions_measured"] == 0, "{late}");
    assert!(late["even_intervals_delay_seconds"].is_null(), "{late}");
    let refused = home.run(&["replay", &history, "--budget-per-day", "0"]);
    assert!(refused.err.contains("expected a number above 0"), "{}", refused.err);
    let said = home.run(&["replay", &history, "--every", "1 hour"]).err;
    assert!(said.contains("59 versions waited"), "{said}");
}

#[test]
fn a_replay_of_nothing_or_to_a_wrong_text_says_what_to_do() {
    let home = Home::new(QUICK);
    let ran = home.run(&["replay", &home.path("absent").to_string_lossy()]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("cannot read"), "{}", ran.err);
    let history = record(&home, &[(1_700_000_000, "<p>Porto 30</p>")]);
    let ran = home.run(&["replay", &history, "--monitor", "linkz"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("did you mean `links`?"), "{}", ran.err);
    let other = home.file("other", "create sentinel o using https://other.example/\n");
    let ran = home.run(&["replay", &history, "--sentinel", &other]);
    assert!(ran.err.contains("No sentinel looked at a recorded page"), "{}", ran.err);
}

/// The addresses of a feed's entries, read by hand.
fn entries(path: &Path) -> BTreeSet<String> {
    let text = std::fs::read_to_string(path).expect("a feed");
    let items = text.split("<item>").skip(1);
    let link = |item: &str| {
        let (link, _) = item.split_once("<link>")?.1.split_once("</link>")?;
        Some(link.trim().replace("&amp;", "&").trim_end_matches('/').to_owned())
    };
    items.filter_map(link).collect()
}

/// Unpacks an archive of the recorded histories; `None` without the programs for it.
fn unpack(archive: &Path, folder: &Path) -> Option<PathBuf> {
    let script = "zstd -dq --long=27 -c \"$0\" | tar -x -C \"$1\"";
    let status = Command::new("sh").args(["-c", script]).arg(archive).arg(folder).status().ok()?;
    let name = archive.file_name()?.to_string_lossy().replace(".tar.zst", "");
    let folder = folder.join(name);
    (status.success() && folder.is_dir()).then_some(folder)
}

#[test]
fn of_real_feeds_each_new_entry_is_told_once_and_no_old_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/histories/xml");
    let Ok(archives) = std::fs::read_dir(&root) else {
        println!("not run: {} is absent", root.display());
        return;
    };
    let mut archives: Vec<PathBuf> =
        archives.map(|entry| entry.expect("an entry").path()).collect();
    archives.sort();
    let home = Home::new("");
    for archive in archives.iter().take(FEEDS) {
        let Some(folder) = unpack(archive, &home.path("")) else {
            println!("not run: no zstd or tar program");
            return;
        };
        let mut files: Vec<PathBuf> =
            folder.read_dir().expect("unpacked").map(|file| file.expect("a file").path()).collect();
        files.retain(|path| path.extension().is_some_and(|extension| extension == "xml"));
        files.sort();
        let versions: Vec<BTreeSet<String>> = files.iter().map(|path| entries(path)).collect();
        let history = folder.to_string_lossy();
        let every = ["--monitor", "links added", "--every", "6 hours within 3 hours", "--json"];
        let told = lines(&home.done(&[&["replay", &history], &every[..]].concat()));
        compare(&history, &versions, &told);
    }
}

fn compare(history: &str, versions: &[BTreeSet<String>], told: &[Value]) {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for body in told.iter().map(|line| &line["body"]) {
        for change in body["changes"].as_array().into_iter().flatten() {
            let href = change["new"]["href"].as_str().unwrap_or_default().trim_end_matches('/');
            *times.entry(href.to_owned()).or_default() += 1;
        }
    }
    let (first, last) = (&versions[0], versions.last().expect("versions"));
    let missing: Vec<&String> =
        last.difference(first).filter(|link| !times.contains_key(*link)).collect();
    assert!(missing.is_empty(), "{history}: never told: {missing:?}");
    for link in versions.iter().flatten().collect::<BTreeSet<_>>() {
        let came = versions.windows(2).filter(|v| !v[0].contains(link) && v[1].contains(link));
        let (came, told) = (came.count(), times.get(link).copied().unwrap_or(0));
        assert!(told <= came, "{history}: {link} came {came} times and was told {told} times");
    }
}
