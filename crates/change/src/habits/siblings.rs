//! A row that is new has done nothing yet: it does what the rows beside it do.

use super::{CELL, Habit, Habits, Key, counts_shape, hash};
use crate::ChangeKind;
use crate::found::{Found, Pair, Spot};
use chronon::Instant;

/// Rows of one look that are known as new, and looks for which they are.
const ROWS_MAX: usize = 16;
const NEW_LOOKS_MAX: u32 = 6;
/// Rows on each side that are looked at, and how many of them run in the same column.
const BESIDE_MAX: usize = 32;
const RUN_MIN: usize = 2;

/// What a row is known by: its first cell, whatever the numbers.
fn name(text: &str, pair: &Pair<'_>) -> Option<String> {
    let shape = counts_shape(text, pair.new.extract.kind);
    let (first, _) = shape.split_once(CELL)?;
    first.contains(char::is_alphabetic).then(|| first.to_owned())
}

fn came(name: &str) -> Key {
    Key { habit: Habit::Came, hash: hash(&format!("row\u{1}{name}")) }
}

impl Habits {
    /// Learns which rows are new.
    pub(super) fn see_rows(&mut self, found: &[Found], pair: &Pair<'_>, at: Instant) {
        let new = found.iter().filter(|one| one.kind == ChangeKind::Insert);
        let names = new.filter_map(|one| name(one.text()?, pair));
        for name in names.take(ROWS_MAX).collect::<Vec<_>>() {
            self.note(came(&name), at, "");
        }
    }

    /// Whether a row that came lately has another number where most rows beside it have one at most
    /// looks.
    pub(super) fn does_as_siblings(
        &self,
        change: &Found,
        pair: &Pair<'_>,
        cell: Option<usize>,
        is: impl Fn(&Key) -> bool,
    ) -> bool {
        let own = change.text().and_then(|text| name(text, pair));
        let is_new = |name: &String| {
            let trace = self.traces.get(&came(name));
            trace.is_some_and(|trace| self.looks - trace.last <= NEW_LOOKS_MAX)
        };
        let (Some(cell), Some(_), Some(Spot::New(place))) =
            (cell, own.filter(is_new), change.place.as_ref())
        else {
            return false;
        };
        let Some(at) = pair.new.reading().block(place) else { return false };
        let blocks = &pair.new.extract.blocks;
        let is_row = |block: &&page::Block| block.text.contains(CELL);
        let above = blocks[..at].iter().rev().take(BESIDE_MAX).take_while(is_row);
        let below = blocks[at + 1..].iter().take(BESIDE_MAX).take_while(is_row);
        let names = above.chain(below).filter_map(|block| name(&block.text, pair));
        let (mut run, mut all) = (0, 0);
        for name in names {
            all += 1;
            let key = Key { habit: Habit::Counts, hash: hash(&format!("{name}{CELL}{cell}")) };
            run += usize::from(is(&key) && !self.leaps(change, key, Some(cell)));
        }
        run >= RUN_MIN && 2 * run >= all
    }
}
