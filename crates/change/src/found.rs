//! A change as a comparison finds it, before leaves choose and limits cut.

use crate::habits::CELL;
use crate::outline::{name_of, names_of};
use crate::passing;
use crate::prompts::{self, Prompt, Subjects};
use crate::reading::{Reading, SENTENCE_BYTES};
use crate::seen::Seen;
use crate::{Change, ChangeKind, Limits, Slight, Spans, Thing, Weight, spans, windows};
use page::{Extract, Kind, Part};
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::ops::Range;

/// The two versions, read.
pub(crate) struct Pair<'e> {
    pub(crate) old: Side<'e>,
    pub(crate) new: Side<'e>,
    /// What of the newer version earlier ones listed.
    seen: Option<&'e Seen>,
}

pub(crate) struct Side<'e> {
    pub(crate) extract: &'e Extract,
    reading: std::cell::OnceCell<Reading>,
    texts: std::cell::OnceCell<FxHashSet<&'e str>>,
    subjects: std::cell::OnceCell<Subjects>,
    /// What the main content says, by [`name_of`].
    names: std::cell::OnceCell<FxHashSet<String>>,
    /// Whether it lists numbers, each behind its name.
    lists_values: std::cell::OnceCell<bool>,
}

impl<'e> Pair<'e> {
    pub(crate) fn new(old: &'e Extract, new: &'e Extract) -> Pair<'e> {
        let side = |extract| Side {
            extract,
            reading: std::cell::OnceCell::new(),
            texts: std::cell::OnceCell::new(),
            subjects: std::cell::OnceCell::new(),
            names: std::cell::OnceCell::new(),
            lists_values: std::cell::OnceCell::new(),
        };
        Pair { old: side(old), new: side(new), seen: None }
    }

    pub(crate) fn having_seen(self, seen: Option<&'e Seen>) -> Pair<'e> {
        Pair { seen, ..self }
    }

    /// Whether the entry of a feed that came under this id was listed before.
    pub(crate) fn has_listed(&self, id: &str) -> bool {
        self.seen.is_some_and(|seen| seen.has(id))
    }

    /// A heading of the main content that came, and that the older version says nowhere there.
    pub(crate) fn heading_that_came(&self, found: &Found) -> Option<&str> {
        let heading = self.new.heading_at(found).filter(|_| found.kind == ChangeKind::Insert)?;
        (!found.is_slight && !self.old.names(heading)).then_some(heading)
    }

    /// A heading of the main content that went, and that the newer version says nowhere there.
    pub(crate) fn heading_that_went(&self, found: &Found) -> Option<&str> {
        let heading = self.old.heading_at(found).filter(|_| found.kind == ChangeKind::Delete)?;
        (!found.is_slight && !self.new.names(heading)).then_some(heading)
    }
}

/// Numbers that a page lists, each behind its name.
const VALUES_MIN: usize = 3;
/// Longer texts are no numbers alone, and no names.
const VALUE_BYTES_MAX: usize = 24;
const NAME_BYTES_MAX: usize = 60;
const NAME_LETTERS_MIN: usize = 3;

impl Side<'_> {
    pub(crate) fn reading(&self) -> &Reading {
        self.reading.get_or_init(|| Reading::of(self.extract))
    }

    /// Whether the page is about what it may ask of its readers.
    fn is_about(&self, prompt: Prompt) -> bool {
        self.subjects.get_or_init(|| Subjects::of(self.extract)).contain(prompt)
    }

    /// Whether the main content says this, in a block or a cell of a row, with whatever number
    /// before it and whatever mark behind it.
    fn names(&self, heading: &str) -> bool {
        let names = || names_of(&self.extract.blocks);
        self.names.get_or_init(names).contains(&name_of(heading))
    }

    /// Whether a block says this.
    pub(crate) fn says(&self, text: &str) -> bool {
        let texts = || self.extract.blocks.iter().map(|block| &*block.text).collect();
        self.texts.get_or_init(texts).contains(text)
    }
}

/// Further sentences of a word that are told.
pub(crate) const ELSEWHERE_MAX: usize = 4;

/// Where a change is, in the joined text of a version.
#[derive(Debug, Clone)]
pub(crate) enum Spot {
    Old(Range<usize>),
    New(Range<usize>),
}

/// A change without context, and where to find that.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) kind: ChangeKind,
    pub(crate) old: Option<Thing>,
    pub(crate) new: Option<Thing>,
    pub(crate) patterns: Vec<String>,
    pub(crate) place: Option<Spot>,
    /// Further places of a word in the same version, where it came or went, too.
    pub(crate) elsewhere: Vec<Spot>,
    /// It says nothing new: only its place is another, or it made room.
    pub(crate) is_slight: bool,
    /// What is said of it all the same.
    pub(crate) slight: Option<Slight>,
    /// It only follows another change, which tells it.
    pub(crate) follows: bool,
    /// It counts members of a list, which say themselves that they came or went.
    pub(crate) is_count: bool,
    /// Where a link or a picture of `any` stands, whatever its block is.
    pub(crate) part: Option<Part>,
    /// Where an entry of a feed leads.
    pub(crate) link: Option<String>,
    /// What people are told in place of `old` and `new`, where that says more: rows of tables with
    /// what heads their cells.
    pub(crate) told: Option<Box<[Option<Thing>; 2]>>,
}

impl Found {
    pub(crate) fn insert(new: Thing) -> Found {
        Found::between(ChangeKind::Insert, None, Some(new))
    }

    pub(crate) fn delete(old: Thing) -> Found {
        Found::between(ChangeKind::Delete, Some(old), None)
    }

    pub(crate) fn update(old: Thing, new: Thing) -> Found {
        Found::between(ChangeKind::Update, Some(old), Some(new))
    }

    pub(crate) fn between(kind: ChangeKind, old: Option<Thing>, new: Option<Thing>) -> Found {
        Found {
            kind,
            old,
            new,
            patterns: Vec::new(),
            place: None,
            elsewhere: Vec::new(),
            is_slight: false,
            slight: None,
            follows: false,
            is_count: false,
            part: None,
            link: None,
            told: None,
        }
    }

    pub(crate) fn at(mut self, place: Spot) -> Found {
        self.place = Some(place);
        self
    }

    /// It stands at the first of these places, and at the others, too; if there is none, where it
    /// did.
    pub(crate) fn at_each(&mut self, places: Vec<Spot>) {
        let mut places = places.into_iter();
        if let Some(first) = places.next() {
            self.place = Some(first);
            self.elsewhere = places.collect();
        }
    }

    /// It leads there; empty: nowhere.
    pub(crate) fn leading(mut self, address: &str) -> Found {
        self.link = (!address.is_empty()).then(|| address.to_owned());
        self
    }

    pub(crate) fn slight(mut self) -> Found {
        self.is_slight = true;
        self
    }

    pub(crate) fn slight_as(mut self, slight: Slight) -> Found {
        self.slight = Some(slight);
        self.slight()
    }

    /// The text that came, else the one that went.
    pub(crate) fn text(&self) -> Option<&str> {
        match self.new.as_ref().or(self.old.as_ref()) {
            Some(Thing::Text { text }) => Some(text),
            _ => None,
        }
    }

    /// What people are told that it was, and that it is.
    pub(crate) fn told(&self) -> [&Option<Thing>; 2] {
        self.told.as_deref().map_or([&self.old, &self.new], |told| told.each_ref())
    }

    /// What people are told that happened: of an edit, what it lost or got alone, where the rest is
    /// told elsewhere.
    fn told_kind(&self) -> ChangeKind {
        match (self.kind, self.told()) {
            (ChangeKind::Move, _) => ChangeKind::Move,
            (_, [Some(_), Some(_)]) => ChangeKind::Update,
            (_, [None, Some(_)]) => ChangeKind::Insert,
            (_, [Some(_), None]) => ChangeKind::Delete,
            (kind, [None, None]) => kind,
        }
    }

    pub(crate) fn about(mut self, patterns: Vec<String>) -> Found {
        self.patterns = patterns;
        self
    }

    /// The change for a result: with context, and no text longer than `text_bytes_max`.
    pub(crate) fn change(&self, pair: &Pair<'_>, limits: &Limits, text_bytes_max: usize) -> Change {
        let clip = |thing: &Option<Thing>| thing.as_ref().map(|t| clip_thing(t, text_bytes_max));
        let [whole_old, whole_new] = self.told();
        let (old, new) = match (whole_old, whole_new) {
            (Some(Thing::Text { text: old }), Some(Thing::Text { text: new })) if old != new => {
                let (old, new) = windows(old, new, text_bytes_max);
                (Some(Thing::Text { text: old }), Some(Thing::Text { text: new }))
            }
            (old, new) => (clip(old), clip(new)),
        };
        let spans = match (&old, &new) {
            (Some(Thing::Text { text: old }), Some(Thing::Text { text: new })) => spans(old, new),
            _ => Spans::default(),
        };
        let about = Change {
            patterns: self.patterns.clone(),
            spans,
            weight: self.weight(pair),
            link: self.link.clone().filter(|link| link.len() <= text_bytes_max),
            heads_anew: pair.heading_that_came(self).is_some(),
            truncated: old != *whole_old || new != *whole_new,
            ..Change::between(self.told_kind(), old, new)
        };
        let change = match &self.place {
            None => return about,
            Some(Spot::Old(place)) => pair.old.change_at(about, place, limits),
            Some(Spot::New(place)) => pair.new.change_at(about, place, limits),
        };
        let mut elsewhere: Vec<String> = Vec::new();
        for spot in &self.elsewhere {
            let sentence = match spot {
                Spot::Old(place) => pair.old.sentence(place),
                Spot::New(place) => pair.new.sentence(place),
            };
            let is_new = |one: &Cow<'_, str>| {
                change.sentence.as_deref() != Some(one) && !elsewhere.iter().any(|has| has == one)
            };
            if let Some(sentence) =
                sentence.filter(is_new).filter(|_| elsewhere.len() < ELSEWHERE_MAX)
            {
                elsewhere.push(sentence.into_owned());
            }
        }
        Change { elsewhere, ..change }
    }

    /// How much it counts, by the part of the page it stands in.
    pub(crate) fn weight(&self, pair: &Pair<'_>) -> Weight {
        let is_passing = match pair.new.extract.kind {
            Kind::Html => self.is_passing() || self.is_only_revision(pair),
            Kind::Json | Kind::Xml => {
                self.text().is_some_and(passing::says_when_made) || self.is_of_other_tokens()
            }
            Kind::Feed => self.is_written_otherwise(),
            Kind::Text => self.is_another_revision(),
        };
        if self.is_slight || self.follows || is_passing {
            return Weight::PASSING;
        }
        let part = match (self.part, &self.place) {
            (Some(part), _) => part,
            (None, None) => Part::Main,
            (None, Some(Spot::Old(place))) => pair.old.part(place),
            (None, Some(Spot::New(place))) => pair.new.part(place),
        };
        match part {
            Part::Main | Part::Control if self.is_label() || self.praises() || self.asks(pair) => {
                Weight::FRAME
            }
            Part::Main if self.is_count => Weight::AGAIN,
            Part::Main => Weight::FULL,
            Part::Frame => Weight::FRAME,
            Part::Control => self.weight_of_control(),
        }
    }

    /// An advertisement, or what a customer says in praise.
    fn praises(&self) -> bool {
        let mut things = self.old.iter().chain(&self.new);
        things.all(|thing| match thing {
            Thing::Text { text } => {
                passing::is_advertisement(text) || passing::is_testimonial(text)
            }
            _ => false,
        })
    }

    /// What a site asks of whoever reads it came or went, or gave way to the like.
    fn asks(&self, pair: &Pair<'_>) -> bool {
        if pair.new.extract.kind != Kind::Html {
            return false;
        }
        let asks = |thing: &Thing, side: &Side<'_>| {
            let Thing::Text { text } = thing else { return false };
            match prompts::prompt(text) {
                Some(prompt) => !side.is_about(prompt),
                None => prompts::is_answer(text) && self.answers(side),
            }
        };
        let old = self.old.iter().map(|thing| asks(thing, &pair.old));
        let new = self.new.iter().map(|thing| asks(thing, &pair.new));
        let mut all = old.chain(new).peekable();
        all.peek().is_some() && all.all(|asks| asks)
    }

    /// Whether it is among the answers behind a prompt.
    fn answers(&self, side: &Side<'_>) -> bool {
        let (ChangeKind::Insert | ChangeKind::Delete, Some(place)) = (self.kind, &self.place)
        else {
            return false;
        };
        let (Spot::Old(place) | Spot::New(place)) = place;
        let Some(at) = side.reading().block(place) else { return false };
        let before = side.extract.blocks[..at].iter().rev().take(prompts::ANSWERS_MAX);
        let asked = before.map(|block| &*block.text).find(|text| !prompts::is_answer(text));
        let prompt = asked.and_then(prompts::prompt);
        prompt.is_some_and(|prompt| prompt != Prompt::Return && !side.is_about(prompt))
    }

    /// A member that holds the same address with another token.
    fn is_of_other_tokens(&self) -> bool {
        match (&self.old, &self.new) {
            (Some(Thing::Text { text: old }), Some(Thing::Text { text: new })) => {
                passing::are_of_other_tokens(old, new)
            }
            _ => false,
        }
    }

    /// A label came or went, or stands where a tool or another one stood.
    fn is_label(&self) -> bool {
        let texts = || {
            self.old.iter().chain(&self.new).map(|thing| match thing {
                Thing::Text { text } => text.as_str(),
                _ => "",
            })
        };
        let is_tool = |text: &str| text.len() <= passing::LABEL_BYTES_MAX && passing::is_tool(text);
        texts().any(passing::is_label)
            && texts().all(|text| !text.is_empty() && (passing::is_label(text) || is_tool(text)))
    }

    /// A tool that is there is no news: a button that copies, shares, searches. Any other control
    /// may be what somebody waits for, and so may another word on one.
    fn weight_of_control(&self) -> Weight {
        let is_only_there = matches!(self.kind, ChangeKind::Insert | ChangeKind::Delete);
        if is_only_there && self.text().is_some_and(passing::is_tool) {
            Weight::FRAME
        } else {
            Weight::FULL
        }
    }

    /// An entry with other capitals or quotes, cut elsewhere, or with more comments.
    fn is_written_otherwise(&self) -> bool {
        match (&self.old, &self.new) {
            (Some(Thing::Text { text: old }), Some(Thing::Text { text: new })) => {
                passing::are_written_alike(old, new)
                    || Slight::of_update(old, new).is_some()
                    || passing::are_of_other_counts(old, new)
            }
            _ => false,
        }
    }

    /// What is said of an entry that is no news.
    pub(crate) fn counted_as(&self, kind: Kind) -> Option<Slight> {
        match (&self.old, &self.new) {
            (Some(Thing::Text { text: old }), Some(Thing::Text { text: new }))
                if kind == Kind::Feed && self.kind == ChangeKind::Update =>
            {
                Slight::of_update(old, new)
            }
            _ => self.slight,
        }
    }

    /// The line of a text that says when it was touched last has another date.
    fn is_another_revision(&self) -> bool {
        match (&self.old, &self.new) {
            (Some(Thing::Text { text: old }), Some(Thing::Text { text: new })) => {
                let mut both = [old, new].into_iter();
                both.all(|text| passing::is_revision_of_page(text)) && passing::are_alike(old, new)
            }
            _ => false,
        }
    }

    /// The one line of its version that says when the page was touched last came or went. Several
    /// are a history of it.
    fn is_only_revision(&self, pair: &Pair<'_>) -> bool {
        let side = match self.kind {
            ChangeKind::Insert => &pair.new,
            ChangeKind::Delete => &pair.old,
            ChangeKind::Update | ChangeKind::Move => return false,
        };
        let is_revision = |text: &str| passing::is_revision_of_page(text);
        let lines = || side.extract.blocks.iter().filter(|block| is_revision(&block.text));
        self.text().is_some_and(is_revision) && lines().nth(1).is_none()
    }

    fn is_passing(&self) -> bool {
        let text = |thing: &Option<Thing>| match thing {
            Some(Thing::Text { text }) => Some(text.clone()),
            _ => None,
        };
        match (text(&self.old), text(&self.new)) {
            (Some(old), Some(new)) => old != new && passing::are_alike(&old, &new),
            (Some(one), None) | (None, Some(one)) => passing::is_nothing_else(&one),
            (None, None) => false,
        }
    }
}

impl Side<'_> {
    /// A change at a place of this version, with what stands around it.
    fn change_at(&self, change: Change, place: &Range<usize>, limits: &Limits) -> Change {
        let reading = self.reading();
        let block = reading.block(place);
        let is_word =
            matches!(change.new.as_ref().or(change.old.as_ref()), Some(Thing::Word { .. }));
        let sentence = is_word.then(|| self.sentence(place)).flatten();
        let is_behind = |thing: &Thing| matches!(thing, Thing::Link { .. } | Thing::Image { .. });
        let is_behind = change.new.iter().chain(&change.old).any(is_behind);
        // A link says nothing of the row it stands in.
        let row = block.filter(|_| is_behind).and_then(|block| self.row_name(block));
        let thing = block.and_then(|block| row.as_deref().or(reading.thing(block)));
        let heading = block.and_then(|block| row.as_deref().or(reading.parent(block)));
        let blocks = &self.extract.blocks;
        let texts = || change.old.iter().chain(&change.new).map(Thing::text);
        let is_one_of = |block| reading.is_one_of_several(blocks, block, texts());
        let is_update = change.kind == ChangeKind::Update;
        let is_of_thing =
            heading.is_some() && (heading == thing || is_update && block.is_some_and(is_one_of));
        let value_of = block.filter(|_| is_update).and_then(|block| self.name_of_value(block));
        let (heading, is_of_thing) =
            value_of.map_or((heading, is_of_thing), |name| (Some(name), true));
        let heads = |block: &page::Block| (1..page::Block::BOLD).contains(&block.level());
        let own = block.and_then(|at| blocks.get(at)).filter(|_| !is_behind && !is_word);
        let heads = own.is_some_and(|block| heads(block) && block.part.is_main());
        let lead = block.and_then(|block| reading.lead(block)).filter(|lead| heading != Some(lead));
        Change {
            context: reading.context(place, limits),
            heading: heading.map(|heading| clip(heading, limits.context_bytes_max)),
            is_of_thing,
            heads,
            lead: lead.map(|lead| clip_start(lead, limits.context_bytes_max)),
            sentence: sentence.map(Cow::into_owned),
            ..change
        }
    }

    /// What a number alone is of, where a page lists several without a table: the name before it.
    fn name_of_value(&self, block: usize) -> Option<&str> {
        let own = self.name_before_value(block)?;
        let all = || (0..self.extract.blocks.len()).filter_map(|at| self.name_before_value(at));
        let lists_values = || all().nth(VALUES_MIN - 1).is_some();
        self.lists_values.get_or_init(lists_values).then_some(own)
    }

    /// The name before a number alone, unless another name follows: it may be that of the number.
    fn name_before_value(&self, at: usize) -> Option<&str> {
        let blocks = &self.extract.blocks;
        let is_plain = |block: &page::Block| {
            block.level() == 0 && block.row.is_none() && block.list == 0 && block.part.is_main()
        };
        let is_value = |block: &page::Block| {
            is_plain(block)
                && block.text.len() <= VALUE_BYTES_MAX
                && block.text.contains(|c: char| c.is_ascii_digit())
                && !block.text.contains(char::is_alphabetic)
        };
        let is_name = |block: &page::Block| {
            let letters = block.text.chars().filter(|c| c.is_alphabetic());
            let is_short = block.text.len() <= NAME_BYTES_MAX && !block.text.ends_with('.');
            is_plain(block)
                && is_short
                && letters.take(NAME_LETTERS_MIN).count() == NAME_LETTERS_MIN
        };
        let before = blocks.get(at.checked_sub(1)?)?;
        let is_named = is_value(blocks.get(at)?)
            && is_name(before)
            && !blocks.get(at + 1).is_some_and(is_name);
        is_named.then_some(&*before.text)
    }

    /// The sentence around a place. In a table that is the row, with the headings of its columns;
    /// of a longer row, what stands near the place.
    pub(crate) fn sentence(&self, place: &Range<usize>) -> Option<Cow<'_, str>> {
        let block = self.reading().block(place)?;
        let is_row = self.extract.blocks.get(block).is_some_and(|block| block.row.is_some());
        let row = self.extract.told(block).filter(|_| is_row);
        let sentence = || Cow::Borrowed(self.reading().sentence(block, place));
        Some(row.filter(|row| row.len() <= 2 * SENTENCE_BYTES).unwrap_or_else(sentence))
    }

    /// What a row of a table is called; of one without headings, its first cell with letters.
    fn row_name(&self, block: usize) -> Option<String> {
        if let Some(name) = self.extract.row_name(block) {
            return Some(name.cells.join(" "));
        }
        let text = &self.extract.blocks.get(block)?.text;
        let is_row = text.contains(CELL);
        let mut cells = text.split(CELL).filter(|_| is_row);
        cells.find(|cell| cell.contains(char::is_alphabetic)).map(str::to_owned)
    }

    /// The heading of the main content that came or went in this version.
    pub(crate) fn heading_at(&self, found: &Found) -> Option<&str> {
        self.main_block_at(found).filter(|block| block.level() > 0).map(|block| &*block.text)
    }

    /// The text of the main content that came or went in this version.
    pub(crate) fn main_text_at(&self, found: &Found) -> Option<&str> {
        self.main_block_at(found).map(|block| &*block.text)
    }

    fn main_block_at(&self, found: &Found) -> Option<&page::Block> {
        found.text()?;
        let (Spot::Old(place) | Spot::New(place)) = found.place.as_ref()?;
        let block = self.extract.blocks.get(self.reading().block(place)?)?;
        block.part.is_main().then_some(block)
    }

    pub(crate) fn part(&self, place: &Range<usize>) -> Part {
        let block = self.reading().block(place).and_then(|at| self.extract.blocks.get(at));
        block.map_or(Part::Main, |block| block.part)
    }
}

fn clip_thing(thing: &Thing, bytes_max: usize) -> Thing {
    let clip = |text: &str| clip(text, bytes_max);
    match thing {
        Thing::Link { href, text } => Thing::Link { href: clip(href), text: clip(text) },
        Thing::Image { src, alt } => Thing::Image { src: clip(src), alt: clip(alt) },
        Thing::Value { value, unit, text } => {
            Thing::Value { value: value.clone(), unit: unit.clone(), text: clip(text) }
        }
        Thing::Item { id, title, href } => {
            Thing::Item { id: clip(id), title: clip(title), href: clip(href) }
        }
        Thing::Word { word, count } => Thing::Word { word: clip(word), count: *count },
        Thing::Text { text } => Thing::Text { text: clip(text) },
    }
}

fn clip(text: &str, bytes_max: usize) -> String {
    if text.len() <= bytes_max {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(bytes_max)])
}

/// The end of a text, from a word on.
fn clip_start(text: &str, bytes_max: usize) -> String {
    let from = text.ceil_char_boundary(text.len().saturating_sub(bytes_max));
    let kept = &text[from..];
    match kept.split_once(' ') {
        Some((_, rest)) if from > 0 => format!("… {rest}"),
        None if from > 0 => format!("…{kept}"),
        _ => kept.to_owned(),
    }
}

/// The strings of a thing.
pub(crate) fn texts(thing: &Thing) -> [&str; 2] {
    match thing {
        Thing::Link { href, text } => [text, href],
        Thing::Image { src, alt } => [alt, src],
        Thing::Item { title, href, .. } => [title, href],
        Thing::Word { word: text, .. } | Thing::Value { text, .. } | Thing::Text { text } => {
            [text, ""]
        }
    }
}
