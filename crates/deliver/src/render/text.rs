//! A story as lines, with or without colours.

use super::Colour;
use super::story::{Mark, Page, Shown, Story, Told};
use std::fmt::Write;

const BOLD: &str = "\u{1b}[1m";
const DIM: &str = "\u{1b}[2m";
const RED: &str = "\u{1b}[31m";
const GREEN: &str = "\u{1b}[32m";
const YELLOW: &str = "\u{1b}[33m";
const RESET: &str = "\u{1b}[0m";

/// Lines that grow.
struct Lines {
    out: String,
    colour: Colour,
    /// Steps every line is moved in: the members of a digest stand below its head.
    depth: usize,
}

pub(crate) fn render(story: &Story, colour: Colour) -> String {
    let mut lines = Lines { out: String::new(), colour, depth: 0 };
    lines.story(story);
    lines.out
}

impl Lines {
    fn story(&mut self, story: &Story) {
        let mut head: Vec<String> = Vec::new();
        for (part, style) in [(&story.time, DIM), (&story.sentinel, BOLD), (&story.summary, BOLD)] {
            if !part.is_empty() {
                head.push(self.styled(part, style));
            }
        }
        self.line(0, &head.join("  "));
        if !story.note.is_empty() {
            self.line(1, &story.note);
        }
        for page in &story.pages {
            self.page(page);
        }
        for told in &story.changes {
            self.change(told);
        }
        if story.changes_more > 0 {
            self.line(1, &format!("and {} more", story.changes_more));
        }
        for missed in &story.missed {
            self.line(1, &format!("! {missed}"));
        }
        for inner in &story.stories {
            self.out.push('\n');
            self.depth += 1;
            self.story(inner);
            self.depth -= 1;
        }
        if story.stories_more > 0 {
            self.out.push('\n');
            self.line(1, &format!("and {} more", story.stories_more));
        }
    }

    fn page(&mut self, page: &Page) {
        let mut parts = vec![page.name.clone()];
        parts.extend(page.link.clone().filter(|link| *link != page.name));
        if !page.versions.is_empty() {
            parts.push(format!("({})", page.versions));
        }
        let line = self.styled(&parts.join("  "), DIM);
        self.line(1, &line);
    }

    fn change(&mut self, told: &Told) {
        let (mark, style) = match told.mark {
            Mark::Added => ("+", GREEN),
            Mark::Removed => ("-", RED),
            Mark::Changed => ("~", YELLOW),
        };
        let mark = self.styled(mark, style);
        let remarks = match told.remarks.join(", ") {
            none if none.is_empty() => none,
            remarks => format!("  [{remarks}]"),
        };
        match (&told.old, &told.new) {
            (Some(old), Some(new)) => {
                self.line(1, &format!("{mark} {}", self.shown(old)));
                self.line(1, &format!("→ {}{remarks}", self.shown(new)));
            }
            (Some(one), None) | (None, Some(one)) => {
                self.line(1, &format!("{mark} {}{remarks}", self.shown(one)));
            }
            (None, None) => self.line(1, &format!("{mark}{remarks}")),
        }
        let (before, after) = &told.around;
        if !before.is_empty() || !after.is_empty() {
            let (middle, gap) = (told.middle(), told.gap());
            let before = if before.is_empty() { String::new() } else { format!("{before} ") };
            let around = format!("… {before}«{middle}»{gap}{after} …");
            let around = self.styled(&around, DIM);
            self.line(2, &around);
        }
    }

    fn shown(&self, shown: &Shown) -> String {
        match &shown.link {
            Some(link) if *link != shown.text => {
                format!("{}  {}", shown.label(), self.styled(link, DIM))
            }
            _ => shown.label(),
        }
    }

    fn styled(&self, text: &str, style: &str) -> String {
        match self.colour {
            Colour::Never => text.to_owned(),
            Colour::Always => format!("{style}{text}{RESET}"),
        }
    }

    fn line(&mut self, indent: usize, text: &str) {
        writeln!(self.out, "{:width$}{text}", "", width = (self.depth + indent) * 2)
            .expect("writing to a string does not fail");
    }
}
