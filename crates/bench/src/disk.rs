//! What versions take on the disk: pages of 100 versions each, watched and told of, beside what git
//! takes for the same bodies after `git gc`. Histories of real pages, too, where they are: the
//! folder that `BENCH_HISTORIES` names, by kind.
//!
//! Kernel, jobs and store are the server's own. The web answers with the next version at each look,
//! and every message arrives. The store is closed before it is measured: nothing is left in its
//! log.

mod git;
mod histories;
mod shares;
mod watched;

use crate::{Figure, pages};
use anyhow::Result;
use histories::Page;
use shares::Shares;
use std::path::Path;

/// Pages that are made, versions of each, and stories on a page: 46 KB.
const PAGES: usize = 20;
const VERSIONS: usize = 100;
const STORIES: usize = 123;

/// The aims: times git's bytes, bytes a changed version, bytes a finished notification.
const OF_GIT: f64 = 1.2;
const A_VERSION: f64 = 400.0;
const A_NOTIFICATION: f64 = 300.0;

pub fn run() -> Result<Vec<Figure>> {
    let mut figures = measured("one word of 46 KB", "everything", &made())?;
    if let Some(folder) = std::env::var_os("BENCH_HISTORIES") {
        for (kind, media) in histories::KINDS {
            let pages = histories::read(Path::new(&folder), kind, media)?;
            if !pages.is_empty() {
                figures.extend(measured(&format!("real {kind}"), "any change", &pages)?);
            }
        }
    }
    Ok(figures)
}

/// Pages of which one word changes.
fn made() -> Vec<Page> {
    let page = |number: usize| {
        let stories = pages::story_list(number * STORIES..(number + 1) * STORIES);
        let (head, rest) = stories.split_once("<body>").expect("a page has a body");
        let version = |number| {
            let text = format!("{head}<body><p>Paragraph {number} is new</p>{rest}");
            text.into_bytes().into()
        };
        Page { media: "text/html", versions: (0..VERSIONS).map(version).collect() }
    };
    (0..PAGES).map(page).collect()
}

/// What versions take of which a sentinel tells what it monitors.
fn measured(what: &str, monitored: &str, pages: &[Page]) -> Result<Vec<Figure>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("tidings.db");
    let empty = Shares::of_empty(&folder.path().join("empty.db"))?;
    watched::watch(pages, monitored, &path)?;
    let shares = Shares::of(&path, empty)?;
    let git = git::bytes(pages, folder.path())?;
    let figure = |name: &str, measured, (baseline_name, baseline)| Figure {
        name: format!("disk, {what}: {name}"),
        measured,
        baseline_name,
        baseline,
        unit: "B",
    };
    let Shares { versions, notifications, .. } = shares;
    let beside_git = match git {
        Some(git) => ("1.2 times git gc", OF_GIT * git / versions),
        None => ("git is not there", f64::NAN),
    };
    let version = ("the aim for a version", A_VERSION);
    let notification = ("the aim for a notification", A_NOTIFICATION);
    Ok(vec![
        figure("bodies and extracts, a version", shares.content / versions, beside_git),
        figure("all else, a version", shares.version / versions, version),
        figure("a finished notification", shares.notification / notifications, notification),
    ])
}
