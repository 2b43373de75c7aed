//! Secrets in the text of a sentinel: shown as `‹secret 1›`, and put back where a text that was
//! shown comes back.

mod stored;

use stored::Stored;

use crate::lexer::{Kind, Token, lex};
use crate::parser::parse;
use crate::place::{Place, Sink};
use crate::print;
use crate::syntax::rule::{self, Action, Rule};
use crate::syntax::{Clause, ClauseKind, Name, Source, Statement, Target};
use crate::vocabulary::begins_like_url;
use address::{Contact, SourceUrl, credentials_in};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

const MARK_BEGIN: &str = "‹secret ";
const MARK_END: char = '›';

/// The canonical text of one sentinel or rule. It has no `Display`: whoever shows it takes
/// [`Canonical::shown`], and whoever needs its secrets says so. Clones share it.
#[derive(Clone, PartialEq, Eq)]
pub struct Canonical(Arc<str>);

impl Canonical {
    /// With its secrets: for the store, and for reading it back.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The same sentinel under another name; `None`: the text names none.
    pub fn renamed(&self, name: &str) -> Option<Canonical> {
        let file = parse(&self.0, &mut Sink::default());
        let place = file.statements.first()?.name.place;
        let (head, rest) = (self.0.get(..place.start)?, self.0.get(place.end..)?);
        Some(Canonical(format!("{head}{}{rest}", print::name(name)).into()))
    }

    /// With `‹secret 1›`, `‹secret 2›`, … in the place of its secrets. Checked where the sentinel
    /// is known, that text means the same. O(text).
    pub fn shown(&self) -> Cow<'_, str> {
        if has_surely_none(&self.0) {
            return Cow::Borrowed(&self.0);
        }
        let (mut shown, mut from) = (String::with_capacity(self.0.len()), 0);
        for (index, (place, secret)) in secrets_of(&self.0).into_iter().enumerate() {
            shown.push_str(&self.0[from..place.start]);
            shown.push_str(&secret.printed(&mark(index + 1)));
            from = place.end;
        }
        shown.push_str(&self.0[from..]);
        Cow::Owned(shown)
    }
}

impl fmt::Debug for Canonical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.shown(), f)
    }
}

impl From<&str> for Canonical {
    fn from(text: &str) -> Canonical {
        Canonical(text.into())
    }
}

impl From<String> for Canonical {
    fn from(text: String) -> Canonical {
        Canonical(text.into())
    }
}

impl From<Box<str>> for Canonical {
    fn from(text: Box<str>) -> Canonical {
        Canonical(text.into())
    }
}

/// Whether a look at the characters shows that there is no secret: credentials stand before an `@`,
/// receivers behind `by`, as URLs or keys. O(text).
fn has_surely_none(canonical: &str) -> bool {
    let receivers = canonical.split_once("by").map_or("", |(_, after)| after);
    let mut words = receivers.split(|c: char| !c.is_ascii_alphanumeric());
    !canonical.contains('@') && !receivers.contains("://") && !words.any(address::is_key)
}

/// An address of a stored text that is not shown in full.
#[derive(Debug)]
enum Secret {
    /// User and password of the source.
    Credentials(SourceUrl),
    /// All but the host of a receiver.
    Receiver(Contact),
}

impl Secret {
    /// As it stands in a text, with a mark in its place.
    fn printed(&self, mark: &str) -> String {
        let marked = self.marked(mark);
        match self {
            Secret::Credentials(_) => print::source_text(&marked),
            Secret::Receiver(_) => print::contact(&marked),
        }
    }

    fn marked(&self, mark: &str) -> String {
        let marked = match self {
            Secret::Credentials(source) => source.marked(mark),
            Secret::Receiver(contact) => contact.marked(mark),
        };
        marked.expect("what has nothing to hide was not taken for a secret")
    }
}

fn mark(number: usize) -> String {
    format!("{MARK_BEGIN}{number}{MARK_END}")
}

/// The secrets of a stored text, in the order in which they stand there.
fn secrets_of(canonical: &str) -> Vec<(Place, Secret)> {
    let file = parse(canonical, &mut Sink::default());
    if let Some(statement) = file.statements.first() {
        let sources = sources_of(statement).iter().filter_map(|source| credentials(&source.url));
        let clauses = statement.clauses.iter().flat_map(|clause| {
            let followed = followed_by(clause).iter().filter_map(|one| credentials(&one.url));
            followed.chain(contact_of(clause).and_then(receiver)).collect::<Vec<_>>()
        });
        return sources.chain(clauses).collect();
    }
    let actions = file.rules.first().map_or(&[][..], actions_of).iter();
    let secrets = actions.flat_map(|action| match action {
        Action::Notify(notify) => notify.contact.iter().filter_map(receiver).collect(),
        Action::Probe { sources, .. } => sources.iter().filter_map(credentials).collect(),
        Action::Enable(_) | Action::Disable(_) | Action::Raise(_) => Vec::new(),
    });
    secrets.collect()
}

fn credentials(name: &Name) -> Option<(Place, Secret)> {
    let url = SourceUrl::from(&*name.text);
    url.credentials()?;
    Some((name.place, Secret::Credentials(url)))
}

fn receiver(name: &Name) -> Option<(Place, Secret)> {
    let contact = Contact::from(&*name.text);
    contact.marked("")?;
    Some((name.place, Secret::Receiver(contact)))
}

fn actions_of(rule: &Rule) -> &[Action] {
    let actions = rule.clauses.iter().find_map(|clause| match &clause.kind {
        rule::ClauseKind::Do(actions) => Some(&**actions),
        _ => None,
    });
    actions.unwrap_or_default()
}

/// Whether a rule has a mark where an address stands.
pub(crate) fn rule_has_marks(rule: &Rule) -> bool {
    actions_of(rule).iter().any(|action| match action {
        Action::Notify(notify) => notify.contact.iter().any(has_mark),
        Action::Probe { sources, .. } => sources.iter().any(has_mark),
        Action::Enable(_) | Action::Disable(_) | Action::Raise(_) => false,
    })
}

fn has_mark(name: &Name) -> bool {
    name.text.contains(MARK_BEGIN)
}

/// The rule with the secrets of `stored`, the text that has its name, in the place of the marks.
/// What cannot be put back is reported and left out.
pub(crate) fn restore_rule(rule: &Rule, stored: Option<&str>, sink: &mut Sink) -> Rule {
    let secrets = stored.map(secrets_of).unwrap_or_default();
    let stored = Stored { name: &rule.name.text, is_there: stored.is_some(), secrets };
    let mut restored = rule.clone();
    let mut is_whole = true;
    for clause in &mut restored.clauses {
        let rule::ClauseKind::Do(actions) = &mut clause.kind else { continue };
        for action in actions {
            match action {
                Action::Notify(notify) => {
                    if let Some(contact) = &mut notify.contact {
                        is_whole &= stored.put_back(contact, Stored::receiver, sink);
                    }
                }
                Action::Probe { sources, .. } => {
                    for source in sources {
                        is_whole &= stored.put_back(source, Stored::source, sink);
                    }
                }
                Action::Enable(_) | Action::Disable(_) | Action::Raise(_) => {}
            }
        }
    }
    restored.broken |= !is_whole;
    restored
}

fn sources_of(statement: &Statement) -> &[Source] {
    match &statement.target {
        Some(Target::Sources(sources)) => sources,
        _ => &[],
    }
}

/// The sources that are looked at once something is found.
fn followed_by(clause: &Clause) -> &[Source] {
    match &clause.kind {
        ClauseKind::Then { sources, .. } => sources,
        _ => &[],
    }
}

fn contact_of(clause: &Clause) -> Option<&Name> {
    match &clause.kind {
        ClauseKind::Notify(notify) => notify.contact.as_ref(),
        _ => None,
    }
}

/// Whether a statement has a mark where an address stands.
pub(crate) fn has_marks(statement: &Statement) -> bool {
    let followed = statement.clauses.iter().flat_map(followed_by);
    let urls = sources_of(statement).iter().chain(followed).map(|source| &source.url);
    let contacts = statement.clauses.iter().filter_map(contact_of);
    urls.chain(contacts).any(|name| name.text.contains(MARK_BEGIN))
}

/// The statement with the secrets of `stored`, the text that has its name, in the place of the
/// marks. What cannot be put back is reported and left out.
pub(crate) fn restore(statement: &Statement, stored: Option<&str>, sink: &mut Sink) -> Statement {
    let secrets = stored.map(secrets_of).unwrap_or_default();
    let stored = Stored { name: &statement.name.text, is_there: stored.is_some(), secrets };
    let mut restored = statement.clone();
    if let Some(Target::Sources(sources)) = &mut restored.target
        && !sources.iter_mut().all(|source| stored.put_back(&mut source.url, Stored::source, sink))
    {
        restored.target = None;
        restored.broken = true;
    }
    restored.clauses.retain_mut(|clause| match &mut clause.kind {
        ClauseKind::Notify(notify) => notify
            .contact
            .as_mut()
            .is_none_or(|contact| stored.put_back(contact, Stored::receiver, sink)),
        ClauseKind::Then { sources, .. } => {
            sources.iter_mut().all(|one| stored.put_back(&mut one.url, Stored::source, sink))
        }
        _ => true,
    });
    restored
}

/// The text with a dot for each character of a secret in its addresses, whatever else is wrong
/// with them. O(text).
pub(crate) fn veiled(text: &str) -> String {
    let tokens = lex(text, &mut Sink::default()).tokens;
    let slice = |token: &Token| &text[token.place.start..token.place.end];
    let (mut veiled, mut from) = (String::with_capacity(text.len()), 0);
    for (index, token) in tokens.iter().enumerate() {
        let written = slice(token);
        let by = index.checked_sub(2).map(|before| slice(&tokens[before]));
        let is_contact = by.is_some_and(|word| word.eq_ignore_ascii_case("by"));
        let is_key = is_contact && address::is_key(written.trim_matches('"'));
        let is_address = matches!(token.kind, Kind::Url | Kind::Quoted | Kind::Foreign)
            && begins_like_url(written.trim_start_matches(|c: char| !c.is_ascii_alphabetic()))
            && !written.contains(MARK_BEGIN);
        if !is_address && !is_key {
            continue;
        }
        for hidden in hidden_of(written, is_contact) {
            veiled.push_str(&text[from..token.place.start + hidden.start]);
            veiled.extend(written[hidden.clone()].chars().map(|_| '•'));
            from = token.place.start + hidden.end;
        }
    }
    veiled.push_str(&text[from..]);
    veiled
}

/// What of an address as it was written is hidden, in order.
fn hidden_of(written: &str, is_contact: bool) -> impl Iterator<Item = Range<usize>> {
    let credentials = credentials_in(written).map(|range| range.start..range.end - 1);
    let slashes = written.find("://").map_or(written.len(), |at| at + 3);
    let host = credentials.as_ref().map_or(slashes, |range| range.end + 1);
    let rest = written[host..].find(['/', '\\', '?', '#']).map(|at| host + at + 1);
    let end = written.trim_end_matches('"').len();
    if address::is_key(written.trim_matches('"')) {
        return None.into_iter().chain(Some(end - written.trim_matches('"').len()..end));
    }
    let rest = rest.filter(|start| is_contact && *start < end).map(|start| start..end);
    credentials.into_iter().chain(rest)
}
