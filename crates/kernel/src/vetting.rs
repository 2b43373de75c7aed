//! Checking a text away from the kernel, against names as they stood; and what the kernel must
//! look at before it believes the result.
//!
//! A mebibyte of text takes a good part of a second to check, and the kernel has one thread for
//! everybody. So the checker takes along what it may need ([`crate::Kernel::standing`]), checks
//! where nobody waits ([`Rules::vet`]), and hands in the result with the names it relied on. The
//! kernel compares these with the live ones: if one has changed meanwhile the text is to be checked
//! again.

use crate::config::{ChannelInfo, Config};
use crate::io::{Actor, ApplyMode};
use crate::record::{EventRow, RuleRow, SentinelLife, SentinelRow, SentinelState, Snapshot};
use chronon::{Instant, OwnerId, SentinelId, Span, Zone};
use sentinel::{Canonical, Checked, Existing, Knowledge, Parsed, Redefine};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// What texts are checked by, names aside.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    zone: Zone,
    chronon: Span,
    host_interval: Span,
    reach: address::Reach,
    channels: Vec<ChannelInfo>,
    channel_names: Vec<String>,
    default_channel: String,
}

/// What has a name, as far as a text may build on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    pub id: SentinelId,
    pub generation: u32,
    /// Changes in place of this generation, in this process.
    pub amended: u32,
    /// Empty for an event.
    pub text: Canonical,
    pub defined_at: Instant,
    pub what: What,
    /// When its life ended, if it is over.
    pub ended: Option<Instant>,
    /// The names that its life counts from, in lower case.
    pub hangs_on: Box<[String]>,
}

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    Sentinel,
    /// The id is that of the rule as a sentinel's.
    Rule,
    /// The id is that of the event as a sentinel's.
    Event,
}

/// What is live, by name in lower case.
pub type Names = BTreeMap<Box<str>, Standing>;

/// What a store holds that has a name, for who checks texts without a kernel.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Definitions {
    /// In the order of their ids, as a [`Snapshot`] has them.
    pub sentinels: Vec<(SentinelRow, SentinelLife)>,
    pub rules: Vec<RuleRow>,
    pub events: Vec<EventRow>,
}

impl From<Snapshot> for Definitions {
    fn from(snapshot: Snapshot) -> Definitions {
        let Snapshot { sentinels, rules, events, .. } = snapshot;
        Definitions { sentinels, rules: rules.into_iter().map(|(row, _)| row).collect(), events }
    }
}

/// The same by owner and name, in lower case: sentinels come first, in the order of their ids.
#[derive(Debug, Default)]
pub struct Defined(BTreeMap<(OwnerId, Box<str>), Vec<Row>>);

#[derive(Debug)]
enum Row {
    Sentinel(Box<(SentinelRow, SentinelLife)>),
    Rule(RuleRow),
    Event(EventRow),
}

impl From<Definitions> for Defined {
    fn from(Definitions { sentinels, rules, events }: Definitions) -> Defined {
        let sentinels = sentinels.into_iter().map(|pair| Row::Sentinel(Box::new(pair)));
        let others = rules.into_iter().map(Row::Rule).chain(events.into_iter().map(Row::Event));
        let mut rows = BTreeMap::<_, Vec<Row>>::new();
        for row in sentinels.chain(others) {
            rows.entry(row.key()).or_default().push(row);
        }
        Defined(rows)
    }
}

impl Defined {
    /// What of the owner has this name: as [`crate::Kernel::standing`] says once a kernel has
    /// loaded the store, but for what it hangs on. O(log n).
    pub fn standing(&self, owner: OwnerId, name: &str, rules: &Rules) -> Option<Standing> {
        let rows = self.0.get(&(owner, name.to_lowercase().into()))?;
        // The first of two sentinels is the one that is live.
        rows.iter().find_map(|row| row.standing(rules))
    }
}

impl Row {
    fn key(&self) -> (OwnerId, Box<str>) {
        let (owner, name) = match self {
            Row::Sentinel(pair) => (pair.0.id.owner(), &pair.0.name),
            Row::Rule(row) => (row.id.owner(), &row.name),
            Row::Event(row) => (row.id.owner(), &row.name),
        };
        (owner, name.to_lowercase().into())
    }

    /// `None`: its text cannot be read back, and no kernel has it.
    fn standing(&self, rules: &Rules) -> Option<Standing> {
        let of = |id, what, text: &Canonical, defined_at| Standing {
            id,
            generation: 0,
            amended: 0,
            text: text.clone(),
            defined_at,
            what,
            ended: None,
            hangs_on: Box::default(),
        };
        Some(match self {
            Row::Sentinel(pair) => {
                let (row, life) = &**pair;
                let (zone, chronon) = (&rules.zone, rules.chronon);
                let text = sentinel::recall(&row.text, row.defined_at, zone, chronon).ok()?;
                let to = text.to.as_ref().and_then(|to| to.at().or(life.to));
                let has_ended = life.state == SentinelState::Ended;
                Standing {
                    generation: row.generation,
                    ended: life.until.or(to).filter(|_| has_ended),
                    ..of(row.id, What::Sentinel, &row.text, row.defined_at)
                }
            }
            Row::Rule(row) => {
                let (at, id) = (row.defined_at, SentinelId(row.id.0));
                sentinel::recall_rule(&row.text, at, &row.zone, rules.chronon).ok()?;
                Standing { generation: row.generation, ..of(id, What::Rule, &row.text, at) }
            }
            Row::Event(row) => of(SentinelId(row.id.0), What::Event, &"".into(), Instant::EPOCH),
        })
    }
}

/// Which definition of a name was there: the sentinel, its generation, and how often that changed
/// in place.
pub(crate) type Mark = (SentinelId, u32, u32);

/// What a text is checked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To say what is wrong with it; a period that is over draws a warning.
    Check(Redefine),
    /// To be applied; a period that is over is refused.
    Apply,
}

/// What a text is checked for, when, and among whose names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occasion {
    pub owner: OwnerId,
    pub purpose: Purpose,
    pub now: Instant,
}

/// A text that somebody wants applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal<'a> {
    pub actor: Actor,
    pub text: &'a str,
    pub mode: ApplyMode,
}

impl<'a> Proposal<'a> {
    /// The server proposes it.
    pub fn of_system(text: &'a str, mode: ApplyMode) -> Proposal<'a> {
        Proposal { actor: Actor::SYSTEM, text, mode }
    }
}

/// A checked text, with what its result relies on.
#[derive(Debug, Clone, PartialEq)]
pub struct Vetted {
    pub checked: Checked,
    /// What `now` means in it.
    pub(crate) now: Instant,
    /// Every name that was looked up, in lower case, and what was found.
    pub(crate) relied: Vec<(Box<str>, Option<Mark>)>,
}

impl Rules {
    /// The zone of times without one of their own, and the chronon.
    pub fn calendar(&self) -> (Zone, Span) {
        (self.zone.clone(), self.chronon)
    }

    /// The channels that a text may name.
    pub fn channel_names(&self) -> &[String] {
        &self.channel_names
    }

    /// Those of a configuration.
    pub fn of(config: &Config) -> Rules {
        Rules {
            zone: config.zone.clone(),
            chronon: config.schedule.chronon,
            host_interval: config.schedule.host_interval,
            reach: config.reach.clone(),
            channel_names: config.channels.iter().map(|channel| channel.name.clone()).collect(),
            channels: config.channels.clone(),
            default_channel: config.default_channel.clone(),
        }
    }

    /// Checks a text against `names`: those of the owner that [`Parsed::mentioned`] lists and that
    /// are live. O(text), and the time to compile what is not compiled yet.
    pub fn vet(&self, text: Parsed, occasion: Occasion, names: &Names) -> Vetted {
        self.vet_with(text, occasion, |name| names.get(name).cloned())
    }

    /// The same against what is looked up by its name.
    pub fn vet_with(
        &self,
        text: Parsed,
        Occasion { purpose, now, .. }: Occasion,
        standing: impl Fn(&str) -> Option<Standing>,
    ) -> Vetted {
        let relied = RefCell::new(BTreeMap::new());
        let channel = |name: &str| self.channels.iter().find(|channel| channel.name == name);
        let world = Knowledge {
            now,
            zone: self.zone.clone(),
            chronon: self.chronon,
            host_interval: self.host_interval,
            reach: &self.reach,
            channels: &self.channel_names,
            default_channel: &self.default_channel,
            contact_needed: &|name| channel(name).is_some_and(|channel| channel.contact_needed),
            kind: &|name| channel(name)?.kind,
            trouble: &|name| channel(name)?.trouble.clone(),
            existing: &|name| {
                let found = standing(name);
                let mark = found.as_ref().map(|one| (one.id, one.generation, one.amended));
                relied.borrow_mut().insert(name.into(), mark);
                found.map(|one| match one.what {
                    What::Sentinel => Existing::Sentinel(one.text, one.defined_at),
                    What::Rule => Existing::Rule(one.text),
                    What::Event => Existing::Event,
                })
            },
            taken: &|name| match standing(name)?.what {
                What::Sentinel => None,
                What::Rule => Some("a rule"),
                What::Event => Some("an event"),
            },
            ended: &|name| standing(name)?.ended,
            redefine: match purpose {
                Purpose::Check(redefine) => redefine,
                Purpose::Apply => Redefine::Replace,
            },
            refuse_past: purpose == Purpose::Apply,
        };
        let checked = text.check(&world);
        Vetted { checked, now, relied: relied.into_inner().into_iter().collect() }
    }
}
