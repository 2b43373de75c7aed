//! What `docs/formats.md`, Webhook promises, over real sockets.

use crate::fixture::*;
use chronon::{Instant, Span};
use deliver::{Channel, Config, Delivered, Delivery, WebhookSecret};

const OK: &str = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

fn channel(url: Option<&str>) -> Channel {
    let secret = WebhookSecret::parse("whsec_dGlkaW5ncy10ZXN0LXNlY3JldC0wMTIz").unwrap();
    Channel::Webhook { url: url.map(str::to_owned), secret: Some(secret) }
}

async fn answered(answer: &str) -> Delivered {
    let receiver = Receiver::answering(answer).await;
    let channel = channel(Some(&receiver.url));
    deliverer(Config::default()).deliver(&delivery(&channel, None)).await
}

#[tokio::test]
async fn a_webhook_is_the_frozen_body_with_its_key_and_its_signature() {
    let receiver = Receiver::answering(OK).await;
    let channel = channel(Some(&receiver.url));
    let delivered = deliverer(Config::default()).deliver(&delivery(&channel, None)).await;
    assert_eq!(delivered, Delivered::Delivered);
    let [received] = &receiver.received()[..] else { panic!("more or less than one request") };
    assert!(received.head.contains("post /hook/t0ken http/1.1\r\n"), "{}", received.head);
    assert_eq!(received.body, BODY.as_bytes());
    assert_eq!(received.header("content-type"), "application/json");
    assert_eq!(received.header("webhook-id"), KEY);
    assert_eq!(received.header("idempotency-key"), KEY);
    assert_eq!(received.header("webhook-timestamp"), "1798761610");
    // Computed with Python's hmac and hashlib.
    assert_eq!(
        received.header("webhook-signature"),
        "v1,01aV1OFTBKmGDdoGojeAH3bRQvxs6y8oqMSX9L0e5CY="
    );
}

#[tokio::test]
async fn nothing_but_headers_differs_between_attempts() {
    let receiver = Receiver::answering(OK).await;
    let channel = channel(Some(&receiver.url));
    let deliverer = deliverer(Config::default());
    let first = delivery(&channel, None);
    let second = Delivery { attempt: 2, now: NOW + Span::from_secs(5), ..first.clone() };
    deliverer.deliver(&first).await;
    deliverer.deliver(&second).await;
    let [a, b] = &receiver.received()[..] else { panic!("more or less than two requests") };
    assert_eq!((a.header("webhook-id"), &a.body), (b.header("webhook-id"), &b.body));
    assert_eq!(b.header("webhook-timestamp"), "1798761615");
    assert_eq!(b.header("webhook-signature"), "v1,O5gshIaoctWqePtVTSOsJnzBX6FbjcSWuAJb++TKnLs=");
}

#[tokio::test]
async fn a_channel_without_a_secret_sends_no_signature() {
    let receiver = Receiver::answering(OK).await;
    let channel = Channel::Webhook { url: Some(receiver.url.clone()), secret: None };
    deliverer(Config::default()).deliver(&delivery(&channel, None)).await;
    assert_eq!(receiver.received()[0].header("webhook-signature"), "");
}

#[tokio::test]
async fn every_2xx_is_delivered_and_410_is_gone() {
    for status in ["200 OK", "201 Created", "202 x", "204 No Content", "299 x"] {
        let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
        assert_eq!(answered(&answer).await, Delivered::Delivered, "{status}");
    }
    let gone = answered("HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n").await;
    let reason = "the recipient answered 410 Gone: it wants no more notifications".to_owned();
    assert_eq!(gone, Delivered::Gone { reason });
}

#[tokio::test]
async fn everything_else_is_tried_again_and_says_why() {
    for (status, said) in [
        ("304 x", "127.0.0.1 answered 304 Not Modified"),
        ("400 x", "127.0.0.1 answered 400 Bad Request"),
        ("401 x", "127.0.0.1 answered 401 Unauthorized"),
        ("404 x", "127.0.0.1 answered 404 Not Found"),
        ("500 x", "127.0.0.1 answered 500 Internal Server Error"),
        ("599 x", "127.0.0.1 answered 599"),
    ] {
        let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
        let failed = Delivered::Failed { reason: said.to_owned(), after: None };
        assert_eq!(answered(&answer).await, failed);
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    for status in ["301 x", "302 x", "303 x", "307 x", "308 x"] {
        let target = Receiver::answering(OK).await;
        let url = &target.url;
        let answer = format!("HTTP/1.1 {status}\r\nLocation: {url}\r\nContent-Length: 0\r\n\r\n");
        assert!(reason(answered(&answer).await).ends_with("redirects are not followed"));
        assert!(target.received().is_empty());
    }
}

#[tokio::test]
async fn retry_after_is_passed_on() {
    for (value, expected) in [
        ("30", Some(Span::from_secs(30))),
        ("Fri, 01 Jan 2027 00:01:10 GMT", Some(Span::MINUTE)),
        ("999999999", Some(Span::DAY)),
        ("0", None),
        ("soon", None),
    ] {
        for status in ["429 x", "503 x", "500 x"] {
            let answer =
                format!("HTTP/1.1 {status}\r\nRetry-After: {value}\r\nContent-Length: 0\r\n\r\n");
            match answered(&answer).await {
                Delivered::Failed { after, .. } => assert_eq!(after, expected, "{value}"),
                other => panic!("{other:?}"),
            }
        }
    }
}

#[tokio::test]
async fn a_receiver_that_says_nothing_is_given_up_and_no_answer_is_a_failure() {
    let receiver = Receiver::answering("").await;
    let channel = channel(Some(&receiver.url));
    let hasty = Config { webhook_max: Span::from_millis(100), ..Config::default() };
    let said = reason(deliverer(hasty).deliver(&delivery(&channel, None)).await);
    let port = url::Url::parse(&receiver.url).expect("a URL").port().expect("a port");
    assert_eq!(said, format!("127.0.0.1:{port} gave no answer within 100 ms"));
    let garbage = reason(answered("220 mail.test ESMTP\r\n\r\n").await);
    assert!(garbage.starts_with("127.0.0.1:"), "{garbage}");
    assert!(garbage.contains(" gave no answer that can be read"), "{garbage}");
}

#[tokio::test]
async fn the_sentinels_contact_goes_before_the_channels_url() {
    let (own, contact) = (Receiver::answering(OK).await, Receiver::answering(OK).await);
    let deliverer = deliverer(Config::default());
    let both = channel(Some(&own.url));
    deliverer.deliver(&delivery(&both, Some(&contact.url))).await;
    assert_eq!((own.received().len(), contact.received().len()), (0, 1));
    let neither = channel(None);
    let said = reason(deliverer.deliver(&delivery(&neither, None)).await);
    assert!(said.contains("has no URL"), "{said}");
}

#[tokio::test]
async fn loopback_is_told_nothing_where_private_addresses_are_switched_off() {
    let receiver = Receiver::answering(OK).await;
    let strict = Config { allow_private: false, ..Config::default() };
    let deliverer = deliverer(strict);
    for url in [receiver.url.clone(), receiver.url.replace("127.0.0.1", "localhost")] {
        let channel = channel(Some(&url));
        let said = reason(deliverer.deliver(&delivery(&channel, None)).await);
        assert!(said.ends_with("deliver.allow_private allows them"), "{said}");
    }
    assert!(receiver.received().is_empty());
    let named = channel(Some(&receiver.url.replace("127.0.0.1", "localhost")));
    let permissive = crate::fixture::deliverer(Config::default());
    assert_eq!(permissive.deliver(&delivery(&named, None)).await, Delivered::Delivered);
}

#[tokio::test]
async fn metadata_addresses_are_told_nothing_in_any_case() {
    let channel = channel(Some("http://169.254.169.254/latest/meta-data"));
    let said = reason(deliverer(Config::default()).deliver(&delivery(&channel, None)).await);
    assert!(said.contains("cloud metadata addresses"), "{said}");
}

#[tokio::test]
async fn no_reason_and_no_debug_shows_a_url_or_a_secret() {
    let dead = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let dead_url = format!("http://ana:hunter2@{}/hook/t0ken", dead.local_addr().unwrap());
    drop(dead);
    let deliverer = deliverer(Config::default());
    for url in [
        dead_url.as_str(),
        "http://ana:hunter2@169.254.169.254/hook/t0ken",
        "ftp://ana:hunter2@hook.example/t0ken",
        "t0ken hunter2",
        "http://ana:hunter2@[::1/t0ken",
    ] {
        let channel = channel(Some(url));
        let delivered = deliverer.deliver(&delivery(&channel, None)).await;
        let shown = format!("{delivered:?} {channel:?} {deliverer:?}");
        for secret in ["t0ken", "hunter2", "dGlkaW5n", "tidings-test-secret"] {
            assert!(!shown.contains(secret), "{shown}");
        }
        assert!(matches!(delivered, Delivered::Failed { .. }), "{shown}");
    }
}

#[tokio::test]
async fn a_key_that_is_no_header_is_a_failure() {
    let receiver = Receiver::answering(OK).await;
    let channel = channel(Some(&receiver.url));
    let bad = Delivery { key: "k\r\nX-Evil: 1", ..delivery(&channel, None) };
    reason(deliverer(Config::default()).deliver(&bad).await);
    assert!(receiver.received().is_empty());
    let old = Delivery { now: Instant::from_millis(-1), ..delivery(&channel, None) };
    assert_eq!(deliverer(Config::default()).deliver(&old).await, Delivered::Delivered);
    assert_eq!(receiver.received()[0].header("webhook-timestamp"), "-1");
}
