//! The comparisons of a round.

use crate::{extract, stored};
use change::{RoundRequest, RoundResult};
use chronon::{SourceId, VersionNo};
use graph::Outline;
use page::{Extract, View};
use std::sync::Arc;
use store::{Blob, Reader, StoreError, blob};

/// A round compared: what to store, and what to tell the kernel of it.
#[derive(Debug, Clone)]
pub struct Comparison {
    pub result: RoundResult,
    pub outline: Outline,
    pub result_blob: Blob,
}

/// Makes the comparisons of a round of `source`. A version that is gone or damaged fails the
/// comparisons that need it, and only these.
///
/// # Errors
/// What the store says if it may pass (busy, failed): ask again.
pub fn compare(
    reader: &dyn Reader,
    source: SourceId,
    request: &RoundRequest,
) -> Result<Comparison, StoreError> {
    let mut passing = None;
    let mut load = |version, view: &View| match load(reader, source, version, view) {
        Ok(loaded) => loaded,
        Err(error) => {
            let said = error.to_string();
            passing.get_or_insert(error);
            Err(said)
        }
    };
    let result = change::run(request, &mut load, &change::Limits::default());
    if let Some(error) = passing {
        return Err(error);
    }
    let result_blob = blob(change::encode(&result));
    Ok(Comparison { outline: Outline::of(&result, result_blob.0), result_blob, result })
}

/// The extract of a view of a version, made by the present extractor; the inner error is a sentence
/// for people. One that is older, or missing, is made anew from the body, without being stored:
/// that is [`super::reextract`]'s business.
fn load(
    reader: &dyn Reader,
    source: SourceId,
    version: VersionNo,
    view: &View,
) -> Result<Result<Arc<Extract>, String>, StoreError> {
    let Some(row) = reader.version(source, version)? else {
        return Ok(Err(format!("{version} of {source} is not stored any more")));
    };
    let present = view.extractor();
    if let Some(made) = row.facts.extracts.get(view)
        && Some(made.extractor) == present
        && let Some(bytes) = bytes(reader, made.blob)?
        && let Ok(extract) = page::decode(&bytes)
        && Some(extract.extractor) == present
    {
        return Ok(Ok(Arc::new(extract)));
    }
    let Some(body) = bytes(reader, row.facts.body)? else {
        return Ok(Err(format!("the body of {version} of {source} is damaged or gone")));
    };
    let made = extract(stored(&row, &body), [view.clone()], &page::Limits::default());
    let missing = || format!("nothing extracts `{}` of {version} of {source}", view.key());
    Ok(made.and_then(|mut made| made.views.remove(view).map(Arc::new).ok_or_else(missing)))
}

/// The bytes of a blob; `None`: gone or damaged.
fn bytes(reader: &dyn Reader, id: chronon::BlobId) -> Result<Option<Arc<[u8]>>, StoreError> {
    match reader.blob(id) {
        Err(StoreError::Damaged(_)) => Ok(None),
        other => other,
    }
}
