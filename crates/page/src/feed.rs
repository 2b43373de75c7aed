//! Feeds (RSS, Atom, JSON Feed): per entry a block for the title, one for the summary (else the
//! content) without its markup, and a link.
//!
//! Times and ids are not looked at; the parser's random ids for entries without one are replaced
//! by a constant.

use crate::gather::{Gather, collapse, resolve};
use crate::{Extract, Kind, Limits, ReadError, html, xml};
use feed_rs::model::{Entry, Text};
use url::Url;

pub(crate) fn read(text: &str, url: &Url, limits: &Limits) -> Result<Extract, ReadError> {
    let text = text.trim_start();
    let text = if text.starts_with('{') {
        text
    } else {
        xml::check(text, limits)?;
        xml::without_declaration(text)
    };
    let feed = feed_rs::parser::Builder::new()
        .base_uri(Some(url.as_str()))
        .id_generator(|_, _, _| "none".to_owned())
        .timestamp_parser(|_| None)
        .sanitize_content(false)
        .build()
        .parse(text.as_bytes())
        .map_err(|error| ReadError::Malformed { format: "feed", reason: error.to_string() })?;
    let mut gather = Gather::new(Kind::Feed, limits);
    if let Some(title) = &feed.title {
        gather.title(&title.content);
    }
    for entry in &feed.entries {
        if gather.is_full() {
            break;
        }
        gather_entry(&mut gather, entry, url, limits);
    }
    Ok(gather.finish())
}

fn gather_entry(gather: &mut Gather<'_>, entry: &Entry, url: &Url, limits: &Limits) {
    let plain = |text: &Text| without_markup(&text.content, url, limits);
    let title = entry.title.as_ref().map(plain).unwrap_or_default();
    let body = entry.summary.as_ref().map(plain).filter(|text| !text.is_empty());
    let body = body.or_else(|| {
        let content = entry.content.as_ref()?;
        Some(without_markup(content.body.as_deref()?, url, limits))
    });
    gather.block(&title);
    if let Some(body) = body {
        gather.block(&body);
    }
    let page = |rel: &Option<String>| rel.as_deref().is_none_or(|rel| rel == "alternate");
    let link = entry.links.iter().find(|link| page(&link.rel)).or(entry.links.first());
    if let Some(href) = link.and_then(|link| resolve(&link.href, url, limits)) {
        gather.link(href, title);
    }
}

/// The visible text of what may be HTML, on one line.
fn without_markup(text: &str, url: &Url, limits: &Limits) -> String {
    if !text.contains(['<', '&']) {
        return collapse(text);
    }
    let extract = html::read(text, url, limits);
    let blocks: Vec<String> = extract.blocks.into_iter().map(|block| block.text).collect();
    blocks.join(" ")
}
