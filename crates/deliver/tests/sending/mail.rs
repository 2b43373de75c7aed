//! Mail, against a mail server of ten lines.

use crate::fixture::*;
use chronon::Span;
use deliver::{Channel, Config, Delivered, Deliverer, Delivery, Secret, Smtp, SmtpTls};

const CHANGE: &str = r#"{"type": "change", "sentinel": "lisbon", "summary": "“Lisbon” appeared",
  "detected_at": "2027-01-01T00:00:09.000Z", "sources": [{"url": "https://air.example/deals"}],
  "changes": [{"type": "phrases", "kind": "insert", "new": {"text": "Lisbon 40 <b>now</b>"}}]}"#;

pub(crate) fn smtp(server: &MailServer) -> Smtp {
    Smtp {
        host: "127.0.0.1".to_owned(),
        port: Some(server.port),
        tls: SmtpTls::None,
        user: Some("ana".to_owned()),
        password: Some(Secret::new("hunter2-hunter2")),
        from: "Tidings <tidings@example.org>".to_owned(),
        dashboard: None,
        links: None,
        extra_roots: Vec::new(),
    }
}

fn sender(server: &MailServer) -> Deliverer {
    deliverer(Config { smtp: Some(smtp(server)), ..Config::default() })
}

async fn sent(server: &MailServer, to: &str) -> Delivered {
    let channel = Channel::Email { to: None };
    let delivery = Delivery { body: CHANGE.as_bytes(), ..delivery(&channel, Some(to)) };
    sender(server).deliver(&delivery).await
}

#[tokio::test]
async fn a_mail_has_the_change_as_text_and_as_html() {
    let server = MailServer::start().await;
    assert_eq!(sent(&server, "ana@example.org").await, Delivered::Delivered);
    let said = server.said();
    assert!(said.contains("MAIL FROM:<tidings@example.org>"), "{said}");
    assert!(said.contains("RCPT TO:<ana@example.org>"), "{said}");
    let [mail] = &server.mails()[..] else { panic!("more or less than one mail") };
    assert!(mail.contains("\nMessage-ID: <00112233445566778899aabbccddeeff@example.org>\n"));
    assert!(mail.starts_with("From: Tidings <tidings@example.org>\n"), "{mail}");
    assert!(mail.contains("\nTo: ana@example.org\n"), "{mail}");
    assert!(mail.contains("\nSubject: =?utf-8?b?"), "{mail}");
    assert!(mail.contains("multipart/alternative"), "{mail}");
    let text = mail.find("text/plain").unwrap();
    let html = mail.find("text/html").unwrap();
    assert!(text < html, "the richer part comes last");
    assert!(mail[text..html].contains("+ Lisbon 40 <b>now</b>"), "{mail}");
    assert!(mail[html..].contains("Lisbon 40 &lt;b&gt;now&lt;/b&gt;</ins>"), "{mail}");
}

#[tokio::test]
async fn a_refusal_of_the_mail_server_is_tried_again_and_told_with_its_words() {
    for (command, reply) in [
        ("RCPT", "450 mailbox busy"),
        ("RCPT", "550 no such user"),
        ("MAIL", "552 too much"),
        (".", "554 looks like spam"),
        ("EHLO", "421 going down"),
    ] {
        let server = MailServer::refusing(command, reply).await;
        let said = reason(sent(&server, "ana@example.org").await);
        let (code, words) = reply.split_once(' ').unwrap();
        assert!(said.contains(&format!("the mail server 127.0.0.1 answered {code}")), "{said}");
        assert!(said.ends_with(words), "{said}");
    }
}

#[tokio::test]
async fn a_mail_server_that_repeats_the_password_does_not_get_it_into_the_reason() {
    for reply in ["535 bad credentials: {}", "550 you said {}", "535 hunter2-hunter2"] {
        let server = MailServer::refusing("AUTH", reply).await;
        let said = reason(sent(&server, "ana@example.org").await);
        // The second is what AUTH PLAIN makes of "\0ana\0hunter2-hunter2".
        for secret in ["hunter2", "AGFuYQBodW50ZXIyLWh1bnRlcjI"] {
            assert!(!said.contains(secret), "{said}");
        }
        assert!(said.contains("refused user and password"), "{said}");
    }
}

#[tokio::test]
async fn no_debug_shows_the_password() {
    let server = MailServer::start().await;
    let config = Config { smtp: Some(smtp(&server)), ..Config::default() };
    let shown = format!("{config:?} {:?}", deliverer(config.clone()));
    assert!(!shown.contains("hunter2"), "{shown}");
}

#[tokio::test]
async fn credentials_are_not_sent_where_tls_was_asked_for_and_is_not_offered() {
    let server = MailServer::start().await;
    let smtp = Smtp { tls: SmtpTls::StartTls, ..smtp(&server) };
    let deliverer = deliverer(Config { smtp: Some(smtp), ..Config::default() });
    let channel = Channel::Email { to: Some("ana@example.org".to_owned()) };
    reason(deliverer.deliver(&delivery(&channel, None)).await);
    assert!(!server.said().contains("AUTH"), "{}", server.said());
    assert!(server.mails().is_empty());
}

#[tokio::test]
async fn an_address_that_is_none_and_a_missing_one_are_failures() {
    let server = MailServer::start().await;
    for to in ["ana", "", "a b@example.org", "ana@example.org\r\nRCPT TO:<eve@example.net>"] {
        let said = reason(sent(&server, to).await);
        assert!(said.ends_with("is not a mail address"), "{said}");
        assert!(!said.contains('\n'));
    }
    let nobody = Channel::Email { to: None };
    let said = reason(sender(&server).deliver(&delivery(&nobody, None)).await);
    assert!(said.contains("there is no mail address"), "{said}");
    let unset = deliverer(Config::default());
    let said = reason(unset.deliver(&delivery(&nobody, Some("ana@example.org"))).await);
    assert_eq!(said, "no mail server is configured; add [smtp]");
    assert!(server.said().is_empty());
}

#[tokio::test]
async fn a_mail_server_that_is_away_or_silent_is_a_failure() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = silent.local_addr().unwrap().port();
    let server = MailServer::start().await;
    let config = Config {
        smtp: Some(Smtp { port: Some(port), ..smtp(&server) }),
        email_max: Span::from_millis(100),
        ..Config::default()
    };
    let channel = Channel::Email { to: Some("ana@example.org".to_owned()) };
    let said = reason(deliverer(config.clone()).deliver(&delivery(&channel, None)).await);
    assert_eq!(said, "the mail server 127.0.0.1 did not finish within 100 ms");
    drop(silent);
    let patient = Config { email_max: Span::MINUTE, ..config };
    let said = reason(deliverer(patient).deliver(&delivery(&channel, None)).await);
    assert!(said.starts_with("no mail could be handed to 127.0.0.1"), "{said}");
}

#[tokio::test]
async fn a_sender_address_that_is_none_is_told_at_the_start() {
    let server = MailServer::start().await;
    let smtp = Smtp { from: "nobody".to_owned(), ..smtp(&server) };
    let error = Deliverer::new(Config { smtp: Some(smtp), ..Config::default() }, tls());
    assert!(error.unwrap_err().to_string().starts_with("smtp.from is not a mail address"));
}
