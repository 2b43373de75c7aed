//! `tidings watch URL`: one source in the terminal, with a store in memory, until Ctrl-C.

use crate::cli::{Common, Watch};
use crate::commands::plain;
use crate::doubt::Trust;
use crate::launch;
use anyhow::{Result, bail};
use chronon::Instant;
use kernel::Proposal;
use kernel::io::{Announcement, Answer, ApplyMode};
use kernel::record::ProbeOutcome;
use store::MemoryStore;
use tokio::sync::broadcast::error::RecvError;

/// Watches until interrupted.
pub async fn run(watch: &Watch, common: &Common) -> Result<()> {
    let mut flags = vec![("host_interval_seconds", "1".to_owned())];
    if watch.allow_private {
        let networks = "127.0.0.0/8,::1/128,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7";
        flags.push(("fetch.allow_addresses", networks.to_owned()));
    }
    let settings = crate::commands::settings(common, &flags)?;
    let text = sentinel_text(watch);
    let store = MemoryStore::new(crate::datadir::random_bytes()?);
    let print = launch::print(common);
    let running = launch::start(&settings, Box::new(store), Trust::Person, print, None)?;
    let mut live = running.desk.live().subscribe(None).coming;
    match running.desk.apply(Proposal::of_system(&text, ApplyMode::Create)).await? {
        Answer::Applied(_) => {}
        Answer::Refused(diagnostics) => {
            let shown = sentinel::render(&text, "watch", &diagnostics, sentinel::Colour::Plain);
            bail!("this cannot be watched{}\n{shown}", flag(watch, &shown));
        }
        other => bail!("this cannot be watched: {other:?}"),
    }
    let url = address::without_credentials(&watch.url);
    let (monitor, every) = (&watch.monitor, &watch.every);
    eprintln!("Looking at {url} every {every}. Changes ({monitor}) appear here.");
    eprintln!("Press Ctrl-C to stop; nothing is kept.\n");
    // One listener for the whole loop: a new one each time would miss what comes in between.
    let mut interrupt = std::pin::pin!(tokio::signal::ctrl_c());
    loop {
        tokio::select! {
            _ = &mut interrupt => break,
            () = running.ended() => break,
            event = live.recv() => match event {
                Ok(event) => say(&running, watch, &event.announcement).await,
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => break,
            },
        }
    }
    crate::serve::stopped(running.stop().await)
}

/// The sentinel behind the command line's words.
fn sentinel_text(watch: &Watch) -> String {
    format!(
        "create sentinel watch using \"{}\"\n  monitor {}\n  fetch every {}\n  notify by terminal\n",
        watch.url.replace('\\', "\\\\").replace('"', "\\\""),
        watch.monitor,
        watch.every,
    )
}

/// What a probe found, on standard error; changes go to standard output as notifications.
async fn say(running: &launch::Running, watch: &Watch, event: &Announcement) {
    let Announcement::Probe { source, at, outcome, .. } = event else { return };
    let source = *source;
    match outcome {
        ProbeOutcome::Version(number) if number.0 == 1 => {
            let number = *number;
            let version = running.desk.read(move |reader| reader.version(source, number)).await;
            if let Ok(Some(version)) = version {
                eprintln!("{}  found: {}\n", time(*at), plain(&version.facts.summary));
            }
        }
        ProbeOutcome::Failed { reason, .. } => {
            let flag = flag(watch, reason);
            eprintln!("{}  not read: {}{flag}\n", time(*at), plain(reason));
        }
        ProbeOutcome::Held(number) => {
            eprintln!("{}  a doubtful answer, held as {number} for a second look\n", time(*at));
        }
        // What is worth telling comes as a notification.
        ProbeOutcome::Version(_) | ProbeOutcome::Same | ProbeOutcome::NotModified => {}
    }
}

/// A reason names the setting; here a flag is nearer.
fn flag(watch: &Watch, reason: &str) -> &'static str {
    if reason.contains("fetch.allow_addresses") && !watch.allow_private {
        "; start with --allow-private to look at it all the same"
    } else {
        ""
    }
}

/// `2027-01-31 09:00:00 UTC`, as notifications have it.
fn time(at: Instant) -> String {
    crate::commands::moment(&at.to_string().into())
}
