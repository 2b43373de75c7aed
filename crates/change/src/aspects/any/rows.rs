//! Rows of tables: which is which, and what people are told of them.
//!
//! A row goes by its first cell, with those above that span it, if no other row of its page has the
//! same. It is told with what heads its cells.

use super::Step;
use crate::found::{Found, Pair};
use crate::{ChangeKind, Thing};
use page::Extract;
use rustc_hash::{FxHashMap, FxHashSet};

/// A row that went, and one of its name that came, are one that changed, wherever they stand and
/// however unlike they are. What had been paired with either goes, or comes. O(n).
pub(super) fn pair_by_name(steps: &mut Vec<Step>, pair: &Pair<'_>) {
    let is_row = |extract: &Extract| extract.blocks.iter().any(|block| block.row.is_some());
    let (old, new) = (pair.old.extract, pair.new.extract);
    if !steps.iter().any(|step| !matches!(step, Step::Move(..))) || !is_row(old) || !is_row(new) {
        return;
    }
    let [went, came] = [names(old), names(new)];
    let mut pairs: FxHashMap<usize, usize> = FxHashMap::default();
    let is_open = |step: &Step| match *step {
        Step::Delete(o) | Step::Update(o, _) => Some(o),
        Step::Insert(_) | Step::Move(..) => None,
    };
    let gone: FxHashMap<&str, usize> = steps
        .iter()
        .filter_map(is_open)
        .filter_map(|o| Some((went.of.get(&o)?.as_str(), o)))
        .collect();
    for step in steps.iter() {
        if let Step::Insert(n) | Step::Update(_, n) = *step
            && let Some(&o) = came.of.get(&n).and_then(|name| gone.get(name.as_str()))
        {
            pairs.insert(n, o);
        }
    }
    let taken: FxHashSet<usize> = pairs.values().copied().collect();
    *steps = steps
        .iter()
        .flat_map(|step| match *step {
            Step::Insert(n) => [None, Some(joined(&pairs, n))],
            Step::Delete(o) if taken.contains(&o) => [None, None],
            Step::Update(o, n) if pairs.get(&n).is_none_or(|known| *known == o) => {
                let is_lost = taken.contains(&o) && !pairs.contains_key(&n);
                [None, Some(if is_lost { Step::Insert(n) } else { *step })]
            }
            Step::Update(o, n) => {
                [(!taken.contains(&o)).then_some(Step::Delete(o)), Some(joined(&pairs, n))]
            }
            Step::Delete(_) | Step::Move(..) => [None, Some(*step)],
        })
        .flatten()
        .collect();
}

fn joined(pairs: &FxHashMap<usize, usize>, n: usize) -> Step {
    pairs.get(&n).map_or(Step::Insert(n), |&o| Step::Update(o, n))
}

/// The names of rows by their places: those that one row has.
struct Names {
    of: FxHashMap<usize, String>,
}

fn names(extract: &Extract) -> Names {
    let mut of: FxHashMap<usize, String> = FxHashMap::default();
    let mut count: FxHashMap<String, usize> = FxHashMap::default();
    for at in 0..extract.blocks.len() {
        if let Some(name) = extract.row_name(at).filter(|name| !name.is_empty()) {
            *count.entry(name.clone()).or_default() += 1;
            of.insert(at, name);
        }
    }
    of.retain(|_, name| count.get(name) == Some(&1));
    Names { of }
}

/// Says what people are told of each change of a row. Where only the order of its columns is
/// another, that is nothing new.
pub(super) fn tell(found: &mut [Found], steps: &[Step], pair: &Pair<'_>) {
    let (old, new) = (pair.old.extract, pair.new.extract);
    let is_row = |extract: &Extract, at: usize| extract.blocks[at].row.is_some();
    let thing = |text: Option<std::borrow::Cow<'_, str>>| {
        text.map(|text| Thing::Text { text: text.into_owned() })
    };
    for (one, step) in found.iter_mut().zip(steps) {
        let told = match *step {
            Step::Insert(n) if is_row(new, n) => [None, thing(new.told(n))],
            Step::Delete(o) if is_row(old, o) => [thing(old.told(o)), None],
            Step::Update(o, n) | Step::Move(o, n) if is_row(old, o) && is_row(new, n) => {
                [thing(old.told_as(o, new, n)), thing(new.told(n))]
            }
            _ => continue,
        };
        if one.kind == ChangeKind::Update && told[0] == told[1] {
            one.is_slight = true;
        } else {
            one.told = Some(Box::new(told));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::told::told;

    fn page(head: [&str; 3], rows: &[[&str; 3]]) -> String {
        let row = |cell: &str, texts: [&str; 3]| {
            let cells: String = texts.map(|text| format!("<{cell}>{text}</{cell}>")).concat();
            format!("<tr>{cells}</tr>")
        };
        let rows: String = rows.iter().map(|texts| row("td", *texts)).collect();
        format!("<h1>Cases by city</h1><table>{}{rows}</table>", row("th", head))
    }

    const HEAD: [&str; 3] = ["City", "Cases", "Deaths"];

    #[test]
    fn a_row_says_what_of_it_changed() {
        let rows = |cases| page(HEAD, &[["Milwaukee", cases, "3"], ["Racine", "9", "1"]]);
        assert_eq!(
            told(&rows("182"), &rows("204")),
            ["Milwaukee: Cases: 182 | Deaths: 3 -> Milwaukee: Cases: 204 | Deaths: 3"]
        );
    }

    #[test]
    fn another_heading_is_one_change_and_another_order_of_columns_too() {
        let rows = [["Milwaukee", "182", "3"], ["Racine", "9", "1"], ["Ames", "7", "2"]];
        let before = page(HEAD, &rows);
        let renamed = page(["City", "Confirmed", "Deaths"], &rows);
        assert_eq!(told(&before, &renamed), ["City | Cases | Deaths -> City | Confirmed | Deaths"]);
        let swapped = page(["City", "Deaths", "Cases"], &rows.map(|[a, b, c]| [a, c, b]));
        let all = told(&before, &swapped);
        assert!(all.len() <= 1 && all.iter().all(|one| one.starts_with("City |")), "{all:?}");
        // What changes besides is told by the headings of now.
        let mut both = rows.map(|[a, b, c]| [a, c, b]);
        both[0][2] = "204";
        let told = told(&before, &page(["City", "Deaths", "Cases"], &both));
        let row = "Milwaukee: Deaths: 3 | Cases: 182 -> Milwaukee: Deaths: 3 | Cases: 204";
        assert!(told.contains(&row.to_owned()), "{told:?}");
    }

    #[test]
    fn a_row_is_the_same_by_its_name_wherever_it_stands() {
        let before = page(HEAD, &[["Madison", "1", "2"], ["Racine", "9", "1"], ["Ames", "7", "2"]]);
        let after =
            page(HEAD, &[["Appleton", "1", "3"], ["Ames", "7", "2"], ["Madison", "1", "4"]]);
        assert_eq!(
            told(&before, &after),
            [
                "Racine: Cases: 9 | Deaths: 1 -> -",
                "- -> Appleton: Cases: 1 | Deaths: 3",
                "Madison: Cases: 1 | Deaths: 2 -> Madison: Cases: 1 | Deaths: 4",
            ]
        );
    }

    #[test]
    fn a_row_goes_by_the_cell_that_spans_it() {
        let page = |cities: &[(&str, u32)]| {
            let row = |(city, cases): &(&str, u32)| format!("<td>{city}<td>{cases}</tr>");
            let rows: Vec<String> = cities.iter().map(row).collect();
            let head = "<tr><th>State<th>City<th>Cases</tr>";
            let state = format!("<tr><td rowspan={}>Iowa", rows.len());
            format!("<table>{head}{state}{}</table>", rows.join("<tr>"))
        };
        assert_eq!(
            told(
                &page(&[("Ames", 7), ("Boone", 5)]),
                &page(&[("Adel", 1), ("Ames", 7), ("Boone", 6)])
            ),
            [
                "- -> Iowa: City: Adel | Cases: 1",
                "Iowa: City: Boone | Cases: 5 -> Iowa: City: Boone | Cases: 6",
            ]
        );
    }
}
