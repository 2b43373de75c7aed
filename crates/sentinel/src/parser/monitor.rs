//! `monitor`: conditions on changes.

use super::{Failed, Parsed, Parser, shortened};
use crate::Cure;
use crate::ast::{Aspect, Direction, Expr, Leaf, Of, Primitive};
use crate::lexer::{Kind, inside_foreign};
use crate::limits::{LEAVES_MAX, NESTING_MAX, WORD_CHARS_MAX, WORDS_PER_LEAF_MAX};
use crate::syntax::{ClauseKind, Uses};
use crate::vocabulary::{clauses, is_hidden, is_plain_name, leaves_help, listed, nearest};
use aspect::Terms;
use select::{Language, Region};
use unicode_segmentation::UnicodeSegmentation;

/// What begins a leaf, besides the aspects.
const OTHER_LEAVES: [&str; 2] = ["new", "not"];

/// The words that stand after `text of` and `value of`.
const SELECTORS: [&str; 6] = ["css", "xpath", "jsonpath", "meta", "jsonld", "title"];

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
        (self.depth, self.leaves, self.tested) = (0, 0, None);
        let mut uses = Uses::default();
        let mut expr = self.or(&mut uses)?;
        let is_leaf = first_words().any(|word| self.next_slice().eq_ignore_ascii_case(word));
        if !is_leaf && self.not_a_word() {
            return Err(Failed);
        }
        if self.kind() == Kind::Open || first_words().any(|word| self.is(word)) {
            let (help, missing) = match self.is("not") {
                true => ("write `and` before it", " and"),
                false => ("write `or` before it, or `and`", " or"),
            };
            self.expected_here("`and`, `or` or the next clause", help, missing);
            return Err(Failed);
        }
        if self.kind() == Kind::Comma && self.is_clause_word(self.next_slice()) {
            return Ok(ClauseKind::Monitor { expr, uses });
        }
        if self.kind() == Kind::Comma {
            let negates = self.next_is_any(&["not"]);
            let help = "write `or` instead of the comma, or `and`";
            let message = "conditions are joined by `and` and `or` alone";
            let right = if negates { " and" } else { " or" };
            self.cure_with(self.place(), message, help, right);
            return Err(Failed);
        }
        if self.kind() == Kind::Close {
            let message = "expected the next clause, found `)`";
            self.leave_out(self.place(), message, "this `)` closes nothing; remove it");
            return Err(Failed);
        }
        if let (Some(of), Some(place)) = (uses.of.first(), uses.of_none) {
            let message = "this part does not say of which source, and others do";
            let name = crate::print::name(&of.text);
            let help = format!("write `of {name}` after it, or `of` after no part at all");
            let cure = Cure { start: place.end, end: place.end, text: format!(" of {name}") };
            self.sink.value_with(place, message.to_owned(), &help, cure);
        }
        self.warn_of_directions(&mut expr, &uses);
        Ok(ClauseKind::Monitor { expr, uses })
    }

    fn or(&mut self, uses: &mut Uses) -> Parsed<Expr> {
        let first = self.and(uses)?;
        let mut operands = vec![first];
        while self.joint("or") {
            if self.clause_after_joint() {
                break;
            }
            operands.push(self.and(uses)?);
        }
        Ok(joined(operands, Expr::Or))
    }

    fn and(&mut self, uses: &mut Uses) -> Parsed<Expr> {
        let start = self.place();
        let first = self.not(uses)?;
        let mut operands = vec![first];
        while self.joint("and") {
            if self.clause_after_joint() {
                break;
            }
            operands.push(self.not(uses)?);
        }
        if operands.len() > 1 && operands.iter().any(Expr::asks_for_status) {
            let message = "`status` stands under `and`, and never holds with anything else";
            let help = "write `or`, or a sentinel of its own: it tells how a page answers, and \
                        not what it shows";
            self.sink.value(self.since(start), message, help);
        }
        Ok(joined(operands, Expr::And))
    }

    /// A clause after `and` or `or`, which join conditions alone.
    fn clause_after_joint(&mut self) -> bool {
        let is_clause = self.at_clause();
        if is_clause {
            let joint = self.tokens[self.at - 1].place;
            let message = format!("`{}` joins conditions, and no clauses", self.text_at(joint));
            self.leave_out(joint, &message, "leave it out: clauses follow each other");
        }
        is_clause
    }

    fn not(&mut self, uses: &mut Uses) -> Parsed<Expr> {
        if !self.take("not") {
            return self.primitive(uses);
        }
        if self.is("not") {
            return Err(self.expected("what to monitor", "write `not` once, or not at all"));
        }
        let start = self.place();
        let operand = self.primitive(uses)?;
        if operand.asks_for_status() {
            let message = "`status` stands under `not`, which would hold at each change";
            let help = "leave `not status` out: what a page shows tells nothing of how it answers";
            self.sink.value(self.since(start), message, help);
        }
        Ok(Expr::Not(Box::new(operand)))
    }

    fn primitive(&mut self, uses: &mut Uses) -> Parsed<Expr> {
        if self.kind() != Kind::Open {
            return self.leaf(uses).map(Expr::Leaf);
        }
        if self.depth == NESTING_MAX {
            let message = format!("parentheses are nested deeper than {NESTING_MAX}");
            self.sink.syntax(self.place(), message, "split the condition over several sentinels");
            return Err(Failed);
        }
        self.advance();
        self.depth += 1;
        let first_leaf = uses.moved.len();
        let mut inside = self.or(uses)?;
        while matches!(self.kind(), Kind::Semicolon | Kind::Comma) {
            let message = "conditions are joined by `and` and `or` alone";
            self.cure(self.place(), message, " or ");
            self.advance();
            inside = joined(vec![inside, self.or(uses)?], Expr::Or);
        }
        if !self.take_kind(Kind::Close) {
            let is_end = self.at_clause() || self.at_new_statement();
            let (what, help) = ("`)`, `and` or `or`", "close the parenthesis with `)`");
            if !is_end {
                return Err(self.expected(what, help));
            }
            self.expected_here(what, help, ")");
        }
        self.depth -= 1;
        let modifiers = self.modifiers(uses)?;
        self.modify_group(&mut inside, &modifiers);
        for place in &mut uses.moved[first_leaf..] {
            *place = place.or(modifiers.moved);
        }
        Ok(inside)
    }

    fn leaf(&mut self, uses: &mut Uses) -> Parsed<Leaf> {
        self.leaves += 1;
        if self.leaves > LEAVES_MAX {
            let message = format!("a condition may have {LEAVES_MAX} parts; more follow");
            self.sink.syntax(self.place(), message, "split it over several sentinels");
            return Err(Failed);
        }
        let start = self.place();
        if let Some(tested) = self.tested.filter(|_| self.at_test()) {
            let test = self.place();
            self.test()?;
            let test = self.since(test);
            let right = format!("{} {}", self.text_at(tested), self.text_at(test));
            self.cure(test, "a test stands after its value, also the second time", &right);
            return Ok(Leaf {
                primitive: Primitive::plain(Aspect::Any),
                of: None,
                directions: Vec::new(),
                matching: None,
            });
        }
        let (mut primitive, directions) = self.what(uses)?;
        if primitive.aspect == Aspect::Status {
            self.status_in_words();
        }
        let of = self.of_source(uses)?;
        if of.is_none() {
            uses.of_none.get_or_insert(self.since(start));
        }
        if primitive.aspect.row().terms == Terms::Tests {
            self.tested = Some(self.since(start));
            if self.range_meant(self.since(start))? {
                return Err(Failed);
            }
            let test = self.place();
            primitive.terms.extend(self.test()?);
            if self.of_moved(test)? {
                return Err(Failed);
            }
        }
        if primitive.aspect.row().terms != Terms::Tests && self.at_test() {
            let help = "only a number can be tested: write `value of css \"…\" < 40`";
            return Err(self.expected("`and`, `or` or the next clause", help));
        }
        let after = self.place();
        let modifiers = self.modifiers(uses)?;
        if self.of_moved(after)? {
            return Err(Failed);
        }
        let mut leaf = Leaf { primitive, of, directions, matching: None };
        self.modify(&mut leaf, &modifiers);
        uses.moved.push(modifiers.moved);
        Ok(leaf)
    }

    /// The aspect of a leaf with all that is part of it, and `added` where `new` says so.
    fn what(&mut self, uses: &mut Uses) -> Parsed<(Primitive, Vec<Direction>)> {
        if self.leaf_phrase() {
            return Err(Failed);
        }
        if let Some(failed) = self.scope_first() {
            return Err(failed);
        }
        let all = self.take("all");
        if !all && self.take("new") {
            self.expect("items", "write `new items`")?;
            return Ok((items(), vec![Direction::Added]));
        }
        if self.leaf_in_words(false) {
            return Err(Failed);
        }
        if let Some(aspect) = self.aspect(all)? {
            let mut primitive =
                Primitive { terms: self.terms(aspect)?, ..Primitive::plain(aspect) };
            if aspect == Aspect::Items {
                primitive = items();
            } else if aspect.row().terms.is_pointed() {
                let language = self.selector_language("`css`, `xpath` or `jsonpath`", |_| true)?;
                primitive.region.selector = Some(self.selector(language, uses)?);
            }
            return Ok((primitive, Vec::new()));
        }
        if self.leaf_meant() || self.selector_alone() {
            return Err(Failed);
        }
        if all {
            return Err(self.expected(&named(takes_all), &leaves_help()));
        }
        let is_slip = nearest(self.slice(), first_words().chain(clauses())).is_some();
        if !is_slip && self.leaf_in_words(true) {
            return Err(Failed);
        }
        Err(self.expected_among("what to monitor", first_words(), &leaves_help()))
    }

    /// What is meant by a selector or a text alone, if one stands here.
    fn leaf_meant(&mut self) -> bool {
        let what = "what to monitor";
        let negated = self.slice().strip_prefix('!').unwrap_or_default();
        if first_words().any(|word| negated.eq_ignore_ascii_case(word)) {
            self.instead(what, &format!("not {negated}"));
        } else if SELECTORS.iter().any(|word| self.is(word)) {
            let message = format!("expected {what}, found `{}`", self.slice());
            let help = format!("write `text of {0}` or `value of {0}`", self.slice());
            let right = format!("text of {}", self.slice());
            let named = ["selector", "path", "query", "expression"];
            let is_named = named.contains(&&*self.word_at(1));
            if is_named && self.tokens.get(self.at + 2).is_some_and(|it| it.kind == Kind::Quoted) {
                self.take_as(2, what, &right);
                self.advance();
                return true;
            }
            let after = self.word_at(2);
            let is_tested = after.starts_with(['<', '>', '=']) || self.comparison_at(2).is_some();
            let head = if is_tested || after == "changes" { "value" } else { "text" };
            let right = format!("{head} of {}", self.slice());
            let is_text = self.next_slice().starts_with(['.', '#', '/', '$', '[']);
            if self.next_kind() == Kind::Word && is_text {
                let right = format!("{right} {}", crate::print::string(self.next_slice()));
                self.take_as(2, what, &right);
                return true;
            }
            self.cure_with(self.place(), &message, &help, &right);
        } else if self.kind() == Kind::Quoted && crate::lexer::is_closed(self.slice()) {
            self.insert(what, "phrase ");
        } else if self.is_any(&["change", "changes", "anything", "all", "page", "content"]) {
            self.instead(what, "any change");
        } else {
            return false;
        }
        self.advance();
        true
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
                    if second == "of" && SELECTORS.iter().any(|word| self.is(word)) {
                        let message = format!("expected `of`, found `{}`", self.slice());
                        let right = format!("of {}", self.slice());
                        let help = format!("write `{first} {right}`");
                        self.cure_with(self.place(), &message, &help, &right);
                        return Ok(Some(aspect));
                    }
                    if first == "value" && self.value_of_nothing() {
                        return Err(Failed);
                    }
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
            Terms::None | Terms::Except | Terms::Pointed | Terms::Tests => Ok(Vec::new()),
            Terms::Words => self.words(),
            Terms::Phrases => self.phrases(),
        }
    }

    /// `of NAME`, if it is there.
    fn of_source(&mut self, uses: &mut Uses) -> Parsed<Option<Of>> {
        if !self.take("of") {
            return Ok(None);
        }
        let name = self.name("the name of a source", "write `of NAME`")?;
        uses.of.push(name.clone());
        Ok(Some(Of { name: name.text, source: 0 }))
    }

    /// After `except`, `keyword` and each comma any word is a word.
    fn words(&mut self) -> Parsed<Vec<String>> {
        if self.quoted_words() {
            return Err(Failed);
        }
        let mut words = Vec::new();
        loop {
            let (place, slice) = (self.place(), self.slice());
            if self.at_text() {
                let inside = inside_foreign(slice).to_owned();
                let help = "a single word stands without quotes; for several write `phrase \"…\"`";
                if not_one_word(&inside).is_some() {
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
                self.sink.syntax(place, message, &help);
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
            if !self.take_kind(Kind::Comma) {
                return Ok(words);
            }
        }
    }

    fn phrases(&mut self) -> Parsed<Vec<String>> {
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
    fn phrase_without_quotes(&mut self) -> Failed {
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

/// The entries of a feed.
fn items() -> Primitive {
    Primitive { region: Region::of(Language::Items, ""), ..Primitive::plain(Aspect::Items) }
}

/// Whether `all` may stand before it.
fn takes_all(aspect: Aspect) -> bool {
    aspect.row().written[0].starts_with("all ")
}

/// Some aspects by their first words: `links`, `images` or `words`.
pub(super) fn named(which: impl Fn(Aspect) -> bool) -> String {
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
