//! Recorded pages: a history replayed through the whole server in virtual time.
//!
//! The kernel, the store, the readers and the comparisons are the server's own; only the network
//! and the clock are simulated. The machine is switched on an hour before the first version, and
//! the text is applied as the first version appears. Time runs on until every page has been looked
//! at after its last version and nothing waits to be sent.
//!
//! A trace of postings is replayed as feeds ([`trace`]): how long each posting waited for its
//! message is the delay that the laboratory measures.

use crate::pace::Pace;
use crate::shell::{Cause, Seen, Shell, Wish};
use crate::web::{self, Reply, normal};
use chronon::{Instant, OwnerId, Span};
use kernel::io::Answer;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How long before the first version the machine is switched on: budget and buckets fill.
const WARM_UP: Span = Span::HOUR;
/// How long after the last version a page is waited for. A longer period ends there.
const PATIENCE: Span = Span::from_secs(60 * 86_400);
/// How far time runs between two looks at whether all is told.
const STRIDE: Span = Span::HOUR;

/// A page as somebody recorded it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    pub url: String,
    /// Oldest first.
    pub versions: Vec<RecordedVersion>,
}

/// The addresses of the pages that a message is about.
fn urls(body: &[u8]) -> Vec<String> {
    #[derive(serde::Deserialize)]
    struct Body {
        #[serde(default)]
        sources: Vec<Source>,
    }
    #[derive(serde::Deserialize)]
    struct Source {
        url: String,
    }
    let body: Option<Body> = serde_json::from_slice(body).ok();
    body.into_iter().flat_map(|body| body.sources).map(|source| source.url).collect()
}

/// What a page answered from a moment on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedVersion {
    pub at: Instant,
    pub media_type: String,
    pub body: Vec<u8>,
}

/// A notification that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    pub at: Instant,
    /// The channel's contact, or its name.
    pub recipient: String,
    /// The body that a webhook gets.
    pub body: Arc<[u8]>,
}

/// What came of a replay.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Replayed {
    pub sent: Vec<Sent>,
    /// Probes, and those that failed.
    pub looks: u64,
    pub failed: u64,
    /// Recorded versions that a look met, of how many.
    pub met: u64,
    pub recorded: u64,
    /// Why the last failed look failed.
    pub last_failure: Option<String>,
    /// When each version after the first of its page appeared, and the first message about that
    /// page after a look that met it or a later one.
    pub told: Vec<Wait>,
    /// When those appeared of which no message had come at the end.
    pub untold: Vec<Instant>,
    /// When each version after the first of a page that looks reached appeared, and the first look
    /// that met it or a later version. What waits at the end is seen then.
    pub seen: Vec<Wait>,
    /// When looks reached a recorded page, and how many pages they reached.
    pub reached: Vec<Instant>,
    pub pages: u64,
}

/// How long a version waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    pub appeared: Instant,
    /// When it was seen, or told.
    pub end: Instant,
}

/// Where a replay ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Every page was looked at after its last version, and nothing waits to be sent.
    AllTold,
    /// As the last version of all appears. The machine is switched on as the first one does.
    LastVersion,
}

/// Entries that a feed of a trace shows.
const ENTRIES: usize = 20;

/// A feed that shows the last postings of a source, with their times, since `start`; and a sentinel
/// for its new entries. `number` tells it from others.
#[must_use]
pub fn trace(number: usize, start: Instant, postings: &[Instant]) -> (Recorded, String) {
    let url = format!("https://feed{number}.trace.example/");
    let version = |posted: usize| {
        let first = posted.saturating_sub(ENTRIES);
        let entry = |(at, time): (usize, &Instant)| {
            let time = format!("<published>{time}</published><updated>{time}</updated>");
            format!("<entry><id>{}</id><title>{}</title>{time}</entry>", first + at, first + at)
        };
        let entries: String = postings[first..posted].iter().enumerate().map(entry).collect();
        let body = format!(
            "<feed xmlns=\"http://www.w3.org/2005/Atom\"><id>{url}</id><title>{number}</title>\
             <updated>{start}</updated>{entries}</feed>"
        );
        let at = posted.checked_sub(1).map_or(start, |last| postings[last]);
        RecordedVersion {
            at,
            media_type: "application/atom+xml".to_owned(),
            body: body.into_bytes(),
        }
    };
    let versions = (0..=postings.len()).map(version).collect();
    let text =
        format!("create sentinel feed-{number} using {url} monitor new items fetch on change\n");
    (Recorded { url, versions }, text)
}

/// Why nothing was replayed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ReplayError {
    #[error("there is no version to replay")]
    Empty,
    #[error("the text was refused")]
    Refused(Vec<sentinel::Diagnostic>),
    /// The simulated server did what must never happen.
    #[error("{0}")]
    Broken(String),
}

/// Replays `pages` to the sentinels of `text`, with the limits of `config`. The same arguments
/// give the same answer.
///
/// # Errors
/// [`ReplayError`]: no version, a text with errors, or a broken promise of the server itself.
pub fn run(
    config: kernel::Config,
    pages: &[Recorded],
    text: &str,
    until: End,
) -> Result<Replayed, ReplayError> {
    let times = || pages.iter().flat_map(|page| page.versions.iter().map(|version| version.at));
    let (first, last) = times().min().zip(times().max()).ok_or(ReplayError::Empty)?;
    let warm_up = if until == End::AllTold { WARM_UP } else { Span::ZERO };
    let mut shell = Shell::new(config, Pace::Instant, first - warm_up);
    for page in pages {
        for (number, version) in page.versions.iter().enumerate() {
            // Nobody recorded what the page showed before; its first version stands for it.
            let at = if number == 0 { first - warm_up } else { version.at };
            shell.web.show(&page.url, at, reply(version));
        }
    }
    let wish = Wish::Apply { name: "replay".into(), text: text.into() };
    shell.wish(first, wish);
    let mut watcher = Watcher::new(pages, last);
    let mut end = last;
    while end <= last + PATIENCE {
        while shell.advance(end).map_err(ReplayError::Broken)? {
            for seen in shell.take_seen() {
                watcher.take(shell.now(), seen)?;
            }
        }
        if until == End::LastVersion || watcher.is_done(&shell) {
            break;
        }
        end += STRIDE;
    }
    Ok(watcher.end(end))
}

fn reply(version: &RecordedVersion) -> Reply {
    let tag = store::blob(version.body.clone()).0.to_string();
    Reply::Page(web::Page {
        status: 200,
        media_type: version.media_type.as_str().into(),
        etag: Some(format!("\"{tag}\"").into()),
        last_modified: None,
        retry_after: None,
        body: version.body.as_slice().into(),
    })
}

/// A page and what became of its versions.
struct Page {
    times: Vec<Instant>,
    /// The latest that a look met.
    met: Option<usize>,
    /// Versions before this one were told of, or nothing could be.
    told: usize,
}

impl Page {
    fn new(page: &Recorded) -> Page {
        let times = page.versions.iter().map(|version| version.at).collect();
        Page { times, met: None, told: 1 }
    }

    /// A message came: what it tells of.
    fn tell(&mut self, now: Instant) -> impl Iterator<Item = Wait> {
        let met = self.met.map_or(0, |met| met + 1);
        let first = self.told;
        self.told = met.max(first);
        let new = self.times.get(first..met).unwrap_or_default();
        new.iter().map(move |&appeared| Wait { appeared, end: now })
    }
}

/// Takes down what the shell saw.
struct Watcher {
    replayed: Replayed,
    last: Instant,
    pages: BTreeMap<Box<str>, Page>,
    /// Pages that a look reached after the last version of all.
    done: BTreeSet<Box<str>>,
}

impl Watcher {
    fn new(pages: &[Recorded], last: Instant) -> Watcher {
        let times = |page: &Recorded| (normal(&page.url), Page::new(page));
        let recorded = pages.iter().map(|page| page.versions.len() as u64).sum();
        let replayed = Replayed { recorded, ..Replayed::default() };
        Watcher { replayed, last, pages: pages.iter().map(times).collect(), done: BTreeSet::new() }
    }

    fn take(&mut self, now: Instant, seen: Seen) -> Result<(), ReplayError> {
        match seen {
            Seen::Batch { steps, .. } => {
                for step in steps {
                    if let Cause::Fetched { url, left, end, .. } = step.cause {
                        self.look(&url, left, &end);
                    }
                }
            }
            Seen::Letter { letter, .. } => {
                let recipient = letter.recipient().to_owned();
                for url in urls(&letter.body) {
                    if let Some(page) = self.pages.get_mut(&normal(&url)) {
                        self.replayed.told.extend(page.tell(now));
                    }
                }
                self.replayed.sent.push(Sent { at: now, recipient, body: letter.body });
            }
            Seen::Answered { answer: Answer::Refused(diagnostics), .. } => {
                return Err(ReplayError::Refused(diagnostics));
            }
            _ => {}
        }
        Ok(())
    }

    fn look(&mut self, url: &str, at: Instant, end: &web::End) {
        if matches!(end, web::End::Moved { .. }) {
            return;
        }
        self.replayed.looks += 1;
        if let web::End::Failed { reason, .. } = end {
            self.replayed.failed += 1;
            self.replayed.last_failure = Some(reason.to_string());
        } else if let Some(page) = self.pages.get_mut(url) {
            let shown = page.times.partition_point(|&time| time <= at).max(1) - 1;
            let before = page.met.replace(shown);
            self.replayed.met += u64::from(before != Some(shown));
            self.replayed.pages += u64::from(before.is_none());
            let new = page.times.get(before.unwrap_or(0) + 1..=shown).unwrap_or_default();
            let wait = |&appeared| Wait { appeared, end: at };
            self.replayed.seen.extend(new.iter().map(wait));
            self.replayed.reached.push(at);
        }
        if at >= self.last {
            self.done.insert(url.into());
        }
    }

    fn end(mut self, end: Instant) -> Replayed {
        for page in self.pages.values() {
            let Some(met) = page.met else { continue };
            let waits = page.times[met + 1..].iter();
            self.replayed.seen.extend(waits.map(|&appeared| Wait { appeared, end }));
        }
        let untold = self.pages.values().flat_map(|page| page.times.iter().skip(page.told));
        self.replayed.untold.extend(untold);
        self.replayed
    }

    fn is_done(&self, shell: &Shell) -> bool {
        let Some(kernel) = shell.kernel() else { return false };
        let outbox = kernel.budget(shell.now()).outbox;
        let looked = |url: &str| {
            kernel.source_by_url(OwnerId::FIRST, url).is_none() || self.done.contains(url)
        };
        outbox.waiting + outbox.open == 0
            && outbox.in_flight == 0
            && self.pages.keys().all(|url| looked(url))
    }
}
