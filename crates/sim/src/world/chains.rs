//! Sentinels that begin and end with others.

use super::World;
use super::spec::{self, Anchor, Edge, Scene, Spec};
use crate::pace::Rng;
use crate::shell::Wish;
use chronon::Span;

/// One world in this number has them.
const CHAINS_EVERY: u64 = 3;
/// From here on they are numbered.
const FIRST: u64 = 20;

impl World {
    /// A few, each applied once. They count from what people do everything to, and from each other.
    pub(super) fn fill_chains(&mut self, rng: &mut Rng, (names, urls): (u64, &[Box<str>])) {
        if !rng.one_in(CHAINS_EVERY) {
            return;
        }
        for number in FIRST..FIRST + 1 + rng.below(5) {
            let at = if rng.one_in(3) {
                self.moment(rng)
            } else {
                self.start + Span::from_secs(21).times(self.tempo)
            };
            let begins = (!rng.one_in(5)).then(|| self.anchor(rng, (names, number)));
            let ends =
                (begins.is_none() || rng.one_in(2)).then(|| self.anchor(rng, (names, number)));
            let scene = Scene { at, tempo: self.tempo, place: self.place };
            let spec = Spec::random(rng, number, urls, scene).hung([begins, ends], self.place.wall);
            let (name, text): (Box<str>, Box<str>) = (spec.name.clone(), spec.text().into());
            self.specs.insert(text.clone(), spec);
            self.wishes.push((at, Wish::Apply { name: name.clone(), text }));
            if rng.one_in(3) {
                let (off, on) = (self.moment(rng), self.moment(rng));
                self.wishes.push((off, Wish::Enable { name: name.clone(), enabled: false }));
                self.wishes.push((on, Wish::Enable { name, enabled: true }));
            }
        }
    }

    fn anchor(&self, rng: &mut Rng, (names, before): (u64, u64)) -> Anchor {
        let number = if before > FIRST && rng.one_in(3) {
            FIRST + rng.below(before - FIRST)
        } else {
            rng.below(names)
        };
        let edge = if rng.one_in(2) { Edge::Start } else { Edge::End };
        let later = Span::from_secs(1 + rng.below(200) as i64).times(self.tempo);
        Anchor { name: spec::name(number).into(), edge, later }
    }
}
