//! JSONPath, as RFC 9535 has it.
//!
//! Every node that is looked at, every comparison of two values and every byte that is searched is
//! a step. Results come in document order, as often as the query finds them.

mod find;
mod functions;
mod literal;
mod parse;
mod syntax;

use crate::{Limits, Spent, Wrong};
use serde_json::Value;

/// A compiled JSONPath query.
#[derive(Debug, Clone)]
pub struct JsonPath {
    query: syntax::Query,
}

impl JsonPath {
    /// Compiles a query, such as `$.items[?@.price < 10].name`.
    ///
    /// # Errors
    /// The text is no query, or exceeds a limit.
    pub fn parse(text: &str, limits: &Limits) -> Result<JsonPath, Wrong> {
        limits.admit(text)?;
        Ok(JsonPath { query: parse::parse(text)? })
    }

    /// Finds the values that the query selects.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn find<'v>(&self, document: &'v Value, limits: &Limits) -> Result<Vec<&'v Value>, Spent> {
        find::find(&self.query, document, limits)
    }
}
