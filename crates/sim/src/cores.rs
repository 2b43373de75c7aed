//! Many worlds side by side: each is a thing of its own, so they may run at the same time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const NEVER_POISONED: &str = "no thread panics while it holds it";

/// What `work` makes of each of `items`, in their order; on all cores.
///
/// # Panics
///
/// When `work` does.
pub fn on_all_cores<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    spread(std::thread::available_parallelism().map_or(1, std::num::NonZero::get), items, work)
}

/// What `work` makes of each of `items`, in their order, by at most `threads` threads (at least
/// one). The results do not depend on their number.
///
/// # Panics
///
/// When `work` does.
pub fn spread<T, R>(threads: usize, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R>
where
    T: Sync,
    R: Send,
{
    let (next, made) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(items.len())));
    let run = || {
        while let at = next.fetch_add(1, Ordering::Relaxed)
            && let Some(item) = items.get(at)
        {
            let result = work(item);
            made.lock().expect(NEVER_POISONED).push((at, result));
        }
    };
    std::thread::scope(|scope| {
        (1..threads.min(items.len())).for_each(|_| drop(scope.spawn(run)));
        run();
    });
    let mut made = made.into_inner().expect(NEVER_POISONED);
    made.sort_unstable_by_key(|(at, _)| *at);
    made.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::{on_all_cores, spread};

    #[test]
    fn results_come_in_the_order_of_their_items_whatever_the_number_of_threads() {
        let items: Vec<u32> = (0..100).collect();
        let doubled: Vec<u32> = items.iter().map(|n| n * 2).collect();
        assert_eq!(on_all_cores(&items, |n| n * 2), doubled);
        for threads in [0, 1, 3, 200] {
            assert_eq!(spread(threads, &items, |n| n * 2), doubled);
        }
        assert!(on_all_cores(&[], |n: &u32| *n).is_empty());
    }
}
