//! A story as a simple HTML document, fit for mail readers.

use super::frame::Frame;
use super::story::{Mark, Page, Shown, Standing, Stands, Story, Told};
use change::{Fate, Piece, Run, struck_runs};
use std::fmt::Write;

/// A cell of two columns.
const CELL: &str = "border:1px solid #ccc;padding:.3em .5em;vertical-align:top;width:50%";

/// A document around `inner`, which is HTML; `title` is text.
pub(crate) fn page(title: &str, inner: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>{}</title></head>\n\
         <body style=\"font-family:sans-serif;line-height:1.4\">\n{inner}\n</body></html>\n",
        escape(title)
    )
}

pub(crate) fn render(story: &Story) -> String {
    let mut inner = String::new();
    write_story(&mut inner, story, "h2").expect("writing to a string does not fail");
    page(&story.summary, &inner)
}

fn write_story(out: &mut String, story: &Story, heading: &str) -> std::fmt::Result {
    writeln!(out, "<{heading}>{}</{heading}>", said(&story.summary))?;
    let by = [&story.sentinel, &story.time].map(|part| escape(part));
    writeln!(out, "<p style=\"color:#666\">{}</p>", by.join(" &middot; "))?;
    if !story.note.is_empty() {
        writeln!(out, "<p>{}</p>", escape(&story.note))?;
    }
    if !story.occurrences.is_empty() {
        writeln!(out, "<ul>")?;
        for occurrence in &story.occurrences {
            writeln!(out, "<li>{}</li>", said(occurrence))?;
        }
        writeln!(out, "</ul>")?;
    }
    for page in &story.pages {
        writeln!(out, "<p>{}</p>", page_html(page))?;
    }
    if !story.changes.is_empty() {
        writeln!(out, "<ul style=\"list-style:none;padding-left:0\">")?;
        let mut standing = Standing::default();
        for told in &story.changes {
            let stands = standing.next(told);
            if stands == Stands::Apart {
                writeln!(out, "<li><b>{}</b></li>", said(&told.place(|names| names.join(" › "))))?;
            }
            let (depth, change) = (stands.depth(), change_html(told));
            writeln!(out, "<li style=\"margin:0 0 .6em {depth}em\">{change}</li>")?;
        }
        writeln!(out, "</ul>")?;
    }
    if !story.more.is_empty() {
        writeln!(out, "<p>{}</p>", escape(&story.more))?;
    }
    if !story.held_back.is_empty() {
        writeln!(out, "<p style=\"color:#666\">{}</p>", escape(&story.held_back))?;
    }
    for page in &story.further {
        writeln!(out, "<p>{}</p>", page_html(page))?;
        if !page.held.is_empty() {
            writeln!(out, "<blockquote>{}</blockquote>", said(&page.held))?;
        }
    }
    for missed in &story.missed {
        writeln!(out, "<p style=\"color:#a60\">{}</p>", escape(missed))?;
    }
    for inner in &story.stories {
        writeln!(out, "<hr>")?;
        write_story(out, inner, "h3")?;
    }
    if story.stories_more > 0 {
        writeln!(out, "<hr>\n<p>and {} more</p>", story.stories_more)?;
    }
    Ok(())
}

fn page_html(page: &Page) -> String {
    let name = linked(&page.name, page.link.as_deref());
    if page.versions.is_empty() { name } else { format!("{name} ({})", escape(&page.versions)) }
}

fn change_html(told: &Told) -> String {
    if let Some((frame, _)) = &told.frame {
        return frame_html(frame, told);
    }
    let mut parts = Vec::new();
    match (&told.old, &told.new) {
        (Some(old), Some(new)) => {
            parts.push(format!("~ {}", struck(old)));
            parts.push(format!("<br>&rarr; {}", inserted(new)));
        }
        (Some(old), None) => parts.push(format!("- {}", struck(old))),
        (None, Some(new)) if told.mark == Mark::Added => {
            parts.push(format!("+ {}", inserted(new)));
        }
        (None, Some(new)) => parts.push(format!("~ {}", dressed(new, ["", ""]))),
        (None, None) => parts.push("~".to_owned()),
    }
    parts.push(remarks(&told.remarked()));
    let (before, after) = &told.around;
    if !before.is_empty() || !after.is_empty() {
        let [before, middle, after] = [before, told.middle(), after].map(said);
        parts.push(format!(
            "<br><small style=\"color:#666\">… {before} <b>{middle}</b>{gap}{after} …</small>",
            gap = told.gap()
        ));
    }
    parts.concat()
}

fn remarks(said: &str) -> String {
    match said {
        "" => String::new(),
        said => format!(" <small>[{}]</small>", escape(said)),
    }
}

/// Two columns, or one text; what came from pages is in cells of its own.
fn frame_html(frame: &Frame, told: &Told) -> String {
    let around = |text: &str, gap: [&str; 2]| match text {
        "" => String::new(),
        text => format!("{}<span style=\"color:#666\">{}</span>{}", gap[0], said(text), gap[1]),
    };
    let cell = |pieces: Vec<&Piece>, side: Fate| {
        let texts: Vec<_> = pieces.iter().map(|piece| (piece.fate, &*piece.text)).collect();
        let pieces: String = (pieces.iter().zip(struck_runs(&texts, side)))
            .map(|(piece, runs)| between(&runs_html(&runs), tags(piece.fate)))
            .collect();
        let (before, after) = (around(&frame.before, ["", " "]), around(&frame.after, [" ", ""]));
        format!("<td dir=\"auto\" style=\"{CELL}\">{before}{pieces}{after}</td>")
    };
    let mut links = Vec::new();
    for (side, shown) in [("before", &told.old), ("now", &told.new)] {
        if let Some(link) = shown.as_ref().and_then(|shown| shown.link.as_deref()) {
            links.push(format!("{side}: {}", linked(link, Some(link))));
        }
    }
    let links = match links.join("<br>") {
        none if none.is_empty() => none,
        links => format!("<br><small>{links}</small>"),
    };
    let rows = if frame.is_dual {
        let head = |word: &str| format!("<th style=\"{CELL};text-align:left\">{word}</th>");
        let old = cell(frame.column(Fate::Delete).collect(), Fate::Delete);
        let new = cell(frame.column(Fate::Insert).collect(), Fate::Insert);
        format!("<tr>{}{}</tr><tr>{old}{new}</tr>", head("before"), head("now"))
    } else {
        format!("<tr>{}</tr>", cell(frame.pieces.iter().collect(), Fate::Insert))
    };
    format!(
        "{}{links}<table style=\"border-collapse:collapse;width:100%\">{rows}</table>",
        remarks(&told.remarks.join(", ")).trim_start()
    )
}
const STRUCK: [&str; 2] = ["<del style=\"background:#fdd\">", "</del>"];
const INSERTED: [&str; 2] = ["<ins style=\"background:#dfd;text-decoration:none\">", "</ins>"];

/// What a piece of one text of two stands between.
fn tags(fate: Fate) -> [&'static str; 2] {
    match fate {
        Fate::Same => ["", ""],
        Fate::Delete => STRUCK,
        Fate::Insert => INSERTED,
    }
}

fn struck(shown: &Shown) -> String {
    dressed(shown, STRUCK)
}

fn inserted(shown: &Shown) -> String {
    dressed(shown, INSERTED)
}

/// A thing with its marked pieces between `tags`; if none is marked, with all of it between them.
fn dressed(shown: &Shown, tags: [&str; 2]) -> String {
    let label = label_html(shown, tags);
    let inner = match &shown.link {
        Some(link) => format!("<a href=\"{}\" rel=\"noreferrer\">{label}</a>", escape(link)),
        None => label,
    };
    let is_marked = shown.pieces.iter().any(|piece| piece.marked);
    if is_marked || shown.is_place { inner } else { between(&inner, tags) }
}

/// The text with its count, its marked pieces between `tags`.
fn label_html(shown: &Shown, tags: [&str; 2]) -> String {
    if shown.pieces.is_empty() {
        return shown.counted(said(&shown.text));
    }
    let texts: Vec<_> = shown.pieces.iter().map(|piece| (Fate::Same, &*piece.text)).collect();
    let pieces = shown.pieces.iter().zip(struck_runs(&texts, Fate::Insert)).map(|(piece, runs)| {
        let inner = runs_html(&runs);
        if piece.marked { between(&inner, tags) } else { inner }
    });
    shown.counted(pieces.collect())
}

/// Nothing where there is nothing between them.
fn between(inner: &str, [start, end]: [&str; 2]) -> String {
    if inner.is_empty() { String::new() } else { format!("{start}{inner}{end}") }
}

/// What is told of a page: what it strikes out has a line through it here, too.
fn said(text: &str) -> String {
    struck_runs(&[(Fate::Same, text)], Fate::Insert).iter().map(|runs| runs_html(runs)).collect()
}

fn runs_html(runs: &[Run<'_>]) -> String {
    let run = |run: &Run<'_>| match escape(run.text) {
        text if run.is_struck => between(&text, ["<s>", "</s>"]),
        text => text,
    };
    runs.iter().map(run).collect()
}

pub(crate) fn linked(text: &str, link: Option<&str>) -> String {
    match link {
        Some(link) => {
            format!("<a href=\"{}\" rel=\"noreferrer\">{}</a>", escape(link), escape(text))
        }
        None => escape(text),
    }
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}
