//! Help: the manual, a page per topic, and the books beside it; searched.

use super::{Frame, Sorry, render};
use crate::App;
use crate::extract::{Params, PathPart};
use crate::problem::Problem;
use askama::Template;
use axum::extract::State;
use axum::response::Response;
use book::{TOPICS, Topic};
use serde::Deserialize;

mod book;

/// Places that a search shows.
const FOUND_MAX: usize = 30;
/// Bytes of what somebody searches for.
const QUERY_BYTES_MAX: usize = 200;
/// Characters around the first word that is found.
const AROUND: usize = 80;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct HelpParams {
    q: String,
}

#[derive(Template)]
#[template(path = "help.html")]
struct HelpPage {
    frame: Frame,
    q: String,
    /// The topic that is shown; `None`: all are listed.
    topic: Option<&'static Topic>,
    topics: &'static [Topic],
    found: Vec<Found>,
}

/// A place where all words of a search stand.
struct Found {
    topic: &'static str,
    title: String,
    anchor: String,
    around: String,
}

/// The list of topics, or what a search finds.
pub(super) async fn index(
    State(app): State<App>,
    params: Result<Params<HelpParams>, Problem>,
) -> Result<Response, Sorry> {
    let page = params.map(|params| {
        let q = params.0.q.trim().to_owned();
        let found = if q.is_empty() { Vec::new() } else { search(&q) };
        let frame = Frame::new(&app, "Help").at("help");
        render(&HelpPage { frame, q, topic: None, topics: &TOPICS, found })
    });
    page.map_err(|problem| Sorry(app, problem))
}

/// One topic.
pub(super) async fn topic(
    State(app): State<App>,
    place: Result<PathPart<String>, Problem>,
) -> Result<Response, Sorry> {
    let page = place.and_then(|place| {
        let topic = TOPICS.iter().find(|topic| topic.slug == place.0);
        let topic = topic.ok_or_else(|| Problem::not_found("such topic in the help"))?;
        let frame = Frame::new(&app, topic.title.as_str()).at("help");
        let (q, found) = (String::new(), Vec::new());
        Ok(render(&HelpPage { frame, q, topic: Some(topic), topics: &TOPICS, found }))
    });
    page.map_err(|problem| Sorry(app, problem))
}

/// Sections that have every word, those with one in their heading first.
fn search(q: &str) -> Vec<Found> {
    let q = q[..q.floor_char_boundary(QUERY_BYTES_MAX)].to_lowercase();
    let words: Vec<&str> = q.split_whitespace().collect();
    let mut found = Vec::new();
    for topic in TOPICS.iter() {
        for section in &topic.sections {
            let (heading, text) = (section.heading.to_lowercase(), section.text.to_lowercase());
            if !words.iter().all(|word| heading.contains(word) || text.contains(word)) {
                continue;
            }
            let is_named = words.iter().any(|word| heading.contains(word));
            let title = if section.heading == topic.title {
                topic.title.clone()
            } else {
                format!("{}: {}", topic.title, section.heading)
            };
            let around = around(&section.text, words.first().copied().unwrap_or_default());
            let anchor = section.anchor.clone();
            found.push((!is_named, Found { topic: &topic.slug, title, anchor, around }));
        }
    }
    found.sort_by_key(|(is_late, _)| *is_late);
    found.into_iter().map(|(_, found)| found).take(FOUND_MAX).collect()
}

/// The text about a word.
fn around(text: &str, word: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let lower: String = chars.iter().map(|c| c.to_lowercase().next().unwrap_or(*c)).collect();
    let at = lower.find(word).map_or(0, |at| lower[..at].chars().count());
    let (from, to) = (at.saturating_sub(AROUND), (at + AROUND).min(chars.len()));
    let cut: String = chars[from..to].iter().collect();
    let (before, after) =
        (if from > 0 { "…" } else { "" }, if to < chars.len() { "…" } else { "" });
    format!("{before}{}{after}", cut.trim())
}
