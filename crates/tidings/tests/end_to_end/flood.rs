//! Strangers who open connections and send half of something, and texts that mean harm.

use crate::harness::{Home, QUICK, Server, clean};
use crate::page::Page;
use crate::webhook::Hook;
use std::io::Write;
use std::net::TcpStream;
use std::process::Command;

/// Connections of one stranger: more than the server may open files.
const HALVES: usize = 600;
/// What one request may hold the engine, in a debug build on a busy machine.
const HOLD_SECONDS_MAX: f64 = 1.0;

#[test]
fn half_sent_requests_of_a_stranger_stop_neither_looks_nor_alerts_nor_commands() {
    let hook = Hook::start();
    let settings = "probes_in_flight = 16\ndeliver.in_flight = 16\n";
    let home = Home::new(&format!("{settings}{QUICK}{}", hook.channel("hook")));
    let page = Page::of("<a href=/1>First</a>");
    home.apply(&format!("create sentinel s using {} monitor links notify by hook", page.url()));
    let mut limited = Command::new("sh");
    let limits = "ulimit -S -n 200; ulimit -H -n 400; exec \"$0\" serve";
    limited.args(["-c", limits, env!("CARGO_BIN_EXE_tidings")]).current_dir(home.path("."));
    clean(&mut limited);
    let server = Server::start(limited, &home.data());
    let asked = page.requests();
    let mut halves = Vec::new();
    for n in 0..HALVES {
        let Ok(mut half) = TcpStream::connect(server.address) else { break };
        let said: &[u8] = match n % 3 {
            0 => b"",
            1 => b"GET / HTTP/1.1\r\nhost: local",
            _ => b"POST /login HTTP/1.1\r\nhost: localhost\r\ncontent-length: 8000\r\n\r\ntoken=",
        };
        // Nobody listens to a connection that was turned away already.
        let _ = half.write_all(said);
        halves.push(half);
    }
    assert!(halves.len() > 400, "{} connections", halves.len());
    page.show("<a href=/1>First</a> <a href=/2>Second</a>");
    assert!(hook.next().body.to_string().contains("/2"), "it is looked at, and told");
    assert!(page.requests() > asked);
    let told = metrics(&server);
    assert!(number(&told, "tidings_web_connections_displaced_total") > 0.0, "{told}");
    assert!(number(&told, "tidings_web_connections") < 400.0, "{told}");
    assert!(!server.log().contains("Too many open files"), "{}", server.log());
}

#[test]
fn no_request_holds_the_engine() {
    let home = Home::new(QUICK);
    let server = home.serve();
    let chain = |length: usize| {
        let first = "create sentinel c0 using https://a.example/ monitor links".to_owned();
        (1..length).fold(first, |text, n| format!("{text}\ncreate sentinel c{n} using c{}", n - 1))
    };
    assert_eq!(server.ask(("POST", "/check"), &chain(10_000)).0, 200);
    assert_eq!(server.ask(("POST", "/sentinels"), &chain(3_000)).0, 201);
    for path in ["/sentinels?limit=1000", "/sources?limit=1000", "/plan", "/notifications"] {
        server.get(path);
    }
    server.page("/");
    let told = metrics(&server);
    let held = number(&told, "tidings_engine_hold_seconds_max");
    assert!(0.0 < held && held < HOLD_SECONDS_MAX, "{held} s: {told}");
}

fn metrics(server: &Server) -> String {
    String::from_utf8(server.page("/api/v1/metrics").body).expect("text")
}

/// The value of a metric without labels.
fn number(metrics: &str, name: &str) -> f64 {
    let line = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no {name} in {metrics}"))
}
