//! What a watched page takes in the memory of the server: 10^5 sources with a sentinel each, ten on
//! a host, after each was looked at once, and after a restart.
//!
//! What an empty server takes is not counted, and neither are two caches with a limit: SQLite's and
//! that of blobs, 32 MiB each. A first pass writes several times as much through both, so that they
//! are full. A restart leaves them all but empty: nothing is left out there.

use crate::{Figure, process};
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const SOURCES: usize = 100_000;
/// Sentinels of a file that is applied at once.
const FILE: usize = 10_000;
/// The caches of SQLite and of blobs: `cache_size` and `recent::BYTES_MAX` of `store-sqlite`.
const CACHES: f64 = (64 << 20) as f64;
/// So many of the texts below make a page of 4 KB, which with its extract fills the caches.
const PARAGRAPHS: usize = 40;
/// How long a first pass may take.
const PATIENCE: Duration = Duration::from_secs(1_800);
/// A server that used less than a fiftieth of a processor for so long has nothing to do. Memory
/// that is free goes back to the system within ten seconds.
const STILL: Duration = Duration::from_secs(20);

pub fn run() -> Result<Vec<Figure>> {
    let folder = tempfile::tempdir()?;
    let web = Web::start()?;
    std::fs::write(folder.path().join("tidings.toml"), SETTINGS)?;
    let mut server = Server::start(folder.path())?;
    let empty = server.resident_when_still()?;
    server.stop()?;
    apply_all(folder.path(), web.address.port())?;
    let mut server = Server::start(folder.path())?;
    web.wait_until_all_are_read()?;
    let first = server.resident_when_still()?;
    server.stop()?;
    let mut server = Server::start(folder.path())?;
    let again = server.resident_when_still()?;
    server.stop()?;
    let asked = web.asked.load(Ordering::Relaxed);
    if asked > SOURCES + SOURCES / 100 {
        bail!("{asked} looks at {SOURCES} pages are more than a first pass");
    }
    let figure = |what: &str, bytes: f64| Figure {
        name: format!("memory: of a source and its sentinel, {what}"),
        measured: bytes / SOURCES as f64,
        baseline_name: "the aim",
        baseline: 2_000.0,
        unit: "B",
    };
    Ok(vec![
        figure("after a first pass", first - empty - CACHES),
        figure("after a restart", again - empty),
        Figure {
            name: "memory: the whole server, after a first pass".to_owned(),
            measured: first / 1e6,
            baseline_name: "an empty server",
            baseline: empty / 1e6,
            unit: "MB",
        },
    ])
}

/// A budget that nobody can spend, and no second look for a day.
const SETTINGS: &str = "data_dir = \"data\"\nlisten = \"127.0.0.1:0\"\n\
    budget = \"100000 per second\"\nchronon_seconds = 0.1\nhost_interval_seconds = 0.001\n\
    host_in_flight = 64\ninterval_initial_seconds = 86400\ninterval_min_seconds = 86400\n\
    [fetch]\nallow_addresses = [\"127.0.0.0/8\"]\n";

fn program() -> Result<PathBuf> {
    let program = std::env::current_exe()?.with_file_name("tidings");
    if !program.exists() {
        bail!("{} is missing; `cargo xtask bench` builds it first", program.display());
    }
    Ok(program)
}

/// Each file while no server runs, as people do who begin.
fn apply_all(folder: &Path, port: u16) -> Result<()> {
    for first in (0..SOURCES).step_by(FILE) {
        let text = |n: usize| {
            let host = n / 10;
            format!(
                "create sentinel s{n} using http://h{host}.localhost:{port}/{n} \
                 monitor any change notify by terminal\n"
            )
        };
        let texts: String = (first..(first + FILE).min(SOURCES)).map(text).collect();
        std::fs::write(folder.join("all.tidings"), texts)?;
        let mut apply = Command::new(program()?);
        let applied = apply.args(["apply", "all.tidings"]).current_dir(folder).output()?;
        if !applied.status.success() {
            bail!("not applied: {}", String::from_utf8_lossy(&applied.stderr));
        }
    }
    Ok(())
}

/// `tidings serve`, killed where something goes wrong.
struct Server(Child);

impl Server {
    fn start(folder: &Path) -> Result<Server> {
        let mut serve = Command::new(program()?);
        serve.arg("serve").current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(Server(serve.spawn()?))
    }

    /// Bytes, once it has nothing to do.
    fn resident_when_still(&mut self) -> Result<f64> {
        let (pid, patience) = (self.0.id(), Instant::now());
        // The first seconds of a start count: it reads its store.
        let mut cpu = process::cpu_seconds(pid)?;
        loop {
            std::thread::sleep(STILL);
            let used = process::cpu_seconds(pid)? - cpu;
            cpu += used;
            if used < STILL.as_secs_f64() / 50.0 {
                return Ok(process::resident_bytes(pid)? as f64);
            }
            if patience.elapsed() > PATIENCE {
                bail!("the server is still busy after {PATIENCE:?}");
            }
        }
    }

    /// As an administrator stops it: all that it knows is in the store.
    fn stop(&mut self) -> Result<()> {
        let pid = self.0.id().to_string();
        if !Command::new("kill").args(["-TERM", &pid]).status()?.success() {
            bail!("the server has ended by itself");
        }
        let status = self.0.wait()?;
        anyhow::ensure!(status.success(), "the server ended with {status}");
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Nobody is told: it has ended already, or something else went wrong.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A web on one port: a thread per connection, and a page of its own for each address.
struct Web {
    address: SocketAddr,
    asked: Arc<AtomicUsize>,
}

impl Web {
    fn start() -> Result<Web> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let (address, asked) = (listener.local_addr()?, Arc::<AtomicUsize>::default());
        let count = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let count = Arc::clone(&count);
                std::thread::spawn(move || answer(stream, &count));
            }
        });
        Ok(Web { address, asked })
    }

    fn wait_until_all_are_read(&self) -> Result<()> {
        let began = Instant::now();
        while self.asked.load(Ordering::Relaxed) < SOURCES {
            if began.elapsed() > PATIENCE {
                let asked = self.asked.load(Ordering::Relaxed);
                bail!("{asked} of {SOURCES} pages were asked for in {PATIENCE:?}");
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(())
    }
}

/// Serves one connection until it closes, with the validators that most servers send.
fn answer(stream: TcpStream, count: &AtomicUsize) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut writer = stream.try_clone().ok()?;
    let mut reader = BufReader::new(stream);
    loop {
        let (mut page, mut line) = (String::new(), String::new());
        loop {
            line.clear();
            if reader.read_line(&mut line).ok()? == 0 {
                return None;
            }
            if let Some(path) = line.strip_prefix("GET /") {
                page = path.split(' ').next().context("a path").ok()?.to_owned();
            }
            if line == "\r\n" {
                break;
            }
        }
        count.fetch_add(usize::from(page.parse::<usize>().is_ok()), Ordering::Relaxed);
        let body = html(&page);
        let length = body.len();
        let answer = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\
             ETag: \"5f2-{page}\"\r\nLast-Modified: Tue, 03 Jun 2025 08:14:00 GMT\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        );
        writer.write_all(answer.as_bytes()).ok()?;
    }
}

fn html(page: &str) -> String {
    let paragraph = |n| {
        format!("<p>Paragraph {n} of page {page} tells of the harbour, and of its day {n}.</p>\n")
    };
    let paragraphs: String = (0..PARAGRAPHS).map(paragraph).collect();
    format!(
        "<!doctype html><html><head><title>Page {page}</title></head><body><h1>Page {page}</h1>{paragraphs}</body></html>"
    )
}
