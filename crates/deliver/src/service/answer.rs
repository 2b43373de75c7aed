//! What the answers of services mean: delivered, later (and when), or never again.

use super::hidden::Hidden;
use super::said;
use crate::Delivered;
use crate::http::{Answer, named, retry_after};
use address::ChannelKind;
use chronon::{Instant, Span};
use reqwest::header::{HeaderMap, LOCATION};
use serde_json::Value;

/// An answer to be read.
pub(super) struct Read<'a> {
    pub(super) kind: ChannelKind,
    pub(super) host: &'a str,
    pub(super) answer: &'a Answer,
    /// What of the answer is not shown.
    pub(super) hidden: &'a Hidden,
}

/// What an answer says beyond its status.
#[derive(Default)]
struct Said {
    /// Not delivered, although the status is a success.
    refused: bool,
    /// Nothing sent there will ever arrive.
    never: bool,
    /// In the service's words.
    why: Option<String>,
    after: Option<Span>,
}

impl Read<'_> {
    /// How the attempt ended. A wait that is asked for counts up to `max`.
    pub(super) fn judge(&self, now: Instant, max: Span) -> Delivered {
        let Read { host, answer, .. } = self;
        let status = answer.status;
        let said = self.said(now, max);
        // One that broke off has been received: telling it again would tell it twice.
        if status.is_success() && !(said.refused && answer.whole) {
            return Delivered::Delivered;
        }
        let redirects = status.is_redirection() && answer.headers.contains_key(LOCATION);
        let hint = if redirects { ", and redirects are not followed" } else { "" };
        let why =
            said.why.filter(|why| !why.is_empty()).map(|why| super::said(&self.hidden.hide(&why)));
        let why = why.map(|why| format!(": {why}")).unwrap_or_default();
        let reason = format!("{host} answered {}{hint}{why}", named(status));
        if said.never || status.as_u16() == 410 {
            return Delivered::Gone { reason };
        }
        let after = said.after.or_else(|| retry_after(&answer.headers, now, max));
        Delivered::Failed { reason, after: after.map(|after| after.min(max)) }
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.answer.body).unwrap_or_default()
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.answer.body).into_owned()
    }

    fn said(&self, now: Instant, max: Span) -> Said {
        let status = self.answer.status.as_u16();
        let json = self.json();
        let text = |name: &str| json[name].as_str().map(str::to_owned);
        let headers = &self.answer.headers;
        match self.kind {
            // {"code": 42901, "http": 429, "error": "limit reached: …"}
            ChannelKind::Ntfy => Said { why: text("error"), ..Said::default() },
            ChannelKind::Gotify => {
                Said { why: text("errorDescription").or_else(|| text("error")), ..Said::default() }
            }
            ChannelKind::Slack => slack(status, &self.text()),
            ChannelKind::Discord => discord(self.answer, &json, max),
            ChannelKind::Mattermost => Said {
                why: text("message"),
                after: (status == 429)
                    .then(|| header(headers, "x-ratelimit-reset"))
                    .and_then(|seconds| span(seconds, max)),
                ..Said::default()
            },
            ChannelKind::Teams => teams(&self.text(), &json),
            ChannelKind::Telegram => Said {
                refused: json["ok"] == false,
                never: status == 403,
                why: text("description").map(
                    |why| match json["parameters"]["migrate_to_chat_id"] {
                        Value::Null => why,
                        ref to => format!("{why}; the chat is now {to}"),
                    },
                ),
                after: span(json["parameters"]["retry_after"].as_f64(), max),
            },
            ChannelKind::Matrix => Said {
                never: status == 403 && json["errcode"] == "M_FORBIDDEN",
                why: text("error").or_else(|| text("errcode")),
                after: span(json["retry_after_ms"].as_f64().map(|ms| ms / 1_000.0), max),
                ..Said::default()
            },
            ChannelKind::Pushover => Said {
                refused: json["status"] != 1,
                never: (400..500).contains(&status) && json["user"] == "invalid",
                why: json["errors"].as_array().map(|errors| {
                    errors.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
                }),
                after: (status == 429)
                    .then(|| header(headers, "x-limit-app-reset"))
                    .flatten()
                    .and_then(|at| until(at, now, max)),
            },
            ChannelKind::Signal => Said { why: text("error"), ..Said::default() },
            ChannelKind::Apprise => Said {
                // 204: it has no configuration of that key, and told nobody.
                refused: status == 204,
                why: text("error").or_else(|| {
                    (status == 204).then(|| "it has no services of that key".to_owned())
                }),
                ..Said::default()
            },
            ChannelKind::Interactive
            | ChannelKind::Terminal
            | ChannelKind::Email
            | ChannelKind::Webhook
            | ChannelKind::Mqtt
            | ChannelKind::Command => Said::default(),
        }
    }
}

/// How long to wait is in the body, unless something in front of Discord answers.
fn discord(answer: &Answer, json: &Value, max: Span) -> Said {
    let status = answer.status.as_u16();
    let in_front = (status == 429).then(|| header(&answer.headers, "x-ratelimit-reset-after"));
    Said {
        // 10015: no such webhook; 50027: its token is another one.
        never: status == 404 && json["code"] == 10_015 || status == 401 && json["code"] == 50_027,
        why: json["message"].as_str().map(str::to_owned),
        after: span(json["retry_after"].as_f64().or(in_front.flatten()), max),
        ..Said::default()
    }
}

/// Plain words: `ok`, or `no_service`, `channel_is_archived`, …
fn slack(status: u16, text: &str) -> Said {
    const NEVER: [&str; 5] = [
        "no_service",
        "no_active_hooks",
        "channel_is_archived",
        "channel_not_found",
        "user_not_found",
    ];
    let word = said(text);
    Said {
        refused: word != "ok",
        never: (400..500).contains(&status) && NEVER.contains(&word.as_str()),
        why: Some(text.to_owned()),
        ..Said::default()
    }
}

/// A workflow answers with a status. The connectors before it answered 200 whatever came of it,
/// and said in words that Teams itself had refused.
fn teams(text: &str, json: &Value) -> Said {
    let refused = text.contains("HTTP error ");
    let why = json["error"]["message"].as_str().map(str::to_owned);
    Said { refused, why: why.or_else(|| refused.then(|| text.to_owned())), ..Said::default() }
}

fn header(headers: &HeaderMap, name: &str) -> Option<f64> {
    headers.get(name)?.to_str().ok()?.trim().parse().ok()
}

/// Seconds as a wait of at most `max`, rounded up.
fn span(seconds: Option<f64>, max: Span) -> Option<Span> {
    let seconds = seconds.filter(|seconds| seconds.is_finite() && *seconds > 0.0)?;
    let most = max.as_millis() as f64;
    Some(Span::from_millis((seconds * 1_000.0).ceil().min(most) as i64))
}

/// The wait until a time in seconds since 1970.
fn until(at: f64, now: Instant, max: Span) -> Option<Span> {
    span(Some(at - now.as_millis() as f64 / 1_000.0), max)
}
