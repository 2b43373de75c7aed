//! Redirects: told, guarded, and not followed.

use crate::fixture::*;
use fetch::{Answer, Outcome, Request};

fn to(status: &str, location: &str) -> Vec<Step> {
    vec![Step::Send(answer(status, &[&format!("Location: {location}")], "moved"))]
}

fn path(head: &str) -> &str {
    head.split(' ').nth(1).unwrap()
}

fn moved(answer: Answer) -> String {
    match answer.outcome {
        Outcome::Moved { to } => to,
        other => panic!("no redirect: {other:?}"),
    }
}

#[tokio::test]
async fn every_kind_of_redirect_is_told_and_none_is_followed() {
    for status in ["301 x", "302 x", "303 x", "307 x", "308 x"] {
        let server = Server::start(move |_, _| to(status, "b/c?d=1#part")).await;
        let answer = fetcher().fetch(&request(&server.url("/a"))).await;
        assert!(answer.wire_bytes > 0);
        assert_eq!(moved(answer), server.url("/b/c?d=1"));
        assert_eq!(server.heads().len(), 1, "one request");
    }
}

#[tokio::test]
async fn a_redirect_says_no_user_and_no_password() {
    let server = Server::start(|_, head| match path(head) {
        "/a" => to("302 x", "/b"),
        _ => to("302 x", "http://eve:word@far.example/c"),
    })
    .await;
    let own = server.url("/a").replace("http://", "http://ana:hunter2@");
    assert_eq!(moved(fetcher().fetch(&request(&own)).await), server.url("/b"));
    let far = fetcher().fetch(&request(&server.url("/c"))).await;
    assert_eq!(moved(far), "http://far.example/c");
}

#[tokio::test]
async fn a_redirect_to_nowhere_is_a_failure_with_its_status() {
    let nowhere = failure(fetched(answer("302 x", &[], "x")).await);
    assert_eq!(nowhere.status, Some(302));
    assert_eq!(nowhere.reason, "the server answered 302 Found, but not where to go");
    let unreadable = failure(fetched(answer("302 x", &["Location: http://[::1"], "x")).await);
    assert_eq!(unreadable.reason, "the server redirected to an address that cannot be read");
    let grows = "Location: /".to_owned() + &"a".repeat(9_000);
    assert!(failure(fetched(answer("302 x", &[&grows], "x")).await).reason.contains("longer than"));
}

#[tokio::test]
async fn validators_are_sent_to_the_url_they_belong_to_and_to_no_other() {
    let server = Server::saying(answer("200 OK", &[], "x")).await;
    let (a, b) = (server.url("/a"), server.url("/b"));
    let fetcher = fetcher();
    content(fetcher.fetch(&conditional(&a, &b)).await);
    content(fetcher.fetch(&conditional(&b, &b)).await);
    let conditional: Vec<bool> =
        server.heads().iter().map(|head| head.contains("if-none-match")).collect();
    assert_eq!(conditional, [false, true]);
}

#[tokio::test]
async fn a_redirect_to_another_scheme_is_not_followed() {
    for location in ["file:///etc/passwd", "ftp://air.example/", "data:text/html,x"] {
        let line = format!("Location: {location}");
        let reason = failure(fetched(answer("302 x", &[&line], "")).await).reason;
        assert!(reason.starts_with("only http and https addresses can be watched"), "{reason}");
    }
}

#[tokio::test]
async fn credentials_of_a_source_are_lent_to_its_own_origin_and_to_no_other() {
    let own = Server::saying(answer("200 OK", &[], "x")).await;
    let other = Server::saying(answer("200 OK", &[], "x")).await;
    let source = own.url("/a").replace("http://", "http://ana:hunter2@");
    let lent = |url: String| Request { source: source.as_str().into(), ..request(&url) };
    let kept = content(fetcher().fetch(&lent(own.url("/b"))).await);
    assert_eq!(kept.final_url, own.url("/b"));
    content(fetcher().fetch(&lent(other.url("/b"))).await);
    assert!(own.heads()[0].contains("\r\nauthorization: basic "));
    assert!(!other.heads()[0].contains("authorization"), "{}", other.heads()[0]);
}
