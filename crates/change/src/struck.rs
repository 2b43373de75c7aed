//! What of a text in pieces is struck out, for those who can draw a line through it.

use crate::pieces::Fate;
use page::STRUCK_MARK;

/// A part of a piece, without marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run<'t> {
    pub text: &'t str,
    pub is_struck: bool,
}

/// The runs of each piece. What is struck out may begin in one piece and end in another; of old and
/// new in one, each has its own marks. What stays is shown as it is on the side of what went
/// (`Delete`) or of what came. Marks with nothing or a blank next to them strike out nothing, and
/// are text. O(length).
pub fn struck_runs<'t>(pieces: &[(Fate, &'t str)], side: Fate) -> Vec<Vec<Run<'t>>> {
    let [old, new] = [Fate::Insert, Fate::Delete].map(|other| {
        let own = pieces.iter().filter(|(fate, _)| *fate != other);
        marks(&own.map(|(_, text)| *text).collect::<String>())
    });
    let (mut old_at, mut new_at) = (0, 0);
    let piece = |&(fate, text): &(Fate, &'t str)| {
        let shown = if fate == Fate::Same { side } else { fate };
        let runs = match shown {
            Fate::Delete => split(text, old_at, &old),
            Fate::Same | Fate::Insert => split(text, new_at, &new),
        };
        old_at += if fate == Fate::Insert { 0 } else { text.len() };
        new_at += if fate == Fate::Delete { 0 } else { text.len() };
        runs
    };
    pieces.iter().map(piece).collect()
}

/// Where marks stand in pairs, in bytes.
fn marks(text: &str) -> Vec<usize> {
    let (mut found, mut at) = (Vec::new(), 0);
    let next = |from: usize| Some(from + text.get(from..)?.find(STRUCK_MARK)?);
    while let Some(open) = next(at) {
        let inner = open + STRUCK_MARK.len();
        at = inner;
        let Some(close) = next(inner) else { break };
        let struck = &text[inner..close];
        let is_tight = !struck.is_empty() && struck.trim() == struck && !struck.starts_with('~');
        if is_tight {
            found.extend([open, close]);
            at = close + STRUCK_MARK.len();
        }
    }
    found
}

/// The runs of a piece that begins at this byte of the text with these marks.
fn split<'t>(text: &'t str, from: usize, marks: &[usize]) -> Vec<Run<'t>> {
    let before = marks.partition_point(|&mark| mark < from);
    let (mut runs, mut begin) = (Vec::new(), 0);
    let mut is_struck = before % 2 == 1;
    let own = marks[before..].iter().map(|mark| mark - from);
    for mark in own.take_while(|&mark| mark < text.len()) {
        runs.push(Run { text: &text[begin..mark], is_struck });
        begin = (mark + STRUCK_MARK.len()).min(text.len());
        is_struck = !is_struck;
    }
    runs.push(Run { text: &text[begin..], is_struck });
    runs.retain(|run| !run.text.is_empty());
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The runs with what is struck out in brackets, and `|` between pieces.
    fn said(pieces: &[(Fate, &str)]) -> String {
        said_of(pieces, Fate::Insert)
    }

    fn said_of(pieces: &[(Fate, &str)], side: Fate) -> String {
        let run = |run: &Run<'_>| match run {
            Run { text, is_struck: true } => format!("[{text}]"),
            Run { text, .. } => (*text).to_owned(),
        };
        let piece = |runs: &Vec<Run<'_>>| runs.iter().map(run).collect::<String>();
        struck_runs(pieces, side).iter().map(piece).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn what_stands_between_two_marks_is_struck_out() {
        for (text, expected) in [
            ("~~£49.90~~ £39.90", "[£49.90] £39.90"),
            ("Was ~~£5~~, or ~~£6~~", "Was [£5], or [£6]"),
            ("about ~~ 40", "about ~~ 40"),
            ("~~~~ news ~~~~", "~~~~ news ~~~~"),
            ("a ~~ b ~~ c", "a ~~ b ~~ c"),
            ("~~one~~ and ~~two", "[one] and ~~two"),
        ] {
            assert_eq!(said(&[(Fate::Same, text)]), expected);
        }
    }

    #[test]
    fn what_is_struck_out_may_begin_in_one_piece_and_end_in_another() {
        let (same, del, ins) = (Fate::Same, Fate::Delete, Fate::Insert);
        assert_eq!(said(&[(same, "~~"), (same, "£49"), (same, "~~ £39")]), "|[£49]| £39");
        let quiz = [(del, "Quiz "), (ins, "~~Quiz "), (same, "at "), (del, "8"), (ins, "8~~")];
        assert_eq!(said(&quiz), "Quiz |[Quiz ]|[at ]|8|[8]");
        let back = [(del, "~~Quiz "), (ins, "Quiz "), (same, "at "), (del, "8~~"), (ins, "8")];
        assert_eq!(said(&back), "[Quiz ]|Quiz |at |[8]|8");
    }

    #[test]
    fn what_stays_is_struck_out_as_on_the_side_that_is_shown() {
        let (same, del, ins) = (Fate::Same, Fate::Delete, Fate::Insert);
        let of = |pieces: &[(Fate, &str)], side: Fate| {
            let own = pieces.iter().filter(|(fate, _)| [same, side].contains(fate));
            said_of(&own.copied().collect::<Vec<_>>(), side)
        };
        let sale = [(same, "~~"), (del, "Was £44~~ £34"), (ins, "Is £49~~ £39"), (same, ".90")];
        assert_eq!(of(&sale, del), "|[Was £44] £34|.90");
        assert_eq!(of(&sale, ins), "|[Is £49] £39|.90");
        let quiz = [(del, "Quiz "), (ins, "~~Quiz "), (same, "at "), (del, "8"), (ins, "8~~")];
        assert_eq!(of(&quiz, del), "Quiz |at |8");
        assert_eq!(of(&quiz, ins), "[Quiz ]|[at ]|[8]");
        assert_eq!(said_of(&quiz, del), "Quiz |[Quiz ]|at |8|[8]", "with what came beside it");
    }
}
