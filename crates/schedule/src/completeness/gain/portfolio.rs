//! What `gain` runs: *plan*, guarded by the simple rules.

use super::super::instance::Instance;
use super::super::rules::{DeadCeis, Kind, Preemption, Rule};
use super::super::state::{OnlinePolicy, State};
use super::super::wic::Wic;
use super::plan::Plan;

/// How many standard deviations a shadow must be ahead of the leader to take its place.
const THRESHOLD: f64 = 4.0;
/// What a chronon's difference is worth one chronon later.
const DISCOUNT: f64 = 0.999;

/// Runs *plan* and the papers' rules as shadows on the same stream, each with captures of its own,
/// and follows the leader; it changes only when a paired test says that another does better.
pub struct Portfolio<'a> {
    shadows: Vec<Shadow<'a>>,
    leader: usize,
    /// *plan* on what was really captured, once that differs from its shadow.
    real: Option<Plan>,
    plan: Plan,
    planned: State<'a>,
    planned_picks: Vec<u32>,
}

struct Shadow<'a> {
    policy: Box<dyn OnlinePolicy + 'a>,
    state: State<'a>,
    picks: Vec<u32>,
    /// Discounted sums, against the plan's shadow, of the differences and their squares.
    ahead: f64,
    squares: f64,
}

impl<'a> Portfolio<'a> {
    /// For an instance; of it, what the shadows' states say in each chronon is used.
    #[must_use]
    pub fn new(instance: &'a Instance) -> Self {
        let rule = |kind, mode| -> Box<dyn OnlinePolicy> {
            Box::new(Rule::new(kind, mode, DeadCeis::Drop))
        };
        let policies = vec![
            rule(Kind::SEdf, Preemption::On),
            rule(Kind::SEdf, Preemption::Off),
            rule(Kind::Mrsf, Preemption::On),
            rule(Kind::Mrsf, Preemption::Off),
            rule(Kind::MEdf, Preemption::On),
            rule(Kind::MEdf, Preemption::Off),
            Box::new(Wic::default()),
        ];
        let shadow = |policy| Shadow {
            policy,
            state: State::new(instance),
            picks: Vec::new(),
            ahead: 0.0,
            squares: 0.0,
        };
        Self {
            shadows: policies.into_iter().map(shadow).collect(),
            leader: PLAN,
            real: None,
            plan: Plan::new(),
            planned: State::new(instance),
            planned_picks: Vec::new(),
        }
    }

    /// Lets every shadow take its chronon, and compares it with the plan's.
    fn shade(&mut self, chronon: u32) {
        let before = self.planned.value();
        self.planned.enter(chronon);
        self.plan.choose(&self.planned, &mut self.planned_picks);
        self.planned.apply(&self.planned_picks);
        let gained = self.planned.value() - before;
        for shadow in &mut self.shadows {
            let before = shadow.state.value();
            shadow.state.enter(chronon);
            shadow.policy.choose(&shadow.state, &mut shadow.picks);
            shadow.state.apply(&shadow.picks);
            let difference = shadow.state.value() - before - gained;
            shadow.ahead = DISCOUNT * shadow.ahead + difference;
            shadow.squares = DISCOUNT * shadow.squares + difference * difference;
        }
    }

    fn ahead(&self, who: usize) -> f64 {
        self.shadows.get(who).map_or(0.0, |shadow| shadow.ahead)
    }

    /// Another leader, if one is ahead of the present one beyond chance.
    fn elect(&mut self) {
        let own = self.ahead(self.leader);
        let all = (0..self.shadows.len()).chain([PLAN]);
        let best = all.max_by(|&a, &b| self.ahead(a).total_cmp(&self.ahead(b)));
        let Some(best) = best.filter(|&best| best != self.leader) else { return };
        let squares = |who: usize| self.shadows.get(who).map_or(0.0, |shadow| shadow.squares);
        let deviation = libm::sqrt(squares(best).max(squares(self.leader)));
        if self.ahead(best) - own > THRESHOLD * deviation {
            self.leader = best;
        }
    }
}

/// The plan's place, after all shadows.
const PLAN: usize = usize::MAX;

impl OnlinePolicy for Portfolio<'_> {
    fn choose(&mut self, state: &State<'_>, picks: &mut Vec<u32>) {
        if self.real.is_none() && self.leader != PLAN {
            self.real = Some(self.plan.clone());
        }
        self.shade(state.chronon);
        match &mut self.real {
            Some(real) => real.choose(state, picks),
            None => picks.clone_from(&self.planned_picks),
        }
        if let Some(leader) = self.shadows.get_mut(self.leader) {
            leader.policy.choose(state, picks);
        }
        self.elect();
    }
}
