//! The traces of `docs/theory.md`, Events and rules, and of the choices made there.

use crate::{
    all, and, at, collect, detector, e, each, every, not, plus, seq, signal, trace, write,
};
use chronon::Zone;
use event::Context::{self, Chronicle, Continuous, Cumulative, Recent};
use event::{Expr, Step};

/// e1¹@0 e1²@1 e2¹@2 e2²@3 e1³@4.
const FIVE: [(u64, i64); 5] = [(1, 0), (1, 1), (2, 2), (2, 3), (1, 4)];

fn five(expr: &Expr, context: Context) -> String {
    trace(expr, context, &FIVE, 100)
}

#[test]
fn a_sequence_in_each_context() {
    let it = seq(e(1), e(2));
    assert_eq!(five(&it, Recent), "(1@1,2@2)[1,2] (1@1,2@3)[1,3]");
    assert_eq!(five(&it, Chronicle), "(1@0,2@2)[0,2] (1@1,2@3)[1,3]");
    assert_eq!(five(&it, Continuous), "(1@0,2@2)[0,2] (1@1,2@2)[1,2]");
    assert_eq!(five(&it, Cumulative), "(1@0,1@1,2@2)[0,2]");
}

#[test]
fn both_in_each_context() {
    let it = and(e(1), e(2));
    assert_eq!(five(&it, Recent), "(1@1,2@2)[1,2] (1@1,2@3)[1,3] (2@3,1@4)[3,4]");
    assert_eq!(five(&it, Chronicle), "(1@0,2@2)[0,2] (1@1,2@3)[1,3]");
    assert_eq!(five(&it, Continuous), "(1@0,2@2)[0,2] (1@1,2@2)[1,2] (2@3,1@4)[3,4]");
    assert_eq!(five(&it, Cumulative), "(1@0,1@1,2@2)[0,2] (2@3,1@4)[3,4]");
}

#[test]
fn nothing_between_in_recent_context_serves_until_it_is_violated() {
    let it = not(e(2), e(1), e(3));
    let events = [(1, 0), (1, 1), (3, 2), (1, 3), (2, 4), (2, 5), (3, 6)];
    assert_eq!(trace(&it, Recent, &events, 9), "(1@1,3@2)[1,2]");
    let mut spent = detector(&it, Recent);
    for (number, second) in events {
        spent.signal(signal(number), at(second), 0);
    }
    assert_eq!(spent.sizes().open, 0, "e1 is gone");
}

#[test]
fn a_while_after_in_each_context() {
    let it = plus(e(1), 4);
    let events = [(1, 5), (1, 6), (1, 12)];
    assert_eq!(trace(&it, Recent, &events, 99), "(1@6,@10)[10,10] (1@12,@16)[16,16]");
    let each = "(1@5,@9)[9,9] (1@6,@10)[10,10] (1@12,@16)[16,16]";
    assert_eq!(trace(&it, Chronicle, &events, 99), each);
    assert_eq!(trace(&it, Continuous, &events, 99), each);
    // Chosen: the first timer carries what came meanwhile.
    assert_eq!(trace(&it, Cumulative, &events, 99), "(1@5,1@6,@9)[9,9] (1@12,@16)[16,16]");
}

/// Signals make intervals: 11 opens an E1 and 12 closes it, 21 and 22 an E2. In chronicle context
/// they pair in turn, oldest first.
fn intervals(context: Context) -> Vec<String> {
    let it = seq(seq(e(11), e(12)), seq(e(21), e(22)));
    // E1 [3,5] [4,6] [8,9], E2 [1,2] [7,10] [11,12].
    let events = [
        (21, 1),
        (22, 2),
        (11, 3),
        (11, 4),
        (12, 5),
        (12, 6),
        (21, 7),
        (11, 8),
        (12, 9),
        (22, 10),
        (21, 11),
        (22, 12),
    ];
    let mut detector = detector(&it, context);
    let mut written = Vec::new();
    for (number, second) in events {
        let detected = detector.signal(signal(number), at(second), 0);
        written.extend(detected.iter().map(|one| write(&one.occurrence)));
    }
    written
}

#[test]
fn a_sequence_of_intervals_needs_the_first_to_end_before_the_second_begins() {
    assert_eq!(
        intervals(Chronicle),
        ["(11@3,12@5,21@7,22@10)[3,10]", "(11@4,12@6,21@11,22@12)[4,12]"]
    );
    // Each context pairs the parts its own way, too: in recent context 11@4 serves twice.
    assert_eq!(intervals(Recent), ["(11@8,12@9,21@11,22@12)[8,12]"]);
    assert_eq!(
        intervals(Continuous),
        [
            "(11@3,12@5,21@7,22@10)[3,10]",
            "(11@4,12@5,21@7,22@10)[4,10]",
            "(11@8,12@9,21@11,22@12)[8,12]",
        ]
    );
    assert_eq!(
        intervals(Cumulative),
        ["(11@3,11@4,12@5,21@7,22@10)[3,10]", "(11@8,12@9,21@11,22@12)[8,12]"]
    );
}

#[test]
fn each_one_inside_is_raised_when_it_comes() {
    let it = each(e(2), e(1), e(3));
    let events = [(2, 0), (1, 1), (2, 2), (1, 3), (2, 4), (3, 5), (2, 6), (3, 7), (2, 8)];
    assert_eq!(trace(&it, Recent, &events, 9), "(1@1,2@2)[1,2] (1@3,2@4)[3,4]");
    // Chosen: every window that is open, and e3 closes the oldest.
    assert_eq!(
        trace(&it, Chronicle, &events, 9),
        "(1@1,2@2)[1,2] (1@1,2@4)[1,4] (1@3,2@4)[3,4] (1@3,2@6)[3,6]"
    );
    assert_eq!(trace(&it, Continuous, &events, 9), "(1@1,2@2)[1,2] (1@1,2@4)[1,4] (1@3,2@4)[3,4]");
    // Chosen: all so far, for each window.
    assert_eq!(
        trace(&it, Cumulative, &events, 9),
        "(1@1,2@2)[1,2] (1@1,2@2,2@4)[1,4] (1@3,2@4)[3,4]"
    );
}

#[test]
fn all_inside_are_raised_at_the_end_and_at_least_one() {
    let it = all(e(2), e(1), e(3));
    let events = [(1, 1), (3, 2), (1, 3), (2, 4), (1, 5), (2, 6), (3, 7), (3, 8)];
    assert_eq!(trace(&it, Recent, &events, 9), "(1@5,2@6,3@7)[5,7]");
    let both = "(1@3,2@4,2@6,3@7)[3,7] (1@5,2@6,3@8)[5,8]";
    assert_eq!(trace(&it, Chronicle, &events, 9), both);
    assert_eq!(trace(&it, Continuous, &events, 9), both.replace("3@8)[5,8]", "3@7)[5,7]"));
    assert_eq!(trace(&it, Cumulative, &events, 9), "(1@3,1@5,2@4,2@6,3@7)[3,7]");
}

#[test]
fn ticks_between_in_each_context() {
    let it = every(10, e(1), e(3));
    let events = [(1, 0), (1, 5), (3, 27), (3, 35)];
    assert_eq!(trace(&it, Recent, &events, 99), "(1@5,@15)[15,15] (1@5,@25)[25,25]");
    assert_eq!(
        trace(&it, Chronicle, &events, 99),
        "(1@0,@10)[10,10] (1@5,@15)[15,15] (1@0,@20)[20,20] (1@5,@25)[25,25] (1@5,@35)[35,35]"
    );
    assert_eq!(
        trace(&it, Continuous, &events, 99),
        "(1@0,@10)[10,10] (1@5,@15)[15,15] (1@0,@20)[20,20] (1@5,@25)[25,25]"
    );
    assert_eq!(
        trace(&it, Cumulative, &events, 99),
        "(1@0,@10)[10,10] (1@5,@15)[15,15] (1@0,@10,@20)[20,20] (1@5,@15,@25)[25,25]"
    );
}

#[test]
fn ticks_are_collected_until_the_end() {
    let it = collect(10, e(1), e(3));
    let events = [(1, 0), (1, 5), (3, 20), (1, 30), (3, 31)];
    assert_eq!(trace(&it, Recent, &events, 99), "(1@5,@15,3@20)[5,20]");
    assert_eq!(
        trace(&it, Chronicle, &events, 99),
        "(1@0,@10,@20,3@20)[0,20] (1@5,@15,@25,3@31)[5,31]"
    );
    assert_eq!(
        trace(&it, Continuous, &events, 99),
        "(1@0,@10,@20,3@20)[0,20] (1@5,@15,3@20)[5,20]"
    );
    assert_eq!(trace(&it, Cumulative, &events, 99), "(1@0,@10,@20,1@5,@15,3@20)[0,20]");
}

#[test]
fn two_of_three_in_each_context() {
    let it = Expr::Any(2, vec![e(1), e(2), e(3)]);
    let events = [(1, 0), (1, 1), (2, 2), (3, 3), (1, 4)];
    assert_eq!(trace(&it, Recent, &events, 9), "(1@1,2@2)[1,2] (2@2,3@3)[2,3] (3@3,1@4)[3,4]");
    assert_eq!(trace(&it, Chronicle, &events, 9), "(1@0,2@2)[0,2] (1@1,3@3)[1,3]");
    assert_eq!(trace(&it, Continuous, &events, 9), "(1@0,2@2)[0,2] (1@1,2@2)[1,2] (3@3,1@4)[3,4]");
    assert_eq!(trace(&it, Cumulative, &events, 9), "(1@0,1@1,2@2)[0,2] (3@3,1@4)[3,4]");
}

#[test]
fn a_repeated_event_pairs_with_the_one_before() {
    let events = [(1, 0), (1, 5), (1, 7)];
    assert_eq!(trace(&seq(e(1), e(1)), Recent, &events, 9), "(1@0,1@5)[0,5] (1@5,1@7)[5,7]");
    let calm = not(e(1), e(1), plus(e(1), 10));
    assert_eq!(trace(&calm, Recent, &events, 99), "(1@7,1@7,@17)[7,17]", "calm for ten seconds");
}

#[test]
fn an_instant_comes_once_and_days_step_the_calendar() {
    assert_eq!(trace(&Expr::At(at(7)), Recent, &[(1, 9)], 9), "(@7)[7,7]");
    let lisbon = Zone::parse("Europe/Lisbon").expect("zone");
    let day = Step { period: chronon::Period::Days(1), zone: lisbon };
    // 27 March 2027, 09:00 in Lisbon; the clocks change in the night.
    let nine = 1_806_138_000;
    let expr = Expr::Plus(Box::new(e(1)), day);
    let mut detector = detector(&expr, Recent);
    detector.signal(signal(1), at(nine), 0);
    assert_eq!(detector.next_deadline(), Some(at(nine + 23 * 3_600)));
}
