//! Which words of a text differ from another's, and windows around them.
//!
//! A reader sees the difference of two long texts only where it is shown. So a text is never cut
//! at its start: what is kept of it stands around the first words that differ.

use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// Words on both sides together, blanks and marks among them, whose differences are told apart; of
/// longer texts, sentences are told apart first, as many.
const WORDS_MAX: usize = 4_000;
/// What may be spent on the words of sentences that differ, in squares of their number: twice what
/// the longest text that is compared by words alone may cost.
const STEPS_MAX: usize = 2 * WORDS_MAX * WORDS_MAX;

/// The differing parts of two texts, each as (start, end) in code points.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Spans {
    pub old: Vec<(u32, u32)>,
    pub new: Vec<(u32, u32)>,
}

impl Spans {
    /// Nothing is marked.
    pub fn is_empty(&self) -> bool {
        self.old.is_empty() && self.new.is_empty()
    }
}

/// One difference, in bytes of the old and of the new text; one of them may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Differing {
    pub old: Range<usize>,
    pub new: Range<usize>,
}

/// The differences of two texts, by words, in order. What stands between two of them has a letter
/// or a digit. O(n + m + d²) for d differing words; of long texts, first for d differing sentences.
/// Where that is too many, what stands between the common start and the common end is one, and so
/// is a sentence that differs.
pub fn differing(old: &str, new: &str) -> Vec<Differing> {
    let (old_words, new_words) = (Words::of(old), Words::of(new));
    let (a, b) = (&old_words.words, &new_words.words);
    let head = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let rest = a.len().min(b.len()) - head;
    let tail = a.iter().rev().zip(b.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let (a_end, b_end) = (a.len() - tail, b.len() - tail);
    let mut found: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for (old, new) in apart([a, b], (head..a_end, head..b_end)) {
        match found.last_mut() {
            Some((last_old, last_new)) if !has_word(&a[last_old.end..old.start]) => {
                *last_old = last_old.start..old.end;
                *last_new = last_new.start..new.end;
            }
            _ => found.push((old, new)),
        }
    }
    for at in 0..found.len() {
        let ends =
            found.get(at + 1).map_or([a.len(), b.len()], |next| [next.0.start, next.1.start]);
        from_sentence(&mut found[at], [a, b], ends);
        let from = at.checked_sub(1).map_or(0, |before| found[before].0.end);
        whole_sentence(&mut found[at], [a, b], from);
    }
    // A word that two texts share by chance says nothing of where they differ.
    let words = |words: &[&str]| words.iter().filter(|word| has_word(&[**word])).count();
    let gone: usize = found.iter().map(|(old, _)| words(&a[old.clone()])).sum();
    if head == 0 && tail == 0 && words(a) <= gone + 1 {
        found = vec![(0..a.len(), 0..b.len())];
    }
    let place = |(old, new): (Range<usize>, Range<usize>)| Differing {
        old: old_words.place(old),
        new: new_words.place(new),
    };
    let mut found: Vec<Differing> = found.into_iter().map(place).collect();
    for at in 0..found.len() {
        let bounds = (
            at.checked_sub(1).map_or(0, |before| found[before].old.end),
            found.get(at + 1).map_or(old.len(), |behind| behind.old.start),
        );
        in_whole(&mut found[at], old, new, bounds);
        let from = at.checked_sub(1).map_or(0, |before| found[before].old.end);
        whole_number(&mut found[at], [old, new], from..bounds.1);
    }
    found.iter_mut().for_each(|one| within_long_word(one, old, new));
    let gap_max = if found.len() > APART_MAX { GAP_WORDS_MAX } else { 0 };
    joined(found, [old, new], gap_max)
}

/// Words that a difference is moved by, to begin with a sentence.
const MOVED_MAX: usize = 4;

/// Lets what came or went begin with a sentence, where the same words stand before it and at its
/// end: "A. «B. »C", not "A«. B». C".
fn from_sentence(one: &mut (Range<usize>, Range<usize>), texts: [&[&str]; 2], ends: [usize; 2]) {
    let (words, own, upto) = match (one.0.is_empty(), one.1.is_empty()) {
        (true, false) => (texts[1], one.1.clone(), ends[1]),
        (false, true) => (texts[0], one.0.clone(), ends[0]),
        _ => return,
    };
    let begins = |at: usize| match at.checked_sub(1).map(|before| words[before]) {
        None => true,
        Some(blank) => {
            let ends = |word: &&str| word.ends_with(['.', '!', '?']);
            blank.starts_with(char::is_whitespace) && words[..at - 1].last().is_some_and(ends)
        }
    };
    let can_move = |by: &usize| {
        own.end + by <= upto && (0..*by).all(|by| words[own.start + by] == words[own.end + by])
    };
    let moves = (0..=MOVED_MAX).take_while(can_move);
    if let Some(by) = moves.into_iter().find(|by| begins(own.start + by)) {
        one.0 = one.0.start + by..one.0.end + by;
        one.1 = one.1.start + by..one.1.end + by;
    }
}

/// Words that a difference is lengthened by, to be of whole sentences.
const LENGTHENED_MAX: usize = 8;

/// Lets a sentence that came or went begin where it does, though the one behind it begins with the
/// same words: "«You may ask. You can» go", not "You «may ask. You can» go". `from`: where the
/// difference before it ends in the old text.
fn whole_sentence(one: &mut (Range<usize>, Range<usize>), texts: [&[&str]; 2], from: usize) {
    let (words, own, room) = match (one.0.is_empty(), one.1.is_empty()) {
        (true, false) => (texts[1], one.1.clone(), one.0.start - from),
        (false, true) => (texts[0], one.0.clone(), one.0.start - from),
        _ => return,
    };
    let ends = |word: &&str| word.ends_with(['.', '!', '?']);
    let begins = |at: usize| match at.checked_sub(2) {
        None => at == 0,
        Some(end) => words[at - 1].starts_with(char::is_whitespace) && ends(&words[end]),
    };
    // One sentence ends within it, and the next one begins as it does.
    let next = (own.start + 1..own.end).rfind(|at| begins(*at)).filter(|_| !begins(own.start));
    let by = (1..=LENGTHENED_MAX.min(room)).find(|by| begins(own.start - by));
    let is_alike = |by: &usize| next.is_some_and(|at| words[at] == words[own.start - by]);
    if let Some(by) = by.filter(is_alike) {
        one.0.start -= by;
        one.1.start -= by;
    }
}

/// Where words differ between two places of texts. Long ones are compared by sentences first, and
/// those that differ by words.
fn apart(
    texts: [&[&str]; 2],
    within: (Range<usize>, Range<usize>),
) -> Vec<(Range<usize>, Range<usize>)> {
    let (old, new) = (within.0.clone(), within.1.clone());
    if old.len() + new.len() <= WORDS_MAX {
        return differing_parts(&texts[0][old], &texts[1][new], &within);
    }
    let [olds, news] = [sentences(&texts[0][old]), sentences(&texts[1][new])];
    if olds.len() + news.len() > WORDS_MAX {
        return vec![within];
    }
    // Where the sentences of a side begin, and where its last one ends.
    let starts = |sentences: &[&[&str]], from: usize| -> Vec<usize> {
        let lengths = sentences.iter().scan(from, |at, sentence| {
            *at += sentence.len();
            Some(*at)
        });
        std::iter::once(from).chain(lengths).collect()
    };
    let [old_starts, new_starts] = [starts(&olds, within.0.start), starts(&news, within.1.start)];
    let whole = (0..olds.len(), 0..news.len());
    let mut found = Vec::new();
    // A sentence is compared once, and then by its number.
    let mut numbers = FxHashMap::default();
    let [old_numbers, new_numbers] = [&olds, &news].map(|all| numbered(all, &mut numbers));
    let mut steps_left = STEPS_MAX;
    for (old, new) in differing_parts(&old_numbers, &new_numbers, &whole) {
        let old = old_starts[old.start]..old_starts[old.end];
        let new = new_starts[new.start]..new_starts[new.end];
        let steps = (old.len() + new.len()).saturating_pow(2);
        if steps <= steps_left {
            steps_left -= steps;
            let within = (old.clone(), new.clone());
            found.extend(differing_parts(&texts[0][old], &texts[1][new], &within));
        } else {
            found.push((old, new));
        }
    }
    found
}

/// A number for each sentence, the same for the same.
fn numbered<'s, 't>(
    sentences: &[&'s [&'t str]],
    numbers: &mut FxHashMap<&'s [&'t str], usize>,
) -> Vec<usize> {
    let number = |sentence: &&'s [&'t str]| {
        let next = numbers.len();
        *numbers.entry(sentence).or_insert(next)
    };
    sentences.iter().map(number).collect()
}

/// The steps between two lists that stand at these places, without what is equal.
fn differing_parts<T: Eq + std::hash::Hash + Ord>(
    old: &[T],
    new: &[T],
    at: &(Range<usize>, Range<usize>),
) -> Vec<(Range<usize>, Range<usize>)> {
    let steps = capture_diff_slices(Algorithm::Myers, old, new);
    let shift = |range: Range<usize>, by: usize| range.start + by..range.end + by;
    let apart = steps.iter().filter(|step| !matches!(step, DiffOp::Equal { .. }));
    apart
        .map(|step| (shift(step.old_range(), at.0.start), shift(step.new_range(), at.1.start)))
        .collect()
}

/// Words by sentences: each ends with a mark that white space follows, or with a wide one. In a
/// script without blanks between words, a blank ends one, too.
fn sentences<'w, 't>(words: &'w [&'t str]) -> Vec<&'w [&'t str]> {
    let ends =
        |word: &str| word.ends_with(['.', '!', '?', ';', ':']) || word.ends_with(is_unspaced);
    let is_blank = |word: &str| word.starts_with(char::is_whitespace);
    let is_wide_end = |word: &str| word.ends_with(['。', '！', '？', '；', '：']);
    let is_end = |before: &str, word: &str| ends(before) && is_blank(word) || is_wide_end(before);
    words.chunk_by(|before, word| !is_end(before, word)).collect()
}

/// Letters of Thai, Lao, Burmese and Khmer.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

/// Differences beyond which those a few words apart are one: nobody reads a dozen islands.
const APART_MAX: usize = 4;
const GAP_WORDS_MAX: usize = 3;
/// Bytes on either side of a difference that belong to its word.
const WHOLE_BYTES_MAX: usize = 32;

/// Lets a difference within an address, a name or a number hold all of it: `legal@a.example`,
/// `D.7`. What stands around it is the same in both texts, as far as the bounds in the old one.
fn in_whole(one: &mut Differing, old: &str, new: &str, (from, upto): (usize, usize)) {
    let is_inner = |c: char| c.is_alphanumeric() || JOINERS.contains(&c);
    let parts = [&old[one.old.clone()], &new[one.new.clone()]];
    // A whole word that came or went is no part of one.
    if parts.iter().any(|part| part.contains(char::is_whitespace)) {
        return;
    }
    let touches = |c: Option<char>, text: &str, is_first: bool| {
        let own = if is_first { text.chars().next() } else { text.chars().next_back() };
        let joins = |c: Option<char>| c.is_some_and(|c| JOINERS.contains(&c));
        c.is_some_and(is_inner) && own.is_none_or(is_inner) && (joins(c) || joins(own))
    };
    let before = &old[from..one.old.start];
    if parts.iter().any(|part| touches(before.chars().next_back(), part, true)) {
        let start = before
            .rfind(|c: char| !is_inner(c))
            .map_or(0, |at| at + before[at..].chars().next().map_or(0, char::len_utf8));
        let word = before.len() - start;
        if word <= WHOLE_BYTES_MAX && before[start..].contains(char::is_alphanumeric) {
            one.old.start -= word;
            one.new.start -= word;
        }
    }
    let behind = &old[one.old.end..upto];
    if parts.iter().any(|part| touches(behind.chars().next(), part, false)) {
        let word = behind.find(|c: char| !is_inner(c)).unwrap_or(behind.len());
        // The stop of a sentence is no part of its last word.
        let word = behind[..word].trim_end_matches(JOINERS).len();
        if word <= WHOLE_BYTES_MAX {
            one.old.end += word;
            one.new.end += word;
        }
    }
}

/// Lets a difference within a number of either text hold all of it: its sign, and digits that
/// blanks group. What stands around it is the same in both texts, within `room` of the old one.
fn whole_number(one: &mut Differing, [old, new]: [&str; 2], room: Range<usize>) {
    let goes_on = |at: [usize; 2]| {
        [(old, at[0]), (new, at[1])].into_iter().any(|(text, at)| is_in_number(text, at))
    };
    let is_number = |c: char| c.is_ascii_digit() || is_group_blank(c);
    while goes_on([one.old.start, one.new.start]) {
        let before = &old[room.start..one.old.start];
        let Some(bytes) = before.chars().next_back().map(char::len_utf8) else { break };
        one.old.start -= bytes;
        one.new.start -= bytes;
    }
    while goes_on([one.old.end, one.new.end]) {
        let behind = &old[one.old.end..room.end];
        let Some(c) = behind.chars().next().filter(|c| is_number(*c)) else { break };
        one.old.end += c.len_utf8();
        one.new.end += c.len_utf8();
    }
    // "000 " went of "1 000 000 €": the blank is before the unit.
    let blank = |part: &str| {
        let mut chars = part.chars().rev();
        let blank = chars.next().filter(|c| is_group_blank(*c));
        blank.filter(|_| chars.next().is_some_and(|c| c.is_ascii_digit()))
    };
    let [was, is] = [blank(&old[one.old.clone()]), blank(&new[one.new.clone()])];
    if let Some(blank) = was.filter(|_| was == is) {
        one.old.end -= blank.len_utf8();
        one.new.end -= blank.len_utf8();
    }
}

/// Digits that blanks divide from others.
const GROUP_DIGITS: usize = 3;

/// Whether a number goes on at a place of a text: "−|8", "5| 000", "5 |000", "12|8". O(1).
fn is_in_number(text: &str, at: usize) -> bool {
    let (left, right) = text.split_at(at);
    let (last, first) = (left.chars().next_back(), right.chars().next());
    let digits = leading_digits(right);
    match (last, first) {
        (Some(last), Some(first)) if first.is_ascii_digit() => {
            last.is_ascii_digit()
                || ends_with_sign(left)
                || is_group_blank(last)
                    && digits == GROUP_DIGITS
                    && ends_with_group(&left[..left.len() - last.len_utf8()])
        }
        (Some(_), Some(first)) if is_group_blank(first) => {
            leading_digits(&right[first.len_utf8()..]) == GROUP_DIGITS && ends_with_group(left)
        }
        _ => false,
    }
}

/// Blanks that group the digits of a number.
fn is_group_blank(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '\u{2007}')
}

/// Digits that a text begins with, as far as they tell a group from a longer number.
fn leading_digits(text: &str) -> usize {
    text.bytes().take(GROUP_DIGITS + 1).take_while(u8::is_ascii_digit).count()
}

/// Whether a text ends with digits that others may follow behind a blank: not with a year, a time
/// of the clock, a fraction or a name.
fn ends_with_group(text: &str) -> bool {
    let is_digit = |c: &char| c.is_ascii_digit();
    let digits = text.chars().rev().take(GROUP_DIGITS).take_while(is_digit).count();
    let before = text.chars().rev().nth(digits);
    digits > 0 && !before.is_some_and(|c| c.is_alphanumeric() || ":.,/".contains(c))
}

/// Whether a text ends with the sign of a number; the dash between two numbers is none.
fn ends_with_sign(text: &str) -> bool {
    let mut chars = text.chars().rev();
    chars.next().is_some_and(|c| ['-', '\u{2212}', '–', '+'].contains(&c))
        && chars.next().is_none_or(|c| c.is_whitespace() || c == '(')
}

/// Bytes of a word that is marked as a whole, wherever its characters differ.
const WORD_BYTES_MAX: usize = 300;

/// Lets the difference of two words hold only what differs of them, where they are too long to be
/// shown.
fn within_long_word(one: &mut Differing, old: &str, new: &str) {
    let (was, is) = (&old[one.old.clone()], &new[one.new.clone()]);
    let is_word = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
    if was.len().max(is.len()) <= WORD_BYTES_MAX || !is_word(was) || !is_word(is) {
        return;
    }
    let alike = |pair: &(char, char)| pair.0 == pair.1;
    let bytes = |pair: (char, char)| pair.0.len_utf8();
    let head: usize = was.chars().zip(is.chars()).take_while(alike).map(bytes).sum();
    let rest = was[head..].chars().rev().zip(is[head..].chars().rev());
    let tail: usize = rest.take_while(alike).map(bytes).sum();
    one.old = one.old.start + head..one.old.end - tail;
    one.new = one.new.start + head..one.new.end - tail;
}

/// What joins parts of a word: of an address, a name, a number of a section.
const JOINERS: [char; 5] = ['.', '@', '_', '-', '\''];

/// Words that two sentences share by chance, and of how many times as many on either side.
const ISLAND_WORDS_MAX: usize = 2;
const ISLAND_SHARE: usize = 4;

/// Whether two differences are one for a reader: at most `words_max` words are between, or a word
/// or two where all that stands around them is other.
fn is_within(last: &Differing, one: &Differing, [old, new]: [&str; 2], words_max: usize) -> bool {
    let most = words_max.max(ISLAND_WORDS_MAX);
    let between = old[last.old.end..one.old.start].unicode_words().take(most + 1).count();
    let is_long = |one: &Differing| {
        let least = between * ISLAND_SHARE;
        let words = |text: &str| text.unicode_words().take(least).count();
        words(&old[one.old.clone()]) >= least && words(&new[one.new.clone()]) >= least
    };
    between <= words_max && words_max > 0
        || between <= ISLAND_WORDS_MAX && is_long(last) && is_long(one)
}

/// Whether no word is between two differences any more, since they were widened.
fn is_next(last: &Differing, one: &Differing, old: &str) -> bool {
    let between = old.get(last.old.end..one.old.start);
    between.is_none_or(|between| !between.contains(char::is_alphanumeric))
}

/// Joins what is one for a reader.
fn joined(found: Vec<Differing>, [old, new]: [&str; 2], words_max: usize) -> Vec<Differing> {
    let mut all: Vec<Differing> = Vec::new();
    for one in found {
        match all.last_mut() {
            Some(last) if is_next(last, &one, old) => {
                (last.old.end, last.new.end) = (one.old.end, one.new.end);
            }
            Some(last) if is_within(last, &one, [old, new], words_max) => {
                (last.old.end, last.new.end) = (one.old.end, one.new.end);
            }
            _ => all.push(one),
        }
    }
    all
}

fn has_word(words: &[&str]) -> bool {
    words.iter().any(|word| word.contains(char::is_alphanumeric))
}

/// The differing parts of two texts (see [`differing`]), in code points.
pub fn spans(old: &str, new: &str) -> Spans {
    let found = differing(old, new);
    Spans {
        old: in_chars(old, found.iter().map(|one| one.old.clone())),
        new: in_chars(new, found.iter().map(|one| one.new.clone())),
    }
}

/// Ranges of bytes, ascending, as code points; empty ones are left out.
fn in_chars(text: &str, ranges: impl Iterator<Item = Range<usize>>) -> Vec<(u32, u32)> {
    let (mut at, mut chars) = (0, 0u32);
    let mut count = |upto: usize| {
        chars += text[at..upto].chars().count() as u32;
        at = upto;
        chars
    };
    let places = ranges.filter(|range| !range.is_empty());
    places.map(|range| (count(range.start), count(range.end))).collect()
}

/// Bytes next to a difference that are kept at least.
const NEAR_BYTES_MIN: usize = 60;
/// What stands for what is left out between two differences.
const GAP: &str = " … ";

/// Two texts, each at most about `bytes_max` bytes: of longer ones, what differs and what is next
/// to it. As many differences are kept as fit, from the first on, in both texts the same. `…`
/// stands where something is left out. O(n · log n) besides what [`differing`] takes.
pub fn windows(old: &str, new: &str, bytes_max: usize) -> (String, String) {
    if old.len().max(new.len()) <= bytes_max {
        return (old.to_owned(), new.to_owned());
    }
    let all = differing(old, new);
    let kept = Kept::of(&all, [old, new], bytes_max);
    let places = |side: fn(&Differing) -> &Range<usize>| -> Vec<Range<usize>> {
        all[..kept.count].iter().map(|one| side(one).clone()).collect()
    };
    let next = all.get(kept.count);
    let upto = next.map_or([old.len(), new.len()], |next| [next.old.start, next.new.start]);
    (
        kept.window(old, &places(|one| &one.old), upto[0]),
        kept.window(new, &places(|one| &one.new), upto[1]),
    )
}

/// How much is kept of two long texts.
#[derive(Debug, Clone, Copy)]
struct Kept {
    /// Differences.
    count: usize,
    /// Bytes of one difference.
    own: usize,
    /// Bytes on each side of one.
    near: usize,
}

impl Kept {
    /// All differences if they fit, then as much of each, then as much next to them.
    fn of(all: &[Differing], texts: [&str; 2], bytes_max: usize) -> Kept {
        let near = NEAR_BYTES_MIN.min(bytes_max / 8);
        let owns = [bytes_max, bytes_max / 4 * 3, bytes_max / 2, bytes_max / 4, bytes_max / 16];
        let mut kept = Kept { count: 0, own: bytes_max, near };
        for own in owns {
            kept.own = own.max(NEAR_BYTES_MIN).min(bytes_max);
            kept.count = kept.fitting(all, texts, bytes_max);
            if kept.count == all.len() {
                break;
            }
        }
        kept.count = kept.count.max(1).min(all.len());
        let all = &all[..all.len().min(kept.count + 1)];
        // As much next to them as fits.
        let (mut least, mut most) = (near, bytes_max);
        while least < most {
            kept.near = most - (most - least) / 2;
            if kept.fitting(all, texts, bytes_max) >= kept.count {
                least = kept.near;
            } else {
                most = kept.near - 1;
            }
        }
        Kept { near: least, ..kept }
    }

    /// How many differences fit, from the first on.
    fn fitting(self, all: &[Differing], texts: [&str; 2], bytes_max: usize) -> usize {
        // What is before a difference is the same in both texts.
        let mut sizes = [0, 0];
        for (nth, one) in all.iter().enumerate() {
            let before = match nth.checked_sub(1) {
                None => one.old.start.min(self.near),
                Some(last) => self.between(one.old.start - all[last].old.end),
            };
            let next = all.get(nth + 1).map_or(texts[0].len(), |next| next.old.start);
            let after = (next - one.old.end).min(self.near);
            for (size, own) in sizes.iter_mut().zip([&one.old, &one.new]) {
                *size += before + own.len().min(self.own);
            }
            if sizes.iter().any(|size| size + after > bytes_max) {
                return nth;
            }
        }
        all.len()
    }

    /// What is kept between two differences that are so far apart.
    fn between(self, bytes: usize) -> usize {
        bytes.min(2 * self.near + GAP.len())
    }

    /// One of the texts: these places of it, and what is next to them; the last `upto` there.
    fn window(self, text: &str, places: &[Range<usize>], upto: usize) -> String {
        let (mut out, mut at) = (String::new(), 0);
        for (nth, place) in places.iter().enumerate() {
            let before = &text[at..place.start];
            let is_whole = before.len() <= self.between(before.len());
            match (nth, tail(before, self.near)) {
                (0, near) if near.len() == before.len() => out.push_str(before),
                (0, near) => out.extend(["…", near]),
                _ if is_whole => out.push_str(before),
                (_, near) => {
                    let behind = head(before, self.near).trim_end();
                    out.extend([behind, GAP, near.trim_start()]);
                }
            }
            let own = head(&text[place.clone()], self.own);
            out.push_str(own);
            if own.len() < place.len() {
                out.push('…');
            }
            at = place.end;
        }
        let rest = head(&text[at..upto], self.near);
        out.push_str(rest);
        if at + rest.len() < text.len() {
            out.push('…');
        }
        out
    }
}

/// The first bytes of a text, to the end of a word where it is near.
fn head(text: &str, bytes_max: usize) -> &str {
    let kept = &text[..text.floor_char_boundary(bytes_max)];
    let word = kept.rfind(char::is_whitespace).filter(|at| 2 * at >= kept.len());
    if kept.len() == text.len() { text } else { &kept[..word.unwrap_or(kept.len())] }
}

/// The last bytes of a text, likewise.
fn tail(text: &str, bytes_max: usize) -> &str {
    let kept = &text[text.ceil_char_boundary(text.len().saturating_sub(bytes_max))..];
    let word = kept.find(char::is_whitespace).filter(|at| 2 * at <= kept.len());
    if kept.len() == text.len() { text } else { &kept[word.unwrap_or(0)..] }
}

/// The words of a text, and what stands between them, with their places.
struct Words<'t> {
    words: Vec<&'t str>,
    /// Where each begins, and where the text ends.
    places: Vec<usize>,
}

impl<'t> Words<'t> {
    fn of(text: &'t str) -> Words<'t> {
        let mut places: Vec<usize> = Vec::new();
        let mut words = Vec::new();
        let digit = |c: char| c.is_ascii_digit();
        for (place, word) in text.split_word_bound_indices() {
            let mut start = place;
            // 02:53:54 is one word.
            if let [.., hour, ":"] = *words
                && hour.ends_with(digit)
                && word.starts_with(digit)
            {
                words.truncate(words.len() - 2);
                start = places.drain(words.len()..).next().unwrap_or(place);
            }
            places.push(start);
            words.push(&text[start..place + word.len()]);
        }
        places.push(text.len());
        Words { words, places }
    }

    /// The bytes of some of them, in order.
    fn place(&self, words: Range<usize>) -> Range<usize> {
        self.places[words.start]..self.places[words.end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn marked<'t>(old: &'t str, new: &'t str) -> Vec<(&'t str, &'t str)> {
        let found = differing(old, new);
        found.into_iter().map(|one| (&old[one.old], &new[one.new])).collect()
    }

    #[test]
    fn a_number_is_marked_with_its_minus_and_all_its_digits() {
        let of = |old: &'static str, new: &'static str| -> Vec<(String, String)> {
            let Spans { old: went, new: came } = spans(old, new);
            let part = |text: &str, (start, end): (u32, u32)| -> String {
                text.chars().skip(start as usize).take((end - start) as usize).collect()
            };
            let pairs = went.into_iter().zip(came);
            pairs.map(|(went, came)| (part(old, went), part(new, came))).collect()
        };
        let is = |went: &str, came: &str| vec![(went.to_owned(), came.to_owned())];
        assert_eq!(of("Hut −8 °C, dry", "Hut −9 °C, dry"), is("−8", "−9"));
        assert_eq!(of("Hut (-8), dry", "Hut (-12), dry"), is("-8", "-12"));
        assert_eq!(of("Hut −1 °C, dry", "Hut 3 °C, dry"), is("−1", "3"));
        assert_eq!(of("At least 5 000 €", "At least 10 000 €"), is("5 000", "10 000"));
        assert_eq!(of("−1\u{202f}250\u{202f}000 €", "−1\u{202f}300\u{202f}000 €"), {
            is("−1\u{202f}250\u{202f}000", "−1\u{202f}300\u{202f}000")
        });
        assert_eq!(of("1 200 300 m, dry", "2 200 400 m, dry"), is("1 200 300", "2 200 400"));
        // Though the same digits stand in both.
        assert_eq!(of("Hut 5 °C, dry", "Hut −5 °C, dry"), is("5", "−5"));
        assert_eq!(of("Hut +5 °C, dry", "Hut −5 °C, dry"), is("+5", "−5"));
        assert_eq!(of("From 500 € on", "From 1 500 € on"), is("500", "1 500"));
        assert_eq!(of("From 1 000 000 € on", "From 1 000 € on"), is("1 000 000", "1 000"));
        assert_eq!(of("At −5 000\u{a0}m", "At 5 000\u{a0}m"), is("−5 000", "5 000"));
        // The dash of a range, a list and a year are no part of it.
        assert_eq!(of("Mon 8–17 h, dry", "Mon 8–18 h, dry"), is("17", "18"));
        assert_eq!(of("List - 8 left, dry", "List - 9 left, dry"), is("8", "9"));
        assert_eq!(of("On 13 July 2026, dry", "On 14 July 2026, dry"), is("13", "14"));
        assert_eq!(of("May 5 2026, dry", "May 6 2026, dry"), is("5", "6"));
        assert_eq!(of("Call 555 0140 now", "Call 555 0199 now"), is("0140", "0199"));
        assert_eq!(of("At 10:00 100 seats", "At 11:00 100 seats"), is("10:00", "11:00"));
        assert_eq!(of("Ward D12 345 beds", "Ward D13 345 beds"), is("D12", "D13"));
        assert_eq!(of("10 | 000 | dry", "11 | 000 | dry"), is("10", "11"));
        assert_eq!(of("On 2024-11-30, dry", "On 2024-12-30, dry"), is("2024-11-30", "2024-12-30"));
        // Marks that join letters, and digits of other scripts.
        assert_eq!(of("−5\u{301}e\u{301} x", "−6\u{301}e\u{301} x").len(), 1);
        assert_eq!(of("٥ 000 €", "٦ 000 €"), is("٥", "٦"));
    }

    #[test]
    fn a_sentence_that_came_is_marked_from_its_first_word() {
        let old = "Write by post and telephone. For more, read on.";
        let new = "Write by letter and telephone. We may use a machine. For more, read on.";
        let came = ("", "We may use a machine. ");
        assert_eq!(marked(old, new), [("post", "letter"), came]);
        assert_eq!(marked(new, old), [("letter", "post"), (came.1, came.0)]);
    }

    #[test]
    fn a_sentence_that_begins_as_the_next_one_is_marked_whole() {
        let old = "We may sell it. You may make these requests yourself or through an agent.";
        let asks = "We may sell it. You may know whom we tell (if any). You can make these requests \
                    yourself or through an agent.";
        let came = ("You may ", "You may know whom we tell (if any). You can ");
        assert_eq!(marked(old, asks), [came]);
        assert_eq!(marked(asks, old), [(came.1, came.0)]);
        let words = "We may sell it. You may now make these requests yourself or through an agent.";
        assert_eq!(marked(old, words), [("", "now ")], "no sentence came");
    }

    #[test]
    fn what_two_passages_share_by_chance_joins_them() {
        let old = "Here: cookies help us to know you and make our shop useful.";
        let new = "Here: what we learn of such files and similar tools may serve several ends.";
        assert_eq!(marked(old, new).len(), 1);
        let [one, other] = ["red tea and green tea", "red tea and black tea"];
        assert_eq!(marked(one, other), [("green", "black")]);
    }

    #[test]
    fn a_word_that_two_texts_share_by_chance_is_no_place_where_they_agree() {
        let (old, new) = ("its usual content", "a notice: “The page is looking for its owner”");
        let whole = Differing { old: 0..old.len(), new: 0..new.len() };
        assert_eq!(differing(old, new), [whole]);
        assert_eq!(differing("Kettle: sold out", "Kettle: 5 left").len(), 1);
        assert_eq!(differing("Kettle: sold out", "Kettle: 5 left")[0].old.start, "Kettle: ".len());
    }

    #[test]
    fn the_words_that_differ_are_found_wherever_they_stand() {
        assert_eq!(marked("Price 49.90 EUR", "Price 39.90 EUR"), [("49.90", "39.90")]);
        assert_eq!(marked("It is 02:53:54 now", "It is 02:55:55 now"), [("02:53:54", "02:55:55")]);
        assert_eq!(marked("a b c d", "a x c y"), [("b", "x"), ("d", "y")]);
        assert_eq!(marked("law of Ohio", "law of Ohio and Texas"), [("", " and Texas")]);
        assert_eq!(marked("the 3 January, 2026", "the 4 March, 2026"), [("3 January", "4 March")]);
        assert!(marked("same", "same").is_empty());
        let (old, new) =
            ("to legal@npm.example or by mail", "to legal-support@hub.example or by mail");
        assert_eq!(marked(old, new), [("legal@npm.example", "legal-support@hub.example")]);
        assert_eq!(marked("Sections D.4 and D.7.", "Sections D.4 and D.1."), [("D.7", "D.1")]);
        assert_eq!(marked("Jetzt 48,90€.", "Jetzt 46,90€."), [("48,90", "46,90")]);
        let (old, new) = ("a b c d e f g h i j k l m", "A b C d E f G h I j k l m n");
        assert_eq!(marked(old, new), [("a b c d e f g h i", "A b C d E f G h I"), ("", " n")]);
        assert_eq!(spans("prix 1 €", "prix 22 €"), Spans { old: vec![(5, 6)], new: vec![(5, 7)] });
    }

    #[test]
    fn of_a_long_word_what_differs_is_marked() {
        let word = "a".repeat(5_000);
        assert_eq!(marked(&format!("Now {word}b"), &format!("Now {word}c")), [("b", "c")]);
        assert_eq!(marked(&format!("{word}é{word}"), &format!("{word}è{word}")), [("é", "è")]);
        assert_eq!(marked(&word, &format!("{word}b")), [("", "b")]);
        let word = &word[..200];
        let (old, new) = (format!("Now {word}b"), format!("Now {word}c"));
        assert_eq!(marked(&old, &new), [(&old[4..], &new[4..])]);
    }

    #[test]
    fn a_window_holds_the_first_difference() {
        let long = "word ".repeat(1_000);
        let (old, new) = (format!("{long}Ohio {long}"), format!("{long}Texas {long}"));
        let (old, new) = windows(&old, &new, 400);
        assert!(old.contains("Ohio") && new.contains("Texas"), "{old} {new}");
        assert!(old.len() <= 406 && new.starts_with('…') && new.ends_with('…'));
        assert_eq!(marked(&old, &new), [("Ohio", "Texas")]);
        let (old, new) = (format!("{long}Ohio {long}"), format!("{long}Ohio and Texas {long}"));
        let (old, new) = windows(&old, &new, 400);
        assert_eq!(marked(&old, &new), [("", "and Texas ")], "both end at the same place");
        let (old, new) = windows("word word Ohio", "word word Ohio, and Texas", 20);
        assert_eq!((&*old, &*new), ("… Ohio", "… Ohio, and Texas"), "and begin there");
        let (old, new) = (long[..395].to_owned(), format!("{}and Texas", &long[..395]));
        let (old, new) = windows(&old, &new, 400);
        assert!(old.starts_with('…') && new.starts_with('…'), "{old} {new}");
        assert_eq!(marked(&old, &new), [("", "and Texas")], "one fits, the other does not");
    }

    #[test]
    fn windows_hold_every_difference_that_fits() {
        let sentence = |n: usize| format!("In case {n} we say so, and no later than that. ");
        let text = |days: &str, city: &str| {
            let all: String = (0..400).map(sentence).collect();
            format!("Pay in {days} days. {all}{all}Go to {city}. {all}Read {days} pages.")
        };
        let all = [("30", "14"), ("Berlin", "Paris"), ("30", "14")];
        let (old, new) = (text("30", "Berlin"), text("14", "Paris"));
        for bytes_max in [400, 8_192] {
            let (old, new) = windows(&old, &new, bytes_max);
            assert_eq!(marked(&old, &new), all, "{old}");
            assert!(old.len() <= bytes_max + 6 && old.matches(GAP).count() == 2, "{old}");
            assert!(old.starts_with("Pay in 30") && old.ends_with(" 30 pages."), "{old}");
        }
        let (old, new) = windows(&old, &new, 50);
        assert_eq!(marked(&old, &new), all[..2], "as many as fit");
        assert!(old.ends_with('…') && old.len() <= 56, "{old}");
        let came = format!("{} {}", "It came. ".repeat(1_100), text("14", "Paris"));
        let (old, new) = windows(&text("30", "Berlin"), &came, 8_192);
        assert!(new.starts_with("It came") && new.len() <= 8_200, "{}", new.len());
        assert!(new.contains("to Paris.") && new.ends_with("14 pages.") && old.contains("Berlin"));
    }

    #[test]
    fn a_hostile_text_takes_no_longer_than_any_other() {
        let text = |seed: u64| -> String {
            let word = |n: u64| format!("w{} ", (n * n + seed).wrapping_mul(2_654_435_761) % 9_973);
            (0..100_000).map(|n| word(n) + if n % 900 == 0 { ". " } else { "" }).collect()
        };
        let (old, new) = (text(1), text(7));
        let found = differing(&old, &new);
        assert!(!found.is_empty() && found.iter().all(|one| one.old.end <= old.len()));
    }

    #[test]
    fn the_words_of_long_texts_are_told_apart_by_sentences() {
        let text = |clause: &str| {
            let sentence = |n: usize| format!("In case {n} we say so, and no later than that. ");
            let all: String = (0..400).map(sentence).collect();
            format!("{all}{clause} {all}The law of Ohio.")
        };
        let (old, new) = (text("You may leave."), text("You may leave at once. We may not."));
        assert_eq!(marked(&old, &new), [("", " at once. We may not")]);
        let other = new.replace("Ohio", "Texas");
        assert_eq!(marked(&old, &other), [("", " at once. We may not"), ("Ohio", "Texas")]);
    }

    proptest! {
        #[test]
        fn no_window_is_longer_than_it_may_be(
            old in "([abé]{0,9}[ .,条]){0,60}", new in "([abé]{0,9}[ .,条]){0,60}",
            bytes_max in 0..200usize,
        ) {
            let (a, b) = windows(&old, &new, bytes_max);
            let is_cut = old.len().max(new.len()) > bytes_max;
            prop_assert!([&a, &b].iter().all(|one| one.len() <= bytes_max + 40), "{} | {}", a, b);
            prop_assert_eq!(is_cut, (&a, &b) != (&old, &new));
        }

        #[test]
        fn without_what_differs_both_texts_are_the_same(
            old in "([abé ]{0,3}[ .,]){0,20}", new in "([abé ]{0,3}[ .,]){0,20}",
        ) {
            let found = differing(&old, &new);
            let without = |text: &str, ranges: Vec<Range<usize>>| {
                let mut rest = text.to_owned();
                ranges.into_iter().rev().for_each(|range| rest.replace_range(range, "|"));
                rest
            };
            let olds = without(&old, found.iter().map(|one| one.old.clone()).collect());
            let news = without(&new, found.iter().map(|one| one.new.clone()).collect());
            prop_assert_eq!(olds, news);
        }
    }
}
