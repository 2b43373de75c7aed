//! Texts are cut between words.

/// Bytes of what is left of a word, which is left out rather than shown.
const WORD_BYTES_MAX: usize = 16;

/// The beginning of a text of more than `chars_max` characters, without a blank at its end, and
/// without a word that does not fit whole; of a long word, as much as fits. `None`: all of it fits.
/// O(length kept).
pub fn between_words(text: &str, chars_max: usize) -> Option<&str> {
    let (end, next) = text.char_indices().nth(chars_max)?;
    let kept = text[..end].trim_end();
    let is_whole = next.is_whitespace() || kept.len() < end;
    let word = kept.rfind(char::is_whitespace).filter(|at| !is_whole && end - at <= WORD_BYTES_MAX);
    Some(word.map_or(kept, |at| kept[..at].trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_words() {
        assert_eq!(between_words("one two three", 12), Some("one two"));
        assert_eq!(between_words("one two three", 7), Some("one two"));
        assert_eq!(between_words("one two three", 8), Some("one two"));
        assert_eq!(between_words("one two three", 13), None);
        assert_eq!(between_words("onetwothree", 5), Some("onetw"));
        let long = format!("one {}", "é".repeat(30));
        assert_eq!(between_words(&long, 20), Some(&*format!("one {}", "é".repeat(16))));
    }
}
