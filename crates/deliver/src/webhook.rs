//! `POST`, signed as Standard Webhooks (`docs/formats.md`, Webhook).

use crate::http::{Answer, Http, Request, named, retry_after};
use crate::{Delivered, Delivery, WebhookSecret};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chronon::Instant;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION};
use sha2::Sha256;
use url::Url;

/// The value of `webhook-signature`: `v1,` and the base64 of HMAC-SHA256 over
/// `key.timestamp.body`. `timestamp` is in seconds since the Unix epoch.
pub fn signature(secret: &WebhookSecret, key: &str, timestamp: i64, body: &[u8]) -> String {
    let mut mac =
        Hmac::<Sha256>::new_from_slice(secret.reveal()).expect("HMAC takes a key of any length");
    mac.update(format!("{key}.{timestamp}.").as_bytes());
    mac.update(body);
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

/// One attempt.
pub(crate) async fn send(
    http: &Http,
    url: &str,
    secret: Option<&WebhookSecret>,
    delivery: &Delivery<'_>,
) -> Delivered {
    let Ok(url) = Url::parse(url) else {
        return Delivered::failed("the webhook's URL cannot be read");
    };
    let host = url.host_str().unwrap_or("(no host)").to_owned();
    let Some(headers) = headers(secret, delivery) else {
        return Delivered::failed("the notification's key cannot be sent in a header");
    };
    let body = delivery.body.to_vec();
    match http.ask(Request { method: Method::POST, url, headers, body, read: 0 }).await {
        Ok(answer) => judge(http, &host, &answer, delivery.now),
        Err(reason) => Delivered::failed(reason),
    }
}

fn judge(http: &Http, host: &str, answer: &Answer, now: Instant) -> Delivered {
    let Answer { status, headers, .. } = answer;
    if status.is_success() {
        return Delivered::Delivered;
    }
    if status.as_u16() == 410 {
        return Delivered::gone("the recipient answered 410 Gone: it wants no more notifications");
    }
    let redirects = status.is_redirection() && headers.contains_key(LOCATION);
    let hint = if redirects { ", and redirects are not followed" } else { "" };
    Delivered::Failed {
        reason: format!("{host} answered {}{hint}", named(*status)),
        after: retry_after(headers, now, http.retry_after_max),
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
}
