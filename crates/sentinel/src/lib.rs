//! The sentinel language: text becomes checked sentinels, or diagnostics that say what to write.
//!
//! Comes in: the text of a file and a [`Knowledge`] that knows names, channels, the time and
//! the owner's zone. Goes out: [`ast::Sentinel`]s, canonical text, and [`Diagnostic`]s: structs,
//! rendered for terminals or as JSON. Promises: pure; every error of a file at once; no text makes
//! it panic or hang; parse ∘ format is the identity.
//!
//! Start reading at [`check`], then [`ast`]. Inside, `lexer` and `parser` make `syntax` of a text,
//! kept in a [`Parsed`]. Then come `draft` (one statement alone), `check` (with the others and the
//! world) and `resolve` (into a sentinel and its canonical text). `format` and `print` go the way
//! back.
//!
//! ```
//! use chronon::{Instant, Span, Zone};
//! use sentinel::{Redefine, Knowledge, check};
//!
//! let world = Knowledge {
//!     now: Instant::EPOCH,
//!     zone: Zone::utc(),
//!     chronon: Span::SECOND,
//!     host_interval: Span::from_secs(5),
//!     reach: &address::Reach::default(),
//!     channels: &["terminal".to_owned(), "email".to_owned()],
//!     default_channel: "terminal",
//!     contact_needed: &|channel| channel == "email",
//!     kind: &|channel| address::ChannelKind::named(channel),
//!     trouble: &|_channel| None,
//!     existing: &|_name| None,
//!     taken: &|_name| None,
//!     ended: &|_name| None,
//!     redefine: Redefine::Refuse,
//!     refuse_past: true,
//! };
//! let checked = check("create sentinel news using https://example.org montior links", &world);
//! assert_eq!(checked.diagnostics[0].help.as_deref(), Some("did you mean `monitor`?"));
//!
//! let checked = check("create sentinel news using https://example.org monitor links", &world);
//! assert!(checked.is_ok());
//! assert_eq!(
//!     checked.statements[0].canonical.reveal(),
//!     "create sentinel news using https://example.org/\n  monitor all links\n  notify by terminal\n"
//! );
//! ```

mod assist;
pub mod ast;
mod check;
mod draft;
mod explain;
mod form;
mod format;
mod grammar;
mod lexer;
pub mod limits;
mod normal;
mod parsed;
mod parser;
mod patterns;
mod place;
mod print;
mod reach;
mod render;
mod resolve;
mod secrets;
mod syntax;
mod urls;
mod vocabulary;

pub use assist::{Meaning, Suggestion, meaning, suggest};
pub use check::{check, instant, presentation, recall, recall_rule, source_names};
pub use explain::{absent, clauses, explain, explain_rule};
pub use form::{Form, What, named, wrong_name};
pub use format::format;
pub use grammar::text_mate;
pub use parsed::Parsed;
pub use render::{Colour, render};
pub use secrets::Canonical;
pub use vocabulary::{is_hidden, is_plain_name, nearest};

use chronon::{Instant, Span, Zone};

/// What the checker must know of the world outside the text.
pub struct Knowledge<'a> {
    /// What `now` means.
    pub now: Instant,
    /// The owner's zone, for dates and days without one of their own.
    pub zone: Zone,
    pub chronon: Span,
    /// A period below it draws a warning: politeness will not allow it.
    pub host_interval: Span,
    /// Whom this instance may ask and tell, as far as an address shows it.
    pub reach: &'a address::Reach,
    /// Every channel a sentinel may name: the built-in ones and the configured ones.
    pub channels: &'a [String],
    /// Where a sentinel without `notify` reports.
    pub default_channel: &'a str,
    /// Whether the default channel and others need a contact: (`email`, true) …
    pub contact_needed: &'a dyn Fn(&str) -> bool,
    /// What kind a channel is of, which says what its contacts look like.
    pub kind: &'a dyn Fn(&str) -> Option<address::ChannelKind>,
    /// Why nothing can be sent by a channel as things are; it draws a warning.
    pub trouble: &'a dyn Fn(&str) -> Option<Box<str>>,
    /// What has a name already, by the name in lower case.
    pub existing: &'a dyn Fn(&str) -> Option<Existing>,
    /// What else than a sentinel has a name, by the name in lower case: `a rule`, `an event`.
    pub taken: &'a dyn Fn(&str) -> Option<&'static str>,
    /// When a sentinel that exists ended, if its life is over, by its name in lower case.
    pub ended: &'a dyn Fn(&str) -> Option<Instant>,
    /// What may be done with a name that exists.
    pub redefine: Redefine,
    /// `apply` refuses a period that is over; `check` warns.
    pub refuse_past: bool,
}

/// What a name stands for already: sentinels, rules and events share theirs.
#[derive(Debug, Clone, PartialEq)]
pub enum Existing {
    /// The canonical text, and when it was defined.
    Sentinel(Canonical, Instant),
    /// The canonical text.
    Rule(Canonical),
    /// Some rule listens to it.
    Event,
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
    /// Every rule without an error, in order.
    pub rules: Vec<RuleStatement>,
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
    /// Canonical text that stands alone: inheritance resolved, comments gone, what says the default
    /// left out, `notify` always there. Checked again with the same `now` (see [`recall`]) it
    /// gives the same sentinel, and the same meaning written differently gives the same text. A
    /// time relative to `now` stays so, also when it is inherited: then it counts from the
    /// creation of the heir.
    pub canonical: Canonical,
}

/// One checked rule.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleStatement {
    pub rule: ast::rule::Rule,
    /// A clause on each line, with the parentheses that were understood.
    pub canonical: Canonical,
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
    /// What mends it, where that is certain.
    pub cure: Option<Cure>,
}

/// A text to put in the place of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cure {
    /// Bytes of the text; nothing is taken out where both are the same.
    pub start: usize,
    pub end: usize,
    pub text: String,
}
