//! A checked sentinel: what every clause of `docs/language.md` comes to once names and
//! defaults are resolved.

pub mod rule;

use address::{Contact, SourceUrl, Way};
pub use aspect::Aspect;
use chronon::{Instant, Period, Span, Zone};
pub use select::Region;

/// A sentinel that passed every check, with inheritance and defaults filled in.
#[derive(Debug, Clone, PartialEq)]
pub struct Sentinel {
    /// As written. Names are compared without case.
    pub name: String,
    /// What it watches: at least one, each once, in the order written.
    pub sources: Vec<Source>,
    pub monitor: Expr,
    pub fetch: Fetch,
    /// When it becomes active; `now` is the instant of the check.
    pub from: When,
    /// True if `from` was written with a clock, or counts from another sentinel: then an `every`
    /// sentinel has a stream of its own phase, instead of joining an existing one.
    pub from_has_clock: bool,
    pub to: Option<When>,
    /// What is looked at, too, once it finds something.
    pub then: Option<Box<Then>>,
    /// At least one.
    pub notify: Vec<Notify>,
    pub compare: Compare,
    pub change_history: u32,
    /// `None`: as its renderer shows best.
    pub presentation: Option<Presentation>,
    pub weight: f64,
    /// As written, without repetition, in order without case, which tells none of them apart.
    pub tags: Vec<String>,
    /// The zone its days step in.
    pub zone: Zone,
}

/// When a sentinel begins or ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum When {
    At(Instant),
    /// With the life of another sentinel.
    Of(Anchor),
}

impl When {
    /// The moment, where the text alone says it.
    pub fn at(&self) -> Option<Instant> {
        match self {
            When::At(at) => Some(*at),
            When::Of(_) => None,
        }
    }

    /// What it counts from, where that is the life of another sentinel.
    pub fn anchor(&self) -> Option<&Anchor> {
        match self {
            When::At(_) => None,
            When::Of(anchor) => Some(anchor),
        }
    }
}

/// A time that counts from the life of another sentinel: `start(name) + 1 hour`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    pub edge: Edge,
    /// As written.
    pub name: String,
    pub offset: Offset,
}

/// One of the two ends of a life, or of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Edge {
    Start,
    End,
}

/// How far a time is from what it counts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offset {
    None,
    After(Period),
    Before(Period),
}

impl Anchor {
    /// The time that it comes to where its edge is at `base`; days are those of `zone`.
    pub fn counted_from(&self, base: Instant, zone: &Zone) -> Instant {
        match self.offset {
            Offset::None => base,
            Offset::After(period) => period.nth(base, 1, zone),
            Offset::Before(period) => period.before(base, zone),
        }
    }

    /// It comes before its edge, which therefore must be known in advance.
    pub fn is_before(&self) -> bool {
        matches!(self.offset, Offset::Before(_))
    }
}

/// A page that a sentinel watches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Normalised.
    pub url: SourceUrl,
    /// No clause asks for another than the default yet.
    pub way: Way,
    /// What `of` calls it.
    pub name: Option<String>,
}

/// `then probe`: looks that follow a detection, and that its notification waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Then {
    /// At least one, each once, in the order written.
    pub sources: Vec<Source>,
    /// How long they have, from the detection on.
    pub within: Period,
}

impl Sentinel {
    /// The first of its sources.
    ///
    /// # Panics
    /// If it has none, which no checked sentinel has.
    pub fn source(&self) -> &Source {
        &self.sources[0]
    }

    /// The condition says of each part which source it is about, and there are several: it is
    /// evaluated for captures of all of them together.
    pub fn is_joint(&self) -> bool {
        self.sources.len() > 1 && self.monitor.names_sources()
    }
}

/// A condition on changes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Expr {
    Leaf(Leaf),
    Not(Box<Expr>),
    /// Two or more operands.
    And(Vec<Expr>),
    /// Two or more operands.
    Or(Vec<Expr>),
}

impl Expr {
    /// Some part says which source it is about; in a checked condition, then all do.
    pub fn names_sources(&self) -> bool {
        match self {
            Expr::Leaf(leaf) => leaf.of.is_some(),
            Expr::Not(operand) => operand.names_sources(),
            Expr::And(operands) | Expr::Or(operands) => operands.iter().any(Expr::names_sources),
        }
    }

    /// Some part of it is about this aspect.
    pub fn asks_for(&self, aspect: Aspect) -> bool {
        match self {
            Expr::Leaf(leaf) => leaf.primitive.aspect == aspect,
            Expr::Not(operand) => operand.asks_for(aspect),
            Expr::And(operands) | Expr::Or(operands) => {
                operands.iter().any(|operand| operand.asks_for(aspect))
            }
        }
    }

    /// Some part of it is about a part of this source, by its position.
    pub fn points_into(&self, source: usize) -> bool {
        match self {
            Expr::Leaf(leaf) => {
                let is_meant = leaf.of.as_ref().is_none_or(|of| usize::from(of.source) == source);
                is_meant && !leaf.primitive.region.is_whole()
            }
            Expr::Not(operand) => operand.points_into(source),
            Expr::And(operands) | Expr::Or(operands) => {
                operands.iter().any(|operand| operand.points_into(source))
            }
        }
    }

    /// Changes every leaf.
    pub(crate) fn for_each_leaf(&mut self, change: &mut impl FnMut(&mut Leaf)) {
        match self {
            Expr::Leaf(leaf) => change(leaf),
            Expr::Not(operand) => operand.for_each_leaf(change),
            Expr::And(operands) | Expr::Or(operands) => {
                operands.iter_mut().for_each(|operand| operand.for_each_leaf(change));
            }
        }
    }
}

/// The source that a leaf is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Of {
    /// As the source is called.
    pub name: String,
    /// The position among the sentinel's sources; 0 before the sentinel is checked.
    pub source: u16,
}

/// One primitive of a condition.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Leaf {
    pub primitive: Primitive,
    /// Which source it is about, where the sentinel says so of every leaf.
    pub of: Option<Of>,
    /// Sorted, without repetition; empty: every direction.
    pub directions: Vec<Direction>,
    /// A regular expression that compiles.
    pub matching: Option<String>,
}

/// What a leaf looks at: an aspect of a region, and terms in lower case, sorted, without
/// repetition. The terms of a value are at most one, the text of an [`aspect::Test`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Primitive {
    pub aspect: Aspect,
    pub terms: Vec<String>,
    pub region: Region,
}

impl Primitive {
    /// An aspect of which nothing more is said.
    pub fn plain(aspect: Aspect) -> Primitive {
        Primitive { aspect, terms: Vec::new(), region: Region::default() }
    }

    /// An aspect with its words.
    pub fn of<T: Into<String>>(aspect: Aspect, terms: impl IntoIterator<Item = T>) -> Primitive {
        let terms = terms.into_iter().map(Into::into).collect();
        Primitive { aspect, terms, region: Region::default() }
    }
}

/// A kind of change a leaf is restricted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    Added,
    Removed,
    Updated,
    Moved,
}

/// When to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fetch {
    /// The scheduler decides. A change that is found in one of several sources that are captured
    /// together asks for a look at each other one `within` that time.
    OnChange { within: Span },
    /// Execution intervals [t0 + k·period, t0 + k·period + slack].
    Every { period: Period, slack: Span },
}

/// Which two elements of a stream are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Compare {
    /// (e_i−1, e_i)
    Pairwise,
    /// (e_i−n+1, e_i), n ≥ 2
    Moving(u32),
    /// (e_1, e_n), (e_n, e_2n−1), …, n ≥ 2
    Every(u32),
}

/// How what changed is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Presentation {
    OnlyChange,
    /// Old and new side by side.
    DualFrame,
    /// One text with what went and what came marked.
    Merged,
}

impl Presentation {
    pub const ALL: [Presentation; 3] =
        [Presentation::OnlyChange, Presentation::DualFrame, Presentation::Merged];

    /// As the language writes it.
    pub fn words(self) -> &'static str {
        match self {
            Presentation::OnlyChange => "only change",
            Presentation::DualFrame => "dual frame",
            Presentation::Merged => "merged",
        }
    }
}

/// Whom to tell, and how often.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Notify {
    /// `interactive`, `terminal`, `email`, `webhook` or the name of a configured channel.
    pub channel: String,
    pub contact: Option<Contact>,
    pub frequency: Frequency,
}

/// When a notification goes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Frequency {
    Immediately,
    BestEffort,
    /// One digest per window [t0 + kD, t0 + (k+1)D).
    Every(Period),
}
