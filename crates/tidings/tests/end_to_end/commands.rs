//! The command line, with and without a server behind it.

use crate::harness::{Home, Lines, PATIENCE, QUICK, signal};
use crate::page::Page;
use crate::webhook::Hook;
use crate::wire::{Listener, Reply};
use serde_json::Value;
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::mpsc::channel;

const WRONG: &str = "create sentinel a using https://example.org/ monitor linkz\n\
                     create sentinel b using https://example.org/ compare every 1\n";
const RIGHT: &str = "CREATE sentinel a   using https://example.org/\n monitor links AND not images";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn every_error_of_a_file_is_said_at_once_for_people_and_for_programs() {
    let home = Home::new(QUICK);
    let (wrong, right) = (home.file("wrong", WRONG), home.file("right", RIGHT));
    let ran = home.run(&["check", &wrong]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(
        ran.err.contains("did you mean `links`?") && ran.err.contains("every 1"),
        "{}",
        ran.err
    );
    let ran = home.run(&["check", "--json", &wrong, &right]);
    assert_eq!(ran.code, Some(1));
    let files = json(&ran.out);
    assert_eq!(files[0]["diagnostics"].as_array().map(Vec::len), Some(2));
    let first = &files[0]["diagnostics"][0];
    assert_eq!(
        (&first["severity"], &first["line"], &first["column"]),
        (&"error".into(), &1.into(), &54.into())
    );
    assert_eq!(files[1]["diagnostics"].as_array().map(Vec::len), Some(0));
    home.done(&["check", &right]);
}

#[test]
fn a_contact_is_checked_by_the_kind_of_a_channel_with_a_name_of_its_own() {
    let home = Home::new(&format!("{QUICK}\n[channels.post]\nkind = \"email\""));
    let text = "create sentinel a using https://a.example/ notify by post daily";
    let wrong = home.file("wrong", text);
    for command in ["check", "apply"] {
        let ran = home.run(&[command, &wrong]);
        let said = "expected a contact or a frequency, found `daily`";
        assert!(ran.code == Some(1) && ran.err.contains(said), "{}", ran.err);
        assert!(ran.err.contains("write `every 1 day`"), "{}", ran.err);
    }
    let right = home.file("right", text.replace("daily", "ana@example.org every 1 day"));
    home.done(&["check", &right]);
}

#[test]
fn a_program_that_is_not_there_is_doubted_by_config() {
    let channel = "[channels.a]\nkind = \"command\"\ncommand = [\"/nonexistent/prog\"]";
    let home = Home::new(&format!("{QUICK}\n{channel}"));
    let ran = home.run(&["config"]);
    assert!(ran.code == Some(0) && ran.err.contains("which cannot be found"), "{}", ran.err);
}

#[test]
fn a_check_knows_the_sentinels_that_are_stored_whether_or_not_a_server_runs() {
    let home = Home::new(QUICK);
    let first = home.file("first", "create sentinel price using https://a.example/");
    let text = "create sentinel more using price monitor links\n\
                create rule r on price do notify by interactive";
    let more = home.file("more", text);
    for command in ["check", "explain"] {
        let ran = home.run(&[command, &more]);
        assert!(ran.code == Some(1) && ran.err.contains("a server may have it"), "{}", ran.err);
    }
    home.done(&["apply", &first]);
    assert!(home.done(&["check", &more]).ends_with(": 1 sentinel and 1 rule, fine\n"));
    let server = home.serve();
    assert!(home.done(&["check", &more]).ends_with(": 1 sentinel and 1 rule, fine\n"));
    let ran = home.run(&["check", &home.file("other", "create sentinel x using nobody")]);
    assert!(ran.code == Some(1) && !ran.err.contains("a server may"), "{}", ran.err);
    home.done(&["apply", &more]);
    drop(server);
}

#[test]
fn a_check_counts_its_warnings() {
    let home = Home::new(QUICK);
    let text = "create sentinel a using https://a.example/ to 2020-01-01";
    let said = home.done(&["check", &home.file("over", text)]);
    assert!(said.ends_with(": 1 sentinel, 1 warning\n"), "{said}");
}

#[test]
fn what_was_revoked_is_said() {
    let home = Home::new(QUICK);
    for (kind, word) in [("token", "Token"), ("feed", "Feed")] {
        let id = json(&home.done(&[kind, "new", "--json"]))["id"].to_string();
        let said = home.done(&[kind, "revoke", &id]);
        assert!(said.starts_with(&format!("{word} {id} is revoked")), "{said}");
    }
}

#[test]
fn what_changed_since_it_was_added_is_told_when_a_look_is_asked_for() {
    let home = Home::new(
        "listen = \"127.0.0.1:0\"\nchronon_seconds = 0.1\nhost_interval_seconds = 0.1\n\
         fetch.allow_addresses = [\"127.0.0.0/8\"]",
    );
    let server = home.serve();
    let page = Page::of("<title>Acme kettle</title><p>49.90 EUR</p>");
    let events = server.events();
    home.done(&["add", &page.url(), "--take", "1"]);
    events.wait_for("version", |_| true);
    page.show("<title>Acme kettle</title><p>39.90 EUR</p>");
    // The next one by itself is due in an hour.
    let asked = home.done(&["look", "acme-kettle-price"]);
    assert!(asked.contains("acme-kettle-price is looked at"), "{asked}");
    events.wait_for("notification", |_| true);
    let shown = home.done(&["show", "acme-kettle-price"]);
    assert!(shown.contains("2 looks so far, 1 of them with something to tell"), "{shown}");
    assert!(home.run(&["look", "nobody"]).err.contains("nobody"));
}

#[test]
fn what_a_sentinel_tells_already_is_added_a_second_time_on_purpose_alone() {
    let home = Home::new(QUICK);
    let server = home.serve();
    let page = Page::of("<title>Acme kettle</title><p>49.90 EUR</p>");
    let started = home.done(&["add", &page.url(), "--take", "1"]);
    assert!(started.contains("acme-kettle-price started"), "{started}");
    home.done(&["rename", "acme-kettle-price", "tea"]);
    let again = home.done(&["add", &page.url(), "--take", "1"]);
    for said in ["(told already, by tea)", "tea tells you this already", "add `--again`"] {
        assert!(again.contains(said), "{said} is not in {again}");
    }
    assert_eq!(server.items("/sentinels").len(), 1);
    let second = home.done(&["add", &page.url(), "--take", "1", "--again"]);
    assert!(second.contains("acme-kettle-price started"), "{second}");
    assert_eq!(server.items("/sentinels").len(), 2);
    let ran = home.run(&["add", &home.file("kettle.tidings", RIGHT)]);
    assert!(ran.code == Some(1) && ran.err.contains("`tidings apply"), "{}", ran.err);
}

#[test]
fn wrong_usage_exits_with_2_and_what_fails_with_1() {
    let home = Home::new(QUICK);
    for arguments in [&["frobnicate"][..], &[], &["show"], &["check"], &["serve", "--frob"]] {
        assert_eq!(home.run(arguments).code, Some(2), "{arguments:?}");
    }
    for arguments in [&["check", "absent"][..], &["show", "nobody"], &["remove", "nobody"]] {
        let ran = home.run(arguments);
        assert_eq!(ran.code, Some(1), "{arguments:?}");
        assert!(ran.err.starts_with("tidings: "), "{}", ran.err);
    }
    for url in ["https://example.org/", "nonsense"] {
        assert_eq!(home.run(&["history", url]).code, Some(1));
        assert_eq!(home.run(&["diff", url]).code, Some(1));
    }
}

#[test]
fn a_data_directory_that_is_not_there_is_said_and_not_made() {
    let home = Home::new(QUICK);
    let elsewhere = home.path("elsewhere");
    let named = elsewhere.to_string_lossy();
    for asked in [&["plan"][..], &["list"], &["show", "a"], &["history", "https://a.invalid/"]] {
        let ran = home.run(&[asked, &["--data-dir", &named]].concat());
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{asked:?}");
        let said = format!("tidings: {named} holds no Tidings data");
        assert!(ran.err.starts_with(&said), "{}", ran.err);
    }
    assert!(!elsewhere.exists());
    let right = home.file("right", RIGHT);
    home.done(&["apply", &right, "--data-dir", &named]);
    assert!(home.done(&["list", "--data-dir", &named]).contains('a'));
}

#[test]
fn a_formatted_file_stays_as_it_is_and_a_wrong_one_too() {
    let home = Home::new(QUICK);
    let (wrong, right) = (home.file("wrong", WRONG), home.file("right", RIGHT));
    let content = |path: &str| std::fs::read_to_string(path).expect("readable");
    assert_eq!(home.run(&["fmt", "--check", &right]).code, Some(1));
    assert_eq!(content(&right), RIGHT, "--check writes nothing");
    let report = json(&home.run(&["fmt", "--check", "--json", &right, &wrong]).out);
    assert_eq!((&report[0]["formatted"], &report[1]["formatted"]), (&false.into(), &false.into()));
    assert_eq!(report[1]["diagnostics"].as_array().map(Vec::len), Some(1));
    home.done(&["fmt", &right]);
    let once = content(&right);
    assert_ne!(once, RIGHT);
    home.done(&["fmt", &right]);
    assert_eq!(content(&right), once);
    home.done(&["fmt", "--check", &right]);
    assert_eq!(home.run(&["fmt", &wrong]).code, Some(1));
    assert_eq!(content(&wrong), WRONG);
}

#[test]
fn apply_works_without_a_server_and_with_one_and_says_what_it_did() {
    let home = Home::new(QUICK);
    let (wrong, right) = (home.file("wrong", WRONG), home.file("right", RIGHT));
    assert_eq!(home.run(&["apply", &wrong]).code, Some(1));
    assert!(home.done(&["list"]).starts_with("No sentinels yet"));
    assert_eq!(home.done(&["apply", &right]), "a created\n");
    assert_eq!(home.done(&["apply", &right]), "a unchanged\n");
    let server = home.serve();
    assert_eq!(home.done(&["apply", &right]), "a unchanged\n");
    let other = home.file("other", RIGHT.replace("links", "words"));
    assert_eq!(home.done(&["apply", &other]), "a replaced\n");
    assert_eq!(home.run(&["apply", &wrong]).code, Some(1));
    let listed = json(&home.done(&["list", "--json"]));
    assert_eq!(listed.as_array().map(Vec::len), Some(1));
    assert_eq!(server.get("/sentinels/a")["generation"], 2);
}

#[test]
fn a_data_directory_has_one_server_and_its_state_survives_a_clean_end() {
    let home = Home::new(QUICK);
    let server = home.serve();
    let second = home.run(&["serve"]);
    assert_eq!(second.code, Some(1));
    assert!(second.err.contains("another process owns"), "{}", second.err);
    home.apply(
        "create sentinel a using https://a.invalid/\ncreate sentinel b using https://b.invalid/",
    );
    assert_eq!(home.done(&["disable", "a"]), "a disabled\n");
    let removed = json(&home.done(&["remove", "b", "--json"]));
    assert_eq!((&removed["name"], &removed["what"]), (&"b".into(), &"removed".into()));
    let before = json(&home.done(&["show", "a", "--json"]));
    assert_eq!(server.terminate().code(), Some(0));
    assert!(!home.data().join("api.json").exists(), "nobody is sent to a server that is gone");
    let after = json(&home.done(&["show", "a", "--json"]));
    for field in ["state", "text", "generation", "transitions", "created_at"] {
        assert_eq!(before[field], after[field], "{field}");
    }
    assert_eq!(after["state"], "disabled");
    let server = home.serve();
    assert_eq!(home.done(&["enable", "a"]), "a enabled\n");
    assert_eq!(server.get("/sentinels/a")["state"], "active");
    assert_eq!(server.ask(("GET", "/sentinels/b"), "").0, 404);
    let listed = home.done(&["list"]);
    assert!(listed.contains("\na ") && !listed.contains("\nb "), "{listed}");
}

#[test]
fn a_killed_servers_address_leads_nobody_astray() {
    let home = Home::new(QUICK);
    home.serve().kill();
    let plate = home.data().join("api.json");
    assert!(plate.exists(), "a kill leaves it");
    assert!(home.done(&["list"]).starts_with("No sentinels yet"));
    assert!(!plate.exists());
}

#[test]
fn what_was_told_is_shown_with_its_versions_and_a_backup_holds_it_all() {
    let hook = Hook::start();
    let home = Home::new(&format!("{QUICK}{}", hook.channel("hook")));
    let page = Page::of("<p>Porto 30</p><p>Faro 20</p>");
    let url = page.url();
    home.apply(&format!("create sentinel air using {url} monitor any change notify by hook"));
    let server = home.serve();
    server.events().wait_for("version", |version| version["version"] == 1);
    page.show("<p>Porto 30</p><p>Lisbon 40</p>");
    hook.next();
    let shown = home.done(&["show", "air"]);
    let told: Vec<&str> = shown.lines().skip_while(|line| *line != "Told last:").collect();
    assert_eq!(told.len(), 2, "{shown}");
    assert!(told[1].contains("  v1..v2  any change: 1 change"), "{shown}");
    let detection = &server.items("/sentinels/air/detections")[0];
    let at = detection["detected_at"].as_str().expect("a time").replace('T', " ");
    assert!(told[1].starts_with(&format!("{} UTC  ", &at[..19])), "{shown}");
    let history = home.done(&["history", &url]);
    assert!(history.contains("\nv1  ") && history.contains("\nv2  "), "{history}");
    let diff = home.done(&["diff", &url]);
    assert!(diff.starts_with("v1..v2: 1 of") && diff.contains("- Faro 20\n+ Lisbon 40"), "{diff}");
    assert_eq!(home.done(&["diff", &url, "1", "2"]), diff);
    assert_eq!(json(&home.done(&["diff", &url, "--json"]))["changes_total"], 1);

    let copy = home.path("copy.db").to_string_lossy().into_owned();
    home.done(&["backup", &copy]);
    assert_eq!(home.run(&["backup", &copy]).code, Some(1), "no file is written over");
    let restored = Home::new(QUICK);
    restored.done(&["list"]);
    std::fs::copy(&copy, restored.data().join("tidings.db")).expect("copied");
    std::fs::copy(format!("{copy}.token"), restored.data().join("token")).expect("copied");
    let token = |home: &Home| std::fs::read(home.data().join("token")).expect("a token");
    assert_eq!(token(&restored), token(&home));
    assert_eq!(restored.done(&["history", &url]), history);
    assert_eq!(server.terminate().code(), Some(0));
    assert_eq!(home.done(&["history", &url]), history, "the same without a server");
}

#[test]
fn the_plan_tells_what_limits_each_page_and_what_another_budget_would_give() {
    let home = Home::new("budget = \"10 per day\"");
    let empty = home.done(&["plan"]);
    assert!(empty.contains("Nothing is being watched") && empty.contains("tidings add"), "{empty}");
    home.apply(
        "create sentinel often using https://b.example/ fetch every 4 minutes within 1 minute\n\
         create sentinel fresh using https://c.example/ fetch on change",
    );
    let plan = home.done(&["plan"]);
    for said in [
        "10 looks a day allowed, 16 an hour wanted",
        "Deadlines that cannot be met:\n  b.example/  every 4 min within 1 min",
        "deadlines need 15 looks an hour, the budget has 10 a day",
        "20 per day",
    ] {
        assert!(plan.contains(said), "{said} is not in:\n{plan}");
    }
    let rich = home.done(&["plan", "--budget", "10 per second"]);
    assert!(rich.contains("the budget is not what delays you"), "{rich}");
    assert!(rich.contains("all of them in time"), "{rich}");
    let listed = json(&home.done(&["plan", "--json"]));
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(2));
    assert_eq!(home.run(&["plan", "--budget", "much"]).code, Some(2));
}

#[test]
fn a_file_without_a_sentinel_and_a_wrong_id_say_what_is_wrong() {
    let home = Home::new(QUICK);
    let nothing = home.run(&["apply", &home.file("empty.tidings", "-- to be written\n")]);
    assert_eq!((nothing.code, nothing.out.as_str()), (Some(0), ""));
    let said = "empty.tidings holds no sentinel and no rule; nothing was changed.";
    assert!(nothing.err.contains(said), "{}", nothing.err);
    let wrong = home.run(&["token", "revoke", "zz"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("an id is the number in the first column"), "{}", wrong.err);
}

#[test]
fn no_secret_is_printed_and_the_environment_comes_after_the_file() {
    let home = Home::new(&format!(
        "{QUICK}[smtp]\npassword = \"hunter2\"\n{}",
        Hook::start().channel("hook")
    ));
    for arguments in [&["config"][..], &["config", "--json"]] {
        let mut command = home.command(arguments);
        command.env("TIDINGS_TIMEZONE", "Europe/Lisbon");
        let output = command.output().expect("the binary runs");
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(!text.contains("hunter2") && !text.contains("whsec_"), "{text}");
        assert!(text.contains("Europe/Lisbon"), "{text}");
    }
}

#[test]
fn watch_looks_at_once_however_seldom_it_is_to_look() {
    let (home, page) = (Home::new(""), Page::of("<p>one</p>"));
    let url = page.url();
    let command = ["watch", &url, "--allow-private", "--every", "1 day"];
    let mut child = home.command(&command).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut said = Lines::of(child.stderr.take().expect("piped"));
    let found = said.wait_for(PATIENCE, |line| line.contains("found: page, 1 word"));
    signal(child.id(), "INT");
    assert!(found.is_some(), "{:?}", said.seen);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn watch_shows_what_it_found_and_what_changed_until_it_is_interrupted() {
    let home = Home::new("chronon_seconds = 0.1\nhost_interval_seconds = 0.1\n");
    let page = Page::of("<p>Porto 30</p>");
    let url = page.url();
    let mut command = home.command(&["watch", &url, "--allow-private", "--every", "1 second"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("runs");
    let mut out = Lines::of(child.stdout.take().expect("piped"));
    let mut err = Lines::of(child.stderr.take().expect("piped"));
    let found = err.wait_for(PATIENCE, |line| line.contains("found: page"));
    page.show("<p>Porto 30</p><p>Lisbon 40</p>");
    let changed = out.wait_for(PATIENCE, |line| line.contains("Lisbon 40"));
    signal(child.id(), "INT");
    out.wait_for(PATIENCE, |_| false);
    let ended = out.closed;
    if !ended {
        child.kill().expect("it runs");
    }
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert!(found.is_some() && changed.is_some() && ended, "{:?} {:?}", err.seen, out.seen);
    assert!(!home.data().exists(), "it leaves nothing behind");
}

#[test]
fn watch_tells_programs_in_lines_of_json() {
    let home = Home::new("chronon_seconds = 0.1\nhost_interval_seconds = 0.1\n");
    let page = Page::of("<p>Porto 30</p>");
    let url = page.url();
    let watch = ["watch", &url, "--allow-private", "--every", "1 second", "--json"];
    let mut command = home.command(&watch);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("runs");
    let mut out = Lines::of(child.stdout.take().expect("piped"));
    let mut err = Lines::of(child.stderr.take().expect("piped"));
    let found = err.wait_for(PATIENCE, |line| line.contains("found: page"));
    page.show("<p>Porto 30</p><p>Lisbon 40</p>");
    let told = out.wait_for(PATIENCE, |_| true);
    signal(child.id(), "INT");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert!(found.is_some(), "{:?}", err.seen);
    let told = told.unwrap_or_else(|| panic!("{:?}", out.seen));
    let told: serde_json::Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!((&told["type"], &told["format"]), (&"change".into(), &1.into()));
    assert_eq!(told["changes"][0]["new"]["text"], "Lisbon 40");
}

#[test]
fn a_server_ends_at_once_though_a_page_keeps_it_waiting() {
    let (came, comes) = channel();
    let came = Mutex::new(came);
    let (_held, holds) = channel::<()>();
    let holds = Mutex::new(holds);
    let silent = Listener::start(move |_| {
        came.lock().expect("no panic").send(()).expect("the test waits");
        // Until the test ends.
        let _ = holds.lock().expect("no panic").recv_timeout(PATIENCE);
        Reply::Cut
    });
    let home = Home::new(QUICK);
    home.apply(&format!("create sentinel silent using {}", silent.url(1, "/")));
    let server = home.serve();
    comes.recv_timeout(PATIENCE).expect("a probe");
    let began = std::time::Instant::now();
    assert_eq!(server.terminate().code(), Some(0));
    assert!(began.elapsed().as_secs() < 5, "it took {:?}", began.elapsed());
}

#[test]
fn a_channel_can_be_tried_and_one_that_is_gone_is_not_bothered_again() {
    let hook = Hook::answering(|request| {
        let test = String::from_utf8_lossy(&request.body).contains("channel.test");
        Reply::status(if test { 204 } else { 410 })
    });
    let home = Home::new(&format!("{QUICK}{}", hook.channel("hook")));
    let page = Page::of("<p>one</p>");
    home.apply(&format!("create sentinel gone using {} notify by hook", page.url()));
    let server = home.serve();
    let events = server.events();
    events.wait_for("version", |version| version["version"] == 1);
    let (status, answer) = server.ask(("POST", "/channels/hook/test"), "");
    assert!((200..300).contains(&status), "{status} {answer}");
    assert_eq!(hook.next().body["type"], "channel.test");
    page.show("<p>two</p>");
    assert_eq!(hook.next().answered, 410);
    page.show("<p>three</p>");
    events.wait_for("version", |version| version["version"] == 3);
    events.wait_for("detection", |_| true);
    let dashboard = server.page("/").body;
    let dashboard = String::from_utf8_lossy(&dashboard);
    assert!(dashboard.contains("<strong>hook</strong>: the recipient answered 410 Gone"));
    let log = server.log();
    let said = log.lines().find(|line| line.contains("the channel is disabled"));
    assert!(said.is_some_and(|line| line.contains("410 Gone")), "{log}");
    assert_eq!(server.terminate().code(), Some(0));
    assert!(hook.nothing_more());
}

/// What urlwatch watched, as its manual has it.
const JOBS: &str = include_str!("../../../import/tests/samples/urls.yaml");

#[test]
fn what_urlwatch_watched_becomes_sentinels_once() {
    let home = Home::new(QUICK);
    let jobs = home.file("urls.yaml", JOBS);
    let shown = home.run(&["import", "--dry-run", &jobs]);
    assert!(shown.out.contains("create sentinel `Kettle`"), "{}", shown.out);
    assert!(home.done(&["list"]).contains("No sentinels yet"));
    let ran = home.run(&["import", &jobs, "--json"]);
    assert_eq!(ran.code, Some(1), "the command and the FTP address cannot be watched: {}", ran.err);
    let reports = json(&ran.out);
    let what = |report: &Value| report["what"].as_str().unwrap_or_default().to_owned();
    let became: Vec<String> = reports.as_array().into_iter().flatten().map(what).collect();
    let created = "created";
    let expected = [created, created, created, "failed", created, created, "failed"];
    assert_eq!(became, expected, "{}", ran.out);
    assert!(home.done(&["show", "Kettle"]).contains("https://shop.example/kettle"));
    assert!(home.done(&["list"]).contains("disabled"));
    let again = home.run(&["import", &jobs]);
    assert!(again.out.contains("0 created, 5 there already, 2 not possible"), "{}", again.out);
    let opml = home.done(&["export", "--opml"]);
    assert!(opml.contains("xmlUrl=\"https://shop.example/kettle\""), "{opml}");
    let moved = home.file("feeds.opml", opml);
    let elsewhere = home.path("elsewhere");
    let elsewhere = elsewhere.to_string_lossy();
    assert!(home.done(&["import", &moved, "--data-dir", &elsewhere]).contains("5 created"));
}

#[test]
fn a_command_without_a_server_says_which_folder_it_looked_into_and_that_nobody_looks() {
    let home = Home::new(QUICK);
    let right = home.file("right", RIGHT);
    let ran = home.run(&["apply", &right]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("no server runs on /") && ran.err.contains("nobody looks"));
    let server = home.serve();
    let ran = home.run(&["list"]);
    assert!(!ran.err.contains("nobody looks"), "{}", ran.err);
    drop(server);
}

#[test]
fn a_name_that_is_nearly_right_is_answered_with_the_right_one() {
    let home = Home::new(QUICK);
    let text = "create sentinel kettle using https://a.invalid/ monitor any change";
    let file = home.file("kettle", text);
    home.done(&["apply", &file]);
    for command in ["show", "disable", "remove", "why"] {
        let ran = home.run(&[command, "ketle"]);
        assert_eq!(ran.code, Some(1), "{command}: {}", ran.out);
        assert!(ran.err.contains("Did you mean `kettle`?"), "{command}: {}", ran.err);
    }
    for words in [&["lst"][..], &["help", "lst"]] {
        let ran = home.run(words);
        assert_eq!(ran.code, Some(2));
        assert!(ran.err.contains("'list'"), "{}", ran.err);
    }
    assert!(home.done(&["help", "list"]).contains("--data-dir"));
}

#[test]
fn shells_get_completions_and_every_command_a_page_of_the_manual() {
    let home = Home::new(QUICK);
    for shell in ["bash", "zsh", "fish"] {
        let script = home.done(&["completions", shell]);
        assert!(script.contains("tidings") && script.contains("import"), "{script}");
    }
    let folder = home.path("man");
    home.done(&["man", &folder.to_string_lossy()]);
    let page = std::fs::read_to_string(folder.join("tidings-import.1")).expect("written");
    assert!(page.contains(".TH") && page.contains("other tools"), "{page}");
    assert!(home.done(&["help", "import"]).contains("--dry-run"));
}
