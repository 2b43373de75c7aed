//! Dates, clocks and zones.

use super::{Failed, Parsed, Parser, meant, shortened};
use crate::ast::Edge;
use crate::lexer::Kind;
use crate::place::Place;
use crate::syntax::{Base, Clock, Date, Duration, Sign, Time, WrittenZone, YEAR_MAX, YEAR_MIN};
use crate::vocabulary::{clauses, is_plain_name, is_reserved, nearest};
use chronon::{Day, TimeOfDay, Zone};

const TIME_HELP: &str =
    "write `now`, `2027-01-31`, `2027-01-31 09:00` or `2027-01-31 09:00 Europe/Lisbon`";
const LIFE_HELP: &str = "write `start(NAME)`, `end(NAME)` or `end(NAME) + 1 day`";

impl Parser<'_, '_> {
    pub(super) fn absolute_time(&mut self) -> Parsed<Time> {
        let start = self.place();
        let base = self.base()?;
        let offset = self.offset()?;
        Ok(Time { base, offset, place: self.since(start) })
    }

    /// A time, or what counts from the life of another sentinel.
    pub(super) fn time(&mut self) -> Parsed<Time> {
        let start = self.place();
        if let Some(edge) = meant::of(&meant::CALLED_MEANT, self.slice())
            && self.next_kind() == Kind::Open
            && matches!(edge, "start" | "end")
        {
            self.instead("`start` or `end`", edge);
            let edge = if edge == "start" { Edge::Start } else { Edge::End };
            self.advance();
            return self.life(edge, start);
        }
        if !self.is_any(&["start", "end"]) {
            return self.absolute_time();
        }
        let edge = if self.is("start") { Edge::Start } else { Edge::End };
        self.advance();
        self.life(edge, start)
    }

    /// What follows `start` or `end`.
    fn life(&mut self, edge: Edge, start: Place) -> Parsed<Time> {
        if self.kind() == Kind::Word && is_plain_name(self.slice()) {
            let name = self.slice();
            let word = if edge == Edge::Start { "start" } else { "end" };
            let message = format!("expected `(`, found `{}`", shortened(name));
            let help = format!("write `{word}({})`", shortened(name));
            self.cure_with(self.place(), &message, &help, &format!("({name})"));
            return Err(Failed);
        }
        if !self.take_kind(Kind::Open) {
            return Err(self.expected("`(`", LIFE_HELP));
        }
        let name = self.name("the name of a sentinel", LIFE_HELP)?.text;
        if !self.take_kind(Kind::Close) {
            return Err(self.expected("`)`", LIFE_HELP));
        }
        let offset = self.offset()?;
        Ok(Time { base: Base::Life { edge, name }, offset, place: self.since(start) })
    }

    pub(super) fn base(&mut self) -> Parsed<Base> {
        if self.next_kind() == Kind::Open && self.kind() == Kind::Word {
            return Err(self.expected_among("a time", ["start", "end"], TIME_HELP));
        }
        if self.year_alone() {
            return Err(Failed);
        }
        let slice = self.slice();
        if self.kind() != Kind::Word {
            return Err(self.expected("a time", TIME_HELP));
        }
        let is_now = slice.get(..3).is_some_and(|word| word.eq_ignore_ascii_case("now"));
        if is_now && (slice.len() == 3 || slice[3..].starts_with(['+', '-'])) {
            self.take_prefix(3);
            return Ok(Base::Now);
        }
        if self.span_from_now() {
            return Err(Failed);
        }
        if self.bare_clock() {
            self.zone()?;
            return Err(Failed);
        }
        if self.date_in_words() {
            return Err(Failed);
        }
        let date = self.date()?;
        let rest = self.slice();
        let glued = self.place().start == self.end_of_last && self.kind() == Kind::Word;
        if glued && !rest.starts_with(['+', '-']) {
            let what = "white space after the date";
            let Some(clock) = rest.strip_prefix(['T', 't']) else {
                return Err(self.expected(what, TIME_HELP));
            };
            let message = format!("expected {what}, found `{}`", shortened(rest));
            let help = format!("write a space between them: `{} {clock}`", date.raw);
            self.cure_with(self.place(), &message, &help, &format!(" {clock}"));
            self.take_prefix(1);
        }
        if self.is("at") && meant::clock(self.next_slice()).is_some() {
            self.leave_out(
                self.place(),
                "no `at` stands between a date and its clock",
                "leave it out",
            );
            self.advance();
        }
        let clock = self.clock()?;
        if clock.is_some() && self.is("in") && self.next_slice().contains('/') {
            self.leave_out(self.place(), "no `in` stands before a zone", "leave it out");
            self.advance();
        }
        let zone = if clock.is_some() { self.zone()? } else { None };
        let is_slip = nearest(self.slice(), clauses().chain(["create"])).is_some();
        if clock.is_none() && self.at_zone() && !is_slip {
            let zone = self.slice();
            let message = format!("expected a clock, found `{}`", shortened(zone));
            let help = format!("write a clock before the zone: `{} 00:00 {zone}`", date.raw);
            self.cure_with(self.place(), &message, &help, &format!("00:00 {zone}"));
            self.advance();
        }
        Ok(Base::Date { date, clock, zone })
    }

    fn date(&mut self) -> Parsed<Date> {
        let slice = self.slice();
        let Some((parts, separator, length)) = date_parts(slice) else {
            let (right, help) = match slice.to_ascii_lowercase().as_str() {
                "today" => ("now", "write `now`, or the date"),
                "tomorrow" => ("now + 1 day", "write `now + 1 day`, or the date"),
                "immediately" => ("now", "write `now`"),
                _ => return Err(self.expected("a time", TIME_HELP)),
            };
            let message = format!("expected a time, found `{slice}`");
            self.cure_with(self.place(), &message, help, right);
            return Err(Failed);
        };
        let (raw, place) = self.take_prefix(length);
        let number = |at: usize| parts[at].parse::<i16>().unwrap_or(i16::MAX);
        let year = |at: usize| number(at) + if parts[at].len() == 2 { 2000 } else { 0 };
        let widths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
        let years_first = widths[0] == 4 || separator == '-' && widths[2] != 4;
        let months_first = separator == '/' && !years_first;
        let (y, m, d) = match () {
            () if years_first => (number(0), number(1), number(2)),
            () if months_first => (year(2), number(0), number(1)),
            () => (year(2), number(1), number(0)),
        };
        let well_formed = match separator {
            '-' => widths == [4, 2, 2],
            '/' => widths == [2, 2, 2] || widths == [2, 2, 4],
            _ => false,
        };
        if !well_formed {
            let message = format!("`{}` is not a date", shortened(raw));
            let (m, d) = match exists(y, m, d) {
                Some(_) => (m, d),
                None => (d, m),
            };
            if exists(y, m, d).is_none() {
                self.sink.syntax(place, message, TIME_HELP);
                return Err(Failed);
            }
            let right = format!("{y:04}-{m:02}-{d:02}");
            self.cure_with(place, &message, &format!("write {right}"), &right);
            return Err(Failed);
        }
        let day = exists(y, m, d);
        if day.is_none() {
            self.no_such_day((raw, place), (y, m, d), months_first);
        }
        Ok(Date { day, raw: raw.to_owned() })
    }

    fn no_such_day(&mut self, at: (&str, Place), (y, m, d): (i16, i16, i16), months_first: bool) {
        let (raw, place) = at;
        if months_first && m > 12 && exists(y, d, m).is_some() {
            let message = format!("`{raw}` has no month {m}: months come first here");
            self.sink.curable_value(place, message, format!("{y:04}-{d:02}-{m:02}"));
        } else if !(YEAR_MIN..=YEAR_MAX).contains(&y) {
            let message = format!("the year of `{raw}` is not between {YEAR_MIN} and {YEAR_MAX}");
            self.sink.value(place, message, "write a date in this range");
        } else {
            let message = format!("there is no day `{raw}`");
            let last = (28..31).rev().find(|&last| last < d && exists(y, m, last).is_some());
            match last.filter(|_| d <= 31) {
                Some(last) => {
                    self.sink.curable_value(place, message, format!("{y:04}-{m:02}-{last:02}"));
                }
                None => {
                    let help = "write a date of the calendar, such as 2027-01-31";
                    self.sink.value(place, message, help);
                }
            }
        }
    }

    pub(super) fn clock(&mut self) -> Parsed<Option<Clock>> {
        let slice = self.slice();
        if self.kind() != Kind::Word || !slice.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(None);
        }
        let is_clock = |c: char| c.is_ascii_digit() || c == ':';
        let length = slice.len() - slice.trim_start_matches(is_clock).len();
        let parts: Vec<&str> = slice[..length].split(':').take(4).collect();
        let help = "write hours and minutes with two digits: `09:00` or `09:00:30`";
        if !(2..=3).contains(&parts.len()) || parts.iter().any(|part| part.len() != 2) {
            let meant = meant::clock(slice).or_else(|| {
                let half = format!("{slice}{}", self.next_slice());
                meant::clock(&half).filter(|_| half.ends_with(['m', 'M']))
            });
            let Some(right) = meant else { return Err(self.expected("a clock", help)) };
            let start = self.place();
            let message = format!("expected a clock, found `{}`", shortened(slice));
            self.advance();
            if self.is_any(&["am", "pm"]) {
                self.advance();
            }
            self.cure(self.since(start), &message, &right);
            return Err(Failed);
        }
        let (raw, place) = self.take_prefix(length);
        let number = |at: usize| parts.get(at).map_or(0, |part| part.parse::<i8>().unwrap_or(99));
        let time = TimeOfDay::new(number(0), number(1), number(2));
        if time.is_none() {
            let help = if raw.starts_with("24:") { "write 00:00 of the next day" } else { help };
            self.sink.value(place, format!("there is no time of day `{raw}`"), help);
        }
        Ok(Some(Clock { time, raw: raw.to_owned() }))
    }

    fn at_zone(&self) -> bool {
        let slice = self.slice();
        let named = slice.starts_with(|c: char| c.is_ascii_alphabetic())
            && slice.chars().all(|c| c.is_ascii_alphanumeric() || "/_+-:".contains(c))
            && !slice.contains("://")
            && !is_reserved(slice);
        let is_offset = offset_length(slice).is_some() || self.offset_in_short().is_some();
        self.kind() == Kind::Word && !self.at_tag() && (named || is_offset)
    }

    fn zone(&mut self) -> Parsed<Option<WrittenZone>> {
        if !self.at_zone() {
            return Ok(None);
        }
        if let Some(right) = self.offset_in_short() {
            self.take_as(1, "a time zone", &right);
            return Ok(Some(WrittenZone { zone: Zone::parse(&right).ok(), raw: right }));
        }
        let slice = self.slice();
        let until_sign = slice.find(['+', '-']).unwrap_or(slice.len());
        let length = match offset_length(slice) {
            Some(length) => length,
            None if is_utc(&slice[..until_sign]) => until_sign,
            None => slice.len(),
        };
        let (raw, place) = self.take_prefix(length);
        let zone = Zone::parse(raw)
            .ok()
            .filter(|_| is_utc(raw) || raw.starts_with(['+', '-']) || raw.contains('/'));
        if zone.is_none() {
            let message = format!("`{}` is not a time zone", shortened(raw));
            let help = "write UTC, an offset such as +02:00, or a name such as Europe/Lisbon";
            match meant::zone(raw) {
                Some(right) => self.sink.curable_value(place, message, right),
                None => match self.zone_nearly(raw) {
                    Some(near) => self.sink.near(place, message, &near),
                    None => self.sink.value(place, message, help),
                },
            }
        }
        Ok(Some(WrittenZone { zone, raw: raw.to_owned() }))
    }

    pub(super) fn offset(&mut self) -> Parsed<Option<(Sign, Duration)>> {
        let slice = self.slice();
        let sign = match slice.as_bytes().first() {
            Some(b'+') if self.kind() == Kind::Word => Sign::Plus,
            Some(b'-') if self.kind() == Kind::Word => Sign::Minus,
            _ => return Ok(None),
        };
        self.take_prefix(1);
        Ok(Some((sign, self.duration()?)))
    }
}

/// The three numbers of a date at the beginning of `text`, what separates them, and the bytes they
/// take.
fn date_parts(text: &str) -> Option<([&str; 3], char, usize)> {
    let digits =
        |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let first = digits(text);
    let separator = text[first..].chars().next().filter(|c| matches!(c, '-' | '/' | '.'))?;
    let second = first + 1 + digits(&text[first + 1..]);
    let third = text[second..].strip_prefix(separator).map(|rest| second + 1 + digits(rest))?;
    let parts = [&text[..first], &text[first + 1..second], &text[second + 1..third]];
    let plausible = parts.iter().all(|part| (1..=4).contains(&part.len()));
    plausible.then_some((parts, separator, third))
}

fn exists(year: i16, month: i16, day: i16) -> Option<Day> {
    (YEAR_MIN..=YEAR_MAX).contains(&year).then_some(())?;
    Day::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?)
}

/// The length of `+HH:MM` at the beginning of `text`.
fn offset_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes().get(..6)?;
    let is_digit = |at: usize| bytes[at].is_ascii_digit();
    let shape = matches!(bytes[0], b'+' | b'-') && bytes[3] == b':';
    (shape && [1, 2, 4, 5].into_iter().all(is_digit)).then_some(6)
}

fn is_utc(text: &str) -> bool {
    text.eq_ignore_ascii_case("z") || text.eq_ignore_ascii_case("utc")
}
