//! A few words right behind a heading that stays say how what it names is: "Good service" and
//! "Minor delays" of a line.

use super::{SHORT_WORDS, Step, WINDOW, join, words};
use crate::found::{Pair, Side};
use page::Block;
use rustc_hash::FxHashMap;

/// Pairs such words that went with those that came, where one heading alone of each version is
/// called so, with all that it stands under. O(blocks).
pub(super) fn pair(steps: &mut Vec<Step>, pair: &Pair<'_>) {
    let heads = |side: &Side<'_>, blocks: &mut dyn Iterator<Item = usize>| -> Vec<usize> {
        blocks.filter(|at| is_behind_heading(&side.extract.blocks, *at)).take(WINDOW).collect()
    };
    let gone = heads(&pair.old, &mut Step::gone(steps));
    let came = heads(&pair.new, &mut Step::came(steps));
    if gone.is_empty() || came.is_empty() {
        return;
    }
    let (old, new) = (paths(&pair.old), paths(&pair.new));
    for o in gone {
        let path = pair.old.reading().path(o - 1);
        let is_one = |all: &FxHashMap<String, usize>| all.get(&path) == Some(&1);
        let n = came.iter().find(|n| pair.new.reading().path(**n - 1) == path);
        if let Some(n) = n.filter(|_| is_one(&old) && is_one(&new)) {
            join(steps, o, *n);
        }
    }
}

/// How many headings of a version are called so.
fn paths(side: &Side<'_>) -> FxHashMap<String, usize> {
    let blocks = side.extract.blocks.iter().enumerate();
    let mut all = FxHashMap::default();
    for (at, _) in blocks.filter(|(_, block)| block.level() > 0) {
        *all.entry(side.reading().path(at)).or_default() += 1;
    }
    all
}

/// Whether a block is a text of a few words, and the one before it a heading.
fn is_behind_heading(blocks: &[Block], at: usize) -> bool {
    let own = &blocks[at];
    let is_text = own.level() == 0 && own.list == 0 && own.row.is_none() && own.part.is_main();
    let before = at.checked_sub(1).and_then(|before| blocks.get(before));
    is_text
        && before.is_some_and(|before| before.level() > 0)
        && words(&own.text).len() <= SHORT_WORDS
}
