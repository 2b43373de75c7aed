//! Moving in: exports of other monitors and feed readers, in the sentinel language.
//!
//! Comes in: the bytes of a file that another tool wrote, or a list of addresses. Goes out: an
//! [`Entry`] for each thing it watched, with a [`Wish`] that writes a sentinel, and what of it
//! could not be carried over, each beside the nearest that Tidings has. Promises: pure; nothing is
//! left out in silence; no file makes it panic, hang or take more memory than [`limits`] allow.
//!
//! [`write_opml`] goes the other way. Start reading at [`read`], then [`Wish::text`].

mod addresses;
mod archive;
mod changedetection;
mod distill;
mod fields;
pub mod limits;
mod readers;
mod urlwatch;
mod wish;

pub use readers::write_opml;
pub use wish::{Kept, Part, Selector, Wish};

use encoding_rs::{Encoding, UTF_8};
use serde_json::Value;
use std::borrow::Cow;

/// The tool whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// A backup (zip), `url-watches.json`, or answers of its API.
    Changedetection,
    /// `urls.yaml` of urlwatch, `jobs.yaml` of webchanges.
    Urlwatch,
    /// OPML: Miniflux, FreshRSS and most feed readers.
    Opml,
    /// The list of feeds of Miniflux's API.
    Miniflux,
    /// The watchlist of Distill, as JSON.
    Distill,
    /// One address a line.
    Addresses,
}

impl Tool {
    /// What it is, for people.
    pub fn name(self) -> &'static str {
        match self {
            Tool::Changedetection => "changedetection.io",
            Tool::Urlwatch => "urlwatch or webchanges",
            Tool::Opml => "a feed reader (OPML)",
            Tool::Miniflux => "Miniflux",
            Tool::Distill => "Distill",
            Tool::Addresses => "a list of addresses",
        }
    }
}

/// What a file holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Import {
    pub tool: Tool,
    /// In the order of the file; those of an archive by name.
    pub entries: Vec<Entry>,
}

/// One thing that the other tool watched.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Where it stands in the file, for people: `job 3`, `line 12`, `watch 9caadb4d`; what a feed
    /// reader calls it.
    pub place: String,
    /// None where nothing of it can be watched; `left` says why.
    pub wish: Option<Wish>,
    pub left: Vec<Left>,
}

/// Something that could not be carried over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// What the other tool did.
    pub what: String,
    /// The nearest that there is here.
    pub nearest: String,
}

impl Left {
    pub(crate) fn new(what: impl Into<String>, nearest: impl Into<String>) -> Left {
        Left { what: what.into(), nearest: nearest.into() }
    }
}

/// Why a file cannot be read. Each reads as a sentence.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error(
        "this is no export that Tidings knows; it reads backups and API answers of \
         changedetection.io, urls.yaml of urlwatch, jobs.yaml of webchanges, OPML, feeds of \
         Miniflux, watchlists of Distill, and lists of addresses, one a line"
    )]
    Unknown,
    #[error("these are sentinels already: `tidings apply FILE` starts them")]
    Sentinels,
    #[error("the file has more than {} MiB", limits::FILE_BYTES_MAX >> 20)]
    TooLarge,
    #[error("the file has more than {} entries; split it", limits::ENTRIES_MAX)]
    TooMany,
    #[error("the archive cannot be read: {0}")]
    Archive(String),
    #[error("the archive holds neither watches of changedetection.io nor an OPML file")]
    EmptyArchive,
    #[error("the file is not text in {0}; save it as UTF-8")]
    NotText(&'static str),
    #[error("the YAML cannot be read: {0}")]
    Yaml(String),
    #[error("the OPML cannot be read: {0}")]
    Opml(String),
}

/// Reads the export of another tool; which one it is, is found out from its content.
///
/// O(bytes), beside the decompression of archives, which [`limits`] bound.
pub fn read(bytes: &[u8]) -> Result<Import, ImportError> {
    if bytes.len() > limits::FILE_BYTES_MAX {
        return Err(ImportError::TooLarge);
    }
    let import = if bytes.starts_with(b"PK\x03\x04") {
        archive::read(bytes)?
    } else {
        of_text(&decoded(bytes)?)?
    };
    match import.entries.len() {
        0..=limits::ENTRIES_MAX => Ok(import),
        _ => Err(ImportError::TooMany),
    }
}

/// The text of a file: in the encoding that its first bytes mark, or that its XML declares; else
/// UTF-8.
pub(crate) fn decoded(bytes: &[u8]) -> Result<Cow<'_, str>, ImportError> {
    let (encoding, mark) = match Encoding::for_bom(bytes) {
        Some(marked) => marked,
        None => (declared(bytes).unwrap_or(UTF_8), 0),
    };
    let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes[mark..]);
    text.ok_or(ImportError::NotText(encoding.name()))
}

/// What the declaration of an XML document says of its encoding.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let declaration = bytes.trim_ascii_start().strip_prefix(b"<?xml")?;
    let end = declaration.iter().position(|&byte| byte == b'>')?;
    let declaration = std::str::from_utf8(&declaration[..end]).ok()?;
    let (_, value) = declaration.split_once("encoding")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let label = value.strip_prefix(['"', '\''])?.split(['"', '\'']).next()?;
    Encoding::for_label(label.as_bytes())
}

pub(crate) fn of_text(text: &str) -> Result<Import, ImportError> {
    let start = text.trim_start();
    if start.starts_with('<') {
        return readers::opml(start);
    }
    if start.starts_with(['{', '[']) {
        let value: Value = serde_json::from_str(text).map_err(|_| ImportError::Unknown)?;
        return of_json(&value);
    }
    if let Some(import) = addresses::read(text) {
        return Ok(import);
    }
    if text.lines().any(is_statement) {
        return Err(ImportError::Sentinels);
    }
    urlwatch::read(text)
}

/// A line begins a sentinel or a rule of Tidings.
fn is_statement(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let kind = words.next().filter(|word| *word == "create").and_then(|_| words.next());
    matches!(kind, Some("sentinel" | "rule" | "event"))
}

fn of_json(value: &Value) -> Result<Import, ImportError> {
    changedetection::read(value)
        .or_else(|| distill::read(value))
        .or_else(|| readers::miniflux(value))
        .ok_or(ImportError::Unknown)
}
