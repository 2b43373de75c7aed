//! The Debian package: binary, pages, completions, a user, a unit that starts with the machine.

use super::{Parts, asked, gzip, put, put_all, unit, write};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The user that the service runs as, in the form of systemd-sysusers.
const SYSUSERS: &str = "u tidings - \"Tidings\" /var/lib/tidings\n";

/// `DPKG_ROOT` is where another system is being made.
pub(super) const POSTINST: &str = r#"#!/bin/sh
set -e
if [ "$1" = configure ]; then
    if command -v systemd-sysusers >/dev/null; then
        systemd-sysusers ${DPKG_ROOT:+--root="$DPKG_ROOT"} tidings.conf
    elif ! getent passwd tidings >/dev/null; then
        adduser --system --group --home /var/lib/tidings --no-create-home tidings
    fi
    if [ -z "$DPKG_ROOT" ]; then
        # It may hold the password of a mail server.
        chown root:tidings /etc/tidings/tidings.toml
        chmod 0640 /etc/tidings/tidings.toml
        if [ -d /run/systemd/system ]; then
            systemctl daemon-reload
            # A removal leaves it enabled; who disabled it keeps it so.
            if [ -z "$2" ]; then systemctl enable --now tidings.service
            elif systemctl is-enabled --quiet tidings.service; then
                systemctl restart tidings.service
            else systemctl try-restart tidings.service; fi
        fi
    fi
fi
"#;

pub(super) const PRERM: &str = r#"#!/bin/sh
set -e
if [ "$1" = remove ] && [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; then
    systemctl stop tidings.service
fi
"#;

/// What was watched and told outlives a removal, and ends with a purge.
const POSTRM: &str = r#"#!/bin/sh
set -e
if [ "$1" = purge ]; then
    rm -rf "$DPKG_ROOT/var/lib/tidings"
    rm -f "$DPKG_ROOT/etc/systemd/system/multi-user.target.wants/tidings.service"
fi
if [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
"#;

const ABOUT: &str = "Section: web
Priority: optional
Maintainer: Tidings <tidings@localhost>
Description: watches web pages and feeds and tells you of changes
 Tidings looks at web pages and feeds as often as a budget of requests allows,
 and tells you of the changes you asked for, once, by mail, webhook or chat.
";

pub(super) fn make(parts: &Parts) -> Result<PathBuf> {
    let machine = asked(Command::new("dpkg").arg("--print-architecture"));
    let machine = String::from_utf8(machine.context("a Debian package needs dpkg")?)?;
    let machine = machine.trim();
    let tree = parts.out.join("debian");
    if tree.exists() {
        fs::remove_dir_all(&tree)?;
    }
    files(parts, &tree)?;
    let (version, depends) = (&parts.version, depends(&parts.binary, &parts.out)?);
    let control = format!(
        "Package: tidings\nVersion: {version}\nArchitecture: {machine}\nDepends: {depends}\n{ABOUT}"
    );
    let about = tree.join("DEBIAN");
    write(&control, &about.join("control"), 0o644)?;
    write("/etc/tidings/tidings.toml\n", &about.join("conffiles"), 0o644)?;
    for (name, script) in [("postinst", POSTINST), ("prerm", PRERM), ("postrm", POSTRM)] {
        write(script, &about.join(name), 0o755)?;
    }
    let package = parts.out.join(format!("tidings_{version}_{machine}.deb"));
    let mut build = Command::new("dpkg-deb");
    build.args(["--root-owner-group", "--build"]).env("SOURCE_DATE_EPOCH", "0");
    asked(build.arg(&tree).arg(&package))?;
    Ok(package)
}

fn files(parts: &Parts, tree: &Path) -> Result<()> {
    put(&parts.binary, &tree.join("usr/bin/tidings"), 0o755)?;
    let share = tree.join("usr/share");
    put_all(&parts.man, &share.join("man/man1"))?;
    for page in fs::read_dir(share.join("man/man1"))?.collect::<Result<Vec<_>, _>>()? {
        gzip(&page.path())?;
    }
    for (file, folder) in [
        ("tidings", "bash-completion/completions"),
        ("_tidings", "zsh/vendor-completions"),
        ("tidings.fish", "fish/vendor_completions.d"),
    ] {
        put(&parts.completions.join(file), &share.join(folder).join(file), 0o644)?;
    }
    let books = share.join("doc/tidings");
    put(&parts.root.join("LICENSE-MIT"), &books.join("copyright"), 0o644)?;
    put(&parts.root.join("CHANGELOG.md"), &books.join("changelog"), 0o644)?;
    gzip(&books.join("changelog"))?;
    let settings = parts.root.join("docs/examples/tidings.toml");
    put(&settings, &tree.join("etc/tidings/tidings.toml"), 0o644)?;
    write(SYSUSERS, &tree.join("usr/lib/sysusers.d/tidings.conf"), 0o644)?;
    write(&unit(&parts.root)?, &tree.join("usr/lib/systemd/system/tidings.service"), 0o644)
}

/// What the package needs: the libraries of its binary, and what makes its user.
fn depends(binary: &Path, out: &Path) -> Result<String> {
    Ok(with_user(&libraries(binary, out)?))
}

/// A static binary needs no libraries.
fn with_user(libraries: &str) -> String {
    let user = "systemd | adduser";
    if libraries.is_empty() { user.to_owned() } else { format!("{libraries}, {user}") }
}

/// What the binary needs: as dpkg-shlibdeps says, if it is there; nothing if it is static.
fn libraries(binary: &Path, out: &Path) -> Result<String> {
    let linked = Command::new("ldd").arg(binary).output().is_ok_and(|said| said.status.success());
    if !linked {
        return Ok(String::new());
    }
    let stub = out.join("shlibs");
    let source = "Source: tidings\n\nPackage: tidings\nArchitecture: any\n";
    write(source, &stub.join("debian/control"), 0o644)?;
    let mut tool = Command::new("dpkg-shlibdeps");
    let said = asked(tool.arg("-O").arg(binary).current_dir(&stub));
    fs::remove_dir_all(&stub)?;
    Ok(match &said {
        Ok(said) => String::from_utf8_lossy(said).trim().replace("shlibs:Depends=", ""),
        Err(error) => {
            eprintln!("the versions of libraries are not known: {error:#}");
            "libc6, libgcc-s1".to_owned()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_static_binary_needs_what_makes_the_user_alone() {
        assert_eq!(with_user(""), "systemd | adduser");
        assert_eq!(with_user("libc6 (>= 2.36)"), "libc6 (>= 2.36), systemd | adduser");
    }
}
