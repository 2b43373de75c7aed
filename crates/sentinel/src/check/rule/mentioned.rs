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

/// The regular expressions of a rule.
pub(crate) fn patterns(rule: &Rule) -> Vec<&Name> {
    fn of<'r>(condition: &'r Condition, found: &mut Vec<&'r Name>) {
        match condition {
            Condition::TextMatches(pattern) => found.push(pattern),
            Condition::Not(inner) => of(inner, found),
            Condition::And(all) | Condition::Or(all) => {
                all.iter().for_each(|inner| of(inner, found));
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    for clause in &rule.clauses {
        if let ClauseKind::When(when) = &clause.kind {
            of(when, &mut found);
        }
    }
    found
}

/// The names that a check of the rule asks the world for.
pub(crate) fn mentioned(rule: &Rule) -> Vec<&Name> {
    fn of_event<'r>(event: &'r Event, found: &mut Vec<&'r Name>) {
        if let Event::Happening(_, name) = event {
            found.push(name);
        }
        parts(event).into_iter().for_each(|part| of_event(part, found));
    }
    fn of_condition<'r>(condition: &'r Condition, found: &mut Vec<&'r Name>) {
        match condition {
            Condition::Enabled(name) => found.push(name),
            Condition::Not(inner) => of_condition(inner, found),
            Condition::And(all) | Condition::Or(all) => {
                all.iter().for_each(|inner| of_condition(inner, found));
            }
            _ => {}
        }
    }
    let mut found = vec![&rule.name];
    for clause in &rule.clauses {
        match &clause.kind {
            ClauseKind::On(on) => of_event(on, &mut found),
            ClauseKind::When(when) => of_condition(when, &mut found),
            ClauseKind::Do(actions) => found.extend(actions.iter().filter_map(|one| match one {
                Action::Enable(name) | Action::Disable(name) | Action::Raise(name) => Some(name),
                _ => None,
            })),
            _ => {}
        }
    }
    found
}
