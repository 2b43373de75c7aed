//! What a process used, from `/proc`.

use anyhow::{Context, Result};

/// Clock ticks per second of `/proc/PID/stat`; 100 on every Linux we run on.
const TICKS_PER_SECOND: f64 = 100.0;

/// Processor time so far, user and system, in seconds.
pub fn cpu_seconds(pid: u32) -> Result<f64> {
    seconds(&format!("/proc/{pid}/stat"), 11)
}

/// The same of all children of this process that have ended, and were waited for.
pub fn children_seconds() -> Result<f64> {
    seconds("/proc/self/stat", 13)
}

/// User and system time, from the field with this number after the name.
fn seconds(path: &str, user: usize) -> Result<f64> {
    let stat = std::fs::read_to_string(path)?;
    let rest = stat.rsplit(')').next().context("a stat line")?;
    let field = |n: usize| rest.split_whitespace().nth(n).and_then(|text| text.parse::<f64>().ok());
    let ticks = field(user).zip(field(user + 1)).map(|(user, system)| user + system);
    Ok(ticks.context("user and system time")? / TICKS_PER_SECOND)
}

/// Resident memory, in bytes.
pub fn resident_bytes(pid: u32) -> Result<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("VmRSS")?;
    let kilobytes: u64 = line.split_whitespace().next().context("a number")?.parse()?;
    Ok(kilobytes * 1_024)
}

/// Nanoseconds that this thread has been on a processor: what others do does not count.
pub fn thread_nanoseconds() -> Result<f64> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let field = stat.split_whitespace().next().context("the time on a processor")?;
    Ok(field.parse()?)
}
