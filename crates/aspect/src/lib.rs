//! The aspects of a page that can be compared, in one table.
//!
//! An aspect is a change type without its words: `links`, `keywords`. Its row says how the language
//! writes it and what people call it; the parser, the printer, notifications, the API and the book
//! read the row. How an aspect is compared is the crate `change`'s matter, in a file of its own.
//! Promises: pure data.
//!
//! Start reading at `table.rs`; a new change type begins there.

mod amount;
mod table;
mod test;

pub use amount::{Amount, Decimal, currency};
pub use table::Aspect;
pub use test::{Operator, Test};

/// What is said of an aspect.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    pub aspect: Aspect,
    /// In stored results, bodies and the API (`docs/formats.md`, Webhook).
    pub name: &'static str,
    /// How the language writes it: the canonical form first. Where terms follow and there are
    /// several, the last form is canonical. An `all` at the start may be left out.
    pub written: &'static [&'static str],
    pub terms: Terms,
    /// The terms of an example.
    pub sample: &'static [&'static str],
    /// One change of it, for people.
    pub noun: &'static str,
    pub subject: Subject,
    /// Whether `moved` can happen.
    pub moves: bool,
    /// What is compared (`docs/language.md`, Change types).
    pub meaning: &'static str,
}

/// The words that follow an aspect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Terms {
    /// Nothing follows.
    None,
    /// `except` and words; both may be missing.
    Except,
    /// Words, `*` allowed at either end.
    Words,
    /// Texts in quotes.
    Phrases,
    /// A selector.
    Pointed,
    /// A selector, and what its value is tested for; the test may be missing.
    Tests,
}

impl Terms {
    /// Names the list in stored results.
    pub fn key(self) -> Option<&'static str> {
        match self {
            Terms::None | Terms::Pointed => None,
            Terms::Except => Some("except"),
            Terms::Words => Some("words"),
            Terms::Phrases => Some("phrases"),
            Terms::Tests => Some("tests"),
        }
    }

    /// Whether an aspect says nothing without them.
    pub fn are_needed(self) -> bool {
        !matches!(self, Terms::None | Terms::Except)
    }

    /// Whether a selector follows.
    pub fn is_pointed(self) -> bool {
        matches!(self, Terms::Pointed | Terms::Tests)
    }
}

/// What changes, in a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    One(&'static str),
    Several(&'static str),
}

impl Aspect {
    /// All aspects, in their order.
    pub fn all() -> impl Iterator<Item = Aspect> + Clone {
        table::TABLE.iter().map(|row| row.aspect)
    }

    /// What the table says of it.
    pub fn row(self) -> &'static Row {
        &table::TABLE[self as usize]
    }

    /// The aspect of this name (see [`Row::name`]).
    pub fn named(name: &str) -> Option<Aspect> {
        Aspect::all().find(|aspect| aspect.row().name == name)
    }

    /// Its canonical text with `terms`, as in `all words except the, and`; `quoted` writes a
    /// phrase. The first term of one that is pointed is its selector, as written.
    pub fn write<'t>(
        self,
        terms: impl IntoIterator<Item = &'t str>,
        quoted: impl Fn(&str) -> String,
    ) -> String {
        let Row { written, terms: shape, .. } = self.row();
        let terms: Vec<String> = match shape {
            Terms::Phrases => terms.into_iter().map(quoted).collect(),
            _ => terms.into_iter().map(str::to_owned).collect(),
        };
        let apart = if shape.is_pointed() { " " } else { ", " };
        let list = terms.join(apart);
        match (shape, terms.len()) {
            (Terms::None, _) | (_, 0) => written[0].to_owned(),
            (Terms::Except, _) => format!("{} except {list}", written[0]),
            (_, 1) | (Terms::Pointed | Terms::Tests, _) => format!("{} {list}", written[0]),
            _ => format!("{} {list}", written[written.len() - 1]),
        }
    }

    /// How it begins where nothing is shown of its terms: `any change`, `links`, `keyword`.
    pub fn head(self) -> &'static str {
        let first = self.row().written[0];
        first.strip_prefix("all ").unwrap_or(first)
    }

    /// An example that can be written: `links`, `keyword oil, gas`, `phrase "crude oil"`.
    pub fn example(self) -> String {
        let Row { terms, sample, .. } = self.row();
        match terms {
            Terms::None | Terms::Except => self.head().to_owned(),
            Terms::Pointed | Terms::Tests => format!("{} {}", self.head(), sample.join(" ")),
            Terms::Words => format!("{} {}", self.head(), sample.join(", ")),
            Terms::Phrases => format!("{} \"{}\"", self.head(), sample.join("\", \"")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_stands_at_its_aspect_s_place_under_a_name_of_its_own() {
        for (place, row) in table::TABLE.iter().enumerate() {
            assert_eq!(row.aspect as usize, place);
            assert_eq!(Aspect::named(row.name), Some(row.aspect));
            assert_eq!(row.terms == Terms::None, row.sample.is_empty(), "{}", row.name);
        }
        assert_eq!(Aspect::named("colours"), None);
    }

    #[test]
    fn terms_are_written_as_the_language_has_them() {
        let write = |aspect: Aspect, terms: &[&str]| {
            aspect.write(terms.iter().copied(), |text| format!("\"{text}\""))
        };
        assert_eq!(write(Aspect::Any, &[]), "any change");
        assert_eq!(write(Aspect::Words, &[]), "all words");
        assert_eq!(write(Aspect::Words, &["a", "b"]), "all words except a, b");
        assert_eq!(write(Aspect::Keywords, &["oil"]), "keyword oil");
        assert_eq!(write(Aspect::Keywords, &["gas", "oil"]), "keywords gas, oil");
        assert_eq!(write(Aspect::Phrases, &["a b", "c"]), "phrases \"a b\", \"c\"");
        let examples = [Aspect::Any, Aspect::Words, Aspect::Keywords, Aspect::Phrases];
        let written = ["any change", "words", "keyword oil, gas", "phrase \"crude oil\""];
        assert_eq!(examples.map(Aspect::example), written);
    }
}
