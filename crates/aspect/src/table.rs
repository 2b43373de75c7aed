//! The table: a variant and a row for each aspect.

use crate::{Row, Subject, Terms};

/// What of a page is compared, in the order in which a round asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aspect {
    /// Blocks of visible text, in their order.
    Any,
    /// Hyperlinks.
    Links,
    /// Images.
    Images,
    /// All words but some.
    Words,
    /// Some words.
    Keywords,
    /// Some texts.
    Phrases,
    /// The texts that a selector finds.
    Text,
    /// The numbers that a selector finds.
    Value,
    /// The entries of a feed.
    Items,
    /// Blocks of visible text, links and images, however little they count.
    Everything,
    /// How the page answers, whatever it shows.
    Status,
}

/// A row per aspect, in the order of the variants.
pub(crate) static TABLE: [Row; 11] = [
    Row {
        aspect: Aspect::Any,
        name: "any",
        written: &["any change", "anychange"],
        terms: Terms::None,
        sample: &[],
        noun: "passage",
        subject: Subject::One("anything"),
        moves: true,
        meaning: "blocks of visible text: inserted, deleted, updated, moved; where links lead and \
                  which pictures are shown; what counts little is held back",
    },
    Row {
        aspect: Aspect::Links,
        name: "links",
        written: &["all links"],
        terms: Terms::None,
        sample: &[],
        noun: "link",
        subject: Subject::Several("links"),
        moves: false,
        meaning: "address (resolved against the final URL, without sessions and campaigns) and text",
    },
    Row {
        aspect: Aspect::Images,
        name: "images",
        written: &["all images"],
        terms: Terms::None,
        sample: &[],
        noun: "image",
        subject: Subject::Several("images"),
        moves: false,
        meaning: "address and alternative text",
    },
    Row {
        aspect: Aspect::Words,
        name: "words",
        written: &["all words"],
        terms: Terms::Except,
        sample: &["the", "and"],
        noun: "word",
        subject: Subject::Several("words"),
        moves: false,
        meaning: "the count of each word, exceptions left out",
    },
    Row {
        aspect: Aspect::Keywords,
        name: "keywords",
        written: &["keyword", "keywords"],
        terms: Terms::Words,
        sample: &["oil", "gas"],
        noun: "keyword",
        subject: Subject::One("the word"),
        moves: false,
        meaning: "the count of each of these words: whole words, without case",
    },
    Row {
        aspect: Aspect::Phrases,
        name: "phrases",
        written: &["phrase", "phrases"],
        terms: Terms::Phrases,
        sample: &["crude oil"],
        noun: "phrase",
        subject: Subject::One("the phrase"),
        moves: false,
        meaning: "each occurrence, without case, white space collapsed",
    },
    Row {
        aspect: Aspect::Text,
        name: "text",
        written: &["text of"],
        terms: Terms::Pointed,
        sample: &["css \"h1\""],
        noun: "text",
        subject: Subject::One("the text of"),
        moves: true,
        meaning: "the texts that a selector finds, as one list",
    },
    Row {
        aspect: Aspect::Value,
        name: "value",
        written: &["value of"],
        terms: Terms::Tests,
        sample: &["css \".price\"", "< 40"],
        noun: "value",
        subject: Subject::One("the value of"),
        moves: false,
        meaning: "the numbers that a selector finds, each with its unit or currency",
    },
    Row {
        aspect: Aspect::Items,
        name: "items",
        written: &["items"],
        terms: Terms::None,
        sample: &[],
        noun: "item",
        subject: Subject::Several("items"),
        moves: false,
        meaning: "entries of a feed, told apart by id: new, changed, vanished",
    },
    Row {
        aspect: Aspect::Everything,
        name: "everything",
        written: &["everything"],
        terms: Terms::None,
        sample: &[],
        noun: "difference",
        subject: Subject::One("anything at all"),
        moves: true,
        meaning: "each difference of visible text, links and images, however little it counts",
    },
    Row {
        aspect: Aspect::Status,
        name: "status",
        written: &["status"],
        terms: Terms::None,
        sample: &[],
        noun: "change of status",
        subject: Subject::One("the status"),
        moves: false,
        meaning: "how the page answers, from one look to another: up, down, moved, login wall, \
                  soft 404, empty shell",
    },
];
