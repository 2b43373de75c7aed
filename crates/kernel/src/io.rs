//! The kernel's boundary: what it is told and what it asks for, nested by who handles it.

mod answer;
mod command;
mod done;
mod prune;
mod task;

pub use answer::{Announcement, Answer, Applied, AppliedWhat, Subject};
pub use command::{Actor, ApplyMode, By, Command, Defined};
pub use done::{Done, FetchOutcome, Fetched, Missing, ProbeEnd, Shown};
pub use prune::{FinishedPrune, Prune, SourcePrune};
pub use task::{Computation, Delivery, Probe, Question, Task, TextTest, Validators};

use outbox::ChannelId;

/// What one step gives.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Output {
    /// One atom: all durable, or none.
    pub records: Vec<crate::Record>,
    /// To be started once the records are durable.
    pub effects: Vec<Effect>,
}

/// A request of a person, to be answered by [`Effect::Answer`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(pub u64);

/// Names one started effect: the epoch of the process and a number within it. A completion that
/// carries an unknown or old ticket is counted and dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket {
    pub epoch: u64,
    pub number: u64,
}

/// What happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// The first input of a life.
    Started,
    /// Time has passed; `next_deadline` has come.
    Tick,
    BudgetSet {
        per_chronon: f64,
    },
    /// Somebody asks for something; answered by [`Effect::Answer`].
    Command {
        request: RequestId,
        actor: Actor,
        command: Command,
    },
    /// A task has ended.
    Done {
        ticket: Ticket,
        done: Done,
    },
    /// The answer to [`Computation::LoadDue`], which needs no ticket: it may come twice.
    DueLoaded {
        channel: ChannelId,
        rows: Vec<outbox::Row>,
    },
}

/// What the shell is to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// For workers: it ends in an input.
    Start(Task),
    /// For the owner of the store: delete what retention no longer keeps. Not kernel state: lost on
    /// a crash, asked for again.
    Prune(Prune),
    /// For the person who asked.
    Answer { request: RequestId, answer: Answer },
    /// For whoever likes to see it live; may be lost.
    Announce(Announcement),
}
