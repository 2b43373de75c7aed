//! Every wait and every size ends.

use crate::fixture::*;
use chronon::Span;
use fetch::{Config, Fetcher};
use std::io::Write;

const BODY_BYTES_MAX: u64 = 100_000;

fn with(change: impl FnOnce(&mut Config)) -> Fetcher {
    let mut config = config();
    change(&mut config);
    Fetcher::new(config).unwrap()
}

fn small_bodies() -> Fetcher {
    with(|config| config.body_bytes_max = BODY_BYTES_MAX)
}

const TOO_LONG: &str = "the answer is longer than 100 kB; fetch.body_bytes_max sets the limit";

#[tokio::test]
async fn a_gzip_bomb_is_cut_while_it_unfolds() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let block = vec![0; 1 << 20];
    for _ in 0..8 {
        encoder.write_all(&block).unwrap();
    }
    let bomb = encoder.finish().unwrap();
    assert!((bomb.len() as u64) < BODY_BYTES_MAX, "else the limit bites on the wire");
    let server = Server::saying(answer("200 OK", &["Content-Encoding: gzip"], bomb)).await;
    let answer = small_bodies().fetch(&request(&server.url("/"))).await;
    assert!(answer.body_bytes < 2 * BODY_BYTES_MAX, "{}", answer.body_bytes);
    assert_eq!(failure(answer).reason, TOO_LONG);
}

/// A frame that a decoder skips: nothing comes out of it, however many follow.
fn skippable_frame(bytes: u32) -> Vec<u8> {
    let head = [0x184d_2a50_u32.to_le_bytes(), bytes.to_le_bytes()].concat();
    [head, vec![0; bytes as usize]].concat()
}

#[tokio::test]
async fn a_body_that_becomes_nothing_is_cut_on_the_wire_in_every_coding() {
    let frame = skippable_frame(10_000);
    // Empty members of gzip, empty stored blocks of deflate.
    let empty = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let members = empty.finish().unwrap().repeat(500);
    let blocks = [0, 0, 0, 0xff, 0xff].repeat(2_000);
    let padded = [b"\x0b\x00\x80a\x03".to_vec(), vec![0; 10_000]].concat();
    for (coding, flood) in [("zstd", frame), ("gzip", members), ("deflate", blocks), ("br", padded)]
    {
        let server = Server::start(move |_, _| {
            let head = format!("HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\n\r\n");
            vec![Step::Send(head.into_bytes()), Step::Flood(flood.clone())]
        })
        .await;
        let answer = small_bodies().fetch(&request(&server.url("/"))).await;
        assert!(answer.body_bytes < 10, "{coding}: {}", answer.body_bytes);
        let most = BODY_BYTES_MAX + 64 * 1024;
        let whole = answer.wire_bytes;
        assert!(whole > most && whole < most + 1_000_000, "{coding}: {whole}");
        let wanted =
            "the answer takes more than 165.5 kB on the wire; fetch.body_bytes_max sets the limit";
        assert_eq!(failure(answer).reason, wanted, "{coding}");
    }
}

#[tokio::test]
async fn bytes_are_counted_on_the_wire_and_decompressed() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&[b'a'; 50_000]).unwrap();
    let body = encoder.finish().unwrap();
    let (sent, lines) = (body.len() as u64, ["Content-Encoding: gzip"]);
    let server = Server::saying(answer("200 OK", &lines, body)).await;
    let answer = small_bodies().fetch(&request(&server.url("/"))).await;
    let headers = "content-length: 99\r\n".len() + "content-encoding: gzip\r\n".len();
    assert_eq!((answer.body_bytes, answer.wire_bytes), (50_000, sent + headers as u64));
}

#[tokio::test]
async fn a_body_of_exactly_the_limit_passes_and_one_byte_more_does_not() {
    let limit = usize::try_from(BODY_BYTES_MAX).unwrap();
    for chunked in [false, true] {
        let bytes = |length: usize| {
            if chunked {
                let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
                let size = format!("{length:x}\r\n");
                [head.as_bytes(), size.as_bytes(), &vec![b'a'; length], b"\r\n0\r\n\r\n"].concat()
            } else {
                answer("200 OK", &[], vec![b'a'; length])
            }
        };
        let server = Server::saying(bytes(limit)).await;
        let answer = small_bodies().fetch(&request(&server.url("/"))).await;
        assert_eq!(content(answer).body.len(), limit);
        let server = Server::saying(bytes(limit + 1)).await;
        let answer = small_bodies().fetch(&request(&server.url("/"))).await;
        assert_eq!(failure(answer).reason, TOO_LONG);
    }
}

#[tokio::test]
async fn a_body_promised_too_long_is_not_read() {
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n".to_vec();
    let server = Server::start(move |_, _| vec![Step::Send(head.clone()), Step::Stall]).await;
    let answer = small_bodies().fetch(&request(&server.url("/"))).await;
    assert_eq!(answer.body_bytes, 0);
    assert_eq!(failure(answer).reason, TOO_LONG);
}

#[tokio::test]
async fn an_endless_body_is_cut() {
    let server = Server::start(|_, _| {
        let head = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
        vec![Step::Send(head), Step::Flood(vec![b'a'; 8_192])]
    })
    .await;
    let answer = small_bodies().fetch(&request(&server.url("/"))).await;
    assert_eq!(failure(answer).reason, TOO_LONG);
}

#[tokio::test]
async fn a_body_that_drips_is_given_up_after_the_whole_time() {
    let server = Server::start(|_, _| {
        let head = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n".to_vec();
        vec![Step::Send(head), Step::Drip(vec![b'a'])]
    })
    .await;
    let fetcher = with(|config| config.total_max = Span::from_millis(200));
    let failure = failure(fetcher.fetch(&request(&server.url("/"))).await);
    assert_eq!(
        failure.reason,
        "the answer was not complete after 200 ms; fetch.total_seconds sets the limit"
    );
}

#[tokio::test]
async fn a_request_may_have_less_time_than_others() {
    let server = Server::start(|_, _| vec![Step::Stall]).await;
    let short =
        fetch::Request { time_max: Some(Span::from_millis(100)), ..request(&server.url("/")) };
    let failure = failure(fetcher().fetch(&short).await);
    assert_eq!(
        failure.reason,
        "the answer was not complete after 100 ms, which is all that a page gets that keeps failing"
    );
}

#[tokio::test]
async fn headers_that_drip_are_given_up_too() {
    let server = Server::start(|_, _| {
        vec![Step::Send(b"HTTP/1.1 200 OK\r\nX: ".to_vec()), Step::Drip(vec![b'a'])]
    })
    .await;
    let fetcher = with(|config| config.total_max = Span::from_millis(200));
    let failure = failure(fetcher.fetch(&request(&server.url("/"))).await);
    assert_eq!(
        failure.reason,
        "the answer was not complete after 200 ms; fetch.total_seconds sets the limit"
    );
}

#[tokio::test]
async fn a_body_that_stops_is_given_up_after_the_time_between_reads() {
    let server = Server::start(|_, _| {
        let half = b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabcde".to_vec();
        vec![Step::Send(half), Step::Stall]
    })
    .await;
    let fetcher = with(|config| config.between_reads_max = Span::from_millis(100));
    let answer = fetcher.fetch(&request(&server.url("/"))).await;
    assert_eq!(answer.body_bytes, 5);
    let reason = failure(answer).reason;
    let stopped = "127.0.0.1 stopped in the middle of its answer for 100 ms; \
                   fetch.pause_seconds sets the limit";
    assert_eq!(reason, stopped);
}

#[tokio::test]
async fn a_server_that_says_nothing_is_given_up() {
    let server = Server::start(|_, _| vec![Step::Stall]).await;
    let fetcher = with(|config| {
        config.connect_max = Span::from_millis(100);
        config.between_reads_max = Span::from_millis(100);
    });
    let reason = failure(fetcher.fetch(&request(&server.url("/"))).await).reason;
    let silent = "sent no answer within 200 ms; fetch.connect_seconds and fetch.pause_seconds \
                  together set the limit";
    assert!(reason.ends_with(silent), "{reason}");
}

#[tokio::test]
async fn too_many_headers_and_too_long_ones_are_failures() {
    let many: Vec<String> = (0..300).map(|number| format!("X-{number}: 1")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    failure(fetched(answer("200 OK", &many, "x")).await);

    let long = format!("X-Long: {}", "a".repeat(70_000));
    let too_long = failure(fetched(answer("200 OK", &[&long], "x")).await);
    assert_eq!(too_long.reason, "the headers of the answer are longer than 65.5 kB");

    let server = Server::start(|_, _| {
        let head = b"HTTP/1.1 200 OK\r\nX: ".to_vec();
        vec![Step::Send(head), Step::Flood(vec![b'a'; 8_192])]
    })
    .await;
    let endless = failure(fetcher().fetch(&request(&server.url("/"))).await);
    assert!(endless.reason.contains("gave no answer that can be read"), "{endless:?}");
}
