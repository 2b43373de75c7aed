//! A feed that is nearly XML becomes XML.
//!
//! Many feeds are put together by hand or from templates: a bare `&`, a `<` in a title, a control
//! character, an attribute without quotes, a tag that is never closed. Readers of feeds forgive
//! that, as browsers do. Only what no parser takes as it is comes here, and what has tags in a
//! text, of which the parser loses a part. A feed that ends before its
//! root does was cut off, and is not mended: what is missing would look like gone.

use super::said::{ELEMENTS_MAX, ENTRIES_MAX};
use std::borrow::Cow;
use std::fmt::Write;

/// A text as XML.
pub(crate) struct Mended {
    pub(crate) text: String,
    /// Entries are missing at the end: there were too many.
    pub(crate) is_cut: bool,
}

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

/// `None`: the text ends inside its root, or has none. O(n).
pub(super) fn mended(text: &str) -> Option<Mended> {
    let mut mender = Mender { out: String::with_capacity(text.len()), ..Mender::default() };
    let mut rest = text;
    while !rest.is_empty() && !mender.is_done && !mender.is_cut {
        rest = mender.step(rest);
    }
    (mender.is_done || mender.is_cut).then(|| {
        while mender.close() {}
        Mended { text: mender.out, is_cut: mender.is_cut }
    })
}

#[derive(Default)]
struct Mender<'t> {
    out: String,
    /// The elements that are open.
    open: Vec<&'t str>,
    elements: usize,
    entries: usize,
    /// Where the entry that came last starts in `out`, and how many elements were open there.
    entry: (usize, usize),
    /// The root is closed.
    is_done: bool,
    is_cut: bool,
}

impl<'t> Mender<'t> {
    /// Takes one piece of markup, or the text before it, and gives what follows.
    fn step(&mut self, rest: &'t str) -> &'t str {
        let Some(at) = rest.find('<') else {
            self.text(rest);
            return "";
        };
        if at > 0 {
            self.text(&rest[..at]);
            return &rest[at..];
        }
        if let Some(after) = unsaid(rest) {
            return after;
        }
        if let Some((data, after)) = between(rest, "<![CDATA[", "]]>") {
            self.cdata(data);
            return after;
        }
        if let Some((name, after)) = end_tag(rest) {
            self.end(name);
            return after;
        }
        match StartTag::of(rest) {
            Some((tag, after)) => self.start(&tag, after),
            None => {
                self.text("<");
                &rest[1..]
            }
        }
    }

    /// What stands around the root is no content.
    fn text(&mut self, text: &str) {
        if !self.open.is_empty() {
            escape(text, &mut self.out);
        }
    }

    fn cdata(&mut self, data: &str) {
        if !self.open.is_empty() {
            self.out.push_str("<![CDATA[");
            self.out.extend(data.chars().filter(|c| is_allowed(*c)));
            self.out.push_str("]]>");
        }
    }

    /// Opens an element; one that is only text is taken whole, whatever tags stand in it.
    fn start(&mut self, tag: &StartTag<'t>, after: &'t str) -> &'t str {
        if matches!(local(tag.name), "item" | "entry") {
            self.entry = (self.out.len(), self.open.len());
            self.entries += 1;
        }
        self.elements += 1;
        if self.entries > ENTRIES_MAX || self.elements > ELEMENTS_MAX {
            let (length, open) = self.entry;
            self.out.truncate(length);
            self.open.truncate(open);
            // A single entry that is too large is no feed to read the start of.
            self.is_cut = self.entries > 1;
            return "";
        }
        tag.write(&mut self.out);
        if tag.is_empty {
            self.is_done |= self.open.is_empty();
            return after;
        }
        self.open.push(tag.name);
        if !tag.is_text() {
            return after;
        }
        let (content, after) = after.split_at(content_end(after, tag.name));
        self.content(content);
        after
    }

    /// The content of an element that is only text: its tags are markup in that text, and any other
    /// `<` is a sign of its own, in markup too.
    fn content(&mut self, mut rest: &str) {
        while let Some(at) = rest.find('<') {
            escape(&rest[..at], &mut self.out);
            rest = &rest[at..];
            if let Some((data, after)) = between(rest, "<![CDATA[", "]]>") {
                self.cdata(data);
                rest = after;
                continue;
            }
            let is_tag = end_tag(rest).is_some() || StartTag::of(rest).is_some();
            self.out.push_str(if is_tag || rest.starts_with("<!--") { "&lt;" } else { "&amp;lt;" });
            rest = &rest[1..];
        }
        escape(rest, &mut self.out);
    }

    /// Closes an element and what was left open in it; of one that is not open the tag is dropped.
    fn end(&mut self, name: &str) {
        if let Some(at) = self.open.iter().rposition(|open| *open == name) {
            while self.open.len() > at {
                self.close();
            }
            self.is_done = self.open.is_empty();
        }
    }

    fn close(&mut self) -> bool {
        let name = self.open.pop();
        if let Some(name) = name {
            write!(self.out, "</{name}>").expect("a string takes any text");
        }
        name.is_some()
    }
}

struct StartTag<'t> {
    name: &'t str,
    attributes: Vec<(&'t str, &'t str)>,
    is_empty: bool,
}

impl<'t> StartTag<'t> {
    /// The tag that `rest` starts with, and what follows it. A `<` that starts no tag: `x < y`,
    /// `x <y and z> 1`.
    fn of(rest: &'t str) -> Option<(StartTag<'t>, &'t str)> {
        let (name, mut rest) = name_of(rest.strip_prefix('<')?)?;
        let mut attributes: Vec<(&str, &str)> = Vec::new();
        loop {
            let trimmed = rest.trim_start();
            let end = trimmed.strip_prefix("/>").map(|after| (true, after));
            if let Some((is_empty, after)) =
                end.or_else(|| trimmed.strip_prefix('>').map(|after| (false, after)))
            {
                return Some((StartTag { name, attributes, is_empty }, after));
            }
            let (key, after) = name_of(trimmed)?;
            let (value, after) = value_of(after.trim_start().strip_prefix('=')?.trim_start())?;
            if attributes.len() >= ATTRIBUTES_MAX {
                return None;
            }
            // XML refuses two of a name.
            if attributes.iter().all(|(has, _)| *has != key) {
                attributes.push((key, value));
            }
            rest = after;
        }
    }

    fn write(&self, out: &mut String) {
        out.push('<');
        out.push_str(self.name);
        for (key, value) in &self.attributes {
            write!(out, " {key}=\"").expect("a string takes any text");
            escape(value, out);
            out.push('"');
        }
        out.push_str(if self.is_empty { "/>" } else { ">" });
    }

    /// Whether it holds text alone, by the rules of RSS and Atom.
    fn is_text(&self) -> bool {
        const TEXTS: [&str; 8] = [
            "title",
            "description",
            "summary",
            "content",
            "subtitle",
            "content:encoded",
            "link",
            "category",
        ];
        let name = self.name.strip_prefix("atom:").unwrap_or(self.name);
        let is_tree = self.attributes.iter().any(|(key, value)| *key == "type" && is_tree(value));
        TEXTS.contains(&name) && !is_tree
    }
}

/// Whether a text of this `type` is elements.
pub(super) fn is_tree(kind: &str) -> bool {
    kind.ends_with("xhtml") || kind.ends_with("xml")
}

/// What has more attributes is no tag of a feed.
const ATTRIBUTES_MAX: usize = 100;

fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

/// What is no content: a comment, an instruction, a document type; gives what follows it.
fn unsaid(rest: &str) -> Option<&str> {
    if let Some((_, after)) = between(rest, "<!--", "-->").or_else(|| between(rest, "<?", "?>")) {
        return Some(after);
    }
    let doctype = rest.strip_prefix("<!DOCTYPE").or_else(|| rest.strip_prefix("<!doctype"))?;
    let has_subset = match (doctype.find('['), doctype.find('>')) {
        (Some(open), close) => close.is_none_or(|close| open < close),
        (None, _) => false,
    };
    let after = doctype.split_once(if has_subset { "]>" } else { ">" });
    Some(after.map_or("", |(_, after)| after))
}

/// What stands between two marks at the start of a text, and what follows. Without the second mark
/// it is all the rest, so that no part is looked through twice.
fn between<'t>(rest: &'t str, from: &str, to: &str) -> Option<(&'t str, &'t str)> {
    let rest = rest.strip_prefix(from)?;
    Some(rest.split_once(to).unwrap_or((rest, "")))
}

fn end_tag(rest: &str) -> Option<(&str, &str)> {
    let (name, rest) = name_of(rest.strip_prefix("</")?)?;
    Some((name, rest.trim_start().strip_prefix('>')?))
}

/// Where the content of an element of this name ends: at its end tag, or where its entry does.
fn content_end(rest: &str, name: &str) -> usize {
    let mut from = 0;
    while let Some(at) = rest[from..].find('<').map(|at| from + at) {
        if let Some((_, after)) = between(&rest[at..], "<![CDATA[", "]]>") {
            from = rest.len() - after.len();
            continue;
        }
        if let Some((ended, _)) = end_tag(&rest[at..])
            && (ended == name || matches!(local(ended), "item" | "entry" | "channel" | "feed"))
        {
            return at;
        }
        from = at + 1;
    }
    rest.len()
}

fn name_of(text: &str) -> Option<(&str, &str)> {
    let is_in = |c: char| c.is_alphanumeric() || matches!(c, ':' | '_' | '-' | '.');
    let end = text.find(|c| !is_in(c))?;
    let starts = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    starts.then(|| text.split_at(end))
}

/// The value of an attribute, in quotes or not, and what follows. A value that runs into a tag has
/// lost its last quote.
fn value_of(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next()?;
    let (value, after) = if matches!(quote, '"' | '\'') {
        text[1..].split_once(quote)?
    } else {
        let is_end = |c: char| c.is_whitespace() || matches!(c, '>' | '<' | '"' | '\'');
        text.split_at(text.find(is_end)?)
    };
    (!value.contains('<')).then_some((value, after))
}

/// Adds text as XML writes it. References stay; an `&` that starts none is a sign of its own.
fn escape(text: &str, out: &mut String) {
    for (at, c) in text.char_indices() {
        match c {
            '&' if is_reference(&text[at + 1..]) => out.push('&'),
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if is_allowed(c) => out.push(c),
            _ => {}
        }
    }
}

/// The longest name of an entity is `CounterClockwiseContourIntegral`.
const NAME_BYTES_MAX: usize = 32;

/// Whether the text behind an `&` makes it a reference to a character or an entity.
fn is_reference(text: &str) -> bool {
    let Some(end) = text.bytes().take(NAME_BYTES_MAX + 1).position(|byte| byte == b';') else {
        return false;
    };
    let name = &text[..end];
    let number = match name.strip_prefix('#') {
        Some(digits) => match digits.strip_prefix(['x', 'X']) {
            // Only a small x starts hexadecimal digits in XML.
            Some(hex) if name.starts_with("#x") => u32::from_str_radix(hex, 16),
            Some(_) => return false,
            None => digits.parse(),
        },
        None => {
            return name.starts_with(|c: char| c.is_ascii_alphabetic())
                && name.chars().all(|c| c.is_ascii_alphanumeric());
        }
    };
    number.ok().and_then(char::from_u32).is_some_and(is_allowed)
}

/// The characters that XML 1.0 has (section 2.2).
fn is_allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{fffd}' | '\u{10000}'..)
}
