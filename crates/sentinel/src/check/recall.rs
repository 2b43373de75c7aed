//! Texts that were accepted once, and what else is read alone.

use super::Checker;
use crate::ast::rule::Rule;
use crate::ast::{self, Sentinel};
use crate::draft::{Draft, Lowering};
use crate::patterns::Patterns;
use crate::place::{Place, Sink};
use crate::resolve::Scope;
use crate::secrets::Canonical;
use crate::syntax::Target;
use crate::{Diagnostic, Knowledge, Parsed, Redefine, Severity};
use chronon::{Instant, Span, Zone};

/// Reads stored canonical text back, as it was defined at `defined_at`; names, channels and a
/// period that is over are not looked at, so what was accepted once is read for ever.
///
/// Errors: text that is not one stand-alone statement. O(text).
pub fn recall(
    canonical: &Canonical,
    defined_at: Instant,
    zone: &Zone,
    chronon: Span,
) -> Result<Sentinel, Vec<Diagnostic>> {
    let mut sink = Sink::default();
    let canonical = canonical.reveal();
    let recalled = recall_draft(canonical, chronon, &mut sink).and_then(|(name, draft)| {
        let scope = Scope { now: defined_at, zone, chronon };
        let sentinel = scope.sentinel(name, &draft);
        if sentinel.notify.is_empty() {
            let help = "write `notify by` and a channel";
            sink.value(Place::default(), "a stored sentinel says whom to tell", help);
            return None;
        }
        Some(sentinel)
    });
    let diagnostics = sink.into_diagnostics(canonical);
    let failed = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    recalled.filter(|_| !failed).ok_or(diagnostics)
}

/// Reads the canonical text of a stored rule back, as it was defined at `defined_at`; neither names
/// nor channels are looked at, nor whether an instant is over.
///
/// # Errors
/// Text that is not one rule. O(text).
pub fn recall_rule(
    canonical: &Canonical,
    defined_at: Instant,
    zone: &Zone,
    chronon: Span,
) -> Result<Rule, Vec<Diagnostic>> {
    let text = Parsed::of(canonical.reveal());
    let failed = |text: Parsed| text.sink.into_diagnostics(&text.text);
    let ([written], []) = (&*text.rules, &*text.written) else {
        let mut text = text;
        let help = "write one `create rule`";
        text.sink.syntax(Place::default(), "a stored rule stands alone", help);
        return Err(failed(text));
    };
    let (written, mut sink) = (written.clone(), text.sink.clone());
    let reach = address::Reach::default();
    let world = Knowledge {
        now: defined_at,
        zone: zone.clone(),
        chronon,
        host_interval: Span::ZERO,
        reach: &reach,
        channels: &[],
        default_channel: "",
        contact_needed: &|_| false,
        kind: &|_| None,
        trouble: &|_| None,
        existing: &|_| None,
        ended: &|_| None,
        taken: &|_| None,
        redefine: Redefine::Replace,
        refuse_past: false,
    };
    let mut checker = Checker::new(&world, (&[], &[]), &mut sink, Patterns::trusted());
    checker.is_recall = true;
    let rule = checker.lower_rule(&written);
    let broken = written.broken || sink.errors() > 0;
    rule.filter(|_| !broken).ok_or_else(|| sink.into_diagnostics(canonical.reveal()))
}

/// How a stored text wants changes shown; `None` where it does not say, or cannot be read. O(text).
pub fn presentation(canonical: &Canonical) -> Option<ast::Presentation> {
    // The chronon counts for durations only.
    let (_, draft) = recall_draft(canonical.reveal(), Span::SECOND, &mut Sink::default())?;
    draft.presentation
}

/// What a stored text calls its sources, in the order written; nothing where it cannot be read.
/// O(text).
pub fn source_names(canonical: &Canonical) -> Vec<Option<String>> {
    let draft = recall_draft(canonical.reveal(), Span::SECOND, &mut Sink::default());
    let sources = draft.and_then(|(_, draft)| draft.sources);
    sources.iter().flat_map(|sources| sources.iter()).map(|source| source.called.clone()).collect()
}

/// A time as `from` takes it, or in RFC 3339; `zone` counts where none is written.
///
/// Errors: a sentence that says what to write. O(text).
pub fn instant(written: &str, now: Instant, zone: &Zone, chronon: Span) -> Result<Instant, String> {
    let mut sink = Sink::default();
    let (text, fraction) = spaced(written);
    let time = crate::parser::parse_time(&text, &mut sink);
    match (time, sink.findings.first()) {
        (Some(time), None) => Ok(Scope { now, zone, chronon }.moment(&time, zone) + fraction),
        (_, finding) => {
            let finding = finding.map(|one| (&*one.message, one.help.as_deref().unwrap_or("")));
            let (message, help) = finding.unwrap_or(("this is no time", "write `now` or a date"));
            Err(format!("{message}; {help}"))
        }
    }
}

/// RFC 3339 as the language writes it, white space for `T`, and the fraction of its second.
fn spaced(written: &str) -> (String, Span) {
    let written = written.trim();
    let is_date =
        |date: &str| date.len() == 10 && date.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    let Some((date, clock)) = written.split_once(['T', 't']).filter(|(date, _)| is_date(date))
    else {
        return (written.to_owned(), Span::ZERO);
    };
    let Some((whole, rest)) = clock.split_once('.') else {
        return (format!("{date} {clock}"), Span::ZERO);
    };
    let zone = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &rest[..rest.len() - zone.len()];
    let millis: String = digits.chars().chain("000".chars()).take(3).collect();
    let millis = millis.parse().unwrap_or(0);
    (format!("{date} {whole}{zone}"), Span::from_millis(millis))
}

pub(super) fn recall_draft(
    canonical: &str,
    chronon: Span,
    sink: &mut Sink,
) -> Option<(String, Draft)> {
    let file = crate::parser::parse(canonical, sink);
    let alone = match &*file.statements {
        [one] if !matches!(one.target, Some(Target::Parent(_))) => Some(one),
        _ => None,
    };
    let Some(statement) = alone else {
        let help = "write one `create sentinel` using a URL";
        sink.syntax(Place::default(), "a stored sentinel stands alone", help);
        return None;
    };
    let draft = Lowering { chronon, sink, patterns: Patterns::trusted() }.draft(statement);
    draft.sources.as_ref()?;
    (sink.errors() == 0).then(|| (statement.name.text.clone(), draft))
}
