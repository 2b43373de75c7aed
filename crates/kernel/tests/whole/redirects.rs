//! Redirects: each hop is a request of its own, and what they teach survives.

use super::content;
use chronon::{Instant, Span};
use kernel::io::{
    ApplyMode, Done, FetchOutcome, Fetched, Probe, ProbeEnd, RequestId, Task, Ticket,
};
use kernel::record::{ProbeOutcome, ProbeRow, SourceRow};
use kernel::{Config, Effect, Input, Kernel, Output, Proposal, Record, Snapshot};
use std::collections::BTreeMap;

const START: Instant = Instant::from_millis(1_800_000_000_000);

/// A kernel in a web that is a function from what is asked to what is answered.
struct Browser<'w> {
    kernel: Kernel,
    now: Instant,
    web: &'w dyn Fn(&str, Instant) -> FetchOutcome,
    /// Every request, and when.
    asked: Vec<(Instant, String)>,
    looks: Vec<ProbeRow>,
    rows: BTreeMap<u32, SourceRow>,
}

impl<'w> Browser<'w> {
    fn new(config: Config, web: &'w dyn Fn(&str, Instant) -> FetchOutcome) -> Browser<'w> {
        let mut kernel = Kernel::load(config, Snapshot::default(), START);
        kernel.step(START, Input::Started);
        let (asked, looks, rows) = (Vec::new(), Vec::new(), BTreeMap::new());
        Browser { kernel, now: START, web, asked, looks, rows }
    }

    fn apply(&mut self, text: &str) {
        let apply = self.kernel.application(
            self.now,
            RequestId(1),
            Proposal::of_system(text, ApplyMode::Upsert),
        );
        let output = self.kernel.step(self.now, apply);
        self.take(output);
    }

    fn take(&mut self, output: Output) {
        let mut outputs = vec![output];
        while let Some(output) = outputs.pop() {
            for record in output.records {
                match record {
                    Record::Probe(row) => self.looks.push(row),
                    Record::Source(row) => drop(self.rows.insert(row.id.0, *row)),
                    _ => {}
                }
            }
            for effect in output.effects {
                let Effect::Start(Task::Probe(Probe { ticket, url, .. })) = effect else {
                    continue;
                };
                self.asked.push((self.now, url.to_string()));
                let input = fetched(ticket, (self.web)(&url, self.now));
                outputs.push(self.kernel.step(self.now, input));
            }
        }
    }

    fn run_until(&mut self, end: Instant) {
        while let Some(next) = self.kernel.next_deadline().filter(|&next| next <= end) {
            self.now = self.now.max(next);
            let output = self.kernel.step(self.now, Input::Tick);
            self.take(output);
        }
        self.now = end;
    }

    /// What was asked, since the last time.
    fn take_asked(&mut self) -> Vec<String> {
        self.asked.drain(..).map(|(_, url)| url).collect()
    }

    /// The process dies, and another begins with what the store holds of the sources.
    fn crash(&mut self, config: Config) {
        let fold = self.kernel.fold(self.now);
        self.kernel = Kernel::load(config, fold, self.now);
        let output = self.kernel.step(self.now, Input::Started);
        self.take(output);
    }
}

fn fetched(ticket: Ticket, outcome: FetchOutcome) -> Input {
    let fetched = Fetched { outcome, body_bytes: 1, wire_bytes: 1, took: Span::ZERO };
    Input::Done { ticket, done: Done::Fetched(fetched) }
}

fn to(url: &str) -> FetchOutcome {
    FetchOutcome::Moved { to: url.into() }
}

fn failed(status: u16, retry_after: Option<Span>) -> FetchOutcome {
    let (reason, holds_host) = (format!("it answered {status}").into(), status == 503);
    ProbeEnd::Failed { status: Some(status), reason, holds_host, retry_after }.into()
}

fn config() -> Config {
    let mut config = Config::new(1);
    config.schedule.host_interval = Span::ZERO;
    config
}

const HOURLY: &str = "create sentinel s using https://old.example/ monitor links \
    fetch every 1 hour within 30 minutes from 2027-01-15 08:00";
const OLD: &str = "https://old.example/";
const NEW: &str = "https://new.example/";

fn at(hours: i64) -> Instant {
    START + Span::HOUR.times(hours) + Span::MINUTE
}

#[test]
fn a_redirect_that_three_looks_followed_is_asked_again_once_a_day() {
    let web = |url: &str, _| if url == OLD { to(NEW) } else { content(1).into() };
    let mut browser = Browser::new(config(), &web);
    browser.apply(HOURLY);
    browser.run_until(at(2));
    assert_eq!(browser.take_asked(), [OLD, NEW, OLD, NEW, OLD, NEW]);
    browser.run_until(at(25));
    assert_eq!(browser.take_asked(), vec![NEW; 23]);
    browser.run_until(at(27));
    let asked = browser.take_asked();
    assert_eq!(asked, [OLD, NEW, NEW], "a day after the first address was asked");
    assert!(browser.looks.iter().all(|look| look.led_to.as_deref() == Some(NEW)));
    let ended = |look: &ProbeRow| !matches!(look.outcome, ProbeOutcome::Failed { .. });
    assert!(browser.looks.iter().all(ended));
}

#[test]
fn the_first_address_is_asked_at_once_when_what_it_led_to_fails() {
    let moved = at(10);
    let web = |url: &str, now| match (url, now < moved) {
        (OLD, true) => to(NEW),
        (_, true) => content(1).into(),
        (OLD, false) => to("https://newer.example/"),
        (NEW, false) => failed(404, None),
        _ => content(2).into(),
    };
    let mut browser = Browser::new(config(), &web);
    browser.apply(HOURLY);
    browser.run_until(at(10));
    browser.take_asked();
    browser.run_until(at(11));
    assert_eq!(browser.take_asked(), [NEW, OLD, "https://newer.example/"]);
    let last = browser.looks.last().expect("a look");
    assert_eq!(last.led_to.as_deref(), Some("https://newer.example/"));
    assert!(!matches!(last.outcome, ProbeOutcome::Failed { .. }), "one look, and a good one");
}

#[test]
fn what_a_redirect_taught_survives_the_process() {
    let web = |url: &str, _| if url == OLD { to(NEW) } else { content(1).into() };
    let mut browser = Browser::new(config(), &web);
    browser.apply(HOURLY);
    browser.run_until(at(2));
    browser.take_asked();
    browser.crash(config());
    browser.run_until(at(3));
    assert_eq!(browser.take_asked(), [NEW]);
}

#[test]
fn redirects_that_lead_back_or_on_and_on_are_failures() {
    let back = |url: &str, _| if url == OLD { to(NEW) } else { to(OLD) };
    let on = |url: &str, _| to(&format!("{url}a/"));
    type Web<'a> = &'a dyn Fn(&str, Instant) -> FetchOutcome;
    let endings: [(Web<'_>, usize, &str); 2] = [
        (&back, 2, "the redirects lead back to where they started"),
        (&on, 11, "the server redirected more than 10 times; fetch.redirects_max sets the limit"),
    ];
    for (web, requests, said) in endings {
        let mut browser = Browser::new(config(), web);
        browser.apply(HOURLY);
        browser.run_until(START + Span::SECOND);
        assert_eq!(browser.asked.len(), requests);
        let failure = &browser.looks[0].outcome;
        assert!(matches!(failure, ProbeOutcome::Failed { reason, .. } if **reason == *said));
    }
}

#[test]
fn a_pause_behind_a_redirect_is_for_the_source_and_survives_and_is_none_for_the_host() {
    let web = |url: &str, now| match url {
        OLD => to("https://new.example/a"),
        "https://new.example/a" if now < at(0) => failed(503, Some(Span::MINUTE.times(20))),
        _ => content(1).into(),
    };
    let mut browser = Browser::new(config(), &web);
    browser.apply(HOURLY);
    browser.apply(
        "create sentinel near using https://new.example/near monitor links \
         fetch every 5 minutes within 1 minute from 2027-01-15 08:05",
    );
    browser.run_until(START + Span::MINUTE);
    assert_eq!(browser.take_asked(), [OLD, "https://new.example/a"]);
    browser.crash(config());
    browser.run_until(START + Span::MINUTE.times(19));
    assert_eq!(browser.take_asked(), vec!["https://new.example/near"; 3]);
    browser.run_until(START + Span::MINUTE.times(21));
    let asked = browser.take_asked();
    assert!(asked.contains(&"https://new.example/a".to_owned()), "{asked:?}");
}

#[test]
fn a_look_that_found_no_turn_goes_on_where_it_stood() {
    let mut config = config();
    config.schedule.host_interval = Span::MINUTE.times(5);
    let web = |url: &str, _| match url {
        "https://a.example/" | "https://b.example/" => to(NEW),
        _ => content(1).into(),
    };
    let mut browser = Browser::new(config.clone(), &web);
    for name in ["a", "b"] {
        browser.apply(&format!(
            "create sentinel {name} using https://{name}.example/ monitor links \
             fetch every 1 hour within 59 minutes from 2027-01-15 08:00"
        ));
    }
    browser.run_until(START + Span::MINUTE.times(7));
    let late = browser.looks.iter().filter(|look| {
        matches!(&look.outcome, ProbeOutcome::Failed { reason, .. } if reason.contains("no turn"))
    });
    assert_eq!(late.count(), 1, "{:?}", browser.looks);
    browser.crash(config);
    browser.take_asked();
    browser.run_until(START + Span::MINUTE.times(40));
    assert_eq!(browser.take_asked(), [NEW], "without its own address");
}

#[test]
fn hosts_that_only_redirects_led_to_are_forgotten() {
    let number = std::cell::Cell::new(0);
    let web = |url: &str, _| match url {
        OLD => {
            number.set(number.get() + 1);
            to(&format!("https://n{}.example/", number.get()))
        }
        _ => content(1).into(),
    };
    let mut config = config();
    config.schedule.host_interval = Span::from_secs(1);
    let mut browser = Browser::new(config, &web);
    browser.apply(
        "create sentinel s using https://old.example/ monitor links \
         fetch every 10 seconds within 5 seconds",
    );
    browser.run_until(START + Span::HOUR.times(3));
    assert!(number.get() > 1_000);
    assert!(browser.kernel.hosts_known() <= 3, "{}", browser.kernel.hosts_known());
}
