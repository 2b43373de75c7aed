//! The linear relaxation: an upper bound for every policy, even one that knows the future.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus,
};
use schedule::completeness::Instance;
use schedule::completeness::local_ratio::Choice;
use std::collections::BTreeMap;

/// Relative and absolute tolerance of the solver; bounds are promised to 1e-6.
const TOLERANCE: f64 = 1e-9;

/// A solution of a relaxation.
#[derive(Debug, Clone)]
pub struct Relaxed {
    /// Value of the objective.
    pub bound: f64,
    /// Whether the solver reached its tolerance.
    pub optimal: bool,
    /// The part of each CEI (or choice) that is captured, 0 to 1.
    pub y: Vec<f64>,
    /// Probes, possibly in parts.
    pub probes: f64,
}

/// Where a source can be probed to some end: a column each.
#[derive(Debug, Clone, Default)]
pub struct Slots {
    /// (chronon, source), ascending, and the column's number.
    pub columns: BTreeMap<(u32, u32), usize>,
}

impl Slots {
    /// Those that some EI covers.
    #[must_use]
    pub fn of(instance: &Instance) -> Self {
        let covered = instance.eis().iter();
        let covered = covered.flat_map(|ei| (ei.start..=ei.finish).map(|t| (t, ei.source)));
        Self::new(covered.collect())
    }

    fn new(mut covered: Vec<(u32, u32)>) -> Self {
        covered.sort_unstable();
        covered.dedup();
        Self { columns: covered.into_iter().enumerate().map(|(at, slot)| (slot, at)).collect() }
    }
}

/// Rows of `coefficients · x ≤ limit`, column by column, over x ≥ 0.
struct Program {
    objective: Vec<f64>,
    entries: Vec<(usize, usize, f64)>,
    limits: Vec<f64>,
}

impl Program {
    fn row(&mut self, limit: f64) -> usize {
        self.limits.push(limit);
        self.limits.len() - 1
    }

    /// Maximises; the solution is clipped to x ≥ 0.
    fn solve(mut self) -> (Vec<f64>, f64, bool) {
        let columns = self.objective.len();
        if columns == 0 {
            return (Vec::new(), 0.0, true);
        }
        for column in 0..columns {
            let row = self.row(0.0);
            self.entries.push((row, column, -1.0));
        }
        let rows = self.limits.len();
        let (i, (j, v)): (Vec<_>, (Vec<_>, Vec<_>)) =
            self.entries.iter().map(|&(i, j, v)| (i, (j, v))).unzip();
        let matrix = CscMatrix::new_from_triplets(rows, columns, i, j, v);
        let cost: Vec<f64> = self.objective.iter().map(|worth| -worth).collect();
        let settings = DefaultSettingsBuilder::default()
            .verbose(false)
            .max_iter(200)
            .tol_gap_abs(TOLERANCE)
            .tol_gap_rel(TOLERANCE)
            .tol_feas(TOLERANCE)
            .build()
            .expect("the settings are within their ranges");
        let quadratic = CscMatrix::zeros((columns, columns));
        let cones = [NonnegativeConeT(rows)];
        let mut solver =
            DefaultSolver::new(&quadratic, &cost, &matrix, &self.limits, &cones, settings)
                .expect("the dimensions agree");
        solver.solve();
        let solution = &solver.solution;
        let solved = matches!(solution.status, SolverStatus::Solved | SolverStatus::AlmostSolved);
        let x = solution.x.iter().map(|x| x.max(0.0)).collect();
        (x, -solution.obj_val, solved)
    }
}

/// max Σ u·y with y_η ≤ Σ_{t∈I} s_{r,t} for each EI, Σ_r cost_r·s_{r,t} ≤ C_t, 0 ≤ y ≤ 1, 0 ≤ s.
/// (s ≤ 1 is implied: where s is larger, 1 serves as well.)
#[must_use]
pub fn relax(instance: &Instance) -> Relaxed {
    let slots = Slots::of(instance);
    let ceis = instance.ceis().len();
    let mut program = Program {
        objective: instance.ceis().iter().map(|cei| cei.utility).collect(),
        entries: Vec::new(),
        limits: Vec::new(),
    };
    program.objective.resize(ceis + slots.columns.len(), 0.0);
    for cei in 0..ceis {
        let row = program.row(1.0);
        program.entries.push((row, cei, 1.0));
    }
    for ei in instance.eis() {
        let row = program.row(0.0);
        program.entries.push((row, ei.cei as usize, 1.0));
        for t in ei.start..=ei.finish {
            program.entries.push((row, ceis + slots.columns[&(t, ei.source)], -1.0));
        }
    }
    capacity(&mut program, instance, &slots, ceis);
    let (x, bound, optimal) = program.solve();
    let y = x[..ceis.min(x.len())].iter().map(|y| y.min(1.0)).collect();
    let probes = x.iter().skip(ceis).sum();
    Relaxed { bound, optimal, y, probes }
}

/// The program of the choices: each CEI at most once, a segment only where its probe is.
#[must_use]
pub fn relax_choices(instance: &Instance, choices: &[Choice]) -> Relaxed {
    let count = choices.len();
    let segments = choices.iter().flat_map(|choice| &choice.segments);
    let slots = Slots::new(segments.map(|&(source, t)| (t, source)).collect());
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
            let slot = slots.columns[&(t, source)];
            let row = *rows.entry((choice.cei, Some(slot))).or_insert_with(|| {
                let row = program.row(0.0);
                program.entries.push((row, count + slot, -1.0));
                row
            });
            program.entries.push((row, at, 1.0));
        }
    }
    capacity(&mut program, instance, &slots, count);
    let (x, bound, optimal) = program.solve();
    let probes = x.iter().skip(count).sum();
    Relaxed { bound, optimal, y: x.into_iter().take(count).collect(), probes }
}

fn capacity(program: &mut Program, instance: &Instance, slots: &Slots, offset: usize) {
    let mut last = None;
    for (&(t, source), &slot) in &slots.columns {
        let row = match last {
            Some((chronon, row)) if chronon == t => row,
            _ => program.row(instance.budget()[t as usize]),
        };
        last = Some((t, row));
        program.entries.push((row, offset + slot, instance.costs()[source as usize]));
    }
}
