//! Independent measurements made at the same time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What `work` makes of every item, in the order of the items, by several threads. The results do
/// not depend on their number.
pub fn spread<T: Sync, R: Send>(jobs: usize, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(items.len()));
    let worker = || {
        while let at = next.fetch_add(1, Ordering::Relaxed)
            && let Some(item) = items.get(at)
        {
            let result = work(item);
            done.lock().expect("no worker panics while it holds the lock").push((at, result));
        }
    };
    std::thread::scope(|scope| {
        (1..jobs.min(items.len())).for_each(|_| {
            scope.spawn(worker);
        });
        worker();
    });
    let mut done = done.into_inner().expect("a worker's panic has ended the scope");
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn results_stand_in_the_order_of_the_items_whatever_the_number_of_jobs() {
        let items: Vec<u64> = (0..50).collect();
        let squares: Vec<u64> = items.iter().map(|i| i * i).collect();
        for jobs in [0, 1, 3, 100] {
            assert_eq!(spread(jobs, &items, |i| i * i), squares);
        }
    }
}
