//! What to monitor, and where, in other words.

use super::super::meant::Comparison;
use super::super::{Failed, Parsed, Parser};
use crate::lexer::Kind;
use crate::place::Place;
use crate::vocabulary::is_plain_name;
use select::Language;

/// Words of a page's parts that hold a number.
const NUMBERS: [&str; 4] = ["price", "prices", "cost", "amount"];

/// Words before what a page or a text has in it.
const CONTAINS: [&str; 5] = ["contains", "contain", "includes", "has", "mentions"];

impl Parser<'_, '_> {
    /// A leaf in words: `text contains oil`, `price < 40`, `changes in css "…"`.
    pub(in super::super) fn leaf_in_words(&mut self, may_be_word: bool) -> bool {
        let what = "what to monitor";
        if let Some(is_found) = self.contained() {
            return is_found;
        }
        let is_change = self.is_any(&["change", "changes", "anything"]);
        if is_change && self.word_at(1) == "in" && self.language_at(2).is_some() {
            self.take_as(2, what, "any change inside");
            (0..2).for_each(|_| self.advance());
            return true;
        }
        let word = self.word_at(0);
        if !is_plain_name(&word) {
            return false;
        }
        let moves = ["change", "drop", "fall", "rise"];
        let is_moved = moves.iter().any(|verb| self.word_at(1).starts_with(verb));
        let is_value = NUMBERS.contains(&&*word) && is_moved && self.comparison_at(1).is_none();
        if is_value && self.word_at(2) != "by" {
            self.take_as(2, what, &format!("value of css \".{word}\""));
            return true;
        }
        let is_number = NUMBERS.contains(&&*word);
        let is_sign = self.word_at(1).starts_with(['<', '>', '=']);
        let in_words = self.comparison_at(1);
        let is_tested = is_sign || in_words.is_some() || self.word_at(1) == "changes";
        let is_leaf = ["links", "images", "words"].contains(&&*self.word_at(1));
        if is_leaf && self.has_word("as") {
            let right = format!("{} of {word}", self.word_at(1));
            self.take_as(2, what, &right);
            return true;
        }
        if is_number || is_tested {
            let help = format!("say where the number stands: `value of css \".{word}\"`");
            let message = format!("expected {what}, found `{}`", self.slice());
            let Comparison { words, sign } = in_words.unwrap_or_default();
            let right = format!("value of css \".{word}\" {sign}");
            let start = self.place();
            (0..words).for_each(|_| self.advance());
            let place = start.until(self.place());
            self.cure_with(place, &message, &help, right.trim_end());
        } else if may_be_word && self.ends_after_word() {
            let help = format!("write `keyword {word}` for a word of the page");
            let message = format!("expected {what}, found `{}`", self.slice());
            let right = format!("keyword {}", self.slice());
            self.cure_with(self.place(), &message, &help, &right);
        } else {
            return false;
        }
        self.advance();
        true
    }

    /// `text contains oil`, `page has "…"`; nothing where no such word stands.
    fn contained(&mut self) -> Option<bool> {
        let what = "what to monitor";
        let after = usize::from(!CONTAINS.contains(&&*self.word_at(0)));
        let is_whole = ["page", "text", "content", "it", "title"].contains(&&*self.word_at(0));
        if CONTAINS.contains(&&*self.word_at(after)) && (after == 0 || is_whole) {
            let found = self.tokens.get(self.at + after + 1).map(|token| token.kind);
            if found == Some(Kind::Quoted) {
                self.take_as(after + 1, what, "phrase");
                return Some(true);
            }
            let mut words: Vec<&str> = self.name_at(after + 1).into_iter().collect();
            let mut count = after + 1 + words.len();
            while !words.is_empty()
                && self.word_at(count) == "or"
                && let Some(word) = self.name_at(count + 1)
            {
                words.push(word);
                count += 2;
            }
            let right = format!("keyword {}", words.join(", "));
            let is_found = !words.is_empty();
            if is_found {
                self.take_as(count, what, &right);
            }
            return Some(is_found);
        }
        None
    }

    /// Whether what follows the word here may follow a leaf.
    fn ends_after_word(&self) -> bool {
        let next = self.tokens.get(self.at + 1);
        let word = self.word_at(1);
        let goes_on = ["and", "or", "of", "inside", "outside", "added", "removed", "create"];
        next.is_none_or(|next| !matches!(next.kind, Kind::Word | Kind::Quoted | Kind::Foreign))
            || self.is_clause_word(&word)
            || goes_on.contains(&&*word)
    }

    pub(in super::super) fn language_at(&self, ahead: usize) -> Option<Language> {
        let word = self.word_at(ahead);
        Language::ALL.into_iter().find(|language| language.is_scope() && language.word() == word)
    }

    /// `between 20 and 40`, `from 20 to 40` after a value: both bounds.
    pub(in super::super) fn range_meant(&mut self, value: Place) -> Parsed<bool> {
        let begins = |word: &str| word.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        let is_number = |word: &str| begins(word) && !word[1..].contains(['-', '/']);
        let is_from = self.is("from") && is_number(&self.word_at(1)) && self.word_at(2) == "to";
        if !is_from && (!self.is("between") || !begins(&self.word_at(1))) {
            return Ok(false);
        }
        let start = self.place();
        self.advance();
        let from = self.place();
        self.amount()?;
        let from = self.text_at(self.since(from)).to_owned();
        if !self.is_any(&["and", "to"]) {
            self.expected("`and` and a number", "write `>= 20 and value of css \"…\" <= 40`");
            return Err(Failed);
        }
        self.advance();
        let to = self.place();
        self.amount()?;
        let to = self.text_at(self.since(to)).to_owned();
        let place = self.since(start);
        let right = format!(">= {from} and {} <= {to}", self.text_at(value));
        let message = format!("expected a test, found `{}`", self.text_at(place));
        self.cure(place, &message, &right);
        Ok(true)
    }

    /// `"oil" or "gas"` after `keyword`: a list of words.
    pub(in super::super) fn quoted_words(&mut self) -> bool {
        let text = |at: usize| {
            let token = self.tokens.get(at).filter(|token| token.kind == Kind::Quoted)?;
            let inside = self.text_at(token.place).trim_matches('"').trim();
            let is_word = !inside.is_empty() && inside.chars().all(char::is_alphanumeric);
            is_word.then(|| inside.to_owned())
        };
        let mut words: Vec<String> = text(self.at).into_iter().collect();
        let mut count = words.len();
        while let Some(joint) = self.tokens.get(self.at + count)
            && (joint.kind == Kind::Comma || self.word_at(count) == "or")
            && let Some(word) = text(self.at + count + 1)
        {
            words.push(word);
            count += 2;
        }
        if words.len() < 2 {
            return false;
        }
        self.take_as(count, "words", &words.join(", "));
        true
    }

    /// What is left out of a page in other words: `except css "nav"`, `ignore "ads"`; and `in css`.
    pub(in super::super) fn left_out(&mut self) -> bool {
        let words = ["ignore", "excluding", "exclude", "without", "except", "skip"];
        let is_other = self.is_any(&words);
        let is_named = self.next_kind() == Kind::Word && is_plain_name(self.next_slice());
        let is_within = self.is_any(&["in", "within", "under", "at", "only", "from"]);
        if self.language_at(1).is_some() && (is_other || is_within || self.is("ignoring")) {
            let right = if is_within { "inside" } else { "outside" };
            self.instead(&format!("`{right}`"), right);
        } else if is_other && self.next_kind() == Kind::Quoted {
            self.instead("`ignoring`", "ignoring");
        } else if is_other && is_named {
            let right = format!("ignoring \"{}\"", self.next_slice());
            self.take_as(2, "`ignoring` and a text", &right);
        } else {
            return false;
        }
        true
    }

    /// `ignore css "nav"` where a clause is expected.
    pub(in super::super) fn scope_as_clause(&mut self) -> bool {
        let words = ["ignore", "ignoring", "exclude", "excluding", "without", "except", "skip"];
        let is_scope = self.is_any(&["inside", "outside"]);
        if !is_scope && !self.is_any(&words) {
            return false;
        }
        let word = match self.next_kind() {
            _ if self.language_at(1).is_some() => {
                if self.is("inside") {
                    "inside"
                } else {
                    "outside"
                }
            }
            Kind::Quoted if !is_scope => "ignoring",
            _ => return false,
        };
        let message = format!("expected a clause, found `{}`", self.slice());
        let has_monitor = self.has_word("monitor");
        if has_monitor {
            let help = format!("write `{word} …` at the end of `monitor`");
            self.sink.syntax(self.place(), message, &help);
        } else {
            self.cure(self.place(), &message, &format!("monitor any change {word}"));
        }
        true
    }
}
