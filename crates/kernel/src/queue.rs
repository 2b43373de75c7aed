//! The queues in which owners say facts.

use std::collections::VecDeque;

/// Facts for which an empty queue keeps room. A start says one for each source, at once.
const KEPT: usize = 1_024;

/// The next fact. A queue that has run empty gives the room back that it seldom needs.
pub(crate) fn next<T>(queue: &mut VecDeque<T>) -> Option<T> {
    if queue.is_empty() {
        queue.shrink_to(KEPT);
    }
    queue.pop_front()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_that_was_long_keeps_little_room() {
        let mut queue: VecDeque<u32> = (0..100_000).collect();
        assert_eq!(std::iter::from_fn(|| next(&mut queue)).count(), 100_000);
        assert!(queue.capacity() < 2 * KEPT, "{}", queue.capacity());
    }
}
