//! Entity tags: what need not be read again, and writes that are done only where nothing changed.

use super::bench::{Bench, Reply, SENTINEL, local, with_token};
use axum::body::Body;
use axum::http::{HeaderName, Method, header};
use chronon::Span;

const DEALS: &str = "/api/v1/sentinels/deals";

async fn bench() -> Bench {
    let bench = Bench::new();
    assert_eq!(bench.post("/api/v1/sentinels", SENTINEL).await.status, 201);
    bench
}

async fn ask(
    bench: &Bench,
    (method, path): (Method, &str),
    (name, value): (HeaderName, &str),
    text: &str,
) -> Reply {
    let request = with_token(method, path).header(name, value);
    bench.send(request.body(Body::from(text.to_owned())).expect("a request")).await
}

#[tokio::test]
async fn what_has_not_changed_is_not_sent_again() {
    let bench = bench().await;
    bench.pass(Span::MINUTE);
    for path in ["/api/v1/sentinels", DEALS, "/api/v1/sources", "/api/v1/openapi.json"] {
        let tag = bench.get(path).await.header("etag").to_owned();
        assert!(tag.starts_with("W/\""), "{path}: {tag}");
        bench.pass(Span::from_secs(7));
        let again = ask(&bench, (Method::GET, path), (header::IF_NONE_MATCH, &tag), "").await;
        assert_eq!((again.status.as_u16(), again.body.as_str()), (304, ""), "{path}: {again:?}");
        assert_eq!(again.header("etag"), tag);
        let other = ask(&bench, (Method::GET, path), (header::IF_NONE_MATCH, "\"x\""), "").await;
        assert_eq!(other.status, 200);
    }
    let list = bench.get("/api/v1/sentinels").await.header("etag").to_owned();
    bench.post(&format!("{DEALS}/disable"), "").await;
    let path = (Method::GET, "/api/v1/sentinels");
    assert_eq!(ask(&bench, path, (header::IF_NONE_MATCH, &list), "").await.status, 200);
    assert_eq!(bench.get("/api/v1/sentinels/nobody").await.header("etag"), "");
}

#[tokio::test]
async fn a_write_that_names_a_state_is_done_in_that_state_only() {
    let bench = bench().await;
    let tag = async || bench.get(DEALS).await.header("etag").to_owned();
    let first = tag().await;
    let changed = SENTINEL.replace("all links", "links added");
    let put = async |tag: &str| {
        ask(&bench, (Method::PUT, DEALS), (header::IF_MATCH, tag), &changed).await
    };
    put("\"another\"").await.problem(412);
    assert_eq!(tag().await, first);
    assert_eq!(put(&first).await.status, 200);
    let second = tag().await;
    assert_ne!(second, first);
    put(&first).await.problem(412);
    // What stands below a sentinel goes by its tag.
    let disable = format!("{DEALS}/disable");
    let post = (Method::POST, disable.as_str());
    ask(&bench, post.clone(), (header::IF_MATCH, &first), "").await.problem(412);
    let both = format!("{first}, {second}");
    assert_eq!(ask(&bench, post, (header::IF_MATCH, &both), "").await.status, 204);
    let gone = ask(&bench, (Method::DELETE, DEALS), (header::IF_MATCH, &second), "").await;
    gone.problem(412);
    assert_eq!(ask(&bench, (Method::DELETE, DEALS), (header::IF_MATCH, "*"), "").await.status, 204);
    ask(&bench, (Method::DELETE, DEALS), (header::IF_MATCH, "*"), "").await.problem(412);
}

#[tokio::test]
async fn a_write_repeated_under_its_key_is_answered_as_the_first_time() {
    let bench = bench().await;
    let first = bench.get(DEALS).await.header("etag").to_owned();
    let changed = SENTINEL.replace("all links", "links added");
    let put = async || {
        let request = with_token(Method::PUT, DEALS).header(header::IF_MATCH, &first);
        let request = request.header("idempotency-key", "edit-1");
        bench.send(request.body(Body::from(changed.clone())).expect("a request")).await
    };
    assert_eq!(put().await.status, 200);
    let again = put().await;
    assert_eq!((again.status.as_u16(), again.header("idempotency-replayed")), (200, "true"));
}

#[tokio::test]
async fn a_stranger_whose_body_does_not_come_holds_up_nobody() {
    let bench = bench().await;
    for path in ["/api/v1/login", DEALS] {
        let drip = futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>();
        let request = local(Method::POST, path).header(header::IF_NONE_MATCH, "\"x\"");
        let request = request.header(header::CONTENT_LENGTH, 100);
        let slow = bench.send(request.body(Body::from_stream(drip)).expect("a request"));
        let slow = std::pin::pin!(slow);
        let tag = bench.get(DEALS).await.header("etag").to_owned();
        let disable = (Method::POST, "/api/v1/sentinels/deals/enable");
        let quick = std::pin::pin!(ask(&bench, disable, (header::IF_MATCH, &tag), ""));
        match futures_util::future::select(slow, quick).await {
            futures_util::future::Either::Left((refused, quick)) => {
                assert_eq!((refused.status.as_u16(), quick.await.status.as_u16()), (401, 204));
            }
            futures_util::future::Either::Right((quick, _)) => assert_eq!(quick.status, 204),
        }
    }
}

#[tokio::test]
async fn a_head_is_answered_as_its_get() {
    let bench = bench().await;
    let tag = bench.get(DEALS).await.header("etag").to_owned();
    let head = (Method::HEAD, DEALS);
    let known = ask(&bench, head.clone(), (header::IF_NONE_MATCH, &tag), "").await;
    assert_eq!((known.status.as_u16(), known.header("etag")), (304, tag.as_str()));
    let other = ask(&bench, head, (header::IF_NONE_MATCH, "\"x\""), "").await;
    assert_eq!((other.status.as_u16(), other.header("etag")), (200, tag.as_str()));
}

#[tokio::test]
async fn what_must_be_new_replaces_nothing() {
    let bench = bench().await;
    let put = (Method::PUT, DEALS);
    ask(&bench, put, (header::IF_NONE_MATCH, "*"), SENTINEL).await.problem(412);
    let fares = SENTINEL.replace("deals ", "fares ");
    let put = (Method::PUT, "/api/v1/sentinels/fares");
    let made = ask(&bench, put, (header::IF_NONE_MATCH, "*"), &fares).await;
    assert!(made.status.is_success(), "{made:?}");
}

#[tokio::test]
async fn every_list_comes_in_pages() {
    let bench = bench().await;
    for name in ["a", "b", "c"] {
        let wish = format!("{{\"scope\": \"read\", \"name\": \"{name}\"}}");
        assert_eq!(bench.post("/api/v1/tokens", &wish).await.status, 201);
    }
    let page = bench.get("/api/v1/tokens?limit=2").await.json();
    assert_eq!((&page["items"][1]["name"], &page["next"]), (&"b".into(), &"2".into()));
    let page = bench.get("/api/v1/tokens?limit=2&cursor=2").await.json();
    assert_eq!((&page["items"][0]["name"], &page["next"]), (&"c".into(), &().into()));
    for list in ["tokens", "sessions", "feeds", "channels"] {
        bench.get(&format!("/api/v1/{list}?limit=0")).await.problem(400);
        bench.get(&format!("/api/v1/{list}?cursor=x")).await.problem(400);
    }
    bench.get("/api/v1/named-channels?limit=0").await.problem(400);
}

#[tokio::test]
async fn a_tag_stays_while_only_time_passes() {
    let bench = Bench::new();
    bench.post("/api/v1/sentinels", SENTINEL).await;
    for path in ["/api/v1/sources/1", "/api/v1/sources", "/api/v1/plan"] {
        let before = bench.get(path).await;
        bench.pass(chronon::Span::MINUTE.times(10));
        let after = bench.get(path).await;
        assert_eq!(before.header("etag"), after.header("etag"), "{} {}", before.body, after.body);
    }
}
