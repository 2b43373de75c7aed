//! A body as a tree, for what points into it.

use crate::media::Guess;
use crate::{Hints, Limits, ReadError, html, markdown, media, view, xml};
use scraper::Html;
use serde_json::Value;

/// A body as a tree.
#[derive(Debug, Clone)]
pub enum Tree {
    Html(Html),
    /// XML and feeds. Names keep their case and their name space.
    Xml(Html),
    Json(Value),
}

impl Tree {
    /// The tree of a text that is HTML. Markup beyond [`Limits::nodes_max`] is not in it.
    pub fn html(text: &str, limits: &Limits) -> Tree {
        Tree::Html(html::tree(text, limits).0)
    }

    /// The tree of a text that is XML.
    ///
    /// # Errors
    /// It is not well-formed, or too deep.
    pub fn xml(text: &str, limits: &Limits) -> Result<Tree, ReadError> {
        xml::tree(text, limits).map(|(tree, _)| Tree::Xml(tree))
    }

    /// The tree of a text that is JSON.
    ///
    /// # Errors
    /// It is not well-formed, or too deep.
    pub fn json(text: &str) -> Result<Tree, ReadError> {
        let malformed = |error: serde_json::Error| ReadError::Malformed {
            format: "JSON",
            reason: error.to_string(),
        };
        serde_json::from_str(text).map(Tree::Json).map_err(malformed)
    }
}

/// Reads a body as a tree, where it has one: plain text gives `None`.
///
/// The tree of JSON takes a multiple of the body's bytes.
///
/// # Errors
/// The body cannot be read, as in [`crate::read`].
pub fn tree(body: &[u8], hints: &Hints<'_>, limits: &Limits) -> Result<Option<Tree>, ReadError> {
    let media = media::Media::parse(hints.content_type);
    let text = view::decoded(body, &media, limits)?;
    let text = text.trim_start_matches('\u{feff}');
    let guess = media::guess(text, &media, hints.url.path());
    match guess {
        Guess::Html => Ok(Some(Tree::html(text, limits))),
        Guess::Feed | Guess::Xml | Guess::Drawing => match Tree::xml(text, limits) {
            Err(_) if media::looks_like_html(text) => Ok(Some(Tree::html(text, limits))),
            Err(_) if guess == Guess::Drawing => Ok(Some(Tree::html(media::drawing(text), limits))),
            read => read.map(Some),
        },
        Guess::JsonFeed | Guess::Json => Tree::json(text).map(Some),
        Guess::MaybeJson => Ok(Tree::json(text).ok()),
        Guess::Markdown => Ok(Some(Tree::Html(markdown::tree(text, limits).0))),
        Guess::Csv | Guess::Text => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scraper::Node;

    fn xml(text: &str) -> Html {
        match xml::tree(text, &Limits::default()) {
            Ok((tree, false)) => tree,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn names_of_xml_are_in_the_name_spaces_that_hold_where_they_stand() {
        let tree = xml("<a xmlns='u' xmlns:p='v' p:x='1' y='2'><p:b xmlns=''><c/></p:b><d/></a>");
        let names = tree.tree.nodes().filter_map(|node| node.value().as_element());
        let names: Vec<_> = names.map(|e| format!("{}|{}", e.name.ns, e.name.local)).collect();
        assert_eq!(names, ["u|a", "v|b", "|c", "u|d"]);
        let first = tree.tree.root().first_child().unwrap();
        let attrs = &first.value().as_element().unwrap().attrs;
        let mut attrs: Vec<_> =
            attrs.iter().map(|(name, _)| format!("{}|{}", name.ns, name.local)).collect();
        attrs.sort();
        assert_eq!(attrs, ["v|x", "|y"]);
    }

    #[test]
    fn text_of_xml_around_references_is_one_node() {
        let tree = xml("<a>1 &lt; 2 <![CDATA[& 3]]></a>");
        let texts: Vec<_> = tree.tree.nodes().filter_map(|node| node.value().as_text()).collect();
        assert_eq!(texts.len(), 1);
        assert_eq!(&*texts[0].text, "1 < 2 & 3");
    }

    #[test]
    fn xml_beyond_the_limit_of_nodes_is_left_out() {
        let limits = Limits { nodes_max: 10, ..Limits::default() };
        let (tree, is_cut) =
            xml::tree(&format!("<a>{}</a>", "<b>x</b>".repeat(50)), &limits).unwrap();
        let elements = tree.tree.nodes().filter(|node| matches!(node.value(), Node::Element(_)));
        assert!(is_cut && elements.count() <= 10);
    }
}
