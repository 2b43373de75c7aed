//! Numbers of a document that only count the members of one of its lists: `total: 2` beside two
//! `advisories`. The new member says it.

use crate::found::{Found, Pair, Side};
use crate::path;
use crate::{ChangeKind, Thing};
use rustc_hash::{FxHashMap, FxHashSet};

/// The paths of the members of each list, by the path of the list; of members without a name, how
/// many there are.
#[derive(Default)]
struct Lists<'k> {
    named: FxHashMap<&'k str, FxHashSet<&'k str>>,
    nameless: FxHashMap<&'k str, FxHashMap<&'k str, usize>>,
}

impl<'k> Lists<'k> {
    fn of(side: &Side<'k>) -> Lists<'k> {
        let mut lists = Lists::default();
        for key in side.extract.blocks.iter().filter_map(|block| block.key.as_deref()) {
            for part in path::parts(key).into_iter().filter(|part| key[part.clone()].ends_with(']'))
            {
                let (list, member) = (&key[..part.start], &key[..part.end]);
                if path::name(&key[part]).is_some() {
                    lists.named.entry(list).or_default().insert(member);
                } else if member.ends_with("[]") {
                    *lists.nameless.entry(list).or_default().entry(key).or_insert(0) += 1;
                }
            }
        }
        lists
    }

    /// How many members a list has. Objects without a name are as many as say what most of them
    /// say.
    fn size(&self, list: &str) -> usize {
        let nameless = self.nameless.get(list).into_iter().flat_map(|keys| keys.values());
        let named = self.named.get(list).map_or(0, FxHashSet::len);
        named + nameless.max().copied().unwrap_or(0)
    }

    fn names(&self) -> impl Iterator<Item = &'k str> + '_ {
        self.named.keys().chain(self.nameless.keys()).copied()
    }

    /// Members that another version does not have.
    fn without(&self, other: &Lists<'_>, list: &str) -> usize {
        let (own, others) = (self.named.get(list), other.named.get(list));
        let is_new = |member: &&&str| others.is_none_or(|others| !others.contains(**member));
        own.map_or(0, |own| own.iter().filter(is_new).count())
    }
}

/// A member that is another whole number, and the path of what it belongs to.
fn number(one: &Found) -> Option<Number<'_>> {
    let (ChangeKind::Update, Some(Thing::Text { text: old }), Some(Thing::Text { text: new })) =
        (one.kind, &one.old, &one.new)
    else {
        return None;
    };
    let (was, is) = (path::after_path(old), path::after_path(new));
    let key = new.strip_suffix(is)?.strip_suffix(": ")?;
    let parent = &key[..path::parts(key).pop()?.start];
    let counts = words_of(&key[parent.len()..]).any(|word| COUNTS.contains(&&*word));
    Some(Number { parent, was: was.parse().ok()?, is: is.parse().ok()?, counts })
}

/// Marks the numbers that count the members of a list beside them or below: how many there are, or
/// how many more there are than before. O(numbers · lists + bytes of names).
pub(super) fn mark(found: &mut [Found], pair: &Pair<'_>) {
    let numbers: Vec<usize> = (0..found.len()).filter(|&at| number(&found[at]).is_some()).collect();
    if numbers.is_empty() {
        return;
    }
    let (old, new) = (Lists::of(&pair.old), Lists::of(&pair.new));
    let lists: FxHashSet<&str> = old.names().chain(new.names()).collect();
    let turned = lists.into_iter().filter_map(|list| {
        let sizes = [old.size(list) as i64, new.size(list) as i64];
        let (came, went) = (new.without(&old, list) as i64, old.without(&new, list) as i64);
        (sizes[0] != sizes[1] || came > 0 || went > 0).then_some((list, sizes, came))
    });
    let turned: Vec<(&str, [i64; 2], i64)> = turned.take(LISTS_MAX).collect();
    for at in numbers {
        let Some(Number { parent, was, is, counts }) = number(&found[at]) else { continue };
        found[at].is_count = turned.iter().any(|(list, sizes, came)| {
            let grew = counts && is - was == *came && *came > 0 && was >= sizes[0];
            let is_below = list.strip_prefix(parent).is_some_and(|rest| {
                parent.is_empty()
                    || parent.ends_with('.')
                    || rest.is_empty()
                    || rest.starts_with(['.', '['])
            });
            is_below && ([was, is] == *sizes || grew)
        });
    }
}

/// Names of numbers that count more than their list shows, in lower case.
const COUNTS: [&str; 9] =
    ["total", "count", "size", "length", "num", "number", "hits", "results", "anzahl"];

/// The words of a name, in lower case: "item" and "count" of `itemCount`.
fn words_of(name: &str) -> impl Iterator<Item = String> {
    let parts = name.split(|c: char| !c.is_alphabetic());
    parts.flat_map(|part| {
        let starts = part.char_indices().filter(|(at, c)| *at > 0 && c.is_uppercase());
        let mut starts: Vec<usize> = starts.map(|(at, _)| at).collect();
        if part.chars().all(char::is_uppercase) {
            starts.clear();
        }
        let ends = starts.clone().into_iter().chain([part.len()]);
        let starts = [0].into_iter().chain(starts);
        starts.zip(ends).map(|(start, end)| part[start..end].to_lowercase()).collect::<Vec<_>>()
    })
}

/// A number that is another now.
struct Number<'f> {
    /// The name of what it stands in.
    parent: &'f str,
    was: i64,
    is: i64,
    /// Whether the name says that it counts.
    counts: bool,
}

/// Lists that are looked at.
const LISTS_MAX: usize = 64;
