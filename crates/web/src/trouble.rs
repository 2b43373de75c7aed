//! Why a watch does not work as it should, in plain words with the cure. A watch that cannot work
//! never looks healthy.

use crate::words;
use kernel::record::{ProbeOutcome, SentinelState, VersionRow};
use kernel::view::{SentinelView, SourceView};
use serde::Serialize;
use store::{Reader, StoreError};
use utoipa::ToSchema;

/// What is wrong with a watch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Trouble {
    /// A few words: `failing`, `never seen`, `doubtful`, `not working`, `next to no text`.
    pub(crate) badge: &'static str,
    pub(crate) why: String,
    /// What to do; a sentence, or two.
    pub(crate) cure: String,
}

/// Words of a page below which it hardly can be what somebody wants to watch.
const THIN_SUMMARIES: [&str; 3] = ["page, 0 words", "page, 1 word,", "page, 2 words"];

/// Whether a page has next to no text.
pub(crate) fn is_thin(version: &VersionRow) -> bool {
    THIN_SUMMARIES.iter().any(|thin| version.facts.summary.starts_with(thin))
}

/// What is wrong with an active sentinel of these sources, if anything is. Reads the last look of
/// each.
pub(crate) fn of(
    reader: &dyn Reader,
    sentinel: &SentinelView,
    sources: &[SourceView],
) -> Result<Option<Trouble>, StoreError> {
    if sentinel.life.state != SentinelState::Active {
        return Ok(None);
    }
    // Which of several it is has to be said.
    let on = |source: &SourceView, trouble: Trouble| match sources {
        [_] => trouble,
        _ => Trouble { why: format!("{}: {}", source.row.url.shown(), trouble.why), ..trouble },
    };
    for source in sources {
        if let Some(trouble) = unseen(reader, source)? {
            return Ok(Some(on(source, trouble)));
        }
    }
    if !sentinel.life.not_evaluated.is_empty() {
        let why = sentinel.life.not_evaluated.to_string();
        let cure = "What it monitors could not be worked out; change its text.".to_owned();
        return Ok(Some(Trouble { badge: "not working", why, cure }));
    }
    for source in sources {
        if crate::api::current_version(reader, source)?.as_ref().is_some_and(is_thin) {
            let trouble = Trouble {
                badge: "next to no text",
                why: propose::THIN.reason.to_owned(),
                cure: propose::THIN.cure.to_owned(),
            };
            return Ok(Some(on(source, trouble)));
        }
    }
    Ok(None)
}

/// Why the last look at a source does not count.
fn unseen(reader: &dyn Reader, source: &SourceView) -> Result<Option<Trouble>, StoreError> {
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
    let held = words::held(row).map(|why| {
        let cure = "Tidings looks again, and goes on when the page is as before.".to_owned();
        Trouble { badge: "doubtful", why, cure }
    });
    Ok(held)
}
