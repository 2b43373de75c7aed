//! Wiring: settings and a store become a running engine with everything around it.

use crate::book::Book;
use crate::channels::{self, Channels, Configured, Print};
use crate::cli::Common;
use crate::clock::Clock;
use crate::doubt::{Doubt, Notice, Trust};
use crate::engine::{Completion, Ended, Engine, Hands, Idle, Inlets, WAITING_MAX, Waiting};
use crate::looker::{Looker, Seats};
use crate::metrics::{Pulse, Rooms};
use crate::newest::Newest;
use crate::pdf::Pdf;
use crate::readers::Readers;
use crate::roster::Roster;
use crate::settings::Settings;
use crate::sights::Sights;
use crate::worker::Worker;
use anyhow::{Context, Result};
use chronon::{Instant, Span};
use deliver::{Colour, Deliverer};
use kernel::Kernel;
use notice::LinkKey;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;
use store::{Reader, Store};
use tokio::sync::{Semaphore, mpsc, watch};

/// Computations at a time for each core: one may wait for the disk while another computes. More
/// only take turns, each with memory and a connection of its own.
const DESKS_PER_CORE: usize = 2;

/// A running engine.
pub struct Running {
    pub desk: web::Desk,
    pub access: Arc<dyn store::Access>,
    pub clock: Arc<Clock>,
    pub pulse: Arc<Pulse>,
    /// Why nothing happens, while nothing does.
    pub notice: Arc<Notice>,
    /// Looks at pages that nobody watches.
    pub looker: Option<Arc<dyn web::Looker>>,
    /// Every named channel.
    pub roster: Arc<Roster>,
    stop: watch::Sender<bool>,
    thread: JoinHandle<Ended>,
    ended: watch::Receiver<bool>,
}

/// Starts a server's engine: every effect is acted on.
pub fn start(
    settings: &Settings,
    store: Box<dyn Store>,
    trust: Trust,
    print: Print,
    links: Option<LinkKey>,
) -> Result<Running> {
    let fetcher = fetcher(settings)?;
    let eye = fetcher.clone();
    let pdf = Pdf::of(settings);
    let glances = pdf.clone();
    let book = book(settings, &*store)?;
    let channels = sender(settings, &book, print, links)?;
    let body_bytes_max = settings.fetch_body_bytes_max as usize;
    let limits = page::Limits { body_bytes_max, ..page::Limits::default() };
    let memory = crate::memory::Plan::of(settings);
    let (bodies, readers) = (memory.bodies(), Readers::new(cores(), memory.reading()));
    let cut = Arc::new(AtomicU64::new(0));
    let rooms = (bodies.clone(), readers.clone(), Arc::clone(&cut));
    let looks = limits.clone();
    let sights = Sights::default();
    let seen = sights.clone();
    let mut running = run(settings, store, book, trust, move |site| {
        let worker = Arc::new(Worker {
            fetcher,
            pdf,
            channels,
            reader: site.reader,
            live: site.live,
            clock: site.clock,
            completions: site.completions,
            runtime: tokio::runtime::Handle::current(),
            limits,
            readers,
            desks: Arc::new(Semaphore::new(DESKS_PER_CORE * cores())),
            memory: bodies,
            pages_cut: cut,
            newest: Newest::default(),
            sights: seen,
        });
        Box::new(worker)
    })?;
    running.looker = Some(Arc::new(Looker {
        desk: running.desk.clone(),
        fetcher: eye,
        pdf: glances,
        memory: rooms.0.clone(),
        readers: rooms.1.clone(),
        limits: looks,
        clock: Arc::clone(&running.clock),
        redirects_max: settings.fetch_redirects_max,
        seats: Seats::default(),
        sights,
    }));
    running.pulse.watch(move || Rooms {
        bodies: rooms.0.usage(),
        waiting_readers: rooms.1.waiting(),
        pages_cut: rooms.2.load(Ordering::Relaxed),
    });
    Ok(running)
}

/// The machine's clock is believed as far as the settings say.
pub fn trust_of(settings: &Settings) -> Trust {
    Trust::Store {
        patience: settings.clock_patience_seconds,
        ask_system: settings.clock_from_system,
    }
}

/// Starts an engine for one command while no server runs: it remembers and answers, and leaves
/// every probe and delivery to the next server. A person may look at a page all the same.
pub fn start_idle(settings: &Settings, store: Box<dyn Store>) -> Result<Running> {
    let book = book(settings, &*store)?;
    let mut running = run(settings, store, book, trust_of(settings), |_| Box::new(Idle))?;
    let memory = crate::memory::Plan::of(settings);
    let body_bytes_max = settings.fetch_body_bytes_max as usize;
    running.looker = Some(Arc::new(Looker {
        desk: running.desk.clone(),
        fetcher: fetcher(settings)?,
        pdf: Pdf::of(settings),
        memory: memory.bodies(),
        readers: Readers::new(cores(), memory.reading()),
        limits: page::Limits { body_bytes_max, ..page::Limits::default() },
        clock: Arc::clone(&running.clock),
        redirects_max: settings.fetch_redirects_max,
        seats: Seats::default(),
        // No probe is made here.
        sights: Sights::default(),
    }));
    Ok(running)
}

/// What a starter of effects is built from.
struct Site {
    reader: Arc<dyn store::Reader>,
    live: Arc<web::Live>,
    clock: Arc<Clock>,
    completions: mpsc::Sender<Completion>,
}

/// Loads the kernel from the store and starts the loop on a thread of its own.
fn run(
    settings: &Settings,
    store: Box<dyn Store>,
    book: Arc<Book>,
    trust: Trust,
    starter: impl FnOnce(Site) -> Box<dyn Hands + Send>,
) -> Result<Running> {
    let clock = Arc::new(Clock::start());
    let (reader, access) = (store.reader(), store.access());
    let snapshot = reader.snapshot().context("the store cannot be read")?;
    let mut config = kernel_config(settings)?;
    config.know_channels(book.known());
    let notice = Arc::new(Notice::default());
    let doubt = Doubt::of(&snapshot.meta, clock.wall(), trust, &notice);
    if let Some(doubt) = &doubt {
        clock.freeze(doubt.newest());
    }
    let kernel = load(config.clone(), snapshot, &*reader, clock.now());
    let (again, newer) = (Arc::clone(&reader), Arc::clone(&book));
    let waiting = doubt.map(|doubt| Waiting {
        doubt,
        notice: Arc::clone(&notice),
        reload: Box::new(move |now| {
            let mut config = config;
            config.know_channels(newer.known());
            Ok(load(config, again.snapshot()?, &*again, now))
        }),
    });
    let (requests, requests_in) = mpsc::channel(WAITING_MAX);
    let (completions, completions_in) = mpsc::channel(WAITING_MAX);
    let (stop, stopped) = watch::channel(false);
    let live = Arc::new(web::Live::new(clock.now()));
    let start = starter(Site {
        reader: Arc::clone(&reader),
        live: Arc::clone(&live),
        clock: Arc::clone(&clock),
        completions: completions.clone(),
    });
    let patience = settings.store_patience_seconds.as_millis().unsigned_abs();
    let engine = Engine::new(kernel, store, Arc::clone(&clock), start)
        .with_patience(Duration::from_millis(patience))
        .with_waiting(waiting);
    let inlets = Inlets {
        completions: completions_in,
        requests: requests_in,
        stop: stopped,
        _open: completions,
    };
    let (pulse, halt) = (engine.pulse(), engine.halt());
    let (ending, ended) = watch::channel(false);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let thread = std::thread::Builder::new().name("engine".into()).spawn(move || {
        let ended = runtime.block_on(engine.run(inlets));
        // Those who wait for the end may have gone already.
        let _ = ending.send(true);
        ended
    })?;
    let desk = web::Desk::new(requests, reader, live, now_of(&clock)).with_halt(halt);
    let roster =
        Roster { book, desk: desk.clone(), clock: Arc::clone(&clock), turn: Arc::default() };
    let roster = Arc::new(roster);
    if let Ok(runtime) = tokio::runtime::Handle::try_current() {
        roster.follow_book(runtime);
    }
    Ok(Running { desk, access, clock, pulse, notice, looker: None, roster, stop, thread, ended })
}

/// The kernel as the store has it, with what is strange about that in the log.
fn load(
    config: kernel::Config,
    snapshot: kernel::Snapshot,
    reader: &dyn Reader,
    now: Instant,
) -> Kernel {
    // For people alone: the server starts without it.
    let failures = store::failures(&snapshot, reader).unwrap_or_else(|error| {
        tracing::warn!(%error, "how channels failed before this start cannot be read");
        Vec::new()
    });
    let mut kernel = Kernel::load(config, snapshot, now);
    for (channel, reason) in failures {
        kernel.recall_failure(channel, reason);
    }
    for warning in kernel.take_warnings() {
        tracing::warn!("{warning}");
    }
    kernel
}

impl Running {
    /// Waits until the engine ends by itself.
    pub async fn ended(&self) {
        let mut ended = self.ended.clone();
        // An error means the thread is gone: it has ended.
        let _ = ended.wait_for(|ended| *ended).await;
    }

    /// Stops the engine after the batch at hand and says why it ended.
    pub async fn stop(self) -> Ended {
        // If nobody listens the loop has ended by itself.
        let _ = self.stop.send(true);
        let thread = self.thread;
        let joined = tokio::task::spawn_blocking(move || thread.join()).await;
        match joined {
            Ok(Ok(ended)) => ended,
            _ => Ended::StoreFailed("the engine stopped unexpectedly; the log says more".into()),
        }
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// The kernel's limits and defaults, as configured.
///
/// # Errors
/// Settings that do not go together, or are too large.
pub fn kernel_config(settings: &Settings) -> Result<kernel::Config> {
    let mut config = kernel::Config::new(cores() as u32);
    config.zone = settings.timezone.clone();
    config.reach = settings.reach();
    config.know_channels(Configured::of(settings).known());
    config.default_channel = settings.default_channel.to_lowercase();
    config.redirects_max = settings.fetch_redirects_max;
    config.probe_time_max = settings.fetch_total_seconds;
    config.retention = Span::DAY.times(settings.retention_days);
    config.retention_versions = settings.retention_versions;
    config.outbox.outbox_rows_max = settings.outbox_rows_max;
    config.outbox.in_flight_max = settings.deliver_in_flight;
    config.outbox.in_flight_per_channel_max = settings.deliver_in_flight_per_channel;
    config.outbox.retry_first = settings.deliver_retry_first_seconds;
    config.outbox.retry_max = settings.deliver_retry_max_seconds;
    let schedule = &mut config.schedule;
    schedule.chronon = settings.chronon_seconds;
    schedule.budget = settings.probes_per_chronon();
    schedule.host_interval = settings.host_interval_seconds;
    schedule.host_in_flight = settings.host_in_flight;
    schedule.in_flight_max = settings.probes_in_flight;
    schedule.interval_initial = settings.interval_initial_seconds;
    schedule.interval_min = settings.interval_min_seconds;
    schedule.interval_max = settings.interval_max_seconds;
    schedule.yield_min = settings.yield_min;
    schedule.capture_worth = settings.capture_worth_seconds;
    schedule.check().context("the scheduler's settings are not valid")?;
    Ok(config)
}

/// The HTTP client of the configuration.
pub fn fetcher(settings: &Settings) -> Result<fetch::Fetcher> {
    let mut config = fetch::Config {
        allow_addresses: settings.fetch_allow_addresses.clone(),
        body_bytes_max: settings.fetch_body_bytes_max,
        connect_max: settings.fetch_connect_seconds,
        between_reads_max: settings.fetch_pause_seconds,
        total_max: settings.fetch_total_seconds,
        ..fetch::Config::default()
    };
    if !settings.fetch_user_agent.is_empty() {
        config.user_agent = settings.fetch_user_agent.to_owned();
    }
    fetch::Fetcher::new(config).context("the HTTP client cannot be set up")
}

/// The named channels of a store and of the settings.
fn book(settings: &Settings, store: &dyn Store) -> Result<Arc<Book>> {
    let book = Book::open(settings, store.access());
    Ok(Arc::new(book.context("the channels in the store cannot be read")?))
}

fn sender(
    settings: &Settings,
    book: &Arc<Book>,
    print: Print,
    links: Option<LinkKey>,
) -> Result<Channels> {
    let config = channels::deliver_config(settings, links);
    let deliverer =
        Deliverer::new(config, fetch::client_tls(&[])?).context("the senders cannot be set up")?;
    Channels::new(settings, Arc::clone(book), deliverer, print)
}

/// How standard output gets a notification: as JSON if that was asked for, else as text; with
/// colours if it is a terminal, and nobody said NO_COLOR.
pub fn print(common: &Common) -> Print {
    use std::io::IsTerminal;
    if common.json {
        return Print::Json;
    }
    let wanted = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    Print::Text(if wanted { Colour::Always } else { Colour::Never })
}

/// Who may come in, for the API.
pub fn keeper(running: &Running, token: &str) -> Result<Arc<web::Keeper>> {
    let entropy = Arc::new(|| crate::datadir::random_bytes().ok());
    let keeper = web::Keeper::open(Arc::clone(&running.access), token, entropy);
    Ok(Arc::new(keeper.context("the tokens and sessions in the store cannot be read")?))
}

/// The engine's time, for the API.
pub fn now_of(clock: &Arc<Clock>) -> Arc<dyn Fn() -> Instant + Send + Sync> {
    let clock = Arc::clone(clock);
    Arc::new(move || clock.now())
}
