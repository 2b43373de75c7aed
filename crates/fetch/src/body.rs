//! The body of an answer, decompressed and read under limits.
//!
//! The HTTP client could decompress, too. But it stops silently after the first member of a gzip
//! body, knows codings in lower case only, and lets a zstd frame claim 128 MiB of window.

use crate::config::{Config, duration};
use crate::memory::{NoMemory, Share};
use crate::reason;
use async_compression::tokio::bufread::{
    BrotliDecoder, DeflateDecoder, GzipDecoder, ZlibDecoder, ZstdDecoder,
};
use async_compression::zstd::DParameter;
use bytes::Bytes;
use futures_util::TryStreamExt;
use reqwest::Response;
use reqwest::header::{CONTENT_ENCODING, CONTENT_LENGTH, HeaderMap};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt};
use tokio_util::io::StreamReader;

/// Accept-Encoding: the codings of [`Coding`].
pub(crate) const CODINGS: &str = "gzip, br, zstd, deflate";

/// Bytes set aside for a body of unknown length.
const FIRST_CAPACITY: u64 = 16 * 1024;
/// No more than this is set aside because a server promises a long body.
const FIRST_CAPACITY_MAX: u64 = 128 * 1024;
/// A body that outgrows its room gets a quarter more, but at least so much.
const GROWTH: u64 = 64 * 1024;

/// The largest window of a zstd body, as a power of two: 8 MiB (RFC 9659).
const ZSTD_WINDOW_LOG_MAX: u32 = 23;

/// What a coding may add to a body that it cannot compress, and a server to its end.
const WIRE_OVERHEAD_BYTES: u64 = 64 * 1024;

/// The bytes of an attempt, counted as they come, so that one that is given up has them too.
#[derive(Debug, Default)]
pub(crate) struct Received {
    /// Headers, and bodies as they come: compressed, with whatever else is between.
    pub(crate) wire: AtomicU64,
    /// Bytes of the last answer's body, decompressed.
    pub(crate) body: AtomicU64,
}

/// A body that goes on and on without becoming longer when it is decompressed.
#[derive(Debug, thiserror::Error)]
#[error(
    "the answer takes more than {} on the wire; fetch.body_bytes_max sets the limit",
    in_words(*.max)
)]
pub(crate) struct TooMuchWire {
    max: u64,
}

/// A number of bytes as people say it: `80 MB`, `65.5 kB`.
pub(crate) fn in_words(bytes: u64) -> String {
    let count = bytes as f64;
    let tenths = |unit: f64| (count / unit * 10.0).round() / 10.0;
    match bytes {
        1 => "1 byte".to_owned(),
        0..=999 => format!("{bytes} bytes"),
        _ if tenths(1e3) < 1e3 => format!("{} kB", tenths(1e3)),
        _ => format!("{} MB", tenths(1e6)),
    }
}

/// How a body is compressed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Coding {
    Identity,
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

/// Why there is no body.
#[derive(Debug)]
pub(crate) enum Unread {
    /// In a sentence: too long, broken off, undecodable, or stalled.
    Failed(String),
    SetAside(NoMemory),
}

impl From<String> for Unread {
    fn from(reason: String) -> Unread {
        Unread::Failed(reason)
    }
}

/// A body on its way.
struct Reading<'a> {
    host: String,
    config: &'a Config,
    body: Vec<u8>,
    received: &'a Received,
    share: &'a mut Share,
}

/// Reads the whole body, decompressed; `share` grows with it.
pub(crate) async fn read(
    response: Response,
    config: &Config,
    received: &Received,
    share: &mut Share,
) -> Result<Bytes, Unread> {
    let host = response.url().host_str().unwrap_or_default().to_owned();
    let coding = coding_of(response.headers())?;
    let promised = if coding == Coding::Identity { promised_length(&response) } else { None };
    let capacity = promised.unwrap_or(FIRST_CAPACITY).min(FIRST_CAPACITY_MAX);
    let mut reading = Reading { host, config, body: Vec::new(), received, share };
    if promised.is_some_and(|length| length > config.body_bytes_max) {
        return Err(reading.too_long());
    }
    reading.make_room(capacity).await?;
    let max = config.body_bytes_max.saturating_add(WIRE_OVERHEAD_BYTES);
    let mut left = max;
    let stream = response.bytes_stream().map_err(io::Error::other).and_then(|piece| {
        received.wire.fetch_add(piece.len() as u64, Ordering::Relaxed);
        let rest = left.checked_sub(piece.len() as u64);
        left = rest.unwrap_or(0);
        let counted = rest.map(|_| piece).ok_or_else(|| io::Error::other(TooMuchWire { max }));
        std::future::ready(counted)
    });
    let mut wire = StreamReader::new(Box::pin(stream));
    reading.decode(coding, &mut wire).await?;
    reading.drain(&mut wire).await?;
    Ok(Bytes::from(reading.body))
}

impl Reading<'_> {
    async fn decode<W>(&mut self, coding: Coding, wire: &mut W) -> Result<(), Unread>
    where
        W: AsyncBufRead + Unpin,
    {
        // An empty body is empty in every coding.
        let Some(first) = self.peek(wire).await? else { return Ok(()) };
        match coding {
            Coding::Identity => self.take(wire).await,
            Coding::Brotli => self.take(&mut BrotliDecoder::new(wire)).await,
            // "deflate" means zlib (RFC 9110, 8.4.1.2), but some servers send it bare.
            Coding::Deflate if first & 0x0f == 8 => self.take(&mut ZlibDecoder::new(wire)).await,
            Coding::Deflate => self.take(&mut DeflateDecoder::new(wire)).await,
            Coding::Zstd => {
                let window = [DParameter::window_log_max(ZSTD_WINDOW_LOG_MAX)];
                let mut decoder = ZstdDecoder::with_params(wire, &window);
                decoder.multiple_members(true);
                self.take(&mut decoder).await
            }
            Coding::Gzip => {
                self.take(&mut GzipDecoder::new(&mut *wire)).await?;
                // Further members count; padding after the last does not.
                while self.peek(wire).await? == Some(0x1f) {
                    self.take(&mut GzipDecoder::new(&mut *wire)).await?;
                }
                Ok(())
            }
        }
    }

    /// Adds all that `decoded` yields.
    async fn take<R: AsyncRead + Unpin>(&mut self, decoded: &mut R) -> Result<(), Unread> {
        loop {
            let max = self.config.body_bytes_max;
            if self.body.len() == self.body.capacity() {
                let full = self.body.len() as u64;
                self.make_room((full + (full / 4).max(GROWTH)).min(max + 1)).await?;
            }
            // One byte beyond the limit shows that it is passed.
            let room = max.saturating_sub(self.body.len() as u64).saturating_add(1);
            let before = self.body.len();
            let mut limited = (&mut *decoded).take(room);
            let read = limited.read_buf(&mut self.body);
            match tokio::time::timeout(duration(self.config.between_reads_max), read).await {
                Ok(Ok(0)) => return Ok(()),
                Ok(Ok(_)) => {
                    let more = (self.body.len() - before) as u64;
                    self.received.body.fetch_add(more, Ordering::Relaxed);
                }
                Ok(Err(error)) => return Err(reason::of_body(&self.host, &error).into()),
                Err(_) => return Err(self.stalled()),
            }
            if self.body.len() as u64 > max {
                return Err(self.too_long());
            }
        }
    }

    /// Waits for memory for a body of `bytes`, and takes it.
    async fn make_room(&mut self, bytes: u64) -> Result<(), Unread> {
        self.share.grow(bytes).await.map_err(Unread::SetAside)?;
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        self.body.reserve_exact(bytes.saturating_sub(self.body.len()));
        Ok(())
    }

    /// The next byte on the wire; `None` at the end.
    async fn peek<W: AsyncBufRead + Unpin>(&self, wire: &mut W) -> Result<Option<u8>, Unread> {
        match tokio::time::timeout(duration(self.config.between_reads_max), wire.fill_buf()).await {
            Ok(Ok(bytes)) => Ok(bytes.first().copied()),
            Ok(Err(error)) => Err(reason::of_body(&self.host, &error).into()),
            Err(_) => Err(self.stalled()),
        }
    }

    /// Reads what comes after the compressed data, so that an answer which breaks off there is
    /// seen.
    async fn drain<W: AsyncBufRead + Unpin>(&self, wire: &mut W) -> Result<(), Unread> {
        while self.peek(wire).await?.is_some() {
            let there = wire.fill_buf().await.map_or(0, <[u8]>::len);
            wire.consume(there);
        }
        Ok(())
    }

    fn stalled(&self) -> Unread {
        let (host, pause) = (&self.host, self.config.between_reads_max);
        let stopped = format!("{host} stopped in the middle of its answer for {pause}");
        format!("{stopped}; fetch.pause_seconds sets the limit").into()
    }

    fn too_long(&self) -> Unread {
        let max = in_words(self.config.body_bytes_max);
        format!("the answer is longer than {max}; fetch.body_bytes_max sets the limit").into()
    }
}

/// The one coding of the body; several on top of each other are not known.
fn coding_of(headers: &HeaderMap) -> Result<Coding, String> {
    let written: Vec<_> = headers.get_all(CONTENT_ENCODING).iter().map(|v| v.as_bytes()).collect();
    let written = written.join(&b", "[..]);
    match written.trim_ascii().to_ascii_lowercase().as_slice() {
        b"" | b"identity" => Ok(Coding::Identity),
        b"gzip" | b"x-gzip" => Ok(Coding::Gzip),
        b"deflate" => Ok(Coding::Deflate),
        b"br" => Ok(Coding::Brotli),
        b"zstd" => Ok(Coding::Zstd),
        _ => {
            let shown = String::from_utf8_lossy(&written).escape_debug().to_string();
            Err(format!("the answer's encoding {shown} is not known"))
        }
    }
}

fn promised_length(response: &Response) -> Option<u64> {
    response.headers().get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}
