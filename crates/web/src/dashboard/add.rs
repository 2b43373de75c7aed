//! Adding a page: paste its address, see what is there, take a proposal. Forms alone.

use super::shown::{When, plain, short};
use super::{Frame, Sorry, render};
use crate::App;
use crate::extract::Params;
use crate::keeper::Known;
use crate::problem::Problem;
use crate::proposals::{self, Offered, Place, Proposed};
use askama::Template;
use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use kernel::Proposal;
use kernel::io::{Answer, ApplyMode};
use serde::Deserialize;

#[derive(Template)]
#[template(path = "add.html")]
struct AddPage {
    frame: Frame,
    /// What was typed.
    typed: String,
    /// Why nothing was done.
    wrong: Option<String>,
    /// Why the page cannot be watched as it is, and the cure.
    trouble: Option<(String, &'static str)>,
    found: Option<FoundShown>,
    offers: Vec<OfferShown>,
    /// Where a part of the page can be picked.
    pick: Option<String>,
    /// A text that was refused, and what is wrong with it.
    refused: Option<(String, Vec<String>)>,
}

struct FoundShown {
    title: String,
    url: String,
    short: String,
    kind: &'static str,
    words: usize,
    blocks: usize,
    links: usize,
    feeds: Vec<String>,
    notable: Vec<(&'static str, String)>,
    when: When,
}

/// A sentinel that can be started as it is, or changed before.
pub(super) struct OfferShown {
    pub(super) says: String,
    pub(super) text: String,
    pub(super) rows: usize,
    pub(super) preview: Vec<String>,
    /// The name and the place of the sentinel that tells it already.
    pub(super) watched: Option<(String, String)>,
    /// What it would have told of stored versions.
    pub(super) past: Option<String>,
}

impl OfferShown {
    pub(super) fn of(Offered { offer, text, told_by, past }: Offered) -> OfferShown {
        OfferShown {
            past: past.map(|past| past.says()),
            watched: told_by.map(|name| (plain(&name), super::sentinel_place(&name))),
            says: plain(&offer.says),
            rows: text.lines().count() + 1,
            text,
            preview: offer.preview.iter().map(|line| plain(line)).collect(),
        }
    }
}

impl AddPage {
    fn empty(app: &App) -> AddPage {
        AddPage {
            frame: Frame::new(app, "Add a page"),
            typed: String::new(),
            wrong: None,
            trouble: None,
            found: None,
            offers: Vec::new(),
            pick: None,
            refused: None,
        }
    }
}

/// The page with a text that somebody may change and start.
pub(super) fn with_text(app: &App, text: String) -> impl Template + use<> {
    AddPage { refused: Some((text, Vec::new())), ..AddPage::empty(app) }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct AddParams {
    /// A page that was looked at for a person.
    of: Option<String>,
    /// One that is watched already.
    source: Option<u32>,
}

/// The form, and below it what was seen a moment ago: nobody looks again where somebody comes back
/// to it.
pub(super) async fn form(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    params: Result<Params<AddParams>, Problem>,
) -> Result<Response, Sorry> {
    let done = async {
        let mut page = AddPage::empty(&app);
        let AddParams { of, source } = params?.0;
        let Some(place) = of.map(Place::Glance).or(source.map(Place::Source)) else {
            return Ok(render(&page));
        };
        let proposed = proposals::of_place(&app, known.actor().owner, place).await?;
        page.typed = address::without_credentials(&proposed.url).into_owned();
        page.show(&app, proposed);
        Ok(render(&page))
    };
    done.await.map_err(|problem| Sorry(app.clone(), problem))
}

/// An address is looked at; a text is started.
pub(super) async fn add(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    form: Bytes,
) -> Result<Response, Sorry> {
    let field = |wanted: &str| {
        let mut fields = url::form_urlencoded::parse(&form);
        fields.find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
    };
    let done = match field("text") {
        Some(text) => start(&app, known, text).await,
        None => look(&app, known, field("url").unwrap_or_default()).await,
    };
    done.map_err(|problem| Sorry(app, problem))
}

async fn look(app: &App, known: Known, typed: String) -> Result<Response, Problem> {
    let mut page = AddPage::empty(app);
    page.typed = address::without_credentials(typed.trim()).into_owned();
    match proposals::seen_or_why_not(app, known.actor().owner, &typed).await {
        Ok(Ok(place)) => {
            let asked = match place {
                Place::Glance(key) => format!("of={key}"),
                Place::Source(id) => format!("source={id}"),
            };
            return Ok(Redirect::to(&format!("/add?{asked}")).into_response());
        }
        Ok(Err(unseen)) => page.show(app, unseen),
        Err(problem) if problem.status() == StatusCode::BAD_REQUEST => {
            page.wrong = Some(problem.detail().to_owned());
        }
        Err(problem) => return Err(problem),
    }
    Ok(render(&page))
}

impl AddPage {
    fn show(&mut self, app: &App, proposed: Proposed) {
        match proposed.found {
            Err(unseen) => {
                let cure = unseen.cure(&proposed.url);
                self.trouble = Some((plain(&unseen.reason), cure));
            }
            Ok(found) => {
                self.trouble = proposed.doubt.map(|doubt| (doubt.reason.to_owned(), doubt.cure));
                let url = address::without_credentials(&proposed.url).into_owned();
                self.found = Some(FoundShown {
                    title: plain(&found.title),
                    short: short(&url),
                    url,
                    kind: found.kind.name(),
                    words: found.words,
                    blocks: found.blocks,
                    links: found.links,
                    feeds: found.feeds,
                    notable: (found.notable.iter())
                        .map(|one| (one.what.name(), plain(&one.text)))
                        .collect(),
                    when: When::of(proposed.at, &app.wall()),
                });
            }
        }
        self.pick = proposed.pick;
        self.offers = proposed.offers.into_iter().map(OfferShown::of).collect();
    }
}

async fn start(app: &App, known: Known, text: String) -> Result<Response, Problem> {
    let proposal = Proposal { actor: known.actor(), text: &text, mode: ApplyMode::Create };
    let wrong = match app.desk.apply(proposal).await? {
        Answer::Applied(list) => {
            let name = list.first().map(|one| one.name.to_string()).unwrap_or_default();
            return Ok(Redirect::to(&super::sentinel_place(&name)).into_response());
        }
        Answer::Refused(diagnostics) => diagnostics.iter().map(super::edit::said).collect(),
        Answer::Conflict { name } => {
            vec![format!("A sentinel named `{name}` exists already; change the name.")]
        }
        Answer::Unable(why) => vec![why.into_string()],
        _ => vec!["It could not be started; try again.".to_owned()],
    };
    let page = AddPage { refused: Some((text, wrong)), ..AddPage::empty(app) };
    Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
}
