//! What should have happened, computed from the simulated web: what each page showed at each probe,
//! and what people asked for. It believes the ids of the server's rows, and no judgement.

mod chains;
mod crowd;
mod digests;
mod letters;
mod listening;
mod manners;
mod rules;
mod unheard;

use crate::seed::Tally;
use crate::shell::{Cause, Seen, Shell, Step, Wish};
use crate::web::{End, Reply};
use crate::world::{Content, QUITTER, Spec, World, name_of};
use chronon::{Instant, SentinelId, SourceId, Span};
use kernel::Record;
use kernel::record::SentinelState;
use letters::{Fact, Letters, Pair};
use listening::{Legacy, Listening, Showing, ToldPair, Version};
use manners::Manners;
use outbox::{Kind, OutboxRecord, Row};
use std::collections::{BTreeMap, BTreeSet};

/// A source, as the web has shown it to the probes.
#[derive(Debug, Default)]
struct Source {
    /// How many versions there are.
    numbered: u32,
    /// The last one that counts.
    current: Option<Version>,
    /// What the last look found, if it is to be believed only when seen again; and how often it
    /// was seen.
    doubtful: Option<(Version, u32)>,
    failures: u32,
    failing_since: Option<Instant>,
    /// When a look last found what is to be believed only when seen again.
    doubtful_seen: Option<Instant>,
    /// It has failed for so long, and so often, that people are to know.
    fails: bool,
    /// The version that showed last that it was blank, and was seen twice, before it was back.
    was_blank: Option<u32>,
}

/// A sentinel, as people asked for it.
#[derive(Debug)]
struct Sentinel {
    spec: Spec,
    text: Box<str>,
    /// How many texts it has had.
    generation: u32,
    state: SentinelState,
    defined_at: Instant,
    /// When its life did.
    started: Option<Instant>,
    /// What it heard of a source that fails, or is blank, while it did not hear that it is back.
    worried: Option<Worried>,
}

/// What somebody heard of a source.
#[derive(Debug, Clone, Copy)]
struct Worried {
    /// The page is blank, and it heard that; that the source fails it did not.
    is_of_blank: bool,
    /// It is back.
    is_over: bool,
}

/// An earlier text on its way out, as the server's row says.
#[derive(Debug)]
struct Apart {
    name: Box<str>,
    until: Instant,
    key: Option<Box<str>>,
}

/// Follows a world and says what is wrong.
pub(crate) struct Oracle<'w> {
    world: &'w World,
    sources: BTreeMap<Box<str>, Source>,
    sentinels: BTreeMap<Box<str>, Sentinel>,
    listening: Listening,
    letters: Letters,
    /// To be detected, each with the text, by its number, that it was found for.
    expected: Vec<(Fact, u32, Spec)>,
    /// Texts that were replaced while a page answered, by the name under which they listen.
    replaced: BTreeMap<Box<str>, (u32, Spec)>,
    /// Rows of the server that are earlier texts of a name, and until when they hear; once they are
    /// known, the name under which they listen.
    apart: BTreeMap<SentinelId, Apart>,
    /// When the probes in flight started.
    probing: BTreeMap<Box<str>, Instant>,
    detected: u64,
    captured: u64,
    crashes: u64,
    manners: Manners,
    looks: crowd::Looks,
    digests: digests::Digests,
    rules: rules::Rules,
    /// Who hears in this step that a source is back, and the keys of all that said so.
    told_back: BTreeSet<Box<str>>,
    back_keys: BTreeSet<Box<str>>,
    /// Sentinels that rules enabled and disabled in this step.
    switched: Vec<(u64, bool)>,
    names: BTreeMap<SentinelId, Box<str>>,
    urls: BTreeMap<SourceId, Box<str>>,
}

impl<'w> Oracle<'w> {
    pub(crate) fn new(world: &'w World) -> Oracle<'w> {
        Oracle {
            world,
            sources: BTreeMap::new(),
            sentinels: BTreeMap::new(),
            listening: Listening::default(),
            letters: Letters::default(),
            expected: Vec::new(),
            replaced: BTreeMap::new(),
            apart: BTreeMap::new(),
            probing: BTreeMap::new(),
            detected: 0,
            captured: 0,
            crashes: 0,
            manners: Manners::default(),
            looks: crowd::Looks::default(),
            digests: digests::Digests::default(),
            rules: rules::Rules::default(),
            told_back: BTreeSet::new(),
            back_keys: BTreeSet::new(),
            switched: Vec::new(),
            names: BTreeMap::new(),
            urls: BTreeMap::new(),
        }
    }

    /// How much happened so far.
    pub(crate) fn tally(&self) -> Tally {
        let (changes, digests, notices) = self.letters.taken();
        let (detections, captured, crashes) = (self.detected, self.captured, self.crashes);
        let probes = self.manners.looks();
        Tally {
            probes,
            captured,
            detections,
            changes,
            digests,
            notices,
            crashes,
            given_up: self.letters.gave_up(),
            heard_by_rules: self.rules.told(),
            ..Tally::default()
        }
    }

    /// Judges what the shell saw.
    pub(crate) fn take(&mut self, shell: &Shell, seen: &[Seen]) -> Result<(), String> {
        for seen in seen {
            match seen {
                Seen::Crashed => {
                    self.crashes += 1;
                    self.probing.clear();
                    self.letters.runs(shell.now(), false);
                }
                Seen::Batch { at, steps } => {
                    steps.iter().try_for_each(|step| self.step(*at, step, shell))?;
                }
                Seen::Probe { at, url, asked, start } => {
                    self.probing.insert(url.clone(), *start);
                    self.looks.look(*at, url);
                    self.manners.request(*at, (url, asked, *start))?;
                }
                Seen::Letter { letter, verdict, .. } => {
                    self.letters.arrived(letter, verdict, shell, &self.urls)?;
                }
                Seen::Started => {
                    self.letters.runs(shell.now(), true);
                    self.digests.up_since = shell.now();
                }
                Seen::Answered { .. } => {}
            }
        }
        Ok(())
    }

    fn step(&mut self, at: Instant, step: &Step, shell: &Shell) -> Result<(), String> {
        for record in &step.records {
            match record {
                // A second of one name is an earlier generation on its way out.
                Record::Sentinel(row) if self.names.values().all(|name| *name != row.name) => {
                    self.names.insert(row.id, row.name.clone());
                }
                Record::Sentinel(row) if !self.names.contains_key(&row.id) => {
                    let name = row.name.clone();
                    self.apart.insert(row.id, Apart { name, until: at, key: None });
                }
                Record::SentinelLife(life) => {
                    if let (Some(apart), Some(until)) = (self.apart.get_mut(&life.id), life.until) {
                        apart.until = until;
                    }
                }
                Record::SentinelGone(id) => {
                    self.names.remove(id);
                }
                Record::SourceGone(id) => self.forgotten(*id)?,
                Record::Source(row) => {
                    self.urls.insert(row.id, row.url.reveal().into());
                }
                _ => {}
            }
        }
        self.told_back.clear();
        self.pass_time(at);
        self.streams_begin(&step.records)?;
        self.given_up(at, step)?;
        match &step.cause {
            // Whose end came with this step has left before the wish; whom an answer lets go,
            // after it.
            Cause::Wish(wish) => {
                self.let_go(at, &step.records);
                match wish {
                    Wish::Apply { text, .. } if self.world.rules.contains_key(text) => {}
                    Wish::Apply { text, .. } if !self.is_taken(text, step) => {}
                    wish => self.wish(at, wish),
                }
            }
            Cause::Fetched { url, asked, start, left, end } => {
                let config = &self.world.config;
                self.manners.answered(at, (url, asked), (end, config));
                if self.ends(step, url) {
                    self.fetched((at, *start, *left), (url, asked), end, shell)?;
                } else if !self.manners.may_go_on(url, end) {
                    return Err(format!("a look at {url} goes on after {end:?}"));
                }
                self.let_go(at, &step.records);
            }
            Cause::Started | Cause::Other => self.let_go(at, &step.records),
        }
        self.streams_begin(&step.records)?;
        for record in &step.records {
            if let Record::Probe(row) = record
                && let Some(url) = self.urls.get(&row.source)
            {
                self.probing.remove(url);
            }
        }
        self.rules_hear(at, step);
        step.records.iter().try_for_each(|record| self.record(at, record))?;
        for (number, enabled) in std::mem::take(&mut self.switched) {
            self.wish(at, &Wish::Enable { name: name_of(number), enabled });
            self.streams_begin(&step.records)?;
        }
        self.digests_close(at, step)
    }

    /// Nobody asks for a source any more, and its versions are older than what is kept.
    fn forgotten(&mut self, id: SourceId) -> Result<(), String> {
        let Some(url) = self.urls.remove(&id) else { return Ok(()) };
        self.sources.remove(&url);
        match self.sentinels.values().find(|sentinel| sentinel.spec.url == url) {
            Some(sentinel) => Err(format!("{url} is forgotten, but {} asks", sentinel.spec.name)),
            None => Ok(()),
        }
    }

    fn streams_begin(&mut self, records: &[Record]) -> Result<(), String> {
        for record in records {
            if let Record::Stream(row) = record
                && let Some(url) = self.urls.get(&row.source)
            {
                self.listening.begun(url, row)?;
            }
        }
        Ok(())
    }

    /// Whether a look at `url` ended with this step.
    fn ends(&self, step: &Step, url: &str) -> bool {
        let is_its = |source| self.urls.get(&source).is_some_and(|its| **its == *url);
        step.records.iter().any(|record| matches!(record, Record::Probe(row) if is_its(row.source)))
    }

    /// Looks that ended although nobody answered them now.
    fn given_up(&mut self, at: Instant, step: &Step) -> Result<(), String> {
        let mut answered = match &step.cause {
            Cause::Fetched { url, end, .. } if !matches!(end, End::Moved { .. }) => Some(url),
            _ => None,
        };
        for record in &step.records {
            let Record::Probe(row) = record else { continue };
            let url = self.urls[&row.source].clone();
            // One row is of the look that was answered; the next look may have ended at once.
            if answered.take_if(|its| **its == url).is_some() {
                continue;
            }
            let look = (&*url, row.led_to.as_deref(), row.start);
            self.manners.may_give_up(at, look, &self.world.config)?;
            self.sources.entry(url.clone()).or_default();
            self.count_failure(at, &url, false);
        }
        Ok(())
    }

    /// Sentinels whose time has come begin or end, and others because of them.
    fn pass_time(&mut self, at: Instant) {
        let names: Vec<Box<str>> = self.sentinels.keys().cloned().collect();
        let mut turned = true;
        while std::mem::take(&mut turned) {
            for name in &names {
                let sentinel = &self.sentinels[name];
                let begins = sentinel
                    .spec
                    .from
                    .map_or(sentinel.defined_at, |from| from.max(sentinel.defined_at));
                turned |= self.activate(at, name, (None, begins.min(at)));
                turned |= self.end_if_due(at, name);
            }
        }
    }

    /// Whether it ended now.
    fn end_if_due(&mut self, at: Instant, name: &str) -> bool {
        let sentinel = self.sentinels.get_mut(name).expect("the caller knows it");
        let Some(to) = sentinel.spec.to.filter(|&to| to <= at) else { return false };
        if sentinel.state == SentinelState::Ended {
            return false;
        }
        sentinel.state = SentinelState::Ended;
        self.listening.end(name, to);
        self.turned(name);
        true
    }

    /// Whether it is active now, and was not; where no life goes on, one starts at `start`.
    fn activate(
        &mut self,
        at: Instant,
        name: &str,
        (legacy, start): (Option<Legacy>, Instant),
    ) -> bool {
        let sentinel = &self.sentinels[name];
        let from = sentinel.spec.from.unwrap_or(sentinel.defined_at);
        if sentinel.state != SentinelState::Pending || from > at {
            return false;
        }
        if sentinel.spec.to.is_some_and(|to| to <= at) {
            return false;
        }
        let source = self.sources.entry(sentinel.spec.url.clone()).or_default();
        let current = source.current.clone();
        self.listening.join(at, &sentinel.spec, (current, legacy));
        let sentinel = self.sentinels.get_mut(name).expect("looked up above");
        sentinel.state = SentinelState::Active;
        if sentinel.started.is_none() {
            sentinel.started = Some(start);
            self.turned(name);
        }
        true
    }

    fn wish(&mut self, at: Instant, wish: &Wish) {
        match wish {
            Wish::Apply { text, .. } => self.apply(at, text),
            Wish::Remove { name } => {
                self.removed(at, name);
                if self.sentinels.remove(name).is_some() {
                    self.leave(name, at);
                    self.letters.removed(at, name);
                }
            }
            Wish::Enable { name, enabled: true } => {
                let Some(sentinel) = self.sentinels.get_mut(name) else { return };
                if sentinel.state == SentinelState::Disabled {
                    sentinel.state = SentinelState::Pending;
                    self.activate(at, name, (None, at));
                }
            }
            Wish::Enable { name, enabled: false } => {
                let Some(sentinel) = self.sentinels.get_mut(name) else { return };
                if matches!(sentinel.state, SentinelState::Pending | SentinelState::Active) {
                    sentinel.state = SentinelState::Disabled;
                    self.leave(name, at);
                }
            }
            Wish::Probe { url } => self.listening.asked(url, at),
            Wish::Test { .. } | Wish::Raise { .. } | Wish::Budget { .. } => {}
            // Stories have them; random worlds do not.
            Wish::Snooze { .. } | Wish::Discard { .. } | Wish::TakeBack { .. } => {}
            Wish::Rename { .. } => {}
        }
    }

    fn apply(&mut self, at: Instant, text: &str) {
        let spec = self.world.specs[text].clone();
        if spec.to.is_some_and(|to| to <= at) {
            return;
        }
        self.looks.weighs(at, &spec.url, spec.weight);
        let name = spec.name.clone();
        let mut state = SentinelState::Pending;
        let (mut legacy, mut worried, mut generation, mut started) = (None, None, 1, None);
        if let Some(known) = self.sentinels.get(&name) {
            if *known.text == *text {
                return;
            }
            if known.spec.asks_the_same(&spec) {
                self.amend(&name, spec, text);
                return;
            }
            if known.state == SentinelState::Disabled {
                state = SentinelState::Disabled;
            }
            let has_ended = known.state == SentinelState::Ended;
            worried = known.worried.filter(|_| !has_ended && known.spec.url == spec.url);
            let goes_on = known.state == SentinelState::Active && known.spec.url == spec.url;
            generation = known.generation + 1;
            started = known.started.filter(|_| !has_ended);
            legacy = self.replace(at, &name).filter(|_| goes_on);
        }
        // What begins later starts a life of its own.
        started = started.filter(|_| spec.from.is_none_or(|from| from <= at));
        let text = text.into();
        let sentinel = Sentinel { spec, text, generation, state, defined_at: at, started, worried };
        self.sentinels.insert(name.clone(), sentinel);
        self.settle_times(&name);
        self.activate(at, &name, (legacy, at));
        // What counts from a life that ended long ago may be over, though its start is to come.
        self.end_if_due(at, &name);
        self.turned(&name);
        self.listening.close_unheard(at);
    }

    /// A look on its way counts for the text that is replaced, too.
    fn replace(&mut self, at: Instant, name: &str) -> Option<Legacy> {
        let known = &self.sentinels[name];
        let probing = self.probing.get(&known.spec.url);
        let apart =
            self.apart.values_mut().find(|apart| *apart.name == *name && apart.key.is_none());
        // The server tells of looks that left in this very batch before the web does.
        let until = match (probing, &apart) {
            (Some(&start), _) => at.max(start + Span::from_millis(1)),
            (None, Some(apart)) => apart.until,
            (None, None) => return self.listening.part(name),
        };
        let key: Box<str> = format!("{name}, text {}", known.generation).into();
        self.replaced.insert(key.clone(), (known.generation, known.spec.clone()));
        let legacy = self.listening.set_apart(name, &key, until);
        if let Some(apart) = apart {
            apart.key = Some(key);
        }
        legacy
    }

    /// Only whom it tells is another: all goes on, and what is told from now on goes to them.
    fn amend(&mut self, name: &str, spec: Spec, text: &str) {
        let sentinel = self.sentinels.get_mut(name).expect("the caller knows it");
        (sentinel.spec, sentinel.text) = (spec.clone(), text.into());
        for (fact, generation, asked) in &mut self.expected {
            if *fact.sentinel == *name && *generation == sentinel.generation {
                *asked = spec.clone();
            }
        }
    }

    /// Nothing that is on its way is told to it any more.
    fn leave(&mut self, name: &str, at: Instant) {
        self.listening.leave(name, at);
        self.expected.retain(|(fact, ..)| *fact.sentinel != *name);
    }

    /// `at` is when the answer was taken, `start` when the kernel says the probe started, `left`
    /// when the request left: that is what the page showed.
    fn fetched(
        &mut self,
        (at, start, left): (Instant, Instant, Instant),
        (url, asked): (&str, &str),
        end: &End,
        shell: &Shell,
    ) -> Result<(), String> {
        let source = self.sources.entry(url.into()).or_default();
        let content = match end {
            End::Failed { .. } => {
                self.count_failure(at, url, false);
                return Ok(());
            }
            // Why it did not go on is judged by itself.
            End::Moved { .. } => return Ok(()),
            End::Content { page, .. } => self.world.contents[&page.body].clone(),
            End::NotModified => {
                let truth = shown(self.world, shell, asked, left);
                let current = source.current.as_ref().map(|(_, content)| content.clone());
                if truth.is_none() || truth != current {
                    return Err(format!("304 for {url}, but its content is another"));
                }
                current.expect("compared above")
            }
        };
        let blank = source.known_blank();
        let showing = source.look(content);
        match &showing {
            Showing::Nothing => {
                source.doubtful_seen = Some(start);
                return Ok(());
            }
            Showing::Blank(_) => {
                source.doubtful_seen = Some(start);
                self.count_failure(at, url, true);
            }
            Showing::Versions(_) => self.recover(url, blank),
        }
        let heard = self.listening.probed(url, start, &showing);
        self.captured += heard.captured;
        for ToldPair { name, from, to, earlier } in heard.pairs {
            let (generation, spec) = match self.replaced.get(&name) {
                Some((generation, spec)) => (*generation, spec),
                None => (self.sentinels[&name].generation, &self.sentinels[&name].spec),
            };
            if spec.condition.holds((&from.1, &to.1), &earlier) == Some(true) {
                let pair = Pair { url: url.into(), from: from.0, to: to.0 };
                let fact = Fact { sentinel: spec.name.clone(), evidence: vec![pair] };
                self.expected.push((fact, generation, spec.clone()));
            }
        }
        Ok(())
    }

    fn count_failure(&mut self, at: Instant, url: &str, is_blank: bool) {
        let after = self.failing_after();
        let source = self.sources.get_mut(url).expect("the caller made it");
        source.failures += 1;
        let since = *source.failing_since.get_or_insert(at);
        let long = source.failures >= self.world.config.failing_tries && at - since >= after;
        let seen = source.doubtful_seen.filter(|_| !is_blank);
        let is_other = seen.is_some_and(|seen| at - seen >= after || seen > at);
        source.fails |= long;
        if source.fails {
            self.tell_failing(url, is_other);
        }
    }

    /// What is nearly as long as it must last counts.
    fn failing_after(&self) -> Span {
        let after = self.world.config.failing_after;
        after - after.divided_by(60)
    }

    /// Who heard that it fails, or is blank, is to hear that it is back.
    fn recover(&mut self, url: &str, blank: Option<u32>) {
        let source = self.sources.get_mut(url).expect("the caller made it");
        (source.failures, source.failing_since, source.fails) = (0, None, false);
        source.doubtful_seen = None;
        source.was_blank = blank.or(source.was_blank);
        for sentinel in self.sentinels.values_mut().filter(|one| *one.spec.url == *url) {
            if let Some(worried) = &mut sentinel.worried {
                worried.is_over = true;
            }
        }
    }

    /// Those who watch it hear once that it fails, whenever they came. Who knows a blank page hears
    /// of another failure long after.
    fn tell_failing(&mut self, url: &str, is_other: bool) {
        for sentinel in self.sentinels.values_mut() {
            let watches = *sentinel.spec.url == *url && sentinel.state == SentinelState::Active;
            let is_news = sentinel
                .worried
                .is_none_or(|worried| worried.is_over || (is_other && worried.is_of_blank));
            if watches && is_news {
                sentinel.worried = Some(Worried { is_of_blank: false, is_over: false });
                self.letters.expect_health(&sentinel.spec, "source.failing");
            }
        }
    }

    /// Who is told what a page has become needs not hear that it fails, and who is told what it
    /// shows after that, not that it is back.
    fn know_page(&mut self, fact: &Fact) {
        let Some(sentinel) = self.sentinels.get_mut(&fact.sentinel) else { return };
        for pair in fact.evidence.iter().filter(|pair| pair.url == sentinel.spec.url) {
            let Some(source) = self.sources.get(&pair.url) else { continue };
            let is_over = source.was_blank == Some(pair.to);
            let is_blank = is_over || source.known_blank() == Some(pair.to);
            match sentinel.worried {
                None if is_blank => {}
                Some(worried) if is_blank && worried.is_over => {}
                Some(worried) if !is_blank && worried.is_over && worried.is_of_blank => {
                    sentinel.worried = None;
                    continue;
                }
                _ => continue,
            }
            sentinel.worried = Some(Worried { is_of_blank: true, is_over });
        }
    }

    /// The server tells that a source is back: to somebody who is to hear that, once, and after
    /// all that the look has found for them.
    fn told_back(&mut self, row: &Row) -> Result<(), String> {
        let name = row.sentinel.and_then(|id| self.names.get(&id)).cloned().unwrap_or_default();
        if !self.back_keys.insert(row.key.0.clone()) || self.told_back.contains(&name) {
            return Ok(());
        }
        let sentinel = self.sentinels.get_mut(&name).ok_or("told to a removed sentinel")?;
        let source = self.sources.get(&sentinel.spec.url);
        let is_back = source.is_some_and(|source| source.failures == 0)
            && sentinel.state == SentinelState::Active
            && sentinel.worried.take().is_some_and(|worried| worried.is_over);
        let is_its = |fact: &Fact| {
            fact.sentinel == name && fact.evidence.iter().any(|pair| pair.url == sentinel.spec.url)
        };
        let is_to_come = self.expected.iter().any(|(fact, ..)| is_its(fact));
        if !is_back || is_to_come {
            return Err(format!("{name} hears that its source is back: {is_back}, {is_to_come}"));
        }
        self.letters.expect_health(&sentinel.spec, "source.recovered");
        self.told_back.insert(name);
        Ok(())
    }

    /// An ended sentinel leaves when nothing is on its way to it; the oracle does not know the
    /// server's rounds, and takes its word for the moment.
    fn let_go(&mut self, at: Instant, records: &[Record]) {
        for record in records {
            if let Record::SentinelGone(id) = record
                && let Some(Apart { key: Some(key), .. }) = self.apart.remove(id)
            {
                self.listening.leave(&key, at);
            }
            if let Record::SentinelLife(life) = record
                && life.state == SentinelState::Ended
                && life.stream.is_none()
                && let Some(name) = self.names.get(&life.id)
            {
                self.listening.leave(name, at);
            }
        }
    }

    fn record(&mut self, at: Instant, record: &Record) -> Result<(), String> {
        match record {
            // Rules are judged by themselves.
            Record::Detection(row) if self.rules.is_rule(row.sentinel) => {}
            Record::Detection(row) => {
                let name = self.names.get(&row.sentinel).cloned().unwrap_or_default();
                let evidence = row.evidence.iter().map(|piece| Pair {
                    url: self.urls.get(&piece.source).cloned().unwrap_or_default(),
                    from: piece.from.0,
                    to: piece.to.0,
                });
                let fact = Fact { sentinel: name, evidence: evidence.collect() };
                let known = |(known, generation, _): &(Fact, u32, Spec)| {
                    *known == fact && *generation == row.generation
                };
                let Some(place) = self.expected.iter().position(known) else {
                    let so: Vec<&Fact> = self.expected.iter().map(|(fact, ..)| fact).collect();
                    return Err(format!("told what is not so: {fact:?}, so is {so:?}"));
                };
                let (_, _, spec) = self.expected.swap_remove(place);
                self.detected += 1;
                self.sentinels.get(&fact.sentinel).ok_or("told to a removed sentinel")?;
                self.know_page(&fact);
                self.letters.expect(&spec, fact);
            }
            Record::SentinelLife(life) if life.state == SentinelState::Ended => {
                let name = self.names.get(&life.id).cloned().unwrap_or_default();
                match self.sentinels.get(&name) {
                    Some(sentinel) if sentinel.state != SentinelState::Ended => {
                        Err(format!("{name} ended before its time"))?;
                    }
                    _ => {}
                }
            }
            Record::Outbox(OutboxRecord::Row(row)) => {
                if row.kind == Kind::SourceRecovered {
                    self.told_back(row)?;
                }
                self.letters.row(at, row)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// L-QUIET and I-BUDGET, when all is over.
    pub(crate) fn finish(&self, shell: &Shell) -> Result<(), String> {
        self.manners.finish(&self.world.config.schedule)?;
        if let Some((fact, ..)) = self.expected.first() {
            return Err(format!("never told: {fact:?}"));
        }
        let snapshot = shell.reader().snapshot().map_err(|error| error.to_string())?;
        if let Some(row) = snapshot.outbox.first() {
            return Err(format!("L-QUIET: the outbox still holds {row:?}"));
        }
        if let Some(round) = snapshot.rounds.first() {
            return Err(format!("L-QUIET: a round is still open: {round:?}"));
        }
        self.letters.finish(QUITTER)?;
        self.rules.finish()?;
        self.keeps_what_is_needed(shell)?;
        // Where there is a crowd, not all can be looked at.
        if let Some(crowd) = &self.world.crowd {
            return self.looks.finish(crowd, self.world.end, self.world.wakes_late);
        }
        for sentinel in self.sentinels.values() {
            if sentinel.state == SentinelState::Active {
                let fails = self.sources.get(&sentinel.spec.url).is_some_and(|it| it.failures > 0);
                if !fails && sentinel.worried.is_some_and(|worried| worried.is_over) {
                    return Err(format!("{} never heard that it is back", sentinel.spec.name));
                }
                self.is_up_to_date(&sentinel.spec.url, shell)?;
            }
        }
        self.listening.all_captured(self.world.watched())
    }

    /// Retention lets go neither of what a source shows nor of what streams compare with.
    fn keeps_what_is_needed(&self, shell: &Shell) -> Result<(), String> {
        for (id, url) in &self.urls {
            let shown = self.sources.get(url).and_then(|source| source.current.as_ref());
            let numbers = shown.map(|(number, _)| *number).into_iter();
            for number in numbers.chain(self.listening.last_elements(url)) {
                let stored = shell.reader().version(*id, chronon::VersionNo(number));
                if !matches!(stored, Ok(Some(_))) {
                    return Err(format!("retention dropped v{number} of {url}, which is needed"));
                }
            }
        }
        Ok(())
    }

    fn is_up_to_date(&self, url: &str, shell: &Shell) -> Result<(), String> {
        let truth = shown(self.world, shell, url, self.world.end);
        let known = self.sources.get(url).and_then(|source| source.current.clone());
        let known = known.map(|(_, content)| content);
        if truth == known {
            Ok(())
        } else {
            Err(format!("L-QUIET: {url} shows {truth:?}, known is {known:?}"))
        }
    }
}

impl Source {
    /// The version that shows that it is blank, if a second look has shown it, too, and none since
    /// that it is something else.
    fn known_blank(&self) -> Option<u32> {
        let ((number, content), times) = self.doubtful.as_ref()?;
        (content.is_blank() && *times > 1).then_some(*number)
    }

    /// A look found `content`. What is blank, or of another kind than what counts, must be found
    /// twice in a row (by looks that find anything) to mean something.
    fn look(&mut self, content: Content) -> Showing {
        let stranger = self.current.as_ref().is_some_and(|(_, c)| c.kind != content.kind);
        if !content.is_blank() && !stranger {
            self.doubtful = None;
            return Showing::Versions(vec![self.version(content)]);
        }
        let again = self.doubtful.take().filter(|((_, before), _)| {
            before.is_blank() == content.is_blank()
                && (content.is_blank() || before.kind == content.kind)
        });
        let Some((version, times)) = again else {
            self.numbered += 1;
            self.doubtful = Some(((self.numbered, content), 1));
            return Showing::Nothing;
        };
        if content.is_blank() {
            self.doubtful = Some((version.clone(), times + 1));
            return Showing::Blank(version);
        }
        self.current = Some(version.clone());
        let newest = self.version(content);
        let mut both = vec![version, newest];
        both.dedup();
        Showing::Versions(both)
    }

    /// The version of what counts.
    fn version(&mut self, content: Content) -> Version {
        let same = self.current.clone().filter(|(_, known)| *known == content);
        let version = same.unwrap_or_else(|| {
            self.numbered += 1;
            (self.numbered, content)
        });
        self.current = Some(version.clone());
        version
    }
}

/// What a URL shows at a moment, redirects followed.
fn shown(world: &World, shell: &Shell, url: &str, at: Instant) -> Option<Content> {
    match shell.web.shown(url, at)?.1 {
        Reply::Page(page) => world.contents.get(&page.body).cloned(),
        Reply::Redirect { to, .. } => shown(world, shell, to, at),
    }
}
