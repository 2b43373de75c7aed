//! Rows of tables: which is which, and what people are told of them.
//!
//! A row goes by the cell that names it, the first in most tables, with those above that span it.
//! It has no name if another row of its page has the same, or it is a number. It is told with what
//! heads its cells.

use super::Step;
use super::ranks::ranked;
use crate::found::{Found, Pair};
use crate::habits::{CELL, run_alone, says_when};
use crate::{ChangeKind, Thing};
use page::{Block, Extract};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// Bytes of what is told of rows with their headings; further rows are told by their texts.
const TOLD_BYTES_MAX: usize = 8 << 20;

/// A row that went, and one of its name that came, are one that changed, wherever they stand and
/// however unlike they are. What had been paired with either goes, or comes. O(n). A row that got
/// another number stays the same.
pub(super) fn pair_by_name(steps: &mut Vec<Step>, pair: &Pair<'_>) {
    let (old, new) = (pair.old.extract, pair.new.extract);
    if !steps.iter().any(|step| !matches!(step, Step::Move(..))) {
        return;
    }
    let [went, came] = [names(old), names(new)];
    if went.is_empty() || came.is_empty() {
        return;
    }
    let mut pairs: FxHashMap<usize, usize> = FxHashMap::default();
    let is_renumbered = |o: usize, n: usize| {
        let rest = |names: &FxHashMap<usize, Name>, at: usize| names.get(&at)?.numbered;
        rest(&went, o).is_some_and(|told| rest(&came, n) == Some(told))
    };
    let open = steps.iter().filter(|step| match **step {
        Step::Update(o, n) => !is_renumbered(o, n),
        Step::Delete(_) | Step::Insert(_) => true,
        Step::Move(..) => false,
    });
    let gone: FxHashMap<u64, usize> = open
        .clone()
        .filter_map(|step| match *step {
            Step::Delete(o) | Step::Update(o, _) => Some((went.get(&o)?.all, o)),
            Step::Insert(_) | Step::Move(..) => None,
        })
        .collect();
    for step in open {
        if let Step::Insert(n) | Step::Update(_, n) = *step
            && let Some(&o) = came.get(&n).and_then(|name| gone.get(&name.all))
        {
            pairs.insert(n, o);
        }
    }
    *steps = repaired(steps, &pairs);
}

/// The steps with these pairs, each of a new place and an old one. What had been paired with either
/// goes, or comes.
pub(super) fn repaired(steps: &[Step], pairs: &FxHashMap<usize, usize>) -> Vec<Step> {
    let taken: FxHashSet<usize> = pairs.values().copied().collect();
    let repaired = steps.iter().flat_map(|step| match *step {
        Step::Insert(n) => [None, Some(joined(pairs, n))],
        Step::Delete(o) if taken.contains(&o) => [None, None],
        Step::Update(o, n) if pairs.get(&n).is_none_or(|known| *known == o) => {
            let is_lost = taken.contains(&o) && !pairs.contains_key(&n);
            [None, Some(if is_lost { Step::Insert(n) } else { *step })]
        }
        Step::Update(o, n) => {
            [(!taken.contains(&o)).then_some(Step::Delete(o)), Some(joined(pairs, n))]
        }
        Step::Delete(_) | Step::Move(..) => [None, Some(*step)],
    });
    repaired.flatten().collect()
}

/// Two rows at one place that are named in other words, and say something else besides, are two:
/// one went, and the other came. A name with a digit may be a rank or a day, and so may one of
/// which nothing but numbers, days and months differs. O(bytes of the rows that changed).
pub(super) fn part_by_name(steps: &mut Vec<Step>, pair: &Pair<'_>) {
    let (old, new) = (pair.old.extract, pair.new.extract);
    let words = |cells: &[&str]| -> Option<FxHashSet<String>> {
        let has_digit = cells.iter().any(|cell| cell.contains(|c: char| c.is_numeric()));
        let words = cells.iter().flat_map(|cell| cell.split(|c: char| !c.is_alphanumeric()));
        let words = words.filter(|word| has_letter(word)).map(str::to_lowercase);
        (!has_digit).then(|| words.collect())
    };
    let are_two = |o: usize, n: usize| {
        let (Some(was), Some(is)) = (old.row_name(o), new.row_name(n)) else { return false };
        let (Some(before), Some(now)) = (words(&was.cells), words(&is.cells)) else { return false };
        let runs = || run_alone(&old.blocks[o].text, &new.blocks[n].text);
        was.rest != is.rest && before.is_disjoint(&now) && !runs()
    };
    let part = |step: &Step| match *step {
        Step::Update(o, n) if are_two(o, n) || are_of_others(&old.blocks[o], &new.blocks[n]) => {
            [Some(Step::Delete(o)), Some(Step::Insert(n))]
        }
        step => [Some(step), None],
    };
    *steps = steps.iter().flat_map(part).flatten().collect();
}

/// Cells that say of whom a row is, at least.
const OTHERS_MIN: usize = 2;

/// Whether two rows without headings have no cell in common, and no word but days: the results of
/// two matches.
fn are_of_others(old: &Block, new: &Block) -> bool {
    let cells = |block: &'_ Block| -> Vec<String> {
        block.text.split(CELL).map(str::to_lowercase).collect()
    };
    let is_plain = |block: &Block| block.row.is_none() && block.text.contains(CELL);
    if !is_plain(old) || !is_plain(new) {
        return false;
    }
    let (old, new) = (cells(old), cells(new));
    let says_who = |cell: &str| has_letter(cell) && !says_when(cell);
    let own: Vec<_> =
        old.iter().zip(&new).filter(|(old, new)| says_who(old) || says_who(new)).collect();
    let words = |cell: &'_ str| -> FxHashSet<String> {
        let words = cell.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    };
    old.len() == new.len()
        && own.len() >= OTHERS_MIN
        && old.iter().zip(&new).all(|(old, new)| old != new)
        && own.iter().all(|(old, new)| words(old).is_disjoint(&words(new)))
}

fn joined(pairs: &FxHashMap<usize, usize>, n: usize) -> Step {
    pairs.get(&n).map_or(Step::Insert(n), |&o| Step::Update(o, n))
}

/// What names a row, as hashes: a page may say a name again in each of its rows.
struct Name {
    all: u64,
    /// The words behind a name with a digit, if no other row has the same: "3rd" may be a rank.
    numbered: Option<u64>,
}

/// The names of rows, and of entries behind their ranks, by their places: those that one has.
fn names(extract: &Extract) -> FxHashMap<usize, Name> {
    let mut names: FxHashMap<usize, Name> = FxHashMap::default();
    let (mut alls, mut rests) = (FxHashMap::default(), FxHashMap::default());
    for (at, said) in ranked(extract) {
        let all = hash(std::iter::once(said));
        *alls.entry(all).or_insert(0_usize) += 1;
        names.insert(at, Name { all, numbered: None });
    }
    for at in 0..extract.blocks.len() {
        let Some(name) = extract.row_name(at) else { continue };
        let has_digit = name.cells.iter().any(|cell| cell.contains(|c: char| c.is_numeric()));
        let words = || name.rest.split_whitespace().filter(|word| has_letter(word));
        let is_numbered = has_digit && words().next().is_some();
        let numbered = is_numbered.then(|| hash(words()));
        let all = hash(name.cells.into_iter());
        *alls.entry(all).or_insert(0_usize) += 1;
        numbered.into_iter().for_each(|rest| *rests.entry(rest).or_insert(0_usize) += 1);
        names.insert(at, Name { all, numbered });
    }
    names.retain(|_, name| {
        name.numbered = name.numbered.filter(|rest| rests.get(rest) == Some(&1));
        alls.get(&name.all) == Some(&1)
    });
    names
}

fn has_letter(word: &str) -> bool {
    word.contains(char::is_alphabetic)
}

fn hash<'t>(texts: impl Iterator<Item = &'t str>) -> u64 {
    let mut hasher = FxHasher::default();
    texts.for_each(|text| text.hash(&mut hasher));
    hasher.finish()
}

/// Says what people are told of each change of a row, as far as there is room. Where only the order
/// of its columns is another, that is nothing new.
pub(super) fn tell(found: &mut [Found], steps: &[Step], pair: &Pair<'_>) {
    let (old, new) = (pair.old.extract, pair.new.extract);
    let is_row = |extract: &Extract, at: usize| extract.blocks[at].row.is_some();
    let thing = |text: Option<std::borrow::Cow<'_, str>>| {
        text.map(|text| Thing::Text { text: text.into_owned() })
    };
    let mut room = TOLD_BYTES_MAX;
    let renumbered = renumbered(steps, pair);
    let is_text = |step: &Step| matches!(*step, Step::Update(_, n) if !is_row(new, n));
    let entries = steps.iter().any(is_text).then(|| [ranked(old), ranked(new)]);
    for (one, step) in found.iter_mut().zip(steps) {
        if let (Step::Update(o, n), Some([before, now])) = (*step, &entries) {
            let said = before.get(&o);
            one.is_slight |= said.is_some() && said == now.get(&n);
        }
        if room == 0 {
            break;
        }
        let told = match *step {
            Step::Insert(n) if is_row(new, n) => [None, thing(new.told(n))],
            Step::Delete(o) if is_row(old, o) => [thing(old.told(o)), None],
            Step::Update(o, n) | Step::Move(o, n) if is_row(old, o) && is_row(new, n) => {
                [thing(old.told_as(o, new, n)), thing(new.told(n))]
            }
            _ => continue,
        };
        let bytes: usize = told.iter().flatten().map(|thing: &Thing| thing.text().len()).sum();
        room = room.saturating_sub(bytes);
        // Another rank says nothing of its row.
        let is_ranked = matches!(*step, Step::Update(o, n) if is_only_ranked([old, new], o, n));
        let is_ranked = is_ranked || renumbered.contains(step);
        if is_ranked || (one.kind == ChangeKind::Update && told[0] == told[1]) {
            one.is_slight = true;
        } else {
            one.told = Some(Box::new(told));
        }
    }
}

fn is_only_ranked([old, new]: [&Extract; 2], o: usize, n: usize) -> bool {
    let said = new.unranked(n);
    said.is_some() && old.unranked(o) == said
}

/// The rows of which nothing but a running number is another. Rows of their table came or went, and
/// those that stay are in the same order, under the same heading. O(n log n).
fn renumbered(steps: &[Step], pair: &Pair<'_>) -> FxHashSet<Step> {
    let (old, new) = (pair.old.extract, pair.new.extract);
    let table =
        |extract: &Extract, at: usize| Some(hash(extract.columns(at)?.iter().map(|name| &**name)));
    let mut changed: FxHashSet<u64> = FxHashSet::default();
    for step in steps {
        changed.extend(match *step {
            Step::Insert(n) => table(new, n),
            Step::Delete(o) => table(old, o),
            Step::Update(..) | Step::Move(..) => None,
        });
    }
    let mut tables: FxHashMap<u64, Vec<(usize, usize)>> = FxHashMap::default();
    for step in steps.iter().filter(|_| !changed.is_empty()) {
        let Step::Update(o, n) = *step else { continue };
        let said = new.behind_number(n);
        let is_same = said.is_some() && old.behind_number(o) == said;
        let stays = || pair.old.reading().parent(o) == pair.new.reading().parent(n);
        let own = table(new, n).filter(|own| is_same && changed.contains(own) && stays());
        own.into_iter().for_each(|own| tables.entry(own).or_default().push((o, n)));
    }
    let is_in_order = |rows: &mut Vec<(usize, usize)>| {
        rows.sort_unstable();
        rows.is_sorted_by_key(|(_, n)| *n)
    };
    let in_order =
        tables.into_values().filter_map(|mut rows| is_in_order(&mut rows).then_some(rows));
    in_order.flatten().map(|(o, n)| Step::Update(o, n)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::told::{read, told};
    use crate::found::Pair;

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
    fn matches_of_others_are_others_and_numbers_in_front_say_nothing() {
        let table = |rows: &[&str]| {
            let row = |row: &&str| format!("<tr><td>{}</td></tr>", row.replace('|', "</td><td>"));
            format!("<h1>Cup</h1><table>{}</table>", rows.iter().map(row).collect::<String>())
        };
        let old = table(&["Sat 21 Nov|Harrow|3 – 1|Corby", "Sun 22 Nov|Louth|1 – 1|Whitby"]);
        let new = table(&["Sat 28 Nov|Selby|2 – 0|Harrow", "Sun 22 Nov|Louth|1 – 1|Whitby"]);
        let said = [
            "Sat 21 Nov | Harrow | 3 – 1 | Corby -> -",
            "- -> Sat 28 Nov | Selby | 2 – 0 | Harrow",
        ];
        assert_eq!(told(&old, &new), said);
        let cases = |rows: &[&str]| {
            table(rows).replacen("<tr>", "<tr><th>Lp.<th>Case<th>State</tr><tr>", 1)
        };
        let old = cases(&["1|ZP.7|open", "2|ZP.6|open", "3|ZP.5|closed"]);
        let new = cases(&["1|ZP.8|open", "2|ZP.7|open", "3|ZP.6|closed", "4|ZP.5|closed"]);
        let said = [
            "- -> ZP.8: Lp.: 1 | State: open",
            "ZP.6: Lp.: 2 | State: open -> ZP.6: Lp.: 3 | State: closed",
        ];
        assert_eq!(told(&old, &new), said);
        let lines =
            |rows: &[&str]| table(rows).replacen("<tr>", "<tr><th>No.<th>To<th>In</tr><tr>", 1);
        let old = lines(&["1|Harbour|5 min", "2|Castle|8 min", "3|Mill|9 min"]);
        let new = lines(&["1|Castle|8 min", "2|Harbour|5 min", "3|Mill|9 min"]);
        assert_eq!(told(&old, &new).len(), 2, "two lines that are each other now");
    }

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
    fn another_name_and_another_rest_are_another_row() {
        let page = |name, does, place| {
            page(
                ["Company", "Service", "Place"],
                &[["Ames Ltd", "Mail", "USA"], [name, does, place]],
            )
        };
        let klaus = page("Klaus", "Customer Support Services", "Estonia");
        assert_eq!(
            told(&klaus, &page("Hightouch", "Customer support services", "USA")),
            [
                "Klaus: Service: Customer Support Services | Place: Estonia -> -",
                "- -> Hightouch: Service: Customer support services | Place: USA",
            ]
        );
        let day = |day, date| page(day, "Open until late", date);
        let days = told(&day("Friday", "27 November"), &day("Saturday", "28 November"));
        assert_eq!(days.len(), 1, "what runs is one row");
        let renamed = told(&klaus, &page("Zendesk QA", "Customer Support Services", "Estonia"));
        assert_eq!(renamed.len(), 1, "all else is the same");
        let longer = told(&klaus, &page("Klaus Inc.", "Customer Support Services", "USA"));
        assert_eq!(longer.len(), 1, "a word of the name stays");
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

    #[test]
    fn a_number_is_the_place_of_a_row_and_not_its_name() {
        for [one, two, three] in [["1", "2", "3"], ["1.", "2.", "3."], ["1st", "2nd", "3rd"]] {
            let head = ["Pos", "Product", "Price"];
            let [alpha, beta] = ["Alpha copper kettle", "Beta iron pot"];
            let before = page(head, &[[one, alpha, "40"], [two, beta, "30"]]);
            let rows = [[one, "Gamma steel pan", "12"], [two, alpha, "41"], [three, beta, "30"]];
            let all = told(&before, &page(head, &rows));
            let came = format!("- -> Gamma steel pan: Pos: {one} | Price: 12");
            assert!(all.contains(&came), "{all:?}");
            for (old, new) in all.iter().filter_map(|line| line.split_once(" -> ")) {
                let is_told_of_one = |name| old.contains(name) == new.contains(name);
                assert!(is_told_of_one(alpha) && is_told_of_one(beta), "{all:?}");
            }
            assert_eq!(all.len(), 2, "beta only fell by a place: {all:?}");
        }
        // A name with a number in it is one, where others say the same beside it.
        let rooms = |rows: &[[&str; 3]]| page(["Room", "State", "Since"], rows);
        let before = rooms(&[["Room 1", "closed", "May"], ["Room 2", "closed", "May"]]);
        let after = rooms(&[
            ["Room 0", "closed", "May"],
            ["Room 1", "closed", "June"],
            ["Room 2", "closed", "May"],
        ]);
        assert_eq!(
            told(&before, &after),
            [
                "- -> Room 0: State: closed | Since: May",
                "Room 1: State: closed | Since: May -> Room 1: State: closed | Since: June",
            ]
        );
    }

    #[test]
    fn what_spans_many_rows_is_told_of_them_within_bounds() {
        let page = |from: u32| {
            let above = format!("<tr><td rowspan=0>{}<td>first", "long ".repeat(190)).repeat(4);
            let rows: String = (from..from + 20_000).map(|n| format!("<tr><td>N{n}")).collect();
            read(&format!("<table>{above}{rows}</table>"))
        };
        let (old, new) = (page(0), page(20_000));
        let pair = Pair::new(&old, &new);
        let (found, _) = super::super::blocks(&pair, &crate::Limits::default());
        let told = found.iter().filter_map(|one| one.told.as_deref());
        let bytes: usize = told.flatten().flatten().map(|thing| thing.text().len()).sum();
        assert!(found.len() >= 20_000 && bytes > 0, "{} {bytes}", found.len());
        assert!(bytes <= super::TOLD_BYTES_MAX + 10_000, "{bytes}");
    }

    #[test]
    fn a_column_that_came_takes_no_name_from_another() {
        let table = |head: &str, rows: &str| format!("<h1>Cases</h1><table>{head}{rows}</table>");
        let head = |names: &str| format!("<tr><th>{}", names.replace('|', "<th>"));
        let rows = |texts: &str| format!("<tr><td>{}", texts.replace('|', "<td>"));
        for (heads, texts, line) in [
            (
                ["City|Cases|Deaths", "City|Region|Confirmed|Deaths"],
                ["Ames|7|2", "Ames|West|9|2"],
                "Ames: Cases: 7 | Deaths: 2 -> Ames: Region: West | Confirmed: 9 | Deaths: 2",
            ),
            (
                ["City|Cases|Deaths", "City|Deaths today|Confirmed"],
                ["Ames|7|2", "Ames|2|9"],
                "Ames: Cases: 7 | Deaths: 2 -> Ames: Deaths today: 2 | Confirmed: 9",
            ),
            (
                ["City|Cases|Deaths", "City|Confirmed|Deaths"],
                ["Ames|7|2", "Ames|9|2"],
                "Ames: Confirmed: 7 | Deaths: 2 -> Ames: Confirmed: 9 | Deaths: 2",
            ),
            (
                ["Day|Open|Close|Open|Close", "Day|Open|Close|Open|Close|Note"],
                ["Monday|8|12|13|18", "Monday|8|12|14|18"],
                "Monday: Open: 8 | Close: 12 | Open: 13 | Close: 18 -> Monday: Open: 8 | \
                 Close: 12 | Open: 14 | Close: 18",
            ),
        ] {
            let page = |at: usize| table(&head(heads[at]), &rows(texts[at]));
            let all = told(&page(0), &page(1));
            assert!(all.contains(&line.to_owned()), "{line}\n{all:?}");
        }
    }
}
