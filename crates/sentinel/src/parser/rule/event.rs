//! What a rule listens to.

use super::super::slips::FAR_AHEAD;
use super::super::{Failed, Parsed, Parser, shortened};
use crate::Cure;
use crate::ast::rule::HappeningKind;
use crate::lexer::Kind;
use crate::limits::EVENT_CHOICES_MAX;
use crate::place::Place;
use crate::syntax::Name;
use crate::syntax::rule::{Event, Spanned};
use crate::vocabulary::{is_plain_name, nearest};

const EVENT_HELP: &str = "write the name of a sentinel, `event NAME`, `start(NAME)`, `end(NAME)`, \
                          `fetched(NAME)`, `failed(NAME)` or `at DATE CLOCK`, joined by `and`, \
                          `or` and `;`";
const BETWEEN_HELP: &str = "write `between`, an event, `and`, an event";

impl Parser<'_, '_> {
    pub(super) fn event(&mut self) -> Parsed<Event> {
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
            if self.kind() == Kind::Semicolon {
                self.leave_out(self.place(), "one `;` stands between events", "leave it out");
                self.advance();
            }
            self.part()?;
            event = Event::Seq(Box::new(event), Box::new(self.event_operand()?));
        }
        Ok(event)
    }

    fn event_operand(&mut self) -> Parsed<Event> {
        self.part()?;
        let start = self.place();
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
            let inside = self.event_group()?;
            if self.absence_without_between(start, &inside)? {
                return Err(Failed);
            }
            Spanned::Not(Box::new(inside))
        } else if self.take("each") {
            self.deeper()?;
            Spanned::Each(Box::new(self.event_operand()?))
        } else if self.word_at(1) != "of" && self.take("all") {
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
        self.event_between(start, what)
    }

    /// The interval of what began at `start`.
    fn event_between(&mut self, start: Place, what: Spanned) -> Parsed<Event> {
        let help = match what {
            Spanned::Every(_) | Spanned::Collect(_) => {
                "write `between start(NAME) and end(NAME)`, or other events: ticks need an interval"
            }
            _ => BETWEEN_HELP,
        };
        let is_ticks = matches!(what, Spanned::Every(_) | Spanned::Collect(_));
        let is_listed = matches!(what, Spanned::Each(_) | Spanned::All(_));
        if is_listed && self.each_alone(start)
            || is_ticks && self.ticks_after()?
            || self.interval_meant()?
        {
            return Err(Failed);
        }
        if self.at_end_of_event() && matches!(what, Spanned::Every(_)) {
            let missing = format!(" between at now and at {FAR_AHEAD}");
            let help = format!(
                "write `every …{missing}` for as long as the rule is there, or other events"
            );
            self.expected_here("`between`", &help, &missing);
            return Err(Failed);
        }
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
            let (what, help) = ("`)`, `and`, `or` or `;`", "close the parenthesis with `)`");
            if !self.is_any(&["do", "when", "within"]) {
                return Err(self.expected(what, help));
            }
            self.expected_here(what, help, ")");
        }
        Ok(event)
    }

    fn event_simple(&mut self) -> Parsed<Event> {
        let start = self.place();
        self.word_before_event()?;
        if self.all_of() || self.absence_meant()? {
            return Err(Failed);
        }
        if let Some(event) = self.span_before_event()? {
            return Ok(event);
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
            if self.slice() == "+" && self.name_at(1).is_some() {
                self.instead("`and` or `;`", "and");
                self.advance();
                return Ok(Event::And(Box::new(event), Box::new(self.event_operand()?)));
            }
            self.take_prefix(1);
            event = Event::Plus(Box::new(event), self.duration()?);
        }
        Ok(event)
    }

    pub(in super::super) fn event_plain(&mut self) -> Parsed<Event> {
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
        if self.counted_event() {
            return Err(Failed);
        }
        if self.is_any(&["when", "do", "in", "within", "between"]) || self.kind() == Kind::Url {
            return Err(self.expected("an event", EVENT_HELP));
        }
        let is_number = self.slice().bytes().all(|byte| byte.is_ascii_digit());
        if is_number && self.next_is_any(&["of"]) {
            self.insert("an event", "any ");
            return Err(Failed);
        }
        if is_number && self.word_at(2) == "before" {
            let help = "an event is not foreseen: begin a sentinel `from end(NAME) - 1 hour`, and \
                        write `start(…)` of that";
            return Err(self.expected("an event", help));
        }
        if is_number && self.kind() == Kind::Word {
            let help = "for three times write `a ; a ; a`, and `within` after it";
            return Err(self.expected("an event", help));
        }
        if self.is("now") || self.slice().starts_with(|c: char| c.is_ascii_digit()) {
            self.insert("an event", "at ");
            let base = self.base()?;
            return Ok(Event::At(base, self.since(start)));
        }
        if self.event_nearly() {
            return Err(Failed);
        }
        if let Some(event) = self.happening_after_point() {
            return Ok(event);
        }
        let name = self.name_before_plus("an event", EVENT_HELP)?;
        if self.kind() == Kind::Open {
            let known = HappeningKind::CALLED.map(|(word, _)| word);
            if let Some(near) = nearest(&name.text, known) {
                let message = format!("expected an event, found `{}`", shortened(&name.text));
                self.sink.near(name.place, message, near);
                return Err(Failed);
            }
            let help = "before parentheses stand `start`, `end`, `fetched` or `failed`";
            return Err(self.expected("the next part of the event", help));
        }
        let kind = self.happening_in_words(start).unwrap_or(HappeningKind::Detected);
        Ok(Event::Happening(kind, name))
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

    fn event_any(&mut self) -> Parsed<Event> {
        let help = "write `any 2 of (EVENT, EVENT, EVENT)`";
        self.advance();
        let (least, place) = self.int(help)?;
        self.expect("of", help)?;
        if self.kind() != Kind::Open {
            return Err(self.listed_without_parentheses(help));
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
            let text = count.to_string();
            let cure = Cure { start: place.start, end: place.end, text };
            match least {
                0 => self.sink.value(place, message, &help),
                _ => self.sink.value_with(place, message, &help, cure),
            }
        } else if of.len() > EVENT_CHOICES_MAX {
            self.sink.value(place, "`any` chooses among 64 events at most", "leave some out");
        }
        Ok(Event::Any { least, place, of })
    }
}
