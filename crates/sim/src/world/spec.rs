//! Random sentinels: what they ask for, in the language and as the oracle understands it.

use super::content::{Content, WORDS};
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

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Condition {
    /// Not `any change`: what that tells depends on what the page did before.
    Everything,
    Links,
    Images,
    /// But for these words.
    Words(Vec<&'static str>),
    Keywords(Vec<&'static str>, Way),
    Phrase(&'static str, &'static str),
    Not(Box<Condition>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Any,
    Added,
    Removed,
    Updated,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compare {
    Pairwise,
    Moving(u64),
    Every(u64),
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
        let every = match is_long {
            true => every.map(|_| *rng.pick(LONG_LOOKS)),
            false => every,
        };
        let Life { from, to, wall, said: life } = Life::random(rng, scene);
        let compare = match rng.below(4) {
            0 => Compare::Moving(2 + rng.below(3)),
            1 => Compare::Every(2 + rng.below(3)),
            _ => Compare::Pairwise,
        };
        let notify = recipients(rng, is_long);
        let condition = Condition::random(rng, 2);
        let (name, url) = (name(number).into(), rng.pick(urls).clone());
        Spec { name, url, condition, every, from, to, wall, life, compare, notify, weight: 1 }
    }

    /// Every change of a page that is looked at by the clock.
    pub(super) fn looking(
        (name, url): (Box<str>, Box<str>),
        every: (Span, Span),
        (from, wall, life): (Instant, Wall, String),
    ) -> Spec {
        let notify = vec![(0, "immediately".to_owned())];
        let (condition, compare) = (Condition::Everything, Compare::Pairwise);
        let (every, from, to) = (Some(every), Some(from), None);
        Spec { name, url, condition, every, from, to, wall, life, compare, notify, weight: 1 }
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

/// The operands of one `and` or one `or`: those of the same word within it are its own.
fn said_once(operands: &[Condition], join: fn(Vec<Condition>) -> Condition) -> Condition {
    let mut flat: Vec<Condition> = Vec::new();
    let joined = std::mem::discriminant(&join(Vec::new()));
    for operand in operands {
        let once = operand.said_once();
        let is_same = std::mem::discriminant(&once) == joined;
        let inner = match once {
            Condition::And(inner) | Condition::Or(inner) if is_same => inner,
            other => vec![other],
        };
        for one in inner {
            if !flat.contains(&one) {
                flat.push(one);
            }
        }
    }
    if flat.len() == 1 { flat.remove(0) } else { join(flat) }
}

impl Condition {
    fn random(rng: &mut Rng, depth: u32) -> Condition {
        if depth > 0 && rng.one_in(3) {
            let mut two =
                || vec![Condition::random(rng, depth - 1), Condition::random(rng, depth - 1)];
            let operands = two();
            return match rng.below(3) {
                0 => Condition::And(operands),
                1 => Condition::Or(operands),
                _ => Condition::Not(Box::new(Condition::random(rng, depth - 1))),
            };
        }
        let some = |rng: &mut Rng| {
            let (first, second) = (word(rng), word(rng));
            if first == second { vec![first] } else { vec![first, second] }
        };
        match rng.below(8) {
            0 => Condition::Links,
            1 => Condition::Images,
            2 => Condition::Words(if rng.one_in(2) { Vec::new() } else { some(rng) }),
            3 => Condition::Phrase(word(rng), word(rng)),
            4 | 5 => {
                let ways = [Way::Any, Way::Added, Way::Removed, Way::Updated];
                Condition::Keywords(some(rng), *rng.pick(&ways))
            }
            _ => Condition::Everything,
        }
    }

    /// What it says, said once: `(a or a)` asks for `a`, and the order of words for nothing.
    fn said_once(&self) -> Condition {
        let words = |words: &[&'static str]| {
            let mut words = words.to_vec();
            words.sort_unstable();
            words
        };
        match self {
            Condition::Words(except) => Condition::Words(words(except)),
            Condition::Keywords(some, way) => Condition::Keywords(words(some), *way),
            Condition::Not(inner) => match inner.said_once() {
                Condition::Not(twice) => *twice,
                once => Condition::Not(Box::new(once)),
            },
            Condition::And(operands) => said_once(operands, Condition::And),
            Condition::Or(operands) => said_once(operands, Condition::Or),
            leaf => leaf.clone(),
        }
    }

    fn text(&self) -> String {
        let join = |operands: &[Condition], word: &str| {
            let texts: Vec<String> = operands.iter().map(Condition::text).collect();
            format!("({})", texts.join(word))
        };
        match self {
            Condition::Everything => "everything".into(),
            Condition::Links => "all links".into(),
            Condition::Images => "all images".into(),
            Condition::Words(except) if except.is_empty() => "all words".into(),
            Condition::Words(except) => format!("all words except {}", except.join(", ")),
            Condition::Keywords(words, way) => {
                let way = match way {
                    Way::Any => "",
                    Way::Added => " added",
                    Way::Removed => " removed",
                    Way::Updated => " updated",
                };
                format!("keywords {}{way}", words.join(", "))
            }
            Condition::Phrase(first, second) => format!("phrase \"{first} {second}\""),
            Condition::Not(inner) => format!("not ({})", inner.text()),
            Condition::And(operands) => join(operands, " and "),
            Condition::Or(operands) => join(operands, " or "),
        }
    }

    /// Whether it holds between two contents, by the words of `docs/language.md`.
    pub(crate) fn holds(&self, old: &Content, new: &Content) -> bool {
        let unlike = old.kind != new.kind || new.is_blank();
        match self {
            // What a page has become is a change of everything, and of no other type.
            Condition::Everything if unlike => true,
            Condition::Not(_) | Condition::And(_) | Condition::Or(_) => self.joins(old, new),
            _ if unlike => false,
            Condition::Everything => old.blocks() != new.blocks() || old.images != new.images,
            Condition::Links => old.links != new.links,
            Condition::Images => old.images != new.images,
            Condition::Words(except) => {
                let left = |content: &Content| {
                    let mut words = content.text();
                    words.retain(|word| !except.contains(&word.as_str()));
                    words.sort_unstable();
                    words
                };
                left(old) != left(new)
            }
            Condition::Keywords(words, way) => words.iter().any(|word| {
                let count = |content: &Content| content.text().iter().filter(|w| w == word).count();
                match (count(old), count(new)) {
                    (a, b) if a == b => false,
                    (0, _) => matches!(way, Way::Any | Way::Added),
                    (_, 0) => matches!(way, Way::Any | Way::Removed),
                    _ => matches!(way, Way::Any | Way::Updated),
                }
            }),
            Condition::Phrase(first, second) => {
                let count = |content: &Content| occurrences(&content.text(), first, second);
                count(old) != count(new)
            }
        }
    }

    fn joins(&self, old: &Content, new: &Content) -> bool {
        match self {
            Condition::Not(inner) => !inner.holds(old, new),
            Condition::And(operands) => operands.iter().all(|operand| operand.holds(old, new)),
            Condition::Or(operands) => operands.iter().any(|operand| operand.holds(old, new)),
            _ => self.holds(old, new),
        }
    }
}

fn word(rng: &mut Rng) -> &'static str {
    WORDS[rng.below(WORDS.len() as u64) as usize]
}

/// How often two words follow each other, no word counted twice.
fn occurrences(words: &[String], first: &str, second: &str) -> usize {
    let (mut count, mut at) = (0, 0);
    while at + 1 < words.len() {
        if words[at] == first && words[at + 1] == second {
            count += 1;
            at += 2;
        } else {
            at += 1;
        }
    }
    count
}
