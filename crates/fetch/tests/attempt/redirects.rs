//! Redirects: followed, counted, guarded, ended.

use crate::fixture::*;
use fetch::Outcome;

fn to(status: &str, location: &str) -> Vec<Step> {
    vec![Step::Send(answer(status, &[&format!("Location: {location}")], "moved"))]
}

fn path(head: &str) -> &str {
    head.split(' ').nth(1).unwrap()
}

#[tokio::test]
async fn every_kind_of_redirect_is_followed_and_the_final_answer_counts() {
    for status in ["301 x", "302 x", "303 x", "307 x", "308 x"] {
        let server = Server::start(move |_, head| match path(head) {
            "/a" => to(status, "b/c?d=1#part"),
            _ => vec![Step::Send(answer("200 OK", &["ETag: \"e\""], "there"))],
        })
        .await;
        let fetched = fetcher().fetch(&request(&server.url("/a"))).await;
        let host = server.base.strip_prefix("http://").unwrap().to_owned();
        assert_eq!(fetched.extra_requests, [(host, 1)]);
        let content = content(fetched);
        assert_eq!(&content.body[..], b"there");
        assert_eq!(content.final_url, server.url("/b/c?d=1"));
        assert_eq!(content.etag.as_deref(), Some("\"e\""));
    }
}

#[tokio::test]
async fn hops_to_other_hosts_are_counted_with_them() {
    let last = Server::saying(answer("200 OK", &[], "x")).await;
    let target = last.url("/");
    let first = Server::start(move |_, head| match path(head) {
        "/1" => to("302 x", "/2"),
        "/2" => to("302 x", "/3"),
        _ => to("302 x", &target),
    })
    .await;
    let answer = fetcher().fetch(&request(&first.url("/1"))).await;
    let host = |server: &Server| fetch::host_of(&server.base).unwrap();
    assert_eq!(answer.extra_requests, [(host(&first), 2), (host(&last), 1)]);
    assert_eq!(content(answer).final_url, last.url("/"));
}

#[tokio::test]
async fn a_pause_is_asked_for_by_the_host_that_answers_not_by_the_one_that_led_there() {
    let busy = Server::saying(answer("503 x", &["Retry-After: 5"], "")).await;
    let target = busy.url("/");
    let first = Server::start(move |_, _| to("302 x", &target)).await;
    let failure = failure(fetcher().fetch(&request(&first.url("/"))).await);
    assert!(failure.holds_host);
    assert_eq!(failure.held_host, fetch::host_of(&busy.base));
}

#[tokio::test]
async fn redirects_that_lead_back_end_in_a_failure() {
    let server = Server::start(|_, head| match path(head) {
        "/a" => to("302 x", "/b"),
        _ => to("302 x", "/a#again"),
    })
    .await;
    let answer = fetcher().fetch(&request(&server.url("/a"))).await;
    assert_eq!(failure(answer).reason, "the redirects lead back to where they started");
    assert_eq!(server.heads().len(), 2);
}

#[tokio::test]
async fn redirects_without_end_are_followed_ten_times() {
    let server = Server::start(|number, _| to("302 x", &format!("/{number}"))).await;
    let answer = fetcher().fetch(&request(&server.url("/start"))).await;
    assert_eq!(answer.extra_requests[0].1, 10);
    assert_eq!(failure(answer).reason, "the server redirected more than 10 times");
    assert_eq!(server.heads().len(), 11);
}

#[tokio::test]
async fn exactly_ten_redirects_are_fine() {
    let server = Server::start(|number, _| match number {
        10 => vec![Step::Send(answer("200 OK", &[], "x"))],
        _ => to("302 x", &format!("/{number}")),
    })
    .await;
    content(fetcher().fetch(&request(&server.url("/start"))).await);
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
    let server = Server::start(|_, head| match path(head) {
        "/a" => to("302 x", "/b"),
        _ if head.to_ascii_lowercase().contains("if-none-match") => {
            vec![Step::Send(b"HTTP/1.1 304 Not Modified\r\n\r\n".to_vec())]
        }
        _ => vec![Step::Send(answer("200 OK", &[], "x"))],
    })
    .await;
    let (a, b) = (server.url("/a"), server.url("/b"));
    let fetcher = fetcher();
    assert_eq!(fetcher.fetch(&conditional(&a, &b)).await.outcome, Outcome::NotModified);
    content(fetcher.fetch(&conditional(&a, &a)).await);
    let conditional: Vec<bool> =
        server.heads().iter().map(|head| head.contains("if-none-match")).collect();
    assert_eq!(conditional, [false, true, true, false]);
}

#[tokio::test]
async fn a_redirect_to_another_scheme_is_not_followed() {
    for location in ["file:///etc/passwd", "ftp://air.example/", "data:text/html,x"] {
        let line = format!("Location: {location}");
        let reason = failure(fetched(answer("302 x", &[&line], "")).await).reason;
        assert!(reason.starts_with("only http and https addresses are asked"), "{reason}");
    }
}

#[tokio::test]
async fn credentials_of_a_url_stay_with_its_host_and_out_of_the_final_url() {
    let last = Server::saying(answer("200 OK", &[], "x")).await;
    let target = last.url("/");
    let first = Server::start(move |_, head| match path(head) {
        "/a" => to("302 x", "/b"),
        "/b" => to("302 x", &target),
        _ => vec![Step::Send(answer("200 OK", &[], "x"))],
    })
    .await;
    let url = |path| first.url(path).replace("http://", "http://ana:hunter2@");
    content(fetcher().fetch(&request(&url("/a"))).await);
    assert!(first.heads()[0].contains("\r\nauthorization: basic "));
    assert!(!last.heads()[0].contains("authorization"), "{}", last.heads()[0]);
    let kept = content(fetcher().fetch(&request(&url("/c"))).await);
    assert_eq!(kept.final_url, first.url("/c"));
}

/// What a request said of who it is from.
fn authorization(head: &str) -> Option<String> {
    let line = head.lines().find(|line| line.to_lowercase().starts_with("authorization:"));
    line.map(|line| line["authorization:".len()..].trim().to_owned())
}

#[tokio::test]
async fn a_password_is_sent_to_its_source_and_never_where_a_redirect_leads() {
    let (heard, mut heads) = tokio::sync::mpsc::unbounded_channel();
    let note = move |name: &'static str| {
        let heard = heard.clone();
        move |head: &str| heard.send((name, authorization(head))).expect("the test listens")
    };
    let (stranger, source) = (note("stranger"), note("source"));
    let elsewhere = Server::start(move |_, head| {
        stranger(head);
        vec![Step::Send(answer("200 OK", &[], "x"))]
    })
    .await;
    let target = elsewhere.url("/").replace("http://", "http://eve:guess@");
    let first = Server::start(move |_, head| {
        source(head);
        match path(head) {
            "/1" => to("302 x", "/2"),
            _ => to("302 x", &target),
        }
    })
    .await;
    let url = first.url("/1").replace("http://", "http://ana:p%40ss@");
    let content = content(fetcher().fetch(&request(&url)).await);
    assert_eq!(content.final_url, elsewhere.url("/"));
    // ana:p@ss
    let own = Some("Basic YW5hOnBAc3M=".to_owned());
    let said = [heads.recv().await, heads.recv().await, heads.recv().await];
    let told = [("source", own.clone()), ("source", own), ("stranger", None)];
    assert_eq!(said, told.map(Some));
}
