//! What the templates show: domain values turned into words.

use crate::trouble::Trouble;
use crate::words::{self, Wall};
use chronon::Instant;
use kernel::record::{ProbeOutcome, ProbeRow, SentinelState, VersionRow};
use kernel::view::{BudgetView, Health, SentinelView, SourceView};
use outbox::{Attempt, DeliveryResult};
use schedule::Outlook;

/// A time: for the script, for people, and in full.
pub(super) struct When {
    pub(super) stamp: String,
    pub(super) relative: String,
    pub(super) moment: String,
}

impl When {
    pub(super) fn of(at: Instant, wall: &Wall) -> When {
        When {
            stamp: at.to_string(),
            relative: words::relative(at, wall.now),
            moment: wall.zone.moment(at),
        }
    }

    /// What is overdue is due now.
    fn due(at: Instant, wall: &Wall) -> When {
        When { relative: words::relative(at.max(wall.now), wall.now), ..When::of(at, wall) }
    }
}

/// When a source is looked at next.
pub(super) struct Next {
    pub(super) when: Option<When>,
    pub(super) why: String,
}

impl Next {
    fn of(outlook: &Outlook, wall: &Wall) -> Next {
        let why = words::why(outlook, &wall.zone);
        // When the turn comes of what waits, nobody knows.
        if words::waits(outlook, wall.now) {
            return Next { when: None, why: format!("due: {}", why.unwrap_or_default()) };
        }
        let when = words::comes(outlook).map(|comes| When::due(comes, wall));
        let nothing = if when.is_some() { "" } else { "no look is due" };
        Next { when, why: why.unwrap_or_else(|| nothing.to_owned()) }
    }
}

/// A source in a list.
pub(super) struct SourceRow {
    pub(super) id: u32,
    pub(super) url: String,
    pub(super) short: String,
    pub(super) found: Option<String>,
    pub(super) sentinels: usize,
    pub(super) next: Next,
    pub(super) last: Option<LastProbe>,
    pub(super) failing: Option<When>,
    /// What it shows that does not count.
    pub(super) held: Option<String>,
}

/// How the last probe ended.
pub(super) struct LastProbe {
    pub(super) when: When,
    pub(super) said: String,
    /// `new`, `same`, `held` or `failed`.
    pub(super) class: &'static str,
}

impl SourceRow {
    pub(super) fn of(
        view: &SourceView,
        current: Option<&VersionRow>,
        last: Option<&ProbeRow>,
        wall: &Wall,
    ) -> SourceRow {
        SourceRow {
            id: view.row.id.0,
            url: view.row.url.to_string(),
            short: short(&view.row.url.shown()),
            found: current.map(|row| plain(&row.facts.summary)).filter(|s| !s.is_empty()),
            sentinels: view.sentinels_total,
            next: Next::of(&view.outlook, wall),
            last: last.map(|probe| LastProbe {
                when: When::of(probe.start, wall),
                said: plain(&words::outcome(probe)),
                class: class(&probe.outcome),
            }),
            failing: view.row.failing_since.map(|since| When::of(since, wall)),
            held: words::held(&view.row),
        }
    }
}

pub(super) fn class(outcome: &ProbeOutcome) -> &'static str {
    match outcome {
        ProbeOutcome::Version(_) => "new",
        ProbeOutcome::Same | ProbeOutcome::NotModified => "same",
        ProbeOutcome::Failed { .. } => "failed",
        ProbeOutcome::Held(_) => "held",
    }
}

/// An attempt to deliver.
pub(super) struct AttemptLine {
    pub(super) number: u32,
    pub(super) when: When,
    pub(super) said: String,
    pub(super) class: &'static str,
}

impl AttemptLine {
    pub(super) fn of(attempt: &Attempt, wall: &Wall) -> AttemptLine {
        let (said, class) = match &attempt.result {
            DeliveryResult::Delivered => ("delivered".to_owned(), "same"),
            DeliveryResult::Failed { reason, .. } | DeliveryResult::Gone { reason } => {
                (plain(reason), "failed")
            }
        };
        AttemptLine { number: attempt.number, when: When::of(attempt.at, wall), said, class }
    }
}

/// A sentinel in a list.
pub(super) struct SentinelRow {
    pub(super) id: u64,
    pub(super) name: String,
    pub(super) state: &'static str,
    pub(super) standing: Standing,
    pub(super) tags: Vec<String>,
    pub(super) watches: String,
    pub(super) source_id: u32,
    pub(super) source: String,
    pub(super) next: Next,
    /// "at 14:05, then every 10 min, within 60 s"; empty if the server decides.
    pub(super) looks: String,
    pub(super) told: u64,
    /// Further sources: number and URL.
    pub(super) others: Vec<(u32, String)>,
    /// Where its sources are captured together: how often that came off.
    pub(super) captures: String,
    pub(super) missed: u64,
    pub(super) missed_why: &'static str,
    /// What is wrong with it, where that was asked.
    pub(super) trouble: Option<Trouble>,
    /// When it ends, if that is known and to come.
    pub(super) ends: Option<When>,
    /// Until when it tells nothing.
    pub(super) snoozed: Option<When>,
    /// It was removed, and is gone then.
    pub(super) going: Option<When>,
}

impl SentinelRow {
    pub(super) fn of(view: &SentinelView, url: &str, wall: &Wall) -> SentinelRow {
        SentinelRow {
            id: view.row.id.0,
            name: view.row.name.to_string(),
            state: view.life.state.name(),
            standing: Standing::of(view.life.state, view.health),
            tags: view.tags.iter().map(ToString::to_string).collect(),
            watches: words::monitored(view.row.text.reveal()).to_owned(),
            source_id: view.row.source.0,
            source: several(url, view.urls.len()),
            next: match view.begins {
                Some(at) => Next { when: None, why: words::begins(at, &wall.zone) },
                None => Next::of(&view.outlook, wall),
            },
            ends: view.ends.map(|at| When::of(at, wall)),
            looks: view
                .looks
                .as_ref()
                .map(|looks| words::looks(looks, &wall.zone))
                .unwrap_or_default(),
            told: view.life.seq,
            others: (view.row.sources().zip(&view.urls).skip(1))
                .map(|(id, url)| (id.0, url.to_string()))
                .collect(),
            captures: view.captures.map_or(String::new(), |captures| {
                let (complete, all) = (captures.complete, captures.complete + captures.void);
                format!("{complete} of {all} complete")
            }),
            missed: view.missed,
            missed_why: view.missed_why.map_or("", |why| why.said()),
            trouble: None,
            snoozed: (view.life.snoozed.filter(|&until| until > wall.now))
                .map(|until| When::of(until, wall)),
            going: view.life.going.map(|going| When::due(going, wall)),
        }
    }
}

/// How far a sentinel is, as people read it.
pub(super) struct Standing {
    pub(super) said: &'static str,
    pub(super) class: &'static str,
}

impl Standing {
    pub(super) fn of(state: SentinelState, health: Health) -> Standing {
        let said = match (state, health) {
            (SentinelState::Active, Health::New) => {
                return Standing { said: "not looked at yet", class: "pending" };
            }
            (SentinelState::Pending, _) => "not begun",
            (state, _) => state.name(),
        };
        Standing { said, class: state.name() }
    }
}

/// The first of several sources, and how many more there are.
fn several(url: &str, sources: usize) -> String {
    match sources {
        0 | 1 => short(url),
        more => format!("{} and {} more", short(url), more - 1),
    }
}

/// A URL without its scheme, not too long.
pub(super) fn short(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    match rest.char_indices().nth(70) {
        Some((at, _)) => format!("{}…", &rest[..at]),
        None => rest.to_owned(),
    }
}

/// The budget's use as bars.
pub(super) struct Budget {
    pub(super) bars: Vec<Bar>,
    pub(super) allowed: String,
    /// How long the bars go back.
    pub(super) over: String,
    pub(super) used: u32,
    pub(super) in_flight: u32,
    pub(super) in_flight_max: u32,
    pub(super) waiting: u64,
    /// Where the line of the budget stands, from the top, of 40; `None` if it is out of the
    /// picture.
    pub(super) line: Option<f64>,
}

pub(super) struct Bar {
    pub(super) x: usize,
    pub(super) y: f64,
    pub(super) height: f64,
}

impl Budget {
    pub(super) fn of(view: &BudgetView) -> Budget {
        const HEIGHT: f64 = 40.0;
        let chronon = view.chronon.as_secs_f64();
        let most = view.recent.iter().copied().max().unwrap_or(0);
        // The scale follows what is used, so that a large budget does not hide small bars.
        let scale = f64::from(most.max(1)).max((view.per_chronon).min(f64::from(most) * 2.0));
        let bars = view.recent.iter().enumerate().filter(|(_, probes)| **probes > 0);
        Budget {
            bars: bars
                .map(|(at, probes)| {
                    let height = (f64::from(*probes) / scale * HEIGHT).max(1.0);
                    Bar { x: at * 4, y: HEIGHT - height, height }
                })
                .collect(),
            allowed: words::rate(view.per_chronon / chronon),
            over: words::lasting(chronon * view.recent.len() as f64),
            used: view.recent.iter().sum(),
            in_flight: view.probes_in_flight,
            in_flight_max: view.probes_in_flight_max,
            waiting: view.outbox.waiting,
            line: (view.per_chronon <= scale).then(|| HEIGHT * (1.0 - view.per_chronon / scale)),
        }
    }
}

/// Text of others without what reorders or hides it: control and bidirectional characters.
pub(super) fn plain(text: &str) -> String {
    let hidden = |c: char| {
        (c.is_control() && !c.is_whitespace())
            || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}')
    };
    text.chars().filter(|c| !hidden(*c)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronon::Span;

    #[derive(askama::Template)]
    #[template(path = "next.html")]
    struct Piece {
        next: Next,
    }

    #[test]
    fn when_and_why_are_two_things_also_without_a_style() {
        let now = Instant::from_millis(1_798_761_600_000);
        let wall = Wall { now, zone: chronon::Zone::utc() };
        let reason = Some(schedule::Reason::Freshness { interval: Span::HOUR });
        let due = Some(now + Span::MINUTE.times(59));
        let next = Next::of(&Outlook { due, reason, waits_for: None }, &wall);
        let said = askama::Template::render(&Piece { next }).expect("a string takes all");
        let parted = "in 59 min</time></span> <span class=\"why\">1 h since the last look";
        assert!(said.contains(parted), "{said}");
    }

    #[test]
    fn the_budget_is_told_by_the_clock() {
        let view = BudgetView {
            chronon: Span::from_secs(5),
            per_chronon: 50.0,
            recent: vec![2; 60],
            probes_in_flight: 0,
            probes_in_flight_max: 8,
            comparisons_in_flight: 0,
            deliveries_in_flight: 0,
            outbox: outbox::Counts::default(),
        };
        let Budget { allowed, over, used, .. } = Budget::of(&view);
        assert_eq!((allowed.as_str(), over.as_str(), used), ("10 a second", "5 min", 120));
    }

    #[test]
    fn text_of_others_is_shown_without_what_reorders_or_hides_it() {
        assert_eq!(plain("a\u{202e}b\u{0}c\u{1b}[31m\n\u{2066}d é"), "abc[31m\nd é");
    }
}
