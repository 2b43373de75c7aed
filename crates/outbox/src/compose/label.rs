//! What a leaf of a sentinel's expression is called: "all links", "keyword oil".

use change::{ChangeKind, ChangeType, Leaf};
use std::collections::BTreeSet;

pub(super) fn label(leaf: &Leaf) -> String {
    let mut label = match &leaf.change_type {
        ChangeType::Any => "any change".to_owned(),
        ChangeType::Links => "all links".to_owned(),
        ChangeType::Images => "all images".to_owned(),
        ChangeType::Words { except } if except.is_empty() => "all words".to_owned(),
        ChangeType::Words { except } => format!("all words except {}", list(except)),
        ChangeType::Keywords { words } => format!("{} {}", plural("keyword", words), list(words)),
        ChangeType::Phrases { phrases } => {
            let quoted = phrases.iter().map(|phrase| format!("{phrase:?}")).collect();
            format!("{} {}", plural("phrase", phrases), list(&quoted))
        }
    };
    for kind in &leaf.directions {
        label.push(' ');
        label.push_str(done(*kind));
    }
    if let Some(matching) = &leaf.matching {
        label.push_str(&format!(" matching {matching:?}"));
    }
    label
}

/// What was done to a thing: "added".
pub(super) fn done(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Insert => "added",
        ChangeKind::Delete => "removed",
        ChangeKind::Update => "updated",
        ChangeKind::Move => "moved",
    }
}

fn plural(noun: &str, of: &BTreeSet<String>) -> String {
    format!("{noun}{}", if of.len() == 1 { "" } else { "s" })
}

fn list(words: &BTreeSet<String>) -> String {
    words.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}
