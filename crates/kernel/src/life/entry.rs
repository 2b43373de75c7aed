//! What is held of a sentinel.

use crate::record::{SentinelLife, SentinelRow, SentinelState, StreamSpec, Worry};
use crate::watch::{Ask, LastElement, SoFar, Together};
use chronon::{Instant, Period, SourceId, Span, StreamId};
use outbox::{Came, ChannelId, FollowingLook};
use sentinel::ast;
use std::sync::Arc;

/// A sentinel: its rows, and what its text compiles to.
pub(crate) struct SentinelEntry {
    pub(crate) row: SentinelRow,
    pub(crate) life: SentinelLife,
    /// Those of one file are mostly alike: they share it.
    pub(crate) plan: Arc<Plan>,
    /// What it is to listen to, from its definition until it does; later its text is read back.
    pub(crate) monitor: Option<Box<ast::Expr>>,
    /// What its source's weight holds of it, in millionths: a thousand of them at most.
    pub(crate) weighed: u32,
    /// Changes in place since the process started: the generation stays the same.
    pub(crate) amended: u32,
}

/// The compiled clauses the kernel acts on; the condition lives in the graph.
#[derive(Clone, PartialEq)]
pub(crate) struct Plan {
    /// `NEVER` while it is not known.
    pub(crate) from: Instant,
    pub(crate) from_has_clock: bool,
    pub(crate) to: Option<Instant>,
    /// What `from` and `to` count from, where that is another life.
    pub(crate) hangs: Hangs,
    pub(crate) fetch: ast::Fetch,
    /// The sources are captured together.
    pub(crate) is_joint: bool,
    pub(crate) compare: ast::Compare,
    pub(crate) zone: chronon::Zone,
    pub(crate) weight: f64,
    pub(crate) history: u32,
    pub(crate) tags: Box<[Box<str>]>,
    pub(crate) whom: Vec<Recipient>,
    /// What is looked at once it finds something.
    pub(crate) then: Option<Box<Then>>,
}

/// What a text names besides its sources.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    pub(crate) whom: Vec<Recipient>,
    /// What is looked at once it finds something, in the order written.
    pub(crate) followed: Vec<SourceId>,
}

/// Looks that follow what is found.
#[derive(Clone, PartialEq)]
pub(crate) struct Then {
    /// As they are before anything has come of them.
    pub(crate) looks: Box<[FollowingLook]>,
    pub(crate) within: Period,
}

impl Then {
    /// As the text says it, of the sources that it names.
    pub(crate) fn of(ast: &ast::Sentinel, followed: &[SourceId]) -> Option<Box<Then>> {
        let then = ast.then.as_deref()?;
        let look = |(&source, named): (&SourceId, &ast::Source)| {
            let name = named.name.as_deref().map(Box::from);
            FollowingLook { source, name, came: Came::Nothing }
        };
        let looks = followed.iter().zip(&then.sources).map(look).collect();
        Some(Box::new(Then { looks, within: then.within }))
    }
}

/// What a sentinel goes on from in one of its places.
#[derive(Debug, Default)]
pub(crate) struct Origin {
    /// The last elements of its source; none: from what comes.
    pub(crate) last: Vec<LastElement>,
    /// Captures of the same sources.
    pub(crate) so_far: Option<Box<SoFar>>,
}

/// What the two edges of a life count from, where that is another life.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct Hangs {
    pub(crate) from: Option<Box<ast::Anchor>>,
    pub(crate) to: Option<Box<ast::Anchor>>,
}

impl Hangs {
    pub(crate) fn of(ast: &ast::Sentinel) -> Hangs {
        let anchor = |when: Option<&ast::When>| when?.anchor().cloned().map(Box::new);
        Hangs { from: anchor(Some(&ast.from)), to: anchor(ast.to.as_ref()) }
    }

    /// The names that it counts from, in lower case.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        [&self.from, &self.to].into_iter().flatten().map(|anchor| anchor.name.to_lowercase())
    }
}

impl Plan {
    /// The weight in whole numbers, so that the order of adding does not show.
    pub(crate) fn millionths(&self) -> u64 {
        millionths(self.weight)
    }
}

/// The tags as an entry holds them.
pub(crate) fn tags_of(ast: &ast::Sentinel) -> Box<[Box<str>]> {
    ast.tags.iter().map(|tag| tag.as_str().into()).collect()
}

/// A weight in whole numbers.
pub(crate) fn millionths(weight: f64) -> u64 {
    (weight * 1e6 + 0.5) as u64
}

/// Whom a sentinel tells, and when.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Recipient {
    pub(crate) channel: ChannelId,
    pub(crate) frequency: ast::Frequency,
}

impl SentinelEntry {
    /// The plan, to change it: from here on the sentinel has one of its own.
    pub(super) fn plan_mut(&mut self) -> &mut Plan {
        Arc::make_mut(&mut self.plan)
    }

    /// The sentinel hears, or will hear of what is still on its way.
    pub(crate) fn is_joined(&self) -> bool {
        self.life.stream.is_some()
    }

    pub(crate) fn is_active(&self) -> bool {
        self.life.state == SentinelState::Active
    }

    /// Until when what it tells is held back; that of a sentinel somebody removed until long after
    /// it is gone.
    pub(crate) fn held(&self, now: Instant) -> Option<Instant> {
        let snoozed = self.life.snoozed.filter(|&until| until > now);
        self.life.going.map(|going| going + Span::DAY).or(snoozed)
    }

    /// What it adds to its source's freshness demand, in millionths.
    pub(crate) fn fresh_weight(&self) -> u64 {
        let on_change = matches!(self.plan.fetch, ast::Fetch::OnChange { .. });
        let counts = self.is_active() && self.is_joined() && on_change;
        if counts { self.plan.millionths() } else { 0 }
    }

    /// The streams that it listens to, or will: as many as it has sources, one if these are
    /// captured together.
    pub(crate) fn places(&self) -> usize {
        if self.plan.is_joint { 1 } else { 1 + self.row.others.len() }
    }

    /// The sources that are looked at once it finds something.
    pub(crate) fn followed(&self) -> impl Iterator<Item = SourceId> {
        self.plan.then.iter().flat_map(|then| then.looks.iter().map(|look| look.source))
    }

    /// Which of its places is in streams of this source.
    pub(crate) fn place_of(&self, source: SourceId) -> Option<usize> {
        let at = self.row.sources().position(|other| other == source)?;
        Some(if self.plan.is_joint { 0 } else { at })
    }

    /// The source of one of its places.
    pub(crate) fn source_at(&self, place: usize) -> SourceId {
        place.checked_sub(1).map_or(self.row.source, |other| self.row.others[other])
    }

    /// Takes note of a place in a stream, or of the lack of one; says what was there.
    pub(crate) fn seat(
        &mut self,
        place: usize,
        stream: Option<StreamId>,
        first_index: u64,
    ) -> Option<StreamId> {
        let life = &mut self.life;
        let (of_stream, of_index) = match place.checked_sub(1) {
            None => (&mut life.stream, &mut life.first_index),
            Some(other) => {
                let other = &mut life.others[other];
                (&mut other.stream, &mut other.first_index)
            }
        };
        *of_index = first_index;
        std::mem::replace(of_stream, stream)
    }

    /// What it was told of one of its sources that fails.
    pub(crate) fn worry(&mut self, source: SourceId) -> Option<&mut Option<Worry>> {
        let at = self.row.sources().position(|other| other == source)?;
        Some(match at.checked_sub(1) {
            None => &mut self.life.worry,
            Some(other) => &mut self.life.others[other].worry,
        })
    }

    /// Since when it was told that a selector finds nothing in one of its sources.
    pub(crate) fn blind(&mut self, source: SourceId) -> Option<&mut Option<Instant>> {
        let at = self.row.sources().position(|other| other == source)?;
        Some(match at.checked_sub(1) {
            None => &mut self.life.blind,
            Some(other) => &mut self.life.others[other].blind,
        })
    }

    /// A selector finds nothing in some source.
    pub(crate) fn is_blind(&self) -> bool {
        self.life.blind.is_some() || self.life.others.iter().any(|place| place.blind.is_some())
    }

    /// One of the places in streams that it asks for, to go on from `last`.
    pub(crate) fn ask(&self, place: usize, origin: Origin) -> Ask {
        let Origin { last, so_far } = origin;
        let plan = &self.plan;
        let (spec, within) = match plan.fetch {
            ast::Fetch::OnChange { within } => (StreamSpec::OnChange, within),
            ast::Fetch::Every { period, slack } => {
                // Activation is at `from`, even where the step that notices comes later.
                let zone = plan.zone.clone();
                (StreamSpec::Every { t0: plan.from, period, slack, zone }, Span::ZERO)
            }
        };
        let others = &self.row.others;
        Ask {
            source: self.source_at(place),
            spec,
            has_clock: plan.from_has_clock,
            is_windowed: matches!(plan.compare, ast::Compare::Every(_)),
            to: plan.to,
            weight: plan.millionths(),
            last,
            together: plan.is_joint.then(|| Together { others: others.clone(), within, so_far }),
        }
    }
}
