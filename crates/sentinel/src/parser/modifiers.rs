//! What follows a leaf or a group: scopes, directions, `matching`, `ignoring`, `in`.

use super::monitor::named;
use super::{Failed, Parsed, Parser, meant, shortened};
use crate::ast::{Aspect, Direction, Expr, Leaf};
use crate::lexer::Kind;
use crate::limits::SCOPES_MAX;
use crate::place::Place;
use crate::syntax::{Name, Uses};
use crate::vocabulary::listed;
use aspect::Terms;
use select::{Language, Selector, Side};

const DIRECTIONS: [(&str, Direction); 4] = [
    ("added", Direction::Added),
    ("removed", Direction::Removed),
    ("updated", Direction::Updated),
    ("moved", Direction::Moved),
];

/// Directions in other words.
const DIRECTIONS_MEANT: [(&str, &str); 13] = [
    ("disappears", "removed"),
    ("vanishes", "removed"),
    ("vanished", "removed"),
    ("gone", "removed"),
    ("appears", "added"),
    ("changed", "updated"),
    ("modified", "updated"),
    ("edited", "updated"),
    ("deleted", "removed"),
    ("disappeared", "removed"),
    ("inserted", "added"),
    ("appeared", "added"),
    ("created", "added"),
];

/// What stands after a leaf or a group.
#[derive(Default)]
pub(super) struct Modifiers {
    scopes: Vec<(Side, Selector)>,
    directions: Vec<Direction>,
    /// Where `moved` stands.
    pub(super) moved: Option<Place>,
    matching: Option<Name>,
    ignoring: Option<Name>,
    language: Option<Name>,
    /// All of them.
    place: Place,
}

impl Parser<'_, '_> {
    pub(super) fn modifiers(&mut self, uses: &mut Uses) -> Parsed<Modifiers> {
        let start = self.place();
        let mut modifiers = Modifiers::default();
        loop {
            let place = self.place();
            if let Some(direction) = self.direction() {
                modifiers.directions.push(direction);
                if direction == Direction::Moved {
                    modifiers.moved = Some(place);
                }
            } else if self.direction_in_words(!modifiers.directions.is_empty()) {
                continue;
            } else if self.left_out() || self.match_in_words() {
                return Err(Failed);
            } else if self.is("inside") || self.is("outside") {
                let side = if self.is("inside") { Side::Inside } else { Side::Outside };
                self.advance();
                let what = "`css`, `xpath` or `jsonpath`";
                let language = self.selector_language(what, Language::is_scope)?;
                modifiers.scopes.push((side, self.selector(language, uses)?));
            } else if self.take("matching") {
                let pattern = self.once("matching", place, modifiers.matching.is_some())?;
                uses.patterns.push(pattern.clone());
                modifiers.matching = Some(pattern);
            } else if self.take("ignoring") {
                let pattern = self.once("ignoring", place, modifiers.ignoring.is_some())?;
                uses.patterns.push(pattern.clone());
                modifiers.ignoring = Some(pattern);
            } else if self.take("in") {
                let is_twice = modifiers.language.is_some();
                let language = self.language(place, is_twice)?;
                uses.languages.push(language.clone());
                modifiers.language = Some(language);
            } else {
                modifiers.place = self.since(start);
                return Ok(modifiers);
            }
        }
    }

    /// The word before a direction in `links are added`, `added or removed`: it is left out.
    fn direction_in_words(&mut self, is_second: bool) -> bool {
        let next = self.word_at(1);
        let is_direction = DIRECTIONS.iter().any(|(word, _)| *word == next);
        let is_verb = self.is_any(&["are", "is", "were", "was", "get", "got", "be", "have"]);
        let is_meant = is_direction && (is_verb || is_second && self.is_any(&["or", "and"]));
        if is_meant {
            let message = format!("no `{}` stands before `{next}`", self.slice());
            self.leave_out(self.place(), &message, "leave it out: `links added removed`");
            self.advance();
        }
        is_meant
    }

    fn direction(&mut self) -> Option<Direction> {
        let meant =
            meant::of(&DIRECTIONS_MEANT, self.slice()).filter(|_| self.kind() == Kind::Word);
        if let Some(right) = meant {
            self.instead("`added`, `removed`, `updated` or `moved`", right);
            self.advance();
            return DIRECTIONS.iter().find(|(word, _)| *word == right).map(|(_, found)| *found);
        }
        let found = DIRECTIONS.iter().find(|(word, _)| self.is(word))?.1;
        self.advance();
        Some(found)
    }

    /// The text of a modifier that stands once.
    fn once(&mut self, word: &str, place: Place, is_twice: bool) -> Parsed<Name> {
        let text = self.quoted()?;
        self.refuse_second(word, self.since(place), is_twice);
        Ok(text)
    }

    fn refuse_second(&mut self, word: &str, place: Place, is_twice: bool) {
        if is_twice {
            let message = format!("`{word}` stands here for the second time");
            let help = match word {
                "in" => "leave one of the two out",
                _ => "leave one of the two out, or write both in one: `\"this|that\"`",
            };
            self.sink.syntax(place, message, help);
        }
    }

    /// `de`, `de-CH`, after `in`.
    fn language(&mut self, place: Place, is_twice: bool) -> Parsed<Name> {
        let help = "write the language of the numbers by its code: `in de`, `in en-GB`";
        let slice = self.slice();
        let mut parts = slice.split('-');
        let main = parts.next().unwrap_or_default();
        let is_main = matches!(main.len(), 2 | 3) && main.bytes().all(|b| b.is_ascii_alphabetic());
        let is_part = |part: &str| {
            matches!(part.len(), 2..=8) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        if self.in_source() || self.language_meant() {
            return Err(Failed);
        }
        if self.kind() != Kind::Word || !is_main || !parts.all(is_part) || slice.len() > 35 {
            return Err(self.expected("a language", help));
        }
        let name = Name { text: slice.to_lowercase(), place: self.place() };
        self.advance();
        self.refuse_second("in", self.since(place), is_twice);
        Ok(name)
    }

    /// The word of a kind of selector.
    pub(super) fn selector_language(
        &mut self,
        what: &str,
        may: impl Fn(Language) -> bool,
    ) -> Parsed<Language> {
        let written = Language::ALL.into_iter().filter(|&one| one != Language::Items && may(one));
        let written: Vec<Language> = written.collect();
        let found = written.iter().copied().find(|language| self.is(language.word()));
        if let Some(language) = found {
            self.advance();
            return Ok(language);
        }
        let what = if written.len() > 3 { "a selector" } else { what };
        let named =
            [("json", "jsonpath"), ("selector", "css"), ("element", "css"), ("path", "xpath")];
        if let Some(right) = meant::of(&named, self.slice()).filter(|_| self.kind() == Kind::Word)
            && let Some(found) = written.iter().copied().find(|language| language.word() == right)
        {
            self.instead(what, right);
            self.advance();
            return Ok(found);
        }
        if self.kind() == Kind::Quoted {
            let help = format!("say what kind it is: `css {}`", shortened(self.slice()));
            let message = format!("expected {what}, found `{}`", shortened(self.slice()));
            let right = format!("css {}", self.slice());
            self.cure_with(self.place(), &message, &help, &right);
            return Ok(Language::Css);
        }
        let forms = written.iter().map(|language| {
            if language.has_text() {
                format!("`{} \"…\"`", language.word())
            } else {
                format!("`{}`", language.word())
            }
        });
        let help = format!("write {}", listed(&forms.collect::<Vec<String>>(), "or"));
        let words = written.iter().map(|language| language.word());
        Err(self.expected_among(what, words, &help))
    }

    /// The text of a selector.
    pub(super) fn selector(&mut self, language: Language, uses: &mut Uses) -> Parsed<Selector> {
        if !language.has_text() {
            return Ok(Selector { language, text: "".into() });
        }
        let text = self.quoted()?;
        let next = self.place();
        let is_glued = next.start == text.place.end && !self.at_test();
        if is_glued && matches!(self.kind(), Kind::Word | Kind::Quoted) {
            let help =
                "inside the quotes write single ones: `xpath \"//*[@id='main']\"`, or `\\\"`";
            return Err(self.expected("the end of the selector", help));
        }
        self.further_selectors(language, text.place);
        let selector = Selector { language, text: text.text.into() };
        uses.selectors.push((selector.clone(), text.place));
        Ok(selector)
    }

    /// Adds modifiers to a leaf.
    pub(super) fn modify(&mut self, leaf: &mut Leaf, modifiers: &Modifiers) {
        self.modify_in_group(leaf, modifiers);
        if let Some(language) = &modifiers.language
            && leaf.primitive.aspect.row().terms != Terms::Tests
        {
            self.refuse_language(language);
        }
    }

    /// Adds modifiers to each leaf of a group; `in` to its values.
    pub(super) fn modify_group(&mut self, expr: &mut Expr, modifiers: &Modifiers) {
        let mut values = 0;
        each_leaf(expr, &mut |leaf| {
            values += usize::from(leaf.primitive.aspect.row().terms == Terms::Tests);
            self.modify_in_group(leaf, modifiers);
        });
        if let Some(language) = modifiers.language.as_ref().filter(|_| values == 0) {
            self.refuse_language(language);
        }
    }

    fn refuse_language(&mut self, language: &Name) {
        let help = "leave it out: only numbers are read in a language, as in `value of … in de`";
        let place = language.place;
        let before = self.text[..place.start].trim_end();
        let start =
            before.get(..before.len() - "in".len()).map_or(place.start, |it| it.trim_end().len());
        let cure = crate::Cure { start, end: place.end, text: String::new() };
        self.sink.curable(place, "`in` belongs to `value of`", help, cure);
    }

    /// How a page answers is no part of it.
    fn check_status(&mut self, leaf: &Leaf, modifiers: &Modifiers) {
        if leaf.primitive.aspect != Aspect::Status {
            return;
        }
        let message = if !modifiers.scopes.is_empty() {
            "`inside` and `outside` bound what a page shows, and `status` is how it answers"
        } else if modifiers.ignoring.is_some() {
            "`ignoring` takes away what a page shows, and `status` is how it answers"
        } else if !modifiers.directions.is_empty() {
            "a status is neither added nor removed, nor does it move"
        } else {
            return;
        };
        let help = "leave it out; `status matching \"down\"` keeps what you name";
        self.sink.syntax(modifiers.place, message, help);
    }

    fn modify_in_group(&mut self, leaf: &mut Leaf, modifiers: &Modifiers) {
        self.check_status(leaf, modifiers);
        let region = &mut leaf.primitive.region;
        for (side, selector) in &modifiers.scopes {
            region.bound(*side, selector.clone());
        }
        if region.scopes().len() > SCOPES_MAX {
            let message = format!("a leaf may have {SCOPES_MAX} scopes; here are more");
            let help = "write several places as one: `outside css \".ad, nav, footer\"`";
            self.sink.syntax(modifiers.place, message, help);
        }
        leaf.directions.extend(&modifiers.directions);
        for (word, own, more) in [
            ("matching", leaf.matching.is_some(), &modifiers.matching),
            ("ignoring", region.ignoring.is_some(), &modifiers.ignoring),
        ] {
            if let Some(more) = more {
                self.refuse_second(word, more.place, own);
            }
        }
        if let Some(pattern) = &modifiers.matching {
            leaf.matching = Some(pattern.text.clone());
        }
        let region = &mut leaf.primitive.region;
        if let Some(pattern) = &modifiers.ignoring {
            region.ignoring = Some(pattern.text.as_str().into());
        }
        if let Some(language) = &modifiers.language
            && leaf.primitive.aspect.row().terms == Terms::Tests
        {
            if region.language.is_some() {
                self.refuse_second("in", language.place, true);
            }
            leaf.primitive.region.language = Some(language.text.as_str().into());
        }
    }

    /// Warns of `moved` after leaves whose things never move, wherever it stands.
    pub(super) fn warn_of_directions(&mut self, expr: &mut Expr, uses: &Uses) {
        let mut places = uses.moved.iter();
        each_leaf(expr, &mut |leaf| {
            let is_all =
                DIRECTIONS.iter().all(|(_, direction)| leaf.directions.contains(direction));
            let moves = leaf.primitive.aspect.row().moves;
            if let Some(place) = places.next().copied().flatten().filter(|_| !moves && !is_all) {
                let moving = named(|aspect| aspect.row().moves);
                let help = format!("only the blocks of {moving} move; leave `moved` out");
                let head = leaf.primitive.aspect.head();
                self.sink.warn(place, format!("`moved` never happens to `{head}`"), &help);
            }
        });
    }
}

/// Shows each leaf, in order; as deep as parentheses may be nested.
fn each_leaf(expr: &mut Expr, see: &mut dyn FnMut(&mut Leaf)) {
    match expr {
        Expr::Leaf(leaf) => see(leaf),
        Expr::Not(operand) => each_leaf(operand, see),
        Expr::And(operands) | Expr::Or(operands) => {
            operands.iter_mut().for_each(|operand| each_leaf(operand, see));
        }
    }
}
