#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;

const MIB: u64 = 1 << 20;

fn memory(common_bytes: u64) -> Memory {
    Memory::new(Parts { own_bytes: MIB, common_bytes, wait_max: Duration::from_secs(60) })
}

/// Whether `work` is done at once, without anybody giving anything back.
async fn at_once<T>(work: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        biased;
        done = work => Some(done),
        () = tokio::task::yield_now() => None,
    }
}

#[tokio::test]
async fn a_look_has_a_share_of_its_own_whatever_others_hold() {
    let memory = memory(4 * MIB);
    let (mut greedy, mut senior) = (memory.share(), memory.share());
    greedy.grow(5 * MIB).await.unwrap();
    senior.grow(9 * MIB).await.unwrap();
    for _ in 0..256 {
        let mut ordinary = memory.share();
        assert_eq!(at_once(ordinary.grow(MIB)).await, Some(Ok(())));
    }
    assert_eq!(memory.usage().waits, 1, "the senior's");
}

#[tokio::test]
async fn many_half_read_bodies_that_hold_everything_end_all_the_same() {
    let memory = memory(4 * MIB);
    let read = |memory: Memory| async move {
        let mut share = memory.share();
        for bytes in (0..=10 * MIB).step_by(100_000) {
            share.grow(bytes).await?;
            tokio::task::yield_now().await;
        }
        Ok::<(), NoMemory>(())
    };
    let all: Vec<_> = (0..100).map(|_| tokio::spawn(read(memory.clone()))).collect();
    for one in all {
        assert_eq!(one.await.unwrap(), Ok(()));
    }
    let Usage { held_bytes, waiting, waits, given_up } = memory.usage();
    assert_eq!((held_bytes, waiting, given_up), (0, 0, 0));
    assert!(waits > 0);
    assert_eq!(memory.lock().common_free, 4 * MIB, "all is given back");
}

#[tokio::test]
async fn who_needs_little_passes_those_that_need_much() {
    let memory = memory(4 * MIB);
    let (mut first, mut senior, mut third) = (memory.share(), memory.share(), memory.share());
    first.grow(5 * MIB).await.unwrap();
    senior.grow(2 * MIB).await.unwrap();
    let mut much = Box::pin(third.grow(2 * MIB));
    assert_eq!(at_once(&mut much).await, None);
    drop(first);
    assert_eq!(at_once(&mut much).await, Some(Ok(())));
    drop(much);
    let mut fourth = memory.share();
    fourth.grow(3 * MIB).await.unwrap();
    let mut more = Box::pin(third.grow(4 * MIB));
    assert_eq!(at_once(&mut more).await, None, "3 of 4 MiB are taken");
    let mut little = memory.share();
    assert_eq!(at_once(little.grow(2 * MIB)).await, Some(Ok(())), "it has had less");
}

#[tokio::test]
async fn who_waits_too_long_gives_up_and_waits_are_told() {
    let wait_max = Duration::from_millis(20);
    let memory = Memory::new(Parts { own_bytes: MIB, common_bytes: MIB, wait_max });
    let (mut first, mut senior, mut third) = (memory.share(), memory.share(), memory.share());
    first.grow(2 * MIB).await.unwrap();
    senior.grow(9 * MIB).await.unwrap();
    let wait = third.wait();
    assert_eq!(third.grow(9 * MIB).await, Err(NoMemory));
    assert!(wait.total() >= wait_max);
    let usage = memory.usage();
    assert_eq!((usage.waiting, usage.waits, usage.given_up), (0, 2, 1));
}

#[tokio::test]
async fn a_wait_that_is_cut_off_leaves_nothing_behind() {
    let memory = memory(4 * MIB);
    let (mut first, mut senior, mut third) = (memory.share(), memory.share(), memory.share());
    first.grow(5 * MIB).await.unwrap();
    senior.grow(9 * MIB).await.unwrap();
    assert_eq!(at_once(third.grow(3 * MIB)).await, None);
    assert_eq!(memory.usage().waiting, 0);
    {
        // Called, but gone before it hears of it.
        let mut waiting = Box::pin(third.grow(3 * MIB));
        assert_eq!(at_once(&mut waiting).await, None);
        drop(first);
    }
    drop((senior, third));
    assert_eq!(memory.lock().common_free, 4 * MIB);
    assert_eq!(memory.lock().senior, None);
}
