//! Lives against a slow twin: what others were told is what can be read off all rows anew.

use super::{Bearings, In, Life, Notice, Out, Piece, Reach, Recipient, Standpoint, Turn, Work};
use crate::config::Config;
use crate::io::{Answer, Applied, ApplyMode, Effect, RequestId};
use crate::owners::Called;
use crate::owners::Owners;
use crate::record::{Cause, SentinelState};
use crate::vetting::{Names, Occasion, Purpose, Rules};
use chronon::{ChannelId, Instant, OwnerId, SentinelId, SourceId, Span, StreamId};
use proptest::prelude::*;
use sentinel::{Parsed, ast};
use std::collections::{BTreeMap, BTreeSet};

const OWNER: OwnerId = OwnerId::FIRST;
const TEXTS: [&str; 5] = [
    "using https://a.example/ monitor links added",
    "using https://b.example/ monitor links added",
    "using https://a.example/ monitor images added weight 3",
    "using https://a.example/ monitor links added fetch every 1 hour",
    "using https://a.example/ monitor links added from now to now + 2 hours",
];

#[derive(Debug, Clone)]
enum Op {
    Apply {
        name: usize,
        text: usize,
    },
    Remove {
        name: usize,
    },
    Enable {
        name: usize,
    },
    Disable {
        name: usize,
    },
    /// A look at this source begins, or ends and everything is compared.
    Look {
        source: u32,
    },
    Pass {
        minutes: i64,
    },
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        4 => (0usize..3, 0..TEXTS.len()).prop_map(|(name, text)| Op::Apply { name, text }),
        1 => (0usize..3).prop_map(|name| Op::Remove { name }),
        1 => (0usize..3).prop_map(|name| Op::Enable { name }),
        1 => (0usize..3).prop_map(|name| Op::Disable { name }),
        3 => (1u32..3).prop_map(|source| Op::Look { source }),
        2 => (1i64..90).prop_map(|minutes| Op::Pass { minutes }),
    ]
}

/// What the others remember of what they were told.
#[derive(Debug, Default)]
struct Others {
    listening: BTreeMap<SentinelId, StreamId>,
    streams: u32,
    named: BTreeSet<SourceId>,
    weights: BTreeMap<SourceId, u64>,
    ended: BTreeSet<SentinelId>,
    looking: BTreeMap<SourceId, Instant>,
    answers: Vec<Answer>,
}

struct Bench {
    life: Life,
    ids: Owners,
    rules: Rules,
    now: Instant,
    others: Others,
    /// By name: its text, its state without regard to time, and when it is over.
    told: BTreeMap<usize, (usize, SentinelState, Instant)>,
}

impl Bench {
    fn new() -> Bench {
        let (config, now) = (Config::new(1), Instant::from_millis(1_800_000_000_000));
        Bench {
            life: Life::new(&config, now),
            ids: Owners::load([]),
            rules: Rules::of(&config),
            now,
            others: Others::default(),
            told: BTreeMap::new(),
        }
    }

    fn play(&mut self, op: &Op) {
        match *op {
            Op::Apply { name, text } => self.apply(name, text),
            Op::Remove { name } => {
                self.life.remove(self.now, OWNER, &name_of(name));
                self.told.remove(&name);
            }
            Op::Enable { name } => {
                self.life.enable(
                    self.now,
                    Called { owner: OWNER, name: &name_of(name) },
                    Cause::User,
                );
                self.set(name, SentinelState::Disabled, SentinelState::Active);
            }
            Op::Disable { name } => {
                self.life.disable(
                    self.now,
                    Called { owner: OWNER, name: &name_of(name) },
                    Cause::User,
                );
                self.set(name, SentinelState::Active, SentinelState::Disabled);
            }
            Op::Look { source } => {
                let (source, now) = (SourceId(source), self.now);
                if self.others.looking.remove(&source).is_none() {
                    self.others.looking.insert(source, now);
                } else {
                    self.life.handle(now, In::Still { source, probing: None });
                }
            }
            Op::Pass { minutes } => {
                self.now += Span::MINUTE.times(minutes);
                while self.life.next_timer().is_some_and(|at| at <= self.now) {
                    self.life.handle(self.now, In::Timer);
                    self.listen();
                }
            }
        }
        self.listen();
        self.compare();
    }

    fn set(&mut self, name: usize, from: SentinelState, to: SentinelState) {
        let now = self.now;
        if let Some((_, state, _)) =
            self.told.get_mut(&name).filter(|told| told.1 == from && told.2 > now)
        {
            *state = to;
        }
    }

    fn apply(&mut self, name: usize, text: usize) {
        let written = format!("create sentinel {} {}", name_of(name), TEXTS[text]);
        let occasion = Occasion { owner: OWNER, purpose: Purpose::Apply, now: self.now };
        let vetted = self.rules.vet(Parsed::of(&*written), occasion, &Names::new());
        self.life.queue_turn(Turn::apply(RequestId(0), OWNER, vetted, ApplyMode::Upsert));
        let mut work = Work::of_a_step();
        while let Some(piece) = self.life.next_piece(self.now, &mut work, &|_, _| None) {
            let Piece::Sentinel(definition) = piece else { panic!("nothing else is applied") };
            let place = self.place(&definition.statement.sentinel, name);
            self.life.define(self.now, &mut self.ids, *definition, place);
            self.listen();
        }
        self.listen();
        let Some(Answer::Applied(applied)) = self.others.answers.pop() else {
            panic!("what is in order is applied")
        };
        let state = match self.told.get(&name) {
            // It stays as it is, and what has ended does not go on.
            Some((same, ..)) if *same == text => return,
            Some((_, SentinelState::Disabled, over)) if *over > self.now => SentinelState::Disabled,
            _ => SentinelState::Active,
        };
        let over = if text == 4 { self.now + Span::HOUR.times(2) } else { Instant::NEVER };
        self.told.insert(name, (text, state, over));
        assert!(matches!(&applied[..], [Applied { .. }]));
    }

    fn place(&self, ast: &ast::Sentinel, name: usize) -> Bearings {
        let is_a = ast.source().url.reveal().contains("a.example");
        let before = self.life.whereabouts(OWNER, &name_of(name));
        let stands = |(source, _)| {
            let probing = self.others.looking.get(&source).copied();
            Standpoint { source, probing, has_rounds: false, last: Vec::new() }
        };
        let frequency = ast::Frequency::Immediately;
        Bearings {
            sources: vec![SourceId(if is_a { 1 } else { 2 })],
            reach: Reach {
                whom: vec![Recipient { channel: ChannelId(1), frequency }],
                followed: Vec::new(),
            },
            before: before.into_iter().map(stands).collect(),
            so_far: None,
        }
    }

    fn listen(&mut self) {
        while let Some(out) = self.life.poll() {
            self.hear(out);
        }
    }

    fn hear(&mut self, out: Out) {
        let others = &mut self.others;
        match out {
            Out::Join(join) => {
                others.streams += 1;
                let (sentinel, stream) = (join.sentinel, StreamId(others.streams.into()));
                assert_eq!(others.listening.insert(sentinel, stream), None, "it listens once");
                let first_index = 1;
                self.life.handle(self.now, In::Joined { sentinel, place: 0, stream, first_index });
            }
            Out::Left { sentinel, stream, .. } => {
                assert_eq!(others.listening.remove(&sentinel), Some(stream));
            }
            Out::Renamed { sentinel, to } => {
                let stream = others.listening.remove(&sentinel).expect("it listens");
                others.listening.insert(to, stream);
            }
            Out::Named { source, is_named: true } => assert!(others.named.insert(source)),
            Out::Named { source, is_named: false } => assert!(others.named.remove(&source)),
            Out::Weighed(weighed) => {
                let weight = others.weights.entry(weighed.source).or_default();
                *weight = *weight + weighed.after - weighed.before;
            }
            Out::Leaving(source) => {
                let probing = others.looking.get(&source).copied();
                self.life.handle(self.now, In::Still { source, probing });
            }
            Out::Notice(Notice::Ended { sentinel, .. }) => {
                assert!(others.ended.insert(sentinel));
                let seen = self.life.seen(sentinel).expect("it has ended, and is there");
                assert_eq!(seen.life.state, SentinelState::Ended);
            }
            Out::Notice(Notice::Replaced { sentinel, .. }) => {
                others.ended.remove(&sentinel);
            }
            Out::Effect(Effect::Answer { answer, .. }) => others.answers.push(answer),
            _ => {}
        }
    }

    /// What was told of changes adds up to what there is.
    fn compare(&self) {
        let rows = self.life.fold();
        let (mut listening, mut named, mut weights) =
            <(BTreeMap<_, _>, BTreeSet<_>, BTreeMap<_, u64>)>::default();
        for (row, life) in &rows {
            listening.extend(life.stream.map(|stream| (row.id, stream)));
            named.insert(row.source);
            let ast = self.life.recall(row.id);
            let is_fresh = life.state == SentinelState::Active && life.stream.is_some();
            if is_fresh && matches!(ast.fetch, ast::Fetch::OnChange { .. }) {
                *weights.entry(row.source).or_default() += (ast.weight * 1e6) as u64;
            }
        }
        assert_eq!(self.others.listening, listening);
        assert_eq!(self.others.named, named);
        let told = self.others.weights.iter().filter(|(_, weight)| **weight > 0);
        assert_eq!(
            told.map(|(&source, &weight)| (source, weight)).collect::<BTreeMap<_, _>>(),
            weights
        );
        for (&name, &(_, state, over)) in &self.told {
            let expected = if over <= self.now { SentinelState::Ended } else { state };
            let seen = self.life.named(OWNER, &name_of(name)).expect("it was applied");
            assert_eq!(seen.life.state, expected);
        }
        assert_eq!(self.life.len(), self.told.len());
    }
}

fn name_of(name: usize) -> Box<str> {
    format!("s{name}").into()
}

proptest! {
    #[test]
    fn what_others_are_told_adds_up_to_what_there_is(ops in prop::collection::vec(op(), 1..60)) {
        let mut bench = Bench::new();
        for op in &ops {
            bench.play(op);
        }
        // Nobody stays who waits for what has come.
        for source in [1, 2] {
            let (source, probing) = (SourceId(source), None);
            bench.life.handle(bench.now, In::Still { source, probing });
        }
        bench.listen();
        bench.compare();
        let live = bench.life.ids().len();
        prop_assert_eq!(live, bench.told.len(), "earlier generations are gone");
    }
}
