//! A person has a page looked at that nobody watches: within budget and politeness, as any look.

use chronon::{Instant, Span};
use kernel::io::{Actor, Answer, Command, Effect, Input, Output, RequestId};
use kernel::{Config, Kernel, Record, Snapshot};

const START: Instant = Instant::from_millis(1_800_000_000_000);

struct Desk {
    kernel: Kernel,
}

impl Desk {
    fn new() -> Desk {
        let mut config = Config::new(2);
        config.schedule.host_interval = Span::from_secs(5);
        config.schedule.host_in_flight = 1;
        config.schedule.budget = 2.0;
        let mut kernel = Kernel::load(config, Snapshot::default(), START);
        kernel.step(START, Input::Started);
        Desk { kernel }
    }

    fn ask(&mut self, second: i64, command: Command) -> (Answer, Output) {
        let (request, actor) = (RequestId(1), Actor::SYSTEM);
        let at = START + Span::from_secs(second);
        let output = self.kernel.step(at, Input::Command { request, actor, command });
        let answer = output.effects.iter().find_map(|effect| match effect {
            Effect::Answer { answer, .. } => Some(answer.clone()),
            _ => None,
        });
        (answer.expect("an answer"), output)
    }

    fn glance(&mut self, second: i64, host: &str) -> Answer {
        self.ask(second, Command::Glance { host: host.into() }).0
    }

    fn over(&mut self, second: i64, host: &str, hold: Option<Option<Span>>) -> Output {
        self.ask(second, Command::GlanceOver { host: host.into(), hold }).1
    }
}

#[test]
fn a_host_is_asked_once_an_interval_and_once_at_a_time() {
    let mut desk = Desk::new();
    assert_eq!(desk.glance(60, "a.example"), Answer::Done);
    let Answer::Later(at) = desk.glance(60, "a.example") else { panic!("too soon") };
    assert!(at >= START + Span::from_secs(64), "{at}");
    assert!(matches!(desk.glance(80, "a.example"), Answer::Later(_)), "one is under way");
    desk.over(81, "a.example", None);
    assert_eq!(desk.glance(82, "a.example"), Answer::Done);
}

#[test]
fn a_look_takes_a_probe_of_the_budget() {
    let mut desk = Desk::new();
    assert_eq!(desk.glance(60, "a.example"), Answer::Done);
    assert_eq!(desk.glance(60, "b.example"), Answer::Done);
    assert_eq!(desk.glance(60, "c.example"), Answer::Later(START + Span::from_secs(61)));
    assert_eq!(desk.glance(61, "c.example"), Answer::Done);
}

#[test]
fn a_host_that_asks_to_be_left_alone_is() {
    let mut desk = Desk::new();
    assert_eq!(desk.glance(60, "a.example"), Answer::Done);
    let output = desk.over(61, "a.example", Some(Some(Span::HOUR)));
    let is_kept = |record: &Record| matches!(record, Record::Host(row) if row.held_until.is_some());
    assert!(output.records.iter().any(is_kept), "it outlives the process");
    let Answer::Later(at) = desk.glance(600, "a.example") else { panic!("it is held") };
    assert!(at >= START + Span::from_secs(61) + Span::HOUR, "{at}");
}

#[test]
fn a_host_that_nobody_watches_is_forgotten_again() {
    let mut desk = Desk::new();
    assert_eq!(desk.glance(60, "a.example"), Answer::Done);
    desk.over(61, "a.example", None);
    assert_eq!(desk.kernel.hosts_known(), 1);
    desk.kernel.step(START + Span::HOUR, Input::Tick);
    assert_eq!(desk.kernel.hosts_known(), 0);
}
