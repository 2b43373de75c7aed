//! The hosts that can take a probe and want one, best first: a queue for each level, linked through
//! the hosts themselves.

use crate::level::LEVELS;

const NIL: u32 = u32::MAX;
const WORDS: usize = LEVELS / 64;

#[derive(Debug, Clone, Copy)]
struct Node {
    next: u32,
    previous: u32,
    level: u16,
    inside: bool,
}

const OUTSIDE: Node = Node { next: NIL, previous: NIL, level: 0, inside: false };

/// Every operation is O(1).
#[derive(Debug, Clone)]
pub(crate) struct Ready {
    heads: Vec<[u32; 2]>,
    /// Which levels have somebody.
    filled: [u64; WORDS],
    places: Vec<Node>,
}

impl Ready {
    pub(crate) fn new() -> Ready {
        Ready { heads: vec![[NIL; 2]; LEVELS], filled: [0; WORDS], places: Vec::new() }
    }

    /// The host that came first to the highest level, and this.
    pub(crate) fn best(&self) -> Option<(u16, u32)> {
        let word = self.filled.iter().rposition(|&word| word != 0)?;
        let level = word * 64 + 63 - self.filled[word].leading_zeros() as usize;
        Some((level as u16, self.heads[level][0]))
    }

    /// Puts `host` at the end of a level, or, with none, takes it out. Who is there already stays
    /// where it is.
    pub(crate) fn set(&mut self, host: u32, level: Option<u16>) {
        if self.places.len() <= host as usize {
            self.places.resize(host as usize + 1, OUTSIDE);
        }
        let place = self.places[host as usize];
        if place.inside == level.is_some() && level.is_none_or(|level| level == place.level) {
            return;
        }
        if place.inside {
            self.take(host, place);
        }
        if let Some(level) = level {
            self.append(host, level);
        }
    }

    fn take(&mut self, host: u32, place: Node) {
        let heads = &mut self.heads[usize::from(place.level)];
        match place.previous {
            NIL => heads[0] = place.next,
            previous => self.places[previous as usize].next = place.next,
        }
        match place.next {
            NIL => heads[1] = place.previous,
            next => self.places[next as usize].previous = place.previous,
        }
        if heads[0] == NIL {
            self.filled[usize::from(place.level) / 64] &= !(1 << (place.level % 64));
        }
        self.places[host as usize] = OUTSIDE;
    }

    fn append(&mut self, host: u32, level: u16) {
        let heads = &mut self.heads[usize::from(level)];
        let previous = std::mem::replace(&mut heads[1], host);
        match previous {
            NIL => heads[0] = host,
            previous => self.places[previous as usize].next = host,
        }
        self.places[host as usize] = Node { next: NIL, previous, level, inside: true };
        self.filled[usize::from(level) / 64] |= 1 << (level % 64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_best_is_the_first_of_the_highest_level(
            acts in prop::collection::vec((0_u32..12, prop::option::of(0_u16..1_023)), 1..200),
        ) {
            let (mut ready, mut queue) = (Ready::new(), Vec::<(u32, u16)>::new());
            for (host, level) in acts {
                ready.set(host, level);
                let there = queue.iter().any(|entry| Some(entry.1) == level && entry.0 == host);
                if !there {
                    queue.retain(|entry| entry.0 != host);
                    queue.extend(level.map(|level| (host, level)));
                }
                let top = queue.iter().map(|entry| entry.1).max();
                let best = queue.iter().find(|entry| Some(entry.1) == top).map(|entry| entry.0);
                prop_assert_eq!(ready.best().map(|best| best.1), best);
            }
        }
    }
}
