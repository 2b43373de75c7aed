//! Columns of many bytes that are written anew at each change: packed, where that saves anything.
//!
//! What begins as a frame of zstd does is one: bytes that begin so themselves are packed in any
//! case. Rows that were written before columns were packed read as they are.

use crate::StoreError;
use rusqlite::types::Type;
use store::BLOB_BYTES_MAX;
use zstd::bulk::{Decompressor, compress, decompress};

/// How a frame of zstd begins.
pub(crate) const FRAME: [u8; 4] = zstd::zstd_safe::MAGICNUMBER.to_le_bytes();
/// As for blobs.
const LEVEL: i32 = 3;

pub(crate) fn pack(bytes: &[u8]) -> Result<Vec<u8>, StoreError> {
    let fail = |error: std::io::Error| StoreError::Failed(format!("zstd: {error}"));
    let packed = compress(bytes, LEVEL).map_err(fail)?;
    let is_shorter = packed.len() < bytes.len() && bytes.len() <= BLOB_BYTES_MAX;
    Ok(if is_shorter || bytes.starts_with(&FRAME) { packed } else { bytes.to_vec() })
}

/// The bytes of the column at a place, at most [`BLOB_BYTES_MAX`] if they were packed.
pub(crate) fn unpack(place: usize, stored: Vec<u8>) -> rusqlite::Result<Vec<u8>> {
    if !stored.starts_with(&FRAME) {
        return Ok(stored);
    }
    let size = Decompressor::upper_bound(&stored).unwrap_or(0).min(BLOB_BYTES_MAX);
    decompress(&stored, size)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(place, Type::Blob, error.into()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn what_is_packed_reads_back_and_is_never_longer_than_it_must_be() {
        let noise: Vec<u8> =
            (0..50_u64).flat_map(|n| *blake3::hash(&n.to_le_bytes()).as_bytes()).collect();
        let alike = b"text 17 comes and goes; ".repeat(200);
        let a_frame = pack(&alike).unwrap();
        assert!(a_frame.len() < 100 && a_frame.starts_with(&FRAME));
        for bytes in [&[][..], b"x", &FRAME, &noise, &alike, &a_frame, &FRAME[..3]] {
            let packed = pack(bytes).unwrap();
            assert!(packed.len() <= bytes.len() || bytes.starts_with(&FRAME));
            assert_eq!(unpack(0, packed).unwrap(), bytes);
        }
    }

    #[test]
    fn a_damaged_frame_is_an_error_and_takes_no_more_than_a_blob() {
        let whole = pack(&b"text 17 comes and goes; ".repeat(200)).unwrap();
        let read = |bytes: &[u8]| unpack(0, bytes.to_vec());
        for length in FRAME.len()..whole.len() {
            assert!(read(&whole[..length]).is_err(), "{length} bytes of it");
        }
        // It says that it has 2^62 bytes.
        let mut claims = FRAME.to_vec();
        claims.extend([0xe0, 0, 0, 0, 0, 0, 0, 0, 0x40]);
        assert!(read(&claims).is_err());
    }
}
