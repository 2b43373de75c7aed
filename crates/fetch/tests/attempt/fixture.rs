//! A web server that does exactly what a test says, byte by byte, on loopback.

use chronon::Instant;
use fetch::{Answer, Config, Content, Failure, Fetcher, Outcome, Request, Validators};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// 2027-01-01T00:00:10Z.
pub(crate) const NOW: Instant = Instant::from_millis(1_798_761_610_000);
/// `NOW` as an HTTP date.
pub(crate) const DATE: &str = "Fri, 01 Jan 2027 00:00:10 GMT";

/// What the server does after it has read a request's head.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Send(Vec<u8>),
    /// The same bytes again and again, every 5 ms, until the client is gone.
    Drip(Vec<u8>),
    /// The same bytes as fast as they go, until the client is gone.
    Flood(Vec<u8>),
    /// Nothing, until the client is gone.
    Stall,
    Close,
}

/// The server: what it was asked, and where it is.
pub(crate) struct Server {
    pub(crate) base: String,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Answers request number `n` (from 0) with head `head` as `script(n, head)` says.
    pub(crate) async fn start<F>(script: F) -> Server
    where
        F: Fn(usize, &str) -> Vec<Step> + Send + Sync + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let heads = Arc::new(Mutex::new(Vec::new()));
        let (script, seen) = (Arc::new(script), heads.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, script.clone(), seen.clone()));
            }
        });
        Server { base, heads }
    }

    /// Answers every request with these bytes and closes.
    pub(crate) async fn saying(answer: impl AsRef<[u8]>) -> Server {
        let answer = answer.as_ref().to_vec();
        Server::start(move |_, _| vec![Step::Send(answer.clone()), Step::Close]).await
    }

    /// The heads of all requests so far, in lower case.
    pub(crate) fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }
}

async fn serve<F>(mut stream: TcpStream, script: Arc<F>, heads: Arc<Mutex<Vec<String>>>)
where
    F: Fn(usize, &str) -> Vec<Step>,
{
    while let Some(head) = read_head(&mut stream).await {
        let number = {
            let mut heads = heads.lock().unwrap();
            heads.push(head.to_ascii_lowercase());
            heads.len() - 1
        };
        for step in script(number, &head) {
            if perform(&mut stream, step).await.is_none() {
                return;
            }
        }
    }
}

/// `None` once the connection is over.
async fn perform(stream: &mut TcpStream, step: Step) -> Option<()> {
    match step {
        Step::Send(bytes) => stream.write_all(&bytes).await.ok(),
        Step::Drip(bytes) => {
            let mut ticks = tokio::time::interval(Duration::from_millis(5));
            while stream.write_all(&bytes).await.is_ok() {
                ticks.tick().await;
            }
            None
        }
        Step::Flood(bytes) => {
            while stream.write_all(&bytes).await.is_ok() {}
            None
        }
        Step::Stall => {
            while stream.read(&mut [0; 64]).await.is_ok_and(|read| read > 0) {}
            None
        }
        Step::Close => {
            let _ = stream.shutdown().await;
            None
        }
    }
}

async fn read_head(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    Some(String::from_utf8(head).unwrap())
}

/// An answer with these header lines and this body, of the stated length.
pub(crate) fn answer(status: &str, lines: &[&str], body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let mut bytes = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n", body.len());
    for line in lines {
        bytes.push_str(line);
        bytes.push_str("\r\n");
    }
    bytes.push_str("\r\n");
    [bytes.as_bytes(), body].concat()
}

/// Loopback is allowed; the other limits are the default ones.
pub(crate) fn config() -> Config {
    fetch::install_tls_provider();
    Config { allow_addresses: vec!["127.0.0.0/8".parse().unwrap()], ..Config::default() }
}

pub(crate) fn fetcher() -> Fetcher {
    Fetcher::new(config()).unwrap()
}

pub(crate) fn request(url: &str) -> Request {
    let source = url.into();
    Request { url: url.to_owned(), source, validators: None, time_max: None, now: NOW }
}

/// A conditional request with both validators.
pub(crate) fn conditional(url: &str, validators_url: &str) -> Request {
    let validators = Validators {
        url: validators_url.to_owned(),
        etag: Some("\"v1\"".to_owned()),
        last_modified: Some("Thu, 31 Dec 2026 00:00:00 GMT".to_owned()),
    };
    Request { validators: Some(validators), ..request(url) }
}

/// What a fresh fetcher gets from a server that says this and closes.
pub(crate) async fn fetched(answer: impl AsRef<[u8]>) -> Answer {
    let server = Server::saying(answer).await;
    fetcher().fetch(&request(&server.url("/page"))).await
}

#[track_caller]
pub(crate) fn content(answer: Answer) -> Content {
    match answer.outcome {
        Outcome::Content(content) => content,
        other => panic!("no content: {other:?}"),
    }
}

#[track_caller]
pub(crate) fn failure(answer: Answer) -> Failure {
    match answer.outcome {
        Outcome::Failed(failure) => failure,
        other => panic!("no failure: {other:?}"),
    }
}
