//! What the server reads of a feed, in feedparser's names and by its documented rules: names of
//! versions and encodings, defaults of types, and markup made harmless.

use super::markup;
use page::{FeedLink, FeedPart, FeedPerson, FeedText, Said};
use regex::Regex;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;
use url::Url;

/// The host of a document that does not say where it comes from: nothing is resolved against it.
const NOWHERE: &str = "nowhere.invalid";

/// What stands around a feed.
pub(super) struct Around<'r> {
    pub(super) content_type: Option<&'r str>,
    content_location: Option<&'r str>,
    document_url: Option<&'r str>,
}

impl<'r> Around<'r> {
    pub(super) fn of(request: &'r Value) -> Around<'r> {
        let header = |wanted: &str| {
            let mut headers = request["headers"].as_object().into_iter().flatten();
            headers.find(|(name, _)| name.eq_ignore_ascii_case(wanted))?.1.as_str()
        };
        Around {
            content_type: header("content-type"),
            content_location: header("content-location"),
            document_url: request["document_url"].as_str(),
        }
    }

    /// What addresses of the feed are relative to.
    pub(super) fn base(&self) -> Url {
        let nowhere = || Url::parse(&format!("http://{NOWHERE}/")).expect("a URL written here");
        let document = self.document_url.and_then(|url| Url::parse(url).ok());
        let document = document.unwrap_or_else(nowhere);
        let located = self.content_location.and_then(|location| document.join(location).ok());
        located.unwrap_or(document)
    }
}

/// The encoding by the rules of RFC 3023, as feedparser names it, and whether the bytes contradict
/// them.
pub(super) fn encoding(body: &[u8], content_type: Option<&str>) -> (String, bool) {
    let shown = page::encoding(body, None).to_ascii_lowercase();
    if shown.starts_with("utf-16") || shown.starts_with("utf-32") {
        return (shown, false);
    }
    static LABEL: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"^\s*<\?xml[^>]*?encoding\s*=\s*['"]([^'"]+)"#).expect("a pattern")
    });
    let start = String::from_utf8_lossy(&body[..body.len().min(1_024)]).into_owned();
    let label = LABEL.captures(&start).map(|found| found[1].to_ascii_lowercase());
    let mut parts = content_type.unwrap_or_default().split(';');
    let media = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
    let charset = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']);
        (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then_some(value)
    });
    let charset = charset.map(str::to_owned);
    let ascii = || "us-ascii".to_owned();
    let utf8 = || "utf-8".to_owned();
    let name = if media.starts_with("text/") {
        charset.unwrap_or_else(ascii)
    } else if media.starts_with("application/") {
        charset.or_else(|| label.clone()).unwrap_or_else(utf8)
    } else {
        label.clone().unwrap_or_else(utf8)
    };
    match &*name {
        "us-ascii" if !body.is_ascii() => (label.unwrap_or(shown), true),
        "utf-8" if std::str::from_utf8(body).is_err() => (label.unwrap_or(shown), true),
        _ => (name, false),
    }
}

/// Whether a media type is one that feeds are sent as.
pub(super) fn is_of_feeds(content_type: &str) -> bool {
    let media = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let Some((kind, form)) = media.split_once('/') else { return false };
    let is_xml = form == "xml" || form.ends_with("+xml") || form == "xml-external-parsed-entity";
    let is_json = form == "json" || form == "feed+json";
    is_xml && matches!(kind, "text" | "application")
        || kind == "application" && (form == "xml-dtd" || is_json)
}

/// A feed in feedparser's names.
pub(super) fn parsed(said: &Said, body: &[u8]) -> Map<String, Value> {
    let version = version(said, body);
    let is_atom = version.starts_with("atom");
    let shape = Shape { is_atom, is_atom_1: version == "atom10" };
    let entries: Vec<Value> = said.entries.iter().map(|entry| shape.part(entry).into()).collect();
    let mut parsed = Map::new();
    parsed.insert("feed".to_owned(), shape.part(&said.feed).into());
    parsed.insert("entries".to_owned(), entries.into());
    parsed.insert("version".to_owned(), version.into());
    parsed
}

fn version(said: &Said, body: &[u8]) -> &'static str {
    let is_in = |space: &str| said.spaces.iter().any(|found| found.eq_ignore_ascii_case(space));
    let start = String::from_utf8_lossy(&body[..body.len().min(4_096)]).to_ascii_lowercase();
    let doctype = start.split_once("<!doctype").and_then(|(_, rest)| rest.split('>').next());
    let is_netscape = doctype.is_some_and(|doctype| doctype.contains("netscape"));
    match (&*said.root, &*said.version) {
        ("rss", "0.91") if is_netscape => "rss091n",
        ("rss", "0.91") => "rss091u",
        ("rss", "0.92") => "rss092",
        ("rss", "0.93") => "rss093",
        ("rss", "0.94") => "rss094",
        ("rss", version) if version.starts_with("2.") => "rss20",
        ("rss", _) => "rss",
        ("rdf", _) if is_in("http://my.netscape.com/rdf/simple/0.9/") => "rss090",
        ("rdf", _) if is_in("http://purl.org/rss/1.0/") => "rss10",
        ("feed", _) if is_in("http://www.w3.org/2005/Atom") => "atom10",
        ("feed", "0.1") => "atom01",
        ("feed", "0.2") => "atom02",
        ("feed", "0.3") => "atom03",
        ("feed", _) => "atom",
        _ => "",
    }
}

/// How texts are taken.
struct Shape {
    is_atom: bool,
    is_atom_1: bool,
}

impl Shape {
    fn part(&self, part: &FeedPart) -> Map<String, Value> {
        let mut found = Map::new();
        let summary = if self.is_atom { "text/plain" } else { "text/html" };
        for (key, text, media) in
            [("title", &part.title, "text/plain"), ("summary", &part.summary, summary)]
        {
            let Some(text) = text else { continue };
            let detail = self.detail(text, media);
            found.insert(key.to_owned(), detail["value"].clone());
            found.insert(format!("{key}_detail"), detail);
        }
        let contents = part.contents.iter().map(|content| self.detail(content, "text/plain"));
        let contents: Vec<Value> = contents.collect();
        // A feed without summaries has its contents for them.
        if !found.contains_key("summary")
            && let Some(content) = contents.iter().find(|content| is_readable(content))
        {
            found.insert("summary".to_owned(), content["value"].clone());
        }
        for (known, other) in [("summary", "description"), ("summary_detail", "description_detail")]
        {
            let value = found.get(known).cloned();
            found.extend(value.map(|value| (other.to_owned(), value)));
        }
        let id = if part.is_id_address { resolved(&part.id, &part.base) } else { part.id.clone() };
        let mut pages = part.links.iter().filter(|link| is_page(link));
        let page = pages.next_back().map(address);
        let link = page.or_else(|| part.is_id_address.then(|| id.clone()));
        let author = part.authors.last();
        let texts = [
            ("id", id),
            ("published", part.published.clone()),
            ("updated", part.updated.clone()),
            ("author", author.map(named).unwrap_or_default()),
            ("link", link.unwrap_or_default()),
        ];
        let texts = texts.into_iter().filter(|(_, text)| !text.is_empty());
        found.extend(texts.map(|(key, text)| (key.to_owned(), text.into())));
        found.extend(author.map(|author| ("author_detail".to_owned(), detailed(author))));
        let links: Vec<Value> = part.links.iter().map(link_of).collect();
        for (key, list) in [("links", links), ("content", contents)] {
            if !list.is_empty() {
                found.insert(key.to_owned(), list.into());
            }
        }
        found
    }

    /// A text with what is said of it.
    fn detail(&self, text: &FeedText, media: &str) -> Value {
        let (media, value) = self.text(text, media);
        let language = Some(text.language.replace('_', "-")).filter(|said| !said.is_empty());
        let base = text.base.as_str();
        let mut found =
            json!({ "type": media, "value": value, "language": language, "base": base });
        if let Some(source) = &text.source {
            found["src"] = resolved(source, &text.base).into();
        }
        found
    }

    /// The media type of a text, and the text: markup made harmless, its addresses resolved.
    fn text(&self, text: &FeedText, media: &str) -> (String, String) {
        let mut media = Some(&*text.media).filter(|said| !said.is_empty()).unwrap_or(media);
        let mut value = text.value.trim();
        if media == "text/plain" && !self.is_atom && markup::looks_like_html(value) {
            media = "text/html";
        }
        if self.is_atom_1 && media == "application/xhtml+xml" {
            value = within_division(value);
        }
        let is_coded = !media.starts_with("text/") && !media.ends_with("xml");
        let is_markup = matches!(media, "text/html" | "application/xhtml+xml") || is_coded;
        let base = Some(&*text.base).filter(|base| base.host_str() != Some(NOWHERE));
        let value = if is_markup { markup::harmless(value, base) } else { value.to_owned() };
        (media.to_owned(), value)
    }
}

/// Whether a content is a text, or HTML.
fn is_readable(content: &Value) -> bool {
    matches!(content["type"].as_str(), Some("text/plain" | "text/html" | "application/xhtml+xml"))
}

/// The content of a division that encloses all of a text.
fn within_division(value: &str) -> &str {
    let inside = || {
        let after = value.strip_prefix("<div")?;
        let (_, content) = after.split_once('>').filter(|_| after.starts_with([' ', '>']))?;
        let content = content.strip_suffix("</div>")?;
        let mut depth = 0;
        for (at, _) in content.match_indices('<') {
            let tag = &content[at..];
            depth += i32::from(tag.starts_with("<div")) - i32::from(tag.starts_with("</div>"));
            if depth < 0 {
                return None;
            }
        }
        Some(content.trim())
    };
    inside().unwrap_or(value)
}

fn named(person: &FeedPerson) -> String {
    match (&*person.name, &*person.email) {
        ("", email) => email.to_owned(),
        (name, "") => name.to_owned(),
        (name, email) => format!("{name} ({email})"),
    }
}

/// A person by parts; a text without them may hold a name and an address: `a@b.example (A B)`.
fn detailed(person: &FeedPerson) -> Value {
    let (mut name, mut email) = (person.name.clone(), person.email.clone());
    let is_address = |word: &&str| word.split_once('@').is_some_and(|(_, host)| host.contains('.'));
    let mut words = person.name.split([' ', '(', ')', '<', '>']);
    if let Some(found) = words.find(is_address).filter(|_| email.is_empty()) {
        email = found.to_owned();
        name = person.name.replace(&email, "").replace("()", "").replace("<>", "");
        let inside = name.trim();
        let inside = inside.strip_prefix('(').unwrap_or(inside);
        name = inside.strip_suffix(')').unwrap_or(inside).trim().to_owned();
    }
    let said = [("name", &name), ("email", &email), ("href", &person.address)];
    let said = said.into_iter().filter(|(_, value)| !value.is_empty());
    said.map(|(key, value)| (key.to_owned(), Value::from(value.as_str()))).collect()
}

fn is_page(link: &FeedLink) -> bool {
    let is_html = matches!(&*link.media, "" | "html" | "text/html" | "xhtml")
        || link.media == "application/xhtml+xml";
    matches!(&*link.rel, "" | "alternate") && is_html
}

fn link_of(link: &FeedLink) -> Value {
    let rel = if link.rel.is_empty() { "alternate" } else { &link.rel };
    let media = match (&*link.media, rel) {
        ("", "enclosure") => "",
        ("", "self") => "application/atom+xml",
        ("", _) => "text/html",
        (said, _) => said,
    };
    let mut found = Map::new();
    let address = address(link);
    let fields = [
        ("rel", rel),
        ("type", media),
        ("href", &address),
        ("title", &link.title),
        ("length", &link.length),
    ];
    for (key, value) in fields.into_iter().filter(|(_, value)| !value.is_empty()) {
        found.insert(key.to_owned(), value.into());
    }
    found.into()
}

fn address(link: &FeedLink) -> String {
    link.base.as_ref().map_or_else(|| link.href.clone(), |base| resolved(&link.href, base))
}

/// An address that is relative, resolved; any other as it is written.
fn resolved(address: &str, base: &Url) -> String {
    if address.is_empty() || base.host_str() == Some(NOWHERE) || Url::parse(address).is_ok() {
        return address.to_owned();
    }
    base.join(address).map_or_else(|_| address.to_owned(), String::from)
}
