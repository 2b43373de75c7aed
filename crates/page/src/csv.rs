//! CSV and its kin: a block per row, each cell with its heading.
//!
//! The first row has the headings, if its cells differ and none is empty or a number. Lines about
//! the table may stand before it, and a line `sep=;` that says what stands between cells. A row
//! begins with its first cell, and is named by it where no other row has the same: so a row that
//! moves, or whose cells change, stays the same row.

use crate::gather::{Gather, collapse};
use crate::{Extract, Kind, Limits, row};
use ::csv::{ReaderBuilder, StringRecord};
use rustc_hash::{FxHashMap, FxHashSet};

/// Columns that are read of a row.
const COLUMNS_MAX: usize = 1_000;
/// What may stand between cells, in the order in which they are tried.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Lines that may stand before the headings.
const PREAMBLE_MAX: usize = 20;
/// Rows that tell how wide a table is.
const LOOKED_AT_MAX: usize = 50;

pub(crate) fn read(text: &str, limits: &Limits) -> Extract {
    let mut gather = Gather::new(Kind::Text, limits);
    let (delimiter, text) = match said_delimiter(text) {
        Some((delimiter, rest)) => (delimiter, rest),
        None => (delimiter(text), text),
    };
    let preamble = preamble(text, delimiter);
    let mut headings = Vec::new();
    let counts = counts(text, delimiter);
    for (at, row) in rows(text, delimiter).enumerate() {
        let cells = cells(&row);
        if at == preamble && is_heading(&row) {
            headings = cells;
            continue;
        }
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

/// What a first line `sep=;` says, as spreadsheets write it, and the text behind it.
fn said_delimiter(text: &str) -> Option<(u8, &str)> {
    let (line, rest) = text.split_once('\n')?;
    let line = line.trim_end_matches('\r').trim_matches('"');
    let delimiter = line.strip_prefix("sep=").or_else(|| line.strip_prefix("SEP="))?;
    match delimiter.as_bytes() {
        [one] if DELIMITERS.contains(one) => Some((*one, rest)),
        _ => None,
    }
}

/// What the first two lines that have as much of it have most of; else what the first line has.
fn delimiter(text: &str) -> u8 {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let found: Vec<_> = lines.take(PREAMBLE_MAX + 1).map(delimiters).collect();
    let most = |found: [u32; DELIMITERS.len()]| {
        (0..DELIMITERS.len()).rev().max_by_key(|&at| found[at]).filter(|&at| found[at] > 0)
    };
    let shared = |pair: &[[u32; DELIMITERS.len()]]| {
        let count = |at: usize| if pair[0][at] == pair[1][at] { pair[0][at] } else { 0 };
        most(std::array::from_fn(count))
    };
    let first = || most(*found.first()?);
    DELIMITERS[found.windows(2).find_map(shared).or_else(first).unwrap_or(0)]
}

/// How often each delimiter stands in a line, outside quotes.
fn delimiters(line: &str) -> [u32; DELIMITERS.len()] {
    let (mut found, mut is_quoted) = ([0u32; DELIMITERS.len()], false);
    for byte in line.bytes() {
        match DELIMITERS.iter().position(|&delimiter| delimiter == byte) {
            _ if byte == b'"' => is_quoted = !is_quoted,
            Some(at) if !is_quoted => found[at] += 1,
            _ => {}
        }
    }
    found
}

/// How many rows stand before the headings: they have at most half as many cells as most rows of
/// the table.
fn preamble(text: &str, delimiter: u8) -> usize {
    let first: Vec<StringRecord> = rows(text, delimiter).take(LOOKED_AT_MAX).collect();
    let mut widths: FxHashMap<usize, usize> = FxHashMap::default();
    for row in &first {
        *widths.entry(row.len()).or_default() += 1;
    }
    let usual = widths.into_iter().max_by_key(|&(width, rows)| (rows, width));
    let (width, _) = usual.unwrap_or_default();
    let filled = |row: &StringRecord| row.iter().filter(|cell| !cell.trim().is_empty()).count();
    let is_before = |row: &&StringRecord| filled(row) * 2 <= width;
    let before = first.iter().take_while(is_before).count();
    let has_headings = first.get(before).is_some_and(is_heading);
    // No row of a sparse table without headings is lost.
    let is_table = || first[before..].iter().all(|row| filled(row) * 2 > width);
    let is_preamble = before <= PREAMBLE_MAX && has_headings && (before == 0 || is_table());
    if is_preamble { before } else { 0 }
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

/// A row with its headings.
fn line(headings: &[String], cells: &[String]) -> String {
    let said = |(at, cell)| (headings.get(at).map_or("", String::as_str), String::as_str(cell));
    let name = cells.first().map_or("", String::as_str);
    row::line(name, cells.iter().enumerate().skip(1).map(said))
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

    #[test]
    fn lines_before_the_table_do_not_cost_its_headings() {
        let table = "City;Cases\nMadison;3\nRacine;4\n";
        let rows = [named("Madison: Cases: 3", "Madison"), named("Racine: Cases: 4", "Racine")];
        for before in ["Report, of March\n\n", "Report;\n;\n", "Report\nby the city, and others\n"]
        {
            let shown = shown(&format!("{before}{table}"));
            assert_eq!(shown[shown.len() - 2..], rows, "{before}");
            assert!(shown[0].0.starts_with("Report"), "{shown:?}");
        }
        assert_eq!(shown("Milwaukee,,\n1,2,3\n4,5,6\n")[0], named("Milwaukee", ""));
    }

    #[test]
    fn a_first_line_may_say_what_stands_between_cells() {
        assert_eq!(shown("sep=;\r\nid;n,m\n1;A\n"), [named("1: n,m: A", "1")]);
        assert_eq!(shown("\"sep=,\"\nid,n\n1,A\n"), [named("1: n: A", "1")]);
        assert_eq!(shown("sep=\n"), [named("sep=", "")]);
    }
}
