//! The shapes of the JSON API. Domain types are converted here and nowhere else.

mod change;
mod channel;
mod diagnostic;
mod feed;
mod notification;
mod rule;
mod sentinel;
mod source;
mod what;

pub(crate) use change::{Change, Compared, Detection, Diff};
pub(crate) use channel::{Channel, NamedChannel};
pub(crate) use diagnostic::Diagnostic;
pub(crate) use feed::{Feed, feed_of};
pub(crate) use notification::{Notification, NotificationInFull, delivery_words};
pub(crate) use rule::{OpenOccurrence, Rule, RuleInFull, RuleTold, TookPart};
pub(crate) use sentinel::{Sentinel, SentinelInFull};
pub(crate) use source::{Probe, Quiet, Source, SourceInFull, Version, outcome_name};
pub(crate) use what::What;

use crate::words::{self, Wall};
use chronon::Instant;
use kernel::view::SentinelView;
use schedule::Outlook;
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// An instant as RFC 3339 in UTC with milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Time(pub(crate) Instant);

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl PartialSchema for Time {
    fn schema() -> RefOr<Schema> {
        let format = SchemaFormat::KnownFormat(KnownFormat::DateTime);
        ObjectBuilder::new().schema_type(Type::String).format(Some(format)).build().into()
    }
}

impl ToSchema for Time {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Time")
    }
}

/// A page of a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Page<T> {
    pub(crate) items: Vec<T>,
    /// Give it as `cursor` for the next page; null if this was the last.
    pub(crate) next: Option<String>,
}

impl<T> Page<T> {
    /// `items` were asked for with `limit`; `cursor` names the place after an item.
    pub(crate) fn of<C: ToString>(
        items: Vec<T>,
        limit: usize,
        cursor: impl Fn(&T) -> C,
    ) -> Page<T> {
        let full = items.len() >= limit;
        let next = items.last().filter(|_| full).map(|last| cursor(last).to_string());
        Page { items, next }
    }
}

impl<T> Page<T> {
    /// A part of a whole list that is ordered by number.
    pub(crate) fn part(
        all: Vec<T>,
        params: &crate::extract::ListParams,
        id: impl Fn(&T) -> u64,
    ) -> Result<Page<T>, crate::problem::Problem> {
        let (limit, after) = (params.limit()?, params.cursor::<u64>()?);
        let rest = all.into_iter().filter(|one| after.is_none_or(|after| id(one) > after));
        Ok(Page::of(rest.take(limit).collect(), limit, id))
    }
}

/// When a source is looked at next, and why.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Next {
    /// Null: it is being probed, held, or nothing wants it.
    due: Option<Time>,
    /// `baseline`, `asked`, `deadline`, `freshness` or `retry`.
    reason: Option<&'static str>,
    /// `in_flight`, `budget`, `politeness`, `host_held` or `rounds`.
    waits_for: Option<&'static str>,
    /// The same for people.
    text: String,
}

impl Next {
    /// As a sentinel tells it: one that has not begun says when it does.
    pub(crate) fn of_sentinel(view: &SentinelView, wall: &Wall) -> Next {
        let next = Next::of(&view.outlook, wall);
        match view.begins {
            Some(at) => Next { text: words::begins(at, &wall.zone), ..next },
            None => next,
        }
    }

    pub(crate) fn of(outlook: &Outlook, wall: &Wall) -> Next {
        Next {
            due: outlook.due.map(Time),
            reason: outlook.reason.as_ref().map(words::reason_name),
            waits_for: outlook.waits_for.as_ref().map(words::obstacle_name),
            text: words::outlook(outlook, wall),
        }
    }
}

/// A source by name.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct SourceRef {
    pub(crate) id: u32,
    pub(crate) url: String,
}

fn some_text(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}
