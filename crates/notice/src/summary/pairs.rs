//! Numbers that differ side by side: each is told with what became of it.

use change::Differing;

/// The differences with those in one number or span of numbers as one: `3–4` became `2–3`, and not
/// `2–` came and `–4` went. O(n).
pub(super) fn whole(new: &str, all: Vec<Differing>) -> Vec<Differing> {
    let is_within = |gap: &str| {
        let is_joint = |c: char| ".,:/-–—".contains(c);
        gap.contains(|c: char| c.is_ascii_digit())
            && gap.chars().all(|c| c.is_ascii_digit() || is_joint(c))
    };
    let mut joined: Vec<Differing> = Vec::with_capacity(all.len());
    for one in all {
        match joined.last_mut() {
            Some(last) if is_within(&new[last.new.end..one.new.start]) => {
                last.old.end = one.old.end;
                last.new.end = one.new.end;
            }
            _ => joined.push(one),
        }
    }
    joined
}

/// What became of each number of a text in brackets behind another: `120 → 130 € (4 → 5`. `None`:
/// more than numbers differs, or they are of one kind, as a day and its month.
pub(super) fn told(gone: &str, came: &str) -> Option<String> {
    let (gone, came) = (parts(gone), parts(came));
    let is_number = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
    let is_alike =
        |(gone, came): (&&str, &&str)| gone == came || is_number(gone) && is_number(came);
    let first = came.iter().position(|part| is_number(part))?;
    let has_bracket = came.get(first + 1).is_some_and(|between| between.contains('('));
    let is_last = came.get(first + 2).is_none();
    let are_alike = gone.len() == came.len() && gone.iter().zip(&came).all(is_alike);
    if !has_bracket || is_last || !are_alike {
        return None;
    }
    let became = |(gone, came): (&&str, &&str)| {
        if gone == came { (*came).to_owned() } else { format!("{gone} → {came}") }
    };
    Some(gone.iter().zip(&came).map(became).collect())
}

/// A text as its numbers and what stands between them.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut rest) = (Vec::new(), text);
    while let Some(first) = rest.chars().next() {
        let is_of_number = |c: char| c.is_ascii_digit() || ".,".contains(c);
        let end = if first.is_ascii_digit() {
            let end = rest.find(|c| !is_of_number(c)).unwrap_or(rest.len());
            rest[..end].trim_end_matches(['.', ',']).len()
        } else {
            rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len())
        };
        parts.push(&rest[..end]);
        rest = &rest[end..];
    }
    parts
}

/// What words become behind an amount, with the words that follow: `44.90 €: In stock → Out of
/// stock`. `None`: no amount stands before them, or much follows.
pub(super) fn behind_amount(lead: &str, [gone, came]: [&str; 2], rest: &str) -> Option<String> {
    /// Characters of what follows.
    const REST_CHARS_MAX: usize = 24;
    let lead = lead.trim_end();
    let is_amount = lead.ends_with(|c: char| "€$£¥₹₽₩₺₴₫₪฿".contains(c))
        && lead.contains(|c: char| c.is_ascii_digit());
    let are_words = [gone, came].iter().all(|text| text.starts_with(char::is_alphabetic));
    let is_short = rest.chars().nth(REST_CHARS_MAX).is_none() && !rest.contains('|');
    let rest = rest.trim_end();
    (is_amount && are_words && is_short).then(|| format!("{lead}: {gone}{rest} → {came}{rest}"))
}

/// Stands around what is struck out.
const MARK: &str = "~~";

/// What names the price that was before, and not the one behind it, in lower case.
const OF_STRUCK: [&str; 22] = [
    "adviesprijs",
    "antes",
    "avant",
    "before",
    "bisher",
    "ehemals",
    "list price",
    "listino",
    "msrp",
    "originally",
    "prima",
    "prix conseillé",
    "pvp",
    "pvpr",
    "rrp",
    "statt",
    "streichpreis",
    "unverb. preisempf.",
    "uvp",
    "van",
    "vorher",
    "was",
];

/// A text without what names a price that is struck out: of `UVP ~~49 €~~ 39 €`, the rest.
pub(super) fn without_name_of_struck(text: &str) -> &str {
    let Some((before, _)) = text.split_once(MARK) else { return text };
    let name = before.trim().trim_end_matches(':').to_lowercase();
    if OF_STRUCK.contains(&&*name) { &text[before.len()..] } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_side_by_side_are_told_one_by_one() {
        let bid = told("120 € (4", "130 € (5");
        assert_eq!(bid.as_deref(), Some("120 → 130 € (4 → 5"));
        assert_eq!(told("120 € (4", "130 € (4").as_deref(), Some("120 → 130 € (4"));
        for (gone, came) in [
            ("12.03. 10:00", "13.03. 11:00"),
            ("120 € (4", "130 $ (5"),
            ("120", "130"),
            ("(4", "(5"),
            ("4 bids (none", "5 bids (one"),
        ] {
            assert_eq!(told(gone, came), None, "{gone}");
        }
    }

    #[test]
    fn words_behind_an_amount_are_told_with_it() {
        let said = |lead, sides, rest| behind_amount(lead, sides, rest);
        assert_eq!(
            said("44.90 € ", ["In", "Out of"], " stock").as_deref(),
            Some("44.90 €: In stock → Out of stock")
        );
        assert_eq!(said("Now € ", ["In", "Out of"], " stock"), None, "no amount");
        assert_eq!(said("44.90 € ", ["4", "5"], " left"), None, "no words");
        assert_eq!(said("44.90 € ", ["In", "Out of"], " stock | 4 kg"), None, "a row goes on");
    }

    #[test]
    fn what_names_a_price_that_is_struck_out_goes_with_it() {
        for (text, rest) in [
            ("UVP ~~1.499 €~~ 1.299 €", "~~1.499 €~~ 1.299 €"),
            ("RRP: ~~£5~~ £4", "~~£5~~ £4"),
            ("Price: ~~£5~~ £4", "Price: ~~£5~~ £4"),
            ("UVP 49 €", "UVP 49 €"),
        ] {
            assert_eq!(without_name_of_struck(text), rest);
        }
    }
}
