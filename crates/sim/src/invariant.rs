//! The named invariants, one predicate each (`docs/design.md`, Named invariants).

use crate::shell::Shell;
use chronon::{OwnerId, SentinelId};
use kernel::Kernel;
use kernel::view::{Mark, WatchLine};
use std::collections::BTreeMap;

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

/// I-LIST: a list kept up to date by what changed says what one says that is read anew.
#[derive(Default)]
pub(crate) struct Lists {
    mark: Option<Mark>,
    lines: BTreeMap<SentinelId, String>,
}

impl Lists {
    pub(crate) fn check(&mut self, shell: &Shell) -> Result<(), String> {
        let (Some(kernel), owner) = (shell.kernel(), OwnerId::FIRST) else { return Ok(()) };
        let anew = kernel.lines(owner, None).map(|line| (line.id(), words(&line))).collect();
        match self.mark.and_then(|mark| kernel.changed_since(mark)) {
            Some(changed) => {
                for id in changed {
                    match kernel.line(owner, id) {
                        Some(line) => self.lines.insert(id, words(&line)),
                        None => self.lines.remove(&id),
                    };
                }
            }
            None => self.lines.clone_from(&anew),
        }
        self.mark = Some(kernel.mark());
        if self.lines == anew {
            return Ok(());
        }
        let now = shell.now();
        Err(format!("I-LIST at {now}: kept are {:#?}, and there are {anew:#?}", self.lines))
    }
}

/// All that a list shows of a sentinel.
fn words(line: &WatchLine<'_>) -> String {
    let said = (line.name(), line.state(), line.health(), line.told(), line.snoozed());
    let sources: Vec<_> = line.sources().collect();
    format!("{said:?} {:?} {} {:?} {sources:?}", line.going(), line.url(), line.tags())
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
