//! Addresses and their names, in other orders.

use super::super::name::name_for;
use super::super::{Parsed, Parser};
use crate::lexer::Kind;
use crate::print;
use crate::syntax::{Name, Source};

impl Parser<'_, '_> {
    /// `a https://…`, `a = https://…`, `a: https://…`: how many tokens stand before the URL.
    pub(in super::super) fn name_before_url(&self) -> Option<usize> {
        let kind = |ahead: usize| self.tokens.get(self.at + ahead).map(|token| token.kind);
        let is_glued = self.kind() == Kind::Word && self.slice().ends_with(':');
        let is_signed = matches!(&*self.word_at(1), "=" | ":" | "as" | "is");
        match () {
            () if is_glued && kind(1) == Some(Kind::Url) => Some(1),
            () if self.name_at(0).is_none() || self.is_clause_word(self.slice()) => None,
            () if kind(1) == Some(Kind::Url) => Some(1),
            () if is_signed && kind(2) == Some(Kind::Url) => Some(2),
            () => None,
        }
    }

    /// A source whose name stands before its URL.
    pub(in super::super) fn source_named_before(&mut self, words: usize) -> Parsed<Source> {
        let (start, text) = (self.place(), self.slice().trim_matches(['`', ':']).to_owned());
        (0..words).for_each(|_| self.advance());
        let url = Name { text: self.slice().to_owned(), place: self.place() };
        self.advance();
        let place = self.since(start);
        let right = format!("{} as {}", url.text, print::name(&text));
        self.cure(place, "the name of a source stands after its URL", &right);
        Ok(Source { url, called: Some(Name { text, place }) })
    }

    /// `watch https://…`, `sentinel s: https://…`: a statement of another shape.
    pub(in super::super) fn statement_meant(&mut self) -> bool {
        let is_named = self.is("sentinel") && self.word_at(1).ends_with(':');
        let words = 1 + usize::from(is_named);
        let url = self.tokens.get(self.at + words).filter(|token| token.kind == Kind::Url);
        let verbs = ["watch", "monitor", "track", "check", "follow", "add", "url:", "page:"];
        let Some(url) = url.filter(|_| is_named || self.is_any(&verbs)) else { return false };
        let url = self.text_at(url.place).to_owned();
        let name = if is_named {
            self.word_at(1).trim_end_matches(':').to_owned()
        } else {
            name_for(&url)
        };
        let right = format!("create sentinel {} using {url}", print::name(&name));
        self.take_as(words + 1, "`create sentinel`", &right);
        self.skip_statement();
        true
    }

    /// `of a` after `fetch on change`: any of the pages counts.
    pub(in super::super) fn change_of(&mut self) {
        if !self.is("of") || self.name_at(1).is_none() {
            return;
        }
        let start = self.place();
        (0..2).for_each(|_| self.advance());
        let help = "leave it out: a change of any of the pages counts";
        self.leave_out(self.since(start), "no name stands after `on change`", help);
    }

    /// `in b` after a leaf, where `b` is a source of the statement.
    pub(in super::super) fn in_source(&mut self) -> bool {
        let wanted = self.slice();
        let text = |at: usize| self.text_at(self.tokens[at].place);
        let before = (1..self.at).rev().take_while(|&at| !text(at).eq_ignore_ascii_case("create"));
        let is_source = self.kind() == Kind::Word
            && before.into_iter().any(|at| text(at) == wanted && text(at - 1) == "as");
        if is_source {
            let start = self.tokens[self.at - 1].place;
            let place = start.until(self.place());
            let message = format!("expected `of`, found `{}`", self.text_at(start));
            let right = format!("of {wanted}");
            self.cure(place, &message, &right);
        }
        is_source
    }

    /// `compare every 3 versions`.
    pub(in super::super) fn unit_of_versions(&mut self) {
        if self.is_any(&["versions", "version", "looks", "changes", "elements"]) {
            let message = format!("no `{}` stands after the number", self.slice());
            self.leave_out(self.place(), &message, "leave it out: it counts versions");
            self.advance();
        }
    }
}
