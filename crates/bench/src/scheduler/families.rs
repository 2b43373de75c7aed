//! Sources in families of four that change together, at hours of their own.
//!
//! A family has a change in each period of its length, at a time of working hours that looks drawn;
//! nine in ten members take part. Each source begins with the record of a long life: five changes,
//! links to the others of its family, and its hours.

/// Seconds of a chronon.
pub(super) const CHRONON: i64 = 20;
/// Members of a family.
const FAMILY: usize = 4;
/// Changes that a record keeps.
const KEPT: i64 = 5;
const DAY: i64 = 86_400;
/// Seconds since the epoch at the beginning.
const BEGAN: i64 = 1_800_000_000;
/// A link, both chances about nine in ten.
const LINK: u16 = 1 << 15 | 2 << 7 | 2;

/// A number that looks drawn.
fn drawn(a: usize, b: i64) -> u64 {
    let mixed = (a as u64 ^ (b as u64) << 32 ^ 0x5bd1_e995).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32
}

/// Days from one change of a family to the next, 1 to 8: a look in three to one in thirty finds.
fn period(family: usize) -> i64 {
    1 << (drawn(family, -1) % 4)
}

/// Changes per second.
pub(super) fn rate(id: usize) -> f32 {
    0.9 / (period(id / FAMILY) * DAY) as f32
}

/// When a family changes in its `n`-th period, seconds since the beginning.
fn change(family: usize, n: i64) -> i64 {
    let (days, draw) = (period(family), drawn(family, n));
    let day = n * days + (draw >> 16) as i64 % days;
    let hour = 8 + drawn(family, -2) as i64 % 8 + (draw & 1) as i64;
    day * DAY + hour * 3_600 + (draw >> 1) as i64 % 3_600 - BEGAN % DAY
}

fn takes_part(id: usize, n: i64) -> bool {
    !drawn(id + (1 << 30), n).is_multiple_of(10)
}

/// When a source changed after `since`, until `now`.
pub(super) fn changes(id: usize, since: i64, now: i64) -> impl Iterator<Item = i64> {
    let (family, length) = (id / FAMILY, period(id / FAMILY) * DAY);
    let periods = since.div_euclid(length) - 1..=now.div_euclid(length) + 1;
    let taken = periods.filter(move |&n| takes_part(id, n)).map(move |n| change(family, n));
    taken.filter(move |&at| at > since && at <= now)
}

/// The record of a source's company and hours.
pub(super) fn record(id: usize) -> Vec<u8> {
    let family = id / FAMILY;
    let cell =
        |number: u32, code: u16| [number.to_le_bytes().to_vec(), code.to_le_bytes().to_vec()];
    let kept = (-2 * KEPT..-1).filter(|&n| takes_part(id, n)).map(|n| change(family, n));
    let kept: Vec<i64> = kept.collect();
    let kept = kept[kept.len().saturating_sub(KEPT as usize)..].iter();
    let windows = kept.map(|&time| cell((BEGAN + time) as u32, 0));
    let others = (family * FAMILY..(family + 1) * FAMILY).filter(|&other| other != id);
    let links = others.map(|other| cell(other as u32, LINK));
    let mut bytes: Vec<u8> = windows.chain(links).flatten().flatten().collect();
    let mut hours = [0; 35];
    let first = drawn(family, -2) as usize % 8;
    hours[8 + first] = 60;
    hours[9 + first] = 60;
    hours[24..31].fill(17);
    hours[31] = 128;
    hours[32..].copy_from_slice(&((BEGAN / 3_600 - 24 * 60) as u32).to_le_bytes()[..3]);
    bytes.extend(hours);
    bytes
}
