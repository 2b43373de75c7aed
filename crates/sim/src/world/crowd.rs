//! Worlds in which more looks are due at one moment than limits allow, and nothing else goes wrong:
//! who goes first can be judged there, and that nobody waits for nothing.

use super::content::Content;
use super::spec::{self, Spec};
use super::wall::Wall;
use super::{START, World};
use crate::pace::Rng;
use crate::shell::Wish;
use chronon::{Instant, Span};

/// Long enough for all to be there when their looks begin.
const FIRST: Span = Span::MINUTE;
const PERIOD: Span = Span::MINUTE;
const SLACK: Span = Span::from_secs(30);

/// What competes, and for what.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crowd {
    pub(crate) first: Instant,
    pub(crate) period: Span,
    pub(crate) slack: Span,
    /// The limits allow one look in this time, for any page.
    pub(crate) spacing: Span,
}

impl World {
    /// All pages on one host that is asked seldom, or each on its own and a small budget.
    pub(super) fn fill_crowd(&mut self, rng: &mut Rng) {
        let schedule = &mut self.config.schedule;
        (schedule.in_flight_max, schedule.host_in_flight) = (8, 1);
        let share_host = rng.one_in(2);
        let seconds = *rng.pick(&[2, 3, 5, 6]);
        let spacing = Span::from_secs(seconds);
        (schedule.budget, schedule.host_interval) =
            if share_host { (10.0, spacing) } else { (1.0 / seconds as f64, Span::ZERO) };
        (self.is_instant, self.wakes_late) = (true, self.wakes_late.min(Span::from_millis(30)));
        let first = START + FIRST;
        self.crowd = Some(Crowd { first, period: PERIOD, slack: SLACK, spacing });
        for number in 0..8 + rng.below(12) {
            let host = if share_host { 0 } else { number };
            let url: Box<str> = format!("https://h{host}.example/{number}").into();
            let content = Content::full();
            self.show(&url, START, (&content, 0));
            let mut spec = Spec::due(number, url, (first, PERIOD, SLACK));
            let mut at = START + rng.span(Span::ZERO, FIRST - Span::SECOND);
            // Weights change in place now and then.
            while at < self.calm {
                spec.weight = *rng.pick(&[1, 3, 10, 30, 100]);
                let (name, text): (Box<str>, Box<str>) = (spec.name.clone(), spec.text().into());
                self.specs.insert(text.clone(), spec.clone());
                self.wishes.push((at, Wish::Apply { name, text }));
                at += rng.span(Span::MINUTE.times(3), Span::MINUTE.times(30));
            }
        }
    }
}

impl Spec {
    fn due(number: u64, url: Box<str>, (from, period, slack): (Instant, Span, Span)) -> Spec {
        let said = format!(" from {}", &from.to_string().replace('T', " ")[..19]);
        let name = spec::name(number).into();
        Spec::looking((name, url), (period, slack), (from, Wall::UTC, said))
    }
}
