//! The one table of settings: keys, types, checks, defaults, and what each is for. The parser, the
//! environment, the sample file and [`Settings`] come from it.

use super::Channel;
use super::value::{Budget, Setting};
use anyhow::{Context, Result};
use chronon::{Span, Zone};
use deliver::SmtpTls;
use ipnet::IpNet;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use toml::Value;
use web::PublicUrl;

/// How a value is written, and within which bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    Text,
    /// Shown as `"…"` wherever the configuration is printed.
    Secret,
    Flag,
    /// A whole number within these bounds.
    Integer(i64, i64),
    /// A number of seconds, greater than zero.
    Seconds,
    /// A number within these bounds.
    Number(f64, f64),
    /// Texts; in the environment separated by commas.
    List,
}

/// A key, its default as TOML, and what it is for.
pub struct Key {
    pub name: &'static str,
    pub kind: Kind,
    pub default: &'static str,
    pub about: &'static str,
    /// Whether a value can be read as its type; else what to write.
    pub check: fn(Kind, &Value) -> Result<()>,
}

macro_rules! settings {
    ($($field:ident: $type:ty = $name:literal, $kind:expr, $default:literal, $about:literal;)+) => {
        /// Every key but those of `[channels.NAME]`, in the order of the sample file.
        pub const KEYS: &[Key] = &[$(Key {
            name: $name,
            kind: $kind,
            default: $default,
            about: $about,
            check: |kind, value| <$type>::read(kind, value).map(drop),
        }),+];

        /// What holds.
        pub struct Settings {
            $(#[doc = $about] pub $field: $type,)+
            pub channels: BTreeMap<String, Channel>,
            /// The same by key, as written.
            pub(super) values: BTreeMap<&'static str, Value>,
            /// Keys that somebody set, and where.
            pub(super) said: BTreeMap<String, String>,
        }

        impl Settings {
            pub(super) fn read(
                values: BTreeMap<&'static str, Value>,
                channels: BTreeMap<String, Channel>,
            ) -> Result<Settings> {
                Ok(Settings {
                    $($field: <$type>::read($kind, &values[$name]).context($name)?,)+
                    channels,
                    values,
                    said: BTreeMap::new(),
                })
            }
        }
    };
}

use Kind::{Flag, Integer, List, Number, Seconds, Secret, Text};

settings! {
    data_dir: String = "data_dir", Text, r#""""#,
        "Where versions and settings live; empty: the user's data folder.";
    listen: SocketAddr = "listen", Text, r#""127.0.0.1:7780""#,
        "Address and port of the dashboard and the API.";
    allowed_hosts: Vec<String> = "allowed_hosts", List, "[]",
        "Names by which this server may be reached, for the Host check.";
    public_url: Option<PublicUrl> = "public_url", Text, r#""""#,
        "The address in people's browsers, as https://home.example/tidings/; empty: that of listen.";
    trusted_proxies: Vec<IpNet> = "trusted_proxies", List, "[]",
        "Networks of proxies whose X-Forwarded-For and -Proto are believed, for limits and logs.";
    timezone: Zone = "timezone", Text, r#""UTC""#,
        "The time zone of dates and days that name none.";
    chronon_seconds: Span = "chronon_seconds", Seconds, "1",
        "The smallest unit of scheduling time.";
    budget: Budget = "budget", Text, r#""10 per second""#,
        "Looks allowed, overall.";
    host_interval_seconds: Span = "host_interval_seconds", Seconds, "5",
        "The shortest time between two requests to one host.";
    host_in_flight: u32 = "host_in_flight", Integer(1, 64), "1",
        "Requests to one host at once.";
    probes_in_flight: u32 = "probes_in_flight", Integer(1, 4_096), "256",
        "Looks in progress at once, overall.";
    interval_initial_seconds: Span = "interval_initial_seconds", Seconds, "3600",
        "First interval of a `fetch on change` source.";
    interval_min_seconds: Span = "interval_min_seconds", Seconds, "30",
        "The shortest interval of such a source, however often it changes.";
    interval_max_seconds: Span = "interval_max_seconds", Seconds, "86400",
        "The longest interval of such a source, however rarely it changes.";
    yield_min: f64 = "yield_min", Number(0.0, 100.0), "0.1",
        "Changes an on-change look is expected to find; 0: look as often as the budget allows.";
    capture_worth_seconds: Span = "capture_worth_seconds", Seconds, "21600",
        "What a timely look of `fetch every` is worth: a change reported this much earlier.";
    default_channel: String = "default_channel", Text, r#""interactive""#,
        "Where a sentinel without `notify` reports.";
    retention_days: i64 = "retention_days", Integer(1, 36_500), "90",
        "Versions and detections older than this may be deleted.";
    retention_versions: u32 = "retention_versions", Integer(2, 1_000_000), "1000",
        "Versions of one source beyond this number may be deleted.";
    outbox_rows_max: u32 = "outbox_rows_max", Integer(10, 1_000_000), "10000",
        "Unsent notifications of a channel beyond which they merge.";
    store_patience_seconds: Span = "store_patience_seconds", Seconds, "30",
        "How long the server waits for a full disk before it stops.";
    clock_patience_seconds: Span = "clock_patience_seconds", Seconds, "600",
        "How long a clock that is behind the store's newest entry is distrusted.";
    clock_from_system: bool = "clock_from_system", Flag, "true",
        "Believe it at once when the system says that its clock is synchronised.";
    fetch_allow_addresses: Vec<IpNet> = "fetch.allow_addresses", List, "[]",
        "Networks that are not public and may be looked at all the same, as 192.168.1.0/24.";
    fetch_user_agent: String = "fetch.user_agent", Text, r#""""#,
        "Sent with every request; empty: Tidings and its version. Say how to reach you.";
    fetch_body_bytes_max: u64 = "fetch.body_bytes_max", Integer(1_024, 1_073_741_824), "10485760",
        "Bytes of a page, decompressed; a larger one fails.";
    fetch_pdf_program: String = "fetch.pdf_program", Text, r#""pdftotext""#,
        "Reads PDF documents (of poppler-utils); where it is not there, or empty, they fail.";
    fetch_memory_bytes_max: u64 = "fetch.memory_bytes_max", Integer(1_048_576, 1_099_511_627_776), "268435456",
        "Bytes of memory for pages on their way and being read; others wait.";
    fetch_redirects_max: u32 = "fetch.redirects_max", Integer(0, 50), "10",
        "Redirects followed in one look; a page with more fails.";
    fetch_connect_seconds: Span = "fetch.connect_seconds", Seconds, "10",
        "Time allowed to connect, TLS included.";
    fetch_pause_seconds: Span = "fetch.pause_seconds", Seconds, "10",
        "Time between two pieces of an answer; its beginning may take connect_seconds more.";
    fetch_total_seconds: Span = "fetch.total_seconds", Seconds, "30",
        "Time for a whole request.";
    deliver_in_flight: u32 = "deliver.in_flight", Integer(1, 1_024), "64",
        "Deliveries in progress at once.";
    deliver_in_flight_per_channel: u32 = "deliver.in_flight_per_channel", Integer(1, 1_024), "4",
        "Deliveries in progress at once, on one channel.";
    deliver_allow_private: bool = "deliver.allow_private", Flag, "true",
        "Whether webhooks may go to private addresses.";
    deliver_retry_first_seconds: Span = "deliver.retry_first_seconds", Seconds, "5",
        "First pause after a failed delivery; each further one doubles it.";
    deliver_retry_max_seconds: Span = "deliver.retry_max_seconds", Seconds, "3600",
        "The longest of these pauses.";
    smtp_host: String = "smtp.host", Text, r#""""#,
        "The mail server; empty: no email.";
    smtp_port: u16 = "smtp.port", Integer(1, 65_535), "587",
        "The mail server's port.";
    smtp_tls: SmtpTls = "smtp.tls", Text, r#""starttls""#,
        "starttls, tls or none.";
    smtp_user: String = "smtp.user", Text, r#""""#,
        "Login; empty: none.";
    smtp_password: String = "smtp.password", Secret, r#""""#,
        "The password of that login.";
    smtp_from: String = "smtp.from", Text, r#""""#,
        "The sender's address.";
    log_format: String = "log.format", Text, r#""text""#,
        "text or json.";
}
