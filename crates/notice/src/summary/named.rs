//! What a message calls the page that it is about.

use super::{host, telling};
use crate::{ChangeFacts, EvidenceFacts, SourceFacts};
use std::borrow::Cow;

/// What a page calls itself. A title that names its site alone goes behind the heading of the page.
pub(crate) fn title(piece: &EvidenceFacts) -> Option<Cow<'_, str>> {
    let comparisons = &piece.result.comparisons;
    let title = comparisons.iter().find_map(|compared| compared.title.as_deref())?;
    let heading = comparisons.iter().find_map(|compared| compared.heading.as_deref());
    let heading = heading.filter(|heading| !title.contains(heading));
    Some(match heading {
        Some(heading) if NAMELESS.contains(&&*title.to_lowercase()) => heading.into(),
        Some(heading) if names_site(title, &piece.source.final_url) => {
            format!("{heading} – {title}").into()
        }
        _ => title.into(),
    })
}

/// Titles that say nothing of a page, in small letters.
const NAMELESS: [&str; 8] =
    ["home", "homepage", "home page", "index", "untitled", "document", "welcome", "startseite"];

/// Whether each word of a title is of the host: "Meta AI" of meta.ai.
fn names_site(title: &str, url: &str) -> bool {
    let host = host(url).to_lowercase();
    let mut words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    title.contains(char::is_alphanumeric)
        && words.all(|word| word.chars().nth(1).is_some() && host.contains(&word.to_lowercase()))
}

/// What people call the one page of a detection: as the sentinel does, as it does itself, or as the
/// file or the last part of the address that it is.
pub(super) fn called(facts: &ChangeFacts) -> Option<String> {
    let [only] = *telling(facts).as_slice() else { return None };
    let own = || only.source.name.as_deref().map(Cow::Borrowed);
    let named = own().or_else(|| title(only));
    let file = || file(&only.source.url).map(str::to_owned);
    named.map(Cow::into_owned).or_else(file).or_else(|| part(&only.source))
}

/// "prices (api.example.org)" of a document for programs whose address has no ending. A part that
/// may be a key is not said.
fn part(source: &SourceFacts) -> Option<String> {
    const CHARS_MAX: usize = 40;
    const KEY_CHARS_MIN: usize = 8;
    let is_of = |name: &&str| source.media_type.contains(name);
    let is_data = ["json", "xml", "csv", "text/plain"].iter().any(is_of) && !is_of(&"xhtml");
    let name = path(&source.url)?.trim_end_matches('/').rsplit('/').next()?;
    let is_key = |word: &str| {
        let has_both = word.contains(char::is_alphabetic) && word.contains(char::is_numeric);
        has_both && word.chars().count() >= KEY_CHARS_MIN
    };
    let is_plain = !name.contains('%') && !name.split(|c: char| !c.is_alphanumeric()).any(is_key);
    let says = name.contains(char::is_alphabetic) && name.chars().count() <= CHARS_MAX;
    (is_data && says && is_plain).then(|| format!("{name} ({})", host(&source.url)))
}

/// The path of an address behind its host.
fn path(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let (_, path) = rest.split(['?', '#']).next().unwrap_or(rest).split_once('/')?;
    Some(path)
}

/// The longest ending of a file's name.
const ENDING_BYTES_MAX: usize = 5;

/// "koboldcpp.json" of an address that ends so.
fn file(url: &str) -> Option<&str> {
    let name = path(url)?.rsplit('/').next()?;
    let (stem, ending) = name.rsplit_once('.')?;
    let is_ending = (1..=ENDING_BYTES_MAX).contains(&ending.len())
        && ending.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (is_ending && !stem.is_empty() && stem != "index").then_some(name)
}
