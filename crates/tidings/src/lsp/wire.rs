//! Messages of JSON-RPC: headers, an empty line, and as many bytes as the headers say.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::io::{BufRead, Read, Write};

/// Bytes of one message.
const MESSAGE_BYTES_MAX: u64 = 16 << 20;
/// Bytes of one header.
const HEADER_BYTES_MAX: u64 = 4 << 10;
/// Headers of one message.
const HEADERS_MAX: usize = 20;

/// The next message; `None` where the input ends between two.
pub(super) fn read(input: &mut impl BufRead) -> Result<Option<Vec<u8>>> {
    let mut length: Option<u64> = None;
    for nth in 0..HEADERS_MAX {
        let mut line = Vec::new();
        input.take(HEADER_BYTES_MAX).read_until(b'\n', &mut line)?;
        if line.is_empty() && nth == 0 {
            return Ok(None);
        }
        let Some(line) = line.strip_suffix(b"\n") else {
            bail!("a header of a message breaks off or is too long");
        };
        let line = String::from_utf8_lossy(line);
        let line = line.trim_end();
        if line.is_empty() {
            let length = length.context("a message has no Content-Length")?;
            if length > MESSAGE_BYTES_MAX {
                bail!("a message has {length} bytes; {MESSAGE_BYTES_MAX} are allowed");
            }
            let mut message = Vec::new();
            input.take(length).read_to_end(&mut message)?;
            if message.len() as u64 != length {
                bail!("a message breaks off");
            }
            return Ok(Some(message));
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            let value = value.trim().parse();
            length = Some(value.with_context(|| format!("`{line}` is no length"))?);
        }
    }
    bail!("a message has more than {HEADERS_MAX} headers");
}

pub(super) fn write(output: &mut impl Write, message: &Value) -> Result<()> {
    let message = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{message}", message.len())?;
    Ok(output.flush()?)
}
