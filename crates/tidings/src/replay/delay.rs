//! How long what appeared waited.

use chronon::{Instant, Span};
use sim::replay::{Replayed, Wait};

/// Delays in seconds, sorted.
pub struct Delays(Vec<f64>);

impl Delays {
    pub fn of(waits: impl Iterator<Item = Wait>) -> Delays {
        let mut all: Vec<f64> =
            waits.map(|wait| wait.end.since(wait.appeared).as_secs_f64()).collect();
        all.sort_by(f64::total_cmp);
        Delays(all)
    }

    pub fn count(&self) -> u64 {
        self.0.len() as u64
    }

    /// `None`, here and below: nothing was measured.
    pub fn mean(&self) -> Option<f64> {
        let all = &self.0;
        (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
    }

    pub fn median(&self) -> Option<f64> {
        self.0.get(self.0.len() / 2).copied()
    }
}

/// The mean delay, in seconds, if as many looks as came from `measured` to `last` came at even
/// intervals, each page as often as the others; `None`: none came.
pub fn at_even_intervals(replayed: &Replayed, measured: Instant, last: Instant) -> Option<f64> {
    let looks = replayed.reached.iter().filter(|&&at| measured <= at && at <= last).count();
    let watched = last.since(measured).as_secs_f64() * replayed.pages as f64;
    (looks > 0).then(|| watched / looks as f64 / 2.0)
}

/// Seconds as people say them: the two largest units.
pub fn spoken(seconds: f64) -> String {
    Span::from_millis((seconds * 1_000.0).round() as i64).to_string()
}
