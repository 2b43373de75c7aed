//! Where on a page something stands, and which part of the page that is in the end.
//!
//! What an element says of itself is not all: a page may call the box that holds everything its
//! "sidebar layout", or put a menu beside its `<main>` without a word. So each block keeps the
//! element it stands in until the whole page is known.

use crate::Part;

/// An element that opened a part, by its number; [`Stand::PAGE`]: none did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stand(u32);

impl Stand {
    pub(crate) const PAGE: Stand = Stand(0);
    /// Around the main content, whatever it stands in.
    pub(crate) const FRAME: Stand = Stand(u32::MAX);
}

/// How an element opened a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// `<main>`: everything else stands around it.
    Main,
    /// `<article>`.
    Article,
    /// An element or a role that is a frame.
    Frame,
    /// A frame that covers the page until somebody answers.
    Dialog,
    /// An id or a class that sounds like one.
    Name,
    /// A button, the name of a field, a choice.
    Control,
}

/// A block, and where it stands.
pub(crate) struct Standing {
    pub(crate) stand: Stand,
    pub(crate) bytes: usize,
    pub(crate) is_page_heading: bool,
}

struct Opening {
    /// What it opened in.
    within: usize,
    origin: Origin,
}

/// The elements of a page that opened a part, in their order.
#[derive(Default)]
pub(crate) struct Stands(Vec<Opening>);

/// Longer texts are no controls, whatever can be clicked: a card, a row.
const CONTROL_BYTES_MAX: usize = 60;
/// Bytes of a page beside a dialogue.
const BESIDE_DIALOG_MIN: usize = 50;
/// A page has main content where that is one byte of its text in ten.
const MAIN_SHARE_MIN: usize = 10;

impl Stands {
    pub(crate) fn open(&mut self, within: Stand, origin: Origin) -> Stand {
        self.0.push(Opening { within: within.0 as usize, origin });
        Stand(self.0.len() as u32)
    }

    /// The part that each element opened, given its blocks. O(n).
    pub(crate) fn settle(&self, blocks: impl Iterator<Item = Standing>) -> Settled {
        let Stands(openings) = self;
        let count = openings.len() + 1;
        let mut own = vec![0; count];
        let mut has_page_heading = vec![false; count];
        let mut all: usize = 0;
        for Standing { stand: Stand(stand), bytes, is_page_heading } in blocks {
            all += bytes;
            if let Some(own) = own.get_mut(stand as usize) {
                *own += bytes;
                has_page_heading[stand as usize] |= is_page_heading;
            }
        }
        let mut inside = own.clone();
        for at in (1..count).rev() {
            inside[openings[at - 1].within] += inside[at];
        }
        // What an element opened by its name or as a control counts for nothing where it holds
        // what the page is there for; it is then the part that it stands in.
        let mut acts_as: Vec<usize> = (0..count).collect();
        let (mut is_in_main, mut is_in_dialog) = (vec![false; count], vec![false; count]);
        for at in 1..count {
            let Opening { within, origin } = openings[at - 1];
            is_in_dialog[at] = is_in_dialog[within] || origin == Origin::Dialog;
            is_in_main[at] = is_in_main[within] || origin == Origin::Main;
            let is_void = match origin {
                Origin::Name => inside[at] * 2 > all,
                Origin::Control => inside[at] > CONTROL_BYTES_MAX,
                _ => false,
            };
            if is_void {
                acts_as[at] = acts_as[within];
            }
        }
        let parts_in = |page: Part| -> Vec<Part> {
            let mut parts = vec![page; count];
            for at in 1..count {
                let Opening { within, origin } = openings[at - 1];
                parts[at] = match origin {
                    _ if acts_as[at] != at => parts[acts_as[at]],
                    Origin::Main | Origin::Article => Part::Main,
                    Origin::Frame | Origin::Dialog | Origin::Name => Part::Frame,
                    Origin::Control if parts[within] == Part::Frame => Part::Frame,
                    Origin::Control => Part::Control,
                };
            }
            parts
        };
        let mut parts = parts_in(Part::Main);
        let is_said_main = |at: &usize| is_in_main[*at] && parts[*at] == Part::Main;
        let said_main: usize = (0..count).filter(is_said_main).map(|at| own[at]).sum();
        let unsaid = || (0..count).filter(|&at| acts_as[at] == 0);
        let unsaid_bytes: usize = unsaid().map(|at| own[at]).sum();
        // The heading of the page stands where its content does.
        let is_headed = unsaid().any(|at| has_page_heading[at]);
        if said_main > 0 && said_main >= unsaid_bytes && !is_headed {
            parts = parts_in(Part::Frame);
        }
        let bytes_of = |is_of: &dyn Fn(usize) -> bool| -> usize {
            (0..count).filter(|&at| is_of(at)).map(|at| own[at]).sum()
        };
        let content = bytes_of(&|at| parts[at] != Part::Frame);
        // What a dialogue says counts for nothing, however long it is, where there is more beside
        // it than a link.
        let is_beside = content >= BESIDE_DIALOG_MIN;
        let in_dialog = if is_beside { bytes_of(&|at| is_in_dialog[at]) } else { 0 };
        // A page that is all frame has named its parts in its own way.
        let is_all_main = content * MAIN_SHARE_MIN < all - in_dialog;
        Settled { parts, is_all_main }
    }
}

/// The parts of a page.
pub(crate) struct Settled {
    parts: Vec<Part>,
    is_all_main: bool,
}

impl Settled {
    pub(crate) fn of(&self, stand: Stand) -> Part {
        match stand {
            _ if self.is_all_main => Part::Main,
            Stand::FRAME => Part::Frame,
            Stand(at) => self.parts[at as usize],
        }
    }
}
