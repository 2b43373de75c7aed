//! Behind proxies: other addresses, other hosts, addresses of others.

use super::bench::{Bench, SENTINEL, TOKEN, local, with_token};
use super::door::{read_as, status_of};
use super::sessions::{cookie, log_in, session, with};
use axum::body::Body;
use axum::http::Method;

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
        for place in ["href=\"/", "src=\"/", "action=\"/"] {
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
async fn a_proxys_own_basic_authentication_does_not_hide_a_session() {
    let bench = Bench::new();
    let cookie = session(&bench).await;
    let read = || with(&cookie, Method::GET, "/api/v1/sources");
    assert_eq!(status_of(&bench, read().header("authorization", "Basic YTpi")).await, 200);
    assert_eq!(status_of(&bench, read().header("authorization", "Bearer wrong")).await, 401);
}
