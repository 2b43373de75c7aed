//! `tidings explain` and `tidings why`: what a text means, and why something was told.

use crate::harness::{Home, PATIENCE, QUICK};
use crate::page::Page;
use serde_json::Value;
use std::time::Instant;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn a_text_is_explained_with_one_look_where_nothing_is_stored() {
    let home = Home::new(QUICK);
    let page = Page::of("<p>Lisbon 40 euros</p><a href='/deals'>Deals</a>");
    let text = format!(
        "create sentinel deals using {}\n  monitor links or phrase \"Lisbon\" added\n  \
         fetch every 1 day from 2099-01-01 09:00 UTC\n  notify by interactive\n",
        page.url()
    );
    let file = home.file("deals", text);
    let said = home.done(&["explain", &file]);
    for part in [
        "It looks every day; a look comes at most 2 h 24 min late.",
        "It tells you when links change or the phrase “lisbon” is added.",
        "The page now (fetched just now):",
        "all links: “Deals”",
        "phrase \"lisbon\": “Lisbon”",
        "2099-01-01 09:00 UTC, at most 2 h 24 min later",
        "2099-01-05 09:00 UTC",
    ] {
        assert!(said.contains(part), "{part} is not in {said}");
    }
    assert!(!said.contains("2099-01-06"), "five looks: {said}");
    assert_eq!(page.requests(), 1);
    let wrong = home.file("wrong", "create sentinel a using https://a.invalid/ montior links");
    assert_eq!(home.run(&["explain", &wrong]).code, Some(1));
    let gone = home.file("gone", "create sentinel a using https://a.invalid/");
    assert!(home.done(&["explain", &gone]).contains("nothing can be said of it"));
}

#[test]
fn each_page_of_several_is_explained_with_what_is_asked_of_it() {
    let home = Home::new(QUICK);
    let (front, back) = (Page::of("<a href='/deals'>Deals</a>"), Page::of("<p>Lisbon</p>"));
    let text = format!(
        "create sentinel both using {} as front, {} as back\n  \
         monitor links of front and phrase \"Lisbon\" of back\n  notify by interactive\n",
        front.url(),
        back.url()
    );
    let said = home.done(&["explain", &home.file("both", text)]);
    for part in [
        "front now (fetched just now):\n    all links: “Deals”\n",
        "back now (fetched just now):\n    phrase \"lisbon\": “Lisbon”\n",
    ] {
        assert!(said.contains(part), "{part} is not in {said}");
    }
    assert_eq!((front.requests(), back.requests()), (1, 1));
}

#[test]
fn a_text_is_replayed_over_what_is_stored_and_why_says_what_became_of_it() {
    let home = Home::new(QUICK);
    let page = Page::of("<p>Porto 30 euros</p>");
    let server = home.serve();
    let text = format!("create sentinel fares using {}\n  notify by interactive\n", page.url());
    home.apply(&text);
    let deadline = Instant::now() + PATIENCE;
    let versions = |count: u64| {
        while server.get("/sources/1")["version"].as_u64().unwrap_or(0) < count {
            assert!(Instant::now() < deadline, "{}", server.get("/sources/1"));
            std::thread::yield_now();
        }
    };
    versions(1);
    page.show("<p>Porto 30 euros</p><p>Lisbon 40 euros</p>");
    versions(2);
    let other = text.replace("notify", "monitor phrase \"Lisbon\" notify");
    let file = home.file("other", other);
    let report = json(&home.done(&["explain", "--replay", "--json", &file]));
    assert_eq!(report[0]["replay"]["versions"], 2);
    let told = report[0]["replay"]["told"].as_array().expect("a list");
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0]["body"]["changes"][0]["new"]["text"], "Lisbon");
    assert_eq!(report[0]["page"].as_str().map(|page| &page[..2]), Some("v2"));
    let said = home.done(&["explain", "--replay", &file]);
    assert!(said.contains("it would have told once"), "{said}");
    assert!(said.contains("+ «Lisbon»"), "{said}");

    let at = server.get("/sources/1/versions/2")["fetched_at"].as_str().expect("a time").to_owned();
    while server.get("/notifications")["items"][0]["state"] != "delivered" {
        assert!(Instant::now() < deadline);
        std::thread::yield_now();
    }
    let why = home.done(&["why", "fares", "at", &at]);
    assert!(why.contains("fares: It was found, and told as number 1."), "{why}");
    for part in ["v1 with v2", "any change: 1 change", "by interactive:"] {
        assert!(why.contains(part), "{part} is not in {why}");
    }
    let of_page = home.done(&["why", &page.url(), "at", &at]);
    assert!(of_page.contains("fares: It was found"), "{of_page}");
    assert_eq!(home.run(&["why", "nobody"]).code, Some(1));
}
