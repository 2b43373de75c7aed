//! The limits of an attempt.

use chronon::Span;
use ipnet::IpNet;
use rustls::pki_types::CertificateDer;

/// Limits with their units, and whom we may reach.
#[derive(Debug, Clone)]
pub struct Config {
    /// `fetch.user_agent`.
    pub user_agent: String,
    /// `fetch.allow_addresses`: networks the guard lets through although they are not public.
    /// Link-local and metadata addresses need a network of their own kind: see
    /// [`address::AllowList`].
    pub allow_addresses: Vec<IpNet>,
    /// The whole attempt.
    pub total_max: Span,
    /// One connection, name resolution and TLS included.
    pub connect_max: Span,
    /// Between two reads of a body. The answer's head may take as long, and the time of one
    /// connection.
    pub between_reads_max: Span,
    /// `fetch.body_bytes_max`: bytes of a body, decompressed; on the wire it may have as many,
    /// and 64 KiB.
    pub body_bytes_max: u64,
    /// Bytes of an answer's header names and values together.
    pub header_bytes_max: u32,
    /// Header lines of an answer.
    pub headers_max: u32,
    /// A longer Retry-After counts as this.
    pub retry_after_max: Span,
    /// Connections kept open per host while idle, for 4 s.
    pub idle_connections_per_host_max: u32,
    /// Certificates of authorities trusted beyond the machine's own.
    pub extra_roots: Vec<CertificateDer<'static>>,
}

/// Says what we are; those who run an instance add how to reach them.
const USER_AGENT: &str = concat!(
    "Tidings/",
    env!("CARGO_PKG_VERSION_MAJOR"),
    ".",
    env!("CARGO_PKG_VERSION_MINOR"),
    " (self-hosted page watcher)"
);

impl Default for Config {
    fn default() -> Config {
        Config {
            user_agent: USER_AGENT.to_owned(),
            allow_addresses: Vec::new(),
            total_max: Span::from_secs(30),
            connect_max: Span::from_secs(10),
            between_reads_max: Span::from_secs(10),
            body_bytes_max: 10 * 1024 * 1024,
            header_bytes_max: 64 * 1024,
            headers_max: 200,
            retry_after_max: Span::DAY,
            idle_connections_per_host_max: 2,
            extra_roots: Vec::new(),
        }
    }
}

/// A span as tokio wants it; negative ones are zero.
pub(crate) fn duration(span: Span) -> std::time::Duration {
    std::time::Duration::from_millis(u64::try_from(span.as_millis()).unwrap_or(0))
}
