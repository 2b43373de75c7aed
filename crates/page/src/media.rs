//! What kind of content a body is: the media type, corrected by a look at the text.

use crate::gather::{clip, starts_with_ignore_case};
use crate::{ReadError, charset, csv, markdown};

/// A Content-Type header.
#[derive(Debug, Default)]
pub(crate) struct Media {
    /// `type/subtype` in lower case; empty if absent or malformed.
    essence: String,
    charset: Option<String>,
}

/// Which reader to try first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Guess {
    Html,
    Feed,
    Xml,
    /// SVG.
    Drawing,
    JsonFeed,
    Json,
    /// JSON if it parses, else text.
    MaybeJson,
    Csv,
    Markdown,
    Text,
}

/// How far sniffing looks.
const SNIFF_BYTES: usize = 4_096;

impl Media {
    pub(crate) fn parse(content_type: Option<&str>) -> Media {
        let Some(content_type) = content_type else { return Media::default() };
        match content_type.trim().parse::<mime::Mime>() {
            Ok(mime) => Media {
                essence: mime.essence_str().to_ascii_lowercase(),
                charset: mime.get_param(mime::CHARSET).map(|label| label.as_str().to_owned()),
            },
            Err(_) => {
                let mut parts = content_type.split(';');
                let essence = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
                let charset = parts.find_map(|part| {
                    let (name, value) = part.split_once('=')?;
                    let value = value.trim().trim_matches(['"', '\'']);
                    name.trim().eq_ignore_ascii_case("charset").then(|| value.to_owned())
                });
                Media { essence, charset }
            }
        }
    }

    pub(crate) fn charset(&self) -> Option<&str> {
        self.charset.as_deref()
    }

    fn is_xml(&self) -> bool {
        let (_, form) = self.essence.split_once('/').unwrap_or_default();
        matches!(form, "xml" | "x-xml" | "xml-dtd" | "xml-external-parsed-entity")
            || form.ends_with("+xml")
    }

    fn is_json(&self) -> bool {
        matches!(
            self.essence.as_str(),
            "application/json" | "application/x-json" | "text/json" | "text/x-json"
        ) || self.essence.ends_with("+json")
    }

    /// What spreadsheets are called, and some servers call CSV.
    fn is_sheet(&self) -> bool {
        self.essence == "application/vnd.ms-excel"
    }

    /// Says nothing about the content: absent, malformed, or the default of servers that do not
    /// know either.
    fn is_vague(&self) -> bool {
        matches!(
            self.essence.as_str(),
            "" | "text/plain"
                | "application/octet-stream"
                | "binary/octet-stream"
                | "application/x-unknown"
                | "unknown/unknown"
                | "application/unknown"
                | "*/*"
        ) || !self.essence.contains('/')
    }

    fn is_readable(&self) -> bool {
        self.is_vague()
            || (self.is_xml() && !self.essence.starts_with("image/"))
            || self.essence == "image/svg+xml"
            || self.is_json()
            || self.is_sheet()
            || self.essence.starts_with("text/")
            || matches!(
                self.essence.as_str(),
                "application/javascript"
                    | "application/x-javascript"
                    | "application/ecmascript"
                    | "application/yaml"
                    | "application/x-yaml"
                    | "application/toml"
                    | "application/csv"
                    | "application/x-csv"
                    | "application/markdown"
                    | "application/jsonl"
                    | "application/jsonlines"
                    | "application/x-jsonlines"
                    | "application/ndjson"
                    | "application/x-ndjson"
                    | "application/x-rss"
                    | "application/rss"
                    | "application/atom"
            )
    }
}

/// Refuses what no reader can read: media types of pictures, sound, archives, PDF, and bodies
/// whose first bytes show that they are such whatever the media type says.
pub(crate) fn refuse_binary(body: &[u8], media: &Media) -> Result<(), ReadError> {
    const MAGIC: [(&[u8], &str); 9] = [
        (b"%PDF-", "a PDF document"),
        (b"\x89PNG\r\n\x1a\n", "a PNG image"),
        (b"GIF8", "a GIF image"),
        (b"\xff\xd8\xff", "a JPEG image"),
        (b"PK\x03\x04", "a ZIP archive or an office document"),
        (b"\x1f\x8b", "gzip data"),
        (b"\x28\xb5\x2f\xfd", "zstd data"),
        (b"\x7fELF", "a program"),
        (b"OggS", "sound or video"),
    ];
    let unsupported = |what: &str| Err(ReadError::Unsupported { what: what.to_owned() });
    if let Some((_, what)) = MAGIC.iter().find(|(magic, _)| body.starts_with(magic)) {
        return unsupported(what);
    }
    if !media.is_readable() {
        return unsupported(&format!("of type {}", clip(&media.essence, 100)));
    }
    let is_text = charset::is_shown(body);
    let start = &body[..body.len().min(SNIFF_BYTES)];
    let says_utf16 = media.charset().is_some_and(|label| starts_with_ignore_case(label, "utf-16"));
    let is_binary = !is_text && !says_utf16 && start.contains(&0);
    if media.is_vague() && is_binary {
        return unsupported("binary data");
    }
    if media.is_sheet() && (is_binary || !csv::is_table(&charset::decode(start, media.charset()))) {
        return unsupported(&format!("of type {}", media.essence));
    }
    Ok(())
}

/// What plain text is by the end of its address: servers of files seldom say.
fn by_name(path: &str) -> Option<Guess> {
    let (_, end) = path.rsplit('/').next()?.rsplit_once('.')?;
    match end.to_ascii_lowercase().as_str() {
        "md" | "markdown" | "mkd" => Some(Guess::Markdown),
        "csv" | "tsv" | "tab" => Some(Guess::Csv),
        _ => None,
    }
}

/// What a text at an address of this path is.
pub(crate) fn guess(text: &str, media: &Media, path: &str) -> Guess {
    let start = clip(text, SNIFF_BYTES);
    let root = root_name(start);
    let local = root.map(|root| root.rsplit(':').next().unwrap_or(root).to_ascii_lowercase());
    let is_drawing = local.as_deref() == Some("svg");
    let is_feed = matches!(local.as_deref(), Some("rss" | "feed" | "rdf" | "channel"));
    if media.is_json() {
        return if is_json_feed(start) { Guess::JsonFeed } else { Guess::Json };
    }
    if media.is_xml() || media.essence.ends_with("/rss") || media.essence.ends_with("/atom") {
        return match root {
            _ if is_feed => Guess::Feed,
            Some(root) if root.eq_ignore_ascii_case("html") => Guess::Html,
            _ if media.essence == "application/xhtml+xml" => Guess::Html,
            _ if is_drawing => Guess::Drawing,
            _ => Guess::Xml,
        };
    }
    if is_feed && (media.is_vague() || media.essence == "text/html") {
        return Guess::Feed;
    }
    if media.essence == "text/html" {
        return Guess::Html;
    }
    match media.essence.as_str() {
        "text/csv" | "application/csv" | "text/tab-separated-values" => return Guess::Csv,
        "text/comma-separated-values"
        | "text/x-csv"
        | "application/x-csv"
        | "application/vnd.ms-excel"
            if csv::is_table(text) =>
        {
            return Guess::Csv;
        }
        "text/markdown" | "text/x-markdown" | "application/markdown"
            if text.len() <= markdown::BYTES_MAX =>
        {
            return Guess::Markdown;
        }
        _ if !media.is_vague() => return Guess::Text,
        _ => {}
    }
    let first = start.trim_start().chars().next();
    match first {
        Some('{' | '[') if is_json_feed(start) => Guess::JsonFeed,
        Some('{' | '[') => Guess::MaybeJson,
        Some('<') if looks_like_html(start) && media.essence != "text/plain" => Guess::Html,
        Some('<') if start.trim_start().starts_with("<?xml") => {
            if is_drawing {
                Guess::Drawing
            } else {
                Guess::Xml
            }
        }
        Some('<') if media.essence != "text/plain" && is_drawing => Guess::Drawing,
        Some('<') if media.essence != "text/plain" && root.is_some() => Guess::Html,
        _ => match by_name(path) {
            Some(Guess::Markdown) if text.len() > markdown::BYTES_MAX => Guess::Text,
            named => named.unwrap_or(Guess::Text),
        },
    }
}

/// A drawing without what stands in front of it: HTML knows no such declarations.
pub(crate) fn drawing(text: &str) -> &str {
    text.find("<svg").map_or(text, |at| &text[at..])
}

fn is_json_feed(start: &str) -> bool {
    start.trim_start().starts_with('{')
        && (start.contains("https://jsonfeed.org/version/1")
            || start.contains("https:\\/\\/jsonfeed.org\\/version\\/1"))
}

pub(crate) fn looks_like_html(text: &str) -> bool {
    let start = clip(text, SNIFF_BYTES).trim_start();
    let start = after_declarations(start);
    starts_with_ignore_case(start, "<!doctype html")
        || root_name(start).is_some_and(|root| {
            const HTML: [&str; 10] =
                ["html", "head", "body", "div", "p", "title", "table", "h1", "meta", "script"];
            HTML.iter().any(|name| root.eq_ignore_ascii_case(name))
        })
}

/// The text after an XML declaration, processing instructions and comments.
fn after_declarations(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let end = if rest.starts_with("<?") {
            rest.find("?>").map(|at| at + 2)
        } else if rest.starts_with("<!--") {
            rest.find("-->").map(|at| at + 3)
        } else {
            None
        };
        let Some(end) = end else { return rest };
        rest = rest[end..].trim_start();
    }
}

/// The name of the first element, after declarations, comments and a document type.
fn root_name(text: &str) -> Option<&str> {
    let mut rest = after_declarations(text);
    if starts_with_ignore_case(rest, "<!doctype") {
        let end = match (rest.find('['), rest.find('>')) {
            (Some(open), Some(close)) if open < close => rest.find("]>").map(|at| at + 2),
            (_, close) => close.map(|at| at + 1),
        };
        rest = after_declarations(&rest[end?..]);
    }
    let name = rest.strip_prefix('<')?;
    let end = name.find(|c: char| !(c.is_alphanumeric() || ":_-.".contains(c)))?;
    (end > 0).then(|| &name[..end])
}
