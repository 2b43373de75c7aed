//! Times as content writes them.

use crate::Instant;
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;

/// Longer texts are no time.
const BYTES_MAX: usize = 64;
const RFC_2822: DateTimeParser = DateTimeParser::new();

/// The time that a text is, if it is exactly one: RFC 3339 with an offset, RFC 2822 (feeds, HTTP),
/// or seconds or milliseconds since the Unix epoch, from 2001 on.
///
/// Midnight where it was written counts as a day, not as a time: `None`.
pub fn stamp(text: &str) -> Option<Instant> {
    let text = text.trim();
    if text.len() > BYTES_MAX || !text.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return None;
    }
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        let scale = match text.len() {
            10 => 1_000,
            13 => 1,
            _ => return None,
        };
        return text.parse::<i64>().ok().map(|number| Instant::from_millis(number * scale));
    }
    if is_midnight(text) {
        return None;
    }
    let written: Option<Timestamp> = text.parse().ok();
    let written = written.or_else(|| RFC_2822.parse_timestamp(text).ok())?;
    Some(Instant::from_millis(written.as_millisecond()))
}

/// A time as RFC 3339 writes it, with an offset: what [`Instant`] prints.
pub fn rfc3339(text: &str) -> Option<Instant> {
    text.parse::<Timestamp>().ok().map(|stamp| Instant::from_millis(stamp.as_millisecond()))
}

/// The first clock in it is 0:00.
fn is_midnight(text: &str) -> bool {
    let Some(colon) = text.find(':') else { return false };
    let ends = |part: &str| part.ends_with("00") || part == "0";
    let (hour, rest) = (&text[..colon], &text[colon + 1..]);
    ends(hour) && rest.starts_with("00") && rest[2..].strip_prefix(":").is_none_or(is_zero)
}

fn is_zero(seconds: &str) -> bool {
    seconds.starts_with("00") && !seconds[2..].starts_with(['.', ','])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_feeds_servers_and_programs_write_them() {
        let at = Some(Instant::from_millis(1_714_557_600_000));
        for text in [
            "2024-05-01T10:00:00Z",
            "2024-05-01T12:00:00.000+02:00",
            " 2024-05-01 10:00:00+00:00 ",
            "Wed, 01 May 2024 10:00:00 GMT",
            "1 May 2024 12:00 +0200",
            "1714557600",
            "1714557600000",
        ] {
            assert_eq!(stamp(text), at, "{text}");
        }
    }

    #[test]
    fn days_and_what_is_no_time_are_none() {
        for text in [
            "",
            "2024-05-01",
            "2024-05-01T00:00:00Z",
            "2024-05-01T00:00:00+02:00",
            "Wed, 01 May 2024 00:00:00 +0000",
            "2024-05-01T00:00Z",
            "2024-05-01T10:00:00",
            "3 hours ago",
            "12345",
            "99999999999999999999",
            "№: 1",
            "x:é",
        ] {
            assert_eq!(stamp(text), None, "{text}");
        }
        assert!(stamp("2024-05-01T00:00:30Z").is_some() && stamp("2024-05-01T20:00:00Z").is_some());
        assert!(stamp("2024-05-01T00:00:00.120Z").is_some());
        assert_eq!(rfc3339(&Instant::EPOCH.to_string()), Some(Instant::EPOCH));
        assert_eq!(rfc3339("soon"), None);
    }
}
