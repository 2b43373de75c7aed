//! Regular expressions: each compiled once per file, within limits of size and time.

use crate::limits::{
    REGEX_BYTES_MAX, REGEX_COMPILED_BYTES_MAX, REGEX_ORDINARY_BYTES_MAX, REGEXES_MAX,
};
use crate::place::{Place, Sink};
use crate::syntax::Name;
use select::{Language, Selector};
use std::collections::BTreeMap;

/// What one larger than ordinary counts, in ordinary ones: about as much longer it takes.
const LARGE_COUNTS: usize = 10;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Compiling,
    /// Only says which there are.
    Listing,
    /// For stored text, whose patterns compiled when it was stored.
    Trusting,
}

/// The regular expressions of one text, each compiled once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Patterns {
    known: BTreeMap<String, Option<String>>,
    mode: Mode,
    /// Patterns compiled; one that is large counts as many, for it took as long.
    count: usize,
}

impl Patterns {
    /// Only says which there are.
    pub(crate) fn listing() -> Patterns {
        Patterns { mode: Mode::Listing, ..Patterns::default() }
    }

    /// Each that was met, in order.
    pub(crate) fn into_known(self) -> Vec<String> {
        self.known.into_keys().collect()
    }

    /// Compiles one more, unless the file has too many; its size bounds how long that takes.
    pub(crate) fn add(&mut self, pattern: &str) {
        if self.count < REGEXES_MAX && !self.knows(pattern) {
            let error = self.compile(pattern).err().map(|error| reason(&error));
            self.known.insert(pattern.to_owned(), error);
        }
    }

    /// Whether it was looked at, and so need not be again.
    pub(crate) fn knows(&self, pattern: &str) -> bool {
        self.known.contains_key(pattern)
    }

    /// Compiles `pattern` if it is new; what is wrong with it goes into `sink`.
    pub(crate) fn check(&mut self, pattern: &Name, sink: &mut Sink) {
        if self.mode == Mode::Trusting {
            return;
        }
        if pattern.text.len() > REGEX_BYTES_MAX {
            let message = format!("a regular expression has at most {REGEX_BYTES_MAX} bytes");
            sink.value(pattern.place, message, "write a shorter one");
            return;
        }
        if self.mode == Mode::Listing {
            self.known.insert(pattern.text.clone(), None);
            return;
        }
        self.add(&pattern.text);
        if !self.knows(&pattern.text) {
            let help = "use fewer different ones, or split the file";
            sink.value(pattern.place, "this file has too many regular expressions", help);
        }
        if let Some(Some(error)) = self.known.get(&pattern.text) {
            let message = format!("this regular expression does not compile: {error}");
            let is_unknown = error.contains("look-around") || error.contains("backreferences");
            let help = if is_unknown {
                "look-ahead, look-behind and back-references such as \\1 are not supported; write it \
                 without them"
            } else {
                "check its brackets, and write `\\\\` for each backslash"
            };
            sink.value(pattern.place, message, help);
        }
    }
}

impl Patterns {
    /// Compiles a selector; what is wrong with it goes into `sink`.
    pub(crate) fn check_selector(&self, selector: &Selector, place: Place, sink: &mut Sink) {
        if self.mode != Mode::Compiling {
            return;
        }
        let Err(error) = selector.check(&select::Limits::default()) else { return };
        let help = match selector.language {
            Language::Css => "write one as in `css \"#main > div:nth-child(3) > span.price\"`",
            Language::XPath => "write one as in `xpath \"//table[@id='x']//tr[2]/td[3]\"`",
            Language::Meta => "write the name or property of a <meta>, as in `meta \"og:title\"`",
            _ => "write one as in `$.offers[0].price`; it begins with `$`",
        };
        sink.value(place, format!("this selector cannot be used: {error}"), help);
    }

    fn compile(&mut self, pattern: &str) -> Result<(), regex::Error> {
        let within = |bytes| {
            let mut builder = regex::RegexBuilder::new(pattern);
            builder.size_limit(bytes).nest_limit(100).build().map(drop)
        };
        self.count += 1;
        match within(REGEX_ORDINARY_BYTES_MAX) {
            Err(regex::Error::CompiledTooBig(_)) => {
                self.count += LARGE_COUNTS;
                within(REGEX_COMPILED_BYTES_MAX)
            }
            other => other,
        }
    }
}

fn reason(error: &regex::Error) -> String {
    match error {
        regex::Error::CompiledTooBig(limit) => format!("it takes more than {limit} bytes"),
        other => {
            let text = other.to_string();
            let last = text.lines().last().unwrap_or_default();
            last.trim_start_matches("error: ").to_owned()
        }
    }
}

impl Patterns {
    /// For text that was checked before it was stored.
    pub(crate) fn trusted() -> Patterns {
        Patterns { mode: Mode::Trusting, ..Patterns::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parsed;
    use crate::place::Place;

    #[test]
    fn a_large_pattern_counts_as_the_ordinary_ones_it_takes_as_long_as() {
        let count = |pattern: &str| {
            let text = format!("create sentinel a using b monitor links matching \"{pattern}\"");
            Parsed::of(text).compiled().patterns.count
        };
        assert_eq!(count("[0-9]+ EUR"), 1);
        assert_eq!(count(r"\\w{3} EUR"), 1 + LARGE_COUNTS);
        assert_eq!(count(r"(\\w{100}){100}"), 1 + LARGE_COUNTS);
    }

    #[test]
    fn what_was_compiled_before_is_not_compiled_again() {
        let text = "create sentinel a using http://a.example monitor links matching \"[0-9]+ EUR\" \
                    create sentinel b using a monitor images matching \"(\"";
        let mut patterns = Parsed::of(text).compiled().patterns;
        assert!(patterns.knows("[0-9]+ EUR") && patterns.knows("(") && !patterns.knows("x"));
        let said = Some("as it was found then".to_owned());
        patterns.known.insert("[0-9]+ EUR".to_owned(), said);
        let mut sink = Sink::default();
        let name = Name { text: "[0-9]+ EUR".to_owned(), place: Place::new(0, 1) };
        patterns.check(&name, &mut sink);
        let found = sink.into_diagnostics("[0-9]+ EUR");
        assert!(found[0].message.ends_with("does not compile: as it was found then"), "{found:?}");
    }
}
