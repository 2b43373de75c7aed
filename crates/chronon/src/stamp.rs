//! Times as content writes them.

use crate::Instant;
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;

/// Longer texts are no time.
const BYTES_MAX: usize = 64;
const RFC_2822: DateTimeParser = DateTimeParser::new();

/// The time that a text is, if it is exactly one: RFC 3339 with an offset, RFC 2822 (feeds, HTTP),
/// both as loosely as feeds write them, or seconds or milliseconds since the Unix epoch, from 2001
/// on.
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
    if is_midnight(text) { None } else { parsed(text) }
}

/// The same of a day, too: its midnight where it was written.
pub fn day_or_stamp(text: &str) -> Option<Instant> {
    let text = text.trim();
    stamp(text).or_else(|| parsed(text).filter(|_| text.len() <= BYTES_MAX && is_midnight(text)))
}

fn parsed(text: &str) -> Option<Instant> {
    let written: Option<Timestamp> = text.parse().ok();
    let written = written.or_else(|| loose(text))?;
    Some(Instant::from_millis(written.as_millisecond()))
}

/// A time as RFC 2822 and RFC 3339 nearly have it: a weekday that is spelled out or wrong, months
/// in full, an hour of one digit, a zone apart or with a colon, and the order of Unix's `date`.
fn loose(text: &str) -> Option<Timestamp> {
    let words: Vec<&str> = text.split([' ', ',', '\t']).filter(|word| !word.is_empty()).collect();
    if let [day, clock, zone] = words[..] {
        let zone = if matches!(zone, "UTC" | "GMT") { "Z" } else { zone };
        if let Ok(at) = format!("{day}T{clock}{zone}").parse() {
            return Some(at);
        }
    }
    let is_weekday = |word: &str| month(word).is_none() && word.starts_with(char::is_alphabetic);
    let words = match &words[..] {
        [first, rest @ ..] if is_weekday(first) => rest,
        all => all,
    };
    let dashed: Vec<&str> = words.first()?.split('-').collect();
    let (day, name, year, clock, zone) = match (&dashed[..], words) {
        ([day, name, year], [_, clock, zone]) => (day, name, year, clock, zone),
        (_, [day, name, year, clock, zone]) if clock.contains(':') => {
            (day, name, year, clock, zone)
        }
        (_, [name, day, clock, zone, year]) => (day, name, year, clock, zone),
        _ => return None,
    };
    let pad = if clock.find(':') == Some(1) { "0" } else { "" };
    let name = SHORT[usize::try_from(month(name)?).ok()? - 1];
    let zone = offset(zone)?;
    RFC_2822.parse_timestamp(format!("{day} {name} {year} {pad}{clock} {zone}")).ok()
}

/// Months as RFC 2822 writes them.
const SHORT: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The month, 1 to 12, that an English word names: in full, or by its first three letters or more.
pub fn month(word: &str) -> Option<i8> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let word = word.trim_end_matches('.').to_ascii_lowercase();
    let is_it = |full: &&str| word.len() >= 3 && full.starts_with(&word);
    MONTHS.iter().position(is_it).and_then(|at| i8::try_from(at + 1).ok())
}

/// A zone as RFC 2822 writes it; `None` for a name that it does not have, which it would take for
/// Greenwich's.
fn offset(zone: &str) -> Option<String> {
    const NAMES: [&str; 13] =
        ["UT", "UTC", "GMT", "Z", "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT", "-0000"];
    let zone = zone.to_ascii_uppercase();
    if NAMES.contains(&&*zone) {
        return Some(zone);
    }
    let (sign, rest) = zone.split_at_checked(1).filter(|(sign, _)| matches!(*sign, "+" | "-"))?;
    let digits = rest.replacen(':', "", 1);
    let is_offset = digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_offset.then(|| format!("{sign}{digits}"))
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
        let september = stamp("1 Sept. 2024 9:00:00 +0000");
        assert_eq!(september, stamp("2024-09-01T09:00:00Z"));
        for text in [
            "2024-05-01T10:00:00Z",
            "2024-05-01T12:00:00.000+02:00",
            " 2024-05-01 10:00:00+00:00 ",
            "Wed, 01 May 2024 10:00:00 GMT",
            "1 May 2024 12:00 +0200",
            "Wednesday, 01 May 2024 10:00:00 GMT",
            "Mon, 1 May 24 10:00:00 utc",
            "Wed,01 May 2024 5:00:00 EST",
            "01-May-2024 11:00:00 +01:00",
            "Wed May 01 10:00:00 GMT 2024",
            "2024-05-01 12:00:00 +0200",
            "2024-05-01 10:00:00 UTC",
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
            "Wed, 01 May 2024 10:00:00 CEST",
            "Wed, 01 Moy 2024 10:00:00 GMT",
            "Wed, 01 May 2024 10:00:00",
            "3 hours ago",
            "12345",
            "99999999999999999999",
            "№: 1",
            "x:é",
        ] {
            assert_eq!(stamp(text), None, "{text}");
        }
        let day = day_or_stamp("Wed, 01 May 2024 00:00:00 +0000");
        assert_eq!(day, rfc3339("2024-05-01T00:00:00Z"));
        assert_eq!(day_or_stamp("in May"), None);
        assert!(stamp("2024-05-01T00:00:30Z").is_some() && stamp("2024-05-01T20:00:00Z").is_some());
        assert!(stamp("2024-05-01T00:00:00.120Z").is_some());
        assert_eq!(rfc3339(&Instant::EPOCH.to_string()), Some(Instant::EPOCH));
        assert_eq!(rfc3339("soon"), None);
    }
}
