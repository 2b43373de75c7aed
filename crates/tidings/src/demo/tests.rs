//! What the demo promises: the same every time, alerts on real changes, none on noise.

use super::sites::SITES;
use super::timeline::{self, Beat};
use super::world::{DemoWeb, Reply};
use super::{SEED, sentinels};
use change::{Comparison, Leaf, Limits, RoundRequest};
use chronon::{Instant, Span, VersionNo, Zone};
use page::Extract;
use sentinel::ast::{Expr, Sentinel};
use sentinel::{Redefine, Statement};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use url::Url;

/// Beats looked at: the first ten minutes.
const BEATS: usize = 64;

fn world(seed: u64) -> DemoWeb {
    DemoWeb { seed, port: 7781, started: Instant::from_millis(1_798_761_600_000) }
}

fn parsed() -> Vec<Sentinel> {
    let channels = ["terminal", "interactive"].map(str::to_owned);
    let loopback = ["127.0.0.1/32".parse().expect("a network")];
    let reach =
        address::Reach { sources: address::AllowList::new(&loopback), ..Default::default() };
    let world = sentinel::Knowledge {
        reach: &reach,
        now: world(SEED).started,
        zone: Zone::utc(),
        chronon: Span::SECOND,
        host_interval: Span::SECOND,
        channels: &channels,
        default_channel: "terminal",
        contact_needed: &|_| false,
        kind: &|_| None,
        trouble: &|_| None,
        existing: &|_| None,
        taken: &|_| None,
        ended: &|_| None,
        redefine: Redefine::Refuse,
        refuse_past: true,
    };
    let checked = sentinel::check(&sentinels(7781), &world);
    assert_eq!(checked.diagnostics, Vec::new());
    checked.statements.into_iter().map(|Statement { sentinel, .. }| sentinel).collect()
}

fn site_of(sentinel: &Sentinel) -> &'static str {
    let url = Url::parse(sentinel.source().url.reveal()).expect("checked");
    let host = url.host_str().expect("checked").to_owned();
    let known = SITES.iter().find(|site| host == format!("{}.localhost", site.name));
    known.unwrap_or_else(|| panic!("{host} is no site of the demo")).name
}

/// What a fetcher gets from a site, redirects followed.
fn fetched(world: &DemoWeb, site: &str, elapsed: Span) -> Reply {
    let site = SITES.iter().find(|known| known.name == site).expect("a site of the demo");
    let first = world.answer(&format!("{}.localhost:7781", site.name), site.asked_at(), elapsed);
    match &first.location {
        Some(location) => world.answer(site.name, location, elapsed),
        None => first,
    }
}

fn extract(world: &DemoWeb, site: &str, elapsed: Span) -> Option<Arc<Extract>> {
    let reply = fetched(world, site, elapsed);
    if reply.status == 503 {
        return None;
    }
    let url = Url::parse(&format!("http://{site}.localhost:7781/")).expect("well-formed");
    let hints = page::Hints { content_type: Some(reply.content_type), url: &url };
    let extract = page::read(reply.body.as_bytes(), &hints, &page::Limits::default());
    Some(Arc::new(extract.expect("pages of our own can be read")))
}

/// Whether a sentinel would be told of the difference between two pages.
fn is_told(sentinel: &Sentinel, old: &Arc<Extract>, new: &Arc<Extract>) -> bool {
    if page::fingerprint(old) == page::fingerprint(new) {
        return false;
    }
    holds(&sentinel.monitor, &|leaf| {
        let (from, to) = (VersionNo(1), VersionNo(2));
        let change_type = leaf.change_type.clone();
        let (leaves, pairing) = (vec![leaf.clone()], change::Pairing::Alike);
        let earlier = vec![];
        let status = None;
        let comparison = Comparison { from, to, change_type, leaves, pairing, earlier, status };
        let request = RoundRequest { comparisons: vec![comparison], sources: vec![] };
        let mut load =
            |number, _: &change::View| Ok(Arc::clone(if number == from { old } else { new }));
        let result = change::run(&request, &mut load, &Limits::default());
        assert_eq!(result.comparisons[0].failed, None);
        result.comparisons[0].leaves[0].hits_total > 0
    })
}

fn holds(expr: &Expr, leaf_holds: &dyn Fn(&Leaf) -> bool) -> bool {
    match expr {
        Expr::Leaf(leaf) => leaf_holds(&graph::slow::leaf_of(leaf)),
        Expr::Not(operand) => !holds(operand, leaf_holds),
        Expr::And(operands) => operands.iter().all(|operand| holds(operand, leaf_holds)),
        Expr::Or(operands) => operands.iter().any(|operand| holds(operand, leaf_holds)),
    }
}

fn millis(n: i64) -> Span {
    Span::from_millis(n)
}

#[test]
fn the_same_seed_and_time_give_the_same_answers_and_another_seed_others() {
    for site in SITES {
        for at in [0, 1_500, 60_000, 3_600_000].map(millis) {
            let one = fetched(&world(1), site.name, at);
            assert_eq!(one, fetched(&world(1), site.name, at), "{}", site.name);
        }
        let later = [world(1), world(2)].map(|world| fetched(&world, site.name, millis(600_000)));
        assert_ne!(later[0].body, later[1].body, "{}", site.name);
    }
}

#[test]
fn nobody_is_told_of_noise() {
    let sentinels = parsed();
    for seed in [SEED, 1] {
        let world = world(seed);
        let beats: Vec<Beat> = timeline::beats(seed).take(BEATS).collect();
        for site in SITES {
            let own = sentinels.iter().filter(|sentinel| site_of(sentinel) == site.name);
            let own: Vec<&Sentinel> = own.collect();
            let mut noisy = false;
            for pair in beats.windows(2) {
                let (first, last) = (pair[0].at, pair[1].at - millis(1));
                let looks = [first, first + millis(1_234), last];
                let pages = looks.iter().filter_map(|&at| extract(&world, site.name, at));
                let pages: Vec<_> = pages.collect();
                for two in pages.windows(2) {
                    noisy |= page::fingerprint(&two[0]) != page::fingerprint(&two[1]);
                    for sentinel in &own {
                        let told = is_told(sentinel, &two[0], &two[1]);
                        assert!(!told, "{} after {first}, seed {seed}", sentinel.name);
                    }
                }
            }
            let calm = ["releases", "planning", "baking", "terms"].contains(&site.name);
            assert_eq!(noisy, !calm, "{}", site.name);
        }
    }
}

#[test]
fn every_sentinel_hears_of_real_changes_and_most_beats_are_told() {
    let (heard, told_beats) = listen(SEED);
    let names: BTreeSet<String> = parsed().into_iter().map(|sentinel| sentinel.name).collect();
    assert_eq!(heard.keys().cloned().collect::<BTreeSet<_>>(), names, "{heard:?}");
    assert!(told_beats.contains(&0), "the first beat is told");
    assert!(told_beats.len() * 10 >= BEATS * 7, "{} of {BEATS} beats", told_beats.len());
}

/// How often each sentinel hears of something, and the beats that somebody hears of.
fn listen(seed: u64) -> (BTreeMap<String, usize>, BTreeSet<usize>) {
    let world = world(seed);
    let sentinels = parsed();
    let mut heard: BTreeMap<String, usize> = BTreeMap::new();
    let mut told_beats = BTreeSet::new();
    for (index, beat) in timeline::beats(seed).take(BEATS).enumerate() {
        let around = [beat.at - millis(1), beat.at].map(|at| extract(&world, beat.site, at));
        let [Some(old), Some(new)] = around else { continue };
        assert_ne!(page::fingerprint(&old), page::fingerprint(&new), "{beat:?} changes something");
        for sentinel in sentinels.iter().filter(|sentinel| site_of(sentinel) == beat.site) {
            if is_told(sentinel, &old, &new) {
                *heard.entry(sentinel.name.clone()).or_default() += 1;
                told_beats.insert(index);
            }
        }
    }
    (heard, told_beats)
}

#[test]
fn the_web_has_a_busy_server_a_slow_one_a_redirect_and_every_kind_of_validator() {
    let world = world(SEED);
    let replies = |site: &str| -> Vec<Reply> {
        (0..60).map(|second| fetched(&world, site, Span::from_secs(second))).collect()
    };
    let busy = replies("trains").into_iter().filter(|reply| reply.status == 503);
    let busy: Vec<Reply> = busy.collect();
    assert!((1..10).contains(&busy.len()) && busy.iter().all(|r| r.retry_after.is_some()));
    assert!(replies("museum").iter().all(|reply| reply.delay >= Span::SECOND));
    assert_eq!(world.answer("releases.localhost", "/", Span::ZERO).status, 302);
    let validators: BTreeSet<(bool, bool)> = SITES
        .iter()
        .map(|site| fetched(&world, site.name, Span::ZERO))
        .map(|reply| (reply.etag.is_some(), reply.last_modified.is_some()))
        .collect();
    assert_eq!(validators.len(), 4);
}

#[test]
fn every_page_links_to_pages_that_the_web_has() {
    let world = world(SEED);
    for site in SITES {
        let page = extract(&world, site.name, Span::ZERO).expect("not busy at the start");
        for link in &page.links {
            let url = Url::parse(&link.href).expect("resolved");
            let reply = world.answer(url.host_str().expect("a host"), url.path(), Span::ZERO);
            assert_eq!(reply.status, 200, "{}", link.href);
        }
        for image in &page.images {
            let url = Url::parse(&image.src).expect("resolved");
            let reply = world.answer(site.name, url.path(), Span::ZERO);
            assert_eq!(reply.content_type, "image/svg+xml", "{}", image.src);
        }
    }
}
