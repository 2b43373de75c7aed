//! `history`, `diff`, `backup`: commands on what is stored.

use super::{Exit, moment, plain, settings, table};
use crate::cli::Common;
use crate::client::{Api, encode};
use crate::datadir::{self, DataDir};
use anyhow::{Context, Result, anyhow, bail};
use serde_json::Value;
use std::path::Path;

pub async fn history(common: &Common, api: &Api, url: &str) -> Result<Exit> {
    let source = source(api, url).await?;
    let versions = api.get(&format!("/sources/{}/versions?limit=1000", source["id"])).await?;
    if common.json {
        println!("{}", serde_json::to_string_pretty(&versions)?);
        return Ok(Exit::Done);
    }
    let row = |version: &Value| {
        vec![
            format!("v{}", version["number"]),
            moment(&version["fetched_at"]),
            match version["held"].as_bool() {
                Some(true) => format!("held: {}", text(&version["summary"])),
                _ => text(&version["summary"]),
            },
        ]
    };
    let rows: Vec<Vec<String>> =
        versions["items"].as_array().into_iter().flatten().map(row).collect();
    print!("{}", table(&["version", "fetched", "what it is"], &rows));
    Ok(Exit::Done)
}

pub async fn diff(
    common: &Common,
    api: &Api,
    url: &str,
    from: Option<u32>,
    to: Option<u32>,
) -> Result<Exit> {
    let source = source(api, url).await?;
    let newest = source["version"].as_u64().unwrap_or(0) as u32;
    // Left out, the server takes the last ones that count: others may be held.
    let asked = match (from, to) {
        (Some(from), Some(to)) => format!("?from={from}&to={to}"),
        (Some(from), None) => format!("?from={from}&to={newest}"),
        _ if newest == 0 => bail!("there is no version of {} yet", shown(url)),
        _ if newest == 1 => bail!("there is only one version of {}", shown(url)),
        _ => String::new(),
    };
    let path = format!("/sources/{}/diff{asked}", source["id"]);
    let diff = api.get(&path).await?;
    if common.json {
        println!("{}", serde_json::to_string_pretty(&diff)?);
        return Ok(Exit::Done);
    }
    let changes = diff["changes"].as_array().cloned().unwrap_or_default();
    let (from, to) = (&diff["from_version"], &diff["to_version"]);
    println!("v{from}..v{to}: {} of its text blocks, links and images changed", changes.len());
    for change in &changes {
        print_sides(&change["old"], &change["new"]);
        if let Some(because) = change["held_back"].as_str() {
            println!("  `any change` holds this back: {because}");
        }
    }
    Ok(Exit::Done)
}

/// A line for what was and one for what is; of two texts what differs is marked and in sight.
fn print_sides(old: &Value, new: &Value) {
    let text = |thing: &Value| match (&thing["text"], &thing["href"]) {
        (Value::String(text), Value::Null) => Some(text.clone()),
        _ => None,
    };
    let (lines, more) = match (text(old), text(new)) {
        (Some(old), Some(new)) => {
            let ([old, new], more) = deliver::marked_lines(&old, &new);
            ([Some(old), Some(new)], more)
        }
        _ => ([old, new].map(|thing| said(thing).map(|said| plain(&said))), String::new()),
    };
    for (mark, line) in ["-", "+"].into_iter().zip(lines) {
        if let Some(line) = line {
            println!("{mark} {line}");
        }
    }
    if !more.is_empty() {
        println!("  {more}");
    }
}

/// A block's text; a link or an image with its address.
fn said(thing: &serde_json::Value) -> Option<String> {
    let field = |name: &str| thing[name].as_str();
    let text = field("text").or(field("alt"))?;
    Some(match field("href").or(field("src")) {
        Some(address) if text.is_empty() => address.to_owned(),
        Some(address) => format!("{text} ({address})"),
        None => text.to_owned(),
    })
}

/// Copies the store through a connection of its own: the server, if one runs, goes on.
pub fn backup(common: &Common, file: &Path) -> Result<Exit> {
    let path = settings(common, &[])?.data_folder().join("tidings.db");
    if file.exists() {
        bail!("{} exists; name a new file", file.display());
    }
    store_sqlite::backup(&path, file, datadir::random_bytes()?)
        .with_context(|| format!("cannot copy {} to {}", path.display(), file.display()))?;
    let token = datadir::copy_token(&path, file)?;
    let keys = datadir::copy_keys(&path, file)?;
    if common.json {
        let (file, token) = (file.display().to_string(), token.map(|t| t.display().to_string()));
        println!("{}", serde_json::json!({ "file": file, "token": token }));
        return Ok(Exit::Done);
    }
    println!(
        "copied to {}; to restore it, stop the server, remove {}-wal and {}-shm if they are there, \
         and put the copy in place of {}",
        file.display(),
        path.display(),
        path.display(),
        path.display()
    );
    if let Some(token) = token {
        println!("the token is in {}; put it beside the store as `token`", token.display());
    }
    for (copy, name) in keys {
        println!("its key is in {}; put it beside the store as `{name}`", copy.display());
    }
    Ok(Exit::Done)
}

/// Keeps what can be read of a damaged store, and sets the rest aside.
pub fn repair(common: &Common) -> Result<Exit> {
    let folder = settings(common, &[])?.data_folder();
    let Some(_owned) = DataDir::own(&folder)? else {
        bail!("another process owns {}; stop it first", folder.display());
    };
    let path = folder.join("tidings.db");
    let repaired = store_sqlite::repair(&path, datadir::random_bytes()?)
        .with_context(|| format!("cannot repair {}", path.display()))?;
    for (table, kept, aside) in &repaired.tables {
        if *aside > 0 {
            println!("{table}: {kept} rows kept, {aside} set aside");
        }
    }
    for said in &repaired.lost {
        println!("{}", plain(said));
    }
    println!(
        "the store as it was is {}; what was set aside is in {}",
        repaired.before.display(),
        repaired.aside.display()
    );
    Ok(Exit::Done)
}

pub(super) async fn source(api: &Api, url: &str) -> Result<Value> {
    let normal = url::Url::parse(url).map_or_else(|_| url.to_owned(), |url| url.to_string());
    let page = api.get(&format!("/sources?url={}", encode(&normal))).await?;
    let first = page["items"].as_array().and_then(|items| items.first().cloned());
    first.ok_or_else(|| anyhow!("{} is not a source; `tidings list` shows what is", shown(url)))
}

fn shown(url: &str) -> String {
    plain(&address::without_credentials(url))
}

fn text(value: &Value) -> String {
    plain(value.as_str().unwrap_or_default())
}
