//! Errors as `application/problem+json` (RFC 9457).

use crate::desk::{Closed, Unanswered};
use crate::wire;
use axum::Json;
use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use store::StoreError;
use utoipa::ToSchema;

/// What went wrong, for programs and people.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Problem {
    /// Names the kind of problem; `about:blank` where the status says it all.
    #[serde(rename = "type")]
    kind: &'static str,
    title: &'static str,
    status: u16,
    /// A sentence that says what, why and what now.
    detail: String,
    /// Seconds until it is worth trying again, for the header `Retry-After`.
    #[serde(skip)]
    again: Option<u32>,
    /// With 422: what is wrong with the text, and where.
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnostics: Option<Vec<wire::Diagnostic>>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, detail: impl Into<String>) -> Problem {
        Problem {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail: detail.into(),
            again: (status == StatusCode::SERVICE_UNAVAILABLE).then_some(5),
            diagnostics: None,
        }
    }

    pub(crate) fn bad_request(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, detail)
    }

    pub(crate) fn not_found(what: impl std::fmt::Display) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, format!("There is no {what}."))
    }

    pub(crate) fn conflict(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::CONFLICT, detail)
    }

    /// The text was refused; the diagnostics say why.
    pub(crate) fn refused(diagnostics: &[sentinel::Diagnostic]) -> Problem {
        let errors = diagnostics.iter().filter(|d| d.severity == sentinel::Severity::Error).count();
        let detail = match errors {
            1 => "The text has an error; nothing was done.".to_owned(),
            _ => format!("The text has {errors} errors; nothing was done."),
        };
        let listed = wire::Diagnostic::first_of(diagnostics);
        let problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail);
        Problem { diagnostics: Some(listed), ..problem }
    }

    /// Who sends this is not known: say how to be.
    pub(crate) fn unauthorized(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::UNAUTHORIZED, detail)
    }

    /// Too many wrong tokens.
    pub(crate) fn too_many(seconds: u32) -> Problem {
        let detail = "This token is wrong, as were too many before it; a right one is taken at any \
                      time.";
        let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, detail);
        Problem { again: Some(seconds), ..problem }
    }

    pub(crate) fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    pub(crate) fn detail(&self) -> &str {
        &self.detail
    }

    pub(crate) fn title(&self) -> &str {
        self.title
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, again) = (self.status(), self.again);
        let mut response = (status, Json(self)).into_response();
        let headers = response.headers_mut();
        let problem = HeaderValue::from_static("application/problem+json");
        headers.insert(header::CONTENT_TYPE, problem);
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = again {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<Closed> for Problem {
    fn from(closed: Closed) -> Problem {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, closed.to_string())
    }
}

impl From<Unanswered> for Problem {
    fn from(unanswered: Unanswered) -> Problem {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, unanswered.to_string())
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        tracing::error!(%error, "the store could not be read");
        let detail = "The store could not be read; the server's log says why.";
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail)
    }
}

/// Nothing is at this address.
pub(crate) fn no_such_route(uri: &Uri) -> Problem {
    let path: String = uri.path().chars().take(100).collect();
    let detail = format!(
        "There is nothing at `{path}`. The dashboard is at /, and /api/v1/openapi.json lists what \
         programs may ask."
    );
    Problem::new(StatusCode::NOT_FOUND, detail)
}

/// There is something, but not for this method. (axum adds `Allow` itself.)
pub(crate) async fn no_such_method(method: Method, uri: Uri) -> Problem {
    let path: String = uri.path().chars().take(100).collect();
    let detail = format!("`{path}` takes no {method}; the header Allow says what it takes.");
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, detail)
}
