//! POST /check: what is wrong with a text, without doing anything.

use super::sentinels::Mode;
use crate::App;
use crate::extract::{Params, Text};
use crate::problem::Problem;
use crate::wire::Diagnostic;
use axum::Json;
use axum::extract::State;
use kernel::Purpose;
use sentinel::Redefine;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// What a text comes to.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Verdict {
    /// There are no errors; warnings may be.
    ok: bool,
    /// Every statement without an error, in order.
    sentinels: Vec<CheckedSentinel>,
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
    request_body(content = String, content_type = "text/plain"),
    responses((status = OK, body = Verdict)))]
pub(super) async fn check(
    State(app): State<App>,
    Params(params): Params<CheckParams>,
    Text(text): Text,
) -> Result<Json<Verdict>, Problem> {
    let redefine = match params.mode {
        Mode::Create => Redefine::Refuse,
        Mode::Upsert => Redefine::Replace,
    };
    let checked = app.desk.vet(&text.into(), Purpose::Check(redefine)).await?.checked;
    let sentinels = checked.statements.iter().map(|statement| CheckedSentinel {
        name: statement.sentinel.name.clone(),
        source: statement.sentinel.source.to_string(),
        canonical: statement.canonical.shown().into_owned(),
    });
    Ok(Json(Verdict {
        ok: checked.is_ok(),
        sentinels: sentinels.collect(),
        diagnostics: checked.diagnostics.iter().map(Into::into).collect(),
    }))
}
