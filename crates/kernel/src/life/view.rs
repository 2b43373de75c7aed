//! What may be asked of sentinels, and who is told.

use super::entry::SentinelEntry;
use super::{Life, Recipient};
use crate::record::{ApplyingRow, SentinelLife, SentinelRow, SentinelState};
use crate::vetting::{Standing, What};
use chronon::{Instant, OwnerId, SentinelId, SourceId, StreamId, Zone};
use outbox::{ChannelId, Follow};
use sentinel::ast;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

/// The sentinel whose message it is that something was heard.
#[derive(Debug, Clone)]
pub(crate) struct Teller {
    pub(crate) sentinel: SentinelId,
    /// The generation that heard.
    pub(crate) generation: u32,
    /// Counts what the sentinel told.
    pub(crate) seq: u64,
    pub(crate) whom: Vec<Recipient>,
    /// Where digests begin that wait for no looks, and whose days they count.
    pub(crate) from: Instant,
    pub(crate) zone: Zone,
    pub(crate) streams: Vec<StreamId>,
    /// It tells nothing before then.
    pub(crate) held: Option<Instant>,
}

impl Teller {
    /// It tells at once, whatever it says of digests.
    pub(crate) fn at_once(mut self) -> Teller {
        for one in &mut self.whom {
            if matches!(one.frequency, ast::Frequency::Every(_)) {
                one.frequency = ast::Frequency::Immediately;
            }
        }
        self
    }
}

/// Looks that a detection leads to.
pub(crate) struct Following {
    pub(crate) follow: Box<Follow>,
    /// What they are worth, in millionths.
    pub(crate) weight: u64,
}

/// A sentinel as far as it is its own.
pub(crate) struct Seen<'a> {
    pub(crate) row: &'a SentinelRow,
    pub(crate) life: &'a SentinelLife,
    entry: &'a SentinelEntry,
}

impl<'a> Seen<'a> {
    fn of(entry: &'a SentinelEntry) -> Seen<'a> {
        Seen { row: &entry.row, life: &entry.life, entry }
    }

    /// They stand elsewhere in memory: who lists very many reads them only if they are asked for.
    pub(crate) fn tags(&self) -> &'a [Box<str>] {
        &self.entry.plan.tags
    }

    /// The channels that it tells by, in the order written.
    pub(crate) fn channels(&self) -> impl Iterator<Item = ChannelId> + use<'a> {
        self.entry.plan.whom.iter().map(|whom| whom.channel)
    }

    /// When it begins, if it has not and that is known.
    pub(crate) fn begins(&self) -> Option<Instant> {
        let from = self.entry.plan.from;
        let is_known = self.life.state == SentinelState::Pending && from < Instant::NEVER;
        is_known.then_some(from)
    }

    /// When it ends, if it has not and that is known.
    pub(crate) fn ends(&self) -> Option<Instant> {
        self.entry.plan.to.filter(|_| self.life.state != SentinelState::Ended)
    }

    pub(crate) fn is_active(&self) -> bool {
        self.life.state == SentinelState::Active
    }
}

impl Life {
    /// What `heard` heard is told: counted as the next that its sentinel tells.
    pub(crate) fn tells(&mut self, heard: SentinelId) -> Option<Teller> {
        self.note_evaluation(heard, "");
        let seq = {
            let entry = self.sentinels.get(&heard)?;
            if entry.life.state == SentinelState::Disabled {
                return None;
            }
            let heir = self.heir(heard);
            let life = &mut self.sentinels.get_mut(&heir)?.life;
            life.seq += 1;
            self.touched.insert(heir);
            life.seq
        };
        Some(Teller { seq, ..self.teller(heard)? })
    }

    /// The looks that follow what `heard` heard at `now`.
    pub(crate) fn following(&self, heard: SentinelId, now: Instant) -> Option<Following> {
        let plan = &self.sentinels.get(&heard)?.plan;
        let then = plan.then.as_deref()?;
        let finish = then.within.nth(now, 1, &plan.zone);
        let follow = Box::new(Follow { finish, looks: then.looks.to_vec() });
        Some(Following { follow, weight: plan.millionths() })
    }

    /// Whom `heard` tells; what is counted stays as it is.
    pub(crate) fn teller(&self, heard: SentinelId) -> Option<Teller> {
        let SentinelEntry { row, life, plan, .. } = &**self.sentinels.get(&heard)?;
        let heir = self.heir(heard);
        let held = self.sentinels.get(&heir).and_then(|entry| entry.held(self.now));
        Some(Teller {
            held,
            sentinel: heir,
            generation: row.generation,
            seq: life.seq,
            whom: plan.whom.clone(),
            from: plan.from,
            zone: plan.zone.clone(),
            streams: life.streams().collect(),
        })
    }

    /// The owner's live sentinel of this name, which shares its text.
    pub(crate) fn standing(&self, owner: OwnerId, name: &str) -> Option<Standing> {
        let entry = &self.sentinels[&self.names.get(owner, name)?];
        let (row, amended) = (&entry.row, entry.amended);
        let has_ended = entry.life.state == SentinelState::Ended;
        Some(Standing {
            id: row.id,
            generation: row.generation,
            amended,
            text: row.text.clone(),
            defined_at: row.defined_at,
            what: What::Sentinel,
            ended: entry.life.until.or(entry.plan.to).filter(|_| has_ended),
            hangs_on: entry.plan.hangs.names().collect(),
        })
    }

    /// The sources of the owner's sentinel of this name, and its stream of each.
    pub(crate) fn whereabouts(
        &self,
        owner: OwnerId,
        name: &str,
    ) -> Vec<(SourceId, Option<StreamId>)> {
        let id = self.names.get(owner, name);
        id.map_or(Vec::new(), |id| self.stands(id))
    }

    /// The sources of a sentinel, and its stream of each.
    pub(crate) fn stands(&self, id: SentinelId) -> Vec<(SourceId, Option<StreamId>)> {
        let Some(entry) = self.sentinels.get(&id) else { return Vec::new() };
        let others = entry.life.others.iter().map(|place| place.stream);
        entry.row.sources().zip(std::iter::once(entry.life.stream).chain(others)).collect()
    }

    pub(crate) fn seen(&self, id: SentinelId) -> Option<Seen<'_>> {
        let entry = self.sentinels.get(&id)?;
        Some(Seen::of(entry))
    }

    /// One that is no earlier generation of another.
    pub(crate) fn live(&self, id: SentinelId) -> Option<Seen<'_>> {
        self.seen(id).filter(|_| !self.earlier.contains(id))
    }

    /// The owner's sentinel of this name.
    pub(crate) fn id_of(&self, owner: OwnerId, name: &str) -> Option<SentinelId> {
        self.names.get(owner, name)
    }

    /// Whether the owner's sentinel of this name is active.
    pub(crate) fn is_active(&self, owner: OwnerId, name: &str) -> bool {
        self.named(owner, name).is_some_and(|seen| seen.is_active())
    }

    /// Those of `heeded` that watch the source and are active, in order.
    pub(crate) fn active_on(
        &self,
        source: SourceId,
        heeded: &BTreeMap<SentinelId, u32>,
    ) -> Vec<SentinelId> {
        let is_active = |id: &SentinelId| self.sentinels[id].is_active();
        let Some(watchers) = self.watchers.get(&source).filter(|_| !heeded.is_empty()) else {
            return Vec::new();
        };
        let both = |id: &&SentinelId| heeded.contains_key(id) && is_active(id);
        watchers.all().iter().filter(both).copied().collect()
    }

    /// The owner's sentinel of this name, in any case.
    pub(crate) fn named(&self, owner: OwnerId, name: &str) -> Option<Seen<'_>> {
        self.seen(self.names.get(owner, name)?)
    }

    /// Live sentinels of `owner` above `after`, in order of id.
    pub(crate) fn after(
        &self,
        owner: OwnerId,
        after: Option<SentinelId>,
    ) -> impl Iterator<Item = Seen<'_>> {
        let (first, last) = SentinelId::all_of(owner).into_inner();
        let from =
            after.map_or(Bound::Included(first), |after| Bound::Excluded(after.clamp(first, last)));
        let range = self.sentinels.range((from, Bound::Included(last)));
        let live = range.filter(|(id, _)| !self.earlier.contains(**id));
        live.map(|(_, entry)| Seen::of(entry))
    }

    /// Live sentinels of `owner` whose names, in small letters, are above `after`; in their order.
    pub(crate) fn by_name<'l>(
        &'l self,
        owner: OwnerId,
        after: Option<&str>,
    ) -> impl Iterator<Item = (&'l str, SentinelId)> + use<'l> {
        self.names.after(owner, after)
    }

    /// Live sentinels of `owner` with this tag above `after`, in order of id.
    pub(crate) fn tagged(
        &self,
        owner: OwnerId,
        tag: &str,
        after: Option<SentinelId>,
    ) -> impl Iterator<Item = Seen<'_>> {
        let tagged = self.tags.after(owner, tag, after);
        let live = tagged.filter(|&id| !self.earlier.contains(id));
        live.filter_map(|id| self.seen(id))
    }

    /// The owner's tags in small letters, and how many sentinels have each.
    pub(crate) fn tags(&self, owner: OwnerId) -> impl Iterator<Item = (&str, usize)> {
        self.tags.of_owner(owner)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// The sentinels that name a source, active or not.
    pub(crate) fn of_source(&self, source: SourceId) -> &[SentinelId] {
        self.watchers.get(&source).map_or(&[], |watchers| watchers.all())
    }

    /// How much of their history the sentinels of a source keep in any case.
    pub(crate) fn histories(&self, source: SourceId) -> Vec<(SentinelId, u32)> {
        let kept = |id: &SentinelId| (*id, self.sentinels[id].plan.history);
        self.of_source(source).iter().map(kept).collect()
    }

    /// Streams none of whose sentinels wrote a clock, and when the last of these ends.
    pub(crate) fn without_clock(&self) -> BTreeMap<StreamId, Option<Instant>> {
        let (mut clocks, mut ends) = (BTreeSet::new(), BTreeMap::new());
        for entry in self.sentinels.values() {
            let to = entry.plan.to.unwrap_or(Instant::NEVER);
            for stream in entry.life.streams() {
                if entry.plan.from_has_clock {
                    clocks.insert(stream);
                }
                let last = ends.entry(stream).or_insert(to);
                *last = to.max(*last);
            }
        }
        ends.retain(|stream, _| !clocks.contains(stream));
        let end = |to| Some(to).filter(|&to| to < Instant::NEVER);
        ends.into_iter().map(|(stream, to)| (stream, end(to))).collect()
    }

    /// The lives that changed since the last call.
    pub(crate) fn take_lives(&mut self) -> Vec<SentinelLife> {
        let touched = std::mem::take(&mut self.touched);
        let life = |id| self.sentinels.get(&id).map(|entry| entry.life.clone());
        touched.into_iter().filter_map(life).collect()
    }

    /// What a snapshot would hold of sentinels.
    pub(crate) fn fold(&self) -> Vec<(SentinelRow, SentinelLife)> {
        self.sentinels.values().map(|s| (s.row.clone(), s.life.clone())).collect()
    }

    /// What a snapshot would hold of the file that is applied.
    pub(crate) fn fold_applying(&self) -> Option<ApplyingRow> {
        self.applying.clone()
    }
}
