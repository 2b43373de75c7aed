use chronon::{HostId, Instant, SourceId, Span};
use schedule::rate::Learner;
use schedule::{CeiId, Config, EiId, Event, Outcome, Pick, Scheduler, SourceRecord};

struct Rng(u64);
impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}
fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/self/schedstat").unwrap();
    s.split_whitespace().next().unwrap().parse::<f64>().unwrap() / 1e9
}
fn rss() -> f64 {
    let s = std::fs::read_to_string("/proc/self/status").unwrap();
    let l = s.lines().find_map(|l| l.strip_prefix("VmRSS:")).unwrap();
    l.split_whitespace().next().unwrap().parse::<f64>().unwrap() * 1024.0
}
const T0: i64 = 1_800_000_000_000;
fn config(budget: f64) -> Config {
    Config {
        budget,
        host_interval: Span::ZERO,
        host_in_flight: 1_000_000,
        in_flight_max: 1_000_000,
        interval_min: Span::SECOND,
        yield_min: 0.0,
        interval_max: Span::DAY.times(3650),
        restart_spread: Span::ZERO,
        capture_worth: Span::from_secs(3600),
        ..Config::standard()
    }
}
fn fresh(n: usize) -> (f64, f64) {
    let mut rng = Rng(1);
    let before = rss();
    let c = (n / 1000) as f64;
    let mut s = Scheduler::new(config(c), 7);
    let now0 = Instant::from_millis(T0);
    let mut rates = Vec::with_capacity(n);
    for i in 0..n {
        let rate = 1e-4 * libm::pow(10.0, 2.0 * rng.unit());
        rates.push(rate as f32);
        let source = SourceId(i as u32);
        let ago = (rng.unit() * 1000.0) as i64;
        let t = Some(now0 - Span::from_secs(ago));
        let x = (rate * 1e4) as f32;
        let prior = SourceRecord {
            source,
            learned: Learner::from_numbers([x, 1e4, x, 1e4, 0.0, x]),
            last_probe: t,
            last_success: t,
            failures: 0,
            probes: 10,
            changes: 5,
        };
        s.handle(
            now0,
            Event::SourceAdded { source, host: HostId((i / 10) as u32), prior: Some(prior) },
        );
        s.handle(now0, Event::Weight { source, weight: 1.0 });
    }
    let mem = (rss() - before - 4.0 * n as f64) / n as f64;
    let mut last = vec![0i64; n];
    let (mut probes, mut picks) = (0usize, Vec::new());
    let mut now = 0i64;
    let mut run = |until: usize, probes: &mut usize, s: &mut Scheduler| {
        let began = cpu();
        let start = *probes;
        while *probes < until {
            now += 1;
            let at = Instant::from_millis(T0 + now * 1000);
            picks.clear();
            s.poll(at, &mut picks);
            for p in &picks {
                let i = p.source.0 as usize;
                let gap = (now - last[i]) as f64;
                last[i] = now;
                let outcome = if rng.unit() < 1.0 - libm::exp(-f64::from(rates[i]) * gap) {
                    Outcome::Changed
                } else {
                    Outcome::Unchanged
                };
                s.handle(at, Event::Probed { source: p.source, start: at, outcome });
            }
            *probes += picks.len();
        }
        (cpu() - began) / (*probes - start) as f64
    };
    run(n, &mut probes, &mut s);
    let t = run(n + n.clamp(200_000, 1_000_000), &mut probes, &mut s);
    let mut r = Vec::new();
    s.take_records(&mut r);
    (mem, t)
}
fn eis(n: usize) -> (f64, f64, f64, f64) {
    let mut rng = Rng(2);
    let sources = (n / 10).max(100);
    let life = 1000.0;
    let per_chronon = n / 1000;
    let mut s = Scheduler::new(config(per_chronon as f64 / 4.0), 7);
    let now0 = Instant::from_millis(T0);
    for i in 0..sources {
        s.handle(
            now0,
            Event::SourceAdded {
                source: SourceId(i as u32),
                host: HostId((i / 10) as u32),
                prior: None,
            },
        );
    }
    let before = rss();
    let mut id = 0u64;
    let mut add = |s: &mut Scheduler, now: i64, rng: &mut Rng| {
        let rank = 1 + (rng.next() % 3);
        let cei = CeiId(id);
        for _ in 0..rank {
            let start = now + (rng.unit() * life) as i64;
            let finish = start + (rng.unit() * life) as i64;
            id += 1;
            s.handle(
                Instant::from_millis(T0 + now * 1000),
                Event::EiAdded {
                    ei: EiId(id),
                    cei,
                    source: SourceId((rng.next() % sources as u64) as u32),
                    start: Instant::from_millis(T0 + start * 1000),
                    finish: Instant::from_millis(T0 + finish * 1000),
                    utility: 1.0,
                },
            );
        }
        rank as usize
    };
    let mut live = 0;
    while live < n {
        live += add(&mut s, 0, &mut rng);
    }
    let mem = (rss() - before) / n as f64;
    let mut now = 0i64;
    let mut picks: Vec<Pick> = Vec::new();
    let mut out = (0.0, 0.0);
    let mut outn = (0usize, 0usize);
    for phase in 0..2 {
        let (mut te, mut tp, mut added, mut probes) = (0.0, 0.0, 0usize, 0usize);
        for _ in 0..1500 {
            now += 1;
            let at = Instant::from_millis(T0 + now * 1000);
            let began = cpu();
            let mut k = 0;
            while k < per_chronon {
                k += add(&mut s, now, &mut rng);
            }
            added += k;
            // time alone
            s.handle(at, Event::HostUsed { host: HostId(0), requests: 0 });
            te += (cpu() - began);
            let began = cpu();
            picks.clear();
            s.poll(at, &mut picks);
            for p in &picks {
                s.handle(
                    at,
                    Event::Probed { source: p.source, start: at, outcome: Outcome::Unchanged },
                );
            }
            probes += picks.len();
            tp += (cpu() - began);
        }
        if phase == 1 {
            out = (te, tp);
            outn = (added, probes);
        }
    }
    (mem, out.0 / (3 * outn.0) as f64, out.1 / outn.1 as f64, (out.0 + out.1) / outn.0 as f64)
}
fn main() {
    for n in [10_000, 100_000, 1_000_000] {
        let (mem, t) = fresh(n);
        println!("{n} sources: {mem:.0} B each, {:.2} µs per probe", t * 1e6);
    }
    for n in [10_000, 100_000, 1_000_000] {
        let (mem, e, p, all) = eis(n);
        println!(
            "{n} EIs: {mem:.0} B each, {:.0} ns per EI event (add, open, end), {:.2} µs per probe, {:.2} µs per EI in all",
            e * 1e9,
            p * 1e6,
            all * 1e6
        );
    }
}
