//! A rule in plain sentences.

use super::{notify, period_text};
use crate::ast::rule::{
    Action, Condition, Context, Coupling, Expr, Happening, HappeningKind, Rule,
};
use crate::vocabulary::{listed, visible};
use chronon::Zone;

/// What `rule` waits for and what it does then, in one sentence or two. Without control and
/// invisible characters.
pub fn explain_rule(rule: &Rule) -> String {
    let mut text = format!("When {}", event(&rule.on, &rule.zone));
    if let Some(within) = &rule.within {
        text.push_str(&format!(", all within {}", span_text(within.period)));
    }
    if let Some(when) = &rule.when {
        text.push_str(&format!(", and if {}", condition(when)));
    }
    let actions: Vec<String> = rule.actions.iter().map(action).collect();
    text.push_str(&format!(", it {}", listed(&actions, "and")));
    text.push_str(match rule.coupling {
        Coupling::Immediate => "",
        Coupling::Deferred => ", once everything else that happened is settled",
        Coupling::Detached => ", in a step of its own",
    });
    text.push('.');
    text.push_str(match rule.context {
        Context::Recent => "",
        Context::Chronicle => " What happens is paired oldest first, and each takes part once.",
        Context::Continuous => " Each beginning counts on its own.",
        Context::Cumulative => " All that happens until then counts together.",
    });
    visible(&text)
}

fn event(it: &Expr<Happening>, zone: &Zone) -> String {
    let of = |part: &Expr<Happening>| event(part, zone);
    let inner = |part: &Expr<Happening>| match part {
        Expr::Or(..) | Expr::And(..) | Expr::Seq(..) => format!("({})", event(part, zone)),
        _ => event(part, zone),
    };
    let between = |opens: &Expr<Happening>, closes: &Expr<Happening>| {
        format!("from when {} until {}", inner(opens), inner(closes))
    };
    match it {
        Expr::Signal(Happening { kind, name }) => match kind {
            HappeningKind::Detected => format!("{name} finds something"),
            HappeningKind::Raised => format!("the event {name} is raised"),
            HappeningKind::Started => format!("{name} starts"),
            HappeningKind::Ended => format!("{name} ends"),
            HappeningKind::Fetched => format!("a look of {name} succeeds"),
            HappeningKind::Failed => format!("a look of {name} fails"),
        },
        Expr::At(at) => format!("{} {} comes", zone.local(*at), zone.name()),
        Expr::Or(a, b) => format!("{} or {}", inner(a), inner(b)),
        Expr::And(a, b) => format!("{} and {}, in any order", inner(a), inner(b)),
        Expr::Seq(a, b) => format!("{}, then {}", inner(a), inner(b)),
        Expr::Not { absent, opens, closes } => {
            format!("it does not happen, {}, that {}", between(opens, closes), inner(absent))
        }
        Expr::Each { inside, opens, closes } => {
            format!("{}, each time, {}", inner(inside), between(opens, closes))
        }
        Expr::All { inside, opens, closes } => {
            let (inside, opens) = (inner(inside), inner(opens));
            format!("{} and, since {opens}, {inside} at least once", inner(closes))
        }
        Expr::Every { step, opens, closes } => {
            format!("another {} is over, {}", span_text(step.period), between(opens, closes))
        }
        Expr::Collect { step, opens, closes } => {
            let each = span_text(step.period);
            format!("{}, at least {each} since {}", inner(closes), inner(opens))
        }
        Expr::Plus(a, step) => format!("it is {} since {}", span_text(step.period), inner(a)),
        Expr::Any(least, parts) => {
            let parts: Vec<String> = parts.iter().map(of).collect();
            format!("{least} of these happen: {}", parts.join("; "))
        }
    }
}

/// What does not happen where a rule waits for that, as "no … came" says it; nothing where it waits
/// for something else, or a few words do not say it.
pub fn absent(rule: &Rule) -> Option<String> {
    let Expr::Not { absent, .. } = &rule.on else { return None };
    missed(absent)
}

fn missed(it: &Expr<Happening>) -> Option<String> {
    match it {
        Expr::Signal(Happening { kind, name }) => Some(match kind {
            HappeningKind::Detected | HappeningKind::Raised => name.clone(),
            HappeningKind::Started => format!("start of {name}"),
            HappeningKind::Ended => format!("end of {name}"),
            HappeningKind::Fetched => format!("answer of {name}"),
            HappeningKind::Failed => format!("failed look of {name}"),
        }),
        Expr::Or(a, b) => Some(format!("{} or {}", missed(a)?, missed(b)?)),
        _ => None,
    }
}

pub(super) fn span_text(period: chronon::Period) -> String {
    match period {
        chronon::Period::Days(1) => "1 day".to_owned(),
        chronon::Period::Days(7) => "1 week".to_owned(),
        other => period_text(other),
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
        Condition::Count(comparison, count) => {
            format!("the number of what took part is {} {count}", comparison.sign())
        }
        Condition::TextMatches(pattern) => format!("what changed matches “{pattern}”"),
        Condition::Value(comparison, value) => {
            format!("the value is {} {value}", comparison.sign())
        }
        Condition::TimeBetween(from, to) => {
            format!("it is between {from} and {to}")
        }
        Condition::Enabled(name) => format!("{name} is active"),
        Condition::Not(of) => format!("it is not so that {}", condition(of)),
        Condition::And(all) => joined(all, " and "),
        Condition::Or(all) => joined(all, " or "),
    }
}

fn action(it: &Action) -> String {
    match it {
        Action::Notify(one) => format!("tells {}", notify(one)),
        Action::Probe { sources, within } => {
            let sources: Vec<String> = sources.iter().map(ToString::to_string).collect();
            format!("looks at {} within {}", listed(&sources, "and"), span_text(*within))
        }
        Action::Enable(name) => format!("enables {name}"),
        Action::Disable(name) => format!("disables {name}"),
        Action::Raise(name) => format!("raises the event {name}"),
    }
}
