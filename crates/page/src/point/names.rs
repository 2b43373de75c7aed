//! Names that an element has, the ones that last first; names that a machine made are none.

use scraper::node::Element;

/// Characters of a name that is used.
const CHARS_MAX: usize = 60;
/// Classes of one element that are looked at.
const CLASSES_MAX: usize = 8;

/// Attributes by which people and their tests name things.
const NAMING: [&str; 8] = [
    "itemprop",
    "property",
    "data-testid",
    "data-test",
    "data-qa",
    "data-cy",
    "data-field",
    "data-name",
];

/// Classes that say how something is at the moment.
const STATES: &str = "active checked collapsed current disabled even expanded first hidden hover \
    last loaded loading new odd open selected show visible";

/// Compound selectors that may find the element, sturdiest first.
pub(super) fn of(element: &Element) -> Vec<String> {
    let mut names = Vec::new();
    let id = element.attr("id").filter(|id| is_ident(id));
    names.extend(id.filter(|id| !is_made(id)).map(|id| format!("#{id}")));
    for name in NAMING {
        let value = element.attr(name).filter(|value| is_plain(value) && !is_made(value));
        names.extend(value.map(|value| format!("[{name}=\"{value}\"]")));
    }
    let classes: Vec<&str> = element
        .attr("class")
        .unwrap_or_default()
        .split_ascii_whitespace()
        .filter(|class| is_ident(class) && !is_made(class) && !is_state(class))
        .take(CLASSES_MAX)
        .collect();
    names.extend(classes.iter().map(|class| format!(".{class}")));
    if classes.len() > 1 {
        names.push(classes.iter().map(|class| format!(".{class}")).collect());
    }
    if let Some(first) = classes.first()
        && is_ident(element.name())
    {
        names.push(format!("{}.{first}", element.name()));
    }
    names
}

/// An id with a number in it: better than a position, worse than a name.
pub(super) fn numbered_id(element: &Element) -> Option<String> {
    let id = element.attr("id").filter(|id| is_ident(id) && is_made(id))?;
    Some(format!("#{id}"))
}

/// What stands in a selector without being escaped.
pub(super) fn is_ident(name: &str) -> bool {
    let mut chars = name.chars();
    let begins = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    begins
        && name.len() <= CHARS_MAX
        && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

fn is_plain(value: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || " -_.:/".contains(c);
    !value.trim().is_empty() && value.len() <= CHARS_MAX && value.chars().all(fits)
}

fn is_state(class: &str) -> bool {
    let class = class.to_ascii_lowercase();
    class.starts_with("is-")
        || class.starts_with("has-")
        || STATES.split_ascii_whitespace().any(|state| state == class)
}

/// Whether a machine made a name, so that the next release of the page has another: hashes,
/// numbers, letters in no order.
pub(super) fn is_made(name: &str) -> bool {
    name.split(['-', '_', ':', '.', '/', ' ']).any(is_made_part)
}

fn is_made_part(part: &str) -> bool {
    let digits = part.bytes().filter(u8::is_ascii_digit).count();
    if digits == 0 {
        let pairs = part.as_bytes().windows(2);
        let humps = pairs.filter(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase());
        let humps = humps.count();
        return humps >= 2 && part.len() < 3 * (humps + 1);
    }
    // `h1` and `top10` are names; `1x2y3z` and `12345` are none.
    let stem = part.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_name = !stem.is_empty() && digits <= 2 && stem.bytes().all(|b| b.is_ascii_alphabetic());
    !is_name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_machines_are_told_from_those_of_people() {
        for name in ["price", "price-box", "h1", "top10", "productTitle", "main_content", "SKU"] {
            assert!(!is_made(name), "{name}");
        }
        for name in
            ["css-1x2y3z", "sc-bdVaJa", "post-12345", "Price_value__2Xb1c", "ember42x", "item-7"]
        {
            assert!(is_made(name), "{name}");
        }
    }

    #[test]
    fn an_element_is_named_by_what_lasts() {
        let html = "<p id=total itemprop=price class='big is-open active css-1a2b3c amount'>1</p>";
        let tree = scraper::Html::parse_fragment(html);
        let mut elements = tree.tree.values().filter_map(|node| node.as_element());
        let element = elements.find(|element| element.name() == "p").unwrap();
        assert_eq!(
            of(element),
            ["#total", "[itemprop=\"price\"]", ".big", ".amount", ".big.amount", "p.big"]
        );
    }
}
