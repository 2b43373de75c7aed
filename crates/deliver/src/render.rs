//! A notification, readable: for a terminal, as text, as HTML.
//!
//! The three say the same: [`Story`] chooses what is told and in which order, the renderers only
//! dress it. Everything that came from a page has been through [`clean::line`] by then.

mod clean;
mod frame;
mod html;
mod marked;
mod rest;
pub(crate) mod story;
mod text;

use chronon::Zone;
pub use clean::line as clean_line;
pub(crate) use html::{linked, page};
pub use marked::marked_lines;
use notice::Notice;
use story::Story;

/// Notifications shown of a digest.
const NOTIFICATIONS_SHOWN_MAX: usize = 100;
/// Characters shown of a text.
const TEXT_CHARS_MAX: usize = 500;
/// Characters shown of the text before and after a thing, each.
const AROUND_CHARS_MAX: usize = 48;
/// Characters of a text that are compared for two columns.
const FRAME_CHARS_MAX: usize = 10_000;
/// Characters shown of what stayed, on each side of what differs.
const FRAME_AROUND_CHARS_MAX: usize = 90;
/// Characters shown of a URL.
const URL_CHARS_MAX: usize = 2_000;

/// How much of one change is shown, in characters.
#[derive(Debug, Clone, Copy)]
struct Share {
    text: usize,
    /// The same of each part of a text that differs.
    marked: usize,
}

impl Share {
    /// Where a message tells four changes or fewer.
    const MOST: Share = Share { text: 1_500, marked: 1_000 };
    /// Where it tells twelve or more.
    const LEAST: Share = Share { text: TEXT_CHARS_MAX, marked: 300 };
    /// Characters that all changes of a message have.
    const OF_ALL: usize = 6_000;

    fn of(changes: usize) -> Share {
        let text = Share::OF_ALL / changes.max(1);
        Share {
            text: text.clamp(Share::LEAST.text, Share::MOST.text),
            marked: (text * 2 / 3).clamp(Share::LEAST.marked, Share::MOST.marked),
        }
    }
}

/// Whether a terminal's colours are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    Never,
    Always,
}

/// Said of a body that is no notification.
const UNREADABLE: &str = "A notification that this version of Tidings cannot read.";

/// A notification for a terminal: ends with a line's end, holds no control character but line ends
/// and, with [`Colour::Always`], the colours' own. `body` is the JSON of `docs/formats.md`,
/// Webhook; its times are told by the clock of `zone`.
pub fn render_terminal(body: &[u8], colour: Colour, zone: &Zone) -> String {
    text_of(Notice::read(body).as_ref(), colour, zone)
}

/// A notification as plain text; as [`render_terminal`] without colours.
pub fn render_text(body: &[u8], zone: &Zone) -> String {
    render_terminal(body, Colour::Never, zone)
}

/// A notification as an HTML document without scripts, images or anything from elsewhere. All that
/// came from pages is escaped; only `http` and `https` addresses become links.
pub fn render_html(body: &[u8], zone: &Zone) -> String {
    html_of(Notice::read(body).as_ref(), zone)
}

pub(crate) fn text_of(notice: Option<&Notice>, colour: Colour, zone: &Zone) -> String {
    match notice {
        Some(notice) => text::render(&Story::of(notice, zone), colour),
        None => format!("{UNREADABLE}\n"),
    }
}

pub(crate) fn html_of(notice: Option<&Notice>, zone: &Zone) -> String {
    match notice {
        Some(notice) => html::render(&Story::of(notice, zone)),
        None => html::page("Tidings", &format!("<p>{UNREADABLE}</p>")),
    }
}

#[cfg(test)]
mod tests;
