//! A receiver of webhooks that believes nothing: it verifies every signature and keeps everything.

use crate::harness::{PATIENCE, left};
use crate::wire::{Listener, Reply, Request};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The secret of every receiver here: `whsec_` and base64 of what follows.
const KEY: &[u8] = b"a key of thirty-two bytes, or so";

/// A notification that came.
#[derive(Debug, Clone)]
pub struct Delivery {
    pub key: String,
    pub attempt: u32,
    pub bytes: Vec<u8>,
    pub body: Value,
    /// What the receiver answered: 204, another status, or 0 for a cut connection.
    pub answered: u16,
}

/// A receiver on a free port.
pub struct Hook {
    listener: Listener,
    deliveries: Receiver<Result<Delivery, String>>,
}

impl Hook {
    /// One that takes everything.
    pub fn start() -> Hook {
        Hook::answering(|_| Reply::status(204))
    }

    /// One that answers as told; what it answers is kept with the delivery.
    pub fn answering(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Hook {
        let (sender, deliveries) = channel();
        let listener = Listener::start(move |request| {
            let reply = answer(&request);
            let answered = match &reply {
                Reply::Answer { status, .. } => *status,
                Reply::Cut => 0,
            };
            // The test may have ended.
            let _ = sender.send(verify(&request, answered));
            reply
        });
        Hook { listener, deliveries }
    }

    /// The settings of a channel `name` that leads here.
    pub fn channel(&self, name: &str) -> String {
        let (url, secret) = (self.listener.url(1, "/hook"), STANDARD.encode(KEY));
        format!(
            "[channels.{name}]\nkind = \"webhook\"\nurl = \"{url}\"\nsecret = \"whsec_{secret}\"\n"
        )
    }

    /// What a channel is made with that leads here, as JSON.
    pub fn made(&self) -> String {
        let (url, secret) = (self.listener.url(1, "/hook"), self.secret());
        serde_json::json!({"kind": "webhook", "url": url, "secret": secret}).to_string()
    }

    /// The secret of its signatures.
    pub fn secret(&self) -> String {
        format!("whsec_{}", STANDARD.encode(KEY))
    }

    /// What comes next, verified.
    pub fn next(&self) -> Delivery {
        self.next_before(Instant::now() + PATIENCE).expect("a delivery in time")
    }

    /// What comes next until a moment; `None` if nothing did.
    pub fn next_before(&self, deadline: Instant) -> Option<Delivery> {
        let delivery = self.deliveries.recv_timeout(left(deadline)).ok()?;
        Some(delivery.unwrap_or_else(|why| panic!("a delivery that is not as promised: {why}")))
    }

    /// What came and has not been looked at.
    pub fn nothing_more(&self) -> bool {
        self.next_before(Instant::now()).is_none()
    }
}

/// `docs/formats.md`, Webhook, word by word.
fn verify(request: &Request, answered: u16) -> Result<Delivery, String> {
    let header = |name: &str| request.header(name).ok_or_else(|| format!("no {name}"));
    let key = header("webhook-id")?.to_owned();
    let timestamp = header("webhook-timestamp")?;
    if request.method != "POST" || header("idempotency-key")? != key {
        return Err(format!("{} with another Idempotency-Key", request.method));
    }
    let age = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs() as i64
        - timestamp.parse::<i64>().map_err(|error| error.to_string())?;
    if !(-60..=60).contains(&age) {
        return Err(format!("its timestamp is {age} s old"));
    }
    let mut mac = Hmac::<Sha256>::new_from_slice(KEY).expect("any length will do");
    mac.update(format!("{key}.{timestamp}.").as_bytes());
    mac.update(&request.body);
    let expected = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
    if header("webhook-signature")? != expected {
        return Err("its signature is wrong".into());
    }
    let body: Value = serde_json::from_slice(&request.body).map_err(|error| error.to_string())?;
    if body["format"] != 1 || body["id"] != key.as_str() {
        return Err(format!("its body is of another notification: {body}"));
    }
    let attempt = header("tidings-attempt").map_or(Ok(0), str::parse::<u32>);
    let attempt = attempt.map_err(|error| error.to_string())?;
    Ok(Delivery { key, attempt, bytes: request.body.clone(), body, answered })
}

/// Until this moment, as a deadline in the future.
pub fn within(millis: u64) -> Instant {
    Instant::now() + Duration::from_millis(millis)
}
