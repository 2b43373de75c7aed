//! Pages on web servers that are not ours, changed by hand on disk.

use crate::harness::{Home, Lines, PATIENCE, QUICK, clean, have};
use crate::webhook::{Delivery, Hook};
use serde_json::json;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A web server with a folder of files, and its access log as it is written.
struct WebServer {
    child: Child,
    log: Lines,
    url: String,
}

impl WebServer {
    fn python(folder: &Path) -> WebServer {
        let serve = "import http.server, sys\n\
            class Handler(http.server.SimpleHTTPRequestHandler):\n\
            \x20   protocol_version = 'HTTP/1.1'\n\
            server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)\n\
            print('port', server.server_port, file=sys.stderr, flush=True)\n\
            server.serve_forever()\n";
        let mut command = Command::new("python3");
        command.args(["-c", serve]).current_dir(folder);
        let mut web = WebServer::spawn(&mut command);
        let said = web.log.wait_for(PATIENCE, |line| line.starts_with("port ")).expect("a port");
        web.url = format!("http://127.0.0.1:{}", said.trim_start_matches("port "));
        web
    }

    fn nginx(folder: &Path) -> WebServer {
        // Free now; nginx cannot be asked which port it took.
        let port = TcpListener::bind("127.0.0.1:0").expect("a free port").local_addr();
        let port = port.expect("bound").port();
        let prefix = folder.join("nginx");
        std::fs::create_dir(&prefix).expect("a folder");
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|name| format!("{name}_temp_path {name};\n"))
            .concat();
        let configuration = format!(
            "daemon off;\nmaster_process off;\npid nginx.pid;\nerror_log stderr notice;\n\
             events {{}}\nhttp {{\n{temporary}types {{ text/html html; }}\n\
             log_format short '$status $request';\naccess_log /dev/stderr short;\n\
             server {{ listen 127.0.0.1:{port}; root {}; charset utf-8; }}\n}}\n",
            folder.display()
        );
        std::fs::write(prefix.join("nginx.conf"), configuration).expect("written");
        let mut command = Command::new("nginx");
        let path = format!("{}:/usr/sbin", std::env::var("PATH").unwrap_or_default());
        command.env("PATH", path).arg("-p").arg(&prefix).args(["-c", "nginx.conf", "-e", "stderr"]);
        let mut web = WebServer::spawn(&mut command);
        web.log.wait_for(PATIENCE, |line| line.contains("getrlimit")).expect("nginx starts");
        web.url = format!("http://127.0.0.1:{port}");
        web
    }

    fn spawn(command: &mut Command) -> WebServer {
        clean(command).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("a web server starts");
        let log = Lines::of(child.stderr.take().expect("piped"));
        WebServer { child, log, url: String::new() }
    }

    /// Waits until a request for the page is answered with this status.
    fn answers(&mut self, status: &str) {
        let wanted = |line: &str| {
            line.contains("/page.html") && line.split_whitespace().any(|word| word == status)
        };
        let found = self.log.wait_for(PATIENCE, wanted);
        assert!(found.is_some(), "no {status} for the page: {:#?}", self.log.seen);
    }
}

impl Drop for WebServer {
    fn drop(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }
}

#[test]
fn a_page_of_pythons_server_changed_on_disk_is_told_once_with_304s_in_between() {
    if have("python3") {
        changes_are_told(WebServer::python);
    }
}

#[test]
fn a_page_of_nginx_changed_on_disk_is_told_once_with_304s_in_between() {
    if have("nginx") {
        changes_are_told(WebServer::nginx);
    }
}

fn changes_are_told(start: fn(&Path) -> WebServer) {
    let hook = Hook::start();
    let home = Home::new(&format!("{QUICK}{}", hook.channel("hook")));
    let folder = home.path("www");
    std::fs::create_dir(&folder).expect("a folder");
    let show = |links: &str| {
        let page = format!("<!doctype html><title>News</title><h1>News</h1><p>{links}</p>");
        std::fs::write(folder.join("page.html"), page).expect("written");
    };
    show("<a href=/1>First</a>");
    let mut web = start(&folder);
    let url = format!("{}/page.html", web.url);
    home.apply(&format!("create sentinel news using {url} monitor links notify by hook"));
    let server = home.serve();
    web.answers("200");
    // The page is told apart from its predecessor by a clock of whole seconds: for a moment it is
    // asked for in full, then under its date.
    web.answers("304");
    web.answers("304");
    show("<a href=/1>First</a> <a href=/2>Second &amp; more</a>");
    let inserted = hook.next();
    the_body_is_as_promised(&inserted, &url);
    web.answers("200");
    web.answers("304");
    web.answers("304");
    show("<a href=/2>Second &amp; more</a>");
    let removed = hook.next();
    assert_ne!(removed.key, inserted.key);
    assert_eq!(removed.body["seq"], 2);
    assert_eq!(removed.body["changes"][0]["kind"], "delete");
    assert_eq!(removed.body["changes"][0]["old"]["text"], "First");
    web.answers("200");
    web.answers("304");
    web.answers("304");
    assert!(server.terminate().success());
    assert!(hook.nothing_more(), "each change is told once");
}

fn the_body_is_as_promised(delivery: &Delivery, url: &str) {
    let body = &delivery.body;
    assert_eq!(delivery.attempt, 1);
    assert_eq!(body["type"], "change");
    assert_eq!(body["sentinel"], "news");
    assert_eq!(body["seq"], 1);
    assert_eq!(body["rule"], json!(null));
    assert_eq!(body["summary"], "1 link added on News: “Second & more”");
    assert_eq!(body["leaves"], json!(["all links"]));
    assert_eq!(body["combinations"], json!([[0]]));
    assert_eq!(body["changes_total"], 1);
    assert_eq!(body["missed"], json!([]));
    let source = &body["sources"][0];
    assert_eq!(source["url"], url);
    assert_eq!(source["final_url"], url);
    assert_eq!(source["media_type"].as_str().map(|text| &text[..9]), Some("text/html"));
    assert_eq!((&source["from_version"], &source["to_version"]), (&json!(1), &json!(2)));
    for time in [&source["from_fetched_at"], &source["fetched_at"], &body["detected_at"]] {
        let time = time.as_str().expect("a time");
        assert!(time.len() == "2027-01-31T09:00:00.000Z".len() && time.ends_with('Z'), "{time}");
    }
    let change = &body["changes"][0];
    assert_eq!((&change["type"], &change["kind"]), (&json!("links"), &json!("insert")));
    assert_eq!((&change["leaf"], &change["source"]), (&json!(0), &json!(0)));
    assert_eq!(change["old"], json!(null));
    let href = url.replace("/page.html", "/2");
    assert_eq!(change["new"], json!({"text": "Second & more", "href": href}));
    assert_eq!(change["truncated"], false);
}
