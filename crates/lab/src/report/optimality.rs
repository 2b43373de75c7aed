//! R1 to R4: what the papers prove.

use super::auctions::{Contender, RULES, RawProfile, Setting, build};
use super::bench::Bench;
use super::figure::{Figure, Places};
use super::finding::{Finding, Part, Table};
use super::sample::short;
use super::sweep::{Axes, Sweep};
use crate::cli::LabError;
use crate::completeness::exact;
use crate::completeness::generate::Window;
use policies::completeness::rules::Kind;
use policies::completeness::{DeadCeis, Instance, Preemption, Rule, Schedule, State, run_online};
use std::time::Duration;

const EXACT_LIMIT: Duration = Duration::from_secs(300);

/// Small instances for the exact program: few chronons, tight enough that not all is captured.
fn small(bench: &Bench, rank: u32) -> Setting {
    Setting::baseline(bench).with(|p| {
        (p.rank, p.profiles, p.sources, p.chronons) = (rank, 12, 40, 40);
        (p.intensity, p.window, p.alpha) = (Some(6.0), Window::Chronons(4), 0.0);
    })
}

/// R1: S-EDF is optimal for rank 1 without intra-resource overlap.
///
/// # Errors
/// None that these parameters cause.
pub fn r1(bench: &Bench) -> Result<Finding, LabError> {
    let apart = small(bench, 1).with(|p| p.no_overlap = true);
    let shared = small(bench, 1).with(|p| p.sources = 6);
    let seeds = bench.seeds(6, 100);
    let windows = [0, 2, 5, 10];
    let mut sweeps = Vec::new();
    let mut finding = Finding::default();
    for (name, setting) in [("no overlap", &apart), ("overlap", &shared)] {
        let places = Places::Numbers(windows.iter().map(|&w| f64::from(w)).collect());
        let mut sweep = Sweep::new(
            name,
            Axes { x: "W, chronons", y: "captured, share of the optimum" },
            places,
        );
        let (mut optimal, mut reached) = (0_u32, 0_u32);
        for (at, &w) in windows.iter().enumerate() {
            bench.on(&format!("W = {w}"));
            for &seed in &seeds {
                let instance = setting.with(|p| p.window = Window::Chronons(w)).instance(seed)?;
                let best = exact::solve(&instance, EXACT_LIMIT);
                if !best.optimal {
                    continue;
                }
                let most = best.schedule.outcome(&instance).value.max(1.0);
                optimal += 1;
                for contender in [RULES[0], Contender::Wic, Contender::Gain] {
                    let captured = contender.captured(&instance)?;
                    reached += u32::from(contender == RULES[0] && captured >= most - 0.5);
                    sweep.add(contender.name(), at, captured / most);
                }
            }
        }
        let text = format!("S-EDF captures the optimum in {reached} of {optimal} instances");
        if name == "no overlap" {
            let statement = "S-EDF captures what the exact program captures";
            finding.parts.push(Part::plain(statement, reached == optimal, text));
        } else {
            finding.notes.push(format!(
                "With intra-resource overlap (sources shared by profiles) {text}: it does not \
                 count how many intervals one probe captures."
            ));
        }
        sweeps.push(sweep);
    }
    finding.claim =
        "Proposition 1: S-EDF is optimal for rank 1 without intra-resource overlap.".to_owned();
    finding.setup = vec![
        format!("No overlap: {}; W = 0, 2, 5, 10.", apart.command()),
        format!("Overlap: {}; W the same.", shared.command()),
        format!("{} instances for each W, each solved by the exact program.", seeds.len()),
    ];
    Ok(with_sweeps(finding, &sweeps))
}

/// Adds figure, tables and data.
#[must_use]
pub fn with_sweeps(mut finding: Finding, sweeps: &[Sweep]) -> Finding {
    for sweep in sweeps {
        finding.tables.push(sweep.table());
        sweep.export(&mut finding.data);
    }
    finding.figure = Figure { panels: sweeps.iter().map(Sweep::panel).collect() };
    finding
}

/// The counter-example to Proposition 2 with `size` profiles a side: profiles 0 … begin pairs
/// whose second interval is everybody's last chronon; the others could all be finished.
fn trap(size: u64) -> Vec<RawProfile> {
    let last = 2 * size + 4;
    let begin = |t: u64| vec![vec![(4 * t, t, t), (4 * t + 1, last, last)]];
    let late = |t: u64| vec![vec![(4 * t + 2, t, t), (4 * t + 3, size + t, size + t)]];
    (0..size).map(begin).chain((0..size).map(late)).collect()
}

/// The schedule that finishes every pair of the second kind.
fn late_ones(size: u64) -> Schedule {
    let mut schedule = Schedule::empty(2 * size as u32 + 5);
    for t in 0..size as usize {
        schedule.picks[t].push(4 * t as u32 + 2);
        schedule.picks[size as usize + t].push(4 * t as u32 + 3);
    }
    schedule
}

fn rule(instance: &Instance, kind: Kind) -> f64 {
    let mut rule = Rule::new(kind, Preemption::On, DeadCeis::Drop);
    run_online(instance, &mut rule).outcome(instance).value
}

/// The largest Σ|I| of a CEI.
fn longest(instance: &Instance) -> f64 {
    let lengths = |cei: &policies::completeness::Cei| -> u32 {
        instance.eis()[cei.eis()].iter().map(policies::completeness::Ei::length).sum()
    };
    f64::from(instance.ceis().iter().map(lengths).max().unwrap_or(1))
}

/// R2: MRSF is l-competitive without intra-resource overlap.
///
/// # Errors
/// None that these parameters cause.
pub fn r2(bench: &Bench) -> Result<Finding, LabError> {
    let sizes = [2_u64, 5, 10, 20, 40];
    let axes = Axes { x: "profiles a side", y: "optimum ÷ captured" };
    let places = Places::Numbers(sizes.iter().map(|&s| s as f64).collect());
    let mut trapped = Sweep::new("counter-example, l = 2", axes, places);
    let mut told = String::new();
    for (at, &size) in sizes.iter().enumerate() {
        let instance = build(trap(size), vec![1.0; 2 * size as usize + 5])?;
        // All of the second kind can be captured, and the relaxation allows no more.
        let best = late_ones(size).outcome(&instance).value;
        if Contender::Bound.captured(&instance)? > best + 1e-3 {
            return Err(LabError::Input(format!("R2: the optimum of size {size} is not {best}")));
        }
        for contender in [RULES[1], Contender::Gain] {
            trapped.add(contender.name(), at, best / contender.captured(&instance)?.max(1.0));
        }
        if size == 20 {
            let mrsf = rule(&instance, Kind::Mrsf);
            told = format!("20 profiles a side: MRSF {}, optimum {}", short(mrsf), short(best));
        }
    }
    let (random, held, all, worst) = random_ratios(bench)?;
    let worst_of = (0..sizes.len()).map(|at| trapped.mean("MRSF(P)", at)).fold(0.0, f64::max);
    let text = format!("optimum ÷ MRSF up to {}", short(worst_of));
    let counter = Part::plain("optimum ÷ MRSF ≤ l on the counter-example", worst_of <= 2.0, text)
        .with(&told)
        .because(
            "MRSF begins every pair that shares one last chronon, since ties go to the lower \
             profile; only one of them can be finished. The loss grows with the number of pairs, \
             while l, the chronons of one CEI, stays 2. With the other tie rule the roles swap.",
        );
    let text = format!("in {held} of {all} instances; largest (optimum ÷ MRSF) ÷ l {worst}");
    let by_chance = Part::plain("optimum ÷ MRSF ≤ l on random instances", held == all, text);
    let mut finding = Finding {
        claim: "Proposition 2: without intra-resource overlap MRSF is l-competitive, l = max over \
                CEIs of Σ|I|."
            .to_owned(),
        setup: vec![
            "Counter-example: profiles t = 0, 1, … want one chronon t and then one late chronon that \
             all share; as many others want t and size + t. C = 1, all intervals one chronon, all \
             sources distinct; rank 2, l = 2. The optimum is the relaxation's, which is reached."
                .to_owned(),
            format!(
                "Random: {}; W = 0, 1, 3, rank 1–4 as drawn; optimum by the exact program.",
                random_setting(bench).command()
            ),
        ],
        parts: vec![counter, by_chance],
        ..Finding::default()
    };
    finding = with_sweeps(finding, &[trapped, random]);
    finding.figure.panels[0] = finding.figure.panels[0].clone().level("l", 2.0).log_y().log_x();
    Ok(finding)
}

fn random_setting(bench: &Bench) -> Setting {
    small(bench, 4).with(|p| {
        (p.no_overlap, p.profiles, p.sources, p.chronons) = (true, 8, 40, 20);
        p.intensity = Some(3.0);
    })
}

/// Optimum ÷ captured over l on random instances, how often at most 1, of how many, and the worst.
fn random_ratios(bench: &Bench) -> Result<(Sweep, u32, u32, String), LabError> {
    let windows = [0_u32, 1, 3];
    let places = Places::Numbers(windows.iter().map(|&w| f64::from(w)).collect());
    let axes = Axes { x: "W, chronons", y: "optimum ÷ captured" };
    let mut sweep = Sweep::new("random instances, no overlap", axes, places);
    let (mut held, mut all, mut worst) = (0, 0, 0.0_f64);
    for (at, &w) in windows.iter().enumerate() {
        bench.on(&format!("random, W = {w}"));
        for seed in bench.seeds(4, 40) {
            let setting = random_setting(bench).with(|p| p.window = Window::Chronons(w));
            let instance = setting.instance(seed)?;
            let best = exact::solve(&instance, EXACT_LIMIT);
            if !best.optimal {
                continue;
            }
            let best = best.schedule.outcome(&instance).value;
            for contender in [RULES[1], RULES[2], Contender::Gain] {
                let captured = contender.captured(&instance)?.max(1.0);
                sweep.add(contender.name(), at, best / captured);
            }
            let ratio = best / rule(&instance, Kind::Mrsf).max(1.0) / longest(&instance);
            all += 1;
            held += u32::from(ratio <= 1.0 + 1e-9);
            worst = worst.max(ratio);
        }
    }
    Ok((sweep, held, all, short(worst)))
}

/// R3: M-EDF is MRSF on P[1].
///
/// # Errors
/// None that these parameters cause.
pub fn r3(bench: &Bench) -> Result<Finding, LabError> {
    let base = small(bench, 3).with(|p| p.profiles = 20);
    let kinds = ["P[1], CEIs of their profile's rank", "P[1], unequal sizes", "W = 2"];
    let short_names = ["equal sizes", "unequal sizes", "W = 2"];
    let places = Places::Names(short_names.iter().map(|&name| name.to_owned()).collect());
    let axes = Axes { x: "instances", y: "share where M-EDF and MRSF probe alike" };
    let mut same = Sweep::new("same schedule", axes, places.clone());
    let axes = Axes { x: "instances", y: "completeness, share of CEIs captured" };
    let mut captured = Sweep::new("completeness", axes, places);
    for at in 0..kinds.len() {
        for seed in bench.seeds(6, 200) {
            let w = if at == 2 { 2 } else { 0 };
            let setting = base.with(|p| p.window = Window::Chronons(w));
            let mut instance = setting.instance(seed)?;
            if at == 1 {
                instance = uneven(&setting, seed)?;
            }
            let [mrsf, m_edf] = [Kind::Mrsf, Kind::MEdf].map(|kind| {
                run_online(&instance, &mut Rule::new(kind, Preemption::On, DeadCeis::Drop))
            });
            same.add("M-EDF = MRSF", at, f64::from(u8::from(mrsf == m_edf)));
            for contender in [RULES[1], RULES[2], Contender::Gain] {
                captured.add(contender.name(), at, contender.completeness(&instance)?);
            }
        }
    }
    let shares: Vec<f64> = (0..3).map(|at| same.mean("M-EDF = MRSF", at)).collect();
    let share =
        |at: usize| format!("same schedule in {} % of instances", short(100.0 * shares[at]));
    let counter = vec![
        vec![vec![(0, 0, 0)], vec![(1, 5, 5), (2, 6, 6), (3, 7, 7)]],
        vec![vec![(4, 0, 0), (5, 2, 2)]],
        vec![vec![(6, 2, 2)]],
    ];
    let counter = build(counter, vec![1.0; 8])?;
    let [mrsf, m_edf] = [Kind::Mrsf, Kind::MEdf].map(|kind| rule(&counter, kind));
    let why = "MRSF counts from the rank of the profile, M-EDF from the CEI's own intervals: a \
               small CEI of a large profile is urgent for one and not for the other.";
    let finding = Finding {
        claim: "Proposition 3: on P[1] (intervals of one chronon) M-EDF and MRSF are the same."
            .to_owned(),
        setup: vec![
            format!("{}; W = 0 for P[1], W = 2 for contrast.", base.command()),
            "Unequal sizes: every second CEI loses all but its first interval, if another CEI of \
             its profile keeps them."
                .to_owned(),
            "Counter-example: p0 = {{r0@0}, {r1@5, r2@6, r3@7}}, p1 = {{r4@0, r5@2}}, p2 = {{r6@2}}."
                .to_owned(),
        ],
        parts: vec![
            Part::plain(
                "the same where every CEI has its profile's rank",
                shares[0] >= 1.0,
                share(0),
            ),
            Part::plain("the same on P[1] with CEIs of unequal sizes", shares[1] >= 1.0, share(1))
                .because(why),
            Part::plain(
                "the same on the counter-example",
                (mrsf - m_edf).abs() < 0.5,
                format!("MRSF {}, M-EDF {} of 4", short(mrsf), short(m_edf)),
            )
            .because(why),
        ],
        ..Finding::default()
    };
    Ok(with_sweeps(finding, &[same, captured]))
}

/// The instance with every second CEI of each profile cut down to its first interval.
fn uneven(setting: &Setting, seed: u64) -> Result<Instance, LabError> {
    let whole = setting.instance(seed)?;
    let mut profiles = vec![RawProfile::new(); whole.profiles().len()];
    for cei in whole.ceis() {
        let own = &mut profiles[cei.profile as usize];
        let keep = if own.len() % 2 == 1 { 1 } else { usize::MAX };
        let number = |source: u32| whole.numbers()[source as usize];
        let eis = whole.eis()[cei.eis()].iter().take(keep);
        own.push(
            eis.map(|ei| (number(ei.source), u64::from(ei.start), u64::from(ei.finish))).collect(),
        );
    }
    build(profiles, whole.budget().to_vec())
}

/// Values of an EI under the three rules at chronon 10, after these probes (chronon, source).
fn values(ceis: RawProfile, probed: &[(u32, u32)], ei: usize) -> Result<[i64; 3], LabError> {
    let instance = build(vec![ceis], vec![1.0; 40])?;
    let mut state = State::new(&instance);
    for chronon in 0..=10 {
        state.enter(chronon);
        let now = probed.iter().filter(|probe| probe.0 == chronon).map(|probe| probe.1);
        state.apply(&now.collect::<Vec<_>>());
    }
    Ok([Kind::SEdf, Kind::Mrsf, Kind::MEdf]
        .map(|kind| Rule::new(kind, Preemption::On, DeadCeis::Drop).value(&state, ei)))
}

/// R4: the values of the papers' two examples.
///
/// # Errors
/// None that these instances cause.
pub fn r4(_: &Bench) -> Result<Finding, LabError> {
    let first = vec![vec![(0, 8, 14), (1, 16, 21), (2, 22, 27), (3, 28, 32)]];
    let begun = vec![vec![(0, 0, 2), (1, 3, 5), (2, 8, 14), (3, 20, 33)]];
    let fresh = vec![vec![(4, 9, 15), (5, 18, 22), (6, 24, 28)]];
    let found = [
        ("Example 1", values(first, &[], 0)?, [5, 4, 22]),
        ("Example 2, CEI 1", values(begun, &[(1, 0), (4, 1)], 2)?, [5, 2, 19]),
        ("Example 2, CEI 2", values(fresh, &[], 0)?, [6, 3, 16]),
    ];
    let places = Places::Names(found.iter().map(|row| row.0.to_owned()).collect());
    let mut sweep =
        Sweep::new("values at chronon 10", Axes { x: "", y: "value, smaller first" }, places);
    let mut finding = Finding {
        claim: "Example 1 has the values 5, 4, 22 under S-EDF, MRSF, M-EDF; Example 2 has 5 v 6, \
                2 v 3, 19 v 16: two rules take CEI 1, the third CEI 2."
            .to_owned(),
        setup: vec![
            "T = 10. Example 1: η = [8,14], [16,21], [22,27], [28,32]. Example 2: CEI 1, two of \
             four captured, left [8,14], [20,33]; CEI 2 [9,15], [18,22], [24,28]."
                .to_owned(),
            "A future interval counts its whole length in M-EDF (the paper's “T = 0”).".to_owned(),
        ],
        ..Finding::default()
    };
    let mut table = Table::new(&["", "S-EDF", "MRSF", "M-EDF", "expected"]);
    for (at, (name, values, expected)) in found.iter().enumerate() {
        for (rule, value) in ["S-EDF", "MRSF", "M-EDF"].iter().zip(values) {
            sweep.add(rule, at, *value as f64);
        }
        let [a, b, c] = values.map(|value| value.to_string());
        let wanted = expected.map(|value: i64| value.to_string()).join(", ");
        let got = format!("{a}, {b}, {c}");
        finding.parts.push(Part::plain(&format!("{name}: {wanted}"), values == expected, got));
        table.row(vec![(*name).to_owned(), a, b, c, wanted]);
    }
    finding = with_sweeps(finding, &[sweep]);
    finding.tables = vec![("values".to_owned(), table)];
    Ok(finding)
}
