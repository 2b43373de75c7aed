//! Sentinels by the source that they name.

use super::ids::Ids;
use super::{Life, Out};
use chronon::{SentinelId, SourceId};
use std::collections::BTreeMap;

/// The sentinels of one source.
#[derive(Default)]
pub(super) struct Watchers {
    /// Every sentinel whose row names it, active or not.
    pub(super) all: Ids,
    /// Most sources have none.
    rare: Option<Box<Rare>>,
}

#[derive(Default)]
struct Rare {
    told: Ids,
    leaving: Ids,
}

impl Watchers {
    /// Those of them that were told that it fails.
    pub(super) fn told(&self) -> &[SentinelId] {
        self.rare.as_ref().map_or(&[], |rare| &rare.told)
    }

    pub(super) fn told_mut(&mut self) -> &mut Ids {
        &mut self.rare.get_or_insert_default().told
    }

    /// Those of them that have ended and may still hear of what is on its way.
    pub(super) fn leaving(&self) -> &[SentinelId] {
        self.rare.as_ref().map_or(&[], |rare| &rare.leaving)
    }

    pub(super) fn leaving_mut(&mut self) -> &mut Ids {
        &mut self.rare.get_or_insert_default().leaving
    }

    /// Gives back what lists without an entry take.
    fn tidy(&mut self) {
        self.rare.take_if(|rare| rare.told.is_empty() && rare.leaving.is_empty());
    }
}

/// One entry for each source that a sentinel names.
pub(super) type BySource = BTreeMap<SourceId, Watchers>;

impl Life {
    /// The sentinels of a source, which is named from now on.
    pub(super) fn watchers_of(&mut self, source: SourceId) -> &mut Watchers {
        if !self.is_named(source) {
            self.say(Out::Named { source, is_named: true });
        }
        self.watchers.entry(source).or_default()
    }

    pub(super) fn unname_source(&mut self, source: SourceId, id: SentinelId) {
        let Some(watchers) = self.watchers.get_mut(&source) else { return };
        watchers.all.remove(&id);
        watchers.told_mut().remove(&id);
        self.forget_watchers(source);
    }

    pub(super) fn leaves_no_more(&mut self, source: SourceId, id: SentinelId) {
        if let Some(watchers) = self.watchers.get_mut(&source)
            && watchers.leaving_mut().remove(&id)
        {
            self.forget_watchers(source);
        }
    }

    fn forget_watchers(&mut self, source: SourceId) {
        let Some(watchers) = self.watchers.get_mut(&source) else { return };
        watchers.tidy();
        if watchers.all.is_empty() && watchers.leaving().is_empty() {
            self.watchers.remove(&source);
            self.forget_unnamed(source);
        }
    }

    /// The source is looked at once the sentinel finds something.
    pub(super) fn follow(&mut self, source: SourceId, id: SentinelId) {
        if !self.is_named(source) {
            self.say(Out::Named { source, is_named: true });
        }
        self.followers.entry(source).or_default().insert(id);
    }

    pub(super) fn unfollow(&mut self, source: SourceId, id: SentinelId) {
        let Some(followers) = self.followers.get_mut(&source) else { return };
        followers.remove(&id);
        if followers.is_empty() {
            self.followers.remove(&source);
            self.forget_unnamed(source);
        }
    }

    fn is_named(&self, source: SourceId) -> bool {
        self.watchers.contains_key(&source) || self.followers.contains_key(&source)
    }

    fn forget_unnamed(&mut self, source: SourceId) {
        if !self.is_named(source) {
            self.say(Out::Named { source, is_named: false });
        }
    }
}
