//! Senders: webhook, email, chats and push services, MQTT, a command, and the text for a terminal.
//!
//! Comes in: a [`Delivery`], the frozen JSON body of a notification (`docs/formats.md`, Webhook),
//! its key and whom to tell. Goes out: [`Delivered`], how one attempt ended. Shells call. Promises:
//! one attempt, never a retry; the body's bytes are never changed; every attempt ends within a
//! limit; page text can neither add a header to a mail, nor steer a terminal, nor run in a mail
//! reader; no secret appears in an error or in `Debug`.
//!
//! Start reading at [`Deliverer::deliver`]; `render` makes a body readable.

mod brief;
mod command;
mod email;
mod frugal;
mod guard;
mod http;
mod links;
mod mqtt;
mod render;
mod secret;
mod service;
mod template;
mod webhook;

pub use command::Command;
pub use email::{Smtp, SmtpTls, is_sender};
pub use mqtt::Mqtt;
pub use render::{Colour, clean_line, marked_lines, render_html, render_terminal, render_text};
pub use secret::{BadSecret, Secret, WebhookSecret};
pub use service::Service;
pub use template::{BadTemplate, Template};
pub use webhook::signature;

use chronon::{Instant, Span, Zone};
use notice::LinkKey;
use std::borrow::Cow;
use std::fmt;
use template::Wording;

/// Settings of all senders.
#[derive(Debug, Clone)]
pub struct Config {
    pub user_agent: String,
    /// `deliver.allow_private`: whether notifications may go to loopback and private addresses.
    /// Link-local and metadata addresses are refused in any case.
    pub allow_private: bool,
    /// One attempt over HTTP or MQTT, from the connection to the answer.
    pub webhook_max: Span,
    /// One mail, from the connection to the server's last answer.
    pub email_max: Span,
    /// A longer Retry-After counts as this.
    pub retry_after_max: Span,
    /// `[smtp]`; without it, mail cannot be sent.
    pub smtp: Option<Smtp>,
    /// Where the dashboard is, with a slash at its end: messages of services then link to it.
    pub dashboard: Option<String>,
    /// Signs links of theirs that stop or snooze a sentinel; `None`: they have none.
    pub links: Option<LinkKey>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            user_agent: concat!(
                "Tidings/",
                env!("CARGO_PKG_VERSION_MAJOR"),
                ".",
                env!("CARGO_PKG_VERSION_MINOR")
            )
            .to_owned(),
            allow_private: true,
            webhook_max: Span::from_secs(10),
            email_max: Span::MINUTE,
            retry_after_max: Span::DAY,
            smtp: None,
            dashboard: None,
            links: None,
        }
    }
}

/// A way to reach somebody, as configured.
#[derive(Clone)]
pub enum Channel {
    Webhook {
        /// Where to, unless the sentinel's contact says. May carry a token: treated as a secret.
        url: Option<String>,
        /// Signs every request; without it, requests carry no signature.
        secret: Option<WebhookSecret>,
    },
    Email {
        /// Whom to, unless the sentinel's contact says.
        to: Option<String>,
    },
    Service(Service),
    Mqtt(Mqtt),
    Command(Command),
}

/// What a broker or a command is handed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Format {
    /// The body of a webhook.
    #[default]
    Json,
    /// As in a terminal, without colours.
    Text,
}

impl fmt::Debug for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Channel::Webhook { url, secret } => f
                .debug_struct("Webhook")
                .field("host", &url.as_deref().map(http::host_of))
                .field("secret", secret)
                .finish(),
            Channel::Email { to } => f.debug_struct("Email").field("to", to).finish(),
            Channel::Service(service) => service.fmt(f),
            Channel::Mqtt(mqtt) => mqtt.fmt(f),
            Channel::Command(command) => command.fmt(f),
        }
    }
}

/// One attempt to make.
#[derive(Clone)]
pub struct Delivery<'a> {
    pub channel: &'a Channel,
    /// A URL or a mail address; goes before the channel's own.
    pub contact: Option<&'a str>,
    /// The notification's idempotency key on this channel.
    pub key: &'a str,
    /// The JSON body, frozen with its row.
    pub body: &'a [u8],
    /// From 1.
    pub attempt: u32,
    pub now: Instant,
    /// In whose words it is told; a webhook gets the body in any case.
    pub template: Option<&'a Template>,
    /// By whose clock times are told in text; JSON keeps UTC.
    pub zone: &'a Zone,
}

/// How the attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delivered {
    Delivered,
    /// To be tried again; `after` if the recipient said when.
    Failed {
        /// One sentence for people, without a full stop.
        reason: String,
        after: Option<Span>,
    },
    /// The recipient wants no more of anything, or is no more.
    Gone {
        /// As above.
        reason: String,
    },
}

impl Delivery<'_> {
    fn wording(&self) -> Wording {
        Template::wording(self.template, self.body, self.zone)
    }

    /// What a broker or a command is handed. A template that fails leaves JSON as it is.
    pub fn formatted(&self, format: Format) -> Cow<'_, [u8]> {
        let text = match (self.wording(), format) {
            (Wording::Own(lines), _) => lines.join("\n") + "\n",
            (_, Format::Json) => return Cow::Borrowed(self.body),
            (Wording::Plain, Format::Text) => render_text(self.body, self.zone),
            (Wording::Failed(why), Format::Text) => {
                format!("{why}\n\n{}", render_text(self.body, self.zone))
            }
        };
        Cow::Owned(text.into_bytes())
    }
}

impl Delivered {
    fn failed(reason: impl Into<String>) -> Delivered {
        Delivered::Failed { reason: reason.into(), after: None }
    }

    fn gone(reason: impl Into<String>) -> Delivered {
        Delivered::Gone { reason: reason.into() }
    }
}

/// Why there is no deliverer.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    #[error("the user agent cannot be sent; it must be one line of ASCII")]
    UserAgent,
    #[error("smtp.from is not a mail address; write for example \"Tidings <tidings@example.org>\"")]
    From,
    #[error("the certificates for the mail server cannot be used")]
    SmtpTls,
    #[error("the HTTP client could not be set up")]
    Client(#[from] reqwest::Error),
}

/// Sends notifications. Clones share connections.
#[derive(Debug, Clone)]
pub struct Deliverer {
    http: http::Http,
    mqtt: mqtt::Sender,
    email: Option<email::Sender>,
    dashboard: Option<String>,
    links: Option<LinkKey>,
}

impl Deliverer {
    /// Senders with these settings; `tls` says whom they trust, but for mail. Call it inside a
    /// tokio runtime: the mail sender keeps its connections in a task.
    ///
    /// # Errors
    ///
    /// [`SetupError`] if a setting cannot be used.
    pub fn new(config: Config, tls: rustls::ClientConfig) -> Result<Deliverer, SetupError> {
        let email = match &config.smtp {
            Some(smtp) => Some(email::Sender::new(smtp, config.email_max)?),
            None => None,
        };
        let mqtt = mqtt::Sender::new(&config, tls.clone());
        let http = http::Http::new(&config, tls)?;
        let Config { dashboard, links, .. } = config;
        Ok(Deliverer { http, mqtt, email, dashboard, links })
    }

    /// One attempt.
    pub async fn deliver(&self, delivery: &Delivery<'_>) -> Delivered {
        match delivery.channel {
            Channel::Webhook { url, secret } => {
                let Some(url) = delivery.contact.or(url.as_deref()) else {
                    return Delivered::failed(
                        "the webhook has no URL; give one in the sentinel or the channel's url",
                    );
                };
                webhook::send(&self.http, url, secret.as_ref(), delivery).await
            }
            Channel::Service(service) => {
                let key = self.links.as_ref();
                let home = self.dashboard.as_deref().map(|url| links::Home { url, key });
                service::send(&self.http, home, service, delivery).await
            }
            Channel::Mqtt(mqtt) => self.mqtt.send(mqtt, delivery).await,
            Channel::Command(command) => command::send(command, delivery).await,
            Channel::Email { to } => {
                let Some(to) = delivery.contact.or(to.as_deref()) else {
                    return Delivered::failed(
                        "there is no mail address; give one in the sentinel or the channel's to",
                    );
                };
                match &self.email {
                    Some(email) => email.send(to, delivery).await,
                    None => Delivered::failed("no mail server is configured; add [smtp]"),
                }
            }
        }
    }
}
