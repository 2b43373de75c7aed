//! Who may do what.

use super::bench::{Bench, LISTEN, SENTINEL, TOKEN, from, local, with_token};
use axum::body::Body;
use axum::http::{self, Method, header};
use chronon::Span;
use http::request::Builder;
use store::Scope;

async fn status_of(bench: &Bench, request: Builder) -> u16 {
    bench.send(request.body(Body::from(SENTINEL)).expect("a request")).await.status.as_u16()
}

fn read_as(host: &str) -> Builder {
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

fn log_in(fields: &str) -> http::Request<Body> {
    let request = from("198.51.100.9:40000", Method::POST, "/login");
    let request = request.header("origin", "http://localhost:7878").header("user-agent", "Lynx");
    request.body(Body::from(fields.replace(' ', "+"))).expect("a request")
}

/// A Cookie header of somebody who logged in with the token.
async fn session(bench: &Bench) -> String {
    cookie(bench.send(log_in(&format!("token={TOKEN}"))).await.header("set-cookie"))
}

fn cookie(set: &str) -> String {
    assert!(set.contains("; HttpOnly; SameSite=Lax"), "{set}");
    set.split(';').next().expect("a pair").to_owned()
}

fn with(cookie: &str, method: Method, path: &str) -> Builder {
    local(method, path).header(header::COOKIE, cookie)
}

#[tokio::test]
async fn nobody_is_known_by_where_they_come_from() {
    let bench = Bench::new();
    for peer in ["127.0.0.1:50000", "[::1]:50000", "192.0.2.7:50000", "198.51.100.9:40000"] {
        let peer = |path: &str| from(peer, Method::GET, path);
        for path in ["/api/v1/sources", "/api/v1/events", "/metrics", "/fragments/rows"] {
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
async fn who_logs_in_comes_to_what_was_asked_for() {
    let bench = Bench::with(behind);
    let asked = bench.stray("/watch/sources/1?from=1&to=2").await;
    let place = asked.header("location");
    assert_eq!(place, "/watch/login?next=%2Fsources%2F1%3Ffrom%3D1%26to%3D2");
    let page = bench.stray(place).await.body;
    assert!(page.contains("name=\"next\" value=\"/sources/1?from=1&#38;to=2\""), "{page}");
    let next = place.split_once('?').expect("a query").1;
    let entered = bench.send(log_in(&format!("token={TOKEN}&{next}"))).await;
    assert_eq!(entered.header("location"), "/watch/sources/1?from=1&to=2");
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
async fn a_proxys_own_basic_authentication_does_not_hide_a_session() {
    let bench = Bench::new();
    let cookie = session(&bench).await;
    let read = || with(&cookie, Method::GET, "/api/v1/sources");
    assert_eq!(status_of(&bench, read().header("authorization", "Basic YTpi")).await, 200);
    assert_eq!(status_of(&bench, read().header("authorization", "Bearer wrong")).await, 401);
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

fn behind(config: &mut crate::WebConfig) {
    config.public_url = Some(crate::PublicUrl::parse("https://home.example/watch/").expect("one"));
    config.trusted_proxies = vec!["127.0.0.0/8".parse().expect("a network")];
}

#[tokio::test]
async fn below_a_public_address_every_address_has_its_path() {
    let bench = Bench::with(behind);
    let link = bench.post("/watch/api/v1/links", "").await.json()["url"].clone();
    let link = link.as_str().expect("an address").to_owned();
    let key = link.strip_prefix("https://home.example/watch/login?link=").expect("a link");
    for path in ["/", "/watch", "/watch/", "/watch/sources/1", "/nowhere"] {
        let lost = bench.stray(path).await;
        assert_eq!(lost.status, 303, "{path}");
        assert!(lost.header("location").starts_with("/watch/login"), "{path}: {lost:?}");
    }
    let page = bench.stray(&format!("/watch/login?link={key}")).await;
    assert!(page.body.contains("action=\"/watch/login\""), "{}", page.body);
    let request = local(Method::POST, "/watch/login").header("origin", "https://home.example");
    let body = Body::from(format!("link={key}"));
    let entered = bench.send(request.body(body).expect("a request")).await;
    assert_eq!((entered.status.as_u16(), entered.header("location")), (303, "/watch/"));
    let set = entered.header("set-cookie");
    assert!(set.starts_with("__Secure-tidings_") && set.contains("; Path=/watch; "), "{set}");
    assert!(set.ends_with("; Secure"), "{set}");
    let cookie = cookie(set);
    let made =
        with(&cookie, Method::POST, "/api/v1/sentinels").header("origin", "https://home.example");
    let made = bench.send(made.body(Body::from(SENTINEL)).expect("a request")).await;
    let place = (made.status.as_u16(), made.header("location"));
    assert_eq!(place, (201, "/watch/api/v1/sentinels/deals"));
    for path in ["/", "/sentinels/deals", "/sources/1", "/plan", "/fragments/rows?sources=1"] {
        let page = bench.get(&format!("/watch{path}")).await;
        assert_eq!(page.status, 200, "{path}");
        for place in ["href=\"/", "src=\"/", "action=\"/", "data-post=\"/"] {
            for (at, _) in page.body.match_indices(place) {
                let rest = &page.body[at + place.len() - 1..];
                assert!(rest.starts_with("/watch/"), "{path}: {}", &rest[..40.min(rest.len())]);
            }
        }
    }
    let asset = bench.get("/watch/").await.body;
    let style = asset.split("href=\"").find(|rest| rest.contains("style.css")).expect("a style");
    assert_eq!(bench.stray(style.split('"').next().expect("an address")).await.status, 200);
}

#[tokio::test]
async fn the_public_address_is_an_origin_of_ours_whatever_the_proxy_makes_of_the_host() {
    let bench = Bench::with(behind);
    let cookie = session(&bench).await;
    let post = |origin: &str| {
        let request = with(&cookie, Method::PUT, "/api/v1/sentinels/deals");
        request.header("origin", origin.to_owned())
    };
    assert_eq!(status_of(&bench, post("https://home.example")).await, 201);
    for foreign in ["http://home.example", "https://home.example:8443", "https://evil.example"] {
        assert_eq!(status_of(&bench, post(foreign)).await, 403, "{foreign}");
    }
    let host = with_token(Method::GET, "/api/v1/sources").header("x", "y");
    assert_eq!(status_of(&bench, host).await, 200);
    assert_eq!(status_of(&bench, read_as("home.example")).await, 200);
    assert_eq!(status_of(&Bench::new(), read_as("home.example")).await, 421);
}

#[tokio::test]
async fn a_browser_that_vouches_for_the_page_is_believed_behind_a_proxy_that_changes_the_host() {
    let bench = Bench::new();
    let cookie = session(&bench).await;
    let put = |site: &str| {
        let request = with(&cookie, Method::PUT, "/api/v1/sentinels/deals");
        request.header("origin", "https://home.example").header("sec-fetch-site", site.to_owned())
    };
    assert_eq!(status_of(&bench, put("same-origin")).await, 201);
    assert_eq!(status_of(&bench, put("same-site")).await, 403);
    assert_eq!(status_of(&bench, put("none")).await, 403);
}

#[tokio::test]
async fn wrong_tokens_are_limited_by_address_and_right_ones_never() {
    let bench = Bench::with(behind);
    let guess = |forwarded: &str| {
        let request = local(Method::GET, "/api/v1/sources").header("authorization", "Bearer guess");
        request.header("x-forwarded-for", forwarded.to_owned())
    };
    for _ in 0..10 {
        assert_eq!(status_of(&bench, guess("6.6.6.6, 198.51.100.1")).await, 401);
    }
    let request = guess("198.51.100.1").body(Body::empty()).expect("a request");
    let stopped = bench.send(request).await;
    assert_eq!((stopped.status.as_u16(), stopped.header("retry-after")), (429, "6"));
    assert_eq!(status_of(&bench, guess("198.51.100.2")).await, 401);
    let mut form = log_in("token=guess");
    form.extensions_mut()
        .insert(axum::extract::ConnectInfo(std::net::SocketAddr::from(([198, 51, 100, 1], 1))));
    let stopped = bench.send(form).await;
    assert_eq!((stopped.status.as_u16(), stopped.header("retry-after")), (429, "6"));
    let right =
        with_token(Method::GET, "/api/v1/sources").header("x-forwarded-for", "198.51.100.1");
    assert_eq!(status_of(&bench, right).await, 200);
    assert_eq!(bench.send(log_in(&format!("token={TOKEN}"))).await.status, 303);
}
