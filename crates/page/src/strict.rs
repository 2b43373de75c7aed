//! Whether XML is well-formed, by every rule of XML 1.0 (fifth edition) and of Namespaces in XML
//! 1.0 that needs no other file.
//!
//! What reads pages for change types forgives more ([`crate::xml`]), and does not come here. Each
//! entity is looked through once for each place it may stand in, and nothing is expanded, so that
//! time is that of a sort of the text's parts.

mod dtd;
mod scan;
mod spaces;

use crate::{Limits, ReadError, charset};
use scan::{Scan, is_char};
use spaces::Spaces;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Entities inside each other.
const ENTITY_DEPTH_MAX: usize = 40;

/// How names are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum XmlNames {
    /// A colon is a sign like others.
    #[default]
    Plain,
    /// A colon ends a prefix, which must be declared.
    InNamespaces,
}

/// Checks that a body is well-formed XML. What its outer DTD declares is not fetched; names that it
/// might declare are let pass.
///
/// # Errors
/// It is not, or is too long; says where and why.
pub fn well_formed(body: &[u8], names: XmlNames, limits: &Limits) -> Result<(), ReadError> {
    if body.len() > limits.body_bytes_max {
        return Err(ReadError::TooLarge { bytes: body.len(), max: limits.body_bytes_max });
    }
    let malformed = |reason| ReadError::Malformed { format: "XML", reason };
    let text = charset::decode_xml(body).map_err(malformed)?;
    let mut scan = Scan::of(&text);
    let mut strict = Strict { names, ..Strict::default() };
    strict.document(&mut scan).map_err(|reason| {
        let line = text[..scan.place()].matches('\n').count() + 1;
        malformed(format!("line {line}: {reason}"))
    })
}

/// What is wrong, as a part of a sentence.
type Checked<T = ()> = Result<T, String>;

fn wrong<T>(reason: impl Into<String>) -> Checked<T> {
    Err(reason.into())
}

/// A general entity that a document declares.
enum Entity {
    Internal(Rc<str>),
    /// In a file of its own.
    External,
    /// No text at all, but a picture, say.
    Unparsed,
}

/// Where a reference to an entity stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Content,
    Value,
    /// Between declarations.
    Subset,
}

#[derive(Default)]
struct Strict {
    names: XmlNames,
    entities: BTreeMap<String, Entity>,
    /// Parameter entities; `None` for those in files of their own.
    parameters: BTreeMap<String, Option<Rc<str>>>,
    /// Whether each entity was looked through in each place, to its end or not yet.
    seen: BTreeMap<(String, Place), bool>,
    depth: usize,
    spaces: Spaces,
    is_standalone: bool,
    /// The document may use entities that are declared where nobody looks.
    has_more: bool,
}

/// What stands below a piece of an entity's content: an element that no tag can close.
const NO_ELEMENT: &str = "";

impl Strict {
    fn document(&mut self, scan: &mut Scan<'_>) -> Checked {
        if let Some(at) = scan.rest().find(|c| !is_char(c)) {
            scan.skip(at);
            return wrong("a character that XML does not allow");
        }
        self.declaration(scan)?;
        self.between(scan)?;
        if scan.rest().starts_with("<!DOCTYPE") {
            self.doctype(scan)?;
            self.between(scan)?;
        }
        scan.expect("<")?;
        if let Some(root) = self.start_tag(scan)? {
            self.content(scan, vec![root])?;
        }
        self.between(scan)?;
        if scan.is_done() { Ok(()) } else { wrong("content behind the root element") }
    }

    /// `<?xml version="1.0" encoding="…" standalone="…"?>`
    fn declaration(&mut self, scan: &mut Scan<'_>) -> Checked {
        let rest = scan.rest().strip_prefix("<?xml").unwrap_or_default();
        if !rest.starts_with(scan::is_space) {
            return Ok(());
        }
        scan.expect("<?xml")?;
        let Some(version) = scan.pseudo_attribute("version")? else {
            return wrong("the XML declaration names no version");
        };
        let minor = version.strip_prefix("1.").unwrap_or_default();
        if minor.is_empty() || !minor.bytes().all(|byte| byte.is_ascii_digit()) {
            return wrong(format!("the version of XML is `{version}`"));
        }
        if let Some(label) = scan.pseudo_attribute("encoding")? {
            let is_in = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
            if !label.starts_with(|c: char| c.is_ascii_alphabetic()) || !label.chars().all(is_in) {
                return wrong(format!("`{label}` names no encoding"));
            }
        }
        match scan.pseudo_attribute("standalone")? {
            None | Some("no") => {}
            Some("yes") => self.is_standalone = true,
            Some(_) => return wrong("`standalone` is neither yes nor no"),
        }
        scan.skip_space();
        scan.expect("?>")
    }

    /// Comments, instructions and space, which may stand around the root and what declares it.
    fn between(&mut self, scan: &mut Scan<'_>) -> Checked {
        loop {
            scan.skip_space();
            if !self.aside(scan)? {
                return Ok(());
            }
        }
    }

    /// A comment or an instruction, if one comes.
    fn aside(&mut self, scan: &mut Scan<'_>) -> Checked<bool> {
        if scan.eat("<!--") {
            scan.until("--")?;
            scan.expect(">")?;
            return Ok(true);
        }
        if !scan.eat("<?") {
            return Ok(false);
        }
        let target = scan.name()?;
        if target.eq_ignore_ascii_case("xml") {
            return wrong("an XML declaration that is not at the start");
        }
        self.without_colon(target)?;
        if !scan.eat("?>") {
            scan.space()?;
            scan.until("?>")?;
        }
        Ok(true)
    }

    /// The content of elements that are open, to the end of the last or of the text.
    fn content<'t>(&mut self, scan: &mut Scan<'t>, mut open: Vec<&'t str>) -> Checked {
        while !open.is_empty() {
            let text = scan.text();
            if text.contains("]]>") {
                return wrong("`]]>` in text; write `]]&gt;`");
            }
            if scan.is_done() {
                return match open.last() {
                    Some(&NO_ELEMENT) => Ok(()),
                    last => wrong(format!("<{}> is not closed", last.unwrap_or(&NO_ELEMENT))),
                };
            } else if scan.rest().starts_with('&') {
                self.reference(scan, Place::Content)?;
            } else if scan.eat("<![CDATA[") {
                scan.until("]]>")?;
            } else if scan.eat("</") {
                let name = scan.name()?;
                if open.pop() != Some(name) {
                    return wrong(format!("</{name}> closes an element that is not open"));
                }
                scan.skip_space();
                scan.expect(">")?;
                self.spaces.close();
            } else if !self.aside(scan)? {
                scan.expect("<")?;
                open.extend(self.start_tag(scan)?);
            }
        }
        Ok(())
    }

    /// The rest of a start tag; gives its name, unless it is empty.
    fn start_tag<'t>(&mut self, scan: &mut Scan<'t>) -> Checked<Option<&'t str>> {
        let name = scan.name()?;
        let mut attributes: BTreeMap<&str, &str> = BTreeMap::new();
        let is_empty = loop {
            let has_space = scan.skip_space();
            if scan.eat(">") {
                break false;
            }
            if scan.eat("/>") {
                break true;
            }
            if !has_space {
                return wrong(format!("<{name}> has no space before an attribute"));
            }
            let key = scan.name()?;
            scan.equals()?;
            let value = scan.quoted()?;
            self.value(value)?;
            if attributes.insert(key, value).is_some() {
                return wrong(format!("<{name}> has two attributes `{key}`"));
            }
        };
        if self.names == XmlNames::InNamespaces {
            self.spaces.open(name, &attributes)?;
        }
        if is_empty {
            self.spaces.close();
        }
        Ok((!is_empty).then_some(name))
    }

    /// The value of an attribute.
    fn value(&mut self, value: &str) -> Checked {
        if value.contains('<') {
            return wrong("`<` in an attribute; write `&lt;`");
        }
        let mut scan = Scan::of(value);
        while scan.to('&') {
            self.reference(&mut scan, Place::Value)?;
        }
        Ok(())
    }

    /// `&#60;` or `&name;`
    fn reference(&mut self, scan: &mut Scan<'_>, place: Place) -> Checked {
        match scan.reference()? {
            scan::Reference::Char(_) => Ok(()),
            scan::Reference::Entity(name) => self.entity(name, place),
        }
    }

    fn entity(&mut self, name: &str, place: Place) -> Checked {
        let text = match self.entities.get(name) {
            Some(Entity::Internal(text)) => Rc::clone(text),
            Some(Entity::Unparsed) => return wrong(format!("&{name}; is no text")),
            Some(Entity::External) if place == Place::Value => {
                return wrong(format!("&{name}; is in a file of its own, and in an attribute"));
            }
            Some(Entity::External) => return Ok(()),
            None if matches!(name, "lt" | "gt" | "amp" | "quot" | "apos") => return Ok(()),
            None if self.has_more && !self.is_standalone => return Ok(()),
            None => return wrong(format!("&{name}; is not declared")),
        };
        self.once(name, place, |strict| match place {
            Place::Value => strict.value(&text),
            _ => {
                strict.spaces.hold();
                strict.content(&mut Scan::of(&text), vec![NO_ELEMENT])?;
                strict.spaces.close();
                Ok(())
            }
        })
    }

    /// Looks through an entity, unless it was looked through in this place before.
    fn once(
        &mut self,
        name: &str,
        place: Place,
        look: impl FnOnce(&mut Strict) -> Checked,
    ) -> Checked {
        let key = (name.to_owned(), place);
        match self.seen.get(&key) {
            Some(true) => return Ok(()),
            Some(false) => return wrong(format!("the entity `{name}` holds itself")),
            None => {}
        }
        if self.depth >= ENTITY_DEPTH_MAX {
            return wrong(format!("more than {ENTITY_DEPTH_MAX} entities inside each other"));
        }
        self.depth += 1;
        self.seen.insert(key.clone(), false);
        look(self).map_err(|reason| format!("{reason}, in the entity `{name}`"))?;
        self.seen.insert(key, true);
        self.depth -= 1;
        Ok(())
    }

    /// With name spaces, what is no element and no attribute has no prefix.
    fn without_colon(&self, name: &str) -> Checked {
        if self.names == XmlNames::InNamespaces && name.contains(':') {
            return wrong(format!("a colon in the name `{name}`"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
