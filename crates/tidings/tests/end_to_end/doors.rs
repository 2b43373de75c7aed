//! Who may come in: tokens, links and sessions through the command line and the wire.

use crate::harness::{Home, PATIENCE, QUICK, Server, clean, have};
use crate::wire::{self, Response};
use std::os::unix::fs::PermissionsExt;

fn status(server: &Server, path: &str, headers: &[(&str, &str)]) -> u16 {
    wire::ask(server.address, ("GET", path), headers, b"").expect("an answer").status
}

fn header<'r>(response: &'r Response, name: &str) -> &'r str {
    let found = response.headers.iter().find(|(given, _)| given == name);
    found.map(|(_, value)| value.as_str()).unwrap_or_default()
}

/// Logs in by the link that `tidings open` prints; gives the Cookie header.
fn log_in(home: &Home, server: &Server) -> String {
    let link = home.done(&["open", "--print"]);
    let key = link.trim().split_once('?').expect("a key").1.to_owned();
    let origin = format!("http://{}", server.address);
    let headers = [("origin", origin.as_str()), ("user-agent", "Lynx/2.9")];
    let answer = wire::ask(server.address, ("POST", "/login"), &headers, key.as_bytes());
    let answer = answer.expect("an answer");
    assert_eq!(answer.status, 303);
    header(&answer, "set-cookie").split(';').next().expect("a cookie").to_owned()
}

#[test]
fn a_browser_of_this_machine_is_a_stranger_until_it_uses_the_link() {
    let home = Home::new(QUICK);
    let server = home.serve();
    assert_eq!(status(&server, "/", &[]), 303);
    assert_eq!(status(&server, "/api/v1/sentinels", &[]), 401);
    assert!(server.out.seen.iter().all(|line| !line.contains("link=")), "{:?}", server.out.seen);
    let cookie = log_in(&home, &server);
    assert_eq!(status(&server, "/", &[("cookie", &cookie)]), 200);

    let listed = home.done(&["sessions"]);
    assert!(listed.contains("Lynx/2.9") && listed.contains("127.0.0.1"), "{listed}");
    let json = home.done(&["sessions", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let id = json[0]["id"].to_string();
    let server = {
        assert!(server.terminate().success());
        home.serve()
    };
    assert_eq!(status(&server, "/", &[("cookie", &cookie)]), 200, "it outlives the server");
    home.done(&["sessions", "end", &id]);
    assert_eq!(status(&server, "/", &[("cookie", &cookie)]), 303);
    assert_eq!(home.run(&["sessions", "end", &id]).code, Some(1));
}

#[test]
fn a_token_is_printed_once_and_works_until_it_is_revoked() {
    let home = Home::new(QUICK);
    // No server runs: the command does it itself.
    let token = home.done(&["token", "new", "--scope", "write", "--name", "from cron"]);
    let bearer = format!("Bearer {}", token.trim());
    let server = home.serve();
    assert_eq!(status(&server, "/api/v1/sentinels", &[("authorization", &bearer)]), 200);
    let listed = home.done(&["token", "list"]);
    assert!(listed.contains("from cron") && !listed.contains(token.trim()), "{listed}");
    for file in ["tidings.db", "tidings.db-wal"] {
        let bytes = std::fs::read(home.data().join(file)).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(!text.contains(token.trim()), "{file} has the token itself");
    }
    home.done(&["token", "revoke", "1"]);
    assert_eq!(status(&server, "/api/v1/sentinels", &[("authorization", &bearer)]), 401);
}

#[test]
fn a_data_directory_that_others_may_write_is_refused_with_what_mends_it() {
    let home = Home::new(QUICK);
    home.done(&["list"]);
    let chmod = |path: &std::path::Path, mode| {
        let mode = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(path, mode).expect("a mode");
    };
    let mended_by = |command: String| {
        let refused = home.run(&["serve"]);
        assert_eq!(refused.code, Some(1), "{}", refused.err);
        assert!(refused.err.contains(&command), "{}", refused.err);
        let mut words = command.split(' ');
        let mut mend = std::process::Command::new(words.next().expect("a program"));
        assert!(mend.args(words).status().expect("it runs").success());
        drop(home.serve());
    };
    let data = home.data();
    for mode in [0o770, 0o707, 0o775] {
        chmod(&data, mode);
        mended_by(format!("chmod go-w {}", data.display()));
    }
    let token = data.join("token");
    for mode in [0o640, 0o604, 0o660] {
        chmod(&token, mode);
        mended_by(format!("chmod 600 {}", token.display()));
    }
    chmod(&data, 0o755);
    let server = home.serve();
    for file in ["token", "tidings.db", "lock", "api.json"] {
        let mode = std::fs::metadata(data.join(file)).expect(file).permissions().mode();
        assert_eq!(mode & 0o077, 0, "{file}");
    }
    drop(server);
}

#[test]
fn a_browser_is_opened_on_a_page_of_the_users_own() {
    let home = Home::new(QUICK);
    let server = home.serve();
    let (bin, runtime) = (home.path("bin"), home.path("runtime"));
    for folder in [&bin, &runtime] {
        std::fs::create_dir(folder).expect("a folder");
    }
    let seen = home.path("seen");
    let script = format!(
        "#!/bin/sh\nprintf '%s' \"$*\" > '{0}.part'; mv '{0}.part' '{0}'\n",
        seen.display()
    );
    std::fs::write(bin.join("xdg-open"), script).expect("a script");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(bin.join("xdg-open"), mode).expect("a mode");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let open = |display: &str| {
        let mut command = home.command(&["open"]);
        command.env("PATH", &path).env("XDG_RUNTIME_DIR", &runtime).env("DISPLAY", display);
        let ran = command.env_remove("WAYLAND_DISPLAY").output().expect("the binary runs");
        String::from_utf8(ran.stdout).expect("UTF-8").trim().to_owned()
    };
    assert!(open("").contains("/login?link="));
    assert!(!seen.exists(), "there is no screen");
    let link = open(":7");
    let deadline = std::time::Instant::now() + crate::harness::PATIENCE;
    while !seen.exists() && std::time::Instant::now() < deadline {
        std::thread::yield_now();
    }
    let page = std::fs::read_to_string(&seen).expect("the browser was called");
    assert!(!page.contains("link="), "everybody sees a command line: {page}");
    let content = std::fs::read_to_string(&page).expect("a page");
    assert!(content.contains(&link), "{content}");
    let mode = std::fs::metadata(&page).expect("a page").permissions().mode();
    assert_eq!(mode & 0o077, 0);
    drop(server);
}

/// A server in a terminal of its own.
fn serve_in_terminal(home: &Home, arguments: &str) -> Server {
    let binary = env!("CARGO_BIN_EXE_tidings");
    let mut command = std::process::Command::new("script");
    let line = format!("exec {binary} serve {arguments}");
    clean(&mut command).args(["-qefc", &line, "/dev/null"]);
    command.current_dir(home.path("")).stdin(std::process::Stdio::null());
    Server::start(command, &home.data())
}

fn logs_in(server: &Server, link: &str) {
    let path = link.trim().strip_prefix(&format!("http://{}", server.address)).expect("ours");
    let page = wire::ask(server.address, ("GET", path), &[], b"").expect("an answer");
    assert!(String::from_utf8_lossy(&page.body).contains("Open the dashboard"));
}

#[test]
fn a_server_in_a_terminal_prints_a_link_that_logs_in() {
    if !have("script") {
        return;
    }
    let home = Home::new(QUICK);
    let mut server = serve_in_terminal(&home, "");
    let link = server.out.wait_for(PATIENCE, |line| line.contains("/login?link=")).expect("a link");
    logs_in(&server, &link);
}

#[test]
fn with_json_the_link_is_in_the_first_line_where_somebody_sits_at_a_terminal() {
    if !have("script") {
        return;
    }
    let first = |server: &Server| -> serde_json::Value {
        // A terminal shows the log, too.
        let line = server.out.seen.last().expect("one was waited for");
        serde_json::from_str(line.trim()).expect("JSON")
    };
    let home = Home::new(QUICK);
    let server = serve_in_terminal(&home, "--json");
    logs_in(&server, first(&server)["link"].as_str().expect("a link"));
    drop(server);
    let home = Home::new(QUICK);
    let server = Server::start(home.command(&["serve", "--json"]), &home.data());
    assert!(first(&server)["link"].is_null(), "a log is no place for it");
}
