//! What the templates show: domain values turned into words.

use crate::words;
use chronon::Instant;
use kernel::record::{ProbeOutcome, ProbeRow, VersionRow};
use kernel::view::{BudgetView, SentinelView, SourceView};
use schedule::Outlook;
use serde::Deserialize;
use serde_json::Value;

/// A time: for the script, for people, and in full.
pub(super) struct When {
    pub(super) stamp: String,
    pub(super) relative: String,
    pub(super) moment: String,
}

impl When {
    pub(super) fn of(at: Instant, now: Instant) -> When {
        When {
            stamp: at.to_string(),
            relative: words::relative(at, now),
            moment: words::moment(at),
        }
    }

    /// What is overdue is due now.
    fn due(at: Instant, now: Instant) -> When {
        When { relative: words::relative(at.max(now), now), ..When::of(at, now) }
    }
}

/// When a source is looked at next.
pub(super) struct Next {
    pub(super) when: Option<When>,
    pub(super) why: String,
}

impl Next {
    fn of(outlook: &Outlook, now: Instant) -> Next {
        let when = outlook.due.map(|due| When::due(due, now));
        let nothing = if when.is_some() { "" } else { "no sentinel asks for it" };
        Next { when, why: words::why(outlook).unwrap_or_else(|| nothing.to_owned()) }
    }
}

/// A source in a list.
pub(super) struct SourceRow {
    pub(super) id: u32,
    pub(super) url: String,
    pub(super) short: String,
    pub(super) found: Option<String>,
    pub(super) sentinels: usize,
    pub(super) next: Next,
    pub(super) last: Option<LastProbe>,
    pub(super) failing: Option<When>,
    /// What it shows that does not count.
    pub(super) held: Option<String>,
}

/// How the last probe ended.
pub(super) struct LastProbe {
    pub(super) when: When,
    pub(super) said: String,
    /// `new`, `same`, `held` or `failed`.
    pub(super) class: &'static str,
}

impl SourceRow {
    pub(super) fn of(
        view: &SourceView,
        current: Option<&VersionRow>,
        last: Option<&ProbeRow>,
        now: Instant,
    ) -> SourceRow {
        SourceRow {
            id: view.row.id.0,
            url: view.row.url.to_string(),
            short: short(&view.row.url.shown()),
            found: current.map(|row| plain(&row.facts.summary)).filter(|s| !s.is_empty()),
            sentinels: view.sentinels_total,
            next: Next::of(&view.outlook, now),
            last: last.map(|probe| LastProbe {
                when: When::of(probe.start, now),
                said: plain(&words::outcome(probe)),
                class: class(&probe.outcome),
            }),
            failing: view.row.failing_since.map(|since| When::of(since, now)),
            held: words::held(&view.row),
        }
    }
}

pub(super) fn class(outcome: &ProbeOutcome) -> &'static str {
    match outcome {
        ProbeOutcome::Version(_) => "new",
        ProbeOutcome::Same | ProbeOutcome::NotModified => "same",
        ProbeOutcome::Failed { .. } => "failed",
        ProbeOutcome::Held(_) => "held",
    }
}

/// A sentinel in a list.
pub(super) struct SentinelRow {
    pub(super) id: u64,
    pub(super) name: String,
    pub(super) state: &'static str,
    pub(super) watches: String,
    pub(super) source_id: u32,
    pub(super) source: String,
    pub(super) next: Next,
    /// "at 14:05, then every 10 min, within 60 s"; empty if the server decides.
    pub(super) looks: String,
    pub(super) told: u64,
    pub(super) missed: u64,
    pub(super) missed_why: String,
    pub(super) not_evaluated: String,
}

impl SentinelRow {
    pub(super) fn of(view: &SentinelView, url: &str, now: Instant) -> SentinelRow {
        SentinelRow {
            id: view.row.id.0,
            name: view.row.name.to_string(),
            state: view.life.state.name(),
            watches: watches(view.row.text.reveal()),
            source_id: view.row.source.0,
            source: short(url),
            next: Next::of(&view.outlook, now),
            looks: view.looks.as_ref().map(words::looks).unwrap_or_default(),
            told: view.life.seq,
            missed: view.missed,
            missed_why: view.missed_why.as_ref().map(words::missed).unwrap_or_default(),
            not_evaluated: view.life.not_evaluated.to_string(),
        }
    }
}

/// The monitor clause of a canonical text, which leaves out the default; its clauses stand on
/// lines of their own.
fn watches(text: &str) -> String {
    let clause = text.lines().map(str::trim).find_map(|line| {
        let (word, rest) = line.split_once(' ')?;
        word.eq_ignore_ascii_case("monitor").then_some(rest)
    });
    clause.unwrap_or("any change").to_owned()
}

/// A URL without its scheme, not too long.
pub(super) fn short(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    match rest.char_indices().nth(70) {
        Some((at, _)) => format!("{}…", &rest[..at]),
        None => rest.to_owned(),
    }
}

/// The budget's use as bars.
pub(super) struct Budget {
    pub(super) bars: Vec<Bar>,
    pub(super) allowed: String,
    pub(super) used: u32,
    pub(super) in_flight: u32,
    pub(super) in_flight_max: u32,
    pub(super) waiting: u64,
    /// Where the line of the budget stands, from the top, of 40; `None` if it is out of the
    /// picture.
    pub(super) line: Option<f64>,
}

pub(super) struct Bar {
    pub(super) x: usize,
    pub(super) y: f64,
    pub(super) height: f64,
}

impl Budget {
    pub(super) fn of(view: &BudgetView) -> Budget {
        const HEIGHT: f64 = 40.0;
        let most = view.recent.iter().copied().max().unwrap_or(0);
        // The scale follows what is used, so that a large budget does not hide small bars.
        let scale = f64::from(most.max(1)).max((view.per_chronon).min(f64::from(most) * 2.0));
        let bars = view.recent.iter().enumerate().filter(|(_, probes)| **probes > 0);
        Budget {
            bars: bars
                .map(|(at, probes)| {
                    let height = (f64::from(*probes) / scale * HEIGHT).max(1.0);
                    Bar { x: at * 4, y: HEIGHT - height, height }
                })
                .collect(),
            allowed: format!("{}", (view.per_chronon * 1_000.0).round() / 1_000.0),
            used: view.recent.iter().sum(),
            in_flight: view.probes_in_flight,
            in_flight_max: view.probes_in_flight_max,
            waiting: view.outbox.waiting,
            line: (view.per_chronon <= scale).then(|| HEIGHT * (1.0 - view.per_chronon / scale)),
        }
    }
}

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
    /// A web address the change leads to.
    pub(super) link: Option<String>,
}

/// A piece of a change.
pub(super) struct Part {
    /// `same`, `old` or `new`.
    pub(super) mark: &'static str,
    pub(super) text: String,
}

/// A change as a webhook's body has it; unknown fields are of no concern here.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ToldChange {
    #[serde(rename = "type")]
    change_type: String,
    kind: String,
    old: Option<Value>,
    new: Option<Value>,
    context: Option<change::Context>,
}

/// A body as a webhook gets it, as far as it is shown.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Told {
    sentinel: Option<String>,
    summary: String,
    changes: Vec<Value>,
    changes_total: u64,
    leaves: Vec<String>,
    notifications: Vec<Told>,
}

/// What a notification says: one list of changes, or one per member of a digest.
pub(super) struct Section {
    pub(super) heading: String,
    pub(super) leaves: String,
    pub(super) changes: Vec<Change>,
    /// Changes that are not listed.
    pub(super) more: u64,
}

impl Told {
    pub(super) fn of(body: Option<&Value>) -> Told {
        body.and_then(|body| Told::deserialize(body).ok()).unwrap_or_default()
    }

    /// What is told, as far as there is room, and how many sections are left out.
    pub(super) fn sections(&self, room: Room) -> (Vec<Section>, usize) {
        let own = (!self.changes.is_empty()).then_some(self);
        let all = own.into_iter().chain(&self.notifications);
        let left_out = all.clone().count().saturating_sub(room.changes);
        (all.take(room.changes).map(|told| told.section(room)).collect(), left_out)
    }

    fn section(&self, room: Room) -> Section {
        let listed = self.changes.iter().take(room.changes);
        let told = listed.filter_map(|change| ToldChange::deserialize(change).ok());
        let changes: Vec<Change> = told.map(|told| told.shown().clipped(room)).collect();
        let heading = match &self.sentinel {
            Some(name) => plain(&format!("{name}: {}", self.summary)),
            None => plain(&self.summary),
        };
        let more = self.changes_total.saturating_sub(changes.len() as u64);
        Section { heading, leaves: plain(&self.leaves.join(" · ")), changes, more }
    }
}

/// How much of what was found a page shows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    /// Changes of a section, and sections.
    changes: usize,
    /// Characters of each piece of a change.
    chars: usize,
}

impl Room {
    /// In a list of notifications.
    pub(super) const LIST: Room = Room { changes: 3, chars: 280 };
    /// On a page of its own.
    pub(super) const PAGE: Room = Room { changes: 200, chars: 4_000 };
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

impl ToldChange {
    fn shown(self) -> Change {
        let (class, sign, word) = match self.kind.as_str() {
            "insert" => ("insert", "+", "added"),
            "delete" => ("delete", "−", "removed"),
            "move" => ("move", "↕", "moved"),
            _ => ("update", "~", "changed"),
        };
        // Around a block of text stand other blocks, which say nothing of it.
        let context = self.context.filter(|_| self.change_type != "any").unwrap_or_default();
        let link = self.new.as_ref().or(self.old.as_ref()).and_then(address);
        // The address of a thing with a link behind it is worth saying where it may have changed.
        let alone = link.is_some() && (self.old.is_none() || self.new.is_none());
        let said = if alone { title } else { text };
        let (old, new) = (self.old.as_ref().map(said), self.new.as_ref().map(said));
        Change {
            class,
            sign,
            word,
            thing: self.change_type,
            before: plain(&context.before),
            after: spaced(&plain(&context.after)),
            parts: parts(old.as_deref(), new.as_deref()),
            link,
        }
    }
}

/// A change of a diff or a detection.
pub(super) fn change(change: &crate::wire::Change) -> Change {
    let value = |thing: &Option<change::Thing>| {
        thing.as_ref().and_then(|thing| serde_json::to_value(thing).ok())
    };
    let kind = match change.kind {
        change::ChangeKind::Insert => "insert",
        change::ChangeKind::Delete => "delete",
        change::ChangeKind::Update => "update",
        change::ChangeKind::Move => "move",
    };
    ToldChange {
        change_type: change.change_type.to_owned(),
        kind: kind.to_owned(),
        old: value(&change.old),
        new: value(&change.new),
        context: Some(change.context.clone()),
    }
    .shown()
}

/// A thing in words, whichever change type it is of.
fn text(thing: &Value) -> String {
    plain(&raw_text(thing))
}

/// The text after a thing, apart from it unless it goes on with a comma or the like.
fn spaced(after: &str) -> String {
    let closes = after.is_empty() || after.starts_with(|c: char| ".,:;!?)'’".contains(c));
    if closes { after.to_owned() } else { format!(" {after}") }
}

/// What a link or an image says; if nothing, its address.
fn title(thing: &Value) -> String {
    let field = |name: &str| thing.get(name).and_then(Value::as_str).filter(|s| !s.is_empty());
    let said = field("text").or(field("alt")).or(field("title"));
    said.map_or_else(|| text(thing), plain)
}

fn raw_text(thing: &Value) -> String {
    let field = |name: &str| thing.get(name).and_then(Value::as_str).filter(|s| !s.is_empty());
    if let Some(word) = field("word") {
        let count = thing.get("count").and_then(Value::as_u64).unwrap_or(1);
        return if count == 1 { word.to_owned() } else { format!("{word} ×{count}") };
    }
    let address = field("href").or(field("src"));
    match (field("text").or(field("alt")).or(field("title")), address) {
        (Some(text), Some(address)) => format!("{text} ({address})"),
        (Some(text), None) => text.to_owned(),
        (None, Some(address)) => address.to_owned(),
        (None, None) => "nothing".to_owned(),
    }
}

/// The web address of a link or image; no other scheme is ever made a link.
fn address(thing: &Value) -> Option<String> {
    let address = thing.get("href").or(thing.get("src"))?.as_str()?;
    let parsed = url::Url::parse(address).ok()?;
    matches!(parsed.scheme(), "http" | "https").then(|| parsed.into())
}

/// Old and new with what they share at both ends, by words.
fn parts(old: Option<&str>, new: Option<&str>) -> Vec<Part> {
    let part = |mark, text: String| Part { mark, text };
    let (old, new) = match (old, new) {
        (Some(old), Some(new)) => (words_of(old), words_of(new)),
        (Some(old), None) => return vec![part("old", old.to_owned())],
        (None, Some(new)) => return vec![part("new", new.to_owned())],
        (None, None) => return Vec::new(),
    };
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - head;
    let pairs = old.iter().rev().zip(new.iter().rev()).take(rest);
    let tail = pairs.take_while(|(a, b)| a == b).count();
    let pieces = [
        ("same", &old[..head]),
        ("old", &old[head..old.len() - tail]),
        ("new", &new[head..new.len() - tail]),
        ("same", &old[old.len() - tail..]),
    ];
    let kept = pieces.into_iter().filter(|(_, words)| !words.is_empty());
    kept.map(|(mark, words)| part(mark, words.concat())).collect()
}

/// Text of others without what reorders or hides it: control and bidirectional characters.
pub(super) fn plain(text: &str) -> String {
    let hidden = |c: char| {
        (c.is_control() && !c.is_whitespace())
            || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}')
    };
    text.chars().filter(|c| !hidden(*c)).collect()
}

/// Words with the white space after them.
fn words_of(text: &str) -> Vec<&str> {
    text.split_inclusive(char::is_whitespace).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
    fn text_of_others_is_shown_without_what_reorders_or_hides_it() {
        assert_eq!(plain("a\u{202e}b\u{0}c\u{1b}[31m\n\u{2066}d é"), "abc[31m\nd é");
        let old = json!({"text": "ab\u{200f}"});
        assert_eq!(text(&old), "ab");
    }

    #[test]
    fn a_list_shows_as_much_as_there_is_room_for_and_says_how_much_is_left() {
        let long = "x".repeat(1_000);
        let change = json!({"kind": "insert", "type": "any", "new": {"text": long}});
        let member = json!({"changes": [change], "changes_total": 1});
        let digest = json!({"notifications": vec![member; 5]});
        let (sections, left_out) = Told::of(Some(&digest)).sections(Room::LIST);
        assert_eq!((sections.len(), left_out), (3, 2));
        assert_eq!(sections[0].changes[0].parts[0].text.chars().count(), 281);
    }

    #[test]
    fn the_parts_of_a_change_hold_all_of_both_texts() {
        let texts: Vec<String> = (0..=4u32)
            .flat_map(|length| (0..1u32 << length).map(move |bits| (length, bits)))
            .map(|(length, bits)| {
                let word = |at| if bits >> at & 1 == 1 { "a " } else { "b " };
                (0..length).map(word).collect()
            })
            .collect();
        for old in &texts {
            for new in &texts {
                let parts = parts(Some(old), Some(new));
                let without = |mark: &str| {
                    let kept = parts.iter().filter(|part| part.mark != mark);
                    kept.map(|part| part.text.as_str()).collect::<String>()
                };
                assert_eq!((&without("new"), &without("old")), (old, new));
            }
        }
    }

    #[test]
    fn only_web_addresses_become_links() {
        assert_eq!(address(&json!({"href": "javascript:alert(1)"})), None);
        assert_eq!(address(&json!({"href": "data:text/html,x"})), None);
        let good = address(&json!({"href": "https://a.example/\"x"}));
        assert_eq!(good.as_deref(), Some("https://a.example/%22x"));
    }

    #[test]
    fn a_body_that_is_odd_is_shown_as_far_as_it_goes() {
        let body = json!({"summary": "s", "changes_total": 5, "changes": [
            {"kind": "insert", "type": "links", "new": {"text": "x", "href": "http://a/"}}, 7]});
        let sections = Told::of(Some(&body)).sections(Room::PAGE).0;
        assert_eq!(sections[0].changes.len(), 1);
        assert_eq!(sections[0].more, 4);
        assert!(Told::of(Some(&json!([]))).sections(Room::PAGE).0.is_empty());
    }

    #[test]
    fn the_monitor_clause_says_what_is_watched() {
        let text =
            "create sentinel a using \"https://a.example\"\n  monitor all links\n  fetch on change";
        assert_eq!(watches(text), "all links");
        let text = "create sentinel a using https://a.example/\n  notify by interactive";
        assert_eq!(watches(text), "any change");
    }
}
