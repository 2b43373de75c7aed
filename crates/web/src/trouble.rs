//! Why a watch does not work as it should, in plain words with the cure. A watch that cannot work
//! never looks healthy.

use crate::words;
use change::View;
use chronon::Zone;
use kernel::record::{ProbeOutcome, SentinelState, SourceRow, VersionRow};
use kernel::view::{Mute, SentinelView, Silence, SourceView};
use propose::Doubt;
use serde::Serialize;
use store::{Reader, StoreError};
use utoipa::ToSchema;

/// What is wrong with a watch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Trouble {
    /// A few words: `failing`, `never seen`, `doubtful`, `not working`, `next to no text`,
    /// `cannot tell`, `nothing arrives`, `asks for a login`, `asks who looks`, `an error page`.
    pub(crate) badge: &'static str,
    pub(crate) why: String,
    /// What to do; a sentence, or two.
    pub(crate) cure: String,
}

impl Trouble {
    /// Why, as a sentence.
    pub(crate) fn sentence(&self) -> String {
        format!("{}.", words::begun(&self.why))
    }
}

impl From<Doubt> for Trouble {
    fn from(doubt: Doubt) -> Trouble {
        let Doubt { badge, reason, cure } = doubt;
        Trouble { badge, why: reason.to_owned(), cure: cure.to_owned() }
    }
}

/// Why this version is hardly what somebody wants to watch, as Add says of what it sees. Reads the
/// extracts of short pages only.
pub(crate) fn doubt(
    reader: &dyn Reader,
    version: &VersionRow,
) -> Result<Option<Doubt>, StoreError> {
    if version.facts.odd.is_none() && !propose::may_be_in_doubt(&version.facts.summary) {
        return Ok(None);
    }
    let Some(made) = version.facts.extracts.get(&View::Page) else { return Ok(None) };
    // What cannot be read any more says nothing.
    let extract = reader.blob(made.blob)?.and_then(|bytes| page::decode(&bytes).ok());
    Ok(extract.and_then(|extract| propose::doubt(&propose::findings(&extract))))
}

/// What is wrong with an active sentinel of these sources, if anything is. Reads the last look of
/// each.
pub(crate) fn of(
    reader: &dyn Reader,
    sentinel: &SentinelView,
    sources: &[SourceView],
    zone: &Zone,
) -> Result<Option<Trouble>, StoreError> {
    if sentinel.life.state != SentinelState::Active {
        return Ok(None);
    }
    // A channel that failed may take the next try; a page that is not seen is not told at all.
    let is_tried = |mute: &&Mute| matches!(mute.silence, Silence::Failing(_));
    if let Some(mute) = sentinel.mute.as_ref().filter(|mute| !is_tried(mute)) {
        return Ok(Some(untold(mute, zone)));
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
        let cure = "What the sentinel monitors cannot be worked out; change its text.".to_owned();
        return Ok(Some(Trouble { badge: "not working", why, cure }));
    }
    if let Some(mute) = &sentinel.mute {
        return Ok(Some(untold(mute, zone)));
    }
    for source in sources {
        let Some(version) = crate::api::current_version(reader, source)? else { continue };
        if let Some(doubt) = doubt(reader, &version)? {
            return Ok(Some(on(source, doubt.into())));
        }
    }
    Ok(None)
}

/// Why what a sentinel tells does not arrive.
fn untold(mute: &Mute, zone: &Zone) -> Trouble {
    let Mute { channel, silence, why, others } = mute;
    let reason = |before: &str| match &**why {
        "" => String::new(),
        why => format!("{before}{}", why.trim_end_matches('.')),
    };
    let (badge, said, cure) = match silence {
        Silence::Unable => (
            "cannot tell",
            format!("nothing can be sent by {channel}{}", reason(": ")),
            "Mend that, and start the server again if it stands in tidings.toml; or tell by \
             another channel.",
        ),
        Silence::Disabled => (
            "nothing arrives",
            format!("the channel {channel} takes no more messages{}", reason(": ")),
            "What was for it is given up. Send it a test under Channels: once one arrives, it is \
             used again.",
        ),
        Silence::Failing(since) => {
            let since = words::moment(*since, zone);
            (
                "nothing arrives",
                format!("nothing arrives by {channel} since {since}{}", reason("; the last try: ")),
                "Mend that, and send it a test under Channels; or tell by another channel.",
            )
        }
    };
    let others = match others {
        0 => String::new(),
        1 => "; another of its channels is no better".to_owned(),
        more => format!("; {more} more of its channels are no better"),
    };
    Trouble { badge, why: said + &others, cure: cure.to_owned() }
}

/// Why the last look at a source does not count.
fn unseen(reader: &dyn Reader, source: &SourceView) -> Result<Option<Trouble>, StoreError> {
    let row = &source.row;
    if row.failures == 0 && row.failing_since.is_none() {
        return held(reader, row);
    }
    let probes = reader.probes(row.id)?;
    let last = probes.iter().rev().find_map(|probe| match &probe.outcome {
        ProbeOutcome::Failed { status, reason } => Some(Some((*status, reason.to_string()))),
        ProbeOutcome::Held(_) => Some(None),
        _ => None,
    });
    let failed = last.flatten();
    // A look that brought what does not count is no better than one that failed.
    if failed.is_none()
        && let Some(trouble) = held(reader, row)?
    {
        return Ok(Some(trouble));
    }
    let (status, why) = failed.unwrap_or((None, "its looks fail".to_owned()));
    let badge = if row.version == 0 { "never seen" } else { "failing" };
    let cure = propose::cure(status, &why, row.url.credentials().is_some()).to_owned();
    Ok(Some(Trouble { badge, why, cure }))
}

/// What a source shows that does not count.
fn held(reader: &dyn Reader, row: &SourceRow) -> Result<Option<Trouble>, StoreError> {
    let (Some(why), Some(held)) = (words::held(row), &row.held) else { return Ok(None) };
    let why = why.trim_end_matches('.').to_owned();
    let shown = reader.version(row.id, held.version)?;
    let doubt = shown.map(|version| doubt(reader, &version)).transpose()?.flatten();
    Ok(Some(match doubt {
        Some(doubt) if row.version == 0 => doubt.into(),
        Some(doubt) if held.confirmed => {
            Trouble { badge: "failing", why, cure: doubt.cure.to_owned() }
        }
        _ => {
            let cure = "Tidings looks again, and goes on when the page is as before.".to_owned();
            Trouble { badge: "doubtful", why, cure }
        }
    }))
}
