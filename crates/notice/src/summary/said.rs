//! What happened to a text, in a few words: "Price: 49.90 → 39.90 EUR".

use super::pairs;
use crate::cut::clean;
use change::{Behind, CELL, Change, ChangeKind, Thing};

/// Characters of a text that came or went.
const TEXT_CHARS_MAX: usize = 100;
/// Characters of the name of a host.
const HOST_CHARS_MAX: usize = 60;
/// Characters of what differs, on each side.
const DIFFERING_CHARS_MAX: usize = 50;
/// Characters of what came or went, where nothing took its place.
const ONE_SIDE_CHARS_MAX: usize = 80;
/// Characters of what leads to a list.
const LEAD_CHARS_MAX: usize = 48;
/// Letters of all that differs, of which the first is said.
const LITTLE_LETTERS_MAX: usize = 24;
/// Characters of what stands before and after it, each.
const AROUND_CHARS_MAX: usize = 32;

/// What a change comes to, of a page that is called so. `is_any`: it is of `any change`.
pub(super) fn said(change: &Change, page: &str, is_any: bool) -> String {
    let quoted = |thing: &Option<Thing>| {
        let text = thing.as_ref().map_or("", Thing::text);
        format!("“{}”", clean(&change::short_hashes(text), TEXT_CHARS_MAX))
    };
    if let Some(behind) = Behind::of_change(change, is_any) {
        let line = behind.line();
        let is_other = change.kind == ChangeKind::Update && line.chars().count() > TEXT_CHARS_MAX;
        let line = match &change.new {
            Some(Thing::Link { text, .. }) if is_other && !text.is_empty() => {
                format!("link “{}” {}", clean(text, TEXT_CHARS_MAX), leads(change))
            }
            _ => line,
        };
        return of_thing(change, page) + &line;
    }
    let said = match (change.kind, &change.old, &change.new) {
        (ChangeKind::Update, Some(old), Some(new)) => {
            let [old, new] = change::short_hashes_of_both(old.text(), new.text());
            return of_thing(change, page) + &differs(&old, &new);
        }
        (ChangeKind::Insert | ChangeKind::Update, ..) => format!("new: {}", quoted(&change.new)),
        (ChangeKind::Delete, ..) => format!("gone: {}", quoted(&change.old)),
        (ChangeKind::Move, ..) => format!("moved: {}", quoted(&change.new)),
    };
    match place(change, page) {
        place if place.is_empty() => said,
        place => format!("under “{place}”, {said}"),
    }
}

/// What a change is of, if that is one thing among others of the page: `Kettle: `. A long text says
/// that itself.
fn of_thing(change: &Change, page: &str) -> String {
    let name = change.heading.as_deref().filter(|_| change.is_of_thing).unwrap_or_default();
    let name = clean(name, LEAD_CHARS_MAX);
    let says_it = |thing: &Option<Thing>| {
        let text = thing.as_ref().map_or("", Thing::text);
        text.chars().nth(NAME_CHARS_MAX).is_some() || text.contains(&name)
    };
    if name.is_empty() || page.contains(&name) || says_it(&change.new) || says_it(&change.old) {
        String::new()
    } else {
        format!("{name}: ")
    }
}

/// Where a link leads now whose addresses are long: to which host, if that is another. Of a long
/// name its end says whose it is; who logs in there is no part of it.
fn leads(change: &Change) -> String {
    let [before, now] = [&change.old, &change.new].map(|thing| {
        let address = thing.as_ref().and_then(Thing::address).unwrap_or_default();
        let rest = address.split_once("://").map_or("", |(_, rest)| rest);
        let host = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
        host.rsplit('@').next().unwrap_or_default()
    });
    let shown = match now.char_indices().rev().nth(HOST_CHARS_MAX - 1) {
        Some((cut, _)) if cut > 0 => format!("…{}", &now[cut..]),
        _ => now.to_owned(),
    };
    match now {
        "" => "leads elsewhere".to_owned(),
        host if host == before => format!("leads elsewhere on {shown}"),
        _ => format!("leads to {shown}"),
    }
}

/// What a text that came or went stands under. Without what leads to its list, "You may not:", an
/// item may say its opposite; a long sentence says less than the heading. A name says nothing
/// without its heading, unless that is the page's own.
fn place(change: &Change, page: &str) -> String {
    let line = |text: &Option<String>| clean(text.as_deref().unwrap_or_default(), usize::MAX);
    let (heading, lead) = (line(&change.heading), line(&change.lead));
    let text = change.new.as_ref().or(change.old.as_ref()).map_or("", Thing::text);
    let is_long = lead.chars().nth(LEAD_CHARS_MAX).is_some();
    let is_name = text.chars().nth(NAME_CHARS_MAX).is_none();
    let is_of_page = page.contains(&heading) || heading.contains(page);
    if !lead.is_empty() && (!is_long || heading.is_empty() || says_not(&lead)) {
        let sentence = change::sentence_around(&lead, &(lead.len()..lead.len()));
        last_words(&lead[sentence.start..], LEAD_CHARS_MAX)
    } else if !lead.is_empty() || (is_name && change.link.is_none() && !is_of_page) {
        clean(&heading, LEAD_CHARS_MAX)
    } else {
        String::new()
    }
}

/// Whether a text says that something is not so.
pub(super) fn says_not(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    text.contains("n't") || text.contains("n’t") || words.any(|word| NOT.contains(&&*word))
}

/// The heading without which a part of a sentence does not say what it is about: that of the text,
/// unless it is the page's own, or stands in what is said.
pub(super) fn heading_of_part(change: &Change, said: &str, page: &str) -> Option<String> {
    const PARTS: [&str; 3] = ["…", "now: ", "new: "];
    let is_part = change.kind == ChangeKind::Update
        && (PARTS.iter().any(|part| said.starts_with(part))
            || said.contains(" places of one text"));
    let heading = clean(change.heading.as_deref().filter(|_| is_part)?, LEAD_CHARS_MAX);
    let is_of_page = page.contains(&heading) || heading.contains(page);
    (!heading.is_empty() && !is_of_page && !said.contains(&heading)).then_some(heading)
}

/// Characters of a text that is said whole, where it begins with other words.
const WHOLE_CHARS_MAX: usize = 40;
/// Characters of a name at most.
const NAME_CHARS_MAX: usize = 48;
/// Words without which a sentence says its opposite.
const NOT: [&str; 31] = [
    "not",
    "no",
    "never",
    "nor",
    "none",
    "neither",
    "cannot",
    "without",
    "except",
    "excluding",
    "unless",
    "prohibited",
    "forbidden",
    "nicht",
    "nie",
    "kein",
    "keine",
    "keinen",
    "keinem",
    "keiner",
    "ohne",
    "verboten",
    "pas",
    "jamais",
    "sans",
    "interdit",
    "sin",
    "nunca",
    "non",
    "niet",
    "geen",
];

/// What differs between two texts, with a few of the words around it: the first place where little
/// does, else the longest; and in how many places, if these are many.
fn differs(old: &str, new: &str) -> String {
    let [said, says] = [old, new].map(change::without_marks);
    if old != new && said == says {
        let [was, is] = [old, new].map(change::struck);
        let came = is.iter().find(|part| !was.contains(part));
        let part = came.or_else(|| was.iter().find(|part| !is.contains(part)));
        let what = if came.is_some() { "struck out" } else { "not struck out any more" };
        return format!("{what}: “{}”", clean(part.unwrap_or(&&*says), TEXT_CHARS_MAX));
    }
    // What is struck out was said before: the price that holds comes first.
    let [before, now] = [old, new].map(pairs::without_name_of_struck).map(change::standing);
    let (old, new) = if before == now { (old, new) } else { (&*before, &*now) };
    if let Some(one) = change::exchanged(old, new).filter(|one| one.count >= PLACES_MIN) {
        let least = at_least(old, new);
        let [was, is] = [one.old, one.new].map(|name| clean(name, DIFFERING_CHARS_MAX));
        return format!("“{was}” → “{is}” in {least}{} places of one text", one.count);
    }
    let all = pairs::whole(new, change::differing(old, new));
    let is_many = all.len() >= PLACES_MIN;
    let said = match difference(old, new, &all) {
        Difference::Words(said) => said,
        Difference::Passage(now) if is_many => format!("“{now}”"),
        Difference::Passage(now) => format!("now: “{now}”"),
    };
    if !is_many {
        return said;
    }
    format!("{}{} places of one text, such as {said}", at_least(old, new), all.len())
}

/// What comes before a count of places in texts that were cut.
fn at_least(old: &str, new: &str) -> &'static str {
    let is_cut = [old, new].iter().any(|text| text.ends_with('…'));
    if is_cut { "at least " } else { "" }
}

/// Places of one text that are counted.
const PLACES_MIN: usize = 8;

/// One of the differences of two texts.
enum Difference {
    /// In words, with what stands around it.
    Words(String),
    /// A passage that took the place of another.
    Passage(String),
}

fn difference(old: &str, new: &str, all: &[change::Differing]) -> Difference {
    let letters = |one: &change::Differing| {
        let texts = [&old[one.old.clone()], &new[one.new.clone()]];
        let count = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
        texts.map(count).iter().sum::<usize>()
    };
    let is_little = all.iter().map(letters).sum::<usize>() <= LITTLE_LETTERS_MAX;
    let weight = |one: &change::Differing| match letters(one) {
        letters if is_little => usize::from(letters > 0),
        letters => letters,
    };
    if begins_otherwise(old, new, all) {
        return Difference::Words(format!("“{old}” → “{new}”"));
    }
    let longest = (0..all.len()).rev().max_by_key(|&at| weight(&all[at]));
    let Some(at) = longest else {
        return Difference::Words(format!("“{}”", clean(new, TEXT_CHARS_MAX)));
    };
    let first = &all[at];
    let (lead, after) = around(new, all, at);
    let sides = [&old[first.old.clone()], &new[first.new.clone()]];
    let has_word = |text: &str| text.contains(char::is_alphanumeric);
    if let Some(sentence) = sentence_that_came(sides) {
        return Difference::Words(format!("new: “{}”", clean(sentence, TEXT_CHARS_MAX)));
    }
    // The ends of two long passages side by side say nothing: what is there now does.
    if sides.iter().all(|text| text.chars().nth(DIFFERING_CHARS_MAX).is_some()) {
        let passage = from_sentence(new, first.new.start);
        let passage = passage.trim_start_matches([')', ']', '”', '’', ',', ';', ':', '.', ' ']);
        let passage = clean(passage, TEXT_CHARS_MAX);
        return Difference::Passage(passage);
    }
    let is_of_one_side = sides.iter().any(|text| !has_word(text));
    // Quotes of the text around both are written once.
    let closes = |c: char| "”“\"».,;:".contains(c);
    let unquoted = lead.strip_suffix(['“', '„', '"', '«']).map(str::to_owned);
    let unquoted = unquoted.filter(|_| sides.iter().all(|text| has_word(text)));
    let after = match &unquoted {
        Some(_) => after.trim_start_matches(closes),
        None => after,
    };
    let tail = first_words(after, at + 1 < all.len());
    let room = if is_of_one_side { ONE_SIDE_CHARS_MAX } else { DIFFERING_CHARS_MAX };
    let [gone, came] = sides.map(|text| clean(text, room));
    let [gone, came] = without_stop([gone, came]);
    let gone = if is_cut(&gone, after) { gone + "…" } else { gone };
    let is_quoted = unquoted.is_some();
    let (lead, [gone, came]) = match unquoted {
        Some(lead) => (lead, [gone, came].map(|text| text.trim_end_matches(closes).to_owned())),
        None => (lead, [gone, came]),
    };
    // A word that came or went stands apart from the one before it.
    let is_word_of_its_own = gone.is_empty() || came.is_empty() || {
        sides.iter().any(|text| text.starts_with(char::is_whitespace))
    };
    let lead = match lead.chars().last() {
        Some(last) if !last.is_whitespace() && is_word_of_its_own => format!("{lead} "),
        _ => lead,
    };
    if at + 1 == all.len()
        && let Some(said) = pairs::behind_amount(&lead, [&gone, &came], after)
    {
        return Difference::Words(said);
    }
    let what = became(&lead, [&gone, &came], is_quoted);
    let is_apart = after.starts_with(char::is_whitespace);
    let is_word = tail.starts_with(char::is_alphanumeric);
    let joined = if !tail.is_empty() && (is_apart || is_word) { " " } else { "" };
    Difference::Words(format!("{lead}{what}{joined}{tail}"))
}

/// Whether a word that went was cut where the word that came is.
fn is_cut(gone: &str, after: &str) -> bool {
    after.starts_with('…') && gone.ends_with(char::is_alphanumeric)
}

/// What went and what came: a stop that became a clause is no loss.
fn without_stop([gone, came]: [String; 2]) -> [String; 2] {
    let has_word = |text: &str| text.contains(char::is_alphanumeric);
    match (has_word(&gone), has_word(&came)) {
        (false, true) => [String::new(), came],
        (true, false) => [gone, String::new()],
        _ => [gone, came],
    }
}

/// Whether two short texts differ in their first words alone. A beginning alone reads as if nothing
/// followed: “In → Only 2 left in stock”.
fn begins_otherwise(old: &str, new: &str, all: &[change::Differing]) -> bool {
    let [one] = all else { return false };
    let is_short = |text: &str| text.chars().nth(WHOLE_CHARS_MAX).is_none();
    one.new.start == 0
        && one.new.end < new.len()
        && is_short(old)
        && is_short(new)
        && are_words([&old[one.old.clone()], &new[one.new.clone()]])
        && !one.old.is_empty()
        && !one.new.is_empty()
}

/// A sentence that came before one whose first words it has: "You may ask." of "You may ask. You
/// can" beside "You may".
fn sentence_that_came([gone, came]: [&str; 2]) -> Option<&str> {
    let first = came.split_whitespace().next()?;
    let begins_alike = gone.split_whitespace().next() == Some(first);
    let sentence = &came[change::sentence_around(came, &(0..first.len()))];
    let is_whole = sentence.ends_with(['.', '!', '?']) && sentence.len() < came.trim_end().len();
    (begins_alike && is_whole && gone.len() < sentence.len()).then_some(sentence)
}

/// What stands before a difference, and what follows it, within its sentence and up to the
/// next ones. The next cell of a row is another matter.
fn around<'t>(new: &'t str, all: &[change::Differing], at: usize) -> (String, &'t str) {
    let own = &all[at].new;
    let from = at.checked_sub(1).map_or(0, |before| all[before].new.end);
    let upto = all.get(at + 1).map_or(new.len(), |next| next.new.start);
    let after = &new[own.end..upto];
    if let Some(lead) = lead_of_cell(new, own.start) {
        return (lead, after.split(CELL).next().unwrap_or(after));
    }
    let sentence = change::sentence_around(new, own);
    let after = rest_of_sentence(after, sentence.end.saturating_sub(own.end));
    let lead =
        last_words(&new[from.max(sentence.start).min(own.start)..own.start], AROUND_CHARS_MAX);
    if let Some(lead) = Some(&lead).filter(|lead| lead.starts_with('…') || from > 0)
        && let Some(named) = lead_of_row(new, own.start, lead)
    {
        return (named, after.split(CELL).next().unwrap_or(after));
    }
    let goes_on = from > 0 && !lead.starts_with('…');
    (if goes_on { format!("… {}", lead.trim_start()) } else { lead }, after)
}

/// What a row without headings is called, and the beginning of the cell at this byte of it, where
/// what stands before that says no name. `None`: it is no such row, or this is its name.
fn lead_of_row(text: &str, at: usize, lead: &str) -> Option<String> {
    let start = text[..at].rfind(CELL)?;
    let has_word = |text: &&str| {
        !change::says_when(text)
            && text.split(|c: char| !c.is_alphabetic()).any(|word| word.chars().nth(2).is_some())
    };
    let name = text[..start].split(CELL).find(has_word)?;
    let said = &text[start + CELL.len()..at];
    (!lead.contains(name)).then(|| {
        format!("{}: {}", clean(name, AROUND_CHARS_MAX), last_words(said, AROUND_CHARS_MAX))
    })
}

/// What a row is called, and what heads the cell at this byte of it: "Milwaukee: Deaths: " of
/// "Milwaukee: Cases: 182 | Deaths: 3". `None`: it is no such row.
fn lead_of_cell(text: &str, at: usize) -> Option<String> {
    let (first, _) = text.split_once(CELL)?;
    let (name, _) = first.split_once(": ")?;
    let start = text[..at].rfind(CELL).map(|end| end + CELL.len());
    let said = &text[start.unwrap_or(name.len() + 2).min(at)..at];
    let is_named = said.contains(": ");
    let name = match what_day_brings(name, text, start.unwrap_or(name.len() + 2)) {
        Some(thing) => format!("{}, {thing}", clean(name, AROUND_CHARS_MAX)),
        None => clean(name, AROUND_CHARS_MAX),
    };
    is_named.then(|| format!("{name}: {}", last_words(said, AROUND_CHARS_MAX)))
}

/// What a row is about that goes by a day: the first of its other cells that says a word, before or
/// behind the cell that begins at this byte.
fn what_day_brings(name: &str, text: &str, at: usize) -> Option<String> {
    let has_word = |text: &str| {
        text.split(|c: char| !c.is_alphabetic()).any(|word| word.chars().nth(2).is_some())
    };
    if !name.contains(|c: char| c.is_ascii_digit()) || !change::says_when(name) {
        return None;
    }
    let mut start = name.len() + 2;
    for cell in text[start..].split(CELL) {
        let said = cell.split_once(": ").map_or(cell, |(_, said)| said);
        if start != at && has_word(said) && !change::says_when(said) {
            return Some(clean(said, AROUND_CHARS_MAX));
        }
        start += cell.len() + CELL.len();
    }
    None
}

/// What went and what came, behind what stands before both.
fn became(lead: &str, [gone, came]: [&str; 2], is_quoted: bool) -> String {
    if let Some(said) = pairs::told(gone, came) {
        return said;
    }
    match (gone.is_empty(), came.is_empty()) {
        // Words among others need a sign where they end.
        (false, false) if is_quoted || (are_words([gone, came]) && follows_words(lead)) => {
            format!("“{gone}” → “{came}”")
        }
        // A currency's sign belongs to both amounts.
        (false, false) => format!("{gone} → {}{came}", currency(lead)),
        (true, _) => format!("+“{}”", without_end_before(came)),
        (false, true) => format!("−“{}”", without_end_before(gone)),
    }
}

/// A text as far as its sentence goes; a full stop alone says nothing, but for the last one.
fn rest_of_sentence(text: &str, end: usize) -> &str {
    let rest = text.get(..end).unwrap_or(text);
    let is_stop = rest.chars().all(|c| ".!?".contains(c));
    let goes_on = text[rest.len()..].contains(char::is_alphanumeric);
    if is_stop && goes_on { "" } else { rest }
}

/// What stands from there on; from the beginning of the sentence, if that is near.
fn from_sentence(text: &str, at: usize) -> &str {
    let before = &text[..at];
    let ends = [". ", "! ", "? ", ": ", "; ", " | "];
    let start = ends.iter().filter_map(|end| Some(before.rfind(end)? + end.len())).max();
    let start = start.unwrap_or(0);
    let is_near = before[start..].chars().nth(AROUND_CHARS_MAX).is_none();
    text[if is_near { start } else { at }..].trim_start()
}

/// A sentence or a part of one, without what ends the one before it.
fn without_end_before(text: &str) -> &str {
    let rest = text.trim_start_matches(['.', ',', ';', ':', ' ']);
    if rest.is_empty() { text } else { rest }
}

/// Words, not amounts or versions.
fn are_words(texts: [&str; 2]) -> bool {
    let begins = |text: &str, is: fn(char) -> bool| text.starts_with(is);
    texts.iter().any(|text| begins(text, char::is_alphabetic))
        && !texts.iter().any(|text| begins(text, char::is_numeric))
}

/// A text goes on, and what follows is no value of what it names.
fn follows_words(lead: &str) -> bool {
    let named = lead.trim_end();
    named.len() < lead.len() && !named.ends_with([':', '|', '=', '€', '$', '£', '¥'])
}

/// The sign of a currency that ends a text, with the blank after it.
fn currency(text: &str) -> &str {
    let is_sign = |c: char| "€$£¥₹₽₩₺₴₫₪฿".contains(c);
    match text.trim_end().char_indices().last() {
        Some((at, sign)) if is_sign(sign) => &text[at..],
        _ => "",
    }
}

/// The last words of a text, with what joins the next one to them. The end of a cell of a table
/// reads as a colon.
fn last_words(text: &str, chars_max: usize) -> String {
    let cut = text.chars().count().saturating_sub(chars_max);
    let tail: String = text.chars().skip(cut).collect();
    let tail = match tail.split_once(' ') {
        Some((_, rest)) if cut > 0 && !rest.trim().is_empty() => format!("… {rest}"),
        // Of a path without blanks, the last name.
        _ if cut > 0 => tail.rsplit_once('.').map_or(String::new(), |(_, name)| format!("…{name}")),
        _ => tail,
    };
    match tail.trim_end().strip_suffix('|') {
        Some(row) => format!("{}: ", row.trim_end().trim_end_matches(':')),
        None => tail,
    }
}

/// The first words of a text, without the white space before them.
fn first_words(text: &str, goes_on: bool) -> String {
    let text = text.trim();
    let head: String = text.chars().take(AROUND_CHARS_MAX).collect();
    if head.len() == text.len() {
        return if goes_on { format!("{head} …") } else { head };
    }
    head.rsplit_once(' ').map_or(String::new(), |(head, _)| format!("{head} …"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn update(old: &str, new: &str) -> String {
        let thing = |text: &str| Some(Thing::Text { text: text.into() });
        said(&Change::between(ChangeKind::Update, thing(old), thing(new)), "Fares", true)
    }

    #[test]
    fn of_a_long_path_the_last_name_is_said() {
        let at = |count: u32| format!("items[137144861].assets[tool-linux.tgz].downloads: {count}");
        assert_eq!(update(&at(1024), &at(1035)), "…downloads: 1024 → 1035");
    }

    #[test]
    fn a_short_text_that_begins_with_other_words_is_said_whole() {
        assert_eq!(
            update("In stock", "Only 2 left in stock"),
            "“In stock” → “Only 2 left in stock”"
        );
        assert_eq!(update("Open today", "Closed today"), "“Open today” → “Closed today”");
        assert_eq!(update("3 offers", "4 offers"), "3 → 4 offers");
    }

    #[test]
    fn a_link_whose_addresses_are_long_says_to_which_host_it_leads() {
        let leads = |old: &str, new: &str| {
            let link = |href: &str| {
                let path = "a-long-path/".repeat(20);
                Some(Thing::Link { href: format!("{href}/{path}"), text: "Terms".into() })
            };
            said(&Change::between(ChangeKind::Update, link(old), link(new)), "Fares", true)
        };
        let there = |old, new| leads(old, new).replace("link “Terms” ", "");
        assert_eq!(there("https://a.example/1", "https://b.example"), "leads to b.example");
        let elsewhere = "leads elsewhere on a.example";
        assert_eq!(there("https://a.example/1", "https://a.example/2"), elsewhere);
        assert_eq!(there("https://a.example/1", "urn:a"), "leads elsewhere");
        assert_eq!(
            there("https://a.example", "https://a.example:1@b.example"),
            "leads to b.example"
        );
        let long = format!("https://bank.example.{}evil.example", "x.".repeat(60));
        let said = there("https://a.example", &long);
        assert!(said.starts_with("leads to …x.") && said.ends_with("evil.example"), "{said}");
    }

    #[test]
    fn an_update_is_said_by_its_first_difference() {
        assert_eq!(update("Price: 49.90 EUR", "Price: 39.90 EUR"), "Price: 49.90 → 39.90 EUR");
        assert_eq!(update("Milwaukee | 182", "Milwaukee | 204"), "Milwaukee: 182 → 204");
        let row = |cases: u32, deaths: u32| {
            format!("Milwaukee: Cases: {cases} | Deaths: {deaths} | Since: May")
        };
        assert_eq!(update(&row(182, 3), &row(204, 3)), "Milwaukee: Cases: 182 → 204");
        assert_eq!(update(&row(182, 3), &row(182, 4)), "Milwaukee: Deaths: 3 → 4");
        let night = |state: &str| format!("13 Mar 2026: Time: 19:30 | Event: Ceilidh | {state}");
        assert_eq!(
            update(&night("State: Tickets"), &night("State: Sold out")),
            "13 Mar 2026, Ceilidh: State: Tickets → Sold out"
        );
        assert_eq!(update("Version: | 141", "Version: | 139"), "Version: 141 → 139");
        assert_eq!(update("£49.90", "~~£49.90~~ £39.90"), "£49.90 → £39.90");
        assert_eq!(update("Open Mic", "~~Open Mic~~"), "struck out: “Open Mic”");
        assert_eq!(update("Jetzt 48,90 € ", "Jetzt 46,90 € "), "Jetzt 48,90 → 46,90 €");
        assert_eq!(update("Jetzt 48,90€.", "Jetzt 46,90€."), "Jetzt 48,90 → 46,90€.");
        assert_eq!(update("30", "35"), "30 → 35");
        let commit = |hash: &str| format!("commit: {}", hash.repeat(20));
        assert_eq!(update(&commit("a0"), &commit("b1")), "commit: a0a0a0a0a0… → b1b1b1b1b1…");
        assert_eq!(
            update("Teapot € 46.00, in stock", "Teapot € 32.20, reduced from € 46.00"),
            "Teapot € 46.00, in stock → € 32.20, reduced from € 46.00"
        );
        assert_eq!(
            update(
                "We may tell you. The law of Ohio holds.",
                "We may tell you. The law of Texas holds."
            ),
            "The law of “Ohio” → “Texas” holds."
        );
        assert_eq!(
            update("Stop. Acme, Inc. has agreed. No", "Stop. Acme, Inc. will agree. No"),
            "Acme, Inc. “has agreed” → “will agree”"
        );
        assert_eq!(
            update(
                "No bots and no scrapers, and no jail breaking",
                "No bots, and no scrapers, and no jailbreaking"
            ),
            "… and no scrapers, and no “jail breaking” → “jailbreaking”",
            "no comma"
        );
        assert_eq!(
            update("such as “jail breaking” and abuse", "such as “jailbreaking”, and abuse"),
            "such as “jail breaking” → “jailbreaking” and abuse"
        );
        assert_eq!(
            update("such as “foo” and abuse", "such as “bar” and abuse"),
            "such as “foo” → “bar” and abuse"
        );
        assert_eq!(
            update("We owe you this. No more", "We owe you this; and (b) a kettle. No more"),
            "We owe you this +“and (b) a kettle”"
        );
        assert_eq!(
            update("the law of Ohio", "the law of Ohio or Texas"),
            "the law of Ohio +“or Texas”"
        );
    }

    #[test]
    fn what_belongs_together_is_not_cut() {
        assert_eq!(
            update("Current bid: 120 € (4 bids)", "Current bid: 130 € (5 bids)"),
            "Current bid: 120 → 130 € (4 → 5 bids)"
        );
        assert_eq!(
            update("Lieferbar in 3–4 Werktagen", "Lieferbar in 2–3 Werktagen"),
            "Lieferbar in 3–4 → 2–3 Werktagen"
        );
        assert_eq!(
            update("44.90 € In stock", "44.90 € Out of stock"),
            "44.90 €: In stock → Out of stock"
        );
        assert_eq!(
            update("UVP ~~1.499,00 €~~ 1.299,00 €", "UVP ~~1.499,00 €~~ 1.099,00 €"),
            "1.299,00 → 1.099,00 €"
        );
    }

    #[test]
    fn a_link_that_leads_elsewhere_and_a_picture_are_said_by_their_addresses() {
        let link = |href: &str| Some(Thing::Link { href: href.into(), text: "Download".into() });
        let (old, new) = (link("https://a.example/v1.zip"), link("https://a.example/v2.zip"));
        assert_eq!(
            said(&Change::between(ChangeKind::Update, old, new), "Fares", true),
            "link “Download”: /v1.zip → /v2.zip"
        );
        let image = Thing::Image { src: "https://a.example/k.png".into(), alt: "Kettle".into() };
        assert_eq!(
            said(&Change::between(ChangeKind::Insert, None, Some(image)), "Fares", true),
            "new picture: Kettle (k.png)"
        );
    }

    #[test]
    fn what_came_went_or_moved_is_quoted() {
        let text = Some(Thing::Text { text: "A fare".into() });
        let said = |kind, old, new| said(&Change::between(kind, old, new), "Fares", true);
        assert_eq!(said(ChangeKind::Insert, None, text.clone()), "new: “A fare”");
        assert_eq!(said(ChangeKind::Delete, text.clone(), None), "gone: “A fare”");
        assert_eq!(said(ChangeKind::Move, text.clone(), text.clone()), "moved: “A fare”");
        let lead = |lead: &str| Change {
            lead: Some(lead.into()),
            ..Change::between(ChangeKind::Insert, None, text.clone())
        };
        let of_list = |text: &str| super::said(&lead(text), "Fares", true);
        assert_eq!(of_list("You pay no:"), "under “You pay no:”, new: “A fare”");
        let long = "Where nothing else is said in writing by us, you never have to pay:";
        let end = "… said in writing by us, you never have to pay:";
        assert_eq!(of_list(long), format!("under “{end}”, new: “A fare”"));
        let under = |lead: &str, heading: &str| {
            let lead = Some(lead.to_owned()).filter(|lead| !lead.is_empty());
            let change = Change::between(ChangeKind::Insert, None, text.clone());
            super::said(&Change { lead, heading: Some(heading.into()), ..change }, "Fares", true)
        };
        let renamed =
            |name: &str| Some(Thing::Text { text: format!("{name} boats sail ").repeat(9) });
        let change = Change::between(ChangeKind::Update, renamed("Acme"), renamed("Apex"));
        let said = super::said(&change, "Fares", true);
        assert_eq!(said, "“Acme” → “Apex” in 9 places of one text");
        let many = |word: &str| format!("{word} {word}er a b c d ").repeat(9);
        let text = |text: String| Some(Thing::Text { text });
        let change = Change::between(ChangeKind::Update, text(many("old")), text(many("new")));
        let said = super::said(&change, "Fares", true);
        assert!(said.starts_with("9 places of one text, such as "), "{said}");
        let thanks = "We would like to thank all of these people and organizations:";
        assert_eq!(under(thanks, "Thanks"), "under “Thanks”, new: “A fare”");
        let not = "You may use all that stands here as you like, but not in these ways:";
        let end = "stands here as you like, but not in these ways:";
        assert_eq!(under(not, "Use"), format!("under “… {end}”, new: “A fare”"));
        assert_eq!(under("", "Night boats"), "under “Night boats”, new: “A fare”", "a name");
        assert_eq!(under("", "Fares of 2027"), "new: “A fare”", "as the page");
    }

    #[test]
    fn a_cell_of_a_row_without_headings_is_told_with_what_the_row_is_called() {
        let row = "19:30 | Mozart, Requiem | Great Hall | from 25 EUR";
        let at = row.find("25").expect("it is there");
        let told = |lead: &str| super::lead_of_row(row, at, lead);
        assert_eq!(told("… Hall | from ").as_deref(), Some("Mozart, Requiem: from "));
        assert_eq!(told("Mozart, Requiem | Great Hall | from "), None, "the name is in sight");
        assert_eq!(super::lead_of_row("19:30 | 21:00", 8, "…"), None, "no cell is a name");
        assert_eq!(super::lead_of_row("no row at all", 3, "…"), None);
    }
}
