//! The text of a sentinel, changed: with diagnostics, and with what saving means said before.

use super::{Frame, Sorry, render, sentinel_place};
use crate::App;
use crate::api;
use crate::extract::PathPart;
use crate::keeper::Known;
use crate::problem::Problem;
use askama::Template;
use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use kernel::io::{Answer, ApplyMode};
use kernel::{Proposal, Purpose};
use sentinel::{Redefine, Severity};

/// Clauses that change in place; any other change begins anew.
const IN_PLACE: [&str; 5] = ["notify", "presentation", "weight", "changehistory", "tag"];

#[derive(Template)]
#[template(path = "edit.html")]
struct EditPage {
    frame: Frame,
    name: String,
    text: String,
    rows: usize,
    /// Whether it is an error, and what.
    findings: Vec<(bool, String)>,
    /// What saving would mean; `None` where it cannot be saved.
    means: Option<&'static str>,
    /// In sentences.
    explained: String,
}

pub(super) async fn form(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    place: Result<PathPart<String>, Problem>,
) -> Result<Response, Sorry> {
    let page = async {
        let name = place?.0;
        let (view, _) = api::sentinel_view(&app, known, &name).await?;
        let text = view.row.text.shown().into_owned();
        Ok(render(&page(&app, known, &view.row.name, text.clone(), &text).await?))
    };
    page.await.map_err(|problem| Sorry(app, problem))
}

/// A text is checked, or saved.
pub(super) async fn act(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    place: Result<PathPart<String>, Problem>,
    form: Bytes,
) -> Result<Response, Sorry> {
    let done = async { checked_or_saved(&app, known, &place?.0, &form).await }.await;
    done.map_err(|problem| Sorry(app, problem))
}

async fn checked_or_saved(
    app: &App,
    known: Known,
    name: &str,
    form: &[u8],
) -> Result<Response, Problem> {
    let field = |wanted: &str| {
        let mut fields = url::form_urlencoded::parse(form);
        fields.find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
    };
    let text = field("text").unwrap_or_default().replace("\r\n", "\n");
    let mut unable = None;
    if field("do").as_deref() == Some("save") {
        let mode = ApplyMode::Put { name: name.into() };
        let proposal = Proposal { actor: known.actor(), text: &text, mode };
        match app.desk.apply(proposal).await? {
            Answer::Applied(_) => {
                return Ok(Redirect::to(&sentinel_place(name)).into_response());
            }
            Answer::Refused(_) => {}
            Answer::Unable(why) => unable = Some(why),
            _ => return Err(Problem::conflict("It could not be saved; try again.")),
        }
    }
    let (view, _) = api::sentinel_view(app, known, name).await?;
    let page = page(app, known, &view.row.name, text, &view.row.text.shown()).await?;
    if let Some(why) = unable.filter(|_| page.means.is_some()) {
        return Err(Problem::conflict(why));
    }
    let status =
        if page.means.is_some() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    Ok((status, render(&page)).into_response())
}

async fn page(
    app: &App,
    known: Known,
    name: &str,
    text: String,
    stands: &str,
) -> Result<EditPage, Problem> {
    let purpose = Purpose::Check(Redefine::Replace);
    let wanted = text.as_str().into();
    let checked = app.desk.vet(known.actor().owner, &wanted, purpose).await?.checked;
    let finding = |one: &sentinel::Diagnostic| {
        let help = one.help.as_deref().map(|help| format!(" {help}")).unwrap_or_default();
        let said = format!("Line {}: {}.{help}", one.line, one.message.trim_end_matches('.'));
        (one.severity == Severity::Error, said)
    };
    let one = (checked.statements.len() == 1).then(|| &checked.statements[0]);
    let mut findings: Vec<(bool, String)> = checked.diagnostics.iter().map(finding).collect();
    if checked.is_ok() {
        match one {
            Some(one) if !one.sentinel.name.eq_ignore_ascii_case(name) => {
                let said = format!("This page is for `{name}`; use Copy for another name.");
                findings.push((true, said));
            }
            Some(_) => {}
            None => findings.push((true, "Write one sentinel here.".to_owned())),
        }
    }
    let is_fine = !findings.iter().any(|(is_error, _)| *is_error);
    let means = one.filter(|_| is_fine).map(|one| means(stands, &one.canonical.shown()));
    Ok(EditPage {
        frame: Frame::new(app, format!("Edit {name}")).at("watches"),
        name: name.to_owned(),
        rows: text.lines().count().clamp(6, 30) + 2,
        text,
        findings,
        means,
        explained: one.map(|one| sentinel::explain(&one.sentinel)).unwrap_or_default(),
    })
}

/// What saving `new` means where `old` stands; both canonical, a clause a line.
fn means(old: &str, new: &str) -> &'static str {
    let watched = |text: &str| -> Vec<String> {
        let lines = text.lines().map(|line| line.trim().to_lowercase());
        let lines = lines.filter(|line| !IN_PLACE.iter().any(|word| line.starts_with(word)));
        lines.collect()
    };
    if old.trim() == new.trim() {
        "Nothing changes."
    } else if watched(old) == watched(new) {
        "It changes in place: looks, counts and history go on."
    } else {
        "What is watched, or how, changes: it begins anew from the last look. What it told stays."
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

#[cfg(test)]
mod tests {
    use super::means;

    #[test]
    fn what_is_watched_begins_anew_and_the_rest_changes_in_place() {
        let old = "create sentinel a using \"https://a.example/\"\n  monitor links\n  weight 2";
        assert_eq!(means(old, old), "Nothing changes.");
        assert!(means(old, &old.replace("weight 2", "weight 3")).contains("in place"));
        assert!(means(old, &format!("{old}\n  notify by interactive")).contains("in place"));
        assert!(means(old, &old.replace("links", "images")).contains("anew"));
    }
}
