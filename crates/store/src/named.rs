//! Which blobs a record names: what a batch must carry, and what keeps a blob from the sweep.

use chronon::BlobId;
use kernel::Record;
use kernel::record::VersionRow;
use outbox::OutboxRecord;

/// The blobs that `record` names; of a version its body first, then the extracts in the order of
/// their views.
pub fn named_blobs(record: &Record) -> Vec<BlobId> {
    match record {
        Record::Version(version) => blobs_of_version(version).collect(),
        Record::Detection(row) => row.evidence.iter().map(|piece| piece.result).collect(),
        Record::Outbox(OutboxRecord::Row(row)) => row.body.into_iter().collect(),
        _ => Vec::new(),
    }
}

/// The body of a version and its extracts.
pub(crate) fn blobs_of_version(version: &VersionRow) -> impl Iterator<Item = BlobId> {
    let extracts = version.facts.extracts.values().map(|extract| extract.blob);
    std::iter::once(version.facts.body).chain(extracts)
}
