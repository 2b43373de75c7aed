//! Those who come with a wrong token: how often that is answered, and logged.
//!
//! A right token is looked at first and never counted here. One of 256 bits is not found by
//! guessing; the limits keep the log readable, and say who tries.

use crate::places::PlaceCounts;
use chronon::{Instant, Span};
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

/// Wrong tokens of one address at once, and how long one of them counts.
const EACH: Rate = Rate { burst: 10, every: Span::from_secs(6) };
/// Wrong tokens of all.
const ALL: Rate = Rate { burst: 100, every: Span::from_millis(500) };
/// Addresses that are remembered; no more than `ALL` lets through while `EACH` counts them.
const ADDRESSES_MAX: usize = 1_000;

/// So many at once, and one more after each of these spans.
#[derive(Clone, Copy)]
struct Rate {
    burst: i64,
    every: Span,
}

/// Until when what was taken counts: a bucket that leaks.
#[derive(Debug, Clone, Copy)]
struct Bucket(Instant);

/// Counts wrong tokens.
#[derive(Default)]
pub(crate) struct Strangers {
    counts: Mutex<Counts>,
    told: Arc<PlaceCounts>,
}

#[derive(Default)]
struct Counts {
    all: Option<Bucket>,
    each: BTreeMap<IpAddr, Bucket>,
    /// Refused beyond the limits since the last one that was logged.
    unlogged: u64,
}

impl Strangers {
    pub(crate) fn new(told: Arc<PlaceCounts>) -> Strangers {
        Strangers { counts: Mutex::default(), told }
    }

    /// Counts a wrong token and logs who sent it, or says for how many seconds there were too many.
    pub(crate) fn refuse(&self, address: Option<IpAddr>, now: Instant) -> Result<(), u32> {
        self.told.wrong_tokens.fetch_add(1, Ordering::Relaxed);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(wait) = counts.take(address.map(network), now) {
            counts.unlogged += 1;
            return Err(wait);
        }
        let unlogged = std::mem::take(&mut counts.unlogged);
        drop(counts);
        match address {
            Some(address) => tracing::warn!(%address, unlogged, "a wrong token was sent"),
            None => tracing::warn!(unlogged, "a wrong token was sent through a proxy"),
        }
        Ok(())
    }
}

impl Counts {
    fn take(&mut self, key: Option<IpAddr>, now: Instant) -> Result<(), u32> {
        let own = key.and_then(|key| self.each.get(&key)).copied();
        let own = key.map(|key| EACH.take(own, now).map(|bucket| (key, bucket))).transpose()?;
        self.all = Some(ALL.take(self.all, now)?);
        let Some((key, bucket)) = own else { return Ok(()) };
        if self.each.len() >= ADDRESSES_MAX {
            self.each.retain(|_, bucket| bucket.0 > now);
        }
        if self.each.len() < ADDRESSES_MAX {
            self.each.insert(key, bucket);
        }
        Ok(())
    }
}

impl Rate {
    /// One more; or the seconds until there is room for it.
    fn take(self, bucket: Option<Bucket>, now: Instant) -> Result<Bucket, u32> {
        // A clock that went back leaves no more than a full bucket.
        let full = now + self.every.times(self.burst);
        let until = bucket.map_or(now, |bucket| bucket.0.max(now).min(full)) + self.every;
        if until > full {
            let seconds = (until - full).as_millis().unsigned_abs().div_ceil(1_000);
            return Err(u32::try_from(seconds).unwrap_or(u32::MAX));
        }
        Ok(Bucket(until))
    }
}

/// What one person has: an address, or a network of version 6.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(six) => Ipv6Addr::from_bits(six.to_bits() & !u128::from(u64::MAX)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Instant = Instant::from_millis(1_798_761_600_000);

    fn address(text: &str) -> Option<IpAddr> {
        Some(text.parse().expect("an address"))
    }

    #[test]
    fn one_address_is_stopped_and_another_is_not() {
        let strangers = Strangers::default();
        let refuse = |text: &str, at| strangers.refuse(address(text), at);
        for host in 0..10 {
            assert_eq!(refuse(&format!("2001:db8::{host}"), NOW), Ok(()));
        }
        assert_eq!(refuse("2001:db8::ffff", NOW), Err(6));
        assert_eq!(refuse("2001:db8:0:1::1", NOW), Ok(()));
        let later = NOW + Span::from_secs(6);
        assert_eq!(refuse("2001:db8::1", later), Ok(()));
        assert_eq!(refuse("2001:db8::1", later), Err(6));
        assert_eq!(refuse("2001:db8::1", NOW - Span::DAY), Err(6), "a clock that went back");
    }

    #[test]
    fn all_together_are_stopped_with_and_without_an_address() {
        let strangers = Strangers::default();
        for host in 0..50 {
            assert_eq!(strangers.refuse(address(&format!("192.0.2.{host}")), NOW), Ok(()));
            assert_eq!(strangers.refuse(None, NOW), Ok(()));
        }
        assert_eq!(strangers.refuse(address("198.51.100.1"), NOW), Err(1));
        assert_eq!(strangers.refuse(None, NOW), Err(1));
        assert_eq!(strangers.refuse(None, NOW + Span::SECOND), Ok(()));
        assert_eq!(strangers.told.wrong_tokens.load(Ordering::Relaxed), 103);
    }

    #[test]
    fn few_addresses_are_remembered() {
        let strangers = Strangers::default();
        for host in 0..5_000_u32 {
            let now = NOW + Span::SECOND.times(i64::from(host));
            let _ = strangers.refuse(Some(std::net::Ipv4Addr::from_bits(host).into()), now);
        }
        let counts = strangers.counts.lock().expect("whole");
        assert!(counts.each.len() <= ADDRESSES_MAX);
    }
}
