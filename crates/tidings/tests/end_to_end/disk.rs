//! A disk that is full.

use crate::harness::{Home, QUICK, Server, clean};
use std::process::Command;

/// KiB a file may have: room for the tables, not for all that comes.
const FILE_KIB_MAX: u32 = 1_024;

#[test]
fn a_full_disk_is_said_and_ends_the_server_and_what_was_answered_is_there() {
    let home = Home::new(&format!("{QUICK}store_patience_seconds = 0.5\n"));
    home.apply("create sentinel first using https://first.invalid/");
    let mut command = Command::new("bash");
    // Without the signal a write beyond the limit fails as one on a full disk does.
    let script = format!("trap '' XFSZ; ulimit -f {FILE_KIB_MAX}; exec \"$0\" serve");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_tidings")]);
    clean(&mut command).current_dir(home.path(""));
    let mut server = Server::start(command, &home.data());
    let mut answered = vec!["first".to_owned()];
    let refused = (0..10_000).find_map(|number| {
        let name = format!("s{number}");
        let text = format!("create sentinel {name} using https://{name}.invalid/");
        match server.try_ask(("POST", "/sentinels"), &text) {
            Ok((201, _)) => {
                answered.push(name);
                None
            }
            Ok((status, json)) => Some(format!("{status} {json}")),
            Err(error) => Some(error.to_string()),
        }
    });
    let refused = refused.expect("the limit is reached");
    assert!(!refused.contains("is stopping"), "it says why: {refused}");
    assert!(answered.len() > 2, "{answered:?}");
    assert_eq!(server.wait().code(), Some(1));
    let log = server.log();
    assert!(log.contains("the store did not take a batch"), "{log}");
    assert!(log.contains("nothing more can be stored: "), "{log}");
    drop(server);
    let server = home.serve();
    let there = server.all_items("/sentinels");
    for name in answered {
        assert!(there.iter().any(|sentinel| sentinel["name"] == name.as_str()), "{name} is lost");
    }
}
