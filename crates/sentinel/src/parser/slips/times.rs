//! Dates in words, days of the week, lines of a crontab.

use super::super::Parser;
use super::super::duration::unit;
use super::super::meant::{DAY_THAT_IS_OVER, clock, of};
use crate::lexer::Kind;
use crate::vocabulary::nearest;
use chronon::Day;

/// The errors after which no zone is looked for by its letters.
const ZONES_TRIED_MAX: usize = 100;

/// Days of the week, and a date of each that is over.
const WEEKDAYS: [(&str, &str); 7] = [
    ("monday", "2026-01-05"),
    ("tuesday", "2026-01-06"),
    ("wednesday", "2026-01-07"),
    ("thursday", "2026-01-01"),
    ("friday", "2026-01-02"),
    ("saturday", "2026-01-03"),
    ("sunday", "2026-01-04"),
];

/// What lies ahead, in words.
const AHEAD: [(&str, &str); 6] = [
    ("minute", "now + 1 minute"),
    ("hour", "now + 1 hour"),
    ("day", "now + 1 day"),
    ("week", "now + 1 week"),
    ("month", "now + 30 days"),
    ("year", "now + 365 days"),
];

/// The number that a word is, `1st` and `31,` too.
fn ordinal(word: &str) -> Option<i16> {
    let digits = word.trim_end_matches(char::is_alphabetic);
    let ending = &word[digits.len()..];
    matches!(ending, "" | "st" | "nd" | "rd" | "th").then(|| digits.parse().ok())?
}

/// What a line of a crontab means, if it is `fetch every …` of the language.
fn cron(fields: &[&str]) -> Option<String> {
    let &[minute, hour, "*", "*", weekday] = fields else { return None };
    let step = |field: &str| field.strip_prefix("*/").and_then(|step| step.parse::<u32>().ok());
    let whole = |field: &str| field.parse::<u8>().ok();
    let every = |count: u32, unit: &str| {
        Some(if count == 1 { format!("every 1 {unit}") } else { format!("every {count} {unit}s") })
    };
    if let (Some(minute), Some(hour)) = (whole(minute), whole(hour)) {
        let time = clock(&format!("{hour}:{minute:02}"))?;
        let names = WEEKDAYS.map(|(name, _)| &name[..3]);
        let number = whole(weekday).map(|number| usize::from((number + 6) % 7));
        let number =
            number.or_else(|| names.iter().position(|name| weekday.eq_ignore_ascii_case(name)));
        return match number {
            // The language has no days of work: the other two are looked at, too.
            None if matches!(weekday, "*" | "1-5") || weekday.eq_ignore_ascii_case("mon-fri") => {
                Some(format!("every 1 day from {DAY_THAT_IS_OVER} {time}"))
            }
            None => None,
            Some(at) => Some(format!("every 1 week from {} {time}", WEEKDAYS[at].1)),
        };
    }
    match (minute, hour, weekday) {
        ("*", "*", "*") => every(1, "minute"),
        (minute, "*", "*") if step(minute).is_some() => every(step(minute)?, "minute"),
        (minute, "*", "*") if whole(minute).is_some() => every(1, "hour"),
        (minute, hour, "*") if whole(minute).is_some() => every(step(hour)?, "hour"),
        _ => None,
    }
}

impl Parser<'_, '_> {
    /// `+0100`, `GMT+2`, `UTC-05:00`: an offset as the language has it.
    pub(in super::super) fn offset_in_short(&self) -> Option<String> {
        let upper = self.slice().to_uppercase();
        let named = ["GMT", "UTC"].iter().find_map(|name| upper.strip_prefix(name));
        let written = named.unwrap_or(&upper);
        let sign = written.chars().next().filter(|sign| matches!(sign, '+' | '-'))?;
        let digits = written[1..].replace(':', "");
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let is_span = unit(&self.word_at(1)).is_some();
        let is_whole = digits.len() == 4 && !written.contains(':');
        if !is_number || digits.len() > 4 || is_span || named.is_none() && !is_whole {
            return None;
        }
        let (hours, minutes) = match digits.len() {
            1 | 2 => (&*digits, "00"),
            length => digits.split_at(length - 2),
        };
        let right = format!("{sign}{hours:0>2}:{minutes}");
        chronon::Zone::parse(&right).is_ok().then_some(right)
    }

    /// `2030` where a time is expected: the first day of that year.
    pub(in super::super) fn year_alone(&mut self) -> bool {
        let year = self.slice().parse().ok().filter(|year| (1970..=9000).contains(year));
        let Some(year) = year.filter(|_: &i16| unit(&self.word_at(1)).is_none()) else {
            return false;
        };
        self.take_as(1, "a time", &format!("{year}-01-01"));
        true
    }

    /// The zone whose name is nearly this one; not looked for any more after many errors.
    pub(in super::super) fn zone_nearly(&self, written: &str) -> Option<String> {
        let is_named = written.contains('/') && self.sink.errors() < ZONES_TRIED_MAX;
        let names = if is_named { chronon::Zone::names() } else { Vec::new() };
        nearest(written, names.iter().map(String::as_str)).map(str::to_owned)
    }

    /// `monday at 09:00` after `every`.
    pub(in super::super) fn weekday_meant(&mut self) -> bool {
        let word = self.word_at(0);
        let is_work = ["weekday", "workday"].contains(&&*word) && !self.has_word("from");
        if let Some(time) = clock(&self.word_at(2)).filter(|_| is_work && self.word_at(1) == "at") {
            let (start, right) = (self.place(), format!("1 day from {DAY_THAT_IS_OVER} {time}"));
            (0..3).for_each(|_| self.advance());
            let message = format!("expected a duration, found `{word}`");
            let help = format!("write `{right}`: on Saturday and Sunday it looks, too");
            self.cure_with(self.since(start), &message, &help, &right);
            return true;
        }
        let Some(date) = of(&WEEKDAYS, word.strip_suffix('s').unwrap_or(&word)) else {
            return false;
        };
        let at = usize::from(self.word_at(1) == "at");
        let time = clock(&self.word_at(1 + at));
        let count = if time.is_some() { 2 + at } else { 1 };
        if self.has_word("from") {
            let message = format!("expected a duration, found `{}`", self.slice());
            let help = format!("write `every 1 week`, and {date} as the date of `from`");
            self.sink.syntax(self.place(), message, &help);
            return true;
        }
        let time = time.unwrap_or_else(|| "00:00".to_owned());
        self.take_as(count, "a duration", &format!("1 week from {date} {time}"));
        true
    }

    /// A line of a crontab after `fetch`, with or without quotes and `cron` before it.
    pub(in super::super) fn cron_meant(&mut self) -> bool {
        let named = usize::from(self.is_any(&["cron", "schedule", "at"]));
        let quoted = self.tokens.get(self.at + named).filter(|token| token.kind == Kind::Quoted);
        let line = match quoted {
            Some(token) => self.text_at(token.place).trim_matches('"').to_owned(),
            None => (0..5).map(|at| self.word_at(named + at)).collect::<Vec<_>>().join(" "),
        };
        let fields: Vec<&str> = line.split_whitespace().collect();
        let is_field =
            |field: &&str| field.chars().all(|c| c.is_alphanumeric() || "*/,-".contains(c));
        // `10 minutes monitor keyword oil*` is none.
        let is_time = |field: &&str| field.starts_with(|c: char| c.is_ascii_digit() || c == '*');
        let is_line = fields.len() == 5
            && fields[..2].iter().all(is_time)
            && fields.iter().all(is_field)
            && line.contains('*');
        if !is_line {
            return false;
        }
        let count = named + if quoted.is_some() { 1 } else { 5 };
        let what = "`on change` or `every` and a duration";
        match cron(&fields).filter(|right| !right.contains("from") || !self.has_word("from")) {
            Some(right) if fields[4].contains('-') => {
                let start = self.place();
                let message = format!("expected {what}, found a line of a crontab");
                let help = format!("write `{right}`: on Saturday and Sunday it looks, too");
                (0..count).for_each(|_| self.advance());
                self.cure_with(self.since(start), &message, &help, &right);
            }
            Some(right) => self.take_as(count, what, &right),
            None => {
                let help = "write how often: `every 10 minutes`; the time of the first look stands \
                            in `from`";
                self.expected(what, help);
                (0..count).for_each(|_| self.advance());
            }
        }
        true
    }

    /// `between 9:00 and 17:00` after a period.
    pub(in super::super) fn hours_after_period(&mut self) {
        let is_hours = self.is("between") && clock(&self.word_at(1)).is_some();
        if !is_hours || self.word_at(2) != "and" || clock(&self.word_at(3)).is_none() {
            return;
        }
        let start = self.place();
        (0..4).for_each(|_| self.advance());
        let help = "leave it out; `quiet_hours` of a channel keep messages for the morning";
        self.leave_out(self.since(start), "a sentinel looks at all hours of the day", help);
    }

    /// `1 January 2030`, `January 31, 2030`, `next week` where a time is expected.
    pub(in super::super) fn date_in_words(&mut self) -> bool {
        let words = [0, 1, 2].map(|at| self.word_at(at));
        if words[0] == "next" || words[0] == "in" {
            let unit = if words[0] == "in" { String::new() } else { words[1].clone() };
            if let Some(right) = of(&AHEAD, &unit) {
                self.take_as(2, "a time", right);
                return true;
            }
            if words[0] == "in" && words[1].starts_with(|c: char| c.is_ascii_digit()) {
                self.instead("a time", "now +");
                return true;
            }
            return false;
        }
        let comma = self.tokens.get(self.at + 2).is_some_and(|token| token.kind == Kind::Comma);
        let (day, named, year, count) = match (chronon::month(&words[0]), chronon::month(&words[1]))
        {
            (Some(named), _) if comma => (&words[1], named, self.word_at(3), 4),
            (Some(named), _) => (&words[1], named, words[2].clone(), 3),
            (None, Some(named)) => (&words[0], named, words[2].clone(), 3),
            (None, None) => return false,
        };
        let day = ordinal(day).and_then(|day| i8::try_from(day).ok());
        let year = year.parse::<i16>().ok().filter(|year| (1970..=9000).contains(year));
        let date = year.zip(day).and_then(|(year, day)| Day::new(year, named, day));
        let Some(date) = date else { return false };
        self.take_as(count, "a date", &date.to_string());
        true
    }
}
