//! Sentences for people: when a source is looked at next and why, and how long ago things were.

use chronon::{Instant, Span, Zone};
use kernel::record::{ProbeOutcome, ProbeRow, SourceRow};
use notice::grouped;
use schedule::{Expectation, Obstacle, Outlook, Reason};

/// How often a page changes that never answered.
pub(crate) const UNKNOWN: &str = "not known yet";

/// What a clock on the reader's wall shows.
#[derive(Debug, Clone)]
pub(crate) struct Wall {
    pub(crate) now: Instant,
    pub(crate) zone: Zone,
}

/// A clause as the beginning of a sentence; an address keeps its letters.
pub(crate) fn begun(clause: &str) -> String {
    let is_address = clause.split(' ').next().is_some_and(|first| first.contains("://"));
    let mut chars = clause.chars();
    match chars.next().filter(|_| !is_address) {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => clause.to_owned(),
    }
}

/// Why a source is probed.
pub(crate) fn reason(reason: &Reason, zone: &Zone) -> String {
    match reason {
        Reason::Baseline => "first look".to_owned(),
        Reason::Asked => "somebody asked".to_owned(),
        Reason::Deadline { finish } => format!("its interval ends at {}", clock(*finish, zone)),
        Reason::Freshness { interval } => format!("{} since the last look", rough(*interval)),
        Reason::Retry { failures: 1 } => "a retry after a failure".to_owned(),
        Reason::Retry { failures } => format!("a retry after {failures} failures"),
        Reason::SecondLook => "a second look, as the last answer was doubtful".to_owned(),
    }
}

pub(crate) fn reason_name(reason: &Reason) -> &'static str {
    match reason {
        Reason::Baseline => "baseline",
        Reason::Asked => "asked",
        Reason::Deadline { .. } => "deadline",
        Reason::Freshness { .. } => "freshness",
        Reason::Retry { .. } => "retry",
        Reason::SecondLook => "second_look",
    }
}

/// What keeps a source from being probed.
pub(crate) fn obstacle(obstacle: &Obstacle, zone: &Zone) -> String {
    match obstacle {
        Obstacle::InFlight => "waits for another look to end".to_owned(),
        Obstacle::Budget => "waits for the budget".to_owned(),
        Obstacle::Politeness { until } => {
            format!("its host may be asked from {} on", clock(*until, zone))
        }
        Obstacle::HostHeld { until } => {
            format!("its host asked for a pause until {}", clock(*until, zone))
        }
        Obstacle::Rounds => "its last versions are still being compared".to_owned(),
    }
}

pub(crate) fn obstacle_name(obstacle: &Obstacle) -> &'static str {
    match obstacle {
        Obstacle::InFlight => "in_flight",
        Obstacle::Budget => "budget",
        Obstacle::Politeness { .. } => "politeness",
        Obstacle::HostHeld { .. } => "host_held",
        Obstacle::Rounds => "rounds",
    }
}

/// "in 12 min: 30 min since the last look".
pub(crate) fn outlook(outlook: &Outlook, wall: &Wall) -> String {
    let when = if waits(outlook, wall.now) {
        Some("due".to_owned())
    } else {
        comes(outlook).map(|comes| relative(comes.max(wall.now), wall.now))
    };
    match (when, why(outlook, &wall.zone)) {
        (Some(when), Some(why)) => format!("{when}: {why}"),
        (Some(text), None) | (None, Some(text)) => text,
        (None, None) => "no look is due".to_owned(),
    }
}

/// "begins at 2026-11-29 06:55:00 UTC".
pub(crate) fn begins(at: Instant, zone: &Zone) -> String {
    format!("begins at {}", moment(at, zone))
}

/// When the next look is expected: when it is due, or when the pause ends that its host asked for.
pub(crate) fn comes(outlook: &Outlook) -> Option<Instant> {
    match outlook.waits_for {
        Some(Obstacle::HostHeld { until }) => outlook.due.map(|due| due.max(until)),
        _ => outlook.due,
    }
}

/// Whether a look is due and something stands in its way, nobody knows for how long.
pub(crate) fn waits(outlook: &Outlook, now: Instant) -> bool {
    outlook.waits_for.is_some() && comes(outlook).is_some_and(|comes| comes <= now)
}

/// The reason and what stands in the way, without the time.
pub(crate) fn why(outlook: &Outlook, zone: &Zone) -> Option<String> {
    let reason = outlook.reason.as_ref().map(|reason| self::reason(reason, zone));
    // What is on its way itself has no next time yet.
    if outlook.waits_for == Some(Obstacle::InFlight) && outlook.due.is_none() {
        return Some("being looked at now".to_owned());
    }
    let obstacle = outlook.waits_for.as_ref().map(|obstacle| self::obstacle(obstacle, zone));
    match (reason, obstacle) {
        (Some(reason), Some(obstacle)) => Some(format!("{reason}; {obstacle}")),
        (one, other) => one.or(other),
    }
}

/// "in 12 min", "3 h ago", "now".
pub(crate) fn relative(at: Instant, now: Instant) -> String {
    let ahead = at - now;
    let size = if ahead < Span::ZERO { now - at } else { ahead };
    if size < Span::SECOND {
        return "now".to_owned();
    }
    let rough = rough(size);
    if ahead > Span::ZERO { format!("in {rough}") } else { format!("{rough} ago") }
}

/// A span in its largest unit, rounded down: as exact as a person wants it.
pub(crate) fn rough(span: Span) -> String {
    let units = [(Span::DAY, "d"), (Span::HOUR, "h"), (Span::MINUTE, "min")];
    let (unit, name) =
        units.into_iter().find(|(unit, _)| span >= *unit).unwrap_or((Span::SECOND, "s"));
    format!("{} {name}", span.as_millis() / unit.as_millis())
}

/// How often something happens: "3 a day", "one in 12 d".
pub(crate) fn rate(per_second: f64) -> String {
    let units = [(Span::SECOND, "a second"), (Span::MINUTE, "a minute"), (Span::HOUR, "an hour")];
    let count = |unit: Span| per_second * unit.as_secs_f64();
    let (unit, name) =
        units.into_iter().find(|(unit, _)| count(*unit) >= 1.0).unwrap_or((Span::DAY, "a day"));
    match count(unit) {
        rare if rare < 1.0 => {
            let days = (1.0 / rare.max(1e-9)).round();
            if days < 2.0 { "one a day".to_owned() } else { format!("one in {} d", grouped(days)) }
        }
        few if few < 9.95 => format!("{} {name}", (few * 10.0).round() / 10.0),
        many => format!("{} {name}", grouped(many.round())),
    }
}

/// How often a page is expected to change; nobody knows that of one that never answered.
pub(crate) fn expected(of: &Expectation) -> String {
    if of.answered { rate(of.per_second) } else { UNKNOWN.to_owned() }
}

/// The same of looks: "3 looks a day", "one look in 12 d".
pub(crate) fn looks_made(per_second: f64) -> String {
    let said = rate(per_second);
    let (count, rest) = said.split_once(' ').unwrap_or((&said, ""));
    let noun = if count == "one" || count == "1" { "look" } else { "looks" };
    format!("{count} {noun} {rest}")
}

/// Seconds in the largest unit that holds two, or just one: "8 s", "1 h", "90 min", "36 h".
pub(crate) fn lasting(seconds: f64) -> String {
    let units = [(86_400.0, "d"), (3_600.0, "h"), (60.0, "min"), (1.0, "s")];
    let found = units.into_iter().find(|(unit, _)| seconds >= 2.0 * unit || seconds == *unit);
    let (unit, name) = found.unwrap_or((1.0, "s"));
    let count = seconds / unit;
    let count = if count < 9.95 { (count * 10.0).round() / 10.0 } else { count.round() };
    format!("{count} {name}")
}

/// "2027-01-01 14:05 UTC, then every 10 min, within 60 s"; to the second where they come by seconds.
pub(crate) fn looks(looks: &kernel::view::Looks, zone: &Zone) -> String {
    let (every, within) = (looks.period.nominal().as_secs_f64(), looks.slack.as_secs_f64());
    let is_by_seconds = looks.period.nominal() < Span::MINUTE;
    let next = if is_by_seconds { zone.moment(looks.next) } else { moment(looks.next, zone) };
    format!("{next}, then every {}, within {}", lasting(every), lasting(within))
}

/// Two digits and more: "0.25", "3.5", "240", "1,440".
pub(crate) fn number(count: f64) -> String {
    let digits = match count {
        few if few < 1.0 => 100.0,
        some if some < 10.0 => 10.0,
        _ => 1.0,
    };
    grouped((count * digits).round() / digits)
}

/// `09:05:30 Europe/Berlin`.
fn clock(at: Instant, zone: &Zone) -> String {
    let moment = zone.moment(at);
    moment.split_once(' ').map(|(_, time)| time.to_owned()).unwrap_or(moment)
}

/// `2027-01-31 09:05`, as a wall shows it.
pub(crate) fn dated(at: Instant, zone: &Zone) -> String {
    let text = zone.local(at).to_string();
    text.get(..16).unwrap_or(&text).to_owned()
}

/// `2027-01-31 10:05 Europe/Berlin`.
pub(crate) fn moment(at: Instant, zone: &Zone) -> String {
    format!("{} {}", dated(at, zone), zone.name())
}

/// What a source shows that does not count.
pub(crate) fn held(row: &SourceRow) -> Option<String> {
    let held = row.held.as_ref()?;
    let version = held.version;
    let now = held.odd.map_or(held.kind.name(), |odd| odd.name_of(held.kind));
    Some(if held.confirmed {
        format!("The page now shows {now} ({version}); nothing is compared with it.")
    } else {
        format!("The last look found {now} ({version}). It counts when a second look finds it too.")
    })
}

/// What a probe found, "not modified", "a new version, v4", and where redirects led it.
pub(crate) fn outcome(probe: &ProbeRow) -> String {
    let said = match &probe.outcome {
        ProbeOutcome::Version(number) if number.0 == 1 => "the first version, v1".to_owned(),
        ProbeOutcome::Version(number) => format!("a new version, {number}"),
        ProbeOutcome::Same => "the same content".to_owned(),
        ProbeOutcome::NotModified => "not modified".to_owned(),
        ProbeOutcome::Held(number) => format!("something doubtful, held as {number}"),
        ProbeOutcome::Failed { reason, .. } => reason.to_string(),
    };
    match &probe.led_to {
        Some(led_to) => format!("{said} (at {led_to})"),
        None => said,
    }
}

/// `12.3 kB`.
pub(crate) fn bytes(count: u64) -> String {
    match count {
        0..1_000 => format!("{count} B"),
        1_000..1_000_000 => format!("{:.1} kB", count as f64 / 1e3),
        _ => format!("{:.1} MB", count as f64 / 1e6),
    }
}

/// The size of an answer's body, and what it took on the wire where that is another.
pub(crate) fn size(body_bytes: u64, wire_bytes: u64) -> String {
    match (bytes(body_bytes), bytes(wire_bytes)) {
        (body, wire) if wire_bytes == 0 || body == wire => body,
        (body, wire) => format!("{body}, {wire} on the wire"),
    }
}

/// The monitor clause of a canonical text, which leaves out the default; its clauses stand on
/// lines of their own.
pub(crate) fn monitored(text: &str) -> &str {
    let clause = text.lines().map(str::trim).find_map(|line| {
        let (word, rest) = line.split_once(' ')?;
        word.eq_ignore_ascii_case("monitor").then_some(rest)
    });
    clause.unwrap_or("any change")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outlook_says_when_and_why() {
        let now = Instant::from_millis(1_798_761_600_000);
        let freshness = Some(Reason::Freshness { interval: Span::MINUTE.times(30) });
        let wall = Wall { now, zone: Zone::parse("Asia/Kathmandu").expect("a zone") };
        let said = |due, reason, waits_for| outlook(&Outlook { due, reason, waits_for }, &wall);
        assert_eq!(
            said(Some(now + Span::MINUTE.times(12)), freshness, None),
            "in 12 min: 30 min since the last look"
        );
        let polite = Some(Obstacle::Politeness { until: now + Span::SECOND.times(5) });
        assert_eq!(
            said(Some(now), Some(Reason::Baseline), polite),
            "due: first look; its host may be asked from 05:45:05 Asia/Kathmandu on"
        );
        let held = Some(Obstacle::HostHeld { until: now + Span::HOUR });
        let paused = "in 1 h: 30 min since the last look; its host asked for a pause until \
                      06:45:00 Asia/Kathmandu";
        for due in [now - Span::MINUTE, now + Span::MINUTE] {
            assert_eq!(said(Some(due), freshness, held), paused);
        }
        assert_eq!(said(None, None, Some(Obstacle::InFlight)), "being looked at now");
        assert_eq!(
            said(Some(now), Some(Reason::Baseline), Some(Obstacle::InFlight)),
            "due: first look; waits for another look to end",
            "another page of its host is being looked at, not this one"
        );
        assert_eq!(said(None, None, None), "no look is due");
    }

    #[test]
    fn a_rate_is_counted_in_the_largest_unit_that_holds_one() {
        let said = [2.0, 0.5, 1.0 / 600.0, 1.25 / 86_400.0, 0.95 / 86_400.0, 1e-7, 0.0].map(rate);
        let expected = [
            "2 a second",
            "30 a minute",
            "6 an hour",
            "1.3 a day",
            "one a day",
            "one in 116 d",
            "one in 1,000,000,000 d",
        ];
        assert_eq!(said, expected);
        assert_eq!((rate(12_345.0), number(1_440.4)), ("12,345 a second".into(), "1,440".into()));
        let said = [10.0, 1.0, 1.25 / 86_400.0, 1e-7].map(looks_made);
        let expected = ["10 looks a second", "1 look a second", "1.3 looks a day"];
        assert_eq!(said[..3], expected);
        assert_eq!(said[3], "one look in 116 d");
        let said = [0.25, 60.0, 119.0, 3_600.0, 5_400.0, 100_000.0, 1e6].map(lasting);
        assert_eq!(said, ["0.3 s", "1 min", "119 s", "1 h", "90 min", "28 h", "12 d"]);
    }

    #[test]
    fn looks_that_come_by_seconds_are_told_to_the_second() {
        let zone = Zone::utc();
        let next = Instant::from_millis(1_798_761_605_000);
        let of = |seconds| {
            let period = chronon::Period::Elapsed(Span::from_secs(seconds));
            let slack = Span::from_secs(5);
            looks(&kernel::view::Looks { period, zone: zone.clone(), slack, next }, &zone)
        };
        assert_eq!(of(10), "2027-01-01 00:00:05 UTC, then every 10 s, within 5 s");
        assert_eq!(of(60), "2027-01-01 00:00 UTC, then every 1 min, within 5 s");
    }

    #[test]
    fn times_are_as_exact_as_a_person_wants_them() {
        let now = Instant::from_millis(1_798_761_600_000);
        assert_eq!(relative(now - Span::from_secs(3_700), now), "1 h ago");
        assert_eq!(relative(now + Span::DAY.times(2), now), "in 2 d");
        assert_eq!(relative(now - Span::from_millis(400), now), "now");
        assert_eq!(moment(now, &Zone::utc()), "2027-01-01 00:00 UTC");
        assert_eq!(bytes(12_345), "12.3 kB");
    }

    #[test]
    fn the_monitor_clause_says_what_is_watched() {
        let text =
            "create sentinel a using \"https://a.example\"\n  monitor all links\n  fetch on change";
        assert_eq!(monitored(text), "all links");
        let text = "create sentinel a using https://a.example/\n  notify by interactive";
        assert_eq!(monitored(text), "any change");
    }
}
