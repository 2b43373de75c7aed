//! POST /complete: which words fit where somebody is writing.

use crate::App;
use crate::extract::Text;
use crate::problem::Problem;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// Words that fit, most usual first.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Completion {
    items: Vec<Fitting>,
}

/// A word of the language, or a name.
#[derive(Debug, Serialize, ToSchema)]
struct Fitting {
    /// What may be written in the place of the word that is begun.
    text: String,
    /// What it is for, in a few words.
    meaning: String,
}

/// Says which words may follow a text; the word that it ends with counts as not written. Send what
/// stands before the cursor.
#[utoipa::path(post, path = "/complete", tag = "sentinels",
    request_body(content = Option<String>, content_type = "text/plain"),
    responses((status = OK, body = Completion)))]
pub(super) async fn complete(
    State(app): State<App>,
    Text(text): Text,
) -> Result<Json<Completion>, Problem> {
    let channels = app.desk.look(|kernel| kernel.rules().channel_names().to_vec()).await?;
    let found = sentinel::suggest(&text, text.len(), &channels);
    let items = found.into_iter().map(|one| Fitting { text: one.text, meaning: one.meaning });
    Ok(Json(Completion { items: items.collect() }))
}
