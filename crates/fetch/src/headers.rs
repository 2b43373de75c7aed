//! What an answer's headers mean to a prober.

use chronon::{Instant, Span};
use reqwest::header::{
    CONTENT_TYPE, DATE, ETAG, HeaderMap, HeaderName, LAST_MODIFIED, RETRY_AFTER,
};
use std::time::{SystemTime, UNIX_EPOCH};

/// How much older than the answer's Date a Last-Modified must be to be trusted: a page written
/// twice within one second has the same Last-Modified, and often the same ETag, both times.
const CLOCK_STEP: Span = Span::from_secs(2);

/// The same where the answer has no Date and our clock stands in for the server's; RFC 9110,
/// section 8.8.2.2, takes 60 s for how far the two may be apart.
const CLOCK_STEP_WITHOUT_DATE: Span = Span::from_secs(60);

/// Longer header values are of no use and not kept.
const VALUE_BYTES_MAX: usize = 1_024;

/// What of an answer's validators may be used.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Usable {
    pub(crate) etag: Option<String>,
    pub(crate) last_modified: Option<String>,
    pub(crate) modified_at: Option<Instant>,
}

/// The validators of an answer by the rule of one-second clocks (`docs/design.md`, How a probe
/// ends). A Last-Modified that is not at least 2 s older than the Date, or that cannot be read, is
/// not used, and neither is the ETag that came with it.
pub(crate) fn usable_validators(headers: &HeaderMap, now: Instant) -> Usable {
    let etag = text(headers, &ETAG);
    let Some(last_modified) = text(headers, &LAST_MODIFIED) else {
        return Usable { etag, ..Usable::default() };
    };
    let Some(modified_at) = http_date(&last_modified) else {
        return Usable::default();
    };
    let trusted = match date(headers) {
        Some(date) => date - modified_at >= CLOCK_STEP,
        None => now - modified_at >= CLOCK_STEP_WITHOUT_DATE,
    };
    let modified_at = Some(modified_at);
    if trusted {
        Usable { etag, last_modified: Some(last_modified), modified_at }
    } else {
        Usable { modified_at, ..Usable::default() }
    }
}

/// How long Retry-After asks to wait, at most `max`: seconds, or a date against the answer's Date
/// (`now` where it has none). No wait, a past date and anything else are no answer.
pub(crate) fn retry_after(headers: &HeaderMap, now: Instant, max: Span) -> Option<Span> {
    let value = text(headers, &RETRY_AFTER)?;
    let value = value.trim();
    let wait = if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        value.parse().map_or(max, Span::from_secs)
    } else {
        http_date(value)? - date(headers).unwrap_or(now)
    };
    (wait > Span::ZERO).then_some(wait.min(max))
}

/// Content-Type, as written.
pub(crate) fn content_type(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(CONTENT_TYPE)?;
    (value.len() <= VALUE_BYTES_MAX).then(|| String::from_utf8_lossy(value.as_bytes()).into_owned())
}

/// Bytes of all names and values, with `: ` and the line's end.
pub(crate) fn size(headers: &HeaderMap) -> u64 {
    headers.iter().map(|(name, value)| (name.as_str().len() + value.len() + 4) as u64).sum()
}

/// A header's first value, if it is readable, sendable and of a sane length.
fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let value = headers.get(name)?.to_str().ok()?;
    (!value.is_empty() && value.len() <= VALUE_BYTES_MAX).then(|| value.to_owned())
}

fn date(headers: &HeaderMap) -> Option<Instant> {
    text(headers, &DATE).as_deref().and_then(http_date)
}

/// An HTTP date in any of its three forms.
fn http_date(text: &str) -> Option<Instant> {
    let time: SystemTime = httpdate::parse_http_date(text).ok()?;
    let since = time.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok().map(Instant::from_millis)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::HeaderValue;

    const DATE_TEXT: &str = "Fri, 01 Jan 2027 00:00:10 GMT";
    /// The instant of `DATE_TEXT`.
    const NOW: Instant = Instant::from_millis(1_798_761_610_000);

    fn headers(lines: &[(&'static str, &'static str)]) -> HeaderMap {
        lines.iter().map(|&(n, v)| (n.parse().unwrap(), HeaderValue::from_static(v))).collect()
    }

    fn validators(lines: &[(&'static str, &'static str)]) -> (bool, bool) {
        let usable = usable_validators(&headers(lines), NOW);
        (usable.etag.is_some(), usable.last_modified.is_some())
    }

    #[test]
    fn validators_are_used_from_two_seconds_after_the_last_change_on() {
        let case = |modified| {
            validators(&[("date", DATE_TEXT), ("last-modified", modified), ("etag", "\"a\"")])
        };
        assert_eq!(case("Fri, 01 Jan 2027 00:00:08 GMT"), (true, true));
        assert_eq!(case("Fri, 01 Jan 2027 00:00:09 GMT"), (false, false));
        assert_eq!(case("Fri, 01 Jan 2027 00:00:10 GMT"), (false, false));
        assert_eq!(case("Fri, 01 Jan 2027 00:00:11 GMT"), (false, false), "a clock ahead");
        assert_eq!(case("yesterday"), (false, false), "an unreadable date");
    }

    #[test]
    fn an_etag_without_last_modified_is_used() {
        assert_eq!(validators(&[("date", DATE_TEXT), ("etag", "W/\"a\"")]), (true, false));
    }

    #[test]
    fn without_a_date_our_clock_stands_in_with_a_minute_of_doubt() {
        assert_eq!(
            validators(&[("last-modified", "Thu, 31 Dec 2026 23:59:10 GMT")]),
            (false, true)
        );
        assert_eq!(
            validators(&[("last-modified", "Thu, 31 Dec 2026 23:59:11 GMT"), ("etag", "\"a\"")]),
            (false, false)
        );
    }

    #[test]
    fn the_time_of_change_is_told_even_where_it_is_no_validator() {
        let usable = usable_validators(
            &headers(&[("date", DATE_TEXT), ("last-modified", DATE_TEXT), ("etag", "\"a\"")]),
            NOW,
        );
        assert_eq!(usable, Usable { modified_at: Some(NOW), ..Usable::default() });
    }

    fn wait(lines: &[(&'static str, &'static str)]) -> Option<Span> {
        retry_after(&headers(lines), NOW, Span::DAY)
    }

    #[test]
    fn retry_after_is_seconds_or_a_date_against_the_answers_date() {
        assert_eq!(wait(&[("retry-after", "120")]), Some(Span::from_secs(120)));
        assert_eq!(wait(&[("retry-after", " 7 ")]), Some(Span::from_secs(7)));
        let date = ("retry-after", "Fri, 01 Jan 2027 00:01:10 GMT");
        assert_eq!(wait(&[date]), Some(Span::MINUTE));
        let ahead = ("date", "Fri, 01 Jan 2027 00:00:40 GMT");
        assert_eq!(wait(&[date, ahead]), Some(Span::from_secs(30)));
    }

    #[test]
    fn a_retry_after_is_bounded_and_one_that_asks_for_no_wait_is_no_answer() {
        assert_eq!(wait(&[("retry-after", "999999999")]), Some(Span::DAY));
        assert_eq!(wait(&[("retry-after", "99999999999999999999999999")]), Some(Span::DAY));
        assert_eq!(wait(&[("retry-after", "Fri, 31 Dec 9999 23:59:59 GMT")]), Some(Span::DAY));
        for value in ["0", "-5", "soon", "1.5", "+3", "Thu, 31 Dec 2020 00:00:00 GMT"] {
            assert_eq!(wait(&[("retry-after", value)]), None, "{value}");
        }
        assert_eq!(wait(&[]), None);
    }
}
