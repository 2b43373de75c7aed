//! `tidings serve --demo` as a newcomer runs it: the first alert comes within seconds, in the
//! terminal and in the API, and SIGTERM ends it without leaving anything behind.
#![cfg(unix)]

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// By when the first alert must be there.
const FIRST_ALERT_MAX: Duration = Duration::from_secs(20);

/// A demo that is killed if the test fails.
struct Demo {
    child: Child,
    lines: Receiver<String>,
}

impl Demo {
    fn start() -> Demo {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tidings"))
            .args(["serve", "--demo", "--listen", "127.0.0.1:0"])
            .env("NO_COLOR", "1")
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Demo { child, lines }
    }

    /// The next line for which `wanted` gives something.
    fn line<T>(&self, until: Instant, wanted: impl Fn(&str) -> Option<T>) -> T {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).expect("the line comes in time");
            if let Some(found) = wanted(&line) {
                return found;
            }
        }
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn get(address: &str, path: &str) -> Value {
    let mut stream = TcpStream::connect(address).expect("the API listens");
    stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a time-out can be set");
    let request = format!("GET {path} HTTP/1.0\r\nHost: {address}\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("the API reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the API answers");
    let (head, body) = answer.split_once("\r\n\r\n").expect("an HTTP answer");
    assert!(head.contains(" 200 "), "{head}");
    serde_json::from_str(body).expect("JSON")
}

#[test]
fn the_demo_tells_of_a_real_change_within_seconds_and_ends_when_asked() {
    let until = Instant::now() + FIRST_ALERT_MAX;
    let mut demo = Demo::start();
    let dashboard = |line: &str| line.trim().strip_prefix("Dashboard").map(|l| l.trim().to_owned());
    let address = demo.line(until, dashboard);
    let address = address.trim_start_matches("http://").trim_end_matches('/').to_owned();
    let data_dir = |line: &str| line.split("--data-dir ").nth(1).map(str::to_owned);
    let data_dir = demo.line(until, data_dir);
    assert!(Path::new(&data_dir).is_dir(), "{data_dir} holds the demo's data");

    // `2027-01-31 09:00:00 UTC  headlines  1 link added on news.localhost:7781`
    let told = |line: &str| {
        let (_, rest) = line.split_once(" UTC  ")?;
        let (sentinel, summary) = rest.split_once("  ")?;
        Some((sentinel.to_owned(), summary.to_owned()))
    };
    let (sentinel, summary) = demo.line(until, told);
    let listed = get(&address, "/api/v1/notifications");
    let items = listed["items"].as_array().expect("a list");
    let same = |item: &&Value| item["sentinel"] == *sentinel && item["summary"] == *summary;
    assert!(items.iter().any(|item| same(&item)), "{sentinel}: {summary} is not in {listed}");

    let pid = demo.child.id().to_string();
    let asked = Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs");
    assert!(asked.success());
    let over = |line: &str| line.starts_with("The demo is over").then_some(());
    demo.line(Instant::now() + FIRST_ALERT_MAX, over);
    assert_eq!(demo.child.wait().expect("it ends").code(), Some(0));
    assert!(!Path::new(&data_dir).exists(), "{data_dir} is removed");
}
