//! Channels by name: from what a sentinel wrote to a sender and its settings.

use crate::settings::{self, Settings};
use address::{ChannelKind, Contact};
use anyhow::{Context, Result};
use chronon::Instant;
use chronon::Span;
use deliver::{
    Channel, Colour, Command, Delivered, Deliverer, Delivery, Format, Mqtt, Secret, Service, Smtp,
    WebhookSecret,
};
use kernel::ChannelInfo;
use notice::LinkKey;
use outbox::{DeliveryResult, Manners, Quiet};
use std::collections::BTreeMap;
use std::io::Write;

/// How a channel's notifications reach somebody.
enum Way {
    /// By being stored: the dashboard shows them.
    Dashboard,
    /// Standard output.
    Terminal,
    Sender(Channel),
}

/// Every channel a sentinel may name.
pub struct Channels {
    deliverer: Deliverer,
    ways: BTreeMap<String, Way>,
    print: Print,
}

/// How a notification is written to standard output.
#[derive(Clone, Copy)]
pub enum Print {
    Text(Colour),
    /// The body a webhook gets, on one line.
    Json,
}

/// What one attempt sends, and to whom.
pub struct Letter<'a> {
    /// The name of the channel.
    pub name: &'a str,
    pub contact: Option<&'a Contact>,
    pub key: &'a str,
    pub body: &'a [u8],
    pub attempt: u32,
    pub now: Instant,
}

/// How long a command may take where nobody says.
const COMMAND_SECONDS: i64 = 30;

fn format_of(channel: &settings::Channel) -> Format {
    match channel.field("format") {
        Some("text") => Format::Text,
        _ => Format::Json,
    }
}

impl Way {
    fn of(channel: &settings::Channel) -> Result<Way> {
        let contact = channel.contact.clone();
        Ok(match channel.kind {
            ChannelKind::Interactive => Way::Dashboard,
            ChannelKind::Terminal => Way::Terminal,
            ChannelKind::Email => Way::Sender(Channel::Email { to: contact }),
            ChannelKind::Webhook => {
                let secret = channel.field("secret").map(WebhookSecret::parse).transpose()?;
                Way::Sender(Channel::Webhook { url: contact, secret })
            }
            ChannelKind::Mqtt => Way::Sender(Channel::Mqtt(Mqtt {
                url: channel.field("url").unwrap_or_default().to_owned(),
                topic: contact,
                user: channel.field("user").map(str::to_owned),
                password: channel.field("password").map(Secret::new),
                format: format_of(channel),
            })),
            ChannelKind::Command => {
                let seconds = channel.field("seconds").and_then(|text| text.parse().ok());
                Way::Sender(Channel::Command(Command {
                    words: channel.words.clone(),
                    format: format_of(channel),
                    limit: Span::from_secs(seconds.unwrap_or(COMMAND_SECONDS)),
                }))
            }
            kind => Way::Sender(Channel::Service(Service::new(kind, channel.texts()))),
        })
    }
}

impl Channels {
    /// The built-in channels and the configured ones.
    pub fn new(settings: &Settings, deliverer: Deliverer, print: Print) -> Result<Channels> {
        let mut ways = BTreeMap::new();
        for kind in ChannelKind::built_in() {
            ways.insert(kind.name().to_owned(), Way::of(&settings::Channel::plain(kind))?);
        }
        for (name, channel) in &settings.channels {
            let way = Way::of(channel).with_context(|| format!("in [channels.{name}]"))?;
            ways.insert(name.to_lowercase(), way);
        }
        Ok(Channels { deliverer, ways, print })
    }

    /// One attempt on a channel; never panics, never takes longer than the sender's limits.
    pub async fn send(&self, letter: Letter<'_>) -> DeliveryResult {
        let Letter { name, contact, key, body, attempt, now } = letter;
        let channel = match self.ways.get(&name.to_lowercase()) {
            None => {
                let reason = format!("the configuration has no channel `{name}` any more");
                return DeliveryResult::Failed { reason: reason.into(), after: None };
            }
            Some(Way::Dashboard) => return DeliveryResult::Delivered,
            Some(Way::Terminal) => return self.print(body),
            Some(Way::Sender(channel)) => channel,
        };
        let contact = contact.map(Contact::reveal);
        let delivery = Delivery { channel, contact, key, body, attempt, now };
        match self.deliverer.deliver(&delivery).await {
            Delivered::Delivered => DeliveryResult::Delivered,
            Delivered::Failed { reason, after } => {
                DeliveryResult::Failed { reason: reason.into(), after }
            }
            Delivered::Gone { reason } => DeliveryResult::Gone { reason: reason.into() },
        }
    }

    fn print(&self, body: &[u8]) -> DeliveryResult {
        let text = match self.print {
            Print::Text(colour) => deliver::render_terminal(body, colour),
            Print::Json => one_line(body),
        };
        let mut out = std::io::stdout().lock();
        match writeln!(out, "{text}").and_then(|()| out.flush()) {
            Ok(()) => DeliveryResult::Delivered,
            Err(error) => {
                let reason = format!("standard output cannot be written: {error}");
                DeliveryResult::Failed { reason: reason.into(), after: None }
            }
        }
    }
}

/// JSON without line ends of its own.
fn one_line(body: &[u8]) -> String {
    match serde_json::from_slice::<serde_json::Value>(body) {
        Ok(value) => value.to_string(),
        // Bodies are composed as JSON; what else it may be is a JSON text.
        Err(_) => serde_json::Value::from(String::from_utf8_lossy(body)).to_string(),
    }
}

/// What the checker must know of every channel.
pub fn infos(settings: &Settings) -> Vec<ChannelInfo> {
    let mut infos = kernel::Config::new(1).channels;
    let trouble = |kind: ChannelKind| -> Option<Box<str>> {
        let without = "no mail server is configured (`host` and `from` below `[smtp]`)";
        (kind == ChannelKind::Email && settings.smtp_host.is_empty()).then(|| without.into())
    };
    for info in &mut infos {
        info.trouble = ChannelKind::named(&info.name).and_then(trouble);
    }
    for (name, channel) in &settings.channels {
        let contact_needed = channel.kind.needs_contact() && channel.contact.is_none();
        infos.retain(|info| info.name != name.to_lowercase());
        let (name, trouble) = (name.to_lowercase(), trouble(channel.kind));
        infos.push(ChannelInfo { name, contact_needed, trouble });
    }
    infos
}

/// How channels want to be told, by name.
pub fn manners(settings: &Settings) -> BTreeMap<Box<str>, Manners> {
    let of = |channel: &settings::Channel| {
        let manners = &channel.manners;
        let zone = manners.timezone.as_ref().unwrap_or(&settings.timezone);
        let quiet =
            manners.quiet_hours.and_then(|hours| Quiet::new(zone.clone(), hours.from, hours.to));
        let fallback = manners.fallback.as_ref().map(|name| name.to_lowercase().into());
        Manners { quiet, pause: manners.pause, fallback }
    };
    let all = settings.channels.iter().map(|(name, one)| (name.to_lowercase().into(), of(one)));
    all.filter(|(_, manners)| *manners != Manners::default()).collect()
}

/// The deliver crate's settings.
pub fn deliver_config(settings: &Settings, links: Option<LinkKey>) -> deliver::Config {
    let given = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    let dashboard = settings.public_url.as_ref().map(|url| url.home());
    let smtp = given(&settings.smtp_host).map(|host| Smtp {
        host,
        port: Some(settings.smtp_port),
        tls: settings.smtp_tls,
        user: given(&settings.smtp_user),
        password: given(&settings.smtp_password).map(Secret::new),
        from: given(&settings.smtp_from).unwrap_or_else(|| "Tidings <tidings@localhost>".into()),
        dashboard: dashboard.clone(),
        links,
        extra_roots: Vec::new(),
    });
    let base = deliver::Config::default();
    deliver::Config { allow_private: settings.deliver_allow_private, smtp, dashboard, ..base }
}

#[cfg(test)]
mod tests {
    use super::infos;
    use crate::settings::{Channel, Settings};
    use address::ChannelKind;

    #[test]
    fn whatever_tells_by_email_is_in_trouble_without_a_mail_server() {
        let in_trouble = |host: &str| {
            let host = ("smtp.host", host.to_owned());
            let mut settings = Settings::load(None, std::iter::empty(), &[host]).expect("valid");
            for (name, kind) in [("Desk", ChannelKind::Email), ("email", ChannelKind::Webhook)] {
                settings.channels.insert(name.to_owned(), Channel::plain(kind));
            }
            let infos = infos(&settings).into_iter().filter(|info| info.trouble.is_some());
            infos.map(|info| info.name).collect::<Vec<_>>()
        };
        assert_eq!(in_trouble(""), ["desk"]);
        assert!(in_trouble("mail.example.org").is_empty());
    }
}
