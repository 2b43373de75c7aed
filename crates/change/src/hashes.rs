//! Hashes as people tell them apart: by their first digits.

use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// A word of hexadecimal digits that is as long as a hash.
static HASH: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b([0-9a-fA-F]{10})[0-9a-fA-F]{30,}\b").expect("a regex that a test compiles")
});

/// A text for people: of hashes the first ten digits, and that more follow. O(length).
pub fn short_hashes(text: &str) -> Cow<'_, str> {
    HASH.replace_all(text, "$1…")
}

/// The same of what was and what is, as far as they still differ.
pub fn short_hashes_of_both<'t>(old: &'t str, new: &'t str) -> [Cow<'t, str>; 2] {
    let short = [old, new].map(short_hashes);
    if short[0] == short[1] { [old, new].map(Cow::Borrowed) } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_hash_the_first_digits_are_told() {
        let [one, other] = ["0f", "1e"].map(|two| two.repeat(32));
        assert_eq!(short_hashes(&format!("sha256:{one}.")), "sha256:0f0f0f0f0f….");
        let both = short_hashes_of_both(&one, &other);
        assert_eq!(both, ["0f0f0f0f0f…", "1e1e1e1e1e…"]);
        let near = format!("{}1", &one[..63]);
        assert_eq!(short_hashes_of_both(&one, &near), [&*one, &*near], "they must differ");
        for whole in ["0f".repeat(19), format!("x{one}"), "facade 2026".to_owned()] {
            assert_eq!(short_hashes(&whole), whole);
        }
    }
}
