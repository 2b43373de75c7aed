//! What is said of an upgrade until somebody dismisses it.

use super::Keeper;
use crate::problem::Problem;

impl Keeper {
    /// How many sentinels the upgrade from the first release concerns; `None`: nothing is to be
    /// said of it.
    pub(crate) fn upgraded(&self) -> Option<u32> {
        self.read().upgraded
    }

    /// It is said no more, after a restart either.
    pub(crate) async fn dismiss_upgrade(&self) -> Result<(), Problem> {
        self.stored(|access| access.put_upgrade(None)).await?;
        self.write().upgraded = None;
        Ok(())
    }
}
