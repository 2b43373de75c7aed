//! What the first page says of an upgrade, until somebody dismisses it.

use super::bench::{Bench, SENTINEL, local};
use axum::body::Body;
use axum::http::{Method, header};
use store::Upgrade;

const TITLE: &str = "Since the upgrade";

async fn says(bench: &Bench) -> bool {
    bench.get("/").await.body.contains(TITLE)
}

/// A server on a store that the first release wrote, with two sentinels of `any change`.
fn upgraded(told: Upgrade) -> Bench {
    let bench = Bench::new();
    bench.access().put_upgrade(Some(told)).expect("a store without faults");
    bench.restarted()
}

#[tokio::test]
async fn an_upgrade_is_told_on_the_first_page_until_it_is_dismissed() {
    let bench = upgraded(Upgrade::Told { sentinels: 2 });
    let page = bench.get("/").await.body;
    assert!(page.contains("2 sentinels of the first release ask for it"), "{page}");
    assert!(page.contains("<code>monitor everything</code>"), "{page}");
    let bench = bench.restarted();
    assert!(says(&bench).await, "a restart dismisses nothing");
    assert!(!bench.get("/watches").await.body.contains(TITLE));
    assert_eq!(bench.post("/", "do=dance").await.status, 400);
    assert!(says(&bench).await);
    let dismissed = bench.post("/", "do=dismiss").await;
    assert_eq!((dismissed.status.as_u16(), dismissed.header("location")), (303, "/"));
    assert!(!says(&bench).await);
    assert!(!says(&bench.restarted()).await, "it never comes again");
}

#[tokio::test]
async fn who_may_only_read_dismisses_nothing() {
    let bench = upgraded(Upgrade::Told { sentinels: 1 });
    let made = bench.post("/api/v1/tokens", r#"{"scope": "read", "name": "wall"}"#).await.json();
    let token = made["token"].as_str().expect("a token");
    for (token, status) in [(token, 403), ("nobody", 401)] {
        let request = local(Method::POST, "/")
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .body(Body::from("do=dismiss"));
        assert_eq!(bench.send(request.expect("a request")).await.status, status);
    }
    assert!(bench.get("/").await.body.contains("1 sentinel of the first release asks"));
}

#[tokio::test]
async fn a_fresh_store_and_one_that_was_not_served_yet_say_nothing() {
    let bench = Bench::new();
    assert_eq!(bench.post("/api/v1/sentinels", SENTINEL).await.status, 201);
    assert!(!says(&bench).await && !says(&bench.restarted()).await);
    assert!(!says(&upgraded(Upgrade::Untold)).await, "the server counts first");
}
