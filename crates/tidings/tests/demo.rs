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
    /// The user's runtime directory.
    runtime: tempfile::TempDir,
    lines: Receiver<String>,
}

impl Demo {
    fn start() -> Demo {
        let runtime = tempfile::tempdir().expect("a folder");
        let mut child = Command::new(env!("CARGO_BIN_EXE_tidings"))
            .args(["serve", "--demo", "--listen", "127.0.0.1:0"])
            .env("NO_COLOR", "1")
            .env("XDG_RUNTIME_DIR", runtime.path())
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
        Demo { child, runtime, lines }
    }

    /// What `tidings open` prints for the user of this demo.
    fn link(&self) -> String {
        let opened = Command::new(env!("CARGO_BIN_EXE_tidings"))
            .args(["open", "--print"])
            .current_dir(self.runtime.path())
            .env("XDG_RUNTIME_DIR", self.runtime.path())
            .env("XDG_DATA_HOME", self.runtime.path().join("nothing"))
            .output()
            .expect("the binary runs");
        let said = String::from_utf8_lossy(&opened.stderr);
        assert!(opened.status.success(), "{said}");
        String::from_utf8(opened.stdout).expect("UTF-8").trim().to_owned()
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

/// Asks as a browser on the dashboard would.
fn ask(
    address: &str,
    (method, path): (&str, &str),
    (headers, body): (&str, &str),
) -> (String, String) {
    let mut stream = TcpStream::connect(address).expect("the API listens");
    stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a time-out can be set");
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.0\r\nHost: {address}\r\nOrigin: http://{address}\r\n\
         Content-Length: {length}\r\n{headers}\r\n{body}"
    );
    stream.write_all(request.as_bytes()).expect("the API reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the API answers");
    let (head, body) = answer.split_once("\r\n\r\n").expect("an HTTP answer");
    (head.to_owned(), body.to_owned())
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

    // `2027-01-31 09:00:00 UTC  headlines  1 link added on news.localhost:7781: “Fares”`
    let told = |line: &str| {
        let (_, rest) = line.split_once(" UTC  ")?;
        let (sentinel, summary) = rest.split_once("  ")?;
        Some((sentinel.to_owned(), summary.to_owned()))
    };
    let (sentinel, summary) = demo.line(until, told);
    let link = demo.link();
    let path = link.strip_prefix(&format!("http://{address}")).expect("a link to the demo");
    let (_, page) = ask(&address, ("GET", path), ("", ""));
    assert!(page.contains("Open the dashboard"), "{page}");
    let key = path.split_once('?').expect("a key").1;
    let (head, _) = ask(&address, ("POST", "/login"), ("", key));
    assert!(head.contains(" 303 "), "{head}");
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: "));
    let cookie =
        format!("Cookie: {}\r\n", cookie.expect("a session").split(';').next().expect("it"));
    let (head, listed) = ask(&address, ("GET", "/api/v1/notifications"), (&cookie, ""));
    assert!(head.contains(" 200 "), "{head}");
    let listed: Value = serde_json::from_str(&listed).expect("JSON");
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
    assert!(!demo.runtime.path().join("tidings/demo.json").exists(), "nobody is led astray");
}
