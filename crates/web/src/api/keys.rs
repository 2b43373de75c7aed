//! Tokens, sessions and links that log in once, for holders of the data directory's token.

use super::feeds;
use crate::App;
use crate::extract::{ListParams, Params, PathPart, object};
use crate::keeper::May;
use crate::problem::Problem;
use crate::wire::{Page, Time};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use store::{SessionRow, TokenRow};
use utoipa::ToSchema;

/// Characters of a token's name.
const NAME_CHARS_MAX: usize = 100;

/// What a token or session may do.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Scope {
    Read,
    Write,
}

impl From<store::Scope> for Scope {
    fn from(scope: store::Scope) -> Scope {
        match scope {
            store::Scope::Read => Scope::Read,
            store::Scope::Write => Scope::Write,
        }
    }
}

impl From<Scope> for store::Scope {
    fn from(scope: Scope) -> store::Scope {
        match scope {
            Scope::Read => store::Scope::Read,
            Scope::Write => store::Scope::Write,
        }
    }
}

/// A token made with the one of the data directory.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Token {
    id: u64,
    name: String,
    scope: Scope,
    /// It is for sentinels with this tag alone; null: for all.
    tag: Option<String>,
    made_at: Time,
    /// To the hour, after a restart.
    used_at: Option<Time>,
}

impl From<&TokenRow> for Token {
    fn from(row: &TokenRow) -> Token {
        Token {
            id: row.id,
            name: row.name.to_string(),
            scope: row.scope.into(),
            tag: row.tag.as_deref().map(str::to_owned),
            made_at: Time(row.made_at),
            used_at: row.used_at.map(Time),
        }
    }
}

#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct Wish {
    scope: Scope,
    /// For its owner to know it by; at most 100 characters.
    #[serde(default)]
    #[schema(max_length = 100)]
    name: String,
    /// For sentinels with this tag alone, in any case; at most 100 characters.
    #[schema(min_length = 1, max_length = 100)]
    tag: Option<String>,
}

/// A token, said this once.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct NewToken {
    token: String,
    #[serde(flatten)]
    about: Token,
}

/// Makes a token. It is shown in this answer only.
#[utoipa::path(post, path = "/tokens", tag = "access", security(("token" = [])),
    request_body = Wish, responses(
        (status = CREATED, body = NewToken),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 409, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn make(
    State(app): State<App>,
    body: Bytes,
) -> Result<(StatusCode, Json<NewToken>), Problem> {
    let wish: Wish = object(&body).map_err(|error| {
        let said =
            format!("Send JSON as {{\"scope\": \"read\", \"name\": \"grafana\"}} ({error}).");
        Problem::bad_request(said)
    })?;
    let name = wish.name.trim();
    if name.chars().count() > NAME_CHARS_MAX || name.chars().any(char::is_control) {
        let said =
            format!("A token's name has at most {NAME_CHARS_MAX} characters, all printable.");
        return Err(Problem::bad_request(said));
    }
    let tag = wish.tag.as_deref().map(|tag| feeds::checked(tag.trim())).transpose()?;
    let may = May { scope: wish.scope.into(), tag: tag.map(Into::into) };
    let made = app.keeper.new_token(name.to_owned(), may, app.now()).await?;
    let (token, row) = made;
    Ok((StatusCode::CREATED, Json(NewToken { token, about: (&row).into() })))
}

/// The tokens that hold, without what is secret of them.
#[utoipa::path(get, path = "/tokens", tag = "access", params(ListParams),
    security(("token" = [])), responses((status = OK, body = Page<Token>)))]
pub(super) async fn tokens(
    State(app): State<App>,
    Params(params): Params<ListParams>,
) -> Result<Json<Page<Token>>, Problem> {
    let all = app.keeper.tokens().iter().map(Token::from).collect();
    Ok(Json(Page::part(all, &params, |token: &Token| token.id)?))
}

/// Ends a token, the sessions opened with it, and their streams.
#[utoipa::path(delete, path = "/tokens/{id}", tag = "access", params(("id" = u64, Path)),
    security(("token" = [])), responses(
        (status = NO_CONTENT),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn revoke(
    State(app): State<App>,
    PathPart(id): PathPart<u64>,
) -> Result<StatusCode, Problem> {
    if app.keeper.revoke_token(id).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Problem::not_found(format!("token {id}")))
    }
}

/// A browser that is logged in.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Session {
    id: u64,
    scope: Scope,
    /// The token it was opened with; null: the data directory's, or a link.
    token: Option<u64>,
    opened_at: Time,
    /// To the hour, after a restart.
    used_at: Time,
    /// When it ends if it is not used again.
    ends_at: Time,
    agent: String,
    address: String,
}

impl From<&SessionRow> for Session {
    fn from(row: &SessionRow) -> Session {
        Session {
            id: row.id,
            scope: row.scope.into(),
            token: row.token,
            opened_at: Time(row.opened_at),
            used_at: Time(row.used_at),
            ends_at: Time(crate::keeper::end_of_session(row)),
            agent: row.agent.to_string(),
            address: row.address.to_string(),
        }
    }
}

/// The sessions that last.
#[utoipa::path(get, path = "/sessions", tag = "access", params(ListParams),
    security(("token" = [])), responses((status = OK, body = Page<Session>)))]
pub(super) async fn sessions(
    State(app): State<App>,
    Params(params): Params<ListParams>,
) -> Result<Json<Page<Session>>, Problem> {
    let all: Vec<Session> = app.keeper.sessions(app.now()).iter().map(Session::from).collect();
    Ok(Json(Page::part(all, &params, |session: &Session| session.id)?))
}

/// Ends a session and its streams.
#[utoipa::path(delete, path = "/sessions/{id}", tag = "access", params(("id" = u64, Path)),
    security(("token" = [])), responses(
        (status = NO_CONTENT),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn end(
    State(app): State<App>,
    PathPart(id): PathPart<u64>,
) -> Result<StatusCode, Problem> {
    if app.keeper.end_session(id).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Problem::not_found(format!("session {id}")))
    }
}

/// A link that opens the dashboard logged in, once.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Link {
    url: String,
    ends_at: Time,
}

/// Makes a link that logs in once, within ten minutes.
#[utoipa::path(post, path = "/links", tag = "access", security(("token" = [])),
    responses((status = CREATED, body = Link)))]
pub(super) async fn link(State(app): State<App>) -> Result<(StatusCode, Json<Link>), Problem> {
    let now = app.now();
    let url = app.config.link(&app.keeper.new_link(now)?);
    let ends_at = Time(now + crate::keeper::LINK_LASTS);
    Ok((StatusCode::CREATED, Json(Link { url, ends_at })))
}
