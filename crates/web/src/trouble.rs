//! Why a watch does not work as it should, in plain words with the cure. A watch that cannot work
//! never looks healthy.

use crate::words;
use kernel::record::{ProbeOutcome, SentinelState};
use kernel::view::{SentinelView, SourceView};
use store::{Reader, StoreError};

/// What is wrong with a watch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Trouble {
    /// One or two words: `failing`, `not seen yet`.
    pub(crate) badge: &'static str,
    pub(crate) why: String,
    pub(crate) cure: String,
}

/// Words of a page below which it hardly can be what somebody wants to watch.
const THIN_SUMMARIES: [&str; 3] = ["page, 0 words", "page, 1 word,", "page, 2 words"];

/// What is wrong with an active sentinel, if anything is. Reads the source's last look.
pub(crate) fn of(
    reader: &dyn Reader,
    sentinel: &SentinelView,
    source: &SourceView,
) -> Result<Option<Trouble>, StoreError> {
    if sentinel.life.state != SentinelState::Active {
        return Ok(None);
    }
    let row = &source.row;
    if row.failures > 0 || row.failing_since.is_some() {
        let probes = reader.probes(row.id)?;
        let last = probes.iter().rev().find_map(|probe| match &probe.outcome {
            ProbeOutcome::Failed { status, reason } => Some((*status, reason.to_string())),
            _ => None,
        });
        let (status, why) = last.unwrap_or((None, "its looks fail".to_owned()));
        let badge = if row.version == 0 { "never seen" } else { "failing" };
        let cure = propose::cure(status, &why).to_owned();
        return Ok(Some(Trouble { badge, why, cure }));
    }
    if let Some(why) = words::held(row) {
        let cure = "Tidings looks again, and goes on when the page is as before.".to_owned();
        return Ok(Some(Trouble { badge: "doubtful", why, cure }));
    }
    if !sentinel.life.not_evaluated.is_empty() {
        let why = sentinel.life.not_evaluated.to_string();
        let cure = "What it monitors could not be worked out; change its text.".to_owned();
        return Ok(Some(Trouble { badge: "not working", why, cure }));
    }
    let current = crate::api::current_version(reader, source)?;
    let is_thin = current.as_ref().is_some_and(|version| {
        THIN_SUMMARIES.iter().any(|thin| version.facts.summary.starts_with(thin))
    });
    if is_thin {
        return Ok(Some(Trouble {
            badge: "next to no text",
            why: crate::proposals::THIN.to_owned(),
            cure: crate::proposals::THIN_CURE.to_owned(),
        }));
    }
    Ok(None)
}
