//! The named invariants, one predicate each (`docs/design.md`, Named invariants).

use crate::shell::Shell;
use kernel::Kernel;

/// I-FOLD: a kernel loaded from the store equals the one that lives.
pub(crate) fn fold(shell: &Shell) -> Result<(), String> {
    let Some(kernel) = shell.kernel().filter(|_| shell.is_durable()) else { return Ok(()) };
    let now = shell.now();
    let snapshot = shell.reader().snapshot().map_err(|error| error.to_string())?;
    let loaded = Kernel::load(shell.config.clone(), snapshot, now);
    let (lives, reads) = (kernel.fold(now), loaded.fold(now));
    if lives != reads {
        return Err(format!("I-FOLD at {now}: {}", difference(&lives, &reads)));
    }
    if kernel.outbox_fold() == loaded.outbox_fold() {
        Ok(())
    } else {
        Err(format!(
            "I-FOLD at {now}: the outbox lives as {:?} and is read as {:?}",
            kernel.outbox_fold(),
            loaded.outbox_fold()
        ))
    }
}

/// The first rows that differ.
fn difference(lives: &kernel::Snapshot, reads: &kernel::Snapshot) -> String {
    let (lives, reads) = (format!("{lives:#?}"), format!("{reads:#?}"));
    let differ = lives.lines().zip(reads.lines()).position(|(a, b)| a != b);
    let at = differ.unwrap_or_else(|| lives.lines().count().min(reads.lines().count()));
    let around = |text: &str| {
        let lines = text.lines().skip(at.saturating_sub(12)).take(16).map(str::trim);
        lines.collect::<Vec<_>>().join(" ")
    };
    format!("lives as … {} … and is read as … {} …", around(&lives), around(&reads))
}
