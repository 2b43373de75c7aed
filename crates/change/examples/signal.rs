//! Replays histories of pages and counts what `any change` and `everything` would tell.
//!
//! `cargo run -p change --example signal -- MEDIA_TYPE FOLDER…`, each folder a page history as
//! `docs/formats.md` has it. One line per history, and the sum. A pair of successive versions is
//! *still* where a peer's hash of the visible text (`content_hash`, the last column) says so.

use change::{Aspect, ChangeType, Comparison, Leaf, Limits, Pairing, RoundRequest, View, run};
use chronon::VersionNo;
use page::{Extract, Hints};
use std::ops::AddAssign;
use std::path::Path;
use std::sync::Arc;

#[derive(Debug, Default, Clone, Copy)]
struct Pairs {
    all: u32,
    still: u32,
    still_any: u32,
    still_text: u32,
    still_links: u32,
    text: u32,
    any: u32,
    odd: u32,
}

impl AddAssign for Pairs {
    fn add_assign(&mut self, other: Pairs) {
        self.all += other.all;
        self.still += other.still;
        self.still_any += other.still_any;
        self.still_text += other.still_text;
        self.still_links += other.still_links;
        self.text += other.text;
        self.any += other.any;
        self.odd += other.odd;
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let media = arguments.next().unwrap_or_else(|| "text/html".to_owned());
    let mut sum = Pairs::default();
    for folder in arguments {
        let own = history(Path::new(&folder), &media)?;
        println!("{folder}: {own:?}");
        sum += own;
    }
    println!("all: {sum:?}");
    Ok(())
}

fn history(folder: &Path, media: &str) -> Result<Pairs, Box<dyn std::error::Error>> {
    let url = url::Url::parse("https://site.example/page")?;
    let hints = Hints { content_type: Some(media), url: &url };
    let mut pairs = Pairs::default();
    let mut before: Option<(String, Arc<Extract>)> = None;
    for row in std::fs::read_to_string(folder.join("times.csv"))?.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let (Some(file), Some(hash)) = (fields.first(), fields.last()) else { continue };
        let body = std::fs::read(folder.join(file))?;
        let Ok(extract) = page::read(&body, &hints, &page::Limits::default()) else { continue };
        // An odd page is held, and compared with nothing.
        if page::odd(&extract).is_some() {
            pairs.odd += 1;
            continue;
        }
        let extract = Arc::new(extract);
        if let Some((old_hash, old)) = &before {
            let [any, text, links] = [Aspect::Any, Aspect::Phrases, Aspect::Links]
                .map(|aspect| told(old, &extract, aspect));
            let still = u32::from(old_hash == hash);
            pairs += Pairs {
                all: 1,
                still,
                still_any: still * any,
                still_text: still * text,
                still_links: still * links,
                text,
                any,
                odd: 0,
            };
        }
        before = Some(((*hash).to_owned(), extract));
    }
    Ok(pairs)
}

/// 1 if a leaf of this aspect holds; of `phrases`, if any text differs at all.
fn told(old: &Arc<Extract>, new: &Arc<Extract>, aspect: Aspect) -> u32 {
    if aspect == Aspect::Phrases {
        let any = ChangeType::plain(Aspect::Any);
        return u32::from(change::compare(old, new, &any, &Limits::default()).1 > 0);
    }
    let change_type = ChangeType::plain(aspect);
    let leaf =
        Leaf { change_type: change_type.clone(), directions: Default::default(), matching: None };
    let request = RoundRequest {
        comparisons: vec![Comparison {
            from: VersionNo(1),
            to: VersionNo(2),
            change_type,
            leaves: vec![leaf],
            pairing: Pairing::Alike,
            earlier: vec![],
        }],
        sources: Vec::new(),
    };
    let versions = [old, new];
    let mut load = |version: VersionNo, _: &View| Ok(Arc::clone(versions[version.0 as usize - 1]));
    let result = run(&request, &mut load, &Limits::default());
    u32::from(result.comparisons[0].leaves[0].hits_total > 0)
}
