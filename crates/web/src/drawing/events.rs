//! The event graph: what rules listen to, equal parts once.

use super::{Drawing, Node, draw};
use crate::dashboard::rule_place;
use kernel::view::RuleView;
use std::collections::HashMap;

/// Draws the events of these rules.
pub(crate) fn of(rules: &[RuleView], base: &str) -> Drawing {
    let (mut nodes, mut known) = (Vec::new(), HashMap::new());
    for rule in rules {
        for node in &rule.nodes {
            if known.contains_key(&node.id) {
                continue;
            }
            let open = rule.open.iter().filter(|open| open.node == node.id).count();
            let parts = node.parts.iter().filter_map(|part| known.get(part).copied()).collect();
            let note = match open {
                0 => String::new(),
                open => format!("{open} open"),
            };
            known.insert(node.id, nodes.len());
            let class = if node.operator.is_some() { "composed" } else { "signal" };
            nodes.push(Node { label: node.label.clone(), note, class, place: None, parts });
        }
        let root = rule.nodes.last().and_then(|root| known.get(&root.id)).copied();
        let state =
            if rule.life.is_enabled { acted(rule.life.fired) } else { "disabled".to_owned() };
        nodes.push(Node {
            label: rule.row.name.to_string(),
            note: state,
            class: "end",
            place: Some(rule_place(&rule.row.name)),
            parts: root.into_iter().collect(),
        });
    }
    let names: Vec<&str> = rules.iter().take(5).map(|rule| &*rule.row.name).collect();
    draw(&nodes, base, format!("What leads to the rules {}", names.join(", ")))
}

fn acted(times: u64) -> String {
    match times {
        0 => "not acted yet".to_owned(),
        1 => "acted once".to_owned(),
        times => format!("acted {times} times"),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_rule_that_acted_once_says_so() {
        assert_eq!([0, 1, 2].map(super::acted), ["not acted yet", "acted once", "acted 2 times"]);
    }
}
