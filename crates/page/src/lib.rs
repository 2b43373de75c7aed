//! Bytes and a media type become content.
//!
//! Comes in: the body of an HTTP answer, its Content-Type and final URL. Goes out: an [`Extract`]
//! per [`View`], everything any change type can see of it, in canonical form, and its
//! [`fingerprint`]. Shells call [`extract()`] on worker threads. Promises: no I/O, no clock, no
//! randomness; the same bytes give the same extract on every machine; no input makes it panic,
//! hang or grow beyond [`Limits`].
//!
//! Start reading at [`extract()`]; each kind of content has a file of its own.

mod canonical;
mod charset;
mod cost;
mod csv;
mod cut;
mod dates;
mod feed;
mod fuzz;
mod gather;
mod html;
mod json;
mod letters;
mod limits;
mod markdown;
mod media;
mod names;
mod odd;
mod point;
mod prose;
mod region;
mod row;
mod shown;
mod strict;
mod struck;
mod summary;
mod text;
mod tree;
mod view;
mod xml;

pub use canonical::{DecodeError, decode, encode, fingerprint, fingerprint_of};
pub use cost::cost;
pub use cut::between_words;
pub use dates::DATES_MAX;
#[doc(hidden)]
pub use feed::{Link as FeedLink, Part as FeedPart, Person as FeedPerson, Said, Text as FeedText};
pub use fuzz::fuzz;
pub use html::Unread;
pub use html::related::is_aside as heads_a_box;
pub use letters::letters;
pub use limits::Limits;
pub use names::plain as plain_name;
pub use odd::{Odd, apart, beginning, odd};
pub use point::{Pointed, pointed};
pub use row::{Cell, Row, RowName, Spanned};
pub use select::{Region, Selector};
pub use shown::{Paint, shown};
pub use strict::{XmlNames, well_formed};
pub use struck::{MARK as STRUCK_MARK, standing, struck, without_marks};
pub use summary::{parts_read, summary, words};
pub use tree::{Tree, tree};
pub use view::{Dated, View, extract, extract_dated};

use serde::{Deserialize, Serialize};
use url::Url;

/// The number of the extractor of whole pages. An extract made by another number is never compared;
/// raise it whenever the same bytes would give a different extract.
pub const EXTRACTOR: u32 = 21;

/// What a body turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Html,
    Feed,
    Xml,
    Json,
    Text,
}

impl Kind {
    /// What it is, for people.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Html => "an HTML page",
            Kind::Feed => "a feed",
            Kind::Xml => "an XML document",
            Kind::Json => "a JSON document",
            Kind::Text => "plain text",
        }
    }
}

/// One block of visible text: a paragraph, heading, list item, table cell, feed entry, JSON member.
/// White space is collapsed; never empty.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Block {
    pub text: String,
    /// Not part of the fingerprint.
    #[serde(default, skip_serializing_if = "Part::is_main")]
    pub part: Part,
    /// 1 to 6 for a heading of that level, else 0. Not part of the fingerprint.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub heading: u8,
    /// A short paragraph in bold that heads what follows it. Not part of the fingerprint.
    #[serde(default, skip_serializing_if = "is_false")]
    pub heads: bool,
    /// How many lists it stands in, one within the other, 255 at most. Not part of the fingerprint.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub list: u8,
    /// The first of the innermost of these. Not part of the fingerprint.
    #[serde(default, skip_serializing_if = "is_false")]
    pub begins_list: bool,
    /// What names it among the blocks of its document: the id of its entry in a feed, its path in
    /// XML or JSON with members of lists by their names. Not part of the fingerprint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Box<str>>,
    /// When its entry of a feed was published, or, long after, changed. Not part of the
    /// fingerprint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<chronon::Instant>,
    /// What heads the cells of a row of a table, and which cells above span it. Not part of the
    /// fingerprint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<Box<Row>>,
    /// How many of the extract's links, in their order, begin here or after the block before. What
    /// stands behind the last block counts as its own. Not part of the fingerprint.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub links: u32,
    /// The same of its images.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub images: u32,
    /// The card that begins here. Not part of the fingerprint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<Card>,
}

/// Several blocks that stand beside others of their kind: an offer of a list, goods of a shop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "(u16, u16)", into = "(u16, u16)")]
pub struct Card {
    /// How many.
    pub blocks: u16,
    /// Which of them says what it is called, from 0 on.
    pub name: u16,
}

impl From<(u16, u16)> for Card {
    fn from((blocks, name): (u16, u16)) -> Card {
        Card { blocks, name }
    }
}

impl From<Card> for (u16, u16) {
    fn from(Card { blocks, name }: Card) -> (u16, u16) {
        (blocks, name)
    }
}

/// Which part of a page something belongs to.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// What the page is there for.
    #[default]
    Main,
    /// What a person works the page by: buttons, choices, names of fields. Another word on it may
    /// be news ("Sold out"); that it is there, is none.
    Control,
    /// What stands around it on every page of its site: navigation, header, footer, sidebars,
    /// dialogues.
    Frame,
}

impl Part {
    /// Part of the main content.
    pub fn is_main(&self) -> bool {
        *self == Part::Main
    }

    /// Around the main content.
    pub fn is_frame(&self) -> bool {
        *self == Part::Frame
    }
}

impl Block {
    /// The level of a paragraph in bold that heads what follows: below those of all headings.
    pub const BOLD: u8 = 7;

    /// The level at which it heads what follows: 1 to 6 for a heading, 7 for a paragraph in bold,
    /// else 0.
    pub fn level(&self) -> u8 {
        match (self.heading, self.heads) {
            (0, true) => Block::BOLD,
            (level, _) => level,
        }
    }

    /// A block of the main content that is no heading.
    pub fn plain(text: impl Into<String>) -> Block {
        Block {
            text: text.into(),
            part: Part::Main,
            heading: 0,
            list: 0,
            heads: false,
            begins_list: false,
            key: None,
            at: None,
            row: None,
            links: 0,
            images: 0,
            card: None,
        }
    }
}

fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

/// A hyperlink: `href` resolved against the final URL, without what names the visit (session ids,
/// tracking parameters), and its anchor text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Link {
    pub href: String,
    pub text: String,
    /// Not part of the fingerprint.
    #[serde(default, skip_serializing_if = "Part::is_main")]
    pub part: Part,
}

impl Link {
    /// A link of the main content.
    pub fn plain(href: impl Into<String>, text: impl Into<String>) -> Link {
        Link { href: href.into(), text: text.into(), part: Part::Main }
    }
}

/// An image: `src` resolved against the final URL, and its alternative text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Image {
    pub src: String,
    pub alt: String,
    /// Not part of the fingerprint.
    #[serde(default, skip_serializing_if = "Part::is_main")]
    pub part: Part,
}

impl Image {
    /// An image of the main content.
    pub fn plain(src: impl Into<String>, alt: impl Into<String>) -> Image {
        Image { src: src.into(), alt: alt.into(), part: Part::Main }
    }
}

/// An entry of a feed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Item {
    /// As the feed has it; where it has none the entry's address, with its title if others lead
    /// there, too; else its title.
    pub id: String,
    pub title: String,
    /// Empty: it leads nowhere.
    pub href: String,
    /// The summary and the content, without markup.
    pub text: String,
    /// When it was published, or, long after, changed. Not part of the fingerprint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<chronon::Instant>,
}

/// Everything any change type can see of one view of a version, in document order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extract {
    pub extractor: u32,
    pub kind: Kind,
    /// For people: no change type looks at it, so it is not part of the fingerprint.
    pub title: Option<String>,
    pub blocks: Vec<Block>,
    /// The headings of the columns of tables, as rows refer to them; not part of the fingerprint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headings: Vec<Box<[Box<str>]>>,
    pub links: Vec<Link>,
    pub images: Vec<Image>,
    /// Feeds the page announces (`rel=alternate`). For people; not part of the fingerprint.
    pub feeds: Vec<Link>,
    /// What limits kept out. For people; not part of the fingerprint.
    #[serde(default, skip_serializing_if = "LeftOut::is_nothing")]
    pub left_out: LeftOut,
    /// The entries of a feed; only in the view that asks for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<Item>,
    /// The language of the text, as the page says it (`de-CH`): of HTML, and in views of selectors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Box<str>>,
    /// Why a view shows nothing, as a sentence: its selector finds nothing, or cannot look here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<Box<str>>,
    /// The page shows a field for a password; not part of the fingerprint.
    #[serde(default, skip_serializing_if = "is_false")]
    pub asks_password: bool,
}

impl Extract {
    /// What is read of a body of this kind that shows nothing.
    #[must_use]
    pub fn empty(kind: Kind) -> Extract {
        Extract {
            extractor: EXTRACTOR,
            kind,
            title: None,
            blocks: Vec::new(),
            headings: Vec::new(),
            links: Vec::new(),
            images: Vec::new(),
            feeds: Vec::new(),
            left_out: LeftOut::default(),
            items: Vec::new(),
            language: None,
            missing: None,
            asks_password: false,
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_false(flag: &bool) -> bool {
    !*flag
}

/// What of a body is not in its extract, because a limit was reached.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Links beyond the last that was taken.
    #[serde(default)]
    pub links: u32,
    /// Images beyond the last that was taken.
    #[serde(default)]
    pub images: u32,
    /// Whether text is missing.
    #[serde(default)]
    pub text: bool,
    /// Whether markup is missing, with whatever it held.
    #[serde(default)]
    pub markup: bool,
}

impl LeftOut {
    /// Everything is there.
    pub fn is_nothing(&self) -> bool {
        *self == LeftOut::default()
    }
}

/// What the answer said of its body.
#[derive(Debug, Clone, Copy)]
pub struct Hints<'a> {
    /// The Content-Type header as it came, parameters included.
    pub content_type: Option<&'a str>,
    /// The URL that answered, after redirects; relative links are resolved against it.
    pub url: &'a Url,
}

/// Why a body has no extract. Each is a failed probe (`docs/design.md`, How a probe ends) and reads
/// as a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// Neither HTML, XML, a feed, JSON nor text.
    #[error(
        "the body is {what}, which Tidings cannot read; watch a page, a feed, XML, JSON or text"
    )]
    Unsupported { what: String },
    /// The media type promised a format that the body does not keep to.
    #[error("the body is not well-formed {format}: {reason}")]
    Malformed { format: &'static str, reason: String },
    /// Longer than [`Limits::body_bytes_max`].
    #[error("the body has {bytes} bytes; the limit is {max} (fetch.body_bytes_max)")]
    TooLarge { bytes: usize, max: usize },
}

/// The encoding that a body is read in, by the name that browsers give it (`windows-1252`);
/// they have none for UTF-32.
pub fn encoding(body: &[u8], content_type: Option<&str>) -> &'static str {
    charset::name(body, media::Media::parse(content_type).charset())
}

/// What a feed in XML says, as it is written, whatever its media type.
///
/// # Errors
/// It is no XML that can be mended, or too large.
pub fn feed(body: &[u8], hints: &Hints<'_>, limits: &Limits) -> Result<Said, ReadError> {
    let media = media::Media::parse(hints.content_type);
    let text = view::decoded(body, &media, limits)?;
    feed::said(text.trim_start_matches('\u{feff}'), hints.url, limits).map(|(said, _)| said)
}

/// Reads a whole page: finds out its kind and character set, and extracts what change types can
/// see.
///
/// Kind: the media type, corrected by a look at the first bytes (feeds are often served as XML,
/// HTML or plain text). The end of the address says whether plain text is Markdown or CSV; both are
/// [`Kind::Text`]. Character set: byte order mark, `<?` in UTF-16 or
/// `<` in UTF-32, Content-Type, `<meta>` or XML
/// declaration, else guessed from the bytes. Lists that exceed a limit are cut in document order,
/// so the result stays a function of the bytes; [`Extract::left_out`] says so. Time and memory are
/// linear in `body.len()`.
pub fn read(body: &[u8], hints: &Hints<'_>, limits: &Limits) -> Result<Extract, ReadError> {
    let mut extracts = extract(body, hints, limits, [View::Page])?;
    Ok(extracts.remove(&View::Page).expect("the whole page has an extractor"))
}
