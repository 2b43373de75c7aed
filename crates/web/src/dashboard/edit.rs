//! A sentinel, changed as a form or as its text: with diagnostics, what it would have told, and
//! what saving means said before.

use super::shown::{When, plain};
use super::{Frame, Sorry, render, sentinel_place};
use crate::App;
use crate::api;
use crate::extract::{Params, PathPart};
use crate::keeper::Known;
use crate::problem::Problem;
use crate::rehearsal::{self, Trial};
use crate::words;
use askama::Template;
use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use kernel::io::{Answer, AppliedWhat, ApplyMode, Command, Defined};
use kernel::{Kernel, Proposal, Purpose};
use sentinel::{Canonical, Form, Redefine, Severity, What};
use serde::Deserialize;

/// Messages that a trial shows, the newest.
const TOLD_SHOWN: usize = 20;
const UNCHANGED: &str = "Nothing changes.";

#[derive(Template)]
#[template(path = "edit.html")]
struct EditPage {
    frame: Frame,
    name: String,
    /// Which text the person has before them.
    seen: String,
    /// The text that somebody else saved meanwhile.
    meanwhile: Option<String>,
    /// `None`: the text is shown.
    form: Option<FormShown>,
    /// Why there is no form, where one was asked for.
    no_form: Option<&'static str>,
    text: String,
    rows: usize,
    findings: Vec<Finding>,
    /// What saving would mean; `None` where it cannot be saved.
    means: Option<String>,
    /// In sentences.
    explained: String,
    rehearsed: Option<RehearsedShown>,
}

/// Something that is wrong with the text.
struct Finding {
    is_error: bool,
    /// The field that it stands at; `None`: at the end.
    field: Option<&'static str>,
    said: String,
}

impl Finding {
    fn error(field: Option<&'static str>, said: String) -> Finding {
        Finding { is_error: true, field, said }
    }

    /// Those of a form stand at their fields; those of a text name its line.
    fn of(one: &sentinel::Diagnostic, form: Option<&Form>) -> Finding {
        let is_error = one.severity == Severity::Error;
        let field = form.and_then(|form| form.field_at(one.line, one.column));
        let said = match field {
            Some(_) => sentences(one),
            None => said(one),
        };
        Finding { is_error, field, said }
    }
}

impl EditPage {
    /// What stands at a field.
    fn at<'p>(&'p self, field: &'p str) -> impl Iterator<Item = &'p Finding> {
        let is_shown = self.form.is_some();
        self.findings.iter().filter(move |one| is_shown && one.field == Some(field))
    }

    /// What stands at none.
    fn others(&self) -> Vec<&Finding> {
        let is_form = self.form.is_some();
        self.findings.iter().filter(|one| !is_form || one.field.is_none()).collect()
    }

    /// What a person wrote into a field is in the text, or it is not saved.
    fn leave_nothing_out(&mut self, stands: &str) {
        let Some(FormShown { form, .. }) = &self.form else { return };
        let stood = Form::of(stands).unwrap_or_else(|_| Form::empty());
        let unused = form.unused(&stood);
        if !unused.is_empty() {
            self.means = None;
        }
        let said = unused.into_iter().map(|(field, said)| Finding::error(Some(field), said));
        self.findings.extend(said);
    }

    /// The attributes of a field that say what is said of it.
    fn about(&self, field: &str, help: &str) -> String {
        let wrong = self.at(field).next().map(|_| format!("wrong-{field}"));
        let is_wrong = if wrong.is_some() { " aria-invalid=\"true\"" } else { "" };
        let help = Some(help.to_owned()).filter(|help| !help.is_empty());
        let all: Vec<String> = wrong.into_iter().chain(help).collect();
        match all.join(" ") {
            all if all.is_empty() => all,
            all => format!("{is_wrong} aria-describedby=\"{all}\""),
        }
    }
}

struct FormShown {
    form: Form,
    /// Lines of the field that names channels, and one more.
    ways: usize,
    /// Value, words, and whether it is chosen.
    whats: Vec<(&'static str, &'static str, bool)>,
    rest: String,
}

/// What the text would have told.
struct RehearsedShown {
    versions: usize,
    is_cut: bool,
    gone: usize,
    count: String,
    told: Vec<ToldShown>,
    more: usize,
}

struct ToldShown {
    when: When,
    summary: String,
    text: String,
}

/// A text that is being written.
struct Draft {
    text: String,
    /// The form that it is shown as, or why there is none; `None`: as a text.
    form: Option<Result<Form, &'static str>>,
}

impl Draft {
    fn of_text(text: String) -> Draft {
        Draft { text, form: None }
    }

    /// A form, where the text fits one.
    fn of_form(text: String) -> Draft {
        Draft { form: Some(Form::of(&text)), text }
    }
}

#[derive(Debug, Default, Clone, Deserialize)]
#[serde(default)]
pub(super) struct EditParams {
    /// `text`; empty: the form, where the text fits it.
    view: String,
}

pub(super) async fn form(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    place: Result<PathPart<String>, Problem>,
    params: Result<Params<EditParams>, Problem>,
) -> Result<Response, Sorry> {
    let page = async {
        let name = place?.0;
        let (view, _) = api::sentinel_view(&app, known, &name).await?;
        let text = view.row.text.shown().into_owned();
        let seen = mark_of(&text);
        let draft = match &*params?.0.view {
            "text" => Draft::of_text(text),
            _ => Draft::of_form(text),
        };
        let page = page(&app, known, &view.row.name, draft).await?;
        Ok(render(&EditPage { seen, ..page }))
    };
    page.await.map_err(|problem| Sorry(app, problem))
}

/// Another text has another one.
fn mark_of(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().chars().take(32).collect()
}

/// A text is checked, tried, shown in the other view, or saved.
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
    let fields: Vec<(String, String)> = url::form_urlencoded::parse(form).into_owned().collect();
    let field = |wanted: &str| {
        let found = fields.iter().find(|(name, _)| name == wanted);
        found.map_or("", |(_, value)| value).replace("\r\n", "\n")
    };
    let is_form = field("as") == "form";
    let wanted = field("do");
    let draft = match (is_form, &*wanted) {
        (true, "text") => Draft::of_text(written(&field).text()),
        // With what is wrong in it.
        (true, _) => {
            let form = written(&field);
            Draft { text: form.text(), form: Some(Ok(form)) }
        }
        (_, "form") => Draft::of_form(field("text")),
        _ => Draft::of_text(field("text")),
    };
    // Nobody writes between what is read here and what is saved.
    let _alone = if wanted == "save" { Some(app.writing.lock().await) } else { None };
    let (view, _) = api::sentinel_view(app, known, name).await?;
    let stands = view.row.text.shown();
    let mark = mark_of(&stands);
    let mut page = page(app, known, &view.row.name, draft).await?;
    page.leave_nothing_out(&stands);
    page.seen = Some(field("seen")).filter(|seen| !seen.is_empty()).unwrap_or(mark.clone());
    match &*wanted {
        "save" if page.means.is_some() && page.seen != mark => {
            // Who saves again has seen it.
            page.seen = mark;
            page.meanwhile = Some(stands.into_owned());
            return Ok((StatusCode::CONFLICT, render(&page)).into_response());
        }
        "save" if page.means.is_some() => match save(app, known, name, &page.text).await? {
            Ok(place) => return Ok(Redirect::to(&place).into_response()),
            Err(finding) => {
                page.findings.push(Finding::error(None, finding));
                page.means = None;
            }
        },
        "replay" if page.means.is_some() => {
            page.rehearsed = Some(tried(app, known, name, &page.text).await?);
        }
        _ => {}
    }
    let status =
        if page.means.is_some() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    Ok((status, render(&page)).into_response())
}

/// The form that a browser sent.
fn written(field: &impl Fn(&str) -> String) -> Form {
    Form {
        name: field("name"),
        url: field("url"),
        what: What::named(&field("what")).unwrap_or(What::AnyChange),
        terms: field("terms"),
        test: field("test"),
        every: field("every"),
        notify: field("notify"),
        tags: field("tags"),
        rest: field("rest").lines().map(str::to_owned).collect(),
    }
}

/// The text under the name that the sentinel has, and the other name if it says one: what stands
/// in the place of its secrets is known by the sentinel's name.
fn under(name: &str, text: &str) -> (String, Option<String>) {
    let other = sentinel::named(text).filter(|other| other.to_lowercase() != name.to_lowercase());
    match (&other, Canonical::from(text).renamed(name)) {
        (Some(_), Some(renamed)) => (renamed.reveal().to_owned(), other),
        _ => (text.to_owned(), None),
    }
}

/// Where the sentinel is then; or what is wrong. The new name comes last: where it cannot be had,
/// the page still stands under the old one.
async fn save(
    app: &App,
    known: Known,
    name: &str,
    text: &str,
) -> Result<Result<String, String>, Problem> {
    let (text, other) = under(name, text);
    let mode = ApplyMode::Put { name: name.into(), what: Defined::Sentinel };
    match app.desk.apply(Proposal { actor: known.actor(), text: &text, mode }).await? {
        Answer::Applied(_) => {}
        Answer::Refused(diagnostics) => {
            return Ok(Err(diagnostics.iter().map(said).collect::<Vec<_>>().join(" ")));
        }
        Answer::Unable(why) => return Ok(Err(why.into())),
        _ => return Err(Problem::conflict("It could not be saved; try again.")),
    }
    let Some(to) = other else { return Ok(Ok(sentinel_place(name))) };
    let command = Command::Rename { name: name.into(), to: to.as_str().into() };
    let why = match app.desk.ask(known.actor(), command).await? {
        Answer::Done => return Ok(Ok(sentinel_place(&to))),
        Answer::Conflict { name } => taken(&name),
        Answer::Unable(why) => format!("{why}."),
        _ => "Try again.".to_owned(),
    };
    Ok(Err(format!("All but the name is saved; it is still {name}. {why}")))
}

fn taken(name: &str) -> String {
    format!("A sentinel named `{name}` exists already; choose another name.")
}

pub(super) fn said(one: &sentinel::Diagnostic) -> String {
    format!("Line {}: {}", one.line, sentences(one))
}

/// What is wrong, and what to do.
fn sentences(one: &sentinel::Diagnostic) -> String {
    let sentence = |clause: &str| format!("{}.", words::begun(clause.trim_end_matches('.')));
    let all = std::iter::once(&*one.message).chain(one.help.as_deref()).map(sentence);
    all.collect::<Vec<String>>().join(" ")
}

/// What a text that was checked would have told of the versions that are stored.
async fn tried(app: &App, known: Known, name: &str, text: &str) -> Result<RehearsedShown, Problem> {
    let owner = known.actor().owner;
    let wanted = under(name, text).0.as_str().into();
    let purpose = Purpose::Check(Redefine::Replace);
    let mut checked = app.desk.vet(owner, &wanted, purpose).await?.checked;
    let one = checked.statements.pop();
    let one = one.ok_or_else(|| Problem::bad_request("Write one sentinel here."))?;
    let sources = one.sentinel.sources.iter();
    let urls = sources.map(|source| source.url.reveal().to_owned()).collect();
    let canonical = one.canonical.reveal().to_owned();
    let rehearsed = rehearsal::rehearse(app, owner, Trial::of_all(urls, canonical)).await?;
    let wall = app.wall();
    let shown = rehearsed.told.iter().rev().take(TOLD_SHOWN).map(|told| ToldShown {
        when: When::of(told.at, &wall),
        summary: plain(&told.summary),
        text: plain(&told.text),
    });
    let count = rehearsed.told.len();
    Ok(RehearsedShown {
        versions: rehearsed.versions,
        is_cut: rehearsed.is_cut,
        gone: rehearsed.gone,
        count: rehearsal::times(count),
        told: shown.collect(),
        more: count.saturating_sub(TOLD_SHOWN),
    })
}

async fn page(app: &App, known: Known, name: &str, draft: Draft) -> Result<EditPage, Problem> {
    let Draft { text, form } = draft;
    let owner = known.actor().owner;
    let (wanted, other) = under(name, &text);
    let purpose = Purpose::Check(Redefine::Replace);
    let checked = app.desk.vet(owner, &wanted.as_str().into(), purpose).await?.checked;
    let one = (checked.statements.len() == 1).then(|| &checked.statements[0]);
    // As it was checked: columns count on.
    let own = form.as_ref().and_then(|form| form.as_ref().ok());
    let own = own.map(|form| match &other {
        Some(_) => Form { name: name.to_owned(), ..form.clone() },
        None => form.clone(),
    });
    let finding = |one| Finding::of(one, own.as_ref());
    let mut findings: Vec<Finding> = checked.diagnostics.iter().map(finding).collect();
    if checked.is_ok() && one.is_none() {
        findings.push(Finding::error(None, "Write one sentinel here.".to_owned()));
    }
    if let Some(other) = other.clone() {
        let why =
            sentinel::wrong_name(&other).map(|why| format!("It cannot be called that: {why}."));
        let look = app
            .desk
            .look(move |kernel| kernel.standing(owner, &other).is_some().then(|| taken(&other)));
        let taken = look.await?;
        findings.extend(why.or(taken).map(|said| Finding::error(Some("name"), said)));
    }
    let is_fine = !findings.iter().any(|one| one.is_error);
    let (mut means, mut explained) = (None, String::new());
    if let Some(one) = one {
        let meant = Meant::of(app, known, name, one).await?;
        explained = meant.explained;
        means = is_fine.then(|| match &other {
            Some(other) if meant.means == UNCHANGED => {
                format!("Its name becomes {other}. Nothing else changes.")
            }
            Some(other) => format!("Its name becomes {other}. {}", meant.means),
            None => meant.means.to_owned(),
        });
    }
    Ok(EditPage {
        frame: Frame::new(app, format!("Edit {name}")).at("watches"),
        name: name.to_owned(),
        seen: String::new(),
        meanwhile: None,
        no_form: form.as_ref().and_then(|form| form.as_ref().err().copied()),
        form: form.and_then(Result::ok).map(FormShown::of),
        rows: text.lines().count().clamp(6, 30) + 2,
        text,
        findings,
        means,
        explained,
        rehearsed: None,
    })
}

/// What saving a text does, before it is done; and the text in sentences.
struct Meant {
    means: &'static str,
    explained: String,
}

impl Meant {
    async fn of(
        app: &App,
        known: Known,
        name: &str,
        one: &sentinel::Statement,
    ) -> Result<Meant, Problem> {
        let (owner, now, own) = (known.actor().owner, app.now(), name.to_owned());
        let (canonical, sources) = (one.canonical.clone(), one.sentinel.sources.clone());
        let look = move |kernel: &Kernel| {
            let what = kernel.meaning(owner, &own, &canonical);
            let stands = kernel.sentinel(owner, &own, now);
            let watched = |url: &str| {
                let source = kernel.source_by_url(owner, url)?;
                stands.as_ref()?.row.sources().find(|&own| own == source)
            };
            let are_same = sources.iter().all(|source| watched(source.url.reveal()).is_some());
            let defined = stands.as_ref().map(|view| view.row.defined_at);
            let (zone, chronon) = kernel.rules().calendar();
            // What goes on began when it was defined, and not when somebody opens the form.
            let goes_on = matches!(what, AppliedWhat::Changed | AppliedWhat::Unchanged);
            let recalled = defined
                .filter(|_| goes_on)
                .and_then(|defined| sentinel::recall(&canonical, defined, &zone, chronon).ok());
            (what, are_same, recalled)
        };
        let (what, are_same, recalled) = app.desk.look(look).await?;
        let means = match what {
            AppliedWhat::Unchanged => UNCHANGED,
            AppliedWhat::Changed => "It changes in place: looks, counts and history go on.",
            AppliedWhat::Created | AppliedWhat::Replaced if are_same => {
                "What is watched, or how, changes: it begins anew from the last look. What it \
                 told stays."
            }
            AppliedWhat::Created | AppliedWhat::Replaced => {
                "Another page is watched: it begins anew with a first look. What it told stays."
            }
        };
        let explained = sentinel::explain(recalled.as_ref().unwrap_or(&one.sentinel));
        Ok(Meant { means, explained })
    }
}

impl FormShown {
    fn of(form: Form) -> FormShown {
        let whats = What::ALL.map(|what| (what.name(), what.says(), what == form.what));
        let ways = form.notify.trim_end().lines().count() + 1;
        FormShown { whats: whats.into(), rest: form.rest.join("\n"), ways, form }
    }
}

/// The same text for another sentinel.
pub(super) async fn copy(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    place: Result<PathPart<String>, Problem>,
) -> Result<Response, Sorry> {
    let page = async {
        let (view, _) = api::sentinel_view(&app, known, &place?.0).await?;
        let text = view.row.text.shown().into_owned();
        let name = view.row.name.to_string();
        const HEAD: &str = "create sentinel ";
        let from = text.find(HEAD).map_or(0, |at| at + HEAD.len());
        let (head, rest) = text.split_at(from);
        let text = format!("{head}{}", rest.replacen(&name, &format!("{name}-copy"), 1));
        Ok(render(&super::add::with_text(&app, text)))
    };
    page.await.map_err(|problem| Sorry(app, problem))
}
