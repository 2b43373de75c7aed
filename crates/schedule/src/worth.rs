//! What an EI is worth, learned from how EIs end: *index²* of
//! `docs/theory.md`, Completeness.

/// Classes told apart by the EIs their CEI misses; who misses more belongs to the last.
pub const CLASSES: usize = 16;
/// What one end of an EI makes of the weight of those before it: the memory of a class is about
/// 1,000 ends.
const MEMORY: f64 = 0.999;
/// How fast the price follows the scores of those passed over: over about 50 chronons.
const PACE: f64 = 0.02;

/// Learns what the next EI of a CEI is worth: u·V(m−1)·(1 − h)^slack, for a CEI of utility u that
/// misses m EIs, this one included, where slack is the chronons left after the present one.
///
/// V(m) is what is left of a CEI that misses m: V(0) = u and V(m) = max(0, π_m·(V(m−1) − ν)), π_m
/// the chance that an EI whose CEI misses m when it starts is captured, ν the price of a probe.
/// h is the chance per chronon that a waiting EI of the class is captured anyway: (1 − h)^slack is
/// the chance that, passed over now, it will be lost.
///
/// Report every EI's end once, by [`Worth::captured`] or [`Worth::lost`]. Report the chronons that
/// EIs were active in a class when they leave it, by [`Worth::waited`], and every chronon's best
/// source not probed, by [`Worth::passed_over`]. An EI of a CEI that died does not end: only its
/// wait counts. Each call is O(1), [`Worth::passed_over`] O([`CLASSES`]).
///
/// ```
/// use schedule::worth::Worth;
///
/// let mut worth = Worth::new();
/// for _ in 0..100 {
///     worth.captured(1, 1);
///     worth.waited(1, 5);
///     worth.lost(2);
///     worth.waited(2, 10);
///     worth.passed_over(0.2);
/// }
/// assert_eq!(worth.value(0, 1.0), 1.0);
/// assert!(worth.value(1, 1.0) > 0.7);
/// assert!(worth.value(2, 1.0) < 0.05);
/// assert!(worth.now(1, 1.0, 0) > worth.now(1, 1.0, 9));
/// ```
#[derive(Debug, Clone)]
pub struct Worth {
    /// By the EIs missing, from 1.
    classes: [Class; CLASSES],
    /// ν.
    price: f64,
}

#[derive(Debug, Clone, Copy)]
struct Class {
    captured: f64,
    ended: f64,
    /// Captures in the class, and chronons its EIs were active in it.
    caught: f64,
    waited: f64,
    /// V(m) = max(0, chance · u − toll · ν) of a CEI that misses as many as this class.
    chance: f64,
    toll: f64,
    /// ln(1 − h).
    patience: f64,
}

impl Default for Worth {
    fn default() -> Self {
        Self::new()
    }
}

impl Worth {
    /// Before anything is learned every EI will be captured, and a probe costs nothing.
    #[must_use]
    pub fn new() -> Self {
        let class = Class {
            captured: 1.0,
            ended: 1.0,
            caught: 0.1,
            waited: 1.0,
            chance: 1.0,
            toll: 0.0,
            patience: 0.0,
        };
        let mut worth = Self { classes: [class; CLASSES], price: 0.0 };
        worth.settle();
        worth
    }

    fn place(missing: u32) -> usize {
        (missing.max(1) as usize).min(CLASSES) - 1
    }

    /// Notes that an EI was captured. The EI's CEI missed `at_start` EIs when the EI started, and
    /// `missing` just before the probe, itself included.
    pub fn captured(&mut self, at_start: u32, missing: u32) {
        self.end(at_start, 1.0);
        self.classes[Self::place(missing)].caught += 1.0;
    }

    /// An EI finished uncaptured, and its CEI died of it; it missed `at_start` when the EI started.
    pub fn lost(&mut self, at_start: u32) {
        self.end(at_start, 0.0);
    }

    fn end(&mut self, at_start: u32, captured: f64) {
        let class = &mut self.classes[Self::place(at_start)];
        class.captured = MEMORY * class.captured + captured;
        class.ended = MEMORY * class.ended + 1.0;
    }

    /// Counts `chronons` for which an EI was active while its CEI missed `missing`. To be told when
    /// an EI leaves that class: its CEI misses one less, or it is captured, lost, or its CEI dies.
    pub fn waited(&mut self, missing: u32, chronons: u32) {
        let class = &mut self.classes[Self::place(missing)];
        class.caught *= MEMORY;
        class.waited = MEMORY * class.waited + f64::from(chronons);
    }

    /// Ends a chronon: the best source not probed would have brought so much (the sum of
    /// [`Worth::now`] over its EIs, per cost, for a probe of mean cost); 0 where none was left.
    pub fn passed_over(&mut self, score: f64) {
        self.price += PACE * (score - self.price);
        self.settle();
    }

    /// The price of a probe of mean cost, in utility.
    #[must_use]
    pub fn price(&self) -> f64 {
        self.price
    }

    /// What a CEI of this utility is still worth when it misses `missing` EIs; 0 to `utility`.
    #[must_use]
    pub fn value(&self, missing: u32, utility: f64) -> f64 {
        if missing == 0 {
            return utility;
        }
        let class = &self.classes[Self::place(missing)];
        (class.chance * utility - class.toll * self.price).max(0.0)
    }

    /// The chance that a CEI that misses `missing` EIs will be captured whole.
    #[must_use]
    pub fn chance(&self, missing: u32) -> f64 {
        if missing == 0 { 1.0 } else { self.classes[Self::place(missing)].chance }
    }

    /// The chance, per chronon, that a waiting EI whose CEI misses `missing` is captured anyway.
    #[must_use]
    pub fn hazard(&self, missing: u32) -> f64 {
        -libm::expm1(self.classes[Self::place(missing)].patience)
    }

    /// The same over all classes.
    #[must_use]
    pub fn hazard_of_all(&self) -> f64 {
        let sum = |of: fn(&Class) -> f64| self.classes.iter().map(of).sum::<f64>();
        (sum(|class| class.caught) / sum(|class| class.waited)).min(0.99)
    }

    /// What it brings to capture an EI now: its CEI misses `missing` with it, and `slack` chronons
    /// are left after the present one.
    #[must_use]
    pub fn now(&self, missing: u32, utility: f64, slack: u32) -> f64 {
        let class = &self.classes[Self::place(missing)];
        self.value(missing.max(1) - 1, utility) * libm::exp(class.patience * f64::from(slack))
    }

    fn settle(&mut self) {
        let (mut chance, mut toll) = (1.0, 0.0);
        for class in &mut self.classes {
            let captured = class.captured / class.ended;
            (chance, toll) = (captured * chance, captured * (toll + 1.0));
            (class.chance, class.toll) = (chance, toll);
            let hazard = (class.caught / class.waited).min(0.99);
            class.patience = libm::log1p(-hazard);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_follow_the_recursion_of_chances_and_price() {
        let mut worth = Worth::new();
        for i in 0..3000 {
            for missing in 1..=3 {
                let lost = i % (missing + 2) == 0;
                if lost {
                    worth.lost(missing)
                } else {
                    worth.captured(missing, missing)
                }
                worth.waited(missing, 4);
            }
            worth.passed_over(0.25);
        }
        assert!((worth.price() - 0.25).abs() < 1e-6);
        let mut value = 2.0;
        for missing in 1..=3 {
            let chance = f64::from(missing + 1) / f64::from(missing + 2);
            value = chance * (value - worth.price());
            assert!((worth.value(missing, 2.0) - value).abs() < 0.02, "{missing}: {value}");
            assert!((worth.hazard(missing) - chance / 4.0).abs() < 0.01);
        }
        let patience = 1.0 - worth.hazard(2);
        let now = worth.value(1, 2.0) * patience * patience * patience;
        assert!((worth.now(2, 2.0, 3) - now).abs() < 1e-9);
    }

    #[test]
    fn a_cei_that_cannot_pay_for_its_probes_is_worth_nothing() {
        let mut worth = Worth::new();
        (0..1000).for_each(|_| worth.passed_over(1.5));
        assert_eq!(worth.value(1, 1.0), 0.0);
        assert!(worth.value(1, 2.0) > 0.0);
        assert_eq!(worth.now(2, 1.0, 0), 0.0);
        assert_eq!(worth.now(1, 1.0, 0), 1.0);
    }

    #[test]
    fn who_misses_more_than_the_last_class_is_worth_what_that_is_worth() {
        let worth = Worth::new();
        assert_eq!(worth.now(1_000_000, 1.0, 0), worth.now(CLASSES as u32, 1.0, 0));
    }
}
