//! `import`: what other tools watched becomes sentinels, and what cannot be carried over is listed.

use super::{Exit, counted, plain, settings};
use crate::cli::{Common, Import};
use crate::client::{Api, encode};
use crate::launch;
use anyhow::{Context, Result, bail};
use import::{Entry, Wish};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;

/// Redirects that a download follows.
const REDIRECTS_MAX: usize = 5;

/// Reads every source first, so that a file that cannot be read changes nothing.
pub async fn import(common: &Common, api: &Api, asked: &Import) -> Result<Exit> {
    let mut imports = Vec::new();
    for source in &asked.sources {
        let import = if is_address(source) {
            downloaded(common, source).await
        } else {
            read_file(Path::new(source))
        };
        imports.push((source, import.with_context(|| format!("nothing is imported: {source}"))?));
    }
    let mut moving = Moving { common, api, asked, names: Names::of(api).await?, done: Vec::new() };
    for (source, import) in &imports {
        if !common.json {
            let entries = counted(import.entries.len(), "entry", "entries");
            println!("{}: {}, {entries}", plain(source), import.tool.name());
        }
        for entry in &import.entries {
            moving.entry(source, entry).await?;
        }
    }
    moving.finish()
}

fn is_address(source: &str) -> bool {
    source.starts_with("http://") || source.starts_with("https://")
}

fn read_file(file: &Path) -> Result<import::Import> {
    let most = import::limits::FILE_BYTES_MAX as u64 + 1;
    let mut bytes = Vec::new();
    if file.as_os_str() == "-" {
        std::io::stdin().take(most).read_to_end(&mut bytes)?;
    } else {
        std::fs::File::open(file)?.take(most).read_to_end(&mut bytes)?;
    }
    Ok(import::read(&bytes)?)
}

/// What an address holds; one that is no export is a page to watch.
async fn downloaded(common: &Common, address: &str) -> Result<import::Import> {
    let fetcher = launch::fetcher(&settings(common, &[])?)?;
    let mut url = address.to_owned();
    for _ in 0..=REDIRECTS_MAX {
        let request = fetch::Request {
            url: url.clone(),
            source: address.into(),
            validators: None,
            time_max: None,
            now: crate::clock::Clock::start().now(),
        };
        match fetcher.fetch(&request).await.outcome {
            fetch::Outcome::Content(content) => {
                return Ok(match import::read(&content.body) {
                    Err(import::ImportError::Unknown | import::ImportError::Yaml(_)) => {
                        import::read(address.as_bytes())?
                    }
                    import => import?,
                });
            }
            fetch::Outcome::Moved { to } => url = to,
            fetch::Outcome::Failed(failure) => bail!("{}", failure.reason),
            fetch::Outcome::NotModified | fetch::Outcome::SetAside(_) => {
                bail!("the server gave no content; try again")
            }
        }
    }
    bail!("there are more than {REDIRECTS_MAX} redirects")
}

/// The names that are taken, in lower case, each with the address it watches where that is known.
struct Names {
    watched: BTreeMap<String, String>,
    given: BTreeSet<String>,
}

impl Names {
    async fn of(api: &Api) -> Result<Names> {
        let sentinels = api.list("/sentinels").await?;
        let watched = sentinels.iter().map(|sentinel| {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            (text(&sentinel["name"]).to_lowercase(), text(&sentinel["source"]["url"]))
        });
        Ok(Names { watched: watched.collect(), given: BTreeSet::new() })
    }

    /// A name for `wish` that nobody has; none where one of its names watches its address already,
    /// because it was imported before.
    fn give(&mut self, wish: &Wish) -> Option<String> {
        let normal = url::Url::parse(&wish.url).map_or_else(|_| wish.url.clone(), String::from);
        for number in 1.. {
            let name = match number {
                1 => shortened(&wish.name, ""),
                _ => shortened(&wish.name, &format!(" {number}")),
            };
            let key = name.to_lowercase();
            if self.given.contains(&key) {
                continue;
            }
            match self.watched.get(&key) {
                Some(address) if *address == normal => return None,
                Some(_) => {}
                None => {
                    self.given.insert(key);
                    return Some(name);
                }
            }
        }
        None
    }
}

/// A name with something behind it, as long as a name may be.
fn shortened(name: &str, behind: &str) -> String {
    let room = import::limits::NAME_CHARS_MAX - behind.len();
    let name: String = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let name: String = name.replace('`', "'").chars().take(room).collect();
    format!("{}{behind}", name.trim())
}

/// An import under way.
struct Moving<'a> {
    common: &'a Common,
    api: &'a Api,
    asked: &'a Import,
    names: Names,
    /// One report for each entry.
    done: Vec<Report>,
}

/// What became of an entry.
struct Report {
    source: String,
    place: String,
    /// `created`, `would be created`, `exists`, `failed`.
    what: &'static str,
    name: Option<String>,
    text: Option<String>,
    /// It does not look: it was off where it comes from.
    is_off: bool,
    left: Vec<import::Left>,
}

impl Moving<'_> {
    async fn entry(&mut self, source: &str, entry: &Entry) -> Result<()> {
        let mut report = Report {
            source: source.to_owned(),
            place: entry.place.clone(),
            what: "failed",
            name: None,
            text: None,
            is_off: entry.wish.as_ref().is_some_and(|wish| !wish.enabled),
            left: entry.left.clone(),
        };
        if let Some(wish) = &entry.wish {
            match self.names.give(wish) {
                None => {
                    report.what = "exists";
                    report.name = Some(wish.name.clone());
                }
                Some(name) => self.create(wish, name, &mut report).await?,
            }
        }
        self.say(&report);
        self.done.push(report);
        Ok(())
    }

    /// Creates the sentinel; where its parts are refused, one of the whole page.
    async fn create(&self, wish: &Wish, name: String, report: &mut Report) -> Result<()> {
        let clauses: Vec<String> =
            self.asked.notify.iter().map(|notify| format!("notify by {notify}")).collect();
        for wish in [wish, &wish.plain()] {
            let text = wish.text(&name, &clauses);
            let path = if self.asked.dry_run { "/check" } else { "/sentinels" };
            let answer = self.api.call("POST", path, Some(text.clone())).await?;
            let errors = errors(&answer.json);
            if answer.status == 422 || !errors.is_empty() {
                let why = if errors.is_empty() { answer.json.to_string() } else { errors };
                let nearest = nearest(report);
                // The whole page was refused for the same: its parts were not at fault.
                report.left.retain(|left| left.what != why);
                report.left.push(import::Left { what: why, nearest });
                continue;
            }
            answer.ok().with_context(|| report.place.clone())?;
            if !wish.enabled && !self.asked.dry_run {
                let path = format!("/sentinels/{}/disable", encode(&name));
                self.api.call("POST", &path, None).await?.ok()?;
            }
            report.what = if self.asked.dry_run { "would be created" } else { "created" };
            report.name = Some(name);
            report.text = Some(text);
            return Ok(());
        }
        Ok(())
    }

    fn say(&self, report: &Report) {
        if self.common.json {
            return;
        }
        let name = report.name.as_deref().unwrap_or(&report.place);
        let off = if report.is_off && report.text.is_some() { ", and disabled" } else { "" };
        println!("  {} {}{off}", plain(name), report.what);
        if self.asked.dry_run {
            for line in report.text.iter().flat_map(|text| text.lines()) {
                println!("      {}", plain(line));
            }
        }
        for left in &report.left {
            let label = if report.what == "failed" { "because" } else { "not carried over" };
            println!("    {label}: {}", plain(&left.what));
            println!("      instead: {}", plain(&left.nearest));
        }
    }

    fn finish(self) -> Result<Exit> {
        let count = |what: &str| self.done.iter().filter(|report| report.what == what).count();
        let (failed, exist) = (count("failed"), count("exists"));
        let created = count("created") + count("would be created");
        if self.common.json {
            let reports: Vec<Value> = self.done.iter().map(Report::to_json).collect();
            println!("{}", serde_json::to_string_pretty(&reports)?);
        } else {
            let verb = if self.asked.dry_run { "would be created" } else { "created" };
            // What is left of an entry that failed is why.
            let moved = self.done.iter().filter(|report| report.what != "failed");
            let left: usize = moved.map(|report| report.left.len()).sum();
            let settings = if left == 1 { "setting was" } else { "settings were" };
            println!(
                "{created} {verb}, {exist} there already, {failed} not possible; {left} {settings} \
                 not carried over"
            );
        }
        Ok(if failed == 0 { Exit::Done } else { Exit::Failed })
    }
}

impl Report {
    fn to_json(&self) -> Value {
        let left = self.left.iter();
        let left = left.map(|left| json!({"what": left.what, "nearest": left.nearest}));
        json!({
            "source": self.source,
            "entry": self.place,
            "what": self.what,
            "name": self.name,
            "text": self.text,
            "enabled": !self.is_off,
            "not_carried_over": left.collect::<Vec<_>>(),
        })
    }
}

/// What is done about a text that was refused: the first time the page is watched as a whole.
fn nearest(report: &Report) -> String {
    if report.left.iter().any(|left| left.nearest == WHOLE) {
        "nothing of it is watched".to_owned()
    } else {
        WHOLE.to_owned()
    }
}

const WHOLE: &str = "the whole page is watched";

/// The errors among the diagnostics of an answer, as one sentence; empty where there are none.
fn errors(answer: &Value) -> String {
    let diagnostics = answer["diagnostics"].as_array().into_iter().flatten();
    let errors = diagnostics.filter(|one| one["severity"] != "warning").map(|one| {
        let text = |name: &str| one[name].as_str().unwrap_or_default();
        match text("help") {
            "" => text("message").to_owned(),
            help => format!("{} ({help})", text("message")),
        }
    });
    errors.collect::<Vec<_>>().join("; ")
}
