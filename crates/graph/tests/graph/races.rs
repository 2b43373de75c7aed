//! The thesis' three races, as far as they concern the graph: a node removed while it is being
//! used, a sentinel that ends while its version is in flight, versions that overtake each other.

use crate::world::{STREAM, World, and, at, heard, keywords, leaf, not};
use chronon::SentinelId;
use graph::Join;
use sentinel::ast::{Aspect, Compare, Primitive};

#[test]
fn a_node_removed_while_its_round_is_out_is_neither_missed_nor_mistaken_for_another() {
    let mut world = World::new();
    let [a, b] = ["a", "b"].map(|word| keywords(&[word]));
    world.join(1, Compare::Pairwise, &and(&[&a, &b]));
    world.join(2, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Links)));
    world.version();
    let round = world.version();
    let due = world.due(round);
    world.graph.left(SentinelId(1));
    // Takes the slots the removed nodes had.
    world.join(3, Compare::Pairwise, &not(&keywords(&["c"])));
    world.join(4, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Links)));
    assert_eq!(heard(&world.close(&due, |_| true)), [2]);
}

#[test]
fn one_that_leaves_and_joins_again_while_the_round_is_out_waits_for_the_next() {
    let mut world = World::new();
    world.join(1, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Links)));
    world.version();
    let round = world.version();
    let due = world.due(round);
    world.join(1, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Links)));
    assert_eq!(heard(&world.close(&due, |_| true)), [0; 0]);
    let next = world.version();
    assert_eq!(heard(&world.close(&world.due(next), |_| true)), [1]);
}

#[test]
fn words_that_join_in_the_instant_of_the_version_after_the_round_opened_wait_for_the_next() {
    let mut world = World::new();
    world.join(1, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Links)));
    world.version();
    let round = world.version();
    let due = world.due(round);
    for (id, monitor) in
        [(2, leaf(Primitive::plain(Aspect::Links))), (3, leaf(Primitive::plain(Aspect::Images)))]
    {
        let (sentinel, compare, since) = (SentinelId(id), Compare::Pairwise, at(2_000));
        let monitor = &monitor;
        world
            .graph
            .joined(Join { sentinel, stream: STREAM, compare, monitor, since, history: 1 }, None);
    }
    let closed = world.close(&due, |_| true);
    assert_eq!((heard(&closed), closed.not_evaluated), (vec![1], vec![]));
    let next = world.version();
    assert_eq!(heard(&world.close(&world.due(next), |_| true)), [1, 2, 3]);
}

#[test]
fn a_sentinel_that_ended_while_its_version_was_in_flight_is_told_and_then_no_more() {
    let mut world = World::new();
    for id in [1, 2, 3] {
        world.join(id, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Links)));
    }
    world.version();
    let round = world.version();
    let due = world.due(round);
    world.graph.ended(SentinelId(1), at(2_001));
    world.graph.ended(SentinelId(2), at(2_000));
    let next = world.version();
    assert_eq!(heard(&world.close(&due, |_| true)), [1, 3], "fetched at 2 s, before 1 ended");
    assert_eq!(heard(&world.close(&world.due(next), |_| true)), [3]);
    world.graph.left(SentinelId(1));
    assert_eq!(heard(&world.close(&due, |_| true)), [3], "removed: hears no more");
}

#[test]
fn a_round_is_not_due_once_everyone_it_concerns_has_ended_or_left() {
    let mut world = World::new();
    world.join(1, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Links)));
    world.join(2, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Images)));
    world.version();
    let round = world.version();
    world.graph.ended(SentinelId(1), at(1_500));
    assert!(world.graph.is_due(round));
    assert_eq!(world.due(round).request.comparisons.len(), 1);
    world.graph.left(SentinelId(2));
    assert!(!world.graph.is_due(round));
    assert_eq!(world.graph.due(round), None);
}

#[test]
fn rounds_that_overtake_each_other_tell_what_they_would_in_order() {
    let mut world = World::new();
    world.join(1, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Links)));
    world.join(2, Compare::Every(3), &leaf(Primitive::plain(Aspect::Links)));
    world.join(3, Compare::Moving(3), &not(&leaf(Primitive::plain(Aspect::Links))));
    let rounds: Vec<_> = (0..6).map(|_| world.version()).collect();
    let dues: Vec<_> = rounds[1..].iter().map(|&round| world.due(round)).collect();
    let closed = |n: usize| world.close(&dues[n], |_| n % 2 == 1);
    let in_order: Vec<_> = (0..5).map(closed).collect();
    let mut overtaken: Vec<_> = (0..5).rev().map(closed).collect();
    overtaken.reverse();
    assert_eq!(overtaken, in_order);
    let told: Vec<_> = in_order.iter().map(heard).collect();
    assert_eq!(told, [vec![], vec![1, 2], vec![3], vec![1, 2], vec![3]]);
}
