//! What was found, for people: changes of a notification, a detection or a difference.

use super::marked::struck_through;
use super::sentinel_place;
use super::shown::{plain, short};
use crate::wire;
use change::{Aspect, Behind, ChangeKind, Context, Fate, Run, Thing, struck_runs};
use notice::{Line, Notice, Presentation};

/// A change as people read it.
pub(super) struct Change {
    /// `insert`, `delete`, `update` or `move`.
    pub(super) class: &'static str,
    pub(super) sign: &'static str,
    pub(super) word: &'static str,
    pub(super) thing: String,
    pub(super) before: String,
    pub(super) after: String,
    pub(super) parts: Vec<Part>,
    /// Old and new stand side by side.
    pub(super) is_dual: bool,
    /// A web address the change leads to.
    pub(super) link: Option<String>,
    /// The heading it stands under, and what leads to its list; empty where that was said of the
    /// change before.
    pub(super) under: String,
    /// How often a word occurs, or what else its sentence does not say; may be empty.
    pub(super) remark: String,
    /// Why it is held back; empty if it is told.
    pub(super) held_back: &'static str,
}

/// A piece of a change.
pub(super) struct Part {
    /// `same`, `old` or `new`.
    pub(super) mark: &'static str,
    pub(super) text: String,
}

/// A piece as it is shown.
pub(super) struct Shown {
    pub(super) mark: &'static str,
    /// Escaped; what is struck out has a line through it. Without the blank that ends what went or
    /// came.
    pub(super) html: String,
    pub(super) ends_with_blank: bool,
}

/// The pieces of a change, as they are shown on a side, `old` or `new`.
pub(super) fn shown(parts: &[Part], side: &str) -> Vec<Shown> {
    let fate = |mark: &str| match mark {
        "old" => Fate::Delete,
        "new" => Fate::Insert,
        _ => Fate::Same,
    };
    let texts: Vec<_> = parts.iter().map(|part| (fate(part.mark), &*part.text)).collect();
    let shown = |(part, runs): (&Part, Vec<Run<'_>>)| {
        let html = struck_through(&runs);
        let html = if part.mark == "same" { html } else { html.trim_end().to_owned() };
        Shown { mark: part.mark, html, ends_with_blank: part.text.ends_with(' ') }
    };
    parts.iter().zip(struck_runs(&texts, fate(side))).map(shown).collect()
}

/// What a notification says: one list of changes, or one per member of a digest.
pub(super) struct Section {
    pub(super) heading: String,
    pub(super) leaves: String,
    pub(super) changes: Vec<Change>,
    /// Where the page is, and how that is shown.
    pub(super) page: Option<(String, String)>,
    /// The sentinel and the versions, where the whole text can be compared.
    pub(super) compared: Option<String>,
    /// Changes that are not listed.
    pub(super) more: u64,
    /// What is said of those that were held back; empty if none was.
    pub(super) held_back: String,
    /// Pages that were looked at because of it.
    pub(super) pages: Vec<Page>,
    /// Those of them that gave no answer in time, a sentence each.
    pub(super) missed: Vec<String>,
}

/// A page that was looked at because of what was found, and the beginning of what it held.
pub(super) struct Page {
    pub(super) name: String,
    pub(super) link: Option<String>,
    pub(super) held: String,
}

/// What a notification tells, as far as there is room, and how many sections are left out.
pub(super) fn sections(notice: &Notice, room: Room) -> (Vec<Section>, usize) {
    let own = (!notice.changes.is_empty()).then_some(notice);
    let all = own.into_iter().chain(notice.notifications.iter().flatten());
    let left_out = all.clone().count().saturating_sub(room.changes);
    (all.take(room.changes).map(|one| Section::of(one, room)).collect(), left_out)
}

/// Where the first page of a notification is, and how that is shown.
fn first_page(notice: &Notice) -> Option<(String, String)> {
    let source = notice.sources.first()?;
    let link = web_address(source.final_url.as_deref().unwrap_or(&source.url))?;
    let shown = plain(&short(&link));
    Some((link, shown))
}

/// Where the versions of the first page are compared as a whole.
fn compared(notice: &Notice) -> Option<String> {
    let source = notice.sources.first()?;
    let (from, to) = source.from_version.zip(source.to_version)?;
    let place = sentinel_place(notice.sentinel.as_deref()?);
    (from != to).then(|| format!("{place}/compare?from={from}&to={to}"))
}

impl Section {
    fn of(notice: &Notice, room: Room) -> Section {
        let told = notice.lines(room.changes);
        let shown = |line: &Line<'_>| line_of(line, notice, room).clipped(room);
        let changes = grouped(told.lines.iter().map(shown));
        let heading = match &notice.sentinel {
            Some(name) => plain(&format!("{name}: {}", notice.summary)),
            None => plain(&notice.summary),
        };
        let more = notice.changes_total.saturating_sub(told.told);
        Section {
            heading,
            leaves: plain(&notice.leaves.join(" · ")),
            changes,
            page: first_page(notice),
            compared: compared(notice),
            more,
            held_back: notice.held_back_said(),
            pages: notice.sources.iter().filter_map(|source| Page::of(source, room)).collect(),
            missed: notice.missed.iter().map(|one| missed(one, notice)).collect(),
        }
    }
}

impl Page {
    /// Nothing where the page was not looked at because of what was found.
    fn of(source: &notice::Source, room: Room) -> Option<Page> {
        let held = plain(source.held.as_deref()?);
        let is_cut = held.chars().count() > room.chars;
        let shown: String = held.chars().take(room.chars).collect();
        Some(Page {
            name: page_name(source),
            link: web_address(source.final_url.as_deref().unwrap_or(&source.url)),
            held: if is_cut { format!("{shown}…") } else { shown },
        })
    }
}

fn page_name(source: &notice::Source) -> String {
    let title = source.title.as_deref().filter(|title| !title.trim().is_empty());
    plain(source.name.as_deref().or(title).unwrap_or(&source.url))
}

/// Which page gave no answer, and why.
fn missed(missed: &notice::Missed, notice: &Notice) -> String {
    let page = notice.sources.get(missed.source as usize).map(page_name);
    let page = page.unwrap_or_else(|| "a page".to_owned());
    format!("No answer from {page} in time: {}", plain(&missed.reason))
}

/// How much of what was found a page shows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    /// Changes of a section, and sections.
    changes: usize,
    /// Characters of each piece of a change.
    chars: usize,
    /// Two columns are shown where nobody asks for them.
    in_full: bool,
}

impl Room {
    /// In a list of notifications.
    pub(super) const LIST: Room = Room { changes: 3, chars: 280, in_full: false };
    /// On a page of its own.
    pub(super) const PAGE: Room = Room { changes: 200, chars: 4_000, in_full: true };
}

impl Change {
    /// Nothing longer than there is room for: a change keeps what stands next to it.
    fn clipped(mut self, room: Room) -> Change {
        let last = self.parts.len().saturating_sub(1);
        for (at, part) in self.parts.iter_mut().enumerate() {
            let count = part.text.chars().count();
            if count <= room.chars {
                continue;
            }
            part.text = if part.mark == "same" && at < last {
                let tail: String = part.text.chars().skip(count - room.chars).collect();
                format!("…{tail}")
            } else {
                let head: String = part.text.chars().take(room.chars).collect();
                format!("{head}…")
            };
        }
        self
    }
}

/// A line of a message: the sentence with what came or went in it marked, or a change.
fn line_of(line: &Line<'_>, notice: &Notice, room: Room) -> Change {
    let change = Said::of(line.changes[0]).shown(notice.presentation, room);
    let Some(sentence) = line.sentence else { return change };
    let (class, sign, word) = signs(line.kind());
    let mark = if line.kind() == ChangeKind::Delete { "old" } else { "new" };
    Change {
        class,
        sign,
        word,
        before: String::new(),
        after: String::new(),
        parts: marked(sentence, &line.spans(), mark),
        is_dual: false,
        link: None,
        remark: plain(&line.remarks().join(", ")),
        ..change
    }
}

/// A text of which these parts, in code points, are marked.
fn marked(text: &str, spans: &[(u32, u32)], mark: &'static str) -> Vec<Part> {
    let chars: Vec<char> = text.chars().collect();
    let part = |from: u32, upto: u32, mark| {
        let piece = chars.get(from as usize..upto as usize).unwrap_or_default();
        Part { mark, text: plain(&piece.iter().collect::<String>()) }
    };
    let mut parts = Vec::new();
    let mut at = 0;
    for &(from, upto) in spans {
        parts.push(part(at, from, "same"));
        parts.push(part(from, upto, mark));
        at = upto;
    }
    parts.push(part(at, chars.len() as u32, "same"));
    parts.retain(|part| !part.text.is_empty());
    parts
}

/// The class, the sign and the word of what became of something.
fn signs(kind: ChangeKind) -> (&'static str, &'static str, &'static str) {
    match kind {
        ChangeKind::Insert => ("insert", "+", "added"),
        ChangeKind::Delete => ("delete", "−", "removed"),
        ChangeKind::Move => ("move", "↕", "moved"),
        ChangeKind::Update => ("update", "~", "changed"),
    }
}

/// What is said of a change, wherever it is listed.
struct Said<'a> {
    change_type: &'a str,
    kind: ChangeKind,
    old: Option<&'a Thing>,
    new: Option<&'a Thing>,
    context: &'a Context,
    heading: Option<&'a str>,
    lead: Option<&'a str>,
    /// Where an entry leads.
    link: Option<&'a str>,
    held_back: Option<&'static str>,
}

impl<'a> Said<'a> {
    fn of(change: &'a notice::Change) -> Said<'a> {
        Said {
            change_type: &change.change_type,
            kind: change.kind,
            old: change.old.as_ref(),
            new: change.new.as_ref(),
            context: &change.context,
            heading: change.heading.as_deref(),
            lead: change.lead.as_deref(),
            link: change.link.as_deref(),
            held_back: None,
        }
    }

    fn shown(self, asked: Option<Presentation>, room: Room) -> Change {
        // Around a block of text stand other blocks, which say nothing of it.
        let is_block =
            [Aspect::Any, Aspect::Everything].iter().any(|all| self.change_type == all.row().name);
        let behind = Behind::of(self.kind, self.old, self.new, is_block);
        let text_stays = behind.as_ref().is_some_and(|behind| behind.text_stays);
        let (class, sign, word) = signs(if text_stays { ChangeKind::Update } else { self.kind });
        let around = |text: &str| if is_block { String::new() } else { plain(text) };
        let own = self.new.or(self.old).and_then(address);
        let link = own.clone().or_else(|| web_address(self.link?));
        let is_said = |thing: &Thing| matches!(thing, Thing::Image { .. });
        let is_said =
            self.new.or(self.old).is_some_and(is_said) || self.old.is_some() && self.new.is_some();
        // The address of a thing with a link behind it is worth saying where it may have changed.
        let alone = own.is_some() && (self.old.is_none() || self.new.is_none());
        let said = if alone { title } else { text };
        let (old, new) = (self.old.map(said), self.new.map(said));
        let is_framed = is_block || self.change_type == Aspect::Phrases.row().name;
        // A column with nothing in it says nothing.
        let is_of_two = old.is_some() && new.is_some() && old != new;
        let is_dual = is_of_two
            && match asked {
                Some(asked) => asked == Presentation::DualFrame,
                None => is_framed && room.in_full,
            };
        Change {
            class,
            sign,
            word,
            // A word for all says nothing of one.
            thing: if is_block { String::new() } else { self.change_type.to_owned() },
            before: around(&self.context.before),
            after: spaced(&around(&self.context.after)),
            is_dual,
            parts: match behind.filter(|_| (is_said || text_stays) && !is_dual) {
                Some(behind) => behind_parts(&behind),
                None => parts(old.as_deref(), new.as_deref()),
            },
            link,
            remark: String::new(),
            held_back: self.held_back.unwrap_or_default(),
            under: [self.heading, self.lead]
                .into_iter()
                .flatten()
                .map(plain)
                .collect::<Vec<_>>()
                .join(" › "),
        }
    }
}

/// Where changes stand that stand under no heading, after others that do.
const ON_THE_PAGE: &str = "On the page";

/// Says once what several changes in a row stand under.
fn grouped(changes: impl Iterator<Item = Change>) -> Vec<Change> {
    let mut before = String::new();
    let once = |mut change: Change| {
        let under = std::mem::take(&mut change.under);
        if under != before {
            change.under = if under.is_empty() { ON_THE_PAGE.to_owned() } else { under.clone() };
            before = under;
        }
        change
    };
    changes.map(once).collect()
}

/// The first lines of a diff or a detection, and how many changes they tell: what was found in one
/// sentence is told together, as in a message.
pub(super) fn changes(changes: &[wire::Change], most: usize) -> (Vec<Change>, u32) {
    if changes.iter().all(|change| change.sentence.is_none()) {
        let lines = grouped(changes.iter().take(most).map(change));
        let told = lines.len() as u32;
        return (lines, told);
    }
    let notice = Notice { changes: changes.iter().map(noticed).collect(), ..Notice::default() };
    let told = notice.lines(most);
    let lines = told.lines.iter().map(|line| line_of(line, &notice, Room::PAGE));
    (grouped(lines), told.told as u32)
}

/// A change as a message would have it.
fn noticed(change: &wire::Change) -> notice::Change {
    notice::Change {
        change_type: change.change_type.to_owned(),
        kind: change.kind,
        source: change.source.unwrap_or_default(),
        old: change.old.clone(),
        new: change.new.clone(),
        context: change.context.clone(),
        heading: change.heading.clone(),
        lead: change.lead.clone(),
        sentence: change.sentence.clone(),
        elsewhere: change.elsewhere.clone(),
        link: change.link.clone(),
        ..notice::Change::default()
    }
}

fn change(change: &wire::Change) -> Change {
    let said = Said {
        change_type: change.change_type,
        kind: change.kind,
        old: change.old.as_ref(),
        new: change.new.as_ref(),
        context: &change.context,
        heading: change.heading.as_deref(),
        lead: change.lead.as_deref(),
        link: change.link.as_deref(),
        held_back: change.held_back,
    };
    said.shown(None, Room::PAGE)
}

/// A link that leads elsewhere, or a picture: what differs is marked.
fn behind_parts(behind: &Behind) -> Vec<Part> {
    let all = [
        ("same", plain(&behind.lead)),
        ("old", plain(&behind.old)),
        (
            "same",
            if behind.old.is_empty() || behind.new.is_empty() { "" } else { " → " }.to_owned(),
        ),
        ("new", plain(&behind.new)),
        ("same", behind.tail.to_owned()),
    ];
    let part = |(mark, text): (&'static str, String)| Part { mark, text };
    all.into_iter().map(part).filter(|part| !part.text.is_empty()).collect()
}

/// A thing in words, whichever change type it is of.
fn text(thing: &Thing) -> String {
    let (text, address) = (thing.text(), thing.address().unwrap_or_default());
    plain(&match (thing.count(), text.is_empty(), address.is_empty()) {
        (Some(count), false, _) if count != 1 => format!("{text} ×{count}"),
        (_, false, true) | (Some(_), false, false) => text.to_owned(),
        (None, false, false) => format!("{text} ({address})"),
        (_, true, false) => address.to_owned(),
        (_, true, true) => "nothing".to_owned(),
    })
}

/// What a link or an image says; if nothing, its address.
fn title(thing: &Thing) -> String {
    if thing.text().is_empty() { text(thing) } else { plain(thing.text()) }
}

/// The text after a thing, apart from it unless it goes on with a comma or the like.
fn spaced(after: &str) -> String {
    let closes = after.is_empty() || after.starts_with(|c: char| ".,:;!?)'’".contains(c));
    if closes { after.to_owned() } else { format!(" {after}") }
}

/// The web address of a link or image; no other scheme is ever made a link.
fn address(thing: &Thing) -> Option<String> {
    web_address(thing.address()?)
}

/// An address as a link may have it: of the web.
pub(super) fn web_address(text: &str) -> Option<String> {
    let parsed = url::Url::parse(text).ok()?;
    matches!(parsed.scheme(), "http" | "https").then(|| parsed.into())
}

/// Old and new in one text, by words.
pub(super) fn parts(old: Option<&str>, new: Option<&str>) -> Vec<Part> {
    let mark = |fate| match fate {
        Fate::Same => "same",
        Fate::Delete => "old",
        Fate::Insert => "new",
    };
    let pieces = change::pieces(old.unwrap_or_default(), new.unwrap_or_default());
    pieces.into_iter().map(|piece| Part { mark: mark(piece.fate), text: piece.text }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(body: &Value) -> Notice {
        Notice::read(body.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn a_detection_lists_the_words_of_a_sentence_together() {
        let word = |word: &str, sentence: Option<&str>| wire::Change {
            leaves: vec![0],
            change_type: "words",
            source: None,
            kind: ChangeKind::Insert,
            old: None,
            new: Some(Thing::Word { word: word.into(), count: 1 }),
            context: Context::default(),
            heading: None,
            lead: None,
            sentence: sentence.map(str::to_owned),
            elsewhere: vec![],
            link: None,
            held_back: None,
        };
        let rose = Some("Oil and gas rose.");
        let all = [word("Oil", rose), word("gas", rose), word("fell", Some("Prices fell."))];
        let (lines, told) = changes(&all, 9);
        let text = |change: &Change| -> String {
            change.parts.iter().map(|part| part.text.as_str()).collect()
        };
        assert_eq!(
            lines.iter().map(text).collect::<Vec<_>>(),
            ["Oil and gas rose.", "Prices fell."]
        );
        assert_eq!(told, 3);
        assert_eq!(changes(&all, 1).1, 2);
        // Where nobody knows the sentence, each stands for itself.
        let bare = [word("Oil", None), word("gas", None)];
        assert_eq!((changes(&bare, 9).0.len(), changes(&bare, 1).1), (2, 1));
    }

    #[test]
    fn what_changes_stand_under_is_said_once() {
        let change = |heading: Option<&str>, lead: Option<&str>| {
            json!({"type": "any", "kind": "insert", "new": {"text": "t"}, "heading": heading,
                "lead": lead})
        };
        let notice = read(&json!({"changes": [
            change(None, None),
            change(Some("Brand"), None),
            change(Some("Brand"), Some("You may not:")),
            change(Some("Brand"), Some("You may not:")),
            change(None, None),
            change(Some("Brand"), None),
        ]}));
        let (sections, _) = sections(&notice, Room::PAGE);
        let under: Vec<&str> = sections[0].changes.iter().map(|change| &*change.under).collect();
        assert_eq!(under, ["", "Brand", "Brand › You may not:", "", "On the page", "Brand"]);
    }

    #[test]
    fn a_thing_is_said_with_its_count_or_address() {
        let link = |text: &str, href: &str| Thing::Link { href: href.into(), text: text.into() };
        let word = |count| Thing::Word { word: "oil".into(), count };
        for (thing, said) in [
            (link("Fares", "https://a.example/"), "Fares (https://a.example/)"),
            (link("Fares", ""), "Fares"),
            (link("", "https://a.example/"), "https://a.example/"),
            (link("", ""), "nothing"),
            (Thing::Image { src: "s".into(), alt: "a".into() }, "a (s)"),
            (word(1), "oil"),
            (word(3), "oil ×3"),
            (Thing::Text { text: "ab\u{200f}".into() }, "ab"),
        ] {
            assert_eq!(text(&thing), said);
        }
        assert_eq!(title(&link("Fares", "https://a.example/")), "Fares");
        assert_eq!(title(&link("", "https://a.example/")), "https://a.example/");
    }

    fn marked(old: Option<&str>, new: Option<&str>) -> String {
        let part = |part: &Part| format!("{}[{}]", &part.mark[..1], part.text);
        parts(old, new).iter().map(part).collect()
    }

    #[test]
    fn a_change_marks_only_the_words_that_differ() {
        assert_eq!(
            marked(Some("Lisbon 40 euros"), Some("Lisbon 35 euros")),
            "s[Lisbon ]o[40 ]n[35 ]s[euros]"
        );
        assert_eq!(marked(Some("a a"), Some("a a a")), "s[a ]n[a ]s[a]");
        assert_eq!(marked(Some("one"), Some("two")), "o[one]n[two]");
        assert_eq!(marked(None, Some("two")), "n[two]");
        assert_eq!(marked(Some("same"), Some("same")), "s[same]");
    }

    #[test]
    fn a_list_shows_as_much_as_there_is_room_for_and_says_how_much_is_left() {
        let long = "x".repeat(1_000);
        let change = json!({"kind": "insert", "type": "any", "new": {"text": long}});
        let member = json!({"changes": [change], "changes_total": 1});
        let digest = json!({"notifications": vec![member; 5]});
        let (sections, left_out) = super::sections(&read(&digest), Room::LIST);
        assert_eq!((sections.len(), left_out), (3, 2));
        assert_eq!(sections[0].changes[0].parts[0].text.chars().count(), 281);
    }

    #[test]
    fn a_change_has_two_columns_where_that_shows_it_best_or_somebody_asks() {
        let columns = |presentation: Value, thing: &str| {
            let change = json!({"kind": "update", "type": thing,
                "old": {"text": "a b c"}, "new": {"text": "a x c"}});
            let body = json!({"changes": [change], "presentation": presentation});
            super::sections(&read(&body), Room::PAGE).0[0].changes[0].is_dual
        };
        assert!(columns(Value::Null, "any") && columns(Value::Null, "phrases"));
        let gone = json!({"kind": "delete", "type": "any", "old": {"text": "a"}});
        let gone = json!({"changes": [gone], "presentation": "dual frame"});
        assert!(!super::sections(&read(&gone), Room::PAGE).0[0].changes[0].is_dual);
        assert!(columns(json!("dual frame"), "links") && !columns(Value::Null, "links"));
        assert!(!columns(json!("merged"), "any") && !columns(json!("only change"), "any"));
        let listed = json!({"changes": [{"kind": "insert", "type": "any", "new": {"text": "x"}}]});
        assert!(!super::sections(&read(&listed), Room::LIST).0[0].changes[0].is_dual);
    }

    #[test]
    fn words_of_one_sentence_are_one_line_of_a_card() {
        let word = |kind: &str, word: &str, count: u32, sentence: &str| {
            json!({"type": "keywords", "kind": kind, "new": {"word": word, "count": count},
                "sentence": sentence, "heading": "Oil", "context": {"before": "a", "after": "b"}})
        };
        let rose = "Oil and gas rose.";
        let body = read(&json!({"changes_total": 5, "changes": [
            word("insert", "oil", 1, rose), word("insert", "fell", 1, "All fell."),
            word("insert", "gas", 2, rose), word("insert", "lead", 1, "No lead.")]}));
        let section = &super::sections(&body, Room { changes: 2, ..Room::LIST }).0[0];
        let said = |change: &Change| -> String {
            let part = |part: &Part| format!("{}[{}]", &part.mark[..1], part.text);
            change.parts.iter().map(part).collect()
        };
        let [first, second] = &section.changes[..] else { panic!("two lines") };
        assert_eq!(said(first), "n[Oil]s[ and ]n[gas]s[ rose.]");
        assert_eq!((&*first.remark, &*first.under, &*first.before), ("gas ×2", "Oil", ""));
        assert_eq!(said(second), "s[All ]n[fell]s[.]");
        assert_eq!(section.more, 2, "one that is listed, and one that is not");
    }

    #[test]
    fn what_is_struck_out_has_a_line_through_it_and_all_is_escaped() {
        let html = |old, new| {
            let of = |part: super::Shown| format!("{}[{}]", &part.mark[..1], part.html);
            super::shown(&parts(old, new), "new").into_iter().map(of).collect::<String>()
        };
        let sale = html(Some("Tea <b> £5"), Some("Tea <b> ~~£5~~ £4"));
        assert_eq!(sale, "s[Tea &#60;b&#62; ]o[£5]n[<s>£5</s> £4]");
        let quiz = html(Some("Quiz at 8"), Some("~~Quiz at 8~~"));
        assert_eq!(quiz, "o[Quiz]n[<s>Quiz </s>]s[<s>at </s>]o[8]n[<s>8</s>]");
    }

    #[test]
    fn only_web_addresses_become_links() {
        let link = |href: &str| address(&Thing::Link { href: href.into(), text: String::new() });
        assert_eq!(link("javascript:alert(1)"), None);
        assert_eq!(link("data:text/html,x"), None);
        let good = link("https://a.example/\"x");
        assert_eq!(good.as_deref(), Some("https://a.example/%22x"));
    }

    #[test]
    fn a_body_that_is_odd_is_shown_as_far_as_it_goes() {
        let body = json!({"summary": "s", "changes_total": 5, "changes": [
            {"kind": "insert", "type": "links", "new": {"text": "x", "href": "http://a/"}}, 7]});
        let sections = super::sections(&read(&body), Room::PAGE).0;
        assert_eq!(sections[0].changes.len(), 1);
        assert_eq!(sections[0].more, 4);
        assert!(super::sections(&Notice::default(), Room::PAGE).0.is_empty());
    }
}
