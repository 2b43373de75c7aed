//! A change by email, to a mail server as small as it can be.

use crate::harness::{Home, PATIENCE, QUICK};
use crate::page::Page;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};

/// A mail as it came.
struct Mail {
    envelope: Vec<String>,
    text: String,
}

/// Takes every mail, until the test ends.
struct MailServer {
    address: SocketAddr,
    mails: Receiver<Mail>,
}

impl MailServer {
    fn start() -> MailServer {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("bound");
        let (sender, mails) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let sender = sender.clone();
                // A client that goes away is its own affair.
                std::thread::spawn(move || drop(converse(stream, &sender)));
            }
        });
        MailServer { address, mails }
    }
}

/// RFC 5321, the part everybody uses.
fn converse(mut stream: TcpStream, mails: &Sender<Mail>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    stream.write_all(b"220 mail.example\r\n")?;
    let mut envelope = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let line = line.trim_end();
        match line.split(' ').next().unwrap_or_default() {
            "EHLO" => stream.write_all(b"250-mail.example\r\n250 8BITMIME\r\n")?,
            "DATA" => {
                stream.write_all(b"354 go on\r\n")?;
                let text = read_data(&mut reader)?;
                let envelope = std::mem::take(&mut envelope);
                // The test may have ended.
                let _ = mails.send(Mail { envelope, text });
                stream.write_all(b"250 taken\r\n")?;
            }
            "QUIT" => return stream.write_all(b"221 bye\r\n"),
            _ => {
                envelope.push(line.to_owned());
                stream.write_all(b"250 fine\r\n")?;
            }
        }
    }
}

fn read_data(reader: &mut impl BufRead) -> std::io::Result<String> {
    let mut text = String::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line == ".\r\n" {
            return Ok(text);
        }
        text += line.strip_prefix('.').unwrap_or(&line);
    }
}

/// Headers, unfolded, and the rest.
fn split(text: &str) -> (Vec<(String, String)>, &str) {
    let (head, body) = text.split_once("\r\n\r\n").expect("a head and a body");
    let head = head.replace("\r\n ", " ").replace("\r\n\t", " ");
    let header = |line: &str| {
        let (name, value) = line.split_once(": ").expect("a header");
        (name.to_lowercase(), value.to_owned())
    };
    (head.split("\r\n").map(header).collect(), body)
}

fn header<'a>(headers: &'a [(String, String)], name: &str) -> &'a str {
    let found: Vec<_> = headers.iter().filter(|(other, _)| other == name).collect();
    assert_eq!(found.len(), 1, "{name} in {headers:?}");
    &found[0].1
}

/// The parts of a multipart mail by media type, decoded.
fn parts(text: &str) -> Vec<(String, String)> {
    let (headers, body) = split(text);
    let kind = header(&headers, "content-type");
    assert!(kind.starts_with("multipart/alternative"), "{kind}");
    let boundary = kind.split("boundary=\"").nth(1).and_then(|rest| rest.split('"').next());
    let boundary = format!("--{}", boundary.expect("a boundary"));
    let parts = body.split(boundary.as_str()).skip(1).filter(|part| !part.starts_with("--"));
    let decoded = parts.map(|part| {
        let (headers, body) = split(part.trim_start_matches("\r\n"));
        let body = match header(&headers, "content-transfer-encoding") {
            "quoted-printable" => unquoted(body),
            "base64" => STANDARD.decode(body.replace("\r\n", "")).expect("base64"),
            _ => body.as_bytes().to_vec(),
        };
        let kind = header(&headers, "content-type").split(';').next().unwrap_or_default();
        (kind.to_owned(), String::from_utf8(body).expect("UTF-8"))
    });
    decoded.collect()
}

fn unquoted(text: &str) -> Vec<u8> {
    let text = text.replace("=\r\n", "");
    let mut pieces = text.split('=');
    let mut bytes = pieces.next().unwrap_or_default().as_bytes().to_vec();
    for piece in pieces {
        let (code, rest) = piece.split_at(2);
        bytes.push(u8::from_str_radix(code, 16).expect("two digits"));
        bytes.extend(rest.as_bytes());
    }
    bytes
}

#[test]
fn a_change_comes_by_email_as_text_and_html_under_its_key() {
    let mail_server = MailServer::start();
    let home = Home::new(&format!(
        "{QUICK}[smtp]\nhost = \"127.0.0.1\"\nport = {}\ntls = \"none\"\n\
         from = \"Tidings <tidings@sender.example>\"\n",
        mail_server.address.port()
    ));
    let page = Page::of("<p>Porto 30 €</p>");
    home.apply(&format!(
        "create sentinel air using {} monitor phrase \"Lisbon\" notify by email ana@example.org",
        page.url()
    ));
    let server = home.serve();
    server.events().wait_for("version", |version| version["version"] == 1);
    page.show("<p>Porto 30 €</p><p>Lisbon 40 € &lt;b&gt;now&lt;/b&gt;</p>");
    let mail = mail_server.mails.recv_timeout(PATIENCE).expect("a mail");
    assert!(mail.envelope[0].starts_with("MAIL FROM:<tidings@sender.example>"));
    assert!(mail.envelope[1].starts_with("RCPT TO:<ana@example.org>"));
    let (headers, _) = split(&mail.text);
    let key = server.items("/notifications")[0]["key"].as_str().expect("a key").to_owned();
    assert_eq!(header(&headers, "message-id"), format!("<{key}@sender.example>"));
    assert_eq!(header(&headers, "to"), "ana@example.org");
    assert!(header(&headers, "subject").contains(" appeared on 127.0.0.1"), "{headers:?}");
    let parts = parts(&mail.text);
    let kinds: Vec<&str> = parts.iter().map(|(kind, _)| kind.as_str()).collect();
    assert_eq!(kinds, ["text/plain", "text/html"]);
    let (text, html) = (&parts[0].1, &parts[1].1);
    assert!(text.contains("Lisbon") && text.contains(&page.url()), "{text}");
    assert!(html.contains("Lisbon") && html.contains(&page.url()), "{html}");
    assert!(!html.contains("<b>now"), "the page's markup is text: {html}");
    assert_eq!(server.terminate().code(), Some(0));
    assert!(mail_server.mails.try_recv().is_err(), "one mail");
}
