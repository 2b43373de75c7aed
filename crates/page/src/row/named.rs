//! Which column names the rows of a table.

use super::Row;
use crate::{Block, Extract};
use rustc_hash::{FxHashMap, FxHashSet};

/// What heads a column of ranks, in small letters; many have nothing above them.
#[rustfmt::skip]
const RANKS: [&str; 18] = [
    "", "#", "l.p", "lp", "pl", "place", "platz", "pos", "posición", "position", "posizione", "r",
    "rang", "rank", "ranking", "rk", "rnk", "st",
];
/// What heads a column of running numbers, which may be names, too.
#[rustfmt::skip]
const NUMBERS: [&str; 12] = [
    "lfd. nr", "n", "no", "nr", "num", "nº", "n°", "s. no", "s.no", "sl. no", "sr. no", "№",
];
/// Characters of a rank.
const RANK_CHARS_MAX: usize = 5;

/// Whether a cell below this heading says which place its row has: "1", "2.", "3rd", "=4", "T5".
pub(super) fn ranks(heading: &str, text: &str) -> bool {
    let heading = heading.trim_end_matches('.').to_lowercase();
    let is_number = |text: &str| {
        let text = text.trim_start_matches(['#', '=', 'T']);
        let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
        digits.len() < text.len()
            && matches!(digits, "" | "." | ")" | "=" | "st" | "nd" | "rd" | "th")
    };
    text.len() <= RANK_CHARS_MAX && RANKS.contains(&&*heading) && is_number(text)
}

/// Whether a heading says that a column has numbers.
pub(super) fn are_numbers(heading: &str) -> bool {
    NUMBERS.contains(&&*heading.trim_end_matches('.').to_lowercase())
}

/// The number that is all of a text, with a mark behind it.
pub(super) fn number(text: &str) -> Option<u32> {
    text.trim_end_matches(['.', ')']).parse().ok().filter(|number| *number < u32::MAX)
}

/// Whether texts number rows from the first on.
fn runs(texts: &[&str]) -> bool {
    (1..).zip(texts).all(|(place, text)| number(text) == Some(place))
}

/// Cells behind the first that may name a row.
const BEHIND_MAX: usize = 2;
/// In a table of fewer rows, what is there twice may be chance.
const ROWS_MIN: usize = 3;

/// Says of each row of a table with headings which of its cells names it: the first, unless that is
/// a rank or says the same of several rows. Then it is the next with letters in which no two say
/// the same. O(bytes of the rows).
pub(crate) fn name_rows(extract: &mut Extract) {
    let mut tables: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for (at, block) in extract.blocks.iter().enumerate() {
        if let Some(row) = block.row.as_deref().filter(|row| row.headings > 0) {
            tables.entry(row.headings).or_default().push(at);
        }
    }
    for (headings, rows) in tables {
        let Some(headings) = extract.headings.get(headings as usize - 1) else { continue };
        let Some(name) = name_of(headings, &rows, &extract.blocks) else { continue };
        for at in rows {
            if let Some(row) = &mut extract.blocks[at].row {
                row.name = name;
            }
        }
    }
}

/// `None`: the first, or a cell spans rows or columns.
fn name_of(headings: &[Box<str>], rows: &[usize], blocks: &[Block]) -> Option<u8> {
    let mut texts: [Vec<&str>; BEHIND_MAX + 1] = Default::default();
    for &at in rows {
        let row: &Row = blocks[at].row.as_deref()?;
        let cells = row.cells(&blocks[at].text);
        let mut places = cells.iter().take(texts.len()).zip(0..);
        let is_plain = row.spanned.is_empty()
            && places.all(|((cell, _), column)| cell.1 == column && cell.2 == 1 && !cell.3);
        if !is_plain || cells.len() < 2 {
            return None;
        }
        for (all, at) in texts.iter_mut().zip(0..) {
            all.push(cells.get(at).map_or("", |(_, text)| *text));
        }
    }
    let differ = |all: &[&str]| all.iter().collect::<FxHashSet<_>>().len() == all.len();
    let heading = headings.first().map_or("", |heading| &**heading);
    let are_ranks =
        texts[0].iter().all(|text| ranks(heading, text)) || are_numbers(heading) && runs(&texts[0]);
    let say_the_same = rows.len() >= ROWS_MIN && !differ(&texts[0]);
    if !are_ranks && !say_the_same {
        return None;
    }
    let name =
        |all: &[&str]| differ(all) && all.iter().all(|text| text.contains(char::is_alphabetic));
    (1..=BEHIND_MAX).find(|&at| name(&texts[at])).map(|at| at as u8)
}

#[cfg(test)]
mod tests {
    use crate::{Hints, Limits, View, extract};
    use url::Url;

    fn told(head: &str, rows: &[&str]) -> Vec<String> {
        let row = |tag: &str, texts: &str| {
            let cells = texts.split('|').map(|text| format!("<{tag}>{text}</{tag}>"));
            format!("<tr>{}</tr>", cells.collect::<String>())
        };
        let rows: String = rows.iter().map(|texts| row("td", texts)).collect();
        let page = format!("<table>{}{rows}</table>", row("th", head));
        let url = Url::parse("https://a.example/").expect("a URL written here");
        let hints = Hints { content_type: Some("text/html"), url: &url };
        let all = extract(page.as_bytes(), &hints, &Limits::default(), [View::Page]);
        let extract = all.expect("a page").remove(&View::Page).expect("the page");
        (1..extract.blocks.len()).filter_map(|at| extract.told(at).map(Into::into)).collect()
    }

    #[test]
    fn a_row_goes_by_the_first_cell_that_tells_it_apart() {
        assert_eq!(
            told("Pos|Team|P", &["1|Rovers|10", "2|Albion|9"]),
            ["Rovers: Pos: 1 | P: 10", "Albion: Pos: 2 | P: 9"]
        );
        assert_eq!(
            told("|Service|Note", &["ok|DNS|none", "down|Mail|delayed", "ok|Web|none"])[1],
            "Mail: down | Note: delayed"
        );
        let kinds = ["Fruit|Apple|3", "Fruit|Pear|4", "Nuts|Hazel|4"];
        assert_eq!(told("Kind|Name|Left", &kinds)[1], "Pear: Kind: Fruit | Left: 4");
        let rooms = ["1|closed|May", "2|open|June"];
        assert_eq!(told("Room|State|Since", &rooms)[0], "1: State: closed | Since: May");
        let numbered = ["1.|ZP.8|road", "2.|ZP.7|school"];
        assert_eq!(told("Nr|Case|What", &numbered)[1], "ZP.7: Nr: 2. | What: school");
        let lines = ["4|Harbour|5 min", "6|Castle|8 min"];
        assert_eq!(told("No.|To|In", &lines)[0], "4: To: Harbour | In: 5 min", "of a bus");
        let alike = ["Fruit|red|3", "Fruit|red|4", "Fruit|green|4"];
        assert_eq!(told("Kind|Colour|Left", &alike)[0], "Fruit: Colour: red | Left: 3");
    }
}
