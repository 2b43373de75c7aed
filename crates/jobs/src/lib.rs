//! What shells do on worker threads between an effect of the kernel and its completion.
//!
//! Comes in: a [`kernel::io::Computation`], or the body that a probe brought, and a [`Reader`].
//! Goes out: what to tell the kernel, and blobs. Promises: pure code over what the store holds;
//! nothing is written here; the blobs that come back ride with the batch that names them.
//!
//! Start reading at [`run`].
//!
//! | task | job | ends in |
//! |---|---|---|
//! | `Probe` | [`read`] of the body, if not [`is_stored`] | `Fetched` |
//! | `Reextract` | [`reextract`] | `Reextracted` |
//! | `Look` | [`look`] | `Seen` |
//! | `Compare` | [`compare`] | `Compared` |
//! | `Compose` | [`compose`] | `Composed`, `NotComposed` |
//! | `LoadDue` | [`Reader::due`] | `DueLoaded` |
//!
//! `Judge` asks [`judge`], and ends in `Judged`.

mod compare;
mod compose;
mod computation;
mod habits;
mod judge;
#[cfg(test)]
mod tests;

pub use compare::{Comparison, compare};
pub use compose::compose;
pub use computation::{Finished, broken, run};
pub use judge::judge;

use change::{Breaks, Outage};
use chronon::{BlobId, Instant, SourceId, VersionNo};
use kernel::io::{Missing, Shown};
use kernel::record::{ExtractRef, Extracts, VersionFacts, VersionRow};
use page::{Dated, Extract, Hints, Kind, Limits, Odd, Unread, View};
use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use store::{Blob, Reader, StoreError, blob, blob_id};
use url::Url;

/// What a body holds, as [`kernel::record::VersionFacts`] wants it.
#[derive(Debug, Clone)]
pub struct Extracted {
    pub views: BTreeMap<View, Arc<Extract>>,
    /// The identity of the page, and of what views alone show; the rest is the page's.
    pub fingerprint: [u8; 32],
    pub kind: Kind,
    pub odd: Option<Odd>,
    pub summary: Box<str>,
    pub body: Blob,
    pub extracts: Extracts,
    /// The bytes that `extracts` names.
    pub extract_blobs: Vec<Blob>,
    /// When the content says that it changed.
    pub dates: Vec<Instant>,
    /// How its source is odd like that by habit.
    pub breaks: Option<Breaks>,
}

/// A look that showed the newest version of its source, and what the next is known to show by it
/// without being read.
#[derive(Debug, Clone)]
pub struct Standing {
    /// The newest version.
    pub facts: VersionFacts,
    pub shown: Shown,
    /// The views beside the whole page, in their order, and the bytes that were looked at.
    more: Box<[View]>,
    body: BlobId,
    /// Places of the page from which nothing was read.
    unread: Option<Unread>,
}

impl Standing {
    /// A look at the bytes of a version, at the whole page alone.
    pub fn stored(facts: VersionFacts) -> Standing {
        let shown = Shown::default();
        Standing { body: facts.body, facts, shown, more: [].into(), unread: None }
    }

    /// Whether it tells of the next look: what is odd may come to count, and is another version
    /// then.
    pub fn lasts(&self) -> bool {
        self.facts.odd.is_none()
    }

    /// Bytes of texts, about.
    pub fn text_bytes(&self) -> usize {
        let VersionFacts { media_type, final_url, summary, .. } = &self.facts;
        let facts: usize = [media_type, final_url, summary].iter().map(|text| text.len()).sum();
        let views: usize = self.more.iter().map(|view| view.key().len()).sum();
        let missing = self.shown.missing.iter();
        let missing: usize = missing.map(|(view, why)| view.key().len() + why.len()).sum();
        facts + views + missing + size_of_val(&*self.shown.dates)
    }

    /// Whether an answer that is looked at with these views shows the same, as far as it can be
    /// known without reading: it is what was looked at then to the byte, or differs from it where
    /// nothing is read. The limits are those of then. Linear in the body.
    pub fn is_shown_by(&self, content: Content<'_>, more: &[View], limits: &Limits) -> bool {
        if *self.more != *more || !is_read_alike(content, &self.facts) {
            return false;
        }
        let is_alike = self.unread.as_ref().is_some_and(|unread| {
            let Ok(url) = Url::parse(content.final_url) else { return false };
            let hints = Hints { content_type: content.content_type, url: &url };
            unread.is_all_that_differs(content.body, &hints, limits)
        });
        is_alike || self.body == blob_id(content.body)
    }
}

impl Extracted {
    fn of(body: Blob, read: Dated) -> Extracted {
        let Dated { extracts: views, dates, .. } = read;
        let whole = &views[&View::Page];
        let mut extracts = Extracts::new();
        let mut extract_blobs = Vec::with_capacity(views.len());
        for (view, extract) in &views {
            let stored = blob(page::encode(extract));
            let made = ExtractRef { extractor: extract.extractor, blob: stored.0 };
            extracts.insert(view.clone(), made);
            extract_blobs.push(stored);
        }
        Extracted {
            fingerprint: page::fingerprint_of(&views),
            kind: whole.kind,
            odd: page::odd(whole),
            summary: page::summary(whole).into(),
            body,
            extracts,
            extract_blobs,
            dates,
            breaks: None,
            views: views.into_iter().map(|(view, extract)| (view, Arc::new(extract))).collect(),
        }
    }

    /// As the facts of a version, and the bytes they name. What the answer's head says is left
    /// empty.
    pub fn into_facts(self) -> (VersionFacts, Vec<Blob>) {
        let facts = VersionFacts {
            fingerprint: self.fingerprint,
            kind: self.kind,
            odd: self.odd,
            body: self.body.0,
            extracts: self.extracts,
            status: 0,
            media_type: "".into(),
            final_url: "".into(),
            etag: None,
            last_modified: None,
            modified_at: None,
            summary: self.summary,
        };
        (facts, std::iter::once(self.body).chain(self.extract_blobs).collect())
    }

    /// What it shows beside a version.
    pub fn shown(&self) -> Shown {
        let (missing, dates) = (self.missing(), self.dates.clone());
        Shown { missing, dates, breaks: self.breaks }
    }

    /// The views that show nothing, each with why.
    pub fn missing(&self) -> Missing {
        missing(&self.views)
    }

    /// The extract of the whole page.
    pub fn whole(&self) -> &Extract {
        &self.views[&View::Page]
    }
}

fn missing<E: Borrow<Extract>>(views: &BTreeMap<View, E>) -> Missing {
    let why = |extract: &E| extract.borrow().missing.clone();
    views.iter().filter_map(|(view, extract)| Some((view.clone(), why(extract)?))).collect()
}

/// An answer's body and what came with it.
#[derive(Debug, Clone, Copy)]
pub struct Content<'a> {
    pub body: &'a [u8],
    /// The header as it came, parameters included: the charset of it counts.
    pub content_type: Option<&'a str>,
    /// The URL that answered.
    pub final_url: &'a str,
}

/// Whether an answer is to the byte the version of these facts, and would be read today as it was
/// then: nothing of it needs to be read again. Costs a hash of the body.
pub fn is_stored(content: Content<'_>, stored: &VersionFacts) -> bool {
    is_read_alike(content, stored) && stored.body == blob_id(content.body)
}

/// Whether the bytes of an answer would be read as those of a version were.
fn is_read_alike(content: Content<'_>, stored: &VersionFacts) -> bool {
    stored.extractor() == page::EXTRACTOR
        && *stored.final_url == *content.final_url
        && *stored.media_type == *content.content_type.unwrap_or_default()
}

/// What an answer came to, for whoever watches.
#[derive(Debug, Clone)]
pub enum Read {
    /// It shows what the newest version shows: nothing of it is to be stored. To the byte, it was
    /// not read.
    Same(Box<Standing>),
    /// It is to be stored, if the kernel makes a version of it.
    Fresh(Box<Extracted>),
}

/// What an answer is read beside.
#[derive(Clone, Copy)]
pub struct Beside<'a> {
    pub reader: &'a dyn Reader,
    pub source: SourceId,
    /// The facts of the newest version, where they are at hand; the store is asked for nothing
    /// then if the answer shows the same. Whoever has them has asked [`Standing::is_shown_by`].
    pub known: Option<&'a VersionFacts>,
}

/// Reads an answer beside what is stored of its source: extracts it as [`extract`] does, and notes
/// where it is odd beside the version that counts, and whether that is a habit. What shows nothing
/// new is not encoded, and what has the bytes of the newest version is not read.
///
/// # Errors
/// A sentence for people: the probe failed. A store that is busy or damaged leaves no doubt.
pub fn read(
    beside: Beside<'_>,
    content: Content<'_>,
    more: Vec<View>,
    limits: &Limits,
) -> Result<Read, String> {
    let Beside { reader, source, .. } = beside;
    let mut read = read_beside(beside, content, more, limits)?;
    let breaks = |outage: &Outage| habits::breaks(reader, source, outage);
    match &mut read {
        Read::Same(standing) => {
            let outage = habits::outage(reader, &standing.facts).ok().flatten();
            standing.shown.breaks = outage.and_then(|outage| breaks(&outage));
        }
        Read::Fresh(extracted) => {
            let outage = extracted.odd.and_then(|odd| Outage::of(odd, extracted.whole()));
            extracted.breaks = outage.and_then(|outage| breaks(&outage));
        }
    }
    Ok(read)
}

fn read_beside(
    Beside { reader, source, known }: Beside<'_>,
    content: Content<'_>,
    more: Vec<View>,
    limits: &Limits,
) -> Result<Read, String> {
    let stored_rows = || reader.versions(source, None, VERSIONS_HELD_MAX).unwrap_or_default();
    // What is held stands before what counts.
    let newest = known.is_none().then(stored_rows);
    let first = newest.iter().flatten().next().map(|row| &row.facts);
    // What a selector misses is not among the facts.
    let of_page = first.filter(|_| more.is_empty());
    if let Some(facts) = of_page.filter(|facts| is_stored(content, facts)) {
        return Ok(Read::Same(Box::new(Standing::stored(facts.clone()))));
    }
    let dated = extract_dated(content, more.iter().cloned(), limits)?;
    let whole = dated.extracts[&View::Page].extractor;
    let fingerprint = page::fingerprint_of(&dated.extracts);
    let is_shown =
        |facts: &&VersionFacts| (facts.fingerprint, facts.extractor()) == (fingerprint, whole);
    if let Some(facts) = known.or(first).filter(is_shown) {
        return Ok(Read::Same(Box::new(Standing {
            facts: facts.clone(),
            shown: Shown { missing: missing(&dated.extracts), dates: dated.dates, breaks: None },
            more: more.into(),
            body: blob_id(content.body),
            unread: dated.unread,
        })));
    }
    let mut newest = newest.unwrap_or_else(stored_rows);
    let mut extracted = Extracted::of(blob(content.body.to_vec()), dated);
    newest.extend(last_of_kind(reader, source, &newest, extracted.kind));
    drop(recognise(reader, &newest, &mut extracted, limits));
    let is_first = newest.is_empty();
    drop(compare_with_stored(reader, newest, &mut extracted));
    if !is_first {
        for (view, extract) in &extracted.views {
            reader.expect_extract(extracted.extracts[view].blob, extract);
        }
    }
    Ok(Read::Fresh(Box::new(extracted)))
}

/// Extracts the whole page, and the views of `more` that something extracts. Linear in the body,
/// for each view.
///
/// # Errors
/// A sentence for people: the probe failed.
pub fn extract(
    content: Content<'_>,
    more: impl IntoIterator<Item = View>,
    limits: &Limits,
) -> Result<Extracted, String> {
    let dated = extract_dated(content, more, limits)?;
    Ok(Extracted::of(blob(content.body.to_vec()), dated))
}

fn extract_dated(
    content: Content<'_>,
    more: impl IntoIterator<Item = View>,
    limits: &Limits,
) -> Result<Dated, String> {
    let Content { body, content_type, final_url } = content;
    let url = Url::parse(final_url)
        .map_err(|error| format!("the final address `{final_url}` is no URL: {error}"))?;
    let hints = Hints { content_type, url: &url };
    let views: BTreeSet<View> = more.into_iter().chain([View::Page]).collect();
    page::extract_dated(body, &hints, limits, views).map_err(|error| error.to_string())
}

/// The last version of a kind that counts, where none of the newest is: a stream goes on from it.
fn last_of_kind(
    reader: &dyn Reader,
    source: SourceId,
    newest: &[VersionRow],
    kind: Kind,
) -> Option<VersionRow> {
    let counts = |row: &VersionRow| row.facts.kind == kind && !row.held;
    let before = newest.last().filter(|_| !newest.iter().any(counts))?.number;
    let older = reader.versions(source, Some(before), OTHER_KIND_MAX).unwrap_or_default();
    older.into_iter().find(counts)
}

/// Who points at a part of a page comes and goes, and what only a view shows belongs to the
/// identity of a version. A stored version that shows the same in the views of today is the same,
/// whoever looked at it then. Only versions with other views, and of the same page, are read again.
fn recognise(
    reader: &dyn Reader,
    newest: &[VersionRow],
    extracted: &mut Extracted,
    limits: &Limits,
) -> Result<(), StoreError> {
    for row in newest {
        let facts = &row.facts;
        // One that shows the same may bear the fingerprint of another before it.
        if facts.fingerprint == extracted.fingerprint || facts.extracts == extracted.extracts {
            extracted.fingerprint = facts.fingerprint;
            return Ok(());
        }
        let is_like = facts.kind == extracted.kind && facts.extractor() == page::EXTRACTOR;
        let Some(whole) = facts.whole().filter(|_| is_like) else { continue };
        if facts.extracts.keys().eq(extracted.views.keys()) {
            continue;
        }
        let of_page = page::fingerprint(extracted.whole());
        if reader.extract(whole)?.is_none_or(|whole| page::fingerprint(&whole) != of_page) {
            continue;
        }
        let Some(body) = reader.blob(facts.body)? else { continue };
        let today = extract(stored(row, &body), extracted.views.keys().cloned(), limits);
        if today.is_ok_and(|today| today.fingerprint == extracted.fingerprint) {
            extracted.fingerprint = facts.fingerprint;
            return Ok(());
        }
    }
    Ok(())
}

/// Notes where an answer is odd beside the version that counts: in another language, a tenth of it,
/// an error body. Costs the reading of one stored extract.
fn compare_with_stored(
    reader: &dyn Reader,
    newest: Vec<VersionRow>,
    extracted: &mut Extracted,
) -> Result<(), StoreError> {
    if extracted.odd.is_some() {
        return Ok(());
    }
    let Some(counted) = newest.into_iter().find(|row| !row.held) else { return Ok(()) };
    let whole =
        counted.facts.whole().filter(|_| counted.facts.fingerprint != extracted.fingerprint);
    let Some(whole) = whole else { return Ok(()) };
    if let Some(before) = reader.extract(whole)? {
        extracted.odd = page::apart(&before, extracted.whole());
    }
    Ok(())
}

/// Versions in a row that may be held before one that counts is looked for no further.
const VERSIONS_HELD_MAX: usize = 8;
/// Versions in a row that may be of another kind before one of its own is looked for no further.
const OTHER_KIND_MAX: usize = 100;

/// A version extracted anew: its row, and the new extracts to be stored with it.
#[derive(Debug, Clone)]
pub struct Reextracted {
    pub row: VersionRow,
    pub extract_blobs: Vec<Blob>,
}

/// Extracts the stored bytes of a version with the present extractors, in every view it has;
/// `None`: the version is not stored, or its bytes cannot be read any more. `media_type` of the row
/// must be the Content-Type as it came, empty if there was none.
///
/// # Errors
/// What the store says; damage counts as unreadable bytes.
pub fn reextract(
    reader: &dyn Reader,
    source: SourceId,
    version: VersionNo,
    limits: &Limits,
) -> Result<Option<Reextracted>, StoreError> {
    let Some(mut row) = reader.version(source, version)? else { return Ok(None) };
    let body = match reader.blob(row.facts.body) {
        Ok(Some(body)) => body,
        Ok(None) | Err(StoreError::Damaged(_)) => return Ok(None),
        Err(error) => return Err(error),
    };
    let views = row.facts.extracts.keys().cloned();
    let Ok(extracted) = extract(stored(&row, &body), views, limits) else { return Ok(None) };
    row.facts.fingerprint = extracted.fingerprint;
    row.facts.kind = extracted.kind;
    row.facts.odd = extracted.odd;
    row.facts.summary = extracted.summary;
    row.facts.extracts = extracted.extracts;
    Ok(Some(Reextracted { row, extract_blobs: extracted.extract_blobs }))
}

/// Looks for views in the stored bytes of a version: those that show nothing. A version that is
/// gone, or cannot be read, says nothing of them.
///
/// # Errors
/// What the store says if it may pass; damage counts as unreadable bytes.
pub fn look(
    reader: &dyn Reader,
    source: SourceId,
    version: VersionNo,
    views: &[View],
) -> Result<Missing, StoreError> {
    let Some(row) = reader.version(source, version)? else { return Ok(Missing::new()) };
    let body = match reader.blob(row.facts.body) {
        Ok(Some(body)) => body,
        Ok(None) | Err(StoreError::Damaged(_)) => return Ok(Missing::new()),
        Err(error) => return Err(error),
    };
    let extracted = extract(stored(&row, &body), views.iter().cloned(), &Limits::default());
    Ok(extracted.map(|extracted| extracted.missing()).unwrap_or_default())
}

/// The stored body of a version, with what came with it.
fn stored<'a>(row: &'a VersionRow, body: &'a [u8]) -> Content<'a> {
    let content_type = Some(&*row.facts.media_type).filter(|header| !header.is_empty());
    Content { body, content_type, final_url: &row.facts.final_url }
}
