//! What sharing saves: `cargo run --release -p graph --example measure [SENTINELS [STREAMS]]`.
//!
//! Joins sentinels to streams, lets a version enter every stream a few times, and prints time,
//! memory and comparisons; beside them how many there would be without any sharing.

#![allow(clippy::disallowed_methods, reason = "an example is a shell: it reads the clock")]

use chronon::{BlobId, Instant, SentinelId, SourceId, StreamId, VersionNo};
use graph::{Arrival, Entry, Graph, Join, Limits, Outline, RoundId};
use sentinel::ast::{Aspect, Compare, Expr, Leaf, Primitive};

const ROUNDS: u32 = 10;

/// A fixed sequence of numbers that look random (Knuth's MMIX generator).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        let (a, c) = (6_364_136_223_846_793_005, 1_442_695_040_888_963_407);
        self.0 = self.0.wrapping_mul(a).wrapping_add(c);
        (self.0 >> 33) % end
    }
}

fn leaf(numbers: &mut Numbers) -> Expr {
    let word = |numbers: &mut Numbers| format!("word{}", numbers.below(20_000));
    let primitive = match numbers.below(10) {
        0..=1 => Primitive::plain(Aspect::Any),
        2..=3 => Primitive::plain(Aspect::Links),
        4 => Primitive::plain(Aspect::Images),
        5 => Primitive::of(Aspect::Words, vec!["the".to_owned(), "visitors".to_owned()]),
        6 => Primitive::of(Aspect::Phrases, vec![format!("{} {}", word(numbers), word(numbers))]),
        _ => Primitive::of(Aspect::Keywords, vec![word(numbers), word(numbers)]),
    };
    Expr::Leaf(Leaf { primitive, of: None, directions: vec![], matching: None })
}

fn monitor(numbers: &mut Numbers) -> Expr {
    match numbers.below(4) {
        0 => Expr::And(vec![leaf(numbers), leaf(numbers)]),
        1 => Expr::Or(vec![leaf(numbers), Expr::Not(Box::new(leaf(numbers)))]),
        _ => leaf(numbers),
    }
}

fn compare(numbers: &mut Numbers) -> Compare {
    match numbers.below(10) {
        0 => Compare::Every(4),
        1 => Compare::Moving(3),
        _ => Compare::Pairwise,
    }
}

fn leaves(expr: &Expr) -> u64 {
    match expr {
        Expr::Leaf(_) => 1,
        Expr::Not(operand) => leaves(operand),
        Expr::And(operands) | Expr::Or(operands) => operands.iter().map(leaves).sum(),
    }
}

/// Resident memory in bytes; `None` where the system does not say.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1_024)
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default| arguments.next().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (sentinels, streams): (u32, u32) = (number(100_000), number(1_000));
    let mut numbers = Numbers(7);
    let mut graph = Graph::new(Limits::default());
    let before = resident();
    let start = std::time::Instant::now();
    for stream in 0..streams {
        graph.stream_opened(StreamId(stream.into()), SourceId(stream), vec![]);
    }
    let mut leaves_total = 0;
    for sentinel in 0..sentinels {
        let (monitor, compare) = (monitor(&mut numbers), compare(&mut numbers));
        leaves_total += leaves(&monitor);
        let stream = StreamId(numbers.below(u64::from(streams)));
        let since = Instant::EPOCH;
        let sentinel = SentinelId(u64::from(sentinel));
        let join = Join { sentinel, stream, compare, monitor: &monitor, since, history: 1 };
        graph.joined(join, None);
    }
    let joined = start.elapsed();
    println!("{:?}", graph.sizes());
    println!("join   {:>9.0} ns a sentinel", joined.as_nanos() as f64 / f64::from(sentinels));
    if let (Some(before), Some(after)) = (before, resident()) {
        let bytes = after.saturating_sub(before) as f64;
        println!("memory {:>9.0} B a sentinel, streams included", bytes / f64::from(sentinels));
    }
    rounds(&mut graph, streams, &mut numbers);
    println!("unshared: {leaves_total} comparisons when all windows are due");
    let start = std::time::Instant::now();
    (0..sentinels).for_each(|sentinel| graph.left(SentinelId(u64::from(sentinel))));
    let left = start.elapsed().as_nanos() as f64 / f64::from(sentinels);
    println!("leave  {left:>9.0} ns a sentinel");
    println!("{:?}", graph.sizes());
}

/// Lets a version enter every stream, and again; one leaf in five holds.
fn rounds(graph: &mut Graph, streams: u32, numbers: &mut Numbers) {
    for version in 1..=ROUNDS {
        let (mut comparisons, mut leaves, mut told) = (0, 0, 0);
        let (mut asking, mut closing) = (std::time::Duration::ZERO, std::time::Duration::ZERO);
        for stream in (0..u64::from(streams)).map(StreamId) {
            let fetched_at = Instant::from_millis(i64::from(version));
            let entry = Entry::Next { history: 0 };
            let arrival = Arrival { version: VersionNo(version), fetched_at, entry };
            let index = graph.element(stream, arrival).index;
            let start = std::time::Instant::now();
            let due = graph.due(RoundId { stream, index });
            asking += start.elapsed();
            let Some(due) = due else { continue };
            let mut hits = |_: &change::Leaf| u32::from(numbers.below(5) == 0);
            let outline = Outline {
                result: BlobId::default(),
                comparisons: (due.request.comparisons.iter())
                    .map(|comparison| Some(comparison.leaves.iter().map(&mut hits).collect()))
                    .collect(),
            };
            let start = std::time::Instant::now();
            told += graph.close(&due.ticket, &outline).heard.len();
            closing += start.elapsed();
            comparisons += due.request.comparisons.len();
            leaves += due.request.comparisons.iter().map(|c| c.leaves.len()).sum::<usize>();
        }
        let micros =
            |time: std::time::Duration| time.as_secs_f64() * 1e6 / f64::from(streams.max(1));
        println!(
            "round {version:>2}: {comparisons} comparisons, {leaves} leaves, {told} told; \
             due {:.1} µs, close {:.1} µs a stream",
            micros(asking),
            micros(closing)
        );
    }
}
