//! Dependencies as cargo-deny judges them: licences, bans, sources, and known vulnerabilities.

use anyhow::{Result, bail};
use std::path::Path;
use std::process::{Command, Stdio};

/// Checks what `deny.toml` says. Advisories need a database from the network, and cargo-deny may
/// be absent: either is said and is no failure, as `tidy` checks licences and bans too.
///
/// # Errors
/// cargo-deny found something.
pub fn run(root: &Path) -> Result<()> {
    let deny = |args: &[&str]| {
        let mut command = Command::new("cargo");
        command.arg("deny").args(args).current_dir(root);
        command
    };
    let quietly = |args: &[&str]| {
        let status = deny(args).stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    if !quietly(&["--version"]) {
        println!("not run: cargo-deny is not installed (cargo install cargo-deny --locked)");
        return Ok(());
    }
    let mut checks = vec!["check", "--hide-inclusion-graph", "licenses", "bans", "sources"];
    if quietly(&["fetch", "db"]) {
        checks.push("advisories");
    } else {
        println!("not run: advisories, for the advisory database cannot be had from here");
    }
    if !deny(&checks).status()?.success() {
        bail!("cargo deny {} found something", checks.join(" "));
    }
    Ok(())
}
