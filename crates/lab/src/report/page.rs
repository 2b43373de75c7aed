//! The files of the report: one page with a section per claim, a table of all verdicts, and per
//! claim a figure and its numbers.

use super::bench::{Bench, Effort};
use super::code::code_of;
use super::figure::render_svg;
use super::finding::{Finding, Part, Table, Verdict};
use super::{CLAIMS, Claim};
use crate::cli::LabError;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Columns of `claims.csv`.
const HEAD: [&str; 8] =
    ["id", "title", "verdict", "claim", "set_up", "measured", "why_not", "code"];

/// The directory of the report with what stands in it.
#[derive(Debug)]
pub struct Page {
    dir: PathBuf,
    /// By claim: its section of the page, without the marks around it.
    sections: BTreeMap<String, String>,
    /// By claim: its row of `claims.csv`.
    rows: BTreeMap<String, Vec<String>>,
}

impl Page {
    /// Reads the sections that are already there.
    ///
    /// # Errors
    /// A directory that cannot be made.
    pub fn open(dir: &Path) -> Result<Page, LabError> {
        std::fs::create_dir_all(dir).map_err(|error| unwritable(dir, &error))?;
        let text = |name: &str| std::fs::read_to_string(dir.join(name)).unwrap_or_default();
        let rows = read_csv(&text("claims.csv")).into_iter().skip(1);
        let rows = rows.filter(|row| row.len() == HEAD.len());
        let rows = rows.map(|row| (row[0].clone(), row)).collect();
        Ok(Page { dir: dir.to_owned(), sections: split(&text("README.md")), rows })
    }

    /// Writes a claim's figure and numbers and its section, and the page anew.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn put(mut self, claim: &Claim, finding: &Finding, bench: &Bench) -> Result<(), LabError> {
        let id = claim.id;
        self.write(&format!("{id}.svg"), &render_svg(&finding.figure, &about(claim)))?;
        self.write(&format!("{id}.csv"), &write_csv(&finding.data))?;
        self.sections.insert(id.to_owned(), section(claim, finding, bench));
        self.rows.insert(id.to_owned(), summary(claim, finding));
        let mut table = Table::new(&HEAD);
        CLAIMS.iter().filter_map(|claim| self.rows.get(claim.id)).for_each(|row| {
            table.row(row.clone());
        });
        self.write("claims.csv", &write_csv(&table))?;
        self.write("README.md", &self.render())
    }

    fn write(&self, name: &str, text: &str) -> Result<(), LabError> {
        let path = self.dir.join(name);
        std::fs::write(&path, text).map_err(|error| unwritable(&path, &error))
    }

    fn render(&self) -> String {
        let mut text = String::from(PREFACE);
        for claim in CLAIMS {
            let Some(row) = self.rows.get(claim.id) else { continue };
            let anchor = anchor(&format!("{} {}", claim.id, claim.title));
            let where_to = brief(&row[5]);
            let _ = writeln!(
                text,
                "| [{}](#{anchor}) | {} | {} | {where_to} |",
                claim.id, claim.title, row[2]
            );
        }
        for claim in CLAIMS {
            if let Some(section) = self.sections.get(claim.id) {
                let id = claim.id;
                let _ = write!(text, "\n<!-- {id} -->\n{section}<!-- end of {id} -->\n");
            }
        }
        text
    }
}

const PREFACE: &str = "# What the papers claim, measured again

Written by `tidings lab report`; do not edit. Every verdict is computed from the numbers below it. \
A claim that does not hold is a finding: the section says under which conditions, and why. Our own \
policies stand beside the papers' (`gain` for completeness, `whittle`, `learned-whittle` \
and `price-dyadic` for probing cost, `pattern-index` and `joint` for delay); [the laboratory](../laboratory.md) \
explains the experiments. *Code* says which crate and policy a claim is about: baselines, offline \
methods and bounds are in `policies`, which the server does not run; what the server runs is in \
`schedule`.

Means are over repetitions with different seeds, ± the standard error of the mean. *Above* and \
*below* mean a difference, repetition by repetition, of more than two standard errors; *level* \
means less. A statement that one policy is above another holds if it is nowhere below and \
somewhere above. `claims.csv` has this table with set-up and reasons; each claim has a CSV with the \
numbers of its figure.

| | claim | verdict | what does not hold, or not everywhere; otherwise what was measured |
|---|---|---|---|
";

fn about(claim: &Claim) -> String {
    format!("{}: {}", claim.id, claim.title)
}

fn unwritable(path: &Path, error: &std::io::Error) -> LabError {
    LabError::Input(format!("{} cannot be written: {error}", path.display()))
}

/// What GitHub makes of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase().replace(' ', "-");
    kept.chars().filter(|c| c.is_alphanumeric() || *c == '-' || *c == '_').collect()
}

/// The row of `claims.csv`.
fn summary(claim: &Claim, finding: &Finding) -> Vec<String> {
    let measured =
        |part: &Part| format!("{} – {}: {}", part.statement, part.verdict.text(), part.measured);
    let join = |all: Vec<String>| all.join(" | ");
    let failed = finding.parts.iter().filter(|part| shows_reason(part));
    vec![
        claim.id.to_owned(),
        claim.title.to_owned(),
        finding.verdict().text().to_owned(),
        finding.claim.clone(),
        join(finding.setup.clone()),
        join(finding.parts.iter().map(measured).collect()),
        join(failed.map(|part| part.why.clone()).collect()),
        code_of(claim.id).to_owned(),
    ]
}

/// What the table at the top says of a claim: what does not hold everywhere, else its first part.
fn brief(measured: &str) -> String {
    let parts: Vec<(&str, &str)> =
        measured.split(" | ").filter_map(|part| part.split_once(" – ")).collect();
    let with = |verdict: Verdict| -> Vec<&str> {
        let word = format!("{}: ", verdict.text());
        parts.iter().filter(|part| part.1.starts_with(&word)).map(|part| part.0).collect()
    };
    let mut text = Vec::new();
    for (word, verdict) in [("not", Verdict::Fails), ("in part", Verdict::InPart)] {
        let statements = with(verdict);
        if !statements.is_empty() {
            text.push(format!("*{word}*: {}", statements.join("; ")));
        }
    }
    if text.is_empty() {
        let told = parts.first().and_then(|part| part.1.split_once(": "));
        text.push(told.map_or(String::new(), |told| told.1.to_owned()));
    }
    text.join(". ").replace('|', "/")
}

fn shows_reason(part: &Part) -> bool {
    !part.why.is_empty() && part.verdict != Verdict::Holds
}

fn section(claim: &Claim, finding: &Finding, bench: &Bench) -> String {
    let id = claim.id;
    let verdict = finding.verdict().text();
    let mut text = format!("## {id} {}\n\n", claim.title);
    let _ = write!(text, "**Claim.** {}\n\n**Code.** {}\n\n", finding.claim, code_of(id));
    let _ = write!(text, "**Verdict: {verdict}.**\n\n");
    text.push_str("| statement | verdict | measured |\n|---|---|---|\n");
    for part in &finding.parts {
        let fields = [part.statement.as_str(), part.verdict.text(), part.measured.as_str()];
        let _ = writeln!(text, "| {} |", fields.map(|field| field.replace('|', "/")).join(" | "));
    }
    let mut reasons: Vec<&str> = Vec::new();
    for part in finding.parts.iter().filter(|part| shows_reason(part)) {
        if !reasons.contains(&part.why.as_str()) {
            reasons.push(&part.why);
        }
    }
    if !reasons.is_empty() {
        let _ = write!(text, "\n**Why not.** {}\n", reasons.join(" "));
    }
    for note in &finding.notes {
        let _ = write!(text, "\n{note}\n");
    }
    if !finding.figure.panels.is_empty() {
        let _ = write!(text, "\n![{}]({id}.svg)\n", about(claim));
    }
    text.push_str("\n**Set-up.**\n\n");
    for line in &finding.setup {
        let _ = writeln!(text, "- {line}");
    }
    let _ = writeln!(text, "- Again: `{}`", command(id, bench));
    for (title, table) in &finding.tables {
        let _ = write!(text, "\n{title}:\n\n{}", markdown(table));
    }
    let _ = write!(text, "\nNumbers: [{id}.csv]({id}.csv)\n");
    text
}

/// The command that measures one claim again.
fn command(id: &str, bench: &Bench) -> String {
    let quick = if bench.effort == Effort::Quick { " --quick" } else { "" };
    let traces = if ["S4", "S5"].contains(&id) { " --traces DIR" } else { "" };
    format!("tidings lab report --only {id}{quick}{traces} --seed {}", bench.seed)
}

fn markdown(table: &Table) -> String {
    let line = |fields: &[String]| {
        let fields: Vec<String> = fields.iter().map(|field| field.replace('|', "/")).collect();
        format!("| {} |\n", fields.join(" | "))
    };
    let mut text = line(&table.head);
    text.push_str(&format!("|{}\n", "---|".repeat(table.head.len())));
    table.rows.iter().for_each(|row| text.push_str(&line(row)));
    text
}

/// The sections of a page, by claim.
fn split(page: &str) -> BTreeMap<String, String> {
    let mut sections = BTreeMap::new();
    for claim in CLAIMS {
        let (start, end) =
            (format!("\n<!-- {} -->\n", claim.id), format!("<!-- end of {} -->\n", claim.id));
        if let Some((_, rest)) = page.split_once(&start)
            && let Some((section, _)) = rest.split_once(&end)
        {
            sections.insert(claim.id.to_owned(), section.to_owned());
        }
    }
    sections
}

/// A CSV as RFC 4180 has it, with line feeds alone.
fn write_csv(table: &Table) -> String {
    let field = |text: &String| {
        if text.contains([',', '"', '\n']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text.clone()
        }
    };
    let line = |fields: &Vec<String>| fields.iter().map(field).collect::<Vec<_>>().join(",");
    let lines = std::iter::once(&table.head).chain(&table.rows).map(line);
    lines.map(|line| line + "\n").collect()
}

/// The rows of a CSV, its header first.
pub fn read_csv(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut fields, mut field) = (Vec::new(), Vec::new(), String::new());
    let (mut quoted, mut letters) = (false, text.chars().peekable());
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                fields.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut fields));
            }
            _ => field.push(letter),
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_csv_says_is_read_back() {
        let mut table = Table::new(&["a", "b"]);
        table.row(vec!["1, \"2\"".to_owned(), "line\nbreak".to_owned()]);
        table.row(vec![String::new(), "plain".to_owned()]);
        let rows = read_csv(&write_csv(&table));
        assert_eq!(rows[0], table.head);
        assert_eq!(rows[1..], table.rows);
    }

    #[test]
    fn the_table_names_what_fails_first() {
        let measured = "a – holds: 1 | b – does not hold: 2 | c – holds in part: 3";
        assert_eq!(brief(measured), "*not*: b. *in part*: c");
        assert_eq!(brief("a – holds: x: 1 | b – holds: 2"), "x: 1");
    }

    #[test]
    fn headings_have_the_anchors_that_the_forge_gives_them() {
        assert_eq!(anchor("R3 M-EDF and MRSF are one on P[1]"), "r3-m-edf-and-mrsf-are-one-on-p1");
    }
}
