//! Expressions over events, and the nodes they are made of.

use crate::rows::NodeId;
use chronon::{EventId, Instant, Period, SentinelId, Span, Zone};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::hash::{Hash, Hasher};

/// What can happen: the primitive events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Signal {
    /// A sentinel found what it watches for.
    Detected(SentinelId),
    /// A sentinel became active.
    Started(SentinelId),
    /// A sentinel's life ended.
    Ended(SentinelId),
    /// A look at a sentinel's source brought content or "not modified".
    Fetched(SentinelId),
    /// A look at a sentinel's source failed.
    Failed(SentinelId),
    /// Somebody, or a rule, raised it by name.
    Raised(EventId),
}

/// How occurrences are chosen when several could take part.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Context {
    /// The newest of each; an initiator serves until a newer one comes.
    #[default]
    Recent,
    /// Oldest first; each takes part once.
    Chronicle,
    /// Each initiator begins an occurrence of its own.
    Continuous,
    /// All together make one.
    Cumulative,
}

impl Context {
    /// Every context.
    pub const ALL: [Context; 4] =
        [Context::Recent, Context::Chronicle, Context::Continuous, Context::Cumulative];

    /// The word of the language.
    pub const fn name(self) -> &'static str {
        match self {
            Context::Recent => "recent",
            Context::Chronicle => "chronicle",
            Context::Continuous => "continuous",
            Context::Cumulative => "cumulative",
        }
    }
}

/// A length of time, and the calendar that its days step in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub period: Period,
    pub zone: Zone,
}

impl Step {
    /// The `k`th step after `from`.
    pub fn nth(&self, from: Instant, k: u64) -> Instant {
        self.period.nth(from, k, &self.zone)
    }
}

impl Hash for Step {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.period, self.zone.name()).hash(state);
    }
}

/// As stored: days of a calendar or milliseconds, how many, and the zone.
#[derive(Serialize, Deserialize)]
struct StepText(bool, i64, String);

impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (is_days, count) = match self.period {
            Period::Days(days) => (true, i64::from(days)),
            Period::Elapsed(span) => (false, span.as_millis()),
        };
        StepText(is_days, count, self.zone.name().to_owned()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Step, D::Error> {
        use serde::de::Error;
        let StepText(is_days, count, zone) = StepText::deserialize(deserializer)?;
        let period = if is_days {
            Period::Days(u32::try_from(count).map_err(D::Error::custom)?)
        } else {
            Period::Elapsed(Span::from_millis(count))
        };
        Ok(Step { period, zone: Zone::parse(&zone).map_err(D::Error::custom)? })
    }
}

/// An event: something primitive, or a composition. `L` is what primitive events are called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr<L = Signal> {
    Signal(L),
    /// Once, at an instant; never, where that is over when the rule is defined.
    At(Instant),
    Or(Box<Expr<L>>, Box<Expr<L>>),
    And(Box<Expr<L>>, Box<Expr<L>>),
    /// The second began after the first had ended.
    Seq(Box<Expr<L>>, Box<Expr<L>>),
    /// `not absent between opens and closes`.
    Not {
        absent: Box<Expr<L>>,
        opens: Box<Expr<L>>,
        closes: Box<Expr<L>>,
    },
    /// Snoop's A: raised by each `inside`.
    Each {
        inside: Box<Expr<L>>,
        opens: Box<Expr<L>>,
        closes: Box<Expr<L>>,
    },
    /// Snoop's A*: raised by `closes`, with each `inside`.
    All {
        inside: Box<Expr<L>>,
        opens: Box<Expr<L>>,
        closes: Box<Expr<L>>,
    },
    /// Snoop's P: raised by each tick after `opens`.
    Every {
        step: Step,
        opens: Box<Expr<L>>,
        closes: Box<Expr<L>>,
    },
    /// Snoop's P*: raised by `closes`, with the ticks since `opens`.
    Collect {
        step: Step,
        opens: Box<Expr<L>>,
        closes: Box<Expr<L>>,
    },
    /// A moment, one step after the event ended.
    Plus(Box<Expr<L>>, Step),
    /// So many of these, in any order.
    Any(u32, Vec<Expr<L>>),
}

/// What a node that is neither a signal nor an instant does with its parts.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Operator {
    Or,
    And,
    Seq,
    /// Parts: opens, absent, closes.
    Not,
    /// Parts: opens, inside, closes.
    Each,
    /// Parts: opens, inside, closes.
    All,
    /// Parts: opens, closes.
    Every(Step),
    /// Parts: opens, closes.
    Collect(Step),
    Plus(Step),
    Any(u32),
}

/// A node, by what makes two of them the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    Signal(Signal),
    At(#[serde(with = "chronon::millis")] Instant),
    Composed { operator: Operator, context: Context, parts: Vec<NodeId> },
}

/// An expression is larger than any detector takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TooMuch {
    /// `any` of more than this many.
    Types(usize),
    /// More than this many nodes.
    Nodes(usize),
}

impl std::fmt::Display for TooMuch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TooMuch::Types(max) => write!(f, "`any` takes {max} events at most"),
            TooMuch::Nodes(max) => write!(f, "an event has {max} parts at most"),
        }
    }
}

impl std::error::Error for TooMuch {}

impl<L> Expr<L> {
    /// The same event over other names of what is primitive; the first that has none is the error.
    ///
    /// # Errors
    /// What `name` says.
    pub fn named<M, E>(&self, name: &mut impl FnMut(&L) -> Result<M, E>) -> Result<Expr<M>, E> {
        let mut of = |part: &Expr<L>| part.named(name).map(Box::new);
        Ok(match self {
            Expr::Signal(leaf) => Expr::Signal(name(leaf)?),
            Expr::At(at) => Expr::At(*at),
            Expr::Or(a, b) => Expr::Or(of(a)?, of(b)?),
            Expr::And(a, b) => Expr::And(of(a)?, of(b)?),
            Expr::Seq(a, b) => Expr::Seq(of(a)?, of(b)?),
            Expr::Not { absent, opens, closes } => {
                Expr::Not { absent: of(absent)?, opens: of(opens)?, closes: of(closes)? }
            }
            Expr::Each { inside, opens, closes } => {
                Expr::Each { inside: of(inside)?, opens: of(opens)?, closes: of(closes)? }
            }
            Expr::All { inside, opens, closes } => {
                Expr::All { inside: of(inside)?, opens: of(opens)?, closes: of(closes)? }
            }
            Expr::Every { step, opens, closes } => {
                Expr::Every { step: step.clone(), opens: of(opens)?, closes: of(closes)? }
            }
            Expr::Collect { step, opens, closes } => {
                Expr::Collect { step: step.clone(), opens: of(opens)?, closes: of(closes)? }
            }
            Expr::Plus(part, step) => Expr::Plus(of(part)?, step.clone()),
            Expr::Any(least, parts) => {
                let parts = parts.iter().map(|part| part.named(name));
                Expr::Any(*least, parts.collect::<Result<_, E>>()?)
            }
        })
    }

    /// The expressions it is made of, in the order of a node's parts.
    pub fn parts(&self) -> Vec<&Expr<L>> {
        match self {
            Expr::Signal(_) | Expr::At(_) => Vec::new(),
            Expr::Or(a, b) | Expr::And(a, b) | Expr::Seq(a, b) => vec![a, b],
            Expr::Not { absent: inside, opens, closes }
            | Expr::Each { inside, opens, closes }
            | Expr::All { inside, opens, closes } => vec![opens, inside, closes],
            Expr::Every { opens, closes, .. } | Expr::Collect { opens, closes, .. } => {
                vec![opens, closes]
            }
            Expr::Plus(of, _) => vec![of],
            Expr::Any(_, of) => of.iter().collect(),
        }
    }

    /// What its node does; nothing for what has no parts.
    pub fn operator(&self) -> Option<Operator> {
        Some(match self {
            Expr::Signal(_) | Expr::At(_) => return None,
            Expr::Or(..) => Operator::Or,
            Expr::And(..) => Operator::And,
            Expr::Seq(..) => Operator::Seq,
            Expr::Not { .. } => Operator::Not,
            Expr::Each { .. } => Operator::Each,
            Expr::All { .. } => Operator::All,
            Expr::Every { step, .. } => Operator::Every(step.clone()),
            Expr::Collect { step, .. } => Operator::Collect(step.clone()),
            Expr::Plus(_, step) => Operator::Plus(step.clone()),
            Expr::Any(least, _) => Operator::Any(*least),
        })
    }
}

impl Operator {
    /// Among what one moment brings, the rank in which a part's occurrences are taken: what closes
    /// goes before what opens, so that `a ; a` pairs each a with the one before. What is inside
    /// goes before what closes `(E1, E3]`, and behind what closes `(te(E1), ts(E3))`.
    pub(crate) fn rank(&self, role: u8) -> u8 {
        match (self, role) {
            (Operator::Seq | Operator::Every(_) | Operator::Collect(_), role) => 1 - role,
            (Operator::Not, role) => 2 - role,
            (Operator::Each | Operator::All, role) => (role + 2) % 3,
            _ => role,
        }
    }
}
