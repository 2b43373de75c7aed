//! Which blobs a record names: what a batch must carry, and what keeps a blob from the sweep.

use chronon::BlobId;
use kernel::Record;
use outbox::OutboxRecord;

/// The blobs that `record` names; at most two.
pub fn named_blobs(record: &Record) -> impl Iterator<Item = BlobId> {
    let (first, second) = match record {
        Record::Version(version) => (Some(version.facts.body), Some(version.facts.extract)),
        Record::Detection(detection) => (Some(detection.result), None),
        Record::Outbox(OutboxRecord::Row(row)) => (row.body, None),
        _ => (None, None),
    };
    first.into_iter().chain(second)
}
