//! The clients in the manual, as they stand there, against a running server.

use crate::harness::{Home, Lines, PATIENCE, QUICK, Server, clean, have};
use crate::page::Page;
use std::process::{Child, Command, Stdio};

const MANUAL: &str = include_str!("../../../../docs/manual.md");

/// The code of this language in the chapter on the API that asks the environment where to go.
fn client(language: &str) -> &'static str {
    let fence = format!("```{language}\n");
    let blocks = MANUAL.split(fence.as_str()).skip(1).filter_map(|rest| rest.split("```").next());
    let mut clients = blocks.filter(|code| code.contains("TIDINGS_TOKEN"));
    clients.next().expect("the manual has a client")
}

/// A program that is told where the server is; killed when dropped.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn environment<'a>(command: &'a mut Command, home: &Home, server: &Server) -> &'a mut Command {
    let token = std::fs::read_to_string(home.data().join("token")).expect("a token");
    let url = format!("http://{}", server.address);
    clean(command).env("TIDINGS", url).env("TIDINGS_TOKEN", token.trim()).stdin(Stdio::null())
}

#[test]
fn the_client_in_python_lists_and_hears_what_is_told() {
    if !have("python3") {
        return;
    }
    let (home, page) = (Home::new(QUICK), Page::of("<p>Fares <a href=/lisbon>Lisbon</a>"));
    home.apply(&format!("create sentinel fares using {} monitor links", page.url()));
    let server = home.serve();
    server.events().wait_for("version", |version| version["version"] == 1);
    let mut command = Command::new("python3");
    environment(&mut command, &home, &server).args(["-c", client("python")]);
    let mut program = Program(command.stdout(Stdio::piped()).spawn().expect("it starts"));
    let mut lines = Lines::of(program.0.stdout.take().expect("piped"));
    let listed = lines.wait_for(PATIENCE, |line| line.starts_with("fares "));
    assert_eq!(listed.as_deref(), Some("fares active"));
    page.show("<p>Fares <a href=/lisbon>Lisbon</a> <a href=/rome>Rome</a>");
    let told = lines.wait_for(PATIENCE, |line| line.contains("1 link added"));
    assert!(told.is_some(), "{:?}", lines.seen);
}

#[test]
fn the_client_in_shell_makes_a_sentinel_and_disables_it() {
    if !have("curl") {
        return;
    }
    let (home, page) = (Home::new(QUICK), Page::of("<p>Fares"));
    let server = home.serve();
    let run = || {
        let mut command = Command::new("sh");
        environment(&mut command, &home, &server);
        command.args(["-c", client("sh"), "client", "fares", &page.url()]);
        crate::harness::Ran::of(command.output().expect("it runs"))
    };
    let ran = run();
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("\"state\":\"disabled\""), "{}", ran.out);
    // The name is taken now.
    let again = run();
    assert!(again.code != Some(0) && again.err.contains("412"), "{}{}", again.out, again.err);
}
