//! What a text says, however it is divided.

/// What may stand between words.
const MARKS: &str = ",.;:!?'\"-–—…·()[]‘’“”„«»";

/// The letters, numbers and signs of a text, without blanks and punctuation: but for what stands
/// between digits, and what may be a minus. O(n).
pub fn letters(text: &str) -> String {
    let (mut letters, mut marks) = (String::with_capacity(text.len()), String::new());
    for c in text.chars() {
        if c.is_whitespace() || MARKS.contains(c) {
            marks.push(c);
            continue;
        }
        if c.is_ascii_digit() {
            if letters.ends_with(|c: char| c.is_ascii_digit()) {
                letters.push_str(&marks);
            } else {
                letters.extend(marks.chars().last().filter(|mark| "-–".contains(*mark)));
            }
        }
        marks.clear();
        letters.push(c);
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::letters;

    #[test]
    fn a_text_has_the_same_letters_however_it_is_divided_and_other_numbers_are_others() {
        assert_eq!(letters("“Features” added: a [label]…"), letters("Features - added a label"));
        for (one, other) in [("1.50", "150"), ("1 - 5", "15"), ("at -5", "at 5"), ("–5", "5")] {
            assert_ne!(letters(one), letters(other));
        }
    }
}
