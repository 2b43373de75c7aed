//! Numbers as people write them.
//!
//! `1.299,00 €`, `$1,299`, `12 %`, `3k`, `1 234,5`, `CHF 1’299.–`: the first number of a text, with
//! the unit or currency beside it. Where there are two kinds of separators, the later one is the
//! decimal sign; one that stands twice groups digits. A single one before exactly three digits is
//! what it is in the language of the page; in no language it groups.

use aspect::{Amount, Decimal, currency};

/// The first number in a text. Linear in it.
fn first(text: &str, language: Option<&str>) -> Option<Amount> {
    let chars: Vec<char> = text.chars().collect();
    let start = (0..chars.len()).find(|&at| begins(&chars, at))?;
    Some(amount_at(&chars, start, language)?.0)
}

/// The number that holds of a text: the first that is not struck out. A price that a word before it
/// calls an old one gives way to the next in its currency, if there is one. `language` is that of
/// the page, such as `de-CH`.
///
/// Linear in the text, of which five numbers are looked at. `None`: there is no number, or it has
/// more than 24 digits.
pub fn amount(text: &str, language: Option<&str>) -> Option<Amount> {
    const TRIED_MAX: usize = 5;
    let standing = page::standing(text);
    let chars: Vec<char> = standing.chars().collect();
    let mut from = 0;
    let mut old: Option<Amount> = None;
    for _ in 0..TRIED_MAX {
        let Some(start) = (from..chars.len()).find(|&at| begins(&chars, at)) else { break };
        let Some((amount, end)) = amount_at(&chars, start, language) else { break };
        let is_price = amount.unit.as_deref().is_some_and(|unit| currency(unit).is_some());
        let is_old = is_price && is_another(&chars[from..unit_start(&chars, start)], &chars[end..]);
        match &old {
            None if !is_old => return Some(amount),
            None => old = Some(amount),
            Some(old) if !is_old && amount.unit == old.unit => return Some(amount),
            Some(_) => {}
        }
        from = end.max(start + 1);
    }
    old.or_else(|| first(text, language))
}

/// Whether the words around a price say that it is another one: an old one, what is saved, what
/// it costs to send.
fn is_another(before: &[char], after: &[char]) -> bool {
    #[rustfmt::skip]
    const BEFORE: [&str; 37] = [
        "ahorra", "antes", "au lieu de", "avant", "before", "bisher", "charge", "delivery",
        "discount", "era", "ersparnis", "in plaats van", "instead of", "invece di",
        "korting", "list price", "msrp", "old price", "original price", "previously", "prima",
        "rabatt", "regular price", "remise", "risparmi", "rrp", "save", "saving", "savings",
        "shipping", "statt", "uvp", "versand", "war", "was", "économisez", "était",
    ];
    let text: String = before.iter().collect::<String>().to_lowercase();
    let text = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    let is_named = BEFORE.iter().any(|name| {
        let rest = text.strip_suffix(name);
        rest.is_some_and(|rest| !rest.ends_with(char::is_alphanumeric))
    });
    let behind: String = after.iter().take(8).collect();
    is_named || behind.trim_start().starts_with("off")
}

/// The number that begins there, and where it ends with what multiplies it.
fn amount_at(chars: &[char], start: usize, language: Option<&str>) -> Option<(Amount, usize)> {
    let (digits, end) = digits(chars, start);
    let number = reading(&digits, language)?;
    let (power, end) = multiplier(chars, end);
    let billionths = number.billionths().checked_mul(10_i128.pow(power))?;
    let sign = if is_negative(chars, start) { -1 } else { 1 };
    let number = Decimal::of_billionths(sign * billionths)?;
    let unit = unit_after(chars, end).or_else(|| unit_before(chars, start));
    Some((Amount { number, unit: unit.map(Into::into) }, end))
}

/// The value of a decimal digit of any script.
fn digit(c: char) -> Option<u32> {
    /// Zeros of scripts whose digits are in use on pages.
    const ZEROS: [u32; 6] = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10];
    let other = || {
        let at = ZEROS.iter().find(|&&zero| (zero..zero + 10).contains(&u32::from(c)))?;
        Some(u32::from(c) - at)
    };
    c.to_digit(10).or_else(other)
}

fn is_digit(chars: &[char], at: usize) -> bool {
    chars.get(at).is_some_and(|&c| digit(c).is_some())
}

/// Whether a number begins here: a digit, or a decimal sign before one, not inside a word.
fn begins(chars: &[char], at: usize) -> bool {
    let is_start = match chars[at] {
        '.' | ',' => is_digit(chars, at + 1) && !(at > 0 && is_digit(chars, at - 1)),
        _ => is_digit(chars, at),
    };
    // What a unit is takes longest to find out, and comes last.
    is_start && (at == 0 || !chars[at - 1].is_alphabetic() || unit_before(chars, at).is_some())
}

/// A run of digits, with what separates them.
type Digits = Vec<Sign>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Digit(u32),
    Point,
    Comma,
    /// It only groups.
    Group,
}

/// The digits and signs of the number at `start`, and where it ends.
fn digits(chars: &[char], start: usize) -> (Digits, usize) {
    let mut signs = Vec::new();
    let mut at = start;
    while let Some(&c) = chars.get(at) {
        let three_follow =
            (1..=3).all(|more| is_digit(chars, at + more)) && !is_digit(chars, at + 4);
        let sign = match c {
            _ if let Some(digit) = digit(c) => Sign::Digit(digit),
            '.' | '·' | '．' => Sign::Point,
            ',' | '٫' | '，' => Sign::Comma,
            '\'' | '’' | '٬' => Sign::Group,
            '\u{a0}' | '\u{202f}' | '\u{2009}' | '\u{2007}' | ' ' if three_follow => Sign::Group,
            _ => break,
        };
        if !matches!(sign, Sign::Digit(_)) && !is_digit(chars, at + 1) {
            break;
        }
        signs.push(sign);
        at += 1;
    }
    // `1299.–`, `5,-`: no part of a whole.
    let is_dashed = matches!(chars.get(at), Some('.' | ','))
        && matches!(chars.get(at + 1), Some('-' | '–' | '—' | '−'));
    (signs, if is_dashed { at + 2 } else { at })
}

/// What the digits say. `None`: too many, or signs in no order.
fn reading(signs: &Digits, language: Option<&str>) -> Option<Decimal> {
    let count = |sign| signs.iter().filter(|one| **one == sign).count();
    let last = |sign| signs.iter().rposition(|one| *one == sign);
    let (points, commas, groups) = (count(Sign::Point), count(Sign::Comma), count(Sign::Group));
    let decimal = match (points, commas) {
        (0, 0) => None,
        (1, 0) | (0, 1) => {
            let sign = if points == 1 { Sign::Point } else { Sign::Comma };
            let at = last(sign)?;
            let is_group = groups == 0 && groups_digits(signs, at, sign, language);
            (!is_group).then_some(at)
        }
        (_, 0) | (0, _) => None,
        // The later kind is the decimal sign, if it stands once.
        _ => {
            let sign =
                if last(Sign::Point) > last(Sign::Comma) { Sign::Point } else { Sign::Comma };
            (count(sign) == 1).then(|| last(sign)).flatten()
        }
    };
    let mut written = String::new();
    for (at, sign) in signs.iter().enumerate() {
        match sign {
            Sign::Digit(digit) => written.push(char::from_digit(*digit, 10)?),
            _ if Some(at) == decimal => {
                if written.is_empty() {
                    written.push('0');
                }
                written.push('.');
            }
            _ => {}
        }
    }
    Decimal::parse(&written)
}

/// Whether a single point or comma groups digits: three follow it, one to three stand before it,
/// and the language has it so.
fn groups_digits(signs: &Digits, at: usize, sign: Sign, language: Option<&str>) -> bool {
    let (before, after) = (at, signs.len() - at - 1);
    let leads_with_zero = signs.first() == Some(&Sign::Digit(0));
    if after != 3 || before == 0 || before > 3 || leads_with_zero {
        return false;
    }
    match language.and_then(decimal_sign) {
        Some(decimal) => decimal != sign,
        None => true,
    }
}

/// The decimal sign of a language; `None`: it is not known.
fn decimal_sign(language: &str) -> Option<Sign> {
    const COMMA: [&str; 51] = [
        "af", "az", "be", "bg", "bs", "ca", "cs", "da", "de", "el", "es", "et", "eu", "fi", "fo",
        "fr", "gl", "hr", "hu", "hy", "id", "is", "it", "ka", "kk", "kl", "ky", "lb", "lt", "lv",
        "mk", "mn", "nb", "nl", "nn", "no", "pl", "pt", "rm", "ro", "ru", "sk", "sl", "sq", "sr",
        "sv", "tr", "uk", "uz", "vi", "wa",
    ];
    const POINT: [&str; 20] = [
        "ar", "bn", "cy", "en", "fa", "ga", "gu", "he", "hi", "ja", "ko", "ml", "mr", "ms", "ta",
        "te", "th", "tl", "ur", "zh",
    ];
    /// Countries that write otherwise than most who speak the language.
    const POINT_COUNTRIES: [&str; 12] =
        ["ch", "li", "mx", "us", "gt", "hn", "ni", "pa", "pe", "pr", "sv", "do"];
    let lower = language.to_ascii_lowercase();
    let mut parts = lower.split(['-', '_']);
    let main = parts.next().unwrap_or_default();
    let mut country = parts.filter(|part| part.len() == 2);
    let with_point = country.next().is_some_and(|country| match main {
        "de" | "it" | "rm" => matches!(country, "ch" | "li"),
        "es" => POINT_COUNTRIES.contains(&country),
        _ => false,
    });
    match main {
        _ if with_point => Some(Sign::Point),
        _ if COMMA.contains(&main) => Some(Sign::Comma),
        _ if POINT.contains(&main) => Some(Sign::Point),
        _ => None,
    }
}

/// A minus before the number, or before the currency in front of it; not the dash of a range.
fn is_negative(chars: &[char], start: usize) -> bool {
    let unit = unit_before(chars, start).map_or(0, |_| unit_start(chars, start));
    let before = if unit_before(chars, start).is_some() { unit } else { start };
    let stands_apart = |at: usize| at == 0 || !chars[at - 1].is_alphanumeric();
    let is_minus = |at: usize| matches!(chars[at], '-' | '−' | '–');
    before > 0 && is_minus(before - 1) && stands_apart(before - 1)
        || start > 0 && is_minus(start - 1) && stands_apart(start - 1)
}

/// Powers of ten that a number may be followed by, such as `3k` or `1,5 Mio.`; and where they end.
fn multiplier(chars: &[char], end: usize) -> (u32, usize) {
    let (word, after) = word_after(chars, end);
    let is_close = after == end + word.chars().count();
    let power = match word.as_str() {
        "k" | "K" | "T" if is_close && word != "T" => 3,
        "M" if is_close => 6,
        "B" | "bn" if is_close => 9,
        "tsd" | "Tsd" | "thousand" | "tausend" | "mille" | "tys" | "тыс" => 3,
        "Mio" | "mio" | "million" | "millions" | "Million" | "Millionen" | "mln" | "mil"
        | "млн" => 6,
        "Mrd" | "mrd" | "billion" | "billions" | "Milliarde" | "Milliarden" | "milliard"
        | "milliards" | "mld" | "bn" | "млрд" => 9,
        _ => return (0, end),
    };
    let after = after + usize::from(chars.get(after) == Some(&'.') && !is_digit(chars, after + 1));
    (power, after)
}

/// The letters after the number, blanks before them left out; and where they end.
fn word_after(chars: &[char], end: usize) -> (String, usize) {
    let blanks = chars[end..].iter().take_while(|c| c.is_whitespace()).count().min(2);
    let start = end + blanks;
    let word: String = chars[start..].iter().take_while(|c| c.is_alphabetic()).collect();
    let after = start + word.chars().count();
    (word, after)
}

/// Signs of currencies of several characters, and of one; longest first.
fn sign_at(chars: &[char], at: usize) -> Option<(&'static str, usize)> {
    (1..=4).rev().find_map(|length| {
        let sign: String = chars.get(at..at + length)?.iter().collect();
        let is_word = sign.chars().all(|c| c.is_ascii_alphabetic() || c == '.');
        (!is_word).then(|| currency(&sign)).flatten().map(|code| (code, length))
    })
}

fn unit_after(chars: &[char], end: usize) -> Option<&'static str> {
    let blanks = chars[end..].iter().take_while(|c| c.is_whitespace()).count();
    let start = end + blanks.min(2);
    match chars.get(start) {
        Some('%' | '％' | '٪') => return Some("%"),
        Some('‰') => return Some("‰"),
        _ => {}
    }
    if let Some((code, _)) = sign_at(chars, start) {
        return Some(code);
    }
    let in_unit = |c: &&char| c.is_alphabetic() || matches!(c, '°' | '²' | '³' | '/');
    let word: String = chars[start..].iter().take_while(in_unit).collect();
    let dotted = format!("{word}.");
    let is_dotted = chars.get(start + word.chars().count()) == Some(&'.');
    let abbreviated = currency(&dotted).filter(|_| is_dotted);
    abbreviated.or_else(|| named(&word))
}

/// A unit by its name as it stands after a number.
pub(crate) fn named(word: &str) -> Option<&'static str> {
    const UNITS: [&str; 57] = [
        "kg", "g", "mg", "t", "lb", "lbs", "oz", "km", "m", "cm", "mm", "mi", "ft", "km²", "m²",
        "m³", "ha", "l", "L", "ml", "cl", "°C", "°F", "°", "W", "kW", "MW", "kWh", "MWh", "V", "A",
        "Ah", "mAh", "Hz", "kHz", "MHz", "GHz", "B", "kB", "KB", "MB", "GB", "TB", "KiB", "MiB",
        "GiB", "ms", "s", "min", "h", "km/h", "mph", "hPa", "bar", "px", "dB", "cal",
    ];
    let spelled = match word.to_lowercase().as_str() {
        "euro" | "euros" => Some("EUR"),
        "dollar" | "dollars" => Some("USD"),
        "pound" | "pounds" => Some("GBP"),
        "franken" | "francs" => Some("CHF"),
        "percent" | "prozent" => Some("%"),
        _ => None,
    };
    let unit = || UNITS.iter().find(|unit| **unit == word).copied();
    currency(word).or(spelled).or_else(unit)
}

/// The currency that stands before a number, at most a blank apart.
fn unit_before(chars: &[char], start: usize) -> Option<&'static str> {
    let from = unit_start(chars, start);
    let end = start - chars[..start].iter().rev().take_while(|c| is_gap(**c)).count();
    (from < end).then(|| chars[from..end].iter().collect::<String>()).and_then(|s| currency(&s))
}

fn is_gap(c: char) -> bool {
    c.is_whitespace() || matches!(c, '-' | '−')
}

/// Where the currency before a number begins; `start` itself if there is none.
fn unit_start(chars: &[char], start: usize) -> usize {
    let gap = chars[..start].iter().rev().take_while(|c| is_gap(**c)).count();
    let end = start - gap;
    if gap > 2 {
        return start;
    }
    let lengths = (1..=4usize).rev().filter(|&length| length <= end);
    let mut found = lengths.filter(|&length| {
        let sign: String = chars[end - length..end].iter().collect();
        let is_word = sign.starts_with(char::is_alphabetic);
        let stands_alone = end == length || !chars[end - length - 1].is_alphanumeric();
        currency(&sign).is_some() && (!is_word || stands_alone)
    });
    found.next().map_or(start, |length| end - length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str, language: Option<&str>) -> String {
        amount(text, language).map_or("none".to_owned(), |amount| amount.to_string())
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, number) in [
            ("1.299,00 €", "1299 EUR"),
            ("$1,299", "1299 USD"),
            ("$1,299.50", "1299.5 USD"),
            ("12 %", "12 %"),
            ("3k", "3000"),
            ("1 234,5", "1234.5"),
            ("1\u{202f}234,50\u{a0}€", "1234.5 EUR"),
            ("CHF 1’299.–", "1299 CHF"),
            ("1'299.50 Fr.", "1299.5 CHF"),
            ("5,– €", "5 EUR"),
            ("from EUR 40", "40 EUR"),
            ("US$ 12.50", "12.5 USD"),
            ("£.99", "0.99 GBP"),
            ("-$5", "-5 USD"),
            ("−5 °C", "-5 °C"),
            ("$-5", "-5 USD"),
            ("1,5 Mio. €", "1500000 EUR"),
            ("2.5M", "2500000"),
            ("1,29,900", "129900"),
            ("1.234.567", "1234567"),
            ("0.125", "0.125"),
            ("Noch 3 Stück", "3"),
            ("12 kg", "12 kg"),
            ("٣٫٥", "3.5"),
            ("1.299", "1299"),
            ("12.5", "12.5"),
            ("B2B 40", "40"),
            ("A-5", "5"),
            ("zł 1 299,00", "1299 PLN"),
            ("1 299,00 zł", "1299 PLN"),
            ("2 x 40", "2"),
            ("12345", "12345"),
            ("1234.567", "1234.567"),
            ("sold out", "none"),
            ("", "none"),
            ("1234567890123456789012345", "none"),
        ] {
            assert_eq!(read(text, None), number, "{text}");
        }
    }

    #[test]
    fn a_price_of_before_is_not_the_price() {
        let now = |text: &str| amount(text, None).map(|amount| amount.to_string());
        for (text, number) in [
            ("~~£49.90~~ £39.90", "39.9 GBP"),
            ("£39.90 ~~£49.90~~", "39.9 GBP"),
            ("~~£49.90~~", "49.9 GBP"),
            ("Original price was: £49.90. Current price is: £39.90.", "39.9 GBP"),
            ("Ursprünglicher Preis war: 49,90 € Aktueller Preis ist: 39,90 €.", "39.9 EUR"),
            ("statt 49,90 € −20 % nur 39,90 €", "39.9 EUR"),
            ("Regular price £49.90", "49.9 GBP"),
            ("£39.90, was £49.90", "39.9 GBP"),
            ("Was £49.90 and $60", "49.9 GBP"),
            ("Was £49.90 Save £10 Now £39.90", "39.9 GBP"),
            ("~~£49.90~~ Save £10 £39.90", "39.9 GBP"),
            ("£10 off £39.90", "39.9 GBP"),
            ("RRP $30,000. Destination charge $1,395", "30000 USD"),
            ("There was 1 outage, 5 days ago", "1"),
            ("Before 5 pm: 3 left", "5"),
            ("~~12~~ 9 seats", "9"),
        ] {
            assert_eq!(now(text).as_deref(), Some(number), "{text}");
        }
        assert_eq!(now("sold out"), None);
    }

    #[test]
    fn the_language_says_what_a_single_sign_is() {
        assert_eq!(read("1.299", Some("de")), "1299");
        assert_eq!(read("1.299", Some("en-GB")), "1.299");
        assert_eq!(read("1,299", Some("en")), "1299");
        assert_eq!(read("1,299", Some("de-AT")), "1.299");
        assert_eq!(read("1.299", Some("de-CH")), "1.299");
        assert_eq!(read("1,299", Some("es-MX")), "1299");
        assert_eq!(read("1,299", Some("xx")), "1299");
    }

    proptest! {
        /// The twin: what a formatter of each convention writes is read back.
        #[test]
        fn what_is_written_in_a_language_is_read_in_it(
            whole in 0..10_000_000u64,
            cents in 0..100u32,
            convention in 0..4usize,
        ) {
            let (language, group, decimal) =
                [("de", ".", ","), ("en", ",", "."), ("fr", "\u{202f}", ","), ("de-CH", "’", ".")]
                    [convention];
            let mut grouped = String::new();
            let plain = whole.to_string();
            for (at, c) in plain.chars().enumerate() {
                if at > 0 && (plain.len() - at).is_multiple_of(3) {
                    grouped.push_str(group);
                }
                grouped.push(c);
            }
            let expected = Decimal::parse(&format!("{whole}.{cents:02}"));
            let written = format!("{grouped}{decimal}{cents:02} €");
            prop_assert_eq!(amount(&written, Some(language)).map(|read| read.number), expected);
            let whole_only = amount(&grouped, Some(language)).map(|read| read.number);
            prop_assert_eq!(whole_only, Decimal::parse(&plain));
        }

        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,30}", digits in "[0-9.,' €$%kM−-]{0,30}") {
            amount(&text, None);
            amount(&digits, Some("de"));
        }
    }
}
