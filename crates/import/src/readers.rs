//! Feed readers: OPML, with what FreshRSS adds to it, and the list of feeds of Miniflux's API.

use crate::addresses::{is_address, refused};
use crate::fields::{is_set, text};
use crate::limits::{ENTRIES_MAX, OUTLINES_DEPTH_MAX};
use crate::{Entry, Import, ImportError, Left, Part, Selector, Tool, Wish};
use quick_xml::escape::escape;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use serde_json::Value;
use std::collections::BTreeMap;

/// Reads OPML 1 and 2: each outline with an address is an entry, those around it are its tags.
pub(crate) fn opml(document: &str) -> Result<Import, ImportError> {
    let broken = |error: quick_xml::Error| ImportError::Opml(error.to_string());
    let mut reader = Reader::from_str(document);
    reader.config_mut().allow_dangling_amp = true;
    let (mut is_opml, mut entries, mut around) = (false, Vec::new(), Vec::<Option<String>>::new());
    loop {
        match reader.read_event().map_err(broken)? {
            Event::Eof => break,
            Event::Start(element) | Event::Empty(element) if is_named(&element, "opml") => {
                is_opml = true;
            }
            Event::Start(element) if is_named(&element, "outline") => {
                if around.len() == OUTLINES_DEPTH_MAX {
                    return Err(ImportError::Opml("outlines are nested too deeply".to_owned()));
                }
                let outline = Outline::of(&element);
                around.push(outline.folder());
                entries.extend(outline.entry(entries.len() + 1, &around));
            }
            Event::Empty(element) if is_named(&element, "outline") => {
                entries.extend(Outline::of(&element).entry(entries.len() + 1, &around));
            }
            Event::End(element)
                if element.local_name().as_ref().eq_ignore_ascii_case("outline") =>
            {
                around.pop();
            }
            _ => {}
        }
        if entries.len() > ENTRIES_MAX {
            return Err(ImportError::TooMany);
        }
    }
    if is_opml { Ok(Import { tool: Tool::Opml, entries }) } else { Err(ImportError::Unknown) }
}

fn is_named(element: &BytesStart<'_>, name: &str) -> bool {
    element.local_name().as_ref().eq_ignore_ascii_case(name)
}

/// The attributes of an outline.
struct Outline(BTreeMap<String, String>);

impl Outline {
    fn of(element: &BytesStart<'_>) -> Outline {
        let mut attributes = element.attributes();
        let attributes = attributes.with_checks(false).flatten();
        let attributes = attributes.map(|attribute| {
            let name = attribute.key.as_ref().to_lowercase();
            let value = match attribute.normalized_value(XmlVersion::Implicit1_0) {
                Ok(value) => value.trim().to_owned(),
                Err(_) => attribute.value.trim().to_owned(),
            };
            (name, value)
        });
        Outline(attributes.collect())
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    fn name(&self) -> Option<&str> {
        self.get("title").or_else(|| self.get("text"))
    }

    fn address(&self) -> Option<&str> {
        self.get("xmlurl").or_else(|| self.get("url")).or_else(|| self.get("htmlurl"))
    }

    /// The name of a folder; none of an outline that is an entry itself.
    fn folder(&self) -> Option<String> {
        if self.address().is_some() { None } else { self.name().map(str::to_owned) }
    }

    fn entry(&self, number: usize, around: &[Option<String>]) -> Option<Entry> {
        let place = self.name().or(self.address());
        let place = place.map_or_else(|| format!("feed {number}"), str::to_owned);
        let lost = |left| Some(Entry { place: place.clone(), wish: None, left: vec![left] });
        let Some(written) = self.address() else {
            // A folder has none; a feed whose address is empty was meant to have one.
            return self.0.contains_key("xmlurl").then(|| lost(refused("")))?;
        };
        let address = &asked(written);
        if self.get("type").is_some_and(|kind| kind.eq_ignore_ascii_case("include")) {
            let what = format!("the list that `{address}` holds");
            return lost(Left::new(what, "`tidings import` with its address"));
        }
        if !is_address(address) {
            return lost(refused(written));
        }
        let mut wish = Wish::of(address.as_str());
        if let Some(name) = self.name() {
            wish.name = name.to_owned();
        }
        wish.tags = around.iter().flatten().cloned().collect();
        let more = self.get("category").unwrap_or_default().split(',');
        wish.tags.extend(more.map(|tag| tag.trim_matches(['/', ' ']).to_owned()));
        wish.tags.retain(|tag| !tag.is_empty());
        let mut left = Vec::new();
        wish.feed = self.get("xmlurl").is_some();
        self.scraped(&mut wish, &mut left);
        Some(Entry { place, wish: Some(wish), left })
    }

    /// What FreshRSS does with pages that are no feeds.
    fn scraped(&self, wish: &mut Wish, left: &mut Vec<Left>) {
        let kind = self.get("type").unwrap_or_default().to_lowercase();
        if kind.contains("xpath") || kind.contains("json+dot") {
            wish.feed = false;
        }
        match self.get("frss:xpathitem") {
            Some(item) if kind == "html+xpath" || kind == "xml+xpath" => {
                wish.parts.push(Part::Text(Selector::new("xpath", item)));
            }
            Some(_) => left.push(Left::new("XPath into JSON", "`text of jsonpath \"…\"`")),
            None => {}
        }
        if self.get("frss:cssfullcontent").is_some() {
            left.push(Left::new(
                "the full text of each article",
                "an alert has the text of the feed and the article's address",
            ));
        }
        if let Some(filters) = self.get("frss:filtersactionread") {
            left.push(Left::new(
                format!("filters that mark as read: {}", filters.replace('\n', ", ")),
                "`matching \"…\"` tells only of what matches",
            ));
        }
        if self.0.keys().any(|name| name.starts_with("frss:curlopt")) {
            left.push(Left::new(
                "settings of the request",
                "`https://user:password@host/` logs in",
            ));
        }
    }
}

/// An address without the `feed:` that readers put before or instead of its scheme.
fn asked(address: &str) -> String {
    match address.split_once(':') {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("feed") => {
            let hostly = rest.starts_with("//").then(|| format!("http:{rest}"));
            hostly.unwrap_or_else(|| rest.to_owned())
        }
        _ => address.to_owned(),
    }
}

/// Reads what `GET /v1/feeds` of Miniflux answers.
pub(crate) fn miniflux(value: &Value) -> Option<Import> {
    let feeds = value.as_array()?;
    if !feeds.iter().all(|feed| feed.get("feed_url").is_some()) {
        return None;
    }
    let entries = feeds.iter().zip(1..).map(|(feed, number)| {
        let place = format!("feed {}", feed["id"].as_u64().unwrap_or(number));
        let url = text(feed, "feed_url").unwrap_or_default();
        if !is_address(url) {
            return Entry { place, wish: None, left: vec![refused(url)] };
        }
        let mut wish = Wish { feed: true, ..Wish::of(url) };
        if let Some(title) = text(feed, "title") {
            wish.name = title.to_owned();
        }
        wish.tags.extend(text(&feed["category"], "title").map(str::to_owned));
        wish.enabled = !is_set(feed, "disabled");
        let settings = [
            ("scraper_rules", "the full text of each article", "the article's address"),
            ("rewrite_rules", "rules that rewrite articles", "`ignoring \"…\"`"),
            ("blocklist_rules", "rules that block articles", "`ignoring \"…\"`"),
            ("block_filter_entry_rules", "rules that block articles", "`ignoring \"…\"`"),
            ("keeplist_rules", "rules that keep articles", "`matching \"…\"`"),
            ("keep_filter_entry_rules", "rules that keep articles", "`matching \"…\"`"),
            ("cookie", "a cookie", "`https://user:password@host/` logs in"),
            ("user_agent", "a user agent of its own", "`fetch.user_agent` is one for all"),
            ("fetch_via_proxy", "a proxy", "none for single pages"),
        ];
        let left = settings.iter().filter(|(name, ..)| is_set(feed, name));
        let left = left.map(|(_, what, nearest)| Left::new(*what, *nearest)).collect();
        Entry { place, wish: Some(wish), left }
    });
    Some(Import { tool: Tool::Miniflux, entries: entries.collect() })
}

/// Writes names and addresses as OPML 2, for feed readers. O(text).
pub fn write_opml(pairs: impl IntoIterator<Item = (String, String)>) -> String {
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">\n";
    let mut out = format!("{head}  <head><title>Tidings</title></head>\n  <body>\n");
    for (name, url) in pairs {
        let (name, url) = (escape(name), escape(url));
        out.push_str(&format!(
            "    <outline text=\"{name}\" title=\"{name}\" type=\"rss\" xmlUrl=\"{url}\"/>\n"
        ));
    }
    out.push_str("  </body>\n</opml>\n");
    out
}
