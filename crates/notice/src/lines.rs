//! The lines of a message: one for each change, and one for each sentence that words were found in.

use crate::{CHANGES_IN_SIGHT, Change, Notice, Presentation, SHOWN_BESIDE};
use change::{Aspect, ChangeKind, Thing};

/// What is told in one line.
#[derive(Debug, Clone, PartialEq)]
pub struct Line<'n> {
    /// At least one: several where a sentence holds them all, or where leaves keep the same change.
    pub changes: Vec<&'n Change>,
    /// The sentence that all of them stand in.
    pub sentence: Option<&'n str>,
}

/// What is told of the changes of a body.
#[derive(Debug, Default)]
pub struct Lines<'n> {
    pub lines: Vec<Line<'n>>,
    /// Entries of the body's list that the lines stand for.
    pub told: u64,
    /// The changes that are not told.
    pub untold: Vec<&'n Change>,
}

impl Notice {
    /// The first lines of what it tells, at most `most`. A change that several leaves keep is
    /// listed for each of them, and told once. What was found in one sentence is told together,
    /// and a word of several sentences by each. O(changes × most).
    pub fn lines(&self, most: usize) -> Lines<'_> {
        let mut all = Lines::default();
        let mut untold: Vec<&Change> = Vec::new();
        for change in &self.changes {
            let sentences = self.sentences_of(change);
            let mut is_told = sentences.is_empty() && all.tell(change, most);
            for sentence in sentences {
                is_told |= all.tell_in(change, sentence, most);
            }
            // One that several leaves keep is one.
            if is_told || self.leaves.len() > 1 && untold.iter().any(|one| one.is_same(change)) {
                all.told += 1;
            } else {
                untold.push(change);
            }
        }
        all.untold = untold;
        all
    }

    /// The lines that a message shows: one or two more than are in sight, if these are all.
    /// O(changes).
    pub fn lines_in_sight(&self) -> Lines<'_> {
        let all = self.lines(CHANGES_IN_SIGHT + SHOWN_BESIDE);
        let are_all = all.untold.is_empty() && all.told >= self.changes_total;
        if are_all { all } else { self.lines(CHANGES_IN_SIGHT) }
    }

    /// The sentences that a change is told by: what is found in them stands there. Who asks to see
    /// keywords and phrases in frames sees each in its own.
    fn sentences_of<'n>(&self, change: &'n Change) -> Vec<&'n str> {
        let frames = [Presentation::DualFrame, Presentation::Merged];
        let is_framed = self.presentation.is_some_and(|asked| frames.contains(&asked));
        let is_any_of =
            |aspects: &[Aspect]| aspects.iter().any(|one| one.row().name == change.change_type);
        let by_sentence = is_any_of(&[Aspect::Words])
            || !is_framed && is_any_of(&[Aspect::Keywords, Aspect::Phrases]);
        // Where a phrase became another, old and new speak for themselves.
        let is_exchanged = change.old.is_some() && change.new.is_some();
        let Some(thing) = thing_of(change)
            .filter(|thing| by_sentence && !(is_exchanged && thing.count().is_none()))
        else {
            return Vec::new();
        };
        let stands_there =
            |sentence: &&str| !spans_of(sentence, [thing.text()].into_iter()).is_empty();
        let Some(first) = change.sentence.as_deref().filter(stands_there) else {
            return Vec::new();
        };
        let others = change.elsewhere.iter().map(String::as_str).filter(stands_there);
        std::iter::once(first).chain(others).collect()
    }
}

impl<'n> Lines<'n> {
    /// Whether there is a line for it.
    fn tell(&mut self, change: &'n Change, most: usize) -> bool {
        let tells = |line: &&mut Line<'n>| {
            line.sentence.is_none()
                && line.changes[0].is_same(change)
                && !line.changes.iter().any(|known| known.leaf == change.leaf)
        };
        if let Some(line) = self.lines.iter_mut().find(tells) {
            line.changes.push(change);
            return true;
        }
        self.begin(Line { changes: vec![change], sentence: None }, most)
    }

    /// Whether there is a line for it in this sentence.
    fn tell_in(&mut self, change: &'n Change, sentence: &'n str, most: usize) -> bool {
        let is_of = |line: &&mut Line<'n>| {
            line.sentence == Some(sentence) && line.changes[0].source == change.source
        };
        if let Some(line) = self.lines.iter_mut().find(is_of) {
            line.changes.push(change);
            return true;
        }
        self.begin(Line { changes: vec![change], sentence: Some(sentence) }, most)
    }

    fn begin(&mut self, line: Line<'n>, most: usize) -> bool {
        let has_room = self.lines.len() < most;
        if has_room {
            self.lines.push(line);
        }
        has_room
    }
}

impl Line<'_> {
    /// What became of it: of several changes of different kinds, an update.
    pub fn kind(&self) -> ChangeKind {
        let mut kinds = self.changes.iter().map(|change| kind_of(change));
        let first = kinds.next().unwrap_or(ChangeKind::Update);
        if kinds.all(|kind| kind == first) { first } else { ChangeKind::Update }
    }

    /// The words of the sentence that came or went, in code points, ascending; with nothing but
    /// white space between them they are one.
    pub fn spans(&self) -> Vec<(u32, u32)> {
        let Some(sentence) = self.sentence else { return Vec::new() };
        let things = self.changes.iter().filter_map(|change| thing_of(change));
        joined(sentence, spans_of(sentence, things.map(Thing::text)))
    }

    /// What the sentence does not say of its changes: how often a word occurs, what a phrase was.
    /// Of a word of several sentences, the first says it.
    pub fn remarks(&self) -> Vec<String> {
        let is_first = |change: &&&Change| change.sentence.as_deref() == self.sentence;
        // Nobody asked how often one of all words occurs.
        let is_named = |change: &&&Change| change.change_type != Aspect::Words.row().name;
        let own = self.changes.iter().filter(|_| self.sentence.is_some());
        let own = own.filter(is_first).filter(is_named);
        let mut remarks: Vec<String> = Vec::new();
        for remark in own.filter_map(|change| remark_of(change)) {
            if !remarks.contains(&remark) {
                remarks.push(remark);
            }
        }
        remarks
    }
}

/// What came, else what went.
fn thing_of(change: &Change) -> Option<&Thing> {
    change.new.as_ref().or(change.old.as_ref())
}

/// What became of a change in its sentence: it came there, or went from it.
fn kind_of(change: &Change) -> ChangeKind {
    let count = |thing: &Option<Thing>| thing.as_ref().and_then(Thing::count);
    match (change.kind, count(&change.old), count(&change.new)) {
        (ChangeKind::Update, Some(old), Some(new)) if old < new => ChangeKind::Insert,
        (ChangeKind::Update, Some(old), Some(new)) if old > new => ChangeKind::Delete,
        (kind, ..) => kind,
    }
}

fn remark_of(change: &Change) -> Option<String> {
    let counted = |thing: &Thing| thing.count().unwrap_or(1);
    let word = thing_of(change)?.text();
    match (change.old.as_ref(), change.new.as_ref()) {
        (Some(Thing::Text { text: old }), Some(Thing::Text { .. })) => {
            Some(format!("{old} → {word}"))
        }
        (Some(old), Some(new)) => Some(format!("{word} ×{} → ×{}", counted(old), counted(new))),
        (Some(one), None) | (None, Some(one)) if counted(one) > 1 => {
            Some(format!("{word} ×{}", counted(one)))
        }
        _ => None,
    }
}

/// Spans, ascending, of which those with nothing but white space between them are one.
fn joined(text: &str, spans: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    let chars: Vec<char> = text.chars().collect();
    let mut all: Vec<(u32, u32)> = Vec::with_capacity(spans.len());
    for (from, to) in spans {
        let is_blank = |last: &(u32, u32)| {
            let between = chars.get(last.1 as usize..from as usize);
            between.is_some_and(|between| between.iter().all(|c| c.is_whitespace()))
        };
        match all.last_mut() {
            Some(last) if is_blank(last) => last.1 = to,
            _ => all.push((from, to)),
        }
    }
    all
}

/// What stands between two cells of a row.
const BETWEEN_CELLS: [char; 3] = [' ', '|', ' '];

/// The spans of some words in a text, without case, ascending; whole words where there are any.
/// O(length of the text × length of the words).
fn spans_of<'w>(text: &str, words: impl Iterator<Item = &'w str>) -> Vec<(u32, u32)> {
    let lower = |text: &str| -> Vec<char> {
        text.chars().map(|c| c.to_lowercase().next().unwrap_or(c)).collect()
    };
    let all = lower(text);
    let is_part = |at: Option<usize>| {
        at.and_then(|at| all.get(at)).is_some_and(|c: &char| c.is_alphanumeric())
    };
    let is_row = all.windows(BETWEEN_CELLS.len()).any(|found| found == BETWEEN_CELLS);
    let mut spans: Vec<(u32, u32)> = Vec::new();
    for word in words.map(lower).filter(|word| !word.is_empty()) {
        let places = all.windows(word.len()).enumerate().filter(|(_, place)| *place == word);
        let mut places: Vec<usize> = places.map(|(at, _)| at).collect();
        let is_whole = |at: &usize| !is_part(at.checked_sub(1)) && !is_part(Some(at + word.len()));
        // Some scripts have no blanks between words.
        if places.iter().any(is_whole) {
            places.retain(is_whole);
        }
        // In a row of a table, what a cell says goes before what heads its column.
        let is_heading = |at: &usize| {
            let rest = &all[at + word.len()..];
            let ends = |mark: &[char]| rest.windows(mark.len()).position(|found| found == mark);
            let end = ends(&BETWEEN_CELLS).unwrap_or(rest.len());
            ends(&[':', ' ']).is_some_and(|at| at < end)
        };
        if is_row && places.iter().any(|at| !is_heading(at)) {
            places.retain(|at| !is_heading(at));
        }
        spans.extend(places.into_iter().map(|at| (at as u32, (at + word.len()) as u32)));
    }
    spans.sort_unstable();
    let mut apart: Vec<(u32, u32)> = Vec::new();
    for (start, end) in spans {
        match apart.last_mut() {
            Some(last) if start < last.1 => last.1 = last.1.max(end),
            _ => apart.push((start, end)),
        }
    }
    apart
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(change_type: &str, word: &str, sentence: &str) -> Change {
        Change {
            change_type: change_type.into(),
            kind: ChangeKind::Insert,
            new: Some(Thing::Word { word: word.into(), count: 1 }),
            sentence: Some(sentence.into()),
            ..Change::default()
        }
    }

    /// The sentences that are told with their marked words, and how many entries they stand for.
    fn told(changes: Vec<Change>, most: usize) -> (Vec<String>, u64) {
        let notice = Notice { changes, ..Notice::default() };
        let lines = notice.lines(most);
        let marked = |line: &Line<'_>| {
            let sentence: Vec<char> = line.sentence.unwrap_or("-").chars().collect();
            let mut said = String::new();
            for (at, c) in sentence.iter().enumerate() {
                let is_in = |at: usize| {
                    line.spans().iter().any(|&(from, to)| (from..to).contains(&(at as u32)))
                };
                said.push_str(if is_in(at) && (at == 0 || !is_in(at - 1)) { "«" } else { "" });
                said.push(*c);
                said.push_str(if is_in(at) && !is_in(at + 1) { "»" } else { "" });
            }
            said
        };
        (lines.lines.iter().map(marked).collect(), lines.told)
    }

    #[test]
    fn words_of_one_sentence_are_one_line() {
        let rose = "Oil and gas rose.";
        let changes = vec![
            word("words", "Oil", rose),
            word("words", "fell", "Prices fell."),
            word("words", "gas", rose),
        ];
        let said = ["«Oil» and «gas» rose.", "Prices «fell»."].map(str::to_owned);
        assert_eq!(told(changes.clone(), 9), (said.to_vec(), 3));
        assert_eq!(told(changes, 1), (said[..1].to_vec(), 2));
    }

    #[test]
    fn a_word_of_several_sentences_is_told_by_each() {
        let sentences = ["Oil rose.", "Sell oil!", "Who has oil?"];
        let elsewhere = sentences[1..].iter().map(|one| (*one).to_owned()).collect();
        let oil = Change { elsewhere, ..word("keywords", "oil", sentences[0]) };
        let rose = word("keywords", "rose", sentences[0]);
        let said = ["«Oil rose».", "Sell «oil»!", "Who has «oil»?"].map(str::to_owned);
        assert_eq!(told(vec![oil.clone(), rose], 9), (said.to_vec(), 2));
        assert_eq!(told(vec![oil], 2).0.len(), 2, "as many as there is room for");
    }

    #[test]
    fn what_heads_a_column_is_marked_only_where_no_cell_says_it() {
        let row = "Racine: Open since: 2019 | State: open";
        assert_eq!(spans_of(row, ["open"].into_iter()), [(34, 38)]);
        assert_eq!(spans_of(row, ["state"].into_iter()), [(27, 32)]);
        assert_eq!(spans_of(row, ["Racine"].into_iter()), [(0, 6)]);
    }

    #[test]
    fn the_words_of_a_text_are_found_without_case() {
        let spans =
            |words: &[&'static str]| spans_of("oil, Gas of gasoline", words.iter().copied());
        assert_eq!(spans(&["gas", "oil"]), [(0, 3), (5, 8)]);
        assert_eq!(spans(&["gas of", "gas", "soli"]), [(5, 11), (14, 18)]);
    }
}
