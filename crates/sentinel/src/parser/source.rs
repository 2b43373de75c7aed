//! Sources and quoted texts.

use super::{Failed, Parsed, Parser};
use crate::Cure;
use crate::lexer::{Kind, is_closed};
use crate::place::Place;
use crate::syntax::{Name, Source};
use crate::vocabulary::is_plain_name;

const SOURCE_HELP: &str = "write a URL such as https://example.org/page, or the name of another \
                           sentinel to inherit from";

impl Parser<'_, '_> {
    /// One source, or several with commas between them.
    pub(super) fn sources(&mut self) -> Parsed<Vec<Source>> {
        let mut sources = vec![self.source()?];
        loop {
            if self.is("and") && self.next_kind() == Kind::Url {
                let before = self.text[..self.place().start].trim_end().len();
                let place = Place::new(before, self.place().end);
                self.cure(place, "a comma stands between sources", ",");
                self.advance();
            } else if self.kind() == Kind::Url {
                let help = "write a comma before it";
                self.expected_here("a comma or the next clause", help, ",");
            } else if !self.take_kind(Kind::Comma) {
                break;
            }
            if self.name_before_url().is_none()
                && (self.kind() == Kind::Backquoted
                    || self.kind() == Kind::Word && is_plain_name(self.slice()))
            {
                let help = "write the URL of the source; a sentinel inherits from one other alone";
                return Err(self.expected("a URL", help));
            }
            sources.push(self.source()?);
        }
        Ok(sources)
    }

    fn source(&mut self) -> Parsed<Source> {
        if let Some(words) = self.name_before_url() {
            return self.source_named_before(words);
        }
        let place = self.place();
        let url = match self.kind() {
            _ if self.slice().starts_with('<') && self.slice().ends_with('>') => {
                match self.in_angles() {
                    Some(url) => url,
                    None => return Err(self.expected("a URL", SOURCE_HELP)),
                }
            }
            Kind::Foreign => self.foreign(),
            Kind::Url => {
                let text = self.slice().to_owned();
                self.advance();
                Name { text, place }
            }
            Kind::Quoted => self.quoted()?,
            Kind::Word if self.slice().contains(['.', '/', ':']) => {
                let word = self.slice();
                let (mut message, help) = crate::urls::not_a_url(word);
                if !word.contains(':') {
                    message = format!("`{}` is neither a URL nor a name", super::shortened(word));
                }
                match crate::urls::slip(word) {
                    Some(url) => self.cure_with(place, &message, &help, &url),
                    None => self.sink.syntax(place, message, &help),
                }
                return Err(Failed);
            }
            _ => return Err(self.expected("a URL or the name of a sentinel", SOURCE_HELP)),
        };
        if self.is_any(&["named", "called"]) && is_plain_name(self.next_slice()) {
            self.instead("`as`", "as");
            self.advance();
            let called = Some(self.name("a name for the source", "write `as NAME`")?);
            return Ok(Source { url, called });
        }
        let called = if self.take("as") {
            Some(self.name("a name for the source", "write `as NAME`")?)
        } else {
            None
        };
        Ok(Source { url, called })
    }

    /// A quoted text, its escapes resolved.
    pub(super) fn quoted(&mut self) -> Parsed<Name> {
        if self.kind() == Kind::Foreign {
            return Ok(self.foreign());
        }
        let (place, slice) = (self.place(), self.slice());
        if self.kind() != Kind::Quoted {
            if let Some(failed) = self.text_without_quotes() {
                return Err(failed);
            }
            return Err(self.expected("a text in double quotes", "write it as `\"…\"`"));
        }
        self.advance();
        if !is_closed(slice) {
            return Err(Failed);
        }
        let text = self.unescape(&slice[1..slice.len() - 1], place.start + 1)?;
        Ok(Name { text, place })
    }

    fn unescape(&mut self, inside: &str, start: usize) -> Parsed<String> {
        let mut text = String::with_capacity(inside.len());
        let mut rest = inside;
        while let Some(at) = rest.find('\\') {
            text.push_str(&rest[..at]);
            let escape = &rest[at..];
            let (c, length) = match escape.as_bytes().get(1) {
                Some(b'"') => ('"', 2),
                Some(b'\\') => ('\\', 2),
                Some(b'n') => ('\n', 2),
                Some(b'u') if code_point(escape).is_some() => {
                    code_point(escape).expect("the guard has seen that it is there")
                }
                _ => {
                    let shown: String = escape.chars().take(2).collect();
                    let at = start + inside.len() - rest.len() + at;
                    let place = Place::new(at, at + shown.len());
                    let message = format!("`{shown}` means nothing in a text");
                    let help = format!(
                        "write `\\{shown}` for a backslash; there are also `\\\"`, `\\n` and \
                         `\\u{{1F600}}`"
                    );
                    let whole = Place::new(start, start + inside.len());
                    let cure = Cure { start: whole.start, end: whole.end, text: escaped(inside) };
                    self.sink.curable(place, message, &help, cure);
                    return Err(Failed);
                }
            };
            text.push(c);
            rest = &escape[length..];
        }
        text.push_str(rest);
        Ok(text)
    }
}

/// The text with each backslash doubled that means nothing.
fn escaped(inside: &str) -> String {
    let mut all = String::with_capacity(inside.len() + 8);
    let mut rest = inside;
    while let Some(at) = rest.find('\\') {
        let escape = &rest[at..];
        let known = match escape.as_bytes().get(1) {
            Some(b'"' | b'\\' | b'n') => Some(2),
            Some(b'u') => code_point(escape).map(|(_, length)| length),
            _ => None,
        };
        all.push_str(&rest[..at]);
        all.push_str(known.map_or("\\\\", |length| &escape[..length]));
        rest = &escape[known.unwrap_or(1)..];
    }
    all + rest
}

/// `\u{…}` at the beginning of `escape`: the character and the bytes it takes.
fn code_point(escape: &str) -> Option<(char, usize)> {
    let digits = escape.strip_prefix("\\u{")?;
    let end = digits.find('}').filter(|end| (1..=6).contains(end))?;
    if !digits.as_bytes()[..end].iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let number = u32::from_str_radix(&digits[..end], 16).ok()?;
    Some((char::from_u32(number)?, end + 4))
}
