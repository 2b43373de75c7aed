//! The page of what the budget buys.

use super::shown;
use super::{Frame, ROWS, Sorry, render};
use crate::App;
use crate::api::plan_urls;
use crate::extract::Params;
use crate::plan::{self, FACTORS, Part, Plan, Planned};
use crate::problem::Problem;
use crate::words;
use askama::Template;
use axum::extract::State;
use axum::response::Response;
use chronon::{SourceId, Zone};
use kernel::view::Together;
use schedule::forecast::Totals;
use serde::Deserialize;

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
    /// The slider's place, from 0 to [`SLIDER_MAX`].
    slider: u8,
    slider_max: u8,
    /// What is shown is not the configured budget's.
    is_another: bool,
    budgets: Vec<BudgetLine>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct PlanParams {
    /// Where the slider stands.
    slider: Option<u8>,
    /// The same in looks a second, as the API takes it.
    #[serde(alias = "budget")]
    budget_per_second: Option<f64>,
}

/// Where the slider ends, and where the configured budget stands.
const SLIDER_MAX: u8 = 40;
const SLIDER_NOW: u8 = 20;

/// How many times the configured budget a place of the slider means: a tenth to ten times.
fn times(slider: u8) -> f64 {
    10_f64.powf((f64::from(slider) - f64::from(SLIDER_NOW)) / f64::from(SLIDER_MAX - SLIDER_NOW))
}

/// The slider's place that comes nearest to this multiple of the configured budget.
fn place(times: f64) -> u8 {
    let from_now = times.log10() * f64::from(SLIDER_MAX - SLIDER_NOW);
    (f64::from(SLIDER_NOW) + from_now).round().clamp(0.0, f64::from(SLIDER_MAX)) as u8
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
    /// A plan can be asked for with it.
    can_be: bool,
    per_second: f64,
    budget: String,
    probes: String,
    delay: String,
    deadlines: String,
    unprobed: usize,
}

pub(super) async fn plan(
    State(app): State<App>,
    params: Result<Params<PlanParams>, Problem>,
) -> Result<Response, Sorry> {
    let page = async { plan_page(&app, params?.0).await }.await;
    page.map_err(|problem| Sorry(app, problem))
}

async fn plan_page(app: &App, params: PlanParams) -> Result<Response, Problem> {
    let config = app.desk.look(|kernel| kernel.schedule_config()).await?;
    let own = config.budget / config.chronon.as_secs_f64();
    let by_slider = params.slider.map(|slider| own * times(slider.min(SLIDER_MAX)));
    let asked = plan::another(params.budget_per_second)?.or(by_slider);
    let another = asked.filter(|&per_second| per_second != own);
    let plan = Plan::load(app, another, Part::First).await?;
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
        changes: planned.changes(),
        why: planned.why(&plan.config),
    };
    let together = app.desk.look(|kernel| kernel.together(ROWS)).await?;
    let zone = &app.config.zone;
    Ok(render(&PlanPage {
        frame: Frame::new(app, "Plan").at("plan"),
        slider: another.map_or(SLIDER_NOW, |per_second| place(per_second / own)),
        slider_max: SLIDER_MAX,
        is_another: another.is_some(),
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
            can_be: plan::another(Some(per_second * factor)).is_ok(),
            per_second: per_second * factor,
            budget: words::looks_made(per_second * factor),
            probes: words::number(totals.probes_per_day),
            delay: totals.delay.map_or("none".to_owned(), words::lasting),
            deadlines,
            unprobed: totals.unprobed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slider_goes_from_a_tenth_to_ten_times_the_budget() {
        for (place, factor) in [(0, 0.1), (SLIDER_NOW, 1.0), (SLIDER_MAX, 10.0)] {
            assert!((times(place) - factor).abs() < 1e-9);
            assert_eq!(super::place(factor), place);
        }
        assert_eq!((place(0.001), place(1e6)), (0, SLIDER_MAX));
    }
}
