//! Regular expressions: each compiled once per file, within limits of size and time.

use crate::limits::{REGEX_BYTES_MAX, REGEX_COMPILED_BYTES_MAX, REGEXES_MAX};
use crate::place::Sink;
use crate::syntax::Name;
use std::collections::BTreeMap;

/// What finding one too large costs, in patterns of ordinary size.
const TOO_LARGE_COSTS: usize = 20;

/// The regular expressions of one file; each is compiled once.
#[derive(Default)]
pub(crate) struct Patterns {
    known: BTreeMap<String, Option<String>>,
    /// True for stored text, whose patterns compiled when it was stored.
    trusted: bool,
    /// Patterns compiled; one that was found too large counts as many, for it took as long.
    cost: usize,
}

impl Patterns {
    /// Compiles `pattern` if it is new; what is wrong with it goes into `sink`.
    pub(crate) fn check(&mut self, pattern: &Name, sink: &mut Sink) {
        if self.trusted {
            return;
        }
        if pattern.text.len() > REGEX_BYTES_MAX {
            let message = format!("a regular expression has at most {REGEX_BYTES_MAX} bytes");
            sink.value(pattern.place, message, "write a shorter one");
            return;
        }
        if !self.known.contains_key(&pattern.text) {
            if self.cost >= REGEXES_MAX {
                let help = "use fewer different ones, or split the file";
                sink.value(pattern.place, "this file has too many regular expressions", help);
                return;
            }
            let compiled = regex::RegexBuilder::new(&pattern.text)
                .size_limit(REGEX_COMPILED_BYTES_MAX)
                .nest_limit(100)
                .build();
            self.cost += match &compiled {
                Err(regex::Error::CompiledTooBig(_)) => TOO_LARGE_COSTS,
                _ => 1,
            };
            let error = compiled.err().map(|error| reason(&error));
            self.known.insert(pattern.text.clone(), error);
        }
        if let Some(Some(error)) = self.known.get(&pattern.text) {
            let message = format!("this regular expression does not compile: {error}");
            let help = "write it for the Rust crate `regex`, with `\\\\` for each backslash";
            sink.value(pattern.place, message, help);
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
        Patterns { trusted: true, ..Patterns::default() }
    }
}
