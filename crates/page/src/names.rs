//! What names the blocks of XML and JSON whatever their place: `packages[kettle].price` for the
//! price of that member of a list that has `kettle` as its id.

use crate::gather::without_visit;
use crate::{Block, Extract, Kind};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Longer paths, and longer ids of entries, name nothing.
pub(crate) const KEY_BYTES_MAX: usize = 400;
/// Members that name the object they stand in, best first, as [`plain`] has them.
const NAMES: [&str; 24] = [
    "id", "uuid", "guid", "uid", "key", "slug", "sku", "ean", "isbn", "gtin", "asin", "loc", "url",
    "href", "link", "name", "title", "code", "symbol", "ref", "handle", "login", "number", ANY_ID,
];
/// Stands for any other id: `product_id`, or that of something else, `author_id`.
const ANY_ID: &str = "*id";
/// Ids that are others at each look.
const PASSING_IDS: [&str; 8] = [
    "requestid",
    "sessionid",
    "traceid",
    "spanid",
    "correlationid",
    "visitid",
    "visitorid",
    "messageid",
];
/// Names that are written like this name an element without siblings, too.
const SURE: [&str; 11] =
    ["id", "_id", "uuid", "guid", "key", "slug", "sku", "loc", "url", "name", "title"];
const ADDRESSES: [&str; 4] = ["loc", "url", "href", "link"];
/// Longer values name nothing; nor do longer addresses.
const NAME_BYTES_MAX: usize = 120;
const ADDRESS_BYTES_MAX: usize = 300;

/// Puts into each path, for the number of each member of a list, what names it: the value of its
/// `id` or the like if no other member has the same; where no member of a list has such a name, the
/// first of its texts that tells all of them apart; else nothing. Names beyond `bytes_max` are left
/// out. O(n log n).
pub(crate) fn settle(extract: &mut Extract, bytes_max: usize) {
    let kind = extract.kind;
    let names = Names::of(&extract.blocks, kind);
    let mut bytes_left = bytes_max;
    let keys = extract.blocks.iter().map(|block| {
        let key = names.of_path(block.key.as_deref()?, kind);
        bytes_left = bytes_left.checked_sub(key.len())?;
        Some(key.into_boxed_str())
    });
    let keys: Vec<Option<Box<str>>> = keys.collect();
    for (block, key) in extract.blocks.iter_mut().zip(keys) {
        block.key = key;
    }
}

/// What names the members of lists.
struct Names<'b> {
    /// By the path of the member.
    members: BTreeMap<&'b str, Cow<'b, str>>,
    /// How many members of a list have a name.
    uses: BTreeMap<(&'b str, Cow<'b, str>), u32>,
}

/// A member of an object in a list, that may name the object. In the order of what it is best
/// sorted by.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate<'b> {
    list: &'b str,
    /// By its place in [`NAMES`]; behind them are those that have no name of theirs.
    rank: usize,
    field: &'b str,
    value: Cow<'b, str>,
    /// The number of its block.
    at: usize,
    member: &'b str,
}

impl<'b> Names<'b> {
    fn of(blocks: &'b [Block], kind: Kind) -> Names<'b> {
        let sizes = sizes(blocks);
        let mut candidates = candidates(blocks, kind);
        candidates.sort_unstable();
        let mut members: BTreeMap<&str, Cow<'_, str>> = BTreeMap::new();
        for list in candidates.chunk_by(|a, b| a.list == b.list) {
            let size = sizes.get(list[0].list).copied().unwrap_or_default();
            let fields = || list.chunk_by(|a, b| (a.rank, a.field) == (b.rank, b.field));
            let (mut is_named, mut other) = (false, None);
            for field in fields() {
                let unique = unique(field);
                if !is_enough(&field[0], unique.len(), size, kind) {
                    continue;
                }
                if field[0].rank < NAMES.len() {
                    is_named = true;
                    for one in unique {
                        members.entry(one.member).or_insert_with(|| one.value.clone());
                    }
                } else if other.as_ref().is_none_or(|(at, _)| first(field) < *at) {
                    other = Some((first(field), unique));
                }
            }
            let others = other.into_iter().filter(|_| !is_named).flat_map(|(_, unique)| unique);
            members.extend(others.map(|one| (one.member, one.value.clone())));
        }
        let mut uses: BTreeMap<(&str, Cow<'_, str>), u32> = BTreeMap::new();
        for (member, name) in &members {
            *uses.entry((list_of(member), name.clone())).or_default() += 1;
        }
        Names { members, uses }
    }

    fn of_path(&self, path: &str, kind: Kind) -> String {
        let (mut text, mut from) = (String::with_capacity(path.len()), 0);
        for number in numbers(path) {
            text.push_str(&path[from..number.start]);
            let list = &path[..number.start];
            let name = self.members.get(&path[..number.end]);
            let name = name.filter(|name| self.uses.get(&(list, (*name).clone())) == Some(&1));
            match (name, kind) {
                (Some(name), _) => text.push_str(&format!("[{name}]")),
                // Most elements are in no list.
                (None, Kind::Xml) => {}
                (None, _) => text.push_str("[]"),
            }
            from = number.end;
        }
        text.push_str(&path[from..]);
        text
    }
}

/// How many members each list has. What belongs to one member stands together.
fn sizes(blocks: &[Block]) -> BTreeMap<&str, usize> {
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    let mut before = "";
    for path in blocks.iter().filter_map(|block| block.key.as_deref()) {
        let alike = path.bytes().zip(before.bytes()).take_while(|(a, b)| a == b).count();
        for number in numbers(path).into_iter().filter(|number| number.end > alike) {
            *sizes.entry(&path[..number.start]).or_default() += 1;
        }
        before = path;
    }
    sizes
}

fn candidates(blocks: &[Block], kind: Kind) -> Vec<Candidate<'_>> {
    let (mut candidates, mut seen) = (Vec::new(), BTreeSet::new());
    for (at, block) in blocks.iter().enumerate() {
        let Some(path) = block.key.as_deref() else { continue };
        // An element that names another one has a number of its own.
        let named = match kind {
            Kind::Xml => path.strip_suffix("[0]").unwrap_or(path),
            _ => path,
        };
        let Some(last) = numbers(named).pop() else { continue };
        let field = named[last.end..].trim_start_matches(['.', '@']);
        let value = value(block, path);
        let Some(rank) = rank(field, value, kind) else { continue };
        // The first of several counts.
        if !seen.insert(named) {
            continue;
        }
        let is_address = NAMES.get(rank).is_some_and(|name| ADDRESSES.contains(name));
        let value = if is_address {
            Cow::Owned(without_visit(value.to_owned()))
        } else {
            Cow::Borrowed(value)
        };
        let (list, member) = (&path[..last.start], &path[..last.end]);
        candidates.push(Candidate { list, rank, field, value, at, member });
    }
    candidates
}

/// Whether, and how well, a member names the object that it stands in.
fn rank(field: &str, value: &str, kind: Kind) -> Option<usize> {
    let is_nothing = matches!(value, "" | "null" | "true" | "false" | "[]" | "{}");
    if is_nothing || value.len() > ADDRESS_BYTES_MAX || field.is_empty() {
        return None;
    }
    // GraphQL has each member of a list in a member of its own.
    let within = field.strip_prefix("node.").filter(|_| kind == Kind::Json).unwrap_or(field);
    if within.contains(['.', '[', '@']) {
        return None;
    }
    let plain = plain(within);
    let is_passing = PASSING_IDS.contains(&&*plain);
    let is_address = ADDRESSES.contains(&&*plain) && value.contains("://");
    if value.len() > NAME_BYTES_MAX && !is_address {
        return None;
    }
    let known = |wanted: &str| NAMES.iter().position(|name| *name == wanted);
    known(&plain)
        .or_else(|| known(ANY_ID).filter(|_| is_id(within) && !is_passing))
        .filter(|_| !is_passing)
}

/// A name in small letters without `_`, `-` and what stands before a colon.
pub fn plain(name: &str) -> String {
    let local = name.rsplit(':').next().unwrap_or(name);
    local.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).collect()
}

/// `product_id`, `productId`, `ProductID`; `paid` is none.
fn is_id(name: &str) -> bool {
    let Some(at) = name.len().checked_sub(2).filter(|at| name.is_char_boundary(*at)) else {
        return false;
    };
    let (before, end) = name.split_at(at);
    match end {
        "id" | "ID" | "Id" if before.ends_with(['_', '-']) => true,
        "ID" | "Id" => before.ends_with(|c: char| c.is_lowercase() || c.is_ascii_digit()),
        _ => false,
    }
}

/// Those of the candidates of one field that say what no other does.
fn unique<'c, 'b>(field: &'c [Candidate<'b>]) -> Vec<&'c Candidate<'b>> {
    let alike = field.chunk_by(|a, b| a.value == b.value);
    alike.filter(|alike| alike.len() == 1).map(|alike| &alike[0]).collect()
}

fn first(field: &[Candidate<'_>]) -> usize {
    field.iter().map(|one| one.at).min().unwrap_or_default()
}

/// Whether a field that tells `unique` members of a list apart names them. What surely is a name
/// may do so for half of them, any other for nine of ten.
fn is_enough(field: &Candidate<'_>, unique: usize, size: usize, kind: Kind) -> bool {
    if SURE.contains(&field.field) {
        return unique * 2 >= size;
    }
    let is_list = size > 1 || kind == Kind::Json;
    is_list && unique * 10 >= size * 9
}

/// What a block says, without its path or the name of its attribute.
fn value<'b>(block: &'b Block, path: &str) -> &'b str {
    let attribute = path.rsplit_once('@').map(|(_, name)| name);
    let said = [Some(path), attribute]
        .into_iter()
        .flatten()
        .find_map(|name| block.text.strip_prefix(name).and_then(|rest| rest.strip_prefix(": ")));
    said.unwrap_or(&block.text)
}

fn list_of(member: &str) -> &str {
    member.rfind('[').map_or(member, |at| &member[..at])
}

/// The places of the numbers in a path: `[0]` in `a[0].b`.
fn numbers(path: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = path[from..].find('[').map(|at| from + at) {
        let digits = path[start + 1..].bytes().take_while(u8::is_ascii_digit).count();
        let end = start + 1 + digits;
        if digits > 0 && path[end..].starts_with(']') {
            found.push(start..end + 1);
        }
        from = start + 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::{Hints, Limits, read};

    fn keys(body: &str, media: &str) -> Vec<String> {
        let url = url::Url::parse("https://a.example/").expect("a URL");
        let hints = Hints { content_type: Some(media), url: &url };
        let extract = read(body.as_bytes(), &hints, &Limits::default()).expect("it can be read");
        extract.blocks.into_iter().map(|block| block.key.unwrap_or_default().into()).collect()
    }

    #[test]
    fn members_of_lists_go_by_what_names_them() {
        let json = |body: &str| keys(body, "application/json");
        assert_eq!(
            json(r#"{"l": [{"n": 1, "id": "a"}, {"n": 2, "id": "b"}]}"#),
            ["l[a].n", "l[a].id", "l[b].n", "l[b].id"]
        );
        assert_eq!(
            json(r#"[{"id": 1, "v": 5}, {"id": 1, "v": 6}]"#),
            ["[].id", "[].v", "[].id", "[].v"]
        );
        assert_eq!(json(r#"{"a": ["x", "y"], "b": 1}"#), ["a[]", "a[]", "b"]);
    }

    #[test]
    fn elements_go_by_their_path_and_what_names_them() {
        let xml = |body| keys(body, "application/xml");
        assert_eq!(
            xml("<c><b id='k'><p>9</p></b><b id='t'><p>3</p></b></c>"),
            ["c.b[k].@id", "c.b[k].p", "c.b[t].@id", "c.b[t].p"]
        );
        assert_eq!(xml("<c><b><id>k</id><p>9</p></b></c>"), ["c.b[k].id", "c.b[k].p"]);
        assert_eq!(xml("<c><p>9</p><p>8</p></c>"), ["c.p", "c.p"]);
    }

    #[test]
    fn what_names_a_member_is_written_in_many_ways() {
        for name in ["ID", "Id", "_ID", "productId", "product_id", "code", "Symbol", "ISBN"] {
            let list = format!(r#"[{{"n": 1, "{name}": "A1"}}, {{"n": 2, "{name}": "B2"}}]"#);
            assert_eq!(keys(&list, "application/json")[2], "[B2].n", "{name}");
        }
        for name in ["code", "ref", "ID", "xml:id"] {
            let list = format!("<r><i {name}='A'><p>1</p></i><i {name}='B'><p>2</p></i></r>");
            assert_eq!(keys(&list, "application/xml")[3], "r.i[B].p", "{name}");
        }
        for name in ["paid", "request_id", "price", "status"] {
            let list = format!(r#"[{{"n": 1, "{name}": "A1"}}, {{"n": 2, "{name}": "B2"}}]"#);
            assert_eq!(keys(&list, "application/json")[2], "[].n", "{name}");
        }
    }

    #[test]
    fn a_name_tells_nearly_all_members_apart() {
        let json = |body: &str| keys(body, "application/json");
        let list = r#"[{"category_id": 7, "name": "a"}, {"category_id": 7, "name": "b"}]"#;
        assert_eq!(json(list), ["[a].category_id", "[a].name", "[b].category_id", "[b].name"]);
        let list = r#"[{"title": "x", "product_id": 7}, {"title": "y", "product_id": 8}]"#;
        assert_eq!(json(list)[2], "[y].title", "a foreign id comes last");
        let list = r#"[{"id": "a", "v": 1}, {"id": "b", "v": 2}, {"v": 3}]"#;
        assert_eq!(json(list)[3..], ["[b].v", "[].v"]);
        assert_eq!(json(r#"[{"id": null, "name": "x"}]"#), ["[x].id", "[x].name"]);
        let list = r#"[{"url": "/a?utm_source=x"}, {"url": "/b"}]"#;
        assert_eq!(json(list), ["[/a].url", "[/b].url"]);
    }

    #[test]
    fn members_of_graphql_go_by_their_node() {
        let list = r#"{"edges": [{"cursor": "ax", "node": {"id": "p1", "stock": "yes"}},
            {"cursor": "bx", "node": {"id": "p2", "stock": "no"}}]}"#;
        assert_eq!(keys(list, "application/json")[5], "edges[p2].node.stock");
    }
}
