//! Making, changing and removing a channel: one form for every kind, from the table of kinds.

use super::{Frame, Sorry, render};
use crate::App;
use crate::api;
use crate::extract::{Params, PathPart};
use crate::keeper::Known;
use crate::problem::Problem;
use crate::roster::{ChannelWish, NamedChannel};
use crate::words;
use address::{ChannelKind, Form, MANNERS, Pasted, TEMPLATE};
use askama::Template;
use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct NewParams {
    /// The kind to be made; empty: it is to be chosen.
    kind: String,
}

#[derive(Template)]
#[template(path = "channel.html")]
struct ChannelPage {
    frame: Frame,
    /// The name of one that stands; empty: one is being made.
    stands: String,
    /// As typed.
    name: String,
    /// The kind and what it may say; `None`: a kind is to be chosen.
    form: Option<FormShown>,
    /// Names and titles of kinds.
    kinds: Vec<(&'static str, &'static str)>,
    trouble: Option<String>,
    wrong: Option<String>,
    /// What its template makes of the last notification.
    preview: Option<String>,
}

struct FormShown {
    kind: &'static str,
    title: &'static str,
    /// The fields of the kind, then those of every channel.
    fields: Vec<FieldShown>,
    /// `None`: its messages are as they are.
    template: Option<FieldShown>,
}

struct FieldShown {
    name: &'static str,
    about: String,
    example: &'static str,
    value: String,
    needed: bool,
    secret: bool,
    one_of: Vec<&'static str>,
}

impl FormShown {
    fn of(kind: ChannelKind, said: &Map<String, Value>) -> FormShown {
        let value = |name: &str| match said.get(name) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            _ => String::new(),
        };
        let own = kind.fields().iter().map(|field| {
            let whom = kind.contact_field() == Some(field.name);
            let unless = if whom { ", unless a sentinel says" } else { "" };
            FieldShown {
                name: field.name,
                about: format!("{}{unless}", field.about),
                example: field.example,
                value: value(field.name),
                needed: field.needed,
                secret: field.secret,
                one_of: match field.form {
                    Form::OneOf(words) => words.to_vec(),
                    _ => Vec::new(),
                },
            }
        });
        let optional = |(name, example, about): (&'static str, &'static str, &str)| FieldShown {
            name,
            about: about.to_owned(),
            example,
            value: value(name),
            needed: false,
            secret: false,
            one_of: Vec::new(),
        };
        let fields = own.chain(MANNERS.iter().copied().map(optional)).collect();
        let template = kind.has_template().then(|| optional(TEMPLATE));
        FormShown { kind: kind.name(), title: kind.row().title, fields, template }
    }
}

impl FieldShown {
    /// The field's name for people.
    fn label(&self) -> String {
        let text = self.name.replace('_', " ");
        match self.name {
            "url" => "Address".to_owned(),
            _ => words::begun(&text),
        }
    }
}

/// What is typed, and how the page answers it.
#[derive(Default)]
struct Typed {
    stands: String,
    name: String,
    kind: Option<ChannelKind>,
    said: Map<String, Value>,
    trouble: Option<String>,
    wrong: Option<String>,
    preview: Option<String>,
}

fn page(app: &App, typed: Typed) -> Response {
    let title = if typed.stands.is_empty() { "A new channel" } else { "Channel" };
    let kinds = ChannelKind::makeable().map(|kind| (kind.name(), kind.row().title));
    let page = ChannelPage {
        frame: Frame::new(app, title).at("channels"),
        stands: typed.stands,
        name: typed.name,
        form: typed.kind.map(|kind| FormShown::of(kind, &typed.said)),
        kinds: kinds.collect(),
        trouble: typed.trouble,
        wrong: typed.wrong,
        preview: typed.preview,
    };
    render(&page)
}

fn makeable(name: &str) -> Option<ChannelKind> {
    ChannelKind::makeable().find(|kind| kind.name() == name)
}

/// A kind is chosen, or a channel of it is described.
pub(super) async fn new(
    State(app): State<App>,
    params: Result<Params<NewParams>, Problem>,
) -> Result<Response, Sorry> {
    let kind = match params {
        Ok(params) => makeable(&params.0.kind),
        Err(problem) => return Err(Sorry(app, problem)),
    };
    Ok(page(&app, Typed { kind, ..Typed::default() }))
}

/// A channel that was made, to be changed.
pub(super) async fn edit(
    State(app): State<App>,
    place: Result<PathPart<String>, Problem>,
) -> Result<Response, Sorry> {
    let page = async { Ok(page(&app, typed_of(made(&app, &place?.0).await?))) }.await;
    page.map_err(|problem| Sorry(app, problem))
}

/// The channel of this name, if it was made here.
async fn made(app: &App, name: &str) -> Result<NamedChannel, Problem> {
    let one = api::named_channel(app, name).await?;
    if one.is_made {
        return Ok(one);
    }
    let detail = format!("`{}` is a channel of the configuration; change it there.", one.name);
    Err(Problem::conflict(detail))
}

fn typed_of(one: NamedChannel) -> Typed {
    let kind = one.settings.get("kind").and_then(Value::as_str).and_then(makeable);
    Typed {
        stands: one.name.clone(),
        name: one.name,
        kind,
        said: one.settings,
        trouble: one.trouble,
        ..Typed::default()
    }
}

/// An address is pasted, or a new channel is saved.
pub(super) async fn act_new(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    form: Bytes,
) -> Result<Response, Sorry> {
    let done = made_new(&app, known, &form).await;
    done.map_err(|problem| Sorry(app, problem))
}

async fn made_new(app: &App, known: Known, form: &[u8]) -> Result<Response, Problem> {
    let (mut said, wanted) = fields(form);
    let name = take(&mut said, "name");
    let pasted = take(&mut said, "address");
    if wanted == "paste" {
        return Ok(page(app, of_pasted(&pasted)));
    }
    let typed = Typed { name, said, ..Typed::default() };
    match &*wanted {
        "preview" => previewed(app, typed).await,
        _ => save(app, known, typed).await,
    }
}

/// The same form, with what its template makes.
async fn previewed(app: &App, typed: Typed) -> Result<Response, Problem> {
    let text = |name: &str| typed.said.get(name).and_then(Value::as_str);
    let (kind, template) = (text("kind").and_then(makeable), text(TEMPLATE.0));
    let made = match template {
        Some(template) => api::preview_of(app, template.to_owned()).await,
        None => Err(Problem::bad_request("There is no template to be shown.")),
    };
    let (preview, wrong) = match made {
        Ok(text) => (Some(text), None),
        Err(problem) => (None, Some(problem.detail().to_owned())),
    };
    Ok(page(app, Typed { kind, preview, wrong, ..typed }))
}

fn of_pasted(address: &str) -> Typed {
    let wrong = |text: &str| Typed { wrong: Some(text.to_owned()), ..Typed::default() };
    if address::is_mail(address.trim()) {
        let said = [("to".to_owned(), address.trim().into())].into_iter().collect();
        return Typed { kind: Some(ChannelKind::Email), said, ..Typed::default() };
    }
    let Some(pasted) = Pasted::read(address) else {
        return wrong("This is no address of a service that Tidings knows; choose a kind below.");
    };
    if let Some(why) = pasted.refusal() {
        return wrong(&format!("This address {why}."));
    }
    let said = pasted.fields.iter().map(|(name, value)| {
        let name: &str = name;
        (name.to_owned(), value.as_str().into())
    });
    Typed { kind: makeable(pasted.kind.name()), said: said.collect(), ..Typed::default() }
}

/// A channel is saved or removed.
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
    let (said, wanted) = fields(form);
    if wanted == "remove" {
        return match api::remove_channel(app, known, name.to_owned()).await {
            Ok(()) => Ok(Redirect::to(&listed("removed", name)).into_response()),
            Err(problem) => {
                let wrong = Some(problem.detail().to_owned());
                let typed = Typed { wrong, ..typed_of(made(app, name).await?) };
                Ok((problem.status(), page(app, typed)).into_response())
            }
        };
    }
    let stands = made(app, name).await?.name;
    let typed = Typed { name: stands.clone(), stands, said, ..Typed::default() };
    match &*wanted {
        "preview" => previewed(app, typed).await,
        _ => save(app, known, typed).await,
    }
}

/// The list of channels, with what became of one.
fn listed(what: &str, name: &str) -> String {
    let name = name.to_lowercase();
    let name: String = url::form_urlencoded::byte_serialize(name.as_bytes()).collect();
    format!("/channels?{what}={name}")
}

async fn save(app: &App, known: Known, typed: Typed) -> Result<Response, Problem> {
    let (name, settings, is_new) =
        (typed.name.clone(), typed.said.clone(), typed.stands.is_empty());
    let problem = match api::make_channel(app, known, ChannelWish { name, settings, is_new }).await
    {
        Ok(_) => {
            return Ok(Redirect::to(&listed("made", &typed.name)).into_response());
        }
        Err(problem) => problem,
    };
    if problem.status() == StatusCode::SERVICE_UNAVAILABLE {
        return Err(problem);
    }
    let kind = typed.said.get("kind").and_then(Value::as_str).and_then(makeable);
    let typed = Typed { kind, wrong: Some(problem.detail().to_owned()), ..typed };
    Ok((problem.status(), page(app, typed)).into_response())
}

/// What a form says, without what is empty; and which button was pressed.
fn fields(form: &[u8]) -> (Map<String, Value>, String) {
    let all = url::form_urlencoded::parse(form);
    let trimmed = all.map(|(name, value)| (name.into_owned(), value.trim().replace("\r\n", "\n")));
    let mut said: Map<String, Value> = trimmed
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| (name, value.into()))
        .collect();
    let wanted = take(&mut said, "do");
    (said, wanted)
}

fn take(said: &mut Map<String, Value>, name: &str) -> String {
    let taken = said.remove(name);
    taken.and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}
