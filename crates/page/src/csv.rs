//! CSV and its kin: a block per row, each cell with its heading.
//!
//! The first row has the headings, if its cells differ and none is empty or a number. A row begins
//! with its first cell, and is named by it where no other row has the same: so a row that moves, or
//! whose cells change, stays the same row.

use crate::gather::{Gather, clip, collapse};
use crate::{Extract, Kind, Limits};
use ::csv::{ReaderBuilder, StringRecord};
use rustc_hash::{FxHashMap, FxHashSet};

/// Columns that are read of a row.
const COLUMNS_MAX: usize = 1_000;
/// Bytes of a heading that stands before a cell.
const HEADING_BYTES_MAX: usize = 200;
/// What may stand between cells, in the order in which they are tried.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

pub(crate) fn read(text: &str, limits: &Limits) -> Extract {
    let mut gather = Gather::new(Kind::Text, limits);
    let delimiter = delimiter(text);
    let mut rows = rows(text, delimiter).peekable();
    let headings = rows.next_if(is_heading).map(|row| cells(&row)).unwrap_or_default();
    let counts = counts(text, delimiter);
    for row in rows {
        let cells = cells(&row);
        if gather.is_full() {
            gather.leave_out(&cells.concat());
            break;
        }
        let has_more = cells.iter().skip(1).any(|cell| !cell.is_empty());
        let name = cells.first().filter(|first| has_more && counts.get(*first) == Some(&1));
        gather.name(name.map_or("", String::as_str));
        gather.block(&line(&headings, &cells));
        if row.len() > COLUMNS_MAX {
            gather.leave_out("a cell");
        }
    }
    gather.name("");
    gather.finish()
}

/// Whether a text may be a table, by its first line.
pub(crate) fn is_table(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    !first.starts_with(['<', '{', '[']) && first.bytes().any(|byte| DELIMITERS.contains(&byte))
}

/// The rows that are no blank lines; a row that is no UTF-8 cannot be, and a quote left open ends
/// with the text.
fn rows(text: &str, delimiter: u8) -> impl Iterator<Item = StringRecord> {
    let mut builder = ReaderBuilder::new();
    builder.delimiter(delimiter).has_headers(false).flexible(true);
    builder.from_reader(text.as_bytes()).into_records().map_while(Result::ok)
}

/// What the first line has most of, outside quotes.
fn delimiter(text: &str) -> u8 {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let (mut found, mut is_quoted) = ([0u32; DELIMITERS.len()], false);
    for byte in first.bytes() {
        match DELIMITERS.iter().position(|&delimiter| delimiter == byte) {
            _ if byte == b'"' => is_quoted = !is_quoted,
            Some(at) if !is_quoted => found[at] += 1,
            _ => {}
        }
    }
    let most = (0..DELIMITERS.len()).rev().max_by_key(|&at| found[at]);
    DELIMITERS[most.unwrap_or(0)]
}

/// The cells as text shows them.
fn cells(row: &StringRecord) -> Vec<String> {
    row.iter().take(COLUMNS_MAX).map(collapse).collect()
}

/// Whether a row reads as headings.
fn is_heading(row: &StringRecord) -> bool {
    let mut seen = FxHashSet::default();
    let is_named = |cell: &str| {
        let cell = cell.trim();
        let is_number = cell.chars().all(|c| c.is_ascii_digit() || "+-.,:/ %€$£".contains(c));
        !cell.is_empty() && !is_number
    };
    row.len() > 1 && row.iter().all(|cell| is_named(cell) && seen.insert(cell.trim()))
}

/// How often each first cell stands in the text.
fn counts(text: &str, delimiter: u8) -> FxHashMap<String, u32> {
    let mut counts = FxHashMap::default();
    for row in rows(text, delimiter) {
        *counts.entry(collapse(row.get(0).unwrap_or_default())).or_default() += 1;
    }
    counts
}

/// `Milwaukee: population: 577,222 | area: 251`; of a column without heading the cell alone, and
/// nothing of an empty cell.
fn line(headings: &[String], cells: &[String]) -> String {
    let said = |(at, cell): (usize, &String)| match headings.get(at) {
        Some(heading) => format!("{}: {cell}", clip(heading, HEADING_BYTES_MAX)),
        None => cell.clone(),
    };
    let rest = cells.iter().enumerate().skip(1).filter(|(_, cell)| !cell.is_empty());
    let rest = rest.map(said).collect::<Vec<_>>().join(" | ");
    match cells.first().map_or("", String::as_str) {
        "" => rest,
        first if rest.is_empty() => first.to_owned(),
        first => format!("{first}: {rest}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<(String, Option<String>)> {
        let extract = read(text, &Limits::default());
        let blocks = extract.blocks.into_iter();
        blocks.map(|block| (block.text, block.key.map(String::from))).collect()
    }

    fn named(text: &str, key: &str) -> (String, Option<String>) {
        (text.to_owned(), (!key.is_empty()).then(|| key.to_owned()))
    }

    #[test]
    fn a_row_begins_with_its_first_cell_and_each_other_has_its_heading() {
        let text = "city,population,motto\nMilwaukee,182,\"On, Wisconsin\"\nErie,,x\n";
        let rows = [
            named("Milwaukee: population: 182 | motto: On, Wisconsin", "Milwaukee"),
            named("Erie: motto: x", "Erie"),
        ];
        assert_eq!(shown(text), rows);
        assert_eq!(shown(&text.replace("city", "\u{20}city ")), rows, "headings are trimmed");
    }

    #[test]
    fn rows_of_one_name_have_none() {
        let text = "city;day;price\nOslo;Mon;40\nOslo;Tue;50\nBergen;Mon;30\n";
        let rows = shown(text);
        assert_eq!(rows[0], named("Oslo: day: Mon | price: 40", ""));
        assert_eq!(rows[1], named("Oslo: day: Tue | price: 50", ""));
        assert_eq!(rows[2], named("Bergen: day: Mon | price: 30", "Bergen"));
    }

    #[test]
    fn without_headings_the_cells_stand_alone() {
        let days = shown("2026-11-01\t40\n2026-11-02\t41\n");
        assert_eq!(days[1], named("2026-11-02: 41", "2026-11-02"));
        assert_eq!(shown("a,b,a\nc,d,e\n")[0], named("a: b | a", "a"));
        assert_eq!(shown("one\ntwo\n"), [named("one", ""), named("two", "")]);
    }

    #[test]
    fn what_is_no_table_is_lines_and_too_much_is_left_out() {
        assert_eq!(shown(""), []);
        assert_eq!(shown("a,b\n\"x,1\n2"), [named("x,1 2", "")]);
        let limits = Limits { blocks_max: 2, ..Limits::default() };
        let cut = read("a,b\n1,2\n3,4\n5,6\n", &limits);
        assert_eq!((cut.blocks.len(), cut.left_out.text), (2, true));
        let wide = read(&"1,".repeat(2_000), &Limits::default());
        assert!(wide.left_out.text);
    }
}
