//! One line about an extract, for people.

use crate::{Extract, Kind};

/// What was found, as in `page, 214 words, 37 links, a feed at https://example.org/rss`.
pub fn summary(extract: &Extract) -> String {
    let kind = match extract.kind {
        Kind::Html => "page",
        Kind::Feed => "feed",
        Kind::Xml => "XML document",
        Kind::Json => "JSON document",
        Kind::Text => "text",
    };
    let words = extract.blocks.iter().map(|block| words(&block.text)).sum();
    let mut parts = vec![kind.to_owned(), counted(words, "word")];
    if matches!(extract.kind, Kind::Html | Kind::Feed) {
        parts.push(counted(extract.links.len(), "link"));
    }
    if !extract.images.is_empty() {
        parts.push(counted(extract.images.len(), "image"));
    }
    match extract.feeds.as_slice() {
        [] => {}
        [feed] => parts.push(format!("a feed at {}", feed.href)),
        [first, ..] => parts.push(format!("{} feeds, one at {}", extract.feeds.len(), first.href)),
    }
    parts.join(", ")
}

fn words(text: &str) -> usize {
    text.split(' ').filter(|word| word.contains(char::is_alphanumeric)).count()
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
