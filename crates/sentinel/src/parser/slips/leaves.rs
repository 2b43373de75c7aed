//! What people write around one thing to monitor.

use super::super::meant::in_quotes;
use super::super::{Parsed, Parser, shortened};
use crate::Cure;
use crate::lexer::{Kind, inside_foreign};
use crate::place::Place;
use crate::syntax::Name;
use select::Language;

/// Words before a kind of match, and those of the match itself.
const ABOUT: [&str; 9] = ["where", "whose", "with", "that", "which", "when", "text", "title", "if"];
const MATCHES: [&str; 8] =
    ["matches", "containing", "contains", "contain", "includes", "including", "like", "has"];

/// The kind of selector that a text is, by how it begins, and what is left of it.
fn selector_of(written: &str) -> Option<(&'static str, &str)> {
    for (prefix, language) in
        [("css:", "css"), ("xpath:", "xpath"), ("jsonpath:", "jsonpath"), ("json:", "jsonpath")]
    {
        if let Some(rest) = written.strip_prefix(prefix).filter(|rest| !rest.is_empty()) {
            return Some((language, rest));
        }
    }
    let language = match written.as_bytes() {
        [b'.', b'a'..=b'z' | b'A'..=b'Z', ..] => "css",
        [b'/', ..] => "xpath",
        [b'$', b'.' | b'[', ..] => "jsonpath",
        _ => return None,
    };
    Some((language, written))
}

impl Parser<'_, '_> {
    /// `css ".a", ".b"`: one selector finds both.
    pub(in super::super) fn further_selectors(&mut self, language: Language, first: Place) {
        let joint = match language {
            Language::Css => ", ",
            Language::XPath => " | ",
            _ => return,
        };
        let is_more =
            |parser: &Self| parser.kind() == Kind::Comma && parser.next_kind() == Kind::Quoted;
        if !is_more(self) {
            return;
        }
        let mut right = self.text_at(first).trim_end_matches('"').to_owned();
        while is_more(self) {
            self.advance();
            right = right + joint + self.slice().trim_matches('"');
            self.advance();
        }
        right.push('"');
        let help = format!("write `{}`: it finds what either of them finds", shortened(&right));
        self.cure_with(self.since(first), "a selector is one text", &help, &right);
    }

    /// `.price`, `//td[2]`, `$.price`, `css:.price`: a selector alone.
    pub(in super::super) fn selector_alone(&mut self) -> bool {
        let ends = |at: usize| self.tokens[at].place.end;
        let glued = |at: &usize| {
            let next = self.tokens.get(at + 1);
            next.is_some_and(|next| next.place.start == ends(*at) && next.kind != Kind::End)
        };
        let mut last = self.at;
        while glued(&last) {
            last += 1;
        }
        let written = &self.text[self.place().start..ends(last)];
        let Some((language, rest)) = selector_of(written).filter(|_| self.kind() == Kind::Word)
        else {
            return false;
        };
        let count = last + 1 - self.at;
        let is_tested = self.word_at(count).starts_with(['<', '>', '='])
            || self.word_at(count) == "changes"
            || self.comparison_at(count).is_some();
        let head = if is_tested { "value" } else { "text" };
        let right = format!("{head} of {language} {}", in_quotes(rest));
        self.take_as(count, "what to monitor", &right);
        true
    }

    /// `where text matches "…"`, `containing "…"` after a leaf: `matching`.
    pub(in super::super) fn match_in_words(&mut self) -> bool {
        let about = (0..3).take_while(|&at| ABOUT.contains(&&*self.word_at(at))).count();
        let text = self.tokens.get(self.at + about + 1).copied();
        let Some(text) = text.filter(|text| text.kind == Kind::Quoted) else { return false };
        let verb = self.word_at(about);
        if !MATCHES.contains(&&*verb) {
            return false;
        }
        let inside = inside_foreign(self.text_at(text.place));
        let pattern = if verb == "matches" { inside.to_owned() } else { regex::escape(inside) };
        let right = format!("matching {}", in_quotes(&pattern));
        self.take_as(about + 2, "`matching`", &right);
        true
    }

    /// `keyword oil not gas`: a word after `not`, which says nothing alone.
    pub(in super::super) fn not_a_word(&mut self) -> bool {
        let Some(word) = self.name_at(1).filter(|_| self.is("not")).map(str::to_owned) else {
            return false;
        };
        self.take_as(2, "`and`, `or` or the next clause", &format!("and not keyword {word}"));
        true
    }

    /// `value < 40`: nothing says where the number stands.
    pub(in super::super) fn value_of_nothing(&mut self) -> bool {
        if !self.at_test() && self.comparison_at(0).is_none() {
            return false;
        }
        let help = "say where the number stands: `value of css \".price\" < 40`";
        self.expected_here("`of` and a selector", help, " of css \".price\"");
        true
    }

    /// `< 40 of shop`, `added of shop`: `of` and its name stand after what they belong before.
    pub(in super::super) fn of_moved(&mut self, start: Place) -> Parsed<bool> {
        if !self.is("of") {
            return Ok(false);
        }
        let before = self.text_at(self.since(start)).to_owned();
        let of = self.place();
        self.advance();
        self.name("the name of a source", "write `of NAME`")?;
        let right = format!("{} {before}", self.text_at(self.since(of)));
        let message = "`of` stands right after the part, before all else";
        self.cure(self.since(start), message, &right);
        Ok(true)
    }

    /// `3k`, `2M` after a number at `whole`: the number in full.
    pub(in super::super) fn number_in_short(&mut self, whole: Place) -> bool {
        let zeros = match self.slice() {
            "k" | "K" => "000",
            "M" | "m" | "mio" => "000000",
            _ => return false,
        };
        let digits = self.text_at(whole).to_owned();
        let is_glued = self.place().start == whole.end && self.kind() == Kind::Word;
        if !is_glued || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return false;
        }
        self.advance();
        let place = Place::new(whole.start, self.end_of_last);
        let message = format!("`{}` is no number of the language", self.text_at(place));
        self.cure(place, &message, &format!("{digits}{zeros}"));
        true
    }

    /// `more than` and the like after `changes by`.
    pub(in super::super) fn by_at_least(&mut self) {
        let known = [["more", "than"], ["at", "least"]];
        let is_pair = known.iter().any(|[a, b]| self.is(a) && self.next_is_any(&[b]));
        let count = if is_pair { 2 } else { usize::from(self.is_any(&["over", "least"])) };
        if count == 0 {
            return;
        }
        let start = self.place();
        (0..count).for_each(|_| self.advance());
        let place = self.since(start);
        let message = format!("no `{}` stands after `by`", self.text_at(place));
        self.leave_out(place, &message, "leave it out: `changes by 10 %` is 10 % or more");
    }

    /// `on change every 5 minutes`: what is read as the period alone.
    pub(in super::super) fn period_after_on_change(&mut self, start: Place) -> Parsed<bool> {
        let every = self.place();
        if !self.is("every") {
            return Ok(false);
        }
        self.advance();
        self.duration()?;
        if self.take("within") {
            self.duration()?;
        }
        let right = self.text_at(self.since(every)).to_owned();
        let message = "`on change` has no period: then Tidings decides when to look";
        self.cure(self.since(start), message, &right);
        Ok(true)
    }

    /// What ends a file of another tool: `url: …`, `{`.
    pub(in super::super) fn other_tool(&mut self) -> bool {
        let keys = ["url:", "name:", "kind:", "filter:", "command:", "navigate:", "jobs:", "---"];
        let slice = self.slice();
        if self.at > 0 || !self.is_any(&keys) && !slice.starts_with(['{', '[', '<']) {
            return false;
        }
        let message = "this is no text of the language, but may be another tool's file";
        let help = "run `tidings import FILE`, which writes the sentinels; or write `create \
                    sentinel NAME using https://example.org/page`";
        self.sink.syntax(self.place(), message, help);
        while self.kind() != Kind::End {
            self.advance();
        }
        true
    }

    /// A number after `compare pairwise`.
    pub(in super::super) fn number_after_pairwise(&mut self) {
        let is_number = self.slice().bytes().all(|byte| byte.is_ascii_digit());
        if self.kind() == Kind::Word && is_number {
            let help = "leave it out: `pairwise` compares each version with the last; `moving 3` \
                        and `every 3` have a number";
            self.leave_out(self.place(), "no number stands after `pairwise`", help);
            self.advance();
        }
    }

    /// `then notify …`: the clause without `then`.
    pub(in super::super) fn then_before_clause(&mut self) -> bool {
        if !self.is("notify") {
            return false;
        }
        let Place { start, .. } = self.tokens[self.at - 1].place;
        let end = self.place().start;
        let message = "`then` stands before `probe` alone";
        let cure = Cure { start, end, text: String::new() };
        let help = "leave it out: a sentinel tells of what it finds";
        self.sink.curable(Place::new(start, start + "then".len()), message, help, cure);
        true
    }

    /// `and links`, `links and or images`: a joint with nothing before it.
    pub(in super::super) fn joint_too_many(&mut self) {
        let is_more = self.next_kind() == Kind::Word && !self.is_clause_word(self.next_slice());
        if self.is_any(&["and", "or"]) && is_more {
            let Place { start, .. } = self.place();
            let message = format!("nothing stands before this `{}`", self.slice());
            self.advance();
            let (place, end) = (Place::new(start, self.end_of_last), self.place().start);
            let cure = Cure { start, end, text: String::new() };
            self.sink.curable(place, message, "leave it out", cure);
        }
    }

    /// `not not links` at the second.
    pub(in super::super) fn not_twice(&mut self) -> bool {
        if !self.is("not") || self.next_kind() != Kind::Word {
            return false;
        }
        let Place { start, .. } = self.tokens[self.at - 1].place;
        self.advance();
        let (place, end) = (Place::new(start, self.end_of_last), self.place().start);
        let cure = Cure { start, end, text: String::new() };
        let help = "write `not` once, or not at all: leave both out";
        self.sink.curable(place, "`not not` says nothing", help, cure);
        true
    }

    /// The text of a condition that begins with its verb: `matches "oil"`.
    pub(in super::super) fn matches_alone(&mut self) -> Option<Name> {
        if !self.is("matches") || self.next_kind() != Kind::Quoted {
            return None;
        }
        self.insert("a condition", "text ");
        self.advance();
        self.quoted().ok()
    }
}
