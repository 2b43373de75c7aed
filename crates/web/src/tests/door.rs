//! Who may do what.

use super::bench::{Bench, LISTEN, SENTINEL, TOKEN, from, local, with_token};
use crate::Door;
use axum::body::Body;
use axum::http::{Method, header};
use chronon::Span;

async fn status_of(bench: &Bench, request: axum::http::request::Builder) -> u16 {
    bench.send(request.body(Body::from(SENTINEL)).expect("a request")).await.status.as_u16()
}

fn read_as(host: &str) -> axum::http::request::Builder {
    let mut request = local(Method::GET, "/api/v1/sources");
    request.headers_mut().expect("headers").insert(header::HOST, host.parse().expect("a host"));
    request
}

#[tokio::test]
async fn only_hosts_we_are_known_by_are_answered() {
    let bench = Bench::new();
    for ours in [
        "localhost",
        "localhost:7878",
        "LOCALHOST.:1",
        "127.0.0.1:7878",
        "127.8.8.8",
        "[::1]:7878",
        LISTEN,
        "tidings.example",
        "Tidings.Example:443",
    ] {
        assert_eq!(status_of(&bench, read_as(ours)).await, 200, "{ours}");
    }
    for foreign in [
        "evil.example",
        "localhost.evil.example",
        "evil.localhost",
        "192.0.2.8:7878",
        "tidings.example.evil.example",
        "",
        "[::2]",
        "127.0.0.1.evil.example",
    ] {
        assert_eq!(status_of(&bench, read_as(foreign)).await, 421, "{foreign}");
    }
}

#[tokio::test]
async fn a_request_with_two_hosts_or_none_is_refused() {
    let bench = Bench::new();
    let two = local(Method::GET, "/healthz").header(header::HOST, "evil.example");
    assert_eq!(status_of(&bench, two).await, 400);
    let none = axum::http::Request::builder().uri("/healthz");
    assert_eq!(status_of(&bench, none).await, 400);
    let absolute = local(Method::GET, "http://evil.example/healthz");
    assert_eq!(status_of(&bench, absolute).await, 421);
}

#[tokio::test]
async fn a_server_on_every_address_answers_every_literal_address_but_no_foreign_name() {
    let bench = Bench::with(|config| config.listen = "0.0.0.0:7878".parse().expect("an address"));
    assert_eq!(status_of(&bench, read_as("198.51.100.4:7878")).await, 200);
    assert_eq!(status_of(&bench, read_as("rebound.example:7878")).await, 421);
}

#[tokio::test]
async fn a_write_needs_the_token() {
    let bench = Bench::new();
    let post = || local(Method::POST, "/api/v1/sentinels");
    let reply = bench.send(post().body(Body::from(SENTINEL)).expect("a request")).await;
    assert!(reply.problem(401).contains("token"), "{reply:?}");
    assert_eq!(reply.header("www-authenticate"), "Bearer");
    for wrong in ["Bearer", "Bearer ", "Bearer wrong", "Basic correct", "bearer  correct"] {
        let request = post().header(header::AUTHORIZATION, wrong);
        assert_eq!(status_of(&bench, request).await, 401, "{wrong}");
    }
    let right = post().header(header::AUTHORIZATION, format!("bearer {TOKEN}"));
    assert_eq!(status_of(&bench, right).await, 201);
}

#[tokio::test]
async fn a_write_from_a_page_of_another_site_is_refused_even_with_the_token() {
    let bench = Bench::new();
    for (name, value) in [
        ("origin", "https://evil.example"),
        ("origin", "http://localhost:3000"),
        ("origin", "null"),
        ("origin", "http://localhost:7878.evil.example"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("sec-fetch-site", "Same-Origin"),
    ] {
        for path in ["/api/v1/sentinels", "/api/v1/check", "/login"] {
            let request = with_token(Method::POST, path).header(name, value);
            assert_eq!(status_of(&bench, request).await, 403, "{name} {value} {path}");
        }
    }
    let ours =
        with_token(Method::POST, "/api/v1/sentinels").header("origin", "http://localhost:7878");
    assert_eq!(status_of(&bench, ours).await, 201);
}

async fn session(bench: &Bench) -> String {
    let reply = bench.get("/").await;
    let cookie = reply.header("set-cookie").to_owned();
    assert!(cookie.contains("; HttpOnly; SameSite=Strict"), "{cookie}");
    cookie.split(';').next().expect("a pair").to_owned()
}

#[tokio::test]
async fn a_page_of_this_machine_gets_a_session_that_writes_only_from_the_same_origin() {
    let bench = Bench::new();
    let cookie = session(&bench).await;
    let post = || local(Method::POST, "/api/v1/sentinels").header(header::COOKIE, &cookie);
    assert_eq!(status_of(&bench, post()).await, 401);
    assert_eq!(status_of(&bench, post().header("sec-fetch-site", "none")).await, 401);
    assert_eq!(status_of(&bench, post().header("sec-fetch-site", "cross-site")).await, 403);
    assert_eq!(status_of(&bench, post().header("sec-fetch-site", "same-origin")).await, 201);
    bench.pass(Span::DAY.times(31));
    assert_eq!(status_of(&bench, post().header("sec-fetch-site", "same-origin")).await, 401);
}

#[tokio::test]
async fn a_session_that_is_half_over_is_made_anew() {
    let bench = Bench::new();
    let cookie = session(&bench).await;
    let open = || local(Method::GET, "/").header(header::COOKIE, &cookie);
    let fresh = bench.send(open().body(Body::empty()).expect("a request")).await;
    assert_eq!(fresh.header("set-cookie"), "");
    bench.pass(Span::DAY.times(16));
    let stale = bench.send(open().body(Body::empty()).expect("a request")).await;
    assert!(stale.header("set-cookie").starts_with("tidings_"));
}

#[tokio::test]
async fn another_machine_reads_nothing_without_the_token() {
    let bench = Bench::new();
    let peer = |path: &str| from("198.51.100.9:40000", Method::GET, path);
    for path in ["/api/v1/sources", "/api/v1/events", "/metrics", "/fragments/rows", "/version"] {
        assert_eq!(status_of(&bench, peer(path)).await, 401, "{path}");
    }
    for path in ["/", "/sources/1", "/nowhere"] {
        let reply = bench.send(peer(path).body(Body::empty()).expect("a request")).await;
        assert_eq!((reply.status.as_u16(), reply.header("location")), (303, "/login"), "{path}");
    }
    for path in ["/healthz", "/readyz", "/login", "/assets/style.css", "/api/v1/healthz"] {
        assert_eq!(status_of(&bench, peer(path)).await, 200, "{path}");
    }
    let authorized = peer("/api/v1/sources").header("authorization", format!("Bearer {TOKEN}"));
    assert_eq!(status_of(&bench, authorized).await, 200);
}

#[tokio::test]
async fn a_proxy_on_this_machine_does_not_lend_its_address() {
    let bench = Bench::new();
    for name in ["x-forwarded-for", "forwarded", "via"] {
        let request = local(Method::GET, "/api/v1/sources").header(name, "198.51.100.9");
        assert_eq!(status_of(&bench, request).await, 401, "{name}");
    }
    let unknown = axum::http::Request::builder().uri("/api/v1/sources").header("host", "localhost");
    assert_eq!(status_of(&bench, unknown).await, 401);
}

#[tokio::test]
async fn a_closed_door_asks_this_machine_too() {
    let bench = Bench::with(|config| config.door = Door::Closed);
    assert_eq!(bench.get("/").await.status, 303);
    assert_eq!(bench.get("/api/v1/sources").await.status, 401);
}

#[tokio::test]
async fn logging_in_with_the_token_gives_a_session() {
    let bench = Bench::new();
    let log_in = |token: &str| {
        let body = Body::from(format!("token={}", token.replace(' ', "+")));
        let request = from("198.51.100.9:40000", Method::POST, "/login");
        request.header("origin", "http://localhost:7878").body(body).expect("a request")
    };
    let wrong = bench.send(log_in("guess")).await;
    assert_eq!((wrong.status.as_u16(), wrong.header("set-cookie")), (401, ""));
    let right = bench.send(log_in(TOKEN)).await;
    assert_eq!((right.status.as_u16(), right.header("location")), (303, "/"));
    let cookie = right.header("set-cookie").split(';').next().expect("a pair").to_owned();
    let read = from("198.51.100.9:40000", Method::GET, "/").header(header::COOKIE, cookie);
    assert_eq!(status_of(&bench, read).await, 200);
}

#[tokio::test]
async fn every_answer_forbids_framing_sniffing_and_scripts_of_others() {
    let bench = Bench::new();
    for path in ["/", "/api/v1/sources", "/nowhere", "/assets/app.js"] {
        let reply = bench.get(path).await;
        let csp = reply.header("content-security-policy").to_owned();
        assert!(csp.starts_with("default-src 'none'; script-src 'self';"), "{csp}");
        assert!(csp.contains("frame-ancestors 'none'") && !csp.contains("unsafe"), "{csp}");
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
        assert_eq!(reply.header("referrer-policy"), "no-referrer");
        assert_eq!(reply.header("access-control-allow-origin"), "");
    }
}
