//! `tidings add URL`: look at a page, choose what to be told, start it.

use super::{Exit, plain};
use crate::cli::Common;
use crate::client::Api;
use anyhow::{Result, bail};
use serde_json::{Value, json};
use std::io::{BufRead, IsTerminal, Write};
use std::path::Path;

/// What is taken without a question.
pub struct Taking {
    pub number: Option<usize>,
    /// Also what is told already.
    pub again: bool,
}

/// Shows what is at the address and starts the proposal that is taken.
pub async fn add(common: &Common, api: &Api, url: &str, taking: Taking) -> Result<Exit> {
    if Path::new(url).is_file() {
        bail!(
            "{url} is a file here, not an address: `tidings apply {url}` takes sentinels from it"
        );
    }
    let proposed = api.call("POST", "/propose", Some(url.to_owned())).await?.ok()?;
    let offers = proposed["proposals"].as_array().cloned().unwrap_or_default();
    if !common.json {
        say(&proposed, &offers);
    }
    if offers.is_empty() {
        if common.json {
            println!("{}", serde_json::to_string_pretty(&proposed)?);
        }
        return Ok(Exit::Failed);
    }
    let taken = match taking.number {
        Some(number) if (1..=offers.len()).contains(&number) => number,
        Some(number) => bail!("there is no proposal {number}; take 1 to {}", offers.len()),
        None if common.json || !std::io::stdin().is_terminal() => {
            if common.json {
                println!("{}", serde_json::to_string_pretty(&proposed)?);
            } else {
                println!("Start one with `--take N`, by its number.");
            }
            return Ok(Exit::Done);
        }
        None => match ask(offers.len())? {
            Some(number) => number,
            None => return Ok(Exit::Done),
        },
    };
    if offers[taken - 1]["watched"] == true && !taking.again {
        told_already(common, &offers[taken - 1])?;
        return Ok(Exit::Done);
    }
    let text = offers[taken - 1]["text"].as_str().unwrap_or_default().to_owned();
    let applied = api.call("POST", "/sentinels", Some(text)).await?.ok()?;
    if common.json {
        let report = json!({"proposal": offers[taken - 1], "sentinels": applied["sentinels"]});
        println!("{}", serde_json::to_string_pretty(&report)?);
        return Ok(Exit::Done);
    }
    for sentinel in applied["sentinels"].as_array().into_iter().flatten() {
        let name = plain(sentinel["name"].as_str().unwrap_or_default());
        println!("{name} started. `tidings show {name}` says how it stands.");
        println!("What changes from now on is told; `tidings look {name}` looks at once.");
    }
    Ok(Exit::Done)
}

fn told_already(common: &Common, offer: &Value) -> Result<()> {
    if common.json {
        println!("{}", serde_json::to_string_pretty(&json!({ "proposal": offer }))?);
        return Ok(());
    }
    let name = plain(offer["watched_by"].as_str().unwrap_or_default());
    println!("{name} tells you this already. `tidings show {name}` says how it stands.");
    println!("To start another one all the same, add `--again`.");
    Ok(())
}

/// What was found, and the proposals by number.
fn say(proposed: &Value, offers: &[Value]) {
    let text = |value: &Value| plain(value.as_str().unwrap_or_default());
    let url = text(&proposed["url"]);
    if let Some(found) = proposed["found"].as_object() {
        let title = text(&found["title"]);
        let title = if title.is_empty() { url.clone() } else { format!("{title}\n{url}") };
        println!("{title}");
        let some = |what: &str, one: &str| match found[what].as_u64() {
            Some(1) => format!("1 {one}"),
            _ => format!("{} {what}", found[what]),
        };
        println!("  {}, {}", some("words", "word"), some("links", "link"));
        for one in found["notable"].as_array().into_iter().flatten() {
            println!("  {}: {}", text(&one["what"]), text(&one["text"]));
        }
        for feed in found["feeds"].as_array().into_iter().flatten() {
            println!("  feed: {}", text(feed));
        }
    }
    if let Some(trouble) = proposed["problem"].as_object() {
        println!("{url}: {}.", text(&trouble["reason"]));
        println!("{}", text(&trouble["cure"]));
    }
    for (number, offer) in (1..).zip(offers) {
        let watched = offer["watched"] == true;
        let watched =
            watched.then(|| format!(" (told already, by {})", text(&offer["watched_by"])));
        println!("\n{number}. {}{}", text(&offer["says"]), watched.unwrap_or_default());
        for line in offer["preview"].as_array().into_iter().flatten() {
            println!("     {}", text(line));
        }
        if let Some(past) = offer["past"].as_object() {
            let (versions, told) = (&past["versions"], &past["told"]);
            println!("     would have told you {told}× of the last {versions} versions");
        }
    }
    println!();
}

/// The number somebody types; `None`: none of them.
fn ask(offers: usize) -> Result<Option<usize>> {
    let mut lines = std::io::stdin().lock().lines();
    loop {
        print!("Which one? 1 to {offers}, or Enter for none: ");
        std::io::stdout().flush()?;
        let Some(line) = lines.next().transpose()? else { return Ok(None) };
        match line.trim() {
            "" => return Ok(None),
            typed => match typed.parse::<usize>() {
                Ok(number) if (1..=offers).contains(&number) => return Ok(Some(number)),
                _ => println!("That is none of them."),
            },
        }
    }
}
