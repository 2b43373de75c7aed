//! Random worlds: small, and dense in events; a few last for two weeks, and are sparse.
//!
//! A world is data made from a seed, so that a failing one can be made smaller piece by piece.
//! Until its `calm` everything may go wrong; after it nothing does, and all must come right.

mod chains;
mod condition;
mod content;
mod crowd;
mod place;
mod rules;
mod spec;
mod wall;

pub(crate) use content::Content;
pub(crate) use crowd::Crowd;
pub(crate) use rules::{RuleSpec, event_number, name_of, number_of};
pub(crate) use spec::{Anchor, Compare, Edge, Spec};
pub(crate) use wall::Wall;

use crate::clocks::Clock;
use crate::disk::{Disk, Medium};
use crate::pace::{Pace, Rng, Wakes};
use crate::people::{Answer, Mood};
use crate::shell::{Crash, Job, Point, Shell, Wish};
use crate::web::{Fault, Page, Reply, Trouble};
use chronon::{Instant, Span};
use place::Locale;
use spec::Scene;
use std::collections::BTreeMap;
use std::sync::Arc;

/// 2027-01-01T00:00Z, when most worlds begin.
pub(crate) const START: Instant = Instant::from_millis(1_798_761_600_000);
/// How long things go wrong, and how long after that everything is watched.
const TROUBLED: Span = Span::from_secs(25 * 60);
const CALM: Span = Span::from_secs(12 * 60);
/// From the calm on: holds, back-offs and retries of the troubled time have run out.
const GRACE: Span = Span::from_secs(6 * 60);

/// One world in this number lasts for two weeks: all that happens takes longer in proportion.
const LONG_EVERY: u64 = 50;
const LONG: i64 = 500;

/// One world in this number has its store on SQLite, whose disk takes most of its time.
const SQLITE_EVERY: u64 = 20;

/// One world in this number has a clock that may be wrong when the machine starts.
const WRONG_CLOCKS_EVERY: u64 = 6;

/// One world in this number has more looks to make at one moment than it may.
const CROWD_EVERY: u64 = 40;

/// One world in this number has selectors.
const POINTS_EVERY: u64 = 3;

/// Who wants no more at some time; all other recipients are faithful.
pub(crate) const QUITTER: &str = "https://quitter.example/";

/// Everything that happens, but for what the server does.
#[derive(Debug, Clone)]
pub(crate) struct World {
    pub(crate) seed: u64,
    pub(crate) config: kernel::Config,
    pub(crate) shown: Vec<(Box<str>, Instant, Reply)>,
    pub(crate) faults: Vec<Fault>,
    pub(crate) moods: Vec<Mood>,
    pub(crate) wishes: Vec<(Instant, Wish)>,
    pub(crate) crashes: Vec<Crash>,
    pub(crate) is_instant: bool,
    pub(crate) medium: Medium,
    pub(crate) start: Instant,
    pub(crate) place: Locale,
    pub(crate) crowd: Option<Crowd>,
    /// Sentinels point at parts of pages, which have prices.
    points: bool,
    /// The machine wakes up so late at most.
    pub(crate) wakes_late: Span,
    /// How many times as long everything lasts as in a short world.
    tempo: i64,
    pub(crate) calm: Instant,
    pub(crate) end: Instant,
    /// What a text asks for.
    pub(crate) specs: BTreeMap<Box<str>, Spec>,
    /// What the text of a rule asks for.
    pub(crate) rules: BTreeMap<Box<str>, RuleSpec>,
    /// What a body holds.
    pub(crate) contents: BTreeMap<Arc<[u8]>, Content>,
}

impl World {
    pub(crate) fn new(seed: u64) -> World {
        let mut config = config(&mut Rng::stream(seed, "config"));
        let tempo = if seed % LONG_EVERY == 29 { LONG } else { 1 };
        if tempo > 1 {
            lengthen(&mut config, &mut Rng::stream(seed, "weeks"));
        }
        let is_crowd = seed % CROWD_EVERY == 11;
        let (start, place) = if is_crowd {
            (START, Locale::nowhere())
        } else {
            Locale::random(&mut Rng::stream(seed, "place"), tempo > 1)
        };
        config.zone = place.wall.zone();
        let mut world = World {
            seed,
            config,
            shown: Vec::new(),
            faults: Vec::new(),
            moods: Vec::new(),
            wishes: Vec::new(),
            crashes: Vec::new(),
            is_instant: seed % 4 == 3,
            medium: if seed % SQLITE_EVERY == 7 { Medium::Sqlite } else { Medium::Memory },
            wakes_late: Span::from_millis(
                *Rng::stream(seed, "wakes late").pick(&[0, 0, 4, 30, 800]),
            ),
            tempo,
            start,
            place,
            crowd: None,
            points: Rng::stream(seed, "points").one_in(POINTS_EVERY),
            calm: start + TROUBLED.times(tempo),
            end: start + (TROUBLED + CALM).times(tempo),
            specs: BTreeMap::new(),
            rules: BTreeMap::new(),
            contents: BTreeMap::new(),
        };
        if is_crowd {
            world.fill_crowd(&mut Rng::stream(seed, "crowd"));
            return world;
        }
        let urls = world.fill_web(&mut Rng::stream(seed, "web"));
        world.fill_faults(&mut Rng::stream(seed, "faults"), &urls);
        world.fill_people(&mut Rng::stream(seed, "people"));
        if tempo > 1 {
            world.fill_absent(&mut Rng::stream(seed, "absent"));
        }
        let sentinels = world.fill_wishes(&mut Rng::stream(seed, "wishes"), &urls);
        world.fill_retellings(&mut Rng::stream(seed, "retold"));
        world.fill_chains(&mut Rng::stream(seed, "chains"), (sentinels, &urls));
        world.fill_crashes(&mut Rng::stream(seed, "crashes"));
        world.fill_clocks(&mut Rng::stream(seed, "clocks"));
        world.fill_rules(&mut Rng::stream(seed, "rules"), sentinels);
        world
    }

    /// When holds, back-offs and retries of the troubled time have run out, and until when an
    /// interval must begin to be over at the end.
    pub(crate) fn watched(&self) -> (Instant, Instant) {
        (self.calm + GRACE.times(self.tempo), self.end - Span::MINUTE.times(self.tempo))
    }

    /// A machine in this world, switched on.
    ///
    /// # Errors
    /// Its disk cannot be made.
    pub(crate) fn shell(&self) -> Result<Shell, String> {
        let pace = if self.is_instant {
            Pace::Instant
        } else {
            Pace::random(Rng::stream(self.seed, "pace"), self.calm)
        };
        let disk = Disk::new(self.medium)?;
        let mut shell = Shell::with_disk(self.config.clone(), pace, self.start, disk);
        // The oracle knows no habits of outages: stories and the kernel's tests do.
        shell.tells_outages = false;
        shell.wakes = Wakes::late(Rng::stream(self.seed, "wakes"), self.wakes_late);
        for (url, at, reply) in &self.shown {
            shell.web.show(url, *at, reply.clone());
        }
        self.faults.iter().for_each(|fault| shell.web.fail(fault.clone()));
        shell.people.moods.clone_from(&self.moods);
        for (at, wish) in &self.wishes {
            shell.wish(*at, wish.clone());
        }
        self.crashes.iter().for_each(|crash| shell.crash_at(crash.clone()));
        Ok(shell)
    }

    /// Sources with their histories; returns the URLs a sentinel may watch.
    fn fill_web(&mut self, rng: &mut Rng) -> Vec<Box<str>> {
        let hosts = 1 + rng.below(3);
        let mut urls = Vec::new();
        let mut prices = self.points.then(|| Rng::stream(self.seed, "prices"));
        for number in 0..2 + rng.below(4) {
            let url: Box<str> = format!("https://h{}.example/{number}", rng.below(hosts)).into();
            let mut content = Content::random(rng);
            let mut at = self.start;
            let (mut history, pause) = (Vec::new(), 10 + rng.below(100));
            while at < self.calm {
                self.show(&url, at, (&content, rng.below(3)));
                history.push(content.clone());
                at += rng.span(Span::SECOND, Span::from_secs(2 * pause as i64)).times(self.tempo);
                if rng.one_in(5) && at < self.calm {
                    at = self.show_oddly(rng, &url, (at, &content));
                }
                content = match rng.below(8) {
                    0 => rng.pick(&history).clone(),
                    1 => content,
                    2 => Content::random(rng),
                    3 => content.as_text(),
                    _ => content.mutated(rng),
                };
                if let Some(prices) = &mut prices {
                    content = content.priced(prices);
                }
            }
            // Whatever it showed last, it ends with something to compare.
            while content.is_blank() {
                content = Content::random(rng);
            }
            self.show(&url, self.calm, (&content, rng.below(3)));
            urls.push(url);
        }
        if rng.one_in(3) {
            let (url, to) = ("https://h9.example/away".into(), rng.pick(&urls).clone());
            let (from, reply) = (self.start, Reply::Redirect { to, status: 302 });
            self.shown.push((url, from, reply));
            urls.push("https://h9.example/away".into());
        }
        self.fill_redirects(&mut Rng::stream(self.seed, "redirects"), &mut urls);
        urls
    }

    /// Another kind, or nothing at all: once, or for a while. Says until when.
    fn show_oddly(
        &mut self,
        rng: &mut Rng,
        url: &str,
        (at, content): (Instant, &Content),
    ) -> Instant {
        let odd = if rng.one_in(2) { Content::blank() } else { content.as_text() };
        self.show(url, at, (&odd, rng.below(3)));
        let lasts = *rng.pick(&[5, 20, 90, 200]);
        let lasts = rng.span(Span::SECOND, Span::from_secs(lasts)).times(self.tempo);
        let end = (at + lasts).min(self.calm);
        if rng.one_in(2) {
            self.show(url, end, (content, rng.below(3)));
        }
        end
    }

    /// Some lead to one page over other hosts, at one moment to another page.
    fn fill_redirects(&mut self, rng: &mut Rng, urls: &mut Vec<Box<str>>) {
        let pages = urls.clone();
        let goal = rng.pick(&pages).clone();
        for number in 0..rng.below(4) {
            let url: Box<str> = format!("https://r{number}.example/").into();
            let way = rng.one_in(2).then(|| format!("https://way.example/{number}").into());
            let first = way.as_ref().unwrap_or(&goal).clone();
            self.lead(&url, self.start, first);
            if let Some(way) = way {
                self.lead(&way, self.start, goal.clone());
            }
            if rng.one_in(3) {
                let (at, other) = (self.moment(rng), rng.pick(&pages).clone());
                self.lead(&url, at, other);
            }
            urls.push(url);
        }
    }

    fn lead(&mut self, url: &str, at: Instant, to: Box<str>) {
        self.shown.push((url.into(), at, Reply::Redirect { to, status: 302 }));
    }

    fn show(&mut self, url: &str, at: Instant, (content, noise): (&Content, u64)) {
        let body: Arc<[u8]> = content.body(noise).into_bytes().into();
        self.contents.insert(Arc::clone(&body), content.clone());
        let tag = store::blob(body.to_vec()).0.to_string();
        let page = Page {
            status: 200,
            media_type: content.media_type().into(),
            etag: (noise != 2).then(|| format!("\"{}\"", &tag[..16]).into()),
            last_modified: (noise == 2).then_some(at),
            retry_after: None,
            body,
        };
        self.shown.push((url.into(), at, Reply::Page(page)));
    }

    fn moment(&self, rng: &mut Rng) -> Instant {
        let whole = rng.span(Span::ZERO, self.calm - self.start);
        // Half of them at whole seconds, where the scheduler acts too.
        if rng.one_in(2) {
            self.start + Span::from_secs(whole.as_millis() / 1_000)
        } else {
            self.start + whole
        }
    }

    fn fill_faults(&mut self, rng: &mut Rng, urls: &[Box<str>]) {
        for _ in 0..rng.below(12) {
            let from = self.moment(rng);
            let lasts = rng.span(Span::SECOND, Span::from_secs(150)).times(self.tempo);
            let to = (from + lasts).min(self.calm);
            let url = (!rng.one_in(4)).then(|| rng.pick(urls).clone());
            let what = match rng.below(8) {
                0 => Trouble::Timeout,
                1 => Trouble::Reset,
                2 => Trouble::Truncate,
                3 => Trouble::Slow(rng.span(Span::ZERO, Span::from_secs(40))),
                4 => Trouble::Status { status: 404, retry_after: None },
                5 => Trouble::Status { status: 500, retry_after: None },
                6 => Trouble::Status { status: 503, retry_after: None },
                _ => {
                    let pause = rng.span(Span::ZERO, Span::from_secs(90));
                    let retry_after = Some(pause.times(self.tempo));
                    Trouble::Status { status: 429, retry_after }
                }
            };
            self.faults.push(Fault { from, to, url, what });
        }
    }

    fn fill_people(&mut self, rng: &mut Rng) {
        for _ in 0..rng.below(10) {
            let from = self.moment(rng);
            let lasts = rng.span(Span::SECOND, Span::from_secs(200)).times(self.tempo);
            let to = (from + lasts).min(self.calm);
            let who = rng.pick(spec::RECIPIENTS).1.map(Box::from);
            let answer = match rng.below(4) {
                0 => Answer::Timeout,
                1 => Answer::Refuses,
                2 => Answer::Takes { after: rng.span(Span::ZERO, Span::from_secs(9)) },
                _ => {
                    let after = rng.span(Span::ZERO, Span::from_secs(60)).times(self.tempo);
                    Answer::Status { status: 503, retry_after: rng.one_in(2).then_some(after) }
                }
            };
            self.moods.push(Mood { who, from, to, answer });
        }
        if rng.one_in(4) {
            let (from, who) = (self.moment(rng), Some(QUITTER.into()));
            let answer = Answer::Status { status: 410, retry_after: None };
            self.moods.push(Mood { who, from, to: self.calm, answer });
        }
    }

    /// A recipient takes nothing for so long that the server gives up.
    fn fill_absent(&mut self, rng: &mut Rng) {
        let from = self.start + rng.span(Span::DAY, Span::DAY.times(3));
        let to = from + rng.span(Span::HOUR.times(40), Span::HOUR.times(90));
        let who = rng.pick(spec::RECIPIENTS).1.map(Box::from);
        let answer = match rng.below(3) {
            0 => Answer::Timeout,
            1 => Answer::Refuses,
            _ => Answer::Status { status: 503, retry_after: Some(Span::HOUR.times(24)) },
        };
        self.moods.push(Mood { who, from, to, answer });
    }

    /// How many names sentinels have.
    fn fill_wishes(&mut self, rng: &mut Rng, urls: &[Box<str>]) -> u64 {
        let names = 3 + rng.below(8);
        for number in 0..names {
            let early = Span::from_secs(20);
            let at = if rng.one_in(3) {
                self.moment(rng)
            } else {
                self.start + rng.span(Span::ZERO, early)
            };
            self.apply(rng, (at, number), urls);
        }
        for _ in 0..rng.below(12) {
            let (at, number) = (self.moment(rng), rng.below(names));
            let name: Box<str> = spec::name(number).into();
            let wish = match rng.below(6) {
                0 => Wish::Remove { name },
                1 => Wish::Enable { name, enabled: false },
                2 | 3 => Wish::Enable { name, enabled: true },
                4 => Wish::Probe { url: rng.pick(urls).clone() },
                _ => {
                    self.apply(rng, (at, number), urls);
                    continue;
                }
            };
            self.wishes.push((at, wish));
        }
        if rng.one_in(2) {
            self.fill_replacements(rng, names);
        }
        names
    }

    /// Other texts for the same source, again and again, and pages that answer slowly: so that some
    /// come while a page answers.
    fn fill_replacements(&mut self, rng: &mut Rng, names: u64) {
        let mut urls: BTreeMap<Box<str>, Box<str>> = BTreeMap::new();
        for (_, wish) in &self.wishes {
            if let Wish::Apply { name, text } = wish {
                urls.entry(name.clone()).or_insert_with(|| self.specs[text].url.clone());
            }
        }
        for _ in 0..2 + rng.below(10) {
            let (at, number) = (self.moment(rng), rng.below(names));
            let url = urls[spec::name(number).as_str()].clone();
            self.apply(rng, (at, number), &[url]);
        }
        let (from, to) = (self.start + Span::from_secs(30), self.calm);
        let what = Trouble::Slow(rng.span(Span::SECOND, Span::from_secs(15)));
        self.faults.push(Fault { from, to, url: None, what });
    }

    /// Texts that change in place alone.
    fn fill_retellings(&mut self, rng: &mut Rng) {
        if self.wishes.is_empty() || !rng.one_in(3) {
            return;
        }
        for _ in 0..1 + rng.below(5) {
            let (from, wish) = rng.pick(&self.wishes).clone();
            let Wish::Apply { name, text } = wish else { continue };
            let spec = self.specs[&text].retold(rng, self.tempo);
            let at = from + rng.span(Span::ZERO, self.calm - from);
            let text: Box<str> = spec.text().into();
            self.specs.insert(text.clone(), spec);
            self.wishes.push((at, Wish::Apply { name, text }));
        }
    }

    fn apply(&mut self, rng: &mut Rng, (at, number): (Instant, u64), urls: &[Box<str>]) {
        let scene = Scene { at, tempo: self.tempo, place: self.place };
        let mut spec = Spec::random(rng, number, urls, scene);
        if self.points {
            let mut points = Rng::stream(self.seed, &format!("points {}", self.wishes.len()));
            spec.condition = spec.condition.pointed(&mut points);
        }
        let (name, text): (Box<str>, Box<str>) = (spec.name.clone(), spec.text().into());
        self.specs.insert(text.clone(), spec);
        self.wishes.push((at, Wish::Apply { name, text }));
    }

    fn fill_crashes(&mut self, rng: &mut Rng) {
        for _ in 0..rng.below(7) {
            let at = self.moment(rng);
            let jobs = [Job::Append, Job::Probe, Job::Compare, Job::Compose, Job::Deliver];
            let job = *rng.pick(&jobs);
            let point = match rng.below(3) {
                0 => Point::Now,
                1 => Point::Before(job),
                _ => Point::During(job),
            };
            let until = at + rng.span(Span::ZERO, Span::from_secs(90)).times(self.tempo);
            self.crashes.push(Crash { at, point, until, clock: Clock::Right });
        }
    }
}

impl World {
    /// In some worlds the machine has no battery: it starts in the past, until it hears the time.
    fn fill_clocks(&mut self, rng: &mut Rng) {
        if !rng.one_in(WRONG_CLOCKS_EVERY) {
            return;
        }
        for crash in &mut self.crashes {
            if rng.one_in(3) {
                continue;
            }
            let by = match rng.below(3) {
                0 => rng.span(Span::MINUTE.times(2), Span::HOUR),
                1 => rng.span(Span::HOUR, Span::DAY.times(60)),
                _ => rng.span(Span::DAY.times(365), Span::DAY.times(2_500)),
            };
            let set_after = rng.span(Span::SECOND, Span::from_secs(100));
            crash.clock = Clock::Behind { by, set_after };
        }
    }
}

/// Small limits, so that they bite.
fn config(rng: &mut Rng) -> kernel::Config {
    let mut config = kernel::Config::new(2);
    let schedule = &mut config.schedule;
    schedule.budget = *rng.pick(&[0.5, 1.0, 2.5, 10.0]);
    schedule.host_interval = Span::from_secs(rng.below(4) as i64);
    schedule.host_in_flight = 1 + rng.below(2) as u32;
    schedule.in_flight_max = 1 + rng.below(8) as u32;
    schedule.interval_initial = Span::from_secs(90);
    schedule.interval_min = Span::from_secs(15);
    schedule.interval_max = Span::from_secs(150);
    schedule.restart_spread = Span::from_secs(30);
    config.comparisons_max = 1 + rng.below(3) as u32;
    config.rounds_waiting_max = 2 + rng.below(7) as usize;
    config.revalidate_after = Span::from_secs(60 + rng.below(2_000) as i64);
    config.redirect_trusted = Span::from_secs(30 + rng.below(300) as i64);
    config.failing_after = Span::from_secs(100);
    config.host_hold_first = Span::from_secs(10);
    config.host_hold_max = Span::from_secs(100);
    let outbox = &mut config.outbox;
    outbox.in_flight_max = 1 + rng.below(6) as u32;
    outbox.in_flight_per_channel_max = 1 + rng.below(3) as u32;
    outbox.rows_loaded_per_channel = 2 + rng.below(20) as u32;
    outbox.outbox_rows_max = 2 + rng.below(30) as u32;
    outbox.retry_max = Span::from_secs(60);
    config
}

/// Everything less often, and a store that keeps little.
fn lengthen(config: &mut kernel::Config, rng: &mut Rng) {
    let schedule = &mut config.schedule;
    let spans = [
        &mut schedule.interval_initial,
        &mut schedule.interval_min,
        &mut schedule.interval_max,
        &mut config.revalidate_after,
        &mut config.redirect_trusted,
        &mut config.failing_after,
        &mut config.host_hold_first,
        &mut config.host_hold_max,
    ];
    spans.into_iter().for_each(|span| *span = span.times(LONG));
    config.outbox.retry_max = Span::HOUR;
    config.retention = Span::HOUR.times(*rng.pick(&[1, 12, 48, 96]));
    config.retention_versions = *rng.pick(&[1, 2, 5, 1_000]);
}
