//! Who may do what, decided before anything is done. Where a request comes from says nothing.
//!
//! | what                              | who                                                      |
//! |-----------------------------------|----------------------------------------------------------|
//! | anything                          | a Host we are known by; another may be DNS rebinding     |
//! | health, version, log in, its look | everybody                                                |
//! | what a link of a message does     | everybody who has it.                                    |
//! | what a feed tells                 | everybody who has its address                            |
//! | a read                            | a token, a session                                       |
//! | a write                           | a token that may write; such a session, with proof of    |
//! |                                   | the same origin; no foreign `Origin`, `Sec-Fetch-Site`   |
//! | tokens, sessions, links           | the token of the data directory                          |
//! | what a token of one tag may do    | see `narrow`                                             |

use crate::App;
use crate::config::WebConfig;
use crate::dashboard;
use crate::extract::accepts;
use crate::keeper::{self, By, Known, Reach, Right};
use crate::narrow;
use crate::problem::Problem;
use crate::visit::Visit;
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
                   connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; \
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
    let visit = Visit::of(&app.config, &request);
    let class = Class::of(request.method(), request.uri().path());
    match admit(&app, &request, class, visit) {
        Ok(Some(known)) => {
            let checked = match app.keeper.reach(known.by) {
                Reach::All => Ok(()),
                Reach::Tag(tag) => {
                    let about = narrow::About::of(&request);
                    narrow::check(&app, known, &tag, about).await
                }
                Reach::Nothing => Err(Problem::unauthorized("This token was revoked just now.")),
            };
            if let Err(problem) = checked {
                return problem.into_response();
            }
            request.extensions_mut().insert(known);
        }
        Ok(None) => {}
        Err(problem) if class == Class::Page && problem.status() == StatusCode::UNAUTHORIZED => {
            return below_base(&app, to_login(request.uri()));
        }
        // By another name than ours nothing is shown of us.
        Err(problem) if problem.status() == StatusCode::MISDIRECTED_REQUEST => {
            return problem.into_response();
        }
        Err(problem) if !is_of_a_page(&request) => return problem.into_response(),
        Err(problem) if class == Class::Write && problem.status() == StatusCode::UNAUTHORIZED => {
            keep(&mut request);
        }
        Err(problem) => return dashboard::sorry(&app, &problem),
    }
    request.extensions_mut().insert(visit);
    let answer = tokio::time::timeout(app.config.limits.request_time_max, next.run(request));
    let response = answer.await.unwrap_or_else(|_| {
        let detail = "This took too long. Your request may still be carried out.";
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail).into_response()
    });
    below_base(&app, response)
}

/// Whether a person sees the answer: a browser asks for a page, or sends the form of one.
fn is_of_a_page(request: &Request) -> bool {
    let (headers, uri) = (request.headers(), request.uri());
    let says_site = headers.contains_key(SEC_FETCH_SITE) || headers.contains_key(header::ORIGIN);
    let is_program = uri.path().starts_with("/api/") || headers.contains_key(header::AUTHORIZATION);
    says_site && !is_program && accepts(headers, "text/html")
}

/// What somebody sent who is logged in no more is given back, to be sent again: a form that took
/// long to fill is not lost. No other site gets that far.
fn keep(request: &mut Request) {
    let place = request.uri().path_and_query().map_or("/", |asked| asked.as_str()).to_owned();
    request.extensions_mut().insert(dashboard::Unsent(place));
    *request.uri_mut() = Uri::from_static(dashboard::AGAIN);
}

/// To the log-in page, and from there to what was asked for.
fn to_login(uri: &Uri) -> Response {
    let asked = uri.path_and_query().map_or("/", |asked| asked.as_str());
    if asked == "/" {
        return Redirect::to("/login").into_response();
    }
    let asked: String = url::form_urlencoded::byte_serialize(asked.as_bytes()).collect();
    Redirect::to(&format!("/login?next={asked}")).into_response()
}

/// Handlers name places from the root; people reach them below the public address.
fn below_base(app: &App, mut response: Response) -> Response {
    let base = app.config.base();
    if let Some(place) = response.headers().get(header::LOCATION)
        && place.as_bytes().starts_with(b"/")
        && !base.is_empty()
    {
        let place = [base.as_bytes(), place.as_bytes()].concat();
        let place = HeaderValue::from_bytes(&place).expect("two values of headers are one");
        response.headers_mut().insert(header::LOCATION, place);
    }
    response
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
    /// What concerns tokens, sessions and links.
    Keys,
}

impl Class {
    fn of(method: &Method, path: &str) -> Class {
        let safe = matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
        let place = path.strip_prefix("/api/v1").unwrap_or(path);
        match place {
            "/login" | "/logout" if *method == Method::POST => Class::Door,
            // Whoever holds a link of a message may do what it says; the link is the proof.
            _ if path.starts_with("/l/") => {
                if safe {
                    Class::Open
                } else {
                    Class::Door
                }
            }
            _ if path.starts_with("/f/") && safe => Class::Open,
            "/check" | "/complete" | "/template-preview" if *method == Method::POST => {
                Class::Question
            }
            _ if is_of_keys(place) => Class::Keys,
            _ if !safe => Class::Write,
            "/healthz" | "/readyz" | "/login" => Class::Open,
            "/version" if path != place => Class::Open,
            _ if path.starts_with("/assets/") => Class::Open,
            "/metrics" | "/version" => Class::Read,
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

fn admit(
    app: &App,
    request: &Request,
    class: Class,
    visit: Visit,
) -> Result<Option<Known>, Problem> {
    let headers = request.headers();
    let host = check_host(&app.config, headers, request.uri())?;
    let origin = match class {
        Class::Door | Class::Question | Class::Write | Class::Keys => {
            check_origin(&app.config, headers, host)?
        }
        Class::Open | Class::Page | Class::Read => Origin::Unknown,
    };
    let Some(needed) = class.needs() else { return Ok(None) };
    let now = app.now();
    let Some(known) = app.keeper.recognise(headers, now) else {
        return Err(stranger(app, headers, visit));
    };
    if known.right < needed {
        return Err(Problem::new(StatusCode::FORBIDDEN, too_little(needed)));
    }
    if needed > Right::Read && matches!(known.by, By::Session(_)) && origin != Origin::Same {
        let detail = "A logged-in browser can make changes only from Tidings' own pages.";
        return Err(Problem::new(StatusCode::FORBIDDEN, detail));
    }
    Ok(Some(known))
}

/// Why somebody is not known. Wrong tokens in large numbers are answered ever the same.
fn stranger(app: &App, headers: &HeaderMap, visit: Visit) -> Problem {
    if keeper::bearer(headers).is_none() {
        return Problem::unauthorized(
            "You are not logged in. Log in at /login (`tidings open` prints a link), or send a \
             token as `Authorization: Bearer …`.",
        );
    }
    match app.strangers.refuse(visit.address, app.now()) {
        Ok(()) => Problem::unauthorized(
            "This token is not valid here: it is neither this server's own nor a valid one made \
             with that.",
        ),
        Err(wait) => Problem::too_many(wait),
    }
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
        "This server is not known as `{name}`. If it should be, set `public_url` to the \
         address in the browser, or add the name to `allowed_hosts`."
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
        let written = config.allowed_hosts.iter().any(|allowed| allowed == literal)
            || config.public_url.as_ref().is_some_and(|public| public.is_host(name));
        return address.is_loopback() || listen == address || listen.is_unspecified() || written;
    }
    let name = name.strip_suffix('.').unwrap_or(name);
    name.eq_ignore_ascii_case("localhost")
        || config.public_url.as_ref().is_some_and(|public| public.is_host(name))
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

/// Browsers say where a request comes from, and pages cannot change it. `Sec-Fetch-Site` compares
/// with the address in the browser, `Origin` is compared here with the Host, which a proxy may have
/// replaced by ours.
fn check_origin(config: &WebConfig, headers: &HeaderMap, host: &str) -> Result<Origin, Problem> {
    let foreign = || {
        let detail = "This request came from a page of another site and was refused. If that \
                      page is Tidings behind a proxy, set `public_url` to its address.";
        Problem::new(StatusCode::FORBIDDEN, detail)
    };
    let mut same = false;
    for site in headers.get_all(SEC_FETCH_SITE) {
        match site.as_bytes() {
            b"same-origin" => same = true,
            b"none" => {}
            _ => return Err(foreign()),
        }
    }
    for origin in headers.get_all(header::ORIGIN) {
        let origin = origin.to_str().map_err(|_| foreign())?;
        let public = config.public_url.as_ref().is_some_and(|public| public.origin() == origin);
        let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        let ours = authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host));
        if !(public || ours || same) {
            return Err(foreign());
        }
        same = true;
    }
    Ok(if same { Origin::Same } else { Origin::Unknown })
}
