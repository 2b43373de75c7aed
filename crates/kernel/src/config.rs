//! What the kernel is configured with; every limit has its unit in its name or its document.

use address::ChannelKind;
use chronon::{Span, Zone};
use std::collections::BTreeMap;

/// A channel a sentinel may name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelInfo {
    pub name: String,
    /// What its contacts look like; `None`: like anything.
    pub kind: Option<ChannelKind>,
    /// A sentinel must say whom: `email` needs an address, `terminal` needs nothing.
    pub contact_needed: bool,
    /// Why nothing can be sent by it as things are.
    pub trouble: Option<Box<str>>,
}

/// The channels that sentinels may name, and how they want to be told, by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChannelBook {
    pub infos: Vec<ChannelInfo>,
    pub manners: BTreeMap<Box<str>, outbox::Manners>,
    /// Names of channels that became others: what they answered before is forgotten.
    pub renewed: Vec<Box<str>>,
}

/// Limits and defaults of the kernel and the parts it composes.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    pub schedule: schedule::Config,
    pub outbox: outbox::Config,
    pub zone: Zone,
    /// Whom this instance may ask and tell, for texts that are checked.
    pub reach: address::Reach,
    pub channels: Vec<ChannelInfo>,
    pub default_channel: String,
    /// Comparisons in flight; two per core suit.
    pub comparisons_max: u32,
    /// Rounds of one source that may wait before it gets no more probes.
    pub rounds_waiting_max: usize,
    /// One probe in about this time goes without validators: the one nearest to it.
    pub revalidate_after: Span,
    /// A source fails when it yielded nothing for this many tries and this long, less a sixtieth.
    pub failing_tries: u32,
    pub failing_after: Span,
    /// The longest a probe may take, and the least of a source that fails again and again.
    pub probe_time_max: Span,
    pub probe_time_min: Span,
    /// A host that asks for a pause without saying how long gets this, doubled each time.
    pub host_hold_first: Span,
    pub host_hold_max: Span,
    /// Redirects that a look follows at most.
    pub redirects_max: u32,
    /// From the start of a look on: as long it waits for the hosts that redirects lead to.
    pub redirect_wait_max: Span,
    /// How long looks begin where redirects led before the first address is asked again.
    pub redirect_trusted: Span,
    pub retention: Span,
    pub retention_versions: u32,
    pub sentinels_max: usize,
}

/// One try in this number has the whole time, of a source that fails again and again: a server that
/// was away and is slow is heard again.
const WHOLE_TIME_EVERY: u32 = 4;

impl Config {
    /// How long a probe may take of a source that failed so often in a row: half as long from the
    /// second failure on with each, for one that hangs takes a place that others could use.
    pub(crate) fn time_of_probe(&self, failures: u32) -> Span {
        let halvings = failures.saturating_sub(1).min(16);
        let whole = self.probe_time_max;
        if failures.is_multiple_of(WHOLE_TIME_EVERY) {
            return whole;
        }
        let less = Span::from_millis(whole.as_millis() >> halvings);
        less.max(self.probe_time_min).min(whole)
    }

    /// Why nothing can be sent by the channel of this name as things are.
    pub(crate) fn trouble_of(&self, channel: &str) -> Option<&str> {
        match self.channels.iter().find(|info| info.name == channel) {
            Some(info) => info.trouble.as_deref(),
            None => Some("there is no such channel any more"),
        }
    }

    /// Takes over which channels there are.
    pub fn know_channels(&mut self, book: ChannelBook) {
        self.channels = book.infos;
        self.outbox.manners = book.manners;
    }

    /// The defaults, for a machine with `cores` cores.
    pub fn new(cores: u32) -> Config {
        let channel = |kind: ChannelKind| ChannelInfo {
            name: kind.name().into(),
            kind: Some(kind),
            contact_needed: kind.needs_contact(),
            trouble: None,
        };
        Config {
            schedule: schedule::Config::standard(),
            outbox: outbox::Config::standard([0; 16]),
            zone: Zone::utc(),
            reach: address::Reach::default(),
            channels: ChannelKind::built_in().map(channel).collect(),
            default_channel: ChannelKind::Interactive.name().into(),
            comparisons_max: cores.max(1) * 2,
            rounds_waiting_max: 8,
            revalidate_after: Span::DAY,
            failing_tries: 3,
            failing_after: Span::HOUR.times(6),
            probe_time_max: Span::from_secs(30),
            probe_time_min: Span::from_secs(5),
            host_hold_first: Span::MINUTE,
            host_hold_max: Span::DAY,
            redirects_max: 10,
            redirect_wait_max: Span::MINUTE,
            redirect_trusted: Span::DAY,
            retention: Span::DAY.times(90),
            retention_versions: 1_000,
            sentinels_max: 1_000_000,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_that_fails_again_and_again_has_less_time_but_for_one_try_in_four() {
        let config = Config::new(1);
        let seconds: Vec<i64> =
            (0..10).map(|failures| config.time_of_probe(failures).as_millis() / 500).collect();
        // In half seconds.
        assert_eq!(seconds, [60, 60, 30, 15, 60, 10, 10, 10, 60, 10]);
        let quick = Config { probe_time_max: Span::from_secs(2), ..config };
        assert_eq!(quick.time_of_probe(7), Span::from_secs(2));
    }
}
