//! `tidings replay DIR`: a recorded page history through the whole server, in virtual time.

mod delay;
mod history;
#[cfg(feature = "lab")]
mod trace;

use crate::cli::{Common, Replay};
use crate::commands::{Exit, moment, plain};
use crate::settings::Settings;
use anyhow::{Context, Result, bail};
use chronon::Span;
use delay::Delays;
use serde_json::json;
use sim::replay::{End, Recorded, ReplayError, Replayed, Sent};

/// Most looks a day.
const BUDGET_MAX: f64 = 3e7;

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
    let config = config(replay, &settings, None)?;
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
    let times = pages.iter().flat_map(|page| page.versions.iter().map(|version| version.at));
    let (first, last) = times.clone().min().zip(times.max()).unwrap_or_default();
    let measured = first + Span::DAY.times(replay.train_days.into());
    let seen = replayed.seen.iter().copied().filter(|wait| wait.appeared >= measured);
    let waited = Waited {
        delays: Delays::of(seen),
        at_even_intervals: delay::at_even_intervals(&replayed, measured, last),
    };
    summarize(&replayed, &waited, &pages, common);
    Ok(Exit::Done)
}

/// How long versions waited to be seen.
struct Waited {
    delays: Delays,
    /// Seconds on the mean, if as many looks came at even intervals.
    at_even_intervals: Option<f64>,
}

/// The limits of a replay: those of the configuration, or a number of looks a day alone, in
/// chronons of the configuration or of `chronon`.
fn config(replay: &Replay, settings: &Settings, chronon: Option<Span>) -> Result<kernel::Config> {
    let mut config = crate::launch::kernel_config(settings)?;
    if let Some(per_day) = replay.budget_per_day {
        if !(per_day > 0.0 && per_day <= BUDGET_MAX) {
            bail!("--budget-per-day {per_day}: expected a number above 0, at most 3e7");
        }
        let chronon = chronon.unwrap_or(config.schedule.chronon);
        let budget = per_day * (chronon.as_secs_f64() / Span::DAY.as_secs_f64());
        config.schedule = schedule::Config::free(chronon, budget);
    }
    Ok(config)
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
fn summarize(replayed: &Replayed, waited: &Waited, pages: &[Recorded], common: &Common) {
    let Replayed { sent, looks, failed, met, recorded, last_failure, .. } = replayed;
    let Waited { delays, at_even_intervals } = waited;
    if common.json {
        let summary = json!({
            "pages": pages.len(), "versions": recorded, "versions_met": met,
            "looks": looks, "looks_failed": failed, "notifications": sent.len(),
            "versions_measured": delays.count(), "mean_delay_seconds": delays.mean(),
            "median_delay_seconds": delays.median(),
            "even_intervals_delay_seconds": at_even_intervals,
        });
        println!("{summary}");
        return;
    }
    let recorded = count(*recorded, "recorded version");
    let (looks_made, told) = (count(*looks, "look"), count(sent.len() as u64, "notification"));
    eprintln!("{recorded}; {looks_made} met {met} of them; {told}.");
    if let Some((mean, median)) = delays.mean().zip(delays.median()) {
        let versions = count(delays.count(), "version");
        let [mean, median] = [mean, median].map(delay::spoken);
        let even = at_even_intervals.map_or(String::new(), |even| {
            format!("; with as many looks at even intervals it would be {}", delay::spoken(even))
        });
        eprintln!(
            "{versions} waited {mean} for a look on the mean, half of them at most {median}{even}."
        );
    }
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
