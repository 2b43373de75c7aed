//! Why something was told, or was not.

use super::bench::{Bench, SENTINEL, START};
use change::{ChangeType, Comparison, Leaf, Limits, Pairing, RoundRequest};
use chronon::{SourceId, Span, VersionNo};
use kernel::Record;
use kernel::record::{ProbeOutcome, ProbeRow};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Stores a look at this hour after the start.
fn look(bench: &Bench, hours: i64, outcome: ProbeOutcome) {
    let row = ProbeRow {
        source: SourceId(1),
        number: hours as u64,
        start: START + Span::HOUR.times(hours),
        took: Span::SECOND,
        body_bytes: 0,
        wire_bytes: 0,
        outcome,
        reason: schedule::Reason::Asked,
        led_to: None,
    };
    bench.store(vec![Record::Probe(row)], &[]);
}

/// The answer for this hour after the start.
async fn why(bench: &Bench, hours: i64) -> Value {
    let at = START + Span::HOUR.times(hours);
    bench.get(&format!("/api/v1/sentinels/deals/why?at={at}")).await.json()
}

fn because(answer: &Value) -> &str {
    answer["because"].as_str().expect("a sentence")
}

fn texts<'a>(answer: &'a Value, what: &str) -> Vec<&'a str> {
    let steps = answer["steps"].as_array().expect("a list").iter();
    let of = steps.filter(|step| step["what"] == what);
    of.map(|step| step["text"].as_str().expect("text")).collect()
}

/// A server with a sentinel, two versions, and a look in each of five hours.
async fn bench() -> Bench {
    let bench = Bench::new();
    assert_eq!(bench.post("/api/v1/sentinels", SENTINEL).await.status, 201);
    bench.version(1, &["fares", "from 40 euros"]);
    bench.version(2, &["fares", "from 35 euros"]);
    look(&bench, 1, ProbeOutcome::Version(VersionNo(1)));
    look(&bench, 2, ProbeOutcome::Version(VersionNo(2)));
    look(&bench, 3, ProbeOutcome::NotModified);
    look(&bench, 4, ProbeOutcome::Failed { status: Some(503), reason: "it answered 503".into() });
    look(&bench, 5, ProbeOutcome::Held(VersionNo(3)));
    bench
}

#[tokio::test]
async fn each_step_from_the_state_to_the_leaf_is_said() {
    let bench = bench().await;
    let answer = why(&bench, 2).await;
    assert_eq!((&answer["sentinel"], &answer["told"]), (&json!("deals"), &json!(false)));
    assert_eq!(because(&answer), "What changed is not what it asks for.");
    assert_eq!(texts(&answer, "state"), ["active, by time"]);
    assert_eq!(texts(&answer, "look"), ["a new version, v2 (somebody asked)"]);
    assert_eq!(texts(&answer, "version"), ["v2: page, 4 words, 0 links"]);
    assert_eq!(texts(&answer, "comparison"), ["v1 with v2"]);
    assert_eq!(texts(&answer, "leaf"), ["all links: no change"]);
}

#[tokio::test]
async fn what_was_held_back_is_listed_with_its_reason() {
    let bench = Bench::new();
    let text = SENTINEL.replace("all links", "any change");
    assert_eq!(bench.post("/api/v1/sentinels", &text).await.status, 201);
    let page = |fare: &str, phone: &str| {
        format!("<main><p>Fares from {fare} euros</p></main><footer>Call us: {phone}</footer>")
    };
    bench.page(1, &page("40", "123"), &[]);
    bench.page(2, &page("40", "456"), &[]);
    bench.page(3, &page("35", "789"), &[]);
    let because = "it stands around the content, such as a menu, a footer or a label";
    (1..=3).for_each(|n| look(&bench, n.into(), ProbeOutcome::Version(VersionNo(n))));
    let answer = why(&bench, 2).await;
    assert_eq!(
        answer["because"],
        "What it asks for changed only where it counts little, and was held back. \
         `monitor everything` tells it."
    );
    assert_eq!(texts(&answer, "leaf"), ["any change: no change"]);
    let held = format!("“Call us: 123” → “Call us: 456”: {because}");
    assert_eq!(texts(&answer, "held back"), [held]);

    let joined = SENTINEL.replace("all links", "(any change and images added)");
    let joined = joined.replace("sentinel deals", "sentinel pictures");
    assert_eq!(bench.post("/api/v1/sentinels", &joined).await.status, 201);
    let at = (START + Span::HOUR.times(2)).to_string();
    let other = bench.get(&format!("/api/v1/sentinels/pictures/why?at={at}")).await.json();
    assert_eq!(other["because"], "What changed is not what it asks for.");

    let diff = bench.get("/api/v1/sources/1/diff?from=2&to=3").await.json();
    let reasons: Vec<&Value> =
        diff["changes"].as_array().expect("a list").iter().map(|one| &one["held_back"]).collect();
    assert_eq!(reasons, [&Value::Null, &json!(because)]);
    let source = bench.get("/sources/1").await.body;
    assert_eq!(source.matches(&format!("holds this back: {because}")).count(), 1);
    assert!(source.contains("/sources/1?from=1&amp;to=2#difference"), "on its timeline");

    bench.pass(Span::HOUR.times(4));
    for what in ["disable", "enable"] {
        bench.post(&format!("/api/v1/sentinels/deals/{what}"), "").await;
    }
    assert_eq!(why(&bench, 2).await["because"], answer["because"], "it heard of it then");
}

#[tokio::test]
async fn a_look_that_compares_nothing_says_why() {
    let bench = bench().await;
    for (hours, said) in [
        (-1, "There was no such sentinel yet: it was created at 2027-01-01 00:00 UTC."),
        (0, "The looks of then are not kept any more; the last 100 are."),
        (
            1,
            "There was no earlier version to compare with: it is the baseline, which is never told.",
        ),
        (4, "The look failed: it answered 503. A failed look compares nothing."),
    ] {
        assert_eq!(because(&why(&bench, hours).await), said);
    }
    assert!(because(&why(&bench, 3).await).starts_with("The page was as before"));
    assert!(because(&why(&bench, 5).await).contains("waits for a second look"));
    bench.get("/api/v1/sentinels/nobody/why").await.problem(404);
    let detail = bench.get("/api/v1/sentinels/deals/why?at=13/02/03").await.problem(400);
    assert!(detail.contains("write 2003-02-13"), "{detail}");
}

#[tokio::test]
async fn how_a_page_answers_is_told_where_it_compares_nothing() {
    let bench = bench().await;
    bench.detection_at(7, START + Span::HOUR.times(4) + Span::SECOND);
    bench.notification_of(3, 7, 1);
    let answer = why(&bench, 4).await;
    assert_eq!(answer["told"], true, "{answer}");
    assert_eq!(because(&answer), "It was found, and told as number 7.");
    assert_eq!(texts(&answer, "channel").len(), 1, "{answer}");
    assert_eq!(why(&bench, 3).await["told"], false);

    look(&bench, 6, ProbeOutcome::Held(VersionNo(3)));
    assert_eq!(
        because(&why(&bench, 6).await),
        "The answer was doubtful, as at the look before; nothing is compared with it."
    );
    look(&bench, 7, ProbeOutcome::Held(VersionNo(2)));
    assert_eq!(
        because(&why(&bench, 7).await),
        "The answer was what had been told as number 7; nothing is compared with it."
    );
}

#[tokio::test]
async fn times_are_told_by_the_readers_clock() {
    let zone = chronon::Zone::parse("Asia/Kathmandu").expect("a zone");
    let bench = Bench::with(|config| config.zone = zone);
    assert_eq!(bench.post("/api/v1/sentinels", SENTINEL).await.status, 201);
    let answer = why(&bench, -1).await;
    let said = because(&answer);
    assert!(said.ends_with("it was created at 2027-01-01 05:45 Asia/Kathmandu."), "{said}");
}

#[tokio::test]
async fn what_was_told_names_the_leaf_and_the_channel() {
    let bench = bench().await;
    // The same round served somebody else, too.
    let compared = |aspect| {
        let change_type = ChangeType::plain(aspect);
        let (directions, matching) = (BTreeSet::new(), None);
        let leaf = Leaf { change_type: change_type.clone(), directions, matching };
        Comparison {
            from: VersionNo(1),
            to: VersionNo(2),
            change_type,
            leaves: vec![leaf],
            pairing: Pairing::Alike,
            earlier: vec![],
            status: None,
        }
    };
    let request = RoundRequest {
        comparisons: vec![compared(change::Aspect::Links), compared(change::Aspect::Any)],
        sources: vec![],
    };
    let reader = bench.reader();
    let mut load = |number, _: &change::View| {
        let row = reader.version(SourceId(1), number).expect("read").expect("a version");
        let blob = row.facts.whole().expect("an extract");
        let bytes = reader.blob(blob).expect("read").expect("bytes");
        Ok(std::sync::Arc::new(page::decode(&bytes).expect("an extract")))
    };
    let result = change::encode(&change::run(&request, &mut load, &Limits::default()));
    bench.detection(1, &result);
    bench.notification(1, &json!({"summary": "s"}));
    let answer = why(&bench, 2).await;
    assert_eq!(
        (&answer["told"], because(&answer)),
        (&json!(true), "It was found, and told as number 1.")
    );
    assert_eq!(texts(&answer, "comparison"), ["v1 with v2"]);
    assert_eq!(texts(&answer, "leaf"), ["all links: no change"]);
    let channel = texts(&answer, "channel");
    assert_eq!(channel.len(), 1, "{answer}");
}

#[tokio::test]
async fn what_was_found_and_reached_nobody_is_not_said_to_be_told() {
    let bench = super::places::mute().await;
    bench.version(1, &["fares"]);
    bench.version(2, &["fares, and more"]);
    look(&bench, 1, ProbeOutcome::Version(VersionNo(1)));
    look(&bench, 2, ProbeOutcome::Version(VersionNo(2)));
    bench.detection(1, &change::encode(&change::RoundResult { comparisons: vec![] }));
    bench.waits(1, &json!({"summary": "s"}));
    let answer = why(&bench, 2).await;
    assert_eq!(because(&answer), "It was found as number 1, which has reached nobody so far.");
    let channel = texts(&answer, "channel");
    assert_eq!(channel, ["by email: waiting to be sent (no mail server is configured)"]);
}

#[tokio::test]
async fn a_disabled_sentinel_hears_nothing() {
    let bench = bench().await;
    bench.pass(Span::from_secs(90 * 60));
    assert_eq!(bench.post("/api/v1/sentinels/deals/disable", "").await.status, 204);
    let answer = why(&bench, 2).await;
    assert_eq!(because(&answer), "The sentinel was disabled then.");
    assert_eq!(texts(&answer, "state"), ["disabled, by you"]);
}

#[tokio::test]
async fn each_page_of_several_has_an_account_of_its_own() {
    let bench = Bench::new();
    let text = "create sentinel deals using https://air.example/deals as air, https://sea.example/ \
         monitor links notify by interactive";
    assert_eq!(bench.post("/api/v1/sentinels", text).await.status, 201);
    bench.version(1, &["fares"]);
    bench.version(2, &["fares, and more"]);
    look(&bench, 1, ProbeOutcome::Version(VersionNo(1)));
    look(&bench, 2, ProbeOutcome::Version(VersionNo(2)));
    let answer = why(&bench, 2).await;
    assert_eq!(
        because(&answer),
        "air: What changed is not what it asks for. \
         https://sea.example/: The page had not been looked at yet."
    );
    assert_eq!(texts(&answer, "source"), ["air", "https://sea.example/"]);
    assert_eq!(texts(&answer, "state").len(), 1);
    assert_eq!(texts(&answer, "comparison"), ["v1 with v2"]);
}

#[tokio::test]
async fn of_pages_that_are_captured_together_the_parts_of_each_are_shown() {
    let bench = Bench::new();
    let text = "create sentinel deals using https://air.example/deals as air, https://sea.example/ \
         as sea monitor links of air and not links of sea notify by interactive";
    assert_eq!(bench.post("/api/v1/sentinels", text).await.status, 201);
    bench.version(1, &["fares"]);
    bench.version(2, &["fares, and more"]);
    look(&bench, 1, ProbeOutcome::Version(VersionNo(1)));
    look(&bench, 2, ProbeOutcome::Version(VersionNo(2)));
    let answer = why(&bench, 2).await;
    assert!(
        because(&answer).starts_with("air: It is compared with the other pages of its capture")
    );
    assert_eq!(texts(&answer, "leaf"), ["all links: no change"]);
}

#[tokio::test]
async fn what_a_selector_did_not_find_is_looked_for_in_the_versions_before() {
    let bench = Bench::new();
    let text = "create sentinel deals using https://air.example/deals \
         monitor value of css \".p\" notify by interactive";
    assert_eq!(bench.post("/api/v1/sentinels", text).await.status, 201);
    for (number, html) in [(1, "<b class=p>40 €</b>"), (2, "gone"), (3, "<b class=p>35 €</b>")]
    {
        bench.page(number, html, &["css \".p\""]);
        look(&bench, i64::from(number), ProbeOutcome::Version(VersionNo(number)));
    }
    let answer = why(&bench, 3).await;
    assert_eq!(texts(&answer, "comparison"), ["v2 with v3"]);
    assert_eq!(texts(&answer, "leaf"), ["value of css \".p\": 1 change"]);
}
