//! `tidings serve`: the server, until it is told to stop.

use crate::cli::{Common, Serve};
use crate::commands::Exit;
use crate::datadir::{self, DataDir};
use crate::demo;
use crate::descriptors;
use crate::doubt::Trust;
use crate::engine::Ended;
use crate::launch::{self, Running};
use crate::past::Past;
use crate::settings::Settings;
use crate::upgrade;
use anyhow::{Context, Result, anyhow, bail};
use std::io::IsTerminal;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use store_sqlite::SqliteStore;
use tokio::net::TcpListener;

/// Runs until SIGTERM, Ctrl-C, or until the engine ends by itself.
pub async fn run(serve: &Serve, common: &Common) -> Result<()> {
    if serve.demo {
        return demo::run(serve, common).await;
    }
    let settings = settings(serve, common)?;
    for doubt in settings.doubts() {
        tracing::warn!("{doubt}");
    }
    let path = settings.data_folder();
    let Some(dir) = DataDir::own(&path)? else {
        bail!("another process owns {}; stop it, or choose another --data-dir", path.display());
    };
    let store = open(&dir)?;
    let trust = if serve.trust_clock { Trust::Person } else { launch::trust_of(&settings) };
    // Before the engine starts: what it sends is not taken back if nobody can listen.
    let listener = bind(&settings).await?;
    upgrade::tell(&store, &settings)?;
    let (print, links) = (launch::print(common), Some(dir.link_key()?));
    let signals = Signals::heed()?;
    let running = launch::start(&settings, Box::new(store), trust, print, links.clone())?;
    let address = listener.local_addr()?;
    let token = dir.token()?;
    let keys = Keys { token: &token, links };
    let site = site(&running, address, &settings, keys)?;
    dir.put_up_doorplate(address, &token)?;
    tracing::info!(%address, data_dir = %path.display(), "Tidings serves");
    if common.json {
        println!("{}", serde_json::json!({"dashboard": site.home(), "link": site.link()}));
    } else {
        println!("Tidings: dashboard on {}\n{}", site.home(), site.way_in());
    }
    let result = until_stopped(running, listener, site, signals).await;
    dir.take_down_doorplate();
    result
}

pub fn settings(serve: &Serve, common: &Common) -> Result<Settings> {
    let mut flags = Vec::new();
    if let Some(listen) = &serve.listen {
        flags.push(("listen", listen.clone()));
    }
    crate::commands::settings(common, &flags)
}

/// The store of an owned data directory.
pub fn open(dir: &DataDir) -> Result<SqliteStore> {
    let instance = datadir::random_bytes()?;
    let path = dir.database()?;
    let open = if dir.is_borrowed() { SqliteStore::open_copy } else { SqliteStore::open };
    open(&path, instance).with_context(|| format!("cannot open {}", path.display()))
}

pub async fn bind(settings: &Settings) -> Result<TcpListener> {
    let address = settings.listen;
    TcpListener::bind(address).await.with_context(|| {
        format!("cannot listen on {address}; choose another with --listen or `listen`")
    })
}

/// API and dashboard, ready to be served.
pub struct Site {
    keeper: Arc<web::Keeper>,
    config: web::WebConfig,
    ready: Arc<AtomicBool>,
    places: web::PlaceLimits,
    counts: Arc<web::PlaceCounts>,
}

/// What a data directory keeps for the API.
pub struct Keys<'a> {
    pub token: &'a str,
    pub links: Option<notice::LinkKey>,
}

/// What the API of an engine says whoever asks it, a browser or the command that runs it.
pub fn web_config(running: &Running, address: SocketAddr, settings: &Settings) -> web::WebConfig {
    let version = env!("CARGO_PKG_VERSION");
    let mut config = web::WebConfig::new(address, version, launch::now_of(&running.clock));
    config.zone = crate::commands::zone_of(Some(settings));
    config.public_url = settings.public_url.clone();
    config.looker = running.looker.clone();
    config.roster = Some(Arc::clone(&running.roster) as Arc<dyn web::Roster>);
    config
}

/// The API and dashboard of an engine that listens on `address`.
pub fn site(
    running: &Running,
    address: SocketAddr,
    settings: &Settings,
    keys: Keys<'_>,
) -> Result<Site> {
    let files_max = descriptors::raise();
    let ready = Arc::new(AtomicBool::new(true));
    let mut config = web_config(running, address, settings);
    config.allowed_hosts = settings.allowed_hosts.clone();
    config.settings = settings.listed();
    config.trusted_proxies = settings.trusted_proxies.clone();
    config.links = keys.links;
    config.rehearsal = Some(Arc::new(Past {
        config: launch::kernel_config(settings)?,
        book: Arc::clone(&running.roster.book),
        clock: Arc::clone(&running.clock),
        zone: config.zone.clone(),
    }));
    let pulse = Arc::clone(&running.pulse);
    config.metrics = Arc::new(move || pulse.render());
    let flag = Arc::clone(&ready);
    let notice = Arc::clone(&running.notice);
    config.ready = Arc::new(move || match (notice.get(), flag.load(Ordering::Relaxed)) {
        (Some(why), _) => Err(why),
        (None, false) => Err("it is stopping".to_owned()),
        (None, true) => Ok(()),
    });
    let mut places = web::PlaceLimits::of(descriptors::connections_max(files_max, settings));
    places.trusted_proxies.clone_from(&config.trusted_proxies);
    let counts = running.pulse.places();
    config.counts = Arc::clone(&counts);
    Ok(Site { keeper: launch::keeper(running, keys.token)?, config, ready, places, counts })
}

impl Site {
    pub fn home(&self) -> String {
        self.config.home()
    }

    /// A link that logs in: for who sits here, not for a log.
    fn link(&self) -> Option<String> {
        let link = std::io::stdout().is_terminal().then(|| web::link(&self.keeper, &self.config));
        link.flatten()
    }

    /// How a person comes in.
    pub fn way_in(&self) -> String {
        match self.link() {
            Some(link) => format!(
                "Open it already logged in (the link works once, for ten minutes):\n  {link}\n\
                 `tidings open` prints another."
            ),
            None => "`tidings open` prints a link that opens it logged in; in a container: \
                     `docker exec CONTAINER tidings open`."
                .to_owned(),
        }
    }
}

/// Serves API and dashboard until a signal comes or the engine ends, then stops cleanly.
pub async fn until_stopped(
    running: Running,
    listener: TcpListener,
    site: Site,
    mut signals: Signals,
) -> Result<()> {
    let Site { keeper, config, ready, places, counts } = site;
    let app = web::router(running.desk.clone(), keeper, config);
    let server = tokio::spawn(web::serve(listener, app, places, counts));
    tokio::select! {
        signal = signals.next() => tracing::info!(signal = signal?, "stopping"),
        () = running.ended() => {}
    }
    ready.store(false, Ordering::Relaxed);
    // Open event streams would hold a graceful end for ever: people's browsers connect again.
    server.abort();
    stopped(running.stop().await)
}

/// How an engine ended, for a person: an error unless it was asked to.
pub fn stopped(ended: Ended) -> Result<()> {
    match ended {
        Ended::Stopped => Ok(()),
        Ended::StoreFailed(why) => Err(anyhow!(
            "nothing more can be stored: {why}. Start again after that; nothing that was confirmed \
             is lost"
        )),
        Ended::ClockWentBack => Err(anyhow!(
            "the machine's clock went back by more than a minute; start again to follow it"
        )),
    }
}

/// Ctrl-C, SIGTERM and the terminal's end (SIGHUP), heeded from here on: one that comes before the
/// server is up ends it as cleanly.
pub struct Signals {
    #[cfg(unix)]
    all: [(&'static str, tokio::signal::unix::Signal); 3],
}

impl Signals {
    pub fn heed() -> Result<Signals> {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            let interrupt = ("interrupt", signal(SignalKind::interrupt())?);
            let terminate = ("terminate", signal(SignalKind::terminate())?);
            let hangup = ("hangup", signal(SignalKind::hangup())?);
            Ok(Signals { all: [interrupt, terminate, hangup] })
        }
        #[cfg(not(unix))]
        Ok(Signals {})
    }

    /// Waits for one of them; says which.
    async fn next(&mut self) -> Result<&'static str> {
        #[cfg(unix)]
        {
            let [one, two, three] = &mut self.all;
            Ok(tokio::select! {
                _ = one.1.recv() => one.0,
                _ = two.1.recv() => two.0,
                _ = three.1.recv() => three.0,
            })
        }
        #[cfg(not(unix))]
        {
            tokio::signal::ctrl_c().await?;
            Ok("interrupt")
        }
    }
}

/// Ends the process at the first signal, once `cleaned` is done.
pub async fn end_with_a_signal(cleaned: fn()) {
    // Where signals cannot be heeded, they end it as ever.
    let Ok(mut signals) = Signals::heed() else { return };
    if signals.next().await.is_ok() {
        cleaned();
        std::process::exit(Exit::Failed as i32);
    }
}

#[cfg(test)]
mod tests {
    use super::{Ended, stopped};

    #[test]
    fn what_to_do_about_a_full_disk_is_said_once() {
        let full = store::StoreError::Full("ENOSPC".to_owned()).to_string();
        let said = stopped(Ended::StoreFailed(full)).expect_err("it failed").to_string();
        let expected = "nothing more can be stored: the disk is full (ENOSPC); free some space. \
                        Start again after that; nothing that was confirmed is lost";
        assert_eq!(said, expected);
    }
}
