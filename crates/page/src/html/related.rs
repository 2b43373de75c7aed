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
const HEADINGS: [&str; 80] = [
    "advertisement",
    "articles similaires",
    "articoli correlati",
    "artículos relacionados",
    "avis clients",
    "avis des clients",
    "customer reviews",
    "customers also bought",
    "customers also viewed",
    "das könnte sie auch interessieren",
    "did you know",
    "foto del día",
    "foto del giorno",
    "foto des tages",
    "frequently bought together",
    "klantbeoordelingen",
    "kundenbewertungen",
    "kundenrezensionen",
    "latest tweets",
    "le saviez-vous",
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
    "opiniones de clientes",
    "others also bought",
    "others bought",
    "our tweets",
    "people also bought",
    "people also viewed",
    "photo du jour",
    "photo of the day",
    "popular articles",
    "popular now",
    "popular posts",
    "popular stories",
    "quote of the day",
    "read next",
    "recensioni clienti",
    "recensioni dei clienti",
    "recent tweets",
    "recently viewed",
    "recently viewed items",
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
    "tip of the day",
    "tipp des tages",
    "trending",
    "trending now",
    "tweets",
    "veranstaltungstipp",
    "wird oft zusammen gekauft",
    "word of the day",
    "wussten sie schon",
    "you may also like",
    "you might also like",
    "zitat des tages",
    "à lire aussi",
    "あわせて読みたい",
    "おすすめ",
    "関連記事",
];

/// How other such headings begin, "Most popular tables", and how long they are.
const BEGINNINGS: [&str; 4] = ["most downloaded ", "most popular ", "most read ", "most viewed "];
const BEGUN_BYTES_MAX: usize = 32;

/// Whether a heading stands over a box beside the main content: "Most read".
pub fn is_aside(heading: &str) -> bool {
    let said = heading.trim_end_matches([':', '…', '.', '?', ' ', '\u{a0}']).to_lowercase();
    let is_ranked = BEGINNINGS.iter().any(|words| said.starts_with(words));
    is_ranked && said.len() <= BEGUN_BYTES_MAX || HEADINGS.binary_search(&&*said).is_ok()
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
        assert!(is_aside("Most popular tables") && !is_aside("Popular courses"));
        assert!(is_aside("Did you know?") && is_aside("Customer reviews"));
    }
}
