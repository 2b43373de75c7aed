//! A sentinel in plain sentences.

mod rule;

use rule::span_text;
pub use rule::{absent, explain_rule};

use crate::ast::{
    Anchor, Compare, Direction, Edge, Expr, Fetch, Frequency, Leaf, Notify, Offset, Presentation,
    Primitive, Region, Sentinel, Source, Then, When,
};
use crate::vocabulary::{listed, visible};
use address::{ChannelKind, Whom};
use aspect::{Subject, Terms};
use chronon::{Instant, Period, Zone};

/// How many words of a list are named.
const WORDS_SHOWN_MAX: usize = 8;

/// What `sentinel` will do, in two sentences: where and when it looks, and whom it tells of what.
/// Without control and invisible characters.
pub fn explain(sentinel: &Sentinel) -> String {
    let sources = sentinel.sources.iter().map(called);
    let several = sentinel.sources.len() > 1;
    let mut look = format!("Looks at {}", listed(&sources.collect::<Vec<String>>(), "and"));
    look.push_str(match (several, sentinel.is_joint()) {
        (false, _) => "",
        (true, false) => ", each on its own,",
        (true, true) => ", all of them together,",
    });
    look.push_str(&match sentinel.fetch {
        Fetch::OnChange { within } if sentinel.is_joint() => format!(
            " as often as they change and the budget allows, and after a change in one at the \
             others within {within}"
        ),
        Fetch::OnChange { .. } if several => {
            " as often as they change and the budget allows".to_owned()
        }
        Fetch::OnChange { .. } => " as often as it changes and the budget allows".to_owned(),
        Fetch::Every { period, slack } => {
            format!(" every {}, at most {slack} late", period_text(period))
        }
    });
    look.push_str(&format!(", from {}", moment(&sentinel.from, &sentinel.zone)));
    if let Some(to) = &sentinel.to {
        look.push_str(&format!(" to {}", moment(to, &sentinel.zone)));
    }
    look.push_str(&match sentinel.compare {
        Compare::Pairwise | Compare::Moving(2) => String::new(),
        Compare::Moving(n) => {
            format!(", and compares each version with the one {} before it", n.saturating_sub(1))
        }
        Compare::Every(n) => {
            format!(", and compares the first with the last of every {n} versions")
        }
    });
    let told: Vec<String> = sentinel.notify.iter().map(notify).collect();
    let told = listed(&told, "and");
    let then = sentinel
        .then
        .as_deref()
        .map_or_else(String::new, |then| format!("it looks at {}, and ", followed(then)));
    visible(&format!("{look}. When {}, {then}it tells {told}.", condition(&sentinel.monitor)))
}

/// What each clause of `sentinel` means, a sentence each, those left out included where something
/// follows from them. Without control and invisible characters.
pub fn clauses(sentinel: &Sentinel) -> Vec<String> {
    let zone = &sentinel.zone;
    let sources: Vec<String> =
        sentinel.sources.iter().map(|source| source.url.to_string()).collect();
    let each = match (sources.len(), sentinel.is_joint()) {
        (1, _) => "",
        (_, true) => ", together",
        (_, false) => ", each on its own",
    };
    let mut said = vec![format!("It looks at {}{each}.", listed(&sources, "and"))];
    said.push(match sentinel.fetch {
        Fetch::OnChange { .. } => {
            "Tidings decides when to look: as often as the page changes and the budget allows."
                .to_owned()
        }
        Fetch::Every { period, slack } => {
            format!("It looks every {}; a look comes at most {slack} late.", period_text(period))
        }
    });
    let begins = turning(&sentinel.from, zone);
    said.push(match &sentinel.to {
        None => format!("It begins {begins} and has no end."),
        Some(to) => format!("It begins {begins} and ends {}.", turning(to, zone)),
    });
    said.push(match sentinel.compare {
        Compare::Pairwise | Compare::Moving(2) => {
            "Each version is compared with the one before it.".to_owned()
        }
        Compare::Moving(n) => {
            format!("Each version is compared with the one {} before it.", n.saturating_sub(1))
        }
        Compare::Every(n) => {
            format!(
                "The first is compared with the last of every {n} versions; windows share an end."
            )
        }
    });
    said.push(format!("It tells you when {}.", condition(&sentinel.monitor)));
    said.extend(sentinel.then.as_deref().map(|then| {
        let looks = followed(then);
        format!("Then it looks at {looks}; the message waits for that, and says what was missed.")
    }));
    said.extend(sentinel.notify.iter().map(|one| format!("It tells {}.", notify(one))));
    said.push(match sentinel.presentation {
        None => "Mail and dashboard show blocks and phrases side by side, old and new; the rest \
                 shows only what changed."
            .to_owned(),
        Some(Presentation::OnlyChange) => "It shows only what changed.".to_owned(),
        Some(Presentation::DualFrame) => "It shows old and new side by side.".to_owned(),
        Some(Presentation::Merged) => {
            "It shows one text, with what went and what came marked.".to_owned()
        }
    });
    if sentinel.change_history > 1 {
        let n = sentinel.change_history;
        said.push(format!("The last {n} versions and findings are kept in any case."));
    }
    if sentinel.weight != 1.0 {
        let weight = sentinel.weight;
        said.push(format!(
            "Where looks compete, its own are worth {weight} times an ordinary one."
        ));
    }
    if !sentinel.tags.is_empty() {
        said.push(format!("It is listed under {}.", listed(&sentinel.tags, "and")));
    }
    said.iter().map(|sentence| visible(sentence)).collect()
}

/// What is looked at once something is found, and within which time.
fn followed(then: &Then) -> String {
    let sources = then.sources.iter().map(called);
    format!("{} within {}", listed(&sources.collect::<Vec<_>>(), "and"), span_text(then.within))
}

/// A source, with what it is called.
fn called(source: &Source) -> String {
    match &source.name {
        Some(name) => format!("{} ({name})", source.url),
        None => source.url.to_string(),
    }
}

/// A time as a noun: `the start of “a”`.
fn moment(when: &When, zone: &Zone) -> String {
    let anchor = match when {
        When::At(instant) => return at(*instant, zone),
        When::Of(anchor) => anchor,
    };
    let edge = if anchor.edge == Edge::Start { "start" } else { "end" };
    let edge = format!("the {edge} of “{}”", anchor.name);
    let length = |period| match period_text(period) {
        text if text.starts_with(char::is_alphabetic) => format!("a {text}"),
        text => text,
    };
    match anchor.offset {
        Offset::None => edge,
        Offset::After(period) => format!("{} after {edge}", length(period)),
        Offset::Before(period) => format!("{} before {edge}", length(period)),
    }
}

/// A time as what comes after a verb: `at …`, `with the start of “a”`.
fn turning(when: &When, zone: &Zone) -> String {
    let moment = moment(when, zone);
    match when {
        When::At(_) => format!("at {moment}"),
        When::Of(Anchor { offset: Offset::None, .. }) => format!("with {moment}"),
        When::Of(_) => moment,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Holds {
    Yes,
    No,
}

fn condition(expr: &Expr) -> String {
    let joined = |operands: &[Expr], word: &str| {
        let parts: Vec<String> = operands
            .iter()
            .map(|operand| match operand {
                Expr::And(_) | Expr::Or(_) => format!("({})", condition(operand)),
                _ => condition(operand),
            })
            .collect();
        parts.join(word)
    };
    match expr {
        Expr::Leaf(one) => leaf(one, Holds::Yes),
        Expr::Not(operand) => match &**operand {
            Expr::Leaf(one) => leaf(one, Holds::No),
            other => format!("it is not so that ({})", condition(other)),
        },
        Expr::And(operands) => joined(operands, " and "),
        Expr::Or(operands) => joined(operands, " or "),
    }
}

fn leaf(leaf: &Leaf, holds: Holds) -> String {
    let quoted = |words: &[String]| {
        let mut quoted: Vec<String> =
            words.iter().take(WORDS_SHOWN_MAX).map(|word| format!("“{word}”")).collect();
        if words.len() > WORDS_SHOWN_MAX {
            quoted.push(format!("{} more", words.len() - WORDS_SHOWN_MAX));
        }
        quoted
    };
    let Primitive { aspect, terms, region } = &leaf.primitive;
    let (subject, is_plural) = match aspect.row().subject {
        Subject::One(subject) => (subject, false),
        Subject::Several(subject) => (subject, true),
    };
    let subject = match aspect.row().terms {
        Terms::Pointed | Terms::Tests => {
            let selector = region.selector.as_ref().map(ToString::to_string).unwrap_or_default();
            format!("{subject} {selector}")
        }
        _ if terms.is_empty() => subject.to_owned(),
        Terms::Except => format!("{subject} other than {}", listed(&quoted(terms), "and")),
        _ => format!("{subject} {}", listed(&quoted(terms), "or")),
    };
    let subject = subject + &places(region);
    let subject = match &leaf.of {
        Some(of) => format!("{subject} of {}", of.name),
        None => subject,
    };
    let subject = match (&leaf.matching, is_plural) {
        (None, _) => subject,
        (Some(pattern), true) => format!("{subject} that match “{pattern}”"),
        (Some(pattern), false) => format!("{subject} that matches “{pattern}”"),
    };
    if let Some(test) = terms.first().filter(|_| aspect.row().terms == Terms::Tests) {
        let (becomes, changes) = match holds {
            Holds::Yes => ("becomes", "changes by"),
            Holds::No => ("does not become", "does not change by"),
        };
        return match test.strip_prefix("changes by") {
            Some(least) => format!("{subject} {changes}{least} or more"),
            None => format!("{subject} {becomes} {test}"),
        };
    }
    let kinds: Vec<String> = leaf.directions.iter().map(|one| direction(*one).to_owned()).collect();
    let verb = match (kinds.is_empty(), is_plural, holds) {
        (true, true, Holds::Yes) => "change",
        (true, false, Holds::Yes) => "changes",
        (true, true, Holds::No) => "do not change",
        (true, false, Holds::No) => "does not change",
        (false, true, Holds::Yes) => "are ",
        (false, false, Holds::Yes) => "is ",
        (false, true, Holds::No) => "are not ",
        (false, false, Holds::No) => "is not ",
    };
    format!("{subject} {verb}{}", listed(&kinds, "or"))
}

/// Where a leaf looks, and what it does not see.
fn places(region: &Region) -> String {
    let scopes = region.scopes().iter();
    let mut places: String =
        scopes.map(|(side, selector)| format!(" {} {selector}", side.word())).collect();
    if let Some(pattern) = &region.ignoring {
        places.push_str(&format!(", without what matches “{pattern}”,"));
    }
    if let Some(language) = &region.language {
        places.push_str(&format!(" (numbers as in {language})"));
    }
    places
}

fn direction(direction: Direction) -> &'static str {
    match direction {
        Direction::Added => "added",
        Direction::Removed => "removed",
        Direction::Updated => "updated",
        Direction::Moved => "moved",
    }
}

fn notify(notify: &Notify) -> String {
    let (channel, contact) = (&*notify.channel, &notify.contact);
    let whom = match (ChannelKind::named(channel).map(|kind| kind.row().whom), contact) {
        (Some(Whom::Place(place)), _) => place.to_owned(),
        (_, Some(contact)) => format!("{contact} by {channel}"),
        (_, None) => format!("channel {channel}"),
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
        Period::Elapsed(span) => span.to_string(),
    }
}

fn at(instant: Instant, zone: &Zone) -> String {
    format!("{} {}", zone.local(instant), zone.name())
}
