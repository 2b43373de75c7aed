//! Members of a document that only follow another one: the address of a file that has its version
//! in it, and the hash of that file.

use crate::found::Found;
use crate::{ChangeKind, Thing};
use std::collections::BTreeSet;

/// Versions that are looked for in addresses.
const VERSIONS_MAX: usize = 8;
/// Characters of a hash at least.
const HASH_CHARS_MIN: usize = 32;
/// Digits of a version that is a day: fewer are part of much else.
const DAY_DIGITS_MIN: usize = 6;
/// Bytes of a version at most.
const VERSION_BYTES_MAX: usize = 40;

/// A member that says something else.
struct Member<'f> {
    /// The path of what it belongs to, and its own name.
    parent: &'f str,
    name: &'f str,
    old: &'f str,
    new: &'f str,
}

impl Member<'_> {
    fn of(found: &Found) -> Option<Member<'_>> {
        let (ChangeKind::Update, Some(Thing::Text { text: old }), Some(Thing::Text { text: new })) =
            (found.kind, &found.old, &found.new)
        else {
            return None;
        };
        let ((path, old), (same, new)) = (old.split_once(": ")?, new.split_once(": ")?);
        let (parent, name) = path.rsplit_once('.').unwrap_or(("", path));
        (path == same).then_some(Member { parent, name, old, new })
    }

    /// Whether its name is that of a version, and what it says is one.
    fn is_version(&self) -> bool {
        let name = self.name.rsplit(['_', '-']).next().unwrap_or_default();
        ["version", "release", "tag"].iter().any(|one| name.eq_ignore_ascii_case(one))
            && is_version(self.old)
            && is_version(self.new)
    }

    /// An address that differs as a version does.
    fn is_led_by(&self, (before, after): (&str, &str)) -> bool {
        let is_address = |text: &str| {
            let scheme = text.split_once("://").map_or("", |(scheme, _)| scheme);
            !scheme.is_empty()
                && scheme.chars().all(|c| c.is_ascii_alphabetic())
                && !text.contains(char::is_whitespace)
        };
        is_address(self.old) && is_address(self.new) && self.old.replace(before, after) == self.new
    }

    /// Two hashes of one kind, by name and look.
    fn is_hash(&self) -> bool {
        const NAMES: [&str; 6] = ["hash", "sha", "md5", "digest", "checksum", "integrity"];
        let name = self.name.to_ascii_lowercase();
        let parts = |text: &str| -> Option<(usize, usize)> {
            let hash = text.rsplit_once(':').map_or(text, |(_, hash)| hash);
            let is_hash =
                hash.len() >= HASH_CHARS_MIN && hash.chars().all(|c| c.is_ascii_hexdigit());
            is_hash.then_some((text.len() - hash.len(), hash.len()))
        };
        let (Some(was), Some(is)) = (parts(self.old), parts(self.new)) else { return false };
        NAMES.iter().any(|known| name.starts_with(known) || name.ends_with(known))
            && was == is
            && self.old[..was.0] == self.new[..is.0]
    }
}

/// Marks addresses that have a version in them which is another, and the hash beside such an
/// address. Where no version says so, all of it is news. O(changes · versions).
pub(super) fn mark(found: &mut [Found]) {
    let members: Vec<Option<Member<'_>>> = found.iter().map(Member::of).collect();
    let versions = members.iter().flatten().filter(|member| member.is_version());
    let versions: Vec<(&str, &str)> =
        versions.map(|member| (member.old, member.new)).take(VERSIONS_MAX).collect();
    let is_led = |member: &Member<'_>| versions.iter().any(|version| member.is_led_by(*version));
    let led: BTreeSet<&str> =
        members.iter().flatten().filter(|one| is_led(one)).map(|one| one.parent).collect();
    let follows =
        |member: &Member<'_>| led.contains(member.parent) && (member.is_hash() || is_led(member));
    let all: Vec<bool> =
        members.iter().map(|member| member.as_ref().is_some_and(follows)).collect();
    for (one, follows) in found.iter_mut().zip(all) {
        one.follows = follows;
    }
}

/// Numbers with points between, as in `1.82.4` and `v2.0-rc1`, or such as days: `200512`,
/// `2019-06-22_17-19`.
fn is_version(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || ".-+_".contains(c);
    let points = text.match_indices('.').filter(|(at, _)| {
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        digit(text[..*at].chars().next_back()) && digit(text[at + 1..].chars().next())
    });
    let is_day = text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || c == '-' || c == '_')
        && text.chars().filter(char::is_ascii_digit).count() >= DAY_DIGITS_MIN;
    text.len() <= VERSION_BYTES_MAX && text.chars().all(is_part) && (points.count() > 0 || is_day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(changes: &[(&str, &str)]) -> Vec<usize> {
        let text = |text: &str| Thing::Text { text: text.to_owned() };
        let mut found: Vec<Found> =
            changes.iter().map(|(old, new)| Found::update(text(old), text(new))).collect();
        mark(&mut found);
        (0..found.len()).filter(|at| !found[*at].follows).collect()
    }

    #[test]
    fn an_address_and_the_hash_beside_it_follow_the_version() {
        let hash = |name: &str, of: &str| format!("64bit.{name}: sha256:{}", of.repeat(64));
        let (was, is) = (hash("hash", "a"), hash("hash", "b"));
        let version = ("version: 1.82.4", "version: 1.83.0");
        let url = |v: &str| format!("64bit.url: https://a.example/v{v}/a-{v}.exe");
        let (from, to) = (url("1.82.4"), url("1.83.0"));
        assert_eq!(told(&[version, (&from, &to), (&was, &is)]), [0]);
        assert_eq!(told(&[(&from, &to), (&was, &is)]), [0, 1], "no version says so");
        assert_eq!(told(&[version, (&was, &is)]), [0, 1], "its file stays");
        let elsewhere = to.replace("a.example", "b.example");
        assert_eq!(told(&[version, (&from, &elsewhere), (&was, &is)]), [0, 1, 2], "another host");
        let other = is.replace("sha256", "md5");
        assert_eq!(told(&[version, (&from, &to), (&was, &other)]), [0, 2], "of another kind");
        let (key, fresh) = (hash("fingerprint", "a"), hash("fingerprint", "b"));
        assert_eq!(told(&[version, (&from, &to), (&key, &fresh)]), [0, 2], "a key");
        let of_mug = |text: &str| text.replace("64bit", "mug");
        assert_eq!(told(&[version, (&from, &to), (&of_mug(&was), &of_mug(&is))]), [0, 2]);
        let notice = |v: &str| format!("64bit.note: {v} is withdrawn, see https://a.example/n");
        assert_eq!(told(&[version, (&notice("1.82.4"), &notice("1.83.0"))]), [0, 1]);
        for (was_v, is_v) in [("200512", "210127"), ("2019-06-22_17-19", "2019-11-13_01-33")] {
            let [from, to] = [was_v, is_v].map(url);
            let version = [was_v, is_v].map(|v| format!("version: {v}"));
            let version = (&*version[0], &*version[1]);
            assert_eq!(told(&[version, (&from, &to), (&was, &is)]), [0]);
        }
        let [from, to] = ["3", "4"].map(url);
        assert_eq!(told(&[("version: 3", "version: 4"), (&from, &to)]), [0, 1], "part of much");
        assert_eq!(told(&[(&was, &is)]), [0], "the file is another one of the same version");
        let price = ("release_price: 49.90", "release_price: 39.90");
        let dear = |v: &str| format!("64bit.url: https://a.example/{v}");
        assert_eq!(told(&[price, (&dear("49.90"), &dear("39.90"))]), [0, 1], "no version");
    }
}
