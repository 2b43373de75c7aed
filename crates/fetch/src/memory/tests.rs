#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;

const MIB: u64 = 1 << 20;

/// A share of 1 MiB for each, four seats of 2 MiB in the hall.
fn memory(wait_max: Duration, hall_wait_max: Duration) -> Memory {
    let (own_bytes, hall_bytes, hall_seats) = (MIB, 2 * MIB, 4);
    Memory::new(Parts { own_bytes, hall_bytes, hall_seats, wait_max, hall_wait_max })
}

const LONG: Duration = Duration::from_secs(60);

/// Whether `work` is done at once, without anybody giving anything back.
async fn at_once<T>(work: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        biased;
        done = work => Some(done),
        () = tokio::task::yield_now() => None,
    }
}

async fn read(memory: Memory, url: String, length: u64) -> Result<(), NoMemory> {
    let mut share = memory.share(&url);
    for bytes in (0..=length).step_by(100_000) {
        share.grow(bytes).await?;
        tokio::task::yield_now().await;
    }
    Ok(())
}

#[tokio::test]
async fn a_look_has_a_share_of_its_own_whatever_others_hold() {
    let memory = memory(LONG, LONG);
    let mut others: Vec<Share> = (0..5).map(|n| memory.share(&n.to_string())).collect();
    others[0].grow(9 * MIB).await.unwrap();
    for other in &mut others[1..] {
        other.grow(2 * MIB).await.unwrap();
    }
    for _ in 0..256 {
        assert_eq!(at_once(memory.share("ordinary").grow(MIB)).await, Some(Ok(())));
    }
    assert_eq!(memory.usage().waits, 0);
}

#[tokio::test]
async fn many_half_read_bodies_that_hold_everything_end_all_the_same() {
    let memory = memory(LONG, Duration::from_millis(5));
    let mut left: Vec<String> = (0..100).map(|n| n.to_string()).collect();
    let mut rounds = 0;
    while !left.is_empty() {
        let looks = left.drain(..).map(|url| {
            let reading = read(memory.clone(), url.clone(), 10 * MIB);
            tokio::spawn(async move { reading.await.err().map(|_| url) })
        });
        for look in looks.collect::<Vec<_>>() {
            left.extend(look.await.unwrap());
        }
        rounds += 1;
    }
    assert!(rounds <= 2, "a look known to be large waits for its seat: {rounds}");
    let Usage { held_bytes, waiting, waits, .. } = memory.usage();
    assert!((held_bytes, waiting) == (0, 0) && waits > 0);
    let state = memory.lock();
    assert_eq!((state.hall_free, state.throne_taken, state.seated.len()), (4, false, 0));
}

#[tokio::test]
async fn a_page_is_read_while_a_hundred_large_ones_compete() {
    let memory = memory(LONG, Duration::from_millis(5));
    // Nobody gives back the one seat.
    let mut stays = memory.share("stays");
    stays.grow(9 * MIB).await.unwrap();
    let large = (0..100).map(|n| tokio::spawn(read(memory.clone(), n.to_string(), 10 * MIB)));
    let large: Vec<_> = large.collect();
    while memory.usage().waiting < 100 {
        tokio::task::yield_now().await;
    }
    let page = read(memory.clone(), "page".into(), 2 * MIB);
    assert_eq!(tokio::time::timeout(Duration::from_secs(20), page).await, Ok(Ok(())));
    assert!(large.iter().all(|look| !look.is_finished()) || memory.usage().given_up > 0);
}

#[tokio::test]
async fn nobody_leaves_the_hall_for_whom_nobody_waits() {
    let memory = memory(LONG, Duration::from_millis(1));
    let mut first = memory.share("first");
    first.grow(9 * MIB).await.unwrap();
    let second = tokio::spawn(read(memory.clone(), "second".into(), 10 * MIB));
    while memory.usage().waiting < 1 {
        tokio::task::yield_now().await;
    }
    assert_eq!(at_once(memory.share("page").grow(2 * MIB)).await, Some(Ok(())));
    drop(first);
    assert_eq!(second.await.unwrap(), Ok(()));
    assert_eq!(memory.usage().given_up, 0);
}

#[tokio::test]
async fn who_waits_too_long_gives_up_and_waits_are_told() {
    let wait_max = Duration::from_millis(20);
    let memory = memory(wait_max, LONG);
    let (mut first, mut second) = (memory.share("first"), memory.share("second"));
    first.grow(9 * MIB).await.unwrap();
    let wait = second.wait();
    assert_eq!(second.grow(9 * MIB).await, Err(NoMemory));
    assert!(wait.total() >= wait_max);
    let usage = memory.usage();
    assert_eq!((usage.waiting, usage.waits, usage.given_up), (0, 1, 1));
}

#[tokio::test]
async fn a_body_that_was_large_and_is_no_more_sits_in_the_hall_again() {
    let memory = memory(LONG, LONG);
    memory.share("page").grow(9 * MIB).await.unwrap();
    memory.share("page").grow(2 * MIB).await.unwrap();
    let mut stays = memory.share("stays");
    stays.grow(9 * MIB).await.unwrap();
    assert_eq!(at_once(memory.share("page").grow(2 * MIB)).await, Some(Ok(())));
}

#[tokio::test]
async fn a_wait_that_is_cut_off_leaves_nothing_behind() {
    let memory = memory(LONG, LONG);
    let (mut first, mut second) = (memory.share("first"), memory.share("second"));
    first.grow(9 * MIB).await.unwrap();
    assert_eq!(at_once(second.grow(9 * MIB)).await, None);
    assert_eq!(memory.usage().waiting, 0);
    {
        // Called, but gone before it hears of it.
        let mut waiting = Box::pin(second.grow(9 * MIB));
        assert_eq!(at_once(&mut waiting).await, None);
        drop(first);
    }
    drop(second);
    assert!(!memory.lock().throne_taken);
}

#[tokio::test]
async fn hosts_take_turns_in_the_queue_for_the_hall() {
    let memory = memory(LONG, LONG);
    let mut seated: Vec<Share> = (0..4).map(|n| memory.share(&n.to_string())).collect();
    for share in &mut seated {
        share.grow(2 * MIB).await.unwrap();
    }
    let mut crowd: Vec<Share> =
        (0..20).map(|n| memory.share(&format!("https://crowd.example/{n}"))).collect();
    let mut crowd: Vec<_> = crowd.iter_mut().map(|share| Box::pin(share.grow(2 * MIB))).collect();
    for look in &mut crowd {
        assert_eq!(at_once(look).await, None);
    }
    let mut page = memory.share("https://page.example/");
    let mut page = Box::pin(page.grow(2 * MIB));
    assert_eq!(at_once(&mut page).await, None);
    drop(seated.split_off(2));
    assert_eq!(at_once(&mut crowd[0]).await, Some(Ok(())), "the crowd has its turn, too");
    assert_eq!(at_once(&mut page).await, Some(Ok(())));
    assert_eq!(at_once(&mut crowd[1]).await, None);
}

#[tokio::test]
async fn a_look_in_the_hall_may_stay_until_somebody_waits_for_its_seat() {
    let memory = memory(LONG, Duration::from_millis(1));
    let mut seated: Vec<Share> = (0..4).map(|n| memory.share(&n.to_string())).collect();
    for share in &mut seated {
        share.grow(2 * MIB).await.unwrap();
    }
    let mut ordinary = memory.share("ordinary");
    ordinary.grow(MIB).await.unwrap();
    let stay = Duration::from_millis(20);
    assert!(tokio::time::timeout(stay, seated[0].outstayed()).await.is_err(), "nobody waits");
    let mut page = memory.share("page");
    let mut page = Box::pin(page.grow(2 * MIB));
    assert_eq!(at_once(&mut page).await, None);
    assert_eq!(seated[0].outstayed().await, NoMemory);
    assert!(tokio::time::timeout(stay, ordinary.outstayed()).await.is_err(), "it holds no seat");
    seated.remove(0);
    assert_eq!(at_once(&mut page).await, Some(Ok(())));
}
