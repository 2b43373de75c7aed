//! Figures 5.8 and 5.11 of the WebVigiL thesis (`docs/theory.md`, The change detection graph).

use crate::bench::{Bench, and, combinations, heard, keywords, or, pairs};
use sentinel::ast::Compare;

#[test]
fn figure_5_8_every_4_windows_start_at_what_is_cached_and_share_groups_by_phase() {
    let mut bench = Bench::new();
    let expr = keywords(&["fare"]);
    let every = Compare::Every(4);
    bench.join(1, every, &expr);
    assert_eq!(bench.waits(1), Some(4), "S1 arrives with nothing cached");
    bench.version();
    assert_eq!(bench.waits(1), Some(3), "P1");
    bench.version();
    assert_eq!(bench.waits(1), Some(2), "P2");
    bench.join(2, every, &expr);
    assert_eq!(bench.waits(2), Some(3), "S2 arrives with one version cached");
    let p3 = bench.version();
    assert_eq!((bench.waits(1), bench.waits(2)), (Some(1), Some(2)), "P3");
    assert!(!bench.graph.is_due(p3));
    let p4 = bench.version();
    let due = bench.due(p4);
    assert_eq!(pairs(&due), [(1, 4)], "S1 computes (p1, p4)");
    assert_eq!(heard(&bench.close(&due, |_| true)), [1]);
    assert_eq!((bench.waits(1), bench.waits(2)), (Some(3), Some(1)), "P4");
    bench.join(3, every, &expr);
    assert_eq!(bench.waits(3), Some(3), "S3 arrives");
    assert_eq!(bench.graph.sizes().groups, 2, "S3 joins S1's group, S2 stays apart");

    let p5 = bench.version();
    assert_eq!(pairs(&bench.due(p5)), [(2, 5)]);
    assert_eq!(heard(&bench.close(&bench.due(p5), |_| true)), [2]);
    bench.version();
    let p7 = bench.version();
    assert_eq!(pairs(&bench.due(p7)), [(4, 7)], "windows share an end");
    assert_eq!(heard(&bench.close(&bench.due(p7), |_| true)), [1, 3]);
}

#[test]
fn figure_5_11_each_round_tells_the_combinations_that_hold_in_the_written_order() {
    let mut bench = Bench::new();
    let [c1, c2, c3] = ["c1", "c2", "c3"].map(|word| keywords(&[word]));
    let either = or(&[&c1, &c2]);
    bench.join(1, Compare::Pairwise, &either);
    bench.join(2, Compare::Pairwise, &and(&[&c1, &c2]));
    bench.join(3, Compare::Pairwise, &and(&[&either, &c3]));
    bench.version();
    let first = bench.version();
    let due = bench.due(first);
    assert_eq!(due.request.comparisons.len(), 1, "one comparison for all three sentinels");
    let closed = bench.close(&due, |leaf| crate::bench::name(leaf) == "c1");
    assert_eq!(heard(&closed), [1], "C1 alone on (1, 2)");
    assert_eq!(combinations(&due, &closed, 1), [["c1"]]);

    let second = bench.version();
    let due = bench.due(second);
    let closed = bench.close(&due, |leaf| crate::bench::name(leaf) != "c3");
    assert_eq!(heard(&closed), [1, 2], "C1 and C2 on (2, 3)");
    assert_eq!(combinations(&due, &closed, 1), [["c1"], ["c2"]]);
    assert_eq!(combinations(&due, &closed, 2), [["c1", "c2"]]);

    let closed = bench.close(&due, |_| true);
    assert_eq!(heard(&closed), [1, 2, 3], "then C3 on (2, 3)");
    assert_eq!(combinations(&due, &closed, 3), [["c1", "c3"], ["c2", "c3"]]);
}

#[test]
fn an_occurrence_of_an_earlier_pair_completes_nothing_in_a_later_one() {
    let mut bench = Bench::new();
    let [c1, c2] = ["c1", "c2"].map(|word| keywords(&[word]));
    bench.join(1, Compare::Pairwise, &and(&[&c1, &c2]));
    bench.version();
    for only in ["c1", "c2", "c1"] {
        let round = bench.version();
        let closed = bench.close(&bench.due(round), |leaf| crate::bench::name(leaf) == only);
        assert_eq!(heard(&closed), [0; 0]);
    }
}
