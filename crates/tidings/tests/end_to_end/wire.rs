//! HTTP/1 as small as it can be: a listener whose handler is a function, and one request. Written
//! here and not taken from a library, so that Tidings' client and server meet something else.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What came over one connection.
#[derive(Debug, Clone)]
pub struct Request {
    pub method: String,
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Request {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }
}

/// What a handler answers.
pub enum Reply {
    Answer {
        status: u16,
        headers: Vec<(&'static str, String)>,
        body: Vec<u8>,
    },
    /// The connection ends in the middle of the answer's head.
    Cut,
}

impl Reply {
    pub fn status(status: u16) -> Reply {
        Reply::Answer { status, headers: Vec::new(), body: Vec::new() }
    }
}

/// How many hosts a listener is: 127.0.0.1 and so on. They share no limits of politeness.
pub const HOSTS: u8 = 3;

/// A server on a free port of loopback, until it is dropped. Each connection has a thread and one
/// request.
pub struct Listener {
    pub address: SocketAddr,
    closing: Arc<AtomicBool>,
}

impl Listener {
    pub fn start(handler: impl Fn(Request) -> Reply + Send + Sync + 'static) -> Listener {
        let handler: Arc<Handler> = Arc::new(handler);
        let closing = Arc::new(AtomicBool::new(false));
        let sockets = std::iter::repeat_with(bind).flatten().next().expect("it never ends");
        let address = sockets[0].local_addr().expect("bound");
        for socket in sockets {
            let (handler, closed) = (Arc::clone(&handler), Arc::clone(&closing));
            std::thread::spawn(move || accept(&socket, &handler, &closed));
        }
        Listener { address, closing }
    }

    /// A URL of this listener as the host 127.0.0.`host`.
    pub fn url(&self, host: u8, path: &str) -> String {
        assert!((1..=HOSTS).contains(&host));
        format!("http://127.0.0.{host}:{}{path}", self.address.port())
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.closing.store(true, Ordering::Relaxed);
        for host in 1..=HOSTS {
            // Wakes the thread that accepts; if nobody listens any more, all the better.
            let _ = TcpStream::connect(at(host, self.address.port()));
        }
    }
}

type Handler = dyn Fn(Request) -> Reply + Send + Sync;

fn at(host: u8, port: u16) -> SocketAddr {
    ([127, 0, 0, host], port).into()
}

/// The same free port on every host, unless one of them has it taken.
fn bind() -> Option<Vec<TcpListener>> {
    let first = TcpListener::bind(at(1, 0)).expect("a free port");
    let port = first.local_addr().expect("bound").port();
    let others = (2..=HOSTS).map(|host| TcpListener::bind(at(host, port)).ok());
    std::iter::once(Some(first)).chain(others).collect()
}

fn accept(socket: &TcpListener, handler: &Arc<Handler>, closed: &AtomicBool) {
    for stream in socket.incoming().flatten() {
        if closed.load(Ordering::Relaxed) {
            return;
        }
        let handler = Arc::clone(handler);
        // A client that goes away is its own affair.
        std::thread::spawn(move || drop(converse(stream, &*handler)));
    }
}

fn converse(mut stream: TcpStream, handler: &Handler) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split_whitespace();
    let (Some(method), Some(path)) = (words.next(), words.next()) else { return Ok(()) };
    let (method, path) = (method.to_owned(), path.to_owned());
    let headers = read_headers(&mut reader)?;
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    match handler(Request { method, path, headers, body }) {
        Reply::Cut => stream.write_all(b"HTTP/1.1 20"),
        Reply::Answer { status, headers, body } => {
            let mut head = format!("HTTP/1.1 {status} Answer\r\nconnection: close\r\n");
            for (name, value) in &headers {
                head += &format!("{name}: {value}\r\n");
            }
            if status != 304 {
                head += &format!("content-length: {}\r\n", body.len());
            }
            stream.write_all(format!("{head}\r\n").as_bytes())?;
            stream.write_all(&body)?;
            stream.flush()
        }
    }
}

fn read_headers(reader: &mut impl BufRead) -> std::io::Result<Vec<(String, String)>> {
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { return Ok(headers) };
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
}

/// An answer to [`ask`].
pub struct Response {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

/// One request, one answer, one connection.
pub fn ask(
    address: SocketAddr,
    (method, path): (&str, &str),
    headers: &[(&str, &str)],
    body: &[u8],
) -> std::io::Result<Response> {
    answered(open(address, (method, path), headers, body)?)
}

/// [`ask`] for servers that know HTTP/1.1 only. None of their answers may be chunked.
pub fn ask_modern(
    address: SocketAddr,
    (method, path): (&str, &str),
    headers: &[(&str, &str)],
    body: &[u8],
) -> std::io::Result<Response> {
    answered(send("HTTP/1.1", address, (method, path), (headers, body))?)
}

fn answered(mut reader: BufReader<TcpStream>) -> std::io::Result<Response> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let status = line.split_whitespace().nth(1).and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| std::io::Error::other(format!("no status: {line:?}")))?;
    let headers = read_headers(&mut reader)?;
    let mut body = Vec::new();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    // Some servers keep the connection, whatever they are asked.
    match length.and_then(|(_, length)| length.parse().ok()) {
        Some(length) => reader.take(length).read_to_end(&mut body)?,
        None => reader.read_to_end(&mut body)?,
    };
    Ok(Response { status, headers, body })
}

/// Sends a request and leaves the answer to be read. HTTP/1.0, so that no answer is chunked.
pub fn open(
    address: SocketAddr,
    (method, path): (&str, &str),
    headers: &[(&str, &str)],
    body: &[u8],
) -> std::io::Result<BufReader<TcpStream>> {
    send("HTTP/1.0", address, (method, path), (headers, body))
}

fn send(
    version: &str,
    address: SocketAddr,
    (method, path): (&str, &str),
    (headers, body): (&[(&str, &str)], &[u8]),
) -> std::io::Result<BufReader<TcpStream>> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    let mut head = format!("{method} {path} {version}\r\nhost: {address}\r\n");
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    head += &format!("content-length: {}\r\n\r\n", body.len());
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)?;
    Ok(BufReader::new(stream))
}
