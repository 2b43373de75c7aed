//! Times of a case: `00:15`, `00:15:30`, `2d 00:15`, counted from its time 00:00.

use chronon::Span;

/// A time of day, with or without seconds; a day's number before it is read by the caller.
pub(crate) fn parse_clock(text: &str) -> Option<Span> {
    let mut parts = text.split(':');
    let mut number = |digits| {
        let part: &str = parts.next()?;
        let is_number = part.len() == digits && part.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| part.parse::<i64>().ok()).flatten()
    };
    let (hours, minutes) = (number(2)?, number(2)?);
    let seconds = if text.len() > 5 { number(2)? } else { 0 };
    let fits = parts.next().is_none() && hours < 24 && minutes < 60 && seconds < 60;
    fits.then(|| Span::from_secs(hours * 3_600 + minutes * 60 + seconds))
}

/// The number of days in `2d`.
pub(crate) fn parse_days(text: &str) -> Option<Span> {
    let digits = text.strip_suffix('d')?;
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten().map(|days| Span::DAY.times(days))
}

/// A time with or without its days: `2d 00:15`.
pub(crate) fn parse(text: &str) -> Option<Span> {
    match text.trim().split_once(' ') {
        Some((days, clock)) => Some(parse_days(days)? + parse_clock(clock.trim())?),
        None => parse_clock(text.trim()),
    }
}

/// As [`parse`] reads it; seconds only where there are any, fractions of them not at all.
pub(crate) fn show(at: Span) -> String {
    let seconds = at.as_millis().div_euclid(1_000);
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let mut shown = match days {
        0 => String::new(),
        days => format!("{days}d "),
    };
    shown.push_str(&format!("{:02}:{:02}", rest / 3_600, rest / 60 % 60));
    if rest % 60 != 0 {
        shown.push_str(&format!(":{:02}", rest % 60));
    }
    shown
}

/// A length of time: `20 s`, `5 min`, `2 h`, `1 d`.
pub(crate) fn parse_span(number: &str, unit: &str) -> Option<Span> {
    let number: i64 = number.parse().ok()?;
    let unit = match unit {
        "ms" => Span::from_millis(1),
        "s" => Span::SECOND,
        "min" => Span::MINUTE,
        "h" => Span::HOUR,
        "d" => Span::DAY,
        _ => return None,
    };
    Some(unit.times(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_shown_as_it_is_written() {
        for text in ["00:00", "00:15", "00:15:30", "2d 00:15"] {
            assert_eq!(show(parse(text).unwrap()), text);
        }
        for wrong in ["0:15", "00:60", "24:00", "d 00:15", "2d", "00:15:3", "00:15:300", "+1:00"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
