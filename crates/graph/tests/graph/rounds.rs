//! What a round asks for, and what its answer comes to.

use crate::bench::{
    Bench, SOURCE, STREAM, and, at, combinations, heard, keywords, leaf, name, not, or, outline,
    pairs,
};
use change::{Aspect, ChangeType, Evidence, Pairing, Status, StatusChange};
use chronon::{BlobId, SentinelId, SourceId, StreamId, VersionNo};
use graph::{Entry, Heard, Join, Limits, Outline, RoundId, Sizes};
use select::{Language, Region};
use sentinel::ast::{Compare, Expr, Primitive};
use std::collections::BTreeSet;

#[test]
fn two_sentinels_on_the_same_links_share_one_comparison() {
    let mut bench = Bench::new();
    bench.join(1, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Links)));
    bench.join(2, Compare::Moving(2), &leaf(Primitive::plain(Aspect::Links)));
    bench.version();
    let round = bench.version();
    let due = bench.due(round);
    assert_eq!(due.request.comparisons.len(), 1);
    assert_eq!(due.request.comparisons[0].leaves.len(), 1);
    assert_eq!(heard(&bench.close(&due, |_| true)), [1, 2]);
    assert_eq!(bench.graph.sizes().leaves, 1);
}

#[test]
fn a_capture_needs_of_each_source_its_own_versions() {
    let mut bench = Bench::new();
    let (captures, other) = (StreamId(77), SourceId(78));
    bench.graph.captures_opened(captures, &[SOURCE, other], Vec::new());
    for versions in [[1, 5], [2, 5], [2, 6]] {
        bench.graph.captured(captures, at(0), versions.map(VersionNo).into());
    }
    let needed = |source| bench.graph.needed_of(captures, source);
    assert_eq!(needed(SOURCE), [1, 2, 2].map(VersionNo));
    assert_eq!(needed(other), [5, 5, 6].map(VersionNo));
    assert!(bench.graph.is_of_captures(captures) && !bench.graph.is_of_captures(STREAM));
}

#[test]
fn who_looks_at_a_part_points_and_who_looks_at_the_whole_page_does_not() {
    let mut bench = Bench::new();
    let css = Region::of(Language::Css, ".price");
    let part = Primitive { region: css, ..Primitive::plain(Aspect::Text) };
    bench.join(1, Compare::Pairwise, &leaf(part));
    bench.join(2, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Links)));
    let points = |nth| bench.graph.points(SentinelId(nth));
    assert!(points(1) && !points(2) && !points(3));
}

#[test]
fn keywords_are_compared_by_their_union_and_words_by_the_intersection_of_exceptions() {
    let mut bench = Bench::new();
    let except = |list: &[&str]| leaf(Primitive::of(Aspect::Words, list.iter().copied()));
    bench.join(1, Compare::Pairwise, &keywords(&["lisbon"]));
    bench.join(2, Compare::Pairwise, &keywords(&["lisbon", "porto"]));
    bench.join(3, Compare::Pairwise, &except(&["a", "the"]));
    bench.join(4, Compare::Pairwise, &except(&["the", "of"]));
    bench.version();
    let round = bench.version();
    let due = bench.due(round);
    let types: Vec<ChangeType> =
        due.request.comparisons.iter().map(|c| c.change_type.clone()).collect();
    let expected = [
        ChangeType::of(Aspect::Words, ["the"]),
        ChangeType::of(Aspect::Keywords, ["lisbon", "porto"]),
    ];
    assert_eq!(types, expected);
    let closed = bench.close(&due, |leaf| name(leaf) == "lisbon+porto");
    assert_eq!(heard(&closed), [2], "each is told only of its own words");
}

#[test]
fn moving_and_pairwise_windows_of_one_round_are_compared_apart() {
    let mut bench = Bench::new();
    bench.join(1, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Links)));
    bench.join(2, Compare::Moving(3), &leaf(Primitive::plain(Aspect::Links)));
    bench.version();
    let second = bench.version();
    assert_eq!(pairs(&bench.due(second)), [(1, 2)]);
    let third = bench.version();
    let due = bench.due(third);
    assert_eq!(pairs(&due), [(1, 3), (2, 3)]);
    let closed = bench.close(&due, |_| true);
    let pair =
        |heard: &Heard| heard.evidence.iter().map(|e| (e.from.0, e.to.0)).collect::<Vec<_>>();
    let told: Vec<_> = closed.heard.iter().map(|h| (h.sentinel.0, pair(h))).collect();
    assert_eq!(told, [(1, vec![(2, 3)]), (2, vec![(1, 3)])]);
    let result = BlobId([7; 32]);
    let only_far = Outline { result, comparisons: vec![Some(vec![1]), Some(vec![0])] };
    let closed = bench.graph.close(&due.ticket, &only_far);
    assert_eq!(heard(&closed), [2]);
    let evidence = Evidence { source: SOURCE, from: VersionNo(1), to: VersionNo(3), result };
    assert_eq!(closed.heard[0].evidence, [evidence]);
}

#[test]
fn an_unchanged_operand_makes_not_hold_with_an_empty_combination() {
    let mut bench = Bench::new();
    let [c1, c2] = ["c1", "c2"].map(|word| keywords(&[word]));
    bench.join(1, Compare::Pairwise, &not(&c1));
    bench.join(2, Compare::Pairwise, &and(&[&not(&c1), &c2]));
    bench.version();
    let round = bench.version();
    let due = bench.due(round);
    let closed = bench.close(&due, |leaf| name(leaf) == "c2");
    assert_eq!(combinations(&due, &closed, 1), [[""; 0]]);
    assert_eq!(combinations(&due, &closed, 2), [["c2"]]);
    assert_eq!(heard(&bench.close(&due, |_| true)), [0; 0]);
}

#[test]
fn a_failed_comparison_leaves_everything_above_it_unevaluated() {
    let mut bench = Bench::new();
    let (links, word) = (leaf(Primitive::plain(Aspect::Links)), keywords(&["c"]));
    bench.join(1, Compare::Pairwise, &not(&links));
    bench.join(2, Compare::Pairwise, &or(&[&word, &links]));
    bench.join(3, Compare::Pairwise, &and(&[&not(&word), &links]));
    bench.join(4, Compare::Pairwise, &word);
    bench.version();
    let round = bench.version();
    let due = bench.due(round);
    let of_links = |c: &change::Comparison| c.change_type == ChangeType::plain(Aspect::Links);
    let mut failed = outline(&due.request, |_| true);
    failed.comparisons[due.request.comparisons.iter().position(of_links).unwrap()] = None;
    let closed = bench.graph.close(&due.ticket, &failed);
    assert_eq!(heard(&closed), [4]);
    assert_eq!(closed.not_evaluated, [1, 2, 3].map(SentinelId));
    let silent = Outline { result: BlobId::default(), comparisons: vec![] };
    assert_eq!(bench.graph.close(&due.ticket, &silent).not_evaluated.len(), 4);
}

#[test]
fn operands_in_another_order_share_their_truth_and_keep_the_writers_order() {
    let mut bench = Bench::new();
    let [a, b] = ["a", "b"].map(|word| keywords(&[word]));
    bench.join(1, Compare::Pairwise, &and(&[&a, &b]));
    bench.join(2, Compare::Pairwise, &and(&[&b, &a]));
    bench.join(3, Compare::Pairwise, &or(&[&b, &a, &b]));
    bench.join(4, Compare::Pairwise, &or(&[&b, &a]));
    bench.join(5, Compare::Pairwise, &or(&[&a, &b]));
    bench.version();
    let round = bench.version();
    let due = bench.due(round);
    let closed = bench.close(&due, |_| true);
    assert_eq!(combinations(&due, &closed, 1), [["a", "b"]]);
    assert_eq!(combinations(&due, &closed, 2), [["b", "a"]]);
    assert_eq!(combinations(&due, &closed, 3), [["b"], ["a"]]);
    // As written: one form of each is the canonical one of all, with each operand once.
    assert_eq!(bench.graph.sizes(), Sizes { nodes: 5, leaves: 2, words: 2, ..bench.graph.sizes() });
}

#[test]
fn combinations_are_told_once_each_and_no_more_than_the_limit() {
    let mut bench = Bench::new();
    let leaves: Vec<Expr> = (0..12).map(|n| keywords(&[&format!("w{n:02}")])).collect();
    let any = or(&leaves.iter().collect::<Vec<_>>());
    bench.join(1, Compare::Pairwise, &and(&[&any, &any]));
    bench.version();
    let round = bench.version();
    let due = bench.due(round);
    let told = combinations(&due, &bench.close(&due, |_| true), 1);
    assert_eq!(told.len(), 64);
    assert_eq!(told[..2], [vec!["w00".to_owned()], vec!["w00".to_owned(), "w01".to_owned()]]);
    let sets: BTreeSet<BTreeSet<&String>> = told.iter().map(|c| c.iter().collect()).collect();
    assert_eq!(sets.len(), 64);
}

#[test]
fn the_baseline_and_what_was_fetched_before_joining_are_not_told() {
    let mut bench = Bench::new();
    bench.join(1, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Any)));
    let baseline = bench.version();
    assert!(!bench.graph.is_due(baseline));
    assert_eq!(bench.graph.due(baseline), None);
    let second = bench.version();
    bench.join(2, Compare::Pairwise, &leaf(Primitive::plain(Aspect::Any)));
    assert_eq!(heard(&bench.close(&bench.due(second), |_| true)), [1]);
    let third = bench.version();
    assert_eq!(heard(&bench.close(&bench.due(third), |_| true)), [1, 2]);
}

#[test]
fn retention_is_asked_to_keep_windows_pairs_of_open_rounds_and_history() {
    let mut bench = Bench::with(Limits { rounds_open_max: 2, ..Limits::default() });
    let needed = |bench: &Bench| -> Vec<u32> {
        bench.graph.needed(STREAM).map(|version| version.0).collect()
    };
    bench.join(1, Compare::Every(4), &leaf(Primitive::plain(Aspect::Any)));
    bench.versions(8);
    assert_eq!(needed(&bench), [4, 5, 6, 7, 8], "(4, 7) is open and 7 the window's base");
    bench.join(2, Compare::Moving(5), &leaf(Primitive::plain(Aspect::Any)));
    bench.versions(2);
    assert_eq!(needed(&bench), [5, 6, 7, 8, 9, 10], "(5, 9) and (6, 10) are open");
    bench.graph.left(SentinelId(1));
    bench.graph.left(SentinelId(2));
    bench.version();
    assert_eq!(needed(&bench), [10, 11], "nobody listens");
    let monitor = leaf(Primitive::plain(Aspect::Any));
    let compare = Compare::Pairwise;
    let (sentinel, since) = (SentinelId(3), at(12_000));
    let join = Join { sentinel, stream: STREAM, compare, monitor: &monitor, since, history: 4 };
    bench.graph.joined(join, None);
    bench.versions(4);
    assert_eq!(needed(&bench), [12, 13, 14, 15], "the history");
    bench.graph.keeps(sentinel, 6);
    bench.versions(3);
    assert_eq!(needed(&bench), [13, 14, 15, 16, 17, 18], "a longer one from now on");
    bench.graph.keeps(sentinel, 1);
    bench.version();
    assert_eq!(needed(&bench), [17, 18, 19], "pairs of open rounds are left");
}

#[test]
fn of_many_combinations_the_first_ones_are_told() {
    for (max, told) in [(1, 1), (3, 3), (4, 4), (5, 4)] {
        let limits = Limits { combinations_max: max, ..Limits::default() };
        let mut bench = Bench::with(limits);
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|word| keywords(&[word]));
        bench.join(1, Compare::Pairwise, &or(&[&a, &b, &c, &d]));
        bench.version();
        let round = bench.version();
        let closed = bench.close(&bench.due(round), |_| true);
        assert_eq!(closed.heard[0].combinations.len(), told, "of at most {max}");
    }
}

#[test]
fn one_who_joins_hears_of_pairs_whose_older_version_was_kept_for_others() {
    let mut bench = Bench::new();
    bench.join(1, Compare::Every(5), &leaf(Primitive::plain(Aspect::Any)));
    bench.versions(7);
    bench.join(2, Compare::Moving(4), &leaf(Primitive::plain(Aspect::Any)));
    let round = bench.version();
    let closed = bench.close(&bench.due(round), |_| true);
    assert_eq!(closed.heard[0].evidence[0].from, VersionNo(5));
    assert_eq!(heard(&closed), [2]);
}

#[test]
fn an_every_sentinel_that_joins_in_the_instant_of_a_version_takes_it_as_its_first() {
    let mut bench = Bench::new();
    bench.join(1, Compare::Every(3), &leaf(Primitive::plain(Aspect::Any)));
    bench.versions(2);
    let round = bench.version();
    let monitor = leaf(Primitive::plain(Aspect::Any));
    let (sentinel, compare, since) = (SentinelId(2), Compare::Every(3), at(3_000));
    let join = Join { sentinel, stream: STREAM, compare, monitor: &monitor, since, history: 1 };
    assert_eq!(bench.graph.joined(join, None).first_index, 3);
    assert_eq!(heard(&bench.close(&bench.due(round), |_| true)), [1], "not of (1, 3)");
    bench.version();
    let round = bench.version();
    assert_eq!(heard(&bench.close(&bench.due(round), |_| true)), [1, 2]);
}

#[test]
fn a_stream_that_is_not_open_has_nothing_due_and_nothing_to_keep() {
    let bench = Bench::new();
    let stream = StreamId(9);
    let round = RoundId { stream, index: 1 };
    assert!(!bench.graph.is_due(round));
    assert_eq!(bench.graph.due(round), None);
    assert_eq!(bench.graph.needed(stream).count(), 0);
    assert_eq!(bench.graph.elements(stream).count(), 0);
    assert_eq!(bench.graph.listeners(stream), 0);
}

#[test]
fn when_all_have_left_nothing_is_kept_of_them() {
    let mut bench = Bench::new();
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
        bench.join(id, compare, expr);
        bench.version();
    }
    assert_eq!(bench.graph.listeners(STREAM), 24);
    (1..=12).for_each(|id| bench.graph.left(SentinelId(id * 2)));
    assert_eq!(bench.graph.listeners(STREAM), 12);
    assert!(bench.graph.sizes().nodes > 0);
    bench.join(1, Compare::Pairwise, &a);
    (1..=12).rev().for_each(|id| bench.graph.left(SentinelId(id * 2 - 1)));
    let sizes = bench.graph.sizes();
    assert_eq!(sizes, Sizes { streams: 1, elements: sizes.elements, ..Sizes::default() });
    bench.join(1, Compare::Pairwise, &exprs[0]);
    bench.graph.stream_closed(STREAM);
    assert_eq!(bench.graph.sizes(), Sizes::default());
}

#[test]
fn a_new_kind_is_told_once_and_windows_count_within_a_history() {
    let mut bench = Bench::new();
    for (id, compare) in [(1, Compare::Pairwise), (2, Compare::Moving(3)), (3, Compare::Every(3))] {
        bench.join(id, compare, &keywords(&["a"]));
    }
    bench.versions(2);
    let began = bench.enters(Entry::Begins { history: 1, shown: 0 });
    let due = bench.due(began);
    assert_eq!(pairs(&due), [(2, 3)], "everybody hears of it, whatever they compare");
    assert!(due.request.comparisons.iter().all(|c| c.pairing == Pairing::Unlike));
    assert_eq!(heard(&bench.close(&due, |_| true)), [1, 2, 3]);
    // Back at the first kind: each goes on where it was.
    let back = bench.enters(Entry::Next { history: 0 });
    let due = bench.due(back);
    assert_eq!(pairs(&due), [(1, 4), (2, 4)]);
    assert!(due.request.comparisons.iter().all(|c| c.pairing == Pairing::Alike));
    // And at the second again, where windows began with its first element.
    let second = bench.enters(Entry::Next { history: 1 });
    assert_eq!(pairs(&bench.due(second)), [(3, 5)]);
    let third = bench.enters(Entry::Next { history: 1 });
    assert_eq!(pairs(&bench.due(third)), [(3, 6), (5, 6)]);
}

#[test]
fn what_stands_aside_is_told_once_and_never_compared_with() {
    let mut bench = Bench::new();
    bench.join(1, Compare::Pairwise, &keywords(&["a"]));
    bench.versions(1);
    let odd = bench.enters(Entry::Aside { shown: 0 });
    assert_eq!(pairs(&bench.due(odd)), [(1, 2)]);
    let next = bench.version();
    assert_eq!(pairs(&bench.due(next)), [(1, 3)]);
}

#[test]
fn answers_push_nothing_out_that_stands_aside() {
    let mut bench = Bench::with(Limits { rounds_open_max: 2, ..Limits::default() });
    let status = leaf(Primitive::plain(Aspect::Status));
    bench.join(1, Compare::Pairwise, &or(&[&keywords(&["a"]), &status]));
    bench.versions(1);
    bench.enters(Entry::Aside { shown: 0 });
    for second in 3..20 {
        let (before, after) = (Status::Up, Status::Down(503));
        let change = StatusChange { before, after, since: None, at: at(second * 1_000) };
        bench.graph.answered(STREAM, (SOURCE, VersionNo(1)), change).expect("somebody asks");
    }
    let needed: BTreeSet<u32> = bench.graph.needed(STREAM).map(|version| version.0).collect();
    assert_eq!(needed, BTreeSet::from([1, 2]));
}

#[test]
fn the_last_element_of_each_history_is_kept() {
    let mut bench = Bench::with(Limits { rounds_open_max: 2, ..Limits::default() });
    bench.join(1, Compare::Pairwise, &keywords(&["a"]));
    bench.versions(1);
    bench.enters(Entry::Begins { history: 1, shown: 0 });
    for _ in 0..20 {
        bench.enters(Entry::Next { history: 1 });
    }
    let needed: Vec<u32> = bench.graph.needed(STREAM).map(|version| version.0).collect();
    assert_eq!(needed, [1, 20, 21, 22]);
    let back = bench.enters(Entry::Next { history: 0 });
    assert_eq!(pairs(&bench.due(back)), [(1, 23)]);
}
