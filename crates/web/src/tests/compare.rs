//! Versions compared as people read them, and pages as they were.

use super::bench::{Bench, SENTINEL};

async fn bench() -> Bench {
    let bench = Bench::new();
    assert_eq!(bench.post("/api/v1/sentinels", SENTINEL).await.status, 201);
    let filler: Vec<String> = (0..30).map(|number| format!("line {number}")).collect();
    let page = |price: &str| {
        let mut blocks = vec!["Deals", price];
        blocks.extend(filler.iter().map(String::as_str));
        blocks.join("</p><p>")
    };
    bench.page(1, &format!("<p>{}", page("Lisbon 40 EUR")), &[]);
    bench.page(2, &format!("<p>{}", page("Lisbon 35 EUR <img src=https://evil.example/x>")), &[]);
    bench.page(3, "<script>alert(1)</script><p onclick=x>&lt;script&gt;alert(2)", &[]);
    bench.detection(1, b"{\"comparisons\":[]}");
    bench
}

#[tokio::test]
async fn the_whole_text_is_there_with_what_changed_marked_and_the_rest_folded() {
    let bench = bench().await;
    let page = bench.get("/sources/1/compare?from=1&to=2").await;
    assert_eq!(page.status, 200);
    for text in [
        "From v1 to v2",
        "1 place changed",
        "Lisbon <del>40</del> <ins>35</ins> EUR",
        "<details class=\"fold\"><summary>28 blocks unchanged",
        "line 29",
    ] {
        assert!(page.body.contains(text), "{text} is not in {}", page.body);
    }
    let whole = bench.get("/sources/1/compare?from=1&to=2&whole=1").await.body;
    assert!(!whole.contains("<details") && whole.contains("line 29"), "{whole}");
    let side = bench.get("/sources/1/compare?from=1&to=2&view=side").await.body;
    for text in [
        "side-old\" dir=\"auto\">Lisbon <del>40</del> EUR",
        "side-new\" dir=\"auto\">Lisbon <ins>35</ins> EUR",
    ] {
        assert!(side.contains(text), "{text} is not in {side}");
    }
}

#[tokio::test]
async fn versions_are_chosen_by_date_and_those_that_told_something_are_marked() {
    let lisbon = |config: &mut crate::WebConfig| {
        config.zone = chronon::Zone::parse("Asia/Kathmandu").expect("a zone");
    };
    let bench = Bench::with(lisbon);
    assert_eq!(bench.post("/api/v1/sentinels", SENTINEL).await.status, 201);
    for number in 1..=3 {
        bench.page(number, &format!("<p>{number}"), &[]);
    }
    bench.detection(1, b"{\"comparisons\":[]}");
    for path in ["/sources/1/compare", "/sources/1"] {
        let page = bench.get(path).await.body;
        // The detection is of version 2; Nepal is 5:45 ahead.
        for text in [
            "\"2\" data-at=\"2027-01-01T00:02:00.000Z\" selected>2027-01-01 05:47, v2, told<",
            "selected>2027-01-01 05:48, v3<",
            "Times are of Asia/Kathmandu",
            "From v2 to v3",
        ] {
            assert!(page.contains(text), "{path}: {text} is not in {page}");
        }
    }
    let listed = bench.get("/sources/1").await.body;
    assert!(listed.contains("v2</span> <span class=\"badge\">told</span>"), "{listed}");
}

#[tokio::test]
async fn a_page_as_it_was_is_confined() {
    let bench = bench().await;
    let shown = bench.get("/sources/1/versions/3/shown").await;
    assert_eq!(shown.status, 200);
    let policy = shown.header("content-security-policy");
    for rule in [
        "default-src 'none'",
        "sandbox allow-top-navigation-by-user-activation",
        "form-action 'none'",
    ] {
        assert!(policy.contains(rule), "{policy}");
    }
    assert!(!policy.contains("allow-scripts") && !policy.contains("allow-same-origin"), "{policy}");
    assert_eq!(shown.header("x-frame-options"), "SAMEORIGIN");
    assert!(shown.body.contains("<p>&lt;script&gt;alert(2)</p>"), "{}", shown.body);
    for bad in ["<script", "onclick", "evil.example"] {
        assert!(!shown.body.contains(bad), "{bad} in {}", shown.body);
    }
    let page = bench.get("/sources/1/versions/2").await;
    assert!(page.header("content-security-policy").contains("frame-src 'self'"));
    for text in
        ["src=\"/sources/1/versions/2/shown\" sandbox=", "Before: v1", "After: v3", ">told<"]
    {
        assert!(page.body.contains(text), "{text} is not in {}", page.body);
    }
    for path in ["/sources/1/versions/9", "/sources/1/versions/9/shown", "/sources/9/compare"] {
        assert_eq!(bench.get(path).await.status, 404, "{path}");
    }
    let stranger = bench.stray("/sources/1/versions/3/shown").await;
    assert_eq!(stranger.status, 303, "{stranger:?}");
}

#[tokio::test]
async fn a_long_page_is_cut_and_says_so() {
    let bench = Bench::new();
    assert_eq!(bench.post("/api/v1/sentinels", SENTINEL).await.status, 201);
    let long: String = (0..6_000).map(|number| format!("<p>paragraph number {number}")).collect();
    bench.page(1, &long, &[]);
    bench.page(2, &format!("{long}<p>new"), &[]);
    let page = bench.get("/sources/1/compare").await.body;
    assert!(page.contains("and 2,001 more blocks"), "it says what is left out");
    assert!(page.len() < 200_000, "{} bytes", page.len());
    let folded = bench.get("/sources/1/compare?whole=1").await.body;
    assert!(folded.contains("paragraph number 3999") && !folded.contains("number 4000<"));
}
