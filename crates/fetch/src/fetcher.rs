//! The attempt: one request, and what came of it.

use crate::body::{Unread, in_words};
use crate::config::{Config, duration};
use crate::guard::Guard;
use crate::memory::{Share, Wait};
use crate::{
    Answer, Content, Failure, Outcome, Request, Validators, body, credentials, headers, reason, tls,
};
use chronon::{Instant, Span};
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, HeaderMap, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LOCATION,
};
use reqwest::{Client, Response, StatusCode, redirect, retry};
use std::sync::atomic::Ordering;
use std::time::Duration;
use url::Url;

/// What we can read, best first.
const ACCEPTED: &str = "text/html, application/xhtml+xml, application/atom+xml, \
    application/rss+xml, application/feed+json, application/json;q=0.9, \
    application/xml;q=0.9, text/plain;q=0.8, */*;q=0.5";

/// How long an unused connection is kept: less than the 5 s after which many servers close theirs,
/// for a request that crosses such a close fails and is not repeated.
const IDLE: Duration = Duration::from_secs(4);

/// What an HTTP/2 server may send before it was asked for more.
const HTTP2_WINDOW_BYTES: u32 = 256 * 1024;

/// Longer URLs are not asked; redirects can grow them without end.
const URL_BYTES_MAX: usize = 8_192;

/// Makes attempts. Clones share connections.
#[derive(Debug, Clone)]
pub struct Fetcher {
    client: Client,
    guard: Guard,
    config: Config,
}

/// Why there is no fetcher.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    #[error("certificate {index} of the extra roots cannot be used; it must be one in DER form")]
    Root { index: usize, source: rustls::Error },
    #[error("fetch.user_agent cannot be sent; it must be one line of ASCII")]
    UserAgent,
    #[error("the HTTP client could not be set up")]
    Client(#[from] reqwest::Error),
}

/// What an attempt reads into; kept outside so that a time-out does not lose it.
struct Intake<'a> {
    received: body::Received,
    share: &'a mut Share,
}

impl Fetcher {
    /// A fetcher with these limits. Reads the machine's certificates.
    ///
    /// # Errors
    ///
    /// [`SetupError`] if a setting cannot be used.
    pub fn new(config: Config) -> Result<Fetcher, SetupError> {
        let guard = Guard::new(&config.allow_addresses);
        let user_agent =
            HeaderValue::from_str(&config.user_agent).map_err(|_| SetupError::UserAgent)?;
        let client = Client::builder()
            .tls_backend_preconfigured(tls::client_tls(&config.extra_roots)?)
            .dns_resolver(guard.clone())
            .no_proxy()
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .referer(false)
            .user_agent(user_agent)
            .default_headers(HeaderMap::from_iter([
                (ACCEPT, HeaderValue::from_static(ACCEPTED)),
                (ACCEPT_ENCODING, HeaderValue::from_static(body::CODINGS)),
            ]))
            // Bodies are decompressed by `body`, which knows their limits.
            .no_gzip()
            .no_brotli()
            .no_zstd()
            .no_deflate()
            .connect_timeout(duration(config.connect_max))
            .pool_idle_timeout(IDLE)
            .pool_max_idle_per_host(config.idle_connections_per_host_max as usize)
            .http1_max_headers(config.headers_max as usize)
            .http2_max_header_list_size(config.header_bytes_max)
            // What is sent before anybody takes it waits in memory that nobody counts.
            .http2_initial_stream_window_size(HTTP2_WINDOW_BYTES)
            .http2_initial_connection_window_size(HTTP2_WINDOW_BYTES)
            .build()?;
        Ok(Fetcher { client, guard, config })
    }

    /// One attempt, with as much memory as it wants.
    pub async fn fetch(&self, request: &Request) -> Answer {
        self.fetch_within(request, &mut Share::unlimited()).await
    }

    /// One attempt: one request, and its answer. Takes at most `Config::total_max`, waits for
    /// memory aside; the body that it ends in is held in `share`.
    pub async fn fetch_within(&self, request: &Request, share: &mut Share) -> Answer {
        let whole = self.config.total_max;
        let limit = request.time_max.map_or(whole, |most| most.min(whole));
        let wait = share.wait();
        let mut intake = Intake { received: body::Received::default(), share };
        let outcome = match within(limit, &wait, self.attempt(request, &mut intake)).await {
            Some(outcome) => outcome,
            None => failed(None, reason::too_slow(limit, whole)),
        };
        let received = intake.received;
        let (body_bytes, wire_bytes) = (received.body.into_inner(), received.wire.into_inner());
        Answer { outcome, body_bytes, wire_bytes }
    }

    async fn attempt(&self, request: &Request, intake: &mut Intake<'_>) -> Outcome {
        let parsed = Url::parse(&request.url)
            .and_then(|url| Ok((url, Url::parse(request.source.reveal())?)));
        let (url, source) = match parsed {
            Ok(urls) => urls,
            Err(error) => return failed(None, format!("the address cannot be read: {error}")),
        };
        let mut url = credentials::of_source(&source, url);
        url.set_fragment(None);
        match self.refusal_of(&url) {
            Some(reason) => failed(None, reason),
            None => self.ask(&url, request, intake).await,
        }
    }

    /// Why this address is not asked, as far as can be told without resolving its name.
    pub fn refuses(&self, url: &str) -> Option<String> {
        match Url::parse(url) {
            Ok(url) => self.refusal_of(&url),
            Err(error) => Some(format!("the address cannot be read: {error}")),
        }
    }

    /// Why `url` is not asked.
    fn refusal_of(&self, url: &Url) -> Option<String> {
        if url.as_str().len() > URL_BYTES_MAX {
            return Some(format!("the address is longer than {URL_BYTES_MAX} bytes"));
        }
        self.guard.check_url(url).err().map(|refused| refused.to_string())
    }

    /// One request on the wire.
    async fn ask(&self, url: &Url, request: &Request, intake: &mut Intake<'_>) -> Outcome {
        let host = host_name(url).unwrap_or_default();
        let conditions = match request.validators.as_ref().map(|v| conditions(v, url)) {
            None => HeaderMap::new(),
            Some(conditions) => conditions,
        };
        let conditional = !conditions.is_empty();
        let send = self.client.get(url.clone()).headers(conditions).send();
        let limit = self.config.connect_max + self.config.between_reads_max;
        let response = match tokio::time::timeout(duration(limit), send).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return failed(None, reason::of_request(&host, &error, &self.config)),
            Err(_) => return failed(None, reason::silent(&host, limit)),
        };
        let status = response.status();
        let header_bytes = headers::size(response.headers());
        intake.received.wire.fetch_add(header_bytes, Ordering::Relaxed);
        if header_bytes > u64::from(self.config.header_bytes_max) {
            let max = in_words(u64::from(self.config.header_bytes_max));
            let reason = format!("the headers of the answer are longer than {max}");
            return failed(Some(status), reason);
        }
        match status.as_u16() {
            200 | 203 => self.content(response, request.now, intake).await,
            304 if conditional => Outcome::NotModified,
            301 | 302 | 303 | 307 | 308 => self.redirect(url, &response),
            _ => self.refusal(&response, request.now),
        }
    }

    /// Where a redirect leads, if that may be asked.
    fn redirect(&self, from: &Url, response: &Response) -> Outcome {
        let status = response.status();
        let Some(location) = response.headers().get(LOCATION) else {
            let reason = format!("{}, but not where to go", reason::of_status(status));
            return failed(Some(status), reason);
        };
        // Servers send raw UTF-8 here, whatever the standard says.
        let text = std::str::from_utf8(location.as_bytes()).ok();
        let Some(to) = text.and_then(|text| from.join(text).ok()) else {
            let reason = "the server redirected to an address that cannot be read".to_owned();
            return failed(Some(status), reason);
        };
        match self.refusal_of(&to) {
            Some(reason) => failed(Some(status), reason),
            None => Outcome::Moved { to: plain(&to) },
        }
    }

    async fn content(&self, response: Response, now: Instant, intake: &mut Intake<'_>) -> Outcome {
        let status = response.status();
        let validators = headers::usable_validators(response.headers(), now);
        let content_type = headers::content_type(response.headers());
        let final_url = plain(response.url());
        match body::read(response, &self.config, &intake.received, intake.share).await {
            Ok(body) => Outcome::Content(Content {
                status: status.as_u16(),
                body,
                content_type,
                final_url,
                etag: validators.etag,
                last_modified: validators.last_modified,
                modified_at: validators.modified_at,
            }),
            Err(Unread::Failed(reason)) => failed(Some(status), reason),
            Err(Unread::SetAside(why)) => Outcome::SetAside(why),
        }
    }

    /// An answer that is neither content nor a redirect.
    fn refusal(&self, response: &Response, now: Instant) -> Outcome {
        let status = response.status();
        let max = self.config.retry_after_max;
        let holds_host = matches!(status.as_u16(), 429 | 503);
        let reason = match status.as_u16() {
            304 => "the server answered 304 Not Modified although nothing was known before".into(),
            _ => reason::of_status(status),
        };
        Outcome::Failed(Failure {
            status: Some(status.as_u16()),
            reason,
            holds_host,
            retry_after: headers::retry_after(response.headers(), now, max),
        })
    }
}

/// What comes of `attempt` within the time, its waits for memory not counted.
async fn within<T>(limit: Span, wait: &Wait, attempt: impl Future<Output = T>) -> Option<T> {
    let (began, limit) = (tokio::time::Instant::now(), duration(limit));
    let mut attempt = std::pin::pin!(attempt);
    loop {
        let used = began.elapsed().saturating_sub(wait.total());
        let left = limit.checked_sub(used).filter(|left| !left.is_zero())?;
        if let Ok(done) = tokio::time::timeout(left, &mut attempt).await {
            return Some(done);
        }
    }
}

/// The conditional headers for `url`: none if the validators are another URL's.
fn conditions(validators: &Validators, url: &Url) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let own = Url::parse(&validators.url).is_ok_and(|theirs| plain(&theirs) == plain(url));
    if !own {
        return headers;
    }
    let value = |text: &Option<String>| HeaderValue::from_str(text.as_deref()?).ok();
    if let Some(etag) = value(&validators.etag) {
        headers.insert(IF_NONE_MATCH, etag);
    }
    if let Some(last_modified) = value(&validators.last_modified) {
        headers.insert(IF_MODIFIED_SINCE, last_modified);
    }
    headers
}

fn failed(status: Option<StatusCode>, reason: String) -> Outcome {
    let status = status.map(|status| status.as_u16());
    Outcome::Failed(Failure { status, reason, holds_host: false, retry_after: None })
}

/// The URL without fragment and credentials.
fn plain(url: &Url) -> String {
    let mut url = url.clone();
    url.set_fragment(None);
    // Both fail only for URLs that cannot have credentials.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.into()
}

/// See [`crate::host_of`].
pub(crate) fn host_name(url: &Url) -> Option<String> {
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    let host = url.host_str()?;
    Some(match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    })
}
