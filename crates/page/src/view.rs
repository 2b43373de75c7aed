//! What of a page is extracted, and by which extractor.

use crate::media::Guess;
use crate::{EXTRACTOR, Extract, Hints, Limits, ReadError, charset, feed, html, json, media};
use crate::{text, xml};
use std::borrow::Cow;
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

    /// The number of the present extractor of this view; `None`: nothing extracts it. An extract
    /// of another number is old.
    pub fn extractor(&self) -> Option<u32> {
        self.reader().map(|extractor| extractor.number)
    }

    /// Who extracts a view: a new kind of selector is an arm here, and a file.
    fn reader(&self) -> Option<Extractor> {
        match self {
            View::Page => Some(Extractor { number: EXTRACTOR, read: |document| document.whole() }),
            View::Selected(_) => None,
        }
    }
}

struct Extractor {
    /// Raised whenever the same bytes would give a different extract.
    number: u32,
    read: fn(&Document<'_>) -> Result<Extract, ReadError>,
}

/// Reads a body once, and extracts each of the views. A view that nothing extracts is missing in
/// the result.
///
/// # Errors
/// The body cannot be read, whatever the view (see [`crate::read`]).
pub fn extract(
    body: &[u8],
    hints: &Hints<'_>,
    limits: &Limits,
    views: impl IntoIterator<Item = View>,
) -> Result<BTreeMap<View, Extract>, ReadError> {
    let media = media::Media::parse(hints.content_type);
    let text = decoded(body, &media, limits)?;
    let text = text.trim_start_matches('\u{feff}');
    let document = Document { text, guess: media::guess(text, &media), hints, limits };
    let known = views.into_iter().filter_map(|view| Some((view.reader()?, view)));
    known.map(|(by, view)| Ok((view, (by.read)(&document)?))).collect()
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

/// A body as text, and what it seems to be.
struct Document<'d> {
    text: &'d str,
    guess: Guess,
    hints: &'d Hints<'d>,
    limits: &'d Limits,
}

impl Document<'_> {
    fn whole(&self) -> Result<Extract, ReadError> {
        let Document { text, hints, limits, .. } = *self;
        match self.guess {
            Guess::Html => Ok(html::read(text, hints.url, limits)),
            Guess::Feed => feed::read(text, hints.url, limits).or_else(|_| self.whole_xml()),
            Guess::Xml => self.whole_xml(),
            Guess::JsonFeed => {
                feed::read(text, hints.url, limits).or_else(|_| json::read(text, limits))
            }
            Guess::Json => json::read(text, limits),
            Guess::MaybeJson => json::read(text, limits).or_else(|_| Ok(text::read(text, limits))),
            Guess::Text => Ok(text::read(text, limits)),
        }
    }

    /// XML, or HTML that claims to be XML and is not well-formed.
    fn whole_xml(&self) -> Result<Extract, ReadError> {
        xml::read(self.text, self.limits).or_else(|error| {
            if media::looks_like_html(self.text) {
                Ok(html::read(self.text, self.hints.url, self.limits))
            } else {
                Err(error)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_gives_an_extract_for_each_view_that_something_extracts() {
        let url = url::Url::parse("https://site.example/").unwrap();
        let hints = Hints { content_type: Some("text/html"), url: &url };
        let main = View::Selected("css \"main\"".into());
        let views = [View::Page, main.clone()];
        let extracts =
            extract(b"<p>Lisbon 40</p>", &hints, &Limits::default(), views.clone()).unwrap();
        assert_eq!(extracts.keys().collect::<Vec<_>>(), [&View::Page]);
        let number = extracts[&View::Page].extractor;
        assert_eq!((View::Page.extractor(), main.extractor()), (Some(number), None));
        for view in views {
            assert_eq!(View::of_key(view.key()), view);
        }
    }
}
