//! What must hold for a rule to act.

use super::super::value_test::INSTEAD;
use super::super::{Failed, Parsed, Parser, meant};
use crate::lexer::{Kind, inside_foreign};
use crate::place::Place;
use crate::syntax::rule::Condition;
use crate::syntax::{Clock, Name};
use crate::vocabulary::is_plain_name;
use aspect::Operator;

const CONDITION_HELP: &str = "write `count >= 3`, `text matches \"…\"`, `value < 40`, \
                              `time between 08:00 and 22:00` or `enabled(NAME)`, joined by `and`, \
                              `or`, `not` and parentheses";

impl Parser<'_, '_> {
    pub(super) fn condition(&mut self) -> Parsed<Condition> {
        let mut all = vec![self.condition_and()?];
        while self.joint("or") {
            all.push(self.condition_and()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Condition::Or(all) })
    }

    fn condition_and(&mut self) -> Parsed<Condition> {
        let mut all = vec![self.condition_not()?];
        while self.joint("and") {
            all.push(self.condition_not()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Condition::And(all) })
    }

    fn condition_not(&mut self) -> Parsed<Condition> {
        if self.take("not") {
            Ok(Condition::Not(Box::new(self.condition_plain()?)))
        } else {
            self.condition_plain()
        }
    }

    fn condition_plain(&mut self) -> Parsed<Condition> {
        self.part()?;
        if self.kind() == Kind::Open {
            self.deeper()?;
            self.advance();
            let inside = self.condition()?;
            self.depth -= 1;
            if !self.take_kind(Kind::Close) {
                return Err(self.expected("`)`, `and` or `or`", "close the parenthesis with `)`"));
            }
            return Ok(inside);
        }
        let start = self.place();
        let start = Place::new(start.start, start.start + self.slice().len().min("count".len()));
        if let Some(tested) = self.tested.filter(|_| self.at_test()) {
            let comparison = self.comparison("value < 40")?;
            let number = self.plain_number(comparison)?;
            let test = Place::new(start.start, self.end_of_last);
            let word = self.text_at(tested).trim_matches(|c: char| !c.is_alphabetic());
            let right = format!("{word} {}", self.text_at(test));
            self.cure(test, "a comparison says what it compares, also the second time", &right);
            return Ok(number);
        }
        if self.take_word_before_sign("count") {
            self.tested = Some(start);
            let comparison = self.comparison("count >= 3")?;
            return self.count(comparison);
        }
        if self.take_word_before_sign("value") {
            self.tested = Some(start);
            if let Some(condition) = self.value_between() {
                return Ok(condition);
            }
            let comparison = self.comparison("value < 40")?;
            return self.plain_number(comparison);
        }
        if let Some(condition) = self.condition_in_words() {
            return Ok(condition);
        }
        if let Some(text) = self.matches_alone() {
            return Ok(Condition::TextMatches(text));
        }
        if self.take("text") {
            return self.text_matches();
        }
        if let Some(condition) = self.time_between()? {
            return Ok(condition);
        }
        if self.take("enabled") {
            return self.name_in_parentheses("enabled").map(Condition::Enabled);
        }
        if self.next_kind() == Kind::Open && self.is_any(&["disabled", "active"]) {
            let right = if self.is("active") { "enabled" } else { "not enabled" };
            self.instead("a condition", right);
            self.advance();
            return self.name_in_parentheses("enabled").map(Condition::Enabled);
        }
        let words = ["count", "text", "value", "time", "enabled"];
        Err(self.expected_among("a condition", words, CONDITION_HELP))
    }

    /// `time between …`, if it stands here.
    fn time_between(&mut self) -> Parsed<Option<Condition>> {
        if self.is("between") && meant::clock(self.next_slice()).is_some() {
            self.insert("a condition", "time ");
        } else if !self.take("time") {
            return Ok(None);
        }
        let help = "write `time between 08:00 and 22:00`";
        self.expect("between", help)?;
        if let Some(condition) = self.hours_in_words() {
            return Ok(Some(condition));
        }
        let from = self.time_of_day(help)?;
        self.expect("and", help)?;
        let place = self.place();
        let to = self.time_of_day(help)?;
        if from.time.is_some() && from.time == to.time {
            let message = "no time of day is between these";
            self.sink.value(place, message, "write two different times of day");
        }
        Ok(Some(Condition::TimeBetween(from, to)))
    }

    /// What follows `count >=`.
    fn count(&mut self, comparison: Operator) -> Parsed<Condition> {
        let (count, _) = self.int("write a whole number: `count >= 3`")?;
        if self.is("times") {
            let message = "no `times` stands after a count";
            self.leave_out(self.place(), message, "leave it out");
            self.advance();
        }
        Ok(Condition::Count(comparison, count))
    }

    /// What follows `text`.
    fn text_matches(&mut self) -> Parsed<Condition> {
        if let Some(text) = self.text_contains()? {
            return Ok(text);
        }
        if self.at_text() {
            self.insert("`matches`", "matches ");
        } else {
            self.expect("matches", "write `text matches \"…\"`")?;
        }
        if !self.at_text() {
            if let Some(failed) = self.text_without_quotes() {
                return Err(failed);
            }
            return Err(self.expected("a regular expression in quotes", "write `\"…\"`"));
        }
        self.quoted().map(Condition::TextMatches)
    }

    /// `contains "x"` after `text`, as the regular expression that finds it.
    fn text_contains(&mut self) -> Parsed<Option<Condition>> {
        let start = self.place();
        let is_meant = self.is_any(&["contains", "has", "includes", "like", "~", "=~", "="]);
        if !is_meant {
            return Ok(None);
        }
        let is_plain = self.is_any(&["contains", "has", "includes"]);
        let word = self.word_at(1);
        if is_plain && is_plain_name(&word) {
            self.take_as(2, "`matches`", &format!("matches \"{word}\""));
            return Ok(Some(Condition::TextMatches(Name { text: word, place: start })));
        }
        if !matches!(self.next_kind(), Kind::Quoted | Kind::Foreign) {
            self.instead("`matches`", "matches");
            self.advance();
            let text = if self.at_text() { self.quoted()? } else { return Err(Failed) };
            return Ok(Some(Condition::TextMatches(text)));
        }
        let message = format!("expected `matches`, found `{}`", self.slice());
        self.advance();
        let place = self.place();
        let mut text = match self.kind() {
            Kind::Foreign => {
                let text = inside_foreign(self.slice()).to_owned();
                self.advance();
                Name { text, place }
            }
            _ => self.quoted()?,
        };
        if is_plain {
            text.text = regex::escape(&text.text);
        }
        let right = format!("matches {}", crate::print::string(&text.text));
        self.cure(self.since(start), &message, &right);
        Ok(Some(Condition::TextMatches(text)))
    }

    /// Takes `count` of `count>=3`, too.
    fn take_word_before_sign(&mut self, word: &str) -> bool {
        let slice = self.slice();
        let begins = self.kind() == Kind::Word
            && slice.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word))
            && slice[word.len()..].chars().next().is_none_or(|c| "<>=!".contains(c));
        if begins {
            self.take_prefix(word.len());
        }
        begins
    }

    fn comparison(&mut self, example: &str) -> Parsed<Operator> {
        let slice = if self.kind() == Kind::Word { self.slice() } else { "" };
        if let Some((wrong, right)) = INSTEAD.iter().find(|(wrong, _)| slice.starts_with(wrong)) {
            let (written, place) = self.take_prefix(wrong.len());
            self.cure(place, &format!("expected a comparison, found `{written}`"), right);
            return Ok(Operator::begins(right).map_or(Operator::Equal, |(_, found)| found));
        }
        if let Some(operator) = self.comparison_in_words() {
            return Ok(operator);
        }
        if let Some((sign, operator)) = Operator::begins(slice) {
            self.take_prefix(sign.len());
            return Ok(operator);
        }
        Err(self.expected("`<`, `<=`, `>`, `>=`, `=` or `!=`", &format!("write `{example}`")))
    }

    fn plain_number(&mut self, comparison: Operator) -> Parsed<Condition> {
        let slice = self.slice();
        let digits = slice.strip_prefix('-').unwrap_or(slice);
        let is_number = !digits.is_empty()
            && digits.split('.').count() <= 2
            && digits
                .split('.')
                .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
        let value = slice.parse::<f64>().ok().filter(|_| is_number && slice.len() <= 20);
        let Some(value) = value.filter(|_| self.kind() == Kind::Word) else {
            let help = "write a number such as `40` or `-0.5`, without a currency";
            return Err(self.expected("a number", help));
        };
        self.advance();
        let unit = self.slice();
        let is_unit = unit == "%"
            || unit == "€"
            || unit.len() == 3 && unit.bytes().all(|b| b.is_ascii_uppercase());
        if self.kind() == Kind::Word && is_unit {
            let message = format!("expected the next condition or clause, found `{unit}`");
            let help = "write the number alone: it is compared in the unit of the sentinel's value";
            self.leave_out(self.place(), &message, help);
            self.advance();
        }
        Ok(Condition::Value(comparison, value))
    }

    fn time_of_day(&mut self, help: &str) -> Parsed<Clock> {
        match self.clock()? {
            Some(clock) => Ok(clock),
            None => Err(self.expected("a time of day", help)),
        }
    }
}
