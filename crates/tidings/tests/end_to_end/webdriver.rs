//! A real browser: Debian's Chromium, headless, told what to do as WebDriver has it. Whatever is
//! looked for is waited for, by the driver.

use crate::harness::{Lines, PATIENCE, clean, have};
use crate::wire;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// Milliseconds for which an element is waited for.
const ELEMENT_WAIT: u64 = 15_000;
/// The key under which an element's id comes, by the standard.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
/// Names that the tests' proxies answer to, on this machine.
const NAMES: &str = "MAP *.example 127.0.0.1";

/// One browser with one window and a profile of its own.
pub struct Browser {
    driver: Child,
    address: SocketAddr,
    session: String,
    _profile: TempDir,
}

/// How often an element may be replaced under a click.
const STALE_MAX: u32 = 10;

/// How often the driver is started: the port that it finds free for one version of IP another
/// process may take for the other, and then it ends.
const STARTS_MAX: usize = 10;

/// A driver, and where it listens; else what it said.
fn start_driver(home: &Path) -> Result<(Child, SocketAddr), Vec<String>> {
    let mut command = Command::new("chromedriver");
    clean(&mut command).arg("--port=0").env("HOME", home);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut driver = command.spawn().expect("chromedriver starts");
    let mut out = Lines::of(driver.stdout.take().expect("piped"));
    let Some(said) = out.wait_for(PATIENCE, |line| line.contains("successfully on port")) else {
        // It has ended, or is of no use.
        let _ = driver.kill();
        let _ = driver.wait();
        return Err(out.seen);
    };
    let port = said.trim_end_matches('.').rsplit(' ').next().expect("a port");
    Ok((driver, ([127, 0, 0, 1], port.parse().expect("a port")).into()))
}

impl Browser {
    /// `None`, and said so, where the programs are absent.
    pub fn start() -> Option<Browser> {
        if !have("chromedriver") || !have("chromium") {
            return None;
        }
        let profile = tempfile::Builder::new().prefix("tidings-browser-").tempdir();
        let profile = profile.expect("a folder");
        let mut said = Vec::new();
        let started = (0..STARTS_MAX).find_map(|_| {
            let driver = start_driver(profile.path());
            driver.map_err(|lines| said = lines).ok()
        });
        let (driver, address) = started.unwrap_or_else(|| panic!("no chromedriver: {said:?}"));
        let mut browser = Browser { driver, address, session: String::new(), _profile: profile };
        browser.open();
        Some(browser)
    }

    fn open(&mut self) {
        let data = format!("--user-data-dir={}", self._profile.path().join("data").display());
        let names = format!("--host-resolver-rules={NAMES}");
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-proxy-server",
            &data,
            &names,
        ];
        let options = json!({"binary": "/usr/bin/chromium", "args": arguments});
        let capabilities = json!({"alwaysMatch": {
            "acceptInsecureCerts": true,
            "timeouts": {"implicit": ELEMENT_WAIT},
            "goog:chromeOptions": options,
        }});
        let opened = self.call("POST", "/session", &json!({"capabilities": capabilities}));
        self.session = opened["sessionId"].as_str().expect("a session").to_owned();
    }

    /// Opens a page, as if its address were typed.
    pub fn go(&self, url: &str) {
        self.ask("POST", "/url", &json!({"url": url}));
    }

    pub fn reload(&self) {
        self.ask("POST", "/refresh", &json!({}));
    }

    /// The address of the page that is shown.
    pub fn url(&self) -> String {
        let url = self.ask("GET", "/url", &Value::Null);
        url.as_str().expect("a URL").to_owned()
    }

    /// Waits for an element; `xpath` says which.
    pub fn find(&self, xpath: &str) -> String {
        let wanted = json!({"using": "xpath", "value": xpath});
        let found = self.ask("POST", "/element", &wanted);
        found[ELEMENT].as_str().expect("an element").to_owned()
    }

    /// Waits for an element and clicks on it.
    pub fn click(&self, xpath: &str) {
        self.act(xpath, "click", &json!({}));
    }

    /// Waits for a field and types into it.
    pub fn type_into(&self, xpath: &str, text: &str) {
        self.act(xpath, "value", &json!({"text": text}));
    }

    /// A live page may put a new element in the place of one that was just found.
    fn act(&self, xpath: &str, action: &str, body: &Value) {
        for _ in 0..STALE_MAX {
            let element = self.find(xpath);
            let path = format!("/session/{}/element/{element}/{action}", self.session);
            let answer = self.try_call("POST", &path, body).expect("an answer of chromedriver");
            let message = answer["value"]["message"].as_str().unwrap_or_default();
            match answer["value"]["error"].as_str() {
                None => return,
                Some("stale element reference") => {}
                // The same, where it is replaced while the pointer is on its way.
                Some(_) if message.contains("does not belong to the document") => {}
                Some(error) => panic!("{path}: {error}: {message}"),
            }
        }
        panic!("{xpath} is replaced whenever it is found");
    }

    /// A further window, which is the one at work from now on; its handle.
    pub fn new_window(&self) -> String {
        let made = self.ask("POST", "/window/new", &json!({"type": "window"}));
        let handle = made["handle"].as_str().expect("a handle").to_owned();
        self.switch_to(&handle);
        handle
    }

    pub fn switch_to(&self, handle: &str) {
        self.ask("POST", "/window", &json!({"handle": handle}));
    }

    /// What a script returns.
    pub fn run(&self, script: &str) -> Value {
        self.ask("POST", "/execute/sync", &json!({"script": script, "args": []}))
    }

    /// Goes into a frame of the page; what is looked for next is looked for there.
    pub fn enter_frame(&self, xpath: &str) {
        let element = self.find(xpath);
        self.ask("POST", "/frame", &json!({"id": {ELEMENT: element}}));
    }

    /// Back to the page itself.
    pub fn leave_frame(&self) {
        self.ask("POST", "/frame", &json!({"id": null}));
    }

    /// Pretends another screen or another taste; a command of the protocol's `Emulation`.
    pub fn emulate(&self, command: &str, params: &Value) {
        let body = json!({"cmd": format!("Emulation.{command}"), "params": params});
        self.ask("POST", "/goog/cdp/execute", &body);
    }

    /// Presses keys where the focus is.
    pub fn press(&self, keys: &str) {
        let actions = keys.chars().flat_map(|key| {
            ["keyDown", "keyUp"].map(|what| json!({"type": what, "value": key.to_string()}))
        });
        let keyboard = json!({"type": "key", "id": "keys", "actions": actions.collect::<Vec<_>>()});
        self.ask("POST", "/actions", &json!({"actions": [keyboard]}));
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        self.call(method, &format!("/session/{}{path}", self.session), body)
    }

    #[track_caller]
    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        let answer = self.try_call(method, path, body).expect("an answer of chromedriver");
        let value = answer["value"].clone();
        if let Some(error) = value["error"].as_str() {
            let seen =
                self.try_call("GET", &format!("/session/{}/source", self.session), &json!({}));
            let seen = seen.map(|seen| seen["value"].clone()).unwrap_or_default();
            panic!("{path} {body}: {error}: {}\nthe page: {seen}", value["message"]);
        }
        value
    }

    fn try_call(&self, method: &str, path: &str, body: &Value) -> std::io::Result<Value> {
        let body = if method == "GET" { Vec::new() } else { body.to_string().into_bytes() };
        let headers = [("connection", "close"), ("content-type", "application/json")];
        let answer = wire::ask_modern(self.address, (method, path), &headers, &body)?;
        Ok(serde_json::from_slice(&answer.body)?)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Ends the browser; without it the driver's death would leave one behind.
        let _ = self.try_call("DELETE", &format!("/session/{}", self.session), &json!({}));
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
