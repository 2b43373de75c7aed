//! `cargo xtask dist`: what people install, made with neither root nor Docker: an archive, a Debian
//! package, and an OCI image archive.

mod archive;
mod debian;
mod image;
#[cfg(test)]
mod tests;

use anyhow::{Context, Result, bail};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Linked statically, it runs on any Linux.
const STATIC_TARGET: &str = "x86_64-unknown-linux-musl";
/// The shells whose completions are shipped, and what the file is called that each looks for.
const SHELLS: &[(&str, &str)] =
    &[("bash", "tidings"), ("zsh", "_tidings"), ("fish", "tidings.fish")];

/// Emptied first, hence not where cargo puts what the profile `dist` builds.
const RESULTS: &str = "target/packages";

/// What every form of a release is made of.
struct Parts {
    version: String,
    binary: PathBuf,
    /// Manual pages, `*.1`.
    man: PathBuf,
    /// Files of [`SHELLS`].
    completions: PathBuf,
    /// The repository: licences, books, the unit.
    root: PathBuf,
    /// Where the results go.
    out: PathBuf,
}

/// Builds the binary, unless one is given, and everything that is made of it.
pub fn run(root: &Path, binary: Option<&Path>) -> Result<()> {
    let binary = match binary {
        Some(binary) => std::path::absolute(binary)?,
        None => build(root)?,
    };
    let out = root.join(RESULTS);
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    let parts = Parts {
        version: version(&binary)?,
        man: out.join("man"),
        completions: out.join("completions"),
        binary,
        root: root.to_owned(),
        out,
    };
    fs::create_dir_all(&parts.completions)?;
    asked(Command::new(&parts.binary).arg("man").arg(&parts.man))?;
    for (shell, file) in SHELLS {
        let script = asked(Command::new(&parts.binary).args(["completions", shell]))?;
        fs::write(parts.completions.join(file), script)?;
    }
    for made in [archive::make(&parts)?, debian::make(&parts)?, image::make(&parts)?] {
        println!("{}  {} kB", made.display(), fs::metadata(&made)?.len() / 1_000);
    }
    Ok(())
}

/// The binary as it is shipped: static where the target is installed.
fn build(root: &Path) -> Result<PathBuf> {
    let targets = Command::new("rustup").args(["target", "list", "--installed"]).output();
    let installed = targets.is_ok_and(|said| {
        String::from_utf8_lossy(&said.stdout).lines().any(|line| line == STATIC_TARGET)
    });
    let mut arguments =
        vec!["build", "--profile=dist", "--locked", "-p", "tidings", "--features=jemalloc"];
    let mut folder = root.join("target");
    if installed {
        arguments.extend(["--target", STATIC_TARGET]);
        folder.push(STATIC_TARGET);
    } else {
        eprintln!("{STATIC_TARGET} is not installed: the binary needs this machine's C library");
    }
    super::cargo(root, &arguments)?;
    Ok(folder.join("dist/tidings"))
}

/// The version that the binary says it has.
fn version(binary: &Path) -> Result<String> {
    let said = asked(Command::new(binary).arg("--version"))?;
    let said = String::from_utf8(said)?;
    let version = said.split_whitespace().nth(1).context("the binary says no version")?;
    Ok(version.to_owned())
}

/// Runs a program that must succeed, and gives what it printed.
fn asked(command: &mut Command) -> Result<Vec<u8>> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("`{program}` cannot be run"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        bail!("`{program}` failed: {}{said}", String::from_utf8_lossy(&output.stdout));
    }
    Ok(output.stdout)
}

/// Copies a file to a place below a folder that need not be there.
fn put(from: &Path, to: &Path, mode: u32) -> Result<()> {
    make_folder_of(to)?;
    fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
    fs::set_permissions(to, fs::Permissions::from_mode(mode))?;
    Ok(())
}

fn write(text: &str, to: &Path, mode: u32) -> Result<()> {
    make_folder_of(to)?;
    fs::write(to, text)?;
    fs::set_permissions(to, fs::Permissions::from_mode(mode))?;
    Ok(())
}

/// Makes the folder in which a file is to stand, for everybody to read.
fn make_folder_of(file: &Path) -> Result<()> {
    let folder = file.parent().context("a file stands in a folder")?;
    Ok(fs::create_dir_all(folder)?)
}

/// Every file of a folder, copied to another.
fn put_all(from: &Path, to: &Path) -> Result<()> {
    for file in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let file = file?;
        put(&file.path(), &to.join(file.file_name()), 0o644)?;
    }
    Ok(())
}

/// A tar of a folder's content: in one order, everything of one owner and one age, so that the same
/// files make the same archive.
fn tar(folder: &Path, to: &Path, content: &[&str]) -> Result<()> {
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"]);
    asked(tar.arg("-cf").arg(to).arg("-C").arg(folder).args(content)).map(drop)
}

/// Compresses a file in its place; gives the name it has then.
fn gzip(file: &Path) -> Result<PathBuf> {
    asked(Command::new("gzip").args(["-n", "-9", "-f"]).arg(file))?;
    let mut name = file.as_os_str().to_owned();
    name.push(".gz");
    Ok(name.into())
}

/// The unit of the repository, for a binary and a user that a package brings along.
fn unit(root: &Path) -> Result<String> {
    let mut unit = fs::read_to_string(root.join("docs/examples/tidings.service"))?;
    for (theirs, packaged) in [
        ("ExecStart=/usr/local/bin/tidings", "ExecStart=/usr/bin/tidings"),
        ("DynamicUser=yes", "User=tidings\nGroup=tidings"),
    ] {
        if !unit.contains(theirs) {
            bail!("docs/examples/tidings.service has no `{theirs}`");
        }
        unit = unit.replace(theirs, packaged);
    }
    Ok(unit)
}
