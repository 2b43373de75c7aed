//! The address guard in the running binary.

use crate::harness::{Home, QUICK, Server};
use crate::page::Page;
use crate::wire::{Listener, Reply};

/// As [`QUICK`], with only these networks allowed.
fn allowing(networks: &str) -> String {
    QUICK.replace("[\"127.0.0.0/8\"]", networks)
}

fn failure(server: &Server) -> String {
    let probe = server.events().wait_for("probe", |_| true);
    assert_eq!(probe["outcome"], "failed", "{probe}");
    probe["failure"].as_str().expect("a reason").to_owned()
}

#[test]
fn a_source_on_this_machine_is_refused_with_a_reason_and_never_asked() {
    let page = Page::of("<p>inside</p>");
    for url in [page.url(), page.url_on("localhost"), page.url_on("[::ffff:127.0.0.1]")] {
        let home = Home::new(&allowing("[]"));
        home.apply(&format!("create sentinel inside using \"{url}\""));
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
    let home = Home::new(&allowing("[]"));
    home.apply("create sentinel inside using http://127.0.0.9:9/");
    let mut command = home.command(&["serve"]);
    for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
        command.env(name, proxy.url());
    }
    let server = Server::start(command, &home.data());
    failure(&server);
    assert_eq!(proxy.requests(), 0);
}
