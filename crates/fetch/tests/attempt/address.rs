//! The address guard, on the wire.

use crate::fixture::*;
use fetch::{Config, Fetcher, Outcome};
use std::process::Command;

fn guarded(allow: &[&str]) -> Fetcher {
    fetch::install_tls_provider();
    let allow_addresses = allow.iter().map(|network| network.parse().unwrap()).collect();
    Fetcher::new(Config { allow_addresses, ..Config::default() }).unwrap()
}

#[tokio::test]
async fn loopback_is_not_connected_to_unless_it_is_allowed() {
    let server = Server::saying(answer("200 OK", &[], "secret")).await;
    let port = server.base.rsplit(':').next().unwrap();
    for host in ["127.0.0.1", "localhost", "a.localhost", "0x7f.1", "[::ffff:127.0.0.1]", "0"] {
        let url = format!("http://{host}:{port}/");
        let reason = failure(guarded(&[]).fetch(&request(&url)).await).reason;
        assert!(reason.contains("list it in fetch.allow_addresses"), "{host}: {reason}");
    }
    assert_eq!(server.heads(), [""; 0]);
    for host in ["127.0.0.1", "localhost", "a.localhost", "0x7f.1"] {
        let url = format!("http://{host}:{port}/");
        content(guarded(&["127.0.0.0/8"]).fetch(&request(&url)).await);
    }
}

#[tokio::test]
async fn a_redirect_to_an_address_that_is_not_allowed_is_not_followed() {
    let inner = Server::saying(answer("200 OK", &[], "secret")).await;
    let port = inner.base.rsplit(':').next().unwrap().to_owned();
    for target in [
        format!("http://127.0.0.2:{port}/"),
        format!("http://localhost.:{port}/"),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "http://[::1]/".to_owned(),
        "http://10.0.0.1/".to_owned(),
    ] {
        let line = format!("Location: {target}");
        let server = Server::saying(answer("302 x", &[&line], "")).await;
        let fetcher = guarded(&["127.0.0.1/32"]);
        let answer = fetcher.fetch(&request(&server.url("/"))).await;
        // A name is resolved when it is asked: `localhost` is offered 127.0.0.1 too, so it is
        // reached at the address that is allowed, and at no other.
        if let Outcome::Moved { to } = &answer.outcome {
            assert!(target.contains("localhost"), "{target}");
            content(fetcher.fetch(&request(to)).await);
        } else {
            let reason = failure(answer).reason;
            assert!(reason.contains("list it in fetch.allow_addresses"), "{target}: {reason}");
        }
    }
    assert_eq!(inner.heads().len(), 1);
}

/// Runs in a child process whose environment names a proxy; see below.
#[tokio::test]
async fn a_page_is_fetched_directly() {
    let server = Server::saying(answer("200 OK", &[], "x")).await;
    content(fetcher().fetch(&request(&server.url("/"))).await);
}

#[test]
fn a_proxy_in_the_environment_does_not_lead_round_the_guard() {
    let proxy = "http://127.0.0.1:1";
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "address::a_page_is_fetched_directly"])
        .env("HTTP_PROXY", proxy)
        .env("http_proxy", proxy)
        .env("ALL_PROXY", proxy)
        .env_remove("NO_PROXY")
        .env_remove("no_proxy")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&status.stdout);
    assert!(status.status.success() && said.contains("1 passed"), "{said}");
}
