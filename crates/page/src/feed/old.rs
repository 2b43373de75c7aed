//! Feeds of old formats, as the parser's library knows them: Atom 0.3 as Atom 1.0, RSS without a
//! name space of its own, and the last tag closed.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, Writer};
use std::borrow::Cow;

const ATOM_0_3: &str = "http://purl.org/atom/ns#";
const ATOM_1_0: &str = "http://www.w3.org/2005/Atom";

/// Elements of Atom 0.3 that are called otherwise now.
const RENAMED: [(&str, &str); 4] = [
    ("issued", "published"),
    ("modified", "updated"),
    ("tagline", "subtitle"),
    ("copyright", "rights"),
];

/// Elements whose `type` is a word in Atom 1.0, and was a media type.
const TEXTS: [&str; 6] = ["title", "subtitle", "summary", "rights", "info", "content"];

/// A text that ends within the tag that closes its root, whose `>` is lost, with that.
pub(super) fn closed(text: &str) -> Cow<'_, str> {
    let end = text.trim_end();
    let last = end.rfind('<').map_or("", |at| &end[at..]);
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, ':' | '-' | '_');
    let is_open = last.strip_prefix("</").is_some_and(|name| {
        !name.is_empty() && name.chars().all(is_name) && text.contains(&format!("<{name}"))
    });
    if is_open { Cow::Owned(format!("{end}>")) } else { Cow::Borrowed(text) }
}

/// The attributes of `<rss>` without a default name space.
pub(super) fn without_name_space(attributes: &str) -> String {
    let Some(at) = attributes.find("xmlns=") else { return attributes.to_owned() };
    let value = &attributes[at + "xmlns=".len()..];
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''));
    let end = quote.and_then(|quote| value[1..].find(quote));
    match end {
        Some(end) => format!("{}{}", &attributes[..at], &value[end + 2..]),
        None => attributes.to_owned(),
    }
}

/// Atom 0.3 as Atom 1.0; what is no XML stays as it is.
pub(super) fn as_atom(text: &str) -> Cow<'_, str> {
    if !text.contains(ATOM_0_3) {
        return Cow::Borrowed(text);
    }
    let text = text.replace(ATOM_0_3, ATOM_1_0);
    rewritten(&text).map_or(Cow::Owned(text), Cow::Owned)
}

fn rewritten(text: &str) -> Option<String> {
    let (mut reader, mut writer) = (Reader::from_str(text), Writer::new(Vec::new()));
    loop {
        let event = match reader.read_event().ok()? {
            Event::Eof => break,
            Event::Start(start) => Event::Start(renewed(&start)),
            Event::Empty(start) => Event::Empty(renewed(&start)),
            Event::End(end) => {
                let name = renamed(end.name().into_inner());
                Event::End(quick_xml::events::BytesEnd::new(name))
            }
            other => other,
        };
        writer.write_event(event).ok()?;
    }
    String::from_utf8(writer.into_inner()).ok()
}

/// The name of an element in Atom 1.0, its prefix kept.
fn renamed(name: &str) -> String {
    let (prefix, local) =
        name.split_once(':').map_or(("", name), |(prefix, local)| (prefix, local));
    let new = RENAMED.iter().find(|(old, _)| *old == local).map_or(local, |(_, new)| new);
    if prefix.is_empty() { new.to_owned() } else { format!("{prefix}:{new}") }
}

/// A start tag in Atom 1.0.
fn renewed(start: &BytesStart<'_>) -> BytesStart<'static> {
    let name = renamed(start.name().into_inner());
    let local = name.rsplit(':').next().unwrap_or(&name).to_owned();
    let mut new = BytesStart::new(name);
    for attribute in start.attributes().with_checks(false).flatten() {
        let is_text = TEXTS.contains(&&*local);
        match attribute.key.into_inner() {
            "mode" if is_text => {}
            "type" if is_text => {
                let word = match &*attribute.value {
                    "text/plain" => "text",
                    "text/html" => "html",
                    "application/xhtml+xml" => "xhtml",
                    _ => {
                        new.push_attribute(attribute);
                        continue;
                    }
                };
                new.push_attribute(("type", word));
            }
            _ => new.push_attribute(attribute),
        }
    }
    new
}
