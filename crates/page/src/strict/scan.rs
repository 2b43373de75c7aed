//! A place in a text of XML, and the smallest parts that may stand there.

use super::{Checked, wrong};

pub(super) struct Scan<'t> {
    text: &'t str,
    at: usize,
}

pub(super) enum Reference<'t> {
    Char(char),
    Entity(&'t str),
}

impl<'t> Scan<'t> {
    pub(super) fn of(text: &'t str) -> Scan<'t> {
        Scan { text, at: 0 }
    }

    /// How far it has come, in bytes.
    pub(super) fn place(&self) -> usize {
        self.at
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(super) fn is_done(&self) -> bool {
        self.at == self.text.len()
    }

    pub(super) fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Goes past a mark, if it comes.
    pub(super) fn eat(&mut self, mark: &str) -> bool {
        let comes = self.rest().starts_with(mark);
        self.at += if comes { mark.len() } else { 0 };
        comes
    }

    pub(super) fn expect(&mut self, mark: &str) -> Checked {
        if self.eat(mark) { Ok(()) } else { wrong(format!("`{mark}` is missing")) }
    }

    /// Goes past white space, and says whether there was some.
    pub(super) fn skip_space(&mut self) -> bool {
        !self.take(is_space).is_empty()
    }

    pub(super) fn space(&mut self) -> Checked {
        if self.skip_space() { Ok(()) } else { wrong("a space is missing") }
    }

    fn take(&mut self, is_in: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let taken = &rest[..rest.find(|c| !is_in(c)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    /// Text up to the next markup or reference.
    pub(super) fn text(&mut self) -> &'t str {
        self.take(|c| !matches!(c, '<' | '&'))
    }

    /// Goes to the next `sign`, or to the end; says whether it is there.
    pub(super) fn to(&mut self, sign: char) -> bool {
        self.take(|c| c != sign);
        !self.is_done()
    }

    /// What comes before a mark; goes past it.
    pub(super) fn until(&mut self, mark: &str) -> Checked<&'t str> {
        let Some((before, _)) = self.rest().split_once(mark) else {
            return wrong(format!("`{mark}` is missing"));
        };
        self.at += before.len() + mark.len();
        Ok(before)
    }

    pub(super) fn name(&mut self) -> Checked<&'t str> {
        if !self.rest().starts_with(is_name_start) {
            return wrong("a name is missing");
        }
        Ok(self.take(is_name))
    }

    /// A name that may begin with any of a name's signs.
    pub(super) fn token(&mut self) -> Checked<&'t str> {
        match self.take(is_name) {
            "" => wrong("a name is missing"),
            token => Ok(token),
        }
    }

    pub(super) fn quoted(&mut self) -> Checked<&'t str> {
        let quote = if self.rest().starts_with('\'') { "'" } else { "\"" };
        self.expect(quote)?;
        self.until(quote)
    }

    /// `=`, with or without space.
    pub(super) fn equals(&mut self) -> Checked {
        self.skip_space();
        self.expect("=")?;
        self.skip_space();
        Ok(())
    }

    /// ` name="value"` of an XML declaration, if it comes.
    pub(super) fn pseudo_attribute(&mut self, name: &str) -> Checked<Option<&'t str>> {
        let rest = self.rest();
        let trimmed = rest.trim_start_matches(is_space);
        if trimmed.len() == rest.len() || !trimmed.starts_with(name) {
            return Ok(None);
        }
        self.space()?;
        self.expect(name)?;
        self.equals()?;
        self.quoted().map(Some)
    }

    /// `&#60;`, `&#x3c;` or `&name;`
    pub(super) fn reference(&mut self) -> Checked<Reference<'t>> {
        self.expect("&")?;
        if !self.eat("#") {
            let name = self.name()?;
            self.expect(";")?;
            return Ok(Reference::Entity(name));
        }
        let radix = if self.eat("x") { 16 } else { 10 };
        let digits = self.take(|c| c.is_digit(radix));
        self.expect(";")?;
        let c = u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
        match c.filter(|c| is_char(*c)) {
            Some(c) => Ok(Reference::Char(c)),
            None => wrong("a reference to no character of XML"),
        }
    }
}

/// Production `S`.
pub(super) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// Production `Char`.
pub(super) fn is_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{fffd}' | '\u{10000}'..)
}

/// Production `NameStartChar`.
pub(super) fn is_name_start(c: char) -> bool {
    matches!(c,
        ':' | '_' | 'A'..='Z' | 'a'..='z' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}'
        | '\u{f8}'..='\u{2ff}' | '\u{370}'..='\u{37d}' | '\u{37f}'..='\u{1fff}'
        | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}' | '\u{2c00}'..='\u{2fef}'
        | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}'
        | '\u{10000}'..='\u{effff}')
}

/// Production `NameChar`.
fn is_name(c: char) -> bool {
    let is_inner = |c| {
        matches!(c,
            '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
    };
    is_name_start(c) || is_inner(c)
}
