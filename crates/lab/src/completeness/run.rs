//! The subcommand: arguments, one line of JSON a policy.

use super::file::NUMBER_MAX;
use super::server::Server;
use super::{bound, exact, file, offline};
use crate::cli::LabError;
use crate::progress::Progress;
use crate::table::{Column, Table};
use clap::{Args, ValueEnum};
use policies::completeness::gain::{GainIndex, GainPlan};
use policies::completeness::packing::greedy_packing;
use policies::completeness::rules::Kind;
use policies::completeness::wic::Wic;
use policies::completeness::{
    DeadCeis, Instance, OnlinePolicy, Preemption, Rule, Schedule, run_online,
};
use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Which CEIs each policy captures
#[derive(Debug, Args)]
#[command(allow_negative_numbers = true)]
pub struct CompletenessArgs {
    /// The instance, as JSON; `-`: from standard input
    #[arg(long, value_name = "FILE")]
    pub instance: PathBuf,
    /// Policies, separated by commas
    #[arg(long, value_delimiter = ',', required = true)]
    pub policy: Vec<Policy>,
    /// Whether S-EDF, MRSF and M-EDF may leave a CEI that has begun for another
    #[arg(long, value_enum, default_value_t = Modes::On)]
    pub preemption: Modes,
    /// Budget of every chronon, instead of the instance's
    #[arg(long, value_name = "C", value_parser = budget)]
    pub budget: Option<f64>,
    /// Whether EIs of CEIs that can no longer be captured stay candidates of the three rules
    #[arg(long, value_enum, default_value_t = Dead::Drop)]
    pub dead_ceis: Dead,
    /// Seconds after which `exact` and `lp-bound` say what they have, and `offline` rounds what it
    /// has, about [default: `exact` 60, the others none]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time_limit: Option<f64>,
    /// Also say how many seconds each policy took
    #[arg(long)]
    pub timing: bool,
    /// One JSON object a line instead of a table
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Policy {
    /// The EI that ends first
    SEdf,
    /// The EI of the CEI that misses least of its profile's rank
    Mrsf,
    /// The EI of the CEI with the fewest chronons left over all its missing EIs
    MEdf,
    /// The source with the most updates alive since its last probe; knows no CEIs
    Wic,
    /// Ours: what a probe brings, from what is known of all CEIs and learned of those to come
    Gain,
    /// Ours for very many live intervals: what changes costs O(log)
    GainIndex,
    /// The scheduler that the server runs, with nothing else to do
    Server,
    /// Knows the future: fractional local ratio, for EIs of one chronon or few choices
    Offline,
    /// Knows the future: CEIs one after the other, as they fit
    GreedyPacking,
    /// The best schedule there is, by integer programming; for small instances
    Exact,
    /// What no schedule can exceed, by linear programming
    LpBound,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Modes {
    On,
    Off,
    Both,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Dead {
    Drop,
    Keep,
}

/// Most seconds of a time limit: a clock can add them.
const SECONDS_MAX: f64 = 1e9;

/// Seconds that `exact` takes at most, if nothing else is said.
const EXACT_SECONDS: f64 = 60.0;

fn number(text: &str, what: &str) -> Result<f64, String> {
    let fits = |value: &f64| (0.0..=NUMBER_MAX).contains(value);
    let number = text.parse().ok().filter(fits);
    number.ok_or_else(|| format!("expected {what}, at least 0 and at most {NUMBER_MAX:e}"))
}

fn budget(text: &str) -> Result<f64, String> {
    number(text, "a number")
}

fn seconds(text: &str) -> Result<f64, String> {
    number(text, "a number of seconds").map(|seconds| seconds.min(SECONDS_MAX))
}

impl Policy {
    fn name(self) -> String {
        let value = self.to_possible_value().expect("no policy is hidden");
        value.get_name().to_owned()
    }

    fn rule(self) -> Option<Kind> {
        match self {
            Self::SEdf => Some(Kind::SEdf),
            Self::Mrsf => Some(Kind::Mrsf),
            Self::MEdf => Some(Kind::MEdf),
            _ => None,
        }
    }
}

/// All columns of the table.
const COLUMNS: [Column; 10] = [
    ("policy", 14),
    ("preemption", 10),
    ("captured", 12),
    ("total", 9),
    ("value", 14),
    ("completeness", 12),
    ("probes", 12),
    ("bound", 14),
    ("optimal", 7),
    ("seconds", 9),
];

/// What one policy did.
struct Done {
    schedule: Schedule,
    /// Bound and whether it is reached, where the policy says so.
    bound: Option<(f64, bool)>,
}

/// Runs the policies one after the other; a line each, as they end. One that refuses the instance
/// does not keep the others from it.
///
/// # Errors
/// [`LabError`]; of policies that refused, what each said.
pub fn run(args: &CompletenessArgs, out: &mut dyn Write) -> Result<(), LabError> {
    let instance = file::read(&args.instance, args.budget)?;
    let progress = Progress::new(args.policy.len() as u64);
    let mut table = Table::new(shown(args), args.json, out);
    let mut refused: Vec<String> = Vec::new();
    for &policy in &args.policy {
        let modes: &[Option<Preemption>] = match (policy.rule(), args.preemption) {
            (None, _) => &[None],
            (_, Modes::On) => &[Some(Preemption::On)],
            (_, Modes::Off) => &[Some(Preemption::Off)],
            (_, Modes::Both) => &[Some(Preemption::On), Some(Preemption::Off)],
        };
        progress.on(&policy.name());
        for &mode in modes {
            let started = Instant::now();
            let mut line = Map::new();
            line.insert("policy".to_owned(), json!(policy.name()));
            let said = mode.map(|mode| if mode == Preemption::On { "on" } else { "off" });
            line.insert("preemption".to_owned(), json!(said));
            match one(policy, mode, args, &instance, &mut line) {
                Ok(()) => {}
                Err(LabError::Input(said)) => {
                    refused.push(said);
                    continue;
                }
                Err(broken) => return Err(broken),
            }
            if args.timing {
                line.insert("seconds".to_owned(), json!(started.elapsed().as_secs_f64()));
            }
            progress.aside(|| table.line(line))?;
        }
        progress.step();
    }
    if refused.is_empty() { Ok(()) } else { Err(LabError::Input(refused.join("\n"))) }
}

/// The columns of the table.
fn shown(args: &CompletenessArgs) -> Vec<Column> {
    let bounds = [Policy::Exact, Policy::LpBound];
    let bounded = args.policy.iter().any(|policy| bounds.contains(policy));
    let shown = |column: &Column| match column.0 {
        "bound" | "optimal" => bounded,
        "seconds" => args.timing,
        _ => true,
    };
    COLUMNS.into_iter().filter(shown).collect()
}

fn one(
    policy: Policy,
    mode: Option<Preemption>,
    args: &CompletenessArgs,
    instance: &Instance,
    line: &mut Map<String, Value>,
) -> Result<(), LabError> {
    if policy == Policy::LpBound {
        bound::check_size(instance)?;
        relaxed(instance, args, line);
        return Ok(());
    }
    let done = decide(policy, mode, args, instance)?;
    let outcome = done.schedule.outcome(instance);
    line.insert("captured".to_owned(), json!(outcome.captured));
    line.insert("total".to_owned(), json!(outcome.total));
    line.insert("value".to_owned(), json!(outcome.value));
    line.insert("completeness".to_owned(), json!(outcome.completeness()));
    line.insert("probes".to_owned(), json!(outcome.probes));
    if let Some((bound, optimal)) = done.bound {
        line.insert("bound".to_owned(), json!(bound));
        line.insert("optimal".to_owned(), json!(optimal));
    }
    Ok(())
}

fn decide(
    policy: Policy,
    mode: Option<Preemption>,
    args: &CompletenessArgs,
    instance: &Instance,
) -> Result<Done, LabError> {
    let online = |policy: &mut dyn OnlinePolicy| run_online(instance, policy);
    let mut bound = None;
    let schedule = match policy {
        Policy::SEdf | Policy::Mrsf | Policy::MEdf => {
            let dead = match args.dead_ceis {
                Dead::Drop => DeadCeis::Drop,
                Dead::Keep => DeadCeis::Keep,
            };
            let kind = policy.rule().expect("these three are rules");
            online(&mut Rule::new(kind, mode.unwrap_or(Preemption::On), dead))
        }
        Policy::Wic => online(&mut Wic::default()),
        Policy::Gain => online(&mut GainPlan::new()),
        Policy::GainIndex => online(&mut GainIndex::new()),
        Policy::Server => online(&mut Server::default()),
        Policy::Offline => offline::approximate(instance, limit(args, SECONDS_MAX))?,
        Policy::GreedyPacking => greedy_packing(instance),
        Policy::Exact => {
            exact::check_size(instance)?;
            let found = exact::solve(instance, limit(args, EXACT_SECONDS));
            bound = Some((found.bound, found.optimal));
            found.schedule
        }
        Policy::LpBound => unreachable!("it has no schedule and is printed by itself"),
    };
    Ok(Done { schedule, bound })
}

/// What `--time-limit` says, or else `otherwise`, in seconds.
fn limit(args: &CompletenessArgs, otherwise: f64) -> Duration {
    Duration::from_secs_f64(args.time_limit.unwrap_or(otherwise))
}

/// The relaxation's line: its counts may be parts.
fn relaxed(instance: &Instance, args: &CompletenessArgs, line: &mut Map<String, Value>) {
    let relaxed = bound::relax_within(instance, limit(args, SECONDS_MAX));
    let captured = relaxed.y.iter().fold(0.0, |sum, part| sum + part);
    let total = relaxed.y.len();
    let completeness = if total == 0 { 1.0 } else { captured / total as f64 };
    line.insert("captured".to_owned(), json!(captured));
    line.insert("total".to_owned(), json!(total));
    line.insert("value".to_owned(), json!(relaxed.bound));
    line.insert("completeness".to_owned(), json!(completeness));
    line.insert("probes".to_owned(), json!(relaxed.probes));
    line.insert("bound".to_owned(), json!(relaxed.bound));
    line.insert("optimal".to_owned(), json!(relaxed.optimal));
}
