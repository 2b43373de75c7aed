//! Mail over SMTP: the change readable as text and as HTML.

use crate::links::{Home, Links};
use crate::render::{Colour, clean_line, html_of, linked, page, text_of};
use crate::secret::Secret;
use crate::template::Wording;
use crate::{Delivered, Delivery, SetupError};
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use chronon::{Instant, Span};
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart, SinglePart};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::transport::smtp::{self, PoolConfig};
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use notice::{LinkKey, Notice};
use std::error::Error;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Characters of a subject.
const SUBJECT_CHARS_MAX: usize = 200;
/// Connections kept to the mail server.
const CONNECTIONS_MAX: u32 = 4;
/// One answer of the mail server.
const COMMAND: Duration = Duration::from_secs(20);

/// The mail server, `[smtp]`.
#[derive(Debug, Clone)]
pub struct Smtp {
    pub host: String,
    /// `None`: 465, 587 or 25, as `tls` says.
    pub port: Option<u16>,
    pub tls: SmtpTls,
    pub user: Option<String>,
    pub password: Option<Secret>,
    /// Who writes: `Tidings <tidings@example.org>`.
    pub from: String,
    /// Where the dashboard is, with a slash at its end: every mail then links to its sentinel.
    pub dashboard: Option<String>,
    /// Signs links that stop or snooze a sentinel; `None`: a mail has none.
    pub links: Option<LinkKey>,
    /// Certificates of authorities trusted beyond the public ones, in DER form.
    pub extra_roots: Vec<Vec<u8>>,
}

/// How the connection to the mail server is secured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmtpTls {
    /// From the first byte (port 465).
    Implicit,
    /// After STARTTLS, which must succeed (port 587).
    StartTls,
    /// Not at all (port 25): for a mail server on the same machine or network.
    None,
}

impl SmtpTls {
    fn port(self) -> u16 {
        match self {
            SmtpTls::Implicit => 465,
            SmtpTls::StartTls => 587,
            SmtpTls::None => 25,
        }
    }
}

/// Sends mail.
#[derive(Debug, Clone)]
pub(crate) struct Sender {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    dashboard: Option<String>,
    links: Option<LinkKey>,
    host: String,
    /// What a mail server may repeat and we must not: the password, as it is and as it is sent.
    withheld: Vec<Secret>,
    limit: Span,
}

impl Sender {
    pub(crate) fn new(smtp: &Smtp, limit: Span) -> Result<Sender, SetupError> {
        let from: Mailbox = smtp.from.parse().map_err(|_| SetupError::From)?;
        let mut builder =
            AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(smtp.host.clone())
                .port(smtp.port.unwrap_or(smtp.tls.port()))
                .tls(tls(smtp)?)
                .timeout(Some(COMMAND))
                .pool_config(PoolConfig::new().max_size(CONNECTIONS_MAX));
        let mut withheld = Vec::new();
        if let (Some(user), Some(password)) = (&smtp.user, &smtp.password) {
            withheld = spellings(user, password.reveal());
            let credentials = Credentials::new(user.clone(), password.reveal().to_owned());
            builder = builder.credentials(credentials);
        }
        let (dashboard, host) = (smtp.dashboard.clone(), smtp.host.clone());
        let (transport, links) = (builder.build(), smtp.links.clone());
        Ok(Sender { transport, from, dashboard, links, host, withheld, limit })
    }

    pub(crate) async fn send(&self, to: &str, delivery: &Delivery<'_>) -> Delivered {
        let Ok(to) = to.parse::<Mailbox>() else {
            let shown = clean_line(to, SUBJECT_CHARS_MAX);
            return Delivered::failed(format!("{shown} is not a mail address"));
        };
        let home = self.dashboard.as_deref().map(|url| Home { url, key: self.links.as_ref() });
        let message = match compose(&self.from, home, to, delivery) {
            Ok(message) => message,
            Err(error) => return Delivered::failed(format!("the mail cannot be written: {error}")),
        };
        let limit = Duration::from_millis(u64::try_from(self.limit.as_millis()).unwrap_or(0));
        match tokio::time::timeout(limit, self.transport.send(message)).await {
            Ok(Ok(_)) => Delivered::Delivered,
            Ok(Err(error)) => Delivered::failed(self.sentence(&error)),
            Err(_) => {
                let (host, limit) = (&self.host, self.limit);
                Delivered::failed(format!("the mail server {host} did not finish within {limit}"))
            }
        }
    }

    fn sentence(&self, error: &smtp::Error) -> String {
        let host = &self.host;
        let words = error.source().map(ToString::to_string).unwrap_or_default();
        let said = clean_line(&words, SUBJECT_CHARS_MAX);
        let Some(code) = error.status() else {
            return format!("no mail could be handed to {host}: {said}");
        };
        let code = u16::from(code);
        // What a server answers to credentials may repeat them.
        let about_credentials = matches!(code, 334 | 432 | 454 | 530 | 534 | 535 | 538)
            || self.withheld.iter().any(|secret| words.contains(secret.reveal()));
        if about_credentials {
            return format!("the mail server {host} refused user and password with {code}");
        }
        format!("the mail server {host} answered {code}: {said}")
    }
}

/// A password as AUTH LOGIN and AUTH PLAIN send it, and bare.
fn spellings(user: &str, password: &str) -> Vec<Secret> {
    let encode = |text: &str| STANDARD_NO_PAD.encode(text);
    let plain = format!("\0{user}\0{password}");
    let mut all = vec![password.to_owned(), encode(password), encode(&plain)];
    all.retain(|spelling| !spelling.is_empty());
    all.into_iter().map(Secret::new).collect()
}

fn tls(smtp: &Smtp) -> Result<Tls, SetupError> {
    let mut parameters = TlsParameters::builder(smtp.host.clone());
    for root in &smtp.extra_roots {
        let root = Certificate::from_der(root.clone()).map_err(|_| SetupError::SmtpTls)?;
        parameters = parameters.add_root_certificate(root);
    }
    let parameters = parameters.build().map_err(|_| SetupError::SmtpTls)?;
    Ok(match smtp.tls {
        SmtpTls::Implicit => Tls::Wrapper(parameters),
        SmtpTls::StartTls => Tls::Required(parameters),
        SmtpTls::None => Tls::None,
    })
}

/// Said where nobody has told the server its own address.
const NO_HOME: &str = "Set public_url in tidings.toml, and mails link to what changed, and have \
                       links to stop or snooze.";

/// Whether mail can be from this: an address, or one as `Ana <ana@example.org>`.
pub fn is_sender(text: &str) -> bool {
    text.parse::<Mailbox>().is_ok()
}

/// The mail of a notification: the same bytes at every attempt but for its Date, and the day on
/// which its links end.
fn compose(
    from: &Mailbox,
    home: Option<Home<'_>>,
    to: Mailbox,
    delivery: &Delivery<'_>,
) -> Result<Message, lettre::error::Error> {
    let read = Notice::read(delivery.body);
    let (mut text, mut html) = told(delivery, read.as_ref());
    let kind = read.as_ref().map_or("none", |notice| notice.kind.name());
    let notice = read.unwrap_or_default();
    let sentinel = notice.sentinel.clone().or_else(|| notice.rule.clone()).unwrap_or_default();
    let subject = match clean_line(&notice.summary, SUBJECT_CHARS_MAX) {
        none if none.is_empty() => "Tidings".to_owned(),
        subject => subject,
    };
    let links = home.map(|home| Links::of(home, &notice, delivery.now)).unwrap_or_default();
    let mut foot = String::new();
    let all = [
        ("What changed, in the whole page", &links.compared),
        ("On the dashboard", &links.dashboard),
        ("Hear nothing of it for a while", &links.snooze),
        ("Stop it", &links.stop),
    ];
    for (words, place) in
        all.into_iter().filter_map(|(words, place)| Some((words, place.as_ref()?)))
    {
        text += &format!("\n{words}: {place}\n");
        foot += &format!("<p>{}</p>\n", linked(words, Some(place)));
    }
    if home.is_none() {
        text += &format!("\n{NO_HOME}\n");
        foot += &format!("<p style=\"color:#666\"><small>{NO_HOME}</small></p>\n");
    }
    html = html.replacen("\n</body>", &format!("\n{foot}</body>"), 1);
    let key = token(delivery.key);
    let domain = from.email.domain();
    let parts = MultiPart::alternative()
        .boundary(format!("tidings-{key}"))
        .singlepart(SinglePart::plain(text))
        .singlepart(SinglePart::html(html));
    let mut message = Message::builder()
        .from(from.clone())
        .to(to)
        .subject(subject)
        .date(system_time(delivery.now))
        .message_id(Some(format!("<{key}@{domain}>")))
        .raw_header(header("Auto-Submitted", "auto-generated"))
        .raw_header(header("X-Tidings-Type", kind))
        .raw_header(header("X-Tidings-Key", &key));
    if !sentinel.is_empty() {
        let name = clean_line(&sentinel, SUBJECT_CHARS_MAX);
        let id = format!("<{}.tidings.{domain}>", token(&sentinel.to_lowercase()));
        message = message
            .raw_header(header("X-Tidings-Sentinel", &name))
            .raw_header(header("List-Id", &id));
    }
    if let Some(stop) = &links.stop {
        message = message.raw_header(header("List-Unsubscribe", &format!("<{stop}>")));
        // A mail program may do it at once where nobody on the way can see the link (RFC 8058).
        if stop.starts_with("https://") {
            message =
                message.raw_header(header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"));
        }
    }
    message.multipart(parts)
}

/// What a mail says above its links, as text and as HTML.
fn told(delivery: &Delivery<'_>, read: Option<&Notice>) -> (String, String) {
    let plain = || (text_of(read, Colour::Never, delivery.zone), html_of(read, delivery.zone));
    let escaped = |line: &str| linked(line, None);
    match delivery.wording() {
        Wording::Plain => plain(),
        Wording::Own(lines) => {
            let paragraph = lines.iter().map(|line| escaped(line)).collect::<Vec<_>>();
            let inner = format!("<p>{}</p>", paragraph.join("<br>\n"));
            (lines.join("\n") + "\n", page("Tidings", &inner))
        }
        Wording::Failed(why) => {
            let (text, html) = plain();
            let said = format!("<p>{}</p>\n", escaped(&why));
            let html = html.replacen("1.4\">\n", &format!("1.4\">\n{said}"), 1);
            (format!("{why}\n\n{text}"), html)
        }
    }
}

/// A header; the library encodes what is not printable ASCII, line ends too.
fn header(name: &'static str, value: &str) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned())
}

/// Only letters, digits, dots, hyphens and underscores; never empty, at most 64 characters.
fn token(text: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let token: String = text.chars().map(|c| if fits(c) { c } else { '-' }).take(64).collect();
    if token.is_empty() { "none".to_owned() } else { token }
}

fn system_time(now: Instant) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(u64::try_from(now.as_millis()).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Channel;
    use notice::Act;

    fn composed(to: &str, key: &str, body: &str) -> String {
        composed_on(None, to, key, body)
    }

    fn composed_on(dashboard: Option<&str>, to: &str, key: &str, body: &str) -> String {
        let delivery = Delivery {
            channel: &Channel::Email { to: None },
            contact: None,
            key,
            body: body.as_bytes(),
            attempt: 1,
            now: Instant::from_millis(1_798_761_610_000),
            template: None,
            zone: &chronon::Zone::utc(),
        };
        let from = "Tidings <tidings@example.org>".parse().unwrap();
        let key = LinkKey::new([7; 32]);
        let home = dashboard.map(|url| Home { url, key: Some(&key) });
        let message = compose(&from, home, to.parse().unwrap(), &delivery).unwrap();
        String::from_utf8(message.formatted()).unwrap()
    }

    fn header_names(mail: &str) -> Vec<&str> {
        let (head, _) = mail.split_once("\r\n\r\n").unwrap();
        head.split("\r\n")
            .filter(|line| !line.starts_with([' ', '\t']))
            .map(|line| line.split(':').next().unwrap())
            .collect()
    }

    const BODY: &str = r#"{"type": "change", "sentinel": "lisbon", "summary": "a phrase appeared",
        "changes": [{"type": "phrases", "kind": "insert", "new": {"text": "Lisbon 40"}}]}"#;

    #[test]
    fn a_mail_is_the_same_whenever_it_is_written_again() {
        assert_eq!(
            composed("ana@example.org", "k1", BODY),
            composed("ana@example.org", "k1", BODY)
        );
    }

    #[test]
    fn a_mail_links_to_its_sentinel_where_the_dashboard_has_an_address() {
        let home = Some("https://home.example/tidings/");
        let place = "https://home.example/tidings/sentinels/lisbon";
        let mail = composed_on(home, "ana@example.org", "k", BODY);
        let mail = mail.replace("=\r\n", "").replace("=3D", "=");
        assert!(mail.contains(&format!("On the dashboard: {place}\r\n")), "{mail}");
        assert!(mail.contains(&format!("<a href=\"{place}\" rel=")), "{mail}");
        let without = composed("ana@example.org", "k", BODY);
        assert!(!without.contains("dashboard") && without.contains("Set public_url"), "{without}");
        assert!(!without.contains("List-Unsubscribe"), "{without}");
        let rule = r#"{"type": "rule", "rule": "twice", "summary": "s"}"#;
        let mail = composed_on(home, "ana@example.org", "k", rule);
        let mail = mail.replace("=\r\n", "");
        let place = "https://home.example/tidings/rules/twice";
        assert!(mail.contains(&format!("On the dashboard: {place}\r\n")), "{mail}");
        let odd = crate::links::place_of(
            "https://home.example/",
            crate::links::Subject::Sentinel("a/b?c"),
        );
        let odd = odd.expect("an address");
        assert_eq!(odd, "https://home.example/sentinels/a%2Fb%3Fc");
    }

    #[test]
    fn a_mail_links_to_what_changed_and_can_be_unsubscribed_by_one_click() {
        let body = r#"{"type": "change", "sentinel": "lisbon", "sentinel_id": 42, "summary": "s",
            "sources": [{"url": "https://a.example/", "from_version": 3, "to_version": 4}]}"#;
        let mail = composed_on(Some("https://home.example/"), "ana@example.org", "k", body);
        let flat = mail.replace("=\r\n", "").replace("\r\n ", "").replace("=3D", "=");
        let compare = "https://home.example/sentinels/lisbon/compare?from=3&to=4";
        assert!(flat.contains(&format!("in the whole page: {compare}\r\n")), "{flat}");
        let answers = body.replace("\"to_version\": 4", "\"to_version\": 3");
        let answers = composed_on(Some("https://home.example/"), "ana@example.org", "k", &answers);
        assert!(!answers.contains("/compare"), "{answers}");
        let begins = "List-Unsubscribe: <https://home.example/l/stop-42-";
        let at = flat.find(begins).unwrap_or_else(|| panic!("{flat}")) + begins.len() - 8;
        let link = flat[at..].split('>').next().unwrap();
        let key = LinkKey::new([7; 32]);
        let now = Instant::from_millis(1_798_761_610_000);
        assert!(key.read(link, now).is_ok_and(|link| link.act == Act::Stop), "{link}");
        assert!(flat.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"), "{flat}");
        assert!(flat.contains("https://home.example/l/snooze-42-"), "{flat}");
        let plain = composed_on(Some("http://home.example/"), "ana@example.org", "k", body);
        assert!(plain.contains("List-Unsubscribe: ") && !plain.contains("One-Click"), "{plain}");
    }

    #[test]
    fn the_message_id_is_the_key_at_the_senders_domain() {
        let mail = composed("ana@example.org", "00ff", BODY);
        assert!(mail.contains("\r\nMessage-ID: <00ff@example.org>\r\n"), "{mail}");
        assert!(mail.contains("\r\nSubject: a phrase appeared\r\n"), "{mail}");
        assert!(mail.contains("\r\nList-Id: <lisbon.tidings.example.org>\r\n"), "{mail}");
        assert!(mail.contains("\r\nDate: Fri, 01 Jan 2027 00:00:10 +0000\r\n"), "{mail}");
    }

    #[test]
    fn no_text_of_a_page_or_a_user_adds_a_header() {
        let honest = composed("ana@example.org", "k", BODY);
        for evil in
            ["x\\r\\nBcc: eve@example.net", "x\\nBcc: eve", "x\\r\\n\\r\\nbody", "\\u2028B: e"]
        {
            let body =
                format!(r#"{{"type": "{evil}", "sentinel": "{evil}", "summary": "{evil}"}}"#);
            let mail = composed("ana@example.org", "k\r\nBcc: eve@example.net", &body);
            assert_eq!(header_names(&mail), header_names(&honest), "{mail}");
        }
    }

    #[test]
    fn an_address_with_a_line_end_is_no_address() {
        for to in ["ana@example.org\r\nBcc: eve@example.net", "a\n <ana@example.org>", "", "ana"] {
            let parsed = to.parse::<Mailbox>();
            assert!(
                parsed.as_ref().map_or(true, |mailbox| {
                    !composed(&mailbox.to_string(), "k", BODY).contains("\nBcc")
                }),
                "{to:?} {parsed:?}"
            );
        }
    }
}
