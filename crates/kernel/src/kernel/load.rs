//! From a store's snapshot to a running kernel, and back: what a snapshot of it would hold.

use super::Kernel;
use super::journal::Journal;
use crate::config::Config;
use crate::event::Events;
use crate::flights::Flights;
use crate::hear::{self, Hear};
use crate::io::Output;
use crate::life::{Life, Loaded, Reach, millionths};
use crate::notices::Notices;
use crate::owners::Owners;
use crate::record::{Meta, SentinelLife, SentinelRow, Snapshot};
use crate::vetting::Rules;
use crate::watch::Watch;
use chronon::{Instant, Span};
use graph::{Join, Phase};
use outbox::ChannelId;
use sentinel::ast;
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Whoever joined so long before the process died has been looked for.
const LOOKED_FOR: Span = Span::from_secs(600);

impl Kernel {
    /// Rebuilds the state from what a store holds. The first input must be `Started`; it yields the
    /// effects of every open intent. Stored times ahead of `now` (a clock was wrong, or is) stay as
    /// they are; nothing waits for them, and a [warning](Kernel::take_warnings) says so.
    ///
    /// # Panics
    /// When `config.schedule` cannot be: see [`schedule::Config::check`].
    pub fn load(config: Config, snapshot: Snapshot, now: Instant) -> Kernel {
        let mut config = config;
        config.outbox.instance = snapshot.meta.instance;
        let meta = counting_from_one(snapshot.meta.clone());
        let next_source = meta.next_source;
        let mut kernel = Kernel {
            unseen: BTreeSet::new(),
            now,
            meta,
            meta_changed: false,
            owners: Owners::load(snapshot.owners.iter().cloned()),
            watch: Watch::new(config.clone(), now, next_source),
            hear: Hear::new(config.rounds_waiting_max, now),
            life: Life::new(&config, now),
            events: Events::new(&config, now),
            notices: Notices::new(config.clone()),
            flights: Flights::default(),
            out: Output::default(),
            journal: Journal::default(),
            stale: 0,
            warnings: Vec::new(),
            rules: Arc::new(Rules::of(&config)),
            config,
        };
        kernel.load_all(snapshot);
        kernel
    }

    fn load_all(&mut self, mut snapshot: Snapshot) {
        let ahead = self.notices.load(&snapshot, self.now);
        if ahead > 0 {
            let said = format!("{ahead} notifications were due in the far future; they go now");
            self.warnings.push(said);
        }
        self.watch.load_sources(&snapshot);
        self.settle();
        let applying = snapshot.applying.take();
        self.load_sentinels(&mut snapshot);
        self.load_rounds(&mut snapshot);
        self.watch.load_demands(&snapshot);
        let wrong = self.load_rules(&mut snapshot);
        // What loading touched is what the store holds; nothing is to be written for it.
        self.out = Output::default();
        self.watch.loaded();
        self.life.loaded();
        self.hear.take_streams();
        self.notices.take_records();
        self.owners.take_changed();
        if let Some(said) = wrong {
            self.warnings.push(said);
        }
        self.begin_anew_what_was_lost();
        self.events.listen_again();
        self.life.load_applying(applying);
        self.settle();
    }

    fn load_sentinels(&mut self, snapshot: &mut Snapshot) {
        let texts: Vec<_> =
            snapshot.sentinels.iter().map(|(row, _)| self.life.read_back(row)).collect();
        // Streams whose first interval a person fixed: it is where their text says.
        let fixed = |((_, life), ast): (&(SentinelRow, SentinelLife), &Option<ast::Sentinel>)| {
            let ast = ast.as_ref().filter(|ast| ast.from_has_clock)?;
            let from = ast.from.at().or(life.from)?;
            Some(life.streams().map(|stream| (stream, from)).collect::<Vec<_>>())
        };
        let by_hand: BTreeMap<_, _> =
            snapshot.sentinels.iter().zip(&texts).filter_map(fixed).flatten().collect();
        for row in std::mem::take(&mut snapshot.streams) {
            if self.watch.load_stream(&row, by_hand.get(&row.id).copied()) {
                self.hear.load_stream(row);
            }
        }
        for ((row, life), ast) in std::mem::take(&mut snapshot.sentinels).into_iter().zip(texts) {
            match ast {
                Some(ast) => self.load_sentinel(row, life, ast),
                None => self
                    .warnings
                    .push(format!("sentinel `{}` cannot be read back; apply it again", row.name)),
            }
        }
        self.life.load_weights();
        self.settle();
    }

    fn load_sentinel(&mut self, row: SentinelRow, life: SentinelLife, ast: ast::Sentinel) {
        let whom = self.notices.recipients(&mut self.owners, row.id.owner(), &ast.notify);
        let id = row.id;
        let is_new = life.since.is_some_and(|since| since >= self.meta.newest - LOOKED_FOR);
        let others = life.others.iter().map(|place| (place.stream, place.first_index));
        let places = std::iter::once((life.stream, life.first_index)).chain(others);
        let mut is_joined = false;
        for (stream, first_index) in places {
            let Some(stream) = stream.filter(|&stream| self.watch.knows_stream(stream)) else {
                continue;
            };
            is_joined = true;
            self.watch.rejoin(stream, millionths(ast.weight));
            let join = Join {
                sentinel: id,
                stream,
                compare: ast.compare,
                monitor: &ast.monitor,
                since: life.since.map_or(self.now, |since| since.min(self.now)),
                history: ast.change_history,
            };
            self.hear.join(join, Some(Phase { first_index }));
        }
        let reach = Reach { whom, followed: self.followed_by(id.owner(), &ast) };
        self.life.load(Loaded { row, life, ast, reach });
        if is_new {
            self.look_for(id);
        }
        let ended = if is_joined { self.life.rejoined(id) } else { None };
        if let Some(at) = ended {
            self.tell_hear(hear::In::Ended { sentinel: id, at });
        }
        self.settle();
    }

    /// Rules listen again; says what is wrong where what they heard is lost.
    fn load_rules(&mut self, snapshot: &mut Snapshot) -> Option<String> {
        self.events.load_events(snapshot);
        for (row, life) in std::mem::take(&mut snapshot.rules) {
            let Some(rule) = self.events.read_back(&row) else {
                self.warnings
                    .push(format!("rule `{}` cannot be read back; apply it again", row.name));
                continue;
            };
            let outline = self.outline(row.id.owner(), &rule);
            self.events.load(row, life, (&rule, &outline));
        }
        self.settle();
        let (rows, firings) =
            (std::mem::take(&mut snapshot.detector), std::mem::take(&mut snapshot.firings));
        self.events.load_detector(rows, firings)
    }

    /// Rounds run as they were opened: those of a source in version order, whatever their streams.
    /// Open digests wait again for the looks they waited for.
    fn load_rounds(&mut self, snapshot: &mut Snapshot) {
        let mut rounds = std::mem::take(&mut snapshot.rounds);
        rounds.sort_by_key(|round| (round.opened_at, round.id));
        for round in rounds {
            if self.watch.knows_stream(round.id.stream) {
                let unjudged = self.watch.unjudged(round.source);
                self.watch.load_round(round.id.stream);
                self.hear.load_round(round, unjudged);
            }
        }
        self.settle();
        for id in self.life.ids() {
            let Some(teller) = self.life.teller(id) else { continue };
            let looks = self.looks_of(&teller.streams);
            self.notices.wait_again(&teller, &looks, id);
        }
    }

    /// A repaired store may have lost rows that others name: what named them begins anew.
    fn begin_anew_what_was_lost(&mut self) {
        for id in self.life.ids() {
            let Some(seen) = self.life.seen(id) else { continue };
            let is_there = seen.life.streams().all(|stream| self.watch.knows_stream(stream))
                && seen.row.sources().all(|source| self.watch.knows_source(source))
                && seen.row.others.len() == seen.life.others.len();
            if !is_there {
                let sentinel = self.life.recall(id);
                let sources = self.sources_of(id.owner(), &sentinel.sources);
                self.life.begin_anew(id, &sources);
                self.settle();
            }
        }
    }

    /// Says how the last delivery by a channel failed before the start.
    pub fn recall_failure(&mut self, channel: ChannelId, reason: Box<str>) {
        self.notices.recall_failure(channel, reason);
    }

    /// What was strange about the snapshot, for the log.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// What a snapshot would hold if everything said so far is durable (I-FOLD): equal for this
    /// kernel and for one loaded from the store, whatever is in flight. Hosts whose pause is over
    /// count as gone; a round's time of opening is left out.
    pub fn fold(&self, now: Instant) -> Snapshot {
        let mut fold = Snapshot { meta: self.meta.clone(), ..Snapshot::default() };
        fold.owners = self.owners.rows().cloned().collect();
        fold.sentinels = self.life.fold();
        self.watch.fold(now, &mut fold);
        let streams = std::mem::take(&mut fold.streams);
        fold.streams = streams.into_iter().map(|row| self.with_elements(row)).collect();
        fold.rounds = self.hear.fold();
        fold.applying = self.life.fold_applying();
        self.events.fold(&mut fold);
        fold.waiting = self.notices.waiting();
        fold
    }
}

/// Ids start at 1: 0 is what people read as "none".
fn counting_from_one(mut meta: Meta) -> Meta {
    meta.next_source = meta.next_source.max(1);
    meta
}
