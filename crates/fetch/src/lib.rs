//! One HTTP attempt: conditional, limited, guarded.
//!
//! Comes in: a [`Request`], a URL with the validators of its last answer. Goes out: an [`Answer`]
//! that ends in content, not modified, failed (`docs/design.md`, How a probe ends), or where a
//! redirect leads. Shells call. Promises: one attempt, never a retry; every wait and every size has
//! a limit; no address of a class that strangers' URLs must not reach is connected to: neither one
//! written literally, nor one out of DNS, nor a redirect's target; no proxy of the environment is
//! used; no cookie is kept; a failure is a sentence that a person understands.
//!
//! Start reading at [`Fetcher::fetch`]; [`guard`] is the address guard.

mod body;
mod config;
mod credentials;
mod fetcher;
pub mod guard;
mod headers;
pub mod memory;
mod names;
mod reason;
mod tls;

pub use config::Config;
pub use fetcher::{Fetcher, SetupError};
pub use tls::{client_tls, install_tls_provider};

use address::SourceUrl;
use bytes::Bytes;
use chronon::{Instant, Span};

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// `http` or `https`, absolute.
    pub url: String,
    /// The URL of the source it is asked for, which led there: its user and password are sent to
    /// its own origin alone.
    pub source: SourceUrl,
    /// `None`: an unconditional request.
    pub validators: Option<Validators>,
    /// The whole attempt may take so long, if that is less than [`Config::total_max`].
    pub time_max: Option<Span>,
    /// The shell's time; stands in for the answer's Date where a server sends none.
    pub now: Instant,
}

/// What a server gave to ask with "has it changed since?".
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Validators {
    /// The final URL of the answer they came with. They are sent to this URL only: after a
    /// redirect they would ask another resource about a version it never had.
    pub url: String,
    pub etag: Option<String>,
    pub last_modified: Option<String>,
}

/// How the attempt ended, and what it cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub outcome: Outcome,
    /// Bytes of the final answer's body that were read, decompressed.
    pub body_bytes: u64,
    /// Bytes of headers, and of bodies as they came: less framing and TLS.
    pub wire_bytes: u64,
}

/// How an attempt ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// 200 or 203, complete and within limits.
    Content(Content),
    /// 304 to validators that were sent.
    NotModified,
    /// A redirect to this address, without fragment and credentials, which is not asked.
    Moved {
        to: String,
    },
    Failed(Failure),
    /// No end: there was no memory for the body, and what was read of it is gone.
    SetAside(memory::NoMemory),
}

/// A complete answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    pub status: u16,
    /// Decompressed; not yet decoded to text.
    pub body: Bytes,
    /// As the server wrote it, with its charset.
    pub content_type: Option<String>,
    /// What was asked, without fragment and credentials.
    pub final_url: String,
    /// Present only if they may be sent back: [`Config`] and `docs/design.md`, How a probe ends, on
    /// one-second clocks. Both belong to `final_url`.
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    /// The server's Last-Modified, whatever it is worth as validator.
    pub modified_at: Option<Instant>,
}

/// An attempt that yielded nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The status of the last answer, if there was one.
    pub status: Option<u16>,
    /// What happened, in one sentence without a full stop: "the server answered 503 Service
    /// Unavailable".
    pub reason: String,
    /// 429 and 503: nobody should ask this host for a while.
    pub holds_host: bool,
    /// What Retry-After said, at most `Config::retry_after_max`; `None` if nothing useful.
    pub retry_after: Option<Span>,
}

/// The name by which politeness counts: the URL's host in lower case, with its port unless that is
/// the scheme's own. `None` if the text is no `http` or `https` URL.
pub fn host_of(url: &str) -> Option<String> {
    url::Url::parse(url).ok().and_then(|url| fetcher::host_name(&url))
}

#[cfg(test)]
mod tests {
    use super::host_of;

    #[test]
    fn a_host_is_lower_case_and_has_a_port_only_where_it_is_not_the_usual() {
        let host = |url| host_of(url).unwrap();
        assert_eq!(host("https://Air.Example/deals?x#y"), "air.example");
        assert_eq!(host("https://air.example:443/"), "air.example");
        assert_eq!(host("http://air.example:443/"), "air.example:443");
        assert_eq!(host("http://user:secret@air.example:8080/"), "air.example:8080");
        assert_eq!(host("http://[2001:DB8::1]:81/"), "[2001:db8::1]:81");
        assert_eq!(host("http://0x7f.1/"), "127.0.0.1");
        assert_eq!(host("https://bücher.example/"), "xn--bcher-kva.example");
    }

    #[test]
    fn what_is_no_web_address_has_no_host() {
        for url in ["ftp://air.example/", "file:///etc/passwd", "air.example", "", "http://"] {
            assert_eq!(host_of(url), None, "{url}");
        }
    }
}
