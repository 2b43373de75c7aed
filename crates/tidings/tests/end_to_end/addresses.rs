//! The address guard in the running binary.

use crate::harness::{Home, QUICK, Server};
use crate::page::Page;
use crate::wire::{Listener, Reply};
use serde_json::json;

/// As [`QUICK`], with only these networks allowed.
fn allowing(networks: &str) -> String {
    QUICK.replace("[\"127.0.0.0/8\"]", networks)
}

fn failure(server: &Server) -> String {
    let probe = server.events().wait_for("probe", |_| true);
    assert_eq!(probe["outcome"], "failed", "{probe}");
    probe["failure"].as_str().expect("a reason").to_owned()
}

/// A home whose sentinel was accepted while its address was allowed, which it no longer is.
fn home_that_allowed(text: &str) -> Home {
    let home = Home::new(QUICK);
    home.apply(text);
    home.configure(&allowing("[]"));
    home
}

#[test]
fn a_private_address_is_refused_by_check_and_apply_with_its_place_and_the_key_that_allows_it() {
    let page = Page::of("<p>inside</p>");
    let [port, key] = [page.url().rsplit(':').next().expect("a port"), "fetch.allow_addresses"]
        .map(|text| text.trim_end_matches('/').to_owned());
    let home = Home::new(&allowing("[]"));
    let server = home.serve();
    for host in ["127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]", "nas.local"] {
        let text = format!("create sentinel inside\n  using http://{host}:{port}/");
        let file = home.file("inside.tidings", &text);
        for command in ["check", "apply"] {
            let ran = home.run(&[command, &file]);
            assert_eq!(ran.code, Some(1), "{command} {host}: {}{}", ran.out, ran.err);
            assert!(ran.err.contains(&key) && ran.err.contains(":2:9"), "{host}: {}", ran.err);
        }
        for (path, status) in [("/check", 200), ("/sentinels", 422)] {
            let (got, answer) = server.ask(("POST", path), &text);
            let found = &answer["diagnostics"][0];
            assert_eq!((got, &found["severity"]), (status, &json!("error")), "{answer}");
            assert_eq!((&found["line"], &found["column"]), (&json!(2), &json!(9)), "{answer}");
            assert!(found["help"].as_str().is_some_and(|help| help.contains(&key)), "{answer}");
        }
    }
    assert!(server.items("/sentinels").is_empty());
    assert_eq!(page.requests(), 0);
}

#[test]
fn a_source_on_this_machine_is_refused_with_a_reason_and_never_asked() {
    let page = Page::of("<p>inside</p>");
    for url in [page.url(), page.url_on("localhost"), page.url_on("[::ffff:127.0.0.1]")] {
        let home = home_that_allowed(&format!("create sentinel inside using \"{url}\""));
        let server = home.serve();
        let reason = failure(&server);
        assert!(reason.contains("not public") || reason.contains("loopback"), "{reason}");
        assert!(reason.contains("fetch.allow_addresses"), "it says what to do: {reason}");
        let source = &server.get("/sources/1")["recent_probes"][0];
        assert_eq!(source["failure"], reason.as_str());
    }
    assert_eq!(page.requests(), 0);
}

#[test]
fn a_redirect_to_an_address_that_is_not_allowed_is_not_followed() {
    let page = Page::of("<p>inside</p>");
    let inside = page.url_on("127.0.0.2");
    let to = inside.clone();
    let outside = Listener::start(move |_| Reply::Answer {
        status: 302,
        headers: vec![("location", to.clone())],
        body: Vec::new(),
    });
    let home = Home::new(&allowing("[\"127.0.0.1\"]"));
    home.apply(&format!("create sentinel outside using {}", outside.url(1, "/")));
    let reason = failure(&home.serve());
    assert!(reason.contains("127.0.0.2"), "{reason}");
    assert_eq!(page.requests(), 0);
}

#[test]
fn a_proxy_in_the_environment_is_no_way_around_the_guard() {
    let proxy = Page::of("<p>proxied</p>");
    let home = home_that_allowed("create sentinel inside using http://127.0.0.9:9/");
    let mut command = home.command(&["serve"]);
    for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
        command.env(name, proxy.url());
    }
    let server = Server::start(command, &home.data());
    failure(&server);
    assert_eq!(proxy.requests(), 0);
}
