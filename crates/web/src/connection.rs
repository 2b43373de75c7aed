//! Connections with limits: how many at once, how long a request may take to come, and how long one
//! may neither take nor send a byte. HTTP/1.1 only: one connection, one request at a time.
//!
//! Without this a reader that stops reading would hold its event stream, and a client
//! that opens connections and says nothing, or half of something, would hold them all.

use crate::places::{Lease, PlaceCounts, PlaceLimits, Places};
use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::ConnectInfo;
use hyper::body::{Bytes, Frame, Incoming};
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, Sleep};
use tower::ServiceExt;

/// How long a request's head may take to come, from its first byte; on a new connection, from its
/// opening.
const HEAD_MAX: Duration = Duration::from_secs(10);
/// Bytes that are read ahead: no head is larger.
const HEAD_BYTES_MAX: usize = 32 << 10;
/// How long a peer may leave what we send it unread.
const STALL_MAX: Duration = Duration::from_secs(30);
/// How long nothing may come or go. Event streams send a comment more often than that.
const IDLE_MAX: Duration = Duration::from_secs(75);
/// How long a peer may send without giving us anything to answer. A request has 60 s for its answer
/// once its head is there.
const UNANSWERED_MAX: Duration = Duration::from_secs(150);
/// The pause after the machine refused a connection: it lacks something.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);

/// Serves `router` until the future is dropped; what goes on at its places shows in `counts`.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: PlaceLimits,
    counts: Arc<PlaceCounts>,
) {
    let places = Places::new(limits, counts);
    // They end with the server.
    let mut connections = tokio::task::JoinSet::new();
    loop {
        let seat = places.seat().await;
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        while connections.try_join_next().is_some() {}
        let place = places.take(peer.ip(), seat);
        connections.spawn(talk(stream, peer, place, router.clone()));
    }
}

/// One connection, until it ends or its place is somebody else's.
async fn talk(stream: TcpStream, peer: SocketAddr, place: Arc<Lease>, router: Router) {
    let phase = Phase::default();
    let stream = TokioIo::new(Watched::new(stream, phase.clone(), PATIENCE));
    let own = Arc::clone(&place);
    let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
        phase.set(Phase::BUSY);
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        request.extensions_mut().insert(Arc::clone(&own));
        let (router, phase) = (router.clone(), phase.clone());
        async move {
            let response = router.oneshot(request).await?;
            Ok::<_, Infallible>(response.map(|body| Answer { body, phase }))
        }
    });
    let mut http = hyper::server::conn::http1::Builder::new();
    let served = http.max_buf_size(HEAD_BYTES_MAX).serve_connection(stream, service);
    tokio::select! {
        // Peers that hang up or talk nonsense are no news.
        _ = served => {}
        () = place.lost() => {}
    }
}

/// What a connection is waiting for.
#[derive(Debug, Clone)]
struct Phase(Arc<AtomicU8>);

impl Phase {
    /// The next request.
    const QUIET: u8 = 0;
    /// The rest of a head.
    const HEAD: u8 = 1;
    /// The answer, or the body of a request.
    const BUSY: u8 = 2;

    fn set(&self, phase: u8) {
        self.0.store(phase, Ordering::Relaxed);
    }

    fn is(&self, phase: u8) -> bool {
        self.0.load(Ordering::Relaxed) == phase
    }
}

impl Default for Phase {
    fn default() -> Phase {
        Phase(Arc::new(AtomicU8::new(Phase::HEAD)))
    }
}

/// An answer on its way; at its end the connection is quiet.
struct Answer {
    body: Body,
    phase: Phase,
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> hyper::body::SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.phase.set(Phase::QUIET);
    }
}

/// What a stream puts up with.
#[derive(Debug, Clone, Copy)]
struct Patience {
    head: Duration,
    stall: Duration,
    idle: Duration,
    unanswered: Duration,
}

const PATIENCE: Patience =
    Patience { head: HEAD_MAX, stall: STALL_MAX, idle: IDLE_MAX, unanswered: UNANSWERED_MAX };

/// A stream that fails when its peer stalls.
struct Watched<S> {
    stream: S,
    phase: Phase,
    patience: Patience,
    /// Set while a write waits for the peer.
    stall: Option<Pin<Box<Sleep>>>,
    idle: Pin<Box<Sleep>>,
    /// Until the head at hand must be complete.
    head: Pin<Box<Sleep>>,
    /// Since the last byte of ours.
    unanswered: Pin<Box<Sleep>>,
}

impl<S> Watched<S> {
    fn new(stream: S, phase: Phase, patience: Patience) -> Watched<S> {
        let after = |span| Box::pin(tokio::time::sleep(span));
        let (idle, unanswered) = (after(patience.idle), after(patience.unanswered));
        let head = after(patience.head);
        Watched { stream, phase, patience, stall: None, idle, head, unanswered }
    }

    fn moved(&mut self) {
        self.stall = None;
        let now = Instant::now();
        self.idle.as_mut().reset(now + self.patience.idle);
        self.unanswered.as_mut().reset(now + self.patience.unanswered);
    }

    /// What a pending write comes to: still pending, or the peer's time is up.
    fn wait<T>(&mut self, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        let stall_max = self.patience.stall;
        let stall = self.stall.get_or_insert_with(|| Box::pin(tokio::time::sleep(stall_max)));
        ready!(stall.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the peer takes nothing")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.unanswered.as_mut().poll(context).is_ready() {
            let said = "no request came to its end";
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, said)));
        }
        if self.phase.is(Phase::HEAD) && self.head.as_mut().poll(context).is_ready() {
            let said = "no head of a request came to its end";
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, said)));
        }
        match Pin::new(&mut self.stream).poll_read(context, buffer) {
            Poll::Ready(result) => {
                let now = Instant::now();
                let patience = self.patience;
                self.idle.as_mut().reset(now + patience.idle);
                if self.phase.is(Phase::QUIET) {
                    self.phase.set(Phase::HEAD);
                    self.head.as_mut().reset(now + patience.head);
                }
                Poll::Ready(result)
            }
            Poll::Pending => {
                ready!(self.idle.as_mut().poll(context));
                Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "nothing was said")))
            }
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match Pin::new(&mut self.stream).poll_write(context, bytes) {
            Poll::Ready(result) => {
                self.moved();
                Poll::Ready(result)
            }
            Poll::Pending => self.wait(context),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_flush(context) {
            Poll::Ready(result) => Poll::Ready(result),
            Poll::Pending => self.wait(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_shutdown(context) {
            Poll::Ready(result) => Poll::Ready(result),
            Poll::Pending => self.wait(context),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    const SOON: Duration = Duration::from_millis(5);
    const LATE: Duration = Duration::from_secs(3_600);
    const LONG: Patience = Patience { head: LATE, stall: LATE, idle: LATE, unanswered: LATE };

    #[tokio::test]
    async fn a_peer_that_takes_nothing_is_cut_off() {
        let (ours, _theirs) = duplex(4);
        let patience = Patience { stall: SOON, ..LONG };
        let mut watched = Watched::new(ours, Phase::default(), patience);
        let error = watched.write_all(b"more than fits").await.expect_err("nobody reads");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn a_peer_that_says_nothing_is_cut_off() {
        let (ours, _theirs) = duplex(4);
        let patience = Patience { idle: SOON, ..LONG };
        let mut watched = Watched::new(ours, Phase::default(), patience);
        let error = watched.read_u8().await.expect_err("nobody writes");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn a_peer_that_sends_for_ever_and_never_comes_to_an_end_is_cut_off() {
        let (ours, mut theirs) = duplex(4);
        let patience = Patience { unanswered: SOON, ..LONG };
        let mut watched = Watched::new(ours, Phase::default(), patience);
        tokio::spawn(async move {
            while theirs.write_u8(b'x').await.is_ok() {
                tokio::task::yield_now().await;
            }
        });
        let error = loop {
            if let Err(error) = watched.read_u8().await {
                break error;
            }
        };
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn a_head_that_drips_is_cut_off_and_a_quiet_connection_is_not() {
        let (ours, mut theirs) = duplex(64);
        let phase = Phase::default();
        let patience = Patience { head: SOON, ..LONG };
        let mut watched = Watched::new(ours, phase.clone(), patience);
        phase.set(Phase::QUIET);
        let quiet = tokio::time::timeout(SOON * 4, watched.read_u8()).await;
        assert!(quiet.is_err(), "nothing is awaited of a quiet connection");
        theirs.write_all(b"GE").await.expect("room");
        assert_eq!(watched.read_u8().await.expect("the first byte"), b'G');
        assert_eq!(watched.read_u8().await.expect("the second"), b'E');
        let error = watched.read_u8().await.expect_err("the rest never comes");
        assert_eq!(error.to_string(), "no head of a request came to its end");
    }

    /// A server of `router`, with as many connections as `limits` say.
    async fn server(router: Router, limits: PlaceLimits) -> (SocketAddr, Arc<PlaceCounts>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let counts = Arc::new(PlaceCounts::default());
        tokio::spawn(serve(listener, router, limits, Arc::clone(&counts)));
        (address, counts)
    }

    async fn ask(address: SocketAddr, request: &[u8]) -> String {
        let mut client = TcpStream::connect(address).await.expect("a server");
        client.write_all(request).await.expect("a peer");
        let mut answer = Vec::new();
        // A refusal may end in a reset.
        let _ = client.read_to_end(&mut answer).await;
        String::from_utf8_lossy(&answer).into_owned()
    }

    const GET: &[u8] = b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";

    #[tokio::test]
    async fn a_server_on_a_socket_tells_who_its_peer_is() {
        let peer =
            |ConnectInfo(peer): ConnectInfo<SocketAddr>| std::future::ready(peer.ip().to_string());
        let router = Router::new().route("/", axum::routing::get(peer));
        let (address, _) = server(router, PlaceLimits::default()).await;
        let answer = ask(address, GET).await;
        assert!(answer.ends_with("127.0.0.1"), "{answer}");
    }

    #[tokio::test]
    async fn nobody_is_served_by_http_2() {
        let router = Router::new().route("/", axum::routing::get(|| async { "here" }));
        let (address, _) = server(router, PlaceLimits::default()).await;
        let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
        let answer = ask(address, preface).await;
        assert!(!answer.as_bytes().starts_with(b"\0"), "settings of HTTP/2: {answer:?}");
        let wish = b"GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade, http2-settings, close\r\n\
                     upgrade: h2c\r\nhttp2-settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n";
        let answer = ask(address, wish).await;
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("here"), "{answer}");
    }

    #[tokio::test]
    async fn half_sent_requests_keep_nobody_out() {
        let router = Router::new().route("/", axum::routing::get(|| async { "here" }));
        let (address, counts) = server(router, PlaceLimits::of(16)).await;
        let mut halves = Vec::new();
        for _ in 0..100 {
            let mut half = TcpStream::connect(address).await.expect("a server");
            // Those that are turned away are no longer listened to.
            let _ = half.write_all(b"GET / HTTP/1.1\r\nhost: ").await;
            halves.push(half);
        }
        let answer = ask(address, GET).await;
        assert!(answer.ends_with("here"), "{answer}");
        assert!(counts.open.load(Ordering::Relaxed) <= 16);
        assert!(counts.displaced.load(Ordering::Relaxed) >= 80);
    }

    #[tokio::test]
    async fn a_head_that_never_ends_has_a_limit() {
        let router = Router::new().route("/", axum::routing::get(|| async { "here" }));
        let (address, _) = server(router, PlaceLimits::default()).await;
        let mut head = b"GET / HTTP/1.1\r\nhost: localhost\r\n".to_vec();
        head.extend(b"x-long: ".iter().chain(&[b'x'; 2 * HEAD_BYTES_MAX]));
        let answer = ask(address, &head).await;
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{answer}");
    }
}
