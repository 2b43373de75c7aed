//! What the binary decides about the API and the dashboard.

use crate::looker::Looker;
use crate::places::PlaceCounts;
use crate::public::PublicUrl;
use crate::rehearsal::Rehearsal;
use crate::roster::Roster;
use chronon::{Instant, Zone};
use ipnet::IpNet;
use notice::LinkKey;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

/// Settings of one server. Only [`WebConfig::new`]'s arguments have no default.
#[derive(Clone)]
pub struct WebConfig {
    /// Where the server listens. The address is a Host that is answered; if it is unspecified
    /// (`0.0.0.0`), every literal address is, for only names can be rebound.
    pub listen: SocketAddr,
    /// Names by which people reach this server; a port is ignored. Loopback names always work.
    pub allowed_hosts: Vec<String>,
    /// The address by which people reach this server, if not the one it listens on.
    pub public_url: Option<PublicUrl>,
    /// Networks of proxies that are believed where a request comes from: for limits and logs, and
    /// whether it came over TLS; never for rights.
    pub trusted_proxies: Vec<IpNet>,
    /// The program's version, for people.
    pub version: String,
    /// What the configuration says, for people.
    pub settings: Vec<Setting>,
    /// The zone that people read times in, where their browser does not say its own.
    pub zone: Zone,
    /// The kernel's time.
    pub now: Arc<dyn Fn() -> Instant + Send + Sync>,
    /// Metrics as Prometheus text.
    pub metrics: Arc<dyn Fn() -> String + Send + Sync>,
    /// Whether the engine has started and its store takes writes; if not, why, for people.
    pub ready: Arc<dyn Fn() -> Result<(), String> + Send + Sync>,
    /// Where wrong tokens are counted.
    pub counts: Arc<PlaceCounts>,
    pub limits: Limits,
    /// Looks at pages that nobody watches; `None`: such a look is refused.
    pub looker: Option<Arc<dyn Looker>>,
    /// Shows stored versions to a text; `None`: nobody can.
    pub rehearsal: Option<Arc<dyn Rehearsal>>,
    /// Keeps the named channels; `None`: none are shown, and none can be made.
    pub roster: Option<Arc<dyn Roster>>,
    /// Signs links of messages and makes addresses of feeds; `None`: there are neither.
    pub links: Option<LinkKey>,
}

impl WebConfig {
    /// Settings with every default; metrics are empty and the server is always ready.
    pub fn new(
        listen: SocketAddr,
        version: impl Into<String>,
        now: Arc<dyn Fn() -> Instant + Send + Sync>,
    ) -> WebConfig {
        WebConfig {
            listen,
            allowed_hosts: Vec::new(),
            public_url: None,
            trusted_proxies: Vec::new(),
            version: version.into(),
            settings: Vec::new(),
            zone: Zone::utc(),
            now,
            metrics: Arc::new(String::new),
            ready: Arc::new(|| Ok(())),
            counts: Arc::default(),
            limits: Limits::default(),
            looker: None,
            rehearsal: None,
            roster: None,
            links: None,
        }
    }
}

impl WebConfig {
    /// The address of the dashboard, with a slash at its end. A server that listens everywhere is
    /// reached over loopback.
    pub fn home(&self) -> String {
        if let Some(public) = &self.public_url {
            return public.home();
        }
        let mut address = self.listen;
        if address.ip().is_unspecified() {
            address.set_ip(match address.ip() {
                IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
                IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
            });
        }
        format!("http://{address}/")
    }

    /// Before the path of every address of ours: empty, or as `/tidings`.
    pub(crate) fn base(&self) -> &str {
        self.public_url.as_ref().map_or("", PublicUrl::base)
    }

    /// The address of a feed with this secret; `kind` is `atom` or `json`.
    pub(crate) fn feed(&self, secret: [u8; 16], kind: &str) -> String {
        let secret = u128::from_be_bytes(secret);
        format!("{}f/{secret:032x}.{kind}", self.home())
    }

    /// The address of a link that logs in once.
    pub(crate) fn link(&self, key: &str) -> String {
        format!("{}login?link={key}", self.home())
    }
}

/// A setting of the configuration as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// As the configuration writes it: `fetch.total_seconds`. Those of a section stand together.
    pub name: &'static str,
    /// What it is for; a sentence.
    pub about: &'static str,
    /// What holds, as TOML, with `…` in the place of what is secret.
    pub value: String,
    pub default: &'static str,
    /// Where it was said, after "set": "in tidings.toml"; `None`: nowhere, the default holds.
    pub said_in: Option<String>,
}

/// Limits, with their units.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// Bytes of a request's body.
    pub body_bytes_max: usize,
    /// Bytes of a request's body where no token is needed.
    pub stranger_body_bytes_max: usize,
    /// Until a request is answered; event streams excepted.
    pub request_time_max: Duration,
    /// Answers remembered for `Idempotency-Key`.
    pub idempotency_keys_max: usize,
    /// Between two comments of an event stream.
    pub comment_every: Duration,
    /// Event streams at once.
    pub event_streams_max: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body_bytes_max: 1024 * 1024,
            stranger_body_bytes_max: 8 * 1024,
            request_time_max: Duration::from_secs(60),
            idempotency_keys_max: 1_000,
            comment_every: Duration::from_secs(15),
            event_streams_max: 256,
        }
    }
}
