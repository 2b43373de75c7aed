//! A long random life, beside the in-memory store.

use super::dump::dump;
use super::samples::{self, at, joined, records, sentinel_id, stream_id};
use super::{Bench, INSTANCE};
use crate::{Batch, MemoryStore, Store};
use chronon::{SourceId, VersionNo};
use graph::RoundId;
use kernel::Record;
use kernel::io::{FinishedPrune, Prune, SourcePrune};
use outbox::{DetectionId, OutboxRecord};

/// Numbers from a seed (xorshift64*), the same on every machine.
struct Dice(u64);

impl Dice {
    /// A number below `sides`.
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % sides
    }

    fn id(&mut self) -> u32 {
        1 + self.roll(4) as u32
    }
}

fn one_of(dice: &mut Dice, mut all: Vec<Record>) -> Record {
    let at = dice.roll(all.len() as u64) as usize;
    all.swap_remove(at)
}

fn random_record(dice: &mut Dice) -> Batch {
    let (id, salt) = (dice.id(), dice.roll(50));
    let record = match dice.roll(25) {
        0 => Record::Meta(samples::meta(salt)),
        1 => Record::Sentinel(Box::new(samples::sentinel(id, salt))),
        2 => Record::SentinelLife(samples::life(id, salt)),
        3 => Record::SentinelGone(sentinel_id(id)),
        4 => Record::Transition(samples::transition(id, salt)),
        5 => Record::SourceGone(SourceId(id)),
        6 => Record::Schedule(samples::learned(id, salt)),
        7 => Record::Probe(samples::probe(id, salt * 5)),
        8 => Record::Stream(samples::stream(id, salt)),
        9 => Record::StreamGone(stream_id(id)),
        10 => Record::Round(samples::round(id, salt % 4, salt)),
        11 => Record::RoundGone(RoundId { stream: stream_id(id), index: salt % 4 }),
        12 => Record::Outbox(OutboxRecord::Channel(samples::channel(id, salt))),
        13 => {
            let number = [1, 51, salt as u32 * 3][dice.roll(3) as usize];
            Record::Outbox(OutboxRecord::Attempt(samples::attempt(u64::from(id), number)))
        }
        14 => Record::Host(samples::host(&format!("{id}.example"), salt)),
        15 => Record::Week(samples::week(salt)),
        16 => Record::Applying(Box::new(samples::applying(salt))),
        17 => Record::ApplyingGone,
        18 => Record::Owner(samples::owner(id, salt)),
        20 => return records(vec![one_of(dice, samples::rules(id, salt))]),
        21 => return records(vec![one_of(dice, samples::rules_gone(id, salt))]),
        19 => Record::HostGone(format!("{id}.example").into()),
        22 => Record::Habits(samples::habits(id, salt)),
        23 => Record::Loud(samples::loud(id, salt)),
        _ => return random_history(dice),
    };
    records(vec![record])
}

/// Versions, detections and notifications; a notification is about its own sentinel's detections.
fn random_history(dice: &mut Dice) -> Batch {
    let (id, salt) = (dice.id(), dice.roll(50));
    let number = 1 + dice.roll(20) as u32;
    let source = records(vec![Record::Source(Box::new(samples::source(id, salt)))]);
    let own = |n: u64| n * 4 + u64::from(id);
    let other = 1 + dice.roll(20) as u32;
    let sources = [(id, (number, number + 1)), (dice.id(), (other, other + 1))];
    let count = 1 + dice.roll(2) as usize;
    let detection = samples::detection_on(own(dice.roll(10)), id, &sources[..count]);
    let mut row = samples::notification(own(dice.roll(9)), 1 + dice.roll(3) as u32, salt);
    row.sentinel = Some(sentinel_id(id));
    row.members = (0..dice.roll(3)).map(|_| DetectionId(own(dice.roll(10)))).collect();
    let version = samples::version(id, number, salt % 3);
    let body = samples::alike(&format!("text {salt}"));
    joined([source, version, detection, samples::composed(row, &body)])
}

fn random_prune(dice: &mut Dice) -> Prune {
    if dice.roll(3) == 0 {
        return Prune::Finished(FinishedPrune {
            before: at(dice.roll(50)),
            history: dice.roll(4) as u32,
            histories: vec![(sentinel_id(dice.id()), dice.roll(8) as u32)],
            limit: 9_999,
        });
    }
    Prune::Source(SourcePrune {
        source: SourceId(dice.id()),
        keep: (0..dice.roll(4)).map(|_| VersionNo(1 + dice.roll(20) as u32)).collect(),
        history: dice.roll(4) as u32,
        before: at(dice.roll(25)),
        versions_max: dice.roll(25) as u32,
        detections: vec![(sentinel_id(dice.id()), dice.roll(4) as u32)],
    })
}

pub fn a_random_life_equals_the_model(bench: &mut dyn Bench) {
    let mut dice = Dice(0x7469_6469_6e67_7321);
    let mut model = MemoryStore::new(INSTANCE);
    let mut store = bench.open();
    for step in 0..400 {
        match dice.roll(12) {
            0 => {
                let prune = random_prune(&mut dice);
                let gone = model.prune(&prune).unwrap();
                assert_eq!(store.prune(&prune).unwrap(), gone, "step {step}: {prune:?}");
            }
            1 => assert_eq!(store.sweep(9_999).unwrap(), model.sweep(9_999).unwrap(), "{step}"),
            2 => {
                drop(store);
                store = bench.open();
            }
            failing => {
                let count = dice.roll(12);
                let batch = joined((0..count).map(|_| random_record(&mut dice)));
                if failing == 3 {
                    bench.fail_write(1 + dice.roll(30));
                    // Either way it is given again, as the shell does after a failure.
                    let _ = store.append(&batch);
                }
                bench.fail_write(0);
                store.append(&batch).unwrap();
                model.append(&batch).unwrap();
            }
        }
        if step % 10 == 0 {
            let found = dump(&*store);
            assert_eq!(found, dump(&model), "step {step}");
            found.assert_stored();
        }
    }
}
