//! How long what a look found had waited, as far as that can be told.

use super::Scheduler;
use crate::hours::Gap;
use crate::rate::Seen;
use crate::week::seconds;
use chronon::Instant;

/// What a look found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Finds<'a> {
    pub(super) seen: Seen,
    /// How many changes; 0 where nobody knows.
    pub(super) count: u32,
    /// When, as far as that is told and believed.
    pub(super) times: &'a [Instant],
}

impl Scheduler {
    /// Notes in the diary what a look at the end of `gap` found. When that changed, seconds; on the
    /// mean, where nobody tells.
    pub(super) fn note_wait(&mut self, slot: u32, gap: Gap, finds: Finds<'_>) -> Option<f64> {
        let told = self.diary.take_told(slot);
        if finds.seen == Seen::Unchanged {
            return None;
        }
        let to = seconds(gap.to);
        let waited = if finds.times.is_empty() {
            self.waited(slot, gap, told)
        } else {
            let waited = finds.times.iter().map(|&time| to - seconds(time)).sum::<f64>();
            waited / finds.times.len() as f64
        };
        let weight = f64::from(self.roster.at(slot).weight) * f64::from(finds.count.max(1));
        self.diary.found(weight, waited);
        Some(to - waited)
    }

    /// Seconds that a change of the source at `slot` has waited at the end of `gap`, on the mean.
    /// If a companion `told` of one, either it came along with that or by itself.
    fn waited(&self, slot: u32, gap: Gap, told: Option<f64>) -> f64 {
        let entry = self.roster.at(slot);
        let (expected, alone) = self.waited_unheard(slot, gap);
        let Some(told) = told else { return alone };
        let said = f64::from(entry.told);
        let by_company = said / (said + f64::from(entry.rate) * expected).max(f64::MIN_POSITIVE);
        let with_company = (seconds(gap.to) - told).max(0.0);
        by_company * with_company + (1.0 - by_company) * alone
    }

    /// Seconds of mean rate in `gap`, and those that a change has waited at its end of which no
    /// companion spoke: before a look at one that found nothing, it hardly came. O(links²).
    fn waited_unheard(&self, slot: u32, gap: Gap) -> (f64, f64) {
        let entry = self.roster.at(slot);
        let looks = self.kin.links(slot).map(|link| {
            let at = self.roster.at(link.other).last_success();
            (at, self.kin.trust() * link.tells)
        });
        let mut looks: Vec<_> = looks.filter(|&(at, _)| at > gap.from && at < gap.to).collect();
        if looks.is_empty() {
            return self.week.waited(slot, entry, gap);
        }
        looks.sort_unstable_by_key(|&(at, _)| at);
        let (mut sum, mut waited, mut kept, mut end) = (0.0, 0.0, 1.0, gap.to);
        for (at, tells) in looks.into_iter().rev().chain([(gap.from, 0.0)]) {
            let (mass, mean) = self.week.waited(slot, entry, Gap::new(at, end));
            sum += kept * mass;
            waited += kept * mass * (gap.to.since(end).as_secs_f64() + mean);
            (kept, end) = (kept * (1.0 - tells), at);
        }
        (sum, if sum > 0.0 { waited / sum } else { gap.length().as_secs_f64() / 2.0 })
    }
}
