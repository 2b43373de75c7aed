//! The thesis' three races, as far as they concern the graph: a node removed while it is being
//! used, a sentinel that ends while its version is in flight, versions that overtake each other.

use crate::bench::{Bench, STREAM, and, at, heard, keywords, leaf, not};
use chronon::SentinelId;
use graph::Join;
use sentinel::ast::{Aspect, Compare, Primitive};

#[test]
fn a_node_removed_while_its_round_is_out_is_neither_missed_nor_mistaken_for_another() {
    let mut bench = Bench::new();
    let [a, b] = ["a", "b"].map(|word| keywords(&[word]));
    bench.join(1, Compare::Pairwise, &and(&[&a, &b]));
    bench.join(2, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Links)));
    bench.version();
    let round = bench.version();
    let due = bench.due(round);
    bench.graph.left(SentinelId(1));
    // Takes the slots the removed nodes had.
    bench.join(3, Compare::Pairwise, &not(&keywords(&["c"])));
    bench.join(4, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Links)));
    assert_eq!(heard(&bench.close(&due, |_| true)), [2]);
}

#[test]
fn one_that_leaves_and_joins_again_while_the_round_is_out_waits_for_the_next() {
    let mut bench = Bench::new();
    bench.join(1, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Links)));
    bench.version();
    let round = bench.version();
    let due = bench.due(round);
    bench.join(1, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Links)));
    assert_eq!(heard(&bench.close(&due, |_| true)), [0; 0]);
    let next = bench.version();
    assert_eq!(heard(&bench.close(&bench.due(next), |_| true)), [1]);
}

#[test]
fn words_that_join_in_the_instant_of_the_version_after_the_round_opened_wait_for_the_next() {
    let mut bench = Bench::new();
    bench.join(1, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Links)));
    bench.version();
    let round = bench.version();
    let due = bench.due(round);
    for (id, monitor) in
        [(2, leaf(Primitive::plain(Aspect::Links))), (3, leaf(Primitive::plain(Aspect::Images)))]
    {
        let (sentinel, compare, since) = (SentinelId(id), Compare::Pairwise, at(2_000));
        let monitor = &monitor;
        bench
            .graph
            .joined(Join { sentinel, stream: STREAM, compare, monitor, since, history: 1 }, None);
    }
    let closed = bench.close(&due, |_| true);
    assert_eq!((heard(&closed), closed.not_evaluated), (vec![1], vec![]));
    let next = bench.version();
    assert_eq!(heard(&bench.close(&bench.due(next), |_| true)), [1, 2, 3]);
}

#[test]
fn a_sentinel_that_ended_while_its_version_was_in_flight_is_told_and_then_no_more() {
    let mut bench = Bench::new();
    for id in [1, 2, 3] {
        bench.join(id, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Links)));
    }
    bench.version();
    let round = bench.version();
    let due = bench.due(round);
    bench.graph.ended(SentinelId(1), at(2_001));
    bench.graph.ended(SentinelId(2), at(2_000));
    let next = bench.version();
    assert_eq!(heard(&bench.close(&due, |_| true)), [1, 3], "fetched at 2 s, before 1 ended");
    assert_eq!(heard(&bench.close(&bench.due(next), |_| true)), [3]);
    bench.graph.left(SentinelId(1));
    assert_eq!(heard(&bench.close(&due, |_| true)), [3], "removed: hears no more");
}

#[test]
fn a_round_is_not_due_once_everyone_it_concerns_has_ended_or_left() {
    let mut bench = Bench::new();
    bench.join(1, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Links)));
    bench.join(2, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Images)));
    bench.version();
    let round = bench.version();
    bench.graph.ended(SentinelId(1), at(1_500));
    assert!(bench.graph.is_due(round));
    assert_eq!(bench.due(round).request.comparisons.len(), 1);
    bench.graph.left(SentinelId(2));
    assert!(!bench.graph.is_due(round));
    assert_eq!(bench.graph.due(round), None);
}

#[test]
fn rounds_that_overtake_each_other_tell_what_they_would_in_order() {
    let mut bench = Bench::new();
    bench.join(1, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Links)));
    bench.join(2, Compare::Every(3), &leaf(Primitive::plain(Aspect::Links)));
    bench.join(3, Compare::Moving(3), &not(&leaf(Primitive::plain(Aspect::Links))));
    let rounds: Vec<_> = (0..6).map(|_| bench.version()).collect();
    let dues: Vec<_> = rounds[1..].iter().map(|&round| bench.due(round)).collect();
    let closed = |n: usize| bench.close(&dues[n], |_| n % 2 == 1);
    let in_order: Vec<_> = (0..5).map(closed).collect();
    let mut overtaken: Vec<_> = (0..5).rev().map(closed).collect();
    overtaken.reverse();
    assert_eq!(overtaken, in_order);
    let told: Vec<_> = in_order.iter().map(heard).collect();
    assert_eq!(told, [vec![], vec![1, 2], vec![3], vec![1, 2], vec![3]]);
}
