//! What git takes for the same bodies.

use super::histories::Page;
use anyhow::{Context, Result, bail};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Bytes of git's packs and their indexes after `git gc`, each version a commit, each page a
/// branch; `None`: git is not there.
pub fn bytes(pages: &[Page], folder: &Path) -> Result<Option<f64>> {
    let repository = folder.join("git");
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.arg("-C").arg(&repository).args(arguments).stdout(Stdio::null());
        command
    };
    std::fs::create_dir(&repository)?;
    match git(&["init", "-q", "--bare"]).status() {
        Err(_) => return Ok(None),
        Ok(status) if !status.success() => bail!("git init failed"),
        Ok(_) => {}
    }
    let mut import = git(&["fast-import", "--quiet"]).stdin(Stdio::piped()).spawn()?;
    let mut input = import.stdin.take().context("git reads what it imports")?;
    for (number, page) in pages.iter().enumerate() {
        for (at, body) in page.versions.iter().enumerate() {
            let head = format!(
                "commit refs/heads/page{number}\ncommitter bench <> {at} +0000\ndata 0\n\
                 M 100644 inline page\ndata {}\n",
                body.len()
            );
            input.write_all(head.as_bytes())?;
            input.write_all(body)?;
            input.write_all(b"\n")?;
        }
    }
    drop(input);
    if !import.wait()?.success() || !git(&["gc", "-q"]).status()?.success() {
        bail!("git did not pack the versions");
    }
    let mut bytes = 0;
    for file in std::fs::read_dir(repository.join("objects/pack"))? {
        bytes += file?.metadata()?.len();
    }
    Ok(Some(bytes as f64))
}
