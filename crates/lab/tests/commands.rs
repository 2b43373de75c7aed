//! The commands as they are typed: what they print, and what they refuse.

use clap::Parser;
use serde_json::Value;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(Debug, Parser)]
struct Alone {
    #[command(flatten)]
    lab: lab::Lab,
}

/// The laboratory within a larger command line that has its own `--json`.
#[derive(Debug, Parser)]
struct Within {
    #[command(subcommand)]
    command: Command,
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Lab(lab::Lab),
}

/// What a command prints, or why not.
fn run(command: &str) -> Result<String, String> {
    let arguments = std::iter::once("lab").chain(command.split(' ').filter(|a| !a.is_empty()));
    let alone = Alone::try_parse_from(arguments).map_err(|error| error.to_string())?;
    let mut out = Vec::new();
    lab::run(&alone.lab, &mut out).map_err(|error| error.to_string())?;
    Ok(String::from_utf8(out).expect("output is UTF-8"))
}

fn lines(command: &str) -> Vec<Value> {
    let printed = run(command).expect("the command is well formed");
    printed.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

fn fields(line: &Value) -> Vec<&str> {
    line.as_object().expect("a line is an object").keys().map(String::as_str).collect()
}

fn instance(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/instances").join(name)
}

/// A file of this test; each test has its own names.
fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the target directory can be written");
    path
}

/// Beside each instance stands what an implementation in another language, written from the formats
/// alone, captured; and the optima that HiGHS finds.
fn agrees_with_the_independent_implementation(name: &str) {
    let json = instance(&format!("{name}.json"));
    let expected = std::fs::read_to_string(instance(&format!("{name}.csv"))).expect("it is there");
    for row in expected.lines().skip(1) {
        let row: Vec<&str> = row.split(',').collect();
        let [dead, policy, preemption, captured, total, probes, value] = row[..] else {
            panic!("seven fields: {row:?}");
        };
        let mode = if preemption == "off" { "off" } else { "on" };
        let command = format!(
            "completeness --instance {} --policy {policy} --preemption {mode} --dead-ceis {dead} \
             --json",
            json.display()
        );
        let line = &lines(&command)[0];
        let value: f64 = value.parse().expect("a number");
        let found = line["value"].as_f64().expect("a number");
        assert!((found - value).abs() <= 1e-6 * value, "{row:?}: {line}");
        if captured.is_empty() {
            assert_eq!(line["optimal"], true);
            continue;
        }
        for (field, expected) in [("captured", captured), ("total", total), ("probes", probes)] {
            assert_eq!(line[field].to_string(), expected, "{row:?}");
        }
        let said = line["preemption"].as_str().unwrap_or("null");
        assert_eq!(said, preemption);
        let ratio =
            line["captured"].as_f64().unwrap_or(-1.0) / line["total"].as_f64().unwrap_or(1.0);
        assert!((line["completeness"].as_f64().unwrap_or(-1.0) - ratio).abs() < 1e-12, "{line}");
    }
}

#[test]
fn budgets_that_vary_and_ties_are_decided_as_written() {
    agrees_with_the_independent_implementation("vector");
}

#[test]
fn costs_and_utilities_are_counted_as_written() {
    agrees_with_the_independent_implementation("costs");
}

#[test]
fn sources_with_large_numbers_are_sources_as_others() {
    agrees_with_the_independent_implementation("sparse");
}

#[test]
fn a_policy_that_refuses_an_instance_does_not_keep_the_others_from_it() {
    let path = instance("costs.json").display().to_string();
    let command =
        ["lab", "completeness", "--json", "--policy", "offline,s-edf,wic", "--instance", &path];
    let alone = Alone::try_parse_from(command).expect("the command is well formed");
    let mut out = Vec::new();
    let refused = lab::run(&alone.lab, &mut out).expect_err("one of them refuses").to_string();
    assert!(refused.starts_with("offline: sources have different costs"), "{refused}");
    let out = String::from_utf8(out).expect("output is UTF-8");
    assert_eq!(out.lines().count(), 2, "{out}");
}

#[test]
fn completeness_prints_the_promised_fields_in_their_order() {
    let path = instance("vector.json");
    let promised = ["policy", "preemption", "captured", "total", "value", "completeness", "probes"];
    let bounded: Vec<&str> = promised.iter().copied().chain(["bound", "optimal"]).collect();
    let timed: Vec<&str> = bounded.iter().copied().chain(["seconds"]).collect();
    let of = |policy: &str| {
        let path = path.display();
        lines(&format!("completeness --instance {path} --policy {policy} --preemption both --json"))
    };
    let rules = of("s-edf,mrsf,m-edf");
    let modes: Vec<&Value> = rules.iter().map(|line| &line["preemption"]).collect();
    assert_eq!(modes, ["on", "off", "on", "off", "on", "off"]);
    for line in rules.iter().chain(&of("wic,gain,greedy-packing")) {
        assert_eq!(fields(line), promised);
    }
    for line in of("exact,lp-bound") {
        assert_eq!(fields(&line), bounded);
        assert!(line["preemption"].is_null());
    }
    assert_eq!(fields(&of("exact --timing")[0]), timed);
    let budget = &of("s-edf --budget 0")[0];
    assert_eq!((&budget["captured"], &budget["probes"]), (&0.into(), &0.into()));
}

#[test]
fn without_json_completeness_prints_a_table() {
    let path = instance("vector.json");
    let printed = run(&format!("completeness --instance {} --policy wic,exact", path.display()));
    let printed = printed.expect("the command is well formed");
    let rows: Vec<&str> = printed.lines().collect();
    assert!(rows[0].starts_with("policy") && rows[0].ends_with("bound optimal"), "{printed}");
    assert!(rows[1].starts_with("wic") && rows[2].ends_with("yes"), "{printed}");
    assert_eq!(rows[0].len(), rows[2].len(), "{printed}");
}

#[test]
fn json_may_be_asked_for_anywhere_in_the_line() {
    let path = instance("vector.json");
    let path = path.to_str().expect("a path in UTF-8");
    for place in 0..3 {
        let mut words = vec!["lab", "completeness", "--policy", "wic", "--instance", path];
        words.insert([0, 1, 6][place], "--json");
        words.insert(0, "tidings");
        let within = Within::parse_from(words);
        let Command::Lab(lab) = within.command;
        let mut out = Vec::new();
        lab::run(&lab, &mut out).expect("the command is well formed");
        assert!(out.starts_with(b"{"), "{place} {}", String::from_utf8_lossy(&out));
    }
}

#[test]
fn probing_prints_the_promised_fields_in_their_order() {
    let rates = file("commands-rates.csv", "\u{feff}source,rate\r\na,0.5\r\nb,0.125\r\nc,0\r\n");
    let after = file("commands-after.csv", "source,rate\nc,0.5\nb,0.125\na,0\n");
    let policies =
        "round-robin,max-gain,memoryless,cyclic,price-dyadic,adaptive,whittle,learned-whittle";
    let command = format!(
        "probing --rates {} --budget 1 --policy {policies} --chronons 4000 --seed 1 --json",
        rates.display()
    );
    let promised =
        ["policy", "cost", "lower_bound", "lower_bound_capped", "lower_bound_paper", "ratio"];
    let steady = lines(&command);
    let named: Vec<&str> = steady.iter().filter_map(|line| line["policy"].as_str()).collect();
    assert_eq!(named.join(","), policies);
    assert!(steady.iter().all(|line| fields(line) == promised));
    let tenth = lines(&format!("{command} --warm-up 400"));
    assert_eq!(steady, tenth, "the first tenth is left out");
    let changed = lines(&format!("{command} --change-at 3999 --rates-after {}", after.display()));
    for (line, before) in changed.iter().zip(&steady) {
        assert_eq!(fields(line)[..6], promised);
        assert_eq!(fields(line)[6..8], ["cost_before", "cost_after"]);
        let (found, steady) = (&line["cost_before"], &before["cost"]);
        let difference = found.as_f64().unwrap_or(9.0) - steady.as_f64().unwrap_or(0.0);
        assert!(difference.abs() < 1e-3, "{line}");
    }
}

#[test]
fn delay_prints_the_promised_fields_in_their_order_and_null_where_nothing_was_found() {
    let trace = file("commands-trace.csv", "source,time\na,100\na,90000\nb,90300\nb,90301\n");
    let none = file("commands-none.csv", "source,time\na,100\nb,86500\n");
    let policies = "uniform,proportional,sqrt,age-optimal,entry-frequency,sia,joint,greedy-ncis,\
                    pattern-index";
    let of = |trace: &Path, more: &str| {
        let trace = trace.display();
        lines(&format!(
            "delay --trace {trace} --budget-per-day 576 --policy {policies} --json {more}"
        ))
    };
    let all = of(&trace, "--train-days 1");
    let named: Vec<&str> = all.iter().filter_map(|line| line["policy"].as_str()).collect();
    assert_eq!(named.join(","), policies);
    let promised = [
        "policy",
        "mean_delay_seconds",
        "median_delay_seconds",
        "p95_delay_seconds",
        "missed",
        "probes",
        "forecast_seconds",
        "four_weeks_delay_seconds",
    ];
    assert!(all.iter().all(|line| fields(line) == promised));
    // Both are probed at every chronon: 90,000 and 90,300 at once, 90,301 by the free probe.
    let uniform = &all[0];
    assert_eq!(uniform["mean_delay_seconds"], 0.0);
    assert_eq!((&uniform["missed"], &uniform["probes"]), (&0.into(), &28.into()));
    let weightless = of(&none, "--train-days 1 --chronon-seconds 86400");
    assert!(weightless.iter().all(|line| line["missed"] == 0));
    let error = run(&format!(
        "delay --trace {} --budget-per-day 1 --train-days 9 --policy sqrt",
        trace.display()
    ));
    assert!(error.is_err_and(|said| said.starts_with("--train-days 9: expected fewer than")));
}

#[test]
fn a_number_below_zero_is_refused_with_what_was_expected() {
    let vector = instance("vector.json");
    let completeness = format!("completeness --policy wic --instance {}", vector.display());
    let generate = "generate auction-watch --rank 1 --profiles 1 --sources 1 --chronons 9 --seed 1";
    let delay = "delay --trace t.csv --train-days 1 --policy sqrt";
    for (command, expected) in [
        (format!("{completeness} --budget -1"), "expected a number, at least 0"),
        (format!("{generate} --window 1 --intensity -1"), "expected a finite number, at least 0"),
        (format!("{generate} --intensity 1 --window -1"), "expected a number of chronons from 0"),
        (format!("{delay} --budget-per-day -1"), "expected a number above 0"),
        ("trace cron --sources 1 --days 1 --per-day -1".to_owned(), "expected a number above 0"),
        ("trace cron --sources -1 --days 1".to_owned(), "-1 is not in 1.."),
        ("delay --trace t.csv --train-days -1".to_owned(), "-1 is not in 0.."),
        ("unified --worths -1".to_owned(), "expected a number above 0"),
        ("grid --repetitions 0".to_owned(), "0 is not in 1.."),
    ] {
        let refused = run(&command).expect_err("it is no number that can be");
        assert!(refused.contains(expected), "{command}: {refused}");
    }
}

#[test]
fn what_would_not_fit_into_memory_is_not_begun_in_unified_either() {
    let refused = run("unified --budget 100000 --chronons 10000000").expect_err("it is too much");
    assert!(refused.starts_with("--loads, --budget, --chronons: 1.1"), "{refused}");
}

#[test]
fn rates_that_would_not_fit_into_memory_are_not_made() {
    for command in ["rates --family equal", "learning"] {
        let refused = run(&format!("{command} --sources 4294967295")).expect_err("it is too much");
        assert!(refused.contains("4294967295 is not in 1..=10000000"), "{refused}");
    }
}

#[test]
fn learning_with_more_than_can_be_counted_is_refused() {
    for (flags, said) in [
        ("--per-probe 1e300", "--per-probe 1"),
        ("--per-probe NaN", "--per-probe NaN: expected items per probe, above 0, at most 1e6"),
        ("--budget 4000000000", "4000000000 is not in 1..=10000000"),
    ] {
        let refused = run(&format!("learning --sources 10 --seeds 1 --family equal {flags}"));
        let refused = refused.expect_err("it is too much");
        assert!(refused.contains(said), "{refused}");
    }
}

#[test]
fn a_column_that_stands_twice_is_refused() {
    let trace = file("twice.csv", "source,time,time\na,1,2\n");
    let command = format!("delay --trace {} --train-days 1 --budget-per-day 1", trace.display());
    let refused = run(&format!("{command} --policy sqrt")).expect_err("which of the two?");
    assert!(refused.contains("line 1: expected one column `time`, found `source,time,time`"));
}

#[test]
fn a_trace_that_would_not_come_to_an_end_is_not_begun() {
    let most = u32::MAX;
    let refused = run(&format!("trace cron --sources {most} --days {most} --per-day 1e-30"));
    assert!(refused.is_err_and(|said| said.starts_with("--sources, --days: 1.8")));
    let refused = run("trace cron --sources 30000 --days 1000 --per-day 1e-30");
    assert!(refused.is_err_and(|said| said.contains("3e7 postings expected")));
}

#[test]
fn a_trace_made_by_chance_is_one_that_delay_reads() {
    for world in ["poisson", "hours", "cron", "families", "bursty"] {
        let command = format!("trace {world} --sources 20 --days 30 --per-day 1 --seed 2");
        let text = run(&command).expect("the command is well formed");
        assert_eq!(text, run(&command).expect("the command is well formed"));
        let path = file(&format!("commands-{world}.csv"), &text);
        let flags = "--budget-per-day 20 --train-days 10 --policy pattern-index --json";
        let line = &lines(&format!("delay --trace {} {flags}", path.display()))[0];
        assert!(line["mean_delay_seconds"].as_f64().is_some_and(|mean| mean > 0.0), "{line}");
    }
    let error = run("trace poisson --sources 1000000 --days 1000");
    assert!(error.is_err_and(|said| said.starts_with("--sources, --days: ")));
    let none = run("trace poisson --sources 1 --days 1 --per-day 1e-9");
    assert!(none.is_err_and(|said| said.starts_with("--per-day 0.000000001: no posting came")));
}

#[test]
fn an_unknown_policy_is_answered_with_those_there_are() {
    let answers = [
        ("completeness --instance i.json --policy edf", "s-edf, mrsf, m-edf, wic, gain"),
        ("probing --rates r --budget 1 --chronons 9 --policy edf", "round-robin, max-gain"),
        ("delay --trace t --budget-per-day 1 --train-days 0 --policy edf", "uniform, proportional"),
    ];
    for (command, known) in answers {
        let said = run(command).expect_err("there is no edf");
        assert!(said.contains("'edf'") && said.contains(known), "{said}");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let here = env!("CARGO_MANIFEST_DIR");
    let commands = [
        format!("completeness --policy wic --instance {here}"),
        format!("probing --budget 1 --chronons 9 --policy whittle --rates {here}"),
        format!("delay --budget-per-day 1 --train-days 0 --policy pattern-index --trace {here}"),
        "completeness --policy wic --instance nowhere.json".to_owned(),
    ];
    for command in commands {
        let said = run(&command).expect_err("there is no file");
        assert!(said.contains("cannot be read") && said.contains("expected the path"), "{said}");
    }
    let latin = Path::new(env!("CARGO_TARGET_TMPDIR")).join("commands-latin.csv");
    std::fs::write(&latin, b"source,rate\na,1\n\xe9,1\n").expect("it can be written");
    let command = "probing --budget 1 --chronons 9 --policy whittle --rates";
    let said = run(&format!("{command} {}", latin.display())).expect_err("it is not UTF-8");
    assert!(said.ends_with("commands-latin.csv line 3: expected text in UTF-8"), "{said}");
}

/// A reader that has gone.
struct Gone;

impl Write for Gone {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_that_goes_ends_a_command_well() {
    let path = instance("vector.json");
    let path = path.to_str().expect("a path in UTF-8");
    let arguments = ["lab", "completeness", "--policy", "wic", "--instance", path];
    let alone = Alone::parse_from(arguments);
    assert!(lab::run(&alone.lab, &mut Gone).is_ok());
}
