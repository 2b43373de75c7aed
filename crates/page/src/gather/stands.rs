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
    /// A bar that its name calls urgent: content, wherever it stands.
    Alert,
    /// An element or a role that is a frame.
    Frame,
    /// `<header>`: a frame, in which the heading of the page may stand.
    Header,
    /// A frame that covers the page until somebody answers.
    Dialog,
    /// An id or a class that sounds like one.
    Name,
    /// The same, in the main content, where a section may have such a name.
    Vague,
    /// An `<aside>` in the main content.
    Aside,
    /// A button, the name of a field, a choice.
    Control,
}

/// A block, and where it stands.
pub(crate) struct Standing {
    pub(crate) stand: Stand,
    pub(crate) bytes: usize,
    /// How many of them are links.
    pub(crate) linked: usize,
    /// The level of the heading that it is, or 0.
    pub(crate) heading: u8,
}

struct Opening {
    /// What it opened in.
    within: usize,
    origin: Origin,
}

/// What blocks are held by an element.
#[derive(Clone, Copy, Default)]
struct Held {
    bytes: usize,
    /// Bytes that are no heading.
    texts: usize,
    /// How many of these are links.
    linked: usize,
    page_headings: u32,
    /// It has one of level 2 to 4.
    has_heading: bool,
    has_control: bool,
}

impl Held {
    fn take(&mut self, block: &Standing) {
        self.bytes += block.bytes;
        if block.heading == 0 {
            self.texts += block.bytes;
            self.linked += block.linked;
        }
        self.page_headings += u32::from(block.heading == 1);
        self.has_heading |= (2..=4).contains(&block.heading);
    }

    fn add(&mut self, other: &Held) {
        self.bytes += other.bytes;
        self.texts += other.texts;
        self.linked += other.linked;
        self.page_headings += other.page_headings;
        self.has_heading |= other.has_heading;
        self.has_control |= other.has_control;
    }

    /// Whether it is a heading with what is said under it: nothing to press, and few links.
    fn is_section(&self) -> bool {
        self.has_heading && !self.is_list() && !self.has_control
    }

    /// Whether what it says is links, half of it or more.
    fn is_list(&self) -> bool {
        self.linked * 2 >= self.texts
    }
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

    /// What each element holds itself, and the bytes of the page.
    fn held(&self, blocks: impl Iterator<Item = Standing>) -> (Vec<Held>, usize) {
        let mut own = vec![Held::default(); self.0.len() + 1];
        let mut all = 0;
        for block in blocks {
            all += block.bytes;
            if let Some(own) = own.get_mut(block.stand.0 as usize) {
                own.take(&block);
            }
        }
        (own, all)
    }

    /// What it holds with all that opens in it.
    fn inside(&self, own: &[Held]) -> Vec<Held> {
        let mut inside = own.to_vec();
        for (at, &Opening { within, origin }) in self.0.iter().enumerate().rev() {
            inside[at + 1].has_control |= origin == Origin::Control;
            let held = inside[at + 1];
            inside[within].add(&held);
        }
        inside
    }

    /// The part that each element opened, given its blocks. O(n).
    pub(crate) fn settle(&self, blocks: impl Iterator<Item = Standing>) -> Settled {
        let Stands(openings) = self;
        let count = openings.len() + 1;
        let (own, all) = self.held(blocks);
        let inside = self.inside(&own);
        // What an element opened by its name or as a control counts for nothing where it holds
        // what the page is there for; it is then the part that it stands in.
        let mut acts_as: Vec<usize> = (0..count).collect();
        let (mut is_in_main, mut is_in_dialog) = (vec![false; count], vec![false; count]);
        for at in 1..count {
            let Opening { within, origin } = openings[at - 1];
            is_in_dialog[at] = is_in_dialog[within] || origin == Origin::Dialog;
            is_in_main[at] = is_in_main[within] || origin == Origin::Main;
            let is_void = match origin {
                Origin::Name => inside[at].bytes * 2 > all,
                Origin::Vague => inside[at].bytes * 2 > all || inside[at].is_section(),
                Origin::Aside => !inside[at].is_list(),
                Origin::Control => inside[at].bytes > CONTROL_BYTES_MAX,
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
                    Origin::Main | Origin::Article | Origin::Alert => Part::Main,
                    Origin::Frame
                    | Origin::Header
                    | Origin::Dialog
                    | Origin::Name
                    | Origin::Vague
                    | Origin::Aside => Part::Frame,
                    Origin::Control if parts[within] == Part::Frame => Part::Frame,
                    Origin::Control => Part::Control,
                };
            }
            parts
        };
        let mut parts = parts_in(Part::Main);
        let is_said_main = |at: &usize| is_in_main[*at] && parts[*at] == Part::Main;
        let said_main: usize = (0..count).filter(is_said_main).map(|at| own[at].bytes).sum();
        let unsaid = || (0..count).filter(|&at| acts_as[at] == 0);
        let unsaid_bytes: usize = unsaid().map(|at| own[at].bytes).sum();
        // The heading of the page stands where its content does.
        let is_headed = unsaid().any(|at| own[at].page_headings > 0);
        if said_main > 0 && said_main >= unsaid_bytes && !is_headed {
            parts = parts_in(Part::Frame);
        }
        let bytes_of = |is_of: &dyn Fn(usize) -> bool| -> usize {
            (0..count).filter(|&at| is_of(at)).map(|at| own[at].bytes).sum()
        };
        // What is urgent says nothing of where the rest stands.
        let is_alert = |at: usize| at > 0 && openings[at - 1].origin == Origin::Alert;
        let content = bytes_of(&|at| parts[at] != Part::Frame && !is_alert(at));
        // What a dialogue says counts for nothing, however long it is, where there is more beside
        // it than a link.
        let is_beside = content >= BESIDE_DIALOG_MIN;
        let in_dialog = if is_beside { bytes_of(&|at| is_in_dialog[at]) } else { 0 };
        // A page that is all frame has named its parts in its own way.
        let is_all_main = content * MAIN_SHARE_MIN < all - in_dialog;
        let is_headed_once = inside[0].page_headings == 1 && !self.names_main();
        let heads = if is_headed_once { self.in_headers() } else { vec![false; count] };
        let ledes = match inside[0].page_headings {
            1 => self.beside_title(&inside),
            _ => vec![false; count],
        };
        Settled { parts, heads, ledes, is_all_main }
    }

    fn names_main(&self) -> bool {
        self.0.iter().any(|opening| opening.origin == Origin::Main)
    }

    /// Which elements are a `<header>`, or stand in one and in no other frame.
    fn in_headers(&self) -> Vec<bool> {
        self.in_headers_that(|_| true, &[Origin::Frame, Origin::Dialog])
    }

    /// The same of headers that have the heading of the page, without what its name calls a frame.
    fn beside_title(&self, inside: &[Held]) -> Vec<bool> {
        let frames = [Origin::Frame, Origin::Dialog, Origin::Name, Origin::Vague];
        self.in_headers_that(|at| inside[at].page_headings > 0, &frames)
    }

    fn in_headers_that(&self, fits: impl Fn(usize) -> bool, frames: &[Origin]) -> Vec<bool> {
        let mut is_in_header = vec![false; self.0.len() + 1];
        for (at, &Opening { within, origin }) in self.0.iter().enumerate() {
            let goes_on = is_in_header[within] && !frames.contains(&origin);
            is_in_header[at + 1] = origin == Origin::Header && fits(at + 1) || goes_on;
        }
        is_in_header
    }
}

/// The parts of a page.
pub(crate) struct Settled {
    parts: Vec<Part>,
    /// Where the heading of the page is content, whatever stands around it.
    heads: Vec<bool>,
    /// Where what is told beside that is content, too.
    ledes: Vec<bool>,
    is_all_main: bool,
}

/// Bytes of what a page says of itself beside its heading; a shorter text may be the motto of its
/// site.
const LEDE_BYTES_MIN: usize = 120;

impl Settled {
    /// The part of a block, by the level of the heading that it is, or 0. No heading is a control.
    pub(crate) fn of_block(&self, stand: Stand, heading: u8) -> Part {
        match self.of(stand) {
            Part::Control if heading > 0 => Part::Main,
            part => part,
        }
    }

    /// Whether a block is told beside the heading of the page, in its header: a paragraph.
    pub(crate) fn is_lede(&self, stand: Stand, text: &str) -> bool {
        let stands = || self.ledes.get(stand.0 as usize) == Some(&true);
        text.len() >= LEDE_BYTES_MIN && text.ends_with(['.', '!', '?', '。']) && stands()
    }

    /// Whether a block is the heading of the page, in its header. It is content, but says nothing
    /// of which part is which, for a site may have its name there.
    pub(crate) fn is_title(&self, stand: Stand, heading: u8) -> bool {
        let heads = || self.heads.get(stand.0 as usize) == Some(&true);
        heading == 1 && self.of(stand) == Part::Frame && heads()
    }

    pub(crate) fn of(&self, stand: Stand) -> Part {
        match stand {
            _ if self.is_all_main => Part::Main,
            Stand::FRAME => Part::Frame,
            Stand(at) => self.parts[at as usize],
        }
    }
}
