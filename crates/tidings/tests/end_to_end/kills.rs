//! `kill -9` at random moments while pages change and the receiver fails at random.
//!
//! `TIDINGS_KILL_ROUNDS` (20) and `TIDINGS_KILL_SEED` (1) make it longer and different.

use crate::chance::Chance;
use crate::harness::{Home, PATIENCE, QUICK, Server};
use crate::webhook::{Delivery, Hook, within};
use crate::wire::{Listener, Reply, Request};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// Pages, each on a host of its own.
const PAGES: usize = 3;

const SETTINGS: &str = "retention_versions = 100000\n\
    deliver.retry_first_seconds = 0.1\ndeliver.retry_max_seconds = 0.5\n";

/// The pages' editions; a page says which it is, and its ETag too.
struct Pages {
    editions: Arc<[AtomicU64; PAGES]>,
    listener: Listener,
    /// Something for each answer with content.
    fetched: Receiver<()>,
}

impl Pages {
    fn start() -> Pages {
        let editions: Arc<[AtomicU64; PAGES]> = Arc::default();
        let (shown, (sender, fetched)) = (Arc::clone(&editions), channel());
        let listener = Listener::start(move |request| {
            let page: usize = request.path[1..].parse().expect("the pages have numbers");
            let edition = shown[page].load(Ordering::SeqCst);
            let tag = format!("\"e{edition}\"");
            if request.header("if-none-match") == Some(&tag) {
                return Reply::Answer {
                    status: 304,
                    headers: vec![("etag", tag)],
                    body: Vec::new(),
                };
            }
            // The test may have ended.
            let _ = sender.send(());
            let body = format!("<!doctype html><p>Page {page}</p><p>{}</p>", words(edition));
            let headers = vec![("etag", tag), ("content-type", "text/html".to_owned())];
            Reply::Answer { status: 200, headers, body: body.into_bytes() }
        });
        Pages { editions, listener, fetched }
    }

    fn url(&self, page: usize) -> String {
        self.listener.url(page as u8 + 1, &format!("/{page}"))
    }

    fn change(&self, page: usize) {
        self.editions[page].fetch_add(1, Ordering::SeqCst);
    }

    /// Changes a page and waits until a server has asked for what is new.
    fn change_and_be_fetched(&self, page: usize) {
        while self.fetched.try_recv().is_ok() {}
        self.change(page);
        // A server that is kept from asking is one to be killed, too.
        let _ = self.fetched.recv_timeout(Duration::from_secs(1));
    }

    fn edition(&self, page: usize) -> String {
        words(self.editions[page].load(Ordering::SeqCst))
    }
}

fn words(edition: u64) -> String {
    format!("This is edition {edition}.")
}

/// A receiver's moods: while it is ill it fails in every way there is.
#[derive(Default)]
struct Mood {
    well: Mutex<bool>,
    changed: Condvar,
}

impl Mood {
    fn heal(&self) {
        *self.well.lock().expect("no panic") = true;
        self.changed.notify_all();
    }

    /// Waits until it is well, or for so long.
    fn hold(&self, millis: u64) -> bool {
        let well = self.well.lock().expect("no panic");
        let wait = Duration::from_millis(millis);
        *self.changed.wait_timeout_while(well, wait, |well| !*well).expect("no panic").0
    }

    fn answer(&self, chance: &Mutex<Chance>) -> Reply {
        if self.hold(0) {
            return Reply::status(204);
        }
        let (kind, millis) = {
            let mut chance = chance.lock().expect("no panic");
            (chance.below(16), chance.below(200))
        };
        match kind {
            0..=2 => Reply::status(500),
            3 => Reply::Answer {
                status: 503,
                headers: vec![("retry-after", "1".to_owned())],
                body: Vec::new(),
            },
            4..=6 => Reply::Cut,
            7 => {
                self.hold(20_000);
                Reply::Cut
            }
            8..=10 => {
                self.hold(millis);
                Reply::status(200)
            }
            _ => Reply::status(204),
        }
    }
}

/// (from, to) → (key, the new edition)
type Pairs = BTreeMap<(u64, u64), (String, String)>;

/// What came to the receiver, by what it says.
#[derive(Default)]
struct Told {
    by_key: BTreeMap<String, Vec<u8>>,
    /// What was taken, by sentinel.
    pairs: BTreeMap<String, Pairs>,
    count: usize,
}

impl Told {
    fn take(&mut self, delivery: &Delivery) {
        self.count += 1;
        let first = self.by_key.entry(delivery.key.clone()).or_insert(delivery.bytes.clone());
        assert_eq!(*first, delivery.bytes, "the key {} comes with other content", delivery.key);
        if !(200..300).contains(&delivery.answered) {
            return;
        }
        match delivery.body["type"].as_str() {
            Some("change") => self.take_change(&delivery.body),
            Some("digest") => {
                let members = delivery.body["notifications"].as_array().expect("a list");
                assert!(!members.is_empty());
                members.iter().for_each(|member| self.take_change(member));
            }
            other => panic!("a notification of type {other:?}"),
        }
    }

    fn take_change(&mut self, body: &Value) {
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let source = &body["sources"][0];
        let number = |name: &str| source[name].as_u64().expect("a version");
        let pair = (number("from_version"), number("to_version"));
        let changes = body["changes"].as_array().expect("a list");
        let news: Vec<String> = changes
            .iter()
            .filter_map(|change| change["new"]["text"].as_str())
            .map(Into::into)
            .collect();
        let [news] = &news[..] else { panic!("not one change: {body}") };
        let told = self.pairs.entry(text(&body["sentinel"])).or_default();
        let (key, _) = told.entry(pair).or_insert((text(&body["id"]), news.clone()));
        assert_eq!(*key, text(&body["id"]), "{pair:?} has two keys");
    }

    /// Whether a sentinel was led from its first version to this edition without a gap.
    fn leads_to(&self, sentinel: &str, edition: &str) -> bool {
        let Some(told) = self.pairs.get(sentinel) else { return false };
        let Some(&(mut at, _)) = told.keys().next() else { return false };
        loop {
            let Some(((_, to), (_, news))) = told.range((at, 0)..(at + 1, 0)).next() else {
                return false;
            };
            if news == edition {
                return true;
            }
            at = *to;
        }
    }
}

fn sentinels(pages: &Pages) -> String {
    let mut text = String::new();
    for page in 0..PAGES {
        let url = pages.url(page);
        text +=
            &format!("create sentinel all{page} using {url} monitor everything notify by hook\n");
    }
    text += &format!(
        "create sentinel digest using {} monitor everything notify by hook every 1 second\n\
         create sentinel regular using {} monitor everything fetch every 1 second within 5 chronons notify by hook\n",
        pages.url(1),
        pages.url(2)
    );
    text
}

#[test]
fn killed_at_any_moment_it_tells_every_version_to_whom_it_concerns() {
    let number = |name: &str, usual: u64| {
        std::env::var(name).map_or(usual, |text| text.parse().expect("a number"))
    };
    let (rounds, seed) = (number("TIDINGS_KILL_ROUNDS", 20), number("TIDINGS_KILL_SEED", 1));
    println!("TIDINGS_KILL_ROUNDS={rounds} TIDINGS_KILL_SEED={seed}");
    let mut chance = Chance::new(seed);
    let mood = Arc::new(Mood::default());
    let (ill, moods) = (Arc::clone(&mood), Mutex::new(Chance::new(seed + 1)));
    let hook = Hook::answering(move |_: &Request| ill.answer(&moods));
    let pages = Pages::start();
    let home = Home::new(&format!("{SETTINGS}{QUICK}{}", hook.channel("hook")));
    home.apply(&sentinels(&pages));
    let mut told = Told::default();
    see_baselines(&home);
    let mut note = Note::default();
    for round in 0..rounds {
        kill_once(&home, (&mut chance, &mut note), &pages, |until| {
            while let Some(delivery) = hook.next_before(until) {
                told.take(&delivery);
            }
        });
        if round % 10 == 0 {
            intact(&home);
        }
    }
    mood.heal();
    let server = home.serve();
    (0..PAGES).for_each(|page| pages.change(page));
    drain(&hook, &pages, &mut told, &server);
    everything_stored_was_told(&server, &pages, &told);
    server.kill();
    intact(&home);
    println!("{} deliveries of {} notifications", told.count, told.by_key.len());
}

/// Every sentinel has its first version before anything is killed: baselines are not told.
fn see_baselines(home: &Home) {
    let server = home.serve();
    let events = server.events();
    for _ in 0..PAGES {
        events.wait_for("version", |version| version["version"] == 1);
    }
}

/// One life of a server, with changes at random moments, and its sudden end.
fn kill_once(
    home: &Home,
    (chance, note): (&mut Chance, &mut Note),
    pages: &Pages,
    mut live: impl FnMut(Instant),
) {
    if chance.below(4) == 0 {
        // While it starts.
        let mut command = home.command(&["serve"]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("it starts");
        live(within(chance.below(150)));
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        return;
    }
    let server = home.serve();
    note.is_kept(&server);
    let mut page = || chance.below(PAGES as u64) as usize;
    pages.change(page());
    let last = page();
    for _ in 0..chance.below(4) {
        live(within(chance.below(250)));
        pages.change(chance.below(PAGES as u64) as usize);
    }
    note.write(&server);
    if chance.below(2) == 0 {
        // While a new version is read, stored, compared, composed, sent.
        pages.change_and_be_fetched(last);
        live(within(chance.below(40)));
    } else {
        live(within(chance.below(200)));
    }
    server.kill();
}

/// A sentinel that is written anew in every life: what was answered is kept.
#[derive(Default)]
struct Note {
    weight: u32,
}

impl Note {
    fn write(&mut self, server: &Server) {
        let weight = self.weight + 1;
        let text = format!(
            "create sentinel note using https://note.invalid/ from 2099-01-01 weight {weight}"
        );
        let (status, answer) = server.ask(("PUT", "/sentinels/note"), &text);
        assert!(matches!(status, 200 | 201), "{status} {answer}");
        self.weight = weight;
    }

    fn is_kept(&self, server: &Server) {
        if self.weight > 1 {
            let text = server.get("/sentinels/note")["text"].to_string();
            assert!(text.contains(&format!("weight {}\\n", self.weight)), "{text}");
        }
    }
}

/// Waits until every sentinel was told of its page's last edition.
fn drain(hook: &Hook, pages: &Pages, told: &mut Told, server: &Server) {
    let watched = [("all0", 0), ("all1", 1), ("all2", 2), ("digest", 1), ("regular", 2)];
    let deadline = Instant::now() + PATIENCE;
    let missing = |told: &Told| {
        let reached = |&&(name, page): &&(&str, usize)| told.leads_to(name, &pages.edition(page));
        watched.iter().filter(|one| !reached(one)).count()
    };
    while missing(told) > 0 {
        let Some(delivery) = hook.next_before(deadline) else {
            panic!(
                "{} wait for the last edition\n{:#?}\n{}",
                missing(told),
                told.pairs,
                server.log()
            )
        };
        told.take(&delivery);
    }
}

fn everything_stored_was_told(server: &Server, pages: &Pages, told: &Told) {
    let mut pages_seen = 0;
    for source in server.items("/sources") {
        let url = source["url"].as_str().expect("a text");
        let Some(page) = (0..PAGES).find(|&page| pages.url(page) == url) else { continue };
        let path = format!("/sources/{}/versions", source["id"]);
        let versions = server.all_items(&path);
        let stored: BTreeSet<u64> =
            versions.iter().map(|version| version["number"].as_u64().expect("a number")).collect();
        let newest = *stored.last().expect("at least one");
        assert_eq!(stored, (1..=newest).collect(), "versions are numbered without a gap");
        let pairs: BTreeSet<(u64, u64)> = (1..newest).map(|from| (from, from + 1)).collect();
        let heard: BTreeSet<(u64, u64)> =
            told.pairs[&format!("all{page}")].keys().copied().collect();
        assert_eq!(heard, pairs, "every version of {url} is told, and no other");
        let body = server.page(&format!("/api/v1/sources/{}/versions/{newest}/body", source["id"]));
        let body = String::from_utf8_lossy(&body.body).into_owned();
        assert!(body.contains(&pages.edition(page)), "the last content is stored");
        pages_seen += 1;
    }
    assert_eq!(pages_seen, PAGES);
}

fn intact(home: &Home) {
    let database = rusqlite::Connection::open(home.data().join("tidings.db")).expect("it opens");
    let check = database.query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0));
    assert_eq!(check.expect("it answers"), "ok");
}
