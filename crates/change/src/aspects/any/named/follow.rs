//! Members of a document that only follow another one: the address of a file that has its version
//! in it, and the hash of that file.

use crate::found::Found;
use crate::{ChangeKind, Thing};

/// Versions that are looked for in addresses.
const VERSIONS_MAX: usize = 8;
/// Characters of a hash at least.
const HASH_CHARS_MIN: usize = 32;
/// Bytes of a version at most.
const VERSION_BYTES_MAX: usize = 40;

/// Marks what only follows a version that is another. Where no version is, all of it is news.
/// O(changes · versions).
pub(super) fn mark(found: &mut [Found]) {
    let versions: Vec<(String, String)> = found
        .iter()
        .filter_map(values)
        .filter(|(path, old, new)| says_version(path) && is_version(old) && is_version(new))
        .take(VERSIONS_MAX)
        .map(|(_, old, new)| (old.to_owned(), new.to_owned()))
        .collect();
    if versions.is_empty() {
        return;
    }
    for one in found {
        let follows = values(one).is_some_and(|(_, old, new)| {
            are_hashes(old, new) || versions.iter().any(|version| is_led_by(version, old, new))
        });
        one.is_slight |= follows;
    }
}

/// The path of a member, what it said, and what it says.
fn values(found: &Found) -> Option<(&str, &str, &str)> {
    let (ChangeKind::Update, Some(Thing::Text { text: old }), Some(Thing::Text { text: new })) =
        (found.kind, &found.old, &found.new)
    else {
        return None;
    };
    let ((path, old), (same, new)) = (old.split_once(": ")?, new.split_once(": ")?);
    (path == same).then_some((path, old, new))
}

/// Whether the last name of a path is that of a version.
fn says_version(path: &str) -> bool {
    let name = path.rsplit('.').next().unwrap_or(path).to_ascii_lowercase();
    ["version", "release", "tag"].iter().any(|word| name.contains(word))
}

/// Numbers with points between, as in `1.82.4` and `v2.0-rc1`.
fn is_version(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || ".-+_".contains(c);
    let points = text.match_indices('.').filter(|(at, _)| {
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        digit(text[..*at].chars().next_back()) && digit(text[at + 1..].chars().next())
    });
    text.len() <= VERSION_BYTES_MAX && text.chars().all(is_part) && points.count() > 0
}

/// Two hashes of one kind.
fn are_hashes(old: &str, new: &str) -> bool {
    let parts = |text: &'_ str| -> Option<(usize, usize)> {
        let hash = text.rsplit_once(':').map_or(text, |(_, hash)| hash);
        let is_hash = hash.len() >= HASH_CHARS_MIN && hash.chars().all(|c| c.is_ascii_hexdigit());
        is_hash.then_some((text.len() - hash.len(), hash.len()))
    };
    match (parts(old), parts(new)) {
        (Some(was), Some(is)) => was == is && old[..was.0] == new[..is.0],
        _ => false,
    }
}

/// Two addresses that differ as their versions do.
fn is_led_by((before, after): &(String, String), old: &str, new: &str) -> bool {
    old.contains("://") && old != new && old.replace(before.as_str(), after) == new
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(changes: &[(&str, &str)]) -> Vec<usize> {
        let text = |text: &str| Thing::Text { text: text.to_owned() };
        let mut found: Vec<Found> =
            changes.iter().map(|(old, new)| Found::update(text(old), text(new))).collect();
        mark(&mut found);
        (0..found.len()).filter(|at| !found[*at].is_slight).collect()
    }

    #[test]
    fn an_address_and_a_hash_follow_the_version() {
        let hash = |of: &str| format!("64bit.hash: sha256:{}", of.repeat(64));
        let (was, is) = (hash("a"), hash("b"));
        let version = ("version: 1.82.4", "version: 1.83.0");
        let url = |v: &str| format!("64bit.url: https://a.example/v{v}/a-{v}.exe");
        let (from, to) = (url("1.82.4"), url("1.83.0"));
        assert_eq!(told(&[version, (&from, &to), (&was, &is)]), [0]);
        assert_eq!(told(&[(&from, &to), (&was, &is)]), [0, 1], "no version says so");
        let elsewhere = to.replace("a.example", "b.example");
        assert_eq!(told(&[version, (&from, &elsewhere)]), [0, 1], "another host");
        let other = is.replace("sha256", "md5");
        assert_eq!(told(&[version, (&was, &other)]), [0, 1], "another kind of hash");
        let price = ("price: 49.90", "price: 39.90");
        assert_eq!(told(&[price, (&was, &is)]), [0, 1], "a price is no version");
        assert_eq!(told(&[version, price]), [0, 1]);
        assert_eq!(told(&[("name: a", "name: b"), (&was, &is)]), [0, 1]);
    }
}
