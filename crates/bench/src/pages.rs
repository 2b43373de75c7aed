//! One page: read, compared with its predecessor; against the HTML parser alone.

use crate::{Figure, ROUNDS, alternate, median, process};
use change::{Aspect, ChangeType, Comparison, Leaf, Limits, RoundRequest, Terms};
use chronon::VersionNo;
use std::collections::BTreeSet;
use std::hint::black_box;
use std::sync::Arc;
use url::Url;

/// Pages read per round.
const PAGES: usize = 40;
/// Pages parsed per round where processor time is measured.
const PARSED: usize = 250;

pub fn run() -> anyhow::Result<Vec<Figure>> {
    let (old, new) = (story_list(0..250), story_list(3..253));
    let url = Url::parse("https://news.example/")?;
    let kilobytes = new.len() / 1_000;
    let read = |html: &str| {
        let hints = page::Hints { content_type: Some("text/html; charset=utf-8"), url: &url };
        page::read(html.as_bytes(), &hints, &page::Limits::default()).expect("the page is sound")
    };
    let parse_only = || {
        for _ in 0..PAGES {
            black_box(scraper::Html::parse_document(black_box(&new)));
        }
    };
    let per_page = 1_000.0 / PAGES as f64;
    let mut figures = Vec::new();
    let mut figure = |name: &str, (measured, baseline): (f64, f64)| {
        figures.push(Figure {
            name: format!("page of {kilobytes} KB: {name}"),
            measured: measured * per_page,
            baseline_name: "parsing the HTML alone",
            baseline: baseline * per_page,
            unit: "ms",
        });
    };
    let extract = || {
        for _ in 0..PAGES {
            black_box(read(black_box(&new)));
        }
    };
    figure("parse and extract", alternate(extract, parse_only));
    let before = Arc::new(read(&old));
    let request = every_type();
    let whole = || {
        for _ in 0..PAGES {
            let after = Arc::new(read(black_box(&new)));
            let mut load = |version: VersionNo, _: &change::View| {
                Ok(Arc::clone(if version.0 == 1 { &before } else { &after }))
            };
            black_box(change::run(&request, &mut load, &Limits::default()));
            black_box(page::fingerprint(&after));
        }
    };
    figure("parse, extract, compare with all six types", alternate(whole, parse_only));
    figures.push(selectors(&new, &url)?);
    Ok(figures)
}

/// What twenty selectors cost beside the page that they look into.
fn selectors(html: &str, url: &Url) -> anyhow::Result<Figure> {
    let views: Vec<page::View> = SELECTORS.iter().map(|text| page::View::of_key(text)).collect();
    let hints = page::Hints { content_type: Some("text/html; charset=utf-8"), url };
    let limits = page::Limits::default();
    let read = |views: &[page::View]| {
        let all = views.iter().cloned().chain([page::View::Page]);
        page::extract(black_box(html.as_bytes()), &hints, &limits, all)
    };
    let found = read(&views)?;
    anyhow::ensure!(found.len() == 21, "each selector is looked for");
    let pages = |views: &[page::View]| {
        for _ in 0..PAGES {
            let _ = black_box(read(views));
        }
    };
    let parse_only = || {
        for _ in 0..PAGES {
            black_box(scraper::Html::parse_document(black_box(html)));
        }
    };
    let (with, without) = alternate(|| pages(&views), || pages(&[]));
    let (_, parse) = alternate(|| pages(&[]), parse_only);
    let per_page = 1_000.0 / PAGES as f64;
    Ok(Figure {
        name: format!("page of {} KB: twenty selectors more", html.len() / 1_000),
        measured: (with - without).max(0.0) * per_page,
        baseline_name: "parsing the HTML alone",
        baseline: parse * per_page,
        unit: "ms",
    })
}

/// µs of processor time that the HTML parser alone takes for a page: the median of several rounds.
/// Nothing else of this process may be at work.
pub fn parse_micros(html: &str) -> anyhow::Result<f64> {
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let before = process::cpu_seconds(std::process::id())?;
        // Seconds are counted in hundredths: enough pages for some tens of them.
        for _ in 0..PARSED {
            black_box(scraper::Html::parse_document(black_box(html)));
        }
        rounds.push(process::cpu_seconds(std::process::id())? - before);
    }
    Ok(median(rounds) * 1e6 / PARSED as f64)
}

/// As browsers' tools and people write them.
const SELECTORS: [&str; 20] = [
    r#"css "body > div:nth-child(3) > p""#,
    r#"css "h1""#,
    r#"css ".price""#,
    r##"css "#main > div:nth-child(2) > span.price""##,
    r#"css "a[href^='https']:first-child""#,
    r#"css "li:nth-child(3) > a""#,
    r#"css "table tr:nth-child(2) td""#,
    r#"css "article h2 a""#,
    r#"css "p:not(.ad)" outside css "nav""#,
    r#"css "h2" inside css "body""#,
    r#"xpath "/html/body/div[2]/table/tbody/tr[3]/td[2]""#,
    r#"xpath "//*[@id='x']/p[1]""#,
    r#"xpath "//h2""#,
    r#"xpath "//table//td[2]""#,
    r#"xpath "//a[contains(@href,'7')]""#,
    r#"xpath "/html/body/main/article[5]/h2""#,
    r#"xpath "//li[3]""#,
    r#"title"#,
    r#"meta "description""#,
    r#"jsonld "$.offers.price""#,
];

/// One comparison of every change type.
fn every_type() -> RoundRequest {
    let of_pages = Aspect::all().filter(|&aspect| aspect != Aspect::Items);
    let types = of_pages.filter_map(|aspect| {
        let terms: &[&str] = match aspect.row().terms {
            Terms::None => &[],
            Terms::Except => &["the"],
            Terms::Words => &["story", "harbour*"],
            Terms::Phrases => &["number 7", "sold out"],
            Terms::Pointed | Terms::Tests => return None,
        };
        Some(ChangeType::of(aspect, terms.iter().copied()))
    });
    let comparison = |change_type: ChangeType| Comparison {
        from: VersionNo(1),
        to: VersionNo(2),
        change_type: change_type.clone(),
        leaves: vec![Leaf { change_type, directions: BTreeSet::new(), matching: None }],
        pairing: change::Pairing::Alike,
        earlier: vec![],
        status: None,
    };
    RoundRequest { comparisons: types.map(comparison).collect(), sources: vec![] }
}

/// A front page of some stories.
pub fn story_list(stories: std::ops::Range<usize>) -> String {
    let mut html = String::from("<!doctype html><html><head><title>News</title></head><body>");
    for n in stories {
        html += &format!(
            "<article class=\"teaser t{n}\"><h2><a href=\"/stories/{n}?ref=front\">Story number \
             {n}</a></h2><img src=\"/images/{n}.jpg\" alt=\"The harbour, {n}\"><p>What happened \
             at the harbour on day {n} was &ldquo;nothing much&rdquo;, said those who were there, \
             and those who were not agreed.</p><ul><li>by <b>A. Writer</b></li><li>{n} comments\
             </li></ul></article>\n"
        );
    }
    html + "</body></html>"
}
