//! The body of a notification, from what the store holds.

use change::Evidence;
use chronon::{Instant, NotificationId, RuleId, SentinelId, SourceId, VersionNo, Zone};
use kernel::record::{RuleRow, VersionRow};
use notice::{
    Body, CameFacts, ChangeFacts, DigestFacts, EvidenceFacts, Facts, FollowedFacts, Happened,
    HealthFacts, HeldFacts, Member, MemberFacts, PartFacts, Presentation, RuleFacts, SourceFacts,
};
use outbox::{Came, ChannelRow, Detection, Follow, FollowingLook, Kind, PartKind, Row};
use page::Extract;
use std::collections::{BTreeMap, BTreeSet};
use store::{Blob, Reader, StoreError, blob};

/// How much of a page's text is handed on, but for the rest of a block.
const HELD_BYTES_MAX: usize = 1024;

/// The body of a closed notification, as `docs/formats.md`, Webhook says: to be stored with the row
/// that names it. Same rows, same bytes.
///
/// # Errors
/// [`StoreError::Damaged`] if something is gone that an unfinished notification keeps; else what
/// the store says.
pub fn compose(reader: &dyn Reader, notification: NotificationId) -> Result<Blob, StoreError> {
    Ok(blob(notice::compose(&facts(reader, notification)?)))
}

fn gone(what: impl std::fmt::Display) -> StoreError {
    StoreError::Damaged(format!("{what} is gone, and a notification needs it"))
}

/// What [`compose`] makes the body from.
fn facts(reader: &dyn Reader, notification: NotificationId) -> Result<Facts, StoreError> {
    let row = reader.notification(notification)?.ok_or_else(|| gone(notification))?;
    let body = match row.kind {
        Kind::Change => {
            let id = row.members.first().ok_or_else(|| gone("the detection"))?;
            let detection = reader.detection(*id)?.ok_or_else(|| gone("the detection"))?;
            Body::Change(Box::new(change(reader, detection)?))
        }
        Kind::Rule => {
            let id = row.members.first().ok_or_else(|| gone("the detection"))?;
            let detection = reader.detection(*id)?.ok_or_else(|| gone("the detection"))?;
            let instance = reader.meta()?.instance;
            let channel = reader.channel(row.channel)?.ok_or_else(|| gone("the channel"))?;
            Body::Rule(rule(reader, &detection, (&instance, &channel))?)
        }
        Kind::Digest => Body::Digest(digest(reader, &row)?),
        Kind::SourceFailing => Body::Failing(health(reader, &row)?),
        Kind::SourceRecovered => Body::Recovered(health(reader, &row)?),
        Kind::SelectorMissing => Body::Missing(health(reader, &row)?),
        Kind::SelectorFound => Body::Found(health(reader, &row)?),
        Kind::ChannelTest => {
            let channel = reader.channel(row.channel)?.ok_or_else(|| gone("the channel"))?;
            Body::Test { channel: channel.name.into() }
        }
        Kind::ChannelFailing => Body::Unreachable { note: row.note.to_string() },
    };
    let of_rule = match row.sentinel {
        Some(id) => reader.sentinel(id)?.is_none() && reader.rule(RuleId(id.0))?.is_some(),
        None => false,
    };
    let sentinel = row.sentinel.filter(|_| !of_rule && !matches!(body, Body::Rule(_)));
    Ok(Facts {
        presentation: row.sentinel.map(|id| presentation(reader, id)).transpose()?.flatten(),
        sentinel: sentinel.map(|id| Ok((id, name(reader, id)?))).transpose()?,
        seq: row.seq,
        composed_at: row.closed_at.unwrap_or(row.created_at),
        body,
        key: row.key.0,
    })
}

/// The sentinel's name, or its id if it was removed.
fn name(reader: &dyn Reader, id: SentinelId) -> Result<String, StoreError> {
    let row = reader.sentinel(id)?;
    Ok(row.map_or_else(|| id.to_string(), |row| row.name.into()))
}

/// How the sentinel, as it is now, wants its changes shown.
fn presentation(reader: &dyn Reader, id: SentinelId) -> Result<Option<Presentation>, StoreError> {
    let row = reader.sentinel(id)?;
    let asked = row.and_then(|row| sentinel::presentation(&row.text));
    Ok(asked.map(|asked| match asked {
        sentinel::ast::Presentation::OnlyChange => Presentation::OnlyChange,
        sentinel::ast::Presentation::DualFrame => Presentation::DualFrame,
        sentinel::ast::Presentation::Merged => Presentation::Merged,
    }))
}

fn change(reader: &dyn Reader, row: Detection) -> Result<ChangeFacts, StoreError> {
    let names = names(reader, row.sentinel)?;
    let own = |at: u32| -> BTreeSet<u32> {
        let all = row.combinations.iter().flatten().filter(|leaf| leaf.evidence == at);
        all.map(|leaf| leaf.comparison).collect()
    };
    let evidence =
        (0..).zip(&row.evidence).map(|(at, piece)| evidence(reader, piece, &own(at), &names));
    Ok(ChangeFacts {
        detected_at: row.at,
        evidence: evidence.collect::<Result<_, _>>()?,
        combinations: row.combinations.clone(),
        followed: match &row.follow {
            Some(follow) => followed(reader, row.at, follow)?,
            None => Vec::new(),
        },
    })
}

/// What was looked at because of a detection.
fn followed(
    reader: &dyn Reader,
    start: Instant,
    follow: &Follow,
) -> Result<Vec<FollowedFacts>, StoreError> {
    let look = |look: &FollowingLook| {
        let missed = |reason: &str| {
            let finish = follow.finish;
            CameFacts::Missed { start, finish, reason: reason.to_owned() }
        };
        let url = reader.source(look.source)?.map(|source| source.url.to_string());
        let came = match &look.came {
            Came::Nothing => missed("no look came of it"),
            Came::Missed(why) => missed(why),
            Came::Shown(version, at) => held(reader, (look.source, *version), *at)?
                .map_or_else(|| missed("what it held is not stored any more"), CameFacts::Held),
        };
        let url = url.unwrap_or_else(|| look.source.to_string());
        Ok(FollowedFacts { url, name: look.name.as_deref().map(str::to_owned), came })
    };
    follow.looks.iter().map(look).collect()
}

/// What a version held, if that is stored and can be read.
fn held(
    reader: &dyn Reader,
    (source, version): (SourceId, VersionNo),
    at: Instant,
) -> Result<Option<Box<HeldFacts>>, StoreError> {
    let Some(row) = reader.version(source, version)? else { return Ok(None) };
    let Some(bytes) = row.facts.whole().map(|id| reader.blob(id)).transpose()?.flatten() else {
        return Ok(None);
    };
    let Ok(extract) = page::decode(&bytes) else { return Ok(None) };
    Ok(Some(Box::new(HeldFacts {
        version: version.0,
        at,
        final_url: row.facts.final_url.into(),
        media_type: row.facts.media_type.into(),
        text: beginning(&extract),
        title: extract.title,
    })))
}

/// The beginning of the main text.
fn beginning(extract: &Extract) -> String {
    let has_main = extract.blocks.iter().any(|block| block.part.is_main());
    let mut text = String::new();
    for block in extract.blocks.iter().filter(|block| block.part.is_main() || !has_main) {
        if text.len() >= HELD_BYTES_MAX {
            break;
        }
        if !text.is_empty() {
            text.push_str(" · ");
        }
        text.push_str(&block.text);
    }
    text
}

/// What a sentinel calls its sources, as far as it does.
type Names = BTreeMap<SourceId, String>;

/// As the sentinel is now; of one that is gone nothing is known.
fn names(reader: &dyn Reader, id: SentinelId) -> Result<Names, StoreError> {
    let Some(row) = reader.sentinel(id)? else { return Ok(Names::new()) };
    let named = row.sources().zip(sentinel::source_names(&row.text));
    Ok(named.filter_map(|(source, name)| Some((source, name?))).collect())
}

/// `own`: the comparisons of its result that the detection names.
fn evidence(
    reader: &dyn Reader,
    piece: &Evidence,
    own: &BTreeSet<u32>,
    names: &Names,
) -> Result<EvidenceFacts, StoreError> {
    let bytes = reader.blob(piece.result)?.ok_or_else(|| gone("the result of a round"))?;
    let damaged = |error: &dyn std::fmt::Display| StoreError::Damaged(error.to_string());
    let mut result = change::decode(&bytes).map_err(|error| damaged(&error))?;
    // One that goes down shows no title; it is still called by the last.
    let is_nameless = |compared: &&mut change::Compared| {
        compared.title.is_none() && compared.change_type.aspect == change::Aspect::Status
    };
    for compared in result.comparisons.iter_mut().filter(is_nameless) {
        compared.title = title(reader, piece.source, piece.to)?;
    }
    let name = names.get(&piece.source).cloned();
    let mut source = SourceFacts { name, ..source(reader, piece)? };
    // Where the page was odd in the version before, an earlier one was compared.
    let compared = own.iter().filter_map(|&at| result.comparisons.get(at as usize));
    let bases: BTreeSet<_> = compared.map(|compared| compared.base).collect();
    if let (Some(&Some(base)), 1) = (bases.first(), bases.len())
        && let Some(from) = reader.version(piece.source, base)?
    {
        (source.from_version, source.from_fetched_at) = (from.number.0, from.fetched_at);
    }
    Ok(EvidenceFacts { source, result })
}

fn source(reader: &dyn Reader, piece: &Evidence) -> Result<SourceFacts, StoreError> {
    let Evidence { source, from, to, .. } = *piece;
    let (from, to) = (version(reader, source, from)?, version(reader, source, to)?);
    let url = reader
        .source(source)?
        .map_or_else(|| to.facts.final_url.to_string(), |s| s.url.to_string());
    Ok(SourceFacts {
        url,
        name: None,
        final_url: to.facts.final_url.into(),
        media_type: to.facts.media_type.into(),
        from_version: from.number.0,
        to_version: to.number.0,
        from_fetched_at: from.fetched_at,
        fetched_at: to.fetched_at,
        modified_at: to.facts.modified_at,
    })
}

fn version(
    reader: &dyn Reader,
    source: SourceId,
    number: VersionNo,
) -> Result<VersionRow, StoreError> {
    let row = reader.version(source, number)?;
    row.ok_or_else(|| gone(format_args!("{number} of {source}")))
}

fn digest(reader: &dyn Reader, row: &Row) -> Result<DigestFacts, StoreError> {
    let instance = reader.meta()?.instance;
    let channel = reader.channel(row.channel)?.ok_or_else(|| gone("the channel"))?;
    let mut digest = DigestFacts { notifications: Vec::new(), more: row.more };
    for member in &row.members {
        let Some(detection) = reader.detection(*member)? else {
            digest.more += 1;
            continue;
        };
        let (key, seq) = (outbox::change_key(&instance, &channel, &detection), detection.seq);
        let what = if detection.is_of_rule() {
            MemberFacts::Rule(rule(reader, &detection, (&instance, &channel))?)
        } else {
            MemberFacts::Change(change(reader, detection)?)
        };
        digest.notifications.push(Member { key: key.0, seq, what });
    }
    Ok(digest)
}

/// What a rule detected, with what its parts found as far as that is stored.
fn rule(
    reader: &dyn Reader,
    row: &Detection,
    to: (&[u8; 16], &ChannelRow),
) -> Result<RuleFacts, StoreError> {
    let known = reader.rule(RuleId(row.sentinel.0))?;
    let named = |known: &RuleRow| (known.name.to_string(), known.zone.clone());
    let unnamed = || (RuleId(row.sentinel.0).to_string(), Zone::utc());
    let (name, zone) = known.as_ref().map_or_else(unnamed, named);
    let of_this = known.filter(|known| known.generation == row.generation);
    let absent = of_this.and_then(|known| {
        // The chronon counts for durations only.
        let chronon = chronon::Span::SECOND;
        let rule = sentinel::recall_rule(&known.text, known.defined_at, &known.zone, chronon);
        sentinel::absent(&rule.ok()?)
    });
    let mut parts = Vec::new();
    for part in &row.parts {
        parts.push(PartFacts { at: part.at, happened: happened(reader, &part.what, to)? });
    }
    Ok(RuleFacts { rule: name, absent, zone, detected_at: row.at, parts })
}

fn happened(
    reader: &dyn Reader,
    what: &PartKind,
    (instance, channel): (&[u8; 16], &ChannelRow),
) -> Result<Happened, StoreError> {
    Ok(match what {
        PartKind::Found(sentinel, found) => {
            let found = match reader.detection(*found)? {
                Some(detection) => {
                    let key = outbox::change_key(instance, channel, &detection).0;
                    let seq = detection.seq;
                    match change(reader, detection) {
                        Ok(change) => {
                            let what = MemberFacts::Change(change);
                            Some(Box::new(Member { key, seq, what }))
                        }
                        // It may be older than what is kept.
                        Err(StoreError::Damaged(_)) => None,
                        Err(error) => return Err(error),
                    }
                }
                None => None,
            };
            Happened::Found { sentinel: (*sentinel, self::name(reader, *sentinel)?), found }
        }
        PartKind::Started(sentinel) => Happened::Started(name(reader, *sentinel)?),
        PartKind::Ended(sentinel) => Happened::Ended(name(reader, *sentinel)?),
        PartKind::Fetched(sentinel) => Happened::Fetched(name(reader, *sentinel)?),
        PartKind::Failed(sentinel) => Happened::Failed(name(reader, *sentinel)?),
        PartKind::Raised(name) => Happened::Raised(name.to_string()),
        PartKind::Clock => Happened::Clock,
    })
}

fn health(reader: &dyn Reader, row: &Row) -> Result<HealthFacts, StoreError> {
    let id = row.source.ok_or_else(|| gone("the source"))?;
    let source = reader.source(id)?;
    let shown = source.as_ref().map(|source| VersionNo(source.version));
    let title = shown.map(|version| title(reader, id, version)).transpose()?.flatten();
    let url = source.map_or_else(|| id.to_string(), |source| source.url.to_string());
    let names = row.sentinel.map(|sentinel| names(reader, sentinel)).transpose()?;
    let name = names.and_then(|mut names| names.remove(&id));
    let (detected_at, note) = (row.created_at, row.note.to_string());
    Ok(HealthFacts { url, name, title, detected_at, note })
}

/// What a version calls itself, if that can be read.
fn title(
    reader: &dyn Reader,
    source: SourceId,
    version: VersionNo,
) -> Result<Option<String>, StoreError> {
    let Some(whole) = reader.version(source, version)?.and_then(|row| row.facts.whole()) else {
        return Ok(None);
    };
    match reader.extract(whole) {
        Ok(extract) => Ok(extract.and_then(|extract| extract.title.clone())),
        Err(StoreError::Damaged(_)) => Ok(None),
        Err(error) => Err(error),
    }
}
