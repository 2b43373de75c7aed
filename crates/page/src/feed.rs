//! Feeds (RSS, Atom, JSON Feed): per entry a block for the title, one each for the summary and the
//! content without markup, and a link.
//!
//! Times of entries are no text: they say which entries are older than all that were there.

use crate::gather::{Gather, clip, collapse, resolve};
use crate::letters::letters;
use crate::{Block, Extract, Item, Kind, Limits, ReadError, dates, html, names};
use chronon::Instant;
use mend::Mended;
use std::collections::BTreeSet;
use url::Url;

mod fields;
mod json;
mod mend;
mod said;

pub use said::{Link, Part, Person, Said, Text};

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
    let (said, mended) = said(text, url, limits)?;
    if !is_feed(&said) {
        return Err(ReadError::Malformed { format: "feed", reason: "no entries".to_owned() });
    }
    let mut feed = gathered(&said, limits);
    feed.whole.left_out.text |= mended.as_ref().is_some_and(|mended| mended.is_cut);
    Ok(Feed { mended: mended.map(|mended| mended.text), ..feed })
}

/// What a feed in XML says, and the text that it had to be mended to.
pub(crate) fn said(
    text: &str,
    url: &Url,
    limits: &Limits,
) -> Result<(Said, Option<Mended>), ReadError> {
    let text = &*mend::closed(text.trim_start());
    said::read(text, url, limits).map(|said| (said, None)).or_else(|error| {
        let mended = mend::mended(text).ok_or_else(|| error.clone())?;
        let said = said::read(&mended.text, url, limits).map_err(|_: ReadError| error)?;
        Ok((said, Some(mended)))
    })
}

/// Whether it is one of those that only its name makes a feed: a root `feed` or `channel` in no
/// name space of feeds, or RDF about anything.
fn is_feed(said: &Said) -> bool {
    let is_named = match &*said.root {
        "rss" => true,
        "feed" => said.spaces.iter().any(|space| fields::is_atom(space)),
        "rdf" => said.spaces.iter().any(|space| fields::is_rss_in_rdf(space)),
        _ => false,
    };
    is_named || !said.entries.is_empty()
}

fn gathered(said: &Said, limits: &Limits) -> Feed {
    let mut gather = Gather::new(Kind::Feed, limits);
    if let Some(title) = &said.feed.title {
        let title = shown(&mut gather, title, limits);
        gather.title(&title);
    }
    let nameless = said.entries.iter().filter(|entry| entry.id.trim().is_empty());
    let shared = shared(nameless.filter_map(|entry| Some(entry_link(entry)?.0)));
    for entry in &said.entries {
        if gather.is_full() {
            gather.leave_out("entry");
            break;
        }
        gather_entry(&mut gather, entry, &shared, limits);
    }
    finish(gather, said.entries.iter().filter_map(time).collect())
}

fn time(entry: &Part) -> Option<Instant> {
    dates::of_entry(chronon::stamp(&entry.published), chronon::stamp(&entry.updated))
}

/// The time of an entry, or its day.
fn day_or_time(entry: &Part) -> Option<Instant> {
    let [published, updated] =
        [&entry.published, &entry.updated].map(|at| chronon::day_or_stamp(at));
    dates::of_entry(published, updated)
}

fn finish(mut gather: Gather<'_>, dates: Vec<Instant>) -> Feed {
    let items = gather.take_items();
    Feed { whole: gather.finish(), items, dates, mended: None }
}

/// Addresses that several entries have.
fn shared<'f>(addresses: impl Iterator<Item = &'f str>) -> BTreeSet<&'f str> {
    let (mut seen, mut shared) = (BTreeSet::new(), BTreeSet::new());
    for address in addresses {
        if !seen.insert(address) {
            shared.insert(address);
        }
    }
    shared
}

/// What of an entry counts, as it is shown.
struct Story<'f> {
    /// Empty: the feed gives it none.
    id: &'f str,
    title: String,
    bodies: Vec<String>,
    href: Option<String>,
    /// Other entries without id lead there, too.
    is_shared: bool,
    at: Option<Instant>,
}

fn gather_entry(gather: &mut Gather<'_>, entry: &Part, shared: &BTreeSet<&str>, limits: &Limits) {
    let title = entry.title.as_ref().map(|title| shown(gather, title, limits));
    let texts = entry.summary.iter().chain(entry.contents.iter().take(1));
    let bodies = bodies(texts.map(|text| shown(gather, text, limits)).collect());
    let link = entry_link(entry);
    let is_shared = link.is_some_and(|(link, _)| shared.contains(link));
    let href = link.and_then(|(link, base)| resolve(link, base, limits));
    let title = title.unwrap_or_default();
    let at = day_or_time(entry);
    gather_story(gather, Story { id: &entry.id, title, bodies, href, is_shared, at }, limits);
}

/// The summary and the content, if each says something; a content that begins with the words of the
/// summary says it already.
fn bodies(mut texts: Vec<String>) -> Vec<String> {
    texts.retain(|text| !text.is_empty());
    if let [summary, content] = &*texts {
        let is_cut = summary.ends_with(['…', ']']) || summary.ends_with("...");
        let (content, summary) = (letters(content), letters(summary));
        let is_number = summary.ends_with(|c: char| c.is_ascii_digit());
        let says_it = content.strip_prefix(&summary).is_some_and(|rest| {
            is_cut || !is_number || !rest.starts_with(|c: char| c.is_ascii_digit())
        });
        if says_it && !summary.is_empty() {
            texts.remove(0);
        }
    }
    texts
}

fn gather_story(gather: &mut Gather<'_>, story: Story<'_>, limits: &Limits) {
    let Story { id, title, bodies, href, is_shared, at } = story;
    let address = href.as_deref().unwrap_or_default();
    let first = bodies.first().map_or("", String::as_str);
    let told_apart = match id.trim() {
        "" if is_shared => {
            let called = if title.is_empty() { first } else { &title };
            format!("{address} {called}")
        }
        id => id.to_owned(),
    };
    let named = [told_apart.trim(), address, &title, first];
    let id = named.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
    let id = clip(id, limits.url_bytes_max).to_owned();
    // Neighbours of one id are told apart by their titles.
    let key = if gather.last_name() == Some(clip(&id, names::KEY_BYTES_MAX)) {
        format!("{id} {title}")
    } else {
        id.clone()
    };
    gather.name(clip(&key, names::KEY_BYTES_MAX));
    gather.dated(at);
    gather.block(&title);
    for body in &bodies {
        gather.block(body);
    }
    if let Some(href) = &href {
        gather.link(href.clone(), title.clone());
    }
    gather.name("");
    gather.dated(None);
    let (href, text) = (href.unwrap_or_default(), bodies.join(" "));
    gather.item(Item { id, title, href, text, at });
}

/// The entry's page, or itself; else an id that is an address, what is enclosed, or any link.
fn entry_link(entry: &Part) -> Option<(&str, &Url)> {
    let links = |rels: &'static [&str]| {
        let links = entry.links.iter().filter(|link| !link.href.is_empty());
        links.filter(|link| rels.is_empty() || rels.contains(&&*link.rel))
    };
    let address = |link| {
        let Link { href, base, .. }: &Link = link;
        (&**href, base.as_deref().unwrap_or(&entry.base))
    };
    let here = |address| (address, &*entry.base);
    let page = links(&["", "alternate"]).next().or_else(|| links(&["self"]).next());
    let id = || Some(&*entry.id).filter(|id| id.starts_with("http")).map(here);
    let media = || entry.media.as_deref().map(here);
    page.map(address)
        .or_else(id)
        .or_else(|| links(&["enclosure"]).next().map(address))
        .or_else(media)
        .or_else(|| links(&[]).next().map(address))
}

/// What stands between two items of a list on one line, or two other blocks.
const BETWEEN: &str = " · ";

/// A text of a feed as it is shown.
fn shown(gather: &mut Gather<'_>, text: &Text, limits: &Limits) -> String {
    if text.is_plain() {
        return collapse(&text.value);
    }
    without_markup(gather, &text.value, &text.base, limits)
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
    on_one_line(&extract.blocks)
}

/// Blocks one behind the other. A heading leads to what follows it, and so does what stands before
/// a list; paragraphs that end as sentences do need no mark between them.
fn on_one_line(blocks: &[Block]) -> String {
    let mut said = String::new();
    let mut before: Option<&Block> = None;
    for block in blocks {
        let between = before.map_or("", |before| {
            let is_heading = before.level() > 0 && block.level() == 0;
            let is_lead = before.list == 0 && block.list > 0;
            let are_paragraphs =
                [before, block].iter().all(|one| one.level() == 0 && one.list == 0);
            match said.chars().next_back() {
                Some(end) if is_heading && end.is_alphanumeric() => ": ",
                _ if is_heading || is_lead => " ",
                Some('.' | '!' | '?' | ':' | '…') if are_paragraphs => " ",
                _ => BETWEEN,
            }
        });
        said.push_str(between);
        said.push_str(&block.text);
        before = Some(block);
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_left_out_only_where_the_content_begins_with_it() {
        let said = |summary: &str, content: &str| bodies(vec![summary.into(), content.into()]);
        for (summary, content) in [
            ("Features Added a label…", "Features: Added a label · Fixed a tab"),
            ("“Old” tea, again [...]", "\"Old\" tea - again and hot"),
            ("Tea.", "Tea."),
        ] {
            assert_eq!(said(summary, content), [content], "{summary}");
        }
        for (summary, content) in [
            ("★★★★☆", "A kettle that whistles"),
            ("⚠️", "The lift is out of order"),
            ("€5 off", "5 off the shelf"),
            ("From 1.50", "From 150 places"),
            ("Up by 5", "Up by 50"),
        ] {
            assert_eq!(said(summary, content), [summary, content]);
        }
    }
}
