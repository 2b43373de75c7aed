//! Whether slots came to cost what was foreseen of them.

/// Chronons after which what was learned counts 1/e.
const MEMORY: f64 = 300.0;
/// Promises of mean toll that speak for the tolls as they are.
const PRIOR: f64 = 100.0;
/// The factor stays between this and 1 ÷ this.
const LEAST: f64 = 0.05;

/// Learns the factor c by which tolls must be multiplied for slots to cost, in the end, what was
/// foreseen when a CEI counted on them: c = Σ y·toll·(paid − price) ÷ Σ y·toll², the least squares
/// of paid = price + c·toll, weighted by the share y that the plan gave the CEI.
///
/// The price from hindsight is one of a clairvoyant, and a step function of the load: where all but
/// a few CEIs fit it jumps, and where every probe brings a CEI of its own it is too low. What slots
/// turn out to cost tells.
#[derive(Debug, Clone)]
pub(super) struct Promises {
    open: Vec<Promise>,
    paid: f64,
    asked: f64,
    factor: f64,
}

/// The cheapest slot of an EI, as it was foreseen when its CEI became known, and the share that
/// the plan gave the CEI.
#[derive(Debug, Clone, Copy)]
struct Promise {
    slot: Foreseen,
    share: f64,
}

/// A slot to come: its price and, before the factor, its toll.
#[derive(Debug, Clone, Copy)]
pub(super) struct Foreseen {
    pub chronon: u32,
    pub price: f64,
    pub toll: f64,
}

impl Default for Promises {
    fn default() -> Self {
        Self { open: Vec::new(), paid: 0.0, asked: 0.0, factor: 1.0 }
    }
}

impl Promises {
    /// What a toll is to be multiplied with.
    pub fn factor(&self) -> f64 {
        self.factor
    }

    /// A CEI that the plan gives this share counts on a slot.
    pub fn make(&mut self, slot: Foreseen, share: f64) {
        if slot.toll > 0.0 && share > 0.0 {
            self.open.push(Promise { slot, share });
        }
    }

    /// A slot of this chronon costs `paid`; tolls are around `mean`. O(open promises).
    pub fn keep(&mut self, chronon: u32, paid: f64, mean: f64) {
        self.paid *= 1.0 - 1.0 / MEMORY;
        self.asked *= 1.0 - 1.0 / MEMORY;
        self.open.retain(|promise| {
            let Foreseen { chronon: due, price, toll } = promise.slot;
            if due == chronon {
                let weight = promise.share * toll;
                self.paid += weight * (paid - price);
                self.asked += weight * toll;
            }
            due > chronon
        });
        let prior = PRIOR * mean * mean;
        if self.asked + prior > 0.0 {
            let factor = (self.paid + prior) / (self.asked + prior);
            self.factor = factor.clamp(LEAST, 1.0 / LEAST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The factor after 2,000 chronons whose slots cost `paid` and had been foreseen at .1 and a
    /// toll of .4.
    fn factor(paid: f64) -> f64 {
        let mut promises = Promises::default();
        for chronon in 0..2000 {
            promises.make(Foreseen { chronon: chronon + 10, price: 0.1, toll: 0.4 }, 1.0);
            promises.keep(chronon, paid, 0.4);
        }
        assert_eq!(promises.open.len(), 10);
        promises.factor()
    }

    #[test]
    fn tolls_go_to_what_slots_turn_out_to_cost() {
        assert!((factor(0.5) - 1.0).abs() < 1e-9);
        assert!((factor(0.9) - 1.75).abs() < 0.05, "{}", factor(0.9));
        assert!((factor(0.1) - 0.25).abs() < 0.05, "{}", factor(0.1));
        assert_eq!(factor(-9.0), LEAST);
        assert_eq!(factor(99.0), 1.0 / LEAST);
    }

    #[test]
    fn a_cei_that_the_plan_does_not_want_promises_nothing() {
        let mut promises = Promises::default();
        promises.make(Foreseen { chronon: 0, price: 0.0, toll: 0.5 }, 0.0);
        promises.keep(0, 9.0, 0.5);
        assert_eq!(promises.factor(), 1.0);
    }
}
