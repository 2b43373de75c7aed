//! What of a page is extracted, and by which extractor.

use crate::html::{Parsed, Unread};
use crate::media::Guess;
use crate::{EXTRACTOR, Extract, Hints, Item, Kind, Limits, ReadError, charset, dates, feed, html};
use crate::{csv, json, markdown, media, region, text, xml};
use chronon::Instant;
use select::{Markup, Order, Region};
use serde_json::Value;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// What of a page is extracted.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum View {
    /// The whole page.
    #[default]
    Page,
    /// What a selector finds, as the language writes it: `css "main"`.
    Selected(Box<str>),
}

impl View {
    /// Names the view where it is stored; the whole page has no name.
    pub fn key(&self) -> &str {
        match self {
            View::Page => "",
            View::Selected(selector) => selector,
        }
    }

    /// The inverse of [`View::key`].
    pub fn of_key(key: &str) -> View {
        match key {
            "" => View::Page,
            selector => View::Selected(selector.into()),
        }
    }

    /// A region of the page.
    pub fn of(region: &Region) -> View {
        if region.is_whole() { View::Page } else { View::Selected(region.to_string().into()) }
    }

    /// The region that is looked at; `None`: a text that names none.
    pub fn region(&self) -> Option<Region> {
        Region::of_text(self.key())
    }

    /// The number of the present extractor of this view; `None`: nothing extracts it. An extract
    /// of another number is old.
    pub fn extractor(&self) -> Option<u32> {
        match self {
            View::Page => Some(EXTRACTOR),
            // A region is a part of a page as the extractor of pages sees it.
            View::Selected(text) => {
                Region::of_text(text).map(|_| EXTRACTOR * 1_000 + region::EXTRACTOR)
            }
        }
    }
}

/// Reads a body once, and extracts each of the views. A view that nothing extracts is missing in
/// the result.
///
/// HTML is parsed once, however many views there are. Where selectors look into XML or JSON, it is
/// parsed a second time, into a tree.
///
/// # Errors
/// The body cannot be read, whatever the view (see [`crate::read`]).
pub fn extract(
    body: &[u8],
    hints: &Hints<'_>,
    limits: &Limits,
    views: impl IntoIterator<Item = View>,
) -> Result<BTreeMap<View, Extract>, ReadError> {
    extract_dated(body, hints, limits, views).map(|read| read.extracts)
}

/// Extracts, and when the content says that it changed.
#[derive(Debug, Clone)]
pub struct Dated {
    /// By view.
    pub extracts: BTreeMap<View, Extract>,
    /// The newest dates in it, oldest first: of entries, of a sitemap, or found by the selectors of
    /// the views. At most [`crate::DATES_MAX`]; without those that are days, or all alike.
    pub dates: Vec<Instant>,
    /// Only for an HTML page that is read as a whole alone, with nothing left out.
    pub unread: Option<Unread>,
}

/// [`extract`], with the dates of the content.
///
/// # Errors
/// The body cannot be read, whatever the view (see [`crate::read`]).
pub fn extract_dated(
    body: &[u8],
    hints: &Hints<'_>,
    limits: &Limits,
    views: impl IntoIterator<Item = View>,
) -> Result<Dated, ReadError> {
    let media = media::Media::parse(hints.content_type);
    let text = decoded(body, &media, limits)?;
    let text = text.trim_start_matches('\u{feff}');
    let guess = media::guess(text, &media, hints.url.path());
    let mut document = Document::read(text, guess, hints, limits)?;
    let mut found = std::mem::take(&mut document.dates);
    let (mut extracts, mut is_whole_wanted) = (BTreeMap::new(), false);
    for view in views {
        match &view {
            View::Page => is_whole_wanted = true,
            View::Selected(key) => {
                let Some(region) = Region::of_text(key) else { continue };
                let extract = region::read(&region, &document);
                found.extend(dates::in_view(&extract));
                extracts.insert(view, extract);
            }
        }
    }
    if is_whole_wanted {
        extracts.insert(View::Page, document.whole);
    }
    let unread = document.unread.filter(|_| extracts.keys().eq([&View::Page]));
    Ok(Dated { extracts, dates: dates::newest(found), unread })
}

/// A body as text, if it is one and not too long.
pub(crate) fn decoded<'b>(
    body: &'b [u8],
    media: &media::Media,
    limits: &Limits,
) -> Result<Cow<'b, str>, ReadError> {
    if body.len() > limits.body_bytes_max {
        return Err(ReadError::TooLarge { bytes: body.len(), max: limits.body_bytes_max });
    }
    media::refuse_binary(body, media)?;
    Ok(charset::decode(body, media.charset()))
}

/// A document that is read, and the tree that selectors look into.
pub(crate) struct Document<'d> {
    text: Cow<'d, str>,
    pub(crate) hints: &'d Hints<'d>,
    pub(crate) limits: &'d Limits,
    whole: Extract,
    items: Vec<Item>,
    /// What the whole says of its times.
    dates: Vec<Instant>,
    unread: Option<Unread>,
    /// Grown at the first look.
    grown: OnceCell<Result<Grown, String>>,
    order: OnceCell<Order>,
}

/// A tree for selectors.
pub(crate) enum Grown {
    Html(Parsed),
    Xml(Parsed),
    Json(Value),
}

impl<'d> Document<'d> {
    fn read(
        text: &'d str,
        guess: Guess,
        hints: &'d Hints<'d>,
        limits: &'d Limits,
    ) -> Result<Document<'d>, ReadError> {
        let document = |whole, grown: Option<Grown>| {
            let cell = OnceCell::new();
            if let Some(grown) = grown {
                cell.get_or_init(|| Ok(grown));
            }
            let (items, dates) = (Vec::new(), Vec::new());
            let order = OnceCell::new();
            let text = Cow::Borrowed(text);
            let unread = None;
            Document { text, hints, limits, whole, items, dates, unread, grown: cell, order }
        };
        let page = |parsed| {
            let whole = html::gathered(&parsed, hints.url, limits, &mut html::Everything);
            document(whole, Some(Grown::Html(parsed)))
        };
        // XML, or HTML that claims to be XML and is not well-formed.
        let xml = || match xml::read(text, limits) {
            Ok(whole) => {
                let dates = xml::sitemap_dates(text, limits);
                Ok(Document { dates, ..document(whole, None) })
            }
            Err(_) if media::looks_like_html(text) => Ok(page(html::tree(text, limits))),
            Err(error) => Err(error),
        };
        let feed = || {
            let read = feed::read(text, hints.url, limits)?;
            let feed::Feed { whole, items, dates, mended } = read;
            let text = mended.map_or(Cow::Borrowed(text), Cow::Owned);
            Ok(Document { text, items, dates, ..document(whole, None) })
        };
        let json = || json::read(text, limits).map(|whole| document(whole, None));
        let plain = || document(text::read(text, limits), None);
        let marked = || {
            let parsed = markdown::tree(text, limits);
            document(markdown::gathered(&parsed, hints.url, limits), Some(Grown::Html(parsed)))
        };
        match guess {
            Guess::Html => {
                let (parsed, unread) = html::tree_and_unread(text, limits);
                Ok(Document { unread, ..page(parsed) })
            }
            Guess::Feed => feed().or_else(|_: ReadError| xml()),
            Guess::Xml => xml(),
            Guess::Drawing => match xml::drawing::read(text, limits) {
                Ok(whole) => Ok(document(whole, None)),
                Err(_) => Ok(page(html::tree(media::drawing(text), limits))),
            },
            Guess::JsonFeed => feed().or_else(|_: ReadError| json()),
            Guess::Json => json(),
            Guess::MaybeJson => json().or_else(|_| Ok(plain())),
            Guess::Csv => Ok(document(csv::read(text, limits), None)),
            Guess::Markdown => Ok(marked()),
            Guess::Text => Ok(plain()),
        }
    }

    pub(crate) fn kind(&self) -> Kind {
        self.whole.kind
    }

    pub(crate) fn whole(&self) -> &Extract {
        &self.whole
    }

    pub(crate) fn items(&self) -> &[Item] {
        &self.items
    }

    /// The language that the document says it is in.
    pub(crate) fn language(&self) -> Option<Box<str>> {
        let Ok(Grown::Html((html, _)) | Grown::Xml((html, _))) = self.grown() else { return None };
        let root = html.tree.root().children().find(|node| node.value().is_element())?;
        region::language_of(root)
    }

    /// The order of the tree's nodes, for all XPaths.
    pub(crate) fn order(&self, markup: &Markup<'_>) -> &Order {
        self.order.get_or_init(|| Order::of(markup))
    }

    /// The tree, or a sentence that says why there is none.
    pub(crate) fn grown(&self) -> Result<&Grown, String> {
        self.grown.get_or_init(|| self.grow()).as_ref().map_err(Clone::clone)
    }

    fn grow(&self) -> Result<Grown, String> {
        let said = |error: ReadError| error.to_string();
        match self.whole.kind {
            Kind::Html => Ok(Grown::Html(html::tree(&self.text, self.limits))),
            Kind::Json => self.values(),
            Kind::Feed if self.text.trim_start().starts_with('{') => self.values(),
            Kind::Feed | Kind::Xml => {
                xml::tree(&self.text, self.limits).map(Grown::Xml).map_err(said)
            }
            Kind::Text => {
                Err("selectors look into HTML, XML, JSON and Markdown, and this is plain text"
                    .into())
            }
        }
    }

    fn values(&self) -> Result<Grown, String> {
        let signs = self.text.bytes().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
        if signs > self.limits.nodes_max as usize {
            let max = self.limits.nodes_max;
            return Err(format!("it has more than {max} values, too many to point into"));
        }
        serde_json::from_str(&self.text).map(Grown::Json).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_gives_an_extract_for_each_view_that_something_extracts() {
        let url = url::Url::parse("https://site.example/").unwrap();
        let hints = Hints { content_type: Some("text/html"), url: &url };
        let main = View::Selected("css \"p\"".into());
        let unknown = View::Selected("colour \"p\"".into());
        let views = [View::Page, main.clone(), unknown.clone()];
        let extracts =
            extract(b"<p>Lisbon 40</p>", &hints, &Limits::default(), views.clone()).unwrap();
        assert_eq!(extracts.keys().collect::<Vec<_>>(), [&View::Page, &main]);
        for (view, extract) in &extracts {
            assert_eq!(view.extractor(), Some(extract.extractor));
        }
        assert_eq!(unknown.extractor(), None);
        assert_eq!(extracts[&main].blocks, [crate::Block::plain("Lisbon 40")]);
        for view in views {
            assert_eq!(View::of_key(view.key()), view);
        }
    }
}
