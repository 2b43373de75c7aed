//! Lists whose entries begin with their rank: "1 Alpha", "2. Beta", "#3 Gamma".

use page::{Block, Extract};
use rustc_hash::FxHashMap;

/// Longer texts are no entries of such a list.
const BYTES_MAX: usize = 200;
/// Blocks between two entries of it, at most: who wrote it, how many like it.
const BETWEEN_MAX: usize = 3;

/// What entries of lists say behind their ranks, by their places. O(bytes of short texts).
pub(super) fn ranked(extract: &Extract) -> FxHashMap<usize, &str> {
    let of_block = |(at, block): (usize, &'_ Block)| Some((at, entry(block)?.0));
    let ranks: Vec<(usize, u32)> = extract.blocks.iter().enumerate().filter_map(of_block).collect();
    let mut ranked = FxHashMap::default();
    for pair in ranks.windows(2) {
        let [(at, rank), (next, other)] = [pair[0], pair[1]];
        if next - at > BETWEEN_MAX + 1 || rank + 1 != other {
            continue;
        }
        for at in [at, next] {
            let said = extract.blocks.get(at).and_then(entry);
            ranked.extend(said.map(|(_, said)| (at, said)));
        }
    }
    ranked
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
    let has_letters = said.chars().filter(|c| c.is_alphabetic()).nth(2).is_some();
    (is_entry && has_letters).then(|| Some((rank.parse().ok()?, said)))?
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
    }
}
