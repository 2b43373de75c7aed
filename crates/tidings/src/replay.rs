//! `tidings replay DIR`: a recorded page history through the whole server, in virtual time.

mod history;
#[cfg(feature = "lab")]
mod trace;

use crate::cli::{Common, Replay};
use crate::commands::{Exit, moment, plain};
use anyhow::{Context, Result, bail};
use serde_json::json;
use sim::replay::{End, Recorded, ReplayError, Replayed, Sent};

/// Replays the histories below the folder and prints what would have been told, and when.
pub fn run(replay: &Replay, common: &Common) -> Result<Exit> {
    if replay.dir.is_file() {
        #[cfg(feature = "lab")]
        return trace::run(replay, common);
        #[cfg(not(feature = "lab"))]
        bail!(
            "a trace is read by the laboratory, which this binary was built without; \
             `cargo build --release --features lab` builds one that has it"
        );
    }
    let pages = history::read(&replay.dir)?;
    let settings = crate::commands::settings(common, &[])?;
    let config = crate::launch::kernel_config(&settings)?;
    let (name, text) = match &replay.sentinel {
        Some(file) => crate::commands::read_sentinels(file)?,
        None => ("replay".to_owned(), texts(&pages, replay)),
    };
    let replayed = match sim::replay::run(config, &pages, &text, End::AllTold) {
        Ok(replayed) => replayed,
        Err(ReplayError::Refused(diagnostics)) => {
            eprint!("{}", sentinel::render(&text, &name, &diagnostics, sentinel::Colour::Plain));
            bail!("the text was refused");
        }
        Err(error) => return Err(error).with_context(|| replay.dir.display().to_string()),
    };
    for sent in &replayed.sent {
        print(sent, common)?;
    }
    summarize(&replayed, &pages, common);
    Ok(Exit::Done)
}

/// One sentinel for each page, from the words of the command line.
fn texts(pages: &[Recorded], replay: &Replay) -> String {
    let fetch = match &replay.every {
        Some(every) => format!("fetch every {every}"),
        None => "fetch on change".to_owned(),
    };
    let sentinel = |(number, page): (usize, &Recorded)| {
        let url = page.url.replace('\\', "\\\\").replace('"', "\\\"");
        let (number, monitor) = (number + 1, &replay.monitor);
        format!("create sentinel page-{number} using \"{url}\"\n  monitor {monitor}\n  {fetch}\n")
    };
    pages.iter().enumerate().map(sentinel).collect()
}

fn print(sent: &Sent, common: &Common) -> Result<()> {
    if common.json {
        let body: serde_json::Value =
            serde_json::from_slice(&sent.body).context("a notification cannot be read")?;
        let line = json!({"at": sent.at.to_string(), "to": sent.recipient, "body": body});
        println!("{line}");
        return Ok(());
    }
    // Everything reaches the dashboard; a message says its own time.
    if sent.recipient != "interactive" {
        let at = moment(&sent.at.to_string().into());
        println!("{at}  to {}", plain(&sent.recipient));
    }
    println!(
        "{}",
        deliver::render_terminal(&sent.body, deliver::Colour::Never, crate::commands::zone())
    );
    Ok(())
}

/// What the looks met, so that silence can be told from a text that watches nothing.
fn summarize(replayed: &Replayed, pages: &[Recorded], common: &Common) {
    let Replayed { sent, looks, failed, met, recorded, last_failure, .. } = replayed;
    if common.json {
        let summary = json!({
            "pages": pages.len(), "versions": recorded, "versions_met": met,
            "looks": looks, "looks_failed": failed, "notifications": sent.len(),
        });
        println!("{summary}");
        return;
    }
    let recorded = count(*recorded, "recorded version");
    let (looks_made, told) = (count(*looks, "look"), count(sent.len() as u64, "notification"));
    eprintln!("{recorded}; {looks_made} met {met} of them; {told}.");
    if *looks == 0 {
        let urls: Vec<&str> = pages.iter().take(5).map(|page| page.url.as_str()).collect();
        eprintln!("No sentinel looked at a recorded page. Recorded: {}", plain(&urls.join(", ")));
    }
    if let Some(reason) = last_failure {
        eprintln!("{} failed; the last one: {}", count(*failed, "look"), plain(reason));
    }
}

/// `1 look`, `2 looks`.
fn count(number: u64, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{ending}")
}
