//! R5, R6, R8 to R11: how the papers' policies compare where loads and tastes vary.

use super::auctions::{Contender, Heading, RULES, Setting, Varied, completeness};
use super::bench::Bench;
use super::finding::{Finding, Pair, Part};
use super::optimality::with_sweeps;
use super::sample::short;
use super::sweep::Sweep;
use crate::cli::LabError;
use crate::completeness::generate::Window;
use policies::completeness::Preemption::Off;
use policies::completeness::rules::Kind;

const S_EDF_NP: Contender = Contender::Rule(Kind::SEdf, Off);
const MRSF_NP: Contender = Contender::Rule(Kind::Mrsf, Off);
const M_EDF_NP: Contender = Contender::Rule(Kind::MEdf, Off);

/// Budgets 1 … 5 of one setting.
fn budgets(setting: &Setting) -> Varied {
    (1..=5).map(|c| (f64::from(c), Setting { budget: f64::from(c), ..setting.clone() })).collect()
}

/// How often, for the set-up.
fn repetitions(seeds: &[u64]) -> String {
    format!("{} repetitions; `gain`: the first {}.", seeds.len(), seeds.len().div_ceil(2))
}

/// The largest relative difference of two series at a place, as text.
fn apart(sweep: &Sweep, a: &str, b: &str, place: usize) -> String {
    let (a_mean, b_mean) = (sweep.mean(a, place), sweep.mean(b, place));
    let share = (a_mean - b_mean) / a_mean.min(b_mean);
    format!("{:+.1} %", 100.0 * share)
}

/// R5, Figure 6: preemption.
///
/// # Errors
/// None that these parameters cause.
pub fn r5(bench: &Bench) -> Result<Finding, LabError> {
    let base = Setting::baseline(bench).with(|p| {
        p.sources = bench.pick(60, 400);
        p.window = Window::Chronons(bench.pick(6, 20));
    });
    let all = [RULES[0], S_EDF_NP, RULES[1], MRSF_NP, RULES[2], M_EDF_NP, Contender::Gain];
    let seeds = bench.seeds(2, 6);
    let mut sweeps = Vec::new();
    for m in bench.pick([10, 30], [100, 300]) {
        let varied = budgets(&base.with(|p| p.profiles = m));
        let x = "C, probes per chronon";
        let title = format!("m = {m}");
        let heading = Heading::new(&title, x);
        sweeps.push(completeness(bench, &seeds, heading, &varied, &all)?);
    }
    let pairs = |a: &'static str, b: &'static str, some: &dyn Fn(usize) -> bool| {
        let of = |sweep| named_pairs(sweep, a, b, some);
        sweeps.iter().flat_map(of).collect::<Vec<_>>()
    };
    let (one, more, any) = (|at: usize| at == 0, |at: usize| at > 0, |_: usize| true);
    let s_edf = "At C = 1 preemption helps while most CEIs can be captured and makes no clear \
                 difference under heavier loads (last panel); single instances show either sign.";
    let spread = |sweep: &Sweep| {
        let each = [("MRSF(P)", "MRSF(NP)"), ("M-EDF(P)", "M-EDF(NP)"), ("S-EDF(P)", "S-EDF(NP)")];
        let texts = each.map(|(p, np)| format!("{p} {}", apart(sweep, p, np, 1)));
        format!("{}: {}", sweep.panel, texts.join(", "))
    };
    let at_two: Vec<String> = sweeps.iter().map(spread).collect();
    let largest = sweeps.iter().map(|sweep| widest(sweep, 1)).fold(0.0, f64::max);
    let loads = bench.pick(vec![10, 40], vec![50, 100, 200, 300, 500, 1000, 2000]);
    let varied: Varied =
        loads.iter().map(|&m| (f64::from(m), base.with(|p| p.profiles = m))).collect();
    let two = [RULES[0], S_EDF_NP];
    let load = completeness(bench, &seeds, Heading::new("C = 1", "m, profiles"), &varied, &two)?;
    let finding = Finding {
        claim: "Figure 6: S-EDF is better non-preemptive at C = 1 and preemptive at C > 1; MRSF \
                and M-EDF are better preemptive; the difference is up to 20 % (C = 2)."
            .to_owned(),
        setup: vec![
            format!("{} … 5, m = {}.", base.command(), bench.pick("10, 30", "100, 300")),
            format!("Last panel: C = 1, m = {}.", join(&loads)),
            repetitions(&seeds),
        ],
        parts: vec![
            Part::above("S-EDF(NP) above S-EDF(P) at C = 1", &pairs("S-EDF(NP)", "S-EDF(P)", &one))
                .because(s_edf),
            Part::above(
                "the same at C = 1 under other loads",
                &load.pairs("S-EDF(NP)", "S-EDF(P)"),
            )
            .because(s_edf),
            Part::above(
                "S-EDF(P) above S-EDF(NP) at C > 1",
                &pairs("S-EDF(P)", "S-EDF(NP)", &more),
            )
            .because(s_edf),
            Part::above("MRSF(P) above MRSF(NP)", &pairs("MRSF(P)", "MRSF(NP)", &any)),
            Part::above("M-EDF(P) above M-EDF(NP)", &pairs("M-EDF(P)", "M-EDF(NP)", &any)),
            Part::plain(
                "at C = 2 preemption changes completeness by no more than about 20 %",
                largest <= 0.25,
                format!("preemptive against not, {}", at_two.join("; ")),
            )
            .because("How much preemption matters grows with the load; the paper shows one load."),
        ],
        ..Finding::default()
    };
    sweeps.push(load);
    let mut finding = with_sweeps(finding, &sweeps);
    finding.figure.panels[2] = finding.figure.panels[2].clone().log_x();
    Ok(finding)
}

/// The largest relative difference that preemption makes at a place, over the rules.
fn widest(sweep: &Sweep, place: usize) -> f64 {
    let each = [("MRSF(P)", "MRSF(NP)"), ("M-EDF(P)", "M-EDF(NP)"), ("S-EDF(P)", "S-EDF(NP)")];
    let one = |(p, np): (&str, &str)| {
        let (a, b) = (sweep.mean(p, place), sweep.mean(np, place));
        (a - b).abs() / a.min(b)
    };
    each.into_iter().map(one).fold(0.0, f64::max)
}

/// Pairs at some places, named with the panel.
fn named_pairs<'a>(
    sweep: &'a Sweep,
    a: &str,
    b: &str,
    some: &dyn Fn(usize) -> bool,
) -> Vec<Pair<'a>> {
    let pairs = sweep.pairs(a, b).into_iter().enumerate().filter(|pair| some(pair.0));
    pairs.map(|(_, (at, a, b))| (format!("{} ({})", at, sweep.panel), a, b)).collect()
}

/// R6, Figure 7: ranks.
///
/// # Errors
/// None that these parameters cause.
pub fn r6(bench: &Bench) -> Result<Finding, LabError> {
    let base =
        Setting::baseline(bench).with(|p| (p.window, p.exact_rank) = (Window::Chronons(0), true));
    let seeds = bench.seeds(2, 10);
    let varied: Varied = (1..=5).map(|k| (f64::from(k), base.with(|p| p.rank = k))).collect();
    let all = [
        RULES[1],
        RULES[2],
        RULES[0],
        Contender::Wic,
        Contender::Offline,
        Contender::Packing,
        Contender::Gain,
        Contender::Bound,
        Contender::SingleEi,
    ];
    let x = "k, exact rank of the profiles";
    let title = format!("m = {}", base.params.profiles);
    let ranks = completeness(bench, &seeds, Heading::new(&title, x), &varied, &all)?;
    let loads = bench.pick(vec![2, 20], vec![2, 5, 10, 20, 50, 100]);
    let at_five = base.with(|p| p.rank = 5);
    let varied: Varied =
        loads.iter().map(|&m| (f64::from(m), at_five.with(|p| p.profiles = m))).collect();
    let some = [RULES[1], RULES[2], Contender::Offline, Contender::Gain, Contender::SingleEi];
    let x = "m, profiles";
    let load = completeness(bench, &seeds, Heading::new("rank 5", x), &varied, &some)?;
    let finding = Finding {
        claim: "Figure 7: with ranks 1–5 on P[1] and C = 1, MRSF(P) = M-EDF(P) is above the \
                offline approximation (by up to 10 %), S-EDF and WIC; S-EDF is above WIC; it \
                reaches at least 77 % of the single-EI upper bound at rank 5."
            .to_owned(),
        setup: vec![
            format!("{}, rank 1 … 5.", base.command()),
            format!("Right: rank 5, m = {}.", join(&loads)),
            repetitions(&seeds),
            "`offline` is fractional local ratio as published (Bar-Yehuda et al. 2006), with an \
             optimal fractional solution; `single-EI bound`: the most EIs that C = 1 can capture, \
             as a share of all EIs."
                .to_owned(),
        ],
        parts: rank_parts(&ranks, &load),
        ..Finding::default()
    };
    let mut finding = with_sweeps(finding, &[ranks, load]);
    finding.figure.panels[1] = finding.figure.panels[1].clone().log_x();
    Ok(finding)
}

fn join(all: &[u32]) -> String {
    all.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

fn rank_parts(ranks: &Sweep, load: &Sweep) -> Vec<Part> {
    let count = ranks.places.len();
    let alike: Vec<(String, bool)> = (0..count)
        .map(|at| (ranks.place(at), ranks.at("MRSF(P)", at) == ranks.at("M-EDF(P)", at)))
        .collect();
    let ratios = |a: &str, b: &str| {
        let each = (0..count).map(|at| short(ranks.mean(a, at) / ranks.mean(b, at)));
        format!("{a} ÷ {b}: {}", each.collect::<Vec<_>>().join(", "))
    };
    let share =
        |sweep: &Sweep, at: usize| sweep.mean("MRSF(P)", at) / sweep.mean("single-EI bound", at);
    let last = count - 1;
    let loads: Vec<(String, bool)> =
        (0..load.places.len()).map(|at| (load.place(at), share(load, at) >= 0.77)).collect();
    let shares = (0..load.places.len()).map(|at| short(share(load, at)));
    let shares = shares.collect::<Vec<_>>().join(", ");
    vec![
        Part::under("MRSF(P) = M-EDF(P)", &alike),
        Part::above("MRSF(P) above the offline approximation", &ranks.pairs("MRSF(P)", "offline"))
            .with(&ratios("MRSF(P)", "offline"))
            .because(
                "The offline algorithm knows the whole future, and here it rounds an optimal \
                 fractional solution; an online rule knows only what has begun.",
            ),
        Part::above("MRSF(P) above S-EDF(P)", &ranks.pairs("MRSF(P)", "S-EDF(P)"))
            .because("At rank 1 both rules choose by the same ties."),
        Part::above("MRSF(P) above WIC", &ranks.pairs("MRSF(P)", "WIC")),
        Part::above("S-EDF(P) above WIC", &ranks.pairs("S-EDF(P)", "WIC")),
        Part::plain(
            "MRSF(P) reaches 77 % of the single-EI bound at rank 5",
            share(ranks, last) >= 0.77,
            format!("{} of it", short(share(ranks, last))),
        )
        .because(
            "The share depends on the load: with few profiles everything is captured, with many \
             the bound counts single intervals that belong to no CEI that could be completed.",
        ),
        Part::under("the same at other loads", &loads)
            .with(&format!("shares {shares}"))
            .because("It holds where the budget nearly suffices."),
    ]
}

/// The contenders of Figures 9 to 11, and ours.
const THREE: [Contender; 4] = [RULES[1], RULES[2], S_EDF_NP, Contender::Gain];

/// R8, Figure 9: update intensity.
///
/// # Errors
/// None that these parameters cause.
pub fn r8(bench: &Bench) -> Result<Finding, LabError> {
    let base = Setting::baseline(bench);
    let seeds = bench.seeds(2, 10);
    let intensities = bench.pick([2.0, 4.0, 6.0, 8.0, 10.0], [10.0, 20.0, 30.0, 40.0, 50.0]);
    let varied: Varied = intensities.map(|l| (l, base.with(|p| p.intensity = Some(l)))).to_vec();
    let x = "λ, updates of a source over all chronons";
    let sweep = completeness(bench, &seeds, Heading::new("update intensity", x), &varied, &THREE)?;
    let finding = Finding {
        claim: "Figure 9: completeness falls with λ; MRSF(P) is slightly above M-EDF(P), both far \
                above S-EDF(NP)."
            .to_owned(),
        setup: vec![
            format!("{}, λ = {}.", base.command(), intensities.map(short).join(", ")),
            repetitions(&seeds),
        ],
        parts: vec![
            sweep.falls("MRSF(P)", "completeness falls with λ: MRSF(P)", 1.0),
            sweep.falls("S-EDF(NP)", "completeness falls with λ: S-EDF(NP)", 1.0),
            Part::above("MRSF(P) above M-EDF(P)", &sweep.pairs("MRSF(P)", "M-EDF(P)")).because(
                "With windows of equal length the chronons left of a CEI order the candidates \
                 nearly as the number of intervals left does.",
            ),
            far_above(&sweep, "MRSF(P)", "S-EDF(NP)"),
            far_above(&sweep, "M-EDF(P)", "S-EDF(NP)"),
        ],
        ..Finding::default()
    };
    Ok(with_sweeps(finding, &[sweep]))
}

/// “Far above”: at least a tenth more at every place.
fn far_above(sweep: &Sweep, a: &str, b: &str) -> Part {
    let ratio = |at: usize| sweep.mean(a, at) / sweep.mean(b, at);
    let conditions: Vec<(String, bool)> =
        (0..sweep.places.len()).map(|at| (sweep.place(at), ratio(at) >= 1.1)).collect();
    let ratios: Vec<String> = (0..sweep.places.len()).map(|at| short(ratio(at))).collect();
    Part::under(&format!("{a} far (10 % or more) above {b}"), &conditions)
        .with(&format!("ratios {}", ratios.join(", ")))
        .because("Where the budget suffices for most CEIs the order matters less.")
}

/// R9, Figure 10: preferences.
///
/// # Errors
/// None that these parameters cause.
pub fn r9(bench: &Bench) -> Result<Finding, LabError> {
    let base = Setting::baseline(bench);
    let seeds = bench.seeds(2, 10);
    let exponents = [0.0, 0.5, 1.0, 1.5, 2.0];
    let alphas: Varied = exponents.map(|a| (a, base.with(|p| p.alpha = a))).to_vec();
    let betas: Varied = exponents.map(|b| (b, base.with(|p| p.beta = b))).to_vec();
    let x = "α, exponent of the preference for sources";
    let alpha = completeness(bench, &seeds, Heading::new("popular sources", x), &alphas, &THREE)?;
    let x = "β, exponent of the preference for small ranks";
    let beta = completeness(bench, &seeds, Heading::new("small profiles", x), &betas, &THREE)?;
    let mut parts = Vec::new();
    for (sweep, letter) in [(&alpha, "α"), (&beta, "β")] {
        for contender in [RULES[1], RULES[2], S_EDF_NP] {
            let name = contender.name();
            let statement = format!("completeness rises with {letter}: {name}");
            parts.push(sweep.falls(name, &statement, -1.0));
        }
    }
    let finding = Finding {
        claim: "Figure 10: completeness rises with α (profiles share popular sources) and with β \
                (profiles are small)."
            .to_owned(),
        setup: vec![
            format!("{}; α, β = {}.", base.command(), exponents.map(short).join(", ")),
            repetitions(&seeds),
        ],
        parts,
        ..Finding::default()
    };
    Ok(with_sweeps(finding, &[alpha, beta]))
}

/// R10, Figure 11: budget.
///
/// # Errors
/// None that these parameters cause.
pub fn r10(bench: &Bench) -> Result<Finding, LabError> {
    let base = Setting::baseline(bench);
    let seeds = [bench.seeds(2, 10), bench.seeds(2, 4)];
    let x = "C, probes per chronon";
    let mut sweeps = Vec::new();
    for (m, seeds) in bench.pick([20, 40], [100, 300]).into_iter().zip(&seeds) {
        let varied = budgets(&base.with(|p| p.profiles = m));
        let title = format!("m = {m}");
        sweeps.push(completeness(bench, seeds, Heading::new(&title, x), &varied, &THREE)?);
    }
    let rise = |sweep: &Sweep, name: &str| {
        sweep.falls(name, &format!("completeness rises with C ({}): {name}", sweep.panel), -1.0)
    };
    let mut parts = Vec::new();
    for sweep in &sweeps {
        parts.push(rise(sweep, "MRSF(P)").because(SATURATED));
        parts.push(rise(sweep, "S-EDF(NP)").because(SATURATED));
    }
    parts.extend(sweeps.iter().map(fastest));
    let finding = Finding {
        claim: "Figure 11: completeness rises with C, fastest for MRSF(P).".to_owned(),
        setup: vec![
            format!("{} … 5, m = {}.", base.command(), bench.pick("20, 40", "100, 300")),
            format!("m = {}: {}", bench.pick(20, 100), repetitions(&seeds[0])),
            format!("m = {}: {}", bench.pick(40, 300), repetitions(&seeds[1])),
        ],
        parts,
        ..Finding::default()
    };
    Ok(with_sweeps(finding, &sweeps))
}

const SATURATED: &str = "Where everything is captured nothing rises.";

/// Whether MRSF(P) gains more than the others with each further probe, while it captures less than
/// 95 %.
fn fastest(sweep: &Sweep) -> Part {
    let gained = |name: &str, at: usize| -> Vec<f64> {
        let (before, after) = (sweep.at(name, at - 1), sweep.at(name, at));
        after.iter().zip(before).map(|(after, before)| after - before).collect()
    };
    let mut gains = Vec::new();
    for at in (1..sweep.places.len()).filter(|&at| sweep.mean("MRSF(P)", at) < 0.95) {
        let own = gained("MRSF(P)", at);
        for other in ["M-EDF(P)", "S-EDF(NP)"] {
            let place = format!("{} ({other})", sweep.place(at));
            gains.push((place, own.clone(), gained(other, at)));
        }
    }
    let pairs: Vec<Pair<'_>> = gains
        .iter()
        .map(|(at, own, other)| (at.clone(), own.as_slice(), other.as_slice()))
        .collect();
    Part::above(&format!("MRSF(P) gains most by one more probe ({})", sweep.panel), &pairs).because(
        "Where the budget nears what is needed MRSF(P) has less left to gain than S-EDF(NP), \
         which begins lower; MRSF(P) and M-EDF(P) are nearly one.",
    )
}

/// R11: rank 1 with W = 0, number of profiles, and who is above S-EDF.
///
/// # Errors
/// None that these parameters cause.
pub fn r11(bench: &Bench) -> Result<Finding, LabError> {
    let seeds = bench.seeds(2, 10);
    let single = Setting::baseline(bench).with(|p| {
        (p.rank, p.window, p.no_overlap) = (1, Window::Chronons(0), true);
    });
    let shared = single.with(|p| {
        (p.no_overlap, p.sources) = (false, bench.pick(20, 100));
    });
    let x = "C, probes per chronon";
    let all = [RULES[0], Contender::Wic, Contender::Gain, Contender::Bound];
    let apart = completeness(
        bench,
        &seeds,
        Heading::new("rank 1, W = 0, no overlap", x),
        &budgets(&single),
        &all,
    )?;
    let overlap = completeness(
        bench,
        &seeds,
        Heading::new("rank 1, W = 0, overlap", x),
        &budgets(&shared),
        &all,
    )?;
    let base = Setting::baseline(bench);
    let counts = bench.pick(vec![10, 30], vec![20, 50, 100, 200, 500]);
    let some = [RULES[0], RULES[1], RULES[2], Contender::Gain];
    let mut sweeps = vec![apart, overlap];
    for c in [1.0, 3.0] {
        let at = |&m: &u32| {
            let setting = Setting { budget: c, ..base.with(|p| p.profiles = m) };
            (f64::from(m), setting)
        };
        let varied: Varied = counts.iter().map(at).collect();
        let title = format!("rank ≤ 3, C = {c}");
        sweeps.push(completeness(
            bench,
            &seeds,
            Heading::new(&title, "m, profiles"),
            &varied,
            &some,
        )?);
    }
    let finding = Finding {
        claim: "S-EDF and WIC are optimal for rank 1, W = 0 without overlap; completeness falls \
                with the number of profiles; MRSF and M-EDF are “typically” above S-EDF."
            .to_owned(),
        setup: vec![
            format!("No overlap: {} … 5.", single.command()),
            format!("Overlap: {} … 5.", shared.command()),
            format!("Profiles: {}, C = 1 and 3, m = {}.", base.command(), join(&counts)),
            repetitions(&seeds),
        ],
        parts: load_parts(&sweeps),
        ..Finding::default()
    };
    let mut finding = with_sweeps(finding, &sweeps);
    for at in [2, 3] {
        finding.figure.panels[at] = finding.figure.panels[at].clone().log_x();
    }
    Ok(finding)
}

fn load_parts(sweeps: &[Sweep]) -> Vec<Part> {
    let optimal = |sweep: &Sweep, name: &str, statement: &str| {
        let reaches = |at: usize| {
            let (own, bound) = (sweep.at(name, at), sweep.at("LP bound", at));
            own.iter().zip(bound).all(|(own, bound)| *own >= bound * (1.0 - 1e-5))
        };
        let each = 0..sweep.places.len();
        let conditions: Vec<_> = each.clone().map(|at| (sweep.place(at), reaches(at))).collect();
        let shares = each.map(|at| short(sweep.mean(name, at) / sweep.mean("LP bound", at)));
        Part::under(statement, &conditions)
            .with(&format!("share of the bound {}", shares.collect::<Vec<_>>().join(", ")))
    };
    let overlap = "With overlap one probe captures the intervals of several profiles: the count \
                   matters, which S-EDF does not see and WIC counts once per update.";
    let above = |a: &str| {
        let pairs: Vec<Pair<'_>> =
            sweeps[2..].iter().flat_map(|s| named_pairs(s, a, "S-EDF(P)", &|_| true)).collect();
        Part::above(&format!("{a} above S-EDF(P)"), &pairs).because(
            "Where the budget is ample nearly everything can be captured, and what is lost is \
             lost to deadlines: S-EDF sees those, the others do not.",
        )
    };
    vec![
        optimal(&sweeps[0], "S-EDF(P)", "S-EDF is optimal without overlap"),
        optimal(&sweeps[0], "WIC", "WIC is optimal without overlap"),
        optimal(&sweeps[1], "S-EDF(P)", "S-EDF is optimal with overlap").because(overlap),
        optimal(&sweeps[1], "WIC", "WIC is optimal with overlap").because(overlap),
        sweeps[2].falls("MRSF(P)", "completeness falls with the number of profiles", 1.0),
        above("MRSF(P)"),
        above("M-EDF(P)"),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::figure::Places;
    use super::super::finding::Verdict::{self, Fails, Holds};
    use super::*;
    use crate::report::sweep::Axes;

    /// Two ranks, three repetitions, these means.
    fn ranks(means: &[(&str, f64)]) -> Sweep {
        let places = Places::Numbers(vec![4.0, 5.0]);
        let mut sweep = Sweep::new("p", Axes { x: "k, rank", y: "share" }, places);
        for (name, mean) in means {
            for at in 0..2 {
                [0.0, 0.001, 0.002].iter().for_each(|more| sweep.add(name, at, mean + more));
            }
        }
        sweep
    }

    fn verdicts(parts: &[Part]) -> Vec<Verdict> {
        parts.iter().map(|part| part.verdict).collect()
    }

    #[test]
    fn verdicts_on_ranks_follow_from_the_numbers() {
        let names = ["MRSF(P)", "M-EDF(P)", "offline", "S-EDF(P)", "WIC", "single-EI bound"];
        let with = |values: [f64; 6]| {
            let means: Vec<(&str, f64)> = names.into_iter().zip(values).collect();
            let sweep = ranks(&means);
            verdicts(&rank_parts(&sweep, &sweep))
        };
        assert_eq!(with([0.5, 0.5, 0.4, 0.3, 0.2, 0.6]), [Holds; 7]);
        assert_eq!(with([0.1, 0.2, 0.4, 0.3, 0.35, 0.6]), [Fails; 7]);
    }

    #[test]
    fn verdicts_on_loads_follow_from_the_numbers() {
        let with = |own: f64, others: [f64; 2]| {
            let means = [("S-EDF(P)", own), ("WIC", own), ("LP bound", 0.8)];
            let first = ranks(&means);
            let mut second = ranks(&[("S-EDF(P)", 0.5), ("M-EDF(P)", 0.6 + own - 0.8)]);
            for (at, other) in others.iter().enumerate() {
                [0.0, 0.001, 0.002].iter().for_each(|m| second.add("MRSF(P)", at, other + m));
            }
            verdicts(&load_parts(&[first.clone(), first, second]))
        };
        assert_eq!(with(0.8, [0.7, 0.6]), [Holds; 7]);
        assert_eq!(with(0.6, [0.3, 0.4]), [Fails; 7]);
    }

    #[test]
    fn the_fastest_gains_more_at_each_step() {
        let with = |steps: [f64; 3]| {
            let mut sweep = ranks(&[("MRSF(P)", 0.2), ("M-EDF(P)", 0.2), ("S-EDF(NP)", 0.2)]);
            for (row, step) in sweep.series.iter_mut().zip(steps) {
                row.1[1].iter_mut().enumerate().for_each(|(i, v)| *v += step + 0.001 * i as f64);
            }
            fastest(&sweep).verdict
        };
        assert_eq!(with([0.5, 0.4, 0.3]), Holds);
        assert_eq!(with([0.3, 0.4, 0.5]), Fails);
        assert_eq!(with([0.4, 0.3, 0.5]), Verdict::InPart);
    }

    #[test]
    fn far_above_is_a_tenth() {
        let near = ranks(&[("a", 0.5), ("b", 0.48)]);
        let far = ranks(&[("a", 0.6), ("b", 0.48)]);
        assert_eq!(far_above(&near, "a", "b").verdict, Fails);
        assert_eq!(far_above(&far, "a", "b").verdict, Holds);
        assert!(
            (widest(
                &ranks(&[
                    ("MRSF(P)", 0.6),
                    ("MRSF(NP)", 0.5),
                    ("M-EDF(P)", 0.5),
                    ("M-EDF(NP)", 0.5),
                    ("S-EDF(P)", 0.5),
                    ("S-EDF(NP)", 0.5),
                ]),
                1
            ) - 0.2)
                .abs()
                < 0.01
        );
    }
}
