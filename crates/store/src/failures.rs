//! How channels failed before a start: for people, as the kernel does not need it.

use crate::{Reader, StoreError};
use kernel::Snapshot;
use outbox::{ChannelId, DeliveryResult};

/// How the last try failed by each channel by which nothing arrives, as far as what it was of still
/// waits, however much else does. Reads the attempts of one notification per such channel.
pub fn failures(
    snapshot: &Snapshot,
    reader: &dyn Reader,
) -> Result<Vec<(ChannelId, Box<str>)>, StoreError> {
    let failing = snapshot.channels.iter().filter(|channel| channel.course.failing.is_some());
    let mut found = Vec::new();
    for channel in failing {
        let Some(row) = reader.tried_last(channel.id)? else { continue };
        let attempt = reader.attempts(row.id)?.pop();
        if let Some(DeliveryResult::Failed { reason, .. }) = attempt.map(|attempt| attempt.result) {
            found.push((row.channel, reason));
        }
    }
    Ok(found)
}
