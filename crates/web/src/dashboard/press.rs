//! The buttons of a source and of an alert: forms alone.

use super::Sorry;
use crate::App;
use crate::api;
use crate::extract::PathPart;
use crate::keeper::Known;
use crate::problem::Problem;
use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use chronon::{NotificationId, SourceId};
use kernel::io::Command;

/// A source is looked at; what is quiet there is told, or held back again.
pub(super) async fn source(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    place: Result<PathPart<u32>, Problem>,
    form: Bytes,
) -> Result<Response, Sorry> {
    let done = async {
        let id = place?.0;
        let (source, key) = (SourceId(id), field(&form, "key"));
        let what = field(&form, "do");
        match (&*what, &*key) {
            ("look", _) => {
                let look = Command::ProbeNow { source };
                api::plain_answer(app.desk.ask(known.actor(), look).await?)?;
            }
            ("tell", key) => drop(api::set_quiet(&app, &known, (source, key), true).await?),
            ("hold", key) => drop(api::set_quiet(&app, &known, (source, key), false).await?),
            _ => return Err(Problem::bad_request("Press a button.")),
        }
        // Where the button was.
        let place = if what == "look" { "" } else { "#quiet" };
        Ok(Redirect::to(&format!("/sources/{id}{place}")).into_response())
    };
    done.await.map_err(|problem| Sorry(app.clone(), problem))
}

/// An alert is marked as read, or sent once more.
pub(super) async fn notification(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    place: Result<PathPart<u64>, Problem>,
    form: Bytes,
) -> Result<Response, Sorry> {
    let done = async {
        let id = place?.0;
        let notification = NotificationId(id);
        let row = Some(Box::new(api::stored_notification(&app, notification).await?));
        let command = match &*field(&form, "do") {
            "read" => Command::ReadNotification { notification, row },
            "resend" => Command::ResendNotification { notification, row },
            _ => return Err(Problem::bad_request("Press a button.")),
        };
        api::plain_answer(app.desk.ask(known.actor(), command).await?)?;
        Ok(Redirect::to(&format!("/notifications/{id}")).into_response())
    };
    done.await.map_err(|problem| Sorry(app.clone(), problem))
}

/// A field of a form; empty where it has none of that name.
fn field(form: &[u8], wanted: &str) -> String {
    let mut fields = url::form_urlencoded::parse(form);
    let found = fields.find(|(name, _)| name == wanted);
    found.map(|(_, value)| value.into_owned()).unwrap_or_default()
}
