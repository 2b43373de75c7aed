//! What people write who know other tools, and what they mean by it.
//!
//! Each of these is an error with a certain cure. Reading goes on as if the cure stood there, so
//! that one slip has one diagnostic.

use super::{Failed, Parsed, Parser, shortened};
use crate::lexer::Kind;
use crate::place::Place;
use aspect::Operator;

mod tables;

use tables::{ADVERBS, CLAUSES_MEANT, COMPARISONS, ELSEWHERE, JOINTS, ZONES};
pub(super) use tables::{CALLED_MEANT, PERIODS, RATES, UNITS, of};

/// A date that is over: with a clock it fixes the time of day, and a sentinel begins at once.
pub(super) const DAY_THAT_IS_OVER: &str = "2026-01-01";

/// A comparison in words: how many, and the sign that they mean.
#[derive(Clone, Copy, Default)]
pub(super) struct Comparison {
    pub(super) words: usize,
    pub(super) sign: &'static str,
}

/// The period of `daily` and its like.
pub(crate) fn adverb(word: &str) -> Option<&'static str> {
    of(&ADVERBS, word)
}

/// The zone that somebody means who writes `CET`, or a city alone.
pub(super) fn zone(written: &str) -> Option<String> {
    if let Some(zone) = of(&ZONES, written) {
        return Some(zone.to_owned());
    }
    let areas =
        ["Europe", "America", "Asia", "Africa", "Australia", "Pacific", "Atlantic", "Indian"];
    let mut zones = areas.iter().map(|area| format!("{area}/{written}"));
    zones.find(|zone| written.len() > 3 && chronon::Zone::parse(zone).is_ok())
}

/// `9:00`, `9am`, `9:30 pm` and `09.00` as the language has them.
pub(super) fn clock(written: &str) -> Option<String> {
    let lower = written.to_ascii_lowercase();
    match &*lower {
        "midnight" => return Some("00:00".to_owned()),
        "noon" => return Some("12:00".to_owned()),
        _ => {}
    }
    let (digits, afternoon) = match (lower.strip_suffix("am"), lower.strip_suffix("pm")) {
        (Some(digits), _) => (digits, Some(false)),
        (_, Some(digits)) => (digits, Some(true)),
        _ => (&*lower, None),
    };
    let parts: Vec<&str> = digits.split([':', '.', 'h']).filter(|part| !part.is_empty()).collect();
    let is_alone = parts.len() == 1 && afternoon.is_none() && !digits.contains(['h', ':']);
    let is_date = parts.len() == 3 && digits.contains('.');
    let is_number = |part: &&str| part.len() <= 2 && part.bytes().all(|b| b.is_ascii_digit());
    if is_alone || is_date || !(1..=3).contains(&parts.len()) || !parts.iter().all(is_number) {
        return None;
    }
    let number = |at: usize| parts.get(at).map_or(Some(0), |part| part.parse::<u8>().ok());
    let (hour, minute, second) = (number(0)?, number(1)?, number(2)?);
    let hour = match afternoon {
        Some(true) if hour < 12 => hour + 12,
        Some(false) if hour == 12 => 0,
        _ => hour,
    };
    let fits = hour < 24 && minute < 60 && second < 60;
    let seconds = if parts.len() == 3 { format!(":{second:02}") } else { String::new() };
    fits.then(|| format!("{hour:02}:{minute:02}{seconds}"))
}

/// `1,5` and `1.299,00` as the language has them: a point before the fraction, nothing else.
pub(super) fn number(written: &str) -> Option<String> {
    let last = written.rfind([',', '.'])?;
    let (whole, fraction) = (&written[..last], &written[last + 1..]);
    let digits: String = whole.chars().filter(|c| !",.".contains(*c)).collect();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !is_number(digits.trim_start_matches('-')) || !is_number(fraction) {
        return None;
    }
    let groups = fraction.len() == 3 && written.as_bytes()[last] == b',';
    Some(if groups { digits + fraction } else { format!("{digits}.{fraction}") })
}

/// A text between the quotes of the language.
pub(super) fn in_quotes(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn from_help(right: &str) -> String {
    format!("write `{right}`: a date that is over gives the time of day alone")
}

impl Parser<'_, '_> {
    /// The clause that the word here begins elsewhere. Takes the word.
    pub(super) fn clause_meant(&mut self) -> Option<&'static str> {
        if self.kind() != Kind::Word {
            return None;
        }
        let slice = self.slice();
        if self.is("on") && self.next_is_any(&["change", "changes"]) {
            let message = format!("expected a clause, found `{slice}`");
            let help = "write `fetch on change`";
            self.cure_with(self.place(), &message, help, &format!("fetch {slice}"));
            return Some("fetch");
        }
        if self.is("every") {
            self.insert("a clause", "fetch ");
            return Some("fetch");
        }
        if let Some(period) = of(&ADVERBS, slice) {
            self.instead("a clause", &format!("fetch every {period}"));
            return Some("daily");
        }
        if address::ChannelKind::named(&slice.to_ascii_lowercase()).is_some() {
            self.insert("a clause", "notify by ");
            return Some("notify by");
        }
        if self.is("for") && self.next_slice().starts_with(|c: char| c.is_ascii_digit()) {
            self.instead("a clause", "to now +");
            return Some("for");
        }
        if self.is("probe") && self.next_kind() == Kind::Url {
            self.insert("a clause", "then ");
            return Some("then");
        }
        let right = of(&CLAUSES_MEANT, slice)?;
        self.instead("a clause", right);
        self.advance();
        Some(right)
    }

    /// What other tools say with a watch, up to the next clause: it is left out.
    pub(super) fn said_elsewhere(&mut self) -> bool {
        let Some(help) = of(&ELSEWHERE, self.slice()).filter(|_| self.kind() == Kind::Word) else {
            return false;
        };
        let start = self.place();
        let message = format!("expected a clause, found `{}`", self.slice());
        self.advance();
        self.skip_clause();
        self.leave_out(self.since(start), &message, &format!("leave it out: {help}"));
        true
    }

    /// Words of rules where a clause of a sentinel is expected.
    pub(super) fn rule_words(&mut self) -> Option<Failed> {
        if !self.is_any(&["when", "if", "do", "coupling", "on", "raise", "enable", "disable"]) {
            return None;
        }
        let word = self.slice().to_lowercase();
        let message = format!("`{word}` belongs to a rule, not to a sentinel");
        let help = "write a rule after the sentinel: `create rule NAME on SENTINEL when … do …`; a \
                    test of a number goes into `monitor value of css \"…\" < 40`";
        if word == "on" && self.has_word("do") {
            let start = self.place().start;
            let help = "write `create rule NAME` before it";
            self.cure_with(Place::new(start, start), &message, help, "create rule my-rule ");
        } else {
            self.sink.syntax(self.place(), message, help);
        }
        self.skip_statement();
        Some(Failed)
    }

    /// The period of `daily`, if such a word stands here. Leaves it where it is.
    pub(super) fn adverb(&self) -> Option<&'static str> {
        of(&ADVERBS, self.slice()).filter(|_| self.kind() == Kind::Word)
    }

    /// Where a period goes on with `at 09:00`: the clock belongs into `from`.
    pub(super) fn clock_after_period(&mut self) {
        let Some(clock) = clock(self.next_slice()).filter(|_| self.is("at")) else { return };
        let start = self.place();
        self.advance();
        let place = start.until(self.place());
        self.advance();
        let message = "a period has no time of day; the first look has one, in `from`";
        if self.has_word("from") {
            let help = format!("write {clock} after the date of `from`, and leave this out");
            self.sink.syntax(place, message, &help);
            return;
        }
        let right = format!("from {DAY_THAT_IS_OVER} {clock}");
        self.cure_with(place, message, &from_help(&right), &right);
    }

    /// A clock where a date is expected: the date that goes before it.
    pub(super) fn bare_clock(&mut self) -> bool {
        let Some(clock) = clock(self.slice()).filter(|_| self.kind() == Kind::Word) else {
            return false;
        };
        let right = format!("{DAY_THAT_IS_OVER} {clock}");
        let message = "a time of day needs a date before it";
        if self.is_rule {
            // A day that is over would never come.
            let help = format!("write the day, too: `at 2030-01-31 {clock}`");
            self.sink.syntax(self.place(), message, &help);
            self.advance();
            return true;
        }
        self.cure_with(self.place(), message, &from_help(&right), &right);
        self.advance();
        true
    }

    /// A comparison in words, or with a wrong sign before a number: takes it.
    pub(super) fn comparison_in_words(&mut self) -> Option<Operator> {
        let (words, sign) = COMPARISONS.iter().find(|(words, _)| self.at_words(words))?;
        let place = self.place().until(self.tokens[self.at + words.len() - 1].place);
        let message = format!("expected a comparison, found `{}`", self.text_at(place));
        self.cure(place, &message, sign);
        (0..words.len()).for_each(|_| self.advance());
        Operator::begins(sign).map(|(_, operator)| operator)
    }

    fn at_words(&self, words: &[&str]) -> bool {
        self.words_at(0, words)
    }

    /// The comparison in words that stands `ahead` tokens further.
    pub(super) fn comparison_at(&self, ahead: usize) -> Option<Comparison> {
        let found = COMPARISONS.iter().find(|(words, _)| self.words_at(ahead, words));
        found.map(|&(words, sign)| Comparison { words: words.len(), sign })
    }

    fn words_at(&self, ahead: usize, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(at, word)| {
            self.tokens.get(self.at + ahead + at).is_some_and(|token| {
                token.kind == Kind::Word && self.text_at(token.place).eq_ignore_ascii_case(word)
            })
        })
    }

    /// Reports a period in words, if one stands here, and takes it.
    pub(super) fn period_meant(&mut self, table: &[(&[&str], &str)]) -> bool {
        let Some((words, right)) = table.iter().find(|(words, _)| self.at_words(words)) else {
            return false;
        };
        let place = self.place().until(self.tokens[self.at + words.len() - 1].place);
        let message = format!("expected a duration, found `{}`", self.text_at(place));
        self.cure(place, &message, right);
        (0..words.len()).for_each(|_| self.advance());
        true
    }

    /// A word where a text in quotes is expected: a selector, a regular expression.
    pub(super) fn text_without_quotes(&mut self) -> Option<Failed> {
        let is_joint = |slice: &str| matches!(slice, ">" | "+" | "~");
        let is_part =
            |slice: &str| slice.starts_with(|c: char| c.is_alphabetic() || ".#[*".contains(c));
        let slice = self.slice();
        let is_word = is_part(slice) || slice.starts_with(['/', '$']);
        if self.kind() != Kind::Word || !is_word || self.at_clause() || self.at_new_statement() {
            return None;
        }
        let start = self.place();
        self.advance();
        while self.kind() == Kind::Word
            && is_joint(self.slice())
            && is_part(self.next_slice())
            && self.next_kind() == Kind::Word
        {
            self.advance();
            self.advance();
        }
        while slice.starts_with(['/', '$']) && self.is_glued() {
            self.advance();
        }
        let place = self.since(start);
        let written = self.text_at(place).replace('"', "'");
        let inside = written.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
        let right = in_quotes(inside.unwrap_or(&written));
        let message = format!("expected a text in double quotes, found `{}`", shortened(&written));
        self.cure(place, &message, &right);
        Some(Failed)
    }

    /// Whether no blank stands before the token here.
    fn is_glued(&self) -> bool {
        self.place().start == self.end_of_last
            && !matches!(self.kind(), Kind::End | Kind::Semicolon)
    }

    /// Takes `and` or `or`, also as other languages write it.
    pub(super) fn joint(&mut self, keyword: &str) -> bool {
        if self.take(keyword) {
            return true;
        }
        let is_meant = self.kind() == Kind::Word && of(&JOINTS, self.slice()) == Some(keyword);
        if is_meant {
            self.instead("`and` or `or`", keyword);
            self.advance();
        }
        is_meant
    }

    /// What follows a comma after a clause: another clause, or more than the clause can hold.
    pub(super) fn comma_after(&mut self, keyword: &str) -> Parsed<()> {
        let comma = self.place();
        if self.kind() != Kind::Comma {
            return Ok(());
        }
        self.advance();
        let goes_on = match keyword {
            "fetch" => self.is("within"),
            "notify" => self.is_any(&["every", "immediately", "best"]),
            _ => false,
        };
        if goes_on || self.at_clause() || self.kind() == Kind::Semicolon || self.at_new_statement()
        {
            if goes_on {
                self.skip_clause();
            }
            self.leave_out(comma, "no comma stands between clauses", "leave the comma out");
            return Ok(());
        }
        while !self.at_clause() && self.kind() != Kind::Semicolon && !self.at_new_statement() {
            self.advance();
        }
        let place = self.since(comma);
        let message = format!("a sentinel has one `{keyword}`, and nothing after a comma");
        let rest = shortened(self.text_at(place));
        let help = format!("leave `{rest}` out; another sentinel can have it");
        self.leave_out(place, &message, &help);
        Ok(())
    }
}
