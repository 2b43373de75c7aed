//! The simulated web: what every URL answers at every moment, as a fetcher would put it.

use chronon::{Instant, Span};
use kernel::io::Validators;
use std::collections::BTreeMap;
use std::sync::Arc;
use url::Url;

/// Redirects that a person's own look follows.
const REDIRECTS_MAX: usize = 10;
/// How long a fetcher waits for an answer.
const TIMEOUT: Span = Span::from_secs(30);
/// A Last-Modified must be this much older than the answer to be a validator.
const CLOCK_DOUBT: Span = Span::from_secs(2);

/// What a URL answers from some moment on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reply {
    Page(Page),
    Redirect { to: Box<str>, status: u16 },
}

/// A page and what its answer says of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Page {
    pub(crate) status: u16,
    pub(crate) media_type: Box<str>,
    pub(crate) etag: Option<Box<str>>,
    pub(crate) last_modified: Option<Instant>,
    pub(crate) retry_after: Option<Span>,
    pub(crate) body: Arc<[u8]>,
}

/// Something that goes wrong for a while, at one URL (and all below it) or everywhere.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fault {
    pub(crate) from: Instant,
    /// The first moment at which all is well again.
    pub(crate) to: Instant,
    pub(crate) url: Option<Box<str>>,
    pub(crate) what: Trouble,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Trouble {
    Status {
        status: u16,
        retry_after: Option<Span>,
    },
    Timeout,
    Reset,
    /// The body ends before its end.
    Truncate,
    /// The answer is right, and takes this long.
    Slow(Span),
}

/// One visit: how it ended, and how long it took.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Visit {
    pub(crate) end: End,
    pub(crate) took: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum End {
    Content { page: Page, final_url: Box<str> },
    NotModified,
    Moved { to: Box<str> },
    Failed { status: Option<u16>, reason: Box<str>, retry_after: Option<Span> },
}

/// All pages there are.
#[derive(Debug, Clone, Default)]
pub(crate) struct Web {
    shown: BTreeMap<Box<str>, BTreeMap<Instant, Reply>>,
    faults: Vec<Fault>,
}

impl Web {
    pub(crate) fn show(&mut self, url: &str, at: Instant, reply: Reply) {
        self.shown.entry(normal(url)).or_default().insert(at, reply);
    }

    pub(crate) fn fail(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    /// What `url` answers at `now`, and since when; whatever goes wrong meanwhile.
    pub(crate) fn shown(&self, url: &str, now: Instant) -> Option<(Instant, &Reply)> {
        let replies = self.shown.get(url)?;
        replies.range(..=now).next_back().map(|(&since, reply)| (since, reply))
    }

    /// Since when the page that `url` leads to is as it is, redirects followed.
    pub(crate) fn changed_at(&self, url: &str, now: Instant) -> Option<Instant> {
        let (mut url, mut latest) = (Box::from(url), None);
        for _ in 0..=REDIRECTS_MAX {
            let (since, reply) = self.shown(&url, now)?;
            latest = latest.max(Some(since));
            match reply {
                Reply::Page(_) => return latest,
                Reply::Redirect { to, .. } => url = to.clone(),
            }
        }
        None
    }

    /// A request that starts at `now`. The answer is the one of that moment, however long it takes.
    pub(crate) fn visit(&self, url: &str, validators: &Validators, now: Instant) -> Visit {
        let mut visit = Visit { end: End::NotModified, took: Span::ZERO };
        let mut truncated = false;
        for trouble in self.troubles(url, now) {
            match trouble {
                Trouble::Slow(span) => visit.took = visit.took + *span,
                Trouble::Truncate => truncated = true,
                other => return visit.failed_by(other),
            }
        }
        match self.shown(url, now) {
            None => visit.failed(Some(404), "the server answered 404", None),
            Some((_, Reply::Redirect { to, .. })) => {
                Visit { end: End::Moved { to: to.clone() }, ..visit }
            }
            Some((_, Reply::Page(page))) => {
                visit.read(page, (url.into(), truncated), validators, now)
            }
        }
    }

    fn troubles(&self, url: &str, now: Instant) -> impl Iterator<Item = &Trouble> {
        self.faults
            .iter()
            .filter(move |fault| fault.from <= now && now < fault.to)
            .filter(move |fault| fault.url.as_ref().is_none_or(|place| url.starts_with(&**place)))
            .map(|fault| &fault.what)
    }
}

impl Visit {
    fn failed(self, status: Option<u16>, reason: &str, retry_after: Option<Span>) -> Visit {
        Visit { end: End::Failed { status, reason: reason.into(), retry_after }, ..self }
    }

    fn failed_by(mut self, trouble: &Trouble) -> Visit {
        match trouble {
            Trouble::Status { status, retry_after } => {
                self.failed(Some(*status), &format!("the server answered {status}"), *retry_after)
            }
            Trouble::Timeout => {
                self.took = self.took + TIMEOUT;
                self.failed(None, "it timed out", None)
            }
            _ => self.failed(None, "the connection was reset", None),
        }
    }

    fn read(
        self,
        page: &Page,
        (final_url, truncated): (Box<str>, bool),
        validators: &Validators,
        now: Instant,
    ) -> Visit {
        if page.status != 200 && page.status != 203 {
            let reason = format!("the server answered {}", page.status);
            return self.failed(Some(page.status), &reason, page.retry_after);
        }
        if validators.url == final_url && page.is_known_by(validators) {
            return Visit { end: End::NotModified, ..self };
        }
        if truncated {
            return self.failed(Some(page.status), "its body was cut off", None);
        }
        let mut page = page.clone();
        if page.last_modified.is_some_and(|modified| now - modified < CLOCK_DOUBT) {
            (page.etag, page.last_modified) = (None, None);
        }
        Visit { end: End::Content { page, final_url }, ..self }
    }
}

impl Page {
    /// The server's own judgement: the ETag decides if one was sent.
    fn is_known_by(&self, validators: &Validators) -> bool {
        match (&validators.etag, &validators.last_modified) {
            (Some(etag), _) => self.etag.as_ref() == Some(etag),
            (None, Some(modified)) => {
                self.last_modified.is_some_and(|mine| *mine.to_string() == **modified)
            }
            (None, None) => false,
        }
    }
}

/// The URL as the language writes it.
pub(crate) fn normal(url: &str) -> Box<str> {
    Url::parse(url).map_or_else(|_| url.into(), |url| url.as_str().into())
}

/// The unit of politeness.
pub(crate) fn host(url: &str) -> Box<str> {
    let Ok(url) = Url::parse(url) else { return url.into() };
    let name = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| name.into(), |port| format!("{name}:{port}").into())
}
