//! SVG: what it says, in words. Each text is a block, each title, and each description.

use super::{Seen, walk};
use crate::gather::Gather;
use crate::html::blocks;
use crate::{Extract, Kind, Limits, ReadError};

/// What an open element holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    Shapes,
    Words,
    /// Nothing that is shown.
    Nothing,
}

pub(crate) fn read(text: &str, limits: &Limits) -> Result<Extract, ReadError> {
    let mut gather = Gather::new(Kind::Xml, limits);
    // Whether an element is a block of its own stands beside what it holds.
    let mut open: Vec<(Holds, bool)> = Vec::new();
    walk(text, limits, |event| match event {
        Seen::Start(name) => {
            let around = open.last().map_or(Holds::Shapes, |(holds, _)| *holds);
            let (holds, is_block) = opened(name.strip_prefix("svg:").unwrap_or(name), around);
            if is_block {
                gather.end_block();
            }
            open.push((holds, is_block));
        }
        Seen::End => {
            let ends_block = open.pop().is_some_and(|(_, is_block)| is_block);
            if ends_block {
                gather.end_block();
            }
        }
        Seen::Attribute(name, value) if is_hidden_by(name, value) => {
            if let Some((holds, _)) = open.last_mut() {
                *holds = Holds::Nothing;
            }
        }
        Seen::Text(text) if open.last().is_some_and(|(holds, _)| *holds == Holds::Words) => {
            gather.push_text(text);
        }
        _ => {}
    })?;
    Ok(gather.finish())
}

/// What an element holds, and whether it is a block of its own.
fn opened(name: &str, around: Holds) -> (Holds, bool) {
    match name {
        _ if around == Holds::Nothing => (around, false),
        "style" | "script" | "metadata" => (Holds::Nothing, false),
        "text" | "title" | "desc" | "foreignObject" => (Holds::Words, true),
        // Words in a drawing may be HTML.
        _ => (around, around == Holds::Words && blocks::is_block(name)),
    }
}

/// Whether an attribute says that nothing of its element is shown.
fn is_hidden_by(name: &str, value: &str) -> bool {
    let says_none = |declaration: &str| {
        declaration
            .split_once(':')
            .is_some_and(|(property, value)| property.trim() == "display" && value.trim() == "none")
    };
    match name {
        "display" => value.trim() == "none",
        "style" => value.split(';').any(says_none),
        _ => false,
    }
}
