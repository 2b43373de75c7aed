//! Families: sources that post together. A find at one says that the others are worth a look.

use std::collections::{BTreeMap, BTreeSet};

/// Postings no further apart than this are together, seconds.
const TOGETHER: f64 = 900.0;
/// So many postings without company are added before a link is believed.
const DOUBT: f64 = 2.0;

/// Which sources post together, learned from what was retrieved.
#[derive(Debug, Clone)]
pub struct Families {
    /// Per source, with whom how often.
    together: Vec<BTreeMap<u32, u32>>,
    postings: Vec<u32>,
    /// Known postings, by millisecond.
    known: BTreeSet<(i64, u32)>,
}

/// A link from a source to another: the chance that it posted too.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    pub source: u32,
    pub chance: f64,
}

impl Families {
    #[must_use]
    pub fn new(sources: usize) -> Families {
        Families {
            together: vec![BTreeMap::new(); sources],
            postings: vec![0; sources],
            known: BTreeSet::new(),
        }
    }

    /// Counts a posting together with the known ones near it. O(near ones · log n).
    pub fn learn(&mut self, source: u32, time: f64) {
        let (from, to) = (millis(time - TOGETHER), millis(time + TOGETHER));
        let near: BTreeSet<u32> =
            self.known.range((from, 0)..=(to, u32::MAX)).map(|known| known.1).collect();
        self.known.insert((millis(time), source));
        if near.contains(&source) {
            // The same burst again: it is counted once.
            return;
        }
        self.postings[source as usize] += 1;
        for other in near {
            *self.together[source as usize].entry(other).or_default() += 1;
            *self.together[other as usize].entry(source).or_default() += 1;
        }
    }

    /// Forgets postings before `time`, which nobody will be compared with any more; not the counts.
    pub fn drop_before(&mut self, time: f64) {
        self.known = self.known.split_off(&(millis(time), 0));
    }

    /// The sources linked to this one.
    pub fn links(&self, source: u32) -> impl Iterator<Item = Link> + '_ {
        let _ = self.postings[source as usize];
        self.together[source as usize].iter().map(move |(&other, &count)| {
            let count = f64::from(count);
            Link { source: other, chance: count / (count + DOUBT) }
        })
    }
}

fn millis(time: f64) -> i64 {
    libm::round(time * 1000.0) as i64
}
