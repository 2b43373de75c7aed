//! Selectors: what of a document somebody points at.
//!
//! Comes in: a selector as people and browsers' tools write it, and a parsed document. Goes out:
//! the places it finds, in document order. Promises: no I/O, no clock, no randomness; no selector
//! and no document makes it panic, hang or exceed [`Limits`]; a limit that bites is an error, never
//! a shorter answer.
//!
//! [`Css`] and [`XPath`] look into the trees that `page` builds of HTML and XML, [`JsonPath`] into
//! JSON. A [`Region`] is what the sentinel language says of a part of a page. Start reading at
//! [`Limits`]; each language has a file of its own.

mod css;
mod fuzz;
mod jsonpath;
mod limits;
mod region;
mod xpath;

pub use css::Css;
#[doc(hidden)]
pub use fuzz::fuzz;
pub use jsonpath::JsonPath;
pub use limits::Limits;
pub use region::{Compiled, Language, Region, Selector, Side};
pub use xpath::{Found, Order, Part, XPath};

/// What the trees of markup consist of.
pub type Tree = ego_tree::Tree<scraper::Node>;

/// A document of markup: its tree, and what its names mean.
#[derive(Debug, Clone, Copy)]
pub struct Markup<'t> {
    pub tree: &'t Tree,
    /// Whether it was parsed as HTML, where names have no case.
    pub is_html: bool,
}

/// Why a text is no selector, as a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// The language does not know what stands there.
    #[error("this is no {language} at byte {at}: {what}")]
    Syntax { language: &'static str, at: usize, what: String },
    /// Longer than [`Limits::source_bytes_max`].
    #[error("the selector has {bytes} bytes; the limit is {max}: point with fewer steps")]
    TooLong { bytes: usize, max: usize },
    /// Brackets nested deeper than [`Limits::nesting_max`].
    #[error("brackets are nested deeper than {max}; take the selector apart")]
    TooDeep { max: usize },
    /// More operators than an XPath expression may have.
    #[error("there are more than {max} operators; take the selector apart")]
    TooMany { max: usize },
}

/// Why there is no answer, as a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Spent {
    /// [`Limits::steps_max`] was reached.
    #[error("finding it takes more than {max} steps on this page; point more directly")]
    Steps { max: u64 },
    /// [`Limits::results_max`] was reached.
    #[error("it finds more than {max} places on this page; point at fewer")]
    Results { max: usize },
    /// The selector means nothing on any page: a function that there is not, an unbound variable.
    #[error("it cannot be evaluated: {what}")]
    Meaningless { what: String },
}
