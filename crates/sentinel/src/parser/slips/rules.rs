//! What people write of events, conditions and the clauses of rules.

use super::super::meant::{self, clock};
use super::super::{Failed, Parsed, Parser, shortened};
use crate::ast::rule::HappeningKind;
use crate::lexer::Kind;
use crate::place::Place;
use crate::syntax::Clock;
use crate::syntax::rule::{Condition, Event};
use crate::vocabulary::nearest;
use aspect::Operator;

/// A day that no rule outlives.
pub(in super::super) const FAR_AHEAD: &str = "2100-01-01";

/// The most often that `count(a) >= 3` is written out.
const TIMES_MAX: usize = 20;

impl Parser<'_, '_> {
    /// At the end of the event: another clause of the rule, or its actions.
    pub(in super::super) fn at_end_of_event(&self) -> bool {
        let ends = ["do", "when", "in", "within", "priority", "coupling"];
        self.kind() == Kind::Word && self.is_any(&ends)
    }

    /// `not (b) within 1 week`, `not (b) after a`: the interval is written out.
    pub(in super::super) fn absence_without_between(
        &mut self,
        start: Place,
        inside: &Event,
    ) -> Parsed<bool> {
        let Event::Happening(..) = inside else { return Ok(false) };
        let written = self.text_at(self.since(start)).to_owned();
        let of = written.strip_prefix("not").unwrap_or_default().trim();
        let name = of.trim_matches(['(', ')']).trim().to_owned();
        let (opens, span) = if self.is_any(&["for", "within", "since"])
            && self.next_slice().starts_with(|c: char| c.is_ascii_digit())
        {
            self.advance();
            let span = self.place();
            self.duration()?;
            (name, self.text_at(self.since(span)).to_owned())
        } else if self.is("after") {
            self.advance();
            let opens = self.place();
            self.event_plain()?;
            let opens = self.text_at(self.since(opens)).to_owned();
            let is_bound = self.is("within") && self.take("within");
            let span = self.place();
            if is_bound {
                self.duration()?;
            }
            let written = self.text_at(self.since(span)).to_owned();
            (opens, if is_bound { written } else { "1 hour".to_owned() })
        } else {
            return Ok(false);
        };
        let right = format!("not {of} between {opens} and {opens} + {span}");
        let message = "what does not happen needs an interval";
        self.cure(self.since(start), message, &right);
        Ok(true)
    }

    /// `each a` and `all a` without an interval: the event alone.
    pub(in super::super) fn each_alone(&mut self, start: Place) -> bool {
        if !self.at_end_of_event() {
            return false;
        }
        let word = self.text_at(start).to_lowercase();
        let rest = self.text[start.end..self.end_of_last].trim().to_owned();
        let message = format!("`{word}` belongs to an interval, and none follows");
        let help = format!(
            "write `{rest}`, which is heard each time, or `{word} {rest} between EVENT and EVENT`"
        );
        self.cure_with(self.since(start), &message, &help, &rest);
        true
    }

    /// `from a to b` for `between a and b`.
    pub(in super::super) fn interval_meant(&mut self) -> Parsed<bool> {
        let start = self.place();
        let is_from = self.is("from") && matches!(&*self.word_at(2), "to" | "until");
        let (Some(opens), Some(closes)) = (self.name_at(1), self.name_at(3)) else {
            return Ok(false);
        };
        if !is_from {
            return Ok(false);
        }
        let right = format!("between {opens} and {closes}");
        (0..4).for_each(|_| self.advance());
        let place = self.since(start);
        let message = format!("expected `between`, found `{}`", self.text_at(place));
        self.cure(place, &message, &right);
        Ok(true)
    }

    /// `every 1 hour after a`: until a day that no rule outlives.
    pub(in super::super) fn ticks_after(&mut self) -> Parsed<bool> {
        if !self.is_any(&["after", "since", "from"]) {
            return Ok(false);
        }
        let start = self.place();
        self.advance();
        let opens = self.place();
        self.event_plain()?;
        let opens = self.text_at(self.since(opens)).to_owned();
        let place = self.since(start);
        let message = format!("expected `between`, found `{}`", self.text_at(place));
        let right = format!("between {opens} and at {FAR_AHEAD}");
        let help = format!("write `{right}`, or another event at which the ticks end");
        self.cure_with(place, &message, &help, &right);
        Ok(true)
    }

    /// `count(a) >= 3` as an event: one after the other.
    pub(in super::super) fn counted_event(&mut self) -> bool {
        let is_called = self.is("count") && self.next_kind() == Kind::Open;
        let Some(name) = self.name_at(2).filter(|_| is_called).map(str::to_owned) else {
            return false;
        };
        let (sign, number) = (self.word_at(4), self.word_at(5));
        let times: Option<usize> = number.parse().ok();
        let times = match &*sign {
            "=" | "==" | ">=" => times,
            ">" => times.map(|times| times + 1),
            _ => None,
        };
        let Some(times) = times.filter(|times| (1..=TIMES_MAX).contains(times)) else {
            return false;
        };
        self.take_as(6, "an event", &vec![name.as_str(); times].join(" ; "));
        true
    }

    /// `value between 20 and 40`: both bounds.
    pub(in super::super) fn value_between(&mut self) -> Option<Condition> {
        let is_number = |word: &str| word.parse::<f64>().is_ok();
        let (from, to) = (self.word_at(1), self.word_at(3));
        let is_range = self.is("between") && matches!(&*self.word_at(2), "and" | "to");
        if !is_range || !is_number(&from) || !is_number(&to) {
            return None;
        }
        self.take_as(4, "a comparison", &format!(">= {from} and value <= {to}"));
        Some(Condition::Count(Operator::AtLeast, 1))
    }

    /// `8am and 8pm` after `time between`.
    pub(in super::super) fn hours_in_words(&mut self) -> Option<Condition> {
        let (from, to) = (self.word_at(0), self.word_at(2));
        let (first, second) = (clock(&from)?, clock(&to).filter(|_| self.word_at(1) == "and")?);
        if first == from && second == to {
            return None;
        }
        self.take_as(3, "a clock", &format!("{first} and {second}"));
        Some(Condition::TimeBetween(
            Clock { time: None, raw: first },
            Clock { time: None, raw: second },
        ))
    }

    /// `else` after what a rule does.
    pub(in super::super) fn otherwise(&mut self) -> Option<Failed> {
        if !self.is_any(&["else", "otherwise"]) {
            return None;
        }
        let message = "a rule does one thing or nothing";
        let help = "write another rule on the same event, `when not` what this one asks";
        self.sink.syntax(self.place(), message, help);
        Some(Failed)
    }

    /// A second name after an action that takes one: `enable a b`.
    pub(in super::super) fn name_after_action(&mut self, verb: &str) -> bool {
        let others = ["for", "until", "after", "if", "with", "by", "from", "while", "unless"];
        if self.name_at(0).is_none() || self.is_any(&others) {
            return false;
        }
        let help = format!("write a comma and `{verb}` before another name");
        self.expected_here("a comma or the end of the rule", &help, &format!(", {verb}"));
        true
    }

    /// `ended(a)` and `changed(a)`, as other words have them.
    pub(in super::super) fn called_otherwise(&mut self) -> Parsed<Option<Event>> {
        let start = self.place();
        if self.next_kind() != Kind::Open || self.kind() != Kind::Word {
            return Ok(None);
        }
        let slice = self.slice();
        if self.is_any(&["changed", "change", "changes", "detected", "detect", "found", "sentinel"])
        {
            let kind = HappeningKind::Detected;
            self.advance();
            let name = self.name_in_parentheses(slice)?;
            let message = format!("`{}(…)` is no event", shortened(slice));
            self.cure(self.since(start), &message, &crate::print::name(&name.text));
            return Ok(Some(Event::Happening(kind, name)));
        }
        if self.is_any(&["disabled", "enabled", "disable", "enable"]) {
            let message = "no event says that a sentinel is enabled or disabled";
            let help = "ask for it in the condition: `on EVENT when enabled(NAME)`, or `when not \
                        enabled(NAME)`";
            self.sink.syntax(start, message, help);
            return Err(Failed);
        }
        let Some(right) = meant::of(&meant::CALLED_MEANT, slice) else { return Ok(None) };
        let Some((_, kind)) = HappeningKind::CALLED.into_iter().find(|(word, _)| *word == right)
        else {
            return Ok(None);
        };
        self.instead("an event", right);
        self.advance();
        let name = self.name_in_parentheses(right)?;
        Ok(Some(Event::Happening(kind, name)))
    }

    /// At a word or sign that means `;` elsewhere.
    pub(in super::super) fn at_sequence_meant(&self) -> bool {
        let signs = ["then", "->", "→", ">>", ">", "=>"];
        let is_followed = self.is("followed") && self.next_is_any(&["by"]);
        is_followed || self.is_any(&signs) && !self.is_action(self.next_slice())
    }

    /// `evnt x`, `collct every …`: a slip of the word before a name or a tick.
    pub(in super::super) fn event_nearly(&mut self) -> bool {
        let joins = ["and", "or", "between", "before", "after", "without", "unless"];
        let is_named = self.name_at(1).is_some() && !joins.contains(&&*self.word_at(1));
        let word = if self.next_is_any(&["every"]) {
            nearest(self.slice(), ["collect"])
        } else {
            nearest(self.slice(), ["event"]).filter(|_| is_named)
        };
        if let Some(near) = word {
            let message = format!("expected an event, found `{}`", shortened(self.slice()));
            self.sink.near(self.place(), message, near);
        }
        word.is_some()
    }
}
