//! Sentinels in a line each, for lists of very many.

use super::Kernel;
use crate::life::Seen;
use crate::view::{Health, WatchLine};
use chronon::{OwnerId, SentinelId, SourceId};

impl Kernel {
    /// Sentinels of `owner` above `after` in order of id, at most `limit`, in a line each: a
    /// hundred thousand are listed in pieces, so that nobody waits long.
    pub fn lines(&self, owner: OwnerId, after: Option<SentinelId>, limit: usize) -> Vec<WatchLine> {
        let line = |seen: Seen<'_>| {
            let url = self.watch.url(seen.row.source).map(|url| url.shown().into());
            let version = |source| self.watch.row(source).map_or(0, |row| row.version);
            WatchLine {
                id: seen.row.id,
                name: seen.row.name.clone(),
                state: seen.life.state,
                sources: seen.row.sources().map(|source| (source, version(source))).collect(),
                url: url.unwrap_or_default(),
                tags: seen.tags.into(),
                told: seen.life.seq,
                health: self.health(&seen),
                snoozed: seen.life.snoozed.filter(|&until| until > self.now),
                going: seen.life.going,
            }
        };
        self.life.after(owner, after).take(limit).map(line).collect()
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
