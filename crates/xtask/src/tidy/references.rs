//! References that lead nowhere: links of Markdown, and what comments and books mention.
//!
//! - A link `[…](path#anchor)` needs the file, and in Markdown the heading.
//! - A mention `docs/language.md`, `cases/…`, `crates/…`, `ARCHITECTURE.md` needs the file. With a
//!   section after it, as in `docs/language.md`, Notify, it needs a heading of that name.
//! - A story `a-phrase-appears.case` must be in `cases/`, and a decision must have its record.

use super::text::{Paragraph, headings, of_case, of_markdown, of_rust};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Names that books had before they were in `docs/`.
const RETIRED: &[&str] = &["LANGUAGE", "FORMATS", "THEORY", "DESIGN", "STYLE"];

/// Folders whose files are mentioned by their path.
const MENTIONED: &[&str] = &["docs/", "cases/", "crates/"];

/// Extensions of files that have prose in them.
const PROSE: [&str; 3] = ["md", "rs", "case"];

/// Every finding of the workspace.
pub fn check(root: &Path) -> Vec<String> {
    let shelf = Shelf::of(root);
    let mut findings = Vec::new();
    for path in &shelf.files {
        let Ok(text) = fs::read_to_string(root.join(path)) else { continue };
        for (line, what) in shelf.check_file(path, &text) {
            findings.push(format!("{}:{line}: {what}", path.display()));
        }
    }
    findings
}

/// What can be referred to.
struct Shelf {
    root: PathBuf,
    /// Files with prose, relative to the root.
    files: Vec<PathBuf>,
    stories: BTreeSet<String>,
    decisions: BTreeSet<String>,
}

impl Shelf {
    fn of(root: &Path) -> Shelf {
        let inside = |folder: &str| {
            let folder = root.join(folder);
            PROSE.map(|extension| super::files(&folder, extension)).concat()
        };
        let mut files = ["docs", "cases", "crates", "fuzz"].map(inside).concat();
        let own = fs::read_dir(root).into_iter().flatten().flatten().map(|entry| entry.path());
        files.extend(own.filter(|path| path.extension().is_some_and(|one| one == "md")));
        let mut files: Vec<PathBuf> = files
            .iter()
            .filter_map(|path| Some(path.strip_prefix(root).ok()?.to_owned()))
            .collect();
        files.sort();
        let name = |path: &PathBuf| path.file_name()?.to_str().map(str::to_owned);
        let names = || files.iter().filter_map(name);
        let stories = names().filter(|name| name.ends_with(".case")).collect();
        let decisions = files.iter().filter(|path| path.starts_with("docs/decisions"));
        let decisions = decisions.filter_map(name).map(|name| name.chars().take(3).collect());
        let decisions = decisions.collect();
        Shelf { root: root.to_owned(), files, stories, decisions }
    }

    fn check_file(&self, path: &Path, text: &str) -> Vec<(usize, String)> {
        let (paragraphs, has_links) = match path.extension().and_then(|one| one.to_str()) {
            Some("md") => (of_markdown(text), true),
            Some("case") => (of_case(text), false),
            _ => (of_rust(text), false),
        };
        let mut findings = Vec::new();
        for Paragraph { line, text } in paragraphs {
            let mut wrong = self.mentions(&text);
            if has_links {
                wrong.extend(self.links(path, &text));
            }
            findings.extend(wrong.into_iter().map(|what| (line, what)));
        }
        findings
    }

    /// What is wrong with the links of a paragraph.
    fn links(&self, from: &Path, text: &str) -> Vec<String> {
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let wrong = targets.filter_map(|target| {
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            if target.contains("://") || target.starts_with("mailto:") {
                return None;
            }
            let file = match path {
                "" => self.root.join(from),
                path => self.root.join(from).with_file_name("").join(path),
            };
            if !file.exists() {
                return Some(format!("the link to {target} leads nowhere"));
            }
            let has = |anchor: &str| self.headings(&file).iter().any(|(_, one)| one == anchor);
            let is_there = anchor.is_empty() || has(anchor);
            (!is_there).then(|| format!("{target}: there is no such heading"))
        });
        wrong.collect()
    }

    /// What is wrong with the files and decisions that a paragraph mentions.
    fn mentions(&self, text: &str) -> Vec<String> {
        let mut wrong = Vec::new();
        for (at, token) in tokens(text) {
            let rest = text[at + token.len()..].trim_start_matches('`');
            if let Some(file) = self.mentioned(token) {
                match file {
                    Some(file) => wrong.extend(self.section(token, &file, rest)),
                    None => wrong.push(format!("`{token}` is not there")),
                }
            } else if RETIRED.contains(&token) && !rest.starts_with([':', '.', '/']) {
                wrong.push(format!("`{token}` is a book's old name; name its file in docs/"));
            } else if matches!(token, "decision" | "Decision") {
                let number: String = rest.trim_start().chars().take(3).collect();
                let is_number = number.len() == 3 && number.bytes().all(|b| b.is_ascii_digit());
                if is_number && !self.decisions.contains(&number) {
                    wrong.push(format!("there is no decision {number}"));
                }
            }
        }
        wrong
    }

    /// `None`: the token names no file. `Some(None)`: it names one that is not there.
    fn mentioned(&self, token: &str) -> Option<Option<PathBuf>> {
        if let Some(number) = token.strip_prefix("docs/decisions/")
            && number.len() == 3
        {
            let folder = self.root.join("docs/decisions");
            return Some(self.decisions.contains(number).then_some(folder));
        }
        let is_story = token.ends_with(".case") && !token.contains('/') && token.len() > 5;
        if is_story {
            return Some(self.stories.contains(token).then(|| self.root.join("cases")));
        }
        let stem = token.strip_suffix(".md").unwrap_or_default();
        let is_loud = !stem.is_empty() && stem.bytes().all(|b| b.is_ascii_uppercase());
        let in_folder = MENTIONED.iter().any(|folder| token.starts_with(folder));
        if !in_folder && (!is_loud || stem == "README") {
            return None;
        }
        let path = self.root.join(token);
        Some(path.exists().then_some(path))
    }

    /// A book with a capital after the comma is a book with its section.
    fn section(&self, token: &str, file: &Path, rest: &str) -> Option<String> {
        let named = rest.strip_prefix(", ")?;
        if !token.ends_with(".md") || !named.starts_with(char::is_uppercase) {
            return None;
        }
        let lower = named.to_lowercase();
        let is_there =
            self.headings(file).iter().any(|(title, _)| lower.starts_with(&title.to_lowercase()));
        let shown: String =
            named.split([',', ';', '.', ')', ':']).next()?.chars().take(40).collect();
        (!is_there).then(|| format!("{token} has no heading `{shown}`"))
    }

    fn headings(&self, file: &Path) -> Vec<(String, String)> {
        fs::read_to_string(file).map_or_else(|_| Vec::new(), |text| headings(&text))
    }
}

/// Runs of the characters that paths are made of, with their places; stops at their ends left out.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_-./*…{}<>".contains(c);
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_part)?;
        let length = text[start..].find(|c| !is_part(c)).unwrap_or(text.len() - start);
        at = start + length;
        Some((start, text[start..at].trim_end_matches(['.', '/'])))
    })
    .filter(|(_, token)| !token.contains(['*', '…', '{', '<']) && !token.contains("NNN"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shelf in a folder of its own: one book, one story, one decision.
    fn shelf() -> (tempfile::TempDir, Shelf) {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        };
        write("docs/language.md", "# The language\n\n## Who hears\n");
        write("docs/decisions/001-one.md", "# One\n");
        write("cases/looks/a-look.case", "# A look.\n");
        write("README.md", "# Read me\n");
        let shelf = Shelf::of(folder.path());
        (folder, shelf)
    }

    fn of(file: &str, text: &str) -> Vec<String> {
        let (_folder, shelf) = shelf();
        shelf.check_file(Path::new(file), text).into_iter().map(|(_, what)| what).collect()
    }

    #[test]
    fn links_that_lead_somewhere_are_not_found() {
        let text =
            "[a](docs/language.md#who-hears), [b](docs), [c](https://e.example/x), [d](#read-me)";
        assert_eq!(of("README.md", &format!("# Read me\n\n{text}\n")), [""; 0]);
        assert_eq!(of("docs/language.md", "[a](../README.md) [b](decisions/001-one.md)"), [""; 0]);
    }

    #[test]
    fn a_link_to_a_file_or_a_heading_that_is_not_there_is_found() {
        let found = of("docs/language.md", "[a](../READ.md) and [b](language.md#nobody-hears)");
        let nowhere = "the link to ../READ.md leads nowhere";
        assert_eq!(found, [nowhere, "language.md#nobody-hears: there is no such heading"]);
    }

    #[test]
    fn a_mention_is_a_file_that_is_there_and_a_section_that_it_has() {
        let kept = "/// As `docs/language.md`, Who hears says, and docs/language.md, in short.\n";
        assert_eq!(of("crates/a/src/lib.rs", kept), [""; 0]);
        let lost = "/// As `docs/language.md`,\n/// Who sees says, in `docs/grammar.md`.\n";
        let found = of("crates/a/src/lib.rs", lost);
        let heading = "docs/language.md has no heading `Who sees says`";
        assert_eq!(found, [heading, "`docs/grammar.md` is not there"]);
    }

    #[test]
    fn stories_decisions_and_old_names_are_looked_for_in_comments_alone() {
        let kept = "// `a-look.case`, decision 001, docs/decisions/001, `cases/looks/*.case`.\n\
                    let a = \"no.case THEORY docs/none.md\";\n";
        assert_eq!(of("crates/a/src/lib.rs", kept), [""; 0]);
        let lost = "// `b-look.case`, decision 002, docs/decisions/003; see THEORY, section 1.\n";
        assert_eq!(of("crates/a/src/lib.rs", lost).len(), 4);
    }
}
