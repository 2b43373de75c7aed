//! What names the blocks of XML and JSON whatever their place: `packages[kettle].price` for the
//! price of that member of a list that has `kettle` as its id.

use crate::{Block, Extract, Kind};
use std::collections::BTreeMap;
use std::ops::Range;

/// Longer paths, and longer ids of entries, name nothing.
pub(crate) const KEY_BYTES_MAX: usize = 400;
/// Members that name the object they stand in, best first.
const NAMES: [&str; 11] =
    ["id", "_id", "uuid", "guid", "key", "slug", "sku", "loc", "url", "name", "title"];
/// Longer values name nothing.
const NAME_BYTES_MAX: usize = 120;

/// Puts into each path, for the number of each member of a list, what names it: the value of its
/// `id` or the like if no other member has the same, else nothing. Names beyond `bytes_max` are
/// left out. O(n log n).
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
    /// By the path of the member, with the rank of what names it.
    members: BTreeMap<&'b str, (usize, &'b str)>,
    /// How many members of a list have a name.
    uses: BTreeMap<(&'b str, &'b str), u32>,
}

impl<'b> Names<'b> {
    fn of(blocks: &'b [Block], kind: Kind) -> Names<'b> {
        let mut members: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
        for block in blocks {
            let Some(path) = block.key.as_deref() else { continue };
            // An element that names another one has a number of its own.
            let named = match kind {
                Kind::Xml => path.strip_suffix("[0]").unwrap_or(path),
                _ => path,
            };
            let Some(last) = numbers(named).pop() else { continue };
            let (member, field) =
                (&path[..last.end], named[last.end..].trim_start_matches(['.', '@']));
            let Some(rank) = NAMES.iter().position(|name| *name == field) else { continue };
            let value = value(block, path);
            let is_better = members.get(member).is_none_or(|(best, _)| rank < *best);
            if is_better && !value.is_empty() && value.len() <= NAME_BYTES_MAX {
                members.insert(member, (rank, value));
            }
        }
        let mut uses: BTreeMap<(&str, &str), u32> = BTreeMap::new();
        for (member, (_, name)) in &members {
            *uses.entry((list_of(member), name)).or_default() += 1;
        }
        Names { members, uses }
    }

    fn of_path(&self, path: &str, kind: Kind) -> String {
        let (mut text, mut from) = (String::with_capacity(path.len()), 0);
        for number in numbers(path) {
            text.push_str(&path[from..number.start]);
            let name = self.members.get(&path[..number.end]).map(|(_, name)| *name);
            let name =
                name.filter(|name| self.uses.get(&(&path[..number.start], *name)) == Some(&1));
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
        let json = |body| keys(body, "application/json");
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
}
