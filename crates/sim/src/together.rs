//! Sentinels over several sources in random worlds: which captures are complete, what is told of
//! them, and what further pages then show, computed from the looks alone.

use crate::clocks::Clock;
use crate::invariant;
use crate::pace::{Pace, Rng};
use crate::shell::{Crash, Point, Seen, Shell, Wish};
use crate::web::{Fault, Page, Reply, Trouble};
use crate::world::START;
use change::Evidence;
use chronon::{DetectionId, Instant, SentinelId, SourceId, Span, VersionNo};
use kernel::io::Answer;
use kernel::record::{ProbeOutcome, ProbeRow, Record};
use outbox::{Came, Detection};
use std::collections::{BTreeMap, BTreeSet};

const PAGES: u64 = 3;
const LASTS: Span = Span::HOUR.times(4);
/// Steps between two comparisons with the store, which load all of it.
const FOLDS_EVERY: u32 = 16;

/// How a sentinel's parts are joined.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    /// Any of them changed.
    Or,
    /// All of them did.
    And,
    /// The first did, and the others did not.
    Alone,
}

/// When its sources are captured.
#[derive(Debug, Clone, Copy)]
enum When {
    Every { t0: Instant, period: Span, slack: Span },
    OnChange { within: Span },
}

/// A sentinel with `of`, and what a slow reading of the language makes of it.
#[derive(Debug)]
struct Joint {
    name: String,
    pages: Vec<u64>,
    form: Form,
    when: When,
    /// What it finds asks for a look at each of these pages within that time.
    then: Option<(Vec<u64>, Span)>,
    /// Captures that wait for some of their sources: start, finish, which are captured.
    open: Vec<(Instant, Instant, BTreeSet<u64>)>,
    last: Option<Vec<VersionNo>>,
    complete: u64,
    told: Vec<Vec<(u64, VersionNo, VersionNo)>>,
}

impl Joint {
    fn drawn(rng: &mut Rng, number: u64) -> Joint {
        let mut pages: Vec<u64> = (0..PAGES).collect();
        pages.rotate_left(rng.below(PAGES) as usize);
        pages.truncate(2 + rng.below(PAGES - 1) as usize);
        let when = if rng.one_in(3) {
            When::OnChange { within: Span::MINUTE.times(1 + rng.below(20) as i64) }
        } else {
            let period = Span::MINUTE.times(*rng.pick(&[10, 20, 30]));
            let slack = Span::MINUTE.times(1 + rng.below(8) as i64);
            let t0 = START + Span::MINUTE.times(1 + rng.below(20) as i64);
            When::Every { t0, period, slack }
        };
        let form = *rng.pick(&[Form::Or, Form::And, Form::Alone]);
        let further: Vec<u64> = (0..PAGES).filter(|_| rng.one_in(2)).collect();
        let within = Span::MINUTE.times(1 + rng.below(15) as i64);
        let then = Some((further, within)).filter(|(further, _)| !further.is_empty());
        let (open, told) = (Vec::new(), Vec::new());
        let name = format!("s{number}");
        Joint { name, pages, form, when, then, open, last: None, complete: 0, told }
    }

    fn text(&self) -> String {
        let sources: Vec<String> =
            self.pages.iter().map(|page| format!("{} as p{page}", url(*page))).collect();
        let part = |page: &u64| format!("any change of p{page}");
        let parts: Vec<String> = self.pages.iter().map(part).collect();
        let monitor = match self.form {
            Form::Or => parts.join(" or "),
            Form::And => parts.join(" and "),
            Form::Alone => parts.join(" and not "),
        };
        let fetch = match self.when {
            When::OnChange { within } => {
                format!("on change within {} seconds", within.as_millis() / 1_000)
            }
            When::Every { t0, period, slack } => format!(
                "every {} minutes within {} minutes from {}",
                period.as_millis() / 60_000,
                slack.as_millis() / 60_000,
                &t0.to_string().replace('T', " ")[..16],
            ),
        };
        let sources = sources.join(", ");
        let then = self.then.as_ref().map_or_else(String::new, |(further, within)| {
            let further: Vec<String> = further.iter().map(|page| url(*page)).collect();
            let seconds = within.as_millis() / 1_000;
            format!(" then probe {} within {seconds} seconds", further.join(", "))
        });
        format!(
            "create sentinel {} using {sources} monitor {monitor} fetch {fetch}{then}",
            self.name
        )
    }

    /// A look at `page` that began at `start` succeeded, and `current` are the versions now.
    fn looked(
        &mut self,
        page: u64,
        start: Instant,
        is_new: bool,
        current: &BTreeMap<u64, VersionNo>,
    ) {
        if !self.pages.contains(&page) {
            return;
        }
        match self.when {
            When::Every { t0, period, slack } => {
                let since = start.since(t0).as_millis();
                let k = since.div_euclid(period.as_millis());
                let begins = t0 + period.times(k);
                if k >= 0 && start <= begins + slack && !self.open.iter().any(|o| o.0 == begins) {
                    self.open.push((begins, begins + slack, BTreeSet::new()));
                }
            }
            When::OnChange { .. } if self.last.is_none() && self.open.is_empty() => {
                self.open.push((START, Instant::NEVER, BTreeSet::new()));
            }
            When::OnChange { .. } => {}
        }
        let mut is_awaited = false;
        for (begins, finish, captured) in &mut self.open {
            if *begins <= start && start <= *finish && captured.len() < self.pages.len() {
                is_awaited |= captured.insert(page);
            }
        }
        if let When::OnChange { within } = self.when
            && is_new
            && !is_awaited
            && self.last.is_some()
        {
            self.open.push((start, start + within, BTreeSet::from([page])));
        }
        let is_full = |o: &(Instant, Instant, BTreeSet<u64>)| o.2.len() == self.pages.len();
        let is_timed = matches!(self.when, When::Every { .. });
        let full: Vec<usize> = (0..self.open.len()).filter(|&at| is_full(&self.open[at])).collect();
        for at in full.into_iter().rev() {
            if is_timed && self.open[at].1 == Instant::EPOCH {
                continue;
            }
            // Done with: an interval stays known, so that it is not captured twice.
            if is_timed {
                self.open[at].1 = Instant::EPOCH
            } else {
                drop(self.open.remove(at))
            }
            self.complete(current);
        }
    }

    fn complete(&mut self, current: &BTreeMap<u64, VersionNo>) {
        self.complete += 1;
        let now: Vec<VersionNo> = self.pages.iter().map(|page| current[page]).collect();
        let Some(last) = self.last.replace(now.clone()) else { return };
        let changed: Vec<bool> = last.iter().zip(&now).map(|(from, to)| from != to).collect();
        let holds = match self.form {
            Form::Or => changed.contains(&true),
            Form::And => !changed.contains(&false),
            Form::Alone => changed[0] && !changed[1..].contains(&true),
        };
        if holds {
            let pairs = self.pages.iter().zip(last.iter().zip(&now));
            let pairs = pairs.map(|(page, (from, to))| (*page, *from, *to));
            self.told.push(pairs.filter(|(_, from, to)| from != to).collect());
        }
    }
}

fn url(page: u64) -> String {
    format!("https://p{page}.example/")
}

/// Pages that change, fail now and then, and a machine that dies now and then.
fn world(seed: u64) -> (Shell, Vec<Joint>) {
    let mut rng = Rng::stream(seed, "together");
    let mut config = kernel::Config::new(2);
    config.schedule.budget = *rng.pick(&[10.0, 0.02, 0.005]);
    let mut shell = Shell::new(config, Pace::Instant, START);
    for page in 0..PAGES {
        let mut at = START;
        let mut number = 0;
        while at < START + LASTS - Span::HOUR {
            number += 1;
            let body = format!("<p>Page {page} says number {number} of its many numbers.</p>");
            let reply = Reply::Page(Page {
                status: 200,
                media_type: "text/html".into(),
                etag: Some(format!("\"{number}\"").into()),
                last_modified: None,
                retry_after: None,
                body: body.into_bytes().into(),
            });
            shell.web.show(&url(page), at, reply);
            at += Span::MINUTE.times(5 + rng.below(60) as i64);
        }
        for _ in 0..rng.below(4) {
            let from = START + Span::SECOND.times(rng.below(20_000) as i64);
            let to = from + Span::SECOND.times(60 + rng.below(2_000) as i64);
            let what = Trouble::Status { status: 503, retry_after: None };
            shell.web.fail(Fault { from, to, url: Some(url(page).into()), what });
        }
    }
    for _ in 0..rng.below(6) {
        let at = START + Span::SECOND.times(10 + rng.below(20_000) as i64);
        let until = at + Span::SECOND.times(rng.below(400) as i64);
        shell.crash_at(Crash { at, point: Point::Now, until, clock: Clock::Right });
    }
    let joints: Vec<Joint> = (0..4).map(|number| Joint::drawn(&mut rng, number)).collect();
    for joint in &joints {
        let (name, text) = (joint.name.as_str().into(), joint.text().into());
        shell.wish(START, Wish::Apply { name, text });
    }
    (shell, joints)
}

/// What one detection compared: a page, and two versions of it.
type Pairs = Vec<(u64, VersionNo, VersionNo)>;

/// A look that counted: at which page, when it began, what the page was found to be.
type CountedLook = (u64, Instant, VersionNo);

/// What is said of a further page: the first look that began after it was found and counted in
/// time, or that there was none. `looks` are those since.
fn further_pages(
    joint: &Joint,
    row: &Detection,
    (pages, looks): (&BTreeMap<SourceId, u64>, &[CountedLook]),
) -> Result<u64, String> {
    let Some((further, within)) = &joint.then else { return Ok(0) };
    let follow = row.follow.as_ref().ok_or("nothing follows")?;
    if follow.looks.len() != further.len() || follow.finish != row.at + *within {
        return Err(format!("{} asks for {follow:?}", joint.text()));
    }
    let mut shown = 0;
    for (look, page) in follow.looks.iter().zip(further) {
        let is_it = |(other, start, _): &&CountedLook| {
            other == page && row.at <= *start && *start <= follow.finish
        };
        let first = looks.iter().find(is_it).map(|&(_, start, version)| (version, start));
        let said = match &look.came {
            Came::Shown(version, start) => Some((*version, *start)),
            Came::Nothing | Came::Missed(_) => None,
        };
        if of(pages, look.source)? != *page || said != first {
            return Err(format!(
                "{}: found at {}, page {page} is said to be {:?}, and was {first:?}",
                joint.text(),
                row.at,
                look.came
            ));
        }
        shown += u64::from(first.is_some());
    }
    Ok(shown)
}

/// What a world's records say so far.
struct Heard {
    joints: Vec<Joint>,
    pages: BTreeMap<SourceId, u64>,
    names: BTreeMap<SentinelId, String>,
    /// What each page shows.
    current: BTreeMap<u64, VersionNo>,
    looks: Vec<CountedLook>,
    told: BTreeMap<String, Vec<Pairs>>,
    /// Each detection as it was written last, and how many looks had counted when it came.
    rows: BTreeMap<DetectionId, (Detection, usize)>,
}

impl Heard {
    fn record(&mut self, record: Record) -> Result<(), String> {
        match record {
            Record::Source(row) => {
                let page = (0..PAGES).find(|page| url(*page) == row.url.reveal());
                self.pages.insert(row.id, page.ok_or("another page")?);
            }
            Record::Sentinel(row) => {
                self.names.insert(row.id, row.name.to_string());
            }
            Record::Probe(row) => self.looked(&row)?,
            Record::Detection(row) => self.detected(*row)?,
            _ => {}
        }
        Ok(())
    }

    fn looked(&mut self, row: &ProbeRow) -> Result<(), String> {
        let page = of(&self.pages, row.source)?;
        let is_new = match row.outcome {
            ProbeOutcome::Version(version) => {
                self.current.insert(page, version);
                true
            }
            ProbeOutcome::Same | ProbeOutcome::NotModified => false,
            _ => return Ok(()),
        };
        self.looks.push((page, row.start, self.current[&page]));
        for joint in &mut self.joints {
            joint.looked(page, row.start, is_new, &self.current);
        }
        Ok(())
    }

    /// A detection is written again as further pages come.
    fn detected(&mut self, row: Detection) -> Result<(), String> {
        let since = self.rows.get(&row.id).map(|&(_, since)| since);
        let first = (row.clone(), since.unwrap_or(self.looks.len()));
        if self.rows.insert(row.id, first).is_some() {
            return Ok(());
        }
        let pair = |piece: &Evidence| Ok((of(&self.pages, piece.source)?, piece.from, piece.to));
        let pairs = row.evidence.iter().map(pair).collect::<Result<Vec<_>, String>>()?;
        self.told.entry(self.names[&row.sentinel].clone()).or_default().push(pairs);
        Ok(())
    }

    /// Whether all was told that was to be; how many captures there were, alerts, further pages.
    fn judge(mut self) -> Result<(u64, u64, u64), String> {
        let (mut complete, mut told, mut shown) = (0, 0, 0);
        for joint in &self.joints {
            let rows = self.rows.values();
            for (row, since) in rows.filter(|row| self.names[&row.0.sentinel] == joint.name) {
                shown += further_pages(joint, row, (&self.pages, &self.looks[*since..]))?;
            }
            let found = self.told.remove(&joint.name).unwrap_or_default();
            if found != joint.told {
                let text = joint.text();
                return Err(format!("{text}\nto be told {:?}\ntold {found:?}", joint.told));
            }
            complete += joint.complete;
            told += joint.told.len() as u64;
        }
        Ok((complete, told, shown))
    }
}

/// How many captures a world had, alerts, and further pages that were shown.
fn live(seed: u64) -> Result<(u64, u64, u64), String> {
    let (mut shell, joints) = world(seed);
    let mut heard = Heard {
        joints,
        pages: BTreeMap::new(),
        names: BTreeMap::new(),
        current: BTreeMap::new(),
        looks: Vec::new(),
        told: BTreeMap::new(),
        rows: BTreeMap::new(),
    };
    let mut steps = 0u32;
    while shell.advance(START + LASTS)? {
        for seen in shell.take_seen() {
            match seen {
                Seen::Answered { wish, answer: answer @ Answer::Refused(_) } => {
                    return Err(format!("{wish:?}: {answer:?}"));
                }
                Seen::Batch { steps, .. } => {
                    let mut records = steps.into_iter().flat_map(|step| step.records);
                    records.try_for_each(|record| heard.record(record))?;
                }
                _ => {}
            }
        }
        steps += 1;
        if steps.is_multiple_of(FOLDS_EVERY) && shell.kernel().is_some() && shell.is_durable() {
            invariant::fold(&shell)?;
        }
    }
    heard.judge()
}

fn of(pages: &BTreeMap<SourceId, u64>, source: SourceId) -> Result<u64, String> {
    pages.get(&source).copied().ok_or_else(|| format!("{source} is not known"))
}

#[test]
fn captures_that_are_complete_are_told_as_a_slow_reading_of_the_looks_says() {
    let (mut complete, mut told, mut shown) = (0, 0, 0);
    for seed in 0..12 {
        let (more, alerts, pages) =
            live(seed).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        (complete, told, shown) = (complete + more, told + alerts, shown + pages);
    }
    let much = complete > 100 && told > 30 && shown > 20;
    assert!(much, "too little happened: {complete} captures, {told} told, {shown} further pages");
}
