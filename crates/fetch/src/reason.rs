//! Errors of the client become sentences for people.

use crate::body::TooMuchWire;
use crate::config::Config;
use crate::guard::{Refused, Unresolved};
use chronon::Span;
use reqwest::StatusCode;
use std::error::Error;
use std::io;

/// Why there was no answer from `host`.
pub(crate) fn of_request(host: &str, error: &reqwest::Error, config: &Config) -> String {
    if let Some(refused) = find::<Refused>(error) {
        return refused.to_string();
    }
    if let Some(unresolved) = find::<Unresolved>(error) {
        return unresolved.to_string();
    }
    if let Some(tls) = find::<rustls::Error>(error) {
        return format!("no secure connection to {host}: {}", of_tls(tls));
    }
    if error.is_timeout() {
        let most = config.connect_max;
        return format!(
            "{host} did not accept a connection within {most}; fetch.connect_seconds sets the limit"
        );
    }
    if error.is_connect() {
        return match find::<io::Error>(error).map(io::Error::kind) {
            Some(io::ErrorKind::ConnectionRefused) => format!("{host} refused the connection"),
            Some(io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset) => {
                format!("{host} closed the connection before it was secure")
            }
            _ => format!("no connection to {host}: {}", innermost(error)),
        };
    }
    format!("{host} gave no answer that can be read: {}", innermost(error))
}

/// What is wrong with a secure connection. A certificate that signed itself is refused for being an
/// authority's, which the library says in words of its own.
fn of_tls(error: &rustls::Error) -> String {
    let said = error.to_string();
    if said.contains("CaUsedAsEndEntity") {
        return "its certificate is self-signed, or an authority's own".to_owned();
    }
    said
}

/// Why an answer of `host` has no complete body.
pub(crate) fn of_body(host: &str, error: &io::Error) -> String {
    if let Some(too_much) = find::<TooMuchWire>(error) {
        return too_much.to_string();
    }
    format!("the answer of {host} broke off or cannot be decoded: {}", innermost(error))
}

/// An attempt took all of its time, which is `whole` unless the page keeps failing.
pub(crate) fn too_slow(limit: Span, whole: Span) -> String {
    let late = format!("the answer was not complete after {limit}");
    if limit < whole {
        format!("{late}, which is all that a page gets that keeps failing")
    } else {
        format!("{late}; fetch.total_seconds sets the limit")
    }
}

/// The connection and the beginning of an answer took longer than both may.
pub(crate) fn silent(host: &str, limit: Span) -> String {
    format!(
        "{host} sent no answer within {limit}; fetch.connect_seconds and fetch.pause_seconds \
         together set the limit"
    )
}

/// What a status that is no content says.
pub(crate) fn of_status(status: StatusCode) -> String {
    match status.canonical_reason() {
        Some(name) => format!("the server answered {} {name}", status.as_u16()),
        None => format!("the server answered {}", status.as_u16()),
    }
}

/// The error of type `E` in a chain of causes, also inside I/O errors, which hide theirs.
fn find<'a, E: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a E> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<E>() {
            return Some(found);
        }
        next = cause(error);
    }
    None
}

fn innermost<'a>(error: &'a (dyn Error + 'static)) -> &'a (dyn Error + 'static) {
    let mut last = error;
    while let Some(inner) = cause(last) {
        last = inner;
    }
    last
}

fn cause<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
        Some(inner) => Some(inner),
        None => error.source(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct CaUsedAsEndEntity;

    impl std::fmt::Display for CaUsedAsEndEntity {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an authority's")
        }
    }

    impl Error for CaUsedAsEndEntity {}

    #[test]
    fn a_certificate_that_signed_itself_is_said_to_have() {
        let other = rustls::OtherError(std::sync::Arc::new(CaUsedAsEndEntity));
        let error = rustls::Error::InvalidCertificate(rustls::CertificateError::Other(other));
        assert_eq!(of_tls(&error), "its certificate is self-signed, or an authority's own");
        let unknown = rustls::Error::InvalidCertificate(rustls::CertificateError::UnknownIssuer);
        assert!(of_tls(&unknown).contains("UnknownIssuer"));
    }
}
