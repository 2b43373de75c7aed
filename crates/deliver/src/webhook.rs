//! `POST`, signed as Standard Webhooks (`docs/formats.md`, Webhook).

use crate::guard::{Guard, Refused};
use crate::{Config, Delivered, Delivery, SetupError, WebhookSecret};
use address::Receivers;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chronon::{Instant, Span};
use hmac::{Hmac, KeyInit, Mac};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION, RETRY_AFTER};
use reqwest::{Client, Response, redirect, retry};
use sha2::Sha256;
use std::error::Error;
use std::time::{Duration, UNIX_EPOCH};
use url::Url;

/// How long an unused connection is kept: less than the 5 s after which many servers close theirs.
const IDLE: Duration = Duration::from_secs(4);

/// Sends webhooks.
#[derive(Debug, Clone)]
pub(crate) struct Sender {
    client: Client,
    guard: Guard,
    limit: Span,
    retry_after_max: Span,
}

/// The value of `webhook-signature`: `v1,` and the base64 of HMAC-SHA256 over
/// `key.timestamp.body`. `timestamp` is in seconds since the Unix epoch.
pub fn signature(secret: &WebhookSecret, key: &str, timestamp: i64, body: &[u8]) -> String {
    let mut mac =
        Hmac::<Sha256>::new_from_slice(secret.reveal()).expect("HMAC takes a key of any length");
    mac.update(format!("{key}.{timestamp}.").as_bytes());
    mac.update(body);
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

/// The host of a URL; the rest may hold a token.
pub(crate) fn host_of(url: &str) -> String {
    let url = Url::parse(url).ok();
    url.as_ref().and_then(Url::host_str).unwrap_or("(no host)").to_owned()
}

impl Sender {
    pub(crate) fn new(config: &Config, tls: rustls::ClientConfig) -> Result<Sender, SetupError> {
        let guard = Guard(if config.allow_private {
            Receivers::PublicAndPrivate
        } else {
            Receivers::Public
        });
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
        Ok(Sender { client, guard, limit, retry_after_max })
    }

    pub(crate) async fn send(
        &self,
        url: &str,
        secret: Option<&WebhookSecret>,
        delivery: &Delivery<'_>,
    ) -> Delivered {
        let Ok(url) = Url::parse(url) else {
            return Delivered::failed("the webhook's URL cannot be read");
        };
        let host = url.host_str().unwrap_or("(no host)").to_owned();
        if let Err(refused) = self.guard.check_url(&url) {
            return Delivered::failed(refused.to_string());
        }
        let Some(headers) = headers(secret, delivery) else {
            return Delivered::failed("the notification's key cannot be sent in a header");
        };
        let request = self.client.post(url).headers(headers).body(delivery.body.to_vec());
        let limit = Duration::from_millis(u64::try_from(self.limit.as_millis()).unwrap_or(0));
        match tokio::time::timeout(limit, request.send()).await {
            Ok(Ok(response)) => self.judge(&host, &response, delivery.now),
            Ok(Err(error)) => Delivered::failed(sentence(&host, &error.without_url())),
            Err(_) => Delivered::failed(format!("{host} gave no answer within {}", self.limit)),
        }
    }

    fn judge(&self, host: &str, response: &Response, now: Instant) -> Delivered {
        let status = response.status();
        if status.is_success() {
            return Delivered::Delivered;
        }
        if status.as_u16() == 410 {
            return Delivered::Gone;
        }
        let name = status.canonical_reason().map(|name| format!(" {name}")).unwrap_or_default();
        let redirects = status.is_redirection() && response.headers().contains_key(LOCATION);
        let hint = if redirects { ", and redirects are not followed" } else { "" };
        Delivered::Failed {
            reason: format!("{host} answered {}{name}{hint}", status.as_u16()),
            after: retry_after(response.headers(), now, self.retry_after_max),
        }
    }
}

fn headers(secret: Option<&WebhookSecret>, delivery: &Delivery<'_>) -> Option<HeaderMap> {
    let timestamp = delivery.now.as_millis().div_euclid(1_000);
    let mut headers = HeaderMap::new();
    let mut set = |name: &'static str, value: &str| {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_str(value).ok()?);
        Some(())
    };
    set("webhook-id", delivery.key)?;
    set("idempotency-key", delivery.key)?;
    set("webhook-timestamp", &timestamp.to_string())?;
    set("tidings-attempt", &delivery.attempt.to_string())?;
    if let Some(secret) = secret {
        let signature = signature(secret, delivery.key, timestamp, delivery.body);
        set("webhook-signature", &signature)?;
    }
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Some(headers)
}

/// How long Retry-After asks to wait, at most `max`: seconds, or a date against `now`. No wait, a
/// past date and anything else are no answer.
fn retry_after(headers: &HeaderMap, now: Instant, max: Span) -> Option<Span> {
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
    fn a_signature_is_that_of_the_standards_own_example() {
        // The example of the Standard Webhooks specification; recomputed with Python's hmac.
        let secret = WebhookSecret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let body = br#"{"test": 2432232314}"#;
        assert_eq!(
            signature(&secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body),
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        );
    }

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
