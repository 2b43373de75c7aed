//! Which blobs a record names: what a batch must carry, and what keeps a blob from the sweep.

use chronon::BlobId;
use kernel::Record;
use outbox::OutboxRecord;

/// The blobs that `record` names.
pub fn named_blobs(record: &Record) -> impl Iterator<Item = BlobId> {
    let (first, second, evidence) = match record {
        Record::Version(row) => (Some(row.facts.body), Some(row.facts.extract), &[][..]),
        Record::Detection(row) => (None, None, &*row.evidence),
        Record::Outbox(OutboxRecord::Row(row)) => (row.body, None, &[][..]),
        _ => (None, None, &[][..]),
    };
    first.into_iter().chain(second).chain(evidence.iter().map(|piece| piece.result))
}
