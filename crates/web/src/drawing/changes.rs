//! The change detection graph of a page: from the page over the changes that are looked for to the
//! sentinels that hear of them. Equal parts are one.

use super::{Drawing, Node, draw};
use crate::dashboard::sentinel_place;
use graph::slow::leaf_of;
use sentinel::ast::{Compare, Expr, Fetch, Sentinel};
use std::collections::HashMap;

/// Nodes as they are found, equal ones once.
#[derive(Default)]
struct Found {
    nodes: Vec<Node>,
    known: HashMap<(String, Vec<usize>), usize>,
}

impl Found {
    fn node(&mut self, label: String, class: &'static str, mut parts: Vec<usize>) -> usize {
        if class == "composed" {
            parts.sort_unstable();
            parts.dedup();
        }
        let nodes = &mut self.nodes;
        *self.known.entry((label.clone(), parts.clone())).or_insert_with(|| {
            nodes.push(Node { label, class, parts, ..Node::default() });
            nodes.len() - 1
        })
    }

    fn expression(&mut self, expr: &Expr, below: usize) -> usize {
        let (label, operands): (&str, &[Expr]) = match expr {
            Expr::Leaf(leaf) => {
                return self.node(change::label(&leaf_of(leaf)), "signal", vec![below]);
            }
            Expr::Not(operand) => ("not", std::slice::from_ref(operand)),
            Expr::And(operands) => ("and", operands),
            Expr::Or(operands) => ("or", operands),
        };
        let parts = operands.iter().map(|operand| self.expression(operand, below)).collect();
        self.node(label.to_owned(), "composed", parts)
    }
}

/// Draws what these sentinels look for on a page.
pub(crate) fn of(page: &str, sentinels: &[Sentinel], base: &str) -> Drawing {
    let mut found = Found::default();
    let page_node = found.node(page.to_owned(), "start", Vec::new());
    for sentinel in sentinels {
        let looks = match sentinel.fetch {
            Fetch::OnChange { .. } => "on change".to_owned(),
            Fetch::Every { period, .. } => format!("every {}", period.nominal()),
        };
        let compared = match sentinel.compare {
            Compare::Pairwise => "pairwise".to_owned(),
            Compare::Moving(n) => format!("moving {n}"),
            Compare::Every(n) => format!("every {n}"),
        };
        let group = found.node(format!("{looks}, {compared}"), "group", vec![page_node]);
        let root = found.expression(&sentinel.monitor, group);
        found.nodes.push(Node {
            label: sentinel.name.clone(),
            class: "end",
            place: Some(sentinel_place(&sentinel.name)),
            parts: vec![root],
            ..Node::default()
        });
    }
    draw(&found.nodes, base, format!("What is looked for on {page}"))
}

#[cfg(test)]
mod tests {
    use super::of;
    use askama::Template;
    use chronon::{Instant, Span, Zone};

    fn sentinel(text: &str) -> sentinel::ast::Sentinel {
        let rules = kernel::Config::new(1);
        let kernel = kernel::Kernel::load(rules, kernel::Snapshot::default(), Instant::EPOCH);
        let purpose = kernel::Purpose::Check(sentinel::Redefine::Replace);
        let owner = chronon::OwnerId::FIRST;
        let occasion = kernel::Occasion { owner, purpose, now: Instant::EPOCH };
        let checked = kernel.vet(sentinel::Parsed::of(text).compiled(), occasion).checked;
        assert!(checked.is_ok(), "{:?}", checked.diagnostics);
        let text = &checked.statements[0].canonical;
        sentinel::recall(text, Instant::EPOCH, &Zone::utc(), Span::SECOND).expect("it was checked")
    }

    #[test]
    fn equal_parts_of_two_sentinels_are_one_node() {
        let first = "create sentinel a using https://a.example/ monitor links and images";
        let second = "create sentinel b using https://a.example/ monitor images and links";
        let third = "create sentinel c using https://a.example/ monitor links";
        let all: Vec<_> = [first, second, third].into_iter().map(sentinel).collect();
        let drawing = of("https://a.example/", &all, "");
        let svg = drawing.render().expect("a string");
        // The page, one group, two leaves, one `and`, three sentinels.
        assert_eq!(svg.matches("<rect").count(), 8, "{svg}");
        assert!(svg.contains("href=\"/sentinels/b\""), "{svg}");
    }
}
