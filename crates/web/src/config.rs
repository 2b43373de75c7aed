//! What the binary decides about the API and the dashboard.

use chronon::{Instant, Span};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

/// Settings of one server. Only [`WebConfig::new`]'s arguments have no default.
#[derive(Clone)]
pub struct WebConfig {
    /// Authorises writes, and reads from other machines. An empty token authorises nobody.
    pub token: String,
    /// Where the server listens. Its address is a Host that is answered; if it is unspecified
    /// (`0.0.0.0`), every literal address is, for only names can be rebound.
    pub listen: SocketAddr,
    /// Names by which people reach this server; a port is ignored. Loopback names always work.
    pub allowed_hosts: Vec<String>,
    /// Of the program, for people.
    pub version: String,
    pub door: Door,
    /// The kernel's time.
    pub now: Arc<dyn Fn() -> Instant + Send + Sync>,
    /// Metrics as Prometheus text.
    pub metrics: Arc<dyn Fn() -> String + Send + Sync>,
    /// Whether the engine has started and its store takes writes.
    pub ready: Arc<dyn Fn() -> bool + Send + Sync>,
    pub limits: Limits,
}

impl WebConfig {
    /// Settings with every default; metrics are empty and the server is always ready.
    pub fn new(
        token: impl Into<String>,
        listen: SocketAddr,
        version: impl Into<String>,
        now: Arc<dyn Fn() -> Instant + Send + Sync>,
    ) -> WebConfig {
        WebConfig {
            token: token.into(),
            listen,
            allowed_hosts: Vec::new(),
            version: version.into(),
            door: Door::OpenToLoopback,
            now,
            metrics: Arc::new(String::new),
            ready: Arc::new(|| true),
            limits: Limits::default(),
        }
    }
}

impl WebConfig {
    /// Nobody ever logs in: only this machine reaches the server, and it is let in.
    pub(crate) fn is_open_to_all_who_reach_it(&self) -> bool {
        let here = self.listen.ip().to_canonical().is_loopback();
        here && self.allowed_hosts.is_empty() && self.door == Door::OpenToLoopback
    }
}

/// Whom the dashboard lets in without a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// A browser on this machine gets a session by opening the dashboard. Requests that carry a
    /// proxy's headers do not count as from this machine.
    OpenToLoopback,
    /// Everybody logs in with the token: for machines that several people share.
    Closed,
}

/// Limits, with their units.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// Bytes of a request's body.
    pub body_bytes_max: usize,
    /// Until a request is answered; event streams excepted.
    pub request_time_max: Duration,
    /// Answers remembered for `Idempotency-Key`.
    pub idempotency_keys_max: usize,
    /// Between two comments of an event stream.
    pub comment_every: Duration,
    /// Event streams at once.
    pub event_streams_max: usize,
    /// How long a session of the dashboard lasts without being used.
    pub session_lasts: Span,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body_bytes_max: 1024 * 1024,
            request_time_max: Duration::from_secs(60),
            idempotency_keys_max: 1_000,
            comment_every: Duration::from_secs(15),
            event_streams_max: 256,
            session_lasts: Span::DAY.times(30),
        }
    }
}
