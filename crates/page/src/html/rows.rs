//! Which rows of tables, and which terms of lists with what is said of them, are one block each:
//! those of data. Tables also lay out whole pages.

use super::blocks;
use ego_tree::{NodeId, NodeRef};
use scraper::Node;

/// Nodes of a row of data, and bytes of its text.
const NODES_MAX: usize = 200;
const BYTES_MAX: usize = 1_000;

/// Whether a row has nothing but short cells: no lists, tables or headings. O(1).
pub(super) fn is_plain(row: NodeRef<'_, Node>) -> bool {
    let mut bytes = 0;
    for (nth, node) in row.descendants().skip(1).enumerate() {
        match node.value() {
            _ if nth >= NODES_MAX => return false,
            Node::Text(text) => bytes += text.text.len(),
            Node::Element(element) => {
                let name = element.name();
                if blocks::is_block(name) && !matches!(name, "td" | "th" | "p" | "div" | "button") {
                    return false;
                }
            }
            _ => {}
        }
        if bytes > BYTES_MAX {
            return false;
        }
    }
    true
}

/// Whether this row around a node has several cells. A lone cell lays out what stands in it.
pub(super) fn has_cells(node: NodeRef<'_, Node>, row: NodeId) -> bool {
    let row = node.ancestors().find(|node| node.id() == row && is_named(*node, "tr"));
    let cells = row.into_iter().flat_map(|row| row.children());
    cells.filter(|node| node.value().is_element()).nth(1).is_some()
}

/// Whether a `dt` and the `dd` after it are one block.
pub(super) fn is_term(node: NodeRef<'_, Node>) -> bool {
    let next = || node.next_siblings().find(|next| next.value().is_element());
    is_named(node, "dt") && is_plain(node) && next().is_some_and(|next| is_said(next))
}

/// Whether a `dd` goes on with the block of the `dt` before it.
pub(super) fn is_said_of_term(node: NodeRef<'_, Node>) -> bool {
    let before = || node.prev_siblings().find(|before| before.value().is_element());
    is_said(node) && before().is_some_and(|term| is_named(term, "dt") && is_plain(term))
}

fn is_said(node: NodeRef<'_, Node>) -> bool {
    is_named(node, "dd") && is_plain(node)
}

fn is_named(node: NodeRef<'_, Node>, name: &str) -> bool {
    node.value().as_element().is_some_and(|element| element.name() == name)
}

/// How deep a picture stands in its cell, nodes of the cell, and bytes of the name of a sign.
const SIGN_DEPTH_MAX: usize = 4;
const SIGN_NODES_MAX: usize = 20;
const SIGN_BYTES_MAX: usize = 40;

/// Whether an icon with a short name is all that a cell of a table says: a tick, a flag. O(1).
pub(super) fn is_all_of_cell(picture: NodeRef<'_, Node>) -> bool {
    let name = picture.value().as_element().and_then(|element| blocks::attr(element, "alt"));
    let is_sign = name.is_some_and(|name| (1..=SIGN_BYTES_MAX).contains(&name.trim().len()));
    let is_cell = |node: &NodeRef<'_, Node>| ["td", "th"].iter().any(|name| is_named(*node, name));
    let Some(cell) = picture.ancestors().take(SIGN_DEPTH_MAX).find(is_cell) else { return false };
    let says_nothing = |node: NodeRef<'_, Node>| match node.value() {
        Node::Text(text) => text.text.trim().is_empty(),
        Node::Element(element) => element.name() != "img" || node.id() == picture.id(),
        _ => true,
    };
    let mut nodes = cell.descendants().skip(1).take(SIGN_NODES_MAX + 1).enumerate();
    is_sign && nodes.all(|(nth, node)| nth < SIGN_NODES_MAX && says_nothing(node))
}

#[cfg(test)]
mod tests {
    use crate::{Hints, Limits, read};

    #[test]
    fn a_row_is_whole_though_lines_of_a_cell_stand_apart() {
        let url = url::Url::parse("https://a.example/").expect("a URL");
        let hints = Hints { content_type: Some("text/html"), url: &url };
        let texts = |body: &str| -> Vec<String> {
            let extract = read(body.as_bytes(), &hints, &Limits::default()).expect("it is a page");
            extract.blocks.into_iter().map(|block| block.text).collect()
        };
        let row = "<tr><td>Basic<td>One user<br><br>Two projects<td>5 EUR</tr>";
        assert_eq!(texts(&format!("<table>{row}")), ["Basic | One user Two projects | 5 EUR"]);
        assert_eq!(texts("<table><tr><td>One.<br><br>Two."), ["One.", "Two."], "a layout");
    }

    #[test]
    fn a_sign_that_is_all_of_a_cell_is_its_text() {
        let url = url::Url::parse("https://a.example/").expect("a URL");
        let hints = Hints { content_type: Some("text/html"), url: &url };
        let body = "<table><tr><th>Branch<th>Tools<tr><td>Ashby<td><a href=/t><img src=y.png width=16 \
            height=16 alt=yes></a><tr><td>Holt<td>from May <img src=y.png alt=yes></table>\
            <p>Kirby <img src=y.png alt=yes>";
        let extract = read(body.as_bytes(), &hints, &Limits::default()).expect("it can be read");
        let texts: Vec<&str> = extract.blocks.iter().map(|block| &*block.text).collect();
        assert_eq!(texts, ["Branch | Tools", "Ashby | yes", "Holt | from May", "Kirby"]);
        assert_eq!(extract.images.len(), 3);
    }
}
