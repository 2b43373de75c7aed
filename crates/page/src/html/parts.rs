//! Which part of a page an element opens: its main content, or the frame around it.

use super::blocks::attr;
use crate::Part;
use ego_tree::NodeId;
use scraper::node::Element;

/// The parts that are open.
#[derive(Default)]
pub(super) struct Parts {
    open: Vec<(NodeId, Part)>,
    /// Open elements of main content: `main`, `article`.
    mains: u32,
    has_main: bool,
}

impl Parts {
    /// An element opens; `Some`: from here on text belongs to this part.
    pub(super) fn open(&mut self, node: NodeId, element: &Element) -> Option<Part> {
        let part = self.part(element)?;
        self.mains += u32::from(part.is_main());
        self.has_main |= part.is_main();
        self.open.push((node, part));
        Some(part)
    }

    /// An element closes; `Some`: from here on text belongs to this part again.
    pub(super) fn close(&mut self, node: NodeId) -> Option<Part> {
        self.open.pop_if(|(open, _)| *open == node).map(|(_, part)| {
            self.mains -= u32::from(part.is_main());
            self.current()
        })
    }

    /// The part that text belongs to now.
    pub(super) fn current(&self) -> Part {
        self.open.last().map_or(Part::Main, |&(_, part)| part)
    }

    /// Whether the page has said of any part that it is main content.
    pub(super) fn has_main(&self) -> bool {
        self.has_main
    }

    fn part(&self, element: &Element) -> Option<Part> {
        let role = attr(element, "role").unwrap_or_default();
        let is_one_of = |roles: &[&str]| roles.iter().any(|one| role.eq_ignore_ascii_case(one));
        const FRAME_ROLES: [&str; 8] = [
            "navigation",
            "banner",
            "contentinfo",
            "complementary",
            "search",
            "dialog",
            "alertdialog",
            "menu",
        ];
        if is_one_of(&["main", "article"]) {
            return Some(Part::Main);
        }
        if is_one_of(&FRAME_ROLES) || attr(element, "aria-modal").is_some() {
            return Some(Part::Frame);
        }
        match element.name() {
            "main" | "article" => Some(Part::Main),
            "nav" | "aside" | "dialog" => Some(Part::Frame),
            // An article's own header has its title and its date.
            "header" | "footer" if self.mains == 0 => Some(Part::Frame),
            // Body and form are often named after what they hold, too.
            "div" | "section" | "ul" | "ol" => names_frame(element).then_some(Part::Frame),
            _ => None,
        }
    }
}

/// Whether id or classes say that an element is not the main content. Words are whole: `nav`,
/// `site-footer`, `cookieBanner`.
fn names_frame(element: &Element) -> bool {
    const WORDS: [&str; 24] = [
        "ad",
        "ads",
        "advert",
        "advertisement",
        "breadcrumb",
        "breadcrumbs",
        "consent",
        "cookie",
        "cookies",
        "footer",
        "gdpr",
        "megamenu",
        "modal",
        "nav",
        "navbar",
        "navigation",
        "newsletter",
        "pagination",
        "popup",
        "recommended",
        "related",
        "share",
        "sidebar",
        "social",
    ];
    // What has a sidebar, or goes without, is none.
    const OTHERS: [&str; 5] = ["has", "no", "under", "with", "without"];
    let names = [attr(element, "id"), attr(element, "class")].into_iter().flatten();
    let mut names = names.flat_map(str::split_ascii_whitespace).take(NAMES_MAX);
    let mut room = String::new();
    names.any(|name| {
        let (mut is_frame, mut is_other) = (false, false);
        each_word(name, &mut room, |word| {
            is_frame |= WORDS.binary_search(&word).is_ok();
            is_other |= OTHERS.binary_search(&word).is_ok();
        });
        is_frame && !is_other
    })
}

/// Says the words of a name in lower case: `siteFooter` and `site-footer` have two. Some are empty.
fn each_word(name: &str, room: &mut String, mut say: impl FnMut(&str)) {
    room.clear();
    let mut lower = false;
    for c in name.chars().take(NAME_CHARS_MAX) {
        if !c.is_ascii_alphabetic() || (c.is_ascii_uppercase() && lower) {
            say(room);
            room.clear();
        }
        lower = c.is_ascii_lowercase();
        if c.is_ascii_alphabetic() {
            room.push(c.to_ascii_lowercase());
        }
    }
    say(room);
}

/// Names of an element, and characters of a name, that are looked at.
const NAMES_MAX: usize = 20;
const NAME_CHARS_MAX: usize = 50;

#[cfg(test)]
mod tests {
    use super::each_word;

    #[test]
    fn a_name_has_words_however_it_is_written() {
        let words = |name| {
            let mut words = Vec::new();
            each_word(name, &mut String::new(), |word| words.push(word.to_owned()));
            words.retain(|word| !word.is_empty());
            words
        };
        assert_eq!(words("siteFooter main_nav x2y"), ["site", "footer", "main", "nav", "x", "y"]);
    }
}
