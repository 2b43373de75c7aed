//! Seeds: a random world, the server in it, and the oracle that judges.

use crate::oracle::Oracle;
use crate::trace::Trace;
use crate::world::World;
use crate::{invariant, moment};
use std::fmt;

/// Lines of the trace that a failure shows.
const LINES_SHOWN: usize = 40;

/// What came of a seed that held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub seed: u64,
    pub tally: Tally,
    /// BLAKE3 of the trace: the same seed gives the same (D-SAME).
    pub trace: [u8; 32],
}

/// How much happened, so that a world in which nothing does is noticed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub probes: u64,
    pub captured: u64,
    pub detections: u64,
    /// Messages about single changes, digests, and notices of sources' health that were taken.
    pub changes: u64,
    pub digests: u64,
    pub notices: u64,
    /// Messages that were given up after long trying.
    pub given_up: u64,
    /// Occurrences that rules told.
    pub heard_by_rules: u64,
    pub crashes: u64,
    /// Starts that waited because the machine's clock was behind the store.
    pub clocks_doubted: u64,
}

/// In fewer worlds, some of what is rare may not happen.
const WORLDS_MIN: usize = 500;

impl Tally {
    /// What should have happened in this count of worlds, and did not: then they prove too little.
    #[must_use]
    pub fn lacks(&self, worlds: usize) -> Option<&'static str> {
        let wanted = [
            (self.given_up > 0, "nobody was away for long"),
            (self.clocks_doubted > 0, "no clock was behind"),
            (self.heard_by_rules > 50, "rules heard little"),
            (self.digests > 0 && self.notices > 0, "nothing was gathered, or nothing failed"),
        ];
        let lacking = wanted.into_iter().find(|(happened, _)| !happened);
        lacking.filter(|_| worlds >= WORLDS_MIN).map(|(_, what)| what)
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.probes += other.probes;
        self.captured += other.captured;
        self.detections += other.detections;
        self.changes += other.changes;
        self.digests += other.digests;
        self.notices += other.notices;
        self.given_up += other.given_up;
        self.heard_by_rules += other.heard_by_rules;
        self.crashes += other.crashes;
        self.clocks_doubted += other.clocks_doubted;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { probes, captured, detections, changes, digests, notices, .. } = self;
        let Tally { crashes, clocks_doubted, given_up, heard_by_rules, .. } = self;
        write!(
            f,
            "{crashes} crashes, {clocks_doubted} clocks doubted, {probes} probes, {captured} intervals captured, "
        )?;
        write!(f, "{detections} detections, {changes} single messages, {digests} digests, ")?;
        write!(f, "{notices} notices of health, {given_up} messages given up, ")?;
        write!(f, "{heard_by_rules} occurrences told by rules")
    }
}

/// One world in this number is loaded from its store after every step.
const FOLDED_EVERY: u64 = 4;
/// The steps after which the others are loaded each time.
const STEPS_BETWEEN_FOLDS: u64 = 16;

/// An invariant broke.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub seed: u64,
    pub what: String,
    /// The world made as small as it still fails, and the end of its trace.
    pub reproduction: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seed {}: {}\n\n{}", self.seed, self.what, self.reproduction)
    }
}

/// Runs the world of a seed.
///
/// # Errors
/// The first invariant that broke, with a world made as small as it still breaks.
pub fn run_seed(seed: u64) -> Result<Report, Box<Failure>> {
    let world = World::new(seed);
    let (result, _) = play(&world);
    match result {
        Ok(report) => Ok(report),
        Err(first) => {
            let small = crate::smaller::smallest(world, &|world| {
                let (result, _) = play(world);
                result.is_err_and(|what| kind(&what) == kind(&first))
            });
            let (result, lines) = play(&small);
            let what = result.err().unwrap_or(first);
            let shown = lines.len().saturating_sub(LINES_SHOWN);
            let mut reproduction = small.to_string();
            reproduction.push_str("-- what happened --\n");
            lines[shown..].iter().for_each(|line| reproduction.push_str(&format!("{line}\n")));
            Err(Box::new(Failure { seed, what, reproduction }))
        }
    }
}

/// The same kind of failure, wherever it shows.
fn kind(what: &str) -> String {
    what.split_whitespace().take(2).collect()
}

/// Loading the store takes ten times as long as a step, and reading all lines a while: one world of
/// four does both after every step, the others now and then.
fn is_folded(world: &World, steps: u64) -> bool {
    world.seed.is_multiple_of(FOLDED_EVERY) || steps.is_multiple_of(STEPS_BETWEEN_FOLDS)
}

fn play(world: &World) -> (Result<Report, String>, Vec<String>) {
    let mut shell = match world.shell() {
        Ok(shell) => shell,
        Err(error) => return (Err(format!("no disk: {error}")), Vec::new()),
    };
    let (mut oracle, mut trace) = (Oracle::new(world), Trace::new(world.start));
    let (mut steps, mut lists) = (0, invariant::Lists::default());
    let result = loop {
        steps += 1;
        let advanced = shell.advance(world.end);
        let seen = shell.take_seen();
        let traced = trace.take(&shell, &seen);
        let judged = traced.and_then(|()| oracle.take(&shell, &seen));
        let is_compared = is_folded(world, steps);
        let folded = judged.and_then(|()| {
            if !is_compared {
                return Ok(());
            }
            invariant::fold(&shell).and_then(|()| lists.check(&shell))
        });
        match (advanced, folded) {
            (Err(error), _) | (_, Err(error)) => {
                break Err(format!("{} at {}", error, moment::show(shell.now() - world.start)));
            }
            (Ok(false), Ok(())) => break oracle.finish(&shell),
            (Ok(true), Ok(())) => {}
        }
    };
    let lines: Vec<String> = trace.finish().iter().map(|line| line.text().to_owned()).collect();
    let tally = Tally { clocks_doubted: shell.clocks_doubted, ..oracle.tally() };
    let trace = store::blob(lines.join("\n").into_bytes()).0.0;
    (result.map(|()| Report { seed: world.seed, tally, trace }), lines)
}
