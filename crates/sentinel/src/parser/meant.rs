//! What people write who know other tools, and what they mean by it.
//!
//! Each of these is an error with a certain cure. Reading goes on as if the cure stood there, so
//! that one slip has one diagnostic.

use super::{Failed, Parsed, Parser, shortened, shortened_to};
use crate::Cure;
use crate::lexer::{Kind, inside_foreign};
use crate::place::Place;
use crate::syntax::Name;
use crate::vocabulary::is_plain_name;
use aspect::Operator;

/// A date that is over: with a clock it fixes the time of day, and a sentinel begins at once.
pub(super) const DAY_THAT_IS_OVER: &str = "2026-01-01";

/// Words that begin clauses elsewhere, and the clauses here.
const CLAUSES_MEANT: [(&str, &str); 33] = [
    ("keep", "changehistory"),
    ("retain", "changehistory"),
    ("versions", "changehistory"),
    ("until", "to"),
    ("till", "to"),
    ("ending", "to"),
    ("ends", "to"),
    ("since", "from"),
    ("starting", "from"),
    ("beginning", "from"),
    ("starts", "from"),
    ("watch", "monitor"),
    ("detect", "monitor"),
    ("track", "monitor"),
    ("filter", "monitor"),
    ("check", "fetch"),
    ("poll", "fetch"),
    ("refresh", "fetch"),
    ("alert", "notify"),
    ("inform", "notify"),
    ("report", "notify"),
    ("tags", "tag"),
    ("label", "tag"),
    ("labels", "tag"),
    ("history", "changehistory"),
    ("show", "presentation"),
    ("display", "presentation"),
    ("present", "presentation"),
    ("priority", "weight"),
    ("importance", "weight"),
    ("comparison", "compare"),
    ("while", "during"),
    ("whilst", "during"),
];

/// Adverbs of time, and the periods.
const ADVERBS: [(&str, &str); 8] = [
    ("hourly", "1 hour"),
    ("daily", "1 day"),
    ("nightly", "1 day"),
    ("weekly", "1 week"),
    ("fortnightly", "2 weeks"),
    ("monthly", "30 days"),
    ("yearly", "365 days"),
    ("minutely", "1 minute"),
];

/// Words for comparisons, the longest first, and their signs.
const COMPARISONS: [(&[&str], &str); 26] = [
    (&["drops", "below"], "<"),
    (&["falls", "below"], "<"),
    (&["is", "below"], "<"),
    (&["is", "under"], "<"),
    (&["less", "than"], "<"),
    (&["lower", "than"], "<"),
    (&["cheaper", "than"], "<"),
    (&["rises", "above"], ">"),
    (&["is", "above"], ">"),
    (&["is", "over"], ">"),
    (&["more", "than"], ">"),
    (&["greater", "than"], ">"),
    (&["higher", "than"], ">"),
    (&["at", "least"], ">="),
    (&["at", "most"], "<="),
    (&["up", "to"], "<="),
    (&["equal", "to"], "="),
    (&["below"], "<"),
    (&["under"], "<"),
    (&["above"], ">"),
    (&["over"], ">"),
    (&["exceeds"], ">"),
    (&["equals"], "="),
    (&["equal"], "="),
    (&["is"], "="),
    (&["exactly"], "="),
];

/// How often, in words.
pub(super) const RATES: [(&[&str], &str); 17] = [
    (&["when", "changed"], "on change"),
    (&["if", "changed"], "on change"),
    (&["when", "it", "changes"], "on change"),
    (&["on", "every", "change"], "on change"),
    (&["continuously"], "on change"),
    (&["constantly"], "on change"),
    (&["always"], "on change"),
    (&["regularly"], "on change"),
    (&["automatically"], "on change"),
    (&["once", "a", "day"], "every 1 day"),
    (&["once", "per", "day"], "every 1 day"),
    (&["once", "an", "hour"], "every 1 hour"),
    (&["once", "per", "hour"], "every 1 hour"),
    (&["once", "a", "week"], "every 1 week"),
    (&["once", "per", "week"], "every 1 week"),
    (&["twice", "a", "day"], "every 12 hours"),
    (&["twice", "per", "day"], "every 12 hours"),
];

/// Periods in words, after `every`.
pub(super) const PERIODS: [(&[&str], &str); 10] = [
    (&["morning"], "1 day"),
    (&["evening"], "1 day"),
    (&["night"], "1 day"),
    (&["half", "an", "hour"], "30 minutes"),
    (&["half", "hour"], "30 minutes"),
    (&["quarter", "hour"], "15 minutes"),
    (&["half", "day"], "12 hours"),
    (&["other", "day"], "2 days"),
    (&["other", "week"], "2 weeks"),
    (&["other", "hour"], "2 hours"),
];

/// Units in words, after a number.
pub(super) const UNITS: [(&str, &str); 8] = [
    ("percent", "%"),
    ("euro", "EUR"),
    ("euros", "EUR"),
    ("dollar", "USD"),
    ("dollars", "USD"),
    ("pounds", "GBP"),
    ("yen", "JPY"),
    ("francs", "CHF"),
];

/// Signs and words of other languages that join conditions.
const JOINTS: [(&str, &str); 8] = [
    ("&&", "and"),
    ("&", "and"),
    ("plus", "and"),
    ("but", "and"),
    ("||", "or"),
    ("|", "or"),
    ("oder", "or"),
    ("und", "and"),
];

/// Words before a parenthesis with a name in it, and those of the language.
pub(super) const CALLED_MEANT: [(&str, &str); 22] = [
    ("fetch", "fetched"),
    ("fetches", "fetched"),
    ("probe", "fetched"),
    ("look", "fetched"),
    ("fail", "failed"),
    ("fails", "failed"),
    ("begin", "start"),
    ("begins", "start"),
    ("began", "start"),
    ("begun", "start"),
    ("started", "start"),
    ("starts", "start"),
    ("ended", "end"),
    ("ends", "end"),
    ("stop", "end"),
    ("stopped", "end"),
    ("finish", "end"),
    ("finished", "end"),
    ("probed", "fetched"),
    ("succeeded", "fetched"),
    ("looked", "fetched"),
    ("error", "failed"),
];

/// Zones by their short names, which several places share.
const ZONES: [(&str, &str); 24] = [
    ("GMT", "UTC"),
    ("CET", "Europe/Paris"),
    ("CEST", "Europe/Paris"),
    ("MEZ", "Europe/Berlin"),
    ("MESZ", "Europe/Berlin"),
    ("WET", "Europe/Lisbon"),
    ("WEST", "Europe/Lisbon"),
    ("EET", "Europe/Athens"),
    ("EEST", "Europe/Athens"),
    ("BST", "Europe/London"),
    ("MSK", "Europe/Moscow"),
    ("EST", "America/New_York"),
    ("EDT", "America/New_York"),
    ("ET", "America/New_York"),
    ("CST", "America/Chicago"),
    ("CDT", "America/Chicago"),
    ("MST", "America/Denver"),
    ("MDT", "America/Denver"),
    ("PST", "America/Los_Angeles"),
    ("PDT", "America/Los_Angeles"),
    ("PT", "America/Los_Angeles"),
    ("IST", "Asia/Kolkata"),
    ("JST", "Asia/Tokyo"),
    ("AEST", "Australia/Sydney"),
];

/// Looks a word up.
pub(super) fn of<'a>(table: &[(&str, &'a str)], word: &str) -> Option<&'a str> {
    table.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|&(_, right)| right)
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

/// `right` as a help says it.
pub(crate) fn write_it(right: &str) -> String {
    let right = shortened_to(right.trim(), 200).replace('\n', " ");
    if right.contains('`') { format!("write `` {right} ``") } else { format!("write `{right}`") }
}

fn from_help(right: &str) -> String {
    format!("write `{right}`: a date that is over gives the time of day alone")
}

impl Parser<'_, '_> {
    /// Reports that `right` is meant by what stands at `place`.
    pub(super) fn cure(&mut self, place: Place, message: &str, right: &str) {
        self.cure_with(place, message, &write_it(right), right);
    }

    /// As `cure`, with a help of its own.
    pub(super) fn cure_with(&mut self, place: Place, message: &str, help: &str, right: &str) {
        let cure = Cure { start: place.start, end: place.end, text: right.to_owned() };
        self.sink.curable(place, message, help, cure);
    }

    /// Reports that `right` is meant by the token here, where `what` is expected.
    pub(super) fn instead(&mut self, what: &str, right: &str) {
        let message = format!("expected {what}, found `{}`", shortened(self.slice()));
        self.cure(self.place(), &message, right);
    }

    /// Reports that `missing` stands before the token here, where `what` is expected.
    pub(super) fn insert(&mut self, what: &str, missing: &str) {
        let message = format!("expected {what}, found `{}`", shortened(self.slice()));
        let right = format!("{missing}{}", self.slice());
        self.cure(self.place(), &message, &right);
    }

    /// Reports that what stands at `place` is to be left out.
    pub(super) fn leave_out(&mut self, place: Place, message: &str, help: &str) {
        // The blanks before it, and none of the words.
        let before = self.text[..place.start].trim_end_matches([' ', '\t']).len();
        let cure = Cure { start: before, end: place.end, text: String::new() };
        self.sink.curable(place, message, help, cure);
    }

    pub(super) fn text_at(&self, place: Place) -> &str {
        &self.text[place.start..place.end]
    }

    pub(super) fn next_slice(&self) -> &str {
        let next = self.tokens.get(self.at + 1).map_or(Place::default(), |token| token.place);
        self.text_at(next)
    }

    pub(super) fn next_kind(&self) -> Kind {
        self.tokens.get(self.at + 1).map_or(Kind::End, |token| token.kind)
    }

    /// At a text between quotes, of whatever language.
    pub(super) fn at_text(&self) -> bool {
        matches!(self.kind(), Kind::Quoted | Kind::Foreign)
    }

    /// A text between quotation marks of other languages, as if they were right.
    pub(super) fn foreign(&mut self) -> Name {
        let (place, inside) = (self.place(), inside_foreign(self.slice()).to_owned());
        let message = "a text stands between straight double quotes";
        self.cure(place, message, &in_quotes(&inside));
        self.advance();
        Name { text: inside, place }
    }

    /// A name between quotes.
    pub(super) fn quoted_name(&mut self) -> Option<Name> {
        if !self.at_text() || self.kind() == Kind::Quoted && !crate::lexer::is_closed(self.slice())
        {
            return None;
        }
        let (place, inside) = (self.place(), inside_foreign(self.slice()).to_owned());
        if inside.is_empty() || inside.contains('`') {
            return None;
        }
        let is_plain = is_plain_name(&inside);
        let right = if is_plain { inside.clone() } else { format!("`{inside}`") };
        let message = "a name stands without quotes, or between backquotes";
        self.cure(place, message, &right);
        self.advance();
        Some(Name { text: inside, place })
    }

    /// The text within `<…>`, if that stands here.
    pub(super) fn in_angles(&mut self) -> Option<Name> {
        let inside = self.slice().strip_prefix('<')?.strip_suffix('>')?.to_owned();
        if self.kind() != Kind::Word || !inside.contains([':', '@', '.']) {
            return None;
        }
        let place = self.place();
        self.cure(place, "an address stands without `<` and `>`", &inside);
        self.advance();
        Some(Name { text: inside, place })
    }

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

    /// Words of rules where a clause of a sentinel is expected.
    pub(super) fn rule_words(&mut self) -> Option<Failed> {
        if !self.is_any(&["when", "if", "do", "coupling", "on", "raise", "enable", "disable"]) {
            return None;
        }
        let word = self.slice().to_lowercase();
        let message = format!("`{word}` belongs to a rule, not to a sentinel");
        let help = "write a rule after the sentinel: `create rule NAME on SENTINEL when … do …`; a \
                    test of a number goes into `monitor value of css \"…\" < 40`";
        self.sink.syntax(self.place(), message, help);
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

    /// Whether the statement has this word.
    pub(super) fn has_word(&self, wanted: &str) -> bool {
        let word = |token: &crate::lexer::Token, word: &str| {
            let slice = &self.text[token.place.start..token.place.end];
            token.kind == Kind::Word && slice.eq_ignore_ascii_case(word)
        };
        let before = self.tokens[..self.at].iter().rev();
        let after = self.tokens[self.at..].iter();
        before.take_while(|token| !word(token, "create")).any(|token| word(token, wanted))
            || after.take_while(|token| !word(token, "create")).any(|token| word(token, wanted))
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

    /// The comparison in words that stands `ahead` tokens further: how many words, and its sign.
    pub(super) fn comparison_at(&self, ahead: usize) -> Option<(usize, &'static str)> {
        let found = COMPARISONS.iter().find(|(words, _)| self.words_at(ahead, words));
        found.map(|(words, sign)| (words.len(), *sign))
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
        let is_word = is_part(slice) || slice.starts_with('/');
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
        let place = self.since(start);
        let written = self.text_at(place).to_owned();
        let inside = written.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
        let right = in_quotes(inside.unwrap_or(&written));
        let message = format!("expected a text in double quotes, found `{}`", shortened(&written));
        self.cure(place, &message, &right);
        Some(Failed)
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
