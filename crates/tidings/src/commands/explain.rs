//! `explain`: what a text means, finds now and would have told, and when it looks next.

use super::known::Known;
use super::{Exit, moment, plain, settings};
use crate::cli::Common;
use crate::client::{Api, encode};
use crate::past::{self, Stored};
use crate::settings::Settings;
use anyhow::{Context, Result, bail};
use change::{Comparison, Limits, Pairing, RoundRequest, Terms, View};
use chronon::{Instant, Span, VersionNo};
use graph::slow::leaf_of;
use jobs::{Content, Extracted};
use sentinel::Statement;
use sentinel::ast::{self, Expr, Fetch, When};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// Looks that are named.
const LOOKS: u64 = 5;
/// How far back versions are replayed.
const REPLAYED: Span = Span::from_secs(28 * 86_400);
/// Versions of one page that are replayed: the newest.
const VERSIONS_MAX: usize = 200;
/// Bytes of all pages together.
const BYTES_MAX: usize = 256 << 20;
/// Redirects that one fetch follows.
const REDIRECTS_MAX: usize = 5;
/// Characters of a thing that is shown.
const SHOWN_CHARS_MAX: usize = 120;

/// Explains each sentinel of a file. A page is taken from the server's store where it has it, else
/// it is fetched once.
pub async fn explain(common: &Common, file: &Path, replay: bool) -> Result<Exit> {
    let settings = settings(common, &[])?;
    let known = Known::of(&settings)?;
    let (config, now) = (&known.config, known.now);
    let (name, text) = super::read_sentinels(file)?;
    let checked = known.check(&text);
    let shown = sentinel::render(&text, &name, &checked.diagnostics, sentinel::Colour::Plain);
    eprint!("{shown}");
    if !checked.is_ok() {
        return Ok(Exit::Failed);
    }
    let is_stored = settings.data_folder().join("tidings.db").exists();
    let api = if is_stored { Some(Api::open(common).await?) } else { None };
    let mut reports = Vec::new();
    for statement in &checked.statements {
        let context = Explained { settings: &settings, api: api.as_ref(), statement, now };
        let report = context.report(replay.then_some(config)).await?;
        if common.json {
            reports.push(report);
        } else {
            print!("{}", lines(&report));
        }
    }
    for rule in &checked.rules {
        let said = plain(&sentinel::explain_rule(&rule.rule));
        let stands = stands(api.as_ref(), &rule.rule.name).await?;
        if common.json {
            reports.push(json!({"rule": rule.rule.name, "says": said, "stands": stands}));
            continue;
        }
        println!("{}\n  {said}", plain(&rule.rule.name));
        if let Some(stands) = stands {
            println!("\n  On the server: {}", plain(&stands));
        }
        println!();
    }
    if common.json {
        println!("{}", serde_json::to_string_pretty(&reports)?);
    }
    match api {
        Some(api) => api.close().await.map(|()| Exit::Done),
        None => Ok(Exit::Done),
    }
}

/// How the server's rule of this name stands, if there is one.
async fn stands(api: Option<&Api>, name: &str) -> Result<Option<String>> {
    let Some(api) = api else { return Ok(None) };
    let answer = api.call("GET", &format!("/rules/{}/why", encode(name)), None).await?;
    Ok(answer.json["because"].as_str().filter(|_| answer.status == 200).map(str::to_owned))
}

/// A sentinel that is explained, and what is there to explain it with.
struct Explained<'a> {
    settings: &'a Settings,
    api: Option<&'a Api>,
    statement: &'a Statement,
    now: Instant,
}

impl Explained<'_> {
    fn sentinel(&self) -> &ast::Sentinel {
        &self.statement.sentinel
    }

    async fn report(&self, replay: Option<&kernel::Config>) -> Result<Value> {
        let mut pages = Vec::new();
        for place in 0..self.sentinel().sources.len() {
            pages.push(self.page_now(place).await?);
        }
        let mut report = json!({
            "sentinel": self.sentinel().name,
            "clauses": sentinel::clauses(self.sentinel()),
            "page": pages[0]["page"],
            "finds": pages[0]["finds"],
            "pages": pages,
            "looks": self.looks().await?,
        });
        if let Some(config) = replay {
            report["replay"] = self.replay(config).await?;
        }
        Ok(report)
    }

    /// What stands now on the page of the source at this place.
    async fn page_now(&self, place: usize) -> Result<Value> {
        let stored = self.source(place).await?;
        let (whence, finds) = match self.page(place, stored.as_ref()).await {
            Ok(page) => (page.whence, finds(self.sentinel(), place, &page.extracted)),
            Err(error) => (format!("nothing can be said of it: {error:#}"), Vec::new()),
        };
        let source = &self.sentinel().sources[place];
        let (url, name) = (source.url.to_string(), &source.name);
        Ok(json!({"url": url, "name": name, "page": whence, "finds": finds}))
    }

    /// The source at this place on the server, if it is one.
    async fn source(&self, place: usize) -> Result<Option<Value>> {
        let Some(api) = self.api else { return Ok(None) };
        let url = encode(&self.sentinel().sources[place].url.to_string());
        let found = api.get(&format!("/sources?url={url}")).await?;
        Ok(found["items"].as_array().and_then(|items| items.first().cloned()))
    }

    /// The page as it is stored, or as it is now.
    async fn page(&self, place: usize, source: Option<&Value>) -> Result<Page> {
        let mut views = Vec::new();
        leaves(&self.sentinel().monitor, place, &mut |leaf| {
            views.push(leaf_of(leaf).change_type.view);
        });
        let limits = self.limits();
        let current = source.map(|source| &source["current"]).filter(|one| one.is_object());
        if let (Some(api), Some(version)) = (self.api, current)
            && let Some(body) = body(api, version).await?
        {
            let text = |field: &str| version[field].as_str().unwrap_or_default().to_owned();
            let (media_type, final_url) = (text("media_type"), text("final_url"));
            let content = Content {
                body: &body,
                content_type: Some(&*media_type).filter(|media_type| !media_type.is_empty()),
                final_url: &final_url,
            };
            let extracted = jobs::extract(content, views, &limits).map_err(anyhow::Error::msg)?;
            let fetched = moment(&version["fetched_at"]);
            let whence = format!("v{}, fetched at {fetched}", version["number"]);
            return Ok(Page { whence, extracted });
        }
        let content = self.fetched(place).await?;
        let content_type = content.content_type.as_deref();
        let page = Content { body: &content.body, content_type, final_url: &content.final_url };
        let extracted = jobs::extract(page, views, &limits).map_err(anyhow::Error::msg)?;
        Ok(Page { whence: "fetched just now".to_owned(), extracted })
    }

    fn limits(&self) -> page::Limits {
        let body_bytes_max = self.settings.fetch_body_bytes_max as usize;
        page::Limits { body_bytes_max, ..page::Limits::default() }
    }

    /// The page, asked for once; redirects are followed.
    async fn fetched(&self, place: usize) -> Result<fetch::Content> {
        let fetcher = crate::launch::fetcher(self.settings)?;
        let source = self.sentinel().sources[place].url.clone();
        let mut url = source.reveal().to_owned();
        for _ in 0..=REDIRECTS_MAX {
            let (source, now) = (source.clone(), self.now);
            let request = fetch::Request { url, source, validators: None, time_max: None, now };
            match fetcher.fetch(&request).await.outcome {
                fetch::Outcome::Content(content) => return Ok(content),
                fetch::Outcome::Moved { to } => url = to,
                fetch::Outcome::Failed(failure) => bail!("{}", plain(&failure.reason)),
                other => bail!("the server answered with {other:?}"),
            }
        }
        bail!("it led on through {REDIRECTS_MAX} redirects");
    }

    /// The next looks, a line each.
    async fn looks(&self) -> Result<Vec<String>> {
        let sentinel = self.sentinel();
        let stored = match self.api {
            Some(api) => {
                let path = format!("/sentinels/{}", encode(&sentinel.name));
                let answer = api.call("GET", &path, None).await?;
                (answer.status == 200).then_some(answer.json)
            }
            None => None,
        };
        let stored = stored.filter(|one| one["source"]["url"] == sentinel.source().url.to_string());
        let zone = &sentinel.zone;
        let at = |instant: Instant| format!("{} {}", zone.local(instant), zone.name());
        let (period, slack) = match sentinel.fetch {
            Fetch::OnChange { .. } => {
                let next = stored.as_ref().and_then(|one| one["next"]["text"].as_str());
                return Ok(vec![match next {
                    Some(next) => format!("next {}; Tidings decides on the others", plain(next)),
                    None => "the first as soon as budget and host allow; Tidings decides on the \
                             others"
                        .to_owned(),
                }]);
            }
            Fetch::Every { period, slack } => (period, slack),
        };
        let known = stored.as_ref().and_then(|one| one["looks"]["next"].as_str());
        let known =
            known.and_then(|next| sentinel::instant(next, self.now, zone, Span::SECOND).ok());
        let first = match known {
            Some(next) => Some(next),
            None if sentinel.from_has_clock => sentinel.from.at(),
            None => None,
        };
        let Some(first) = first else {
            if sentinel.from.anchor().is_some() {
                return Ok(vec![format!(
                    "every {} from when it begins, which the text alone does not say",
                    period.nominal()
                )]);
            }
            return Ok(vec![format!(
                "the first as soon as budget and host allow, then every {}, at times that are \
                 chosen when the text is applied",
                period.nominal()
            )]);
        };
        let begun = if first < self.now { period.index_at(first, self.now, zone) } else { 0 };
        let nth = (begun..).map(|k| period.nth(first, k, zone));
        let coming = nth.filter(|start| *start + slack > self.now);
        let to = sentinel.to.as_ref().and_then(When::at);
        let alive = coming.take_while(|start| to.is_none_or(|to| *start < to));
        let looks = alive.take(LOOKS as usize);
        let looks: Vec<String> =
            looks.map(|start| format!("{}, at most {slack} later", at(start))).collect();
        Ok(if looks.is_empty() { vec!["none: it is over by then".to_owned()] } else { looks })
    }

    /// What the text would have told over the stored versions of the last weeks.
    async fn replay(&self, config: &kernel::Config) -> Result<Value> {
        let (mut stacks, mut room) = (past::Stacks::new(), BYTES_MAX);
        for place in 0..self.sentinel().sources.len() {
            stacks.push(match (self.api, self.source(place).await?) {
                (Some(api), Some(source)) => self.versions(api, &source, &mut room).await?,
                _ => Vec::new(),
            });
        }
        let known: usize = stacks.iter().map(Vec::len).sum();
        let elements = stacks.into_iter();
        let elements = elements.map(|stack| past::captured(self.statement, stack, self.now));
        let elements: past::Stacks = elements.collect();
        let told = past::told(config, self.statement, &elements, super::zone())?;
        Ok(json!({"versions": known, "told": told}))
    }

    /// The versions of a source that are replayed, oldest first, as far as there is room.
    async fn versions(&self, api: &Api, source: &Value, room: &mut usize) -> Result<Vec<Stored>> {
        let path = format!("/sources/{}/versions?limit={VERSIONS_MAX}", source["id"]);
        let list = api.get(&path).await?;
        let mut versions = Vec::new();
        for version in list["items"].as_array().into_iter().flatten() {
            let at = version["fetched_at"].as_str().unwrap_or_default();
            let at = sentinel::instant(at, self.now, &chronon::Zone::utc(), Span::SECOND);
            let at = at.map_err(anyhow::Error::msg).context("a version has no time")?;
            if version["held"] == true || at < self.now - REPLAYED {
                continue;
            }
            let Some(body) = body(api, version).await? else { continue };
            let Some(left) = room.checked_sub(body.len()) else { break };
            *room = left;
            let number = version["number"].as_u64().unwrap_or(0);
            let media_type = version["media_type"].as_str().unwrap_or_default().to_owned();
            versions.push(Stored { number, at, media_type, body: body.into() });
        }
        versions.reverse();
        Ok(versions)
    }
}

/// A page that was read.
struct Page {
    whence: String,
    extracted: Extracted,
}

/// The bytes of a stored version.
async fn body(api: &Api, version: &Value) -> Result<Option<Vec<u8>>> {
    let path = format!("/sources/{}/versions/{}/body", version["source_id"], version["number"]);
    api.bytes(&path).await
}

/// The leaves that are about the source at this place.
fn leaves(expr: &Expr, place: usize, take: &mut impl FnMut(&ast::Leaf)) {
    match expr {
        Expr::Leaf(leaf) => {
            if leaf.of.as_ref().is_none_or(|of| usize::from(of.source) == place) {
                take(leaf);
            }
        }
        Expr::Not(operand) => leaves(operand, place, take),
        Expr::And(operands) | Expr::Or(operands) => {
            operands.iter().for_each(|operand| leaves(operand, place, take));
        }
    }
}

/// What each leaf sees on a page, a sentence each: all that would come with it if nothing was
/// there before.
fn finds(sentinel: &ast::Sentinel, place: usize, page: &Extracted) -> Vec<String> {
    let mut said = Vec::new();
    leaves(&sentinel.monitor, place, &mut |leaf| said.push(found(leaf, page)));
    said
}

fn found(leaf: &ast::Leaf, page: &Extracted) -> String {
    let mut leaf = leaf_of(leaf);
    leaf.directions.clear();
    if leaf.change_type.aspect.row().terms == Terms::Tests {
        // A test fires when it becomes true; what stands there is said in any case.
        leaf.change_type.terms.clear();
    }
    let label = change::label(&leaf);
    if leaf.change_type.aspect == change::Aspect::Status {
        return format!("{label}: up");
    }
    let Some(now) = page.views.get(&leaf.change_type.view) else {
        return format!("{label}: nothing is extracted for it");
    };
    if let Some(missing) = &now.missing {
        return format!("{label}: {missing}");
    }
    let empty = page::Extract {
        blocks: Vec::new(),
        links: Vec::new(),
        images: Vec::new(),
        items: Vec::new(),
        ..page::Extract::clone(now)
    };
    let (before, after) = (VersionNo(1), VersionNo(2));
    let request = RoundRequest {
        comparisons: vec![Comparison {
            from: before,
            to: after,
            change_type: leaf.change_type.clone(),
            leaves: vec![leaf],
            pairing: Pairing::Alike,
            earlier: Vec::new(),
            status: None,
        }],
        sources: Vec::new(),
    };
    let (empty, now) = (Arc::new(empty), Arc::new(now.clone()));
    let mut load =
        |number: VersionNo, _: &View| Ok(Arc::clone(if number == before { &empty } else { &now }));
    let result = change::run(&request, &mut load, &Limits::default());
    let compared = &result.comparisons[0];
    if let Some(why) = &compared.failed {
        return format!("{label}: {why}");
    }
    let hits = &compared.leaves[0];
    let first = hits.hits.first().and_then(|&hit| compared.changes.get(hit as usize));
    let first = first.and_then(|change| change.new.as_ref());
    match (hits.hits_total, first) {
        (0, _) | (_, None) => format!("{label}: nothing now"),
        (1, Some(thing)) => format!("{label}: “{}”", shown(thing)),
        (count, Some(thing)) => format!("{label}: {count} now, the first “{}”", shown(thing)),
    }
}

fn shown(thing: &change::Thing) -> String {
    let text = if thing.text().is_empty() { thing.address() } else { Some(thing.text()) };
    let text = deliver::clean_line(text.unwrap_or_default(), SHOWN_CHARS_MAX);
    match thing.count() {
        Some(count) if count != 1 => format!("{text} ×{count}"),
        _ => text,
    }
}

/// A report for people.
fn lines(report: &Value) -> String {
    let text = |value: &Value| plain(value.as_str().unwrap_or_default());
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut out = format!("{}\n", text(&report["sentinel"]));
    for clause in list(&report["clauses"]) {
        out.push_str(&format!("  {}\n", text(&clause)));
    }
    let pages = list(&report["pages"]);
    for page in &pages {
        let which = match &page["name"] {
            _ if pages.len() < 2 => "The page".to_owned(),
            Value::String(name) => plain(name),
            _ => text(&page["url"]),
        };
        out.push_str(&format!("\n  {which} now ({}):\n", text(&page["page"])));
        for found in list(&page["finds"]) {
            out.push_str(&format!("    {}\n", text(&found)));
        }
    }
    out.push_str("\n  Looks:\n");
    for look in list(&report["looks"]) {
        out.push_str(&format!("    {}\n", text(&look)));
    }
    if report["replay"].is_object() {
        let told = list(&report["replay"]["told"]);
        let versions = &report["replay"]["versions"];
        out.push_str(&format!(
            "\n  Over the {versions} versions stored of the last four weeks it would have told \
             {}:\n",
            match told.len() {
                1 => "once".to_owned(),
                count => format!("{count} times"),
            }
        ));
        for one in told {
            for line in super::text_lines(&one) {
                out.push_str(&format!("      {line}\n"));
            }
        }
    }
    out.push('\n');
    out
}
