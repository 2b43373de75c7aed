//! In which hours of the day a source changes, from finds whose time nobody tells.
//!
//! A find in a gap of a day says next to nothing of its hour. But the looks since the find before
//! saw nothing, and a source that changes each day did not change then. So there are hypotheses:
//! nine in ten changes come within one hour of the day, or within eight. There they come as the
//! shared pattern has them, and the rest as that has them at any time. At a find each is weighed
//! by what looks saw since the find before: nothing for a while, and something in the gap. At a
//! mean rate λ the chance of that is e^(−λq)·(1 − e^(−λg)), q and g being the seconds of mean rate
//! that the hypothesis puts there. The odds of a hypothesis are multiplied by its chance over that
//! of all that is believed by then, itself included. Once it is believed it gains no more, and it
//! is soon given up where it errs. At each find another may begin to hold, with a chance of 1 %.

use crate::own::Shares;

/// The share of changes that come within the hours of a hypothesis.
const WITHIN: f64 = 0.9;
/// The odds, before anything was seen, that a clock strikes, and that it is day for the source at
/// some hours; each against neither.
const PRIOR: f64 = 0.2;
/// The chance that what holds is drawn anew at a find.
const CHANGES: f64 = 0.01;
/// Odds are kept as logarithms: 12 steps to a factor of e, from e^−12 on.
const STEPS: f64 = 12.0;
const LEAST: f64 = -12.0;
/// The prior odds of each hypothesis of one hour, and of eight, in steps.
const UNKNOWN: [u8; 2] = [87, 95];
/// Hypotheses say something once one of them is e² times likelier than before anything was seen, in
/// steps. All alike, they say nothing.
const FAVOURED: u8 = 24;
/// The logarithm of its odds moves by no more than this at a find.
const GAIN_MAX: f64 = 4.0;
/// Chances are at least this.
const CHANCE_MIN: f64 = 1e-9;

/// Each hour, and eight hours from each other hour on.
pub(crate) const HYPOTHESES: usize = 24 + 12;
const DAY_HOURS: usize = 8;

/// The hours of a hypothesis.
fn hours(hypothesis: usize) -> impl Iterator<Item = usize> {
    let (first, count) = match hypothesis {
        0..24 => (hypothesis, 1),
        _ => ((hypothesis - 24) * 2, DAY_HOURS),
    };
    (first..first + count).map(|hour| hour % 24)
}

fn sum_within(hypothesis: usize, of: &[f64; 24]) -> f64 {
    hours(hypothesis).map(|hour| of[hour]).sum()
}

fn prior(hypothesis: usize) -> f64 {
    PRIOR / if hypothesis < 24 { 24.0 } else { (HYPOTHESES - 24) as f64 }
}

/// The odds of each hypothesis, against none. 36 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Daily {
    steps: [u8; HYPOTHESES],
}

/// What looks saw since the find before, in seconds of mean rate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen<T> {
    /// In which nothing came.
    pub(crate) quiet: T,
    /// In which something did.
    pub(crate) gap: T,
}

impl Seen<f64> {
    /// ln of its chance at a mean rate.
    pub(crate) fn likelihood(self, rate: f64) -> f64 {
        let came = 1.0 - libm::exp(-rate * self.gap);
        libm::log(came.max(CHANCE_MIN)) - rate * self.quiet
    }
}

fn steps(odds: f64) -> u8 {
    libm::round(STEPS * (libm::log(odds) - LEAST)) as u8
}

impl Daily {
    /// Nothing was seen.
    pub(crate) fn unknown() -> Daily {
        Daily { steps: std::array::from_fn(|hypothesis| UNKNOWN[usize::from(hypothesis >= 24)]) }
    }

    pub(crate) fn bytes(self) -> [u8; HYPOTHESES] {
        self.steps
    }

    /// What was stored; any bytes will do.
    pub(crate) fn of(steps: [u8; HYPOTHESES]) -> Daily {
        Daily { steps }
    }

    fn odds(self) -> [f64; HYPOTHESES] {
        self.steps.map(|steps| libm::exp(LEAST + f64::from(steps) / STEPS))
    }

    /// Whether a hypothesis says something.
    pub(crate) fn is_favouring(self) -> bool {
        let (hours, days) = self.steps.split_at(24);
        let is_favoured =
            |steps: &[u8], before: u8| steps.iter().any(|&now| now >= before + FAVOURED);
        is_favoured(hours, UNKNOWN[0]) || is_favoured(days, UNKNOWN[1])
    }

    /// The chance of each hypothesis; `None` while none says something.
    pub(crate) fn chances(self) -> Option<[f64; HYPOTHESES]> {
        let odds = self.is_favouring().then(|| self.odds())?;
        let all = 1.0 + odds.iter().sum::<f64>();
        Some(odds.map(|odds| odds / all))
    }

    /// Weighs what was seen at a source of this rate, by hour of the day as the shared pattern has
    /// it; `believed` is the same by all that is believed of the source by now.
    pub(crate) fn weigh(
        &mut self,
        rate: f64,
        seen: &Seen<[f64; 24]>,
        believed: Seen<f64>,
        shares: &Shares,
    ) {
        let all = |hours: &[f64; 24]| hours.iter().sum::<f64>();
        let (quiet, gap) = (all(&seen.quiet), all(&seen.gap));
        let (of_hours, believed) = (shares.of_hours(), believed.likelihood(rate));
        let mut odds = self.odds();
        for (hypothesis, odds) in odds.iter_mut().enumerate() {
            let sharper = WITHIN / sum_within(hypothesis, &of_hours);
            let by = |hours: &[f64; 24], all: f64| {
                sharper * sum_within(hypothesis, hours) + (1.0 - WITHIN) * all
            };
            let seen = Seen { quiet: by(&seen.quiet, quiet), gap: by(&seen.gap, gap) };
            *odds *= libm::exp((seen.likelihood(rate) - believed).clamp(-GAIN_MAX, GAIN_MAX));
        }
        let (any, before) = (1.0 + odds.iter().sum::<f64>(), 1.0 + 2.0 * PRIOR);
        let drawn = |chance: f64, prior: f64| (1.0 - CHANGES) * chance + CHANGES * prior;
        let none = drawn(1.0 / any, 1.0 / before);
        self.steps = std::array::from_fn(|hypothesis| {
            steps(drawn(odds[hypothesis] / any, prior(hypothesis) / before) / none)
        });
    }
}

/// By what each hour of the day differs from the shared pattern, where the hypotheses hold with
/// these chances and no other does.
pub(crate) fn factors(chances: &[f64; HYPOTHESES], shares: &Shares) -> [f64; 24] {
    let (all, of_hours) = (chances.iter().sum::<f64>(), shares.of_hours());
    let mut factors = [1.0 - WITHIN; 24];
    for (hypothesis, chance) in chances.iter().enumerate() {
        let more = WITHIN * chance / all / sum_within(hypothesis, &of_hours);
        hours(hypothesis).for_each(|hour| factors[hour] += more);
    }
    factors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::HOURS;
    use proptest::prelude::*;

    const DAY: f64 = 24.0;

    /// Hours of the day between two hours since the epoch.
    fn by_hour(from: f64, to: f64) -> [f64; 24] {
        let mut hours = [0.0; 24];
        let mut at = from;
        while at < to {
            let end = (libm::floor(at) + 1.0).min(to);
            hours[at as usize % 24] += end - at;
            at = end;
        }
        hours
    }

    /// What is known after looks at these hours since the epoch, of a source that changes at those.
    fn after(looks: &[f64], changes: &[f64], rate: f64) -> Daily {
        let shares = Shares::of_weeks(&[1.0; HOURS]);
        let (mut daily, mut found) = (Daily::unknown(), 0.0);
        for gap in looks.windows(2) {
            let [from, to] = [gap[0], gap[1]];
            if !changes.iter().any(|&change| from < change && change <= to) {
                continue;
            }
            let seen = Seen { quiet: by_hour(found, from), gap: by_hour(from, to) };
            let factors = daily.chances().map(|chances| {
                let any = chances.iter().sum::<f64>();
                factors(&chances, &shares).map(|factor| any * factor + 1.0 - any)
            });
            let believed = |hours: &[f64; 24]| match &factors {
                Some(factors) => {
                    hours.iter().zip(factors).map(|(hour, factor)| hour * factor).sum()
                }
                None => hours.iter().sum(),
            };
            let believed = Seen { quiet: believed(&seen.quiet), gap: believed(&seen.gap) };
            daily.weigh(rate, &seen, believed, &shares);
            found = to;
        }
        daily
    }

    fn chance(daily: Daily, hypotheses: std::ops::Range<usize>) -> f64 {
        daily.chances().map_or(0.0, |chances| chances[hypotheses].iter().sum())
    }

    fn every(hours: f64, days: f64) -> Vec<f64> {
        (0..(days * DAY / hours) as usize).map(|look| look as f64 * hours).collect()
    }

    /// Once a day, at this hour.
    fn struck(days: std::ops::Range<u32>, hour: f64) -> Vec<f64> {
        days.map(|day| f64::from(day) * DAY + hour).collect()
    }

    #[test]
    fn the_hour_of_a_clock_is_found_by_looks_that_are_far_apart() {
        for (hours, days) in [(11.3, 30), (22.3, 240)] {
            let daily = after(&every(hours, days.into()), &struck(0..days, 9.4), 1.0 / DAY);
            assert!(chance(daily, 9..10) > 0.7, "{daily:?}");
        }
    }

    #[test]
    fn a_clock_that_is_set_anew_is_found_at_its_new_hour() {
        let changes = [struck(0..60, 9.4), struck(60..120, 14.4)].concat();
        let daily = after(&every(11.3, 120.0), &changes, 1.0 / DAY);
        assert!(chance(daily, 14..15) > 0.7, "{daily:?}");
    }

    #[test]
    fn what_is_unknown_has_the_prior_odds() {
        let unknown = Daily::unknown();
        assert_eq!(unknown.steps, std::array::from_fn(|hypothesis| steps(prior(hypothesis))));
        assert!(unknown.chances().is_none());
    }

    #[test]
    fn who_changes_by_day_has_a_day() {
        // Between 8:00 and 16:00, at other times each day.
        let changes: Vec<f64> = (0..200)
            .map(|day| f64::from(day) * DAY + 8.0 + f64::from(day * 7 % 31) / 4.0)
            .collect();
        let daily = after(&every(5.0, 200.0), &changes, 1.0 / DAY);
        let factors = factors(&daily.chances().expect("some"), &Shares::of_weeks(&[1.0; HOURS]));
        let by_day: f64 = factors[7..17].iter().sum();
        assert!(by_day > 20.0 && factors[12] < 6.0, "{factors:?}");
    }

    #[test]
    fn hardly_anybody_who_changes_at_any_time_is_thought_to_have_hours() {
        let is_wrong = |seed: &u64| {
            let share = |find| crate::chance::share(*seed, chronon::SourceId(1), find);
            let mut at = 0.0;
            let mut changes = Vec::new();
            for find in 0..100 {
                at -= 30.0 * libm::log(1.0 - share(find));
                changes.push(at);
            }
            chance(after(&every(7.0, 130.0), &changes, 1.0 / 30.0), 0..HYPOTHESES) > 0.5
        };
        let wrong = (0..200).filter(is_wrong).count();
        assert!(wrong < 10, "{wrong} of 200");
    }

    proptest! {
        #[test]
        fn odds_stay_numbers_whatever_was_stored_and_seen(
            bytes: [u8; 36], rate in 0.0..1.0_f64, from in 0.0..100.0_f64, gap in 0.0..100.0_f64,
        ) {
            let shares = Shares::of_weeks(&std::array::from_fn(|hour| f64::from(hour as u32 % 5)));
            let mut daily = Daily::of(bytes);
            let seen = Seen { quiet: by_hour(0.0, from), gap: by_hour(from, from + gap) };
            daily.weigh(rate, &seen, Seen { quiet: from, gap }, &shares);
            let chances = daily.chances().unwrap_or([0.0; HYPOTHESES]);
            prop_assert!(chances.iter().sum::<f64>() < 1.0);
            prop_assert!(chances.iter().all(|&one| one >= 0.0));
            let factors = factors(&chances.map(|one| one + 1e-9), &shares);
            let mean: f64 = factors.iter().zip(shares.of_hours()).map(|(x, share)| x * share).sum();
            prop_assert!((mean - 1.0).abs() < 1e-6, "{mean}");
        }
    }
}
