//! The one table of configuration keys: parser, environment, sample file and manual come from it.

/// What a value must be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    Text,
    /// Shown as `"…"` wherever the configuration is printed.
    Secret,
    Flag,
    /// A whole number within these bounds.
    Integer(i64, i64),
    /// A number, greater than zero.
    Positive,
    /// A number within these bounds.
    Number(f64, f64),
    /// Texts; in the environment separated by commas.
    List,
    /// "10 per second", "5000 per day".
    Budget,
    Zone,
}

/// A key, its default as TOML, and what it is for.
pub struct Key {
    pub name: &'static str,
    pub kind: Kind,
    pub default: &'static str,
    pub about: &'static str,
}

const fn key(name: &'static str, kind: Kind, default: &'static str, about: &'static str) -> Key {
    Key { name, kind, default, about }
}

use Kind::{Budget, Flag, Integer, List, Number, Positive, Secret, Text, Zone};

/// Every key but those of `[channels.NAME]`, in the order of the sample file.
pub const KEYS: &[Key] = &[
    key(
        "data_dir",
        Text,
        r#""""#,
        "Where versions and settings live; empty: the user's data folder.",
    ),
    key("listen", Text, r#""127.0.0.1:7780""#, "Address and port of the dashboard and the API."),
    key(
        "allowed_hosts",
        List,
        "[]",
        "Names by which this server may be reached, for the Host check.",
    ),
    key(
        "public_url",
        Text,
        r#""""#,
        "The address in people's browsers, as https://home.example/tidings/; empty: that of listen.",
    ),
    key(
        "trusted_proxies",
        List,
        "[]",
        "Networks of proxies whose X-Forwarded-For and -Proto are believed, for limits and logs.",
    ),
    key("timezone", Zone, r#""UTC""#, "The zone of dates and days without one of their own."),
    key("chronon_seconds", Positive, "1", "The smallest unit of scheduling time."),
    key("budget", Budget, r#""10 per second""#, "Probes allowed, overall."),
    key("host_interval_seconds", Positive, "5", "Least time between two requests to one host."),
    key("host_in_flight", Integer(1, 64), "1", "Requests to one host at once."),
    key("probes_in_flight", Integer(1, 4_096), "256", "Looks on their way at once, overall."),
    key(
        "interval_initial_seconds",
        Positive,
        "3600",
        "First interval of a `fetch on change` source.",
    ),
    key("interval_min_seconds", Positive, "30", "Its shortest interval, however often it changes."),
    key(
        "interval_max_seconds",
        Positive,
        "86400",
        "Its longest interval, however rarely it changes.",
    ),
    key(
        "yield_min",
        Number(0.0, 100.0),
        "0.1",
        "Changes an on-change probe is expected to find; 0: probe as often as the budget allows.",
    ),
    key(
        "capture_worth_seconds",
        Positive,
        "21600",
        "One look of `fetch every` in time is worth a change told so much earlier.",
    ),
    key("default_channel", Text, r#""interactive""#, "Where a sentinel without `notify` reports."),
    key(
        "retention_days",
        Integer(1, 36_500),
        "90",
        "Versions and detections older than this may go.",
    ),
    key(
        "retention_versions",
        Integer(2, 1_000_000),
        "1000",
        "Versions of one source beyond these may go.",
    ),
    key(
        "outbox_rows_max",
        Integer(10, 1_000_000),
        "10000",
        "Unsent notifications of a channel beyond which they merge.",
    ),
    key(
        "store_patience_seconds",
        Positive,
        "30",
        "How long a full disk is waited for before the server ends.",
    ),
    key(
        "clock_patience_seconds",
        Positive,
        "600",
        "How long a clock that is behind what the store has seen is not believed.",
    ),
    key(
        "clock_from_system",
        Flag,
        "true",
        "Believe it at once when the system says that its clock is synchronised.",
    ),
    key(
        "fetch.allow_addresses",
        List,
        "[]",
        "Networks that are not public and may be probed all the same, as 192.168.1.0/24.",
    ),
    key(
        "fetch.user_agent",
        Text,
        r#""""#,
        "Sent with every request; empty: Tidings and its version. Say how to reach you.",
    ),
    key(
        "fetch.body_bytes_max",
        Integer(1_024, 1_073_741_824),
        "10485760",
        "Bytes of a page, decompressed; a larger one fails.",
    ),
    key(
        "fetch.memory_bytes_max",
        Integer(1_048_576, 1_099_511_627_776),
        "268435456",
        "Bytes of memory for pages on their way and being read; others wait.",
    ),
    key(
        "fetch.redirects_max",
        Integer(0, 50),
        "10",
        "Redirects followed in one look; a page with more fails.",
    ),
    key("fetch.connect_seconds", Positive, "10", "Until a connection stands, TLS included."),
    key(
        "fetch.pause_seconds",
        Positive,
        "10",
        "From a request to the answer's beginning, and between two pieces of it.",
    ),
    key("fetch.total_seconds", Positive, "30", "For a whole request."),
    key("deliver.in_flight", Integer(1, 1_024), "64", "Deliveries on their way at once."),
    key("deliver.in_flight_per_channel", Integer(1, 1_024), "4", "Of these on one channel."),
    key("deliver.allow_private", Flag, "true", "Whether webhooks may go to private addresses."),
    key(
        "deliver.retry_first_seconds",
        Positive,
        "5",
        "First pause after a failed delivery; each further one doubles it.",
    ),
    key("deliver.retry_max_seconds", Positive, "3600", "The longest of these pauses."),
    key("smtp.host", Text, r#""""#, "The mail server; empty: no email."),
    key("smtp.port", Integer(1, 65_535), "587", "Its port."),
    key("smtp.tls", Text, r#""starttls""#, "starttls, tls or none."),
    key("smtp.user", Text, r#""""#, "Login; empty: none."),
    key("smtp.password", Secret, r#""""#, "Its password."),
    key("smtp.from", Text, r#""""#, "The sender's address."),
    key("log.format", Text, r#""text""#, "text or json."),
];

/// The fields a `[channels.NAME]` may have, by kind.
pub const CHANNEL_FIELDS: &[(&str, &[&str])] =
    &[("webhook", &["kind", "url", "secret"]), ("email", &["kind", "to"]), ("terminal", &["kind"])];
