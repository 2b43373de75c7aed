//! The multiset difference of things that have two parts, each of which may name them: links
//! (where to, what it says) and images (where from, what it shows).

use crate::Thing;
use crate::found::Found;
use crate::passing;
use rustc_hash::FxHashMap;

/// What became of a thing, with its positions in the lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// (old, new) with one part in common.
    Update(usize, usize),
    Insert(usize),
    Delete(usize),
}

/// The changes from one list of things to another: `keys` gives a thing's two parts, `thing` what
/// is told of it.
pub(crate) fn changes<T>(
    old: &[T],
    new: &[T],
    keys: fn(&T) -> (&str, &str),
    thing: fn(&T) -> Thing,
) -> Vec<Found> {
    let old_keys: Vec<(&str, &str)> = old.iter().map(keys).collect();
    let new_keys: Vec<(&str, &str)> = new.iter().map(keys).collect();
    difference(&old_keys, &new_keys)
        .into_iter()
        .map(|step| match step {
            Step::Update(o, n) => Found::update(thing(&old[o]), thing(&new[n])),
            Step::Insert(n) => Found::insert(thing(&new[n])),
            Step::Delete(o) => Found::delete(thing(&old[o])),
        })
        .collect()
}

/// Things equal in both parts cancel out; of the rest those with the same first part, then those
/// with the same second part (if it is not empty) are paired in document order.
/// Updates and inserts come in the order of `new`, then deletes in the order of `old`. O(n log n).
fn difference(old: &[(&str, &str)], new: &[(&str, &str)]) -> Vec<Step> {
    let all = |list: &[(&str, &str)]| (0..list.len()).collect::<Vec<usize>>();
    let (old_left, new_left, _) =
        cancel(&all(old), &all(new), |at| Some(old[at]), |at| Some(new[at]));
    // Another token in its address makes no other thing.
    let without = |(address, text)| Some((passing::without_tokens(address), text));
    let (old_left, new_left, _) =
        cancel(&old_left, &new_left, |at| without(old[at]), |at| without(new[at]));
    let (old_left, new_left, mut updated) =
        cancel(&old_left, &new_left, |at| Some(old[at].0), |at| Some(new[at].0));
    let named = |part| Some(part).filter(|part: &&str| !part.is_empty());
    let (deleted, inserted, by_text) =
        cancel(&old_left, &new_left, |at| named(old[at].1), |at| named(new[at].1));
    updated.extend(by_text);
    let mut steps: Vec<(usize, Step)> =
        updated.into_iter().map(|(old, new)| (new, Step::Update(old, new))).collect();
    steps.extend(inserted.into_iter().map(|new| (new, Step::Insert(new))));
    steps.sort_unstable_by_key(|&(new, _)| new);
    let deleted = deleted.into_iter().map(Step::Delete);
    steps.into_iter().map(|(_, step)| step).chain(deleted).collect()
}

pub(crate) type Cancelled = (Vec<usize>, Vec<usize>, Vec<(usize, usize)>);

/// Pairs positions of equal key in order; gives what is left of old and new, and the pairs.
pub(crate) fn cancel<K: Eq + std::hash::Hash>(
    old: &[usize],
    new: &[usize],
    old_key: impl Fn(usize) -> Option<K>,
    new_key: impl Fn(usize) -> Option<K>,
) -> Cancelled {
    let mut waiting: FxHashMap<K, std::collections::VecDeque<usize>> = FxHashMap::default();
    for &at in old {
        if let Some(key) = old_key(at) {
            waiting.entry(key).or_default().push_back(at);
        }
    }
    let mut pairs = Vec::new();
    let mut new_left = Vec::new();
    for &at in new {
        let partner = new_key(at).and_then(|key| waiting.get_mut(&key)?.pop_front());
        match partner {
            Some(partner) => pairs.push((partner, at)),
            None => new_left.push(at),
        }
    }
    let mut used: Vec<usize> = pairs.iter().map(|&(old, _)| old).collect();
    used.sort_unstable();
    let old_left = old.iter().copied().filter(|at| used.binary_search(at).is_err()).collect();
    (old_left, new_left, pairs)
}
