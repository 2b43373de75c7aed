//! Every limit of the language, named with its unit.

/// Bytes of one file.
pub const FILE_BYTES_MAX: usize = 1 << 20;
/// Statements of one file.
pub const STATEMENTS_MAX: usize = 10_000;
/// Parentheses inside parentheses.
pub const NESTING_MAX: usize = 64;
/// Leaves of one `monitor`.
pub const LEAVES_MAX: usize = 256;
/// Words, keywords or phrases of one leaf.
pub const WORDS_PER_LEAF_MAX: usize = 1_000;
/// `inside` and `outside` of one leaf.
pub const SCOPES_MAX: usize = 16;
/// Characters of one word, phrase or name.
pub const WORD_CHARS_MAX: usize = 1_000;
/// Characters of a name.
pub const NAME_CHARS_MAX: usize = 100;
/// Bytes of a URL or contact.
pub const URL_BYTES_MAX: usize = 8 << 10;
/// Sources of one sentinel.
pub const SOURCES_MAX: usize = 64;
/// `notify` clauses of one sentinel.
pub const NOTIFIES_MAX: usize = 32;
/// Bytes of one `matching`.
pub const REGEX_BYTES_MAX: usize = 1_000;
/// Bytes a compiled `matching` may take; whoever compiles it must allow as much.
pub const REGEX_COMPILED_BYTES_MAX: usize = 256 << 10;
/// Bytes up to which a compiled `matching` is of ordinary size; a larger one counts as 11.
pub const REGEX_ORDINARY_BYTES_MAX: usize = 64 << 10;
/// Different regular expressions of one file.
pub const REGEXES_MAX: usize = 2_000;
/// The longest duration, in days: a hundred years.
pub const DURATION_DAYS_MAX: u64 = 36_525;
/// `moving n`, `every n`: elements.
pub const COMPARE_WINDOW_MAX: u64 = 1_000;
/// `changehistory n`: elements.
pub const CHANGE_HISTORY_MAX: u64 = 10_000;
/// Names of one `tag` clause.
pub const TAGS_MAX: usize = 20;
/// Parts of the event of one rule, or of its condition.
pub const EVENT_PARTS_MAX: usize = 200;
/// Events that `any` chooses among.
pub const EVENT_CHOICES_MAX: usize = 64;
/// `priority`: no more.
pub const RULE_PRIORITY_MAX: u64 = 1_000;
/// `weight`: no less.
pub const WEIGHT_MIN: f64 = 0.01;
/// `weight`: no more.
pub const WEIGHT_MAX: f64 = 1_000.0;
/// Bytes of one sentinel's canonical text, inheritance included: what it takes to define one at
/// once.
pub const SENTINEL_BYTES_MAX: usize = 64 << 10;
/// Bytes of canonical text that the statements of one file may come to, inheritance included.
pub const CANONICAL_BYTES_MAX: usize = 16 << 20;
/// Diagnostics of one text; one more says how many were left out.
pub const DIAGNOSTICS_MAX: usize = 1_000;
