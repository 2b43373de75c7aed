//! Boxes whose texts take turns.

use super::{CELL, ENTRY_BYTES_MAX, Habit, Key, hash};
use crate::found::{Found, Pair, Spot};
use page::Block;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// More texts are no box.
const ENTRIES_MAX: usize = 40;

/// A box whose texts may take turns: a few short ones under a heading, none of them a heading.
pub(super) struct Turning<'p> {
    pub(super) key: Key,
    pub(super) heading: Cow<'p, str>,
    /// All of the same form that stands there, and the text that a change is of.
    pub(super) entries: Vec<&'p str>,
    pub(super) own: &'p str,
}

impl Turning<'_> {
    /// Whether turns are a habit here. A person's word on a section holds for its lists and tables.
    pub(super) fn is_quiet(&self, is: impl Fn(&Key) -> bool, said: &BTreeSet<Key>) -> bool {
        is(&self.key) && !said.contains(&Form::Text.key(&self.heading))
    }
}

/// A list, a table and the texts beside them take turns each by itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Text,
    Entry,
    Row,
}

impl Form {
    fn of(block: &Block) -> Form {
        match (&block.row, block.list) {
            (Some(_), _) => Form::Row,
            (None, 1..) => Form::Entry,
            // A row of a table without headings is known by its cells.
            (None, 0) if block.text.contains(CELL) => Form::Row,
            (None, 0) => Form::Text,
        }
    }

    /// What names those of this form in a section.
    pub(super) fn key(self, section: &str) -> Key {
        let hash = match self {
            Form::Text => hash(section),
            Form::Entry => hash(&format!("{section}\u{1}\u{1}entry")),
            Form::Row => hash(&format!("{section}\u{1}\u{1}row")),
        };
        Key { habit: Habit::Rotates, hash }
    }
}

/// The box that a change stands in, if it looks like one.
pub(super) fn rotation<'p>(change: &Found, pair: &'p Pair<'_>) -> Option<Turning<'p>> {
    let (side, place) = match change.place.as_ref()? {
        Spot::Old(place) => (&pair.old, place),
        Spot::New(place) => (&pair.new, place),
    };
    let reading = side.reading();
    let block = reading.block(place)?;
    let own = side.extract.blocks.get(block).filter(|block| block.heading == 0)?;
    let heading = reading.section(block)?;
    let is_start = |at: &usize| side.extract.blocks[*at].heading > 0;
    let start = (0..block).rev().take(ENTRIES_MAX).find(is_start)? + 1;
    let rest = &side.extract.blocks[start..];
    let entries = rest.iter().take_while(|block| block.heading == 0).take(ENTRIES_MAX + 1);
    let entries: Vec<&Block> = entries.collect();
    let is_box = entries.iter().all(|block| block.text.len() <= ENTRY_BYTES_MAX);
    if !is_box || entries.len() > ENTRIES_MAX {
        return None;
    }
    let form = Form::of(own);
    let entries = entries.into_iter().filter(|block| Form::of(block) == form);
    let entries = entries.map(|block| &*block.text).collect();
    let key = form.key(&heading);
    Some(Turning { key, heading, entries, own: &own.text })
}
