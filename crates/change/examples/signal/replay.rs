//! What Tidings tells of a history, and how that is counted.

use crate::{History, Result};
use change::{
    Arrived, Aspect, Blocks, Change, ChangeType, Comparison, Habits, Known, Leaf, Limits, Pairing,
    RoundRequest, Thing, View, Weight, run_knowing,
};
use chronon::{Instant, VersionNo};
use page::{Extract, Hints, Odd};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// What a reader would say of a look, compared with what came before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// The first of a history.
    First,
    Wanted,
    /// It looks different, and nobody wants to know.
    Noise,
    /// It looks the same.
    Equal,
    /// It is not the page: an error, a wall, another language.
    Broken,
    /// The page as it was before it broke.
    Back,
    Unlabelled,
}

impl Label {
    pub const ALL: [Label; 7] = [
        Label::First,
        Label::Wanted,
        Label::Noise,
        Label::Equal,
        Label::Broken,
        Label::Back,
        Label::Unlabelled,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Label::First => "first",
            Label::Wanted => "wanted",
            Label::Noise => "noise",
            Label::Equal => "equal",
            Label::Broken => "broken",
            Label::Back => "back",
            Label::Unlabelled => "unlabelled",
        }
    }
}

/// Whether somebody was told of a look.
pub type Told = bool;

/// What became of a look.
pub struct Seen {
    pub told: Told,
    /// The first change, or why there is none.
    pub what: String,
    /// The same by each bar of [`BARS`].
    pub by_bar: [Told; BARS.len()],
}

/// How high a change must reach to be told.
#[derive(Debug, Clone, Copy)]
pub enum Bar {
    /// It weighs this or more.
    Weight(Weight),
    /// It weighs enough, and this many characters of it differ.
    Characters(u32),
}

/// The bars of the curve, the lowest first; the third is the one of `any change`.
pub const BARS: [(&str, Bar); 7] = [
    ("all changes", Bar::Weight(Weight(0))),
    ("and no passing time", Bar::Weight(Weight(11))),
    ("as it is", Bar::Weight(Weight::ENOUGH)),
    ("6 characters differ", Bar::Characters(6)),
    ("12 characters", Bar::Characters(12)),
    ("24 characters", Bar::Characters(24)),
    ("48 characters", Bar::Characters(48)),
];

/// Those that were told, and all.
#[derive(Default, Clone, Copy)]
pub struct Share {
    told: u32,
    all: u32,
}

impl Share {
    fn add(&mut self, told: Told) {
        self.told += u32::from(told);
        self.all += 1;
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.all {
            0 => f.write_str("-"),
            all => write!(f, "{}/{all}", self.told),
        }
    }
}

/// The sixth look at a page: by then it is known.
const LATER: usize = 5;

#[derive(Default)]
pub struct Tally {
    pub wanted: Share,
    pub noise_early: Share,
    pub noise_later: Share,
    pub equal: Share,
    pub broken: Share,
    pub unlabelled: Share,
}

impl Tally {
    pub fn add(&mut self, history: &History, told: &[Told]) {
        for (at, (look, &told)) in history.looks.iter().zip(told).enumerate() {
            match look.label {
                Label::First => {}
                Label::Wanted => self.wanted.add(told),
                Label::Noise if at < LATER => self.noise_early.add(told),
                Label::Noise => self.noise_later.add(told),
                Label::Equal => self.equal.add(told),
                Label::Broken | Label::Back => self.broken.add(told),
                Label::Unlabelled => self.unlabelled.add(told),
            }
        }
    }
}

/// `any change`, look by look; by every bar of the curve, if that is wanted.
pub fn any_change(history: &History, curve: bool) -> Result<Vec<Seen>> {
    replay(history, Aspect::Any, curve)
}

/// `all links`, look by look.
pub fn links(history: &History) -> Result<Vec<Seen>> {
    replay(history, Aspect::Links, false)
}

/// Every look of a history is one.
const ONCE: Arrived = Arrived { looks: 1, at: Instant::EPOCH, asked: false };

fn replay(history: &History, aspect: Aspect, curve: bool) -> Result<Vec<Seen>> {
    let url = url::Url::parse("https://site.example/page")?;
    let hints = Hints { content_type: Some(&history.media), url: &url };
    // What counted, the newest last.
    let mut counted: Vec<Arc<Extract>> = Vec::new();
    // What is in doubt, and whether a second look confirmed it.
    let mut doubt: Option<(Odd, bool)> = None;
    let (mut seen, mut habits) = (Vec::new(), Habits::default());
    for look in &history.looks {
        let said =
            |told, what: &str| Seen { told, what: what.to_owned(), by_bar: [told; BARS.len()] };
        let extract = match page::read(&look.body, &hints, &page::Limits::default()) {
            Ok(extract) => Arc::new(extract),
            Err(error) => {
                seen.push(said(false, &error.to_string()));
                continue;
            }
        };
        let apart = || page::apart(counted.last()?, &extract);
        let odd = page::odd(&extract).or_else(apart);
        let again = |odd| doubt.is_some_and(|(known, _)| known == odd);
        // What is odd beside the version before it counts once a second look shows it again.
        if let Some(odd) = odd.filter(|&odd| !(odd.is_of_two(extract.kind) && again(odd))) {
            // A second look that shows the same is told, once.
            let told = doubt == Some((odd, false));
            let known = doubt.is_some_and(|(known, _)| known == odd);
            doubt = Some((odd, known));
            seen.push(said(told, odd.name()));
            continue;
        }
        doubt = None;
        let before = counted.last().cloned();
        counted.push(Arc::clone(&extract));
        seen.push(match before {
            None => said(false, "the first look"),
            Some(old) => {
                let limits = Limits::default();
                let (mut seen, blocks) = told(&counted, aspect, &habits, &limits);
                if aspect == Aspect::Any && !seen.told {
                    let (all, _) = told(&counted, Aspect::Everything, &habits, &limits);
                    seen.what.push_str(&format!(" ({})", all.what));
                }
                for ((_, bar), told_by) in BARS.iter().zip(&mut seen.by_bar) {
                    if let Bar::Weight(weight_min) = *bar
                        && weight_min != limits.weight_min
                        && curve
                    {
                        let limits = Limits { weight_min, ..Limits::default() };
                        *told_by = told(&counted, aspect, &habits, &limits).0.told;
                    }
                }
                habits.learn([&old, &extract], blocks, ONCE, &limits);
                seen
            }
        });
    }
    if let Some(last) = seen.last_mut() {
        last.what.push_str(&format!(" (habits: {} bytes)", habits.encode().len()));
    }
    Ok(seen)
}

/// Changes of a look that are listed.
const SHOWN: usize = 200;

/// Whether a leaf of this aspect holds for the last of these, and its first changes.
fn told(
    counted: &[Arc<Extract>],
    aspect: Aspect,
    habits: &Habits,
    limits: &Limits,
) -> (Seen, Option<Blocks>) {
    let change_type = ChangeType::plain(aspect);
    let newest = counted.len() as u32;
    let leaf =
        Leaf { change_type: change_type.clone(), directions: Default::default(), matching: None };
    let request = RoundRequest {
        comparisons: vec![Comparison {
            from: VersionNo(newest - 1),
            to: VersionNo(newest),
            change_type,
            leaves: vec![leaf],
            pairing: Pairing::Alike,
            earlier: (1..newest - 1).rev().map(VersionNo).collect(),
            status: None,
        }],
        sources: Vec::new(),
    };
    let mut load = |version: VersionNo, _: &View| Ok(Arc::clone(&counted[version.0 as usize - 1]));
    let known = Known { habits, loud: &BTreeSet::new() };
    let (result, blocks) = run_knowing(&request, &mut load, limits, &known);
    let compared = &result.comparisons[0];
    let hits = &compared.leaves[0];
    let shown = |at: &u32| {
        let change = &compared.changes[*at as usize];
        let text = |thing: &Option<change::Thing>| {
            let thing = thing.as_ref();
            let text = thing.map(|t| [t.text(), t.address().unwrap_or_default()].join(" "));
            text.unwrap_or_default().chars().take(150).collect::<String>()
        };
        format!("{:?} {:?} -> {:?}", change.kind, text(&change.old), text(&change.new))
    };
    let first = hits.hits.iter().take(SHOWN).map(shown).collect::<Vec<_>>().join("; ");
    let what = format!("{} told, {} held back: {first}", hits.hits_total, compared.held_back);
    let differ = |at: &u32| characters(&compared.changes[*at as usize]);
    let most = hits.hits.iter().map(differ).max();
    let by_bar = BARS.map(|(_, bar)| match bar {
        Bar::Weight(_) => hits.hits_total > 0,
        Bar::Characters(least) => most.is_some_and(|most| most >= least),
    });
    (Seen { told: hits.hits_total > 0, what, by_bar }, blocks)
}

/// Characters that a change says otherwise, on the side that has more.
fn characters(change: &Change) -> u32 {
    let of = |thing: &Option<Thing>| {
        thing.as_ref().map_or(0, |thing| thing.text().chars().count().max(1) as u32)
    };
    let marked = |spans: &[(u32, u32)]| spans.iter().map(|(from, to)| to - from).sum::<u32>();
    let spans = marked(&change.spans.old).max(marked(&change.spans.new));
    if spans > 0 { spans } else { of(&change.old).max(of(&change.new)) }
}
