//! Random sentinels: what they ask for, in the language and as the oracle understands it.

use super::condition::Condition;
use super::place::{Life, Locale};
use super::wall::Wall;
use crate::pace::Rng;
use chronon::{Instant, Span};

/// Channels and contacts.
pub(super) const RECIPIENTS: &[(&str, Option<&str>)] = &[
    ("interactive", None),
    ("email", Some("ana@example.org")),
    ("email", Some("ben@example.org")),
    ("webhook", Some("https://hook.example/")),
    ("webhook", Some(super::QUITTER)),
];

/// How often a world of weeks looks, and within which time.
const LONG_LOOKS: &[(Span, Span)] = &[
    (Span::DAY, Span::from_secs(2 * 3_600)),
    (Span::DAY, Span::from_secs(1_200)),
    (Span::from_secs(8 * 3_600), Span::from_secs(1_200)),
    (Span::from_secs(2 * 3_600), Span::from_secs(600)),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compare {
    Pairwise,
    Moving(u64),
    Every(u64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edge {
    Start,
    End,
}

/// A time that counts from the life of another sentinel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Anchor {
    pub(crate) name: Box<str>,
    pub(crate) edge: Edge,
    pub(crate) later: Span,
}

impl Anchor {
    fn text(&self) -> String {
        let edge = if self.edge == Edge::Start { "start" } else { "end" };
        format!("{edge}({}) + {} seconds", self.name, self.later.as_millis() / 1_000)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Spec {
    pub(crate) name: Box<str>,
    pub(crate) url: Box<str>,
    pub(crate) condition: Condition,
    /// Period and slack; `None`: on change.
    pub(crate) every: Option<(Span, Span)>,
    pub(crate) from: Option<Instant>,
    pub(crate) to: Option<Instant>,
    /// What `from` and `to` count from, if not from a date: then they are known later.
    pub(crate) hangs: [Option<Anchor>; 2],
    /// Where its days are days.
    pub(crate) wall: Wall,
    /// The sentinel's `from` and `to`, as they are written.
    life: String,
    pub(crate) compare: Compare,
    /// Positions in [`RECIPIENTS`], and how often.
    notify: Vec<(usize, String)>,
    pub(crate) weight: u64,
}

/// When and where a text is written, in a world that lasts `tempo` times as long as others.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scene {
    pub(super) at: Instant,
    pub(super) tempo: i64,
    pub(super) place: Locale,
}

/// One or two, and how they are told.
fn recipients(rng: &mut Rng, is_long: bool) -> Vec<(usize, String)> {
    let mut notify: Vec<(usize, String)> = Vec::new();
    for _ in 0..1 + rng.below(2) {
        let who = rng.below(RECIPIENTS.len() as u64) as usize;
        let how = match rng.below(4) {
            0 => "best effort".to_owned(),
            1 if is_long => format!("every {}", rng.pick(&["1 day", "1 day", "9 hours"])),
            1 => format!("every {} seconds", 40 + rng.below(160)),
            _ => "immediately".to_owned(),
        };
        if notify.iter().all(|(other, _)| *other != who) {
            notify.push((who, how));
        }
    }
    notify
}

pub(super) fn name(number: u64) -> String {
    format!("s{number}x")
}

impl Spec {
    pub(super) fn random(rng: &mut Rng, number: u64, urls: &[Box<str>], scene: Scene) -> Spec {
        let is_long = scene.tempo > 1;
        let seconds = |n: u64| Span::from_secs(n as i64);
        let every = (!rng.one_in(3)).then(|| {
            let slack = *rng.pick(&[30, 30, 40]);
            (seconds(slack + *rng.pick(&[20, 30, 60])), seconds(slack))
        });
        let every = if is_long { every.map(|_| *rng.pick(LONG_LOOKS)) } else { every };
        let Life { from, to, wall, said: life } = Life::random(rng, scene);
        let compare = match rng.below(4) {
            0 => Compare::Moving(2 + rng.below(3)),
            1 => Compare::Every(2 + rng.below(3)),
            _ => Compare::Pairwise,
        };
        let notify = recipients(rng, is_long);
        let condition = Condition::random(rng, 2);
        let plain = Spec::plain(name(number).into(), rng.pick(urls).clone(), wall);
        Spec { condition, every, from, to, life, compare, notify, ..plain }
    }

    /// Every change of a page, told at once.
    fn plain(name: Box<str>, url: Box<str>, wall: Wall) -> Spec {
        Spec {
            name,
            url,
            condition: Condition::Everything,
            every: None,
            from: None,
            to: None,
            hangs: [None, None],
            wall,
            life: String::new(),
            compare: Compare::Pairwise,
            notify: vec![(0, "immediately".to_owned())],
            weight: 1,
        }
    }

    /// The same with times that count from other lives. Without a date its days are those of the
    /// world.
    pub(super) fn hung(self, [from, to]: [Option<Anchor>; 2], wall: Wall) -> Spec {
        let mut life = String::new();
        for (word, anchor) in [("from", &from), ("to", &to)] {
            if let Some(anchor) = anchor {
                life.push_str(&format!(" {word} {}", anchor.text()));
            }
        }
        let begins = from.as_ref().map(|_| Instant::NEVER);
        Spec { from: begins, to: None, life, hangs: [from, to], wall, ..self }
    }

    /// Every change of a page that is looked at by the clock.
    pub(super) fn looking(
        (name, url): (Box<str>, Box<str>),
        every: (Span, Span),
        (from, wall, life): (Instant, Wall, String),
    ) -> Spec {
        Spec { every: Some(every), from: Some(from), life, ..Spec::plain(name, url, wall) }
    }

    /// The same looks and changes, told to others or otherwise, or of another weight.
    pub(super) fn retold(&self, rng: &mut Rng, tempo: i64) -> Spec {
        let mut spec = self.clone();
        if rng.one_in(3) {
            spec.weight = 1 + rng.below(100);
        } else {
            spec.notify = recipients(rng, tempo > 1);
        }
        spec
    }

    /// Whether both ask for the same looks and changes; then a text replaces nothing.
    pub(crate) fn asks_the_same(&self, other: &Spec) -> bool {
        let Spec { notify, weight, .. } = other.clone();
        let asked = |spec: &Spec| Spec {
            condition: spec.condition.said_once(),
            notify: notify.clone(),
            weight,
            life: String::new(),
            ..spec.clone()
        };
        asked(self) == asked(other)
    }

    /// How often each of its digests comes.
    pub(crate) fn digests(&self) -> Vec<Span> {
        let digest = |(_, how): &(usize, String)| {
            let (number, unit) = how.strip_prefix("every ")?.split_once(' ')?;
            let unit = match unit {
                "day" => Span::DAY,
                "hours" => Span::HOUR,
                _ => Span::SECOND,
            };
            Some(unit.times(number.parse().ok()?))
        };
        self.notify.iter().filter_map(digest).collect()
    }

    /// Whom it tells, by contact or channel.
    pub(crate) fn recipients(&self) -> impl Iterator<Item = &'static str> {
        self.notify.iter().map(|&(who, _)| RECIPIENTS[who].1.unwrap_or(RECIPIENTS[who].0))
    }

    /// In the sentinel language.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("create sentinel {} using {}", self.name, self.url);
        text.push_str(&format!("\n  monitor {}", self.condition.text()));
        if let Some((period, slack)) = self.every {
            let (seconds, slack) = (period.as_millis() / 1_000, slack.as_millis() / 1_000);
            let period = match period {
                Span::DAY => "1 day".to_owned(),
                _ => format!("{seconds} seconds"),
            };
            text.push_str(&format!("\n  fetch every {period} within {slack} seconds"));
        }
        text.push_str(&self.life);
        match self.compare {
            Compare::Pairwise => {}
            Compare::Moving(n) => text.push_str(&format!(" compare moving {n}")),
            Compare::Every(n) => text.push_str(&format!(" compare every {n}")),
        }
        if self.weight != 1 {
            text.push_str(&format!(" weight {}", self.weight));
        }
        for (who, how) in &self.notify {
            let (channel, contact) = RECIPIENTS[*who];
            text.push_str(&format!("\n  notify by {channel} {} {how}", contact.unwrap_or("")));
        }
        text
    }
}
