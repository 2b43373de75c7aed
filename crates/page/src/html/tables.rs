//! Tables as HTML has them: which column a cell stands in, which cells span a row, and what heads
//! a column.
//!
//! What is hidden or left out by a selector counts as well, or cells would stand in other columns
//! than what heads them.

use super::blocks::attr;
use super::{Everything, rows, text};
use crate::gather::Gather;
use crate::row::{HEADING_BYTES_MAX, Span, Spanned};
use ego_tree::{NodeId, NodeRef};
use rustc_hash::FxHashMap;
use scraper::Node;

/// Columns that are known; cells beyond have no heading.
const COLUMNS_MAX: u16 = 100;
/// Rows of headings above each other; more are rows of data that are marked wrongly.
const HEAD_ROWS_MAX: usize = 4;
const GROUPS: [&str; 3] = ["thead", "tbody", "tfoot"];
/// Cells above that span a row: the first of them name it.
const SPANNED_MAX: usize = 4;
/// What HTML allows.
const ROWS_SPANNED_MAX: u32 = 65_534;

/// The tables that are being read.
#[derive(Default)]
pub(super) struct Tables(FxHashMap<NodeId, Table>);

/// A row of data: what the columns are called, which cells above span it, and where its own stand.
pub(super) struct Placed {
    pub(super) headings: u32,
    pub(super) spanned: Box<[Spanned]>,
    pub(super) cells: Vec<(NodeId, Span)>,
}

impl Placed {
    /// More is known of the row than its text.
    fn says_more(&self) -> bool {
        let mut cells = self.cells.iter();
        self.headings > 0 || !self.spanned.is_empty() || cells.any(|(_, span)| span.spans_rows)
    }
}

impl Tables {
    /// Places the cells of a row that will be the block of this number. `None`: nothing is known of
    /// it but what it says.
    pub(super) fn place(
        &mut self,
        row: NodeRef<'_, Node>,
        block: u32,
        gather: &mut Gather<'_>,
    ) -> Option<Placed> {
        let group = row.parent()?;
        let table = if is(group, &GROUPS) { group.parent()? } else { group };
        let table = Some(table).filter(|table| is(*table, &["table"]))?;
        self.0.entry(table.id()).or_default().place(table, row, block, gather)
    }
}

#[derive(Default)]
struct Table {
    /// The row that was placed last.
    last: Option<NodeId>,
    /// What it stands in: no cell spans rows beyond.
    group: Option<NodeId>,
    open: Vec<Open>,
    /// Cells of the rows of headings that came last, and how many rows these are.
    head: Vec<(NodeId, Span)>,
    head_rows: usize,
    /// A row of data followed.
    has_body: bool,
    /// The number of what the columns are called.
    headings: u32,
}

/// A cell that spans rows below.
struct Open {
    span: Span,
    rows_left: u32,
    /// The block of its row, if that is one.
    block: Option<u32>,
}

impl Open {
    fn holds(&self, column: u16) -> bool {
        (self.span.column..self.span.column + self.span.columns).contains(&column)
    }
}

impl Table {
    fn place(
        &mut self,
        table: NodeRef<'_, Node>,
        row: NodeRef<'_, Node>,
        block: u32,
        gather: &mut Gather<'_>,
    ) -> Option<Placed> {
        let last = self.last.and_then(|last| table.tree().get(last));
        let mut next = match last {
            Some(last) => next_row(last),
            None => table.children().find_map(first_row),
        };
        while let Some(before) = next.filter(|next| next.id() != row.id()) {
            self.enter(before, None);
            next = next_row(before);
        }
        next?;
        let placed = self.enter(row, Some(block))?;
        if self.headings == 0 && !self.head.is_empty() {
            self.name_columns(row, gather);
        }
        let placed = Placed { headings: self.headings, ..placed };
        Some(placed).filter(Placed::says_more)
    }

    /// Goes on to the next row. `None`: it has headings, and no data.
    fn enter(&mut self, row: NodeRef<'_, Node>, block: Option<u32>) -> Option<Placed> {
        let group = row.parent().map(|group| group.id());
        if self.group != group {
            self.open.clear();
        }
        (self.last, self.group) = (Some(row.id()), group);
        let (cells, rows) = self.cells(row);
        let spanned = |open: &Open| Some(Spanned(block? - open.block?, open.span.column));
        let spanned = self.open.iter().filter_map(spanned).take(SPANNED_MAX).collect();
        self.open.iter_mut().for_each(|open| open.rows_left -= 1);
        self.open.retain(|open| open.rows_left > 0);
        let opens = cells.iter().zip(rows).filter(|(_, rows)| *rows > 1);
        self.open.extend(opens.map(|(&(_, span), rows)| Open { span, rows_left: rows - 1, block }));
        if (block.is_some() || rows::is_plain(row)) && self.is_head(row, &cells) {
            if self.has_body {
                (self.head, self.head_rows, self.headings) = (Vec::new(), 0, 0);
            }
            self.has_body = false;
            self.head_rows += 1;
            self.head.extend(cells);
            return None;
        }
        self.has_body = true;
        Some(Placed { headings: self.headings, spanned, cells })
    }

    /// The cells of a row, and how many rows each of them spans.
    fn cells(&self, row: NodeRef<'_, Node>) -> (Vec<(NodeId, Span)>, Vec<u32>) {
        let (mut cells, mut rows) = (Vec::new(), Vec::new());
        let mut column = 0;
        for cell in row.children().filter(|cell| is(*cell, &["td", "th"])) {
            while let Some(open) = self.open.iter().find(|open| open.holds(column)) {
                column = open.span.column + open.span.columns;
            }
            if column >= COLUMNS_MAX {
                break;
            }
            let columns = number(cell, "colspan").map_or(1, |columns| columns.max(1));
            let columns = columns.min(u32::from(COLUMNS_MAX - column)) as u16;
            let spanned = match number(cell, "rowspan") {
                // All that follow in its group.
                Some(0) => ROWS_SPANNED_MAX,
                rows => rows.unwrap_or(1).min(ROWS_SPANNED_MAX),
            };
            rows.push(spanned);
            cells.push((cell.id(), Span { column, columns, spans_rows: spanned > 1 }));
            column += columns;
        }
        (cells, rows)
    }

    /// Whether a row has the headings of the rows below: all in `<thead>`, and one of nothing but
    /// headings of columns. Behind rows of data it may have their sum.
    fn is_head(&self, row: NodeRef<'_, Node>, cells: &[(NodeId, Span)]) -> bool {
        let group = row.parent();
        if group.is_some_and(|group| is(group, &["thead"])) {
            return true;
        }
        if cells.len() < 2 || group.is_some_and(|group| is(group, &["tfoot"])) {
            return false;
        }
        let cells = || cells.iter().filter_map(|(cell, _)| row.tree().get(*cell));
        let heads = |cell: NodeRef<'_, Node>| {
            let element = cell.value().as_element()?;
            match attr(element, "scope").unwrap_or_default().to_ascii_lowercase().as_str() {
                "row" | "rowgroup" => Some(false),
                "col" | "colgroup" => Some(true),
                _ => Some(element.name() == "th"),
            }
        };
        let says = |cell| text(cell, &mut Everything, HEADING_BYTES_MAX);
        let is_empty = |cell| says(cell).is_empty();
        cells().any(|cell| heads(cell) == Some(true))
            && cells().all(|cell| heads(cell) == Some(true) || is_empty(cell))
            && !(self.has_body && cells().any(|cell| is_number(&says(cell))))
    }

    /// Says what the columns are called.
    fn name_columns(&mut self, row: NodeRef<'_, Node>, gather: &mut Gather<'_>) {
        let width = self.head.iter().map(|(_, span)| span.column + span.columns).max();
        let width = width.unwrap_or(0);
        let mut said: Vec<String> = vec![String::new(); usize::from(width)];
        for (cell, Span { column, columns, .. }) in std::mem::take(&mut self.head) {
            // What stands above the whole table says nothing of a column.
            let Some(cell) = row.tree().get(cell).filter(|_| columns < width) else { continue };
            let text = text(cell, &mut Everything, HEADING_BYTES_MAX);
            let text = text.trim_end_matches([':', ' ', '▲', '▼', '↑', '↓', '⇅']);
            for said in &mut said[usize::from(column)..usize::from(column + columns)] {
                let room = HEADING_BYTES_MAX.saturating_sub(said.len() + 1);
                let between = if said.is_empty() || text.is_empty() { "" } else { " " };
                *said = [said, between, crate::gather::clip(text, room)].concat();
            }
        }
        let is_named = said.iter().skip(1).any(|name| !name.is_empty());
        let said: Vec<Box<str>> = said.into_iter().map(String::into_boxed_str).collect();
        if is_named && self.head_rows <= HEAD_ROWS_MAX {
            self.headings = gather.headings(said);
        }
    }
}

/// The row after this one in its table.
fn next_row(row: NodeRef<'_, Node>) -> Option<NodeRef<'_, Node>> {
    let group = row.parent().filter(|group| !is(*group, &["table"]));
    let beyond = || group?.next_siblings().find_map(first_row);
    row.next_siblings().find_map(first_row).or_else(beyond)
}

/// A row itself, or the first of a group.
fn first_row(node: NodeRef<'_, Node>) -> Option<NodeRef<'_, Node>> {
    if is(node, &["tr"]) {
        return Some(node);
    }
    is(node, &GROUPS).then(|| node.children().find(|row| is(*row, &["tr"])))?
}

fn is(node: NodeRef<'_, Node>, names: &[&str]) -> bool {
    node.value().as_element().is_some_and(|element| names.contains(&element.name()))
}

/// The number that an attribute begins with.
fn number(cell: NodeRef<'_, Node>, name: &str) -> Option<u32> {
    let said = attr(cell.value().as_element()?, name)?.trim_start();
    let end = said.find(|c: char| !c.is_ascii_digit()).unwrap_or(said.len());
    (end > 0).then(|| said[..end].parse().unwrap_or(u32::MAX))
}

fn is_number(said: &str) -> bool {
    said.contains(|c: char| c.is_ascii_digit()) && !said.contains(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use crate::{Extract, Hints, Limits, read};

    fn extract(html: &str, limits: &Limits) -> Extract {
        let url = url::Url::parse("https://a.example/").unwrap();
        let hints = Hints { content_type: Some("text/html"), url: &url };
        read(html.as_bytes(), &hints, limits).unwrap()
    }

    /// What is told of each block of a page with one table.
    fn told(rows: &str) -> Vec<String> {
        let extract =
            extract(&format!("<p>Cases by city</p><table>{rows}</table>"), &Limits::default());
        (1..extract.blocks.len()).map(|at| extract.told(at).unwrap().into_owned()).collect()
    }

    #[test]
    fn a_row_is_told_with_the_headings_of_its_columns() {
        let row = "<tr><td>Milwaukee<td>182<td>3";
        for head in [
            "<thead><tr><td>City<td>Cases<td>Deaths</thead>",
            "<tr><th>City<th>Cases:<th>Deaths ▲",
            "<tr><td><th scope=col>Cases<td scope=col>Deaths",
            "<tr><th rowspan=2>City<th colspan=2>All of them<tr><th>Cases<th>Deaths",
        ] {
            let row = told(&format!("{head}{row}")).pop().unwrap();
            let row = row.replace("All of them ", "");
            assert_eq!(row, "Milwaukee: Cases: 182 | Deaths: 3", "{head}");
        }
        let two = "<thead><tr><th>City<th colspan=2>2025<th colspan=2>2026<tr><th><th>Cases<th>Deaths\
                   <th>Cases<th>Deaths</thead><tr><th>Milwaukee<td>1<td>2<td>3<td>4";
        let row = "Milwaukee: 2025 Cases: 1 | 2025 Deaths: 2 | 2026 Cases: 3 | 2026 Deaths: 4";
        assert_eq!(told(two)[2], row);
    }

    #[test]
    fn without_headings_a_row_is_told_as_it_stands() {
        for rows in [
            "<tr><td>Milwaukee<td>182",
            "<tr><th>Population<td>182<tr><th>Area<td>251",
            "<tr><th colspan=2>Milwaukee<tr><td>Area<td>251",
            "<tr><td>Area<td>251<tfoot><tr><th>Sum<th>251</tfoot>",
            "<tr><td>Area<td>251<tr><th>So far<th>251<tr><td>Lakes<td>3",
            "<tr><th scope=row>Area<th scope=row>251<tr><td>Lakes<td>3",
        ] {
            let all = extract(&format!("<table>{rows}</table>"), &Limits::default());
            assert!(
                all.headings.is_empty() && all.blocks.iter().all(|block| block.row.is_none()),
                "{rows}"
            );
        }
    }

    #[test]
    fn a_cell_that_spans_rows_belongs_to_each() {
        let head = "<tr><th>State<th>City<th>Cases";
        let rows = "<tr><td rowspan=2>Wisconsin<td>Milwaukee<td rowspan=0>182<tr><td>Madison<tr><td>Iowa<td>Ames";
        let expected = [
            "Wisconsin: City: Milwaukee | Cases: 182",
            "Wisconsin: City: Madison | Cases: 182",
            "Iowa: City: Ames | Cases: 182",
        ];
        assert_eq!(told(&format!("{head}{rows}"))[1..], expected);
        // No cell spans beyond its group.
        let groups = format!("{head}<tbody>{rows}<tbody><tr><td>Ohio<td>Akron<td>9");
        assert_eq!(told(&groups)[4], "Ohio: City: Akron | Cases: 9");
        let bare = "<tr><td rowspan=2>Monday<td>9:00<td>open<tr><td>10:00<td>closed";
        assert_eq!(told(bare), ["Monday | 9:00 | open", "Monday | 10:00 | closed"]);
    }

    #[test]
    fn a_cell_stands_in_its_column_whatever_is_empty_wide_or_hidden() {
        let head = "<thead><tr><th>City<th>Cases<th>Deaths<th>Since</thead>";
        for (row, expected) in [
            ("<td>Ames<td><td>3<td>May", "Ames: Deaths: 3 | Since: May"),
            ("<td>Ames<td>1<td><td>", "Ames: Cases: 1"),
            ("<td>Ames<td>1<td>3<td>", "Ames: Cases: 1 | Deaths: 3"),
            ("<td><td>1<td>3", "Cases: 1 | Deaths: 3"),
            ("<td>Ames<td colspan=2>unknown<td>May", "Ames: Cases, Deaths: unknown | Since: May"),
            ("<td>Ames<td colspan=3>no data", "Ames: no data"),
            ("<td>Ames<td style='display:none'>1<td>3<td>May", "Ames: Deaths: 3 | Since: May"),
            ("<td>Ames<td>a | b<td>3", "Ames: Cases: a | b | Deaths: 3"),
            ("<td>Ames<td>1<td>2<td>May<td>more", "Ames: Cases: 1 | Deaths: 2 | Since: May | more"),
        ] {
            assert_eq!(told(&format!("{head}<tr>{row}"))[1], expected, "{row}");
        }
    }

    #[test]
    fn other_headings_hold_from_where_they_stand() {
        let table = |head: &str, row: &str| format!("<tr><th>City<th>{head}<tr><td>Ames<td>{row}");
        let rows = told(&[table("Cases", "1"), table("Deaths", "2")].concat());
        assert_eq!([&rows[1], &rows[3]], ["Ames: Cases: 1", "Ames: Deaths: 2"]);
        let many = extract(
            &format!("<table>{}</table>", table("Cases", "1").repeat(9)),
            &Limits::default(),
        );
        assert_eq!(many.headings.len(), 1, "what is said again is kept once");
        let much = table("Cases", "1") + &table("Deaths", "2");
        let limits = Limits { text_bytes_max: 60, ..Limits::default() };
        let cut = extract(&format!("<table>{much}</table>"), &limits);
        assert_eq!(cut.headings.len(), 1);
    }
}
