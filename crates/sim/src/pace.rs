//! How long things take, and what fails at random: nothing at all in a case, anything in a seed.

use chronon::{Instant, Span};

/// A small generator of random numbers (splitmix64); the same seed gives the same numbers.
#[derive(Debug, Clone)]
pub(crate) struct Rng(u64);

impl Rng {
    /// A generator of its own for the part of this name, so that parts do not disturb each other.
    pub(crate) fn stream(seed: u64, name: &str) -> Rng {
        let mixed = name.bytes().fold(seed, |mixed, byte| {
            (mixed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(5)
        });
        let mut rng = Rng(mixed);
        rng.next();
        rng
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 if that is 0.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 { 0 } else { self.next() % bound }
    }

    /// True once in `n` times.
    pub(crate) fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<'a, T>(&mut self, among: &'a [T]) -> &'a T {
        &among[self.below(among.len() as u64) as usize]
    }

    /// From `least` to `most`, both included, in whole milliseconds.
    pub(crate) fn span(&mut self, least: Span, most: Span) -> Span {
        let range = (most.as_millis() - least.as_millis()).max(0) as u64 + 1;
        least + Span::from_millis(self.below(range) as i64)
    }
}

/// The machine under the server.
#[derive(Debug, Clone)]
pub(crate) enum Pace {
    /// Everything is done at once and in order.
    Instant,
    /// Works take up to some seconds and overtake each other; of the appends some fail until
    /// `calm`.
    Random { rng: Rng, calm: Instant },
}

/// How late the machine wakes up when something is due: no clock rings on the millisecond.
#[derive(Debug, Clone)]
pub(crate) struct Wakes {
    rng: Rng,
    most: Span,
}

impl Wakes {
    /// Up to `most` late.
    pub(crate) fn late(rng: Rng, most: Span) -> Wakes {
        Wakes { rng, most }
    }

    pub(crate) fn on_time() -> Wakes {
        Wakes::late(Rng::stream(0, "wakes"), Span::ZERO)
    }

    pub(crate) fn next(&mut self) -> Span {
        self.rng.span(Span::ZERO, self.most)
    }
}

/// How an append is going to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Luck {
    Well,
    Lost,
    /// Written, but the answer is an error.
    Unanswered,
}

impl Pace {
    pub(crate) fn random(rng: Rng, calm: Instant) -> Pace {
        Pace::Random { rng, calm }
    }

    /// How long a work takes that takes `most` at most.
    pub(crate) fn work(&mut self, most: Span) -> Span {
        match self {
            Pace::Instant => Span::ZERO,
            Pace::Random { rng, .. } => {
                if rng.one_in(3) {
                    Span::ZERO
                } else {
                    rng.span(Span::ZERO, most)
                }
            }
        }
    }

    /// How many of `waiting` inputs make a batch.
    pub(crate) fn batch(&mut self, waiting: usize) -> usize {
        match self {
            Pace::Instant => waiting,
            Pace::Random { rng, .. } => 1 + rng.below(waiting as u64) as usize,
        }
    }

    pub(crate) fn append(&mut self, now: Instant) -> Luck {
        match self {
            Pace::Instant => Luck::Well,
            Pace::Random { calm, .. } if now >= *calm => Luck::Well,
            Pace::Random { rng, .. } => match rng.below(40) {
                0 => Luck::Lost,
                1 => Luck::Unanswered,
                _ => Luck::Well,
            },
        }
    }
}
