//! The linear relaxation: an upper bound for every policy, even one that knows the future.

use crate::cli::LabError;
use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus,
};
use policies::completeness::local_ratio::Choice;
use policies::completeness::{Ei, Instance};
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

/// Relative and absolute tolerance of the solver; bounds are promised to 1e-6.
const TOLERANCE: f64 = 1e-9;

/// An optimum below this, in units of the largest utility, is solved again in units of its own.
const SMALL: f64 = 0.01;

/// How far a proven bound may be from a value that counts as the optimum.
const CLOSE: f64 = 1e-6;

/// A solution of a relaxation.
#[derive(Debug, Clone)]
pub struct Relaxed {
    /// No schedule is worth more: the relaxation's optimum, or if the solver could not reach it,
    /// what its prices prove.
    pub bound: f64,
    /// Whether the bound is the optimum, within 1e-6 of it.
    pub optimal: bool,
    /// The part of each CEI (or choice) that is captured, 0 to 1.
    pub y: Vec<f64>,
    /// Probes, possibly in parts.
    pub probes: f64,
}

/// Where a source can be probed to some end: a column each. Neighbouring chronons in which the
/// same EIs are active are one place, with the sum of their budgets: a relaxation may share its
/// probes among them as it likes.
#[derive(Debug, Clone, Default)]
pub struct Slots {
    /// (place, source), ascending; its number is the column's.
    columns: Vec<(u32, u32)>,
    /// First chronon of each place, ascending from 0.
    starts: Vec<u32>,
}

impl Slots {
    /// Those that some EI of these covers.
    fn of(eis: &[Ei]) -> Self {
        let mut slots = Self { columns: Vec::new(), starts: starts(eis) };
        let mut columns: Vec<(u32, u32)> =
            eis.iter().flat_map(|ei| slots.places(ei).map(|place| (place, ei.source))).collect();
        columns.sort_unstable();
        columns.dedup();
        slots.columns = columns;
        slots
    }

    /// Places that an EI covers.
    fn places(&self, ei: &Ei) -> Range<u32> {
        let place = |chronon: u32| self.starts.partition_point(|start| *start < chronon) as u32;
        place(ei.start)..place(ei.finish + 1)
    }

    fn column(&self, place: u32, source: u32) -> usize {
        self.columns.binary_search(&(place, source)).expect("every slot was gathered")
    }

    /// What may be spent in a place.
    fn budget(&self, place: u32, instance: &Instance) -> f64 {
        let start = self.starts[place as usize] as usize;
        let next = self.starts.get(place as usize + 1);
        let end = next.map_or(instance.budget().len(), |next| *next as usize);
        instance.budget()[start..end.min(instance.budget().len())].iter().sum()
    }
}

/// Most slots of a program: more would not fit into memory.
const SLOTS_MAX: u64 = 20_000_000;

/// Whether the relaxation of this instance fits into memory.
///
/// # Errors
/// A sentence, if its EIs cover more than [`SLOTS_MAX`] places.
pub fn check_size(instance: &Instance) -> Result<(), LabError> {
    let slots = Slots { columns: Vec::new(), starts: starts(instance.eis()) };
    let count = |ei: &Ei| slots.places(ei).len() as u64;
    let covered = instance.eis().iter().map(count).sum::<u64>();
    if covered <= SLOTS_MAX {
        return Ok(());
    }
    Err(LabError::Input(format!(
        "lp-bound: the EIs cover {covered} places to probe; expected at most {SLOTS_MAX}: take \
         shorter windows, fewer profiles or longer chronons"
    )))
}

/// Rows of `coefficients · x ≤ limit`, column by column, over x ≥ 0.
struct Program {
    objective: Vec<f64>,
    entries: Vec<(usize, usize, f64)>,
    limits: Vec<f64>,
}

/// What the solver has.
#[derive(Debug)]
struct Solved {
    /// Clipped to x ≥ 0.
    x: Vec<f64>,
    value: f64,
    /// A price of each row, ≥ 0.
    prices: Vec<f64>,
    /// Whether the tolerances were reached.
    optimal: bool,
}

impl Program {
    fn row(&mut self, limit: f64) -> usize {
        self.limits.push(limit);
        self.limits.len() - 1
    }

    /// The row for what these rows are to have in common: a column of its own stands in them for
    /// what that row lets through, so that no entry is written twice. One row is its own.
    fn shared(&mut self, rows: &[usize]) -> usize {
        if let [row] = rows[..] {
            return row;
        }
        let column = self.objective.len();
        self.objective.push(0.0);
        self.entries.extend(rows.iter().map(|&row| (row, column, -1.0)));
        let row = self.row(0.0);
        self.entries.push((row, column, 1.0));
        row
    }

    /// Maximises. The tolerance is absolute below a value of 1: a small optimum is scaled up.
    fn solve(&self, limit: Duration) -> Solved {
        let largest = self.objective.iter().copied().fold(0.0, f64::max);
        if largest <= 0.0 {
            let (x, prices) = (vec![0.0; self.objective.len()], vec![0.0; self.limits.len()]);
            return Solved { x, value: 0.0, prices, optimal: true };
        }
        let solved = self.solve_scaled(largest, limit);
        let value = solved.value / largest;
        if solved.optimal && value < SMALL && value > 0.0 {
            return self.solve_scaled(solved.value, limit);
        }
        solved
    }

    /// With the objective in units of `scale`.
    fn solve_scaled(&self, scale: f64, limit: Duration) -> Solved {
        let (columns, own_rows) = (self.objective.len(), self.limits.len());
        let nonnegative = (0..columns).map(|column| (own_rows + column, column, -1.0));
        let (i, (j, v)): (Vec<_>, (Vec<_>, Vec<_>)) =
            self.entries.iter().copied().chain(nonnegative).map(|(i, j, v)| (i, (j, v))).unzip();
        let rows = own_rows + columns;
        let matrix = CscMatrix::new_from_triplets(rows, columns, i, j, v);
        let mut limits = self.limits.clone();
        limits.resize(rows, 0.0);
        let cost: Vec<f64> = self.objective.iter().map(|worth| -worth / scale).collect();
        let settings = DefaultSettingsBuilder::default()
            .verbose(false)
            .max_iter(200)
            .time_limit(limit.as_secs_f64())
            .tol_gap_abs(TOLERANCE)
            .tol_gap_rel(TOLERANCE)
            .tol_feas(TOLERANCE)
            .build()
            .expect("the settings are within their ranges");
        let quadratic = CscMatrix::zeros((columns, columns));
        let cones = [NonnegativeConeT(rows)];
        let mut solver = DefaultSolver::new(&quadratic, &cost, &matrix, &limits, &cones, settings)
            .expect("the dimensions agree");
        solver.solve();
        let solution = &solver.solution;
        let price = |z: &f64| if z.is_finite() { z.max(0.0) * scale } else { 0.0 };
        Solved {
            x: solution.x.iter().map(|x| if x.is_finite() { x.max(0.0) } else { 0.0 }).collect(),
            value: -solution.obj_val * scale,
            prices: solution.z[..own_rows].iter().map(price).collect(),
            optimal: solution.status == SolverStatus::Solved,
        }
    }
}

/// max Σ u·y with y_η ≤ Σ_{t∈I} s_{r,t} for each EI, Σ_r cost_r·s_{r,t} ≤ C_t, 0 ≤ y ≤ 1, 0 ≤ s.
/// (s ≤ 1 is implied: where s is larger, 1 serves as well.)
#[must_use]
pub fn relax(instance: &Instance) -> Relaxed {
    relax_within(instance, Duration::from_secs(1 << 30))
}

/// As [`relax`], in about so much time; what it has then is a bound all the same.
#[must_use]
pub fn relax_within(instance: &Instance, limit: Duration) -> Relaxed {
    let relaxation = Relaxation::new(instance);
    let solved = relaxation.program.solve(limit);
    let ceis = relaxation.worth.ceis.len();
    let proven = relaxation.proven(instance, relaxation.of_eis(&solved.prices));
    let mut y = vec![0.0; instance.ceis().len()];
    for (&cei, part) in relaxation.worth.ceis.iter().zip(&solved.x) {
        y[cei as usize] = part.min(1.0);
    }
    let slots = relaxation.slots.columns.len();
    let probes = solved.x.iter().skip(ceis).take(slots).fold(0.0, |sum, part| sum + part);
    let close = proven - solved.value <= CLOSE * proven;
    Relaxed {
        bound: if solved.optimal { solved.value } else { proven },
        optimal: solved.optimal || close,
        y,
        probes,
    }
}

/// The program of an instance: columns are the CEIs' y, the slots' s, then what is captured of each
/// window that several EIs have; rows are the CEIs' ends, the EIs, those windows, then the budgets.
struct Relaxation {
    worth: Worth,
    slots: Slots,
    program: Program,
}

impl Relaxation {
    fn new(instance: &Instance) -> Self {
        let worth = Worth::of(instance);
        let mut slots = Slots::of(&worth.eis);
        let places = 0..slots.starts.len() as u32;
        let open: Vec<bool> = places.map(|place| slots.budget(place, instance) > 0.0).collect();
        slots.columns.retain(|&(place, _)| open[place as usize]);
        let ceis = worth.ceis.len();
        let mut program = Program {
            objective: worth.utilities(instance),
            entries: Vec::new(),
            limits: Vec::new(),
        };
        program.objective.resize(ceis + slots.columns.len(), 0.0);
        for cei in 0..ceis {
            let row = program.row(1.0);
            program.entries.push((row, cei, 1.0));
        }
        let mut windows: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for ei in &worth.eis {
            let row = program.row(0.0);
            program.entries.push((row, ei.cei as usize, 1.0));
            windows.entry((ei.source, ei.start, ei.finish)).or_default().push(row);
        }
        for ((source, start, finish), rows) in windows {
            let row = program.shared(&rows);
            let window = Ei { cei: 0, source, start, finish };
            for place in slots.places(&window).filter(|&place| open[place as usize]) {
                program.entries.push((row, ceis + slots.column(place, source), -1.0));
            }
        }
        capacity(&mut program, instance, &slots, ceis);
        Self { worth, slots, program }
    }

    /// The prices of the rows of EIs, taken from those of all rows.
    fn of_eis<'a>(&self, prices: &'a [f64]) -> &'a [f64] {
        let ceis = self.worth.ceis.len();
        &prices[ceis..ceis + self.worth.eis.len()]
    }

    /// A bound from prices of EIs, whatever they are: a place costs the most that its sources
    /// would bring, per cost; a CEI is worth what its EIs' prices leave.
    fn proven(&self, instance: &Instance, prices: &[f64]) -> f64 {
        let slots = &self.slots;
        let mut brings = vec![0.0; slots.columns.len()];
        let utilities = self.worth.utilities(instance);
        let mut left = utilities.clone();
        for (ei, price) in self.worth.eis.iter().zip(prices) {
            left[ei.cei as usize] -= price;
            for place in slots.places(ei) {
                if let Ok(column) = slots.columns.binary_search(&(place, ei.source)) {
                    brings[column] += price;
                }
            }
        }
        let mut place_costs = vec![0.0_f64; slots.starts.len()];
        for (&(place, source), brought) in slots.columns.iter().zip(brings) {
            let own = &mut place_costs[place as usize];
            *own = own.max(brought / instance.costs()[source as usize]);
        }
        let places = (0..).zip(place_costs).filter(|(_, cost)| *cost > 0.0);
        let places: f64 = places.map(|(place, cost)| cost * slots.budget(place, instance)).sum();
        let bound = places + left.iter().map(|left| left.max(0.0)).sum::<f64>();
        bound.min(utilities.iter().sum())
    }
}

/// What can bring something: CEIs of some utility, each of whose EIs has a chronon with a budget.
struct Worth {
    /// By their numbers in the instance.
    ceis: Vec<u32>,
    /// Their EIs; `cei` counts in `ceis`.
    eis: Vec<Ei>,
}

impl Worth {
    fn of(instance: &Instance) -> Self {
        // Chronons with a budget, up to each.
        let mut open = vec![0_u32];
        for budget in instance.budget() {
            open.push(open[open.len() - 1] + u32::from(*budget > 0.0));
        }
        let can = |ei: &Ei| open[ei.finish as usize + 1] > open[ei.start as usize];
        let mut worth = Self { ceis: Vec::new(), eis: Vec::new() };
        for (at, cei) in instance.ceis().iter().enumerate() {
            let own = &instance.eis()[cei.eis()];
            if cei.utility > 0.0 && own.iter().all(can) {
                let number = worth.ceis.len() as u32;
                worth.ceis.push(at as u32);
                worth.eis.extend(own.iter().map(|ei| Ei { cei: number, ..*ei }));
            }
        }
        worth
    }

    fn utilities(&self, instance: &Instance) -> Vec<f64> {
        self.ceis.iter().map(|&cei| instance.ceis()[cei as usize].utility).collect()
    }
}

/// The program of the choices: each CEI at most once, a segment only where its probe is. After
/// about so much time the solver stops; if not at an optimum, `bound` is none.
#[must_use]
pub fn relax_choices(instance: &Instance, choices: &[Choice], limit: Duration) -> Relaxed {
    let count = choices.len();
    let mut columns: Vec<(u32, u32)> = choices
        .iter()
        .flat_map(|choice| &choice.segments)
        .map(|&(source, chronon)| (chronon, source))
        .collect();
    columns.sort_unstable();
    columns.dedup();
    let slots = Slots { columns, starts: (0..instance.chronons()).collect() };
    let worth = |choice: &Choice| instance.ceis()[choice.cei as usize].utility;
    let mut program = Program {
        objective: choices.iter().map(worth).collect(),
        entries: Vec::new(),
        limits: Vec::new(),
    };
    program.objective.resize(count + slots.columns.len(), 0.0);
    let mut rows = BTreeMap::new();
    for (at, choice) in choices.iter().enumerate() {
        let row = *rows.entry((choice.cei, None)).or_insert_with(|| program.row(1.0));
        program.entries.push((row, at, 1.0));
        for &(source, t) in &choice.segments {
            let slot = slots.column(t, source);
            let row = *rows.entry((choice.cei, Some(slot))).or_insert_with(|| {
                let row = program.row(0.0);
                program.entries.push((row, count + slot, -1.0));
                row
            });
            program.entries.push((row, at, 1.0));
        }
    }
    capacity(&mut program, instance, &slots, count);
    let Solved { x, value, optimal, .. } = program.solve(limit);
    let probes = x.iter().skip(count).fold(0.0, |sum, part| sum + part);
    Relaxed { bound: value, optimal, y: x.into_iter().take(count).collect(), probes }
}

/// A row a place, in its largest cost: it does not matter what unit costs are in.
fn capacity(program: &mut Program, instance: &Instance, slots: &Slots, offset: usize) {
    let mut column = offset;
    for own in slots.columns.chunk_by(|a, b| a.0 == b.0) {
        let costs = || own.iter().map(|&(_, source)| instance.costs()[source as usize]);
        let unit = costs().fold(0.0, f64::max);
        let row = program.row(slots.budget(own[0].0, instance) / unit);
        program.entries.extend((column..).zip(costs()).map(|(at, cost)| (row, at, cost / unit)));
        column += own.len();
    }
}

/// The chronons at which the set of active EIs may change, from 0.
fn starts(eis: &[Ei]) -> Vec<u32> {
    let edges = eis.iter().flat_map(|ei| [ei.start, ei.finish + 1]).chain([0]);
    let mut starts: Vec<u32> = edges.collect();
    starts.sort_unstable();
    starts.dedup();
    starts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::completeness::generate::Draw;
    use policies::completeness::Builder;

    fn instance(chance: &mut Draw) -> Instance {
        instance_in(chance, 1.0)
    }

    /// With costs and budgets in another unit.
    fn instance_in(chance: &mut Draw, unit: f64) -> Instance {
        let mut builder = Builder::new();
        for id in 0..8 {
            let ei = |_| {
                let start = chance.below(10) as u64;
                (chance.below(4) as u64, start, (start + chance.below(4) as u64).min(9))
            };
            let cei = (0..1 + id as usize % 3).map(ei).collect();
            builder.profile(id, 0.5 + id as f64, vec![cei]);
        }
        builder.costs([1.0, 2.0, 0.5, 3.0].map(|cost| cost * unit).to_vec());
        builder.build((0..10).map(|t| f64::from(t % 3) * unit).collect()).unwrap()
    }

    #[test]
    fn any_prices_prove_a_bound_and_the_best_prove_the_optimum() {
        let mut chance = Draw::new(7);
        for _ in 0..60 {
            let instance = instance(&mut chance);
            let relaxation = Relaxation::new(&instance);
            let solved = relaxation.program.solve(Duration::from_secs(60));
            assert!(solved.optimal);
            let best = relaxation.of_eis(&solved.prices);
            let proven = relaxation.proven(&instance, best);
            assert!((proven - solved.value).abs() <= 1e-6 * solved.value, "{proven} {solved:?}");
            let other: Vec<f64> = best.iter().map(|price| price * 2.0 * chance.unit()).collect();
            assert!(relaxation.proven(&instance, &other) >= solved.value * (1.0 - 1e-6));
        }
    }

    #[test]
    fn the_unit_of_costs_does_not_matter() {
        let (mut chance, mut other) = (Draw::new(9), Draw::new(9));
        for _ in 0..60 {
            let bound = relax(&instance(&mut chance)).bound;
            let large = relax(&instance_in(&mut other, 1e12));
            assert!(large.optimal && (large.bound / bound - 1.0).abs() < 1e-6, "{bound} {large:?}");
        }
    }
}
