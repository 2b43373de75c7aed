//! Rules over lost rows, and beside removals.

use crate::owners::{ANA, Desk, NOW};
use kernel::io::{Answer, ApplyMode, Command, RequestId};
use kernel::view::RuleView;
use kernel::{Config, Input, Kernel, Proposal, Snapshot};

const TEXT: &str = "create sentinel a using https://a.example/ notify by terminal
                    create rule twice on a ; a do notify by terminal
                    create rule undone on event deploy ; event rollback do notify by terminal";

fn apply(desk: &mut Desk, text: &str) {
    let proposal = Proposal { actor: ANA, text, mode: ApplyMode::Upsert };
    let input = desk.kernel.application(NOW, RequestId(1), proposal);
    let answer = desk.step(input);
    assert!(matches!(answer, Answer::Applied(_)), "{answer:?}");
}

fn with_rules() -> Desk {
    let mut desk = Desk::new();
    apply(&mut desk, TEXT);
    let raise = Command::Raise { name: "deploy".into(), key: None };
    assert_eq!(desk.ask(ANA, raise), Answer::Done);
    desk
}

fn rule(kernel: &Kernel, name: &str) -> RuleView {
    kernel.rule(ANA.owner, name).expect("it is there")
}

/// The kernel of the next start, over what `damage` left of its rows.
fn started(desk: &Desk, damage: impl FnOnce(&mut Snapshot)) -> Kernel {
    let mut snapshot = desk.kernel.fold(NOW);
    damage(&mut snapshot);
    let mut kernel = Kernel::load(Config::new(1), snapshot, NOW);
    kernel.step(NOW, Input::Started);
    kernel
}

#[test]
fn a_rule_whose_rows_are_whole_says_nothing_and_goes_on() {
    let kernel = started(&with_rules(), |_| {});
    assert_eq!(
        (&*rule(&kernel, "undone").life.trouble, rule(&kernel, "undone").open_total),
        ("", 1)
    );
}

#[test]
fn a_rule_that_lost_what_it_heard_says_so_and_listens_anew() {
    let kernel = started(&with_rules(), |snapshot| {
        for (_, life) in &mut snapshot.rules {
            life.root = None;
        }
        snapshot.detector.clear();
    });
    let undone = rule(&kernel, "undone");
    assert_eq!(&*undone.life.trouble, "what it had heard was lost; it listens anew");
    assert_eq!((undone.open_total, undone.nodes.len()), (0, 3));
}

#[test]
fn a_rule_whose_sentinel_is_lost_says_which_and_what_to_do() {
    let kernel = started(&with_rules(), |snapshot| snapshot.sentinels.clear());
    let trouble = rule(&kernel, "twice").life.trouble;
    assert!(trouble.starts_with("it names `a`, which is lost; apply"), "{trouble}");
    assert_eq!(&*rule(&kernel, "undone").life.trouble, "");
}

#[test]
fn a_rule_that_names_a_sentinel_on_its_way_out_keeps_it() {
    let mut desk = Desk::new();
    apply(&mut desk, "create sentinel a using https://a.example/ notify by terminal");
    assert_eq!(desk.ask(ANA, Command::Discard { name: "a".into() }), Answer::Done);
    let going =
        |desk: &Desk| desk.kernel.sentinel(ANA.owner, "a", NOW).expect("still there").life.going;
    assert!(going(&desk).is_some());
    apply(&mut desk, "create rule r on a do notify by terminal");
    assert_eq!(going(&desk), None);
    let later = NOW + chronon::Span::HOUR;
    desk.kernel.step(later, Input::Tick);
    assert!(desk.kernel.sentinel(ANA.owner, "a", later).is_some());
}
