//! How channels failed before a start: for people, as the kernel does not need it.

use crate::{Reader, StoreError};
use kernel::Snapshot;
use outbox::{ChannelId, DeliveryResult, Row};
use std::collections::BTreeMap;

/// How the last try failed by each channel by which nothing arrives, as far as what it was of still
/// waits. Reads the attempts of one notification per such channel.
pub fn failures(
    snapshot: &Snapshot,
    reader: &dyn Reader,
) -> Result<Vec<(ChannelId, Box<str>)>, StoreError> {
    let mut last: BTreeMap<ChannelId, &Row> = BTreeMap::new();
    for row in snapshot.outbox.iter().filter(|row| row.effort.last.is_some()) {
        let known = last.entry(row.channel).or_insert(row);
        if row.effort.last > known.effort.last {
            *known = row;
        }
    }
    let failing = snapshot.channels.iter().filter(|channel| channel.course.failing.is_some());
    let mut found = Vec::new();
    for row in failing.filter_map(|channel| last.get(&channel.id)) {
        let attempt = reader.attempts(row.id)?.pop();
        if let Some(DeliveryResult::Failed { reason, .. }) = attempt.map(|attempt| attempt.result) {
            found.push((row.channel, reason));
        }
    }
    Ok(found)
}
