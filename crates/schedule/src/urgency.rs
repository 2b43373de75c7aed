//! What it brings to capture an EI now, and how long that can wait.
//!
//!   V = u · qᵐ⁻¹ ÷ (slack + 1)ᵉ,   q = 0.85·(1 − missed)⁶,   e = 1 ÷ (1 + 30·missed), at least ¼
//!
//! m counts the EIs its CEI misses, this one included; the slack is the chronons left after the
//! present one; *missed* is the share of EIs that were lost lately. Where nearly all are captured,
//! patience costs nothing and saves probes: those that wait are captured beside others, or beside
//! freshness. Where many are lost, who waits is lost, and what is at hand is taken. There, a CEI
//! that misses several will hardly be complete, and one that is nearly complete goes first.

/// What each further EI still missing makes of the worth where nothing is lost.
const Q: f64 = 0.85;
/// How fast the exponent falls with the share missed; and its least, in quarters.
const ALARM: f64 = 30.0;
const QUARTERS_MIN: f64 = 1.0;
/// How much one end counts in the share missed: it remembers about 500.
const PACE: f64 = 0.002;
/// Worths kept by the EIs missing; a CEI that misses more counts as this.
const MISSING_MAX: usize = 16;

/// The share missed, learned, and what follows from it.
#[derive(Debug, Clone)]
pub(crate) struct Urgency {
    missed: f64,
    /// qᵐ⁻¹ by m − 1; it follows from the share missed.
    shares: [f64; MISSING_MAX],
}

impl Urgency {
    /// Before anything was seen nothing is missed.
    pub(crate) fn new() -> Urgency {
        let mut shares = [1.0; MISSING_MAX];
        for m in 1..MISSING_MAX {
            shares[m] = shares[m - 1] * Q;
        }
        Urgency { missed: 0.0, shares }
    }

    pub(crate) fn captured(&mut self) {
        self.missed -= PACE * self.missed;
        self.share();
    }

    pub(crate) fn lost(&mut self) {
        self.missed += PACE * (1.0 - self.missed);
        self.share();
    }

    /// What further EIs make of the worth, by the share missed now.
    fn share(&mut self) {
        let kept = (1.0 - self.missed) * (1.0 - self.missed);
        let q = Q * kept * kept * kept;
        for m in 1..MISSING_MAX {
            self.shares[m] = self.shares[m - 1] * q;
        }
    }

    /// 4e.
    fn quarters(&self) -> f64 {
        (4.0 / (1.0 + ALARM * self.missed)).max(QUARTERS_MIN)
    }

    /// Values EIs, as of now.
    pub(crate) fn measure(&self) -> Measure<'_> {
        let quarters = self.quarters();
        let whole = quarters as u32;
        Measure { shares: &self.shares, whole, part: quarters - f64::from(whole) }
    }

    /// V ÷ u.
    #[cfg(test)]
    pub(crate) fn worth(&self, missing: u16, slack: u32) -> f64 {
        self.measure().of(missing, slack)
    }

    /// For how many chronons at least no EI of this slack or more grows by more than `factor`,
    /// which is at least 1.
    pub(crate) fn lasts(&self, slack: u32, factor: f64) -> f64 {
        let (share, factor) = (1.0 / factor, factor);
        // The factor to the power of −1/e, by quarters of e.
        let shrinks = match libm::ceil(self.quarters()) as u32 {
            1 => share * share * share * share,
            2 => share * share,
            3 => share / libm::cbrt(factor),
            _ => share,
        };
        // Rounded down: that is only looked at again.
        (f64::from(slack) + 1.0) * (1.0 - shrinks * (1.0 + 1e-12))
    }
}

/// [`Urgency`], ready for many EIs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measure<'a> {
    shares: &'a [f64; MISSING_MAX],
    /// 4e = whole + part.
    whole: u32,
    part: f64,
}

impl Measure<'_> {
    /// V ÷ u. Between quarters of e it is interpolated: monotone, and without a power.
    pub(crate) fn of(&self, missing: u16, slack: u32) -> f64 {
        let share = self.shares[usize::from(missing).clamp(1, MISSING_MAX) - 1];
        let root = 1.0 / libm::sqrt(libm::sqrt(f64::from(slack) + 1.0));
        let power = match self.whole {
            1 => root,
            2 => root * root,
            3 => root * root * root,
            _ => root * root * root * root,
        };
        share * power * (1.0 + self.part * (root - 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(lost: u32) -> Urgency {
        let mut urgency = Urgency::new();
        for i in 0..10_000 {
            if i % 100 < lost { urgency.lost() } else { urgency.captured() }
        }
        urgency
    }

    #[test]
    fn who_loses_nothing_is_patient_and_who_loses_much_is_not() {
        let at_nine = |lost| after(lost).worth(1, 9);
        assert!((at_nine(0) - 0.1).abs() < 1e-9);
        assert!((at_nine(50) - libm::pow(10.0, -0.25)).abs() < 1e-9);
        assert!(at_nine(0) < at_nine(3) && at_nine(3) < at_nine(50));
        assert!((after(0).worth(3, 0) - Q * Q).abs() < 1e-12);
        assert!(after(50).worth(3, 0) < 0.01 && (after(50).worth(1, 0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn worth_falls_with_slack_and_grows_no_faster_than_said() {
        for lost in [0, 1, 2, 3, 5, 8, 20] {
            let urgency = after(lost);
            for slack in 1..200_u32 {
                let (now, later) = (urgency.worth(2, slack), urgency.worth(2, slack - 1));
                assert!(later > now);
                for passed in 1..slack {
                    let factor = urgency.worth(2, slack - passed) / now;
                    assert!(urgency.lasts(slack, factor) <= f64::from(passed) + 1e-9);
                }
            }
        }
    }
}
