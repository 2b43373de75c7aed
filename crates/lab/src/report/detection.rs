//! W1, W2, W4: WebVigiL's change detection graph, its two figures, what sharing saves, and threads.

mod detectors;
mod made;

use super::bench::Bench;
use super::figure::Places;
use super::finding::{Finding, Part};
use super::optimality::with_sweeps;
use super::sample::{exponent, short};
use super::speed::points;
use super::sweep::{Axes, Sweep};
use crate::cli::LabError;
use change::{Aspect, Leaf};
use chronon::{BlobId, Instant, SentinelId, SourceId, StreamId, VersionNo};
use detectors::{ALL, Outcome};
use graph::{Arrival, Due, Entry, Graph, Join, Limits, Outline, RoundId};
use made::Crowd;
use sentinel::ast::{self, Compare, Expr, Primitive};
use sim::cores::spread;
use std::time::Instant as Wall;

/// Comparisons of the graph grow at most as sentinels to this power, once every word is asked for.
const FLAT: f64 = 0.2;
/// Two threads on two cores count as faster from this share of one thread's time on.
const FASTER: f64 = 0.75;

/// The stream of the figures' page.
const STREAM: StreamId = StreamId(1);

/// One page whose sentinels are the figures'.
struct Figures {
    graph: Graph,
    newest: u32,
}

impl Figures {
    fn new() -> Figures {
        let mut graph = Graph::new(Limits::default());
        graph.stream_opened(STREAM, SourceId(1), vec![]);
        Figures { graph, newest: 0 }
    }

    fn join(&mut self, sentinel: u64, compare: Compare, monitor: &Expr) {
        let since = Instant::from_millis(i64::from(self.newest) * 1_000 + 500);
        let sentinel = SentinelId(sentinel);
        let join = Join { sentinel, stream: STREAM, compare, monitor, since, history: 1 };
        self.graph.joined(join, None);
    }

    /// A version comes; the round that is due, if one is.
    fn version(&mut self) -> Option<Due> {
        self.newest += 1;
        let fetched_at = Instant::from_millis(i64::from(self.newest) * 1_000);
        let version = VersionNo(self.newest);
        let arrival = Arrival { version, fetched_at, entry: Entry::Next { history: 0 } };
        let element = self.graph.element(STREAM, arrival);
        self.graph.due(RoundId { stream: STREAM, index: element.index })
    }

    /// Who hears of a round in which the leaves with one of these words hold, with how many
    /// combinations each.
    fn heard(&self, due: &Due, holding: &[&str]) -> Vec<(u64, usize)> {
        let hits = |leaf: &Leaf| {
            u32::from(leaf.change_type.terms.iter().any(|term| holding.contains(&term.as_str())))
        };
        let of = |comparison: &change::Comparison| comparison.leaves.iter().map(hits).collect();
        let comparisons = due.request.comparisons.iter().map(|it| Some(of(it))).collect();
        let closed =
            self.graph.close(&due.ticket, &Outline { result: BlobId::default(), comparisons });
        closed.heard.iter().map(|it| (it.sentinel.0, it.combinations.len())).collect()
    }
}

fn keyword(word: &str) -> Expr {
    let primitive = Primitive::of(Aspect::Keywords, [word]);
    Expr::Leaf(ast::Leaf { primitive, of: None, directions: vec![], matching: None })
}

/// The rounds of Figure 5.8: pairs of versions with who hears of them, and what S1 waits for.
fn figure_5_8(waits: &mut Sweep) -> Vec<(u32, u32, Vec<u64>)> {
    let mut page = Figures::new();
    let expr = keyword("fare");
    let mut rounds = Vec::new();
    for version in 0..=7_usize {
        if version > 0
            && let Some(due) = page.version()
        {
            let pair = &due.request.comparisons[0];
            let heard = page.heard(&due, &["fare"]).into_iter().map(|(id, _)| id).collect();
            rounds.push((pair.from.0, pair.to.0, heard));
        }
        // S1 comes before any version, S2 after the second, S3 after the fourth.
        if let Some(id) = [0, 2, 4].iter().position(|&at| at == version) {
            page.join(id as u64 + 1, Compare::Every(4), &expr);
        }
        for id in 1..=3 {
            if let Some(left) = page.graph.waits(SentinelId(id)) {
                waits.add(&format!("S{id}"), version, left as f64);
            }
        }
    }
    rounds
}

/// Who hears at t1, t2 and t3 of Figure 5.11, and when C3 holds too.
fn figure_5_11() -> Vec<Vec<(u64, usize)>> {
    let mut page = Figures::new();
    let [c1, c2, c3] = ["c1", "c2", "c3"].map(keyword);
    let either = Expr::Or(vec![c1.clone(), c2.clone()]);
    page.join(1, Compare::Pairwise, &either);
    page.join(2, Compare::Pairwise, &Expr::And(vec![c1, c2]));
    page.join(3, Compare::Pairwise, &Expr::And(vec![either, c3]));
    let _ = page.version();
    let mut heard = Vec::new();
    for holding in [&["c1"][..], &["c1", "c2"], &["c1", "c2", "c3"]] {
        let due = page.version().expect("three sentinels wait for a pair");
        heard.push(page.heard(&due, holding));
    }
    heard
}

/// W1: the two figures of the thesis.
///
/// # Errors
/// None.
pub fn w1(_: &Bench) -> Result<Finding, LabError> {
    let places = Places::Numbers((0..=7).map(f64::from).collect());
    let axes = Axes { x: "versions", y: "versions a sentinel waits for" };
    let mut waits = Sweep::new("Figure 5.8, every 4", axes, places);
    let rounds = figure_5_8(&mut waits);
    let wanted = vec![(1, 4, vec![1]), (2, 5, vec![2]), (4, 7, vec![1, 3])];
    let said = |(from, to, heard): &(u32, u32, Vec<u64>)| {
        let names: Vec<String> = heard.iter().map(|id| format!("S{id}")).collect();
        format!("({from}, {to}) for {}", names.join(" and "))
    };
    let listed = rounds.iter().map(said).collect::<Vec<_>>().join("; ");
    let first = "S1 and S3 share a group and compare (1, 4) and (4, 7), S2 compares (2, 5)";
    let told = figure_5_11();
    let combined = [vec![(1, 1)], vec![(1, 2), (2, 1)], vec![(1, 2), (2, 1), (3, 2)]];
    let heard = |round: &Vec<(u64, usize)>| {
        let each = round.iter().map(|(id, combinations)| format!("S{id} of {combinations}"));
        each.collect::<Vec<_>>().join(", ")
    };
    let heard = told.iter().map(heard).collect::<Vec<_>>().join("; ");
    let second = "C1 OR C2 hears at once, C1 AND C2 with both, AND C3 of two combinations";
    let finding = Finding {
        claim: "Figures 5.8 and 5.11: windows start at what is cached and are shared by phase; \
                each pair of versions tells the combinations that hold."
            .to_owned(),
        setup: vec![
            "Both figures are played through the graph that the server runs. A sentinel that \
             arrives when nothing is cached waits for four versions."
                .to_owned(),
        ],
        parts: vec![
            Part::plain(first, rounds == wanted, listed),
            Part::plain(second, told == combined, format!("combinations heard: {heard}")),
        ],
        ..Finding::default()
    };
    Ok(with_sweeps(finding, &[waits]))
}

/// W2: naive, hash and graph as sentinels grow.
///
/// # Errors
/// A made page that cannot be read.
pub fn w2(bench: &Bench) -> Result<Finding, LabError> {
    let counts: Vec<usize> = bench.pick(vec![5, 20], vec![10, 30, 100, 300, 1_000, 3_000]);
    let places = || Places::Numbers(counts.iter().map(|&n| n as f64).collect());
    let sweep = |title: &str, y: &str| Sweep::new(title, Axes { x: "sentinels", y }, places());
    let mut compared = sweep("comparisons", "comparisons per version");
    let mut kept = sweep("expressions", "conditions kept");
    let mut seconds = sweep("time", "seconds per version");
    let mut same = true;
    for (at, &count) in counts.iter().enumerate() {
        bench.on(&format!("{count} sentinels"));
        for seed in bench.seeds(1, 3) {
            let crowd = Crowd::new(seed, count, bench.pick(2, 4))?;
            let outcomes: Vec<Outcome> = ALL.iter().map(|&detector| detector.run(&crowd)).collect();
            same &= outcomes.iter().all(|outcome| outcome.told == outcomes[0].told);
            for (detector, outcome) in ALL.iter().zip(&outcomes) {
                let versions = crowd.rounds() as f64;
                compared.add(detector.name(), at, outcome.comparisons as f64 / versions);
                kept.add(detector.name(), at, outcome.kept as f64);
                seconds.add(detector.name(), at, outcome.seconds / versions);
            }
        }
    }
    let grows = exponent(&points(&compared, "graph")[counts.len() / 2..]);
    let last = counts.len() - 1;
    let times = |name: &str| short(seconds.mean(name, last) / seconds.mean("graph", last));
    let flat = Part::plain(
        "once its words are asked for, a version costs the graph what its comparisons cost",
        grows <= FLAT,
        format!("from the middle size on comparisons grow as sentinels^{}", short(grows)),
    );
    let parts = vec![
        Part::plain("all three tell the same sentinels of the same versions", same, String::new()),
        Part::above("naive computes more than hash", &compared.pairs("naive", "hash")),
        flat,
        Part::above("hash keeps more conditions than graph", &kept.pairs("hash", "graph")),
        Part::above("naive takes longer than graph", &seconds.pairs("naive", "graph"))
            .with(&format!("{} times at the largest size", times("naive"))),
        Part::above("hash takes longer than graph", &seconds.pairs("hash", "graph"))
            .with(&format!("{} times at the largest size", times("hash")))
            .because(
                "Both compute the same comparisons, which take most of the time; what the graph \
                 saves is conditions that are evaluated once for all who share them.",
            ),
    ];
    let finding = Finding {
        claim: "Grouping: a comparison per sentinel (naive), per page and type (hash), or shared \
                conditions as well (graph)."
            .to_owned(),
        setup: vec![
            made::DESCRIPTION.to_owned(),
            "Time is that of comparing and evaluating, in processor time where Linux tells it; \
             it differs from run to run."
                .to_owned(),
        ],
        parts,
        ..Finding::default()
    };
    let mut finding = with_sweeps(finding, &[compared, kept, seconds]);
    let panels = std::mem::take(&mut finding.figure.panels);
    finding.figure.panels = panels.into_iter().map(|panel| panel.log_x().log_y()).collect();
    Ok(finding)
}

/// W4: threads over different pages.
///
/// # Errors
/// A made page that cannot be read.
pub fn w4(bench: &Bench) -> Result<Finding, LabError> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = [1, 2, 4];
    let crowds: Result<Vec<Crowd>, LabError> = (0..bench.pick(4, 16))
        .map(|page| Crowd::new(bench.seed.wrapping_add(page), bench.pick(10, 200), 1))
        .collect();
    let crowds = crowds?;
    let axes = Axes { x: "threads", y: "seconds" };
    let places = Places::Numbers(threads.iter().map(|&n| f64::from(n)).collect());
    let mut sweep = Sweep::new("time of all pages", axes, places);
    for _ in bench.seeds(2, 7) {
        for (at, &jobs) in threads.iter().enumerate() {
            bench.on(&format!("{jobs} threads"));
            let began = Wall::now();
            let told = spread(jobs as usize, &crowds, |crowd| ALL[2].run(crowd).told.len());
            debug_assert_eq!(told.len(), crowds.len());
            sweep.add("graph", at, began.elapsed().as_secs_f64());
        }
    }
    // Other work on the machine only ever adds: the least of the repetitions is compared.
    let least = |at: usize| sweep.at("graph", at).iter().copied().fold(f64::INFINITY, f64::min);
    let shares: Vec<String> = (1..threads.len()).map(|at| short(least(at) / least(0))).collect();
    let statement = "two threads take at most three quarters of the time of one";
    let part = if cores < 2 {
        Part::under(statement, &[])
    } else {
        let text = format!(
            "two and four threads take {} of the time of one, on {cores} cores",
            shares.join(" and ")
        );
        Part::plain(statement, least(1) <= FASTER * least(0), text)
    };
    let finding = Finding {
        claim: "Change detection speeds up with threads over different sources.".to_owned(),
        setup: vec![
            made::DESCRIPTION.to_owned(),
            "Pages are independent: each thread takes the next one. Wall time; it differs from \
             run to run and from machine to machine."
                .to_owned(),
        ],
        parts: vec![part],
        ..Finding::default()
    };
    Ok(with_sweeps(finding, &[sweep]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_detectors_tell_the_same_whatever_they_share() {
        for seed in 0..6 {
            let crowd = Crowd::new(seed, 60, 2).expect("a made page is sound");
            let [naive, hash, graph] = ALL.map(|detector| detector.run(&crowd));
            assert!(!naive.told.is_empty(), "nothing was told");
            assert_eq!(naive.told, hash.told, "seed {seed}");
            assert_eq!(naive.told, graph.told, "seed {seed}");
            assert!(naive.comparisons > hash.comparisons);
            assert_eq!(hash.comparisons, graph.comparisons, "both compare by page and type");
            assert!(graph.kept < hash.kept);
        }
    }
}
