//! Which rows of tables, and which terms of lists with what is said of them, are one block each:
//! those of data. Tables also lay out whole pages.

use super::blocks;
use ego_tree::NodeRef;
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
