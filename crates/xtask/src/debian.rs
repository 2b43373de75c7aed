//! What the tests need of the machine: installed where it lacks and we may, said where we may not.

use anyhow::Result;
use std::process::{Command, Stdio};

/// A program tests run as itself, and the Debian package that has it.
const PROGRAMS: &[(&str, &str)] = &[
    ("nginx", "nginx-light"),
    ("haproxy", "haproxy"),
    ("caddy", "caddy"),
    ("chromium", "chromium"),
    ("chromedriver", "chromium-driver"),
    ("python3", "python3"),
    ("zstd", "zstd"),
];

/// Installs what is missing; a test whose program is absent all the same says `not run`.
pub fn provide() -> Result<()> {
    let missing: Vec<&str> = PROGRAMS
        .iter()
        .filter(|(program, _)| !is_there(program))
        .map(|&(_, package)| package)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    if !is_there("apt-get") || !is_root() {
        eprintln!(
            "not installed: {}; the tests that need them say `not run`. On Debian: \
             apt-get install {}",
            missing.join(", "),
            missing.join(" ")
        );
        return Ok(());
    }
    eprintln!("$ apt-get install {}", missing.join(" "));
    let apt = |args: &[&str]| {
        let mut quiet = Command::new("apt-get");
        quiet.args(args).stdout(Stdio::null());
        quiet.env("DEBIAN_FRONTEND", "noninteractive").status()
    };
    apt(&["update", "-q"])?;
    let mut install = vec!["install", "-q", "-y", "--no-install-recommends"];
    install.extend(&missing);
    if !apt(&install)?.success() {
        eprintln!("apt-get could not install them; the tests that need them say `not run`");
    }
    Ok(())
}

fn is_there(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let extra = ["/usr/sbin".into(), "/sbin".into()];
    std::env::split_paths(&path).chain(extra).any(|folder| folder.join(program).is_file())
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.starts_with(b"0\n"))
}
