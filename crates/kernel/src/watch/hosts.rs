//! Hosts: their names and ids, and the pauses they asked for.

use crate::record::HostRow;
use chronon::{HostId, Instant, Span};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Hosts by name; a host's id means nothing beyond this process, and is used again. Each name is
/// there once, and shared with the rows of its sources.
#[derive(Default)]
pub(crate) struct Hosts {
    by_name: BTreeMap<Arc<str>, HostId>,
    names: Vec<Arc<str>>,
    free: Vec<HostId>,
    /// Pauses asked for by pages of the host itself.
    pub(super) own: Pauses,
    /// Pauses asked for by hosts that redirects lead to, of those whom they led there.
    pub(super) redirects: Pauses,
}

impl Hosts {
    /// The id of `name`, given to it now if it is new.
    pub(super) fn intern(&mut self, name: &str) -> HostId {
        if let Some(&host) = self.by_name.get(name) {
            return host;
        }
        let name: Arc<str> = name.into();
        let host = match self.free.pop() {
            Some(host) => {
                self.names[host.0 as usize] = name.clone();
                host
            }
            None => {
                self.names.push(name.clone());
                HostId(self.names.len() as u32 - 1)
            }
        };
        self.by_name.insert(name, host);
        host
    }

    /// The name of a host that is known.
    pub(super) fn name(&self, host: HostId) -> Arc<str> {
        self.names[host.0 as usize].clone()
    }

    pub(super) fn get(&self, name: &str) -> Option<HostId> {
        self.by_name.get(name).copied()
    }

    /// Frees the id, and forgets the pauses. The name, if the host had a row.
    pub(super) fn forget(&mut self, host: HostId) -> Option<Box<str>> {
        let name = self.names.get_mut(host.0 as usize).map(std::mem::take)?;
        if self.by_name.remove(&name).is_some() {
            self.free.push(host);
        }
        self.redirects.0.remove(&*name);
        self.own.0.remove(&*name).map(|_| (&*name).into())
    }

    pub(super) fn len(&self) -> usize {
        self.by_name.len()
    }
}

/// The pauses that hosts asked for, by name.
#[derive(Default)]
pub(crate) struct Pauses(BTreeMap<Box<str>, Pause>);

#[derive(Default)]
struct Pause {
    until: Option<Instant>,
    /// How often in a row it was asked for.
    in_a_row: u32,
}

/// How long pauses are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lengths {
    /// The length of the first of a row where the host names none; doubled each time.
    pub(super) first: Span,
    pub(super) max: Span,
}

impl Pauses {
    /// The end of a pause that is asked for now: no earlier than that of the last one.
    pub(super) fn ask(
        &mut self,
        name: &str,
        now: Instant,
        retry_after: Option<Span>,
        lengths: Lengths,
    ) -> Instant {
        let pause = self.0.entry(name.into()).or_default();
        let doubled = lengths.first.times(1 << pause.in_a_row.min(20));
        pause.in_a_row += 1;
        let until = now + retry_after.unwrap_or(doubled).min(lengths.max);
        pause.until.unwrap_or(now).max(until)
    }

    /// The host is left alone until then, at least.
    pub(super) fn hold(&mut self, name: &str, until: Instant) {
        let held = &mut self.0.entry(name.into()).or_default().until;
        *held = Some(held.map_or(until, |held| held.max(until)));
    }

    pub(super) fn until(&self, name: &str) -> Option<Instant> {
        self.0.get(name)?.until
    }

    /// The host answered a look that began then, and asked for nothing: its pauses are forgotten. A
    /// look that began before a pause was over says nothing of it. Whether there were any.
    pub(super) fn answered(&mut self, name: &str, began: Instant) -> bool {
        let pause = self.0.get(name);
        let is_over = pause.is_some_and(|pause| pause.until.is_none_or(|until| until <= began));
        is_over && self.0.remove(name).is_some()
    }

    pub(super) fn load(&mut self, row: &HostRow) {
        let pause = Pause { until: row.held_until, in_a_row: row.holds };
        self.0.insert(row.name.clone(), pause);
    }

    pub(super) fn row(&self, name: &str) -> Option<HostRow> {
        let Pause { until: held_until, in_a_row: holds } = *self.0.get(name)?;
        Some(HostRow { name: name.into(), held_until, holds })
    }

    /// By name.
    pub(super) fn rows(&self) -> impl Iterator<Item = HostRow> {
        self.0.keys().filter_map(|name| self.row(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const T0: Instant = Instant::from_millis(1_800_000_000_000);
    const LENGTHS: Lengths = Lengths { first: Span::MINUTE, max: Span::HOUR };

    #[derive(Debug, Clone)]
    enum Said {
        Pause(Option<i64>),
        Nothing { began: i64 },
    }

    fn said() -> impl Strategy<Value = Said> {
        prop_oneof![
            proptest::option::of(0i64..10_000).prop_map(Said::Pause),
            (0i64..4_000).prop_map(|began| Said::Nothing { began }),
        ]
    }

    /// When the host may be asked again, from all that was said: the pauses one by one.
    fn slow(history: &[(Instant, Said)]) -> Option<Instant> {
        let (mut ends, mut next) = (Vec::new(), LENGTHS.first);
        for (at, said) in history {
            match said {
                Said::Pause(named) => {
                    ends.push(*at + named.map_or(next, Span::from_secs).min(LENGTHS.max));
                    next = next + next;
                }
                Said::Nothing { began } => {
                    let began = *at - Span::from_secs(*began);
                    if ends.iter().all(|end| *end <= began) {
                        next = LENGTHS.first;
                    }
                }
            }
        }
        ends.into_iter().max()
    }

    proptest! {
        #[test]
        fn a_pause_lasts_as_its_row_says(
            all in prop::collection::vec((0i64..4_000, said()), 1..20),
        ) {
            let (mut pauses, mut history, mut now) = (Pauses::default(), Vec::new(), T0);
            for (later, said) in all {
                now += Span::from_secs(later);
                match said {
                    Said::Pause(named) => {
                        let named = named.map(Span::from_secs);
                        let until = pauses.ask("a.example", now, named, LENGTHS);
                        pauses.hold("a.example", until);
                    }
                    Said::Nothing { began } => {
                        pauses.answered("a.example", now - Span::from_secs(began));
                    }
                }
                history.push((now, said));
                let open = |until: Option<Instant>| until.filter(|&until| until > now);
                prop_assert_eq!(open(pauses.until("a.example")), open(slow(&history)));
                let mut loaded = Pauses::default();
                pauses.rows().for_each(|row| loaded.load(&row));
                pauses = loaded;
            }
        }
    }

    #[test]
    fn an_id_is_used_again_once_its_host_is_forgotten() {
        let mut hosts = Hosts::default();
        let (a, b) = (hosts.intern("a.example"), hosts.intern("b.example"));
        assert_eq!((hosts.intern("a.example"), hosts.len()), (a, 2));
        hosts.own.hold("a.example", T0);
        assert_eq!(hosts.forget(a).as_deref(), Some("a.example"), "its row goes");
        assert_eq!(hosts.forget(a), None);
        assert_eq!((hosts.get("a.example"), hosts.own.until("a.example")), (None, None));
        assert_eq!((hosts.intern("c.example"), hosts.get("b.example")), (a, Some(b)));
        assert_ne!(hosts.intern("d.example"), a);
    }
}
