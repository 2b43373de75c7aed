//! The recipients: how they answer, and what they got.

use chronon::{Instant, Span};
use outbox::DeliveryResult;
use std::sync::Arc;

/// How a recipient answers for a while.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mood {
    /// A channel's name or a contact; `None`: everybody.
    pub(crate) who: Option<Box<str>>,
    pub(crate) from: Instant,
    /// The first moment at which the recipient takes letters again.
    pub(crate) to: Instant,
    pub(crate) answer: Answer,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Answer {
    Takes { after: Span },
    Status { status: u16, retry_after: Option<Span> },
    Timeout,
    Refuses,
}

/// One message, as it arrived.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Letter {
    pub(crate) channel: Box<str>,
    pub(crate) contact: Option<Box<str>>,
    pub(crate) key: Box<str>,
    pub(crate) body: Arc<[u8]>,
    pub(crate) attempt: u32,
    pub(crate) sent_at: Instant,
}

impl Letter {
    /// Whom it is for, as a trace says it.
    pub(crate) fn recipient(&self) -> &str {
        self.contact.as_deref().unwrap_or(&self.channel)
    }
}

/// Everybody there is.
#[derive(Debug, Clone, Default)]
pub(crate) struct People {
    pub(crate) moods: Vec<Mood>,
}

impl People {
    /// How the recipient answers a letter that arrives at `now`, how long that takes, and what a
    /// trace says of it if it is bad.
    pub(crate) fn receive(&self, letter: &Letter, now: Instant) -> (DeliveryResult, Span, String) {
        let is_his = |who: &str| *who == *letter.channel || letter.contact.as_deref() == Some(who);
        let mood = self
            .moods
            .iter()
            .filter(|mood| mood.from <= now && now < mood.to)
            .rfind(|mood| mood.who.as_deref().is_none_or(is_his));
        let failed = |reason: &str, after| DeliveryResult::Failed { reason: reason.into(), after };
        match mood.map(|mood| &mood.answer) {
            None => (DeliveryResult::Delivered, Span::ZERO, String::new()),
            Some(Answer::Takes { after }) => (DeliveryResult::Delivered, *after, String::new()),
            Some(Answer::Status { status: 410, .. }) => (
                DeliveryResult::Gone { reason: DeliveryResult::GONE.into() },
                Span::ZERO,
                "410".into(),
            ),
            Some(&Answer::Status { status, retry_after }) => {
                let reason = format!("the recipient answered {status}");
                (failed(&reason, retry_after), Span::ZERO, status.to_string())
            }
            Some(Answer::Timeout) => {
                (failed("it timed out", None), Span::from_secs(10), "timed out".into())
            }
            Some(Answer::Refuses) => {
                (failed("the connection was refused", None), Span::ZERO, "refused".into())
            }
        }
    }
}
