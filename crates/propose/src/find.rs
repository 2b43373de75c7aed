//! What is found: prices, stock, versions, dates.

use page::{Extract, Kind, Odd};
use regex::Regex;
use std::sync::LazyLock;

/// Texts of each sort that are listed.
const NOTABLE_MAX: usize = 3;
/// Characters of a text that is shown.
const CHARS_MAX: usize = 120;
/// Blocks beyond these are not searched; what a page is about stands before them.
const BLOCKS_MAX: usize = 2_000;

/// A sort of number or word that people watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    Price,
    Stock,
    Version,
    Date,
}

impl What {
    /// One word for people.
    pub fn name(self) -> &'static str {
        match self {
            What::Price => "price",
            What::Stock => "stock",
            What::Version => "version",
            What::Date => "date",
        }
    }

    /// How the language finds such a text again; see [`Regex`].
    pub(crate) fn pattern(self) -> &'static str {
        match self {
            What::Price => PRICE,
            What::Stock => STOCK,
            What::Version => VERSION,
            What::Date => DATE,
        }
    }
}

const PRICE: &str = r"(?:[€£$¥₹]|EUR|USD|GBP|CHF|JPY)\s?[0-9][0-9.,']*|[0-9][0-9.,']*\s?(?:[€£¥₹]|EUR\b|USD\b|GBP\b|CHF\b|zł|kr\b)";
const STOCK: &str = r"(?i)\b(?:in stock|out of stock|sold out|available now|back in stock|currently unavailable|auf lager|ausverkauft|nicht lieferbar|sofort lieferbar|en stock|rupture de stock|agotado|esgotado)\b";
const VERSION: &str = r"\bv?[0-9]{1,4}\.[0-9]{1,4}\.[0-9]{1,4}(?:[-+.][0-9A-Za-z.]+)?\b|\b[Vv]ersion [0-9]+(?:\.[0-9]+)+";
const DATE: &str = r"\b(?:19|20)[0-9]{2}-[01][0-9]-[0-3][0-9]|\b[0-3]?[0-9] (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* (?:19|20)[0-9]{2}\b|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* [0-3]?[0-9], (?:19|20)[0-9]{2}\b";

static SORTS: LazyLock<Vec<(What, Regex)>> = LazyLock::new(|| {
    let sorts = [What::Price, What::Stock, What::Version, What::Date];
    // They are constants, and a test compiles each.
    sorts.into_iter().filter_map(|what| Some((what, Regex::new(what.pattern()).ok()?))).collect()
});

/// A piece of text of such a sort.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notable {
    pub what: What,
    /// `49.90 EUR`.
    pub text: String,
    /// The block it stands in, cut to 120 characters.
    pub around: String,
}

/// What a person is shown of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Findings {
    /// Empty where the page has none.
    pub title: String,
    pub kind: Kind,
    pub blocks: usize,
    pub words: usize,
    pub links: usize,
    /// The page shows a field for a password.
    pub asks_password: bool,
    /// Why it looks like no content, if it does.
    pub odd: Option<Odd>,
    /// Addresses of feeds that the page announces.
    pub feeds: Vec<String>,
    /// At most three of each sort, in the order of the page.
    pub notable: Vec<Notable>,
}

impl Findings {
    /// The first of a sort.
    pub fn first(&self, what: What) -> Option<&Notable> {
        self.notable.iter().find(|one| one.what == what)
    }
}

/// What `extract` shows. Linear in its text.
pub fn findings(extract: &Extract) -> Findings {
    let mut notable: Vec<Notable> = Vec::new();
    for block in extract.blocks.iter().take(BLOCKS_MAX) {
        for (what, regex) in SORTS.iter() {
            for found in regex.find_iter(&block.text) {
                let text = found.as_str().trim_end_matches(['.', ',', '\'']).to_owned();
                let of_sort = notable.iter().filter(|one| one.what == *what);
                if of_sort.clone().count() >= NOTABLE_MAX {
                    break;
                }
                if of_sort.clone().all(|one| one.text != text) {
                    notable.push(Notable { what: *what, text, around: cut(&block.text) });
                }
            }
        }
    }
    notable.sort_by_key(|one| one.what);
    Findings {
        title: cut(extract.title.as_deref().unwrap_or_default().trim()),
        kind: extract.kind,
        blocks: extract.blocks.len(),
        words: extract.blocks.iter().map(|block| page::words(&block.text)).sum(),
        links: extract.links.len(),
        asks_password: extract.asks_password,
        odd: page::odd(extract),
        feeds: extract.feeds.iter().map(|feed| feed.href.clone()).collect(),
        notable,
    }
}

/// At most 120 characters.
pub(crate) fn cut(text: &str) -> String {
    match text.char_indices().nth(CHARS_MAX) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sort_finds_its_own_and_leaves_the_rest_alone() {
        for (what, text, expected) in [
            (What::Price, "now 49.90 EUR only", Some("49.90 EUR")),
            (What::Price, "€1,299.00 with tax", Some("€1,299.00")),
            (What::Price, "from £5.", Some("£5")),
            (What::Price, "5 people, 3.2 stars", None),
            (What::Stock, "Currently Out of stock.", Some("Out of stock")),
            (What::Stock, "we keep a stock of jokes", None),
            (What::Version, "Download v1.84.0 here", Some("v1.84.0")),
            (What::Version, "Version 3.2", Some("Version 3.2")),
            (What::Version, "3.2 stars of 5.0", None),
            (What::Date, "on 4 March 2027", Some("4 March 2027")),
            (What::Date, "2027-03-04T10:00", Some("2027-03-04")),
        ] {
            let (_, regex) = SORTS.iter().find(|(sort, _)| *sort == what).unwrap();
            let found = regex.find(text).map(|found| found.as_str().trim_end_matches(['.', ',']));
            assert_eq!(found, expected, "{text}");
        }
        assert_eq!(SORTS.len(), 4, "each pattern is a regular expression");
    }
}
