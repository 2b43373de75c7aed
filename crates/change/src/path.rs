//! Paths to members of JSON and elements of XML: `packages[kettle].price`.

use std::ops::Range;

/// What follows the path that a member of JSON or XML begins with; nothing, where that is all.
pub(crate) fn after_path(text: &str) -> &str {
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            ':' if !is_quoted && text[at..].starts_with(": ") => return &text[at + 2..],
            ':' if !is_quoted && at + 1 == text.len() => return "",
            _ => {}
        }
    }
    text
}

/// The parts of a path: `items`, `[kettle]`, `.price`. O(length).
pub(crate) fn parts(path: &str) -> Vec<Range<usize>> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_u32);
    for (at, c) in path.char_indices() {
        if depth == 0 && at > start && matches!(c, '.' | '[') {
            parts.push(start..at);
            start = at;
        }
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    parts.push(start..path.len());
    parts
}

/// What a part of a path names a member of a list by; an object may have a name in quotes, too.
pub(crate) fn name(part: &str) -> Option<&str> {
    let name = part.strip_prefix('[')?.strip_suffix(']')?;
    (!name.is_empty() && !name.starts_with('"')).then_some(name)
}

/// The path of the innermost object in a list that a path leads through, if the list names it.
pub(crate) fn object(path: &str) -> Option<&str> {
    let parts = parts(path);
    let inner = parts.split_last()?.1;
    let object = inner.iter().rev().find(|part| path[(*part).clone()].ends_with(']'))?;
    name(&path[object.clone()]).map(|_| &path[..object.end])
}

/// A path without what names members of its lists.
pub(crate) fn without_names(path: &str) -> String {
    let parts = parts(path).into_iter().map(|part| &path[part]);
    parts.filter(|part| !part.starts_with('[')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_by_their_parts() {
        let path = "a.items[b.c[d]].price.amount";
        let said: Vec<&str> = parts(path).into_iter().map(|part| &path[part]).collect();
        assert_eq!(said, ["a", ".items", "[b.c[d]]", ".price", ".amount"]);
        assert_eq!(object(path), Some("a.items[b.c[d]]"));
        assert_eq!(without_names(path), "a.items.price.amount");
        assert_eq!([object("a.b"), object("a[].b"), object(r#"["a b"].c"#)], [None; 3]);
        assert_eq!((object("a[1]"), object("[1].b")), (None, Some("[1]")));
        assert_eq!(after_path(r#"["a: b"].c: d: e"#), "d: e");
        assert_eq!([after_path("a[3].notes:"), after_path("alone")], ["", "alone"]);
    }
}
