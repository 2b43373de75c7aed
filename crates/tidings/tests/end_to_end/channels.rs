//! Channels that are made while the server runs: they work at once, after a kill, and from a
//! backup; their secrets stand in no file but encrypted.

use crate::harness::{Home, PATIENCE, QUICK, Server, signal};
use crate::page::Page;
use crate::webhook::Hook;
use crate::wire::{self, Listener, Reply};
use std::sync::mpsc::channel;

/// Sends a test that is to arrive, or says why it was not even queued.
fn test(server: &Server, name: &str) {
    let (status, answer) = server.ask(("POST", &format!("/channels/{name}/test")), "");
    assert_eq!(status, 202, "{name}: {answer}");
}

#[test]
fn a_channel_that_is_made_works_at_once_and_outlives_a_kill_and_a_restored_backup() {
    let (home, hook) = (Home::new(QUICK), Hook::start());
    let page = Page::of("<p>Fares <a href=/lisbon>Lisbon</a>");
    let server = home.serve();
    let events = server.events();
    let made = server.ask(("PUT", "/named-channels/Phone"), &hook.made());
    assert_eq!(made.0, 201, "{}", made.1);
    home.apply(&format!(
        "create sentinel fares using {} monitor links notify by phone",
        page.url()
    ));
    events.wait_for("version", |_| true);
    page.show("<p>Fares <a href=/lisbon>Lisbon</a> <a href=/rome>Rome</a>");
    assert_eq!(hook.next().body["sentinel"], "fares");
    // Commands that ask no server know the channel, too.
    let file =
        home.file("more.tidings", "create sentinel m using https://a.example notify by phone");
    home.done(&["check", &file]);
    let copy = home.path("copy.db").to_string_lossy().into_owned();
    home.done(&["backup", &copy]);
    let key = std::fs::read(home.data().join("channels.key")).expect("a key");
    assert_eq!(std::fs::read(format!("{copy}.channels.key")).expect("a copy of it"), key);
    for file in ["tidings.db", "tidings.db-wal"] {
        let stored = std::fs::read(home.data().join(file)).unwrap_or_default();
        let text = String::from_utf8_lossy(&stored);
        assert!(!text.contains(&hook.secret()), "{file} has the secret");
    }
    assert!(!server.log().contains(&hook.secret()), "the log has the secret");
    server.kill();
    // The store comes back from the copy, without its key at first.
    for file in ["tidings.db", "tidings.db-wal", "tidings.db-shm", "channels.key"] {
        let _ = std::fs::remove_file(home.data().join(file));
    }
    std::fs::copy(&copy, home.data().join("tidings.db")).expect("restored");
    let server = home.serve();
    let phone = server.get("/named-channels/phone");
    assert!(phone["trouble"].as_str().is_some_and(|why| why.contains("put back")), "{phone}");
    std::fs::copy(format!("{copy}.channels.key"), home.data().join("channels.key"))
        .expect("put back");
    assert_eq!(server.get("/named-channels/phone")["trouble"], serde_json::Value::Null);
    test(&server, "phone");
    while hook.next().body["type"] != "channel.test" {}
    let gone = server.ask(("DELETE", "/named-channels/phone"), "");
    assert_eq!(gone.0, 204, "{}", gone.1);
    assert_eq!(home.run(&["check", &file]).code, Some(1), "nothing is named so any more");
}

#[test]
fn a_channel_that_was_acknowledged_outlives_a_kill_in_the_middle() {
    let (home, hook) = (Home::new(QUICK), Hook::start());
    let mut acknowledged: Vec<String> = Vec::new();
    for round in 0..3 {
        let server = home.serve();
        let (made, pid) = (hook.made(), server.pid());
        let (sender, told) = channel();
        let killer = std::thread::spawn(move || {
            for _ in 0..=3 * round {
                let () = told.recv().expect("a channel is made");
            }
            // The next is being made meanwhile.
            signal(pid, "KILL");
        });
        for nth in 0.. {
            let name = format!("c{round}-{nth}");
            let ask = ("PUT", &*format!("/named-channels/{name}"));
            let Ok((status, _)) = server.try_ask(ask, &made) else { break };
            assert_eq!(status, 201);
            acknowledged.push(name);
            // The other end has what it waits for.
            let _ = sender.send(());
        }
        killer.join().expect("no panic");
    }
    let server = home.serve();
    let all = server.items("/named-channels");
    for name in &acknowledged {
        let one = all.iter().find(|one| one["name"] == name.as_str());
        let one = one.unwrap_or_else(|| panic!("{name} is gone"));
        assert_eq!(one["trouble"], serde_json::Value::Null, "{name}");
    }
    test(&server, acknowledged.last().expect("some were made"));
    assert_eq!(hook.next().body["type"], "channel.test");
}

#[test]
fn a_person_makes_a_channel_with_their_own_words_on_the_dashboard() {
    let home = Home::new(QUICK);
    let (sender, arrived) = channel();
    let receiver = Listener::start(move |request| {
        // The test may have ended.
        let _ = sender.send(request.body.clone());
        Reply::status(200)
    });
    let server = home.serve();
    let (cookie, origin) = (server.log_in(), format!("http://{}", server.address));
    let post = |path: &str, fields: &[(&str, &str)]| {
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        let form = form.extend_pairs(fields).finish();
        let headers = [
            ("cookie", cookie.as_str()),
            ("origin", origin.as_str()),
            ("content-type", "application/x-www-form-urlencoded"),
        ];
        wire::ask(server.address, ("POST", path), &headers, form.as_bytes()).expect("an answer")
    };
    let place = receiver.url(1, "/deals");
    let mut fields = vec![
        ("kind", "ntfy"),
        ("name", "phone"),
        ("url", place.as_str()),
        ("token", "tk_hunter2"),
        ("template", "Tidings says:\r\n{{ type }} to {{ nobody }}you"),
        ("do", "preview"),
    ];
    let seen = post("/channels/new", &fields);
    let seen = String::from_utf8_lossy(&seen.body).into_owned();
    assert!(seen.contains("Tidings says:\nchange to you"), "{seen}");
    fields[5] = ("do", "save");
    assert_eq!(post("/channels/new", &fields).status, 303);
    assert_eq!(post("/channels", &[("channel", "phone")]).status, 303);
    let told = arrived.recv_timeout(PATIENCE).expect("a message in time");
    let told: serde_json::Value = serde_json::from_slice(&told).expect("JSON");
    assert_eq!(told["message"], "Tidings says:  \nchannel.test to you");
    assert_eq!(told["topic"], "deals");
    let shown = server.page("/channels/made/phone");
    assert!(!String::from_utf8_lossy(&shown.body).contains("hunter2"));
}
