//! The seam to whoever can show stored versions to a text, as if it had stood all along.

use crate::App;
use crate::problem::Problem;
use chronon::{Instant, OwnerId, SourceId, Span};
use std::sync::Arc;
use store::{Reader, StoreError};

/// How far back versions are shown.
const SPAN: Span = Span::from_secs(28 * 86_400);
/// Versions of a page that are shown, the newest, and bytes of all of them.
const VERSIONS_MAX: usize = 100;
/// Those that a proposal is shown, so that it comes at once.
const GLANCE: usize = 20;
const BYTES_MAX: usize = 32 << 20;

/// Shows stored versions to a text.
pub trait Rehearsal: Send + Sync {
    /// What the one sentinel of `text` would have told of the versions of each of its sources, in
    /// their order, oldest first. It takes its time: call it where that may be.
    ///
    /// # Errors
    /// A sentence that says why it cannot be known.
    fn rehearse(&self, text: &str, stacks: Vec<Vec<Stored>>) -> Result<Vec<Told>, String>;
}

/// A version as it is stored.
#[derive(Debug, Clone)]
pub struct Stored {
    pub number: u32,
    pub at: Instant,
    pub media_type: String,
    pub body: Arc<[u8]>,
}

/// A message that would have gone out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    pub at: Instant,
    /// In a line.
    pub summary: String,
    /// In full, as a terminal shows it.
    pub text: String,
}

/// A text, and what it is shown.
pub(crate) struct Trial {
    /// Those of the text, in its order.
    pub(crate) urls: Vec<String>,
    pub(crate) text: String,
    /// The newest versions of each page, at most.
    pub(crate) versions: usize,
}

impl Trial {
    /// All that are stored, as far as there is room.
    pub(crate) fn of_all(urls: Vec<String>, text: String) -> Trial {
        Trial { urls, text, versions: VERSIONS_MAX }
    }

    /// A few, for a line beside a proposal.
    pub(crate) fn of_few(url: &str, text: &str) -> Trial {
        Trial { urls: vec![url.to_owned()], text: text.to_owned(), versions: GLANCE }
    }
}

/// How many versions there were of all pages, and what would have been told of them.
#[derive(Default)]
pub(crate) struct Rehearsed {
    pub(crate) versions: usize,
    /// Older ones that are stored were left out: there are too many, or they are too large.
    pub(crate) is_cut: bool,
    /// Versions whose content is not kept any more.
    pub(crate) gone: usize,
    pub(crate) told: Vec<Told>,
}

/// Shows the stored versions of its addresses to a text that was checked.
///
/// # Errors
/// Nobody can do that here, or the versions cannot be shown.
pub(crate) async fn rehearse(
    app: &App,
    owner: OwnerId,
    Trial { urls, text, versions }: Trial,
) -> Result<Rehearsed, Problem> {
    let stage = app.config.rehearsal.clone().ok_or_else(|| {
        Problem::conflict("Stored versions can be shown to a text by a running server only.")
    })?;
    let seat =
        Arc::clone(&app.series).acquire_owned().await.map_err(|_| crate::Closed::default())?;
    let now = app.now();
    let sources = app.desk.look(move |kernel| {
        urls.iter().map(|url| kernel.source_by_url(owner, url)).collect::<Vec<_>>()
    });
    let sources = sources.await?;
    let read = app.desk.read(move |reader| {
        let since = now - SPAN;
        let mut past = Past { since, versions, room: BYTES_MAX, is_cut: false, gone: 0 };
        let stacks = sources.into_iter().map(|source| match source {
            Some(source) => past.versions(reader, source),
            None => Ok(Vec::new()),
        });
        let stacks = stacks.collect::<Result<Vec<_>, StoreError>>()?;
        Ok((stacks, past.is_cut, past.gone))
    });
    let (stacks, is_cut, gone) = read.await?;
    let count = stacks.iter().map(Vec::len).sum();
    let told = tokio::task::spawn_blocking(move || {
        let _held_while_running = seat;
        stage.rehearse(&text, stacks)
    });
    let told = told.await.unwrap_or_else(|_| Err("it failed; the server's log says why".into()));
    let told = told.map_err(|why| Problem::conflict(format!("It cannot be known: {why}.")))?;
    Ok(Rehearsed { versions: count, is_cut, gone, told })
}

/// How often something would have been told.
pub(crate) fn times(count: usize) -> String {
    match count {
        0 => "nothing".to_owned(),
        1 => "once".to_owned(),
        count => format!("{count} times"),
    }
}

/// Versions that are read, as far as there is room.
struct Past {
    since: Instant,
    /// Those of one page, at most.
    versions: usize,
    room: usize,
    is_cut: bool,
    gone: usize,
}

impl Past {
    /// Those of a source, oldest first.
    fn versions(
        &mut self,
        reader: &dyn Reader,
        source: SourceId,
    ) -> Result<Vec<Stored>, StoreError> {
        let mut rows = reader.versions(source, None, self.versions + 1)?;
        rows.retain(|row| row.fetched_at >= self.since);
        self.is_cut |= rows.len() > self.versions;
        rows.truncate(self.versions);
        let mut stored = Vec::new();
        for row in rows.into_iter().filter(|row| !row.held) {
            let Some(body) = reader.blob(row.facts.body)? else {
                self.gone += 1;
                continue;
            };
            let Some(left) = self.room.checked_sub(body.len()) else {
                self.is_cut = true;
                break;
            };
            self.room = left;
            let media_type = row.facts.media_type.to_string();
            stored.push(Stored { number: row.number.0, at: row.fetched_at, media_type, body });
        }
        stored.reverse();
        Ok(stored)
    }
}
