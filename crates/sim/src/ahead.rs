//! A clock that is ahead is believed, for it may be right. When it is put right again, nothing may
//! have been ended or moved for good, and each change is told once.

use crate::clocks::Clock;
use crate::pace::{Pace, Rng};
use crate::shell::{Crash, Point, Seen, Shell, Wish};
use crate::web::{Page, Reply};
use crate::world::START;
use chronon::{Instant, OwnerId, Span};
use kernel::io::Answer;
use kernel::record::SentinelState;
use std::collections::{BTreeMap, BTreeSet};

/// What each page says, one after the other.
const WORDS: [&str; 5] = ["alpha", "bravo", "charlie", "delta", "echo"];
/// Who was there before the clock went wrong, and hears of all changes.
const FAITHFUL: [&str; 4] = ["onchange", "fixed", "spread", "lasting"];
/// One that ends after two days, and one that begins after one.
const ENDING: &str = "ending";
const LATER: &str = "later";
/// When the looks of `fixed` begin.
const FIRST: Span = Span::from_secs(7 * 60);
const PERIOD: Span = Span::from_secs(600);

fn local(at: Instant) -> String {
    at.to_string().replace('T', " ")[..16].to_owned()
}

fn texts() -> Vec<(&'static str, String)> {
    let looks = "fetch every 10 minutes within 5 minutes";
    let clauses = [
        ("onchange", String::new()),
        ("fixed", format!("{looks} from {}", local(START + FIRST))),
        ("spread", looks.to_owned()),
        ("lasting", format!("{looks} to now + 30 days")),
        (ENDING, format!("{looks} to {}", local(START + Span::DAY.times(2)))),
        (LATER, format!("{looks} from {}", local(START + Span::DAY))),
    ];
    let whole = |(name, clause): (&'static str, String)| {
        let using = format!("create sentinel {name} using https://{name}.example/");
        let told = "notify by webhook https://hook.example/";
        (name, format!("{using} monitor any change {clause} {told}"))
    };
    clauses.into_iter().map(whole).collect()
}

/// The third change falls into the life with the wrong clock.
fn world(seed: u64) -> (Shell, Instant) {
    let mut rng = Rng::stream(seed, "ahead");
    let mut config = kernel::Config::new(2);
    config.schedule.interval_initial = PERIOD;
    config.schedule.interval_min = PERIOD;
    config.schedule.interval_max = Span::HOUR;
    let pace =
        if rng.one_in(2) { Pace::Instant } else { Pace::random(Rng::stream(seed, "pace"), START) };
    let mut shell = Shell::new(config, pace, START);
    let hours = [0, 1, 2, 30, 40].map(|hour| START + Span::HOUR.times(hour));
    for (name, text) in texts() {
        let url = format!("https://{name}.example/");
        for (word, hour) in WORDS.iter().zip(hours) {
            let at = if hour == START { hour } else { hour + Span::from_secs(20 * 60) };
            let page = Page {
                status: 200,
                media_type: "text/html".into(),
                etag: None,
                last_modified: None,
                retry_after: None,
                body: format!("<p>{word}</p>").into_bytes().into(),
            };
            shell.web.show(&url, at, Reply::Page(page));
        }
        shell.wish(START + Span::SECOND, Wish::Apply { name: name.into(), text: text.into() });
    }
    let by = *rng.pick(&[3, 30, 49, 24 * 60, 24 * 200]);
    let by = Span::HOUR.times(by) + rng.span(Span::ZERO, Span::HOUR);
    let wrong = hours[2] + rng.span(Span::ZERO, PERIOD);
    let right = wrong + rng.span(Span::from_secs(60), Span::HOUR.times(3));
    for (at, clock) in [(wrong, Clock::Ahead(by)), (right, Clock::Right)] {
        let until = at + rng.span(Span::ZERO, Span::MINUTE);
        shell.crash_at(Crash { at, point: Point::Now, until, clock });
    }
    (shell, right + Span::MINUTE)
}

/// By sentinel, and by the words before and after: under which keys it was told.
#[derive(Default)]
struct Told(BTreeMap<(String, usize), BTreeSet<Box<str>>>);

impl Told {
    fn live(&mut self, shell: &mut Shell, until: Instant) {
        while shell.advance(until).expect("the server goes on") {
            for seen in shell.take_seen() {
                match seen {
                    Seen::Answered { answer: answer @ Answer::Refused(_), .. } => {
                        panic!("{answer:?}")
                    }
                    Seen::Letter { letter, .. } => self.hear(&letter),
                    _ => {}
                }
            }
        }
    }

    fn hear(&mut self, letter: &crate::people::Letter) {
        let body: serde_json::Value = serde_json::from_slice(&letter.body).expect("JSON");
        let (name, text) = (body["sentinel"].as_str().unwrap_or_default(), body.to_string());
        let said = |number: usize| text.contains(WORDS[number]);
        let newest = (0..WORDS.len()).rfind(|&number| said(number)).expect("a change of words");
        self.0.entry((name.to_owned(), newest)).or_default().insert(letter.key.clone());
    }

    fn times(&self, name: &str, change: usize) -> usize {
        self.0.get(&(name.to_owned(), change)).map_or(0, BTreeSet::len)
    }
}

fn state(shell: &Shell, name: &str) -> SentinelState {
    let kernel = shell.kernel().expect("it runs");
    let views = kernel.sentinels(OwnerId::FIRST, None, 100, shell.now());
    let view = views.into_iter().find(|view| *view.row.name == *name);
    view.expect("it was applied").life.state
}

#[test]
fn a_clock_that_was_ahead_ends_and_moves_nothing_for_good_and_each_change_is_told_once() {
    for seed in 0..8 {
        let (mut shell, righted) = world(seed);
        let mut told = Told::default();
        told.live(&mut shell, righted + Span::MINUTE);
        for (name, _) in texts().iter().filter(|(name, _)| *name != LATER) {
            assert_eq!(state(&shell, name), SentinelState::Active, "seed {seed}: {name}");
        }
        told.live(&mut shell, START + Span::DAY.times(3));
        assert_eq!(state(&shell, ENDING), SentinelState::Ended, "seed {seed}");
        let names = FAITHFUL.into_iter().chain([LATER]);
        for name in names.clone() {
            assert_eq!(state(&shell, name), SentinelState::Active, "seed {seed}: {name}");
        }
        for name in names.clone().chain([ENDING]) {
            for change in [3, 4] {
                assert_eq!(told.times(name, change), 1, "seed {seed}: {name} {}", WORDS[change]);
            }
        }
        for name in FAITHFUL.into_iter().chain([ENDING]) {
            for change in [1, 2] {
                assert_eq!(told.times(name, change), 1, "seed {seed}: {name} {}", WORDS[change]);
            }
        }
        let views =
            shell.kernel().expect("it runs").sentinels(OwnerId::FIRST, None, 100, shell.now());
        for view in views {
            let Some(looks) = view.looks else { continue };
            let wait = looks.next - shell.now();
            assert!(wait <= PERIOD, "seed {seed}: {} waits for {wait}", view.row.name);
            let off = (looks.next - START - FIRST).as_millis().rem_euclid(PERIOD.as_millis());
            assert!(*view.row.name != *"fixed" || off == 0, "seed {seed}: looks were moved");
        }
    }
}
