//! `cargo xtask tidy`: what no compiler checks. Every finding says what to do.

mod prose;
mod references;
mod text;

use crate::packages::Packages;
use anyhow::{Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Crates without clock, I/O, threads or randomness.
pub const PURE: &[&str] = &[
    "address", "aspect", "change", "chronon", "event", "graph", "kernel", "notice", "outbox",
    "page", "policies", "propose", "schedule", "select", "sentinel",
];

/// What may not stand in the dependency tree of a PURE crate: clocks, sockets, threads, entropy.
const IMPURE: &[&str] = &[
    "async-std",
    "axum",
    "crossbeam-channel",
    "fastrand",
    "getrandom",
    "hyper",
    "iana-time-zone",
    "libc-print",
    "mio",
    "num_cpus",
    "rand",
    "rayon",
    "reqwest",
    "rusqlite",
    "socket2",
    "tempfile",
    "threadpool",
    "time-macros",
    "tokio",
    "uuid",
];

/// Crates that stand there though they could read a clock or entropy, and why they do not.
const IMPURE_BUT_TAMED: &[(&str, &str)] =
    &[("fastrand", "generates tables of html5ever at build time")];

/// Nowhere in the workspace's tree.
const BANNED: &[&str] =
    &["aws-lc-rs", "aws-lc-sys", "openssl", "openssl-sys", "native-tls", "chromiumoxide"];

/// Licences that go with ours. A crate must offer at least one of them for each of its parts.
const LICENCES: &[&str] = &[
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "0BSD",
    "CC0-1.0",
    "MIT-0",
    "Unicode-3.0",
    "CDLA-Permissive-2.0",
    "MPL-2.0",
    "Unlicense",
    "BSL-1.0",
];

/// Names that say nothing of what they hold.
const EMPTY_NAMES: &[&str] =
    &["utils", "util", "common", "helpers", "types", "models", "manager", "core", "misc"];

const FILE_LINES_MAX: usize = 1_000;
const LINE_CHARS_MAX: usize = 100;

pub fn run(root: &Path) -> Result<()> {
    let packages = Packages::read(root)?;
    let mut findings = Vec::new();
    check_directions(root, &packages, &mut findings)?;
    check_purity(root, &packages, &mut findings);
    check_outside(root, &packages, &mut findings)?;
    for file in sources(root) {
        check_file(root, &file, &mut findings)?;
    }
    check_texts(root, &mut findings)?;
    findings.extend(version(&fs::read_to_string(root.join("CHANGELOG.md"))?, packages.version()));
    check_stories(root, &mut findings)?;
    findings.extend(references::check(root));
    findings.extend(prose::check(root));
    for finding in &findings {
        eprintln!("tidy: {finding}");
    }
    if !findings.is_empty() {
        bail!("{} findings", findings.len());
    }
    println!("tidy: nothing to mend");
    Ok(())
}

/// What people install says which release of CHANGELOG.md it is.
fn version(changelog: &str, own: Option<&str>) -> Option<String> {
    let newest = changelog.lines().find_map(|line| line.strip_prefix("## "));
    let newest = newest.and_then(|heading| heading.split_whitespace().next());
    let (newest, own) = (newest.unwrap_or("nothing"), own.unwrap_or("none"));
    let agrees = newest == own;
    (!agrees)
        .then(|| format!("CHANGELOG.md begins with {newest}, and the workspace's version is {own}"))
}

/// ARCHITECTURE.md's table is the rule; the manifests must follow it to the letter.
fn check_directions(root: &Path, packages: &Packages, findings: &mut Vec<String>) -> Result<()> {
    let table = table_of(&fs::read_to_string(root.join("ARCHITECTURE.md"))?);
    let members = packages.members();
    for (member, depends) in &members {
        let Some(written) = table.get(member) else {
            findings.push(format!("crate `{member}` is not in the table of ARCHITECTURE.md"));
            continue;
        };
        for new in depends.difference(written) {
            findings.push(format!(
                "`{member}` depends on `{new}`, which the table of ARCHITECTURE.md does not have"
            ));
        }
        for gone in written.difference(depends) {
            findings
                .push(format!("ARCHITECTURE.md says `{member}` depends on `{gone}`; it does not"));
        }
    }
    for gone in table.keys().filter(|name| !members.contains_key(*name)) {
        findings.push(format!("ARCHITECTURE.md's table has `{gone}`, which is no crate"));
    }
    Ok(())
}

/// Rows `| `crate` | `dep`, `dep` | … |` of the table under "Dependencies".
fn table_of(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let section = text.split("\n## ").find(|section| section.starts_with("Dependencies"));
    let rows = section.unwrap_or_default().lines().filter(|line| line.starts_with("| `"));
    let ticked = |cell: &str| -> Vec<String> {
        cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    let mut table = BTreeMap::new();
    for row in rows {
        let cells: Vec<&str> = row.split('|').collect();
        if let [_, name, depends, ..] = cells[..] {
            let name = ticked(name).into_iter().next().unwrap_or_default();
            table.insert(name, ticked(depends).into_iter().collect());
        }
    }
    table
}

fn check_purity(root: &Path, packages: &Packages, findings: &mut Vec<String>) {
    let rules = fs::read(root.join("crates/clippy-pure.toml")).unwrap_or_default();
    for member in PURE {
        let own = fs::read(root.join("crates").join(member).join("clippy.toml"));
        if rules.is_empty() || own.is_ok_and(|own| own == rules) {
            // As it should be; an empty rule file is found by the next check.
        } else {
            findings.push(format!("crates/{member}/clippy.toml must link to ../clippy-pure.toml"));
        }
        for impure in packages.tree(member).iter().filter(|name| IMPURE.contains(&name.as_str())) {
            if !IMPURE_BUT_TAMED.iter().any(|(name, _why)| name == impure) {
                findings.push(format!("PURE crate `{member}` brings in `{impure}`"));
            }
        }
    }
    if rules.is_empty() {
        findings.push("crates/clippy-pure.toml is missing: it holds the purity lints".into());
    }
}

fn check_outside(root: &Path, packages: &Packages, findings: &mut Vec<String>) -> Result<()> {
    let reasons = fs::read_to_string(root.join("docs/dependencies.md"))?;
    let direct = packages.direct_outside();
    for name in &direct {
        if !reasons.contains(&format!("| `{name}` |")) {
            findings.push(format!("docs/dependencies.md has no line for `{name}`"));
        }
    }
    let listed = reasons.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    for gone in listed.filter(|name| !direct.contains(*name)) {
        findings.push(format!("docs/dependencies.md has `{gone}`, which nobody uses"));
    }
    for (name, licence) in packages.licences() {
        if BANNED.contains(&name.as_str()) {
            findings.push(format!("`{name}` is banned; `cargo tree -i {name}` says who wants it"));
        }
        if !is_allowed(&licence) {
            findings.push(format!("`{name}` has the licence {licence}, which is not on the list"));
        }
    }
    Ok(())
}

/// An SPDX expression of OR, AND and parentheses, of which one choice must be on the list.
fn is_allowed(licence: &str) -> bool {
    let flat = licence.replace(['(', ')'], " ").replace('/', " OR ");
    let known = |part: &str| LICENCES.contains(&part.trim());
    flat.split(" AND ").all(|part| part.split(" OR ").any(known))
}

fn check_file(root: &Path, path: &Path, findings: &mut Vec<String>) -> Result<()> {
    let shown = path.strip_prefix(root).unwrap_or(path).display().to_string();
    let text = fs::read_to_string(path)?;
    let lines = text.lines().count();
    if lines > FILE_LINES_MAX {
        findings.push(format!("{shown} has {lines} lines; {FILE_LINES_MAX} are the most"));
    }
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    if stem == "mod" || EMPTY_NAMES.contains(&stem) {
        findings.push(format!("{shown}: the name says nothing; name the noun it holds"));
    }
    if stem == "lib" && !text.starts_with("//!") {
        findings.push(format!("{shown} must open with what comes in and what goes out"));
    }
    for (number, line) in text.lines().enumerate() {
        let at = || format!("{shown}:{}", number + 1);
        let is_text = line.contains("://") || line.contains('"') || line.ends_with('\\');
        if line.chars().count() > LINE_CHARS_MAX && !is_text {
            findings.push(format!("{}: longer than {LINE_CHARS_MAX} characters", at()));
        }
        if line.trim_start().starts_with("#[ignore") {
            findings.push(format!("{}: no ignored tests", at()));
        }
        if is_test(path) && (line.contains("thread::sleep") || line.contains("time::sleep(")) {
            findings.push(format!("{}: no sleeping in tests", at()));
        }
    }
    Ok(())
}

fn is_test(path: &Path) -> bool {
    let text = path.to_string_lossy();
    text.contains("/tests/") || text.ends_with("tests.rs")
}

/// Files every checkout has, and how decisions are called.
fn check_texts(root: &Path, findings: &mut Vec<String>) -> Result<()> {
    for name in [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "Cargo.lock",
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "docs/design.md",
        "docs/formats.md",
        "docs/glossary.md",
        "docs/language.md",
        "docs/manual.md",
        "docs/theory.md",
        ".ci/run",
    ] {
        if !root.join(name).is_file() {
            findings.push(format!("{name} is missing"));
        }
    }
    for entry in fs::read_dir(root.join("docs/decisions"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let numbered = name.len() > 4 && name.as_bytes()[..3].iter().all(u8::is_ascii_digit);
        if !numbered {
            findings.push(format!("docs/decisions/{name} must be called NNN-title.md"));
        }
    }
    Ok(())
}

/// Stories are in folders by subject, each of which `cases/README.md` explains.
fn check_stories(root: &Path, findings: &mut Vec<String>) -> Result<()> {
    let cases = root.join("cases");
    let explained = fs::read_to_string(cases.join("README.md"))?;
    for entry in fs::read_dir(&cases)? {
        let (path, name) = {
            let entry = entry?;
            (entry.path(), entry.file_name().to_string_lossy().into_owned())
        };
        if path.is_dir() && !explained.contains(&format!("]({name})")) {
            findings.push(format!("cases/README.md does not say what cases/{name} is about"));
        } else if name.ends_with(".case") {
            findings.push(format!("cases/{name} must be in a folder; cases/README.md has them"));
        }
    }
    Ok(())
}

/// Every Rust file of the workspace.
fn sources(root: &Path) -> Vec<PathBuf> {
    let folders = ["crates", "fuzz"].map(|folder| files(&root.join(folder), "rs"));
    folders.concat()
}

/// Every file with this extension in `folder` and the folders in it.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut waiting = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name();
            if path.is_dir() && name != "target" && name != "corpus" {
                waiting.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_version_than_the_changelog_s_is_found() {
        let changelog = "# Changelog\n\n## 0.2.0 – unreleased\n\n## 0.1.0\n";
        assert_eq!(version(changelog, Some("0.2.0")), None);
        for own in [Some("0.1.0"), Some("0.2"), None] {
            assert!(version(changelog, own).is_some_and(|found| found.contains("0.2.0")));
        }
        assert!(version("", Some("0.2.0")).is_some());
    }

    #[test]
    fn a_licence_is_allowed_if_one_choice_of_each_part_is() {
        assert!(is_allowed("MIT OR Apache-2.0"));
        assert!(is_allowed("MIT/Apache-2.0"));
        assert!(is_allowed("(MIT OR GPL-3.0) AND Unicode-3.0"));
        assert!(!is_allowed("GPL-3.0"));
        assert!(!is_allowed("MIT AND GPL-3.0"));
        assert!(!is_allowed("none"));
    }

    #[test]
    fn a_story_without_a_folder_and_a_folder_without_a_word_are_found() {
        let root = tempfile::tempdir().expect("a folder");
        let cases = root.path().join("cases");
        fs::create_dir_all(cases.join("looks")).expect("a folder");
        fs::create_dir_all(cases.join("moons")).expect("a folder");
        fs::write(cases.join("README.md"), "| [`looks`](looks) | when |").expect("a file");
        fs::write(cases.join("stray.case"), "# Stray.").expect("a file");
        let mut findings = Vec::new();
        check_stories(root.path(), &mut findings).expect("readable");
        findings.sort();
        assert_eq!(findings.len(), 2, "{findings:?}");
        assert!(findings[0].contains("cases/moons") && findings[1].contains("cases/stray.case"));
    }

    #[test]
    fn the_table_gives_each_crate_its_dependencies() {
        let text = "# A\n\n## Dependencies\n\n| crate | depends on |\n|---|---|\n\
                    | `a` | |\n| `b` | `a`, `c` |\n\n## Else\n| `d` | |\n";
        let table = table_of(text);
        assert_eq!(table.len(), 2);
        assert_eq!(table["b"], ["a", "c"].map(str::to_owned).into());
    }
}
