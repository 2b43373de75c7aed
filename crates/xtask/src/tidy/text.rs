//! Prose out of files: paragraphs of Markdown, comments of Rust, titles of stories.

use std::collections::BTreeMap;

/// A paragraph, a table's cell, or a run of comment lines, with the line it begins in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paragraph {
    pub line: usize,
    pub text: String,
}

/// Gathers lines into paragraphs.
#[derive(Default)]
struct Gathering {
    done: Vec<Paragraph>,
    line: usize,
    open: Vec<String>,
}

impl Gathering {
    fn add(&mut self, line: usize, text: &str) {
        if self.open.is_empty() {
            self.line = line;
        }
        self.open.push(text.trim().to_owned());
    }

    fn close(&mut self) {
        if !self.open.is_empty() {
            let text = std::mem::take(&mut self.open).join(" ");
            self.done.push(Paragraph { line: self.line, text });
        }
    }

    fn finish(mut self) -> Vec<Paragraph> {
        self.close();
        self.done
    }
}

/// Paragraphs, items of lists, headings and cells of tables; code blocks are left out.
pub fn of_markdown(text: &str) -> Vec<Paragraph> {
    let (mut gathering, mut is_code) = (Gathering::default(), false);
    for (number, line) in (1..).zip(text.lines()) {
        let trimmed = line.trim_start();
        if trimmed.starts_with("```") {
            is_code = !is_code;
            gathering.close();
        } else if is_code || trimmed.is_empty() || trimmed.starts_with("<!--") {
            gathering.close();
        } else if trimmed.starts_with('#') {
            gathering.close();
            gathering.add(number, trimmed.trim_start_matches('#'));
            gathering.close();
        } else if trimmed.starts_with('|') {
            gathering.close();
            for cell in trimmed.trim_matches('|').split('|') {
                gathering.add(number, cell);
                gathering.close();
            }
        } else {
            let item = after_bullet(trimmed);
            if item.is_some() {
                gathering.close();
            }
            gathering.add(number, item.unwrap_or(trimmed));
        }
    }
    gathering.finish()
}

/// The text of a list's item.
fn after_bullet(line: &str) -> Option<&str> {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    match digits {
        0 => line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")),
        _ => line[digits..].strip_prefix(". "),
    }
}

/// Comments that stand on lines of their own, each run of them a paragraph; examples left out.
pub fn of_rust(text: &str) -> Vec<Paragraph> {
    let (mut gathering, mut is_code) = (Gathering::default(), false);
    for (number, line) in (1..).zip(text.lines()) {
        let Some(comment) = line.trim_start().strip_prefix("//") else {
            is_code = false;
            gathering.close();
            continue;
        };
        let comment = comment.strip_prefix(['/', '!']).unwrap_or(comment).trim();
        if comment.starts_with("```") {
            is_code = !is_code;
            gathering.close();
        } else if is_code || comment.is_empty() {
            gathering.close();
        } else {
            gathering.add(number, comment);
        }
    }
    gathering.finish()
}

/// The title of a story: its lines `# …`.
pub fn of_case(text: &str) -> Vec<Paragraph> {
    let titles = (1..).zip(text.lines()).filter(|(_, line)| line.starts_with('#'));
    let mut gathering = Gathering::default();
    titles.for_each(|(number, line)| gathering.add(number, line.trim_start_matches('#')));
    gathering.finish()
}

/// Headings of a Markdown text, each with the anchor that leads to it.
pub fn headings(text: &str) -> Vec<(String, String)> {
    let (mut seen, mut is_code) = (BTreeMap::<String, u32>::new(), false);
    let mut headings = Vec::new();
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        let title = line.trim_start_matches('#');
        if is_code || title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let title = title.trim().replace('`', "");
        let anchor = anchor_of(&title);
        let times = seen.entry(anchor.clone()).or_default();
        let unique = if *times == 0 { anchor } else { format!("{anchor}-{times}") };
        *times += 1;
        headings.push((title, unique));
    }
    headings
}

/// As the usual renderers make it: lower case, blanks to hyphens, most other signs left out.
fn anchor_of(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(paragraphs: Vec<Paragraph>) -> Vec<(usize, String)> {
        paragraphs.into_iter().map(|one| (one.line, one.text)).collect()
    }

    #[test]
    fn markdown_is_paragraphs_items_and_cells_without_code() {
        let text = "# Head\n\nOne\ntwo.\n- three\n  four\n1. five\n```sh\nsix\n```\n| a | b |\n";
        let expected =
            [(1, "Head"), (3, "One two."), (5, "three four"), (7, "five"), (11, "a"), (11, "b")];
        assert_eq!(texts(of_markdown(text)), expected.map(|(line, text)| (line, text.to_owned())));
    }

    #[test]
    fn comments_of_rust_are_joined_and_code_and_examples_are_not_read() {
        let text = "//! One\n//! two.\n//!\n//! ```\n//! let three = 3;\n//! ```\nlet four = \"// 5\";\n\
                    \x20   /// Six.\n";
        let expected = [(1, "One two."), (8, "Six.")];
        assert_eq!(texts(of_rust(text)), expected.map(|(line, text)| (line, text.to_owned())));
    }

    #[test]
    fn headings_have_the_anchors_that_renderers_give_them() {
        let text = "# A `b`, c!\n```text\n# no heading\n```\n## Same\n## Same\n";
        let anchors: Vec<String> = headings(text).into_iter().map(|(_, anchor)| anchor).collect();
        assert_eq!(anchors, ["a-b-c", "same", "same-1"]);
    }
}
