//! Old and new side by side, or both in one text.
//!
//! What came from a page stands in pieces with a fate each; the renderers put their own words and
//! marks around them. No text of a page reaches another line or cell.

use super::marked::{head, tail};
use super::{FRAME_AROUND_CHARS_MAX, FRAME_CHARS_MAX, TEXT_CHARS_MAX, clean};
use change::{Aspect, Fate, Piece, Thing};
use notice::{Change, Presentation};

/// What a change was and is.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) is_dual: bool,
    /// The text around; may be empty.
    pub(crate) before: String,
    pub(crate) after: String,
    pub(crate) pieces: Vec<Piece>,
}

/// Whether every reader is shown it so, or only those who can be shown two columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shows {
    Everywhere,
    InColumns,
}

impl Frame {
    /// `None`: the change alone is shown.
    pub(crate) fn of(change: &Change, asked: Option<Presentation>) -> Option<(Frame, Shows)> {
        let (old, new) = (change.old.as_ref(), change.new.as_ref());
        // A column with nothing in it says nothing.
        let is_of_two = old.is_some() && new.is_some();
        let (is_dual, shows) = match asked {
            Some(Presentation::OnlyChange) => return None,
            Some(Presentation::DualFrame) => (is_of_two, Shows::Everywhere),
            Some(Presentation::Merged) => (false, Shows::Everywhere),
            None if is_of_two && has_frames(&change.change_type) => (true, Shows::InColumns),
            None => return None,
        };
        if old.is_none() && new.is_none() || old == new {
            return None;
        }
        let told = |thing: Option<&Thing>, other: Option<&Thing>| {
            thing.map(|thing| said(thing, other)).unwrap_or_default()
        };
        let pieces = change::pieces(&told(old, new), &told(new, old));
        let (before, after) = (&change.context.before, &change.context.after);
        Some((
            Frame {
                is_dual,
                before: tail(&clean::line(before, FRAME_CHARS_MAX), FRAME_AROUND_CHARS_MAX),
                after: head(&clean::line(after, FRAME_CHARS_MAX), FRAME_AROUND_CHARS_MAX),
                pieces: shortened(pieces),
            },
            shows,
        ))
    }

    /// What stands in one of the two columns.
    pub(crate) fn column(&self, own: Fate) -> impl Iterator<Item = &Piece> {
        self.pieces.iter().filter(move |piece| piece.fate == own || piece.fate == Fate::Same)
    }
}

/// Whether two columns show it best where nobody asked for anything.
fn has_frames(change_type: &str) -> bool {
    [Aspect::Any, Aspect::Phrases].iter().any(|aspect| aspect.row().name == change_type)
}

/// A thing in words: with its count, and with its address where that tells it from `other`.
fn said(thing: &Thing, other: Option<&Thing>) -> String {
    let text = clean::line(thing.text(), FRAME_CHARS_MAX);
    let address = thing.address().map(|address| clean::line(address, FRAME_CHARS_MAX));
    let tells_apart = other.is_some_and(|other| other.text() == thing.text());
    match (address, thing.count()) {
        (Some(address), _) if text.is_empty() => address,
        (Some(address), _) if tells_apart => format!("{text} ({address})"),
        (_, Some(count)) if count != 1 || other.is_some() => format!("{text} ×{count}"),
        _ => text,
    }
}

/// What stayed is shown next to what differs. What differs is shown as much as a change alone, from
/// both ends.
fn shortened(mut pieces: Vec<Piece>) -> Vec<Piece> {
    let last = pieces.len().saturating_sub(1);
    let around = FRAME_AROUND_CHARS_MAX;
    for (at, piece) in pieces.iter_mut().enumerate() {
        let count = piece.text.chars().count();
        let both = |first: usize, rest: usize| {
            let (head, tail) = (head(&piece.text, first), tail(&piece.text, rest));
            format!("{} {}", head.trim_end_matches(['…', ' ']), tail)
        };
        piece.text = match piece.fate {
            Fate::Same if at == 0 && count > around => tail(&piece.text, around),
            Fate::Same if at == last && count > around => head(&piece.text, around),
            Fate::Same if count > 2 * around => both(around, around),
            Fate::Same => continue,
            _ if count > TEXT_CHARS_MAX => both(TEXT_CHARS_MAX - around, around),
            _ => continue,
        };
    }
    pieces
}
