//! What is wrong with a text, as the API says it.

use serde::Serialize;
use utoipa::ToSchema;

/// What is wrong with a text, where, and what to write instead. Columns count code points from 1.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Diagnostic {
    message: String,
    /// `error` or `warning`.
    severity: &'static str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    help: Option<String>,
}

/// Bytes of messages that one answer has.
const DIAGNOSTICS_BYTES_MAX: usize = 256 << 10;

impl Diagnostic {
    /// The first of `all`; if they are too long for one answer, the last one says how many follow.
    pub(crate) fn first_of(all: &[sentinel::Diagnostic]) -> Vec<Diagnostic> {
        let mut bytes = 0;
        let fits = |one: &&sentinel::Diagnostic| {
            bytes += 100 + one.message.len() + one.help.as_ref().map_or(0, String::len);
            bytes <= DIAGNOSTICS_BYTES_MAX
        };
        let mut first: Vec<Diagnostic> = all.iter().take_while(fits).map(Into::into).collect();
        let left = &all[first.len()..];
        if let Some(next) = left.first() {
            let is_error = |one: &sentinel::Diagnostic| one.severity == sentinel::Severity::Error;
            let worst = left.iter().find(|one| is_error(one)).unwrap_or(next);
            first.push(Diagnostic {
                message: format!("and {} more", left.len()),
                help: Some("correct these first, then check again".to_owned()),
                ..Diagnostic::from(worst)
            });
        }
        first
    }
}

impl From<&sentinel::Diagnostic> for Diagnostic {
    fn from(diagnostic: &sentinel::Diagnostic) -> Diagnostic {
        Diagnostic {
            message: diagnostic.message.clone(),
            severity: match diagnostic.severity {
                sentinel::Severity::Error => "error",
                sentinel::Severity::Warning => "warning",
            },
            line: diagnostic.line,
            column: diagnostic.column,
            end_line: diagnostic.end_line,
            end_column: diagnostic.end_column,
            help: diagnostic.help.clone(),
        }
    }
}
