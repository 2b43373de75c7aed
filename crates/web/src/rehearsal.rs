//! The seam to whoever can show stored versions to a text, as if it had stood all along.

use crate::App;
use crate::problem::Problem;
use chronon::{Instant, OwnerId, Span};
use std::sync::Arc;

/// How far back versions are shown.
const SPAN: Span = Span::from_secs(28 * 86_400);
/// Versions that are shown, the newest, and bytes of all of them.
const VERSIONS_MAX: usize = 100;
const BYTES_MAX: usize = 32 << 20;

/// Shows stored versions to a text.
pub trait Rehearsal: Send + Sync {
    /// What the one sentinel of `text` would have told of these versions, oldest first. It takes
    /// its time: call it where that may be.
    ///
    /// # Errors
    /// A sentence that says why it cannot be known.
    fn rehearse(&self, text: &str, versions: Vec<Stored>) -> Result<Vec<Told>, String>;
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

/// How many versions there were, and what would have been told of them.
#[derive(Default)]
pub(crate) struct Rehearsed {
    pub(crate) versions: usize,
    /// Older ones that are stored were left out: there are too many, or they are too large.
    pub(crate) is_cut: bool,
    /// Versions whose content is not kept any more.
    pub(crate) gone: usize,
    pub(crate) told: Vec<Told>,
}

/// Shows the stored versions of an address to a text that was checked.
///
/// # Errors
/// Nobody can do that here, or the versions cannot be shown.
pub(crate) async fn rehearse(
    app: &App,
    owner: OwnerId,
    url: String,
    text: String,
) -> Result<Rehearsed, Problem> {
    let stage = app.config.rehearsal.clone().ok_or_else(|| {
        Problem::conflict("Stored versions can be shown to a text by a running server only.")
    })?;
    let seat = Arc::clone(&app.series).acquire_owned().await.map_err(|_| crate::Closed)?;
    let now = app.now();
    let source = app.desk.look(move |kernel| kernel.source_by_url(owner, &url)).await?;
    let Some(source) = source else { return Ok(Rehearsed::default()) };
    let versions = app.desk.read(move |reader| {
        let mut rows = reader.versions(source, None, VERSIONS_MAX + 1)?;
        rows.retain(|row| row.fetched_at >= now - SPAN);
        let mut is_cut = rows.len() > VERSIONS_MAX;
        rows.truncate(VERSIONS_MAX);
        let (mut stored, mut bytes, mut gone) = (Vec::new(), 0, 0);
        for row in rows.into_iter().filter(|row| !row.held) {
            let Some(body) = reader.blob(row.facts.body)? else {
                gone += 1;
                continue;
            };
            bytes += body.len();
            if bytes > BYTES_MAX {
                is_cut = true;
                break;
            }
            let media_type = row.facts.media_type.to_string();
            stored.push(Stored { number: row.number.0, at: row.fetched_at, media_type, body });
        }
        stored.reverse();
        Ok((stored, is_cut, gone))
    });
    let (versions, is_cut, gone) = versions.await?;
    let count = versions.len();
    let told = tokio::task::spawn_blocking(move || {
        let _held_while_running = seat;
        stage.rehearse(&text, versions)
    });
    let told = told.await.unwrap_or_else(|_| Err("it failed; the server's log says why".into()));
    let told = told.map_err(|why| Problem::conflict(format!("It cannot be known: {why}.")))?;
    Ok(Rehearsed { versions: count, is_cut, gone, told })
}
