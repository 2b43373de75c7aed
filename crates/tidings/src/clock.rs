//! The process' clock: wall time at the start plus the monotonic clock.
//!
//! Pulled forward at once when the wall is more than a second ahead (a laptop woke up, a clock was
//! set). When the wall is behind it stands still until the wall has caught up with what it said
//! last, and goes on from there; after a minute of standing still the process must start again,
//! since nothing would ever be due.

use chronon::{Instant, Span};
use std::sync::Mutex;
use std::time::{Instant as Monotonic, SystemTime, UNIX_EPOCH};

/// How far the wall may be ahead before the clock follows it at once.
const AHEAD_MAX: Span = Span::SECOND;
/// How long the clock may stand still.
const STILL_MAX: Span = Span::MINUTE;

/// Wall and monotonic clock of a machine, read at once.
type Read = Box<dyn Fn() -> (Instant, Monotonic) + Send + Sync>;

/// Reads both clocks of the machine; one per process.
pub struct Clock {
    read: Read,
    state: Mutex<State>,
}

struct State {
    anchor: Instant,
    since: Monotonic,
    last: Instant,
    /// The clock is doubted: it stands here.
    frozen: Option<Instant>,
    still_since: Option<Monotonic>,
}

impl Clock {
    pub fn start() -> Clock {
        Clock::of(Box::new(|| (wall(), Monotonic::now())))
    }

    /// The clock of a machine whose clocks are read so.
    pub fn of(read: Read) -> Clock {
        let (anchor, since) = read();
        let state = State { anchor, since, last: anchor, frozen: None, still_since: None };
        Clock { read, state: Mutex::new(state) }
    }

    /// Stands still at `at` until it is believed.
    pub fn freeze(&self, at: Instant) {
        self.lock().frozen = Some(at);
    }

    /// Begins anew with what the machine says.
    pub fn believe(&self) {
        let (anchor, since) = (self.read)();
        *self.lock() = State { anchor, since, last: anchor, frozen: None, still_since: None };
    }

    /// What the machine says, believed or not.
    pub fn wall(&self) -> Instant {
        (self.read)().0
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Now; never earlier than what it said before.
    pub fn now(&self) -> Instant {
        let mut state = self.lock();
        let (wall, monotonic) = (self.read)();
        state.frozen.unwrap_or_else(|| state.read(wall, monotonic))
    }

    /// The wall has been behind for longer than the clock may stand still.
    pub fn is_stuck(&self) -> bool {
        let state = self.lock();
        let still = state.still_since.map(|since| since.elapsed().as_millis() as i64);
        still.is_some_and(|millis| Span::from_millis(millis) > STILL_MAX)
    }
}

impl State {
    fn read(&mut self, wall: Instant, mono: Monotonic) -> Instant {
        let elapsed = mono.saturating_duration_since(self.since).as_millis() as i64;
        let steady = self.anchor + Span::from_millis(elapsed);
        if wall - steady > AHEAD_MAX {
            (self.anchor, self.since) = (wall, mono);
            self.still_since = None;
            self.last = self.last.max(wall);
        } else if steady - wall > AHEAD_MAX {
            if wall < self.last {
                self.still_since.get_or_insert(mono);
                return self.last;
            }
            (self.anchor, self.since) = (wall, mono);
            self.still_since = None;
            self.last = wall;
        } else {
            self.still_since = None;
            self.last = self.last.max(steady);
        }
        self.last
    }
}

fn wall() -> Instant {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Instant::from_millis(since.as_millis() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_clock_follows_a_wall_that_is_ahead_and_waits_for_one_that_is_behind() {
        let (t0, start) = (Instant::from_millis(1_000_000), Monotonic::now());
        let mut state =
            State { anchor: t0, since: start, last: t0, frozen: None, still_since: None };
        let mut read = |wall_ms: i64, mono_ms: u64| {
            let wall = Instant::from_millis(1_000_000 + wall_ms);
            state.read(wall, start + Duration::from_millis(mono_ms)).as_millis() - 1_000_000
        };
        assert_eq!(read(500, 400), 400, "a wall that is a little ahead is not followed");
        assert_eq!(read(60_000, 1_000), 60_000, "one that jumped is");
        assert_eq!(read(50_000, 2_000), 60_000, "one that went back makes the clock stand still");
        assert_eq!(read(61_500, 2_100), 61_100, "until the wall has caught up");
    }

    #[test]
    fn a_wall_that_was_set_back_by_seconds_is_waited_for_and_then_followed() {
        let (t0, start) = (Instant::from_millis(1_000_000), Monotonic::now());
        let mut state =
            State { anchor: t0, since: start, last: t0, frozen: None, still_since: None };
        let mut read = |wall_ms: i64, mono_ms: u64| {
            let wall = Instant::from_millis(1_000_000 + wall_ms);
            let said = state.read(wall, start + Duration::from_millis(mono_ms)).as_millis();
            (said - 1_000_000, state.still_since.is_some())
        };
        assert_eq!(read(10_000, 10_000), (10_000, false));
        assert_eq!(read(6_000, 11_000), (10_000, true), "five seconds back: it stands still");
        assert_eq!(read(9_900, 14_900), (10_000, true));
        assert_eq!(read(10_100, 15_100), (10_100, false), "and goes on when the wall is there");
        assert_eq!(read(20_100, 25_100), (20_100, false), "as the wall does");
    }
}
