//! POST /check: what is wrong with a text, without doing anything.

use super::sentinels::Mode;
use crate::App;
use crate::extract::{Params, Text};
use crate::keeper::Known;
use crate::problem::Problem;
use crate::wire::Diagnostic;
use axum::extract::State;
use axum::{Extension, Json};
use kernel::Purpose;
use sentinel::{Redefine, Statement};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Bytes of sentinels that one answer has.
const SENTINELS_BYTES_MAX: usize = 1 << 20;

/// What a text comes to.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Verdict {
    /// There are no errors; warnings may be.
    ok: bool,
    /// Every statement without an error, in order; the first of them, if they are very many.
    sentinels: Vec<CheckedSentinel>,
    /// How many more there are.
    sentinels_left_out: usize,
    diagnostics: Vec<Diagnostic>,
}

#[derive(Debug, Serialize, ToSchema)]
struct CheckedSentinel {
    name: String,
    source: String,
    /// As the formatter prints it, with inheritance and defaults resolved.
    canonical: String,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct CheckParams {
    /// `upsert` (the default) or `create`.
    #[serde(default = "Mode::upsert")]
    #[param(inline)]
    mode: Mode,
}

/// Checks a text against the names and channels that exist; answers 200 whether it is right or not.
/// With `mode=create` a name that exists is an error, as it is in `POST /sentinels`.
#[utoipa::path(post, path = "/check", tag = "sentinels", params(CheckParams),
    request_body(content = Option<String>, content_type = "text/plain"),
    responses((status = OK, body = Verdict)))]
pub(super) async fn check(
    State(app): State<App>,
    Extension(known): Extension<Known>,
    Params(params): Params<CheckParams>,
    Text(text): Text,
) -> Result<Json<Verdict>, Problem> {
    let redefine = match params.mode {
        Mode::Create => Redefine::Refuse,
        Mode::Upsert => Redefine::Replace,
    };
    let (owner, purpose) = (known.actor().owner, Purpose::Check(redefine));
    let checked = app.desk.vet(owner, &text.into(), purpose).await?.checked;
    let mut bytes = 0;
    let fits = |statement: &&Statement| {
        bytes += 100 + statement.canonical.reveal().len() + statement.sentinel.name.len();
        bytes <= SENTINELS_BYTES_MAX
    };
    let sentinels = checked.statements.iter().take_while(fits).map(|statement| CheckedSentinel {
        name: statement.sentinel.name.clone(),
        source: statement.sentinel.source().url.to_string(),
        canonical: statement.canonical.shown().into_owned(),
    });
    let sentinels: Vec<CheckedSentinel> = sentinels.collect();
    Ok(Json(Verdict {
        ok: checked.is_ok(),
        sentinels_left_out: checked.statements.len() - sentinels.len(),
        sentinels,
        diagnostics: Diagnostic::first_of(&checked.diagnostics),
    }))
}
