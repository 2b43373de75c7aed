//! Aspect `items`: the entries of a feed, told apart by their ids.

use super::Comparer;
use crate::found::{Found, Pair};
use crate::keyed::{self, Cancelled};
use crate::room::{self, Entries, Room};
use crate::{Limits, Thing, leads};
use page::Item;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::collections::BTreeSet;

pub(crate) struct Items;

impl Comparer for Items {
    /// Entries of the new version come first, in its order; then those that vanished, in the order
    /// of the old one. The first of several with one id counts.
    fn compare(
        &self,
        pair: &Pair<'_>,
        _: &BTreeSet<String>,
        _: &Limits,
    ) -> Result<Vec<Found>, String> {
        let [old, new] = [pair.old.extract, pair.new.extract].map(|side| firsts(&side.items));
        let (gone, came, pairs) = matched(&old, &new);
        let times = |items: &[&Item]| items.iter().map(|item| item.at).collect::<Vec<_>>();
        let is_again = |n: &usize| pair.has_listed(&new[*n].id);
        let again: BTreeSet<usize> = came.iter().copied().filter(is_again).collect();
        let room = Room::of(&Entries {
            times: [&times(&old), &times(&new)],
            gone: gone.iter().copied().collect(),
            came: came.iter().copied().collect(),
            is_turned: room::is_turned(pairs.clone()),
            again,
        });
        let before: FxHashMap<usize, usize> = pairs.into_iter().map(|(o, n)| (n, o)).collect();
        let after = new.iter().enumerate();
        let mut found: Vec<Found> = after
            .filter_map(|(n, item)| match before.get(&n) {
                None => Some(room.weighed_new(Found::insert(thing(item)), n)),
                Some(&o) if is_same(old[o], item) => None,
                Some(&o) => Some(Found::update(thing(old[o]), thing(item))),
            })
            .collect();
        found.extend(gone.into_iter().map(|o| room.weighed_old(Found::delete(thing(old[o])), o)));
        Ok(found)
    }

    fn lets_make_room(&self) -> bool {
        true
    }

    /// Where the whole feed turned over, entries may have come and gone unseen. Where its ids are
    /// numbers without gaps, what is between the two versions is how many.
    fn missed_between(&self, pair: &Pair<'_>) -> Vec<String> {
        let (old, new) = (&pair.old.extract.items, &pair.new.extract.items);
        let is_any_known = || !matched(&firsts(old), &firsts(new)).2.is_empty();
        if old.is_empty() || new.is_empty() || is_any_known() {
            return Vec::new();
        }
        let missed = match (numbers(old), numbers(new)) {
            (Some((_, last)), Some((first, _))) if first > last => first - last - 1,
            _ => 0,
        };
        let feed = "the feed turned over between two looks";
        vec![match missed {
            0 => format!("{feed}: more may have been missed"),
            1 => format!("{feed}: at least 1 more was missed"),
            missed => format!("{feed}: at least {missed} more were missed"),
        }]
    }
}

/// The first entry of each id.
fn firsts(items: &[Item]) -> Vec<&Item> {
    let mut known = FxHashSet::default();
    items.iter().filter(|item| known.insert(&*item.id)).collect()
}

/// Which entries of the older version are in the newer one, too: by their ids. An id that is an
/// address is the same with `http` or `https`. Where the tokens in addresses vary at each look,
/// what tells apart is the rest, with what an entry says.
fn matched(old: &[&Item], new: &[&Item]) -> Cancelled {
    let all = |items: &[&Item]| (0..items.len()).collect::<Vec<usize>>();
    let id = |item: &Item| Some(item.id.clone());
    let paired = |old_left: &[usize], new_left: &[usize], key: &dyn Fn(&Item) -> Option<String>| {
        keyed::cancel(old_left, new_left, |at| key(old[at]), |at| key(new[at]))
    };
    let (gone, came, mut pairs) = paired(&all(old), &all(new), &id);
    if gone.is_empty() || came.is_empty() {
        return (gone, came, pairs);
    }
    let page = |item: &Item| address(item).map(|id| leads::page_of(id).into_owned());
    let (gone, came, more) = paired(&gone, &came, &page);
    pairs.extend(more);
    // Tokens that stay are none.
    if pairs.iter().any(|&(o, _)| without_token(old[o]).is_some()) {
        return (gone, came, pairs);
    }
    let said = |item: &Item| Some([&*without_token(item)?, &item.title, &item.text].join("\u{0}"));
    let (gone, came, more) = paired(&gone, &came, &said);
    pairs.extend(more);
    (gone, came, pairs)
}

/// The id of an entry, if it is an address.
fn address(item: &Item) -> Option<&str> {
    Some(&*item.id).filter(|id| id.starts_with("http://") || id.starts_with("https://"))
}

/// Such an id without its tokens; `None`: it has none.
fn without_token(item: &Item) -> Option<Cow<'_, str>> {
    let id = address(item)?;
    Some(leads::place_of_entry(id)).filter(|place| leads::page_of(id) != *place)
}

/// Whether an entry says the same, and leads to the same place whoever looks.
fn is_same(old: &Item, new: &Item) -> bool {
    let leads_alike = || leads::place_of_entry(&old.href) == leads::place_of_entry(&new.href);
    old.title == new.title && old.text == new.text && (old.href == new.href || leads_alike())
}

/// The smallest and the largest number at the end of the ids, if they are numbers without gaps.
fn numbers(items: &[Item]) -> Option<(u64, u64)> {
    let number = |item: &Item| {
        let digits = item.id.trim_end_matches('/');
        let start = digits.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
        digits.get(start..)?.parse::<u64>().ok()
    };
    let mut numbers = items.iter().map(number).collect::<Option<Vec<u64>>>()?;
    numbers.sort_unstable();
    let is_whole = numbers.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1]));
    (is_whole && numbers.len() > 1).then(|| (numbers[0], numbers[numbers.len() - 1]))
}

fn thing(item: &Item) -> Thing {
    Thing::Item { id: item.id.clone(), title: item.title.clone(), href: item.href.clone() }
}
