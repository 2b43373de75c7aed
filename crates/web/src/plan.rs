//! What the budget buys, as people read it: the scheduler's forecast, worst first, with reasons.

use crate::App;
use crate::problem::Problem;
use crate::words;
use axum::http::StatusCode;
use chronon::{Instant, Span};
use kernel::Kernel;
use kernel::view::Counters;
use notice::grouped;
use schedule::forecast::{self, Demand, Forecast, Limit, Share, Shortage, Totals, Unmet, Workload};
use schedule::{Config, Measured};
use std::sync::Arc;
use tokio::sync::Mutex;

/// Other budgets, as multiples of the one asked for.
pub(crate) const FACTORS: [f64; 6] = [0.25, 0.5, 1.0, 2.0, 4.0, 10.0];
/// The most looks a second that somebody may ask about.
const PER_SECOND_MAX: f64 = 1e6;
/// A plan is worked out anew after a second; further pages of one stay the same for a minute.
/// Sources that the engine describes at a time.
const SOURCES_PER_LOOK: usize = 500;
const FRESH: Span = Span::SECOND;
const PAGED: Span = Span::MINUTE;
/// The least share of looks passed over, as one in this number, that earns a sentence, and the
/// least count: a host's first look may come too late for an interval of seconds.
const CROWD_SHARE: u64 = 20;
const CROWD_MIN: u64 = 10;

/// The last plan that was worked out. One at a time: others who ask meanwhile wait for it.
#[derive(Default)]
pub(crate) struct Plans(Mutex<Option<Arc<Plan>>>);

/// A forecast with what stands around it.
pub(crate) struct Plan {
    made_at: Instant,
    /// Probes per second, if it is of another budget than the configured one.
    asked_for: Option<f64>,
    pub(crate) config: Config,
    pub(crate) sources: usize,
    pub(crate) totals: Totals,
    /// Worst first: missed deadlines, then what waits cost.
    pub(crate) shares: Vec<Planned>,
    /// Under [`FACTORS`].
    pub(crate) others: Vec<Totals>,
    looks: Looks,
    measured: Measured,
}

/// Another budget that a query asks about, in looks a second, if it is one.
pub(crate) fn another(per_second: Option<f64>) -> Result<Option<f64>, Problem> {
    let is_one = |budget: f64| budget > 0.0 && budget <= PER_SECOND_MAX;
    if per_second.is_none_or(is_one) {
        return Ok(per_second);
    }
    let detail = "`budget_per_second` is a number above 0, at most 1,000,000.";
    Err(Problem::bad_request(detail))
}

/// Looks of `fetch every` since the server started: all, and those passed over.
#[derive(Debug, Clone, Copy, Default)]
struct Looks {
    all: u64,
    passed_over: u64,
}

/// What the scheduler works for, asked a piece at a time so that nobody waits for it.
async fn world(app: &App) -> Result<(Workload, Looks, Measured), Problem> {
    let first = |kernel: &Kernel| {
        let (config, experience) = (kernel.schedule_config(), kernel.experience());
        let world = Workload { config, sources: Vec::new(), experience };
        (world, Looks::of(&kernel.counters()), kernel.measured())
    };
    let (world, looks, measured) = app.desk.look(first).await?;
    let mut sources = Vec::new();
    loop {
        let after = sources.last().map(|watched: &forecast::Watched| watched.source);
        let piece = app.desk.look(move |kernel| kernel.watched(after, SOURCES_PER_LOOK)).await?;
        let is_last = piece.len() < SOURCES_PER_LOOK;
        sources.extend(piece);
        if is_last {
            return Ok((Workload { sources, ..world }, looks, measured));
        }
    }
}

impl Looks {
    fn of(counters: &Counters) -> Looks {
        let all = counters.eis_captured + counters.eis_missed;
        Looks { all, passed_over: counters.eis_passed_over }
    }

    /// What the forecast leaves out, where it happened.
    fn crowd(self) -> Option<String> {
        let Looks { all, passed_over } = self;
        (passed_over >= CROWD_MIN && passed_over * CROWD_SHARE >= all).then(|| {
            format!(
                "But since the server started {} of {} such looks were passed over: more were due \
                 at one moment than budget and hosts allow. They take turns; a longer interval, a \
                 longer `within` or another clock after `from` makes room.",
                grouped(passed_over),
                grouped(all)
            )
        })
    }
}

/// A source's share, with what is told of it.
#[derive(Debug, Clone)]
pub(crate) struct Planned {
    pub(crate) share: Share,
    pub(crate) weight: f64,
    /// A guess while it has not `answered`.
    pub(crate) changes_per_day: f64,
    pub(crate) answered: bool,
    pub(crate) host_interval: Span,
    pub(crate) unmet: Vec<Unmet>,
}

/// Which part of a plan is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    First,
    Further,
}

impl Plan {
    /// The plan of now, under the configured budget or one in probes per second.
    pub(crate) async fn load(
        app: &App,
        asked_for: Option<f64>,
        part: Part,
    ) -> Result<Arc<Plan>, Problem> {
        let now = app.now();
        let mut last = app.plans.0.lock().await;
        let lasts = match part {
            Part::First => FRESH,
            Part::Further => PAGED,
        };
        let usable = |plan: &&Arc<Plan>| plan.asked_for == asked_for && now - plan.made_at < lasts;
        if let Some(plan) = last.as_ref().filter(usable) {
            return Ok(Arc::clone(plan));
        }
        let (mut world, looks, measured) = world(app).await?;
        if let Some(per_second) = asked_for {
            world.config.budget = per_second * world.config.chronon.as_secs_f64();
        }
        let made = move || Plan { looks, measured, ..Plan::of(&world, asked_for, now) };
        let made = tokio::task::spawn_blocking(made).await.map_err(|error| {
            tracing::error!(%error, "a plan could not be made");
            let detail = "The plan could not be made; the server's log says why.";
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail)
        })?;
        let plan = Arc::new(made);
        *last = Some(Arc::clone(&plan));
        Ok(plan)
    }

    fn of(world: &Workload, asked_for: Option<f64>, now: Instant) -> Plan {
        let budgets = FACTORS.map(|factor| factor * world.config.budget);
        let (Forecast { totals, shares, unmet }, others) = forecast::with_others(world, &budgets);
        let mut unmet = unmet.into_iter().peekable();
        let mut planned = Vec::with_capacity(shares.len());
        for (share, watched) in shares.into_iter().zip(&world.sources) {
            let mut own = Vec::new();
            while let Some(one) = unmet.next_if(|one| one.source == share.source) {
                own.push(one);
            }
            planned.push(Planned {
                share,
                weight: watched.weight,
                changes_per_day: watched.per_second * 86_400.0,
                answered: watched.answered,
                host_interval: watched.host_interval,
                unmet: own,
            });
        }
        planned.sort_by(|a, b| {
            let ((missed, cost), (other_missed, other_cost)) = (a.badness(), b.badness());
            other_missed.total_cmp(&missed).then(other_cost.total_cmp(&cost))
        });
        Plan {
            made_at: now,
            asked_for,
            config: world.config.clone(),
            sources: planned.len(),
            totals,
            shares: planned,
            others,
            looks: Looks::default(),
            measured: Measured::default(),
        }
    }

    /// The budget in probes per second.
    pub(crate) fn per_second(&self) -> f64 {
        self.config.budget / self.config.chronon.as_secs_f64().max(1e-3)
    }

    /// What it comes to, in sentences.
    pub(crate) fn summary(&self) -> Vec<String> {
        let totals = &self.totals;
        if self.sources == 0 {
            return vec!["Nothing is being watched, so there is nothing to look at.".to_owned()];
        }
        let allowed = words::looks_made(totals.allowed_per_day / 86_400.0);
        let wanted = words::rate(totals.wanted_per_day / 86_400.0);
        let waiting = |limit| self.shares.iter().filter(|one| one.share.limit == limit).count();
        let verdict = match waiting(Limit::Budget) {
            0 => "the budget is not what delays you".to_owned(),
            scarce => {
                let (scarce, all) = (grouped(scarce), sources(self.sources));
                format!("the budget makes {scarce} of {all} wait longer")
            }
        };
        let (hosts, within) = match waiting(Limit::Host) {
            0 => (None, ""),
            waiting => {
                let (waiting, all) = (grouped(waiting), sources(self.sources));
                let hosts = format!(
                    "{waiting} of {all} wait for their hosts, which may be asked only so often."
                );
                (Some(hosts), " as far as hosts allow")
            }
        };
        let mut said = vec![format!("{allowed} allowed, {wanted} wanted{within}: {verdict}.")];
        said.extend(hosts);
        if let Some(delay) = totals.delay {
            said.push(format!("A change is found after {} on average.", words::lasting(delay)));
        }
        if let Some(measured) = measured(&self.measured) {
            said.push(format!("Measured so far: {measured}."));
        }
        if totals.unprobed > 0 {
            let sources = sources(totals.unprobed);
            said.push(format!("The budget leaves nothing for {sources}: never looked at."));
        }
        if totals.deadlines_per_day > 0.0 {
            let looks = words::rate(totals.deadlines_per_day / 86_400.0);
            said.push(format!("Looks with a deadline: {looks}, {} in time.", in_time(totals)));
            said.extend(self.looks.crowd());
        }
        said
    }
}

/// How late changes were found that had times, beside what fixed intervals would have given.
pub(crate) fn measured(measured: &Measured) -> Option<String> {
    let (delay, fixed) = (measured.delay()?, measured.at_fixed_intervals()?);
    let changes = match measured.found {
        1 => "a change with a time was found".to_owned(),
        found => format!("{} changes with times were found", grouped(found)),
    };
    let (delay, fixed) = (words::lasting(delay), words::lasting(fixed));
    Some(format!("{changes} after {delay} on average; as many looks at fixed intervals: {fixed}"))
}

/// "all of them", or a share of them that is never rounded up to all.
fn in_time(totals: &Totals) -> String {
    let share = totals.captured_per_day / totals.deadlines_per_day;
    if share >= 1.0 - 1e-9 {
        "all of them".to_owned()
    } else {
        format!("{:.1} % of them", (share * 1_000.0).floor() / 10.0)
    }
}

impl Planned {
    /// Deadlines missed a day, and what waiting costs.
    fn badness(&self) -> (f64, f64) {
        let missed = if self.unmet.is_empty() {
            0.0
        } else {
            self.share.deadlines_per_day - self.share.captured_per_day
        };
        (missed, self.share.stake * self.share.delay.unwrap_or(31_536_000.0))
    }

    /// How often it changes in a day, as far as that is known.
    pub(crate) fn changes(&self) -> String {
        match Some(self.changes_per_day).filter(|_| self.answered) {
            Some(changes) => words::number(changes),
            None => words::UNKNOWN.to_owned(),
        }
    }

    /// What keeps it from being looked at more often.
    pub(crate) fn why(&self, config: &Config) -> String {
        let span = |span: Span| words::lasting(span.as_secs_f64());
        match self.share.limit {
            Limit::Nothing => "no sentinel asks for it".to_owned(),
            Limit::Deadlines => "its sentinels say when".to_owned(),
            Limit::Yield => {
                format!("more looks would find less than {} changes each", config.yield_min)
            }
            Limit::Least => format!("the shortest interval, {}", span(config.interval_min)),
            Limit::Floor => format!("the longest interval, {}", span(config.interval_max)),
            Limit::Failures if self.answered => {
                "its looks fail; retries wait ever longer, at most its interval".to_owned()
            }
            Limit::Failures => {
                let most = span(config.interval_max);
                format!("it never answered; retries wait ever longer, at most {most}")
            }
            Limit::Host => {
                format!("its host is asked at most once every {}", span(self.host_interval))
            }
            Limit::Budget => "the budget".to_owned(),
        }
    }
}

/// The name of a limit in JSON.
pub(crate) fn limit_name(limit: Limit) -> &'static str {
    match limit {
        Limit::Nothing => "nothing",
        Limit::Deadlines => "deadlines",
        Limit::Yield => "yield",
        Limit::Least => "interval_min",
        Limit::Floor => "interval_max",
        Limit::Failures => "failures",
        Limit::Host => "host",
        Limit::Budget => "budget",
    }
}

pub(crate) fn shortage_name(shortage: &Shortage) -> &'static str {
    match shortage {
        Shortage::Host { .. } => "host",
        Shortage::Budget { .. } => "budget",
        Shortage::HostWait { .. } => "host_wait",
        Shortage::BudgetWait { .. } => "budget_wait",
        Shortage::HostCrowd { .. } => "host_crowd",
        Shortage::Crowd => "crowd",
        Shortage::Failures { .. } => "failures",
    }
}

/// "every 10 min within 60 s".
pub(crate) fn demand(demand: &Demand) -> String {
    let span = |span: Span| words::lasting(span.as_secs_f64());
    format!("every {} within {}", span(demand.period), span(demand.slack))
}

/// What is missing for a demand, and what would help.
pub(crate) fn shortage(unmet: &Unmet) -> String {
    let span = |span: Span| words::lasting(span.as_secs_f64());
    let per_day = |count: f64| words::rate(count / 86_400.0);
    let slack = span(unmet.demand.slack);
    match unmet.shortage {
        Shortage::Host { needed, allowed } => format!(
            "deadlines need {} of its host, which may be asked {}",
            words::looks_made(needed / 86_400.0),
            per_day(allowed)
        ),
        Shortage::Budget { needed, allowed } if needed > allowed => format!(
            "deadlines need {}, the budget has {}",
            words::looks_made(needed / 86_400.0),
            per_day(allowed)
        ),
        Shortage::Budget { .. } => "the budget goes to what is worth more".to_owned(),
        Shortage::HostWait { wait } => {
            format!("{slack} may pass before its host may be asked, every {}", span(wait))
        }
        Shortage::BudgetWait { wait } => {
            format!("{slack} may pass before the budget has a look, every {}", span(wait))
        }
        Shortage::HostCrowd { wait } => format!(
            "its host may be asked every {}, and more looks of it are due at that moment; a longer \
             `within` makes room for more of them",
            span(wait)
        ),
        Shortage::Crowd => "more looks are due at that moment than the budget allows; another \
             clock after `from`, or a longer `within`, spreads them"
            .to_owned(),
        Shortage::Failures { success } => {
            format!("{:.0} % of its looks fail", 100.0 - success * 100.0)
        }
    }
}

pub(crate) fn sources(count: usize) -> String {
    if count == 1 { "1 source".to_owned() } else { format!("{} sources", grouped(count)) }
}

#[cfg(test)]
mod tests {
    use super::{Looks, Plan, in_time, measured};
    use chronon::{HostId, Instant, SourceId, Span};
    use schedule::forecast::{Totals, Watched, Workload};
    use schedule::{Config, Event, Experience, Outcome, Scheduler};

    #[test]
    fn a_delay_is_measured_from_times_in_content_beside_looks_at_fixed_intervals() {
        let mut scheduler = Scheduler::new(Config::standard(), 7).expect("the standard can be");
        let (source, began) = (SourceId(1), Instant::from_millis(1_800_000_000_000));
        let added = Event::SourceAdded { source, host: HostId(1), prior: None };
        scheduler.handle(began, added);
        let mut look = |minute: i64, came: &[i64]| {
            let times = came.iter().map(|&minute| began + Span::MINUTE.times(minute)).collect();
            let (start, found) = (began + Span::MINUTE.times(minute), came.len() as u32);
            let outcome = if came.is_empty() { Outcome::Unchanged } else { Outcome::Changed };
            scheduler.handle(start, Event::Probed { source, start, outcome, found, times });
            measured(&scheduler.measured_of_all())
        };
        assert_eq!((look(0, &[]), look(60, &[30]), look(180, &[])), (None, None, None));
        let said = look(240, &[230, 210]).expect("changes with times were found");
        assert_eq!(
            said,
            "2 changes with times were found after 20 min on average; \
             as many looks at fixed intervals: 45 min"
        );
        assert_eq!(measured(&scheduler.measured(source)), Some(said));
    }

    #[test]
    fn all_in_time_is_said_only_where_no_look_is_missed() {
        let said = |captured_per_day, deadlines_per_day| {
            in_time(&Totals { captured_per_day, deadlines_per_day, ..Totals::default() })
        };
        assert_eq!(said(2_880.0, 2_880.0), "all of them");
        assert_eq!(said(99_999.0, 100_000.0), "99.9 % of them");
        assert_eq!(said(1_440.0, 2_880.0), "50.0 % of them");
    }

    /// A page that changes every five minutes.
    fn watched(source: u32) -> Watched {
        Watched {
            source: SourceId(source),
            host: HostId(1),
            host_interval: Span::from_secs(60),
            weight: 1.0,
            per_second: 1.0 / 300.0,
            answered: true,
            success: 1.0,
            cost: 1.0,
            failures: 0,
            demands: Vec::new(),
        }
    }

    fn planned(budget: f64, sources: Vec<Watched>) -> Plan {
        let config = Config { budget, ..Config::standard() };
        let world = Workload { config, sources, experience: Experience::default() };
        Plan::of(&world, None, Instant::from_millis(0))
    }

    #[test]
    fn what_waits_for_hosts_is_not_blamed_on_the_budget() {
        let said = planned(1.0, (0..8).map(watched).collect()).summary();
        assert!(said[0].contains("as far as hosts allow: the budget is not"), "{said:?}");
        assert!(said[1].starts_with("8 of 8 sources wait for their hosts"), "{said:?}");
    }

    #[test]
    fn of_a_page_that_fails_the_longest_pause_is_said() {
        let why = |answered| {
            let failing = Watched { answered, failures: 9, ..watched(1) };
            let plan = planned(10.0, vec![failing]);
            plan.shares[0].why(&plan.config)
        };
        let most = "retries wait ever longer, at most";
        assert_eq!(why(true), format!("its looks fail; {most} its interval"));
        assert_eq!(why(false), format!("it never answered; {most} 1 d"));
    }

    #[test]
    fn a_crowd_is_told_where_it_shows() {
        let said = |passed_over, all| Looks { all, passed_over }.crowd();
        assert_eq!((said(0, 0), said(1, 11), said(40, 1_000)), (None, None, None));
        let crowd = said(700, 1_000).expect("most were passed over");
        assert!(crowd.contains("700 of 1,000 such"), "{crowd}");
    }
}
