//! JSON Feed (version 1 and 1.1), as far as change types see it.
//!
//! Not left to the feed library, which copies a feed's authors into each of its items and keeps
//! whatever else an item holds: a body of 10 MiB would take gigabytes.

use super::{Feed as Read, Story, bodies, finish, gather_story, shared, without_markup};
use crate::gather::{Gather, resolve};
use crate::{Kind, Limits, ReadError, dates};
use chronon::Instant;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
use std::fmt;
use url::Url;

/// Items of one feed; further ones are left out.
const ITEMS_MAX: usize = 20_000;
/// Attachments of one item that are kept: a link needs one.
const ATTACHMENTS_MAX: usize = 1;

#[derive(Deserialize)]
struct Feed {
    version: String,
    title: String,
    items: AtMost<Item, ITEMS_MAX>,
}

#[derive(Deserialize)]
struct Item {
    id: Option<String>,
    url: Option<String>,
    external_url: Option<String>,
    title: Option<String>,
    summary: Option<String>,
    content_html: Option<String>,
    content_text: Option<String>,
    date_published: Option<String>,
    date_modified: Option<String>,
    #[serde(default)]
    attachments: Option<AtMost<Attachment, ATTACHMENTS_MAX>>,
}

#[derive(Deserialize)]
struct Attachment {
    url: String,
}

impl Item {
    fn time(&self) -> Option<Instant> {
        self.at(chronon::stamp)
    }

    fn day_or_time(&self) -> Option<Instant> {
        self.at(chronon::day_or_stamp)
    }

    fn at(&self, read: fn(&str) -> Option<Instant>) -> Option<Instant> {
        let at = |date: &Option<String>| read(date.as_deref()?);
        dates::of_entry(at(&self.date_published), at(&self.date_modified))
    }

    /// The page of the item, one elsewhere, what is attached, or an id that is an address.
    fn link(&self) -> Option<&str> {
        let attached = self.attachments.iter().flat_map(|list| &list.0).next();
        let id = self.id.as_deref().filter(|id| id.starts_with("http"));
        let links = [self.url.as_deref(), self.external_url.as_deref()].into_iter().flatten();
        links.chain(attached.map(|one| one.url.as_str())).chain(id).next()
    }
}

pub(super) fn read(text: &str, url: &Url, limits: &Limits) -> Result<Read, ReadError> {
    let malformed = |reason: String| ReadError::Malformed { format: "feed", reason };
    let feed: Feed = serde_json::from_str(text).map_err(|error| malformed(error.to_string()))?;
    if !feed.version.starts_with("https://jsonfeed.org/version/1") {
        return Err(malformed("its version is not 1 or 1.1".to_owned()));
    }
    let mut gather = Gather::new(Kind::Feed, limits);
    gather.title(&feed.title);
    let is_nameless = |item: &&Item| item.id.as_deref().unwrap_or_default().trim().is_empty();
    let shared = shared(feed.items.0.iter().filter(is_nameless).filter_map(Item::link));
    for item in &feed.items.0 {
        if gather.is_full() {
            gather.leave_out("item");
            break;
        }
        let mut plain = |text: &str| without_markup(&mut gather, text, url, limits);
        let title = item.title.as_deref().map(&mut plain).unwrap_or_default();
        let content = item.content_html.as_deref().or(item.content_text.as_deref());
        let texts = [item.summary.as_deref(), content].into_iter().flatten();
        let bodies = bodies(texts.map(plain).collect());
        let href = item.link().and_then(|link| resolve(link, url, limits));
        let is_shared = item.link().is_some_and(|link| shared.contains(link));
        let id = item.id.as_deref().unwrap_or_default();
        let at = item.day_or_time();
        gather_story(&mut gather, Story { id, title, bodies, href, is_shared, at }, limits);
    }
    Ok(finish(gather, feed.items.0.iter().filter_map(Item::time).collect()))
}

/// The first `MAX` members of a list; the others are read over.
struct AtMost<T, const MAX: usize>(Vec<T>);

impl<'de, T: Deserialize<'de>, const MAX: usize> Deserialize<'de> for AtMost<T, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(First::<T, MAX>(Vec::new()))
    }
}

struct First<T, const MAX: usize>(Vec<T>);

impl<'de, T: Deserialize<'de>, const MAX: usize> Visitor<'de> for First<T, MAX> {
    type Value = AtMost<T, MAX>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut members: A) -> Result<Self::Value, A::Error> {
        while self.0.len() < MAX {
            match members.next_element()? {
                Some(member) => self.0.push(member),
                None => return Ok(AtMost(self.0)),
            }
        }
        while members.next_element::<IgnoredAny>()?.is_some() {}
        Ok(AtMost(self.0))
    }
}
