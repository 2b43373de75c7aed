//! Who may do what, decided before anything is done. Where a request comes from says nothing.
//!
//! | what                              | who                                                      |
//! |-----------------------------------|----------------------------------------------------------|
//! | anything                          | a Host we are known by; another may be DNS rebinding     |
//! | health, version, log in, its look | everybody                                                |
//! | a read                            | a token, a session                                       |
//! | a write                           | a token that may write; such a session, with proof of    |
//! |                                   | the same origin; no foreign `Origin`, `Sec-Fetch-Site`   |
//! | tokens, sessions, links           | the token of the data directory                          |

use crate::App;
use crate::config::WebConfig;
use crate::cookie::Transport;
use crate::keeper::{self, By, Known, Right};
use crate::problem::Problem;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use std::net::IpAddr;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const CSP: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                   connect-src 'self'; form-action 'self'; base-uri 'none'; \
                   frame-ancestors 'none'";

/// Adds to every answer what keeps browsers from guessing, framing and leaking.
pub(crate) async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, CSP),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // Not `no-referrer`: with that, browsers send `Origin: null` with our own forms.
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::CACHE_CONTROL, "no-store"),
        (RESOURCE_POLICY, "same-origin"),
        (OPENER_POLICY, "same-origin"),
        (PERMISSIONS_POLICY, "camera=(), geolocation=(), microphone=()"),
    ] {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Lets a request through, or says why not. Handlers find who sent it as a [`Known`].
pub(crate) async fn guard(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let class = Class::of(request.method(), request.uri().path());
    match admit(&app, &request, class) {
        Ok(Some(known)) => {
            request.extensions_mut().insert(known);
        }
        Ok(None) => {}
        Err(problem) if class == Class::Page && problem.status() == StatusCode::UNAUTHORIZED => {
            return Redirect::to("/login").into_response();
        }
        Err(problem) => return problem.into_response(),
    }
    let answer = tokio::time::timeout(app.config.limits.request_time_max, next.run(request));
    answer.await.unwrap_or_else(|_| {
        let detail = "The answer took too long. What was asked for may still be done.";
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail).into_response()
    })
}

/// What a request is, as far as it matters who sends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Harmless, and needed by those who are not known yet.
    Open,
    /// POST of the log-in form, or of the button that logs out.
    Door,
    /// A page of the dashboard.
    Page,
    Read,
    /// POST that changes nothing.
    Question,
    Write,
    /// Of tokens, sessions and links.
    Keys,
}

impl Class {
    fn of(method: &Method, path: &str) -> Class {
        let safe = matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
        let place = path.strip_prefix("/api/v1").unwrap_or(path);
        match place {
            "/login" | "/logout" if *method == Method::POST => Class::Door,
            "/check" if *method == Method::POST => Class::Question,
            _ if is_of_keys(place) => Class::Keys,
            _ if !safe => Class::Write,
            "/healthz" | "/readyz" | "/login" | "/version" => Class::Open,
            _ if path.starts_with("/assets/") => Class::Open,
            "/metrics" => Class::Read,
            _ if path.starts_with("/api/") || path.starts_with("/fragments/") => Class::Read,
            _ => Class::Page,
        }
    }

    /// What is needed; `None`: nothing.
    fn needs(self) -> Option<Right> {
        match self {
            Class::Open | Class::Door => None,
            Class::Page | Class::Read | Class::Question => Some(Right::Read),
            Class::Write => Some(Right::Write),
            Class::Keys => Some(Right::All),
        }
    }
}

fn is_of_keys(place: &str) -> bool {
    let first = place.trim_start_matches('/').split('/').next();
    matches!(first, Some("tokens" | "sessions" | "links"))
}

fn admit(app: &App, request: &Request, class: Class) -> Result<Option<Known>, Problem> {
    let headers = request.headers();
    let host = check_host(&app.config, headers, request.uri())?;
    let origin = match class {
        Class::Door | Class::Question | Class::Write | Class::Keys => check_origin(headers, host)?,
        Class::Open | Class::Page | Class::Read => Origin::Unknown,
    };
    let Some(needed) = class.needs() else { return Ok(None) };
    let known = app.keeper.recognise(headers, app.now()).ok_or_else(|| stranger(headers))?;
    if known.right < needed {
        return Err(Problem::new(StatusCode::FORBIDDEN, too_little(needed)));
    }
    if needed > Right::Read && matches!(known.by, By::Session(_)) && origin != Origin::Same {
        let detail = "A browser that is logged in changes things from our own pages only.";
        return Err(Problem::new(StatusCode::FORBIDDEN, detail));
    }
    Ok(Some(known))
}

fn stranger(headers: &HeaderMap) -> Problem {
    Problem::unauthorized(match keeper::bearer(headers) {
        Some(_) => {
            "This token is not the one of this server's data directory, nor one made with it that \
             still holds."
        }
        None => {
            "Who asks is not known. Log in at /login (`tidings open` prints a link), or send a \
             token as `Authorization: Bearer …`."
        }
    })
}

fn too_little(needed: Right) -> &'static str {
    match needed {
        Right::Read | Right::Write => {
            "This token or session may only read; `tidings token new --scope write` makes one \
             that may do more."
        }
        Right::All => "This needs the token of the data directory itself.",
    }
}

/// How the browser reached us: its own word for a form, which matters to its own cookie only.
pub(crate) fn transport(headers: &HeaderMap) -> Transport {
    match headers.get(header::ORIGIN).map(HeaderValue::as_bytes) {
        Some(origin) if origin.starts_with(b"https://") => Transport::Tls,
        _ => Transport::Plain,
    }
}

/// The Host header, if it names us.
fn check_host<'r>(
    config: &WebConfig,
    headers: &'r HeaderMap,
    uri: &Uri,
) -> Result<&'r str, Problem> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = match (hosts.next().and_then(|host| host.to_str().ok()), hosts.next()) {
        (Some(host), None) => host,
        _ => return Err(Problem::bad_request("A request needs one Host header.")),
    };
    let named = uri.host().is_none_or(|name| is_ours(config, name));
    if named && is_ours(config, host_name(host)) {
        return Ok(host);
    }
    let name: String = host.chars().take(100).collect();
    let detail = format!(
        "This server is not known as `{name}`. If it should be, add the name to `allowed_hosts` \
         in tidings.toml."
    );
    Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, detail))
}

/// Host without its port.
fn host_name(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

fn is_ours(config: &WebConfig, name: &str) -> bool {
    let literal = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    if let Ok(address) = literal.parse::<IpAddr>() {
        let (address, listen) = (address.to_canonical(), config.listen.ip().to_canonical());
        let written = config.allowed_hosts.iter().any(|allowed| allowed == literal);
        return address.is_loopback() || listen == address || listen.is_unspecified() || written;
    }
    let name = name.strip_suffix('.').unwrap_or(name);
    name.eq_ignore_ascii_case("localhost")
        || config.allowed_hosts.iter().any(|ours| host_name(ours).eq_ignore_ascii_case(name))
}

/// Where a write comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// The browser says: a page of ours.
    Same,
    /// No browser, or one that does not say.
    Unknown,
}

fn check_origin(headers: &HeaderMap, host: &str) -> Result<Origin, Problem> {
    let foreign = || {
        let detail = "This request comes from a page of another site, and is not done.";
        Problem::new(StatusCode::FORBIDDEN, detail)
    };
    let mut same = false;
    for origin in headers.get_all(header::ORIGIN) {
        let origin = origin.to_str().map_err(|_| foreign())?;
        let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        match authority {
            Some(authority) if authority.eq_ignore_ascii_case(host) => same = true,
            _ => return Err(foreign()),
        }
    }
    for site in headers.get_all(SEC_FETCH_SITE) {
        match site.as_bytes() {
            b"same-origin" => same = true,
            b"none" => {}
            _ => return Err(foreign()),
        }
    }
    Ok(if same { Origin::Same } else { Origin::Unknown })
}
