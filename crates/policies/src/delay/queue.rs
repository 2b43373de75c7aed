//! Sources that wait for their probe: first in, first out, each once.

use std::collections::VecDeque;

/// What a plan wants and a burst limit holds back.
#[derive(Debug, Clone)]
pub struct Queue {
    waiting: VecDeque<u32>,
    inside: Vec<bool>,
}

impl Queue {
    #[must_use]
    pub fn new(sources: usize) -> Queue {
        Queue { waiting: VecDeque::new(), inside: vec![false; sources] }
    }

    pub fn push(&mut self, source: u32) {
        if !std::mem::replace(&mut self.inside[source as usize], true) {
            self.waiting.push_back(source);
        }
    }

    /// Moves at most `room` to `picks`.
    pub fn take(&mut self, room: usize, picks: &mut Vec<u32>) {
        for _ in 0..room {
            let Some(source) = self.waiting.pop_front() else { return };
            self.inside[source as usize] = false;
            picks.push(source);
        }
    }
}
