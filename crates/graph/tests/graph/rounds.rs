//! What a round asks for, and what its answer comes to.

use crate::world::{
    SOURCE, STREAM, World, and, at, combinations, heard, keywords, leaf, name, not, or, outline,
    pairs,
};
use change::{Aspect, ChangeType, Evidence, Pairing};
use chronon::{BlobId, SentinelId, StreamId, VersionNo};
use graph::{Entry, Heard, Join, Limits, Outline, RoundId, Sizes};
use sentinel::ast::{Compare, Expr, Primitive};
use std::collections::BTreeSet;

#[test]
fn two_sentinels_on_the_same_links_share_one_comparison() {
    let mut world = World::new();
    world.join(1, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Links)));
    world.join(2, Compare::Moving(2), &leaf(Primitive::plain(Aspect::Links)));
    world.version();
    let round = world.version();
    let due = world.due(round);
    assert_eq!(due.request.comparisons.len(), 1);
    assert_eq!(due.request.comparisons[0].leaves.len(), 1);
    assert_eq!(heard(&world.close(&due, |_| true)), [1, 2]);
    assert_eq!(world.graph.sizes().leaves, 1);
}

#[test]
fn keywords_are_compared_by_their_union_and_words_by_the_intersection_of_exceptions() {
    let mut world = World::new();
    let except = |list: &[&str]| leaf(Primitive::of(Aspect::Words, list.iter().copied()));
    world.join(1, Compare::Pairwise, &keywords(&["lisbon"]));
    world.join(2, Compare::Pairwise, &keywords(&["lisbon", "porto"]));
    world.join(3, Compare::Pairwise, &except(&["a", "the"]));
    world.join(4, Compare::Pairwise, &except(&["the", "of"]));
    world.version();
    let round = world.version();
    let due = world.due(round);
    let types: Vec<ChangeType> =
        due.request.comparisons.iter().map(|c| c.change_type.clone()).collect();
    let expected = [
        ChangeType::of(Aspect::Words, ["the"]),
        ChangeType::of(Aspect::Keywords, ["lisbon", "porto"]),
    ];
    assert_eq!(types, expected);
    let closed = world.close(&due, |leaf| name(leaf) == "lisbon+porto");
    assert_eq!(heard(&closed), [2], "each is told only of its own words");
}

#[test]
fn moving_and_pairwise_windows_of_one_round_are_compared_apart() {
    let mut world = World::new();
    world.join(1, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Links)));
    world.join(2, Compare::Moving(3), &leaf(Primitive::plain(Aspect::Links)));
    world.version();
    let second = world.version();
    assert_eq!(pairs(&world.due(second)), [(1, 2)]);
    let third = world.version();
    let due = world.due(third);
    assert_eq!(pairs(&due), [(1, 3), (2, 3)]);
    let closed = world.close(&due, |_| true);
    let pair =
        |heard: &Heard| heard.evidence.iter().map(|e| (e.from.0, e.to.0)).collect::<Vec<_>>();
    let told: Vec<_> = closed.heard.iter().map(|h| (h.sentinel.0, pair(h))).collect();
    assert_eq!(told, [(1, vec![(2, 3)]), (2, vec![(1, 3)])]);
    let result = BlobId([7; 32]);
    let only_far = Outline { result, comparisons: vec![Some(vec![1]), Some(vec![0])] };
    let closed = world.graph.close(&due.ticket, &only_far);
    assert_eq!(heard(&closed), [2]);
    let evidence = Evidence { source: SOURCE, from: VersionNo(1), to: VersionNo(3), result };
    assert_eq!(closed.heard[0].evidence, [evidence]);
}

#[test]
fn an_unchanged_operand_makes_not_hold_with_an_empty_combination() {
    let mut world = World::new();
    let [c1, c2] = ["c1", "c2"].map(|word| keywords(&[word]));
    world.join(1, Compare::Pairwise, &not(&c1));
    world.join(2, Compare::Pairwise, &and(&[&not(&c1), &c2]));
    world.version();
    let round = world.version();
    let due = world.due(round);
    let closed = world.close(&due, |leaf| name(leaf) == "c2");
    assert_eq!(combinations(&due, &closed, 1), [[""; 0]]);
    assert_eq!(combinations(&due, &closed, 2), [["c2"]]);
    assert_eq!(heard(&world.close(&due, |_| true)), [0; 0]);
}

#[test]
fn a_failed_comparison_leaves_everything_above_it_unevaluated() {
    let mut world = World::new();
    let (links, word) = (leaf(Primitive::plain(Aspect::Links)), keywords(&["c"]));
    world.join(1, Compare::Pairwise, &not(&links));
    world.join(2, Compare::Pairwise, &or(&[&word, &links]));
    world.join(3, Compare::Pairwise, &and(&[&not(&word), &links]));
    world.join(4, Compare::Pairwise, &word);
    world.version();
    let round = world.version();
    let due = world.due(round);
    let of_links = |c: &change::Comparison| c.change_type == ChangeType::plain(Aspect::Links);
    let mut failed = outline(&due.request, |_| true);
    failed.comparisons[due.request.comparisons.iter().position(of_links).unwrap()] = None;
    let closed = world.graph.close(&due.ticket, &failed);
    assert_eq!(heard(&closed), [4]);
    assert_eq!(closed.not_evaluated, [1, 2, 3].map(SentinelId));
    let silent = Outline { result: BlobId::default(), comparisons: vec![] };
    assert_eq!(world.graph.close(&due.ticket, &silent).not_evaluated.len(), 4);
}

#[test]
fn operands_in_another_order_share_their_truth_and_keep_the_writers_order() {
    let mut world = World::new();
    let [a, b] = ["a", "b"].map(|word| keywords(&[word]));
    world.join(1, Compare::Pairwise, &and(&[&a, &b]));
    world.join(2, Compare::Pairwise, &and(&[&b, &a]));
    world.join(3, Compare::Pairwise, &or(&[&b, &a, &b]));
    world.join(4, Compare::Pairwise, &or(&[&b, &a]));
    world.join(5, Compare::Pairwise, &or(&[&a, &b]));
    world.version();
    let round = world.version();
    let due = world.due(round);
    let closed = world.close(&due, |_| true);
    assert_eq!(combinations(&due, &closed, 1), [["a", "b"]]);
    assert_eq!(combinations(&due, &closed, 2), [["b", "a"]]);
    assert_eq!(combinations(&due, &closed, 3), [["b"], ["a"]]);
    // As written: one form of each is the canonical one of all, with each operand once.
    assert_eq!(world.graph.sizes(), Sizes { nodes: 5, leaves: 2, words: 2, ..world.graph.sizes() });
}

#[test]
fn combinations_are_told_once_each_and_no_more_than_the_limit() {
    let mut world = World::new();
    let leaves: Vec<Expr> = (0..12).map(|n| keywords(&[&format!("w{n:02}")])).collect();
    let any = or(&leaves.iter().collect::<Vec<_>>());
    world.join(1, Compare::Pairwise, &and(&[&any, &any]));
    world.version();
    let round = world.version();
    let due = world.due(round);
    let told = combinations(&due, &world.close(&due, |_| true), 1);
    assert_eq!(told.len(), 64);
    assert_eq!(told[..2], [vec!["w00".to_owned()], vec!["w00".to_owned(), "w01".to_owned()]]);
    let sets: BTreeSet<BTreeSet<&String>> = told.iter().map(|c| c.iter().collect()).collect();
    assert_eq!(sets.len(), 64);
}

#[test]
fn the_baseline_and_what_was_fetched_before_joining_are_not_told() {
    let mut world = World::new();
    world.join(1, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Any)));
    let baseline = world.version();
    assert!(!world.graph.is_due(baseline));
    assert_eq!(world.graph.due(baseline), None);
    let second = world.version();
    world.join(2, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Any)));
    assert_eq!(heard(&world.close(&world.due(second), |_| true)), [1]);
    let third = world.version();
    assert_eq!(heard(&world.close(&world.due(third), |_| true)), [1, 2]);
}

#[test]
fn retention_is_asked_to_keep_windows_pairs_of_open_rounds_and_history() {
    let mut world = World::with(Limits { rounds_open_max: 2, ..Limits::default() });
    let needed = |world: &World| -> Vec<u32> {
        world.graph.needed(STREAM).map(|version| version.0).collect()
    };
    world.join(1, Compare::Every(4), &leaf(Primitive::plain(Aspect::Any)));
    world.versions(8);
    assert_eq!(needed(&world), [4, 5, 6, 7, 8], "(4, 7) is open and 7 the window's base");
    world.join(2, Compare::Moving(5), &leaf(Primitive::plain(Aspect::Any)));
    world.versions(2);
    assert_eq!(needed(&world), [5, 6, 7, 8, 9, 10], "(5, 9) and (6, 10) are open");
    world.graph.left(SentinelId(1));
    world.graph.left(SentinelId(2));
    world.version();
    assert_eq!(needed(&world), [10, 11], "nobody listens");
    let monitor = leaf(Primitive::plain(Aspect::Any));
    let compare = Compare::Pairwise;
    let (sentinel, since) = (SentinelId(3), at(12_000));
    let join = Join { sentinel, stream: STREAM, compare, monitor: &monitor, since, history: 4 };
    world.graph.joined(join, None);
    world.versions(4);
    assert_eq!(needed(&world), [12, 13, 14, 15], "the history");
    world.graph.keeps(sentinel, 6);
    world.versions(3);
    assert_eq!(needed(&world), [13, 14, 15, 16, 17, 18], "a longer one from now on");
    world.graph.keeps(sentinel, 1);
    world.version();
    assert_eq!(needed(&world), [17, 18, 19], "pairs of open rounds are left");
}

#[test]
fn of_many_combinations_the_first_ones_are_told() {
    for (max, told) in [(1, 1), (3, 3), (4, 4), (5, 4)] {
        let limits = Limits { combinations_max: max, ..Limits::default() };
        let mut world = World::with(limits);
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|word| keywords(&[word]));
        world.join(1, Compare::Pairwise, &or(&[&a, &b, &c, &d]));
        world.version();
        let round = world.version();
        let closed = world.close(&world.due(round), |_| true);
        assert_eq!(closed.heard[0].combinations.len(), told, "of at most {max}");
    }
}

#[test]
fn one_who_joins_hears_of_pairs_whose_older_version_was_kept_for_others() {
    let mut world = World::new();
    world.join(1, Compare::Every(5), &leaf(Primitive::plain(Aspect::Any)));
    world.versions(7);
    world.join(2, Compare::Moving(4), &leaf(Primitive::plain(Aspect::Any)));
    let round = world.version();
    let closed = world.close(&world.due(round), |_| true);
    assert_eq!(closed.heard[0].evidence[0].from, VersionNo(5));
    assert_eq!(heard(&closed), [2]);
}

#[test]
fn an_every_sentinel_that_joins_in_the_instant_of_a_version_takes_it_as_its_first() {
    let mut world = World::new();
    world.join(1, Compare::Every(3), &leaf(Primitive::plain(Aspect::Any)));
    world.versions(2);
    let round = world.version();
    let monitor = leaf(Primitive::plain(Aspect::Any));
    let (sentinel, compare, since) = (SentinelId(2), Compare::Every(3), at(3_000));
    let join = Join { sentinel, stream: STREAM, compare, monitor: &monitor, since, history: 1 };
    assert_eq!(world.graph.joined(join, None).first_index, 3);
    assert_eq!(heard(&world.close(&world.due(round), |_| true)), [1], "not of (1, 3)");
    world.version();
    let round = world.version();
    assert_eq!(heard(&world.close(&world.due(round), |_| true)), [1, 2]);
}

#[test]
fn a_stream_that_is_not_open_has_nothing_due_and_nothing_to_keep() {
    let world = World::new();
    let stream = StreamId(9);
    let round = RoundId { stream, index: 1 };
    assert!(!world.graph.is_due(round));
    assert_eq!(world.graph.due(round), None);
    assert_eq!(world.graph.needed(stream).count(), 0);
    assert_eq!(world.graph.elements(stream).count(), 0);
    assert_eq!(world.graph.listeners(stream), 0);
}

#[test]
fn when_all_have_left_nothing_is_kept_of_them() {
    let mut world = World::new();
    let [a, b] = ["a", "b"].map(|word| keywords(&[word]));
    let exprs = [
        and(&[&a, &or(&[&b, &a])]),
        and(&[&or(&[&a, &b]), &a]),
        not(&and(&[&b, &a])),
        and(&[&a, &a]),
        not(&not(&a)),
        leaf(Primitive::plain(Aspect::Links)),
    ];
    for (id, expr) in (1..).zip(exprs.iter().cycle().take(24)) {
        let compare = [Compare::Pairwise, Compare::Every(3), Compare::Moving(4)][id as usize % 3];
        world.join(id, compare, expr);
        world.version();
    }
    assert_eq!(world.graph.listeners(STREAM), 24);
    (1..=12).for_each(|id| world.graph.left(SentinelId(id * 2)));
    assert_eq!(world.graph.listeners(STREAM), 12);
    assert!(world.graph.sizes().nodes > 0);
    world.join(1, Compare::Pairwise, &a);
    (1..=12).rev().for_each(|id| world.graph.left(SentinelId(id * 2 - 1)));
    let sizes = world.graph.sizes();
    assert_eq!(sizes, Sizes { streams: 1, elements: sizes.elements, ..Sizes::default() });
    world.join(1, Compare::Pairwise, &exprs[0]);
    world.graph.stream_closed(STREAM);
    assert_eq!(world.graph.sizes(), Sizes::default());
}

#[test]
fn a_new_kind_is_told_once_and_windows_count_within_a_history() {
    let mut world = World::new();
    for (id, compare) in [(1, Compare::Pairwise), (2, Compare::Moving(3)), (3, Compare::Every(3))] {
        world.join(id, compare, &keywords(&["a"]));
    }
    world.versions(2);
    let began = world.enters(Entry::Begins { history: 1, shown: 0 });
    let due = world.due(began);
    assert_eq!(pairs(&due), [(2, 3)], "everybody hears of it, whatever they compare");
    assert!(due.request.comparisons.iter().all(|c| c.pairing == Pairing::Unlike));
    assert_eq!(heard(&world.close(&due, |_| true)), [1, 2, 3]);
    // Back at the first kind: each goes on where it was.
    let back = world.enters(Entry::Next { history: 0 });
    let due = world.due(back);
    assert_eq!(pairs(&due), [(1, 4), (2, 4)]);
    assert!(due.request.comparisons.iter().all(|c| c.pairing == Pairing::Alike));
    // And at the second again, where windows began with its first element.
    let second = world.enters(Entry::Next { history: 1 });
    assert_eq!(pairs(&world.due(second)), [(3, 5)]);
    let third = world.enters(Entry::Next { history: 1 });
    assert_eq!(pairs(&world.due(third)), [(3, 6), (5, 6)]);
}

#[test]
fn what_stands_aside_is_told_once_and_never_compared_with() {
    let mut world = World::new();
    world.join(1, Compare::Pairwise, &keywords(&["a"]));
    world.versions(1);
    let odd = world.enters(Entry::Aside { shown: 0 });
    assert_eq!(pairs(&world.due(odd)), [(1, 2)]);
    let next = world.version();
    assert_eq!(pairs(&world.due(next)), [(1, 3)]);
}

#[test]
fn the_last_element_of_each_history_is_kept() {
    let mut world = World::with(Limits { rounds_open_max: 2, ..Limits::default() });
    world.join(1, Compare::Pairwise, &keywords(&["a"]));
    world.versions(1);
    world.enters(Entry::Begins { history: 1, shown: 0 });
    for _ in 0..20 {
        world.enters(Entry::Next { history: 1 });
    }
    let needed: Vec<u32> = world.graph.needed(STREAM).map(|version| version.0).collect();
    assert_eq!(needed, [1, 20, 21, 22]);
    let back = world.enters(Entry::Next { history: 0 });
    assert_eq!(pairs(&world.due(back)), [(1, 23)]);
}
