//! What hosts may expect: each request counts, whatever led to it, and a pause is a pause.

use crate::web::{End, host};
use chronon::{Instant, Span};
use kernel::Config;
use schedule::invariant::{self, Started};
use std::collections::{BTreeMap, BTreeSet};

/// The requests of all looks, and who asked whom for a pause.
#[derive(Debug, Default)]
pub(super) struct Manners {
    requests: Vec<Started>,
    /// Looks, by when they began.
    looks: BTreeSet<(Instant, Box<str>)>,
    /// Addresses that the latest look of a source asked.
    asked: BTreeMap<Box<str>, (Instant, Vec<Box<str>>)>,
    /// Hosts that want no requests at all, and none that redirects lead there.
    held: BTreeMap<Box<str>, Pause>,
    led_held: BTreeMap<Box<str>, Pause>,
    /// When a host asked for a pause last.
    busy: BTreeMap<Box<str>, Instant>,
    /// Sources that were led to such a host.
    paused: BTreeMap<Box<str>, Pause>,
}

/// Asked for in a batch of answers: requests of that very batch may have been decided before.
#[derive(Debug, Clone, Copy)]
struct Pause {
    after: Instant,
    until: Instant,
}

fn number(host: &str) -> chronon::HostId {
    chronon::HostId(host.bytes().fold(0, |n, byte| n.wrapping_mul(31) + u32::from(byte)))
}

impl Manners {
    pub(super) fn looks(&self) -> u64 {
        self.looks.len() as u64
    }

    /// A request to `asked` at `at`, of a look at `url` that began at `start`.
    pub(super) fn request(
        &mut self,
        at: Instant,
        (url, asked, start): (&str, &str, Instant),
    ) -> Result<(), String> {
        let name = host(asked);
        let is_led = name != host(url);
        let wants_pause = |list: &BTreeMap<Box<str>, Pause>, who: &str| {
            list.get(who).is_some_and(|pause| pause.after < at && at < pause.until)
        };
        if wants_pause(&self.held, &name)
            || is_led && wants_pause(&self.led_held, &name)
            || wants_pause(&self.paused, url)
        {
            return Err(format!("I-BUDGET: {asked} is asked for {url} while it wants a pause"));
        }
        self.looks.insert((start, url.into()));
        let latest = self.asked.entry(url.into()).or_insert((start, Vec::new()));
        if latest.0 != start {
            *latest = (start, Vec::new());
        }
        latest.1.push(asked.into());
        self.requests.push(Started { at, host: number(&name) });
        Ok(())
    }

    /// 429 and 503 ask for a pause: of all, or of those who come by redirect.
    pub(super) fn answered(
        &mut self,
        at: Instant,
        (url, asked): (&str, &str),
        (end, config): (&End, &Config),
    ) {
        let End::Failed { status: Some(429 | 503), retry_after, .. } = end else { return };
        let pause = retry_after.unwrap_or(config.host_hold_first).min(config.host_hold_max);
        let hold = |list: &mut BTreeMap<Box<str>, Pause>, who: Box<str>| {
            let asked = list.entry(who).or_insert(Pause { after: at, until: at });
            // One that is over had its batch; one that goes on goes on.
            if asked.until <= at {
                asked.after = at;
            }
            asked.until = asked.until.max(at + pause);
        };
        let name = host(asked);
        self.busy.insert(name.clone(), at);
        if name == host(url) {
            hold(&mut self.held, name);
        } else {
            hold(&mut self.led_held, name);
            hold(&mut self.paused, url.into());
        }
    }

    /// An answer that ended no look: a redirect, or a failure of an address that is not the
    /// source's own and was asked first.
    pub(super) fn may_go_on(&self, url: &str, end: &End) -> bool {
        let (_, asked) = &self.asked[url];
        match end {
            End::Moved { .. } => true,
            End::Failed { status, .. } => {
                asked.len() == 1 && *asked[0] != *url && !matches!(status, Some(429 | 503))
            }
            _ => false,
        }
    }

    /// A look ended at `at` without an answer of the host it was led to: that host had no turn for
    /// it in time, or wanted a pause for longer.
    pub(super) fn may_give_up(
        &mut self,
        at: Instant,
        (url, led_to, start): (&str, Option<&str>, Instant),
        config: &Config,
    ) -> Result<(), String> {
        self.looks.insert((start, url.into()));
        let wrong = || Err(format!("{url} was given up at {led_to:?} without a reason"));
        // Where a redirect was learned, what it led to failed, and the look went on at its own.
        let began_elsewhere = self.asked.get(url).is_some_and(|(began, asked)| {
            *began == start && asked.first().is_some_and(|first| **first != *url)
        });
        let Some(led_to) = led_to.or(began_elsewhere.then_some(url)) else { return wrong() };
        let last = start + config.redirect_wait_max;
        let lists = [&self.held, &self.led_held];
        let held = lists
            .into_iter()
            .any(|list| list.get(&host(led_to)).is_some_and(|pause| pause.until > last));
        // Pauses that nobody gave a length grow with every answer that asks for one.
        let grown = |since: &Instant| at - *since <= config.host_hold_max;
        let busy = self.busy.get(&host(led_to)).is_some_and(grown);
        if held || busy || at >= last { Ok(()) } else { wrong() }
    }

    /// I-BUDGET, over everything.
    pub(super) fn finish(&self, config: &schedule::Config) -> Result<(), String> {
        let begun = |(at, url): &(Instant, Box<str>)| Started { at: *at, host: number(&host(url)) };
        let begun: Vec<Started> = self.looks.iter().map(begun).collect();
        let interval: Span = config.host_interval;
        invariant::budget(&begun, config.chronon, config.budget)
            .and_then(|()| invariant::politeness(&self.requests, config.chronon, |_| interval))
            .map_err(|breach| format!("I-BUDGET: {breach}"))
    }
}
