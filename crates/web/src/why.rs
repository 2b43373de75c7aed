//! Why something was told, or was not: from the look to the channel, from what is stored.

use crate::App;
use crate::api::sentinel_view;
use crate::keeper::Known;
use crate::look;
use crate::problem::Problem;
use crate::wire::Time;
use crate::words;
use change::{
    Change, Compared, Comparison, LeafHits, Limits, Pairing, RoundRequest, Thing, View, Weight,
};
use chronon::{Instant, SourceId, Span, VersionNo, Zone};
use graph::slow::leaf_of;
use kernel::record::{ProbeOutcome, ProbeRow, SentinelState, Transition, VersionRow};
use kernel::view::{Looks, SentinelView};
use outbox::{DetectionId, Stage};
use schedule::Reason;
use sentinel::ast::{self, Compare, Expr};
use serde::Serialize;
use std::sync::Arc;
use store::{Acquaintance, LIST_ROWS_MAX, Reader, StoreError};
use utoipa::ToSchema;

/// Rows of a list that are read for one answer.
const ROWS_MAX: usize = 10_000;

/// Changes that are held back that are listed, and characters of each text of them.
const HELD_BACK_LISTED: usize = 5;
const SAID_CHARS_MAX: usize = 80;

/// Versions in which what a selector does not find is looked for, as in a round.
const LOOK_BACK_MAX: usize = 20;

/// Why a look was or was not told.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Why {
    sentinel: String,
    /// What the page was when it was last looked at, at this time.
    at: Time,
    /// A detection was made of it.
    told: bool,
    /// The reason in a sentence.
    because: String,
    /// From the look to the channel, in order.
    steps: Vec<Step>,
}

/// One step on the way from a page to a message.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct Step {
    /// `state`, `source` (of several: which one follows), `look`, `version`, `comparison`, `leaf`,
    /// `held back` or `channel`.
    what: &'static str,
    /// When, if that is known.
    at: Option<Time>,
    text: String,
}

/// What became of the last look at or before `at`, for a sentinel.
pub(crate) async fn why(app: &App, known: Known, name: &str, at: Instant) -> Result<Why, Problem> {
    // Times are shown to the second: one without a fraction is all of its second.
    let is_whole = at.as_millis() % 1_000 == 0;
    let until = if is_whole { at + Span::from_millis(999) } else { at };
    let (view, _) = sentinel_view(app, known, name).await?;
    let (zone, chronon) = app.desk.look(|kernel| kernel.rules().calendar()).await?;
    let defined = view.row.defined_at;
    let text = sentinel::recall(&view.row.text, defined, &zone, chronon).ok();
    let id = view.row.id;
    let reader_zone = app.config.zone.clone();
    let asked = view.clone();
    let found = app.desk.read(move |reader| {
        let sources = asked.row.sources().enumerate();
        let answers = sources.map(|(place, source)| {
            let of_source = Asked {
                view: &asked,
                text: text.as_ref(),
                until,
                source,
                place,
                zone: &reader_zone,
            };
            of_source.answer(reader)
        });
        let answers = answers.collect::<Result<Vec<_>, _>>()?;
        let named = |place| match &text {
            Some(text) => crate::values::place_called(&asked, text, place),
            None => asked.urls.get(place).map(ToString::to_string).unwrap_or_default(),
        };
        Ok(together(answers, named))
    });
    let (mut account, detections) = found.await?;
    for &detection in &detections {
        let loaded = look::notifications(app, Some(id), None, LIST_ROWS_MAX).await?;
        let told = loaded.iter().filter(|one| one.notification.tells(detection));
        let steps: Vec<Step> = told.map(|one| channel_step(&one.notification)).collect();
        if steps.is_empty() {
            let text = "the notification of it is not kept any more".to_owned();
            account.steps.push(Step { what: "channel", at: None, text });
        }
        account.steps.extend(steps);
    }
    Ok(Why {
        sentinel: view.row.name.to_string(),
        at: Time(at),
        told: !detections.is_empty(),
        because: account.because,
        steps: account.steps,
    })
}

/// The accounts of all sources as one: what is said of each begins with its name.
fn together(
    mut answers: Vec<(Account, Option<DetectionId>)>,
    named: impl Fn(usize) -> String,
) -> (Account, Vec<DetectionId>) {
    let several = answers.len() > 1;
    let mut all = Account::default();
    let mut detections = Vec::new();
    for (place, (account, detection)) in answers.iter_mut().enumerate() {
        let Account { because, steps } = account;
        if several {
            // The state is that of the sentinel, and said once.
            if place > 0 {
                steps.retain(|step| step.what != "state");
            }
            let at = steps.iter().take_while(|step| step.what == "state").count();
            steps.insert(at, Step { what: "source", at: None, text: named(place) });
            *because = format!("{}: {because}", named(place));
        }
        all.because.push_str(if place > 0 { " " } else { "" });
        all.because.push_str(because);
        all.steps.append(steps);
        // Several pages of one capture may be told together.
        detections.extend(detection.filter(|id| !detections.contains(id)));
    }
    (all, detections)
}

fn channel_step(one: &crate::wire::Notification) -> Step {
    let channel = one.channel.as_ref();
    let name = channel.map_or("a channel", |channel| &channel.name);
    let (at, detail) = one.state_detail();
    let trouble = channel.filter(|_| !one.has_arrived()).and_then(|one| one.trouble.as_deref());
    let detail = detail.or(trouble).map(|why| format!(" ({why})")).unwrap_or_default();
    let closes = if one.is_gathering() && at.is_some() { "; it closes" } else { "" };
    let text = format!("by {name}: {}{detail}{closes}", one.state_words());
    Step { what: "channel", at: at.map(Time), text }
}

/// The sentence, and the steps so far.
#[derive(Default)]
struct Account {
    because: String,
    steps: Vec<Step>,
}

impl Account {
    fn step(&mut self, what: &'static str, at: Option<Instant>, text: impl Into<String>) {
        self.steps.push(Step { what, at: at.map(Time), text: text.into() });
    }

    fn ends(mut self, because: impl Into<String>) -> (Account, Option<DetectionId>) {
        self.because = because.into();
        (self, None)
    }
}

struct Asked<'a> {
    view: &'a SentinelView,
    /// `None`: it cannot be read.
    text: Option<&'a sentinel::ast::Sentinel>,
    /// The last look begun by then is meant.
    until: Instant,
    /// Which of its sources, and where that stands in the text.
    source: SourceId,
    place: usize,
    /// By whose clock it is told.
    zone: &'a Zone,
}

type Answered = Result<(Account, Option<DetectionId>), StoreError>;

/// A version, and the look that found it.
struct Found<'a> {
    version: &'a VersionRow,
    probe: &'a ProbeRow,
}

impl Asked<'_> {
    fn answer(&self, reader: &dyn Reader) -> Answered {
        let mut account = Account::default();
        let transitions = reader.transitions(self.view.row.id)?;
        let Some(state) = state_at(&transitions, self.until) else {
            let created = self.view.row.created_at;
            return Ok(if self.until < created {
                let text = format!("it was created at {}", words::moment(created, self.zone));
                account.step("state", Some(created), "created");
                account.ends(format!("There was no such sentinel yet: {text}."))
            } else {
                account.ends("What became of the sentinel then is not kept any more.")
            });
        };
        let cause = if state.cause == kernel::record::Cause::User { "by you" } else { "by time" };
        account.step("state", Some(state.at), format!("{}, {cause}", state.state.name()));
        let probes = reader.probes(self.source)?;
        let Some(probe) = probes.iter().rev().find(|probe| probe.start <= self.until) else {
            let begins = self.view.begins.map(|at| words::begins(at, self.zone));
            return Ok(account.ends(match (probes.first(), begins) {
                (Some(first), _) if first.number > 0 => {
                    "The looks of then are not kept any more; the last 100 are.".to_owned()
                }
                (_, Some(begins)) => format!("Nothing is looked at yet: it {begins}."),
                _ => "The page had not been looked at yet.".to_owned(),
            }));
        };
        let said =
            format!("{} ({})", words::outcome(probe), words::reason(&probe.reason, self.zone));
        account.step("look", Some(probe.start), said);
        self.look(reader, account, probe, state)
    }

    /// What a look led to.
    fn look(
        &self,
        reader: &dyn Reader,
        mut account: Account,
        probe: &ProbeRow,
        state: &Transition,
    ) -> Answered {
        let number = match &probe.outcome {
            ProbeOutcome::Version(number) => *number,
            // How the page answers may be news where what it shows is none.
            _ if let Some(told) = self.told_at(reader, probe)? => {
                let because = reached(reader, self.view, &told, "")?;
                return Ok((Account { because, ..account }, Some(told.id)));
            }
            ProbeOutcome::Held(number) => {
                account.step("version", None, format!("{number}, held: it counts for nothing yet"));
                let because = self.held(reader, *number, probe)?;
                return Ok(account.ends(because));
            }
            ProbeOutcome::Failed { reason, .. } => {
                let because = format!("The look failed: {reason}. A failed look compares nothing.");
                return Ok(account.ends(because));
            }
            ProbeOutcome::Same | ProbeOutcome::NotModified => {
                let newest = last_version(reader, self.source, probe.start)?;
                if let Some(row) = newest {
                    let text = format!("{}, as before: {}", row.number, row.facts.summary);
                    account.step("version", Some(row.fetched_at), text);
                }
                return Ok(account.ends(
                    "The page was as before, so nothing was compared. Ask for the time of a \
                     change to see what became of it.",
                ));
            }
        };
        let Some(version) = reader.version(self.source, number)? else {
            let because = format!("{number} is not kept any more.");
            return Ok(account.ends(because));
        };
        let text = format!("{number}: {}", version.facts.summary);
        account.step("version", Some(version.fetched_at), text);
        self.version(reader, account, &Found { version: &version, probe }, state)
    }

    /// The sentinel's detection that a look led to. Looks at a source do not overlap.
    fn told_at(
        &self,
        reader: &dyn Reader,
        probe: &ProbeRow,
    ) -> Result<Option<outbox::Detection>, StoreError> {
        let probes = reader.probes(self.source)?;
        let next = probes.iter().find(|next| next.start > probe.start).map(|next| next.start);
        find_detection(reader, self.view, |row| {
            let is_at = row.at >= probe.start && next.is_none_or(|next| row.at < next);
            is_at && row.evidence.iter().any(|piece| piece.source == self.source)
        })
    }

    /// Why nothing is told of an answer that is held.
    fn held(
        &self,
        reader: &dyn Reader,
        number: VersionNo,
        probe: &ProbeRow,
    ) -> Result<String, StoreError> {
        if let Some(odd) = self.habit_of(reader, number, probe)? {
            return Ok(format!(
                "The answer was {}, as it is now and then: it is held back until it has lasted, \
                 the longer the more often it was told.",
                odd.name()
            ));
        }
        let version = reader.version(self.source, number)?;
        let told = version.map(|version| detection_of(reader, self.view, &version)).transpose()?;
        if let Some(told) = told.flatten().filter(|told| told.at < probe.start) {
            let seq = told.seq;
            return Ok(format!(
                "The answer was what had been told as number {seq}; nothing is compared with it."
            ));
        }
        let probes = reader.probes(self.source)?;
        let before = probes.iter().rev().find(|before| before.start < probe.start);
        let is_first = before.is_none_or(|one| one.outcome != ProbeOutcome::Held(number));
        Ok(if is_first {
            "The answer was doubtful, and waits for a second look; nothing is compared with it."
        } else {
            "The answer was doubtful, as at the look before; nothing is compared with it."
        }
        .to_owned())
    }

    /// What a version that is held is by a habit of its source.
    fn habit_of(
        &self,
        reader: &dyn Reader,
        number: VersionNo,
        probe: &ProbeRow,
    ) -> Result<Option<page::Odd>, StoreError> {
        let Some(version) = reader.version(self.source, number)? else { return Ok(None) };
        let is_told = detection_of(reader, self.view, &version)?.is_some();
        let Some(odd) = version.facts.odd.filter(|_| !is_told) else { return Ok(None) };
        let Acquaintance { habits, loud, .. } = Acquaintance::of(reader, self.source)?;
        let Ok(extract) = extract(reader, &version, &View::Page) else { return Ok(None) };
        let outage = change::Outage::of(odd, &extract);
        let breaks = outage.and_then(|outage| habits.breaks(&outage, &loud));
        Ok(breaks.filter(|breaks| probe.start < breaks.until).map(|_| odd))
    }

    /// What the sentinel's own leaves found, of those that a round worked out for all. An earlier
    /// text's leaves are not known: all are answered.
    fn own<'h>(&self, hits: Vec<&'h LeafHits>, is_mine: bool) -> Vec<&'h LeafHits> {
        let Some(text) = self.text.filter(|_| is_mine) else { return hits };
        let mut leaves = Vec::new();
        leaves_of(&text.monitor, text.is_joint().then_some(self.place), &mut leaves);
        let leaves: Vec<change::Leaf> = leaves.into_iter().map(leaf_of).collect();
        hits.into_iter().filter(|hits| leaves.contains(&hits.leaf)).collect()
    }

    /// What a new version led to.
    fn version(
        &self,
        reader: &dyn Reader,
        mut account: Account,
        found: &Found<'_>,
        state: &Transition,
    ) -> Answered {
        let Found { version, probe } = found;
        if let Some(detection) = detection_of(reader, self.view, version)? {
            let ends = |piece: &&change::Evidence| {
                (piece.source, piece.to) == (version.source, version.number)
            };
            let piece = detection.evidence.iter().find(ends);
            let piece = piece.expect("a detection of this version names it");
            let result = reader.blob(piece.result)?;
            let result = result.and_then(|bytes| change::decode(&bytes).ok());
            let compared = result.iter().flat_map(|result| &result.comparisons);
            let base = compared.filter_map(|compared| compared.base).min();
            let instead = base.map(|base| format!(", or with {base}, since the page was odd"));
            let text = format!("{} with {}", piece.from, piece.to) + &instead.unwrap_or_default();
            account.step("comparison", Some(detection.at), text);
            let is_mine = detection.generation == self.view.row.generation;
            let compared = result.iter().flat_map(|result| &result.comparisons);
            let hits = compared.flat_map(|compared| &compared.leaves).collect();
            for hits in self.own(hits, is_mine) {
                account.step("leaf", None, leaf_text(hits));
            }
            let under = if is_mine { "" } else { " under an earlier text" };
            account.because = reached(reader, self.view, &detection, under)?;
            return Ok((account, Some(detection.id)));
        }
        if state.state != SentinelState::Active {
            let because = format!("The sentinel was {} then.", state.state.name());
            return Ok(account.ends(because));
        }
        // Who was disabled and enabled since has heard anew from then on, and heard before, too.
        let hears = |since| since <= probe.start || state.at <= probe.start;
        if !self.view.life.since.is_some_and(hears) {
            let because = "The sentinel began to hear after this look: what the page showed then \
                           is its baseline, which is never told.";
            return Ok(account.ends(because));
        }
        if self.view.looks.as_ref().is_some_and(|looks| !is_heard(looks, probe)) {
            let because = "The look was outside the sentinel's own intervals, so this version \
                           entered nothing of it. The next look inside one compares what it finds \
                           with the last that was captured.";
            return Ok(account.ends(because));
        }
        let Some(text) = self.text else {
            return Ok(account.ends("The sentinel's text cannot be read."));
        };
        let back = match text.compare {
            Compare::Pairwise => 1,
            Compare::Moving(n) => n as usize - 1,
            Compare::Every(n) => {
                let because = format!(
                    "It compares the first with the last of every {n} versions, and this one ended \
                     no such window with a change that it asks for."
                );
                return Ok(account.ends(because));
            }
        };
        let before = counted_before(reader, version)?;
        let Some(older) = before.get(back.saturating_sub(1)) else {
            let because = "There was no earlier version to compare with: it is the baseline, which \
                           is never told.";
            return Ok(account.ends(because));
        };
        let earlier = before.get(back..).unwrap_or_default();
        let earlier = &earlier[..earlier.len().min(LOOK_BACK_MAX)];
        let acquainted = Acquaintance::of(reader, version.source)?;
        let versions = Versions { older, newer: version, earlier, acquainted };
        self.compared(reader, account, text, &versions)
    }

    /// Compares once more what was compared then.
    fn compared(
        &self,
        reader: &dyn Reader,
        mut account: Account,
        text: &sentinel::ast::Sentinel,
        versions: &Versions<'_>,
    ) -> Answered {
        let Versions { older, newer, .. } = versions;
        let again = if self.view.row.defined_at > newer.fetched_at {
            ", by the text of today, which is later"
        } else {
            ""
        };
        let said = format!("{} with {}{again}", older.number, newer.number);
        account.step("comparison", None, said);
        if text.is_joint() {
            let mut all = Vec::new();
            leaves_of(&text.monitor, Some(self.place), &mut all);
            for leaf in all {
                leaf_holds(reader, leaf, versions, &mut account)?;
            }
            return Ok(account.ends(
                "It is compared with the other pages of its capture, once all of them have been \
                 looked at in time; no detection of such a capture names this version.",
            ));
        }
        let holds = evaluate(reader, &text.monitor, versions, &mut account)?;
        let not_evaluated = &self.view.life.not_evaluated;
        Ok(account.ends(match holds {
            Some(Holds { now: false, of_all: true }) => {
                "What it asks for changed only where it counts little, and was held back. \
                 `monitor everything` tells it."
                    .to_owned()
            }
            Some(Holds { now: false, .. }) => "What changed is not what it asks for.".to_owned(),
            None if !not_evaluated.is_empty() => {
                format!("It could not be evaluated: {not_evaluated}.")
            }
            None => "It could not be evaluated: a comparison failed.".to_owned(),
            Some(_) => self.untold(reader, newer)?.to_owned(),
        }))
    }

    /// Why a version is not told although what it shows is asked for.
    fn untold(&self, reader: &dyn Reader, newer: &VersionRow) -> Result<&'static str, StoreError> {
        let rows = reader.versions(self.source, None, LIST_ROWS_MAX)?;
        let newest = rows.iter().find(|row| !row.held);
        let is_newest = newest.is_some_and(|row| row.number == newer.number);
        let told = reader.detections(self.view.row.id, None, LIST_ROWS_MAX)?;
        // Detections are numbered from one on, and the oldest are the first to go.
        let all_kept = told.len() as u64 == self.view.life.seq && told.len() < LIST_ROWS_MAX;
        Ok(match (all_kept, is_newest) {
            (true, false) => {
                "By these versions alone it holds. It was held back by what was known of the page \
                 then: see what is quiet on the page of its source."
            }
            (true, true) => {
                "By these versions alone it holds. It was held back by what was known of the page \
                 then, or is still being compared."
            }
            (false, _) => {
                "By these versions alone it holds, but no detection is kept of it: it was held \
                 back by what was known of the page then, or is too long ago."
            }
        })
    }
}

/// The state that held then.
fn state_at(transitions: &[Transition], at: Instant) -> Option<&Transition> {
    transitions.iter().rev().find(|transition| transition.at <= at)
}

/// The newest version that counts and was fetched by then.
fn last_version(
    reader: &dyn Reader,
    source: SourceId,
    at: Instant,
) -> Result<Option<VersionRow>, StoreError> {
    let rows = reader.versions(source, None, LIST_ROWS_MAX)?;
    Ok(rows.into_iter().find(|row| !row.held && row.fetched_at <= at))
}

/// The versions before this one that count, newest first.
fn counted_before(
    reader: &dyn Reader,
    version: &VersionRow,
) -> Result<Vec<VersionRow>, StoreError> {
    let rows = reader.versions(version.source, Some(version.number), LIST_ROWS_MAX)?;
    Ok(rows.into_iter().filter(|row| !row.held).collect())
}

/// The sentinel's detection that ends in this version.
fn detection_of(
    reader: &dyn Reader,
    view: &SentinelView,
    version: &VersionRow,
) -> Result<Option<outbox::Detection>, StoreError> {
    find_detection(reader, view, |row| {
        let ends =
            |piece: &change::Evidence| piece.source == version.source && piece.to == version.number;
        row.evidence.iter().any(ends)
    })
}

/// The sentinel's newest detection of which this is so, among the last `ROWS_MAX`.
fn find_detection(
    reader: &dyn Reader,
    view: &SentinelView,
    is: impl Fn(&outbox::Detection) -> bool,
) -> Result<Option<outbox::Detection>, StoreError> {
    let (mut before, mut read) = (None, 0);
    while read < ROWS_MAX {
        let rows = reader.detections(view.row.id, before, LIST_ROWS_MAX)?;
        let Some(last) = rows.last() else { return Ok(None) };
        before = Some(last.id);
        read += rows.len();
        let found = rows.into_iter().find(&is);
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// What became of a detection, in a sentence. `under`: which text found it.
fn reached(
    reader: &dyn Reader,
    view: &SentinelView,
    detection: &outbox::Detection,
    under: &str,
) -> Result<String, StoreError> {
    let seq = detection.seq;
    Ok(if reached_nobody(reader, view, detection.id)? {
        format!("It was found{under} as number {seq}, which has reached nobody so far.")
    } else {
        format!("It was found{under}, and told as number {seq}.")
    })
}

/// Whether a detection has notifications, and none of them has arrived.
fn reached_nobody(
    reader: &dyn Reader,
    view: &SentinelView,
    detection: DetectionId,
) -> Result<bool, StoreError> {
    let rows = reader.notifications(Some(view.row.id), None, LIST_ROWS_MAX)?;
    let mut of_it = rows.iter().filter(|row| row.members.contains(&detection)).peekable();
    let is_kept = of_it.peek().is_some();
    Ok(is_kept && of_it.all(|row| row.state.stage() != Stage::Delivered))
}

/// Whether a look is within the intervals, or somebody asked for it: such a one is heard all the
/// same.
fn is_heard(looks: &Looks, probe: &ProbeRow) -> bool {
    probe.reason == Reason::Asked || is_inside(looks, probe.start)
}

/// Whether an instant lies in one of the intervals, whose next is known.
fn is_inside(looks: &Looks, at: Instant) -> bool {
    let (period, zone) = (looks.period, &looks.zone);
    let start = if at < looks.next {
        let ago = (looks.next - at).as_millis() / period.nominal().as_millis().max(1);
        // The interval before may be as long as a day with another clock.
        let back = (0..3).map(|more| period.back(looks.next, ago as u64 + more, zone));
        back.filter(|start| *start <= at).max()
    } else {
        Some(looks.next)
    };
    start.is_some_and(|start| at < start + looks.slack)
}

/// Two versions that are compared, and those before the older one, newest first: what a selector
/// does not find in the older one is looked for in them.
struct Versions<'a> {
    older: &'a VersionRow,
    newer: &'a VersionRow,
    earlier: &'a [VersionRow],
    /// What is known of the page today.
    acquainted: Acquaintance,
}

impl Versions<'_> {
    fn load(&self, reader: &dyn Reader, number: VersionNo, view: &View) -> change::Loaded {
        if number != self.older.number {
            let earlier = self.earlier.iter().find(|row| row.number == number);
            return extract(reader, earlier.unwrap_or(self.newer), view);
        }
        let shows = |loaded: &change::Loaded| {
            loaded.as_ref().is_ok_and(|extract| extract.missing.is_none())
        };
        let found = extract(reader, self.older, view);
        if shows(&found) {
            return found;
        }
        let before = self.earlier.iter().map(|row| extract(reader, row, view));
        before.into_iter().find(shows).unwrap_or(found)
    }
}

/// The leaves that are about the source at this place; about any without one.
fn leaves_of<'e>(expr: &'e Expr, place: Option<usize>, all: &mut Vec<&'e ast::Leaf>) {
    match expr {
        Expr::Leaf(leaf) => {
            let is_at = |place| leaf.of.as_ref().is_some_and(|of| usize::from(of.source) == place);
            all.extend(place.is_none_or(is_at).then_some(leaf));
        }
        Expr::Not(operand) => leaves_of(operand, place, all),
        Expr::And(operands) | Expr::Or(operands) => {
            operands.iter().for_each(|operand| leaves_of(operand, place, all));
        }
    }
}

/// Whether something holds, and whether it would if nothing were held back.
#[derive(Clone, Copy)]
struct Holds {
    now: bool,
    of_all: bool,
}

/// Whether an expression holds between two versions; what each leaf keeps becomes a step. `None`:
/// a comparison could not be made.
fn evaluate(
    reader: &dyn Reader,
    expr: &Expr,
    versions: &Versions<'_>,
    account: &mut Account,
) -> Result<Option<Holds>, StoreError> {
    let operands: &[Expr] = match expr {
        Expr::Leaf(leaf) => return leaf_holds(reader, leaf, versions, account),
        Expr::Not(operand) => std::slice::from_ref(operand),
        Expr::And(operands) | Expr::Or(operands) => operands,
    };
    let mut held = Vec::new();
    for operand in operands {
        held.push(evaluate(reader, operand, versions, account)?);
    }
    let Some(held) = held.into_iter().collect::<Option<Vec<Holds>>>() else { return Ok(None) };
    let of = |which: fn(&Holds) -> bool| match expr {
        Expr::Not(_) => !which(&held[0]),
        Expr::And(_) => held.iter().all(which),
        _ => held.iter().any(which),
    };
    Ok(Some(Holds { now: of(|one| one.now), of_all: of(|one| one.of_all) }))
}

/// Whether a leaf keeps anything, which becomes a step.
fn leaf_holds(
    reader: &dyn Reader,
    leaf: &ast::Leaf,
    versions: &Versions<'_>,
    account: &mut Account,
) -> Result<Option<Holds>, StoreError> {
    let leaf = leaf_of(leaf);
    let request = RoundRequest {
        comparisons: vec![Comparison {
            from: versions.older.number,
            to: versions.newer.number,
            change_type: leaf.change_type.clone(),
            leaves: vec![leaf],
            pairing: Pairing::Alike,
            earlier: versions.earlier.iter().map(|row| row.number).collect(),
            status: None,
        }],
        sources: Vec::new(),
    };
    let mut load = |number: VersionNo, view: &View| versions.load(reader, number, view);
    let mut run = |limits: &Limits| {
        change::run_knowing(&request, &mut load, limits, &versions.acquainted.known()).0
    };
    let result = run(&Limits::default());
    let compared = &result.comparisons[0];
    let hits = &compared.leaves[0];
    if let Some(why) = &compared.failed {
        let text = format!("{}: {why}", change::label(&hits.leaf));
        account.step("leaf", None, text);
        return Ok(None);
    }
    let instead = compared
        .base
        .map(|base| format!(", beside {base}: in {} the page was odd", versions.older.number));
    account.step("leaf", None, leaf_text(hits) + &instead.unwrap_or_default());
    let now = hits.hits_total > 0;
    if compared.held_back == 0 {
        return Ok(Some(Holds { now, of_all: now }));
    }
    let all = run(&Limits { weight_min: Weight::NONE, ..Limits::default() });
    let all = &all.comparisons[0];
    for text in held_back(all) {
        account.step("held back", None, text);
    }
    Ok(Some(Holds { now, of_all: all.leaves[0].hits_total > 0 }))
}

/// Changes that are held back, and why, as far as there is room.
fn held_back(compared: &Compared) -> Vec<String> {
    let because = |change: &Change| {
        let because = change.weight.held_back_because()?;
        let text = |thing: &Option<Thing>| thing.as_ref().map(|thing| thing.text().to_owned());
        let is_behind = text(&change.old) == text(&change.new);
        let said = |thing: &Option<Thing>| {
            let text = thing.as_ref().map(|thing| match (thing.text(), thing.address()) {
                (text, Some(address)) if text.is_empty() || is_behind => address,
                (text, _) => text,
            });
            text.map(|text| match text.char_indices().nth(SAID_CHARS_MAX) {
                Some((end, _)) => format!("“{}…”", &text[..end]),
                None => format!("“{text}”"),
            })
        };
        let said = match (said(&change.old), said(&change.new)) {
            (Some(old), Some(new)) => format!("{old} → {new}"),
            (Some(old), None) => format!("{old} is gone"),
            (None, Some(new)) => format!("{new} is new"),
            (None, None) => return None,
        };
        Some(format!("{said}: {because}"))
    };
    let all: Vec<String> = compared.changes.iter().filter_map(because).collect();
    let more = all.len().saturating_sub(HELD_BACK_LISTED);
    let more = (more > 0).then(|| format!("and {more} more"));
    all.into_iter().take(HELD_BACK_LISTED).chain(more).collect()
}

fn extract(reader: &dyn Reader, row: &VersionRow, view: &View) -> change::Loaded {
    let gone = || format!("what {} showed is not kept any more", row.number);
    let stored = row.facts.extracts.get(view).ok_or_else(gone)?;
    let bytes = reader.blob(stored.blob).map_err(|error| error.to_string())?.ok_or_else(gone)?;
    page::decode(&bytes).map(Arc::new).map_err(|error| error.to_string())
}

/// `all links added: 3 changes`.
fn leaf_text(hits: &LeafHits) -> String {
    let label = change::label(&hits.leaf);
    match hits.hits_total {
        0 => format!("{label}: no change"),
        1 => format!("{label}: 1 change"),
        count => format!("{label}: {count} changes"),
    }
}
