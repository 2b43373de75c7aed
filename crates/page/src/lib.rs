//! Bytes and a media type become content.
//!
//! Comes in: the body of an HTTP answer, its Content-Type and final URL. Goes out: an [`Extract`],
//! everything any change type can see, in canonical form, and its [`fingerprint`]. Shells call
//! [`read`] on worker threads. Promises: no I/O, no clock, no randomness; the same bytes give the
//! same extract on every machine; no input makes it panic, hang or grow beyond [`Limits`].
//!
//! Start reading at [`read`].

use serde::{Deserialize, Serialize};

/// The number of this extractor. An extract made by another number is never compared; raise it
/// whenever the same bytes would give a different extract.
pub const EXTRACTOR: u32 = 1;

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

/// One block of visible text: a paragraph, heading, list item, table cell, feed entry, JSON member.
/// White space is collapsed; never empty.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Block {
    pub text: String,
}

/// A hyperlink: `href` resolved against the final URL, and its anchor text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Link {
    pub href: String,
    pub text: String,
}

/// An image: `src` resolved against the final URL, and its alternative text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Image {
    pub src: String,
    pub alt: String,
}

/// Everything any change type can see of one version, in document order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extract {
    pub extractor: u32,
    pub kind: Kind,
    pub title: Option<String>,
    pub blocks: Vec<Block>,
    pub links: Vec<Link>,
    pub images: Vec<Image>,
    /// Feeds the page announces (`rel=alternate`). For people; not part of the fingerprint.
    pub feeds: Vec<Link>,
}
