//! The JSON API and the dashboard.
//!
//! Comes in: HTTP requests of people and programs, announcements of the engine. Goes out: JSON,
//! pages, server-sent events, and [`Request`]s to the engine, the thread that owns the kernel. The
//! binary calls [`router`] and serves it. Promises: the kernel is reached only through [`Desk`];
//! everything a watched page says is escaped; a request is checked (its Host, its Origin, who
//! sends it) before anything is done for it; every list and every body has a limit.
//!
//! Start reading at [`router`], then [`desk`] (the seam) and `guard` (who may do what).

mod api;
mod body;
mod checkers;
mod conditional;
mod config;
mod connection;
mod cookie;
mod dashboard;
pub mod desk;
mod diff;
mod doubts;
mod drawing;
mod extract;
mod glances;
mod guard;
mod idempotency;
mod keeper;
pub mod lists;
mod live;
mod look;
mod looker;
mod narrow;
mod noise;
mod places;
mod plan;
mod precondition;
mod problem;
mod proposals;
mod public;
mod rehearsal;
mod roster;
mod rules;
mod strangers;
mod trouble;
mod values;
mod visit;
mod why;
mod wire;
mod words;

pub use config::{Limits, Setting, WebConfig};
pub use connection::serve;
pub use desk::{Closed, Desk, Halt, Request, Unanswered};
pub use keeper::{Entropy, Keeper};
pub use live::Live;
pub use looker::{Content, Looker, Looking, Seen, Unseen};
pub use places::{PlaceCounts, PlaceLimits};
pub use public::PublicUrl;
pub use rehearsal::{Rehearsal, Stored, Told};
pub use roster::{Change, ChannelWish, NamedChannel, Refused, Roster};

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use idempotency::Memory;
use live::Seats;
use std::sync::Arc;
use strangers::Strangers;
use tokio::sync::{Mutex, Semaphore};
use tower_http::compression::CompressionLayer;

/// What every handler may use.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) desk: Desk,
    pub(crate) config: Arc<WebConfig>,
    pub(crate) keeper: Arc<Keeper>,
    pub(crate) memory: Arc<Memory>,
    pub(crate) strangers: Arc<Strangers>,
    pub(crate) openapi: Arc<str>,
    pub(crate) seats: Seats,
    pub(crate) plans: Arc<plan::Plans>,
    pub(crate) bodies: body::BodyBudget,
    /// What looks for people have seen a moment ago.
    pub(crate) glances: Arc<glances::Glances>,
    /// Which pages hardly show what somebody wants to watch.
    pub(crate) doubts: Arc<doubts::Doubts>,
    /// The watches of those who look at their lists.
    pub(crate) lists: Arc<lists::Lists>,
    /// Seats of those who read series of values.
    pub(crate) series: Arc<Semaphore>,
    /// Held by a write that asks for a state.
    pub(crate) writing: Arc<Mutex<()>>,
    /// Seats of those who read feeds.
    pub(crate) feeds: Arc<Semaphore>,
}

impl App {
    pub(crate) fn now(&self) -> chronon::Instant {
        (self.config.now)()
    }

    pub(crate) fn wall(&self) -> words::Wall {
        words::Wall { now: self.now(), zone: self.config.zone.clone() }
    }
}

/// All routes of the API and the dashboard.
///
/// Give it to [`serve`], or to a server that adds `ConnectInfo<std::net::SocketAddr>`.
pub fn router(desk: Desk, keeper: Arc<Keeper>, config: WebConfig) -> Router {
    let base = config.base().to_owned();
    let (api, openapi) = api::routes(&config.version, &base);
    let app = App {
        desk,
        keeper,
        memory: Arc::new(Memory::new(config.limits.idempotency_keys_max)),
        openapi: openapi.into(),
        strangers: Arc::new(Strangers::new(Arc::clone(&config.counts))),
        plans: Arc::new(plan::Plans::default()),
        bodies: body::BodyBudget::default(),
        glances: Arc::default(),
        doubts: Arc::default(),
        lists: Arc::default(),
        series: Arc::new(Semaphore::new(values::READERS)),
        writing: Arc::default(),
        feeds: Arc::new(Semaphore::new(dashboard::FEED_READERS)),
        seats: Seats::new(config.limits.event_streams_max),
        config: Arc::new(config),
    };
    let routes = Router::new()
        .merge(api)
        .merge(dashboard::routes())
        .fallback(dashboard::lost)
        .method_not_allowed_fallback(problem::no_such_method)
        .with_state(app.clone());
    let behind = precondition::Behind { app: app.clone(), router: routes };
    let router = Router::new()
        .fallback(precondition::conditions)
        .with_state(behind)
        .layer(from_fn_with_state(app.clone(), idempotency::remember))
        .layer(from_fn_with_state(app.clone(), body::bodies))
        .layer(from_fn_with_state(app, guard::guard))
        .layer(from_fn(guard::headers))
        .layer(CompressionLayer::new());
    match base.as_str() {
        "" => router,
        // Some proxies take the public address' path away, others leave it.
        base => Router::new().nest_service(base, router.clone()).fallback_service(router),
    }
}

/// A new link that opens the dashboard logged in, once, within ten minutes; `None` if the machine
/// gives no random bytes.
pub fn link(keeper: &Keeper, config: &WebConfig) -> Option<String> {
    let key = keeper.new_link((config.now)()).ok()?;
    Some(config.link(&key))
}

#[cfg(test)]
mod tests;
