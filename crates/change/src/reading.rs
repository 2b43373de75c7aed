//! A version read from start to end: its blocks joined by spaces, and the places in it.

use crate::habits::CELL;
use crate::{Context, Limits, habits, prompts, sentences};
use page::{Block, Card, Extract};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::OnceLock;

/// Bytes of a long sentence on each side of a place in it; one of twice as many is whole.
pub(crate) const SENTENCE_BYTES: usize = 200;

/// Blocks before one of a list that are searched for what the list begins with.
const LEAD_BLOCKS_MAX: usize = 200;

/// The text of a version as one line.
pub(crate) struct Reading {
    pub(crate) text: String,
    /// Where each block stands in `text`.
    pub(crate) blocks: Vec<Range<usize>>,
    /// The heading before each block.
    headings: Vec<Option<u32>>,
    /// The heading above each heading, of a higher level; of other blocks as above. Nothing stands
    /// under one that only says where to share the page.
    parents: Vec<Option<u32>>,
    /// Headings that several of the page say.
    shared: BTreeSet<u32>,
    /// What names the card that each block stands in, if it says something else.
    things: Vec<Option<u32>>,
    /// Under which heading each label stands, of the texts of a page.
    labels: OnceLock<FxHashMap<String, Under>>,
    /// How many lists each block stands in, and whether the innermost begins with it.
    lists: Vec<(u8, bool)>,
}

/// The headings that a label stands under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Under {
    One(u32),
    Several,
}

/// Bytes of a text: a longer one says itself what it is of.
const LABELLED_BYTES_MAX: usize = 80;

/// What a short text has in common with others of its kind: "Fee" of "Fee: €72", "seats left" of
/// "4 seats left", nothing of an amount alone.
fn label(text: &str) -> Option<String> {
    if text.len() > LABELLED_BYTES_MAX || text.contains(CELL) {
        return None;
    }
    let label = text.split_once(": ").map_or(text, |(label, _)| label);
    let is_said = |c: &char| c.is_alphabetic() || *c == ' ';
    Some(label.chars().filter(is_said).collect::<String>().trim().to_lowercase())
}

/// What stands before an entry of a calendar.
fn says_when(block: &Block) -> bool {
    block.level() == 0 && habits::says_when(&block.text)
}

/// Puts days and times under the heading that follows them. For that each of at least two headings
/// of a level, the first one too, has some right before it, and the last section has none. O(n).
fn stand_with_what_follows(blocks: &[Block], parents: &mut [Option<u32>]) {
    let mut groups: BTreeMap<(u8, Option<u32>), Vec<usize>> = BTreeMap::new();
    for (at, block) in blocks.iter().enumerate() {
        if (1..Block::BOLD).contains(&block.level()) {
            groups.entry((block.level(), parents[at])).or_default().push(at);
        }
    }
    for ((level, _), headings) in groups {
        let is_before = |&at: &usize| at.checked_sub(1).is_some_and(|at| says_when(&blocks[at]));
        let last = headings.last().copied().unwrap_or(0);
        let mut section = blocks[last..].iter().skip(1);
        let is_last = |block: &&Block| !(1..=level).contains(&block.level());
        if headings.len() < 2
            || !headings.iter().all(is_before)
            || section.by_ref().take_while(is_last).any(says_when)
        {
            continue;
        }
        for heading in headings {
            let when = (0..heading).rev().take_while(|&at| says_when(&blocks[at]));
            when.for_each(|at| parents[at] = u32::try_from(heading).ok());
        }
    }
}

/// Puts what is said of a card under what names it, unless a heading of the card stands above it.
/// Which block names the card of each. O(n).
fn stand_in_cards(blocks: &[Block], parents: &mut [Option<u32>]) -> Vec<Option<u32>> {
    let mut things = vec![None; blocks.len()];
    for (start, card) in cards(blocks) {
        let name = start + card.name as usize;
        let above = parents[start].filter(|parent| (*parent as usize) < start);
        for at in (start..start + card.blocks as usize).filter(|at| *at != name) {
            things[at] = u32::try_from(name).ok();
            if parents[at].is_none_or(|parent| (parent as usize) < start) {
                parents[at] = things[at];
            }
        }
        // A heading stands where the outline of its page has it.
        if blocks[name].level() == 0 {
            parents[name] = above;
        }
    }
    things
}

/// The headings of which another says the same. O(n log n).
fn shared(blocks: &[Block]) -> BTreeSet<u32> {
    let mut all: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    let headings = (0..).zip(blocks).filter(|(_, block)| (1..Block::BOLD).contains(&block.level()));
    for (at, block) in headings {
        all.entry(&block.text).or_default().push(at);
    }
    all.into_values().filter(|same| same.len() > 1).flatten().collect()
}

/// The cards of a version, by the places of their first blocks. One that a damaged version puts
/// beyond its end, or into another, is none.
pub(crate) fn cards(blocks: &[Block]) -> impl Iterator<Item = (usize, Card)> + '_ {
    let fits = |(at, card): &(usize, Card)| {
        card.name < card.blocks && at + card.blocks as usize <= blocks.len()
    };
    let all = blocks.iter().enumerate().filter_map(|(at, block)| Some((at, block.card?)));
    let mut end = 0;
    all.filter(fits).filter(move |(at, card)| {
        let is_apart = *at >= end;
        end = if is_apart { at + card.blocks as usize } else { end };
        is_apart
    })
}

impl Reading {
    pub(crate) fn of(extract: &Extract) -> Reading {
        let bytes = extract.blocks.iter().map(|block| block.text.len() + 1).sum();
        let mut text = String::with_capacity(bytes);
        let mut blocks = Vec::with_capacity(extract.blocks.len());
        let mut headings = Vec::with_capacity(extract.blocks.len());
        let mut parents = Vec::with_capacity(extract.blocks.len());
        // Each of a lower level than the one before it.
        let mut open: Vec<(u8, u32)> = Vec::new();
        let mut asks_to_share: BTreeSet<u32> = BTreeSet::new();
        for (at, block) in (0..).zip(&extract.blocks) {
            let is_heading = |(level, _): &&(u8, u32)| *level < Block::BOLD;
            headings.push(open.iter().rev().find(is_heading).map(|(_, heading)| *heading));
            let level = block.level();
            if level > 0 {
                open.retain(|(other, _)| *other < level);
            }
            let tells = |(_, heading): &&(u8, u32)| !asks_to_share.contains(heading);
            parents.push(open.iter().rev().find(tells).map(|(_, heading)| *heading));
            if level > 0 {
                open.push((level, at));
            }
            if level > 0 && prompts::asks_to_share(&block.text) {
                asks_to_share.insert(at);
            }
            if !text.is_empty() {
                text.push(' ');
            }
            let start = text.len();
            text.push_str(&block.text);
            blocks.push(start..text.len());
        }
        stand_with_what_follows(&extract.blocks, &mut parents);
        let shared = shared(&extract.blocks);
        let things = stand_in_cards(&extract.blocks, &mut parents);
        let lists = extract.blocks.iter().map(|block| (block.list, block.begins_list)).collect();
        Reading { text, blocks, headings, parents, shared, things, labels: OnceLock::new(), lists }
    }

    /// The number of the block that a place begins in.
    pub(crate) fn block(&self, place: &Range<usize>) -> Option<usize> {
        self.blocks.partition_point(|block| block.start <= place.start).checked_sub(1)
    }

    /// The heading before a block.
    pub(crate) fn heading(&self, block: usize) -> Option<&str> {
        self.heading_in(&self.headings, block)
    }

    /// The heading before a block, by which habits are known; with the one above it, where several
    /// of the page say the same.
    pub(crate) fn section(&self, block: usize) -> Option<Cow<'_, str>> {
        let heading = self.heading(block)?;
        let at = (*self.headings.get(block)?)?;
        let above = self.shared.contains(&at).then(|| self.parent(at as usize)).flatten();
        Some(above.map_or(heading.into(), |above| format!("{above}\u{1}{heading}").into()))
    }

    /// The heading that a block stands under: of a heading, the one above it.
    pub(crate) fn parent(&self, block: usize) -> Option<&str> {
        self.heading_in(&self.parents, block)
    }

    /// What a heading says, after all that it stands under.
    pub(crate) fn path(&self, heading: usize) -> String {
        let above = |at: &usize| self.parents.get(*at).copied().flatten().map(|at| at as usize);
        let all = std::iter::successors(Some(heading), above).take(usize::from(Block::BOLD) + 1);
        let said = all.filter_map(|at| self.text.get(self.blocks.get(at)?.clone()));
        said.collect::<Vec<_>>().join("\u{1}")
    }

    /// What names the card that a block stands in.
    pub(crate) fn thing(&self, block: usize) -> Option<&str> {
        self.heading_in(&self.things, block)
    }

    /// The block that names the card in which another stands.
    pub(crate) fn thing_at(&self, block: usize) -> Option<usize> {
        Some((*self.things.get(block)?)? as usize)
    }

    /// Whether a text under another heading of the page has the label of one of these, which are of
    /// a block: then its heading says which it is.
    pub(crate) fn is_one_of_several<'t>(
        &self,
        blocks: &[Block],
        block: usize,
        mut texts: impl Iterator<Item = &'t str>,
    ) -> bool {
        let (Some(Some(own)), true) = (self.parents.get(block), blocks[block].level() == 0) else {
            return false;
        };
        let labels = self.labels.get_or_init(|| {
            let mut labels: FxHashMap<String, Under> = FxHashMap::default();
            let texts = blocks.iter().zip(&self.parents).filter(|(block, _)| block.level() == 0);
            for (block, parent) in texts.filter(|(block, _)| block.part.is_main()) {
                let (Some(label), Some(parent)) = (label(&block.text), *parent) else { continue };
                let under = labels.entry(label).or_insert(Under::One(parent));
                if *under != Under::One(parent) {
                    *under = Under::Several;
                }
            }
            labels
        });
        texts.any(|text| {
            let under = label(text).and_then(|label| labels.get(&label));
            under.is_some_and(|under| *under != Under::One(*own))
        })
    }

    fn heading_in(&self, list: &[Option<u32>], block: usize) -> Option<&str> {
        let at = (*list.get(block)?)?;
        Some(&self.text[self.blocks[at as usize].clone()])
    }

    /// What leads to the list that a block stands in: "You may not:".
    pub(crate) fn lead(&self, block: usize) -> Option<&str> {
        let (depth, _) = *self.lists.get(block)?;
        let from = block.saturating_sub(LEAD_BLOCKS_MAX);
        let before = (from..=block).rev().find_map(|at| match self.lists[at] {
            (list, _) if list < depth => Some(at),
            // A list may follow another at whose end it is announced.
            (list, true) if list == depth => at.checked_sub(1),
            _ => None,
        })?;
        let lead = &self.text[self.blocks[before].clone()];
        lead.ends_with([':', '：']).then_some(lead)
    }

    /// The sentence around a place in a block; of a long one, the words near the place.
    pub(crate) fn sentence(&self, block: usize, place: &Range<usize>) -> &str {
        let block = self.blocks[block].clone();
        let upto = place.end.clamp(block.start, block.end);
        let from = place.start.clamp(block.start, upto);
        // Beyond, the sentence is a long one.
        let far = 2 * SENTENCE_BYTES;
        let first = self.text.ceil_char_boundary(from.saturating_sub(far).max(block.start));
        let last = self.text.floor_char_boundary((upto + far).min(block.end));
        let sentence = sentences::around(&self.text[first..last], &(from - first..upto - first));
        let (start, end) = (first + sentence.start, first + sentence.end);
        if end - start <= 2 * SENTENCE_BYTES {
            return self.text[start..end].trim();
        }
        let start = start.max(self.text.ceil_char_boundary(from.saturating_sub(SENTENCE_BYTES)));
        let end = end.min(self.text.floor_char_boundary(upto + SENTENCE_BYTES));
        self.text[start..end].trim()
    }

    /// At most `bytes` of text on each side of a place.
    pub(crate) fn near(&self, place: &Range<usize>, bytes: usize) -> (&str, &str) {
        let from = self.text.ceil_char_boundary(place.start.saturating_sub(bytes));
        let upto = self.text.floor_char_boundary(place.end + bytes);
        (&self.text[from..place.start], &self.text[place.end..upto])
    }

    /// The text around a place, whole words where possible.
    pub(crate) fn context(&self, place: &Range<usize>, limits: &Limits) -> Context {
        let (before, after) = self.near(place, limits.context_bytes_max);
        let is_cut = before.len() < place.start;
        let from = if is_cut { before.find(' ').unwrap_or(0) } else { 0 };
        let is_cut = place.end + after.len() < self.text.len();
        let upto = if is_cut { after.rfind(' ').unwrap_or(after.len()) } else { after.len() };
        Context { before: before[from..].trim().to_owned(), after: after[..upto].trim().to_owned() }
    }

    /// A place with its surroundings, as one text.
    pub(crate) fn surrounded(&self, place: &Range<usize>, limits: &Limits) -> &str {
        let (before, after) = self.near(place, limits.context_bytes_max);
        &self.text[place.start - before.len()..place.end + after.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The heading that each text stands under, of a page whose lines are texts, headings with
    /// `#`.
    fn parents(page: &[&str]) -> Vec<Option<String>> {
        let block = |line: &&str| {
            let heading = line.bytes().take_while(|byte| *byte == b'#').count();
            Block { heading: heading as u8, ..Block::plain(line[heading..].trim()) }
        };
        let url = url::Url::parse("https://site.example/").expect("a URL");
        let hints = page::Hints { content_type: Some("text/html"), url: &url };
        let mut extract =
            page::read(b"<p>x</p>", &hints, &page::Limits::default()).expect("a page");
        extract.blocks = page.iter().map(block).collect();
        let reading = Reading::of(&extract);
        (0..page.len()).map(|at| reading.parent(at).map(str::to_owned)).collect()
    }

    #[test]
    fn a_text_behind_a_box_for_sharing_stands_under_the_heading_above_it() {
        let page = ["# Bridge to close", "### Share this:", "Facebook", "It shuts in March."];
        assert_eq!(parents(&page)[3].as_deref(), Some("Bridge to close"));
        let within = ["# Bridge", "## Dates", "### Share on X", "It shuts in March.", "## Why"];
        let told = parents(&within);
        let is = |at: usize| told[at].as_deref();
        assert_eq!([is(3), is(4)], [Some("Dates"), Some("Bridge")]);
        // One of the same level ends what was before it.
        let behind = ["# Bridge", "## Hours", "Mon to Fri", "## Follow us", "Write to a@b.example"];
        assert_eq!(parents(&behind)[4].as_deref(), Some("Bridge"));
        // What is shared otherwise heads a section.
        for heading in [
            "Share this burden",
            "Share price",
            "Share by country",
            "How we share your data",
            "Sharing",
        ] {
            let page = ["# Terms".to_owned(), format!("### {heading}"), "We do.".to_owned()];
            let page: Vec<&str> = page.iter().map(String::as_str).collect();
            assert_eq!(parents(&page)[2].as_deref(), Some(heading));
        }
    }

    #[test]
    fn days_before_the_headings_of_a_calendar_are_of_these() {
        let page = [
            "# Events",
            "Sat 31 Jan",
            "19:30",
            "### Open Mic",
            "Bar",
            "Sat 7 Feb",
            "### Ceilidh",
            "Hall",
            "Tickets at the door",
        ];
        let told = parents(&page);
        let is = |at: usize| told[at].as_deref();
        assert_eq!([is(1), is(2), is(5)], [Some("Open Mic"), Some("Open Mic"), Some("Ceilidh")]);
        assert_eq!([is(4), is(7), is(3)], [Some("Open Mic"), Some("Ceilidh"), Some("Events")]);
    }

    #[test]
    fn days_behind_their_headings_stay_there() {
        let behind = ["# News", "### One", "3 May 2026", "### Two", "4 May 2026"];
        let told = parents(&behind);
        assert_eq!((told[2].as_deref(), told[4].as_deref()), (Some("One"), Some("Two")));
        // The day of the page is none of its first entry's.
        let of_page = ["# News", "2 May 2026", "### One", "3 May 2026", "### Two", "4 May 2026"];
        let told = parents(&of_page);
        assert_eq!((told[1].as_deref(), told[3].as_deref()), (Some("News"), Some("One")));
    }
}
