//! Content that looks like no content.

use crate::{Extract, Kind};
use serde::{Deserialize, Serialize};

/// Why an answer is odd: it came with content, but hardly with what the page is watched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Odd {
    /// A page or a text that shows nothing: no text, no link, no image. A feed without entries, or
    /// an empty list in JSON, says something.
    Empty,
}

impl Odd {
    /// What the answer is, for people: "the answer is …".
    pub fn name(self) -> &'static str {
        match self {
            Odd::Empty => "an empty page",
        }
    }
}

/// Why this content is odd; `None`: it is not.
pub fn odd(extract: &Extract) -> Option<Odd> {
    let blank = extract.blocks.is_empty() && extract.links.is_empty() && extract.images.is_empty();
    (blank && matches!(extract.kind, Kind::Html | Kind::Text)).then_some(Odd::Empty)
}
