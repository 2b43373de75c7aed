//! What people write of the clauses of rules.

use super::super::meant::{clock, of};
use super::super::{Parsed, Parser};
use super::words::COUNTS;
use crate::ast::rule::{Context, Coupling};

impl Parser<'_, '_> {
    /// `recent`, `in context recent`: the context in another order.
    pub(in super::super) fn context_meant(&mut self) -> bool {
        let named = |word: &str| Context::ALL.iter().any(|context| context.name() == word);
        let words = [0, 1, 2].map(|at| self.word_at(at));
        let (count, name) = match () {
            () if words[0] == "in" && words[1] == "context" && named(&words[2]) => (3, &words[2]),
            () if words[0] == "context" && named(&words[1]) => (2, &words[1]),
            () if named(&words[0]) && words[1] == "context" => (2, &words[0]),
            () if named(&words[0]) => (1, &words[0]),
            () => return false,
        };
        self.take_as(count, "`in`", &format!("in {name} context"));
        true
    }

    /// `immediately`, `detached` without `coupling` before it.
    pub(in super::super) fn coupling_meant(&mut self) -> bool {
        let word = self.word_at(0);
        let is_known = Coupling::ALL.iter().any(|(known, _)| *known == word);
        let right = match &*word {
            "immediately" => "coupling immediate".to_owned(),
            _ if is_known => format!("coupling {word}"),
            _ => return false,
        };
        self.take_as(1, "`coupling`", &right);
        true
    }

    /// `between 09:00 and 17:00` after the event.
    pub(in super::super) fn hours_after_event(&mut self) -> bool {
        let (from, to) = (clock(&self.word_at(1)), clock(&self.word_at(3)));
        let (Some(from), Some(to)) = (from, to) else { return false };
        let is_range = self.is_any(&["between", "from"])
            && matches!(&*self.word_at(2), "and" | "to" | "until");
        if is_range {
            self.take_as(4, "`when`", &format!("when time between {from} and {to}"));
        }
        is_range
    }

    /// `in a day`, `in 2 hours` after the event.
    pub(in super::super) fn span_after_in(&mut self) -> Parsed<bool> {
        let next = self.word_at(1);
        let is_number = next.starts_with(|c: char| c.is_ascii_digit());
        if !self.is("in") || !is_number && of(&COUNTS, &next).is_none() {
            return Ok(false);
        }
        if is_number {
            self.instead("`within`", "within");
            self.advance();
            self.duration()?;
        } else {
            let right = format!("within {} {}", of(&COUNTS, &next).unwrap_or("1"), self.word_at(2));
            self.take_as(3, "`within`", &right);
        }
        Ok(true)
    }

    /// `create rule on EVENT`: the name is missing.
    pub(in super::super) fn rule_without_name(&mut self) -> bool {
        let is_missing = self.is("on") && !self.next_is_any(&["on"]);
        if is_missing {
            let help = "write a name before `on`: `create rule my-rule on EVENT do ACTION`";
            self.cure_with(self.place(), "this rule has no name", help, "my-rule on");
        }
        is_missing
    }

    /// `if a`, `when a` after `on`.
    pub(in super::super) fn joint_after_on(&mut self) {
        if self.is_any(&["if", "when"]) && self.name_at(1).is_some() {
            let message = format!("expected an event, found `{}`", self.slice());
            self.leave_out(self.place(), &message, "leave it out: `on EVENT do ACTION`");
            self.advance();
        }
    }
}
