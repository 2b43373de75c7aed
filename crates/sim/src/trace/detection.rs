//! A detection in one line: the leaves that held, and what they saw.

use change::{Change, ChangeKind, ChangeType, Compared, LeafHits, RoundResult, Thing, label};
use outbox::Detection;
use std::collections::BTreeSet;
use store::Reader;

/// Changes of a leaf that are written out.
const CHANGES_MAX: usize = 3;

pub(super) fn describe(row: &Detection, reader: &dyn Reader) -> Result<String, String> {
    let results = row.evidence.iter().map(|piece| {
        let bytes = reader.blob(piece.result).map_err(|error| error.to_string())?;
        let bytes =
            bytes.ok_or_else(|| format!("I-STORED: the result of {:?} is not stored", row.id))?;
        change::decode(&bytes).map_err(|error| error.to_string())
    });
    let results: Vec<RoundResult> = results.collect::<Result<_, _>>()?;
    let mut combinations = Vec::new();
    for combination in &row.combinations {
        let mut leaves = Vec::new();
        for place in combination {
            let result = results.get(place.evidence as usize);
            let compared = result.and_then(|one| one.comparisons.get(place.comparison as usize));
            let leaf = compared.and_then(|one| Some((one, one.leaves.get(place.leaf as usize)?)));
            let (compared, hits) = leaf.ok_or("a combination names a leaf that is not there")?;
            leaves.push(describe_leaf(compared, hits));
        }
        let unmet = leaves.is_empty();
        combinations.push(if unmet { "what was not to be".into() } else { leaves.join(" and ") });
    }
    let mut seen = BTreeSet::new();
    combinations.retain(|text: &String| seen.insert(text.clone()));
    Ok(combinations.join(" or "))
}

fn describe_leaf(compared: &Compared, hits: &LeafHits) -> String {
    let ChangeType { aspect, terms, .. } = &hits.leaf.change_type;
    let single = aspect.row().terms.are_needed() && terms.len() == 1;
    let changes = hits.hits.iter().filter_map(|&at| compared.changes.get(at as usize));
    let shown: Vec<String> =
        changes.take(CHANGES_MAX).map(|change| describe_change(change, single)).collect();
    let mut text = format!("{} {}", label(&hits.leaf), shown.join(", "));
    if hits.hits_total as usize > CHANGES_MAX {
        text.push_str(&format!(", … {} in all", hits.hits_total));
    }
    text
}

fn describe_change(change: &Change, single: bool) -> String {
    let kind = match change.kind {
        ChangeKind::Insert => "inserted",
        ChangeKind::Delete => "deleted",
        ChangeKind::Update => "updated",
        ChangeKind::Move => "moved",
    };
    match (&change.old, &change.new) {
        (Some(Thing::Word { count: old, .. }), Some(Thing::Word { count: new, word })) => {
            if single {
                format!("{kind} {old} to {new}")
            } else {
                format!("{kind} \"{word}\" {old} to {new}")
            }
        }
        (Some(old), Some(new)) if change.kind == ChangeKind::Update => {
            format!("{kind} {} to {}", thing(old), thing(new))
        }
        (None, Some(_)) | (Some(_), None) if single => kind.to_owned(),
        (old, new) => match new.as_ref().or(old.as_ref()) {
            Some(one) => format!("{kind} {}", thing(one)),
            None => kind.to_owned(),
        },
    }
}

fn thing(thing: &Thing) -> String {
    match thing {
        Thing::Link { href, text } => format!("\"{text}\" {href}"),
        Thing::Image { src, alt } => format!("\"{alt}\" {src}"),
        Thing::Value { text, .. } => format!("\"{text}\""),
        Thing::Item { title, href, .. } => format!("\"{title}\" {href}"),
        Thing::Word { word, .. } => format!("\"{word}\""),
        Thing::Text { text } => {
            let short: String = text.chars().take(48).collect();
            let more = if short.len() < text.len() { "…" } else { "" };
            format!("\"{short}{more}\"")
        }
    }
}
