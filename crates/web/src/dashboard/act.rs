//! What a person does with one sentinel, by its buttons: forms alone.

use super::{Sorry, sentinel_place};
use crate::App;
use crate::api;
use crate::extract::PathPart;
use crate::keeper::Known;
use crate::problem::Problem;
use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use chronon::{Instant, Span, TimeOfDay, Zone};
use kernel::io::{Answer, Command};

/// The hour at which a morning begins.
const MORNING: i8 = 8;

/// How long a sentinel can be snoozed by one choice: its value and its words.
pub(super) const SNOOZES: [(&str, &str); 6] = [
    ("1h", "an hour"),
    ("3h", "three hours"),
    ("morning", "until the next morning, 8:00"),
    ("1d", "a day"),
    ("7d", "a week"),
    ("30d", "thirty days"),
];

pub(super) async fn act(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    place: Result<PathPart<String>, Problem>,
    form: Bytes,
) -> Result<Response, Sorry> {
    let name = match place {
        Ok(PathPart(name)) => name,
        Err(problem) => return Err(Sorry(app, problem)),
    };
    let problem = match done(&app, known, name.clone(), &form).await {
        Ok(response) => return Ok(response),
        Err(problem) => problem,
    };
    // What was typed stays, where there is a page to say it on.
    let status = problem.status();
    if matches!(status, StatusCode::BAD_REQUEST | StatusCode::CONFLICT) {
        let to = field(&form, "to").unwrap_or_default();
        let refused = Refused { said: problem.detail().to_owned(), to };
        if let Ok(page) = super::detail::refused(&app, known, &name, refused).await {
            return Ok((status, page).into_response());
        }
    }
    Err(Sorry(app, problem))
}

/// What a form of a sentinel's page asked for and could not have.
pub(super) struct Refused {
    pub(super) said: String,
    /// The name that was typed.
    pub(super) to: String,
}

/// What a form has in a field; `None`: nothing.
fn field(form: &[u8], wanted: &str) -> Option<String> {
    let mut fields = url::form_urlencoded::parse(form);
    let value = fields.find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned());
    value.map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
}

async fn done(app: &App, known: Known, name: String, form: &[u8]) -> Result<Response, Problem> {
    let field = |wanted: &str| field(form, wanted);
    let what = field("do").unwrap_or_default();
    let command = match what.as_str() {
        "look" => return look(app, known, &name).await,
        "rename" => {
            let to = field("to").ok_or_else(|| Problem::bad_request("Write the new name."))?;
            Command::Rename { name: name.as_str().into(), to: to.into() }
        }
        "snooze" => {
            let until = until(app, field("until"), field("for"))?;
            Command::Snooze { name: name.as_str().into(), until: Some(until) }
        }
        what => simple(what, &name).ok_or_else(|| Problem::bad_request("Press a button."))?,
    };
    let name = match &command {
        Command::Rename { to, .. } => to.to_string(),
        _ => name,
    };
    match app.desk.ask(known.actor(), command).await? {
        Answer::Done => Ok(Redirect::to(&sentinel_place(&name)).into_response()),
        Answer::NotFound { what } => Err(Problem::not_found(what)),
        Answer::Conflict { name } => {
            Err(Problem::conflict(format!("A sentinel named `{name}` exists already.")))
        }
        Answer::Unable(why) => Err(Problem::conflict(why)),
        _ => Err(Problem::conflict("It could not be done; try again.")),
    }
}

/// Each page of it is looked at as soon as its host may be asked.
async fn look(app: &App, known: Known, name: &str) -> Result<Response, Problem> {
    ask_looks(app, known, name).await?;
    Ok(Redirect::to(&sentinel_place(name)).into_response())
}

/// Asks for them.
pub(super) async fn ask_looks(app: &App, known: Known, name: &str) -> Result<(), Problem> {
    let (view, _) = api::sentinel_view(app, known, name).await?;
    for source in view.row.sources() {
        let answer = app.desk.ask(known.actor(), Command::ProbeNow { source }).await?;
        api::plain_answer(answer)?;
    }
    Ok(())
}

/// What needs nothing but the sentinel's name.
pub(super) fn simple(what: &str, name: &str) -> Option<Command> {
    let name = name.into();
    Some(match what {
        "enable" => Command::Enable { name, enabled: true },
        "disable" => Command::Enable { name, enabled: false },
        "remove" => Command::Discard { name },
        "restore" => Command::TakeBack { name },
        "wake" => Command::Snooze { name, until: None },
        _ => return None,
    })
}

/// Until when: a date and a time of day if there are any, else so long from now.
fn until(app: &App, date: Option<String>, span: Option<String>) -> Result<Instant, Problem> {
    let (now, zone) = (app.now(), &app.config.zone);
    let wrong = || Problem::bad_request("Say until when: a date and a time of day.");
    match (date, span) {
        // As a browser's field writes it: `2027-01-31T09:00`.
        (Some(date), _) => date.parse().map(|at| zone.instant(at)).map_err(|_| wrong()),
        (None, Some(span)) => after(now, zone, &span).ok_or_else(wrong),
        (None, None) => Err(wrong()),
    }
}

/// So long from now, by one of [`SNOOZES`].
pub(super) fn after(now: Instant, zone: &Zone, span: &str) -> Option<Instant> {
    if !SNOOZES.iter().any(|(value, _)| *value == span) {
        return None;
    }
    if span == "morning" {
        let time = TimeOfDay::new(MORNING, 0, 0)?;
        let morning = |day| zone.instant(zone.local(now + Span::DAY.times(day)).day().at(time));
        return (0..=2).map(morning).find(|&at| at > now);
    }
    let (count, unit) = span.split_at(span.len() - 1);
    let unit = if unit == "h" { Span::HOUR } else { Span::DAY };
    Some(now + unit.times(count.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snooze_ends_so_long_from_now_or_when_the_next_morning_comes() {
        let zone = Zone::parse("Europe/Lisbon").unwrap();
        let at = |clock: &str| zone.instant(clock.parse().unwrap());
        let now = at("2027-03-27T22:30");
        assert_eq!(after(now, &zone, "3h"), Some(now + Span::HOUR.times(3)));
        // The clock goes forward in that night.
        assert_eq!(after(now, &zone, "morning"), Some(at("2027-03-28T08:00")));
        assert_eq!(after(at("2027-03-27T07:00"), &zone, "morning"), Some(at("2027-03-27T08:00")));
        assert_eq!(after(now, &zone, "2h"), None);
    }
}
