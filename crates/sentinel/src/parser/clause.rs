//! Every clause but `monitor`.

use super::slips::words::{PRESENTATIONS, WEIGHTS};
use super::{Failed, Parsed, Parser, meant};
use crate::Cure;
use crate::ast::{Compare, Presentation};
use crate::lexer::Kind;
use crate::limits::{CHANGE_HISTORY_MAX, COMPARE_WINDOW_MAX, TAGS_MAX, WEIGHT_MAX, WEIGHT_MIN};
use crate::place::Place;
use crate::syntax::{Clause, ClauseKind, Duration, Fetch, Unit};
use crate::vocabulary::{TAG, is_plain_name, nearest};

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
        } else if self.said_elsewhere()
            || self.scope_as_clause()
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
            self.change_of();
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
        if self.take("within") { self.duration().map(Some) } else { Ok(None) }
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
        self.unit_of_versions();
        if count < 2 {
            let message = format!("`{word} {count}` compares nothing with anything");
            let help = "write 2 or more; `compare pairwise` compares each version with the last";
            let cure = Cure { start: start.start, end: place.end, text: "pairwise".into() };
            self.sink.value_with(place, message, help, cure);
        } else if count > COMPARE_WINDOW_MAX {
            let message = format!("a window has at most {COMPARE_WINDOW_MAX} versions");
            self.sink.curable_value(place, message, COMPARE_WINDOW_MAX.to_string());
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
        let is_look = self.is_any(&["fetch", "check", "look", "get", "open", "visit"]);
        let words = 1 + usize::from(self.word_at(1) == "at");
        if is_look && self.tokens.get(self.at + words).is_some_and(|it| it.kind == Kind::Url) {
            self.take_as(words, "`probe`", "probe");
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
