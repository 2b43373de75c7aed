//! Histories made by hand: a page with gaps, and what stands in them at each look.
//!
//! ```text
//! kind shop
//! media text/html
//! <p>Kettle: {price}</p>
//! -- looks --
//! first price="40 EUR"
//! wanted price="35 EUR"
//! broken page="<p>Bad gateway"
//! ```
//!
//! What a look does not name stands as it stood; in JSON `'` is written for `"`. `page` is the whole page, for this look alone.
//! `times 4` in front repeats a look; `{n}` is its number.

use crate::replay::Label;
use crate::{History, Look, Result};
use std::collections::BTreeMap;
use std::path::Path;

/// All stories of a folder, by name.
pub fn all(folder: &Path) -> Result<Vec<History>> {
    let entries = std::fs::read_dir(folder)?.collect::<std::io::Result<Vec<_>>>()?;
    let mut paths: Vec<_> = entries.into_iter().map(|entry| entry.path()).collect();
    paths.sort();
    paths
        .iter()
        .filter(|path| path.extension().is_some_and(|one| one == "story"))
        .map(|path| {
            let text = std::fs::read_to_string(path)?;
            read(&text).map_err(|why| format!("{}: {why}", path.display()).into()).map(
                |mut history| {
                    history.name = path.file_stem().unwrap_or_default().to_string_lossy().into();
                    history
                },
            )
        })
        .collect()
}

fn read(text: &str) -> std::result::Result<History, String> {
    let (head, looks) = text.split_once("-- looks --\n").ok_or("it has no looks")?;
    let mut lines = head.lines().filter(|line| !line.starts_with("# "));
    let mut said = |word: &str| {
        let line = lines.next().and_then(|line| line.strip_prefix(word));
        line.map(|rest| rest.trim().to_owned()).ok_or(format!("it begins without `{word}`"))
    };
    let (kind, media) = (said("kind")?, said("media")?);
    let page = lines.collect::<Vec<_>>().join("\n");
    let mut gaps: BTreeMap<String, String> = BTreeMap::new();
    let mut history = History { name: String::new(), kind, media, looks: Vec::new() };
    for line in looks.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (times, line) = match line.strip_prefix("times ").and_then(|l| l.split_once(' ')) {
            Some((times, rest)) => (times.parse().map_err(|_| "times is no number")?, rest),
            None => (1, line),
        };
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let label = Label::ALL.into_iter().find(|label| label.name() == word);
        let label = label.ok_or(format!("`{word}` is no label"))?;
        let mut whole = None;
        let mut written = rest;
        while let Some((name, after)) = written.split_once("=\"") {
            let (value, after) = after.split_once('"').ok_or("a quote is open")?;
            match name.trim() {
                "page" => whole = Some(value.to_owned()),
                name => drop(gaps.insert(name.to_owned(), value.to_owned())),
            }
            written = after;
        }
        for _ in 0..times {
            let number = history.looks.len().to_string();
            let mut body = whole.clone().unwrap_or_else(|| page.clone());
            for (name, value) in &gaps {
                body = body.replace(&format!("{{{name}}}"), value);
            }
            let body = body.replace("{n}", &number);
            let is_json = history.media.ends_with("json");
            let body = if is_json { body.replace('\'', "\"") } else { body }.into_bytes();
            history.looks.push(Look { label, body });
        }
    }
    Ok(history)
}
