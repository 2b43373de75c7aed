//! A token that a text shows: of the visit, of the request, of nothing that anybody reads.
//!
//! What tells it from a value: letters and digits mixed, nothing in common with the one before it,
//! and another one at most looks, between words that stay.

use super::{Habit, Habits, Key, stamps, standing::Standing, text};
use crate::found::{Found, Pair};
use chronon::Instant;
use page::Kind;
use regex::Regex;
use std::sync::LazyLock;

/// Longer texts say more.
const TEXT_BYTES_MAX: usize = 300;
/// A shorter word may be a number of something: "LH1234".
const TOKEN_BYTES_MIN: usize = 6;
/// From here on a word that begins with letters and goes on in digits may be one.
const LONG_BYTES_MIN: usize = 8;
/// Longer ones may differ in length and have dots.
const FREE_BYTES_MIN: usize = 20;
const TOKEN_BYTES_MAX: usize = 512;

/// Looks of the latest six at which it was another one.
const LOOKS_MIN: u32 = 4;
/// The same of what may be watched, as a build is.
const WATCHED_LOOKS_MIN: u32 = 5;
/// Builds come no faster, one after the other.
const RAPID_MINUTES: u16 = 30;
const RAPID_MIN: u16 = 4;
const RAPID_MAX: u16 = 12;

/// In [`Trace::all`](super::Trace): it may be watched. The other bits are those of the minute.
const WATCHED: u16 = 1 << 15;

/// Stands for a token in what a text is known by.
const TOKEN: &str = "\u{2}";

/// What may stand beside a word.
const AROUND: &[char] =
    &['=', ':', '#', '/', '(', ')', '[', ']', '"', '\'', '<', '>', ',', ';', '|', '“', '”', '·'];

/// What somebody may wait for, although it looks like a token.
static WATCHES: LazyLock<Regex> = LazyLock::new(|| {
    let words = r"builds?|versions?|releases?|rev(?:ision)?|commits?|sha-?\d*|md5|hash|digest|checksum|prüfsumme|fingerprint|deploy(?:ed|ment)?|image|tag|head|firmware|coupon|voucher|gutschein\p{L}*|promo|discount|offer|deal|keys?|pin|winn\p{L}*|prizes?|draw|lottery|raffle|gewinn\p{L}*|losnummer|batch|lot|charge|serial|plate|vehicle|flight|aircraft|model|product";
    let others = r"\p{L}*codes?|c[oó]d(?:igo|ice)s?|pass(?:word|wort|phrase)|wachtwoord|\p{L}*kennwort|mots? de passe|contraseña|senha|parola d['’]ordine|hasło|lösen(?:ord)?|adgangskode|cup[oó]n|rabatt\p{L}*|remise|bon d['’]achat|descuento|sconto|korting\p{L}*|gagnant\p{L}*|ganador\p{L}*|vincit\p{L}*|vencedor\p{L}*|winnaar\p{L}*|vinnare|vinder|kennzeichen|flug|vol|vuelo|volo|vlucht";
    Regex::new(&format!(r"(?i)\b(?:{words}|{others})\b")).expect("a regex that a test compiles")
});

/// When, beside a token.
static WHEN: LazyLock<Regex> = LazyLock::new(|| {
    let clock = r"\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?";
    Regex::new(&format!(r"^(?:(?:\d{{4}}-\d\d-\d\dT?)?{clock}|\d{{4}}-\d\d-\d\d)[.,;)]*$"))
        .expect("a regex that a test compiles")
});

/// A day or how long something takes, written as one word.
static TIME: LazyLock<Regex> = LazyLock::new(|| {
    let month = r"(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-z]*";
    let day = format!(
        r"\d{{1,2}}[-_]?{month}[-_]?(?:\d\d){{0,2}}|(?:\d{{4}}[-_]?)?{month}[-_]?\d{{1,4}}(?:[-_]\d{{2,4}})?|\d{{4}}[-_]?{month}[-_]?\d{{1,2}}"
    );
    let long = r"p?(?:\d+[dhmst]t?)+|pt?(?:\d+[dhms])+|(?:\d+(?:days?|h|hrs?|min|mins|sec|s))+";
    Regex::new(&format!(r"(?i)^(?:{day}|{long})$")).expect("a regex that a test compiles")
});

/// How words are hardly ever written: how they begin, and which consonants stand in a row.
static UNSPEAKABLE: LazyLock<Regex> = LazyLock::new(|| {
    let all = "[b-df-hj-np-tv-xz]";
    let hard = "[bcdfgjmpqtvwxz]";
    let begins = format!("^(?:[bcdfgjkmqvwxz][bcdfgjkmpqstvxz]|[hlnry]{all})");
    Regex::new(&format!("(?i){begins}|{all}{{4}}|{hard}{{3}}|s[bdgvz]{hard}|q[^u]"))
        .expect("a regex that a test compiles")
});
/// A word has one vowel or more in as many letters.
const LETTERS_PER_VOWEL: usize = 4;

/// Whether it may be a word that says something: `CANCELED`, `SOLD-OUT`.
fn is_word(token: &str) -> bool {
    let letters = || token.chars().filter(|c| c.is_alphabetic());
    let vowels = letters().filter(|c| "aeiouAEIOU".contains(*c)).count();
    let is_hex = token.bytes().all(|byte| byte.is_ascii_hexdigit());
    !token.contains(|c: char| c.is_ascii_digit())
        && !is_hex
        && vowels * LETTERS_PER_VOWEL >= letters().count()
        && !UNSPEAKABLE.is_match(token)
}

/// Whether two words differ in digits alone, as S01E05 and S02E11 do.
fn are_numbered(old: &str, new: &str) -> bool {
    let is_at = |(a, b): (u8, u8)| a == b || (a.is_ascii_digit() && b.is_ascii_digit());
    old.len() == new.len() && old.bytes().zip(new.bytes()).all(is_at)
}

/// How often a word turns from letters to digits, or back.
fn turns(word: &str) -> usize {
    let signs: Vec<bool> =
        word.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.is_ascii_digit()).collect();
    signs.windows(2).filter(|two| two[0] != two[1]).count()
}

/// Whether two words have the form of tokens, and hardly a sign at the same place.
fn may_be_tokens(old: &str, new: &str) -> bool {
    let is_free = old.len().min(new.len()) >= FREE_BYTES_MIN;
    let has_form = |word: &str| {
        let is_sign = |c: char| {
            c.is_ascii_alphanumeric() || "-_".contains(c) || (is_free && ".+~".contains(c))
        };
        (TOKEN_BYTES_MIN..=TOKEN_BYTES_MAX).contains(&word.len()) && word.chars().all(is_sign)
    };
    let signs = |word: &str| word.bytes().filter(u8::is_ascii_alphanumeric).count();
    let at_one_place = old.bytes().zip(new.bytes());
    let shared =
        at_one_place.filter(|(old, new)| old == new && old.is_ascii_alphanumeric()).count();
    let says_more = |word: &str| is_word(word) || TIME.is_match(word);
    has_form(old)
        && has_form(new)
        && (old.len() == new.len() || is_free)
        && 2 * shared <= signs(old).min(signs(new))
        && !are_numbered(old, new)
        && ![old, new].iter().any(|word| says_more(word))
}

/// Whether they are tokens by their form.
fn are_tokens(old: &str, new: &str) -> bool {
    let turns = [old, new].map(turns);
    let are_long = old.len().min(new.len()) >= LONG_BYTES_MIN;
    turns.into_iter().max() >= Some(2) || (are_long && turns.into_iter().min() >= Some(1))
}

/// A text in which nothing but tokens differs, and when it was made.
struct Shown {
    shape: String,
    /// They are tokens by their form, too.
    is_plain: bool,
}

impl Shown {
    fn of(old: &str, new: &str) -> Option<Shown> {
        let words = |text| str::split(text, char::is_whitespace);
        if old.len().max(new.len()) > TEXT_BYTES_MAX || words(old).count() != words(new).count() {
            return None;
        }
        let mut shown = Shown { shape: String::new(), is_plain: false };
        let (mut differs, text_of_new) = (false, new);
        for (old, new) in words(old).zip(words(new)) {
            shown.shape.push(' ');
            if WHEN.is_match(old) && WHEN.is_match(new) {
                // Another time of what is to come is news.
                if old != new && stamps::is_to_come(text_of_new) {
                    return None;
                }
                shown.shape.push('#');
                continue;
            }
            let parts = |word| str::split_inclusive(word, AROUND).map(ended).collect::<Vec<_>>();
            let (old, new) = (parts(old), parts(new));
            if old.len() != new.len() {
                return None;
            }
            for ((old, end), (new, end_of_new)) in old.into_iter().zip(new) {
                let is_other = old != new;
                if end != end_of_new || (is_other && !may_be_tokens(old, new)) {
                    return None;
                }
                differs |= is_other;
                shown.is_plain |= is_other && are_tokens(old, new);
                shown.shape += if is_other { TOKEN } else { new };
                shown.shape += end;
            }
        }
        differs.then_some(shown)
    }
}

/// A word, and what ends it.
fn ended(part: &str) -> (&str, &str) {
    let word = part.trim_end_matches(AROUND).trim_end_matches(['.', '!', '?']);
    part.split_at(word.len())
}

impl Habits {
    /// What a text with a token is known by, and whether it is one by its form.
    fn token(change: &Found, pair: &Pair<'_>, standing: &Standing<'_>) -> Option<(Key, bool)> {
        let (old, new) = (text(&change.old)?, text(&change.new)?);
        let shown = (pair.new.extract.kind == Kind::Html).then(|| Shown::of(old, new))??;
        Some((standing.key(Habit::Tokens, &shown.shape), shown.is_plain))
    }

    /// Learns whether a text shows a token. Whether it does.
    pub(super) fn see_token(
        &mut self,
        change: &Found,
        pair: &Pair<'_>,
        standing: &Standing<'_>,
        at: Instant,
    ) -> bool {
        let Some((key, is_plain)) = Habits::token(change, pair, standing) else { return false };
        // Where tokens stand, one of letters alone is one, too.
        if !self.teaches(key) || !(is_plain || self.is_habit(key)) {
            return is_plain;
        }
        let new = text(&change.new).unwrap_or_default();
        let may_be_watched =
            [new, &standing.heading, standing.before].iter().any(|text| WATCHES.is_match(text));
        let looks = self.looks;
        let minute = (at.as_millis().div_euclid(60_000) % i64::from(WATCHED)) as u16;
        let said = standing.said(new);
        let trace = self.trace(key, at, &said);
        // Several texts that are known as one count once for a look.
        if trace.last == looks && trace.recent & 1 != 0 {
            trace.all |= if may_be_watched { WATCHED } else { 0 };
            return true;
        }
        trace.happened(looks);
        let since = (minute + WATCHED - (trace.all & !WATCHED)) % WATCHED;
        let is_rapid = since <= RAPID_MINUTES;
        let fewer = trace.times.saturating_sub(RAPID_MIN);
        trace.times = if is_rapid { RAPID_MAX.min(trace.times + 1) } else { fewer };
        trace.all = minute | if may_be_watched { WATCHED } else { 0 };
        true
    }

    pub(super) fn is_token(
        &self,
        change: &Found,
        pair: &Pair<'_>,
        standing: &Standing<'_>,
    ) -> Option<Key> {
        Habits::token(change, pair, standing).map(|(key, _)| key)
    }
}

impl super::Trace {
    /// Whether a text had another token at enough of the latest looks. `times` says how often in a
    /// row one came right behind the other.
    pub(super) fn is_of_tokens(&self, recent: u32) -> bool {
        match self.all & WATCHED {
            0 => recent >= LOOKS_MIN,
            _ => recent >= WATCHED_LOOKS_MIN && self.times >= RAPID_MIN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_told_from_values_by_their_form() {
        let is = |old: &str, new: &str| Shown::of(old, new).is_some_and(|shown| shown.is_plain);
        for (old, new) in [
            ("Build 2265b1f5", "Build f4bea973"),
            ("2265b1f5", "f4bea973"),
            ("Ref. E52JRQW3", "Ref. 88BC4ZXK"),
            ("Order no. HTMVWCA4", "Order no. HDNECN73"),
            ("Request (id=91b72265b1f5)", "Request (id=dcf4f4bea973)"),
            (
                "Id cd613e30-d8f1-6adf-91b7-584a2265b1f5.",
                "Id d95bafc8-f2a4-d27b-dcf4-bb99f4bea973.",
            ),
            ("K7QX9Z at 10:31:02", "B2M81A at 10:41:09"),
            ("sess_1f8Zk2pQ", "sess_9aB3x7Yw"),
        ] {
            assert!(is(old, new), "{old} / {new}");
        }
        for (old, new) in [
            ("Flight LH1234", "Flight BA5678"),
            ("Build 4711", "Build 4712"),
            ("Version 2026.11b3", "Version 2026.12a1"),
            ("Invoice k3f9a2c1", "Invoice k3f9a2c2"),
            ("CVE-2026-12345", "CVE-2026-12399"),
            ("Running", "Stopped"),
            ("Session K7QX9Z, 12 seats left", "Session B2M81A, 11 seats left"),
            ("Ref 8f3a77bc is open", "Ref 1b2c3d4e is shut"),
            ("12.50 kWh", "13.75 kWh"),
            ("Next: 04-Dec-2026", "Next: 18-Jan-2027"),
            ("Next: 04Dec26", "Next: 18Jan27"),
            ("Next: 2026Dec04", "Next: 2027Jan18"),
            ("Wait: 12h30m", "Wait: 09h45m"),
            ("Wait: 45m30s", "Wait: 01h15m"),
            ("Episode S01E05", "Episode S12E11"),
            ("Ticket: 8BC4ZX", "Ticket: CLOSED"),
            ("Ticket: SOLD-OUT", "Ticket: 88BC4ZXK"),
            ("Ticket: 8BC4ZX", "Ticket: FROZEN"),
            ("Ticket: 88BC4ZXK", "Ticket: GESPERRT"),
        ] {
            assert!(!is(old, new), "{old} / {new}");
        }
    }
}
