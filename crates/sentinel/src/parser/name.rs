//! Names, as they are written and as people write them.

use super::meant::in_quotes;
use super::{Failed, Parsed, Parser, shortened};
use crate::lexer::{Kind, Token, inside_foreign};
use crate::limits::NAME_CHARS_MAX;
use crate::syntax::Name;
use crate::vocabulary::{is_hidden, is_plain_name, is_reserved};

/// Words that a name with blanks may have.
const NAME_WORDS_MAX: usize = 12;

impl Parser<'_, '_> {
    pub(super) fn name(&mut self, what: &str, help: &str) -> Parsed<Name> {
        if let Some(name) = self.quoted_name() {
            return Ok(name);
        }
        let (place, slice) = (self.place(), self.slice());
        let text = match self.kind() {
            Kind::Backquoted if slice.len() < 2 || !slice.ends_with('`') => {
                self.advance();
                return Err(Failed);
            }
            Kind::Backquoted => slice.trim_matches('`'),
            Kind::Word if is_plain_name(slice) => slice,
            _ if self.at_new_statement() => return Err(self.expected(what, help)),
            Kind::Word if is_reserved(slice) => {
                let message = format!("expected {what}, found `{slice}`, a word of the language");
                let help = format!("write it as `` `{slice}` ``; {help}");
                if what.starts_with("the name of the") || what.ends_with("tag") {
                    self.cure_with(place, &message, &help, &format!("`{slice}`"));
                } else {
                    self.sink.syntax(place, message, &help);
                }
                // The statement goes on, so that this word is its name.
                if !self.next_is_any(&["using", "on"]) {
                    return Err(Failed);
                }
                self.advance();
                return Ok(Name { text: slice.to_owned(), place });
            }
            Kind::Word if is_plain_name(slice.trim_end_matches(':')) => {
                let message = format!("`{}` is not a name", shortened(slice));
                let name = slice.trim_end_matches(':');
                self.cure(place, &message, name);
                self.advance();
                return Ok(Name { text: name.to_owned(), place });
            }
            Kind::Word if slice.starts_with(char::is_alphanumeric) => {
                let message = format!("`{}` is not a name", shortened(slice));
                let help = "a name is a letter, then letters, digits, `_` and `-`; \
                            anything else goes between backquotes";
                self.cure_with(place, &message, help, &format!("`{slice}`"));
                return Err(Failed);
            }
            _ => return Err(self.expected(what, help)),
        };
        let chars = text.chars().count();
        if text.trim().is_empty() {
            self.sink.value(place, "this name is empty", "write a name between the backquotes");
        } else if matches!(text, "." | "..") {
            let help =
                "write a letter, too: in an address of the API dots alone mean another place";
            self.sink.value(place, "this name is only dots", help);
        } else if chars > NAME_CHARS_MAX {
            let message = format!("this name has {chars} characters; {NAME_CHARS_MAX} are allowed");
            self.sink.value(place, message, "choose a shorter one");
        } else if text.chars().any(is_hidden) {
            let help = "leave out control and invisible characters";
            self.sink.value(place, "this name has characters nobody can see", help);
        }
        self.advance();
        Ok(Name { text: text.to_owned(), place })
    }

    /// A name with blanks in it, if words follow each other here up to `end`.
    pub(super) fn spaced_name(&mut self, end: &str) -> Option<Name> {
        let slice = |token: &Token| &self.text[token.place.start..token.place.end];
        let is_part = |token: &Token| {
            let word = slice(token);
            let is_other = self.is_clause_word(word)
                || ["create", end].iter().any(|other| word.eq_ignore_ascii_case(other));
            token.kind == Kind::Word && !is_other
        };
        let after = &self.tokens[self.at + 1..];
        let words = after.iter().take(NAME_WORDS_MAX).take_while(|token| is_part(token)).count();
        let ends = after.get(words).is_some_and(|token| slice(token).eq_ignore_ascii_case(end));
        let begins = self.kind() == Kind::Word && !self.is(end);
        if words == 0 || !ends || !begins || self.slice().contains('`') {
            return None;
        }
        let place = self.place().until(after[words - 1].place);
        let written = self.text[place.start..place.end].split_whitespace();
        let whole = written.collect::<Vec<_>>().join(" ");
        let help = format!("write it between backquotes: `` `{}` ``", shortened(&whole));
        self.cure_with(place, "this name has blanks in it", &help, &format!("`{whole}`"));
        (0..=words).for_each(|_| self.advance());
        Some(Name { text: whole, place })
    }

    /// An address where a statement is expected: a sentinel on it.
    pub(super) fn address_alone(&mut self) {
        let url = self.slice();
        let message = format!("expected `create sentinel`, found `{}`", shortened(url));
        self.cure(
            self.place(),
            &message,
            &format!("create sentinel {} using {url}", name_for(url)),
        );
        self.advance();
        while !self.at_new_statement() && self.kind() != Kind::Url {
            self.advance();
        }
    }

    /// A text between quotation marks of other languages, as if they were right.
    pub(super) fn foreign(&mut self) -> Name {
        let (place, inside) = (self.place(), inside_foreign(self.slice()).to_owned());
        let message = "a text stands between straight double quotes";
        self.cure(place, message, &in_quotes(&inside));
        self.advance();
        Name { text: inside, place }
    }

    /// A name between quotes.
    pub(super) fn quoted_name(&mut self) -> Option<Name> {
        if !self.at_text() || self.kind() == Kind::Quoted && !crate::lexer::is_closed(self.slice())
        {
            return None;
        }
        let (place, inside) = (self.place(), inside_foreign(self.slice()).to_owned());
        if inside.is_empty() || inside.contains('`') {
            return None;
        }
        let is_plain = is_plain_name(&inside);
        let right = if is_plain { inside.clone() } else { format!("`{inside}`") };
        let message = "a name stands without quotes, or between backquotes";
        self.cure(place, message, &right);
        self.advance();
        Some(Name { text: inside, place })
    }

    /// The text within `<…>`, if that stands here.
    pub(super) fn in_angles(&mut self) -> Option<Name> {
        let inside = self.slice().strip_prefix('<')?.strip_suffix('>')?.to_owned();
        if self.kind() != Kind::Word || !inside.contains([':', '@', '.']) {
            return None;
        }
        let place = self.place();
        self.cure(place, "an address stands without `<` and `>`", &inside);
        self.advance();
        Some(Name { text: inside, place })
    }
}

/// A name for a sentinel on this URL: its host, in letters a name may have.
pub(super) fn name_for(url: &str) -> String {
    let host = address::without_credentials(url);
    let host = host.split_once("://").map_or("", |(_, rest)| rest);
    let host = host.split(['/', ':', '?', '#']).next().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    let name: String = host.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    if is_plain_name(&name) && name.len() <= NAME_CHARS_MAX { name } else { "page".to_owned() }
}
