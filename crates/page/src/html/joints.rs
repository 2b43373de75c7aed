//! Texts that stand apart on the screen and touch in the markup:
//! `<span>Create</span><span>Build your library</span>`. What sets them apart is a style.

/// Letters of a word that no number belongs to.
const WORD_CHARS_MIN: usize = 3;
/// Small letters behind the capital of a name.
const NAME_REST_MIN: usize = 2;
/// Digits of a year.
const YEAR_DIGITS: usize = 4;

/// What came since the last text.
#[derive(Default)]
pub(super) struct Joint {
    has_closed: bool,
    has_opened: bool,
    /// A link, a time or an element of the page's own kind closed, then another opened that is no
    /// part of a word.
    thing_closed: bool,
    next_opened: bool,
    /// The same of two links.
    link_closed: bool,
    link_opened: bool,
}

/// Elements that may be a part of a word.
const OF_WORDS: [&str; 11] =
    ["b", "em", "font", "i", "mark", "small", "strong", "sub", "sup", "u", "wbr"];

/// Whether an element is a thing of its own: `<a>`, `<time>`, `<relative-time>`.
fn is_thing(name: &str) -> bool {
    matches!(name, "a" | "time") || name.contains('-')
}

/// Whether what stands behind a link or a time is another word. "foot" and "ball", "12" and "50",
/// "O" and "nce" may be one, and scripts without blanks have none.
fn are_two(before: &str, first: char, is_link: bool) -> bool {
    let word = before.chars().rev().take_while(|c| c.is_alphanumeric()).take(WORD_CHARS_MIN);
    let Some(last) = word.clone().next() else { return false };
    let letters = word.count();
    let has_case = |c: char| c.is_numeric() || c.is_uppercase() || c.is_lowercase();
    let goes_on = first.is_lowercase() && (is_link || last.is_numeric());
    let are_digits = last.is_numeric() && first.is_numeric();
    let is_word = letters == WORD_CHARS_MIN || letters > 1 && first.is_numeric();
    has_case(first) && has_case(last) && !are_digits && !goes_on && is_word
}

/// Whether a text begins with a word that has a capital: "Ask" or "A show", and neither "O" nor
/// "GB".
fn begins_name(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(char::is_uppercase) else { return false };
    let rest = rest.trim_start_matches(' ').chars().take(NAME_REST_MIN);
    rest.filter(|c| c.is_lowercase()).count() == NAME_REST_MIN
}

impl Joint {
    pub(super) fn open(&mut self, name: &str) {
        self.has_opened |= self.has_closed;
        self.next_opened |= self.thing_closed && !OF_WORDS.contains(&name);
        self.link_opened |= self.link_closed && name == "a";
    }

    pub(super) fn close(&mut self, name: &str) {
        self.has_closed = true;
        self.thing_closed |= is_thing(name);
        self.link_closed |= name == "a";
    }

    /// Whether this text stands apart from what comes before it: that is a link or a time, and this
    /// is in another element; or they are in two elements, and the second begins like a name, a
    /// sentence or an amount behind a word. "H", "2" and "O" are one word.
    pub(super) fn parts(&mut self, before: &str, text: &str) -> bool {
        let Some(first) = text.chars().next() else { return false };
        let Joint { has_opened, next_opened, link_opened, link_closed, .. } = std::mem::take(self);
        let Some(last) = before.chars().next_back() else { return false };
        let is_case = first.is_uppercase() && (last.is_lowercase() || ".!?".contains(last))
            || (last.is_numeric() || last.is_uppercase() || ")%".contains(last))
                && begins_name(text);
        // "£" and "48.00" belong together, and not what is before them.
        let is_price = "€$£¥".contains(first) && last.is_alphanumeric();
        let is_amount = first.is_numeric()
            && before.chars().rev().take(WORD_CHARS_MIN).filter(|c| c.is_lowercase()).count()
                == WORD_CHARS_MIN;
        // A year and an hour are no one number.
        let digits = before.chars().rev().take_while(char::is_ascii_digit).count();
        let is_hour = text.split_once(':').is_some_and(|(hour, _)| {
            (1..=2).contains(&hour.len()) && hour.bytes().all(|b| b.is_ascii_digit())
        });
        let is_number = digits == YEAR_DIGITS && is_hour;
        let is_word = first.is_alphanumeric() && last.is_alphanumeric();
        (link_opened && is_word)
            || (next_opened && is_word && are_two(before, first, link_closed))
            || (has_opened && (is_case || is_price || is_amount || is_number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two texts with this markup between them, `/` for an end and `+` for a beginning.
    fn parts(before: &str, between: &[&str], text: &str) -> bool {
        let mut joint = Joint::default();
        for tag in between {
            match tag.split_at(1) {
                ("/", name) => joint.close(name),
                (_, name) => joint.open(name),
            }
        }
        joint.parts(before, text)
    }

    #[test]
    fn two_elements_side_by_side_are_two_texts_where_they_look_like_it() {
        assert!(parts("e", &["/span", "+span"], "Build"));
        assert!(parts("e", &["/b", "/div", "+p"], "Build"));
        assert!(!parts("H", &["/b", "+sub"], "2"));
        assert!(!parts("i", &["+b"], "Phone"), "the first has no element of its own");
        assert!(!parts("c", &["/b"], "Donald"));
        assert!(!parts("4", &["/b", "+sup"], "9"));
        assert!(parts("Price", &["/span", "+span"], "149"));
        assert!(parts("2026", &["/time", "+span"], "9:00"));
        assert!(!parts("1234", &["/span", "+span"], "5"));
        assert!(!parts("19", &["/span", "+sup"], "99"));
        assert!(!parts("v", &["/span", "+span"], "2"));
        assert!(parts("T", &["/a", "+a"], "Unsplash"));
        assert!(!parts(")", &["/a", "+a"], "("));
        assert!(parts("yesterday", &["/relative-time", "+a"], "v3.3.0"));
        assert!(parts("okapi.tar.gz", &["/a", "+span"], "8.6 MB"));
        assert!(!parts("CO", &["/a", "+sup"], "2"));
        for (before, element, text) in [
            ("foot", "/a", "ball"),
            ("O", "/x-drop", "nce"),
            ("19", "/sale-price", "99"),
            ("12", "/time", "h30"),
            ("日本", "/a", "語"),
        ] {
            assert!(!parts(before, &[element, "+span"], text), "{before}{text}");
        }
        assert!(parts("£385,000", &["/span", "+span"], "Guide Price"));
        assert!(parts("Sending (API)", &["/span", "+span"], "Operational"));
        assert!(parts("#60", &["/span", "+a"], "A ferry"));
        assert!(parts("22 m²", &["/div", "+span"], "Aire"));
        assert!(parts("Category B", &["/span", "+span"], "Stalls"));
        assert!(parts("M–V", &["/span", "+span"], "£64.00"));
        assert!(!parts("16", &["/span", "+span"], "GB"));
    }
}
