//! What is secret in an address is seen by nobody but those it is meant for: the source, the
//! receiver, and the owner who asks for it.

use crate::harness::{Home, PATIENCE, QUICK, Server};
use crate::wire::{self, Listener, Reply, Request};
use serde_json::Value;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};

/// `ana:hunter2`
const AUTHORIZATION: &str = "Basic YW5hOmh1bnRlcjI=";
const SECRETS: [&str; 3] = ["hunter2", "ana:", "T00SECRET"];

/// A page that shows another link with each answer, to Ana alone.
fn guarded_page() -> Listener {
    let shown = Mutex::new(0);
    Listener::start(move |request: Request| {
        if request.header("authorization") != Some(AUTHORIZATION) {
            return Reply::status(401);
        }
        let mut shown = shown.lock().expect("no panic");
        *shown += 1;
        let body = format!("<p>news <a href=/{shown}>number {shown}</a></p>").into_bytes();
        let headers = vec![("content-type", "text/html".to_owned())];
        Reply::Answer { status: 200, headers, body }
    })
}

/// A receiver that refuses what comes first, and then takes everything.
fn receiver() -> (Listener, Receiver<(String, String)>) {
    let (sender, received) = channel();
    let refused = Mutex::new(false);
    let listener = Listener::start(move |request: Request| {
        if !std::mem::replace(&mut *refused.lock().expect("no panic"), true) {
            return Reply::status(500);
        }
        let body = String::from_utf8_lossy(&request.body).into_owned();
        // The test may have ended.
        let _ = sender.send((request.path, body));
        Reply::status(204)
    });
    (listener, received)
}

struct Guarded {
    home: Home,
    server: Server,
    page: Listener,
    hook: Listener,
    received: Receiver<(String, String)>,
}

impl Guarded {
    fn start() -> Guarded {
        let home = Home::new(&format!("deliver.retry_first_seconds = 0.1\n{QUICK}"));
        let (page, (hook, received)) = (guarded_page(), receiver());
        let source = page.url(1, "/news").replace("http://", "http://ana:hunter2@");
        home.apply(&format!(
            "create sentinel guarded using {source} monitor links notify by webhook {}\n\
             notify by terminal notify by interactive",
            hook.url(2, "/services/T00SECRET")
        ));
        let server = home.serve();
        Guarded { home, server, page, hook, received }
    }

    /// Everything a person can look at, under the name of where it stands.
    fn seen(&self) -> Vec<(String, String)> {
        let mut seen = Vec::new();
        let notification = self.server.items("/notifications")[0]["id"].to_string();
        let api = [
            "/sentinels",
            "/sentinels/guarded",
            "/sentinels/guarded/detections",
            "/sources",
            "/sources/1",
            "/sources/1/versions",
            "/notifications",
            "/channels",
            "/plan",
            "/metrics",
            "/readyz",
        ];
        let api = api.iter().map(|path| format!("/api/v1{path}"));
        let pages = ["/", "/sentinels/guarded", "/sources/1", "/plan", "/metrics"];
        let more = ["/api/v1/notifications/", "/notifications/"].map(|path| path.to_owned());
        let more = more.into_iter().map(|path| path + &notification);
        for path in api.chain(pages.map(str::to_owned)).chain(more) {
            let answer = self.server.page(&path);
            assert_eq!(answer.status, 200, "{path}");
            seen.push((path, String::from_utf8_lossy(&answer.body).into_owned()));
        }
        let shown = self.page.url(1, "/news");
        for command in [
            &["list"][..],
            &["show", "guarded"],
            &["export"],
            &["plan"],
            &["history", &shown],
            &["diff", &shown, "1", "2"],
            &["export", "--json"],
        ] {
            seen.push((command.join(" "), self.home.done(command)));
        }
        let wrong = self.home.file("wrong.tidings", self.full_text() + " from tomorrow");
        for command in ["check", "apply"] {
            let ran = self.home.run(&[command, &wrong]);
            assert_eq!(ran.code, Some(1), "{}", ran.err);
            seen.push((command.to_owned(), ran.out + &ran.err));
        }
        seen.push(("the log".to_owned(), self.server.log()));
        seen.push(("the terminal".to_owned(), self.server.out.seen.join("\n")));
        seen
    }

    fn full_text(&self) -> String {
        self.home.done(&["export", "--with-secrets"])
    }

    fn with_secrets(&self, headers: &[(&str, &str)]) -> u16 {
        let path = "/api/v1/sentinels?with_secrets=true";
        wire::ask(self.server.address, ("GET", path), headers, b"").expect("an answer").status
    }
}

#[test]
fn secrets_of_addresses_reach_those_they_are_meant_for_and_are_shown_nowhere() {
    let mut guarded = Guarded::start();
    let (path, body) = guarded.received.recv_timeout(PATIENCE).expect("a webhook");
    assert_eq!(path, "/services/T00SECRET");
    let told = |line: &str| line.contains("number 2");
    assert!(guarded.server.out.wait_for(PATIENCE, told).is_some(), "the terminal is told");
    let json: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!(json["sources"][0]["url"], guarded.page.url(1, "/news").as_str());
    let mut seen = guarded.seen();
    seen.push(("the webhook".to_owned(), body));
    for (place, text) in &seen {
        for secret in SECRETS {
            assert!(!text.contains(secret), "{place} shows {secret}: {text}");
        }
    }
    let attempts = &seen.iter().find(|(place, _)| place == "the log").expect("listed").1;
    assert!(attempts.contains("a delivery failed"), "the log has something to hide");
}

#[test]
fn a_text_that_was_exported_comes_back_unchanged_and_its_secrets_follow_no_other_host() {
    let guarded = Guarded::start();
    let (home, shown) = (&guarded.home, guarded.home.done(&["export"]));
    assert!(shown.contains("‹secret 1›@127.0.0.1") && shown.contains("/‹secret 2›"), "{shown}");
    assert_eq!(home.apply(&shown), "guarded unchanged\n");
    let full = guarded.full_text();
    assert!(full.contains("ana:hunter2@") && full.contains("T00SECRET"), "{full}");
    assert_eq!(home.apply(&full), "guarded unchanged\n");

    let path = home.file("moved.tidings", shown.replace("/news", "/other"));
    assert_eq!(home.done(&["apply", &path]), "guarded replaced\n");
    assert!(guarded.full_text().contains("ana:hunter2@127.0.0.1"), "another page of the host");

    for (own, foreign) in [("@127.0.0.1", "@127.0.0.3"), ("//127.0.0.2", "//127.0.0.3")] {
        let path = home.file("stolen.tidings", shown.replace(own, foreign));
        let ran = home.run(&["apply", &path]);
        assert_eq!(ran.code, Some(1), "{}", ran.out);
        assert!(ran.err.contains("alone"), "{}", ran.err);
    }
    let renamed = home.file("renamed.tidings", shown.replace("sentinel guarded", "sentinel new"));
    assert_eq!(home.run(&["apply", &renamed]).code, Some(1));
    let _ = &guarded.hook;
}

#[test]
fn secrets_are_shown_to_the_token_of_the_data_directory_alone() {
    let guarded = Guarded::start();
    let token = guarded.home.done(&["token", "new", "--scope", "write", "--name", "cron"]);
    let bearer = format!("Bearer {}", token.trim());
    assert_eq!(guarded.with_secrets(&[("authorization", &bearer)]), 403);
    let cookie = guarded.server.log_in();
    assert_eq!(guarded.with_secrets(&[("cookie", &cookie)]), 403);
    assert_eq!(guarded.with_secrets(&[]), 401);
}
