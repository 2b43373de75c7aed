//! The demo's web as a function: seed, time and request give the answer, the same every time.

use super::chance::Chance;
use super::sites::{self, Site};
use super::{markup, timeline};
use chronon::{Instant, Span};

/// A small web of our own, alive since `started`.
#[derive(Debug, Clone)]
pub struct DemoWeb {
    pub seed: u64,
    /// The port of the server that all sites share.
    pub port: u16,
    pub started: Instant,
}

/// A site at a moment, as its page is written from.
#[derive(Debug, Clone)]
pub struct Moment<'w> {
    pub world: &'w DemoWeb,
    pub site: &'static Site,
    /// Real changes so far.
    pub changes: u64,
    /// When the last of them was; before the first, some days before the start.
    pub changed_at: Instant,
    pub elapsed: Span,
}

/// What a server sends to know a page again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Validators {
    /// Most pages that a program writes.
    None,
    Etag,
    LastModified,
    Both,
}

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    pub status: u16,
    pub content_type: &'static str,
    pub body: String,
    pub etag: Option<String>,
    pub last_modified: Option<Instant>,
    /// Where to go instead.
    pub location: Option<String>,
    pub retry_after: Option<Span>,
    /// How long the server thinks.
    pub delay: Span,
}

pub const HTML: &str = "text/html; charset=utf-8";

impl DemoWeb {
    /// The answer to `GET path` of a host such as `news.localhost` after `elapsed`.
    pub fn answer(&self, host: &str, path: &str, elapsed: Span) -> Reply {
        let name = host.split(['.', ':']).next().unwrap_or_default();
        let path = path.split(['?', '#']).next().unwrap_or_default();
        if path.ends_with(".svg") {
            return Reply::content("image/svg+xml", markup::picture(path));
        }
        let Some(site) = sites::SITES.iter().find(|site| site.name == name) else {
            return Reply::content(HTML, markup::directory(self));
        };
        let (changes, last) = timeline::changes(self.seed, site.name, elapsed);
        let changed_at = match last {
            Some(at) => self.started + at,
            None => self.started - Span::DAY.times(3),
        };
        let moment = Moment { world: self, site, changes, changed_at, elapsed };
        if site.redirects_home && path == "/" {
            let location = Some(site.path.to_owned());
            return Reply { status: 302, location, ..Reply::content(HTML, String::new()) };
        }
        if path == "/" || path == site.path {
            return moment.front();
        }
        Reply::content(HTML, markup::leaf_page(&moment, path))
    }

    /// The address people and sentinels use for a site.
    pub fn url(&self, site: &Site) -> String {
        format!("http://{}.localhost:{}{}", site.name, self.port, site.asked_at())
    }
}

impl Moment<'_> {
    /// The page that sentinels watch.
    fn front(&self) -> Reply {
        let phase = self.elapsed.as_millis() % EVERY.as_millis();
        if self.site.fails && (BUSY_FROM.as_millis()..BUSY_UPTO.as_millis()).contains(&phase) {
            let body = "<h1>503</h1><p>Too many travellers at once. Please try again soon.</p>";
            let retry_after = Some(Span::from_secs(3));
            let reply = Reply::content(HTML, body.to_owned());
            return Reply { status: 503, retry_after, ..reply };
        }
        let (etag, last_modified) = match self.site.validators {
            Validators::None => (None, None),
            Validators::Etag => (Some(self.etag()), None),
            Validators::LastModified => (None, Some(self.changed_at)),
            Validators::Both => (Some(self.etag()), Some(self.changed_at)),
        };
        let reply = Reply::content(self.site.content_type, (self.site.page)(self));
        Reply { etag, last_modified, delay: self.site.delay, ..reply }
    }

    fn etag(&self) -> String {
        format!("\"{}-{}\"", self.site.name, self.changes)
    }

    pub fn now(&self) -> Instant {
        self.world.started + self.elapsed
    }

    /// `12:03:07`
    pub fn clock(&self) -> String {
        self.now().to_string()[11..19].to_owned()
    }

    /// `2027-01-31`
    pub fn date(&self) -> String {
        self.now().to_string()[..10].to_owned()
    }

    /// What stays until the next real change, and after it.
    pub fn fate(&self, name: &str, number: u64) -> Chance {
        Chance::of(self.world.seed, self.site.name, &[0, number]).and(name)
    }

    /// What differs at every look.
    pub fn noise(&self, name: &str) -> Chance {
        let millis = self.elapsed.as_millis().unsigned_abs();
        Chance::of(self.world.seed, self.site.name, &[1, millis]).and(name)
    }

    /// Which of `count` prepared things comes at `index`: each once, then all again in another
    /// order.
    pub fn dealt(&self, index: u64, count: usize) -> usize {
        let mut order: Vec<usize> = (0..count).collect();
        let (pass, place) = (index / count as u64, (index % count as u64) as usize);
        self.fate("deal", pass).shuffle(&mut order);
        order[place]
    }

    /// A visitor counter: grows all the time.
    pub fn visitors(&self, per_minute: u64) -> u64 {
        let before = Chance::of(self.world.seed, self.site.name, &[2]).below(40_000);
        before + 10_000 + self.elapsed.as_millis().unsigned_abs() * per_minute / 60_000
    }
}

/// A failing site is busy for some seconds, again and again.
const EVERY: Span = Span::from_secs(50);
const BUSY_FROM: Span = Span::from_secs(40);
const BUSY_UPTO: Span = Span::from_secs(44);

impl Reply {
    fn content(content_type: &'static str, body: String) -> Reply {
        Reply {
            status: 200,
            content_type,
            body,
            etag: None,
            last_modified: None,
            location: None,
            retry_after: None,
            delay: Span::ZERO,
        }
    }
}
