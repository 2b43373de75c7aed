//! Two whole texts side by side: every block of both, and what became of it.

use crate::aspects::any::{Likeness, Step, difference};
use crate::{ChangeKind, Limits};
use page::{Block, Extract};
use std::collections::{BTreeMap, BTreeSet};

/// A block of the newer text, of the older one, or of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row<'e> {
    /// `None`: it stayed as it was.
    pub kind: Option<ChangeKind>,
    pub old: Option<&'e Block>,
    pub new: Option<&'e Block>,
}

/// Both texts in reading order of the newer one; what is gone stands where it was.
///
/// The rows hold each block of both texts once. Their new blocks are in the order of `new`; their
/// old ones, without those that moved, in the order of `old`.
pub fn aligned<'e>(old: &'e Extract, new: &'e Extract, limits: &Limits) -> Vec<Row<'e>> {
    let texts = |extract: &'e Extract| -> Vec<&'e str> {
        extract.blocks.iter().map(|block| block.text.as_str()).collect()
    };
    let steps = difference(&texts(old), &texts(new), Likeness::Words, limits);
    let (mut gone, mut came) = (BTreeSet::new(), BTreeSet::new());
    for step in &steps {
        let (o, n) = places(*step);
        gone.extend(o);
        came.extend(n);
    }
    let stay = |count: usize, others: &BTreeSet<usize>| -> Vec<usize> {
        (0..count).filter(|at| !others.contains(at)).collect()
    };
    let olds = stay(old.blocks.len(), &gone);
    let news = stay(new.blocks.len(), &came);
    // What changed stands before the first block that stays after it.
    let rank = |step: &Step| match places(*step) {
        (Some(o), None) => olds.partition_point(|&stays| stays < o),
        (_, n) => news.partition_point(|&stays| Some(stays) < n),
    };
    let row = |step: &Step| {
        let (o, n) = places(*step);
        let kind = match step {
            Step::Insert(_) => ChangeKind::Insert,
            Step::Delete(_) => ChangeKind::Delete,
            Step::Update(..) => ChangeKind::Update,
            Step::Move(..) => ChangeKind::Move,
        };
        let (old, new) = (o.map(|at| &old.blocks[at]), n.map(|at| &new.blocks[at]));
        Row { kind: Some(kind), old, new }
    };
    let mut groups: BTreeMap<usize, Vec<Step>> = BTreeMap::new();
    steps.iter().for_each(|step| groups.entry(rank(step)).or_default().push(*step));
    let mut rows = Vec::with_capacity(steps.len() + olds.len());
    for at in 0..=olds.len() {
        let group = groups.remove(&at).unwrap_or_default();
        rows.extend(in_order(group).iter().map(&row));
        if let (Some(&o), Some(&n)) = (olds.get(at), news.get(at)) {
            rows.push(Row { kind: None, old: Some(&old.blocks[o]), new: Some(&new.blocks[n]) });
        }
    }
    rows
}

/// Steps between the same blocks: what is gone stands before the first that came, unless it stood
/// after one that was updated.
fn in_order(group: Vec<Step>) -> Vec<Step> {
    let is_gone = |step: &Step| matches!(step, Step::Delete(_));
    let (gone, others): (Vec<Step>, Vec<Step>) = group.into_iter().partition(is_gone);
    let mut gone = gone.into_iter().peekable();
    let mut ordered = Vec::new();
    for (at, step) in others.iter().enumerate() {
        let next = others[at..].iter().find_map(|step| match step {
            Step::Update(o, _) => Some(*o),
            _ => None,
        });
        let stood_before = |step: &Step| next.is_none_or(|next| places(*step).0 < Some(next));
        while let Some(step) = gone.next_if(stood_before) {
            ordered.push(step);
        }
        ordered.push(*step);
    }
    ordered.extend(gone);
    ordered
}

/// Where the block was, and where it is.
fn places(step: Step) -> (Option<usize>, Option<usize>) {
    match step {
        Step::Insert(n) => (None, Some(n)),
        Step::Delete(o) => (Some(o), None),
        Step::Update(o, n) | Step::Move(o, n) => (Some(o), Some(n)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(blocks: &[&str]) -> Extract {
        let html: String = blocks.iter().map(|block| format!("<p>{block}</p>")).collect();
        let url = url::Url::parse("https://a.example/").unwrap();
        let hints = page::Hints { content_type: Some("text/html"), url: &url };
        page::read(html.as_bytes(), &hints, &page::Limits::default()).unwrap()
    }

    fn drawn(old: &[&str], new: &[&str]) -> Vec<String> {
        let (old, new) = (text(old), text(new));
        let said = |block: Option<&Block>| block.map_or("", |block| &block.text).to_owned();
        let row = |row: &Row<'_>| match row.kind {
            None => format!("  {}", said(row.new)),
            Some(ChangeKind::Insert) => format!("+ {}", said(row.new)),
            Some(ChangeKind::Delete) => format!("- {}", said(row.old)),
            Some(ChangeKind::Update) => format!("~ {} > {}", said(row.old), said(row.new)),
            Some(ChangeKind::Move) => format!("^ {}", said(row.new)),
        };
        aligned(&old, &new, &Limits::default()).iter().map(row).collect()
    }

    #[test]
    fn what_is_gone_stands_where_it_was() {
        assert_eq!(
            drawn(
                &["head", "a long gone line", "Lisbon 40", "foot"],
                &["head", "Lisbon 35", "foot"]
            ),
            ["  head", "- a long gone line", "~ Lisbon 40 > Lisbon 35", "  foot"]
        );
        assert_eq!(drawn(&["a"], &["a", "b"]), ["  a", "+ b"]);
        assert_eq!(drawn(&["a", "b", "c"], &["c", "a", "b"]), ["^ c", "  a", "  b"]);
        assert_eq!(drawn(&["a", "b"], &["a", "b"]), ["  a", "  b"]);
    }

    proptest! {
        #[test]
        fn the_rows_are_both_texts(
            old in prop::collection::vec(prop::sample::select(&["a", "b", "c x", "d x y"][..]), 0..9),
            new in prop::collection::vec(prop::sample::select(&["a", "b", "c z", "d x q"][..]), 0..9),
        ) {
            let (old, new) = (text(&old), text(&new));
            let rows = aligned(&old, &new, &Limits::default());
            let news: Vec<&Block> = rows.iter().filter_map(|row| row.new).collect();
            prop_assert_eq!(news, new.blocks.iter().collect::<Vec<_>>());
            let still: Vec<&str> = rows
                .iter()
                .filter(|row| row.kind != Some(ChangeKind::Move))
                .filter_map(|row| Some(row.old?.text.as_str()))
                .collect();
            let mut olds = old.blocks.iter().map(|block| block.text.as_str());
            prop_assert!(still.iter().all(|text| olds.any(|old| old == *text)), "in order");
            let count = rows.iter().filter(|row| row.old.is_some()).count();
            prop_assert_eq!(count, old.blocks.len());
            for row in &rows {
                let same = row.old.map(|b| &b.text) == row.new.map(|b| &b.text);
                let stays = matches!(row.kind, None | Some(ChangeKind::Move));
                prop_assert_eq!(same, stays);
            }
        }
    }
}
