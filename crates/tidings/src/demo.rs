//! `serve --demo`: the real server on a small living web of our own, so that a newcomer sees alerts
//! within seconds and without the Internet. Nothing of it stays.
//!
//! Start reading at [`run`]. `world` is the web as a function of seed, time and request;
//! `timeline` says when something real changes, `sites` what the pages say, `server` puts it on a
//! loopback port, `demo.tidings` holds the sentinels.

mod chance;
mod markup;
mod server;
mod sites;
mod timeline;
mod world;

#[cfg(test)]
mod tests;

use crate::cli::{Common, Serve};
use crate::clock::Clock;
use crate::datadir::DataDir;
use crate::doubt::Trust;
use crate::launch::{self, Running};
use crate::runtime::DemoSign;
use crate::serve::{self, Site};
use crate::settings::Settings;
use anyhow::{Context, Result, bail};
use kernel::Proposal;
use kernel::io::{Answer, ApplyMode};
use tokio::net::TcpListener;
use world::DemoWeb;

/// The sentinels; their addresses have [`WRITTEN_PORT`].
const SENTINELS: &str = include_str!("demo/demo.tidings");
const WRITTEN_PORT: &str = ".localhost:7781/";
/// The same demo every time; one in which every sentinel hears of something in ten minutes.
const SEED: u64 = 26;

/// Short times everywhere: a demo of hours would be none. Only its own address may be probed
/// beyond the public ones.
const SETTINGS: [(&str, &str); 6] = [
    ("host_interval_seconds", "1"),
    ("interval_initial_seconds", "2"),
    ("interval_min_seconds", "1"),
    ("interval_max_seconds", "4"),
    ("default_channel", "terminal"),
    ("fetch.allow_addresses", "127.0.0.1/32"),
];

/// Runs until SIGTERM or Ctrl-C, then removes what it stored.
pub async fn run(serve: &Serve, common: &Common) -> Result<()> {
    if common.data_dir.is_some() {
        bail!("the demo keeps nothing: leave out --data-dir, or leave out --demo");
    }
    let temporary = tempfile::Builder::new().prefix("tidings-demo-").tempdir();
    let temporary = temporary.context("there is no room for the demo's temporary files")?;
    let path = temporary.path().join("data");
    let mut flags: Vec<(&str, String)> = SETTINGS.map(|(key, text)| (key, text.into())).to_vec();
    flags.push(("data_dir", path.display().to_string()));
    flags.extend(serve.listen.iter().map(|listen| ("listen", listen.clone())));
    let settings = Settings::load(None, std::iter::empty(), &flags)?;
    let listener = bind(serve, &settings).await?;
    let address = listener.local_addr()?;
    let dir = DataDir::own(&path)?.context("the demo's directory has an owner already")?;
    let token = dir.token()?;
    let signals = serve::Signals::heed()?;
    let running = launch::start(
        &settings,
        Box::new(serve::open(&dir)?),
        Trust::Person,
        launch::print(common),
        None,
    )?;
    dir.put_up_doorplate(address, &token)?;
    let world = server::start(SEED, Clock::start().now()).await?;
    let keys = serve::Keys { token: &token, links: Some(dir.link_key()?) };
    let site = serve::site(&running, address, &settings, keys)?;
    let _sign = DemoSign::put_up(site.home(), path.clone());
    greet(&world, &site, &path.display().to_string());
    apply(&running, &world).await?;
    let result = serve::until_stopped(running, listener, site, signals).await;
    drop(dir);
    println!("The demo is over; what it stored is removed.");
    result
}

/// The configured port, or a free one unless somebody chose it.
async fn bind(serve: &Serve, settings: &Settings) -> Result<TcpListener> {
    match serve::bind(settings).await {
        Ok(listener) => Ok(listener),
        Err(error) if serve.listen.is_some() => Err(error),
        Err(_) => TcpListener::bind(("127.0.0.1", 0)).await.context("no loopback port is free"),
    }
}

async fn apply(running: &Running, world: &DemoWeb) -> Result<()> {
    let text = sentinels(world.port);
    match running.desk.apply(Proposal::of_system(&text, ApplyMode::Create)).await? {
        Answer::Applied(_) => Ok(()),
        Answer::Refused(found) => {
            let shown = sentinel::render(&text, "demo.tidings", &found, sentinel::Colour::Plain);
            bail!("the demo's sentinels are refused\n{shown}")
        }
        other => bail!("the demo's sentinels are refused: {other:?}"),
    }
}

/// The sentinels, for a web on this port.
fn sentinels(port: u16) -> String {
    SENTINELS.replace(WRITTEN_PORT, &format!(".localhost:{port}/"))
}

fn greet(world: &DemoWeb, site: &Site, data_dir: &str) {
    let (port, sites) = (world.port, sites::SITES.len());
    let (home, way_in) = (site.home(), site.way_in());
    let count = SENTINELS.matches("create sentinel").count();
    let tidings = std::env::args().next().unwrap_or_else(|| "tidings".into());
    println!(
        "Tidings demo: {sites} small websites on this machine, and {count} sentinels that watch them.

  Dashboard  {home}
  Websites   http://localhost:{port}/

{way_in}

Now and then something real changes, and a sentinel tells you below. Clocks, counters,
advertisements and tokens change all the time; nobody is told of those.

To try next: write a sentinel of your own on the dashboard, or in another terminal
  {tidings} watch http://trains.localhost:{port}/ --allow-private --every \"2 seconds\" \\
    --monitor 'phrase \"cancelled\"'
  {tidings} watch https://example.org/
  {tidings} list --data-dir {data_dir}

Ctrl-C ends the demo and removes what it stored.
"
    );
}
