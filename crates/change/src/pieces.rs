//! One text of two: what stayed, what went, what came, by words.

use crate::spans::differing;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;

/// Pairs of words that are compared one by one; where there are more, sentences are told apart
/// first, as marks are found.
const PAIRS_MAX: usize = 250_000;
/// Bytes of one word that is replaced as a whole.
const WORD_BYTES_MAX: usize = 300;

/// What became of a piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// In both.
    Same,
    /// In the older text alone.
    Delete,
    /// In the newer text alone.
    Insert,
}

/// Neighbouring words of one fate, with the white space after them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Piece {
    pub fate: Fate,
    pub text: String,
}

/// Both texts in one: without what was inserted it is `old`, without what was deleted `new`.
/// Between two words that stayed, what went stands before what came.
///
/// A longest common subsequence of the words between what both begin and end with: O(n · m),
/// bounded by [`PAIRS_MAX`]; of longer texts, and of long words, what [`differing`] finds.
pub fn pieces(old: &str, new: &str) -> Vec<Piece> {
    let (old_words, new_words) = (words(old), words(new));
    let (a, b) = (&old_words, &new_words);
    let head = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let rest = a.len().min(b.len()) - head;
    let tail = a.iter().rev().zip(b.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let (a_apart, b_apart) = (&a[head..a.len() - tail], &b[head..b.len() - tail]);
    let is_long = |words: &[&str]| words.iter().any(|word| word.len() > WORD_BYTES_MAX);
    let mut joined = Joined::default();
    if a_apart.len().saturating_mul(b_apart.len()) > PAIRS_MAX
        || is_long(a_apart) && is_long(b_apart)
    {
        by_differing(old, new, &mut joined);
    } else {
        joined.push(Fate::Same, &a[..head]);
        between(a_apart, b_apart, &mut joined);
        joined.push(Fate::Same, &a[a.len() - tail..]);
    }
    joined.flush();
    joined.pieces
}

/// Words with the white space after them. In a script without blanks between words, characters,
/// and its wide marks stand alone.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for spaced in text.split_inclusive(char::is_whitespace) {
        let (mut start, mut last) = (0, None);
        for (at, part) in spaced.split_word_bound_indices() {
            let first = part.chars().next();
            if last.zip(first).is_some_and(|(last, first)| is_bound(last, first)) {
                words.push(&spaced[start..at]);
                start = at;
            }
            last = part.chars().next_back();
        }
        words.push(&spaced[start..]);
    }
    words
}

/// Whether a word ends between two characters, of which the first ends what Unicode calls a word.
fn is_bound(last: char, first: char) -> bool {
    let is_wide = |c: char| matches!(c, '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff65}');
    last.is_alphanumeric() && first.is_alphanumeric()
        || !first.is_whitespace() && (is_wide(last) || is_wide(first))
}

fn by_differing(old: &str, new: &str, joined: &mut Joined) {
    let mut at = 0;
    for one in differing(old, new) {
        joined.push(Fate::Same, &[&old[at..one.old.start]]);
        joined.push(Fate::Delete, &[&old[one.old.clone()]]);
        joined.push(Fate::Insert, &[&new[one.new]]);
        at = one.old.end;
    }
    joined.push(Fate::Same, &[&old[at..]]);
}

fn between(old: &[&str], new: &[&str], joined: &mut Joined) {
    let (rows, columns) = (old.len(), new.len());
    // `longest[i][j]`: words that `old[i..]` and `new[j..]` have in common, in this order.
    let width = columns + 1;
    let mut longest = vec![0u32; (rows + 1) * width];
    for i in (0..rows).rev() {
        for j in (0..columns).rev() {
            longest[i * width + j] = if old[i] == new[j] {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < rows && j < columns {
        if old[i] == new[j] {
            joined.push(Fate::Same, &old[i..=i]);
            (i, j) = (i + 1, j + 1);
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            joined.push(Fate::Delete, &old[i..=i]);
            i += 1;
        } else {
            joined.push(Fate::Insert, &new[j..=j]);
            j += 1;
        }
    }
    joined.push(Fate::Delete, &old[i..]);
    joined.push(Fate::Insert, &new[j..]);
}

/// Pieces that grow; between two that stayed, at most one that went and one that came.
#[derive(Default)]
struct Joined {
    pieces: Vec<Piece>,
    gone: String,
    came: String,
}

impl Joined {
    fn push(&mut self, fate: Fate, words: &[&str]) {
        match fate {
            Fate::Delete => self.gone.extend(words.iter().copied()),
            Fate::Insert => self.came.extend(words.iter().copied()),
            Fate::Same if words.iter().all(|word| word.is_empty()) => {}
            Fate::Same => {
                self.flush();
                match self.pieces.last_mut().filter(|last| last.fate == Fate::Same) {
                    Some(last) => last.text.extend(words.iter().copied()),
                    None => self.pieces.push(Piece { fate, text: words.concat() }),
                }
            }
        }
    }

    fn flush(&mut self) {
        let waiting = [(Fate::Delete, &mut self.gone), (Fate::Insert, &mut self.came)];
        for (fate, text) in waiting {
            if !text.is_empty() {
                self.pieces.push(Piece { fate, text: std::mem::take(text) });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(old: &str, new: &str) -> String {
        let piece = |piece: Piece| match piece.fate {
            Fate::Same => format!("[{}]", piece.text),
            Fate::Delete => format!("-[{}]", piece.text),
            Fate::Insert => format!("+[{}]", piece.text),
        };
        pieces(old, new).into_iter().map(piece).collect()
    }

    #[test]
    fn only_the_words_that_differ_are_marked() {
        assert_eq!(marked("Lisbon 40 euros", "Lisbon 35 euros"), "[Lisbon ]-[40 ]+[35 ][euros]");
        assert_eq!(marked("a b c d e", "a x c y e"), "[a ]-[b ]+[x ][c ]-[d ]+[y ][e]");
        assert_eq!(marked("a a", "a a a"), "[a ]+[a ][a]");
        assert_eq!(marked("one", "two"), "-[one]+[two]");
        assert_eq!(marked("", "two"), "+[two]");
        assert_eq!(marked("same", "same"), "[same]");
        assert_eq!(marked("", ""), "");
    }

    #[test]
    fn of_a_long_text_only_the_words_that_differ_are_marked() {
        let sentence = |n: usize| format!("In case {n} we say so, and no later than that. ");
        let all: String = (0..400).map(sentence).collect();
        let text = |days: &str, city: &str| format!("Within {days} days. {all}The law of {city}.");
        let found = marked(&text("30", "Berlin"), &text("14", "Paris"));
        let told = format!("[Within ]-[30]+[14][ days. {all}The law of ]-[Berlin]+[Paris][.]");
        assert_eq!(found, told);
    }

    #[test]
    fn a_script_without_blanks_is_marked_by_characters() {
        assert_eq!(
            marked("我们在三十天内退款。", "我们在十四天内退款。"),
            "[我们在]-[三][十]+[四][天内退款。]"
        );
        assert_eq!(marked("在「30日」内", "在「14日」内"), "[在「]-[30]+[14][日」内]");
        assert_eq!(marked("คืนเงินใน 30 วัน", "คืนเงินใน 14 วัน"), "[คืนเงินใน ]-[30 ]+[14 ][วัน]");
        assert_eq!(marked("ราคาสูง", "ราคาต่ำ"), "[ราคา]-[สูง]+[ต่ำ]");
        assert_eq!(
            words("e.g. https://a.example/b?c=1, 49.90€"),
            ["e.g. ", "https://a.example/b?c=1, ", "49.90€"]
        );
    }

    #[test]
    fn a_long_text_in_a_script_without_blanks_is_told_apart_by_its_sentences() {
        let sentence = |n: u32| {
            let han = |n: u32| char::from_u32(0x4e00 + n).expect("a character");
            format!("用户在{}情况下可以{}取消订单。", han(7 * n % 900), han(11 * n % 800))
        };
        let all: String = (0..300).map(sentence).collect();
        let found =
            marked(&format!("三十天。{all}柏林法院。"), &format!("十四天。{all}巴黎法院。"));
        assert!(found.ends_with("-[柏林]+[巴黎][法院。]"), "{found}");
        assert!(found.starts_with("-[三][十]+[四][天。"), "{found}");
    }

    /// Words in common, tried in every way.
    fn most_in_common(old: &[&str], new: &[&str]) -> usize {
        let ([first, old_rest @ ..], [head, new_rest @ ..]) = (old, new) else { return 0 };
        let without = most_in_common(old_rest, new).max(most_in_common(old, new_rest));
        if first == head { without.max(most_in_common(old_rest, new_rest) + 1) } else { without }
    }

    #[test]
    fn pieces_hold_all_of_both_texts_and_share_as_much_as_can_be() {
        let texts: Vec<String> = (0..=5u32)
            .flat_map(|length| (0..1u32 << length).map(move |bits| (length, bits)))
            .map(|(length, bits)| {
                let word = |at| if bits >> at & 1 == 1 { "a " } else { "b " };
                (0..length).map(word).collect()
            })
            .collect();
        for old in &texts {
            for new in &texts {
                let found = pieces(old, new);
                let without = |fate: Fate| {
                    let kept = found.iter().filter(|piece| piece.fate != fate);
                    kept.map(|piece| piece.text.as_str()).collect::<String>()
                };
                assert_eq!((&without(Fate::Insert), &without(Fate::Delete)), (old, new));
                let same = found.iter().filter(|piece| piece.fate == Fate::Same);
                let same: usize = same.map(|piece| words(&piece.text).len()).sum();
                assert_eq!(same, most_in_common(&words(old), &words(new)), "{old:?} {new:?}");
            }
        }
    }
}
