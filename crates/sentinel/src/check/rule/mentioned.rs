//! What a rule speaks of.

use crate::syntax::Name;
use crate::syntax::rule::{Action, ClauseKind, Condition, Event, Rule, Spanned};

/// The events that it is made of.
pub(crate) fn parts(event: &Event) -> Vec<&Event> {
    match event {
        Event::Happening(..) | Event::At(..) => Vec::new(),
        Event::Or(a, b) | Event::And(a, b) | Event::Seq(a, b) => vec![a, b],
        Event::Plus(a, _) => vec![a],
        Event::Any { of, .. } => of.iter().collect(),
        Event::Between { what, opens, closes } => match what {
            Spanned::Not(of) | Spanned::Each(of) | Spanned::All(of) => vec![of, opens, closes],
            Spanned::Every(_) | Spanned::Collect(_) => vec![opens, closes],
        },
    }
}

/// The conditions that `condition` is made of: those that hang on no other.
fn simple(condition: &Condition) -> Vec<&Condition> {
    match condition {
        Condition::Not(inner) => simple(inner),
        Condition::And(all) | Condition::Or(all) => all.iter().flat_map(simple).collect(),
        _ => vec![condition],
    }
}

/// The regular expressions of a rule.
pub(crate) fn patterns(rule: &Rule) -> Vec<&Name> {
    let whens = rule.clauses.iter().filter_map(|clause| match &clause.kind {
        ClauseKind::When(when) => Some(when),
        _ => None,
    });
    let patterns = whens.flat_map(simple).filter_map(|condition| match condition {
        Condition::TextMatches(pattern) => Some(pattern),
        _ => None,
    });
    patterns.collect()
}

/// The names that a check of the rule asks the world for.
pub(crate) fn mentioned(rule: &Rule) -> Vec<&Name> {
    fn of_event<'r>(event: &'r Event, found: &mut Vec<&'r Name>) {
        if let Event::Happening(_, name) = event {
            found.push(name);
        }
        parts(event).into_iter().for_each(|part| of_event(part, found));
    }
    let mut found = vec![&rule.name];
    for clause in &rule.clauses {
        match &clause.kind {
            ClauseKind::On(on) => of_event(on, &mut found),
            ClauseKind::When(when) => {
                found.extend(simple(when).into_iter().filter_map(|condition| match condition {
                    Condition::Enabled(name) => Some(name),
                    _ => None,
                }));
            }
            ClauseKind::Do(actions) => found.extend(actions.iter().filter_map(|one| match one {
                Action::Enable(name) | Action::Disable(name) | Action::Raise(name) => Some(name),
                _ => None,
            })),
            _ => {}
        }
    }
    found
}
