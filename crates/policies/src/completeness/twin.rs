//! The rules, slow and obvious: everything recomputed in every chronon; and what must hold of
//! every policy on random instances.

use super::gain::{Discount, GainIndex, GainPlan};
use super::rules::Kind;
use super::wic::Wic;
use super::*;
use proptest::prelude::*;

/// What one chronon of the slow run knows.
struct Slow<'a> {
    instance: &'a Instance,
    captured: Vec<bool>,
    /// Captured before the chronon.
    before: Vec<bool>,
}

impl Slow<'_> {
    fn count(&self, cei: u32) -> i64 {
        let eis = self.instance.ceis[cei as usize].eis();
        eis.filter(|&ei| self.before[ei]).count() as i64
    }

    fn is_dead(&self, cei: u32, t: u32) -> bool {
        let eis = self.instance.ceis[cei as usize].eis();
        eis.into_iter().any(|ei| !self.before[ei] && self.instance.eis[ei].finish < t)
    }

    fn value(&self, rule: &Rule, ei: usize, t: u32) -> i64 {
        let own = self.instance.eis[ei];
        let cei = &self.instance.ceis[own.cei as usize];
        match rule.kind {
            Kind::SEdf => i64::from(own.finish) - i64::from(t) + 1,
            Kind::Mrsf => {
                let all = self.instance.ceis.iter().filter(|other| other.profile == cei.profile);
                all.map(|cei| i64::from(cei.size())).max().unwrap() - self.count(own.cei)
            }
            Kind::MEdf => {
                let mut sum = 0;
                for sibling in cei.eis().filter(|&ei| !self.before[ei]) {
                    let Ei { start, finish, .. } = self.instance.eis[sibling];
                    sum += if start > t {
                        i64::from(finish) - i64::from(start) + 1
                    } else if finish >= t {
                        i64::from(finish) - i64::from(t) + 1
                    } else {
                        0
                    };
                }
                sum
            }
        }
    }
}

fn slow(instance: &Instance, rule: &Rule) -> Schedule {
    let none = vec![false; instance.eis.len()];
    let mut slow = Slow { instance, captured: none.clone(), before: none };
    let mut schedule = Schedule::empty(instance.chronons());
    for t in 0..instance.chronons() {
        slow.before = slow.captured.clone();
        let mut candidates = Vec::new();
        for (at, ei) in instance.eis.iter().enumerate() {
            let gone = rule.dead == DeadCeis::Drop && slow.is_dead(ei.cei, t);
            if ei.is_active(t) && !slow.before[at] && !gone {
                let cei = &instance.ceis[ei.cei as usize];
                let waits = rule.preemption == Preemption::Off && slow.count(ei.cei) == 0;
                let id = instance.profiles[cei.profile as usize].id;
                candidates.push((waits, slow.value(rule, at, t), ei.finish, id, ei.cei, at));
            }
        }
        candidates.sort();
        let mut left = instance.budget[t as usize];
        let picks = &mut schedule.picks[t as usize];
        for candidate in candidates {
            let source = instance.eis[candidate.5].source;
            let cost = instance.costs[source as usize];
            if !picks.contains(&source) && cost <= left + 1e-9 {
                picks.push(source);
                left -= cost;
            }
        }
        for (at, ei) in instance.eis.iter().enumerate() {
            slow.captured[at] |= ei.is_active(t) && picks.contains(&ei.source);
        }
    }
    schedule
}

prop_compose! {
    fn raw_ei(longest: u64)(source in 0..6_u64, start in 0..16_u64, length in 0..longest)
        -> (u64, u64, u64) {
        (source, start, (start + length).min(15))
    }
}

type RawCei = Vec<(u64, u64, u64)>;

fn ceis(longest: u64, sizes: core::ops::Range<usize>) -> impl Strategy<Value = Vec<RawCei>> {
    prop::collection::vec(prop::collection::vec(raw_ei(longest), sizes), 0..6)
}

fn build(profiles: Vec<Vec<RawCei>>, budget: Vec<u8>, costs: Vec<u8>) -> Instance {
    let mut builder = Builder::new();
    for (id, ceis) in profiles.into_iter().enumerate() {
        builder.profile(100 - id as u64, 1.0 + id as f64, ceis);
    }
    builder.costs(costs.into_iter().map(f64::from).collect());
    builder.build(budget.into_iter().map(f64::from).collect()).unwrap()
}

prop_compose! {
    pub(super) fn instances()(
        profiles in prop::collection::vec(ceis(6, 1..5), 1..6),
        budget in prop::collection::vec(0..4_u8, 16),
        costs in prop_oneof![Just(vec![1_u8; 6]), prop::collection::vec(1..4_u8, 6)],
    ) -> Instance {
        build(profiles, budget, costs)
    }
}

prop_compose! {
    /// P[1], each CEI of its profile's rank.
    fn unit_instances()(
        profiles in prop::collection::vec(
            (1..5_usize).prop_flat_map(|rank| ceis(1, rank..rank + 1)), 1..6),
        budget in prop::collection::vec(0..3_u8, 16),
    ) -> Instance {
        build(profiles, budget, vec![1; 6])
    }
}

fn every_rule() -> impl Iterator<Item = Rule> {
    let kinds = [Kind::SEdf, Kind::Mrsf, Kind::MEdf];
    let modes = [Preemption::On, Preemption::Off];
    let dead = [DeadCeis::Drop, DeadCeis::Keep];
    let pairs = modes.into_iter().flat_map(move |mode| dead.map(|dead| (mode, dead)));
    kinds
        .into_iter()
        .flat_map(move |kind| pairs.clone().map(move |(mode, dead)| Rule::new(kind, mode, dead)))
}

/// Every online policy there is.
fn every_policy() -> Vec<Box<dyn OnlinePolicy>> {
    let mut all: Vec<Box<dyn OnlinePolicy>> = Vec::new();
    all.extend(every_rule().map(|rule| Box::new(rule) as Box<dyn OnlinePolicy>));
    all.push(Box::new(Wic::default()));
    all.push(Box::new(Discount::new(0.5)));
    all.push(Box::new(GainPlan::new()));
    all.push(Box::new(GainIndex::new()));
    all
}

proptest! {
    #[test]
    fn the_rules_choose_what_their_slow_twin_chooses(instance in instances()) {
        for mut rule in every_rule() {
            prop_assert_eq!(run_online(&instance, &mut rule), slow(&instance, &rule));
        }
    }

    #[test]
    fn wic_chooses_by_distinct_starts(instance in instances()) {
        let picks = run_online(&instance, &mut Wic::default()).picks;
        let mut captured = vec![false; instance.eis.len()];
        for (t, picks) in picks.iter().enumerate() {
            let t = t as u32;
            let mut ranked = Vec::new();
            for source in 0..instance.numbers.len() as u32 {
                let own = instance.eis.iter().enumerate().filter(|(at, ei)| {
                    ei.source == source && ei.is_active(t) && !captured[*at]
                });
                let own: Vec<_> = own.map(|(_, ei)| ei).collect();
                let mut starts: Vec<_> = own.iter().map(|ei| ei.start).collect();
                starts.sort_unstable();
                starts.dedup();
                if let Some(finish) = own.iter().map(|ei| ei.finish).min() {
                    ranked.push((-(starts.len() as i64), finish, source));
                }
            }
            ranked.sort_unstable();
            let mut left = instance.budget[t as usize];
            let mut expected = Vec::new();
            for (_, _, source) in ranked {
                if instance.costs[source as usize] <= left + 1e-9 {
                    left -= instance.costs[source as usize];
                    expected.push(source);
                }
            }
            prop_assert_eq!(picks, &expected);
            for (at, ei) in instance.eis.iter().enumerate() {
                captured[at] |= ei.is_active(t) && picks.contains(&ei.source);
            }
        }
    }

    #[test]
    fn an_instance_cut_after_a_chronon_demands_the_same_choices_until_then(
        instance in instances(), cut in 0..16_u32,
    ) {
        let known = instance.known_by(cut);
        for (mut whole, mut part) in every_policy().into_iter().zip(every_policy()) {
            let whole = run_online(&instance, whole.as_mut());
            let part = run_online(&known, part.as_mut());
            let until = cut as usize + 1;
            prop_assert_eq!(&whole.picks[..until], &part.picks[..until]);
        }
    }

    #[test]
    fn every_policy_keeps_the_budget(instance in instances()) {
        for mut policy in every_policy() {
            prop_assert!(run_online(&instance, policy.as_mut()).is_within_budget(&instance));
        }
        prop_assert!(packing::greedy_packing(&instance).is_within_budget(&instance));
    }

    #[test]
    fn mrsf_and_m_edf_are_one_on_unit_intervals_where_every_cei_has_its_profiles_rank(
        instance in unit_instances(),
    ) {
        for mode in [Preemption::On, Preemption::Off] {
            let [mrsf, m_edf] = [Kind::Mrsf, Kind::MEdf].map(|kind| {
                run_online(&instance, &mut Rule::new(kind, mode, DeadCeis::Drop))
            });
            prop_assert_eq!(mrsf, m_edf);
        }
    }
}
