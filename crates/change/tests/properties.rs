//! What holds for all versions: the changes lead from old to new, and a shared comparison tells
//! each leaf what one of its own would.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use change::{
    Aspect, Change, ChangeKind, ChangeType, Compared, Comparison, Leaf, Limits, RoundRequest,
    Thing, View, compare, run,
};
use chronon::VersionNo;
use page::{Block, Extract, Image, Kind, Link};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use unicode_segmentation::UnicodeSegmentation;

const VOCABULARY: [&str; 12] = [
    "oil", "Oil", "gas", "oilfield", "30", "35", "e-mail", "Straße", "STRASSE", "the", "ΟΔΟΣ",
    "東京",
];

fn words() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&VOCABULARY[..]), 1..6)
        .prop_map(|words| words.join(" "))
}

fn extract() -> impl Strategy<Value = Extract> {
    let part = || prop::sample::select(&["a", "b", "c", ""][..]);
    let pairs = || prop::collection::vec((part(), part()), 0..6);
    (prop::collection::vec(words(), 0..10), pairs(), pairs()).prop_map(|(blocks, links, images)| {
        Extract {
            blocks: blocks.into_iter().map(Block::plain).collect(),
            links: links.into_iter().map(|(href, text)| Link::plain(href, text)).collect(),
            images: images.into_iter().map(|(src, alt)| Image::plain(src, alt)).collect(),
            ..Extract::empty(Kind::Html)
        }
    })
}

/// Links of which each says a word of the text "d e f".
fn links_in_text() -> impl Strategy<Value = Vec<Link>> {
    let one =
        (prop::sample::select(&["x", "y", "z"][..]), prop::sample::select(&["d", "e", "f"][..]));
    prop::collection::vec(one.prop_map(|(href, text)| Link::plain(href, text)), 0..6)
}

/// A page that shows nothing.
fn blank() -> Extract {
    Extract::empty(Kind::Html)
}

fn patterns() -> impl Strategy<Value = BTreeSet<String>> {
    let words =
        ["oil", "OIL", "oil*", "*field", "*a*", "gas", "3*", "e-mail", "strasse", "zzz", "*"];
    prop::collection::btree_set(prop::sample::select(words.to_vec()), 1..5)
        .prop_map(|set| set.into_iter().map(str::to_owned).collect())
}

fn phrase_set() -> impl Strategy<Value = BTreeSet<String>> {
    let phrase = prop_oneof![words(), Just("oil gas".to_owned()), Just("OIL  GAS".to_owned())];
    prop::collection::btree_set(phrase, 1..4)
}

type Bag = BTreeMap<Thing, i64>;

fn bag(things: impl IntoIterator<Item = Thing>) -> Bag {
    let mut bag = Bag::new();
    for thing in things {
        *bag.entry(thing).or_default() += 1;
    }
    bag
}

/// Takes the old things out and puts the new ones in.
fn apply(mut bag: Bag, changes: &[Change]) -> Bag {
    for change in changes {
        for (thing, by) in
            change.old.iter().map(|t| (t, -1)).chain(change.new.iter().map(|t| (t, 1)))
        {
            *bag.entry(thing.clone()).or_default() += by;
        }
    }
    bag.retain(|_, count| *count != 0);
    bag
}

fn links(extract: &Extract) -> Bag {
    let links = extract.links.iter().cloned();
    bag(links.map(|Link { href, text, .. }| Thing::Link { href, text }))
}

fn images(extract: &Extract) -> Bag {
    let images = extract.images.iter().cloned();
    bag(images.map(|Image { src, alt, .. }| Thing::Image { src, alt }))
}

fn blocks(extract: &Extract) -> Bag {
    bag(extract.blocks.iter().map(|block| Thing::Text { text: block.text.clone() }))
}

fn is_text(change: &Change) -> bool {
    matches!(change.new.as_ref().or(change.old.as_ref()), Some(Thing::Text { .. }))
}

fn is_link(change: &Change) -> bool {
    matches!(change.new.as_ref().or(change.old.as_ref()), Some(Thing::Link { .. }))
}

/// Where links lead, whatever they say.
fn addresses(bag: Bag) -> Bag {
    let mut addresses = Bag::new();
    for (thing, count) in bag {
        let href = thing.address().unwrap_or_default().to_owned();
        *addresses.entry(Thing::Text { text: href }).or_default() += count;
    }
    addresses.retain(|_, count| *count != 0);
    addresses
}

fn folded(word: &str) -> String {
    word.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

/// A word as the page has it, without case.
fn without_case(thing: Option<Thing>) -> Option<Thing> {
    thing.map(|thing| match thing {
        Thing::Word { word, count } => Thing::Word { word: folded(&word), count },
        other => other,
    })
}

/// The obvious way: every word of every block, folded by the letter.
fn word_counts(extract: &Extract) -> Bag {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for block in &extract.blocks {
        for word in block.text.unicode_words() {
            *counts.entry(folded(word)).or_default() += 1;
        }
    }
    bag(counts.into_iter().map(|(word, count)| Thing::Word { word, count }))
}

fn changes(old: &Extract, new: &Extract, change_type: &ChangeType) -> Vec<Change> {
    compare(old, new, change_type, &Limits::default()).0
}

/// How often a phrase stands in a version: words compared one by one.
fn occurrences(extract: &Extract, phrase: &str) -> i64 {
    let fold = |text: &str| -> Vec<String> {
        let fold = |word: &str| word.to_uppercase().to_lowercase().replace('ς', "σ");
        text.split_whitespace().map(fold).collect()
    };
    let text: String = extract.blocks.iter().map(|b| b.text.as_str()).collect::<Vec<_>>().join(" ");
    let (text, phrase) = (fold(&text), fold(phrase));
    let (mut at, mut count) = (0, 0);
    while at + phrase.len() <= text.len() {
        if text[at..at + phrase.len()] == phrase[..] {
            count += 1;
            at += phrase.len();
        } else {
            at += 1;
        }
    }
    count
}

fn run_on(old: &Extract, new: &Extract, change_type: ChangeType, leaves: Vec<Leaf>) -> Compared {
    let comparison = Comparison {
        from: VersionNo(1),
        to: VersionNo(2),
        change_type,
        leaves,
        pairing: change::Pairing::Alike,
        earlier: vec![],
        status: None,
    };
    let request = RoundRequest { comparisons: vec![comparison], sources: vec![] };
    let versions = [Arc::new(old.clone()), Arc::new(new.clone())];
    let mut load = |version: VersionNo, _: &View| Ok(versions[version.0 as usize - 1].clone());
    run(&request, &mut load, &Limits::default()).comparisons.remove(0)
}

/// A leaf's changes, without the patterns of others.
fn hits(compared: &Compared, leaf: usize, own: &BTreeSet<String>) -> Vec<Change> {
    let change = |&at: &u32| {
        let mut change = compared.changes[at as usize].clone();
        change.patterns.retain(|pattern| own.contains(pattern));
        change
    };
    let mut hits: Vec<Change> = compared.leaves[leaf].hits.iter().map(change).collect();
    // Which phrase comes first in the shared list depends on the other leaves' phrases.
    hits.sort_by_key(|change| format!("{change:?}"));
    hits
}

fn leaf(change_type: ChangeType, directions: BTreeSet<ChangeKind>, matching: bool) -> Leaf {
    Leaf { change_type, directions, matching: matching.then(|| "oil|3".to_owned()) }
}

fn directions() -> impl Strategy<Value = BTreeSet<ChangeKind>> {
    let kinds = vec![ChangeKind::Insert, ChangeKind::Delete, ChangeKind::Update, ChangeKind::Move];
    prop::collection::btree_set(prop::sample::select(kinds), 0..3)
}

proptest! {
    #[test]
    fn changes_of_links_and_images_lead_from_old_to_new(old in extract(), new in extract()) {
        let of_links = changes(&old, &new, &ChangeType::plain(Aspect::Links));
        prop_assert_eq!(apply(links(&old), &of_links), links(&new));
        let changes = changes(&old, &new, &ChangeType::plain(Aspect::Images));
        prop_assert_eq!(apply(images(&old), &changes), images(&new));
    }

    #[test]
    fn changes_of_words_lead_from_old_to_new(old in extract(), new in extract()) {
        let all = ChangeType::plain(Aspect::Words);
        let mut changes = changes(&old, &new, &all);
        for change in &mut changes {
            change.old = without_case(change.old.take());
            change.new = without_case(change.new.take());
        }
        prop_assert_eq!(apply(word_counts(&old), &changes), word_counts(&new));
    }

    #[test]
    fn changes_of_blocks_lead_from_old_to_new_and_the_rest_keeps_its_order(
        old in extract(),
        new in extract(),
        aligned_blocks_max in prop::sample::select(vec![0, 4_000]),
    ) {
        let limits = Limits { aligned_blocks_max, ..Limits::default() };
        let (mut changes, _) = compare(&old, &new, &ChangeType::plain(Aspect::Any), &limits);
        changes.retain(is_text);
        prop_assert_eq!(apply(blocks(&old), &changes), blocks(&new));
        let rest = |extract: &Extract, side: fn(&Change) -> &Option<Thing>| {
            let mut gone = bag(changes.iter().filter_map(|change| side(change).clone()));
            let texts = extract.blocks.iter().map(|block| Thing::Text { text: block.text.clone() });
            texts.filter(|thing| {
                let count = gone.entry(thing.clone()).or_default();
                *count -= 1;
                *count < 0
            }).collect::<Vec<Thing>>()
        };
        let distinct = |extract: &Extract| blocks(extract).len();
        // Which of several equal blocks moved cannot be told from its text.
        if distinct(&old) == old.blocks.len() && distinct(&new) == new.blocks.len() {
            prop_assert_eq!(rest(&old, |change| &change.old), rest(&new, |change| &change.new));
        }
    }

    #[test]
    fn where_all_text_stays_changes_behind_it_lead_from_old_to_new(
        text in extract(),
        (old_links, new_links) in (links_in_text(), links_in_text()),
        other in extract(),
    ) {
        let mut blocks = text.blocks;
        blocks.push(Block::plain("d e f"));
        let version = |links: Vec<Link>, images: Vec<Image>| {
            let mut blocks = blocks.clone();
            let last = blocks.len() - 1;
            blocks[last].links = links.len() as u32;
            blocks[last].images = images.len() as u32;
            Extract { blocks, links, images, ..blank() }
        };
        let (old, new) = (version(old_links, text.images), version(new_links, other.images));
        let (changes, _) =
            compare(&old, &new, &ChangeType::plain(Aspect::Any), &Limits::default());
        prop_assert!(!changes.iter().any(is_text));
        let (of_links, of_images): (Vec<Change>, Vec<Change>) = changes
            .into_iter()
            .partition(is_link);
        prop_assert_eq!(apply(images(&old), &of_images), images(&new));
        prop_assert_eq!(addresses(apply(links(&old), &of_links)), addresses(links(&new)));
    }

    #[test]
    fn changes_of_a_phrase_account_for_its_occurrences(
        old in extract(), new in extract(), phrase in words(),
    ) {
        let change_type = ChangeType::of(Aspect::Phrases, [phrase.clone()]);
        let by = |change: &Change| match change.kind {
            ChangeKind::Insert => 1,
            _ => -1,
        };
        let balance: i64 = changes(&old, &new, &change_type).iter().map(by).sum();
        prop_assert_eq!(occurrences(&old, &phrase) + balance, occurrences(&new, &phrase));
    }

    #[test]
    fn equal_versions_have_no_changes(version in extract(), words in patterns()) {
        for change_type in Aspect::all().map(|aspect| ChangeType::of(aspect, words.clone())) {
            prop_assert!(changes(&version, &version, &change_type).is_empty());
        }
    }

    #[test]
    fn a_shared_comparison_tells_each_leaf_what_its_own_would(
        old in extract(), new in extract(),
        own in prop::collection::vec((patterns(), phrase_set(), directions(), any::<bool>()), 1..4),
    ) {
        for aspect in [Aspect::Keywords, Aspect::Phrases, Aspect::Words] {
            let is_phrases = aspect == Aspect::Phrases;
            let sets: Vec<&BTreeSet<String>> = own
                .iter()
                .map(|(words, phrases, ..)| if is_phrases { phrases } else { words })
                .collect();
            let shared = match aspect {
                Aspect::Words => sets[1..].iter().fold(sets[0].clone(), |all, set| &all & *set),
                _ => sets[1..].iter().fold(sets[0].clone(), |all, set| &all | *set),
            };
            let leaves: Vec<Leaf> = own.iter().zip(&sets)
                .map(|((_, _, kinds, matching), set)| {
                    leaf(ChangeType::of(aspect, (*set).clone()), kinds.clone(), *matching)
                })
                .collect();
            let together = run_on(&old, &new, ChangeType::of(aspect, shared), leaves.clone());
            prop_assert_eq!(&together.failed, &None);
            for (index, leaf) in leaves.into_iter().enumerate() {
                let alone = run_on(&old, &new, leaf.change_type.clone(), vec![leaf]);
                prop_assert_eq!(hits(&together, index, sets[index]), hits(&alone, 0, sets[index]));
                prop_assert_eq!(together.leaves[index].hits_total, alone.leaves[0].hits_total);
            }
        }
    }

    #[test]
    fn no_text_makes_a_comparison_panic(
        old in prop::collection::vec(any::<String>(), 0..4),
        new in prop::collection::vec(any::<String>(), 0..4),
        words in prop::collection::btree_set(any::<String>(), 0..4),
        piece in any::<prop::sample::Index>(),
    ) {
        let version = |texts: &[String]| Extract {
            blocks: texts.iter().map(|text| Block::plain(text.as_str())).collect(),
            ..Extract::empty(Kind::Text)
        };
        let mut words = words;
        // Something that does occur.
        if let Some(text) = new.first() {
            words.insert(text[..text.floor_char_boundary(piece.index(text.len() + 1))].to_owned());
        }
        let (old, new) = (version(&old), version(&new));
        for change_type in Aspect::all().map(|aspect| ChangeType::of(aspect, words.clone())) {
            let limits = Limits { context_bytes_max: 3, text_bytes_max: 3, ..Limits::default() };
            let (there, _) = compare(&old, &new, &change_type, &limits);
            let (back, _) = compare(&new, &old, &change_type, &limits);
            if change_type.aspect != Aspect::Any {
                prop_assert_eq!(there.len(), back.len());
            }
        }
    }
}
