//! A list that is kept up to date by what changed says what one says that is read anew.

use super::bench::Bench;
use axum::http::Method;
use chronon::Span;

const LISTS: [&str; 8] = [
    "/watches",
    "/watches?sort=name",
    "/watches?sort=told",
    "/watches?state=snoozed",
    "/watches?state=disabled",
    "/watches?state=removed",
    "/watches?q=EE",
    "/watches?tag=K%C3%84SE",
];

/// The counts of a page of the list, and the names on it in their order.
fn rows(page: &str) -> Vec<&str> {
    let marks = ["<span class=\"count\">", "href=\"/sentinels/"];
    let after = |mark| page.match_indices(mark).map(|(at, mark): (usize, &str)| at + mark.len());
    let starts = marks.into_iter().flat_map(after);
    starts.filter_map(|at| page[at..].split(['<', '"']).next()).collect()
}

async fn same_as_anew(bench: &Bench, after: &str) {
    let anew = bench.restarted();
    for list in LISTS {
        let (kept, read) = (bench.get(list).await.body, anew.get(list).await.body);
        assert_eq!(rows(&kept), rows(&read), "{list} after {after}");
    }
}

#[tokio::test]
async fn a_list_that_is_kept_says_what_one_says_that_is_read_anew() {
    let bench = Bench::new();
    same_as_anew(&bench, "nothing").await;
    for name in ["news", "kettle", "cheese", "zoo", "deals"] {
        let text =
            format!("create sentinel {name} using https://{name}.example/ tag `at home`, Käse");
        let made = bench.post("/api/v1/sentinels", &text).await;
        assert_eq!(made.status, 201, "{made:?}");
        same_as_anew(&bench, name).await;
    }
    let writes = [
        (Method::POST, "/watches", "do=snooze&for=1d&name=news"),
        (Method::POST, "/watches", "do=disable&name=kettle"),
        (Method::POST, "/watches", "do=remove&name=zoo"),
        (Method::POST, "/api/v1/sentinels/deals/rename?to=Angebote", ""),
        (Method::POST, "/watches", "do=restore&name=zoo"),
        (Method::POST, "/watches", "do=remove&name=Angebote"),
        (Method::PUT, "/api/v1/sentinels/news", "create sentinel news using https://b.example/"),
        (Method::DELETE, "/api/v1/sentinels/kettle", ""),
    ];
    for (method, path, text) in writes {
        let reply = bench.write(method, path, text).await;
        assert!(reply.status.as_u16() < 400, "{path} {text}: {reply:?}");
        same_as_anew(&bench, &format!("{path} {text}")).await;
    }
    // What somebody removed is gone after ten minutes, and a snooze ends by itself.
    bench.pass(Span::DAY.times(2));
    let text = "create sentinel last using https://last.example/";
    assert_eq!(bench.post("/api/v1/sentinels", text).await.status, 201);
    same_as_anew(&bench, "two days").await;
    assert!(!bench.get("/watches").await.body.contains("Angebote"));
}
