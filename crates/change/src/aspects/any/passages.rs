//! Sentences that stand elsewhere in the other version: what moved is not gone, and did not come.
//!
//! Blocks are compared as wholes, so that a sentence which left its paragraph for another one was
//! told as gone here, and as new there.

use super::rewording::Rare;
use super::{slight, words};
use crate::found::{Found, Pair, Side};
use crate::habits::{CELL, speaks_of_trade};
use crate::{ChangeKind, Thing, sentences};
use page::Kind;
use rustc_hash::{FxHashMap, FxHashSet};

/// Shorter sentences say the same of different things.
const WORDS_MIN: usize = 6;
const BYTES_MIN: usize = 32;
/// What is left of a text that moved, in hundredths: a number in front, a name.
const REST_MAX: usize = 25;

/// What is told in place of sentences that stand elsewhere.
const ELSEWHERE: &str = "…";

/// How often each sentence of a version stands in it; in the frame it is said of another thing.
struct Sentences<'e>(FxHashMap<&'e str, u32>);

impl<'e> Sentences<'e> {
    fn of(side: &Side<'e>) -> Sentences<'e> {
        let mut all: FxHashMap<&str, u32> = FxHashMap::default();
        let blocks = side.extract.blocks.iter().filter(|block| !block.part.is_frame());
        for sentence in blocks.flat_map(|block| telling(&block.text)) {
            *all.entry(sentence).or_insert(0) += 1;
        }
        Sentences(all)
    }

    fn count(&self, sentence: &str) -> u32 {
        self.0.get(sentence).copied().unwrap_or(0)
    }
}

fn is_telling(sentence: &str) -> bool {
    sentence.len() >= BYTES_MIN
        && sentence.split_whitespace().nth(WORDS_MIN - 1).is_some()
        && !speaks_of_trade(sentence)
}

/// The sentences of a text that say something wherever they stand.
fn telling(text: &str) -> impl Iterator<Item = &str> {
    let is_prose = text.len() >= BYTES_MIN && !text.contains(CELL);
    let all = is_prose.then(|| sentences::all(text)).into_iter().flatten();
    all.filter(|sentence| is_telling(sentence))
}

/// Whether a text is a sentence, however short: "Not in Iowa."
fn is_whole(text: &str) -> bool {
    let is_word = |word: &&str| word.contains(char::is_alphabetic);
    text.ends_with(['.', '!', '?', '…', '。', '！', '？'])
        && text.split_whitespace().filter(is_word).nth(1).is_some()
}

/// A text without the sentences of which `moved` is true.
struct Rest {
    text: String,
    /// Whether it says anything beside a number in front or a name.
    says_more: bool,
    has_moved: bool,
}

fn rest(text: &str, moved: impl Fn(&str) -> bool) -> Rest {
    let (mut rest, mut bytes, mut has_moved) = (String::new(), 0, false);
    let mut has_own = false;
    for sentence in sentences::all(text) {
        let is_gone = is_telling(sentence) && moved(sentence);
        let said = if is_gone { ELSEWHERE } else { sentence };
        has_moved |= is_gone;
        bytes += if is_gone { 0 } else { sentence.len() };
        has_own |= !is_gone && is_whole(sentence);
        if !(is_gone && rest.ends_with(ELSEWHERE)) {
            rest.push_str(if rest.is_empty() { "" } else { " " });
            rest.push_str(said);
        }
    }
    let says_more =
        has_own || bytes * 100 > text.len() * REST_MAX || telling(&rest).next().is_some();
    Rest { text: rest, says_more, has_moved }
}

/// Marks what says nothing but what stands elsewhere, and says of the rest what is told. O(n).
pub(super) fn tell(found: &mut [Found], pair: &Pair<'_>) {
    let may_tell = |one: &Found| {
        let is_open = !one.is_slight && one.told.is_none() && one.kind != ChangeKind::Move;
        is_open
            && [&one.old, &one.new].into_iter().flatten().any(
                |thing| matches!(thing, Thing::Text { text } if telling(text).next().is_some()),
            )
    };
    let is_page = pair.new.extract.kind == Kind::Html;
    let open: Vec<usize> = (0..found.len()).filter(|&at| may_tell(&found[at])).collect();
    if !is_page || open.is_empty() {
        return;
    }
    let (old, new) = (Sentences::of(&pair.old), Sentences::of(&pair.new));
    let stay: FxHashSet<&str> = pair.new.extract.blocks.iter().map(|block| &*block.text).collect();
    for at in open {
        let one = &mut found[at];
        let text = |thing: &Option<Thing>| thing.as_ref().map(|thing| thing.text().to_owned());
        match (text(&one.old), text(&one.new)) {
            // One less of a whole text was judged by what it is said of.
            (Some(was), None) if stay.contains(&*was) => {}
            (Some(was), None) if !slight::says_own(one, &pair.old) => {
                tell_rest(one, rest(&was, |sentence| new.count(sentence) > 0));
            }
            // One more of a sentence is news where it stands.
            (None, Some(is)) if !slight::says_own(one, &pair.new) => {
                let moved = |sentence: &str| old.count(sentence) >= new.count(sentence);
                tell_rest(one, rest(&is, moved));
            }
            // What is said of each card in its turn is said of each.
            (Some(was), Some(is)) if is_brief([&was, &is]) && is_of_card(one, &pair.new) => {}
            (Some(was), Some(is)) => tell_edit(one, [&was, &is], [&old, &new]),
            _ => {}
        }
    }
}

/// Bytes of a text that may be said of each of several things.
const BRIEF_BYTES_MAX: usize = 80;

fn is_brief(texts: [&str; 2]) -> bool {
    texts.iter().all(|text| text.len() <= BRIEF_BYTES_MAX)
}

/// Whether a change is of something that is said of a card.
pub(super) fn is_of_card(one: &Found, side: &Side<'_>) -> bool {
    one.block(side).and_then(|block| side.reading().thing(block)).is_some()
}

fn tell_rest(one: &mut Found, rest: Rest) {
    if rest.has_moved && !rest.says_more {
        one.is_slight = true;
    } else if rest.has_moved {
        let told = Some(Thing::Text { text: rest.text });
        let sides = if one.kind == ChangeKind::Insert { [None, told] } else { [told, None] };
        one.told = Some(Box::new(sides));
    }
}

/// What a page says twice, on top and in its text, is told once: where it counts most. Under two
/// headings it is said of two things. O(n log n).
pub(super) fn tell_once(found: &mut [Found], pair: &Pair<'_>) {
    let mut first: FxHashMap<[&Option<Thing>; 2], Vec<Place<'_>>> = FxHashMap::default();
    let mut again = Vec::new();
    let titles = titles(pair);
    for (at, one) in found.iter().enumerate() {
        let side = if one.new.is_some() { &pair.new } else { &pair.old };
        let tells =
            |thing: &Thing| matches!(thing, Thing::Text { text } if telling(text).next().is_some());
        let may_stand_twice = one.kind != ChangeKind::Move
            && !one.is_slight
            && one.old.iter().chain(&one.new).all(tells)
            && !slight::says_own(one, side);
        if !may_stand_twice {
            continue;
        }
        let heading = one.block(side).and_then(|at| heading(at, side, &titles));
        let places = first.entry([&one.old, &one.new]).or_default();
        let is_one =
            |(known, _): &&mut Place<'_>| known.is_none() || heading.is_none() || *known == heading;
        let is_full = places.len() >= PLACES_MAX;
        match places.iter_mut().find(is_one) {
            None if is_full => {}
            None => places.push((heading, at)),
            Some(place) if one.weight(pair) > found[place.1].weight(pair) => {
                again.push(std::mem::replace(place, (heading, at)).1);
            }
            Some(_) => again.push(at),
        }
    }
    for at in again {
        found[at].is_slight = true;
    }
}

/// The heading that a text is said of. What stands under the page's own name, or in its frame, is
/// of no part of it.
pub(super) fn heading<'s>(
    at: usize,
    side: &'s Side<'_>,
    titles: &FxHashSet<&str>,
) -> Option<&'s str> {
    let is_main = side.extract.blocks[at].part.is_main();
    let heading = side.reading().parent(at).filter(|_| is_main);
    heading.filter(|heading| !titles.contains(heading))
}

/// A heading, and the change that is told under it.
type Place<'e> = (Option<&'e str>, usize);

/// Headings under which one text is known.
const PLACES_MAX: usize = 16;

/// What a page calls itself, in its headings of the first level.
pub(super) fn titles<'e>(pair: &Pair<'e>) -> FxHashSet<&'e str> {
    let blocks = [&pair.old, &pair.new].into_iter().flat_map(|side| &side.extract.blocks);
    blocks.filter(|block| block.level() == 1).map(|block| &*block.text).collect()
}

/// An edit of a text is told without the sentences that it got from elsewhere, or lost to there.
fn tell_edit(one: &mut Found, [was, is]: [&str; 2], [old, new]: [&Sentences<'_>; 2]) {
    let [had, has] = [was, is].map(|text| telling(text).collect::<FxHashSet<_>>());
    // One of two that say the same was edited, where the other stays.
    let is_lost = |sentence: &str| {
        !has.contains(sentence) && (1..=new.count(sentence)).contains(&old.count(sentence))
    };
    let is_got = |sentence: &str| {
        !had.contains(sentence) && (1..=old.count(sentence)).contains(&new.count(sentence))
    };
    if !had.iter().any(|one| is_lost(one)) && !has.iter().any(|one| is_got(one)) {
        return;
    }
    let without = |text: &str, moved: &dyn Fn(&str) -> bool| {
        let kept = sentences::all(text).filter(|one| !(is_telling(one) && moved(one)));
        kept.collect::<Vec<_>>().join(" ")
    };
    let told = [without(was, &is_lost), without(is, &is_got)];
    if told[0] == told[1] {
        one.is_slight = true;
    } else {
        let told = told.map(|text| Some(text).filter(|text| !text.is_empty()));
        one.told = Some(Box::new(told.map(|text| text.map(|text| Thing::Text { text }))));
    }
}

/// The sentence that a text lost, where it lost one and got none.
fn lost_sentence(one: &Found) -> Option<String> {
    let [Some(Thing::Text { text: was }), Some(Thing::Text { text: is })] = one.told() else {
        return None;
    };
    if one.is_slight || one.kind != ChangeKind::Update || was.contains(CELL) {
        return None;
    }
    let [had, has] = [was, is].map(|text| sentences::all(text).collect::<FxHashSet<_>>());
    let mut lost = sentences::all(was).filter(|sentence| !has.contains(sentence));
    let sentence = lost.next().filter(|sentence| is_telling(sentence))?;
    let is_all = lost.next().is_none() && has.is_subset(&had);
    is_all.then(|| sentence.to_owned())
}

/// A sentence that left its paragraph, and says the same in other words elsewhere, was edited.
/// O(n + lost · came), both bounded.
pub(super) fn tell_reworded(found: &mut [Found], pair: &Pair<'_>) {
    let lost = found.iter().enumerate().filter_map(|(at, one)| Some((at, lost_sentence(one)?)));
    let lost: Vec<(usize, String)> = lost.take(TRIED_MAX).collect();
    let came = found.iter().enumerate().filter_map(|(at, one)| {
        let is_open = one.kind == ChangeKind::Insert && !one.is_slight && one.told.is_none();
        let block = one.block(&pair.new).filter(|_| is_open)?;
        let block = &pair.new.extract.blocks[block];
        let is_prose = block.level() == 0 && block.list == 0 && block.part.is_main();
        let text = one.text().filter(|text| is_prose && telling(text).next().is_some())?;
        Some((at, words(text)))
    });
    let mut came: Vec<(usize, Vec<u64>)> = came.take(TRIED_MAX).collect();
    if lost.is_empty() || came.is_empty() {
        return;
    }
    let rare = Rare::of([&pair.old, &pair.new].map(|side| &*side.extract.blocks));
    for (at, sentence) in lost {
        let before = words(&sentence);
        let Some(to) = came.iter().position(|(_, after)| rare.are_one(&before, after)) else {
            continue;
        };
        let (to, _) = came.remove(to);
        let edit = [Some(Thing::Text { text: sentence }), found[to].new.clone()];
        found[to].told = Some(Box::new(edit));
        found[at].is_slight = true;
    }
}

/// Sentences that went, and texts that came, of which it is looked at whether they say the same.
const TRIED_MAX: usize = 64;

#[cfg(test)]
mod tests {
    use super::super::told::{page_of, told as told_of};

    fn told(old: &[&str], new: &[&str]) -> Vec<String> {
        told_of(&page_of("p", old), &page_of("p", new))
    }

    const CLOSE: &str = "We may close your account if you break these terms, and say why.";
    const RIGHTS: &str = "You keep all rights to the photos and texts that you upload here.";
    const BILL: &str = "We send a bill on the first day of each month, and you pay in a week.";
    const SHARE: &str = "Nobody but you may use your password, and you share it with nobody.";

    #[test]
    fn a_sentence_that_left_for_another_paragraph_is_not_gone() {
        let both = format!("{RIGHTS} {CLOSE}");
        assert_eq!(told(&[&both, BILL], &[RIGHTS, BILL, CLOSE]), [""; 0]);
        let end = format!("{BILL} {CLOSE}");
        assert_eq!(told(&[&both, BILL], &[RIGHTS, &end]), [""; 0]);
        assert_eq!(told(&[CLOSE, RIGHTS, BILL], &[RIGHTS, &end]), [""; 0]);
        assert_eq!(told(&[RIGHTS, &end], &[CLOSE, RIGHTS, BILL]), [""; 0]);
    }

    #[test]
    fn of_a_text_that_is_told_what_moved_is_left_out() {
        let (both, end) = (format!("{RIGHTS} {CLOSE}"), format!("{BILL} {CLOSE}"));
        let edited = BILL.replace("a week", "ten days");
        let ended = format!("{edited} {CLOSE}");
        assert_eq!(told(&[&both, BILL], &[RIGHTS, &ended]), [format!("{BILL} -> {edited}")]);
        assert_eq!(
            told(&[&both, "End"], &[CLOSE, "End"]),
            [format!("{both} -> {CLOSE}")],
            "it stands where it stood"
        );
        let gone = format!("{CLOSE} {SHARE}");
        assert_eq!(told(&[&gone, RIGHTS, BILL], &[RIGHTS, &end]), [format!("… {SHARE} -> -")],);
        assert_eq!(told(&[RIGHTS, &end], &[&gone, RIGHTS, BILL]), [format!("- -> … {SHARE}")],);
    }

    #[test]
    fn of_a_sentence_that_stood_twice_an_edit_is_told_as_one() {
        let edited = CLOSE.replace("and say why", "and need not say why");
        let told = told(&[CLOSE, "Use", RIGHTS, CLOSE], &[CLOSE, "Use", RIGHTS, &edited]);
        assert_eq!(told, [format!("{CLOSE} -> {edited}")]);
    }

    #[test]
    fn one_more_of_a_sentence_is_told() {
        let end = format!("{BILL} {CLOSE}");
        assert_eq!(told(&[CLOSE, RIGHTS, BILL], &[CLOSE, RIGHTS, &end]).len(), 1);
    }

    #[test]
    fn a_text_whose_sentences_all_stand_in_another_went_without_a_word() {
        let (two, three) = (format!("{BILL} {CLOSE}"), format!("{BILL} {CLOSE} {SHARE}"));
        assert_eq!(told(&[&two, RIGHTS, &three], &[RIGHTS, &three]), [""; 0]);
    }

    #[test]
    fn a_sentence_in_other_words_elsewhere_is_an_edit() {
        let cancel = "You may cancel at any time in the settings of your account, and we refund \
                      what is left.";
        let other = "You can cancel whenever you like in your account settings, and we will \
                     refund whatever is left.";
        let both = format!("{BILL} {cancel}");
        assert_eq!(
            told(&[RIGHTS, &both, CLOSE], &[RIGHTS, BILL, CLOSE, "Ending", other]),
            ["- -> Ending".to_owned(), format!("{cancel} -> {other}")]
        );
        assert_eq!(told(&[RIGHTS, &both, CLOSE], &[RIGHTS, BILL, CLOSE, SHARE]).len(), 2);
    }

    #[test]
    fn a_text_in_other_words_elsewhere_is_an_edit() {
        let was = "If you leave us, we keep the invoices of the last ten years in an archive \
                   since the tax office may ask for them.";
        let is = "Invoices of the last ten years stay in our archive after you leave us, as the \
                  tax office may ask us for them.";
        assert_eq!(
            told(&[was, RIGHTS, BILL, CLOSE], &[RIGHTS, BILL, CLOSE, is]),
            [format!("{was} -> {is}")]
        );
        let other = "We tell the press of the new archive in the last week of each year, and \
                     leave it open for all to see them.";
        assert_eq!(told(&[was, RIGHTS, BILL, CLOSE], &[RIGHTS, BILL, CLOSE, other]).len(), 2);
    }

    #[test]
    fn what_stands_twice_is_told_once() {
        let notice = "The pool is closed from 3 to 9 March because of repairs to the roof.";
        let page = |text: &str| format!("<div>{text}</div><h2>News</h2><p>{RIGHTS}</p><p>{text}");
        let came = [format!("- -> {notice}")];
        assert_eq!(told_of(&page(""), &page(notice)), came);
        assert_eq!(told_of(&page(notice), &page("")), [format!("{notice} -> -")]);
        let later = notice.replace("9 March", "12 March");
        let edit = [format!("{notice} -> {later}")];
        assert_eq!(told_of(&page(notice), &page(&later)), edit);
        let footed = format!("<main>{BILL}<p>{notice}</main><footer><p>{notice}</footer>");
        let bare = format!("<main>{BILL}</main><footer></footer>");
        assert_eq!(told_of(&bare, &footed), came, "where it counts");
        let courses = |text: &str| {
            format!("<h1>Courses</h1><h2>Pottery</h2><p>{text}</p><h2>Weaving</h2><p>{text}")
        };
        assert_eq!(told_of(&courses(""), &courses(notice)).len(), 2, "of two things");
        let two = |text: &str| format!("<p>{text}</p><h2>News</h2><p>{text}");
        assert_eq!(told_of(&two(""), &two("Closed today")).len(), 2, "short texts are of two");
    }

    #[test]
    fn what_is_for_sale_and_what_is_short_is_told() {
        let sold = "The red kettle of our spring sale is sold out at all shops in the town.";
        let with = format!("{RIGHTS} {sold}");
        assert_eq!(told(&[&with, BILL], &[RIGHTS, BILL, sold]).len(), 2);
        for short in ["Not in Iowa.", "This ends in May.", "We are insolvent."] {
            let moved = format!("{short} {BILL}");
            let told = told(&[&format!("{CLOSE} {BILL}"), SHARE], &[CLOSE, SHARE, &moved]);
            assert!(told.iter().any(|one| one.contains(short)), "{told:?}");
        }
        let short = format!("{RIGHTS} We agree.");
        assert_eq!(told(&[&short, BILL], &[RIGHTS, BILL, "We agree."]).len(), 2);
    }
}
