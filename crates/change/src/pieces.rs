//! One text of two: what stayed, what went, what came, by words.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Pairs of words that are compared; where there are more, what differs is replaced as a whole.
const PAIRS_MAX: usize = 250_000;

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
/// bounded by [`PAIRS_MAX`]; beyond that nothing between is said to have stayed.
pub fn pieces(old: &str, new: &str) -> Vec<Piece> {
    let (old, new) = (words(old), words(new));
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - head;
    let ends = old.iter().rev().zip(new.iter().rev()).take(rest);
    let tail = ends.take_while(|(a, b)| a == b).count();
    let mut joined = Joined::default();
    joined.push(Fate::Same, &old[..head]);
    between(&old[head..old.len() - tail], &new[head..new.len() - tail], &mut joined);
    joined.push(Fate::Same, &old[old.len() - tail..]);
    joined.flush();
    joined.pieces
}

/// Words with the white space after them.
fn words(text: &str) -> Vec<&str> {
    text.split_inclusive(char::is_whitespace).collect()
}

fn between(old: &[&str], new: &[&str], joined: &mut Joined) {
    let (rows, columns) = (old.len(), new.len());
    if rows.saturating_mul(columns) > PAIRS_MAX {
        joined.push(Fate::Delete, old);
        joined.push(Fate::Insert, new);
        return;
    }
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
            Fate::Same if words.is_empty() => {}
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
    fn texts_of_many_words_are_replaced_as_a_whole() {
        let many = |word: &str| vec![word; 600].join(" ");
        let found = pieces(&format!("same {}", many("a b")), &format!("same {}", many("b c")));
        let fates: Vec<Fate> = found.iter().map(|piece| piece.fate).collect();
        assert_eq!(fates, [Fate::Same, Fate::Delete, Fate::Insert]);
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
