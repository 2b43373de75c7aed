//! How often does a source change? Learned from what its probes found (`docs/theory.md`, Learning
//! rates).
//!
//! Comes in: observations, each the gap since the probe before it and what was [`Seen`]: whether
//! the source changed, or how many items came. Goes out: changes per unit of time. Any unit will
//! do as long as it is one; the server counts seconds. Promises: pure; whatever a [`Learner`] is
//! told, its estimate is positive and finite.
//!
//! [`Learner`] with its [`Pool`] learns online, in 24 bytes a source, forgets, and notices when the
//! rate changes.
//!
//! ```
//! use schedule::rate::{Learner, Memory, Pool, Seen};
//!
//! // Sources of this kind are guessed to change once a day.
//! let mut pool = Pool::new(1.0 / 86_400.0, Memory::standard());
//! let mut source = Learner::new();
//! assert!((source.rate(&pool) * 86_400.0 - 1.0).abs() < 1e-6);
//! // It changes at every second probe of an hour: ln 2 changes an hour are likeliest.
//! for probe in 0..200 {
//!     let seen = if probe % 2 == 0 { Seen::Changed } else { Seen::Unchanged };
//!     source.learn(3600.0, seen, &mut pool);
//! }
//! assert!((source.rate(&pool) * 3600.0 - 0.69).abs() < 0.07);
//! ```

mod learner;

pub(crate) use learner::{Evidence, FORGETS};
pub use learner::{HalfLife, Learner, Memory, Pool};

/// What a probe found, compared with the probe before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// Nothing changed.
    Unchanged,
    /// It changed, who knows how often.
    Changed,
    /// So many items came, all of them seen (feeds with ids).
    Items(u32),
}

/// The step that an observation "changed in `gap`" makes on a Gamma posterior whose mean is
/// `rate`: the Gamma factor λ^c·e^{−dλ} that has the first two derivatives of the logarithm of the
/// likelihood 1 − e^{−λ·gap} at `rate`. (c, d), 0 < c ≤ 1 and 0 < d ≤ gap/2.
///
/// With y = rate·gap and q = y/(eʸ − 1): c = q(q + y), d = gap·q·(y + q − 1)/y.
fn changed_as_gamma(rate: f64, gap: f64) -> (f64, f64) {
    let y = rate * gap;
    // Beyond this nothing is learned from a change.
    if y > 700.0 {
        return (0.0, 0.0);
    }
    let q = if y < 1e-9 { 1.0 - y / 2.0 } else { y / libm::expm1(y) };
    // (y + q − 1)/y without its cancellation.
    let half = if y < 1e-4 { 0.5 + y / 12.0 } else { (y + q - 1.0) / y };
    (q * (q + y), gap * q * half)
}
