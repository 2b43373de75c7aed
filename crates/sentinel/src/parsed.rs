//! A text that was parsed, on its way to a check.

use crate::check::rule;
use crate::draft::Lowering;
use crate::parser::{File, parse};
use crate::patterns::Patterns;
use crate::place::Sink;
use crate::syntax::rule::Rule;
use crate::syntax::{Statement, Target};
use chronon::Span;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A text that was parsed, once: what a check needs of the world, and the regular expressions that
/// are compiled already.
///
/// Compiling is all that takes long in a check (seconds for a text that means harm). Whoever may
/// not wait for it compiles them one by one before.
#[derive(Debug, Clone)]
pub struct Parsed {
    pub(crate) text: Arc<str>,
    pub(crate) written: Vec<Statement>,
    pub(crate) rules: Vec<Rule>,
    /// What is wrong with it so far.
    pub(crate) sink: Sink,
    pub(crate) patterns: Patterns,
}

impl Parsed {
    /// Parses a text; what is wrong with it is said by [`Parsed::check`]. O(text).
    pub fn of(text: impl Into<Arc<str>>) -> Parsed {
        let (text, mut sink) = (text.into(), Sink::default());
        let File { statements: written, rules, .. } = parse(&text, &mut sink);
        Parsed { text, written, rules, sink, patterns: Patterns::default() }
    }

    /// The names that a check may ask the world for, each once, in lower case: those that the text
    /// defines, and those it inherits from. O(text).
    pub fn mentioned(&self) -> Vec<String> {
        let mut names = BTreeSet::new();
        for statement in &self.written {
            let parent = match &statement.target {
                Some(Target::Parent(parent)) => Some(parent),
                _ => None,
            };
            let both = [Some(&statement.name), parent].into_iter().flatten();
            names.extend(both.map(|name| name.text.to_lowercase()));
            for clause in &statement.clauses {
                names.extend(crate::check::lives::leans_on(&clause.kind).map(str::to_lowercase));
            }
        }
        for name in self.rules.iter().flat_map(rule::mentioned) {
            names.insert(name.text.to_lowercase());
        }
        names.remove("");
        names.into_iter().collect()
    }

    /// The regular expressions of the text, each once. O(text).
    pub fn patterns(&self) -> Vec<String> {
        // Durations are of no interest here, and findings are those of a check.
        let (chronon, sink) = (Span::SECOND, &mut Sink::default());
        let mut lowering = Lowering { chronon, sink, patterns: Patterns::listing() };
        for statement in &self.written {
            lowering.draft(statement);
        }
        for pattern in self.rules.iter().flat_map(rule::patterns) {
            lowering.patterns.check(pattern, lowering.sink);
        }
        lowering.patterns.into_known()
    }

    /// Compiles one of [`Parsed::patterns`], unless the text has too many; its size bounds how long
    /// that takes.
    pub fn compile(&mut self, pattern: &str) {
        self.patterns.add(pattern);
    }

    /// Whether this one was compiled, or was one too many.
    pub fn is_compiled(&self, pattern: &str) -> bool {
        self.patterns.knows(pattern)
    }

    /// Compiles them all: up to 2,000 of ordinary size.
    pub fn compiled(mut self) -> Parsed {
        self.patterns().iter().for_each(|pattern| self.compile(pattern));
        self
    }
}
