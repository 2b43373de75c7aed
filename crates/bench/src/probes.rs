//! The whole server on loopback: looks per second and processor time per look, beside the HTTP
//! client alone asking the same web, and one parse by the HTML parser. The pages of 46 KB answer
//! 304, or have the same bytes, or the same text in other bytes, or another text. A part of those
//! with the same bytes is watched, too. Every source has a host name of its own: politeness gives a
//! host one look per chronon at most.

use crate::{Figure, pages, process};
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

const SOURCES: usize = 2_000;
/// Stories on a page: 46 KB.
const STORIES: usize = 123;
/// How long each run is measured.
const WINDOW: Duration = Duration::from_secs(8);
/// Looks at each page before the window opens: the first reads it, the second learns that it stands
/// still, and the fourth shows that the third is over.
const LOOKS_BEFORE: u32 = 4;
/// How long that may take.
const PATIENCE: Duration = Duration::from_secs(300);
/// What is watched of each page.
pub const WHOLE: &str = "everything";
const PART: &str = "text of css \"h2\"";
/// Requests of the baseline in flight, as many as the server's probes.
const IN_FLIGHT: usize = 256;

pub fn run() -> Result<Vec<Figure>> {
    let parse = pages::parse_micros(&page(0, 0))?;
    let mut not_modified = 0.0;
    let mut figures = Vec::new();
    for (ways, monitor) in [
        (Ways::NotModified, WHOLE),
        (Ways::SameBytes, WHOLE),
        (Ways::SameBytes, PART),
        (Ways::Noise, WHOLE),
        (Ways::Changed, WHOLE),
    ] {
        let web = Web::start(ways)?;
        let (server, client) = (serve(&web, monitor)?, client_alone(&web)?);
        let of_part = if monitor == PART { ", one part watched" } else { "" };
        let name = format!("{}{of_part}", ways.name());
        let figure = |what: &str, measured, baseline, unit| Figure {
            name: format!("look, {name}: {what}"),
            measured,
            baseline_name: "the HTTP client alone, same web",
            baseline,
            unit,
        };
        figures.push(figure("looks per second", server.rate, client.rate, "/s"));
        figures.push(figure("processor time each", server.cpu, client.cpu, "µs"));
        figures.push(figure("resident memory", server.memory, client.memory, "MB"));
        if ways == Ways::NotModified {
            not_modified = server.cpu;
        } else {
            figures.push(Figure {
                name: format!("look, {name}: processor time beyond a 304"),
                measured: (server.cpu - not_modified).max(0.0),
                baseline_name: "parsing the HTML alone",
                baseline: parse,
                unit: "µs",
            });
        }
    }
    Ok(figures)
}

/// What one run came to: requests per second, µs of processor time each, MB of memory.
pub struct Run {
    pub rate: f64,
    pub cpu: f64,
    pub memory: f64,
}

/// `tidings serve` with a budget nobody can spend, watching this of every page of the web.
pub fn serve(web: &Web, monitor: &str) -> Result<Run> {
    let folder = tempfile::tempdir()?;
    let program = std::env::current_exe()?.with_file_name("tidings");
    if !program.exists() {
        bail!("{} is missing; `cargo xtask bench` builds it first", program.display());
    }
    write_files(folder.path(), web, monitor)?;
    let mut apply = Command::new(&program);
    apply.args(["apply", "all.tidings"]).current_dir(folder.path()).stdout(Stdio::null());
    if !apply.status()?.success() {
        bail!("the sentinels were not applied");
    }
    let mut child = Command::new(&program)
        .arg("serve")
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let run = measure(child.id(), web);
    stop(&mut child);
    run
}

fn write_files(folder: &Path, web: &Web, monitor: &str) -> Result<()> {
    let settings = "data_dir = \"data\"\nlisten = \"127.0.0.1:0\"\nbudget = \"100000 per second\"\n\
        chronon_seconds = 0.1\nhost_interval_seconds = 0.001\nhost_in_flight = 64\n\
        interval_initial_seconds = 0.1\ninterval_min_seconds = 0.1\ninterval_max_seconds = 0.1\n\
        [fetch]\nallow_addresses = [\"127.0.0.0/8\"]\n";
    std::fs::write(folder.join("tidings.toml"), settings)?;
    let mut text = String::new();
    for n in 0..SOURCES {
        let port = web.addresses[n % web.addresses.len()].port();
        text += &format!(
            "create sentinel s{n} using http://h{n}.localhost:{port}/{n} \
             monitor {monitor} notify by terminal\n"
        );
    }
    Ok(std::fs::write(folder.join("all.tidings"), text)?)
}

/// The HTTP client the server uses, asking for the same pages with the same validators.
fn client_alone(web: &Web) -> Result<Run> {
    let runtime = tokio::runtime::Runtime::new()?;
    let client = reqwest::Client::builder()
        .no_proxy()
        .tls_backend_preconfigured(fetch::client_tls(&[])?)
        .build()?;
    let addresses = Arc::new(web.addresses.clone());
    for worker in 0..IN_FLIGHT {
        let (client, addresses) = (client.clone(), Arc::clone(&addresses));
        runtime.spawn(async move {
            for n in (worker..).step_by(7) {
                let address = addresses[n % addresses.len()];
                let request = client.get(format!("http://{address}/{}", n % SOURCES));
                let sent = request.header("if-none-match", "\"1\"").send().await;
                if let Ok(answer) = sent {
                    // What is measured is that it arrives, not what it says.
                    let _ = answer.bytes().await;
                }
            }
        });
    }
    let run = measure(std::process::id(), web);
    runtime.shutdown_background();
    run
}

/// Waits until every page is known, then counts for a while.
fn measure(pid: u32, web: &Web) -> Result<Run> {
    let patience = Instant::now();
    while !web.asked_at_least(SOURCES, LOOKS_BEFORE) {
        if patience.elapsed() > PATIENCE {
            bail!("after {PATIENCE:?} a page was asked for less than {LOOKS_BEFORE} times");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let others = web.cpu(pid)?;
    let (began, served, cpu) = (Instant::now(), web.served(), process::cpu_seconds(pid)?);
    std::thread::sleep(WINDOW);
    let requests = (web.served() - served) as f64;
    let used = process::cpu_seconds(pid)? - cpu - (web.cpu(pid)? - others);
    let seconds = began.elapsed().as_secs_f64();
    let memory = process::resident_bytes(pid)? as f64 / 1e6;
    web.asked.iter().for_each(|asked| asked.store(0, Ordering::Relaxed));
    Ok(Run { rate: requests / seconds, cpu: used / requests * 1e6, memory })
}

fn stop(child: &mut Child) {
    // Killed, not asked: nothing of it is needed any more.
    let _ = child.kill();
    let _ = child.wait();
}

/// How the pages of a web behave.
#[derive(Clone, Copy, PartialEq)]
pub enum Ways {
    /// An ETag that holds.
    NotModified,
    /// No validators, and the same bytes each time.
    SameBytes,
    /// A comment that differs at every request.
    Noise,
    /// A paragraph that differs at every request.
    Changed,
}

impl Ways {
    fn name(self) -> &'static str {
        match self {
            Ways::NotModified => "304",
            Ways::SameBytes => "same bytes",
            Ways::Noise => "same text",
            Ways::Changed => "changed and told",
        }
    }
}

/// Stories, and a comment and a paragraph that say a number each.
fn page(comment: u64, paragraph: u64) -> String {
    let stories = pages::story_list(0..STORIES);
    let (head, rest) = stories.split_once("<body>").expect("a page has a body");
    format!("{head}<body><!-- {comment} --><p>Paragraph {paragraph} is new</p>{rest}")
}

/// A web of a few ports: a thread per connection, as little work per request as can be.
pub struct Web {
    addresses: Vec<SocketAddr>,
    served: Arc<AtomicU64>,
    /// How often each page was asked for.
    asked: Arc<[AtomicU32]>,
}

impl Web {
    pub fn start(ways: Ways) -> Result<Web> {
        let served = Arc::new(AtomicU64::new(0));
        let asked: Arc<[AtomicU32]> = (0..SOURCES).map(|_| AtomicU32::new(0)).collect();
        let mut addresses = Vec::new();
        for _ in 0..16 {
            let listener = TcpListener::bind("127.0.0.1:0")?;
            addresses.push(listener.local_addr()?);
            let counts = (Arc::clone(&served), Arc::clone(&asked));
            std::thread::spawn(move || {
                for stream in listener.incoming().flatten() {
                    let (served, asked) = counts.clone();
                    let count = move |page: usize| {
                        if let Some(asked) = asked.get(page) {
                            asked.fetch_add(1, Ordering::Relaxed);
                        }
                        served.fetch_add(1, Ordering::Relaxed)
                    };
                    std::thread::spawn(move || answer(stream, ways, count));
                }
            });
        }
        Ok(Web { addresses, served, asked })
    }

    /// The address of a page.
    pub fn page(&self, n: usize) -> String {
        format!("http://{}/{n}", self.addresses[n % self.addresses.len()])
    }

    /// Requests so far.
    pub fn served(&self) -> u64 {
        self.served.load(Ordering::Relaxed)
    }

    /// Each of the first pages was asked for so often since the last run.
    pub fn asked_at_least(&self, pages: usize, times: u32) -> bool {
        self.asked[..pages].iter().all(|asked| asked.load(Ordering::Relaxed) >= times)
    }

    /// Processor time of the web's own threads, if they live in the measured process.
    fn cpu(&self, measured: u32) -> Result<f64> {
        if measured != std::process::id() {
            return Ok(0.0);
        }
        // The web's threads are the ones named after this program's main thread; the client's
        // workers have names of their own.
        let mut seconds = 0.0;
        for task in std::fs::read_dir("/proc/self/task")? {
            let path = task?.path();
            let name = std::fs::read_to_string(path.join("comm")).unwrap_or_default();
            if !name.starts_with("tokio") {
                seconds += thread_seconds(&path).unwrap_or(0.0);
            }
        }
        Ok(seconds)
    }
}

fn thread_seconds(task: &Path) -> Result<f64> {
    let stat = std::fs::read_to_string(task.join("stat"))?;
    let rest = stat.rsplit(')').next().context("a stat line")?;
    let field = |n: usize| rest.split_whitespace().nth(n).and_then(|text| text.parse::<f64>().ok());
    Ok(field(11).zip(field(12)).map_or(0.0, |(user, system)| (user + system) / 100.0))
}

/// Serves one connection until it closes; `count` takes the page's number and says which request of
/// all this is.
fn answer(stream: TcpStream, ways: Ways, count: impl Fn(usize) -> u64) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut writer = stream.try_clone().ok()?;
    let mut reader = BufReader::new(stream);
    let standing = page(0, 0);
    loop {
        let (mut conditional, mut page, mut line) = (false, None, String::new());
        loop {
            line.clear();
            if reader.read_line(&mut line).ok()? == 0 {
                return None;
            }
            page = page.or_else(|| line.strip_prefix("GET /")?.split(' ').next()?.parse().ok());
            conditional |= line.to_ascii_lowercase().starts_with("if-none-match");
            if line == "\r\n" {
                break;
            }
        }
        let count = count(page.unwrap_or(SOURCES));
        let answer = match ways {
            Ways::NotModified if conditional => {
                "HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n".to_owned()
            }
            Ways::NotModified => ok("ETag: \"1\"\r\n", &standing),
            Ways::SameBytes => ok("", &standing),
            Ways::Noise => ok("", &standing.replacen("<!-- 0", &format!("<!-- {count}"), 1)),
            Ways::Changed => ok("", &standing.replacen("ph 0 is", &format!("ph {count} is"), 1)),
        };
        writer.write_all(answer.as_bytes()).ok()?;
    }
}

fn ok(headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
    )
}
