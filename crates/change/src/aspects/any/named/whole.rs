//! Objects of JSON and elements of XML that came or went as a whole: one change, not one for each
//! member.

use super::value;
use crate::aspects::any::cards;
use crate::found::{Found, Pair, Side, Spot};
use crate::path;
use crate::{ChangeKind, Thing, Weight};
use page::Kind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// What an object is called, in small letters without `_` and `-`.
const CALLED: [&str; 7] = ["name", "title", "tagname", "headline", "label", "summary", "subject"];
/// Longer values stand behind shorter ones.
const LONG_BYTES: usize = 120;

/// Which changes are told as one.
#[derive(Default)]
pub(crate) struct Wholes {
    /// For each change, the one that it is told in: the first member of the object, or itself.
    heads: Vec<u32>,
}

impl Wholes {
    /// Joins the members of objects that came or went, and says in `told` of the first what is told
    /// of all. Where a member of an object stays, the others are changes of their own. So are those
    /// of objects in lists without names. O(bytes of names).
    pub(crate) fn join(found: &mut [Found], pair: &Pair<'_>) -> Wholes {
        let mut wholes = Wholes::none(found);
        if pair.new.extract.kind == Kind::Json {
            join_lists(found, &mut wholes.heads, pair);
        }
        for (kind, sides) in [
            (ChangeKind::Insert, [&pair.new, &pair.old]),
            (ChangeKind::Delete, [&pair.old, &pair.new]),
        ] {
            match pair.new.extract.kind {
                Kind::Json | Kind::Xml => join_side(found, &mut wholes.heads, kind, sides),
                Kind::Html => join_cards(found, &mut wholes.heads, kind, sides[0]),
                Kind::Feed | Kind::Text => {}
            }
        }
        if matches!(pair.new.extract.kind, Kind::Json | Kind::Xml) {
            shorten_addresses(found, pair);
        }
        wholes
    }

    /// Each change is told alone.
    pub(crate) fn none(found: &[Found]) -> Wholes {
        Wholes { heads: (0..).take(found.len()).collect() }
    }

    /// The change that one is told in.
    pub(crate) fn head(&self, at: u32) -> u32 {
        self.heads.get(at as usize).copied().unwrap_or(at)
    }

    /// Those that others are told in.
    pub(crate) fn joined(&self) -> BTreeSet<u32> {
        let others = (0..).zip(&self.heads).filter(|(at, head)| at != *head);
        others.map(|(_, head)| *head).collect()
    }

    /// Those that are told.
    pub(crate) fn heads(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.heads).filter(|(at, head)| at == *head).map(|(at, _)| at)
    }

    /// What is told as one counts as the member that counts most.
    pub(crate) fn weigh(&self, weights: &mut [Weight]) {
        for (at, head) in self.heads.iter().enumerate() {
            let head = *head as usize;
            weights[head] = weights[head].max(weights[at]);
        }
        for (at, head) in self.heads.iter().enumerate() {
            weights[at] = weights[*head as usize];
        }
    }
}

fn join_side(
    found: &mut [Found],
    heads: &mut [u32],
    kind: ChangeKind,
    [own, other]: [&Side<'_>; 2],
) {
    let mut of: Vec<(usize, usize)> = Vec::new();
    for (at, one) in found.iter().enumerate().filter(|(_, one)| one.kind == kind) {
        of.extend(one.text().and(one.block(own)).map(|block| (at, block)));
    }
    if of.len() < 2 {
        return;
    }
    let blocks = &own.extract.blocks;
    let mut stand: FxHashSet<&str> = FxHashSet::default();
    for key in other.extract.blocks.iter().filter_map(|block| block.key.as_deref()) {
        stand.extend(path::parts(key).into_iter().map(|part| &key[..part.end]));
    }
    let mut objects: FxHashMap<&str, Vec<(usize, usize)>> = FxHashMap::default();
    for &(at, block) in &of {
        let object = blocks[block].key.as_deref().and_then(|key| object(key, &stand));
        if let Some(object) = object {
            objects.entry(object).or_default().push((at, block));
        }
    }
    for (path, members) in objects.into_iter().filter(|(_, members)| members.len() > 1) {
        let said = members.iter().filter_map(|&(_, at)| {
            let name = blocks[at].key.as_deref()?.strip_prefix(path)?;
            Some(Member::of(name, value(&blocks[at], own.extract.kind)))
        });
        let text = told(path, said.collect());
        let members: Vec<usize> = members.iter().map(|(at, _)| *at).collect();
        tell(found, heads, &members, text);
    }
}

/// A list of values that gave way to one value, or took its place, is one thing: `notes: a, b` and
/// `notes: a and b`. O(changes).
fn join_lists(found: &mut [Found], heads: &mut [u32], pair: &Pair<'_>) {
    /// What came and what went under one name: of one value, and of a list of them.
    #[derive(Default)]
    struct Under {
        one: [Vec<usize>; 2],
        list: [Vec<usize>; 2],
    }
    let mut under: FxHashMap<&str, Under> = FxHashMap::default();
    for (at, one) in found.iter().enumerate() {
        let (number, side) = match one.kind {
            ChangeKind::Delete => (0, &pair.old),
            ChangeKind::Insert => (1, &pair.new),
            ChangeKind::Update | ChangeKind::Move => continue,
        };
        let block = one.block(side).and_then(|block| side.extract.blocks.get(block));
        let Some(key) = block.and_then(|block| block.key.as_deref()) else { continue };
        let name = key.strip_suffix("[]").unwrap_or(key);
        // What stands in the objects of a list without names may be of several of them.
        if name.contains("[]") {
            continue;
        }
        match key.strip_suffix("[]") {
            Some(list) => under.entry(list).or_default().list[number].push(at),
            None => under.entry(key).or_default().one[number].push(at),
        }
    }
    let mut joined = Vec::new();
    for (name, Under { one, list }) in under {
        for (from, to) in [(&list[0], &one[1]), (&one[0], &list[1])] {
            if !from.is_empty() && !to.is_empty() && from.len() + to.len() > 2 {
                let values = [from, to].map(|all| {
                    let values = all.iter().filter_map(|&at| found[at].text());
                    values.map(path::after_path).collect::<Vec<&str>>()
                });
                let said = apart(values).map(|values| {
                    let text = format!("{name}: {}", values.join(", "));
                    (!values.is_empty()).then_some(Thing::Text { text })
                });
                joined.push((to[0], [from.clone(), to.clone()].concat(), said));
            }
        }
    }
    for (first, members, said) in joined {
        found[first].told = Some(Box::new(said));
        members.iter().for_each(|at| heads[*at] = first as u32);
    }
}

/// What went of a list and what came, where one has all of the other's; else both.
fn apart<'v>([old, new]: [Vec<&'v str>; 2]) -> [Vec<&'v str>; 2] {
    let without = |all: &[&'v str], others: &[&str]| {
        all.iter().copied().filter(|value| !others.contains(value)).collect::<Vec<_>>()
    };
    let [went, came] = [without(&old, &new), without(&new, &old)];
    if went.is_empty() != came.is_empty() { [went, came] } else { [old, new] }
}

/// A card says its name first, and its other texts in their order.
fn join_cards(found: &mut [Found], heads: &mut [u32], kind: ChangeKind, own: &Side<'_>) {
    for members in cards::whole(found, kind, own) {
        let texts = members.iter().filter_map(|&at| found[at].told_text());
        let text = texts.collect::<Vec<_>>().join(" | ");
        tell(found, heads, &members, text);
    }
}

/// The first of these changes tells all of them.
fn tell(found: &mut [Found], heads: &mut [u32], members: &[usize], text: String) {
    let first = members[0];
    let told = Some(Thing::Text { text });
    let sides = if found[first].kind == ChangeKind::Insert { [None, told] } else { [told, None] };
    found[first].told = Some(Box::new(sides));
    members.iter().for_each(|at| heads[*at] = first as u32);
}

impl Found {
    /// What is told of what came, else of what went.
    pub(crate) fn told_text(&self) -> Option<&str> {
        let [old, new] = self.told();
        new.as_ref().or(old.as_ref()).map(Thing::text)
    }

    /// The number of the block of this version that it is of.
    pub(crate) fn block(&self, side: &Side<'_>) -> Option<usize> {
        let (Spot::Old(place) | Spot::New(place)) = self.place.as_ref()?;
        side.reading().block(place)
    }
}

/// Says of members of an object that a list names by an id what the object is called:
/// `components[DNS].status` for `components[ed5f2b].status`. O(bytes of names).
pub(super) fn name_members(found: &mut [Found], pair: &Pair<'_>) {
    let is_named = |one: &&mut Found| {
        let block = one.block(&pair.new).filter(|_| one.kind == ChangeKind::Update);
        let key = block.and_then(|block| pair.new.extract.blocks[block].key.as_deref());
        key.is_some_and(|key| path::object(key).is_some())
    };
    let mut updates: Vec<&mut Found> = found.iter_mut().filter(is_named).collect();
    if updates.is_empty() {
        return;
    }
    let (blocks, kind) = (&pair.new.extract.blocks, pair.new.extract.kind);
    let mut called: FxHashMap<&str, (usize, &str)> = FxHashMap::default();
    for block in blocks {
        let Some(key) = block.key.as_deref() else { continue };
        let Some(object) = path::object(key) else { continue };
        let said = value(block, kind);
        let own = key[object.len()..].trim_start_matches(['.', '@']);
        let rank = CALLED.iter().position(|name| *name == page::plain_name(own));
        if let Some(rank) = rank.filter(|_| !said.is_empty() && said.len() <= LONG_BYTES)
            && called.get(object).is_none_or(|(other, _)| rank < *other)
        {
            called.insert(object, (rank, said));
        }
    }
    for one in &mut updates {
        let Some(block) = one.block(&pair.new) else { continue };
        let key = blocks[block].key.as_deref().unwrap_or_default();
        let object = path::object(key).unwrap_or_default();
        let Some((_, name)) = called.get(object) else { continue };
        let list = object.rfind('[').map_or(object, |at| &object[..at]);
        let path = format!("{list}[{name}]{}", &key[object.len()..]);
        let told = |thing: &Option<Thing>| {
            let said = thing.as_ref()?.text().strip_prefix(key)?;
            Some(Thing::Text { text: format!("{path}{said}") })
        };
        let sides = [told(&one.old), told(&one.new)];
        if path != key && sides.iter().all(Option::is_some) {
            one.told = Some(Box::new(sides));
        }
    }
}

/// Names that are addresses begin with what all of their list begin with, such as the host of a
/// sitemap: only the rest tells them apart, and is told. O(bytes of names).
fn shorten_addresses(found: &mut [Found], pair: &Pair<'_>) {
    let address = |key: &str| {
        let part = path::parts(key)
            .into_iter()
            .find(|part| path::name(&key[part.clone()]).is_some_and(|name| name.contains("://")))?;
        Some(part)
    };
    let mut shared: FxHashMap<&str, &str> = FxHashMap::default();
    let blocks = [&pair.old, &pair.new].into_iter().flat_map(|side| &side.extract.blocks);
    for key in blocks.filter_map(|block| block.key.as_deref()) {
        let Some(part) = address(key) else { continue };
        let (list, name) = (&key[..part.start], &key[part.start + 1..part.end - 1]);
        let start = shared.entry(list).or_insert(name);
        let alike = start.bytes().zip(name.bytes()).take_while(|(one, other)| one == other);
        let alike = start.floor_char_boundary(alike.count());
        // The last segment is what each is called.
        let end = name.trim_end_matches('/').rfind('/').map_or(0, |at| at + 1).min(alike);
        *start = &start[..start[..end].rfind('/').map_or(0, |at| at + 1)];
    }
    for one in found {
        let side = if one.new.is_some() { &pair.new } else { &pair.old };
        let block = one.block(side).and_then(|block| side.extract.blocks.get(block));
        let Some(key) = block.and_then(|block| block.key.as_deref()) else { continue };
        let Some(part) = address(key) else { continue };
        let list = &key[..part.start];
        let Some(start) = shared.get(list).filter(|start| start.len() > SHARED_BYTES_MIN) else {
            continue;
        };
        let rest = &key[part.start + 1 + start.len()..part.end];
        let short = |thing: &Option<Thing>| {
            let text = thing.as_ref()?.text();
            let said = match text.strip_prefix(&key[..part.end]) {
                Some(said) => format!("{list}[{rest}{said}"),
                None => text.to_owned(),
            };
            Some(Thing::Text { text: said })
        };
        let told = one.told().map(short);
        one.told = Some(Box::new(told));
    }
}

/// Bytes of what names share, where it is left out: a scheme alone is not.
const SHARED_BYTES_MIN: usize = "https://".len();

/// The object that a path leads through and that does not `stand` in the other version: the first
/// with a name in a list, else the first.
fn object<'k>(key: &'k str, stand: &FxHashSet<&str>) -> Option<&'k str> {
    let parts = path::parts(key);
    let inner = parts.split_last()?.1;
    let mut new = inner.iter().filter(|part| !stand.contains(&key[..part.end]));
    let first = new.clone().next()?;
    let object = new.find(|part| path::name(&key[(*part).clone()]).is_some()).unwrap_or(first);
    let path = &key[..object.end];
    (!path.ends_with("[]")).then_some(path)
}

/// What an object says under a name.
struct Member<'m> {
    name: &'m str,
    value: &'m str,
    rank: Rank,
}

/// In the order in which they are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Called,
    Short,
    Long,
    /// Ids, addresses, and what says that there is nothing.
    Aside,
}

impl<'m> Member<'m> {
    fn of(name: &'m str, value: &'m str) -> Member<'m> {
        let name = name.trim_start_matches(['.', '@']).trim_end_matches("[]");
        let plain = page::plain_name(name);
        let is_nothing = matches!(value, "" | "null" | "false" | "[]" | "{}");
        let rank = if CALLED.contains(&plain.as_str()) && !is_nothing {
            Rank::Called
        } else if is_nothing || plain.ends_with("id") || value.contains("://") {
            Rank::Aside
        } else if value.len() > LONG_BYTES {
            Rank::Long
        } else {
            Rank::Short
        };
        Member { name, value, rank }
    }
}

/// `items[4102]: Kettle | price: 49.90 | colours: red, blue`. The first of what an object is called
/// stands without its name.
fn told(path: &str, mut members: Vec<Member<'_>>) -> String {
    // The path says already what names the object: its id, or what it is called.
    let name = path::parts(path).pop().and_then(|part| path::name(&path[part]));
    let names = |member: &Member<'_>| name == Some(member.value);
    let ids = [Rank::Aside, Rank::Called].into_iter();
    let mut ids = ids.map(|rank| members.iter().position(|one| one.rank == rank && names(one)));
    let said = ids.find_map(|at| at).or_else(|| members.iter().position(names));
    if let Some(said) = said.filter(|_| members.len() > 1) {
        members.remove(said);
    }
    members.sort_by_key(|member| member.rank);
    let mut text = path.to_owned();
    let mut before = None;
    for (at, member) in members.iter().enumerate() {
        let is_called = at == 0 && member.rank == Rank::Called;
        if at > 0 && before == Some(member.name) {
            text.push_str(", ");
        } else {
            text.push_str(if at == 0 { ": " } else { " | " });
            if !is_called && !member.name.is_empty() {
                text.push_str(member.name);
                text.push_str(": ");
            }
        }
        text.push_str(member.value);
        before = (!is_called).then_some(member.name);
    }
    text
}
