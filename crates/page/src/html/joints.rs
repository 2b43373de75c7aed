//! Texts that stand apart on the screen and touch in the markup:
//! `<span>Create</span><span>Build your library</span>`. What sets them apart is a style.

/// Letters of a word that no number belongs to.
const WORD_CHARS_MIN: usize = 3;
/// Digits of a year.
const YEAR_DIGITS: usize = 4;

/// What came since the last text.
#[derive(Default)]
pub(super) struct Joint {
    has_closed: bool,
    has_opened: bool,
    /// A link closed, then another opened.
    link_closed: bool,
    link_opened: bool,
}

impl Joint {
    pub(super) fn open(&mut self, name: &str) {
        self.has_opened |= self.has_closed;
        self.link_opened |= self.link_closed && name == "a";
    }

    pub(super) fn close(&mut self, name: &str) {
        self.has_closed = true;
        self.link_closed |= name == "a";
    }

    /// Whether this text stands apart from what comes before it: they are in two links, or in two
    /// elements and the second begins like a name, a sentence or an amount behind a word. "H", "2"
    /// and "O" are one word.
    pub(super) fn parts(&mut self, before: &str, text: &str) -> bool {
        let Some(first) = text.chars().next() else { return false };
        let Joint { has_opened, link_opened, .. } = std::mem::take(self);
        let Some(last) = before.chars().next_back() else { return false };
        let is_case = first.is_uppercase() && (last.is_lowercase() || ".!?".contains(last));
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
        (link_opened && is_word) || (has_opened && (is_case || is_amount || is_number))
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
    }
}
