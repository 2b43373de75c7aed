//! Where the parser stands, and what stands there.

use super::{Parsed, Parser, RULE, SENTINEL};
use crate::lexer::{Kind, Token};
use crate::place::Place;
use crate::vocabulary::{CLAUSES, TAG, is_plain_name, is_reserved, nearest};

impl<'t> Parser<'t, '_> {
    pub(super) fn kind(&self) -> Kind {
        self.tokens[self.at].kind
    }

    pub(super) fn place(&self) -> Place {
        self.tokens[self.at].place
    }

    pub(super) fn slice(&self) -> &'t str {
        let Place { start, end } = self.place();
        &self.text[start..end]
    }

    pub(super) fn is(&self, keyword: &str) -> bool {
        self.kind() == Kind::Word && self.slice().eq_ignore_ascii_case(keyword)
    }

    pub(super) fn is_any(&self, keywords: &[&str]) -> bool {
        keywords.iter().any(|keyword| self.is(keyword))
    }

    pub(super) fn next_is_any(&self, keywords: &[&str]) -> bool {
        let Some(token) = self.tokens.get(self.at + 1) else { return false };
        let slice = &self.text[token.place.start..token.place.end];
        token.kind == Kind::Word && keywords.iter().any(|word| slice.eq_ignore_ascii_case(word))
    }

    pub(super) fn is_clause_word(&self, word: &str) -> bool {
        CLAUSES.iter().any(|clause| word.eq_ignore_ascii_case(clause))
    }

    pub(super) fn at_clause(&self) -> bool {
        self.is_any(CLAUSES) || self.at_tag()
    }

    /// Where a name or a word of another kind may stand: `tag` before a name begins a clause.
    pub(super) fn at_tag(&self) -> bool {
        let is_name = |token: &Token| match token.kind {
            Kind::Backquoted => true,
            Kind::Word => is_plain_name(&self.text[token.place.start..token.place.end]),
            _ => false,
        };
        self.is(TAG) && self.tokens.get(self.at + 1).is_some_and(is_name)
    }

    /// Where a line begins that goes on after its first word.
    fn begins_line_of_more(&self) -> bool {
        let place = self.place();
        let Some(next) = self.tokens.get(self.at + 1) else { return false };
        let between = |start: usize, end: usize| self.text.get(start..end).unwrap_or_default();
        between(self.end_of_last, place.start).contains('\n')
            && !between(place.end, next.place.start).contains('\n')
            && next.kind != Kind::End
    }

    /// At `tag` before a reserved word, on a line of its own: a clause whose name lacks its
    /// backquotes, and no recipient of that name.
    pub(super) fn at_tag_of_reserved(&self) -> bool {
        let is_frequency = self.next_is_any(&["immediately", "best", "every"]);
        let next = self.next_slice();
        self.is(TAG)
            && self.begins_line_of_more()
            && !is_frequency
            && is_reserved(next)
            && !self.is_clause_word(next)
    }

    /// Within a list of words, at a line that is a clause: the list has ended.
    pub(super) fn at_line_of_clause(&self) -> bool {
        let goes_on = self.next_kind() == Kind::Comma
            || self.next_is_any(&["and", "or", "of", "inside", "outside", "ignoring", "except"]);
        self.is_any(CLAUSES) && self.begins_line_of_more() && !goes_on
    }

    /// At the end of the text, or where another statement begins.
    pub(super) fn at_statement(&self) -> bool {
        self.kind() == Kind::End || self.is("create") || self.at_bare_statement()
    }

    /// At `sentinel NAME using` or `rule NAME on`, without `create` or after a slip of it.
    pub(super) fn at_bare_statement(&self) -> bool {
        self.is_bare_at(self.at) || self.at_create_meant()
    }

    pub(super) fn is_bare_at(&self, at: usize) -> bool {
        let Some([kind, _, joint]) = self.tokens.get(at..at + 3) else { return false };
        let is = |token: &Token, word: &str| self.text_at(token.place).eq_ignore_ascii_case(word);
        is(kind, SENTINEL) && is(joint, "using") || is(kind, RULE) && is(joint, "on")
    }

    /// At a word that is nearly `create`, or means it.
    pub(super) fn at_create_meant(&self) -> bool {
        self.kind() == Kind::Word
            && self.is_bare_at(self.at + 1)
            && !self.is("create")
            && (self.is_any(&["new", "add", "define", "make", "update", "change"])
                || nearest(self.slice(), ["create"]).is_some())
    }

    pub(super) fn advance(&mut self) {
        self.end_of_last = self.place().end;
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    /// Takes the first `length` bytes of the token, leaving the rest as a token of its own.
    pub(super) fn take_prefix(&mut self, length: usize) -> (&'t str, Place) {
        let whole = self.place();
        let place = Place::new(whole.start, (whole.start + length).min(whole.end));
        if place.end == whole.end {
            self.advance();
        } else {
            self.tokens[self.at].place.start = place.end;
            self.end_of_last = place.end;
        }
        (&self.text[place.start..place.end], place)
    }

    pub(super) fn take(&mut self, keyword: &str) -> bool {
        let found = self.is(keyword);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn take_kind(&mut self, kind: Kind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, keyword: &str, help: &str) -> Parsed<()> {
        if self.take(keyword) {
            Ok(())
        } else {
            Err(self.expected_among(&format!("`{keyword}`"), [keyword], help))
        }
    }

    /// From `start` to the end of the token taken last.
    pub(super) fn since(&self, start: Place) -> Place {
        Place::new(start.start, self.end_of_last.max(start.start))
    }

    pub(super) fn at_new_statement(&self) -> bool {
        let begins = self.is("create") && self.next_is_any(&["sentinel", "rule"]);
        self.kind() == Kind::End || begins || self.at_bare_statement()
    }

    pub(super) fn text_at(&self, place: Place) -> &str {
        &self.text[place.start..place.end]
    }

    pub(super) fn next_slice(&self) -> &str {
        let next = self.tokens.get(self.at + 1).map_or(Place::default(), |token| token.place);
        self.text_at(next)
    }

    pub(super) fn next_kind(&self) -> Kind {
        self.tokens.get(self.at + 1).map_or(Kind::End, |token| token.kind)
    }

    /// At a text between quotes, of whatever language.
    pub(super) fn at_text(&self) -> bool {
        matches!(self.kind(), Kind::Quoted | Kind::Foreign)
    }

    /// Whether the statement has this word.
    pub(super) fn has_word(&self, wanted: &str) -> bool {
        let word = |token: &crate::lexer::Token, word: &str| {
            let slice = &self.text[token.place.start..token.place.end];
            token.kind == Kind::Word && slice.eq_ignore_ascii_case(word)
        };
        let before = self.tokens[..self.at].iter().rev();
        let after = self.tokens[self.at..].iter();
        before.take_while(|token| !word(token, "create")).any(|token| word(token, wanted))
            || after.take_while(|token| !word(token, "create")).any(|token| word(token, wanted))
    }

    /// The word `ahead` tokens further, in small letters; empty where none stands.
    pub(super) fn word_at(&self, ahead: usize) -> String {
        let token = self.tokens.get(self.at + ahead).filter(|token| token.kind == Kind::Word);
        token.map_or(String::new(), |token| self.text_at(token.place).to_lowercase())
    }

    /// The name `ahead` tokens further, as the text has it.
    pub(super) fn name_at(&self, ahead: usize) -> Option<&str> {
        let token = self.tokens.get(self.at + ahead)?;
        let slice = self.text_at(token.place);
        let is_name = match token.kind {
            Kind::Word => is_plain_name(slice),
            kind => kind == Kind::Backquoted,
        };
        is_name.then_some(slice)
    }
}
