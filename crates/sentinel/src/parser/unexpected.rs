//! What is said where something else stands than may, and where reading goes on.

use super::{Failed, Parser};
use crate::Cure;
use crate::lexer::{Kind, is_closed};
use crate::place::Place;
use crate::vocabulary::{clauses, clauses_help, is_hidden, nearest};

const COMMENT_HELP: &str = "a comment begins with `--`";

impl Parser<'_, '_> {
    pub(super) fn expected(&mut self, what: &str, help: &str) -> Failed {
        // What the lexer complained about already.
        if self.kind() != Kind::Quoted || is_closed(self.slice()) {
            let (place, message) = self.unexpected(what);
            self.sink.syntax(place, message, help);
        }
        Failed
    }

    /// As `expected`, where `missing` is left out before what stands here.
    pub(super) fn expected_here(&mut self, what: &str, help: &str, missing: &str) {
        let (place, message) = self.unexpected(what);
        let (start, end) = (self.end_of_last, self.end_of_last);
        let cure = Cure { start, end, text: missing.to_owned() };
        self.sink.curable(place, message, help, cure);
    }

    /// What stands here and is not `what`.
    pub(super) fn unexpected(&self, what: &str) -> (Place, String) {
        if !self.at_new_statement() {
            let found = shortened(self.slice());
            return (self.place(), format!("expected {what}, found `{found}`"));
        }
        let place = Place::new(self.end_of_last, self.end_of_last);
        let ended = if self.kind() == Kind::End { "text" } else { "statement" };
        (place, format!("expected {what}, but the {ended} ends here"))
    }

    /// As `expected`, where one of `known` belongs: "did you mean" if the word here is nearly it.
    pub(super) fn expected_among<'a>(
        &mut self,
        what: &str,
        known: impl IntoIterator<Item = &'a str>,
        help: &str,
    ) -> Failed {
        let is_word = self.kind() == Kind::Word && !self.at_new_statement();
        // The word itself stands in the wrong place.
        let is_slip = |near: &&str| is_word && !near.eq_ignore_ascii_case(self.slice());
        let Some(near) = nearest(self.slice(), known).filter(is_slip) else {
            return self.expected(what, help);
        };
        let message = format!("expected {what}, found `{}`", shortened(self.slice()));
        self.sink.near(self.place(), message, near);
        Failed
    }

    pub(super) fn expected_clause(&mut self) -> Failed {
        if is_comment(self.slice()) {
            return self.expected("a clause", COMMENT_HELP);
        }
        let inner = ["inside", "outside", "matching", "ignoring", "added", "removed", "updated"];
        let known = clauses().chain(["create", "within"]).chain(inner);
        self.expected_among("a clause", known, &clauses_help())
    }

    /// Something else begins a statement.
    pub(super) fn expected_statement(&mut self) -> Failed {
        let what = "`create sentinel`";
        if is_comment(self.slice()) {
            return self.expected(what, COMMENT_HELP);
        }
        self.expected_among(what, ["create"], "a file is a list of `create sentinel` …")
    }

    /// To the next clause, `;` or statement.
    pub(super) fn skip_clause(&mut self) {
        // What an open parenthesis holds is one part with it.
        let is_open = std::mem::take(&mut self.depth) > 0;
        let is_end = |parser: &Self| !is_open && parser.kind() == Kind::Semicolon;
        while !self.at_clause() && !is_end(self) && !self.at_new_statement() {
            self.advance();
        }
    }

    /// To the next statement.
    pub(super) fn skip_statement(&mut self) {
        while !self.at_new_statement() {
            self.advance();
        }
    }

    /// Reports that `right` is meant by what stands at `place`.
    pub(super) fn cure(&mut self, place: Place, message: &str, right: &str) {
        self.cure_with(place, message, &write_it(right), right);
    }

    /// As `cure`, with a help of its own.
    pub(super) fn cure_with(&mut self, place: Place, message: &str, help: &str, right: &str) {
        let cure = Cure { start: place.start, end: place.end, text: right.to_owned() };
        self.sink.curable(place, message, help, cure);
    }

    /// Reports that `right` is meant by the token here, where `what` is expected.
    pub(super) fn instead(&mut self, what: &str, right: &str) {
        let message = format!("expected {what}, found `{}`", shortened(self.slice()));
        self.cure(self.place(), &message, right);
    }

    /// Reports that `missing` stands before the token here, where `what` is expected.
    pub(super) fn insert(&mut self, what: &str, missing: &str) {
        let message = format!("expected {what}, found `{}`", shortened(self.slice()));
        let right = format!("{missing}{}", self.slice());
        self.cure(self.place(), &message, &right);
    }

    /// Reports that what stands at `place` is to be left out.
    pub(super) fn leave_out(&mut self, place: Place, message: &str, help: &str) {
        // The blanks before it, and none of the words.
        let before = self.text[..place.start].trim_end_matches([' ', '\t']).len();
        let cure = Cure { start: before, end: place.end, text: String::new() };
        self.sink.curable(place, message, help, cure);
    }

    /// Takes `count` tokens, reported as `right`.
    pub(super) fn take_as(&mut self, count: usize, what: &str, right: &str) {
        let start = self.place();
        (0..count).for_each(|_| self.advance());
        let place = self.since(start);
        let message = format!("expected {what}, found `{}`", shortened(self.text_at(place)));
        self.cure(place, &message, right);
    }
}

/// `right` as a help says it.
pub(crate) fn write_it(right: &str) -> String {
    let right = shortened_to(right.trim(), 200).replace('\n', " ");
    if right.contains('`') { format!("write `` {right} ``") } else { format!("write `{right}`") }
}

/// The first forty characters, for a message.
pub(crate) fn shortened(text: &str) -> String {
    shortened_to(text, 40)
}

fn shortened_to(text: &str, chars_max: usize) -> String {
    let text = address::without_credentials(text);
    let shown = |c: char| if is_hidden(c) { '\u{fffd}' } else { c };
    let mut short: String = text.chars().take(chars_max).map(shown).collect();
    if text.chars().nth(chars_max).is_some() {
        short.push('…');
    }
    short
}

/// Whether it begins a comment of other languages.
fn is_comment(slice: &str) -> bool {
    slice.starts_with('#') || slice.starts_with("//")
}
