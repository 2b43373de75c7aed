//! Boxes beside the main content that say so in their heading: "Most read", "Others bought".

use ego_tree::{NodeId, NodeRef};
use scraper::Node;

/// A box that is open.
pub(super) struct Aside {
    /// The level of its heading; the next one of it or above ends the box.
    pub(super) level: u8,
    /// The element that holds it; its end ends the box.
    pub(super) place: NodeId,
}

/// What such headings say, in lower case; sorted.
const HEADINGS: [&str; 46] = [
    "advertisement",
    "articles similaires",
    "articoli correlati",
    "artículos relacionados",
    "customers also bought",
    "customers also viewed",
    "das könnte sie auch interessieren",
    "les plus lus",
    "lo más leído",
    "mehr zum thema",
    "meistgelesen",
    "more for you",
    "more like this",
    "more stories",
    "most popular",
    "most read",
    "most viewed",
    "others also bought",
    "others bought",
    "people also bought",
    "people also viewed",
    "popular articles",
    "popular now",
    "popular posts",
    "popular stories",
    "read next",
    "recommended",
    "recommended articles",
    "recommended for you",
    "recommended reading",
    "related",
    "related articles",
    "related content",
    "related posts",
    "related products",
    "related stories",
    "related topics",
    "sponsored",
    "suggested articles",
    "suggested topics",
    "te puede interesar",
    "trending",
    "trending now",
    "you may also like",
    "you might also like",
    "à lire aussi",
];

/// Whether a heading stands over a box beside the main content: "Most read".
pub fn is_aside(heading: &str) -> bool {
    let said = heading.trim_end_matches([':', '…', '.']).to_lowercase();
    HEADINGS.binary_search(&&*said).is_ok()
}

/// The element that holds the box of this heading; `None`: it is the page's, or its main content.
pub(super) fn place(heading: NodeRef<'_, Node>) -> Option<NodeId> {
    let is_alone = |node: &NodeRef<'_, Node>| {
        node.children().filter(|child| child.value().is_element()).nth(1).is_none()
    };
    let place = heading.ancestors().find(|node| !is_alone(node))?;
    let element = place.value().as_element()?;
    let is_page = matches!(element.name(), "html" | "body" | "main" | "article");
    (!is_page).then(|| place.id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_headings_are_sorted() {
        assert!(HEADINGS.is_sorted());
        assert!(is_aside("Most read:") && !is_aside("Latest"));
    }
}
