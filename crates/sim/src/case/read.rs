//! From text to a story.

use super::{AFTERMATH, Case, CaseError, Expected, settings};
use crate::clocks::Clock;
use crate::moment;
use crate::people::{Answer, Mood};
use crate::shell::{Crash, Job, Point, Wish};
use crate::web::{Fault, Page, Reply, Trouble, normal};
use chronon::{Instant, Span, Zone};
use std::collections::VecDeque;

/// The words a section may start with.
const SECTIONS: &[&str] = &[
    "sentinel", "rule", "clock", "page", "redirect", "faults", "deliver", "crash", "budget",
    "config", "expect", "remove", "disable", "enable", "raise", "probe", "test", "disk", "end",
    "snooze", "discard", "takeback", "rename",
];

/// Reads a case.
///
/// # Errors
/// The first thing that is wrong, with its line.
pub(crate) fn parse(text: &str) -> Result<Case, CaseError> {
    let sections = split(text)?;
    let clock = sections.iter().find(|section| section.words.front() == Some(&"clock"));
    let (start, zone) = match clock {
        Some(section) => section.explain(clock_of(section))?,
        None => (clock_of_text("2027-01-01T00:00", &Zone::utc()), Zone::utc()),
    };
    let mut config = kernel::Config::new(2);
    config.zone = zone;
    // A story is easier to follow when politeness does not shift its times; one that is about
    // politeness says so.
    config.schedule.host_interval = Span::ZERO;
    let title = text.lines().take_while(|line| !line.starts_with("-- "));
    let title = title.filter_map(|line| line.strip_prefix('#')).map(str::trim);
    let case = Case {
        title: title.collect::<Vec<_>>().join(" "),
        start,
        config,
        wakes_late: Span::ZERO,
        shown: Vec::new(),
        faults: Vec::new(),
        moods: Vec::new(),
        wishes: Vec::new(),
        crashes: Vec::new(),
        disk_full: Vec::new(),
        end: Instant::NEVER,
        expected: Vec::new(),
    };
    let mut reading = Reading { case, latest: start };
    for section in sections {
        let result = reading.section(&mut section.clone());
        section.explain(result)?;
    }
    Ok(reading.finish())
}

/// A section: the words of its header, and its lines.
#[derive(Debug, Clone)]
struct Section<'a> {
    line: usize,
    words: VecDeque<&'a str>,
    lines: Vec<&'a str>,
}

impl<'a> Section<'a> {
    fn explain<T>(&self, result: Result<T, String>) -> Result<T, CaseError> {
        result.map_err(|what| CaseError { line: self.line, what })
    }

    fn next(&mut self, what: &str) -> Result<&'a str, String> {
        self.words.pop_front().ok_or_else(|| format!("{what} is missing"))
    }

    fn takes(&mut self, word: &str) -> bool {
        let is_next = self.words.front() == Some(&word);
        if is_next {
            self.words.pop_front();
        }
        is_next
    }

    fn span(&mut self) -> Result<Span, String> {
        let first = self.next("a time")?;
        let days = moment::parse_days(first);
        let clock = if days.is_some() { self.next("a time of day")? } else { first };
        let clock = moment::parse_clock(clock)
            .ok_or_else(|| format!("`{clock}` is no time; write 00:15, 00:15:30 or 2d 00:15"))?;
        Ok(days.unwrap_or(Span::ZERO) + clock)
    }

    fn text(&self) -> String {
        self.lines.join("\n").trim_end().to_owned()
    }
}

fn split(text: &str) -> Result<Vec<Section<'_>>, CaseError> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let header = line.strip_prefix("-- ").and_then(|rest| rest.trim_end().strip_suffix(" --"));
        let Some(header) = header else {
            if let Some(section) = sections.last_mut() {
                section.lines.push(line);
            }
            continue;
        };
        let words: VecDeque<&str> = header.split_whitespace().collect();
        if !words.front().is_some_and(|word| SECTIONS.contains(word)) {
            let what = format!("`{header}` is no section; there are: {}", SECTIONS.join(", "));
            return Err(CaseError { line: number, what });
        }
        sections.push(Section { line: number, words, lines: Vec::new() });
    }
    Ok(sections)
}

fn clock_of(section: &Section<'_>) -> Result<(Instant, Zone), String> {
    let mut words = section.words.iter().skip(1);
    let text = words.next().ok_or("a date is missing")?;
    let zone = words.next().map_or(Ok(Zone::utc()), |name| Zone::parse(name));
    let zone = zone.map_err(|error| error.to_string())?;
    let local = text.parse().map_err(|_| format!("`{text}` is no date; 2027-03-01T00:00"))?;
    Ok((zone.instant(local), zone))
}

fn clock_of_text(text: &str, zone: &Zone) -> Instant {
    zone.instant(text.parse().expect("a date that is written here"))
}

struct Reading {
    case: Case,
    /// The latest moment that anything names.
    latest: Instant,
}

fn check(schedule: &schedule::Config) -> Result<(), String> {
    schedule.check().map_err(|error| error.to_string())
}

impl Reading {
    fn section(&mut self, section: &mut Section<'_>) -> Result<(), String> {
        match section.next("a section's name")? {
            "sentinel" | "rule" => self.apply(section),
            "clock" => {
                section.words.clear();
                Ok(())
            }
            "page" => self.page(section),
            "redirect" => self.redirect(section),
            "faults" => section.lines.clone().iter().try_for_each(|line| self.fault(line)),
            "deliver" => self.deliver(section),
            "crash" => self.crash(section),
            "budget" => self.budget(section),
            "config" => self.config(section),
            "expect" => self.expect(section),
            "disk" => {
                let (from, to) = self.range(section)?;
                self.case.disk_full.push((from, to));
                Ok(())
            }
            "end" => {
                self.case.end = self.at(section)?;
                Ok(())
            }
            wish => self.wish(wish, section),
        }?;
        match section.words.front() {
            Some(word) => Err(format!("`{word}` means nothing here")),
            None => Ok(()),
        }
    }

    fn moment(&mut self, section: &mut Section<'_>) -> Result<Instant, String> {
        let at = self.case.start + section.span()?;
        self.latest = self.latest.max(at);
        Ok(at)
    }

    fn at(&mut self, section: &mut Section<'_>) -> Result<Instant, String> {
        if section.takes("@") { self.moment(section) } else { Err("`@ TIME` is missing".into()) }
    }

    /// `@ TIME..TIME`; days may stand before both.
    fn range(&mut self, section: &mut Section<'_>) -> Result<(Instant, Instant), String> {
        if !section.takes("@") {
            return Err("`@ TIME..TIME` is missing".into());
        }
        self.interval(section)
    }

    fn interval(&mut self, section: &mut Section<'_>) -> Result<(Instant, Instant), String> {
        let at = section.words.iter().position(|word| word.contains(".."));
        let at = at.filter(|&at| at < 2).ok_or("an interval is written 00:10..00:12")?;
        let (from, to) = section.words[at].split_once("..").expect("the word was found by it");
        section.words[at] = from;
        section.words.insert(at + 1, to);
        Ok((self.moment(section)?, self.moment(section)?))
    }

    fn apply(&mut self, section: &mut Section<'_>) -> Result<(), String> {
        let name = section.next("a name")?.into();
        let at = if section.words.is_empty() { self.case.start } else { self.at(section)? };
        let text = section.text().into();
        self.case.wishes.push((at, Wish::Apply { name, text }));
        Ok(())
    }

    fn wish(&mut self, what: &str, section: &mut Section<'_>) -> Result<(), String> {
        let name: Box<str> = section.next("a name")?.into();
        let wish = match what {
            "remove" => Wish::Remove { name },
            "disable" => Wish::Enable { name, enabled: false },
            "enable" => Wish::Enable { name, enabled: true },
            "raise" => Wish::Raise { name, key: None },
            "probe" => Wish::Probe { url: normal(&name) },
            "discard" => Wish::Discard { name },
            "takeback" => Wish::TakeBack { name },
            "rename" => Wish::Rename { name, to: section.next("the new name")?.into() },
            "snooze" => {
                let until = if section.takes("until") {
                    self.moment(section)?
                } else {
                    return Err("`until TIME` is missing".into());
                };
                Wish::Snooze { name, until }
            }
            _ => {
                let contact = section.words.front().filter(|word| **word != "@");
                let contact = contact.map(|contact| Box::from(*contact));
                if contact.is_some() {
                    section.words.pop_front();
                }
                Wish::Test { channel: name, contact }
            }
        };
        let at = self.at(section)?;
        self.case.wishes.push((at, wish));
        Ok(())
    }

    fn page(&mut self, section: &mut Section<'_>) -> Result<(), String> {
        let url = normal(section.next("a URL")?);
        let at = self.at(section)?;
        let body = section.text();
        let mut page = Page {
            status: 200,
            media_type: "text/html; charset=utf-8".into(),
            etag: Some(format!("\"{}\"", hash(&body)).into()),
            last_modified: None,
            retry_after: None,
            body: body.into_bytes().into(),
        };
        while !section.words.is_empty() {
            match section.next("a header")? {
                "status" => page.status = number(section.next("a status")?)?,
                "type" => {
                    let words = std::mem::take(&mut section.words);
                    let is_header = |word: &&str| word.ends_with(':') || **word == *"status";
                    let at = words.iter().position(is_header).unwrap_or(words.len());
                    let (media, rest) = (words.range(..at), words.range(at..));
                    page.media_type = media.copied().collect::<Vec<_>>().join(" ").into();
                    section.words = rest.copied().collect();
                }
                "etag:" => {
                    let etag = section.next("an ETag, or `none`")?;
                    page.etag = Some(etag.into()).filter(|_| etag != "none");
                }
                "last-modified:" => page.last_modified = Some(self.moment(section)?),
                "retry-after:" => {
                    let seconds: u32 = number(section.next("seconds")?)?;
                    page.retry_after = Some(Span::from_secs(seconds.into()));
                }
                other => return Err(format!("`{other}` is neither status, type nor a header")),
            }
        }
        self.case.shown.push((url, at, Reply::Page(page)));
        Ok(())
    }

    fn redirect(&mut self, section: &mut Section<'_>) -> Result<(), String> {
        let url = normal(section.next("a URL")?);
        let at = self.at(section)?;
        if !section.takes("to") {
            return Err("`to URL` is missing".into());
        }
        let to = normal(section.next("a URL")?);
        let status = if section.takes("status") { number(section.next("a status")?)? } else { 302 };
        self.case.shown.push((url, at, Reply::Redirect { to, status }));
        Ok(())
    }

    fn fault(&mut self, line: &str) -> Result<(), String> {
        let words: VecDeque<&str> = line.split_whitespace().collect();
        if words.is_empty() {
            return Ok(());
        }
        let mut rest = Section { line: 0, words, lines: Vec::new() };
        let (from, to) = self.interval(&mut rest)?;
        let is_url = rest.words.front().is_some_and(|word| word.contains("://"));
        let url = if is_url { Some(normal(rest.next("a URL")?)) } else { None };
        let what = match rest.next("what goes wrong")? {
            "timeout" => Trouble::Timeout,
            "reset" => Trouble::Reset,
            "truncate" => Trouble::Truncate,
            "slow" => Trouble::Slow(length(&mut rest)?),
            status => {
                let status = number(status)?;
                Trouble::Status { status, retry_after: retry_after(&mut rest)? }
            }
        };
        self.case.faults.push(Fault { from, to, url, what });
        match rest.words.front() {
            Some(word) => Err(format!("`{word}` means nothing here")),
            None => Ok(()),
        }
    }

    fn deliver(&mut self, section: &mut Section<'_>) -> Result<(), String> {
        let who = section.next("a channel or contact")?;
        let (from, to) = self.range(section)?;
        let answer = match section.next("an answer")? {
            "timeout" => Answer::Timeout,
            "refused" => Answer::Refuses,
            "slow" => Answer::Takes { after: length(section)? },
            status => {
                let status = number(status)?;
                Answer::Status { status, retry_after: retry_after(section)? }
            }
        };
        let who = Some(who.into()).filter(|_| who != "everybody");
        self.case.moods.push(Mood { who, from, to, answer });
        Ok(())
    }

    fn crash(&mut self, section: &mut Section<'_>) -> Result<(), String> {
        let at = self.at(section)?;
        let point = match section.words.front() {
            Some(&"before") => Point::Before,
            Some(&"during") => Point::During,
            _ => |_| Point::Now,
        };
        let point = if section.takes("before") || section.takes("during") {
            point(match section.next("a work")? {
                "append" => Job::Append,
                "probe" => Job::Probe,
                "compare" => Job::Compare,
                "compose" => Job::Compose,
                "deliver" => Job::Deliver,
                other => return Err(format!("`{other}` is no work that is started")),
            })
        } else {
            Point::Now
        };
        let until = if section.takes("until") { self.moment(section)? } else { at };
        self.case.crashes.push(Crash { at, point, until, clock: Clock::Right });
        Ok(())
    }

    fn budget(&mut self, section: &mut Section<'_>) -> Result<(), String> {
        let schedule = &self.case.config.schedule;
        let per_chronon = settings::budget(&section.text(), schedule.chronon)?;
        check(&schedule::Config { budget: per_chronon, ..schedule.clone() })?;
        if section.words.is_empty() {
            self.case.config.schedule.budget = per_chronon;
        } else {
            let at = self.at(section)?;
            self.case.wishes.push((at, Wish::Budget { per_chronon }));
        }
        Ok(())
    }

    fn config(&mut self, section: &Section<'_>) -> Result<(), String> {
        let lines = section.lines.iter().map(|line| line.trim());
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (key, value) = line.split_once('=').ok_or("a setting is written `key = value`")?;
            match key.trim() {
                "wakes_late_milliseconds" => {
                    self.case.wakes_late = Span::from_millis(number::<u32>(value.trim())?.into());
                }
                key => settings::set(&mut self.case.config, key, value)?,
            }
        }
        check(&self.case.config.schedule)
    }

    fn expect(&mut self, section: &mut Section<'_>) -> Result<(), String> {
        let kinds = std::mem::take(&mut section.words).into_iter().map(str::to_owned).collect();
        let place = section.line..section.line + section.lines.len();
        let lines = section.lines.iter().map(|line| (*line).trim_end().to_owned());
        let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
        self.case.expected.push(Expected { kinds, lines, place });
        Ok(())
    }

    /// Without a section `end` a story ends with the last line it expects, or some time after its
    /// last event.
    fn finish(mut self) -> Case {
        if self.case.end == Instant::NEVER {
            let lines = self.case.expected.iter().flat_map(|expected| &expected.lines);
            let moments = lines.filter_map(|line| moment::parse(line.split("  ").next()?));
            self.case.end = match moments.max() {
                Some(last) => self.latest.max(self.case.start + last),
                None => self.latest + AFTERMATH,
            };
        }
        self.case
    }
}

fn retry_after(section: &mut Section<'_>) -> Result<Option<Span>, String> {
    if section.takes("retry-after") {
        Ok(Some(Span::from_secs(number::<u32>(section.next("seconds")?)?.into())))
    } else {
        Ok(None)
    }
}

fn length(section: &mut Section<'_>) -> Result<Span, String> {
    let (number, unit) = (section.next("a length")?, section.next("a unit")?);
    moment::parse_span(number, unit)
        .ok_or_else(|| format!("`{number} {unit}` is no length of time"))
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is no number"))
}

/// A page's ETag, unless it says another.
fn hash(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
