//! How a page answers, and what of its answers is told, over real sockets.

use crate::harness::{Home, PATIENCE, QUICK, Server};
use crate::page::Page;
use crate::wire::{Listener, Reply};
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering};
use std::time::Instant;

/// Waits for this number of messages, of which the newest says this; gives all that it says.
fn told(server: &Server, count: usize, what: &str) -> String {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let all = server.items("/notifications");
        let newest = all.first().cloned().unwrap_or_default();
        let says = newest["summary"].as_str().is_some_and(|summary| summary.contains(what));
        if all.len() == count && says {
            return server.get(&format!("/notifications/{}", newest["id"])).to_string();
        }
        assert!(Instant::now() < deadline, "{what}: {newest} {}", server.log());
        std::thread::yield_now();
    }
}

#[test]
fn a_page_that_goes_down_comes_back_and_moves_is_told_with_where_to() {
    let other = Page::of("<p>Fares from Lisbon</p>");
    let (to, answer) = (other.url_on("127.0.0.2"), Arc::new(AtomicU16::new(200)));
    let (location, now) = (to.clone(), Arc::clone(&answer));
    let front = Listener::start(move |_| {
        let status = now.load(Ordering::SeqCst);
        let kind = ("content-type", "text/html".to_owned());
        let headers = if status == 302 { vec![("location", location.clone())] } else { vec![kind] };
        Reply::Answer { status, headers, body: b"<p>Fares from Lisbon</p>".to_vec() }
    });
    let home = Home::new(QUICK);
    let server = home.serve();
    home.apply(&format!(
        "create sentinel health using {} monitor status notify by interactive\n",
        front.url(1, "/")
    ));
    let deadline = Instant::now() + PATIENCE;
    while server.get("/sources/1")["version"] != 1 {
        assert!(Instant::now() < deadline, "{}", server.log());
        std::thread::yield_now();
    }
    answer.store(404, Ordering::SeqCst);
    assert!(told(&server, 1, "down: the server answered 404").contains("health"));
    answer.store(200, Ordering::SeqCst);
    told(&server, 2, "up");
    answer.store(302, Ordering::SeqCst);
    let moved = told(&server, 3, "moved: redirects lead to");
    assert!(moved.contains(&to), "{to} is not in {moved}");
}

/// Ten looks at bytes that are others each time and show the same, then a price that fell.
#[test]
fn a_page_with_other_bytes_at_every_look_is_told_when_its_text_changes() {
    let (answers, price) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicU16::new(49)));
    let (count, now) = (Arc::clone(&answers), Arc::clone(&price));
    let shop = Listener::start(move |_| {
        let (turn, price) = (count.fetch_add(1, Ordering::SeqCst), now.load(Ordering::SeqCst));
        let body = format!(
            "<!-- made at {turn} --><script nonce=\"{turn}\">at({turn})</script>\
             <p>The kettle costs {price} euros</p>"
        );
        let headers = vec![("content-type", "text/html".to_owned())];
        Reply::Answer { status: 200, headers, body: body.into_bytes() }
    });
    let home = Home::new(QUICK);
    let server = home.serve();
    home.apply(&format!(
        "create sentinel kettle using {} monitor any change notify by interactive\n",
        shop.url(1, "/")
    ));
    let deadline = Instant::now() + PATIENCE;
    while answers.load(Ordering::SeqCst) < 10 {
        assert!(Instant::now() < deadline, "{}", server.log());
        std::thread::yield_now();
    }
    assert_eq!(server.get("/sources/1")["version"], 1);
    assert!(server.items("/notifications").is_empty());
    price.store(39, Ordering::SeqCst);
    assert!(told(&server, 1, "39").contains("49 euros"));
}
