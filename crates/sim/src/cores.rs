//! Many worlds side by side: each is a thing of its own, so they may run on all cores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const NEVER_POISONED: &str = "no thread panics while it holds it";

/// What `work` makes of each of `items`, in their order; on all cores.
///
/// # Panics
///
/// When `work` does.
pub fn on_all_cores<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (next, made) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(items.len())));
    let run = || {
        while let Some((at, item)) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            items.get(at).map(|item| (at, item))
        } {
            let result = work(item);
            made.lock().expect(NEVER_POISONED).push((at, result));
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(run))));
    let mut made = made.into_inner().expect(NEVER_POISONED);
    made.sort_unstable_by_key(|(at, _)| *at);
    made.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_come_in_the_order_of_their_items() {
        let items: Vec<u32> = (0..100).collect();
        let doubled: Vec<u32> = items.iter().map(|n| n * 2).collect();
        assert_eq!(super::on_all_cores(&items, |n| n * 2), doubled);
        assert!(super::on_all_cores(&[], |n: &u32| *n).is_empty());
    }
}
