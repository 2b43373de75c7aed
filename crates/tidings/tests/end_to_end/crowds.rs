//! Many large pages at once, and an honest one among them.

use crate::harness::{Home, PATIENCE, QUICK, Server};
use crate::page::Page;
use crate::wire::{Listener, Reply};
use serde_json::Value;
use std::time::Instant;

const FEEDS: usize = 120;

/// A feed of three megabytes.
fn feed() -> Vec<u8> {
    let text = "a line as long as the others\n".repeat(4_000);
    let entry =
        format!("<item><title>t</title><description><![CDATA[{text}]]></description></item>");
    format!("<rss version='2.0'><channel>{}</channel></rss>", entry.repeat(26)).into_bytes()
}

/// The largest resident size of a process so far, in bytes.
fn largest(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("it runs");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("Linux says it");
    let kilobytes = line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok());
    kilobytes.expect("a number") * 1_024
}

/// Where a counter of the server stands.
fn counted(server: &Server, name: &str) -> u64 {
    let metrics = String::from_utf8(server.page("/api/v1/metrics").body).expect("text");
    let line = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[test]
fn an_honest_page_is_read_while_a_hundred_large_feeds_compete() {
    let small = "budget = \"2000 per second\"\nfetch.body_bytes_max = 4194304\n\
                 fetch.memory_bytes_max = 67108864\n";
    let home = Home::new(&(QUICK.replace("budget = \"50 per second\"\n", small)));
    let server = home.serve();
    let before = largest(server.pid());
    let body = feed();
    assert!(body.len() > 3_000_000);
    let serve = |_| {
        let body = body.clone();
        Listener::start(move |_| {
            let headers = vec![("content-type", "application/rss+xml".to_owned())];
            Reply::Answer { status: 200, headers, body: body.clone() }
        })
    };
    // A port of its own makes a host.
    let feeds: Vec<Listener> = (0..FEEDS).map(serve).collect();
    let sentinel = |(n, feed): (usize, &Listener)| {
        let url = feed.url(1, "/");
        format!("create sentinel feed{n} using {url} monitor links fetch every 1 hour\n")
    };
    home.apply(&feeds.iter().enumerate().map(sentinel).collect::<String>());
    while counted(&server, "tidings_body_waits_total") < 50 {}
    let page = Page::of(format!("<title>Honest</title>{}", "<p>a line of it</p>".repeat(16_000)));
    home.apply(&format!(
        "create sentinel honest using {} monitor any change fetch every 1 hour\n",
        page.url()
    ));
    let page_url = page.url();
    let deadline = Instant::now() + PATIENCE;
    let read = loop {
        let sources = server.all_items("/sources");
        let was_read = |source: &&Value| source["last_success"].is_string();
        if sources.iter().any(|source| source["url"] == page_url && was_read(&source)) {
            break sources.iter().filter(was_read).count();
        }
        assert!(Instant::now() < deadline, "{}", server.log());
    };
    assert!(read < FEEDS / 2, "{read} pages were read by then");
    let more = largest(server.pid()) - before;
    assert!(more < 200_000_000, "{more} bytes");
    assert_eq!(server.terminate().code(), Some(0));
}

#[test]
fn a_page_with_more_links_than_are_read_says_so_wherever_it_is_shown() {
    const PART: &str = "only the first 20,000 of 21,005 links";
    let home = Home::new(QUICK);
    let links = |from: usize| -> String {
        (from..from + 21_005).map(|n| format!("<a href=/{n}>{n}</a>\n")).collect()
    };
    let page = Page::of(links(1));
    home.apply(&format!(
        "create sentinel many using {} monitor links added notify by terminal\n",
        page.url()
    ));
    let mut server = home.serve();
    server.events().wait_for("version", |version| version["version"] == 1);
    let versions = server.items("/sources/1/versions");
    assert!(versions[0]["summary"].as_str().is_some_and(|said| said.contains(PART)));
    assert_eq!(server.get("/sources/1/versions/1/extract")["left_out"]["links"], 1_005);
    let shown = home.done(&["show", "many"]);
    assert!(shown.contains(PART), "{shown}");
    let source = String::from_utf8(server.page("/sources/1").body).expect("UTF-8");
    assert!(source.contains(PART));
    page.show(links(0));
    let told = server.out.wait_for(PATIENCE, |line| line.contains("link added"));
    let told = told.expect("a notification");
    assert!(told.contains(", from the first 20,000 of 21,005 links"), "{told}");
    assert!(counted(&server, "tidings_pages_cut_total") >= 2);
    assert_eq!(server.terminate().code(), Some(0));
}
