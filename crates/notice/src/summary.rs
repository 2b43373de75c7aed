//! One line for people: "2 links added on cnn.com: “Fares” and “Deals”".

use crate::above::Above;
use crate::cut::clean;
use crate::order;
use crate::{
    CHANGES_IN_SIGHT, ChangeFacts, DigestFacts, EvidenceFacts, Happened, HealthFacts, Member,
    MemberFacts, PartFacts, RuleFacts, SourceFacts,
};
use change::{Aspect, Change, ChangeKind, ChangeType, Headings, LeafHits, LeafRef, Thing};
use chronon::SentinelId;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The size of the whole line.
const LINE_CHARS_MAX: usize = 200;
mod gone;
mod named;
mod pairs;
mod said;
mod sections;

use named::called;
pub(crate) use named::title;

/// What is told in its own words, and not counted.
const IN_ITS_WORDS: [Aspect; 5] =
    [Aspect::Any, Aspect::Everything, Aspect::Status, Aspect::Text, Aspect::Value];

/// The size of a page's title in it.
const TITLE_CHARS_MAX: usize = 60;
/// The size of one quoted word or phrase.
const QUOTE_CHARS_MAX: usize = 40;
/// How many words, phrases or places are named before "and 3 more".
const LISTED_MAX: usize = 3;
/// What of the change that matters most stays in the line, however much else is counted.
const SAID_CHARS_MIN: usize = 90;
/// Words of a sentence that are said by themselves.
const WORDS_SAID_MAX: usize = 2;
/// The size of a sentence in which words came or went.
const SENTENCE_CHARS_MAX: usize = 100;
/// How many headings of an outline are named, and the size of each.
const HEADINGS_LISTED_MAX: usize = 8;
const HEADING_CHARS: usize = 80;

/// `down for 9 min, since … → up` without the time: how long says enough in one line.
fn without_since(said: &str) -> String {
    match said.split_once(", since ") {
        Some((before, rest)) => match rest.split_once(" → ") {
            Some((_, after)) => format!("{before} → {after}"),
            None => said.to_owned(),
        },
        None => said.to_owned(),
    }
}

/// At most `max` characters, or a few more: of the address to which redirects lead, the middle goes
/// first, for its end tells it from others.
fn with_end_of_address(said: &str, max: usize) -> String {
    const LEAD: &str = "redirects lead to ";
    let chars = said.chars().count();
    let Some((before, address)) = said.split_once(LEAD).filter(|_| chars > max) else {
        return clean(said, max);
    };
    let address: Vec<char> = address.chars().collect();
    let room = max.saturating_sub(chars - address.len()).max(QUOTE_CHARS_MAX);
    if address.len() <= room {
        return said.to_owned();
    }
    let head: String = address[..room / 2].iter().collect();
    let end: String = address[address.len() - (room - room / 2 - 1)..].iter().collect();
    format!("{before}{LEAD}{head}…{end}")
}

pub(crate) fn of_change(facts: &ChangeFacts) -> String {
    let tally = Tally::of(facts);
    // A title says more than a host.
    let place = &called(facts).map_or_else(|| places(facts), |one| clean(&one, TITLE_CHARS_MAX));
    let from = from(facts);
    let line = match tally.groups.as_slice() {
        [] => format!("{place} changed"),
        _ if tally.is_in_its_words() => in_its_words(facts, &tally, place, &from),
        [group, ..] if group.quotes.is_empty() && tally.sentence().is_some() => {
            let (said, words) = tally.sentence().unwrap_or_default();
            format!("{place}: {said}{}", and_differ(tally.total.saturating_sub(words)))
        }
        [group] if group.aspect == Aspect::Items && !group.quotes.is_empty() => {
            let entries = entries(tally.total, group.kind);
            format!("{entries} in {place}: {}", quoted(&group.quotes))
        }
        [group] if !group.quotes.is_empty() => {
            let happened = tally.counted_on(place, group.quotes.len());
            let happened = happened.unwrap_or_else(|| happened_on(group.kind, place));
            format!("{} {happened}", quoted(&group.quotes))
        }
        [group] => {
            let (count, done) = (counted(tally.total, group.aspect.row().noun), done(group.kind));
            let named = group.named(tally.total, place);
            format!("{count} {done} on {place}{}", if_any(": ", &named))
        }
        groups => {
            let mut groups: Vec<&Group<'_>> = groups.iter().collect();
            groups.sort_by_key(|group| group.first.0);
            let parts = groups.iter().map(|group| group.part(place)).collect::<Vec<_>>();
            let said = match (tally.cut, groups.first()) {
                (true, Some(first)) => {
                    format!("{}{}", parts[0], and_more(tally.total - first.count))
                }
                _ => parts.join("; "),
            };
            format!("{place}: {said}")
        }
    };
    // However long the line is, this stands at its end.
    let room = LINE_CHARS_MAX.saturating_sub(from.chars().count());
    closed(clean(&line, room)) + &from
}

/// A line whose changes are told in their own words: the one that matters most, then what else
/// there is.
fn in_its_words(facts: &ChangeFacts, tally: &Tally<'_>, place: &str, from: &str) -> String {
    let Some((rank, first)) = tally.first else {
        return format!("{place}: changed in {}", counted(tally.total, "place"));
    };
    let is_any = tally.groups.iter().all(|group| group.aspect == Aspect::Any);
    let taken = place.chars().count() + from.chars().count() + 2;
    let room = LINE_CHARS_MAX.saturating_sub(taken);
    let more = || and_more(tally.total - 1);
    let (said, more) = if let Some(share) = rebuilt(facts) {
        (
            format!("the page was rebuilt; {share} % of its text is new{}", of_rebuilt(tally)),
            String::new(),
        )
    } else if rank.is_of_own_words() && !sections::is_of_new_section(tally, first) {
        (said::said(first, place, is_any), more())
    } else if let Some(said) = no_links_any_more(tally) {
        (said, String::new())
    } else if let Some(named) =
        sections::of_title(tally, headings_came(facts, tally), from.chars().count())
    {
        (named.said, elsewhere(named.more))
    } else {
        let said = said::said(first, place, is_any);
        let is_status = tally.groups.iter().any(|group| group.aspect == Aspect::Status);
        let said = if is_status {
            with_end_of_address(&without_since(&said), room.min(SAID_CHARS_MIN))
        } else {
            said
        };
        let spare = room.saturating_sub(said.chars().count().min(SAID_CHARS_MIN));
        let under = sections::most_under(tally, place, spare);
        match gone::beside(tally, &said, room.saturating_sub(more().chars().count())) {
            Some((both, count)) => (both, and_more(tally.total - count)),
            None => {
                let more = under.or_else(|| tally.more()).unwrap_or_else(more);
                (under_heading(first, said, place, room.saturating_sub(more.chars().count())), more)
            }
        }
    };
    // The change must be seen, however long the page's title is.
    let said = if more.is_empty() { &said } else { said.strip_suffix('.').unwrap_or(&said) };
    let said = closed(clean(said, room.saturating_sub(more.chars().count())));
    format!("{place}: {said}{more}")
}

/// Texts that lead nowhere now, where nothing else is told: "“Ana” and 6 more are no longer links".
fn no_links_any_more(tally: &Tally<'_>) -> Option<String> {
    let is_gone = |change: &&Change| {
        let is_any = tally.groups.iter().all(|group| group.aspect == Aspect::Any);
        change::Behind::of_change(change, is_any).is_some_and(|behind| behind.text_stays)
            && change.kind == ChangeKind::Delete
            && matches!(change.old, Some(Thing::Link { .. }))
    };
    let is_all = tally.total > 1 && tally.total == tally.changes.len() as u64;
    if !is_all || !tally.changes.iter().all(is_gone) {
        return None;
    }
    let names = tally.changes.iter().filter_map(|change| change.old.as_ref());
    let names = names.map(|link| quote(link.text(), QUOTE_CHARS_MAX));
    let said = listed_up_to(LISTED_MAX, names, tally.changes.len());
    Some(format!("no longer links: {said}"))
}

/// What is said of a part of a sentence, behind its heading where there is room for both.
fn under_heading(change: &Change, said: String, place: &str, room: usize) -> String {
    let heading = said::heading_of_part(change, &said, place);
    let both = heading.map(|heading| format!("under “{heading}”, {said}"));
    both.filter(|both| both.chars().count() <= room).unwrap_or(said)
}

/// What of a page that was rebuilt says most of what is there now.
fn of_rebuilt(tally: &Tally<'_>) -> String {
    let news = tally.changes.iter().filter(|change| change.kind == ChangeKind::Insert);
    let best =
        news.min_by_key(|change| order::title_rank(Aspect::Any, change, order::Listed::default()));
    let text = best.and_then(|change| change.new.as_ref()).map_or("", Thing::text);
    if text.is_empty() {
        String::new()
    } else {
        format!(", such as {}", quote(text, LINE_CHARS_MAX))
    }
}

/// The headings that the line of a detection speaks of; none: of the change that matters most.
/// Nothing where it speaks of all of them.
pub(crate) fn headings_spoken_of(facts: &ChangeFacts) -> Option<Vec<&str>> {
    let tally = Tally::of(facts);
    if !tally.is_in_its_words() || rebuilt(facts).is_some() {
        return None;
    }
    let (rank, first) = tally.first?;
    if rank.is_of_own_words() && !sections::is_of_new_section(&tally, first) {
        return Some(Vec::new());
    }
    let came = headings_came(facts, &tally);
    let named = sections::of_title(&tally, came, from(facts).chars().count());
    Some(named.map(|named| named.names).unwrap_or_default())
}

/// How a line ends where a limit kept something out.
fn from(facts: &ChangeFacts) -> String {
    let mut parts = (0..facts.evidence.len() as u32).flat_map(|at| parts_read(facts, at));
    match parts.next() {
        Some(part) => match part.strip_prefix("only ") {
            Some(part) => format!(", from {part}"),
            None => format!("; {part}"),
        },
        None => String::new(),
    }
}

/// What became of entries of a feed: "3 new entries".
fn entries(count: u64, kind: ChangeKind) -> String {
    let noun = if count == 1 { "entry" } else { "entries" };
    let what = match kind {
        ChangeKind::Insert => "new",
        ChangeKind::Delete => "removed",
        ChangeKind::Update => "edited",
        ChangeKind::Move => "moved",
    };
    format!("{count} {what} {noun}")
}

/// How many headings came, where that is known: of one page, all of whose changes are kept.
fn headings_came(facts: &ChangeFacts, tally: &Tally<'_>) -> usize {
    let found = || facts.combinations.iter().flatten().filter_map(|at| facts.at(*at));
    let keeps_all =
        |hits: &LeafHits| hits.leaf.matching.is_none() && hits.leaf.directions.is_empty();
    let is_whole =
        facts.evidence.len() == 1 && !tally.cut && found().all(|(_, hits)| keeps_all(hits));
    let outline = found().find_map(|(compared, _)| compared.outline.as_ref());
    let new = outline.map(|outline| &outline.new).filter(|new| is_whole && !new.are_texts);
    new.map_or(0, |new| new.total as usize)
}

/// A name in quotes; quotes in it are single ones.
fn quote(name: &str, chars_max: usize) -> String {
    let name = clean(name, chars_max).replace('“', "‘").replace('”', "’");
    format!("“{name}”")
}

/// A line that was cut within a quotation, with the end of that. In German “ ends one.
fn closed(line: String) -> String {
    let is_open = line.matches('“').count() > line.matches('”').count();
    if is_open && line.ends_with('…') && !line.contains('„') { line + "”" } else { line }
}

/// How much of the text is new where a page was rebuilt.
fn rebuilt(facts: &ChangeFacts) -> Option<u8> {
    let compared = |at: &LeafRef| facts.at(*at).and_then(|(compared, _)| compared.rebuilt);
    facts.combinations.iter().flatten().find_map(compared)
}

/// What is new and what is gone where a page was rebuilt or much changed: by its headings, or by
/// its longest texts if it has none. "New: “Plans” and “Teams”. Gone: “Contact”."
pub(crate) fn outline(facts: &ChangeFacts) -> Option<String> {
    let compared = |at: &LeafRef| facts.at(*at).and_then(|(compared, _)| compared.outline.as_ref());
    let outline = facts.combinations.iter().flatten().find_map(compared)?;
    let tally = Tally::of(facts);
    let is_rebuilt = rebuilt(facts).is_some();
    // The line above says it already, or what the sentinel keeps is not that much.
    let is_said = || {
        let came = headings_came(facts, &tally);
        let named = sections::of_title(&tally, came, from(facts).chars().count());
        let names_all = named.is_some_and(|named| named.is_all) && tally.is_in_its_words();
        names_all && outline.gone.total == 0
    };
    if !is_rebuilt && (tally.total <= CHANGES_IN_SIGHT as u64 || is_said()) {
        return None;
    }
    let part = |name: &str, headings: &Headings| {
        let quoted = headings.first.iter().map(|text| quote(text, HEADING_CHARS));
        let said = listed_up_to(HEADINGS_LISTED_MAX, quoted, headings.total as usize);
        let left = headings.total as usize - headings.first.len().min(headings.total as usize);
        let said = match left {
            0 => said,
            _ if !headings.are_texts => said,
            1 => format!("{said} text"),
            _ => format!("{said} texts"),
        };
        (headings.total > 0).then(|| format!("{name}: {said}."))
    };
    let parts = [part("New", &outline.new), part("Gone", &outline.gone)];
    let said = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
    (!said.is_empty()).then_some(said)
}

fn elsewhere(count: u64) -> String {
    if count == 0 { String::new() } else { format!("; {} elsewhere", counted(count, "change")) }
}

/// "; 3 more words differ".
fn and_differ(words: u64) -> String {
    match words {
        0 => String::new(),
        1 => "; 1 more word differs".to_owned(),
        words => format!("; {words} more words differ"),
    }
}

fn and_more_of(count: u64) -> String {
    if count == 0 { String::new() } else { format!(" and {count} more") }
}

fn if_any(before: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{before}{text}") }
}

fn and_more(count: u64) -> String {
    if count == 0 { String::new() } else { format!("; and {count} more") }
}

/// What was compared where a limit kept the rest out, of the comparisons of one piece of evidence
/// that led to this; each once.
pub(crate) fn parts_read(facts: &ChangeFacts, evidence: u32) -> Vec<&str> {
    let own = facts.combinations.iter().flatten().filter(|place| place.evidence == evidence);
    let own: BTreeSet<u32> = own.map(|place| place.comparison).collect();
    let result = facts.evidence.get(evidence as usize).map(|evidence| &evidence.result);
    let compared = own.iter().filter_map(|&at| result?.comparisons.get(at as usize));
    let mut parts: Vec<&str> = Vec::new();
    for part in compared.flat_map(|compared| &compared.parts_read) {
        if !parts.contains(&part.as_str()) {
            parts.push(part);
        }
    }
    parts
}

pub(crate) fn of_digest(facts: &DigestFacts, sentinel: &str) -> String {
    let said = |member: &Member| match &member.what {
        MemberFacts::Change(change) => of_change(change),
        MemberFacts::Rule(rule) => of_rule(rule),
    };
    if let ([only], 0) = (facts.notifications.as_slice(), facts.more) {
        return said(only);
    }
    let total = facts.notifications.len() as u64 + facts.more;
    let latest = match facts.notifications.last() {
        Some(latest) if facts.more == 0 => format!("; the latest: {}", said(latest)),
        Some(shown) => format!("; of these: {}", said(shown)),
        None => String::new(),
    };
    let line = format!("{} of {sentinel}{latest}", counted(total, "notification"));
    clean(&line, LINE_CHARS_MAX)
}

/// What happened, one after the other: "“Lisbon” appeared on cnn.com at 09:12, …".
pub(crate) fn of_rule(facts: &RuleFacts) -> String {
    if let Some(said) = of_absence(facts) {
        return clean(&format!("{}: {said}", clean(&facts.rule, TITLE_CHARS_MAX)), 300);
    }
    let told = facts.parts.iter().filter(|part| part.happened != Happened::Clock);
    let mut told: Vec<String> = told.map(|part| of_part(facts, part)).collect();
    if told.is_empty() {
        told.extend(facts.parts.iter().map(|part| of_part(facts, part)));
    }
    // The last ones are why it is told now.
    let more = told.len().saturating_sub(LISTED_MAX);
    let more = match more {
        0 => String::new(),
        more => format!("{} before, then ", counted(more as u64, "occurrence")),
    };
    let last = told.split_off(told.len().saturating_sub(LISTED_MAX));
    let room = LINE_CHARS_MAX / LISTED_MAX;
    let last: Vec<String> = match last.as_slice() {
        [one] => vec![one.clone()],
        last => last.iter().map(|one| shortened(one, room)).collect(),
    };
    clean(&format!("{}: {more}{}", clean(&facts.rule, TITLE_CHARS_MAX), last.join(", ")), 300)
}

/// "no wire between go at 06:28 and 06:29": what did not happen is the news.
fn of_absence(facts: &RuleFacts) -> Option<String> {
    let absent = clean(facts.absent.as_deref()?, TITLE_CHARS_MAX);
    let (first, rest) = facts.parts.split_first()?;
    let over = PartFacts { at: facts.detected_at, happened: Happened::Clock };
    let last = rest.last().unwrap_or(&over);
    // Of two days, both are said.
    let day = |part: &PartFacts| facts.zone.local(part.at).day().to_string();
    let are_apart = day(first) != day(last);
    let said = |part: &PartFacts| {
        let when = match (when(facts, part.at), are_apart) {
            (when, true) if !when.contains(" on ") => format!("{when} on {}", day(part)),
            (when, _) => when,
        };
        match part.happened.name() {
            Some(name) => {
                let what = of_which(&part.happened);
                format!("{what}{} {when}", clean(name, TITLE_CHARS_MAX))
            }
            None => when.trim_start_matches("at ").to_owned(),
        }
    };
    Some(format!("no {absent} between {} and {}", said(first), said(last)))
}

/// What of a name happened, before the name: where it has a life and looks, too, which of them.
fn of_which(happened: &Happened) -> &'static str {
    match happened {
        Happened::Found { .. } | Happened::Raised(_) | Happened::Clock => "",
        Happened::Started(_) => "start of ",
        Happened::Ended(_) => "end of ",
        Happened::Fetched(_) => "answer of ",
        Happened::Failed(_) => "failed look of ",
    }
}

/// At most `max` characters of what happened, and all of when.
fn shortened(said: &str, max: usize) -> String {
    let (what, when) = said.rsplit_once(" at ").unwrap_or((said, ""));
    match when {
        "" => clean(said, max),
        when => format!("{} at {when}", clean(what, max.saturating_sub(when.len() + 4).max(20))),
    }
}

/// One thing that took part, and when.
pub(crate) fn of_part(facts: &RuleFacts, part: &PartFacts) -> String {
    let what = match &part.happened {
        Happened::Found { sentinel: (_, name), found } => match found.as_deref() {
            Some(Member { what: MemberFacts::Change(change), .. }) => of_change(change),
            _ => format!("{name} found something"),
        },
        Happened::Started(name) => format!("{name} started"),
        Happened::Ended(name) => format!("{name} ended"),
        Happened::Fetched(name) => format!("a look of {name} succeeded"),
        Happened::Failed(name) => format!("a look of {name} failed"),
        Happened::Raised(name) => format!("{name} was raised"),
        Happened::Clock => "its time came".to_owned(),
    };
    format!("{} {}", clean(&what, LINE_CHARS_MAX), when(facts, part.at))
}

/// "at 06:28", with the day where it is another.
fn when(facts: &RuleFacts, at: chronon::Instant) -> String {
    let (local, now) = (facts.zone.local(at), facts.zone.local(facts.detected_at));
    let time = local.time_of_day().to_the_minute();
    if local.day() == now.day() {
        format!("at {time}")
    } else {
        format!("at {time} on {}", local.day())
    }
}

impl Happened {
    /// The `type` of an occurrence.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Happened::Found { .. } => "found",
            Happened::Started(_) => "started",
            Happened::Ended(_) => "ended",
            Happened::Fetched(_) => "fetched",
            Happened::Failed(_) => "failed",
            Happened::Raised(_) => "raised",
            Happened::Clock => "clock",
        }
    }

    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Happened::Found { sentinel: (_, name), .. }
            | Happened::Started(name)
            | Happened::Ended(name)
            | Happened::Fetched(name)
            | Happened::Failed(name)
            | Happened::Raised(name) => Some(name),
            Happened::Clock => None,
        }
    }

    /// What a sentinel found, where that is stored.
    pub(crate) fn found(&self) -> Option<(&(SentinelId, String), &Member)> {
        match self {
            Happened::Found { sentinel, found } => Some((sentinel, found.as_deref()?)),
            _ => None,
        }
    }
}

/// What people call the page: as the sentinel does, or as it does itself, with its host.
fn place_of(facts: &HealthFacts) -> String {
    let host = host(&facts.url);
    match (&facts.name, &facts.title) {
        (Some(name), _) => clean(name, TITLE_CHARS_MAX),
        (None, Some(title)) => format!("{} ({host})", clean(title, TITLE_CHARS_MAX)),
        (None, None) => host.to_owned(),
    }
}

pub(crate) fn of_failing(facts: &HealthFacts) -> String {
    let place = place_of(facts);
    let why = if facts.note.is_empty() { String::new() } else { format!(": {}", facts.note) };
    clean(&format!("{place} is failing{why}"), LINE_CHARS_MAX)
}

pub(crate) fn of_recovered(facts: &HealthFacts) -> String {
    let place = place_of(facts);
    let how = if facts.note.is_empty() { String::new() } else { format!(": {}", facts.note) };
    clean(&format!("{place} is back{how}"), LINE_CHARS_MAX)
}

pub(crate) fn of_missing(facts: &HealthFacts) -> String {
    let place = place_of(facts);
    clean(&format!("on {place}, {}", facts.note), LINE_CHARS_MAX)
}

pub(crate) fn of_found(facts: &HealthFacts) -> String {
    let place = place_of(facts);
    clean(&format!("on {place}, the part that you watch is there again"), LINE_CHARS_MAX)
}

pub(crate) fn of_test(channel: &str) -> String {
    clean(&format!("a test of the channel {channel}: it works"), LINE_CHARS_MAX)
}

pub(crate) fn of_unreachable(note: &str) -> String {
    clean(note, LINE_CHARS_MAX)
}

/// The changes of a detection, each once, however many leaves keep it.
struct Tally<'a> {
    groups: Vec<Group<'a>>,
    total: u64,
    /// Not every change is at hand.
    cut: bool,
    /// The change that matters most to a reader.
    first: Option<(order::TitleRank, &'a Change)>,
    changes: Vec<&'a Change>,
}

/// Changes of one type and kind.
struct Group<'a> {
    aspect: Aspect,
    kind: ChangeKind,
    count: u64,
    /// The words or phrases that changed, and as what the page has them.
    quotes: BTreeMap<&'a str, &'a str>,
    /// The change of them that matters most to a reader.
    first: (order::TitleRank, &'a Change),
    /// What others of them are called, as the page has them, each once.
    others: Vec<&'a str>,
}

impl<'a> Tally<'a> {
    fn of(facts: &'a ChangeFacts) -> Tally<'a> {
        let mut tally =
            Tally { groups: Vec::new(), total: 0, cut: false, first: None, changes: Vec::new() };
        let (mut leaves, mut ids) = (BTreeSet::new(), BTreeSet::new());
        let mut changes = Vec::new();
        for &at in facts.combinations.iter().flatten() {
            let Some((compared, hits)) = facts.at(at) else { continue };
            if !leaves.insert(at) {
                continue;
            }
            let beyond = u64::from(hits.hits_total).saturating_sub(hits.hits.len() as u64);
            tally.cut |= beyond > 0;
            tally.total += beyond;
            for &hit in &hits.hits {
                let change = compared.changes.get(hit as usize);
                if let Some(change) =
                    change.filter(|_| ids.insert((at.evidence, at.comparison, hit)))
                {
                    changes.push((&hits.leaf.change_type, change));
                }
            }
        }
        let listed = order::Listed::of(changes.iter().map(|(_, change)| *change));
        for (change_type, change) in changes {
            tally.add(change_type, change, listed);
        }
        tally.pass_over_renames();
        tally.name_what_went();
        tally
    }

    /// What is gone with its heading, and with those above that, is told by the last. A promise
    /// says more than its heading.
    fn name_what_went(&mut self) {
        let Some((rank, first)) = self.first else { return };
        if first.kind == ChangeKind::Delete && !said::says_not(name(first)) {
            let headings = Above::of(self.changes.iter().map(|change| (0, *change)));
            let above = headings.upwards(0, ChangeKind::Delete, first.heading.as_deref()).last();
            self.first = Some((rank, above.unwrap_or(first)));
        }
    }

    /// A name that is another in many places is no title while anything else says something.
    fn pass_over_renames(&mut self) {
        let is_any = |group: &Group<'_>| group.aspect == Aspect::Any;
        let all = || self.changes.iter().copied();
        let Some(renamed) = order::renamed(all()).filter(|_| self.groups.iter().all(is_any)) else {
            return;
        };
        let others = all().enumerate().filter(|(at, _)| !renamed.at.contains(at));
        let listed = order::Listed::of(all());
        let rank = |change| order::title_rank(Aspect::Any, change, listed);
        let ranks = others.map(|(_, change)| (rank(change), change));
        let best = ranks.filter(|(rank, _)| rank.is_news()).min_by_key(|(rank, _)| *rank);
        self.first = best.or(self.first);
    }

    /// What else there is beside the first that is new or gone: "; 3 more new, 1 changed". Of a
    /// feed always, else where it is not all of that kind.
    fn more(&self) -> Option<String> {
        let (_, first) = self.first?;
        let is_text = matches!(first.new.as_ref().or(first.old.as_ref()), Some(Thing::Text { .. }));
        let is_first = |kind| first.kind == kind && is_text;
        let has_new = is_first(ChangeKind::Insert);
        let is_counted = has_new || is_first(ChangeKind::Delete);
        if !is_counted || self.cut || self.total != self.changes.len() as u64 {
            return None;
        }
        let are_alike = self.changes.iter().all(|change| change.kind == first.kind);
        if are_alike && first.link.is_none() {
            return None;
        }
        let behind = self.changes.iter().filter(|change| order::is_behind(change)).count();
        let count = |kind| {
            let is_one = |change: &&&Change| change.kind == kind && !order::is_behind(change);
            self.changes.iter().filter(is_one).count() - usize::from(first.kind == kind)
        };
        let kinds = [
            (count(ChangeKind::Insert), if has_new { "more new" } else { "new" }),
            (count(ChangeKind::Update), "changed"),
            (count(ChangeKind::Delete), if has_new { "gone" } else { "more gone" }),
            (count(ChangeKind::Move), "moved"),
            (behind, if behind == 1 { "link or picture" } else { "links or pictures" }),
        ];
        let parts = kinds.iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = parts.map(|(count, what)| format!("{count} {what}")).collect();
        Some(if parts.is_empty() { String::new() } else { format!("; {}", parts.join(", ")) })
    }

    /// Where words are all that is told, the sentence in which most of them came or went, and how
    /// many did. Where a word or two of it did, these are said first. O(n log n).
    fn sentence(&self) -> Option<(String, u64)> {
        if !self.groups.iter().all(|group| group.aspect == Aspect::Words) {
            return None;
        }
        let mut sentences: BTreeMap<&str, (Vec<&str>, Vec<&str>, usize)> = BTreeMap::new();
        for (at, change) in self.changes.iter().enumerate() {
            let count = |thing: &Option<Thing>| thing.as_ref().and_then(Thing::count).unwrap_or(0);
            let is_more = count(&change.new) > count(&change.old);
            let own: BTreeSet<&str> =
                change.sentence.iter().chain(&change.elsewhere).map(String::as_str).collect();
            for sentence in own {
                let of = sentences.entry(sentence).or_insert((Vec::new(), Vec::new(), at));
                if is_more { &mut of.0 } else { &mut of.1 }.push(name(change));
            }
        }
        let best = sentences
            .into_iter()
            .max_by_key(|(_, (more, less, at))| (more.len() + less.len(), Reverse(*at)));
        let (sentence, (more, less, _)) = best?;
        let what = match (more.len(), less.len()) {
            (_, 0) => "new",
            (0, _) => "gone",
            _ => "changed",
        };
        let words: Vec<&str> = more.into_iter().chain(less).collect();
        let said = quote(sentence, SENTENCE_CHARS_MAX);
        let is_part =
            words.len() <= WORDS_SAID_MAX && 2 * words.len() < sentence.split_whitespace().count();
        let said = if is_part {
            let words = words.iter().map(|word| quote(word, QUOTE_CHARS_MAX)).collect();
            format!("{what}: {} in {said}", in_words(words))
        } else {
            format!("{what}: {said}")
        };
        Some((said, words.len() as u64))
    }

    /// Whether words that were there come up more often or less, where all do one of the two.
    fn counted_on(&self, place: &str, words: usize) -> Option<String> {
        let counts = self.changes.iter().map(|change| {
            let count = |thing: &Option<Thing>| thing.as_ref().and_then(Thing::count);
            Some((count(&change.old)?, count(&change.new)?))
        });
        let counts: Vec<_> = counts.collect::<Option<_>>()?;
        let come = if words == 1 { "comes" } else { "come" };
        let is_more = counts.first().map(|(old, new)| new > old)?;
        let are_alike = counts.iter().all(|(old, new)| old != new && (new > old) == is_more);
        let often = if is_more { "more often" } else { "less often" };
        (are_alike && !self.cut).then(|| format!("{come} up {often} on {place}"))
    }

    /// All of it is told in its own words.
    fn is_in_its_words(&self) -> bool {
        self.groups.iter().all(|group| IN_ITS_WORDS.contains(&group.aspect))
    }

    fn add(&mut self, change_type: &ChangeType, change: &'a Change, listed: order::Listed) {
        let ChangeType { aspect, terms, .. } = change_type;
        self.total += 1;
        self.changes.push(change);
        let rank = order::title_rank(*aspect, change, listed);
        if self.first.as_ref().is_none_or(|(first, _)| rank < *first) {
            self.first = Some((rank, change));
        }
        let same = |group: &Group<'_>| group.aspect == *aspect && group.kind == change.kind;
        let group = match self.groups.iter().position(same) {
            Some(at) => &mut self.groups[at],
            None => {
                self.groups.push(Group {
                    aspect: *aspect,
                    kind: change.kind,
                    count: 0,
                    quotes: BTreeMap::new(),
                    first: (rank, change),
                    others: Vec::new(),
                });
                self.groups.last_mut().expect("one was just pushed")
            }
        };
        group.count += 1;
        if rank < group.first.0 {
            group.first = (rank, change);
        }
        let name = name(change);
        if group.others.len() <= LISTED_MAX && !name.is_empty() && !group.others.contains(&name) {
            group.others.push(name);
        }
        let is_named = aspect.row().terms.are_needed() || *aspect == Aspect::Items;
        if is_named && !IN_ITS_WORDS.contains(aspect) {
            for (name, shown) in names(change, terms) {
                group.quotes.entry(name).or_insert(shown);
            }
        }
    }
}

impl Group<'_> {
    /// What became of them, on a page that is called so.
    fn part(&self, page: &str) -> String {
        if !self.quotes.is_empty() {
            return format!("{} {}", quoted(&self.quotes), done(self.kind));
        }
        let named = self.named(self.count, page);
        if IN_ITS_WORDS.contains(&self.aspect) {
            return named;
        }
        let count = counted(self.count, self.aspect.row().noun);
        format!("{count} {}{}", done(self.kind), if_any(": ", &named))
    }

    /// The one that matters most by its name, then others of so many.
    fn named(&self, total: u64, page: &str) -> String {
        let first = self.first.1;
        if IN_ITS_WORDS.contains(&self.aspect) {
            let said = said::said(first, page, self.aspect == Aspect::Any);
            if self.aspect == Aspect::Status {
                let said = with_end_of_address(&without_since(&said), SAID_CHARS_MIN);
                return said + &and_more_of(total - 1);
            }
            return clean(&said, TITLE_CHARS_MAX) + &and_more_of(total - 1);
        }
        let name = name(first);
        let others = self.others.iter().copied().filter(|other| *other != name);
        let names = std::iter::once(name).filter(|name| !name.is_empty()).chain(others);
        let quoted: Vec<String> = names.map(|name| quote(name, QUOTE_CHARS_MAX)).collect();
        let total = usize::try_from(total).unwrap_or(usize::MAX);
        if quoted.is_empty() {
            String::new()
        } else {
            listed_up_to(LISTED_MAX, quoted.into_iter(), total)
        }
    }
}

/// What a link, a picture, an entry or a word is called; where it leads, if it has no name.
fn name(change: &Change) -> &str {
    let thing = change.new.as_ref().or(change.old.as_ref());
    match thing.map_or("", Thing::text) {
        "" => thing.and_then(Thing::address).unwrap_or_default(),
        text => text,
    }
}

/// The word that changed; of a phrase, those of the leaf's own that the change is about (a
/// comparison serves many sentinels, and nobody is shown the phrases of others). Each with the
/// text to show: a phrase that came or went as the page writes it, in its case.
fn names<'a>(change: &'a Change, own: &BTreeSet<String>) -> Vec<(&'a str, &'a str)> {
    let patterns = change.patterns.iter().filter(|p| own.contains(*p)).map(String::as_str);
    match (&change.old, &change.new) {
        (_, Some(Thing::Word { word, .. })) | (Some(Thing::Word { word, .. }), None) => {
            vec![(word, word)]
        }
        (_, Some(Thing::Value { text, .. })) | (Some(Thing::Value { text, .. }), None) => {
            vec![(text, text)]
        }
        (_, Some(Thing::Item { title, .. })) | (Some(Thing::Item { title, .. }), None)
            if !title.is_empty() =>
        {
            vec![(title, title)]
        }
        (None, Some(Thing::Text { text })) | (Some(Thing::Text { text }), None) => {
            let shown = |pattern| if is_in_another_case(text, pattern) { text } else { pattern };
            patterns.map(|pattern| (pattern, shown(pattern))).collect()
        }
        _ => patterns.map(|pattern| (pattern, pattern)).collect(),
    }
}

fn is_in_another_case(text: &str, pattern: &str) -> bool {
    let words = |text: &str| text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>();
    words(text) == words(pattern)
}

/// What was done to a thing: "added".
fn done(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Insert => "added",
        ChangeKind::Delete => "removed",
        ChangeKind::Update => "updated",
        ChangeKind::Move => "moved",
    }
}

fn happened_on(kind: ChangeKind, place: &str) -> String {
    match kind {
        ChangeKind::Insert => format!("appeared on {place}"),
        ChangeKind::Delete => format!("disappeared from {place}"),
        ChangeKind::Update => format!("changed on {place}"),
        ChangeKind::Move => format!("moved on {place}"),
    }
}

/// “oil”, “gas” and 3 more
fn quoted(quotes: &BTreeMap<&str, &str>) -> String {
    listed(quotes.values().map(|quote| format!("“{}”", clean(quote, QUOTE_CHARS_MAX))))
}

/// The first of a list in words: "oil, gas, tin and 3 more".
fn listed(parts: impl ExactSizeIterator<Item = String>) -> String {
    let total = parts.len();
    listed_up_to(LISTED_MAX, parts, total)
}

/// The same, of a list that has `total` parts.
fn listed_up_to(most: usize, parts: impl Iterator<Item = String>, total: usize) -> String {
    let mut parts: Vec<String> = parts.take(most).collect();
    if total > parts.len() {
        parts.push(format!("{} more", total - parts.len()));
    }
    in_words(parts)
}

/// `oil, gas and tin`.
fn in_words(mut parts: Vec<String>) -> String {
    let last = parts.pop().unwrap_or_default();
    if parts.is_empty() { last } else { format!("{} and {last}", parts.join(", ")) }
}

fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The pages of which something is told; all, where that is nothing. One that must not change is
/// evidence, too.
fn telling(facts: &ChangeFacts) -> Vec<&EvidenceFacts> {
    let told: BTreeSet<u32> = facts.combinations.iter().flatten().map(|at| at.evidence).collect();
    let own = (0..).zip(&facts.evidence).filter(|(at, _)| told.is_empty() || told.contains(at));
    own.map(|(_, evidence)| evidence).collect()
}

/// What these pages are called, each once.
fn places(facts: &ChangeFacts) -> String {
    let mut places: Vec<&str> = Vec::new();
    for place in telling(facts).into_iter().map(|evidence| place(&evidence.source)) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    listed(places.into_iter().map(str::to_owned))
}

fn place(source: &SourceFacts) -> &str {
    source.name.as_deref().unwrap_or(host(&source.url))
}

/// The host of a URL, as people say it; the URL itself if it has none.
fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = host.strip_prefix("www.").unwrap_or(host);
    if host.is_empty() { url } else { host }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronon::{Instant, Span, Zone};

    #[test]
    fn of_an_address_that_is_too_long_the_end_stays() {
        let address = format!("http://127.0.0.4:21001/p{}/news?id=77", "/x".repeat(60));
        let said = with_end_of_address(&format!("up → moved: redirects lead to {address}"), 90);
        assert!(said.contains("lead to http://127.0.0.4:21001/p") && said.contains('…'), "{said}");
        assert!(said.ends_with("/news?id=77") && said.chars().count() == 90, "{said}");
        let short = "up → moved: redirects lead to http://127.0.0.4:21001/p1/a?b=c";
        assert_eq!(with_end_of_address(short, 90), short);
        assert_eq!(with_end_of_address("up → down", 90), "up → down");
    }

    #[test]
    fn what_did_not_happen_is_named() {
        let (at, end) = (Instant::EPOCH, Instant::EPOCH + Span::MINUTE);
        let part = |at, happened| PartFacts { at, happened };
        let go = part(at, Happened::Raised("go".to_owned()));
        let said = |absent: Option<&str>, parts: &[&PartFacts]| {
            of_rule(&RuleFacts {
                rule: "silent".to_owned(),
                absent: absent.map(str::to_owned),
                zone: Zone::utc(),
                detected_at: end,
                parts: parts.iter().copied().cloned().collect(),
            })
        };
        let clock = part(end, Happened::Clock);
        let stop = part(end, Happened::Started("stop".to_owned()));
        let no_wire = "silent: no wire between go at 00:00 and 00:01";
        assert_eq!(said(Some("wire"), &[&go, &clock]), no_wire);
        assert_eq!(said(Some("wire"), &[&go]), no_wire);
        let until_stop = "silent: no wire between go at 00:00 and start of stop at 00:01";
        assert_eq!(said(Some("wire"), &[&go, &stop]), until_stop);
        assert_eq!(said(None, &[&go, &clock]), "silent: go was raised at 00:00");
    }
}
