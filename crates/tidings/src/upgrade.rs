//! What is different since the first release is said once: `any change` was not weighed there.

use crate::settings::Settings;
use anyhow::{Context, Result};
use kernel::record::SentinelState;
use sentinel::ast::Aspect;
use store::{Store, Upgrade};

/// Says in the log what a store of the first release is told otherwise from now on, unless that was
/// said. From then on the dashboard says it, until somebody dismisses it there.
///
/// # Errors
/// What the store says.
pub fn tell(store: &dyn Store, settings: &Settings) -> Result<()> {
    let access = store.access();
    let failed = "what is to be said of the upgrade cannot be read or noted";
    if access.upgrade().context(failed)? != Some(Upgrade::Untold) {
        return Ok(());
    }
    let sentinels = weighed(store, settings)?;
    if sentinels > 0 {
        tracing::warn!(
            sentinels,
            "since this upgrade, sentinels of `any change` hold back what counts little, such as \
             menus, footers and passing dates; write `monitor everything` where you want all of it"
        );
    }
    let left = (sentinels > 0).then_some(Upgrade::Told { sentinels });
    access.put_upgrade(left).context(failed)
}

/// How many sentinels ask for `any change`, among those that may still tell something.
fn weighed(store: &dyn Store, settings: &Settings) -> Result<u32> {
    let snapshot = store.reader().snapshot().context("the store cannot be read")?;
    let (zone, chronon) = (&settings.timezone, settings.chronon_seconds);
    let asks = snapshot.sentinels.iter().filter(|(row, life)| {
        let read = || sentinel::recall(&row.text, row.defined_at, zone, chronon).ok();
        life.state != SentinelState::Ended
            && read().is_some_and(|read| read.monitor.asks_for(Aspect::Any))
    });
    Ok(u32::try_from(asks.count()).unwrap_or(u32::MAX))
}
