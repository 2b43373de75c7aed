//! Clauses back to text, in the one form of each.

pub(crate) mod rule;

use crate::ast::{Compare, Direction, Edge, Expr, Leaf, Primitive};
use crate::syntax::{
    Base, ClauseKind, Duration, Fetch, Frequency, Notify, Sign, Source, Statement, Target, Time,
    Unit,
};
use crate::vocabulary::{TAG, begins_like_url, is_plain_name};
use address::ChannelKind;

/// `create sentinel … using …`.
pub(crate) fn header(statement: &Statement) -> String {
    let target = match &statement.target {
        Some(Target::Sources(sources)) => written(sources),
        Some(Target::Parent(parent)) => name(&parent.text),
        None => String::new(),
    };
    header_of(&statement.name.text, &target)
}

/// Sources as they were written.
fn written(sources: &[Source]) -> String {
    let called = |source: &Source| source.called.as_ref().map(|called| called.text.clone());
    targets(sources.iter().map(|source| (&*source.url.text, called(source))))
}

/// The sources of a target, each with what it is called.
pub(crate) fn targets<'a>(sources: impl Iterator<Item = (&'a str, Option<String>)>) -> String {
    let one = |(url, called): (&str, Option<String>)| match called {
        Some(called) => format!("{} as {}", source_text(url), name(&called)),
        None => source_text(url),
    };
    sources.map(one).collect::<Vec<_>>().join(", ")
}

pub(crate) fn header_of(sentinel: &str, target: &str) -> String {
    format!("create sentinel {} using {target}", name(sentinel))
}

/// One clause on one line.
pub(crate) fn clause(kind: &ClauseKind) -> String {
    match kind {
        ClauseKind::Monitor { expr, .. } => format!("monitor {}", expression(expr)),
        ClauseKind::Fetch(fetch) => fetch_text(*fetch),
        ClauseKind::From(from) => format!("from {}", time(from)),
        ClauseKind::To(to) => format!("to {}", time(to)),
        ClauseKind::During(of) => format!("during {}", name(&of.text)),
        ClauseKind::Notify(notify) => notify_text(notify),
        ClauseKind::Compare { compare } => match compare {
            Compare::Pairwise => "compare pairwise".to_owned(),
            Compare::Moving(n) => format!("compare moving {n}"),
            Compare::Every(n) => format!("compare every {n}"),
        },
        ClauseKind::ChangeHistory { count } => format!("changehistory {count}"),
        ClauseKind::Presentation(presentation) => format!("presentation {}", presentation.words()),
        ClauseKind::Weight { value, raw } => {
            if value.is_finite() {
                format!("weight {value}")
            } else {
                format!("weight {raw}")
            }
        }
        ClauseKind::Then { sources, within } => {
            format!("then probe {} within {}", written(sources), duration(*within))
        }
        ClauseKind::Tag { names } => {
            let names: Vec<String> = names.iter().map(|one| name(&one.text)).collect();
            format!("tag {}", names.join(", "))
        }
    }
}

/// A URL as it is if it reads back, else in quotes.
pub(crate) fn source_text(url: &str) -> String {
    if reads_back_unquoted(url) { url.to_owned() } else { string(url) }
}

fn reads_back_unquoted(url: &str) -> bool {
    begins_like_url(url) && !url.contains(char::is_whitespace) && !url.ends_with([',', ';'])
}

/// A name, between backquotes where it must be.
pub(crate) fn name(text: &str) -> String {
    if is_plain_name(text) { text.to_owned() } else { format!("`{text}`") }
}

pub(crate) fn string(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            c if crate::vocabulary::is_hidden(c) => {
                quoted.push_str(&format!("\\u{{{:x}}}", c as u32));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

pub(crate) fn contact(text: &str) -> String {
    let separates = |c: char| c.is_whitespace() || ",;()\"`".contains(c);
    let is_email = text.contains('@')
        && text.starts_with(char::is_alphanumeric)
        && !text.contains(separates)
        && !begins_like_url(text);
    // Before a name this word begins a clause.
    let is_plain = is_plain_name(text) && !text.eq_ignore_ascii_case(TAG);
    if is_email || is_plain || reads_back_unquoted(text) { text.to_owned() } else { string(text) }
}

fn notify_text(notify: &Notify) -> String {
    let dashboard = ChannelKind::Interactive.name();
    let channel = if notify.channel.text.eq_ignore_ascii_case(dashboard) {
        dashboard.to_owned()
    } else {
        name(&notify.channel.text)
    };
    let mut text = format!("notify by {channel}");
    if let Some(to) = &notify.contact {
        text.push(' ');
        text.push_str(&contact(&to.text));
    }
    match notify.frequency {
        None => {}
        Some(Frequency::Immediately) => text.push_str(" immediately"),
        Some(Frequency::BestEffort) => text.push_str(" best effort"),
        Some(Frequency::Every(period)) => text.push_str(&format!(" every {}", duration(period))),
    }
    text
}

fn fetch_text(fetch: Fetch) -> String {
    let (mut text, within) = match fetch {
        Fetch::OnChange { within } => ("fetch on change".to_owned(), within),
        Fetch::Every { period, within } => (format!("fetch every {}", duration(period)), within),
    };
    if let Some(within) = within {
        text.push_str(&format!(" within {}", duration(within)));
    }
    text
}

/// `1 day`, `2 days`.
pub(crate) fn duration(duration: Duration) -> String {
    let known = Unit::ALL.iter().find(|&&(_, unit)| unit == duration.unit);
    let name = known.expect("the table has every unit").0;
    format!("{} {name}{}", duration.count, if duration.count == 1 { "" } else { "s" })
}

fn time(time: &Time) -> String {
    let mut text = match &time.base {
        Base::Now => "now".to_owned(),
        Base::Life { edge: Edge::Start, name: of } => format!("start({})", name(of)),
        Base::Life { edge: Edge::End, name: of } => format!("end({})", name(of)),
        Base::Date { date, clock, zone } => {
            let mut text = date.day.map_or_else(|| date.raw.clone(), |day| day.to_string());
            if let Some(clock) = clock {
                text.push(' ');
                text.push_str(&rule::clock(clock));
            }
            if let Some(zone) = zone {
                text.push(' ');
                text.push_str(zone.zone.as_ref().map_or(&zone.raw, |zone| zone.name()));
            }
            text
        }
    };
    if let Some((sign, by)) = time.offset {
        let sign = if sign == Sign::Plus { '+' } else { '-' };
        text.push_str(&format!(" {sign} {}", duration(by)));
    }
    text
}

/// With parentheses around every `and` and `or` inside another operator.
pub(crate) fn expression(expr: &Expr) -> String {
    let inner = |expr: &Expr| match expr {
        Expr::And(_) | Expr::Or(_) => format!("({})", expression(expr)),
        _ => expression(expr),
    };
    match expr {
        Expr::Leaf(one) => leaf(one),
        Expr::Not(operand) => match **operand {
            Expr::Leaf(_) => format!("not {}", expression(operand)),
            _ => format!("not ({})", expression(operand)),
        },
        Expr::And(operands) => operands.iter().map(inner).collect::<Vec<_>>().join(" and "),
        Expr::Or(operands) => operands.iter().map(inner).collect::<Vec<_>>().join(" or "),
    }
}

fn leaf(leaf: &Leaf) -> String {
    let Primitive { aspect, terms, region } = &leaf.primitive;
    let pointed = region.selector.as_ref().filter(|_| aspect.row().terms.is_pointed());
    // After the selector, before a test.
    let of = leaf.of.as_ref().map_or(String::new(), |of| format!(" of {}", name(&of.name)));
    let selector = pointed.map(|selector| selector.written(string) + &of);
    let terms = selector.as_deref().into_iter().chain(terms.iter().map(String::as_str));
    let mut text = aspect.write(terms, string);
    if selector.is_none() {
        text.push_str(&of);
    }
    text.push_str(&region.modifiers(string));
    for direction in &leaf.directions {
        text.push_str(match direction {
            Direction::Added => " added",
            Direction::Removed => " removed",
            Direction::Updated => " updated",
            Direction::Moved => " moved",
        });
    }
    if let Some(pattern) = &leaf.matching {
        text.push_str(&format!(" matching {}", string(pattern)));
    }
    text
}
