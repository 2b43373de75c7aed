//! What the budget buys.

use crate::App;
use crate::extract::{ListParams, Params};
use crate::plan::{self, FACTORS, Part, Plan, Planned};
use crate::problem::Problem;
use crate::wire::Time;
use axum::Json;
use axum::extract::State;
use chronon::SourceId;
use kernel::view::Together;
use schedule::forecast::{Totals, Unmet};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use utoipa::{IntoParams, ToSchema};

/// Looks that belong together of which a plan tells.
const TOGETHER_MAX: usize = 100;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct PlanParams {
    /// The most items to return, 1 to 1,000; 100 if left out.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// The `next` of the page before.
    cursor: Option<String>,
    /// Probes per second, to see what another budget would give; the configured one if left out.
    budget_per_second: Option<f64>,
}

/// What is to be expected in the long run: of each source, worst first, and over all. Seconds of
/// delay are those from a change to the probe that finds it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PlanShown {
    items: Vec<PlannedSource>,
    /// Give it as `cursor` for the next page; null if this was the last.
    next: Option<String>,
    /// How many sources there are.
    sources_total: usize,
    /// What it comes to, in sentences.
    summary: Vec<String>,
    totals: PlanTotals,
    /// The same under other budgets.
    budgets: Vec<PlanTotals>,
    /// Looks that belong together now, 100 at most; on the first page only.
    together: Vec<LooksTogether>,
}

/// Looks at several pages that count only if all of them are made in time.
#[derive(Debug, Serialize, ToSchema)]
struct LooksTogether {
    /// null: a rule wants them.
    sentinel: Option<String>,
    start: Time,
    finish: Time,
    /// Addresses of the pages that were looked at, as far as that is known.
    made: Vec<String>,
    waits_for: Vec<String>,
}

/// What a budget gives over all.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PlanTotals {
    /// How many times the budget asked for.
    factor: f64,
    budget_per_second: f64,
    /// Cost of probes a day: allowed, worth it if the budget had no limit, and expected.
    allowed_per_day: f64,
    wanted_per_day: f64,
    cost_per_day: f64,
    probes_per_day: f64,
    /// What a probe must bring per cost, in seconds by which a change of weight 1 is told earlier;
    /// 0 where the budget pays all.
    price: f64,
    changes_per_day: f64,
    /// By what changes weigh, of the sources that are probed; null if nothing is found.
    mean_delay_seconds: Option<f64>,
    /// Sources that somebody asks for and that are never probed.
    unprobed: usize,
    /// Looks of `fetch every`, and those expected in time.
    deadlines_per_day: f64,
    captured_per_day: f64,
    /// Demands of which less than 99 % are in time.
    unmet: usize,
}

/// A source of the plan.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PlannedSource {
    source_id: u32,
    url: String,
    weight: f64,
    changes_per_day: f64,
    /// A probe of it succeeded; while none has, `changes_per_day` is a guess.
    answered: bool,
    probes_per_day: f64,
    /// Those of them that deadlines ask for.
    deadline_probes_per_day: f64,
    /// null: it is not probed, or fails.
    delay_seconds: Option<f64>,
    /// What keeps it from being probed more often: `yield`, `interval_min`, `interval_max`, `host`,
    /// `budget`, `failures` (retries wait ever longer), `deadlines` (its sentinels say when),
    /// `nothing` (nobody asks).
    limit: &'static str,
    why: String,
    deadlines_per_day: f64,
    captured_per_day: f64,
    unmet: Vec<UnmetDemand>,
}

/// A demand that cannot be met.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct UnmetDemand {
    every_seconds: f64,
    within_seconds: f64,
    /// The share of its looks in time.
    captured: f64,
    /// What is missing: `host`, `budget`, `host_wait`, `budget_wait`, `host_crowd`,
    /// `crowd`, `failures`.
    reason: &'static str,
    /// "every 10 min within 60 s"
    demand: String,
    why: String,
}

/// What the budget buys: probes a day and expected delay of every source, worst first, deadlines
/// that cannot be met, and what other budgets would give.
#[utoipa::path(get, path = "/plan", tag = "server", params(PlanParams), responses(
    (status = OK, body = PlanShown),
    (status = 400, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn plan(
    State(app): State<App>,
    Params(params): Params<PlanParams>,
) -> Result<Json<PlanShown>, Problem> {
    let page = ListParams { limit: params.limit, cursor: params.cursor };
    let (limit, cursor) = (page.limit()?, page.cursor::<usize>()?);
    let budget = plan::another(params.budget_per_second)?;
    let part = if cursor.is_some() { Part::Further } else { Part::First };
    let plan = Plan::load(&app, budget, part).await?;
    let from = cursor.unwrap_or(0).min(plan.shares.len());
    let to = (from + limit).min(plan.shares.len());
    let urls = urls(&app, &plan.shares[from..to]).await?;
    let item = |planned: &Planned| PlannedSource::of(planned, &urls, &plan);
    let factors = FACTORS.iter().zip(&plan.others);
    let most = if cursor.is_none() { TOGETHER_MAX } else { 0 };
    let together = app.desk.look(move |kernel| kernel.together(most)).await?;
    Ok(Json(PlanShown {
        together: together.into_iter().map(LooksTogether::from).collect(),
        items: plan.shares[from..to].iter().map(item).collect(),
        next: (to < plan.shares.len()).then(|| to.to_string()),
        sources_total: plan.sources,
        summary: plan.summary(),
        totals: PlanTotals::of(1.0, &plan.totals, &plan),
        budgets: factors.map(|(factor, totals)| PlanTotals::of(*factor, totals, &plan)).collect(),
    }))
}

/// The addresses of planned sources; one that was removed meanwhile has none.
pub(crate) async fn urls(
    app: &App,
    planned: &[Planned],
) -> Result<HashMap<SourceId, String>, Problem> {
    let ids: Vec<SourceId> = planned.iter().map(|planned| planned.share.source).collect();
    let urls = app.desk.look(move |kernel| {
        let url = |id| Some((id, kernel.source_url(id)?.to_string()));
        ids.into_iter().filter_map(url).collect()
    });
    Ok(urls.await?)
}

impl From<Together> for LooksTogether {
    fn from(together: Together) -> LooksTogether {
        let texts = |all: Vec<Box<str>>| all.into_iter().map(String::from).collect();
        LooksTogether {
            sentinel: together.sentinel.map(String::from),
            start: Time(together.start),
            finish: Time(together.finish),
            made: texts(together.made),
            waits_for: texts(together.waits_for),
        }
    }
}

impl PlanTotals {
    fn of(factor: f64, totals: &Totals, plan: &Plan) -> PlanTotals {
        PlanTotals {
            factor,
            budget_per_second: plan.per_second() * factor,
            allowed_per_day: totals.allowed_per_day,
            wanted_per_day: totals.wanted_per_day,
            cost_per_day: totals.cost_per_day,
            probes_per_day: totals.probes_per_day,
            price: totals.price,
            changes_per_day: totals.changes_per_day,
            mean_delay_seconds: totals.delay,
            unprobed: totals.unprobed,
            deadlines_per_day: totals.deadlines_per_day,
            captured_per_day: totals.captured_per_day,
            unmet: totals.unmet,
        }
    }
}

impl PlannedSource {
    fn of(planned: &Planned, urls: &HashMap<SourceId, String>, plan: &Plan) -> PlannedSource {
        let share = &planned.share;
        PlannedSource {
            source_id: share.source.0,
            url: urls.get(&share.source).cloned().unwrap_or_default(),
            weight: planned.weight,
            changes_per_day: planned.changes_per_day,
            answered: planned.answered,
            probes_per_day: share.probes_per_day,
            deadline_probes_per_day: share.deadline_probes_per_day,
            delay_seconds: share.delay,
            limit: plan::limit_name(share.limit),
            why: planned.why(&plan.config),
            deadlines_per_day: share.deadlines_per_day,
            captured_per_day: share.captured_per_day,
            unmet: planned.unmet.iter().map(UnmetDemand::from).collect(),
        }
    }
}

impl From<&Unmet> for UnmetDemand {
    fn from(unmet: &Unmet) -> UnmetDemand {
        UnmetDemand {
            every_seconds: unmet.demand.period.as_secs_f64(),
            within_seconds: unmet.demand.slack.as_secs_f64(),
            captured: unmet.captured,
            reason: plan::shortage_name(&unmet.shortage),
            demand: plan::demand(&unmet.demand),
            why: plan::shortage(unmet),
        }
    }
}
