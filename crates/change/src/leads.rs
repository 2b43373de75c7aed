//! Which addresses lead to one place, and which are of one picture, whatever they say of the visit,
//! of the size of a screen or of a cache.

use crate::Thing;
use crate::found::Found;
use crate::passing::without_tokens;
use percent_encoding::percent_decode_str;
use regex::{Regex, RegexBuilder};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Names of parameters, in lower case and in order, that say how a reader came.
const CAME: [&str; 22] = [
    "campaign",
    "campaignid",
    "click_id",
    "clickid",
    "cmp",
    "cmpid",
    "gad_source",
    "gbraid",
    "icid",
    "li_fat_id",
    "mkt_tok",
    "ref_src",
    "ref_url",
    "referer",
    "referrer",
    "s_cid",
    "spm",
    "srsltid",
    "ttclid",
    "twclid",
    "wbraid",
    "xtor",
];
/// Starts of such names.
const CAME_STARTS: [&str; 6] = ["_hs", "hsa_", "mtm_", "pk_", "trk", "wt."];

/// Names of parameters, in lower case and in order, that say how a picture is drawn, or which copy
/// of it in a cache is meant.
const DRAWN: [&str; 43] = [
    "_",
    "auto",
    "blur",
    "cache",
    "cb",
    "compress",
    "crop",
    "dpr",
    "ext",
    "fit",
    "fl",
    "fm",
    "fmt",
    "format",
    "h",
    "height",
    "im",
    "imwidth",
    "ixid",
    "ixlib",
    "mode",
    "q",
    "quality",
    "resize",
    "rev",
    "rnd",
    "rs",
    "s",
    "sharp",
    "sig",
    "size",
    "ssl",
    "strip",
    "sz",
    "t",
    "timestamp",
    "ts",
    "v",
    "ver",
    "version",
    "w",
    "width",
    "zoom",
];

/// Longer addresses are compared as they are.
const BYTES_MAX: usize = 4_096;

fn regex(pattern: &str) -> Regex {
    RegexBuilder::new(pattern).case_insensitive(true).build().expect("a regex that a test compiles")
}

/// The file of a picture that stands where another one is loaded.
static STAND_IN: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?x) ^
        (?: placeholder | blank | spacer | transparent | transp | loading | loader | lazy (?:load)?
          | pixel | 1x1 | clear | empty | trans )
        (?: [-_.]? (?: placeholder | image | img | gif | pixel | bg | \d+x\d+ ) )*
        (?: \. (?: gif | png | svg | jpe?g | webp | avif ) )? $",
    )
});
/// A segment of a path that says how a picture is drawn: `w_300,h_200`, `width=80,quality=75`,
/// `640x480`, or a width that screens have.
static DRAWN_SEGMENT: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?x) ^ (?:
            (?: [a-z]{1,3}_ [\w.:]+ ) (?: , [a-z]{1,3}_ [\w.:]+ )+
          | (?: [whq]_ (?: \d+ | auto ) | [fqcg]_auto | c_ [a-z]+ )
          | (?: [a-z]+ = [\w.-]+ ) (?: , [a-z]+ = [\w.-]+ )*
          | \d{1,4} x \d{1,4}
          | (?: 160|240|320|400|480|600|640|768|800|960|976|1024|1200|1280|1440|1600|1920|2048 )
        ) $",
    )
});
/// The end of the name of a picture's file: its size, a hash of its bytes, its format.
static DRAWN_END: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?x) (?:
            [-_] \d{1,4} x \d{0,4}
          | [-_] \d{2,4} w
          | @ \d (?: \.\d )? x
          | [-_] (?: small | medium | large | thumb | thumbnail | scaled )
          | [-_.] (?: [0-9]+ [a-f] | [a-f]+ [0-9] ) [0-9a-f]{6,}
          | \. (?: jpe?g | png | webp | avif | gif )
        )+ $",
    )
});
/// The start of such a name: `220px-Kettle.jpg`.
static DRAWN_START: LazyLock<Regex> = LazyLock::new(|| regex(r"^\d{2,4}px-"));
/// The file of a picture: what follows it in the address only says how it is drawn.
static FILE: LazyLock<Regex> = LazyLock::new(|| regex(r"\.(?:jpe?g|png|webp|avif|gif|svg)$"));

/// An address without the scheme of the web, in its parts.
struct Parts<'a> {
    /// Host and path; the whole where it is no address of the web.
    path: &'a str,
    query: &'a str,
    fragment: &'a str,
}

impl<'a> Parts<'a> {
    fn of(address: &'a str) -> Parts<'a> {
        let rest = ["https://", "http://"].iter().find_map(|scheme| address.strip_prefix(scheme));
        let rest = rest.map(|rest| rest.strip_prefix("www.").unwrap_or(rest));
        let (rest, fragment) = split(rest.unwrap_or(address), '#');
        let (path, query) = split(rest, '?');
        Parts { path, query, fragment }
    }

    /// The parameters that are not left out, in order: their order says nothing. A name comes in
    /// lower case, with its value.
    fn kept(&self, is_left_out: fn(&str, &str) -> bool) -> Vec<&'a str> {
        let is_kept = |pair: &&str| {
            let (name, value) = split(pair, '=');
            !pair.is_empty() && !is_left_out(&name.to_ascii_lowercase(), value)
        };
        let mut kept: Vec<&str> = self.query.split('&').filter(is_kept).collect();
        kept.sort_unstable();
        kept
    }
}

/// What stands before a mark and behind it.
fn split(text: &str, mark: char) -> (&str, &str) {
    text.split_once(mark).unwrap_or((text, ""))
}

fn says_how_a_reader_came(name: &str) -> bool {
    CAME.binary_search(&name).is_ok() || CAME_STARTS.iter().any(|start| name.starts_with(start))
}

fn says_how_it_is_drawn(name: &str) -> bool {
    DRAWN.binary_search(&name).is_ok() || says_how_a_reader_came(name)
}

/// Where a link leads: two addresses that give the same lead to one place. `http` or `https`,
/// `www`, a slash at the end of the path, the order of parameters, tokens, and how a reader came
/// make no other place.
pub(crate) fn place(href: &str) -> Cow<'_, str> {
    if href.len() > BYTES_MAX {
        return Cow::Borrowed(href);
    }
    Cow::Owned(without_tokens(&page_without(href, |name, _| says_how_a_reader_came(name))).into())
}

/// An address without its scheme, `www`, a slash at the end of its path, and some parameters.
fn page_without(href: &str, is_left_out: fn(&str, &str) -> bool) -> String {
    let parts = Parts::of(href);
    let mut place = parts.path.trim_end_matches('/').to_owned();
    if starts_with(href, "mailto:") {
        // The end of a sentence that was taken for one of the address.
        place.truncate(place.trim_end_matches(['.', ',', ';']).len());
    }
    for (at, pair) in parts.kept(is_left_out).iter().enumerate() {
        place.push(if at == 0 { '?' } else { '&' });
        place.push_str(pair);
    }
    if !parts.fragment.is_empty() {
        place.push('#');
        place.push_str(parts.fragment);
    }
    place
}

/// Which page an address is of, with its tokens: as [`place`] else.
pub(crate) fn page_of(href: &str) -> Cow<'_, str> {
    if href.len() > BYTES_MAX {
        return Cow::Borrowed(href);
    }
    Cow::Owned(page_without(href, |name, _| says_how_a_reader_came(name)))
}

/// Where an entry of a feed leads: as [`place`], and without parameters that name a visit. Only
/// for entries that something else says to be the same, such as an id or what they say.
pub(crate) fn place_of_entry(href: &str) -> Cow<'_, str> {
    if href.len() > BYTES_MAX {
        return Cow::Borrowed(href);
    }
    let is_left_out =
        |name: &str, value: &str| says_how_a_reader_came(name) || names_a_visit(name, value);
    Cow::Owned(without_tokens(&page_without(href, is_left_out)).into())
}

/// Names of parameters, in order, that say which copy in a cache is meant: any number does.
const CACHED: [&str; 8] = ["_", "cache", "cb", "nocache", "rand", "rnd", "timestamp", "ts"];
/// Names, in order, that say who looks with a value of some length.
const VISITED: [&str; 8] =
    ["nonce", "sess", "session", "sessionid", "sid", "tok", "token", "visit"];

/// Whether a parameter of an entry's address names a visit, a copy in a cache, or a signature.
fn names_a_visit(name: &str, value: &str) -> bool {
    let is_all = |is: fn(u8) -> bool| value.bytes().all(is);
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let is_hex = is_all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let is_short = value.len() < HASH_BYTES_MIN;
    match name {
        "sig" | "signature" => true,
        // A film has letters of both cases, a thread has a number.
        "v" => is_hex && has_digit,
        "t" => is_hex && has_form_of_hash(value),
        _ if CACHED.binary_search(&name).is_ok() => {
            has_digit && is_all(|byte| byte.is_ascii_alphanumeric() || byte == b'.')
        }
        _ if VISITED.binary_search(&name).is_ok() => {
            !is_short && (has_digit || is_hex) && is_all(|byte| byte.is_ascii_alphanumeric())
        }
        _ => name.starts_with("x-amz-"),
    }
}

/// Whether a text is the address of a link itself: that of a page, or of somebody who gets mail.
/// What a page's address asks for is not in its text; and a file that became a link may be had.
pub(crate) fn is_said(href: &str, text: &str) -> bool {
    if !text.contains('.') || text.contains(char::is_whitespace) || href.len() > BYTES_MAX {
        return false;
    }
    let plain = |address: &str| address.trim_end_matches(['/', '.']).to_ascii_lowercase();
    let (href, text) = (plain(href), plain(text));
    if let Some(mail) = href.strip_prefix("mailto:") {
        return split(mail, '?').0 == text.strip_prefix("mailto:").unwrap_or(&text);
    }
    let [href, text] = [&*href, &*text].map(Parts::of);
    let said = text.path.strip_prefix("www.").unwrap_or(text.path);
    let is_page = |parts: &Parts<'_>| parts.query.is_empty() && parts.fragment.is_empty();
    let is_file = said.rsplit_once('/').is_some_and(|(_, file)| file.contains('.'));
    is_page(&href) && is_page(&text) && !is_file && href.path == said
}

/// The language of a page in its address: `en`, `de-CH`. No name of a country that is not one.
static LANGUAGE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?:cs|da|de|el|en|es|fi|fr|he|hu|it|ja|ko|nb|nl|pl|pt|ru|sv|th|tr|vi|zh)(?:[-_][a-zA-Z]{2,4})?$",
    )
});

/// Whether two links lead to one place, but that the path of one begins with a language, which goes
/// by the reader.
pub(crate) fn differ_in_a_language(one: &str, other: &str) -> bool {
    let [one, other] = [place(one), place(other)];
    let without = |place: &str| {
        let mut parts = place.splitn(3, '/');
        let (host, first, rest) = (parts.next()?, parts.next()?, parts.next()?);
        LANGUAGE.is_match(first).then(|| format!("{host}/{rest}"))
    };
    without(&one).is_some_and(|one| one == other)
        || without(&other).is_some_and(|other| one == other)
}

/// Names of parameters that say at which place of a list a link stands.
const PLACES: [&str; 3] = ["pos", "rank", "ranking"];
/// Names that say so, or which thing is meant: where several links differ so, the former.
const PLACES_OF_SEVERAL: [&str; 3] = ["idx", "index", "position"];
/// Digits of a place.
const PLACE_DIGITS_MAX: usize = 3;

/// How sure it is that two addresses differ only in the place of their link in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ranked {
    Surely,
    /// If other links of the page do so, too.
    AmongOthers,
}

/// Whether two addresses differ in the place of their link in a list, and in nothing else.
pub(crate) fn differ_in_rank(one: &str, other: &str) -> Option<Ranked> {
    let is_number = |value: &str| {
        (1..=PLACE_DIGITS_MAX).contains(&value.len()) && value.bytes().all(|b| b.is_ascii_digit())
    };
    let place = |address: &str| (address.len() <= BYTES_MAX).then(|| address.to_owned());
    let (one, other) = (place(one)?, place(other)?);
    let differ = |is_left_out: fn(&str, &str) -> bool| {
        page_without(&one, is_left_out) != page_without(&other, is_left_out)
    };
    let parts = [&*one, &*other].map(|address| Parts::of(address).query);
    let places = parts.iter().flat_map(|query| query.split('&')).map(|pair| split(pair, '='));
    let are_numbers = places
        .filter(|(name, _)| PLACES.contains(name) || PLACES_OF_SEVERAL.contains(name))
        .all(|(_, value)| is_number(value));
    match () {
        () if !are_numbers || !differ(|name, _| says_how_a_reader_came(name)) => None,
        () if !differ(|name, _| says_how_a_reader_came(name) || PLACES.contains(&name)) => {
            Some(Ranked::Surely)
        }
        () if !differ(|name, _| {
            says_how_a_reader_came(name)
                || PLACES.contains(&name)
                || PLACES_OF_SEVERAL.contains(&name)
        }) =>
        {
            Some(Ranked::AmongOthers)
        }
        () => None,
    }
}

/// Names of parameters, in order, that say which page is meant, or which file.
const MEANT: [&str; 45] = [
    "article", "cat", "category", "cid", "class", "date", "day", "doc", "e", "edition", "event",
    "file", "filter", "i", "id", "issue", "item", "l", "lang", "mod", "modified", "month", "n",
    "name", "nid", "no", "nr", "number", "order", "p", "page", "page_id", "pid", "post", "product",
    "q", "rev", "season", "sort", "story", "term", "v", "ver", "version", "week",
];
/// Names, in order, that say who looks, and when.
const VISIT: [&str; 19] = [
    "_",
    "cache",
    "cb",
    "nocache",
    "nonce",
    "oldid",
    "r",
    "rand",
    "ref",
    "s",
    "sess",
    "session",
    "sessionid",
    "sid",
    "t",
    "tok",
    "token",
    "ts",
    "visit",
];

/// Whether a parameter that is another at most looks may say who looks, or when: one that may say
/// so at once, or whose name is a letter that says nothing.
pub(crate) fn may_vary(name: &str, value: &str) -> bool {
    may_be_of_visit(name, value) || name.len() == 1 && !is_meant(name)
}

/// Whether a name says which page is meant, or which file.
fn is_meant(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    MEANT.binary_search(&&*name).is_ok() || name.starts_with("year")
}

/// Whether a parameter may say who looks: by its name, or by a value that is a hash or a time.
pub(crate) fn may_be_of_visit(name: &str, value: &str) -> bool {
    if is_meant(name) {
        return false;
    }
    is_of_visit(name) || has_form_of_hash(value)
}

/// Whether a value may be a hash or a time: letters and digits, or many digits.
fn has_form_of_hash(value: &str) -> bool {
    let has = |is: fn(&char) -> bool| value.chars().any(|c| is(&c));
    value.len() >= HASH_BYTES_MIN
        && value.chars().all(|c| c.is_ascii_alphanumeric())
        && has(char::is_ascii_digit)
        && (has(char::is_ascii_alphabetic) || value.len() >= TIME_DIGITS_MIN)
        || is_hash_in_parts(value)
        || is_random_fraction(value)
}

/// A hash with dashes, `ab12-cd34`: parts of one length, and one of them of digits and letters. A
/// date has no letters.
fn is_hash_in_parts(value: &str) -> bool {
    let parts: Vec<&[u8]> = value.as_bytes().split(|byte| *byte == b'-').collect();
    let is_hex = |part: &[u8]| part.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let is_mixed = |part: &[u8]| {
        part.iter().any(u8::is_ascii_digit) && part.iter().any(u8::is_ascii_alphabetic)
    };
    let is_part =
        |part: &&[u8]| part.len() >= HASH_BYTES_MIN && part.len() == parts[0].len() && is_hex(part);
    parts.len() > 1 && parts.iter().all(is_part) && parts.iter().any(|part| is_mixed(part))
}

/// A number that a script drew, `0.191203836`: a version has fewer digits.
fn is_random_fraction(value: &str) -> bool {
    let digits = value.strip_prefix("0.").unwrap_or_default();
    digits.len() >= FRACTION_DIGITS_MIN && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a name may say who looks, or when.
fn is_of_visit(name: &str) -> bool {
    VISIT.binary_search(&&*name.to_ascii_lowercase()).is_ok()
}

/// Whether a name says so for sure: what has a reference, is searched for, or was a revision, is
/// none.
fn is_token(name: &str) -> bool {
    is_of_visit(name) && !["oldid", "r", "ref", "s"].contains(&&*name.to_ascii_lowercase())
}

/// Characters of a hash, and digits of a time.
const HASH_BYTES_MIN: usize = 4;
const TIME_DIGITS_MIN: usize = 9;
const FRACTION_DIGITS_MIN: usize = 7;

/// What alone differs between two addresses of one path, and says who looks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Swap {
    /// A value gave way to another one; the name is left out of a hash, which has several.
    Value(String, String, String),
    /// A parameter came, or went.
    Came(String),
    Went(String),
}

/// Behind how many links a swap says who looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sure {
    /// One: it is a token by its name and both values.
    Alone,
    /// Links to several pages.
    OnPages,
    /// Links to several sites: its name is a letter that says nothing.
    OnSites,
}

impl Swap {
    /// Nothing where they differ in more, or in what says which page is meant.
    fn of(old: &str, new: &str) -> Option<(Swap, Sure)> {
        if old.len().max(new.len()) > BYTES_MAX {
            return None;
        }
        let parts = [old, new].map(Parts::of);
        let [old, new] = parts.each_ref().map(|parts| parts.kept(|_, _| false));
        let is_place = parts[0].path == parts[1].path && parts[0].fragment == parts[1].fragment;
        if !is_place || old.len().max(new.len()) > PARAMETERS_MAX {
            return None;
        }
        let only = |pairs: &[&str], others: &[&str]| -> Vec<String> {
            let own = pairs.iter().filter(|pair| !others.contains(pair));
            own.map(|pair| (*pair).to_owned()).collect()
        };
        let (gone, came) = (only(&old, &new), only(&new, &old));
        let split = |pair: &str| -> (String, String) {
            // A time alone has no name.
            let (name, value) = pair.split_once('=').unwrap_or(("", pair));
            (name.to_owned(), value.to_owned())
        };
        let may_be_of_visit = |pair: &String| {
            let (name, value) = split(pair);
            may_be_of_visit(&name, &value)
        };
        let is_of_visit = gone.iter().chain(&came).all(may_be_of_visit);
        let sure = if is_of_visit { Sure::OnPages } else { Sure::OnSites };
        match (gone.as_slice(), came.as_slice()) {
            ([gone], [came]) => {
                let ((name, from), (other, to)) = (split(gone), split(came));
                if name != other || sure == Sure::OnSites && !may_vary(&name, "") {
                    return None;
                }
                let is_hash = from.len().min(to.len()) >= HASH_BYTES_MIN;
                let is_token = is_token(&name) && has_form_of_hash(&from) && has_form_of_hash(&to);
                let hash = if is_hash { String::new() } else { name };
                let sure = if is_token { Sure::Alone } else { sure };
                Some((Swap::Value(hash, from, to), sure))
            }
            _ if sure == Sure::OnSites => None,
            ([], [came]) => Some((Swap::Came(came.clone()), sure)),
            ([gone], []) => Some((Swap::Went(gone.clone()), sure)),
            _ => None,
        }
    }
}

/// Whether two addresses are of one login, which is told where to go on after it.
fn differ_in_where_a_login_goes_on(old: &str, new: &str) -> bool {
    const LOGINS: [&str; 5] = ["log-in", "login", "logon", "sign-in", "signin"];
    let [old, new] = [old, new].map(Parts::of);
    let (_, last) = old.path.trim_end_matches('/').rsplit_once('/').unwrap_or_default();
    let name = split(last, '.').0.to_ascii_lowercase();
    let pairs = [&old, &new].map(|parts| parts.kept(|_, _| false));
    let is_other = |pair: &&&str| pairs.iter().any(|pairs| !pairs.contains(*pair));
    let mut others = pairs.iter().flatten().filter(is_other).peekable();
    old.path == new.path
        && LOGINS.contains(&&*name)
        && others.peek().is_some()
        && others.all(|pair| !is_meant(split(pair, '=').0))
}

/// The last two parts of the name of a page's host.
fn site(page: &str) -> &str {
    let host = split(page, '/').0;
    let start = host.rmatch_indices('.').nth(1).map_or(0, |(at, _)| at + 1);
    &host[start..]
}

/// Parameters of an address that are compared.
const PARAMETERS_MAX: usize = 32;

/// Whether an address is of a document or an archive, and not of a page.
fn is_of_file(href: &str) -> bool {
    const FILES: [&str; 14] = [
        ".csv", ".doc", ".docx", ".epub", ".gz", ".ods", ".odt", ".pdf", ".ppt", ".pptx", ".rtf",
        ".xls", ".xlsx", ".zip",
    ];
    let path = Parts::of(href).path.to_ascii_lowercase();
    FILES.iter().any(|end| path.ends_with(end))
}

/// Marks links that say nothing new: those of which only a token is another one, or where a login
/// goes on. A parameter that may say who looks may come, go or change alike in links to several
/// pages, or behind a file. One whose name is a letter does so in links to several sites.
/// O(n log n).
pub(crate) fn mark_visits(found: &mut [Found]) {
    let swap = |one: &Found| match (&one.old, &one.new) {
        (Some(Thing::Link { href: old, .. }), Some(Thing::Link { href: new, .. })) => {
            let (swap, sure) = Swap::of(old, new)?;
            Some((swap, sure, Parts::of(new).path.to_owned()))
        }
        _ => None,
    };
    let swaps: Vec<Option<(Swap, Sure, String)>> = found.iter().map(swap).collect();
    let mut places: BTreeMap<(&Swap, bool), BTreeSet<&str>> = BTreeMap::new();
    for (swap, sure, page) in swaps.iter().flatten() {
        let on_sites = *sure == Sure::OnSites;
        let place = if on_sites { site(page) } else { page };
        places.entry((swap, on_sites)).or_default().insert(place);
    }
    for (one, swap) in found.iter_mut().zip(&swaps) {
        one.is_slight |= swap.as_ref().is_some_and(|(swap, sure, page)| {
            let places = places.get(&(swap, *sure == Sure::OnSites)).map_or(0, BTreeSet::len);
            match sure {
                Sure::Alone => true,
                Sure::OnPages => is_of_file(page) || places >= VISIT_PLACES_MIN,
                Sure::OnSites => places >= VISIT_PLACES_MIN,
            }
        });
        one.is_slight |= match (&one.old, &one.new) {
            (
                Some(Thing::Link { href: old, text: was }),
                Some(Thing::Link { href: new, text: is }),
            ) => was == is && differ_in_where_a_login_goes_on(old, new),
            _ => false,
        };
    }
}

/// Pages, or sites, to which the links of a visit lead.
const VISIT_PLACES_MIN: usize = 2;

/// Whether an address is of a section of a page: a table of contents leads there.
pub(crate) fn is_section(href: &str) -> bool {
    let fragment = Parts::of(href).fragment;
    // Some pages are programs that are told so what to show.
    !fragment.is_empty() && !fragment.starts_with(['/', '!'])
}

/// What a picture is: two addresses that give the same are of one picture. Another size, quality
/// or format, the server that has it, tokens and keys of a cache make no other picture.
/// `None`: it stands in for a picture that is loaded later, or is drawn by the page itself.
pub(crate) fn picture(src: &str) -> Option<String> {
    if starts_with(src, "data:") || starts_with(src, "blob:") || starts_with(src, "about:") {
        return None;
    }
    if src.len() > BYTES_MAX {
        return Some(src.to_owned());
    }
    let parts = Parts::of(src);
    // A server of pictures is told the address of another.
    let inner = parts.query.split('&').find_map(|pair| pair.strip_prefix("url="));
    if let Some(inner) = inner.filter(|inner| !inner.is_empty()) {
        // As it was before it became a parameter.
        let inner = percent_decode_str(inner).decode_utf8_lossy();
        return Some(drawn(&Parts::of(&inner))).filter(|_| !is_stand_in(&inner));
    }
    (!is_stand_in(src)).then(|| drawn(&parts))
}

/// Whether two addresses are of one picture in two formats, as far as one can tell: under names
/// that a machine made of their bytes.
pub(crate) fn is_recoded(old: &str, new: &str) -> bool {
    let parts = |src| file(Parts::of(src).path).rsplit_once('.');
    let (Some((old, was)), Some((new, is))) = (parts(old), parts(new)) else { return false };
    // One of a few letters may have no digit; the other says what both are.
    !was.eq_ignore_ascii_case(is)
        && old.len() == new.len()
        && is_mixed(old)
        && is_mixed(new)
        && [old, new].iter().any(|name| name.contains(|c: char| c.is_ascii_digit()))
}

/// Turns between letters and digits in a name of small letters: "map2025v2" has three.
const SMALL_TURNS_MIN: usize = 5;

/// A name that a machine may have made: letters of both cases, or digits, mixed as no word is.
fn is_mixed(name: &str) -> bool {
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 0,
        b'a'..=b'z' => 1,
        b'A'..=b'Z' => 2,
        _ => 3,
    };
    let turns = name.as_bytes().windows(2).filter(|two| class(two[0]) != class(two[1])).count();
    (8..=24).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        && ((1..3).all(|kind| name.bytes().any(|byte| class(byte) == kind)) && turns >= TURNS_MIN
            || turns >= SMALL_TURNS_MIN && !name.contains(['-', '_']))
}

/// Turns from letters of one case to another, or to a digit, of a name that is no word.
const TURNS_MIN: usize = 4;

fn starts_with(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|own| own.eq_ignore_ascii_case(start))
}

fn is_stand_in(src: &str) -> bool {
    STAND_IN.is_match(file(Parts::of(src).path))
}

/// The last segment of a path.
fn file(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn drawn(parts: &Parts<'_>) -> String {
    let is_file = FILE.is_match(parts.path);
    // One of several servers has it, or another one has since the page was moved.
    let path = parts.path.split_once('/').map_or(parts.path, |(_, path)| path);
    let path = path.strip_prefix("cdn-cgi/image/").unwrap_or(path);
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let folders = folders.split('/').filter(|folder| !DRAWN_SEGMENT.is_match(folder));
    let mut picture = folders.collect::<Vec<_>>().join("/");
    picture.push('/');
    let name = DRAWN_START.replace(name, "");
    picture.push_str(&DRAWN_END.replace(&name, ""));
    for pair in parts.kept(|name, _| says_how_it_is_drawn(name)).into_iter().filter(|_| !is_file) {
        picture.push('?');
        picture.push_str(pair);
    }
    without_tokens(&picture).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_is_another_in_several_links_says_who_looks() {
        let link = |href: &str| Thing::Link { href: href.into(), text: "x".into() };
        let slight = |changes: &[(&str, &str)]| {
            let address = |rest: &str| link(&format!("https://a.example/{rest}"));
            let update = |&(old, new): &(&str, &str)| Found::update(address(old), address(new));
            let mut found: Vec<Found> = changes.iter().map(update).collect();
            mark_visits(&mut found);
            found.iter().map(|one| one.is_slight).collect::<Vec<_>>()
        };
        let sail = ("sail?sid=a91&n=1", "sail?sid=c07&n=1");
        assert_eq!(slight(&[sail, ("motor?sid=a91", "motor?sid=c07")]), [true, true]);
        assert_eq!(slight(&[sail, sail]), [false, false], "two links to one page");
        assert_eq!(slight(&[("a?sess=aa01", "a?sess=bd77"), ("b?t=aa01", "b?t=bd77")]), [true; 2]);
        for meant in ["p", "issue", "week", "date", "file", "edition", "year"] {
            let at = |page: &str, n: u32| format!("{page}?{meant}={n}");
            let (old, new) = ([at("a", 57), at("b", 57)], [at("a", 58), at("b", 58)]);
            assert_eq!(slight(&[(&old[0], &new[0]), (&old[1], &new[1])]), [false; 2], "{meant}");
            let (old, new) = (at("a.pdf", 2025), at("a.pdf", 2026));
            assert_eq!(slight(&[(&old, &new)]), [false], "{meant}");
        }
        assert_eq!(slight(&[("a?seats=5", "a?seats=4"), ("b?lot=5", "b?lot=4")]), [false; 2]);
        assert_eq!(slight(&[("a.pdf?d=f00d11", "a.pdf?d=beef22")]), [true]);
        let at_two = |old: &str, new: &str| {
            let [(a, b), (c, d)] =
                ["a", "b"].map(|page| (format!("{page}?{old}"), format!("{page}?{new}")));
            slight(&[(&a, &b), (&c, &d)])
        };
        assert_eq!(at_two("visitor=b658-d216", "visitor=356a-5ef3"), [true; 2]);
        assert_eq!(at_two("who=0.191203836", "who=0.56009106"), [true; 2]);
        for (old, new) in [
            ("d=2026-01-01", "d=2026-01-02"),
            ("years=2024-2025", "years=2025-2026"),
            ("of=sale-2025", "of=sale-2026"),
            ("at=0.5", "at=0.7"),
            ("release=0.12.4", "release=0.12.5"),
        ] {
            assert_eq!(at_two(old, new), [false; 2], "{new}");
        }
        assert_eq!(slight(&[("a.pdf", "a.pdf?1770192000")]), [true]);
        assert_eq!(slight(&[("t/a", "t/a?ref=post"), ("t/b", "t/b?ref=post")]), [true; 2]);
    }

    #[test]
    fn a_token_by_its_name_is_one_behind_a_single_link() {
        let slight = |old: &str, new: &str| {
            let link = |rest: &str| {
                let href = format!("https://a.example/{rest}");
                Thing::Link { href, text: "Sign in".into() }
            };
            let mut found = vec![Found::update(link(old), link(new))];
            mark_visits(&mut found);
            found[0].is_slight
        };
        assert!(slight("login?r=page&t=1770192000", "login?r=page&t=1770199999"));
        assert!(slight("track.aspx?T=99a1", "track.aspx?T=0f7c"));
        for name in ["id", "nr", "oldid", "ref", "s", "seats", "sid", "t"] {
            assert!(!slight(&format!("x?{name}=24001"), &format!("x?{name}=24002")), "{name}");
        }
        for [old, new] in [["1", "2"], ["news", "jobs"], ["all%20news", "open%20jobs"]] {
            assert!(!slight(&format!("x?t={old}"), &format!("x?t={new}")), "{new}");
        }
        assert!(
            !slight("x?t=v1.4.2", "x?t=v1.5.0") && !slight("x?ts=2026-06-01", "x?ts=2026-06-08")
        );
    }

    #[test]
    fn a_letter_says_nothing_in_links_to_several_sites() {
        let slight = |links: &[[&str; 2]]| {
            let link = |href: &str| Thing::Link { href: href.into(), text: "x".into() };
            let update = |[old, new]: &[&str; 2]| Found::update(link(old), link(new));
            let mut found: Vec<Found> = links.iter().map(update).collect();
            mark_visits(&mut found);
            found.iter().map(|one| one.is_slight).collect::<Vec<_>>()
        };
        let here = ["https://a.example/print?k=2", "https://a.example/print?k=3"];
        let there = ["https://b.example/s?k=2&u=a", "https://b.example/s?k=3&u=a"];
        assert_eq!(slight(&[here, there]), [true, true]);
        let same_site = ["https://www.x.a.example/s?k=2", "https://www.x.a.example/s?k=3"];
        assert_eq!(slight(&[here, same_site]), [false; 2]);
        let other_value = ["https://b.example/s?k=2", "https://b.example/s?k=4"];
        assert_eq!(slight(&[here, other_value]), [false; 2]);
        for name in ["issue", "release", "n", "p", "show"] {
            let at = |host: &str, n: u32| format!("https://{host}.example/get?{name}={n}");
            let links = ["a", "b"].map(|host| [at(host, 57), at(host, 58)]);
            let links = links.each_ref().map(|[old, new]| [old.as_str(), new]);
            assert_eq!(slight(&links), [false; 2], "{name}");
        }
        // What needs several sites says nothing of what needs several pages.
        let [archive, browse] = ["archive?ref", "browse?k"].map(|page| {
            ["v4.2.0", "v4.3.0"].map(|version| format!("https://a.example/{page}={version}"))
        });
        let both = [[&*archive[0], &*archive[1]], [&*browse[0], &*browse[1]]];
        assert_eq!(slight(&both), [false; 2]);
    }

    #[test]
    fn where_a_login_goes_on_says_nothing_new() {
        let differ = differ_in_where_a_login_goes_on;
        assert!(differ("https://a.example/login?r=x&t=100", "https://a.example/login?r=y&t=220"));
        assert!(differ("https://a.example/user/SignIn.php", "https://a.example/user/SignIn.php?x"));
        assert!(!differ("https://a.example/login?x", "https://b.example/login?x"), "moved");
        assert!(!differ("https://a.example/login?event=1", "https://a.example/login?event=2"));
        assert!(!differ("https://a.example/login?x", "https://a.example/login?x"));
        assert!(!differ("https://a.example/logins?x", "https://a.example/logins?y"));
        assert!(!differ("https://login?x", "https://login?y"), "a host");
        let open =
            |text: &str| Thing::Link { href: "https://a.example/login".into(), text: text.into() };
        let mut found = [Found::update(open("Registration closed"), open("Registration open"))];
        mark_visits(&mut found);
        assert!(!found[0].is_slight);
    }

    #[test]
    fn a_link_at_its_own_address_says_nothing_new() {
        assert!(is_said("mailto:Ana@a.example?subject=x", "ana@a.example"));
        assert!(is_said("mailto:ana@a.example", "Ana@a.example."));
        for text in ["a.example/x", "www.a.example/x", "https://www.a.example/X/"] {
            assert!(is_said("https://www.a.example/x/", text), "{text}");
        }
        assert!(!is_said("mailto:ana@a.example", "Write to us"));
        for file in ["a.example/v2.zip", "a.example/app-3.1.exe"] {
            assert!(!is_said(&format!("https://{file}"), file), "it may be had now");
        }
        assert!(!is_said("https://a.example/?show=4711", "a.example"), "it is sold now");
        assert!(!is_said("https://a.example/x?id=2", "a.example/x?id=1"));
        assert!(!is_said("https://a.example/x", "b.example") && !is_said("https://a.example", ""));
    }

    #[test]
    fn a_picture_in_another_format_under_a_name_of_its_bytes_is_the_same() {
        let at = |file: &str| format!("https://a.example/r/{file}");
        assert!(is_recoded(&at("6EMh2DWYp9P.png"), &at("H5KMJlh-MJS.webp?v=2")));
        assert!(is_recoded(&at("uqoo1pq65u5.png"), &at("N0stz1Bpc3Q.webp")), "small letters");
        assert!(!is_recoded(&at("6EMh2DWYp9P.png"), &at("H5KMJlh-MJS.png")));
        assert!(!is_recoded(&at("map2025v2.png"), &at("map2026v1.webp")));
        assert!(!is_recoded(&at("kettle-red.png"), &at("kettle-blue.webp")));
        assert!(!is_recoded(&at("Fahrplan2025.png"), &at("Fahrplan2026.jpg")));
    }

    #[test]
    fn a_mail_address_does_not_end_in_a_full_stop() {
        assert_eq!(place("mailto:ana@a.example."), place("mailto:ana@a.example"));
        assert_ne!(place("https://a.example/v1."), place("https://a.example/v1"));
    }

    #[test]
    fn the_names_are_in_order() {
        assert!(CAME.is_sorted() && DRAWN.is_sorted());
        assert!(CACHED.is_sorted() && VISITED.is_sorted() && VISIT.is_sorted());
    }

    #[test]
    fn links_lead_to_one_place_however_a_reader_came() {
        for (one, other) in [
            ("http://a.example/x", "https://www.a.example/x/"),
            ("https://a.example/x?cmpid=mail&id=7", "https://a.example/x?id=7"),
            ("https://a.example/?b=2&a=1", "https://a.example/?a=1&b=2"),
            ("https://a.example/x?mtm_source=a", "https://a.example/x"),
            ("https://a.example/x?t=1700000000", "https://a.example/x?t=1700009999"),
        ] {
            assert_eq!(place(one), place(other));
        }
        for (one, other) in [
            ("https://a.example/v1.zip", "https://a.example/v2.zip"),
            ("https://a.example/?id=7", "https://a.example/?id=8"),
            ("https://a.example/x#one", "https://a.example/x#two"),
            ("https://a.example/2026/report.pdf", "https://a.example/2027/report.pdf"),
            ("https://a.example/?ref=main", "https://a.example/?ref=v2"),
            ("mailto:a@a.example", "mailto:b@a.example"),
        ] {
            assert_ne!(place(one), place(other));
        }
    }

    #[test]
    fn an_entry_leads_to_one_place_whoever_looks() {
        let same = |one: &str, other: &str| {
            let at = |rest: &str| format!("https://a.example/{rest}");
            place_of_entry(&at(one)) == place_of_entry(&at(other))
        };
        for (one, other) in [
            ("7?sid=fb9654", "7?sid=887309"),
            ("7?cb=0&n=1", "7?n=1&cb=919"),
            ("7?v=3", "7?v=4"),
            ("7?t=1770192000", "7"),
            ("7?rnd=0.1912", "7?rnd=0.56"),
            ("7?X-Amz-Expires=300&sig=a_b", "7?X-Amz-Expires=900&sig=c-d"),
            ("7/8f14e45f-ceea-467f-a0e6-000000000000", "7/8f14e45f-ceea-467f-a0e6-000000000100"),
        ] {
            assert!(same(one, other), "{one} {other}");
        }
        for (one, other) in [
            ("?p=57", "?p=58"),
            ("?id=a91f", "?id=c07b"),
            ("watch?v=dQw4w9WgXcQ", "watch?v=oHg5SJYRHA0"),
            ("viewtopic.php?t=4711", "viewtopic.php?t=4712"),
            ("?sid=26/11/27/0915", "?sid=26/11/28/1020"),
            ("?ts=2026-06-01", "?ts=2026-06-08"),
            ("?session=keynote", "?session=closing"),
            ("?t=news", "?t=jobs"),
        ] {
            assert!(!same(one, other), "{one} {other}");
        }
    }

    #[test]
    fn a_language_may_come_and_go_and_is_never_another() {
        let differ = |one: &str, other: &str| {
            let of = |rest: &str| format!("https://a.example/{rest}");
            differ_in_a_language(&of(one), &of(other)) && differ_in_a_language(&of(other), &of(one))
        };
        assert!(differ("en/articles/7", "articles/7") && differ("de-CH/x?a=1", "x/?a=1"));
        for (one, other) in [
            ("en/articles/7", "de/articles/7"),
            ("uk/terms/7", "terms/7"),
            ("en/articles/7", "articles/8"),
            ("en", ""),
            ("articles/7", "articles/7"),
        ] {
            assert!(!differ(one, other), "{one} {other}");
        }
    }

    #[test]
    fn a_picture_is_one_however_it_is_drawn() {
        for (one, other) in [
            ("https://cdn1.a.example/k.jpg?w=300&q=75", "https://cdn2.a.example/k.webp?w=600"),
            ("https://a.example/up/k-300x200.jpg", "https://a.example/up/k.jpg"),
            ("https://a.example/up/k@2x.png", "https://a.example/up/k-640w.png"),
            (
                "https://a.example/img/w_300,h_200,c_fill/k.jpg",
                "https://a.example/img/w_600,q_auto/k",
            ),
            (
                "https://a.example/cdn-cgi/image/width=80,quality=75/k.jpg",
                "https://a.example/cdn-cgi/image/width=640/k.jpg",
            ),
            (
                "https://a.example/_next/image?url=%2Fup%2Fk.jpg&w=640&q=75",
                "https://a.example/_next/image?url=%2Fup%2Fk.jpg&w=1080&q=75",
            ),
            ("https://a.example/s/k.8f3a2b1c.png", "https://a.example/s/k.0a9b8c7d.png"),
            (
                "https://pic-fra5-1.a.example/v/9_n.jpg?oh=1&x=2",
                "https://pic-lon3-2.a.example/v/9_n.jpg?oh=3",
            ),
            ("https://a.example/s/k.png?v=3", "https://a.example/s/k.png?v=4"),
            (
                "https://w.example/thumb/1/Kettle.jpg/220px-Kettle.jpg",
                "https://w.example/thumb/1/Kettle.jpg/440px-Kettle.jpg",
            ),
            (
                "https://i.example/news/480/x/live/k.jpg",
                "https://i.example/news/800/x/live/k.jpg.webp",
            ),
        ] {
            assert_eq!(picture(one), picture(other));
            assert!(picture(one).is_some());
        }
        for (one, other) in [
            ("https://a.example/k.jpg", "https://a.example/m.jpg"),
            ("https://a.example/2026/k.jpg", "https://a.example/2027/k.jpg"),
            ("https://a.example/i?id=7", "https://a.example/i?id=8"),
            ("https://a.example/page-1.png", "https://a.example/page-2.png"),
            (
                "https://a.example/_next/image?url=%2Fk.jpg&w=640",
                "https://a.example/_next/image?url=%2Fm.jpg&w=640",
            ),
        ] {
            assert_ne!(picture(one), picture(other));
        }
    }

    #[test]
    fn what_stands_in_for_a_picture_is_none() {
        for src in [
            "data:image/gif;blake3=00",
            "https://a.example/i/placeholder.png",
            "https://a.example/i/1x1.gif?x=7",
            "https://a.example/i/blank.gif",
            "https://a.example/i/lazy-placeholder-300x200.svg",
            "https://a.example/_next/image?url=%2Fspacer.gif&w=8",
        ] {
            assert_eq!(picture(src), None, "{src}");
        }
        for src in ["https://a.example/pixel-8.png", "https://a.example/loading-bay.jpg"] {
            assert!(picture(src).is_some(), "{src}");
        }
    }
}
