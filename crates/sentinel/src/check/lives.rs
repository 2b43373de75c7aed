//! The checks of lives: when sentinels begin and end, by dates and by each other.
//!
//! An edge of a life (a start or an end) counts from at most one other, so that what hangs together
//! are lines and circles.

use super::Checker;
use crate::Existing;
use crate::ast::{Anchor, Edge, Offset, When};
use crate::draft::{Draft, FetchDraft, Placed, default_slack};
use crate::place::Place;
use crate::print;
use crate::resolve::{Life, Scope, is_known};
use crate::syntax::{Base, ClauseKind, Name, Time};
use chronon::{Instant, Span, Zone};
use std::collections::{BTreeMap, BTreeSet};

/// The sentinels that a clause counts from.
pub(crate) fn leans_on(clause: &ClauseKind) -> impl Iterator<Item = &str> {
    let name = match clause {
        ClauseKind::From(Time { base: Base::Life { name, .. }, .. })
        | ClauseKind::To(Time { base: Base::Life { name, .. }, .. }) => Some(&**name),
        ClauseKind::During(name) => Some(&*name.text),
        _ => None,
    };
    name.into_iter()
}

/// One edge of the life of a sentinel, by its name in lower case.
type Node = (String, Edge);

/// What texts say of a life.
#[derive(Clone)]
pub(super) struct Said {
    name: String,
    from: When,
    to: Option<When>,
    zone: Zone,
    /// Before this it did not start.
    defined_at: Instant,
    /// It is over since then.
    ended: Option<Instant>,
}

/// When an edge comes, as far as texts say.
#[derive(Clone, Copy, PartialEq)]
enum Comes {
    At(Instant),
    /// It hangs on somebody who has no end.
    NotByItself,
    /// The text that says so has an error, or the edge hangs on itself.
    Unknown,
}

/// What is known of edges so far.
#[derive(Default)]
pub(super) struct Lives {
    said: BTreeMap<String, Option<Said>>,
    comes: BTreeMap<Node, Comes>,
}

impl Checker<'_> {
    fn scope_of_lives(&self) -> Scope<'_> {
        Scope { now: self.world.now, zone: &self.world.zone, chronon: self.world.chronon }
    }

    fn local(&self, at: Instant, zone: &Zone) -> String {
        format!("{} {}", zone.local(at), zone.name())
    }

    /// What a statement says of its own life, as far as it needs no other one.
    pub(super) fn check_life(&mut self, draft: &Draft) {
        let mut before = None;
        for time in [&draft.from, &draft.to].into_iter().flatten() {
            if let Base::Life { name, .. } = &time.value.base
                // `during` stands for both.
                && before.replace((name, time.place)) != Some((name, time.place))
            {
                let name = Name { text: name.clone(), place: time.place };
                self.check_sentinel(&name, false);
            }
        }
        let Some(to) = &draft.to else { return };
        if !is_known(&to.value) || draft.from.as_ref().is_some_and(|from| !is_known(&from.value)) {
            return;
        }
        let life = self.scope_of_lives().life(draft);
        if let (Some(from), Some(end)) = (life.from.at(), life.to.as_ref().and_then(When::at)) {
            self.check_span(draft.from.is_some(), (from, end), (to.place, &life.zone));
            self.check_second_look(draft, end - from.max(self.world.now), to.place);
        } else if ends_first(&life) {
            let message = "it would end no later than it starts";
            self.sink.value(to.place, message, "write a `to` that comes after `from`");
        }
    }

    /// It ends after it starts, and is not over.
    fn check_span(
        &mut self,
        has_from: bool,
        (from, end): (Instant, Instant),
        (place, zone): (Place, &Zone),
    ) {
        if end <= self.world.now && (!has_from || end > from) {
            let message = format!("this sentinel ended at {}", self.local(end, zone));
            let help = "write a later `to`, or leave it out for a sentinel without an end";
            self.refuse_past(place, message, help);
        } else if end <= from {
            let (end, from) = (self.local(end, zone), self.local(from, zone));
            let message = format!("it ends at {end}, not after it starts at {from}");
            self.sink.value(place, message, "write a `to` that is later than `from`");
        }
    }

    fn refuse_past(&mut self, place: Place, message: String, help: &str) {
        if self.world.refuse_past {
            self.sink.value(place, message, help)
        } else {
            self.sink.warn(place, message, help)
        }
    }

    /// A life within the room of one look has nothing to compare it with.
    fn check_second_look(&mut self, draft: &Draft, lasts: Span, place: Place) {
        let Some(Placed { value: FetchDraft::Every { period, slack, .. }, .. }) = &draft.fetch
        else {
            return;
        };
        let room = slack.map_or(default_slack(*period, self.world.chronon), |slack| slack.value);
        if lasts > Span::ZERO && lasts < room {
            let message = format!(
                "it ends {lasts} after it starts, within the {room} of its first look: there will be \
                 nothing to compare"
            );
            self.sink.warn(place, message, "write a later `to`, or a shorter `within`");
        }
    }

    /// What lives say of each other, once every statement is resolved. O(text).
    pub(super) fn check_anchors(&mut self) {
        let anchored = std::mem::take(&mut self.anchored);
        let named = |(index, edge, place): &(usize, Edge, Place)| {
            let lower = self.written[*index].name.text.to_lowercase();
            ((lower, *edge), *place)
        };
        let places: BTreeMap<Node, Place> = anchored.iter().map(named).collect();
        let circled = self.check_circles(&places);
        for (node, &place) in places.iter().filter(|(node, _)| !circled.contains(*node)) {
            let Some(said) = self.said(&node.0) else { continue };
            let own = said.of(node.1);
            let Some(anchor) = own.as_ref().and_then(When::anchor) else { continue };
            self.check_anchor(anchor, node.1, place, &said.zone);
            // Where both edges count from another, the end has it.
            let is_last =
                node.1 == Edge::End || said.to.as_ref().is_some_and(|to| to.at().is_some());
            let [from, end] =
                [Edge::Start, Edge::End].map(|edge| self.comes(&(node.0.clone(), edge)));
            let (Comes::At(end), true) = (end, is_last) else { continue };
            let from = match from {
                Comes::At(from) => from,
                // Whenever it starts, that is to come.
                Comes::NotByItself => self.world.now,
                Comes::Unknown => continue,
            };
            if from == end {
                let message = "it would end as it starts";
                self.sink.value(place, message, "write a `to` that comes after `from`");
                continue;
            }
            self.check_span(false, (from, end), (place, &said.zone));
        }
    }

    /// What a time counts from can be counted from.
    fn check_anchor(&mut self, anchor: &Anchor, edge: Edge, place: Place, zone: &Zone) {
        let Some(of) = self.said(&anchor.name.to_lowercase()) else { return };
        let (verb, clause) = match anchor.edge {
            Edge::Start => ("starts", "from"),
            Edge::End => ("ends", "to"),
        };
        if anchor.is_before() && of.of(anchor.edge).is_none_or(|when| when.at().is_none()) {
            let message = format!("nobody knows before it when `{}` {verb}", of.name);
            let help =
                format!("write a date as the `{clause}` of `{}`, or count with `+`", of.name);
            return self.sink.value(place, message, &help);
        }
        if edge == Edge::End || anchor.edge == Edge::Start {
            return;
        }
        match self.comes(&(anchor.name.to_lowercase(), Edge::End)) {
            Comes::At(end) if end <= self.world.now => {
                let message = format!("`{}` ended at {}", of.name, self.local(end, zone));
                self.refuse_past(place, message, "write a date, or leave `from` out to begin now");
            }
            Comes::NotByItself => {
                let message = format!("`{}` has no end: it ends only when it is removed", of.name);
                let help = format!("write a `to` for `{}`, or count from its start", of.name);
                self.sink.warn(place, message, &help);
            }
            _ => {}
        }
    }

    /// Reports each circle once, where the file first has a part in it; says who is in one.
    fn check_circles(&mut self, places: &BTreeMap<Node, Place>) -> BTreeSet<Node> {
        let (mut circled, mut walked) = (BTreeSet::new(), BTreeSet::new());
        let mut told = BTreeSet::new();
        for first in places.keys() {
            let (mut line, mut next) = (Vec::new(), Some(first.clone()));
            while let Some(node) = next.take_if(|node| walked.insert(node.clone())) {
                next = self.next(&node);
                line.push(node);
            }
            let Some(round) = next.and_then(|node| line.iter().position(|one| *one == node)) else {
                continue;
            };
            let circle = &mut line[round..];
            let place = |node: &Node| places.get(node).copied();
            let parts = circle.iter().enumerate();
            let first = parts.filter_map(|(at, node)| Some((place(node)?, at))).min();
            let Some((place, at)) = first else { continue };
            circle.rotate_left(at);
            // A `during` is both edges, and may be part of two circles.
            if told.insert(place) {
                self.tell_circle(circle, place);
            }
            circled.extend(circle.iter().cloned());
        }
        circled
    }

    fn tell_circle(&mut self, circle: &[Node], place: Place) {
        const SHOWN: usize = 5;
        let edge = |(name, edge): &Node| match edge {
            Edge::Start => format!("start({})", print::name(name)),
            Edge::End => format!("end({})", print::name(name)),
        };
        let mut shown: Vec<String> = circle.iter().take(SHOWN).map(edge).collect();
        if circle.len() > SHOWN {
            shown.push("…".to_owned());
        }
        shown.push(edge(&circle[0]));
        let message = format!("this waits for itself: {}", shown.join(" → "));
        self.sink.value(place, message, "write a date in one of them");
    }

    /// The edge that this one waits for: the one it counts from; an end that nobody wrote comes
    /// after the start, at any rate.
    fn next(&mut self, (name, edge): &Node) -> Option<Node> {
        match self.said(name)?.of(*edge) {
            Some(when) => {
                let anchor = when.anchor()?;
                Some((anchor.name.to_lowercase(), anchor.edge))
            }
            None => Some((name.clone(), Edge::Start)),
        }
    }

    /// What the file says of a life, or else the world.
    fn said(&mut self, lower: &str) -> Option<Said> {
        if let Some(known) = self.lives.said.get(lower) {
            return known.clone();
        }
        let said = match self.names.get(lower) {
            Some(&index) => self.statements[index].as_ref().map(|statement| {
                let sentinel = &statement.sentinel;
                Said {
                    name: sentinel.name.clone(),
                    from: sentinel.from.clone(),
                    to: sentinel.to.clone(),
                    zone: sentinel.zone.clone(),
                    defined_at: self.world.now,
                    ended: None,
                }
            }),
            None => self.said_in_world(lower),
        };
        self.lives.said.insert(lower.to_owned(), said.clone());
        said
    }

    fn said_in_world(&mut self, lower: &str) -> Option<Said> {
        let Existing::Sentinel(text, defined_at) = (self.world.existing)(lower)? else {
            return None;
        };
        let (zone, chronon) = (&self.world.zone, self.world.chronon);
        let sentinel = super::recall(&text, defined_at, zone, chronon).ok()?;
        let ended = (self.world.ended)(lower);
        let (name, from, to, zone) = (sentinel.name, sentinel.from, sentinel.to, sentinel.zone);
        Some(Said { name, from, to, zone, defined_at, ended })
    }

    /// When an edge comes. Each is looked at once, however many hang on it.
    fn comes(&mut self, node: &Node) -> Comes {
        let (mut line, mut next) = (Vec::new(), node.clone());
        let mut comes = loop {
            if let Some(known) = self.lives.comes.get(&next) {
                break *known;
            }
            // Whoever meets it again on this line has come round.
            self.lives.comes.insert(next.clone(), Comes::Unknown);
            let known = match self.said(&next.0) {
                None => Comes::Unknown,
                Some(said) => match said.of(next.1) {
                    Some(When::Of(anchor)) => {
                        let of = (anchor.name.to_lowercase(), anchor.edge);
                        line.push((std::mem::replace(&mut next, of), anchor, said.zone));
                        continue;
                    }
                    Some(When::At(at)) if next.1 == Edge::Start => {
                        Comes::At(at.max(said.defined_at))
                    }
                    Some(When::At(at)) => Comes::At(at),
                    None => Comes::NotByItself,
                },
            };
            self.lives.comes.insert(next.clone(), known);
            break known;
        };
        for (one, anchor, zone) in line.into_iter().rev() {
            if let Comes::At(base) = comes {
                comes = Comes::At(anchor.counted_from(base, &zone));
            }
            self.lives.comes.insert(one, comes);
        }
        comes
    }
}

impl Said {
    /// What is said of an edge; `None`: it has no end.
    fn of(&self, edge: Edge) -> Option<When> {
        match (edge, self.ended) {
            (Edge::Start, _) => Some(self.from.clone()),
            (Edge::End, Some(ended)) => Some(When::At(ended)),
            (Edge::End, None) => self.to.clone(),
        }
    }
}

/// Both count from one life, and the end does not come after the start.
fn ends_first(life: &Life) -> bool {
    let (Some(from), Some(to)) = (life.from.anchor(), life.to.as_ref().and_then(When::anchor))
    else {
        return false;
    };
    let is_behind = |anchor: &Anchor| match anchor.offset {
        Offset::None => Span::ZERO,
        Offset::After(period) => period.nominal(),
        Offset::Before(period) => Span::ZERO - period.nominal(),
    };
    from.name.to_lowercase() == to.name.to_lowercase()
        && from.edge >= to.edge
        && is_behind(to) <= is_behind(from)
}
