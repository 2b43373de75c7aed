//! The sites, one row each; what their pages say is in the files below.

mod press;
mod service;
mod talk;
mod trade;

use super::world::{HTML, Moment, Validators};
use chronon::Span;

/// One site of the demo's web.
#[derive(Debug)]
pub struct Site {
    /// `news` of `news.localhost`.
    pub name: &'static str,
    pub title: &'static str,
    /// A few words for people.
    pub about: &'static str,
    /// Where the watched page is.
    pub path: &'static str,
    pub content_type: &'static str,
    pub validators: Validators,
    /// How long it thinks before it answers.
    pub delay: Span,
    /// Answers 503 now and then.
    pub fails: bool,
    /// `/` leads to `path` by a redirect, and that is what the sentinels name.
    pub redirects_home: bool,
    pub page: fn(&Moment<'_>) -> String,
}

impl Site {
    /// The path that sentinels name.
    pub fn asked_at(&self) -> &'static str {
        if self.redirects_home { "/" } else { self.path }
    }
}

/// What most sites are: one page that a program writes.
const PLAIN: Site = Site {
    name: "",
    title: "",
    about: "",
    path: "/",
    content_type: HTML,
    validators: Validators::None,
    delay: Span::ZERO,
    fails: false,
    redirects_home: false,
    page: |_| String::new(),
};

pub const SITES: &[Site] = &[
    Site {
        name: "news",
        title: "The Harbour Gazette",
        about: "a newspaper, with weather, visitor counter and advertisements",
        page: press::news,
        ..PLAIN
    },
    Site {
        name: "shop",
        title: "Kettle and Kin",
        about: "a shop for teapots, with prices",
        page: trade::shop,
        ..PLAIN
    },
    Site {
        name: "status",
        title: "Cloudberry Hosting: status",
        about: "a status page with a clock and latencies",
        page: service::status,
        ..PLAIN
    },
    Site {
        name: "releases",
        title: "Marmalade: release notes",
        about: "release notes of a text editor, behind a redirect",
        path: "/notes/",
        validators: Validators::Both,
        redirects_home: true,
        page: service::releases,
        ..PLAIN
    },
    Site {
        name: "trains",
        title: "Ellery Junction: departures",
        about: "a departure board that is too busy to answer now and then (503)",
        fails: true,
        page: service::trains,
        ..PLAIN
    },
    Site {
        name: "forum",
        title: "The Repair Bench",
        about: "a forum with counters, and session ids in every link",
        page: talk::forum,
        ..PLAIN
    },
    Site {
        name: "museum",
        title: "Museum of Small Inventions",
        about: "new acquisitions with pictures, on a slow server",
        delay: Span::from_millis(1_200),
        page: trade::museum,
        ..PLAIN
    },
    Site {
        name: "planning",
        title: "Port Ellery: planning notices",
        about: "an Atom feed of the town hall",
        path: "/notices.atom",
        content_type: "application/atom+xml",
        validators: Validators::LastModified,
        page: press::planning,
        ..PLAIN
    },
    Site {
        name: "baking",
        title: "Slow Bread",
        about: "the RSS feed of a baker",
        path: "/feed.xml",
        content_type: "application/rss+xml",
        validators: Validators::Etag,
        page: press::baking,
        ..PLAIN
    },
    Site {
        name: "terms",
        title: "Cloudberry Hosting: terms of service",
        about: "terms of service that change a clause now and then",
        path: "/terms",
        page: service::terms,
        ..PLAIN
    },
    Site {
        name: "canteen",
        title: "The Canteen on Rope Walk",
        about: "today's dishes, and how the weather is",
        page: trade::canteen,
        ..PLAIN
    },
];
