//! What handlers take from a request, with problems instead of plain text where it is wrong.

use crate::problem::Problem;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::IntoParams;

/// Items of a list that come if nobody says how many.
pub(crate) const LIMIT_DEFAULT: usize = 100;
/// Items of a list that come at most.
pub(crate) const LIMIT_MAX: usize = 1_000;

/// The part of the path that names something.
pub(crate) struct PathPart<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for PathPart<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<PathPart<T>, Problem> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(value)) => Ok(PathPart(value)),
            Err(_) => {
                let detail = "There is nothing at this address. A number in it must be whole, not \
                              negative and not too large.";
                Err(Problem::new(StatusCode::NOT_FOUND, detail))
            }
        }
    }
}

/// The query's parameters.
pub(crate) struct Params<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Params<T>, Problem> {
        match Query::from_request_parts(parts, state).await {
            Ok(Query(value)) => Ok(Params(value)),
            Err(rejection) => {
                let said = rejection.body_text();
                let what = said.strip_prefix("Failed to deserialize query string: ");
                let what = plain(what.unwrap_or(&said));
                Err(Problem::bad_request(format!("The query cannot be read: {what}.")))
            }
        }
    }
}

/// What is wrong with a query's parameter, in the words of people.
fn plain(what: &str) -> String {
    let Some((name, why)) = what.split_once(": ") else { return what.to_owned() };
    let why = match why {
        "invalid digit found in string" => "must be a whole number, and not negative",
        "cannot parse integer from empty string" => "must be a number, and is empty",
        "invalid float literal" => "must be a number, such as 2.5",
        "cannot parse float from empty string" => "must be a number, and is empty",
        "number too large to fit in target type" => "is too large a number",
        _ => return what.to_owned(),
    };
    format!("`{name}` {why}")
}

/// Whether a request names this media type among those it takes.
pub(crate) fn accepts(headers: &HeaderMap, kind: &str) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    accept.is_some_and(|accept| accept.contains(kind))
}

/// A body of plain text.
pub(crate) struct Text(pub(crate) String);

impl<S: Send + Sync> FromRequest<S> for Text {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Text, Problem> {
        let kind = request.headers().get(header::CONTENT_TYPE).map(|kind| kind.as_bytes().to_vec());
        let plain = kind.is_none_or(|kind| kind.to_ascii_lowercase().starts_with(b"text/plain"));
        if !plain {
            let detail = "Send the sentinel's text with `Content-Type: text/plain`.";
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail));
        }
        let bytes = Bytes::from_request(request, state)
            .await
            .map_err(|rejection| Problem::new(rejection.status(), rejection.body_text()))?;
        match String::from_utf8(bytes.into()) {
            Ok(text) => Ok(Text(text)),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                Err(Problem::bad_request(format!("The text is not UTF-8 at byte {at}.")))
            }
        }
    }
}

/// What a JSON object says. A list of its values without their names is no such object.
///
/// # Errors
/// Why it does not say a `T`.
pub(crate) fn object<T: DeserializeOwned>(body: &[u8]) -> Result<T, serde_json::Error> {
    let members: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(body)?;
    serde_json::from_value(members.into())
}

/// Which part of a list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListParams {
    /// The most items to return, 1 to 1,000; 100 if left out.
    #[param(minimum = 1, maximum = 1000)]
    pub(crate) limit: Option<usize>,
    /// The `next` of the page before.
    pub(crate) cursor: Option<String>,
}

impl ListParams {
    pub(crate) fn limit(&self) -> Result<usize, Problem> {
        match self.limit.unwrap_or(LIMIT_DEFAULT) {
            limit @ 1..=LIMIT_MAX => Ok(limit),
            limit => Err(Problem::bad_request(format!(
                "`limit` is 1 to {LIMIT_MAX}, not {limit}; ask for the next page with `cursor`."
            ))),
        }
    }

    pub(crate) fn cursor<T: std::str::FromStr>(&self) -> Result<Option<T>, Problem> {
        match self.cursor.as_deref() {
            None | Some("") => Ok(None),
            Some(cursor) => cursor.parse().map(Some).map_err(|_| {
                Problem::bad_request("`cursor` must be the `next` of the page before.")
            }),
        }
    }
}
