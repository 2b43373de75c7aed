//! Bodies: framing and compression.

use crate::fixture::*;
use std::io::Write;

const TEXT: &str = "<p>Porto 30</p><p>Lisbon 40</p>";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn raw_deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

async fn body_of(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    content(fetched(bytes).await).body.to_vec()
}

async fn reason_of(bytes: impl AsRef<[u8]>) -> String {
    let failure = failure(fetched(bytes).await);
    assert_eq!(failure.status, Some(200));
    failure.reason
}

#[tokio::test]
async fn a_chunked_body_is_put_together() {
    let bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\
                 3;ext=1\r\nabc\r\n2\r\nde\r\n0\r\nTrailer: x\r\n\r\n";
    assert_eq!(body_of(bytes).await, b"abcde");
}

#[tokio::test]
async fn a_body_of_http_1_0_lasts_until_the_connection_closes() {
    assert_eq!(body_of("HTTP/1.0 200 OK\r\nServer: old\r\n\r\nabcde").await, b"abcde");
    assert_eq!(body_of("HTTP/1.1 200 OK\r\n\r\nabcde").await, b"abcde");
}

#[tokio::test]
async fn a_body_that_breaks_off_is_a_failure() {
    for broken in [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabcde",
        "HTTP/1.0 200 OK\r\nContent-Length: 10\r\n\r\nabcde",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabcde\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcdefgh\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nab",
    ] {
        let reason = reason_of(broken).await;
        assert!(reason.contains("broke off or cannot be decoded"), "{broken}: {reason}");
    }
}

#[tokio::test]
async fn compressed_bodies_are_decompressed() {
    let coded = |coding: &str, body: Vec<u8>| {
        answer("200 OK", &[&format!("Content-Encoding: {coding}")], body)
    };
    let text = TEXT.as_bytes();
    assert_eq!(body_of(coded("gzip", gzip(text))).await, text);
    assert_eq!(body_of(coded("GZIP", gzip(text))).await, text);
    assert_eq!(body_of(coded("x-gzip", gzip(text))).await, text);
    assert_eq!(body_of(coded("deflate", zlib(text))).await, text);
    assert_eq!(body_of(coded("deflate", raw_deflate(text))).await, text, "as some servers do");
    assert_eq!(body_of(coded("zstd", zstd::encode_all(text, 3).unwrap())).await, text);
    // "hello", as the brotli specification's reference encoder writes it.
    let hello = b"\x0b\x02\x80hello\x03".to_vec();
    assert_eq!(body_of(coded("br", hello)).await, b"hello");
    assert_eq!(body_of(coded("identity", text.to_vec())).await, text);
}

#[tokio::test]
async fn a_gzip_body_of_two_members_is_both() {
    let two = [gzip(b"Porto "), gzip(b"Lisbon")].concat();
    assert_eq!(body_of(answer("200 OK", &["Content-Encoding: gzip"], two)).await, b"Porto Lisbon");
}

#[tokio::test]
async fn an_empty_body_needs_no_compression_and_padding_after_one_is_ignored() {
    for coding in ["gzip", "br", "zstd", "deflate"] {
        let line = format!("Content-Encoding: {coding}");
        assert_eq!(body_of(answer("200 OK", &[&line], "")).await, b"", "{coding}");
    }
    let padded = [gzip(b"Porto"), vec![0; 7]].concat();
    assert_eq!(body_of(answer("200 OK", &["Content-Encoding: gzip"], padded)).await, b"Porto");
}

#[tokio::test]
async fn a_zstd_body_that_wants_a_window_beyond_8_mib_is_a_failure() {
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
    encoder.window_log(27).unwrap();
    encoder.write_all(TEXT.as_bytes()).unwrap();
    let body = encoder.finish().unwrap();
    let reason = reason_of(answer("200 OK", &["Content-Encoding: zstd"], body)).await;
    assert!(reason.contains("broke off or cannot be decoded"), "{reason}");
}

#[tokio::test]
async fn a_compressed_body_that_is_cut_or_damaged_is_a_failure() {
    let whole = gzip(TEXT.as_bytes());
    let mut damaged = whole.clone();
    let checksum = damaged.len() - 6;
    damaged[checksum] ^= 0xff;
    let cut = whole[..whole.len() - 9].to_vec();
    let zstd_whole = zstd::encode_all(TEXT.as_bytes(), 3).unwrap();
    let zstd_cut = zstd_whole[..zstd_whole.len() - 3].to_vec();
    let br_cut = b"\x0b\x02\x80hel".to_vec();
    for (coding, body) in [
        ("gzip", cut),
        ("gzip", damaged),
        ("gzip", b"plain text".to_vec()),
        ("deflate", zlib(TEXT.as_bytes())[..20].to_vec()),
        ("zstd", zstd_cut),
        ("br", br_cut),
    ] {
        let line = format!("Content-Encoding: {coding}");
        let reason = reason_of(answer("200 OK", &[&line], &body)).await;
        assert!(reason.contains("broke off or cannot be decoded"), "{coding} {body:?}: {reason}");
    }
}

#[tokio::test]
async fn a_gzip_body_shorter_than_promised_is_a_failure_even_if_it_decodes() {
    let body = gzip(TEXT.as_bytes());
    let promised = body.len() + 100;
    let head =
        format!("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {promised}\r\n\r\n");
    let reason = reason_of([head.as_bytes(), &body].concat()).await;
    assert!(reason.contains("broke off or cannot be decoded"), "{reason}");
}

#[tokio::test]
async fn an_encoding_we_do_not_know_is_a_failure() {
    for coding in ["compress", "gzip, gzip", "x-unknown", "\u{1b}[31m"] {
        let line = format!("Content-Encoding: {coding}");
        let bytes = answer("200 OK", &[&line], "abc");
        let failure = failure(fetched(bytes).await);
        assert!(!failure.reason.chars().any(char::is_control), "{failure:?}");
    }
    let reason = reason_of(answer("200 OK", &["Content-Encoding: compress"], "abc")).await;
    assert_eq!(reason, "the answer's encoding compress is not known");
}

/// One chunk per byte, so that every kind of cut is met.
fn chunked(body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for byte in body {
        bytes.extend([b"1\r\n", &[*byte][..], b"\r\n"].concat());
    }
    bytes.extend(b"0\r\n\r\n");
    bytes
}

#[tokio::test]
async fn an_answer_cut_at_any_byte_is_no_content() {
    let coded = |coding: &str, body: &[u8]| {
        let line = format!("Transfer-Encoding: chunked\r\nContent-Encoding: {coding}\r\n\r\n");
        [b"HTTP/1.1 200 OK\r\n", line.as_bytes(), &chunked(body)].concat()
    };
    let text = TEXT.as_bytes();
    let fetcher = fetcher();
    for whole in [
        answer("200 OK", &["ETag: \"v1\""], text),
        coded("identity", text),
        coded("gzip", &gzip(text)),
        coded("deflate", &zlib(text)),
        coded("zstd", &zstd::encode_all(text, 3).unwrap()),
        coded("br", b"\x0b\x02\x80hello\x03"),
    ] {
        let length = whole.len();
        let server =
            Server::start(move |number, _| vec![Step::Send(whole[..number].to_vec()), Step::Close])
                .await;
        let url = server.url("/");
        for _ in 0..length {
            failure(fetcher.fetch(&request(&url)).await);
        }
        content(fetcher.fetch(&request(&url)).await);
    }
}
