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
//! | `Probe` | [`extract`], on the body that came | `Fetched` |
//! | `Reextract` | [`reextract`] | `Reextracted` |
//! | `Compare` | [`compare`] | `Compared` |
//! | `Compose` | [`compose`] | `Composed`, `NotComposed` |
//! | `LoadDue` | [`Reader::due`] | `DueLoaded` |

mod compare;
mod compose;
mod computation;
#[cfg(test)]
mod tests;

pub use compare::{Comparison, compare};
pub use compose::compose;
pub use computation::{Finished, broken, run};

use chronon::{SourceId, VersionNo};
use kernel::record::VersionRow;
use page::{Extract, Hints, Kind, Limits, Odd};
use store::{Blob, Reader, StoreError, blob};
use url::Url;

/// What a body holds, as [`kernel::record::VersionFacts`] wants it.
#[derive(Debug, Clone)]
pub struct Extracted {
    pub extract: Extract,
    pub fingerprint: [u8; 32],
    pub extractor: u32,
    pub kind: Kind,
    pub odd: Option<Odd>,
    pub summary: Box<str>,
    pub body: Blob,
    pub extract_blob: Blob,
}

/// Extracts a body. `content_type` is the header as it came, parameters included (its charset
/// counts); `final_url` the URL that answered. Linear in the body.
///
/// # Errors
/// A sentence for people: the probe failed.
pub fn extract(
    body: &[u8],
    content_type: Option<&str>,
    final_url: &str,
    limits: &Limits,
) -> Result<Extracted, String> {
    let url = Url::parse(final_url)
        .map_err(|error| format!("the final address `{final_url}` is no URL: {error}"))?;
    let hints = Hints { content_type, url: &url };
    let extract = page::read(body, &hints, limits).map_err(|error| error.to_string())?;
    Ok(Extracted {
        fingerprint: page::fingerprint(&extract),
        extractor: extract.extractor,
        kind: extract.kind,
        odd: page::odd(&extract),
        summary: page::summary(&extract).into(),
        body: blob(body.to_vec()),
        extract_blob: blob(page::encode(&extract)),
        extract,
    })
}

/// A version extracted anew: its row, and the new extract to be stored with it.
#[derive(Debug, Clone)]
pub struct Reextracted {
    pub row: VersionRow,
    pub extract_blob: Blob,
}

/// Extracts the stored bytes of a version with the present extractor; `None`: the version is not
/// stored, or its bytes cannot be read any more. `media_type` of the row must be the Content-Type
/// as it came, empty if there was none.
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
    let Ok(extracted) = extract_stored(&row, &body, limits) else { return Ok(None) };
    row.facts.fingerprint = extracted.fingerprint;
    row.facts.extractor = extracted.extractor;
    row.facts.kind = extracted.kind;
    row.facts.odd = extracted.odd;
    row.facts.summary = extracted.summary;
    row.facts.extract = extracted.extract_blob.0;
    Ok(Some(Reextracted { row, extract_blob: extracted.extract_blob }))
}

/// Extracts the stored body of a version, with the same hints as when it came.
fn extract_stored(row: &VersionRow, body: &[u8], limits: &Limits) -> Result<Extracted, String> {
    let content_type = Some(&*row.facts.media_type).filter(|header| !header.is_empty());
    extract(body, content_type, &row.facts.final_url, limits)
}
