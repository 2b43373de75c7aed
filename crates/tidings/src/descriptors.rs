//! File descriptors: as many as the system gives, shared out so that connections of the web never
//! take those that the store and the probes need.

use crate::settings::Settings;

/// For the store, its readers, the log, and what the runtime holds.
const KEPT: usize = 128;
/// What a probe or a delivery may hold: its connection, and a name look-up or an idle connection.
const PER_REQUEST: usize = 2;
/// More connections would cost memory, not descriptors.
const CONNECTIONS_MAX: usize = 4_096;
/// Where a system says nothing of limits.
#[cfg(not(unix))]
const UNKNOWN: usize = 1_024;

/// Raises the soft limit of open files to the hard one; says what holds then.
pub fn raise() -> usize {
    let limit = raised();
    tracing::info!(limit, "open files");
    limit
}

#[cfg(unix)]
fn raised() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let now = getrlimit(Resource::Nofile);
    if now.current != now.maximum {
        let wanted = Rlimit { current: now.maximum, maximum: now.maximum };
        if let Err(error) = setrlimit(Resource::Nofile, wanted) {
            tracing::warn!(%error, "the limit of open files stays where it is");
        }
    }
    let holds = getrlimit(Resource::Nofile).current;
    holds.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX))
}

#[cfg(not(unix))]
fn raised() -> usize {
    UNKNOWN
}

/// Open web connections that leave enough for everything else under `limit` descriptors.
pub fn connections_max(limit: usize, settings: &Settings) -> usize {
    let requests = settings.probes_in_flight as usize + settings.deliver_in_flight as usize;
    let kept = KEPT + PER_REQUEST * requests;
    let most = limit.saturating_sub(kept).min(CONNECTIONS_MAX);
    if most >= limit / 4 || most == CONNECTIONS_MAX {
        return most;
    }
    tracing::warn!(
        limit,
        kept,
        "this process may open few files; raise the limit (`LimitNOFILE` of its unit, `ulimit -n`) \
         or lower `probes_in_flight`"
    );
    limit / 4
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(probes: &str) -> Settings {
        let flags = [("probes_in_flight", probes.to_owned())];
        Settings::load(None, std::iter::empty(), &flags).expect("it may be")
    }

    #[test]
    fn the_web_gets_what_store_and_probes_leave() {
        assert_eq!(connections_max(524_288, &settings("256")), 4_096);
        assert_eq!(connections_max(1_024, &settings("64")), 1_024 - 128 - 2 * (64 + 64));
        assert_eq!(connections_max(1_024, &settings("4096")), 256);
    }

    #[cfg(unix)]
    #[test]
    fn the_soft_limit_becomes_the_hard_one() {
        let limit = raised();
        let now = rustix::process::getrlimit(rustix::process::Resource::Nofile);
        assert_eq!(now.current, now.maximum);
        assert!(now.current.is_none_or(|current| current == limit as u64));
    }
}
