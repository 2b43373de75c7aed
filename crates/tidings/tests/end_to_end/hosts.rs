//! Many hosts that lead to one, and many that hang.

use crate::harness::{Home, PATIENCE, QUICK, Server};
use crate::page::Page;
use crate::webhook::Hook;
use crate::wire::{Listener, Reply};
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Hosts that redirect to the same one.
const FRONTS: usize = 8;
/// How often that one may be asked.
const INTERVAL: Duration = Duration::from_millis(200);
/// A host wakes late, and a socket later still.
const JITTER: Duration = Duration::from_millis(150);

/// Where all redirects lead: pages by number, and when each was asked for.
struct Target {
    listener: Listener,
    changed: Arc<AtomicBool>,
    asked: Arc<Mutex<Vec<Instant>>>,
}

impl Target {
    fn start() -> Target {
        let (changed, asked) = (Arc::new(AtomicBool::new(false)), Arc::<Mutex<Vec<_>>>::default());
        let (is_changed, times) = (Arc::clone(&changed), Arc::clone(&asked));
        let listener = Listener::start(move |request| {
            times.lock().expect("no panic").push(Instant::now());
            let mut body = format!("<a href={}/first>First</a>", request.path);
            if is_changed.load(Ordering::SeqCst) {
                body += &format!("<a href={}/second>Second</a>", request.path);
            }
            let headers = vec![("content-type", "text/html".to_owned())];
            Reply::Answer { status: 200, headers, body: body.into_bytes() }
        });
        Target { listener, changed, asked }
    }

    /// A host that redirects to a page of this one.
    fn front(&self, number: usize) -> Listener {
        let to = self.listener.url(1, &format!("/page{number}"));
        Listener::start(move |_| {
            let headers = vec![("location", to.clone())];
            Reply::Answer { status: 302, headers, body: Vec::new() }
        })
    }

    fn times(&self) -> Vec<Instant> {
        self.asked.lock().expect("no panic").clone()
    }
}

#[test]
fn pages_that_redirect_to_one_host_keep_its_limit_and_their_changes_are_told() {
    let (hook, target) = (Hook::start(), Target::start());
    let quick = QUICK.replace("host_interval_seconds = 0.1", "host_interval_seconds = 0.2");
    let home = Home::new(&format!("{quick}{}", hook.channel("hook")));
    let fronts: Vec<Listener> = (0..FRONTS).map(|number| target.front(number)).collect();
    let sentinel = |(n, front): (usize, &Listener)| {
        let url = front.url(1, "/");
        format!("create sentinel s{n} using {url} monitor links added notify by hook\n")
    };
    let server = home.serve();
    let events = server.events();
    home.apply(&fronts.iter().enumerate().map(sentinel).collect::<String>());
    for _ in 0..FRONTS {
        events.wait_for("version", |version| version["version"] == 1);
    }
    target.changed.store(true, Ordering::SeqCst);
    let mut told = BTreeSet::new();
    while told.len() < FRONTS {
        let said = hook.next().body.to_string();
        told.extend((0..FRONTS).filter(|n| said.contains(&format!("/page{n}/second"))));
    }
    let times = target.times();
    assert!(times.len() >= 2 * FRONTS, "{} requests", times.len());
    for (n, &from) in times.iter().enumerate() {
        for (m, &to) in times.iter().enumerate().skip(n) {
            // Any k intervals hold k + 1 requests at most.
            let least = INTERVAL * (m - n).saturating_sub(1) as u32;
            let took = to - from;
            assert!(took + JITTER >= least, "{} requests in {took:?}", m - n + 1);
        }
    }
    assert_eq!(server.terminate().code(), Some(0));
}

/// A server that answers every request with a body that drips for as long as this is there.
struct Dripping {
    address: SocketAddr,
    held: Arc<Mutex<Vec<TcpStream>>>,
    /// Dropped: the end.
    _stop: Sender<()>,
}

impl Dripping {
    fn start() -> Dripping {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("bound");
        let (stop, stopped) = channel();
        let held = Arc::<Mutex<Vec<TcpStream>>>::default();
        let (taken, dripping) = (Arc::clone(&held), Arc::clone(&held));
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                // A client that goes away is its own affair; its request comes in one piece.
                let _ = stream.read(&mut [0; 4_096]);
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n");
                taken.lock().expect("no panic").push(stream);
            }
        });
        std::thread::spawn(move || {
            let pace = Duration::from_millis(250);
            while stopped.recv_timeout(pace) == Err(RecvTimeoutError::Timeout) {
                dripping.lock().expect("no panic").retain_mut(|stream| stream.write(b"x").is_ok());
            }
            dripping.lock().expect("no panic").clear();
        });
        Dripping { address, held, _stop: stop }
    }

    /// Answers under way.
    fn count(&self) -> usize {
        self.held.lock().expect("no panic").len()
    }
}

/// Dripping hosts, more than looks may be on their way at once.
const DRIPPING: usize = 300;
const GOOD: usize = 5;

fn until(server: &Server, is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE / 2;
    while !is_so() {
        assert!(Instant::now() < deadline, "{}", server.log());
        server.page("/healthz");
    }
}

#[test]
fn three_hundred_hosts_that_drip_take_no_look_from_pages_that_answer() {
    let drips = Dripping::start();
    let quick = QUICK.replace("budget = \"50 per second\"", "budget = \"1000 per second\"");
    let home = Home::new(&quick);
    let good: Vec<Page> = (0..GOOD).map(|_| Page::of("<p>here</p>")).collect();
    let sentinel =
        |(n, page): (usize, &Page)| format!("create sentinel g{n} using {}\n", page.url());
    let server = home.serve();
    home.apply(&good.iter().enumerate().map(sentinel).collect::<String>());
    until(&server, || good.iter().all(|page| page.requests() >= 2));
    let port = drips.address.port();
    let sentinel = |n| format!("create sentinel d{n} using http://d{n}.localhost:{port}/\n");
    home.apply(&(0..DRIPPING).map(sentinel).collect::<String>());
    // Half of the 256 looks that may be on their way are for pages that answer.
    until(&server, || drips.count() >= 128);
    let before: Vec<usize> = good.iter().map(Page::requests).collect();
    until(&server, || good.iter().zip(&before).all(|(page, before)| page.requests() >= before + 6));
    assert!(drips.count() >= 128, "they hang still");
    server.kill();
}
