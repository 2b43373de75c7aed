//! Content that looks like no content.

use crate::cut::between_words;
use crate::{Block, Extract, Kind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

mod data;

/// Why an answer is odd: it came with content, but hardly with what the page is watched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Odd {
    /// A page or a text that shows nothing: no text, no link, no image. A feed without entries, and
    /// JSON without members, where several stood before ([`apart`]).
    Empty,
    /// A short page that says it could not be made: "an unexpected error has occurred". An error
    /// body of JSON, or an error as text, where something else stood before ([`apart`]).
    Error,
    /// A short page that asks who looks: a login, a captcha. In any words, one that asks for a
    /// password where none was asked for ([`apart`]).
    Wall,
    /// A page in another language than before, and in other words ([`apart`]).
    Foreign,
    /// A page of less than a tenth of its text before, or of less than a third of its main content
    /// and nothing that stood there before ([`apart`]). JSON that lost all its members to something
    /// short, or is a list without any.
    Small,
}

impl Odd {
    /// What an answer of this kind is, for people: "the answer is …". A feed and a document that
    /// hold nothing are well-formed.
    pub fn name_of(self, kind: Kind) -> &'static str {
        match (self, kind) {
            (Odd::Empty, Kind::Feed) => "a feed without entries",
            (Odd::Empty, Kind::Json) => "an empty JSON document",
            _ => self.name(),
        }
    }

    /// What the answer is, of a page.
    pub fn name(self) -> &'static str {
        match self {
            Odd::Empty => "nothing at all",
            Odd::Error => "an error page",
            Odd::Wall => "a login or captcha page",
            Odd::Foreign => "a page in another language",
            Odd::Small => "a much shorter page",
        }
    }

    /// Whether content of this kind is odd beside an earlier version alone: seen twice, it is what
    /// the page is now. An answer to a program that says an error may be its state.
    pub fn is_of_two(self, kind: Kind) -> bool {
        match self {
            Odd::Foreign | Odd::Small => true,
            Odd::Error => matches!(kind, Kind::Json | Kind::Xml | Kind::Text),
            Odd::Empty | Odd::Wall => false,
        }
    }
}

/// Bytes of the main content of a page that may be no content.
const SHORT_BYTES: usize = 500;

/// What pages say that could not be made, in lower case.
const ERRORS: [&str; 13] = [
    "page isn't available",
    "an unexpected error has occurred",
    "an unexpected error occurred",
    "something went wrong",
    "service unavailable",
    "service is temporarily unavailable",
    "bad gateway",
    "gateway time-out",
    "gateway timeout",
    "internal server error",
    "too many requests",
    "error establishing a database connection",
    "application error: a client-side exception",
];

/// What pages say that ask who looks, in lower case.
const WALLS: [&str; 10] = [
    "verify you are human",
    "verify that you are human",
    "verifying you are human",
    "you are not a robot",
    "checking your browser",
    "enable javascript and cookies to continue",
    "unusual traffic from your computer",
    "please log in to continue",
    "please sign in to continue",
    "you must be logged in",
];

/// Why this content is odd; `None`: it is not. O(n), and of long content O(1).
pub fn odd(extract: &Extract) -> Option<Odd> {
    if !matches!(extract.kind, Kind::Html | Kind::Text) {
        return None;
    }
    if extract.blocks.is_empty() && extract.links.is_empty() && extract.images.is_empty() {
        return Some(Odd::Empty);
    }
    if extract.kind == Kind::Html { said(extract) } else { None }
}

/// How the content of a page begins, in at most `chars_max` characters and one more.
pub fn beginning(extract: &Extract, chars_max: usize) -> String {
    let content: Vec<&Block> =
        extract.blocks.iter().filter(|block| !block.part.is_frame()).collect();
    // A heading says what it is.
    let start = content.iter().position(|block| block.heading > 0).unwrap_or(0);
    let content = content.into_iter().skip(start);
    let mut said = String::new();
    for block in content.take(BEGINNING_BLOCKS_MAX) {
        if !said.is_empty() {
            said.push_str(if said.ends_with(['.', '!', '?', ':']) { " " } else { ". " });
        }
        said.extend(block.text.chars().take(chars_max + 1));
    }
    match between_words(&said, chars_max) {
        Some(kept) => format!("{kept}…"),
        None => said,
    }
}

/// Blocks that the beginning of a page has.
const BEGINNING_BLOCKS_MAX: usize = 3;

/// A page with less text than this may well show a tenth of it.
const FULL_BYTES: usize = 2_000;
/// The share of its text that a page must still show.
const SHARE: usize = 10;

/// The share of its main text that a page must still show when it asks for a password for the
/// first time.
const SHARE_BEHIND_PASSWORD: usize = 2;

/// Why a page is odd beside what it showed before; `None`: it is not. O(n).
pub fn apart(before: &Extract, now: &Extract) -> Option<Odd> {
    match (before.kind, now.kind) {
        (Kind::Html, Kind::Html) => of_pages(before, now),
        (Kind::Json, Kind::Json) => data::of_json(before, now),
        (Kind::Xml, Kind::Xml) => data::of_xml(before, now),
        (Kind::Text, Kind::Text) => data::of_text(before, now),
        (Kind::Feed, Kind::Feed) => data::of_feed(before, now),
        _ => None,
    }
}

fn of_pages(before: &Extract, now: &Extract) -> Option<Odd> {
    if now.asks_password && !before.asks_password {
        let [full, left] = [before, now].map(|extract| bytes(mains(extract)));
        if left <= SHORT_BYTES && left < full / SHARE_BEHIND_PASSWORD {
            return Some(Odd::Wall);
        }
    }
    if gave_way(before, now) {
        return Some(Odd::Small);
    }
    let all = |extract: &Extract| bytes(extract.blocks.iter().map(|block| &*block.text));
    let [full, left] = [before, now].map(all);
    if is_a_tenth(full, left) {
        return Some(Odd::Small);
    }
    let language = |extract: &Extract| {
        let written = extract.language.as_deref()?;
        let main = written.split(['-', '_']).next().unwrap_or(written);
        (!main.is_empty()).then(|| main.to_ascii_lowercase())
    };
    match (language(before), language(now)) {
        (Some(was), Some(is)) if was != is && !says_the_same(before, now) => Some(Odd::Foreign),
        _ => None,
    }
}

/// Whether `left` bytes of `full` are hardly a page any more.
fn is_a_tenth(full: usize, left: usize) -> bool {
    full >= FULL_BYTES && left < full / SHARE
}

/// Whether half of the main text stood there before: its language was named otherwise.
fn says_the_same(before: &Extract, now: &Extract) -> bool {
    let known: BTreeSet<&str> = mains(before).collect();
    let kept = bytes(mains(now).filter(|text| known.contains(text)));
    kept * 2 >= bytes(mains(now))
}

/// The texts of the main content.
fn mains(extract: &Extract) -> impl Iterator<Item = &str> {
    extract.blocks.iter().filter(|block| !block.part.is_frame()).map(|block| &*block.text)
}

fn bytes<'t>(texts: impl Iterator<Item = &'t str>) -> usize {
    texts.map(str::len).sum()
}

/// Bytes of main content that may give way to a notice, and the share that a notice has at most.
const GIVES_WAY_BYTES_MIN: usize = 400;
const SHARE_OF_NOTICE: usize = 3;
/// Texts of a notice at most.
const NOTICE_BLOCKS_MAX: usize = 40;
/// Bytes of a text that may be the beginning of another, and others that are tried.
const PART_BYTES_MIN: usize = 20;
const PARTS_TRIED_MAX: usize = 1_000;
/// Less than this share of a notice stood there before.
const SHARE_KEPT: usize = 10;

/// Whether the main content gave way to something shorter of which hardly a text stood there: an
/// error, a page that says it will be right back, in any words.
fn gave_way(before: &Extract, now: &Extract) -> bool {
    let [full, left] = [before, now].map(|extract| bytes(mains(extract)));
    if full < GIVES_WAY_BYTES_MIN || left * SHARE_OF_NOTICE > full {
        return false;
    }
    let texts: BTreeSet<&str> = before.blocks.iter().map(|block| &*block.text).collect();
    // A paragraph that was cut short is part of what stood there.
    let is_part = |text: &str| {
        let longer = before.blocks.iter().filter(|block| block.text.len() > text.len());
        text.len() >= PART_BYTES_MIN
            && longer.take(PARTS_TRIED_MAX).any(|block| block.text.starts_with(text))
    };
    if mains(now).nth(NOTICE_BLOCKS_MAX).is_some() {
        return false;
    }
    let kept = bytes(mains(now).filter(|text| texts.contains(text) || is_part(text)));
    kept * SHARE_KEPT < left
}

/// What a page with little content says of itself.
fn said(extract: &Extract) -> Option<Odd> {
    let mut text = String::new();
    for block in extract.blocks.iter().filter(|block| !block.part.is_frame()) {
        if text.len() + block.text.len() > SHORT_BYTES {
            return None;
        }
        text.push_str(&plain(&block.text));
        text.push('\n');
    }
    let says = |list: &[&str]| list.iter().any(|words| text.contains(words));
    if says(&ERRORS) {
        Some(Odd::Error)
    } else if says(&WALLS) {
        Some(Odd::Wall)
    } else {
        None
    }
}

/// In small letters, with plain apostrophes.
fn plain(text: &str) -> String {
    text.to_lowercase().replace('’', "'")
}

/// Whether one of these texts says that something could not be made.
fn says_error<'t>(mut texts: impl Iterator<Item = &'t str>) -> bool {
    texts.any(|text| {
        let text = plain(text);
        ERRORS.iter().any(|words| text.contains(words))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hints, Limits, read};

    fn odd_of(body: &str) -> Option<Odd> {
        let url = url::Url::parse("https://a.example/").expect("a URL");
        let hints = Hints { content_type: Some("text/html"), url: &url };
        odd(&read(body.as_bytes(), &hints, &Limits::default()).expect("it is a page"))
    }

    #[test]
    fn a_page_is_odd_beside_what_it_was() {
        let url = url::Url::parse("https://a.example/").expect("a URL");
        let hints = Hints { content_type: Some("text/html"), url: &url };
        let page = |lang: &str, times: usize| {
            let body = format!("<html lang='{lang}'><p>{}", "Fares to Lisbon. ".repeat(times));
            read(body.as_bytes(), &hints, &Limits::default()).expect("it is a page")
        };
        let full = page("en-GB", 200);
        assert_eq!(apart(&full, &page("en", 21)), None);
        assert_eq!(apart(&full, &page("en", 19)), Some(Odd::Small));
        let german = format!("<html lang='de'><p>{}", "Preise nach Lissabon. ".repeat(200));
        let german = read(german.as_bytes(), &hints, &Limits::default()).expect("it is a page");
        assert_eq!(apart(&full, &german), Some(Odd::Foreign));
        assert_eq!(apart(&full, &page("de", 200)), None, "its language was named wrongly");
        assert_eq!(apart(&full, &page("", 200)), None);
        assert_eq!(apart(&page("en", 100), &page("en", 9)), None, "it was never long");
    }

    #[test]
    fn a_page_that_gives_way_to_a_notice_is_odd_in_any_words() {
        let url = url::Url::parse("https://a.example/").expect("a URL");
        let hints = Hints { content_type: Some("text/html"), url: &url };
        let page =
            |body: &str| read(body.as_bytes(), &hints, &Limits::default()).expect("it is a page");
        let menu = "<nav><a href=/a>Lignes</a> <a href=/b>Horaires</a></nav>";
        let lines: String = (1..20).map(|n| format!("<p>Ligne {n} : trafic normal.</p>")).collect();
        let full = page(&format!("{menu}<h1>État du trafic</h1>{lines}"));
        let notice = format!("{menu}<h1>Page indisponible</h1><p>Merci de réessayer.</p>");
        assert_eq!(apart(&full, &page(&notice)), Some(Odd::Small));
        let quiet = format!("{menu}<h1>État du trafic</h1><p>Ligne 1 : trafic normal.</p>");
        assert_eq!(apart(&full, &page(&quiet)), None, "less of the same");
        let short = page("<h1>État</h1><p>Ligne 1 : trafic normal.</p>");
        assert_eq!(apart(&short, &page("<p>Fermé.</p>")), None, "it was never long");
    }

    #[test]
    fn a_page_that_gives_way_to_a_password_is_a_wall_in_any_words() {
        let url = url::Url::parse("https://a.example/").expect("a URL");
        let hints = Hints { content_type: Some("text/html"), url: &url };
        let page = |text: &str, form: &str| {
            let body = format!("<main><p>{text}</p>{form}</main>");
            read(body.as_bytes(), &hints, &Limits::default()).expect("it is a page")
        };
        let form = "<form><input name=u><input type=Password name=p><button>Go</button></form>";
        let fares = "Fares to Lisbon. ".repeat(10);
        let (before, login) = (page(&fares, ""), page("Anmeldung", form));
        assert_eq!(apart(&before, &login), Some(Odd::Wall));
        assert_eq!(apart(&before, &page("Anmeldung", "")), None, "no password is asked for");
        assert_eq!(apart(&login, &page("Willkommen", form)), None, "it asked before");
        assert_eq!(apart(&before, &page(&fares, form)), None, "its content is there");
        let unseen = "<form hidden><input type=password></form>";
        assert_eq!(apart(&before, &page("Sold out", unseen)), None, "nobody sees the field");
    }

    #[test]
    fn short_pages_that_say_so_are_errors_or_walls() {
        let error = "<h1>This page isn’t available</h1><p>Try reloading the page.</p>";
        assert_eq!(odd_of(error), Some(Odd::Error));
        assert_eq!(odd_of("<p>Verify you are human by completing this"), Some(Odd::Wall));
        assert_eq!(odd_of(""), Some(Odd::Empty));
        assert_eq!(odd_of("<p>Fares to Lisbon: 40"), None);
        let long = format!("<p>{}</p>{error}", "An article about errors. ".repeat(40));
        assert_eq!(odd_of(&long), None);
    }
}
