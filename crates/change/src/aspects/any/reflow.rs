//! Paragraphs that became lists, and lists that became paragraphs: the same words in other blocks.

use super::{Step, words};
use crate::found::{Found, Pair, Side};
use crate::habits::CELL;
use crate::{ChangeKind, Thing, passing};
use rustc_hash::{FxHashMap, FxHashSet};

/// Words of a text that is known again in parts.
const WORDS_MIN: usize = 6;
/// How many of the words it shares with them, in hundredths (Dice's coefficient).
const SHARED_MIN: usize = 80;
/// Texts that are looked at, and places where the parts of each may begin.
const TRIED_MAX: usize = 64;
const PLACES_MAX: usize = 4;
/// What stands between two items of a list on one line.
const BETWEEN_ITEMS: &str = " · ";

/// The versions, as places in what is said of both.
const VERSIONS: [usize; 2] = [0, 1];

/// A change that is told so far, and the blocks that the older and the newer version have of it.
struct Open {
    found: usize,
    blocks: [Option<usize>; 2],
}

fn open(found: &[Found], steps: &[Step]) -> Vec<Open> {
    let is_open = |at: usize| !found[at].is_slight && found[at].told.is_none();
    let all = steps.iter().enumerate().filter(|(at, _)| is_open(*at));
    all.filter_map(|(found, step)| {
        let blocks = match *step {
            Step::Delete(o) => [Some(o), None],
            Step::Insert(n) => [None, Some(n)],
            Step::Update(o, n) => [Some(o), Some(n)],
            Step::Move(..) => return None,
        };
        Some(Open { found, blocks })
    })
    .collect()
}

/// Whether a block is a text among others, and nothing that stands in a row or a card.
fn is_text(side: &Side<'_>, at: usize) -> bool {
    let block = &side.extract.blocks[at];
    let is_plain = block.part.is_main() && block.level() == 0 && !block.text.contains(CELL);
    is_plain && side.reading().thing(at).is_none()
}

/// The texts of a version that may be parts of another text, by their blocks and their first words.
struct Parts<'p, 'e> {
    side: &'p Side<'e>,
    version: usize,
    all: FxHashMap<usize, &'p Open>,
    beginning: FxHashMap<String, Vec<usize>>,
}

/// Texts that follow each other, as one.
struct Run {
    found: Vec<usize>,
    text: String,
}

fn first_word(text: &str) -> Option<String> {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.find(|word| !word.is_empty()).map(str::to_lowercase)
}

impl<'p, 'e> Parts<'p, 'e> {
    fn of(side: &'p Side<'e>, version: usize, open: &'p [Open]) -> Parts<'p, 'e> {
        let parts = open.iter().filter_map(|one| Some((one.blocks[version]?, one)));
        let all: FxHashMap<usize, &Open> = parts.filter(|(at, _)| is_text(side, *at)).collect();
        let mut beginning: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        let mut places: Vec<usize> = all.keys().copied().collect();
        places.sort_unstable();
        for at in places {
            if let Some(word) = first_word(&side.extract.blocks[at].text) {
                beginning.entry(word).or_default().push(at);
            }
        }
        Parts { side, version, all, beginning }
    }

    /// The texts that follow each other and have the words of this one, begin where it `may`, and
    /// are free.
    fn run(&self, whole: usize, text: &str, may: impl Fn(usize, usize) -> bool) -> Option<Run> {
        let said = words(text);
        let places = self.beginning.get(&first_word(text)?)?;
        let is_open = |start: &&usize| may(**start, self.all[start].found);
        let starts = places.iter().filter(is_open).take(PLACES_MAX);
        let runs = starts.filter(|_| said.len() >= WORDS_MIN);
        runs.filter_map(|&start| self.run_from(start, whole, &said)).next()
    }

    fn run_from(&self, start: usize, whole: usize, said: &[u64]) -> Option<Run> {
        let mut left: FxHashMap<u64, u32> = FxHashMap::default();
        said.iter().for_each(|word| *left.entry(*word).or_insert(0) += 1);
        let is_of = |at: &usize| {
            let other = self.all.get(at).map(|one| one.blocks[1 - self.version]);
            other.is_some_and(|other| other.is_none_or(|other| other == whole))
        };
        let (mut shared, mut all, mut best) = (0, 0, (0, start));
        for at in (start..).take_while(is_of) {
            for word in words(&self.side.extract.blocks[at].text) {
                all += 1;
                if let Some(count) = left.get_mut(&word).filter(|count| **count > 0) {
                    *count -= 1;
                    shared += 1;
                }
            }
            let alike = 200 * shared / (said.len() + all);
            best = if alike > best.0 { (alike, at) } else { best };
            if all > 2 * said.len() {
                break;
            }
        }
        let (alike, end) = best;
        (alike >= SHARED_MIN && end > start).then(|| self.joined(start, end))
    }

    fn joined(&self, start: usize, end: usize) -> Run {
        let blocks = &self.side.extract.blocks;
        let mut text = blocks[start].text.clone();
        for at in start + 1..=end {
            let are_items = blocks[at].list > 0 && blocks[at].list == blocks[at - 1].list;
            text.push_str(if are_items { BETWEEN_ITEMS } else { " " });
            text.push_str(&blocks[at].text);
        }
        Run { found: (start..=end).map(|at| self.all[&at].found).collect(), text }
    }
}

/// A text, and what it is in the other version.
struct Known {
    own: usize,
    run: Run,
    /// What the older version says, and the newer one.
    texts: [String; 2],
}

impl Known {
    /// The changes that are of it.
    fn group(&self) -> impl Iterator<Item = usize> + '_ {
        self.run.found.iter().copied().chain([self.own])
    }

    fn says_the_same(&self) -> bool {
        let [was, is] = &self.texts;
        let [was, is] = [was, is].map(|text| text.replace(BETWEEN_ITEMS, " ").to_lowercase());
        was == is || passing::are_of_same_words(&was, &is)
    }
}

/// The texts of either version that the other has in parts, of what is told so far. O(n).
fn known(found: &[Found], steps: &[Step], pair: &Pair<'_>) -> Vec<Known> {
    let (sides, open) = ([&pair.old, &pair.new], open(found, steps));
    let parts = VERSIONS.map(|version| Parts::of(sides[version], version, &open));
    let (mut all, mut took) = (Vec::new(), FxHashSet::default());
    // What stands under the same heading is meant first.
    let rounds = [true, false].into_iter().flat_map(|near| VERSIONS.map(|version| (near, version)));
    for (is_near, version) in rounds {
        let parts = &parts[1 - version];
        let wholes = open.iter().filter_map(|own| Some((own, own.blocks[version]?)));
        let wholes = wholes.filter(|(_, whole)| is_text(sides[version], *whole));
        for (own, whole) in wholes.take(TRIED_MAX) {
            let text = &sides[version].extract.blocks[whole].text;
            let is_alone = own.blocks[1 - version].is_none();
            let heading = sides[version].reading().parent(whole);
            let may = |start, found| {
                let is_there = !is_near || parts.side.reading().parent(start) == heading;
                is_there && !took.contains(&found)
            };
            let run = parts.run(whole, text, may).filter(|_| !took.contains(&own.found));
            if let Some(run) = run.filter(|run| is_alone || run.found.contains(&own.found)) {
                // A text is part of one other, however often that stands there.
                took.extend(run.found.iter().copied().chain([own.found]));
                let mut texts = [run.text.clone(), run.text.clone()];
                texts[version].clone_from(text);
                all.push(Known { own: own.found, run, texts });
            }
        }
    }
    all
}

/// Marks what says the same in other blocks. O(n).
pub(super) fn mark(found: &mut [Found], steps: &[Step], pair: &Pair<'_>) {
    for one in known(found, steps, pair).into_iter().filter(Known::says_the_same) {
        one.group().for_each(|at| found[at].is_slight = true);
    }
}

/// Tells of a text that is in other blocks now, and of which some words differ, as of one edit.
/// O(n).
pub(super) fn tell(found: &mut [Found], steps: &[Step], pair: &Pair<'_>) {
    for one in known(found, steps, pair) {
        if one.group().any(|at| found[at].is_slight || found[at].told.is_some()) {
            continue;
        }
        // An edit stands where the text is now.
        let of_kind = |kind| one.group().find(|&at| found[at].kind == kind);
        let teller = of_kind(ChangeKind::Update).or(of_kind(ChangeKind::Insert)).unwrap_or(one.own);
        one.group().for_each(|at| found[at].is_slight = at != teller);
        found[teller].told = Some(Box::new(one.texts.map(|text| Some(Thing::Text { text }))));
    }
}

#[cfg(test)]
mod tests {
    use super::super::told::told;

    const LIST: &str = "<p>You may not:</p><ul><li>copy the text of our site;</li>\
                        <li>sell the text to others; or</li><li>rent it to anybody.</li></ul>";
    const TEXT: &str = "<p>You may not: copy the text of our site, sell the text to others, or \
                        rent it to anybody.</p>";

    /// What is told of such parts of a page.
    fn of(old: &str, new: &str) -> Vec<String> {
        let page = |part: &str| format!("<h1>Terms</h1><p>We rent kettles.</p>{part}<p>The end.");
        told(&page(old), &page(new))
    }

    #[test]
    fn a_paragraph_that_became_a_list_says_nothing_new() {
        assert_eq!(of(TEXT, LIST), [""; 0]);
        assert_eq!(of(LIST, TEXT), [""; 0]);
        let logs = "<p>We keep your name. We keep your phone number and address. No logs.</p>";
        let items =
            "<ul><li>We keep your name<li>We keep your phone number and address<li>No logs</ul>";
        assert_eq!(of(logs, items), [""; 0]);
        assert_eq!(of(items, logs), [""; 0]);
    }

    #[test]
    fn what_differs_is_told_as_an_edit() {
        let lend = TEXT.replace("sell", "lend");
        let list = "You may not: copy the text of our site; · sell the text to others; or · rent \
                    it to anybody.";
        let text = |text: &str| text.trim_start_matches("<p>").trim_end_matches("</p>").to_owned();
        assert_eq!(of(&lend, LIST), [format!("{} -> {list}", text(&lend))]);
        assert_eq!(of(LIST, &lend), [format!("{list} -> {}", text(&lend))]);
    }

    #[test]
    fn a_list_is_one_paragraph_however_many_say_the_same() {
        let page = |basic: &str, premium: &str| {
            format!(
                "<h1>Plans</h1><h2>Basic plan</h2><p>For one.</p>{basic}<h2>Premium plan</h2>\
                 <p>For all.</p>{premium}<h2>End</h2><p>Ask us.</p>"
            )
        };
        assert_eq!(told(&page(TEXT, TEXT), &page(LIST, LIST)), [""; 0]);
        assert_eq!(told(&page(LIST, LIST), &page(TEXT, TEXT)), [""; 0]);
        let text = TEXT.trim_start_matches("<p>").trim_end_matches("</p>");
        let went = [format!("{text} -> -")];
        assert_eq!(told(&page(TEXT, TEXT), &page("", LIST)), went);
        assert_eq!(told(&page(TEXT, TEXT), &page(LIST, "")), went);
        let came = [format!("- -> {text}")];
        assert_eq!(told(&page(LIST, ""), &page(TEXT, TEXT)), came);
        assert_eq!(told(&page("", LIST), &page(TEXT, TEXT)), came);
    }

    #[test]
    fn another_list_is_new() {
        let other = "<ul><li>You pay in advance<li>We send a bill<li>No money comes back</ul>";
        assert_eq!(of(TEXT, other).len(), 4);
        let more = format!("{LIST}<p>We may close your account without a reason.</p>");
        assert_eq!(of(TEXT, &more), ["- -> We may close your account without a reason."]);
    }
}
