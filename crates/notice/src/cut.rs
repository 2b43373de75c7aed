//! Texts are cut to size, at a character's boundary, by the bytes they take in JSON.

use change::between_words;

/// The first characters of `text` that take at most `bytes_max` bytes when escaped, and whether
/// any were left out.
pub(crate) fn cut(text: &str, bytes_max: usize) -> (&str, bool) {
    let mut bytes = 0;
    for (at, c) in text.char_indices() {
        bytes += escaped_bytes(c);
        if bytes > bytes_max {
            return (&text[..at], true);
        }
    }
    (text, false)
}

/// How many bytes JSON takes for a character.
fn escaped_bytes(c: char) -> usize {
    match c {
        '"' | '\\' | '\u{8}' | '\u{9}' | '\u{a}' | '\u{c}' | '\u{d}' => 2,
        '\0'..='\u{1f}' => 6,
        _ => c.len_utf8(),
    }
}

/// For a line that people read: no control characters, nothing that turns the direction of the
/// text around, no white space twice, at most `chars_max` characters; cut between words.
pub(crate) fn clean(text: &str, chars_max: usize) -> String {
    let mut line = String::new();
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
        let is_first = line.is_empty();
        let start = line.len();
        line.extend(word.chars().filter(|&c| !turns_around(c)));
        if line.len() > start && !is_first {
            line.insert(start, ' ');
        }
    }
    if line.chars().nth(chars_max).is_none() {
        return line;
    }
    let kept = between_words(&line, chars_max.saturating_sub(1));
    format!("{}…", kept.unwrap_or(&line))
}

/// Bidirectional controls, and characters without width that hide in a text.
fn turns_around(c: char) -> bool {
    matches!(c,
        '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_before_the_character_that_does_not_fit() {
        assert_eq!(cut("Lisbõa", 5), ("Lisb", true));
        assert_eq!(cut("Lisbõa", 6), ("Lisbõ", true));
        assert_eq!(cut("Lisbõa", 7), ("Lisbõa", false));
        assert_eq!(cut("a\u{1}b", 6), ("a", true));
        assert_eq!(cut("😀😀", 7), ("😀", true));
    }

    #[test]
    fn escaped_bytes_are_what_the_encoder_writes() {
        for c in (0..0x3000).filter_map(char::from_u32) {
            let encoded = serde_json::to_string(&c.to_string()).unwrap();
            assert_eq!(encoded.len() - 2, escaped_bytes(c), "{c:?}");
        }
    }

    #[test]
    fn a_line_for_people_has_no_hidden_characters() {
        assert_eq!(clean(" a\u{202e}b \n\u{7}c\u{200b} ", 80), "ab c");
        assert_eq!(clean("one two three", 8), "one two…");
        assert_eq!(clean("onetwothree", 6), "onetw…");
    }
}
