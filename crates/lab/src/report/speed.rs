//! R7: how long the policies take. The only section whose numbers are not the same twice.

use super::auctions::{Contender, RULES, Setting};
use super::bench::Bench;
use super::figure::Places;
use super::finding::{Finding, Part};
use super::optimality::with_sweeps;
use super::sample::{exponent, short};
use super::sweep::{Axes, Sweep};
use crate::cli::LabError;
use crate::completeness::generate::Window;
use std::time::Instant;

/// More runs of one kind are not made, whatever the clock says.
const RUNS_MAX: f64 = 1e5;
/// An exponent up to which time counts as growing linearly with the EIs.
pub const LINEAR_MAX: f64 = 1.25;
/// From this ratio on one is “far slower” than the other.
const FAR: f64 = 10.0;

/// Measures processor time where Linux tells it, so that other work on the machine does not count;
/// else wall time.
pub struct Clock {
    wall: Instant,
    processor: Option<u64>,
}

impl Clock {
    pub fn start() -> Clock {
        Clock { wall: Instant::now(), processor: nanoseconds() }
    }

    pub fn seconds(&self) -> f64 {
        match (self.processor, nanoseconds()) {
            (Some(before), Some(now)) => now.saturating_sub(before) as f64 * 1e-9,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

/// What this thread has had of a processor. The system counts by ticks, and whenever a thread lets
/// others go first.
fn nanoseconds() -> Option<u64> {
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// Seconds of each contender by number of profiles; the mean of as many runs as a tenth of a second
/// holds.
fn timed(
    bench: &Bench,
    title: &str,
    settings: &[Setting],
    contenders: &[Contender],
) -> Result<Sweep, LabError> {
    let mut sizes = Vec::new();
    let mut all = Vec::new();
    for setting in settings {
        let instance = setting.instance(bench.seed)?;
        sizes.push(instance.eis().len() as f64);
        all.push(instance);
    }
    // The seconds over which one time is taken.
    let least = bench.pick(0.005, 0.1);
    let axes = Axes { x: "EIs", y: "seconds for the whole instance" };
    let mut sweep = Sweep::new(title, axes, Places::Numbers(sizes));
    for (at, instance) in all.iter().enumerate() {
        bench.on(&format!("{} EIs", instance.eis().len()));
        for &contender in contenders {
            let clock = Clock::start();
            let mut runs = 0.0;
            while runs < 1.0 || clock.seconds() < least && runs < RUNS_MAX {
                contender.captured(instance)?;
                runs += 1.0;
            }
            sweep.add(contender.name(), at, clock.seconds() / runs);
        }
    }
    Ok(sweep)
}

/// What a series has at each size.
pub fn points(sweep: &Sweep, name: &str) -> Vec<(f64, f64)> {
    let Places::Numbers(sizes) = &sweep.places else { return Vec::new() };
    sizes.iter().enumerate().map(|(at, &size)| (size, sweep.mean(name, at))).collect()
}

/// R7, Figure 8: time.
///
/// # Errors
/// None that these parameters cause.
pub fn r7(bench: &Bench) -> Result<Finding, LabError> {
    let base = Setting::baseline(bench);
    let unit = base.with(|p| (p.window, p.rank) = (Window::Chronons(0), 3));
    let with_profiles = |setting: &Setting, counts: &[u32]| -> Vec<Setting> {
        counts.iter().map(|&m| setting.with(|p| p.profiles = m)).collect()
    };
    let many = bench.pick(vec![20, 40], vec![100, 250, 500, 1000, 2500]);
    let few = bench.pick(vec![20, 40], vec![50, 100, 200, 400, 800]);
    let online = [RULES[0], RULES[1], RULES[2], Contender::Wic, Contender::Gain];
    let both = [RULES[1], Contender::Packing, Contender::Offline, Contender::Gain];
    let online_title = format!("online, W = {}", bench.pick(4, 10));
    let wide = timed(bench, &online_title, &with_profiles(&base, &many), &online)?;
    let narrow = timed(bench, "P[1], online and offline", &with_profiles(&unit, &few), &both)?;
    let mut parts = Vec::new();
    for contender in online {
        let name = contender.name();
        let points = points(&wide, name);
        let grows = exponent(&points);
        let (size, seconds) = points[points.len() - 1];
        let text = format!(
            "grows as EIs^{}; {} µs per EI at {} EIs",
            short(grows),
            short(seconds / size * 1e6),
            short(size)
        );
        let statement = format!("time grows linearly: {name} (exponent ≤ {LINEAR_MAX})");
        parts.push(Part::plain(&statement, grows <= LINEAR_MAX, text).because(
            "In every chronon the candidates are gone through; their number grows with the \
             profiles while the budget stays.",
        ));
    }
    let last = narrow.places.len() - 1;
    let ratio = narrow.mean("offline", last) / narrow.mean("MRSF(P)", last);
    let grows = exponent(&points(&narrow, "offline"));
    let text = format!(
        "{} times MRSF(P) at the largest size; grows as EIs^{}",
        short(ratio),
        short(grows)
    );
    parts.push(Part::plain("the offline approximation is far slower", ratio >= FAR, text));
    let finding = Finding {
        claim:
            "Figure 8: the time of the online policies grows linearly with the EIs; the offline \
                approximation is far slower."
                .to_owned(),
        setup: vec![
            format!("Online: {}, m = {}.", base.command(), list(&many)),
            format!("P[1]: {}, m = {}.", unit.command(), list(&few)),
            "Processor time (elsewhere than on Linux wall time), the mean of as many runs as a \
             tenth of a second holds, at least one, on whatever machine this ran: **these numbers \
             differ from run to run and from machine to machine**, the ratios less."
                .to_owned(),
        ],
        parts,
        ..Finding::default()
    };
    let mut finding = with_sweeps(finding, &[wide, narrow]);
    finding.figure.panels =
        finding.figure.panels.into_iter().map(|panel| panel.log_x().log_y()).collect();
    Ok(finding)
}

fn list(all: &[u32]) -> String {
    all.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::Clock;

    #[test]
    fn work_takes_time_and_more_work_more() {
        let clock = Clock::start();
        let mut sum = 0_u64;
        let mut work_until = |seconds: f64| {
            while clock.seconds() <= seconds {
                sum = (0..100_000).fold(sum, |sum, i| sum.wrapping_mul(31) ^ i);
            }
            clock.seconds()
        };
        let first = work_until(0.0);
        assert!(first > 0.0 && work_until(first) > first, "{sum}");
    }
}
