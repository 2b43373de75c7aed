//! Rules from the command line.

use crate::harness::{Home, QUICK};
use crate::webhook::Hook;
use serde_json::Value;

const RULES: &str = "create sentinel down using https://example.org/ monitor keyword down\n\
                     create rule undone on event deploy ; event rollback do disable down\n\
                     create rule twice on down ; down within 1 hour do notify by terminal\n";

#[test]
fn rules_are_listed_shown_explained_exported_and_their_events_raised() {
    let home = Home::new(QUICK);
    let file = home.file("rules.tidings", RULES);
    home.done(&["apply", &file]);
    let listed = home.done(&["list"]);
    assert!(listed.contains("undone  enabled  0      0     never"), "{listed}");
    let all: Value = serde_json::from_str(&home.done(&["list", "--json"])).expect("JSON");
    let kinds = all.as_array().expect("a list").iter().map(|one| &one["kind"]);
    assert_eq!(kinds.collect::<Vec<_>>(), [&Value::Null, &"rule".into(), &"rule".into()]);

    let exported = home.done(&["export"]);
    assert_eq!(home.apply(&exported), "down unchanged\nundone unchanged\ntwice unchanged\n");

    for _ in 0..2 {
        assert_eq!(home.done(&["raise", "DEPLOY", "--key", "build-7"]), "DEPLOY raised\n");
    }
    let shown = home.done(&["show", "undone"]);
    let open = shown.lines().filter(|line| line.starts_with("open       event deploy at "));
    let open: Vec<&str> = open.collect();
    assert!(matches!(&open[..], [one] if one.ends_with(" waits for event rollback")), "{shown}");
    let why = home.done(&["why", "UNDONE"]);
    assert!(why.starts_with("undone: not acted. It has not acted yet. What is open: "), "{why}");
    home.done(&["raise", "rollback"]);
    assert!(home.done(&["why", "undone"]).starts_with("undone: acted. It acted last at "));
    assert!(home.done(&["show", "down"]).contains("disabled"));
    let explained = home.done(&["explain", &file]);
    let wanted = ["\nundone\n  When ", "On the server: It acted last at "];
    assert!(wanted.iter().all(|part| explained.contains(part)), "{explained}");

    for (arguments, near) in [
        (&["raise", "deplooy"][..], "Did you mean `deploy`?"),
        (&["show", "undonne"], "Did you mean `undone`?"),
        (&["why", "twicee"], "Did you mean `twice`?"),
        (&["why", "undone", "at", "2027-01-01"], "leave the time out"),
    ] {
        let ran = home.run(arguments);
        assert!(ran.code == Some(1) && ran.err.contains(near), "{arguments:?}: {}", ran.err);
    }
    home.done(&["disable", "twice"]);
    assert!(home.done(&["show", "twice"]).contains("state      disabled"));
    home.done(&["remove", "twice"]);
    assert!(!home.done(&["list"]).contains("twice"));
}

#[test]
fn what_a_rule_hears_arrives_with_what_took_part() {
    let hook = Hook::start();
    let home = Home::new(&format!("{QUICK}{}", hook.channel("hook")));
    let server = home.serve();
    home.apply("create rule undone on event deploy ; event rollback do notify by hook");
    home.done(&["raise", "deploy"]);
    home.done(&["raise", "rollback"]);
    let body = hook.next().body;
    assert_eq!((&body["type"], &body["rule"]), (&"rule".into(), &"undone".into()));
    let names = [0, 1].map(|nth| body["occurrences"][nth]["name"].as_str().unwrap_or_default());
    assert_eq!(names, ["deploy", "rollback"], "{body}");
    let told = server.get("/rules/undone/detections");
    assert_eq!(told["items"][0]["parts"][1]["what"], "event rollback", "{told}");
}
