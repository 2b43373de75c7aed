//! Pages of a server that watches very much: how large they are, and how long they take.

use super::bench::{Bench, with_token};
use axum::body::{Body, to_bytes};
use axum::http::{Method, header};
use std::fmt::Write;
use std::time::{Duration, Instant};
use tower::ServiceExt;

/// Bytes of a page as it goes over the wire.
const BYTES_MAX: usize = 30 << 10;
/// How often each page is asked for after the first time.
const TIMES: u32 = 9;
/// Sentinels of one text.
const TOGETHER: usize = 5_000;

const PAGES: [&str; 16] = [
    "/",
    "/inbox",
    "/inbox?q=offer",
    "/watches",
    "/watches?q=watch-99",
    "/watches?state=failing",
    "/watches?sort=name",
    "/channels",
    "/plan",
    "/add",
    "/sources/1",
    "/sentinels/watch-1",
    "/sentinels/watch-1/edit",
    "/help",
    "/help/starting",
    "/help/language",
];

/// A server with so much to watch, and alerts in its inbox.
async fn crowd(sentinels: usize) -> Bench {
    let bench = Bench::new();
    for first in (0..sentinels).step_by(TOGETHER) {
        let mut text = String::new();
        for number in first..(first + TOGETHER).min(sentinels) {
            let host = number % 1_000;
            let _ = writeln!(
                text,
                "create sentinel watch-{number} using https://h{host}.example/offers/{number} \
                 monitor value of css \".price\" tag t{}",
                number % 20
            );
        }
        assert_eq!(bench.post("/api/v1/sentinels", &text).await.status, 201);
    }
    bench.page(1, "<h1>Offers</h1><p class=price>40 EUR</p>", &[]);
    let change = serde_json::json!({"type": "any", "kind": "update", "old": {"text": "40 EUR"},
        "new": {"text": "35 EUR"}, "context": {"before": "", "after": ""}});
    for id in 1..=200 {
        let body = serde_json::json!({"summary": format!("offer {id}: 40 → 35 EUR"),
            "sentinel": "watch-1", "changes_total": 3, "changes": [change, change, change]});
        bench.notification(id, &body);
    }
    bench
}

/// The bytes of a page as a browser gets it, and the time it took.
async fn page(bench: &Bench, path: &str) -> (usize, Duration) {
    let request = with_token(Method::GET, path).header(header::ACCEPT_ENCODING, "br, gzip");
    let began = Instant::now();
    let request = request.body(Body::empty()).expect("a request");
    let answer = bench.router.clone().oneshot(request).await.expect("infallible");
    assert_eq!(answer.status(), 200, "{path}");
    assert_ne!(answer.headers().get(header::CONTENT_ENCODING), None, "{path} is not compressed");
    let bytes = to_bytes(answer.into_body(), 1 << 24).await.expect("a body");
    (bytes.len(), began.elapsed())
}

/// The processor time of this process so far, all threads, to a hundredth of a second; `None` where
/// no `/proc` says it. Other programs lengthen it less than the time on the wall.
fn worked() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // After the name, which may hold blanks: user and system time are the 12th and 13th.
    let fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11).take(2);
    let ticks: u32 = fields.map(|ticks| ticks.parse::<u32>().ok()).sum::<Option<u32>>()?;
    Some(Duration::from_millis(10) * ticks)
}

/// `CROWD=100000 cargo test --release -p web --lib every_page_is_small -- --nocapture` measures a
/// server of that size.
#[tokio::test]
async fn every_page_is_small_however_much_is_watched() {
    let asked = std::env::var("CROWD").ok().and_then(|crowd| crowd.parse().ok());
    let bench = crowd(asked.unwrap_or(300)).await;
    let columns = ["page", "bytes", "first", "median", "processor"];
    let [path, bytes, first, median, processor] = columns;
    println!("{path:28} {bytes:>8} {first:>10} {median:>10} {processor:>10}");
    for path in PAGES {
        let (bytes, first) = page(&bench, path).await;
        assert!(bytes <= BYTES_MAX, "{path} has {bytes} bytes");
        let (mut times, before) = (Vec::new(), worked());
        for _ in 0..TIMES {
            times.push(page(&bench, path).await.1);
        }
        times.sort();
        let median = times[TIMES as usize / 2];
        let each = worked().zip(before).map_or(Duration::ZERO, |(now, then)| (now - then) / TIMES);
        println!("{path:28} {bytes:>8} {first:>10.1?} {median:>10.1?} {each:>10.1?}");
    }
}
