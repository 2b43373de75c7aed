//! How long what a look found had waited, as far as that can be told.

use super::Scheduler;
use crate::experience::Told;
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

/// As likely as this, at least, a find came along with what a companion told of.
const OF_COMPANY: f64 = 0.5;

impl Scheduler {
    /// Notes in the diary what a look at the end of `gap` found, and answers when that changed: on
    /// the mean, where nobody tells.
    pub(super) fn note_wait(&mut self, slot: u32, gap: Gap, finds: Finds<'_>) -> Option<Told> {
        let told = self.diary.take_told(slot);
        if finds.seen == Seen::Unchanged {
            return None;
        }
        let to = seconds(gap.to);
        let weight = f64::from(self.roster.at(slot).weight) * f64::from(finds.count.max(1));
        let changed = if finds.times.is_empty() {
            self.changed(slot, gap, told, weight)
        } else {
            let waited = finds.times.iter().map(|&time| to - seconds(time)).sum::<f64>();
            Told { at: to - waited / finds.times.len() as f64, occasion: None }
        };
        self.diary.found(weight, to - changed.at);
        Some(changed)
    }

    /// When the source at `slot` changed in `gap`, on the mean. If a companion `told` of a change,
    /// either it came along with that or by itself.
    fn changed(&mut self, slot: u32, gap: Gap, told: Option<Told>, weight: f64) -> Told {
        let said = f64::from(self.roster.at(slot).told);
        let (expected, alone) = self.waited_unheard(slot, gap);
        let [from, to] = [gap.from, gap.to].map(seconds);
        let alone = to - alone;
        let by_itself = f64::from(self.roster.at(slot).rate) * expected;
        let by_company = said / (said + by_itself).max(f64::MIN_POSITIVE);
        let along = told.map(|told| (told, self.narrowed(slot, gap, told, by_company)));
        let at = along.map_or(alone, |(_, along)| {
            by_company * along.max(from).min(to) + (1.0 - by_company) * alone
        });
        // A time that was in no look's gap is of another occasion.
        let is_of_it = |&along: &f64| by_company >= OF_COMPANY && (from..=to).contains(&along);
        let of = along.filter(|(_, along)| is_of_it(along)).and_then(|(told, _)| told.occasion);
        if let Some(id) = of {
            self.diary.joins(id, weight * by_company);
            return Told { at, occasion: of };
        }
        // Others whom this find tells may have come along with it, whatever it came along with.
        let has_company = self.kin.links_len(slot) > 0;
        let open = || self.diary.open([from, to], at, weight * (1.0 - by_company));
        Told { at, occasion: has_company.then(open) }
    }

    /// When what a companion told of changed, as far as is known by now. If the source at `slot`
    /// came along, it was after the look before at this source.
    fn narrowed(&mut self, slot: u32, gap: Gap, told: Told, by_company: f64) -> f64 {
        let Some((id, occasion)) =
            told.occasion.and_then(|id| Some((id, self.diary.occasion(id)?)))
        else {
            return told.at;
        };
        let from = seconds(gap.from);
        if by_company < OF_COMPANY || from <= occasion.from || from >= occasion.to {
            return occasion.at;
        }
        let end = Instant::from_millis(libm::round(occasion.to * 1e3) as i64);
        let left = Gap::new(gap.from, end);
        let (_, waited) = self.week.waited(slot, self.roster.at(slot), left);
        let at = (occasion.to - waited).max(occasion.at);
        // As likely as the source came along, no more.
        let at = occasion.at + by_company * (at - occasion.at);
        self.diary.narrow(id, from, at);
        at
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
