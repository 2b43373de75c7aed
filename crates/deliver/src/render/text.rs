//! A story as lines, with or without colours.

use super::frame::{Frame, Shows};
use super::story::{Mark, Page, Shown, Standing, Stands, Story, Told};
use super::{Colour, marked};
use change::{Fate, Piece};
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
        for occurrence in &story.occurrences {
            self.line(1, &format!("· {occurrence}"));
        }
        for page in &story.pages {
            self.page(page);
        }
        let mut standing = Standing::default();
        for told in &story.changes {
            let stands = standing.next(told);
            if stands == Stands::Apart {
                let under = |names: &[String]| {
                    let names = names.iter().map(|name| format!("“{name}”"));
                    format!("Under {}", names.collect::<Vec<_>>().join(", "))
                };
                let line = self.styled(&format!("{}:", told.place(under)), BOLD);
                self.line(1, &line);
            }
            self.depth += stands.depth();
            self.change(told);
            self.depth -= stands.depth();
        }
        if !story.more.is_empty() {
            self.line(1, &story.more);
        }
        if !story.held_back.is_empty() {
            self.line(1, &story.held_back);
        }
        for page in &story.further {
            self.page(page);
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
        if !page.held.is_empty() {
            self.line(2, &page.held);
        }
    }

    fn change(&mut self, told: &Told) {
        let (mark, style) = match told.mark {
            Mark::Added => ("+", GREEN),
            Mark::Removed => ("-", RED),
            Mark::Changed => ("~", YELLOW),
        };
        let mark = self.styled(mark, style);
        let bracketed = |remarks: String| match remarks {
            none if none.is_empty() => none,
            remarks => format!("  [{remarks}]"),
        };
        if let Some((frame, Shows::Everywhere)) = &told.frame {
            self.frame(frame, &format!("{mark}{}", bracketed(told.remarks.join(", "))));
            return;
        }
        let remarks = bracketed(told.remarked());
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

    /// A line for each column, or one for both texts. What went is in `[-…-]`, what came in
    /// `{+…+}`; a text of a page that has such marks gets a blank inside them.
    fn frame(&mut self, frame: &Frame, mark: &str) {
        let own = |text: &str| {
            let text = text.replace("[-", "[ -").replace("-]", "- ]");
            text.replace("{+", "{ +").replace("+}", "+ }")
        };
        let piece = |piece: &Piece| {
            let text = own(&piece.text);
            // White space at its ends stands outside the mark.
            let (start, inner) = text.split_at(text.len() - text.trim_start().len());
            let (inner, end) = inner.split_at(inner.trim_end().len());
            match piece.fate {
                _ if inner.is_empty() => text,
                Fate::Same => text,
                Fate::Delete => {
                    format!("{start}{}{end}", self.styled(&format!("[-{inner}-]"), RED))
                }
                Fate::Insert => {
                    format!("{start}{}{end}", self.styled(&format!("{{+{inner}+}}"), GREEN))
                }
            }
        };
        // Two marks next to each other have a blank between them.
        let joined = |pieces: &mut dyn Iterator<Item = &Piece>| {
            let mut line = String::new();
            let mut is_after_mark = false;
            for one in pieces {
                let is_mark = one.fate != Fate::Same;
                let is_apart = line.ends_with(char::is_whitespace)
                    || one.text.starts_with(char::is_whitespace);
                if is_mark && is_after_mark && !is_apart {
                    line.push(' ');
                }
                line.push_str(&piece(one));
                is_after_mark = is_mark;
            }
            line
        };
        let around = |pieces: String| {
            let (before, after) = (own(&frame.before), own(&frame.after));
            let parts = [self.faint(&before), pieces.trim().to_owned(), self.faint(&after)];
            let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            parts.join(" ")
        };
        let lines = if frame.is_dual {
            let old = around(joined(&mut frame.column(Fate::Delete)));
            let new = around(joined(&mut frame.column(Fate::Insert)));
            vec![("before │", old), ("now    │", new)]
        } else {
            vec![("│", around(joined(&mut frame.pieces.iter())))]
        };
        self.line(1, mark);
        for (column, text) in lines {
            self.line(2, format!("{column} {text}").trim_end());
        }
    }

    fn faint(&self, text: &str) -> String {
        if text.is_empty() { String::new() } else { self.styled(text, DIM) }
    }

    fn shown(&self, shown: &Shown) -> String {
        let marked = |text: &str| marked::quoted(text, |inner| self.styled(inner, BOLD));
        let label = shown.label(marked, str::to_owned);
        match &shown.link {
            Some(link) if *link != shown.text => {
                // An address that is there in short is written out, not repeated.
                let bare = link.split_once("://").map_or(&**link, |(_, bare)| bare);
                let before = label.strip_suffix(bare.trim_end_matches('/'));
                let before = before.filter(|before| before.ends_with(' '));
                let label = before.map_or_else(|| format!("{label}  "), str::to_owned);
                format!("{label}{}", self.styled(link, DIM))
            }
            _ => label,
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
