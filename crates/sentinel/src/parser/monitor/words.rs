//! Lists of words and of phrases.

use super::super::meant::in_quotes;
use super::super::{Failed, Parsed, Parser, shortened};
use crate::Cure;
use crate::lexer::{Kind, inside_foreign};
use crate::limits::{WORD_CHARS_MAX, WORDS_PER_LEAF_MAX};
use crate::vocabulary::{clauses, is_hidden, is_plain_name, nearest};
use unicode_segmentation::UnicodeSegmentation;

impl Parser<'_, '_> {
    /// After `except`, `keyword` and each comma any word is a word.
    pub(super) fn words(&mut self) -> Parsed<Vec<String>> {
        if self.quoted_words() {
            return Err(Failed);
        }
        let mut words = Vec::new();
        loop {
            let (place, slice) = (self.place(), self.slice());
            if words.is_empty() && self.at_line_of_clause() {
                let help = "write the words to look for, with commas: `oil, gas`; one that begins \
                            a clause, as this does, on the same line";
                return Err(self.expected("a word", help));
            }
            if self.at_text() {
                let inside = inside_foreign(slice).to_owned();
                let help = "a single word stands without quotes; for several write `phrase \"…\"`";
                if not_one_word(&inside).is_some() {
                    if words.is_empty() && self.phrase_instead(&inside) {
                        return Err(Failed);
                    }
                    return Err(self.expected("a word", help));
                }
                let message = format!("expected a word, found `{}`", shortened(slice));
                self.cure_with(place, &message, help, &inside);
            }
            if !self.at_text() && self.kind() != Kind::Word || self.at_new_statement() {
                return Err(self.expected("a word", "write words with commas: `oil, gas, price*`"));
            }
            if let Some(parts) = not_one_word(slice).filter(|_| !self.at_text()) {
                let message = format!("`{}` is not one word", shortened(slice));
                let help = match parts {
                    0 => "a word has a letter or a digit; `*` may stand at either end".to_owned(),
                    _ => format!(
                        "pages are read word by word; write `phrase \"{}\"` for it as a whole",
                        shortened(slice.trim_matches('*'))
                    ),
                };
                let inside = slice.trim_matches('*').to_owned();
                if parts == 0 || !words.is_empty() || !self.phrase_instead(&inside) {
                    self.sink.syntax(place, message, &help);
                }
                return Err(Failed);
            }
            self.limit_words(words.len(), slice);
            words.push(slice.to_owned());
            self.advance();
            let is_word = self.kind() == Kind::Word && is_plain_name(self.slice());
            if is_word && !self.at_modifier() && nearest(self.slice(), clauses()).is_none() {
                let all = format!("{}, {}", words[words.len() - 1], self.slice());
                let message = "a comma stands between words";
                let help = format!(
                    "write `{}`; for both beside each other write `phrase`",
                    shortened(&all)
                );
                let (start, end) = (self.end_of_last, self.end_of_last);
                let cure = Cure { start, end, text: ",".to_owned() };
                self.sink.curable(self.place(), message, &help, cure);
                continue;
            }
            let comma = self.place();
            if !self.take_kind(Kind::Comma) {
                return Ok(words);
            }
            if self.at_line_of_clause() {
                let message = "a list of words ends without a comma";
                self.leave_out(comma, message, "leave the comma out, or write another word");
                return Ok(words);
            }
        }
    }

    /// `keyword crude-oil`: several words, which are a phrase. Whether it could be said.
    fn phrase_instead(&mut self, inside: &str) -> bool {
        let before = self.tokens[self.at - 1].place;
        let is_keyword = self.text_at(before).to_lowercase().starts_with("keyword");
        if !is_keyword || self.next_kind() == Kind::Comma || inside.trim().is_empty() {
            return false;
        }
        let place = before.until(self.place());
        let message = format!("`{}` is not one word", shortened(self.slice()));
        let right = format!("phrase {}", in_quotes(inside));
        let help =
            format!("pages are read word by word; write `{}` for it as a whole", shortened(&right));
        self.cure_with(place, &message, &help, &right);
        self.advance();
        true
    }

    pub(super) fn phrases(&mut self) -> Parsed<Vec<String>> {
        let mut phrases = Vec::new();
        loop {
            if !self.at_text() {
                return Err(self.phrase_without_quotes());
            }
            let phrase = self.quoted()?;
            if phrase.text.trim().is_empty() {
                let help = "write the words to look for between the quotes";
                self.sink.value(phrase.place, "this phrase is empty", help);
            }
            self.limit_words(phrases.len(), &phrase.text);
            phrases.push(phrase.text);
            if !self.take_kind(Kind::Comma) {
                return Ok(phrases);
            }
        }
    }

    /// Words up to the next clause where a phrase is expected.
    pub(super) fn phrase_without_quotes(&mut self) -> Failed {
        let help = "a phrase stands in double quotes: `phrase \"crude oil\"`";
        let start = self.place();
        let is_word = |parser: &Self| {
            let is_end = parser.is_any(&["and", "or"]) || parser.at_clause();
            parser.kind() == Kind::Word && !is_end && !parser.at_new_statement()
        };
        if !is_word(self) {
            return self.expected("a phrase", help);
        }
        while is_word(self) {
            self.advance();
        }
        let place = self.since(start);
        let words = self.text_at(place).to_owned();
        let message = format!("expected a phrase, found `{}`", shortened(&words));
        self.cure_with(place, &message, help, &format!("\"{words}\""));
        Failed
    }

    pub(super) fn limit_words(&mut self, before: usize, word: &str) {
        let place = self.place();
        if before == WORDS_PER_LEAF_MAX {
            let message = format!("a list may have {WORDS_PER_LEAF_MAX} words; more follow");
            self.sink.value(place, message, "split it over several sentinels");
        }
        let chars = word.chars().count();
        if chars > WORD_CHARS_MAX {
            let message = format!("this has {chars} characters; {WORD_CHARS_MAX} are allowed");
            self.sink.value(place, message, "write a shorter one");
        }
    }
}

/// How many words pages would have for it, if that is not one.
fn not_one_word(written: &str) -> Option<usize> {
    let inner = written.strip_prefix('*').unwrap_or(written);
    let inner = inner.strip_suffix('*').unwrap_or(inner);
    let lower = inner.to_lowercase();
    let parts: Vec<&str> = lower.unicode_words().take(2).collect();
    let shown = !inner.contains(is_hidden);
    (parts.len() != 1 || parts[0] != lower || !shown).then_some(parts.len())
}
