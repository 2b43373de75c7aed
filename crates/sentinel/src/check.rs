//! The checks that need the other statements and the world, and what comes out of them.

pub(crate) mod lives;
pub(crate) mod rule;

use crate::ast::rule::Rule;
use crate::ast::{self, Edge, Frequency, Sentinel};
use crate::draft::{Draft, FetchDraft, Lowering, NotifyDraft, Placed};
use crate::limits::{CANONICAL_BYTES_MAX, SENTINEL_BYTES_MAX};
use crate::patterns::Patterns;
use crate::place::{Place, Sink};
use crate::print;
use crate::resolve::Scope;
use crate::secrets::{self, Canonical};
use crate::syntax::{self, Base, Name, Target};
use crate::vocabulary::{is_language, listed, nearest};
use crate::{
    Checked, Diagnostic, Existing, Knowledge, Parsed, Redefine, RuleStatement, Severity, Statement,
};
use address::{ChannelKind, Contact, Whom};
use chronon::{Instant, Span, Zone};
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

/// Reads stored canonical text back, as it was defined at `defined_at`; names, channels and a
/// period that is over are not looked at, so what was accepted once is read for ever.
///
/// Errors: text that is not one stand-alone statement. O(text).
pub fn recall(
    canonical: &Canonical,
    defined_at: Instant,
    zone: &Zone,
    chronon: Span,
) -> Result<Sentinel, Vec<Diagnostic>> {
    let mut sink = Sink::default();
    let canonical = canonical.reveal();
    let recalled = recall_draft(canonical, chronon, &mut sink).and_then(|(name, draft)| {
        let scope = Scope { now: defined_at, zone, chronon };
        let sentinel = scope.sentinel(name, &draft);
        if sentinel.notify.is_empty() {
            let help = "write `notify by` and a channel";
            sink.value(Place::default(), "a stored sentinel says whom to tell", help);
            return None;
        }
        Some(sentinel)
    });
    let diagnostics = sink.into_diagnostics(canonical);
    let failed = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    recalled.filter(|_| !failed).ok_or(diagnostics)
}

/// Reads the canonical text of a stored rule back, as it was defined at `defined_at`; neither names
/// nor channels are looked at, nor whether an instant is over.
///
/// # Errors
/// Text that is not one rule. O(text).
pub fn recall_rule(
    canonical: &Canonical,
    defined_at: Instant,
    zone: &Zone,
    chronon: Span,
) -> Result<Rule, Vec<Diagnostic>> {
    let text = Parsed::of(canonical.reveal());
    let failed = |text: Parsed| text.sink.into_diagnostics(&text.text);
    let ([written], []) = (&*text.rules, &*text.written) else {
        let mut text = text;
        let help = "write one `create rule`";
        text.sink.syntax(Place::default(), "a stored rule stands alone", help);
        return Err(failed(text));
    };
    let (written, mut sink) = (written.clone(), text.sink.clone());
    let reach = address::Reach::default();
    let world = Knowledge {
        now: defined_at,
        zone: zone.clone(),
        chronon,
        host_interval: Span::ZERO,
        reach: &reach,
        channels: &[],
        default_channel: "",
        contact_needed: &|_| false,
        trouble: &|_| None,
        existing: &|_| None,
        ended: &|_| None,
        taken: &|_| None,
        redefine: Redefine::Replace,
        refuse_past: false,
    };
    let mut checker = Checker::new(&world, (&[], &[]), &mut sink, Patterns::trusted());
    checker.is_recall = true;
    let rule = checker.lower_rule(&written);
    let broken = written.broken || sink.errors() > 0;
    rule.filter(|_| !broken).ok_or_else(|| sink.into_diagnostics(canonical.reveal()))
}

/// How a stored text wants changes shown; `None` where it does not say, or cannot be read. O(text).
pub fn presentation(canonical: &Canonical) -> Option<ast::Presentation> {
    // The chronon counts for durations only.
    let (_, draft) = recall_draft(canonical.reveal(), Span::SECOND, &mut Sink::default())?;
    draft.presentation
}

/// What a stored text calls its sources, in the order written; nothing where it cannot be read.
/// O(text).
pub fn source_names(canonical: &Canonical) -> Vec<Option<String>> {
    let draft = recall_draft(canonical.reveal(), Span::SECOND, &mut Sink::default());
    let sources = draft.and_then(|(_, draft)| draft.sources);
    sources.iter().flat_map(|sources| sources.iter()).map(|source| source.called.clone()).collect()
}

/// A time as `from` takes it, or in RFC 3339; `zone` counts where none is written.
///
/// Errors: a sentence that says what to write. O(text).
pub fn instant(written: &str, now: Instant, zone: &Zone, chronon: Span) -> Result<Instant, String> {
    let mut sink = Sink::default();
    let (text, fraction) = spaced(written);
    let time = crate::parser::parse_time(&text, &mut sink);
    match (time, sink.findings.first()) {
        (Some(time), None) => Ok(Scope { now, zone, chronon }.moment(&time, zone) + fraction),
        (_, finding) => {
            let finding = finding.map(|one| (&*one.message, one.help.as_deref().unwrap_or("")));
            let (message, help) = finding.unwrap_or(("this is no time", "write `now` or a date"));
            Err(format!("{message}; {help}"))
        }
    }
}

/// RFC 3339 as the language writes it, white space for `T`, and the fraction of its second.
fn spaced(written: &str) -> (String, Span) {
    let written = written.trim();
    let is_date =
        |date: &str| date.len() == 10 && date.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    let Some((date, clock)) = written.split_once(['T', 't']).filter(|(date, _)| is_date(date))
    else {
        return (written.to_owned(), Span::ZERO);
    };
    let Some((whole, rest)) = clock.split_once('.') else {
        return (format!("{date} {clock}"), Span::ZERO);
    };
    let zone = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &rest[..rest.len() - zone.len()];
    let millis: String = digits.chars().chain("000".chars()).take(3).collect();
    let millis = millis.parse().unwrap_or(0);
    (format!("{date} {whole}{zone}"), Span::from_millis(millis))
}

fn recall_draft(canonical: &str, chronon: Span, sink: &mut Sink) -> Option<(String, Draft)> {
    let file = crate::parser::parse(canonical, sink);
    let alone = match &*file.statements {
        [one] if !matches!(one.target, Some(Target::Parent(_))) => Some(one),
        _ => None,
    };
    let Some(statement) = alone else {
        let help = "write one `create sentinel` using a URL";
        sink.syntax(Place::default(), "a stored sentinel stands alone", help);
        return None;
    };
    let draft = Lowering { chronon, sink, patterns: Patterns::trusted() }.draft(statement);
    draft.sources.as_ref()?;
    (sink.errors() == 0).then(|| (statement.name.text.clone(), draft))
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

    fn tell_by_default(&mut self, draft: &mut Draft, blame: Place) {
        let channel = self.world.default_channel;
        if (self.world.contact_needed)(channel) {
            let message = format!("the default channel, `{channel}`, needs a contact");
            let help = format!("write {}", contact_example(channel));
            self.sink.value(blame, message, &help);
            return;
        }
        draft.notify = Rc::new(vec![NotifyDraft {
            notify: ast::Notify {
                channel: channel.to_owned(),
                contact: None,
                frequency: Frequency::Immediately,
            },
            channel_place: blame,
            contact_place: blame,
        }]);
    }

    fn check_notifies(&mut self, draft: &mut Draft) {
        let mut notify = draft.notify.to_vec();
        for at in 0..notify.len() {
            let (before, rest) = notify.split_at_mut(at);
            self.check_notify(&mut rest[0]);
            let twice = before.iter().any(|other| say_the_same(&other.notify, &rest[0].notify));
            if twice {
                let message = "this `notify` says the same as one before";
                self.sink.value(rest[0].channel_place, message, "leave one of the two out");
            }
        }
        draft.notify = Rc::new(notify);
    }

    /// Sources that are inherited are blamed on the name of the sentinel that they come from.
    fn check_sources(&mut self, draft: &Draft, are_own: bool, blame: Place) {
        for source in draft.sources.iter().flat_map(|sources| sources.iter()) {
            let place = if are_own { source.place } else { blame };
            crate::reach::check_source(&source.url, &self.world.reach.sources, place, self.sink);
        }
    }

    /// Every language after `in` is one. Stored texts are not asked.
    fn check_languages(&mut self, statement: &syntax::Statement) {
        if statement.broken {
            return;
        }
        let written = statement.clauses.iter().flat_map(|clause| match &clause.kind {
            syntax::ClauseKind::Monitor { uses, .. } => uses.languages.as_slice(),
            _ => &[],
        });
        for language in written {
            let code = language.text.split('-').next().unwrap_or_default();
            if !is_language(code) {
                let message = format!("there is no language `{code}`");
                let help = "write its code of ISO 639: `in de`, `in en-GB`, `in pt-BR`; or leave \
                            `in` out, and the page says it";
                self.sink.value(language.place, message, help);
            }
        }
    }

    /// Every name after `of` is that of a source.
    fn check_of(&mut self, draft: &Draft) {
        let Some(sources) = &draft.sources else { return };
        for Placed { value: name, place } in draft.of.iter() {
            let lower = name.to_lowercase();
            if sources.iter().any(|source| source.is_called(&lower)) {
                continue;
            }
            let names = || sources.iter().filter_map(|source| source.called.as_deref());
            let quoted: Vec<String> = names().map(|name| format!("`{name}`")).collect();
            let message = format!("no source is called `{name}`");
            if let Some(near) = nearest(name, names()) {
                self.sink.near_name(*place, message, near);
                continue;
            }
            let help = match quoted.is_empty() {
                true => format!("name the source it is: `using URL as {}`", print::name(name)),
                false => format!("the sources are called {}", listed(&quoted, "and")),
            };
            self.sink.value(*place, message, &help);
        }
        let is_joint = sources.len() > 1 && !draft.of.is_empty();
        if let Some(Placed { value: FetchDraft::OnChange { within: Some(within) }, .. }) =
            &draft.fetch
            && !is_joint
        {
            let message =
                "`within` after `fetch on change` concerns several sources with `of` only";
            let help = "leave it out, or write `fetch every …` for a time that is kept";
            self.sink.warn(within.place, message, help);
        }
    }

    fn check_fetch(&mut self, draft: &Draft) {
        let Some(Placed { value: FetchDraft::Every { period, slack, period_place }, .. }) =
            &draft.fetch
        else {
            return;
        };
        let (length, chronon) = (period.nominal(), self.world.chronon);
        if length < chronon && length > Span::ZERO {
            let message = format!("this is shorter than the chronon, {chronon}");
            let help = "write at least `every chronon`, or configure a shorter one";
            self.sink.value(*period_place, message, help);
        } else if length < self.world.host_interval && length > Span::ZERO {
            let message = format!(
                "this is shorter than the {} that politeness leaves between two looks at a host",
                self.world.host_interval
            );
            let help = "some looks will be late; write more, or set `host_interval_seconds`";
            self.sink.warn(*period_place, message, help);
        } else if length > Span::ZERO {
            let (room, place) = match slack {
                Some(slack) => (slack.value, slack.place),
                None => (length.divided_by(10).max(chronon), *period_place),
            };
            self.check_room(room, place);
        }
    }

    /// What is looked at once something is found, and how soon.
    fn check_then(&mut self, draft: &Draft) {
        let Some(then) = &draft.then else { return };
        for source in &then.sources {
            let reach = &self.world.reach.sources;
            crate::reach::check_source(&source.url, reach, source.place, self.sink);
        }
        let Placed { value: within, place } = then.within;
        let (length, chronon) = (within.nominal(), self.world.chronon);
        if length < chronon && length > Span::ZERO {
            let message = format!("this is shorter than the chronon, {chronon}");
            let help = "write at least `within chronon`, or configure a shorter one";
            self.sink.value(place, message, help);
        } else {
            self.check_room(length, place);
        }
    }

    /// A look that must come within less than politeness may ask of it will often be missed.
    fn check_room(&mut self, room: Span, place: Place) {
        let politeness = self.world.host_interval;
        if room < politeness && room > Span::ZERO {
            let message = format!(
                "each look has {room}, and politeness may hold it up for {politeness}: it may be missed"
            );
            let seconds = (politeness.as_millis() + 999) / 1_000;
            let help =
                format!("write `within {seconds} seconds` or more, or set `host_interval_seconds`");
            self.sink.warn(place, message, &help);
        }
    }

    fn check_notify(&mut self, one: &mut NotifyDraft) {
        let channel = &one.notify.channel;
        let lower = channel.to_lowercase();
        let dashboard = ChannelKind::Interactive.name();
        let mut known = self.world.channels.iter().map(String::as_str).chain([dashboard]);
        let Some(spelled) = known.find(|known| known.to_lowercase() == lower) else {
            let mut all: Vec<&str> = self.world.channels.iter().map(String::as_str).collect();
            all.push(dashboard);
            let message = format!("there is no channel `{channel}`");
            let place = one.channel_place;
            match nearest(channel, all.iter().copied()) {
                _ if lower == "dashboard" => {
                    self.sink.near_name(place, message, dashboard);
                }
                _ if ChannelKind::named(&lower).is_some() => {
                    self.sink.value(place, message, &unconfigured(&lower));
                }
                Some(near) => self.sink.near_name(place, message, near),
                None => {
                    all.sort_unstable();
                    all.dedup();
                    let all = all.join(", ");
                    let help = format!("there are {all}; others are configured in `[channels]`");
                    self.sink.value(place, message, &help);
                }
            }
            return;
        };
        one.notify.channel = spelled.to_owned();
        if let Some(trouble) = (self.world.trouble)(spelled) {
            let message = format!("nothing can be sent by `{spelled}`: {trouble}");
            let help = "change the configuration, or tell by another channel";
            self.sink.warn(one.channel_place, message, help);
        }
        match one.notify.contact.take() {
            Some(contact) => {
                let place = one.contact_place;
                let contact = crate::urls::contact(spelled, contact.reveal(), place, self.sink);
                if let Some(contact) = &contact {
                    let allowed = self.world.reach.receivers;
                    crate::reach::check_contact(contact, allowed, place, self.sink);
                }
                one.notify.contact = contact.map(Contact::from);
            }
            None if (self.world.contact_needed)(spelled) => {
                let message = format!("`{spelled}` needs to know whom to tell");
                self.sink.value(
                    one.channel_place,
                    message,
                    &format!("write {}", contact_example(spelled)),
                );
            }
            None => {}
        }
    }
}

fn contact_example(channel: &str) -> String {
    let example = match ChannelKind::named(channel).map(|kind| kind.row().whom) {
        Some(Whom::Contact { example, .. }) => crate::print::contact(example),
        _ => "CONTACT".to_owned(),
    };
    format!("`notify by {channel} {example}`")
}

/// What a kind that needs more than a contact wants in the configuration.
fn unconfigured(kind: &str) -> String {
    let fields = ChannelKind::named(kind).map(ChannelKind::fields).unwrap_or_default();
    let needed = fields.iter().filter(|field| field.needed);
    let needed: String = needed.map(|field| format!(" and `{}`", field.name)).collect();
    format!("write a `[channels.{kind}]` with `kind = \"{kind}\"`{needed} in the configuration")
}

/// Same channel, same contact, and either both at once or both in the same digest.
fn say_the_same(a: &ast::Notify, b: &ast::Notify) -> bool {
    let digest = |notify: &ast::Notify| match notify.frequency {
        Frequency::Every(period) => Some(period),
        Frequency::Immediately | Frequency::BestEffort => None,
    };
    a.channel == b.channel && a.contact == b.contact && digest(a) == digest(b)
}
