//! Phrases for events and actions.

use super::super::meant::{clock, of};
use super::super::{Failed, Parsed, Parser};
use super::words::COUNTS;
use crate::ast::rule::HappeningKind;
use crate::lexer::Kind;
use crate::place::Place;
use crate::syntax::Name;
use crate::syntax::rule::{Condition, Event};
use crate::vocabulary::nearest;

/// How often something is to happen, and how many words say so.
struct Times {
    count: usize,
    words: usize,
}

/// What happens to a sentinel, in other words.
fn happening(word: &str) -> Option<HappeningKind> {
    match &*word.to_ascii_lowercase() {
        "fails" | "failed" | "down" | "fail" => Some(HappeningKind::Failed),
        "starts" | "started" | "begins" | "start" => Some(HappeningKind::Started),
        "ends" | "ended" | "stops" | "stopped" | "end" => Some(HappeningKind::Ended),
        "fetched" | "probed" | "succeeds" | "fetch" => Some(HappeningKind::Fetched),
        "changes" | "changed" | "change" | "fires" | "fired" | "detected" | "triggers" => {
            Some(HappeningKind::Detected)
        }
        _ => None,
    }
}

/// What happens to this sentinel, as the language says it.
fn called(kind: HappeningKind, name: &str) -> String {
    let word = HappeningKind::CALLED.into_iter().find(|(_, known)| *known == kind);
    word.map_or(name.to_owned(), |(word, _)| format!("{word}({name})"))
}

impl Parser<'_, '_> {
    /// `no a for 1 week`, `no a within 1 week`.
    pub(in super::super) fn absence_meant(&mut self) -> Parsed<bool> {
        let joint = self.word_at(2);
        let Some(name) = self.name_at(1).map(str::to_owned) else { return Ok(false) };
        if !self.is("no") || !matches!(&*joint, "for" | "within" | "in" | "since") {
            return Ok(false);
        }
        let start = self.place();
        (0..3).for_each(|_| self.advance());
        let span = self.place();
        self.duration()?;
        let span = self.text_at(self.since(span)).to_owned();
        let place = self.since(start);
        let message = format!("expected an event, found `{}`", self.text_at(place));
        self.cure(place, &message, &format!("not ({name}) between {name} and {name} + {span}"));
        Ok(true)
    }

    /// `3 times a`, `twice a` before a name.
    pub(in super::super) fn times_before(&mut self) -> Option<Name> {
        let Times { count, words } = self.times_at(0)?;
        let name = self.name_at(words)?.to_owned();
        let place = self.tokens[self.at + words].place;
        self.take_as(words + 1, "an event", &vec![name.as_str(); count].join(" ; "));
        Some(Name { text: name.trim_matches('`').to_owned(), place })
    }

    /// `a twice`, `a 3 times`: what goes on after the name at `start`.
    pub(in super::super) fn times_after(&mut self, start: Place) {
        let Some(Times { count, words }) = self.times_at(0) else { return };
        let written = self.text_at(self.since(start)).to_owned();
        let at = self.place();
        (0..words).for_each(|_| self.advance());
        let message = format!(
            "expected the next part of the event, found `{}`",
            self.text_at(self.since(at))
        );
        let right = vec![written.as_str(); count].join(" ; ");
        self.cure(self.since(start), &message, &right);
    }

    /// `twice`, `3 times`.
    fn times_at(&self, ahead: usize) -> Option<Times> {
        let word = self.word_at(ahead);
        let known = [("once", 1), ("twice", 2), ("thrice", 3)];
        if let Some((_, count)) = known.iter().find(|(known, _)| *known == word) {
            return Some(Times { count: *count, words: 1 });
        }
        let word = of(&COUNTS, &word).unwrap_or(&word);
        let count = word.parse().ok().filter(|count| (1..=20).contains(count))?;
        matches!(&*self.word_at(ahead + 1), "times" | "x").then_some(Times { count, words: 2 })
    }

    /// `a before b`, `a after b`, `a without b within 1 hour`: what goes on after the name at
    /// `start`.
    pub(in super::super) fn joint_in_words(&mut self, start: Place) -> Parsed<bool> {
        let one = self.text_at(self.since(start)).to_owned();
        let is_unless = self.is("unless") && !self.is_state_of_name();
        if self.is("without")
            || is_unless
            || self.is_any(&["but", "and"]) && self.word_at(1) == "not"
        {
            return self.without_meant(start, &one);
        }
        let Some(other) = self.name_at(1).map(str::to_owned) else { return Ok(false) };
        let right = match () {
            () if self.is("before") => format!("{one} ; {other}"),
            () if self.is("after") => format!("{other} ; {one}"),
            () => return Ok(false),
        };
        let message = format!("expected `;`, found `{}`", self.slice());
        (0..2).for_each(|_| self.advance());
        self.cure(self.since(start), &message, &right);
        Ok(true)
    }

    /// `b is enabled`, `time after 22:00`.
    pub(in super::super) fn condition_in_words(&mut self) -> Option<Condition> {
        let what = "a condition";
        let name = self.name_at(0).map(str::to_owned);
        let is = usize::from(self.word_at(1) == "is");
        if matches!(&*self.word_at(1 + is), "enabled" | "active")
            && let Some(name) = name
        {
            let place = self.place();
            self.take_as(2 + is, what, &format!("enabled({name})"));
            let text = name.trim_matches('`').to_owned();
            return Some(Condition::Enabled(Name { text, place }));
        }
        let clock = clock(&self.word_at(2)).filter(|_| self.is("time"))?;
        let right = match &*self.word_at(1) {
            "after" | ">" | ">=" | "from" => format!("time between {clock} and 00:00"),
            "before" | "<" | "<=" | "until" => format!("time between 00:00 and {clock}"),
            _ => return None,
        };
        self.take_as(3, what, &right);
        // Something that holds the place: the rule is not carried out.
        Some(Condition::Count(aspect::Operator::AtLeast, 1))
    }

    /// `a, b` where `(a, b)` belongs.
    pub(in super::super) fn listed_without_parentheses(&mut self, help: &str) -> Failed {
        let mut count = usize::from(self.name_at(0).is_some());
        let comma = |parser: &Self, at: usize| {
            parser.tokens.get(parser.at + at).is_some_and(|token| token.kind == Kind::Comma)
        };
        while count > 0 && comma(self, count) && self.name_at(count + 1).is_some() {
            count += 2;
        }
        if count < 3 {
            return self.expected("`(`", help);
        }
        let start = self.place();
        (0..count).for_each(|_| self.advance());
        let place = self.since(start);
        let right = format!("({})", self.text_at(place));
        self.cure(place, "the events to choose among stand in parentheses", &right);
        Failed
    }

    /// `a.started` for `start(a)`.
    pub(in super::super) fn happening_after_point(&mut self) -> Option<Event> {
        let (name, word) = self.slice().split_once('.').filter(|_| self.kind() == Kind::Word)?;
        let (name, kind) = (name.to_owned(), happening(word)?);
        let place = self.place();
        self.take_as(1, "an event", &called(kind, &name));
        Some(Event::Happening(kind, Name { text: name, place }))
    }

    /// `a fails`, `a is down`, `a starts`: the event that is meant of the name at `start`.
    pub(in super::super) fn happening_in_words(&mut self, start: Place) -> Option<HappeningKind> {
        let (count, word) = match &*self.word_at(0) {
            "is" | "goes" | "was" | "has" => (2, self.word_at(1)),
            word => (1, word.to_owned()),
        };
        let kind = happening(&word)?;
        let name = self.text_at(self.since(start)).to_owned();
        (0..count).for_each(|_| self.advance());
        let place = self.since(start);
        let message = format!("expected an event, found `{}`", self.text_at(place));
        self.cure(place, &message, &called(kind, &name));
        Some(kind)
    }

    /// At `unless b is enabled`, `unless active(b)`: a condition follows.
    fn is_state_of_name(&self) -> bool {
        let after = self.tokens.get(self.at + 2).map(|token| token.kind);
        after == Some(Kind::Open) || self.word_at(2) == "is"
    }

    /// `1 hour after a`: the event, and what is waited for.
    pub(in super::super) fn span_before_event(&mut self) -> Parsed<Option<Event>> {
        let is_after = |word: &str| matches!(word, "after" | "past" | "since" | "from");
        let Some(words) = (1..=2).find(|&words| is_after(&self.word_at(words))) else {
            return Ok(None);
        };
        let start = self.place();
        let (counted, unit) = (of(&COUNTS, self.slice()), self.word_at(1));
        let (span, text) = match counted.filter(|_| words == 2) {
            Some(count) => {
                (0..words).for_each(|_| self.advance());
                (self.stand_in(start), format!("{count} {unit}"))
            }
            None if self.slice().starts_with(|c: char| c.is_ascii_digit()) => {
                let span = self.duration()?;
                (span, self.text_at(span.place).to_owned())
            }
            None => return Ok(None),
        };
        self.advance();
        let operand = self.place();
        let event = self.event_plain()?;
        let right = format!("{} + {text}", self.text_at(self.since(operand)));
        let place = self.since(start);
        let message = format!("expected an event, found `{}`", self.text_at(place));
        self.cure(place, &message, &right);
        Ok(Some(Event::Plus(Box::new(event), span)))
    }

    fn without_meant(&mut self, start: Place, one: &str) -> Parsed<bool> {
        let message = "what does not happen needs an interval";
        let ahead = if self.is_any(&["without", "unless"]) { 1 } else { 2 };
        let Some(other) = self.name_at(ahead).map(str::to_owned) else { return Ok(false) };
        (0..=ahead).for_each(|_| self.advance());
        if !self.take("within") {
            let right = format!("not ({other}) between {one} and {one} + 1 hour");
            let help = format!("write `{right}`, or another event instead of `{one} + 1 hour`");
            self.cure_with(self.since(start), message, &help, &right);
            return Ok(true);
        }
        let span = self.place();
        self.duration()?;
        let span = self.text_at(self.since(span)).to_owned();
        let right = format!("not ({other}) between {one} and {one} + {span}");
        self.cure(self.since(start), message, &right);
        Ok(true)
    }

    /// `all of (a, b)`: each of them.
    pub(in super::super) fn all_of(&mut self) -> bool {
        let (what, mut names) = ("an event", Vec::new());
        while let Some(name) = self.name_at(2 + 2 * names.len() + 1) {
            names.push(name.to_owned());
        }
        let is_all = self.is("all") && self.word_at(1) == "of" && names.len() > 1;
        if is_all {
            let count = 2 + 2 * names.len() + 1;
            self.take_as(count, what, &format!("({})", names.join(" and ")));
        }
        is_all
    }

    /// `both a and b`, `either a or b`, `any of (…)`, `one of (…)`: the word before them.
    pub(in super::super) fn word_before_event(&mut self) -> Parsed<()> {
        if self.is_any(&["both", "either"]) && self.name_at(1).is_some() {
            let help = "leave it out: `a and b`, `a or b`";
            self.leave_out(
                self.place(),
                &format!("no `{}` stands before events", self.slice()),
                help,
            );
            self.advance();
        }
        let counted = match () {
            () if self.is_any(&["any", "one", "some"]) => "any 1",
            () if self.is("two") => "any 2",
            () if self.is("three") => "any 3",
            () => return Ok(()),
        };
        let is_group = self.tokens.get(self.at + 2).is_some_and(|token| token.kind == Kind::Open);
        if self.word_at(1) == "of" && is_group {
            let message = format!("expected an event, found `{}`", self.slice());
            self.cure(self.place(), &message, counted);
            return Err(Failed);
        }
        Ok(())
    }

    /// A name after a comma where the action before it takes one name: `enable a, b`.
    pub(in super::super) fn next_name(&mut self, verb: &str) -> Option<Name> {
        let is_name = self.name_at(0).is_some() && !self.is_action(self.slice());
        let is_slip = nearest(self.slice(), ["notify", "probe", "enable", "disable", "raise"]);
        if !is_name || is_slip.is_some() {
            return None;
        }
        self.insert("an action", &format!("{verb} "));
        let place = self.place();
        let text = self.slice().trim_matches('`').to_owned();
        self.advance();
        Some(Name { text, place })
    }
}
