//! The checks of rules: names, periods, channels; and the checked rule.

mod mentioned;

pub(crate) use mentioned::{mentioned, parts, patterns};

use super::{Checker, SUGGESTED_FROM_MAX, SUGGESTIONS_MAX};
use crate::ast::rule::{self as ast, Context, Coupling, Expr, Happening, HappeningKind, Step};
use crate::ast::{Edge, Frequency, Notify};
use crate::draft::{Lowering, NotifyDraft};
use crate::limits::SENTINEL_BYTES_MAX;
use crate::normal::period_of;
use crate::resolve::{Scope, is_known};
use crate::secrets::{self, Canonical};
use crate::syntax::rule::{Action, ClauseKind, Condition, Event, Rule, Spanned};
use crate::syntax::{self, Duration, Name, Time};
use crate::vocabulary::nearest;
use crate::{Existing, Redefine, RuleStatement, print};
use chronon::{Span, TimeOfDay};
use std::borrow::Cow;

impl Checker<'_> {
    /// The names of rules, and of the events that they listen to.
    pub(super) fn collect_rule_names(&mut self) {
        let rules = self.rules;
        for rule in rules {
            let Name { text, place } = &rule.name;
            if text.is_empty() {
                continue;
            }
            let lower = text.to_lowercase();
            let taken = if self.names.contains_key(&lower) {
                Some("sentinel")
            } else {
                self.rule_names.contains(&lower).then_some("rule")
            };
            if let Some(what) = taken {
                let message = format!("this file already has a {what} `{text}`");
                let help = "choose another name: sentinels, rules and events share theirs";
                self.sink.value(*place, message, help);
            } else {
                match (self.world.existing)(&lower) {
                    Some(Existing::Sentinel(..)) => self.is_taken("a sentinel", &rule.name),
                    Some(Existing::Event) => self.is_taken("an event", &rule.name),
                    Some(Existing::Rule(_)) if self.world.redefine == Redefine::Refuse => {
                        let message = format!("a rule `{text}` already exists");
                        let help = "choose another name, or replace the one that exists";
                        self.sink.value(*place, message, help);
                    }
                    Some(Existing::Rule(_)) | None => {}
                }
            }
            self.rule_names.insert(lower);
        }
        for rule in rules {
            for clause in &rule.clauses {
                if let ClauseKind::On(on) = &clause.kind {
                    self.collect_events(on);
                }
            }
        }
    }

    fn collect_events(&mut self, event: &Event) {
        if let Event::Happening(HappeningKind::Raised, name) = event {
            let lower = name.text.to_lowercase();
            let is_first = self.events.insert(lower.clone());
            let taken = match (self.is_rule(&lower), self.is_sentinel(&lower)) {
                (true, _) => "rule",
                (_, true) => "sentinel",
                _ => return,
            };
            if is_first {
                let message = format!("`{}` is a {taken}, not an event", name.text);
                let help = match taken {
                    "sentinel" => format!("write `{}` without `event`", name.text),
                    _ => "let that rule raise an event of another name".to_owned(),
                };
                self.sink.value(name.place, message, &help);
            }
        }
        parts(event).into_iter().for_each(|part| self.collect_events(part));
    }

    fn is_sentinel(&self, lower: &str) -> bool {
        self.names.contains_key(lower) || self.known(lower).is_some()
    }

    fn is_rule(&self, lower: &str) -> bool {
        self.rule_names.contains(lower)
            || matches!((self.world.existing)(lower), Some(Existing::Rule(_)))
    }

    fn is_event(&self, lower: &str) -> bool {
        self.events.contains(lower) || matches!((self.world.existing)(lower), Some(Existing::Event))
    }

    pub(super) fn rule(&mut self, written: &Rule) {
        let mut written = Cow::Borrowed(written);
        let before = self.sink.errors();
        if secrets::rule_has_marks(&written) {
            let stored = match (self.world.existing)(&written.name.text.to_lowercase()) {
                Some(Existing::Rule(text)) => Some(text),
                _ => None,
            };
            let stored = stored.as_ref().map(Canonical::reveal);
            written = Cow::Owned(secrets::restore_rule(&written, stored, self.sink));
        }
        let Some(rule) = self.lower_rule(&written) else { return };
        if written.broken || self.sink.errors() > before {
            return;
        }
        let canonical: Canonical = print::rule::whole(&written).into();
        let bytes = canonical.reveal().len();
        self.canonical_bytes += bytes;
        if bytes > SENTINEL_BYTES_MAX {
            let message =
                format!("this rule comes to {bytes} bytes; {SENTINEL_BYTES_MAX} are allowed");
            let help = "divide it among several rules";
            return self.sink.value(written.name.place, message, help);
        }
        self.checked_rules.push(RuleStatement { rule, canonical });
    }

    /// The rule as it is meant; nothing where it lacks an event or an action.
    pub(super) fn lower_rule(&mut self, written: &Rule) -> Option<ast::Rule> {
        let mut has_event = false;
        let mut rule = ast::Rule {
            name: written.name.text.clone(),
            on: Expr::At(self.world.now),
            when: None,
            context: Context::default(),
            within: None,
            priority: 1,
            coupling: Coupling::default(),
            actions: Vec::new(),
            zone: self.world.zone.clone(),
        };
        for clause in &written.clauses {
            match &clause.kind {
                ClauseKind::On(on) => {
                    has_event = true;
                    rule.on = self.event(on);
                }
                ClauseKind::When(when) => rule.when = Some(self.condition(when)),
                ClauseKind::Context(context) => rule.context = *context,
                ClauseKind::Within(within) => rule.within = Some(self.step(*within)),
                ClauseKind::Priority(priority) => {
                    rule.priority = u32::try_from(*priority).unwrap_or(u32::MAX);
                }
                ClauseKind::Coupling(coupling) => rule.coupling = *coupling,
                ClauseKind::Do(actions) => {
                    rule.actions = actions.iter().filter_map(|one| self.action(one)).collect();
                }
            }
        }
        (has_event && !rule.actions.is_empty()).then_some(rule)
    }

    fn scope(&self) -> Scope<'_> {
        Scope { now: self.world.now, zone: &self.world.zone, chronon: self.world.chronon }
    }

    fn step(&mut self, duration: Duration) -> Step {
        Step { period: period_of(duration, self.world.chronon), zone: self.world.zone.clone() }
    }

    /// A step that a timer makes again and again.
    fn ticks(&mut self, duration: Duration) -> Step {
        let (step, chronon) = (self.step(duration), self.world.chronon);
        if step.period.nominal() < chronon && step.period.nominal() > Span::ZERO {
            let message = format!("this is shorter than the chronon, {chronon}");
            let help = "write at least `every chronon`, or configure a shorter one";
            self.sink.value(duration.place, message, help);
        }
        step
    }

    fn event(&mut self, written: &Event) -> Expr<Happening> {
        let mut of = |event: &Event| Box::new(self.event(event));
        match written {
            Event::Or(a, b) => Expr::Or(of(a), of(b)),
            Event::And(a, b) => Expr::And(of(a), of(b)),
            Event::Seq(a, b) => Expr::Seq(of(a), of(b)),
            Event::Between { what, opens, closes } => {
                let (opens, closes) = (of(opens), of(closes));
                match what {
                    Spanned::Not(absent) => Expr::Not { absent: of(absent), opens, closes },
                    Spanned::Each(inside) => Expr::Each { inside: of(inside), opens, closes },
                    Spanned::All(inside) => Expr::All { inside: of(inside), opens, closes },
                    Spanned::Every(by) => Expr::Every { step: self.ticks(*by), opens, closes },
                    Spanned::Collect(by) => Expr::Collect { step: self.ticks(*by), opens, closes },
                }
            }
            Event::Plus(a, by) => {
                let a = of(a);
                Expr::Plus(a, self.step(*by))
            }
            Event::Any { least, of, .. } => {
                let of = of.iter().map(|event| self.event(event)).collect();
                Expr::Any(u32::try_from(*least).unwrap_or(u32::MAX), of)
            }
            Event::At(base, place) => {
                let time = Time { base: base.clone(), offset: None, place: *place };
                let at = self.scope().instant(&time, &self.world.zone, Edge::Start);
                if is_known(&time) && at < self.world.now && !self.is_recall {
                    let local = self.world.zone.local(at);
                    let message = format!("{local} {} is over", self.world.zone.name());
                    let help = "write a later time: this part of the event never happens";
                    if self.world.refuse_past {
                        self.sink.value(*place, message, help)
                    } else {
                        self.sink.warn(*place, message, help)
                    }
                }
                Expr::At(at)
            }
            Event::Happening(kind, name) => {
                if *kind != HappeningKind::Raised {
                    self.check_sentinel(name, *kind == HappeningKind::Detected);
                }
                Expr::Signal(Happening { kind: *kind, name: name.text.clone() })
            }
        }
    }

    /// The name is a sentinel's. Where an event may stand it may be meant as one.
    pub(super) fn check_sentinel(&mut self, name: &Name, may_be_event: bool) {
        let lower = name.text.to_lowercase();
        if self.is_recall || self.is_sentinel(&lower) {
            return;
        }
        let (message, help) = if self.is_rule(&lower) {
            let message = format!("`{}` is a rule, not a sentinel", name.text);
            (message, "let that rule `raise` an event, and listen to it".to_owned())
        } else if self.is_event(&lower) {
            let help = if may_be_event {
                format!("write `event {}`", name.text)
            } else {
                "write the name of a sentinel".to_owned()
            };
            (format!("`{}` is an event, not a sentinel", name.text), help)
        } else {
            let few = self.sink.findings.len() < SUGGESTIONS_MAX;
            let known = self.written.iter().take(if few { SUGGESTED_FROM_MAX } else { 0 });
            let known = known.map(|statement| &*statement.name.text);
            let message = format!("there is no sentinel `{}`", name.text);
            if let Some(near) = nearest(&name.text, known.filter(|name| !name.is_empty())) {
                return self.sink.near_name(name.place, message, near);
            }
            let help = if may_be_event {
                format!("create the sentinel first, or write `event {}`", name.text)
            } else {
                "create the sentinel first, or write the name of one".to_owned()
            };
            (message, help)
        };
        self.sink.value(name.place, message, &help);
    }

    fn condition(&mut self, written: &Condition) -> ast::Condition {
        match written {
            Condition::Count(comparison, count) => ast::Condition::Count(*comparison, *count),
            Condition::Value(comparison, value) => ast::Condition::Value(*comparison, *value),
            Condition::TextMatches(pattern) => {
                self.patterns.check(pattern, self.sink);
                ast::Condition::TextMatches(pattern.text.clone())
            }
            Condition::TimeBetween(from, to) => ast::Condition::TimeBetween(
                from.time.unwrap_or(TimeOfDay::MIDNIGHT),
                to.time.unwrap_or(TimeOfDay::MIDNIGHT),
            ),
            Condition::Enabled(name) => {
                self.check_sentinel(name, false);
                ast::Condition::Enabled(name.text.clone())
            }
            Condition::Not(of) => ast::Condition::Not(Box::new(self.condition(of))),
            Condition::And(all) => {
                ast::Condition::And(all.iter().map(|one| self.condition(one)).collect())
            }
            Condition::Or(all) => {
                ast::Condition::Or(all.iter().map(|one| self.condition(one)).collect())
            }
        }
    }

    fn action(&mut self, written: &Action) -> Option<ast::Action> {
        Some(match written {
            Action::Notify(notify) => ast::Action::Notify(self.told(notify)),
            Action::Probe { sources, within } => {
                let within = self.ticks(*within).period;
                let mut checked = Vec::new();
                for source in sources {
                    let Some(url) = crate::urls::source(source, self.sink) else { continue };
                    let reach = &self.world.reach.sources;
                    if !self.is_recall {
                        crate::reach::check_source(&url, reach, source.place, self.sink);
                    }
                    checked.push(url.as_str().into());
                }
                ast::Action::Probe { sources: checked, within }
            }
            Action::Enable(name) => {
                self.check_sentinel(name, false);
                ast::Action::Enable(name.text.clone())
            }
            Action::Disable(name) => {
                self.check_sentinel(name, false);
                ast::Action::Disable(name.text.clone())
            }
            Action::Raise(name) => {
                self.check_raised(name);
                ast::Action::Raise(name.text.clone())
            }
        })
    }

    fn told(&mut self, notify: &syntax::Notify) -> Notify {
        let place = notify.channel.place;
        let lowering = Lowering {
            chronon: self.world.chronon,
            sink: &mut *self.sink,
            patterns: crate::patterns::Patterns::default(),
        };
        let mut draft = NotifyDraft {
            channel_place: place,
            contact_place: notify.contact.as_ref().map_or(place, |to| to.place),
            notify: Notify {
                channel: notify.channel.text.clone(),
                contact: notify.contact.as_ref().map(|to| to.text.as_str().into()),
                frequency: lowering.frequency(notify.frequency),
            },
        };
        if self.is_recall {
            return draft.notify;
        }
        self.check_notify(&mut draft);
        if let (Frequency::Every(period), Some(syntax::Frequency::Every(written))) =
            (draft.notify.frequency, notify.frequency)
            && period.nominal() < self.world.chronon
            && period.nominal() > Span::ZERO
        {
            let message = format!("this is shorter than the chronon, {}", self.world.chronon);
            self.sink.value(written.place, message, "write a longer one");
        }
        draft.notify
    }

    fn check_raised(&mut self, name: &Name) {
        let lower = name.text.to_lowercase();
        if self.is_recall {
            return;
        }
        let taken = match (self.is_rule(&lower), self.is_sentinel(&lower)) {
            (true, _) => "rule",
            (_, true) => "sentinel",
            _ if self.is_event(&lower) => return,
            _ => {
                let near = nearest(&name.text, self.events.iter().map(String::as_str));
                let message = format!("no rule listens to an event `{}`", name.text);
                if let Some(near) = near {
                    return self.sink.near_name(name.place, message, near);
                }
                let help = format!("write a rule `on event {}`, or leave this out", name.text);
                return self.sink.value(name.place, message, &help);
            }
        };
        let message = format!("`{}` is a {taken}, not an event", name.text);
        self.sink.value(name.place, message, "choose another name for the event");
    }
}
