//! A name that is another: two texts that differ in it alone.

use crate::spans::differing;

/// A word that stands for another in a text, and in how many places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exchanged<'t> {
    pub old: &'t str,
    pub new: &'t str,
    pub count: usize,
}

/// The one name in place of another by which two texts differ, wherever they do. Nothing where
/// numbers differ, or where words came or went. O(length) beside the cost of [`differing`].
pub fn exchanged<'t>(old: &'t str, new: &'t str) -> Option<Exchanged<'t>> {
    let mut found: Option<Exchanged<'t>> = None;
    for one in differing(old, new) {
        let [before, after] =
            [&old[one.old], &new[one.new]].map(|text| text.split_whitespace().collect::<Vec<_>>());
        if before.len() != after.len() {
            return None;
        }
        let pairs = before.into_iter().zip(after).filter(|(was, is)| was != is);
        for (was, is) in pairs.map(|(was, is)| (name(was), name(is))) {
            let exchange = found.get_or_insert(Exchanged { old: was, new: is, count: 0 });
            let is_name = [was, is].iter().all(|name| name.starts_with(char::is_alphabetic));
            if !is_name || was == is || (exchange.old, exchange.new) != (was, is) {
                return None;
            }
            exchange.count += 1;
        }
    }
    found
}

/// A word without the marks around it and the ending of what is one's own.
fn name(word: &str) -> &str {
    let is_mark = |c: char| !c.is_alphanumeric();
    let word = word.trim_matches(is_mark);
    word.strip_suffix("’s").or(word.strip_suffix("'s")).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_another_wherever_it_stands() {
        fn all<'t>(old: &'t str, new: &'t str) -> Option<(&'t str, &'t str, usize)> {
            exchanged(old, new).map(|one| (one.old, one.new, one.count))
        }
        let old = "Acme’s kettles are of Acme, and so is (Acme).";
        let renamed = old.replace("Acme", "Apex");
        assert_eq!(all(old, &renamed), Some(("Acme", "Apex", 3)));
        let case = "On Xbox consoles, Xbox Cloud and more";
        let capitals = case.replace("Xbox", "XBOX");
        assert_eq!(all(case, &capitals), Some(("Xbox", "XBOX", 2)));
        let also = old.replace("Acme", "Apex").replace("kettles", "pots");
        assert_eq!(all(old, &also), None, "and another word");
        let longer = format!("{old} No more.");
        assert_eq!(all(old, &longer), None, "words that came");
        assert_eq!(all("within 30 days", "within 14 days"), None);
        assert_eq!(all("You may go.", "You must go."), Some(("may", "must", 1)));
        assert_eq!(all("a", "a"), None);
    }
}
