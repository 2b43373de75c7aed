//! Which rows of tables are one block each: those of data. Tables also lay out whole pages.

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
