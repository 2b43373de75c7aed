//! Which answers are content, not modified, or failures.

use crate::fixture::*;
use chronon::Span;
use fetch::Outcome;

#[tokio::test]
async fn a_complete_answer_is_content_with_what_its_headers_say() {
    let lines = [
        "Content-Type: text/html; charset=ISO-8859-1",
        "ETag: \"v1\"",
        "Last-Modified: Thu, 31 Dec 2026 00:00:00 GMT",
        &format!("Date: {DATE}"),
    ];
    let server = Server::saying(answer("200 OK", &lines, "<p>Porto 30</p>")).await;
    let answer = fetcher().fetch(&request(&server.url("/a?b#c"))).await;
    assert_eq!(answer.body_bytes, 15);
    let content = content(answer);
    assert_eq!((content.status, &content.body[..]), (200, &b"<p>Porto 30</p>"[..]));
    assert_eq!(content.content_type.as_deref(), Some("text/html; charset=ISO-8859-1"));
    assert_eq!(content.final_url, server.url("/a?b"));
    assert_eq!(content.etag.as_deref(), Some("\"v1\""));
    assert_eq!(content.last_modified.as_deref(), Some("Thu, 31 Dec 2026 00:00:00 GMT"));
    assert_eq!(content.modified_at.unwrap().to_string(), "2026-12-31T00:00:00.000Z");
}

#[tokio::test]
async fn a_203_is_content_and_so_is_an_empty_body() {
    let answer = fetched(answer("203 Non-Authoritative Information", &[], "")).await;
    let content = content(answer);
    assert_eq!((content.status, content.body.len()), (203, 0));
}

#[tokio::test]
async fn every_other_status_is_a_failure_that_names_it() {
    for (status, said) in [
        ("201 Created", "the server answered 201 Created"),
        ("202 Accepted", "the server answered 202 Accepted"),
        ("204 No Content", "the server answered 204 No Content"),
        ("206 Partial Content", "the server answered 206 Partial Content"),
        ("300 Multiple Choices", "the server answered 300 Multiple Choices"),
        ("305 Use Proxy", "the server answered 305 Use Proxy"),
        ("400 Whatever", "the server answered 400 Bad Request"),
        ("401 x", "the server answered 401 Unauthorized"),
        ("404 x", "the server answered 404 Not Found"),
        ("410 x", "the server answered 410 Gone"),
        ("500 x", "the server answered 500 Internal Server Error"),
        ("502 x", "the server answered 502 Bad Gateway"),
        ("599 x", "the server answered 599"),
        ("999 x", "the server answered 999"),
    ] {
        let failure = failure(fetched(answer(status, &["Retry-After: 5"], "x")).await);
        assert_eq!(failure.status.map(|s| s.to_string()).as_deref(), status.get(..3));
        assert_eq!(failure.reason, said);
        assert!(!failure.holds_host, "{status}");
    }
}

#[tokio::test]
async fn overload_holds_the_host_for_as_long_as_the_server_says() {
    for status in ["429 x", "503 x"] {
        let wait = |lines: &'static [&'static str]| async move {
            let failure = failure(fetched(answer(status, lines, "")).await);
            assert!(failure.holds_host);
            failure.retry_after
        };
        assert_eq!(wait(&["Retry-After: 120"]).await, Some(Span::from_secs(120)));
        assert_eq!(wait(&["Retry-After: Fri, 01 Jan 2027 00:01:10 GMT"]).await, Some(Span::MINUTE));
        assert_eq!(wait(&[]).await, None);
        assert_eq!(wait(&["Retry-After: 31536000"]).await, Some(Span::DAY));
    }
}

#[tokio::test]
async fn a_page_that_has_not_changed_is_asked_with_its_validators_and_not_modified() {
    let server = Server::start(|number, _| {
        let lines = ["ETag: \"v1\"", "Last-Modified: Thu, 31 Dec 2026 00:00:00 GMT"];
        let date = format!("Date: {DATE}");
        let lines = [lines[0], lines[1], &date];
        vec![Step::Send(if number == 0 {
            answer("200 OK", &lines, "x")
        } else {
            b"HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n".to_vec()
        })]
    })
    .await;
    let (fetcher, url) = (fetcher(), server.url("/"));
    let first = content(fetcher.fetch(&request(&url)).await);
    let mut again = request(&url);
    again.validators = Some(fetch::Validators {
        url: first.final_url,
        etag: first.etag,
        last_modified: first.last_modified,
    });
    assert_eq!(fetcher.fetch(&again).await.outcome, Outcome::NotModified);
    let heads = server.heads();
    assert!(!heads[0].contains("if-none-match") && !heads[0].contains("if-modified-since"));
    assert!(heads[1].contains("\r\nif-none-match: \"v1\"\r\n"), "{}", heads[1]);
    assert!(heads[1].contains("\r\nif-modified-since: thu, 31 dec 2026 00:00:00 gmt\r\n"));
}

#[tokio::test]
async fn a_304_to_an_unconditional_request_is_a_failure() {
    let failure = failure(fetched("HTTP/1.1 304 Not Modified\r\n\r\n").await);
    assert_eq!(failure.status, Some(304));
    assert!(failure.reason.contains("although nothing was known before"), "{}", failure.reason);
}

#[tokio::test]
async fn a_page_written_in_the_second_of_its_answer_gives_no_validators() {
    let date = format!("Date: {DATE}");
    let lines = [date.as_str(), "ETag: \"v1\"", "Last-Modified: Fri, 01 Jan 2027 00:00:09 GMT"];
    let content = content(fetched(answer("200 OK", &lines, "x")).await);
    assert_eq!((content.etag, content.last_modified), (None, None));
    assert_eq!(content.modified_at.unwrap().to_string(), "2027-01-01T00:00:09.000Z");
}

#[tokio::test]
async fn a_request_says_who_asks_and_what_can_be_read_and_keeps_no_cookie() {
    let server = Server::start(|_, _| {
        vec![Step::Send(answer("200 OK", &["Set-Cookie: id=7; Path=/"], "x"))]
    })
    .await;
    let fetcher = fetcher();
    for _ in 0..2 {
        content(fetcher.fetch(&request(&server.url("/"))).await);
    }
    for head in server.heads() {
        let version = env!("CARGO_PKG_VERSION").rsplit_once('.').map_or("", |(short, _)| short);
        let agent = format!("\r\nuser-agent: tidings/{version} (self-hosted page watcher)\r\n");
        assert!(head.contains(&agent), "{head}");
        assert!(head.contains("\r\naccept: text/html, application/xhtml+xml"), "{head}");
        for coding in ["gzip", "br", "zstd", "deflate"] {
            let codings = head.split("accept-encoding: ").nth(1).unwrap();
            assert!(codings.lines().next().unwrap().contains(coding), "{head}");
        }
        assert!(!head.contains("cookie") && !head.contains("referer"), "{head}");
    }
}

#[tokio::test]
async fn an_attempt_that_gets_no_answer_is_not_repeated() {
    let server = Server::start(|number, _| match number {
        0 => vec![Step::Send(answer("200 OK", &[], "x"))],
        _ => vec![Step::Close],
    })
    .await;
    let (fetcher, url) = (fetcher(), server.url("/"));
    content(fetcher.fetch(&request(&url)).await);
    let failure = failure(fetcher.fetch(&request(&url)).await);
    assert!(failure.reason.contains("gave no answer that can be read"), "{}", failure.reason);
    assert_eq!(server.heads().len(), 2);
}

#[tokio::test]
async fn what_is_not_http_is_a_failure() {
    for garbage in [
        &b""[..],
        b"\r\n\r\n",
        b"<html>no head</html>",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"HTTP/3.7 200 OK\r\n\r\n",
        b"HTTP/1.1 2000 OK\r\n\r\n",
        b"HTTP/1.1 abc OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nno colon\r\n\r\nx",
        b"HTTP/1.1 200 OK\r\nContent-Length: minus one\r\n\r\nx",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        b"HTTP/1.1 200 OK\r\nContent-Le",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    ] {
        let failure = failure(fetched(garbage).await);
        let shown = String::from_utf8_lossy(garbage);
        assert!(failure.reason.contains("gave no answer that can be read"), "{shown}: {failure:?}");
        assert_eq!(failure.status, None, "{shown}");
    }
}

#[tokio::test]
async fn hints_before_the_answer_are_skipped() {
    let early = b"HTTP/1.1 103 Early Hints\r\nLink: </s.css>\r\n\r\n".to_vec();
    let all = [early, answer("200 OK", &[], "x")].concat();
    assert_eq!(&content(fetched(all).await).body[..], b"x");
}

#[tokio::test]
async fn a_refused_connection_is_told_as_such() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let failure = failure(fetcher().fetch(&request(&format!("http://{address}/"))).await);
    assert_eq!(failure.reason, format!("{address} refused the connection"));
}

#[tokio::test]
async fn what_is_no_url_is_a_failure_not_a_panic() {
    for url in ["", "not a url", "http://", "ftp://air.example/", "http://a b/", "http://[::1/"] {
        failure(fetcher().fetch(&request(url)).await);
    }
    let long = format!("http://127.0.0.1/{}", "a".repeat(10_000));
    assert!(failure(fetcher().fetch(&request(&long)).await).reason.contains("longer than"));
}
