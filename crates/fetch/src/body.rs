//! The body of an answer, read under limits.

use crate::config::{Config, duration};
use crate::reason;
use bytes::Bytes;
use futures_util::StreamExt;
use reqwest::Response;
use reqwest::header::CONTENT_LENGTH;

/// No more than this is set aside because a server promises a long body.
const FIRST_CAPACITY_MAX: u64 = 256 * 1024;

/// Reads the whole body, decompressed. `seen` counts its bytes even if the attempt is given up.
///
/// # Errors
///
/// The reason, as a sentence: too long, broken off, undecodable, or stalled.
pub(crate) async fn read(
    response: Response,
    config: &Config,
    seen: &mut u64,
) -> Result<Bytes, String> {
    let host = response.url().host_str().unwrap_or_default().to_owned();
    let promised = promised_length(&response);
    if promised.is_some_and(|length| length > config.body_bytes_max) {
        return Err(too_long(config.body_bytes_max));
    }
    let capacity = promised.unwrap_or(0).min(FIRST_CAPACITY_MAX);
    let mut body = Vec::with_capacity(usize::try_from(capacity).unwrap_or(0));
    let mut stream = response.bytes_stream();
    let pause = duration(config.between_reads_max);
    loop {
        let Ok(next) = tokio::time::timeout(pause, stream.next()).await else {
            let pause = config.between_reads_max;
            return Err(format!("{host} stopped in the middle of its answer for {pause}"));
        };
        let Some(chunk) = next else {
            return Ok(Bytes::from(body));
        };
        let chunk = chunk.map_err(|error| reason::of_body(&host, &error))?;
        *seen += chunk.len() as u64;
        if *seen > config.body_bytes_max {
            return Err(too_long(config.body_bytes_max));
        }
        body.extend_from_slice(&chunk);
    }
}

/// Content-Length, if the body is not compressed (the client takes the header away if it is).
fn promised_length(response: &Response) -> Option<u64> {
    response.headers().get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn too_long(max: u64) -> String {
    format!("the answer is longer than {max} bytes; fetch.body_bytes_max sets the limit")
}
