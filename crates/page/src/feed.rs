//! Feeds (RSS, Atom, JSON Feed): per entry a block for the title, one for the summary (else the
//! content) without its markup, and a link.
//!
//! Times of entries are kept apart from what change types see; the parser's random ids for entries
//! without one are replaced by a constant.

use crate::gather::{Gather, clip, collapse, resolve};
use crate::{Extract, Item, Kind, Limits, ReadError, dates, html, names, xml};
use check::Texts;
use chronon::Instant;
use feed_rs::model::Entry;
use std::borrow::Cow;
use std::time::{Duration, SystemTime};
use url::Url;

mod check;
mod json;
mod mend;
mod old;

/// Bytes of a URL that the parser resolves links against; it keeps the result of each. Links are
/// resolved against a longer one afterwards, one at a time.
const BASE_BYTES_MAX: usize = 1_024;

/// What the parser is told to call an entry without an id.
const NO_ID: &str = "none";

/// Steps of the HTML parser for the markup of one entry: a base, and more for each byte.
const EMBEDDED_STEPS: u64 = 10_000;
const STEPS_PER_BYTE: u64 = 50;

/// A feed as change types see it.
pub(crate) struct Feed {
    pub(crate) whole: Extract,
    pub(crate) items: Vec<Item>,
    /// When entries were published or changed.
    pub(crate) dates: Vec<Instant>,
    /// The feed as XML, where it had to be mended.
    pub(crate) mended: Option<String>,
}

/// Reads a feed; one that is not well-formed, or too long, as far as it goes.
pub(crate) fn read(text: &str, url: &Url, limits: &Limits) -> Result<Feed, ReadError> {
    let text = text.trim_start();
    if text.starts_with('{') {
        return json::read(text, url, limits);
    }
    let text = &*old::closed(text);
    let texts = check::check(text, limits);
    let strict = || texts.clone().and_then(|_| parsed(text, url, limits));
    if texts == Ok(Texts::Tagged) {
        // It is XML as it is, and selectors look into that.
        let mended = mended(text, url, limits).map(|feed| Feed { mended: None, ..feed });
        return mended.or_else(|_: ReadError| strict());
    }
    strict().or_else(|error| mended(text, url, limits).map_err(|_: ReadError| error))
}

fn mended(text: &str, url: &Url, limits: &Limits) -> Result<Feed, ReadError> {
    let lost = || ReadError::Malformed { format: "feed", reason: "it ends too early".to_owned() };
    let mended = mend::mended(text).ok_or_else(lost)?;
    check::check(&mended.text, limits)?;
    let mut feed = parsed(&mended.text, url, limits)?;
    feed.whole.left_out.text |= mended.is_cut;
    Ok(Feed { mended: Some(mended.text), ..feed })
}

/// Reads a text that was checked.
fn parsed(text: &str, url: &Url, limits: &Limits) -> Result<Feed, ReadError> {
    let text = with_version(xml::without_declaration(text));
    let text = xml::without_declarations(&text)?;
    let text = old::as_atom(&text);
    let feed = feed_rs::parser::Builder::new()
        .base_uri(Some(url.as_str()).filter(|base| base.len() <= BASE_BYTES_MAX))
        .id_generator(|_, _, _| NO_ID.to_owned())
        .timestamp_parser(|text| system_time(chronon::stamp(text)?).map(Into::into))
        .sanitize_content(false)
        .build()
        .parse(text.as_bytes())
        .map_err(|error| ReadError::Malformed { format: "feed", reason: error.to_string() })?;
    let mut gather = Gather::new(Kind::Feed, limits);
    if let Some(title) = &feed.title {
        let title = without_markup(&mut gather, &title.content, url, limits);
        gather.title(&title);
    }
    for entry in &feed.entries {
        if gather.is_full() {
            gather.leave_out("entry");
            break;
        }
        gather_entry(&mut gather, entry, url, limits);
    }
    let at = |millis: i64| Instant::from_millis(millis);
    let dates = feed.entries.iter().filter_map(|entry| {
        let [published, updated] = [entry.published, entry.updated];
        let [published, updated] =
            [published, updated].map(|time| time.map(|time| at(time.timestamp_millis())));
        dates::of_entry(published, updated)
    });
    Ok(finish(gather, dates.collect()))
}

fn finish(mut gather: Gather<'_>, dates: Vec<Instant>) -> Feed {
    let items = gather.take_items();
    Feed { whole: gather.finish(), items, dates, mended: None }
}

/// The time as the parser's library takes it, from 1970 on.
fn system_time(at: Instant) -> Option<SystemTime> {
    let since = u64::try_from(at.as_millis()).ok()?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(since))
}

/// `<rss>` of no version, or of one that nobody else reads, is read as 2.0, which forgives most.
/// One in a name space of its own is read as if it were in none.
fn with_version(text: &str) -> Cow<'_, str> {
    let Some(start) = text.find("<rss").map(|at| at + "<rss".len()) else {
        return Cow::Borrowed(text);
    };
    let Some(end) = text[start..].find('>').map(|at| start + at) else {
        return Cow::Borrowed(text);
    };
    let known = ["0.91", "0.92", "2.0"].iter().any(|version| {
        let attributes = text[start..end].split_ascii_whitespace().collect::<String>();
        let (double, single) = (format!("version=\"{version}\""), format!("version='{version}'"));
        attributes.contains(&double) || attributes.contains(&single)
    });
    let is_root = !text[..start - "<rss".len()].contains("<channel");
    let has_name_space = text[start..end].contains("xmlns=");
    let is_tag = text[start..=end].starts_with([' ', '\t', '\r', '\n', '>']);
    if known && !has_name_space || !is_root || !is_tag {
        return Cow::Borrowed(text);
    }
    let attributes = old::without_name_space(&text[start..end]);
    let (version, attributes) = if known {
        ("", attributes)
    } else {
        (" version=\"2.0\"", attributes.replace("version", "said"))
    };
    Cow::Owned(format!("{}{version}{attributes}{}", &text[..start], &text[end..]))
}

/// What of an entry counts, as it was written.
struct Story<'f> {
    /// `None`: the feed gives it none.
    id: Option<&'f str>,
    title: Option<&'f str>,
    summary: Option<&'f str>,
    content: Option<&'f str>,
    link: Option<&'f str>,
}

fn gather_entry(gather: &mut Gather<'_>, entry: &Entry, url: &Url, limits: &Limits) {
    let story = Story {
        id: Some(&*entry.id).filter(|id| *id != NO_ID),
        title: entry.title.as_ref().map(|title| title.content.as_str()),
        summary: entry.summary.as_ref().map(|summary| summary.content.as_str()),
        content: entry.content.as_ref().and_then(|content| content.body.as_deref()),
        link: entry_link(entry),
    };
    gather_story(gather, &story, url, limits);
}

fn gather_story(gather: &mut Gather<'_>, story: &Story<'_>, url: &Url, limits: &Limits) {
    let mut plain = |text: &str| without_markup(gather, text, url, limits);
    let title = story.title.map(&mut plain).unwrap_or_default();
    let body = story.summary.map(&mut plain).filter(|text| !text.is_empty());
    let body = body.or_else(|| story.content.map(plain));
    let href = story.link.and_then(|link| resolve(link, url, limits));
    let address = href.as_deref().unwrap_or_default();
    let named = [story.id.unwrap_or_default().trim(), address, &title];
    let id = named.into_iter().find(|name| !name.is_empty());
    let id = id.or(body.as_deref()).unwrap_or_default();
    let id = clip(id, limits.url_bytes_max).to_owned();
    // Neighbours of one id are told apart by their titles.
    let key = if gather.last_name() == Some(clip(&id, names::KEY_BYTES_MAX)) {
        format!("{id} {title}")
    } else {
        id.clone()
    };
    gather.name(clip(&key, names::KEY_BYTES_MAX));
    gather.block(&title);
    if let Some(body) = &body {
        gather.block(body);
    }
    if let Some(href) = &href {
        gather.link(href.clone(), title.clone());
    }
    gather.name("");
    let (href, text) = (href.unwrap_or_default(), body.unwrap_or_default());
    gather.item(Item { id, title, href, text });
}

/// The entry's page; else an id that is an address, else what is enclosed.
fn entry_link(entry: &Entry) -> Option<&str> {
    let is_page = |rel: &Option<String>| rel.as_deref().is_none_or(|rel| rel == "alternate");
    let link = entry.links.iter().find(|link| is_page(&link.rel)).or(entry.links.first());
    let id = || Some(entry.id.as_str()).filter(|id| id.starts_with("http"));
    let enclosed =
        || entry.media.iter().flat_map(|media| &media.content).find_map(|c| c.url.as_ref());
    link.map(|link| link.href.as_str()).or_else(id).or_else(|| enclosed().map(Url::as_str))
}

/// The visible text of what may be HTML, on one line. A feed may have thousands of such texts, so
/// that none may cost more steps than a page of its length usually does.
fn without_markup(gather: &mut Gather<'_>, text: &str, url: &Url, limits: &Limits) -> String {
    if !text.contains(['<', '&']) {
        return collapse(text);
    }
    let read = clip(text, limits.embedded_bytes_max);
    let steps_max = limits.steps_max.min(EMBEDDED_STEPS + STEPS_PER_BYTE * read.len() as u64);
    let extract = html::read(read, url, &Limits { steps_max, ..limits.clone() });
    if read.len() < text.len() || extract.left_out.markup {
        gather.leave_out_markup();
    }
    let blocks: Vec<String> = extract.blocks.into_iter().map(|block| block.text).collect();
    blocks.join(" ")
}
