//! A sentinel in plain sentences.

use crate::ast::{Compare, Direction, Expr, Fetch, Frequency, Leaf, Notify, Primitive, Sentinel};
use chronon::{Instant, Period, Span, Zone};

/// How many words of a list are named.
const WORDS_SHOWN_MAX: usize = 8;

/// What `sentinel` will do, in two sentences: what it watches for and when, and whom it tells.
pub fn explain(sentinel: &Sentinel) -> String {
    let mut watch = format!("Watches {} for {}", sentinel.source, condition(&sentinel.monitor));
    watch.push_str(&match sentinel.fetch {
        Fetch::OnChange => ", as often as it changes and the budget allows".to_owned(),
        Fetch::Every { period, slack } => {
            format!(", every {} and at most {} later", period_text(period), span_text(slack))
        }
    });
    match sentinel.compare {
        Compare::Pairwise => {}
        Compare::Moving(n) => watch.push_str(&format!(
            ", comparing each version with the one {} before it",
            if n == 2 { "just".to_owned() } else { format!("{} versions", n - 1) }
        )),
        Compare::Every(n) => {
            watch.push_str(&format!(", comparing the first with the last of every {n} versions"))
        }
    }
    watch.push_str(&format!(", from {}", at(sentinel.from, &sentinel.zone)));
    if let Some(to) = sentinel.to {
        watch.push_str(&format!(" to {}", at(to, &sentinel.zone)));
    }
    let told: Vec<String> = sentinel.notify.iter().map(notify).collect();
    format!("{watch}. Tells {}.", listed(&told, "and"))
}

fn condition(expr: &Expr) -> String {
    let inner = |expr: &Expr| match expr {
        Expr::And(_) | Expr::Or(_) => format!("({})", condition(expr)),
        _ => condition(expr),
    };
    match expr {
        Expr::Leaf(one) => leaf(one),
        Expr::Not(operand) => format!("a change that is not {}", inner(operand)),
        Expr::And(operands) => operands.iter().map(inner).collect::<Vec<_>>().join(" and "),
        Expr::Or(operands) => operands.iter().map(inner).collect::<Vec<_>>().join(" or "),
    }
}

fn leaf(leaf: &Leaf) -> String {
    let quoted = |words: &[String]| {
        let mut quoted: Vec<String> =
            words.iter().take(WORDS_SHOWN_MAX).map(|word| format!("“{word}”")).collect();
        if words.len() > WORDS_SHOWN_MAX {
            quoted.push(format!("{} more", words.len() - WORDS_SHOWN_MAX));
        }
        quoted
    };
    let kinds: Vec<String> = leaf
        .directions
        .iter()
        .map(|direction| match direction {
            Direction::Added => "added".to_owned(),
            Direction::Removed => "removed".to_owned(),
            Direction::Updated => "updated".to_owned(),
            Direction::Moved => "moved".to_owned(),
        })
        .collect();
    let kinds = match kinds.is_empty() {
        true => "changed".to_owned(),
        false => listed(&kinds, "or"),
    };
    let what = match &leaf.primitive {
        Primitive::Any => "anything".to_owned(),
        Primitive::Links => "links".to_owned(),
        Primitive::Images => "images".to_owned(),
        Primitive::Words { except } if except.is_empty() => "words".to_owned(),
        Primitive::Words { except } => {
            format!("words other than {}", listed(&quoted(except), "and"))
        }
        Primitive::Keywords(words) => format!("the word {}", listed(&quoted(words), "or")),
        Primitive::Phrases(phrases) => format!("the phrase {}", listed(&quoted(phrases), "or")),
    };
    match &leaf.matching {
        Some(pattern) => format!("{what} {kinds} that match “{pattern}”"),
        None => format!("{what} {kinds}"),
    }
}

fn notify(notify: &Notify) -> String {
    let whom = match (&*notify.channel, &notify.contact) {
        ("interactive", _) => "the dashboard".to_owned(),
        ("terminal", _) => "the terminal".to_owned(),
        (channel, Some(contact)) => format!("{contact} by {channel}"),
        (channel, None) => format!("channel {channel}"),
    };
    match notify.frequency {
        Frequency::Immediately => format!("{whom} at once"),
        Frequency::BestEffort => format!("{whom} as soon as load allows"),
        Frequency::Every(period) => format!("{whom} in one message every {}", period_text(period)),
    }
}

fn period_text(period: Period) -> String {
    match period {
        Period::Days(1) => "day".to_owned(),
        Period::Days(7) => "week".to_owned(),
        Period::Days(days) if days % 7 == 0 => format!("{} weeks", days / 7),
        Period::Days(days) => format!("{days} days"),
        Period::Elapsed(span) => span_text(span),
    }
}

fn span_text(span: Span) -> String {
    span.to_string()
}

fn at(instant: Instant, zone: &Zone) -> String {
    format!("{} {}", zone.local(instant), zone.name())
}

/// `a, b and c`.
fn listed(items: &[String], last: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}
