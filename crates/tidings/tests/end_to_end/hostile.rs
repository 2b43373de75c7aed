//! Pages and files that mean harm.

use crate::chance::Chance;
use crate::harness::{Events, Home, Lines, PATIENCE, QUICK, Ran, Server, clean, have};
use crate::page::Page;
use crate::webhook::Hook;
use crate::wire::{Listener, Reply};
use std::ops::RangeInclusive;
use std::process::{Child, Command, Stdio};

/// Runs if a browser runs anything of the page.
const OWNED: &str = "document.title='owned'";

/// Bidirectional marks, embeddings, overrides and isolates.
const REORDERS: [RangeInclusive<char>; 3] =
    ['\u{200e}'..='\u{200f}', '\u{202a}'..='\u{202e}', '\u{2066}'..='\u{2069}'];

/// What a page says that wants to run scripts, to turn text around and to colour terminals.
fn evil() -> String {
    format!(
        "<script>{OWNED}</script><p>evil \u{202e}txet \u{1b}[31mred\u{7}\u{9b}2J \u{2066}x\
         &lt;script&gt;{OWNED}&lt;/script&gt;&lt;img src=x onerror=\"{OWNED}\"&gt;</p>\
         <p title=\"&quot;&gt;&lt;script&gt;{OWNED}\"><a href=\"javascript:{OWNED}\">\
         &lt;svg onload={OWNED}&gt;</a> <a href='http://x.example/\"onclick=\"{OWNED}'>quote</a></p>\
         <img src=x onerror=\"{OWNED}\" alt='\"&gt;&lt;script&gt;{OWNED}&lt;/script&gt;'>"
    )
}

/// No control but the line's end, nothing that reorders.
fn assert_clean(text: &str) {
    let reorders = |c: char| REORDERS.iter().any(|range| range.contains(&c));
    let harmful = text.chars().find(|&c| (c.is_control() && c != '\n') || reorders(c));
    assert_eq!(harmful, None, "in {:?}", text.chars().take(2_000).collect::<String>());
}

/// A server that has told three sentinels of a page that turned evil.
struct Haunted {
    home: Home,
    server: Server,
    events: Events,
    page: Page,
    hook: Hook,
}

fn haunted() -> Haunted {
    let hook = Hook::start();
    let home = Home::new(&format!("{QUICK}{}", hook.channel("hook")));
    let page = Page::of("<title>Calm</title><p>calm</p>");
    let url = page.url();
    home.apply(&format!(
        "create sentinel shown using {url} monitor any change or images or links notify by terminal\n\
         create sentinel kept using {url} monitor links or images notify by interactive\n\
         create sentinel sent using {url} notify by hook\n"
    ));
    let mut server = home.serve();
    let events = server.events();
    events.wait_for("version", |version| version["version"] == 1);
    page.show(evil());
    assert!(hook.next().body["changes"].to_string().contains("evil"));
    let shown = server.out.wait_for(PATIENCE, |line| line.contains("evil"));
    assert!(shown.is_some(), "{:?}", server.out.seen);
    Haunted { home, server, events, page, hook }
}

#[test]
fn an_evil_page_does_no_harm_to_terminal_dashboard_or_server() {
    let Haunted { home, mut server, events, page, hook } = haunted();
    for command in
        [&["list"][..], &["show", "shown"], &["diff", &page.url()], &["history", &page.url()]]
    {
        assert_clean(&home.done(command));
    }
    for path in [
        "/",
        "/sources/1",
        "/sentinels/shown",
        "/sentinels/kept",
        "/notifications/1",
        "/notifications/2",
    ] {
        let answer = server.page(path);
        assert_eq!(answer.status, 200, "{path}");
        let policy = answer.headers.iter().find(|(name, _)| name == "content-security-policy");
        assert!(policy.is_some_and(|(_, value)| value.contains("default-src 'none'")), "{path}");
        let html = String::from_utf8(answer.body).expect("UTF-8");
        assert_clean(&html);
        for harm in ["<script>doc", "<img src=x", "<svg onload", "=\"javascript:", "\"onclick"] {
            assert!(!html.contains(harm), "{path} has {harm}: {html}");
        }
    }
    let body = server.page("/api/v1/sources/1/versions/2/body");
    let header = |name: &str| body.headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str());
    assert_eq!(header("content-security-policy"), Some("sandbox"));
    assert_eq!(header("x-content-type-options"), Some("nosniff"));
    assert!(header("content-disposition").is_some_and(|value| value.starts_with("attachment")));

    let deep = format!("{}deep{}", "<div>".repeat(100_000), "</div>".repeat(100_000));
    let long = format!("<p>long {}</p>", "wide \u{202e}".repeat(100_000));
    for (number, content) in [(3, deep), (4, long), (5, "<p>calm</p>".to_owned())] {
        page.show(content);
        events.wait_for("probe", |probe| probe["version"] == number);
        hook.next();
    }
    server.out.wait_for(PATIENCE, |line| line.contains("calm")).expect("the last is shown too");
    server.out.seen.iter().for_each(|line| assert_clean(line));
    assert!(server.out.seen.iter().all(|line| line.chars().count() < 10_000));
    assert!(!server.log().contains("panic"));
    assert_eq!(server.terminate().code(), Some(0));
}

#[test]
fn a_sentinel_file_of_random_bytes_does_no_harm() {
    const WORDS: [&str; 16] = [
        "create ",
        "sentinel ",
        "a ",
        "using ",
        "http://x.example/ ",
        "monitor ",
        "links ",
        "and ",
        "not ",
        "( ",
        ") ",
        "every 2 ",
        "days ",
        "\"",
        "\u{202e}",
        "\\u{110000}",
    ];
    let home = Home::new(QUICK);
    let server = home.serve();
    let mut chance = Chance::new(7);
    for round in 0..24 {
        let length = chance.below(2_000) as usize;
        let content = match round % 3 {
            0 => chance.bytes(length),
            1 => chance.bytes(length).iter().map(|byte| byte & 0x7f).collect(),
            _ => (0..length).map(|_| WORDS[chance.below(16) as usize]).collect::<String>().into(),
        };
        let file = home.file("random", &content);
        for command in [["check", &file], ["fmt", &file], ["apply", &file]] {
            let ran = home.run(&command);
            assert_eq!(ran.code, Some(1), "{command:?} of {content:?}: {}", ran.out);
            assert!(!ran.err.contains("panicked"), "{}", ran.err);
            assert_clean(&ran.err);
        }
        assert_eq!(std::fs::read(&file).expect("there"), content, "fmt leaves it as it is");
    }
    assert!(server.items("/sentinels").is_empty());
    assert_eq!(server.terminate().code(), Some(0));
}

/// A browser process; killed when dropped.
struct Browser(Child);

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What a page is after its scripts have run.
fn dom(home: &Home, url: &str) -> String {
    let mut command = Command::new("chromium");
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]);
    command.args(["--disable-background-networking", "--disable-component-update"]);
    command.args(["--disable-sync", "--dump-dom"]);
    command.arg(format!("--user-data-dir={}", home.path("browser").display())).arg(url);
    clean(&mut command).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("chromium starts");
    let mut lines = Lines::of(child.stdout.take().expect("piped"));
    let _browser = Browser(child);
    lines.wait_for(PATIENCE, |line| line.contains("</html>")).expect("a whole page");
    lines.seen.join("\n")
}

#[test]
fn a_browser_runs_nothing_of_a_watched_page() {
    if !have("chromium") {
        return;
    }
    let Haunted { home, server, .. } = haunted();
    // The same words on a page without a guard do run: the browser is one that could be fooled.
    let open = Page::of(evil());
    assert!(dom(&home, &open.url()).contains("<title>owned</title>"));
    // Cookies know no ports: this door hands the browser a session, and sends it on.
    let (address, cookie) = (server.address, server.log_in());
    let door = Listener::start(move |request| {
        let there = format!("http://{address}{}", request.path);
        let headers = vec![("set-cookie", cookie.clone()), ("location", there)];
        Reply::Answer { status: 303, headers, body: Vec::new() }
    });
    for path in ["/", "/notifications/1", "/sources/1"] {
        let dom = dom(&home, &door.url(1, path));
        assert!(dom.contains("evil") || path == "/sources/1", "{path} shows the change: {dom}");
        assert!(dom.contains("Tidings</title>"), "{path}: {dom}");
        assert!(!dom.contains("<title>owned"), "{path}");
    }
}

#[test]
fn a_file_that_cannot_be_text_is_an_error_with_a_name() {
    let home = Home::new(QUICK);
    let file = home.file("binary", [0xff, 0xfe, 0x00]);
    let ran: Ran = home.run(&["check", &file]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("is not UTF-8 text"), "{}", ran.err);
}
