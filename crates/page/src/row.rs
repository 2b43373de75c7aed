//! Rows of tables: which column each cell stands in, and how people are told of a row.
//!
//! The text of a row is its cells. What heads the columns, and what a cell above says of a row by
//! spanning it, is kept apart: a heading that is called otherwise is one change, not one per row.

use crate::Extract;
use crate::gather::clip;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

mod named;

pub(crate) use named::name_rows;

/// What stands between the cells of a row.
pub(crate) const BETWEEN: &str = " | ";
/// Bytes of a heading that stands before a cell, and of a cell above that spans its row.
pub(crate) const HEADING_BYTES_MAX: usize = 200;

/// A row of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Row {
    /// Which of [`Extract::headings`] are those of its columns, from 1 on; 0: none.
    #[serde(rename = "of", default, skip_serializing_if = "crate::is_zero")]
    pub headings: u32,
    /// The cells; empty: one in each column from the first on, as its text shows them.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub cells: Box<[Cell]>,
    /// Cells of rows above that span this one.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub spanned: Box<[Spanned]>,
    /// Which of its cells names it, from 0 on, where none spans rows.
    #[serde(default, skip_serializing_if = "crate::is_zero")]
    pub name: u8,
}

/// A cell that has a text: the byte of its row at which that begins, its first column, how many
/// columns it spans, and whether it spans rows, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Cell(pub u32, pub u16, pub u16, pub bool);

/// A cell of a row above: how many blocks before this one, and its first column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Spanned(pub u32, pub u16);

fn is_empty<T>(list: &[T]) -> bool {
    list.is_empty()
}

/// Where a cell stands in its table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub(crate) column: u16,
    pub(crate) columns: u16,
    pub(crate) spans_rows: bool,
}

/// A cell that begins at this byte of the open block; it may turn out to be empty.
pub(crate) type Begun = (usize, Span);

impl Row {
    /// The row with this text.
    pub(crate) fn of(headings: u32, begun: &[Begun], spanned: Box<[Spanned]>, text: &str) -> Row {
        let ends = begun.iter().skip(1).map(|next| next.0.min(text.len())).chain([text.len()]);
        let is_told = |(begun, end): &(&Begun, usize)| {
            text.get(begun.0..*end).is_some_and(|said| !without_mark(said).is_empty())
        };
        let cell = |(&(start, span), _): (&Begun, usize)| {
            let Span { column, columns, spans_rows } = span;
            Cell(start as u32, column, columns, spans_rows)
        };
        let cells: Vec<Cell> = begun.iter().zip(ends).filter(is_told).map(cell).collect();
        let is_plain = plain_cells(text).eq(cells.iter().copied());
        let cells = if is_plain { Box::default() } else { cells.into() };
        Row { headings, cells, spanned, name: 0 }
    }

    /// Whether it says nothing of its row but what the text does.
    pub(crate) fn is_bare(&self) -> bool {
        let spans_rows = self.cells.iter().any(|cell| cell.3);
        self.headings == 0 && self.spanned.is_empty() && !spans_rows
    }

    /// The cells, and what they say.
    fn cells<'t>(&self, text: &'t str) -> Vec<(Cell, &'t str)> {
        let cells: Vec<Cell> =
            if self.cells.is_empty() { plain_cells(text).collect() } else { self.cells.to_vec() };
        let ends = cells.iter().skip(1).map(|next| next.0 as usize).chain([text.len()]);
        let said = |(cell, end): (&Cell, usize)| {
            (*cell, without_mark(text.get(cell.0 as usize..end).unwrap_or_default()))
        };
        cells.iter().zip(ends).map(said).collect()
    }
}

/// One cell in each column, as a text shows them.
fn plain_cells(text: &str) -> impl Iterator<Item = Cell> {
    let mut start = 0;
    text.split(BETWEEN).zip(0..).map(move |(said, column)| {
        let cell = Cell(start, column, 1, false);
        start += (said.len() + BETWEEN.len()) as u32;
        cell
    })
}

/// What a cell says, without what stands between it and the next.
fn without_mark(said: &str) -> &str {
    said.trim_end_matches([' ', '|'])
}

/// What names a row of a table among its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowName<'e> {
    /// The first cell, with what spans it from above or stands before it and spans rows.
    pub cells: Vec<&'e str>,
    /// The cells behind, as the text of the row has them.
    pub rest: &'e str,
}

/// A cell as it is told: what heads it, and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Told<'e> {
    column: u16,
    heading: Cow<'e, str>,
    text: &'e str,
}

impl Extract {
    /// What people are told of a block: of a row with the headings of its columns, and with the
    /// cells that span it.
    pub fn told(&self, block: usize) -> Option<Cow<'_, str>> {
        let text = &self.blocks.get(block)?.text;
        let line = |cells: Vec<Told<'_>>| Cow::Owned(line_of(&cells, self.name(block)));
        Some(self.cells(block).map_or(Cow::Borrowed(text), line))
    }

    /// Which cell of a row names it.
    fn name(&self, block: usize) -> usize {
        let row = self.blocks.get(block).and_then(|block| block.row.as_deref());
        row.map_or(0, |row| usize::from(row.name))
    }

    /// The same of a block that became one of `new`: headings and order of columns are those of
    /// `new`, where both have them.
    pub fn told_as<'e>(
        &'e self,
        block: usize,
        new: &'e Extract,
        is: usize,
    ) -> Option<Cow<'e, str>> {
        let of = |extract: &'e Extract, at: usize| {
            let row = extract.blocks.get(at)?.row.as_deref()?;
            extract.headings.get(row.headings.checked_sub(1)? as usize)
        };
        let (Some(old), Some(now)) = (of(self, block), of(new, is)) else {
            return self.told(block);
        };
        let Some(mut cells) = self.cells(block) else { return self.told(block) };
        if old != now {
            for cell in &mut cells {
                let at = usize::from(cell.column);
                let is_of_one = old.get(at).is_some_and(|heading| **heading == *cell.heading);
                if let Some(place) = column_in(now, old, at).filter(|_| is_of_one) {
                    (cell.column, cell.heading) = (place as u16, Cow::Borrowed(&*now[place]));
                }
            }
            cells.sort_by_key(|cell| cell.column);
        }
        Some(Cow::Owned(line_of(&cells, new.name(is))))
    }

    /// What names a row of a table. A cell without letters says a place, and names none: a number.
    pub fn row_name(&self, block: usize) -> Option<RowName<'_>> {
        let one = self.blocks.get(block)?;
        let row = one.row.as_deref()?;
        let own = row.cells(&one.text);
        let first = own.iter().position(|(cell, _)| !cell.3)?;
        let upto = if row.name == 0 { first } else { usize::from(row.name) };
        let name = *own.get(upto)?;
        if !name.1.contains(char::is_alphabetic) {
            return None;
        }
        let rest = own.get(upto + 1).map_or(one.text.len(), |(cell, _)| cell.0 as usize);
        let before = own[..first].iter().map(|(cell, text)| (*cell, clip(text, HEADING_BYTES_MAX)));
        let mut cells: Vec<(Cell, &str)> =
            self.spanning(block, row).chain(before).chain([name]).collect();
        cells.sort_by_key(|(cell, _)| cell.1);
        let cells = cells.into_iter().map(|(_, text)| text).collect();
        Some(RowName { cells, rest: one.text.get(rest..).unwrap_or_default() })
    }

    /// What a row says behind its rank. `None`: it has none.
    pub fn unranked(&self, block: usize) -> Option<&str> {
        let [heading, rank, rest] = self.behind_first(block)?;
        named::ranks(heading, rank).then_some(rest)
    }

    /// What a row says behind its number, where these count the rows of its table.
    pub fn behind_number(&self, block: usize) -> Option<&str> {
        let [heading, number, rest] = self.behind_first(block)?;
        (named::are_numbers(heading) && self.counts_rows(block, number)).then_some(rest)
    }

    /// What the columns of the table are called in which a row stands.
    pub fn columns(&self, block: usize) -> Option<&[Box<str>]> {
        let row = self.blocks.get(block)?.row.as_deref()?;
        self.headings.get((row.headings as usize).checked_sub(1)?).map(|columns| &**columns)
    }

    /// What heads the first cell of a row that another one names, that cell, and the rest.
    fn behind_first(&self, block: usize) -> Option<[&str; 3]> {
        let one = self.blocks.get(block)?;
        let row = one.row.as_deref().filter(|row| row.name > 0)?;
        let [(first, said), (second, _), ..] = row.cells(&one.text)[..] else { return None };
        let heading = self.columns(block)?.get(usize::from(first.1));
        let heading = heading.map_or("", |heading| &**heading);
        Some([heading, said, one.text.get(second.0 as usize..)?])
    }

    /// Whether the first cell of a row is one more than that of the row above.
    fn counts_rows(&self, block: usize, said: &str) -> bool {
        let headings = |at: usize| self.blocks[at].row.as_deref().map(|row| row.headings);
        let above = block.checked_sub(1).filter(|above| headings(*above) == headings(block));
        let first = above.and_then(|above| {
            let one = &self.blocks[above];
            Some(one.row.as_deref()?.cells(&one.text).first()?.1)
        });
        let last = first.map_or(Some(0), named::number);
        last.zip(named::number(said)).is_some_and(|(last, own)| last + 1 == own)
    }

    /// The beginnings of the cells of rows above that span this one.
    fn spanning<'e>(
        &'e self,
        block: usize,
        row: &'e Row,
    ) -> impl Iterator<Item = (Cell, &'e str)> + 'e {
        row.spanned.iter().filter_map(move |&Spanned(back, column)| {
            let above = self.blocks.get(block.checked_sub(back as usize)?)?;
            let cells = above.row.as_deref()?.cells(&above.text);
            let found = cells.into_iter().find(|(cell, _)| cell.1 == column && cell.3);
            found.map(|(cell, text)| (cell, clip(text, HEADING_BYTES_MAX)))
        })
    }

    /// The cells of a row that says more than its text, in the order of their columns.
    fn cells(&self, block: usize) -> Option<Vec<Told<'_>>> {
        let one = &self.blocks[block];
        let row = one.row.as_deref()?;
        if row.headings == 0 && row.spanned.is_empty() {
            return None;
        }
        let headings = self.headings.get((row.headings as usize).wrapping_sub(1));
        let told = |(Cell(_, column, columns, _), text)| {
            let heads = headings.and_then(|all| all.get(usize::from(column)..));
            let heads = heads.unwrap_or_default();
            // What is said of all that is left of a row is said of no one column.
            let is_of_some = columns == 1 || usize::from(columns) < heads.len();
            let heads = &heads[..usize::from(columns).min(heads.len())];
            let heading = match heads {
                [one] if is_of_some => Cow::Borrowed(&**one),
                _ if is_of_some => Cow::Owned(heads.join(", ")),
                _ => Cow::Borrowed(""),
            };
            Told { column, heading, text }
        };
        let mut cells: Vec<Told<'_>> =
            self.spanning(block, row).chain(row.cells(&one.text)).map(told).collect();
        cells.sort_by_key(|cell| cell.column);
        Some(cells)
    }
}

/// Where a column of `old` stands in `now`: the same heading, of several the one of its turn. One
/// that is called otherwise is known by its neighbours, in a table of as many columns.
fn column_in(now: &[Box<str>], old: &[Box<str>], column: usize) -> Option<usize> {
    let heading = old.get(column).filter(|heading| !heading.is_empty())?;
    let turn = old[..column].iter().filter(|one| *one == heading).count();
    let same = (0..now.len()).filter(|&at| now[at] == *heading).nth(turn);
    let stays = |at: Option<usize>| at.is_none_or(|at| old.get(at) == now.get(at));
    let is_renamed = || {
        old.len() == now.len()
            && !old.contains(&now[column])
            && stays(column.checked_sub(1))
            && stays(Some(column + 1))
    };
    same.or_else(|| is_renamed().then_some(column))
}

/// The cells as a line that begins with the one that names the row, if one stands first.
fn line_of(cells: &[Told<'_>], name: usize) -> String {
    let has_name = cells.first().is_some_and(|cell| cell.column == 0);
    let has_headings = cells.iter().any(|cell| !cell.heading.is_empty());
    if !has_headings {
        let texts: Vec<&str> = cells.iter().map(|cell| cell.text).collect();
        return texts.join(BETWEEN);
    }
    let name = if name < cells.len() { name } else { 0 };
    let rest = cells.iter().enumerate().filter(|(at, _)| !has_name || *at != name);
    let rest = rest.map(|(_, cell)| (&*cell.heading, cell.text));
    line(if has_name { cells[name].text } else { "" }, rest)
}

/// `Milwaukee: population: 577,222 | area: 251`; of a column without heading the cell alone, and
/// nothing of an empty cell.
pub(crate) fn line<'c>(name: &str, cells: impl Iterator<Item = (&'c str, &'c str)>) -> String {
    let cells = cells.filter(|(_, text)| !text.is_empty());
    let said = |(heading, text): (&str, &str)| match heading {
        "" => text.to_owned(),
        heading => format!("{}: {text}", clip(heading, HEADING_BYTES_MAX)),
    };
    let rest = cells.map(said).collect::<Vec<_>>().join(BETWEEN);
    match name {
        "" => rest,
        name if rest.is_empty() => name.to_owned(),
        name => format!("{name}: {rest}"),
    }
}
