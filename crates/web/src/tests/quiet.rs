//! Snoozed, renamed, removed and taken back: by forms and by the API.

use super::bench::{Bench, SENTINEL};
use axum::http::Method;
use chronon::Span;
use serde_json::json;

async fn bench() -> Bench {
    let bench = Bench::new();
    assert_eq!(bench.post("/api/v1/sentinels", SENTINEL).await.status, 201);
    bench
}

#[tokio::test]
async fn a_removal_can_be_taken_back_for_ten_minutes() {
    let bench = bench().await;
    bench.notification(1, &json!({"summary": "a fare fell", "sentinel": "deals"}));
    let removed = bench.post("/sentinels/deals", "do=remove").await;
    assert_eq!((removed.status.as_u16(), removed.header("location")), (303, "/sentinels/deals"));
    let page = bench.get("/sentinels/deals").await.body;
    assert!(page.contains("Take it back") && page.contains("in 10 min"), "{page}");
    let listed = bench.get("/watches?state=removed").await.body;
    assert!(listed.contains("value=\"restore\"") && listed.contains(">deals<"), "{listed}");
    assert_eq!(bench.post("/sentinels/deals", "do=restore").await.status, 303);
    let one = bench.get("/api/v1/sentinels/deals").await.json();
    assert!(one["gone_at"].is_null(), "{one}");
    assert_eq!(
        bench.write(Method::DELETE, "/api/v1/sentinels/deals?undo=true", "").await.status,
        204
    );
    assert_eq!(bench.post("/api/v1/sentinels/deals/restore", "").await.status, 204);
    bench.write(Method::DELETE, "/api/v1/sentinels/deals?undo=true", "").await;
    bench.pass(Span::MINUTE.times(11));
    // Any step of the engine does it.
    bench.post("/api/v1/sentinels/nobody/wake", "").await.problem(404);
    bench.get("/api/v1/sentinels/deals").await.problem(404);
    bench.post("/api/v1/sentinels/deals/restore", "").await.problem(404);
    let told = bench.get("/inbox").await.body;
    assert!(told.contains(">deals, removed</a>"), "what it told names it still: {told}");
}

#[tokio::test]
async fn a_snooze_has_an_end() {
    let bench = bench().await;
    assert_eq!(bench.post("/sentinels/deals", "do=snooze&for=3h&until=").await.status, 303);
    let page = bench.get("/sentinels/deals").await.body;
    assert!(page.contains("in 3 h") && page.contains("Wake it now"), "{page}");
    assert!(bench.get("/watches?state=snoozed").await.body.contains(">deals<"));
    assert!(bench.get("/").await.body.contains(">snoozed<"));
    let restarted = bench.restarted();
    let one = restarted.get("/api/v1/sentinels/deals").await.json();
    assert_eq!(one["snoozed_until"], "2027-01-01T03:00:00.000Z");
    assert_eq!(restarted.post("/sentinels/deals", "do=wake").await.status, 303);
    assert!(restarted.get("/api/v1/sentinels/deals").await.json()["snoozed_until"].is_null());
    let until = "/api/v1/sentinels/deals/snooze?until=2027-01-02+08:00";
    assert_eq!(restarted.post(until, "").await.status, 204);
    assert_eq!(restarted.post("/api/v1/sentinels/deals/snooze?until=2d", "").await.status, 204);
    let one = restarted.get("/api/v1/sentinels/deals").await.json();
    assert_eq!(one["snoozed_until"], "2027-01-03T00:00:00.000Z");
    for (until, said) in [
        ("2020-01-01", "2020-01-01 00:00:00 UTC has passed"),
        ("2029-01-01", "2029-01-01 00:00:00 UTC is more than a year"),
    ] {
        let path = format!("/api/v1/sentinels/deals/snooze?until={until}");
        assert!(restarted.post(&path, "").await.problem(409).contains(said), "{until}");
    }
    restarted.post("/api/v1/sentinels/deals/snooze?until=soon", "").await.problem(400);
    assert_eq!(restarted.post("/sentinels/deals", "do=snooze").await.status, 400);
    assert_eq!(restarted.post("/sentinels/deals", "do=snooze&for=9x").await.status, 400);
    assert_eq!(restarted.post("/sentinels/deals", "do=dance").await.status, 400);
}

#[tokio::test]
async fn another_name_leads_to_the_same_sentinel() {
    let bench = bench().await;
    let refused = bench.post("/sentinels/deals", "do=rename&to=no`name").await;
    assert_eq!(refused.status, 409);
    for shown in ["cannot be a name", "value=\"no`name\"", "id=\"overview\""] {
        assert!(refused.body.contains(shown), "{shown}: {}", refused.body);
    }
    let renamed = bench.post("/sentinels/deals", "do=rename&to=fares").await;
    assert_eq!((renamed.status.as_u16(), renamed.header("location")), (303, "/sentinels/fares"));
    let one = bench.get("/api/v1/sentinels/fares").await.json();
    assert_eq!((&one["id"], &one["generation"]), (&1.into(), &1.into()));
    assert!(one["text"].as_str().is_some_and(|text| text.starts_with("create sentinel fares ")));
    bench.get("/api/v1/sentinels/deals").await.problem(404);
    assert_eq!(bench.post("/api/v1/sentinels", SENTINEL).await.status, 201);
    let taken = bench.post("/api/v1/sentinels/deals/rename?to=FARES", "").await.problem(409);
    assert!(taken.contains("`FARES` is taken"), "{taken}");
    let long = format!("/api/v1/sentinels/deals/rename?to={}", "b".repeat(150));
    let long = bench.post(&long, "").await.problem(409);
    assert!(long.contains("150 characters; 100 are allowed"), "{long}");
    let none = bench.post("/watches", "do=remove").await;
    let none = bench.get(none.header("location")).await;
    assert!(none.body.contains("Nothing was done: tick a watch first."), "{}", none.body);
    let odd = bench.post("/api/v1/sentinels/deals/rename?to=a%60b", "").await.problem(409);
    assert!(odd.contains("cannot be a name"), "{odd}");
    // In other letters it is the same name.
    assert_eq!(bench.post("/api/v1/sentinels/deals/rename?to=Deals", "").await.status, 204);
    assert_eq!(bench.restarted().get("/api/v1/sentinels/deals").await.json()["name"], "Deals");
}

#[tokio::test]
async fn many_are_snoozed_removed_and_taken_back_together() {
    let bench = bench().await;
    let other = "create sentinel rail using https://rail.example/";
    assert_eq!(bench.post("/api/v1/sentinels", other).await.status, 201);
    let said = |done: &str| format!("/watches?done={done}");
    let all = |what: &str| format!("scope=all&do={what}&for=1d");
    assert_eq!(bench.post("/watches", &all("snooze")).await.header("location"), said("snooze-2"));
    assert!(bench.get(&said("snooze-2")).await.body.contains("2 watches snoozed."));
    assert_eq!(bench.post("/watches", &all("remove")).await.header("location"), said("remove-2"));
    let back = bench.post("/watches", "name=rail&do=restore").await;
    assert_eq!(back.header("location"), said("restore-1"));
    assert!(bench.get("/api/v1/sentinels/rail").await.json()["gone_at"].is_null());
    assert!(!bench.get("/api/v1/sentinels/deals").await.json()["gone_at"].is_null());
}

#[tokio::test]
async fn one_that_has_not_begun_says_when_it_does_and_when_it_ends() {
    let bench = Bench::new();
    let text = "create sentinel deals using https://air.example/ monitor links \
                from 2027-01-02 06:55 to now + 2 days notify by interactive";
    let made = bench.post("/api/v1/sentinels", text).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let one = bench.get("/api/v1/sentinels/deals").await.json();
    let begins = "begins at 2027-01-02 06:55 UTC";
    assert_eq!(one["next"]["text"], begins);
    assert_eq!(one["begins"], "2027-01-02T06:55:00.000Z");
    assert_eq!(one["until"], "2027-01-03T00:00:00.000Z");
    let why = bench.get("/api/v1/sentinels/deals/why").await.json();
    assert_eq!(why["because"], format!("Nothing is looked at yet: it {begins}."));
    let page = bench.get("/sentinels/deals").await.body;
    assert!(page.contains(begins) && page.contains("<dt>ends</dt>"), "{page}");
    assert!(!page.contains("Look now"), "{page}");
}
