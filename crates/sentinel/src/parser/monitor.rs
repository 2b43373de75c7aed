//! `monitor`: conditions on changes.

use super::{Failed, Parsed, Parser, shortened};
use crate::ast::{Aspect, Direction, Expr, Leaf, Primitive};
use crate::lexer::Kind;
use crate::limits::{LEAVES_MAX, NESTING_MAX, WORD_CHARS_MAX, WORDS_PER_LEAF_MAX};
use crate::syntax::{ClauseKind, Name};
use crate::vocabulary::{is_hidden, leaves_help, listed, nearest};
use aspect::Terms;
use unicode_segmentation::UnicodeSegmentation;

const DIRECTIONS: [(&str, Direction); 4] = [
    ("added", Direction::Added),
    ("removed", Direction::Removed),
    ("updated", Direction::Updated),
    ("moved", Direction::Moved),
];

/// What begins a leaf, besides the aspects.
const OTHER_LEAVES: [&str; 6] = ["new", "items", "text", "status", "value", "not"];

/// The words that a leaf may begin with.
fn first_words() -> impl Iterator<Item = &'static str> {
    let forms = Aspect::all().flat_map(|aspect| aspect.row().written);
    let heads = Aspect::all().map(Aspect::head);
    forms.copied().chain(heads).map(|form| split(form).0).chain(OTHER_LEAVES)
}

/// The first word of a form, and the other if it has two.
fn split(form: &str) -> (&str, Option<&str>) {
    form.split_once(' ').map_or((form, None), |(first, second)| (first, Some(second)))
}

impl Parser<'_, '_> {
    pub(super) fn monitor(&mut self) -> Parsed<ClauseKind> {
        (self.depth, self.leaves) = (0, 0);
        let mut patterns = Vec::new();
        let expr = self.or(&mut patterns)?;
        if self.kind() == Kind::Open || first_words().any(|word| self.is(word)) {
            let help = "write `and` or `or` before it";
            return Err(self.expected("`and`, `or` or the next clause", help));
        }
        if self.kind() == Kind::Comma {
            let help = "write `and` or `or` instead of the comma";
            return Err(self.expected("`and`, `or` or the next clause", help));
        }
        if self.kind() == Kind::Close {
            return Err(self.expected("the next clause", "this `)` closes nothing; remove it"));
        }
        Ok(ClauseKind::Monitor { expr, patterns })
    }

    fn or(&mut self, patterns: &mut Vec<Name>) -> Parsed<Expr> {
        let first = self.and(patterns)?;
        let mut operands = vec![first];
        while self.take("or") {
            operands.push(self.and(patterns)?);
        }
        Ok(joined(operands, Expr::Or))
    }

    fn and(&mut self, patterns: &mut Vec<Name>) -> Parsed<Expr> {
        let first = self.not(patterns)?;
        let mut operands = vec![first];
        while self.take("and") {
            operands.push(self.not(patterns)?);
        }
        Ok(joined(operands, Expr::And))
    }

    fn not(&mut self, patterns: &mut Vec<Name>) -> Parsed<Expr> {
        if !self.take("not") {
            return self.primitive(patterns);
        }
        if self.is("not") {
            return Err(self.expected("what to monitor", "write `not` once, or not at all"));
        }
        Ok(Expr::Not(Box::new(self.primitive(patterns)?)))
    }

    fn primitive(&mut self, patterns: &mut Vec<Name>) -> Parsed<Expr> {
        if self.kind() != Kind::Open {
            return self.leaf(patterns).map(Expr::Leaf);
        }
        if self.depth == NESTING_MAX {
            let message = format!("parentheses are nested deeper than {NESTING_MAX}");
            self.sink.syntax(self.place(), message, "split the condition over several sentinels");
            return Err(Failed);
        }
        self.advance();
        self.depth += 1;
        let inside = self.or(patterns)?;
        self.depth -= 1;
        if !self.take_kind(Kind::Close) {
            return Err(self.expected("`)`, `and` or `or`", "close the parenthesis with `)`"));
        }
        Ok(inside)
    }

    fn leaf(&mut self, patterns: &mut Vec<Name>) -> Parsed<Leaf> {
        self.leaves += 1;
        if self.leaves > LEAVES_MAX {
            let message = format!("a condition may have {LEAVES_MAX} parts; more follow");
            self.sink.syntax(self.place(), message, "split it over several sentinels");
            return Err(Failed);
        }
        let primitive = self.what()?;
        let start = self.place();
        if self.of_source()? {
            let help = "leave it out: a sentinel has one source";
            let place = self.since(start);
            self.sink.unsupported(place, "of", help);
        }
        let directions = self.directions(&primitive);
        let mut matching = None;
        if self.take("matching") {
            let pattern = self.quoted()?;
            matching = Some(pattern.text.clone());
            patterns.push(pattern);
        }
        Ok(Leaf { primitive, directions, matching })
    }

    fn directions(&mut self, primitive: &Primitive) -> Vec<Direction> {
        let (mut directions, mut moved) = (Vec::new(), None);
        let mut place = self.place();
        while let Some(direction) = self.direction() {
            if direction == Direction::Moved {
                moved = Some(place);
            }
            directions.push(direction);
            place = self.place();
        }
        let all = DIRECTIONS.iter().all(|(_, direction)| directions.contains(direction));
        if let Some(place) = moved.filter(|_| !primitive.aspect.row().moves && !all) {
            let moving = named(|aspect| aspect.row().moves);
            let help = format!("only the blocks of {moving} move; leave `moved` out");
            self.sink.warn(place, "`moved` never happens here", &help);
        }
        directions
    }

    fn direction(&mut self) -> Option<Direction> {
        let found = DIRECTIONS.iter().find(|(word, _)| self.is(word))?.1;
        self.advance();
        Some(found)
    }

    fn what(&mut self) -> Parsed<Primitive> {
        let start = self.place();
        let all = self.take("all");
        if let Some(aspect) = self.aspect(all)? {
            return Ok(Primitive { aspect, terms: self.terms(aspect)? });
        }
        if all {
            return Err(self.expected(&named(takes_all), &leaves_help()));
        }
        if self.unsupported_leaf()? {
            let what = self.text[start.start..self.end_of_last].split_whitespace().next();
            let name = match what.unwrap_or_default().to_lowercase().as_str() {
                "text" => "text of",
                "value" => "value of",
                "status" => "status",
                _ => "items",
            };
            let help = format!("watch the whole page: {}", named(|_| true));
            let place = self.since(start);
            self.sink.unsupported(place, name, &help);
            return Ok(Primitive::plain(Aspect::Any));
        }
        let near = nearest(self.slice(), first_words()).filter(|_| self.kind() == Kind::Word);
        let help = near.map_or_else(leaves_help, |near| format!("did you mean `{near}`?"));
        Err(self.expected("what to monitor", &help))
    }

    /// The aspect that is written here, if any; after `all`, one that may stand there.
    fn aspect(&mut self, all: bool) -> Parsed<Option<Aspect>> {
        for aspect in Aspect::all().filter(|&aspect| !all || takes_all(aspect)) {
            for form in aspect.row().written {
                let (first, second) = split(form.strip_prefix("all ").unwrap_or(form));
                if !self.take(first) {
                    continue;
                }
                if let Some(second) = second {
                    self.expect(second, &format!("write `{form}`"))?;
                }
                return Ok(Some(aspect));
            }
        }
        Ok(None)
    }

    /// The words that follow an aspect.
    fn terms(&mut self, aspect: Aspect) -> Parsed<Vec<String>> {
        match aspect.row().terms {
            Terms::Except if self.take("except") => self.words(),
            Terms::None | Terms::Except => Ok(Vec::new()),
            Terms::Words => self.words(),
            Terms::Phrases => self.phrases(),
        }
    }

    /// Reads `items`, `status`, `text of …`, `value of …` to their end.
    fn unsupported_leaf(&mut self) -> Parsed<bool> {
        if self.take("new") {
            self.expect("items", "write `new items`")?;
            return self.of_source().map(|_| true);
        }
        if self.take("items") || self.take("status") {
            return self.of_source().map(|_| true);
        }
        let is_value = self.is("value");
        if !is_value && !self.is("text") {
            return Ok(false);
        }
        self.advance();
        self.expect("of", "write `text of css \"…\"` or `value of css \"…\"`")?;
        if !["css", "xpath", "jsonpath"].iter().any(|kind| self.take(kind)) {
            let help = "write `css \"…\"`, `xpath \"…\"` or `jsonpath \"…\"`";
            return Err(self.expected("a selector", help));
        }
        self.quoted()?;
        self.of_source()?;
        if is_value {
            self.test()?;
        }
        Ok(true)
    }

    /// `of NAME`, if it is there.
    fn of_source(&mut self) -> Parsed<bool> {
        let found = self.take("of");
        if found {
            self.name("the name of a source", "write `of NAME`")?;
        }
        Ok(found)
    }

    /// `< 5`, `changes by 5 %`, or nothing.
    fn test(&mut self) -> Parsed<()> {
        let operator =
            self.slice().len() - self.slice().trim_start_matches(['<', '>', '=', '!']).len();
        if operator > 0 {
            self.take_prefix(operator);
        } else if self.take("changes") {
            self.expect("by", "write `changes by 5 %`")?;
        } else {
            return Ok(());
        }
        let number = self.slice().trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
        if !number {
            return Err(self.expected("a number", "write a number such as `5` or `0.5`"));
        }
        self.advance();
        self.take("%");
        Ok(())
    }

    /// After `except`, `keyword` and each comma any word is a word.
    fn words(&mut self) -> Parsed<Vec<String>> {
        let mut words = Vec::new();
        loop {
            let (place, slice) = (self.place(), self.slice());
            if self.kind() == Kind::Quoted {
                let help = "a single word stands without quotes; for several write `phrase \"…\"`";
                return Err(self.expected("a word", help));
            }
            if self.kind() != Kind::Word || self.at_new_statement() {
                return Err(self.expected("a word", "write words with commas: `oil, gas, price*`"));
            }
            if let Some(parts) = not_one_word(slice) {
                let message = format!("`{}` is not one word", shortened(slice));
                let help = match parts {
                    0 => "a word has a letter or a digit; `*` may stand at either end".to_owned(),
                    _ => format!(
                        "pages are read word by word; write `phrase \"{}\"` for it as a whole",
                        shortened(slice.trim_matches('*'))
                    ),
                };
                self.sink.syntax(place, message, &help);
                return Err(Failed);
            }
            self.limit_words(words.len(), slice);
            words.push(slice.to_owned());
            self.advance();
            if !self.take_kind(Kind::Comma) {
                return Ok(words);
            }
        }
    }

    fn phrases(&mut self) -> Parsed<Vec<String>> {
        let mut phrases = Vec::new();
        loop {
            if self.kind() != Kind::Quoted {
                let help = "a phrase stands in double quotes: `phrase \"crude oil\"`";
                return Err(self.expected("a phrase", help));
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

    fn limit_words(&mut self, before: usize, word: &str) {
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

/// Whether `all` may stand before it.
fn takes_all(aspect: Aspect) -> bool {
    aspect.row().written[0].starts_with("all ")
}

/// Some aspects by their first words: `links`, `images` or `words`.
fn named(which: impl Fn(Aspect) -> bool) -> String {
    let heads = Aspect::all().filter(|&aspect| which(aspect)).map(Aspect::head);
    listed(&heads.map(|head| format!("`{head}`")).collect::<Vec<String>>(), "or")
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

fn joined(mut operands: Vec<Expr>, several: fn(Vec<Expr>) -> Expr) -> Expr {
    match operands.len() {
        1 => operands.remove(0),
        _ => several(operands),
    }
}
