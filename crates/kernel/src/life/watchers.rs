//! Sentinels by the source that they name.

use super::ids::Ids;
use super::{Life, Out};
use chronon::{SentinelId, SourceId};
use std::collections::BTreeMap;

/// The sentinels of one source. Most have one, of which there is nothing else to say.
#[derive(Default)]
pub(super) enum Watchers {
    #[default]
    Nobody,
    Alone(SentinelId),
    More(Box<Lists>),
}

#[derive(Default)]
pub(super) struct Lists {
    all: Ids,
    told: Ids,
    leaving: Ids,
}

impl Watchers {
    /// Every sentinel whose row names it, active or not.
    pub(super) fn all(&self) -> &[SentinelId] {
        match self {
            Watchers::Nobody => &[],
            Watchers::Alone(id) => std::slice::from_ref(id),
            Watchers::More(lists) => &lists.all,
        }
    }

    pub(super) fn insert(&mut self, id: SentinelId) {
        match self {
            Watchers::Nobody => *self = Watchers::Alone(id),
            Watchers::Alone(known) if *known == id => {}
            _ => self.lists().all.insert(id),
        }
    }

    /// Those of them that were told that it fails.
    pub(super) fn told(&self) -> &[SentinelId] {
        if let Watchers::More(lists) = self { &lists.told } else { &[] }
    }

    pub(super) fn told_mut(&mut self) -> &mut Ids {
        &mut self.lists().told
    }

    /// Those of them that have ended and may still hear of what is on its way.
    pub(super) fn leaving(&self) -> &[SentinelId] {
        if let Watchers::More(lists) = self { &lists.leaving } else { &[] }
    }

    pub(super) fn leaving_mut(&mut self) -> &mut Ids {
        &mut self.lists().leaving
    }

    fn lists(&mut self) -> &mut Lists {
        let mut all = Ids::default();
        match self {
            Watchers::More(lists) => return lists,
            Watchers::Alone(id) => all.insert(*id),
            Watchers::Nobody => {}
        }
        *self = Watchers::More(Box::new(Lists { all, ..Lists::default() }));
        self.lists()
    }

    /// Gives back what lists take that say nothing.
    fn tidy(&mut self) {
        let Watchers::More(lists) = self else { return };
        if !lists.told.is_empty() || !lists.leaving.is_empty() {
            return;
        }
        match *lists.all {
            [] => *self = Watchers::Nobody,
            [id] => *self = Watchers::Alone(id),
            _ => {}
        }
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
        let lists = watchers.lists();
        lists.all.remove(&id);
        lists.told.remove(&id);
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
        if watchers.all().is_empty() && watchers.leaving().is_empty() {
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
