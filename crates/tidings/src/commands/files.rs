//! `check`, `fmt` and `apply`: commands on sentinel files.

use super::known::Known;
use super::{Exit, counted, plain, settings};
use crate::cli::Common;
use crate::client::Api;
use anyhow::{Context, Result, bail};
use sentinel::{Checked, Diagnostic, Severity};
use serde_json::{Value, json};
use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

/// Bytes of a sentinel file: what the language allows.
const FILE_BYTES_MAX: u64 = sentinel::limits::FILE_BYTES_MAX as u64;

/// Says what is wrong with the files, against what is stored where a server's data is at hand.
pub fn check(common: &Common, files: &[PathBuf], verbose: bool) -> Result<Exit> {
    let known = Known::of(&settings(common, &[])?)?;
    let (mut exit, mut reports) = (Exit::Done, Vec::new());
    for file in files {
        let (name, text) = read(file)?;
        let checked = known.check(&text);
        if !checked.is_ok() {
            exit = Exit::Failed;
        }
        if common.json {
            let diagnostics: Vec<Value> =
                checked.diagnostics.iter().map(Diagnostic::to_json).collect();
            reports.push(json!({"file": name, "diagnostics": diagnostics}));
            continue;
        }
        eprint!("{}", sentinel::render(&text, &name, &checked.diagnostics, colour()));
        if checked.is_ok() {
            println!("{name}: {}", summary(&checked));
        }
        if verbose && checked.is_ok() {
            for statement in &checked.statements {
                println!("  {}", plain(&sentinel::explain(&statement.sentinel)));
            }
            for rule in &checked.rules {
                println!("  {}", plain(&sentinel::explain_rule(&rule.rule)));
            }
        }
    }
    if common.json {
        println!("{}", serde_json::to_string_pretty(&reports)?);
    }
    Ok(exit)
}

/// What a file without errors holds, and how many warnings it drew.
fn summary(checked: &Checked) -> String {
    let sentinels = counted(checked.statements.len(), "sentinel", "sentinels");
    let rules = match checked.rules.len() {
        0 => String::new(),
        rules => format!(" and {}", counted(rules, "rule", "rules")),
    };
    let verdict = match checked.diagnostics.len() {
        0 => "fine".to_owned(),
        warnings => counted(warnings, "warning", "warnings"),
    };
    format!("{sentinels}{rules}, {verdict}")
}

/// Formats the files in place, or says which are not formatted.
pub fn fmt(common: &Common, files: &[PathBuf], check: bool) -> Result<Exit> {
    let (mut exit, mut reports) = (Exit::Done, Vec::new());
    for file in files {
        let (name, text) = read(file)?;
        let formatted = match sentinel::format(&text) {
            Ok(formatted) => formatted,
            Err(diagnostics) => {
                exit = Exit::Failed;
                let listed: Vec<Value> = diagnostics.iter().map(Diagnostic::to_json).collect();
                reports.push(json!({"file": name, "formatted": false, "diagnostics": listed}));
                if !common.json {
                    eprint!("{}", sentinel::render(&text, &name, &diagnostics, colour()));
                }
                continue;
            }
        };
        let as_it_should_be = formatted == text || !check;
        reports.push(json!({"file": name, "formatted": as_it_should_be, "diagnostics": []}));
        if check {
            if !as_it_should_be {
                exit = Exit::Failed;
            }
            if !as_it_should_be && !common.json {
                println!("{name} is not formatted; run `tidings fmt {name}`");
            }
        } else if is_stdin(file) {
            std::io::stdout().write_all(formatted.as_bytes())?;
        } else if formatted != text {
            replace(file, &formatted).with_context(|| format!("cannot write {name}"))?;
        }
    }
    // What was formatted on its way through has standard output for itself.
    if common.json && (check || !files.iter().any(|file| is_stdin(file))) {
        println!("{}", serde_json::to_string_pretty(&reports)?);
    }
    Ok(exit)
}

/// Creates or replaces the sentinels of each file: all of a file, or none.
pub async fn apply(common: &Common, api: &Api, files: &[PathBuf]) -> Result<Exit> {
    let (mut exit, mut done) = (Exit::Done, Vec::new());
    for file in files {
        let (name, text) = read(file)?;
        let answer = api.call("POST", "/sentinels?mode=upsert", Some(text.clone())).await?;
        if answer.status == 422 && answer.json["diagnostics"].is_array() {
            exit = Exit::Failed;
            report(common, &name, &text, &answer.json["diagnostics"])?;
            continue;
        }
        let applied = answer.ok().with_context(|| format!("in {name}"))?;
        let both = ["sentinels", "rules"].map(|kind| applied[kind].as_array());
        let all: Vec<&Value> = both.into_iter().flatten().flatten().collect();
        if all.is_empty() {
            eprintln!("{name} holds no sentinel and no rule; nothing was changed.");
        }
        for sentinel in all {
            if !common.json {
                let text = |field: &str| plain(sentinel[field].as_str().unwrap_or_default());
                println!("{} {}", text("name"), text("what"));
            }
            done.push(sentinel.clone());
        }
        if !common.json {
            warn(common, api, &name, text).await?;
        }
    }
    if common.json && exit == Exit::Done {
        println!("{}", serde_json::to_string_pretty(&done)?);
    }
    Ok(exit)
}

/// Says of what was applied what is allowed, but hardly meant.
async fn warn(common: &Common, api: &Api, name: &str, text: String) -> Result<()> {
    let verdict = api.call("POST", "/check", Some(text.clone())).await?.ok()?;
    if verdict["diagnostics"].as_array().is_some_and(|warnings| !warnings.is_empty()) {
        report(common, name, &text, &verdict["diagnostics"])?;
    }
    Ok(())
}

/// The server's diagnostics, shown as `check` shows its own.
fn report(common: &Common, name: &str, text: &str, diagnostics: &Value) -> Result<()> {
    if common.json {
        let report = json!([{"file": name, "diagnostics": diagnostics}]);
        println!("{}", serde_json::to_string_pretty(&report)?);
        return Ok(());
    }
    let own: Vec<sentinel::Diagnostic> =
        (diagnostics.as_array().into_iter().flatten()).map(|json| diagnostic(text, json)).collect();
    eprint!("{}", sentinel::render(text, name, &own, colour()));
    Ok(())
}

/// A diagnostic of the API, with its place in our text.
fn diagnostic(text: &str, json: &Value) -> Diagnostic {
    let number = |name: &str| json[name].as_u64().unwrap_or(1) as u32;
    let (line, column) = (number("line"), number("column"));
    let (end_line, end_column) = (number("end_line"), number("end_column"));
    let help = json["help"].as_str().map(str::to_owned);
    Diagnostic {
        severity: if json["severity"] == "warning" { Severity::Warning } else { Severity::Error },
        message: json["message"].as_str().unwrap_or_default().to_owned(),
        start: offset(text, line, column),
        end: offset(text, end_line, end_column),
        line,
        column,
        end_line,
        end_column,
        help,
        cure: None,
    }
}

/// The byte at a line and column (in code points), both from 1; the text's end beyond it.
fn offset(text: &str, line: u32, column: u32) -> usize {
    let before: usize =
        text.split_inclusive('\n').take((line as usize).saturating_sub(1)).map(str::len).sum();
    let rest = &text[before..];
    let place = rest.char_indices().nth((column as usize).saturating_sub(1));
    before + place.map_or(rest.len(), |(at, _)| at)
}

pub fn read(file: &Path) -> Result<(String, String)> {
    let mut bytes = Vec::new();
    let name = if is_stdin(file) { "<stdin>".to_owned() } else { file.display().to_string() };
    let mut read = || -> std::io::Result<()> {
        let input: Box<dyn Read> = if is_stdin(file) {
            Box::new(std::io::stdin())
        } else {
            Box::new(std::fs::File::open(file)?)
        };
        input.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes).map(|_| ())
    };
    read().with_context(|| format!("cannot read {name}"))?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        bail!("{name} has more than {} MiB; divide it", FILE_BYTES_MAX >> 20);
    }
    let text = String::from_utf8(bytes).with_context(|| format!("{name} is not UTF-8 text"))?;
    Ok((name, text))
}

fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// Whole, or as it was: written beside the file, then moved over it.
fn replace(file: &Path, text: &str) -> std::io::Result<()> {
    // A link stays one.
    let file = file.canonicalize()?;
    let next = file.with_extension("tidings-new");
    std::fs::write(&next, text)?;
    std::fs::set_permissions(&next, std::fs::metadata(&file)?.permissions())?;
    std::fs::rename(&next, &file)
}

fn colour() -> sentinel::Colour {
    let wanted = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    if wanted { sentinel::Colour::Coloured } else { sentinel::Colour::Plain }
}
