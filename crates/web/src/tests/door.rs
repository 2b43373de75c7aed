//! Who may do what: hosts, origins, tokens.

use super::bench::{Bench, LISTEN, SENTINEL, TOKEN, from, local, with_token};
use super::sessions::{cookie, log_in, session, with};
use axum::body::Body;
use axum::http::request::Builder;
use axum::http::{Method, header};
use store::Scope;

pub(super) async fn status_of(bench: &Bench, request: Builder) -> u16 {
    bench.send(request.body(Body::from(SENTINEL)).expect("a request")).await.status.as_u16()
}

pub(super) fn read_as(host: &str) -> Builder {
    let mut request = with_token(Method::GET, "/api/v1/sources");
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

#[tokio::test]
async fn nobody_is_known_by_where_they_come_from() {
    let bench = Bench::new();
    for peer in ["127.0.0.1:50000", "[::1]:50000", "192.0.2.7:50000", "198.51.100.9:40000"] {
        let peer = |path: &str| from(peer, Method::GET, path);
        for path in ["/api/v1/sources", "/api/v1/events", "/metrics", "/version", "/fragments/rows"]
        {
            assert_eq!(status_of(&bench, peer(path)).await, 401, "{path}");
        }
        for path in ["/", "/sources/1", "/nowhere", "/tokens"] {
            let reply = bench.send(peer(path).body(Body::empty()).expect("a request")).await;
            let expected = match path {
                "/tokens" => (401, String::new()),
                "/" => (303, "/login".to_owned()),
                path => (303, format!("/login?next={}", path.replace('/', "%2F"))),
            };
            let place = reply.header("location").to_owned();
            assert_eq!((reply.status.as_u16(), place), expected, "{path}");
            assert_eq!(reply.header("set-cookie"), "", "{path}");
        }
        for path in [
            "/healthz",
            "/readyz",
            "/api/v1/healthz",
            "/api/v1/readyz",
            "/api/v1/version",
            "/login",
            "/assets/style.css",
        ] {
            assert_eq!(status_of(&bench, peer(path)).await, 200, "{path}");
        }
        let authorized = peer("/api/v1/sources").header("authorization", format!("Bearer {TOKEN}"));
        assert_eq!(status_of(&bench, authorized).await, 200);
    }
    let check = local(Method::POST, "/api/v1/check");
    assert_eq!(status_of(&bench, check).await, 401);
}

#[tokio::test]
async fn a_session_writes_only_from_pages_of_the_same_origin() {
    let bench = Bench::new();
    let cookie = session(&bench).await;
    let post = || with(&cookie, Method::POST, "/api/v1/sentinels");
    assert_eq!(status_of(&bench, post()).await, 403);
    for (name, value, status) in [
        ("sec-fetch-site", "none", 403),
        ("sec-fetch-site", "cross-site", 403),
        ("sec-fetch-site", "same-site", 403),
        ("origin", "null", 403),
        ("origin", "http://localhost:3000", 403),
        ("origin", "http://localhost:7878", 201),
    ] {
        assert_eq!(status_of(&bench, post().header(name, value)).await, status, "{value}");
    }
    let again = with(&cookie, Method::PUT, "/api/v1/sentinels/deals");
    assert_eq!(status_of(&bench, again.header("sec-fetch-site", "same-origin")).await, 200);
}

#[tokio::test]
async fn a_token_does_what_its_scope_says_and_is_known_no_more_once_revoked() {
    let bench = Bench::new();
    let make = async |scope: &str| {
        let body = format!("{{\"scope\": \"{scope}\", \"name\": \"for {scope}\"}}");
        let made = bench.post("/api/v1/tokens", &body).await;
        assert_eq!(made.status, 201, "{made:?}");
        let json = made.json();
        (json["token"].as_str().expect("a token").to_owned(), json["id"].as_u64().expect("an id"))
    };
    let ((reads, read_id), (writes, _)) = (make("read").await, make("write").await);
    let by = |token: &str, method, path: &str| {
        local(method, path).header("authorization", format!("Bearer {token}"))
    };
    for (token, write) in [(&reads, 403), (&writes, 201)] {
        assert_eq!(status_of(&bench, by(token, Method::GET, "/api/v1/sources")).await, 200);
        assert_eq!(status_of(&bench, by(token, Method::POST, "/api/v1/check")).await, 200);
        assert_eq!(status_of(&bench, by(token, Method::POST, "/api/v1/sentinels")).await, write);
        for (method, path) in [
            (Method::GET, "/api/v1/tokens"),
            (Method::POST, "/api/v1/tokens"),
            (Method::DELETE, "/api/v1/tokens/1"),
            (Method::GET, "/api/v1/sessions"),
            (Method::POST, "/api/v1/links"),
        ] {
            assert_eq!(status_of(&bench, by(token, method, path)).await, 403, "{path}");
        }
    }
    let listed = bench.get("/api/v1/tokens").await;
    assert!(!listed.body.contains(&reads) && listed.body.contains("for read"), "{listed:?}");
    assert_eq!(bench.access().tokens().expect("no faults")[0].scope, Scope::Read);
    // A session opened with a token may do what the token may, and ends with it.
    let opened = cookie(bench.send(log_in(&format!("token={reads}"))).await.header("set-cookie"));
    let write =
        with(&opened, Method::POST, "/api/v1/sentinels").header("sec-fetch-site", "same-origin");
    assert_eq!(status_of(&bench, write).await, 403);
    let revoke = bench.write(Method::DELETE, &format!("/api/v1/tokens/{read_id}"), "").await;
    assert_eq!(revoke.status, 204);
    for bench in [&bench, &bench.restarted()] {
        assert_eq!(status_of(bench, by(&reads, Method::GET, "/api/v1/sources")).await, 401);
        assert_eq!(status_of(bench, with(&opened, Method::GET, "/api/v1/sources")).await, 401);
        assert_eq!(status_of(bench, by(&writes, Method::GET, "/api/v1/sources")).await, 200);
    }
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
        assert_eq!(reply.header("referrer-policy"), "same-origin");
        assert_eq!(reply.header("access-control-allow-origin"), "");
    }
}
