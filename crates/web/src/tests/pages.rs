//! The dashboard's pages.

use super::bench::{Bench, Reply, SENTINEL, local, with_token};
use axum::body::Body;
use axum::http::Method;
use serde_json::json;

const HOSTILE: &str = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>\u{202e}";

fn assert_harmless(reply: &Reply) {
    assert_eq!(reply.status, 200, "{reply:?}");
    assert_eq!(reply.header("content-type"), "text/html; charset=utf-8");
    for bad in ["<script>alert", "<img src=x", "onerror=alert(2)>\u{202e}\"", "javascript:"] {
        assert!(!reply.body.contains(bad), "{bad} in {}", reply.body);
    }
}

async fn with_sentinel() -> Bench {
    let bench = Bench::new();
    assert_eq!(bench.post("/api/v1/sentinels", SENTINEL).await.status, 201);
    bench
}

#[tokio::test]
async fn an_empty_dashboard_tells_a_newcomer_what_to_do() {
    let page = Bench::new().get("/").await;
    assert_eq!(page.status, 200);
    for text in ["Tidings", "Hear first. Ask less.", "Nothing is watched yet", "create sentinel"] {
        assert!(page.body.contains(text), "{text}");
    }
}

#[tokio::test]
async fn the_dashboard_shows_sentinels_sources_and_when_they_are_looked_at() {
    let bench = with_sentinel().await;
    bench.version(1, &["Porto 30"]);
    let page = bench.get("/").await;
    assert_harmless(&page);
    for text in ["id=\"sentinel-1\"", "id=\"source-1\"", "all links", "air.example/deals", "active"]
    {
        assert!(page.body.contains(text), "{text} in {}", page.body);
    }
}

#[tokio::test]
async fn nothing_a_watched_page_says_becomes_markup() {
    let bench = with_sentinel().await;
    bench.version(1, &["Porto 30", HOSTILE]);
    bench.version(2, &[HOSTILE, "</textarea></title><svg onload=alert(3)>"]);
    bench.notification(
        1,
        &json!({"summary": HOSTILE, "sentinel": HOSTILE, "leaves": [HOSTILE],
        "changes_total": 9, "changes": [{"type": HOSTILE, "kind": "update",
            "old": {"text": HOSTILE, "href": "javascript:alert(4)"}, "new": {"text": "x",
            "href": "javascript:alert(5)"}, "context": {"before": HOSTILE, "after": HOSTILE}}]}),
    );
    for path in ["/sources/1?from=1&to=2", "/sentinels/deals"] {
        let page = bench.get(path).await;
        assert_harmless(&page);
        assert!(!page.body.contains("<svg onload"), "{path}");
    }
    for path in ["/", "/notifications/1", "/fragments/rows?notifications=1"] {
        let page = bench.get(path).await;
        assert_eq!(page.status, 200);
        for bad in ["<script>alert", "<img src=x", "href=\"javascript:"] {
            assert!(!page.body.contains(bad), "{bad} in {path}");
        }
        assert!(page.body.contains("&#60;script&#62;alert(1)"), "{path}");
    }
}

#[tokio::test]
async fn a_sentinel_with_a_name_of_any_language_has_a_page() {
    let bench = Bench::new();
    let text = "create sentinel `prix-été` using https://a.example/";
    let made = bench.post("/api/v1/sentinels", text).await;
    assert_eq!(made.status, 201, "{made:?}");
    assert_eq!(made.header("location"), "/api/v1/sentinels/prix-%C3%A9t%C3%A9");
    assert_eq!(bench.get(made.header("location")).await.json()["name"], "prix-été");
    let home = bench.get("/").await;
    let link = home.body.split('"').find(|part| part.starts_with("/sentinels/")).expect("a link");
    let page = bench.get(link).await;
    assert_eq!(page.status, 200, "{link}");
    assert!(page.body.contains("prix-été"), "{}", page.body);
}

#[tokio::test]
async fn a_change_is_marked_in_words_and_signs_not_by_colour_only() {
    let bench = with_sentinel().await;
    bench.notification(1, &json!({"summary": "1 link added", "changes_total": 2, "changes": [
        {"type": "links", "kind": "insert", "old": null, "context": {"before": "see", "after": "now"},
         "new": {"href": "https://b.example/", "text": "Fares"}}]}));
    let page = bench.get("/").await;
    for text in ["added", ">+<", "<ins>Fares</ins>", "…see", "now…", "and 1 more"] {
        assert!(page.body.contains(text), "{text} in {}", page.body);
    }
    assert!(page.body.contains("href=\"https://b.example/\" rel=\"noopener noreferrer nofollow\""));
}

#[tokio::test]
async fn a_source_page_compares_two_versions() {
    let bench = with_sentinel().await;
    bench.version(1, &["Porto 30"]);
    bench.version(2, &["Porto 30", "Lisbon 40"]);
    let page = bench.get("/sources/1").await;
    assert!(page.body.contains("From v1 to v2"), "{}", page.body);
    assert!(page.body.contains("<dd>at most once every "), "{}", page.body);
    assert!(page.body.contains("<dt>expected changes</dt><dd>not known yet</dd>"), "no look yet");
    assert!(page.body.contains("<ins>Lisbon 40</ins>"), "{}", page.body);
    let missing = bench.get("/sources/1?from=1&to=7").await;
    assert!(missing.body.contains("may not be kept any more"), "{}", missing.body);
}

#[tokio::test]
async fn what_is_not_there_is_a_page_for_people() {
    let bench = Bench::new();
    for path in ["/sources/1", "/sources/x", "/sentinels/nobody", "/notifications/1"] {
        let page = bench.get(path).await;
        assert_eq!(page.status, 404, "{path}");
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8", "{path}");
        assert!(page.body.contains("To the dashboard"), "{path}");
    }
}

#[tokio::test]
async fn a_lost_browser_gets_a_page_and_a_lost_program_a_problem() {
    let bench = Bench::new();
    let browser = with_token(Method::GET, "/nowhere").header("accept", "text/html,*/*");
    let page = bench.send(browser.body(Body::empty()).expect("a request")).await;
    assert_eq!(
        (page.status.as_u16(), page.header("content-type")),
        (404, "text/html; charset=utf-8")
    );
    bench.get("/nowhere").await.problem(404);
}

#[tokio::test]
async fn long_lists_come_in_pages_and_fragments_have_a_limit() {
    let bench = Bench::new();
    let text: String = (0..60)
        .map(|number| format!("create sentinel s{number} using https://h{number}.example/\n"))
        .collect();
    assert_eq!(bench.post("/api/v1/sentinels", &text).await.status, 201);
    let rows = |page: &Reply, kind: &str| page.body.matches(&format!("id=\"{kind}-")).count();
    let first = bench.get("/").await;
    assert!(first.body.contains("href=\"/?sources_after=50#sources-head\""), "{}", first.body);
    assert!(first.body.contains("data-live-lists"));
    let second = bench.get("/?sources_after=50").await;
    assert!(second.body.contains("id=\"source-51\"") && !second.body.contains("id=\"source-50\""));
    assert!(!second.body.contains("data-live-lists"));
    let ids: Vec<String> = (1..=60).map(|id| id.to_string()).collect();
    let many = bench.get(&format!("/fragments/rows?sources={}", ids.join(","))).await;
    assert_eq!(rows(&many, "source"), 50);
    let some = bench.get("/fragments/rows?sentinels=3,999&sources=2").await;
    assert_eq!((rows(&some, "sentinel"), rows(&some, "source")), (1, 1));
    assert_eq!(bench.get("/fragments/rows?sources=a").await.status, 400);
}

#[tokio::test]
async fn the_budget_is_drawn_without_inline_styles() {
    let page = Bench::new().get("/fragments/budget").await;
    assert!(page.body.contains("<svg") && page.body.contains("10"), "{}", page.body);
    for path in ["/", "/login"] {
        let page = Bench::new().get(path).await;
        assert!(!page.body.contains("style="), "{path}");
        assert!(!page.body.contains("onclick"), "{path}");
    }
}

#[tokio::test]
async fn assets_are_kept_by_browsers_and_change_their_address_with_their_content() {
    let bench = Bench::new();
    let page = bench.get("/").await;
    let script = page.body.split('"').find(|part| part.starts_with("/assets/app.js?v="));
    let asset = bench.get(script.expect("a script")).await;
    assert_eq!(asset.header("content-type"), "text/javascript; charset=utf-8");
    assert_eq!(asset.header("cache-control"), "public, max-age=31536000, immutable");
    let known = local(Method::GET, "/assets/app.js").header("if-none-match", asset.header("etag"));
    let again = bench.send(known.body(Body::empty()).expect("a request")).await;
    assert_eq!((again.status.as_u16(), again.body.as_str()), (304, ""));
    assert_eq!(bench.get("/assets/../Cargo.toml").await.status, 404);
}

#[tokio::test]
async fn what_is_still_gathered_is_no_news() {
    let bench = with_sentinel().await;
    bench.open_digest(1, 2);
    let page = bench.get("/").await;
    assert!(page.body.contains("2 so far; told when its window ends"), "{}", page.body);
    assert!(page.body.contains(">deals: digest</a>"), "{}", page.body);
    assert!(!page.body.contains(">new</span>"), "{}", page.body);
    bench.notification(2, &json!({"summary": "1 link added"}));
    assert!(bench.get("/").await.body.contains(">new</span>"));
    bench.open_digest(3, 1);
    let one = bench.get("/notifications/3").await.body;
    assert!(one.contains(">deals</a></h1>") && one.contains("1 so far"), "{one}");
}

#[tokio::test]
async fn an_alert_says_what_was_found_while_a_channel_still_gathers() {
    let bench = with_sentinel().await;
    bench.notification_of(1, 1, 2);
    bench.open_digest(2, 1);
    for path in ["/", "/inbox"] {
        let page = bench.get(path).await.body;
        assert!(page.contains("find 1") && !page.contains("so far"), "{path}: {page}");
        assert!(page.contains("gathering") && page.contains("delivered"), "{path}: {page}");
        assert_eq!(page.matches("<li class=\"card").count(), 1, "{path}: {page}");
    }
}

#[tokio::test]
async fn the_plan_is_a_page_with_and_without_sources() {
    let empty = Bench::new().get("/plan").await;
    assert_harmless(&empty);
    assert!(empty.body.contains("Nothing is being watched"), "{}", empty.body);
    let page = with_sentinel().await.get("/plan").await;
    assert_harmless(&page);
    for text in ["air.example/deals", "10 looks a second allowed", "Under another budget"] {
        assert!(page.body.contains(text), "{text} is not in {}", page.body);
    }
}

#[tokio::test]
async fn help_has_topics_and_is_searched() {
    let bench = Bench::new();
    let index = bench.get("/help").await;
    for topic in ["recipes", "language", "theory", "nginx.conf"] {
        assert!(index.body.contains(&format!("href=\"/help/{topic}\"")), "{topic}");
    }
    let found = bench.get("/help?q=Terms+of+service").await;
    assert!(found.body.contains("href=\"/help/recipes\""), "{}", found.body);
    let none = bench.get(&format!("/help?q={}", "%3Cb%3Ex".repeat(60))).await;
    assert!(none.body.contains("No page of help") && !none.body.contains("<b>x"), "{none:?}");
    let recipes = bench.get("/help/recipes").await;
    assert_eq!(recipes.body.matches("<h1").count(), 1);
    assert!(recipes.body.contains("create sentinel terms"), "{}", recipes.body);
    assert_eq!(bench.get("/help/nothing").await.status, 404);
    assert_eq!(bench.stray("/help").await.status, 303);
}
