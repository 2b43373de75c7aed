//! `tidings-VERSION-MACHINE.tar.gz`: for machines of any kind.

use super::{Parts, gzip, put, put_all, tar};
use anyhow::Result;
use std::path::PathBuf;

/// Files of the repository that go along.
const BESIDE: &[&str] = &["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

pub(super) fn make(parts: &Parts) -> Result<PathBuf> {
    let name = format!("tidings-{}-{}", parts.version, std::env::consts::ARCH);
    let folder = parts.out.join(&name);
    put(&parts.binary, &folder.join("tidings"), 0o755)?;
    put_all(&parts.man, &folder.join("man"))?;
    put_all(&parts.completions, &folder.join("completions"))?;
    let examples = parts.root.join("docs/examples");
    put(&examples.join("tidings.service"), &folder.join("tidings.service"), 0o644)?;
    put(&examples.join("tidings.toml"), &folder.join("tidings.toml"), 0o644)?;
    for file in BESIDE {
        put(&parts.root.join(file), &folder.join(file), 0o644)?;
    }
    let archive = parts.out.join(format!("{name}.tar"));
    tar(&parts.out, &archive, &[&name])?;
    gzip(&archive)
}
