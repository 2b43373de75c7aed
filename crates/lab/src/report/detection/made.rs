//! Made pages and sentinels of one newspaper: words repeat, and many ask for the same ones.

use crate::cli::LabError;
use chronon::VersionNo;
use page::Extract;
use policies::Dice;
use sentinel::ast::{self, Expr, Primitive};
use std::fmt::Write;
use std::sync::Arc;
use url::Url;

/// What the world is, for the report.
pub const DESCRIPTION: &str = "Made front pages of 40 stories of which three go and three come \
     with each of 5 versions; sentinels ask for one to three of links, images, any change, \
     keywords and phrases, joined by AND or OR; few words are asked for by many (as 1 ÷ rank).";

/// Versions of a page.
const VERSIONS: u32 = 6;
/// Stories on a page.
const STORIES: u32 = 40;
/// New stories with a version.
const FRESH: u32 = 3;
/// Words that stories are about.
const WORDS: [&str; 24] = [
    "harbour", "election", "budget", "storm", "match", "court", "strike", "school", "museum",
    "bridge", "river", "market", "doctor", "train", "airport", "forest", "police", "concert",
    "garden", "energy", "housing", "science", "island", "winter",
];

/// A sentinel: the page it watches, and its condition.
pub struct Asked {
    pub page: usize,
    pub monitor: Expr,
}

/// Pages with their versions, and all sentinels on them.
pub struct Crowd {
    pub pages: Vec<Vec<Arc<Extract>>>,
    pub asked: Vec<Asked>,
}

impl Crowd {
    /// `count` sentinels on `pages` pages.
    ///
    /// # Errors
    /// A made page that cannot be read.
    pub fn new(seed: u64, count: usize, pages: usize) -> Result<Crowd, LabError> {
        let mut dice = Dice::new(seed);
        let pages: Result<Vec<_>, LabError> = (0..pages)
            .map(|page| (0..VERSIONS).map(|version| read(page as u32, version)).collect())
            .collect();
        let pages = pages?;
        let asked = (0..count)
            .map(|n| Asked { page: n % pages.len(), monitor: condition(&mut dice) })
            .collect();
        Ok(Crowd { pages, asked })
    }

    /// Versions that are compared with one before them.
    pub fn rounds(&self) -> usize {
        self.pages.len() * (VERSIONS as usize - 1)
    }

    /// The pairs of versions of a page, in their order.
    pub fn pairs() -> impl Iterator<Item = (VersionNo, VersionNo)> {
        (1..VERSIONS).map(|older| (VersionNo(older), VersionNo(older + 1)))
    }
}

fn read(page: u32, version: u32) -> Result<Arc<Extract>, LabError> {
    let mut html = String::from("<!doctype html><title>News</title><main>");
    for n in version * FRESH..version * FRESH + STORIES {
        let word = |step: u32| WORDS[((n * step + page * 5) % WORDS.len() as u32) as usize];
        let _ = write!(
            html,
            "<article><h2><a href=\"/{page}/{n}\">The {} and the {}</a></h2><img \
             src=\"/i/{}.jpg\" alt=\"{}\"><p>On day {n} the {} met the {}, said those who were \
             there.</p></article>",
            word(1),
            word(7),
            n / 2,
            word(5),
            word(11),
            word(13),
        );
    }
    html += "</main>";
    let unread = |error: String| LabError::Input(format!("a made page cannot be read: {error}"));
    let url = Url::parse("https://news.example/").map_err(|error| unread(error.to_string()))?;
    let hints = page::Hints { content_type: Some("text/html; charset=utf-8"), url: &url };
    let read = page::read(html.as_bytes(), &hints, &page::Limits::default());
    read.map(Arc::new).map_err(|error| unread(error.to_string()))
}

/// One to three leaves; three are two joined and one more.
fn condition(dice: &mut Dice) -> Expr {
    let join = |dice: &mut Dice, parts: Vec<Expr>| {
        if dice.below(2) == 0 { Expr::And(parts) } else { Expr::Or(parts) }
    };
    let first = leaf(dice);
    match dice.below(6) {
        0..3 => first,
        3 | 4 => pair(dice, first),
        _ => {
            let inner = pair(dice, first);
            let last = leaf(dice);
            join(dice, vec![inner, last])
        }
    }
}

/// Two leaves joined; a leaf beside itself stays alone.
fn pair(dice: &mut Dice, first: Expr) -> Expr {
    let second = leaf(dice);
    if second == first {
        return first;
    }
    let parts = vec![first, second];
    if dice.below(2) == 0 { Expr::And(parts) } else { Expr::Or(parts) }
}

fn leaf(dice: &mut Dice) -> Expr {
    let primitive = match dice.below(8) {
        0 => Primitive::plain(change::Aspect::Links),
        1 => Primitive::plain(change::Aspect::Images),
        2 => Primitive::plain(change::Aspect::Any),
        3 | 4 => Primitive::of(change::Aspect::Phrases, [format!("met the {}", word(dice))]),
        _ => Primitive::of(change::Aspect::Keywords, [word(dice)]),
    };
    Expr::Leaf(ast::Leaf { primitive, of: None, directions: vec![], matching: None })
}

/// The word of rank r about as often as 1 ÷ r.
fn word(dice: &mut Dice) -> &'static str {
    let rank = ((WORDS.len() + 1) as f64).powf(dice.unit());
    WORDS[(rank as usize - 1).min(WORDS.len() - 1)]
}
