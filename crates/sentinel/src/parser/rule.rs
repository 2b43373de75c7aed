//! `create rule`: events, conditions, actions.

use super::value_test::INSTEAD;
use super::{Failed, Parsed, Parser, meant, shortened};
use crate::Cure;
use crate::ast::rule::{Context, Coupling, HappeningKind};
use crate::lexer::{Kind, inside_foreign};
use crate::limits::{EVENT_CHOICES_MAX, EVENT_PARTS_MAX, NESTING_MAX, RULE_PRIORITY_MAX};
use crate::place::Place;
use crate::syntax::rule::{Action, Clause, ClauseKind, Condition, Event, Rule, Spanned};
use crate::syntax::{Clock, Duration, Name, Unit};
use crate::vocabulary::{is_plain_name, nearest};
use aspect::Operator;

const EVENT_HELP: &str = "write the name of a sentinel, `event NAME`, `start(NAME)`, `end(NAME)`, \
                          `fetched(NAME)`, `failed(NAME)` or `at DATE CLOCK`, joined by `and`, \
                          `or` and `;`";
const ORDER_HELP: &str = "after `on` come, in this order and as far as they are needed, `when`, \
                          `in … context`, `within`, `priority`, `coupling`, and `do` last";
const BETWEEN_HELP: &str = "write `between`, an event, `and`, an event";
const CONDITION_HELP: &str = "write `count >= 3`, `text matches \"…\"`, `value < 40`, \
                              `time between 08:00 and 22:00` or `enabled(NAME)`, joined by `and`, \
                              `or`, `not` and parentheses";
const ACTION_HELP: &str = "write `notify by CHANNEL`, `probe URL within 5 minutes`, `enable NAME`, \
                           `disable NAME` or `raise NAME`, with commas between them";

impl Parser<'_, '_> {
    pub(super) fn rule(&mut self, first_token: usize) -> Rule {
        let before = self.sink.errors();
        (self.probed, self.tested) = (None, None);
        let help = "write `create rule NAME on EVENT do ACTION`";
        self.is_rule = true;
        let name = match self.spaced_name("on") {
            Some(name) => Ok(name),
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
        let mut first_token = self.at;
        let event = self.on_event()?;
        clauses.push(Clause { kind: ClauseKind::On(event), first_token });
        for clause in [Self::when, Self::context, Self::rule_within, Self::priority, Self::coupling]
        {
            first_token = self.at;
            clauses.extend(clause(self)?.map(|kind| Clause { kind, first_token }));
        }
        first_token = self.at;
        if self.is("then") && self.is_action(self.next_slice()) {
            self.instead("`do`", "do");
            self.advance();
        } else if self.is_action(self.slice()) && self.kind() == Kind::Word {
            self.insert("`do`", "do ");
        } else if !self.take("do") {
            let help = match self.kind() {
                Kind::Close => "this `)` closes nothing; remove it".to_owned(),
                Kind::Word if self.is_any(&["when", "in", "within", "priority", "coupling"]) => {
                    ORDER_HELP.to_owned()
                }
                Kind::Word if self.slice().starts_with('+') => {
                    "put parentheses round the event: `(each a between b and c) + 1 hour`"
                        .to_owned()
                }
                Kind::Word => self.meant(
                    ["when", "in", "within", "priority", "coupling", "do", "and", "or"],
                    ORDER_HELP,
                ),
                _ => ORDER_HELP.to_owned(),
            };
            return Err(self.expected("`do`", &help));
        }
        let actions = self.actions()?;
        clauses.push(Clause { kind: ClauseKind::Do(actions), first_token });
        if !self.at_statement() && self.kind() != Kind::Semicolon {
            if self.is_action(self.slice()) {
                let (start, end) = (self.end_of_last, self.end_of_last);
                let message = "expected a comma or the end of the rule";
                let message = format!("{message}, found `{}`", shortened(self.slice()));
                let help = "write a comma before another action";
                let cure = Cure { start, end, text: ",".to_owned() };
                self.sink.curable(self.place(), message, help, cure);
                return Err(Failed);
            }
            let help = match self.is_any(&["when", "in", "within", "priority", "coupling"]) {
                true => ORDER_HELP,
                false => "write a comma before another action",
            };
            return Err(self.expected("a comma or the end of the rule", help));
        }
        Ok(())
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
        (self.depth, self.leaves) = (0, 0);
        let mut event = self.event()?;
        while self.kind() == Kind::Comma {
            self.cure(self.place(), "no comma stands between events", " or");
            self.advance();
            event = Event::Or(Box::new(event), Box::new(self.event()?));
        }
        Ok(event)
    }

    /// Everything after `do`.
    fn actions(&mut self) -> Parsed<Vec<Action>> {
        let mut actions = vec![self.action()?];
        loop {
            let joint = self.place();
            if self.is("and") && self.is_action(self.next_slice()) {
                let before = self.text[..joint.start].trim_end().len();
                let place = Place::new(before, joint.end);
                self.cure(place, "a comma stands between actions", ",");
                self.advance();
            } else if self.kind() == Kind::Semicolon && self.is_action(self.next_slice()) {
                self.cure(joint, "a comma stands between actions", ",");
                self.advance();
            } else if !self.take_kind(Kind::Comma) {
                break;
            } else if let Some(action) = self.same_action(&actions[actions.len() - 1]) {
                actions.push(action);
                continue;
            } else if let Some((sources_end, within)) = self.probed_last()
                && self.kind() == Kind::Url
            {
                self.further_probed(sources_end, within)?;
                continue;
            }
            actions.push(self.action()?);
        }
        Ok(actions)
    }

    /// Another name for the action before it, `b` of `enable a, b`.
    fn same_action(&mut self, before: &Action) -> Option<Action> {
        match before {
            Action::Enable(_) => self.next_name("enable").map(Action::Enable),
            Action::Disable(_) => self.next_name("disable").map(Action::Disable),
            Action::Raise(_) => self.next_name("raise").map(Action::Raise),
            Action::Notify(_) | Action::Probe { .. } => None,
        }
    }

    fn event(&mut self) -> Parsed<Event> {
        let mut event = self.event_and()?;
        while self.joint("or") {
            self.part()?;
            event = Event::Or(Box::new(event), Box::new(self.event_and()?));
        }
        Ok(event)
    }

    fn event_and(&mut self) -> Parsed<Event> {
        let mut event = self.event_seq()?;
        while self.joint("and") {
            self.part()?;
            event = Event::And(Box::new(event), Box::new(self.event_seq()?));
        }
        Ok(event)
    }

    fn event_seq(&mut self) -> Parsed<Event> {
        let mut event = self.event_operand()?;
        while self.kind() == Kind::Semicolon || self.at_sequence_meant() {
            if self.is("followed") {
                let start = self.place();
                self.advance();
                let place = start.until(self.place());
                self.cure(place, "expected `;`, found `followed by`", ";");
            } else if self.kind() != Kind::Semicolon {
                self.instead("`;`", ";");
            }
            self.advance();
            self.part()?;
            event = Event::Seq(Box::new(event), Box::new(self.event_operand()?));
        }
        Ok(event)
    }

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

    fn event_operand(&mut self) -> Parsed<Event> {
        self.part()?;
        let what = if self.take("not") {
            if self.next_is_any(&["between"]) && self.kind() == Kind::Word {
                let (place, name) = (self.place(), self.slice());
                let message = format!("expected `(`, found `{}`", shortened(name));
                let help = format!("write `({name})`: what does not happen stands in parentheses");
                self.cure_with(place, &message, &help, &format!("({name})"));
                return Err(Failed);
            }
            if self.kind() != Kind::Open {
                let help = "write `not (EVENT) between EVENT and EVENT`: what does not happen needs \
                            an interval";
                return Err(self.expected("`(`", help));
            }
            Spanned::Not(Box::new(self.event_group()?))
        } else if self.take("each") {
            self.deeper()?;
            Spanned::Each(Box::new(self.event_operand()?))
        } else if self.take("all") {
            self.deeper()?;
            Spanned::All(Box::new(self.event_operand()?))
        } else if self.take("every") {
            self.deeper()?;
            Spanned::Every(self.duration()?)
        } else if self.take("collect") {
            self.deeper()?;
            self.expect("every", "write `collect every 1 hour between EVENT and EVENT`")?;
            Spanned::Collect(self.duration()?)
        } else {
            return self.event_simple();
        };
        if !matches!(what, Spanned::Not(_)) {
            self.depth -= 1;
        }
        let help = match what {
            Spanned::Every(_) | Spanned::Collect(_) => {
                "write `between start(NAME) and end(NAME)`, or other events: ticks need an interval"
            }
            _ => BETWEEN_HELP,
        };
        self.expect("between", help)?;
        self.deeper()?;
        let start = self.place();
        let mut opens = Box::new(self.event_operand()?);
        if self.kind() == Kind::Semicolon || self.is("or") {
            self.group_in_between(&mut opens, start)?;
        }
        self.expect("and", BETWEEN_HELP)?;
        let closes = Box::new(self.event_operand()?);
        self.depth -= 1;
        Ok(Event::Between { what, opens, closes })
    }

    /// An event of several parts after `between`, as if it stood between parentheses.
    fn group_in_between(&mut self, opens: &mut Event, start: Place) -> Parsed<()> {
        while self.kind() == Kind::Semicolon || self.is("or") {
            self.advance();
            self.part()?;
            *opens = Event::Seq(Box::new(opens.clone()), Box::new(self.event_operand()?));
        }
        let place = self.since(start);
        let right = format!("({})", self.text_at(place));
        self.cure(place, "several events after `between` need parentheses", &right);
        Ok(())
    }

    fn event_group(&mut self) -> Parsed<Event> {
        self.deeper()?;
        self.advance();
        let event = self.event()?;
        self.depth -= 1;
        if !self.take_kind(Kind::Close) {
            let help = "close the parenthesis with `)`";
            return Err(self.expected("`)`, `and`, `or` or `;`", help));
        }
        Ok(event)
    }

    fn event_simple(&mut self) -> Parsed<Event> {
        let start = self.place();
        self.word_before_event()?;
        if self.absence_meant()? {
            return Err(Failed);
        }
        let mut event = match self.times_before() {
            Some(name) => Event::Happening(HappeningKind::Detected, name),
            None => self.event_plain()?,
        };
        self.times_after(start);
        if self.joint_in_words(start)? {
            return Ok(event);
        }
        while self.kind() == Kind::Word && self.slice().starts_with(['+', '-']) && !self.is("->") {
            if self.slice().starts_with('-') {
                let help = "write `+` and a duration: an event can be waited for, not foreseen";
                return Err(self.expected("`+`", help));
            }
            self.part()?;
            self.take_prefix(1);
            event = Event::Plus(Box::new(event), self.duration()?);
        }
        Ok(event)
    }

    fn event_plain(&mut self) -> Parsed<Event> {
        if self.kind() == Kind::Open {
            return self.event_group();
        }
        let start = self.place();
        if self.take("event") {
            let name = self.name_before_plus("the name of an event", "write `event NAME`")?;
            return Ok(Event::Happening(HappeningKind::Raised, name));
        }
        if self.take("at") {
            let base = self.base()?;
            return Ok(Event::At(base, self.since(start)));
        }
        if self.is("any") {
            return self.event_any();
        }
        for (word, kind) in HappeningKind::CALLED {
            if self.take(word) {
                let name = self.name_in_parentheses(word)?;
                return Ok(Event::Happening(kind, name));
            }
        }
        if let Some(event) = self.called_otherwise()? {
            return Ok(event);
        }
        if self.is_any(&["when", "do", "in", "within", "between"]) || self.kind() == Kind::Url {
            return Err(self.expected("an event", EVENT_HELP));
        }
        let is_number = self.slice().bytes().all(|byte| byte.is_ascii_digit());
        if is_number && self.kind() == Kind::Word {
            let help = "for three times write `a ; a ; a`, and `within` after it";
            return Err(self.expected("an event", help));
        }
        if self.is("now") || self.slice().starts_with(|c: char| c.is_ascii_digit()) {
            self.insert("an event", "at ");
            let base = self.base()?;
            return Ok(Event::At(base, self.since(start)));
        }
        let name = self.name_before_plus("an event", EVENT_HELP)?;
        if self.kind() == Kind::Open {
            let known = HappeningKind::CALLED.map(|(word, _)| word);
            let near = nearest(&name.text, known);
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => "before parentheses stand `start`, `end`, `fetched` or `failed`".to_owned(),
            };
            return Err(self.expected("the next part of the event", &help));
        }
        Ok(Event::Happening(HappeningKind::Detected, name))
    }

    /// `ended(a)` and `changed(a)`, as other words have them.
    fn called_otherwise(&mut self) -> Parsed<Option<Event>> {
        let start = self.place();
        if self.next_kind() != Kind::Open || self.kind() != Kind::Word {
            return Ok(None);
        }
        let slice = self.slice();
        if self.is_any(&["changed", "change", "changes", "detected", "found", "sentinel"]) {
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
    fn at_sequence_meant(&self) -> bool {
        let is_then = self.is("then") && !self.is_action(self.next_slice());
        let is_followed = self.is("followed") && self.next_is_any(&["by"]);
        is_then || is_followed || self.is_any(&["->", "→", ">>"])
    }

    /// Whether it begins an action, also as other languages have them.
    pub(super) fn is_action(&self, word: &str) -> bool {
        let words = ["notify", "probe", "enable", "disable", "raise"];
        words.iter().any(|action| word.eq_ignore_ascii_case(action))
    }

    /// Whether an `on` stands in the rest of the statement.
    fn has_on(&self) -> bool {
        let word = |token: &crate::lexer::Token| self.text_at(token.place).to_ascii_lowercase();
        let rest = self.tokens[self.at..].iter().map(word);
        rest.take_while(|word| word != "create").any(|word| word == "on")
    }

    /// A name, of `a+1h` too.
    fn name_before_plus(&mut self, what: &str, help: &str) -> Parsed<Name> {
        let slice = self.slice();
        let length = slice.find('+').unwrap_or(0);
        if self.kind() != Kind::Word || !is_plain_name(&slice[..length]) {
            return self.name(what, help);
        }
        let (text, place) = self.take_prefix(length);
        Ok(Name { text: text.to_owned(), place })
    }

    fn name_in_parentheses(&mut self, word: &str) -> Parsed<Name> {
        let help = format!("write `{word}(NAME)`");
        if !self.take_kind(Kind::Open) {
            return Err(self.expected("`(`", &help));
        }
        let name = self.name("the name of a sentinel", &help)?;
        if !self.take_kind(Kind::Close) {
            return Err(self.expected("`)`", &help));
        }
        Ok(name)
    }

    fn event_any(&mut self) -> Parsed<Event> {
        let help = "write `any 2 of (EVENT, EVENT, EVENT)`";
        self.advance();
        let (least, place) = self.int(help)?;
        self.expect("of", help)?;
        if self.kind() != Kind::Open {
            return Err(self.expected("`(`", help));
        }
        self.deeper()?;
        self.advance();
        let mut of = vec![self.event()?];
        while self.take_kind(Kind::Comma) {
            of.push(self.event()?);
        }
        self.depth -= 1;
        if !self.take_kind(Kind::Close) {
            return Err(self.expected("a comma or `)`", help));
        }
        let count = of.len() as u64;
        if count < 2 {
            self.sink.syntax(self.since(place), "`any` chooses among two events or more", help);
            return Err(Failed);
        }
        if least == 0 || least > count {
            let message = format!("{least} of {count} events never happen");
            let help = format!("write a number from 1 to {count}");
            self.sink.value(place, message, &help);
        } else if of.len() > EVENT_CHOICES_MAX {
            self.sink.value(place, "`any` chooses among 64 events at most", "leave some out");
        }
        Ok(Event::Any { least, place, of })
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
        } else if !self.take("when") {
            return Ok(None);
        }
        (self.depth, self.leaves) = (0, 0);
        Ok(Some(ClauseKind::When(self.condition()?)))
    }

    fn context(&mut self) -> Parsed<Option<ClauseKind>> {
        let is_named = |word: &str| Context::ALL.iter().any(|context| context.name() == word);
        if self.is("context") && is_named(&self.word_at(1)) {
            let right = format!("in {} context", self.word_at(1));
            self.take_as(2, "`in`", &right);
            return Ok(None);
        }
        if !self.take("in") {
            return Ok(None);
        }
        let help = "write `in recent context`, `in chronicle context`, `in continuous context` or \
                    `in cumulative context`";
        let Some(context) = Context::ALL.into_iter().find(|context| self.is(context.name())) else {
            let help = self.meant(Context::ALL.map(Context::name), help);
            return Err(self.expected("a context", &help));
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
        match self.take("within") {
            true => Ok(Some(ClauseKind::Within(self.duration()?))),
            false => Ok(None),
        }
    }

    fn priority(&mut self) -> Parsed<Option<ClauseKind>> {
        if !self.take("priority") {
            return Ok(None);
        }
        let (priority, place) = self.int("write `priority 2`; larger goes first")?;
        if !(1..=RULE_PRIORITY_MAX).contains(&priority) {
            let message = "a priority is from 1 to 1,000";
            self.sink.value(place, message, "write a number in this range; larger goes first");
        }
        Ok(Some(ClauseKind::Priority(priority)))
    }

    fn coupling(&mut self) -> Parsed<Option<ClauseKind>> {
        if !self.take("coupling") {
            return Ok(None);
        }
        for (word, coupling) in Coupling::ALL {
            if self.take(word) {
                return Ok(Some(ClauseKind::Coupling(coupling)));
            }
        }
        let help = "write `coupling immediate`, `coupling deferred` or `coupling detached`";
        let help = self.meant(Coupling::ALL.map(|(word, _)| word), help);
        Err(self.expected("`immediate`, `deferred` or `detached`", &help))
    }
}

/// Conditions.
impl Parser<'_, '_> {
    fn condition(&mut self) -> Parsed<Condition> {
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
        match self.take("not") {
            true => Ok(Condition::Not(Box::new(self.condition_plain()?))),
            false => self.condition_plain(),
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
            let (count, _) = self.int("write a whole number: `count >= 3`")?;
            return Ok(Condition::Count(comparison, count));
        }
        if self.take_word_before_sign("value") {
            self.tested = Some(start);
            let comparison = self.comparison("value < 40")?;
            return self.plain_number(comparison);
        }
        if self.take("text") {
            return self.text_matches();
        }
        let is_clock = self.is("between") && meant::clock(self.next_slice()).is_some();
        if is_clock || self.take("time") {
            if is_clock {
                self.insert("a condition", "time ");
            }
            let help = "write `time between 08:00 and 22:00`";
            self.expect("between", help)?;
            let from = self.time_of_day(help)?;
            self.expect("and", help)?;
            let place = self.place();
            let to = self.time_of_day(help)?;
            if from.time.is_some() && from.time == to.time {
                let message = "no time of day is between these";
                self.sink.value(place, message, "write two different times of day");
            }
            return Ok(Condition::TimeBetween(from, to));
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
        let help = self.meant(["count", "text", "value", "time", "enabled"], CONDITION_HELP);
        Err(self.expected("a condition", &help))
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

/// Actions.
impl Parser<'_, '_> {
    fn action(&mut self) -> Parsed<Action> {
        if self.take("notify") {
            return self.notify().map(Action::Notify);
        }
        if let Some(action) = self.action_meant()? {
            return Ok(action);
        }
        if self.take("probe") {
            let mut sources = vec![self.probed()?];
            while self.take_kind(Kind::Comma) {
                sources.push(self.probed()?);
            }
            if !self.is("within") && (self.at_statement() || self.kind() == Kind::Semicolon) {
                let end = Place::new(self.end_of_last, self.end_of_last);
                let message = "expected `within` and a duration after what is looked at";
                let help = "write `probe URL within 5 minutes`";
                self.cure_with(end, message, help, " within 5 minutes");
                return Err(Failed);
            }
            let sources_end = self.end_of_last;
            let within = self.place();
            self.expect("within", "write `probe URL within 5 minutes`")?;
            let duration = self.duration()?;
            self.probed = Some((sources_end, self.since(within)));
            return Ok(Action::Probe { sources, within: duration });
        }
        let what: fn(Name) -> Action = match () {
            () if self.take("enable") => Action::Enable,
            () if self.take("disable") => Action::Disable,
            () if self.take("raise") => {
                if self.is("event") && self.next_kind() == Kind::Word {
                    let message = "no `event` stands after `raise`";
                    self.leave_out(self.place(), message, "leave it out: `raise NAME`");
                    self.advance();
                }
                let name = self.name("the name of an event", "write `raise NAME`")?;
                return Ok(Action::Raise(name));
            }
            () => {
                let words = ["notify", "probe", "enable", "disable", "raise"];
                let help = self.meant(words, ACTION_HELP);
                return Err(self.expected("an action", &help));
            }
        };
        self.name("the name of a sentinel", "write `enable NAME` or `disable NAME`").map(what)
    }

    /// `email x`, `fetch URL`, `start a`, as other words have them.
    fn action_meant(&mut self) -> Parsed<Option<Action>> {
        let slice = self.slice();
        let is_channel = address::ChannelKind::named(&slice.to_ascii_lowercase()).is_some();
        if self.kind() == Kind::Word && (is_channel || slice.contains('@')) {
            let missing = if is_channel { "notify by " } else { "notify by email " };
            self.insert("an action", missing);
            if !is_channel {
                self.advance();
                return Err(Failed);
            }
            return self.notify_by().map(|notify| Some(Action::Notify(notify)));
        }
        let is_look = self.is_any(&["fetch", "check", "look", "visit", "get"]);
        if is_look && matches!(self.next_kind(), Kind::Url | Kind::Quoted) {
            return self.probe_meant().map(Some);
        }
        let right = match slice.to_ascii_lowercase().as_str() {
            "alert" | "inform" | "tell" => "notify",
            "start" | "resume" | "activate" | "unpause" => "enable",
            "stop" | "pause" | "end" | "deactivate" | "snooze" => "disable",
            "trigger" | "fire" | "emit" => "raise",
            _ => return Ok(None),
        };
        self.instead("an action", right);
        self.advance();
        if right == "notify" {
            return self.notify().map(|notify| Some(Action::Notify(notify)));
        }
        let name = self.name("a name", ACTION_HELP)?;
        Ok(Some(match right {
            "enable" => Action::Enable(name),
            "disable" => Action::Disable(name),
            _ => Action::Raise(name),
        }))
    }

    /// `fetch URL [within W]` for `probe URL within W`.
    fn probe_meant(&mut self) -> Parsed<Action> {
        let start = self.place();
        let message = format!("expected an action, found `{}`", self.slice());
        self.advance();
        let listed = self.place();
        let mut sources = vec![self.probed()?];
        while self.kind() == Kind::Comma && self.next_kind() == Kind::Url {
            self.advance();
            sources.push(self.probed()?);
        }
        let listed = self.text_at(self.since(listed)).to_owned();
        let within = self.place();
        if self.take("within") {
            let within = self.duration()?;
            self.cure(start, &message, "probe");
            return Ok(Action::Probe { sources, within });
        }
        let right = format!("probe {listed} within 5 minutes");
        self.cure(self.since(start), &message, &right);
        let within = Duration { count: 5, unit: Unit::Minute, place: within };
        Ok(Action::Probe { sources, within })
    }

    /// Where the sources of the action taken last end, and its `within`, if it was a `probe`.
    fn probed_last(&mut self) -> Option<(usize, Place)> {
        let end = self.tokens[self.at - 1].place.start;
        self.probed.take().filter(|(_, within)| within.end <= end)
    }

    /// A URL after the `within` of the one before it.
    fn further_probed(&mut self, sources_end: usize, within: Place) -> Parsed<()> {
        let mut urls = vec![self.probed()?.text];
        while self.kind() == Kind::Comma && self.next_kind() == Kind::Url {
            self.advance();
            urls.push(self.probed()?.text);
        }
        let place = Place::new(sources_end, self.end_of_last);
        let right = format!(", {} {}", urls.join(", "), self.text_at(within));
        let message = "`within` stands once, after all that is looked at";
        let help = "write it at the end: `probe URL, URL within 5 minutes`";
        self.cure_with(place, message, help, &right);
        Ok(())
    }

    fn probed(&mut self) -> Parsed<Name> {
        let place: Place = self.place();
        if let Some(url) = self.in_angles() {
            return Ok(url);
        }
        match self.kind() {
            Kind::Foreign => Ok(self.foreign()),
            Kind::Url => {
                let text = self.slice().to_owned();
                self.advance();
                Ok(Name { text, place })
            }
            Kind::Quoted => self.quoted(),
            _ => {
                let help = format!(
                    "write `probe https://example.org/page within 5 minutes`, not `{}`",
                    shortened(self.slice())
                );
                Err(self.expected("a URL", &help))
            }
        }
    }
}
