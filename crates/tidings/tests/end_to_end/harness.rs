//! Starts `tidings` as a person would: a configuration, a data directory, a command line. Every
//! wait ends with a condition or, with what was seen until then, at a deadline.

use crate::wire;
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long anything may take; only a failing test ever waits this long.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Intervals that suit a test, and loopback allowed.
pub const QUICK: &str = r#"
listen = "127.0.0.1:0"
chronon_seconds = 0.1
budget = "50 per second"
host_interval_seconds = 0.1
interval_initial_seconds = 0.3
interval_min_seconds = 0.3
interval_max_seconds = 0.5
fetch.allow_addresses = ["127.0.0.0/8"]
"#;

/// A configuration and a data directory of their own.
pub struct Home {
    folder: TempDir,
}

impl Home {
    /// `settings` is `tidings.toml` without `data_dir`.
    pub fn new(settings: &str) -> Home {
        let folder = tempfile::Builder::new().prefix("tidings-").tempdir().expect("a folder");
        let home = Home { folder };
        home.configure(settings);
        home
    }

    pub fn configure(&self, settings: &str) {
        let data = self.data();
        let text = format!("data_dir = {data:?}\n{settings}");
        std::fs::write(self.path("tidings.toml"), text).expect("written");
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn data(&self) -> PathBuf {
        self.path("data")
    }

    /// Writes a file of this home and gives its path.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, content).expect("written");
        path.to_string_lossy().into_owned()
    }

    /// The binary in this home, without what the environment of the test says to it.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tidings"));
        clean(&mut command).args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command(arguments).output().expect("the binary runs"))
    }

    /// Runs a command that must succeed and gives what it printed.
    pub fn done(&self, arguments: &[&str]) -> String {
        let ran = self.run(arguments);
        assert_eq!(ran.code, Some(0), "tidings {arguments:?}: {}{}", ran.out, ran.err);
        ran.out
    }

    /// Applies sentinels, which must be accepted.
    pub fn apply(&self, text: &str) -> String {
        let file = self.file("sentinels.tidings", text);
        self.done(&["apply", &file])
    }

    pub fn serve(&self) -> Server {
        Server::start(self.command(&["serve"]), &self.data())
    }
}

/// Sends a signal, named without SIG, to a process of ours.
pub fn signal(pid: u32, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &pid.to_string()]).status();
    assert!(sent.expect("kill runs").success());
}

/// Proxies of the machine must not stand between a test and its loopback.
pub fn clean(command: &mut Command) -> &mut Command {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy().to_lowercase();
        if text.starts_with("tidings_") || text.ends_with("_proxy") {
            command.env_remove(name);
        }
    }
    // Times are printed in the zone of whoever reads.
    command.env("TZ", "UTC")
}

/// A command that ended.
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn of(output: Output) -> Ran {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ran { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }
}

/// A running `tidings serve`; killed when dropped.
pub struct Server {
    child: Child,
    pub out: Lines,
    log: PathBuf,
    pub address: SocketAddr,
    token: String,
}

impl Server {
    /// Starts `command` and waits until it says where its dashboard is.
    pub fn start(mut command: Command, data: &Path) -> Server {
        let log = data.with_extension("log");
        let to = File::options().create(true).append(true).open(&log).expect("a log");
        command.stdout(Stdio::piped()).stderr(to).env("TIDINGS_LOG", "info,tidings=debug");
        let mut child = command.spawn().expect("the binary runs");
        let mut out = Lines::of(child.stdout.take().expect("piped"));
        if out.wait_for(PATIENCE, |line| line.contains("dashboard")).is_none() {
            // It may have ended by itself.
            let _ = child.kill();
            panic!("no server: {:?}\n{}", child.wait(), read(&log));
        }
        let plate = std::fs::read(data.join("api.json")).expect("a doorplate");
        let plate: Value = serde_json::from_slice(&plate).expect("JSON");
        let address = plate["address"].as_str().expect("text").parse().expect("an address");
        let token = plate["token"].as_str().expect("text").to_owned();
        Server { child, out, log, address, token }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What it wrote to standard error, with that of the servers before it in this home.
    pub fn log(&self) -> String {
        read(&self.log)
    }

    /// `path` is below `/api/v1`.
    pub fn ask(&self, (method, path): (&str, &str), body: &str) -> (u16, Value) {
        let answer = self.try_ask((method, path), body);
        answer.unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Like [`Server::ask`], of a server that may have gone.
    pub fn try_ask(
        &self,
        (method, path): (&str, &str),
        body: &str,
    ) -> std::io::Result<(u16, Value)> {
        let bearer = format!("Bearer {}", self.token);
        let headers = [("authorization", bearer.as_str()), ("content-type", "text/plain")];
        let path = format!("/api/v1{path}");
        let answer = wire::ask(self.address, (method, &path), &headers, body.as_bytes())?;
        Ok((answer.status, serde_json::from_slice(&answer.body).unwrap_or(Value::Null)))
    }

    pub fn get(&self, path: &str) -> Value {
        let (status, json) = self.ask(("GET", path), "");
        assert_eq!(status, 200, "GET {path}: {json}");
        json
    }

    /// The first items of a list.
    pub fn items(&self, path: &str) -> Vec<Value> {
        let json = self.get(path);
        json["items"].as_array().expect("a list").clone()
    }

    /// Every item of a list, page by page.
    pub fn all_items(&self, path: &str) -> Vec<Value> {
        let (mut items, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = self.get(&format!("{path}?limit=1000{cursor}"));
            items.extend(page["items"].as_array().expect("a list").iter().cloned());
            let Some(next) = page["next"].as_str() else { return items };
            cursor = format!("&cursor={next}");
        }
    }

    /// A page of the dashboard, or any other path of the server.
    pub fn page(&self, path: &str) -> wire::Response {
        self.form(("GET", path), "")
    }

    /// What the server answers to a form, sent by somebody with the token.
    pub fn form(&self, request: (&str, &str), fields: &str) -> wire::Response {
        let bearer = format!("Bearer {}", self.token);
        let headers = [("authorization", bearer.as_str())];
        wire::ask(self.address, request, &headers, fields.as_bytes()).expect("an answer")
    }

    /// Logs in as the form does; gives what a browser is to send as its cookie.
    pub fn log_in(&self) -> String {
        let origin = format!("http://{}", self.address);
        let headers = [("origin", origin.as_str())];
        let form = format!("token={}", self.token);
        let answer = wire::ask(self.address, ("POST", "/login"), &headers, form.as_bytes());
        let answer = answer.expect("an answer");
        let set = answer.headers.iter().find(|(name, _)| name == "set-cookie");
        let cookie = set.and_then(|(_, value)| value.split(';').next());
        cookie.expect("a session").to_owned()
    }

    /// What happens, from the start of this server on: (event, data).
    pub fn events(&self) -> Events {
        let path = "/api/v1/events?after=0";
        let bearer = format!("Bearer {}", self.token);
        let headers = [("authorization", bearer.as_str())];
        let stream = wire::open(self.address, ("GET", path), &headers, b"").expect("an answer");
        let (sender, events) = channel();
        std::thread::spawn(move || {
            let mut name = String::new();
            for line in stream.lines().map_while(Result::ok) {
                if let Some(event) = line.strip_prefix("event: ") {
                    event.clone_into(&mut name);
                } else if let Some(data) = line.strip_prefix("data: ") {
                    let data = serde_json::from_str(data).expect("JSON");
                    if sender.send((name.clone(), data)).is_err() {
                        return;
                    }
                }
            }
        });
        Events(events)
    }

    /// `kill -9`.
    pub fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    /// SIGTERM, and how it ended.
    pub fn terminate(mut self) -> ExitStatus {
        signal(self.child.id(), "TERM");
        self.wait()
    }

    /// Waits until it ends by itself: standard output closes with it.
    pub fn wait(&mut self) -> ExitStatus {
        assert!(self.out.wait_for(PATIENCE, |_| false).is_none());
        assert!(self.out.closed, "it does not end\n{}", self.log());
        self.child.wait().expect("it ends")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!("--- the server's log\n{}", self.log());
        }
    }
}

fn read(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned()
}

/// A server's events as they come.
pub struct Events(Receiver<(String, Value)>);

impl Events {
    /// The next event of this name that is as wanted.
    pub fn wait_for(&self, name: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.0.recv_timeout(left(deadline)) {
                Ok((event, data)) if event == name && wanted(&data) => return data,
                Ok(_) => {}
                Err(error) => panic!("no such `{name}` event: {error}"),
            }
        }
    }
}

/// The lines another process writes, as they come.
pub struct Lines {
    receiver: Receiver<String>,
    pub seen: Vec<String>,
    pub closed: bool,
}

impl Lines {
    pub fn of(source: impl Read + Send + 'static) -> Lines {
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            let mut reader = BufReader::new(source);
            let mut line = Vec::new();
            while reader.read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
                let text = String::from_utf8_lossy(&line).trim_end_matches('\n').to_owned();
                line.clear();
                if sender.send(text).is_err() {
                    return;
                }
            }
        });
        Lines { receiver, seen: Vec::new(), closed: false }
    }

    /// The next line as wanted; `None` when there is none in time, or no more at all.
    pub fn wait_for(
        &mut self,
        patience: Duration,
        wanted: impl Fn(&str) -> bool,
    ) -> Option<String> {
        let deadline = Instant::now() + patience;
        loop {
            match self.receiver.recv_timeout(left(deadline)) {
                Ok(line) => {
                    self.seen.push(line.clone());
                    if wanted(&line) {
                        return Some(line);
                    }
                }
                Err(error) => {
                    self.closed = error == RecvTimeoutError::Disconnected;
                    return None;
                }
            }
        }
    }
}

/// What is left until a deadline.
pub fn left(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

/// Whether a program is there; says so if not, since the test then proves nothing.
pub fn have(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let there = std::env::split_paths(&folders)
        .chain(["/usr/sbin".into(), "/usr/local/sbin".into()])
        .any(|folder| folder.join(program).is_file());
    if !there {
        println!("not run: {program} is absent");
    }
    there
}
