//! One thing to monitor.

use super::super::{Failed, Parsed, Parser};
use crate::ast::{Aspect, Direction, Leaf, Of, Primitive};
use crate::lexer::Kind;
use crate::limits::LEAVES_MAX;
use crate::syntax::Uses;
use crate::vocabulary::{clauses, leaves_help, listed, nearest};
use aspect::Terms;
use select::{Language, Region};

/// What begins a leaf, besides the aspects.
const OTHER_LEAVES: [&str; 2] = ["new", "not"];

/// The words that stand after `text of` and `value of`.
const SELECTORS: [&str; 6] = ["css", "xpath", "jsonpath", "meta", "jsonld", "title"];

impl Parser<'_, '_> {
    pub(super) fn leaf(&mut self, uses: &mut Uses) -> Parsed<Leaf> {
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
    pub(super) fn what(&mut self, uses: &mut Uses) -> Parsed<(Primitive, Vec<Direction>)> {
        self.joint_too_many();
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
            let heads = Aspect::all().filter(|&aspect| takes_all(aspect)).map(Aspect::head);
            return Err(self.expected_among(&named(takes_all), heads, &leaves_help()));
        }
        let is_slip = nearest(self.slice(), first_words().chain(clauses())).is_some();
        if !is_slip && self.leaf_in_words(true) {
            return Err(Failed);
        }
        Err(self.expected_among("what to monitor", first_words(), &leaves_help()))
    }

    /// What is meant by a selector or a text alone, if one stands here.
    pub(super) fn leaf_meant(&mut self) -> bool {
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
        } else if self.is("json") && self.next_kind() == Kind::Quoted {
            self.instead(what, "text of jsonpath");
            self.advance();
        } else if self.is_any(&["change", "changes", "anything", "all", "page", "content"]) {
            let after = self.word_at(1);
            if after == "of" || after.starts_with(['<', '>', '=']) {
                let help = "only a number has a size: write `value of css \"…\" changes by 5 %`";
                self.expected(what, help);
                return true;
            }
            self.instead(what, "any change");
        } else {
            return false;
        }
        self.advance();
        true
    }

    /// The aspect that is written here, if any; after `all`, one that may stand there.
    pub(super) fn aspect(&mut self, all: bool) -> Parsed<Option<Aspect>> {
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
    pub(super) fn terms(&mut self, aspect: Aspect) -> Parsed<Vec<String>> {
        match aspect.row().terms {
            Terms::Except if self.take("except") => self.words(),
            Terms::None | Terms::Except | Terms::Pointed | Terms::Tests => Ok(Vec::new()),
            Terms::Words => self.words(),
            Terms::Phrases => self.phrases(),
        }
    }

    /// `of NAME`, if it is there.
    pub(super) fn of_source(&mut self, uses: &mut Uses) -> Parsed<Option<Of>> {
        if !self.take("of") {
            return Ok(None);
        }
        let name = self.name("the name of a source", "write `of NAME`")?;
        uses.of.push(name.clone());
        Ok(Some(Of { name: name.text, source: 0 }))
    }
}

/// The words that a leaf may begin with.
pub(in super::super) fn first_words() -> impl Iterator<Item = &'static str> {
    let forms = Aspect::all().flat_map(|aspect| aspect.row().written);
    let heads = Aspect::all().map(Aspect::head);
    forms.copied().chain(heads).map(|form| split(form).0).chain(OTHER_LEAVES)
}

/// Some aspects by their first words: `links`, `images` or `words`.
pub(in super::super) fn named(which: impl Fn(Aspect) -> bool) -> String {
    let heads = Aspect::all().filter(|&aspect| which(aspect)).map(Aspect::head);
    listed(&heads.map(|head| format!("`{head}`")).collect::<Vec<String>>(), "or")
}

/// The first word of a form, and the other if it has two.
fn split(form: &str) -> (&str, Option<&str>) {
    form.split_once(' ').map_or((form, None), |(first, second)| (first, Some(second)))
}

/// The entries of a feed.
fn items() -> Primitive {
    Primitive { region: Region::of(Language::Items, ""), ..Primitive::plain(Aspect::Items) }
}

/// Whether `all` may stand before it.
fn takes_all(aspect: Aspect) -> bool {
    aspect.row().written[0].starts_with("all ")
}
