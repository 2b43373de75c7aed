//! What a rule does.

use super::super::{Failed, Parsed, Parser, shortened};
use crate::lexer::Kind;
use crate::place::Place;
use crate::syntax::rule::Action;
use crate::syntax::{Duration, Name, Unit};

const ACTION_HELP: &str = "write `notify by CHANNEL`, `probe URL within 5 minutes`, `enable NAME`, \
                           `disable NAME` or `raise NAME`, with commas between them";

impl Parser<'_, '_> {
    /// Everything after `do`.
    pub(super) fn actions(&mut self) -> Parsed<Vec<Action>> {
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
        let name = self.next_name(before.verb()?)?;
        Some(match before {
            Action::Enable(_) => Action::Enable(name),
            Action::Disable(_) => Action::Disable(name),
            _ => Action::Raise(name),
        })
    }

    /// Whether it begins an action, also as other languages have them.
    pub(in super::super) fn is_action(&self, word: &str) -> bool {
        let words = ["notify", "probe", "enable", "disable", "raise"];
        words.iter().any(|action| word.eq_ignore_ascii_case(action))
    }

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
            if self.is("in") {
                self.instead("`within`", "within");
                self.advance();
            } else {
                self.expect("within", "write `probe URL within 5 minutes`")?;
            }
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
                return Err(self.expected_among("an action", words, ACTION_HELP));
            }
        };
        if self.is_any(&["sentinel", "rule"]) && self.name_at(1).is_some() {
            let message = format!("expected a name, found `{}`", self.slice());
            self.leave_out(self.place(), &message, "leave it out: names need no other word");
            self.advance();
        }
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
            "wait" | "sleep" => {
                let help = "write the time after the event: `on EVENT + 1 hour do …`";
                self.sink.syntax(self.place(), "no action waits", help);
                return Err(Failed);
            }
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
