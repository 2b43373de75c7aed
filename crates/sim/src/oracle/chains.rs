//! Lives that begin and end with others, by the words of `docs/language.md`, States.

use super::Oracle;
use crate::shell::Step;
use crate::world::{Anchor, Edge};
use chronon::Instant;
use kernel::Record;
use kernel::record::SentinelState;

impl Oracle<'_> {
    /// A text that counts from lives is refused where there is no such life to come: the oracle
    /// takes the server's word for that.
    pub(super) fn is_taken(&self, text: &str, step: &Step) -> bool {
        let spec = &self.world.specs[text];
        let is_its =
            |record: &Record| matches!(record, Record::Sentinel(row) if *row.name == *spec.name);
        spec.hangs.iter().all(Option::is_none) || step.records.iter().any(is_its)
    }

    /// When what counts from a life comes, if that is known.
    fn counted(&self, anchor: &Anchor) -> Option<Instant> {
        let of = self.sentinels.get(&anchor.name)?;
        let base = match anchor.edge {
            Edge::Start => of.started,
            Edge::End => of.spec.to.filter(|_| of.state == SentinelState::Ended),
        };
        Some(base? + anchor.later)
    }

    /// Takes over what is known of the lives that a sentinel counts from.
    pub(super) fn settle_times(&mut self, name: &str) {
        let Some(sentinel) = self.sentinels.get(name) else { return };
        let [from, to] = sentinel
            .spec
            .hangs
            .each_ref()
            .map(|anchor| anchor.as_ref().and_then(|anchor| self.counted(anchor)));
        let waits = match sentinel.state {
            SentinelState::Pending => true,
            SentinelState::Disabled => {
                sentinel.started.is_none() || sentinel.spec.from == Some(Instant::NEVER)
            }
            SentinelState::Active | SentinelState::Ended => false,
        };
        let lives = sentinel.state != SentinelState::Ended;
        let spec = &mut self.sentinels.get_mut(name).expect("looked up above").spec;
        spec.from = from.filter(|_| waits).or(spec.from);
        spec.to = to.filter(|_| lives).or(spec.to);
    }

    /// The life of a sentinel started or ended: who counts from it knows when to begin or end.
    pub(super) fn turned(&mut self, name: &str) {
        let counts = |anchor: &Option<Anchor>| anchor.as_ref().is_some_and(|of| *of.name == *name);
        let waiting = self.sentinels.iter().filter(|(_, one)| one.spec.hangs.iter().any(counts));
        let waiting: Vec<Box<str>> = waiting.map(|(name, _)| name.clone()).collect();
        waiting.iter().for_each(|name| self.settle_times(name));
    }

    /// A removal ends a life, if nothing did before.
    pub(super) fn removed(&mut self, at: Instant, name: &str) {
        let Some(sentinel) = self.sentinels.get_mut(name) else { return };
        if sentinel.state != SentinelState::Ended {
            (sentinel.state, sentinel.spec.to) = (SentinelState::Ended, Some(at));
            self.turned(name);
        }
    }
}
