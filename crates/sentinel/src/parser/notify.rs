//! `notify by`: channel, contact, frequency.

use super::{Failed, Parsed, Parser, shortened};
use crate::lexer::Kind;
use crate::place::Place;
use crate::syntax::{Frequency, Name, Notify};
use crate::vocabulary::{is_plain_name, is_reserved, nearest};
use address::ChannelKind;

const NOTIFY_HELP: &str = "write `notify by email you@example.org`, then nothing, `immediately`, \
                           `best effort` or `every 1 day`";

impl Parser<'_, '_> {
    pub(super) fn notify(&mut self) -> Parsed<Notify> {
        if self.is_any(&["me", "us"]) {
            let message = format!("expected `by`, found `{}`", self.slice());
            self.advance();
            if self.at_clause() || self.at_new_statement() {
                return Err(self.expected("`by`", NOTIFY_HELP));
            }
            let me = self.tokens[self.at - 1].place;
            self.leave_out(me, &message, "leave it out: the channel says whom");
        }
        let is_other = self.is_any(&["via", "with", "through", "using", "over", "per"]);
        if is_other {
            self.instead("`by`", "by");
            self.advance();
        } else if ChannelKind::named(&self.slice().to_ascii_lowercase()).is_some() {
            let channel = self.slice();
            let message = format!("expected `by`, found `{channel}`");
            let help = format!("write `notify by {channel}`");
            let (start, right) = (self.place(), format!("by {channel}"));
            if self.next_is_any(&["to"]) {
                let name = Name { text: channel.to_owned(), place: start };
                (0..2).for_each(|_| self.advance());
                self.cure_with(self.since(start), &message, &help, &right);
                return self.notified(name);
            }
            self.cure_with(start, &message, &help, &right);
        } else if self.kind() == Kind::Word && self.slice().contains('@') {
            self.insert("`by` and a channel", "by email ");
            let channel = Name { text: "email".to_owned(), place: self.place() };
            return self.notified(channel);
        } else {
            self.expect("by", NOTIFY_HELP)?;
        }
        self.notify_by()
    }

    /// What follows `notify by`.
    pub(super) fn notify_by(&mut self) -> Parsed<Notify> {
        let place = self.place();
        let dashboard = ChannelKind::Interactive.name();
        let channel = if self.take(dashboard) {
            Name { text: dashboard.to_owned(), place }
        } else if self.channel_glued() {
            return Err(Failed);
        } else if self.kind() == Kind::Word && self.slice().contains('@') {
            self.insert("the name of a channel", "email ");
            Name { text: "email".to_owned(), place }
        } else if self.kind() == Kind::Url {
            let help = match address::Pasted::read(self.slice()) {
                Some(pasted) => crate::urls::meant(&pasted),
                None => format!("write `notify by webhook {}`", shortened(self.slice())),
            };
            return Err(self.expected("the name of a channel", &help));
        } else {
            self.name("the name of a channel", NOTIFY_HELP)?
        };
        self.notified(channel)
    }

    /// What follows the channel.
    pub(super) fn notified(&mut self, channel: Name) -> Parsed<Notify> {
        if self.is("to") && self.next_slice().contains('@') {
            let message = "no `to` stands before the recipient";
            self.leave_out(self.place(), message, "leave `to` out");
            self.advance();
        }
        let is_labelled = matches!(self.next_kind(), Kind::Url | Kind::Quoted);
        if is_labelled && self.is_any(&["url", "address", "channel"]) {
            let label = self.slice();
            let message = format!("no `{label}` stands before the recipient");
            self.leave_out(self.place(), &message, &format!("leave `{label}` out"));
            self.advance();
        }
        let has_rooms = ["slack", "discord", "mattermost", "teams"];
        let takes_url = has_rooms.contains(&&*channel.text.to_ascii_lowercase());
        if self.slice().starts_with('#') && takes_url {
            let message = format!("expected a recipient, found `{}`", shortened(self.slice()));
            let help = "write the channel's URL instead: it says which room";
            self.sink.syntax(self.place(), message, help);
            self.advance();
            return Err(Failed);
        }
        let start = self.place();
        let contact = self.contact()?;
        if contact.is_some() {
            self.further_contacts(&channel, start)?;
        }
        let frequency = self.frequency()?;
        if frequency.is_some() {
            self.clock_after_period();
        }
        self.further_channels()?;
        Ok(Notify { channel, contact, frequency })
    }

    /// Refuses `email a@x.example and terminal`: each channel has a `notify` of its own.
    pub(super) fn further_channels(&mut self) -> Parsed<()> {
        let is_more = |parser: &Self| {
            let is_joint = parser.is("and") || parser.kind() == Kind::Comma && !parser.is_rule;
            is_joint && ChannelKind::named(&parser.next_slice().to_ascii_lowercase()).is_some()
        };
        let before = self.end_of_last;
        let joint = if self.is_rule { ", " } else { " " };
        let mut right = String::new();
        while is_more(self) {
            self.advance();
            let start = self.place();
            self.advance();
            self.contact()?;
            self.frequency()?;
            right += &format!("{joint}notify by {}", self.text_at(self.since(start)));
        }
        if !right.is_empty() {
            let place = Place::new(before, self.end_of_last);
            let help =
                format!("write a `notify` for each: `{}`", right.trim_start_matches(", ").trim());
            self.cure_with(place, "a `notify` tells by one channel", &help, &right);
        }
        Ok(())
    }

    /// Refuses `email a@x.example, b@x.example`: each has a `notify` of its own.
    pub(super) fn further_contacts(&mut self, channel: &Name, start: Place) -> Parsed<()> {
        let is_more = |parser: &Self| {
            let is_joint = parser.kind() == Kind::Comma || parser.is("and");
            let next = parser.next_slice();
            let is_address = next.contains('@') || parser.next_kind() == Kind::Quoted;
            is_joint && is_address && !parser.is_clause_word(next)
        };
        if !is_more(self) {
            return Ok(());
        }
        let mut contacts = vec![self.text_at(self.since(start)).to_owned()];
        while is_more(self) {
            self.advance();
            contacts.push(self.slice().to_owned());
            self.advance();
        }
        let after = self.place();
        self.frequency()?;
        let whole = self.since(start);
        let frequency = Place::new(after.start.min(whole.end), whole.end);
        let frequency = self.text_at(frequency).to_owned();
        let one = |contact: &String| {
            let channel = crate::print::name(&channel.text);
            format!("notify by {channel} {contact} {frequency}").trim_end().to_owned()
        };
        let all: Vec<String> = contacts.iter().map(one).collect();
        let joint = if self.is_rule { ", " } else { " " };
        let written = all.join(joint);
        let channel = crate::print::name(&channel.text);
        let right = written.strip_prefix(&format!("notify by {channel} ")).unwrap_or(&written);
        let help = format!("write a `notify` for each: `{}`", shortened(&all[all.len() - 1]));
        self.cure_with(whole, "a `notify` tells one recipient", &help, right);
        Ok(())
    }

    pub(super) fn contact(&mut self) -> Parsed<Option<Name>> {
        if let Some(contact) = self.in_angles() {
            return Ok(Some(contact));
        }
        let (place, slice) = (self.place(), self.slice());
        match self.kind() {
            Kind::Foreign => return Ok(Some(self.foreign())),
            Kind::Quoted => return self.quoted().map(Some),
            Kind::Backquoted => return self.name("a contact", NOTIFY_HELP).map(Some),
            Kind::Url => {}
            Kind::Word if is_reserved(slice) || self.at_tag() => return Ok(None),
            Kind::Word if self.at_tag_of_reserved() => return Ok(None),
            Kind::Word if self.is_rule && self.is_any(&["else", "otherwise"]) => return Ok(None),
            Kind::Word if self.frequency_nearly() => return Ok(None),
            Kind::Word if slice.contains('@') || is_plain_name(slice) => {}
            Kind::Word => {
                let what = "a contact, a frequency or the next clause";
                let message = format!("expected {what}, found `{}`", shortened(slice));
                let help = format!("write it in quotes: \"{}\"", shortened(slice));
                self.cure_with(place, &message, &help, &format!("\"{slice}\""));
            }
            _ => return Ok(None),
        }
        self.advance();
        Ok(Some(Name { text: slice.to_owned(), place }))
    }

    /// `mailto:me@example.org`, `webhook=https://…`: channel and recipient in one word.
    fn channel_glued(&mut self) -> bool {
        let slice = self.slice();
        let address = slice.strip_prefix("mailto:").map(|address| format!("email {address}"));
        let pair = slice.split_once('=').map(|(channel, rest)| (channel.to_lowercase(), rest));
        let pair = pair.filter(|(channel, _)| ChannelKind::named(channel).is_some());
        let pair = pair.map(|(channel, rest)| format!("{channel} {rest}"));
        let Some(right) = address.or(pair) else { return false };
        self.take_as(1, "a channel and a recipient", &right);
        true
    }

    /// `immediatly`: a slip of a frequency, which is no contact.
    fn frequency_nearly(&mut self) -> bool {
        let slice = self.slice();
        let near = nearest(slice, ["immediately", "every"]).filter(|_| slice.len() > 3);
        let Some(near) = near.filter(|near| near.len().abs_diff(slice.len()) <= 1) else {
            return false;
        };
        let message = format!("expected a frequency, found `{}`", shortened(slice));
        self.sink.near(self.place(), message, near);
        self.advance();
        if near == "every" {
            self.duration().ok();
        }
        true
    }

    pub(super) fn frequency(&mut self) -> Parsed<Option<Frequency>> {
        if self.take("immediately") {
            return Ok(Some(Frequency::Immediately));
        }
        if self.take("best") {
            self.expect("effort", "write `best effort`")?;
            return Ok(Some(Frequency::BestEffort));
        }
        if self.take("every") {
            if self.period_meant(&super::meant::PERIODS) {
                return Err(Failed);
            }
            return Ok(Some(Frequency::Every(self.duration()?)));
        }
        if let Some(period) = self.adverb() {
            self.instead("a frequency", &format!("every {period}"));
            let period = self.stand_in(self.place());
            self.advance();
            return Ok(Some(Frequency::Every(period)));
        }
        if self.is("on") && self.next_is_any(&["change", "changes", "detection"]) {
            self.take_as(2, "a frequency", "immediately");
            return Ok(Some(Frequency::Immediately));
        }
        if self.is_any(&["instantly", "now", "immediate", "directly"]) {
            self.instead("a frequency", "immediately");
            self.advance();
            return Ok(Some(Frequency::Immediately));
        }
        Ok(None)
    }
}
