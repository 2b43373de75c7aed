//! Sentinels in a line each, for lists of very many.

use super::Kernel;
use crate::life::Seen;
use crate::record::SentinelState;
use crate::view::Health;
use chronon::{Instant, OwnerId, SentinelId, SourceId};

/// A sentinel in a list of very many: what is not asked for costs nothing.
pub struct WatchLine<'k> {
    kernel: &'k Kernel,
    seen: Seen<'k>,
    /// The name in small letters.
    pub lower: &'k str,
}

impl<'k> WatchLine<'k> {
    pub fn id(&self) -> SentinelId {
        self.seen.row.id
    }

    pub fn state(&self) -> SentinelState {
        self.seen.life.state
    }

    pub fn health(&self) -> Health {
        self.kernel.health(&self.seen)
    }

    pub fn tags(&self) -> &'k [Box<str>] {
        self.seen.tags
    }

    /// Notifications so far.
    pub fn told(&self) -> u64 {
        self.seen.life.seq
    }

    /// It tells nothing now, by somebody's wish.
    pub fn is_snoozed(&self) -> bool {
        self.seen.life.snoozed.is_some_and(|until| until > self.kernel.now)
    }

    /// Somebody removed it; it is gone then.
    pub fn going(&self) -> Option<Instant> {
        self.seen.life.going
    }

    /// The first source's address, as it is shown, without what is secret.
    pub fn url(&self) -> String {
        let url = self.kernel.watch.url(self.seen.row.source);
        url.map(|url| url.shown().to_string()).unwrap_or_default()
    }

    /// In the order written, with the numbers of their current versions; 0 before the first.
    pub fn sources(&self) -> impl Iterator<Item = (SourceId, u32)> {
        let version = |source| self.kernel.watch.row(source).map_or(0, |row| row.version);
        self.seen.row.sources().map(move |source| (source, version(source)))
    }
}

impl Kernel {
    /// Sentinels of `owner` in the order of their names in small letters, from above `after`. A
    /// hundred thousand are listed in pieces, so that nobody waits long.
    pub fn lines<'k>(
        &'k self,
        owner: OwnerId,
        after: Option<&str>,
    ) -> impl Iterator<Item = WatchLine<'k>> + use<'k> {
        let named = self.life.after_name(owner, after);
        named.map(|(lower, seen)| WatchLine { kernel: self, seen, lower })
    }

    /// The name of a live sentinel.
    pub fn name_of(&self, id: SentinelId) -> Option<&str> {
        self.life.seen(id).map(|seen| &*seen.row.name)
    }

    /// The worst of several sources counts.
    pub(super) fn health(&self, seen: &Seen<'_>) -> Health {
        if !seen.is_active() {
            return Health::Idle;
        }
        if !seen.life.not_evaluated.is_empty() {
            return Health::Failing;
        }
        let worst = seen.row.sources().map(|source| self.health_of(source)).min();
        worst.unwrap_or(Health::Failing)
    }

    fn health_of(&self, source: SourceId) -> Health {
        let Some(row) = self.watch.row(source) else { return Health::Failing };
        let never = row.version == 0;
        if row.failing_since.is_some() && (never || row.failures > 1) {
            Health::Failing
        } else if row.failures > 0 || row.held.is_some() {
            if never { Health::Failing } else { Health::Doubtful }
        } else if never {
            Health::New
        } else {
            Health::Well
        }
    }
}
