//! Facts become a body; lists and texts are cut to size.

use crate::cut::cut;
use crate::{
    BODY_BYTES_MAX, Body, CHANGES_IN_SIGHT, CameFacts, Change, ChangeFacts, Counted, Dated,
    DigestFacts, Facts, HealthFacts, Kind, Member, MemberFacts, Missed, Notice, Occurrence,
    Presentation, RuleFacts, Source, SourceFacts, order, summary,
};
use change::{Aspect, Compared, Context, LeafHits, Piece, Slight, Thing};
use chronon::{Instant, SentinelId};
use serde::Serialize;
use std::collections::BTreeMap;

/// The size of one text of a body, in bytes as encoded.
const TEXT_BYTES_MAX: usize = 16 * 1024;
/// The size of a text before or after a change, in bytes as encoded.
const CONTEXT_BYTES_MAX: usize = 1024;
/// The size of a name or a media type, in bytes as encoded.
const NAME_BYTES_MAX: usize = 200;
/// The room a notification of a digest gets at least; the last ones are left out for it.
const SHARE_BYTES_MIN: usize = 8 * 1024;
/// What the envelope of a digest takes at most.
const ENVELOPE_BYTES: usize = 4 * 1024;

/// Whose notification it is.
struct Head<'a> {
    key: &'a str,
    sentinel: Option<&'a (SentinelId, String)>,
    seq: u64,
    presentation: Option<Presentation>,
    composed_at: Instant,
}

/// The body of a notification, at most [`BODY_BYTES_MAX`] bytes. O(size of the facts).
pub fn compose(facts: &Facts) -> Vec<u8> {
    notice(facts).write()
}

fn notice(facts: &Facts) -> Notice {
    let head = Head {
        key: &facts.key,
        sentinel: facts.sentinel.as_ref(),
        seq: facts.seq,
        presentation: facts.presentation,
        composed_at: facts.composed_at,
    };
    match &facts.body {
        Body::Change(change) => of_change(&head, change, BODY_BYTES_MAX),
        Body::Rule(rule) => of_rule(&head, rule, BODY_BYTES_MAX - ENVELOPE_BYTES),
        Body::Digest(digest) => of_digest(&head, digest),
        Body::Failing(health) => {
            of_health(&head, health, Kind::SourceFailing, summary::of_failing(health))
        }
        Body::Recovered(health) => {
            of_health(&head, health, Kind::SourceRecovered, summary::of_recovered(health))
        }
        Body::Missing(health) => {
            of_health(&head, health, Kind::SelectorMissing, summary::of_missing(health))
        }
        Body::Found(health) => {
            of_health(&head, health, Kind::SelectorFound, summary::of_found(health))
        }
        Body::Test { channel } => {
            let mut body = head.body(Kind::ChannelTest, head.composed_at);
            body.summary = summary::of_test(channel);
            body
        }
        Body::Unreachable { note } => {
            let mut body = head.body(Kind::ChannelFailing, head.composed_at);
            body.summary = summary::of_unreachable(note);
            body.note = Some(body.summary.clone());
            body
        }
    }
}

impl Head<'_> {
    /// Whether changes are told in pieces, too.
    fn in_pieces(&self) -> bool {
        matches!(self.presentation, Some(Presentation::DualFrame | Presentation::Merged))
    }

    /// A body with empty lists.
    fn body(&self, kind: Kind, detected_at: Instant) -> Notice {
        let name = self.sentinel.map(|(_, name)| cut(name, NAME_BYTES_MAX));
        Notice {
            format: 1,
            id: self.key.into(),
            kind,
            sentinel: name.map(|(name, _)| name.to_owned()),
            sentinel_id: self.sentinel.map(|&(id, _)| id),
            seq: self.seq,
            presentation: self.presentation,
            detected_at: detected_at.to_string(),
            composed_at: self.composed_at.to_string(),
            truncated: name.is_some_and(|(_, cut)| cut),
            ..Notice::default()
        }
    }
}

fn of_change(head: &Head<'_>, facts: &ChangeFacts, bytes_max: usize) -> Notice {
    let mut cutter = Cutter::new(bytes_max);
    cutter.in_pieces = head.in_pieces();
    let mut body = head.body(Kind::Change, facts.detected_at);
    body.summary = summary::of_change(facts);
    let mut room = bytes_max / 4;
    for (place, piece) in (0..).zip(&facts.evidence) {
        let parts = summary::parts_read(facts, place).into_iter().map(str::to_owned).collect();
        let source = cutter.source(&piece.source, bytes_max / 16 / facts.evidence.len());
        let title = summary::title(piece).map(|title| cutter.text(&title, NAME_BYTES_MAX));
        let source = Source { parts_read: parts, title, ..source };
        if !take(&mut room, &source) && place > 0 {
            break;
        }
        body.sources.push(source);
    }
    let sources = body.sources.len() as u32;
    body.truncated |= body.sources.len() < facts.evidence.len();
    follow(&mut body, facts, &mut cutter, bytes_max / 4);
    let leaves = Leaves::of(facts);
    let mut room = bytes_max / 16;
    for found in &leaves.found {
        let label =
            cutter.text(&change::label(&found.hits.leaf), NAME_BYTES_MAX.max(bytes_max / 64));
        if !take(&mut room, &label) {
            break;
        }
        body.leaves.push(label);
    }
    let known = body.leaves.len() as u32;
    let mut room = bytes_max / 16;
    for combination in &leaves.combinations {
        if combination.iter().any(|&leaf| leaf >= known) || !take(&mut room, combination) {
            body.truncated = true;
            break;
        }
        body.combinations.push(combination.clone());
    }
    body.changes_total = leaves.changes_total();
    (body.held_back, body.say_little) = held_back(facts);
    body.slight = slight(facts);
    body.note = summary::outline(facts).map(|said| cutter.text(&said, bytes_max / 16));
    // The day that the page is of comes after the changes.
    let mut room = bytes_max.saturating_sub(size(&body) + 128 + 2 * NAME_BYTES_MAX);
    let listed = (0..known).zip(&leaves.found).filter(|(_, found)| found.source < sources);
    let mut entries: Vec<order::Entry<'_>> = Vec::new();
    for (leaf, found) in listed {
        let changes = found.hits.hits.iter().filter_map(|&hit| {
            Some(order::Entry {
                leaf,
                hit,
                found,
                change: found.compared.changes.get(hit as usize)?,
            })
        });
        entries.extend(changes);
    }
    order::for_readers(&mut entries, summary::headings_spoken_of(facts).as_deref());
    for entry in &entries {
        let change = cutter.change(entry.leaf, entry.found, entry.change);
        if !take(&mut room, &change) {
            break;
        }
        body.changes.push(change);
    }
    let listed = body.changes.len() as u64;
    body.truncated |= cutter.cut || listed < body.changes_total;
    body.truncated |= body.leaves.len() < leaves.found.len();
    let in_sight = body.changes.iter().take(CHANGES_IN_SIGHT);
    body.dated = dated(facts, in_sight, &mut cutter);
    body
}

/// What the pages held that were looked at because of it, and which of them were missed.
fn follow(body: &mut Notice, facts: &ChangeFacts, cutter: &mut Cutter, room: usize) {
    let mut room = room;
    for page in &facts.followed {
        let bytes_max = room / 2;
        let mut source = Source {
            url: cutter.text(&page.url, bytes_max),
            name: page.name.as_deref().map(|name| cutter.text(name, NAME_BYTES_MAX)),
            ..Source::default()
        };
        if let CameFacts::Held(held) = &page.came {
            source.title = held.title.as_deref().map(|title| cutter.text(title, NAME_BYTES_MAX));
            source.final_url = Some(cutter.text(&held.final_url, bytes_max));
            source.media_type = Some(cutter.text(&held.media_type, NAME_BYTES_MAX));
            source.to_version = Some(held.version);
            source.fetched_at = Some(held.at.to_string());
            // That it is cut is its own matter.
            source.held = Some(cut(&held.text, CONTEXT_BYTES_MAX).0.to_owned());
        }
        if !take(&mut room, &source) {
            body.truncated = true;
            return;
        }
        if let CameFacts::Missed { start, finish, reason } = &page.came {
            body.missed.push(Missed {
                source: body.sources.len() as u32,
                start: start.to_string(),
                finish: finish.to_string(),
                reason: cutter.text(reason, CONTEXT_BYTES_MAX),
            });
        }
        body.sources.push(source);
    }
}

/// The comparisons that led to this, each once.
fn places(facts: &ChangeFacts) -> impl Iterator<Item = &Compared> {
    let places = facts.combinations.iter().flatten();
    let places: BTreeMap<_, _> =
        places.filter_map(|&at| Some(((at.evidence, at.comparison), facts.at(at)?.0))).collect();
    places.into_values()
}

/// The day that a page is of, where another stands there now. What is in sight is not said twice.
fn dated<'b>(
    facts: &ChangeFacts,
    mut in_sight: impl Iterator<Item = &'b Change>,
    cutter: &mut Cutter,
) -> Option<Dated> {
    // Of several pages it would not be said which.
    let is_one = facts.evidence.len() == 1;
    let dated = places(facts).find_map(|compared| compared.dated.as_ref()).filter(|_| is_one)?;
    let [old, new] = [&dated.old, &dated.new].map(|text| cutter.text(text, NAME_BYTES_MAX));
    let says = |change: &Change| change.new.as_ref().is_some_and(|thing| thing.text() == new);
    (!in_sight.any(says)).then_some(Dated { old, new })
}

/// How many entries of feeds are held back of which more is said.
fn slight(facts: &ChangeFacts) -> Vec<Counted> {
    let mut counts = BTreeMap::<Slight, u64>::new();
    for (slight, count) in places(facts).flat_map(|compared| &compared.slight) {
        *counts.entry(*slight).or_default() += u64::from(*count);
    }
    counts.into_iter().map(|(slight, count)| Counted { said: slight.said(count), count }).collect()
}

/// Changes that count too little, and those of them that say little.
fn held_back(facts: &ChangeFacts) -> (u64, u64) {
    let sum = |count: fn(&Compared) -> u32| places(facts).map(|one| u64::from(count(one))).sum();
    (sum(|compared| compared.held_back), sum(|compared| compared.say_little))
}

fn of_digest(head: &Head<'_>, facts: &DigestFacts) -> Notice {
    let newest = facts.notifications.last().map(|member| member.what.detected_at());
    let mut body = head.body(Kind::Digest, newest.unwrap_or(head.composed_at));
    body.rule = facts.notifications.iter().find_map(|member| match &member.what {
        MemberFacts::Rule(rule) => Some(cut(&rule.rule, NAME_BYTES_MAX).0.to_owned()),
        MemberFacts::Change(_) => None,
    });
    let name = head.sentinel.map(|(_, name)| name.as_str()).or(body.rule.as_deref());
    body.summary = summary::of_digest(facts, name.unwrap_or(""));
    let total = facts.notifications.len();
    let mut room = BODY_BYTES_MAX - ENVELOPE_BYTES;
    let mut notifications = Vec::new();
    for (nth, Member { key, seq, what }) in facts.notifications.iter().enumerate() {
        let share = (room / (total - nth)).max(SHARE_BYTES_MIN);
        let head = Head { key, seq: *seq, ..*head };
        let one = match what {
            MemberFacts::Change(change) => of_change(&head, change, share),
            // Nothing nests deeper than what a digest holds.
            MemberFacts::Rule(rule) => Notice {
                notifications: None,
                notifications_total: None,
                ..of_rule(&head, rule, share)
            },
        };
        if !take(&mut room, &one) {
            break;
        }
        body.changes_total += one.changes_total;
        body.truncated |= one.truncated;
        notifications.push(one);
    }
    let rest = &facts.notifications[notifications.len()..];
    let unlisted = rest.iter().map(|member| match &member.what {
        MemberFacts::Change(change) => Leaves::of(change).changes_total(),
        MemberFacts::Rule(_) => 0,
    });
    body.changes_total += unlisted.sum::<u64>();
    body.truncated |= facts.more > 0 || !rest.is_empty();
    body.notifications_total = Some(total as u64 + facts.more);
    body.notifications = Some(notifications);
    body
}

/// What a rule tells: all that took part in a line each, then what its sentinels found.
fn of_rule(head: &Head<'_>, facts: &RuleFacts, bytes_max: usize) -> Notice {
    let mut cutter = Cutter::new(bytes_max);
    let mut body = head.body(Kind::Rule, facts.detected_at);
    body.rule = Some(cutter.text(&facts.rule, NAME_BYTES_MAX));
    body.summary = summary::of_rule(facts);
    let mut room = bytes_max / 4;
    for part in &facts.parts {
        let occurrence = Occurrence {
            at: part.at.to_string(),
            kind: part.happened.kind().to_owned(),
            name: part.happened.name().map(|name| cutter.text(name, NAME_BYTES_MAX)),
            summary: summary::of_part(facts, part),
        };
        if !take(&mut room, &occurrence) {
            body.truncated = true;
            break;
        }
        body.occurrences.push(occurrence);
    }
    let found: Vec<_> = facts.parts.iter().filter_map(|part| part.happened.found()).collect();
    let mut room = bytes_max.saturating_sub(size(&body) + 64);
    let mut notifications = Vec::new();
    for (nth, (sentinel, Member { key, seq, what })) in found.iter().enumerate() {
        let MemberFacts::Change(change) = what else { continue };
        body.changes_total += Leaves::of(change).changes_total();
        let share = (room / (found.len() - nth)).max(SHARE_BYTES_MIN / 2);
        let head = Head { key, seq: *seq, sentinel: Some(sentinel), ..*head };
        let one = of_change(&head, change, share);
        body.truncated |= one.truncated;
        if take(&mut room, &one) {
            notifications.push(one);
        } else {
            body.truncated = true;
        }
    }
    body.notifications_total = Some(found.len() as u64);
    body.notifications = Some(notifications);
    body.truncated |= cutter.cut;
    body
}

fn of_health(head: &Head<'_>, facts: &HealthFacts, kind: Kind, summary: String) -> Notice {
    let mut cutter = Cutter::new(BODY_BYTES_MAX);
    let mut body = head.body(kind, facts.detected_at);
    body.summary = summary;
    body.sources.push(Source {
        url: cutter.text(&facts.url, TEXT_BYTES_MAX),
        name: facts.name.as_deref().map(|name| cutter.text(name, NAME_BYTES_MAX)),
        title: facts.title.as_deref().map(|title| cutter.text(title, NAME_BYTES_MAX)),
        ..Source::default()
    });
    body.note = Some(cutter.text(&facts.note, CONTEXT_BYTES_MAX));
    body.truncated |= cutter.cut;
    body
}

/// The leaves of a detection's combinations, each once, in the order they are first named.
struct Leaves<'a> {
    found: Vec<Found<'a>>,
    /// Indices into `found`.
    combinations: Vec<Vec<u32>>,
}

/// What a leaf keeps, of a comparison of the `source`th piece of evidence.
pub(crate) struct Found<'a> {
    pub(crate) source: u32,
    pub(crate) compared: &'a Compared,
    hits: &'a LeafHits,
}

impl Found<'_> {
    pub(crate) fn aspect(&self) -> Aspect {
        self.compared.change_type.aspect
    }
}

impl<'a> Leaves<'a> {
    fn of(facts: &'a ChangeFacts) -> Leaves<'a> {
        let mut places = BTreeMap::new();
        let mut leaves = Leaves { found: Vec::new(), combinations: Vec::new() };
        for positions in &facts.combinations {
            let mut combination = Vec::with_capacity(positions.len());
            for &at in positions {
                let Some((compared, hits)) = facts.at(at) else { continue };
                let place = *places.entry(at).or_insert_with(|| {
                    leaves.found.push(Found { source: at.evidence, compared, hits });
                    leaves.found.len() as u32 - 1
                });
                combination.push(place);
            }
            leaves.combinations.push(combination);
        }
        leaves
    }

    fn changes_total(&self) -> u64 {
        self.found.iter().map(|found| u64::from(found.hits.hits_total)).sum()
    }
}

/// Cuts texts, and remembers whether it had to.
struct Cutter {
    text_bytes_max: usize,
    in_pieces: bool,
    cut: bool,
}

impl Cutter {
    /// For a body of at most `bytes_max`: no text takes more than a sixteenth of it.
    fn new(bytes_max: usize) -> Cutter {
        Cutter { text_bytes_max: TEXT_BYTES_MAX.min(bytes_max / 16), in_pieces: false, cut: false }
    }

    fn text(&mut self, text: &str, bytes_max: usize) -> String {
        let (text, cut) = cut(text, bytes_max.min(self.text_bytes_max));
        self.cut |= cut;
        text.to_owned()
    }

    fn source(&mut self, source: &SourceFacts, bytes_max: usize) -> Source {
        Source {
            url: self.text(&source.url, bytes_max),
            name: source.name.as_deref().map(|name| self.text(name, NAME_BYTES_MAX)),
            title: None,
            final_url: Some(self.text(&source.final_url, bytes_max)),
            media_type: Some(self.text(&source.media_type, NAME_BYTES_MAX)),
            from_version: Some(source.from_version),
            to_version: Some(source.to_version),
            from_fetched_at: Some(source.from_fetched_at.to_string()),
            fetched_at: Some(source.fetched_at.to_string()),
            modified_at: source.modified_at.map(|at| at.to_string()),
            held: None,
            parts_read: Vec::new(),
        }
    }

    /// Whether its texts were cut is the change's own matter, and does not concern the body.
    fn change(&self, leaf: u32, found: &Found<'_>, change: &change::Change) -> Change {
        let mut own = Cutter { cut: false, ..*self };
        let (old, new) = own.pair(change);
        // What was cut has other offsets.
        let spans = match (&old, &new) {
            (Some(Thing::Text { text: old }), Some(Thing::Text { text: new })) if own.cut => {
                change::spans(old, new)
            }
            _ => change.spans.clone(),
        };
        let pieces = if self.in_pieces { pieces(old.as_ref(), new.as_ref()) } else { Vec::new() };
        Change {
            leaf,
            change_type: found.compared.change_type.told_as(change).to_owned(),
            kind: change.kind,
            source: found.source,
            old,
            new,
            pieces,
            context: Context {
                before: own.text(&change.context.before, CONTEXT_BYTES_MAX),
                after: own.text(&change.context.after, CONTEXT_BYTES_MAX),
            },
            spans,
            heading: change.heading.as_deref().map(|text| own.text(text, CONTEXT_BYTES_MAX)),
            lead: change.lead.as_deref().map(|text| own.text(text, CONTEXT_BYTES_MAX)),
            sentence: change.sentence.as_deref().map(|text| own.text(text, CONTEXT_BYTES_MAX)),
            elsewhere: {
                let all = change.elsewhere.iter();
                all.map(|text| own.text(text, CONTEXT_BYTES_MAX)).collect()
            },
            weight: Some(f64::from(change.weight.0) / 100.0),
            link: change.link.clone().filter(|link| link.len() <= CONTEXT_BYTES_MAX),
            truncated: own.cut || change.truncated,
        }
    }

    /// Old and new; of two long texts, the parts around their differences.
    fn pair(&mut self, change: &change::Change) -> (Option<Thing>, Option<Thing>) {
        let bytes_max = TEXT_BYTES_MAX.min(self.text_bytes_max);
        match (&change.old, &change.new) {
            (Some(Thing::Text { text: old }), Some(Thing::Text { text: new })) => {
                // Escaped, most texts grow by far less than a half.
                let windows = change::windows(old, new, bytes_max * 2 / 3);
                self.cut |= windows.0 != *old || windows.1 != *new;
                let thing = |text| Thing::Text { text };
                (Some(self.thing(&thing(windows.0))), Some(self.thing(&thing(windows.1))))
            }
            (old, new) => (
                old.as_ref().map(|thing| self.thing(thing)),
                new.as_ref().map(|thing| self.thing(thing)),
            ),
        }
    }

    fn thing(&mut self, thing: &Thing) -> Thing {
        let mut text = |text: &str| self.text(text, TEXT_BYTES_MAX);
        match thing {
            Thing::Link { href, text: anchor } => {
                Thing::Link { href: text(href), text: text(anchor) }
            }
            Thing::Image { src, alt } => Thing::Image { src: text(src), alt: text(alt) },
            Thing::Value { value, unit, text: written } => {
                Thing::Value { value: value.clone(), unit: unit.clone(), text: text(written) }
            }
            Thing::Item { id, title, href } => {
                Thing::Item { id: text(id), title: text(title), href: text(href) }
            }
            Thing::Word { word, count } => Thing::Word { word: text(word), count: *count },
            Thing::Text { text: block } => Thing::Text { text: text(block) },
        }
    }
}

/// The texts of a change in one, where either has any.
fn pieces(old: Option<&Thing>, new: Option<&Thing>) -> Vec<Piece> {
    let text = |thing: Option<&Thing>| thing.map_or("", Thing::text).to_owned();
    change::pieces(&text(old), &text(new))
}

/// Takes the room of one more element of a list, comma included, if it is there.
fn take(room: &mut usize, element: &impl Serialize) -> bool {
    let bytes = size(element) + 1;
    let fits = bytes <= *room;
    if fits {
        *room -= bytes;
    }
    fits
}

/// The bytes of a value in JSON.
fn size(value: &impl Serialize) -> usize {
    serde_json::to_vec(value).map_or(usize::MAX / 2, |json| json.len())
}
