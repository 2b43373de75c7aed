//! What our own policies are to reach: `gain` over the grid of instances, `whittle` and
//! `learned-whittle` over nodes and probes.

use super::bench::Bench;
use super::figure::Places;
use super::finding::{Finding, Part, Table, Verdict};
use super::optimality::with_sweeps;
use super::page::read_csv;
use super::sample::{Sample, short};
use super::sweep::{Axes, COLUMNS, Sweep};
use super::undiscovered::{permuted, rates, world};
use crate::cli::LabError;
use crate::probing::{Trial, simulate};
use policies::probing::{ProbingName, bounds};

/// Columns of the papers' four policies, with and without preemption.
const FOUR: [&str; 7] = ["s-edf", "s-edf np", "mrsf", "mrsf np", "m-edf", "m-edf np", "wic"];

/// Shares of the LP bound of one cell of the grid.
#[derive(Debug, Clone, PartialEq)]
struct Cell {
    name: String,
    gain: f64,
    /// The best of the papers' four.
    best: f64,
    /// The form of `gain` that costs O(log n) an event, where it was measured.
    index: Option<f64>,
    /// `gain` told 3, 10 and 100 chronons ahead, where it was measured.
    told: [Option<f64>; 3],
}

impl Cell {
    fn is_exact_rank(&self) -> bool {
        self.name.starts_with("exact rank")
    }

    /// Windows longer than a chronon, ranks mixed up to 3.
    fn is_mixed_window(&self) -> bool {
        let other = ["overwrite", "rank≤4", "rank≤5", "W=0"];
        !self.is_exact_rank() && !other.iter().any(|part| self.name.contains(part))
    }
}

/// The cells of a `grid.csv`: a column `cell`, and one a policy with its share of the LP bound.
fn cells(text: &str) -> Result<Vec<Cell>, String> {
    let rows = read_csv(text);
    let Some((head, rows)) = rows.split_first() else { return Err("it is empty".to_owned()) };
    let column = |name: &str| head.iter().position(|field| field == name);
    let required = |name: &str| column(name).ok_or(format!("line 1: expected a column `{name}`"));
    let (cell, gain) = (required("cell")?, required("gain")?);
    let four: Vec<usize> = FOUR.iter().filter_map(|name| column(name)).collect();
    if four.is_empty() {
        return Err(format!("line 1: expected columns of {}", FOUR.join(", ")));
    }
    let told = [3, 10, 100].map(|ahead| column(&format!("gain, told {ahead} ahead")));
    let index = column("gain-index");
    let mut all = Vec::new();
    for (row, line) in rows.iter().zip(2..) {
        let number = |at: usize| row.get(at).and_then(|text| text.parse::<f64>().ok());
        // A cell whose bound was not computed has no shares.
        let Some(gain) = number(gain) else { continue };
        let best = four.iter().filter_map(|&at| number(at)).fold(f64::NAN, f64::max);
        let name = row.get(cell).ok_or(format!("line {line}: expected a cell"))?.clone();
        let [index, told @ ..] = [index, told[0], told[1], told[2]].map(|at| at.and_then(number));
        all.push(Cell { name, gain, best, index, told });
    }
    Ok(all)
}

const GRID: &str = "Target: over Table 1, one parameter at a time around its baseline, `gain` \
                    without hand-set parameters: mean ≥ 94 % of the LP bound; ≥ 90 % where W > 0 \
                    and ranks are mixed up to 3; at exact rank ≥ 1.15 × the best of S-EDF, MRSF, \
                    M-EDF, WIC; nowhere more than 0.5 % below that best.";

/// G: the grid, as `grid.csv` beside the page has it.
///
/// # Errors
/// A `grid.csv` that is not one.
pub fn grid(bench: &Bench) -> Result<Finding, LabError> {
    let path = bench.out.join("grid.csv");
    let Ok(text) = std::fs::read_to_string(&path) else {
        return Ok(without_grid());
    };
    let wrong = |what: String| LabError::Input(format!("{}: {what}", path.display()));
    let mut cells = cells(&text).map_err(wrong)?;
    let parts = grid_parts(&cells);
    let mut table = Table::new(&[
        "cell",
        "gain",
        "best of the papers' four",
        "÷",
        "gain-index",
        "told 3",
        "10",
        "100",
    ]);
    for cell in &cells {
        let mut row = vec![cell.name.clone(), short(cell.gain), short(cell.best)];
        row.push(short(cell.gain / cell.best));
        row.push(cell.index.map_or("–".to_owned(), short));
        row.extend(cell.told.map(|share| share.map_or("–".to_owned(), short)));
        table.row(row);
    }
    cells.sort_by(|a, b| b.gain.total_cmp(&a.gain));
    let places = Places::Numbers((1..=cells.len()).map(|at| at as f64).collect());
    let axes = Axes { x: "cells, in order of the share of gain", y: "share of the LP bound" };
    let mut sweep = Sweep::new("the grid", axes, places);
    for (at, cell) in cells.iter().enumerate() {
        sweep.add("gain", at, cell.gain);
        sweep.add("MRSF, M-EDF, S-EDF, WIC: the best", at, cell.best);
        if let Some(share) = cell.index {
            sweep.add("O(log n) form of it", at, share);
        }
        for (ahead, share) in [3, 10, 100].iter().zip(cell.told) {
            if let Some(share) = share {
                sweep.add(&format!("told {ahead} ahead"), at, share);
            }
        }
    }
    let finding = Finding {
        claim: GRID.to_owned(),
        setup: vec![
            format!(
                "Measured by `lab grid --foresight --csv grid.csv`, with {} a cell; this section \
                 reads [grid.csv](grid.csv).",
                repetitions(&text)
            ),
            "`gain-index` is its form for 10^6 live EIs, O(log n) an event.".to_owned(),
            "The LP bound knows the whole future; `told 100` is what `gain` does if it hears of \
             each CEI 100 chronons before its first interval."
                .to_owned(),
        ],
        parts,
        ..Finding::default()
    };
    let mut finding = with_sweeps(finding, &[sweep]);
    finding.tables = vec![("share of the LP bound".to_owned(), table)];
    Ok(finding)
}

/// How often cells were run, as the file says.
fn repetitions(text: &str) -> String {
    let rows = read_csv(text);
    let at = rows.first().and_then(|head| head.iter().position(|field| field == "repetitions"));
    let counts = rows.iter().skip(1).filter_map(|row| row.get(at?)?.parse::<u32>().ok());
    let counts: Vec<u32> = counts.collect();
    match (counts.iter().min(), counts.iter().max()) {
        (Some(1), Some(1)) => "one run".to_owned(),
        (Some(least), Some(most)) if least == most => format!("{least} runs"),
        (Some(least), Some(most)) => format!("{least} to {most} runs"),
        _ => "an unknown number of runs".to_owned(),
    }
}

fn without_grid() -> Finding {
    let part = Part {
        statement: "on the grid".to_owned(),
        verdict: Verdict::NotMeasured,
        measured: "there is no grid.csv beside the page; `lab grid` measures it".to_owned(),
        why: String::new(),
    };
    Finding {
        claim: GRID.to_owned(),
        setup: vec!["Needs the output of `lab grid`.".to_owned()],
        parts: vec![part],
        data: Table::new(&COLUMNS),
        ..Finding::default()
    }
}

fn grid_parts(cells: &[Cell]) -> Vec<Part> {
    let gains: Vec<f64> = cells.iter().map(|cell| cell.gain).collect();
    let mean = Sample::of(&gains).mean;
    let bests: Vec<f64> = cells.iter().map(|cell| cell.best).collect();
    let knowledge = "What is missing is knowledge, not optimisation: told of each CEI 100 \
                     chronons ahead the same policy comes far closer to the bound.";
    let least = |of: &mut dyn Iterator<Item = (String, f64)>| {
        of.min_by(|a, b| a.1.total_cmp(&b.1))
            .map_or(String::new(), |(name, value)| format!("least {} ({name})", short(value)))
    };
    let named = |cell: &Cell, value: f64| (cell.name.clone(), value);
    let of =
        |statement: &str, some: &dyn Fn(&&Cell) -> bool, value: &dyn Fn(&Cell) -> f64, limit| {
            let chosen: Vec<&Cell> = cells.iter().filter(some).collect();
            let holds = chosen.iter().all(|cell| value(cell) >= limit);
            let text = least(&mut chosen.iter().map(|cell| named(cell, value(cell))));
            let missed = chosen.iter().filter(|cell| value(cell) < limit).count();
            let text = format!("{text}; missed in {missed} of {} cells", chosen.len());
            let mut part = Part::plain(statement, holds, text);
            if missed > 0 && missed < chosen.len() {
                part.verdict = Verdict::InPart;
            }
            part
        };
    let ratio = |cell: &Cell| cell.gain / cell.best;
    vec![
        Part::plain(
            "mean of all cells ≥ 94 %",
            mean >= 0.94,
            format!(
                "{} over {} cells; best of the four in each {}",
                short(mean),
                cells.len(),
                short(Sample::of(&bests).mean)
            ),
        )
        .because(knowledge),
        of("≥ 90 % where W > 0, ranks ≤ 3", &|c| c.is_mixed_window(), &|c| c.gain, 0.9)
            .because(knowledge),
        of("at exact rank ≥ 1.15 × the best of the four", &|c| c.is_exact_rank(), &ratio, 1.15)
            .because(knowledge),
        of("nowhere more than 0.5 % below the best of the four", &|_| true, &ratio, 0.995),
    ]
}

/// P: ratios of `whittle` and `learned-whittle` to the tightest bound.
///
/// # Errors
/// None.
pub fn probing(bench: &Bench) -> Result<Finding, LabError> {
    let known = known(bench);
    let learned = learned(bench);
    let Places::Numbers(sizes) = &known.places else { unreachable!("sizes are numbers") };
    let cells = known.series.iter().flat_map(|(name, values)| {
        sizes.iter().enumerate().zip(values).map(move |((at, &n), values)| (name, at, n, values))
    });
    let small: Vec<(String, bool)> = cells
        .filter(|(_, _, n, values)| *n >= 1000.0 && !values.is_empty())
        .map(|(name, at, _, values)| {
            (format!("{} ({name})", known.place(at)), Sample::of(values).mean <= 1.002)
        })
        .collect();
    let all = known.series.iter().flat_map(|row| row.1.iter().flatten().copied());
    let worst = short(all.fold(0.0, f64::max));
    let first = |kind: usize, most: f64, when: &str| {
        let name =
            if when == AFTER { format!("learned-whittle {AFTER}") } else { LEARNED.to_owned() };
        let sample = Sample::of(learned[kind].at(&name, 0));
        let kind = LEARNED_KINDS[kind];
        let statement =
            format!("`learned-whittle` ≤ {} over probes 10–15 {when} ({kind})", short(most));
        Part::plain(&statement, sample.mean <= most, format!("ratio {}", sample.text()))
            .because("Rates that are not known yet cost probes.")
    };
    let finding = Finding {
        claim: "Target: `whittle` ≤ 1.002 × the tightest bound for n ≥ 1000 up to 10^6; \
                `learned-whittle` at half an item per probe ≤ 1.10 × over probes 10–15 per node \
                (lognormal 1.13), ≤ 1.15 (1.20) over probes 10–15 after all rates are permuted."
            .to_owned(),
        setup: setup(bench),
        parts: vec![
            Part::under("`whittle` ≤ 1.002 × bound for n ≥ 1000", &small)
                .with(&format!("largest of all n {worst}"))
                .because("Whole chronons: with few probes a chronon they must wait in turn."),
            first(0, 1.10, "from the start"),
            first(1, 1.13, "from the start"),
            first(0, 1.15, AFTER),
            first(1, 1.20, AFTER),
        ],
        ..Finding::default()
    };
    let [pareto, lognormal] = learned;
    let mut finding = with_sweeps(finding, &[known, pareto, lognormal]);
    finding.figure.panels[0] = finding.figure.panels[0].clone().log_x();
    Ok(finding)
}

fn setup(bench: &Bench) -> Vec<String> {
    vec![
        "`whittle`: rates known, c = n/100 (at least 1), 4,000 chronons (1,000 from n = 10^5 on), \
         the second half counted; equal, uniform, Pareto (index 1.2) and lognormal (σ = 2) rates \
         (10^6: the last two); 3 repetitions (1 from 10^5 on). A window as short as ten rounds \
         may lie a thousandth under the bound, as rarely probed nodes have not come round."
            .to_owned(),
        format!(
            "`learned-whittle`, `adaptive`: n = {} nodes, Σπ = 1/2, c = 1, Poisson items; all rates \
             are permuted after 30 probes per node; {} repetitions.",
            bench.pick(15, 1000),
            bench.seeds(2, 5).len()
        ),
    ]
}

fn known(bench: &Bench) -> Sweep {
    let sizes = bench.pick(vec![10, 100], vec![10, 100, 1_000, 10_000, 100_000, 1_000_000]);
    let places = Places::Numbers(sizes.iter().map(|&n| f64::from(n)).collect());
    let axes = Axes { x: "n, nodes", y: "cost ÷ tightest lower bound" };
    let mut sweep = Sweep::new("whittle, rates known", axes, places);
    for (at, &n) in sizes.iter().enumerate() {
        let large = n > 10_000;
        let kinds = ["Pareto", "lognormal", "uniform", "equal"];
        for kind in kinds.into_iter().take(if n > 100_000 { 2 } else { 4 }) {
            bench.on(&format!("whittle, n = {n}, {kind}"));
            for &seed in bench.seeds(1, 3).iter().take(if large { 1 } else { 3 }) {
                let budget = (n as u32 / 100).max(1);
                let chronons = bench.pick(200, if large { 1_000 } else { 4_000 });
                let world = world(rates(kind, n as usize, seed), budget, chronons, seed);
                let bound = bounds::tightest(&world.rates, f64::from(budget));
                let cost = simulate(ProbingName::Whittle, &world).cost();
                sweep.add(&format!("{kind} rates"), at, cost / bound);
            }
        }
    }
    sweep
}

/// Windows of probes per node.
const PROBES: [(u64, u64); 3] = [(10, 15), (15, 20), (25, 30)];
const LEARNED: &str = "learned-whittle";
const LEARNED_KINDS: [&str; 2] = ["Pareto", "lognormal"];
const AFTER: &str = "after the change";

/// `learned-whittle` and `adaptive` from the start, and after a permutation of all rates.
fn learned(bench: &Bench) -> [Sweep; 2] {
    let nodes: u64 = bench.pick(15, 1000);
    LEARNED_KINDS.map(|kind| {
        let middles = PROBES.map(|(from, to)| (from + to) as f64 / 2.0).to_vec();
        let axes = Axes { x: "probes per node since then", y: "cost ÷ tightest lower bound" };
        let title = format!("{kind} rates, unknown");
        let mut sweep = Sweep::new(&title, axes, Places::Numbers(middles));
        for seed in bench.seeds(2, 5) {
            bench.on(&format!("{title}, seed {seed}"));
            let first: Vec<f64> =
                rates(kind, nodes as usize, seed).iter().map(|rate| rate / 2.0).collect();
            let second = permuted(&first, seed);
            let bound = bounds::tightest(&first, 1.0);
            for (at, &(from, to)) in PROBES.iter().enumerate() {
                for policy in [LEARNED, "adaptive"] {
                    let name = ProbingName::parse(policy).expect("it is one of ours");
                    let early = Trial {
                        warm_up: from * nodes,
                        ..world(first.clone(), 1, to * nodes, seed)
                    };
                    sweep.add(policy, at, simulate(name, &early).cost() / bound);
                    let late = Trial {
                        warm_up: (30 + from) * nodes,
                        after: Some((30 * nodes, second.clone())),
                        ..world(first.clone(), 1, (30 + to) * nodes, seed)
                    };
                    let text = format!("{policy} {AFTER}");
                    sweep.add(&text, at, simulate(name, &late).cost() / bound);
                }
            }
        }
        sweep
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "cell,bound,s-edf,mrsf,m-edf,wic,gain,\"gain, told 3 ahead\"\n\
                        C=1 window,100,0.5,0.8,0.8,0.3,0.95,0.96\n\
                        \"exact rank 3, W=0\",50,0.5,0.7,0.7,0.1,0.95,0.97\n";

    #[test]
    fn cells_are_read_by_the_names_of_their_columns() {
        let cells = cells(GOOD).unwrap();
        assert_eq!(cells.len(), 2);
        assert_eq!(cells[1].name, "exact rank 3, W=0");
        assert!((cells[0].best - 0.8).abs() < 1e-12);
        assert_eq!(cells[0].told, [Some(0.96), None, None]);
        assert!(cells[0].is_mixed_window() && cells[1].is_exact_rank());
    }

    #[test]
    fn targets_of_the_grid_are_reached_or_missed_by_the_numbers() {
        let verdicts = |text: &str| -> Vec<Verdict> {
            grid_parts(&cells(text).unwrap()).iter().map(|part| part.verdict).collect()
        };
        assert_eq!(verdicts(GOOD), [Verdict::Holds; 4]);
        let bad = GOOD.replace("0.95", "0.69");
        let expected = [Verdict::Fails, Verdict::Fails, Verdict::Fails, Verdict::Fails];
        assert_eq!(verdicts(&bad), expected);
    }

    #[test]
    fn runs_are_counted_where_the_file_does() {
        assert_eq!(repetitions("cell,repetitions\na,1\n"), "one run");
        assert_eq!(repetitions("cell,repetitions\na,3\nb,10\n"), "3 to 10 runs");
        assert_eq!(repetitions(GOOD), "an unknown number of runs");
    }

    #[test]
    fn a_grid_without_its_columns_is_refused() {
        assert_eq!(cells("cell,mrsf\n").unwrap_err(), "line 1: expected a column `gain`");
    }
}
