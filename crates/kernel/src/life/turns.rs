//! Whoever changes names takes turns, and a turn does a bounded piece of work per step.
//!
//! A file may define ten thousand sentinels. All its names are looked at before the first is
//! defined; from then on it goes to its end, a few sentinels per step, while probes, alerts and
//! reading go on between the steps. What is left after its first step is stored with what that
//! step defined, so that it goes to its end after a crash, too.

use super::Life;
use crate::event::RuleDefinition;
use crate::io::{Answer, Applied, ApplyMode, Defined, RequestId};
use crate::record::{ApplyingRow, Record};
use crate::vetting::{Mark, Vetted};
use chronon::{Instant, OwnerId, SentinelId, Span};
use sentinel::{Canonical, Checked, RuleStatement, Statement};
use std::collections::VecDeque;
use std::vec::IntoIter;

/// What one step may do for turns, in [`Work`]'s units: about a millisecond.
const STEP_WORK_MAX: u32 = 1_024;
/// Turns that may wait; further ones are refused.
const WAITING_MAX: usize = 64;
/// A result older than this is checked again: `now` in it means that moment.
const AGE_MAX: Span = Span::MINUTE;

/// Units of work left in a step: about a microsecond each.
pub(crate) struct Work(u32);

impl Work {
    /// All that a step may do.
    pub(crate) fn of_a_step() -> Work {
        Work(STEP_WORK_MAX)
    }

    const LOOKUP: u32 = 2;
    const REMOVAL: u32 = 32;

    fn is_left(&self) -> bool {
        self.0 > 0
    }

    fn take(&mut self, units: u32) {
        self.0 = self.0.saturating_sub(units);
    }

    /// What a sentinel takes to define: its place in the tables, and its words.
    fn definition(statement: &Statement) -> u32 {
        32 + u32::try_from(statement.canonical.reveal().len() / 32).unwrap_or(u32::MAX)
    }

    fn rule(statement: &RuleStatement) -> u32 {
        32 + u32::try_from(statement.canonical.reveal().len() / 32).unwrap_or(u32::MAX)
    }
}

/// Somebody who changes names.
pub(crate) enum Turn {
    Apply(Box<Applying>),
    Remove {
        request: RequestId,
        owner: OwnerId,
        name: Box<str>,
    },
    Rename {
        request: RequestId,
        owner: OwnerId,
        name: Box<str>,
        to: Box<str>,
    },
    /// It was removed ten minutes ago.
    Go(SentinelId),
}

/// A text on its way in.
pub(crate) struct Applying {
    /// Nobody waits for an answer to what a crash cut short.
    request: Option<RequestId>,
    owner: OwnerId,
    mode: ApplyMode,
    text: Vetted,
    /// Names it relies on that have been looked at.
    relied: usize,
    /// Sentinels whose names have been looked at, and how many of them are new.
    seen: usize,
    new: usize,
    /// Once all names are as they should be, and after a crash: what is left to be defined.
    left: Option<IntoIter<Statement>>,
    /// The rules, which come after all sentinels.
    rules: IntoIter<RuleStatement>,
    applied: Vec<Applied>,
}

/// What comes next of those who change names.
pub(crate) enum Piece {
    Sentinel(Box<Definition>),
    Rule(Box<RuleDefinition>),
    /// A name is to go.
    Removal {
        request: RequestId,
        owner: OwnerId,
        name: Box<str>,
    },
    /// A sentinel is to have another name.
    Rename {
        request: RequestId,
        owner: OwnerId,
        name: Box<str>,
        to: Box<str>,
    },
}

/// What life does not know of names: which rule or event has one.
pub(crate) type Others<'a> = &'a dyn Fn(OwnerId, &str) -> Option<Mark>;

/// A statement, whose it is, and what `now` means in it.
pub(crate) struct Definition {
    pub(crate) owner: OwnerId,
    pub(crate) statement: Statement,
    pub(crate) at: Instant,
}

/// Those who wait, first come first served.
#[derive(Default)]
pub(super) struct Turns(VecDeque<Turn>);

impl Turn {
    pub(crate) fn apply(request: RequestId, owner: OwnerId, text: Vetted, mode: ApplyMode) -> Turn {
        Turn::Apply(Box::new(Applying {
            request: Some(request),
            owner,
            mode,
            text,
            relied: 0,
            seen: 0,
            new: 0,
            left: None,
            rules: Vec::new().into_iter(),
            applied: Vec::new(),
        }))
    }

    /// The rest of a text whose names were looked at before a crash.
    fn resume(
        owner: OwnerId,
        (statements, rules): (Vec<Statement>, Vec<RuleStatement>),
        now: Instant,
    ) -> Turn {
        let checked =
            Checked { statements: Vec::new(), rules: Vec::new(), diagnostics: Vec::new() };
        Turn::Apply(Box::new(Applying {
            request: None,
            mode: ApplyMode::Upsert,
            owner,
            text: Vetted { checked, now, relied: Vec::new() },
            relied: 0,
            seen: 0,
            new: 0,
            left: Some(statements.into_iter()),
            rules: rules.into_iter(),
            applied: Vec::new(),
        }))
    }

    fn request(&self) -> Option<RequestId> {
        match self {
            Turn::Apply(applying) => applying.request,
            Turn::Remove { request, .. } | Turn::Rename { request, .. } => Some(*request),
            Turn::Go(_) => None,
        }
    }
}

/// What comes next of a text.
enum Next {
    Definition(Box<Definition>),
    Rule(Box<RuleDefinition>),
    /// In another step.
    Later,
    Over(Answer),
}

impl Life {
    /// Somebody who changes names has not come to an end.
    pub(crate) fn is_changing_names(&self) -> bool {
        !self.turns.0.is_empty()
    }

    /// Puts `turn` at the end of the line.
    pub(crate) fn queue_turn(&mut self, turn: Turn) {
        if self.turns.0.len() <= WAITING_MAX || matches!(turn, Turn::Go(_)) {
            return self.turns.0.push_back(turn);
        }
        let sentence = format!(
            "{WAITING_MAX} other changes wait for a large file to be applied; try again in a moment"
        );
        if let Some(request) = turn.request() {
            self.answer(request, Answer::Unable(sentence.into()));
        }
    }

    /// Puts the file that a crash cut short before everybody else. Each text is read back alone, as
    /// those of sentinels are: neither a period that is over nor a channel that is gone keeps it
    /// out.
    pub(crate) fn load_applying(&mut self, row: Option<ApplyingRow>) {
        let Some(row) = row else { return };
        let (now, chronon) = (row.now, self.chronon);
        let read = |text: &Canonical| {
            let sentinel = sentinel::recall(text, now, &self.zone, chronon).ok()?;
            Some(Statement { sentinel, canonical: text.clone() })
        };
        let zone = &self.zone;
        let read_rule = |text: &Canonical| {
            let rule = sentinel::recall_rule(text, now, zone, chronon).ok()?;
            Some(RuleStatement { rule, canonical: text.clone() })
        };
        let (mut rules, mut texts) = (Vec::new(), Vec::new());
        for text in &row.texts {
            match read_rule(text) {
                Some(rule) => rules.push(rule),
                None => texts.push(text),
            }
        }
        let mut statements = texts.into_iter().map(read).collect::<Option<Vec<_>>>();
        if let Some(statements) = &mut statements {
            statements.retain(|statement| !self.is_defined(row.owner, statement));
        } else {
            rules.clear();
            let said = "a file was being applied when the server stopped, and what was left of it \
                        cannot be read back; apply it again";
            self.say(super::Out::Warning(said.into()));
        }
        // The end of a file deletes the row, also where nothing could be read.
        let statements = statements.unwrap_or_default();
        self.turns.0.push_front(Turn::resume(row.owner, (statements, rules), now));
        self.applying = Some(row);
    }

    /// Goes on with those whose turn it is, as far as the step's work reaches: what is to be
    /// done next.
    pub(crate) fn next_piece(
        &mut self,
        now: Instant,
        work: &mut Work,
        others: Others<'_>,
    ) -> Option<Piece> {
        self.now = now;
        while work.is_left() {
            match self.turns.0.pop_front()? {
                Turn::Remove { request, owner, name } => {
                    work.take(Work::REMOVAL);
                    return Some(Piece::Removal { request, owner, name });
                }
                Turn::Rename { request, owner, name, to } => {
                    work.take(Work::REMOVAL);
                    return Some(Piece::Rename { request, owner, name, to });
                }
                Turn::Go(id) => {
                    work.take(Work::REMOVAL);
                    self.go(id);
                }
                Turn::Apply(mut applying) => match self.go_on(&mut applying, work, others) {
                    Next::Definition(definition) => {
                        self.turns.0.push_front(Turn::Apply(applying));
                        return Some(Piece::Sentinel(definition));
                    }
                    Next::Rule(definition) => {
                        self.turns.0.push_front(Turn::Apply(applying));
                        return Some(Piece::Rule(definition));
                    }
                    Next::Later => self.turns.0.push_front(Turn::Apply(applying)),
                    Next::Over(answer) => self.finish_applying(applying.request, answer),
                },
            }
        }
        self.keep_what_is_left();
        None
    }

    /// One of the file whose turn it is was defined.
    pub(crate) fn applied(&mut self, applied: Applied) {
        if let Some(Turn::Apply(applying)) = self.turns.0.front_mut() {
            applying.applied.push(applied);
        }
    }

    /// Whether it is live as it stands: crash after crash, each start goes on where the last ended.
    fn is_defined(&self, owner: OwnerId, statement: &Statement) -> bool {
        let id = self.names.get(owner, &statement.sentinel.name);
        id.is_some_and(|id| self.sentinels[&id].row.text == statement.canonical)
    }

    fn finish_applying(&mut self, request: Option<RequestId>, answer: Answer) {
        if self.applying.take().is_some() {
            self.record(Record::ApplyingGone);
        }
        if let Some(request) = request {
            self.answer(request, answer);
        }
    }

    /// Part of a text is defined in this step, the rest will be: that must not get lost. Later
    /// steps leave the row as it is, for defining a sentinel again as it stands changes nothing.
    fn keep_what_is_left(&mut self) {
        let Some(Turn::Apply(applying)) = self.turns.0.front() else { return };
        let Some(left) = &applying.left else { return };
        if self.applying.is_some() || left.len() + applying.rules.len() == 0 {
            return;
        }
        let texts = left.as_slice().iter().map(|statement| statement.canonical.clone());
        let rules = applying.rules.as_slice().iter().map(|rule| rule.canonical.clone());
        let texts = texts.chain(rules).collect();
        let row = ApplyingRow { now: applying.text.now, owner: applying.owner, texts };
        self.record(Record::Applying(Box::new(row.clone())));
        self.applying = Some(row);
    }

    /// The next piece of a text.
    fn go_on(&self, applying: &mut Applying, work: &mut Work, others: Others<'_>) -> Next {
        if applying.left.is_none() {
            match self.look_at_names(applying, work, others) {
                Ok(true) => {}
                Ok(false) => return Next::Later,
                Err(answer) => return Next::Over(answer),
            }
        }
        if !work.is_left() {
            return Next::Later;
        }
        let (owner, at) = (applying.owner, applying.text.now);
        let Some(statement) = applying.left.as_mut().and_then(Iterator::next) else {
            if let Some(statement) = applying.rules.next() {
                work.take(Work::rule(&statement));
                return Next::Rule(Box::new(RuleDefinition { owner, statement, at }));
            }
            return Next::Over(Answer::Applied(std::mem::take(&mut applying.applied)));
        };
        work.take(Work::definition(&statement));
        Next::Definition(Box::new(Definition { owner, statement, at }))
    }

    /// Says whether all names were looked at, or why the text cannot be applied.
    fn look_at_names(
        &self,
        applying: &mut Applying,
        work: &mut Work,
        others: Others<'_>,
    ) -> Result<bool, Answer> {
        let (owner, text) = (applying.owner, &mut applying.text);
        if applying.relied == 0 && applying.seen == 0 {
            self.begin(text, &applying.mode)?;
        }
        for (name, mark) in &text.relied[applying.relied..] {
            if !work.is_left() {
                return Ok(false);
            }
            work.take(Work::LOOKUP);
            if self.mark(owner, name).or_else(|| others(owner, name)) != *mark {
                return Err(Answer::Outdated);
            }
            applying.relied += 1;
        }
        for statement in &text.checked.statements[applying.seen..] {
            if !work.is_left() {
                return Ok(false);
            }
            work.take(Work::LOOKUP);
            let name = &*statement.sentinel.name;
            match self.mark(owner, name) {
                Some(_) if applying.mode == ApplyMode::Create => {
                    return Err(Answer::Conflict { name: name.into() });
                }
                Some(_) => {}
                // A rule took the name since the text was checked.
                None if others(owner, name).is_some() => return Err(Answer::Outdated),
                None => applying.new += 1,
            }
            applying.seen += 1;
        }
        for rule in &text.checked.rules {
            work.take(Work::LOOKUP);
            let name = &*rule.rule.name;
            let is_known = others(owner, name).is_some();
            if is_known && applying.mode == ApplyMode::Create {
                return Err(Answer::Conflict { name: name.into() });
            }
            applying.new += usize::from(!is_known);
        }
        let max = self.sentinels_max;
        if self.names.len() + applying.new > max {
            let sentence = format!("there would be more than {max} sentinels; remove some first");
            return Err(Answer::Unable(sentence.into()));
        }
        applying.left = Some(std::mem::take(&mut text.checked.statements).into_iter());
        applying.rules = std::mem::take(&mut text.checked.rules).into_iter();
        Ok(true)
    }

    /// What can be said of a text without looking at any name.
    fn begin(&self, text: &mut Vetted, mode: &ApplyMode) -> Result<(), Answer> {
        if !text.checked.is_ok() {
            return Err(Answer::Refused(std::mem::take(&mut text.checked.diagnostics)));
        }
        if text.now > self.now || self.now - text.now > AGE_MAX {
            return Err(Answer::Outdated);
        }
        let (statements, rules) = (&text.checked.statements, &text.checked.rules);
        let sentence = match mode {
            ApplyMode::Create if statements.is_empty() && rules.is_empty() => {
                "the text holds no sentinel; write `create sentinel NAME using URL`".to_owned()
            }
            ApplyMode::Put { name, what } => {
                let (kind, defined) = match (what, &statements[..], &rules[..]) {
                    (Defined::Sentinel, [one], []) => ("sentinel", Some(&one.sentinel.name)),
                    (Defined::Rule, [], [one]) => ("rule", Some(&one.rule.name)),
                    (Defined::Sentinel, ..) => ("sentinel", None),
                    (Defined::Rule, ..) => ("rule", None),
                };
                if defined.is_some_and(|one| one.to_lowercase() == name.to_lowercase()) {
                    return Ok(());
                }
                let or_rename = match what {
                    Defined::Sentinel => format!(", or rename `{name}` first"),
                    Defined::Rule => String::new(),
                };
                match defined {
                    Some(other) => format!(
                        "the text defines `{other}`, not `{name}`, and nothing was changed; write \
                         the same name in both{or_rename}"
                    ),
                    None => format!("the text must define exactly one {kind}, `{name}`"),
                }
            }
            ApplyMode::Create | ApplyMode::Upsert => return Ok(()),
        };
        Err(Answer::Unable(sentence.into()))
    }

    /// Which definition of a name is live.
    fn mark(&self, owner: OwnerId, name: &str) -> Option<Mark> {
        let entry = &self.sentinels[&self.names.get(owner, name)?];
        Some((entry.row.id, entry.row.generation, entry.amended))
    }
}
