//! Documentation runs: every sentinel in it is checked, every sample is what the program prints.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).expect("the file is part of the repository")
}

fn tidings(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tidings"))
        .args(args)
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

/// The code blocks of a Markdown text that are marked with `language`.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let opening = format!("```{language}\n");
    let block = |rest: &str| rest.split("```").next().unwrap_or_default().to_owned();
    text.split(&opening).skip(1).map(block).collect()
}

#[test]
fn every_sentinel_in_the_documentation_passes_the_check() {
    let mut checked = 0;
    for file in ["README.md", "docs/manual.md", "docs/language.md"] {
        for block in blocks(&read(file), "sentinel") {
            let output = tidings(&["check", "-"], &block);
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{file}:\n{block}\n{said}");
            checked += 1;
        }
    }
    assert!(checked >= 5, "only {checked} blocks were found");
}

#[test]
fn the_sample_configuration_is_what_the_program_prints() {
    let output = tidings(&["config", "--sample"], "");
    let printed = String::from_utf8(output.stdout).expect("text");
    assert_eq!(printed, read("docs/examples/tidings.toml"), "run `tidings config --sample`");
}

#[test]
fn the_manuals_configuration_is_valid() {
    for block in blocks(&read("docs/manual.md"), "toml") {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let file = folder.path().join("tidings.toml");
        std::fs::write(&file, block).expect("writable");
        let output = tidings(&["config", "--config", &file.to_string_lossy()], "");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn the_manual_has_every_command() {
    let help = tidings(&["--help"], "");
    let help = String::from_utf8(help.stdout).expect("text");
    let commands = help.split("Commands:").nth(1).and_then(|rest| rest.split("\n\n").next());
    let manual = read("docs/manual.md");
    for line in commands.expect("clap lists commands").lines().filter(|line| !line.is_empty()) {
        let name = line.split_whitespace().next().expect("a name");
        assert!(manual.contains(&format!("`{name}")), "the manual does not mention `{name}`");
    }
}

#[test]
fn a_reader_that_has_had_enough_ends_a_command_quietly() {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = Command::new(env!("CARGO_BIN_EXE_tidings"))
        .args(["config", "--sample"])
        .current_dir(std::env::temp_dir())
        .stdout(writer)
        .output()
        .expect("the binary runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*said), (Some(1), ""));
}
