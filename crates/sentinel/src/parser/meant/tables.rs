//! Words of other tools, and those of the language.

/// Words that begin clauses elsewhere, and the clauses here.
pub(in super::super) const CLAUSES_MEANT: [(&str, &str); 33] = [
    ("keep", "changehistory"),
    ("retain", "changehistory"),
    ("versions", "changehistory"),
    ("until", "to"),
    ("till", "to"),
    ("ending", "to"),
    ("ends", "to"),
    ("since", "from"),
    ("starting", "from"),
    ("beginning", "from"),
    ("starts", "from"),
    ("watch", "monitor"),
    ("detect", "monitor"),
    ("track", "monitor"),
    ("filter", "monitor"),
    ("check", "fetch"),
    ("poll", "fetch"),
    ("refresh", "fetch"),
    ("alert", "notify"),
    ("inform", "notify"),
    ("report", "notify"),
    ("tags", "tag"),
    ("label", "tag"),
    ("labels", "tag"),
    ("history", "changehistory"),
    ("show", "presentation"),
    ("display", "presentation"),
    ("present", "presentation"),
    ("priority", "weight"),
    ("importance", "weight"),
    ("comparison", "compare"),
    ("while", "during"),
    ("whilst", "during"),
];

/// Adverbs of time, and the periods.
pub(in super::super) const ADVERBS: [(&str, &str); 8] = [
    ("hourly", "1 hour"),
    ("daily", "1 day"),
    ("nightly", "1 day"),
    ("weekly", "1 week"),
    ("fortnightly", "2 weeks"),
    ("monthly", "30 days"),
    ("yearly", "365 days"),
    ("minutely", "1 minute"),
];

/// Words for comparisons, the longest first, and their signs.
pub(in super::super) const COMPARISONS: [(&[&str], &str); 26] = [
    (&["drops", "below"], "<"),
    (&["falls", "below"], "<"),
    (&["is", "below"], "<"),
    (&["is", "under"], "<"),
    (&["less", "than"], "<"),
    (&["lower", "than"], "<"),
    (&["cheaper", "than"], "<"),
    (&["rises", "above"], ">"),
    (&["is", "above"], ">"),
    (&["is", "over"], ">"),
    (&["more", "than"], ">"),
    (&["greater", "than"], ">"),
    (&["higher", "than"], ">"),
    (&["at", "least"], ">="),
    (&["at", "most"], "<="),
    (&["up", "to"], "<="),
    (&["equal", "to"], "="),
    (&["below"], "<"),
    (&["under"], "<"),
    (&["above"], ">"),
    (&["over"], ">"),
    (&["exceeds"], ">"),
    (&["equals"], "="),
    (&["equal"], "="),
    (&["is"], "="),
    (&["exactly"], "="),
];

/// How often, in words.
pub(in super::super) const RATES: [(&[&str], &str); 17] = [
    (&["when", "changed"], "on change"),
    (&["if", "changed"], "on change"),
    (&["when", "it", "changes"], "on change"),
    (&["on", "every", "change"], "on change"),
    (&["continuously"], "on change"),
    (&["constantly"], "on change"),
    (&["always"], "on change"),
    (&["regularly"], "on change"),
    (&["automatically"], "on change"),
    (&["once", "a", "day"], "every 1 day"),
    (&["once", "per", "day"], "every 1 day"),
    (&["once", "an", "hour"], "every 1 hour"),
    (&["once", "per", "hour"], "every 1 hour"),
    (&["once", "a", "week"], "every 1 week"),
    (&["once", "per", "week"], "every 1 week"),
    (&["twice", "a", "day"], "every 12 hours"),
    (&["twice", "per", "day"], "every 12 hours"),
];

/// Periods in words, after `every`.
pub(in super::super) const PERIODS: [(&[&str], &str); 10] = [
    (&["morning"], "1 day"),
    (&["evening"], "1 day"),
    (&["night"], "1 day"),
    (&["half", "an", "hour"], "30 minutes"),
    (&["half", "hour"], "30 minutes"),
    (&["quarter", "hour"], "15 minutes"),
    (&["half", "day"], "12 hours"),
    (&["other", "day"], "2 days"),
    (&["other", "week"], "2 weeks"),
    (&["other", "hour"], "2 hours"),
];

/// Units in words, after a number.
pub(in super::super) const UNITS: [(&str, &str); 8] = [
    ("percent", "%"),
    ("euro", "EUR"),
    ("euros", "EUR"),
    ("dollar", "USD"),
    ("dollars", "USD"),
    ("pounds", "GBP"),
    ("yen", "JPY"),
    ("francs", "CHF"),
];

/// Signs and words of other languages that join conditions.
pub(in super::super) const JOINTS: [(&str, &str); 8] = [
    ("&&", "and"),
    ("&", "and"),
    ("plus", "and"),
    ("but", "and"),
    ("||", "or"),
    ("|", "or"),
    ("oder", "or"),
    ("und", "and"),
];

/// Words before a parenthesis with a name in it, and those of the language.
pub(in super::super) const CALLED_MEANT: [(&str, &str); 22] = [
    ("fetch", "fetched"),
    ("fetches", "fetched"),
    ("probe", "fetched"),
    ("look", "fetched"),
    ("fail", "failed"),
    ("fails", "failed"),
    ("begin", "start"),
    ("begins", "start"),
    ("began", "start"),
    ("begun", "start"),
    ("started", "start"),
    ("starts", "start"),
    ("ended", "end"),
    ("ends", "end"),
    ("stop", "end"),
    ("stopped", "end"),
    ("finish", "end"),
    ("finished", "end"),
    ("probed", "fetched"),
    ("succeeded", "fetched"),
    ("looked", "fetched"),
    ("error", "failed"),
];

/// Zones by their short names, which several places share.
pub(in super::super) const ZONES: [(&str, &str); 24] = [
    ("GMT", "UTC"),
    ("CET", "Europe/Paris"),
    ("CEST", "Europe/Paris"),
    ("MEZ", "Europe/Berlin"),
    ("MESZ", "Europe/Berlin"),
    ("WET", "Europe/Lisbon"),
    ("WEST", "Europe/Lisbon"),
    ("EET", "Europe/Athens"),
    ("EEST", "Europe/Athens"),
    ("BST", "Europe/London"),
    ("MSK", "Europe/Moscow"),
    ("EST", "America/New_York"),
    ("EDT", "America/New_York"),
    ("ET", "America/New_York"),
    ("CST", "America/Chicago"),
    ("CDT", "America/Chicago"),
    ("MST", "America/Denver"),
    ("MDT", "America/Denver"),
    ("PST", "America/Los_Angeles"),
    ("PDT", "America/Los_Angeles"),
    ("PT", "America/Los_Angeles"),
    ("IST", "Asia/Kolkata"),
    ("JST", "Asia/Tokyo"),
    ("AEST", "Australia/Sydney"),
];

/// Looks a word up.
pub(in super::super) fn of<'a>(table: &[(&str, &'a str)], word: &str) -> Option<&'a str> {
    table.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|&(_, right)| right)
}
