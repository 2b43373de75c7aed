//! Graphs without circles as SVG: in layers from left to right, what is made of others to the
//! right of its parts.
//!
//! Each node stands in the layer after the last of its parts; within a layer, near the middle of
//! its parts. O(n log n + e) for n nodes and e edges. Above [`NODES_MAX`] nodes, those nearest to
//! the ends are drawn, and the others are counted.

pub(crate) mod changes;
pub(crate) mod events;

use askama::Template;
use std::collections::VecDeque;

/// Nodes that one drawing has.
pub(crate) const NODES_MAX: usize = 120;
/// Letters of a label; all of it is in the title.
const LABEL_CHARS: usize = 22;

/// In pixels.
const WIDTH: usize = 172;
const HEIGHT: usize = 44;
const GAP_X: usize = 36;
const GAP_Y: usize = 14;
const MARGIN: usize = 6;

/// A node as it is to be drawn.
#[derive(Debug, Clone, Default)]
pub(crate) struct Node {
    pub(crate) label: String,
    /// A second line, smaller.
    pub(crate) note: String,
    /// How it looks: a class of the style sheet.
    pub(crate) class: &'static str,
    /// Where it leads, below the dashboard's address.
    pub(crate) place: Option<String>,
    /// Positions of nodes before it.
    pub(crate) parts: Vec<usize>,
}

/// What a template shows.
#[derive(Template)]
#[template(path = "graph.html")]
pub(crate) struct Drawing {
    base: String,
    /// For those who do not see it.
    about: String,
    width: usize,
    height: usize,
    nodes: Vec<Placed>,
    edges: Vec<Edge>,
    /// Nodes for which there was no room.
    pub(crate) left_out: usize,
}

/// A node at its place.
struct Placed {
    x: usize,
    y: usize,
    node: Node,
    short: String,
}

/// From a part to what it is a part of.
struct Edge {
    from: (usize, usize),
    to: (usize, usize),
    bend: usize,
}

impl Placed {
    fn middle(&self) -> usize {
        self.x + WIDTH / 2
    }

    fn line(&self) -> usize {
        self.y + if self.node.note.is_empty() { 27 } else { 19 }
    }
}

/// Draws nodes of which each names only parts before it; other parts are passed over.
pub(crate) fn draw(nodes: &[Node], base: &str, about: impl Into<String>) -> Drawing {
    let kept = kept(nodes);
    let left_out = nodes.len() - kept.len();
    let mut new = vec![None; nodes.len()];
    for (place, &old) in kept.iter().enumerate() {
        new[old] = Some(place);
    }
    let mut layers: Vec<usize> = Vec::with_capacity(kept.len());
    let mut drawn: Vec<Placed> = Vec::with_capacity(kept.len());
    for &old in &kept {
        let node = &nodes[old];
        let here = layers.len();
        let parts = node.parts.iter().filter_map(|&part| new.get(part).copied().flatten());
        let parts: Vec<usize> = parts.filter(|&part| part < here).collect();
        layers.push(parts.iter().map(|&part| layers[part] + 1).max().unwrap_or(0));
        let short = shortened(&node.label);
        drawn.push(Placed { x: 0, y: 0, node: Node { parts, ..node.clone() }, short });
    }
    place(&mut drawn, &layers);
    let edge = |to: &Placed, part: usize| {
        let from = &drawn[part];
        let from = (from.x + WIDTH, from.y + HEIGHT / 2);
        Edge { from, to: (to.x, to.y + HEIGHT / 2), bend: (from.0 + to.x) / 2 }
    };
    let edges = drawn.iter().flat_map(|to| to.node.parts.iter().map(move |&part| edge(to, part)));
    let edges = edges.collect();
    let far = |of: fn(&Placed) -> usize| drawn.iter().map(of).max().unwrap_or(0) + MARGIN;
    Drawing {
        base: base.to_owned(),
        about: about.into(),
        width: far(|one| one.x + WIDTH),
        height: far(|one| one.y + HEIGHT),
        nodes: drawn,
        edges,
        left_out,
    }
}

/// The nodes that are drawn, in their order: from the ends backwards, until there are enough.
fn kept(nodes: &[Node]) -> Vec<usize> {
    let mut is_part = vec![false; nodes.len()];
    for part in nodes.iter().flat_map(|node| &node.parts) {
        if let Some(is_part) = is_part.get_mut(*part) {
            *is_part = true;
        }
    }
    let ends = (0..nodes.len()).filter(|&node| !is_part[node]);
    let mut ahead: VecDeque<usize> = ends.collect();
    let mut is_kept = vec![false; nodes.len()];
    let mut count = 0;
    while let Some(node) = ahead.pop_front().filter(|_| count < NODES_MAX) {
        if !std::mem::replace(&mut is_kept[node], true) {
            count += 1;
            ahead.extend(nodes[node].parts.iter().filter(|&&part| part < node));
        }
    }
    (0..nodes.len()).filter(|&node| is_kept[node]).collect()
}

/// Gives every node its place: leaves one below the other, others as near as may be to the middle
/// of their parts.
fn place(drawn: &mut [Placed], layers: &[usize]) {
    let last = layers.iter().copied().max().unwrap_or(0);
    for layer in 0..=last {
        let members = (0..drawn.len()).filter(|&node| layers[node] == layer);
        let mut wanted: Vec<(usize, usize)> = members
            .enumerate()
            .map(|(nth, node)| {
                let parts = &drawn[node].node.parts;
                let sum: usize = parts.iter().map(|&part| drawn[part].y).sum();
                let middle = sum.checked_div(parts.len());
                (middle.unwrap_or(MARGIN + nth * (HEIGHT + GAP_Y)), node)
            })
            .collect();
        wanted.sort_unstable();
        let mut free = MARGIN;
        for (y, node) in wanted {
            let y = y.max(free);
            free = y + HEIGHT + GAP_Y;
            (drawn[node].x, drawn[node].y) = (MARGIN + layer * (WIDTH + GAP_X), y);
        }
    }
}

fn shortened(label: &str) -> String {
    if label.chars().count() <= LABEL_CHARS {
        return label.to_owned();
    }
    label.chars().take(LABEL_CHARS - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(label: &str, parts: &[usize]) -> Node {
        Node { label: label.to_owned(), parts: parts.to_vec(), ..Node::default() }
    }

    #[test]
    fn parts_stand_to_the_left_and_no_two_nodes_overlap() {
        let nodes = [
            node("a", &[]),
            node("b", &[]),
            node("a ; b", &[0, 1]),
            node("not", &[0, 2, 1]),
            node("r", &[3]),
        ];
        let drawing = draw(&nodes, "", "an event");
        assert_eq!((drawing.nodes.len(), drawing.edges.len(), drawing.left_out), (5, 6, 0));
        for one in &drawing.nodes {
            assert!(one.node.parts.iter().all(|&part| drawing.nodes[part].x < one.x));
            assert!(one.x + WIDTH <= drawing.width && one.y + HEIGHT <= drawing.height);
        }
        for (nth, one) in drawing.nodes.iter().enumerate() {
            let apart = |other: &Placed| other.x != one.x || other.y.abs_diff(one.y) >= HEIGHT;
            assert!(drawing.nodes[..nth].iter().all(apart));
        }
    }

    #[test]
    fn what_it_says_is_escaped_and_a_long_label_is_cut() {
        let label = format!("<script>{}\"&", "x".repeat(30));
        let svg = draw(&[node(&label, &[])], "/base", "\"><b>").render().expect("a string");
        assert!(!svg.contains("<script>") && !svg.contains("<b>"), "{svg}");
        let short = drawing_label(&svg);
        assert!(short.ends_with('…'), "{short}");
    }

    fn drawing_label(svg: &str) -> &str {
        let text = svg.split("<text").nth(1).expect("a text");
        let (_, text) = text.split_once('>').expect("a tag ends");
        text.split('<').next().expect("a text")
    }

    #[test]
    fn a_graph_that_is_too_large_keeps_its_ends_and_counts_the_rest() {
        let mut nodes: Vec<Node> = (0..500).map(|nth| node(&nth.to_string(), &[])).collect();
        nodes.push(node("all", &(0..500).collect::<Vec<_>>()));
        let drawing = draw(&nodes, "", "many");
        assert_eq!((drawing.nodes.len(), drawing.left_out), (NODES_MAX, 501 - NODES_MAX));
        assert!(drawing.nodes.iter().any(|one| one.node.label == "all"));
        // Parts that do not stand before it, and circles, are passed over.
        let odd = draw(&[node("a", &[1]), node("b", &[0, 7])], "", "odd");
        assert!(odd.nodes.len() <= 2 && odd.edges.len() <= 1);
        assert_eq!(draw(&[], "", "none").nodes.len(), 0);
    }
}
