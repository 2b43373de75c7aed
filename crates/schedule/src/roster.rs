//! The sources, packed: a map of the records themselves would leave up to half its room empty.

use crate::source::Source;
use chronon::SourceId;
use rustc_hash::FxHashMap;

/// O(1) each. A place that became free is used again.
#[derive(Debug, Clone, Default)]
pub(crate) struct Roster {
    places: FxHashMap<SourceId, u32>,
    sources: Vec<Source>,
    free: Vec<u32>,
}

impl Roster {
    pub(crate) fn get(&self, id: SourceId) -> Option<&Source> {
        self.places.get(&id).map(|&place| &self.sources[place as usize])
    }

    pub(crate) fn get_mut(&mut self, id: SourceId) -> Option<&mut Source> {
        self.places.get(&id).map(|&place| &mut self.sources[place as usize])
    }

    pub(crate) fn contains(&self, id: SourceId) -> bool {
        self.places.contains_key(&id)
    }

    /// Only an id that is not there yet.
    pub(crate) fn insert(&mut self, id: SourceId, source: Source) {
        let place = match self.free.pop() {
            Some(place) => {
                self.sources[place as usize] = source;
                place
            }
            None => {
                self.sources.push(source);
                // Ids are u32 and each takes one place.
                (self.sources.len() - 1) as u32
            }
        };
        self.places.insert(id, place);
    }

    pub(crate) fn remove(&mut self, id: SourceId) -> Option<Source> {
        let place = self.places.remove(&id)?;
        self.free.push(place);
        Some(self.sources[place as usize].clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronon::{HostId, Instant, Span};

    #[test]
    fn a_place_that_became_free_is_used_again_and_nobody_is_mixed_up() {
        let mut roster = Roster::default();
        let source = |host| Source::new(HostId(host), Span::HOUR, Instant::EPOCH);
        for id in 0..3 {
            roster.insert(SourceId(id), source(id));
        }
        assert_eq!(roster.remove(SourceId(1)).unwrap().host, HostId(1));
        assert!(roster.remove(SourceId(1)).is_none() && !roster.contains(SourceId(1)));
        roster.insert(SourceId(9), source(9));
        let hosts = [0, 2, 9].map(|id| roster.get(SourceId(id)).unwrap().host.0);
        assert_eq!((hosts, roster.sources.len()), ([0, 2, 9], 3));
    }
}
