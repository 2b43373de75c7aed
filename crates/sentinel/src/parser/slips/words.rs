//! Tables of phrases, and numbers in words.

use super::super::duration::unit;
use super::super::meant::{DAY_THAT_IS_OVER, clock, of};
use super::super::{Failed, Parsed, Parser};
use crate::lexer::Kind;
use crate::print;
use crate::syntax::Unit;

/// Phrases where something to monitor is expected.
const LEAVES: [(&[&str], &str); 38] = [
    (&["diff"], "any change"),
    (&["hash"], "any change"),
    (&["feed", "items"], "items"),
    (&["rss", "items"], "items"),
    (&["rss"], "items"),
    (&["page", "change"], "any change"),
    (&["page", "changes"], "any change"),
    (&["content", "change"], "any change"),
    (&["content", "changes"], "any change"),
    (&["text", "change"], "any change"),
    (&["text", "changes"], "any change"),
    (&["something", "changes"], "any change"),
    (&["anything", "changes"], "any change"),
    (&["new", "links"], "links added"),
    (&["added", "links"], "links added"),
    (&["removed", "links"], "links removed"),
    (&["new", "images"], "images added"),
    (&["added", "images"], "images added"),
    (&["removed", "images"], "images removed"),
    (&["new", "words"], "words added"),
    (&["new", "text"], "any change added"),
    (&["new", "content"], "any change added"),
    (&["new", "entries"], "new items"),
    (&["new", "posts"], "new items"),
    (&["new", "articles"], "new items"),
    (&["new", "stories"], "new items"),
    (&["new", "releases"], "new items"),
    (&["new", "episodes"], "new items"),
    (&["all", "changes"], "any change"),
    (&["all", "items"], "items"),
    (&["entries"], "items"),
    (&["posts"], "items"),
    (&["articles"], "items"),
    (&["feed"], "items"),
    (&["downtime"], "status"),
    (&["uptime"], "status"),
    (&["down"], "status"),
    (&["availability"], "status"),
];

/// Phrases after `presentation`.
pub(in super::super) const PRESENTATIONS: [(&[&str], &str); 8] = [
    (&["side", "by", "side"], "dual frame"),
    (&["two", "columns"], "dual frame"),
    (&["changes", "only"], "only change"),
    (&["diff"], "only change"),
    (&["differences"], "only change"),
    (&["inline"], "merged"),
    (&["unified"], "merged"),
    (&["combined"], "merged"),
];

/// Phrases after `coupling` and `priority`.
pub(in super::super) const COUPLINGS: [(&[&str], &str); 5] = [
    (&["async"], "detached"),
    (&["asynchronous"], "detached"),
    (&["separate"], "detached"),
    (&["sync"], "immediate"),
    (&["delayed"], "deferred"),
];
pub(in super::super) const PRIORITIES: [(&[&str], &str); 5] = [
    (&["highest"], "1000"),
    (&["high"], "100"),
    (&["normal"], "1"),
    (&["low"], "1"),
    (&["lowest"], "1"),
];

/// Phrases after `weight`.
pub(in super::super) const WEIGHTS: [(&[&str], &str); 10] = [
    (&["highest"], "1000"),
    (&["very", "high"], "100"),
    (&["high"], "10"),
    (&["double"], "2"),
    (&["normal"], "1"),
    (&["medium"], "1"),
    (&["half"], "0.5"),
    (&["low"], "0.1"),
    (&["very", "low"], "0.01"),
    (&["lowest"], "0.01"),
];

/// Numbers in words, before a unit of time.
pub(in super::super) const COUNTS: [(&str, &str); 17] = [
    ("a", "1"),
    ("an", "1"),
    ("one", "1"),
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
    ("twelve", "12"),
    ("fifteen", "15"),
    ("twenty", "20"),
    ("thirty", "30"),
    ("sixty", "60"),
];

/// Languages by their English names.
const LANGUAGES: [(&str, &str); 12] = [
    ("english", "en"),
    ("german", "de"),
    ("french", "fr"),
    ("spanish", "es"),
    ("italian", "it"),
    ("portuguese", "pt"),
    ("dutch", "nl"),
    ("polish", "pl"),
    ("swedish", "sv"),
    ("danish", "da"),
    ("russian", "ru"),
    ("japanese", "ja"),
];

impl Parser<'_, '_> {
    /// Reports a phrase of the table where `what` is expected, and takes it.
    pub(in super::super) fn phrase_meant(&mut self, what: &str, table: &[(&[&str], &str)]) -> bool {
        let at =
            |words: &[&str]| words.iter().enumerate().all(|(at, word)| self.word_at(at) == *word);
        let Some((words, right)) = table.iter().find(|(words, _)| at(words)) else { return false };
        self.take_as(words.len(), what, right);
        true
    }

    /// A leaf in other words: `new links`, `regex "…"`, `text` alone.
    pub(in super::super) fn leaf_phrase(&mut self) -> bool {
        let what = "what to monitor";
        if self.phrase_meant(what, &LEAVES) {
            return true;
        }
        let next = self.word_at(1);
        let is_listed = self.name_at(1).is_some() && !self.is_modifier_word(&next);
        let is_text = self.is_any(&["word", "words", "text", "content", "string"]);
        if is_text && self.next_kind() == Kind::Quoted {
            self.take_as(1, what, "phrase");
            self.advance();
            return true;
        }
        if self.is_any(&["word", "words"]) && is_listed && !self.is_clause_word(&next) {
            self.take_as(1, what, "keyword");
            return true;
        }
        let is_last = self.tokens.get(self.at + 1).is_none_or(|token| token.kind == Kind::End)
            || self.is_clause_word(&next);
        let bounds = ["inside", "outside", "added", "removed", "updated", "matching", "ignoring"];
        let is_bounded = bounds.contains(&&*next) && self.is_any(&["text", "content", "page"]);
        if is_bounded || is_last && self.is_any(&["all", "text", "everywhere"]) {
            self.take_as(1, what, "any change");
            return true;
        }
        let is_pattern = self.is_any(&["regex", "regexp", "pattern", "matching", "matches"]);
        if is_pattern && self.next_kind() == Kind::Quoted {
            self.take_as(1, what, "any change matching");
            self.advance();
            return true;
        }
        false
    }

    /// A word that may stand after a leaf, and may be a name elsewhere.
    fn is_modifier_word(&self, word: &str) -> bool {
        ["inside", "outside", "ignoring", "tag", "ignore", "excluding", "without", "are", "is"]
            .contains(&word)
    }

    /// `inside css "…" links`: the scope stands after what it bounds.
    pub(in super::super) fn scope_first(&mut self) -> Option<Failed> {
        let is_scope = self.is_any(&["inside", "outside", "within", "in"]);
        let quoted = self.tokens.get(self.at + 2).map(|token| token.kind);
        if !is_scope || self.language_at(1).is_none() || quoted != Some(Kind::Quoted) {
            return None;
        }
        let start = self.place();
        let side = if self.is("outside") { "outside" } else { "inside" };
        self.advance();
        let selector = self.place();
        (0..2).for_each(|_| self.advance());
        let scope = format!("{side} {}", self.text_at(self.since(selector)));
        let leaf = ["links", "images", "words", "items", "everything"];
        let right = match leaf.into_iter().find(|leaf| self.is(leaf)) {
            Some(leaf) => {
                self.advance();
                format!("{leaf} {scope}")
            }
            None => format!("any change {scope}"),
        };
        let place = self.since(start);
        let message = format!("expected what to monitor, found `{}`", self.text_at(place));
        self.cure(place, &message, &right);
        Some(Failed)
    }

    /// `status 404`, `status = down`: what follows `status`.
    pub(in super::super) fn status_in_words(&mut self) {
        let start = self.place();
        let words = ["is", "down", "up", "ok", "error", "changes", "changed", "code", "not"];
        let is_more = |parser: &Self| {
            let slice = parser.slice();
            let is_sign = slice.starts_with(|c: char| c.is_ascii_digit() || "=<>!".contains(c));
            parser.kind() == Kind::Word && (is_sign || parser.is_any(&words))
        };
        while is_more(self) {
            self.advance();
        }
        if self.since(start).end > start.start {
            let place = self.since(start);
            let message = format!("`{}` does not stand after `status`", self.text_at(place));
            let help = "leave it out: `status` tells when a page goes down, comes up or moves; \
                        `status matching \"down\"` keeps what you name";
            self.leave_out(place, &message, help);
        }
    }

    /// `EUR 40`: the currency stands after the number.
    pub(in super::super) fn currency_first(&mut self) -> bool {
        let code = aspect::currency(&self.slice().to_uppercase());
        let is_number = self.next_slice().starts_with(|c: char| c.is_ascii_digit());
        let Some(code) = code.filter(|_| is_number) else { return false };
        let right = format!("{} {code}", self.next_slice());
        self.take_as(2, "a number", &right);
        true
    }

    /// `german` and `"de"` where the code of a language is expected.
    pub(in super::super) fn language_meant(&mut self) -> bool {
        let inside = self.slice().trim_matches('"').to_lowercase();
        let is_code = self.at_text() && inside.len() == 2;
        let code = of(&LANGUAGES, &inside).map(str::to_owned);
        let Some(code) = code.or(is_code.then_some(inside)) else { return false };
        self.take_as(1, "a language", &code);
        true
    }

    /// `five minutes`, `an hour`: the number in words before a unit. Takes it.
    pub(in super::super) fn count_in_words(&mut self) {
        let Some(count) = of(&COUNTS, self.slice()).filter(|_| self.kind() == Kind::Word) else {
            return;
        };
        let unit = self.word_at(1);
        let unit = unit.strip_suffix('s').unwrap_or(&unit).to_owned();
        if Unit::ALL.iter().any(|(name, _)| *name == unit) {
            self.instead("a duration", count);
            self.advance();
        }
    }

    /// `1.5 hours` as a whole number of a smaller unit.
    pub(in super::super) fn fraction_of_time(&mut self) -> bool {
        let slice = self.slice();
        let length = slice.find(|c: char| !(c.is_ascii_digit() || c == '.'));
        let (number, glued) = slice.split_at(length.unwrap_or(slice.len()));
        let Some((whole, tenths)) = number.split_once('.') else { return false };
        let word = if glued.is_empty() { self.word_at(1) } else { glued.to_lowercase() };
        let unit = unit(&word);
        let (Ok(whole), Ok(tenths), Some(unit), 1) =
            (whole.parse::<u64>(), tenths.parse::<u64>(), unit, tenths.len())
        else {
            return false;
        };
        let seconds = whole.min(10_000) * unit.seconds() + tenths * unit.seconds() / 10;
        let units = [("hour", 3_600), ("minute", 60), ("second", 1)];
        let Some((name, length)) = units.into_iter().find(|(_, one)| seconds % one == 0) else {
            return false;
        };
        let count = seconds / length;
        let plural = if count == 1 { "" } else { "s" };
        let words = if glued.is_empty() { 2 } else { 1 };
        self.take_as(words, "a whole number", &format!("{count} {name}{plural}"));
        true
    }

    /// Reports that a unit is missing after a number, and writes minutes.
    pub(in super::super) fn unit_missing(&mut self, count: u64) -> Failed {
        let help = match count {
            1 => "write a unit: `1 minute`, `1 hour`, `1 day`".to_owned(),
            _ => format!("write a unit: `{count} minutes`, `{count} hours`, `{count} days`"),
        };
        let missing = if count == 1 { " minute" } else { " minutes" };
        self.expected_here("a unit of time", &help, missing);
        Failed
    }

    /// `at 9:00`, `daily at 9:00` after `fetch`.
    pub(in super::super) fn hour_of_day(&mut self) -> bool {
        let period = self.adverb();
        let at = usize::from(period.is_some());
        let time = clock(&self.word_at(at + 1)).filter(|_| self.word_at(at) == "at");
        let Some(time) = time.filter(|_| !self.has_word("from")) else { return false };
        if self.word_at(at + 2) == "and" && clock(&self.word_at(at + 3)).is_some() {
            let help = "write a sentinel for each time of day, or `every 12 hours from DATE CLOCK`";
            self.expected("`on change` or `every` and a duration", help);
            (0..at + 4).for_each(|_| self.advance());
            return true;
        }
        let right = format!("every {} from {DAY_THAT_IS_OVER} {time}", period.unwrap_or("1 day"));
        self.take_as(at + 2, "`on change` or `every` and a duration", &right);
        true
    }

    /// A second word that a pair needs, where the clause ends: `dual` of `dual frame`.
    pub(in super::super) fn second_word(&mut self, pair: &str, second: &str) -> Parsed<()> {
        if !self.at_clause() && !self.at_new_statement() {
            return self.expect(second, &format!("write `presentation {pair}`"));
        }
        let help = format!("write `presentation {pair}`");
        self.expected_here(&format!("`{second}`"), &help, &format!(" {second}"));
        Ok(())
    }

    /// `2 weeks` where a time is expected: so long from now.
    pub(in super::super) fn span_from_now(&mut self) -> bool {
        let unit = self.word_at(1);
        let unit = unit.strip_suffix('s').unwrap_or(&unit).to_owned();
        let is_count = self.slice().bytes().all(|byte| byte.is_ascii_digit());
        let is_span = is_count && Unit::ALL.iter().any(|(name, _)| *name == unit);
        if is_span {
            self.insert("a time", "now + ");
            (0..2).for_each(|_| self.advance());
        }
        is_span
    }

    /// A name before `(NAME)` without its parentheses: `start a`, `enabled b`.
    pub(in super::super) fn name_without_parentheses(
        &mut self,
        word: &str,
    ) -> Option<crate::syntax::Name> {
        let name = self.name_at(0).map(|name| name.trim_matches('`').to_owned())?;
        let place = self.place();
        let message = format!("expected `(`, found `{}`", super::super::shortened(&name));
        let shown = print::name(&name);
        self.cure_with(place, &message, &format!("write `{word}({shown})`"), &format!("({shown})"));
        self.advance();
        Some(crate::syntax::Name { text: name, place })
    }
}
