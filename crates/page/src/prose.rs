//! Paragraphs of plain text that are wrapped at a width: where their lines end says nothing.
//!
//! In doubt lines stay as they are: logs, lists, tables, code and verse are made of lines.

use std::borrow::Cow;

/// Lines of one paragraph; more are none.
const LINES_MAX: usize = 200;
/// Columns of the longest line of what is wrapped.
const COLUMNS_MIN: usize = 40;
/// A line may be that much longer than the paragraphs that surely are wrapped.
const COLUMNS_MORE: usize = 8;
/// What stands in code and hardly in sentences.
const CODE: [&str; 9] = ["{", "}", " = ", "==", "()", "::", "</", "=>", "\t"];

/// The blocks of a text, in its order: wrapped paragraphs, and lines of anything else. Linear.
pub(crate) fn blocks(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let sure = runs(text).filter(|run| looks(run) == Looks::Wrapped);
    let width = sure.map(|run| longest(&run.lines)).max();
    runs(text).flat_map(move |run| {
        let is_one = match looks(&run) {
            Looks::Wrapped => true,
            Looks::Unclear => width.is_some_and(|width| fills(&run.lines, width)),
            Looks::Lines => false,
        };
        if is_one {
            let lines: Vec<&str> = run.lines.iter().map(|line| line.trim()).collect();
            vec![Cow::Owned(lines.join(" "))]
        } else {
            run.lines.into_iter().map(Cow::Borrowed).collect()
        }
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Looks {
    Wrapped,
    /// It may be. What is known of the rest of the text decides.
    Unclear,
    Lines,
}

/// Lines that belong together, if any do: between blank lines, and from one list item to the next.
struct Run<'t> {
    lines: Vec<&'t str>,
    /// A part of a longer one.
    is_part: bool,
}

fn runs(text: &str) -> impl Iterator<Item = Run<'_>> {
    let mut lines = text.lines().peekable();
    let mut is_cut = false;
    std::iter::from_fn(move || {
        let mut run = vec![lines.next()?];
        while run.len() < LINES_MAX
            && let Some(line) = lines.next_if(|line| goes_on(run[run.len() - 1], line))
        {
            run.push(line);
        }
        let was_cut = std::mem::take(&mut is_cut);
        is_cut = lines.peek().is_some_and(|line| goes_on(run[run.len() - 1], line));
        Some(Run { lines: run, is_part: was_cut || is_cut })
    })
}

fn goes_on(line: &str, next: &str) -> bool {
    let is_blank = |line: &str| line.trim().is_empty();
    let is_new_page = next.starts_with('\u{c}');
    !is_blank(line) && !is_blank(next) && !is_new_page && marker(next).is_none()
}

/// The bytes of what a list item begins with: `- `, `12. `, `(a) `.
fn marker(line: &str) -> Option<usize> {
    let line = line.trim();
    let (mark, _) = line.split_once(char::is_whitespace)?;
    let bare = mark.trim_start_matches(['(', '[']).trim_end_matches(['.', ')', ']', ':']);
    let is_number = bare.len() <= 8 && bare.chars().all(|c| c.is_ascii_digit() || c == '.');
    let is_letter = bare.len() <= 4 && bare.chars().all(char::is_alphabetic);
    let is_enclosed = mark.ends_with([')', ']']) && !mark.ends_with("))");
    let is_item = match bare {
        "" | "-" | "*" | "+" | "•" | "–" | "—" | "‣" | "◦" | "▪" | "·" => true,
        _ if is_number => mark.len() > bare.len() || bare.contains('.'),
        _ => is_letter && is_enclosed,
    };
    is_item.then_some(mark.len())
}

fn looks(run: &Run<'_>) -> Looks {
    let Run { lines: run, is_part } = run;
    if *is_part || run.len() < 2 || !is_even(run) || run.iter().any(|line| is_apart(line)) {
        return Looks::Lines;
    }
    let few = |is_so: fn(&str) -> bool| {
        let count = run.iter().filter(|line| is_so(line)).count();
        count < 2 && count * 3 < run.len().max(4)
    };
    let (all, before) = (&run[1..], &run[..run.len() - 1]);
    let ends = before.iter().filter(|line| ends_sentence(line)).count();
    if !few(is_field) || !few(|line| line.trim_end().ends_with(';')) || ends * 2 > before.len() {
        return Looks::Lines;
    }
    let first = |line: &&&str| line.split_whitespace().next().map(str::to_lowercase);
    let alike = all.iter().filter(|line| first(line) == first(&&run[0])).count();
    if alike * 2 > all.len() || has_many_digits(run) {
        return Looks::Lines;
    }
    let going_on = all.iter().filter(|line| begins_within(line)).count();
    let has_case = run.iter().any(|line| line.chars().any(char::is_lowercase));
    let is_end = ends_sentence(run[run.len() - 1]);
    match (going_on * 3 >= all.len(), has_case) {
        (true, true) => Looks::Wrapped,
        // Writing that has no small letters, or a paragraph in capitals.
        (_, false) if is_end && ends * 2 < before.len() => Looks::Wrapped,
        _ => Looks::Unclear,
    }
}

fn columns(line: &str) -> usize {
    line.trim_end().chars().count()
}

fn longest(run: &[&str]) -> usize {
    run.iter().map(|line| columns(line)).max().unwrap_or_default()
}

fn indent(line: &str) -> usize {
    columns(line) - line.trim().chars().count()
}

/// Lines of like length from one margin, of an item from where it begins or its text does. The
/// last may be shorter.
fn is_even(run: &[&str]) -> bool {
    let (margin, longest) = (indent(run[1]), longest(run));
    let is_hanging = marker(run[0])
        .is_some_and(|bytes| (1..=bytes + 4).contains(&margin.saturating_sub(indent(run[0]))));
    let is_full = |line: &&str| columns(line) * 5 >= longest * 3;
    longest >= COLUMNS_MIN
        && (margin == indent(run[0]) || is_hanging)
        && run[1..].iter().all(|line| indent(line) == margin)
        && run[..run.len() - 1].iter().all(is_full)
}

/// A line that is one by itself: of a table, of code, a heading, a rule, a quotation.
fn is_apart(line: &str) -> bool {
    let line = line.trim();
    let gaps = line.match_indices("  ").filter(|(at, _)| {
        let before = &line[..*at];
        !before.ends_with(['.', '!', '?', ':', ' '])
    });
    gaps.count() + line.matches('|').count() >= 2
        || line.starts_with(['#', '>', '$', '/', '<', '@'])
        || !line.contains(char::is_alphanumeric)
        || !line.contains(' ') && line.len() >= COLUMNS_MIN
        || CODE.iter().any(|sign| line.contains(sign))
}

/// `Price: 40`.
fn is_field(line: &str) -> bool {
    let Some((name, _)) = line.trim().split_once(": ") else { return false };
    let words = name.split_whitespace().count();
    words <= 3 && name.len() <= 30 && !name.contains(['.', ',', ';', '!', '?', '(', '"'])
}

fn ends_sentence(line: &str) -> bool {
    let line = line.trim_end().trim_end_matches(['"', '\'', '”', '’', '»', ')']);
    line.ends_with(['.', '!', '?', '…', '。', '؟', '।', '۔'])
}

/// Whether a line begins as no sentence does.
fn begins_within(line: &str) -> bool {
    let line = line.trim_start().trim_start_matches(['"', '\'', '“', '‘', '«', '(']);
    line.starts_with(char::is_lowercase) && !line.starts_with("http")
}

fn has_many_digits(run: &[&str]) -> bool {
    let count = |is_so: fn(&char) -> bool| -> usize {
        run.iter().map(|line| line.chars().filter(is_so).count()).sum()
    };
    count(char::is_ascii_digit) * 5 > count(|c| c.is_alphanumeric())
}

/// Whether each line but the last ends only where the next word had no room.
fn fills(run: &[&str], width: usize) -> bool {
    let width_min = width.max(longest(run));
    let word = |line: &str| line.split_whitespace().next().map_or(0, |word| word.chars().count());
    let is_full =
        |pair: &[&str]| columns(pair[0]) + 1 + word(pair[1]) > width_min && !ends_sentence(pair[0]);
    width_min <= width + COLUMNS_MORE && run.windows(2).all(is_full)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(text: &str) -> Vec<String> {
        let lines = blocks(text).filter(|block| !block.trim().is_empty());
        lines.map(|block| crate::gather::collapse(&block)).collect()
    }

    /// `text` at this width, with the margin `rest` from the second line on.
    fn wrapped(text: &str, width: usize, rest: &str) -> String {
        let (mut out, mut column) = (String::new(), 0);
        for word in text.split(' ') {
            if column + 1 + word.len() > width {
                out.push('\n');
                out.push_str(rest);
                column = rest.len();
            } else if column > 0 {
                out.push(' ');
                column += 1;
            }
            out.push_str(word);
            column += word.len();
        }
        out
    }

    const NOTICE: &str = "The provider may change these terms at any time by giving notice of at \
         least thirty days to each customer by electronic mail, and a customer who does not agree \
         with the change may end the contract without cost before the change takes effect.";

    #[test]
    fn a_paragraph_is_the_same_at_any_width() {
        let law = "The law of Portugal governs this contract, whatever the place may be where it \
             is made.";
        for width in 50..90 {
            let (notice, law) = (wrapped(NOTICE, width, ""), wrapped(law, width, ""));
            let text = format!("TERMS\n\n1. Changes\n\n{notice}\n\n2. Law\n\n{law}\n");
            let texts = joined(&text);
            assert_eq!(texts[..3], ["TERMS", "1. Changes", NOTICE], "{width}");
        }
        let capitals = wrapped(&NOTICE.to_uppercase(), 70, "");
        assert_eq!(joined(&capitals), [NOTICE.to_uppercase()]);
        let names = "Whoever lives in Lisbon, Portugal\nor elsewhere reads this paragraph to end.";
        assert_eq!(joined(names).len(), 1);
    }

    #[test]
    fn what_is_unclear_goes_by_the_width_of_the_rest() {
        let unclear = "The law of Portugal governs this contract and all of the courts of\nLisbon \
             decide.";
        assert_eq!(joined(unclear).len(), 2);
        let text = format!("{}\n\n{unclear}", wrapped(NOTICE, 70, ""));
        assert_eq!(joined(&text).len(), 2);
        let titles = "Rain is expected in the north of the country\nFire in the market of Lisbon";
        let text = format!("{}\n\n{titles}", wrapped(NOTICE, 70, ""));
        assert_eq!(joined(&text).len(), 3);
    }

    #[test]
    fn a_list_item_is_one_with_its_lines() {
        let item = |mark: &str, rest: &str| wrapped(&format!("{mark}{NOTICE}"), 60, rest);
        let text = format!("{}\n{}\n{}", item("- ", "  "), item("12. ", ""), item("(a) ", "    "));
        let texts = joined(&text);
        let expected = ["- ", "12. ", "(a) "].map(|mark| format!("{mark}{NOTICE}"));
        assert_eq!(texts, expected);
        let short = "- one of them, which is quite long for an item\n- another\n- the last";
        assert_eq!(joined(short).len(), 3);
    }

    #[test]
    fn what_is_made_of_lines_keeps_them() {
        for text in [
            "2026-11-01 12:00 INFO the server has started at last\n2026-11-01 12:01 INFO the \
             server has stopped again",
            "let the_number_of_lines = count_the_lines(of, it);\nlet the_other = count_them(of, \
             the, others);",
            "kernel: the disk sda is about to fail, it says so\nkernel: the disk sdb is about to \
             fail, it says so",
            "Lisbon    forty euros a night   two rooms left\nbergen    sixty euros a night   no \
             rooms left today",
            "lisbon | forty euros a night | two rooms are left\nbergen | sixty euros a night | no \
             rooms are left",
            "name: the kettle that whistles when it boils\nprice: forty euros, and four for its \
             postage",
            "Shall I compare thee to a summer's day?\nThou art more lovely and more temperate:",
            "    if the_number_of_lines_is_large:\n        return the_lines_as_they_are_now",
            "https://a.example/the/first/of/the/addresses\nhttps://a.example/the/second/of/the/\
             addresses",
            "a short line\nand another one\nand a third",
        ] {
            assert_eq!(joined(text).len(), text.lines().count(), "{text}");
        }
        let long = "and so it goes on and on and on to the very end\nwith another line that \
             is as long as the first one\n"
            .repeat(LINES_MAX);
        assert!(joined(&long).len() == 2 * LINES_MAX);
    }

    #[test]
    fn no_word_is_lost() {
        let text = format!("\n\u{c}{}\n\n- x\n\n\n  y\n", wrapped(NOTICE, 44, "  "));
        let words =
            |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
        assert_eq!(words(&joined(&text).join(" ")), words(&text.replace('\u{c}', " ")));
        assert_eq!(joined(""), [""; 0]);
    }
}
