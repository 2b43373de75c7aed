//! `open`, `token`, `sessions`: who may come in.

use super::{Exit, moment, plain, table};
use crate::cli::{Common, FeedCommand, Sessions, SessionsCommand, TokenCommand, TokenScope};
use crate::client::Api;
use crate::runtime;
use anyhow::{Result, bail};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

/// `tidings open`
pub async fn open(common: &Common, print: bool) -> Result<Exit> {
    let api = Api::of_server(common).await?;
    let link = api.call("POST", "/links", None).await?.ok()?;
    let url = link["url"].as_str().unwrap_or_default();
    if common.json {
        println!("{link}");
    } else {
        println!("{}", plain(url));
        eprintln!("It opens the dashboard logged in; it works once, for ten minutes.");
    }
    if !print && let Some(program) = browser_opener() {
        // The link is printed: a browser that does not come is no failure.
        if let Err(error) = show_in_browser(program, url) {
            tracing::warn!("no browser was opened: {error:#}");
        }
    }
    Ok(Exit::Done)
}

/// The program that opens addresses in the user's browser, if there is a screen for one.
fn browser_opener() -> Option<&'static str> {
    if cfg!(target_os = "macos") {
        return Some("open");
    }
    let set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(set).then_some("xdg-open")
}

fn show_in_browser(program: &str, url: &str) -> Result<()> {
    let Some(page) = runtime::page_to(url)? else {
        bail!("you have no runtime directory to hold the page that leads there")
    };
    run_aside(program, &page)
}

/// Starts a program that may outlive this one.
fn run_aside(program: impl AsRef<OsStr>, file: &Path) -> Result<()> {
    let mut command = Command::new(program);
    command.arg(file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn()?;
    Ok(())
}

/// `tidings token …`
pub async fn token(common: &Common, api: &Api, command: &TokenCommand) -> Result<Exit> {
    match command {
        TokenCommand::New { scope, name, tag } => {
            let wish = json!({ "scope": scope.word(), "name": name, "tag": tag });
            new_token(common, api, &wish).await
        }
        TokenCommand::List => list_tokens(common, api).await,
        TokenCommand::Revoke { ids } => end(common, api, "tokens", ids).await,
    }
}

impl TokenScope {
    fn word(self) -> &'static str {
        match self {
            TokenScope::Read => "read",
            TokenScope::Write => "write",
        }
    }
}

async fn new_token(common: &Common, api: &Api, wish: &Value) -> Result<Exit> {
    let made = api.call("POST", "/tokens", Some(wish.to_string())).await?.ok()?;
    if common.json {
        println!("{made}");
    } else {
        println!("{}", plain(made["token"].as_str().unwrap_or_default()));
        eprintln!("It will not be shown again. `tidings token revoke {}` ends it.", made["id"]);
    }
    Ok(Exit::Done)
}

async fn list_tokens(common: &Common, api: &Api) -> Result<Exit> {
    let tokens = api.list("/tokens").await?;
    if common.json {
        println!("{}", serde_json::to_string_pretty(&tokens)?);
    } else if tokens.is_empty() {
        println!("No tokens besides that of the data directory; `tidings token new` makes one.");
    } else {
        let row = |token: &Value| {
            let text = |name: &str| plain(token[name].as_str().unwrap_or_default());
            let used = token["used_at"].as_str().map_or("never".to_owned(), day);
            vec![
                token["id"].to_string(),
                text("scope"),
                text("tag"),
                moment(&token["made_at"]),
                used,
                text("name"),
            ]
        };
        let rows: Vec<Vec<String>> = tokens.iter().map(row).collect();
        print!("{}", table(&["id", "scope", "tag", "made", "last used", "name"], &rows));
    }
    Ok(Exit::Done)
}

fn day(time: &str) -> String {
    moment(&time.into())
}

/// `tidings feed …`
pub async fn feed(common: &Common, api: &Api, command: &FeedCommand) -> Result<Exit> {
    match command {
        FeedCommand::New { tag, sentinel } => {
            let wish = match (tag, sentinel) {
                (Some(tag), _) => json!({ "tag": tag }),
                (None, Some(name)) => json!({ "sentinel": name }),
                (None, None) => json!({}),
            };
            let made = api.call("POST", "/feeds", Some(wish.to_string())).await?.ok()?;
            if common.json {
                println!("{made}");
            } else {
                for kind in ["atom", "json"] {
                    println!("{}", plain(made[kind].as_str().unwrap_or_default()));
                }
                eprintln!(
                    "Whoever has an address reads the feed. `tidings feed revoke {}` ends it.",
                    made["id"]
                );
            }
            Ok(Exit::Done)
        }
        FeedCommand::List => list_feeds(common, api).await,
        FeedCommand::Revoke { ids } => end(common, api, "feeds", ids).await,
    }
}

async fn list_feeds(common: &Common, api: &Api) -> Result<Exit> {
    let feeds = api.list("/feeds").await?;
    if common.json {
        println!("{}", serde_json::to_string_pretty(&feeds)?);
    } else if feeds.is_empty() {
        println!("There is no feed yet; `tidings feed new` makes one.");
    } else {
        let row = |feed: &Value| {
            let text = |name: &str| plain(feed[name].as_str().unwrap_or_default());
            let of = match feed["of"].as_str() {
                Some("tag") => format!("tag {}", text("tag")),
                Some("sentinel") if feed["sentinel"].is_null() => "a sentinel, gone".to_owned(),
                Some("sentinel") => text("sentinel"),
                _ => "all".to_owned(),
            };
            vec![feed["id"].to_string(), of, moment(&feed["made_at"]), text("atom")]
        };
        let rows: Vec<Vec<String>> = feeds.iter().map(row).collect();
        print!("{}", table(&["id", "of", "made", "address (.json: JSON Feed)"], &rows));
    }
    Ok(Exit::Done)
}

/// `tidings sessions`
pub async fn sessions(common: &Common, api: &Api, sessions: &Sessions) -> Result<Exit> {
    let listed = api.list("/sessions").await?;
    match &sessions.command {
        Some(SessionsCommand::End { all: true, .. }) => {
            let ids = listed.iter().filter_map(|session| session["id"].as_u64());
            end(common, api, "sessions", &ids.collect::<Vec<u64>>()).await
        }
        Some(SessionsCommand::End { ids, .. }) => end(common, api, "sessions", ids).await,
        None if common.json => {
            println!("{}", serde_json::to_string_pretty(&listed)?);
            Ok(Exit::Done)
        }
        None if listed.is_empty() => {
            println!("Nobody is logged in; `tidings open` prints a link that logs in.");
            Ok(Exit::Done)
        }
        None => {
            let rows: Vec<Vec<String>> = listed.iter().map(session_row).collect();
            let header = ["id", "scope", "opened", "last used", "ends", "from", "browser"];
            print!("{}", table(&header, &rows));
            Ok(Exit::Done)
        }
    }
}

fn session_row(session: &Value) -> Vec<String> {
    let text = |name: &str| plain(session[name].as_str().unwrap_or_default());
    let times = ["opened_at", "used_at", "ends_at"].map(|name| moment(&session[name]));
    let [opened, used, ends] = times;
    let agent = text("agent");
    let agent = agent.chars().take(60).collect();
    vec![session["id"].to_string(), text("scope"), opened, used, ends, text("address"), agent]
}

/// What was done, as a sentence.
fn ended(kind: &str, id: &u64) -> String {
    match kind {
        "tokens" => format!("Token {id} is revoked; whoever has it is refused."),
        "feeds" => format!("Feed {id} is revoked; its addresses lead nowhere now."),
        _ => format!("Session {id} has ended."),
    }
}

/// Ends each; the exit code says whether all were there.
async fn end(common: &Common, api: &Api, kind: &str, ids: &[u64]) -> Result<Exit> {
    let mut exit = Exit::Done;
    for id in ids {
        let answer = api.call("DELETE", &format!("/{kind}/{id}"), None).await?;
        if answer.status == 404 {
            eprintln!("There is no {} {id}.", kind.trim_end_matches('s'));
            exit = Exit::Failed;
        } else {
            answer.ok()?;
            if !common.json {
                println!("{}", ended(kind, id));
            }
        }
    }
    Ok(exit)
}
