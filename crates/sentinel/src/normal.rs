//! One form for what can be written in several: durations, times, conditions.

use crate::ast::{Direction, Expr, Leaf, Primitive};
use crate::place::Place;
use crate::syntax::{Base, Date, Duration, Sign, Time, Unit, WrittenZone, YEAR_MIN};
use aspect::Terms;
use chronon::{Day, Period, Span, TimeOfDay, Zone};

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

pub(crate) fn normal_time(time: &Time, chronon: Span) -> Time {
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
pub(crate) fn bare_end(time: Time) -> Time {
    let Base::Date { date, clock: Some(clock), zone: None } = &time.base else { return time };
    let before = date.day.map(Day::before).filter(|day| day.year() >= YEAR_MIN);
    let at_midnight = clock.time == Some(TimeOfDay::MIDNIGHT);
    let Some(day) = before.filter(|_| at_midnight) else { return time };
    let date = Date { day: Some(day), raw: String::new() };
    Time { base: Base::Date { date, clock: None, zone: None }, ..time }
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
            Expr::And(inner) => inner,
            other => vec![other],
        }),
        Expr::Or(operands) => normal_operands(operands, Expr::Or, |expr| match expr {
            Expr::Or(inner) => inner,
            other => vec![other],
        }),
    }
}

/// `inner` gives the operands of an expression of the same kind, and any other one alone.
fn normal_operands(
    operands: &[Expr],
    several: fn(Vec<Expr>) -> Expr,
    inner: fn(Expr) -> Vec<Expr>,
) -> Expr {
    let mut flat: Vec<Expr> = Vec::new();
    for one in operands.iter().map(normal_expr).flat_map(inner) {
        if !flat.contains(&one) {
            flat.push(one);
        }
    }
    if flat.len() == 1 { flat.remove(0) } else { several(flat) }
}

fn normal_leaf(leaf: &Leaf) -> Leaf {
    let Primitive { aspect, terms, region } = &leaf.primitive;
    let mut terms = match aspect.row().terms {
        Terms::Tests => terms.clone(),
        _ => terms.iter().map(|term| fold(term)).collect(),
    };
    terms.sort();
    terms.dedup();
    let primitive = Primitive { aspect: *aspect, terms, region: region.clone() };
    let mut directions = leaf.directions.clone();
    directions.sort_unstable();
    directions.dedup();
    let all = [Direction::Added, Direction::Removed, Direction::Updated, Direction::Moved];
    if directions == all {
        directions.clear();
    }
    Leaf { primitive, of: leaf.of.clone(), directions, matching: leaf.matching.clone() }
}

/// In order without case; of those that differ in nothing else, the first.
pub(crate) fn normal_tags<'t>(written: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut tags: Vec<String> = written.map(str::to_owned).collect();
    tags.sort_by_key(|tag| tag.to_lowercase());
    tags.dedup_by_key(|tag| tag.to_lowercase());
    tags
}

/// Without case, white space collapsed.
fn fold(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
