//! What is said of changes that a message has no room for: how many, and what they are called.

use super::clean;
use change::{CELL, ChangeKind, Thing};
use notice::Change;

/// How many of a kind are named.
const NAMED_MAX: usize = 8;
/// Characters of a name.
const NAME_CHARS_MAX: usize = 60;

/// "and 9 more: 7 new (“Hex”, “Pendo”, …), 2 gone" of changes that are not shown, of which these are
/// listed. Rows go first: who came is news. Nothing is named that stands `above`. O(listed).
pub(super) fn said(count: u64, listed: &[&Change], above: &str) -> String {
    let kinds = [
        (&[ChangeKind::Insert][..], "new"),
        (&[ChangeKind::Update, ChangeKind::Move], "changed"),
        (&[ChangeKind::Delete], "gone"),
    ];
    let of = |(kinds, word): (&[ChangeKind], &'static str)| {
        let own: Vec<&Change> =
            listed.iter().copied().filter(|one| kinds.contains(&one.kind)).collect();
        (!own.is_empty()).then(|| (own.len(), word, named(&own, above)))
    };
    let kinds: Vec<_> = kinds.into_iter().filter_map(of).collect();
    match kinds.as_slice() {
        _ if count == 0 => String::new(),
        _ if count != listed.len() as u64 => format!("and {count} more"),
        [(1, word, names)] => format!("and 1 more, {word}{names}"),
        [(_, word, names)] => format!("and {count} more, all {word}{names}"),
        kinds => {
            let said = kinds.iter().map(|(count, word, names)| format!("{count} {word}{names}"));
            format!("and {count} more: {}", said.collect::<Vec<_>>().join(", "))
        }
    }
}

/// " (“Hex”, “Pendo”)", with dots where there are others; nothing if none has a name.
fn named(changes: &[&Change], above: &str) -> String {
    let is_row = |change: &&&Change| text_of(change).is_some_and(|text| text.contains(CELL));
    let (rows, others): (Vec<&Change>, Vec<&Change>) = changes.iter().partition(is_row);
    let (mut names, mut is_unnamed): (Vec<String>, bool) = (Vec::new(), false);
    for change in rows.into_iter().chain(others) {
        let name = name_of(change).map(|name| format!("“{name}”"));
        is_unnamed |= name.is_none();
        names.extend(name.filter(|name| !names.contains(name) && !above.contains(&**name)));
    }
    let are_left = is_unnamed || names.len() > NAMED_MAX;
    names.truncate(NAMED_MAX);
    match names.join(", ") {
        none if none.is_empty() => none,
        names => format!(" ({names}{})", if are_left { ", …" } else { "" }),
    }
}

fn text_of(change: &Change) -> Option<&str> {
    match change.new.as_ref().or(change.old.as_ref()) {
        Some(Thing::Text { text }) => Some(text),
        _ => None,
    }
}

/// What a change is called in a few words: the title of an entry, what heads a row, a text that is
/// short; nothing for a long text, or where only some of one is other.
fn name_of(change: &Change) -> Option<String> {
    let text = text_of(change)?.trim();
    let name = match text.split_once(CELL) {
        Some((first, _)) => first.split_once(": ").map_or(first, |(name, _)| name),
        None if change.kind == ChangeKind::Update => return None,
        None if change.link.is_some() => text.lines().next().unwrap_or(text),
        None => text,
    };
    let name = match &change.link {
        Some(_) => clean::words(name, NAME_CHARS_MAX),
        None => clean::line(name, usize::MAX),
    };
    let is_short = change.link.is_some() || name.chars().count() <= NAME_CHARS_MAX;
    (is_short && name.contains(char::is_alphanumeric)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(kind: ChangeKind, text: &str) -> Change {
        let thing = Some(Thing::Text { text: text.to_owned() });
        let (old, new) = match kind {
            ChangeKind::Delete => (thing, None),
            _ => (None, thing),
        };
        Change { kind, old, new, ..Change::default() }
    }

    fn told(changes: &[Change]) -> String {
        said(changes.len() as u64, &changes.iter().collect::<Vec<_>>(), "New: “Terms”.")
    }

    #[test]
    fn rows_that_a_message_has_no_room_for_are_named() {
        let row = |kind, name: &str| change(kind, &format!("{name}: Service: AI | Location: USA"));
        let long = change(ChangeKind::Insert, &"We share more of it with others. ".repeat(9));
        let mut all = vec![
            row(ChangeKind::Insert, "OpenAI"),
            row(ChangeKind::Insert, "Pendo"),
            row(ChangeKind::Delete, "Hotjar"),
        ];
        assert_eq!(told(&all), "and 3 more: 2 new (“OpenAI”, “Pendo”), 1 gone (“Hotjar”)");
        all.extend([long, change(ChangeKind::Insert, "Terms")]);
        assert_eq!(told(&all), "and 5 more: 4 new (“OpenAI”, “Pendo”, …), 1 gone (“Hotjar”)");
        all.truncate(2);
        assert_eq!(told(&all), "and 2 more, all new (“OpenAI”, “Pendo”)");
        all.push(row(ChangeKind::Update, "Mixpanel"));
        assert!(told(&all).ends_with("1 changed (“Mixpanel”)"), "{}", told(&all));
    }

    #[test]
    fn entries_are_called_by_their_titles_and_at_most_so_many() {
        let entry = |nth: u32| Change {
            link: Some("https://a.example/".to_owned()),
            ..change(ChangeKind::Insert, &format!("Entry {nth}\n{}", "It says more. ".repeat(9)))
        };
        let all: Vec<Change> = (0..10).map(entry).collect();
        let said = told(&all);
        assert!(said.starts_with("and 10 more, all new (“Entry 0”, “Entry 1”"), "{said}");
        assert!(said.ends_with(", “Entry 7”, …)"), "{said}");
    }

    #[test]
    fn what_has_no_short_name_is_counted() {
        let long = |kind| change(kind, &"word ".repeat(40));
        let [new, gone] = [ChangeKind::Insert, ChangeKind::Delete].map(long);
        assert_eq!(told(&[new.clone(), gone]), "and 2 more: 1 new, 1 gone");
        assert_eq!(told(std::slice::from_ref(&new)), "and 1 more, new");
        assert_eq!(said(3, &[&new], ""), "and 3 more", "not all are listed");
        assert_eq!(said(0, &[], ""), "");
    }
}
