//! A statement's own properties, in the form in which they are compared, inherited and stored.

use crate::ast::{self, Compare, Direction, Expr, Leaf, Primitive};
use crate::limits::{NOTIFIES_MAX, REGEX_BYTES_MAX, REGEX_COMPILED_BYTES_MAX, REGEXES_MAX};
use crate::place::{Place, Sink};
use crate::syntax::{
    Base, Clause, ClauseKind, Duration, Fetch, Frequency, Name, Sign, Statement, Target, Time,
    Unit, WrittenZone,
};
use chronon::{LocalTime, Period, Span, Zone};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A value and the words it stands for.
#[derive(Debug, Clone)]
pub(crate) struct Placed<T> {
    pub(crate) value: T,
    pub(crate) place: Place,
}

/// Properties; what is `None` is inherited, or else the default. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Draft {
    pub(crate) source: Option<Rc<str>>,
    pub(crate) monitor: Option<Rc<Expr>>,
    pub(crate) fetch: Option<Placed<FetchDraft>>,
    pub(crate) from: Option<Placed<Time>>,
    pub(crate) to: Option<Placed<Time>>,
    pub(crate) notify: Rc<Vec<NotifyDraft>>,
    pub(crate) compare: Option<Compare>,
    pub(crate) change_history: Option<u32>,
    pub(crate) weight: Option<f64>,
}

/// When to look; `slack` is `None` if it is the default.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum FetchDraft {
    OnChange,
    Every { period: Period, slack: Option<Placed<Span>>, period_place: Place },
}

impl<T: PartialEq> PartialEq for Placed<T> {
    fn eq(&self, other: &Placed<T>) -> bool {
        self.value == other.value
    }
}

impl<T: Copy> Copy for Placed<T> {}

#[derive(Debug, Clone)]
pub(crate) struct NotifyDraft {
    pub(crate) notify: ast::Notify,
    pub(crate) channel_place: Place,
    pub(crate) contact_place: Place,
}

impl Draft {
    /// Takes what is missing from `parent`; what comes from there is blamed on `place`.
    pub(crate) fn inherit(&mut self, parent: &Draft, place: Place) {
        fn moved<T: Clone>(from: &Option<Placed<T>>, place: Place) -> Option<Placed<T>> {
            from.as_ref().map(|placed| Placed { value: placed.value.clone(), place })
        }
        if self.source.is_none() {
            self.source.clone_from(&parent.source);
        }
        if self.monitor.is_none() {
            self.monitor.clone_from(&parent.monitor);
        }
        if self.fetch.is_none() {
            self.fetch = parent.fetch.as_ref().map(|fetch| fetch.blamed_on(place));
        }
        self.from = self.from.take().or_else(|| moved(&parent.from, place));
        self.to = self.to.take().or_else(|| moved(&parent.to, place));
        if self.notify.is_empty() {
            let notify = parent.notify.iter().map(|one| NotifyDraft {
                notify: one.notify.clone(),
                channel_place: place,
                contact_place: place,
            });
            self.notify = Rc::new(notify.collect());
        }
        self.compare = self.compare.or(parent.compare);
        self.change_history = self.change_history.or(parent.change_history);
        self.weight = self.weight.or(parent.weight);
    }
}

impl Placed<FetchDraft> {
    fn blamed_on(&self, place: Place) -> Placed<FetchDraft> {
        let value = match self.value {
            FetchDraft::OnChange => FetchDraft::OnChange,
            FetchDraft::Every { period, slack, .. } => FetchDraft::Every {
                period,
                slack: slack.map(|slack| Placed { value: slack.value, place }),
                period_place: place,
            },
        };
        Placed { value, place }
    }
}

/// D/10, at least one chronon.
pub(crate) fn default_slack(period: Period, chronon: Span) -> Span {
    period.nominal().divided_by(10).max(chronon)
}

/// Turns statements into drafts.
pub(crate) struct Lowering<'s> {
    pub(crate) chronon: Span,
    pub(crate) sink: &'s mut Sink,
    pub(crate) patterns: Patterns,
}

impl Lowering<'_> {
    /// Everything about a statement that needs no other statement and no world.
    pub(crate) fn draft(&mut self, statement: &Statement) -> Draft {
        let mut draft = Draft::default();
        if let Some(Target::Source(source)) = &statement.target {
            draft.source = crate::address::source(source, self.sink).map(Rc::from);
        }
        let mut seen: Vec<std::mem::Discriminant<ClauseKind>> = Vec::new();
        for clause in &statement.clauses {
            let kind = std::mem::discriminant(&clause.kind);
            if seen.contains(&kind) && !matches!(clause.kind, ClauseKind::Notify(_)) {
                let text = crate::print::clause(&clause.kind);
                let keyword = text.split(' ').next().unwrap_or_default();
                let message = format!("`{keyword}` stands here for the second time");
                self.sink.value(clause.place, message, "leave one of the two out");
                continue;
            }
            seen.push(kind);
            self.clause(clause, &mut draft);
        }
        draft
    }

    fn clause(&mut self, clause: &Clause, draft: &mut Draft) {
        let place = clause.place;
        match &clause.kind {
            ClauseKind::Monitor { expr, patterns } => {
                patterns.iter().for_each(|pattern| self.patterns.check(pattern, self.sink));
                draft.monitor = Some(Rc::new(normal_expr(expr)));
            }
            ClauseKind::Fetch(fetch) => {
                draft.fetch = Some(Placed { value: self.fetch(*fetch), place });
            }
            ClauseKind::From(from) => {
                let value = normal_time(from, self.chronon);
                draft.from = Some(Placed { value, place: from.place });
            }
            ClauseKind::To(to) => {
                let value = bare_end(normal_time(to, self.chronon));
                draft.to = Some(Placed { value, place: to.place });
            }
            ClauseKind::Notify(notify) => {
                let list = Rc::make_mut(&mut draft.notify);
                if list.len() == NOTIFIES_MAX {
                    let message = format!("a sentinel may have {NOTIFIES_MAX} `notify` clauses");
                    self.sink.value(place, message, "split it over several sentinels");
                }
                if list.len() >= NOTIFIES_MAX {
                    return;
                }
                list.push(NotifyDraft {
                    channel_place: notify.channel.place,
                    contact_place: notify.contact.as_ref().map_or(place, |to| to.place),
                    notify: ast::Notify {
                        channel: notify.channel.text.clone(),
                        contact: notify.contact.as_ref().map(|to| to.text.clone()),
                        frequency: self.frequency(notify.frequency),
                    },
                });
            }
            ClauseKind::Compare { compare } => draft.compare = Some(*compare),
            ClauseKind::ChangeHistory { count } => {
                draft.change_history = Some(u32::try_from(*count).unwrap_or(u32::MAX));
            }
            ClauseKind::PresentationOnlyChange => {}
            ClauseKind::Weight { value, .. } => draft.weight = Some(*value),
        }
    }

    fn fetch(&mut self, fetch: Fetch) -> FetchDraft {
        let Fetch::Every { period: written, within } = fetch else { return FetchDraft::OnChange };
        let period = period_of(written, self.chronon);
        let slack = within.map(|within| Placed {
            value: period_of(within, self.chronon).nominal(),
            place: within.place,
        });
        if let Some(slack) = slack.filter(|slack| slack.value >= period.nominal()) {
            let help = format!(
                "write less, or leave it out: then it is {}",
                default_slack(period, self.chronon)
            );
            let message = "the time after `within` must be shorter than the time after `every`";
            self.sink.value(slack.place, message, &help);
        }
        let slack = slack.filter(|slack| slack.value != default_slack(period, self.chronon));
        FetchDraft::Every { period, slack, period_place: written.place }
    }

    fn frequency(&self, frequency: Option<Frequency>) -> ast::Frequency {
        match frequency {
            None | Some(Frequency::Immediately) => ast::Frequency::Immediately,
            Some(Frequency::BestEffort) => ast::Frequency::BestEffort,
            Some(Frequency::Every(period)) => {
                ast::Frequency::Every(period_of(period, self.chronon))
            }
        }
    }
}

/// What finding one too large costs, in patterns of ordinary size.
const TOO_LARGE_COSTS: usize = 20;

/// The regular expressions of one file; each is compiled once.
#[derive(Default)]
pub(crate) struct Patterns {
    known: BTreeMap<String, Option<String>>,
    /// True for stored text, whose patterns compiled when it was stored.
    trusted: bool,
    /// Patterns compiled; one that was found too large counts as many, for it took as long.
    cost: usize,
}

impl Patterns {
    fn check(&mut self, pattern: &Name, sink: &mut Sink) {
        if self.trusted {
            return;
        }
        if pattern.text.len() > REGEX_BYTES_MAX {
            let message = format!("a regular expression has at most {REGEX_BYTES_MAX} bytes");
            sink.value(pattern.place, message, "write a shorter one");
            return;
        }
        if !self.known.contains_key(&pattern.text) {
            if self.cost >= REGEXES_MAX {
                let help = "use fewer different ones, or split the file";
                sink.value(pattern.place, "this file has too many regular expressions", help);
                return;
            }
            let compiled = regex::RegexBuilder::new(&pattern.text)
                .size_limit(REGEX_COMPILED_BYTES_MAX)
                .nest_limit(100)
                .build();
            self.cost += match &compiled {
                Err(regex::Error::CompiledTooBig(_)) => TOO_LARGE_COSTS,
                _ => 1,
            };
            let error = compiled.err().map(|error| reason(&error));
            self.known.insert(pattern.text.clone(), error);
        }
        if let Some(Some(error)) = self.known.get(&pattern.text) {
            let message = format!("this regular expression does not compile: {error}");
            let help = "write it for the Rust crate `regex`, with `\\\\` for each backslash";
            sink.value(pattern.place, message, help);
        }
    }
}

fn reason(error: &regex::Error) -> String {
    match error {
        regex::Error::CompiledTooBig(limit) => format!("it takes more than {limit} bytes"),
        other => {
            let text = other.to_string();
            let last = text.lines().last().unwrap_or_default();
            last.trim_start_matches("error: ").to_owned()
        }
    }
}

impl Patterns {
    /// For text that was checked before it was stored.
    pub(crate) fn trusted() -> Patterns {
        Patterns { trusted: true, ..Patterns::default() }
    }
}

/// The duration's meaning.
pub(crate) fn period_of(duration: Duration, chronon: Span) -> Period {
    let count = i64::try_from(duration.count).unwrap_or(i64::MAX);
    let days = |per: u64| u32::try_from(duration.count.saturating_mul(per)).unwrap_or(u32::MAX);
    match duration.unit {
        Unit::Chronon => Period::Elapsed(chronon.times(count)),
        Unit::Second => Period::Elapsed(Span::SECOND.times(count)),
        Unit::Minute => Period::Elapsed(Span::MINUTE.times(count)),
        Unit::Hour => Period::Elapsed(Span::HOUR.times(count)),
        Unit::Day => Period::Days(days(1)),
        Unit::Week => Period::Days(days(7)),
    }
}

/// The one way to write `period`: in the largest unit that gives a whole number.
pub(crate) fn duration_of(period: Period, chronon: Span) -> Duration {
    let (count, unit) = match period {
        Period::Days(days) if days > 0 && days % 7 == 0 => (u64::from(days / 7), Unit::Week),
        Period::Days(days) => (u64::from(days), Unit::Day),
        Period::Elapsed(span) => {
            let millis = span.as_millis().max(0) as u64;
            let whole = [(3_600_000, Unit::Hour), (60_000, Unit::Minute), (1_000, Unit::Second)];
            let largest =
                whole.into_iter().find(|(size, _)| millis > 0 && millis.is_multiple_of(*size));
            let (size, unit) =
                largest.unwrap_or((chronon.as_millis().max(1) as u64, Unit::Chronon));
            (millis / size, unit)
        }
    };
    Duration { count, unit, place: Place::default() }
}

fn normal_time(time: &Time, chronon: Span) -> Time {
    let offset = time.offset.map(|(sign, by)| (sign, duration_of(period_of(by, chronon), chronon)));
    let mut base = time.base.clone();
    if let Base::Date { zone: Some(zone), .. } = &mut base {
        let is_zero = matches!(&*zone.raw, "+00:00" | "-00:00");
        let known = if is_zero { Some(Zone::utc()) } else { zone.zone.clone() };
        let raw = known.as_ref().map_or(zone.raw.clone(), |zone| zone.name().to_owned());
        *zone = WrittenZone { zone: known, raw };
    }
    Time { base, offset, place: time.place }
}

/// An end at midnight is the end of the day before.
fn bare_end(time: Time) -> Time {
    let Base::Date { date, clock: Some(clock), zone: None } = &time.base else { return time };
    let before = date.day.and_then(day_before).filter(|_| clock.time == Some((0, 0, 0)));
    let Some(day) = before else { return time };
    let date = crate::syntax::Date { day: Some(day), raw: String::new() };
    Time { base: Base::Date { date, clock: None, zone: None }, ..time }
}

fn day_exists(date: (i16, i8, i8)) -> bool {
    LocalTime::new(date, (0, 0, 0)).is_some()
}

fn day_before((year, month, day): (i16, i8, i8)) -> Option<(i16, i8, i8)> {
    let last_of = |year, month| {
        (28..=31).rev().map(move |day| (year, month, day)).find(|&date| day_exists(date))
    };
    match (month, day) {
        (_, 2..) => Some((year, month, day - 1)),
        (2.., _) => last_of(year, month - 1),
        _ if year > 1970 => last_of(year - 1, 12),
        _ => None,
    }
}

pub(crate) fn day_after((year, month, day): (i16, i8, i8)) -> (i16, i8, i8) {
    let candidates = [(year, month, day + 1), (year, month + 1, 1)];
    candidates.into_iter().find(|&date| day_exists(date)).unwrap_or((year + 1, 1, 1))
}

/// Whether a sign adds or takes away.
pub(crate) fn offset_period(time: &Time, chronon: Span) -> Option<(Sign, Period)> {
    time.offset.map(|(sign, by)| (sign, period_of(by, chronon)))
}

/// The form of ast.rs: words folded, sorted, single; nested `and`s and `or`s flat, operands that
/// say the same twice once, `not not` nothing. The order of operands stays as written: alerts
/// name the parts of a condition in it.
pub(crate) fn normal_expr(expr: &Expr) -> Expr {
    match expr {
        Expr::Leaf(leaf) => Expr::Leaf(normal_leaf(leaf)),
        Expr::Not(operand) => match normal_expr(operand) {
            Expr::Not(inner) => *inner,
            other => Expr::Not(Box::new(other)),
        },
        Expr::And(operands) => normal_operands(operands, Expr::And, |expr| match expr {
            Expr::And(inner) => Ok(inner),
            other => Err(other),
        }),
        Expr::Or(operands) => normal_operands(operands, Expr::Or, |expr| match expr {
            Expr::Or(inner) => Ok(inner),
            other => Err(other),
        }),
    }
}

fn normal_operands(
    operands: &[Expr],
    several: fn(Vec<Expr>) -> Expr,
    same: fn(Expr) -> Result<Vec<Expr>, Expr>,
) -> Expr {
    let mut flat: Vec<Expr> = Vec::new();
    for operand in operands {
        let inner = same(normal_expr(operand)).unwrap_or_else(|other| vec![other]);
        for one in inner {
            if !flat.contains(&one) {
                flat.push(one);
            }
        }
    }
    if flat.len() == 1 { flat.remove(0) } else { several(flat) }
}

fn normal_leaf(leaf: &Leaf) -> Leaf {
    let folded = |words: &[String]| {
        let mut words: Vec<String> = words.iter().map(|word| fold(word)).collect();
        words.sort();
        words.dedup();
        words
    };
    let primitive = match &leaf.primitive {
        Primitive::Words { except } => Primitive::Words { except: folded(except) },
        Primitive::Keywords(words) => Primitive::Keywords(folded(words)),
        Primitive::Phrases(phrases) => Primitive::Phrases(folded(phrases)),
        other => other.clone(),
    };
    let mut directions = leaf.directions.clone();
    directions.sort_unstable();
    directions.dedup();
    let all = [Direction::Added, Direction::Removed, Direction::Updated, Direction::Moved];
    if directions == all {
        directions.clear();
    }
    Leaf { primitive, directions, matching: leaf.matching.clone() }
}

/// Without case, white space collapsed.
fn fold(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
