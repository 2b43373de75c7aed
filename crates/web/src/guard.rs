//! Who may do what, decided before anything is done (FORMATS: loopback is no boundary).
//!
//! | what                         | who                                                         |
//! |------------------------------|-------------------------------------------------------------|
//! | anything                     | a Host we are known by; anything else may be DNS rebinding  |
//! | a write                      | no foreign `Origin`, `Sec-Fetch-Site`; the token, or a      |
//! |                              | session together with proof of the same origin              |
//! | a read                       | the token, a session, or a peer on this machine             |
//! | health, log in, style sheet  | everybody                                                   |

use crate::App;
use crate::config::{Door, WebConfig};
use crate::problem::Problem;
use crate::session::Transport;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use chronon::Span;
use std::net::{IpAddr, SocketAddr};

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
/// Headers that only proxies add: the peer's address is then not the person's.
const FORWARDED: [&str; 5] =
    ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"];
const CSP: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                   connect-src 'self'; form-action 'self'; base-uri 'none'; \
                   frame-ancestors 'none'";

/// Adds to every answer what keeps browsers from guessing, framing and leaking.
pub(crate) async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, CSP),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
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

/// Lets a request through, or says why not.
pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let class = Class::of(request.method(), request.uri().path());
    let admitted = match admit(&app, &request, class) {
        Ok(admitted) => admitted,
        Err(problem) if class == Class::Page && problem.status() == StatusCode::UNAUTHORIZED => {
            return Redirect::to("/login").into_response();
        }
        Err(problem) => return problem.into_response(),
    };
    let answer = tokio::time::timeout(app.config.limits.request_time_max, next.run(request));
    let Ok(mut response) = answer.await else {
        let detail = "The answer took too long. What was asked for may still be done.";
        return Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail).into_response();
    };
    if let Some(cookie) = admitted.fresh_session {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// What a request is, as far as it matters who sends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Harmless, and needed by those who are not known yet.
    Open,
    /// POST of the log-in form.
    LogIn,
    /// A page of the dashboard.
    Page,
    Read,
    /// POST that changes nothing.
    Question,
    Write,
}

impl Class {
    fn of(method: &Method, path: &str) -> Class {
        let safe = matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
        match path.strip_prefix("/api/v1").unwrap_or(path) {
            "/login" if *method == Method::POST => Class::LogIn,
            "/check" if *method == Method::POST => Class::Question,
            _ if !safe => Class::Write,
            "/healthz" | "/readyz" | "/login" => Class::Open,
            _ if path.starts_with("/assets/") => Class::Open,
            "/version" | "/metrics" => Class::Read,
            _ if path.starts_with("/api/") || path.starts_with("/fragments/") => Class::Read,
            _ => Class::Page,
        }
    }
}

struct Admitted {
    fresh_session: Option<HeaderValue>,
}

fn admit(app: &App, request: &Request, class: Class) -> Result<Admitted, Problem> {
    let headers = request.headers();
    let host = check_host(&app.config, headers, request.uri())?;
    let origin = match class {
        Class::LogIn | Class::Question | Class::Write => check_origin(headers, host)?,
        Class::Open | Class::Page | Class::Read => Origin::Unknown,
    };
    let visitor = visitor(app, request)?;
    let allowed = match class {
        Class::Open | Class::LogIn => true,
        Class::Page | Class::Read | Class::Question => visitor != Visitor::Stranger,
        Class::Write => match visitor {
            Visitor::Token => true,
            Visitor::Session(_) => origin == Origin::Same,
            Visitor::ThisMachine | Visitor::Stranger => false,
        },
    };
    if !allowed {
        return Err(Problem::unauthorized(match class {
            Class::Write => {
                "Changing anything needs the token of the data directory: send it as \
                 `Authorization: Bearer …`, or use the dashboard."
            }
            _ => {
                "Reading from another machine needs the token of the data directory: send it as \
                 `Authorization: Bearer …`, or log in at /login."
            }
        }));
    }
    let fresh = class == Class::Page
        && match visitor {
            Visitor::ThisMachine => true,
            Visitor::Session(remaining) => app.sessions.is_stale(remaining),
            Visitor::Token | Visitor::Stranger => false,
        };
    let cookie = fresh.then(|| app.sessions.set_cookie(app.now(), transport(headers)));
    Ok(Admitted { fresh_session: cookie.and_then(|cookie| HeaderValue::from_str(&cookie).ok()) })
}

/// How the browser reached the proxy before us, if there is one.
pub(crate) fn transport(headers: &HeaderMap) -> Transport {
    match headers.get("x-forwarded-proto").map(HeaderValue::as_bytes) {
        Some(proto) if proto.eq_ignore_ascii_case(b"https") => Transport::Tls,
        _ => Transport::Plain,
    }
}

/// Who sends a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Visitor {
    Token,
    /// Somebody with a session that lasts so much longer.
    Session(Span),
    ThisMachine,
    Stranger,
}

fn visitor(app: &App, request: &Request) -> Result<Visitor, Problem> {
    let headers = request.headers();
    if let Some(authorization) = headers.get(header::AUTHORIZATION) {
        let text = authorization.to_str().unwrap_or_default();
        let token = text.split_once(' ').filter(|(way, _)| way.eq_ignore_ascii_case("bearer"));
        return match token {
            Some((_, token)) if app.sessions.is_token(token.trim()) => Ok(Visitor::Token),
            _ => Err(Problem::unauthorized(
                "The token is not the one of this server's data directory.",
            )),
        };
    }
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|cookie| cookie.to_str().ok());
    let now = app.now();
    if let Some(left) = cookies.filter_map(|cookie| app.sessions.remaining(cookie, now)).max() {
        return Ok(Visitor::Session(left));
    }
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let here = peer.is_some_and(|peer| peer.0.ip().to_canonical().is_loopback());
    let direct = FORWARDED.iter().all(|name| !headers.contains_key(*name));
    Ok(match app.config.door {
        Door::OpenToLoopback if here && direct => Visitor::ThisMachine,
        _ => Visitor::Stranger,
    })
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
