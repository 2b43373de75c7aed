//! Channels by name: from what a sentinel wrote to a sender and its settings.

use crate::book::Book;
use crate::settings::{self, Settings};
use address::{ChannelKind, Contact};
use anyhow::{Context, Result};
use chronon::{Instant, Span, Zone};
use deliver::{
    Channel, Colour, Command, Delivered, Deliverer, Delivery, Format, Mqtt, Secret, Service, Smtp,
    Template, WebhookSecret,
};
use kernel::{ChannelBook, ChannelInfo};
use notice::LinkKey;
use outbox::{DeliveryResult, Manners, Quiet};
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

/// How a channel's notifications reach somebody.
pub enum Way {
    /// By being stored: the dashboard shows them.
    Dashboard,
    /// Standard output.
    Terminal,
    /// In the words of a template, if there is one.
    Sender(Channel, Option<Template>),
    /// By nothing yet: what it tells with cannot be read, and why.
    Locked(Box<str>),
}

/// Every channel a sentinel may name.
pub struct Channels {
    deliverer: Deliverer,
    ways: BTreeMap<String, Way>,
    /// Those that people make.
    book: Arc<Book>,
    print: Print,
    /// By whose clock messages tell times.
    zone: Zone,
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
    /// How a channel is told.
    ///
    /// # Errors
    /// A secret that is none.
    pub fn of(channel: &settings::Channel) -> Result<Way> {
        let contact = channel.contact.clone();
        let sender = match channel.kind {
            ChannelKind::Interactive => return Ok(Way::Dashboard),
            ChannelKind::Terminal => return Ok(Way::Terminal),
            ChannelKind::Email => Channel::Email { to: contact },
            ChannelKind::Webhook => {
                let secret = channel.field("secret").map(WebhookSecret::parse).transpose()?;
                Channel::Webhook { url: contact, secret }
            }
            ChannelKind::Mqtt => Channel::Mqtt(Mqtt {
                url: channel.field("url").unwrap_or_default().to_owned(),
                topic: contact,
                user: channel.field("user").map(str::to_owned),
                password: channel.field("password").map(Secret::new),
                format: format_of(channel),
            }),
            ChannelKind::Command => {
                let seconds = channel.field("seconds").and_then(|text| text.parse().ok());
                Channel::Command(Command {
                    words: channel.words.clone(),
                    format: format_of(channel),
                    limit: Span::from_secs(seconds.unwrap_or(COMMAND_SECONDS)),
                })
            }
            kind => Channel::Service(Service::new(kind, channel.texts())),
        };
        let template = channel.template.as_deref().map(Template::parse).transpose()?;
        Ok(Way::Sender(sender, template))
    }
}

impl Channels {
    /// The built-in channels, the configured ones, and those of a book.
    pub fn new(
        settings: &Settings,
        book: Arc<Book>,
        deliverer: Deliverer,
        print: Print,
    ) -> Result<Channels> {
        let mut ways = BTreeMap::new();
        for kind in ChannelKind::built_in() {
            ways.insert(kind.name().to_owned(), Way::of(&settings::Channel::plain(kind))?);
        }
        for (name, channel) in &settings.channels {
            let way = Way::of(channel).with_context(|| format!("in [channels.{name}]"))?;
            ways.insert(name.to_lowercase(), way);
        }
        let zone = crate::commands::zone_of(Some(settings));
        Ok(Channels { deliverer, ways, book, print, zone })
    }

    /// One attempt on a channel; never panics, never takes longer than the sender's limits.
    pub async fn send(&self, letter: Letter<'_>) -> DeliveryResult {
        let Letter { name, contact, key, body, attempt, now } = letter;
        let made;
        let way = match self.ways.get(&name.to_lowercase()) {
            Some(way) => Some(way),
            None => {
                made = self.book.way(&name.to_lowercase());
                made.as_deref()
            }
        };
        let failed = |reason: Box<str>| DeliveryResult::Failed { reason, after: None };
        let (channel, template) = match way {
            None => return failed(format!("there is no channel `{name}` any more").into()),
            Some(Way::Dashboard) => return DeliveryResult::Delivered,
            Some(Way::Terminal) => return self.print(body),
            Some(Way::Locked(why)) => return failed(why.clone()),
            Some(Way::Sender(channel, template)) => (channel, template.as_ref()),
        };
        let contact = contact.map(Contact::reveal);
        let delivery =
            Delivery { channel, contact, key, body, attempt, now, template, zone: &self.zone };
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
            Print::Text(colour) => deliver::render_terminal(body, colour, &self.zone),
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

/// The channels of a configuration, and what it says for all channels.
pub struct Configured {
    channels: BTreeMap<String, settings::Channel>,
    zone: Zone,
    has_mail: bool,
}

impl Configured {
    pub fn of(settings: &Settings) -> Configured {
        let all = settings.channels.iter();
        Configured {
            channels: all.map(|(name, one)| (name.to_lowercase(), one.clone())).collect(),
            zone: settings.timezone.clone(),
            has_mail: !settings.smtp_host.is_empty(),
        }
    }

    /// By name, in lower case.
    pub fn channels(&self) -> &BTreeMap<String, settings::Channel> {
        &self.channels
    }

    /// The channel of this name, in lower case.
    pub fn channel(&self, name: &str) -> Option<&settings::Channel> {
        self.channels.get(name)
    }

    /// What the kernel must know of the built-in channels and of these.
    pub fn known(&self) -> ChannelBook {
        let infos = kernel::Config::new(1).channels;
        let mut book = ChannelBook { infos, ..ChannelBook::default() };
        for info in &mut book.infos {
            info.trouble = ChannelKind::named(&info.name).and_then(|kind| self.trouble(kind));
        }
        for (name, channel) in &self.channels {
            book.infos.retain(|info| info.name != *name);
            self.add(&mut book, name, channel, None);
        }
        book
    }

    /// Adds a channel to what the kernel must know. One with a trouble of its own asks for no
    /// contact.
    pub fn add(
        &self,
        book: &mut ChannelBook,
        name: &str,
        channel: &settings::Channel,
        trouble: Option<Box<str>>,
    ) {
        let contact_needed =
            trouble.is_none() && channel.kind.needs_contact() && channel.contact.is_none();
        let trouble = trouble.or_else(|| self.trouble(channel.kind));
        let (own, kind) = (name.to_owned(), Some(channel.kind));
        book.infos.push(ChannelInfo { name: own, kind, contact_needed, trouble });
        let manners = self.manners(channel);
        if manners != Manners::default() {
            book.manners.insert(name.into(), manners);
        }
    }

    /// Why nothing can be sent by channels of a kind.
    pub fn trouble(&self, kind: ChannelKind) -> Option<Box<str>> {
        let without = "no mail server is configured; `host` and `from` below `[smtp]` in \
                       tidings.toml say which";
        (kind == ChannelKind::Email && !self.has_mail).then(|| without.into())
    }

    /// How a channel wants to be told.
    fn manners(&self, channel: &settings::Channel) -> Manners {
        let manners = &channel.manners;
        let zone = manners.timezone.as_ref().unwrap_or(&self.zone);
        let quiet =
            manners.quiet_hours.and_then(|hours| Quiet::new(zone.clone(), hours.from, hours.to));
        let fallback = manners.fallback.as_ref().map(|name| name.to_lowercase().into());
        Manners { quiet, pause: manners.pause, fallback }
    }
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
        links: links.clone(),
        extra_roots: Vec::new(),
    });
    let (base, allow_private) = (deliver::Config::default(), settings.deliver_allow_private);
    deliver::Config { allow_private, smtp, dashboard, links, ..base }
}

#[cfg(test)]
mod tests {
    use super::Configured;
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
            let infos = Configured::of(&settings).known().infos.into_iter();
            let infos = infos.filter(|info| info.trouble.is_some());
            infos.map(|info| info.name).collect::<Vec<_>>()
        };
        assert_eq!(in_trouble(""), ["desk"]);
        assert!(in_trouble("mail.example.org").is_empty());
    }
}
