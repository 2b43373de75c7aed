//! Picking a part of a page.

use super::bench::{Bench, SENTINEL};

const PAGE: &str = "<title>Deals</title><h1>Deals</h1><script>alert(1)</script>\
    <table id=fares><tr><th>City<th>Fare<tr><td>Porto<td>30 EUR<tr><td>Lisbon<td>40 EUR</table>\
    <p class=note onclick='alert(2)'>Only <b>today</b></p>";

async fn bench() -> Bench {
    let bench = Bench::new();
    assert_eq!(bench.post("/api/v1/sentinels", SENTINEL).await.status, 201);
    bench.page(1, &PAGE.replace("40 EUR", "45 EUR"), &[]);
    bench.page(2, PAGE, &[]);
    bench
}

/// Where the frame leads when this text is pressed.
async fn place_of(bench: &Bench, text: &str) -> String {
    let frame = bench.get("/sources/1/pick/shown?version=2").await;
    assert_eq!(frame.status, 200, "{frame:?}");
    let before = frame.body.split(&format!("\">{text}</a>")).next().expect("a text");
    assert_ne!(before, frame.body, "{text} is in {}", frame.body);
    before.rsplit("href=\"").next().expect("a link").replace("&amp;", "&")
}

#[tokio::test]
async fn a_click_proposes_what_finds_it_and_shows_what_it_finds() {
    let bench = bench().await;
    let page = bench.get(&place_of(&bench, "40 EUR").await).await;
    assert_eq!(page.status, 200, "{page:?}");
    for text in [
        "in v1 it said",
        "45 EUR",
        "xpath &#34;//tr[normalize-space(*[1])=&#39;Lisbon&#39;]/*[2]&#34;",
        "Tell me when this number, now 40 EUR, changes",
        "monitor value of xpath",
        "Take the box around it",
    ] {
        assert!(page.body.contains(text), "{text} is not in {}", page.body);
    }
    assert!(!page.body.contains("by its position"), "{}", page.body);
    let row = page.body.split("Take the box").next().and_then(|text| text.rsplit('"').nth(1));
    let row = bench.get(&row.expect("a link").replace("&#38;", "&")).await;
    assert!(row.body.contains("Lisbon 40 EUR") || row.body.contains("Lisbon | 40 EUR"), "{row:?}");
}

#[tokio::test]
async fn the_page_to_pick_from_runs_and_loads_nothing() {
    let bench = bench().await;
    let frame = bench.get("/sources/1/pick/shown?version=2&at=9").await;
    let policy = frame.header("content-security-policy");
    assert!(policy.contains("default-src 'none'") && policy.contains("sandbox"), "{policy}");
    for bad in ["<script", "onclick", "<img"] {
        assert!(!frame.body.contains(bad), "{bad} in {}", frame.body);
    }
    assert_eq!(frame.body.matches("id=\"tidings-marked\"").count(), 1, "{}", frame.body);
}

#[tokio::test]
async fn what_cannot_be_picked_is_said() {
    let bench = bench().await;
    let nothing = bench.get("/sources/1/pick?version=2&at=0").await;
    assert!(nothing.body.contains("No selector finds"), "{nothing:?}");
    assert!(
        bench
            .get("/sources/1/pick?version=2&at=4000000000")
            .await
            .body
            .contains("No selector finds")
    );
    assert_eq!(bench.get("/sources/1/pick?version=9").await.status, 404);
    assert_eq!(bench.get("/sources/7/pick").await.status, 404);
    assert!(bench.get("/pick/none").await.body.contains("paste its address again"));
    assert_eq!(bench.stray("/sources/1/pick").await.status, 303);
}
