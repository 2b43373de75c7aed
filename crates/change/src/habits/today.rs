//! A text that says what day it is, and so is another one each day.
//!
//! Where a page is looked at more often than once a day, such a text changes at few looks. What
//! tells it from news: its date goes one day on, to the day on which we look, day after day, and on
//! a Sunday, too. What comes out on weekdays alone stays news, and so does a date that leaps, and
//! what has a date.

use super::{CELL, Habit, Habits, Key, hash, text};
use crate::found::{Found, Pair, Spot};
use chronon::{Day, Instant, Span};
use page::Kind;
use regex::Regex;
use std::sync::LazyLock;

/// Longer texts say more than a date.
const DATE_BYTES_MAX: usize = 80;

/// Days in a row on which a text said what day it was before that is a habit.
const DAYS_MIN: u16 = 3;
/// In [`Trace::recent`](super::Trace): one of them was a Sunday.
const SUNDAY: u16 = 1;

/// Monday to Sunday, and January to December, as pages write them; shorter forms are those of
/// English.
const WEEKDAYS: [&str; 7] = [
    "monday|montag|lundi|lunes|lunedì|maandag|segunda-feira|poniedziałek|pondělí|måndag|mandag|mon",
    "tuesday|dienstag|mardi|martes|martedì|dinsdag|terça-feira|wtorek|úterý|tisdag|tirsdag|tues?",
    "wednesday|mittwoch|mercredi|miércoles|mercoledì|woensdag|quarta-feira|środa|středa|onsdag|wed",
    "thursday|donnerstag|jeudi|jueves|giovedì|donderdag|quinta-feira|czwartek|čtvrtek|torsdag|thu(?:rs)?",
    "friday|freitag|vendredi|viernes|venerdì|vrijdag|sexta-feira|piątek|pátek|fredag|fri",
    "saturday|samstag|sonnabend|samedi|sábado|sabato|zaterdag|sobota|lördag|lørdag|sat",
    "sunday|sonntag|dimanche|domingo|domenica|zondag|niedziela|neděle|söndag|søndag|sun",
];
const MONTHS: [&str; 12] = [
    "january|januar|jänner|janvier|enero|gennaio|januari|janeiro|stycznia|ledna|jan",
    "february|februar|février|febrero|febbraio|februari|fevereiro|lutego|února|feb",
    "march|märz|mars|marzo|maart|março|marca|března|marts|mar",
    "april|avril|abril|aprile|kwietnia|dubna|apr",
    "may|mai|mayo|maggio|mei|maio|maja|května|maj",
    "june|juni|juin|junio|giugno|junho|czerwca|června|jun",
    "july|juli|juillet|julio|luglio|julho|lipca|července|jul",
    "august|août|agosto|augustus|augusti|sierpnia|srpna|aug",
    "september|septembre|septiembre|settembre|setembro|września|září|sept?",
    "october|oktober|octobre|octubre|ottobre|outubro|października|října|oct",
    "november|novembre|noviembre|novembro|listopada|listopadu|nov",
    "december|dezember|décembre|diciembre|dicembre|dezembro|grudnia|prosince|dec",
];

/// A name of a day or a month, each in its group, or a number; what ends them belongs to them.
static TOKENS: LazyLock<Regex> = LazyLock::new(|| {
    let names: Vec<String> =
        WEEKDAYS.iter().chain(&MONTHS).map(|names| format!(r"\b({names})\b\.?")).collect();
    let regex = format!(r"(?i){}|([0-9]+)(?:(?:st|nd|rd|th|er|\.?[ºª])\b)?", names.join("|"));
    Regex::new(&regex).expect("a regex that a test compiles")
});

/// What of a date a text says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    /// 0 is Monday.
    Weekday(i8),
    Month(i8),
    /// And how many digits it is written with.
    Number(i64, usize),
}

/// `None`: a number in it is none of a date.
fn tokens(text: &str) -> Option<Vec<Token>> {
    let token = |found: regex::Captures<'_>| {
        let group = (1..found.len()).find(|&group| found.get(group).is_some())?;
        match group - 1 {
            at @ 0..7 => Some(Token::Weekday(at as i8)),
            at @ 7..19 => Some(Token::Month(at as i8 - 6)),
            _ => Some(Token::Number(found[group].parse().ok()?, found[group].len())),
        }
    };
    TOKENS.captures_iter(text).map(token).collect()
}

/// Whether what differs between two texts is one day's date in the one, and the next day's in the
/// other, `to`. The year alone, or the month, is no date.
fn turns(old: &[Token], new: &[Token], to: Day) -> bool {
    let from = to.before();
    let mut is_day = false;
    let mut is_of = |(old, new): (&Token, &Token)| match (*old, *new) {
        (Token::Weekday(old), Token::Weekday(new)) => {
            is_day = true;
            (old, new) == (from.weekday(), to.weekday())
        }
        (Token::Month(old), Token::Month(new)) => (old, new) == (from.month(), to.month()),
        (Token::Number(old, _), Token::Number(new, _)) => {
            let is = |part: fn(Day) -> i64| old != new && (old, new) == (part(from), part(to));
            let is_day_of_month = is(|day| day.day().into());
            is_day |= is_day_of_month;
            is_day_of_month
                || is(|day| day.month().into())
                || is(|day| day.year().into())
                || is(|day| i64::from(day.year()) % 100)
        }
        _ => false,
    };
    old.len() == new.len()
        && old.iter().zip(new).filter(|(old, new)| old != new).all(&mut is_of)
        && is_day
}

/// A text with `#` for each name of a day or a month, and for each number.
pub(super) fn shape(text: &str) -> String {
    TOKENS.replace_all(text, "#").into_owned()
}

/// A time of day.
static TIME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b[0-2]?\d[:.h][0-5]\d\b").expect("a regex that a test compiles")
});
/// A longer word in a clock says more than how its date is put.
const CLOCK_WORD_CHARS_MAX: usize = 4;

/// Whether both texts are a day and a time of day, in any of these languages, and nothing else but
/// what stands between the two; and the times differ: a clock of the page. An appointment keeps its
/// time, or says what for.
pub(super) fn are_of_clock(old: &str, new: &str) -> bool {
    let time = |text| TIME.find(text).map(|time| time.as_str());
    let is_short = old.len().max(new.len()) <= DATE_BYTES_MAX;
    if !is_short || [old, new].iter().any(|text| text.contains(CELL)) || time(old) == time(new) {
        return false;
    }
    let (before, now) = (shape(old), shape(new));
    let mut words = now.split(|c: char| !c.is_alphabetic());
    time(old).and(time(new)).is_some()
        && before == now
        && words.all(|word| word.chars().count() <= CLOCK_WORD_CHARS_MAX)
}

/// The days that it may be on Earth.
fn days(at: Instant) -> [Day; 3] {
    [at, at - Span::HOUR.times(12), at + Span::HOUR.times(14)].map(Day::of)
}

/// Whether the date of a text goes on by a day, to that of the look.
pub(super) fn turns_at(old: &str, new: &str, at: Instant) -> bool {
    let tokens = tokens(old).zip(tokens(new));
    tokens.is_some_and(|(old, new)| days(at).into_iter().any(|day| turns(&old, &new, day)))
}

/// What may stand in a text that says when something is, and nothing else.
static WHEN: LazyLock<Regex> = LazyLock::new(|| {
    let words = r"\b(?:[ap]\.?m\b\.?|uhr|to|until|bis)\b";
    Regex::new(&format!(r"^(?i:{words}|[\s,.:/–—|-])*$")).expect("a regex that a test compiles")
});

/// Whether a text is a day or a time of a day, or from when to when, and nothing else.
pub fn says_when(text: &str) -> bool {
    let digits = || text.bytes().filter(u8::is_ascii_digit).count();
    let is_one = || text.contains(|c: char| c == ':' || c.is_alphabetic());
    text.len() <= DATE_BYTES_MAX
        && (digits() >= 4 || digits() > 0 && is_one())
        && WHEN.is_match(&TOKENS.replace_all(text, ""))
}

/// What may stand beside a date in a text that says no more than what day it is.
static BESIDE: LazyLock<Regex> = LazyLock::new(|| {
    let words = r"today(?:'s|’s)?|it|is|the|of|heute|ist|der|den|aujourd['’]hui|nous|sommes|le|hoy|es|el|de|del|oggi|è|il|vandaag|het|hoje|é";
    Regex::new(&format!(r"(?i)\b(?:{words})\b")).expect("a regex that a test compiles")
});

/// A text of a page that says what day it is, and nothing else, in both versions.
struct Dated {
    key: Key,
    tokens: [Vec<Token>; 2],
}

impl Dated {
    fn of(change: &Found, pair: &Pair<'_>) -> Option<Dated> {
        let (old, new) = (text(&change.old)?, text(&change.new)?);
        let is_short = old.len().max(new.len()) <= DATE_BYTES_MAX;
        if pair.new.extract.kind != Kind::Html || !is_short {
            return None;
        }
        let shape = TOKENS.replace_all(new, "#");
        // What is dated is news: "Situation report, 27 November".
        let says_more = || BESIDE.replace_all(&shape, "").contains(char::is_alphabetic);
        if shape != TOKENS.replace_all(old, "#") || says_more() {
            return None;
        }
        let (side, place) = match change.place.as_ref()? {
            Spot::Old(place) => (&pair.old, place),
            Spot::New(place) => (&pair.new, place),
        };
        let reading = side.reading();
        let block = reading.block(place)?;
        // What stands below a heading that is a date is of that day.
        side.extract.blocks.get(block).filter(|block| block.heading == 0)?;
        let name = format!("{}\u{1}{shape}", reading.section(block).unwrap_or_default());
        let key = Key { habit: Habit::Today, hash: hash(&name) };
        Some(Dated { key, tokens: [tokens(old)?, tokens(new)?] })
    }

    fn turns(&self, to: Day) -> bool {
        let [old, new] = &self.tokens;
        turns(old, new, to)
    }
}

impl Habits {
    /// Learns whether a text says what day it is: today, somewhere on Earth.
    pub(super) fn see_today(&mut self, change: &Found, pair: &Pair<'_>, at: Instant) {
        let Some(dated) = Dated::of(change, pair) else { return };
        let Some(to) = days(at).into_iter().find(|&day| dated.turns(day)) else {
            self.traces.remove(&dated.key);
            return;
        };
        let days = to.number() as u16;
        let looks = self.looks;
        let trace = self.trace(dated.key, at, text(&change.new).unwrap_or_default());
        if trace.times > 0 && trace.all != days && trace.all.saturating_add(1) != days {
            (trace.times, trace.recent, trace.since) = (0, 0, at.as_millis());
        }
        if trace.times == 0 || trace.all != days {
            trace.times = trace.times.saturating_add(1);
        }
        (trace.all, trace.last) = (days, looks);
        if to.weekday() == 6 {
            trace.recent |= SUNDAY;
        }
    }

    /// What a text is known as that says what day it is, if it goes on as it did.
    pub(super) fn says_today(&self, change: &Found, pair: &Pair<'_>) -> Option<Key> {
        let any =
            Key { habit: Habit::Today, hash: 0 }..=Key { habit: Habit::Today, hash: u64::MAX };
        self.traces.range(any).next()?;
        let dated = Dated::of(change, pair)?;
        let last = Day::of_number(self.traces.get(&dated.key)?.all.into());
        [last, last.after()].into_iter().any(|day| dated.turns(day)).then_some(dated.key)
    }
}

impl super::Trace {
    /// Whether a text said what day it was often enough.
    pub(super) fn says_today(&self) -> bool {
        self.times >= DAYS_MIN && self.recent & SUNDAY != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_days_and_times_say_when() {
        let all =
            ["Sat 31 Jan", "10:00", "10:00 – 11:30 am", "3 May 2026", "2026-05-03", "12. Mai"];
        assert_eq!(all.map(says_when), [true; 6]);
        let none =
            ["12", "Room 12", "Read more", "Tickets from 12 May", "", "May", "£10.30", "6 days"];
        assert_eq!(none.map(says_when), [false; 8]);
    }

    #[test]
    fn what_ends_a_number_and_what_stands_beside_a_date_say_nothing() {
        let shape = |text| TOKENS.replace_all(text, "#").into_owned();
        assert_eq!(shape("Mardi 1er décembre"), shape("Mercredi 2 décembre"));
        assert_eq!(shape("1.º de dezembro"), shape("30 de novembro"));
        assert_eq!(shape("Apr. 30"), shape("May 1"));
        let says_more = |text| BESIDE.replace_all(&shape(text), "").contains(char::is_alphabetic);
        let dates = [
            "Vandaag is het vrijdag 27 november",
            "Today is Friday, November 27th, 2026",
            "Aujourd'hui, nous sommes le vendredi 27 novembre",
            "Lunedì, 1º giugno",
            "27.11.26",
        ];
        assert!(dates.iter().all(|text| !says_more(text)));
        assert!(says_more("Situation report, 27 November") && says_more("Date: 27 November"));
    }

    #[test]
    fn a_clock_is_a_day_and_a_time_and_nothing_else() {
        for [old, new] in [
            ["lunes, 9 de febrero de 2026, 10:14", "miércoles, 11 de marzo de 2026, 19:40"],
            ["Montag, 2. März 2026, 10:14 Uhr", "Dienstag, 3. März 2026, 08:30 Uhr"],
            ["12 lutego 2026, godz. 9:41", "13 lutego 2026, godz. 10:02"],
        ] {
            assert!(are_of_clock(old, new), "{old}");
        }
        for [old, new] in [
            ["Dienstag, 3. März, 19:00 Uhr", "Dienstag, 10. März, 19:00 Uhr"],
            ["Nächste Sitzung: Montag, 10:15", "Nächste Sitzung: Dienstag, 11:15"],
            ["Montag | 10:00", "Montag | 11:00"],
            ["Montag", "Dienstag"],
            ["lunes, 9 de febrero, abierto 10:14", "martes, 10 de febrero, cerrado 11:14"],
        ] {
            assert!(!are_of_clock(old, new), "{old}");
        }
    }

    #[test]
    fn the_next_day_is_told_from_all_else_that_moves() {
        let is = |old: &str, new: &str, to: (i16, i8, i8)| {
            let to = Day::new(to.0, to.1, to.2).unwrap();
            turns(&tokens(old).unwrap(), &tokens(new).unwrap(), to)
        };
        let november = (2026, 11, 27);
        assert!(is("Thursday, 26 November 2026", "Friday, 27 November 2026", november));
        assert!(is("Donnerstag, 26. November", "Freitag, 27. November", november));
        assert!(is("Today is Thursday", "Today is Friday", november));
        assert!(is("Nov 26th", "Nov 27th", november));
        assert!(is("2026-11-26", "2026-11-27", november));
        assert!(is(
            "Lunes 30 de noviembre de 2026",
            "Martes 1 de diciembre de 2026",
            (2026, 12, 1)
        ));
        assert!(is("31.12.26", "01.01.27", (2027, 1, 1)));
        assert!(is("Lundi 30 novembre", "Mardi 1er décembre", (2026, 12, 1)));
        assert!(is("Fri, Nov. 27th", "Sat, Nov. 28th", (2026, 11, 28)));
        assert!(!is("Thursday, 26 November", "Saturday, 28 November", november));
        assert!(!is("Thursday, 26 November", "Friday, 27 November", (2026, 11, 28)));
        assert!(!is("Friday, 27 November", "Thursday, 26 November", november));
        assert!(!is("26 November, 12 °C", "27 November, 14 °C", november));
        assert!(!is("27 May, 1.05", "28 May, 1.5", (2026, 5, 28)));
        assert_eq!(tokens("27 November, 99999999999999999999"), None);
        assert!(!is("November 2026", "December 2026", (2026, 12, 1)));
        assert!(!is("27 November", "27 November", november));
    }
}
