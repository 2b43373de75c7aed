//! The checks that need the other statements and the world, and what comes out of them.

pub(crate) mod lives;
mod notify;
mod parts;
mod recall;
pub(crate) mod rule;

use recall::recall_draft;
pub use recall::{instant, presentation, recall, recall_rule, source_names};

use crate::ast::Edge;
use crate::draft::{Draft, Lowering};
use crate::limits::{CANONICAL_BYTES_MAX, SENTINEL_BYTES_MAX};
use crate::patterns::Patterns;
use crate::place::{Place, Sink};
use crate::resolve::Scope;
use crate::secrets::{self, Canonical};
use crate::syntax::{self, Base, Name, Target};
use crate::vocabulary::nearest;
use crate::{Checked, Existing, Knowledge, Parsed, Redefine, RuleStatement, Statement};
use chronon::Instant;
use lives::Lives;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Checks a whole file against the world: every error at once, in order of place.
///
/// O(text), apart from compiling each different regular expression once and asking
/// `world.existing` once per name.
pub fn check(text: &str, world: &Knowledge) -> Checked {
    Parsed::of(text).check(world)
}

impl Parsed {
    /// [`check`] of the text. With every regular expression compiled before, it is O(text).
    pub fn check(self, world: &Knowledge) -> Checked {
        let Parsed { text, written, rules, mut sink, patterns } = self;
        let mut checker = Checker::new(world, (&written, &rules), &mut sink, patterns);
        checker.collect_names();
        checker.collect_rule_names();
        (0..written.len()).for_each(|index| checker.resolve(index));
        checker.check_anchors();
        rules.iter().for_each(|rule| checker.rule(rule));
        let rules = checker.checked_rules;
        let statements = checker.statements.into_iter().flatten().collect();
        Checked { statements, rules, diagnostics: sink.into_diagnostics(&text) }
    }
}

/// The findings after which no name is suggested any more.
const SUGGESTIONS_MAX: usize = 100;
/// How many names of a file are tried for a suggestion.
const SUGGESTED_FROM_MAX: usize = 1_000;

/// How far a statement has come.
#[derive(Clone)]
enum State {
    New,
    /// The statement's parent is being looked at: meeting it again closes a cycle.
    Open,
    /// It has an error, which has been reported.
    Broken,
    Done(Rc<Draft>),
}

struct Checker<'a> {
    world: &'a Knowledge<'a>,
    /// The first statement of each name, in lower case.
    names: BTreeMap<String, usize>,
    /// Names of the file's rules, in lower case.
    rule_names: BTreeSet<String>,
    /// The events that the file's rules listen to, in lower case.
    events: BTreeSet<String>,
    written: &'a [syntax::Statement],
    rules: &'a [syntax::rule::Rule],
    states: Vec<State>,
    sink: &'a mut Sink,
    patterns: Patterns,
    statements: Vec<Option<Statement>>,
    checked_rules: Vec<RuleStatement>,
    canonical_bytes: usize,
    /// Sentinels of the world that were inherited from, in lower case; `None`: unreadable.
    stored: BTreeMap<String, Option<Rc<Draft>>>,
    /// Statements that count from another life: which of their edges does, and where it says so.
    anchored: Vec<(usize, Edge, Place)>,
    lives: Lives,
    /// A stored rule is read back: names, channels and addresses were looked at when it came.
    is_recall: bool,
}

impl<'a> Checker<'a> {
    fn new(
        world: &'a Knowledge<'a>,
        (written, rules): (&'a [syntax::Statement], &'a [syntax::rule::Rule]),
        sink: &'a mut Sink,
        patterns: Patterns,
    ) -> Checker<'a> {
        Checker {
            world,
            names: BTreeMap::new(),
            rule_names: BTreeSet::new(),
            events: BTreeSet::new(),
            written,
            rules,
            states: vec![State::New; written.len()],
            sink,
            patterns,
            statements: vec![None; written.len()],
            checked_rules: Vec::new(),
            canonical_bytes: 0,
            stored: BTreeMap::new(),
            anchored: Vec::new(),
            lives: Lives::default(),
            is_recall: false,
        }
    }
}

impl Checker<'_> {
    fn collect_names(&mut self) {
        for (index, statement) in self.written.iter().enumerate() {
            let Name { text, place } = &statement.name;
            if text.is_empty() {
                continue;
            }
            let lower = text.to_lowercase();
            if self.names.contains_key(&lower) {
                let message = format!("this file already has a sentinel `{text}`");
                self.sink.value(*place, message, "choose another name");
                continue;
            }
            if let Some(what) = (self.world.taken)(&lower) {
                self.is_taken(what, &statement.name);
            } else if self.world.redefine == Redefine::Refuse && self.known(&lower).is_some() {
                let message = format!("a sentinel `{text}` already exists");
                let help = "choose another name, or replace the one that exists";
                self.sink.value(*place, message, help);
            }
            self.names.insert(lower, index);
        }
    }

    /// Something of another kind has the name.
    fn is_taken(&mut self, what: &str, name: &Name) {
        let message = format!("{what} `{}` already exists", name.text);
        let help = "choose another name: sentinels, rules and events share theirs";
        self.sink.value(name.place, message, help);
    }

    /// The sentinel of the world that has the name.
    fn known(&self, lower: &str) -> Option<(Canonical, Instant)> {
        match (self.world.existing)(lower)? {
            Existing::Sentinel(text, defined_at) => Some((text, defined_at)),
            Existing::Rule(_) | Existing::Event => None,
        }
    }

    /// Follows the line of parents inside the file to its end, then checks from there downwards.
    fn resolve(&mut self, index: usize) {
        let mut line = Vec::new();
        let mut next = Some(index);
        while let Some(index) = next.filter(|&index| matches!(self.states[index], State::New)) {
            self.states[index] = State::Open;
            line.push(index);
            next = self.parent(index).and_then(|parent| self.in_file(parent));
        }
        if let Some(first) = next.filter(|&index| matches!(self.states[index], State::Open)) {
            let start = line.iter().position(|&index| index == first).unwrap_or(0);
            self.cycle(&line[start..]);
        }
        for index in line.into_iter().rev() {
            if matches!(self.states[index], State::Open) {
                self.states[index] = match self.finish(index) {
                    Some(draft) => State::Done(Rc::new(draft)),
                    None => State::Broken,
                };
            }
        }
    }

    fn parent(&self, index: usize) -> Option<&'_ Name> {
        match &self.written[index].target {
            Some(Target::Parent(parent)) => Some(parent),
            _ => None,
        }
    }

    fn in_file(&self, name: &Name) -> Option<usize> {
        self.names.get(&name.text.to_lowercase()).copied()
    }

    fn cycle(&mut self, members: &[usize]) {
        let first = members[0];
        let shown = members.iter().take(5).chain([&first]);
        let mut names: Vec<&str> = shown.map(|&index| &*self.written[index].name.text).collect();
        if members.len() > 5 {
            names.insert(5, "…");
        }
        let message = format!("`{}` inherits from itself: {}", names[0], names.join(" → "));
        let place = self.parent(first).map_or(self.written[first].name.place, |name| name.place);
        self.sink.value(place, message, "one of them must be `using` a URL");
        members.iter().for_each(|&index| {
            self.states[index] = State::Broken;
            // The statement's own clauses are still checked.
            let mut draft = self.lowered(index);
            self.check_fetch(&draft);
            self.check_then(&draft);
            self.check_life(&draft);
            self.check_notifies(&mut draft);
        });
    }

    fn lowered(&mut self, index: usize) -> Draft {
        let patterns = std::mem::take(&mut self.patterns);
        let chronon = self.world.chronon;
        let mut statement = Cow::Borrowed(&self.written[index]);
        if secrets::has_marks(&statement) {
            let stored = self.known(&statement.name.text.to_lowercase());
            let stored = stored.as_ref().map(|(text, _)| text.reveal());
            statement = Cow::Owned(secrets::restore(&statement, stored, self.sink));
        }
        self.check_languages(&statement);
        let mut lowering = Lowering { chronon, sink: &mut *self.sink, patterns };
        let draft = lowering.draft(&statement);
        self.patterns = lowering.patterns;
        draft
    }

    fn finish(&mut self, index: usize) -> Option<Draft> {
        let statement = &self.written[index];
        if self.canonical_bytes > CANONICAL_BYTES_MAX {
            return None;
        }
        let before = self.sink.errors();
        let mut draft = self.lowered(index);
        let (blame, is_whole) = match &statement.target {
            Some(Target::Sources(sources)) => (sources[0].url.place, true),
            Some(Target::Parent(parent)) => {
                (parent.place, self.inherit(parent, &mut draft).is_some())
            }
            None => (statement.name.place, false),
        };
        if is_whole && draft.notify.is_empty() {
            self.tell_by_default(&mut draft, blame);
        }
        self.check_sources(&draft, matches!(statement.target, Some(Target::Sources(_))), blame);
        self.check_of(&draft);
        self.check_fetch(&draft);
        self.check_then(&draft);
        self.check_life(&draft);
        self.check_notifies(&mut draft);
        let is_fine = self.sink.errors() == before && !statement.broken;
        if !is_whole || !is_fine || draft.sources.is_none() {
            return None;
        }
        let scope =
            Scope { now: self.world.now, zone: &self.world.zone, chronon: self.world.chronon };
        let sentinel = scope.sentinel(statement.name.text.clone(), &draft);
        let canonical = scope.canonical(&sentinel, &draft);
        let bytes = canonical.reveal().len();
        if bytes > SENTINEL_BYTES_MAX {
            let message =
                format!("this sentinel comes to {bytes} bytes; {SENTINEL_BYTES_MAX} are allowed");
            self.sink.value(blame, message, "divide its condition among several sentinels");
            return None;
        }
        self.canonical_bytes += bytes;
        if self.canonical_bytes > CANONICAL_BYTES_MAX {
            let message =
                format!("what is inherited comes to more than {CANONICAL_BYTES_MAX} bytes");
            self.sink.value(blame, message, "split the file, or inherit shorter conditions");
            return None;
        }
        let edges = [(Edge::Start, &draft.from), (Edge::End, &draft.to)];
        for (edge, time) in edges {
            let time = time.as_ref().filter(|time| matches!(time.value.base, Base::Life { .. }));
            self.anchored.extend(time.map(|time| (index, edge, time.place)));
        }
        self.statements[index] = Some(Statement { sentinel, canonical });
        Some(draft)
    }

    /// `None`: there is nothing to inherit, and the reason has been given.
    fn inherit(&mut self, parent: &Name, draft: &mut Draft) -> Option<()> {
        if let Some(index) = self.in_file(parent) {
            let State::Done(from) = &self.states[index] else { return None };
            draft.inherit(&from.clone(), parent.place);
            return Some(());
        }
        let Some(stored) = self.stored(parent.text.to_lowercase()) else {
            // Suggestions are for people: not for the thousandth error, nor out of thousands.
            let few = self.sink.findings.len() < SUGGESTIONS_MAX;
            let known = self.written.iter().take(if few { SUGGESTED_FROM_MAX } else { 0 });
            let known = known.map(|statement| &*statement.name.text);
            let message = format!("there is no sentinel `{}`", parent.text);
            match nearest(&parent.text, known.filter(|name| !name.is_empty())) {
                Some(near) => self.sink.near_name(parent.place, message, near),
                None => {
                    let help = "write a URL, or the name of a sentinel that exists";
                    self.sink.value(parent.place, message, help);
                }
            }
            return None;
        };
        match stored {
            Some(from) => draft.inherit(&from, parent.place),
            None => {
                let message = format!("the stored sentinel `{}` cannot be read", parent.text);
                self.sink.value(parent.place, message, "define it again first");
                return None;
            }
        }
        Some(())
    }

    /// A sentinel of the world, read once however many inherit from it; `None`: there is none.
    fn stored(&mut self, name: String) -> Option<Option<Rc<Draft>>> {
        if let Some(known) = self.stored.get(&name) {
            return Some(known.clone());
        }
        let (canonical, _) = self.known(&name)?;
        let read = recall_draft(canonical.reveal(), self.world.chronon, &mut Sink::default());
        let read = read.map(|(_, draft)| Rc::new(draft));
        self.stored.insert(name, read.clone());
        Some(read)
    }
}
