//! Phrases of several words that people write, and what the language has for them.
//!
//! As in `meant.rs`, each is one error with its cure. The words are taken, and what they stand for
//! is left out of what is read.

mod events;
mod leaves;
mod rules;
pub(super) mod words;

pub(super) use rules::FAR_AHEAD;

use super::meant::{DAY_THAT_IS_OVER, clock, of};
use super::{Failed, Parsed, Parser, shortened};
use crate::lexer::Kind;
use crate::place::Place;
use crate::vocabulary::is_plain_name;
use chronon::Day;
use select::Language;

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

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
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

/// Words of a page's parts that hold a number.
const NUMBERS: [&str; 4] = ["price", "prices", "cost", "amount"];

/// Words before what a page or a text has in it.
const CONTAINS: [&str; 5] = ["contains", "contain", "includes", "has", "mentions"];

/// The month that a word names, in full or by three letters.
fn month(word: &str) -> Option<i8> {
    let word = word.trim_end_matches('.').to_lowercase();
    let is_meant = |month: &&str| *month == word || word.len() == 3 && month.starts_with(&word);
    MONTHS.iter().position(is_meant).and_then(|at| i8::try_from(at + 1).ok())
}

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
        let number = number.or_else(|| {
            names
                .iter()
                .position(|name| weekday.get(..3).is_some_and(|it| it.eq_ignore_ascii_case(name)))
        });
        return match number {
            None if weekday == "*" => Some(format!("every 1 day from {DAY_THAT_IS_OVER} {time}")),
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
    /// Whether another word for a sentinel or a rule stands before a name and `joint`.
    pub(super) fn kind_meant(&self, joint: &str) -> bool {
        let words = [
            "watch", "monitor", "watcher", "alert", "job", "page", "tracker", "check", "trigger",
            "event", "action",
        ];
        self.is_any(&words) && self.name_at(1).is_some() && self.word_at(2) == joint
    }

    /// The word `ahead` tokens further, in small letters; empty where none stands.
    pub(super) fn word_at(&self, ahead: usize) -> String {
        let token = self.tokens.get(self.at + ahead).filter(|token| token.kind == Kind::Word);
        token.map_or(String::new(), |token| self.text_at(token.place).to_lowercase())
    }

    /// The name `ahead` tokens further, as the text has it.
    pub(super) fn name_at(&self, ahead: usize) -> Option<&str> {
        let token = self.tokens.get(self.at + ahead)?;
        let slice = self.text_at(token.place);
        let is_name = match token.kind {
            Kind::Word => is_plain_name(slice),
            kind => kind == Kind::Backquoted,
        };
        is_name.then_some(slice)
    }

    /// Takes `count` tokens, reported as `right`.
    pub(super) fn take_as(&mut self, count: usize, what: &str, right: &str) {
        let start = self.place();
        (0..count).for_each(|_| self.advance());
        let place = self.since(start);
        let message = format!("expected {what}, found `{}`", shortened(self.text_at(place)));
        self.cure(place, &message, right);
    }

    /// `monday at 09:00` after `every`.
    pub(super) fn weekday_meant(&mut self) -> bool {
        let word = self.word_at(0);
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
    pub(super) fn cron_meant(&mut self) -> bool {
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
    pub(super) fn hours_after_period(&mut self) {
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
    pub(super) fn date_in_words(&mut self) -> bool {
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
        let (day, named, year, count) = match (month(&words[0]), month(&words[1])) {
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

    /// `previous`, `last version` and the like after `compare`.
    pub(super) fn pairwise_meant(&mut self) -> bool {
        let with = usize::from(self.is_any(&["with", "to", "against"]));
        let article = usize::from(self.word_at(with) == "the");
        let known = ["previous", "last", "latest", "before", "prior", "newest", "each"];
        if !known.contains(&&*self.word_at(with + article)) {
            // The words are one slip.
            (1..with + article + 1).for_each(|_| self.advance());
            return false;
        }
        let version = self.word_at(with + article + 1);
        let noun = usize::from(matches!(&*version, "version" | "versions" | "one" | "other"));
        self.take_as(with + article + 1 + noun, "`pairwise`, `moving` or `every`", "pairwise");
        true
    }

    /// `delete sentinel a` where a statement is expected.
    pub(super) fn removal_meant(&mut self) -> bool {
        let verb = match &*self.word_at(0) {
            "delete" | "remove" | "drop" => "remove",
            "disable" | "pause" | "stop" => "disable",
            "enable" | "resume" => "enable",
            _ => return false,
        };
        let noun = usize::from(matches!(&*self.word_at(1), "sentinel" | "rule"));
        let Some(name) = self.name_at(1 + noun).map(str::to_owned) else { return false };
        let start = self.place();
        while !self.at_new_statement() && self.kind() != Kind::Semicolon {
            self.advance();
        }
        self.take_kind(Kind::Semicolon);
        let message = "a file says what is to be watched, and not what is to be done";
        let help = format!("leave it out, and run `tidings {verb} {name}`");
        self.leave_out(self.since(start), message, &help);
        true
    }

    /// `first`, `with the original` after `compare`.
    pub(super) fn first_meant(&mut self) -> bool {
        let with = usize::from(self.is_any(&["with", "to", "against"]));
        let article = usize::from(self.word_at(with) == "the");
        let known = ["first", "original", "initial", "baseline", "oldest"];
        if !known.contains(&&*self.word_at(with + article)) {
            return false;
        }
        let noun = usize::from(self.word_at(with + article + 1) == "version");
        let start = self.place();
        (0..with + article + 1 + noun).for_each(|_| self.advance());
        let place = self.since(start);
        let found = self.text_at(place);
        let message = format!("expected `pairwise`, `moving` or `every`, found `{found}`");
        let help = "write `every 3`: the first of three versions with the third, and so on; \
                    `pairwise` compares each with the last";
        self.cure_with(place, &message, help, "every 3");
        true
    }

    /// A leaf in words: `text contains oil`, `price < 40`, `changes in css "…"`.
    pub(super) fn leaf_in_words(&mut self, may_be_word: bool) -> bool {
        let what = "what to monitor";
        let after = usize::from(!CONTAINS.contains(&&*self.word_at(0)));
        let is_whole = ["page", "text", "content", "it", "title"].contains(&&*self.word_at(0));
        if CONTAINS.contains(&&*self.word_at(after)) && (after == 0 || is_whole) {
            let found = self.tokens.get(self.at + after + 1).map(|token| token.kind);
            if found == Some(Kind::Quoted) {
                self.take_as(after + 1, what, "phrase");
                return true;
            }
            let mut words: Vec<&str> = self.name_at(after + 1).into_iter().collect();
            let mut count = after + 1 + words.len();
            while !words.is_empty()
                && self.word_at(count) == "or"
                && let Some(word) = self.name_at(count + 1)
            {
                words.push(word);
                count += 2;
            }
            let right = format!("keyword {}", words.join(", "));
            let is_found = !words.is_empty();
            if is_found {
                self.take_as(count, what, &right);
            }
            return is_found;
        }
        let is_change = self.is_any(&["change", "changes", "anything"]);
        if is_change && self.word_at(1) == "in" && self.language_at(2).is_some() {
            self.take_as(2, what, "any change inside");
            (0..2).for_each(|_| self.advance());
            return true;
        }
        let word = self.word_at(0);
        if !is_plain_name(&word) {
            return false;
        }
        let is_value = NUMBERS.contains(&&*word) && self.word_at(1).starts_with("change");
        if is_value && self.word_at(2) != "by" {
            self.take_as(2, what, &format!("value of css \".{word}\""));
            return true;
        }
        let is_number = NUMBERS.contains(&&*word);
        let is_sign = self.word_at(1).starts_with(['<', '>', '=']);
        let in_words = self.comparison_at(1);
        let is_tested = is_sign || in_words.is_some() || self.word_at(1) == "changes";
        let is_leaf = ["links", "images", "words"].contains(&&*self.word_at(1));
        if is_leaf && self.has_word("as") {
            let right = format!("{} of {word}", self.word_at(1));
            self.take_as(2, what, &right);
            return true;
        }
        if is_number || is_tested {
            let help = format!("say where the number stands: `value of css \".{word}\"`");
            let message = format!("expected {what}, found `{}`", self.slice());
            let (words, sign) = in_words.unwrap_or_default();
            let right = format!("value of css \".{word}\" {sign}");
            let start = self.place();
            (0..words).for_each(|_| self.advance());
            let place = start.until(self.place());
            self.cure_with(place, &message, &help, right.trim_end());
        } else if may_be_word {
            let help = format!("write `keyword {word}` for a word of the page");
            let message = format!("expected {what}, found `{}`", self.slice());
            let right = format!("keyword {}", self.slice());
            self.cure_with(self.place(), &message, &help, &right);
        } else {
            return false;
        }
        self.advance();
        true
    }

    fn language_at(&self, ahead: usize) -> Option<Language> {
        let word = self.word_at(ahead);
        Language::ALL.into_iter().find(|language| language.is_scope() && language.word() == word)
    }

    /// `between 20 and 40` after a value: both bounds.
    pub(super) fn range_meant(&mut self, value: Place) -> Parsed<bool> {
        let begins = |word: &str| word.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        if !self.is("between") || !begins(&self.word_at(1)) {
            return Ok(false);
        }
        let start = self.place();
        self.advance();
        let from = self.place();
        self.amount()?;
        let from = self.text_at(self.since(from)).to_owned();
        if !self.is_any(&["and", "to"]) {
            self.expected("`and` and a number", "write `>= 20 and value of css \"…\" <= 40`");
            return Err(Failed);
        }
        self.advance();
        let to = self.place();
        self.amount()?;
        let to = self.text_at(self.since(to)).to_owned();
        let place = self.since(start);
        let right = format!(">= {from} and {} <= {to}", self.text_at(value));
        let message = format!("expected a test, found `{}`", self.text_at(place));
        self.cure(place, &message, &right);
        Ok(true)
    }

    /// `"oil" or "gas"` after `keyword`: a list of words.
    pub(super) fn quoted_words(&mut self) -> bool {
        let text = |at: usize| {
            let token = self.tokens.get(at).filter(|token| token.kind == Kind::Quoted)?;
            let inside = self.text_at(token.place).trim_matches('"').trim();
            let is_word = !inside.is_empty() && inside.chars().all(char::is_alphanumeric);
            is_word.then(|| inside.to_owned())
        };
        let mut words: Vec<String> = text(self.at).into_iter().collect();
        let mut count = words.len();
        while let Some(joint) = self.tokens.get(self.at + count)
            && (joint.kind == Kind::Comma || self.word_at(count) == "or")
            && let Some(word) = text(self.at + count + 1)
        {
            words.push(word);
            count += 2;
        }
        if words.len() < 2 {
            return false;
        }
        self.take_as(count, "words", &words.join(", "));
        true
    }

    /// What is left out of a page in other words: `except css "nav"`, `ignore "ads"`; and `in css`.
    pub(super) fn left_out(&mut self) -> bool {
        let words = ["ignore", "excluding", "exclude", "without", "except", "skip"];
        let is_other = self.is_any(&words);
        let is_named = self.next_kind() == Kind::Word && is_plain_name(self.next_slice());
        let is_within = self.is_any(&["in", "within", "under", "at"]);
        if self.language_at(1).is_some() && (is_other || is_within || self.is("ignoring")) {
            let right = if is_within { "inside" } else { "outside" };
            self.instead(&format!("`{right}`"), right);
        } else if is_other && self.next_kind() == Kind::Quoted {
            self.instead("`ignoring`", "ignoring");
        } else if is_other && is_named {
            let right = format!("ignoring \"{}\"", self.next_slice());
            self.take_as(2, "`ignoring` and a text", &right);
        } else {
            return false;
        }
        true
    }

    /// `ignore css "nav"` where a clause is expected.
    pub(super) fn scope_as_clause(&mut self) -> bool {
        let words = ["ignore", "ignoring", "exclude", "excluding", "without", "except", "skip"];
        let is_scope = self.is_any(&["inside", "outside"]);
        if !is_scope && !self.is_any(&words) {
            return false;
        }
        let word = match self.next_kind() {
            _ if self.language_at(1).is_some() => {
                if self.is("inside") {
                    "inside"
                } else {
                    "outside"
                }
            }
            Kind::Quoted if !is_scope => "ignoring",
            _ => return false,
        };
        let message = format!("expected a clause, found `{}`", self.slice());
        let has_monitor = self.has_word("monitor");
        if has_monitor {
            let help = format!("write `{word} …` at the end of `monitor`");
            self.sink.syntax(self.place(), message, &help);
        } else {
            self.cure(self.place(), &message, &format!("monitor any change {word}"));
        }
        true
    }
}
