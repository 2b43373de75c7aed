//! Lists whose entries begin with their rank: "1 Alpha", "2. Beta", "#3 Gamma".

use crate::{number, says_when};
use page::{Block, Extract};
use rustc_hash::FxHashMap;

/// Longer texts are no entries of such a list.
const BYTES_MAX: usize = 200;
/// Two numbers in order may be counts: "12 won", "13 lost".
const ENTRIES_MIN: usize = 3;
/// Blocks between two entries of it, at most: who wrote it, how many like it.
const BETWEEN_MAX: usize = 3;

/// What entries of lists say behind their ranks, by their places. O(bytes of short texts).
pub(super) fn ranked(extract: &Extract) -> FxHashMap<usize, &str> {
    let entries: Vec<(usize, u32, &str)> = (extract.blocks.iter().enumerate())
        .filter_map(|(at, block)| entry(block).map(|(rank, said)| (at, rank, said)))
        .collect();
    let goes_on = |one: &(usize, u32, &str), next: &(usize, u32, &str)| {
        next.0 - one.0 <= BETWEEN_MAX + 1 && one.1 + 1 == next.1
    };
    let begins = |list: &&[(usize, u32, &str)]| list.len() >= ENTRIES_MIN && list[0].1 == 1;
    let lists = entries.chunk_by(goes_on).filter(begins);
    lists.flatten().map(|&(at, _, said)| (at, said)).collect()
}

/// The rank of an entry, and what it says behind that: a word with a capital, if nothing stands
/// between.
fn entry(block: &Block) -> Option<(u32, &str)> {
    let is_plain = block.row.is_none() && block.level() == 0;
    let text = Some(&*block.text).filter(|text| text.len() <= BYTES_MAX && is_plain)?;
    let text = text.strip_prefix('#').unwrap_or(text);
    let digits =
        text.find(|c: char| !c.is_ascii_digit()).filter(|digits| (1..=3).contains(digits))?;
    let (rank, rest) = text.split_at(digits);
    let said = rest.strip_prefix(['.', ')']).unwrap_or(rest).trim_start();
    let begins = |is: fn(char) -> bool| said.starts_with(is);
    let is_apart = said.len() < rest.len();
    let is_entry = if is_apart { begins(|c| !c.is_numeric()) } else { begins(char::is_uppercase) };
    // A day, a time and an amount are no ranks.
    let unit = said.split_whitespace().next().unwrap_or_default();
    let is_amount = number::named(unit).is_some() || says_when(&format!("{rank} {unit}"));
    let has_letters = said.chars().filter(|c| c.is_alphabetic()).nth(2).is_some();
    (is_entry && has_letters && !is_amount).then(|| Some((rank.parse().ok()?, said)))?
}

#[cfg(test)]
mod tests {
    use super::super::told::told;

    fn list(entries: &[&str], between: &str) -> String {
        let entries = entries.iter().zip(1..);
        let item = |(entry, rank): (&&str, u32)| format!("<li>{rank}{between}{entry}</li>");
        format!("<h1>Songs</h1><ul>{}</ul>", entries.map(item).collect::<String>())
    }

    #[test]
    fn an_entry_of_another_rank_is_the_same() {
        for between in [" ", ". ", "<b></b>"] {
            let before = list(&["Alpha by A", "Beta by B", "Gamma by C", "Delta by D"], between);
            let after = list(&["Beta by B", "Alpha by A", "Epsilon by E", "Gamma by C"], between);
            let sign = between.trim_end_matches("<b></b>");
            let gone = format!("4{sign}Delta by D -> -");
            let came = format!("- -> 3{sign}Epsilon by E");
            let mut all = told(&before, &after);
            all.sort();
            assert_eq!(all, [came, gone]);
        }
        let rooms = |state: &str| format!("<p>12 rooms are {state}<p>40 rooms are open");
        assert_eq!(told(&rooms("open"), &rooms("closed")).len(), 1);
        let games = |won: u32| format!("<p>{won} won</p><p>{} lost</p>", won + 1);
        assert_eq!(told(&games(12), &games(13)).len(), 2);
        let days = |from: u32| -> String {
            let days = ["May Ceilidh", "May Quiz", "May Market"].into_iter().zip(from..);
            days.map(|(said, day)| format!("<p>{day} {said}</p>")).collect()
        };
        assert_eq!(told(&days(1), &days(8)).len(), 3);
    }
}
