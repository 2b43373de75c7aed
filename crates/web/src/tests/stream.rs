//! Server-sent events through the router.

use super::bench::{Bench, START, local, with_token};
use crate::live::RING_MAX;
use axum::body::Body;
use axum::http::Method;
use chronon::{NotificationId, SourceId, Span};
use futures_util::StreamExt;
use kernel::io::Announcement;
use kernel::record::ProbeOutcome;
use std::time::Duration;
use tower::ServiceExt;

struct Stream(axum::body::BodyDataStream);

impl Stream {
    async fn open(bench: &Bench, last: Option<u64>) -> Stream {
        let mut request = with_token(Method::GET, "/api/v1/events");
        if let Some(last) = last {
            request = request.header("last-event-id", last.to_string());
        }
        Stream::of(bench, request).await
    }

    async fn of(bench: &Bench, request: axum::http::request::Builder) -> Stream {
        let request = request.body(Body::empty()).expect("a request");
        let response = bench.router.clone().oneshot(request).await.expect("infallible");
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["x-accel-buffering"], "no");
        Stream(response.into_body().into_data_stream())
    }

    /// The next event or comment, as it is on the wire; empty at the end of the stream.
    async fn next(&mut self) -> String {
        match self.0.next().await {
            Some(chunk) => String::from_utf8(chunk.expect("a chunk").to_vec()).expect("UTF-8"),
            None => String::new(),
        }
    }
}

fn told(number: u64) -> Announcement {
    Announcement::Notification { notification: NotificationId(number), at: START }
}

#[tokio::test]
async fn an_event_has_a_name_a_growing_id_and_json() {
    let bench = Bench::new();
    let mut stream = Stream::open(&bench, None).await;
    let before = bench.live.newest();
    let failed = ProbeOutcome::Failed { status: Some(503), reason: "it\nsaid\r503".into() };
    bench.live.publish(Announcement::Probe {
        source: SourceId(3),
        address: "https://air.example/".into(),
        at: START,
        outcome: failed,
    });
    let event = stream.next().await;
    let id = before + 1;
    assert_eq!(
        event,
        format!(
            "event: probe\nid: {id}\ndata: {{\"source_id\":3,\"at\":\"2027-01-01T00:00:00.000Z\",\
             \"outcome\":\"failed\",\"version\":null,\"failure\":\"it\\nsaid\\r503\"}}\n\n"
        )
    );
}

#[tokio::test]
async fn a_reader_resumes_after_its_last_event() {
    let bench = Bench::new();
    (0..3).for_each(|number| bench.live.publish(told(number)));
    let mut stream = Stream::open(&bench, Some(bench.live.newest() - 1)).await;
    assert!(stream.next().await.contains("\"notification_id\":2"));
    bench.live.publish(told(3));
    assert!(stream.next().await.contains("\"notification_id\":3"));
}

#[tokio::test]
async fn a_gap_comes_first_where_events_are_lost() {
    let bench = Bench::new();
    let first = bench.live.newest() + 1;
    (0..RING_MAX as u64 + 5).for_each(|number| bench.live.publish(told(number)));
    let mut stream = Stream::open(&bench, Some(first)).await;
    assert!(stream.next().await.starts_with("event: gap\n"));
    assert!(stream.next().await.contains("\"notification_id\":5"));
}

#[tokio::test]
async fn an_id_of_another_server_is_a_gap() {
    let bench = Bench::new();
    bench.live.publish(told(0));
    let mut stream = Stream::open(&bench, Some(7)).await;
    assert!(stream.next().await.starts_with("event: gap\n"));
}

#[tokio::test]
async fn a_comment_comes_when_nothing_else_does() {
    assert_eq!(crate::Limits::default().comment_every, Duration::from_secs(15));
    let soon = Duration::from_millis(1);
    let bench = Bench::with(|config| config.limits.comment_every = soon);
    let mut stream = Stream::open(&bench, None).await;
    assert!(stream.next().await.starts_with(':'));
    assert!(stream.next().await.starts_with(':'));
}

#[tokio::test]
async fn a_reader_that_lags_is_cut_off() {
    let bench = Bench::new();
    let mut stream = Stream::open(&bench, None).await;
    (0..2_000).for_each(|number| bench.live.publish(told(number)));
    assert_eq!(stream.next().await, "");
}

#[tokio::test]
async fn streams_have_a_limit_and_give_their_seat_back() {
    let bench = Bench::with(|config| config.limits.event_streams_max = 1);
    let stream = Stream::open(&bench, None).await;
    assert!(bench.get("/api/v1/events").await.problem(503).contains("Too many"));
    drop(stream);
    bench.pass(Span::SECOND);
    Stream::open(&bench, None).await;
}

#[tokio::test]
async fn a_stream_ends_with_the_token_it_was_opened_with_and_no_other() {
    let bench = Bench::new();
    let mut streams = Vec::new();
    for id in [1, 2] {
        let made = bench.post("/api/v1/tokens", "{\"scope\": \"read\"}").await.json();
        assert_eq!(made["id"], id);
        let request = local(Method::GET, "/api/v1/events");
        let token = made["token"].as_str().expect("a token");
        let request = request.header("authorization", format!("Bearer {token}"));
        streams.push(Stream::of(&bench, request).await);
    }
    bench.write(Method::DELETE, "/api/v1/tokens/1", "").await;
    assert_eq!(streams[0].next().await, "", "it has ended");
    bench.live.publish(told(1));
    assert!(streams[1].next().await.contains("notification"));
}

#[tokio::test]
async fn a_stream_ends_when_the_time_of_its_session_is_over() {
    let bench = Bench::with(|config| config.limits.comment_every = Duration::from_millis(5));
    let form = Body::from(format!("token={}", super::bench::TOKEN.replace(' ', "+")));
    let reply = bench.send(local(Method::POST, "/login").body(form).expect("a request")).await;
    let cookie = reply.header("set-cookie").split(';').next().expect("a pair").to_owned();
    let request = local(Method::GET, "/api/v1/events").header("cookie", cookie);
    let mut stream = Stream::of(&bench, request).await;
    bench.pass(Span::DAY.times(31));
    loop {
        match stream.next().await.as_str() {
            "" => break,
            comment => assert!(comment.starts_with(':'), "{comment}"),
        }
    }
}

#[tokio::test]
async fn logging_out_ends_the_streams_of_that_session_at_once() {
    let bench = Bench::new();
    let log_in = async || {
        let form = Body::from(format!("token={}", super::bench::TOKEN.replace(' ', "+")));
        let reply = bench.send(local(Method::POST, "/login").body(form).expect("a request")).await;
        reply.header("set-cookie").split(';').next().expect("a pair").to_owned()
    };
    let (mine, other) = (log_in().await, log_in().await);
    let open = async |cookie: &str| {
        Stream::of(&bench, local(Method::GET, "/api/v1/events").header("cookie", cookie)).await
    };
    let (mut first, mut second, mut kept) =
        (open(&mine).await, open(&mine).await, open(&other).await);
    let out = local(Method::POST, "/logout").header("cookie", &mine);
    bench.send(out.body(Body::empty()).expect("a request")).await;
    assert_eq!((first.next().await, second.next().await), (String::new(), String::new()));
    bench.live.publish(told(1));
    assert!(kept.next().await.contains("notification"));
}
