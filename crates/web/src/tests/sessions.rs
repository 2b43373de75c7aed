//! Logging in and out; what becomes of sessions and links.

use super::bench::{Bench, LISTEN, TOKEN, from, local};
use super::door::status_of;
use axum::body::Body;
use axum::http::request::Builder;
use axum::http::{self, Method, header};
use chronon::Span;

pub(super) fn log_in(fields: &str) -> http::Request<Body> {
    let request = from("198.51.100.9:40000", Method::POST, "/login");
    let request = request.header("origin", "http://localhost:7878").header("user-agent", "Lynx");
    request.body(Body::from(fields.replace(' ', "+"))).expect("a request")
}

/// A Cookie header of somebody who logged in with the token.
pub(super) async fn session(bench: &Bench) -> String {
    cookie(bench.send(log_in(&format!("token={TOKEN}"))).await.header("set-cookie"))
}

pub(super) fn cookie(set: &str) -> String {
    assert!(set.contains("; HttpOnly; SameSite=Lax"), "{set}");
    set.split(';').next().expect("a pair").to_owned()
}

pub(super) fn with(cookie: &str, method: Method, path: &str) -> Builder {
    local(method, path).header(header::COOKIE, cookie)
}

#[tokio::test]
async fn a_session_ends_after_thirty_days_without_use_and_ninety_in_all() {
    let bench = Bench::new();
    let (used, unused) = (session(&bench).await, session(&bench).await);
    let read = |cookie: &str| with(cookie, Method::GET, "/api/v1/sources");
    for _ in 0..4 {
        bench.pass(Span::DAY.times(22));
        assert_eq!(status_of(&bench, read(&used)).await, 200);
    }
    assert_eq!(status_of(&bench, read(&unused)).await, 401);
    bench.pass(Span::DAY.times(2));
    assert_eq!(status_of(&bench, read(&used)).await, 401);
    let idle = session(&bench).await;
    bench.pass(Span::DAY.times(30) - Span::SECOND);
    assert_eq!(status_of(&bench, read(&idle)).await, 200);
    bench.pass(Span::DAY.times(30));
    assert_eq!(status_of(&bench, read(&idle)).await, 401);
}

#[tokio::test]
async fn a_session_outlives_the_server_and_its_secret_is_not_in_the_store() {
    let bench = Bench::new();
    let cookie = session(&bench).await;
    let rows = format!("{:?}", bench.access().sessions().expect("no faults"));
    let secret = cookie.split_once('=').expect("a pair").1;
    assert!(!rows.contains(secret) && rows.contains("Lynx") && rows.contains("198.51.100.9"));
    let next = bench.restarted();
    assert_eq!(status_of(&next, with(&cookie, Method::GET, "/")).await, 200);
}

#[tokio::test]
async fn logging_in_ends_the_session_there_was() {
    let bench = Bench::new();
    let first = session(&bench).await;
    let mut request = log_in(&format!("token={TOKEN}"));
    request.headers_mut().insert(header::COOKIE, first.parse().expect("a header"));
    let second = cookie(bench.send(request).await.header("set-cookie"));
    assert_eq!(status_of(&bench, with(&first, Method::GET, "/")).await, 303);
    assert_eq!(status_of(&bench, with(&second, Method::GET, "/")).await, 200);
}

#[tokio::test]
async fn logging_out_ends_the_session_on_the_server() {
    let bench = Bench::new();
    let (mine, other) = (session(&bench).await, session(&bench).await);
    let out = |site| {
        let request = with(&mine, Method::POST, "/logout").header("sec-fetch-site", site);
        request.body(Body::empty()).expect("a request")
    };
    assert_eq!(bench.send(out("cross-site")).await.status, 403);
    let reply = bench.send(out("same-origin")).await;
    assert_eq!((reply.status.as_u16(), reply.header("location")), (303, "/login"));
    let forgotten = reply.headers.get_all("set-cookie").iter().count();
    assert_eq!(forgotten, 2, "{reply:?}");
    assert_eq!(status_of(&bench, with(&mine, Method::GET, "/api/v1/sources")).await, 401);
    assert_eq!(status_of(&bench.restarted(), with(&mine, Method::GET, "/metrics")).await, 401);
    assert_eq!(status_of(&bench, with(&other, Method::GET, "/api/v1/sources")).await, 200);
    // A second time is no mistake.
    assert_eq!(bench.send(out("same-origin")).await.status, 303);
}

#[tokio::test]
async fn a_wrong_token_gives_no_session() {
    let bench = Bench::new();
    for fields in ["token=guess", "token=", "", "link=guess", "link="] {
        let wrong = bench.send(log_in(fields)).await;
        assert_eq!((wrong.status.as_u16(), wrong.header("set-cookie")), (401, ""), "{fields}");
        assert!(wrong.body.contains("role=\"alert\""), "{}", wrong.body);
    }
    let foreign = local(Method::POST, "/login").header("origin", "https://evil.example");
    assert_eq!(status_of(&bench, foreign).await, 403);
}

#[tokio::test]
async fn a_link_logs_in_once_and_only_by_its_button() {
    let bench = Bench::new();
    let made = bench.post("/api/v1/links", "").await;
    let url = made.json()["url"].as_str().expect("an address").to_owned();
    assert_eq!((made.status.as_u16(), made.json()["ends_at"].as_str().is_some()), (201, true));
    let key = url.strip_prefix(&format!("http://{LISTEN}/login?link=")).expect("a link");
    for _ in 0..3 {
        let page = bench.stray(&format!("/login?link={key}")).await;
        assert_eq!((page.status.as_u16(), page.header("set-cookie")), (200, ""));
        assert!(page.body.contains("Open the dashboard"), "{}", page.body);
    }
    let entered = bench.send(log_in(&format!("link={key}"))).await;
    assert_eq!((entered.status.as_u16(), entered.header("location")), (303, "/"));
    let cookie = cookie(entered.header("set-cookie"));
    assert_eq!(status_of(&bench, with(&cookie, Method::GET, "/")).await, 200);
    assert_eq!(bench.send(log_in(&format!("link={key}"))).await.status, 401);
    let used = bench.stray(&format!("/login?link={key}")).await;
    assert!(used.body.contains("used up") && !used.body.contains("Open the"), "{}", used.body);
}

#[tokio::test]
async fn a_link_is_good_for_ten_minutes() {
    let bench = Bench::new();
    let link = async || bench.post("/api/v1/links", "").await.json()["url"].clone();
    let key = |url: serde_json::Value| url.as_str().expect("text").replace("http", "x");
    let fields = |url: String| format!("link={}", url.split_once('=').expect("a key").1);
    let (early, late) = (fields(key(link().await)), fields(key(link().await)));
    bench.pass(Span::from_secs(599));
    assert_eq!(bench.send(log_in(&early)).await.status, 303);
    bench.pass(Span::SECOND);
    assert_eq!(bench.send(log_in(&late)).await.status, 401);
}

#[tokio::test]
async fn the_owner_sees_sessions_and_ends_one() {
    let bench = Bench::new();
    let (gone, stays) = (session(&bench).await, session(&bench).await);
    let listed = bench.get("/api/v1/sessions").await.json();
    let first = &listed["items"][0];
    assert_eq!((&first["agent"], &first["address"]), (&"Lynx".into(), &"198.51.100.9".into()));
    assert_eq!(first["ends_at"], "2027-01-31T00:00:00.000Z");
    let path = format!("/api/v1/sessions/{}", first["id"]);
    assert_eq!(bench.write(Method::DELETE, &path, "").await.status, 204);
    assert_eq!(bench.write(Method::DELETE, &path, "").await.status, 404);
    assert_eq!(status_of(&bench, with(&gone, Method::GET, "/metrics")).await, 401);
    assert_eq!(status_of(&bench, with(&stays, Method::GET, "/metrics")).await, 200);
}

#[tokio::test]
async fn what_is_sent_after_a_session_ended_is_kept_to_be_sent_again() {
    let bench = Bench::new();
    let sent = "as=text&text=two%0D%0A%22%3Elines&do=save";
    let post = |origin: &str, accept: &str, path: &str| {
        let request = local(Method::POST, path).header(header::ORIGIN, origin);
        request.header(header::ACCEPT, accept).body(Body::from(sent)).expect("a request")
    };
    let ours = "http://localhost:7878";
    let page = bench.send(post(ours, "text/html,*/*", "/sentinels/a%20b/edit?view=text")).await;
    assert_eq!(page.status, 401);
    for text in [
        "action=\"/sentinels/a%20b/edit?view=text\"",
        "name=\"text\" value=\"two\r\n&#34;&#62;lines\"",
        "name=\"do\" value=\"save\"",
        "href=\"/login\"",
    ] {
        assert!(page.body.contains(text), "{text} is not in {}", page.body);
    }
    // Other sites get nothing kept, programs a problem, and nobody comes here from elsewhere.
    let foreign = bench.send(post("https://evil.example", "text/html", "/inbox")).await;
    assert_eq!(foreign.status, 403);
    assert!(!foreign.body.contains("lines"), "{}", foreign.body);
    assert!(foreign.body.contains("<h1"), "a person reads it: {}", foreign.body);
    bench.send(post(ours, "application/json", "/inbox")).await.problem(401);
    bench.send(post(ours, "text/html", "/api/v1/sentinels")).await.problem(401);
    let cookie = session(&bench).await;
    let straight = with(&cookie, Method::POST, "/again").header(header::ORIGIN, ours);
    let straight = straight.body(Body::from(sent)).expect("a request");
    assert_eq!(bench.send(straight).await.status, 404);
    // The page sends what was sent.
    let again = with(&cookie, Method::POST, "/inbox").header(header::ORIGIN, ours);
    let again = again.header(header::ACCEPT, "text/html").body(Body::from("do=all"));
    assert_eq!(bench.send(again.expect("a request")).await.status, 303);
}
