//! What is told of a notification, in which order, as harmless text.

use super::frame::{Frame, Shows};
use super::marked::{self, Piece};
use super::rest;
use super::{
    AROUND_CHARS_MAX, NOTIFICATIONS_SHOWN_MAX, Share, TEXT_CHARS_MAX, URL_CHARS_MAX, clean,
};
use change::{Aspect, Behind, ChangeKind, Thing};
use chronon::Zone;
use notice::{Change, Kind, Line, Lines, Missed, Notice, Source};
use url::Url;

/// Where changes stand that stand under no heading, after others that do.
const ON_THE_PAGE: &str = "On the page";
/// Characters of what leads to a list, where the heading above it is said.
const LEAD_CHARS_MAX: usize = 60;
/// Characters of an entry that leads to its page.
const ENTRY_CHARS_MAX: usize = 240;

/// A notification as told.
#[derive(Debug, Default)]
pub(crate) struct Story {
    /// `2027-01-31 10:00:00 Europe/Berlin`; may be empty.
    pub(crate) time: String,
    pub(crate) sentinel: String,
    pub(crate) summary: String,
    /// What took part in what a rule waited for, a line each.
    pub(crate) occurrences: Vec<String>,
    pub(crate) pages: Vec<Page>,
    /// Pages that were looked at because of what was found; they stand behind it.
    pub(crate) further: Vec<Page>,
    /// A sentence that goes with the summary.
    pub(crate) note: String,
    pub(crate) changes: Vec<Told>,
    /// Changes that are not shown.
    pub(crate) changes_more: u64,
    /// What is said of them; may be empty.
    pub(crate) more: String,
    /// What is said of changes that count too little; may be empty.
    pub(crate) held_back: String,
    /// Intervals that passed without an answer, a sentence each.
    pub(crate) missed: Vec<String>,
    /// The notifications of a digest.
    pub(crate) stories: Vec<Story>,
    /// Notifications of a digest that are not shown.
    pub(crate) stories_more: u64,
}

/// A source, with the versions compared.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) name: String,
    pub(crate) link: Option<String>,
    /// `v3 → v4`; may be empty.
    pub(crate) versions: String,
    /// The beginning of what it held, where it was looked at because of what was found; may be
    /// empty.
    pub(crate) held: String,
}

/// The sign before a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Added,
    Removed,
    Changed,
}

impl Mark {
    fn of(kind: ChangeKind) -> Mark {
        match kind {
            ChangeKind::Insert => Mark::Added,
            ChangeKind::Delete => Mark::Removed,
            ChangeKind::Update | ChangeKind::Move => Mark::Changed,
        }
    }
}

/// One change as told.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) mark: Mark,
    /// What it was (removed, changed), with its link.
    pub(crate) old: Option<Shown>,
    /// What it is (added, changed, moved).
    pub(crate) new: Option<Shown>,
    /// The text around it, with the thing in the middle; may be empty.
    pub(crate) around: (String, String),
    /// Old and new in full; `None`: the change alone is shown.
    pub(crate) frame: Option<(Frame, Shows)>,
    /// `moved`, the leaf, the page: what is not clear from the rest.
    pub(crate) remarks: Vec<String>,
    /// What is said of places of the text that are not shown where there is no frame; may be empty.
    pub(crate) places_more: String,
    /// The heading it stands under, and what leads to its list, as far as there are any.
    pub(crate) place: Vec<String>,
}

/// A thing on a page.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) text: String,
    /// The text in pieces, those marked that differ; empty: nothing is marked.
    pub(crate) pieces: Vec<Piece>,
    /// Nothing of it differs: it shows the place where something came or went.
    pub(crate) is_place: bool,
    /// How often a word occurs, in characters.
    pub(crate) count: Option<String>,
    /// An `http` or `https` address.
    pub(crate) link: Option<String>,
}

impl Story {
    /// What a body tells; times are by the clock of `zone`.
    pub(crate) fn of(body: &Notice, zone: &Zone) -> Story {
        if let Some(body) = body.by_clock(zone) {
            return Story::of(&body, zone);
        }
        // A digest of one reads as that one.
        if let (Kind::Digest, Some([only]), None | Some(1)) =
            (body.kind, body.notifications.as_deref(), body.notifications_total)
        {
            return Story::of(&Notice { notifications: None, ..only.clone() }, zone);
        }
        let (changes, told, untold) = changes(body);
        let above = format!("{}\n{}", body.summary, body.note.as_deref().unwrap_or_default());
        let members = body.notifications.as_deref().unwrap_or_default();
        // Nothing nests deeper than a digest's members.
        let stories: Vec<_> = members
            .iter()
            .take(NOTIFICATIONS_SHOWN_MAX)
            .map(|member| Story::of(&Notice { notifications: None, ..member.clone() }, zone))
            .collect();
        let total = |stated: u64, listed: usize| stated.max(listed as u64);
        // A digest counts the changes of its members, which tell their own.
        let changes_more = match body.kind {
            Kind::Digest | Kind::Rule => 0,
            _ => total(body.changes_total, body.changes.len()) - told,
        };
        // A digest speaks of many times; its own is when it was put together.
        let own = body.detected_at.is_empty() || body.kind == Kind::Digest;
        let when = if own { &body.composed_at } else { &body.detected_at };
        // A page that was looked at because of what was found is compared with nothing.
        let is_compared = |source: &Source| source.from_version.is_some();
        let of_compared = body.sources.iter().any(is_compared);
        let (pages, further): (Vec<&Source>, _) =
            body.sources.iter().partition(|source| !of_compared || is_compared(source));
        Story {
            time: time(when, zone),
            sentinel: some_text(body.sentinel.as_deref().or(body.rule.as_deref())),
            occurrences: body.occurrences.iter().map(|one| text(&one.summary)).collect(),
            summary: summary(body),
            pages: pages.into_iter().map(Page::of).collect(),
            further: further.into_iter().map(Page::of).collect(),
            // The summary often says it already.
            note: Some(some_text(body.note.as_deref()))
                .filter(|note| !body.summary.contains(note))
                .unwrap_or_default(),
            changes_more,
            more: rest::said(changes_more, &untold, &above),
            changes,
            held_back: body.held_back_said(),
            missed: body.missed.iter().map(|missed| sentence(missed, body, zone)).collect(),
            stories_more: total(body.notifications_total.unwrap_or(0), members.len())
                - stories.len() as u64,
            stories,
        }
    }
}

impl Page {
    fn of(source: &Source) -> Page {
        let url = clean::line(&source.url, URL_CHARS_MAX);
        let name = source.name.as_deref().filter(|name| !name.is_empty());
        let name = name.map_or_else(|| url.clone(), text);
        let versions = match (source.from_version, source.to_version) {
            // A change of how the page answers is of no two versions.
            (Some(from), Some(to)) if from == to => String::new(),
            (Some(from), Some(to)) => format!("v{from} → v{to}"),
            (None, Some(to)) => format!("v{to}"),
            _ => String::new(),
        };
        let held = some_text(source.held.as_deref());
        Page { name, link: web_link(&url), versions, held }
    }
}

impl Told {
    fn of(change: &Change, body: &Notice, share: Share) -> Told {
        let (old, new, places_more) = Shown::pair(change, share);
        let mark = Mark::of(change.kind);
        let mut remarks = Vec::new();
        if change.kind == ChangeKind::Move {
            remarks.push("moved".to_owned());
        }
        let plain = body.leaves.len() < 2;
        if let Some(leaf) = body.leaves.get(change.leaf as usize).filter(|_| !plain) {
            remarks.push(text(leaf));
        }
        if body.sources.len() > 1 {
            remarks.extend(body.sources.get(change.source as usize).map(page_name));
        }
        let heading = some_text(change.heading.as_deref());
        let mut lead = some_text(change.lead.as_deref());
        if !heading.is_empty() {
            lead = clean::end_of_line(&lead, LEAD_CHARS_MAX);
        }
        let place: Vec<String> =
            [heading, lead].into_iter().filter(|name| !name.is_empty()).collect();
        let frame = Frame::of(change, body.presentation);
        if let Some((said, text_stays)) = Shown::behind(change, body) {
            let mark = if text_stays { Mark::Changed } else { mark };
            let (old, new) = match mark {
                Mark::Removed => (Some(said), None),
                Mark::Added | Mark::Changed => (None, Some(said)),
            };
            let around = Default::default();
            let places_more = String::new();
            return Told { mark, old, new, around, frame, remarks, places_more, place };
        }
        let (old, new) = match mark {
            Mark::Added => (None, new.or(old).map(Shown::alone)),
            Mark::Removed => (old.or(new).map(Shown::alone), None),
            // A thing that only moved is shown once.
            Mark::Changed if old == new => (None, new),
            Mark::Changed => (old, new),
        };
        let around = around(change);
        let leads = change.link.as_deref().map(|link| clean::line(link, URL_CHARS_MAX));
        let (mut old, mut new) = (old, new);
        if let Some(shown) = new.as_mut().or(old.as_mut()).filter(|shown| shown.link.is_none()) {
            shown.link = leads.as_deref().and_then(web_link);
            // The page of an entry has the rest; that of one that is gone may be gone, too.
            if shown.link.is_some() && shown.pieces.is_empty() && mark == Mark::Added {
                shown.text = clean::words(&shown.text, ENTRY_CHARS_MAX);
            }
        }
        if old.is_none() && new.is_none() {
            remarks.push(text(&change.change_type));
        }
        let places_more = marked::more_said(places_more);
        Told { mark, old, new, around, frame, remarks, places_more, place }
    }

    /// What a line of the message tells.
    fn of_line(line: &Line<'_>, body: &Notice, share: Share) -> Told {
        let mut told = Told::of(line.changes[0], body, share);
        let mut remarks = line.remarks().iter().map(|remark| text(remark)).collect::<Vec<_>>();
        for change in &line.changes {
            for remark in Told::of(change, body, share).remarks {
                if !remarks.contains(&remark) {
                    remarks.push(remark);
                }
            }
        }
        match line.sentence {
            Some(sentence) => Told::of_sentence(sentence, line, remarks, told.place),
            None => {
                told.remarks = remarks;
                told
            }
        }
    }

    /// The sentence, with all marked that was found in it.
    fn of_sentence(
        sentence: &str,
        line: &Line<'_>,
        remarks: Vec<String>,
        place: Vec<String>,
    ) -> Told {
        let spans = line.spans();
        let pieces = marked::pieces(sentence, &spans, Share::LEAST);
        let shown =
            Shown { text: text(sentence), pieces, is_place: false, count: None, link: None };
        let mark = Mark::of(line.kind());
        let (old, new) = match mark {
            Mark::Removed => (Some(shown), None),
            Mark::Added | Mark::Changed => (None, Some(shown)),
        };
        let more = spans.len().saturating_sub(marked::MARKED_MAX);
        let (around, places_more) = (Default::default(), marked::more_said(more));
        Told { mark, old, new, around, frame: None, remarks, places_more, place }
    }

    /// Where it stands, as its parts are joined: on the page itself, if it has none.
    pub(crate) fn place(&self, joined: impl Fn(&[String]) -> String) -> String {
        if self.place.is_empty() { ON_THE_PAGE.to_owned() } else { joined(&self.place) }
    }

    /// The remarks on a change that is not shown in a frame; may be empty.
    pub(crate) fn remarked(&self) -> String {
        let more = Some(&self.places_more).filter(|more| !more.is_empty());
        more.into_iter().chain(&self.remarks).map(String::as_str).collect::<Vec<_>>().join(", ")
    }

    /// What stands between the thing and the text after it.
    pub(crate) fn gap(&self) -> &'static str {
        let closes = |text: &str| text.starts_with(|c: char| ".,:;!?)'’".contains(c));
        if closes(&self.around.1) { "" } else { " " }
    }

    /// What stands in the middle of the text around: the thing itself.
    pub(crate) fn middle(&self) -> &str {
        self.new.as_ref().or(self.old.as_ref()).map_or("", |shown| &shown.text)
    }
}

/// Steps by which a change is told below others.
const DEPTH_MAX: usize = 3;

/// Where changes are told, one after the other: what was said last, and each place that it stands
/// in.
#[derive(Default)]
pub(crate) struct Standing<'t> {
    before: Option<&'t Told>,
    /// With what became of the text that leads there.
    places: Vec<(&'t [String], Option<Mark>)>,
}

/// Where a change stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stands {
    /// Elsewhere than what was told before it.
    Apart,
    /// Where that does, or below it: a heading that is new itself, or a text that leads to a list,
    /// is not said twice. So many steps below what is said of the place.
    Below(usize),
}

impl Stands {
    /// How many steps below what is said of the place.
    pub(crate) fn depth(self) -> usize {
        match self {
            Stands::Apart => 0,
            Stands::Below(depth) => depth,
        }
    }
}

impl<'t> Standing<'t> {
    /// Where the next change stands.
    pub(crate) fn next(&mut self, told: &'t Told) -> Stands {
        let own = told.place.as_slice();
        let is_below = self.before.is_some_and(|before| before.leads_to(told));
        // An edit under "Fixed" is of no new release, and what came of nothing that is gone.
        let is_there = |(place, mark): &(&[String], Option<Mark>)| {
            *place == own && mark.is_none_or(|mark| mark == told.mark)
        };
        let stands = match self.places.iter().position(is_there) {
            Some(depth) => {
                self.places.truncate(depth + 1);
                Stands::Below(depth)
            }
            None if is_below => {
                self.places.truncate(DEPTH_MAX);
                self.places.push((own, Some(told.mark)));
                Stands::Below(self.places.len() - 1)
            }
            None => {
                let is_first = self.before.is_none() && own.is_empty();
                self.places = vec![(own, None)];
                if is_first { Stands::Below(0) } else { Stands::Apart }
            }
        };
        self.before = Some(told);
        stands
    }
}

impl Told {
    /// Whether it is what another stands under: a heading that is new itself, or a text that leads
    /// to a list.
    fn leads_to(&self, other: &Told) -> bool {
        let said = match self.mark {
            _ if self.mark != other.mark => &None,
            Mark::Added => &self.new,
            Mark::Removed => &self.old,
            Mark::Changed => &None,
        };
        let is_end = |lead: &str, text: &str| match lead.strip_prefix("… ") {
            Some(end) => text.ends_with(end),
            None => text == lead,
        };
        let both = said.as_ref().zip(other.place.last());
        both.is_some_and(|(said, lead)| is_end(lead, &said.text))
    }
}

impl Shown {
    /// A thing that is not compared with another: that it occurs once goes without saying.
    fn alone(mut self) -> Shown {
        self.count = self.count.filter(|count| count != "1");
        self
    }

    /// The text with its count, as in `oil ×3`; each marked piece as `mark` writes it, and the
    /// rest as `plain` does.
    pub(crate) fn label(
        &self,
        mark: impl Fn(&str) -> String,
        plain: impl Fn(&str) -> String,
    ) -> String {
        let piece =
            |piece: &Piece| if piece.marked { mark(&piece.text) } else { plain(&piece.text) };
        let text = match self.pieces.as_slice() {
            [] => plain(&self.text),
            pieces => pieces.iter().map(piece).collect(),
        };
        self.counted(text)
    }

    /// A text with how often it occurs, as in `oil ×3`.
    pub(crate) fn counted(&self, text: String) -> String {
        match &self.count {
            Some(count) => format!("{text} ×{count}"),
            None => text,
        }
    }

    /// The thing's text and address; `None` if it has neither.
    fn of(thing: &Thing, share: Share) -> Option<Shown> {
        let address = clean::line(thing.address().unwrap_or_default(), URL_CHARS_MAX);
        let said = clean::sentences(&change::short_hashes(thing.text()), share.text);
        let link = web_link(&address);
        let count = thing.count().map(|count| count.to_string());
        let shown = if said.is_empty() { address } else { said };
        let pieces = Vec::new();
        (!shown.is_empty()).then_some(Shown { text: shown, pieces, is_place: false, count, link })
    }

    /// A link that leads elsewhere, or a picture, in a line; and whether the text of a link stays.
    fn behind(change: &Change, body: &Notice) -> Option<(Shown, bool)> {
        let (old, new) = (change.old.as_ref(), change.new.as_ref());
        // A link that came or went is said by its text, where links are what was asked for.
        let is_link = old.xor(new).is_some_and(|one| matches!(one, Thing::Link { .. }));
        let any = Aspect::Any.row().written[0];
        let leaf = body.leaves.get(change.leaf as usize);
        let is_any = leaf.is_some_and(|leaf| leaf.starts_with(any));
        let said = Behind::of(change.kind, old, new, is_any).filter(|_| !is_link || is_any)?;
        let address = clean::line(new.or(old)?.address().unwrap_or_default(), URL_CHARS_MAX);
        let pieces = Vec::new();
        // The sign before it says what became of it.
        let line = said.line();
        let line = ["new ", "gone: "].iter().find_map(|word| line.strip_prefix(word));
        let line = line.map_or_else(|| said.line(), str::to_owned);
        let (text, link) = (text(&line), web_link(&address));
        Some((Shown { text, pieces, is_place: false, count: None, link }, said.text_stays))
    }

    /// Old and new; of two texts what differs is marked, and always in sight. And how many places
    /// of them are not shown.
    fn pair(change: &Change, share: Share) -> (Option<Shown>, Option<Shown>, usize) {
        let (old, new) = (change.old.as_ref(), change.new.as_ref());
        let shown = |thing: Option<&Thing>| Shown::of(thing?, share);
        let (mut shown_old, mut shown_new) = (shown(old), shown(new));
        let mut more = 0;
        if let (Some(Thing::Text { text: old }), Some(Thing::Text { text: new })) = (old, new)
            && let (Some(shown_old), Some(shown_new)) = (&mut shown_old, &mut shown_new)
        {
            // Only an entry of a feed leads elsewhere than its text.
            let pair = marked::Pair::of(old, new, change.link.is_some(), share);
            [shown_old.is_place, shown_new.is_place] = pair.is_place;
            (shown_old.pieces, shown_new.pieces) = (pair.old, pair.new);
            more = pair.more;
        }
        (shown_old, shown_new, more)
    }
}

/// The changes that are shown, how many of the body's they stand for, and the kinds of the others.
fn changes(body: &Notice) -> (Vec<Told>, u64, Vec<&Change>) {
    let Lines { lines, told, untold } = body.lines_in_sight();
    let share = Share::of(lines.len());
    (lines.iter().map(|line| Told::of_line(line, body, share)).collect(), told, untold)
}

/// The words next to a change. A block of text stands for itself: what is around it are other
/// blocks, which say nothing of it.
fn around(change: &Change) -> (String, String) {
    if ["any", "everything"].contains(&change.change_type.as_str()) {
        return Default::default();
    }
    let (before, after) = (text(&change.context.before), text(&change.context.after));
    let own = |text: String| text.trim_matches([' ', '…']).to_owned();
    (own(marked::tail(&before, AROUND_CHARS_MAX)), own(marked::head(&after, AROUND_CHARS_MAX)))
}

fn summary(body: &Notice) -> String {
    let written = text(&body.summary);
    if !written.is_empty() {
        return written;
    }
    match body.kind {
        Kind::Digest => {
            format!("{} notifications", body.notifications.as_deref().unwrap_or_default().len())
        }
        Kind::SourceFailing => "a page does not answer".to_owned(),
        Kind::SourceRecovered => "a page answers again".to_owned(),
        Kind::SelectorMissing => "a selector finds nothing".to_owned(),
        Kind::SelectorFound => "a selector finds again".to_owned(),
        Kind::ChannelTest => "a test: this channel works".to_owned(),
        Kind::ChannelFailing => "another channel takes nothing".to_owned(),
        Kind::Rule => "what a rule waited for occurred".to_owned(),
        Kind::Change => "something changed".to_owned(),
    }
}

fn sentence(missed: &Missed, body: &Notice, zone: &Zone) -> String {
    let page = body.sources.get(missed.source as usize).map(page_name);
    let page = page.unwrap_or_else(|| "a page".to_owned());
    let (start, finish) = (time(&missed.start, zone), time(&missed.finish, zone));
    format!("no answer from {page} between {start} and {finish}: {}", text(&missed.reason))
}

fn page_name(source: &Source) -> String {
    Page::of(source).name
}

fn some_text(said: Option<&str>) -> String {
    said.map(text).unwrap_or_default()
}

fn text(text: &str) -> String {
    clean::line(text, TEXT_CHARS_MAX)
}

/// `2027-01-31T09:00:00.000Z` as `2027-01-31 10:00:00 Europe/Berlin`; what is no such time as it
/// is.
fn time(rfc3339: &str, zone: &Zone) -> String {
    let cleaned = clean::line(rfc3339, 40);
    chronon::rfc3339(&cleaned).map_or(cleaned, |at| zone.moment(at))
}

/// The address if a reader may safely follow it.
fn web_link(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| address.to_owned())
}
