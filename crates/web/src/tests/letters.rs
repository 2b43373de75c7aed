//! Links of messages: one sentinel, one action, no session.

use super::bench::{Bench, Reply, SENTINEL, START, local};
use axum::body::Body;
use axum::http::{Method, header};
use chronon::{SentinelId, Span};
use notice::{Act, Link, LinkKey};

fn key() -> LinkKey {
    LinkKey::new([7; 32])
}

fn place(act: Act, sentinel: u64) -> String {
    format!("/l/{}", key().sign(&Link::new(act, SentinelId(sentinel), START)))
}

async fn bench() -> Bench {
    let bench = Bench::with(|config| config.links = Some(key()));
    let other = "create sentinel secret using https://bank.example/";
    for text in [SENTINEL, other] {
        assert_eq!(bench.post("/api/v1/sentinels", text).await.status, 201);
    }
    bench
}

async fn stranger_posts(bench: &Bench, place: &str, form: &str) -> Reply {
    let request = local(Method::POST, place)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::from(form.to_owned()));
    bench.send(request.expect("a request")).await
}

#[tokio::test]
async fn a_look_at_a_link_changes_nothing_and_one_click_stops_the_sentinel() {
    let bench = bench().await;
    let stop = place(Act::Stop, 1);
    let page = bench.stray(&stop).await;
    assert_eq!(page.status, 200);
    assert!(page.body.contains("Stop <span dir=\"auto\">deals</span>?"), "{}", page.body);
    for other in ["secret", "bank.example", "air.example", "Watches", "Log out"] {
        assert!(!page.body.contains(other), "{other} in {}", page.body);
    }
    let state = async || bench.get("/api/v1/sentinels/deals").await.json()["state"].clone();
    assert_ne!(state().await, "disabled");
    let done = stranger_posts(&bench, &stop, "List-Unsubscribe=One-Click").await;
    assert_eq!(done.status, 200, "{done:?}");
    assert!(done.body.contains("is disabled"), "{}", done.body);
    assert_eq!(state().await, "disabled");
    assert_ne!(bench.get("/api/v1/sentinels/secret").await.json()["state"], "disabled");
}

#[tokio::test]
async fn a_link_snoozes_for_as_long_as_somebody_chooses() {
    let bench = bench().await;
    let snooze = place(Act::Snooze, 1);
    assert!(bench.stray(&snooze).await.body.contains("Snooze <span"));
    assert_eq!(stranger_posts(&bench, &snooze, "for=3h").await.status, 200);
    let until = async || bench.get("/api/v1/sentinels/deals").await.json()["snoozed_until"].clone();
    assert_eq!(until().await, "2027-01-01T03:00:00.000Z");
    assert_eq!(stranger_posts(&bench, &snooze, "").await.status, 200);
    assert_eq!(until().await, "2027-01-02T00:00:00.000Z");
    assert_eq!(stranger_posts(&bench, &snooze, "for=3h").await.status, 200);
    assert_eq!(until().await, "2027-01-02T00:00:00.000Z", "a press shortens no snooze");
}

#[tokio::test]
async fn a_link_that_is_forged_old_or_of_nobody_does_nothing() {
    let bench = bench().await;
    let forged = place(Act::Stop, 1).replace("stop-1-", "stop-2-");
    for path in [forged.as_str(), "/l/x", "/l/stop-1-1-00"] {
        assert_eq!(bench.stray(path).await.status, 404, "{path}");
        assert_eq!(stranger_posts(&bench, path, "").await.status, 404, "{path}");
    }
    assert_eq!(bench.stray(&place(Act::Stop, 99)).await.status, 410);
    let foreign = local(Method::POST, &place(Act::Stop, 1))
        .header(header::ORIGIN, "https://evil.example")
        .body(Body::empty());
    assert_eq!(bench.send(foreign.expect("a request")).await.status, 403);
    bench.pass(Span::DAY.times(32));
    let old = bench.stray(&place(Act::Stop, 1)).await;
    assert_eq!(old.status, 410);
    assert!(old.body.contains("good for 30 days"), "{}", old.body);
    let without = Bench::new();
    assert_eq!(without.stray(&place(Act::Stop, 1)).await.status, 404);
}

#[tokio::test]
async fn a_message_leads_to_the_comparison_by_the_name_of_its_sentinel() {
    let bench = bench().await;
    bench.page(1, "<p>Lisbon 40", &[]);
    bench.page(2, "<p>Lisbon 35", &[]);
    let page = bench.get("/sentinels/deals/compare?from=1&to=2").await;
    assert!(page.body.contains("<ins>35</ins>"), "{}", page.body);
    assert_eq!(bench.get("/sentinels/nobody/compare").await.status, 404);
}
