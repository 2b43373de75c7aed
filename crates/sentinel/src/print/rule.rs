//! Rules back to text, with the parentheses that were understood.

use super::{duration, name, notify_text, source_text, string, time};
use crate::ast::rule::{Coupling, HappeningKind};
use crate::syntax::rule::{Action, ClauseKind, Condition, Event, Rule, Spanned};
use crate::syntax::{Clock, Time};

/// `create rule …`.
pub(crate) fn header(rule: &Rule) -> String {
    format!("create rule {}", name(&rule.name.text))
}

/// A whole rule, a clause on each line.
pub(crate) fn whole(rule: &Rule) -> String {
    let mut text = header(rule);
    for clause in &rule.clauses {
        text.push_str("\n  ");
        text.push_str(&self::clause(&clause.kind));
    }
    text.push('\n');
    text
}

/// One clause on one line.
pub(crate) fn clause(kind: &ClauseKind) -> String {
    match kind {
        ClauseKind::On(on) => format!("on {}", event(on)),
        ClauseKind::When(when) => format!("when {}", condition(when)),
        ClauseKind::Context(context) => format!("in {} context", context.name()),
        ClauseKind::Within(within) => format!("within {}", duration(*within)),
        ClauseKind::Priority(priority) => format!("priority {priority}"),
        ClauseKind::Coupling(coupling) => {
            let known = Coupling::ALL.iter().find(|(_, one)| one == coupling);
            format!("coupling {}", known.expect("the table has every coupling").0)
        }
        ClauseKind::Do(actions) => {
            let actions: Vec<String> = actions.iter().map(action).collect();
            format!("do {}", actions.join(", "))
        }
    }
}

fn event(it: &Event) -> String {
    match it {
        Event::Happening(HappeningKind::Detected, of) => name(&of.text),
        Event::Happening(HappeningKind::Raised, of) => format!("event {}", name(&of.text)),
        Event::Happening(kind, of) => {
            let word = HappeningKind::CALLED.iter().find(|(_, one)| one == kind);
            format!("{}({})", word.map_or("", |(word, _)| word), name(&of.text))
        }
        Event::At(base, place) => {
            let time = time(&Time { base: base.clone(), offset: None, place: *place });
            format!("at {time}")
        }
        Event::Or(first, second) => {
            let first = match &**first {
                Event::Or(..) => event(first),
                _ => operand(first),
            };
            format!("{first} or {}", operand(second))
        }
        Event::And(first, second) => format!("{} and {}", operand(first), operand(second)),
        Event::Seq(first, second) => format!("{} ; {}", operand(first), operand(second)),
        Event::Between { what, opens, closes } => {
            let what = match what {
                Spanned::Not(absent) => format!("not ({})", event(absent)),
                Spanned::Each(inside) => format!("each {}", operand(inside)),
                Spanned::All(inside) => format!("all {}", operand(inside)),
                Spanned::Every(period) => format!("every {}", duration(*period)),
                Spanned::Collect(period) => format!("collect every {}", duration(*period)),
            };
            format!("{what} between {} and {}", operand(opens), operand(closes))
        }
        Event::Plus(of, by) => format!("{} + {}", operand(of), duration(*by)),
        Event::Any { least, of, .. } => {
            let of: Vec<String> = of.iter().map(event).collect();
            format!("any {least} of ({})", of.join(", "))
        }
    }
}

/// In parentheses where it is made of others.
fn operand(it: &Event) -> String {
    match it {
        Event::Or(..) | Event::And(..) | Event::Seq(..) | Event::Between { .. } => {
            format!("({})", event(it))
        }
        _ => event(it),
    }
}

fn condition(it: &Condition) -> String {
    let joined = |all: &[Condition], word: &str| {
        let inner = |one: &Condition| match one {
            Condition::And(_) | Condition::Or(_) => format!("({})", condition(one)),
            _ => condition(one),
        };
        all.iter().map(inner).collect::<Vec<String>>().join(word)
    };
    match it {
        Condition::Count(comparison, count) => format!("count {} {count}", comparison.sign()),
        Condition::TextMatches(pattern) => format!("text matches {}", string(&pattern.text)),
        Condition::Value(comparison, value) => format!("value {} {value}", comparison.sign()),
        Condition::TimeBetween(from, to) => {
            format!("time between {} and {}", clock(from), clock(to))
        }
        Condition::Enabled(of) => format!("enabled({})", name(&of.text)),
        Condition::Not(of) => match &**of {
            Condition::And(_) | Condition::Or(_) | Condition::Not(_) => {
                format!("not ({})", condition(of))
            }
            _ => format!("not {}", condition(of)),
        },
        Condition::And(all) => joined(all, " and "),
        Condition::Or(all) => joined(all, " or "),
    }
}

pub(super) fn clock(clock: &Clock) -> String {
    clock.time.map_or_else(|| clock.raw.clone(), |time| time.to_string())
}

fn action(it: &Action) -> String {
    match it {
        Action::Notify(notify) => notify_text(notify),
        Action::Probe { sources, within } => {
            let sources: Vec<String> =
                sources.iter().map(|source| source_text(&source.text)).collect();
            format!("probe {} within {}", sources.join(", "), duration(*within))
        }
        Action::Enable(of) => format!("enable {}", name(&of.text)),
        Action::Disable(of) => format!("disable {}", name(&of.text)),
        Action::Raise(of) => format!("raise {}", name(&of.text)),
    }
}
