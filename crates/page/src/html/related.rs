//! Boxes beside the main content that say so in their heading: "Most read", "Others bought".

use ego_tree::{NodeId, NodeRef};
use scraper::Node;

mod words;

use words::{LANGUAGES, Language};

/// A box that is open.
pub(super) struct Aside {
    /// The level of its heading; the next one of it or above ends the box.
    pub(super) level: u8,
    /// The element that holds it; its end ends the box.
    pub(super) place: NodeId,
}

/// Longer headings say more.
const BYTES_MAX: usize = 120;

/// Whether a heading stands over a box beside the main content: "Most read".
pub fn is_aside(heading: &str) -> bool {
    if heading.len() > BYTES_MAX {
        return false;
    }
    let lower = heading.to_lowercase().replace('’', "'");
    let words = lower.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    // Another sign says more than a list does: "Related: +3 %".
    let is_plain = |c: char| c.is_alphanumeric() || c.is_whitespace() || "'-:….!?".contains(c);
    lower.chars().all(is_plain) && {
        let said = words.join(" ");
        LANGUAGES.iter().any(|one| one.alone.contains(&&*said) || one.heads_with(&words))
    }
}

impl Language {
    /// Whether these words say what such a box is, with what may stand beside it.
    fn heads_with(&self, words: &[&str]) -> bool {
        let (mut rest, mut is_whole, mut has_kind, mut has_thing) = (words, false, false, false);
        while !rest.is_empty() {
            let heads = longest(self.heads, rest);
            let kinds = longest(self.kinds, rest);
            let things = longest(self.things, rest);
            let beside = longest(self.beside, rest);
            let step = heads.max(kinds).max(things);
            if step.max(beside) == 0 {
                return false;
            }
            is_whole |= heads > 0 && heads == step;
            has_kind |= kinds > 0 && kinds == step;
            has_thing |= things > 0 && things == step;
            rest = &rest[if step == 0 { beside } else { step }..];
        }
        is_whole || has_kind && has_thing
    }
}

/// How many words the longest of these phrases, which are sorted, takes of the first ones.
fn longest(phrases: &[&str], words: &[&str]) -> usize {
    let from = phrases.partition_point(|phrase| *phrase < words[0]);
    let near = phrases[from..].iter().take_while(|phrase| phrase.starts_with(words[0]));
    let begins = |phrase: &&&str| {
        let mut own = words.iter();
        phrase.split(' ').all(|word| own.next() == Some(&word))
    };
    near.filter(begins).map(|phrase| phrase.split(' ').count()).max().unwrap_or(0)
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
    fn headings_of_boxes_are_known_in_many_languages() {
        for heading in [
            "Most read:",
            "Related",
            "Related articles",
            "Related products",
            "Similar products",
            "Similar items you may like",
            "More similar products",
            "Frequently bought together",
            "Customers who bought this item also bought",
            "You might also like…",
            "Ähnliche Artikel",
            "Weitere ähnliche Produkte",
            "Das könnte Ihnen auch gefallen",
            "Kunden kauften auch",
            "Wird oft zusammen gekauft",
            "Vous aimerez aussi",
            "Produits similaires",
            "D’autres produits similaires",
            "También te puede interesar",
            "Productos relacionados",
            "Prodotti correlati",
            "Potrebbe interessarti anche",
            "Vergelijkbare producten",
            "Anderen bekeken ook",
            "Produtos relacionados",
            "Podobne produkty",
            "Liknande produkter",
            "Lignende produkter",
            "Podobné produkty",
            "関連商品",
            "この商品を買った人はこんな商品も買っています",
        ] {
            assert!(is_aside(heading), "{heading}");
        }
    }

    #[test]
    fn headings_of_content_are_none_of_boxes() {
        for heading in [
            "",
            "Latest",
            "Products",
            "More products",
            "All items",
            "Similar",
            "Similar products recalled",
            "Similar cases",
            "Related documents",
            "Related party transactions",
            "Related products: 12 % off",
            "Recommended retail price",
            "Frequently asked questions",
            "Ähnliche Fälle",
            "Produkte",
            "Weitere Artikel",
            "Productos",
            "Autres produits",
            "商品",
        ] {
            assert!(!is_aside(heading), "{heading}");
        }
    }

    #[test]
    fn each_phrase_is_in_lower_case_and_stands_once() {
        for one in &LANGUAGES {
            let lists = [one.alone, one.heads, one.kinds, one.things, one.beside];
            assert!(lists.iter().all(|list| list.is_sorted()), "{:?}", one.alone);
            let all = || lists.iter().copied().flatten();
            for phrase in all() {
                let is_plain = phrase.to_lowercase() == **phrase
                    && phrase.split(' ').all(|word| !word.is_empty())
                    && phrase.chars().all(|c| c.is_alphanumeric() || c == ' ' || c == '\'');
                assert!(is_plain, "{phrase}");
                assert_eq!(all().filter(|other| *other == phrase).count(), 1, "{phrase}");
            }
        }
    }
}
