//! Links that a page draws anew for each visit, and those that only pass it on.

use super::{BYTES_MAX, PARAMETERS_MAX, Parts, has_form_of_hash, is_meant, is_of_file};
use crate::Thing;
use crate::found::Found;
use std::collections::BTreeMap;

/// Marks links of which nothing but hashes of a visit differ, where several do so, and links that
/// pass a page on. O(n log n).
pub(super) fn mark(found: &mut [Found]) {
    let drawn: Vec<Option<Vec<String>>> = found.iter().map(drawn_anew).collect();
    let mut counts: BTreeMap<&Vec<String>, usize> = BTreeMap::new();
    for names in drawn.iter().flatten() {
        *counts.entry(names).or_default() += 1;
    }
    for (one, names) in found.iter_mut().zip(&drawn) {
        let is_drawn = names.as_ref().is_some_and(|names| counts[names] >= DRAWN_MIN);
        one.is_slight |= is_drawn || passes_on(one);
    }
}

/// Links that are drawn anew for each visit: fewer may be files that are others.
const DRAWN_MIN: usize = 3;

/// The names of the parameters that alone are others in a link whose text stays. Each value has the
/// form of a hash, and no name says which page is meant.
fn drawn_anew(one: &Found) -> Option<Vec<String>> {
    let (Some(Thing::Link { href: old, text: was }), Some(Thing::Link { href: new, text: is })) =
        (&one.old, &one.new)
    else {
        return None;
    };
    if was != is || old.len().max(new.len()) > BYTES_MAX || is_of_file(new) {
        return None;
    }
    let parts = [old, new].map(|href| Parts::of(href));
    let [old, new] = parts.each_ref().map(|parts| parts.kept(|_, _| false));
    let is_place = parts[0].path == parts[1].path && parts[0].fragment == parts[1].fragment;
    if !is_place || old.len() != new.len() || old.len() > PARAMETERS_MAX {
        return None;
    }
    let mut names = Vec::new();
    for (old, new) in old.iter().zip(&new).filter(|(old, new)| old != new) {
        let ((name, was), (other, is)) = (old.split_once('=')?, new.split_once('=')?);
        if name != other || is_meant(name) || !has_form_of_hash(was) || !has_form_of_hash(is) {
            return None;
        }
        names.push(name.to_owned());
    }
    Some(names).filter(|names| !names.is_empty())
}

/// Whether a link that leads elsewhere passes a page on: its address has that of the page, and what
/// it is counted by.
fn passes_on(one: &Found) -> bool {
    const WORDS: [&str; 14] = [
        "compartilhar",
        "compartir",
        "condividi",
        "delen",
        "drucken",
        "imprimer",
        "imprimir",
        "partager",
        "print",
        "share",
        "share this",
        "stampa",
        "teilen",
        "tweet",
    ];
    match (&one.old, &one.new) {
        (Some(Thing::Link { text: was, .. }), Some(Thing::Link { text: is, .. })) => {
            was == is && WORDS.contains(&&*is.to_lowercase())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(all: &[(&str, &str, &str)]) -> Vec<bool> {
        let link = |rest: &str, text: &str| {
            let href = format!("https://a.example/{rest}");
            Thing::Link { href, text: text.into() }
        };
        let one =
            |(text, old, new): &(&str, &str, &str)| Found::update(link(old, text), link(new, text));
        let mut found: Vec<Found> = all.iter().map(one).collect();
        mark(&mut found);
        found.iter().map(|one| one.is_slight).collect()
    }

    #[test]
    fn links_that_are_drawn_anew_for_each_visit_say_nothing() {
        let job =
            |name| (name, "job/1?ref=76d3026853&imp=e72db328d2", "job/1?ref=ab86adfb05&imp=11f699");
        assert_eq!(links(&[job("A"), job("B"), job("C")]), [true; 3]);
        assert_eq!(links(&[job("A"), job("B")]), [false; 2], "they may be files");
        let file = |name| (name, "get?file=76d3026853", "get?file=ab86adfb05");
        assert_eq!(links(&[file("A"), file("B"), file("C")]), [false; 3], "which is meant");
        let paper = |name| (name, "a.pdf?ref=76d3026853", "a.pdf?ref=ab86adfb05");
        assert_eq!(links(&[paper("A"), paper("B"), paper("C")]), [false; 3]);
        let words = |name| (name, "job?team=sales", "job?team=support");
        assert_eq!(links(&[words("A"), words("B"), words("C")]), [false; 3]);
    }

    #[test]
    fn a_link_that_passes_a_page_on_says_nothing() {
        assert_eq!(
            links(&[("Share", "s?u=a", "s?u=b"), ("Shares", "s?u=a", "s?u=b")]),
            [true, false]
        );
    }
}
