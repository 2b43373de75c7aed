//! XML: one block per run of text, and one per attribute (`name: value`).
//!
//! Entities other than the five predefined ones and character references stay as they are written:
//! nothing is expanded and nothing is fetched.

pub(crate) mod drawing;
mod tree;

use crate::gather::Gather;
use crate::{Extract, Kind, Limits, ReadError, names};
use chronon::Instant;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::borrow::Cow;
use std::collections::BTreeMap;

pub(crate) use tree::tree;

/// Name spaces declared on the elements that are open at one time.
const NAMESPACES_MAX: usize = 256;

fn malformed(reason: impl Into<String>) -> ReadError {
    ReadError::Malformed { format: "XML", reason: reason.into() }
}

pub(crate) fn read(text: &str, limits: &Limits) -> Result<Extract, ReadError> {
    let mut gather = Gather::new(Kind::Xml, limits);
    let mut path = Path::default();
    walk(text, limits, |event| match event {
        Seen::Start(name) => {
            gather.end_block();
            path.open(name);
            gather.name(&path.text);
        }
        Seen::End => {
            gather.end_block();
            path.close();
            gather.name(&path.text);
        }
        Seen::Attribute(name, value) => {
            gather.end_block();
            gather.name(&format!("{}.@{name}", path.text));
            gather.push_text(name);
            gather.push_text(": ");
            gather.push_text(value);
            gather.end_block();
            gather.name(&path.text);
        }
        Seen::Text(text) => gather.push_text(text),
        Seen::Namespace(..) => {}
    })?;
    Ok(gather.finish())
}

/// Where a walk is: the open elements, each with its number among the siblings of its name, as in
/// `catalog[0].book[2]`. A path that is too long to name anything stays as it was.
#[derive(Default)]
struct Path {
    text: String,
    /// For each open element how long the path was before, and how many children of each name it
    /// has had.
    open: Vec<(usize, BTreeMap<String, u32>)>,
    roots: BTreeMap<String, u32>,
}

impl Path {
    fn open(&mut self, name: &str) {
        let length = self.text.len();
        let siblings = self.open.last_mut().map_or(&mut self.roots, |(_, children)| children);
        if length + name.len() <= names::KEY_BYTES_MAX {
            let number = siblings.entry(name.to_owned()).or_default();
            let dot = if length > 0 { "." } else { "" };
            self.text.push_str(&format!("{dot}{name}[{number}]"));
            *number += 1;
        }
        self.open.push((length, BTreeMap::new()));
    }

    fn close(&mut self) {
        if let Some((length, _)) = self.open.pop() {
            self.text.truncate(length);
        }
    }
}

/// The times that a sitemap gives its pages; nothing for other documents.
pub(crate) fn sitemap_dates(text: &str, limits: &Limits) -> Vec<Instant> {
    if !text.contains("<lastmod") {
        return Vec::new();
    }
    let (mut dates, mut is_date) = (Vec::new(), false);
    let walked = walk(text, limits, |event| match event {
        Seen::Start(name) => is_date = name == "lastmod",
        Seen::End => is_date = false,
        Seen::Text(text) if is_date => dates.extend(chronon::stamp(text)),
        _ => {}
    });
    walked.map_or_else(|_| Vec::new(), |()| dates)
}

/// The text after the XML declaration: it is decoded already, whatever the declaration says.
pub(crate) fn without_declaration(text: &str) -> &str {
    let text = text.trim_start();
    match text.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>")) {
        Some((_, rest)) if text[5..].starts_with(char::is_whitespace) => rest,
        _ => text,
    }
}

pub(crate) enum Seen<'t> {
    /// An element of this name starts; its attributes follow.
    Start(&'t str),
    End,
    Attribute(&'t str, &'t str),
    /// The element that started last declares a name space: its prefix, empty for the default,
    /// and its URI.
    Namespace(&'t str, &'t str),
    Text(&'t str),
}

/// Shows what is in `text`, in document order; where it is not well-formed or too deep, or a tag is
/// too crowded, ends with what is wrong.
pub(crate) fn walk(
    text: &str,
    limits: &Limits,
    mut see: impl FnMut(Seen<'_>),
) -> Result<(), ReadError> {
    let mut reader = Reader::from_str(without_declaration(text));
    reader.config_mut().allow_dangling_amp = true;
    let mut namespaces: Vec<usize> = Vec::new();
    let mut declared = 0;
    let mut elements = 0u64;
    loop {
        match reader.read_event().map_err(|error| malformed(error.to_string()))? {
            Event::Start(element) => {
                elements += 1;
                let own = attributes(&element, limits, &mut see)?;
                namespaces.push(own);
                declared += own;
                if namespaces.len() > limits.depth_max as usize {
                    let depth = limits.depth_max;
                    return Err(malformed(format!("nested deeper than {depth} (depth_max)")));
                }
                if declared > NAMESPACES_MAX {
                    return Err(malformed(format!("more than {NAMESPACES_MAX} name spaces")));
                }
            }
            Event::Empty(element) => {
                elements += 1;
                attributes(&element, limits, &mut see)?;
                see(Seen::End);
            }
            Event::End(_) => {
                see(Seen::End);
                declared -= namespaces.pop().unwrap_or_default();
            }
            Event::Text(text) => seen_text(&text.into_inner(), &mut see)?,
            Event::CData(data) => seen_text(&data.into_inner(), &mut see)?,
            Event::GeneralRef(reference) => match reference.resolve_char_ref() {
                Ok(Some(c)) => see(Seen::Text(c.encode_utf8(&mut [0; 4]))),
                _ => match quick_xml::escape::resolve_xml_entity(&reference) {
                    Some(text) => see(Seen::Text(text)),
                    None => see(Seen::Text(&format!("&{};", &*reference))),
                },
            },
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            Event::Eof => break,
        }
    }
    match (namespaces.len(), elements) {
        (0, 0) => Err(malformed("no element")),
        (0, _) => Ok(()),
        (open, _) => Err(malformed(format!("it ends inside {open} open elements"))),
    }
}

fn seen_text(text: &str, see: &mut impl FnMut(Seen<'_>)) -> Result<(), ReadError> {
    if text.contains('\0') {
        return Err(malformed("a NUL character"));
    }
    see(Seen::Text(text));
    Ok(())
}

/// Shows an element's attributes and gives the number of its name space declarations.
fn attributes(
    element: &BytesStart<'_>,
    limits: &Limits,
    see: &mut impl FnMut(Seen<'_>),
) -> Result<usize, ReadError> {
    let name = element.name();
    see(Seen::Start(name.as_ref()));
    let mut namespaces = 0;
    for (index, attribute) in element.attributes().with_checks(false).enumerate() {
        if index >= limits.attributes_max {
            let max = limits.attributes_max;
            return Err(malformed(format!("more than {max} attributes (attributes_max)")));
        }
        let attribute = attribute.map_err(|error| malformed(error.to_string()))?;
        let name: &str = attribute.key.as_ref();
        let written = &attribute.value;
        let value = quick_xml::escape::unescape(written).unwrap_or(Cow::Borrowed(written));
        let prefix = name.strip_prefix("xmlns").and_then(|rest| match rest {
            "" => Some(rest),
            rest => rest.strip_prefix(':'),
        });
        match prefix {
            Some(prefix) => {
                namespaces += 1;
                see(Seen::Namespace(prefix, &value));
            }
            None => see(Seen::Attribute(name, &value)),
        }
    }
    Ok(namespaces)
}
