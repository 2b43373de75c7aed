//! EIs that open, end and are captured.

use super::*;
use chronon::Span;

fn at(seconds: i64) -> Instant {
    Instant::from_millis(seconds * 1_000)
}

fn ei(source: u32, start: i64, finish: i64) -> NewEi {
    NewEi { source, start: at(start), finish: at(finish), utility: 1.0, now: at(start) }
}

fn pass(eis: &mut Eis, now: i64) -> Vec<u32> {
    let mut touched = Vec::new();
    eis.expire(at(now), &mut touched);
    eis.open_due(at(now), &mut touched);
    touched
}

#[test]
fn an_ei_opens_at_its_start_and_is_lost_after_its_finish() {
    let mut eis = Eis::new(Grid::new(Span::SECOND));
    eis.add(CeiId(1), ei(0, 5, 9), &mut Vec::new());
    assert_eq!((pass(&mut eis, 4), eis.open(0).count(), eis.waiting(0).count()), (vec![], 0, 1));
    assert_eq!((pass(&mut eis, 5), eis.open(0).count(), eis.waiting(0).count()), (vec![0], 1, 0));
    assert_eq!((pass(&mut eis, 9), eis.open(0).count()), (vec![], 1));
    assert_eq!((pass(&mut eis, 10), eis.open(0).count(), eis.live()), (vec![0], 0, 0));
}

#[test]
fn a_captured_ei_leaves_less_missing_and_a_missed_one_voids_the_rest() {
    let (mut eis, mut touched) = (Eis::new(Grid::new(Span::SECOND)), Vec::new());
    for source in 0..3 {
        eis.add(CeiId(1), ei(source, 0, 10 * (1 + i64::from(source))), &mut touched);
    }
    pass(&mut eis, 0);
    let missing = |eis: &Eis, source| eis.stakes(source).iter().map(|ei| ei.missing).max();
    assert_eq!([0, 1, 2].map(|source| missing(&eis, source)), [Some(3); 3]);
    eis.capture(1, at(3), &mut touched);
    assert_eq!([0, 1, 2].map(|source| missing(&eis, source)), [Some(2), None, Some(2)]);
    assert_eq!(pass(&mut eis, 11), [0, 2], "the first finished uncaptured");
    assert_eq!(eis.live(), 0);
}

#[test]
fn only_what_holds_the_start_of_the_probe_is_captured() {
    let mut eis = Eis::new(Grid::new(Span::SECOND));
    for (cei, (start, finish)) in [(0, 4), (0, 10), (8, 12)].into_iter().enumerate() {
        eis.add(CeiId(cei as u64), ei(7, start, finish), &mut Vec::new());
    }
    pass(&mut eis, 0);
    eis.capture(7, at(6), &mut Vec::new());
    let left: Vec<_> = eis.open(7).chain(eis.waiting(7)).map(LiveEi::finish).collect();
    assert_eq!(left, [at(4), at(12)]);
}

#[test]
fn no_more_eis_are_taken_than_a_cei_and_all_may_have() {
    let (mut eis, mut touched) = (Eis::new(Grid::new(Span::SECOND)), Vec::new());
    let mut add = |eis: &mut Eis, cei, source| eis.add(CeiId(cei), ei(source, 0, 9), &mut touched);
    for source in 0..u32::from(CEI_EIS_MAX) {
        assert!(add(&mut eis, 1, source));
    }
    assert!(!add(&mut eis, 1, 2_000) && add(&mut eis, 2, 0));
    pass(&mut eis, 0);
    eis.capture(0, at(0), &mut Vec::new());
    assert_eq!(eis.stakes(1)[0].missing, CEI_EIS_MAX - 1);
    assert!(add(&mut eis, 1, 2_000), "one was captured");
    eis.most = u32::from(CEI_EIS_MAX);
    assert!(!add(&mut eis, 3, 0) && eis.live() == usize::from(CEI_EIS_MAX));
    eis.drop_cei(CeiId(1), &mut Vec::new());
    assert!(add(&mut eis, 3, 0));
}

#[test]
fn ceis_that_come_and_go_before_their_time_take_no_more_room() {
    let mut eis = Eis::new(Grid::new(Span::SECOND));
    for round in 0..100_000 {
        eis.add(CeiId(round), ei(0, 1_000_000, 1_000_001), &mut Vec::new());
        eis.drop_cei(CeiId(round), &mut Vec::new());
    }
    assert!(eis.entries.len() <= 2 * SWEPT_FROM, "{}", eis.entries.len());
}
