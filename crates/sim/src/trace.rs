//! What happened, in lines that a person can read and a case can expect.

mod detection;
mod meaning;

use crate::moment;
use crate::people::Letter;
use crate::shell::{Seen, Shell, Wish};
use chronon::{Instant, RuleId, SentinelId, SourceId, Span, StreamId, VersionNo};
use kernel::Record;
use kernel::io::Answer;
use kernel::record::{
    HostRow, ProbeOutcome, ProbeRow, RuleLife, SentinelState, StreamRow, StreamSpec, Transition,
};
use outbox::{
    Came, DeliveryResult, Detection, DetectionId, Follow, OutboxRecord, Part, PartKind, State,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Kinds of lines by the words a case may ask for them with.
const GROUPS: &[(&str, &[&str])] = &[
    ("probes", &["probe"]),
    ("detections", &["detect", "follow"]),
    ("rules", &["rule", "tells", "trouble"]),
    (
        "notifications",
        &[
            "notify", "tells", "digest", "failing", "recover", "blind", "sees", "unheard", "test",
            "gave up", "cancel",
        ],
    ),
    ("misses", &["missed"]),
    ("states", &["state"]),
    ("answers", &["answer", "refuse"]),
    ("channels", &["channel"]),
    ("holds", &["held"]),
    ("crashes", &["crash", "start"]),
    ("completeness", &["completeness"]),
];

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    at: Instant,
    kind: &'static str,
    text: String,
}

impl Line {
    /// Whether a case that asks for `kinds` compares this line; none are all but the holds of
    /// hosts, which the probes that wait for them show already.
    pub(crate) fn is_asked_for(&self, kinds: &[String]) -> bool {
        let asks = |kind: &String| {
            let group = GROUPS.iter().find(|(name, _)| name == kind).map(|(_, kinds)| *kinds);
            group.is_some_and(|kinds| kinds.contains(&self.kind)) || kind == self.kind
        };
        if kinds.is_empty() { self.kind != "held" } else { kinds.iter().any(asks) }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// When it happened; what is said of a whole story happens at its end.
    pub(crate) fn at(&self) -> Instant {
        self.at
    }

    /// The line in words, for those who read a trace for the first time.
    pub(crate) fn meaning(&self) -> &'static str {
        meaning::of(self.kind, &self.text)
    }
}

/// Writes the trace; knows only what became durable and what people got.
#[derive(Default)]
pub(crate) struct Trace {
    start: Instant,
    lines: Vec<Line>,
    names: BTreeMap<SentinelId, Box<str>>,
    defined_at: BTreeMap<SentinelId, Instant>,
    urls: BTreeMap<SourceId, Box<str>>,
    streams: BTreeMap<StreamId, StreamRow>,
    listeners: BTreeMap<SentinelId, Vec<StreamId>>,
    fetched_at: BTreeMap<(SourceId, VersionNo), Instant>,
    probes: BTreeMap<SourceId, Vec<(Instant, Option<String>)>>,
    /// By key: the body, and whether its recipient has taken it.
    letters: BTreeMap<Box<str>, (Arc<[u8]>, bool)>,
    /// How often each rule acted, and what it could not do.
    rules: BTreeMap<RuleId, (Box<str>, u64, Box<str>)>,
    ended_rows: BTreeSet<chronon::NotificationId>,
    held: BTreeMap<Box<str>, Instant>,
    told: BTreeSet<(SourceId, VersionNo)>,
    /// What has come of the looks that follow what was detected.
    followed: BTreeMap<DetectionId, Option<Box<Follow>>>,
    delays: Vec<Span>,
    captured: u64,
    intervals: u64,
}

impl Trace {
    pub(crate) fn new(start: Instant) -> Trace {
        Trace { start, ..Trace::default() }
    }

    /// Sources by the names that lines have for them, each with its URL.
    pub(crate) fn sources(&self) -> Vec<(String, String)> {
        self.urls.iter().map(|(id, url)| (id.to_string(), url.to_string())).collect()
    }

    /// The lines so far, and the last one.
    pub(crate) fn finish(mut self) -> Vec<Line> {
        let mut parts = Vec::new();
        if self.intervals > 0 {
            parts.push(format!("completeness {}/{}", self.captured, self.intervals));
        }
        if !self.delays.is_empty() {
            let sum = self.delays.iter().fold(Span::ZERO, |sum, delay| sum + *delay);
            parts.push(format!("delay {}", sum.divided_by(self.delays.len() as i64)));
        }
        if !parts.is_empty() {
            let (at, text) = (Instant::NEVER, parts.join("   "));
            self.lines.push(Line { at, kind: "completeness", text });
        }
        self.lines
    }

    /// Takes down what the shell saw.
    ///
    /// # Errors
    /// Something that must never happen, in a sentence.
    pub(crate) fn take(&mut self, shell: &Shell, seen: &[Seen]) -> Result<(), String> {
        let now = shell.now();
        for seen in seen {
            match seen {
                Seen::Started if self.lines.is_empty() => {}
                Seen::Started => self.line(now, "start", String::new()),
                Seen::Crashed => self.line(now, "crash", String::new()),
                Seen::Probe { .. } => {}
                Seen::Batch { at, steps } => {
                    for record in steps.iter().flat_map(|step| &step.records) {
                        self.record(*at, record.clone(), shell)?;
                    }
                }
                Seen::Letter { letter, verdict, said } => {
                    self.letter(now, letter, verdict, said)?;
                }
                Seen::Answered { wish, answer } => self.answer(now, wish, answer.clone()),
            }
        }
        Ok(())
    }

    fn line(&mut self, at: Instant, kind: &'static str, text: String) {
        let moment = moment::show(at - self.start);
        let text = format!("{moment}  {kind:<7} {text}").trim_end().to_owned();
        self.lines.push(Line { at, kind, text });
    }

    fn name(&self, id: SentinelId) -> String {
        self.names.get(&id).map_or_else(|| id.to_string(), |name| name.to_string())
    }

    fn record(&mut self, at: Instant, record: Record, shell: &Shell) -> Result<(), String> {
        match record {
            Record::Sentinel(row) => {
                self.defined_at.insert(row.id, at);
                // A second of one name is an earlier generation on its way out.
                let another = self.names.iter().any(|(id, name)| {
                    *id != row.id && *name == row.name && self.listeners.contains_key(id)
                });
                if !another {
                    self.names.insert(row.id, row.name);
                }
            }
            Record::SentinelLife(life) => {
                self.listeners.insert(life.id, life.streams().collect());
            }
            Record::SentinelGone(id) => {
                self.listeners.remove(&id);
                if let Some(name) = self.names.get(&id) {
                    let said = format!("{name} removed");
                    self.line(at, "state", said);
                }
            }
            Record::Transition(transition) => self.transition(at, &transition),
            Record::Source(row) => {
                self.urls.insert(row.id, row.url.reveal().into());
            }
            Record::Probe(row) => self.probe(at, &row, shell),
            Record::Version(row) => {
                self.fetched_at.insert((row.source, row.number), row.fetched_at);
            }
            Record::Stream(row) => self.stream(at, row),
            Record::StreamGone(id) => {
                self.streams.remove(&id);
            }
            Record::Detection(row) if row.is_of_rule() => self.rule_tells(&row),
            Record::Detection(row) => match self.followed.insert(row.id, row.follow.clone()) {
                None => self.detection(&row, shell)?,
                Some(before) => self.follow(at, &row, before.as_deref()),
            },
            Record::Rule(row) => {
                let known = self.rules.remove(&row.id);
                let (_, fired, trouble) = known.unwrap_or_default();
                self.rules.insert(row.id, (row.name, fired, trouble));
            }
            Record::RuleGone(id) => {
                if let Some((name, ..)) = self.rules.get(&id) {
                    let said = format!("{name} removed");
                    self.line(at, "state", said);
                }
            }
            Record::RuleLife(life) => self.rule_acts(at, &life),
            Record::Outbox(record) => self.outbox(at, record),
            Record::Host(HostRow { name, held_until: Some(until), .. }) => {
                self.held.insert(name.clone(), until);
                self.line(at, "held", format!("{name} until {}", self.moment(until)));
            }
            _ => {}
        }
        Ok(())
    }

    fn moment(&self, at: Instant) -> String {
        moment::show(at - self.start)
    }

    /// What was to be expected of a new sentinel is not said.
    fn transition(&mut self, at: Instant, transition: &Transition) {
        let id = transition.sentinel;
        let is_new = self.defined_at.get(&id) == Some(&at);
        let state = match transition.state {
            SentinelState::Pending if is_new => return,
            SentinelState::Active if is_new => return,
            state => state.name(),
        };
        self.line(at, "state", format!("{} {state}", self.name(id)));
    }

    fn probe(&mut self, at: Instant, row: &ProbeRow, shell: &Shell) {
        let source = row.source;
        let result = match &row.outcome {
            ProbeOutcome::Version(version) => format!("-> {version}"),
            ProbeOutcome::Same => "the same".to_owned(),
            ProbeOutcome::NotModified => "not modified".to_owned(),
            ProbeOutcome::Held(version) => format!("held as {version}"),
            ProbeOutcome::Failed { status, reason } => {
                let telling = status.filter(|status| !(200..300).contains(status));
                telling.map_or_else(|| reason.to_string(), |status| status.to_string())
            }
        };
        let failure = match row.outcome {
            ProbeOutcome::Failed { .. } => Some(result.clone()),
            ProbeOutcome::Held(_) => Some("doubtful".to_owned()),
            _ => None,
        };
        let mut text = format!("{source} {result}");
        if failure.is_some() {
            let view = shell.kernel().and_then(|kernel| kernel.source(source, at));
            let host = self.urls.get(&source).map(|url| crate::web::host(url)).unwrap_or_default();
            let held = self.held.get(&host).copied().unwrap_or(Instant::EPOCH);
            if let Some(due) = view.and_then(|view| view.outlook.due).map(|due| due.max(held)) {
                text.push_str(&format!(", again at {}", self.moment(due)));
            }
        }
        self.probes.entry(source).or_default().push((row.start, failure));
        self.line(at, "probe", text);
    }

    /// EIs that the stream has left behind are captured, or missed.
    fn stream(&mut self, at: Instant, row: StreamRow) {
        let old = self.streams.get(&row.id);
        let before = old.map_or(row.next_ei, |old| old.next_ei);
        let mut over = Vec::new();
        if let StreamSpec::Every { t0, period, slack, zone } = &row.spec {
            for number in before..row.next_ei {
                let start = period.nth(*t0, number, zone);
                over.push((start, start + *slack));
            }
        } else if let Some((old, new)) =
            old.and_then(|old| old.captures.as_ref()).zip(row.captures.as_ref())
        {
            let gone = old.open.iter().filter(|open| {
                !open.is_baseline && !new.open.iter().any(|other| other.start == open.start)
            });
            over.extend(gone.map(|open| (open.start, open.finish)));
        }
        let sources = row.captures.as_ref().map_or(vec![row.source], |row| row.sources.clone());
        for interval in over {
            self.interval(at, (row.id, &sources), interval);
        }
        self.streams.insert(row.id, row);
    }

    /// Captured where a look at every source succeeded inside.
    fn interval(
        &mut self,
        at: Instant,
        (stream, sources): (StreamId, &[SourceId]),
        (start, finish): (Instant, Instant),
    ) {
        self.intervals += 1;
        let missed = sources.iter().find_map(|source| {
            let probes = self.probes.get(source).into_iter().flatten();
            let inside = probes.filter(|(probed, _)| start <= *probed && *probed <= finish);
            let mut reason = "no probe".to_owned();
            for (_, failure) in inside {
                reason.clone_from(failure.as_ref()?);
            }
            Some((*source, reason))
        });
        let Some((source, reason)) = missed else {
            self.captured += 1;
            return;
        };
        let which = if sources.len() > 1 { format!("{source} ") } else { String::new() };
        let on_stream = self.listeners.iter().filter(|(_, on)| on.contains(&stream));
        let names: Vec<String> = on_stream.map(|(&id, _)| self.name(id)).collect();
        let interval = format!("{}..{}", self.moment(start), self.moment(finish));
        self.line(at, "missed", format!("{} {interval} {which}{reason}", names.join(", ")));
    }

    fn detection(&mut self, row: &Detection, shell: &Shell) -> Result<(), String> {
        let text = detection::describe(row, &*shell.reader())?;
        let name = self.name(row.sentinel);
        let pairs: Vec<String> =
            row.evidence.iter().map(|piece| format!("{}..{}", piece.from, piece.to)).collect();
        self.line(row.at, "detect", format!("{name} {text}  {}", pairs.join(", ")));
        for version in row.evidence.iter().map(|piece| (piece.source, piece.to)) {
            if !self.told.insert(version) {
                continue;
            }
            let fetched = self.fetched_at.get(&version);
            let url = self.urls.get(&version.0);
            let changed = fetched.zip(url).and_then(|(at, url)| shell.web.changed_at(url, *at));
            self.delays.extend(changed.map(|changed| row.at - changed));
        }
        Ok(())
    }

    /// What has come of looks that a detection waits for.
    fn follow(&mut self, at: Instant, row: &Detection, before: Option<&Follow>) {
        let Some(follow) = &row.follow else { return };
        let name = self.name(row.sentinel);
        for (place, look) in follow.looks.iter().enumerate() {
            let was = before.and_then(|before| before.looks.get(place));
            if was.is_some_and(|was| was.came == look.came) {
                continue;
            }
            let which = look.name.as_deref().map_or_else(|| look.source.to_string(), str::to_owned);
            let came = match &look.came {
                Came::Nothing => continue,
                Came::Shown(version, _) => format!("-> {version}"),
                Came::Missed(why) => why.to_string(),
            };
            self.line(at, "follow", format!("{name} {which} {came}"));
        }
    }

    /// What took part in what a rule tells.
    fn rule_tells(&mut self, row: &Detection) {
        let rule = RuleId(row.sentinel.0);
        let name =
            self.rules.get(&rule).map_or_else(|| rule.to_string(), |rule| rule.0.to_string());
        let what = |part: &Part| {
            let what = match &part.what {
                PartKind::Found(id, _) => self.name(*id),
                PartKind::Started(id) => format!("start({})", self.name(*id)),
                PartKind::Ended(id) => format!("end({})", self.name(*id)),
                PartKind::Fetched(id) => format!("fetched({})", self.name(*id)),
                PartKind::Failed(id) => format!("failed({})", self.name(*id)),
                PartKind::Raised(name) => format!("event {name}"),
                PartKind::Clock => "the clock".to_owned(),
            };
            format!("{what} {}", self.moment(part.at))
        };
        let parts: Vec<String> = row.parts.iter().map(what).collect();
        self.line(row.at, "detect", format!("{name}: {}", parts.join(", ")));
    }

    fn rule_acts(&mut self, at: Instant, life: &RuleLife) {
        let Some((name, fired, trouble)) = self.rules.get_mut(&life.id) else { return };
        let times = life.fired - std::mem::replace(fired, life.fired);
        let (name, fresh) = (name.clone(), **trouble != *life.trouble);
        trouble.clone_from(&life.trouble);
        match times {
            0 => {}
            1 => self.line(at, "rule", format!("{name} acts")),
            times => self.line(at, "rule", format!("{name} acts {times} times")),
        }
        if fresh && !life.trouble.is_empty() {
            self.line(at, "trouble", format!("{name}: {}", life.trouble));
        }
    }

    fn outbox(&mut self, at: Instant, record: OutboxRecord) {
        match record {
            OutboxRecord::Row(row) => {
                let (kind, reason) = match &row.state {
                    State::GivenUp { reason, .. } => ("gave up", reason.to_string()),
                    State::Cancelled { .. } => ("cancel", String::new()),
                    _ => {
                        self.ended_rows.remove(&row.id);
                        return;
                    }
                };
                if self.ended_rows.insert(row.id) {
                    let name = row.sentinel.map(|id| self.name(id)).unwrap_or_default();
                    let what = row.kind.name();
                    self.line(at, kind, format!("{name} {what} {reason}").trim_end().to_owned());
                }
            }
            OutboxRecord::Channel(row) => {
                if let Some(reason) = row.disabled {
                    let name = row.contact.map_or(row.name, |contact| contact.reveal().into());
                    self.line(at, "channel", format!("{name} disabled: {reason}"));
                }
            }
            OutboxRecord::Attempt(_) => {}
        }
    }

    fn letter(
        &mut self,
        at: Instant,
        letter: &Letter,
        verdict: &DeliveryResult,
        said: &str,
    ) -> Result<(), String> {
        let body: serde_json::Value = serde_json::from_slice(&letter.body)
            .map_err(|error| format!("a body is no JSON: {error}"))?;
        let text = |field: &str| body[field].as_str().unwrap_or_default().to_owned();
        let (kind, detail) = match text("type").as_str() {
            "change" => ("notify", followed(&body)),
            "rule" => ("tells", text("summary")),
            "digest" => {
                let total = body["notifications_total"].as_u64().unwrap_or_default();
                ("digest", format!(" {total} change{}", if total == 1 { "" } else { "s" }))
            }
            "source.failing" => ("failing", format!(" {}", text("note"))),
            "source.recovered" => ("recover", format!(" {}", text("note"))),
            "selector.missing" => ("blind", format!(" {}", text("note"))),
            "selector.found" => ("sees", String::new()),
            "channel.failing" => ("unheard", format!(" {}", text("note"))),
            _ => ("test", String::new()),
        };
        let fresh = (Arc::clone(&letter.body), false);
        let known = self.letters.entry(letter.key.clone()).or_insert(fresh);
        if known.0 != letter.body {
            return Err(format!("I-ONCE: the key {} came with two bodies", letter.key));
        }
        let again = if known.1 { " again, same key" } else { "" };
        known.1 |= *verdict == DeliveryResult::Delivered;
        let said = if said.is_empty() { String::new() } else { format!(" {said}") };
        let name = text("sentinel");
        let name = if name.is_empty() && kind == "digest" { text("rule") } else { name };
        let line = format!("{} {name}{detail}{again}{said}", letter.recipient());
        self.line(at, kind, line);
        Ok(())
    }

    fn answer(&mut self, at: Instant, wish: &Wish, answer: Answer) {
        let what = match wish {
            Wish::Apply { name, .. } | Wish::Remove { name } | Wish::Enable { name, .. } => name,
            Wish::Snooze { name, .. } | Wish::Discard { name } => name,
            Wish::TakeBack { name } | Wish::Rename { name, .. } => name,
            Wish::Probe { url } => url,
            Wish::Test { channel, .. } => channel,
            Wish::Raise { name, .. } => name,
            Wish::Budget { .. } => return,
        };
        match answer {
            Answer::Refused(diagnostics) => {
                for diagnostic in diagnostics {
                    let message = diagnostic.message;
                    self.line(at, "refuse", format!("{what} line {}: {message}", diagnostic.line));
                }
            }
            Answer::Applied(applied) => {
                for one in applied {
                    match one.what {
                        kernel::io::AppliedWhat::Created => {}
                        kernel::io::AppliedWhat::Replaced => {
                            self.line(at, "answer", format!("{} replaced", one.name));
                        }
                        kernel::io::AppliedWhat::Changed => {
                            self.line(at, "answer", format!("{} changed", one.name));
                        }
                        kernel::io::AppliedWhat::Unchanged => {
                            self.line(at, "answer", format!("{} unchanged", one.name));
                        }
                    }
                }
            }
            Answer::NotFound { what } => {
                self.line(at, "answer", format!("there is no {what}"));
            }
            Answer::Unable(sentence) => self.line(at, "answer", sentence.into()),
            Answer::Conflict { name } => self.line(at, "answer", format!("{name} exists")),
            Answer::Outdated => self.line(at, "answer", "outdated".to_owned()),
            Answer::Done | Answer::Queued(_) | Answer::Later(_) => {}
        }
    }
}

/// Which pages a message has that were looked at because of what was found, and which it misses.
fn followed(body: &serde_json::Value) -> String {
    let sources = body["sources"].as_array().map_or(&[][..], Vec::as_slice);
    let called = |source: &serde_json::Value| {
        source["name"].as_str().or(source["url"].as_str()).unwrap_or_default().to_owned()
    };
    let held = sources.iter().filter(|source| source["held"].is_string()).map(called);
    let held: Vec<String> = held.collect();
    let missed = body["missed"].as_array().into_iter().flatten().map(|missed| {
        let source = missed["source"].as_u64().and_then(|at| sources.get(at as usize));
        let reason = missed["reason"].as_str().unwrap_or_default();
        format!("{}: {reason}", source.map(called).unwrap_or_default())
    });
    let missed: Vec<String> = missed.collect();
    let with = |word, list: Vec<String>| {
        if list.is_empty() { String::new() } else { format!(" {word} {}", list.join(", ")) }
    };
    with("with", held) + &with("without", missed)
}
