use super::*;
use chronon::Span;
use proptest::prelude::*;

const HOUR: f64 = 3_600.0;

/// A look every hour at each of some sources, for some days; `changes` says who changed in an
/// hour.
fn lived(days: u32, sources: u32, changes: impl Fn(u32, u32) -> bool) -> Kin {
    let mut kin = Kin::new();
    for hour in 1..days * 24 {
        let (from, to) = (f64::from(hour - 1) * HOUR, f64::from(hour) * HOUR);
        for slot in 0..sources {
            kin.pay();
            if !changes(slot, hour) {
                continue;
            }
            let party = |_: u32| Party { rate: 1.0 / (72.0 * HOUR), seen: to };
            let others = kin.find(slot, Window { from, to });
            let windows = kin.windows(slot);
            for other in others {
                let link = kin.weigh(
                    (&windows, party(slot)),
                    (other, party(other)),
                    kin.odds(sources),
                    &|from, to| to - from,
                );
                kin.link(slot, link, &mut Vec::new());
            }
        }
    }
    kin
}

fn tells(kin: &Kin, own: u32, other: u32) -> f64 {
    kin.links(own).find(|link| link.other == other).map_or(0.0, |link| link.tells)
}

fn draw(salt: u32, hour: u32) -> bool {
    crate::chance::share(5, SourceId(salt), hour.into()) < 1.0 / 72.0
}

#[test]
fn who_changes_together_is_linked_and_strangers_are_not() {
    // 0, 1 and 2 always together, the others each at hours of its own.
    let kin = lived(60, 40, |slot, hour| draw(slot.max(2), hour));
    assert!(tells(&kin, 0, 1) > 0.7 && tells(&kin, 1, 2) > 0.7 && tells(&kin, 2, 0) > 0.7);
    let wrong: f64 = (3..40).flat_map(|own| kin.links(own)).map(|link| link.tells).sum();
    assert!(wrong / 37.0 < 0.3, "strangers are believed: {wrong}");
}

#[test]
fn a_companion_that_no_longer_comes_along_is_forgotten() {
    let together = |hour: u32| if hour < 60 * 24 { 0 } else { 1 };
    let kin = lived(60, 20, |slot, hour| draw(slot.max(1), hour));
    assert!(tells(&kin, 0, 1) > 0.7);
    let kin = lived(120, 20, |slot, hour| {
        draw(if slot == 0 { 50 * together(hour) + 1 } else { slot }, hour)
    });
    assert!(tells(&kin, 0, 1) < 0.1, "{}", tells(&kin, 0, 1));
}

#[test]
fn a_time_counts_once_a_quarter_of_an_hour_and_midnights_do_not() {
    let at = |hours: i64| Instant::EPOCH + Span::HOUR.times(hours);
    let gap = Gap::new(at(30), at(60));
    let whole = Window { from: 30.0 * HOUR, to: 60.0 * HOUR };
    assert_eq!(windows(&[], gap), [whole]);
    assert_eq!(windows(&[at(48)], gap), [whole]);
    let exact = |hours: f64| Window { from: hours * HOUR, to: hours * HOUR };
    let minute = at(50) + Span::MINUTE;
    assert_eq!(windows(&[at(50), at(40), minute], gap), [exact(40.0), exact(50.0)]);
}

proptest! {
    /// Whatever comes: a link has two ends that say the same, lists stay short, who has changed
    /// is named, and what is stored makes the same again.
    #[test]
    fn links_have_two_ends_and_are_the_same_after_a_restart(
        acts in prop::collection::vec((0_u32..50, 0_u32..50, 0.0..1.0, 0.0..1.0, 0_u8..12), 0..400),
        crowd in 0_u32..50,
    ) {
        let mut kin = Kin::new();
        for (step, (own, other, tells, is_told, act)) in acts.into_iter().enumerate() {
            let to = 1e9 + 5_000.0 * step as f64;
            // Few have many links, so that lists are full.
            let own = if own % 2 == 0 { crowd.min(3) } else { own };
            let records = |kin: &Kin| -> Vec<_> {
                (0..50).map(|slot| kin.record(slot, SourceId)).collect()
            };
            let (before, mut changed) = (records(&kin), vec![own]);
            match act {
                0 if own % 7 == 0 => kin.forget(own, &mut changed),
                1..5 => drop(kin.find(own, Window { from: to - 1e4 * tells, to })),
                _ if own != other => kin.link(own, Link { other, tells, is_told }, &mut changed),
                _ => {}
            }
            let after = records(&kin);
            let is_silent = |slot: &usize| {
                before[*slot] != after[*slot] && !changed.contains(&(*slot as u32))
            };
            prop_assert_eq!((0..50).find(is_silent), None);
        }
        let mut again = Kin::new();
        for slot in 0..50 {
            prop_assert!(kin.links_len(slot) <= LINKS && kin.finds(slot) <= FINDS);
            for link in kin.links(slot) {
                let back = kin.links(link.other).find(|back| back.other == slot);
                prop_assert_eq!(back, Some(link.back(slot)));
            }
            let known = |id: SourceId| (id.0 <= slot + 7).then_some(id.0 - 7);
            again.recall(slot, &kin.record(slot, |slot| SourceId(slot + 7)), known);
        }
        for slot in 0..50 {
            let bytes = |kin: &Kin| kin.record(slot, SourceId);
            prop_assert_eq!(bytes(&kin), bytes(&again));
        }
    }

    #[test]
    fn damaged_bytes_are_read_as_far_as_they_can_be(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        let mut kin = Kin::new();
        (0..4).for_each(|slot| kin.recall(slot, &bytes, |id| Some(id.0 % 4)));
        prop_assert!((0..4).all(|slot| kin.links_len(slot) <= LINKS && kin.finds(slot) <= FINDS));
        prop_assert!((0..4).all(|slot| kin.links(slot).all(|link| link.other != slot)));
    }
}

/// Looks of which half a change was said beside `alone` expected ones, and whether each found any.
fn judged(looks: u32, alone: f64, found: impl Fn(u32) -> bool) -> Kin {
    let mut kin = Kin::new();
    for look in 0..looks {
        kin.judge(0.5, alone, found(look));
    }
    kin
}

#[test]
fn strangers_are_not_believed_however_often_pages_change_by_themselves() {
    for alone in [0.05, 0.3, 1.0] {
        let chance = 1.0 - libm::exp(-alone);
        let strangers = judged(4_000, alone, |look| share(look) < chance);
        assert!(strangers.believed(0.5) < 0.06, "{alone}: {}", strangers.believed(0.5));
        let company = judged(4_000, alone, |look| share(look) < 1.0 - 0.5 * (1.0 - chance));
        let believed = company.believed(0.5);
        assert!((0.42..0.58).contains(&believed), "{alone}: {believed}");
    }
}

#[test]
fn bursts_are_not_held_against_company() {
    let (mut kin, alone) = (Kin::new(), 0.7);
    let chance = 0.5 * chance_of_any(alone);
    for look in 0..4_000 {
        kin.judge_unsaid(alone, share(look) < chance);
    }
    for look in 4_000..8_000 {
        kin.judge(0.5, alone, share(look) < 0.5 + 0.5 * chance);
    }
    let believed = kin.believed(0.5);
    assert!((0.42..0.58).contains(&believed), "{believed}");
}

fn share(look: u32) -> f64 {
    crate::chance::share(7, SourceId(3), look.into())
}

#[test]
fn when_a_source_leaves_the_newest_finds_are_still_read_first() {
    let mut kin = Kin::new();
    let at = |hour: u32| Window { from: f64::from(hour) * HOUR, to: f64::from(hour) * HOUR };
    for hour in 0..RECENT as u32 + 9 {
        kin.find(hour % 20, at(hour));
    }
    kin.forget(3, &mut Vec::new());
    for hour in RECENT as u32 + 9..RECENT as u32 + 60 {
        kin.find(4 + hour % 16, at(hour));
    }
    let newest = kin.recent[..kin.next].iter().rev().chain(kin.recent[kin.next..].iter().rev());
    let times: Vec<f64> = newest.map(|(_, window)| window.to).collect();
    assert!(times.is_sorted_by(|one, other| one > other), "{times:?}");
    assert!(times.len() == RECENT && times[0] == f64::from(RECENT as u32 + 59) * HOUR);
}
