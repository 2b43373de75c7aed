//! `monitor`: conditions on changes.

mod leaf;
mod words;

pub(super) use leaf::{first_words, named};

use super::{Failed, Parsed, Parser};
use crate::Cure;
use crate::ast::{Aspect, Expr};
use crate::lexer::Kind;
use crate::limits::NESTING_MAX;
use crate::syntax::{ClauseKind, Uses};

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
            let (help, missing) = if self.is("not") {
                ("write `and` before it", " and")
            } else {
                ("write `or` before it, or `and`", " or")
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
        if operands.len() > 1 && operands.iter().any(|operand| operand.asks_for(Aspect::Status)) {
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
        if self.not_twice() {
            return self.primitive(uses);
        }
        let start = self.place();
        let operand = self.primitive(uses)?;
        if operand.asks_for(Aspect::Status) {
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
}

fn joined(mut operands: Vec<Expr>, several: fn(Vec<Expr>) -> Expr) -> Expr {
    match operands.len() {
        1 => operands.remove(0),
        _ => several(operands),
    }
}
