//! Feeds as a reader of feeds gets them: an address from the command line, no token, until it is
//! revoked.

use crate::harness::{Home, QUICK, Server, have};
use crate::page::Page;
use crate::wire::{self, Response};
use std::net::SocketAddr;
use std::process::{Command, Stdio};

fn get(address: SocketAddr, path: &str, headers: &[(&str, &str)]) -> Response {
    wire::ask(address, ("GET", path), headers, b"").expect("an answer")
}

fn path(server: &Server, address: &str) -> String {
    let home = format!("http://{}", server.address);
    address.strip_prefix(&home).unwrap_or_else(|| panic!("{address} is not on {home}")).to_owned()
}

/// What Python's feedparser, where it is, finds wrong with a feed.
fn complaints(feed: &str) -> Option<String> {
    let python = |code: &str| {
        let mut command = Command::new("python3");
        command.args(["-c", code, feed]).stderr(Stdio::null());
        command.output().expect("it runs")
    };
    if !have("python3") || !python("import feedparser").status.success() {
        println!("not run: Python's feedparser is absent");
        return None;
    }
    let found = python(
        "import feedparser, sys\n\
         feed = feedparser.parse(sys.argv[1])\n\
         print(feed.bozo, feed.version, len(feed.entries), feed.entries[0].id[:9])",
    );
    Some(String::from_utf8_lossy(&found.stdout).trim().to_owned())
}

#[test]
fn a_feed_brings_what_is_told_into_a_reader_until_it_is_revoked() {
    let (home, page) = (Home::new(QUICK), Page::of("<p>Fares <a href=/lisbon>Lisbon</a>"));
    // Made while no server runs: the address is that of the configuration.
    home.apply(&format!(
        "create sentinel fares using {} monitor links tag travel notify by terminal\n\
         create sentinel still using {} monitor phrase \"sold out\"",
        page.url(),
        page.url()
    ));
    let made = home.done(&["feed", "new", "--sentinel", "still"]);
    assert!(made.starts_with("http://127.0.0.1:"), "{made}");
    let server = home.serve();
    let events = server.events();
    let made = home.done(&["feed", "new", "--tag", "Travel"]);
    let addresses: Vec<String> = made.lines().map(|line| path(&server, line)).collect();
    let [atom, json] = &addresses[..] else { panic!("{made}") };
    let empty = get(server.address, atom, &[]);
    assert_eq!(empty.status, 200);
    assert!(!String::from_utf8_lossy(&empty.body).contains("<entry>"));
    events.wait_for("version", |_| true);
    page.show("<p>Fares <a href=/lisbon>Lisbon</a> <a href=/rome>Rome &amp; Oslo</a>");
    // A notification is announced at each step of its way; once it is composed the feed has it.
    let text = || String::from_utf8_lossy(&get(server.address, atom, &[]).body).into_owned();
    events.wait_for("notification", |_| text().contains("<entry>"));
    let (text, read) = (text(), get(server.address, atom, &[]));
    assert!(text.contains("Rome"), "{text}");
    let tag = read.headers.iter().find(|(name, _)| name == "etag").expect("a tag").1.clone();
    assert_eq!(get(server.address, atom, &[("if-none-match", &tag)]).status, 304);
    if let Some(said) = complaints(&text) {
        assert_eq!(said, "False atom10 1 urn:uuid:");
    }
    let items: serde_json::Value =
        serde_json::from_slice(&get(server.address, json, &[]).body).expect("JSON");
    assert_eq!(items["items"].as_array().expect("items").len(), 1, "{items}");
    let listed = home.done(&["feed", "list"]);
    assert!(listed.contains("tag Travel") && listed.contains(atom.as_str()), "{listed}");
    let line = listed.lines().find(|line| line.contains(atom.as_str())).expect("a line");
    let number = line.split_whitespace().next().expect("a number");
    home.done(&["feed", "revoke", number]);
    assert_eq!(get(server.address, atom, &[]).status, 404);
    let secret = atom.trim_start_matches("/f/").trim_end_matches(".atom");
    assert!(!server.log().contains(secret), "the log tells the address of a feed");
}
