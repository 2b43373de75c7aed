//! Time zones: local times become instants and back, with the rules for gaps and folds of
//! `docs/language.md`, Time.

use crate::Instant;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZoneDatabase;
use jiff::{Timestamp, tz::TimeZone};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The first day that is counted.
const EPOCH: Date = Date::constant(1970, 1, 1);
/// More days from there lead beyond the calendar.
const DAYS_MAX: i32 = 5_000_000;

/// A time zone of the compiled-in IANA database, or a fixed offset.
#[derive(Clone, PartialEq, Eq)]
pub struct Zone(
    /// `None`: UTC. Shared, for every sentinel holds its zone.
    Option<Arc<Named>>,
);

static UTC: TimeZone = TimeZone::UTC;

#[derive(PartialEq, Eq)]
struct Named {
    name: Box<str>,
    zone: TimeZone,
}

/// The name is neither `Z`, `UTC`, an offset such as `+02:00`, nor a zone of the IANA database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownZone(pub String);

impl fmt::Display for UnknownZone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not a time zone; write UTC, an offset such as +02:00, or a name such as Europe/Lisbon",
            self.0
        )
    }
}

impl std::error::Error for UnknownZone {}

/// A day of the calendar, shown as `2027-01-31`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(Date);

impl Day {
    /// `None` if there is no such day.
    pub fn new(year: i16, month: i8, day: i8) -> Option<Day> {
        Date::new(year, month, day).ok().map(Day)
    }

    /// Years of the common era, -9999 to 9999.
    pub fn year(self) -> i16 {
        self.0.year()
    }

    /// 1 to 12.
    pub fn month(self) -> i8 {
        self.0.month()
    }

    /// The day of the month, from 1.
    pub fn day(self) -> i8 {
        self.0.day()
    }

    /// 0 is Monday, 6 Sunday.
    pub fn weekday(self) -> i8 {
        self.0.weekday().to_monday_zero_offset()
    }

    /// The day of an instant in UTC (the ends of the calendar beyond its range).
    pub fn of(instant: Instant) -> Day {
        Day(timestamp(instant).to_zoned(TimeZone::UTC).date())
    }

    /// Days since 1970-01-01.
    pub fn number(self) -> i32 {
        self.0.duration_since(EPOCH).as_hours() as i32 / 24
    }

    /// The inverse of [`Day::number`] (the ends of the calendar beyond its range).
    pub fn of_number(days: i32) -> Day {
        let within = days.clamp(-DAYS_MAX, DAYS_MAX);
        Day(EPOCH.saturating_add(jiff::Span::new().days(within)))
    }

    /// The next one; the last day of the calendar stays.
    pub fn after(self) -> Day {
        self.0.tomorrow().map_or(self, Day)
    }

    /// The one before; the first day of the calendar stays.
    pub fn before(self) -> Day {
        self.0.yesterday().map_or(self, Day)
    }

    /// A time of this day.
    pub fn at(self, time: TimeOfDay) -> LocalTime {
        LocalTime(self.0.to_datetime(time.0))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Hours, minutes and seconds of a day, shown as `09:00` (with seconds where there are any).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimeOfDay(Time);

impl TimeOfDay {
    pub const MIDNIGHT: TimeOfDay = TimeOfDay(Time::midnight());

    /// `None` if there is no such time of day.
    pub fn new(hour: i8, minute: i8, second: i8) -> Option<TimeOfDay> {
        Time::new(hour, minute, second, 0).ok().map(TimeOfDay)
    }

    /// The minute it lies in, without seconds.
    pub fn to_the_minute(self) -> TimeOfDay {
        TimeOfDay::new(self.0.hour(), self.0.minute(), 0).expect("parts of a time")
    }

    /// Whole minutes since midnight: 0 to 1,439.
    pub fn minutes(self) -> i64 {
        i64::from(self.0.hour()) * 60 + i64::from(self.0.minute())
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.0.hour(), self.0.minute())?;
        if self.0.second() != 0 {
            write!(f, ":{:02}", self.0.second())?;
        }
        Ok(())
    }
}

/// A day and a time of it on somebody's wall, in whole seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LocalTime(pub(crate) DateTime);

impl LocalTime {
    pub fn day(self) -> Day {
        Day(self.0.date())
    }

    pub fn time_of_day(self) -> TimeOfDay {
        let time = self.0.time();
        TimeOfDay::new(time.hour(), time.minute(), time.second()).expect("parts of a time")
    }
}

impl FromStr for LocalTime {
    type Err = NoSuchTime;

    /// Reads `2027-01-31T09:00`, as a browser's field writes it, or with seconds.
    fn from_str(text: &str) -> Result<LocalTime, NoSuchTime> {
        let time: DateTime = text.parse().map_err(|_| NoSuchTime)?;
        if text.contains('T') { Ok(LocalTime(time)) } else { Err(NoSuchTime) }
    }
}

/// A text is no day and time of day, such as `2027-01-31T09:00`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoSuchTime;

impl fmt::Display for LocalTime {
    /// `2027-01-31 09:00` (with seconds where there are any).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.day(), self.time_of_day())
    }
}

impl Zone {
    /// Coordinated universal time.
    pub const fn utc() -> Zone {
        Zone(None)
    }

    /// Reads `Z`, `UTC`, `+HH:MM`, `-HH:MM` or an IANA name (without case).
    pub fn parse(name: &str) -> Result<Zone, UnknownZone> {
        if name.eq_ignore_ascii_case("z") || name.eq_ignore_ascii_case("utc") {
            return Ok(Zone::utc());
        }
        let unknown = || UnknownZone(name.to_owned());
        if let Some(sign) = name.chars().next().filter(|c| matches!(c, '+' | '-')) {
            let minutes = parse_offset(&name[1..]).ok_or_else(unknown)?;
            let seconds = if sign == '-' { -minutes * 60 } else { minutes * 60 };
            let offset = jiff::tz::Offset::from_seconds(seconds).map_err(|_| unknown())?;
            return Ok(Zone::named(name, TimeZone::fixed(offset)));
        }
        let zone = TimeZoneDatabase::bundled().get(name).map_err(|_| unknown())?;
        Ok(Zone::named(zone.iana_name().unwrap_or(name), zone.clone()))
    }

    /// The names of the IANA database.
    pub fn names() -> Vec<String> {
        let database = TimeZoneDatabase::bundled();
        database.available().map(|name| name.as_str().to_owned()).collect()
    }

    fn named(name: &str, zone: TimeZone) -> Zone {
        Zone(Some(Arc::new(Named { name: name.into(), zone })))
    }

    fn rules(&self) -> &TimeZone {
        self.0.as_ref().map_or(&UTC, |named| &named.zone)
    }

    /// The name it was asked for by, in the database's spelling.
    pub fn name(&self) -> &str {
        self.0.as_ref().map_or("UTC", |named| &named.name)
    }

    /// The instant at which the wall shows `local`: the first instant after the gap if it never
    /// does, the earlier one if it does twice.
    pub fn instant(&self, local: LocalTime) -> Instant {
        let ambiguous = self.rules().to_ambiguous_timestamp(local.0);
        let stamp = match ambiguous.offset() {
            jiff::tz::AmbiguousOffset::Gap { before, .. } => before
                .to_timestamp(local.0)
                .ok()
                // The beginning of the gap is the transition itself, and `preceding` is strict.
                .and_then(|inside| inside.checked_add(jiff::SignedDuration::from_nanos(1)).ok())
                .and_then(|inside| self.rules().preceding(inside).next())
                .map(|transition| transition.timestamp())
                .ok_or(()),
            _ => ambiguous.earlier().map_err(|_| ()),
        };
        match stamp {
            Ok(stamp) => Instant::from_millis(stamp.as_millisecond()),
            Err(()) if local.0.year() > 2000 => Instant::NEVER,
            Err(()) => Instant::from_millis(Timestamp::MIN.as_millisecond()),
        }
    }

    /// What the wall shows at `instant` (the ends of the calendar beyond its range).
    pub fn local(&self, instant: Instant) -> LocalTime {
        LocalTime(self.rules().to_datetime(timestamp(instant)))
    }

    /// What the wall shows, to the second, and whose it is: `2027-01-31 10:00:00 Europe/Berlin`.
    pub fn moment(&self, instant: Instant) -> String {
        let local = self.local(instant).0;
        let (hour, minute, second) = (local.hour(), local.minute(), local.second());
        format!("{} {hour:02}:{minute:02}:{second:02} {}", local.date(), self.name())
    }
}

impl fmt::Debug for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

fn parse_offset(text: &str) -> Option<i32> {
    let (hours, minutes) = text.split_once(':')?;
    if hours.len() != 2 || minutes.len() != 2 {
        return None;
    }
    let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit()).then(|| s.parse::<i32>().ok());
    let (hours, minutes) = (digits(hours)??, digits(minutes)??);
    (hours <= 23 && minutes <= 59).then_some(hours * 60 + minutes)
}

fn timestamp(instant: Instant) -> Timestamp {
    Timestamp::from_millisecond(instant.as_millis()).unwrap_or(if instant > Instant::EPOCH {
        Timestamp::MAX
    } else {
        Timestamp::MIN
    })
}

pub(crate) fn format_utc(instant: Instant, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{:.3}", timestamp(instant))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(zone: &str, local: &str) -> String {
        let zone = Zone::parse(zone).expect("zone");
        zone.instant(local.parse().expect("a time")).to_string()
    }

    #[test]
    fn a_local_time_in_a_gap_is_the_first_instant_after_it() {
        // Lisbon went from 01:00 to 02:00 on 2027-03-28.
        assert_eq!(at("Europe/Lisbon", "2027-03-28T01:00"), "2027-03-28T01:00:00.000Z");
        assert_eq!(at("Europe/Lisbon", "2027-03-28T01:30"), "2027-03-28T01:00:00.000Z");
        assert_eq!(at("Europe/Lisbon", "2027-03-28T02:00"), "2027-03-28T01:00:00.000Z");
    }

    #[test]
    fn a_local_time_that_exists_twice_is_the_earlier() {
        assert_eq!(at("Europe/Lisbon", "2027-10-31T01:30"), "2027-10-31T00:30:00.000Z");
    }

    /// Every half-hour of a year, in zones whose clocks change at midnight, by half an hour, or
    /// whose calendar skips a day.
    #[test]
    fn instants_never_step_back_while_the_wall_goes_on() {
        let zones = ["Europe/Lisbon", "America/Sao_Paulo", "Australia/Lord_Howe", "Pacific/Apia"];
        for (zone, year) in zones.into_iter().zip([2027, 2018, 2027, 2011]) {
            let zone = Zone::parse(zone).expect("zone");
            let mut last = Instant::EPOCH;
            for month in 1..=12 {
                for (day, half_hour) in (1..=31).flat_map(|day| (0..48).map(move |at| (day, at))) {
                    let Some(day) = Day::new(year, month, day) else { continue };
                    let time = TimeOfDay::new(half_hour / 2, half_hour % 2 * 30, 0);
                    let local = day.at(time.expect("a time of day"));
                    let instant = zone.instant(local);
                    assert!(last <= instant, "{zone:?} {local}");
                    last = instant;
                }
            }
        }
    }

    #[test]
    fn a_moment_is_what_the_wall_shows_and_whose_it_is() {
        let at = Instant::from_millis(1_816_900_205_123);
        let berlin = Zone::parse("Europe/Berlin").expect("zone");
        assert_eq!(berlin.moment(at), "2027-07-30 00:30:05 Europe/Berlin");
        assert_eq!(Zone::utc().moment(at), "2027-07-29 22:30:05 UTC");
    }

    #[test]
    fn zones_are_offsets_or_names_and_nothing_else() {
        assert_eq!(at("+05:30", "2027-01-01T05:30"), "2027-01-01T00:00:00.000Z");
        assert_eq!(Zone::parse("europe/lisbon").expect("zone").name(), "Europe/Lisbon");
        for bad in ["Mars/Olympus", "+5:30", "+25:00", "", "+é:00", "+-1:00"] {
            assert!(Zone::parse(bad).is_err(), "{bad}");
        }
    }
}
