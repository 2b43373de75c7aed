//! Recipients on loopback: an HTTP receiver and a mail server that do what a test says.

use chronon::{Instant, Zone};
use deliver::{Channel, Config, Delivered, Deliverer, Delivery};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// 2027-01-01T00:00:10Z.
pub(crate) const NOW: Instant = Instant::from_millis(1_798_761_610_000);
static UTC: Zone = Zone::utc();
pub(crate) const KEY: &str = "00112233445566778899aabbccddeeff";
/// Spaced oddly, so that a body that was parsed and written again would differ.
pub(crate) const BODY: &str =
    "{\"format\": 1,  \"summary\":\"2 links added on cnn.com — ünï\", \"x\": [1,2 ,3]}\n";

/// One request as received.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    /// In lower case.
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Received {
    pub(crate) fn header(&self, name: &str) -> &str {
        let prefix = format!("{name}: ");
        let mut lines = self.head.lines();
        lines.find_map(|line| line.strip_prefix(&prefix)).unwrap_or_default()
    }
}

/// An HTTP receiver.
pub(crate) struct Receiver {
    pub(crate) url: String,
    received: Arc<Mutex<Vec<Received>>>,
}

impl Receiver {
    /// Answers every request with these bytes; with none it stays silent.
    pub(crate) async fn answering(answer: &str) -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook/t0ken", listener.local_addr().unwrap());
        let received = Arc::new(Mutex::new(Vec::new()));
        let (answer, seen) = (answer.to_owned(), received.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(receive(stream, answer.clone(), seen.clone()));
            }
        });
        Receiver { url, received }
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }
}

async fn receive(mut stream: TcpStream, answer: String, seen: Arc<Mutex<Vec<Received>>>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let Ok(byte) = stream.read_u8().await else { return };
        head.push(byte);
    }
    let head = String::from_utf8(head).unwrap();
    let mut received = Received { head: head.to_ascii_lowercase(), body: Vec::new() };
    // The signature is case-sensitive; everything else is looked at in lower case.
    if let Some(line) = head.lines().find(|line| line.starts_with("webhook-signature: ")) {
        received.head = format!("{line}\r\n{}", received.head);
    }
    let length = received.header("content-length").parse().unwrap();
    received.body = vec![0; length];
    stream.read_exact(&mut received.body).await.unwrap();
    seen.lock().unwrap().push(received);
    if answer.is_empty() {
        while stream.read(&mut [0; 64]).await.is_ok_and(|read| read > 0) {}
    }
    let _ = stream.write_all(answer.as_bytes()).await;
}

/// A mail server; what was said to it, and the mails it took.
pub(crate) struct MailServer {
    pub(crate) port: u16,
    said: Arc<Mutex<Vec<String>>>,
    mails: Arc<Mutex<Vec<String>>>,
}

impl MailServer {
    /// Answers commands that start with `command` with `reply`, the others as if all were well.
    /// `{}` in the reply is what the client said.
    pub(crate) async fn refusing(command: &'static str, reply: &'static str) -> MailServer {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (said, mails) = <(Arc<Mutex<Vec<String>>>, Arc<Mutex<Vec<String>>>)>::default();
        let server = MailServer { port, said: said.clone(), mails: mails.clone() };
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (said, mails) = (said.clone(), mails.clone());
                tokio::spawn(async move { talk(stream, (command, reply), said, mails).await });
            }
        });
        server
    }

    pub(crate) async fn start() -> MailServer {
        MailServer::refusing("NOTHING", "").await
    }

    pub(crate) fn said(&self) -> String {
        self.said.lock().unwrap().join("\n")
    }

    pub(crate) fn mails(&self) -> Vec<String> {
        self.mails.lock().unwrap().clone()
    }
}

async fn talk(
    stream: TcpStream,
    (command, reply): (&str, &str),
    said: Arc<Mutex<Vec<String>>>,
    mails: Arc<Mutex<Vec<String>>>,
) -> Option<()> {
    let mut stream = BufReader::new(stream);
    stream.write_all(b"220 mail.test ESMTP\r\n").await.ok()?;
    loop {
        let line = read_line(&mut stream).await?;
        said.lock().unwrap().push(line.clone());
        let verb = line.to_ascii_uppercase();
        let answer = if verb.starts_with(command) {
            reply.replace("{}", &line)
        } else if verb.starts_with("EHLO") {
            "250-mail.test\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 AUTH PLAIN LOGIN".to_owned()
        } else if verb.starts_with("AUTH") {
            "235 ok".to_owned()
        } else if verb.starts_with("DATA") {
            stream.write_all(b"354 go on\r\n").await.ok()?;
            let mut mail = String::new();
            loop {
                let line = read_line(&mut stream).await?;
                if line == "." {
                    break;
                }
                mail.push_str(&line);
                mail.push('\n');
            }
            mails.lock().unwrap().push(mail);
            if command == "." { reply.to_owned() } else { "250 taken".to_owned() }
        } else {
            "250 ok".to_owned()
        };
        stream.write_all(format!("{answer}\r\n").as_bytes()).await.ok()?;
    }
}

async fn read_line(stream: &mut BufReader<TcpStream>) -> Option<String> {
    let mut line = String::new();
    let read = stream.read_line(&mut line).await.ok()?;
    (read > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned())
}

/// TLS settings without a single trusted authority; loopback needs none.
pub(crate) fn tls() -> rustls::ClientConfig {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth()
}

pub(crate) fn deliverer(config: Config) -> Deliverer {
    Deliverer::new(config, tls()).unwrap()
}

pub(crate) fn delivery<'a>(channel: &'a Channel, contact: Option<&'a str>) -> Delivery<'a> {
    Delivery {
        channel,
        contact,
        key: KEY,
        body: BODY.as_bytes(),
        attempt: 1,
        now: NOW,
        template: None,
        zone: &UTC,
    }
}

#[track_caller]
pub(crate) fn reason(delivered: Delivered) -> String {
    match delivered {
        Delivered::Failed { reason, .. } => reason,
        other => panic!("no failure: {other:?}"),
    }
}
