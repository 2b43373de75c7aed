//! Random rules over events that people and rules raise and over what sentinels find, as texts and
//! as the oracle understands them.

use super::Wall;
use super::World;
use super::spec;
use crate::clocks::Clock;
use crate::pace::Rng;
use crate::shell::Wish;
use chronon::{EventId, Instant, Period, SentinelId, Span};
use event::{Context, Expr, Signal, Step};
use std::collections::BTreeSet;

/// One world in this number has rules.
const RULES_EVERY: u64 = 3;
/// Events that people raise.
const EVENTS: u64 = 4;
/// From here on events are numbered that rules raise: one of each rule.
const RAISED_BY_RULES: u64 = 10;
/// The first of two rules that are in every world with rules.
const RELAYS: u64 = 8;
const MINUTES: i64 = 24 * 60;

/// A rule; its signals are numbered by the names of sentinels and events, not by ids of rows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RuleSpec {
    pub(crate) name: Box<str>,
    pub(crate) expr: Expr,
    pub(crate) context: Context,
    pub(crate) within: Option<Step>,
    when: Option<When>,
    /// The event that it raises, and the sentinel that it enables or disables.
    pub(crate) raises: Option<u64>,
    pub(crate) switches: Option<(u64, bool)>,
    coupling: &'static str,
    said: String,
    wall: Wall,
}

/// What a rule asks before it acts.
#[derive(Debug, Clone, PartialEq)]
enum When {
    CountFrom(u64),
    /// From one minute of the day to another.
    Between(i64, i64),
    Not(Box<When>),
}

impl When {
    fn random(rng: &mut Rng, around: i64) -> When {
        match rng.below(5) {
            0 | 1 => When::CountFrom(2 + rng.below(3)),
            2 => When::Not(Box::new(When::random(rng, around))),
            _ => {
                let minute = |rng: &mut Rng| (around + rng.below(30) as i64) % MINUTES;
                When::Between(minute(rng), minute(rng))
            }
        }
    }

    fn text(&self) -> String {
        let clock = |minute: &i64| format!("{:02}:{:02}", minute / 60, minute % 60);
        match self {
            When::CountFrom(least) => format!("count >= {least}"),
            When::Between(from, to) => format!("time between {} and {}", clock(from), clock(to)),
            When::Not(of) => format!("not ({})", of.text()),
        }
    }

    /// Whether it holds of what occurred.
    fn holds(&self, it: &event::Occurrence, wall: Wall) -> bool {
        match self {
            When::CountFrom(least) => it.count() >= *least,
            When::Between(from, to) => {
                let minute = wall.shows(it.end).as_millis() / 60_000 % MINUTES;
                if from < to {
                    (*from..*to).contains(&minute)
                } else {
                    minute >= *from || minute < *to
                }
            }
            When::Not(of) => !of.holds(it, wall),
        }
    }
}

/// The sentinel's number among [`Signal`]s, by its name.
pub(crate) fn number_of(name: &str) -> Option<u64> {
    name.strip_prefix('s')?.strip_suffix('x')?.parse().ok()
}

pub(crate) fn name_of(number: u64) -> Box<str> {
    spec::name(number).into()
}

/// The event's, too.
pub(crate) fn event_number(name: &str) -> Option<u64> {
    name.strip_prefix('e')?.parse().ok()
}

/// What expressions are drawn from.
struct Drawing<'a> {
    rng: &'a mut Rng,
    sentinels: u64,
    tempo: i64,
    step: Box<dyn Fn(Span) -> Step>,
    named: BTreeSet<u64>,
}

impl Drawing<'_> {
    fn leaf(&mut self) -> (String, Expr) {
        if self.rng.one_in(3) {
            let number = self.rng.below(self.sentinels);
            self.named.insert(number);
            return (spec::name(number), Expr::Signal(Signal::Detected(SentinelId(number))));
        }
        let number = self.rng.below(EVENTS);
        (format!("event e{number}"), Expr::Signal(Signal::Raised(EventId(number))))
    }

    /// A length of time, as it is written.
    fn length(&mut self) -> (String, Step) {
        let span = Span::from_secs(20 + self.rng.below(300) as i64).times(self.tempo);
        (format!("{} seconds", span.as_millis() / 1_000), (self.step)(span))
    }

    fn event(&mut self, depth: u32) -> (String, Expr) {
        if depth == 0 || self.rng.one_in(4) {
            return self.leaf();
        }
        let (a, x) = self.event(depth - 1);
        let (b, y) = self.event(depth - 1);
        let pair = |x: Expr, y: Expr| (Box::new(x), Box::new(y));
        match self.rng.below(9) {
            0 => {
                let (x, y) = pair(x, y);
                (format!("({a} or {b})"), Expr::Or(x, y))
            }
            1 => {
                let (x, y) = pair(x, y);
                (format!("({a} and {b})"), Expr::And(x, y))
            }
            2 | 3 => {
                let (x, y) = pair(x, y);
                (format!("({a} ; {b})"), Expr::Seq(x, y))
            }
            4 => {
                let (length, step) = self.length();
                (format!("({a} + {length})"), Expr::Plus(Box::new(x), step))
            }
            5 => {
                let (c, z) = self.event(depth - 1);
                (format!("any 2 of ({a}, {b}, {c})"), Expr::Any(2, vec![x, y, z]))
            }
            6 => {
                let (length, step) = self.length();
                let (opens, closes) = pair(x, y);
                let text = format!("(collect every {length} between {a} and {b})");
                (text, Expr::Collect { step, opens, closes })
            }
            _ => self.spanned((a, x), (b, y), depth),
        }
    }

    /// Something between two others.
    fn spanned(
        &mut self,
        (a, opens): (String, Expr),
        (b, closes): (String, Expr),
        depth: u32,
    ) -> (String, Expr) {
        let (c, inside) = self.event(depth - 1);
        let (opens, closes, inside) = (Box::new(opens), Box::new(closes), Box::new(inside));
        match self.rng.below(3) {
            0 => {
                let text = format!("(not ({c}) between {a} and {b})");
                (text, Expr::Not { absent: inside, opens, closes })
            }
            1 => {
                let text = format!("(each {c} between {a} and {b})");
                (text, Expr::Each { inside, opens, closes })
            }
            _ => {
                let text = format!("(all {c} between {a} and {b})");
                (text, Expr::All { inside, opens, closes })
            }
        }
    }
}

impl RuleSpec {
    pub(crate) fn text(&self) -> String {
        let RuleSpec { name, said, context, within, coupling, raises, .. } = self;
        let within = within.as_ref().map_or_else(String::new, |within| {
            format!(" within {} seconds", within.period.nominal().as_millis() / 1_000)
        });
        let context = context.name();
        let when =
            self.when.as_ref().map_or_else(String::new, |when| format!(" when {}", when.text()));
        let raises = raises.map_or_else(String::new, |event| format!(", raise e{event}"));
        let switches = self.switches.map_or_else(String::new, |(number, is_on)| {
            format!(", {} {}", if is_on { "enable" } else { "disable" }, spec::name(number))
        });
        format!(
            "create rule {name} on {said}{when} in {context} context{within} coupling {coupling} \
             do notify by terminal{raises}{switches}"
        )
    }
}

impl World {
    /// Rules, events that are raised, and rules that are switched off and on. A sentinel that a
    /// rule names is not removed.
    pub(super) fn fill_rules(&mut self, rng: &mut Rng, sentinels: u64) {
        let is_behind = |crash: &crate::shell::Crash| crash.clock != Clock::Right;
        if !rng.one_in(RULES_EVERY) || self.crashes.iter().any(is_behind) {
            return;
        }
        let mut named = BTreeSet::new();
        let mut acts = Rng::stream(self.seed, "what rules do");
        for number in 0..1 + rng.below(6) {
            let (zone, tempo) = (self.config.zone.clone(), self.tempo);
            let step =
                Box::new(move |span| Step { period: Period::Elapsed(span), zone: zone.clone() });
            let none = BTreeSet::new();
            let mut drawing = Drawing { rng: &mut *rng, sentinels, tempo, step, named: none };
            let (said, expr) = drawing.event(2);
            let within = drawing.rng.one_in(3).then(|| drawing.length().1);
            named.append(&mut drawing.named);
            let coupling = *rng.pick(&["immediate", "immediate", "deferred", "detached"]);
            let context = *rng.pick(&Context::ALL);
            let name: Box<str> = format!("r{number}x").into();
            let (when, raises, switches) = (None, None, None);
            let wall = self.place.wall;
            let mut spec = RuleSpec {
                name: name.clone(),
                expr,
                context,
                within,
                when,
                raises,
                switches,
                coupling,
                said,
                wall,
            };
            spec.act(&mut acts, (number, sentinels), self.start);
            named.extend(spec.switches.map(|(number, _)| number));
            let text: Box<str> = spec.text().into();
            self.rules.insert(text.clone(), spec);
            let early = rng.span(Span::from_secs(20), Span::from_secs(200));
            let at = self.start + early.times(self.tempo);
            // Once more, where what it names was not there at first.
            for at in [at, self.moment(&mut acts)] {
                self.wishes.push((at, Wish::Apply { name: name.clone(), text: text.clone() }));
            }
            if coupling != "detached" && rng.one_in(3) {
                let (off, on) = (self.moment(rng), self.moment(rng));
                let enable = |enabled| Wish::Enable { name: name.clone(), enabled };
                self.wishes.push((off, enable(false)));
                self.wishes.push((on, enable(true)));
            }
        }
        self.fill_relays(&mut acts);
        let is_named = |name: &str| number_of(name).is_some_and(|number| named.contains(&number));
        self.wishes.retain(|(_, wish)| !matches!(wish, Wish::Remove { name } if is_named(name)));
        for _ in 0..rng.below(60) {
            let (at, name) = (self.moment(rng), format!("e{}", rng.below(EVENTS)));
            self.wishes.push((at, Wish::Raise { name: name.into(), key: None }));
        }
    }
}

impl World {
    /// A rule that raises the event of another as often as people raise one, over every crash.
    fn fill_relays(&mut self, rng: &mut Rng) {
        for (number, raises) in [(RELAYS, None), (RELAYS + 1, Some(RAISED_BY_RULES + RELAYS))] {
            let event = rng.below(EVENTS);
            let own = RAISED_BY_RULES + number;
            let signal = |number| Box::new(Expr::Signal(Signal::Raised(EventId(number))));
            let spec = RuleSpec {
                name: format!("r{number}x").into(),
                expr: Expr::Or(signal(event), signal(own)),
                context: Context::Recent,
                within: None,
                when: None,
                raises,
                switches: None,
                coupling: rng.pick::<&str>(&["immediate", "deferred"]),
                said: format!("(event e{event} or event e{own})"),
                wall: self.place.wall,
            };
            let (name, text): (Box<str>, Box<str>) = (spec.name.clone(), spec.text().into());
            self.rules.insert(text.clone(), spec);
            let at = self.start + Span::SECOND.times(number as i64).times(self.tempo);
            self.wishes.push((at, Wish::Apply { name, text }));
        }
    }
}

impl RuleSpec {
    /// What it asks, and does besides telling. Rules hear what later ones raise: in no circle.
    fn act(&mut self, rng: &mut Rng, (number, sentinels): (u64, u64), start: Instant) {
        let own = RAISED_BY_RULES + number;
        let raised = || Expr::Signal(Signal::Raised(EventId(own)));
        let drawn = std::mem::replace(&mut self.expr, raised());
        self.expr = Expr::Or(Box::new(drawn), Box::new(raised()));
        self.said = format!("({} or event e{own})", self.said);
        if number > 0 && rng.one_in(2) {
            self.raises = Some(RAISED_BY_RULES + rng.below(number));
        }
        if rng.one_in(3) {
            self.switches = Some((rng.below(sentinels), rng.one_in(2)));
        }
        if rng.one_in(3) {
            let around = self.wall.shows(start).as_millis() / 60_000 % MINUTES;
            self.when = Some(When::random(rng, around));
        }
    }

    /// Whether it listens to an event.
    pub(crate) fn listens_to(&self, event: u64) -> bool {
        fn has(expr: &Expr, signal: Signal) -> bool {
            match expr {
                Expr::Signal(own) => *own == signal,
                other => other.parts().into_iter().any(|part| has(part, signal)),
            }
        }
        has(&self.expr, Signal::Raised(EventId(event)))
    }

    /// What it hears of a history from `from` on, up to `until`, by the slow twin.
    pub(crate) fn hears(
        &self,
        history: &[event::slow::Arrival],
        (from, until): (Instant, Instant),
    ) -> Vec<event::Occurrence> {
        let mut heard = event::slow::detect(&self.expr, self.context, history, from, until);
        if let Some(within) = &self.within {
            heard.retain(|it| it.end <= within.nth(it.start, 1));
        }
        if let Some(when) = &self.when {
            heard.retain(|it| when.holds(it, self.wall));
        }
        heard
    }
}
