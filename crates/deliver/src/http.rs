//! One guarded HTTP request, and what its answer says of waiting.

use crate::guard::{Guard, Refused};
use crate::{Config, SetupError};
use address::Receivers;
use chronon::{Instant, Span};
use reqwest::header::{HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Method, StatusCode, redirect, retry};
use std::error::Error;
use std::time::{Duration, UNIX_EPOCH};
use url::Url;

/// How long an unused connection is kept: less than the 5 s after which many servers close theirs.
const IDLE: Duration = Duration::from_secs(4);

/// Asks servers. Clones share connections.
#[derive(Debug, Clone)]
pub(crate) struct Http {
    client: Client,
    guard: Guard,
    limit: Span,
    pub(crate) retry_after_max: Span,
}

/// A request to make.
pub(crate) struct Request {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
    /// How many bytes of the answer's body are read.
    pub(crate) read: usize,
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    /// The beginning of it.
    pub(crate) body: Vec<u8>,
    /// It did not break off before its end, or before as much as was wanted.
    pub(crate) whole: bool,
}

impl Http {
    pub(crate) fn new(config: &Config, tls: rustls::ClientConfig) -> Result<Http, SetupError> {
        let guard = Guard::of(config);
        let user_agent =
            HeaderValue::from_str(&config.user_agent).map_err(|_| SetupError::UserAgent)?;
        let client = Client::builder()
            .tls_backend_preconfigured(tls)
            .dns_resolver(guard)
            .no_proxy()
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .referer(false)
            .user_agent(user_agent)
            .pool_max_idle_per_host(2)
            .pool_idle_timeout(IDLE)
            .build()?;
        let Config { webhook_max: limit, retry_after_max, .. } = *config;
        Ok(Http { client, guard, limit, retry_after_max })
    }

    /// One request, within the limit of one attempt.
    ///
    /// # Errors
    ///
    /// A sentence for people, of the URL the host alone.
    pub(crate) async fn ask(&self, request: Request) -> Result<Answer, String> {
        let Request { method, url, headers, body, read } = request;
        let host = url.host_str().unwrap_or("(no host)");
        // Another port is another server.
        let host = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        self.guard.check_url(&url).map_err(|refused| refused.to_string())?;
        let request = self.client.request(method, url).headers(headers).body(body);
        let limit = tokio::time::sleep(duration(self.limit));
        tokio::pin!(limit);
        let mut response = tokio::select! {
            response = request.send() => response.map_err(|error| {
                // A URL may hold a token.
                sentence(&host, &error.without_url())
            })?,
            () = &mut limit => return Err(format!("{host} gave no answer within {}", self.limit)),
        };
        let (status, headers) = (response.status(), response.headers().clone());
        let (mut body, mut whole) = (Vec::new(), true);
        // The status has come: what becomes of the body changes nothing about it.
        while body.len() < read {
            let piece = tokio::select! {
                piece = response.chunk() => piece,
                () = &mut limit => { whole = false; break }
            };
            match piece {
                Ok(Some(piece)) => {
                    body.extend_from_slice(&piece[..piece.len().min(read - body.len())]);
                }
                Ok(None) => break,
                Err(_) => {
                    whole = false;
                    break;
                }
            }
        }
        Ok(Answer { status, headers, body, whole })
    }
}

impl Guard {
    pub(crate) fn of(config: &Config) -> Guard {
        Guard(if config.allow_private { Receivers::PublicAndPrivate } else { Receivers::Public })
    }
}

/// The host of a URL; the rest may hold a token.
pub(crate) fn host_of(url: &str) -> String {
    let url = Url::parse(url).ok();
    url.as_ref().and_then(Url::host_str).unwrap_or("(no host)").to_owned()
}

pub(crate) fn duration(span: Span) -> Duration {
    Duration::from_millis(u64::try_from(span.as_millis()).unwrap_or(0))
}

/// `404 Not Found`.
pub(crate) fn named(status: StatusCode) -> String {
    let name = status.canonical_reason().map(|name| format!(" {name}")).unwrap_or_default();
    format!("{}{name}", status.as_u16())
}

/// How long Retry-After asks to wait, at most `max`: seconds, or a date against `now`. No wait, a
/// past date and anything else are no answer.
pub(crate) fn retry_after(headers: &HeaderMap, now: Instant, max: Span) -> Option<Span> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let wait = if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        value.parse().map_or(max, Span::from_secs)
    } else {
        let since = httpdate::parse_http_date(value).ok()?.duration_since(UNIX_EPOCH).ok()?;
        Instant::from_millis(i64::try_from(since.as_millis()).ok()?) - now
    };
    (wait > Span::ZERO).then_some(wait.min(max))
}

/// Why there was no answer. `error` has lost its URL, which may hold a token.
fn sentence(host: &str, error: &reqwest::Error) -> String {
    let mut last: &(dyn Error + 'static) = error;
    loop {
        if let Some(refused) = last.downcast_ref::<Refused>() {
            return refused.to_string();
        }
        let hidden = last.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        match hidden.map(|inner| inner as &(dyn Error + 'static)).or_else(|| last.source()) {
            Some(inner) => last = inner,
            None if error.is_connect() => return format!("no connection to {host}: {last}"),
            None => return format!("{host} gave no answer that can be read: {last}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_bounded_and_no_wait_is_no_answer() {
        let now = Instant::from_millis(1_798_761_610_000);
        let wait = |value: &str| {
            let headers = HeaderMap::from_iter([(RETRY_AFTER, value.parse().unwrap())]);
            retry_after(&headers, now, Span::DAY)
        };
        assert_eq!(wait("120"), Some(Span::from_secs(120)));
        assert_eq!(wait("Fri, 01 Jan 2027 00:01:10 GMT"), Some(Span::MINUTE));
        assert_eq!(wait("99999999999999999999"), Some(Span::DAY));
        for value in ["0", "-1", "later", "Thu, 31 Dec 2020 00:00:00 GMT"] {
            assert_eq!(wait(value), None, "{value}");
        }
    }
}
