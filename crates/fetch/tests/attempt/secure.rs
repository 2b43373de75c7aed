//! TLS and HTTP/2.

use crate::fixture::*;
use bytes::Bytes;
use fetch::{Config, Fetcher};
use http::{Response, StatusCode};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// A server for `localhost` that speaks HTTP/2 over TLS, and its certificate.
async fn start() -> (String, CertificateDer<'static>) {
    fetch::install_tls_provider();
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
    let mut tls = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)
        .unwrap();
    tls.alpn_protocols = vec![b"h2".to_vec()];
    let acceptor = TlsAcceptor::from(Arc::new(tls));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                if let Ok(stream) = acceptor.accept(stream).await {
                    serve(stream).await;
                }
            });
        }
    });
    (format!("https://localhost:{port}"), cert.der().clone())
}

async fn serve(stream: TlsStream<TcpStream>) {
    let mut connection = h2::server::handshake(stream).await.unwrap();
    while let Some(Ok((request, mut respond))) = connection.accept().await {
        let conditional = request.headers().contains_key("if-none-match");
        let status = if conditional { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
        let head = Response::builder().status(status).header("etag", "\"v1\"").body(()).unwrap();
        let mut body = respond.send_response(head, conditional).unwrap();
        match request.uri().path() {
            _ if conditional => {}
            "/broken" => {
                body.send_data(Bytes::from_static(b"Por"), false).unwrap();
                body.send_reset(h2::Reason::INTERNAL_ERROR);
            }
            _ => body.send_data(Bytes::from_static(b"Porto 30"), true).unwrap(),
        }
    }
}

fn trusting(root: CertificateDer<'static>) -> Fetcher {
    Fetcher::new(Config { extra_roots: vec![root], ..config() }).unwrap()
}

#[tokio::test]
async fn a_page_comes_over_tls_and_http_2_and_is_not_modified_then() {
    let (base, root) = start().await;
    let (fetcher, url) = (trusting(root), format!("{base}/page"));
    let content = content(fetcher.fetch(&request(&url)).await);
    assert_eq!(&content.body[..], b"Porto 30");
    assert_eq!(content.etag.as_deref(), Some("\"v1\""));
    let again = fetcher.fetch(&conditional(&url, &content.final_url)).await;
    assert_eq!(again.outcome, fetch::Outcome::NotModified);
}

#[tokio::test]
async fn a_stream_that_is_reset_is_a_failure() {
    let (base, root) = start().await;
    let failure = failure(trusting(root).fetch(&request(&format!("{base}/broken"))).await);
    assert!(failure.reason.contains("stream error"), "{}", failure.reason);
}

#[tokio::test]
async fn a_certificate_nobody_vouches_for_is_a_failure_that_says_so() {
    let (base, _) = start().await;
    let failure = failure(fetcher().fetch(&request(&base)).await);
    assert!(failure.reason.starts_with("no secure connection to localhost:"), "{failure:?}");
    assert!(failure.reason.contains("certificate"), "{failure:?}");
}

#[tokio::test]
async fn a_server_that_does_not_speak_tls_is_a_failure() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
        // Stays open: the client must not wait for more.
        while stream.read(&mut [0; 64]).await.is_ok_and(|read| read > 0) {}
    });
    let failure = failure(fetcher().fetch(&request(&format!("https://{address}/"))).await);
    assert!(failure.reason.starts_with("no secure connection to"), "{failure:?}");
}
