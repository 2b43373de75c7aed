//! A text that says when it was made: a clock that moves more slowly than we look.
//!
//! What tells it from an appointment: its time lies as far from that of the look at each change.
//! The page's zone is unknown, so that a distance means nothing by itself; that it stays does.

use super::{CELL, Habit, Habits, Key, standing::Standing, text, today};
use crate::found::{Found, Pair};
use chronon::Instant;
use page::Kind;
use regex::Regex;
use std::sync::LazyLock;

/// Longer texts say more.
const TEXT_BYTES_MAX: usize = 120;
const DAY_MINUTES: i64 = 24 * 60;
/// How far the distances may lie apart: we look later or sooner, and the hour is changed.
const APART_MAX: i64 = 75;
/// Times that a clock was that of the look before that is a habit.
const TIMES_MIN: u16 = 3;

/// Stands for the clock.
const CLOCK: &str = "\u{3}";

static CLOCKS: LazyLock<Regex> = LazyLock::new(|| {
    let colon = r"(?P<h>[01]?\d|2[0-3])[:h](?P<m>[0-5]\d)(?::[0-5]\d)?(?: ?(?P<p>[ap])\.?m\b\.?)?";
    let dot = r"(?P<hd>[01]?\d|2[0-3])\.(?P<md>[0-5]\d)(?: Uhr| ?(?P<pd>[ap])\.?m\b\.?)";
    let bare = r"(?P<hb>1[0-2]|0?[1-9]) ?(?P<pb>[ap])\.?m\b\.?";
    Regex::new(&format!(r"(?i)(?:\b|T)(?:{colon}|{dot}|{bare})"))
        .expect("a regex that a test compiles")
});

/// What says that something is to come, or from when to when it is.
static TO_COME: LazyLock<Regex> = LazyLock::new(|| {
    let english = r"next|depart\p{L}*|leav\p{L}*|arriv\p{L}*|due|open\p{L}*|clos\p{L}*|hours|until|till|through|from|starts?|starting|begin\p{L}*|ends?|doors?|kick-?off|deadline|before|by|after|tides?|high water|low water|sun\p{L}*|moon\p{L}*|sail\p{L}*|board\p{L}*|gate|eta|etd|expect\p{L}*|delay\p{L}*|schedul\p{L}*|plan\p{L}*|estimat\p{L}*|forecast|avail\p{L}*|appointments?|slots?|meet\p{L}*|events?|trains?|bus(?:es)?|flights?|ferr(?:y|ies)|time ?table|check-?(?:in|out)|alarm|pick-?up|deliver\p{L}*|shows?|screen\p{L}*|match(?:es)?|class(?:es)?|mass|prayers?";
    let german = r"nächst\p{L}*|ab|bis|von|abfahrt\p{L}*|ankunft\p{L}*|öffn\p{L}*|geöffnet|schlie(?:ß|ss)\p{L}*|geschlossen|begin\p{L}*|einlass|ende\p{L}*|frist|anstoß|anpfiff|verspät\p{L}*|voraussichtlich|geplant|termin\p{L}*|zug|züge|fahrplan|sprechstunde\p{L}*|hochwasser|niedrigwasser";
    let others = r"prochain\p{L}*|départ\p{L}*|arrivée\p{L}*|ouv\p{L}*|ferm\p{L}*|jusqu\p{L}*|dès|début\p{L}*|horaires?|rendez-vous|marée\p{L}*|próxim\p{L}*|salidas?|llegadas?|abre|abiert\p{L}*|cierr\p{L}*|hasta|desde|inicio|horario|cita|prossim\p{L}*|partenz\p{L}*|arriv\p{L}*|apr\p{L}*|chiu\p{L}*|fino|dalle|inizio|orari\p{L}*|volgend\p{L}*|vertrek\p{L}*|aankomst\p{L}*|geopend|sluit\p{L}*|tot|vanaf|aanvang|afspraak";
    Regex::new(&format!(r"(?i)\b(?:{english}|{german}|{others})\b"))
        .expect("a regex that a test compiles")
});

/// Whether a text speaks of what is to come.
pub(super) fn is_to_come(text: &str) -> bool {
    TO_COME.is_match(text)
}

/// What says since when something is so, or when it was so last.
static HAPPENED: LazyLock<Regex> = LazyLock::new(|| {
    let last = r"(?:last|latest|most recent|letzte\p{L}*|derni\p{L}*|[uú]ltim\p{L}*|laatste|senaste|sidste|siste)";
    Regex::new(&format!(
        r"(?i)\b(?:since|seit|depuis|sinds|sedan|siden|(?P<last>{last})(?:\P{{L}}+(?P<what>\p{{L}}+))?)\b"
    ))
    .expect("a regex that a test compiles")
});

/// How words begin that say that a text was made: the page itself did that last.
const MADE: [&str; 29] = [
    "actuali",
    "aggiorn",
    "aktualis",
    "atuali",
    "bijgewerkt",
    "bijwerk",
    "change",
    "check",
    "data",
    "edit",
    "fetch",
    "gener",
    "geändert",
    "lecture",
    "measur",
    "messung",
    "mise",
    "mesure",
    "modif",
    "oppdater",
    "opdater",
    "pull",
    "reading",
    "refresh",
    "retriev",
    "sync",
    "updat",
    "uppdater",
    "änderung",
];

/// Whether a text says when something was last, other than the text itself.
fn happened(text: &str) -> bool {
    HAPPENED.captures_iter(text).any(|found| {
        let what = found.name("what").map_or(String::new(), |what| what.as_str().to_lowercase());
        found.name("last").is_none() || !MADE.iter().any(|made| what.starts_with(made))
    })
}

/// The one clock of a text: the minute of its day, and the text without it.
fn clock(text: &str) -> Option<(i64, String)> {
    let mut all = CLOCKS.captures_iter(text);
    let found = all.next().filter(|_| all.next().is_none())?;
    let number = |names: &[&str]| -> Option<i64> {
        names.iter().find_map(|name| found.name(name)).and_then(|one| one.as_str().parse().ok())
    };
    let half = ["p", "pd", "pb"].iter().find_map(|name| found.name(name));
    let hour = number(&["h", "hd", "hb"])?;
    let hour = match half.map(|half| half.as_str().eq_ignore_ascii_case("p")) {
        Some(is_after_noon) => hour % 12 + if is_after_noon { 12 } else { 0 },
        None => hour,
    };
    let minute = hour * 60 + number(&["m", "md"]).unwrap_or(0);
    Some((minute, CLOCKS.replace(text, CLOCK).into_owned()))
}

/// Minutes between two times of a day, the short way.
fn apart(one: i64, other: i64) -> i64 {
    let far = (one - other).rem_euclid(DAY_MINUTES);
    far.min(DAY_MINUTES - far)
}

fn gcd(a: u16, b: u16) -> u16 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A text of which nothing but its clock differs, and its date.
struct Stamp {
    key: Key,
    /// The minute of the day, and how far it went on.
    minute: i64,
    step: u16,
    /// Both texts without their clocks.
    rest: [String; 2],
}

impl Stamp {
    fn of(change: &Found, pair: &Pair<'_>, standing: &Standing<'_>) -> Option<Stamp> {
        let (old, new) = (text(&change.old)?, text(&change.new)?);
        let is_short = old.len().max(new.len()) <= TEXT_BYTES_MAX && !new.contains(CELL);
        if pair.new.extract.kind != Kind::Html || !is_short {
            return None;
        }
        let ((from, old_rest), (minute, rest)) = (clock(old)?, clock(new)?);
        let shape = today::shape(&rest);
        let around = [&*rest, &standing.heading, standing.before];
        if shape != today::shape(&old_rest)
            || around.iter().any(|text| is_to_come(text) || happened(text))
        {
            return None;
        }
        let key = standing.key(Habit::Stamps, &shape);
        let step = (minute - from).rem_euclid(DAY_MINUTES) as u16;
        Some(Stamp { key, minute, step, rest: [old_rest, rest] })
    }

    /// Whether its date is as it was, or goes on by a day to that of the look.
    fn goes_on(&self, at: Option<Instant>) -> bool {
        let [old, new] = &self.rest;
        old == new || at.is_some_and(|at| today::turns_at(old, new, at))
    }

    /// How far from the look it lies.
    fn distance(&self, at: Instant) -> i64 {
        (self.minute - at.as_millis().div_euclid(60_000)).rem_euclid(DAY_MINUTES)
    }
}

impl Habits {
    /// Learns whether a text says when it was made. In its trace, `all` is how far the clock is
    /// from the look, `recent` what all its steps are multiples of, and `times` goes with both.
    /// What runs at most looks (`do_run`) is known as that.
    pub(super) fn see_stamp(
        &mut self,
        change: &Found,
        pair: &Pair<'_>,
        standing: &Standing<'_>,
        (at, do_run): (Instant, bool),
    ) {
        let Some(stamp) = Stamp::of(change, pair, standing) else { return };
        if do_run {
            self.traces.remove(&stamp.key);
            return;
        }
        if !self.teaches(stamp.key) {
            return;
        }
        let (looks, distance) = (self.looks, stamp.distance(at));
        let said = standing.said(text(&change.new).unwrap_or_default());
        let is_known = self.traces.contains_key(&stamp.key);
        let trace = self.trace(stamp.key, at, &said);
        // Several texts that are known as one count once for a look.
        if is_known && trace.last == looks {
            trace.recent = gcd(trace.recent, stamp.step);
            return;
        }
        let is_far = apart(distance, trace.all.into()) > APART_MAX;
        if trace.times > 0 && is_far || !stamp.goes_on(Some(at)) {
            (trace.times, trace.recent, trace.since) = (0, 0, at.as_millis());
        }
        trace.times = trace.times.saturating_add(1);
        trace.recent = gcd(trace.recent, stamp.step);
        (trace.all, trace.last) = (distance as u16, looks);
    }

    /// What a text is known by that says when it was made, if it goes on as it did.
    pub(super) fn is_stamp(
        &self,
        change: &Found,
        pair: &Pair<'_>,
        standing: &Standing<'_>,
    ) -> Option<Key> {
        let any =
            Key { habit: Habit::Stamps, hash: 0 }..=Key { habit: Habit::Stamps, hash: u64::MAX };
        self.traces.range(any).next()?;
        let stamp = Stamp::of(change, pair, standing)?;
        let trace = self.traces.get(&stamp.key)?;
        let is_near = |at| apart(stamp.distance(at), trace.all.into()) <= APART_MAX;
        let is_step = stamp.step.checked_rem(trace.recent).unwrap_or(0) == 0;
        let goes_on = is_step && self.now.is_none_or(is_near) && stamp.goes_on(self.now);
        goes_on.then_some(stamp.key)
    }
}

impl super::Trace {
    /// Whether a text said when it was made often enough.
    pub(super) fn says_now(&self) -> bool {
        self.times >= TIMES_MIN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_read_however_it_is_written() {
        let minute = |text| clock(text).map(|(minute, _)| minute);
        for text in [
            "Measured at 15:04",
            "As of 15:04:59 UTC",
            "Stand: 15.04 Uhr",
            "15h04",
            "3:04 pm",
            "3.04 p.m.",
            "26 November 2026, 15:04",
            "2026-11-26T15:04:00Z",
        ] {
            assert_eq!(minute(text), Some(15 * 60 + 4), "{text}");
        }
        assert_eq!([minute("12 am"), minute("12:30 pm")], [Some(0), Some(750)]);
        for text in ["9:00 – 17:00", "1.04 %", "Room 15", "", "25:04", "3 Nov 2026"] {
            assert_eq!(minute(text), None, "{text}");
        }
        assert!(apart(10, 1_430) == 20 && apart(1_430, 10) == 20);
    }

    #[test]
    fn what_is_to_come_is_no_stamp() {
        for text in ["Next ferry", "Open until", "Departure", "Abfahrt ab Kai 3", "Hours"] {
            assert!(is_to_come(text), "{text}");
        }
        for text in ["Measured at", "As of", "Prices as of", "Data retrieved at", "Stand:", "Level"]
        {
            assert!(!is_to_come(text), "{text}");
        }
        for text in ["Last goal", "Closed since", "Letzter Einsatz:", "Last:", "Seit"] {
            assert!(happened(text), "{text}");
        }
        for text in ["Last updated at", "Letzte Messung:", "Dernière mise à jour", "As of"] {
            assert!(!happened(text), "{text}");
        }
    }
}
