//! What must hold for any two texts; called by the fuzz target and, bounded, by tests.

use crate::{
    Aspect, ChangeType, Comparison, Leaf, Limits, RoundRequest, compare, decode, encode, run,
};
use chronon::VersionNo;
use page::{Block, Extract, Image, Kind, Link};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Splits `bytes` at 0xFF into the old text, the new text and words, one block or word a line.
/// Compares the texts in every way, under tight limits and loose ones.
///
/// # Panics
/// When equal versions differ, a limit does not hold, a leaf's numbers contradict each other, or a
/// result does not survive the store.
pub fn fuzz(bytes: &[u8]) {
    let mut parts = bytes.split(|&byte| byte == 0xFF).map(String::from_utf8_lossy);
    let mut next = || parts.next().unwrap_or_default().into_owned();
    let (old, new, words) = (version(&next()), version(&next()), next());
    let words: BTreeSet<String> = words.lines().map(str::to_owned).collect();
    let tight = Limits {
        changes_max: 3,
        text_bytes_max: 5,
        result_bytes_max: 50,
        context_bytes_max: 4,
        aligned_blocks_max: 0,
        occurrences_max: 100_000,
        weight_min: crate::Weight::ENOUGH,
        regex_bytes_max: 10_000,
    };
    for change_type in Aspect::all().map(|aspect| ChangeType::of(aspect, words.clone())) {
        let same = compare(&new, &new, &change_type, &Limits::default());
        assert_eq!(same, (Vec::new(), 0), "equal versions do not differ");
        for limits in [&Limits::default(), &tight] {
            check(&old, &new, &change_type, limits);
        }
    }
}

fn version(text: &str) -> Arc<Extract> {
    let lines = || text.lines().filter(|line| !line.is_empty());
    let parts = |line: &str| match line.split_once(' ') {
        Some((first, second)) => (first.to_owned(), second.to_owned()),
        None => (line.to_owned(), String::new()),
    };
    // Any numbers, also more than there are.
    let with_places = |line: &str| {
        let count = |at: usize| u32::from(line.as_bytes().get(at).is_some_and(|byte| byte % 3 > 0));
        Block { links: count(0) * count(1) * 2 + count(2), images: count(1), ..Block::plain(line) }
    };
    let part = |href: &str| {
        if href.len().is_multiple_of(5) { page::Part::Frame } else { page::Part::Main }
    };
    Arc::new(Extract {
        blocks: lines().map(with_places).collect(),
        links: lines()
            .map(parts)
            .map(|(href, text)| Link { part: part(&href), ..Link::plain(href, text) })
            .collect(),
        images: lines().map(parts).map(|(src, alt)| Image::plain(src, alt)).collect(),
        ..Extract::empty(if text.starts_with('<') { Kind::Html } else { Kind::Text })
    })
}

fn check(old: &Arc<Extract>, new: &Arc<Extract>, change_type: &ChangeType, limits: &Limits) {
    let mut own = change_type.clone();
    if own.aspect.row().terms == crate::Terms::Tests {
        // Without a test it keeps each change of a value.
        own.terms.clear();
    }
    let plain = Leaf { change_type: own, directions: BTreeSet::new(), matching: None };
    let leaves = vec![plain.clone(), Leaf { matching: Some("a|é".to_owned()), ..plain }];
    let comparison = Comparison {
        from: VersionNo(1),
        to: VersionNo(2),
        change_type: change_type.clone(),
        leaves,
        pairing: crate::Pairing::Alike,
        earlier: vec![],
        status: None,
    };
    let request = RoundRequest { comparisons: vec![comparison], sources: vec![] };
    let mut load = |version: VersionNo, _: &crate::View| {
        Ok(if version.0 == 1 { old.clone() } else { new.clone() })
    };
    let result = run(&request, &mut load, limits);
    let compared = &result.comparisons[0];
    assert_eq!(compared.failed, None, "every comparison of these can be made");
    let firsts = compared.leaves.len();
    assert!(compared.changes.len() <= limits.changes_max + firsts, "changes_max holds");
    let kept = compared.leaves[0].hits_total + compared.held_back;
    assert_eq!(kept, compared.changes_total, "a plain leaf keeps all that counts");
    for leaf in &compared.leaves {
        assert_eq!(leaf.hits.is_empty(), leaf.hits_total == 0, "a leaf that holds has a change");
        assert!(leaf.hits.len() <= leaf.hits_total as usize, "the total counts all");
        assert!(leaf.hits.is_sorted_by(|a, b| a < b), "hits ascend");
        assert!(leaf.hits.iter().all(|&hit| (hit as usize) < compared.changes.len()));
    }
    assert_eq!(decode(&encode(&result)).ok().as_ref(), Some(&result), "it survives the store");
}
