//! Texts are checked aside, believed only while their names stand, and applied a piece per step.

use chronon::{Instant, OwnerId, Span};
use kernel::io::{Actor, Answer, AppliedWhat, ApplyMode, Command, Effect, Output, RequestId};
use kernel::record::{ApplyingRow, SentinelState, StreamRow};
use kernel::{Config, Input, Kernel, Occasion, Proposal, Purpose, Record, Snapshot};
use proptest::prelude::*;
use sentinel::Parsed;
use std::collections::BTreeMap;

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
    let input = kernel.application(now, RequestId(1), Proposal::of_system(text, mode));
    tell(kernel, now, vec![input]).remove(0).1
}

#[test]
fn what_changes_neither_looks_nor_changes_is_changed_in_place() {
    let mut kernel = kernel();
    let base = "using https://a.example/ fetch every 1 hour";
    apply(&mut kernel, NOW, &format!("create sentinel news {base}\n"), ApplyMode::Create);
    let mut what = |name: &str, clause: &str| {
        let text = format!("create sentinel {name} {base} {clause}\n");
        match apply(&mut kernel, NOW, &text, ApplyMode::Upsert) {
            Answer::Applied(applied) => applied[0].what,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(what("News", ""), AppliedWhat::Changed, "its name is spelled otherwise");
    assert_eq!(what("News", "changehistory 3"), AppliedWhat::Changed);
    assert_eq!(what("News", "weight 2"), AppliedWhat::Changed);
    assert_eq!(what("News", "weight 2 notify by terminal"), AppliedWhat::Changed);
    assert_eq!(what("News", "weight 2 notify by terminal"), AppliedWhat::Unchanged);
    assert_eq!(what("News", "weight 2 tag Prices, home"), AppliedWhat::Changed);
    assert_eq!(what("News", "weight 2 tag home, Prices"), AppliedWhat::Unchanged);
    assert_eq!(what("News", "presentation merged"), AppliedWhat::Changed);
    assert_eq!(what("News", "monitor links"), AppliedWhat::Replaced);
}

#[test]
fn sentinels_are_found_by_their_tags_through_every_change_of_them() {
    let mut kernel = kernel();
    let mut put = |name: &str, rest: &str| {
        let text = format!("create sentinel {name} using https://a.example/ {rest}");
        apply(&mut kernel, NOW, &text, ApplyMode::Upsert);
        let names = |tag| {
            let tagged = kernel.tagged(OwnerId::FIRST, tag, None, NOW);
            tagged.map(|view| view.row.name.to_string()).collect::<Vec<_>>().join(" ")
        };
        (names("home"), names("PRICES"), kernel.tags(OwnerId::FIRST, 10))
    };
    let count = |tags: &[(&str, usize)]| -> Vec<(String, usize)> {
        tags.iter().map(|&(tag, count)| (tag.to_owned(), count)).collect()
    };
    let (home, prices, tags) = put("a", "tag Home, Prices");
    assert_eq!((&*home, &*prices), ("a", "a"));
    assert_eq!(tags, count(&[("home", 1), ("prices", 1)]));
    let (home, prices, tags) = put("b", "tag home");
    assert_eq!((&*home, &*prices), ("a b", "a"));
    assert_eq!(tags, count(&[("home", 2), ("prices", 1)]));
    let (home, prices, _) = put("a", "tag prices");
    assert_eq!((&*home, &*prices), ("b", "a"), "changed in place");
    let (home, prices, tags) = put("b", "monitor links");
    assert_eq!((&*home, &*prices), ("", "a"), "another generation");
    assert_eq!(tags, count(&[("prices", 1)]));
    let gone = Input::Command {
        actor: Actor::SYSTEM,
        request: RequestId(1),
        command: Command::Remove { name: "a".into() },
    };
    tell(&mut kernel, NOW, vec![gone]);
    assert_eq!(kernel.tags(OwnerId::FIRST, 10), []);
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
    let input =
        kernel.application(NOW, RequestId(1), Proposal::of_system(&many, ApplyMode::Create));
    let mut outputs = vec![kernel.step(NOW, input)];
    assert_eq!(kernel.next_deadline(), Some(NOW), "the kernel wants to go on at once");
    let question = Input::Command {
        actor: Actor::SYSTEM,
        request: RequestId(2),
        command: Command::Enable { name: "nobody".into(), enabled: true },
    };
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
    let input =
        kernel.application(NOW, RequestId(1), Proposal::of_system(&many, ApplyMode::Create));
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
    let file = kernel.application(NOW, RequestId(1), Proposal::of_system(&many, ApplyMode::Create));
    let one = text(&[("s499", "https://b.example/")]);
    let conflict =
        kernel.application(NOW, RequestId(3), Proposal::of_system(&one, ApplyMode::Create));
    let gone = Input::Command {
        actor: Actor::SYSTEM,
        request: RequestId(2),
        command: Command::Remove { name: "s499".into() },
    };
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
    let mut inputs =
        vec![kernel.application(NOW, RequestId(0), Proposal::of_system(&many, ApplyMode::Create))];
    // They come as fast as steps are taken, and the file takes more steps than may wait.
    let gone = |n| Input::Command {
        actor: Actor::SYSTEM,
        request: RequestId(n),
        command: Command::Remove { name: "s1".into() },
    };
    inputs.extend((1..=80).map(gone));
    let told = tell(&mut kernel, NOW, inputs);
    let refused = told.iter().filter(|(_, answer)| match answer {
        Answer::Unable(said) => said.contains("64 other changes wait"),
        _ => false,
    });
    assert_eq!((refused.count(), kernel.sizes().0), (16, 2_999), "one was removed");
}

/// How often each name was defined.
fn count_definitions(output: &Output, defined: &mut BTreeMap<String, usize>) {
    for record in &output.records {
        if let Record::Sentinel(row) = record {
            *defined.entry(row.name.to_string()).or_default() += 1;
        }
    }
}

/// The kernel that the store gives after a crash. Takes its first step.
fn restarted(snapshot: Snapshot, now: Instant) -> (Kernel, Output) {
    let mut kernel = Kernel::load(Config::new(1), snapshot, now);
    assert_eq!(kernel.take_warnings(), [""; 0]);
    let output = kernel.step(now, Input::Started);
    (kernel, output)
}

fn windows(streams: &[StreamRow]) -> Vec<String> {
    streams.iter().map(|row| format!("{} {:?} {}", row.id, row.spec, row.next_ei)).collect()
}

/// Crashes after `steps` steps of a file of 200, one of which was there with other text; says
/// whether the file was at its end.
fn a_crash_after(steps: usize) -> bool {
    let mut kernel = kernel();
    apply(&mut kernel, NOW, &text(&[("s50", "https://old.example/")]), ApplyMode::Create);
    let looks = "fetch every 1 hour within 30 minutes";
    let file: String = (0..200)
        .map(|n| match n {
            0 => format!("create sentinel s0 using https://ana:pw@a.example/ {looks}\n"),
            n if n % 3 == 0 => format!("create sentinel s{n} using s0\n"),
            n => format!("create sentinel s{n} using https://h{n}.example/ {looks}\n"),
        })
        .collect();
    let mut input =
        kernel.application(NOW, RequestId(1), Proposal::of_system(&file, ApplyMode::Upsert));
    let (mut defined, mut is_over) = (BTreeMap::new(), false);
    for _ in 0..steps {
        let output = kernel.step(NOW, std::mem::replace(&mut input, Input::Tick));
        is_over |= !answers(&output).is_empty();
        count_definitions(&output, &mut defined);
    }
    let lives = kernel.fold(NOW);
    let mut loaded = Kernel::load(Config::new(1), lives.clone(), NOW).fold(NOW);
    // The channels are the outbox's: without its half, the loaded one numbers them anew.
    loaded.owners = lives.owners.clone();
    assert_eq!(loaded, lives, "I-FOLD after {steps} steps");
    let later = NOW + Span::from_secs(600);
    let stored = kernel.fold(later);
    assert_eq!(stored.applying.is_none(), is_over, "after {steps} steps");
    drop(kernel);

    let loaded = Kernel::load(Config::new(1), stored.clone(), later);
    assert_eq!(loaded.fold(later).applying, stored.applying, "I-FOLD");
    let (mut kernel, output) = restarted(stored.clone(), later);
    let mut outputs = vec![output];
    let gone = Input::Command {
        actor: Actor::SYSTEM,
        request: RequestId(2),
        command: Command::Remove { name: "s199".into() },
    };
    outputs.push(kernel.step(later, gone));
    while kernel.is_changing_names() {
        outputs.push(kernel.step(later, Input::Tick));
    }
    let told: Vec<_> = outputs.iter().flat_map(answers).collect();
    assert_eq!(told, [(2, Answer::Done)], "whoever changes names waits for the rest");
    outputs.iter().for_each(|output| count_definitions(output, &mut defined));
    let once = (0..200).all(|n| defined.get(&format!("s{n}")) == Some(&1));
    assert!(once && defined.len() == 200, "after {steps} steps: {defined:?}");
    let found = kernel.fold(later);
    assert_eq!((kernel.sizes().0, found.applying), (199, None), "after {steps} steps");
    assert!(found.sentinels.iter().all(|(row, _)| row.defined_at == NOW));
    for one in stored.sentinels.iter().filter(|(row, _)| !["s50", "s199"].contains(&&*row.name)) {
        assert!(found.sentinels.contains(one), "after {steps} steps: {one:?}");
    }
    let (before, after) = (windows(&stored.streams), windows(&found.streams));
    let unharmed = before.iter().filter(|row| !after.contains(row)).count();
    // One ends with `s50` as it was, one with `s199`.
    assert!(unharmed <= 2, "after {steps} steps: {before:?} {after:?}");
    is_over
}

#[test]
fn a_file_that_a_crash_cut_short_goes_to_its_end_at_the_next_start() {
    let steps = (1..100).find(|steps| a_crash_after(*steps));
    assert!(steps.is_some_and(|steps| steps > 4), "{steps:?}");
}

#[test]
fn a_second_crash_does_not_lose_the_rest_either() {
    let mut kernel = kernel();
    let file: String =
        (0..200).map(|n| format!("create sentinel s{n} using https://a.example/\n")).collect();
    let input =
        kernel.application(NOW, RequestId(1), Proposal::of_system(&file, ApplyMode::Create));
    kernel.step(NOW, input);
    for crash in 1.. {
        let now = NOW + Span::from_secs(crash);
        kernel = restarted(kernel.fold(now), now).0;
        if !kernel.is_changing_names() {
            break;
        }
        kernel.step(now, Input::Tick);
    }
    assert_eq!(kernel.sizes().0, 200);
}

#[test]
fn a_period_that_is_over_at_the_next_start_keeps_no_sentinel_out() {
    let mut kernel = kernel();
    let file: String = (0..200)
        .map(|n| format!("create sentinel s{n} using https://a.example/ to now + 5 minutes\n"))
        .collect();
    let input =
        kernel.application(NOW, RequestId(1), Proposal::of_system(&file, ApplyMode::Create));
    kernel.step(NOW, input);
    let later = NOW + Span::HOUR;
    let mut kernel = restarted(kernel.fold(later), later).0;
    while kernel.is_changing_names() {
        kernel.step(later, Input::Tick);
    }
    kernel.step(later, Input::Tick);
    let rows = kernel.fold(later).sentinels;
    assert_eq!(rows.len(), 200);
    assert!(rows.iter().all(|(_, life)| life.state == SentinelState::Ended));
}

#[test]
fn the_rest_of_a_file_that_cannot_be_read_back_is_dropped_with_a_warning() {
    let texts = vec!["create sentinel s using https://a.example/".into(), "nonsense".into()];
    let applying = Some(ApplyingRow { now: NOW, owner: OwnerId::FIRST, texts });
    let snapshot = Snapshot { applying, ..Snapshot::default() };
    let mut kernel = Kernel::load(Config::new(1), snapshot, NOW);
    let warnings = kernel.take_warnings();
    assert!(warnings.iter().any(|said| said.contains("apply it again")), "{warnings:?}");
    let output = kernel.step(NOW, Input::Started);
    assert!(output.records.contains(&Record::ApplyingGone));
    assert_eq!((kernel.sizes().0, kernel.is_changing_names()), (0, false));
    assert_eq!(kernel.fold(NOW).applying, None);
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
        let late =
            kernel.application(NOW, RequestId(1), Proposal::of_system(&child, ApplyMode::Create));
        if change == "replaced" {
            let other = text(&[("parent", "https://b.example/")]);
            apply(&mut kernel, NOW, &other, ApplyMode::Upsert);
        } else if change == "changed in place" {
            let heavier = "create sentinel parent using https://a.example/ weight 2";
            apply(&mut kernel, NOW, heavier, ApplyMode::Upsert);
        } else {
            let gone = Input::Command {
                actor: Actor::SYSTEM,
                request: RequestId(1),
                command: Command::Remove { name: "parent".into() },
            };
            tell(&mut kernel, NOW, vec![gone]);
        }
        if change == "removed and made again" {
            apply(&mut kernel, NOW, &parent, ApplyMode::Create);
        }
        assert_eq!(tell(&mut kernel, NOW, vec![late]), [(1, Answer::Outdated)], "{change}");
        assert!(kernel.sentinel(OwnerId::FIRST, "child", NOW).is_none());
    }
}

#[test]
fn now_is_when_the_text_was_checked_unless_that_is_long_ago() {
    let mut kernel = kernel();
    let until = "create sentinel s using https://a.example/ to now + 1 hour";
    let input =
        kernel.application(NOW, RequestId(1), Proposal::of_system(until, ApplyMode::Create));
    let told = tell(&mut kernel, NOW + Span::from_secs(50), vec![input.clone()]);
    assert!(matches!(told[0].1, Answer::Applied(_)), "{told:?}");
    let row = kernel.sentinel(OwnerId::FIRST, "s", NOW).expect("it was applied").row;
    assert_eq!((row.defined_at, row.created_at), (NOW, NOW + Span::from_secs(50)));
    let told = tell(&mut kernel, NOW + Span::from_secs(70), vec![input]);
    assert_eq!(told, [(1, Answer::Outdated)]);
}

#[derive(Debug, Clone)]
enum Deed {
    /// Apply a text that was checked `early` deeds before.
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
                    let (owner, purpose) = (OwnerId::FIRST, Purpose::Apply);
                    let occasion = Occasion { owner, purpose, now: NOW };
                    before[later] = Some(Box::new(fast.vet(Parsed::of(text.as_str()), occasion)));
                }
            }
            let request = RequestId(1);
            match deed {
                Deed::Remove(name) => {
                    let (actor, name) = (Actor::SYSTEM, Box::from(*name));
                    let command = Command::Remove { name };
                    let gone = || Input::Command { actor, request, command: command.clone() };
                    prop_assert_eq!(
                        tell(&mut fast, NOW, vec![gone()]),
                        tell(&mut slow, NOW, vec![gone()])
                    );
                }
                Deed::Apply { text, .. } => {
                    let mode = ApplyMode::Upsert;
                    let checked = before[at].take().expect("checked when its time came");
                    let command = Command::Apply { text: checked, mode: mode.clone() };
                    let input = Input::Command { actor: Actor::SYSTEM, request, command };
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
