//! The commands that ask the API, one function each, and what they share.

mod add;
mod explain;
mod files;
mod here;
mod import;
mod keys;
mod known;
mod list;
mod plan;
mod rules;
mod shell;
mod versions;
mod why;

pub use add::{Taking, add};
pub use explain::explain;
pub use files::{apply, check, fmt, read as read_sentinels};
pub use here::{settle as settle_zone, zone, zone_of};
pub use import::import;
pub use keys::{feed, open, sessions, token};
pub use known::Known;
pub use list::{disable, enable, export, list, look, opml, remove, rename, show, snooze, wake};
pub use plan::plan;
pub use rules::raise;
pub use shell::{completions, man};
pub use versions::{backup, diff, history, repair};
pub use why::why;

use crate::cli::Common;
use crate::settings::{self, Settings};
use anyhow::Result;
use serde_json::Value;
use std::path::Path;

/// Characters of one text in a line for people.
const LINE_CHARS_MAX: usize = 2_000;

/// How a command that did not fail ended; the process' exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Done = 0,
    /// It ran, and the answer is no: a file has errors, something is not formatted.
    Failed = 1,
}

/// The configuration: file, environment, flags.
pub fn settings(common: &Common, flags: &[(&str, String)]) -> Result<Settings> {
    let usual = Path::new("tidings.toml");
    let file = common.config.as_deref().or_else(|| usual.exists().then_some(usual));
    let mut flags = flags.to_vec();
    if let Some(dir) = &common.data_dir {
        flags.push(("data_dir", dir.to_string_lossy().into_owned()));
    }
    let environment = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    Settings::load(file, environment, &flags)
}

/// "1 sentinel", "2 sentinels".
fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// `tidings config`
pub fn config(common: &Common, sample: bool) -> Result<Exit> {
    if sample {
        print!("{}", settings::sample());
        return Ok(Exit::Done);
    }
    let settings = settings(common, &[])?;
    crate::launch::kernel_config(&settings)?;
    for doubt in settings.doubts() {
        eprintln!("tidings: {doubt}");
    }
    let json = settings.to_json();
    if common.json {
        println!("{}", serde_json::to_string_pretty(&json)?);
        return Ok(Exit::Done);
    }
    for (key, value) in json.as_object().into_iter().flatten() {
        println!("{key} = {value}");
    }
    Ok(Exit::Done)
}

/// A table for people: columns as wide as their longest cell.
fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([header[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let line = |cells: &[String]| {
        let padded = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    let header: Vec<String> = header.iter().map(|cell| (*cell).to_owned()).collect();
    rows.iter().fold(line(&header), |text, row| text + &line(row))
}

/// `2027-01-31 10:00:00 Europe/Berlin` for a time of the API, in the reader's zone.
pub fn moment(time: &serde_json::Value) -> String {
    let text = plain(time.as_str().unwrap_or_default());
    match chronon::stamp(&text) {
        Some(at) => here::zone().moment(at),
        None => text,
    }
}

/// Text from outside for a terminal: without control and bidirectional characters.
pub fn plain(text: &str) -> String {
    deliver::clean_line(text, LINE_CHARS_MAX)
}

/// The same of a line of a text of several, indented as it is.
pub fn indented(line: &str) -> String {
    let inner = line.trim_start();
    let width = (line.len() - inner.len()).min(LINE_CHARS_MAX);
    format!("{:width$}{}", "", plain(inner))
}

/// The text of a sentinel or a rule, line by line.
pub fn text_lines(described: &Value) -> impl Iterator<Item = String> {
    described["text"].as_str().unwrap_or_default().lines().map(indented)
}

#[cfg(test)]
mod tests {
    use super::{counted, moment};

    #[test]
    fn one_is_counted_in_the_singular() {
        let entries = |count| counted(count, "entry", "entries");
        assert_eq!([entries(0), entries(1), entries(2)], ["0 entries", "1 entry", "2 entries"]);
    }

    #[test]
    fn a_time_is_shown_as_notifications_show_it() {
        assert_eq!(moment(&"2027-01-31T09:00:00.123Z".into()), "2027-01-31 09:00:00 UTC");
        assert_eq!(moment(&"soon".into()), "soon");
    }
}
