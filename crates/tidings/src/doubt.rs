//! A clock that is behind what the store has seen: a computer without a battery starts in 2020,
//! until the network tells it the time. Until it is believed nothing is probed, told or ended.
//!
//! It is believed as soon as it is no longer behind, when the system says that it is synchronised,
//! after [`Doubt::patience`], or if somebody said `--trust-clock`.

use chronon::{Instant, Span};
use kernel::record::Meta;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant as Monotonic};

/// systemd-timesyncd writes it when it has heard from a server.
const SYNCHRONISED: &str = "/run/systemd/timesync/synchronized";
/// How long the system may take to say whether its clock is synchronised.
const ASKING_MAX: Duration = Duration::from_secs(2);
/// How often it is asked while a clock is doubted.
const ASK_EVERY: Duration = Duration::from_secs(5);

/// What makes the machine's clock believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// A person said so: the clock is right whatever the store has seen.
    Person,
    /// The store, which is compared with it.
    Store {
        /// How long a clock behind the store is distrusted.
        patience: Span,
        /// Whether the system's word that it is synchronised is enough.
        ask_system: bool,
    },
}

/// Why a server waits, for those who ask; nothing when it does not.
#[derive(Debug, Default)]
pub struct Notice(Mutex<Option<String>>);

impl Notice {
    pub fn get(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, said: Option<String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = said;
    }
}

/// A clock that is not believed yet.
pub struct Doubt {
    newest: Instant,
    began: Monotonic,
    patience: Duration,
    synchronised: Arc<AtomicBool>,
    notice: Arc<Notice>,
}

impl Doubt {
    /// The doubt of a store in the clock that says `now`, if there is any.
    pub fn of(meta: &Meta, now: Instant, trust: Trust, notice: &Arc<Notice>) -> Option<Doubt> {
        let Trust::Store { patience, ask_system } = trust else { return None };
        if !meta.doubts(now) || (ask_system && is_synchronised()) {
            return None;
        }
        let millis = patience.as_millis().unsigned_abs();
        let doubt = Doubt {
            newest: meta.newest,
            began: Monotonic::now(),
            patience: Duration::from_millis(millis),
            synchronised: Arc::default(),
            notice: Arc::clone(notice),
        };
        if doubt.is_over(now) {
            return None;
        }
        doubt.notice.set(Some(doubt.sentence(now)));
        if ask_system {
            doubt.ask_system();
        }
        Some(doubt)
    }

    /// The newest time that the store has seen.
    pub fn newest(&self) -> Instant {
        self.newest
    }

    /// Whether a clock that says `now` is believed.
    pub fn is_over(&self, now: Instant) -> bool {
        let meta = Meta { newest: self.newest, ..Meta::default() };
        !meta.doubts(now)
            || self.synchronised.load(Ordering::Relaxed)
            || self.began.elapsed() >= self.patience
    }

    fn sentence(&self, now: Instant) -> String {
        format!(
            "this computer's clock says {now}, but the store was written until {}; until the clock \
             is synchronised, or for {} at most, nothing is looked at and nothing ends. If the \
             clock is right, start with `tidings serve --trust-clock`",
            self.newest,
            Span::from_millis(self.patience.as_millis() as i64)
        )
    }

    /// Asks until the answer is yes or nobody wants to know any more.
    fn ask_system(&self) {
        let flag = Arc::downgrade(&self.synchronised);
        // Without the thread the patience decides.
        let _ = std::thread::Builder::new().name("clock".into()).spawn(move || {
            while let Some(synchronised) = flag.upgrade() {
                if is_synchronised() {
                    synchronised.store(true, Ordering::Relaxed);
                    return;
                }
                drop(synchronised);
                std::thread::sleep(ASK_EVERY);
            }
        });
    }
}

impl Drop for Doubt {
    fn drop(&mut self) {
        self.notice.set(None);
    }
}

/// Whether the system says that its clock is synchronised.
fn is_synchronised() -> bool {
    Path::new(SYNCHRONISED).exists() || timedatectl().is_some_and(|said| said.trim() == "yes")
}

fn timedatectl() -> Option<String> {
    let mut command = Command::new("timedatectl");
    command.args(["show", "--property=NTPSynchronized", "--value"]);
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let began = Monotonic::now();
    while child.try_wait().ok()?.is_none() {
        if began.elapsed() > ASKING_MAX {
            // It is ours, and nobody waits for its answer any more.
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    std::io::read_to_string(child.stdout.take()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEWEST: Instant = Instant::from_millis(1_800_000_000_000);

    fn doubt(behind: Span, patience: Span) -> Option<Doubt> {
        let meta = Meta { newest: NEWEST, ..Meta::default() };
        let trust = Trust::Store { patience, ask_system: false };
        Doubt::of(&meta, NEWEST - behind, trust, &Arc::default())
    }

    #[test]
    fn a_clock_is_doubted_until_it_is_set_synchronised_or_waited_for() {
        assert!(doubt(Span::SECOND, Span::HOUR).is_none(), "as good as right");
        assert!(doubt(Span::HOUR, Span::ZERO).is_none(), "no patience");
        let doubted = doubt(Span::DAY.times(2_000), Span::HOUR).expect("far behind");
        let wrong = NEWEST - Span::DAY.times(2_000);
        assert!(!doubted.is_over(wrong));
        assert!(doubted.is_over(NEWEST + Span::SECOND), "it was set");
        doubted.synchronised.store(true, Ordering::Relaxed);
        assert!(doubted.is_over(wrong), "the system says that it is right");
    }

    #[test]
    fn who_asks_hears_why_nothing_happens_while_a_clock_is_doubted() {
        let doubted = doubt(Span::HOUR, Span::from_secs(600)).expect("behind");
        let notice = Arc::clone(&doubted.notice);
        let said = notice.get().expect("a reason");
        assert!(said.contains("--trust-clock") && said.contains("10 min"), "{said}");
        drop(doubted);
        assert_eq!(notice.get(), None);
    }
}
