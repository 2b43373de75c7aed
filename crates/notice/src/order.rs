//! The order in which changes are told: what counts most first, what belongs together together.

use crate::CHANGES_IN_SIGHT;
use crate::compose::Found;
use change::{Aspect, CELL, Change, ChangeKind, Thing, Weight};
use groups::Sections;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

mod groups;

/// A change that a leaf keeps.
pub(crate) struct Entry<'a> {
    pub(crate) leaf: u32,
    pub(crate) hit: u32,
    pub(crate) found: &'a Found<'a>,
    pub(crate) change: &'a Change,
}

impl Entry<'_> {
    /// Leaf, source and place in its list.
    fn id(&self) -> (u32, u32, u32) {
        (self.leaf, self.found.source, self.hit)
    }

    fn rank(&self) -> Rank {
        rank(self.found.aspect(), self.change)
    }
}

/// Smaller is told first: the heavier, then texts before what stands behind them, then what says
/// something, then headings that say something else, then what is there now, then what is gone.
pub(crate) type Rank = (Reverse<Weight>, bool, bool, bool, u8);

pub(crate) fn rank(aspect: Aspect, change: &Change) -> Rank {
    let kind = match change.kind {
        // Of a feed, what is new comes before what was edited.
        ChangeKind::Insert if change.link.is_some() => 0,
        ChangeKind::Insert | ChangeKind::Update => 1,
        ChangeKind::Delete => 2,
        ChangeKind::Move => 3,
    };
    // Who asks for links wants links.
    let is_behind = matches!(aspect, Aspect::Any | Aspect::Everything) && is_behind(change);
    (Reverse(change.weight), is_behind, change.says_little(), !is_renamed(change), kind)
}

/// Whether a heading has other words now, and not only another number.
fn is_renamed(change: &Change) -> bool {
    let texts = [(&change.old, &change.spans.old), (&change.new, &change.spans.new)];
    let has_word = |(thing, spans): (&Option<Thing>, &Vec<(u32, u32)>)| {
        thing.as_ref().is_some_and(|thing| has_word_in(thing.text(), spans))
    };
    change.heads && change.kind == ChangeKind::Update && texts.into_iter().all(has_word)
}

/// A link or a picture, beside texts.
pub(crate) fn is_behind(change: &Change) -> bool {
    let thing = change.new.as_ref().or(change.old.as_ref());
    matches!(thing, Some(Thing::Link { .. } | Thing::Image { .. }))
}

/// The change that a title names: smaller is better, by one field after the other. A heading with
/// other words comes first, then an amount of what can be had or counted, then the texts of which
/// most is other; entries of a feed stay in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TitleRank {
    weight: Reverse<Weight>,
    is_behind: bool,
    says_little: bool,
    is_moved: bool,
    /// What a page says of its own changes comes first, and so do new entries of a feed. An entry
    /// that is gone was told when it came.
    sort: Sort,
    is_text: bool,
    said: Reverse<u32>,
    /// Of two that say as much, what is there now.
    went: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Own,
    NewEntry,
    Any,
    GoneEntry,
}

/// Headings under which a page says itself what is new on it, in lower case. Each release of a
/// program has one, too.
const OWN_WORDS: [&str; 9] = [
    "summary of changes",
    "what changed",
    "what has changed",
    "what's changed",
    "what's new",
    "recent changes",
    "changes to this policy",
    "changes in this version",
    "änderungen im überblick",
];

/// Whether a page says there itself what is new on it.
fn is_of_own_words(change: &Change) -> bool {
    let heading = change.heading.as_deref().unwrap_or_default();
    change.kind != ChangeKind::Delete && (heads_own_words(heading) || says_own_words(change))
}

/// What begins a text that says what is new on its page, and what it calls that, in lower case.
const WE_DID: [&str; 5] = ["we've ", "we have ", "we recently ", "we ", "this update "];
const DID: [&str; 8] = [
    "updated ",
    "refreshed ",
    "revised ",
    "rewritten ",
    "simplified ",
    "reorganised ",
    "reorganized ",
    "made changes to ",
];
const OF_PAGE: [&str; 7] = ["policy", "statement", "terms", "agreement", "notice", "page", "rules"];
/// Bytes of a text that are looked at.
const OWN_WORDS_BYTES: usize = 160;

/// Whether a new text begins by saying that its page was revised: "We've refreshed our Privacy
/// Statement to make it easier to read".
fn says_own_words(change: &Change) -> bool {
    let (None, Some(Thing::Text { text })) = (&change.old, &change.new) else { return false };
    let text = text[..text.floor_char_boundary(OWN_WORDS_BYTES)].to_lowercase().replace('’', "'");
    let did = |rest: &str| {
        let rest = rest.strip_prefix("recently ").unwrap_or(rest);
        DID.iter().any(|did| rest.starts_with(did))
    };
    WE_DID.iter().any(|begin| text.strip_prefix(begin).is_some_and(did))
        && OF_PAGE.iter().any(|word| text.contains(word))
}

/// Whether a page says itself under this heading what is new on it.
pub(crate) fn heads_own_words(heading: &str) -> bool {
    let heading = heading.to_lowercase().replace('’', "'");
    OWN_WORDS.iter().any(|words| heading.contains(words))
}

impl TitleRank {
    /// Texts of so many letters say as much.
    pub(crate) fn says_at_most(&self, letters: usize) -> bool {
        self.sort == Sort::Any && self.said.0 <= steps(letters) + 1
    }

    /// It tells of a text that says something.
    pub(crate) fn is_news(&self) -> bool {
        self.weight.0 >= Weight::ENOUGH && !self.is_behind && !self.says_little && !self.is_moved
    }

    /// It says how much of something, or the page says itself what is new, or it is of a feed.
    pub(crate) fn is_of_its_own(&self) -> bool {
        self.is_amount() || self.sort != Sort::Any
    }

    /// It says how much of something.
    pub(crate) fn is_amount(&self) -> bool {
        self.said.0 == u32::MAX
    }

    /// The page says itself what is new.
    pub(crate) fn is_of_own_words(&self) -> bool {
        self.sort == Sort::Own
    }
}

pub(crate) fn title_rank(aspect: Aspect, change: &Change, listed: Listed) -> TitleRank {
    let (weight, is_behind, says_little, is_text, _) = rank(aspect, change);
    let went = change.kind == ChangeKind::Delete;
    let sort = match (change.kind, &change.link) {
        (ChangeKind::Insert, Some(_)) => Sort::NewEntry,
        (ChangeKind::Delete, Some(_)) => Sort::GoneEntry,
        _ if is_of_own_words(change) => Sort::Own,
        _ => Sort::Any,
    };
    TitleRank {
        weight,
        is_behind,
        says_little,
        is_moved: change.kind == ChangeKind::Move,
        sort,
        is_text,
        // What a page says of itself is in its order.
        said: Reverse(if sort == Sort::Own { 0 } else { said(change, listed) }),
        went,
    }
}

/// How many texts came and went in what is told.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Listed {
    came: u64,
    went: u64,
}

impl Listed {
    pub(crate) fn of<'a>(changes: impl Iterator<Item = &'a Change>) -> Listed {
        let mut listed = Listed::default();
        for change in changes.filter(|change| !is_behind(change)) {
            listed.came += u64::from(change.kind == ChangeKind::Insert);
            listed.went += u64::from(change.kind == ChangeKind::Delete);
        }
        listed
    }

    /// Whether a text counts what came or went: "6 results" that become 7, where one came. What
    /// came says more. A row says how much of something, "Level 3" which, and "3 of 5" as well.
    fn are_counted_by(self, change: &Change) -> bool {
        let (Some(Thing::Text { text: old }), Some(Thing::Text { text: new })) =
            (&change.old, &change.new)
        else {
            return false;
        };
        let [was, is] = [&change.spans.old, &change.spans.new];
        let is_bare = !new.contains(char::is_alphabetic);
        // How a game ended.
        if is_bare && (is.len() > 1 || new.contains(['-', '–'])) {
            return false;
        }
        let numbers = |text, spans: &[(u32, u32)]| -> Option<Vec<u64>> {
            spans.iter().map(|span| whole(text, *span)).collect()
        };
        let (true, Some(before), Some(now)) =
            (was.len() == is.len(), numbers(old, was), numbers(new, is))
        else {
            return false;
        };
        let moved: Vec<i64> =
            before.iter().zip(&now).map(|(before, now)| now.wrapping_sub(*before) as i64).collect();
        let (Some(by), Some(first)) = (moved.first(), is.first()) else { return false };
        let most = if *by > 0 { self.came } else { self.went };
        let are_so_many =
            |one: &i64| *one != 0 && one.signum() == by.signum() && one.unsigned_abs() <= most;
        let [_, _, behind] = around(new, *first);
        let mut words = behind.split_whitespace();
        let has_word = words.next().is_some_and(|word| word.contains(char::is_alphabetic));
        let is_scale = is.len() == 1
            && words.next().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        let [ahead, ..] = around(new, *first);
        let is_total = behind.trim().is_empty()
            && (ends_with_of(ahead) || ahead.ends_with("total: ") || ahead.ends_with("count: "));
        moved.iter().all(are_so_many)
            && (is_bare || is_total || has_word && !is_scale)
            && !new.contains(CELL)
    }
}

/// Words before how many there are in all, in lower case.
const OF: [&str; 8] = ["af", "av", "de", "di", "of", "sur", "van", "von"];

/// Whether a text is a range of numbers, and says next how many there are in all: "1 - 5 of".
fn ends_with_of(text: &str) -> bool {
    let mut words = text.split_whitespace().rev();
    let has_of = words.next().is_some_and(|word| OF.contains(&&*word.to_lowercase()));
    let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit() || "-–.,".contains(c));
    let numbers = words.take_while(|word| is_number(word));
    has_of
        && numbers.flat_map(|word| word.split(['-', '–'])).filter(|one| !one.is_empty()).count() > 1
}

/// The whole number that is all of a part of a text, in code points; with a point or a comma before
/// three digits, as in `1.284`. Of a range, `1-20`, the last one.
fn whole(text: &str, (start, end): (u32, u32)) -> Option<u64> {
    let part: String = text.chars().skip(start as usize).take((end - start) as usize).collect();
    let part = part.rsplit(['-', '–']).next().unwrap_or_default();
    let mut groups = part.split(['.', ',', ' ', '\u{a0}', '\u{202f}']);
    let first = groups.next().unwrap_or_default();
    let is_grouped = groups.all(|group| group.len() == 3) && (1..=9).contains(&first.len());
    let digits: String = part.chars().filter(char::is_ascii_digit).collect();
    let is_number = part.chars().all(|c| c.is_ascii_digit() || ".,\u{a0}\u{202f} ".contains(c));
    if is_grouped && is_number { digits.parse().ok() } else { None }
}

/// Letters that differ in what is an amount, at most.
const AMOUNT_LETTERS_MAX: usize = 24;
/// Bytes of a text that is about its amount.
const AMOUNT_TEXT_BYTES_MAX: usize = 80;

/// How much a change says, in steps. O(length).
fn said(change: &Change, listed: Listed) -> u32 {
    if change.link.is_some() {
        return 0;
    }
    match (&change.old, &change.new) {
        (Some(Thing::Text { text: old }), Some(Thing::Text { text: new })) => {
            let count = letters_in(old, &change.spans.old) + letters_in(new, &change.spans.new);
            let says = |span: &&(u32, u32)| letters_in(new, &[**span]) > 0;
            let is_amount = || {
                let first = change.spans.new.iter().find(says);
                let is_counted = |span| !has_unit(new, span) && listed.are_counted_by(change);
                let is_amount =
                    |span| is_amount(new, span) && (change.is_of_thing || !is_clock(new, span));
                first.is_some_and(|span| is_amount(*span) && !is_counted(*span))
            };
            if (1..=AMOUNT_LETTERS_MAX).contains(&count) && is_amount() {
                u32::MAX
            } else {
                let texts = [(old, &change.spans.old), (new, &change.spans.new)];
                u32::from(texts.iter().any(|(text, spans)| has_word_in(text, spans))) + steps(count)
            }
        }
        (Some(Thing::Value { .. }), Some(Thing::Value { .. })) => u32::MAX,
        (None, Some(Thing::Text { text })) => 1 + steps(letters(text.chars())),
        // What is there now says more than what was.
        (Some(Thing::Text { text }), None) => 1 + steps(letters(text.chars()) / 2),
        _ => 0,
    }
}

/// Longer words with a digit or a slash are hashes and addresses: a reader makes nothing of them.
const WORD_LETTERS_MAX: usize = 32;

/// The letters and digits of words.
pub(crate) fn letters(text: impl Iterator<Item = char>) -> usize {
    let (mut all, mut word, mut is_ascii, mut is_hash) = (0, 0, true, false);
    for c in text.chain([' ']) {
        if !c.is_whitespace() {
            word += usize::from(c.is_alphanumeric());
            is_ascii &= c.is_ascii();
            is_hash |= c.is_ascii_digit() || c == '/';
        } else {
            all += if word > WORD_LETTERS_MAX && is_ascii && is_hash { 0 } else { word };
            (word, is_ascii, is_hash) = (0, true, false);
        }
    }
    all
}

/// Letters and digits of some parts of a text, in code points, ascending.
fn letters_in(text: &str, spans: &[(u32, u32)]) -> usize {
    letters(only(text, spans))
}

/// A text with a blank for all that is in none of these parts. O(length).
fn only<'t>(text: &'t str, spans: &'t [(u32, u32)]) -> impl Iterator<Item = char> + 't {
    let mut spans = spans.iter().peekable();
    let mut is_in = move |at: u32| {
        while spans.next_if(|(_, end)| *end <= at).is_some() {}
        spans.peek().is_some_and(|(start, _)| *start <= at)
    };
    (0..).zip(text.chars()).map(move |(at, c)| if is_in(at) { c } else { ' ' })
}

/// Whether a word differs: no number, no letter of a section.
fn has_word_in(text: &str, spans: &[(u32, u32)]) -> bool {
    let inside: String = only(text, spans).collect();
    let is_word = |word: &str| word.chars().count() > 1 && word.chars().all(|c| c.is_alphabetic());
    let trimmed = |word: &str| is_word(word.trim_matches(|c: char| !c.is_alphanumeric()));
    inside.split_whitespace().any(trimmed)
}

/// What stands before a part of a text, in code points, the part, and what stands behind it.
fn around(text: &str, (start, end): (u32, u32)) -> [&str; 3] {
    let byte = |at: u32| text.char_indices().nth(at as usize).map_or(text.len(), |(at, _)| at);
    let (before, rest) = text.split_at(byte(start));
    let (part, after) = rest.split_at(byte(end).max(before.len()) - before.len());
    [before, part, after]
}

/// Whether a unit says of what a number is.
fn has_unit(text: &str, span: (u32, u32)) -> bool {
    let [before, _, after] = around(text, span);
    let after = after.trim_start();
    after.starts_with(['%', '€', '$', '£', '¥'])
        || before.trim_end().ends_with(['€', '$', '£', '¥'])
        || ["day", "hour", "month", "year", "week", "EUR", "USD", "GBP", "CHF"]
            .iter()
            .any(|unit| after.starts_with(unit))
}

/// Whether a number is a time of the clock, and neither one of a timetable nor an end of hours:
/// "09:00–17:00". "3:1" is how a game ended.
fn is_clock(text: &str, span: (u32, u32)) -> bool {
    let [before, number, after] = around(text, span);
    let dashes = ['-', '–', '—'];
    let is_of_hours = before.trim_end().ends_with(dashes) || after.trim_start().starts_with(dashes);
    let mut parts = number.split(':');
    let is_hour = parts.next().is_some_and(|hour| (1..=2).contains(&hour.len()));
    let are_pairs = parts.clone().count() > 0 && parts.all(|part| part.len() == 2);
    let is_time = number.chars().all(|c| c.is_ascii_digit() || c == ':');
    is_hour && are_pairs && is_time && !text.contains(CELL) && !is_of_hours
}

/// Whether what differs is a number that says how much, and not which: no numbering.
fn is_amount(text: &str, span: (u32, u32)) -> bool {
    let [before, number, after] = around(text, span);
    let is_numbering = (before.is_empty() && !after.is_empty()) || before.ends_with(['[', '(']);
    let is_short = text.len() <= AMOUNT_TEXT_BYTES_MAX;
    // D.7 is a place.
    let is_name = number.starts_with(char::is_alphabetic);
    // "Open today until 7pm" is another every day.
    let is_of_today = || says_today(text) && is_hour([number, after]);
    !is_name
        && !is_of_today()
        && number.contains(|c: char| c.is_ascii_digit())
        && (has_unit(text, span) || (is_short && !is_numbering))
}

/// What begins words for the day on which a page is read, in lower case.
#[rustfmt::skip]
const TODAY: [&str; 11] = [
    "aujourd", "dziś", "dzisiaj", "heute", "hoje", "hoy", "idag", "oggi", "today", "tonight",
    "vandaag",
];

/// Whether a number is an hour of the day: "7pm", "19:30", "18 Uhr".
fn is_hour([number, after]: [&str; 2]) -> bool {
    let number = number.to_lowercase();
    let unit = after.trim_start().to_lowercase();
    number.contains([':', 'h'])
        || number.ends_with("am")
        || number.ends_with("pm")
        || ["am", "pm", "uhr", "h ", "godz"].iter().any(|one| unit.starts_with(one))
}

/// Whether a text is of the day on which it is read: "Open today until 7pm" is another every day.
fn says_today(text: &str) -> bool {
    let text = text.to_lowercase();
    let mut words = text.split(|c: char| !c.is_alphabetic());
    words.any(|word| TODAY.contains(&word))
}

/// Twice as much is a step; less than a few words is none.
fn steps(letters: usize) -> u32 {
    (letters / 16).checked_ilog2().map_or(0, |steps| steps + 1)
}

/// Bytes of a text that is no row of a list.
const SENTENCE_BYTES_MIN: usize = 60;

/// The words of a text that gave way to others, and these: a name that is another throughout a page
/// is said once. Nothing where words only came or went.
fn replaced_words(change: &Change) -> Option<(BTreeSet<String>, BTreeSet<String>)> {
    let (Some(Thing::Text { text: old }), Some(Thing::Text { text: new })) =
        (&change.old, &change.new)
    else {
        return None;
    };
    let words = |text: &str, spans: &[(u32, u32)]| -> BTreeSet<String> {
        let part = |&(start, end): &(u32, u32)| {
            let part = text.chars().skip(start as usize);
            part.take(end.saturating_sub(start) as usize).collect::<String>().trim().to_owned()
        };
        spans.iter().map(part).collect()
    };
    let words = (words(old, &change.spans.old), words(new, &change.spans.new));
    // Numbers and rows say something else each time: "In stock" that becomes "Sold out".
    let is_name = |words: &BTreeSet<String>| {
        !words.is_empty() && words.iter().all(|word| word.starts_with(char::is_alphabetic))
    };
    let is_sentence = old.len().min(new.len()) >= SENTENCE_BYTES_MIN;
    (is_sentence && is_name(&words.0) && is_name(&words.1)).then_some(words)
}

/// Edits that put the same words in place of the same others make a name that is another.
const REPEATED_MIN: usize = 3;
/// Texts of them that are sentences, at least: rows may say the same of different things.
const REPEATED_SENTENCES_MIN: usize = 2;

/// A name that is another throughout a page: which changes say nothing else, by their places.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Renamed<'a> {
    pub(crate) old: &'a str,
    pub(crate) new: &'a str,
    pub(crate) at: BTreeSet<usize>,
}

/// The name that most changes put in place of another, where they do nothing else. O(n log n).
pub(crate) fn renamed<'a>(changes: impl Iterator<Item = &'a Change>) -> Option<Renamed<'a>> {
    let mut all: BTreeMap<(&str, &str), (BTreeSet<usize>, usize)> = BTreeMap::new();
    for (at, change) in changes.enumerate() {
        let (Some(Thing::Text { text: old }), Some(Thing::Text { text: new })) =
            (&change.old, &change.new)
        else {
            continue;
        };
        // Other words than names are another duty: "may" and "must".
        let is_word = |name: &str| name.chars().all(char::is_lowercase);
        let one = change::exchanged(old, new);
        let Some(one) = one.filter(|one| !(is_word(one.old) && is_word(one.new))) else {
            continue;
        };
        let (places, sentences) = all.entry((one.old, one.new)).or_default();
        places.insert(at);
        let is_sentence = old.len() >= SENTENCE_BYTES_MIN && !old.contains(CELL);
        *sentences += usize::from(is_sentence);
    }
    let is_name = |(_, (at, sentences)): &(_, (BTreeSet<usize>, usize))| {
        at.len() >= REPEATED_MIN && *sentences >= REPEATED_SENTENCES_MIN
    };
    let names = all.into_iter().filter(is_name);
    let ((old, new), (at, _)) = names.max_by_key(|(_, (at, _))| at.len())?;
    Some(Renamed { old, new, at })
}

/// Changes that the dashboard's lists show of a message.
const CHANGES_AT_A_GLANCE: usize = 3;

/// What readers look for in a long list of changes, each beside the others: an edit of a few words
/// may turn a clause round, and a row says who is there now. By length alone, new texts hide them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sight {
    NewRow,
    GoneRow,
    /// A few words of a text that are others.
    Edit,
    Rewritten,
    New,
    Gone,
}

/// Of more changes than are in sight, so many at least are of each sort.
const IN_SIGHT_OF: [(Sight, usize); 6] = [
    (Sight::Edit, 3),
    (Sight::NewRow, 2),
    (Sight::GoneRow, 1),
    (Sight::New, 2),
    (Sight::Rewritten, 1),
    (Sight::Gone, 2),
];
/// Letters that differ in an edit, at most.
const EDIT_LETTERS_MAX: usize = 64;

impl Sight {
    fn of(change: &Change) -> Sight {
        let text = change.new.as_ref().or(change.old.as_ref()).map_or("", Thing::text);
        let is_row = text.contains(CELL);
        match change.kind {
            ChangeKind::Insert if is_row => Sight::NewRow,
            ChangeKind::Delete if is_row => Sight::GoneRow,
            ChangeKind::Insert => Sight::New,
            ChangeKind::Delete => Sight::Gone,
            ChangeKind::Update | ChangeKind::Move => {
                let sides = [(&change.old, &change.spans.old), (&change.new, &change.spans.new)];
                let differing = sides.map(|(thing, spans)| {
                    thing.as_ref().map_or(0, |thing| letters_in(thing.text(), spans))
                });
                if differing.iter().sum::<usize>() <= EDIT_LETTERS_MAX {
                    Sight::Edit
                } else {
                    Sight::Rewritten
                }
            }
        }
    }
}

/// Words that bind, free, or say when, in lower case: another one turns a clause round.
const WORDS_OF_FORCE: [&str; 66] = [
    "after",
    "alle",
    "any",
    "aucun",
    "avant",
    "before",
    "cannot",
    "darf",
    "debe",
    "deve",
    "doit",
    "dürfen",
    "earlier",
    "except",
    "geen",
    "immediately",
    "jamais",
    "kann",
    "kein",
    "keine",
    "kunnen",
    "later",
    "mag",
    "may",
    "moet",
    "muss",
    "must",
    "mai",
    "müssen",
    "never",
    "nicht",
    "nie",
    "niet",
    "no",
    "non",
    "nooit",
    "not",
    "nunca",
    "nur",
    "ohne",
    "only",
    "pas",
    "peut",
    "pode",
    "prior",
    "promptly",
    "puede",
    "può",
    "sans",
    "sauf",
    "sell",
    "sem",
    "senza",
    "seul",
    "shall",
    "share",
    "should",
    "sin",
    "sofort",
    "solo",
    "sólo",
    "unless",
    "until",
    "will",
    "without",
    "zonder",
];

/// Whether a word of force came or went.
fn has_force(change: &Change) -> bool {
    let sides = [(&change.old, &change.spans.old), (&change.new, &change.spans.new)];
    sides.into_iter().any(|(thing, spans)| {
        let text = thing.as_ref().map_or("", Thing::text);
        let inside: String = only(text, spans).collect::<String>().to_lowercase();
        let mut words = inside.split(|c: char| !c.is_alphanumeric());
        words.any(|word| WORDS_OF_FORCE.contains(&word))
    })
}

/// Changes in sight that came under headings which the title names, while others are told.
const INSIDE_MAX: usize = CHANGES_IN_SIGHT / 2;

/// Whether a change came under one of these headings, or is one.
fn is_under(change: &Change, headings: &[&str]) -> bool {
    let own = change.new.as_ref().map(Thing::text).filter(|_| change.heads_anew);
    let mut both = change.heading.as_deref().into_iter().chain(own);
    change.kind == ChangeKind::Insert && both.any(|heading| headings.contains(&heading))
}

/// Those of the entries, the best first, that are in sight: some of each sort, then the best. What
/// stands outside of the headings that the title names comes before all of what came under them.
/// Entries of a feed drop off its end. O(n).
fn in_sight<'e, 'a>(
    best: &[&'e Entry<'a>],
    is_again: &Ids,
    spoken_of: &[&str],
) -> Vec<&'e Entry<'a>> {
    let says_much = |entry: &&&Entry<'_>| {
        let change = entry.change;
        let is_news = change.weight >= Weight::ENOUGH && !change.says_little();
        is_news && change.link.is_none() && !is_behind(change) && !is_again.contains(&entry.id())
    };
    let telling: Vec<_> =
        best.iter().filter(says_much).map(|&one| (Sight::of(one.change), one)).collect();
    let mut shown: Vec<&Entry<'_>> = Vec::with_capacity(CHANGES_IN_SIGHT);
    for (sight, count) in IN_SIGHT_OF {
        let own = telling.iter().filter(|(sort, _)| *sort == sight).map(|(_, one)| *one);
        let mut own: Vec<_> = own.collect();
        own.sort_by_key(|one| is_under(one.change, spoken_of));
        let own = || own.iter().copied();
        let forceful = own().filter(|one| sight == Sight::Edit && has_force(one.change));
        let first: Vec<_> = forceful.take(count).collect();
        let ids: Ids = first.iter().map(|one| one.id()).collect();
        let others = own().filter(|one| !ids.contains(&one.id())).take(count - first.len());
        shown.extend(first.iter().copied().chain(others));
    }
    let ids: Ids = shown.iter().map(|one| one.id()).collect();
    let mut inside = shown.iter().filter(|one| is_under(one.change, spoken_of)).count();
    let others = best.iter().copied().filter(|one| !ids.contains(&one.id()));
    // What says little, and what was said before, comes last anyway.
    let has_room = |one: &&Entry<'_>| {
        let is_inside = is_under(one.change, spoken_of);
        inside += usize::from(is_inside);
        !is_inside || inside <= INSIDE_MAX
    };
    let (first, last): (Vec<_>, Vec<_>) = others.partition(has_room);
    let told: Ids = telling.iter().map(|(_, one)| one.id()).collect();
    let is_news = |one: &&&Entry<'_>| told.contains(&one.id());
    let rest = first.iter().filter(|one| !is_news(one));
    let news = first.iter().filter(is_news).chain(&last).chain(rest).copied();
    let room = CHANGES_IN_SIGHT - shown.len();
    shown.extend(news.take(room));
    shown
}

/// Leaf, source and place of entries.
type Ids = BTreeSet<(u32, u32, u32)>;

/// The entries that say what was said before them, or nothing but a name that is another.
fn said_again(entries: &[Entry<'_>]) -> Ids {
    let (mut said, mut replaced) = (BTreeSet::new(), BTreeSet::new());
    let renamed = renamed(entries.iter().map(|entry| entry.change)).unwrap_or_default().at;
    let again = entries.iter().enumerate().filter(|(at, entry)| {
        let Change { kind, old, new, heading, .. } = entry.change;
        // A long text says the same under any heading; a short one is of what stands above it.
        let is_long = |thing: &Option<Thing>| {
            thing.as_ref().is_some_and(|thing| thing.text().len() >= SENTENCE_BYTES_MIN)
        };
        let heading = heading.as_ref().filter(|_| !is_long(old) && !is_long(new));
        let is_new = said.insert((entry.leaf, entry.found.source, *kind, old, new, heading));
        let words = replaced_words(entry.change);
        let is_known = words.as_ref().is_some_and(|words| replaced.contains(words));
        replaced.extend(words);
        !is_new || is_known || renamed.contains(at)
    });
    again.map(|(_, entry)| entry.id()).collect()
}

/// Puts changes under the same heading of a source together, and those first that matter most to a
/// reader; otherwise they stay in the order of the page. What is said a second time comes last. Of
/// more than are in sight, those that say most come first, as a title is chosen. Of what matters
/// as much, that comes first which the title speaks of: it stands under these headings, or, if
/// there are none, is what says most. O(n log n).
pub(crate) fn for_readers(entries: &mut [Entry<'_>], spoken_of: Option<&[&str]>) {
    let again = said_again(entries);
    let listed = Listed::of(entries.iter().map(|entry| entry.change));
    by_group(entries, &again, spoken_of, listed);
    if entries.len() > CHANGES_IN_SIGHT {
        let mut best: Vec<&Entry<'_>> = entries.iter().collect();
        best.sort_by_cached_key(|entry| {
            let rank = title_rank(entry.found.aspect(), entry.change, listed);
            (again.contains(&entry.id()), rank)
        });
        let in_sight = in_sight(&best, &again, spoken_of.unwrap_or_default());
        let in_sight: Ids = in_sight.iter().map(|one| one.id()).collect();
        entries.sort_by_key(|entry| !in_sight.contains(&entry.id()));
        // What made a group come first may be out of sight.
        by_group(&mut entries[..CHANGES_IN_SIGHT], &again, spoken_of, listed);
    }
}

fn by_group(entries: &mut [Entry<'_>], again: &Ids, spoken_of: Option<&[&str]>, listed: Listed) {
    let sections = Sections::of(entries);
    let is_again = |entry: &Entry<'_>| again.contains(&entry.id());
    let titled = entries.iter().filter(|entry| !is_again(entry)).min_by_key(|entry| {
        (title_rank(entry.found.aspect(), entry.change, listed), entry.leaf, entry.hit)
    });
    let titled = titled
        .filter(|_| spoken_of.is_some_and(<[_]>::is_empty))
        .map(|one| (one.id(), one.change.kind));
    let spoken: BTreeSet<&str> = spoken_of.into_iter().flatten().copied().collect();
    let mut groups: BTreeMap<_, (Rank, bool, (u32, u32))> = BTreeMap::new();
    for entry in &*entries {
        let group = sections.group(entry);
        let is_spoken_of = group.1.is_some_and(|heading| spoken.contains(heading))
            || titled.is_some_and(|(id, _)| id == entry.id());
        let own = (entry.rank(), !is_spoken_of, (entry.leaf, entry.hit));
        let first = groups.entry((is_again(entry), group)).or_insert(own);
        *first = (first.0.min(own.0), first.1 && own.1, first.2.min(own.2));
    }
    entries.sort_by_cached_key(|entry| {
        let group = (is_again(entry), sections.group(entry));
        let first = groups[&group];
        match sections.place(entry, group.1) {
            Some(place) => (group.0, first, first.0, place),
            None => (group.0, first, entry.rank(), (true, entry.leaf, entry.hit)),
        }
    });
    let Some((id, kind)) = titled else { return };
    let from = entries.iter().position(|entry| entry.id() == id).unwrap_or(0);
    // What is gone is not what a message begins with.
    let to = if kind == ChangeKind::Delete { CHANGES_AT_A_GLANCE - 1 } else { 0 };
    let is_beside = |at: usize| sections.group(&entries[at]) == sections.group(&entries[from]);
    // What came as a whole, a list or a section, is read in its order.
    let came = |entry: &Entry<'_>| entry.change.kind == ChangeKind::Insert;
    let is_whole = to <= from && entries[to..=from].iter().all(came);
    if from >= CHANGES_AT_A_GLANCE && is_beside(to) && !is_whole {
        entries[to..=from].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Option<Thing> {
        Some(Thing::Text { text: text.into() })
    }

    /// The change that a title names, of those a page shows in this order.
    fn named(changes: &[Change]) -> usize {
        let listed = Listed::of(changes.iter());
        let rank = |change| title_rank(Aspect::Any, change, listed);
        let ranks = changes.iter().map(rank).enumerate();
        ranks.min_by_key(|(at, rank)| (*rank, *at)).map_or(0, |(at, _)| at)
    }

    #[test]
    fn a_name_that_is_another_throughout_is_known_by_its_words() {
        let words = |old: String, new: String| {
            let spans = change::spans(&old, &new);
            let change = Change::between(ChangeKind::Update, text(&old), text(&new));
            replaced_words(&Change { spans, ..change })
        };
        let rest = "may end this agreement at any time, and need not say why it does.";
        let of = |name: &str| format!("{name} {rest}");
        let one = words(of("Acme"), of("Apex"));
        assert!(one.is_some());
        assert_eq!(one, words(of("And so Acme"), of("And so Apex")));
        assert_ne!(one, words(of("Acme"), of("Apex").replace("may", "must")));
        assert_eq!(words("Acme kettle".into(), "Apex kettle".into()), None, "a row");
        assert_eq!(words(of("30"), of("14")), None);
        assert_eq!(words(of("We"), of("We all")), None);
    }

    #[test]
    fn a_heading_with_other_words_comes_before_what_is_told_under_it() {
        let update = |old, new| {
            let spans = change::spans(old, new);
            Change { spans, ..Change::between(ChangeKind::Update, text(old), text(new)) }
        };
        let heading = |old, new| Change { heads: true, ..update(old, new) };
        let gusts = update("Gusts of 90 km/h", "Gusts of 110 km/h");
        let delays = update("Travellers may expect delays.", "Travellers must stay at home today.");
        let amber = heading("Yellow warning: wind", "Amber warning: wind");
        assert_eq!(named(&[gusts.clone(), delays.clone(), amber]), 2);
        let counted = heading("Comments (12)", "Comments (13)");
        assert_eq!(named(&[delays, counted, gusts]), 2, "but not another number");
    }

    #[test]
    fn a_title_names_what_came_and_not_how_many_did_nor_a_clock() {
        let update = |old, new| {
            let spans = change::spans(old, new);
            Change { spans, ..Change::between(ChangeKind::Update, text(old), text(new)) }
        };
        let insert = |new| Change::between(ChangeKind::Insert, None, text(new));
        let delete = |old| Change::between(ChangeKind::Delete, text(old), None);
        let found = update("1.284 results", "1.285 results");
        assert_eq!(named(&[found.clone(), insert("Larch box, 80 cm")]), 1);
        let fewer = update("Displaying 1 - 7 of 413", "Displaying 1 - 6 of 412");
        assert_eq!(named(&[fewer.clone(), delete("Sliced bread: pieces of metal")]), 1);
        let of = update("Displaying 1 - 5 of 9217", "Displaying 1 - 5 of 9218");
        assert_eq!(named(&[of, insert("Norwick kettles, model EK-7")]), 1);
        let scale = update("Danger level 3 of 4", "Danger level 3 of 5");
        assert_eq!(named(&[insert("Larch box, 80 cm long"), scale]), 1);
        let paged = update("Showing 1-4 of 4", "Showing 1-5 of 5");
        assert_eq!(named(&[paged, insert("Sixty houses")]), 1);
        let today = update("Open today until 7pm", "Open today until 1pm");
        assert_eq!(named(&[today, insert("The lift is out of order.")]), 1);
        let [hot, game] = [update("Index today: 40", "Index today: 290"), update("2-1", "3-2")];
        assert_eq!(named(&[insert("Larch box"), hot]), 1, "how much");
        assert_eq!(named(&[insert("Larch box"), insert("Elm box"), game]), 2);
        assert_eq!(named(&[update("9", "10"), insert("5.4.2 of 27 February")]), 1, "of what?");
        let clock = update("All is well. Updated 09:00", "All is well. Updated 16:00");
        let fare = update("Return: £16.80", "Return: £17.20");
        assert_eq!(named(&[clock.clone(), fare]), 1);
        assert_eq!(named(&[clock, insert("Platform 2 is closed until Monday")]), 1);
        // It counts something else, or says how much, or when in a timetable.
        assert_eq!(named(&[insert("Larch box"), update("Stock: 12 left", "Stock: 3 left")]), 1);
        assert_eq!(named(&[insert("Larch box"), fewer]), 1, "none went");
        assert_eq!(named(&[insert("Larch box"), update("Fee: 6 EUR", "Fee: 7 EUR")]), 1);
        for (old, new) in [("Mon | 07:15 | 08:20", "Mon | 07:05 | 08:20"), ("3 | 6", "3 | 7")] {
            assert_eq!(named(&[insert("Larch box"), update(old, new)]), 1);
        }
        for (old, new) in [
            ("Danger level 3", "Danger level 4"),
            ("Danger level: 3 of 5", "Danger level: 4 of 5"),
            ("Seats: 6", "Seats: 7"),
            ("Larks 2:1", "Larks 3:1"),
            ("1.84", "1.85"),
        ] {
            assert_eq!(named(&[insert("Larch box, 80 cm long"), update(old, new)]), 1, "{new}");
        }
        let hours = update("Ward B 14:00–19:00", "Ward B 14:00–18:00");
        assert_eq!(named(&[insert("Larch box"), hours]), 1);
        let concert = update("Fri 11 April, 21:00", "Fri 11 April, 22:00");
        let concert = Change { is_of_thing: true, ..concert };
        assert_eq!(named(&[insert("Larch box"), concert]), 1);
    }

    #[test]
    fn a_title_names_what_says_most() {
        let update = |old, new| {
            let spans = change::spans(old, new);
            Change { spans, ..Change::between(ChangeKind::Update, text(old), text(new)) }
        };
        let insert = |new| Change::between(ChangeKind::Insert, None, text(new));
        let delete = |old| Change::between(ChangeKind::Delete, text(old), None);
        let clause = "You must tell us of a breach without delay, and in any event within a day.";
        let dated = update("Updated: 4 June 2026", "Updated: 8 July 2026");
        let numbered = update("4. Fees", "5. Fees");
        let comma = update("Red, green and blue", "Red, green, and blue");
        assert_eq!(named(&[dated, numbered, comma, insert(clause)]), 3);
        assert_eq!(named(&[delete(clause), insert(clause)]), 1, "what is there now");
        let [good, closed] = ["Line 3 runs as usual today", "Line 3 is closed until Monday"];
        assert_eq!(named(&[delete(good), insert(closed)]), 1, "of two that say as much");
        let price = update("Price: 49.90 EUR", "Price: 39.90 EUR");
        assert_eq!(named(&[insert(clause), price.clone()]), 1, "an amount comes first");
        let term = update("You may cancel within 30 days.", "You may cancel within 14 days.");
        assert_eq!(named(&[insert(clause), term]), 1);
        let section = update(
            "See section 7 of these terms for what we owe you, and for what we do not owe to anybody.",
            "See section 8 of these terms for what we owe you, and for what we do not owe to anybody.",
        );
        assert_eq!(named(&[section, insert(clause)]), 1, "which is not how much");
        let reference =
            update("as in section D.7 of these terms", "as in section D.1 of these terms");
        let word = update("if you choose to purchase them", "if you choose to use them");
        assert_eq!(named(&[reference, word]), 1, "a word, and no reference");
        let link = Thing::Link { href: "https://a.example/".into(), text: "more".into() };
        let link = Change::between(ChangeKind::Insert, None, Some(link));
        assert_eq!(named(&[link, insert("In stock")]), 1);
        let entry = |title| Change { link: Some("https://a.example/1".into()), ..insert(title) };
        assert_eq!(named(&[entry("Short"), entry(clause)]), 0, "the newest entry");
        let gone = Change { link: Some("https://a.example/0".into()), ..delete(clause) };
        assert_eq!(named(&[gone, entry("Short")]), 1, "and none that is gone");
        assert_eq!(named(&[price.clone(), entry("Short")]), 1, "nor one that was edited");
        let own = Change { heading: Some("What’s new".into()), ..insert("We ask for your age") };
        assert_eq!(named(&[insert(clause), price.clone(), own]), 2, "what a page says itself");
        let hash = "a".repeat(60);
        let (before, after) = (format!("hash: {hash}0"), format!("hash: {hash}1"));
        let hashed = update(&before, &after);
        let version =
            update("version: 1.8.20260721212547-beta", "version: 1.9.20260817093616-beta");
        assert_eq!(named(&[hashed, version]), 1, "no hash");
    }
}
