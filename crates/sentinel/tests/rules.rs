//! Rules as properties: what the formatter prints means what was written; and rules as texts,
//! from the language to what the detector detects.

#[path = "cases/world.rs"]
mod world;

use chronon::{EventId, Instant, RuleId};
use event::{Detector, Limits, Signal, Subscription};
use proptest::prelude::*;
use sentinel::ast::rule::{Happening, HappeningKind, Rule};
use sentinel::{check, format};
use world::Surroundings;

const SENTINELS: &str = "create sentinel s0 using https://example.org/\n\
                         create sentinel s1 using https://example.org/1\n\
                         create sentinel s2 using https://example.org/2\n";

/// Random events, with parentheses where they are needed and where they are not.
fn event() -> impl Strategy<Value = String> {
    let name = (0_u8..3).prop_map(|n| format!("s{n}"));
    let leaf = prop_oneof![
        4 => name.clone(),
        1 => name.clone().prop_map(|name| format!("event x{name}")),
        1 => name.clone().prop_map(|name| format!("start({name})")),
        1 => name.prop_map(|name| format!("FAILED ( {name} )")),
        1 => Just("at 2031-02-03 04:05 Europe/Lisbon".to_owned()),
    ];
    leaf.prop_recursive(4, 24, 3, |part| {
        let group = part.clone().prop_map(|part| format!("({part})"));
        let pair = || (group.clone(), group.clone());
        prop_oneof![
            (part.clone(), part.clone()).prop_map(|(a, b)| format!("(({a}) or {b})")),
            (group.clone(), part.clone()).prop_map(|(a, b)| format!("({a} and ({b}))")),
            prop::collection::vec(group.clone(), 2..4).prop_map(|all| all.join(" ; ")),
            prop::collection::vec(group.clone(), 2..4).prop_map(|all| all.join(" and ")),
            prop::collection::vec(group.clone(), 2..4).prop_map(|all| all.join("\n or ")),
            (part.clone(), pair())
                .prop_map(|(x, (a, b))| format!("(not ({x}) between {a} and {b})")),
            (group.clone(), pair())
                .prop_map(|(x, (a, b))| format!("(each {x} between {a} and {b})")),
            (group.clone(), pair())
                .prop_map(|(x, (a, b))| format!("(ALL {x} between {a} and {b})")),
            (1_u8..9, pair())
                .prop_map(|(n, (a, b))| format!("(every {n} min between {a} and {b})")),
            (1_u8..9, pair())
                .prop_map(|(n, (a, b))| format!("(collect every {n}h30m between {a} and {b})")),
            (group.clone(), 1_u8..9).prop_map(|(a, n)| format!("{a} +{n} days")),
            (1_u8..3, prop::collection::vec(part, 2..4))
                .prop_map(|(n, all)| format!("any {n} of ({})", all.join(","))),
        ]
    })
}

fn rule_of(text: &str) -> Rule {
    let surroundings = Surroundings::default();
    let mut checked = surroundings.with_world(|world| check(text, world));
    assert!(checked.is_ok(), "{text}\n{:?}", checked.diagnostics);
    checked.rules.remove(0).rule
}

proptest! {
    #[test]
    fn what_is_printed_means_what_was_written_and_prints_the_same(
        event in event(), context in 0_usize..5, count in 0_u32..99,
    ) {
        let context = ["", "in recent context", "in chronicle context", "in continuous context",
            "in cumulative context"][context];
        let text = format!(
            "{SENTINELS}create rule r on {event} when count != {count} and (not enabled(s1) or \
             value >= -1.50) {context} within 90 min do notify by terminal, disable s2"
        );
        prop_assume!(event.matches(['(', ' ']).count() < 60);
        let printed = format(&text).expect("it follows the grammar");
        prop_assert_eq!(rule_of(&text), rule_of(&printed), "{}", printed);
        prop_assert_eq!(format(&printed).expect("it was printed"), printed);
    }

    #[test]
    fn no_text_makes_the_check_panic(words in prop::collection::vec(0_usize..WORDS.len(), 0..30)) {
        let words: Vec<&str> = words.into_iter().map(|at| WORDS[at]).collect();
        let text = format!("{SENTINELS}create rule r on {}", words.join(" "));
        let surroundings = Surroundings::default();
        let checked = surroundings.with_world(|world| check(&text, world));
        for one in &checked.diagnostics {
            prop_assert!(one.help.is_some(), "{} says no cure", one.message);
        }
        let _ = format(&text);
    }
}

const WORDS: &[&str] = &[
    "s0",
    "s1",
    ";",
    "and",
    "or",
    "(",
    ")",
    "not",
    "each",
    "all",
    "every",
    "collect",
    "between",
    "1 hour",
    "+",
    "+2d",
    "-",
    "any",
    "2",
    "of",
    ",",
    "event",
    "e",
    "at",
    "now",
    "2031-01-01",
    "start",
    "end(s0)",
    "when",
    "count",
    ">=",
    "3",
    "text",
    "matches",
    "\"x\"",
    "in",
    "recent",
    "context",
    "within",
    "priority",
    "coupling",
    "deferred",
    "do",
    "notify by terminal",
    "raise",
    "enable",
    "disable s1",
    "probe",
    "https://example.org/",
    "time between 08:00 and 09:00",
    "value < 2",
    "enabled(s0)",
    "create",
    "rule",
    "é",
    "`",
    "--",
];

/// What a rule over `s0` to `s2` detects when these find something, at these seconds.
fn detected(rule: &str, found: &[(u64, i64)], until: i64) -> Vec<String> {
    let rule = rule_of(&format!("{SENTINELS}create rule r {rule} do notify by terminal"));
    let mut signal = |leaf: &Happening| match leaf.kind {
        HappeningKind::Detected => leaf.name[1..].parse().map(|n| Signal::Raised(EventId(n))),
        _ => panic!("{leaf:?}"),
    };
    let on = rule.on.named(&mut signal).expect("a number");
    let mut detector = Detector::new(Limits::default());
    let subscription = Subscription { rule: RuleId(1), within: rule.within };
    detector.add(Instant::EPOCH, &on, rule.context, subscription).expect("small");
    let at = |seconds: i64| Instant::from_millis(seconds * 1_000);
    let mut all = Vec::new();
    for &(number, second) in found {
        all.extend(detector.signal(Signal::Raised(EventId(number)), at(second), 0));
    }
    all.extend(detector.advance(at(until)));
    let seconds = |instant: Instant| (instant.as_millis() / 1_000).to_string();
    all.iter()
        .map(|one| {
            let marks = one.occurrence.marks().iter().map(|mark| seconds(mark.at));
            marks.collect::<Vec<String>>().join(" ")
        })
        .collect()
}

#[test]
fn recipes_detect_what_their_words_say() {
    let hour = 3_600;
    let down = [(0, 0), (0, 2 * hour), (0, 2 * hour + 60), (0, 5 * hour)];
    assert_eq!(detected("on s0 ; s0 within 1 hour", &down, 9 * hour), ["7200 7260"]);

    let week = 7 * 24 * hour;
    let calm =
        detected("on not (s0) between s0 and s0 + 1 week", &[(0, 0), (0, week - 1)], 3 * week);
    let (last, over) = (week - 1, 2 * week - 1);
    assert_eq!(calm, [format!("{last} {last} {over}")]);

    let papers = [(0, 10), (0, 20), (2, 30)];
    assert_eq!(detected("on any 2 of (s0, s1, s2) within 1 day", &papers, 99), ["20 30"]);

    let often = "on all s0 between s1 and s1 + 1 day in chronicle context";
    let day = 24 * hour;
    assert_eq!(
        detected(often, &[(1, 0), (0, 60), (0, 120), (0, day + 60)], 2 * day),
        [format!("0 60 120 0 {day}")]
    );

    assert_eq!(
        detected(
            "on each s2 between s0 and s1",
            &[(2, 1), (0, 2), (2, 3), (2, 4), (1, 5), (2, 6)],
            9
        ),
        ["2 3", "2 4"]
    );
}
