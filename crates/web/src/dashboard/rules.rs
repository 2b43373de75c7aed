//! Rules: all of them, and one with what is open and what each waits for.

use super::shown::When;
use super::{Frame, Sorry, render, rule_place};
use crate::App;
use crate::drawing::{self, Drawing};
use crate::extract::{Params, PathPart};
use crate::keeper::Known;
use crate::problem::Problem;
use crate::rules::{self, RuleWhy};
use crate::wire::{OpenOccurrence, Rule, RuleTold};
use crate::words::Wall;
use askama::Template;
use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use chronon::RuleId;
use kernel::io::{Answer, Command};
use serde::Deserialize;

/// Rules on one page.
const RULES: usize = 50;
/// Rules whose events are drawn together.
const DRAWN: usize = 20;
/// Messages of a rule that are listed.
const TOLD: usize = 20;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RuleParams {
    after: Option<u64>,
}

#[derive(Template)]
#[template(path = "rules.html")]
struct RulesPage {
    frame: Frame,
    total: usize,
    rules: Vec<Line>,
    next: Option<u64>,
    drawing: Option<Drawing>,
}

struct Line {
    rule: Rule,
    acted: Option<When>,
}

pub(super) async fn rules(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    params: Result<Params<RuleParams>, Problem>,
) -> Result<Response, Sorry> {
    let page = async { list(&app, known, params?.0).await }.await;
    page.map_err(|problem| Sorry(app, problem))
}

async fn list(app: &App, known: Known, params: RuleParams) -> Result<Response, Problem> {
    let frame = Frame::new(app, "Rules").at("rules");
    let (wall, owner, after) = (app.wall(), known.actor().owner, params.after.map(RuleId));
    let (lines, views, total) = app
        .desk
        .look(move |kernel| {
            let lines = kernel.rules_of(owner, after, RULES);
            let first = lines.iter().take(DRAWN);
            let views: Vec<_> = first.filter_map(|one| kernel.rule_by_id(one.row.id)).collect();
            (lines, views, kernel.rule_counts().rules)
        })
        .await?;
    let next = (lines.len() == RULES).then(|| lines.last().map(|last| last.row.id.0)).flatten();
    let rules = lines.iter().map(|line| Line {
        rule: Rule::of(line),
        acted: line.life.fired_at.map(|at| When::of(at, &wall)),
    });
    let rules = rules.collect();
    let drawing = (!views.is_empty()).then(|| drawing::events::of(&views, &frame.base));
    Ok(render(&RulesPage { frame, total, rules, next, drawing }))
}

#[derive(Template)]
#[template(path = "rule.html")]
struct RulePage {
    frame: Frame,
    rule: Rule,
    because: String,
    explained: String,
    acted: Option<When>,
    open: Vec<OpenLine>,
    told: Vec<ToldLine>,
    drawing: Drawing,
}

struct OpenLine {
    heard: String,
    waits_for: String,
    when: When,
    due: Option<When>,
    spoiled: Option<When>,
}

impl OpenLine {
    fn of(open: &OpenOccurrence, wall: &Wall) -> OpenLine {
        OpenLine {
            heard: rules::parts_text(&open.parts, &wall.zone),
            waits_for: open.waits_for.clone(),
            when: When::of(open.start.0, wall),
            due: open.due.map(|at| When::of(at.0, wall)),
            spoiled: open.spoiled.map(|at| When::of(at.0, wall)),
        }
    }
}

struct ToldLine {
    seq: u64,
    when: When,
    parts: String,
}

impl ToldLine {
    fn of(told: &RuleTold, wall: &Wall) -> ToldLine {
        let parts = rules::parts_text(&told.parts, &wall.zone);
        let when = When::of(told.detected_at.0, wall);
        ToldLine { seq: told.seq, when, parts }
    }
}

pub(super) async fn rule(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    place: Result<PathPart<String>, Problem>,
) -> Result<Response, Sorry> {
    let page = async { one(&app, known, &place?.0).await }.await;
    page.map_err(|problem| Sorry(app, problem))
}

async fn one(app: &App, known: Known, name: &str) -> Result<Response, Problem> {
    let frame = Frame::new(app, name).at("rules");
    let wall = app.wall();
    let view = rules::view(app, known, name).await?;
    let (chronon, zone) =
        (app.desk.look(|kernel| kernel.rules().calendar()).await?.1, &view.row.zone);
    let read = sentinel::recall_rule(&view.row.text, view.row.defined_at, zone, chronon);
    let told = rules::told(app, view.row.id, None, TOLD).await?;
    let rule = Rule::from((&view.row, &view.life));
    let open = view.open.iter().map(|open| OpenLine::of(&OpenOccurrence::from(open), &wall));
    Ok(render(&RulePage {
        because: RuleWhy::of(&view, told.first(), &wall.zone).because,
        explained: read.map(|rule| sentinel::explain_rule(&rule)).unwrap_or_default(),
        acted: view.life.fired_at.map(|at| When::of(at, &wall)),
        open: open.collect(),
        told: told.iter().map(|told| ToldLine::of(told, &wall)).collect(),
        drawing: drawing::events::of(std::slice::from_ref(&view), &frame.base),
        rule: Rule { open: view.open_total, to_carry_out: view.firings, ..rule },
        frame,
    }))
}

/// A button of a rule's page.
pub(super) async fn act(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    place: Result<PathPart<String>, Problem>,
    form: Bytes,
) -> Result<Response, Sorry> {
    let done = async { done(&app, known, &place?.0, &form).await }.await;
    done.map_err(|problem| Sorry(app, problem))
}

async fn done(app: &App, known: Known, name: &str, form: &[u8]) -> Result<Response, Problem> {
    let name = rules::view(app, known, name).await?.row.name;
    let mut fields = url::form_urlencoded::parse(form);
    let what = fields.find(|(field, _)| field == "do").map(|(_, what)| what.into_owned());
    let place = rule_place(&name);
    let (command, place) = match what.as_deref() {
        Some("enable") => (Command::Enable { name, enabled: true }, &*place),
        Some("disable") => (Command::Enable { name, enabled: false }, &*place),
        Some("remove") => (Command::Remove { name }, "/rules"),
        _ => return Err(Problem::bad_request("Press a button.")),
    };
    match app.desk.ask(known.actor(), command).await? {
        Answer::Done => Ok(Redirect::to(place).into_response()),
        Answer::NotFound { what } => Err(Problem::not_found(what)),
        _ => Err(Problem::conflict("It could not be done; try again.")),
    }
}
