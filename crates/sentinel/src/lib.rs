//! The sentinel language: text becomes checked sentinels, or diagnostics that say what to write.
//!
//! Comes in: the text of a file and a [`World`] that knows names, channels, the time and
//! the owner's zone. Goes out: [`ast::Sentinel`]s, canonical text, and [`Diagnostic`]s: structs,
//! rendered for terminals or as JSON. Promises: pure; every error of a file at once; no text makes
//! it panic or hang; parse ∘ format is the identity.
//!
//! Start reading at [`check`], then [`ast`].

mod address;
pub mod ast;
mod check;
mod draft;
mod explain;
mod format;
mod lexer;
pub mod limits;
mod parser;
mod place;
mod print;
mod render;
mod resolve;
mod syntax;
mod vocabulary;

pub use check::{check, recall};
pub use explain::explain;
pub use format::format;
pub use render::{Colour, render};

use chronon::{Instant, Span, Zone};

/// What the checker must know of the world outside the text.
pub struct World<'a> {
    /// What `now` means.
    pub now: Instant,
    /// The owner's zone, for dates and days without one of their own.
    pub zone: Zone,
    pub chronon: Span,
    /// A period below it draws a warning: politeness will not allow it.
    pub host_interval: Span,
    /// Every channel a sentinel may name: the built-in ones and the configured ones.
    pub channels: &'a [String],
    /// Where a sentinel without `notify` reports.
    pub default_channel: &'a str,
    /// Whether the default channel and others need a contact: (`email`, true) …
    pub contact_needed: &'a dyn Fn(&str) -> bool,
    /// The canonical text of a sentinel that exists already, by its name in lower case, and when
    /// it was defined.
    pub existing: &'a dyn Fn(&str) -> Option<(String, Instant)>,
    /// What may be done with a name that exists.
    pub redefine: Redefine,
    /// `apply` refuses a period that is over; `check` warns.
    pub refuse_past: bool,
}

/// What a statement may do with a name that exists already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redefine {
    /// A diagnostic.
    Refuse,
    /// The statement replaces it.
    Replace,
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// Every statement without an error, in order. To be used only if `is_ok`.
    pub statements: Vec<Statement>,
    /// In order of place.
    pub diagnostics: Vec<Diagnostic>,
}

impl Checked {
    /// No diagnostic is an error.
    pub fn is_ok(&self) -> bool {
        self.diagnostics.iter().all(|diagnostic| diagnostic.severity == Severity::Warning)
    }
}

/// One checked statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    pub sentinel: ast::Sentinel,
    /// Canonical text that stands alone: inheritance resolved, comments gone. Checked again with
    /// the same `now` (see [`recall`]) it gives the same sentinel.
    pub canonical: String,
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
}

/// What is wrong, where, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    pub message: String,
    /// Bytes of the text.
    pub start: usize,
    pub end: usize,
    /// From 1; columns in code points.
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    pub help: Option<String>,
}
