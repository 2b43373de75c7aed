//! The hours of the week at which pages change, over a restart.

use chronon::Instant;
use kernel::record::Snapshot;
use kernel::{Config, Kernel};
use schedule::WeekRecord;

const NOW: Instant = Instant::from_millis(1_800_000_000_000);

fn loaded(hours: Vec<f32>) -> Kernel {
    let week = Some(WeekRecord { discounted: NOW, hours, company: Vec::new() });
    Kernel::load(Config::new(1), Snapshot { week, ..Snapshot::default() }, NOW)
}

#[test]
fn the_week_that_was_learned_is_known_after_a_restart() {
    let mut kernel = loaded(vec![1.5; 336]);
    let known = kernel.fold(NOW).week.expect("it was loaded");
    assert_eq!((known.hours, known.discounted), (vec![1.5; 336], NOW));
    assert_eq!(kernel.take_warnings(), Vec::<String>::new());
}

#[test]
fn a_damaged_week_is_nothing_seen_and_people_are_told() {
    for hours in [vec![1.5; 7], vec![f32::INFINITY; 336]] {
        let mut kernel = loaded(hours);
        assert_eq!(kernel.fold(NOW).week, None);
        let warnings = kernel.take_warnings();
        assert!(matches!(&warnings[..], [said] if said.contains("learned anew")), "{warnings:?}");
    }
}
