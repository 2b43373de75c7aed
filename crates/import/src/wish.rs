//! What somebody wants to be told of, and the sentinel that says so.

use crate::limits::NAME_CHARS_MAX;

/// What an entry asks for, in what the sentinel language can say.
#[derive(Debug, Clone, PartialEq)]
pub struct Wish {
    /// What the other tool called it; the address where it had no name.
    pub name: String,
    pub url: String,
    pub tags: Vec<String>,
    /// Seconds between two looks; none lets Tidings decide.
    pub every_seconds: Option<u64>,
    /// Whether entries of a feed are wanted, and not the text of a page.
    pub feed: bool,
    /// The parts of the page, joined by `or`; none for the whole page.
    pub parts: Vec<Part>,
    /// What is left out.
    pub outside: Vec<Selector>,
    /// Regular expressions whose matches mean nothing.
    pub ignoring: Vec<String>,
    /// Regular expressions; a change is told if its text matches one of them.
    pub matching: Vec<String>,
    /// Kinds of change; none for all.
    pub kept: Vec<Kept>,
    /// Whether it was switched on.
    pub enabled: bool,
}

/// A part of a page, and what of it matters.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    Text(Selector),
    /// With tests such as `< 40`; each is a leaf of its own.
    Value(Selector, Vec<String>),
}

/// How a part is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector {
    /// `css`, `xpath`, `jsonpath`, `meta` or `jsonld`.
    pub kind: &'static str,
    pub written: String,
}

impl Selector {
    pub(crate) fn new(kind: &'static str, written: impl Into<String>) -> Selector {
        Selector { kind, written: written.into() }
    }

    fn text(&self) -> String {
        format!("{} {}", self.kind, quoted(&self.written))
    }
}

/// A kind of change that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    Added,
    Removed,
    Updated,
}

impl Wish {
    /// The whole page at `url`, told of as Tidings sees fit.
    pub(crate) fn of(url: impl Into<String>) -> Wish {
        let url = url.into();
        Wish {
            name: short(&url),
            url,
            tags: Vec::new(),
            every_seconds: None,
            feed: false,
            parts: Vec::new(),
            outside: Vec::new(),
            ignoring: Vec::new(),
            matching: Vec::new(),
            kept: Vec::new(),
            enabled: true,
        }
    }

    /// The same page without its parts, for a wish whose selectors or expressions cannot be used.
    pub fn plain(&self) -> Wish {
        Wish {
            tags: self.tags.clone(),
            every_seconds: self.every_seconds,
            feed: self.feed,
            enabled: self.enabled,
            name: self.name.clone(),
            ..Wish::of(&self.url)
        }
    }

    /// A sentinel of this name. `clauses` are added at its end, a line each.
    pub fn text(&self, name: &str, clauses: &[String]) -> String {
        let mut text = format!("create sentinel {} using {}\n", name_text(name), quoted(&self.url));
        text.push_str(&format!("  monitor {}\n", self.monitor()));
        if let Some(seconds) = self.every_seconds {
            text.push_str(&format!("  fetch every {}\n", duration(seconds)));
        }
        if !self.tags.is_empty() {
            let tags: Vec<String> = self.tags.iter().map(|tag| name_text(tag)).collect();
            text.push_str(&format!("  tag {}\n", tags.join(", ")));
        }
        for clause in clauses {
            text.push_str(&format!("  {clause}\n"));
        }
        text
    }

    fn monitor(&self) -> String {
        let leaves = self.leaves();
        let modifiers = self.modifiers();
        match leaves.len() {
            1 => format!("{}{modifiers}", leaves[0]),
            _ if modifiers.is_empty() => leaves.join(" or "),
            _ => format!("({}){modifiers}", leaves.join(" or ")),
        }
    }

    fn leaves(&self) -> Vec<String> {
        let mut leaves = Vec::new();
        for part in &self.parts {
            match part {
                Part::Text(selector) => leaves.push(format!("text of {}", selector.text())),
                Part::Value(selector, tests) if tests.is_empty() => {
                    leaves.push(format!("value of {}", selector.text()));
                }
                Part::Value(selector, tests) => {
                    let selector = selector.text();
                    leaves.extend(tests.iter().map(|test| format!("value of {selector} {test}")));
                }
            }
        }
        if leaves.is_empty() {
            leaves.push(if self.feed { "new items" } else { "any change" }.to_owned());
        }
        leaves
    }

    fn modifiers(&self) -> String {
        let mut text = String::new();
        for selector in &self.outside {
            text.push_str(&format!(" outside {}", selector.text()));
        }
        for kept in &self.kept {
            text.push_str(match kept {
                Kept::Added => " added",
                Kept::Removed => " removed",
                Kept::Updated => " updated",
            });
        }
        for (word, expressions) in [("matching", &self.matching), ("ignoring", &self.ignoring)] {
            match expressions.as_slice() {
                [] => {}
                [one] => text.push_str(&format!(" {word} {}", quoted(one))),
                several => {
                    let joined: Vec<String> =
                        several.iter().map(|one| format!("(?:{one})")).collect();
                    text.push_str(&format!(" {word} {}", quoted(&joined.join("|"))));
                }
            }
        }
        text
    }
}

/// An address without what all have, as a name.
fn short(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    // User and password of an address are no part of a name.
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    format!("{host}{}", path.trim_end_matches('/'))
}

/// A name as the language has it, in back quotes where it is not plain.
fn name_text(name: &str) -> String {
    let kept: String = name
        .chars()
        .map(|char| match char {
            '`' => '\'',
            char if char.is_control() => ' ',
            char => char,
        })
        .filter(|&char| !sentinel::is_hidden(char))
        .collect();
    let collapsed = kept.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = collapsed.chars().take(NAME_CHARS_MAX).collect();
    match short.trim() {
        "" => "`unnamed`".to_owned(),
        short => format!("`{short}`"),
    }
}

/// A text in quotes, as the language has it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            char if char.is_control() => out.push_str(&format!("\\u{{{:x}}}", char as u32)),
            char => out.push(char),
        }
    }
    out.push('"');
    out
}

/// Seconds in units that people use, the largest first.
fn duration(seconds: u64) -> String {
    let units = [(604_800, "week"), (86_400, "day"), (3_600, "hour"), (60, "minute")];
    for (unit, name) in units {
        if seconds >= unit && seconds.is_multiple_of(unit) {
            let count = seconds / unit;
            return format!("{count} {name}{}", if count == 1 { "" } else { "s" });
        }
    }
    format!("{seconds} second{}", if seconds == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_is_written_as_a_sentinel() {
        let wish = Wish {
            tags: vec!["Shopping list".into()],
            every_seconds: Some(5_400),
            parts: vec![
                Part::Text(Selector::new("css", ".a[title=\"x\"]")),
                Part::Value(Selector::new("jsonld", "$..price"), vec!["< 40".into()]),
            ],
            outside: vec![Selector::new("css", "footer")],
            kept: vec![Kept::Added, Kept::Updated],
            matching: vec!["a\\d".into(), "b".into()],
            ..Wish::of("https://example.org/?a=b,c")
        };
        let written = wish.text("The `kettle`", &["notify by terminal".into()]);
        let lines = [
            "create sentinel `The 'kettle'` using \"https://example.org/?a=b,c\"",
            "  monitor (text of css \".a[title=\\\"x\\\"]\" or value of jsonld \"$..price\" < 40) \
             outside css \"footer\" added updated matching \"(?:a\\\\d)|(?:b)\"",
            "  fetch every 90 minutes",
            "  tag `Shopping list`",
            "  notify by terminal",
            "",
        ];
        assert_eq!(written, lines.join("\n"));
    }
}
