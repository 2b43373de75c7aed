//! An engine without a network, and requests to its router.

use crate::{Desk, Keeper, Live, Request, WebConfig, router};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::ConnectInfo;
use axum::http::{self, HeaderMap, Method, StatusCode, header};
use change::{Evidence, LeafRef, View};
use chronon::{BlobId, Instant, NotificationId, SentinelId, SourceId, Span, VersionNo};
use kernel::io::{Answer, Effect, RequestId};
use kernel::record::{ExtractRef, VersionFacts, VersionRow};
use kernel::{Config, Input, Kernel, Record};
use serde_json::Value;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use store::{Batch, Reader, Store};
use tokio::sync::{mpsc, oneshot};
use tower::ServiceExt;

pub(super) const TOKEN: &str = "correct horse battery staple";
pub(super) const LISTEN: &str = "192.0.2.7:7878";
pub(super) const START: Instant = Instant::from_millis(1_798_761_600_000);
pub(super) const SENTINEL: &str = "create sentinel deals using \"https://air.example/deals\"\n  \
                                   monitor all links\n  notify by interactive\n";

/// A server that can be asked without a socket.
pub(super) struct Bench {
    pub(super) router: Router,
    pub(super) live: Arc<Live>,
    store: store::MemoryStore,
    clock: Arc<AtomicI64>,
    kernel: Config,
}

/// What came back.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: String,
}

impl Reply {
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().expect("ASCII")).unwrap_or_default()
    }

    /// Panics unless this is a problem of this status; gives its detail.
    pub(super) fn problem(&self, status: u16) -> String {
        assert_eq!(self.status.as_u16(), status, "{self:?}");
        assert_eq!(self.header("content-type"), "application/problem+json");
        let problem = self.json();
        assert_eq!(problem["status"], status);
        problem["detail"].as_str().expect("a detail").to_owned()
    }
}

impl Bench {
    pub(super) fn new() -> Bench {
        Bench::with(|_| {})
    }

    pub(super) fn with(configure: impl FnOnce(&mut WebConfig)) -> Bench {
        Bench::on(store::MemoryStore::new([7; 16]), configure)
    }

    /// With a kernel that knows more, such as channels.
    pub(super) fn with_config(configure: impl FnOnce(&mut Config)) -> Bench {
        let mut config = Config::new(1);
        configure(&mut config);
        Bench::of(store::MemoryStore::new([7; 16]), config, |_| {})
    }

    fn on(store: store::MemoryStore, configure: impl FnOnce(&mut WebConfig)) -> Bench {
        Bench::of(store, Config::new(1), configure)
    }

    fn of(
        store: store::MemoryStore,
        kernel: Config,
        configure: impl FnOnce(&mut WebConfig),
    ) -> Bench {
        let clock = Arc::new(AtomicI64::new(START.as_millis()));
        let live = Arc::new(Live::new(START));
        let (requests, inlet) = mpsc::channel(16);
        let snapshot = store.reader().snapshot().expect("an empty store");
        let engine = Engine {
            kernel: Kernel::load(kernel.clone(), snapshot, START),
            store: store.same_disk(),
            replies: HashMap::new(),
            next: 0,
            clock: Arc::clone(&clock),
        };
        tokio::spawn(engine.run(inlet));
        let listen: SocketAddr = LISTEN.parse().expect("an address");
        let time = Arc::clone(&clock);
        let now: Arc<dyn Fn() -> Instant + Send + Sync> =
            Arc::new(move || Instant::from_millis(time.load(Ordering::SeqCst)));
        let desk = Desk::new(requests, store.reader(), Arc::clone(&live), Arc::clone(&now));
        let mut config = WebConfig::new(listen, "1.2.3", now);
        config.allowed_hosts.push("tidings.example:443".to_owned());
        configure(&mut config);
        let keeper =
            Keeper::open(store.access(), TOKEN, entropy()).expect("a store without faults");
        let keeper = Arc::new(keeper);
        let router = router(desk, keeper, config);
        Bench { router, live, store, clock, kernel }
    }

    /// Who may come in, as it is stored.
    pub(super) fn access(&self) -> Arc<dyn store::Access> {
        self.store.access()
    }

    /// Another server on what this one stored.
    pub(super) fn restarted(&self) -> Bench {
        self.restarted_with(|_| {})
    }

    /// The same with settings of its own.
    pub(super) fn restarted_with(&self, configure: impl FnOnce(&mut WebConfig)) -> Bench {
        let now = self.clock.load(Ordering::SeqCst);
        let next = Bench::of(self.store.crash(), self.kernel.clone(), configure);
        next.clock.store(now, Ordering::SeqCst);
        next
    }

    pub(super) fn pass(&self, span: Span) {
        self.clock.fetch_add(span.as_millis(), Ordering::SeqCst);
    }

    pub(super) async fn send(&self, request: http::Request<Body>) -> Reply {
        let response = self.router.clone().oneshot(request).await.expect("infallible");
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, 1 << 24).await.expect("a body");
        let body = String::from_utf8_lossy(&bytes).into_owned();
        Reply { status: parts.status, headers: parts.headers, body }
    }

    /// GET by somebody who has the token.
    pub(super) async fn get(&self, path: &str) -> Reply {
        self.send(with_token(Method::GET, path).body(Body::empty()).expect("a request")).await
    }

    /// GET by anybody on this machine.
    pub(super) async fn stray(&self, path: &str) -> Reply {
        self.send(local(Method::GET, path).body(Body::empty()).expect("a request")).await
    }

    /// A write by somebody who has the token.
    pub(super) async fn write(&self, method: Method, path: &str, text: &str) -> Reply {
        let request = with_token(method, path);
        self.send(request.body(Body::from(text.to_owned())).expect("a request")).await
    }

    pub(super) async fn post(&self, path: &str, text: &str) -> Reply {
        self.write(Method::POST, path, text).await
    }

    /// The page that somebody sees who pastes an address.
    pub(super) async fn add(&self, url: &str) -> Reply {
        let form =
            url::form_urlencoded::Serializer::new(String::new()).append_pair("url", url).finish();
        let reply = self.post("/add", &form).await;
        match reply.header("location") {
            "" => reply,
            place => self.get(place).await,
        }
    }

    /// Puts records into the store behind the kernel's back, with the blobs they name.
    pub(super) fn store(&self, records: Vec<Record>, blobs: &[&[u8]]) {
        let blobs = blobs.iter().map(|bytes| (blob(bytes), Arc::from(*bytes))).collect();
        self.store.same_disk().append(&Batch { records, blobs }).expect("no fault was planned");
    }

    pub(super) fn reader(&self) -> Arc<dyn Reader> {
        self.store.reader()
    }

    /// A version of source 1 whose text is `blocks`.
    pub(super) fn version(&self, number: u32, blocks: &[&str]) {
        let extracts = [(View::Page, extract(blocks))];
        self.put(VersionNo(number), blocks.join("\n").as_bytes(), &extracts);
    }

    /// A version of source 1 whose body is `html`, read as a look with these selectors reads it.
    pub(super) fn page(&self, number: u32, html: &str, selectors: &[&str]) {
        let url = url::Url::parse("https://air.example/deals").expect("an address");
        let hints = page::Hints { content_type: Some("text/html"), url: &url };
        let views = selectors.iter().map(|key| View::of_key(key)).chain([View::Page]);
        let made = page::extract(html.as_bytes(), &hints, &page::Limits::default(), views);
        let extracts: Vec<_> = made.expect("HTML").into_iter().collect();
        self.put(VersionNo(number), html.as_bytes(), &extracts);
    }

    /// Version `number` of source 1 waits for a second look.
    pub(super) fn hold(&self, number: u32) {
        let row = self.reader().version(SourceId(1), VersionNo(number)).expect("read");
        let row = VersionRow { held: true, ..row.expect("a version") };
        self.store(vec![Record::Version(Box::new(row))], &[]);
    }

    /// Has the newest version stored for this source, too.
    pub(super) fn also_of(&self, source: u32, number: u32) {
        let row = self.reader().version(SourceId(1), VersionNo(number)).expect("read");
        let row = VersionRow { source: SourceId(source), ..row.expect("a version") };
        self.store(vec![Record::Version(Box::new(row))], &[]);
    }

    fn put(&self, number: VersionNo, body: &[u8], extracts: &[(View, page::Extract)]) {
        let whole = extracts.iter().find(|(view, _)| *view == View::Page);
        let whole = &whole.expect("the whole page is always read").1;
        let encoded = |(_, extract): &(View, page::Extract)| page::encode(extract);
        let stored: Vec<Vec<u8>> = extracts.iter().map(encoded).collect();
        let made = extracts.iter().zip(&stored).map(|((view, extract), bytes)| {
            let made = ExtractRef { extractor: extract.extractor, blob: blob(bytes) };
            (view.clone(), made)
        });
        let facts = VersionFacts {
            fingerprint: [number.0 as u8; 32],
            kind: page::Kind::Html,
            odd: page::odd(whole),
            body: blob(body),
            extracts: made.collect(),
            status: 200,
            media_type: "text/html; charset=utf-8".into(),
            final_url: "https://air.example/deals".into(),
            etag: None,
            last_modified: None,
            modified_at: None,
            summary: page::summary(whole).into(),
        };
        let row = VersionRow {
            source: SourceId(1),
            number,
            fetched_at: START + Span::MINUTE.times(i64::from(number.0)),
            held: false,
            facts,
        };
        let blobs: Vec<&[u8]> = stored.iter().map(Vec::as_slice).chain([body]).collect();
        self.store(vec![Record::Version(Box::new(row))], &blobs);
    }

    /// A delivered notification with this body.
    pub(super) fn notification(&self, id: u64, body: &Value) {
        self.notification_closed(id, body, START);
    }

    /// A delivered notification with this body that gathered until then.
    pub(super) fn notification_closed(&self, id: u64, body: &Value, at: Instant) {
        self.notified(body, outbox::Row { closed_at: Some(at), ..row(id) });
    }

    /// A delivered notification of this find on this channel.
    pub(super) fn notification_of(&self, id: u64, find: u64, channel: u64) {
        let (members, channel) = (vec![outbox::DetectionId(find)], outbox::ChannelId(channel));
        let body = serde_json::json!({"summary": format!("find {find}")});
        self.notified(&body, outbox::Row { members, channel, ..row(id) });
    }

    /// A notification with this body that was not sent yet.
    pub(super) fn waits(&self, id: u64, body: &Value) {
        let (state, members) = (outbox::State::Due { at: START }, vec![outbox::DetectionId(id)]);
        self.notified(body, outbox::Row { state, members, attempts: 0, ..row(id) });
    }

    /// A delivered notification with this body on another channel, which was removed.
    pub(super) fn notification_elsewhere(&self, id: u64, body: &Value) {
        self.notified(body, outbox::Row { channel: outbox::ChannelId(9), ..row(id) });
    }

    fn notified(&self, body: &Value, row: outbox::Row) {
        let bytes = serde_json::to_vec(body).expect("JSON");
        let id = row.id.0;
        let row = outbox::Row { body: Some(blob(&bytes)), ..row };
        let attempt = outbox::Attempt {
            notification: NotificationId(id),
            number: 1,
            at: START,
            result: outbox::DeliveryResult::Delivered,
        };
        let records = vec![
            Record::Outbox(outbox::OutboxRecord::Row(Box::new(row))),
            Record::Outbox(outbox::OutboxRecord::Attempt(attempt)),
        ];
        self.store(records, &[&bytes]);
    }

    /// A digest of this many finds that still gathers.
    pub(super) fn open_digest(&self, id: u64, finds: u64) {
        let row = outbox::Row {
            kind: outbox::Kind::Digest,
            members: (1..=finds).map(outbox::DetectionId).collect(),
            closed_at: None,
            attempts: 0,
            first_attempt: None,
            effort: outbox::Effort::default(),
            state: outbox::State::Open { closes: Some(START + Span::HOUR) },
            ..row(id)
        };
        self.store(vec![Record::Outbox(outbox::OutboxRecord::Row(Box::new(row)))], &[]);
    }

    /// A detection of sentinel 1 from version 1 to 2, with this result.
    pub(super) fn detection(&self, id: u64, result: &[u8]) {
        self.detection_on(id, &[result]);
    }

    /// A detection of sentinel 1 from version 1 to 2 of as many sources as there are results, whose
    /// leaf 0 holds in each.
    pub(super) fn detection_on(&self, id: u64, results: &[&[u8]]) {
        self.detected(id, results, START);
    }

    /// A detection of sentinel 1 at this time, of which nothing can be shown.
    pub(super) fn detection_at(&self, id: u64, at: Instant) {
        self.detected(id, &[b"a status"], at);
    }

    fn detected(&self, id: u64, results: &[&[u8]], at: Instant) {
        let piece = |(result, source): (&&[u8], u32)| Evidence {
            source: SourceId(source),
            from: VersionNo(1),
            to: VersionNo(2),
            result: blob(result),
        };
        let leaf = |evidence: u32| LeafRef { evidence, comparison: 0, leaf: 0 };
        let row = outbox::Detection {
            id: outbox::DetectionId(id),
            sentinel: SentinelId(1),
            generation: 1,
            at,
            seq: id,
            evidence: results.iter().zip(1..).map(piece).collect(),
            combinations: vec![(0..results.len() as u32).map(leaf).collect()],
            parts: Vec::new(),
            follow: None,
        };
        self.store(vec![Record::Detection(Box::new(row))], results);
    }
}

/// Bytes that differ each time.
pub(crate) fn entropy() -> crate::Entropy {
    let next = std::sync::atomic::AtomicU64::new(1);
    Arc::new(move || {
        let number = next.fetch_add(1, Ordering::SeqCst);
        Some(*blake3::hash(&number.to_le_bytes()).as_bytes())
    })
}

/// A delivered notification without a body.
fn row(id: u64) -> outbox::Row {
    outbox::Row {
        id: NotificationId(id),
        key: outbox::Key(format!("{id:032x}").into()),
        kind: outbox::Kind::Change,
        sentinel: Some(SentinelId(1)),
        generation: 1,
        channel: outbox::ChannelId(1),
        seq: id,
        members: vec![],
        more: 0,
        source: None,
        note: "".into(),
        created_at: START,
        closed_at: Some(START),
        body: None,
        attempts: 1,
        first_attempt: Some(START),
        effort: outbox::Effort::default(),
        state: outbox::State::Delivered { at: START },
        read: false,
    }
}

pub(super) fn blob(bytes: &[u8]) -> BlobId {
    BlobId(*blake3::hash(bytes).as_bytes())
}

fn extract(blocks: &[&str]) -> page::Extract {
    page::Extract {
        blocks: blocks.iter().map(|text| page::Block::plain(*text)).collect(),
        ..page::Extract::empty(page::Kind::Html)
    }
}

/// A request of a stranger on this machine.
pub(super) fn local(method: Method, path: &str) -> http::request::Builder {
    from("127.0.0.1:50000", method, path)
}

/// A request of a peer at `address`.
pub(super) fn from(address: &str, method: Method, path: &str) -> http::request::Builder {
    let peer: SocketAddr = address.parse().expect("an address");
    http::Request::builder()
        .method(method)
        .uri(path)
        .header(header::HOST, "localhost:7878")
        .extension(ConnectInfo(peer))
}

pub(super) fn with_token(method: Method, path: &str) -> http::request::Builder {
    local(method, path).header(header::AUTHORIZATION, format!("Bearer {TOKEN}"))
}

/// What the binary's loop does, less probes and deliveries.
struct Engine {
    kernel: Kernel,
    store: store::MemoryStore,
    replies: HashMap<RequestId, oneshot::Sender<Answer>>,
    next: u64,
    clock: Arc<AtomicI64>,
}

impl Engine {
    async fn run(mut self, mut inlet: mpsc::Receiver<Request>) {
        self.step(Input::Started);
        while let Some(request) = inlet.recv().await {
            match request {
                Request::Look(look) => look(&self.kernel),
                Request::Ask { actor, command, reply } => {
                    self.next += 1;
                    let request = RequestId(self.next);
                    self.replies.insert(request, reply);
                    self.step(Input::Command { actor, request, command: *command });
                    // A large file takes several steps.
                    while self.replies.contains_key(&RequestId(self.next)) {
                        self.step(Input::Tick);
                    }
                }
            }
        }
    }

    fn step(&mut self, input: Input) {
        let now = Instant::from_millis(self.clock.load(Ordering::SeqCst));
        let output = self.kernel.step(now, input);
        let batch = Batch { records: output.records, blobs: vec![] };
        self.store.append(&batch).expect("no fault was planned");
        for effect in output.effects {
            if let Effect::Answer { request, answer } = effect
                && let Some(reply) = self.replies.remove(&request)
            {
                let _ = reply.send(answer);
            }
        }
    }
}
