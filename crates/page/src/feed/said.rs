//! What a feed says, as it is written: RSS of any version, Atom 0.3 and 1.0, and CDF.
//!
//! Read in one pass. Only children of the feed, of an entry and of an author are looked at, so that
//! the title of a picture is not that of the feed. Names count in any case, as feeds write them.

use super::fields::{Field, Role, Space, role};
use crate::xml::{Seen, walk};
use crate::{Limits, ReadError};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fmt::Write;
use std::rc::Rc;
use url::Url;

/// Entries of one feed.
pub(super) const ENTRIES_MAX: usize = 20_000;
/// Elements of one feed.
pub(super) const ELEMENTS_MAX: usize = 200_000;
/// Bytes of a base that links are resolved against; a longer `xml:base` counts as absent.
const BASE_BYTES_MAX: usize = 1_024;
/// Bytes of all of them: a short one is resolved to a long one.
const BASES_BYTES_MAX: usize = 16 << 20;

/// A feed as it is written.
#[derive(Debug)]
pub struct Said {
    /// The root's name in lower case without its prefix, its `version`, and its name spaces.
    pub root: String,
    pub version: String,
    pub spaces: Vec<String>,
    pub feed: Part,
    pub entries: Vec<Part>,
}

/// What a feed, or an entry of it, says of itself.
#[derive(Debug)]
pub struct Part {
    pub id: String,
    /// The id is an address that may be relative.
    pub is_id_address: bool,
    pub title: Option<Text>,
    /// What its media are called.
    pub caption: Option<Text>,
    pub summary: Option<Text>,
    pub contents: Vec<Text>,
    pub links: Vec<Link>,
    /// Where the first picture, sound or film is that comes with it.
    pub media: Option<String>,
    pub authors: Vec<Person>,
    pub published: String,
    pub updated: String,
    pub base: Rc<Url>,
}

/// A text, and what it says of itself.
#[derive(Debug)]
pub struct Text {
    /// The media type; empty where it says none.
    pub media: String,
    pub value: String,
    pub base: Rc<Url>,
    pub language: Rc<str>,
    /// Where it stands, if elsewhere.
    pub source: Option<String>,
}

/// A link with its attributes; those that it lacks are empty.
#[derive(Debug, Default)]
pub struct Link {
    pub href: String,
    pub rel: String,
    pub media: String,
    pub title: String,
    pub length: String,
    pub base: Option<Rc<Url>>,
}

#[derive(Debug, Default)]
pub struct Person {
    pub name: String,
    pub email: String,
    pub address: String,
}

impl Part {
    fn new(base: &Rc<Url>) -> Part {
        Part {
            id: String::new(),
            is_id_address: false,
            title: None,
            caption: None,
            summary: None,
            contents: Vec::new(),
            links: Vec::new(),
            media: None,
            authors: Vec::new(),
            published: String::new(),
            updated: String::new(),
            base: base.clone(),
        }
    }
}

impl Text {
    /// Signs as they are shown, by its own word: a `<` in it starts no tag.
    pub fn is_plain(&self) -> bool {
        self.media == "text/plain"
    }
}

/// Reads a feed that is XML.
pub(super) fn read(text: &str, url: &Url, limits: &Limits) -> Result<Said, ReadError> {
    let base = Rc::new(url.clone());
    let mut reader = Reader {
        said: Said {
            root: String::new(),
            version: String::new(),
            spaces: Vec::new(),
            feed: Part::new(&base),
            entries: Vec::new(),
        },
        base,
        open: Vec::new(),
        starting: None,
        declared: Vec::new(),
        field: None,
        elements: 0,
        base_bytes: 0,
    };
    walk(text, limits, |event| reader.see(&event))?;
    let refused = [
        (reader.said.entries.len() > ENTRIES_MAX, format!("more than {ENTRIES_MAX} entries")),
        (reader.elements > ELEMENTS_MAX, format!("more than {ELEMENTS_MAX} elements")),
    ];
    match refused.into_iter().find(|(is_so, _)| *is_so) {
        Some((_, reason)) => Err(ReadError::Malformed { format: "feed", reason }),
        None => Ok(reader.said),
    }
}

/// An element whose attributes are still coming.
struct Starting {
    name: String,
    attributes: Vec<(String, String)>,
}

struct Open {
    role: Role,
    /// How it is written inside a text.
    name: String,
    base: Rc<Url>,
    language: Rc<str>,
}

/// The field that is open.
struct Writing {
    field: Field,
    attributes: Vec<(String, String)>,
    text: String,
    /// By its type the text is markup: signs in it are escaped.
    is_tree: bool,
    has_tags: bool,
}

struct Reader {
    said: Said,
    base: Rc<Url>,
    open: Vec<Open>,
    starting: Option<Starting>,
    /// Prefixes in force: how many elements were open, the prefix, and its name space.
    declared: Vec<(usize, String, Space)>,
    field: Option<Writing>,
    elements: usize,
    base_bytes: usize,
}

impl Reader {
    fn see(&mut self, event: &Seen<'_>) {
        if self.said.entries.len() > ENTRIES_MAX || self.elements > ELEMENTS_MAX {
            return;
        }
        match event {
            Seen::Start(name) => {
                self.start();
                self.elements += 1;
                self.starting = Some(Starting { name: (*name).to_owned(), attributes: Vec::new() });
            }
            Seen::Attribute(name, value) => {
                if let Some(starting) = &mut self.starting {
                    starting.attributes.push((name.to_ascii_lowercase(), (*value).to_owned()));
                }
            }
            Seen::Namespace(prefix, uri) => {
                if self.open.is_empty() {
                    self.said.spaces.push((*uri).to_owned());
                }
                self.declared.push((self.open.len(), (*prefix).to_owned(), Space::of(uri)));
            }
            Seen::Text(text) => {
                self.start();
                self.text(text);
            }
            Seen::End => {
                self.start();
                self.end();
            }
        }
    }

    /// Opens the element whose attributes have all come.
    fn start(&mut self) {
        let Some(Starting { name, attributes }) = self.starting.take() else { return };
        let (prefix, local) = name.split_once(':').unwrap_or(("", &name));
        let local = local.to_ascii_lowercase();
        let (base, language) = self.surroundings(&attributes);
        let role = match (&mut self.field, self.open.last()) {
            (Some(field), _) => {
                field.tag(&local, &attributes);
                Role::Markup
            }
            (None, None) => {
                self.said.version = value(&attributes, "version").trim().to_owned();
                self.said.root.clone_from(&local);
                Role::of_root(&local)
            }
            (None, Some(parent)) => role(parent.role, self.space(prefix), &local),
        };
        self.open.push(Open { role, name: local, base, language });
        self.begin(role, attributes);
    }

    fn surroundings(&mut self, attributes: &[(String, String)]) -> (Rc<Url>, Rc<str>) {
        let parent = self.open.last();
        let mut base = parent.map_or_else(|| self.base.clone(), |open| open.base.clone());
        let mut language = parent.map_or_else(|| Rc::from(""), |open| open.language.clone());
        for (name, value) in attributes {
            match &**name {
                "xml:base" => {
                    let joined = base.join(value.trim()).ok();
                    let joined = joined.filter(|url| url.as_str().len() <= BASE_BYTES_MAX);
                    self.base_bytes += joined.as_ref().map_or(0, |url| url.as_str().len());
                    let joined = joined.filter(|_| self.base_bytes <= BASES_BYTES_MAX);
                    base = joined.map_or(base, Rc::new);
                }
                "xml:lang" => language = Rc::from(value.trim()),
                _ => {}
            }
        }
        (base, language)
    }

    /// The name space of a prefix: as declared; else as everybody writes it.
    fn space(&self, prefix: &str) -> Space {
        let mut declared = self.declared.iter().rev();
        let found = declared.find(|(_, known, _)| known == prefix);
        match found {
            // A root may be in a name space of its own.
            Some((0, _, Space::Other)) if prefix.is_empty() => Space::Core,
            Some((_, _, space)) => *space,
            None => Space::of_prefix(prefix),
        }
    }

    fn begin(&mut self, role: Role, attributes: Vec<(String, String)>) {
        let base = self.open.last().expect("the element that starts").base.clone();
        match role {
            Role::Entry => self.said.entries.push(Part::new(&base)),
            Role::Person => self.part().authors.push(Person::default()),
            Role::Media => {
                let url = value(&attributes, "url").trim().to_owned();
                let media = &mut self.part().media;
                *media = media.take().or(Some(url).filter(|url| !url.is_empty()));
            }
            Role::Enclosure => {
                let mut link = Link::of(&attributes, base.clone());
                "enclosure".clone_into(&mut link.rel);
                self.part().links.extend(Some(link).filter(|link| !link.href.is_empty()));
            }
            Role::Field(field) => {
                let is_tree = field == Field::Body || is_tree(&media_type(&attributes));
                let (text, has_tags) = (String::new(), false);
                self.field = Some(Writing { field, attributes, text, is_tree, has_tags });
                return;
            }
            Role::Frame | Role::Feed | Role::Group | Role::Markup | Role::Other => {}
        }
        if matches!(role, Role::Entry | Role::Feed) {
            self.common(&attributes, base);
        }
    }

    /// What an entry or a channel says in its attributes: RDF, and CDF.
    fn common(&mut self, attributes: &[(String, String)], base: Rc<Url>) {
        let is_entry = self.open.last().is_some_and(|open| open.role == Role::Entry);
        let part = self.part();
        part.base = base.clone();
        for (name, value) in attributes {
            match &**name {
                "rdf:about" if is_entry => value.trim().clone_into(&mut part.id),
                "lastmod" => value.trim().clone_into(&mut part.updated),
                "href" => part.links.push(Link::of(attributes, base.clone())),
                _ => {}
            }
        }
    }

    /// The entry that is open, else the feed.
    fn part(&mut self) -> &mut Part {
        let is_entry = self.open.iter().any(|open| open.role == Role::Entry);
        let entry = self.said.entries.last_mut().filter(|_| is_entry);
        entry.unwrap_or(&mut self.said.feed)
    }

    fn text(&mut self, text: &str) {
        if let Some(field) = &mut self.field {
            field.text(text);
        } else if self.open.last().is_some_and(|open| open.role == Role::Person)
            && let Some(person) = self.part().authors.last_mut()
        {
            person.name.push_str(text);
        }
    }

    fn end(&mut self) {
        let Some(open) = self.open.last() else { return };
        match (open.role, &mut self.field) {
            (Role::Markup, Some(field)) => {
                write!(field.text, "</{}>", open.name).expect("a string takes any text");
            }
            (Role::Field(_), _) => self.close(),
            (Role::Entry, _) => {
                let entry = self.part();
                entry.title = entry.title.take().or(entry.caption.take());
            }
            (Role::Person, _) => {
                let people = &mut self.part().authors;
                if let Some(person) = people.last_mut() {
                    person.name = person.name.trim().to_owned();
                    if [&person.name, &person.email, &person.address].iter().all(|s| s.is_empty()) {
                        people.pop();
                    }
                }
            }
            _ => {}
        }
        self.open.pop();
        let depth = self.open.len();
        while self.declared.last().is_some_and(|(at, _, _)| *at >= depth) {
            self.declared.pop();
        }
    }

    /// Puts the field that ends in its place.
    fn close(&mut self) {
        let (Some(writing), Some(open)) = (self.field.take(), self.open.last()) else { return };
        let (base, language) = (open.base.clone(), open.language.clone());
        let (field, plain) = (writing.field, writing.text.trim().to_owned());
        let part = self.part();
        match field {
            Field::Id => {
                let is_address = value(&writing.attributes, "ispermalink");
                part.is_id_address = is_address.is_empty() || is_address == "true";
                part.id = plain;
            }
            Field::Link => {
                let mut link = Link::of(&writing.attributes, base);
                if link.href.is_empty() {
                    link.href = plain;
                }
                part.links.push(link);
            }
            Field::Published => part.published = plain,
            Field::Updated => part.updated = plain,
            Field::Caption => place(&mut part.caption, writing.finish(base, language)),
            Field::Author => part.authors.push(Person { name: plain, ..Person::default() }),
            Field::Name | Field::Email | Field::Address => {
                let Some(person) = part.authors.last_mut() else { return };
                match field {
                    Field::Name => person.name = plain,
                    Field::Email => person.email = plain,
                    _ => person.address = plain,
                }
            }
            Field::Title => place(&mut part.title, writing.finish(base, language)),
            Field::Summary => place(&mut part.summary, writing.finish(base, language)),
            Field::Encoded => {
                let mut text = writing.finish(base, language);
                if text.media.is_empty() {
                    "text/html".clone_into(&mut text.media);
                }
                part.contents.push(text);
            }
            Field::Content | Field::Body => part.contents.push(writing.finish(base, language)),
        }
    }
}

/// The first text that says anything stays.
fn place(slot: &mut Option<Text>, text: Text) {
    if slot.as_ref().is_none_or(|before| before.value.is_empty()) {
        *slot = Some(text);
    }
}

fn value<'a>(attributes: &'a [(String, String)], name: &str) -> &'a str {
    attributes.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
}

/// The media type of a text; Atom 1.0 has words for three.
fn media_type(attributes: &[(String, String)]) -> String {
    let said = value(attributes, "type").trim().to_ascii_lowercase();
    match &*said {
        "text" | "plain" => "text/plain".to_owned(),
        "html" => "text/html".to_owned(),
        "xhtml" => "application/xhtml+xml".to_owned(),
        _ => said,
    }
}

fn is_tree(media: &str) -> bool {
    media.ends_with("+xml") || media.ends_with("/xml")
}

impl Link {
    fn of(attributes: &[(String, String)], base: Rc<Url>) -> Link {
        let text = |name: &str| value(attributes, name).trim().to_owned();
        let href = ["href", "url", "uri"].into_iter().map(text).find(|href| !href.is_empty());
        Link {
            href: href.unwrap_or_default(),
            rel: text("rel"),
            media: text("type"),
            title: text("title"),
            length: text("length"),
            base: Some(base),
        }
    }
}

impl Writing {
    fn text(&mut self, text: &str) {
        match entity(text) {
            Some(signs) => self.text.extend(signs),
            None if self.is_tree => escape(text, false, &mut self.text),
            None => self.text.push_str(text),
        }
    }

    fn tag(&mut self, name: &str, attributes: &[(String, String)]) {
        self.has_tags = true;
        write!(self.text, "<{name}").expect("a string takes any text");
        for (name, value) in attributes {
            write!(self.text, " {name}=\"").expect("a string takes any text");
            escape(value, true, &mut self.text);
            self.text.push('"');
        }
        self.text.push('>');
    }

    fn finish(self, base: Rc<Url>, language: Rc<str>) -> Text {
        let mut media = media_type(&self.attributes);
        let value = self.text.trim();
        let is_coded = value_of_mode(&self.attributes)
            || !media.is_empty() && !media.starts_with("text/") && !is_tree(&media);
        let decoded = if is_coded && !self.has_tags { decoded(value) } else { None };
        if self.has_tags && !is_tree(&media) || media.is_empty() && self.is_tree {
            "application/xhtml+xml".clone_into(&mut media);
        }
        let source = self::value(&self.attributes, "src").trim().to_owned();
        let source = Some(source).filter(|source| !source.is_empty());
        let value = decoded.unwrap_or_else(|| value.to_owned());
        Text { media, value, base, language, source }
    }
}

/// Atom 0.3 says with a text that it is in Base64.
fn value_of_mode(attributes: &[(String, String)]) -> bool {
    value(attributes, "mode").eq_ignore_ascii_case("base64")
}

/// The text that is written in Base64, on one line or several.
fn decoded(written: &str) -> Option<String> {
    let signs: String = written.split_ascii_whitespace().collect();
    String::from_utf8(STANDARD.decode(signs).ok()?).ok().map(|text| text.trim().to_owned())
}

/// What a reference to an entity of HTML stands for, where XML knows none.
fn entity(text: &str) -> Option<impl Iterator<Item = char>> {
    let name = text.strip_prefix('&').filter(|name| name.ends_with(';'))?;
    if matches!(name, "lt;" | "gt;" | "amp;" | "quot;" | "apos;") {
        return None;
    }
    let &(first, second) = html5ever::data::NAMED_ENTITIES.get(name)?;
    let signs = [first, second].map(|sign| char::from_u32(sign).filter(|sign| *sign != '\0'));
    Some(signs.into_iter().flatten()).filter(|_| first != 0)
}

/// Adds a text as XML; in a value quotes are escaped, too.
fn escape(text: &str, is_value: bool, out: &mut String) {
    for sign in text.chars() {
        match sign {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if is_value => out.push_str("&quot;"),
            sign => out.push(sign),
        }
    }
}
