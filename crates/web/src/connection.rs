//! Connections with limits: how many at once, and how long one may neither take nor send a byte.
//!
//! Without this a reader that stops reading would hold its event stream, and whoever opens
//! connections and says nothing would hold them all.

use axum::Router;
use axum::serve::{Listener, ListenerExt};
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep};

/// Connections at once; more wait to be accepted.
const CONNECTIONS_MAX: usize = 1_024;
/// How long a peer may leave what we send it unread.
const STALL_MAX: Duration = Duration::from_secs(30);
/// How long nothing may come or go. Event streams send a comment more often than that.
const IDLE_MAX: Duration = Duration::from_secs(75);
/// How long a peer may send without giving us anything to answer: a request that comes a byte at a
/// time is never idle. A request has 60 s for its answer once its head is there.
const UNANSWERED_MAX: Duration = Duration::from_secs(150);

/// Serves `router` until the future is dropped. Fails only if the listener cannot go on.
pub async fn serve(listener: TcpListener, router: Router) -> io::Result<()> {
    let seats = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    // `tap_io` is what lets a listener of our own tell handlers the peer's address.
    let listener = Patient { listener, seats }.tap_io(|_| {});
    axum::serve(listener, router.into_make_service_with_connect_info::<SocketAddr>()).await
}

struct Patient {
    listener: TcpListener,
    seats: Arc<Semaphore>,
}

impl Listener for Patient {
    type Io = Watched<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Watched<TcpStream>, SocketAddr) {
        let seat = Arc::clone(&self.seats).acquire_owned().await;
        let seat = seat.expect("the semaphore is never closed");
        let (stream, peer) = Listener::accept(&mut self.listener).await;
        (Watched::new(stream, Some(seat), PATIENCE), peer)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// What a stream puts up with.
#[derive(Debug, Clone, Copy)]
struct Patience {
    stall: Duration,
    idle: Duration,
    unanswered: Duration,
}

const PATIENCE: Patience =
    Patience { stall: STALL_MAX, idle: IDLE_MAX, unanswered: UNANSWERED_MAX };

/// A stream that fails when its peer stalls.
struct Watched<S> {
    stream: S,
    patience: Patience,
    /// Set while a write waits for the peer.
    stall: Option<Pin<Box<Sleep>>>,
    idle: Pin<Box<Sleep>>,
    /// Since the last byte of ours.
    unanswered: Pin<Box<Sleep>>,
    _seat: Option<OwnedSemaphorePermit>,
}

impl<S> Watched<S> {
    fn new(stream: S, seat: Option<OwnedSemaphorePermit>, patience: Patience) -> Watched<S> {
        let idle = Box::pin(tokio::time::sleep(patience.idle));
        let unanswered = Box::pin(tokio::time::sleep(patience.unanswered));
        Watched { stream, patience, stall: None, idle, unanswered, _seat: seat }
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
        match Pin::new(&mut self.stream).poll_read(context, buffer) {
            Poll::Ready(result) => {
                let until = Instant::now() + self.patience.idle;
                self.idle.as_mut().reset(until);
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

    #[tokio::test]
    async fn a_peer_that_takes_nothing_is_cut_off() {
        let (ours, _theirs) = duplex(4);
        let patience = Patience { stall: SOON, idle: LATE, unanswered: LATE };
        let mut watched = Watched::new(ours, None, patience);
        let error = watched.write_all(b"more than fits").await.expect_err("nobody reads");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn a_peer_that_says_nothing_is_cut_off() {
        let (ours, _theirs) = duplex(4);
        let patience = Patience { stall: LATE, idle: SOON, unanswered: LATE };
        let mut watched = Watched::new(ours, None, patience);
        let error = watched.read_u8().await.expect_err("nobody writes");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn a_peer_that_sends_for_ever_and_never_comes_to_an_end_is_cut_off() {
        let (ours, mut theirs) = duplex(4);
        let patience = Patience { stall: LATE, idle: LATE, unanswered: SOON };
        let mut watched = Watched::new(ours, None, patience);
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
    async fn a_server_on_a_socket_tells_who_its_peer_is() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let peer = |axum::extract::ConnectInfo(peer): axum::extract::ConnectInfo<SocketAddr>| {
            std::future::ready(peer.ip().to_string())
        };
        let router = Router::new().route("/", axum::routing::get(peer));
        tokio::spawn(serve(listener, router));
        let mut client = TcpStream::connect(address).await.expect("a server");
        let request = b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
        client.write_all(request).await.expect("a peer");
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.expect("an answer");
        assert!(answer.ends_with("127.0.0.1"), "{answer}");
    }
}
