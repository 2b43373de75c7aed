//! Senders: webhook, email, and the text for a terminal.
//!
//! Comes in: a [`Delivery`], the frozen JSON body of a notification (`docs/formats.md`, Webhook),
//! its key and whom to tell. Goes out: [`Delivered`], how one attempt ended. Shells call. Promises:
//! one attempt, never a retry; the body's bytes are never changed; every attempt ends within a
//! limit; page text can neither add a header to a mail, nor steer a terminal, nor run in a mail
//! reader; no secret appears in an error or in `Debug`.
//!
//! Start reading at [`Deliverer::deliver`]; `render` makes a body readable.

mod email;
mod guard;
mod render;
mod secret;
mod webhook;

pub use email::{Smtp, SmtpTls};
pub use render::{Colour, clean_line, render_html, render_terminal, render_text};
pub use secret::{BadSecret, Secret, WebhookSecret};
pub use webhook::signature;

use chronon::{Instant, Span};
use std::fmt;

/// Settings of all senders.
#[derive(Debug, Clone)]
pub struct Config {
    pub user_agent: String,
    /// `deliver.allow_private`: whether webhooks may go to loopback and private addresses.
    /// Link-local and metadata addresses are refused in any case.
    pub allow_private: bool,
    /// One webhook attempt, from the connection to the answer's head.
    pub webhook_max: Span,
    /// One mail, from the connection to the server's last answer.
    pub email_max: Span,
    /// A longer Retry-After counts as this.
    pub retry_after_max: Span,
    /// `[smtp]`; without it, mail cannot be sent.
    pub smtp: Option<Smtp>,
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
}

impl fmt::Debug for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Channel::Webhook { url, secret } => f
                .debug_struct("Webhook")
                .field("host", &url.as_deref().map(webhook::host_of))
                .field("secret", secret)
                .finish(),
            Channel::Email { to } => f.debug_struct("Email").field("to", to).finish(),
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
    /// The recipient wants no more of anything (410).
    Gone,
}

impl Delivered {
    fn failed(reason: impl Into<String>) -> Delivered {
        Delivered::Failed { reason: reason.into(), after: None }
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
    webhook: webhook::Sender,
    email: Option<email::Sender>,
}

impl Deliverer {
    /// Senders with these settings; `tls` says whom webhooks trust. Call it inside a tokio runtime:
    /// the mail sender keeps its connections in a task.
    ///
    /// # Errors
    ///
    /// [`SetupError`] if a setting cannot be used.
    pub fn new(config: Config, tls: rustls::ClientConfig) -> Result<Deliverer, SetupError> {
        let email = match &config.smtp {
            Some(smtp) => Some(email::Sender::new(smtp, config.email_max)?),
            None => None,
        };
        Ok(Deliverer { webhook: webhook::Sender::new(&config, tls)?, email })
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
                self.webhook.send(url, secret.as_ref(), delivery).await
            }
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
