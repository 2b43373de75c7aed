//! Services that people are told by: one function per kind, from a notification and the channel's
//! settings to an HTTP request. What their answers mean is in [`answer`].

mod answer;
mod hidden;

use crate::brief::{Brief, Dialect, Limit};
use crate::http::{Http, Request};
use crate::links::Home;
use crate::render::clean_line;
use crate::{Delivered, Delivery, Secret};
use address::ChannelKind;
use notice::Kind;
use reqwest::Method;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt;
use url::Url;

/// Bytes read of an answer.
const ANSWER_BYTES_MAX: usize = 256 * 1024;

/// A service with what its `[channels.NAME]` says.
#[derive(Clone)]
pub struct Service {
    kind: ChannelKind,
    fields: BTreeMap<&'static str, Secret>,
}

impl Service {
    /// The fields are those of [`ChannelKind::fields`]; others are not looked at.
    pub fn new(
        kind: ChannelKind,
        fields: impl IntoIterator<Item = (&'static str, String)>,
    ) -> Service {
        let fields = fields.into_iter().map(|(name, value)| (name, Secret::new(value)));
        Service { kind, fields: fields.collect() }
    }
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields: Vec<_> = self.fields.keys().collect();
        f.debug_struct("Service").field("kind", &self.kind).field("fields", &fields).finish()
    }
}

/// What one request is made of.
struct Letter<'a> {
    brief: Brief,
    service: &'a Service,
    contact: Option<&'a str>,
    key: &'a str,
}

/// A request, or a sentence that says why there is none.
type Made = Result<Request, String>;

/// One attempt.
pub(crate) async fn send(
    http: &Http,
    home: Option<Home<'_>>,
    service: &Service,
    delivery: &Delivery<'_>,
) -> Delivered {
    let brief = Brief::of(delivery, home).worded(delivery.wording());
    let letter = Letter { brief, service, contact: delivery.contact, key: delivery.key };
    let request = match letter.request() {
        Ok(request) => request,
        Err(reason) => return Delivered::failed(reason),
    };
    let host = request.url.host_str().unwrap_or("(no host)").to_owned();
    match http.ask(request).await {
        Ok(answer) => {
            let hidden = hidden::Hidden::of(service, delivery.contact);
            let kind = service.kind;
            let read = answer::Read { kind, host: &host, answer: &answer, hidden: &hidden };
            read.judge(delivery.now, http.retry_after_max)
        }
        Err(reason) => Delivered::failed(reason),
    }
}

impl Letter<'_> {
    fn request(&self) -> Made {
        match self.service.kind {
            ChannelKind::Ntfy => self.ntfy(),
            ChannelKind::Gotify => self.gotify(),
            ChannelKind::Slack => self.slack(),
            ChannelKind::Discord => self.discord(),
            ChannelKind::Mattermost => self.mattermost(),
            ChannelKind::Teams => self.teams(),
            ChannelKind::Telegram => self.telegram(),
            ChannelKind::Matrix => self.matrix(),
            ChannelKind::Pushover => self.pushover(),
            ChannelKind::Signal => self.signal(),
            ChannelKind::Apprise => self.apprise(),
            ChannelKind::Interactive
            | ChannelKind::Terminal
            | ChannelKind::Email
            | ChannelKind::Webhook
            | ChannelKind::Mqtt
            | ChannelKind::Command => {
                Err(format!("`{}` is told in another way", self.service.kind.name()))
            }
        }
    }

    /// A field of the channel; the sentinel's contact goes before the channel's own.
    fn field(&self, name: &str) -> Option<&str> {
        let contact = self.contact.filter(|_| self.service.kind.contact_field() == Some(name));
        contact.or_else(|| self.service.fields.get(name).map(Secret::reveal))
    }

    /// The channel's token, for the channel's own server alone: a sentinel may name another one.
    fn own_token(&self) -> Option<&str> {
        let origin = |text: &str| Url::parse(text).ok().map(|url| url.origin());
        let own = self.service.fields.get("url").map(Secret::reveal).and_then(origin);
        match self.contact {
            Some(contact) if own.is_none() || own != origin(contact) => None,
            _ => self.service.fields.get("token").map(Secret::reveal),
        }
    }

    fn needed(&self, name: &str) -> Result<&str, String> {
        self.field(name).ok_or_else(|| {
            let kind = self.service.kind.name();
            format!("the {kind} channel has no `{name}`; the configuration must give one")
        })
    }

    fn url(&self) -> Result<Url, String> {
        self.url_or(None)
    }

    fn url_or(&self, usual: Option<&str>) -> Result<Url, String> {
        let text = match (self.field("url"), usual) {
            (Some(own), _) => own,
            (None, Some(usual)) => usual,
            (None, None) => self.needed("url")?,
        };
        Url::parse(text).map_err(|_| "the channel's URL cannot be read".to_owned())
    }

    fn priority(&self) -> Option<i64> {
        self.field("priority").and_then(|text| text.parse().ok())
    }

    /// <https://docs.ntfy.sh/publish/#publish-as-json>: 4,096 bytes, beyond which a message becomes
    /// an attachment.
    fn ntfy(&self) -> Made {
        let mut url = self.url()?;
        let path = url.path().trim_end_matches('/').to_owned();
        let (base, topic) = path.rsplit_once('/').unwrap_or(("", &path));
        if topic.is_empty() {
            return Err("the ntfy address names no topic; write https://ntfy.sh/TOPIC".to_owned());
        }
        let mut body = json!({
            "topic": topic,
            "title": self.brief.title(200),
            "message": self.brief.text(Dialect::Markdown, Limit::Bytes(4_000)),
            "markdown": true,
        });
        self.urgency(&mut body);
        if let Some(link) = &self.brief.link {
            body["click"] = link.as_str().into();
        }
        if matches!(
            self.brief.kind,
            Kind::SourceFailing | Kind::SelectorMissing | Kind::ChannelFailing
        ) {
            body["tags"] = json!(["warning"]);
        }
        let base = format!("{base}/");
        url.set_path(&base);
        url.set_query(None);
        let mut headers = HeaderMap::new();
        if let Some(token) = self.own_token() {
            headers.insert(AUTHORIZATION, bearer(token)?);
        }
        Ok(posted(url, headers, &body))
    }

    /// <https://gotify.net/docs/pushmsg>, <https://gotify.net/docs/msgextras>.
    fn gotify(&self) -> Made {
        let mut url = self.url()?;
        if url.path_segments().and_then(Iterator::last) != Some("message") {
            url = below(url, &["message"]);
        }
        let mut headers = HeaderMap::new();
        match self.own_token() {
            Some(token) => {
                let name = HeaderName::from_static("x-gotify-key");
                headers.insert(name, sensitive(token)?);
            }
            None if url.query_pairs().any(|(name, _)| name == "token") => {}
            None => return Err("the gotify channel has no `token`".to_owned()),
        }
        let mut extras = json!({"client::display": {"contentType": "text/markdown"}});
        if let Some(link) = &self.brief.link {
            extras["client::notification"] = json!({"click": {"url": link}});
        }
        let mut body = json!({
            "title": self.brief.title(200),
            "message": self.brief.text(Dialect::Markdown, Limit::Chars(20_000)),
            "extras": extras,
        });
        self.urgency(&mut body);
        Ok(posted(url, headers, &body))
    }

    /// <https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks>: a header of 150
    /// characters, a section of 3,000.
    fn slack(&self) -> Made {
        let text = self.brief.text(Dialect::Slack, Limit::Units(2_950));
        let title = self.brief.title(150);
        let mut blocks =
            vec![json!({"type": "header", "text": {"type": "plain_text", "text": title}})];
        if !text.is_empty() {
            blocks.push(json!({"type": "section", "text": {"type": "mrkdwn", "text": text}}));
        }
        // What notifications show, in which `<!channel>` would call everybody.
        let fallback = title.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let body = json!({"text": fallback, "blocks": blocks, "unfurl_links": false});
        Ok(posted(self.url()?, HeaderMap::new(), &body))
    }

    /// <https://docs.discord.com/developers/resources/webhook#execute-webhook>: an embed with a
    /// title of 256 characters and a description of 4,096.
    fn discord(&self) -> Made {
        let mut url = self.url()?;
        url.query_pairs_mut().append_pair("wait", "true");
        let mut embed = json!({
            "title": self.brief.title(250),
            "description": self.brief.text(Dialect::Markdown, Limit::Units(4_000)),
        });
        if let Some(link) = self.brief.link.as_ref().filter(|link| link.len() <= 2_000) {
            embed["url"] = link.as_str().into();
        }
        if !self.brief.at.is_empty() {
            embed["timestamp"] = self.brief.at.as_str().into();
        }
        let body = json!({"embeds": [embed], "allowed_mentions": {"parse": []}});
        Ok(posted(url, HeaderMap::new(), &body))
    }

    /// <https://developers.mattermost.com/integrate/webhooks/incoming/>: 16,383 characters.
    fn mattermost(&self) -> Made {
        let title = self.brief.title(250);
        let text = self.brief.text(Dialect::Mattermost, Limit::Chars(16_000));
        let title = Dialect::Mattermost.strong(&title);
        let mut body = json!({"text": format!("{title}\n{text}")});
        if let Some(room) = self.field("room") {
            body["channel"] = room.into();
        }
        Ok(posted(self.url()?, HeaderMap::new(), &body))
    }

    /// An adaptive card, as the template "Post to a channel when a webhook request is received"
    /// takes it; 28 KB for the whole message.
    /// <https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using>
    fn teams(&self) -> Made {
        let text = self.brief.joined(Dialect::Markdown, Limit::Bytes(16_000), "\n\n");
        let mut card = json!({
            "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
            "type": "AdaptiveCard",
            "version": "1.4",
            "body": [
                {"type": "TextBlock", "size": "Medium", "weight": "Bolder", "wrap": true,
                    "text": Dialect::Markdown.escape(&self.brief.title(250))},
                {"type": "TextBlock", "wrap": true, "text": text},
            ],
            "msteams": {"width": "Full"},
        });
        if let Some(link) = &self.brief.link {
            card["actions"] =
                json!([{"type": "Action.OpenUrl", "title": "Open the page", "url": link}]);
        }
        let body = json!({"type": "message", "attachments": [{
            "contentType": "application/vnd.microsoft.card.adaptive",
            "contentUrl": null,
            "content": card,
        }]});
        Ok(posted(self.url()?, HeaderMap::new(), &body))
    }

    /// <https://core.telegram.org/bots/api#sendmessage>: 4,096 characters after entities are read;
    /// they are counted before, as UTF-16.
    fn telegram(&self) -> Made {
        let url = self.url_or(Some("https://api.telegram.org/"))?;
        let token = self.needed("token")?;
        let bot = format!("bot{token}");
        let title = Dialect::Html.strong(&self.brief.title(250));
        let text = self.brief.text(Dialect::Html, Limit::Units(3_500));
        let mut body = json!({
            "chat_id": self.needed("chat")?,
            "text": format!("{title}\n{text}"),
            "parse_mode": "HTML",
            "link_preview_options": {"is_disabled": true},
        });
        if let Some(thread) = self.field("thread") {
            let number: i64 = thread.parse().map_err(|_| "`thread` is not a number".to_owned())?;
            body["message_thread_id"] = number.into();
        }
        Ok(posted(below(url, &[&bot, "sendMessage"]), HeaderMap::new(), &body))
    }

    /// <https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid>:
    /// 64 KiB for an event, which the same transaction id keeps from being sent twice.
    fn matrix(&self) -> Made {
        let (room, key) = (self.needed("room")?, self.key);
        let path = ["_matrix", "client", "v3", "rooms", room, "send", "m.room.message", key];
        let url = below(self.url()?, &path);
        let title = self.brief.title(250);
        let plain = self.brief.text(Dialect::Plain, Limit::Bytes(16_000));
        let html = self.brief.joined(Dialect::Html, Limit::Bytes(24_000), "<br>");
        let strong = Dialect::Html.strong(&title);
        let body = json!({
            "msgtype": "m.text",
            "body": format!("{title}\n{plain}"),
            "format": "org.matrix.custom.html",
            "formatted_body": format!("{strong}<br>{html}"),
            "m.mentions": {},
        });
        let token = bearer(self.needed("token")?)?;
        let headers = HeaderMap::from_iter([(AUTHORIZATION, token)]);
        Ok(Request { method: Method::PUT, ..posted(url, headers, &body) })
    }

    /// <https://pushover.net/api>: a message of 1,024 characters, a title of 250, a URL of 512.
    fn pushover(&self) -> Made {
        let url = self.url_or(Some("https://api.pushover.net/"))?;
        let text = self.brief.text(Dialect::Plain, Limit::Chars(1_000));
        let title = self.brief.title(250);
        // A message may not be empty.
        let text = if text.is_empty() { &title } else { &text };
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        form.append_pair("token", self.needed("token")?);
        form.append_pair("user", self.needed("user")?);
        form.append_pair("title", &title).append_pair("message", text);
        if let Some(link) = self.brief.link.as_ref().filter(|link| link.chars().count() <= 512) {
            form.append_pair("url", link).append_pair("url_title", "Open the page");
        }
        if let Some(priority) = self.priority() {
            form.append_pair("priority", &priority.to_string());
        }
        let kind = HeaderValue::from_static("application/x-www-form-urlencoded");
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, kind)]);
        let body = form.finish().into_bytes();
        let url = below(url, &["1", "messages.json"]);
        Ok(Request { method: Method::POST, url, headers, body, read: ANSWER_BYTES_MAX })
    }

    /// <https://bbernhard.github.io/signal-cli-rest-api/>, `/v2/send`: 2,000 characters, beyond
    /// which Signal sends an attachment.
    fn signal(&self) -> Made {
        let title = self.brief.title(250);
        let text = self.brief.text(Dialect::Plain, Limit::Units(1_700));
        let body = json!({
            "message": format!("{title}\n{text}"),
            "number": self.needed("from")?,
            "recipients": [self.needed("to")?],
        });
        Ok(posted(below(self.url()?, &["v2", "send"]), HeaderMap::new(), &body))
    }

    /// <https://github.com/caronc/apprise-api#api-details>: the services behind it divide what is
    /// too long for them.
    fn apprise(&self) -> Made {
        let kind = match self.brief.kind {
            Kind::SourceFailing | Kind::SelectorMissing | Kind::ChannelFailing => "warning",
            Kind::SourceRecovered | Kind::SelectorFound => "success",
            Kind::Change | Kind::Rule | Kind::Digest | Kind::ChannelTest => "info",
        };
        let mut body = json!({
            "title": self.brief.title(200),
            "body": self.brief.text(Dialect::Markdown, Limit::Chars(10_000)),
            "type": kind,
            "format": "markdown",
        });
        if let Some(tag) = self.field("tag") {
            body["tag"] = tag.into();
        }
        Ok(posted(self.url()?, HeaderMap::new(), &body))
    }

    fn urgency(&self, body: &mut Value) {
        if let Some(priority) = self.priority() {
            body["priority"] = priority.into();
        }
    }
}

impl Dialect {
    /// One line that stands out.
    fn strong(self, text: &str) -> String {
        let text = self.escape(text);
        match self {
            Dialect::Html => format!("<b>{text}</b>"),
            Dialect::Slack => format!("*{text}*"),
            Dialect::Markdown | Dialect::Mattermost => format!("**{text}**"),
            Dialect::Plain => text,
        }
    }
}

/// A path below a URL, each segment encoded as needed.
fn below(mut url: Url, path: &[&str]) -> Url {
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().extend(path);
    }
    url
}

fn posted(url: Url, mut headers: HeaderMap, body: &Value) -> Request {
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let body = body.to_string().into_bytes();
    Request { method: Method::POST, url, headers, body, read: ANSWER_BYTES_MAX }
}

fn bearer(token: &str) -> Result<HeaderValue, String> {
    sensitive(&format!("Bearer {token}"))
}

fn sensitive(text: &str) -> Result<HeaderValue, String> {
    let mut value = HeaderValue::from_str(text)
        .map_err(|_| "the channel's token cannot be sent in a header".to_owned())?;
    value.set_sensitive(true);
    Ok(value)
}

/// What a service says of a failure, on one line.
fn said(text: &str) -> String {
    clean_line(text, 200)
}
