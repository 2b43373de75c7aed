//! The document type and the declarations inside it.

use super::scan::{Reference, Scan};
use super::spaces::qualified;
use super::{Checked, Entity, Place, Strict, XmlNames, wrong};
use std::rc::Rc;

impl Strict {
    pub(super) fn doctype(&mut self, scan: &mut Scan<'_>) -> Checked {
        scan.expect("<!DOCTYPE")?;
        scan.space()?;
        let name = scan.name()?;
        self.element_name(name)?;
        if scan.skip_space() && self.external(scan)? {
            self.has_more = true;
            scan.skip_space();
        }
        if scan.eat("[") {
            self.subset(scan)?;
            scan.expect("]")?;
            scan.skip_space();
        }
        scan.expect(">")
    }

    /// Declarations, as far as they go.
    fn subset(&mut self, scan: &mut Scan<'_>) -> Checked {
        loop {
            scan.skip_space();
            if scan.eat("%") {
                let name = scan.name()?;
                scan.expect(";")?;
                self.parameter(name)?;
            } else if scan.eat("<!ENTITY") {
                self.entity_declaration(scan)?;
            } else if scan.eat("<!ELEMENT") {
                self.element_declaration(scan)?;
            } else if scan.eat("<!ATTLIST") {
                self.attributes_declaration(scan)?;
            } else if scan.eat("<!NOTATION") {
                self.notation_declaration(scan)?;
            } else if !self.aside(scan)? {
                return Ok(());
            }
        }
    }

    /// A reference to a parameter entity between declarations.
    fn parameter(&mut self, name: &str) -> Checked {
        self.has_more = true;
        match self.parameters.get(name) {
            Some(Some(text)) => {
                let text = Rc::clone(text);
                self.once(name, Place::Subset, |strict| {
                    let mut scan = Scan::of(&text);
                    strict.subset(&mut scan)?;
                    if scan.is_done() { Ok(()) } else { wrong("no declaration") }
                })
            }
            None if self.is_standalone => wrong(format!("%{name}; is not declared")),
            Some(None) | None => Ok(()),
        }
    }

    fn entity_declaration(&mut self, scan: &mut Scan<'_>) -> Checked {
        scan.space()?;
        let is_parameter = scan.eat("%");
        if is_parameter {
            scan.space()?;
        }
        let name = scan.name()?;
        self.without_colon(name)?;
        scan.space()?;
        let entity = if scan.rest().starts_with(['"', '\'']) {
            Entity::Internal(replacement(scan.quoted()?)?.into())
        } else if !self.external(scan)? {
            return wrong(format!("the entity `{name}` has no value"));
        } else if scan.skip_space() && scan.eat("NDATA") {
            scan.space()?;
            let notation = scan.name()?;
            self.without_colon(notation)?;
            Entity::Unparsed
        } else {
            Entity::External
        };
        scan.skip_space();
        scan.expect(">")?;
        match (is_parameter, entity) {
            (true, Entity::Unparsed) => return wrong(format!("%{name}; is no text")),
            (true, entity) => {
                let text = match entity {
                    Entity::Internal(text) => Some(text),
                    _ => None,
                };
                self.parameters.entry(name.to_owned()).or_insert(text);
            }
            (false, entity) => {
                self.entities.entry(name.to_owned()).or_insert(entity);
            }
        }
        Ok(())
    }

    /// `SYSTEM "…"` or `PUBLIC "…" "…"`, if it comes.
    fn external(&mut self, scan: &mut Scan<'_>) -> Checked<bool> {
        if scan.eat("PUBLIC") {
            scan.space()?;
            public(scan.quoted()?)?;
        } else if !scan.eat("SYSTEM") {
            return Ok(false);
        }
        scan.space()?;
        scan.quoted()?;
        Ok(true)
    }

    fn notation_declaration(&mut self, scan: &mut Scan<'_>) -> Checked {
        scan.space()?;
        let name = scan.name()?;
        self.without_colon(name)?;
        scan.space()?;
        if scan.eat("PUBLIC") {
            scan.space()?;
            public(scan.quoted()?)?;
            if scan.skip_space() && !scan.rest().starts_with('>') {
                scan.quoted()?;
            }
        } else if !self.external(scan)? {
            return wrong(format!("the notation `{name}` has no address"));
        }
        scan.skip_space();
        scan.expect(">")
    }

    fn attributes_declaration(&mut self, scan: &mut Scan<'_>) -> Checked {
        scan.space()?;
        let name = scan.name()?;
        self.element_name(name)?;
        loop {
            let has_space = scan.skip_space();
            if scan.eat(">") {
                return Ok(());
            }
            if !has_space {
                return wrong("a space is missing");
            }
            let name = scan.name()?;
            self.element_name(name)?;
            scan.space()?;
            attribute_type(scan)?;
            scan.space()?;
            if scan.eat("#REQUIRED") || scan.eat("#IMPLIED") {
                continue;
            }
            if scan.eat("#FIXED") {
                scan.space()?;
            }
            let value = scan.quoted()?;
            self.value(value)?;
        }
    }

    fn element_declaration(&mut self, scan: &mut Scan<'_>) -> Checked {
        scan.space()?;
        let name = scan.name()?;
        self.element_name(name)?;
        scan.space()?;
        if !scan.eat("EMPTY") && !scan.eat("ANY") {
            scan.expect("(")?;
            scan.skip_space();
            if scan.eat("#PCDATA") { self.mixed(scan)? } else { self.children(scan)? }
        }
        scan.skip_space();
        scan.expect(">")
    }

    /// The rest of `(#PCDATA | a | b)*`
    fn mixed(&mut self, scan: &mut Scan<'_>) -> Checked {
        let mut has_names = false;
        loop {
            scan.skip_space();
            if !scan.eat("|") {
                break;
            }
            scan.skip_space();
            let name = scan.name()?;
            self.element_name(name)?;
            has_names = true;
        }
        scan.expect(")")?;
        if !scan.eat("*") && has_names { wrong("`*` is missing") } else { Ok(()) }
    }

    /// The rest of `(a, (b | c)*, d?)`: of each open bracket the sign that separates its parts.
    fn children(&mut self, scan: &mut Scan<'_>) -> Checked {
        let mut open: Vec<Option<&str>> = vec![None];
        loop {
            scan.skip_space();
            if scan.eat("(") {
                open.push(None);
                continue;
            }
            let name = scan.name()?;
            self.element_name(name)?;
            occurs(scan);
            loop {
                scan.skip_space();
                if !scan.eat(")") {
                    break;
                }
                open.pop();
                occurs(scan);
                if open.is_empty() {
                    return Ok(());
                }
            }
            let sign = if scan.rest().starts_with('|') { "|" } else { "," };
            scan.expect(sign)?;
            if let Some(separator) = open.last_mut()
                && *separator.get_or_insert(sign) != sign
            {
                return wrong("`|` and `,` in one pair of brackets");
            }
        }
    }

    /// A name of an element or an attribute.
    fn element_name(&self, name: &str) -> Checked {
        if self.names == XmlNames::InNamespaces { qualified(name) } else { Ok(()) }
    }
}

/// How often a part may occur.
fn occurs(scan: &mut Scan<'_>) {
    let _is_said = scan.eat("?") || scan.eat("*") || scan.eat("+");
}

fn attribute_type(scan: &mut Scan<'_>) -> Checked {
    const TYPES: [&str; 8] =
        ["CDATA", "IDREFS", "IDREF", "ID", "ENTITY", "ENTITIES", "NMTOKENS", "NMTOKEN"];
    if TYPES.iter().any(|name| scan.eat(name)) {
        return Ok(());
    }
    let is_notation = scan.eat("NOTATION");
    if is_notation {
        scan.space()?;
    }
    scan.expect("(")?;
    loop {
        scan.skip_space();
        if is_notation {
            scan.name()?
        } else {
            scan.token()?
        };
        scan.skip_space();
        if scan.eat(")") {
            return Ok(());
        }
        scan.expect("|")?;
    }
}

/// A public identifier.
fn public(text: &str) -> Checked {
    let is_in = |c: char| {
        matches!(c, ' ' | '\r' | '\n')
            || c.is_ascii_alphanumeric()
            || "-'()+,./:=?;!*#@$_%".contains(c)
    };
    if text.chars().all(is_in) { Ok(()) } else { wrong("a sign that no public identifier has") }
}

/// What an entity stands for: its value with references to characters resolved, others as they are.
fn replacement(value: &str) -> Checked<String> {
    if value.contains('%') {
        return wrong("`%` in an entity; write `&#37;`");
    }
    let (mut scan, mut text) = (Scan::of(value), String::with_capacity(value.len()));
    loop {
        let from = scan.place();
        let has_more = scan.to('&');
        text.push_str(&value[from..scan.place()]);
        if !has_more {
            return Ok(text);
        }
        match scan.reference()? {
            Reference::Char(c) => text.push(c),
            Reference::Entity(name) => {
                text.push('&');
                text.push_str(name);
                text.push(';');
            }
        }
    }
}
