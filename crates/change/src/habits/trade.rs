//! What readers wait for however often it changes: versions, prices, whether something is to be
//! had, and what is out of order.

use super::numbers::differing_beside_dates;
use super::{CELL, COUNTER_BYTES_MAX};
use regex::Regex;
use std::sync::LazyLock;

/// A version is news.
pub(super) static VERSION: LazyLock<Regex> = LazyLock::new(|| {
    let named =
        r"\b(?:version|release|build|rev)\b(?: (?:is|was|candidate|number|no\.?))?[ .:#-]{0,3}v?\d";
    let regex = format!(r"(?i)\bv\d|\b\d+\.\d+\.\d{{1,3}}\b|{named}");
    Regex::new(&regex).expect("a regex that a test compiles")
});
/// A day as 21.09.26, which is no version.
static DAY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:0[1-9]|[12]\d|3[01])\.(?:0[1-9]|1[0-2])\.\d\d\b")
        .expect("a regex that a test compiles")
});

/// Whether a text names a version.
pub(crate) fn names_version(text: &str) -> bool {
    VERSION.is_match(text) && VERSION.is_match(&DAY.replace_all(text, ""))
}

/// Prices, versions, what is there to be had, and what is out of order: readers wait for these to
/// change, however often.
static TRADE: LazyLock<Regex> = LazyLock::new(|| {
    let regex = r"(?i)[€$£¥₹]|\bv?\d+\.\d+\.\d{1,3}\b|\b(?:eur|usd|gbp|chf|jpy|sek|nok|dkk|pln|euros?|dollars?|pounds?)\b|\b(?:in|out of) stock\b|\bsold[ -]out\b|\b(?:fully|all) booked\b|\bbooked out\b|\bausgebucht\b|\bun?available\b|\bavailab|\bausverkauft\b|\blieferbar\b|\badd to (?:cart|basket|bag)\b|\bbuy now\b|\bpre-?order|\bnotify me\b|\bwaiting ?list|\bwarenkorb\b|\bvorbestell|\bau panier\b|\bépuisé|\ben rupture\b|\bagotado|\bal carrito\b|\besaurit|\bal carrello\b|\buitverkocht\b|\b(?:yellow|amber|orange|red|weather|flood|wind|gale|snow|ice|frost|heat|thunderstorm|severe) (?:\p{L}+ )?(?:warning|alert)s?\b|\bno (?:\p{L}+ )?(?:warnings|alerts)\b|\b(?:outages?|degraded|disrupt(?:ed|ions?)|operational|suspended|cancell?ed|postponed|evacuat(?:e|ed|ion)|boil water|on strike|recalled|storm warning|störung|gesperrt|unwetterwarnung)\b";
    Regex::new(regex).expect("a regex that a test compiles")
});

/// An amount of money.
static MONEY: LazyLock<Regex> = LazyLock::new(|| {
    let currencies = r"[€$£¥₹]|\b(?:eur|usd|gbp|chf|jpy|sek|nok|dkk|pln|euros?|dollars?|pounds?)\b";
    let number = r"\d(?:[\d.,'’\u{a0}\u{202f} ]*\d)?";
    let amount = format!(r"{number}(?:\s?[–-]\s?{number})?");
    let all = format!(r"(?i)(?:{currencies})\s?{amount}|{amount}\s?(?:{currencies})");
    Regex::new(&all).expect("a regex that a test compiles")
});

/// How many there are still to be had, beside a price.
static LEFT: LazyLock<Regex> = LazyLock::new(|| {
    let regex = r"(?i)\b\d+ (?:left|remaining|übrig|restants?)\b|\bnoch \d+\b";
    Regex::new(regex).expect("a regex that a test compiles")
});

/// What there may be none of, and what a warning counts.
static SOLD: LazyLock<Regex> = LazyLock::new(|| {
    let regex = r"(?i)\b(?:left|remaining|stock|available|seats?|places?|tickets?|spots?|slots?|rooms?|beds?|units?|packets?|pieces?|copies|übrig|bestand|stück|plätze|karten|betten|restants?|places|plazas|entradas|posti|biglietti|plaatsen)\b";
    Regex::new(regex).expect("a regex that a test compiles")
});
static WARNS: LazyLock<Regex> = LazyLock::new(|| {
    let regex = r"(?i)\b(?:danger|warn\p{L}*|alert|risk|threat|gefahr\p{L}*|\p{L}*warnstufe|risque|alerte|vigilance|peligro|alerta|pericolo|allerta|gevaar|waarschuwing) ?(?:level|stage|grade|stufe|niveau|nivel|livello|code)?\b";
    Regex::new(regex).expect("a regex that a test compiles")
});
/// So few of something are nearly none.
const FEW: u32 = 5;
/// Levels of warnings go no higher.
const LEVEL_MAX: u32 = 10;

/// Whether the numbers that alone differ between two texts say that there is none of something
/// any more, or hardly any, or is again; or how great a danger is. `told`: the same with the
/// headings of a row.
pub(super) fn says_none_or_danger(old: &str, new: &str, told: &str) -> bool {
    let differing = differing_beside_dates(old, new);
    let level = |number: &str| number.parse().is_ok_and(|level: u32| level <= LEVEL_MAX);
    let (mut is_none, mut are_levels) = (false, !differing.is_empty());
    for (old, new) in &differing {
        let few = |number: &str| number.parse().is_ok_and(|number: u32| number <= FEW);
        is_none |= old == "0" || few(new);
        are_levels &= level(old) && level(new);
    }
    (is_none && SOLD.is_match(told)) || (are_levels && WARNS.is_match(told))
}

/// What a button says with which one buys.
static BUYS: LazyLock<Regex> = LazyLock::new(|| {
    let english = r"(?:add (?:it )?to (?:your |my )?(?:cart|basket|bag|trolley)|buy(?: (?:it )?now)?|order(?: now)?|shop now|get it now)";
    let others = r"(?:in den (?:waren|einkaufs)korb(?: legen)?|jetzt (?:kaufen|bestellen)|kaufen|bestellen|ajouter au panier|acheter(?: maintenant)?|añadir al carrito|comprar(?: ahora)?|aggiungi al carrello|acquista(?: ora)?|in winkelwagen|nu kopen)";
    Regex::new(&format!(r"(?i)^(?:{english}|{others})[.!]?$"))
        .expect("a regex that a test compiles")
});

/// Whether a change is of what somebody may have, or at what price. In a row the cells that
/// differ count, for views may run beside a price; in a text prices that stayed do not.
pub(super) fn is_of_trade(texts: [Option<&str>; 2]) -> bool {
    let [Some(old), Some(new)] = texts else {
        return texts.iter().flatten().any(|text| speaks_of_trade(text));
    };
    // However it is called: it can be bought as before.
    if BUYS.is_match(old) && BUYS.is_match(new) {
        return false;
    }
    fn prices(text: &str) -> impl Iterator<Item = &str> {
        MONEY.find_iter(text).map(|found| found.as_str())
    }
    let speaks = |(old, new): (&str, &str)| {
        !prices(old).eq(prices(new))
            || [old, new].iter().any(|text| {
                let rest = MONEY.replace_all(text, "");
                speaks_of_trade(&rest) || rest.len() < text.len() && LEFT.is_match(&rest)
            })
    };
    if old.len().max(new.len()) > COUNTER_BYTES_MAX {
        return [old, new].iter().any(|text| speaks_of_trade(text));
    }
    if old.contains(CELL) && old.matches(CELL).count() == new.matches(CELL).count() {
        let is_sold =
            !prices(old).eq(prices(new)) || (prices(new).next().is_some() && LEFT.is_match(new));
        return is_sold
            || old.split(CELL).zip(new.split(CELL)).filter(|(old, new)| old != new).any(speaks);
    }
    speaks((old, new))
}

/// What may stand beside a price in a text that is nothing but one.
static BESIDE_PRICE: LazyLock<Regex> = LazyLock::new(|| {
    let words = r"from|now|only|price|each|per|month|year|night|person|pcs|ab|jetzt|nur|preis|pro|stück|monat|jahr|dès|à|partir|de|prix|par|mois|desde|precio|por|mes|da|prezzo|al|mese|vanaf|prijs|voor";
    Regex::new(&format!(r"(?i)^(?:\b(?:{words})\b|[^\p{{L}}\d])*$"))
        .expect("a regex that a test compiles")
});
/// A text that says whether something can be had, and nothing else.
static HAD: LazyLock<Regex> = LazyLock::new(|| {
    let had = r"in stock|available(?: now)?|auf lager|lieferbar|verfügbar|en stock|disponibile?|disponible|op voorraad|add to (?:cart|basket|bag)|buy now|pre-?order(?: now)?|only \d+ left(?: in stock)?|\d+ (?:left|in stock)|noch \d+ (?:auf lager|verfügbar)";
    let not = r"out of stock|sold[ -]out|unavailable|not available|ausverkauft|nicht (?:lieferbar|verfügbar)|épuisé|en rupture(?: de stock)?|indisponible|agotado|esaurito|non disponibile|uitverkocht|(?:fully|all) booked|ausgebucht|notify me|waiting ?list";
    let all = format!(r"(?i)^(?:currently |temporarily |derzeit )?(?:{had}|{not})[.!]?$");
    Regex::new(&all).expect("a regex that a test compiles")
});
/// How a service fares, at the end of a text that names it or does not.
static FARES: LazyLock<Regex> = LazyLock::new(|| {
    let well = r"all (?:systems|services) (?:are )?(?:operational|go)|(?:fully )?operational|online|no (?:known )?(?:issues|incidents)";
    let ill = r"degraded(?: performance)?|(?:partial|major|minor|full)(?: \p{L}+)? outage|outage|offline|down|under maintenance|disrupted|some systems .*";
    Regex::new(&format!(r"(?i)^(?P<name>.*?)\b(?:{well}|{ill})[.!]?$"))
        .expect("a regex that a test compiles")
});

/// Whether two texts say how one service fares.
fn say_how_one_fares(old: &str, new: &str) -> bool {
    let name = |text| FARES.captures(text).map(|found| found["name"].trim().to_owned());
    name(old).is_some_and(|name_of_old| name(new) == Some(name_of_old))
}

/// Longer texts say more.
const SORT_BYTES_MAX: usize = 48;

/// Whether two texts are nothing but prices, both say nothing but whether something can be had, or
/// how one service fares.
pub(crate) fn are_of_one_sort(old: &str, new: &str) -> bool {
    let is_price = |text: &str| {
        let text = page::standing(text);
        let rest = MONEY.replace_all(&text, "");
        rest.len() < text.len() && BESIDE_PRICE.is_match(&rest)
    };
    let both = |is: &dyn Fn(&str) -> bool| is(old) && is(new);
    old.len().max(new.len()) <= SORT_BYTES_MAX
        && (both(&is_price) || both(&|text| HAD.is_match(text)) || say_how_one_fares(old, new))
}

pub(crate) fn speaks_of_trade(text: &str) -> bool {
    text.len() <= COUNTER_BYTES_MAX && TRADE.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_became_a_price_and_what_can_be_had_what_cannot() {
        for (old, new, are) in [
            ("~~£49.90~~ £39.90", "£49.90", true),
            ("from 40 EUR per night", "ab 35 €", true),
            ("In stock", "Sold out", true),
            ("Only 3 left", "Out of stock.", true),
            ("£40", "In stock", false),
            ("Kettle £40", "Mug £5", false),
            ("All Systems Operational", "Partial Outage", true),
            ("API Operational", "API Degraded Performance", true),
            ("API Operational", "Web Degraded Performance", false),
            ("Kettles in stock", "Mugs sold out", false),
        ] {
            assert_eq!(are_of_one_sort(old, new), are, "{old} and {new}");
        }
    }

    #[test]
    fn none_left_and_levels_of_danger_are_no_numbers_that_run() {
        let said = |old, new| says_none_or_danger(old, new, new);
        assert!(said("Seats left: 12", "Seats left: 0") && said("0 tickets", "40 tickets"));
        assert!(said("Avalanche danger level: 3", "Avalanche danger level: 4"));
        assert!(said("Lawinenwarnstufe 2", "Lawinenwarnstufe 3"));
        assert!(said(
            "Friday, 19 January: avalanche danger level 2",
            "Saturday, 20 January: avalanche danger level 4"
        ));
        assert!(!said("Danger level 2, 10:14", "Danger level 2, 11:20"));
        assert!(!said("Warnings of 19 January: 213", "Warnings of 20 January: 214"));
        assert!(says_none_or_danger("Rosa | 5", "Rosa | 0", "Rosa: Packets: 0"));
        assert!(said("12 places left", "5 places left") && said("2 spots left", "1 spot left"));
        assert!(!said("Seats left: 12", "Seats left: 11") && !said("5 comments", "0 comments"));
        assert!(!said("Wind 0", "Wind 3") && !said("Water level: 213", "Water level: 214"));
        assert!(!said("Warnings today: 213", "Warnings today: 214"));
    }
}
