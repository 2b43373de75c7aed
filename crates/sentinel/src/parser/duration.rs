//! Whole numbers and durations.

use super::{Failed, Parsed, Parser, shortened};
use crate::lexer::Kind;
use crate::limits::DURATION_DAYS_MAX;
use crate::place::Place;
use crate::syntax::{Duration, Unit};
use crate::vocabulary::{DURATION_HELP, nearest};

/// Every number of a text is below this.
const NUMBER_END: u64 = 1_000_000_000;

impl Parser<'_, '_> {
    pub(super) fn int(&mut self, help: &str) -> Parsed<(u64, Place)> {
        let (place, slice) = (self.place(), self.slice());
        let digits = slice.len() - slice.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if self.kind() != Kind::Word || digits == 0 || digits < slice.len() {
            return Err(self.expected("a whole number", help));
        }
        self.number(digits).map(|number| (number, place))
    }

    /// The first `digits` bytes of the token as a number below `NUMBER_END`.
    pub(super) fn number(&mut self, digits: usize) -> Parsed<u64> {
        let (text, place) = self.take_prefix(digits);
        match text.parse().ok().filter(|&number: &u64| number < NUMBER_END) {
            Some(number) => Ok(number),
            None => {
                self.sink.syntax(place, "this number is too large", "write a smaller one");
                Err(Failed)
            }
        }
    }

    pub(super) fn at_duration(&self) -> bool {
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
            if count >= NUMBER_END {
                let message = "this is too long to be counted in its smallest unit";
                self.sink.syntax(self.since(start), message, "leave the smaller units out");
                return Err(Failed);
            }
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
    pub(super) fn part_of_duration(&mut self, after: Option<Unit>) -> Parsed<Duration> {
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
                None if digits > 0 && unit(slice.trim_end_matches('.')).is_some() => {
                    let right = slice.trim_end_matches('.').to_owned();
                    self.take_as(1, what, &right);
                    Failed
                }
                None if !slice.is_empty()
                    && digits > 0
                    && self.place().start == self.end_of_last =>
                {
                    self.expected(what, DURATION_HELP)
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

/// What somebody means who writes `month`, with the count before it.
fn instead_of(word: &str, count: u64) -> Option<String> {
    let (count, unit) = match word.to_ascii_lowercase().as_str() {
        "wk" | "wks" => (count, "weeks"),
        "month" | "months" => (count.saturating_mul(30), "days"),
        "quarter" | "quarters" => (count.saturating_mul(91), "days"),
        "year" | "years" | "yr" => (count.saturating_mul(365), "days"),
        other => (count, nearest(other, Unit::ALL.iter().map(|&(name, _)| name))?),
    };
    let count = if unit == "days" { count.min(DURATION_DAYS_MAX) } else { count };
    let is_plural = count != 1 && !unit.ends_with('s');
    Some(format!("{count} {unit}{}", if is_plural { "s" } else { "" }))
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
