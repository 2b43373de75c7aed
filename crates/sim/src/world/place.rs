//! Where a world is: most are nowhere in particular, some where the clocks are changed meanwhile.

use super::START;
use super::spec::Scene;
use super::wall::Wall;
use crate::pace::Rng;
use chronon::{Instant, Span};

/// One short world in this number begins shortly before a change of clocks, and two long ones of
/// three.
const CHANGES_EVERY: u64 = 8;

/// Whose clocks texts mean.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Locale {
    /// Where texts name none.
    pub(crate) wall: Wall,
    /// The one that is changed in this world.
    changed: Option<Wall>,
}

/// From when to when, and whose days count.
pub(super) struct Life {
    pub(super) from: Option<Instant>,
    pub(super) to: Option<Instant>,
    pub(super) wall: Wall,
    /// As it is written.
    pub(super) said: String,
}

impl Locale {
    pub(super) fn nowhere() -> Locale {
        Locale { wall: Wall::UTC, changed: None }
    }

    /// And when the world begins there.
    pub(super) fn random(rng: &mut Rng, is_long: bool) -> (Instant, Locale) {
        let changes = if is_long { !rng.one_in(3) } else { rng.one_in(CHANGES_EVERY) };
        if !changes {
            return (START, Locale::nowhere());
        }
        let changed = Wall::random(rng);
        let wall = if rng.one_in(3) { Wall::UTC } else { changed };
        let within = if is_long { Span::DAY.times(9) } else { Span::MINUTE.times(25) };
        (changed.start(rng, within), Locale { wall, changed: Some(changed) })
    }

    /// What a text may name.
    fn named(&self, rng: &mut Rng) -> Option<Wall> {
        match rng.below(6) {
            0 | 1 => self.changed,
            2 => self.changed.map(|_| Wall::UTC),
            _ => None,
        }
    }
}

impl Life {
    pub(super) fn random(rng: &mut Rng, scene: Scene) -> Life {
        let Scene { at, tempo, place } = scene;
        let seconds = |n: u64| Span::from_secs(n as i64).times(tempo);
        let whole = Instant::from_millis(at.as_millis() / 1_000 * 1_000);
        let Some(changed) = place.changed else {
            let from = rng.one_in(4).then(|| whole + seconds(rng.below(150)));
            let to = rng.one_in(4).then(|| whole + seconds(200 + rng.below(300)));
            return Life::written(Wall::UTC, None, [from, to]);
        };
        let named = place.named(rng);
        let wall = named.unwrap_or(place.wall);
        let now = wall.shows(whole);
        let from = (!rng.one_in(3)).then(|| {
            if rng.one_in(2) {
                now + seconds(rng.below(150))
            } else {
                // What the wall skips, or shows twice, or a day before.

                let day = if tempo > 1 { Span::DAY.times(rng.below(3) as i64) } else { Span::ZERO };
                let around = Span::from_secs(rng.below(90 * 60) as i64);
                changed.shows_at_change() - Span::MINUTE.times(15) + around - day
            }
        });
        let to =
            rng.one_in(4).then(|| from.unwrap_or(now).max(now) + seconds(200 + rng.below(300)));
        let life = Life::written(wall, named, [from, to]);
        // A text that says no time names no place.
        let wall = if life.said.is_empty() { place.wall } else { wall };
        Life { wall, ..life }
    }

    /// `from` and `to` are what the wall shows.
    fn written(wall: Wall, named: Option<Wall>, [from, to]: [Option<Instant>; 2]) -> Life {
        let begins = from.map(|from| wall.moment(from));
        // Where the wall skips an hour, both may be one moment.
        let to = to.filter(|&to| begins.is_none_or(|begins| begins < wall.moment(to)));
        let mut said = String::new();
        for (word, shown) in [("from", from), ("to", to)] {
            if let Some(shown) = shown {
                let clock = shown.to_string().replace('T', " ");
                let zone = named.map_or(String::new(), |wall| format!(" {}", wall.name));
                said.push_str(&format!(" {word} {}{zone}", &clock[..19]));
            }
        }
        Life { from: begins, to: to.map(|to| wall.moment(to)), wall, said }
    }
}
