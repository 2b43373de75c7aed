//! What a text would have told of versions that are stored.
//!
//! The versions are shown to the whole server in virtual time, an hour apart, with two looks in
//! each hour: every one of them is met, in order, those of several pages as they came. What is
//! told carries the times and numbers of the stored versions.

use anyhow::{Result, bail};
use chronon::{Instant, OwnerId, Span, Zone};
use kernel::{Kernel, Occasion, Purpose};
use sentinel::ast::Fetch;
use sentinel::{Parsed, Redefine, Statement};
use serde_json::{Value, json};
use sim::replay::{End, Recorded, RecordedVersion};
use std::sync::Arc;

/// When the first version is shown.
const BASE: Instant = Instant::from_millis(1_800_000_000_000);
/// From one version to the next.
const STEP: Span = Span::HOUR;

/// A version as the server keeps it.
pub struct Stored {
    pub number: u64,
    pub at: Instant,
    pub media_type: String,
    pub body: Arc<[u8]>,
}

/// The stored versions of each source of a text, in its order; each list is oldest first.
pub type Stacks = Vec<Vec<Stored>>;

/// A notification for each round that holds, oldest first; its times are told by the clock of
/// `zone`.
pub fn told(
    config: &kernel::Config,
    statement: &Statement,
    stacks: &[Vec<Stored>],
    zone: &Zone,
) -> Result<Vec<Value>> {
    let stage = Stage::of(statement, stacks);
    if stage.steps < 2 {
        return Ok(Vec::new());
    }
    let pages = stage.recorded();
    let replayed = match sim::replay::run(config.clone(), &pages, &text(statement), End::AllTold) {
        Ok(replayed) => replayed,
        Err(error) => bail!("the versions cannot be replayed: {error}"),
    };
    let mut told = Vec::new();
    for sent in replayed.sent {
        let Ok(mut body) = serde_json::from_slice::<Value>(&sent.body) else { continue };
        let Some(at) = stage.put_back(&mut body) else { continue };
        let at = at.to_string();
        (body["detected_at"], body["composed_at"]) = (json!(at), json!(at));
        let bytes = body.to_string().into_bytes();
        let text = deliver::render_terminal(&bytes, deliver::Colour::Never, zone);
        told.push(json!({"at": at, "body": body, "text": text}));
    }
    Ok(told)
}

/// When each version is shown: the first of each page at once, the others an hour apart, in the
/// order in which they were stored.
struct Stage<'a> {
    /// By source: its address, and its versions with the times at which they are shown.
    pages: Vec<(&'a str, Vec<(Instant, &'a Stored)>)>,
    steps: i64,
}

impl<'a> Stage<'a> {
    fn of(statement: &'a Statement, stacks: &'a [Vec<Stored>]) -> Stage<'a> {
        let mut order: Vec<Instant> =
            stacks.iter().flat_map(|stack| stack.iter().skip(1)).map(|one| one.at).collect();
        order.sort_unstable();
        let urls = statement.sentinel.sources.iter().map(|source| source.url.reveal());
        let shown = |(nth, one): (usize, &'a Stored)| {
            // Versions of several pages that were stored at once are shown at once.
            let step = order.partition_point(|at| *at < one.at) as i64 + 1;
            (BASE + STEP.times(if nth == 0 { 0 } else { step }), one)
        };
        let pages = urls.zip(stacks).map(|(url, stack)| {
            let stack: Vec<_> = stack.iter().enumerate().map(shown).collect();
            (url, stack)
        });
        let pages = pages.filter(|(_, stack)| !stack.is_empty()).collect();
        Stage { pages, steps: order.len() as i64 + 1 }
    }

    fn recorded(&self) -> Vec<Recorded> {
        let recorded = |(at, one): &(Instant, &Stored)| RecordedVersion {
            at: *at,
            media_type: one.media_type.clone(),
            body: one.body.to_vec(),
        };
        let page = |(url, stack): &(&str, Vec<(Instant, &Stored)>)| Recorded {
            url: (*url).to_owned(),
            versions: stack.iter().map(recorded).collect(),
        };
        self.pages.iter().map(page).collect()
    }

    /// Gives the sources of a body the times and numbers of the stored versions; when the newest
    /// of them was stored. `None`: it is about no version.
    fn put_back(&self, body: &mut Value) -> Option<Instant> {
        let mut newest = None;
        for source in body["sources"].as_array_mut().into_iter().flatten() {
            let url = source["url"].as_str().unwrap_or_default().to_owned();
            for (time, number) in
                [("fetched_at", "to_version"), ("from_fetched_at", "from_version")]
            {
                if let Some(one) = source[time].as_str().and_then(|at| self.version(&url, at)) {
                    (source[time], source[number]) = (json!(one.at.to_string()), json!(one.number));
                    newest = newest.max(Some(one.at));
                }
            }
        }
        newest
    }

    /// The version of a page that was shown at this time.
    fn version(&self, url: &str, at: &str) -> Option<&'a Stored> {
        let at = chronon::rfc3339(at)?;
        let is_meant = |page: &&(&str, _)| {
            self.pages.len() == 1 || address::without_credentials(page.0) == url || page.0 == url
        };
        let (_, stack) = self.pages.iter().find(is_meant)?;
        stack.iter().rev().find(|(shown, _)| *shown <= at).map(|(_, one)| *one)
    }
}

/// Those that its looks would have met: all of them, or those current as an interval begins.
pub fn captured(statement: &Statement, versions: Vec<Stored>, now: Instant) -> Vec<Stored> {
    let sentinel = &statement.sentinel;
    let Fetch::Every { period, .. } = sentinel.fetch else { return versions };
    let Some(first) = versions.first().map(|version| version.at) else { return versions };
    let zone = &sentinel.zone;
    // The same time of day, before the first version.
    let from = sentinel.from.at().filter(|_| sentinel.from_has_clock);
    let ago =
        from.map_or(0, |from| (from - first).as_millis() / period.nominal().as_millis().max(1));
    let t0 = match from {
        Some(from) if from <= first => from,
        Some(from) => period.back(from, ago.max(0) as u64 + 2, zone),
        None => first,
    };
    let ends: Vec<Instant> =
        versions.iter().skip(1).map(|version| version.at).chain([now]).collect();
    let met = |at: Instant, end: Instant| {
        let mut k = period.index_at(t0, at, zone);
        while period.nth(t0, k, zone) < at {
            k += 1;
        }
        period.nth(t0, k, zone) < end
    };
    let pairs = versions.into_iter().zip(ends).enumerate();
    let kept = pairs.filter(|(nth, (version, end))| *nth == 0 || met(version.at, *end));
    kept.map(|(_, (version, _))| version).collect()
}

/// What the text asks for, looked for often and told at once. Each canonical clause has a line
/// of its own.
fn text(statement: &Statement) -> String {
    let lines = statement.canonical.reveal().lines();
    let is_asked = |line: &&str| {
        let clause = line.trim_start().split(' ').next().unwrap_or_default();
        matches!(clause, "create" | "using" | "monitor" | "compare" | "presentation")
    };
    let lines = lines.filter(is_asked).map(|line| format!("{line}\n"));
    let lines: String = lines.collect();
    format!("{lines}  fetch every 30 minutes within 10 minutes\n  notify by terminal\n")
}

/// Shows stored versions to a text, for the dashboard.
pub struct Past {
    pub config: kernel::Config,
    /// The channels that the text may name.
    pub book: Arc<crate::book::Book>,
    pub clock: Arc<crate::clock::Clock>,
    /// By whose clock times are told.
    pub zone: Zone,
}

impl web::Rehearsal for Past {
    fn rehearse(
        &self,
        text: &str,
        stacks: Vec<Vec<web::Stored>>,
    ) -> Result<Vec<web::Told>, String> {
        let now = self.clock.now();
        let mut config = self.config.clone();
        config.know_channels(self.book.known());
        let kernel = Kernel::load(config, kernel::Snapshot::default(), now);
        let purpose = Purpose::Check(Redefine::Replace);
        let occasion = Occasion { owner: OwnerId::FIRST, purpose, now };
        let checked = kernel.vet(Parsed::of(text).compiled(), occasion).checked;
        let [statement] = &checked.statements[..] else {
            return Err("the text begins or ends with another sentinel".to_owned());
        };
        let stored = |version: web::Stored| Stored {
            number: version.number.into(),
            at: version.at,
            media_type: version.media_type,
            body: version.body,
        };
        let met = stacks.into_iter().map(|stack| {
            let stack = stack.into_iter().map(stored).collect();
            captured(statement, stack, now)
        });
        let met: Stacks = met.collect();
        let told = told(&self.config, statement, &met, &self.zone)
            .map_err(|error| format!("{error:#}"))?;
        Ok(told.iter().filter_map(message).collect())
    }
}

/// A message, from what [`told`] says of it.
fn message(told: &Value) -> Option<web::Told> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let at = told["at"].as_str()?;
    let at = chronon::rfc3339(at)?;
    Some(web::Told { at, summary: text(&told["body"]["summary"]), text: text(&told["text"]) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400_000;

    fn stack(bodies: &[(i64, &str)]) -> Vec<Stored> {
        let stored = |(nth, (day, body)): (usize, &(i64, &str))| Stored {
            number: 7 + nth as u64,
            at: Instant::from_millis(1_790_000_000_000 + day * DAY),
            media_type: "text/html".to_owned(),
            body: body.as_bytes().into(),
        };
        bodies.iter().enumerate().map(stored).collect()
    }

    fn replayed(text: &str, stacks: &Stacks) -> Vec<Value> {
        let (config, now) = (kernel::Config::new(1), BASE);
        let kernel = Kernel::load(config.clone(), kernel::Snapshot::default(), now);
        let purpose = Purpose::Check(Redefine::Replace);
        let occasion = Occasion { owner: OwnerId::FIRST, purpose, now };
        let checked = kernel.vet(Parsed::of(text).compiled(), occasion).checked;
        assert!(checked.is_ok(), "{:?}", checked.diagnostics);
        told(&config, &checked.statements[0], stacks, &Zone::utc()).expect("a replay")
    }

    fn shop_and_maker() -> Stacks {
        let shop = [(0, "<p>20 EUR</p>"), (3, "<p>18 EUR</p>"), (9, "<p>16 EUR</p>")];
        let maker = [(1, "<p>List: 30 EUR</p>"), (9, "<p>List: 28 EUR</p>")];
        vec![stack(&shop), stack(&maker)]
    }

    #[test]
    fn pages_that_are_looked_at_together_are_shown_as_they_came() {
        let told = replayed(
            "create sentinel alone using https://shop.example/ as shop, https://maker.example/ \
             as maker monitor any change of shop and not any change of maker",
            &shop_and_maker(),
        );
        assert_eq!(told.len(), 1, "the second time both changed: {told:?}");
        let source = &told[0]["body"]["sources"][0];
        assert_eq!((&source["from_version"], &source["to_version"]), (&json!(7), &json!(8)));
        assert_eq!(told[0]["at"], Instant::from_millis(1_790_000_000_000 + 3 * DAY).to_string());
    }

    #[test]
    fn each_of_several_pages_is_told_with_its_own_versions() {
        let text = "create sentinel both using https://shop.example/, https://maker.example/ \
                    monitor any change";
        let told = replayed(text, &shop_and_maker());
        let said = told.iter().map(|one| {
            let source = &one["body"]["sources"][0];
            (source["url"].as_str().unwrap_or_default().to_owned(), source["to_version"].clone())
        });
        let mut said: Vec<_> = said.map(|(url, number)| format!("{url} {number}")).collect();
        said.sort();
        let expected =
            ["https://maker.example/ 8", "https://shop.example/ 8", "https://shop.example/ 9"];
        assert_eq!(said, expected);
        // Nothing is known of one of them yet.
        let alone = replayed(text, &vec![stack(&[(0, "<p>a</p>"), (1, "<p>b</p>")]), Vec::new()]);
        assert_eq!(alone.len(), 1, "{alone:?}");
    }
}
