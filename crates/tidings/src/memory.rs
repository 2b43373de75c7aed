//! How `fetch.memory_bytes_max` is divided.
//!
//! | part | for |
//! |---|---|
//! | 1/4 | bodies on their way: the longest; the rest half for all alike, half for sixteen large |
//! | 1/8 | reading pages that cost little |
//! | 5/8 | reading the others |

use crate::readers::Rooms;
use crate::settings::Settings;
use fetch::memory::{Memory, Parts};
use std::time::Duration;

/// So many of the longest bodies fit at least: less could not be divided.
const BODIES_MIN: u64 = 8;
/// Seats in the hall.
const HALL_SEATS: usize = 16;
/// The longest waits for memory: its look holds a place that others could use.
const WAIT_MAX: Duration = Duration::from_secs(60);
const HALL_WAIT_MAX: Duration = Duration::from_secs(2);

/// The memory for pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    all: u64,
    body: u64,
    looks: u64,
}

impl Plan {
    /// As configured; where the longest bodies would not fit, as much as they need.
    pub fn of(settings: &Settings) -> Plan {
        let (wanted, body) = (settings.fetch_memory_bytes_max, settings.fetch_body_bytes_max);
        let all = wanted.max(BODIES_MIN * body);
        if all > wanted {
            tracing::warn!(
                taken = all,
                "fetch.memory_bytes_max is {wanted}, less than {BODIES_MIN} times \
                 fetch.body_bytes_max; Tidings takes that minimum instead"
            );
        }
        Plan { all, body, looks: settings.probes_in_flight.into() }
    }

    /// For bodies on their way.
    pub fn bodies(&self) -> Memory {
        let half = (self.all / 4 - self.body) / 2;
        Memory::new(Parts {
            own_bytes: half / self.looks,
            hall_bytes: half / HALL_SEATS as u64,
            hall_seats: HALL_SEATS,
            wait_max: WAIT_MAX,
            hall_wait_max: HALL_WAIT_MAX,
        })
    }

    /// For reading them.
    pub fn reading(&self) -> Rooms {
        Rooms { cheap_bytes: self.all / 8, dear_bytes: self.all / 8 * 5 }
    }
}
