//! The online estimate: two Gamma posteriors of different memory, and a score between them.

use super::{Seen, changed_as_gamma};

/// Shape of the prior; its mean is the pool's.
const PRIOR_SHAPE: f64 = 0.5;
/// What the pool, or a class, forgets while every source of it is probed once on average.
pub(crate) const FORGETS: f64 = 0.1;
/// How much more the pool's score counts than one observation's.
const POOL_LEAD_WEIGHT: f64 = 30.0;
/// Half-life of a source's score, in observations.
const SCORE_OBSERVATIONS: f64 = 15.0;
/// With a score above this the rate has changed: the slow posterior forgets what came before it,
/// and is then as new and as slow as ever (a test of cumulative sums, Page 1954).
const RESTART: f64 = 2.5;
/// Scores are kept within ± this: a surprise must be able to turn them.
const LEAD_MAX: f64 = 20.0;
/// Forgotten by every observation at least, so that an f32 never stalls.
const FORGETS_MIN: f64 = 1e-6;
/// No learner counts more than this many items, time and changes. Each observation keeps at most
/// 1 − 7·10⁻⁷ of those before it. It brings at most 2^32 items, a time of 10^12 (or, where changes
/// are capped, the items times that) and one change.
const COUNTS_MAX: (f32, f32, f32) = (1e16, 1e28, 1e7);
/// Gaps and rates are held between these; what is outside is no probe of this world.
const GAP: (f64, f64) = (1e-6, 1e12);
const RATE: (f64, f64) = (1e-15, 1e9);

/// The newer observations, or the time, after which an older observation counts half: whichever is
/// longer. A source probed often must see a whole week before it forgets the one before; one that
/// is probed seldom needs a few probes to be known at all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfLife {
    /// In observations, above 0.
    pub observations: f64,
    /// In the unit of the gaps.
    pub time: f64,
}

/// How fast the two posteriors forget.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Memory {
    /// Half-life of the posterior that notices changes.
    pub fast: HalfLife,
    /// Half-life of the posterior that is sharp where nothing changes.
    pub slow: HalfLife,
}

impl Memory {
    /// For gaps in seconds: 6 observations or a week; 200 observations or half a year.
    #[must_use]
    pub fn standard() -> Memory {
        const DAY: f64 = 86_400.0;
        Memory {
            fast: HalfLife { observations: 6.0, time: 7.0 * DAY },
            slow: HalfLife { observations: 200.0, time: 180.0 * DAY },
        }
    }

    /// By observations alone.
    #[must_use]
    pub fn of_observations(fast: f64, slow: f64) -> Memory {
        let by = |observations| HalfLife { observations, time: 0.0 };
        Memory { fast: by(fast), slow: by(slow) }
    }
}

impl HalfLife {
    /// What older observations still count after one that came `gap` after the last.
    fn keeps(self, gap: f64) -> f64 {
        let by_time = if self.time > 0.0 { gap / self.time } else { f64::INFINITY };
        let forgets = by_time.min(1.0 / self.observations);
        libm::exp2(-forgets.clamp(FORGETS_MIN, 1e3))
    }
}

/// What is shared by sources of a kind: the mean of their rates, which is the prior of each, and
/// the global score, which notices when all rates move at once.
#[derive(Debug, Clone, PartialEq)]
pub struct Pool {
    memory: Memory,
    initial: f64,
    members: f64,
    items: f64,
    exposure: f64,
    lead: f64,
}

impl Pool {
    /// `initial` is the mean rate before anything was seen; it counts as half a change for ever.
    #[must_use]
    pub fn new(initial: f64, memory: Memory) -> Pool {
        let initial = if initial > 0.0 { initial.clamp(RATE.0, RATE.1) } else { RATE.0 };
        Pool { memory, initial, members: 1.0, items: 0.0, exposure: 0.0, lead: 0.0 }
    }

    /// How many sources share it, 1 unless told: the more, the slower it forgets per observation,
    /// and the less of what it knows is a member's own.
    pub fn set_members(&mut self, members: u32) {
        self.members = f64::from(members.max(1));
    }

    /// The mean rate of the others: what is believed of a source nobody has probed. The source
    /// asked for is a member, and its own evidence must not count twice: its share is left out.
    #[must_use]
    pub fn mean(&self) -> f64 {
        let others = 1.0 - 1.0 / self.members;
        let prior = PRIOR_SHAPE / self.initial;
        let mean = (PRIOR_SHAPE + others * self.items) / (prior + others * self.exposure);
        mean.clamp(RATE.0, RATE.1)
    }

    /// The initial mean, items, exposure and score, to store.
    #[must_use]
    pub fn numbers(&self) -> [f64; 4] {
        [self.initial, self.items, self.exposure, self.lead]
    }

    /// The pool of stored numbers; what is no number of a pool counts as nothing seen.
    #[must_use]
    pub fn from_numbers(numbers: [f64; 4], memory: Memory) -> Pool {
        let [initial, items, exposure, lead] = numbers;
        let pool = Pool::new(initial, memory);
        let sound = |x: f64| x.is_finite() && x >= 0.0;
        if !sound(items) || !sound(exposure) || !lead.is_finite() {
            return pool;
        }
        Pool { items, exposure, lead: lead.clamp(-LEAD_MAX, LEAD_MAX), ..pool }
    }

    /// Takes over what one source's learner of an earlier life had seen lately.
    pub fn recall(&mut self, learner: &Learner) {
        let Evidence { items, exposure } = learner.of_late();
        self.items += items;
        self.exposure += exposure;
    }

    fn learn(&mut self, said: Evidence, lead: f64) {
        let keeps = 1.0 - FORGETS / self.members;
        self.items = keeps * self.items + said.items;
        self.exposure = keeps * self.exposure + said.exposure;
        self.lead += (lead - self.lead) / self.members.max(10.0);
    }
}

/// What one probe saw, and how long after the one before it.
#[derive(Debug, Clone, Copy)]
struct Observation {
    gap: f64,
    seen: Seen,
}

/// The items and the time that an observation is worth, or several.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Evidence {
    pub(crate) items: f64,
    pub(crate) exposure: f64,
}

/// Changes and time watched, discounted; as a Gamma posterior, without the prior.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Posterior {
    items: f32,
    exposure: f32,
}

impl Posterior {
    fn shape(self) -> f64 {
        PRIOR_SHAPE + f64::from(self.items)
    }

    fn mean(self, prior: f64) -> f64 {
        self.shape() / (PRIOR_SHAPE / prior + f64::from(self.exposure))
    }

    /// The logarithm of the chance it gave what was seen, up to a term that all posteriors share.
    fn foretold(self, gap: f64, seen: Seen, prior: f64) -> f64 {
        let shape = self.shape();
        let rate = PRIOR_SHAPE / prior + f64::from(self.exposure);
        let nothing = -shape * libm::log1p(gap / rate);
        match seen {
            Seen::Unchanged | Seen::Items(0) => nothing,
            Seen::Changed => libm::log(-libm::expm1(nothing).min(-f64::MIN_POSITIVE)),
            Seen::Items(items) => {
                let items = f64::from(items);
                libm::lgamma(items + shape) - libm::lgamma(shape)
                    + items * libm::log(gap / (rate + gap))
                    + nothing
            }
        }
    }
}

/// What the probes of one source said: 24 bytes.
///
/// Two Gamma posteriors, one that forgets fast and one slowly; the score is the logarithm of how
/// much better the fast one foretold the last observations, and weighs them. Counts are exact; an
/// observation "changed" enters as the Gamma factor of equal slope and curvature at the estimate
/// (the Newton step of `docs/theory.md`, Learning rates, written as a posterior). O(1) per
/// observation.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Learner {
    fast: Posterior,
    slow: Posterior,
    lead: f32,
    /// Observations "changed", discounted: caps what they may claim.
    changed: f32,
}

impl Learner {
    /// Nothing seen.
    #[must_use]
    pub fn new() -> Learner {
        Learner::default()
    }

    /// One probe, `gap` after the one before it. A gap that is not a positive number is not an
    /// observation.
    pub fn learn(&mut self, gap: f64, seen: Seen, pool: &mut Pool) {
        let prior = pool.mean();
        self.learn_as(prior, (gap, seen), pool);
    }

    /// The same where a source of its class is believed to have the rate `prior`; what the
    /// observation, a gap and what was seen, is worth.
    pub(crate) fn learn_as(
        &mut self,
        prior: f64,
        (gap, seen): (f64, Seen),
        pool: &mut Pool,
    ) -> Option<Evidence> {
        if gap.is_nan() || gap <= 0.0 {
            return None;
        }
        let gap = gap.clamp(GAP.0, GAP.1);
        let ahead = self.fast.foretold(gap, seen, prior) - self.slow.foretold(gap, seen, prior);
        let ahead = ahead.clamp(-LEAD_MAX, LEAD_MAX);
        let kept = HalfLife { observations: SCORE_OBSERVATIONS, ..pool.memory.fast }.keeps(gap);
        self.lead = (kept * f64::from(self.lead) + ahead).clamp(-LEAD_MAX, LEAD_MAX) as f32;
        let rate = self.rate_as(prior, pool);
        let (fast, slow) = (pool.memory.fast.keeps(gap), pool.memory.slow.keeps(gap));
        let one = f64::from(u8::from(seen == Seen::Changed));
        self.changed = (slow * f64::from(self.changed) + one) as f32;
        self.fast = self.after(self.fast, Observation { gap, seen }, prior, fast);
        self.slow = self.after(self.slow, Observation { gap, seen }, prior, slow);
        if f64::from(self.lead) > RESTART {
            self.slow = self.fast;
            self.lead = 0.0;
        }
        let said = evidence_of(gap, seen, rate);
        pool.learn(said, ahead);
        Some(said)
    }

    /// A posterior after an observation.
    fn after(&self, before: Posterior, observed: Observation, prior: f64, keeps: f64) -> Posterior {
        let Observation { gap, seen } = observed;
        let Evidence { items, exposure } = evidence_of(gap, seen, before.mean(prior));
        let claimed = f64::from(before.items) / f64::from(before.exposure).max(f64::MIN_POSITIVE);
        let items = keeps * f64::from(before.items) + items;
        let mut exposure = keeps * f64::from(before.exposure) + exposure;
        if seen == Seen::Changed {
            // n changes at this gap say ln(2n + 1)/gap at most: what is faster must be probed
            // faster before it is believed.
            let most = libm::log1p(2.0 * f64::from(self.changed)) / gap;
            exposure = exposure.max(items / most.max(claimed));
        }
        let most = f64::from(f32::MAX) / 4.0;
        // Below its normal numbers an f32 has no digits left: the quotient could be anything.
        let least = f64::from(f32::MIN_POSITIVE);
        let exposure = if exposure < least { 0.0 } else { exposure.min(most) };
        let items = if items < least || exposure == 0.0 { 0.0 } else { items.min(most) };
        Posterior { items: items as f32, exposure: exposure as f32 }
    }

    /// The estimate, changes per unit of time: positive and finite. From observations "changed" and
    /// "unchanged" it never exceeds the larger of the pool's mean and ln(2n + 1)/gap, n being the
    /// changes seen and gap the shortest at which one was.
    #[must_use]
    pub fn rate(&self, pool: &Pool) -> f64 {
        self.rate_as(pool.mean(), pool)
    }

    /// The same where a source of its class is believed to have the rate `prior`.
    pub(crate) fn rate_as(&self, prior: f64, pool: &Pool) -> f64 {
        let lead = f64::from(self.lead) + POOL_LEAD_WEIGHT * pool.lead;
        let weight = 1.0 / (1.0 + libm::exp(-lead));
        let (fast, slow) = (self.fast.mean(prior), self.slow.mean(prior));
        (slow + weight * (fast - slow)).clamp(RATE.0, RATE.1)
    }

    /// What it saw lately.
    pub(crate) fn of_late(&self) -> Evidence {
        let Posterior { items, exposure } = self.fast;
        Evidence { items: items.into(), exposure: exposure.into() }
    }

    /// How many changes the estimate rests on, discounted: its relative standard error is about
    /// 1/√(½ + this).
    #[must_use]
    pub fn evidence(&self) -> f64 {
        f64::from(self.slow.items)
    }

    /// Everything, to store: items and exposure of the fast and of the slow posterior, the score,
    /// and the changes seen.
    #[must_use]
    pub fn numbers(&self) -> [f32; 6] {
        let Learner { fast, slow, lead, changed } = *self;
        [fast.items, fast.exposure, slow.items, slow.exposure, lead, changed]
    }

    /// The learner of stored numbers. Numbers that no learner has (a store may be damaged) count
    /// as nothing seen.
    #[must_use]
    pub fn from_numbers(numbers: [f32; 6]) -> Learner {
        let [fast_items, fast_exposure, slow_items, slow_exposure, lead, changed] = numbers;
        let (items_max, exposure_max, changed_max) = COUNTS_MAX;
        let counts = [
            (fast_items, items_max),
            (fast_exposure, exposure_max),
            (slow_items, items_max),
            (slow_exposure, exposure_max),
            (changed, changed_max),
        ];
        if counts.iter().any(|(x, most)| !(0.0..=*most).contains(x)) || !lead.is_finite() {
            return Learner::new();
        }
        Learner {
            fast: Posterior { items: fast_items, exposure: fast_exposure },
            slow: Posterior { items: slow_items, exposure: slow_exposure },
            lead: lead.clamp(-LEAD_MAX as f32, LEAD_MAX as f32),
            changed,
        }
    }
}

/// The items and the time that an observation is worth where the rate is about `rate`.
fn evidence_of(gap: f64, seen: Seen, rate: f64) -> Evidence {
    let (items, exposure) = match seen {
        Seen::Unchanged => (0.0, gap),
        Seen::Changed => changed_as_gamma(rate, gap),
        Seen::Items(items) => (f64::from(items), gap),
    };
    Evidence { items, exposure }
}

#[cfg(test)]
mod tests;
