//! `create rule`: its clauses.

mod action;
mod condition;
mod event;

use super::slips::words::{COUPLINGS, PRIORITIES};
use super::{Failed, Parsed, Parser, shortened};
use crate::Cure;
use crate::ast::rule::{Context, Coupling};
use crate::lexer::Kind;
use crate::limits::{EVENT_PARTS_MAX, NESTING_MAX, RULE_PRIORITY_MAX};
use crate::place::Place;
use crate::syntax::Name;
use crate::syntax::rule::{Action, Clause, ClauseKind, Event, Rule};

const ORDER_HELP: &str = "after `on` come, in this order and as far as they are needed, `when`, \
                          `in … context`, `within`, `priority`, `coupling`, and `do` last";

/// A clause as the text has it.
struct Piece {
    rank: u8,
    place: Place,
}

/// Where a clause stands among the others of its rule.
fn rank(clause: &ClauseKind) -> u8 {
    match clause {
        ClauseKind::On(_) => 0,
        ClauseKind::When(_) => 1,
        ClauseKind::Context(_) => 2,
        ClauseKind::Within(_) => 3,
        ClauseKind::Priority(_) => 4,
        ClauseKind::Coupling(_) => 5,
        ClauseKind::Do(_) => 6,
    }
}

/// Words that may stand after the event.
const AFTER_EVENT: [&str; 7] = ["when", "within", "priority", "coupling", "and", "or", "do"];

impl Parser<'_, '_> {
    pub(super) fn rule(&mut self, first_token: usize) -> Rule {
        let before = self.sink.errors();
        (self.probed, self.tested) = (None, None);
        let help = "write `create rule NAME on EVENT do ACTION`";
        self.is_rule = true;
        let name = match self.spaced_name("on") {
            Some(name) => Ok(name),
            None if self.rule_without_name() => Err(Failed),
            None => self.name("the name of the rule", help),
        };
        let name = name.unwrap_or(Name { text: String::new(), place: self.place() });
        let mut rule = Rule { name, clauses: Vec::new(), first_token, broken: false };
        if self.rule_clauses(&mut rule.clauses).is_err() {
            self.skip_statement();
        }
        rule.broken = self.sink.errors() > before;
        rule
    }

    fn rule_clauses(&mut self, clauses: &mut Vec<Clause>) -> Parsed<()> {
        let first_token = self.at;
        let event = self.on_event()?;
        clauses.push(Clause { kind: ClauseKind::On(event), first_token });
        self.clauses_between(clauses)?;
        let first_token = self.at;
        self.take_do()?;
        let actions = self.actions()?;
        let last = actions.last().and_then(Action::verb);
        clauses.push(Clause { kind: ClauseKind::Do(actions), first_token });
        self.clauses_between(clauses)?;
        self.check_order(clauses);
        if self.at_statement() || self.kind() == Kind::Semicolon {
            return Ok(());
        }
        let what = "a comma or the end of the rule";
        if self.is_action(self.slice()) {
            let (start, end) = (self.end_of_last, self.end_of_last);
            let message = format!("expected {what}, found `{}`", shortened(self.slice()));
            let help = "write a comma before another action";
            let cure = Cure { start, end, text: ",".to_owned() };
            self.sink.curable(self.place(), message, help, cure);
            return Err(Failed);
        }
        if let Some(failed) = self.otherwise() {
            return Err(failed);
        }
        if last.is_some_and(|verb| self.name_after_action(verb)) {
            return Err(Failed);
        }
        Err(self.expected(what, "write a comma before another action"))
    }

    /// `do`, or what stands for it.
    fn take_do(&mut self) -> Parsed<()> {
        let is_joint = self.is_any(&["then", "->", "→", "=>"]);
        if is_joint && self.is_action(self.next_slice()) {
            self.instead("`do`", "do");
            self.advance();
        } else if self.is_action(self.slice()) && self.kind() == Kind::Word {
            self.insert("`do`", "do ");
        } else if self.kind() == Kind::Close {
            let message = "expected `do`, found `)`";
            self.leave_out(self.place(), message, "this `)` closes nothing; remove it");
            return Err(Failed);
        } else if !self.take("do") {
            let help = if self.slice().starts_with('+') {
                "put parentheses round the event: `(each a between b and c) + 1 hour`"
            } else {
                ORDER_HELP
            };
            if self.is("for") {
                return Err(self.expected("`do`", help));
            }
            return Err(self.expected_among("`do`", AFTER_EVENT, help));
        }
        Ok(())
    }

    /// The clauses between event and actions, in whatever order.
    fn clauses_between(&mut self, clauses: &mut Vec<Clause>) -> Parsed<()> {
        loop {
            let (first_token, place) = (self.at, self.place());
            let word = self.slice().to_lowercase();
            let mut kind = None;
            for clause in
                [Self::when, Self::context, Self::rule_within, Self::priority, Self::coupling]
            {
                if self.at == first_token {
                    kind = clause(self)?;
                }
            }
            if self.at == first_token {
                return Ok(());
            }
            let Some(kind) = kind else { continue };
            let is_twice = clauses.iter().any(|other| rank(&other.kind) == rank(&kind));
            if is_twice {
                let message = format!("`{word}` stands here for the second time");
                self.sink.syntax(self.since(place), message, "leave one of the two out");
                return Err(Failed);
            }
            clauses.push(Clause { kind, first_token });
        }
    }

    /// Reports clauses that stand in another order, with the whole in the right one.
    fn check_order(&mut self, clauses: &[Clause]) {
        let mut pieces: Vec<Piece> = (0..clauses.len()).map(|at| self.piece(clauses, at)).collect();
        let Some(at) = (1..pieces.len()).find(|&at| pieces[at].rank < pieces[at - 1].rank) else {
            return;
        };
        let place = pieces[at].place;
        let word = self.text_at(place).split_whitespace().next().unwrap_or_default().to_owned();
        let next = pieces.iter().find(|piece| piece.rank > pieces[at].rank);
        let next = next.map_or("do", |next| {
            self.text_at(next.place).split_whitespace().next().unwrap_or("do")
        });
        let message = format!("`{word}` belongs before `{next}`");
        let ranks: Vec<u8> = pieces.iter().map(|piece| piece.rank).collect();
        pieces.sort_by_key(|piece| piece.rank);
        let stays = pieces.iter().zip(&ranks).take_while(|(piece, rank)| piece.rank == **rank);
        let stays = stays.count().max(1);
        let (start, end) = (pieces[stays - 1].place.end, self.end_of_last);
        // A comment would end with another line.
        if self.text[start..end].contains("--") {
            return self.sink.syntax(place, message, ORDER_HELP);
        }
        let moved = pieces[stays..].iter().map(|piece| self.text_at(piece.place));
        let right = moved.collect::<Vec<_>>().join(" ");
        let cure = Cure { start, end, text: format!(" {right}") };
        self.sink.curable(place, message, &super::write_it(&right), cure);
    }

    /// The clause at this index.
    fn piece(&self, clauses: &[Clause], at: usize) -> Piece {
        let start = self.tokens[clauses[at].first_token].place.start;
        let end = clauses
            .get(at + 1)
            .map_or(self.end_of_last, |next| self.tokens[next.first_token - 1].place.end);
        Piece { rank: rank(&clauses[at].kind), place: Place::new(start, end) }
    }

    /// `on` and the event.
    fn on_event(&mut self) -> Parsed<Event> {
        let asks = ["count", "text", "value", "time", "enabled", "not"];
        let is_meant = self.is_any(&["when", "if", "upon", "after", "using", "for"])
            && !self.next_is_any(&asks);
        if is_meant && !self.has_on() {
            self.instead("`on`", "on");
            self.advance();
        } else {
            self.expect("on", "write `create rule NAME on EVENT do ACTION`")?;
        }
        self.joint_after_on();
        (self.depth, self.leaves) = (0, 0);
        let mut event = self.event()?;
        while self.kind() == Kind::Comma {
            self.cure(self.place(), "no comma stands between events", " or");
            self.advance();
            event = Event::Or(Box::new(event), Box::new(self.event()?));
        }
        Ok(event)
    }
}

/// The clauses between event and actions.
impl Parser<'_, '_> {
    fn when(&mut self) -> Parsed<Option<ClauseKind>> {
        if self.is_any(&["if", "where", "provided", "unless"]) {
            if self.is("unless") {
                self.instead("`when`", "when not");
            } else {
                self.instead("`when`", "when");
            }
            self.advance();
        } else if self.hours_after_event() || !self.take("when") {
            return Ok(None);
        }
        (self.depth, self.leaves) = (0, 0);
        Ok(Some(ClauseKind::When(self.condition()?)))
    }

    fn context(&mut self) -> Parsed<Option<ClauseKind>> {
        if self.context_meant() || self.span_after_in()? || !self.take("in") {
            return Ok(None);
        }
        let help = "write `in recent context`, `in chronicle context`, `in continuous context` or \
                    `in cumulative context`";
        let Some(context) = Context::ALL.into_iter().find(|context| self.is(context.name())) else {
            return Err(self.expected_among("a context", Context::ALL.map(Context::name), help));
        };
        self.advance();
        if self.is_any(&["within", "priority", "coupling", "do"]) {
            self.insert("`context`", "context ");
            return Ok(Some(ClauseKind::Context(context)));
        }
        self.expect("context", help)?;
        Ok(Some(ClauseKind::Context(context)))
    }

    fn rule_within(&mut self) -> Parsed<Option<ClauseKind>> {
        if self.take("within") { Ok(Some(ClauseKind::Within(self.duration()?))) } else { Ok(None) }
    }

    fn priority(&mut self) -> Parsed<Option<ClauseKind>> {
        if !self.take("priority") {
            return Ok(None);
        }
        if self.phrase_meant("a whole number", &PRIORITIES) {
            return Ok(None);
        }
        let (priority, place) = self.int("write `priority 2`; larger goes first")?;
        if !(1..=RULE_PRIORITY_MAX).contains(&priority) {
            let message = "a priority is from 1 to 1,000".to_owned();
            let right = priority.clamp(1, RULE_PRIORITY_MAX).to_string();
            self.sink.curable_value(place, message, right);
        }
        Ok(Some(ClauseKind::Priority(priority)))
    }

    fn coupling(&mut self) -> Parsed<Option<ClauseKind>> {
        if self.coupling_meant() || !self.take("coupling") {
            return Ok(None);
        }
        for (word, coupling) in Coupling::ALL {
            if self.take(word) {
                return Ok(Some(ClauseKind::Coupling(coupling)));
            }
        }
        if self.phrase_meant("`immediate`, `deferred` or `detached`", &COUPLINGS) {
            return Ok(None);
        }
        let help = "write `coupling immediate`, `coupling deferred` or `coupling detached`";
        let words = Coupling::ALL.map(|(word, _)| word);
        Err(self.expected_among("`immediate`, `deferred` or `detached`", words, help))
    }
}

/// What events, conditions and actions share.
impl Parser<'_, '_> {
    /// One more part of the event.
    fn part(&mut self) -> Parsed<()> {
        self.leaves += 1;
        if self.leaves <= EVENT_PARTS_MAX {
            return Ok(());
        }
        let message = format!("an event has at most {EVENT_PARTS_MAX} parts; more follow");
        let help = "raise an event from a rule of its own, and listen to that";
        self.sink.syntax(self.place(), message, help);
        Err(Failed)
    }

    fn deeper(&mut self) -> Parsed<()> {
        if self.depth == NESTING_MAX {
            let message = format!("an event is nested deeper than {NESTING_MAX}");
            let help = "raise an event from a rule of its own, and listen to that";
            self.sink.syntax(self.place(), message, help);
            return Err(Failed);
        }
        self.depth += 1;
        Ok(())
    }

    /// Whether an `on` stands in the rest of the statement.
    fn has_on(&self) -> bool {
        let word = |token: &crate::lexer::Token| self.text_at(token.place).to_ascii_lowercase();
        let rest = self.tokens[self.at..].iter().map(word);
        rest.take_while(|word| word != "create").any(|word| word == "on")
    }

    pub(super) fn name_in_parentheses(&mut self, word: &str) -> Parsed<Name> {
        let help = format!("write `{word}(NAME)`");
        if let Some(name) = self.name_without_parentheses(word) {
            return Ok(name);
        }
        if !self.take_kind(Kind::Open) {
            return Err(self.expected("`(`", &help));
        }
        let name = self.name("the name of a sentinel", &help)?;
        if !self.take_kind(Kind::Close) {
            return Err(self.expected("`)`", &help));
        }
        Ok(name)
    }
}
