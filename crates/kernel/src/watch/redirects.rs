//! Looks that redirects lead on: each hop is a request of its own, made when the host it goes to
//! has a token; and redirects that were seen so often that looks begin behind them.

use super::hosts::Lengths;
use super::probes::Probed;
use super::sources::SourceEntry;
use super::{Out, Timer, Watch};
use crate::io::{FetchOutcome, Fetched, ProbeEnd, Validators};
use crate::record::{Record, SourceRow, Trail, host_name};
use address::SourceUrl;
use chronon::{HostId, Instant, SourceId, Span, StreamId};
use schedule::Event;

/// The looks in a row that a redirect must lead before it is no longer asked for, except once in
/// [`crate::Config::redirect_trusted`].
const LOOKS_LEARNED: u32 = 3;

/// A look under way.
#[derive(Debug, Clone)]
pub(super) struct Look {
    pub(super) probed: Probed,
    validators: Validators,
    /// What is asked, or waits for a token of its host.
    pub(super) at: Box<str>,
    /// What was asked before, in order, and redirects an earlier look followed on the same way.
    hops: Vec<Box<str>>,
    hops_before: u32,
    began: Began,
    waits: bool,
    cost: Cost,
}

/// A request of a look, to be made now.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Asked {
    pub(crate) probed: Probed,
    pub(crate) url: Box<str>,
    pub(crate) source_url: SourceUrl,
    pub(crate) validators: Validators,
    pub(crate) time_max: Span,
}

/// What its requests took together.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cost {
    pub(super) took: Span,
    pub(super) body_bytes: u64,
    pub(super) wire_bytes: u64,
}

impl Cost {
    fn and(self, fetched: &Fetched) -> Cost {
        Cost {
            took: self.took + fetched.took,
            body_bytes: self.body_bytes + fetched.body_bytes,
            wire_bytes: self.wire_bytes + fetched.wire_bytes,
        }
    }
}

/// Where a look begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Began {
    /// At the source's own address.
    First,
    /// Where redirects have led for some time.
    Learned,
    /// Where the look before ran out of time.
    Unfinished,
}

/// Where the next look of a source begins, as the scheduler was told.
#[derive(Debug, Clone)]
pub(super) struct Beginning {
    began: Began,
    at: Box<str>,
    hops_before: u32,
    /// At another host than the source's own.
    elsewhere: bool,
}

impl Look {
    /// Where it led, if that is another address than it was meant for.
    pub(super) fn led_to(&self, url: &str) -> Option<Box<str>> {
        (*self.at != *url).then(|| self.at.clone())
    }
}

/// Where a look that began at `now` would begin.
fn beginning(row: &SourceRow, now: Instant, trusted: Span) -> Option<(Began, Box<str>, u32)> {
    let trail = row.trail.as_deref()?;
    if let Some((at, hops)) = &trail.unfinished {
        return Some((Began::Unfinished, at.clone(), *hops));
    }
    let is_fresh = trail.asked <= now && now - trail.asked < trusted;
    let is_learned = trail.looks >= LOOKS_LEARNED && is_fresh;
    is_learned.then(|| (Began::Learned, trail.to.clone(), 0))
}

impl Watch {
    /// Works out where the next look of `source` begins, and tells the scheduler. What a person
    /// asks for begins at the first address.
    pub(super) fn plan_beginning(&mut self, source: SourceId) {
        let (now, trusted) = (self.now, self.config.redirect_trusted);
        let Some(entry) = self.sources.get(&source) else { return };
        let is_asked = entry.row.asked.is_some();
        let begins = beginning(&entry.row, now, trusted)
            .filter(|begins| begins.0 != Began::Learned || !is_asked);
        if begins.as_ref().is_some_and(|begins| begins.0 == Began::Learned) {
            let asked = entry.row.trail.as_ref().map_or(now, |trail| trail.asked);
            self.timers.set(asked + trusted, Timer::AskFirst(source));
            self.out.push_back(Out::Led(source));
        }
        self.begin_at(source, begins);
    }

    /// The next look of `source` begins at its own address, unless it goes on from another.
    pub(super) fn begin_at_first(&mut self, source: SourceId) {
        let entry = self.sources.get(&source);
        let begins = entry.and_then(|entry| entry.beginning.as_ref());
        if begins.is_some_and(|begins| begins.began == Began::Learned) {
            self.begin_at(source, None);
        }
    }

    fn begin_at(&mut self, source: SourceId, begins: Option<(Began, Box<str>, u32)>) {
        let Some(entry) = self.sources.get_mut(&source) else { return };
        let was_elsewhere = entry.beginning.as_ref().is_some_and(|begins| begins.elsewhere);
        entry.beginning = begins.map(|(began, at, hops_before)| {
            let elsewhere = *host_name(&at) != *entry.row.host;
            Box::new(Beginning { began, at, hops_before, elsewhere })
        });
        let elsewhere = entry.beginning.as_ref().is_some_and(|begins| begins.elsewhere);
        if elsewhere != was_elsewhere {
            self.scheduler.handle(self.now, Event::BeginsElsewhere { source, elsewhere });
        }
    }

    /// Where the looks of those begin whose redirects are known.
    pub(super) fn plan_beginnings(&mut self) {
        let is_led = |entry: &SourceEntry| entry.row.trail.is_some();
        let led = self.sources.iter().filter(|(_, entry)| is_led(entry));
        let led: Vec<SourceId> = led.map(|(&source, _)| source).collect();
        led.into_iter().for_each(|source| self.plan_beginning(source));
    }

    /// Somebody listens to the stream from now on.
    pub(crate) fn begin_again_of(&mut self, stream: StreamId) {
        let sources = self.streams.get(&stream).map_or(Vec::new(), |stream| stream.sources());
        for source in sources {
            if self.sources.get(&source).is_some_and(|entry| entry.beginning.is_some()) {
                self.plan_beginning(source);
            }
        }
    }

    /// What of a trail outlives the process: where looks begin, and who wants a pause.
    pub(super) fn load_trail(&mut self, source: SourceId) {
        let Some(trail) = &self.sources[&source].row.trail else { return };
        if let Some((host, until)) = trail.pause.clone() {
            let until = until.min(self.now + self.config.host_hold_max);
            if until > self.now {
                self.hold_redirects(source, &host, until);
            }
        }
    }

    /// A pick becomes a request, or waits for a token of the host where its look begins.
    pub(super) fn begin_look(&mut self, probed: Probed, validators: Validators) {
        let source = probed.source;
        let Some(entry) = self.sources.get_mut(&source) else { return };
        entry.probing_since = Some(probed.start);
        let begins = entry.beginning.as_deref().cloned().unwrap_or_else(|| Beginning {
            began: Began::First,
            at: entry.row.url.shown().into(),
            hops_before: 0,
            elsewhere: false,
        });
        entry.look = Some(Box::new(Look {
            probed,
            validators,
            at: begins.at,
            hops: Vec::new(),
            hops_before: begins.hops_before,
            began: begins.began,
            waits: false,
            cost: Cost::default(),
        }));
        if !begins.elsewhere {
            self.ask(source);
        } else if let Some(failed) = self.wait_for_token(source) {
            self.finish_look(source, failed);
        }
    }

    /// The next request of the look of `source`.
    pub(super) fn ask(&mut self, source: SourceId) {
        let Some(entry) = self.sources.get_mut(&source) else { return };
        let Some(look) = &mut entry.look else { return };
        look.waits = false;
        let probed = look.probed;
        let (url, validators) = (look.at.clone(), look.validators.clone());
        let source_url = entry.row.url.clone();
        let time_max = self.config.time_of_probe(entry.row.failures);
        self.counts.requests += 1;
        let asked = Asked { probed, url, source_url, validators, time_max };
        self.out.push_back(Out::Ask(Box::new(asked)));
    }

    /// Lines up for a token of the host of `at`, unless that is known to come too late.
    fn wait_for_token(&mut self, source: SourceId) -> Option<ProbeEnd> {
        let look = self.sources.get_mut(&source)?.look.as_mut()?;
        look.waits = true;
        let (name, last) = (host_name(&look.at), look.probed.start + self.config.redirect_wait_max);
        let held = [self.hosts.own.until(&name), self.hosts.redirects.until(&name)];
        let held = held.into_iter().flatten().max().filter(|&until| until > last);
        if let Some(until) = held {
            self.pause(source, &name, until);
            let whither = self.whither(source, &name)?;
            return Some(failed(format!("{whither}, which asked for a pause")));
        }
        if self.now >= last {
            return self.too_late(source);
        }
        let host = self.hosts.intern(&name);
        self.scheduler.handle(self.now, Event::Moved { source, host });
        self.timers.set(last, Timer::LookLate(source));
        None
    }

    /// Why the look of `source` waits for the host of this name.
    fn whither(&self, source: SourceId, name: &str) -> Option<String> {
        let entry = self.sources.get(&source)?;
        let look = entry.look.as_ref()?;
        let is_first = look.hops.is_empty() && *look.at == *entry.row.url.shown();
        Some(if is_first {
            format!("where its redirect led failed, and it goes on at its own host {name}")
        } else {
            format!("the redirect leads to {name}")
        })
    }

    fn too_late(&mut self, source: SourceId) -> Option<ProbeEnd> {
        let name = host_name(&self.sources.get(&source)?.look.as_ref()?.at);
        let (whither, limit) = (self.whither(source, &name)?, self.config.redirect_wait_max);
        self.counts.redirects_late += 1;
        Some(failed(format!(
            "{whither}, whose request limit left no turn within {limit}; the next try continues \
             there"
        )))
    }

    /// A look that still waits when its time is over has failed, and goes on another time.
    pub(super) fn look_late(&mut self, source: SourceId) {
        let Some(entry) = self.sources.get(&source) else { return };
        let Some(look) = entry.look.as_ref().filter(|look| look.waits) else { return };
        let is_over = look.probed.start + self.config.redirect_wait_max <= self.now;
        if let Some(outcome) = is_over.then(|| self.too_late(source)).flatten() {
            self.finish_look(source, outcome);
        }
    }

    /// The end of a look to which no request is under way.
    fn finish_look(&mut self, source: SourceId, end: ProbeEnd) {
        let Some(look) = self.sources.get(&source).and_then(|entry| entry.look.as_ref()) else {
            return;
        };
        let (probed, cost) = (look.probed, look.cost);
        self.looked(probed, Box::default(), end, cost);
    }

    /// What one request brought: the end of the look, in full, or `None` where it goes on.
    pub(super) fn follow(
        &mut self,
        source: SourceId,
        fetched: Fetched,
    ) -> Option<(ProbeEnd, Cost)> {
        let look = self.sources.get_mut(&source)?.look.as_mut();
        let cost = look.as_ref().map_or_else(Cost::default, |look| look.cost).and(&fetched);
        let asked = look.map(|look| {
            look.cost = cost;
            host_name(&look.at)
        });
        let end = match (fetched.outcome, asked) {
            (FetchOutcome::Over(end), None) => end,
            (FetchOutcome::Moved { .. }, None) => {
                failed("the redirect was not followed".to_owned())
            }
            (FetchOutcome::Moved { to }, Some(asked)) => {
                self.answered(source, &asked);
                self.move_on(source, to)?
            }
            (FetchOutcome::Over(end), Some(asked)) => self.request_over(source, &asked, end)?,
        };
        Some((end, cost))
    }

    /// A request that led no further: so ends its look, unless that begins anew.
    fn request_over(&mut self, source: SourceId, asked: &str, end: ProbeEnd) -> Option<ProbeEnd> {
        match &end {
            ProbeEnd::Failed { holds_host: true, retry_after, .. } => {
                self.hold_who_answered(source, asked, *retry_after);
            }
            ProbeEnd::Failed { .. } if self.begins_anew(source) => {
                return self.wait_for_token(source);
            }
            ProbeEnd::Failed { .. } => {}
            ProbeEnd::Content(..) | ProbeEnd::NotModified | ProbeEnd::SetAside { .. } => {
                self.answered(source, asked);
            }
        }
        Some(end)
    }

    /// The look goes on at `to`, or why it cannot.
    fn move_on(&mut self, source: SourceId, to: Box<str>) -> Option<ProbeEnd> {
        self.counts.redirects += 1;
        let max = self.config.redirects_max;
        let look = self.sources.get_mut(&source)?.look.as_mut()?;
        if to == look.at || look.hops.contains(&to) {
            return Some(failed("the redirects lead back to where they started".to_owned()));
        }
        let from = std::mem::replace(&mut look.at, to);
        let asked = host_name(&from);
        look.hops.push(from);
        if look.hops_before as usize + look.hops.len() > max as usize {
            return Some(failed(format!(
                "the server redirected more than {max} times; fetch.redirects_max sets the limit"
            )));
        }
        let waits = self.wait_for_token(source);
        self.forget_soon(&asked);
        waits
    }

    /// A look that failed where redirects have led for some time asks the first address at once.
    fn begins_anew(&mut self, source: SourceId) -> bool {
        let Some(entry) = self.sources.get_mut(&source) else { return false };
        let Some(look) = entry.look.as_mut() else { return false };
        if look.began != Began::Learned || !look.hops.is_empty() {
            return false;
        }
        look.began = Began::First;
        let left = std::mem::replace(&mut look.at, entry.row.url.shown().into());
        if let Some(trail) = &mut entry.row.trail {
            trail.looks = 0;
        }
        self.touched.sources.insert(source);
        self.forget_soon(&host_name(&left));
        true
    }

    /// The host answered, and did not ask for a pause: those to come begin short again. A look that
    /// began before a pause was over says nothing of it.
    fn answered(&mut self, source: SourceId, name: &str) {
        let Some(entry) = self.sources.get(&source) else { return };
        let began = entry.probing_since.unwrap_or(self.now);
        if *entry.row.host != *name {
            self.hosts.redirects.answered(name, began);
        } else if self.hosts.own.answered(name, began) {
            self.record(Record::HostGone(name.into()));
        }
    }

    /// 429 or 503. A host that said so to a page of its own is held; one that redirects led to is
    /// held for redirects, and the source that they led there.
    fn hold_who_answered(&mut self, source: SourceId, name: &str, retry_after: Option<Span>) {
        let Some(entry) = self.sources.get(&source) else { return };
        if *entry.row.host == *name {
            return self.hold_host(entry.host, name, retry_after);
        }
        let lengths = self.pause_lengths();
        let until = self.hosts.redirects.ask(name, self.now, retry_after, lengths);
        self.pause(source, name, until);
    }

    pub(super) fn hold_host(&mut self, host: HostId, name: &str, retry_after: Option<Span>) {
        let lengths = self.pause_lengths();
        let until = self.hosts.own.ask(name, self.now, retry_after, lengths);
        self.hosts.own.hold(name, until);
        self.out.extend(self.hosts.own.row(name).map(Record::Host).map(Out::Record));
        self.scheduler.handle(self.now, Event::HostHeld { host, until });
    }

    fn pause_lengths(&self) -> Lengths {
        Lengths { first: self.config.host_hold_first, max: self.config.host_hold_max }
    }

    /// Holds the source, and redirects to the host, until then; this outlives the process.
    fn pause(&mut self, source: SourceId, name: &str, until: Instant) {
        self.hold_redirects(source, name, until);
        if let Some(entry) = self.sources.get_mut(&source) {
            entry.row.trail.get_or_insert_default().pause = Some((name.into(), until));
        }
    }

    fn hold_redirects(&mut self, source: SourceId, name: &str, until: Instant) {
        let host = self.hosts.intern(name);
        self.hosts.redirects.hold(name, until);
        self.scheduler.handle(self.now, Event::RedirectsHeld { host, until });
        self.scheduler.handle(self.now, Event::SourcePaused { source, until });
        self.forget_soon(name);
    }

    /// The look is over: what it teaches of where the next one begins. The row is to be written.
    pub(super) fn end_look(&mut self, source: SourceId, succeeded: bool) -> Option<Look> {
        let now = self.now;
        let entry = self.sources.get_mut(&source)?;
        let look = *entry.look.take()?;
        let start = look.probed.start;
        let mut trail = entry.row.trail.take().map_or_else(Trail::default, |trail| *trail);
        trail.pause = trail.pause.filter(|&(_, until)| until > now);
        trail.unfinished = None;
        let own = entry.row.url.shown();
        if look.waits && *look.at != *own {
            let hops = look.hops_before + look.hops.len() as u32;
            trail.unfinished = Some((look.at.clone(), hops));
        }
        if look.began == Began::First {
            trail.asked = start;
        }
        if succeeded {
            let went_on = look.began != Began::Learned || !look.hops.is_empty();
            if *look.at == *own {
                (trail.to, trail.looks) = ("".into(), 0);
            } else if trail.to != look.at {
                (trail.to, trail.looks) = (look.at.clone(), 1);
            } else if went_on {
                trail.looks = trail.looks.saturating_add(1);
            }
        }
        let says_nothing =
            trail.to.is_empty() && trail.unfinished.is_none() && trail.pause.is_none();
        entry.row.trail = (!says_nothing).then(|| Box::new(trail));
        let asked = host_name(&look.at);
        self.touched.sources.insert(source);
        self.plan_beginning(source);
        self.forget_soon(&asked);
        Some(look)
    }

    /// Forgets a host that no source names once nothing keeps it.
    pub(super) fn forget_soon(&mut self, name: &str) {
        if let Some(host) = self.hosts.get(name) {
            self.timers.set(self.now, Timer::ForgetHost(host));
        }
    }

    pub(super) fn forget_host(&mut self, host: HostId) {
        match self.scheduler.forget_host(self.now, host) {
            Ok(()) => {
                if let Some(name) = self.hosts.forget(host) {
                    self.record(Record::HostGone(name));
                }
            }
            Err(later) => self.timers.set(later, Timer::ForgetHost(host)),
        }
    }
}

fn failed(reason: String) -> ProbeEnd {
    ProbeEnd::Failed { status: None, reason: reason.into(), holds_host: false, retry_after: None }
}
