//! The page of what the budget buys.

use super::shown;
use super::{Frame, ROWS, Sorry, render};
use crate::App;
use crate::api::plan_urls;
use crate::plan::{self, FACTORS, Part, Plan, Planned};
use crate::problem::Problem;
use crate::words;
use askama::Template;
use axum::extract::State;
use axum::response::Response;
use chronon::{SourceId, Zone};
use kernel::view::Together;
use schedule::forecast::Totals;

#[derive(Template)]
#[template(path = "plan.html")]
struct PlanPage {
    frame: Frame,
    summary: Vec<String>,
    unmet: Vec<UnmetLine>,
    unmet_total: usize,
    sources: Vec<SourceLine>,
    sources_total: usize,
    together: Vec<TogetherLine>,
    budgets: Vec<BudgetLine>,
}

/// Looks that count only if all of them are made.
struct TogetherLine {
    /// Empty: a rule wants them.
    sentinel: String,
    start: String,
    finish: String,
    waits_for: Vec<String>,
    made: Vec<String>,
}

struct UnmetLine {
    id: u32,
    short: String,
    demand: String,
    share: String,
    why: String,
}

struct SourceLine {
    id: u32,
    short: String,
    probes: String,
    delay: String,
    changes: String,
    why: String,
}

struct BudgetLine {
    present: bool,
    budget: String,
    probes: String,
    delay: String,
    deadlines: String,
    unprobed: usize,
}

pub(super) async fn plan(State(app): State<App>) -> Result<Response, Sorry> {
    plan_page(&app).await.map_err(|problem| Sorry(app, problem))
}

async fn plan_page(app: &App) -> Result<Response, Problem> {
    let plan = Plan::load(app, None, Part::First).await?;
    let worst = &plan.shares[..plan.shares.len().min(ROWS)];
    let urls = plan_urls(app, worst).await?;
    let short = |planned: &Planned| {
        urls.get(&planned.share.source).map(|url| shown::short(url)).unwrap_or_default()
    };
    let unmet = worst.iter().flat_map(|planned| {
        let line = |unmet| UnmetLine::of(planned.share.source, short(planned), unmet);
        planned.unmet.iter().map(line).collect::<Vec<_>>()
    });
    let line = |planned: &Planned| SourceLine {
        id: planned.share.source.0,
        short: short(planned),
        probes: words::number(planned.share.probes_per_day),
        delay: planned.share.delay.map_or("never".to_owned(), words::lasting),
        changes: words::number(planned.changes_per_day),
        why: planned.why(&plan.config),
    };
    let together = app.desk.look(|kernel| kernel.together(ROWS)).await?;
    let zone = &app.config.zone;
    Ok(render(&PlanPage {
        frame: Frame::new(app, "Plan").at("plan"),
        together: together.iter().map(|one| TogetherLine::of(one, zone)).collect(),
        summary: plan.summary(),
        unmet: unmet.collect(),
        unmet_total: plan.totals.unmet,
        sources: worst.iter().map(line).collect(),
        sources_total: plan.sources,
        budgets: FACTORS
            .iter()
            .zip(&plan.others)
            .map(|(&factor, totals)| BudgetLine::of(factor, plan.per_second(), totals))
            .collect(),
    }))
}

impl TogetherLine {
    fn of(one: &Together, zone: &Zone) -> TogetherLine {
        let short = |all: &[Box<str>]| all.iter().map(|url| shown::short(url)).collect();
        TogetherLine {
            sentinel: one.sentinel.as_deref().unwrap_or_default().to_owned(),
            start: words::moment(one.start, zone),
            finish: words::moment(one.finish, zone),
            waits_for: short(&one.waits_for),
            made: short(&one.made),
        }
    }
}

impl UnmetLine {
    fn of(source: SourceId, short: String, unmet: &schedule::forecast::Unmet) -> UnmetLine {
        UnmetLine {
            id: source.0,
            short,
            demand: plan::demand(&unmet.demand),
            share: format!("{:.0} %", unmet.captured * 100.0),
            why: plan::shortage(unmet),
        }
    }
}

impl BudgetLine {
    fn of(factor: f64, per_second: f64, totals: &Totals) -> BudgetLine {
        let deadlines = if totals.deadlines_per_day > 0.0 {
            format!("{:.1} %", 100.0 * totals.captured_per_day / totals.deadlines_per_day)
        } else {
            "none".to_owned()
        };
        BudgetLine {
            present: factor == 1.0,
            budget: words::looks_made(per_second * factor),
            probes: words::number(totals.probes_per_day),
            delay: totals.delay.map_or("none".to_owned(), words::lasting),
            deadlines,
            unprobed: totals.unprobed,
        }
    }
}
