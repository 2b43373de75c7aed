//! Text from pages becomes harmless text on one line.

use change::between_words;

/// `text` on one line of at most `chars_max` characters: white space is collapsed, and control
/// characters and those that reorder, hide or split what is shown are removed.
pub fn line(text: &str, chars_max: usize) -> String {
    let mut out = String::new();
    let mut chars = 0;
    let mut space = false;
    for c in text.chars() {
        if c.is_whitespace() {
            space = !out.is_empty();
        } else if !is_harmful(c) {
            if chars + usize::from(space) >= chars_max {
                out.push('…');
                return out;
            }
            if std::mem::take(&mut space) {
                out.push(' ');
                chars += 1;
            }
            out.push(c);
            chars += 1;
        }
    }
    out
}

/// The same, cut between words.
pub fn words(text: &str, chars_max: usize) -> String {
    let whole = line(text, usize::MAX);
    match between_words(&whole, chars_max) {
        Some(kept) => format!("{kept}…"),
        None => whole,
    }
}

/// The same, cut at the end of a sentence or a part of one where that keeps half of it.
pub fn sentences(text: &str, chars_max: usize) -> String {
    let whole = line(text, usize::MAX);
    let Some(kept) = between_words(&whole, chars_max) else { return whole };
    if kept.ends_with(['.', '!', '?']) {
        return format!("{kept} …");
    }
    let ends = [". ", "! ", "? ", "; "].iter().filter_map(|end| kept.rfind(end)).max();
    match ends.filter(|at| 2 * at + 2 >= kept.len()) {
        Some(at) => format!("{} …", &kept[..=at]),
        None => format!("{kept}…"),
    }
}

/// The same, but the end of the text is kept, from a word on.
pub fn end_of_line(text: &str, chars_max: usize) -> String {
    let whole = line(text, usize::MAX);
    let Some(left_out) = whole.chars().count().checked_sub(chars_max).filter(|left| *left > 0)
    else {
        return whole;
    };
    let kept: String = whole.chars().skip(left_out).collect();
    let kept = kept.split_once(' ').map_or(&*kept, |(_, words)| words);
    format!("… {}", kept.trim_start_matches(['…', ' ']))
}

/// Controls (C0, DEL, C1), bidirectional marks, embeddings, overrides and isolates, characters of
/// no width, annotations and tags. Joiners stay: scripts and emoji need them.
fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00ad}' | '\u{034f}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::{end_of_line, line, sentences, words};

    #[test]
    fn white_space_collapses_and_ends_are_trimmed() {
        assert_eq!(line("  a\n\tb\u{2028}c\u{a0} d ", 99), "a b c d");
    }

    #[test]
    fn a_line_is_cut_between_words() {
        assert_eq!(words(" one  two three", 12), "one two…");
        assert_eq!(words("one two\tthree ", 13), "one two three");
    }

    #[test]
    fn the_end_of_a_line_is_kept_from_a_word_on() {
        assert_eq!(end_of_line("You may not:", 60), "You may not:");
        assert_eq!(end_of_line("… and thank all of  these people:", 16), "… these people:");
        assert_eq!(end_of_line("abcdefgh", 4), "… efgh");
    }

    #[test]
    fn controls_and_what_reorders_or_hides_are_removed() {
        assert_eq!(line("a\u{1b}[31mb\u{7}\u{9b}c\u{7f}\0", 99), "a[31mbc");
        assert_eq!(line("x\u{202e}y\u{2066}z\u{200f}\u{61c}\u{feff}\u{200b}", 99), "xyz");
        assert_eq!(line("t\u{e0041}ag\u{ad}", 99), "tag");
        assert_eq!(line("👩\u{200d}🚀 नी", 99), "👩\u{200d}🚀 नी");
    }

    #[test]
    fn a_long_text_is_cut_between_sentences() {
        assert_eq!(sentences("You may. We may not, or so", 14), "You may. …");
        assert_eq!(sentences("You may. We may not", 99), "You may. We may not");
        assert_eq!(sentences("So. We may not look at it", 14), "So. We may not…", "too little");
        assert_eq!(sentences("We said so…", 99), "We said so…");
    }

    #[test]
    fn a_long_line_is_cut_with_a_mark() {
        assert_eq!(line("abcdef", 6), "abcdef");
        assert_eq!(line("abcdefg", 6), "abcdef…");
        assert_eq!(line("abc def", 3), "abc…");
        assert_eq!(line("abc   ", 3), "abc");
    }
}
