//! Rules for people: as they stand, what they told, and why.

use crate::App;
use crate::keeper::Known;
use crate::problem::Problem;
use crate::wire::{OpenOccurrence, RuleTold, Time, TookPart};
use crate::words;
use chronon::{DetectionId, Instant, RuleId, SentinelId, Zone};
use kernel::view::RuleView;
use outbox::PartKind;
use serde::Serialize;
use std::collections::HashMap;
use store::{Reader, StoreError};
use utoipa::ToSchema;

/// The owner's rule of this name, in any case.
pub(crate) async fn view(app: &App, known: Known, name: &str) -> Result<RuleView, Problem> {
    let (owner, wanted) = (known.actor().owner, name.to_owned());
    let found = app.desk.look(move |kernel| kernel.rule(owner, &wanted)).await?;
    found.ok_or_else(|| Problem::not_found(format!("rule named `{name}`")))
}

/// What a rule told, newest first, below `before`.
pub(crate) async fn told(
    app: &App,
    rule: RuleId,
    before: Option<DetectionId>,
    limit: usize,
) -> Result<Vec<RuleTold>, Problem> {
    let told = app.desk.read(move |reader| {
        let rows = reader.detections(SentinelId(rule.0), before, limit)?;
        let mut names = Names { reader, known: HashMap::new() };
        let told = |row: &outbox::Detection| {
            let part = |part: &outbox::Part| {
                Ok(TookPart { at: Time(part.at), what: names.said(&part.what)? })
            };
            Ok(RuleTold {
                id: row.id.0,
                generation: row.generation,
                detected_at: Time(row.at),
                seq: row.seq,
                parts: row.parts.iter().map(part).collect::<Result<_, StoreError>>()?,
            })
        };
        rows.iter().map(told).collect()
    });
    Ok(told.await?)
}

/// Names of sentinels, each read once.
struct Names<'a> {
    reader: &'a dyn Reader,
    known: HashMap<SentinelId, String>,
}

impl Names<'_> {
    fn of(&mut self, id: SentinelId) -> Result<String, StoreError> {
        if let Some(name) = self.known.get(&id) {
            return Ok(name.clone());
        }
        let row = self.reader.sentinel(id)?;
        let name = row.map_or_else(|| id.to_string(), |row| row.name.into_string());
        self.known.insert(id, name.clone());
        Ok(name)
    }

    /// As the language writes it.
    fn said(&mut self, what: &PartKind) -> Result<String, StoreError> {
        Ok(match what {
            PartKind::Found(sentinel, _) => self.of(*sentinel)?,
            PartKind::Started(sentinel) => format!("start({})", self.of(*sentinel)?),
            PartKind::Ended(sentinel) => format!("end({})", self.of(*sentinel)?),
            PartKind::Fetched(sentinel) => format!("fetched({})", self.of(*sentinel)?),
            PartKind::Failed(sentinel) => format!("failed({})", self.of(*sentinel)?),
            PartKind::Raised(name) => format!("event {name}"),
            PartKind::Clock => "the clock".to_owned(),
        })
    }
}

/// Why a rule acted last, or what it waits for.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct RuleWhy {
    rule: String,
    /// When it was carried out last; null: never.
    carried_out_at: Option<Time>,
    /// The reason in a sentence.
    pub(crate) because: String,
    /// From its definition to what it waits for, in order.
    steps: Vec<RuleStep>,
}

/// One step of an account of a rule.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct RuleStep {
    /// `defined`, `acted`, `told`, `trouble`, `to do`, `open` or `dropped`.
    what: &'static str,
    /// When, if that is known.
    at: Option<Time>,
    text: String,
}

impl RuleWhy {
    /// `told`: what it told last.
    pub(crate) fn of(view: &RuleView, told: Option<&RuleTold>, zone: &Zone) -> RuleWhy {
        let mut steps = Vec::new();
        let mut step = |what, at: Option<Instant>, text: String| {
            steps.push(RuleStep { what, at: at.map(Time), text });
        };
        let (row, life) = (&view.row, &view.life);
        let state = if life.is_enabled { "" } else { "; it is disabled" };
        step("defined", Some(row.defined_at), format!("text {}{state}", row.generation));
        if let Some(at) = life.fired_at {
            step(
                "acted",
                Some(at),
                match life.fired {
                    1 => "for the first time".to_owned(),
                    times => format!("the last of {times} times"),
                },
            );
        }
        if let Some(told) = told {
            let at = told.detected_at.0;
            let text = format!("number {}: {}", told.seq, parts_beside(&told.parts, at, zone));
            step("told", Some(at), text);
        }
        if !life.trouble.is_empty() {
            step("trouble", None, life.trouble.to_string());
        }
        if view.firings > 0 {
            let text = format!("it heard what it waits for, and is yet to act on {}", view.firings);
            step("to do", None, text);
        }
        for one in view.open.iter().map(OpenOccurrence::from) {
            let heard = parts_beside(&one.parts, one.end.0, zone);
            step("open", Some(one.end.0), open_text(&one, &heard, zone));
        }
        let more = view.open_total - view.open.len();
        if more > 0 {
            step("open", None, format!("and {more} more"));
        }
        let dropped: u64 = view.nodes.iter().map(|node| node.dropped).sum();
        if dropped > 0 {
            let text = format!("a limit dropped {dropped} open occurrences, the oldest first");
            step("dropped", None, text);
        }
        let (rule, carried_out_at) = (row.name.to_string(), life.fired_at.map(Time));
        RuleWhy { rule, carried_out_at, because: because(view, zone), steps }
    }
}

/// The sentence.
fn because(view: &RuleView, zone: &Zone) -> String {
    let life = &view.life;
    if !life.is_enabled {
        return "It is disabled, and hears nothing.".to_owned();
    }
    if life.root.is_none() {
        return format!("It hears nothing: {}.", life.trouble);
    }
    if !life.trouble.is_empty() {
        return format!("The last time it could not do all: {}.", life.trouble);
    }
    if view.firings > 0 {
        return "It heard what it waits for, and acts as soon as its condition is looked at."
            .to_owned();
    }
    let acted = match life.fired_at {
        Some(at) => format!("It acted last at {}", words::moment(at, zone)),
        None => "It has not acted yet".to_owned(),
    };
    match view.open.first().map(OpenOccurrence::from) {
        Some(first) => {
            let heard = parts_text(&first.parts, zone);
            format!("{acted}. What is open: {}.", open_text(&first, &heard, zone))
        }
        None => format!("{acted}, and nothing is open that could go on."),
    }
}

/// What was `heard`, and what it waits for.
fn open_text(open: &OpenOccurrence, heard: &str, zone: &Zone) -> String {
    let due = open.due.map(|at| format!(" (at {})", words::moment(at.0, zone))).unwrap_or_default();
    let spoiled = open.spoiled.map(|at| {
        format!(
            "; but what must not happen did, at {}, so nothing comes of it",
            words::moment(at.0, zone)
        )
    });
    let waits_for = &open.waits_for;
    format!("{heard} waits for {waits_for}{due}{}", spoiled.unwrap_or_default())
}

/// The same beside a time that is said already: `build (2027-01-01 09:12 UTC), down`.
fn parts_beside(parts: &[TookPart], said: Instant, zone: &Zone) -> String {
    let one = |part: &TookPart| match part.at.0 {
        at if at == said => part.what.clone(),
        at => format!("{} ({})", part.what, words::moment(at, zone)),
    };
    parts.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// `down at 2027-01-01 09:12:00 UTC, …`
pub(crate) fn parts_text(parts: &[TookPart], zone: &Zone) -> String {
    let one = |part: &TookPart| format!("{} at {}", part.what, words::moment(part.at.0, zone));
    parts.iter().map(one).collect::<Vec<_>>().join(", ")
}
