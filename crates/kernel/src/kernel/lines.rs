//! Sentinels in a line each, for lists of very many.

use super::Kernel;
use crate::life::Seen;
use crate::record::{SentinelState, SourceRow};
use crate::view::{Health, Mute, Silence};
use chronon::{Instant, OwnerId, SentinelId, SourceId};
use outbox::{ChannelId, ChannelRow};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// A sentinel in a list of very many: what is not asked for costs nothing.
pub struct WatchLine<'k> {
    kernel: &'k Kernel,
    seen: Seen<'k>,
    /// The first source, and mostly the only one: looked up once.
    first: Option<&'k SourceRow>,
}

impl<'k> WatchLine<'k> {
    pub fn id(&self) -> SentinelId {
        self.seen.row.id
    }

    pub fn name(&self) -> &'k str {
        &self.seen.row.name
    }

    pub fn state(&self) -> SentinelState {
        self.seen.life.state
    }

    pub fn health(&self) -> Health {
        self.kernel.health_by(&self.seen, self.rows().map(|(_, row)| row))
    }

    pub fn tags(&self) -> &'k [Box<str>] {
        self.seen.tags()
    }

    /// Notifications so far.
    pub fn told(&self) -> u64 {
        self.seen.life.seq
    }

    /// It tells nothing before then, by somebody's wish; that may be over.
    pub fn snoozed(&self) -> Option<Instant> {
        self.seen.life.snoozed
    }

    /// Somebody removed it; it is gone then.
    pub fn going(&self) -> Option<Instant> {
        self.seen.life.going
    }

    /// The first source's address, as it is shown, without what is secret.
    pub fn url(&self) -> Cow<'k, str> {
        self.first.map(|row| row.url.shown()).unwrap_or_default()
    }

    /// In the order written, with the numbers of their current versions; 0 before the first.
    pub fn sources(&self) -> impl Iterator<Item = (SourceId, u32)> {
        self.rows().map(|(source, row)| (source, row.map_or(0, |row| row.version)))
    }

    fn rows(&self) -> impl Iterator<Item = (SourceId, Option<&'k SourceRow>)> {
        let (first, kernel) = (self.first, self.kernel);
        (self.seen.row.sources().enumerate()).map(move |(place, source)| match place {
            0 => (source, first),
            _ => (source, kernel.watch.row(source)),
        })
    }
}

impl Kernel {
    /// Sentinels of `owner` in the order of their ids, which is that of memory, from above `after`.
    /// A hundred thousand are listed in pieces, so that nobody waits long.
    pub fn lines(
        &self,
        owner: OwnerId,
        after: Option<SentinelId>,
    ) -> impl Iterator<Item = WatchLine<'_>> {
        self.life.after(owner, after).map(|seen| self.line_of(seen))
    }

    pub(super) fn line_of<'k>(&'k self, seen: Seen<'k>) -> WatchLine<'k> {
        let first = self.watch.row(seen.row.source);
        WatchLine { kernel: self, seen, first }
    }

    /// The same in the order of their names in small letters, from above `after`.
    pub fn by_name<'k>(
        &'k self,
        owner: OwnerId,
        after: Option<&str>,
    ) -> impl Iterator<Item = (&'k str, SentinelId)> + use<'k> {
        self.life.by_name(owner, after)
    }

    /// The name of a live sentinel.
    pub fn name_of(&self, id: SentinelId) -> Option<&str> {
        self.life.seen(id).map(|seen| &*seen.row.name)
    }

    pub(super) fn health(&self, seen: &Seen<'_>) -> Health {
        self.health_by(seen, seen.row.sources().map(|source| self.watch.row(source)))
    }

    /// The worst of several sources counts.
    fn health_by<'k>(
        &self,
        seen: &Seen<'_>,
        rows: impl Iterator<Item = Option<&'k SourceRow>>,
    ) -> Health {
        if !seen.is_active() {
            return Health::Idle;
        }
        let silence = seen.channels().filter_map(|id| self.silence(id)).min();
        let by_channel = match silence {
            Some(Silence::Unable | Silence::Disabled) => return Health::Failing,
            Some(Silence::Failing(_)) => Health::Doubtful,
            None => Health::Well,
        };
        if !seen.life.not_evaluated.is_empty() {
            return Health::Failing;
        }
        let by_source = rows.map(|row| row.map_or(Health::Failing, health_of)).min();
        by_source.unwrap_or(Health::Failing).min(by_channel)
    }

    /// Whether nothing arrives by a channel.
    fn silence(&self, id: ChannelId) -> Option<Silence> {
        let row = self.channel(id)?;
        if self.channel_trouble(id).is_some() {
            return Some(Silence::Unable);
        }
        let failing = row.course.failing.map(|failing| Silence::Failing(failing.since));
        row.disabled.as_ref().map(|_| Silence::Disabled).or(failing)
    }

    /// The worst channel of it by which nothing arrives.
    pub(super) fn mute(&self, seen: &Seen<'_>) -> Option<Mute> {
        let channels: BTreeSet<ChannelId> = seen.channels().collect();
        let silent = || channels.iter().filter_map(|&id| Some((self.silence(id)?, id)));
        let (silence, id) = silent().min_by_key(|(silence, _)| *silence)?;
        let row = self.channel(id)?;
        let why = match silence {
            Silence::Unable => self.channel_trouble(id),
            Silence::Disabled => row.disabled.as_deref(),
            Silence::Failing(_) => self.channel_failure(id),
        };
        let (why, others) = (why.unwrap_or_default().into(), silent().count() - 1);
        Some(Mute { channel: shown(row), silence, why, others })
    }
}

/// `ops`, `email ana@example.org`.
fn shown(row: &ChannelRow) -> Box<str> {
    match &row.contact {
        Some(contact) => format!("{} {contact}", row.name).into(),
        None => row.name.clone(),
    }
}

fn health_of(row: &SourceRow) -> Health {
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
