//! Texts are checked aside, believed only while their names stand, and applied a piece per step.

use chronon::{Instant, Span};
use kernel::io::{Answer, ApplyMode, Effect, Output, RequestId};
use kernel::{Config, Input, Kernel, Purpose, Record, Snapshot};
use proptest::prelude::*;

const NOW: Instant = Instant::from_millis(1_800_000_000_000);
/// Sentinels that one step may define.
const PER_STEP_MAX: usize = 64;

fn kernel() -> Kernel {
    let mut kernel = Kernel::load(Config::new(1), Snapshot::default(), NOW);
    kernel.step(NOW, Input::Started);
    kernel
}

/// One sentinel per line: its name, and what it uses.
fn text(sentinels: &[(&str, &str)]) -> String {
    sentinels
        .iter()
        .map(|(name, using)| format!("create sentinel {name} using {using}\n"))
        .collect()
}

fn answers(output: &Output) -> Vec<(u64, Answer)> {
    let answer = |effect: &Effect| match effect {
        Effect::Answer { request, answer } => Some((request.0, answer.clone())),
        _ => None,
    };
    output.effects.iter().filter_map(answer).collect()
}

/// The answers to `inputs`, in order, with as many steps as it takes.
fn tell(kernel: &mut Kernel, now: Instant, inputs: Vec<Input>) -> Vec<(u64, Answer)> {
    let count = inputs.len();
    let mut told = Vec::new();
    let mut inputs = inputs.into_iter();
    while told.len() < count {
        let input = inputs.next().unwrap_or(Input::Tick);
        told.extend(answers(&kernel.step(now, input)));
    }
    told
}

fn apply(kernel: &mut Kernel, now: Instant, text: &str, mode: ApplyMode) -> Answer {
    let input = kernel.application(now, RequestId(1), (text, mode));
    tell(kernel, now, vec![input]).remove(0).1
}

#[test]
fn a_large_file_is_applied_a_piece_per_step_and_others_are_heard_between() {
    let mut kernel = kernel();
    let many: String = (0..1_000)
        .map(|n| match n {
            0 => "create sentinel s0 using https://a.example/ monitor links\n".to_owned(),
            _ => format!("create sentinel s{n} using s{}\n", n - 1),
        })
        .collect();
    let input = kernel.application(NOW, RequestId(1), (&many, ApplyMode::Create));
    let mut outputs = vec![kernel.step(NOW, input)];
    assert_eq!(kernel.next_deadline(), Some(NOW), "the kernel wants to go on at once");
    let question = Input::Enable { request: RequestId(2), name: "nobody".into(), enabled: true };
    outputs.push(kernel.step(NOW, question));
    while answers(outputs.last().expect("two steps")).iter().all(|(request, _)| *request != 1) {
        outputs.push(kernel.step(NOW, Input::Tick));
    }
    assert_eq!(answers(&outputs[1])[0].0, 2, "whoever changes no name waits for nobody");
    let defined = |output: &Output| {
        output.records.iter().filter(|record| matches!(record, Record::Sentinel(_))).count()
    };
    let most = outputs.iter().map(defined).max();
    assert!(most.is_some_and(|most| 0 < most && most <= PER_STEP_MAX), "{most:?}");
    let Some((1, Answer::Applied(applied))) = answers(outputs.last().expect("many")).pop() else {
        panic!("the file was not applied")
    };
    assert_eq!((applied.len(), kernel.sizes().0), (1_000, 1_000));
}

#[test]
fn sentinels_with_long_conditions_are_fewer_per_step() {
    let mut kernel = kernel();
    let words: Vec<String> = (0..1_000).map(|n| format!("word{n}")).collect();
    let long = format!("monitor keywords {}\n", words.join(", "));
    let many: String = (0..20)
        .map(|n| format!("create sentinel s{n} using https://a.example/{n} {long}"))
        .collect();
    let input = kernel.application(NOW, RequestId(1), (&many, ApplyMode::Create));
    let mut output = kernel.step(NOW, input);
    let mut steps = 1;
    while answers(&output).is_empty() {
        let rows = |record: &&Record| matches!(record, Record::Sentinel(_));
        assert!(output.records.iter().filter(rows).count() <= 4);
        output = kernel.step(NOW, Input::Tick);
        steps += 1;
    }
    assert!(steps >= 5, "{steps}");
}

#[test]
fn whoever_changes_names_waits_for_the_file_before_him() {
    let mut kernel = kernel();
    let many: String =
        (0..500).map(|n| format!("create sentinel s{n} using https://a.example/\n")).collect();
    let file = kernel.application(NOW, RequestId(1), (&many, ApplyMode::Create));
    let one = text(&[("s499", "https://b.example/")]);
    let conflict = kernel.application(NOW, RequestId(3), (&one, ApplyMode::Create));
    let gone = Input::Remove { request: RequestId(2), name: "s499".into() };
    let told = tell(&mut kernel, NOW, vec![file, conflict, gone]);
    let order: Vec<u64> = told.iter().map(|(request, _)| *request).collect();
    assert_eq!(order, [1, 3, 2]);
    assert!(matches!(&told[1].1, Answer::Conflict { name } if &**name == "s499"), "{told:?}");
    assert_eq!((told[2].1.clone(), kernel.sizes().0), (Answer::Done, 499));
}

#[test]
fn changes_beyond_those_that_may_wait_are_refused_and_the_file_before_them_is_applied() {
    let mut kernel = kernel();
    let many: String =
        (0..3_000).map(|n| format!("create sentinel s{n} using https://a.example/\n")).collect();
    let mut inputs = vec![kernel.application(NOW, RequestId(0), (&many, ApplyMode::Create))];
    // They come as fast as steps are taken, and the file takes more steps than may wait.
    let gone = |n| Input::Remove { request: RequestId(n), name: "s1".into() };
    inputs.extend((1..=80).map(gone));
    let told = tell(&mut kernel, NOW, inputs);
    let refused = told.iter().filter(|(_, answer)| match answer {
        Answer::Unable(said) => said.contains("64 other changes wait"),
        _ => false,
    });
    assert_eq!((refused.count(), kernel.sizes().0), (16, 2_999), "one was removed");
}

#[test]
fn a_name_that_is_taken_midway_stops_the_whole_file_before_its_first_sentinel() {
    let mut kernel = kernel();
    apply(&mut kernel, NOW, &text(&[("s900", "https://a.example/")]), ApplyMode::Create);
    let many: String =
        (0..1_000).map(|n| format!("create sentinel s{n} using https://a.example/\n")).collect();
    let answer = apply(&mut kernel, NOW, &many, ApplyMode::Create);
    assert_eq!((answer, kernel.sizes().0), (Answer::Conflict { name: "s900".into() }, 1));
}

#[test]
fn a_result_that_relies_on_another_definition_is_outdated() {
    for change in ["replaced", "changed in place", "removed", "removed and made again"] {
        let mut kernel = kernel();
        let parent = text(&[("parent", "https://a.example/")]);
        apply(&mut kernel, NOW, &parent, ApplyMode::Create);
        let child = text(&[("child", "parent")]);
        let late = kernel.application(NOW, RequestId(1), (&child, ApplyMode::Create));
        if change == "replaced" {
            let other = text(&[("parent", "https://b.example/")]);
            apply(&mut kernel, NOW, &other, ApplyMode::Upsert);
        } else if change == "changed in place" {
            let heavier = "create sentinel parent using https://a.example/ weight 2";
            apply(&mut kernel, NOW, heavier, ApplyMode::Upsert);
        } else {
            let gone = Input::Remove { request: RequestId(1), name: "parent".into() };
            tell(&mut kernel, NOW, vec![gone]);
        }
        if change == "removed and made again" {
            apply(&mut kernel, NOW, &parent, ApplyMode::Create);
        }
        assert_eq!(tell(&mut kernel, NOW, vec![late]), [(1, Answer::Outdated)], "{change}");
        assert!(kernel.sentinel("child", NOW).is_none());
    }
}

#[test]
fn now_is_when_the_text_was_checked_unless_that_is_long_ago() {
    let mut kernel = kernel();
    let until = "create sentinel s using https://a.example/ to now + 1 hour";
    let input = kernel.application(NOW, RequestId(1), (until, ApplyMode::Create));
    let told = tell(&mut kernel, NOW + Span::from_secs(50), vec![input.clone()]);
    assert!(matches!(told[0].1, Answer::Applied(_)), "{told:?}");
    let row = kernel.sentinel("s", NOW).expect("it was applied").row;
    assert_eq!((row.defined_at, row.created_at), (NOW, NOW + Span::from_secs(50)));
    let told = tell(&mut kernel, NOW + Span::from_secs(70), vec![input]);
    assert_eq!(told, [(1, Answer::Outdated)]);
}

#[derive(Debug, Clone)]
enum Deed {
    /// Apply a text, checked so many deeds earlier.
    Apply {
        text: String,
        early: usize,
    },
    Remove(&'static str),
}

fn deed() -> impl Strategy<Value = Deed> {
    let name = || prop::sample::select(vec!["a", "b", "c"]);
    let using =
        prop::sample::select(vec!["a", "b", "c", "https://x.example/", "https://y.example/"]);
    let weight = prop::sample::select(vec!["", " weight 2"]);
    let one = (name(), using, weight)
        .prop_map(|(name, using, weight)| text(&[(name, &format!("{using}{weight}"))]));
    let lines = prop::collection::vec(one, 1..3).prop_map(|lines| lines.concat());
    prop_oneof![
        4 => (lines, 0..3_usize).prop_map(|(text, early)| Deed::Apply { text, early }),
        1 => name().prop_map(Deed::Remove),
    ]
}

proptest! {
    /// The slow twin checks each text when it is its turn.
    #[test]
    fn what_was_checked_early_is_applied_as_if_checked_now_or_not_at_all(
        deeds in prop::collection::vec(deed(), 1..12),
    ) {
        let (mut fast, mut slow) = (kernel(), kernel());
        let mut before: Vec<Option<Box<kernel::Vetted>>> = vec![None; deeds.len()];
        for (at, deed) in deeds.iter().enumerate() {
            for (later, other) in deeds.iter().enumerate().skip(at) {
                if let Deed::Apply { text, early } = other
                    && later.saturating_sub(*early) == at
                {
                    let purpose = (Purpose::Apply, NOW);
                    before[later] = Some(Box::new(fast.vet(text, Default::default(), purpose)));
                }
            }
            let request = RequestId(1);
            match deed {
                Deed::Remove(name) => {
                    let gone = || Input::Remove { request, name: (*name).into() };
                    prop_assert_eq!(
                        tell(&mut fast, NOW, vec![gone()]),
                        tell(&mut slow, NOW, vec![gone()])
                    );
                }
                Deed::Apply { text, .. } => {
                    let mode = ApplyMode::Upsert;
                    let checked = before[at].take().expect("checked when its time came");
                    let input = Input::Apply { request, text: checked, mode: mode.clone() };
                    let mut answer = tell(&mut fast, NOW, vec![input]).remove(0).1;
                    // A refusal may be outdated, too: people see the names of a moment ago.
                    if matches!(answer, Answer::Outdated | Answer::Refused(_)) {
                        answer = apply(&mut fast, NOW, text, mode.clone());
                    }
                    prop_assert_eq!(answer, apply(&mut slow, NOW, text, mode));
                }
            }
            prop_assert_eq!(fast.fold(NOW), slow.fold(NOW));
        }
    }
}
