//! Which part of a page an element opens: its main content, or the frame around it.

use super::blocks::attr;
use super::named::{self, Named};
use crate::gather::{Origin, Stand, Stands};
use ego_tree::NodeId;
use scraper::node::Element;

/// The parts that are open.
#[derive(Default)]
pub(super) struct Parts {
    open: Vec<(NodeId, Stand, Origin)>,
    /// Open elements of main content: `main`, `article`.
    mains: u32,
    has_main: bool,
    stands: Stands,
}

impl Parts {
    /// An element opens; true: what comes from here on stands there.
    pub(super) fn open(&mut self, node: NodeId, element: &Element) -> bool {
        let Some(origin) = self.origin(element) else { return false };
        let is_main = is_main(origin);
        self.mains += u32::from(is_main);
        self.has_main |= is_main;
        let stand = self.stands.open(self.current(), origin);
        self.open.push((node, stand, origin));
        true
    }

    /// An element closes; true: what comes from here on stands elsewhere again.
    pub(super) fn close(&mut self, node: NodeId) -> bool {
        let closed = self.open.pop_if(|(open, ..)| *open == node);
        closed.is_some_and(|(.., origin)| {
            self.mains -= u32::from(is_main(origin));
            true
        })
    }

    /// Where a control stands that comes now.
    pub(super) fn control(&mut self) -> Stand {
        self.stands.open(self.current(), Origin::Control)
    }

    /// Where what comes now stands.
    pub(super) fn current(&self) -> Stand {
        self.open.last().map_or(Stand::PAGE, |&(_, stand, _)| stand)
    }

    /// Whether the page has said of any part that it is main content.
    pub(super) fn has_main(&self) -> bool {
        self.has_main
    }

    /// All that opened.
    pub(super) fn stands(&self) -> &Stands {
        &self.stands
    }

    /// What is beside the page is its frame. In the main content it may be what one is to read, or
    /// where one buys, and elsewhere where its names say so.
    fn aside(&self, element: &Element) -> Option<Origin> {
        let is_in_main = self.mains > 0;
        match named::aside(element, is_in_main) {
            Some(false) => None,
            None if is_in_main => Some(Origin::Aside),
            _ => Some(Origin::Frame),
        }
    }

    /// A bar for what is urgent. Among the content it is a part of that, and in a footer or a
    /// dialogue a part of those.
    fn is_alert(&self, element: &Element) -> bool {
        let is_header = |(.., origin): &(NodeId, Stand, Origin)| *origin == Origin::Header;
        self.mains == 0 && self.open.iter().all(is_header) && named::is_alert(element)
    }

    fn origin(&self, element: &Element) -> Option<Origin> {
        let role = attr(element, "role").unwrap_or_default();
        let is_one_of = |roles: &[&str]| roles.iter().any(|one| role.eq_ignore_ascii_case(one));
        const FRAME_ROLES: [&str; 5] =
            ["navigation", "contentinfo", "complementary", "search", "menu"];
        if is_one_of(&["main"]) {
            return Some(Origin::Main);
        }
        // What is urgent is said beside the main content, too.
        if is_one_of(&["article", "alert", "status"]) {
            return Some(Origin::Article);
        }
        if is_one_of(&["banner"]) {
            return Some(Origin::Header);
        }
        let is_modal =
            attr(element, "aria-modal").is_some_and(|is| is.eq_ignore_ascii_case("true"));
        if is_one_of(&["dialog", "alertdialog"]) || is_modal {
            return Some(Origin::Dialog);
        }
        let is_aside = element.name() == "aside";
        if is_one_of(&FRAME_ROLES) && !(is_aside && is_one_of(&["complementary"])) {
            return Some(Origin::Frame);
        }
        match element.name() {
            "main" => Some(Origin::Main),
            "article" => Some(Origin::Article),
            "dialog" => Some(Origin::Dialog),
            "nav" => Some(Origin::Frame),
            "aside" => self.aside(element),
            // An article's own header has its title and its date.
            "header" if self.mains == 0 => Some(Origin::Header),
            "footer" if self.mains == 0 => Some(Origin::Frame),
            "button" | "select" | "summary" => Some(Origin::Control),
            // A link that looks like a button leads somewhere.
            "div" if is_one_of(&["button"]) => Some(Origin::Control),
            // Body and form are often named after what they hold, too.
            "div" | "section" | "ul" | "ol" if !named::is_tab(element) => {
                let origin = |named| match named {
                    Named::Vague => Origin::Vague,
                    Named::Frame => Origin::Name,
                };
                let named = named::named(element, self.mains > 0).map(origin);
                named.or_else(|| self.is_alert(element).then_some(Origin::Alert))
            }
            "p" if self.is_alert(element) => Some(Origin::Alert),
            _ => None,
        }
    }
}

fn is_main(origin: Origin) -> bool {
    matches!(origin, Origin::Main | Origin::Article)
}
