//! Class priors: what is believed of a source that has shown little, from those that are like it.
//!
//! A source has a [`Kind`] and a host. Where sources of a kind, or at a host, changed otherwise
//! than all do, a new one of them is believed to change so, too. With the mean rate m of all, the
//! rate of a kind is m times (K + I)/(K + m·T): I changes came in T source-seconds, and K stands
//! for what differs by chance. The rate at a host is that of its kinds times the same ratio, of
//! what came there and what its kinds made likely.
//!
//! A source's own share of what its class showed is left out, as in the pool. So is the class's
//! share of all sources: where all are of one class it says nothing that the pool does not. One
//! with neither company of its kind nor at its host is believed to be as all are.

use crate::rate::{Evidence, FORGETS};

/// What a source shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A page for people, or what nobody has seen yet.
    #[default]
    Page,
    /// A feed.
    Feed,
    /// A document for programs.
    Data,
}

impl Kind {
    const COUNT: usize = 3;
}

/// So many changes are believed as much as the class of all: K.
const CHANCE: f64 = 2.0;
/// No class forgets as slowly as one of more members would: an f32 must be able to notice.
const MEMBERS_MAX: f64 = 1e4;

/// Which class a source is of: its kind, and the slot of its host with the sources there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Class {
    pub(crate) kind: Kind,
    pub(crate) host: u32,
    pub(crate) at_host: u32,
}

/// What came of a kind, discounted.
#[derive(Debug, Clone, Copy, Default)]
struct OfKind {
    members: u32,
    items: f64,
    seconds: f64,
}

/// What came at a host, discounted: changes, and time watched by kind. 16 bytes.
#[derive(Debug, Clone, Copy, Default)]
struct AtHost {
    items: f32,
    seconds: [f32; Kind::COUNT],
}

/// What classes of sources showed. O(1) for each observation.
#[derive(Debug, Clone, Default)]
pub(crate) struct Classes {
    kinds: [OfKind; Kind::COUNT],
    /// By slot.
    hosts: Vec<AtHost>,
}

/// How much oftener a class changes than was likely; `weight`: how far its evidence counts.
fn ratio(items: f64, likely: f64, weight: f64) -> f64 {
    (CHANCE + weight * items) / (CHANCE + weight * likely)
}

/// How far what a class of `members` showed counts for one of them, among `all`.
fn weight(members: u32, all: u32) -> f64 {
    let [members, all] = [members, all].map(|count| f64::from(count.max(1)));
    (1.0 - 1.0 / members) * (1.0 - members / all).max(0.0)
}

/// What a class of `members` keeps of what it knows, after one more observation.
fn keeps(members: u32) -> f64 {
    1.0 - FORGETS / f64::from(members.max(1)).min(MEMBERS_MAX)
}

impl Classes {
    /// A member comes, with what it had seen in an earlier life.
    pub(crate) fn join(&mut self, class: Class, said: Evidence) {
        let of_kind = &mut self.kinds[class.kind as usize];
        of_kind.members += 1;
        of_kind.items += said.items;
        of_kind.seconds += said.exposure;
        let at_host = self.at_host(class.host);
        at_host.items += said.items as f32;
        at_host.seconds[class.kind as usize] += said.exposure as f32;
    }

    pub(crate) fn leave(&mut self, kind: Kind) {
        let members = &mut self.kinds[kind as usize].members;
        *members = members.saturating_sub(1);
    }

    /// Another host has the slot from now on.
    pub(crate) fn forget_host(&mut self, host: u32) {
        if let Some(host) = self.hosts.get_mut(host as usize) {
            *host = AtHost::default();
        }
    }

    /// What one observation of a member is worth.
    pub(crate) fn learn(&mut self, class: Class, said: Evidence) {
        let of_kind = &mut self.kinds[class.kind as usize];
        let kept = keeps(of_kind.members);
        of_kind.items = kept * of_kind.items + said.items;
        of_kind.seconds = kept * of_kind.seconds + said.exposure;
        let kept = keeps(class.at_host);
        let at_host = self.at_host(class.host);
        at_host.items = (kept * f64::from(at_host.items) + said.items) as f32;
        at_host.seconds = at_host.seconds.map(|seconds| (kept * f64::from(seconds)) as f32);
        at_host.seconds[class.kind as usize] += said.exposure as f32;
    }

    /// A member turns out to be of another kind: what it had seen counts there.
    pub(crate) fn turn(&mut self, class: Class, to: Kind, said: Evidence) {
        let of_kind = &mut self.kinds[class.kind as usize];
        of_kind.items = (of_kind.items - said.items).max(0.0);
        of_kind.seconds = (of_kind.seconds - said.exposure).max(0.0);
        self.leave(class.kind);
        let at_host = self.at_host(class.host);
        at_host.items = (at_host.items - said.items as f32).max(0.0);
        let seconds = &mut at_host.seconds[class.kind as usize];
        *seconds = (*seconds - said.exposure as f32).max(0.0);
        self.join(Class { kind: to, ..class }, said);
    }

    /// The mean rate of a class, where that of `all` sources is `mean`, both per second.
    pub(crate) fn mean(&self, class: Class, mean: f64, all: u32) -> f64 {
        let of_kind = |kind: &OfKind| {
            mean * ratio(kind.items, mean * kind.seconds, weight(kind.members, all))
        };
        let own = of_kind(&self.kinds[class.kind as usize]);
        let Some(at_host) = self.hosts.get(class.host as usize) else { return own };
        let weight = weight(class.at_host, all);
        if weight <= 0.0 {
            return own;
        }
        let likely = self.kinds.iter().zip(at_host.seconds);
        let likely = likely.map(|(kind, seconds)| of_kind(kind) * f64::from(seconds)).sum();
        own * ratio(at_host.items.into(), likely, weight)
    }

    fn at_host(&mut self, host: u32) -> &mut AtHost {
        let host = host as usize;
        if host >= self.hosts.len() {
            self.hosts.resize(host + 1, AtHost::default());
        }
        &mut self.hosts[host]
    }
}

#[cfg(test)]
mod tests {
    use super::{Class, Classes, Kind};
    use crate::rate::Evidence;
    use proptest::prelude::*;

    fn class(kind: Kind, host: u32, at_host: u32) -> Class {
        Class { kind, host, at_host }
    }

    fn said(items: f64, exposure: f64) -> Evidence {
        Evidence { items, exposure }
    }

    #[test]
    fn a_new_source_is_believed_to_be_like_those_at_its_host() {
        let mut classes = Classes::default();
        for (host, items) in [(0, 50.0), (1, 1.0)] {
            for _ in 0..5 {
                classes.join(class(Kind::Page, host, 5), said(items, 1e6));
            }
        }
        let mean = 255.0 / 1e7;
        let at = |host| classes.mean(class(Kind::Page, host, 6), mean, 12) / mean;
        assert!(at(0) > 1.7, "{}", at(0));
        assert!(at(1) < 0.15, "{}", at(1));
    }

    #[test]
    fn a_new_source_is_believed_to_be_like_those_of_its_kind_and_more_so_at_its_host() {
        let mut classes = Classes::default();
        for host in 0..40 {
            classes.join(class(Kind::Page, host, 2), said(1.0, 1e6));
            classes.join(class(Kind::Feed, host, 2), said(9.0, 1e6));
        }
        let mean = 400.0 / 8e7;
        let of = |kind, host, at_host| classes.mean(class(kind, host, at_host), mean, 80) / mean;
        // A host of its own, and one where pages and feeds change as they do everywhere.
        for (host, at_host) in [(99, 1), (7, 3)] {
            let (page, feed) = (of(Kind::Page, host, at_host), of(Kind::Feed, host, at_host));
            assert!((0.15..0.4).contains(&page) && (1.6..1.9).contains(&feed), "{page} {feed}");
        }
    }

    #[test]
    fn what_a_source_had_seen_goes_with_it_when_its_kind_is_known() {
        let (mut turned, mut known) = (Classes::default(), Classes::default());
        for host in 0..4 {
            turned.join(class(Kind::Page, host, 3), said(3.0, 1e6));
            turned.turn(class(Kind::Page, host, 3), Kind::Data, said(3.0, 1e6));
            known.join(class(Kind::Data, host, 3), said(3.0, 1e6));
        }
        for kind in [Kind::Page, Kind::Feed, Kind::Data] {
            let mean = |classes: &Classes| classes.mean(class(kind, 2, 3), 1e-6, 12);
            assert!((mean(&turned) / mean(&known) - 1.0).abs() < 1e-6, "{kind:?}");
        }
    }

    proptest! {
        #[test]
        fn where_all_are_of_one_class_it_says_nothing_of_its_own(
            sources in 1_u32..50,
            items in 0.0_f64..1e6,
            mean in 1e-12_f64..1e3,
        ) {
            let mut classes = Classes::default();
            for _ in 0..sources {
                classes.join(class(Kind::Page, 0, sources), said(items, 1e5));
            }
            let believed = classes.mean(class(Kind::Page, 0, sources), mean, sources);
            prop_assert_eq!(believed, mean);
        }

        #[test]
        fn where_each_source_has_a_host_of_its_own_hosts_say_nothing(
            seen in prop::collection::vec((0.0_f64..1e6, 0.0_f64..1e9), 1..50),
            mean in 1e-12_f64..1e3,
        ) {
            let (mut classes, all) = (Classes::default(), seen.len() as u32);
            for (host, (items, exposure)) in (0..).zip(seen) {
                classes.join(class(Kind::Page, host, 1), said(items, exposure));
                classes.learn(class(Kind::Page, host, 1), said(items, exposure));
                prop_assert_eq!(classes.mean(class(Kind::Page, host, 1), mean, host + 1), mean);
            }
            prop_assert_eq!(classes.mean(class(Kind::Page, 0, 1), mean, all), mean);
        }

        #[test]
        fn whatever_was_seen_a_prior_is_positive_and_finite(
            seen in prop::collection::vec((0_u32..3, 0.0_f64..1e16, 0.0_f64..1e28), 0..20),
            mean in 1e-15_f64..1e9,
            all in 0_u32..100,
        ) {
            let mut classes = Classes::default();
            let kinds = [Kind::Page, Kind::Feed, Kind::Data];
            for (host, items, exposure) in seen {
                let kind = kinds[host as usize];
                classes.join(class(kind, host, 2), said(items, exposure));
                classes.learn(class(kind, host, 3), said(items, exposure));
                classes.turn(class(kind, host, 2), Kind::Page, said(exposure, items));
            }
            for kind in kinds {
                let believed = classes.mean(class(kind, 1, 2), mean, all);
                prop_assert!(believed.is_finite() && believed > 0.0, "{}", believed);
            }
        }
    }
}
