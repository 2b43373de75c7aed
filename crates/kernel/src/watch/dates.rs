//! When a look's content says that it changed, kept until it is known whether anybody is told.

use crate::record::VersionFacts;
use chronon::{Instant, Span};
use page::Kind;

/// A date so near to the look is one that the server made for it.
const OF_THE_LOOK: Span = Span::from_secs(2);

/// What the content of a look says of its changes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Changes {
    /// Entries of a feed that came since the look before; 0: not known.
    pub(super) found: u32,
    /// Times since the look before, and in the future, which says that they are wrong.
    pub(super) times: Vec<Instant>,
}

/// A look, and the last that succeeded before it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Looks {
    pub(super) last: Option<Instant>,
    pub(super) start: Instant,
}

fn is_near(a: Instant, b: Instant) -> bool {
    a.since(b).max(b.since(a)) <= OF_THE_LOOK
}

impl Changes {
    /// What `dates` in the content say, and, if they say nothing, when the server says that it was
    /// modified. `None`: nothing.
    pub(super) fn of(
        facts: &VersionFacts,
        dates: &[Instant],
        looks: Looks,
    ) -> Option<Box<Changes>> {
        let Looks { last, start } = looks;
        let last = last?;
        let is_new = |date: &Instant| *date > last && !is_near(*date, start);
        let mut times: Vec<Instant> = dates.iter().copied().filter(is_new).collect();
        let is_exact = facts.kind == Kind::Feed && times.last().is_some_and(|&at| at <= start);
        let found = if is_exact { times.len() as u32 } else { 0 };
        if times.is_empty() {
            times.extend(facts.modified_at.filter(is_new));
        }
        (!times.is_empty()).then(|| Box::new(Changes { found, times }))
    }
}
