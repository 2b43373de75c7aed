//! How far the numbers of a text run.

use super::numbers::differing_beside_dates;
use super::{CELL, Trace, text};
use crate::found::Found;

/// By how much the one number of a text moved beside its date, as a power of two in hundredths, and
/// whether up. In a trace of numbers `all` has the greatest so far, and the directions seen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    size: u16,
    up: bool,
}

/// Added to a power, so that it is above 0.
const STEP_ZERO: f64 = 4_000.0;
/// The bits of `all` that are the greatest step's; two are for the directions.
const STEP_BITS: u16 = (1 << 14) - 1;
/// A leap is three times as far as any step before, in hundredths of a power of two, of a number
/// that moved as many times.
const LEAP: u16 = 158;
const LEAP_TIMES_MIN: u16 = 5;

impl Step {
    /// The step of a text, or of this cell of a row. `None`: more or other things than one plain
    /// number differ, dates left out.
    pub(super) fn of(change: &Found, cell: Option<usize>) -> Option<Step> {
        let said = |text| match cell {
            Some(at) => str::split(text, CELL).nth(at),
            None => Some(text).filter(|text| !text.contains(CELL)),
        };
        let (old, new) = (said(text(&change.old)?)?, said(text(&change.new)?)?);
        let differing = differing_beside_dates(old, new);
        let [(old, new)] = &differing[..] else { return None };
        // A comma before three digits parts thousands.
        let number = |text: &str| {
            let mut groups = text.split(',').skip(1).peekable();
            let is_grouped = groups.peek().is_some()
                && groups.all(|group| group.split('.').next().is_some_and(|one| one.len() == 3));
            let plain = text.replace(',', if is_grouped { "" } else { "." });
            plain.parse::<f64>().ok()
        };
        let step = number(new)? - number(old)?;
        let power = libm::round(libm::log2(step.abs()) * 100.0) + STEP_ZERO;
        let is_told = step != 0.0 && (1.0..f64::from(STEP_BITS)).contains(&power);
        is_told.then_some(Step { size: power as u16, up: step > 0.0 })
    }

    /// What a trace says of steps, with this one.
    pub(super) fn joined(self, all: u16) -> u16 {
        let direction = 1 << (14 + u16::from(self.up));
        let greatest = (all & STEP_BITS).max(self.size);
        all & !STEP_BITS | direction | greatest
    }

    /// Whether a number that goes up and down, as a gauge does, moved as never before.
    pub(super) fn is_leap(self, trace: &Trace) -> bool {
        let both_ways = trace.all >> 14 == 3;
        let greatest = trace.all & STEP_BITS;
        both_ways && trace.times >= LEAP_TIMES_MIN && self.size > greatest + LEAP
    }
}
