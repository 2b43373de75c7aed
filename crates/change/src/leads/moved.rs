//! Links that lead to one page, which has another place on its site now.

use super::{Parts, file};
use std::collections::BTreeMap;

/// Endings of pages; what has another is a document.
const PAGES: [&str; 6] = ["asp", "aspx", "htm", "html", "jsp", "php"];

/// Whether two addresses of a site are of one page that was moved: it has the name that it had, of
/// two words at least, and no number differs.
pub(crate) fn has_moved(old: &str, new: &str) -> bool {
    let (was, is) = (Parts::of(old), Parts::of(new));
    let host = |parts: &Parts<'_>| parts.path.split('/').next().unwrap_or_default().to_lowercase();
    let [from, to] = [was.path, is.path].map(|path| path.trim_end_matches('/'));
    let name = |path| file(path).to_lowercase();
    let of_web =
        [old, new].iter().all(|href| href.starts_with("https://") || href.starts_with("http://"));
    of_web
        && from != to
        && from.contains('/')
        && host(&was) == host(&is)
        && was.query == is.query
        && name(from) == name(to)
        && is_name_of_page(&name(to))
        && numbers(from) == numbers(to)
}

fn is_name_of_page(name: &str) -> bool {
    let (name, ending) = name.rsplit_once('.').unwrap_or((name, "html"));
    let words = name.split(['-', '_']).filter(|word| word.chars().all(char::is_alphabetic));
    PAGES.contains(&ending) && words.filter(|word| word.len() > 2).nth(1).is_some()
}

/// How often each number stands in a path.
fn numbers(path: &str) -> BTreeMap<&str, usize> {
    let mut all = BTreeMap::new();
    let numbers = path.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
    numbers.for_each(|number| *all.entry(number).or_default() += 1);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_moved_has_the_name_it_had() {
        let moved = |old: &str, new: &str| {
            let at = |path: &str| format!("https://a.example/{path}");
            has_moved(&at(old), &at(new))
        };
        assert!(moved("en/start/github-glossary", "en/learn/about/github-glossary#fork"));
        assert!(moved("help/send-it-back.html", "support/send-it-back.html"));
        for (old, new) in [
            ("forms/entry-form.pdf", "files/entry-form.pdf"),
            ("2025/summer-fares", "2026/summer-fares"),
            ("open/apply", "closed/apply"),
            ("help/send-it-back", "help/keep-it-all"),
            ("help/send-it-back", "help/send-it-back"),
            ("help/send-it-back?lang=de", "help/us/send-it-back?lang=fr"),
        ] {
            assert!(!moved(old, new), "{old} {new}");
        }
        let other = ["https://a.example/x/send-it-back", "https://b.example/y/send-it-back"];
        assert!(!has_moved(other[0], other[1]), "another site");
    }
}
