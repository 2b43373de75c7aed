//! Every clause but `monitor`.

use super::slips::words::{PRESENTATIONS, WEIGHTS};
use super::{Failed, Parsed, Parser, meant, shortened};
use crate::Cure;
use crate::ast::{Compare, Presentation};
use crate::lexer::Kind;
use crate::limits::{
    CHANGE_HISTORY_MAX, COMPARE_WINDOW_MAX, DURATION_DAYS_MAX, TAGS_MAX, WEIGHT_MAX, WEIGHT_MIN,
};
use crate::place::Place;
use crate::syntax::{Clause, ClauseKind, Duration, Fetch, Frequency, Name, Notify, Unit};
use crate::vocabulary::{DURATION_HELP, TAG, is_plain_name, is_reserved, nearest};
use address::ChannelKind;

const NOTIFY_HELP: &str = "write `notify by email you@example.org`, then nothing, `immediately`, \
                           `best effort` or `every 1 day`";

impl Parser<'_, '_> {
    /// One clause.
    pub(super) fn clause(&mut self) -> Parsed<Clause> {
        let (start, first_token) = (self.place(), self.at);
        let keyword = if self.at_clause() || self.is(TAG) {
            let keyword = self.slice().to_ascii_lowercase();
            self.advance();
            keyword
        } else if let Some(keyword) = self.clause_meant() {
            keyword.to_owned()
        } else if let Some(failed) = self.rule_words() {
            return Err(failed);
        } else if self.scope_as_clause()
            || self.next_is_any(&["sentinel", "rule"]) && self.removal_meant()
        {
            return Err(Failed);
        } else {
            return Err(self.expected_clause());
        };
        let kind = match keyword.as_str() {
            "monitor" => self.monitor()?,
            "fetch" => ClauseKind::Fetch(self.fetch()?),
            "from" => ClauseKind::From(self.time()?),
            "for" => {
                self.advance();
                self.duration()?;
                return Err(Failed);
            }
            "to" if self.is_any(&["never", "forever", "always"]) => {
                self.advance();
                let message = "a sentinel without `to` has no end";
                self.leave_out(self.since(start), message, "leave this clause out");
                return Err(Failed);
            }
            "to" => ClauseKind::To(self.time()?),
            "daily" => {
                let period = self.stand_in(self.place());
                self.advance();
                ClauseKind::Fetch(Fetch::Every { period, within: self.within()? })
            }
            "notify by" => ClauseKind::Notify(self.notify_by()?),
            "notify" => ClauseKind::Notify(self.notify()?),
            "compare" => self.compare()?,
            "changehistory" => self.change_history()?,
            "presentation" => self.presentation()?,
            "weight" => self.weight()?,
            TAG => self.tag()?,
            "during" if self.slice().starts_with(|c: char| c.is_ascii_digit()) => {
                self.cure(start, "`during` names another sentinel", "from");
                ClauseKind::From(self.time()?)
            }
            "during" => {
                ClauseKind::During(self.name("the name of a sentinel", "write `during NAME`")?)
            }
            _ => self.then_probe()?,
        };
        let place = self.since(start);
        self.comma_after(&keyword)?;
        Ok(Clause { kind, place, first_token })
    }

    fn fetch(&mut self) -> Parsed<Fetch> {
        let start = self.place();
        if self.take("on") {
            if self.is_any(&["update", "updates", "modification", "changed"]) {
                self.instead("`change`", "change");
                self.advance();
            } else {
                self.expect("change", "write `fetch on change`")?;
            }
            if self.period_after_on_change(start)? {
                return Err(Failed);
            }
            return Ok(Fetch::OnChange { within: self.within()? });
        }
        if self.cron_meant() || self.hour_of_day() {
            return Err(Failed);
        }
        if let Some(period) = self.adverb() {
            self.instead("`every` and a duration", &format!("every {period}"));
            let period = self.stand_in(self.place());
            self.advance();
            return Ok(Fetch::Every { period, within: self.within()? });
        }
        if self.is("each") {
            self.instead("`every`", "every");
            self.advance();
            return Ok(Fetch::Every { period: self.duration()?, within: self.within()? });
        }
        if self.period_meant(&meant::RATES) {
            return Err(Failed);
        }
        let every = self.take("every");
        if every && (self.period_meant(&meant::PERIODS) || self.weekday_meant()) {
            return Err(Failed);
        }
        if !every && !self.at_duration() {
            let help = "write `fetch on change` or `fetch every 10 minutes within 2 minutes`";
            let what = "`on change` or `every` and a duration";
            return Err(self.expected_among(what, ["on", "every"], help));
        }
        let period = self.duration()?;
        self.clock_after_period();
        self.hours_after_period();
        let within = self.within()?;
        self.clock_after_period();
        self.hours_after_period();
        Ok(Fetch::Every { period, within })
    }

    /// A day for a duration in words at `place`, which has been reported.
    pub(super) fn stand_in(&self, place: Place) -> Duration {
        Duration { count: 1, unit: Unit::Day, place }
    }

    fn within(&mut self) -> Parsed<Option<Duration>> {
        match self.take("within") {
            true => self.duration().map(Some),
            false => Ok(None),
        }
    }

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
    fn notified(&mut self, channel: Name) -> Parsed<Notify> {
        if self.is("to") && self.next_slice().contains('@') {
            let message = "no `to` stands before the recipient";
            self.leave_out(self.place(), message, "leave `to` out");
            self.advance();
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
    fn further_channels(&mut self) -> Parsed<()> {
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
    fn further_contacts(&mut self, channel: &Name, start: Place) -> Parsed<()> {
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

    fn contact(&mut self) -> Parsed<Option<Name>> {
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
            Kind::Word if self.is_rule && self.is_any(&["else", "otherwise"]) => return Ok(None),
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

    fn frequency(&mut self) -> Parsed<Option<Frequency>> {
        if self.take("immediately") {
            return Ok(Some(Frequency::Immediately));
        }
        if self.take("best") {
            self.expect("effort", "write `best effort`")?;
            return Ok(Some(Frequency::BestEffort));
        }
        if self.take("every") {
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

    fn compare(&mut self) -> Parsed<ClauseKind> {
        let help = "write `compare pairwise`, `compare moving 3` or `compare every 3`";
        if self.take("pairwise") {
            self.number_after_pairwise();
            return Ok(ClauseKind::Compare { compare: Compare::Pairwise });
        }
        if self.first_meant() {
            return Ok(ClauseKind::Compare { compare: Compare::Every(3) });
        }
        if self.pairwise_meant() {
            return Ok(ClauseKind::Compare { compare: Compare::Pairwise });
        }
        let word = self.slice().split(':').next().unwrap_or_default().to_ascii_lowercase();
        let option: fn(u32) -> Compare = match word.as_str() {
            "moving" => Compare::Moving,
            "every" => Compare::Every,
            _ => {
                let words = ["pairwise", "moving", "every"];
                return Err(self.expected_among("`pairwise`, `moving` or `every`", words, help));
            }
        };
        let start = self.place();
        self.take_prefix(word.len());
        if self.slice().starts_with(':') {
            self.take_prefix(1);
        }
        let (count, place) = self.int(help)?;
        if count < 2 {
            let message = format!("`{word} {count}` compares nothing with anything");
            let help = "write 2 or more; `compare pairwise` compares each version with the last";
            let cure = Cure { start: start.start, end: place.end, text: "pairwise".into() };
            self.sink.value_with(place, message, help, cure);
        } else if count > COMPARE_WINDOW_MAX {
            let message = format!("a window has at most {COMPARE_WINDOW_MAX} versions");
            self.sink.value(place, message, "write a smaller number");
        }
        Ok(ClauseKind::Compare { compare: option(u32::try_from(count).unwrap_or(u32::MAX)) })
    }

    fn change_history(&mut self) -> Parsed<ClauseKind> {
        let (count, place) = self.int("write `changehistory 10`")?;
        if !(1..=CHANGE_HISTORY_MAX).contains(&count) {
            let message = format!("`changehistory` is from 1 to {CHANGE_HISTORY_MAX}");
            let right = count.clamp(1, CHANGE_HISTORY_MAX).to_string();
            self.sink.curable_value(place, message, right);
        }
        Ok(ClauseKind::ChangeHistory { count })
    }

    fn presentation(&mut self) -> Parsed<ClauseKind> {
        let help = "write `presentation only change`, `dual frame` (old and new side by side) or \
                    `merged` (one text with marks)";
        let found = Presentation::ALL.into_iter().find(|presentation| {
            self.is(presentation.words().split(' ').next().unwrap_or_default())
        });
        let what = "`only change`, `dual frame` or `merged`";
        if self.phrase_meant(what, &PRESENTATIONS) {
            return Err(Failed);
        }
        let Some(presentation) = found else {
            let words = Presentation::ALL.iter().flat_map(|one| one.words().split(' '));
            return Err(self.expected_among(what, words, help));
        };
        self.advance();
        if let Some((_, second)) = presentation.words().split_once(' ') {
            self.second_word(presentation.words(), second)?;
        }
        Ok(ClauseKind::Presentation(presentation))
    }

    fn tag(&mut self) -> Parsed<ClauseKind> {
        let help = "write `tag NAME`, and further names after commas";
        let start = self.place();
        let hashed = self.slice().strip_prefix('#').filter(|name| is_plain_name(name));
        if let Some(name) = hashed.map(str::to_owned) {
            self.take_as(1, "the name of a tag", &name);
            return Err(Failed);
        }
        let mut names = vec![self.name("the name of a tag", help)?];
        while self.take_kind(Kind::Comma) {
            names.push(self.name("the name of a tag", help)?);
        }
        if names.len() > TAGS_MAX {
            let message = format!("a sentinel has at most {TAGS_MAX} tags");
            self.sink.value(self.since(start), message, "leave some of them out");
        }
        let is_more = self.kind() == Kind::Word && is_plain_name(self.slice());
        if is_more && nearest(self.slice(), crate::vocabulary::clauses()).is_none() {
            let written = self.text_at(self.since(start));
            let help = format!("write `{written}, {0}`, or `` `{written} {0}` ``", self.slice());
            self.expected_here("a comma or the next clause", &help, ",");
            return Err(Failed);
        }
        Ok(ClauseKind::Tag { names })
    }

    fn weight(&mut self) -> Parsed<ClauseKind> {
        if self.phrase_meant("a number", &WEIGHTS) {
            return Err(Failed);
        }
        let (place, raw) = (self.place(), self.slice().to_owned());
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let is_number = match raw.split_once('.') {
            Some((whole, fraction)) => digits(whole) && digits(fraction),
            None => digits(&raw),
        };
        let value = raw.parse::<f64>().ok().filter(|_| is_number);
        let help =
            format!("write a number from {WEIGHT_MIN} to {WEIGHT_MAX}, such as `2` or `0.5`");
        let Some(value) = value.filter(|_| self.kind() == Kind::Word) else {
            return Err(self.expected("a number", &help));
        };
        self.advance();
        let comma = self.place();
        let fraction = self.next_slice();
        let is_fraction = digits(fraction) && self.kind() == Kind::Comma;
        if is_fraction && comma.start == place.end {
            let right = format!("{raw}.{fraction}");
            self.advance();
            self.advance();
            let whole = self.since(place);
            self.cure(whole, "a number of the language has a point, and no comma", &right);
            return Ok(ClauseKind::Weight { value: 1.0, raw });
        }
        if !(WEIGHT_MIN..=WEIGHT_MAX).contains(&value) {
            let message = format!("a weight is from {WEIGHT_MIN} to {WEIGHT_MAX}");
            let text = value.clamp(WEIGHT_MIN, WEIGHT_MAX).to_string();
            let cure = Cure { start: place.start, end: place.end, text };
            self.sink.value_with(place, message, &help, cure);
        }
        Ok(ClauseKind::Weight { value, raw })
    }

    fn then_probe(&mut self) -> Parsed<ClauseKind> {
        let help = "write `then probe URL within 5 minutes`";
        if self.then_before_clause() {
            self.advance();
            return self.notify().map(ClauseKind::Notify);
        }
        if self.is_any(&["fetch", "check", "look", "get"]) && self.next_kind() == Kind::Url {
            self.instead("`probe`", "probe");
            self.advance();
        } else if self.kind() == Kind::Url {
            self.insert("`probe`", "probe ");
        } else {
            self.expect("probe", help)?;
        }
        if self.kind() != Kind::Url && !self.at_text() && !self.slice().contains(['.', '/']) {
            return Err(self.expected("a URL to look at", help));
        }
        let sources = self.sources()?;
        if self.at_clause() || self.at_new_statement() {
            self.expected_here("`within`", help, " within 5 minutes");
            return Err(Failed);
        }
        self.expect("within", help)?;
        Ok(ClauseKind::Then { sources, within: self.duration()? })
    }
}

/// Numbers and durations.
impl Parser<'_, '_> {
    pub(super) fn int(&mut self, help: &str) -> Parsed<(u64, Place)> {
        let (place, slice) = (self.place(), self.slice());
        let digits = slice.len() - slice.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if self.kind() != Kind::Word || digits == 0 || digits < slice.len() {
            return Err(self.expected("a whole number", help));
        }
        self.number(digits).map(|number| (number, place))
    }

    /// The first `digits` bytes of the token as a number below 10^9.
    fn number(&mut self, digits: usize) -> Parsed<u64> {
        let (text, place) = self.take_prefix(digits);
        match text.parse().ok().filter(|&number: &u64| number < 1_000_000_000) {
            Some(number) => Ok(number),
            None => {
                self.sink.syntax(place, "this number is too large", "write a smaller one");
                Err(Failed)
            }
        }
    }

    fn at_duration(&self) -> bool {
        self.kind() == Kind::Word
            && (self.slice().starts_with(|c: char| c.is_ascii_digit())
                || long_unit(self.slice()).is_some())
    }

    /// A unit alone, or parts with the largest unit first: `90 sec`, `1h30m`, `1 hour 30 minutes`.
    /// Several parts come to a count of the smallest unit.
    pub(super) fn duration(&mut self) -> Parsed<Duration> {
        let start = self.place();
        self.count_in_words();
        let mut part = self.part_of_duration(None)?;
        let mut count = part.count;
        while self.kind() == Kind::Word && self.slice().starts_with(|c: char| c.is_ascii_digit()) {
            let next = self.part_of_duration(Some(part.unit))?;
            count = count * (part.unit.seconds() / next.unit.seconds()) + next.count;
            part = next;
        }
        let duration = Duration { count, unit: part.unit, place: self.since(start) };
        let days = count.saturating_mul(part.unit.seconds()) / Unit::Day.seconds();
        if count == 0 {
            self.sink.value(duration.place, "a duration is at least 1", DURATION_HELP);
        } else if days > DURATION_DAYS_MAX && part.unit != Unit::Chronon {
            let help = "write a shorter one; leave `to` out for a sentinel without an end";
            self.sink.value(duration.place, "a duration is at most a hundred years", help);
        }
        Ok(duration)
    }

    /// One count and unit, smaller than the unit `after`, if it follows one.
    fn part_of_duration(&mut self, after: Option<Unit>) -> Parsed<Duration> {
        let (start, slice) = (self.place(), self.slice());
        if self.kind() != Kind::Word {
            return Err(self.expected("a duration", DURATION_HELP));
        }
        let digits = slice.len() - slice.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let count = match digits {
            0 => 1,
            _ if self.fraction_of_time() => return Err(Failed),
            _ if slice[digits..].starts_with(['.', '/', ':']) => {
                let help = "durations are whole numbers: `90 minutes`, not `1.5 hours`";
                return Err(self.expected("a duration", help));
            }
            _ => self.number(digits)?,
        };
        let slice = if self.kind() == Kind::Word { self.slice() } else { "" };
        let letters = slice.find(|c: char| c.is_ascii_digit()).unwrap_or(slice.len());
        let found = if digits == 0 { long_unit(slice) } else { unit(&slice[..letters]) };
        let Some(unit) = found else {
            let what = if digits == 0 { "a duration" } else { "a unit of time" };
            return Err(match instead_of(slice, count) {
                Some(right) => {
                    let message = format!("expected {what}, found `{}`", shortened(slice));
                    self.advance();
                    let is_days = right.ends_with("days");
                    let right = if digits > 0 || is_days { right } else { right.replace("1 ", "") };
                    self.cure(self.since(start), &message, &right);
                    Failed
                }
                None if digits > 0 => self.unit_missing(count),
                None => self.expected(what, DURATION_HELP),
            });
        };
        self.take_prefix(letters);
        let place = self.since(start);
        let is_smaller = |after: Unit| {
            unit != Unit::Chronon && after != Unit::Chronon && unit.seconds() < after.seconds()
        };
        if !after.is_none_or(is_smaller) {
            let help = "write each unit once, the largest first: `1 hour 30 minutes`, `1h30m`";
            self.sink.syntax(place, "this unit is not smaller than the one before", help);
            return Err(Failed);
        }
        Ok(Duration { count, unit, place })
    }
}

/// A unit written out, which may stand without a number.
fn long_unit(word: &str) -> Option<Unit> {
    let word = word.to_ascii_lowercase();
    let singular = word.strip_suffix('s').unwrap_or(&word);
    Unit::ALL.iter().find(|(name, _)| *name == singular).map(|&(_, unit)| unit)
}

/// A unit after a number. Short forms are words in this place only, and names elsewhere.
pub(super) fn unit(word: &str) -> Option<Unit> {
    Some(match word.to_ascii_lowercase().as_str() {
        "s" | "sec" | "secs" => Unit::Second,
        "m" | "min" | "mins" => Unit::Minute,
        "h" | "hr" | "hrs" => Unit::Hour,
        "d" => Unit::Day,
        "w" => Unit::Week,
        word => return long_unit(word),
    })
}

/// What somebody means who writes `month`, with the count before it.
fn instead_of(word: &str, count: u64) -> Option<String> {
    let (count, unit) = match word.to_ascii_lowercase().as_str() {
        "wk" | "wks" => (count, "weeks"),
        "month" | "months" => (count.saturating_mul(30), "days"),
        "quarter" | "quarters" => (count.saturating_mul(91), "days"),
        "year" | "years" | "yr" => (count.saturating_mul(365), "days"),
        other => (count, nearest(other, Unit::ALL.iter().map(|&(name, _)| name))?),
    };
    let is_plural = count != 1 && !unit.ends_with('s');
    Some(format!("{count} {unit}{}", if is_plural { "s" } else { "" }))
}
