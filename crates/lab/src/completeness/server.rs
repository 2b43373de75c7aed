//! `server`: the scheduler that the server runs, on the EIs of an instance.

use crate::unified::{at, deciding};
use chronon::{HostId, SourceId};
use policies::completeness::{Instance, OnlinePolicy, State};
use schedule::{CeiId, EiId, Event, Outcome, Pick, Scheduler};

/// The server's scheduler: each source is a host of its own, no request takes time, and nobody
/// asks for freshness.
#[derive(Default)]
pub struct Server {
    scheduler: Option<Scheduler>,
    per_chronon: f64,
    picked: Vec<Pick>,
}

fn scheduler(instance: &Instance, budget: f64) -> Scheduler {
    let mut scheduler =
        Scheduler::new(deciding(budget), 1).expect("a configuration of numbers that can be");
    for (source, &cost) in (0..).zip(instance.costs()) {
        let (source, host) = (SourceId(source), HostId(source));
        scheduler.handle(at(-1), Event::SourceAdded { source, host, prior: None });
        if (cost - 1.0).abs() > f64::EPSILON {
            scheduler.handle(at(-1), Event::Cost { source, cost });
        }
    }
    scheduler
}

impl OnlinePolicy for Server {
    fn choose(&mut self, state: &State<'_>, picks: &mut Vec<u32>) {
        let (instance, now) = (state.instance, at(state.chronon.into()));
        let budget = instance.budget()[state.chronon as usize];
        let scheduler = self.scheduler.get_or_insert_with(|| scheduler(instance, budget));
        if self.per_chronon.to_bits() != budget.to_bits() {
            self.per_chronon = budget;
            scheduler.handle(now, Event::BudgetSet { per_chronon: budget });
        }
        for &number in state.arrived() {
            let cei = &instance.ceis()[number as usize];
            for index in cei.eis() {
                let ei = &instance.eis()[index];
                let event = Event::EiAdded {
                    ei: EiId(index as u64),
                    cei: CeiId(number.into()),
                    source: SourceId(ei.source),
                    start: at(ei.start.into()),
                    finish: at(ei.finish.into()),
                    utility: cei.utility,
                };
                scheduler.handle(now, event);
            }
        }
        self.picked.clear();
        scheduler.poll(now, &mut self.picked);
        let mut left = budget;
        for pick in &self.picked {
            let source = pick.source;
            left -= instance.costs()[source.0 as usize];
            // What was saved in earlier chronons is not an instance's to spend.
            let outcome = if left < -1e-9 { Outcome::SetAside } else { Outcome::Unchanged };
            if outcome == Outcome::Unchanged {
                picks.push(source.0);
            }
            let times = Vec::new();
            scheduler.handle(now, Event::Probed { source, start: now, outcome, found: 0, times });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use policies::completeness::{Builder, run_online};

    /// One probe a chronon, and three in the last two that need one: one of the two is whole.
    #[test]
    fn the_server_captures_ceis_whole_where_it_can() {
        let mut builder = Builder::new();
        builder.profile(0, 1.0, vec![vec![(0, 0, 0), (1, 1, 2)]]);
        builder.profile(1, 1.0, vec![vec![(2, 1, 1), (3, 2, 2)]]);
        let instance = builder.build(vec![1.0; 3]).expect("it is an instance");
        let schedule = run_online(&instance, &mut Server::default());
        let outcome = schedule.outcome(&instance);
        assert_eq!(schedule.picks[0], [0]);
        assert_eq!(outcome.captured, 1, "{:?}", schedule.picks);
    }
}
